//! From a list of offsets to the layout with these offsets.

use super::table::{MAX_EXAMINED, Table};
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
    /// [`Error::NotXorLinear`] if no view has them; [`Error::Capacity`] for more than 2,048 offsets, [`Error::Argument`] for
    /// none; [`Error::Overflow`].
    pub const fn from_image(offsets: &[i64]) -> Result<View, Error> {
        let Some(mut table) = Table::new(offsets.len() as i64) else {
            return Err(Error::Capacity { what: "offsets", limit: MAX_EXAMINED });
        };
        if offsets.is_empty() {
            return Err(Error::Argument { operation: "from_image", expected: "offsets", found: 0 });
        }
        let (shape, mut xor) = (HTuple::leaf(Leaf::new(table.len as i64, 0)), false);
        loop {
            let mut c = 0;
            while c < offsets.len() {
                table.offsets[c] =
                    if xor { offsets[c] ^ offsets[0] } else { tri!(int::sub(offsets[c], offsets[0])) };
                c += 1;
            }
            let codomain = if xor { Codomain::Xor } else { Codomain::Integer };
            if let Some(layout) = tri!(table.refine_in(&shape, codomain)) {
                return View::new(HTuple::leaf(Rational::integer(offsets[0])), layout);
            }
            if xor {
                let reason = "no layout, with integer or with XOR strides, has these offsets";
                return Err(Error::NotXorLinear { reason });
            }
            xor = true;
        }
    }
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
    /// [`Error::NotXorLinear`] if no layout has them; [`Error::Capacity`] for more than 2,048 offsets,
    /// [`Error::Argument`] for none.
    pub const fn from_image(offsets: &[i64]) -> Result<Layout, Error> {
        if !offsets.is_empty() && offsets[0] != 0 {
            return Err(Error::NotXorLinear {
                reason: "the first offset is not 0: only a view has these offsets",
            });
        }
        Ok(*tri!(View::from_image(offsets)).layout())
    }
}
