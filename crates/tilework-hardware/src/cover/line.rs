//! One mode of a coordinate: the values that the strides along it reach.

use alloc::vec::Vec;
use tilework::{Codomain, Error, HTuple, Layout, Leaf, Offset};

/// The most values that are enumerated.
pub(super) const BUDGET: i64 = 1 << 22;

/// The coverage along one mode.
pub(super) struct Line {
    pub size: i64,
    /// The smallest value in bounds that is not reached.
    pub missing: Option<i64>,
    /// The smallest value in bounds that is reached in two ways.
    pub doubled: Option<i64>,
    /// A value out of bounds.
    pub outside: Option<i64>,
    /// The smallest value in bounds that is reached.
    pub reached: Option<i64>,
    pub min: i64,
    pub max: i64,
}

impl Line {
    /// The values of the strides along `mode` of a coordinate, or of all strides if offsets are integers.
    pub fn new(raster: &Layout, mode: Option<usize>, size: i64) -> Result<Line, Error> {
        let mut modes = Vec::new();
        for leaf in moving(raster) {
            let along = leaf.stride.unit().path();
            if mode.is_none_or(|mode| along.0[0] == mode) {
                modes.push((leaf.stride.count().numerator(), leaf.extent));
            }
        }
        if (raster.codomain() != Codomain::Xor || modes.is_empty())
            && modes.iter().all(|&(stride, _)| stride > 0)
            && let Some(line) = by_strides(&mut modes, size)
        {
            return Ok(line);
        }
        counted(raster, &modes, size)
    }
}

/// The modes with extent above 1 and stride other than 0.
fn moving(raster: &Layout) -> impl Iterator<Item = &Leaf> {
    raster.leaves().iter().filter(|leaf| leaf.extent > 1 && !leaf.stride.is_zero())
}

/// Whether a mode with stride 0 gives several coordinates the same offset.
pub(super) fn has_broadcast(raster: &Layout) -> bool {
    raster.leaves().iter().any(|leaf| leaf.extent > 1 && leaf.stride.is_zero())
}

/// The components of an offset; those that no stride addresses are 0.
pub(super) fn components(offset: &Offset, rank: usize) -> Vec<i64> {
    let mut values: Vec<i64> = offset.leaves().iter().map(|value| value.numerator()).collect();
    values.resize(rank, 0);
    values
}

/// By the rules at the head of `cover`, without enumeration, if they decide it.
fn by_strides(modes: &mut [(i64, i64)], size: i64) -> Option<Line> {
    modes.sort_unstable();
    // All of `0..reached` are reached. The sum of all steps fits 64 bits in every layout.
    let (mut reached, mut sum, mut missing, mut doubled, mut apart) = (1i128, 0i64, None, None, true);
    for &(stride, extent) in modes.iter() {
        apart &= stride > sum;
        if i128::from(stride) > reached || missing.is_some() {
            if stride <= sum {
                // After a gap, the strides interleave.
                return None;
            }
            missing = missing.or(Some(reached as i64));
        } else {
            if i128::from(stride) < reached {
                doubled = doubled.or(Some(stride));
            }
            reached += i128::from(stride) * i128::from(extent - 1);
        }
        sum += stride * (extent - 1);
    }
    let end = i64::try_from(reached).unwrap_or(i64::MAX);
    let missing = missing.or((end < size).then_some(end)).filter(|&value| value < size);
    let outside = (sum >= size).then(|| match i128::from(size) < reached {
        true => size,
        false if apart => next(modes, size),
        false => sum,
    });
    Some(Line {
        size,
        missing,
        doubled: doubled.filter(|&value| value < size),
        outside,
        reached: Some(0),
        min: 0,
        max: sum,
    })
}

/// The smallest reached value that is at least `value`, which must exist; each stride is larger than the sum of all
/// smaller steps.
fn next(modes: &[(i64, i64)], value: i64) -> i64 {
    let largest: i64 = modes.iter().map(|(stride, extent)| stride * (extent - 1)).sum();
    // From the largest stride down: as many steps as fit, or one more if the smaller ones cannot reach the rest.
    let (mut rest, mut sum, mut best) = (value, 0, largest);
    for &(stride, extent) in modes.iter().rev() {
        let steps = (rest / stride).min(extent - 1);
        if steps < extent - 1 {
            best = best.min(sum + (steps + 1) * stride);
        }
        sum += steps * stride;
        rest -= steps * stride;
    }
    if rest == 0 { value } else { best }
}

/// By enumerating all values.
fn counted(raster: &Layout, modes: &[(i64, i64)], size: i64) -> Result<Line, Error> {
    let undecided = Error::Undecided { operation: "cover" };
    let count =
        modes.iter().try_fold(1i64, |count, (_, extent)| count.checked_mul(*extent)).ok_or(undecided)?;
    if count > BUDGET || size > BUDGET {
        return Err(undecided);
    }
    let leaves: Vec<_> = moving(raster).map(|&leaf| HTuple::leaf(leaf)).collect();
    let xor = raster.codomain() == Codomain::Xor;
    let layout = if xor {
        Layout::new(HTuple::tuple(&leaves)?)?
    } else {
        let modes: Vec<_> =
            modes.iter().map(|&(stride, extent)| HTuple::leaf(Leaf::new(extent, stride))).collect();
        Layout::new(HTuple::tuple(&modes)?)?
    };
    let mut times = vec![0u8; size as usize];
    let (mut min, mut max, mut behind) = (i64::MAX, i64::MIN, None);
    for index in 0..count {
        let value = layout.try_at(index)?;
        (min, max) = (min.min(value), max.max(value));
        if let Some(times) = usize::try_from(value).ok().and_then(|value| times.get_mut(value)) {
            *times = times.saturating_add(1);
        } else if value >= size {
            behind = Some(behind.unwrap_or(value).min(value));
        }
    }
    let first = |of: fn(u8) -> bool| times.iter().position(|&times| of(times)).map(|value| value as i64);
    Ok(Line {
        size,
        missing: first(|times| times == 0),
        doubled: first(|times| times > 1),
        outside: behind.or((min < 0).then_some(min)),
        reached: first(|times| times > 0),
        min,
        max,
    })
}
