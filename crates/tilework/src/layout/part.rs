//! Sublayouts in place: the algebra goes through modes without copying them.

use super::{Layout, Leaf};
use crate::error::{Error, tri};
use crate::tuple::HTuple;

/// The sublayout at a node of a tuple of leaves.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    pub tuple: &'a HTuple<Leaf>,
    pub node: usize,
    pub leaf: usize,
}

impl<'a> Part<'a> {
    pub const fn whole(tuple: &'a HTuple<Leaf>) -> Self {
        Part { tuple, node: 0, leaf: 0 }
    }

    pub const fn is_leaf(self) -> bool {
        self.tuple.profile().is_leaf(self.node)
    }

    pub const fn rank(self) -> usize {
        self.tuple.profile().rank(self.node)
    }

    pub const fn leaves(self) -> &'a [Leaf] {
        if self.node == 0 {
            return self.tuple.leaves();
        }
        let count = self.tuple.profile().span(self.node).leaves;
        self.tuple.leaves().split_at(self.leaf).1.split_at(count).0
    }

    pub const fn mode(self, index: usize) -> Result<Part<'a>, Error> {
        let (node, leaf) = tri!(self.tuple.child(self.node, self.leaf, index));
        Ok(Part { tuple: self.tuple, node, leaf })
    }

    pub const fn to_layout(self) -> Result<Layout, Error> {
        let mut out = Layout::empty();
        tri!(out.tuple.push_part(self));
        tri!(out.check());
        Ok(out)
    }

    /// The product of the extents; a part of a layout has no more coordinates than the layout.
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
    /// Appends the part.
    pub(crate) const fn push_part(&mut self, part: Part<'_>) -> Result<(), Error> {
        self.push_subtree(part.tuple, part.node, part.leaf)
    }

    /// Appends the modes of the part, without the tuple around them.
    pub(crate) const fn push_modes_of(&mut self, part: Part<'_>) -> Result<(), Error> {
        let mut i = 0;
        while i < part.rank() {
            tri!(self.push_part(tri!(part.mode(i))));
            i += 1;
        }
        Ok(())
    }

    /// Appends a leaf whose node is to come, or lengthens the last one after number `first`, if the two are one mode.
    pub(crate) const fn push_merged(&mut self, leaf: Leaf, first: usize) -> Result<(), Error> {
        let last = self.leaves().len();
        if last > first && self.leaves()[last - 1].continues_with(leaf) {
            self.leaves_mut()[last - 1].extent *= leaf.extent;
            return Ok(());
        }
        self.push_value(leaf)
    }

    /// Nodes for the leaves from number `first` on: nothing is `1:0`, one is itself, several are a flat tuple.
    pub(crate) const fn close_merged(&mut self, first: usize) -> Result<(), Error> {
        if self.leaves().len() == first {
            tri!(self.push_value(Leaf::new(1, 0)));
        }
        self.close_leaves(first)
    }
}
