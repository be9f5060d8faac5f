//! Composition with XOR strides: `(A o B)(c) = A(B(c))` if `A`, `B` or both have them.
//!
//! `A` with XOR strides is linear over F2 in the bits of the mixed-radix digits of a coordinate. A result exists if
//! `B`'s steps set disjoint sets of those bits, so that sums of steps are XORs. Two sufficient criteria are tried:
//!
//! - *by digits*, for integer (or coordinate) `B`: each leaf `s:d` is divided out and kept as in the algebra of
//!   integers, the digits of all modes found add up to less than the extents, and the multiples of the digits share no
//!   bit. Any extents are allowed;
//! - *by bits*: all but the last extent of `A` are powers of two, so that digits are fields of bits and `A` is linear
//!   in the bits of the coordinate itself. Then a leaf of `B` only needs the columns `A(d 2^k)`. This is the product of
//!   F2 matrices, and the only method for `B` with XOR strides.
//!
//! If neither applies, for example because carries cancel, the offsets are listed and converted to a layout
//! ([`Table`]).
//!
//! `A` is evaluated on its extended domain: the last mode is never wrapped.

use super::bits::{SHARED, bit_length, carryless_scale_agrees, reach};
use super::pieces::{Pieces, Rule};
use super::radix::Radix;
use super::table::Table;
use crate::codomain::Codomain;
use crate::error::{Error, ok_or, tri};
use crate::int;
use crate::layout::{Layout, Leaf, Part};
use crate::stride::{Rational, Stride, Unit, each_term};
use crate::swizzle::Swizzle;
use crate::tiler::Tiler;
use crate::tuple::{HTuple, MAX_LEAVES};

/// The sum added to each digit so far.
struct Digits {
    sums: [i64; MAX_LEAVES],
    masks: [u64; MAX_LEAVES],
    first: [usize; MAX_LEAVES],
}

/// A map of integers that is linear over F2.
pub(super) enum Linear<'a> {
    Radix(&'a Radix),
    Swizzle(Swizzle),
}

impl Layout {
    /// `self o other` if one of them has XOR strides.
    pub(crate) const fn xor_composition(&self, other: &Layout) -> Result<Layout, Error> {
        match self.xor_composition_or_rule(other) {
            Err(error @ Error::ShapeDivisibility { .. }) => Err(self.with_steps_that_fit(other, error)),
            result => result,
        }
    }

    /// Corrects the error: the rule that divided a mode of `other` may name a wrong number of steps, or a mode that
    /// does fit by itself.
    #[cold]
    const fn with_steps_that_fit(&self, other: &Layout, error: Error) -> Error {
        let Error::ShapeDivisibility { leaf, extent, stride, steps } = error else { return error };
        if self.fits(other, leaf, extent) {
            let reason = "modes of the right layout that fit alone do not add up";
            return Error::NotXorLinear { reason };
        }
        let (mut fit, mut unfit) = if self.fits(other, leaf, steps) { (steps, extent) } else { (1, steps) };
        let mut middle = fit + 1;
        while fit + 1 < unfit {
            if self.fits(other, leaf, middle) {
                fit = middle;
            } else {
                unfit = middle;
            }
            middle = fit + (unfit - fit) / 2;
        }
        Error::ShapeDivisibility { leaf, extent, stride, steps: fit }
    }

    /// Whether a leaf of `other` with this extent has a composition.
    const fn fits(&self, other: &Layout, leaf: usize, extent: i64) -> bool {
        match Layout::new(HTuple::leaf(Leaf { extent, ..other.leaves()[leaf] })) {
            Ok(alone) => self.xor_composition_or_rule(&alone).is_ok(),
            Err(_) => false,
        }
    }

    /// `self o other`, or the rule that it violates.
    const fn xor_composition_or_rule(&self, other: &Layout) -> Result<Layout, Error> {
        let other = &tri!(other.without_still_strides());
        if !self.codomain().same(Codomain::Xor) && !other.codomain().same(Codomain::Xor) {
            return self.composition(other);
        }
        let error = match self.xor_composition_by_rule(other) {
            Ok(result) => return Ok(result),
            Err(error) => error,
        };
        let (Error::ShapeDivisibility { .. }
        | Error::Carry { .. }
        | Error::CarrylessScale { .. }
        | Error::NegativeStride { .. }
        | Error::NotBasis { .. }
        | Error::NotXorLinear { .. }) = error
        else {
            return Err(error);
        };
        let Some(mut table) = Table::new(other.size()) else {
            return Err(Error::Undecided { operation: "composition with XOR strides" });
        };
        if !matches!(self.codomain(), Codomain::Integer | Codomain::Xor) {
            return ok_or(tri!(self.composition_by_component(other)), error);
        }
        tri!(self.tabulate(other, &mut table));
        ok_or(tri!(table.refine(other.as_tuple())), error)
    }

    /// `self o other` if this layout has fractions or coordinates as offsets and the other one integers: each component
    /// is listed separately, with a common denominator.
    const fn composition_by_component(&self, other: &Layout) -> Result<Option<Layout>, Error> {
        let flat = HTuple::leaf(Leaf::new(other.size(), 0));
        let (mut sum, mut i) = (tri!(Layout::new(flat)), 0);
        while i < self.leaves().len() {
            each_term!(self.leaves()[i].stride, |term| {
                let (unit, mut first) = (term.unit(), 0);
                // Extents of 1 count too: the last mode is unbounded.
                while self.leaves()[first].stride.coefficient(unit).numerator() == 0 {
                    first += 1;
                }
                if first == i {
                    let (counts, parts) = tri!(self.in_parts(unit));
                    let Some(mut table) = Table::new(other.size()) else { return Ok(None) };
                    tri!(counts.tabulate(other, &mut table));
                    if unit.is_one() && table.divide(parts) {
                        return table.refine(other.as_tuple());
                    }
                    let Some(part) = tri!(table.refine_in(&flat, Codomain::Integer)) else { return Ok(None) };
                    let Ok(next) = sum.layout_add(&tri!(part.of_parts(parts, unit))) else {
                        return Ok(None);
                    };
                    sum = next;
                }
            });
            i += 1;
        }
        match sum.composition(&tri!(Layout::const_column_major(&other.shape()))) {
            Ok(result) => Ok(Some(result)),
            Err(_) => Ok(None),
        }
    }

    /// The multiples of `unit` in this layout, as integers over the returned denominator.
    const fn in_parts(&self, unit: Unit) -> Result<(Layout, i64), Error> {
        let mut counts = *tri!(self.along(unit)).as_tuple();
        let (mut parts, mut i) = (1, 0);
        while i < counts.leaves().len() {
            let own = counts.leaves()[i].stride.denominator();
            parts = tri!(int::mul(parts, own / int::gcd(parts as u64, own as u64) as i64));
            i += 1;
        }
        i = 0;
        while i < counts.leaves().len() {
            counts.leaves_mut()[i].stride = tri!(counts.leaves()[i].stride.scale(parts));
            i += 1;
        }
        Ok((tri!(Layout::new(counts)), parts))
    }

    /// The strides, which are integers, as multiples of `1 / parts` of a unit.
    const fn of_parts(&self, parts: i64, unit: Unit) -> Result<Layout, Error> {
        let (mut tuple, mut i) = (*self.as_tuple(), 0);
        while i < tuple.leaves().len() {
            let count = tri!(Rational::new(tuple.leaves()[i].stride.numerator(), parts));
            tuple.leaves_mut()[i].stride = tri!(Stride::new(count, unit));
            i += 1;
        }
        Layout::new(tuple)
    }

    /// Whether modes that were found one by one have strides of another kind than this layout: their offsets are
    /// combined as in this layout, not as the strides say.
    #[inline]
    pub(crate) const fn is_sum_of_modes(&self, tiler: &Tiler, result: &Result<Layout, Error>) -> bool {
        let differs = match result {
            Ok(result) => !result.codomain().same(self.codomain()),
            Err(error) => matches!(error, Error::MixedCodomain { .. }),
        };
        differs && tiler.is_by_mode() && matches!(self.codomain(), Codomain::Integer | Codomain::Xor)
    }

    /// The layout that is the sum of these modes, with offsets combined as in this layout.
    #[cold]
    pub(crate) const fn xor_sum_of_modes(
        &self,
        modes: &HTuple<Leaf>,
        tiler: &Tiler,
    ) -> Result<Layout, Error> {
        let (mut size, mut moves, mut i) = (1, false, 0);
        while i < modes.leaves().len() {
            size = tri!(int::mul(size, modes.leaves()[i].extent));
            moves |= !modes.leaves()[i].stride.is_zero();
            i += 1;
        }
        if !moves {
            return Layout::new(*modes);
        }
        let Some(mut table) = Table::new(size) else {
            return Err(Error::Undecided { operation: "a composition by mode with XOR strides" });
        };
        let (tile, whole) = (Part::whole(tiler.as_tuple()), Part::whole(modes));
        tri!(self.add_modes(tiler, tile, whole, 1, &mut table));
        match tri!(table.refine(modes)) {
            Some(result) => Ok(result),
            None => {
                Err(Error::NotXorLinear { reason: "the offsets of several modes do not add up to a layout" })
            }
        }
    }

    /// Adds the offsets of `mode`, which steps once every `index` coordinates, and results from `tile`.
    const fn add_modes(
        &self,
        tiler: &Tiler,
        tile: Part,
        mode: Part,
        index: i64,
        table: &mut Table,
    ) -> Result<(), Error> {
        if !tiler.is_by_mode_at(tile.node) {
            return self.add_mode(mode, index, table);
        }
        let (mut index, mut i) = (index, 0);
        while i < mode.rank() {
            let part = tri!(mode.mode(i));
            tri!(if i < tile.rank() {
                self.add_modes(tiler, tri!(tile.mode(i)), part, index, table)
            } else {
                self.add_mode(part, index, table)
            });
            index *= part.size();
            i += 1;
        }
        Ok(())
    }

    const fn add_mode(&self, mode: Part, index: i64, table: &mut Table) -> Result<(), Error> {
        let radix = tri!(Radix::new(&tri!(mode.to_layout()), i64::MAX));
        let (size, mut c) = (mode.size(), 0);
        while c < table.len {
            let own = tri!(radix.at(c as i64 / index % size));
            table.offsets[c] = tri!(self.codomain().sum(table.offsets[c], own));
            c += 1;
        }
        Ok(())
    }

    const fn xor_composition_by_rule(&self, other: &Layout) -> Result<Layout, Error> {
        if self.has_sums() || other.has_sums() {
            let reason = "steps along several components do not add up to a layout";
            return Err(Error::NotXorLinear { reason });
        }
        if !other.codomain().same(Codomain::Xor) {
            return self.xor_of_integers(other);
        }
        let error = match self.linear_of_xor(other) {
            Ok(result) => return Ok(result),
            Err(error) => error,
        };
        // Without shared bits `other` is an integer layout, and this layout need not be linear.
        match other.xor_to_integer() {
            Ok(integer) => self.composition(&integer),
            Err(_) => Err(error),
        }
    }

    /// The offsets `self(other(c))`: for each unit, those of the modes that it addresses.
    const fn tabulate(&self, other: &Layout, table: &mut Table) -> Result<(), Error> {
        let mut i = 0;
        while i < other.leaves().len() {
            let Leaf { extent, stride } = other.leaves()[i];
            each_term!(stride, |term| {
                let unit = term.unit();
                if extent > 1 && other.is_first_along(i, unit) {
                    let (path, level) = unit.path();
                    let part = tri!(self.addressed(path.split_at(level).0));
                    let inner = tri!(Radix::new(&tri!(other.along(unit)), i64::MAX));
                    let outer = tri!(Radix::new(&part, i64::MAX));
                    let mut c = 0;
                    while c < table.len {
                        let offset = tri!(outer.at(tri!(inner.at(c as i64))));
                        table.offsets[c] = tri!(self.codomain().sum(table.offsets[c], offset));
                        c += 1;
                    }
                }
            });
            i += 1;
        }
        Ok(())
    }

    /// `other` has integers or coordinates as offsets, and `self` has XOR strides.
    const fn xor_of_integers(&self, other: &Layout) -> Result<Layout, Error> {
        let mut pieces = Pieces::new();
        let mut done = [false; MAX_LEAVES];
        let mut i = 0;
        while i < other.leaves().len() {
            let Leaf { extent, stride } = other.leaves()[i];
            if !done[i] && extent > 1 && !stride.is_zero() {
                // All leaves that address the same modes are processed together, because their steps add up.
                let unit = stride.unit();
                let (path, level) = unit.path();
                let part = tri!(self.addressed(path.split_at(level).0));
                tri!(part.follow_all(other, unit, &mut pieces));
                let mut j = i;
                while j < other.leaves().len() {
                    done[j] = done[j] || other.leaves()[j].stride.unit().same(unit);
                    j += 1;
                }
            }
            i += 1;
        }
        other.rebuild(&pieces, Rule::Xor)
    }

    /// Appends the modes for all leaves of `other` with this unit.
    const fn follow_all(&self, other: &Layout, unit: Unit, pieces: &mut Pieces) -> Result<(), Error> {
        let (mut most, mut i) = (0, 0);
        while i < other.leaves().len() {
            let Leaf { extent, stride } = other.leaves()[i];
            if extent > 1 && stride.unit().same(unit) {
                let step = stride.numerator();
                if stride.denominator() != 1 {
                    let (numerator, denominator) = (step, stride.denominator());
                    return Err(Error::NotIntegral { operation: "a coordinate", numerator, denominator });
                }
                if step < 0 {
                    return Err(Error::NegativeStride {
                        operation: "composition with an XOR layout",
                        stride: step,
                    });
                }
                most = tri!(int::add(most, tri!(int::mul(extent - 1, step))));
            }
            i += 1;
        }
        let radix = tri!(Radix::new(self, most));
        let before = *pieces;
        let error = match radix.by_digits(other, unit, pieces) {
            Ok(()) => return Ok(()),
            Err(error) => error,
        };
        *pieces = before;
        match radix.by_bits(other, unit, pieces) {
            Ok(()) => Ok(()),
            Err(_) => Err(error),
        }
    }

    /// `other` has XOR strides, and `self` is linear over F2 on its offsets.
    const fn linear_of_xor(&self, other: &Layout) -> Result<Layout, Error> {
        match self.codomain() {
            Codomain::Integer | Codomain::Xor => {}
            _ => {
                let reason = "the left layout gives fractions or coordinates, and these add up without XOR";
                return Err(Error::NotXorLinear { reason });
            }
        }
        let (mut reached, mut i) = (0, 0);
        while i < other.leaves().len() {
            reached |= reach(other.leaves()[i].extent, other.leaves()[i].stride.numerator());
            i += 1;
        }
        let radix = tri!(Radix::new(self, reached as i64));
        tri!(radix.check_linear(reached));
        let mut pieces = Pieces::new();
        tri!(Linear::Radix(&radix).follow_all(other, Unit::XOR, &mut pieces));
        other.rebuild(&pieces, Rule::Xor)
    }
}

impl Radix {
    /// Checks that this is linear over F2 in the bits `reached` of the coordinate.
    const fn check_linear(&self, reached: u64) -> Result<(), Error> {
        let mut r = 0;
        while r < self.len {
            if r + 1 < self.len && !(self.extents[r] as u64).is_power_of_two() {
                let reason = "an extent of the left layout is not a power of two";
                return Err(Error::NotXorLinear { reason });
            }
            if self.strides[r] < 0 {
                return Err(Error::NotXorLinear { reason: "a stride of the left layout is negative" });
            }
            r += 1;
        }
        let (mut seen, mut open) = (0, if self.xor { 0 } else { reached });
        while open != 0 {
            let column = tri!(self.at(1 << open.trailing_zeros())) as u64;
            if seen & column != 0 {
                return Err(Error::NotXorLinear { reason: SHARED });
            }
            seen |= column;
            open &= open - 1;
        }
        Ok(())
    }

    /// The first criterion of this file's head.
    const fn by_digits(&self, other: &Layout, unit: Unit, pieces: &mut Pieces) -> Result<(), Error> {
        let mut digits =
            Digits { sums: [0; MAX_LEAVES], masks: [0; MAX_LEAVES], first: [usize::MAX; MAX_LEAVES] };
        let mut i = 0;
        while i < other.leaves().len() {
            let leaf = other.leaves()[i];
            if leaf.extent > 1 && !leaf.stride.is_zero() && leaf.stride.unit().same(unit) {
                tri!(self.divide_out(leaf, i, &mut digits, pieces));
            }
            i += 1;
        }
        Ok(())
    }

    /// Appends the modes of `c -> A(d c)` for one leaf `s:d`.
    const fn divide_out(
        &self,
        leaf: Leaf,
        number: usize,
        total: &mut Digits,
        pieces: &mut Pieces,
    ) -> Result<(), Error> {
        let (mut rest, mut step) = (leaf.extent, leaf.stride.numerator());
        loop {
            let digits = self.digits(step);
            let (mut first_break, mut r) = (rest, 0);
            while r + 1 < self.len {
                if digits[r] != 0 {
                    let passes = (self.extents[r] - 1) / digits[r] + 1;
                    if passes < first_break {
                        first_break = passes;
                    }
                }
                r += 1;
            }
            if rest % first_break != 0 {
                let (extent, stride) = (leaf.extent, leaf.stride.numerator());
                return Err(Error::ShapeDivisibility {
                    leaf: number,
                    extent,
                    stride,
                    steps: extent / rest * first_break,
                });
            }
            tri!(self.take_part(&digits, first_break, number, total));
            tri!(pieces.push(first_break, tri!(self.at(step)), number));
            rest /= first_break;
            if rest == 1 {
                return Ok(());
            }
            step = tri!(int::mul(step, first_break));
        }
    }

    /// Adds the multiples of `digits` below `count` to the sums of the digits.
    const fn take_part(
        &self,
        digits: &[i64; MAX_LEAVES],
        count: i64,
        number: usize,
        total: &mut Digits,
    ) -> Result<(), Error> {
        let (mut r, mut boundary) = (0, 1);
        while r < self.len {
            boundary = if r + 1 < self.len { boundary * self.extents[r] } else { i64::MAX };
            if digits[r] == 0 {
                r += 1;
                continue;
            }
            if total.first[r] == usize::MAX {
                total.first[r] = number;
            }
            let sum = total.sums[r] as i128 + digits[r] as i128 * (count - 1) as i128;
            // The last digit never carries, and is at most the greatest coordinate.
            if r + 1 < self.len && sum >= self.extents[r] as i128 {
                return Err(Error::Carry { boundary, first: total.first[r], last: number });
            }
            total.sums[r] = sum as i64;
            if self.strides[r] != 0 {
                if !carryless_scale_agrees(count, digits[r]) {
                    let reason = "multiples of a stride of the right layout carry";
                    return Err(Error::NotXorLinear { reason });
                }
                let mask = reach(count, digits[r]);
                if total.masks[r] & mask != 0 {
                    let reason = "two modes of the right layout step in the same bit of a coordinate";
                    return Err(Error::NotXorLinear { reason });
                }
                total.masks[r] |= mask;
            }
            r += 1;
        }
        Ok(())
    }

    /// The second criterion of this file's head.
    const fn by_bits(&self, other: &Layout, unit: Unit, pieces: &mut Pieces) -> Result<(), Error> {
        let (mut reached, mut i) = (0, 0);
        while i < other.leaves().len() {
            let Leaf { extent, stride } = other.leaves()[i];
            if stride.unit().same(unit) {
                if !carryless_scale_agrees(extent, stride.numerator()) {
                    return Err(Error::CarrylessScale { extent, stride: stride.numerator() });
                }
                let mask = reach(extent, stride.numerator());
                if reached & mask != 0 {
                    return Err(Error::NotXorLinear { reason: SHARED });
                }
                reached |= mask;
            }
            i += 1;
        }
        tri!(self.check_linear(reached));
        Linear::Radix(self).follow_all(other, unit, pieces)
    }
}

impl Linear<'_> {
    const fn at(&self, x: i64) -> Result<i64, Error> {
        match *self {
            Linear::Radix(radix) => radix.at(x),
            Linear::Swizzle(swizzle) => swizzle.apply(x),
        }
    }

    /// Appends the modes for all leaves of `layout` with this unit, whose multiples are carry-less.
    pub const fn follow_all(&self, layout: &Layout, unit: Unit, pieces: &mut Pieces) -> Result<(), Error> {
        let mut i = 0;
        while i < layout.leaves().len() {
            let leaf = layout.leaves()[i];
            if leaf.extent > 1 && !leaf.stride.is_zero() && leaf.stride.unit().same(unit) {
                tri!(self.follow(leaf, i, pieces));
            }
            i += 1;
        }
        Ok(())
    }

    /// Appends the modes of `c -> A(d c)` for one leaf `s:d`: the columns, and an odd mode for the rest of the extent,
    /// if it has to continue the last column.
    const fn follow(&self, leaf: Leaf, number: usize, pieces: &mut Pieces) -> Result<(), Error> {
        let (extent, stride) = (leaf.extent, leaf.stride.numerator());
        let twos = extent.trailing_zeros();
        let mut k = 0;
        while k < twos {
            tri!(pieces.push(2, tri!(self.at(stride << k)), number));
            k += 1;
        }
        let odd = extent >> twos;
        if odd == 1 {
            return Ok(());
        }
        let column = tri!(self.at(stride << twos));
        k = 1;
        while k < bit_length(odd as u64 - 1) {
            let next = tri!(self.at(stride << (twos + k)));
            if !matches!(int::carryless_mul(1 << k, column), Ok(doubled) if doubled == next) {
                return Err(Error::ShapeDivisibility {
                    leaf: number,
                    extent,
                    stride,
                    steps: 1 << (twos + k),
                });
            }
            k += 1;
        }
        pieces.push(odd, column, number)
    }
}

#[cfg(test)]
mod tests {
    use crate::layout;
    use crate::{Error, Layout};

    fn check(a: &Layout, b: &Layout) -> Result<Layout, Error> {
        let r = a.xor_composition(b)?;
        assert!(r.refines(&b.shape()), "{a} o {b} = {r}");
        for c in 0..b.size() {
            assert_eq!(r.at(c), a.at(b.at(c)), "{a} o {b} = {r} at {c}");
        }
        Ok(r)
    }

    #[test]
    fn the_row_of_table_4() {
        const A: Layout = layout!((8, 8):(^1, ^9));
        const B: Layout = layout!(((4, 8), 2):((16, 1), 8));
        const R: Result<Layout, Error> = A.composition(&B);
        assert_eq!(R, Ok(layout!(((4,8),2):((^18,^1),^9))));
        assert_eq!(check(&A, &B), R);
    }

    #[test]
    fn worked_examples() {
        // The trailing extent of 1 is significant.
        assert_eq!(check(&layout!((4,1):(^1,^100)), &layout!(8:1)), Ok(layout!((4,2):(^1,^100))));
        // Extents that are not powers of two.
        assert_eq!(check(&layout!((3,4):(^1,^4)), &layout!(12:1)), Ok(layout!((3,4):(^1,^4))));
        assert_eq!(check(&layout!((8,8):(^1,^9)), &layout!(3:8)), Ok(layout!(3:^9)));
        assert_eq!(check(&layout!((8,4):(0,^1)), &layout!(6:3)), Ok(layout!((3,2):(0,^1))));
        // Modes merge where they double.
        assert_eq!(check(&layout!((4,4):(^1,^4)), &layout!(5:1)), Ok(layout!(5:^1)));
        // A step that changes both of its digits at once, so that the changes cancel.
        assert_eq!(check(&layout!((8,8,8):(^1,^9,^73)), &layout!(3:36)), Ok(layout!(3:^32)));
        // XOR on the right, integers on the left.
        assert_eq!(check(&layout!(8:2), &layout!((4,4):(^1,^5))), Ok(layout!((4,4):(^2,^10))));
        assert_eq!(check(&layout!(2:3), &layout!((2,2):(^1,^1))), Ok(layout!((2,2):(^3,^3))));
        // A left layout that is not linear, with a right one that is an integer layout nevertheless.
        assert_eq!(check(&layout!((2,4):(1,1)), &layout!(2:^3)), Ok(layout!(2:2)));
        // Carry-less multiples that are not integer multiples.
        assert_eq!(check(&layout!(8:^1), &layout!(4:^3)), Ok(layout!(4:^3)));
        assert_eq!(check(&layout!(4:^3), &layout!(4:1)), Ok(layout!(4:^3)));
    }

    #[test]
    fn fractions_and_coordinates_on_the_left() {
        let compose = |a: Layout, b: Layout| a.composition(&b);
        assert_eq!(compose(layout!((1,1):(1@1,0)), layout!(4:^11)), Ok(layout!(4:0)));
        // 0 3 6 5 are valid as numbers and as bits.
        assert_eq!(compose(layout!(1:1/2), layout!(4:^6)), Ok(layout!(4:^3)));
        assert_eq!(
            compose(layout!(8:1/2), layout!(4:^3)),
            Err(Error::NotXorLinear {
                reason: "the left layout gives fractions or coordinates, and these add up without XOR"
            })
        );
        assert_eq!(compose(layout!((2,1):(-1,0)), layout!(4:^3)), Ok(layout!((2,2):(-1,0))));
        assert_eq!(compose(layout!((2,2,1):(1@0,1@1,0)), layout!(4:^5)), Ok(layout!((2,2):(1@0,1@1))));
    }

    #[test]
    fn coordinates_go_to_their_modes() {
        let a = layout!((8,8):(^1,^9));
        assert_eq!(a.xor_composition(&layout!((8,8):(1@1,1@0))), Ok(layout!((8,8):(^9,^1))));
        let data = layout!(((2,4),8):((^1,^2),^9));
        let b = layout!((2,(4,2)):(4@1,(1@1,2@0)));
        let r = data.xor_composition(&b).unwrap();
        for c in 0..b.size() {
            let c = crate::HTuple::leaf(c);
            let mut coord = crate::HTuple::builder(0);
            coord.open(2).unwrap();
            for part in b.evaluate(&c).unwrap().leaves() {
                coord.push(part.numerator()).unwrap();
            }
            assert_eq!(r.evaluate(&c), data.evaluate(&coord));
        }
        assert!(matches!(a.xor_composition(&layout!(2:1@2)), Err(Error::Index { .. })));
    }

    #[test]
    fn refusals() {
        let a = layout!((8,8):(^1,^9));
        let refused = |b: Layout| a.xor_composition(&b).unwrap_err().code();
        assert_eq!(refused(layout!(4:3)), "shape-divisibility");
        assert_eq!(refused(layout!((2,2):(4,6))), "carry");
        assert_eq!(refused(layout!((2,2):(9,10))), "not-xor-linear");
        assert_eq!(refused(layout!(2:-1)), "negative-stride");
        assert_eq!(refused(layout!(2:1/2)), "not-integral");
    }
}
