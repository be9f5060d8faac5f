//! Vectors of 16 bytes in plain Rust, for every processor.

use super::{MAX_STEP, Narrow, Pack, Vector};
use half::{bf16, f16};
use std::array::from_fn;
use std::ops::Mul;

/// An array of the expression for each lane, unrolled: kernels use it for every column.
macro_rules! lanes {
    ([$($lane:literal)*] |$i:ident| $value:expr) => {
        [$({
            let $i = $lane;
            $value
        }),*]
    };
}

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
fn mul<S: Copy + Mul<Output = S>, const N: usize>(value: [S; N], scale: [S; N]) -> [S; N] {
    from_fn(|i| value[i] * scale[i])
}

#[inline(always)]
fn wrapping_mul<const N: usize>(value: [i32; N], scale: [i32; N]) -> [i32; N] {
    from_fn(|i| value[i].wrapping_mul(scale[i]))
}

#[inline(always)]
fn transpose<S: Copy, const N: usize>(rows: [[S; N]; N]) -> [[S; N]; N] {
    from_fn(|i| from_fn(|j| rows[j][i]))
}

vector! {
    F32([f32; 4]): 4 f32;
    splat splat, load load, store store;
    mul mul, transpose transpose;
    mul_add |value, scale, added| lanes!([0 1 2 3] |i| value[i] * scale[i] + added[i]);
}
vector! {
    F64([f64; 2]): 2 f64;
    splat splat, load load, store store;
    mul mul, transpose transpose;
    mul_add |value, scale, added| lanes!([0 1] |i| value[i] * scale[i] + added[i]);
}
vector! {
    I32([i32; 4]): 4 i32;
    splat splat, load load, store store;
    mul wrapping_mul, transpose transpose;
    fma_packed |sum, a, b| lanes!([0 1 2 3] |i| {
        let low = i32::from(a[i] as i16) * i32::from(b[i] as i16);
        let high = (a[i] >> 16) * (b[i] >> 16);
        sum[i].wrapping_add(low).wrapping_add(high)
    });
    mul_add |value, scale, added| lanes!([0 1 2 3] |i| value[i].wrapping_mul(scale[i]).wrapping_add(added[i]));
}

/// Four elements of `i8`, the first one low.
#[inline(always)]
pub(super) fn quad(elements: [i8; 4]) -> i32 {
    i32::from_le_bytes(elements.map(|element| element as u8))
}

/// The bits of two elements of `bf16`, the first one low.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn halves(first: bf16, second: bf16) -> f32 {
    f32::from_bits(u32::from(first.to_bits()) | u32::from(second.to_bits()) << 16)
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
narrow! {
    F32 to f16: |value, to| store(to.cast(), value.map(f16::from_f32));
    F32 to bf16: |value, to| store(to.cast(), value.map(bf16::from_f32));
}
pack_several! {
    I32 from 2 i8;
    lane |elements| pair(elements[0], elements[1]);
    join |lane, element, _at| lane | pair(0, element);
    across |from| I32(from_fn(|i| pair(*from[0].add(i), *from[1].add(i))));
    along |first| I32(from_fn(|i| pair(*first.add(2 * i), *first.add(2 * i + 1))));
}
