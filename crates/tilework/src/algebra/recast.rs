//! Recast: the same bytes as elements of another width.

use super::xor::{check_positive, ratio};
use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf};
use crate::stride::Stride;

/// The most coordinates of the larger strides that are compared one by one.
const PLACES: usize = 512;

impl Layout {
    /// The layout for elements of `new_bits`, given this one for elements of `old_bits`.
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
        let (narrow, wide) = tri!(ratio(old_bits, new_bits));
        tri!(self.downcast(narrow)).upcast(wide)
    }

    /// The layout of elements `count` times as wide: the wide elements that this one touches; the element at offset `k`
    /// is in the wide one at `floor(k / count)`. Each mode becomes those that it touches by itself, in its order, and a
    /// mode of stride 0 is kept. A wide element may be touched in part: `4:2` touches two elements of four.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert_eq!(layout!(((2,4),8):((1,16),2)).upcast(2)?, layout!(((1,4),8):((0,8),1)));
    /// assert_eq!(layout!(24:2).upcast(8)?, layout!(6:1));
    /// assert_eq!(layout!(24:1).upcast(16)?, layout!(2:1));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Divisibility`] if the steps of a mode are uneven: `4:3` touches 0, 1, 3, 4 of elements of two, and
    /// `4:^3` splits them. [`Error::Size`] if the modes together reach further than their wide elements: in
    /// `(2,4):(1,1)` two halves add up to a third element of two. [`Error::Undecided`] if the remainders of larger
    /// strides add up to more than an element and these strides have more than 512 coordinates. [`Error::Argument`] for
    /// XOR strides and a count that is not a power of two; [`Error::Codomain`] for rational and coordinate strides.
    pub const fn upcast(&self, count: i64) -> Result<Layout, Error> {
        const OPERATION: &str = "upcast";
        tri!(check_positive(OPERATION, count));
        match self.codomain() {
            Codomain::Integer => {}
            Codomain::Xor => return self.xor_upcast(count),
            found => return Err(Error::Codomain { operation: OPERATION, found }),
        }
        let mut tuple = *self.as_tuple();
        let wide = count as i128;
        // The lowest and highest sums of strides below `count`, between which no wide element is skipped, and the wide
        // elements that the modes give there.
        let (mut low, mut high, mut first, mut last) = (0i128, 0, 0, 0);
        // The remainders of the larger strides modulo `count`: their greatest sum, and one of these strides.
        let (mut beyond, mut uneven) = (0i128, 0);
        let mut i = 0;
        while i < tuple.leaves().len() {
            let Leaf { extent, stride } = tuple.leaves()[i];
            let stride = stride.numerator();
            let (quotient, rest) = int::div_rem(stride, count);
            if rest == 0 || extent == 1 {
                tuple.leaves_mut()[i].stride =
                    if rest == 0 { Stride::integer(quotient) } else { Stride::ZERO };
            } else if -count < stride && stride < count {
                let reach = (extent - 1) * stride;
                let end = int::div_rem(reach, count).0;
                tuple.leaves_mut()[i] = Leaf::new(end.abs() + 1, end.signum());
                if stride < 0 {
                    (low, first) = (low + reach as i128, first + end as i128);
                } else {
                    (high, last) = (high + reach as i128, last + end as i128);
                }
            } else {
                let sum = rest as i128 * (extent - 1) as i128;
                if sum >= wide {
                    return Err(Error::Divisibility { operation: OPERATION, value: stride, divisor: count });
                }
                tuple.leaves_mut()[i].stride = Stride::integer(quotient);
                (beyond, uneven) = (beyond + sum, stride);
            }
            i += 1;
        }
        let (from, to) = (low.div_euclid(wide), high.div_euclid(wide));
        if from != first || to != last {
            return Err(Error::Size {
                operation: "upcast of modes that share wide elements",
                expected: (to - from + 1) as i64,
                found: (last - first + 1) as i64,
            });
        }
        let even = (low + beyond).div_euclid(wide) == first && (high + beyond).div_euclid(wide) == last;
        if !even && !tri!(self.touches_the_same(count, low, high, first, last)) {
            return Err(Error::Divisibility { operation: OPERATION, value: uneven, divisor: count });
        }
        Layout::new(tuple)
    }

    /// Whether the larger strides, each rounded down, give the same wide elements as they do together: an element
    /// missing at an end of the elements `first..=last` that the smaller ones touch may be touched from another
    /// coordinate. `low` and `high` are the sums of the smaller ones.
    #[cold]
    const fn touches_the_same(
        &self,
        count: i64,
        low: i128,
        high: i128,
        first: i128,
        last: i128,
    ) -> Result<bool, Error> {
        let wide = count as i128;
        let (room, len) = tri!(self.places(count));
        let places = room.split_at(len).0;
        let mut k = 0;
        while k < len {
            let (place, beyond) = places[k];
            let (from, to) = ((low + beyond).div_euclid(wide), (high + beyond).div_euclid(wide));
            // Given, and not touched from here.
            let mut x = first;
            while x < from {
                let (mut other, mut touched) = (0, false);
                while other < len && !touched {
                    let (start, beyond) = places[other];
                    touched = start + (low + beyond).div_euclid(wide) <= place + x
                        && place + x <= start + (high + beyond).div_euclid(wide);
                    other += 1;
                }
                if !touched {
                    return Ok(false);
                }
                x += 1;
            }
            // Touched, and not given from here.
            x = last + 1;
            while x <= to {
                let (mut other, mut given) = (0, false);
                while other < len && !given {
                    let within = place + x - places[other].0;
                    given = first <= within && within <= last;
                    other += 1;
                }
                if !given {
                    return Ok(false);
                }
                x += 1;
            }
            k += 1;
        }
        Ok(true)
    }

    /// The sums of the larger strides rounded down, and of their remainders, and the number of sums.
    const fn places(&self, count: i64) -> Result<([(i128, i128); PLACES], usize), Error> {
        let (mut places, mut len) = ([(0, 0); PLACES], 1);
        let mut i = 0;
        while i < self.leaves().len() {
            let Leaf { extent, stride } = self.leaves()[i];
            let (quotient, rest) = int::div_rem(stride.numerator(), count);
            if extent > 1 && stride.numerator().unsigned_abs() >= count as u64 {
                if extent > (PLACES / len) as i64 {
                    return Err(Error::Undecided { operation: "upcast" });
                }
                let mut k = len;
                while k < len * extent as usize {
                    let (place, beyond) = places[k - len];
                    places[k] = (place + quotient as i128, beyond + rest as i128);
                    k += 1;
                }
                len = k;
            }
            i += 1;
        }
        Ok((places, len))
    }

    /// The layout of elements `1/count` as wide: each offset becomes `count` neighbouring ones, in the first mode of
    /// stride 1, or, if there is none, in a mode of extent 1, preferably one with stride 1.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert_eq!(layout!((8,16):(16,1)).downcast(4)?, layout!((8,64):(64,1)));
    /// assert_eq!(layout!((1,2):(1,2)).downcast(2)?, layout!((2,2):(1,4)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] if no mode can be split, because parts of an element would be lost; for XOR strides, if the
    /// count is not a power of two. [`Error::Codomain`] for rational and coordinate strides; [`Error::Overflow`].
    pub const fn downcast(&self, count: i64) -> Result<Layout, Error> {
        const OPERATION: &str = "downcast";
        tri!(check_positive(OPERATION, count));
        // Also as the first step of `recast`.
        if count == 1 {
            return Ok(*self);
        }
        if !matches!(self.codomain(), Codomain::Integer | Codomain::Xor) {
            return Err(Error::Codomain { operation: OPERATION, found: self.codomain() });
        }
        let mut tuple = *self.as_tuple();
        let (mut split, mut best, mut i) = (0, 0, 0);
        while i < tuple.leaves().len() {
            let Leaf { extent, stride } = tuple.leaves()[i];
            let fits = match (extent > 1, stride.numerator() == 1) {
                (true, true) => 3,
                (false, true) => 2,
                (false, false) => 1,
                (true, false) => 0,
            };
            if fits > best {
                (split, best) = (i, fits);
            }
            i += 1;
        }
        if best == 0 {
            return Err(Error::Argument {
                operation: OPERATION,
                expected: "a mode of stride 1 or extent 1 to split",
                found: 0,
            });
        }
        if self.codomain().same(Codomain::Xor) {
            return self.xor_downcast(count, split);
        }
        i = 0;
        while i < tuple.leaves().len() {
            let Leaf { extent, stride } = tuple.leaves()[i];
            if i == split {
                tuple.leaves_mut()[i] = Leaf::new(tri!(int::mul(extent, count)), 1);
            } else if extent > 1 {
                tuple.leaves_mut()[i].stride = Stride::integer(tri!(int::mul(stride.numerator(), count)));
            }
            i += 1;
        }
        Layout::new(tuple)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Error, Layout, layout};

    #[test]
    fn wide_elements_are_those_touched() {
        assert_eq!(layout!((2,2,3):(1,2,8)).upcast(4), Ok(layout!((1,1,3):(0,0,2))));
        assert_eq!(layout!((32,128):(0,1)).upcast(16), Ok(layout!((32,8):(0,1))));
        assert_eq!(layout!((8,4):(1,-8)).upcast(8), Ok(layout!((1,4):(0,-1))));
        assert_eq!(layout!(8:0).upcast(2), Ok(layout!(8:0)));
        assert_eq!(layout!((2,2):(1,4)).upcast(8), Ok(layout!((1,1):(0,0))));
        // 0 and -1 to -4 and -5 to -7.
        assert_eq!(layout!(8:-1).upcast(4), Ok(layout!(3:-1)));
        assert_eq!(layout!(8:3).upcast(4), Ok(layout!(6:1)));
        // The offsets go from 0 to 24.
        assert_eq!(layout!((13,5):(1,3)).upcast(4), Ok(layout!((4,4):(1,1))));
        let upcast = "upcast of modes that share wide elements";
        assert_eq!(
            layout!((2,4):(1,1)).upcast(2),
            Err(Error::Size { operation: upcast, expected: 3, found: 2 })
        );
        assert_eq!(
            layout!((4,2):(-1,-1)).upcast(4),
            Err(Error::Size { operation: upcast, expected: 2, found: 3 })
        );
        let uneven = |value| Err(Error::Divisibility { operation: "upcast", value, divisor: 2 });
        assert_eq!(layout!(4:3).upcast(2), uneven(3));
        assert_eq!(layout!(2:3).upcast(2), Ok(layout!(2:1)));
        assert_eq!(layout!((2,2):(1,3)).upcast(2), uneven(3));
        // -7 to 0 touch -3 to 0, and 0 is touched from the other coordinate too.
        assert_eq!(layout!((2,8):(-7,1)).upcast(3), Ok(layout!((2,3):(-3,1))));
        assert_eq!(layout!((2,2):(3,-1)).upcast(2), Ok(layout!((2,2):(1,-1))));
        let far = Layout::of((2, 2), (i64::MIN + 1, i64::MAX)).unwrap();
        assert_eq!(far.upcast(i64::MAX), Ok(layout!((2,2):(-1,1))));
    }

    #[test]
    fn one_mode_is_split() {
        assert_eq!(
            layout!(4:2).downcast(2),
            Err(Error::Argument {
                operation: "downcast",
                expected: "a mode of stride 1 or extent 1 to split",
                found: 0
            })
        );
        assert_eq!(layout!((2,1):(8,1)).downcast(2), Ok(layout!((2,2):(16,1))));
        assert_eq!(layout!((1,1,2):(0,1,2)).downcast(2), Ok(layout!((1,2,2):(0,1,4))));
        assert_eq!(layout!((2,2):(1,1)).downcast(2), Ok(layout!((4,2):(1,2))));
        // A mode of extent 1 has no step that could be too long.
        let still = |size, stride| Layout::of((size, 1), (1, stride)).unwrap();
        assert_eq!(still(4, i64::MAX).downcast(2), Ok(still(8, i64::MAX)));
        assert_eq!(layout!(1:0).downcast(4), Ok(layout!(4:1)));
        assert_eq!(layout!((4,3):(1,0)).recast(48, 32), Ok(layout!((6,3):(1,0))));
        assert_eq!(layout!((1,2):(1,2)).recast(16, 8), Ok(layout!((2,2):(1,4))));
        assert!(matches!(layout!(4:1).recast(0, 8), Err(Error::Argument { .. })));
        assert!(matches!(layout!(4:1@0).upcast(2), Err(Error::Codomain { .. })));
    }
}
