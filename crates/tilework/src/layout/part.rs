//! Sublayouts in place.

use super::{Layout, Leaf};
use crate::error::{Error, tri};
use crate::tuple::{self, HTuple};

/// The sublayout at a node of a tuple of leaves.
pub(crate) type Part<'a> = tuple::Part<'a, Leaf>;

impl Part<'_> {
    pub(crate) const fn to_layout(self) -> Result<Layout, Error> {
        let mut out = Layout::empty();
        tri!(out.tuple.push_part(self));
        tri!(out.check());
        Ok(out)
    }

    /// The product of the extents; a part of a layout has no more coordinates than the layout.
    #[must_use]
    pub const fn size(self) -> i64 {
        let leaves = self.leaves();
        let (mut size, mut i) = (1, 0);
        while i < leaves.len() {
            size *= leaves[i].extent;
            i += 1;
        }
        size
    }

    /// Whether all strides are integers.
    #[must_use]
    pub const fn is_plain(self) -> bool {
        let leaves = self.leaves();
        let (mut plain, mut i) = (true, 0);
        while i < leaves.len() {
            plain &= leaves[i].stride.is_plain();
            i += 1;
        }
        plain
    }
}

impl HTuple<Leaf> {
    /// Appends a leaf without its node, or extends the last one after number `first`, if the two can be merged.
    pub(crate) const fn push_merged(&mut self, leaf: Leaf, first: usize) -> Result<(), Error> {
        let last = self.leaves().len();
        if last > first && self.leaves()[last - 1].continues_with(leaf) {
            self.leaves_mut()[last - 1].extent *= leaf.extent;
            return Ok(());
        }
        self.push_value(leaf)
    }

    /// Appends nodes for the leaves from number `first` on: none is `1:0`, one is a leaf, several are a flat tuple.
    pub(crate) const fn close_merged(&mut self, first: usize) -> Result<(), Error> {
        if self.leaves().len() == first {
            tri!(self.push_value(Leaf::new(1, 0)));
        }
        self.close_leaves(first)
    }
}
