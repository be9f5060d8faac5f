//! Inverses of swizzled layouts, and the common layout of two layouts if one is swizzled.

use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf};
use crate::stride::Stride;
use crate::swizzle::{AnyLayout, Composed};
use crate::tuple::HTuple;

impl Composed {
    /// The largest `R` with `F(R(i)) = i`.
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// let swizzled = Composed::new(Swizzle::new(2, 0, 2)?, 0, layout!((4,4):(4,1)))?;
    /// let inverse = swizzled.right_inverse()?;
    /// assert_eq!(inverse.size(), 16);
    /// assert_eq!(swizzled.at(inverse.at(9)), 9);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`to_layout`](Self::to_layout) and [`Layout::right_inverse`].
    pub const fn right_inverse(&self) -> Result<Layout, Error> {
        Ok(with_integer_strides(tri!(tri!(self.to_layout()).right_inverse())))
    }

    /// An `R` with `F(R(F(i))) = F(i)`.
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// let swizzled = Composed::new(Swizzle::new(1, 0, 2)?, 0, layout!((2,2):(1,4)))?;
    /// let inverse = swizzled.left_inverse()?;
    /// assert_eq!([0, 1, 5, 4].map(|offset| inverse.at(offset)), [0, 1, 2, 3]);
    /// let behind = Composed::new(Swizzle::new(1, 0, 2)?, 8, layout!((2,2):(1,4)))?;
    /// assert_eq!([8, 9, 13, 12].map(|offset| behind.left_inverse().unwrap().at(offset)), [0, 1, 2, 3]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`to_view`](Self::to_view) and [`Layout::left_inverse`]; [`Error::NotXorLinear`] if the offset before
    /// the swizzle is a difference of two offsets.
    pub const fn left_inverse(&self) -> Result<Layout, Error> {
        if self.offset() == 0 {
            return tri!(self.to_layout()).left_inverse();
        }
        // One more mode maps 1 to the offset; the result is the inverse of all modes, without that one.
        let view = tri!(self.to_view());
        let (layout, offset) = (view.layout(), view.offset().leaves()[0].numerator());
        let apart = match layout.codomain() {
            Codomain::Xor => !layout.xor_spans(offset),
            _ => {
                let (low, high) = tri!(layout.bounds("left_inverse"));
                offset > tri!(int::sub(high, low))
            }
        };
        if !apart {
            let reason =
                "the offset before the swizzle is a difference of two offsets, and a layout takes 0 to 0";
            return Err(Error::NotXorLinear { reason });
        }
        let stride = match layout.codomain() {
            Codomain::Xor => tri!(Stride::xor(offset)),
            _ => Stride::integer(offset),
        };
        let more = tri!(Layout::new(HTuple::leaf(Leaf { extent: 2, stride })));
        let both = tri!(tri!(Layout::concatenate(&[layout.coalesce(), more])).left_inverse());
        tri!(Layout::concatenate(&[tri!(line(layout.size(), 1)), tri!(line(2, 0))])).composition(&both)
    }

    /// The inverse of a compact swizzled layout.
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// let swizzled = Composed::new(Swizzle::new(2, 0, 2)?, 0, layout!((4,4):(1,4)))?;
    /// assert_eq!(swizzled.inverse()?, layout!((4,4):(^1,^5)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`to_layout`](Self::to_layout) and [`Layout::inverse`].
    pub const fn inverse(&self) -> Result<Layout, Error> {
        Ok(with_integer_strides(tri!(tri!(self.to_layout()).inverse())))
    }

    /// The coordinates whose offset is 0: those of the inner layout, because a swizzle maps 0, and nothing else, to 0.
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// assert_eq!(Composed::new(Swizzle::new(1, 0, 1)?, 0, layout!((4,8):(0,1)))?.nullspace()?, layout!(4:1));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Layout::nullspace`]; [`Error::NotXorLinear`] for an offset other than 0.
    pub const fn nullspace(&self) -> Result<Layout, Error> {
        if self.offset() != 0 {
            let reason = "the offset before the swizzle is not 0, and coordinate 0 is not in the nullspace";
            return Err(Error::NotXorLinear { reason });
        }
        self.layout().nullspace()
    }
}

impl AnyLayout {
    /// [`Layout::common_layout`] for layouts that may be swizzled: the largest one. [`max_common_layout`] is CuTe's, which
    /// ends where a swizzle takes elements apart.
    ///
    /// [`max_common_layout`]: Self::max_common_layout
    ///
    /// ```
    /// use tilework::{AnyLayout, Composed, Swizzle, layout};
    /// let rows = layout!((64,8):(1,64));
    /// let shared: AnyLayout = Composed::new(Swizzle::new(3, 3, 3)?, 0, rows)?.into();
    /// assert_eq!(shared.common_layout(&rows.into())?, layout!(64:1));
    /// assert_eq!(shared.common_layout(&shared)?.size(), 512);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Composed::to_layout`] and [`Layout::common_layout`].
    pub const fn common_layout(&self, other: &AnyLayout) -> Result<Layout, Error> {
        if let (AnyLayout::Plain(left), AnyLayout::Plain(right)) = (self, other) {
            return left.common_layout(right);
        }
        let (left, right) = (tri!(self.to_layout()), tri!(other.to_layout()));
        let common = match (left.codomain(), right.codomain(), left.as_xor(), right.as_xor()) {
            (Codomain::Xor, Codomain::Integer, _, Some(right)) => left.common_layout(&right),
            (Codomain::Integer, Codomain::Xor, Some(left), _) => left.common_layout(&right),
            _ => left.common_layout(&right),
        };
        Ok(with_integer_strides(tri!(common)))
    }

    /// The size of [`common_layout`](Self::common_layout).
    ///
    /// ```
    /// use tilework::{AnyLayout, Composed, Swizzle, layout};
    /// let rows = layout!((64,16):(1,64));
    /// let shared: AnyLayout = Composed::new(Swizzle::new(3, 3, 6)?, 0, rows)?.into();
    /// assert_eq!(shared.common_vector(&rows.into())?, 512);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`common_layout`](Self::common_layout).
    pub const fn common_vector(&self, other: &AnyLayout) -> Result<i64, Error> {
        Ok(tri!(self.common_layout(other)).size())
    }

    /// CuTe's `max_common_layout`: coordinates of elements that are contiguous in memory in both, wherever a vector of
    /// them begins. It is the common layout of the inner layouts, cut off at the elements that a swizzle keeps together:
    /// `2^base`, or fewer if the offset before it is no multiple of that. Equal swizzles and offsets permute both alike,
    /// and cut nothing off.
    ///
    /// ```
    /// use tilework::{AnyLayout, Composed, Swizzle, layout};
    /// let rows = layout!((64,8):(1,64));
    /// let shared: AnyLayout = Composed::new(Swizzle::new(3, 3, 3)?, 0, rows)?.into();
    /// assert_eq!(shared.max_common_layout(&rows.into())?, layout!(8:1));
    /// assert_eq!(shared.max_common_layout(&shared)?, layout!(512:1));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Layout::common_layout`] and [`Layout::composition`].
    pub const fn max_common_layout(&self, other: &AnyLayout) -> Result<Layout, Error> {
        let common = tri!(self.layout().common_layout(other.layout()));
        let most = self.kept_together(other);
        if common.size() <= most { Ok(common) } else { common.composition(&tri!(line(most, 1))) }
    }

    /// CuTe's `max_common_vector`: how many elements are contiguous in memory in both, wherever a vector of them begins.
    ///
    /// ```
    /// use tilework::{AnyLayout, Composed, Swizzle, layout};
    /// let rows = layout!((64,8):(1,64));
    /// let shared: AnyLayout = Composed::new(Swizzle::new(3, 3, 3)?, 0, rows)?.into();
    /// assert_eq!(shared.max_common_vector(&rows.into())?, 8);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Layout::common_layout`].
    pub const fn max_common_vector(&self, other: &AnyLayout) -> Result<i64, Error> {
        let (size, most) = (tri!(self.layout().common_vector(other.layout())), self.kept_together(other));
        Ok(if size < most { size } else { most })
    }

    /// How many contiguous elements the swizzles of both keep together, wherever a vector of them begins.
    const fn kept_together(&self, other: &AnyLayout) -> i64 {
        if let (AnyLayout::Swizzled(one), AnyLayout::Swizzled(two)) = (self, other)
            && one.swizzle().same(two.swizzle())
            && one.offset() == two.offset()
        {
            return i64::MAX;
        }
        let (one, two) = (self.piece(), other.piece());
        if one < two { one } else { two }
    }

    const fn piece(&self) -> i64 {
        let AnyLayout::Swizzled(composed) = self else { return i64::MAX };
        let is_swizzled = composed.swizzle().bits() > 0;
        let mut kept = if is_swizzled { 1 << composed.swizzle().base() } else { 0 };
        if is_swizzled || matches!(composed.layout().codomain(), Codomain::Xor) {
            kept |= composed.offset();
        }
        // The lowest bit.
        if kept == 0 { i64::MAX } else { kept & kept.wrapping_neg() }
    }

    /// The layout that is the same function of integral coordinates.
    ///
    /// ```
    /// use tilework::{AnyLayout, layout};
    /// assert_eq!(AnyLayout::Plain(layout!(4:2)).to_layout()?, layout!(4:2));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Composed::to_layout`].
    pub const fn to_layout(&self) -> Result<Layout, Error> {
        match self {
            AnyLayout::Plain(layout) => Ok(*layout),
            AnyLayout::Swizzled(composed) => composed.to_layout(),
        }
    }
}

const fn line(extent: i64, stride: i64) -> Result<Layout, Error> {
    Layout::new(HTuple::leaf(Leaf::new(extent, stride)))
}

/// The same function with integer strides, if it has them.
const fn with_integer_strides(layout: Layout) -> Layout {
    match layout.codomain() {
        Codomain::Xor => match layout.xor_to_integer() {
            Ok(integer) => integer,
            Err(_) => layout,
        },
        _ => layout,
    }
}
