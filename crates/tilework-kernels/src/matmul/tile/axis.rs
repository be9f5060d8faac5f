//! One axis of a matrix as a table of offsets: the layout evaluated once for each index.

use crate::error::Error;
use std::ops::Range;
use tilework::Layout;

/// The offset of each index along one axis of a matrix, and the length of the contiguous run that begins at each.
///
/// A layout of integer strides is the sum of its modes, so that `offset(i, j) = rows.offsets[i] + cols.offsets[j]`
/// however its modes are nested.
#[derive(Clone, Debug, Default)]
pub(crate) struct Axis {
    /// The offset of each index.
    pub offsets: Vec<isize>,
    /// The length of the contiguous run that begins at each index; 1 if the next index is not contiguous.
    pub runs: Vec<u32>,
    /// The distance between neighbours, if it is constant; 1 for a single index.
    pub stride: Option<isize>,
}

impl Axis {
    /// The axis with these offsets.
    pub(crate) fn new(offsets: Vec<isize>) -> Axis {
        let mut runs = vec![1; offsets.len()];
        for i in (1..offsets.len()).rev() {
            if offsets[i] == offsets[i - 1].wrapping_add(1) {
                runs[i - 1] = u32::saturating_add(runs[i], 1);
            }
        }
        let stride = distance(&offsets);
        Axis { offsets, runs, stride }
    }

    /// `len` offsets, `stride` apart.
    pub(crate) fn strided(len: usize, stride: isize) -> Axis {
        Axis::new((0..len as isize).map(|i| i * stride).collect())
    }

    /// The offsets of a layout of integer strides, all of which are in memory.
    pub(crate) fn of(layout: &Layout) -> Result<Axis, Error> {
        let mut offsets = reserve(layout.size())?;
        offsets.push(0);
        for leaf in layout.leaves() {
            let inner = offsets.len();
            for digit in 1..leaf.extent {
                let step = (digit * leaf.stride.count().numerator()) as isize;
                offsets.extend_from_within(..inner);
                let from = offsets.len() - inner;
                offsets[from..].iter_mut().for_each(|offset| *offset += step);
            }
        }
        Ok(Axis::new(offsets))
    }

    /// The number of indices.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.offsets.len()
    }

    /// The longest contiguous run.
    pub(crate) fn longest(&self) -> u32 {
        self.runs.iter().copied().max().unwrap_or(1)
    }

    /// The number of contiguous runs.
    pub(crate) fn runs_count(&self) -> usize {
        let begins = |&i: &usize| i == 0 || self.runs[i - 1] == 1;
        (0..self.len()).filter(begins).count()
    }

    /// The distance between neighbours, if it is 2 to 4.
    pub(crate) fn apart(&self) -> Option<isize> {
        self.stride.filter(|stride| (2..=4).contains(stride))
    }

    /// Whether `count` indices from `first` on are contiguous in memory.
    #[inline(always)]
    pub(crate) fn is_run(&self, first: usize, count: usize) -> bool {
        self.runs[first] as usize >= count
    }

    /// A part of the axis.
    #[inline(always)]
    pub(crate) fn part(&self, range: Range<usize>) -> Steps<'_> {
        Steps { offsets: &self.offsets, runs: &self.runs }.part(range)
    }
}

/// A part of an [`Axis`]. Runs may continue beyond its end.
#[derive(Clone, Copy)]
pub struct Steps<'a> {
    /// The offset of each index.
    pub offsets: &'a [isize],
    /// The length of the contiguous run that begins at each index.
    pub runs: &'a [u32],
}

/// The distance between neighbours, if it is constant; 1 for a single index.
fn distance(offsets: &[isize]) -> Option<isize> {
    let [first, second, ..] = *offsets else { return Some(1) };
    let distance = second.wrapping_sub(first);
    offsets.windows(2).all(|pair| pair[1].wrapping_sub(pair[0]) == distance).then_some(distance)
}

/// Part `index` of `parts` of `len` indices: whole units; parts differ by one unit at most.
#[inline(always)]
pub(crate) fn equal_part(len: usize, unit: usize, parts: usize, index: usize) -> Range<usize> {
    if parts == 1 {
        return 0..len;
    }
    let units = len.div_ceil(unit);
    let at = |i: usize| (units * i / parts * unit).min(len);
    at(index)..at(index + 1)
}

/// All of these parts, in order, without a division for each.
#[inline(always)]
pub(crate) fn equal_parts(len: usize, unit: usize, parts: usize) -> impl Iterator<Item = Range<usize>> {
    let units = len.div_ceil(unit);
    let (whole, rest) = (units / parts.max(1), units % parts.max(1));
    let (mut at, mut remainder) = (0, 0);
    (0..parts).map(move |_| {
        remainder += rest;
        let more = remainder >= parts;
        remainder -= if more { parts } else { 0 };
        let start = at;
        at += (whole + usize::from(more)) * unit;
        start..at.min(len)
    })
}

impl<'a> Steps<'a> {
    /// Whether they are contiguous in pieces of whole vectors.
    pub(crate) fn in_vectors(&self, lanes: usize) -> bool {
        let count = self.runs.len();
        (0..count).step_by(lanes).all(|i| self.runs[i] as usize >= lanes.min(count - i))
    }

    /// A subrange of the part.
    #[inline(always)]
    pub(crate) fn part(&self, range: Range<usize>) -> Steps<'a> {
        Steps { offsets: &self.offsets[range.clone()], runs: &self.runs[range] }
    }
}

/// An empty table with room for `len` offsets.
pub(crate) fn reserve(len: i64) -> Result<Vec<isize>, Error> {
    let mut offsets = Vec::new();
    let error = Error::Memory { bytes: len as u128 * size_of::<isize>() as u128 };
    match usize::try_from(len).map(|len| offsets.try_reserve_exact(len)) {
        Ok(Ok(())) => Ok(offsets),
        _ => Err(error),
    }
}
