//! The input of a convolution as the matrix `im2col`, one row for each pixel of the output and one step for each channel
//! and position in the filter: read in place, panel by panel.
//!
//! Where no place of a panel's filters is outside of the image, a panel is a piece of an ordinary strided matrix. Else
//! neighbouring places with the same rows outside are one piece, and those rows are null: they are read as 0.

use super::shape::{Direction, Shape};
use crate::matmul::axis::{Axis, Steps};
use crate::matmul::operand::Source;
use std::ops::Range;

/// The input, one group of its channels.
pub(crate) struct Image<'a, T> {
    base: *const T,
    shape: &'a Shape,
    /// Offsets of the channels, and where all directions are linear, of channels and places.
    channels: &'a Axis,
    steps: Option<&'a Axis>,
}

// SAFETY: it is a shared slice, and tables to read it by.
unsafe impl<T: Sync> Sync for Image<'_, T> {}

/// The most directions: the images and three spatial ones.
const MOST: usize = 4;
/// The most rows that a panel has.
const ROWS: usize = 64;

impl<'a, T> Image<'a, T> {
    /// # Safety
    /// `base` and an offset of each direction and of a channel is an element of the data. `steps` are those of
    /// [`steps_of`].
    pub(crate) unsafe fn new(
        base: *const T,
        shape: &'a Shape,
        channels: &'a Axis,
        steps: Option<&'a Axis>,
    ) -> Image<'a, T> {
        Image { base, shape, channels, steps }
    }
}

/// The offsets of channels and places from the place of the filter's first element, where all directions are linear.
pub(crate) fn steps_of(shape: &Shape, channels: &Axis) -> Option<Vec<isize>> {
    let mut steps = channels.offsets.clone();
    for d in &shape.directions {
        let step = d.step? * d.dilation as isize;
        let inner = steps.len();
        for tap in 1..d.taps {
            steps.extend_from_within(..inner);
            steps[tap * inner..].iter_mut().for_each(|offset| *offset += tap as isize * step);
        }
    }
    Some(steps)
}

/// For each direction, where in the input the first place of the filter is for each row of a panel; before it begins,
/// below 0.
struct Corners {
    count: usize,
    at: [[isize; ROWS]; MOST],
}

impl Corners {
    fn new(shape: &Shape, rows: &Range<usize>) -> Corners {
        let mut corners = Corners { count: rows.len(), at: [[0; ROWS]; MOST] };
        let mut rest = rows.start;
        for (d, at) in shape.directions.iter().zip(&mut corners.at) {
            at[0] = (rest % d.out * d.stride) as isize - d.low as isize;
            rest /= d.out;
        }
        for row in 1..corners.count {
            let mut carry = true;
            for (d, at) in shape.directions.iter().zip(&mut corners.at) {
                let first = -(d.low as isize);
                at[row] = at[row - 1];
                if carry {
                    at[row] += d.stride as isize;
                    carry = at[row] == first + (d.out * d.stride) as isize;
                    if carry {
                        at[row] = first;
                    }
                }
            }
        }
        corners
    }

    /// Whether a place of the filter is inside for all rows, in all directions.
    fn all_inside(&self, shape: &Shape) -> bool {
        shape.directions.iter().zip(&self.at).all(|(d, at)| {
            let reach = ((d.taps - 1) * d.dilation) as isize;
            at[..self.count].iter().all(|&at| at >= 0 && at + reach < d.input as isize)
        })
    }

    /// The rows for which a place of the filter along a direction is inside, as bits.
    fn inside(&self, i: usize, d: &Direction, tap: usize) -> u64 {
        let step = (tap * d.dilation) as isize;
        let rows = self.at[i][..self.count].iter().enumerate();
        rows.fold(0, |set, (row, &at)| set | u64::from((0..d.input as isize).contains(&(at + step))) << row)
    }
}

impl<T: Sync> Source<T> for Image<'_, T> {
    fn panel(
        &self,
        rows: Range<usize>,
        ks: Range<usize>,
        pointers: &mut [*const T],
        pack: &mut dyn FnMut(&[*const T], Steps<'_>),
    ) {
        let shape = self.shape;
        let corners = Corners::new(shape, &rows);
        let linear = |row: usize| {
            let offsets = shape.directions.iter().zip(&corners.at);
            let offset: isize = offsets.map(|(d, at)| d.step.unwrap_or(0).wrapping_mul(at[row])).sum();
            self.base.wrapping_offset(offset)
        };
        if let Some(steps) = self.steps
            && corners.all_inside(shape)
        {
            (0..corners.count).for_each(|row| pointers[row] = linear(row));
            return pack(pointers, steps.part(ks));
        }
        let channels = shape.channels;
        let mut masks = [u64::MAX; MOST];
        let mut taps = [usize::MAX; MOST];
        let mut piece = ks.start..ks.start;
        let mut piece_mask = None;
        while piece.end < ks.end {
            let place = piece.end / channels;
            let mut rest = place;
            for (i, d) in shape.directions.iter().enumerate() {
                let tap = rest % d.taps;
                rest /= d.taps;
                if taps[i] != tap {
                    (taps[i], masks[i]) = (tap, corners.inside(i, d, tap));
                }
            }
            let mask = masks.iter().fold(u64::MAX, |all, mask| all & mask);
            if let (Some(before), Some(steps)) = (piece_mask, self.steps)
                && before != mask
            {
                pack(pointers, steps.part(piece.clone()));
                piece.start = piece.end;
                piece_mask = None;
            }
            piece.end = ks.end.min((place + 1) * channels);
            if self.steps.is_none() {
                for (row, pointer) in pointers[..corners.count].iter_mut().enumerate() {
                    *pointer = std::ptr::null();
                    if mask >> row & 1 == 1 {
                        let offset = |(i, d): (usize, &Direction)| {
                            d.in_offsets[(corners.at[i][row] + (taps[i] * d.dilation) as isize) as usize]
                        };
                        let offset: isize = shape.directions.iter().enumerate().map(offset).sum();
                        *pointer = self.base.wrapping_offset(offset);
                    }
                }
                let first = piece.start - place * channels;
                pack(pointers, self.channels.part(first..first + piece.len()));
                piece.start = piece.end;
            } else if piece_mask.is_none() {
                for (row, pointer) in pointers[..corners.count].iter_mut().enumerate() {
                    *pointer = if mask >> row & 1 == 1 { linear(row) } else { std::ptr::null() };
                }
                piece_mask = Some(mask);
            }
        }
        if let Some(steps) = self.steps
            && !piece.is_empty()
        {
            pack(pointers, steps.part(piece));
        }
    }
}
