//! The plan of a copy that both layouts are linear in: the loops, and how their blocks are filled and written.

pub(super) mod loops;
pub(super) mod parts;
pub(super) mod strategy;

use crate::cpu::cache::Caches;
use crate::cpu::isa::Isa;
use crate::error::{Error, count};
use crate::loops::modes::{self, Mode};
use crate::tuning::LARGE_CACHE;
use crate::tuning::copy::{MAX_PIECE_BYTES, STREAM_CACHES, STREAM_TRANSPOSED, STREAM_WITHIN_LINES};
use loops::{
    CopyLoops, DESTINATION, Method, Order, Piece, Side, check_apart, check_bytes, rows_begin_at_lines,
};
use std::fmt::Write;
use strategy::{Place, Strategy, by_lines};
use tilework::Layout;

/// The loops of a copy, and what runs in them.
#[derive(Clone, Debug)]
pub(super) struct Nest {
    pub loops: CopyLoops,
    /// By the [`Place`] at which the destination begins.
    pub strategies: [Strategy; 3],
}

/// The bytes from which on destinations are written past the caches, if nothing else is known of the copy.
///
/// They do not stay in the caches then; if the second-level cache is so large that the third-level cache is far away, they do not
/// fit it together with their source.
pub(super) fn stream_bytes() -> usize {
    let second = Caches::get().second;
    if second >= LARGE_CACHE { second / 2 } else { STREAM_CACHES * second }
}

/// The loops for a copy of elements of `element` bytes, from the first layout to the second; none if they have no loops
/// in common.
pub(super) fn nest(
    source: &Layout,
    destination: &Layout,
    element: usize,
    isa: Isa,
    stream_bytes: usize,
) -> Result<Option<Nest>, Error> {
    let Some(modes) = modes::joint([source, destination]) else { return Ok(None) };
    nest_of(modes, element, isa, stream_bytes).map(Some)
}

/// The same for known loops, with both strides in elements.
pub(super) fn nest_of(
    mut modes: Vec<Mode<2>>,
    element: usize,
    isa: Isa,
    stream_bytes: usize,
) -> Result<Nest, Error> {
    // Writing the same element to the same place again is not needed.
    modes.retain(|mode| mode.strides != [0, 0]);
    if modes.iter().any(|mode| mode.strides[1] == 0) {
        return Err(Error::Aliasing { operand: DESTINATION });
    }
    for operand in 0..2 {
        check_bytes(&modes, operand, element)?;
        modes.iter_mut().for_each(|mode| mode.strides[operand] *= element as isize);
    }
    let start = modes::forwards(&mut modes, 1);
    modes::sort(&mut modes, 1);
    check_apart(&modes)?;

    let bytes = modes.iter().map(|mode| mode.extent).product::<usize>().saturating_mul(element);
    let repeats = modes.iter().any(|mode| mode.strides[0] == 0);
    let Piece { method, unit, run } = Piece::take(&mut modes, element);
    let vectors = by_lines(isa).is_some();
    let [times, of] = match method == Method::Transpose && Caches::get().second >= LARGE_CACHE {
        true if !rows_begin_at_lines(&modes, unit) => [STREAM_WITHIN_LINES, 1],
        true if unit >= 4 => STREAM_TRANSPOSED,
        _ => [1, 1],
    };
    let least = (stream_bytes / of).saturating_mul(times);
    // Repeated elements leave the second-level cache to the destination, and runs are as fast in it, like memcpy.
    let stream_bytes = match repeats || method == Method::Pieces && run > unit {
        true => Caches::get().second.min(least.saturating_mul(2)).max(least),
        false => least,
    };
    let streaming = vectors && bytes >= stream_bytes;
    let piece = run.min((MAX_PIECE_BYTES / element * element).max(element));
    let mut loops = CopyLoops {
        method,
        order: Order::Rows,
        unit,
        piece,
        last_piece: piece,
        rows: Side::default(),
        columns: Side::default(),
        loops: Vec::new(),
        sweep: 0,
        start,
        merged: 1,
        gathers: false,
        // Repeated elements leave the caches to the destination.
        streaming: streaming && !matches!(method, Method::Scatter | Method::Splat),
        aligned: false,
    };
    if vectors && let Some(method) = loops.fields(&modes) {
        loops.method = method;
    }
    loops.gathers = vectors && loops.is_gathered(&modes);
    loops.arrange(modes, run, isa);
    Ok(Nest { strategies: Place::ALL.map(|place| Strategy::new(&loops, place, isa)), loops })
}

impl Nest {
    /// The loops and the strategy for a destination whose offset 0 is at `to`.
    pub(super) fn at(&self, to: *const u8) -> (&CopyLoops, &Strategy) {
        let place = Place::of(to.wrapping_offset(self.loops.start[1]), self.loops.unit);
        (&self.loops, &self.strategies[place as usize])
    }

    /// Describes, line by line, what it does with elements of `element` bytes.
    pub(super) fn explain(&self, element: usize, text: &mut String) {
        let loops = &self.loops;
        let _ = writeln!(text, "{}", self.strategies[0].tile(loops, element));
        let _ = writeln!(
            text,
            "tile: {} near each other in the source, {} of {} in the destination",
            count(loops.rows.len(), "row"),
            count(loops.columns.len(), "column"),
            count(loops.piece, "byte")
        );
        for (i, l) in loops.loops.iter().enumerate() {
            let along = if i < loops.sweep { ", along the columns" } else { "" };
            let [from, to] = l.strides;
            let _ = writeln!(
                text,
                "loop {i}: {} times, {from} bytes on in the source, {to} in the destination{along}",
                l.count
            );
        }
        let [at_line, at_element, anywhere] =
            self.strategies.each_ref().map(|strategy| strategy.details(loops));
        text.push_str(&at_line);
        if at_element != at_line {
            let _ = write!(text, "where the destination begins within a line:\n{at_element}");
        }
        if anywhere != at_element {
            let _ = write!(text, "where the destination begins within an element of a line:\n{anywhere}");
        }
    }
}
