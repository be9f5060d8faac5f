//! Completeness: every finite function is a chain of layouts (paper, section 2.4.3).
//!
//! A function `f` on `0..N` with `f(0) = 0` is `(2,2,...):(f(1),f(2),...) o (3,1):(1,4) o (4,1):(1,6) o ... o
//! (N-1,1):(1,2(N-2))`, applied from the right. The layouts on the right send `i` to `2^(i-1)`, and the first one reads
//! off its bits. They are applied as functions on all integers; composed as layouts they do not exist, and
//! `(3,1):(1,4)` may not be coalesced, since its trailing mode is the whole point: 3 is out of bounds and goes to 4.
//!
//! | i | `(4,1):(1,6)` | `(3,1):(1,4)` | `(2,2,2,2):(f(1),f(2),f(3),f(4))` |
//! |---|---|---|---|
//! | 1 | 1 | 1 | f(1) |
//! | 2 | 2 | 2 | f(2) |
//! | 3 | 3 | 4 | f(3) |
//! | 4 | 6 | 8 | f(4) |

use crate::error::{Error, tri};
use crate::layout::{Layout, Leaf};
use crate::stride::Stride;
use crate::tuple::{HTuple, MAX_LEAVES};

/// The layouts whose composition, as functions on the integers, is a given finite function (paper, section 2.4.3).
///
/// ```
/// use tilework::{Chain, layout};
/// let chain = Chain::new(&[0, 7, -2, 7, 100])?;
/// assert_eq!(chain.len(), 3);
/// assert_eq!(chain.get(0)?, layout!((2,2,2,2):(7,-2,7,100)));
/// assert_eq!(chain.get(1)?, layout!((3,1):(1,4)));
/// assert_eq!(chain.get(2)?, layout!((4,1):(1,6)));
/// assert_eq!(chain.evaluate(2)?, -2);
/// assert_eq!(chain.evaluate(4)?, 100);
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain<'a> {
    values: &'a [i64],
}

impl<'a> Chain<'a> {
    /// The chain of the function with these values at 0, 1, 2, ...
    ///
    /// # Errors
    /// [`Error::Argument`] where the first value is not 0 (`[1]`), since a layout sends 0 to 0;
    /// [`Error::Rank`] for no value at all; [`Error::Capacity`] past [`MAX_LEAVES`]` + 1` values;
    /// [`Error::Overflow`] where the positive or the negative values add up to more than 64 bits.
    pub const fn new(values: &'a [i64]) -> Result<Chain<'a>, Error> {
        if values.is_empty() {
            return Err(Error::Rank { operation: "a chain of layouts", expected: 1, found: 0 });
        }
        if values[0] != 0 {
            let expected = "a function with f(0) = 0";
            return Err(Error::Argument { operation: "a chain of layouts", expected, found: values[0] });
        }
        if values.len() > MAX_LEAVES + 1 {
            return Err(Error::Capacity {
                what: "values of a function in a chain of layouts",
                limit: MAX_LEAVES + 1,
            });
        }
        let chain = Chain { values };
        tri!(chain.get(0));
        Ok(chain)
    }

    /// The number of layouts, 1 or more.
    #[expect(clippy::len_without_is_empty, reason = "a chain is never empty")]
    pub const fn len(&self) -> usize {
        if self.values.len() > 3 { self.values.len() - 2 } else { 1 }
    }

    /// Layout `index`, from the left: number 0 is applied last.
    ///
    /// # Errors
    /// [`Error::Index`] at or past [`len`](Self::len).
    pub const fn get(&self, index: usize) -> Result<Layout, Error> {
        if index >= self.len() {
            return Err(Error::Index { index, rank: self.len() });
        }
        let mut tuple = HTuple::builder(Leaf::new(1, 0));
        if index > 0 {
            let extent = index as i64 + 2;
            tri!(tuple.push_value(Leaf::new(extent, 1)));
            tri!(tuple.push_value(Leaf::new(1, 2 * (extent - 1))));
        } else if self.values.len() == 1 {
            tri!(tuple.push_value(Leaf::new(1, 0)));
        } else {
            let mut i = 1;
            while i < self.values.len() {
                tri!(tuple.push_value(Leaf { extent: 2, stride: Stride::integer(self.values[i]) }));
                i += 1;
            }
        }
        tri!(tuple.close_leaves(0));
        Layout::new(tuple)
    }

    /// The value at `index`, through all layouts from the right.
    ///
    /// # Errors
    /// [`Error::Argument`] for an index outside of the function's domain.
    pub const fn evaluate(&self, index: i64) -> Result<i64, Error> {
        if index < 0 || index >= self.values.len() as i64 {
            let expected = "an index below the number of values";
            return Err(Error::Argument { operation: "a chain of layouts", expected, found: index });
        }
        let (mut value, mut i) = (index, self.len());
        while i > 0 {
            i -= 1;
            value = tri!(tri!(self.get(i)).try_at(value));
        }
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn every_function_of_every_length() {
        let mut state = 1u64;
        for len in 1..=MAX_LEAVES + 1 {
            for _ in 0..10 {
                let mut values: Vec<i64> = (0..len)
                    .map(|_| {
                        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                        (state >> 33) as i64 - (1 << 30)
                    })
                    .collect();
                values[0] = 0;
                let chain = Chain::new(&values).unwrap();
                assert_eq!(chain.len(), 1 + len.saturating_sub(3));
                for (i, &value) in values.iter().enumerate() {
                    assert_eq!(chain.evaluate(i as i64), Ok(value));
                }
            }
        }
    }

    #[test]
    fn in_const() {
        const CHAIN: Chain = match Chain::new(&[0, 5, 5, 1, 9]) {
            Ok(chain) => chain,
            Err(_) => panic!(),
        };
        const VALUE: Result<i64, Error> = CHAIN.evaluate(4);
        assert_eq!(VALUE, Ok(9));
    }

    #[test]
    fn refusals() {
        assert_eq!(Chain::new(&[1]).unwrap_err().code(), "argument");
        assert_eq!(Chain::new(&[]).unwrap_err().code(), "rank");
        assert_eq!(Chain::new(&[0; 34]).unwrap_err().code(), "capacity");
        assert_eq!(Chain::new(&[0, i64::MAX, i64::MAX]).unwrap_err().code(), "overflow");
        assert_eq!(Chain::new(&[0, 1]).unwrap().get(1).unwrap_err().code(), "index");
        assert_eq!(Chain::new(&[0, 1]).unwrap().evaluate(2).unwrap_err().code(), "argument");
    }
}
