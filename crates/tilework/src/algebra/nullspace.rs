//! Nullspace: the indices at which the offset is 0.
//!
//! The modes of stride 0 give such indices, and all of them if the other strides of each component have one sign. Steps
//! of different signs can cancel, as can XORs, and the zeros then need not form a layout: they are enumerated in
//! ascending order, and converted to a layout if possible.

use super::indexed::{Indexed, UNUSED, common_denominator, modes_along};
use super::search::{Preimages, Work};
use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf, build};
use crate::list::{List, sort_by};
use crate::tuple::{HTuple, MAX_LEAVES};

const OPERATION: &str = "nullspace";
const CANCEL: Error =
    Error::NoInverse { reason: "offsets of several modes cancel, at indices that form no layout" };
const UNDECIDED: Error = Error::Undecided { operation: OPERATION };

impl Layout {
    /// The layout of the indices at which the offset is 0.
    ///
    /// | `L` | nullspace |
    /// |---|---|
    /// | `(128,4,3):(1,512,0)` | `3:512` |
    /// | `(3,7):(0,0)` | `(3,7):(1,3)` |
    /// | `(2,1,3):(1,0,0)` | `(1,3):(0,2)` |
    /// | `(2,2):(1,-1)` | `2:3` |
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert_eq!(layout!((128,4,3):(1,512,0)).nullspace()?, layout!(3:512));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoInverse`] if offsets cancel at indices that do not form a layout, `(2,2,2):(1,1,-1)`;
    /// [`Error::Undecided`] if the search for them ends before that is known. [`Error::Overflow`] for fractions whose
    /// common denominator is too large.
    pub const fn nullspace(&self) -> Result<Layout, Error> {
        if self.codomain().same(Codomain::Xor) {
            return if tri!(self.filter_zeros().is_injective()) {
                build!(|out| plain_zeros(self.leaves(), out))
            } else {
                self.xor_nullspace()
            };
        }
        if self.has_sums() {
            return tri!(self.packed()).nullspace();
        }
        build!(|out| self.zeros_into(out))
    }

    /// The zeros of one component do not move the others, so their modes are independent.
    const fn zeros_into(&self, out: &mut HTuple<Leaf>) -> Result<(), Error> {
        let mut work = Work::new(OPERATION);
        let (leaves, mut cancel, mut i) = (self.leaves(), false, 0);
        tri!(still_modes(leaves, out));
        while i < leaves.len() {
            let Leaf { extent, stride } = leaves[i];
            if extent > 1 && !stride.is_zero() && !has_unit_before(leaves, i) {
                let (mut room, known) = ([UNUSED; MAX_LEAVES], out.leaves().len());
                let parts = tri!(common_denominator(leaves, stride.unit()));
                tri!(cancelling_modes(
                    tri!(modes_along(leaves, stride.unit(), false, parts, &mut room)),
                    &mut work,
                    out
                ));
                cancel |= out.leaves().len() > known;
            }
            i += 1;
        }
        if cancel {
            let mut modes = *out;
            sort(modes.leaves_mut());
            out.drop_leaves(0);
            let mut i = 0;
            while i < modes.leaves().len() {
                if modes.leaves()[i].extent > 1 {
                    tri!(out.push_merged(modes.leaves()[i], 0));
                }
                i += 1;
            }
        }
        out.close_merged(0)
    }
}

const fn plain_zeros(leaves: &[Leaf], out: &mut HTuple<Leaf>) -> Result<(), Error> {
    tri!(still_modes(leaves, out));
    out.close_merged(0)
}

/// The modes of stride 0 as CuTe gives them, those of extent 1 with stride 0.
const fn still_modes(leaves: &[Leaf], out: &mut HTuple<Leaf>) -> Result<(), Error> {
    let (mut index, mut i) = (1, 0);
    while i < leaves.len() {
        let Leaf { extent, stride } = leaves[i];
        if stride.is_zero() {
            tri!(out.push_value(Leaf::new(extent, if extent > 1 { index } else { 0 })));
        }
        index *= extent;
        i += 1;
    }
    Ok(())
}

/// Whether a mode before this one moves in the same component.
const fn has_unit_before(leaves: &[Leaf], i: usize) -> bool {
    let mut k = 0;
    while k < i {
        let Leaf { extent, stride } = leaves[k];
        if extent > 1 && !stride.is_zero() && stride.unit().same(leaves[i].stride.unit()) {
            return true;
        }
        k += 1;
    }
    false
}

/// Appends the modes of the indices at which the modes of one component cancel.
const fn cancelling_modes(modes: &[Indexed], work: &mut Work, out: &mut HTuple<Leaf>) -> Result<(), Error> {
    let (mut up, mut down, mut most, mut i) = (0, 0, [0; MAX_LEAVES], 0);
    while i < modes.len() {
        most[i] = modes[i].extent - 1;
        up += (modes[i].stride > 0) as usize;
        down += (modes[i].stride < 0) as usize;
        i += 1;
    }
    if up == 0 || down == 0 {
        return Ok(());
    }
    if modes.len() == 2 {
        return opposite_modes(modes[0], modes[1], out);
    }
    if tri!(ascending_modes(Preimages::new(modes, most, 0), work, out)) {
        return Ok(());
    }
    let (mut zeros, mut preimages) = (Zeros::new(0), Preimages::new(modes, most, 0));
    while let Some(zero) = tri!(preimages.next(work)) {
        if zeros.push(zero, "").is_err() {
            return Err(UNDECIDED);
        }
    }
    if tri!(push_modes(zeros.as_slice(), work, out)) { Ok(()) } else { Err(CANCEL) }
}

/// Two modes cancel at the multiples of one index.
const fn opposite_modes(a: Indexed, b: Indexed, out: &mut HTuple<Leaf>) -> Result<(), Error> {
    let (up, down) = (a.stride.unsigned_abs(), b.stride.unsigned_abs());
    let divisor = int::gcd(up, down);
    let (a_step, b_step) = (down / divisor, up / divisor);
    let (a_times, b_times) = ((a.extent - 1) as u64 / a_step, (b.extent - 1) as u64 / b_step);
    let times = if a_times < b_times { a_times } else { b_times };
    if times == 0 {
        return Ok(());
    }
    out.push_value(Leaf::new(times as i64 + 1, a_step as i64 * a.index + b_step as i64 * b.index))
}

/// Appends modes that give the zeros in ascending order; `false`, and nothing appended, if no modes do. The modes are
/// forced in each case (docs/proofs.md, theorem 1).
const fn ascending_modes(
    mut zeros: Preimages<'_>,
    work: &mut Work,
    out: &mut HTuple<Leaf>,
) -> Result<bool, Error> {
    let (first, mut count, mut bound) = (out.leaves().len(), 0, 1);
    while let Some(zero) = tri!(zeros.next(work)) {
        let modes = out.leaves_mut().split_at_mut(first).1;
        tri!(work.spend(1 + modes.len()));
        if count > 0 && (modes.is_empty() || continued(modes, count) != zero as i128) {
            if count % bound != 0 {
                break;
            }
            if let Some(last) = modes.last_mut() {
                last.extent = count / bound;
            }
            tri!(out.push_value(Leaf::new(1, zero)));
            bound = count;
        }
        count += 1;
    }
    if count % bound != 0 {
        out.drop_leaves(first);
        return Ok(false);
    }
    if let Some(last) = out.leaves_mut().split_at_mut(first).1.last_mut() {
        last.extent = count / bound;
    }
    Ok(true)
}

/// The value of flat modes at an index, the last of them continued.
const fn continued(modes: &[Leaf], index: i64) -> i128 {
    let (mut value, mut rest, mut i) = (0, index, 0);
    while i + 1 < modes.len() {
        let (quotient, digit) = int::div_rem(rest, modes[i].extent);
        value += digit as i128 * modes[i].stride.numerator() as i128;
        rest = quotient;
        i += 1;
    }
    value + rest as i128 * modes[i].stride.numerator() as i128
}

/// By stride, ascending.
const fn sort(modes: &mut [Leaf]) {
    sort_by!(modes, |left, right| left.stride.numerator() < right.stride.numerator());
}

/// The most zeros that are listed if no modes give them in ascending order.
type Zeros = List<i64, 128>;

/// Appends modes whose offsets are these values, which begin with 0 and ascend; `false` if there are none.
const fn push_modes(values: &[i64], work: &mut Work, out: &mut HTuple<Leaf>) -> Result<bool, Error> {
    if values.len() == 1 {
        return Ok(true);
    }
    // The second value is not a sum of others, so it is the smallest stride.
    let (stride, mut extent, own) = (values[1], values.len(), out.leaves().len());
    while extent != 1 {
        if values.len().is_multiple_of(extent) {
            tri!(work.spend(values.len() * values.len() / extent / 4));
            let mode = Leaf::new(extent as i64, stride);
            let begins = begins_of_runs(values, mode);
            if begins.len() * extent == values.len()
                && out.push_value(mode).is_ok()
                && tri!(push_modes(begins.as_slice(), work, out))
            {
                return Ok(true);
            }
            out.drop_leaves(own);
        }
        extent -= 1;
    }
    Ok(false)
}

/// The values that begin a run through `mode`, not continue one. If their number is that of all runs, every run is
/// complete.
const fn begins_of_runs(values: &[i64], mode: Leaf) -> Zeros {
    let mut begins = Zeros::new(0);
    let mut i = 0;
    while i < values.len() {
        let mut j = 0;
        while j < begins.len() {
            let (steps, rest) = int::div_rem(values[i] - begins.as_slice()[j], mode.stride.numerator());
            if rest == 0 && steps < mode.extent {
                break;
            }
            j += 1;
        }
        if j == begins.len() {
            let _ = begins.push(values[i], "");
        }
        i += 1;
    }
    begins
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout;

    #[test]
    fn modes_that_stand_still() {
        assert_eq!(layout!((7,5,16):(0,0,0)).nullspace(), Ok(layout!((7,5,16):(1,7,35))));
        assert_eq!(layout!((2,1,3):(1,0,0)).nullspace(), Ok(layout!((1,3):(0,2))));
        assert_eq!(layout!((2,100):(-1,0)).nullspace(), Ok(layout!(100:2)));
        // Fractions of one sign do not cancel.
        assert_eq!(layout!((2,1,3):(1/2,-1/2,0)).nullspace(), Ok(layout!(3:2)));
        // Of steps that cancel, modes of extent 1 are none.
        assert_eq!(layout!((2,2,1):(1,-1,0)).nullspace(), Ok(layout!(2:3)));
    }

    #[test]
    fn steps_that_cancel() {
        assert_eq!(layout!((2,2,2):(1,1,-1)).nullspace(), Err(CANCEL));
        // The zeros are 0, 8, 13 and 16, but 8 + 13 is not a zero.
        assert_eq!(layout!((2,3,3):(-2,-1,1)).nullspace(), Err(CANCEL));
        // The zeros are 0, 7, 9, 14, 16 and 23, which no layout gives in this order.
        assert_eq!(layout!((3,2,4):(-1,-1,1)).nullspace(), Ok(layout!((3,2):(7,9))));
        // The only other zero is far from the beginning of its mode.
        assert_eq!(layout!((100000,2):(-1,50000)).nullspace(), Ok(layout!(2:150000)));
    }

    #[test]
    fn coordinates_and_xors_that_cancel() {
        assert_eq!(layout!((2,2):(1@0,-1@0)).nullspace(), Ok(layout!(2:3)));
        assert_eq!(layout!((2,2,2):(1@0,1@0,-1@0)).nullspace(), Err(CANCEL));
        assert_eq!(layout!((2,2,2):(^1,^1,^2)).nullspace(), Ok(layout!(2:3)));
        assert_eq!(layout!((2,2,2):(^1,^0,^2)).nullspace(), Ok(layout!(2:2)));
        // 3 = 1 ^ 2: (1,1) and (2,0) have the same offset, and neither is a zero.
        assert_eq!(layout!((3,2):(^1,^3)).nullspace(), Ok(layout!(1:0)));
        assert_eq!(layout!((2,4001):(1@0,-1@0)).nullspace(), Ok(layout!(2:3)));
        assert_eq!(layout!((2,2,33):(^1,^1,^0)).nullspace(), Ok(layout!((2,33):(3,4))));
        assert_eq!(layout!((2,2,2):(^1,^1,^1)).nullspace(), Ok(layout!((2,2):(^3,^5))));
    }

    #[test]
    fn many_zeros() {
        assert_eq!(layout!((1000000,1000000):(3,-5)).nullspace(), Ok(layout!(200000:3000005)));
        assert_eq!(layout!((2,2,1000000):(1,-1,0)).nullspace(), Ok(layout!((2,1000000):(3,4))));
        assert_eq!(layout!((30,30,30):(1,30,-31)).nullspace(), Ok(layout!(30:931)));
        assert_eq!(layout!((1000,1000,1000):(1,1,-1)).nullspace(), Err(UNDECIDED));
        // Fractions, with a common denominator.
        assert_eq!(layout!(2:-1/2).nullspace(), Ok(layout!(1:0)));
        assert_eq!(layout!((4,4):(1/2,-1/3)).nullspace(), Ok(layout!(2:14)));
    }
}
