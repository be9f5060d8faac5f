//! The modes of the left operand of a composition, and its value at a step, which is stored as quotients.

use crate::error::{Error, tri};
use crate::int;
use crate::layout::Leaf;
use crate::list::List;
use crate::stride::{Stride, Sum, Unit, each_term};
use crate::tuple::MAX_LEAVES;

/// One mode of the left operand, which is flat and coalesced for the extended domain.
#[derive(Clone, Copy)]
pub(super) struct Mode {
    pub extent: i64,
    pub stride: Stride,
    /// The prefix product `P_r` of the extents: the mode's coordinate changes at its multiples.
    pub bound: i64,
    /// `floor(x / P_r)` for the current step `x`.
    pub quotient: i64,
    /// `x mod P_r`.
    pub remainder: i64,
    /// The maximal sum of the remainders of all steps; saturates.
    pub reach: i64,
}

impl Mode {
    pub const UNUSED: Mode =
        Mode { extent: 0, stride: Stride::UNUSED, bound: 0, quotient: 0, remainder: 0, reach: 0 };
}

/// Room for the modes of a left operand.
pub(super) type Modes = [Mode; MAX_LEAVES];

/// The modes of the left operand in `room`.
pub(super) const fn modes_of<'a>(leaves: &[Leaf], room: &'a mut [Mode]) -> &'a mut [Mode] {
    let (mut len, mut size, mut i) = (0, 1, 0);
    while i < leaves.len() {
        let Leaf { extent, stride } = leaves[i];
        if extent == 1 && i + 1 < leaves.len() {
        } else if len > 0
            && (Leaf { extent: room[len - 1].extent, stride: room[len - 1].stride }).continues_with(leaves[i])
        {
            room[len - 1].extent *= extent;
        } else {
            room[len] = Mode { extent, stride, bound: size, ..Mode::UNUSED };
            len += 1;
        }
        size *= extent;
        i += 1;
    }
    if len == 0 {
        room[0] = Mode { stride: Stride::ZERO, ..Mode::UNUSED };
        len = 1;
    }
    room.split_at_mut(len).0
}

/// Empty room for the modes of a left operand.
pub(super) const fn room() -> Modes {
    [Mode::UNUSED; MAX_LEAVES]
}

/// `A(x)` from the quotients of `x`, if all strides are integers.
#[inline(always)]
pub(super) const fn integer_at(modes: &[Mode]) -> Result<Option<i64>, Error> {
    let last = modes.len() - 1;
    let (mut offset, mut r) = (0, 0);
    while r < last && modes[r].stride.is_plain() {
        // A digit is below its extent, so that the sum is an offset of the layout.
        offset += digit(modes, r) * modes[r].stride.numerator();
        r += 1;
    }
    if !modes[r].stride.is_plain() {
        return Ok(None);
    }
    Ok(Some(tri!(int::add_mul(offset, modes[r].quotient, modes[r].stride.numerator()))))
}

/// `A(x)` from the quotients of `x`; `leaf` is that of the right operand.
#[cold]
pub(super) const fn stride_at(modes: &[Mode], leaf: usize) -> Result<Stride, Error> {
    // A sum for each component; all but one may cancel.
    let mut sums = List::<(Unit, Sum), MAX_LEAVES>::new((Unit::ONE, Sum::ZERO));
    let mut r = 0;
    while r < modes.len() {
        let digit = if r + 1 < modes.len() { digit(modes, r) } else { modes[r].quotient };
        each_term!(modes[r].stride, |term| {
            let (unit, mut k) = (term.unit(), 0);
            while k < sums.len() && !sums.as_slice()[k].0.same(unit) {
                k += 1;
            }
            if k == sums.len() {
                tri!(sums.push((unit, Sum::ZERO), "components"));
            }
            sums.as_mut_slice()[k].1 = sums.as_slice()[k].1.add(term, digit);
        });
        r += 1;
    }
    let mut components = List::<Stride, MAX_LEAVES>::new(Stride::ZERO);
    let mut k = 0;
    while k < sums.len() {
        let (unit, sum) = sums.as_slice()[k];
        let Some(sum) = sum.rational() else { return Err(Error::TooLarge { what: "a stride" }) };
        tri!(components.push(Stride::of_unit(sum, unit), "components"));
        k += 1;
    }
    stride_of(components.as_slice(), leaf)
}

/// The stride of mode `leaf` with these components.
pub(super) const fn stride_of(components: &[Stride], leaf: usize) -> Result<Stride, Error> {
    match Stride::of_terms(components) {
        Ok(stride) => Ok(stride),
        Err(_) => Err(Error::NotBasis { leaf }),
    }
}

/// Digit `r` of `x` in the mixed radix of the extents. It is below its extent, so intermediate wrapping is harmless.
#[inline]
pub(super) const fn digit(modes: &[Mode], r: usize) -> i64 {
    modes[r].quotient.wrapping_sub(modes[r].extent.wrapping_mul(modes[r + 1].quotient))
}
