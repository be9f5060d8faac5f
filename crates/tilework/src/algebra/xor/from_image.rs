//! From a list of offsets to the layout with these offsets.

use super::radix::Radix;
use super::table::Listed;
use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf, View};
use crate::stride::Rational;
use crate::tuple::HTuple;

impl View {
    /// The coalesced layout with these offsets at the indices 0, 1, 2, ..., behind the first of them: with integer strides if
    /// possible, otherwise with XOR strides.
    ///
    /// ```
    /// use tilework::View;
    /// assert_eq!(View::from_image(&[8, 9, 0, 1])?.to_string(), "{8} o (2,2):(1,-8)");
    /// assert_eq!(View::from_image(&[5, 6, 3, 0])?.to_string(), "{5} o 4:^3");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotXorLinear`] if no view has them; [`Error::Argument`] for none; [`Error::Overflow`].
    pub const fn from_image(offsets: &[i64]) -> Result<View, Error> {
        if offsets.is_empty() {
            return Err(Error::Argument { operation: "from_image", expected: "offsets", found: 0 });
        }
        let start = HTuple::leaf(Rational::integer(offsets[0]));
        if let Some(layout) = tri!(with_integers(offsets)) {
            return View::new(start, layout);
        }
        let shape = HTuple::leaf(Leaf::new(offsets.len() as i64, 0));
        match tri!((Listed { offsets, start: offsets[0] }).refine_in(&shape, Codomain::Xor)) {
            Some(layout) => View::new(start, layout),
            None => Err(Error::NotXorLinear {
                reason: "no layout, with integer or with XOR strides, has these offsets",
            }),
        }
    }
}

/// The coalesced layout with integer strides that has these offsets behind the first. Of such a layout, the first extent is the
/// first index whose offset is not that multiple of the offset of 1, and the same is true of the indices that it divides.
const fn with_integers(offsets: &[i64]) -> Result<Option<Layout>, Error> {
    let (mut out, mut step) = (HTuple::builder(Leaf::new(1, 0)), 1);
    while step < offsets.len() {
        let (stride, mut end) = (tri!(int::sub(offsets[step], offsets[0])), step);
        while end < offsets.len()
            && offsets[end] as i128 - offsets[0] as i128 == (end / step) as i128 * stride as i128
        {
            end += step;
        }
        if !offsets.len().is_multiple_of(end) {
            return Ok(None);
        }
        tri!(out.push_merged(Leaf::new((end / step) as i64, stride), 0));
        step = end;
    }
    tri!(out.close_merged(0));
    let layout = tri!(Layout::new(out));
    let radix = tri!(Radix::new(&layout, offsets.len() as i64 - 1));
    let mut c = 0;
    while c < offsets.len() {
        if !matches!(radix.at(c as i64), Ok(at) if offsets[c] as i128 - offsets[0] as i128 == at as i128) {
            return Ok(None);
        }
        c += 1;
    }
    Ok(Some(layout))
}

impl Layout {
    /// The coalesced layout with these offsets at the indices 0, 1, 2, ..., with integer strides if possible, otherwise
    /// with XOR strides.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert_eq!(Layout::from_image(&[0, 8, 1, 9])?, layout!((2,2):(8,1)));
    /// assert_eq!(Layout::from_image(&[0, 3, 6, 5])?, layout!(4:^3));
    /// assert!(Layout::from_image(&[0, 1, 5]).is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotXorLinear`] if no layout has them; [`Error::Argument`] for none; [`Error::Overflow`].
    pub const fn from_image(offsets: &[i64]) -> Result<Layout, Error> {
        if !offsets.is_empty() && offsets[0] != 0 {
            return Err(Error::NotXorLinear {
                reason: "the first offset is not 0: only a view has these offsets",
            });
        }
        Ok(*tri!(View::from_image(offsets)).layout())
    }
}
