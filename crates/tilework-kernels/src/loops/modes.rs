//! Loops that several layouts share: the refinement of their shapes, coalesced jointly (paper, sections 3.2 and 3.4.2).
//!
//! Layouts of one size are functions of one integral coordinate. If their shapes have a common refinement, a nest of
//! loops enumerates that coordinate, and each layout has one stride in each loop. Where the order of the loops does not
//! matter, the nest is sorted by the strides of one operand and coalesced again, which finds the runs that are
//! contiguous for all.
//!
//! ```text
//! source       (8,(3,5)):(1,(57,8))        8     3     5
//! destination  (8,15):(1,8)              1,1  57,8  8,24      source stride, destination stride
//! ```

use tilework::{__private::sort_by_key, Codomain, Layout};

/// A loop of `extent` steps in which operand `i` moves by `strides[i]` elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mode<const N: usize> {
    pub extent: usize,
    pub strides: [isize; N],
}

/// The loops in which `layouts` of one size are all linear, innermost first; none if their shapes have no common
/// refinement, or if one has offsets that are not integers.
///
/// It is coalesced: no extent is 1, and no two neighbours can be merged.
pub(crate) fn joint<const N: usize>(layouts: [&Layout; N]) -> Option<Vec<Mode<N>>> {
    if layouts.iter().any(|layout| layout.codomain() != Codomain::Integer) {
        return None;
    }
    let mut modes = Vec::new();
    refinement(layouts)?.into_iter().for_each(|mode| push(&mut modes, mode));
    Some(modes)
}

/// The same before neighbours are merged, for integer and XOR strides; the leaves of XOR strides are cut only at powers
/// of two.
pub(crate) fn refinement<const N: usize>(layouts: [&Layout; N]) -> Option<Vec<Mode<N>>> {
    let coalesced = layouts.map(|layout| layout.coalesce());
    let mut rest = [(0usize, 1i64, 0i64); N];
    let mut left = layouts[0].size();
    let mut modes: Vec<Mode<N>> = Vec::new();
    while left > 1 {
        for (layout, (next, extent, stride)) in coalesced.iter().zip(&mut rest) {
            if *extent == 1 {
                let leaf = layout.leaves()[*next];
                (*next, *extent, *stride) = (*next + 1, leaf.extent, leaf.stride.count().numerator());
            }
        }
        let extent = rest.iter().map(|&(_, extent, _)| extent).min()?;
        let mut strides = [0isize; N];
        for (((_, remaining, stride), own), layout) in rest.iter_mut().zip(&mut strides).zip(layouts) {
            let is_cut = *remaining != extent;
            if *remaining % extent != 0
                || is_cut && layout.codomain() == Codomain::Xor && !(extent as u64).is_power_of_two()
            {
                return None;
            }
            *own = isize::try_from(*stride).ok()?;
            *remaining /= extent;
            // A stride is not used after the last step of its leaf, and may then be too large.
            *stride = stride.wrapping_mul(extent);
        }
        modes.push(Mode { extent: usize::try_from(extent).ok()?, strides });
        left /= extent;
    }
    Some(modes)
}

/// Appends a mode, or extends the last one if that is the same.
pub(crate) fn push<const N: usize>(modes: &mut Vec<Mode<N>>, mode: Mode<N>) {
    if mode.extent == 1 {
        return;
    }
    if let Some(last) = modes.last_mut() {
        let continues = (0..N).all(|i| mode.strides[i] == last.strides[i].wrapping_mul(last.extent as isize));
        if continues {
            last.extent *= mode.extent;
            return;
        }
    }
    modes.push(mode);
}

/// Orders the loops by the strides of operand `by`, the smallest first, and coalesces again. Its loops of stride 0 come
/// last. Only for loops whose order does not matter.
pub(crate) fn sort<const N: usize>(modes: &mut Vec<Mode<N>>, by: usize) {
    sort_by_key(modes, |mode| {
        let strides = mode.strides.map(isize::unsigned_abs);
        (strides[by] == 0, strides[by], strides)
    });
    let sorted = std::mem::take(modes);
    sorted.into_iter().for_each(|mode| push(modes, mode));
}

/// Reverses the loops in which operand `by` has a negative stride. Returns how far each operand's first element moves.
pub(crate) fn forwards<const N: usize>(modes: &mut [Mode<N>], by: usize) -> [isize; N] {
    let mut start = [0isize; N];
    for mode in modes.iter_mut().filter(|mode| mode.strides[by] < 0) {
        for (start, stride) in start.iter_mut().zip(&mut mode.strides) {
            *start += *stride * (mode.extent as isize - 1);
            *stride = -*stride;
        }
    }
    start
}
