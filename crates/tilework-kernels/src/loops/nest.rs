//! Nests of loops in which several operands are linear, run in blocks that are divided among threads.
//!
//! Operand 0 is the destination. If nothing is reduced, the loops are in its order, and if a source has its small
//! strides in other loops, both are covered in blocks that stay in the cache. Loops in which the destination has stride
//! 0 are reduced: all of them belong to one block of the destination.

use crate::error::Error;
use crate::execution::{Counter, Execution};
use crate::loops::modes::{self, Mode};
use crate::tuning::loops::{KEPT, KEPT_STRIDED, PARTS, REDUCED, RUN, RUNS};
use std::ops::Range;

/// Loops, and the offsets of the first elements.
#[derive(Clone, Debug)]
pub(crate) struct LoopNest<const N: usize> {
    loops: Vec<Mode<N>>,
    pub start: [isize; N],
}

impl<const N: usize> LoopNest<N> {
    /// The nest of loops in any order.
    pub fn new(mut loops: Vec<Mode<N>>, mut start: [isize; N]) -> LoopNest<N> {
        let moved = modes::forwards(&mut loops, 0);
        start.iter_mut().zip(moved).for_each(|(start, moved)| *start += moved);
        modes::sort(&mut loops, 0);
        LoopNest { loops, start }
    }

    /// Whether the destination has one element.
    pub fn keeps_none(&self) -> bool {
        self.loops.iter().all(|mode| mode.strides[0] == 0)
    }

    /// Whether the destination has stride 0 in any loop.
    pub fn reduces(&self) -> bool {
        self.loops.iter().any(|mode| mode.strides[0] == 0)
    }

    /// Calls `run` for runs of coordinates, with the offsets of the first, the steps and the count; in parallel on
    /// several threads, which get different runs.
    pub fn each(
        &self,
        execution: &Execution,
        run: impl Fn([isize; N], [isize; N], usize) + Sync,
    ) -> Result<(), Error> {
        let mut loops = self.loops.clone();
        let inner = take_or_once(&mut loops, 0);
        // A loop in which a source has a smaller stride than in the inner one is blocked together with it.
        let across = (1..N).find_map(|i| {
            let nearest = (0..loops.len()).min_by_key(|&at| loops[at].strides[i].unsigned_abs())?;
            (loops[nearest].strides[i].unsigned_abs() < inner.strides[i].unsigned_abs()).then_some(nearest)
        });
        let second = take_or_once(&mut loops, across.unwrap_or(usize::MAX));
        let blocks = [inner.extent.div_ceil(RUN), second.extent.div_ceil(RUNS)];
        let total = steps(&loops) * blocks[0] * blocks[1];
        let (counter, parts) = (execution.counter(total), execution.thread_count());
        execution.run(parts, |part| {
            for block in part_of(total, part, parts) {
                let first = [block % blocks[0] * RUN, block / blocks[0] % blocks[1] * RUNS];
                let count = RUN.min(inner.extent - first[0]);
                let mut at = self.start;
                place_at(&mut at, &loops, block / (blocks[0] * blocks[1]));
                advance(&mut at, &inner, first[0]);
                for step in first[1]..(first[1] + RUNS).min(second.extent) {
                    let mut at = at;
                    advance(&mut at, &second, step);
                    run(at, inner.strides, count);
                }
                if !counter.advance(1) {
                    break;
                }
            }
        });
        counter.result()
    }

    /// Calls `run` for blocks of the destination, with everything that is reduced to them; in parallel on several
    /// threads, which get different blocks. A destination of one element is given to at most [`PARTS`] calls, each with
    /// a part of the elements that are reduced to it.
    pub fn each_kept(&self, execution: &Execution, run: impl Fn(Block<N>) + Sync) -> Result<(), Error> {
        let (mut kept, mut reduced): (Vec<_>, Vec<_>) =
            self.loops.iter().copied().partition(|mode| mode.strides[0] != 0);
        modes::sort(&mut kept, 1);
        modes::sort(&mut reduced, 1);
        // An operand that is not contiguous costs about a step each, and starting a run as much as some steps.
        let jumps = |mode: &Mode<N>| mode.strides.iter().filter(|stride| stride.unsigned_abs() > 1).count();
        let cost = |mode: &Mode<N>| 1024 * jumps(mode) + 16 * 1024 / mode.extent;
        let cheapest = |modes: &[Mode<N>]| {
            let costs = modes.iter().map(cost).enumerate();
            costs.min_by_key(|&(_, cost)| cost).unwrap_or((0, usize::MAX))
        };
        let ((keeping, of_keeping), (reducing, of_reducing)) = (cheapest(&kept), cheapest(&reduced));
        let keeps = of_keeping < of_reducing;
        let inner =
            if keeps { take_or_once(&mut kept, keeping) } else { take_or_once(&mut reduced, reducing) };
        let limit = if !keeps {
            REDUCED
        } else if jumps(&inner) > 0 {
            KEPT_STRIDED
        } else {
            KEPT
        };
        let pieces = inner.extent.div_ceil(limit);
        let along = Mode { extent: pieces, strides: inner.strides.map(|stride| stride * limit as isize) };
        if keeps {
            kept.push(along)
        } else {
            reduced.insert(0, along)
        }

        let (outer, inside, parts) = (steps(&kept), steps(&reduced), execution.thread_count());
        let shares = if self.keeps_none() { PARTS.min(inside) } else { 1 };
        let counter = execution.counter(outer * inside);
        execution.run(parts, |part| {
            for task in part_of(outer * shares, part, parts) {
                let (share, block) = if shares == 1 { (0, task) } else { (task, 0) };
                let mut at = self.start;
                place_at(&mut at, &kept, block);
                let rest = inner.extent - if keeps { block / (outer / pieces) * limit } else { 0 };
                run(Block {
                    share,
                    at,
                    strides: inner.strides,
                    count: rest.min(limit),
                    extent: rest,
                    reduced: &reduced,
                    steps: if shares == 1 { 0..inside } else { part_of(inside, share, shares) },
                    counter: &counter,
                });
            }
        });
        counter.result()
    }
}

/// A run of the destination's elements, or one of them, with the elements that are reduced to it.
pub(crate) struct Block<'a, const N: usize> {
    /// The index of this part, if one element is reduced in several.
    pub share: usize,
    /// The offset at which the block begins.
    pub at: [isize; N],
    /// The strides of a run. The destination has stride 0 in runs that are reduced.
    pub strides: [isize; N],
    /// How many elements of the destination there are, if its stride is not 0.
    pub count: usize,
    extent: usize,
    reduced: &'a [Mode<N>],
    steps: Range<usize>,
    counter: &'a Counter<'a>,
}

impl<'a, const N: usize> Block<'a, N> {
    /// The offsets at which each run begins, and its number of steps.
    #[inline(always)]
    pub fn runs(&self) -> Runs<'_, 'a, N> {
        Runs { block: self, at: self.at, index: self.steps.start, left: 0 }
    }
}

/// See [`Block::runs`].
pub(crate) struct Runs<'b, 'a, const N: usize> {
    block: &'b Block<'a, N>,
    at: [isize; N],
    index: usize,
    /// The remaining steps of the first loop.
    left: usize,
}

impl<const N: usize> Iterator for Runs<'_, '_, N> {
    type Item = ([isize; N], usize);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let Block { at, strides, count, extent, reduced, steps, counter, .. } = self.block;
        if self.index == steps.end || self.index > steps.start && !counter.advance(1) {
            return None;
        }
        let first = reduced.first().map_or(1, |mode| mode.extent);
        if self.left == 0 {
            self.at = *at;
            place_at(&mut self.at, reduced, self.index);
            self.left = first - if self.index < first { self.index } else { self.index % first };
        }
        // If runs are reduced, they are the pieces of the first loop.
        let count =
            if strides[0] == 0 { (*count).min(extent - (first - self.left) * REDUCED) } else { *count };
        let run = (self.at, count);
        if let Some(mode) = reduced.first() {
            advance(&mut self.at, mode, 1);
        }
        self.index += 1;
        self.left -= 1;
        Some(run)
    }
}

/// Part `part` of `parts` nearly equal parts of `total` steps.
pub(crate) fn part_of(total: usize, part: usize, parts: usize) -> Range<usize> {
    let (each, rest) = (total / parts, total % parts);
    let bound = |part: usize| each * part + rest * part / parts;
    bound(part)..bound(part + 1)
}

/// Removes the loop at `index`, or makes a loop of extent 1 if there is none.
fn take_or_once<const N: usize>(loops: &mut Vec<Mode<N>>, index: usize) -> Mode<N> {
    if index < loops.len() { loops.remove(index) } else { Mode { extent: 1, strides: [0; N] } }
}

fn steps<const N: usize>(modes: &[Mode<N>]) -> usize {
    modes.iter().map(|mode| mode.extent).product()
}

/// Moves to a step of some loops, the first innermost.
#[inline(always)]
pub(crate) fn place_at<const N: usize>(at: &mut [isize; N], modes: &[Mode<N>], mut index: usize) {
    for mode in modes {
        if index == 0 {
            return;
        }
        // A division takes longer than everything else here.
        if index < mode.extent {
            return advance(at, mode, index);
        }
        advance(at, mode, index % mode.extent);
        index /= mode.extent;
    }
}

#[inline(always)]
fn advance<const N: usize>(at: &mut [isize; N], mode: &Mode<N>, steps: usize) {
    for (at, stride) in at.iter_mut().zip(mode.strides) {
        *at = at.wrapping_add(stride.wrapping_mul(steps as isize));
    }
}
