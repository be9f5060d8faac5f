//! Convolutions with few output channels, where packing the image takes a third of the time: the lines of the image
//! that a line of the output needs are copied to the cache with their padding, pixels of one column side by side. So
//! the inputs of an output pixel are contiguous, and kernels read them in place.

use super::shape::{Direction, Shape};
use crate::cpu::cache::Caches;
use crate::execution::Counter;
use crate::matmul::axis::{Axis, equal_part};
use crate::matmul::call::Call;
use crate::matmul::element::{Element, Format, Sum};
use crate::matmul::kernel::{MAX_MV, Tile};
use crate::matmul::operand::Strided;
use crate::matmul::scratch::Scratch;
use crate::tuning::matmul::FEW_PANELS_OF_A;
use std::ops::Range;

/// A convolution line by line, of one group of channels.
pub(super) struct Lines<'a, T> {
    pub shape: &'a Shape,
    pub format: &'a Format,
    /// One row for each output channel, and the steps of [`steps`].
    pub filter: &'a Strided<'a, T>,
    /// The offsets of the output's pixels; its channels are contiguous.
    pub pixels: &'a Axis,
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

/// The steps of the filter in the order in which the lines are copied: channels, taps across the lines, taps along
/// them.
pub(super) fn steps(shape: &Shape, filter_steps: &Axis) -> Axis {
    let (channels, taps) = (shape.channels, shape.directions[0].taps);
    let of_place = |tap, place| {
        let first = (place * taps + tap) * channels;
        &filter_steps.offsets[first..first + channels]
    };
    let places = (0..taps).flat_map(|tap| (0..across(shape)).map(move |place| (tap, place)));
    Axis::new(places.flat_map(|(tap, place)| of_place(tap, place)).copied().collect())
}

/// Whether lines are copied: few panels of the filter use an image that is contiguous along its lines, and neighbouring
/// pixels need the same elements.
pub(super) fn suits(
    shape: &Shape,
    format: &Format,
    channels: &[Axis],
    features: &Axis,
    caches: Caches,
) -> bool {
    let along = &shape.directions[0];
    let contiguous = channels.iter().all(|axis| axis.is_run(0, axis.len()))
        && along.step == Some(shape.channels as isize)
        && features.is_run(0, features.len());
    let overlapping =
        along.taps > along.stride && along.dilation == 1 && along.taps * shape.channels >= format.lanes;
    let few = shape.features <= FEW_PANELS_OF_A * format.mr && shape.features >= format.lanes;
    let bytes =
        [across(shape), shape.channels, format.bytes].into_iter().fold(padded(shape), usize::saturating_mul);
    format.is_sum && format.same_type && contiguous && overlapping && few && bytes <= caches.second / 4
}

impl<T: Element> Lines<'_, T> {
    /// `C = alpha A B + beta C` for some output channels and pixels, with `alpha` other than 0.
    ///
    /// # Safety
    /// [`suits`] returned true. `call.b` is the first element of the image and valid for all of its elements, `call.c`
    /// that of the output, valid at these channels and pixels, which nothing else accesses. The processor has the
    /// instructions of the format.
    pub(super) unsafe fn run(
        &self,
        call: &Call<T, T::Sum>,
        [rows, cols]: [Range<usize>; 2],
        counter: &Counter,
    ) {
        let (Lines { shape, format, filter, .. }, k) = (self, self.filter.cols.len());
        let tall = rows.len().div_ceil(format.mr);
        let mut scratch = Scratch::take();
        let lens = [(tall * k + 1) * format.mr, padded(shape) * across(shape) * shape.channels];
        let [panels, lines] = scratch.parts::<T::Sum, 2>(lens);
        let packer = T::packers(format.isa).a;
        // SAFETY: the tables are those of the filter, and there is room for all panels and a vector.
        unsafe {
            let rows = filter.rows.part(rows.clone());
            (packer.strided)(filter.base, rows, filter.cols.part(0..k), packer.unit, panels.as_mut_ptr());
        }
        let out = shape.directions[0].out;
        let mut at = cols.start;
        while at < cols.end {
            let pixels = at..cols.end.min((at / out + 1) * out);
            // SAFETY: the line is in the output, the panels are packed, and the output is valid.
            unsafe {
                self.copy(call.b, at / out, lines);
                self.tiles(call, &rows, &pixels, [panels, lines]);
            }
            at = pixels.end;
            if !counter.advance(rows.len() * pixels.len()) {
                break;
            }
        }
        scratch.give_back();
    }

    /// Copies the lines of the image under a line of the output, one for each filter tap across it.
    ///
    /// # Safety
    /// `image` is valid for all elements of the image, which have the type of their sums.
    unsafe fn copy(&self, image: *const T, line: usize, to: &mut [T::Sum]) {
        let [along, others @ ..] = &self.shape.directions[..] else { return };
        let (channels, across, padded) = (self.shape.channels, across(self.shape), padded(self.shape));
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

    /// The tiles of a part of a line of the output.
    ///
    /// # Safety
    /// The panels are those of the rows, the lines those of the pixels, and nothing else accesses these rows and pixels of `C`.
    unsafe fn tiles(
        &self,
        call: &Call<T, T::Sum>,
        rows: &Range<usize>,
        pixels: &Range<usize>,
        [panels, lines]: [&[T::Sum]; 2],
    ) {
        let Lines { shape, format, filter, pixels: places } = self;
        let Format { lanes, mr, .. } = **format;
        let (along, k) = (&shape.directions[0], filter.cols.len());
        let kernels = T::kernels(format.isa).direct(1);
        let (first, apart) = (pixels.start % along.out, along.stride * across(shape) * shape.channels);
        let tall = rows.len().div_ceil(mr);
        for panel in 0..tall {
            let part = equal_part(rows.len(), lanes, tall, panel);
            let vectors = part.len().div_ceil(lanes);
            let wide = pixels.len().div_ceil(format.widest(vectors, 1));
            for columns in (0..wide).map(|tile| equal_part(pixels.len(), 1, wide, tile)) {
                let tile = Tile {
                    k,
                    a: panels[panel * mr * k..].as_ptr(),
                    a_k: mr as isize,
                    b: lines[(first + columns.start) * apart..].as_ptr(),
                    b_n: apart as isize,
                    b_k: 1,
                    begin: std::ptr::null(),
                    panel: std::ptr::null_mut(),
                    c: call.c.wrapping_add(rows.start + part.start),
                    c_m: std::array::from_fn::<_, MAX_MV, _>(|v| (v * lanes) as isize),
                    c_n: places.offsets[pixels.start + columns.start..].as_ptr(),
                    columns: columns.len(),
                    tail: part.len() - (vectors - 1) * lanes,
                    alpha: call.alpha,
                    beta: call.beta,
                    ahead: &mut [],
                };
                // SAFETY: the panel has all steps of the filter, the lines all elements under these pixels, and the output is
                // valid; the processor has the instructions.
                unsafe { kernels[vectors - 1][columns.len() - 1](&tile) };
            }
        }
    }
}

/// Copies pixels of `C` channels to every place `across` pixels apart.
fn copy_pixels<S: Copy, const C: usize>(from: &[S], to: &mut [S], across: usize) {
    let (from, to) = (from.as_chunks::<C>().0, to.as_chunks_mut::<C>().0);
    from.iter().zip(to.iter_mut().step_by(across)).for_each(|(from, to)| *to = *from);
}
