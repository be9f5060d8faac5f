//! Tiles of AMX: 16 rows of 64 bytes, of which eight are registers.
//!
//! The instructions are written as assembly: their intrinsics are not stable. The compiler does not know the registers,
//! so only this code uses them between `configure` and `release`.

use super::Matrices;
use crate::simd::vector::Vector;
use crate::simd::vector::avx512::{F32, I32};
use std::arch::asm;
use std::marker::PhantomData;

/// The tiles of a processor, or of a model of one.
///
/// # Safety
/// The processor has the instructions, the system lets the process use them, and the pointers are valid for 16 rows of
/// 64 bytes, `pitch` bytes apart.
pub(crate) trait Tiles<S> {
    unsafe fn configure() -> Self;
    unsafe fn zero<const TO: usize>(&mut self);
    unsafe fn load<const TO: usize>(&mut self, from: *const S, pitch: usize);
    unsafe fn store<const FROM: usize>(&mut self, to: *mut S, pitch: usize);
    /// `TO += A B`, with `A` by rows, and `B` with as many bytes of a column side by side as a sum has.
    unsafe fn multiply<const TO: usize, const A: usize, const B: usize>(&mut self);
    unsafe fn release(&mut self);
}

/// Bytes of a row of a tile, and rows.
pub(crate) const ROW: usize = 64;
pub(crate) const ROWS: usize = 16;

/// The tiles of the processor.
pub(crate) struct Hardware;

/// All tiles are 16 rows of 64 bytes.
#[repr(C, align(64))]
struct Configuration([u8; 64]);
static CONFIGURATION: Configuration = {
    let mut bytes = [0; 64];
    bytes[0] = 1;
    let mut tile = 0;
    while tile < 8 {
        bytes[16 + 2 * tile] = ROW as u8;
        bytes[48 + tile] = ROWS as u8;
        tile += 1;
    }
    Configuration(bytes)
};

macro_rules! tiles {
    ($($sum:ty, $multiply:literal;)*) => {$(
        impl Tiles<$sum> for Hardware {
            #[inline(always)]
            unsafe fn configure() -> Self {
                // SAFETY: the processor has the instruction, and the configuration has 64 bytes.
                unsafe { asm!("ldtilecfg [{0}]", in(reg) &raw const CONFIGURATION, options(nostack, preserves_flags)) };
                Hardware
            }
            #[inline(always)]
            unsafe fn zero<const TO: usize>(&mut self) {
                // SAFETY: the processor has the instruction.
                unsafe { asm!("tilezero tmm{0}", const TO, options(nomem, nostack, preserves_flags)) };
            }
            #[inline(always)]
            unsafe fn load<const TO: usize>(&mut self, from: *const $sum, pitch: usize) {
                // SAFETY: the processor has the instruction, and the rows are valid for reads.
                unsafe {
                    asm!("tileloadd tmm{0}, [{1} + {2}]", const TO, in(reg) from, in(reg) pitch,
                        options(nostack, preserves_flags));
                }
            }
            #[inline(always)]
            unsafe fn store<const FROM: usize>(&mut self, to: *mut $sum, pitch: usize) {
                // SAFETY: the processor has the instruction, and the rows are valid for writes.
                unsafe {
                    asm!("tilestored [{1} + {2}], tmm{0}", const FROM, in(reg) to, in(reg) pitch,
                        options(nostack, preserves_flags));
                }
            }
            #[inline(always)]
            unsafe fn multiply<const TO: usize, const A: usize, const B: usize>(&mut self) {
                // SAFETY: the processor has the instruction.
                unsafe {
                    asm!(concat!($multiply, " tmm{0}, tmm{1}, tmm{2}"), const TO, const A, const B,
                        options(nomem, nostack, preserves_flags));
                }
            }
            #[inline(always)]
            unsafe fn release(&mut self) {
                // SAFETY: the processor has the instruction.
                unsafe { asm!("tilerelease", options(nomem, nostack, preserves_flags)) };
            }
        }
    )*};
}
tiles! {
    i32, "tdpbssd";
    f32, "tdpbf16ps";
}

/// 48 rows by 16 columns in three tiles. The instruction's operand `A` holds columns of the product.
pub(crate) struct ByTiles<V, T>(PhantomData<(V, T)>);

macro_rules! matrices {
    ($($vector:ident $sum:ty;)*) => {$(
        impl<T: Tiles<$sum>> Matrices for ByTiles<$vector, T> {
            type Sums = $vector;
            const ROWS: usize = 48;

            #[inline(always)]
            unsafe fn multiply<const MV: usize>(steps: usize, a: *const $sum, b: *const $sum, sums: *mut $sum) {
                const PITCH: usize = 48 * size_of::<$sum>();
                // SAFETY: a step has 16 rows of three tiles of `A`, and one tile of `B`; there is room for three tiles of sums.
                unsafe {
                    let mut tiles = T::configure();
                    tiles.zero::<0>();
                    tiles.zero::<1>();
                    tiles.zero::<2>();
                    for step in 0..steps {
                        let a = a.add(step * 16 * 48);
                        tiles.load::<6>(b.add(step * 16 * $vector::LANES), ROW);
                        tiles.load::<3>(a, PITCH);
                        tiles.multiply::<0, 6, 3>();
                        if MV > 1 {
                            tiles.load::<4>(a.add(16), PITCH);
                            tiles.multiply::<1, 6, 4>();
                        }
                        if MV > 2 {
                            tiles.load::<5>(a.add(32), PITCH);
                            tiles.multiply::<2, 6, 5>();
                        }
                    }
                    tiles.store::<0>(sums, PITCH);
                    tiles.store::<1>(sums.add(16), PITCH);
                    tiles.store::<2>(sums.add(32), PITCH);
                    tiles.release();
                }
            }
        }
    )*};
}
matrices! {
    I32 i32;
    F32 f32;
}
