//! The image of a layout: bounds, and whether the layout is injective, surjective, increasing.

use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf, View};
use crate::list::{List, sort_by};
use crate::stride::Unit;
use crate::tuple::MAX_LEAVES;

/// The most partial sums that are examined before the answer is "undecided".
const BUDGET: usize = 100_000;

/// The magnitude of the stride, and the extent, of a mode with stride other than 0.
type Moves = List<(u64, i64), MAX_LEAVES>;

impl Layout {
    /// The smallest offset.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!((4,3):(-1,10)).min_offset()?, -3);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Codomain`] for strides other than integers and XOR.
    pub const fn min_offset(&self) -> Result<i64, Error> {
        Ok(tri!(self.bounds("the smallest offset")).0)
    }

    /// The largest offset.
    ///
    /// # Errors
    /// [`Error::Codomain`] for strides other than integers and XOR.
    pub const fn max_offset(&self) -> Result<i64, Error> {
        Ok(tri!(self.bounds("the largest offset")).1)
    }

    /// The largest offset plus one: the number of elements that an array needs, if no offset is negative.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!((4,8):(1,5)).cosize()?, 39);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Codomain`] for strides other than integers and XOR, [`Error::Overflow`].
    pub const fn cosize(&self) -> Result<i64, Error> {
        int::add(tri!(self.bounds("cosize")).1, 1)
    }

    /// The number of integers from the smallest to the largest offset. C++ CuTe calls it cosize.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!((4,3):(-1,10)).span()?, 24);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Codomain`] for strides other than integers and XOR, [`Error::Overflow`].
    pub const fn span(&self) -> Result<i64, Error> {
        let (low, high) = tri!(self.bounds("span"));
        int::add(tri!(int::sub(high, low)), 1)
    }

    pub(crate) const fn bounds(&self, operation: &'static str) -> Result<(i64, i64), Error> {
        match self.codomain() {
            Codomain::Integer => {}
            Codomain::Xor => return Ok((0, tri!(self.xor_max_offset()))),
            found => return Err(Error::Codomain { operation, found }),
        }
        let (mut low, mut high, mut i) = (0, 0, 0);
        while i < self.leaves().len() {
            let Leaf { extent, stride } = self.leaves()[i];
            let reach = (extent - 1) * stride.numerator();
            if reach < 0 {
                low += reach;
            } else {
                high += reach;
            }
            i += 1;
        }
        Ok((low, high))
    }

    /// Whether different indices have different offsets.
    ///
    /// Decided directly if the sorted strides are super-increasing or form a chain of divisors, or if there are two
    /// modes; otherwise by a search for two equal sums, because the general question is as hard as "equal subset sum".
    ///
    /// ```
    /// use tilework::layout;
    /// assert!(layout!((2,2):(2,3)).is_injective()?);
    /// assert!(!layout!((4,8):(1,2)).is_injective()?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Undecided`] if the search exceeds its budget, [`Error::Overflow`].
    pub const fn is_injective(&self) -> Result<bool, Error> {
        if self.codomain().same(Codomain::Xor) {
            return self.xor_is_injective();
        }
        if self.has_sums() {
            return tri!(self.packed()).is_injective();
        }
        let mut i = 0;
        while i < self.leaves().len() {
            let Leaf { extent, stride } = self.leaves()[i];
            if extent > 1 && stride.is_zero() {
                return Ok(false);
            }
            if extent > 1 && self.is_first_along(i, stride.unit()) {
                let moves = tri!(self.moves(stride.unit()));
                if !tri!(sums_differ(&moves)) {
                    return Ok(false);
                }
            }
            i += 1;
        }
        Ok(true)
    }

    /// Whether all sums of an offset of this layout and one of the other are distinct, for integer strides: the two
    /// layouts have no difference of offsets in common.
    pub(crate) const fn is_direct_sum_with(&self, other: &Layout) -> Result<bool, Error> {
        let (mut modes, own) = (tri!(other.moves(Unit::ONE)), tri!(self.moves(Unit::ONE)));
        let (first, mut i) = (modes.len(), 0);
        if first == 0 {
            return Ok(true);
        }
        while i < own.len() {
            tri!(modes.push(own.as_slice()[i], "modes"));
            i += 1;
        }
        match Search::new(modes.as_slice(), first).vanishes(modes.as_slice(), 0, 0, false) {
            Ok(found) => Ok(!found),
            Err(error) => Err(error),
        }
    }

    /// Whether the strides of every component are super-increasing, in order of size: the layout is injective.
    pub(super) const fn is_super_increasing(&self) -> Result<bool, Error> {
        let mut i = 0;
        while i < self.leaves().len() {
            let Leaf { extent, stride } = self.leaves()[i];
            if extent > 1
                && self.is_first_along(i, stride.unit())
                && !is_super_increasing(tri!(self.moves(stride.unit())).as_slice())
            {
                return Ok(false);
            }
            i += 1;
        }
        Ok(true)
    }

    /// The smallest number that is no offset of a layout with integer strides, none of them negative, if the offsets
    /// leave a gap.
    pub(super) const fn first_gap(&self) -> Result<Option<i64>, Error> {
        let moves = tri!(self.moves(Unit::ONE));
        let (mut covered, mut i) = (1u128, moves.len());
        while i > 0 {
            i -= 1;
            let (stride, extent) = moves.as_slice()[i];
            if stride as u128 > covered {
                return Ok(Some(covered as i64));
            }
            covered += stride as u128 * (extent - 1) as u128;
        }
        Ok(None)
    }

    /// Whether no leaf before this one moves along the unit.
    pub(crate) const fn is_first_along(&self, leaf: usize, unit: Unit) -> bool {
        let mut i = 0;
        while i < leaf {
            let Leaf { extent, stride } = self.leaves()[i];
            if extent > 1 && stride.coefficient(unit).numerator() != 0 {
                return false;
            }
            i += 1;
        }
        true
    }

    /// The modes with one unit, with strides over a common denominator, the largest first.
    const fn moves(&self, unit: Unit) -> Result<Moves, Error> {
        let (mut common, mut i) = (1, 0);
        while i < self.leaves().len() {
            let stride = self.leaves()[i].stride;
            if stride.is_along(unit) {
                let own = stride.denominator();
                common = tri!(int::mul(common, own / int::gcd(common as u64, own as u64) as i64));
            }
            i += 1;
        }
        let mut moves = List::new((0, 1));
        i = 0;
        while i < self.leaves().len() {
            let Leaf { extent, stride } = self.leaves()[i];
            if extent > 1 && !stride.is_zero() && stride.is_along(unit) {
                let scaled = tri!(int::mul(stride.numerator(), common / stride.denominator()));
                tri!(moves.push((scaled.unsigned_abs(), extent), "modes"));
            }
            i += 1;
        }
        sort_by!(moves.as_mut_slice(), |left, right| left.0 > right.0);
        Ok(moves)
    }

    /// Whether every number of `[0, cosize)` is an offset, and no other.
    ///
    /// ```
    /// use tilework::layout;
    /// assert!(layout!((4,8):(1,2)).is_surjective()?);
    /// assert!(!layout!((4,8):(1,5)).is_surjective()?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Codomain`] for rational and coordinate strides; [`Error::Undecided`] for XOR strides if the product of
    /// the odd parts of the extents exceeds 1,024.
    pub const fn is_surjective(&self) -> Result<bool, Error> {
        self.leaves_no_gap("is_surjective")
    }

    const fn leaves_no_gap(&self, operation: &'static str) -> Result<bool, Error> {
        if tri!(self.bounds(operation)).0 < 0 {
            return Ok(false);
        }
        if self.codomain().same(Codomain::Xor) {
            return self.xor_is_surjective();
        }
        Ok(tri!(self.first_gap()).is_none())
    }

    /// Whether the layout is a bijection onto `[0, cosize)`. A finite bijection has as many offsets as indices, so this
    /// is the same as [`is_compact`](Self::is_compact).
    ///
    /// # Errors
    /// Those of [`is_surjective`](Self::is_surjective).
    pub const fn is_bijective(&self) -> Result<bool, Error> {
        self.is_one_to_one("is_bijective")
    }

    /// A surjection onto as many offsets as there are indices.
    const fn is_one_to_one(&self, operation: &'static str) -> Result<bool, Error> {
        Ok(tri!(self.leaves_no_gap(operation)) && self.size() == tri!(self.cosize()))
    }

    /// Whether the layout is a bijection of `[0, size)`: the strides are the prefix products of the extents in some
    /// order (paper, section 3.4.1).
    ///
    /// ```
    /// use tilework::layout;
    /// assert!(layout!((3,7,5):(5,15,1)).is_compact()?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Codomain`] for rational and coordinate strides.
    pub const fn is_compact(&self) -> Result<bool, Error> {
        self.is_one_to_one("is_compact")
    }

    /// Whether a larger index has a larger offset.
    ///
    /// ```
    /// use tilework::layout;
    /// assert!(layout!((4,8):(1,5)).is_increasing()?);
    /// assert!(!layout!((4,8):(8,1)).is_increasing()?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Codomain`] for strides other than integers.
    pub const fn is_increasing(&self) -> Result<bool, Error> {
        if !self.codomain().same(Codomain::Integer) {
            return Err(Error::Codomain { operation: "is_increasing", found: self.codomain() });
        }
        // From one index to the next the offset grows by the stride of a mode minus the reach of the modes before it.
        let (mut behind, mut i) = (0i128, 0);
        while i < self.leaves().len() {
            let Leaf { extent, stride } = self.leaves()[i];
            if extent > 1 {
                if stride.numerator() as i128 <= behind {
                    return Ok(false);
                }
                behind += (extent - 1) as i128 * stride.numerator() as i128;
            }
            i += 1;
        }
        Ok(true)
    }
}

impl View {
    /// The smallest and the largest offset.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!((2,4):(^4,^1)).slice((1, ..))?.bounds()?, (4, 7));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Codomain`] and [`Error::NotIntegral`] for offsets that are not integers, [`Error::Overflow`].
    pub const fn bounds(&self) -> Result<(i64, i64), Error> {
        const OPERATION: &str = "the bounds of the offsets";
        let (low, high) = tri!(self.layout().bounds(OPERATION));
        if !self.offset().is_leaf() {
            return Err(Error::Codomain { operation: OPERATION, found: Codomain::Coordinate });
        }
        let start = self.offset().leaves()[0];
        if !start.is_integer() {
            let (numerator, denominator) = (start.numerator(), start.denominator());
            return Err(Error::NotIntegral { operation: OPERATION, numerator, denominator });
        }
        let start = start.numerator();
        if self.layout().codomain().same(Codomain::Xor) {
            return self.layout().xor_bounds(start);
        }
        Ok((tri!(int::add(start, low)), tri!(int::add(start, high))))
    }
}

/// Whether all sums `sum c_i d_i`, `0 <= c_i < s_i`, are distinct; the modes are sorted, the largest stride first.
const fn sums_differ(moves: &Moves) -> Result<bool, Error> {
    let modes = moves.as_slice();
    let (segregated, mut chain, mut i) = (is_super_increasing(modes), true, 1);
    while i < modes.len() {
        chain &= modes[i - 1].0.is_multiple_of(modes[i].0);
        i += 1;
    }
    if segregated || chain {
        return Ok(segregated);
    }
    if modes.len() == 2 {
        let ((a, s), (b, t)) = (modes[0], modes[1]);
        let common = int::gcd(a, b);
        return Ok(s as u64 <= b / common || t as u64 <= a / common);
    }
    match Search::new(modes, 0).vanishes(modes, 0, 0, false) {
        Ok(found) => Ok(!found),
        Err(error) => Err(error),
    }
}

/// Whether each stride exceeds the sum of all steps of the smaller ones.
const fn is_super_increasing(modes: &[(u64, i64)]) -> bool {
    let (mut behind, mut i) = (0u128, modes.len());
    while i > 0 {
        i -= 1;
        let (stride, extent) = modes[i];
        if stride as u128 <= behind {
            return false;
        }
        behind += stride as u128 * (extent - 1) as u128;
    }
    true
}

/// A search for differences `c_i`, `|c_i| < s_i`, not all 0, whose sum vanishes, while that of the first modes does
/// not.
struct Search {
    /// The number of the first modes.
    first: usize,
    /// The greatest sum of the modes from each one on.
    lower: [i128; MAX_LEAVES + 1],
    /// The common divisor of the strides from each one on.
    divisor: [u64; MAX_LEAVES + 1],
    budget: usize,
}

impl Search {
    const fn new(modes: &[(u64, i64)], first: usize) -> Search {
        let mut search =
            Search { first, lower: [0; MAX_LEAVES + 1], divisor: [0; MAX_LEAVES + 1], budget: BUDGET };
        let mut i = modes.len();
        while i > 0 {
            i -= 1;
            search.lower[i] = search.lower[i + 1] + modes[i].0 as i128 * (modes[i].1 - 1) as i128;
            search.divisor[i] = int::gcd(search.divisor[i + 1], modes[i].0);
        }
        search
    }

    const fn vanishes(
        &mut self,
        modes: &[(u64, i64)],
        i: usize,
        sum: i128,
        moved: bool,
    ) -> Result<bool, Error> {
        if self.budget == 0 {
            return Err(Error::Undecided { operation: "is_injective" });
        }
        self.budget -= 1;
        if sum == 0 && moved && i >= self.first {
            return Ok(i > self.first || self.first == 0);
        }
        if i == modes.len() || sum == 0 && i == self.first && self.first > 0 {
            return Ok(false);
        }
        let (stride, extent) = (modes[i].0 as i128, modes[i].1 as i128);
        let rest = self.lower[i + 1];
        // The first difference other than 0 may be taken positive.
        let lowest = if moved { -((sum + rest).div_euclid(stride)) } else { 0 };
        let highest = (rest - sum).div_euclid(stride);
        let mut c = if lowest > 1 - extent { lowest } else { 1 - extent };
        while c <= highest && c < extent {
            let next = sum + c * stride;
            let divisor = self.divisor[i + 1] as i128;
            if if divisor == 0 { next == 0 } else { next % divisor == 0 }
                && tri!(self.vanishes(modes, i + 1, next, moved || c != 0))
            {
                return Ok(true);
            }
            // Long stretches of coordinates that the divisor excludes count as work too.
            if self.budget == 0 {
                return Err(Error::Undecided { operation: "is_injective" });
            }
            self.budget -= 1;
            c += 1;
        }
        Ok(false)
    }
}
