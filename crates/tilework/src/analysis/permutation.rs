//! A compact layout as a permutation of the numbers below its size.

use super::MAX_EXAMINED;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::Layout;
use crate::list::{List, sort_by};
use crate::shape::Coord;
use crate::tuple::{HTuple, MAX_LEAVES};

/// The length of a cycle, and the number of cycles of that length.
type Lengths = List<(i64, i64), MAX_LEAVES>;

impl Layout {
    /// The lengths of the cycles of `i -> L(i)`, ascending, each with the number of cycles of that length.
    ///
    /// ```
    /// use tilework::layout;
    /// // 0 and 5 stay; 1 -> 3 -> 4 -> 2 -> 1.
    /// assert_eq!(layout!((2,3):(3,1)).cycles()?.to_string(), "((1,2),(4,1))");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoInverse`] for a layout that is not compact; [`Error::Undecided`] beyond size 65,536;
    /// [`Error::Capacity`] if there are cycles of more than 16 lengths; those of [`is_compact`](Self::is_compact).
    pub const fn cycles(&self) -> Result<Coord, Error> {
        let lengths = tri!(self.cycle_lengths());
        let (mut tuple, mut i) = (HTuple::empty(0), 0);
        while i < lengths.len() {
            let (length, count) = lengths.as_slice()[i];
            let pair = tri!(HTuple::tuple(&[HTuple::leaf(length), HTuple::leaf(count)]));
            tuple = tri!(tuple.append(&pair));
            i += 1;
        }
        Ok(tuple)
    }

    /// The least number of applications of `L` that give the identity: the least common multiple of the lengths of the
    /// cycles.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!((4,8):(8,1)).order()?, 5);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`cycles`](Self::cycles); [`Error::Overflow`].
    pub const fn order(&self) -> Result<i64, Error> {
        let lengths = tri!(self.cycle_lengths());
        let (mut order, mut i) = (1, 0);
        while i < lengths.len() {
            let length = lengths.as_slice()[i].0;
            order = tri!(int::mul(order, length / int::gcd(order as u64, length as u64) as i64));
            i += 1;
        }
        Ok(order)
    }

    /// The number of fixed points of the permutation.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!((4,4):(4,1)).fixed_points()?, 4);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`cycles`](Self::cycles).
    pub const fn fixed_points(&self) -> Result<i64, Error> {
        let lengths = tri!(self.cycle_lengths());
        let (length, count) = lengths.as_slice()[0];
        Ok(if length == 1 { count } else { 0 })
    }

    /// 0 for an even permutation, 1 for an odd one: the number of transpositions that it takes, modulo 2.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!((2,2):(2,1)).parity()?, 1);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`cycles`](Self::cycles).
    pub const fn parity(&self) -> Result<i64, Error> {
        let lengths = tri!(self.cycle_lengths());
        let (mut swaps, mut i) = (0, 0);
        while i < lengths.len() {
            let (length, count) = lengths.as_slice()[i];
            swaps += (length - 1) % 2 * count;
            i += 1;
        }
        Ok(swaps % 2)
    }

    const fn cycle_lengths(&self) -> Result<Lengths, Error> {
        if !tri!(self.is_compact()) {
            return Err(Error::NoInverse { reason: "a permutation takes every offset below the size once" });
        }
        if self.size() > MAX_EXAMINED {
            return Err(Error::Undecided { operation: "the cycles of a permutation" });
        }
        let (mut seen, mut lengths, mut start) = ([0u64; MAX_EXAMINED as usize / 64], List::new((0, 0)), 0);
        while start < self.size() {
            let (mut length, mut at) = (0, start);
            while seen[at as usize / 64] >> (at % 64) & 1 == 0 {
                seen[at as usize / 64] |= 1 << (at % 64);
                at = tri!(self.try_at(at));
                length += 1;
            }
            if length > 0 {
                tri!(count(&mut lengths, length));
            }
            start += 1;
        }
        Ok(lengths)
    }
}

/// Counts a cycle; the lengths are kept sorted.
const fn count(lengths: &mut Lengths, length: i64) -> Result<(), Error> {
    let mut i = 0;
    while i < lengths.len() {
        if lengths.as_slice()[i].0 == length {
            lengths.as_mut_slice()[i].1 += 1;
            return Ok(());
        }
        i += 1;
    }
    tri!(lengths.push((length, 1), "lengths of cycles"));
    sort_by!(lengths.as_mut_slice(), |left, right| left.0 < right.0);
    Ok(())
}
