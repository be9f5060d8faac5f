//! The plan of a copy that both layouts are linear in: the loops, and how their blocks are filled and written.

use super::loops::{
    CopyLoops, DESTINATION, Method, Order, Piece, Side, begin_within_lines, check_apart, check_bytes,
    rows_begin_at_lines,
};
use super::strategy::{Place, Strategy, by_lines};
use crate::cpu::cache::Caches;
use crate::cpu::isa::Isa;
use crate::error::{Error, count};
use crate::loops::modes::{self, Mode};
use crate::tuning::LARGE_CACHE;
use crate::tuning::copy::{
    CACHED_BYTE_LINES, CACHED_LINES, MAX_PIECE_BYTES, STREAM_CACHES, STREAM_TRANSPOSED, STREAM_WITHIN_LINES,
    STRIP_LINES,
};
use std::fmt::Write;
use tilework::Layout;

/// The loops of a copy, and what runs in them.
#[derive(Clone, Debug)]
pub(super) struct Nest {
    pub loops: CopyLoops,
    /// By the [`Place`] at which the destination begins.
    pub strategies: [Strategy; 3],
    /// What to run if the first row does not begin at a line, if it differs.
    unaligned: Option<Box<Nest>>,
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
        order: Order::Across,
        lines: match streaming {
            true if matches!(unit, 1 | 2 | 4) => STRIP_LINES,
            true => STRIP_LINES / 2,
            false if matches!(unit, 2 | 4) && bytes <= Caches::get().second => CACHED_LINES,
            false if unit == 1 && begin_within_lines(&modes) => CACHED_BYTE_LINES,
            false => 1,
        },
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
        streaming: streaming && method != Method::Scatter,
        aligned: false,
    };
    if vectors && loops.is_interleaved(&modes) {
        loops.method = Method::Interleave;
    } else if vectors && loops.is_split(&modes) {
        loops.method = Method::Split;
    }
    loops.gathers = vectors && loops.is_gathered(&modes, isa);
    let arranged = |modes: Vec<Mode<2>>, ordered| {
        let mut loops = loops.clone();
        loops.arrange(modes, run, ordered, isa);
        Nest { strategies: Place::ALL.map(|place| Strategy::new(&loops, place, isa)), loops, unaligned: None }
    };
    let ordered = loops.in_order_of_source(&modes);
    let unaligned = ordered.then(|| Box::new(arranged(modes.clone(), false)));
    Ok(Nest { unaligned, ..arranged(modes, ordered) })
}

impl Nest {
    /// The loops and the strategy for a destination whose offset 0 is at `to`.
    pub(super) fn at(&self, to: *const u8) -> (&CopyLoops, &Strategy) {
        self.for_place(Place::of(to.wrapping_offset(self.loops.start[1]), self.loops.unit))
    }

    /// The same for one that begins at this place of a line.
    fn for_place(&self, place: Place) -> (&CopyLoops, &Strategy) {
        let nest = self.unaligned.as_deref().filter(|_| place != Place::Line).unwrap_or(self);
        (&nest.loops, &nest.strategies[place as usize])
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
        let [at_line, at_element, anywhere] = Place::ALL.map(|place| {
            let (loops, strategy) = self.for_place(place);
            strategy.details(loops)
        });
        if self.unaligned.is_some() {
            text.push_str("order: that of the source, where the destination begins at a line of the cache\n");
        }
        text.push_str(&at_line);
        if at_element != at_line {
            let _ = write!(text, "where the destination begins within a line:\n{at_element}");
        }
        if anywhere != at_element {
            let _ = write!(text, "where the destination begins within an element of a line:\n{anywhere}");
        }
    }
}
