//! Nullspace: the indices at which the offset is 0.
//!
//! With strides of one sign these are the modes of stride 0. Steps up and steps down can cancel as well, as can XORs, and
//! what they cancel to need not be a layout: the zeros are then searched for, within a budget, and listed.

use super::right_inverse::{BUDGET, Indexed, Preimages, Search, UNUSED, modes_along};
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf, build};
use crate::stride::{Codomain, Unit};
use crate::tuple::{HTuple, MAX_LEAVES};

const OPERATION: &str = "nullspace";
const CANCEL: Error =
    Error::NoInverse { reason: "offsets of several modes cancel, at indices that form no layout" };

impl Layout {
    /// The layout of the indices at which the offset is 0.
    ///
    /// | `L` | nullspace |
    /// |---|---|
    /// | `(128,4,3):(1,512,0)` | `3:512` |
    /// | `(3,7):(0,0)` | `(3,7):(1,3)` |
    /// | `(2,2):(1,-1)` | `2:3` |
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert_eq!(layout!((128,4,3):(1,512,0)).nullspace()?, layout!(3:512));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoInverse`] where offsets cancel at indices that form no layout, `(2,2,2):(1,1,-1)`;
    /// [`Error::Undecided`] where there are too many of them to list; [`Error::NotIntegral`] for fractions with a
    /// negative stride.
    pub const fn nullspace(&self) -> Result<Layout, Error> {
        let plain = if self.codomain().same(Codomain::Xor) {
            tri!(self.filter_zeros().is_injective())
        } else {
            tri!(self.has_only_plain_zeros())
        };
        if plain { build!(|out| still_modes(self.leaves(), out)) } else { self.listed_zeros() }
    }

    /// Whether no sum of moving modes is 0.
    const fn has_only_plain_zeros(&self) -> Result<bool, Error> {
        let mut i = 0;
        while i < self.leaves().len() {
            let Leaf { extent, stride } = self.leaves()[i];
            if extent > 1 && stride.numerator() < 0 {
                let mut room = [UNUSED; MAX_LEAVES];
                let modes = tri!(modes_along(self.leaves(), stride.unit(), false, &mut room));
                let (zeros, complete) = tri!(zeros_of(modes));
                if zeros.len() > 1 {
                    return Ok(false);
                }
                if !complete {
                    return Err(Error::Undecided { operation: OPERATION });
                }
            }
            i += 1;
        }
        Ok(true)
    }

    /// All zeros, listed one by one and read as a layout.
    #[cold]
    const fn listed_zeros(&self) -> Result<Layout, Error> {
        let (zeros, complete) = if self.codomain().same(Codomain::Integer) {
            // The search counts in the modes that it was given, which are all but those of extent 1.
            let mut room = [UNUSED; MAX_LEAVES];
            tri!(zeros_of(tri!(modes_along(self.leaves(), Unit::ONE, true, &mut room))))
        } else {
            tri!(self.zeros_by_index())
        };
        if !complete {
            return Err(Error::Undecided { operation: OPERATION });
        }
        let mut layout = Layout::empty();
        if !push_modes(zeros.as_slice(), &mut layout.tuple) {
            return Err(CANCEL);
        }
        tri!(layout.tuple.close_merged(0));
        Ok(layout)
    }

    /// The zeros of coordinates and XORs, which the search does not know, and whether these are all.
    const fn zeros_by_index(&self) -> Result<(Preimages, bool), Error> {
        let (mut zeros, mut complete) = (Preimages::new(0), self.size() <= BUDGET as i64);
        let mut index = 0;
        while complete && index < self.size() {
            let (offset, mut i) = (tri!(self.evaluate(&HTuple::leaf(index))), 0);
            while i < offset.leaves().len() && offset.leaves()[i].numerator() == 0 {
                i += 1;
            }
            if i == offset.leaves().len() {
                complete = zeros.push(index, "").is_ok();
            }
            index += 1;
        }
        Ok((zeros, complete))
    }
}

const fn still_modes(leaves: &[Leaf], out: &mut HTuple<Leaf>) -> Result<(), Error> {
    let (mut index, mut i) = (1, 0);
    while i < leaves.len() {
        let Leaf { extent, stride } = leaves[i];
        if stride.is_zero() && extent > 1 {
            tri!(out.push_value(Leaf::new(extent, index)));
        }
        index *= extent;
        i += 1;
    }
    out.close_merged(0)
}

/// The zeros in ascending order, and whether these are all.
const fn zeros_of(modes: &mut [Indexed]) -> Result<(Preimages, bool), Error> {
    let mut search = tri!(Search::new(modes, 1));
    let mut zeros = Preimages::new(0);
    let complete = search.preimages(modes.len(), 0, 0, &mut zeros).is_ok();
    Ok((zeros, complete))
}

/// Appends modes whose offsets are these values, of which the first is 0 and each is larger than the one before; `false`
/// where there are none.
const fn push_modes(values: &[i64], out: &mut HTuple<Leaf>) -> bool {
    if values.len() == 1 {
        return true;
    }
    // The second value is not a sum of others: it is a stride, the smallest.
    let (stride, mut extent, own) = (values[1], values.len() as i64, out.leaves().len());
    while extent != 1 {
        let begins = begins_of_runs(values, Leaf::new(extent, stride));
        if begins.len() as i64 * extent == values.len() as i64
            && out.push_value(Leaf::new(extent, stride)).is_ok()
            && push_modes(begins.as_slice(), out)
        {
            return true;
        }
        out.drop_leaves(own);
        extent -= 1;
    }
    false
}

/// The values that are no later step of a run, begun before, through `mode`. Where they are as many as there are runs in
/// all, every run is whole.
const fn begins_of_runs(values: &[i64], mode: Leaf) -> Preimages {
    let mut begins = Preimages::new(0);
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
        assert_eq!(layout!((2,1,3):(1,0,0)).nullspace(), Ok(layout!(3:2)));
        // More than could be listed, but nothing cancels.
        assert_eq!(layout!((2,100):(-1,0)).nullspace(), Ok(layout!(100:2)));
        // Fractions of one sign cancel nowhere.
        assert_eq!(layout!((2,1,3):(1/2,-1/2,0)).nullspace(), Ok(layout!(3:2)));
    }

    #[test]
    fn steps_that_cancel() {
        assert_eq!(layout!((2,2,2):(1,1,-1)).nullspace(), Err(CANCEL));
        // The zeros are 0, 8, 13 and 16, and 8 + 13 is none.
        assert_eq!(layout!((2,3,3):(-2,-1,1)).nullspace(), Err(CANCEL));
        // They are 0, 7, 9, 14, 16 and 23, which no layout gives in this order.
        assert_eq!(layout!((3,2,4):(-1,-1,1)).nullspace(), Ok(layout!((3,2):(7,9))));
        // The one other zero is far from the begin of its mode.
        assert_eq!(layout!((100000,2):(-1,50000)).nullspace(), Ok(layout!(2:150000)));
    }

    #[test]
    fn coordinates_and_xors_that_cancel() {
        assert_eq!(layout!((2,2):(1@0,-1@0)).nullspace(), Ok(layout!(2:3)));
        assert_eq!(layout!((2,2,2):(1@0,1@0,-1@0)).nullspace(), Err(CANCEL));
        assert_eq!(layout!((2,2,2):(^1,^1,^2)).nullspace(), Ok(layout!(2:3)));
        assert_eq!(layout!((2,2,2):(^1,^0,^2)).nullspace(), Ok(layout!(2:2)));
        // 3 = 1 ^ 2: (1,1) and (2,0) meet, and neither is a zero.
        assert_eq!(layout!((3,2):(^1,^3)).nullspace(), Ok(layout!(1:0)));
        let undecided = Err(Error::Undecided { operation: OPERATION });
        assert_eq!(layout!((2,4000):(1@0,-1@0)).nullspace(), Ok(layout!(2:3)));
        assert_eq!(layout!((2,4001):(1@0,-1@0)).nullspace(), undecided);
        assert_eq!(layout!((2,2,32):(^1,^1,^0)).nullspace(), Ok(layout!((2,32):(3,4))));
        assert_eq!(layout!((2,2,33):(^1,^1,^0)).nullspace(), undecided);
    }
}
