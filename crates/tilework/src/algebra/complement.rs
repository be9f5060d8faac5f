//! Complement: the offsets that a layout skips (paper, section 3.5; docs/proofs.md, theorem 4).
//!
//! Stride-0 modes and extents of 1 are ignored. The other modes, sorted by stride, have to be *segregated*: each mode
//! ends, at `s_i d_i`, no later than the next begins, at `d_(i+1)`. Then the complement fills the gaps,
//!
//! ```text
//! (d_0, d_1 / s_0 d_0, ..., M / s_k d_k) : (1, s_0 d_0, ..., s_k d_k)
//! ```
//!
//! with quotients rounded down, the last one up. It is increasing, has only 0 in common with the layout, and all sums
//! of an offset of one and an offset of the other are distinct. If each `s_i d_i` divides `d_(i+1)`, and the last one
//! divides `M`, the sums are exactly `[0, M)`, and no other increasing layout has this property. Modes that interleave
//! are refused, even though some could be completed, for example `(2,2):(2,3)` by `n:4`. Modes that overlap are refused
//! too: divide and product concatenate a layout and its complement, and each offset has to occur there once.
//!
//! A mode of coordinate strides belongs to one component, and each component is complemented with its modes: that of a
//! stride with several components is chosen by [`sums`](super::sums).

use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::int::{self, ceil_div};
use crate::layout::{IntoHTuple, Layout, Leaf, Part, build};
use crate::list::sort_by;
use crate::shape::Shape;
use crate::stride::{Components, Rational, Stride, Unit, each_term};
use crate::tuple::{HTuple, MAX_LEAVES, map_leaves};

impl Layout {
    /// The layout of the offsets between and after those of this one, in the paper's form: it may be extended, so its
    /// trailing mode of extent 1 is kept.
    ///
    /// | `L` | `complement(L)` |
    /// |---|---|
    /// | `(4,8):(1,4)` | `1:32` |
    /// | `(4,8):(1,8)` | `(2,1):(4,64)` |
    /// | `((2,2),(2,4)):((0,2),(0,4))` | `(2,1):(1,16)` |
    /// | `(4,8):(1@0,1@1)` | `(1,1):(4@0,8@1)` |
    /// | `4:(1@0+1@1)` | `(1,1):(1@0,4@1)` |
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert_eq!(layout!((4,8):(1,8)).complement()?, layout!((2,1):(4,64)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Overlap`] for modes that interleave, `(2,2):(2,3)`, or overlap, `(3,2):(1,1)`;
    /// [`Error::NegativeStride`]; [`Error::Codomain`] for XOR strides and [`Error::NotIntegral`] for fractions.
    #[inline]
    pub const fn complement(&self) -> Result<Layout, Error> {
        build!(|out| Part::whole(&self.tuple).complement_into(None, false, out))
    }

    /// The complement with respect to `[0, M)`, coalesced: with enough modes to cover it together with this layout. For
    /// coordinate strides `M` is the shape of the coordinates.
    ///
    /// ```
    /// use tilework::{HTuple, Layout, layout};
    /// assert_eq!(layout!(4:2).complement_within(24)?, layout!((2,3):(1,8)));
    /// assert_eq!(layout!(4:32).complement_within(256)?, layout!((32,2):(1,128)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`complement`](Self::complement); [`Error::Extent`]; [`Error::Incongruent`] for an `M` without the
    /// profile of the coordinates.
    pub fn complement_within(&self, shape: impl IntoHTuple<i64>) -> Result<Layout, Error> {
        self.const_complement_within(&shape.into_htuple()?)
    }

    /// [`complement_within`](Self::complement_within) in a constant.
    #[inline]
    pub const fn const_complement_within(&self, shape: &Shape) -> Result<Layout, Error> {
        tri!(shape.check_extents());
        build!(|out| Part::whole(&self.tuple).complement_into(Some(shape), false, out))
    }

    /// Whether a complement exists, and if not, which modes overlap.
    ///
    /// # Errors
    /// Those of [`complement`](Self::complement).
    pub const fn is_complementable(&self) -> Result<(), Error> {
        match self.complement() {
            Ok(_) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

impl Layout {
    /// The layout with each mode along one component, along which the complement fills the gaps between them, and the end of each
    /// component.
    #[doc(hidden)]
    pub const fn by_component(&self, shape: Option<&Shape>, exact: bool) -> Result<(Layout, Shape), Error> {
        if !self.codomain().same(Codomain::Coordinate) {
            return Err(Error::Codomain { operation: "complement", found: self.codomain() });
        }
        let mut domain = match shape {
            Some(shape) => {
                tri!(Part::whole(&self.tuple).check_addresses(shape));
                *shape
            }
            None => map_leaves!(tri!(self.codomain_profile()) => i64::MAX, |_zero| i64::MAX),
        };
        let separated = if self.has_sums() { tri!(self.separated(&mut domain, exact)) } else { *self };
        Ok((separated, domain))
    }
}

impl Part<'_> {
    /// Appends the complement; with respect to `shape`, if there is one. With `exact`, a gap that cannot be filled whole
    /// is an error.
    pub(crate) const fn complement_into(
        self,
        shape: Option<&Shape>,
        exact: bool,
        out: &mut HTuple<Leaf>,
    ) -> Result<(), Error> {
        if self.is_plain() {
            let size = match shape {
                Some(shape) => Some(tri!(shape.size())),
                None => None,
            };
            return self.complement_along(Unit::ONE, size, exact, out);
        }
        let (separated, domain) = tri!(tri!(self.to_layout()).by_component(shape, exact));
        Part::whole(&separated.tuple).complement_of_components(&domain, shape.is_some(), exact, out)
    }

    /// Appends the complement of the modes along each component.
    const fn complement_of_components(
        self,
        domain: &Shape,
        bounded: bool,
        exact: bool,
        out: &mut HTuple<Leaf>,
    ) -> Result<(), Error> {
        let (mut components, mut leaf) = (Components::new(domain.profile()), 0);
        while let Some(unit) = tri!(components.next_leaf(out)) {
            let size = if bounded { Some(domain.leaves()[leaf]) } else { None };
            tri!(self.complement_along(unit, size, exact, out));
            leaf += 1;
        }
        Ok(())
    }

    /// Checks that every basis element addresses a leaf of `shape`.
    const fn check_addresses(&self, shape: &Shape) -> Result<(), Error> {
        let mut i = 0;
        let leaves = self.leaves();
        while i < leaves.len() {
            each_term!(leaves[i].stride, |term| {
                let (path, depth) = term.unit().path();
                let (mut node, mut leaf, mut level) = (0, 0, 0);
                let mut fits = true;
                while fits && level < depth {
                    fits = !shape.profile().is_leaf(node) && path[level] < shape.profile().rank(node);
                    if fits {
                        (node, leaf) = tri!(shape.child(node, leaf, path[level]));
                    }
                    level += 1;
                }
                if !(fits && shape.profile().is_leaf(node)) {
                    return Err(Error::Incongruent {
                        what: "the shape to cover and the layout's coordinates",
                    });
                }
            });
            i += 1;
        }
        Ok(())
    }

    /// The complement of the leaves with one unit: a leaf or a flat tuple.
    pub(crate) const fn complement_along(
        self,
        unit: Unit,
        size: Option<i64>,
        exact: bool,
        out: &mut HTuple<Leaf>,
    ) -> Result<(), Error> {
        let leaves = self.leaves();
        if leaves.len() <= FEW {
            complement_modes(leaves, unit, size, exact, &mut [(0, 0); FEW], out)
        } else {
            complement_modes(leaves, unit, size, exact, &mut [(0, 0); MAX_LEAVES], out)
        }
    }
}

/// Room for the modes of most layouts; a small buffer is faster to initialize.
const FEW: usize = 6;

const fn complement_modes(
    leaves: &[Leaf],
    unit: Unit,
    size: Option<i64>,
    exact: bool,
    room: &mut [(i64, i64)],
    out: &mut HTuple<Leaf>,
) -> Result<(), Error> {
    let modes = tri!(ascending(leaves, unit, room));
    let first = out.leaves().len();
    let (mut end, mut i) = (1, 0);
    while i < modes.len() {
        let (stride, extent) = modes[i];
        if stride < end {
            let (before, count) = modes[i - 1];
            return Err(Error::Overlap { extent: count, stride: before, next: stride });
        }
        let (gap, over) = int::div_rem(stride, end);
        if let (true, true, Some(size)) = (exact, over != 0, size) {
            // The first skipped offset.
            if gap * end < size {
                let (before, count) = modes[i - 1];
                return Err(Error::Gap { extent: count, stride: before, next: stride });
            }
        }
        if gap > 1 {
            tri!(out.push_value(Leaf { extent: gap, stride: tri!(along(unit, end)) }));
        }
        end = match int::mul(stride, extent) {
            Ok(end) => end,
            // Nothing after the last mode is within a size.
            Err(_) if i + 1 == modes.len() && size.is_some() => i64::MAX,
            Err(error) => return Err(error),
        };
        i += 1;
    }
    match size {
        // The unbounded complement continues after everything; a bounded one ends here.
        None => tri!(out.push_value(Leaf { extent: 1, stride: tri!(along(unit, end)) })),
        Some(size) if size > end => {
            tri!(out.push_value(Leaf { extent: ceil_div(size, end), stride: tri!(along(unit, end)) }));
        }
        Some(_) => {}
    }
    out.close_merged(first)
}

/// The stride and extent of the modes with one unit, by stride.
const fn ascending<'r>(
    leaves: &[Leaf],
    unit: Unit,
    room: &'r mut [(i64, i64)],
) -> Result<&'r [(i64, i64)], Error> {
    let (mut len, mut i) = (0, 0);
    while i < leaves.len() {
        let Leaf { extent, stride } = leaves[i];
        if extent > 1 && stride.is_along(unit) {
            let (numerator, denominator) = (stride.numerator(), stride.denominator());
            if denominator != 1 {
                return Err(Error::NotIntegral { operation: "complement", numerator, denominator });
            }
            if numerator < 0 {
                return Err(Error::NegativeStride { operation: "complement", stride: numerator });
            }
            if numerator > 0 {
                room[len] = (numerator, extent);
                len += 1;
            }
        }
        i += 1;
    }
    let modes = room.split_at_mut(len).0;
    sort(modes);
    Ok(modes)
}

const fn along(unit: Unit, count: i64) -> Result<Stride, Error> {
    debug_assert!(unit.is_one() || unit.is_basis());
    Stride::new(Rational::integer(count), unit)
}

/// By stride, ascending, equals in their order.
pub(crate) const fn sort(modes: &mut [(i64, i64)]) {
    sort_by!(modes, |left, right| left.0 < right.0);
}

#[cfg(test)]
mod tests {
    use crate::{Error, HTuple, Layout, layout};

    fn within(layout: Layout, shape: &str) -> Result<Layout, Error> {
        layout.complement_within(&shape.parse().unwrap())
    }

    #[test]
    fn the_shape_to_cover_has_the_profile_of_the_coordinates() {
        const L: Layout = layout!((4,(4,2)):(1@1,(1@0,12@1)));
        assert_eq!(within(L, "(8,48)"), Ok(layout!((2,(3,2)):(4@0,(4@1,24@1)))));
        for shape in ["48", "(48)", "((8,2),48)", "(8,(6,8))"] {
            assert!(matches!(within(L, shape), Err(Error::Incongruent { .. })), "{shape}");
        }
        // A mode that is not addressed is entirely complement.
        assert_eq!(within(L, "(8,48,5)"), Ok(layout!((2,(3,2),5):(4@0,(4@1,24@1),1@2))));
    }

    #[test]
    fn what_is_refused() {
        assert_eq!(layout!((2,2):(2,3)).complement(), Err(Error::Overlap { extent: 2, stride: 2, next: 3 }));
        assert_eq!(layout!((3,2):(1,1)).complement(), Err(Error::Overlap { extent: 3, stride: 1, next: 1 }));
        assert_eq!(
            within(layout!((4,2):(1,-8)), "32"),
            Err(Error::NegativeStride { operation: "complement", stride: -8 })
        );
        assert!(matches!(
            within(layout!(4:1/2), "32"),
            Err(Error::Codomain { .. } | Error::NotIntegral { .. })
        ));
        assert!(matches!(within(layout!(4:^1), "32"), Err(Error::Codomain { .. })));
        assert_eq!(within(layout!(4:1), "0"), Err(Error::Extent { leaf: 0, extent: 0 }));
        // Nothing after the last mode is within the size; without a size its end has to be known.
        const FAR: Layout = layout!(2:4611686018427387904);
        assert_eq!(FAR.complement_within(&HTuple::leaf(i64::MAX)), Ok(layout!(4611686018427387904:1)));
        assert!(matches!(FAR.complement(), Err(Error::Overflow { .. })));
    }

    #[test]
    fn what_does_not_move_does_not_count() {
        assert_eq!(layout!((4,1,2):(1,3,0)).complement(), Ok(layout!(1:4)));
    }

    #[test]
    fn gaps_that_are_not_filled_whole_are_rounded_down() {
        assert_eq!(within(layout!((3,5):(4,13)), "1"), Ok(layout!(4:1)));
        assert_eq!(within(layout!((2,2):(1,5)), "24"), Ok(layout!((2,3):(2,10))));
        // Seven modes whose strides are not in order.
        assert_eq!(
            layout!((2,2,2,2,2,2,2):(2,8,32,128,512,2048,1)).complement(),
            Ok(layout!((2,2,2,2,2,1):(4,16,64,256,1024,4096)))
        );
    }
}
