//! Recast: the same bytes as elements of another width.

use super::complement::sort;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf};
use crate::list::List;
use crate::stride::{Codomain, Stride};
use crate::tuple::MAX_LEAVES;

impl Layout {
    /// The layout for elements of `new_bits` where this one is for elements of `old_bits`.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert_eq!(layout!((8,16):(16,1)).recast(8, 32)?, layout!((8,4):(4,1)));
    /// assert_eq!(layout!((8,4):(4,1)).recast(32, 8)?, layout!((8,16):(16,1)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`upcast`](Self::upcast) and [`downcast`](Self::downcast).
    pub const fn recast(&self, old_bits: i64, new_bits: i64) -> Result<Layout, Error> {
        tri!(check_positive("recast", old_bits));
        tri!(check_positive("recast", new_bits));
        let common = int::gcd(old_bits as u64, new_bits as u64) as i64;
        tri!(self.downcast(old_bits / common)).upcast(new_bits / common)
    }

    /// The layout of elements `count` times as wide: `count` neighbouring offsets become one.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert_eq!(layout!(((2,4),8):((1,16),2)).upcast(2)?, layout!(((1,4),8):((0,8),1)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Divisibility`] where a stride and `count` divide neither way. [`Error::Size`] where the layout does not
    /// hold the wide elements whole, and [`Error::Overlap`] where it holds a part of them twice; CuTe gives a layout there
    /// that reads what the narrow one does not. [`Error::NegativeStride`]
    /// for a negative stride that is no multiple of `count`; [`Error::Codomain`] for strides other than integers.
    pub const fn upcast(&self, count: i64) -> Result<Layout, Error> {
        const OPERATION: &str = "upcast";
        tri!(check_positive(OPERATION, count));
        tri!(self.check_integer(OPERATION));
        if count == 1 {
            return Ok(*self);
        }
        let mut tuple = *self.as_tuple();
        // The modes within a wide element; they have to be the compact ones.
        let mut within = List::<(i64, i64), MAX_LEAVES>::new((0, 1));
        let mut i = 0;
        while i < tuple.leaves().len() {
            let Leaf { extent, stride } = tuple.leaves()[i];
            let stride = stride.numerator();
            if stride % count == 0 {
                tuple.leaves_mut()[i].stride = Stride::integer(stride / count);
            } else if extent == 1 {
                tuple.leaves_mut()[i].stride = Stride::ZERO;
            } else if stride < 0 {
                return Err(Error::NegativeStride { operation: OPERATION, stride });
            } else if count % stride != 0 {
                return Err(Error::Divisibility { operation: OPERATION, value: count, divisor: stride });
            } else {
                let part = count / stride;
                let inner = if extent % part == 0 { part } else { extent };
                if part % inner != 0 {
                    return Err(Error::Divisibility { operation: OPERATION, value: extent, divisor: part });
                }
                tri!(within.push((stride, inner), "modes"));
                tuple.leaves_mut()[i] = Leaf::new(extent / inner, (extent != inner) as i64);
            }
            i += 1;
        }
        sort(within.as_mut_slice());
        let (mut covered, mut k) = (1, 0);
        while k < within.len() {
            let (stride, extent) = within.as_slice()[k];
            if stride < covered {
                let (before, count) = within.as_slice()[k - 1];
                return Err(Error::Overlap { extent: count, stride: before, next: stride });
            }
            if stride > covered {
                break;
            }
            covered *= extent;
            k += 1;
        }
        if covered != count {
            return Err(Error::Size {
                operation: "upcast: a whole wide element",
                expected: count,
                found: covered,
            });
        }
        Layout::new(tuple)
    }

    /// The layout of elements `1/count` as wide: each offset becomes `count` neighbouring ones, in the mode of
    /// stride 1.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert_eq!(layout!((8,16):(16,1)).downcast(4)?, layout!((8,64):(64,1)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] where no mode, or more than one, has stride 1; CuTe gives a layout there that leaves out
    /// or repeats parts. [`Error::Codomain`] for strides other than integers; [`Error::Overflow`].
    pub const fn downcast(&self, count: i64) -> Result<Layout, Error> {
        const OPERATION: &str = "downcast";
        tri!(check_positive(OPERATION, count));
        tri!(self.check_integer(OPERATION));
        if count == 1 {
            return Ok(*self);
        }
        let mut tuple = *self.as_tuple();
        let (mut split, mut i) = (0, 0);
        while i < tuple.leaves().len() {
            let Leaf { extent, stride } = tuple.leaves()[i];
            let stride = stride.numerator();
            if extent > 1 && stride == 1 {
                split += 1;
                tuple.leaves_mut()[i].extent = tri!(int::mul(extent, count));
            } else if extent > 1 {
                tuple.leaves_mut()[i].stride = Stride::integer(tri!(int::mul(stride, count)));
            }
            i += 1;
        }
        if split == 0 && self.size() == 1 && !tuple.leaves().is_empty() {
            tuple.leaves_mut()[0] = Leaf::new(count, 1);
            split = 1;
        }
        if split != 1 {
            return Err(Error::Argument {
                operation: OPERATION,
                expected: "one mode of stride 1 to split",
                found: split,
            });
        }
        Layout::new(tuple)
    }

    const fn check_integer(&self, operation: &'static str) -> Result<(), Error> {
        if !self.codomain().same(Codomain::Integer) {
            return Err(Error::Codomain { operation, found: self.codomain() });
        }
        Ok(())
    }
}

const fn check_positive(operation: &'static str, found: i64) -> Result<(), Error> {
    if found < 1 {
        return Err(Error::Argument { operation, expected: "widths of 1 or more", found });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::{Error, Layout, layout};

    #[test]
    fn wide_elements_are_held_whole_and_once() {
        assert_eq!(layout!((2,2,3):(1,2,8)).upcast(4), Ok(layout!((1,1,3):(0,0,2))));
        assert_eq!(layout!((32,128):(0,1)).upcast(16), Ok(layout!((32,8):(0,1))));
        assert_eq!(layout!((8,4):(1,-8)).upcast(8), Ok(layout!((1,4):(0,-1))));
        let upcast = "upcast: a whole wide element";
        assert_eq!(layout!(4:8).upcast(8), Err(Error::Size { operation: upcast, expected: 8, found: 1 }));
        assert_eq!(
            layout!((2,2):(1,4)).upcast(8),
            Err(Error::Size { operation: upcast, expected: 8, found: 2 })
        );
        assert_eq!(layout!((2,4):(1,1)).upcast(2), Err(Error::Overlap { extent: 2, stride: 1, next: 1 }));
        assert_eq!(layout!((2,4):(2,1)).upcast(4), Err(Error::Overlap { extent: 4, stride: 1, next: 2 }));
        assert_eq!(
            layout!(8:3).upcast(4),
            Err(Error::Divisibility { operation: "upcast", value: 4, divisor: 3 })
        );
        assert_eq!(
            layout!(6:1).upcast(4),
            Err(Error::Divisibility { operation: "upcast", value: 6, divisor: 4 })
        );
        assert_eq!(layout!(8:-1).upcast(4), Err(Error::NegativeStride { operation: "upcast", stride: -1 }));
    }

    #[test]
    fn one_mode_is_split() {
        assert_eq!(
            layout!((2,1):(8,1)).downcast(2),
            Err(Error::Argument {
                operation: "downcast",
                expected: "one mode of stride 1 to split",
                found: 0
            })
        );
        assert!(layout!((2,2):(1,1)).downcast(2).is_err());
        // A mode of extent 1 makes no step that could be too long.
        let still = |size, stride| Layout::of((size, 1), (1, stride)).unwrap();
        assert_eq!(still(4, i64::MAX).downcast(2), Ok(still(8, i64::MAX)));
        assert_eq!(layout!(1:0).downcast(4), Ok(layout!(4:1)));
        assert_eq!(layout!((4,3):(1,0)).recast(48, 32), Ok(layout!((6,3):(1,0))));
        assert!(matches!(layout!(4:1).recast(0, 8), Err(Error::Argument { .. })));
        assert!(matches!(layout!(4:1@0).upcast(2), Err(Error::Codomain { .. })));
    }
}
