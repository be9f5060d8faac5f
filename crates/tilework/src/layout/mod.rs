//! Layouts: functions from coordinates to offsets (paper, section 2.4).
//!
//! A [`Layout`] is a shape and a stride with the same profile. A coordinate is converted to one index per leaf of the
//! shape ([`HTuple::idx2crd`]), and the offset is the inner product with the strides:
//!
//! ```
//! use tilework::{Layout, layout};
//! // Figure 3e of the paper: a 4x8 matrix of mixed 2x2 tiles.
//! const L: Layout = layout!(((2,2),(4,2)):((1,8),(2,16)));
//! assert_eq!(L.at(22), 26);
//! assert_eq!(L.at(22), L.at((2, 5)));
//! assert_eq!(L.to_string(), "((2,2),(4,2)):((1,8),(2,16))");
//! # Ok::<(), tilework::Error>(())
//! ```

mod access;
mod construct;
mod evaluate;
mod linear_form;
mod part;
mod values;
mod view;

pub use evaluate::Offset;
pub use linear_form::LinearForm;
pub(crate) use part::Part;
pub use values::IntoHTuple;
pub use view::View;
pub(crate) use view::{fixed, sum};

use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::int;
use crate::shape::Shape;
use crate::stride::{Stride, Strides, each_term};
use crate::tuple::{HTuple, Profile, map_leaves};

/// One extent with its stride.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Leaf {
    /// The number of steps, at least 1.
    pub extent: i64,
    /// The distance of a step.
    pub stride: Stride,
}

impl Leaf {
    /// The filler of unused places.
    #[doc(hidden)]
    pub const UNUSED: Leaf = Leaf { extent: 0, stride: Stride::UNUSED };

    /// `extent:stride` with an integer stride.
    ///
    /// ```
    /// use tilework::{HTuple, Layout, Leaf, layout};
    /// assert_eq!(Layout::new(HTuple::leaf(Leaf::new(4, 2)))?, layout!(4:2));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn new(extent: i64, stride: i64) -> Leaf {
        Leaf { extent, stride: Stride::integer(stride) }
    }
}

/// A function from the coordinates of a shape to offsets, `shape:stride` (paper, definition 2.17).
///
/// A layout is one plain value of fixed size, so that it can be a constant: `const L: Layout = layout!((4,8):(1,4));`.
/// Shape and stride share one profile, so they are congruent by construction. For every layout:
///
/// - extents are 1 or more, and their product fits in 64 bits;
/// - all strides belong to one codomain (0 belongs to all), and no basis element addresses a mode in which another
///   addresses a part;
/// - the sum of all positive steps and that of all negative steps, as numerators, fit in 64 bits; so for integer and
///   XOR strides every offset of an in-bounds coordinate does.
///
/// `==` compares the notation: profile, extents and strides. [`equivalent`](Layout::equivalent) compares the functions.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Layout {
    pub(crate) tuple: HTuple<Leaf>,
    codomain: Codomain,
}

/// The layout that `$fill` builds in `$out`, checked. It is built in the place of the return value: layouts are so
/// large that a copy takes longer than many operations.
macro_rules! build {
    (|$out:ident| $fill:expr) => {{
        let mut result = Ok(Layout::empty());
        if let Ok(layout) = &mut result {
            let $out = &mut layout.tuple;
            if let Err(error) = $fill {
                result = Err(error);
            } else if let Err(error) = layout.check() {
                result = Err(error);
            }
        }
        result
    }};
}
pub(crate) use build;

impl Layout {
    /// A layout with no node at all, to be filled and then [checked](Self::check); visible only to its builder.
    #[inline(always)]
    pub(crate) const fn empty() -> Layout {
        Layout { tuple: HTuple::builder(Leaf::UNUSED), codomain: Codomain::Integer }
    }

    /// The layout of one coordinate, `1:0`.
    pub const UNIT: Layout = Layout { tuple: HTuple::leaf(Leaf::new(1, 0)), codomain: Codomain::Integer };

    /// A layout from its leaves.
    ///
    /// ```
    /// use tilework::{HTuple, Layout, Leaf, layout};
    /// let modes = [(4, 8), (8, 1)].map(|(extent, stride)| HTuple::leaf(Leaf::new(extent, stride)));
    /// assert_eq!(Layout::new(HTuple::tuple(&modes)?)?, layout!((4,8):(8,1)));
    /// assert!(Layout::new(HTuple::leaf(Leaf::new(0, 1))).is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Extent`] for an extent below 1, [`Error::MixedCodomain`], [`Error::NestedBasis`], and
    /// [`Error::Overflow`] if the size or an offset does not fit in 64 bits.
    pub const fn new(tuple: HTuple<Leaf>) -> Result<Layout, Error> {
        let mut layout = Layout { tuple, codomain: Codomain::Integer };
        tri!(layout.check());
        Ok(layout)
    }

    /// Checks the invariants of a layout, and finds the codomain.
    pub(crate) const fn check(&mut self) -> Result<(), Error> {
        let leaves = self.tuple.leaves();
        let (mut size, mut low, mut high, mut i) = (1i64, 0i64, 0i64, 0);
        while i < leaves.len() {
            let Leaf { extent, stride } = leaves[i];
            if !stride.is_plain() {
                return self.check_any();
            }
            if extent < 1 {
                return Err(Error::Extent { leaf: i, extent });
            }
            size = tri!(int::mul(size, extent));
            tri!(extend(&mut low, &mut high, extent, stride.numerator()));
            i += 1;
        }
        self.codomain = Codomain::Integer;
        Ok(())
    }

    /// [`check`](Self::check) for strides that are not all integers.
    #[cold]
    const fn check_any(&mut self) -> Result<(), Error> {
        let leaves = self.tuple.leaves();
        let (mut size, mut low, mut high) = (1i64, 0i64, 0i64);
        let (mut codomain, mut i) = (None, 0);
        while i < leaves.len() {
            let Leaf { extent, stride } = leaves[i];
            if extent < 1 {
                return Err(Error::Extent { leaf: i, extent });
            }
            size = tri!(int::mul(size, extent));
            each_term!(stride, |term| {
                if term.unit().is_xor() {
                    tri!(int::carryless_mul(extent - 1, term.numerator()));
                } else {
                    tri!(extend(&mut low, &mut high, extent, term.numerator()));
                }
            });
            if let Some(own) = stride.codomain() {
                codomain = Some(match codomain {
                    None => own,
                    Some(before) => tri!(own.join(before)),
                });
            }
            i += 1;
        }
        self.codomain = if let Some(codomain) = codomain { codomain } else { Codomain::Integer };
        if self.codomain.same(Codomain::Coordinate) { check_basis(leaves) } else { Ok(()) }
    }

    /// A layout whose invariants are known to hold, so [`Layout::new`] is not needed.
    pub(crate) const fn trusted(tuple: HTuple<Leaf>, codomain: Codomain) -> Layout {
        Layout { tuple, codomain }
    }

    /// The extents, in the layout's nesting.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!(((2,2),4):((1,8),2)).shape().to_string(), "((2,2),4)");
    /// ```
    #[must_use]
    pub const fn shape(&self) -> Shape {
        map_leaves!(self.tuple => 1, |leaf| leaf.extent)
    }

    /// The strides, in the layout's nesting.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!(((2,2),4):((1,8),2)).stride().to_string(), "((1,8),2)");
    /// ```
    #[must_use]
    pub const fn stride(&self) -> Strides {
        map_leaves!(self.tuple => Stride::ZERO, |leaf| leaf.stride)
    }

    /// The leaves from left to right.
    ///
    /// ```
    /// use tilework::{Leaf, layout};
    /// assert_eq!(layout!((4,(2,4)):(8,(1,2))).leaves(), [Leaf::new(4, 8), Leaf::new(2, 1), Leaf::new(4, 2)]);
    /// ```
    #[must_use]
    pub const fn leaves(&self) -> &[Leaf] {
        self.tuple.leaves()
    }

    /// The nesting.
    ///
    /// ```
    /// use tilework::layout;
    /// assert!(layout!((4,8):(8,1)).profile() == layout!((3,5):(0,0)).profile());
    /// ```
    #[must_use]
    pub const fn profile(&self) -> &Profile {
        self.tuple.profile()
    }

    /// The layout as a hierarchical tuple of leaves.
    ///
    /// ```
    /// use tilework::{Leaf, layout};
    /// assert_eq!(layout!((4,8):(8,1)).as_tuple().mode(1)?.leaves(), [Leaf::new(8, 1)]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn as_tuple(&self) -> &HTuple<Leaf> {
        &self.tuple
    }

    /// The set that the offsets are from.
    ///
    /// ```
    /// use tilework::{Codomain, layout};
    /// assert_eq!(layout!((4,8):(^8,^1)).codomain(), Codomain::Xor);
    /// ```
    #[must_use]
    pub const fn codomain(&self) -> Codomain {
        self.codomain
    }

    /// The codomain that contains the offsets of both. Offsets that are all 0 belong to every codomain.
    pub(crate) const fn join_codomain(&self, other: &Layout) -> Result<Codomain, Error> {
        match other.codomain.join(self.codomain) {
            Err(error) if self.is_moving() && other.is_moving() => Err(error),
            Err(_) => Ok(if self.is_moving() { self.codomain } else { other.codomain }),
            codomain => codomain,
        }
    }

    /// [`Error::SeveralComponents`] with the first mode that moves along several components, which `operation` does not
    /// take.
    pub(crate) const fn one_component(&self, operation: &'static str) -> Result<(), Error> {
        let mut leaf = 0;
        while leaf < self.leaves().len() {
            if self.leaves()[leaf].extent > 1 && self.leaves()[leaf].stride.is_sum() {
                return Err(Error::SeveralComponents { operation, leaf });
            }
            leaf += 1;
        }
        Ok(())
    }

    /// Whether a stride has several components.
    #[inline]
    pub(crate) const fn has_sums(&self) -> bool {
        let (leaves, mut i) = (self.leaves(), 0);
        while self.codomain.same(Codomain::Coordinate) && i < leaves.len() {
            if leaves[i].stride.is_sum() {
                return true;
            }
            i += 1;
        }
        false
    }

    pub(crate) const fn is_moving(&self) -> bool {
        let mut i = 0;
        while i < self.leaves().len() {
            let Leaf { extent, stride } = self.leaves()[i];
            if extent > 1 && !stride.is_zero() {
                return true;
            }
            i += 1;
        }
        false
    }

    /// The number of coordinates, `|L|`.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!(((2,2),4):((1,8),2)).size(), 16);
    /// ```
    #[must_use]
    pub const fn size(&self) -> i64 {
        let (mut size, mut i) = (1, 0);
        while i < self.leaves().len() {
            size *= self.leaves()[i].extent;
            i += 1;
        }
        size
    }

    /// The number of modes; 1 if there is no tuple.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!(((2,2),4):((1,8),2)).rank(), 2);
    /// ```
    #[must_use]
    pub const fn rank(&self) -> usize {
        self.tuple.rank()
    }

    /// The levels of tuples; 0 for `4:1`, 1 for `(4):(1)` and `(4,8):(1,4)`.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!(((2,2),4):((1,8),2)).depth(), 2);
    /// ```
    #[must_use]
    pub const fn depth(&self) -> usize {
        self.tuple.depth()
    }
}

/// Extends the sum of the negative steps or that of the positive ones by a mode.
#[inline(always)]
const fn extend(low: &mut i64, high: &mut i64, extent: i64, stride: i64) -> Result<(), Error> {
    let reach = tri!(int::mul(extent - 1, stride));
    if reach < 0 {
        *low = tri!(int::add(*low, reach));
    } else {
        *high = tri!(int::add(*high, reach));
    }
    Ok(())
}

/// Checks that no basis element addresses a mode in which another addresses a part, so that offsets have one profile.
const fn check_basis(leaves: &[Leaf]) -> Result<(), Error> {
    let mut i = 0;
    while i < leaves.len() {
        let mut j = 0;
        while j < leaves.len() {
            if leaves[j].stride.is_nested_in(leaves[i].stride) {
                return Err(Error::NestedBasis);
            }
            j += 1;
        }
        i += 1;
    }
    Ok(())
}
