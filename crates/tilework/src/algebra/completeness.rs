//! From any function to a chain of layouts (paper, section 2.4.3).

use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf};
use crate::tuple::{HTuple, MAX_LEAVES};

/// The most values whose chain is the paper's: the outermost layout has a mode for each but the first.
const FEW: usize = MAX_LEAVES + 1;

impl Layout {
    /// Layouts whose composition as functions is a given function `f` of `0, 1, ..., N-1` with `f(0) = 0`, for any `N`.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// let chain = Layout::completeness(&[0, 7, 1, 9])?;
    /// assert_eq!(chain.layout(0)?, layout!((2,2,2):(7,1,9)));
    /// assert_eq!(chain.layout(1)?, layout!((3,1):(1,4)));
    /// // 3 becomes 4, and 4 is the coordinate (0,0,1).
    /// assert_eq!(chain.layout(0)?.at(chain.layout(1)?.at(3)), 9);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] if `f(0)` is not 0, or there is no value.
    pub const fn completeness(values: &[i64]) -> Result<Completeness<'_>, Error> {
        if values.is_empty() || values[0] != 0 {
            let found = if values.is_empty() { 0 } else { values[0] };
            return Err(Error::Argument {
                operation: "completeness",
                expected: "values of which the first is 0",
                found,
            });
        }
        Ok(Completeness { values })
    }
}

/// The layouts of [`Layout::completeness`], the outermost first.
///
/// Up to 33 values they are the paper's: all but the outermost together map `i` to `2^(i-1)`, evaluated out of their
/// bounds, and the outermost, with a mode for each value, maps that to `f(i)`.
///
/// More values are more than the modes of a layout. Their layouts replace one index after the other, from the last, by its value, which
/// stands beside the indices that are left: `(k,2,1):(1,p f(k),p)` with `p = 2(k-1)` maps `i + 2k s` to `i + p s` for each `i < k` and
/// each sum `s`, and `k` to `p f(k)`.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Completeness<'a> {
    values: &'a [i64],
}

impl Completeness<'_> {
    /// The number of layouts.
    ///
    /// ```
    /// assert_eq!(tilework::Layout::completeness(&[0; 33])?.count(), 31);
    /// assert_eq!(tilework::Layout::completeness(&[0; 34])?.count(), 33);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn count(&self) -> usize {
        match self.values.len() {
            few @ 4..=FEW => few - 2,
            many if many > FEW => many - 1,
            _ => 1,
        }
    }

    /// One of the layouts.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert_eq!(Layout::completeness(&[0, 5, 5, 8, 3])?.layout(2)?, layout!((4,1):(1,6)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Index`] beyond [`count`](Self::count); [`Error::Overflow`] beyond 33 values, if `2 (k-1) f(k)` does not fit in 64 bits.
    pub const fn layout(&self, index: usize) -> Result<Layout, Error> {
        if index >= self.count() {
            return Err(Error::Index { index, rank: self.count() });
        }
        let k = index as i64 + 1;
        if self.values.len() <= FEW {
            return if index == 0 { self.outermost() } else { with_modes(&[(k + 1, 1), (1, 2 * k)]) };
        }
        let (value, place) = (self.values[index + 1], 2 * (k - 1));
        if k == 1 {
            return with_modes(&[(2, value), (1, 1)]);
        }
        with_modes(&[(k, 1), (2, tri!(int::mul(place, value))), (1, place)])
    }

    const fn outermost(&self) -> Result<Layout, Error> {
        let mut modes = [(2, 0); MAX_LEAVES];
        let mut i = 1;
        while i < self.values.len() {
            modes[i - 1].1 = self.values[i];
            i += 1;
        }
        match self.values.len() {
            1 => Ok(Layout::UNIT),
            2 => Layout::new(HTuple::leaf(Leaf::new(2, self.values[1]))),
            len => with_modes(modes.split_at(len - 1).0),
        }
    }
}

const fn with_modes(modes: &[(i64, i64)]) -> Result<Layout, Error> {
    let (mut tuple, mut i) = (HTuple::empty(Leaf::new(1, 0)), 0);
    while i < modes.len() {
        tuple = tri!(tuple.append(&HTuple::leaf(Leaf::new(modes[i].0, modes[i].1))));
        i += 1;
    }
    Layout::new(tuple)
}
