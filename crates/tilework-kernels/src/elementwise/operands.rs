//! Operands of one size, and the loops that they have in common.

use crate::copy::Placed;
use crate::error::Error;
use crate::execution::Execution;
use crate::modes::{self, Mode};
use std::ops::Range;
use tilework::{HTuple, HasLayout, Layout, Leaf, Tensor};

pub(super) const DESTINATION: &str = "the destination";
/// The most steps of a run, and of the runs side by side, so that what one line brings is used before it is gone.
const BLOCK: [usize; 2] = [1 << 10, 16];

/// Where the elements of `tensor` lie.
pub(super) fn place<A, L>(operand: &'static str, tensor: &Tensor<A, L>) -> Result<Placed, Error>
where
    A: tilework::Accessor<Offset = i64>,
    L: HasLayout,
{
    Placed::new(operand, tensor.layout(), tensor.offset())
}

/// A pointer that the threads share.
#[derive(Clone, Copy)]
pub(super) struct Shared<T>(pub *mut T);

// SAFETY: the threads write different elements through it, or only read.
unsafe impl<T: Send + Sync> Sync for Shared<T> {}

impl<T> Shared<T> {
    pub fn at(&self, offset: isize) -> *mut T {
        self.0.wrapping_offset(offset)
    }
}

/// The destination, operand 0, and the sources.
pub(super) struct Operands<const N: usize> {
    placed: [Placed; N],
    /// The loops, innermost first; without where there are none that all have in common.
    loops: Option<Vec<Mode<N>>>,
    pub start: [isize; N],
}

impl<const N: usize> Operands<N> {
    pub fn new<const SOURCES: usize>(sources: [Placed; SOURCES], destination: Placed) -> Result<Self, Error> {
        let placed: [Placed; N] = std::array::from_fn(|i| if i == 0 { destination } else { sources[i - 1] });
        for source in &placed[1..] {
            if source.size() != placed[0].size() {
                let (first, second) = (source.size(), placed[0].size());
                return Err(Error::Size { operands: "source and destination", first, second });
            }
        }
        let layouts = placed.each_ref().map(Placed::as_integer_layout);
        let loops = if layouts.iter().all(Option::is_some) {
            modes::joint(layouts.map(|layout| layout.map_or(&Layout::UNIT, |(_, layout)| layout)))
        } else {
            None
        };
        let mut start = placed.each_ref().map(|placed| placed.at(0) as isize);
        let loops = loops.map(|mut loops| {
            let moved = modes::forwards(&mut loops, 0);
            start = std::array::from_fn(|i| start[i] + moved[i]);
            modes::sort(&mut loops, 0);
            loops
        });
        Ok(Operands { placed, loops, start })
    }

    /// Refuses a destination in which two coordinates have one offset.
    pub fn check_apart(&self) -> Result<(), Error> {
        self.placed[0].check_apart(DESTINATION)
    }

    /// Refuses one in which two coordinates have one offset although it moves.
    pub fn check_kept_apart(&self) -> Result<(), Error> {
        let alone = self.placed[0].as_integer_layout().and_then(|(_, layout)| modes::joint([layout]));
        let Some(loops) = alone else { return self.check_apart() };
        let kept = loops.iter().filter(|mode| mode.strides[0] != 0);
        let leaves: Vec<_> =
            kept.map(|mode| HTuple::leaf(Leaf::new(mode.extent as i64, mode.strides[0] as i64))).collect();
        let layout = if leaves.is_empty() { Layout::UNIT } else { Layout::new(HTuple::tuple(&leaves)?)? };
        Placed::new(DESTINATION, &layout, 0)?.check_apart(DESTINATION)
    }

    /// The place of offset 0 of source `index`, whose elements are in `slice`.
    pub fn read<T>(&self, index: usize, operand: &'static str, slice: &[T]) -> Result<Shared<T>, Error> {
        self.placed[index + 1].check_image(operand, slice.len())?;
        Ok(Shared(slice.as_ptr().cast_mut()))
    }

    /// The place of offset 0 of the destination.
    pub fn write<T>(&self, slice: &mut [T]) -> Result<Shared<T>, Error> {
        self.placed[0].check_image(DESTINATION, slice.len())?;
        Ok(Shared(slice.as_mut_ptr()))
    }

    /// Calls `run` for runs of coordinates, with the offsets of the first, the steps and the count; at once in several
    /// threads, which get different parts.
    pub fn each(
        &self,
        execution: &Execution,
        run: impl Fn([isize; N], [isize; N], usize) + Sync,
    ) -> Result<(), Error> {
        let parts = execution.thread_count();
        let Some(mut loops) = self.loops.clone() else { return self.each_index(execution, parts, run) };
        let inner = take_or_once(&mut loops, 0);
        // The loop in which a source moves less than in the inner one is gone through side by side with it.
        let across = (1..N).find_map(|i| {
            let nearest = (0..loops.len()).min_by_key(|&at| loops[at].strides[i].unsigned_abs())?;
            (loops[nearest].strides[i].unsigned_abs() < inner.strides[i].unsigned_abs()).then_some(nearest)
        });
        let second = take_or_once(&mut loops, across.unwrap_or(usize::MAX));
        let blocks = [inner.extent.div_ceil(BLOCK[0]), second.extent.div_ceil(BLOCK[1])];
        let total = loops.iter().map(|mode| mode.extent).product::<usize>() * blocks[0] * blocks[1];
        let counter = execution.counter(total);
        execution.run(parts, |part| {
            for block in part_of(total, part, parts) {
                let first = [block % blocks[0] * BLOCK[0], block / blocks[0] % blocks[1] * BLOCK[1]];
                let count = BLOCK[0].min(inner.extent - first[0]);
                let mut at = self.start;
                let mut rest = block / (blocks[0] * blocks[1]);
                for mode in &loops {
                    advance(&mut at, mode, rest % mode.extent);
                    rest /= mode.extent;
                }
                advance(&mut at, &inner, first[0]);
                for step in first[1]..(first[1] + BLOCK[1]).min(second.extent) {
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

    /// [`each`](Self::each) where there are no loops: every coordinate on its own.
    fn each_index(
        &self,
        execution: &Execution,
        parts: usize,
        run: impl Fn([isize; N], [isize; N], usize) + Sync,
    ) -> Result<(), Error> {
        let size = self.placed[0].size() as usize;
        let counter = execution.counter(size);
        execution.run(parts, |part| {
            for i in part_of(size, part, parts) {
                run(self.placed.each_ref().map(|placed| placed.at(i as i64) as isize), [0; N], 1);
                if !counter.advance(1) {
                    break;
                }
            }
        });
        counter.result()
    }

    /// Whether the destination has one element.
    pub fn keeps_none(&self) -> bool {
        self.loops.as_ref().is_some_and(|loops| loops.iter().all(|mode| mode.strides[0] == 0))
    }

    /// [`each`](Self::each), but all coordinates of one element of the destination are in one thread, whose number `run`
    /// is told; unless there is only one such element.
    pub fn each_kept(
        &self,
        execution: &Execution,
        run: impl Fn(usize, [isize; N], [isize; N], usize) + Sync,
    ) -> Result<(), Error> {
        let Some(loops) = &self.loops else {
            return self.each_index(execution, 1, |at, steps, count| run(0, at, steps, count));
        };
        // The source's order is the fastest; kept modes are outermost, and divided.
        let (mut kept, mut reduced): (Vec<_>, Vec<_>) =
            loops.iter().copied().partition(|mode| mode.strides[0] != 0);
        modes::sort(&mut kept, 1);
        modes::sort(&mut reduced, 1);
        let nearest =
            |modes: &[Mode<N>]| modes.first().map_or(usize::MAX, |mode| mode.strides[1].unsigned_abs());
        let mut inner =
            if nearest(&kept) < nearest(&reduced) { kept.remove(0) } else { take_or_once(&mut reduced, 0) };
        // What one thread has alone is divided, also where it is a single run.
        if self.keeps_none() && inner.extent > BLOCK[0] && inner.extent.is_multiple_of(BLOCK[0]) {
            let strides = inner.strides.map(|stride| stride * BLOCK[0] as isize);
            reduced.insert(0, Mode { extent: inner.extent / BLOCK[0], strides });
            inner.extent = BLOCK[0];
        }
        let parts = execution.thread_count();
        let steps = |modes: &[Mode<N>]| modes.iter().map(|mode| mode.extent).product::<usize>();
        let (outer, repeated, alone) = (steps(&kept), steps(&reduced), self.keeps_none());
        let counter = execution.counter(outer * repeated);
        execution.run(parts, |part| {
            for block in if alone { 0..1 } else { part_of(outer, part, parts) } {
                let mut at = self.start;
                place_at(&mut at, &kept, block);
                for step in if alone { part_of(repeated, part, parts) } else { 0..repeated } {
                    let mut at = at;
                    place_at(&mut at, &reduced, step);
                    run(part, at, inner.strides, inner.extent);
                    if !counter.advance(1) {
                        return;
                    }
                }
            }
        });
        counter.result()
    }
}

/// The loop at `index`, or where there is none one of a single step.
fn take_or_once<const N: usize>(loops: &mut Vec<Mode<N>>, index: usize) -> Mode<N> {
    if index < loops.len() { loops.remove(index) } else { Mode { extent: 1, strides: [0; N] } }
}

fn part_of(total: usize, part: usize, parts: usize) -> Range<usize> {
    let bound = |part: usize| (total as u128 * part as u128 / parts as u128) as usize;
    bound(part)..bound(part + 1)
}

fn place_at<const N: usize>(at: &mut [isize; N], modes: &[Mode<N>], mut index: usize) {
    for mode in modes {
        advance(at, mode, index % mode.extent);
        index /= mode.extent;
    }
}

fn advance<const N: usize>(at: &mut [isize; N], mode: &Mode<N>, steps: usize) {
    for (at, stride) in at.iter_mut().zip(mode.strides) {
        *at += stride * steps as isize;
    }
}
