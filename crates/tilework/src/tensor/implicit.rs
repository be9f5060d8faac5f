//! Accessors without memory: elements are computed from the offset.

use super::accessor::Accessor;
use super::displace::AccessorOffset;
use crate::shape::Coord;
use core::ops::Range;

/// The counting accessor: `*{a}` is `a` (paper, section 2.5).
///
/// A tensor of it has the offsets as its elements. The `a` is the offset of the [`Tensor`](super::Tensor).
///
/// ```
/// use tilework::{Counting, Tensor, layout};
/// let tensor = Tensor::with_offset(Counting, 8, layout!((3,2):(15,100)))?;
/// assert_eq!((tensor.at([2, 1]), format!("{tensor:?}").as_str()), (138, "{8} o (3,2):(15,100)"));
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counting;

impl Accessor for Counting {
    type Element = i64;
    type Offset = i64;

    #[inline(always)]
    fn read(&self, offset: i64) -> i64 {
        offset
    }
}

/// The accessor of coordinates: `*{(a,b)}` is `(a,b)` (paper, section 2.5).
///
/// ```
/// use tilework::{CountingCoord, Tensor, layout};
/// // Figure 4a: a layout with coordinate strides.
/// let tensor = Tensor::new(CountingCoord, layout!((4,(4,2)):(1@1,(1@0,6@1))))?;
/// assert_eq!(tensor.at([2, 5]).to_string(), "(1,8)");
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CountingCoord;

impl Accessor for CountingCoord {
    type Element = Coord;
    type Offset = Coord;

    #[inline(always)]
    fn read(&self, offset: Coord) -> Coord {
        offset
    }
}

/// The accessor with one element at all offsets.
///
/// ```
/// use tilework::{Constant, Tensor, layout};
/// let ones = Tensor::new(Constant(1.0), layout!((1000,1000):(0,0)))?;
/// assert_eq!(ones.at([7, 999]), 1.0);
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Constant<T>(
    /// The element.
    pub T,
);

impl<T: Copy> Accessor for Constant<T> {
    type Element = T;
    type Offset = i64;

    #[inline(always)]
    fn read(&self, _: i64) -> T {
        self.0
    }
}

/// The accessor of a function's results for another accessor's elements, made by [`Tensor::map`](super::Tensor::map).
///
/// ```
/// use tilework::{Tensor, layout};
/// let bytes = [1u8, 2, 3, 250];
/// let wide = Tensor::new(&bytes, layout!((2,2):(2,1)))?.map(|byte| byte as u32 * 2);
/// assert_eq!(wide.at([1, 1]), 500);
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Transform<A, F> {
    pub(super) accessor: A,
    pub(super) function: F,
}

impl<A: Accessor, T, F: Fn(A::Element) -> T> Accessor for Transform<A, F>
where
    A::Offset: AccessorOffset,
{
    type Element = T;
    type Offset = A::Offset;

    #[inline(always)]
    fn read(&self, offset: A::Offset) -> T {
        (self.function)(self.accessor.read(offset))
    }

    #[inline(always)]
    fn bounds(&self) -> Option<Range<i64>> {
        self.accessor.bounds()
    }
}
