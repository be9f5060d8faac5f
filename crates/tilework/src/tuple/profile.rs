//! The nesting of a hierarchical tuple.

use crate::Error;
use crate::error::tri;

/// The most leaves of a hierarchical tuple.
pub const MAX_LEAVES: usize = 32;

/// The most leaves and tuples together: those of a full binary tree with [`MAX_LEAVES`] leaves.
pub const MAX_NODES: usize = 2 * MAX_LEAVES - 1;

const LEAF: u8 = u8::MAX;

/// The nesting of a hierarchical tuple, which congruent tuples share (paper, definition 2.3).
///
/// Written in preorder, one byte per node: a leaf, or a tuple and the number of its children. `(*,(*,*))` is `2 leaf 2
/// leaf leaf`. Two profiles are equal if and only if their bytes are.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Profile {
    nodes: [u8; MAX_NODES],
    len: u8,
}

/// The extent of a subtree.
#[derive(Clone, Copy)]
pub struct Span {
    pub nodes: usize,
    pub leaves: usize,
}

impl Profile {
    /// The profile of a single leaf.
    pub const LEAF: Profile = {
        let mut profile = Profile::new();
        profile.nodes[0] = LEAF;
        profile.len = 1;
        profile
    };

    /// The profile with these nodes in preorder: `None` for a leaf, and the rank of a tuple before its modes.
    ///
    /// ```
    /// use tilework::{HTuple, Profile};
    /// let profile = Profile::of(&[Some(2), None, Some(2), None, None])?;
    /// assert_eq!(HTuple::with_profile(&profile, &[4, 8, 2], 0)?.to_string(), "(4,(8,2))");
    /// assert_eq!(profile.nodes().map(|node| node.unwrap_or(0)).collect::<Vec<_>>(), [2, 0, 2, 0, 0]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Capacity`] beyond [`MAX_NODES`] nodes or [`MAX_LEAVES`] leaves; [`Error::Incongruent`] for nodes that
    /// are not one tree.
    pub const fn of(nodes: &[Option<u8>]) -> Result<Profile, Error> {
        let mut profile = Profile::new();
        let (mut pending, mut leaves, mut i) = (1usize, 0, 0);
        while i < nodes.len() && pending > 0 {
            pending -= 1;
            match nodes[i] {
                None => {
                    tri!(profile.push_leaf());
                    leaves += 1;
                }
                Some(rank) => {
                    tri!(profile.push_tuple(rank as usize));
                    pending += rank as usize;
                }
            }
            i += 1;
        }
        if leaves > MAX_LEAVES {
            return Err(Error::Capacity { what: "leaves in a tuple", limit: MAX_LEAVES });
        }
        if pending > 0 || i < nodes.len() {
            return Err(Error::Incongruent { what: "the list of nodes and a tree" });
        }
        Ok(profile)
    }

    /// The nodes in preorder: `None` for a leaf, and the rank of a tuple before its modes.
    ///
    /// ```
    /// use tilework::layout;
    /// // `None` is a leaf, `Some` a tuple of that many.
    /// let nodes: Vec<_> = layout!(((2,2),4):((1,8),2)).profile().nodes().collect();
    /// assert_eq!(nodes, [Some(2), Some(2), None, None, None]);
    /// ```
    #[must_use]
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = Option<usize>> + '_ {
        (0..self.len()).map(|node| self.tuple_at(node))
    }

    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Profile { nodes: [0; MAX_NODES], len: 0 }
    }

    /// The number of leaves and tuples.
    #[doc(hidden)]
    #[must_use]
    #[allow(clippy::len_without_is_empty)]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn is_leaf(&self, node: usize) -> bool {
        self.nodes[node] == LEAF
    }

    /// The number of modes of the node: its children, or 1 for a leaf.
    #[doc(hidden)]
    #[must_use]
    pub const fn rank(&self, node: usize) -> usize {
        if self.is_leaf(node) { 1 } else { self.nodes[node] as usize }
    }

    pub(crate) const fn push_leaf(&mut self) -> Result<(), Error> {
        self.push(LEAF)
    }

    /// Opens a tuple; its `rank` children have to be appended.
    pub(crate) const fn push_tuple(&mut self, rank: usize) -> Result<(), Error> {
        // A tuple with more children cannot be completed: `push` refuses the last of them.
        if rank > MAX_NODES {
            return Err(Error::Capacity { what: "nodes in a tuple", limit: MAX_NODES });
        }
        self.push(rank as u8)
    }

    #[inline]
    const fn push(&mut self, node: u8) -> Result<(), Error> {
        if self.len as usize == MAX_NODES {
            return Err(Error::Capacity { what: "nodes in a tuple", limit: MAX_NODES });
        }
        self.nodes[self.len as usize] = node;
        self.len += 1;
        Ok(())
    }

    /// Appends the subtree of `source` at `node`.
    pub(crate) const fn push_subtree(&mut self, source: &Profile, node: usize) -> Result<(), Error> {
        let end = node + source.span(node).nodes;
        let mut i = node;
        while i < end {
            tri!(self.push(source.nodes[i]));
            i += 1;
        }
        Ok(())
    }

    /// Changes the rank of the tuple at `node`; the caller adjusts its children.
    #[doc(hidden)]
    pub const fn set_rank(&mut self, node: usize, rank: usize) {
        self.nodes[node] = rank as u8;
    }

    /// The extent of the subtree at `node`.
    #[doc(hidden)]
    #[must_use]
    pub const fn span(&self, node: usize) -> Span {
        let (mut end, mut leaves, mut pending) = (node, 0, 1);
        while pending > 0 {
            if self.is_leaf(end) {
                leaves += 1;
                pending -= 1;
            } else {
                pending += self.nodes[end] as usize;
                pending -= 1;
            }
            end += 1;
        }
        Span { nodes: end - node, leaves }
    }

    /// The levels of tuples below and including `node`: 0 for a leaf.
    pub(crate) const fn depth(&self, node: usize) -> usize {
        // The remaining children of each open level.
        let mut open = [0u8; MAX_NODES + 1];
        let (mut level, mut deepest, mut i) = (0, 0, node);
        open[0] = 1;
        loop {
            open[level] -= 1;
            if !self.is_leaf(i) {
                level += 1;
                open[level] = self.nodes[i];
                if level > deepest {
                    deepest = level;
                }
            }
            i += 1;
            while open[level] == 0 {
                if level == 0 {
                    return deepest;
                }
                level -= 1;
            }
        }
    }

    /// Whether the subtree at `node` has the nesting of `other`'s at `other_node`, or coarsens it
    /// (paper, definition 2.4).
    pub(crate) const fn weakly_congruent(&self, other: &Profile) -> bool {
        self.not_weakly_congruent(other).is_none()
    }

    /// The first tuple that is not one of as many modes in `other`: the leaves before it, none if it is the whole, its rank, and that
    /// of the other; none for an integer.
    pub(crate) const fn not_weakly_congruent(
        &self,
        other: &Profile,
    ) -> Option<(Option<usize>, Option<usize>, Option<usize>)> {
        let (mut i, mut j, mut leaf) = (0, 0, 0);
        while i < self.len() {
            if self.is_leaf(i) {
                j += other.span(j).nodes;
                leaf += 1;
            } else if other.nodes[j] != self.nodes[i] {
                let leaf = if i == 0 { None } else { Some(leaf) };
                return Some((leaf, self.tuple_at(i), other.tuple_at(j)));
            } else {
                j += 1;
            }
            i += 1;
        }
        None
    }

    pub(crate) const fn congruent(&self, other: &Profile) -> bool {
        self.len == other.len && self.common_nodes(other) == self.len()
    }

    /// The number of leading nodes in preorder that are equal.
    const fn common_nodes(&self, other: &Profile) -> usize {
        let mut i = 0;
        while i < self.len() && i < other.len() && self.nodes[i] == other.nodes[i] {
            i += 1;
        }
        i
    }

    /// The error that this shape is not congruent with `stride`, with both nodes at the first difference. Neither
    /// profile is a prefix of the other, so both have one.
    #[doc(hidden)]
    #[must_use]
    pub const fn not_congruent(&self, stride: &Profile) -> Error {
        let first = self.common_nodes(stride);
        let (mut leaf, mut i) = (0, 0);
        while i < first {
            leaf += self.is_leaf(i) as usize;
            i += 1;
        }
        let leaf = if first == 0 { None } else { Some(leaf) };
        Error::Profiles { leaf, shape: self.tuple_at(first), stride: stride.tuple_at(first) }
    }

    /// The number of modes of the tuple at this node; none for a leaf.
    const fn tuple_at(&self, node: usize) -> Option<usize> {
        if self.is_leaf(node) { None } else { Some(self.nodes[node] as usize) }
    }
}
