//! Tiles: a block of rows by a block of columns, copied from the source in the order of the destination.
//!
//! The rows of a tile are contiguous, or close together, in the source; its columns are contiguous in the destination.
//! The offsets of rows and columns are read from tables, so that one tile covers several modes of a layout.
//!
//! | kind | what it copies |
//! |---|---|
//! | [`square`] | rows that are contiguous in the source and columns that are contiguous in the destination, transposed in registers |
//! | [`line`] | pieces that are contiguous in both |
//! | [`gather`] | elements with a constant step, in the source or in the destination |
//! | [`fields`] | arrays that become structures, and structures that become arrays |
//! | [`fill`] | pieces that repeat one element |
//!
//! Each function is compiled with the instructions of each set, on its own: a tile takes far longer than a call, and one large
//! function far longer to compile than many small ones.

pub(super) mod block;
mod fields;
mod fill;
mod gather;
mod line;
pub(super) mod rows;
mod square;

use super::plan::strategy::{Kind, Transposition, Walk};
use crate::cpu::isa::Isa;
use crate::simd::lanes::{self, Lanes};
use crate::simd::strided::{Interleave, Split};
use block::Tile;
use rows::Rows;

/// The functions of one instruction set that move elements and fields.
///
/// # Safety
/// The processor has the instructions, and the tile fulfils the contract of the function that its kind has by this name.
pub(super) trait Elements {
    unsafe fn pieces(&self, walk: &Walk, tile: &Tile, streams: bool);
    unsafe fn interleaved(&self, by: Option<Interleave>, tile: &Tile, streams: bool);
    unsafe fn split(&self, by: Option<Split>, tile: &Tile, streams: bool);
    unsafe fn repeated(&self, tile: &Tile);
}

/// Those that move lines.
///
/// # Safety
/// As [`Elements`].
pub(super) trait Lines {
    unsafe fn streamed(&self, tile: &Tile, short: bool);
    unsafe fn transposed(&self, by: &Transposition, tile: &Tile, streams: bool);
    unsafe fn carry_transposed(&self, by: &Transposition, tile: &Tile, rows: &mut Rows);
    unsafe fn carry_pieces(&self, tile: &Tile, rows: &mut Rows);
    unsafe fn advance(&self, rows: &mut Rows, row: usize, from: *const u8, bytes: usize);
    unsafe fn fence(&self);
}

/// The functions of a set: registers of a line are faster for lines only.
#[derive(Clone, Copy)]
pub(super) struct Fill {
    elements: &'static dyn Elements,
    pub lines: &'static dyn Lines,
}

/// The functions of a set.
pub(super) fn of(isa: Isa) -> Fill {
    match isa.registers() {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => Fill { elements: &lanes::Avx2, lines: &lanes::Avx2 },
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => Fill { elements: &lanes::Avx2, lines: &lanes::Avx512 },
        #[cfg(target_arch = "aarch64")]
        Isa::Neon => Fill { elements: &lanes::Neon, lines: &lanes::Neon },
        _ => Fill { elements: &lanes::Portable, lines: &lanes::Portable },
    }
}

/// Fills one tile; past the caches where `streaming`, which needs rows of whole lines or long pieces.
///
/// # Safety
/// `from` and `to` are valid for every offset of the loops, of which the tile is a block, the strategy is theirs, and the
/// processor has the instructions.
pub(super) unsafe fn fill(Fill { elements, lines }: Fill, kind: &Kind, streaming: bool, tile: &Tile) {
    // SAFETY: the tile is a block of the loops, and the processor has the instructions.
    unsafe {
        match kind {
            Kind::Pieces(walk) => elements.pieces(walk, tile, streaming),
            Kind::Streamed { short } => lines.streamed(tile, *short),
            Kind::Interleaved(by) => elements.interleaved(*by, tile, streaming),
            Kind::Split(by) => elements.split(*by, tile, streaming),
            Kind::Repeated => elements.repeated(tile),
            Kind::Transposed(by) => lines.transposed(by, tile, streaming),
        }
    }
}

/// A function of a set that is compiled for each of some numbers `N`, or once.
macro_rules! function {
    ([$set:ty $(, $features:literal)?] $name:ident($($argument:ident: $type:ty),*) $number:expr;
     $($n:literal)* => $call:expr, $rest:pat => $other:expr) => {
        unsafe fn $name(&self, $($argument: $type),*) {
            #[inline(never)]
            $(#[target_feature(enable = $features)])?
            unsafe fn of<const N: usize>($($argument: $type),*) {
                // SAFETY: the contract is the same.
                unsafe { $call }
            }
            // SAFETY: the tile is valid for the number, and the processor has the instructions.
            unsafe {
                let of: unsafe fn($($type),*) = match $number {
                    $($n => of::<$n>,)*
                    $rest => $other,
                };
                of($($argument),*)
            }
        }
    };
    ([$set:ty $(, $features:literal)?] $name:ident($($argument:ident: $type:ty),*) $call:expr) => {
        unsafe fn $name(&self, $($argument: $type),*) {
            #[inline(never)]
            $(#[target_feature(enable = $features)])?
            unsafe fn of($($argument: $type),*) {
                // SAFETY: the contract is the same.
                unsafe { $call }
            }
            // SAFETY: the tile is valid, and the processor has the instructions.
            unsafe { of($($argument),*) }
        }
    };
}

macro_rules! elements {
    ($set:ty $(, $features:literal)?) => {
        impl Elements for $set {
            function!([$set $(, $features)?] pieces(walk: &Walk, tile: &Tile, streams: bool) tile.piece;
                1 2 4 8 16 32 64 => line::pieces::<$set, N>(walk, tile, streams),
                _ => line::pieces_of_any_size);
            function!([$set $(, $features)?] interleaved(by: Option<Interleave>, tile: &Tile, streams: bool) tile.piece;
                1 2 4 8 => fields::interleaved::<$set, N>(by, tile, streams),
                size => unreachable!("fields of {size} bytes"));
            function!([$set $(, $features)?] split(by: Option<Split>, tile: &Tile, streams: bool) tile.piece;
                1 2 4 8 => fields::split::<$set, N>(by, tile, streams),
                size => unreachable!("fields of {size} bytes"));
            function!([$set $(, $features)?] repeated(tile: &Tile) tile.unit;
                1 2 4 8 16 => fill::repeated::<N>(tile), _ => fill::repeated_of_any_size);
        }
    };
}

macro_rules! lines {
    ($set:ty $(, $features:literal)?) => {
        impl Lines for $set {
            function!([$set $(, $features)?] streamed(tile: &Tile, short: bool) line::streamed::<$set>(tile, short));
            function!([$set $(, $features)?]
                transposed(by: &Transposition, tile: &Tile, streams: bool) tile.unit;
                1 2 4 8 => square::transposed::<$set, N>(by, tile, streams),
                unit => unreachable!("squares of {unit} bytes"));
            function!([$set $(, $features)?]
                carry_transposed(by: &Transposition, tile: &Tile, rows: &mut Rows) tile.unit;
                1 2 4 8 => square::carried::<$set, N>(by, tile, rows),
                unit => unreachable!("squares of {unit} bytes"));
            function!([$set $(, $features)?] carry_pieces(tile: &Tile, rows: &mut Rows)
                line::carried::<$set>(tile, rows));
            function!([$set $(, $features)?]
                advance(rows: &mut Rows, row: usize, from: *const u8, bytes: usize)
                rows.advance::<$set>(row, from, bytes));

            unsafe fn fence(&self) {
                // SAFETY: the processor has the instructions.
                unsafe { <$set as Lanes>::fence() }
            }
        }
    };
}

elements!(lanes::Portable);
lines!(lanes::Portable);
#[cfg(target_arch = "x86_64")]
elements!(lanes::Avx2, "avx2");
#[cfg(target_arch = "x86_64")]
lines!(lanes::Avx2, "avx2");
#[cfg(target_arch = "x86_64")]
lines!(lanes::Avx512, "avx512f,avx512bw,avx512vl,avx512dq,avx2");
#[cfg(target_arch = "aarch64")]
elements!(lanes::Neon);
#[cfg(target_arch = "aarch64")]
lines!(lanes::Neon);
