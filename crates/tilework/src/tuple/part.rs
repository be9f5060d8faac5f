//! Subtrees in place: the algebra traverses modes without copying them.

use super::HTuple;
use crate::error::{Error, tri};

/// The subtree at a node of a tuple.
#[allow(missing_docs)]
#[derive(Clone, Copy)]
pub struct Part<'a, T> {
    pub tuple: &'a HTuple<T>,
    pub node: usize,
    pub leaf: usize,
}

#[allow(missing_docs)]
impl<'a, T: Copy> Part<'a, T> {
    pub const fn whole(tuple: &'a HTuple<T>) -> Self {
        Part { tuple, node: 0, leaf: 0 }
    }

    #[must_use]
    pub const fn is_leaf(self) -> bool {
        self.tuple.profile().is_leaf(self.node)
    }

    #[must_use]
    pub const fn rank(self) -> usize {
        self.tuple.profile().rank(self.node)
    }

    #[must_use]
    pub const fn leaves(self) -> &'a [T] {
        if self.node == 0 {
            return self.tuple.leaves();
        }
        let count = self.tuple.profile().span(self.node).leaves;
        self.tuple.leaves().split_at(self.leaf).1.split_at(count).0
    }

    pub const fn mode(self, index: usize) -> Result<Self, Error> {
        let (node, leaf) = tri!(self.tuple.child(self.node, self.leaf, index));
        Ok(Part { tuple: self.tuple, node, leaf })
    }
}

impl<T: Copy> HTuple<T> {
    /// Appends the part.
    #[doc(hidden)]
    pub const fn push_part(&mut self, part: Part<'_, T>) -> Result<(), Error> {
        self.push_subtree(part.tuple, part.node, part.leaf)
    }

    /// Appends the modes of the part, without the tuple around them.
    pub(crate) const fn push_modes_of(&mut self, part: Part<'_, T>) -> Result<(), Error> {
        let mut i = 0;
        while i < part.rank() {
            tri!(self.push_part(tri!(part.mode(i))));
            i += 1;
        }
        Ok(())
    }
}
