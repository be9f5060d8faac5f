//! Running the loops of a copy.

use super::plan::{CopyLoops, Method};
use super::stream::Rows;
use super::tile::{Tile, copy_pieces, scatter, splat, splat_any, stream_pieces};
use super::transpose::{Carried, Destination, Transpose};
use crate::execution::Counter;
use crate::simd::lanes::LINE;
use std::ops::Range;

/// From this many bytes on, pieces are streamed one by one, although their first and last lines are written in part.
const LONG: usize = 1 << 9;

/// Copies the blocks of `range`, as they are counted by the loops of `nest`.
///
/// # Safety
/// `from` and `to` are the addresses of offset 0; every offset of the layouts of `nest` is valid for an element to read and
/// to write, and no other thread writes those of `range`. The processor has the instructions of `S`.
#[inline(always)]
pub(super) unsafe fn run<S: Transpose>(
    nest: &CopyLoops,
    from: *const u8,
    to: *mut u8,
    range: Range<usize>,
    counter: &Counter,
) {
    let CopyLoops { loops, sweep, rows, columns, .. } = nest;
    let mut at = vec![0usize; loops.len()];
    let mut rest = range.start;
    let (mut from, mut to) = (from.wrapping_offset(nest.start[0]), to.wrapping_offset(nest.start[1]));
    for (at, l) in at.iter_mut().zip(loops) {
        (*at, rest) = (rest % l.count, rest / l.count);
        from = from.wrapping_offset(*at as isize * l.strides[0]);
        to = to.wrapping_offset(*at as isize * l.strides[1]);
    }
    let aligned = nest.aligned && (to as usize).is_multiple_of(LINE);
    let direct = nest.streaming
        && match nest.method {
            Method::Pieces => aligned && nest.piece.is_multiple_of(LINE) || nest.piece >= LONG,
            Method::Transpose => aligned,
            Method::Splat | Method::Scatter => false,
        };
    // Rows are put together by several, so that what was stored has arrived when it is read again.
    let several = (4 * LINE / nest.unit).clamp(1, rows.len());
    let mut carried = (nest.streaming && !direct && nest.method == Method::Transpose && nest.merged == 1)
        .then(|| Carried::new(rows.len()));
    let mut buffers = (nest.streaming && !direct && carried.is_none())
        .then(|| Rows::new(rows.len().div_ceil(nest.merged), several, several * nest.row_bytes()));
    let mut row_to = vec![std::ptr::null_mut::<u8>(); rows.len()];
    let mut places = Vec::with_capacity(several);
    let mut begun = 0;
    let is_last = |at: &[usize], cut: usize| cut < loops.len() && at[cut] + 1 == loops[cut].count;

    for index in range.clone() {
        let row_count = if is_last(&at, rows.cut) { rows.last } else { rows.len() };
        let column_count = if is_last(&at, columns.cut) { columns.last } else { columns.len() };
        let piece_is_cut = nest.last_piece < nest.piece && is_last(&at, 0);
        let bytes = if piece_is_cut { nest.last_piece } else { column_count * nest.piece };
        // What is in the caches is not prefetched.
        let next = from.wrapping_offset(loops.first().map_or(0, |l| l.strides[0]));
        let tile = Tile {
            from,
            next,
            row_from: &rows.offsets[0][..row_count],
            column_from: &columns.offsets[0][..column_count],
            column_to: &columns.offsets[1][..column_count],
            column_step: columns.step,
            row_step: rows.step,
            row_to: &[],
            piece: nest.piece,
            bytes,
        };
        match (&mut buffers, &mut carried) {
            (None, Some(carried)) => {
                if begun == 0 {
                    begun = row_count;
                    for (row, &offset) in rows.offsets[1][..row_count].iter().enumerate() {
                        carried.begin(row, to.wrapping_offset(offset));
                    }
                }
                // SAFETY: the tile's rows and columns are some of the layouts'.
                unsafe { S::transpose(nest.unit, &tile, Destination::Carried(carried, row_count)) };
            }
            (None, None) => {
                for (place, &offset) in row_to.iter_mut().zip(&rows.offsets[1][..row_count]) {
                    *place = to.wrapping_offset(offset);
                }
                // SAFETY: the tile's rows and columns are some of the layouts'.
                unsafe { fill::<S>(nest, direct, &Tile { row_to: &row_to[..row_count], ..tile }) };
            }
            (Some(buffers), _) => {
                if begun == 0 {
                    begun = row_count.div_ceil(nest.merged);
                    for row in 0..begun {
                        buffers.begin(row, to.wrapping_offset(rows.offsets[1][row * nest.merged]));
                    }
                }
                let mut top = 0;
                while top < row_count {
                    let end = (top + several).min(row_count);
                    let mut row = top;
                    while row < end {
                        // Rows that are contiguous in the destination are one.
                        let group = (nest.merged - row % nest.merged).min(end - row);
                        let place = buffers.open(row / nest.merged, group * bytes);
                        let first = buffers.bytes_of(&place);
                        for i in 0..group {
                            row_to[row - top + i] = first.wrapping_add(i * bytes);
                        }
                        places.push(place);
                        row += group;
                    }
                    let shift = rows.offsets[0][top];
                    let row_step = if places.len() == 1 { rows.step } else { None };
                    // SAFETY: the tile's rows and columns are some of the layouts', and the stage holds several rows.
                    unsafe {
                        fill::<S>(
                            nest,
                            false,
                            &Tile {
                                from: from.wrapping_offset(shift),
                                next: next.wrapping_offset(shift),
                                row_from: &rows.offsets[0][..end - top],
                                row_to: &row_to[..end - top],
                                row_step: row_step.map(|[step, _]| [step, bytes as isize]),
                                ..tile
                            },
                        );
                        for place in places.drain(..) {
                            buffers.advance::<S>(&place);
                        }
                    }
                    buffers.clear();
                    top = end;
                }
            }
        }
        // On to the next block; at the end of a sweep, and of the range, the rows are ended.
        let mut turned = 0;
        while turned < loops.len() {
            let l = &loops[turned];
            at[turned] += 1;
            from = from.wrapping_offset(l.strides[0]);
            to = to.wrapping_offset(l.strides[1]);
            if at[turned] < l.count {
                break;
            }
            at[turned] = 0;
            from = from.wrapping_offset(-(l.strides[0] * l.count as isize));
            to = to.wrapping_offset(-(l.strides[1] * l.count as isize));
            turned += 1;
        }
        let stop = !counter.advance(1);
        // Rows that are shifted in registers go on only behind whole lines.
        let broken = carried.is_some() && bytes % LINE != 0;
        if turned >= *sweep || index + 1 == range.end || stop || broken {
            // SAFETY: the rows were begun, and their bytes put.
            unsafe {
                if let Some(buffers) = &mut buffers {
                    (0..begun).for_each(|row| buffers.end(row));
                } else if let Some(carried) = &mut carried {
                    carried.end(begun);
                }
            }
            begun = 0;
        }
        if stop {
            break;
        }
    }
    // SAFETY: the processor has the instructions.
    unsafe { S::fence() };
}

/// Fills one tile.
///
/// # Safety
/// That of the functions of `tile.rs`; `direct` where all rows consist of whole lines.
#[inline(always)]
unsafe fn fill<S: Transpose>(nest: &CopyLoops, direct: bool, tile: &Tile) {
    // SAFETY: `from` and `to` are valid for every offset of the loops, of which the tile is a block.
    unsafe {
        match (nest.method, nest.unit) {
            (Method::Pieces, _) if direct => stream_pieces::<S>(tile),
            (Method::Pieces, _) => copy_pieces(tile),
            (Method::Splat, 1) => splat::<1>(tile),
            (Method::Splat, 2) => splat::<2>(tile),
            (Method::Splat, 4) => splat::<4>(tile),
            (Method::Splat, 8) => splat::<8>(tile),
            (Method::Splat, 16) => splat::<16>(tile),
            (Method::Splat, unit) => splat_any(tile, unit),
            (Method::Transpose, unit) => S::transpose(unit, tile, Destination::Rows(direct)),
            (Method::Scatter, _) => scatter(tile),
        }
    }
}
