//! From a list of offsets to a layout with these offsets, and from any function to a chain of layouts.

use super::table::{MAX_EXAMINED, Table};
use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf, View};
use crate::stride::Rational;
use crate::tiler::Tiler;
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

    /// Layouts whose composition is a given function `f` of `0, 1, ..., N-1` with `f(0) = 0`, the outermost first
    /// (paper, section 2.4.3): all but the outermost together map `i` to `2^(i-1)`, evaluated out of their bounds, and
    /// the outermost maps that to `f(i)`.
    ///
    /// ```
    /// use tilework::Layout;
    /// let chain = Layout::completeness(&[0, 7, 1, 9])?;
    /// assert_eq!(chain.to_string(), "<(2,2,2):(7,1,9),(3,1):(1,4)>");
    /// // 3 becomes 4, and 4 is the coordinate (0,0,1).
    /// let (outer, inner) = (chain.mode(0)?.layout()?.unwrap(), chain.mode(1)?.layout()?.unwrap());
    /// assert_eq!(outer.at(inner.at(3)), 9);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] if `f(0)` is not 0, or there is no value; [`Error::Capacity`] for more than 13 values: `N`
    /// values take `N - 1` modes of the outermost layout and two of each of `N - 3` others, and a tiler has 32.
    pub const fn completeness(values: &[i64]) -> Result<Tiler, Error> {
        const OPERATION: &str = "completeness";
        if values.is_empty() || values[0] != 0 {
            let found = if values.is_empty() { 0 } else { values[0] };
            return Err(Error::Argument {
                operation: OPERATION,
                expected: "values of which the first is 0",
                found,
            });
        }
        // 12 modes of extent 2, and 10 layouts of two.
        if values.len() > 13 {
            return Err(Error::Capacity { what: "values, whose layouts have 32 modes together", limit: 13 });
        }
        let (mut chain, mut outer, mut i) = ([Tiler::HOLE; 11], HTuple::empty(Leaf::new(1, 0)), 1);
        while i < values.len() {
            outer = tri!(outer.append(&HTuple::leaf(Leaf::new(2, values[i]))));
            i += 1;
        }
        if values.len() <= 2 {
            outer = if values.len() == 1 {
                HTuple::leaf(Leaf::new(1, 0))
            } else {
                HTuple::leaf(Leaf::new(2, values[1]))
            };
        }
        chain[0] = tri!(Layout::new(outer)).as_tiler();
        let (mut len, mut k) = (1, 3);
        while k < values.len() as i64 {
            let pair = tri!(HTuple::tuple(&[
                HTuple::leaf(Leaf::new(k, 1)),
                HTuple::leaf(Leaf::new(1, 2 * (k - 1)))
            ]));
            chain[len] = tri!(Layout::new(pair)).as_tiler();
            len += 1;
            k += 1;
        }
        if len == 1 { Ok(chain[0]) } else { Tiler::by_mode(chain.split_at(len).0) }
    }
}
