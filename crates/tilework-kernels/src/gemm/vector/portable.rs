//! 16 bytes in plain Rust, for every processor.

use super::{Pack, Vector};
use crate::element::Destination;
use half::{bf16, f16};
use std::array::from_fn;

/// `N` lanes.
#[derive(Clone, Copy)]
pub(crate) struct Lanes<S, const N: usize>([S; N]);

/// Four `f32`.
pub(crate) type F32 = Lanes<f32, 4>;
/// Two `f64`.
pub(crate) type F64 = Lanes<f64, 2>;
/// Four `i32`, each a pair of `i16` where it is packed.
pub(crate) type I32 = Lanes<i32, 4>;

pub(crate) use crate::gemm::gemv::{along_rows, along_steps};
pub(crate) use crate::gemm::kernel::tile;
pub(crate) use crate::gemm::pack::{pack, pack_strided};
pub(crate) use crate::gemm::tile::product;

macro_rules! lanes {
    ($($vector:ident $scalar:ty, $lanes:literal:
        |$s:ident, $a:ident, $b:ident| $step:expr, $times:expr, $times_plus:expr;)*) => {$(
        // SAFETY: of every method, those of the trait; there are no instructions to have.
        impl Vector for $vector {
            type Scalar = $scalar;
            const LANES: usize = $lanes;

            #[inline(always)]
            unsafe fn splat(value: $scalar) -> Self {
                Lanes([value; $lanes])
            }
            #[inline(always)]
            unsafe fn load(from: *const $scalar) -> Self {
                // SAFETY: the caller's pointer is good for all lanes.
                unsafe { from.cast::<Self>().read_unaligned() }
            }
            #[inline(always)]
            unsafe fn load_first(from: *const $scalar, count: usize) -> Self {
                // SAFETY: the caller's pointer is good for `count` lanes.
                Lanes(from_fn(|i| if i < count { unsafe { *from.add(i) } } else { <$scalar>::default() }))
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $scalar) {
                // SAFETY: the caller's pointer is good for all lanes.
                unsafe { to.cast::<Self>().write_unaligned(self) }
            }
            #[inline(always)]
            unsafe fn store_first(self, to: *mut $scalar, count: usize) {
                // SAFETY: the caller's pointer is good for `count` lanes.
                (0..count).for_each(|i| unsafe { *to.add(i) = self.0[i] })
            }
            #[inline(always)]
            unsafe fn step(self, a: Self, b: Self) -> Self {
                Lanes(from_fn(|i| {
                    let ($s, $a, $b) = (self.0[i], a.0[i], b.0[i]);
                    $step
                }))
            }
            #[inline(always)]
            unsafe fn times(self, scale: Self) -> Self {
                Lanes(from_fn(|i| {
                    let ($a, $b) = (self.0[i], scale.0[i]);
                    $times
                }))
            }
            #[inline(always)]
            unsafe fn times_plus(self, scale: Self, other: Self) -> Self {
                Lanes(from_fn(|i| {
                    let ($s, $a, $b) = (other.0[i], self.0[i], scale.0[i]);
                    $times_plus
                }))
            }
            #[inline(always)]
            unsafe fn transpose(load: impl Fn(usize) -> Self, mut store: impl FnMut(usize, Self)) {
                let rows: [Self; $lanes] = from_fn(load);
                (0..$lanes).for_each(|i| store(i, Lanes(from_fn(|j| rows[j].0[i]))));
            }
        }
    )*};
}
lanes! {
    F32 f32, 4: |s, a, b| s + a * b, a * b, a * b + s;
    F64 f64, 2: |s, a, b| s + a * b, a * b, a * b + s;
    I32 i32, 4: |s, a, b| {
        let low = i32::from(a as i16) * i32::from(b as i16);
        let high = (a >> 16) * (b >> 16);
        s.wrapping_add(low).wrapping_add(high)
    }, a.wrapping_mul(b), a.wrapping_mul(b).wrapping_add(s);
}

/// Two elements of `i8` as `i16`, the first one low.
#[inline(always)]
pub(super) fn pair(first: i8, second: i8) -> i32 {
    i32::from(first as i16 as u16) | i32::from(second) << 16
}

macro_rules! one_by_one {
    ($($vector:ident from $element:ty),*) => {$(
        impl Pack<$element> for $vector {
            #[inline(always)]
            fn lane(first: $element, _: $element) -> Self::Scalar {
                first.widen()
            }
            #[inline(always)]
            unsafe fn across(first: *const $element, _: *const $element) -> Self {
                // SAFETY: the caller's pointer is good for as many elements as there are lanes.
                Lanes(from_fn(|i| unsafe { (*first.add(i)).widen() }))
            }
            #[inline(always)]
            unsafe fn along(from: *const $element) -> Self {
                // SAFETY: the same.
                unsafe { Self::across(from, from) }
            }
        }
    )*};
}
one_by_one!(F32 from f32, F64 from f64, F32 from bf16, F32 from f16);

impl Pack<i8> for I32 {
    const STEP: usize = 2;

    #[inline(always)]
    fn lane(first: i8, second: i8) -> i32 {
        pair(first, second)
    }
    #[inline(always)]
    unsafe fn across(first: *const i8, second: *const i8) -> Self {
        // SAFETY: both pointers are good for as many elements as there are lanes.
        Lanes(from_fn(|i| unsafe { pair(*first.add(i), *second.add(i)) }))
    }
    #[inline(always)]
    unsafe fn along(from: *const i8) -> Self {
        // SAFETY: the pointer is good for two elements for each lane.
        Lanes(from_fn(|i| unsafe { pair(*from.add(2 * i), *from.add(2 * i + 1)) }))
    }
}
