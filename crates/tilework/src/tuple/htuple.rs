use super::profile::{MAX_LEAVES, Profile};
use crate::Error;
use crate::error::tri;
use crate::list::List;

/// The tuple of the same nesting with a value computed from each leaf; the filler fills the unused places.
macro_rules! map_leaves {
    ($tuple:expr => $filler:expr, |$leaf:ident| $value:expr) => {{
        let mut out = $crate::tuple::HTuple::builder_of($tuple.profile(), $filler);
        let mut i = 0;
        while i < $tuple.leaves().len() {
            let $leaf = $tuple.leaves()[i];
            // This cannot fail: there are as many leaves as before.
            let _ = out.push_value($value);
            i += 1;
        }
        out
    }};
}
pub(crate) use map_leaves;

/// A hierarchical tuple: a value, or a tuple of hierarchical tuples (paper, definition 2.2).
///
/// Shapes and coordinates are `HTuple<i64>`, strides `HTuple<Stride>`. All operations here depend only on the nesting,
/// and work for any leaves, also in `const`. A tuple holds up to [`MAX_LEAVES`] leaves.
///
/// ```
/// use tilework::HTuple;
/// let x: HTuple<i64> = "((4,6),(3,(2,2),8))".parse()?;
/// assert_eq!((x.rank(), x.depth(), x.leaves().len()), (2, 3, 6));
/// assert_eq!(x.get(&[1, 1])?.to_string(), "(2,2)");
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct HTuple<T> {
    profile: Profile,
    leaves: List<T, MAX_LEAVES>,
}

impl<T: Copy> HTuple<T> {
    /// The value itself, rank 1 and depth 0.
    ///
    /// ```
    /// use tilework::HTuple;
    /// assert_eq!(HTuple::leaf(4).to_string(), "4");
    /// ```
    #[must_use]
    pub const fn leaf(value: T) -> Self {
        let mut leaves = List::new(value);
        let _ = leaves.push(value, "");
        HTuple { profile: Profile::LEAF, leaves }
    }

    /// The empty tuple `()`. The filler is not visible; it fills the unused places.
    ///
    /// ```
    /// use tilework::HTuple;
    /// assert_eq!(HTuple::empty(0i64).to_string(), "()");
    /// ```
    #[must_use]
    pub const fn empty(filler: T) -> Self {
        let mut profile = Profile::new();
        let _ = profile.push_tuple(0);
        HTuple { profile, leaves: List::new(filler) }
    }

    /// The tuple of the given ones, `(t0,t1,...)`: concatenation (paper, section 3.1).
    ///
    /// ```
    /// use tilework::HTuple;
    /// let (a, b) = (HTuple::leaf(4), HTuple::leaf(8));
    /// assert_eq!(HTuple::tuple(&[a, HTuple::tuple(&[a, b])?])?.to_string(), "(4,(4,8))");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Capacity`] beyond [`MAX_LEAVES`] leaves; [`Error::Rank`] for no modes: use [`empty`](Self::empty).
    pub const fn tuple(modes: &[Self]) -> Result<Self, Error> {
        if modes.is_empty() {
            return Err(Error::Rank { operation: "tuple", expected: 1, found: 0 });
        }
        let mut out = modes[0].cleared();
        tri!(out.open(modes.len()));
        let mut i = 0;
        while i < modes.len() {
            tri!(out.push_subtree(&modes[i], 0, 0));
            i += 1;
        }
        Ok(out)
    }

    /// A tuple of this profile with these leaves.
    ///
    /// ```
    /// use tilework::HTuple;
    /// let tuple: HTuple<i64> = "((1,2),3)".parse()?;
    /// assert_eq!(HTuple::with_profile(tuple.profile(), &[7, 8, 9], 0)?.to_string(), "((7,8),9)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Incongruent`] if their number is not that of the profile's.
    pub const fn with_profile(profile: &Profile, values: &[T], filler: T) -> Result<Self, Error> {
        let mut leaves = List::new(filler);
        let mut i = 0;
        while i < values.len() {
            tri!(leaves.push(values[i], "leaves in a tuple"));
            i += 1;
        }
        if profile.span(0).leaves != leaves.len() {
            return Err(Error::Incongruent { what: "the profile and the list of leaves" });
        }
        Ok(HTuple { profile: *profile, leaves })
    }

    /// The number of modes; 1 for a value.
    ///
    /// ```
    /// use tilework::HTuple;
    /// let tuple: HTuple<i64> = "((1,2),3)".parse()?;
    /// assert_eq!((tuple.rank(), HTuple::leaf(5).rank()), (2, 1));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn rank(&self) -> usize {
        self.profile.rank(0)
    }

    /// Refuses more modes than a tuple of a leaf for each has room for: those that are `()` have no leaf.
    pub(crate) const fn check_modes(&self) -> Result<(), Error> {
        match self.rank() > MAX_LEAVES {
            true => Err(Error::Capacity { what: "leaves in a tuple", limit: MAX_LEAVES }),
            false => Ok(()),
        }
    }

    /// 0 for a value, otherwise one more than the deepest mode.
    ///
    /// ```
    /// use tilework::HTuple;
    /// let tuple: HTuple<i64> = "((1,2),3)".parse()?;
    /// assert_eq!((tuple.depth(), HTuple::leaf(5).depth()), (2, 0));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn depth(&self) -> usize {
        self.profile.depth(0)
    }

    /// Whether this is a value, not a tuple.
    ///
    /// ```
    /// use tilework::HTuple;
    /// let tuple: HTuple<i64> = "(5)".parse()?;
    /// assert!(!tuple.is_leaf() && HTuple::leaf(5).is_leaf());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn is_leaf(&self) -> bool {
        self.profile.is_leaf(0)
    }

    /// The leaves from left to right.
    ///
    /// ```
    /// use tilework::HTuple;
    /// let tuple: HTuple<i64> = "((1,2),3)".parse()?;
    /// assert_eq!(tuple.leaves(), [1, 2, 3]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn leaves(&self) -> &[T] {
        self.leaves.as_slice()
    }

    #[doc(hidden)]
    pub const fn leaves_mut(&mut self) -> &mut [T] {
        self.leaves.as_mut_slice()
    }

    /// The nesting.
    ///
    /// ```
    /// use tilework::HTuple;
    /// let (a, b): (HTuple<i64>, HTuple<i64>) = ("((1,2),3)".parse()?, "((7,8),9)".parse()?);
    /// assert!(a.profile() == b.profile());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Mode `index`. A value is its own mode 0.
    ///
    /// ```
    /// use tilework::HTuple;
    /// let tuple: HTuple<i64> = "((1,2),3)".parse()?;
    /// assert_eq!(tuple.mode(0)?.to_string(), "(1,2)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Index`] at or past the rank.
    pub const fn mode(&self, index: usize) -> Result<Self, Error> {
        let (node, leaf) = tri!(self.child(0, 0, index));
        Ok(self.subtree(node, leaf))
    }

    /// The subtree at a path: `get(&[1, 0])` is mode 0 of mode 1.
    ///
    /// ```
    /// use tilework::HTuple;
    /// let tuple: HTuple<i64> = "(1,((2,3),4))".parse()?;
    /// assert_eq!(tuple.get(&[1, 0])?.to_string(), "(2,3)");
    /// assert!(tuple.get(&[0, 1]).is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Index`] if the path leaves the tuple.
    pub const fn get(&self, path: &[usize]) -> Result<Self, Error> {
        let (node, leaf) = tri!(self.find(path));
        Ok(self.subtree(node, leaf))
    }

    /// Node and leaf position of the subtree at a path.
    pub(crate) const fn find(&self, path: &[usize]) -> Result<(usize, usize), Error> {
        let (mut node, mut leaf, mut i) = (0, 0, 0);
        while i < path.len() {
            (node, leaf) = tri!(self.child(node, leaf, path[i]));
            i += 1;
        }
        Ok((node, leaf))
    }

    /// Node and leaf position of child `index` of the subtree at `node`.
    #[doc(hidden)]
    pub const fn child(&self, node: usize, leaf: usize, index: usize) -> Result<(usize, usize), Error> {
        let rank = self.profile.rank(node);
        if index >= rank {
            return Err(Error::Index { index, rank });
        }
        if self.profile.is_leaf(node) {
            return Ok((node, leaf));
        }
        let (mut child, mut first, mut i) = (node + 1, leaf, 0);
        while i < index {
            let span = self.profile.span(child);
            child += span.nodes;
            first += span.leaves;
            i += 1;
        }
        Ok((child, first))
    }

    const fn subtree(&self, node: usize, leaf: usize) -> Self {
        let mut out = self.cleared();
        // This cannot fail: a subtree is smaller than the tuple.
        let _ = out.push_subtree(self, node, leaf);
        out
    }

    /// Whether the profiles are equal (paper, definition 2.3).
    ///
    /// ```
    /// use tilework::{HTuple, layout};
    /// let shape: HTuple<i64> = "((1,2),3)".parse()?;
    /// assert!(shape.congruent(layout!(((2,2),4):((1,8),2)).as_tuple()));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn congruent<U: Copy>(&self, other: &HTuple<U>) -> bool {
        self.profile.congruent(&other.profile)
    }

    /// Whether this profile coarsens the other's: `30` and `(a,b)` that of `(v,(0,1))` (paper, definition 2.4).
    ///
    /// ```
    /// use tilework::HTuple;
    /// let (coarse, fine): (HTuple<i64>, HTuple<i64>) = ("(6,3)".parse()?, "((1,2),3)".parse()?);
    /// assert!(coarse.weakly_congruent(&fine) && !fine.weakly_congruent(&coarse));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn weakly_congruent<U: Copy>(&self, other: &HTuple<U>) -> bool {
        self.profile.weakly_congruent(&other.profile)
    }

    /// The leaves as one flat tuple; a value stays a value.
    ///
    /// ```
    /// use tilework::HTuple;
    /// let tuple: HTuple<i64> = "(1,((2,3),4))".parse()?;
    /// assert_eq!(tuple.flatten().to_string(), "(1,2,3,4)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn flatten(&self) -> Self {
        if self.is_leaf() {
            return *self;
        }
        let mut out = *self;
        out.profile = Profile::new();
        let _ = out.profile.push_tuple(self.leaves.len());
        let mut i = 0;
        while i < self.leaves.len() {
            let _ = out.profile.push_leaf();
            i += 1;
        }
        out
    }

    /// The leaves with another nesting: the inverse of [`flatten`](Self::flatten).
    ///
    /// ```
    /// use tilework::HTuple;
    /// let tuple: HTuple<i64> = "(1,((2,3),4))".parse()?;
    /// assert_eq!(tuple.flatten().unflatten(tuple.profile())?, tuple);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Incongruent`] if the numbers of leaves differ.
    pub const fn unflatten(&self, profile: &Profile) -> Result<Self, Error> {
        if profile.span(0).leaves != self.leaves.len() {
            return Err(Error::Incongruent { what: "the profile and the list of leaves" });
        }
        Ok(HTuple { profile: *profile, leaves: self.leaves })
    }

    /// Modes `begin..end` as one mode: `(a,b,c)` grouped at `0..2` is `((a,b),c)`.
    ///
    /// ```
    /// use tilework::HTuple;
    /// let tuple: HTuple<i64> = "(1,2,3)".parse()?;
    /// assert_eq!(tuple.group(0, 2)?.to_string(), "((1,2),3)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Index`] for a range that is not a range of modes.
    pub const fn group(&self, begin: usize, end: usize) -> Result<Self, Error> {
        tri!(self.check_range(begin, end));
        let mut out = self.cleared();
        tri!(out.open(self.rank() - (end - begin) + 1));
        let mut i = 0;
        while i <= self.rank() {
            if i == begin {
                tri!(out.open(end - begin));
            }
            if i < self.rank() {
                tri!(out.push_mode(self, i));
            }
            i += 1;
        }
        Ok(out)
    }

    /// Modes `begin..end` as a tuple.
    ///
    /// ```
    /// use tilework::HTuple;
    /// let tuple: HTuple<i64> = "(1,2,3)".parse()?;
    /// assert_eq!(tuple.take(1, 3)?.to_string(), "(2,3)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Index`] for a range that is not a range of modes.
    pub const fn take(&self, begin: usize, end: usize) -> Result<Self, Error> {
        tri!(self.check_range(begin, end));
        let mut out = self.cleared();
        tri!(out.open(end - begin));
        let mut i = begin;
        while i < end {
            tri!(out.push_mode(self, i));
            i += 1;
        }
        Ok(out)
    }

    /// The named modes as a tuple, in the order given.
    ///
    /// ```
    /// use tilework::HTuple;
    /// let tuple: HTuple<i64> = "(1,2,3)".parse()?;
    /// assert_eq!(tuple.select(&[2, 0])?.to_string(), "(3,1)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Index`] past the rank.
    pub const fn select(&self, modes: &[usize]) -> Result<Self, Error> {
        let mut out = self.cleared();
        tri!(out.open(modes.len()));
        let mut i = 0;
        while i < modes.len() {
            tri!(out.push_mode(self, modes[i]));
            i += 1;
        }
        Ok(out)
    }

    /// The tuple with a mode appended.
    ///
    /// ```
    /// use tilework::HTuple;
    /// let tuple: HTuple<i64> = "(1,2)".parse()?;
    /// assert_eq!(tuple.append(&tuple)?.to_string(), "(1,2,(1,2))");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Capacity`] beyond [`MAX_LEAVES`] leaves.
    pub const fn append(&self, mode: &Self) -> Result<Self, Error> {
        let mut out = self.cleared();
        tri!(out.open(self.rank() + 1));
        tri!(out.push_modes(self));
        tri!(out.push_subtree(mode, 0, 0));
        Ok(out)
    }

    /// The tuple with a mode prepended.
    ///
    /// ```
    /// use tilework::HTuple;
    /// let tuple: HTuple<i64> = "(1,2)".parse()?;
    /// assert_eq!(tuple.prepend(&HTuple::leaf(0))?.to_string(), "(0,1,2)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Capacity`] beyond [`MAX_LEAVES`] leaves.
    pub const fn prepend(&self, mode: &Self) -> Result<Self, Error> {
        let mut out = self.cleared();
        tri!(out.open(self.rank() + 1));
        tri!(out.push_subtree(mode, 0, 0));
        tri!(out.push_modes(self));
        Ok(out)
    }

    /// The tuple with mode `index` replaced.
    ///
    /// ```
    /// use tilework::HTuple;
    /// let tuple: HTuple<i64> = "(1,2)".parse()?;
    /// assert_eq!(tuple.replace(0, &tuple)?.to_string(), "((1,2),2)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Index`] at or past the rank.
    pub const fn replace(&self, index: usize, mode: &Self) -> Result<Self, Error> {
        tri!(self.child(0, 0, index));
        if self.is_leaf() {
            return Ok(*mode);
        }
        let mut out = self.cleared();
        tri!(out.open(self.rank()));
        let mut i = 0;
        while i < self.rank() {
            tri!(if i == index { out.push_subtree(mode, 0, 0) } else { out.push_mode(self, i) });
            i += 1;
        }
        Ok(out)
    }

    /// The tuple of rank 1 that contains this: `4` becomes `(4)`.
    ///
    /// ```
    /// use tilework::HTuple;
    /// assert_eq!(HTuple::leaf(4).wrap()?.to_string(), "(4)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Capacity`] if the nesting has no room.
    pub const fn wrap(&self) -> Result<Self, Error> {
        HTuple::tuple(&[*self])
    }

    // ---- building: a tuple is opened with its rank, and its modes follow ----

    /// A tuple without nodes, to be filled; visible only to its builder.
    pub(crate) const fn cleared(&self) -> Self {
        let mut out = *self;
        out.profile = Profile::new();
        out.leaves.truncate(0);
        out
    }

    /// [`cleared`](Self::cleared) without an existing tuple.
    #[inline(always)]
    #[doc(hidden)]
    pub const fn builder(filler: T) -> Self {
        HTuple { profile: Profile::new(), leaves: List::new(filler) }
    }

    /// A tuple of this profile whose leaves are appended next.
    #[doc(hidden)]
    pub const fn builder_of(profile: &Profile, filler: T) -> Self {
        HTuple { profile: *profile, leaves: List::new(filler) }
    }

    #[doc(hidden)]
    pub const fn open(&mut self, rank: usize) -> Result<(), Error> {
        self.profile.push_tuple(rank)
    }

    #[doc(hidden)]
    pub const fn push(&mut self, value: T) -> Result<(), Error> {
        tri!(self.leaves.push(value, "leaves in a tuple"));
        self.profile.push_leaf()
    }

    /// Appends `source`'s subtree at `node`, whose first leaf is number `leaf`.
    #[doc(hidden)]
    pub const fn push_subtree(&mut self, source: &Self, node: usize, leaf: usize) -> Result<(), Error> {
        tri!(self.profile.push_subtree(&source.profile, node));
        let end = leaf + source.profile.span(node).leaves;
        let mut i = leaf;
        while i < end {
            tri!(self.leaves.push(source.leaves.as_slice()[i], "leaves in a tuple"));
            i += 1;
        }
        Ok(())
    }

    /// Appends mode `index` of `source`.
    #[doc(hidden)]
    pub const fn push_mode(&mut self, source: &Self, index: usize) -> Result<(), Error> {
        let (node, leaf) = tri!(source.child(0, 0, index));
        self.push_subtree(source, node, leaf)
    }

    /// Appends all modes of `source`, without the tuple around them.
    pub(crate) const fn push_modes(&mut self, source: &Self) -> Result<(), Error> {
        let mut i = 0;
        while i < source.rank() {
            tri!(self.push_mode(source, i));
            i += 1;
        }
        Ok(())
    }

    /// Appends a leaf whose node exists.
    #[inline]
    #[doc(hidden)]
    pub const fn push_value(&mut self, value: T) -> Result<(), Error> {
        self.leaves.push(value, "leaves in a tuple")
    }

    /// Removes the leaves from number `first` on, which have no nodes yet.
    pub(crate) const fn drop_leaves(&mut self, first: usize) {
        self.leaves.truncate(first);
    }

    /// Appends nodes for the leaves from number `first` on: one leaf, or a flat tuple.
    #[inline]
    #[doc(hidden)]
    pub const fn close_leaves(&mut self, first: usize) -> Result<(), Error> {
        let count = self.leaves.len() - first;
        if count != 1 {
            tri!(self.profile.push_tuple(count));
        }
        let mut i = 0;
        while i < count {
            tri!(self.profile.push_leaf());
            i += 1;
        }
        Ok(())
    }

    #[doc(hidden)]
    pub const fn profile_mut(&mut self) -> &mut Profile {
        &mut self.profile
    }

    const fn check_range(&self, begin: usize, end: usize) -> Result<(), Error> {
        if begin > end || end > self.rank() {
            return Err(Error::Index { index: if begin > end { begin } else { end }, rank: self.rank() });
        }
        Ok(())
    }
}

/// A value is a tuple without parentheses.
impl<T: Copy> From<T> for HTuple<T> {
    fn from(value: T) -> Self {
        HTuple::leaf(value)
    }
}

impl<T: PartialEq> PartialEq for HTuple<T>
where
    T: Copy,
{
    fn eq(&self, other: &Self) -> bool {
        self.profile == other.profile && self.leaves() == other.leaves()
    }
}

impl<T: Copy + Eq> Eq for HTuple<T> {}

impl<T: Copy + core::hash::Hash> core::hash::Hash for HTuple<T> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.profile.hash(state);
        self.leaves().hash(state);
    }
}
