//! Hierarchical tuples of values that own their storage.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tilework::{Error, HTuple, Pattern, Profile, Unit};

/// A hierarchical tuple like [`HTuple`], of leaves that need not be `Copy`.
///
/// ```
/// use tilework_symbolic::{Scope, Tuple};
/// let mut scope = Scope::new();
/// let pair = Tuple::of(&[Tuple::leaf(scope.declare("M")?), Tuple::leaf(scope.declare("K")?)])?;
/// assert_eq!((pair.rank(), pair.leaves().len()), (2, 2));
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Tuple<T> {
    shape: HTuple<()>,
    leaves: Vec<T>,
}

impl<T: Clone> From<T> for Tuple<T> {
    fn from(leaf: T) -> Tuple<T> {
        Tuple::leaf(leaf)
    }
}

impl<T: core::fmt::Debug> core::fmt::Debug for Tuple<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.leaves.fmt(f)
    }
}

impl<T: Clone> Tuple<T> {
    /// A leaf alone.
    ///
    /// ```
    /// use tilework_symbolic::{Number, Tuple};
    /// assert!(Tuple::leaf(Number::integer(3)).is_leaf());
    /// ```
    #[must_use]
    pub fn leaf(leaf: T) -> Tuple<T> {
        Tuple { shape: HTuple::leaf(()), leaves: [leaf].into() }
    }

    /// A tuple of modes.
    ///
    /// ```
    /// use tilework_symbolic::{Number, Tuple};
    /// assert_eq!(Tuple::of(&[Tuple::leaf(Number::integer(3))])?.depth(), 1);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Capacity`] for more leaves or nodes than an [`HTuple`] has.
    pub fn of(modes: &[Tuple<T>]) -> Result<Tuple<T>, Error> {
        let mut out = Tuple::builder();
        out.open(modes.len())?;
        modes.iter().try_for_each(|mode| out.push_part(mode.part()))?;
        Ok(out)
    }

    /// The leaves in a nesting.
    ///
    /// ```
    /// use tilework_symbolic::{Number, Tuple};
    /// let tuple = Tuple::with_profile(tilework::layout!((2,3)).profile(), [1, 2].map(Number::integer).into())?;
    /// assert_eq!(tuple.rank(), 2);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Incongruent`] for another count of leaves.
    pub fn with_profile(profile: &Profile, leaves: Vec<T>) -> Result<Tuple<T>, Error> {
        let mut shape = HTuple::builder_of(profile, ());
        leaves.iter().try_for_each(|_| shape.push_value(()))?;
        match profile.span(0).leaves == leaves.len() {
            true => Ok(Tuple { shape, leaves }),
            false => Err(Error::Incongruent { what: "the nesting and the leaves" }),
        }
    }

    /// The leaves after a change that only moves them, such as [`HTuple::group`]: it gets their places.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let layout = scope.layout("(M,4,K):(1,M,ld)")?;
    /// let grouped = scope.layout_of(layout.as_tuple().moved(|places| places.group(0, 2))?)?;
    /// assert_eq!(grouped.to_string(), "((M,4),K):((1,M),ld)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the change.
    pub fn moved(
        &self,
        change: impl FnOnce(&HTuple<usize>) -> Result<HTuple<usize>, Error>,
    ) -> Result<Tuple<T>, Error> {
        let places: Vec<usize> = (0..self.leaves.len()).collect();
        let moved = change(&HTuple::with_profile(self.profile(), &places, 0)?)?;
        let leaves = moved.leaves().iter().map(|&place| self.leaves[place].clone());
        Tuple::with_profile(moved.profile(), leaves.collect())
    }

    /// The modes that a pattern leaves open; see [`HTuple::slice`].
    pub(crate) fn slice(&self, pattern: &Pattern) -> Result<Tuple<T>, Error> {
        self.moved(|places| places.slice(pattern))
    }

    /// Another value for each leaf, in the same nesting.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let layout = Scope::new().layout("((M,4),K):((1,M),ld)")?;
    /// let shape = layout.as_tuple().map(|leaf| leaf.extent.clone());
    /// assert!(shape.profile() == layout.profile());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn map<U>(&self, map: impl FnMut(&T) -> U) -> Tuple<U> {
        Tuple { shape: self.shape, leaves: self.leaves.iter().map(map).collect() }
    }

    /// The same, or the first error.
    ///
    /// ```
    /// use tilework_symbolic::{Number, Tuple};
    /// let three = Tuple::leaf(Number::integer(3));
    /// assert_eq!(three.try_map(|number| number.plus(1))?.leaves(), [Number::integer(4)]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the function.
    pub fn try_map<U, E>(&self, map: impl FnMut(&T) -> Result<U, E>) -> Result<Tuple<U>, E> {
        Ok(Tuple { shape: self.shape, leaves: self.leaves.iter().map(map).collect::<Result<_, _>>()? })
    }

    /// The leaves from left to right.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let layout = Scope::new().layout("((M,4),K):((1,M),ld)")?;
    /// assert_eq!(layout.as_tuple().leaves().len(), 3);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn leaves(&self) -> &[T] {
        &self.leaves
    }

    /// The nesting.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let layout = Scope::new().layout("((M,4),K):((1,M),ld)")?;
    /// assert!(layout.as_tuple().profile() == layout.profile());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn profile(&self) -> &Profile {
        self.shape.profile()
    }

    /// The number of modes; 1 for a leaf.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let layout = Scope::new().layout("((M,4),K):((1,M),ld)")?;
    /// assert_eq!(layout.as_tuple().rank(), 2);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn rank(&self) -> usize {
        self.shape.rank()
    }

    /// The levels of tuples.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let layout = Scope::new().layout("((M,4),K):((1,M),ld)")?;
    /// assert_eq!(layout.as_tuple().depth(), 2);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn depth(&self) -> usize {
        self.shape.depth()
    }

    /// The parts at the paths of their basis elements, and `gap` for a component that has none. The recursion depth is that of a basis
    /// element.
    pub(crate) fn nested(parts: &[(Unit, Tuple<T>)], gap: &T) -> Result<Tuple<T>, Error> {
        fn below<T: Clone>(parts: &[(Unit, Tuple<T>)], gap: &T, path: &[usize]) -> Result<Tuple<T>, Error> {
            let mut own = parts.iter().filter(|(unit, _)| unit.path().0[..unit.depth()].starts_with(path));
            let deeper = own.clone().filter(|(unit, _)| unit.depth() > path.len());
            match deeper.clone().map(|(unit, _)| unit.index(path.len())).max() {
                None => Ok(own.next().map_or_else(|| Tuple::leaf(gap.clone()), |(_, part)| part.clone())),
                Some(last) if deeper.count() == own.count() => {
                    let modes = (0..=last).map(|index| below(parts, gap, &[path, &[index]].concat()));
                    Tuple::of(&modes.collect::<Result<Vec<_>, _>>()?)
                }
                Some(_) => Err(Error::Incongruent { what: "the offset and the codomain of the layout" }),
            }
        }
        below(parts, gap, &[])
    }

    /// The text with that of each leaf: `(a,(b,c))`. A calculation alone has a comma, without which its parentheses would only
    /// group it: `(a*b,)`. The recursion depth is that of the tuple.
    ///
    /// ```
    /// use tilework_symbolic::Tuple;
    /// let pair = Tuple::of(&[Tuple::leaf(1), Tuple::leaf(2)])?;
    /// assert_eq!(pair.text(&|leaf| leaf.to_string()), "(1,2)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn text(&self, leaf: &impl Fn(&T) -> String) -> String {
        fn nested<T: Clone>(tuple: &Tuple<T>, leaf: &impl Fn(&T) -> String) -> String {
            if let (true, [own]) = (tuple.is_leaf(), tuple.leaves()) {
                return leaf(own);
            }
            let modes = (0..tuple.rank()).filter_map(|index| tuple.mode(index).ok());
            format!("({})", modes.map(|mode| nested(&mode, leaf)).collect::<Vec<_>>().join(","))
        }
        let text = nested(self, leaf);
        let is_calculation = text.contains(['+', '*', '/'])
            || text.contains('-') && text.contains(|c: char| c.is_ascii_alphabetic());
        match (self.leaves(), self.depth()) {
            ([_], 1) if is_calculation => format!("({},)", &text[1..text.len() - 1]),
            _ => text,
        }
    }

    /// Whether it is a leaf alone.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let layout = Scope::new().layout("((M,4),K):((1,M),ld)")?;
    /// assert_eq!(layout.as_tuple().is_leaf(), false);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn is_leaf(&self) -> bool {
        self.shape.is_leaf()
    }

    /// A mode.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let layout = Scope::new().layout("((M,4),K):((1,M),ld)")?;
    /// assert_eq!(layout.as_tuple().mode(0)?.leaves().len(), 2);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Index`] beyond the rank.
    pub fn mode(&self, index: usize) -> Result<Tuple<T>, Error> {
        let mut out = Tuple::builder();
        out.push_part(self.part().mode(index)?)?;
        Ok(out)
    }

    /// Whether both have the same nesting.
    ///
    /// ```
    /// use tilework_symbolic::{Number, Tuple};
    /// let one = Tuple::leaf(Number::integer(3));
    /// assert!(one.congruent(&one) && !one.congruent(&Tuple::of(&[one.clone()])?));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn congruent<U>(&self, other: &Tuple<U>) -> bool {
        self.shape.congruent(&other.shape)
    }

    /// Whether the other has this nesting, or a finer one.
    ///
    /// ```
    /// use tilework_symbolic::{Number, Tuple};
    /// let one = Tuple::leaf(Number::integer(3));
    /// assert!(one.weakly_congruent(&Tuple::of(&[one.clone()])?));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn weakly_congruent<U>(&self, other: &Tuple<U>) -> bool {
        self.shape.weakly_congruent(&other.shape)
    }

    pub(crate) fn part(&self) -> Part<'_, T> {
        Part { tuple: self, node: 0, leaf: 0 }
    }

    // ---- building, from left to right

    pub(crate) fn builder() -> Tuple<T> {
        Tuple { shape: HTuple::builder(()), leaves: Vec::new() }
    }

    /// Begins a tuple of `rank` modes.
    pub(crate) fn open(&mut self, rank: usize) -> Result<(), Error> {
        self.shape.open(rank)
    }

    /// Appends a leaf with its node.
    pub(crate) fn push(&mut self, leaf: T) -> Result<(), Error> {
        self.shape.push(())?;
        self.leaves.push(leaf);
        Ok(())
    }

    pub(crate) fn push_part(&mut self, part: Part<'_, T>) -> Result<(), Error> {
        self.shape.push_subtree(&part.tuple.shape, part.node, part.leaf)?;
        self.leaves.extend_from_slice(part.leaves());
        Ok(())
    }

    /// Appends leaves as a tuple; one of them without a tuple.
    pub(crate) fn push_flat(&mut self, leaves: Vec<T>) -> Result<(), Error> {
        if leaves.len() != 1 {
            self.open(leaves.len())?;
        }
        leaves.into_iter().try_for_each(|leaf| self.push(leaf))
    }

    /// Sets the rank of the tuple at a node, which was opened before its modes were known.
    pub(crate) fn set_rank(&mut self, node: usize, rank: usize) {
        self.shape.profile_mut().set_rank(node, rank);
    }

    pub(crate) fn leaves_mut(&mut self) -> &mut [T] {
        &mut self.leaves
    }
}

/// A mode of a tuple, at any depth.
pub(crate) struct Part<'a, T> {
    pub tuple: &'a Tuple<T>,
    pub node: usize,
    pub leaf: usize,
}

impl<T> Clone for Part<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Part<'_, T> {}

impl<'a, T: Clone> Part<'a, T> {
    pub fn is_leaf(self) -> bool {
        self.tuple.profile().is_leaf(self.node)
    }

    pub fn rank(self) -> usize {
        self.tuple.profile().rank(self.node)
    }

    pub fn leaves(self) -> &'a [T] {
        let count = self.tuple.profile().span(self.node).leaves;
        &self.tuple.leaves[self.leaf..self.leaf + count]
    }

    pub fn mode(self, index: usize) -> Result<Self, Error> {
        let (node, leaf) = self.tuple.shape.child(self.node, self.leaf, index)?;
        Ok(Part { node, leaf, ..self })
    }

    pub fn modes(self) -> impl Iterator<Item = Self> {
        (0..self.rank()).filter_map(move |index| self.mode(index).ok())
    }
}
