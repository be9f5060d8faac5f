//! A function of few indices as a list of offsets, and the layout equal to it.
//!
//! Cases of XOR strides that no rule decides are decided here, exactly. The first extent of a layout with integer
//! strides is the first index whose offset is not that multiple of the offset of 1. A layout with XOR strides is found
//! piece by piece (docs/proofs.md, theorem 6): the stride of the first piece is the offset of 1; its extent is 2 or
//! odd, or, if that offset is 0, the first index whose offset is not.

use super::radix::Radix;
use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf};
use crate::stride::Stride;
use crate::tuple::HTuple;

/// The most offsets that are examined one by one.
pub(in crate::algebra) const MAX_EXAMINED: usize = 2048;

pub(in crate::algebra) struct Table {
    pub offsets: [i64; MAX_EXAMINED],
    pub len: usize,
}

impl Table {
    /// A function that is 0 everywhere; `None` if it has too many indices.
    pub const fn new(size: i64) -> Option<Table> {
        if size > MAX_EXAMINED as i64 {
            return None;
        }
        Some(Table { offsets: [0; MAX_EXAMINED], len: size as usize })
    }

    /// Adds the offsets of a layout of the same size.
    pub const fn add(&mut self, layout: &Layout) -> Result<(), Error> {
        let radix = tri!(Radix::new(layout, self.len as i64 - 1));
        let mut c = 0;
        while c < self.len {
            self.offsets[c] = tri!(layout.codomain().sum(self.offsets[c], tri!(radix.at(c as i64))));
            c += 1;
        }
        Ok(())
    }

    /// Divides all offsets, if none leaves a remainder.
    pub const fn divide(&mut self, divisor: i64) -> bool {
        let mut c = 0;
        while c < self.len {
            if self.offsets[c] % divisor != 0 {
                return false;
            }
            c += 1;
        }
        while c > 0 {
            c -= 1;
            self.offsets[c] /= divisor;
        }
        true
    }

    /// Keeps the offsets that are the same in another table; the others become negative.
    pub const fn intersect(&mut self, other: &Table) {
        let mut c = 0;
        while c < self.len {
            if self.offsets[c] != other.offsets[c] {
                self.offsets[c] = -1;
            }
            c += 1;
        }
    }

    /// The layout with these offsets that refines another one's shape, if there is one: with XOR strides if possible,
    /// otherwise with integer strides.
    pub const fn refine(&self, shape: &HTuple<Leaf>) -> Result<Option<Layout>, Error> {
        match tri!(self.refine_in(shape, Codomain::Xor)) {
            Some(layout) => Ok(Some(layout)),
            None => self.refine_in(shape, Codomain::Integer),
        }
    }

    pub const fn refine_in(&self, shape: &HTuple<Leaf>, codomain: Codomain) -> Result<Option<Layout>, Error> {
        Listed { offsets: self.offsets.split_at(self.len).0, start: 0 }.refine_in(shape, codomain)
    }
}

/// Offsets, each of them XOR the start, in a list of any length: the work is near-linear in it.
pub(super) struct Listed<'a> {
    pub offsets: &'a [i64],
    pub start: i64,
}

impl Listed<'_> {
    const fn at(&self, index: usize) -> i64 {
        self.offsets[index] ^ self.start
    }

    /// The layout with these offsets and strides of this codomain that refines another one's shape, if there is one.
    pub const fn refine_in(&self, shape: &HTuple<Leaf>, codomain: Codomain) -> Result<Option<Layout>, Error> {
        let mut out = HTuple::builder(Leaf::new(1, 0));
        let (mut node, mut leaf, mut index) = (0, 0, 1);
        while node < shape.profile().len() {
            if shape.profile().is_leaf(node) {
                let extent = shape.leaves()[leaf].extent as usize;
                if !self.adds_up(1, index, extent, codomain)
                    || !tri!(self.modes_into(index, extent, codomain, &mut out))
                {
                    return Ok(None);
                }
                index *= extent;
                leaf += 1;
            } else {
                tri!(out.open(shape.profile().rank(node)));
            }
            node += 1;
        }
        match Layout::new(out) {
            Ok(layout) => Ok(Some(layout)),
            Err(error) => Err(error),
        }
    }

    /// Whether the offset of `x + index y` is the sum of those of `x` and of `index y`, for `x < index` and `y < extent`,
    /// all of them times `step`.
    const fn adds_up(&self, step: usize, index: usize, extent: usize, codomain: Codomain) -> bool {
        let mut c = index;
        while c < index * extent {
            let low = self.at(c % index * step);
            let high = self.at((c - c % index) * step);
            if !matches!(codomain.sum(low, high), Ok(sum) if sum == self.at(c * step)) {
                return false;
            }
            c += 1;
        }
        true
    }

    /// Appends the modes of `c -> f(index c)` for `c` in `0..extent`, and their node; `false` if there are none.
    const fn modes_into(
        &self,
        index: usize,
        extent: usize,
        codomain: Codomain,
        out: &mut HTuple<Leaf>,
    ) -> Result<bool, Error> {
        let (first, mut step, mut rest) = (out.leaves().len(), index, extent);
        while rest > 1 {
            let own = self.at(step);
            let Some(extent) = self.first_extent(step, rest, codomain) else { return Ok(false) };
            let stride = match codomain {
                Codomain::Xor if own < 0 => return Ok(false),
                Codomain::Xor => tri!(Stride::xor(own)),
                _ => Stride::integer(own),
            };
            tri!(out.push_merged(Leaf { extent: extent as i64, stride }, first));
            step *= extent;
            rest /= extent;
        }
        tri!(out.close_merged(first));
        Ok(true)
    }

    /// The extent of the first mode, or with XOR strides of its first piece.
    const fn first_extent(&self, step: usize, size: usize, codomain: Codomain) -> Option<usize> {
        let own = self.at(step);
        if codomain.same(Codomain::Xor) && own != 0 {
            if size.is_multiple_of(2) && self.adds_up(step, 2, size / 2, codomain) {
                return Some(2);
            }
            let mut extent = size >> size.trailing_zeros();
            while extent > 1 {
                if size.is_multiple_of(extent)
                    && self.run(step, size, codomain) >= extent
                    && self.adds_up(step, extent, size / extent, codomain)
                {
                    return Some(extent);
                }
                extent -= 2;
            }
            return None;
        }
        let extent = self.run(step, size, codomain);
        if size.is_multiple_of(extent) && self.adds_up(step, extent, size / extent, codomain) {
            Some(extent)
        } else {
            None
        }
    }

    /// The first index, times `step`, whose offset is not that multiple of the offset of 1; the size if there is none.
    const fn run(&self, step: usize, size: usize, codomain: Codomain) -> usize {
        let (own, mut c) = (self.at(step), 2);
        while c < size {
            let multiple = match codomain {
                Codomain::Xor => int::carryless_mul(c as i64, own),
                _ => int::mul(c as i64, own),
            };
            if !matches!(multiple, Ok(multiple) if multiple == self.at(c * step)) {
                return c;
            }
            c += 1;
        }
        size
    }
}
