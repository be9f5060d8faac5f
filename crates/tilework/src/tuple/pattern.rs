//! Selecting parts of a tuple by a coordinate with `_` (paper, section 2.5.1).

use super::{HTuple, Part};
use crate::Error;
use crate::error::tri;

/// A leaf of a [`Pattern`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PatternLeaf {
    /// `_`: everything along this mode.
    All,
    /// A coordinate into this mode.
    At(i64),
}

/// A coordinate in which `_` marks open modes: `(2,((0,_),_))`.
pub type Pattern = HTuple<PatternLeaf>;

impl<T: Copy> HTuple<T> {
    /// The part that a pattern leaves open.
    ///
    /// A mode that is all `_` is kept, a mode that is fixed in part becomes the tuple of its remaining parts, a tuple
    /// of one part becomes that part, and if one mode remains, the result is that mode. If nothing remains, it is `()`.
    ///
    /// | pattern on `((3,2),((2,3),2))` | result |
    /// |---|---|
    /// | `(2,_)` | `((2,3),2)` |
    /// | `(2,((0,_),_))` | `(3,2)` |
    /// | `((_,1),(_,0))` | `(3,(2,3))` |
    ///
    /// ```
    /// use tilework::HTuple;
    /// let tuple: HTuple<i64> = "((1,2),3)".parse()?;
    /// assert_eq!(tuple.slice(&"((_,0),_)".parse()?)?.to_string(), "(1,3)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Entries`] if the pattern is not weakly congruent with the tuple.
    pub const fn slice(&self, pattern: &Pattern) -> Result<Self, Error> {
        self.keep(pattern, true)
    }

    /// The part that a pattern fixes: the counterpart of [`slice`](Self::slice).
    ///
    /// ```
    /// use tilework::HTuple;
    /// let tuple: HTuple<i64> = "((1,2),3)".parse()?;
    /// assert_eq!(tuple.dice(&"((_,0),_)".parse()?)?.to_string(), "2");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Entries`] if the pattern is not weakly congruent with the tuple.
    pub const fn dice(&self, pattern: &Pattern) -> Result<Self, Error> {
        self.keep(pattern, false)
    }

    const fn keep(&self, pattern: &Pattern, open: bool) -> Result<Self, Error> {
        if let Some((leaf, coordinate, shape)) = pattern.profile().not_weakly_congruent(self.profile()) {
            return Err(Error::Entries { leaf, coordinate, shape });
        }
        let mut out = self.cleared();
        let choice = Part::whole(pattern);
        if keeps(choice, open) {
            tri!(push_kept(Part::whole(self), choice, open, &mut out));
        } else {
            tri!(out.open(0));
        }
        Ok(out)
    }
}

/// Appends the kept parts; the recursion depth is that of the pattern.
const fn push_kept<T: Copy>(
    part: Part<'_, T>,
    pattern: Part<'_, PatternLeaf>,
    open: bool,
    out: &mut HTuple<T>,
) -> Result<(), Error> {
    if pattern.is_leaf() {
        return out.push_part(part);
    }
    let (mut kept, mut i) = (0, 0);
    while i < pattern.rank() {
        kept += keeps(tri!(pattern.mode(i)), open) as usize;
        i += 1;
    }
    if kept > 1 {
        tri!(out.open(kept));
    }
    i = 0;
    while i < pattern.rank() {
        let mode = tri!(pattern.mode(i));
        if keeps(mode, open) {
            tri!(push_kept(tri!(part.mode(i)), mode, open, out));
        }
        i += 1;
    }
    Ok(())
}

/// Whether anything within the pattern's subtree is open (or fixed).
const fn keeps(pattern: Part<'_, PatternLeaf>, open: bool) -> bool {
    let (leaves, mut i) = (pattern.leaves(), 0);
    while i < leaves.len() {
        if matches!(leaves[i], PatternLeaf::All) == open {
            return true;
        }
        i += 1;
    }
    false
}
