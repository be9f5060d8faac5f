//! Arrays with static layouts, which the compiler checks against each other.

use super::displace::Displace;
use super::{Accessor, Tensor, bounds};
use crate::error::{Error, tri, unwrap};
use crate::static_layout::StaticLayout;

/// An accessor whose length is part of its type: an array, or a reference to one.
pub trait Array: Accessor<Offset = i64> {
    /// The number of elements.
    const LENGTH: usize;
}

impl<T: Copy, const N: usize> Array for [T; N] {
    const LENGTH: usize = N;
}

impl<A: Array> Array for &A {
    const LENGTH: usize = A::LENGTH;
}

impl<A: Array> Array for &mut A {
    const LENGTH: usize = A::LENGTH;
}

impl<A: Array, L: StaticLayout + Copy> Tensor<A, L> {
    /// `accessor o layout` of an array, or a reference to one, and a static layout.
    ///
    /// ```
    /// use tilework::{Tensor, static_layout};
    /// static_layout! { struct Rows = (4,8):(8,1); }
    /// let data = [0.5f32; 32];
    /// let tensor = Tensor::fixed(&data, Rows);
    /// assert_eq!(tensor.at([3, 7]), 0.5);
    /// ```
    ///
    /// An array that is too short does not compile:
    ///
    /// ```compile_fail
    /// use tilework::{Tensor, static_layout};
    /// static_layout! { struct Padded = (4,8):(1,5); }
    /// // the offsets go from 0 to 38, but the accessor has those from 0 to 31; ...
    /// Tensor::fixed([0.5f32; 32], Padded);
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn fixed(accessor: A, layout: L) -> Self {
        const { require::<A, L>() }
        Tensor { accessor, offset: Displace::ZERO, layout }
    }
}

#[track_caller]
const fn require<A: Array, L: StaticLayout>() {
    unwrap(check::<A, L>())
}

const fn check<A: Array, L: StaticLayout>() -> Result<(), Error> {
    let (min, max) = tri!(bounds::of_layout(&L::LAYOUT, 0));
    let end = if A::LENGTH > i64::MAX as usize { i64::MAX } else { A::LENGTH as i64 };
    if min < 0 || max >= end { Err(Error::Image { min, max, start: 0, end }) } else { Ok(()) }
}
