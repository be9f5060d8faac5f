//! 16 bytes in plain Rust, for every processor.

use super::{Pack, Vector};
use half::{bf16, f16};
use std::array::from_fn;

/// Four `f32`.
#[derive(Clone, Copy)]
pub(crate) struct F32([f32; 4]);
/// Two `f64`.
#[derive(Clone, Copy)]
pub(crate) struct F64([f64; 2]);
/// Four `i32`, each a pair of `i16` where it is packed.
#[derive(Clone, Copy)]
pub(crate) struct I32([i32; 4]);

#[inline(always)]
fn splat<S: Copy, const N: usize>(value: S) -> [S; N] {
    [value; N]
}

/// # Safety
/// `from` is valid for reads of `N` elements.
#[inline(always)]
unsafe fn load<S, const N: usize>(from: *const [S; N]) -> [S; N] {
    // SAFETY: `from` is valid for reads.
    unsafe { from.read_unaligned() }
}

/// # Safety
/// `to` is valid for writes of `N` elements.
#[inline(always)]
unsafe fn store<S, const N: usize>(to: *mut [S; N], value: [S; N]) {
    // SAFETY: `to` is valid for writes.
    unsafe { to.write_unaligned(value) }
}

#[inline(always)]
fn transpose<S: Copy, const N: usize>(rows: [[S; N]; N]) -> [[S; N]; N] {
    from_fn(|i| from_fn(|j| rows[j][i]))
}

vector! {
    F32: 4 f32;
    splat splat, load load, store store;
    fma_packed |sum, a, b| from_fn(|i| sum[i] + a[i] * b[i]);
    mul |value, scale| from_fn(|i| value[i] * scale[i]);
    mul_add |value, scale, added| from_fn(|i| value[i] * scale[i] + added[i]);
    transpose transpose;
}
vector! {
    F64: 2 f64;
    splat splat, load load, store store;
    fma_packed |sum, a, b| from_fn(|i| sum[i] + a[i] * b[i]);
    mul |value, scale| from_fn(|i| value[i] * scale[i]);
    mul_add |value, scale, added| from_fn(|i| value[i] * scale[i] + added[i]);
    transpose transpose;
}
vector! {
    I32: 4 i32;
    splat splat, load load, store store;
    fma_packed |sum, a, b| from_fn(|i| {
        let low = i32::from(a[i] as i16) * i32::from(b[i] as i16);
        let high = (a[i] >> 16) * (b[i] >> 16);
        sum[i].wrapping_add(low).wrapping_add(high)
    });
    mul |value, scale| from_fn(|i| value[i].wrapping_mul(scale[i]));
    mul_add |value, scale, added| from_fn(|i| value[i].wrapping_mul(scale[i]).wrapping_add(added[i]));
    transpose transpose;
}

/// Two elements of `i8` as `i16`, the first one low.
#[inline(always)]
pub(super) fn pair(first: i8, second: i8) -> i32 {
    i32::from(first as i16 as u16) | i32::from(second) << 16
}

pack_one! {
    F32 from f32: |from| Self::load(from);
    F64 from f64: |from| Self::load(from);
    F32 from bf16: |from| F32(from_fn(|i| f32::from(*from.add(i))));
    F32 from f16: |from| F32(from_fn(|i| f32::from(*from.add(i))));
}
pack_pairs! {
    across |first, second| I32(from_fn(|i| pair(*first.add(i), *second.add(i))));
    along |from| I32(from_fn(|i| pair(*from.add(2 * i), *from.add(2 * i + 1))));
}
