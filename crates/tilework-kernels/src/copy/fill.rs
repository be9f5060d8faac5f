//! The functions that fill a tile, compiled with the instructions of each set. Each is compiled on its own: a tile
//! takes far longer than a call, and one large function far longer to compile than many small ones.

use super::carried::{self, Carried};
use super::strategy::{Along, Kind, Transposition, Walk};
use super::stream::{Place, Rows};
use super::strided;
use super::tile::{self, Tile};
use super::transpose;
use crate::cpu::isa::Isa;
use crate::simd::lanes::{self, Lanes};
use crate::simd::strided::{Interleave, Split};

/// The functions of one instruction set.
///
/// # Safety
/// The processor has the instructions, and the tile fulfils the contract of the function of the same name in `tile`,
/// `transpose` or `carried`.
pub(super) trait Fill {
    unsafe fn pieces(&self, walk: &Walk, tile: &Tile, streams: bool);
    unsafe fn stream_pieces(&self, tile: &Tile, short: bool);
    unsafe fn interleave(&self, by: Option<Interleave>, tile: &Tile, streams: bool);
    unsafe fn split(&self, by: Option<Split>, staged: [bool; 2], tile: &Tile, streams: bool);
    unsafe fn splat(&self, unit: usize, tile: &Tile);
    unsafe fn scatter(&self, by: &Along, tile: &Tile);
    unsafe fn transpose(&self, unit: usize, by: &Transposition, tile: &Tile, streams: bool);
    unsafe fn carry_transposed(
        &self,
        unit: usize,
        by: &Transposition,
        tile: &Tile,
        carried: &mut Carried,
        rows: usize,
    );
    unsafe fn carry_pieces(&self, tile: &Tile, carried: &mut Carried, rows: usize);
    unsafe fn advance(&self, rows: &mut Rows, place: &Place);
    unsafe fn fence(&self);
}

/// The functions of a set.
pub(super) fn of(isa: Isa) -> &'static dyn Fill {
    match isa.registers() {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => &lanes::Avx2,
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => &lanes::Avx512,
        #[cfg(target_arch = "aarch64")]
        Isa::Neon => &lanes::Neon,
        _ => &lanes::Portable,
    }
}

/// Fills one tile of elements of `unit` bytes; past the caches where `streaming`, which needs rows of whole lines or long pieces.
///
/// # Safety
/// `from` and `to` are valid for every offset of the loops, of which the tile is a block, the strategy is theirs, and the
/// processor has the instructions.
pub(super) unsafe fn fill(fill: &dyn Fill, unit: usize, kind: &Kind, streaming: bool, tile: &Tile) {
    // SAFETY: the tile is a block of the loops, and the processor has the instructions.
    unsafe {
        match kind {
            Kind::Pieces(walk) => fill.pieces(walk, tile, streaming),
            Kind::Streamed { short } => fill.stream_pieces(tile, *short),
            Kind::Interleaved(by) => fill.interleave(*by, tile, streaming),
            Kind::Split { by, staged } => fill.split(*by, *staged, tile, streaming),
            Kind::Splat => fill.splat(unit, tile),
            Kind::Transposed(by) => fill.transpose(unit, by, tile, streaming),
            Kind::Scattered(by) => fill.scatter(by, tile),
        }
    }
}

/// Calls `of::<N>` if a number is one of these.
macro_rules! by_number {
    ($number:expr, $($n:literal)*, $function:ident $arguments:tt, $other:expr) => {
        match $number {
            $($n => $function::<$n> $arguments,)*
            _ => $other,
        }
    };
}

macro_rules! fills {
    ($set:ty $(, $features:literal)?) => {
        impl Fill for $set {
            unsafe fn pieces(&self, walk: &Walk, tile: &Tile, streams: bool) {
                #[inline(never)]
                $(#[target_feature(enable = $features)])?
                unsafe fn of<const N: usize>(walk: &Walk, tile: &Tile, streams: bool) {
                    // SAFETY: the tile has pieces of `N` bytes.
                    unsafe { tile::copy_pieces::<$set, N>(walk, tile, streams) }
                }
                // SAFETY: the tile is valid, and the processor has the instructions.
                unsafe { by_number!(tile.piece, 1 2 4 8 16 32 64, of(walk, tile, streams), tile::copy_any(tile)) }
            }

            unsafe fn stream_pieces(&self, tile: &Tile, short: bool) {
                #[inline(never)]
                $(#[target_feature(enable = $features)])?
                unsafe fn of(tile: &Tile, short: bool) {
                    // SAFETY: the tile is valid, and the processor has the instructions.
                    unsafe { tile::stream_pieces::<$set>(tile, short) }
                }
                // SAFETY: the tile is valid, and the processor has the instructions.
                unsafe { of(tile, short) }
            }

            unsafe fn interleave(&self, by: Option<Interleave>, tile: &Tile, streams: bool) {
                #[inline(never)]
                $(#[target_feature(enable = $features)])?
                unsafe fn of<const W: usize>(by: Option<Interleave>, tile: &Tile, streams: bool) {
                    // SAFETY: the tile has elements of `W` bytes.
                    unsafe {
                        let from = tile.from.offset(tile.row_from[0]);
                        strided::interleave::<$set, W>(by, from, tile.column_from, tile.row_to[0], tile.rows, streams)
                    }
                }
                // SAFETY: the tile is valid for elements of 1, 2, 4 or 8 bytes, and the processor has the instructions.
                unsafe { by_number!(tile.piece, 1 2 4, of(by, tile, streams), of::<8>(by, tile, streams)) }
            }

            unsafe fn split(&self, by: Option<Split>, staged: [bool; 2], tile: &Tile, streams: bool) {
                #[inline(never)]
                $(#[target_feature(enable = $features)])?
                unsafe fn of<const W: usize>(by: Option<Split>, staged: [bool; 2], tile: &Tile, streams: bool) {
                    // SAFETY: the tile has elements of `W` bytes.
                    unsafe {
                        let from = tile.from.offset(tile.row_from[0] + tile.column_from[0]);
                        strided::split_fields::<$set, W>(by, staged, from, tile.row_to, tile.columns, streams)
                    }
                }
                // SAFETY: the tile is valid for elements of 1, 2, 4 or 8 bytes, and the processor has the instructions.
                unsafe { by_number!(tile.piece, 1 2 4, of(by, staged, tile, streams), of::<8>(by, staged, tile, streams)) }
            }

            unsafe fn splat(&self, unit: usize, tile: &Tile) {
                #[inline(never)]
                $(#[target_feature(enable = $features)])?
                unsafe fn of<const N: usize>(tile: &Tile) {
                    // SAFETY: the tile repeats elements of `N` bytes.
                    unsafe { tile::splat::<N>(tile) }
                }
                // SAFETY: the tile is valid, and the processor has the instructions.
                unsafe { by_number!(unit, 1 2 4 8 16, of(tile), tile::splat_any(tile, unit)) }
            }

            unsafe fn scatter(&self, by: &Along, tile: &Tile) {
                #[inline(never)]
                $(#[target_feature(enable = $features)])?
                unsafe fn of<const N: usize>(by: &Along, tile: &Tile) {
                    // SAFETY: the tile has pieces of `N` bytes.
                    unsafe { tile::scatter::<$set, N>(by, tile) }
                }
                // SAFETY: the tile is valid, and the processor has the instructions.
                unsafe { by_number!(tile.piece, 1 2 4 8 16, of(by, tile), tile::scatter_any(by, tile)) }
            }

            unsafe fn transpose(&self, unit: usize, by: &Transposition, tile: &Tile, streams: bool) {
                #[inline(never)]
                $(#[target_feature(enable = $features)])?
                unsafe fn of<const W: usize>(by: &Transposition, tile: &Tile, streams: bool) {
                    // SAFETY: the tile is valid, and the processor has the instructions.
                    unsafe { transpose::transpose::<$set, W>(by, tile, streams) }
                }
                // SAFETY: the tile is valid for elements of 1, 2, 4 or 8 bytes, and the processor has the instructions.
                unsafe { by_number!(unit, 1 2 4, of(by, tile, streams), of::<8>(by, tile, streams)) }
            }

            unsafe fn carry_transposed(&self, unit: usize, by: &Transposition, tile: &Tile, carried: &mut Carried, rows: usize) {
                #[inline(never)]
                $(#[target_feature(enable = $features)])?
                unsafe fn of<const W: usize>(by: &Transposition, tile: &Tile, carried: &mut Carried, rows: usize) {
                    if !<$set as Lanes>::STREAMS {
                        unreachable!("only streamed rows are carried");
                    }
                    // SAFETY: the tile is valid, the rows were begun, and the processor has the instructions.
                    unsafe { carried::carry_transposed::<$set, W>(by, tile, carried, rows) }
                }
                // SAFETY: the tile is valid for elements of 1, 2, 4 or 8 bytes, and the processor has the instructions.
                unsafe { by_number!(unit, 1 2 4, of(by, tile, carried, rows), of::<8>(by, tile, carried, rows)) }
            }

            unsafe fn carry_pieces(&self, tile: &Tile, carried: &mut Carried, rows: usize) {
                #[inline(never)]
                $(#[target_feature(enable = $features)])?
                unsafe fn of(tile: &Tile, carried: &mut Carried, rows: usize) {
                    // SAFETY: the tile is valid, the rows were begun, and the processor has the instructions.
                    unsafe { carried::carry_pieces::<$set>(tile, carried, rows) }
                }
                // SAFETY: as above.
                unsafe { of(tile, carried, rows) }
            }

            unsafe fn advance(&self, rows: &mut Rows, place: &Place) {
                #[inline(never)]
                $(#[target_feature(enable = $features)])?
                unsafe fn of(rows: &mut Rows, place: &Place) {
                    // SAFETY: the row may be written so far, and the processor has the instructions.
                    unsafe { rows.advance::<$set>(place) }
                }
                // SAFETY: the row may be written so far, and the processor has the instructions.
                unsafe { of(rows, place) }
            }

            unsafe fn fence(&self) {
                // SAFETY: the processor has the instructions.
                unsafe { <$set as Lanes>::fence() }
            }
        }
    };
}

fills!(lanes::Portable);
#[cfg(target_arch = "x86_64")]
fills!(lanes::Avx2, "avx2");
#[cfg(target_arch = "x86_64")]
fills!(lanes::Avx512, "avx512f,avx512bw,avx512vl,avx512dq,avx2");
#[cfg(target_arch = "aarch64")]
fills!(lanes::Neon);
