//! Properties of one layout with XOR strides: minimal rank, equality, image.
//!
//! The offset of such a layout is the XOR of carry-less products, and so linear over F2 in the bits of the
//! *coordinates of its leaves*, whatever the extents. Only the extents determine which bits occur together.

use super::bits::{Span, bit_length, join, reach};
use super::pieces::{Piece, Pieces, Rule};
use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::layout::{Layout, Leaf};
use crate::list::List;
use crate::stride::Stride;
use crate::tuple::{HTuple, MAX_LEAVES};

/// The most affine subspaces that are examined before a question is left undecided.
const WORK: usize = 1024;

impl Layout {
    /// Whether two layouts, one of them with XOR strides, have one size and the same offset at each integral
    /// coordinate. Exact: the coalesced form with XOR strides is unique, and so is the one with integer strides, in
    /// which a mode ends exactly where the step changes.
    pub(crate) const fn xor_equivalent(&self, other: &Layout) -> bool {
        let (Some(left), Some(right)) = (self.as_xor(), other.as_xor()) else { return false };
        let (left, right) = (left.leaves(), right.leaves());
        let mut i = 0;
        while i < left.len() && i < right.len() {
            if left[i].extent != right[i].extent || !left[i].stride.same(right[i].stride) {
                return false;
            }
            i += 1;
        }
        left.len() == right.len()
    }

    /// The same function with XOR strides, coalesced; `None` if there is none.
    pub(crate) const fn as_xor(&self) -> Option<Layout> {
        let mut layout = self.coalesce();
        match layout.codomain() {
            Codomain::Xor => return Some(layout),
            Codomain::Integer if layout.sums_are_xors().is_ok() => {}
            _ => return None,
        }
        let mut i = 0;
        while i < layout.leaves().len() {
            let Ok(stride) = Stride::xor(layout.leaves()[i].stride.numerator()) else { return None };
            layout.tuple.leaves_mut()[i].stride = stride;
            i += 1;
        }
        Some(layout.coalesce())
    }

    /// Whether a number is a sum of columns of a layout with XOR strides, as each offset is.
    pub(crate) const fn xor_spans(&self, number: i64) -> bool {
        let (mut span, mut i) = (Span::new(), 0);
        while i < self.leaves().len() {
            let Leaf { extent, stride } = self.leaves()[i];
            let mut k = 0;
            while k < bit_length(extent as u64 - 1) {
                span.insert((stride.numerator() as u64) << k, 0);
                k += 1;
            }
            i += 1;
        }
        span.reduce(number as u64).0 == 0
    }

    /// Checks that sums and multiples of the strides are XORs and carry-less multiples for all in-bounds coordinates:
    /// that the numbers `d` mean the same function as integer strides `d` and as XOR strides `^d`.
    /// Returns the bits that occur in offsets.
    pub(crate) const fn sums_are_xors(&self) -> Result<u64, Error> {
        let (mut seen, mut i) = (0, 0);
        while i < self.leaves().len() {
            let Leaf { extent, stride } = self.leaves()[i];
            let stride = stride.numerator();
            if extent > 1 && stride != 0 {
                if stride < 0 {
                    return Err(Error::NotXorLinear { reason: "a stride is negative" });
                }
                seen = tri!(join(seen, extent, stride));
            }
            i += 1;
        }
        Ok(seen)
    }

    /// The layout with integer strides that is the same function of the same coordinates.
    ///
    /// `CarrylessScale` or `NotXorLinear` if there is none.
    pub(crate) const fn xor_to_integer(&self) -> Result<Layout, Error> {
        // Modes like `4:^3` have no integer form as a whole, but their pieces may.
        let pieces = tri!(Pieces::of(self));
        tri!(pieces.check_sums());
        self.rebuild(&pieces, Rule::Integer)
    }

    /// This layout in the form in which an offset is combined as in `other`: with integer strides if the offsets of
    /// `other` are summed, with XOR strides if they are XORed.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!(4:^1).with_sums_of(&layout!(8:1))?, layout!(4:1));
    /// assert_eq!(layout!(4:1).with_sums_of(&layout!(8:^1))?, layout!(4:^1));
    /// assert!(layout!(4:^6).with_sums_of(&layout!(8:2)).is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::CarrylessScale`] (`4:^6`) and [`Error::NotXorLinear`] (`(2,2):(^1,^1)`) if the function has no such
    /// strides.
    pub const fn with_sums_of(&self, other: &Layout) -> Result<Layout, Error> {
        match (other.codomain(), self.codomain()) {
            // Offsets that are all 0 combine either way.
            _ if other.never_moves() || self.never_moves() => Ok(*self),
            (Codomain::Integer | Codomain::Rational, Codomain::Xor) => self.xor_to_integer(),
            (Codomain::Xor, Codomain::Integer) => {
                tri!(self.sums_are_xors());
                let (mut layout, mut i) = (*self, 0);
                while i < layout.leaves().len() {
                    layout.tuple.leaves_mut()[i].stride =
                        tri!(Stride::xor(layout.leaves()[i].stride.numerator()));
                    i += 1;
                }
                Layout::new(layout.tuple)
            }
            _ => Ok(*self),
        }
    }

    const fn never_moves(&self) -> bool {
        let mut i = 0;
        while i < self.leaves().len() {
            if !self.leaves()[i].stride.is_zero() {
                return false;
            }
            i += 1;
        }
        true
    }

    /// This layout with each leaf replaced by its modes in `pieces`.
    pub(crate) const fn rebuild(&self, pieces: &Pieces, rule: Rule) -> Result<Layout, Error> {
        let mut out = HTuple::builder(Leaf::new(1, 0));
        let (mut node, mut leaf) = (0, 0);
        while node < self.profile().len() {
            if self.profile().is_leaf(node) {
                tri!(pieces.leaf_into(self.leaves()[leaf], leaf, rule, &mut out));
                leaf += 1;
            } else {
                tri!(out.open(self.profile().rank(node)));
            }
            node += 1;
        }
        Layout::new(out)
    }

    /// Whether no two in-bounds coordinates share an offset. Exact for all extents.
    ///
    /// The differences `a ^ b` of numbers below `s` are *all* numbers of as many bits as `s - 1` has: for one with the
    /// top bit set, take the top bit itself, plus 0, for `a`. So two coordinates collide if and only if a combination
    /// of all the columns is 0.
    pub(crate) const fn xor_is_injective(&self) -> Result<bool, Error> {
        let mut span = Span::new();
        let mut i = 0;
        while i < self.leaves().len() {
            let Leaf { extent, stride } = self.leaves()[i];
            let mut k = 0;
            while k < bit_length(extent as u64 - 1) {
                if !span.insert((stride.numerator() as u64) << k, 0) {
                    return Ok(false);
                }
                k += 1;
            }
            i += 1;
        }
        Ok(true)
    }

    /// Whether the offsets are exactly `[0, cosize)`, decided by their number.
    ///
    /// The pieces of extent 2 span a subspace, and the offsets are the cosets of it that the odd pieces reach. These
    /// are enumerated; each is counted once, by its bits modulo the subspace. `Undecided` beyond [`WORK`].
    pub(crate) const fn xor_is_surjective(&self) -> Result<bool, Error> {
        let most = tri!(self.xor_max_offset()) as u64;
        if most >= self.size() as u64 {
            return Ok(false);
        }
        let pieces = tri!(Pieces::of(self));
        let (mut free, mut choices, mut i) = (Span::new(), 1u64, 0);
        while i < pieces.list.len() {
            let Piece { extent, stride, .. } = pieces.as_slice()[i];
            if extent == 2 {
                free.insert(stride as u64, 0);
            } else if stride != 0 {
                choices = choices.saturating_mul(extent as u64);
            }
            i += 1;
        }
        if choices > WORK as u64 {
            return Err(Error::Undecided { operation: "surjectivity of an XOR layout" });
        }
        let bits = bit_length(most) - free.rank as u32;
        if 1 << bits > 2 * choices {
            return Ok(false);
        }
        let (mut seen, mut count, mut choice) = ([0u64; WORK / 32], 0, 0);
        while choice < choices {
            let (mut offset, mut rest) = (0, choice);
            i = 0;
            while i < pieces.list.len() {
                let Piece { extent, stride, .. } = pieces.as_slice()[i];
                if extent != 2 && stride != 0 {
                    offset ^= carryless(rest % extent as u64, stride as u64);
                    rest /= extent as u64;
                }
                i += 1;
            }
            let coset = free.coordinates(free.reduce(offset).0) as usize;
            count += (seen[coset / 64] >> (coset % 64) & 1 == 0) as u64;
            seen[coset / 64] |= 1 << (coset % 64);
            choice += 1;
        }
        Ok(count << free.rank == most + 1)
    }

    /// The greatest offset of an in-bounds coordinate.
    ///
    /// With power-of-two extents the offsets are a subspace, whose greatest element elimination gives. The numbers
    /// below another extent form one aligned block for each of its set bits, and each choice of blocks gives an affine
    /// subspace. `Undecided` if these are more than [`WORK`] and share bits.
    pub(crate) const fn xor_max_offset(&self) -> Result<i64, Error> {
        self.xor_max_from(0)
    }

    /// The smallest and the greatest `start ^ L(c)`.
    pub(crate) const fn xor_bounds(&self, start: i64) -> Result<(i64, i64), Error> {
        if start < 0 {
            let (least, most) = tri!(self.xor_bounds(!start));
            return Ok((!most, !least));
        }
        // The smallest value is the complement of the greatest complement.
        let least = if start == 0 { 0 } else { i64::MAX ^ tri!(self.xor_max_from(start ^ i64::MAX)) };
        Ok((least, tri!(self.xor_max_from(start))))
    }

    /// The bits that an offset may have.
    pub(crate) const fn xor_bits(&self) -> i64 {
        let (mut bits, mut i) = (0, 0);
        while i < self.leaves().len() {
            let Leaf { extent, stride } = self.leaves()[i];
            bits |= reach(extent, stride.numerator());
            i += 1;
        }
        bits as i64
    }

    /// The greatest `start ^ L(c)`.
    const fn xor_max_from(&self, start: i64) -> Result<i64, Error> {
        // Modes that share no bit are independent.
        if start == 0 && self.sums_are_xors().is_ok() {
            let (mut most, mut i) = (0, 0);
            while i < self.leaves().len() {
                let Leaf { extent, stride } = self.leaves()[i];
                most += (extent - 1) * stride.numerator();
                i += 1;
            }
            return Ok(most);
        }
        let mut subspaces = tri!(Subspaces::of(self, "the greatest offset of an XOR layout"));
        let mut most = 0;
        while let Some((span, base)) = subspaces.next() {
            let value = span.max(base ^ start as u64);
            if value > most {
                most = value;
            }
        }
        Ok(most as i64)
    }

    /// Whether a number is an offset of a layout with XOR strides.
    pub(crate) const fn xor_has_offset(&self, number: i64) -> Result<bool, Error> {
        if !self.xor_spans(number) {
            return Ok(false);
        }
        let mut subspaces = tri!(Subspaces::of(self, "an offset of an XOR layout"));
        while let Some((span, base)) = subspaces.next() {
            if span.reduce(base ^ number as u64).0 == 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The offsets of an XOR layout as affine subspaces: one for each choice of a block of every odd extent.
struct Subspaces {
    /// The span of the even parts of the extents.
    free: Span,
    odd: List<(i64, i64), MAX_LEAVES>,
    choice: usize,
    choices: usize,
}

impl Subspaces {
    /// `Undecided` if there are more than [`WORK`].
    const fn of(layout: &Layout, operation: &'static str) -> Result<Subspaces, Error> {
        let pieces = tri!(Pieces::of(layout));
        let mut subspaces = Subspaces { free: Span::new(), odd: List::new((1, 0)), choice: 0, choices: 1 };
        let mut i = 0;
        while i < pieces.list.len() {
            let Piece { extent, stride, .. } = pieces.as_slice()[i];
            if extent == 2 {
                subspaces.free.insert(stride as u64, 0);
            } else if stride != 0 {
                tri!(subspaces.odd.push((extent, stride), "odd extents"));
                subspaces.choices = subspaces.choices.saturating_mul(extent.count_ones() as usize);
            }
            i += 1;
        }
        if subspaces.choices > WORK {
            return Err(Error::Undecided { operation });
        }
        Ok(subspaces)
    }

    /// The next subspace, and one of the offsets in it.
    const fn next(&mut self) -> Option<(Span, u64)> {
        if self.choice == self.choices {
            return None;
        }
        let (mut span, mut base, mut rest, mut i) = (self.free, 0, self.choice, 0);
        while i < self.odd.len() {
            let (extent, stride) = self.odd.as_slice()[i];
            let blocks = extent.count_ones() as usize;
            let mut bits = extent as u64;
            let mut skip = rest % blocks;
            rest /= blocks;
            while skip > 0 {
                bits &= bits - 1;
                skip -= 1;
            }
            // The block of the lowest remaining bit: the bits above it are fixed, those below are free.
            base ^= carryless(bits & (bits - 1), stride as u64);
            let mut k = 0;
            while k < bits.trailing_zeros() {
                span.insert((stride as u64) << k, 0);
                k += 1;
            }
            i += 1;
        }
        self.choice += 1;
        Some((span, base))
    }
}

/// The carry-less product, for an offset of the layout, which fits.
const fn carryless(factor: u64, stride: u64) -> u64 {
    let (mut product, mut k) = (0, 0);
    while k < bit_length(factor) {
        if factor >> k & 1 == 1 {
            product ^= stride << k;
        }
        k += 1;
    }
    product
}

impl Layout {
    /// The number of offsets from 0 on whose bits neither the rest of a mode nor another mode changes.
    pub(crate) const fn free_bits(&self, mode: usize) -> Result<u64, Error> {
        let (mut others, mut i) = (1 << 62, 0);
        while i < self.rank() {
            let own = tri!(self.mode(i)).coalesce();
            let mut leaf = (i == mode) as usize;
            while leaf < own.leaves().len() {
                let Leaf { extent, stride } = own.leaves()[leaf];
                others |= reach(extent, stride.numerator());
                leaf += 1;
            }
            i += 1;
        }
        Ok(1 << others.trailing_zeros())
    }
}

#[cfg(test)]
mod tests {
    use crate::algebra::xor::random::{Layouts, random};
    use crate::layout;
    use crate::{Codomain, Layout};
    use std::collections::BTreeSet;
    use std::vec::Vec;

    const EXTENTS: &[i64] = &[1, 2, 2, 3, 4, 4, 5, 6, 7, 8, 12];

    fn offsets(layout: &Layout) -> Vec<i64> {
        (0..layout.size()).map(|c| layout.at(c)).collect()
    }

    #[test]
    fn coalesce_keeps_the_function_and_does_not_grow() {
        let mut random = random(2);
        for _ in 0..2000 {
            let layout = random.layout(4, EXTENTS, 16, true);
            let coalesced = layout.coalesce();
            assert_eq!(offsets(&layout), offsets(&coalesced), "{layout} {coalesced}");
            assert!(coalesced.leaves().len() <= layout.leaves().len());
            assert_eq!(coalesced.coalesce(), coalesced);
        }
        assert_eq!(layout!((4,(2,1)):(^1,(^4,^9))).coalesce(), layout!(8:^1));
        assert_eq!(layout!((2,2):(^3,^6)).coalesce(), layout!(4:^3));
        assert_eq!(layout!((1,1):(^7,^9)).coalesce(), layout!(1:0));
        assert_eq!(layout!((2,4,2):(^5,^10,^40)).coalesce(), layout!(16:^5));
        assert_eq!(layout!((2,3):(^1,^2)).coalesce(), layout!(6:^1));
    }

    #[test]
    fn equality_is_that_of_functions() {
        let mut random = random(3);
        let mut equal = 0;
        for round in 0..24_000 {
            let a = random.layout(3, &[1, 2, 3, 4, 6], 6, true);
            let b = random.layout(3, &[1, 2, 3, 4, 6], 6, round % 3 != 0);
            if a.codomain() == Codomain::Integer && b.codomain() == Codomain::Integer {
                continue;
            }
            let truth = a.size() == b.size() && offsets(&a) == offsets(&b);
            equal += usize::from(truth && a.size() > 2);
            assert_eq!(a.xor_equivalent(&b), truth, "{a} {b}");
            assert_eq!(b.xor_equivalent(&a), truth, "{b} {a}");
        }
        assert!(equal > 100, "{equal}");
    }

    #[test]
    fn images_are_what_enumeration_says() {
        let mut random = random(4);
        for _ in 0..3000 {
            let layout = random.layout(4, EXTENTS, 40, true);
            let all = offsets(&layout);
            let distinct: BTreeSet<_> = all.iter().copied().collect();
            let most = *distinct.last().unwrap();
            assert_eq!(layout.xor_is_injective(), Ok(distinct.len() == all.len()), "{layout}");
            assert_eq!(layout.xor_max_offset(), Ok(most), "{layout}");
            assert_eq!(layout.xor_is_surjective(), Ok(distinct.len() as i64 == most + 1), "{layout}");
        }
    }

    #[test]
    fn integer_forms_are_the_same_function() {
        let mut random = random(5);
        let mut found = 0;
        for _ in 0..3000 {
            let layout = random.layout(3, EXTENTS, 300, true);
            let Ok(integer) = layout.xor_to_integer() else { continue };
            found += 1;
            assert_eq!(integer.codomain(), Codomain::Integer);
            assert!(integer.refines(&layout.shape()));
            assert_eq!(offsets(&layout), offsets(&integer));
        }
        assert!(found > 400);
    }

    #[test]
    fn a_layout_with_the_sums_of_another_is_the_same_function() {
        assert_eq!(layout!((2,4):(1,2)).with_sums_of(&layout!(8:^1)), Ok(layout!((2,4):(^1,^2))));
        let mut random = random(6);
        let (mut found, mut refused) = (0, 0);
        for round in 0..3000 {
            let layout = random.layout(3, EXTENTS, 300, round % 2 == 0);
            let (other, sums) = match layout.codomain() {
                Codomain::Xor => (layout!(8:1), Codomain::Integer),
                _ => (layout!(8:^1), Codomain::Xor),
            };
            assert_eq!(layout.with_sums_of(&layout!(8:0)), Ok(layout));
            match layout.with_sums_of(&other) {
                Ok(same) => {
                    assert_eq!(offsets(&same), offsets(&layout), "{layout}");
                    assert!(
                        same.codomain() == sums || same == layout && layout.cosize() == Ok(1),
                        "{layout}"
                    );
                    found += 1;
                }
                Err(_) => {
                    let still = layout.leaves().iter().all(|leaf| leaf.stride.is_zero());
                    assert!(!still, "{layout}");
                    refused += 1;
                }
            }
        }
        assert!(found > 500 && refused > 500, "{found} {refused}");
    }

    #[test]
    fn the_largest_numbers_do_not_panic() {
        let mut random = random(12);
        let mut leaf = |xor: bool| {
            let extent = [1, 2, 3, 7, 1 << 20, (1 << 20) + 1, 1 << 61, i64::MAX][random.below(8) as usize];
            let stride = (random.below(1i64 << 31)) << random.below(33);
            let stride = if random.below(2) == 0 { stride } else { stride & stride.wrapping_neg() };
            let stride =
                if xor { crate::Stride::xor(stride).unwrap() } else { crate::Stride::integer(stride) };
            crate::HTuple::leaf(crate::Leaf { extent, stride })
        };
        let mut layout = |xor| Layout::new(crate::HTuple::tuple(&[leaf(xor), leaf(xor), leaf(xor)]).unwrap());
        let mut tried = 0;
        for round in 0..40_000 {
            let (Ok(a), Ok(b)) = (layout(round % 3 != 0), layout(round % 3 != 1)) else { continue };
            tried += 1;
            let _ = (a.coalesce(), a.xor_equivalent(&b), a.xor_composition(&b), a.to_bit_matrix());
            if a.codomain() == Codomain::Xor {
                let _ = (a.xor_right_inverse(), a.xor_left_inverse(), a.xor_inverse(), a.to_swizzle());
                let _ = (a.xor_max_offset(), a.xor_is_injective(), a.xor_is_surjective());
            }
        }
        assert!(tried > 500, "{tried}");
    }
}
