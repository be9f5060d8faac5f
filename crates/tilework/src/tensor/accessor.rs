//! Accessors: the elements that a tensor reads and writes (paper, definition 2.18).

use super::displace::AccessorOffset;
#[cfg(doc)]
use crate::Coord;
use core::ops::Range;

/// A type with an element at each of some offsets: a pointer, an array, a counting iterator (paper, definition 2.18).
///
/// | accessor | element at offset `d` |
/// |---|---|
/// | `[T]`, `[T; N]`, `Vec<T>` with the feature `alloc` | element `d` |
/// | a reference to an accessor | that of the accessor |
/// | [`Counting`](super::Counting) | `d` |
/// | [`CountingCoord`](super::CountingCoord) | the coordinate `d` |
/// | [`Constant`](super::Constant) | the same for all |
/// | [`Transform`](super::Transform) | a function of another accessor's |
///
/// Other types that implement it can be bound to every layout too:
///
/// ```
/// use tilework::{Accessor, Tensor, layout};
/// use std::ops::Range;
/// /// The bits of a word.
/// struct Bits(u32);
/// impl Accessor for Bits {
///     type Element = bool;
///     type Offset = i64;
///     fn read(&self, offset: i64) -> bool {
///         self.0 >> offset & 1 == 1
///     }
///     fn bounds(&self) -> Option<Range<i64>> {
///         Some(0..32)
///     }
/// }
/// let rows = Tensor::new(Bits(0x0f01), layout!((4,8):(8,1)))?;
/// assert_eq!((rows.at([0, 0]), rows.at([0, 1]), rows.at([1, 3])), (true, false, true));
/// assert!(Tensor::new(Bits(0), layout!((5,8):(8,1))).is_err());
/// # Ok::<(), tilework::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a tensor cannot hold a `{Self}` here: pass a slice, or for a `Vec` enable the feature `alloc` of `tilework`",
    note = "slices, arrays and whatever implements `Accessor` have elements at offsets"
)]
pub trait Accessor {
    /// The type of an element.
    type Element;

    /// The type of an offset: `i64`, or a [`Coord`].
    type Offset: AccessorOffset;

    /// The element at an offset: `e[d]`, which is `*(e + d)`.
    ///
    /// A tensor reads only within the bounds. Other callers can pass any offset, so an accessor over raw memory has to
    /// check its bounds itself, or has to be constructed by an `unsafe` function that makes the caller responsible.
    ///
    /// # Panics
    /// It may panic beyond the bounds.
    fn read(&self, offset: Self::Offset) -> Self::Element;

    /// The valid offsets, or `None` if all are valid. They are read when the accessor is combined with a layout, and
    /// must not become fewer while it is part of a tensor.
    fn bounds(&self) -> Option<Range<i64>> {
        None
    }
}

/// An accessor that can be written to.
pub trait AccessorMut: Accessor {
    /// Writes the element at an offset.
    ///
    /// # Panics
    /// It may panic beyond the bounds.
    fn write(&mut self, offset: Self::Offset, value: Self::Element);
}

macro_rules! references {
    ($($type:ty)*) => {$(
        impl<A: Accessor + ?Sized> Accessor for $type {
            type Element = A::Element;
            type Offset = A::Offset;

            #[inline(always)]
            fn read(&self, offset: A::Offset) -> A::Element {
                (**self).read(offset)
            }

            #[inline(always)]
            fn bounds(&self) -> Option<Range<i64>> {
                (**self).bounds()
            }
        }
    )*};
}
references!(&A &mut A);

impl<A: AccessorMut + ?Sized> AccessorMut for &mut A {
    #[inline(always)]
    fn write(&mut self, offset: A::Offset, value: A::Element) {
        (**self).write(offset, value)
    }
}

macro_rules! memory {
    ($([$($generics:tt)*] $type:ty;)*) => {$(
        impl<T: Copy, $($generics)*> Accessor for $type {
            type Element = T;
            type Offset = i64;

            #[inline(always)]
            fn read(&self, offset: i64) -> T {
                self[offset as usize]
            }

            #[inline(always)]
            fn bounds(&self) -> Option<Range<i64>> {
                // There can be more zero-sized elements than offsets.
                Some(0..i64::try_from(self.len()).unwrap_or(i64::MAX))
            }
        }

        impl<T: Copy, $($generics)*> AccessorMut for $type {
            #[inline(always)]
            fn write(&mut self, offset: i64, value: T) {
                self[offset as usize] = value;
            }
        }
    )*};
}
memory! {
    [] [T];
    [const N: usize] [T; N];
}
#[cfg(feature = "alloc")]
memory! { [] alloc::vec::Vec<T>; }
