//! Layouts from shapes.

use super::values::IntoHTuple;
use super::{Layout, Leaf};
use crate::error::{Error, tri};
use crate::int;
use crate::shape::Shape;
use crate::stride::{Component, Components, Rational, Stride, Strides};
use crate::tuple::HTuple;

impl Layout {
    /// The compact layout of a shape, the first leaf fastest: CuTe's `LayoutLeft`.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert_eq!(Layout::column_major(((2, 3), 4))?, layout!(((2,3),4):((1,2),6)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Extent`], [`Error::Overflow`].
    pub fn column_major(shape: impl IntoHTuple<i64>) -> Result<Layout, Error> {
        Layout::const_column_major(&shape.into_htuple()?)
    }

    /// [`column_major`](Self::column_major) in a constant.
    pub const fn const_column_major(shape: &Shape) -> Result<Layout, Error> {
        Layout::const_ordered(shape, &HTuple::leaf(0))
    }

    /// The compact layout of a shape, the last leaf fastest: CuTe's `LayoutRight`.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert_eq!(Layout::row_major(((2, 3), 4))?, layout!(((2,3),4):((12,4),1)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Extent`], [`Error::Overflow`].
    pub fn row_major(shape: impl IntoHTuple<i64>) -> Result<Layout, Error> {
        Layout::const_row_major(&shape.into_htuple()?)
    }

    /// [`row_major`](Self::row_major) in a constant.
    pub const fn const_row_major(shape: &Shape) -> Result<Layout, Error> {
        let mut ranks = [0; crate::tuple::MAX_LEAVES];
        let mut i = 0;
        while i < shape.leaves().len() {
            ranks[i] = -(i as i64);
            i += 1;
        }
        compact(shape, &ranks, &[false; crate::tuple::MAX_LEAVES])
    }

    /// The compact layout of a shape, leaves with a smaller order fastest; among equals, the first. CuTe's
    /// `make_ordered_layout`. The order is weakly congruent with the shape.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// let layout = Layout::ordered((2, 3, 4), (1, 0, 2))?;
    /// assert_eq!(layout, layout!((2,3,4):(3,1,6)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Incongruent`] for an order that is not weakly congruent with the shape; [`Error::Extent`],
    /// [`Error::Overflow`].
    pub fn ordered(shape: impl IntoHTuple<i64>, order: impl IntoHTuple<i64>) -> Result<Layout, Error> {
        Layout::const_ordered(&shape.into_htuple()?, &order.into_htuple()?)
    }

    /// [`ordered`](Self::ordered) in a constant.
    pub const fn const_ordered(shape: &Shape, order: &HTuple<i64>) -> Result<Layout, Error> {
        let mut ranks = [0; crate::tuple::MAX_LEAVES];
        let Ok(mut walk) = crate::shape::Walk::new(order, shape) else {
            return Err(Error::Incongruent { what: "the order and the shape" });
        };
        while let Some(part) = walk.next() {
            let mut i = part.first;
            while i < part.end {
                ranks[i] = part.index;
                i += 1;
            }
        }
        compact(shape, &ranks, &[false; crate::tuple::MAX_LEAVES])
    }

    /// The compact layout of this layout's shape with the strides in the same order; stride 0 stays 0. CuTe's
    /// `make_layout_like`.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert_eq!(layout!((4,8,2):(16,1,0)).compact_like()?, layout!((4,8,2):(8,1,0)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Codomain`] for strides other than integers; [`Error::Overflow`].
    pub const fn compact_like(&self) -> Result<Layout, Error> {
        let mut ranks = [0; crate::tuple::MAX_LEAVES];
        let mut skip = [false; crate::tuple::MAX_LEAVES];
        let mut i = 0;
        while i < self.leaves().len() {
            let Some(stride) = self.leaves()[i].stride.as_integer() else {
                return Err(Error::Codomain { operation: "compact_like", found: self.codomain() });
            };
            ranks[i] = stride.saturating_abs();
            skip[i] = stride == 0;
            i += 1;
        }
        compact(&self.shape(), &ranks, &skip)
    }

    /// The compact layout of this layout's shape with the first mode fastest, in the order of its coordinates, and the
    /// other modes after it, in the order of their strides: CuTe's `make_fragment_like`, the registers of one thread.
    /// Stride 0 is kept in the first of several modes, and nowhere else.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// let part = layout!(((2,2),4,2):((64,1),2,128));
    /// assert_eq!(part.fragment_like()?, layout!(((2,2),4,2):((1,2),4,16)));
    /// assert_eq!(layout!((4,8,2):(0,16,1)).fragment_like()?, layout!((4,8,2):(0,2,1)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Codomain`] for strides other than integers; [`Error::Overflow`].
    pub const fn fragment_like(&self) -> Result<Layout, Error> {
        let mut ranks = [0; crate::tuple::MAX_LEAVES];
        let mut skip = [false; crate::tuple::MAX_LEAVES];
        let several = self.rank() > 1;
        let first = if several { tri!(self.mode(0)).leaves().len() } else { self.leaves().len() };
        let mut i = 0;
        while i < self.leaves().len() {
            let Some(stride) = self.leaves()[i].stride.as_integer() else {
                return Err(Error::Codomain { operation: "fragment_like", found: self.codomain() });
            };
            ranks[i] = if i < first { -1 } else { stride.saturating_abs() };
            skip[i] = several && i < first && stride == 0;
            i += 1;
        }
        compact(&self.shape(), &ranks, &skip)
    }

    /// The identity on the coordinates of a shape: strides `1@i` (paper, section 3.3.1).
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert_eq!(Layout::identity((4, (8, 2)))?, layout!((4,(8,2)):(1@0,(1@0@1,1@1@1))));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Capacity`] if a basis element cannot address a leaf.
    pub fn identity(shape: impl IntoHTuple<i64>) -> Result<Layout, Error> {
        Layout::const_identity(&shape.into_htuple()?)
    }

    /// [`identity`](Self::identity) in a constant.
    pub const fn const_identity(shape: &Shape) -> Result<Layout, Error> {
        let mut tuple = HTuple::builder_of(shape.profile(), Leaf::UNUSED);
        let (mut components, mut leaf) = (Components::new(shape.profile()), 0);
        while let Some(component) = tri!(components.next()) {
            if let Component::Leaf(unit) = component {
                let stride = tri!(Stride::new(Rational::integer(1), unit));
                tri!(tuple.push_value(Leaf { extent: shape.leaves()[leaf], stride }));
                leaf += 1;
            }
        }
        Layout::new(tuple)
    }

    /// `shape:stride` from Rust tuples, `Layout::of(((4, 8), 2), ((16, 1), 8))`.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert_eq!(Layout::of(((4, 8), 2), ((16, 1), 8))?, layout!(((4,8),2):((16,1),8)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Profiles`] if they differ, and those of [`Layout::new`].
    pub fn of(shape: impl IntoHTuple<i64>, stride: impl IntoHTuple<Stride>) -> Result<Layout, Error> {
        Layout::const_of(&shape.into_htuple()?, &stride.into_htuple()?)
    }

    /// [`of`](Self::of) in a constant.
    pub const fn const_of(shape: &Shape, stride: &Strides) -> Result<Layout, Error> {
        if !shape.congruent(stride) {
            return Err(shape.profile().not_congruent(stride.profile()));
        }
        let mut tuple = HTuple::builder_of(shape.profile(), Leaf::UNUSED);
        let mut i = 0;
        while i < shape.leaves().len() {
            tri!(tuple.push_value(Leaf { extent: shape.leaves()[i], stride: stride.leaves()[i] }));
            i += 1;
        }
        Layout::new(tuple)
    }
}

/// The strides of leaves that are compact in ascending `ranks`, without those to `skip`.
const fn compact(
    shape: &Shape,
    ranks: &[i64; crate::tuple::MAX_LEAVES],
    skip: &[bool; crate::tuple::MAX_LEAVES],
) -> Result<Layout, Error> {
    tri!(shape.check_extents());
    let count = shape.leaves().len();
    let mut strides = [0; crate::tuple::MAX_LEAVES];
    let mut done = [false; crate::tuple::MAX_LEAVES];
    let (mut stride, mut placed) = (1, 0);
    while placed < count {
        let (mut next, mut i) = (count, 0);
        while i < count {
            if !done[i] && (next == count || ranks[i] < ranks[next]) {
                next = i;
            }
            i += 1;
        }
        done[next] = true;
        placed += 1;
        let extent = shape.leaves()[next];
        if extent != 1 && !skip[next] {
            strides[next] = stride;
            stride = tri!(int::mul(stride, extent));
        }
    }
    let mut tuple = HTuple::builder_of(shape.profile(), Leaf::UNUSED);
    let mut i = 0;
    while i < count {
        tri!(tuple.push_value(Leaf::new(shape.leaves()[i], strides[i])));
        i += 1;
    }
    Layout::new(tuple)
}
