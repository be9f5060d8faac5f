//! The types that can be the layout of a tensor: a value, a swizzled layout, or a static layout.

use super::bounds;
use super::coordinate::Spread;
use crate::analysis::swizzled_bounds;
use crate::codomain::Codomain;
use crate::error::Error;
use crate::int;
use crate::layout::{Layout, Offset};
use crate::static_layout::StaticLayout;
use crate::stride::Rational;
use crate::swizzle::{AnyLayout, Composed};
use crate::tuple::Pattern;
use core::fmt;

/// A layout that a tensor can have.
///
/// The trait is sealed: other types can implement [`StaticLayout`].
///
/// | type | kind |
/// |---|---|
/// | [`Layout`] | a value, known at run time |
/// | a [`StaticLayout`] that is `Copy` | a type of size 0, known at compile time |
/// | [`Composed`] | a swizzled layout |
/// | [`AnyLayout`] | a layout or a swizzled one |
///
/// ```
/// use tilework::{HasLayout, layout, static_layout};
/// static_layout! { struct Rows = (4,8):(8,1); }
/// fn rank(of: impl HasLayout) -> usize {
///     of.as_layout().rank()
/// }
/// assert_eq!((rank(Rows), rank(layout!(32:1))), (2, 1));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a layout of a tensor",
    label = "a `Layout`, a `Composed`, or a `StaticLayout` that is `Copy`",
    note = "`layout!((4,8):(8,1))` is a layout; a text is one after `.parse::<Layout>()`"
)]
pub trait HasLayout: Evaluate {
    /// The kind of layout that slicing and the algebra return: [`Layout`] for a static one, and otherwise the same
    /// kind.
    type Value: HasLayout<Value = Self::Value> + Change + PartialEq + fmt::Display;

    /// The layout as a value.
    fn to_value(&self) -> Self::Value;

    /// The layout with the tensor's shape: for a swizzled layout, the inner one.
    fn as_layout(&self) -> &Layout;

    /// The layout as a value of one type for all kinds.
    ///
    /// ```
    /// use tilework::{AnyLayout, HasLayout, layout, static_layout};
    /// static_layout! { struct Rows = (4,8):(8,1); }
    /// assert_eq!(Rows.to_any(), AnyLayout::Plain(layout!((4,8):(8,1))));
    /// ```
    fn to_any(&self) -> AnyLayout {
        match self.swizzled() {
            Some(composed) => AnyLayout::Swizzled(*composed),
            None => AnyLayout::Plain(*self.as_layout()),
        }
    }
}

/// The questions that a tensor asks its layout.
pub trait Evaluate: Copy {
    /// Whether [`offset_of`](Self::offset_of) checks that a coordinate is in the shape.
    const CHECKS: bool = true;

    /// `start + L(c)` in the layout's codomain; `None` for a coordinate that is found to be outside the shape.
    fn offset_of<C: Spread>(&self, start: i64, coord: C) -> Option<i64>;

    /// The smallest and the largest `start + L(c)`.
    fn image(&self, start: i64) -> Result<(i64, i64), Error>;

    /// The number of coordinates.
    fn count(&self) -> i64;

    /// The swizzle, if there is one.
    #[inline(always)]
    fn swizzled(&self) -> Option<&Composed> {
        None
    }
}

/// The operations that change a layout.
pub trait Change: Copy {
    /// The part that a pattern leaves open, and the offset of the fixed coordinates.
    fn fix(&self, pattern: &Pattern) -> Result<(Offset, Self), Error>;

    /// The layout with other coordinates; `displaced` if an offset is added to its offsets.
    fn change(
        &self,
        displaced: bool,
        to: impl FnOnce(&Layout) -> Result<Layout, Error>,
    ) -> Result<Self, Error>;
}

impl HasLayout for Layout {
    type Value = Layout;

    fn to_value(&self) -> Layout {
        *self
    }

    #[inline(always)]
    fn as_layout(&self) -> &Layout {
        self
    }
}

impl Evaluate for Layout {
    #[inline]
    fn offset_of<C: Spread>(&self, start: i64, coord: C) -> Option<i64> {
        let mut offset = start;
        // For a coordinate of the shape nothing overflows, and for another one the sum is not used.
        let inside = if self.codomain().same(Codomain::Xor) {
            coord.spread(self, |leaf, digit| {
                offset ^= int::carryless_mul(digit, leaf.stride.numerator()).unwrap_or(0);
            })
        } else {
            coord.spread(self, |leaf, digit| {
                offset = offset.wrapping_add(digit.wrapping_mul(leaf.stride.numerator()));
            })
        };
        inside.then_some(offset)
    }

    fn image(&self, start: i64) -> Result<(i64, i64), Error> {
        bounds::of_layout(self, start)
    }

    #[inline]
    fn count(&self) -> i64 {
        self.size()
    }
}

impl Change for Layout {
    fn fix(&self, pattern: &Pattern) -> Result<(Offset, Layout), Error> {
        let view = self.slice(pattern)?;
        Ok((*view.offset(), *view.layout()))
    }

    fn change(
        &self,
        displaced: bool,
        to: impl FnOnce(&Layout) -> Result<Layout, Error>,
    ) -> Result<Layout, Error> {
        let layout = to(self)?;
        if displaced { layout.with_sums_of(self) } else { Ok(layout) }
    }
}

impl<L: StaticLayout + Copy> HasLayout for L {
    type Value = Layout;

    fn to_value(&self) -> Layout {
        L::LAYOUT
    }

    #[inline(always)]
    fn as_layout(&self) -> &Layout {
        L::layout()
    }
}

impl<L: StaticLayout + Copy> Evaluate for L {
    const CHECKS: bool = cfg!(debug_assertions);

    #[inline(always)]
    fn offset_of<C: Spread>(&self, start: i64, coord: C) -> Option<i64> {
        if const { L::LAYOUT.codomain().same(Codomain::Xor) } {
            return L::layout().offset_of(start, coord);
        }
        Some(start.wrapping_add(coord.offset_in::<L>()?))
    }

    #[inline(always)]
    fn image(&self, start: i64) -> Result<(i64, i64), Error> {
        if start == 0 {
            const { bounds::of_layout(&L::LAYOUT, 0) }
        } else {
            bounds::of_layout(L::layout(), start)
        }
    }

    #[inline(always)]
    fn count(&self) -> i64 {
        const { L::SIZE }
    }
}

macro_rules! own_value {
    ($($layout:ty)*) => {$(
        impl HasLayout for $layout {
            type Value = $layout;

            fn to_value(&self) -> $layout {
                *self
            }

            #[inline(always)]
            fn as_layout(&self) -> &Layout {
                self.layout()
            }
        }
    )*};
}
own_value! { Composed AnyLayout }

impl Evaluate for Composed {
    #[inline]
    fn offset_of<C: Spread>(&self, start: i64, coord: C) -> Option<i64> {
        Some(self.swizzle_after(start, self.layout().offset_of(0, coord)?))
    }

    fn image(&self, start: i64) -> Result<(i64, i64), Error> {
        let (low, high) = match self.bounds() {
            Err(Error::Undecided { .. }) => {
                let (low, high) = bounds::of_layout(self.layout(), self.offset())?;
                swizzled_bounds::of_interval(self.swizzle(), low, high)?
            }
            bounds => bounds?,
        };
        Ok((int::add(start, low)?, int::add(start, high)?))
    }

    fn count(&self) -> i64 {
        self.layout().size()
    }

    fn swizzled(&self) -> Option<&Composed> {
        Some(self)
    }
}

impl Composed {
    /// `start + Sw(offset + inner)`, where `inner` is an offset of the layout.
    #[inline]
    pub(super) fn swizzle_after(&self, start: i64, inner: i64) -> i64 {
        // A tensor with this layout exists, so no offset before the swizzle is negative.
        let offset = if self.layout().codomain().same(Codomain::Xor) {
            self.offset() ^ inner
        } else {
            self.offset().wrapping_add(inner)
        };
        start.wrapping_add(self.swizzle().apply(offset).unwrap_or(-1))
    }
}

impl Change for Composed {
    fn fix(&self, pattern: &Pattern) -> Result<(Offset, Composed), Error> {
        Ok((Offset::leaf(Rational::ZERO), self.slice(pattern)?))
    }

    fn change(&self, _: bool, to: impl FnOnce(&Layout) -> Result<Layout, Error>) -> Result<Composed, Error> {
        self.with_layout(to(self.layout())?)
    }
}

impl Evaluate for AnyLayout {
    #[inline]
    fn offset_of<C: Spread>(&self, start: i64, coord: C) -> Option<i64> {
        match self {
            AnyLayout::Plain(layout) => layout.offset_of(start, coord),
            AnyLayout::Swizzled(composed) => composed.offset_of(start, coord),
        }
    }

    fn image(&self, start: i64) -> Result<(i64, i64), Error> {
        match self {
            AnyLayout::Plain(layout) => layout.image(start),
            AnyLayout::Swizzled(composed) => composed.image(start),
        }
    }

    fn count(&self) -> i64 {
        self.layout().size()
    }

    fn swizzled(&self) -> Option<&Composed> {
        match self {
            AnyLayout::Plain(_) => None,
            AnyLayout::Swizzled(composed) => Some(composed),
        }
    }
}

impl Change for AnyLayout {
    fn fix(&self, pattern: &Pattern) -> Result<(Offset, AnyLayout), Error> {
        Ok(match self {
            AnyLayout::Plain(layout) => {
                let (offset, rest) = layout.fix(pattern)?;
                (offset, rest.into())
            }
            AnyLayout::Swizzled(composed) => {
                let (offset, rest) = composed.fix(pattern)?;
                (offset, rest.into())
            }
        })
    }

    fn change(
        &self,
        displaced: bool,
        to: impl FnOnce(&Layout) -> Result<Layout, Error>,
    ) -> Result<AnyLayout, Error> {
        Ok(match self {
            AnyLayout::Plain(layout) => layout.change(displaced, to)?.into(),
            AnyLayout::Swizzled(composed) => composed.change(displaced, to)?.into(),
        })
    }
}
