//! The input of a convolution as the matrix `im2col`, one row for each pixel of the output and one step for each
//! channel and filter tap: read in place, panel by panel.
//!
//! If no tap of a panel reaches outside the image, the panel is a piece of an ordinary strided matrix. Otherwise
//! neighbouring taps with the same rows outside form a piece, and those rows are null: they are read as 0.

use super::shape::{Direction, Shape};
use crate::matmul::run::operand::{Packer, PanelSource};
use crate::matmul::tile::axis::Axis;
use std::ops::Range;

/// The input, one group of its channels.
pub(crate) struct Image<'a, T> {
    base: *const T,
    shape: &'a Shape,
    /// Offsets of the channels or, if all directions are linear, of channels and taps.
    channels: &'a Axis,
    steps: Option<&'a Axis>,
}

// SAFETY: it is a shared slice, and the tables of its offsets.
unsafe impl<T: Sync> Sync for Image<'_, T> {}

/// The most directions: the images and three spatial ones.
const MAX_DIRECTIONS: usize = 4;
/// The most rows that a panel has.
const ROWS: usize = 64;

impl<'a, T> Image<'a, T> {
    /// # Safety
    /// `base` plus an offset of each direction and of a channel is an element of the data. `steps` are those of
    /// [`steps_of`].
    pub(crate) unsafe fn new(
        base: *const T,
        shape: &'a Shape,
        channels: &'a Axis,
        steps: Option<&'a Axis>,
    ) -> Image<'a, T> {
        Image { base, shape, channels, steps }
    }

    /// The offset under the first tap for the first row, and the step between rows, if the rows of a panel are in one
    /// line of the output and no tap is outside the image.
    fn interior_line(&self, rows: &Range<usize>) -> Option<[isize; 2]> {
        let [along, across @ ..] = &self.shape.directions[..] else { return None };
        let from = rows.start % along.out;
        let mut rest = rows.start / along.out;
        if from + rows.len() > along.out {
            return None;
        }
        // The offset under the first tap, if that tap and the one some steps further are inside.
        let inside = |d: &Direction, at: usize, further: usize| {
            let last = (at + further) * d.stride + (d.taps - 1) * d.dilation;
            (at * d.stride >= d.low && last < d.input + d.low).then(|| (at * d.stride - d.low) as isize)
        };
        let mut first = inside(along, from, rows.len() - 1)? * along.step?;
        for d in across {
            first += inside(d, rest % d.out, 0)? * d.step?;
            rest /= d.out;
        }
        Some([first, along.stride as isize * along.step?])
    }
}

/// The offsets of channels and taps relative to the first tap, if all directions are linear.
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

/// For each direction, the position in the input of the first tap for each row of a panel; negative before its
/// beginning.
struct Corners {
    count: usize,
    at: [[isize; ROWS]; MAX_DIRECTIONS],
}

impl Corners {
    fn new(shape: &Shape, rows: &Range<usize>) -> Corners {
        let mut corners = Corners { count: rows.len(), at: [[0; ROWS]; MAX_DIRECTIONS] };
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

    /// The rows for which a tap along a direction is inside, as bits.
    fn inside(&self, i: usize, d: &Direction, tap: usize) -> u64 {
        let step = (tap * d.dilation) as isize;
        let rows = self.at[i][..self.count].iter().enumerate();
        rows.fold(0, |set, (row, &at)| set | u64::from((0..d.input as isize).contains(&(at + step))) << row)
    }
}

impl<T: Sync> PanelSource<T> for Image<'_, T> {
    fn panel(&self, rows: Range<usize>, ks: Range<usize>, pointers: &mut [*const T], pack: &mut Packer<T>) {
        let shape = self.shape;
        if let Some(steps) = self.steps
            && let Some([first, step]) = self.interior_line(&rows)
        {
            let all = pointers.iter_mut().zip(0..rows.len() as isize);
            all.for_each(|(pointer, row)| *pointer = self.base.wrapping_offset(first + row * step));
            return pack(pointers, steps.part(ks));
        }
        let corners = Corners::new(shape, &rows);
        let linear = |row: usize| {
            let offsets = shape.directions.iter().zip(&corners.at);
            let offset: isize = offsets.map(|(d, at)| d.step.unwrap_or(0).wrapping_mul(at[row])).sum();
            self.base.wrapping_offset(offset)
        };
        let (mut window, channels) = (Window::new(shape, &corners), shape.channels);
        let mut from = ks.start;
        while from < ks.end {
            let place = from / channels;
            let (mask, mut to) = (window.go_to(place), ks.end.min((place + 1) * channels));
            let linear_to = if self.steps.is_some() { ks.end } else { to };
            while to < linear_to && window.go_to(to / channels) == mask {
                to = ks.end.min(to + channels);
            }
            for (row, pointer) in pointers[..corners.count].iter_mut().enumerate() {
                *pointer = match self.steps {
                    _ if mask >> row & 1 == 0 => std::ptr::null(),
                    Some(_) => linear(row),
                    None => self.base.wrapping_offset(window.offset_of(row)),
                };
            }
            let steps = match self.steps {
                Some(steps) => steps.part(from..to),
                None => self.channels.part(from - place * channels..to - place * channels),
            };
            pack(pointers, steps);
            from = to;
        }
    }
}

/// A filter tap over all rows of a panel.
struct Window<'a> {
    shape: &'a Shape,
    corners: &'a Corners,
    /// The tap in each direction, and the rows for which it is inside.
    taps: [usize; MAX_DIRECTIONS],
    masks: [u64; MAX_DIRECTIONS],
}

impl<'a> Window<'a> {
    fn new(shape: &'a Shape, corners: &'a Corners) -> Window<'a> {
        Window { shape, corners, taps: [usize::MAX; MAX_DIRECTIONS], masks: [u64::MAX; MAX_DIRECTIONS] }
    }

    /// Moves to a tap, and returns the rows for which it is inside.
    fn go_to(&mut self, place: usize) -> u64 {
        let mut rest = place;
        for (i, d) in self.shape.directions.iter().enumerate() {
            let tap = rest % d.taps;
            rest /= d.taps;
            if self.taps[i] != tap {
                (self.taps[i], self.masks[i]) = (tap, self.corners.inside(i, d, tap));
            }
        }
        self.masks.iter().fold(u64::MAX, |all, mask| all & mask)
    }

    /// The offset in the input under the tap, for a row for which it is inside.
    fn offset_of(&self, row: usize) -> isize {
        let offset = |(i, d): (usize, &Direction)| {
            d.in_offsets[(self.corners.at[i][row] + (self.taps[i] * d.dilation) as isize) as usize]
        };
        self.shape.directions.iter().enumerate().map(offset).sum()
    }
}
