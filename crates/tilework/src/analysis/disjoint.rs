//! Whether two layouts with offsets have an offset in common.
//!
//! `{a} o A` and `{b} o B` have one if `a + A(x) = b + B(y)`, that is, if `b - a` is an offset of `(x,y) -> A(x) -
//! B(y)`. With every coordinate counted from the end at which its mode is smallest, that is a sum of multiples `c s`,
//! `0 <= c <= n`, of positive strides. Modes whose multiples fill each other's gaps are merged. The rest is a search
//! from the largest stride down, in which the remainder has to be in reach of the smaller modes and a multiple of their
//! common divisor: two modes are decided directly, as are modes that each reach no further than the next stride.
//!
//! XOR layouts have one if `a ^ b` is an offset of their concatenation. In other cases the offsets are enumerated.

use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf, Offset, View};
use crate::list::{List, sort_by};
use crate::stride::{Component, Components, Rational, Stride};
use crate::swizzle::Composed;
use crate::tuple::{HTuple, MAX_LEAVES};

const OPERATION: &str = "is_disjoint";
const UNDECIDED: Error = Error::Undecided { operation: OPERATION };
const COORDINATES: Error = Error::Codomain { operation: OPERATION, found: Codomain::Coordinate };

/// The most partial sums, or offsets, that are examined.
pub(super) const BUDGET: usize = 100_000;

impl View {
    /// Whether no offset of this layout is one of the other: a write through one does not change a read through the
    /// other.
    ///
    /// ```
    /// use tilework::View;
    /// // The even and the odd columns of one array.
    /// let (even, odd): (View, View) = ("{0} o (4,8):(16,2)".parse()?, "{1} o (4,8):(16,2)".parse()?);
    /// assert!(even.is_disjoint(&odd)?);
    /// assert!(!even.is_disjoint(&"{1} o (4,8):(16,1)".parse()?)?);
    /// // A diagonal, and what is above it.
    /// let diagonal: View = "{(0,0)} o 4:(1@0+1@1)".parse()?;
    /// assert!(diagonal.is_disjoint(&"{(0,1)} o 3:(1@0+1@1)".parse()?)?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MixedCodomain`] for numbers and coordinates, [`Error::NotIntegral`] for fractions of coordinates;
    /// [`Error::Undecided`] beyond 100,000 steps of a search, and for XOR
    /// strides beyond 1,024 pieces; [`Error::Capacity`] if two XOR layouts have more than 32 leaves together;
    /// [`Error::Overflow`] for fractions whose common denominator is too large.
    pub const fn is_disjoint(&self, other: &View) -> Result<bool, Error> {
        let mut work = BUDGET;
        if self.has_coordinates() || other.has_coordinates() {
            let (one, two) = tri!(self.packed_with(other));
            return one.is_disjoint(&two);
        }
        let (a, b) = (tri!(number(self.offset())), tri!(number(other.offset())));
        match (self.layout().codomain(), other.layout().codomain()) {
            (Codomain::Xor, _) | (_, Codomain::Xor) => match (as_xor(self), as_xor(other)) {
                (Some((start, layout)), Some((end, end_layout))) => {
                    Ok(!tri!(tri!(Layout::concatenate(&[layout, end_layout])).xor_has_offset(start ^ end)))
                }
                _ => apart(&Offsets::View(*self), &Offsets::View(*other), &mut work),
            },
            _ => Ok(!tri!(meet((a, self.layout()), (b, other.layout()), &mut work))),
        }
    }

    pub(super) const fn has_coordinates(&self) -> bool {
        !self.offset().is_leaf() || self.layout().codomain().same(Codomain::Coordinate)
    }

    /// Both with a number for each coordinate: the same one only for the same coordinate.
    pub(super) const fn packed_with(&self, other: &View) -> Result<(View, View), Error> {
        let views = [self, other];
        let (modes, mut ends) = ([*self.layout(), *other.layout()], [0; 3]);
        let mut all = *tri!(Layout::concatenate(&modes)).as_tuple();
        let mut side = 0;
        // A start is one step of modes of its own.
        while side < 2 {
            ends[side] = all.leaves().len();
            let (offset, mut k) = (views[side].offset(), 0);
            let mut components = Components::new(offset.profile());
            while let Some(component) = tri!(components.next()) {
                if let Component::Leaf(unit) = component {
                    if offset.leaves()[k].numerator() != 0 {
                        let stride = tri!(Stride::new(offset.leaves()[k], unit));
                        all = tri!(all.append(&HTuple::leaf(Leaf { extent: 2, stride })));
                    }
                    k += 1;
                }
            }
            side += 1;
        }
        ends[2] = all.leaves().len();
        let packed = tri!(tri!(Layout::new(all)).packed());
        let (mut out, mut from) = ([*self, *other], 0);
        side = 0;
        while side < 2 {
            let (mut tuple, mut i, mut start) = (*modes[side].as_tuple(), 0, 0);
            while i < tuple.leaves().len() {
                tuple.leaves_mut()[i].stride = packed.leaves()[from].stride;
                (i, from) = (i + 1, from + 1);
            }
            i = ends[side];
            while i < ends[side + 1] {
                start = tri!(int::add(start, packed.leaves()[i].stride.numerator()));
                i += 1;
            }
            out[side] = tri!(View::new(HTuple::leaf(Rational::integer(start)), tri!(Layout::new(tuple))));
            side += 1;
        }
        Ok((out[0], out[1]))
    }
}

impl Composed {
    /// Whether no swizzled offset of this layout is one of the other.
    ///
    /// ```
    /// use tilework::Composed;
    /// let tile = |offset: i64| format!("Sw<3,0,3> o {offset} o (8,4):(8,1)").parse::<Composed>();
    /// assert!(tile(0)?.is_disjoint(&tile(4)?)?);
    /// assert!(!tile(0)?.is_disjoint(&tile(2)?)?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`View::is_disjoint`]; [`Error::Undecided`] beyond 100,000 coordinates if neither swizzle is a layout
    /// with an offset ([`to_view`](Self::to_view)).
    pub const fn is_disjoint(&self, other: &Composed) -> Result<bool, Error> {
        let (view, end) = (tri!(self.unswizzled()), tri!(other.unswizzled()));
        let (own, theirs) = (self.swizzle(), other.swizzle());
        if own.source_mask() == theirs.source_mask() && own.target_mask() == theirs.target_mask() {
            // A swizzle is injective.
            return view.is_disjoint(&end);
        }
        match other.to_view() {
            Ok(view) => self.is_disjoint_from(&view),
            Err(_) => apart(&Offsets::Swizzled(*self), &Offsets::Swizzled(*other), &mut { BUDGET }),
        }
    }

    /// [`is_disjoint`](Self::is_disjoint) for a layout with an offset.
    ///
    /// ```
    /// use tilework::{Composed, View};
    /// let (tile, row): (Composed, View) = ("Sw<1,0,1> o 0 o 2:2".parse()?, "{1} o 2:1".parse()?);
    /// assert!(tile.is_disjoint(&"Sw<1,0,1> o 0 o 2:2".parse()?).is_ok_and(|disjoint| !disjoint)); // 0, 3
    /// assert!(tile.is_disjoint_from(&row)?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`is_disjoint`](Self::is_disjoint).
    pub const fn is_disjoint_from(&self, other: &View) -> Result<bool, Error> {
        tri!(self.unswizzled());
        if other.layout().codomain().same(Codomain::Coordinate) {
            return Err(COORDINATES);
        }
        match self.to_view() {
            Ok(view) => view.is_disjoint(other),
            Err(_) => apart(&Offsets::Swizzled(*self), &Offsets::View(*other), &mut { BUDGET }),
        }
    }

    /// The argument of the swizzle.
    pub(super) const fn unswizzled(&self) -> Result<View, Error> {
        let view = tri!(View::new(HTuple::leaf(Rational::integer(self.offset())), *self.layout()));
        if view.layout().codomain().same(Codomain::Integer) {
            // A swizzle is not defined for negative offsets.
            tri!(self.swizzle().apply(tri!(view.bounds()).0));
        }
        Ok(view)
    }
}

/// The offsets of a layout that may have an offset or be swizzled.
#[allow(clippy::large_enum_variant)] // There is no heap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offsets {
    /// Those of a layout with an offset.
    View(View),
    /// Those of a swizzled layout.
    Swizzled(Composed),
}

impl Offsets {
    /// [`View::is_disjoint`] and [`Composed::is_disjoint`], whatever the two are.
    ///
    /// ```
    /// use tilework::Offsets;
    /// let tile = Offsets::Swizzled("Sw<1,0,1> o 0 o 2:2".parse()?);
    /// assert!(tile.is_disjoint(&Offsets::View("{1} o 2:1".parse()?))?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Composed::is_disjoint`].
    pub const fn is_disjoint(&self, other: &Offsets) -> Result<bool, Error> {
        match (self, other) {
            (Offsets::View(own), Offsets::View(other)) => own.is_disjoint(other),
            (Offsets::Swizzled(own), Offsets::Swizzled(other)) => own.is_disjoint(other),
            (Offsets::Swizzled(composed), Offsets::View(view))
            | (Offsets::View(view), Offsets::Swizzled(composed)) => composed.is_disjoint_from(view),
        }
    }

    /// The smallest and the largest: [`View::bounds`] or [`Composed::bounds`].
    ///
    /// ```
    /// use tilework::Offsets;
    /// assert_eq!(Offsets::View("{8} o (8,2):(1,-8)".parse()?).bounds()?, (0, 15));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// As those of the two.
    pub const fn bounds(&self) -> Result<(i64, i64), Error> {
        match self {
            Offsets::View(view) => view.bounds(),
            Offsets::Swizzled(composed) => composed.bounds(),
        }
    }

    /// Whether a common divisor of all strides does not divide the distance of the starts, for integers.
    pub(super) const fn in_another_class(&self, other: &Offsets) -> bool {
        let (Offsets::View(own), Offsets::View(theirs)) = (self, other) else { return false };
        let leaves = [own.layout().leaves(), theirs.layout().leaves()];
        let (mut divisor, mut i) = (0, 0);
        while i < leaves[0].len() + leaves[1].len() {
            let Leaf { extent, stride } = leaf(leaves, i);
            if !stride.is_plain() || stride.denominator() != 1 {
                return false;
            }
            divisor = if extent > 1 { int::gcd(divisor, stride.numerator().unsigned_abs()) } else { divisor };
            i += 1;
        }
        match (integer(own.offset()), integer(theirs.offset())) {
            (Some(a), Some(b)) => divisor > 0 && (a as i128 - b as i128) % divisor as i128 != 0,
            _ => false,
        }
    }

    pub(super) const fn layout(&self) -> &Layout {
        match self {
            Offsets::View(view) => view.layout(),
            Offsets::Swizzled(composed) => composed.layout(),
        }
    }

    /// The offsets at the coordinates of `layout`, after those of `start` steps of `stride`.
    pub(super) const fn part(&self, layout: Layout, stride: Stride, start: i64) -> Result<Offsets, Error> {
        let (step, codomain) = (tri!(stride.scale(start)).count(), layout.codomain());
        match self {
            Offsets::View(view) => {
                let offset = tri!(number(view.offset()));
                let offset = if codomain.same(Codomain::Xor) {
                    Rational::integer(offset.numerator() ^ step.numerator())
                } else {
                    tri!(offset.add(step))
                };
                Ok(Offsets::View(tri!(View::new(HTuple::leaf(offset), layout))))
            }
            Offsets::Swizzled(composed) => {
                let offset = tri!(codomain.sum(composed.offset(), step.numerator()));
                Ok(Offsets::Swizzled(tri!(Composed::new(composed.swizzle(), offset, layout))))
            }
        }
    }

    /// The offset of an index; none if it is not an integer.
    pub(super) const fn at(&self, index: i64) -> Result<Option<i64>, Error> {
        match self {
            Offsets::View(view) => Ok(integer(&tri!(view.const_evaluate(&HTuple::leaf(index))))),
            Offsets::Swizzled(composed) => Ok(Some(tri!(composed.const_try_at(index)))),
        }
    }

    /// Whether an integer is an offset.
    pub(super) const fn has(&self, offset: i64, work: &mut usize) -> Result<bool, Error> {
        tri!(spend(work, 1));
        match self {
            Offsets::View(view) => has_offset(view, offset, work),
            Offsets::Swizzled(_) if offset < 0 => Ok(false),
            // The fields do not overlap: a swizzle is its own inverse.
            Offsets::Swizzled(composed) => {
                has_offset(&tri!(composed.unswizzled()), tri!(composed.swizzle().apply(offset)), work)
            }
        }
    }
}

/// Whether an integer is an offset.
const fn has_offset(view: &View, offset: i64, work: &mut usize) -> Result<bool, Error> {
    let start = tri!(number(view.offset()));
    if view.layout().codomain().same(Codomain::Xor) {
        return view.layout().xor_has_offset(start.numerator() ^ offset);
    }
    meet((start, view.layout()), (Rational::integer(offset), &Layout::UNIT), work)
}

/// Whether no offset of the smaller is one of the larger.
const fn apart(one: &Offsets, two: &Offsets, work: &mut usize) -> Result<bool, Error> {
    let (few, many) = if one.layout().size() <= two.layout().size() { (one, two) } else { (two, one) };
    let mut index = 0;
    while index < few.layout().size() {
        tri!(spend(work, 8));
        if let Some(offset) = tri!(few.at(index))
            && tri!(many.has(offset, work))
        {
            return Ok(false);
        }
        index += 1;
    }
    Ok(true)
}

const fn spend(work: &mut usize, steps: usize) -> Result<(), Error> {
    if *work < steps {
        return Err(UNDECIDED);
    }
    *work -= steps;
    Ok(())
}

const fn number(offset: &Offset) -> Result<Rational, Error> {
    if offset.is_leaf() { Ok(offset.leaves()[0]) } else { Err(COORDINATES) }
}

pub(super) const fn integer(offset: &Offset) -> Option<i64> {
    match number(offset) {
        Ok(number) if number.is_integer() => Some(number.numerator()),
        _ => None,
    }
}

/// The start and the layout of an XOR view; integer strides are accepted if no sum carries.
pub(super) const fn as_xor(view: &View) -> Option<(i64, Layout)> {
    let (Some(start), layout) = (integer(view.offset()), view.layout()) else { return None };
    if layout.codomain().same(Codomain::Xor) {
        return Some((start, *layout));
    }
    match layout.sums_are_xors() {
        Ok(bits) if layout.codomain().same(Codomain::Integer) && bits & start as u64 == 0 => {
            match layout.as_xor() {
                Some(layout) => Some((start, layout)),
                None => None,
            }
        }
        _ => None,
    }
}

/// A positive stride, and the most times that it is added.
type Terms = List<(i128, i128), { 2 * MAX_LEAVES }>;

/// Whether an offset of one is one of the other.
const fn meet(
    (a, left): (Rational, &Layout),
    (b, right): (Rational, &Layout),
    work: &mut usize,
) -> Result<bool, Error> {
    let mut parts = tri!(common(a.denominator(), b.denominator()));
    let (leaves, mut i) = ([left.leaves(), right.leaves()], 0);
    while i < leaves[0].len() + leaves[1].len() {
        parts = tri!(common(parts, leaf(leaves, i).stride.denominator()));
        i += 1;
    }
    // The smallest a + A(x) - b - B(y) is `-target`.
    let mut target = tri!(scaled(b, parts)) - tri!(scaled(a, parts));
    let mut terms: Terms = List::new((0, 0));
    i = 0;
    while i < leaves[0].len() + leaves[1].len() {
        let Leaf { extent, stride } = leaf(leaves, i);
        let step = tri!(int::mul(stride.numerator(), parts / stride.denominator()));
        let reach = tri!(int::mul(extent - 1, step)) as i128;
        let subtracted = i >= leaves[0].len();
        if subtracted && reach > 0 {
            target += reach;
        } else if !subtracted && reach < 0 {
            target -= reach;
        }
        if reach != 0 {
            tri!(terms.push((step.unsigned_abs() as i128, (extent - 1) as i128), "modes of two layouts"));
        }
        i += 1;
    }
    sort_by!(terms.as_mut_slice(), |left, right| left.0 < right.0);
    Sums::new(fill_gaps(terms)).reach(0, target, work)
}

const fn leaf([left, right]: [&[Leaf]; 2], i: usize) -> Leaf {
    if i < left.len() { left[i] } else { right[i - left.len()] }
}

const fn common(left: i64, right: i64) -> Result<i64, Error> {
    int::mul(left, right / int::gcd(left as u64, right as u64) as i64)
}

const fn scaled(number: Rational, parts: i64) -> Result<i128, Error> {
    Ok(tri!(int::mul(number.numerator(), parts / number.denominator())) as i128)
}

/// The same sums with fewer terms, the largest stride first: if `t = k s` and `k <= n + 1`, the multiples of `s` up to
/// `n` and those of `t` up to `m` are the multiples of `s` up to `n + k m`.
const fn fill_gaps(terms: Terms) -> Terms {
    let (mut kept, mut i): (Terms, usize) = (List::new((0, 0)), 0);
    while i < terms.len() {
        let ((stride, most), mut k) = (terms.as_slice()[i], 0);
        while k < kept.len() {
            let (unit, times) = &mut kept.as_mut_slice()[k];
            if stride % *unit == 0 && stride / *unit <= *times + 1 {
                *times += stride / *unit * most;
                break;
            }
            k += 1;
        }
        if k == kept.len() {
            let _ = kept.push((stride, most), "");
        }
        i += 1;
    }
    let terms = kept.as_mut_slice();
    i = 0;
    while i < terms.len() / 2 {
        (terms[i], terms[terms.len() - 1 - i]) = (terms[terms.len() - 1 - i], terms[i]);
        i += 1;
    }
    kept
}

/// The terms; for the terms from each one on, the largest sum and the common divisor.
struct Sums {
    terms: Terms,
    largest: [i128; 2 * MAX_LEAVES + 1],
    divisor: [i128; 2 * MAX_LEAVES + 1],
}

impl Sums {
    const fn new(terms: Terms) -> Sums {
        let room = [0; 2 * MAX_LEAVES + 1];
        let mut sums = Sums { terms, largest: room, divisor: room };
        let mut i = terms.len();
        while i > 0 {
            i -= 1;
            let (stride, most) = terms.as_slice()[i];
            sums.largest[i] = sums.largest[i + 1] + stride * most;
            sums.divisor[i] = inverse_mod(sums.divisor[i + 1], stride).0;
        }
        sums
    }

    /// Whether the terms from `i` on have this sum. The recursion depth is the number of terms.
    const fn reach(&self, i: usize, target: i128, work: &mut usize) -> Result<bool, Error> {
        tri!(spend(work, 1));
        if target == 0 {
            return Ok(true);
        }
        if target < 0 || target > self.largest[i] || target % self.divisor[i] != 0 {
            return Ok(false);
        }
        let (stride, most) = self.terms.as_slice()[i];
        let (rest, gap) = (self.largest[i + 1], self.divisor[i + 1]);
        if gap == 0 {
            // The last term: the target is a multiple within its reach.
            return Ok(true);
        }
        // The sum of the other terms is a multiple of `gap`: that fixes the count up to multiples of `step`.
        let (divisor, inverse) = inverse_mod(gap, stride);
        let step = gap / divisor;
        let first = (target / divisor % step) * inverse % step;
        let least = if target > rest { (target - rest + stride - 1) / stride } else { 0 };
        let mut count = least + (first - least).rem_euclid(step);
        while count <= most && count * stride <= target {
            if tri!(self.reach(i + 1, target - count * stride, work)) {
                return Ok(true);
            }
            count += step;
        }
        Ok(false)
    }
}

/// The greatest common divisor `g` of a modulus and a positive number, and `x` with `number x = g` modulo `modulus`,
/// `0 <= x < modulus / g`.
const fn inverse_mod(modulus: i128, number: i128) -> (i128, i128) {
    let ((mut a, mut b), (mut x, mut y)) = ((modulus, number), (0, 1));
    while b != 0 {
        let quotient = a / b;
        (a, b) = (b, a - quotient * b);
        (x, y) = (y, x - quotient * y);
    }
    (a, if modulus == 0 { 0 } else { x.rem_euclid(modulus / a) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::View;
    use std::collections::BTreeSet;
    use std::vec::Vec;

    fn view(text: &str) -> View {
        text.parse().unwrap()
    }

    #[test]
    fn columns_rows_and_blocks_of_one_array() {
        for (one, two, disjoint) in [
            ("{0} o (1000,500):(1000,2)", "{1} o (1000,500):(1000,2)", true),
            ("{0} o (500,1000):(2,1000)", "{1} o (1000,500):(1000,2)", true),
            ("{0} o (1000,500):(1000,2)", "{2} o (1000,500):(1000,2)", false),
            ("{0} o (64,64):(1,4096)", "{64} o (64,64):(4096,1)", true),
            ("{0} o (64,64):(1,4096)", "{63} o (64,64):(4096,1)", false),
            ("{3} o 4:-1", "{4} o 4:1", true),
            ("{3} o 4:-1", "{0} o 4:1", false),
            ("{1/2} o 8:1", "{0} o 8:1", true),
            ("{1/2} o 8:1", "{0} o 8:1/2", false),
            // Two strides without a common divisor reach all large numbers.
            ("{0} o 1000000:7", "{1} o 1000000:11", false),
            ("{0} o 1000000:1001", "{1} o 1001:1002", false),
            ("{0} o 1000000:1001", "{1} o 1000:1002", true),
        ] {
            assert_eq!(view(one).is_disjoint(&view(two)), Ok(disjoint), "{one} {two}");
            assert_eq!(view(two).is_disjoint(&view(one)), Ok(disjoint), "{two} {one}");
        }
    }

    /// All pairs of small layouts at all distances, of both codomains.
    #[test]
    fn small_layouts() {
        let mut layouts = Vec::new();
        for (s, t) in [(1, 1), (2, 1), (3, 1), (2, 2), (2, 3), (3, 3)] {
            for (d, e) in (0..36).map(|both| (both / 6, both % 6)) {
                if t > 1 || e == 0 {
                    layouts.push(std::format!("({s},{t}):({},{})", d - 2, e - 2));
                    layouts.push(std::format!("({s},{t}):(^{d},^{e})"));
                }
            }
        }
        let layouts: Vec<Layout> = layouts.iter().map(|text| text.parse().unwrap()).collect();
        let images = |layout: &Layout, start: i64| -> BTreeSet<i64> {
            let xor = layout.codomain().same(Codomain::Xor);
            let at = |index| layout.at(index);
            (0..layout.size()).map(|i| if xor { start ^ at(i) } else { start + at(i) }).collect()
        };
        let mut counts = [0; 2];
        for (i, a) in layouts.iter().enumerate() {
            for b in layouts.iter().skip(i % 11).step_by(11) {
                for start in [0, 1, 2, 5, 6, 13] {
                    let (one, two) =
                        (view(&std::format!("{{5}} o {a}")), view(&std::format!("{{{start}}} o {b}")));
                    let truth = images(a, 5).is_disjoint(&images(b, start));
                    assert_eq!(one.is_disjoint(&two), Ok(truth), "{one} {two}");
                    counts[usize::from(truth)] += 1;
                }
            }
        }
        assert!(counts[0] > 1000 && counts[1] > 1000, "{counts:?}");
    }

    #[test]
    fn refusals() {
        let coordinates = view("{0} o 4:1@0").is_disjoint(&view("{0} o 4:1"));
        assert!(matches!(coordinates, Err(Error::MixedCodomain { .. })));
        // A subset sum of large numbers, beyond the budget.
        let many: Vec<_> = (0..30).map(|i| 1_000_003 + (i * i * i * 7919) % 500_009).collect();
        let strides: Vec<_> = many.iter().map(|stride| std::format!("{stride}")).collect();
        let hard = std::format!("{{0}} o ({}):({})", ["2"; 30].join(","), strides.join(","));
        let one = view("{20000003} o 1:0");
        assert_eq!(view(&hard).is_disjoint(&one), Err(UNDECIDED));
    }
}
