//! The plan of a copy that both layouts are linear in: the loops, and how their blocks are filled and written.

pub(super) mod loops;
pub(super) mod parts;
pub(super) mod strategy;

use crate::cost;
use crate::cpu::cache::Caches;
use crate::cpu::isa::Isa;
use crate::error::Error;
use crate::loops::modes::{self, Mode};
use crate::tuning::copy::MAX_PIECE_BYTES;
use loops::{CopyLoops, DESTINATION, Method, Order, Piece, Side, check_apart, check_bytes};
use std::fmt::Write;
use strategy::{Place, Strategy, by_lines};
use tilework::Layout;

/// The loops of a copy, and what runs in them.
#[derive(Clone, Debug)]
pub(super) struct Nest {
    /// Through the caches, past them, or both.
    ways: Vec<CopyLoops>,
    /// By the [`Place`] at which the destination begins: the way, and what runs in its loops.
    pub strategies: [(usize, Strategy); 3],
    isa: Isa,
    caches: Caches,
    /// Those of the source and of the destination.
    bytes: usize,
}

/// How a destination is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    Cheapest,
    Through,
    #[cfg(any(test, feature = "candidates"))]
    Past,
}

/// The loops for a copy of elements of `element` bytes, from the first layout to the second; none if they have no loops
/// in common.
pub(super) fn nest(
    source: &Layout,
    destination: &Layout,
    element: usize,
    isa: Isa,
    way: Way,
) -> Result<Option<Nest>, Error> {
    let Some(modes) = modes::joint([source, destination]) else { return Ok(None) };
    nest_of(modes, element, isa, way).map(Some)
}

/// The same for known loops, with both strides in elements.
pub(super) fn nest_of(mut modes: Vec<Mode<2>>, element: usize, isa: Isa, way: Way) -> Result<Nest, Error> {
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
    let repeated =
        modes.iter().filter(|mode| mode.strides[0] == 0).map(|mode| mode.extent).product::<usize>();
    let bytes = bytes.saturating_add(bytes / repeated.max(1));
    let Piece { method, unit, run } = Piece::take(&mut modes, element);
    let vectors = by_lines(isa).is_some();
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
        streaming: false,
        aligned: false,
    };
    if vectors && let Some(method) = loops.fields(&modes) {
        loops.method = method;
    }
    loops.gathers = vectors && loops.is_gathered(&modes);
    let caches = Caches::get();
    // Repeated elements leave the caches to the destination.
    let may = vectors && !matches!(method, Method::Scatter | Method::Splat);
    let pays =
        || cost::of_line_written(caches, bytes, Some(false)) < cost::of_line_written(caches, bytes, None);
    let ways: &[bool] = match way {
        #[cfg(any(test, feature = "candidates"))]
        Way::Past if may => &[true],
        Way::Cheapest if may && pays() => &[false, true],
        _ => &[false],
    };
    let arranged = ways.iter().map(|&streaming| {
        let mut loops = CopyLoops { streaming, ..loops.clone() };
        loops.arrange(modes.clone(), run, caches);
        loops
    });
    let ways: Vec<CopyLoops> = arranged.collect();
    let cheapest = |place| {
        let strategies = ways.iter().map(|loops| Strategy::new(loops, place, isa)).enumerate();
        let cost = |strategy: &Strategy| cost::of_line_written(caches, bytes, strategy.stages());
        strategies.min_by(|(_, a), (_, b)| cost(a).total_cmp(&cost(b))).expect("there is a way")
    };
    Ok(Nest { strategies: Place::ALL.map(cheapest), ways, isa, caches, bytes })
}

impl Nest {
    /// The loops and the strategy for a destination whose offset 0 is at `to`.
    pub(super) fn at(&self, to: *const u8) -> (&CopyLoops, &Strategy) {
        let CopyLoops { start, unit, .. } = self.ways[0];
        let (way, strategy) = &self.strategies[Place::of(to.wrapping_offset(start[1]), unit) as usize];
        (&self.ways[*way], strategy)
    }

    /// Describes, line by line, what it does with elements of `element` bytes.
    pub(super) fn explain(&self, element: usize, text: &mut String) {
        let mut before = (usize::MAX, String::new());
        for (place, (way, strategy)) in Place::ALL.into_iter().zip(&self.strategies) {
            let loops = &self.ways[*way];
            let details = strategy.details(loops) + &self.costs(place);
            if place != Place::Line && (*way, &details) == (before.0, &before.1) {
                continue;
            }
            text.push_str(place.explain());
            if *way != before.0 {
                let _ = writeln!(text, "{}", strategy.tile(loops, element));
                loops.explain(text);
            }
            text.push_str(&details);
            before = (*way, details);
        }
    }

    /// What the ways cost, if there are several.
    fn costs(&self, place: Place) -> String {
        let of = |loops| {
            let stages = Strategy::new(loops, place, self.isa).stages();
            let way = if stages.is_none() { "through the caches" } else { "past them" };
            format!("{} {way}", cost::of_line_written(self.caches, self.bytes, stages))
        };
        match &self.ways[..] {
            [_] => String::new(),
            ways => {
                let costs: Vec<String> = ways.iter().map(of).collect();
                format!("a line costs {}, of one from the third-level cache\n", costs.join(", "))
            }
        }
    }
}
