//! Nullspace: the indices at which the offset is 0.
//!
//! With strides of one sign these are the modes of stride 0. Steps up and steps down can cancel as well, and what
//! they cancel to need not be a layout: the zeros are then searched for, within a budget, and listed.

use super::right_inverse::{Preimages, Search, UNUSED, modes_along};
use crate::error::{Error, tri};
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
    /// [`Error::NoInverse`] where steps up and down cancel at indices that form no layout, `(2,2,2):(1,1,-1)`;
    /// [`Error::Undecided`] where there are too many of them to list; [`Error::NotIntegral`] for fractions with a
    /// negative stride.
    pub const fn nullspace(&self) -> Result<Layout, Error> {
        if self.codomain().same(Codomain::Xor) {
            if !tri!(self.filter_zeros().is_injective()) {
                return Err(CANCEL);
            }
        } else if !tri!(self.has_only_plain_zeros()) {
            return self.listed_zeros();
        }
        build!(|out| still_modes(self.leaves(), out))
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
                if !zeros.is_empty() {
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
        if self.codomain().same(Codomain::Coordinate) {
            return Err(CANCEL);
        }
        let mut room = [UNUSED; MAX_LEAVES];
        let modes = tri!(modes_along(self.leaves(), Unit::ONE, true, &mut room));
        let (mut zeros, complete) = tri!(zeros_of(modes));
        if !complete || zeros.push(0, "").is_err() {
            return Err(Error::Undecided { operation: OPERATION });
        }
        // The search counts in the modes that it was given, which are all but those of extent 1.
        let zeros = zeros.as_mut_slice();
        let mut i = 1;
        while i < zeros.len() {
            let mut j = i;
            while j > 0 && zeros[j] < zeros[j - 1] {
                (zeros[j], zeros[j - 1]) = (zeros[j - 1], zeros[j]);
                j -= 1;
            }
            i += 1;
        }
        match layout_of(zeros) {
            Some(layout) => Ok(layout),
            None => Err(CANCEL),
        }
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

/// The zeros other than index 0, and whether these are all.
const fn zeros_of(modes: &mut [super::right_inverse::Indexed]) -> Result<(Preimages, bool), Error> {
    let mut search = tri!(Search::new(modes, 1));
    let mut zeros = Preimages::new(0);
    let complete = search.preimages(modes.len(), 0, 0, &mut zeros).is_ok();
    Ok((zeros, complete))
}

/// The flat layout with these values at `0, 1, 2, ...`, the first of which is 0.
const fn layout_of(values: &[i64]) -> Option<Layout> {
    let mut layout = Layout::empty();
    let mut step = 1;
    while step < values.len() {
        let (stride, mut extent) = (values[step], 1);
        while extent * step < values.len() && values[extent * step] == stride * extent as i64 {
            extent += 1;
        }
        if layout.tuple.push_value(Leaf::new(extent as i64, stride)).is_err() {
            return None;
        }
        step *= extent;
    }
    if step != values.len() || layout.tuple.close_merged(0).is_err() || layout.check().is_err() {
        return None;
    }
    let mut i = 0;
    while i < values.len() {
        if layout.at(i as i64) != values[i] {
            return None;
        }
        i += 1;
    }
    Some(layout)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn the_zeros_of_small_layouts() {
        let (mut layouts, mut refused) = (0, 0);
        for extents in [(2, 2, 2), (2, 3, 1), (3, 2, 3), (4, 2, 1), (3, 4, 2)] {
            for a in -4..=4 {
                for b in -4..=4 {
                    let layout = Layout::of(extents, (a, b, a - b)).unwrap();
                    let zeros: Vec<i64> = (0..layout.size()).filter(|&i| layout.at(i) == 0).collect();
                    match layout.nullspace() {
                        Ok(found) => {
                            layouts += 1;
                            assert_eq!(
                                (0..found.size()).map(|i| found.at(i)).collect::<Vec<_>>(),
                                zeros,
                                "{layout}"
                            );
                        }
                        Err(error) => {
                            refused += 1;
                            assert_eq!(
                                (error, layout_of(&zeros).is_some()),
                                (CANCEL, false),
                                "{layout}: {zeros:?}"
                            );
                        }
                    }
                }
            }
        }
        assert!(layouts > 300 && refused > 0, "{layouts} layouts, {refused} refused");
    }
}
