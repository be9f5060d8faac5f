//! Operands of one size, and the loops that they have in common.

use crate::cpu::isa::Isa;
use crate::error::Error;
use crate::execution::Execution;
use crate::loops::modes;
use crate::loops::nest::{LoopNest, part_of};
use crate::memory::Shared;
use crate::offset_layout::OffsetLayout;
use tilework::{HTuple, HasLayout, Layout, Leaf, Tensor};

pub(super) const DESTINATION: &str = "the destination";

/// The offsets of `tensor`.
pub(super) fn place<A, L>(operand: &'static str, tensor: &Tensor<A, L>) -> Result<OffsetLayout, Error>
where
    A: tilework::Accessor<Offset = i64>,
    L: HasLayout,
{
    OffsetLayout::new(operand, tensor.layout(), tensor.offset())
}

/// The destination, operand 0, and the sources.
pub(super) struct Operands<const N: usize> {
    placed: [OffsetLayout; N],
    /// The loops; none if the operands have none in common.
    pub nest: Option<LoopNest<N>>,
}

impl<const N: usize> Operands<N> {
    pub fn new<const SOURCES: usize>(
        sources: [OffsetLayout; SOURCES],
        destination: OffsetLayout,
    ) -> Result<Self, Error> {
        // The loops are the same for all instructions, but an invalid setting is refused here as everywhere.
        Isa::current()?;
        let placed: [OffsetLayout; N] =
            std::array::from_fn(|i| if i == 0 { destination } else { sources[i - 1] });
        for source in &placed[1..] {
            if source.size() != placed[0].size() {
                let (first, second) = (source.size(), placed[0].size());
                return Err(Error::Size { operands: "source and destination", first, second });
            }
        }
        let layouts = placed.each_ref().map(OffsetLayout::as_integer_layout);
        let loops = if layouts.iter().all(Option::is_some) {
            modes::joint(layouts.map(|layout| layout.map_or(&Layout::UNIT, |(_, layout)| layout)))
        } else {
            None
        };
        let start = placed.each_ref().map(|placed| placed.at(0) as isize);
        Ok(Operands { placed, nest: loops.map(|loops| LoopNest::new(loops, start)) })
    }

    /// Refuses a destination in which two coordinates have one offset.
    pub fn check_apart(&self) -> Result<(), Error> {
        self.placed[0].check_apart(DESTINATION)
    }

    /// Refuses a destination in which two coordinates have one offset, except in modes of stride 0.
    pub fn check_kept_apart(&self) -> Result<(), Error> {
        let alone = self.placed[0].as_integer_layout().and_then(|(_, layout)| modes::joint([layout]));
        let Some(loops) = alone else { return self.check_apart() };
        let kept = loops.iter().filter(|mode| mode.strides[0] != 0);
        let leaves: Vec<_> =
            kept.map(|mode| HTuple::leaf(Leaf::new(mode.extent as i64, mode.strides[0] as i64))).collect();
        let layout = if leaves.is_empty() { Layout::UNIT } else { Layout::new(HTuple::tuple(&leaves)?)? };
        OffsetLayout::new(DESTINATION, &layout, 0)?.check_apart(DESTINATION)
    }

    /// The address of offset 0 of source `index`, whose elements are in `slice`.
    pub fn read<T>(&self, index: usize, operand: &'static str, slice: &[T]) -> Result<Shared<T>, Error> {
        self.placed[index + 1].check_image(operand, slice.len())?;
        Ok(Shared(slice.as_ptr().cast_mut()))
    }

    /// The address of offset 0 of the destination.
    pub fn write<T>(&self, slice: &mut [T]) -> Result<Shared<T>, Error> {
        self.placed[0].check_image(DESTINATION, slice.len())?;
        Ok(Shared(slice.as_mut_ptr()))
    }

    /// Calls `run` for every coordinate, with its offsets; in parallel on several threads, which get different
    /// coordinates.
    pub fn each(&self, execution: &Execution, run: impl Fn([isize; N]) + Sync) -> Result<(), Error> {
        match &self.nest {
            Some(nest) => nest.each(execution, |at, steps, count| along(at, steps, count, &run)),
            None => self.each_index(execution, execution.thread_count(), run),
        }
    }

    /// Calls `run` for every coordinate on its own, with its offsets, divided among the threads.
    pub fn each_index(
        &self,
        execution: &Execution,
        parts: usize,
        run: impl Fn([isize; N]) + Sync,
    ) -> Result<(), Error> {
        let size = self.placed[0].size() as usize;
        let counter = execution.counter(size);
        execution.run(parts, |part| {
            for i in part_of(size, part, parts) {
                run(self.placed.each_ref().map(|placed| placed.at(i as i64) as isize));
                if !counter.advance(1) {
                    break;
                }
            }
        });
        counter.result()
    }
}

/// Calls `run` with the offsets of every element of a run: if all are contiguous, in a separate loop that the compiler
/// vectorizes.
#[inline(always)]
pub(super) fn along<const N: usize>(
    at: [isize; N],
    steps: [isize; N],
    count: usize,
    run: impl Fn([isize; N]),
) {
    if steps == [1; N] {
        (0..count as isize).for_each(|i| run(at.map(|at| at + i)));
    } else {
        (0..count as isize).for_each(|i| run(std::array::from_fn(|of| at[of] + i * steps[of])));
    }
}
