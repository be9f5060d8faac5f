//! Convolutions with few output channels, where packing the image takes a third of the time: the lines of the image
//! that a line of the output needs are copied to the cache with their padding, pixels of one column side by side. So
//! the inputs of an output pixel are contiguous, and kernels read them in place.

use super::shape::{Direction, Shape};
use crate::cpu::cache::Caches;
use crate::execution::Counter;
use crate::matmul::plan::matrix::Matrix;
use crate::matmul::plan::small::Small;
use crate::matmul::run::operand::Call;
use crate::matmul::run::scratch::Scratch;
use crate::matmul::tile::axis::Axis;
use crate::matmul::tile::element::{Element, Format, Sum};
use crate::matmul::tile::packing::Packing;
use crate::tuning::matmul::FEW_PANELS_OF_A;
use std::ops::Range;

/// A convolution line by line, of one group of channels.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    /// The steps of the filter in the order in which lines are copied: channels, taps across the lines, taps along them.
    steps: Axis,
    packing: Packing,
    /// The product of a line: packed panels of the filter, the copied pixels, and the output.
    small: Small,
    of: [Matrix; 2],
}

/// The pixels of a line of the image with its padding.
fn padded(shape: &Shape) -> usize {
    let along = &shape.directions[0];
    (along.out - 1) * along.stride + along.taps
}

/// Filter taps in directions other than the line.
fn across(shape: &Shape) -> usize {
    shape.directions[1..].iter().map(|d| d.taps).product()
}

impl Lines {
    /// Lines of an output whose channels are contiguous are copied, if few panels of the filter use an image that is contiguous
    /// along its lines, and neighbouring pixels need the same elements.
    pub(super) fn new(
        shape: &Shape,
        format: &Format,
        [channels, filters, features]: [&[Axis]; 3],
        filter_steps: &Axis,
        caches: Caches,
    ) -> Option<Lines> {
        // All groups have one plan.
        let [filter] = filters else { return None };
        let along = &shape.directions[0];
        let Shape { channels: depth, features: m, .. } = *shape;
        let runs = |axes: &[Axis]| axes.iter().all(|axis| axis.is_run(0, axis.len()));
        let contiguous = runs(channels) && runs(features) && along.step == Some(depth as isize);
        let overlapping =
            along.taps > along.stride && along.dilation == 1 && along.taps * depth >= format.lanes;
        // Threads divide lines, and cut none.
        let several = shape.pixels() > along.out;
        let few = m <= FEW_PANELS_OF_A * format.mr && m >= format.lanes;
        let bytes =
            [across(shape), depth, format.bytes].into_iter().fold(padded(shape), usize::saturating_mul);
        let fits = bytes <= caches.second / 4;
        if !(format.is_sum && format.same_type && contiguous && overlapping && several && few && fits) {
            return None;
        }
        let of_place = |tap, place| {
            let first = (place * along.taps + tap) * depth;
            &filter_steps.offsets[first..first + depth]
        };
        let places = (0..along.taps).flat_map(|tap| (0..across(shape)).map(move |place| (tap, place)));
        let steps = Axis::new(places.flat_map(|(tap, place)| of_place(tap, place)).copied().collect());
        let (k, apart) = (steps.len(), along.stride * across(shape) * depth);
        let rows = || Axis::strided(m, 1);
        Some(Lines {
            packing: format.packing([filter, &steps], format.mr),
            small: Small::of_panels(format, [m, along.out, k], [apart as isize, 1]),
            of: [
                Matrix::of_axes(rows(), Axis::strided(k, format.mr as isize)),
                Matrix::of_axes(rows(), Axis::new(along.out_offsets.clone())),
            ],
            steps,
        })
    }

    /// The method, one decision a line.
    pub(super) fn explain(&self, format: &Format) -> String {
        let kernel = format!("{} kernel, up to {} output channels at a time", format.isa, format.mr);
        let lines = "the input: lines are copied to the cache with their padding, and read in place there";
        format!("{kernel}\n{lines}\nthe filter: {}\n", self.packing)
    }

    /// Computes some lines of the output, with `alpha` other than 0. `features` are the rows of the filter.
    ///
    /// # Safety
    /// The plan was made for the shape. `call.a` is the first element of the filter, `call.b` that of the image, both valid for all
    /// elements, `call.c` that of the output, valid at the lines, which nothing else accesses. The processor has the instructions
    /// of the format.
    pub(super) unsafe fn run<T: Element>(
        &self,
        (shape, format): (&Shape, &Format),
        features: &Axis,
        pixels: &Axis,
        call: &Call<T, T::Sum>,
        lines: Range<usize>,
        counter: &Counter,
    ) {
        let (k, m, out) = (self.steps.len(), shape.features, shape.directions[0].out);
        let mut scratch = Scratch::take();
        let lens =
            [(m.div_ceil(format.mr) * k + 1) * format.mr, padded(shape) * across(shape) * shape.channels];
        let [panels, copy] = scratch.parts::<T::Sum, 2>(lens);
        let packer = T::packers(format.isa).a;
        // SAFETY: the tables are those of the filter, and there is room for all panels and a vector.
        unsafe {
            let (rows, steps) = (features.part(0..m), self.steps.part(0..k));
            (packer.strided)(&packer, call.a, rows, steps, self.packing, packer.unit, panels.as_mut_ptr());
        }
        for line in lines {
            // SAFETY: the line is in the output, the panels are packed, and elements have the type of their sums.
            unsafe {
                copy_line(shape, call.b, line, copy);
                let to = call.c.wrapping_offset(pixels.offsets[line * out]);
                let call = Call { a: panels.as_ptr().cast(), b: copy.as_ptr().cast(), c: to, ..*call };
                self.small.run::<T>(
                    T::kernels(format.isa),
                    self.of.each_ref(),
                    call,
                    self.small.all(),
                    &mut [],
                );
            }
            if !counter.advance(m * out) {
                break;
            }
        }
        scratch.give_back();
    }
}

/// Copies the lines of the image under a line of the output, one for each filter tap across it.
///
/// # Safety
/// `image` is valid for all elements of the image, which have the type of their sums.
unsafe fn copy_line<T: Element>(shape: &Shape, image: *const T, line: usize, to: &mut [T::Sum]) {
    let [along, others @ ..] = &shape.directions[..] else { return };
    let (channels, across, padded) = (shape.channels, across(shape), padded(shape));
    let low = along.low.min(padded);
    let inside = along.input.min(padded - low);
    for place in 0..across {
        let (mut rest, mut tap, mut offset) = (line, place, Some(0));
        for d in others {
            let step = |d: &Direction| {
                let at = (rest % d.out * d.stride + tap % d.taps * d.dilation).checked_sub(d.low)?;
                d.in_offsets.get(at).copied()
            };
            offset = offset.zip(step(d)).map(|(offset, step)| offset + step);
            (rest, tap) = (rest / d.out, tap / d.taps);
        }
        let inside = if offset.is_some() { low..low + inside } else { low..low };
        for pixel in (0..inside.start).chain(inside.end..padded) {
            to[(pixel * across + place) * channels..][..channels].fill(T::Sum::ZERO);
        }
        let from = image.wrapping_offset(offset.unwrap_or(0)).cast();
        // SAFETY: the line is contiguous and within the image, and elements have the type of their sums.
        let from: &[T::Sum] = unsafe { std::slice::from_raw_parts(from, inside.len() * channels) };
        let to = to.get_mut((inside.start * across + place) * channels..).unwrap_or_default();
        match channels {
            1 => copy_pixels::<_, 1>(from, to, across),
            2 => copy_pixels::<_, 2>(from, to, across),
            3 => copy_pixels::<_, 3>(from, to, across),
            4 => copy_pixels::<_, 4>(from, to, across),
            _ => {
                let pixels = to.chunks_mut(across * channels).zip(from.chunks_exact(channels));
                pixels.for_each(|(to, from)| to[..channels].copy_from_slice(from));
            }
        }
    }
}

/// Copies pixels of `C` channels to every place `across` pixels apart.
fn copy_pixels<S: Copy, const C: usize>(from: &[S], to: &mut [S], across: usize) {
    let (from, to) = (from.as_chunks::<C>().0, to.as_chunks_mut::<C>().0);
    from.iter().zip(to.iter_mut().step_by(across)).for_each(|(from, to)| *to = *from);
}
