//! Composition: `(A o B)(c) = A(B(c))`, complete (paper, section 3.3).
//!
//! `R` is the composition of `A` and `B` when every coordinate of `B` is one of `R` and `R(c) = A(B(c))`. Setting all
//! but one leaf's coordinate to 0 shows that each leaf `s:d` of `B` has to become a layout of `c -> A(d c)`, so that
//! `R` exists exactly when
//!
//! 1. each of these functions is a layout. Its first step is `A(d)`, and it turns at the first `p` where
//!    `A(d p) != p A(d)`; `p` is forced and has to divide the extent, and what follows is the same question for
//!    `s/p : d p`. This is CuTe's "divide out, keep";
//! 2. the sums distribute, `A(sum d_i c_i) = sum A(d_i c_i)`, over all modes so found: the carry test
//!    ([`super::carry`]).
//!
//! Both are decided in a number of operations that depends on the ranks alone. `A` is taken on its extended domain:
//! the last mode is never wrapped, integers are divided with floor, and a trailing extent of 1 is significant.
//!
//! The paper's conditions (20), (21) and "segregated" are sufficient; these are necessary as well. They also cover
//! leaves that leave the domain of `A`, unsorted and overlapping images that never carry, strides whose first carry
//! lies beyond the extent, carries that cancel, and negative strides.

use super::carry;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf, is_basis};
use crate::stride::{Codomain, Stride};
use crate::tiler::Tiler;
use crate::tuple::{HTuple, MAX_LEAVES};

/// The left operand of a composition: flat, coalesced for the extended domain, with the places where it turns.
#[derive(Clone, Copy)]
pub(crate) struct Left {
    pub extents: [i64; MAX_LEAVES],
    pub strides: [Stride; MAX_LEAVES],
    /// `bounds[r]` is the prefix product `P_r` of the extents.
    pub bounds: [i64; MAX_LEAVES],
    pub len: usize,
    /// Whether all strides are integers.
    plain: bool,
}

impl Left {
    pub(crate) const fn new(layout: &Layout) -> Left {
        let mut left = Left {
            extents: [1; MAX_LEAVES],
            strides: [Stride::ZERO; MAX_LEAVES],
            bounds: [1; MAX_LEAVES],
            len: 0,
            plain: layout.codomain().same(Codomain::Integer),
        };
        let leaves = layout.leaves();
        let (mut size, mut i) = (1, 0);
        while i < leaves.len() {
            let Leaf { extent, stride } = leaves[i];
            let last = left.len;
            if extent == 1 && i + 1 < leaves.len() {
            } else if last > 0
                && (Leaf { extent: left.extents[last - 1], stride: left.strides[last - 1] })
                    .continues_with(leaves[i])
            {
                left.extents[last - 1] *= extent;
            } else {
                left.extents[last] = extent;
                left.strides[last] = stride;
                left.bounds[last] = size;
                left.len += 1;
            }
            size *= extent;
            i += 1;
        }
        if left.len == 0 {
            left.len = 1;
        }
        left
    }

    /// Digit `r` of `x` in the mixed radix of the extents. It is below its extent, so that wrapping on the way to it
    /// does no harm.
    const fn digit(&self, quotients: &[i64; MAX_LEAVES], r: usize) -> i64 {
        quotients[r].wrapping_sub(self.extents[r].wrapping_mul(quotients[r + 1]))
    }

    /// `A(x)` from the quotients `floor(x / P_r)`.
    const fn at(&self, quotients: &[i64; MAX_LEAVES]) -> Result<Stride, Error> {
        let mut r = 0;
        if self.plain {
            let mut offset = 0;
            while r + 1 < self.len {
                // A digit is below its extent, so that the sum is an offset of the layout.
                offset += self.digit(quotients, r) * self.strides[r].numerator();
                r += 1;
            }
            let last = tri!(int::mul(quotients[r], self.strides[r].numerator()));
            return Ok(Stride::integer(tri!(int::add(offset, last))));
        }
        let mut offset = Stride::ZERO;
        while r < self.len {
            let digit = if r + 1 < self.len { self.digit(quotients, r) } else { quotients[r] };
            offset = tri!(offset.add(tri!(self.strides[r].scale(digit))));
            r += 1;
        }
        Ok(offset)
    }
}

/// Working space of one composition.
struct Scratch {
    /// `floor(x / P_r)` for the step `x` at hand.
    quotients: [i64; MAX_LEAVES],
    /// `x mod P_r`.
    remainders: [i64; MAX_LEAVES],
    /// The most that the remainders of all modes together can add up to, cut off at `P_r`.
    reach: [i64; MAX_LEAVES],
}

impl Scratch {
    const fn new() -> Scratch {
        Scratch { quotients: [0; MAX_LEAVES], remainders: [0; MAX_LEAVES], reach: [0; MAX_LEAVES] }
    }
}

impl Layout {
    /// The layout `A o B`, `c -> A(B(c))`, that refines `B`: `self` is `A`.
    ///
    /// | `A` | `B` | `A o B` |
    /// |---|---|---|
    /// | `(8,8):(8,1)` | `((4,8),2):((16,1),8)` | `((4,8),2):((2,8),1)` |
    /// | `(4,6,8,10):(2,3,5,7)` | `6:12` | `(2,3):(9,5)` |
    /// | `(4,2,8):(3,12,97)` | `3:3` | `3:9` |
    /// | `7:11` | `3:4` | `3:44` |
    /// | `(4,6,8):(2,3,5)` | `6:3` | no layout |
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// // Partition a row-major 8x8 matrix among 32 threads of two values each (paper, section 3.3.4).
    /// const DATA: Layout = layout!((8,8):(8,1));
    /// const THREAD_VALUE: Layout = layout!(((4,8),2):((16,1),8));
    /// assert_eq!(DATA.composition(&THREAD_VALUE)?, layout!(((4,8),2):((2,8),1)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// The coordinates that a `B` with basis strides gives go to the modes of `A` that they address.
    ///
    /// # Errors
    /// Where no layout is the composition: [`Error::ShapeDivisibility`] (`(4,6,8):(2,3,5)` with `6:1`) and
    /// [`Error::Carry`] (`(6,2):(1,7)` with `(3,2):(2,3)`). Where it is one that strides cannot express:
    /// [`Error::NotBasis`]. [`Error::NotIntegral`] for a `B` that gives fractions, [`Error::Index`] for a basis
    /// element that addresses no mode of `A`, [`Error::Undecided`] where carries may cancel and the work budget ends,
    /// [`Error::Overflow`], [`Error::Capacity`].
    pub const fn composition(&self, other: &Layout) -> Result<Layout, Error> {
        if self.codomain().same(Codomain::Xor) || other.codomain().same(Codomain::Xor) {
            return self.xor_composition(other);
        }
        if other.codomain().same(Codomain::Coordinate) {
            return self.composition_of_coordinates(other);
        }
        self.composition_of_integers(other)
    }

    const fn composition_of_integers(&self, other: &Layout) -> Result<Layout, Error> {
        let left = Left::new(self);
        let mut result = HTuple::builder(Leaf::new(1, 0));
        let mut scratch = Scratch::new();
        let (mut node, mut leaf) = (0, 0);
        while node < other.profile().len() {
            if other.profile().is_leaf(node) {
                let first = result.leaves().len();
                tri!(left.follow(other.leaves()[leaf], leaf, &mut result, &mut scratch));
                tri!(result.close_leaves(first));
                leaf += 1;
            } else {
                tri!(result.open(other.profile().rank(node)));
            }
            node += 1;
        }
        let mut r = 1;
        while r < left.len {
            if scratch.reach[r] >= left.bounds[r] {
                tri!(carry::check(&left, other, &result));
                break;
            }
            r += 1;
        }
        Layout::new(result)
    }

    /// Each basis element goes to the sublayout that it addresses; a leaf of `other` takes its modes from there.
    const fn composition_of_coordinates(&self, other: &Layout) -> Result<Layout, Error> {
        let mut result = HTuple::builder(Leaf::new(1, 0));
        let (mut node, mut leaf) = (0, 0);
        while node < other.profile().len() {
            if other.profile().is_leaf(node) {
                let unit = other.leaves()[leaf].stride.unit();
                let mut path = [0; crate::stride::MAX_BASIS_DEPTH];
                let mut level = 0;
                while level < unit.depth() {
                    path[level] = unit.index(level);
                    level += 1;
                }
                // All leaves with this unit are composed at once, for the sake of the carry test.
                let mut along = *other.as_tuple();
                let mut i = 0;
                while i < along.leaves().len() {
                    let stride = along.leaves()[i].stride;
                    along.leaves_mut()[i].stride = if is_basis(unit) && stride.unit().same(unit) {
                        tri!(Stride::new(stride.count(), crate::stride::Unit::ONE))
                    } else {
                        Stride::ZERO
                    };
                    i += 1;
                }
                let part = tri!(self.addressed(path.split_at(level).0));
                let part = tri!(part.composition_of_integers(&tri!(Layout::new(along))));
                let (own_node, own_leaf) = matching(other, &part, node);
                tri!(result.push_subtree(part.as_tuple(), own_node, own_leaf));
                leaf += 1;
            } else {
                tri!(result.open(other.profile().rank(node)));
            }
            node += 1;
        }
        Layout::new(result)
    }

    /// The sublayout to which a basis element's coordinate goes. An extent has no modes to address.
    const fn addressed(&self, path: &[usize]) -> Result<Layout, Error> {
        let (mut node, mut leaf, mut i) = (0, 0, 0);
        while i < path.len() {
            if self.profile().is_leaf(node) {
                return Err(Error::Coordinate { what: "a basis element addresses a mode within an extent" });
            }
            (node, leaf) = tri!(self.as_tuple().child(node, leaf, path[i]));
            i += 1;
        }
        self.get(path)
    }

    /// Composition by mode: each tile is composed with one mode, `(A0,A1) o <B,C> = (A0 o B, A1 o C)` (paper,
    /// equation 12). A hole keeps its mode; the result has the tiler's rank, and further modes of the layout are
    /// dropped. A tiler that is a layout is composed with the whole.
    ///
    /// ```
    /// use tilework::{Layout, layout, tiler};
    /// let tile = layout!((8,16):(20,1)).composition_by_mode(&tiler!(<4:1, 8:2>))?;
    /// assert_eq!(tile, layout!((4,8):(20,2)));
    /// assert_eq!(layout!((8,16):(20,1)).composition_by_mode(&tiler!(<_, 8:2>))?, layout!((8,8):(20,2)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Rank`] for a tiler of more tiles than the layout has modes, and those of
    /// [`composition`](Self::composition).
    pub const fn composition_by_mode(&self, tiler: &Tiler) -> Result<Layout, Error> {
        if !tiler.is_by_mode() {
            return match tri!(tiler.layout()) {
                Some(layout) => self.composition(&layout),
                None => Ok(*self),
            };
        }
        if tiler.rank() > self.rank() {
            return Err(Error::Rank { operation: "composition by mode", expected: self.rank(), found: tiler.rank() });
        }
        let mut out = HTuple::builder(Leaf::new(1, 0));
        tri!(out.open(tiler.rank()));
        let mut i = 0;
        while i < tiler.rank() {
            let mode = tri!(tri!(self.mode(i)).composition_by_mode(&tri!(tiler.mode(i))));
            tri!(out.push_subtree(mode.as_tuple(), 0, 0));
            i += 1;
        }
        Layout::new(out)
    }

    /// Whether `self o other` is a layout, and if not, which condition fails: the divisibility conditions of the
    /// paper's section 3.3.2, made exact.
    ///
    /// ```
    /// use tilework::{Error, layout};
    /// assert!(layout!((4,2,8):(3,12,97)).is_composable(&layout!(3:3)).is_ok());
    /// let error = layout!((4,2,8):(3,12,97)).is_composable(&layout!(4:3)).unwrap_err();
    /// assert_eq!(error, Error::ShapeDivisibility { leaf: 0, extent: 4, stride: 3, turn: 3 });
    /// ```
    ///
    /// # Errors
    /// Those of [`composition`](Self::composition).
    pub const fn is_composable(&self, other: &Layout) -> Result<(), Error> {
        match self.composition(other) {
            Ok(_) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

impl Left {
    /// Appends the modes of `c -> A(d c)` for one leaf `s:d` of the right operand, and adds what their sums reach.
    const fn follow(
        &self,
        leaf: Leaf,
        number: usize,
        result: &mut HTuple<Leaf>,
        scratch: &mut Scratch,
    ) -> Result<(), Error> {
        let Leaf { extent, stride } = leaf;
        if extent == 1 || stride.is_zero() {
            return result.push_value(Leaf::new(extent, 0));
        }
        if stride.denominator() != 1 {
            let (numerator, denominator) = (stride.numerator(), stride.denominator());
            return Err(Error::NotIntegral { operation: "a coordinate", numerator, denominator });
        }
        let stride_of_leaf = stride.numerator();
        let (mut step, mut rest) = (stride_of_leaf, extent);
        let Scratch { quotients, remainders, reach } = scratch;
        loop {
            quotients[0] = step;
            // The first place where a multiple of the remainder passes its bound, and how many bounds are passed
            // there at once.
            let (mut turn, mut passed, mut r) = (rest, 0, 1);
            while r < self.len {
                let bound = self.bounds[r];
                let (quotient, remainder) = int::div_rem(step, bound);
                quotients[r] = quotient;
                remainders[r] = remainder;
                if remainder != 0 {
                    let pass = (bound - 1) / remainder + 1;
                    if pass < turn {
                        turn = pass;
                        passed = 1;
                    } else if pass == turn && pass < rest {
                        passed += 1;
                    }
                }
                r += 1;
            }
            if passed > 1 {
                // The changes of several steps may cancel, and the turn lie further on.
                turn = tri!(carry::first_turn(self, remainders, turn, rest));
            }
            let stride = match self.at(quotients) {
                Ok(stride) => stride,
                Err(Error::NotBasis { .. }) => return Err(Error::NotBasis { leaf: number }),
                Err(error) => return Err(error),
            };
            tri!(result.push_value(Leaf { extent: turn, stride }));
            r = 1;
            while r < self.len {
                if reach[r] < self.bounds[r] {
                    let sum = reach[r] as i128 + remainders[r] as i128 * (turn - 1) as i128;
                    reach[r] = if sum < self.bounds[r] as i128 { sum as i64 } else { self.bounds[r] };
                }
                r += 1;
            }
            if turn == rest {
                return Ok(());
            }
            if rest % turn != 0 {
                let turn = extent / rest * turn;
                return Err(Error::ShapeDivisibility { leaf: number, extent, stride: stride_of_leaf, turn });
            }
            rest /= turn;
            step = tri!(int::mul(step, turn));
        }
    }
}

/// Node and first leaf in `fine` of what stands at `node` in `coarse`, which it refines.
pub(crate) const fn matching(coarse: &Layout, fine: &Layout, node: usize) -> (usize, usize) {
    let (mut own_node, mut own_leaf, mut i) = (0, 0, 0);
    while i < node {
        if coarse.profile().is_leaf(i) {
            let span = fine.profile().span(own_node);
            own_node += span.nodes;
            own_leaf += span.leaves;
        } else {
            own_node += 1;
        }
        i += 1;
    }
    (own_node, own_leaf)
}
