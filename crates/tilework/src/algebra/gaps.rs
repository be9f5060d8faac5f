//! The results of pycute for modes that interleave and have no complement: products and inverses by the gaps between
//! the modes, if they are correct.

use super::composition::{UnitStride, compose_into};
use super::indexed::{Indexed, UNUSED};
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf, Part, build};
use crate::list::{List, sort_by};
use crate::tuple::{HTuple, MAX_LEAVES};

/// The modes of a layout and the gaps between them.
type Modes = List<Indexed, { 2 * MAX_LEAVES }>;

const UNDECIDED: Error = Error::Undecided { operation: "an inverse by gaps" };

impl Layout {
    /// `(A, complement(A) o B)` in pycute's form; if modes of the block `A` interleave, the grid uses the gaps below
    /// the first mode that begins before the one below it ends, provided that there is room and no two blocks overlap.
    pub(super) const fn multiply_in_gaps(&self, grid: &Layout) -> Result<Layout, Error> {
        if !Part::whole(&self.tuple).is_plain() || !Part::whole(&grid.tuple).is_plain() {
            return self.multiply_by_layout(grid);
        }
        match self.complement() {
            Ok(complement) => {
                // The complement that pycute composes with ends at the end of the product.
                let reach = match int::add(tri!(grid.max_offset()), 1) {
                    Ok(cosize) => self.size().saturating_mul(cosize),
                    Err(_) => i64::MAX,
                };
                let reach = HTuple::leaf(if reach > 1 { reach } else { 1 });
                let unit = UnitStride::of_last_mode(tri!(self.const_complement_within(&reach)).leaves());
                Layout::concatenate(&[*self, tri!(complement.compose_with(grid, unit))])
            }
            Err(interleaved @ Error::Overlap { .. }) => {
                let room = tri!(self.gaps_below());
                if tri!(grid.min_offset()) < 0 || tri!(grid.max_offset()) >= room.size() {
                    return Err(interleaved);
                }
                let unit = UnitStride::of_last_mode(room.leaves());
                let places = tri!(room.compose_with(grid, unit));
                match self.is_direct_sum_with(&places) {
                    Ok(true) => Layout::concatenate(&[*self, places]),
                    _ => Err(interleaved),
                }
            }
            Err(error) => Err(error),
        }
    }

    const fn compose_with(&self, other: &Layout, unit: UnitStride) -> Result<Layout, Error> {
        build!(|out| compose_into(self.leaves(), &[Part::whole(&other.tuple)], unit, out))
    }

    /// The modes of extent 2 and more, in ascending order.
    const fn indexed_modes(&self) -> Result<Modes, Error> {
        let (mut modes, mut index, mut i) = (Modes::new(UNUSED), 1, 0);
        while i < self.leaves().len() {
            let Leaf { extent, stride } = self.leaves()[i];
            if extent > 1 {
                tri!(insert(&mut modes, Indexed { stride: stride.numerator(), extent, index }));
            }
            index *= extent;
            i += 1;
        }
        Ok(modes)
    }

    /// The offsets between the modes, up to the first mode that begins before the one below it ends.
    const fn gaps_below(&self) -> Result<Layout, Error> {
        let modes = tri!(self.indexed_modes());
        let mut gaps = HTuple::builder(Leaf::UNUSED);
        let (mut end, mut i) = (1, 0);
        while i < modes.len() {
            let Indexed { stride, extent, .. } = modes.as_slice()[i];
            if stride > 0 {
                if stride < end {
                    break;
                }
                if stride / end > 1 {
                    tri!(gaps.push_merged(Leaf::new(stride / end, end), 0));
                }
                end = tri!(int::mul(stride, extent));
            }
            i += 1;
        }
        tri!(gaps.close_merged(0));
        Layout::new(gaps)
    }

    /// The chain through the modes and the gaps between them, if it is a left inverse of a layout with positive
    /// strides. Its indices may be beyond the layout, in the continuation of the last mode.
    pub(super) const fn left_inverse_through_gaps(&self) -> Result<Layout, Error> {
        if !Part::whole(&self.tuple).is_plain() {
            return Err(UNDECIDED);
        }
        let own = tri!(self.indexed_modes());
        let (mut modes, mut end, mut index, mut i) = (own, 1, self.size(), 0);
        while i < own.len() {
            let Indexed { stride, extent, .. } = own.as_slice()[i];
            if stride <= 0 {
                return Err(UNDECIDED);
            }
            if stride / end != 1 {
                tri!(insert(&mut modes, Indexed { stride: end, extent: stride / end, index }));
            }
            index = tri!(int::mul(index, stride / end));
            end = tri!(int::mul(stride, extent));
            i += 1;
        }
        let mut chain = HTuple::builder(Leaf::UNUSED);
        let (mut reached, mut i) = (1, 0);
        while i < modes.len() && modes.as_slice()[i].stride == reached {
            let Indexed { extent, index, .. } = modes.as_slice()[i];
            if extent == 0 {
                // An empty gap: the mode after it begins before the one below it ends.
                return Err(UNDECIDED);
            }
            tri!(chain.push_merged(Leaf::new(extent, index), 0));
            reached = tri!(int::mul(reached, extent));
            i += 1;
        }
        tri!(chain.close_merged(0));
        let inverse = tri!(Layout::new(chain));
        // The last mode of the inverse continues: extended until the inverse has all offsets, it is the same function.
        let last = chain.leaves().len() - 1;
        while reached <= tri!(self.max_offset()) {
            reached = tri!(int::mul(reached, 2));
            chain.leaves_mut()[last].extent *= 2;
        }
        let there_and_back = tri!(tri!(self.composition(&tri!(Layout::new(chain)))).composition(self));
        if there_and_back.equivalent(self) { Ok(inverse) } else { Err(UNDECIDED) }
    }
}

/// Inserts a mode in its place: by stride, among equal strides the shortest first.
const fn insert(modes: &mut Modes, mode: Indexed) -> Result<(), Error> {
    tri!(modes.push(mode, "modes"));
    sort_by!(modes.as_mut_slice(), |left, right| {
        left.stride < right.stride || left.stride == right.stride && left.extent < right.extent
    });
    Ok(())
}
