//! Slices: layouts with an offset.

use super::values::IntoHTuple;
use super::{Layout, Offset};
use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::shape::Coord;
use crate::stride::{Rational, each_term};
use crate::tuple::{HTuple, Part, Pattern, PatternLeaf, map_leaves};

/// A layout with an offset, `{8} o (3,2):(15,100)`: the result of slicing (paper, section 2.5).
///
/// The offset is an element of the layout's codomain, and is added by the codomain's addition: sums for numbers and
/// coordinates, XOR for XOR strides. The number 0 is the origin of every codomain.
///
/// ```
/// use tilework::{HTuple, View, layout};
/// let view: View = layout!((4,8):(8,1)).slice((2, ..))?;
/// assert_eq!(view.to_string(), "{16} o 8:1");
/// assert_eq!((view.offset().to_string(), *view.layout()), ("16".to_string(), layout!(8:1)));
/// assert_eq!(view.evaluate(5)?.to_string(), "21");
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct View {
    offset: Offset,
    layout: Layout,
}

impl View {
    /// `{offset} o layout`.
    ///
    /// ```
    /// use tilework::{Error, HTuple, Rational, View, layout};
    /// let sixteen = HTuple::leaf(Rational::integer(16));
    /// assert_eq!(View::new(sixteen, layout!(8:1))?.to_string(), "{16} o 8:1");
    /// assert!(matches!(View::new(sixteen, layout!(8:1@0)), Err(Error::Incongruent { .. })));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Incongruent`] for an offset that is not an element of the layout's codomain: `{5} o 4:1@0`, `{(1,2)} o 4:1`;
    /// [`Error::NotIntegral`] for `{1/2} o 4:^1`.
    pub const fn new(offset: Offset, layout: Layout) -> Result<View, Error> {
        // The origin has a place for every component; a component with a stride needs a number in the sum.
        let sum = tri!(sum(&offset, &tri!(layout.codomain_profile())));
        let mut i = 0;
        while i < layout.leaves().len() {
            let stride = layout.leaves()[i].stride;
            each_term!(stride, |term| {
                let (path, level) = term.unit().path();
                let (node, leaf) = tri!(sum.find(path.split_at(level).0));
                if !sum.profile().is_leaf(node) {
                    return Err(INCONGRUENT);
                }
                if term.unit().is_xor() && !sum.leaves()[leaf].is_integer() {
                    return Err(Error::NotIntegral {
                        operation: "the offset before XOR strides",
                        numerator: sum.leaves()[leaf].numerator(),
                        denominator: sum.leaves()[leaf].denominator(),
                    });
                }
            });
            i += 1;
        }
        Ok(View { offset, layout })
    }

    /// The number or coordinate that is added to every offset of the layout.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!((4,8):(8,1)).slice((2, ..))?.offset().to_string(), "16");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn offset(&self) -> &Offset {
        &self.offset
    }

    /// The layout without the offset.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(*layout!((4,8):(8,1)).slice((2, ..))?.layout(), layout!(8:1));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The offset of an admissible coordinate.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!((4,8):(8,1)).slice((2, ..))?.evaluate(5)?.to_string(), "21");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Layout::evaluate`]; [`Error::Overflow`].
    pub fn evaluate(&self, coord: impl IntoHTuple<i64>) -> Result<Offset, Error> {
        self.const_evaluate(&coord.into_htuple()?)
    }

    /// [`evaluate`](Self::evaluate) in a constant.
    pub const fn const_evaluate(&self, coord: &Coord) -> Result<Offset, Error> {
        self.add(&tri!(self.layout.const_evaluate(coord)))
    }

    /// The part that a pattern leaves open; the fixed coordinates become an offset.
    ///
    /// ```
    /// use tilework::View;
    /// let view: View = "{5} o (2,2):(^1,^4)".parse()?;
    /// assert_eq!(view.slice((1, ..))?.to_string(), "{4} o 2:^4");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Layout::slice`].
    pub fn slice(&self, pattern: impl IntoHTuple<PatternLeaf>) -> Result<View, Error> {
        self.const_slice(&pattern.into_htuple()?)
    }

    /// [`slice`](Self::slice) in a constant.
    pub const fn const_slice(&self, pattern: &Pattern) -> Result<View, Error> {
        let View { offset, layout } = tri!(self.layout.const_slice(pattern));
        Ok(View { offset: tri!(self.add(&offset)), layout })
    }

    /// The same offset with another layout of offsets.
    ///
    /// ```
    /// use tilework::View;
    /// let view: View = "{5} o 8:1".parse()?;
    /// assert_eq!(view.with_layout("4:^1".parse()?)?.to_string(), "{5} o 4:1");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`View::new`], and, if the offset is not 0, those of [`Layout::with_sums_of`].
    pub const fn with_layout(&self, layout: Layout) -> Result<View, Error> {
        let (mut origin, mut i) = (true, 0);
        while i < self.offset.leaves().len() {
            origin &= self.offset.leaves()[i].numerator() == 0;
            i += 1;
        }
        View::new(self.offset, if origin { layout } else { tri!(layout.with_sums_of(&self.layout)) })
    }

    const fn add(&self, offset: &Offset) -> Result<Offset, Error> {
        if self.layout.codomain().same(Codomain::Xor) {
            let (left, right) = (self.offset.leaves()[0].numerator(), offset.leaves()[0].numerator());
            return Ok(HTuple::leaf(Rational::integer(left ^ right)));
        }
        sum(&self.offset, offset)
    }
}

/// A layout is a view with the offset 0.
impl From<Layout> for View {
    fn from(layout: Layout) -> View {
        View { offset: HTuple::leaf(Rational::ZERO), layout }
    }
}

impl Layout {
    /// The part of the layout that a pattern leaves open, with the offset of the fixed coordinates (paper, equation 10
    /// and figure 5).
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// const A: Layout = layout!(((3,2),((2,3),2)):((4,1),((2,15),100)));
    /// assert_eq!(A.slice((2, ((0, ..), ..)))?.to_string(), "{8} o (3,2):(15,100)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Entries`] for a pattern that is not weakly congruent with the layout; [`Error::Overflow`].
    pub fn slice(&self, pattern: impl IntoHTuple<PatternLeaf>) -> Result<View, Error> {
        self.const_slice(&pattern.into_htuple()?)
    }

    /// [`slice`](Self::slice) in a constant.
    pub const fn const_slice(&self, pattern: &Pattern) -> Result<View, Error> {
        let layout = tri!(Layout::new(tri!(self.tuple.slice(pattern))));
        // The offset is an offset of the layout, so it can be added to those of its parts.
        Ok(View { offset: tri!(self.const_evaluate(&fixed(pattern))), layout })
    }

    /// The part of the layout that a pattern fixes.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!((4,(8,2)):(8,(1,32))).dice((2, (.., 1)))?, layout!((4,2):(8,32)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Entries`] for a pattern that is not weakly congruent with the layout.
    pub fn dice(&self, pattern: impl IntoHTuple<PatternLeaf>) -> Result<Layout, Error> {
        self.const_dice(&pattern.into_htuple()?)
    }

    /// [`dice`](Self::dice) in a constant.
    pub const fn const_dice(&self, pattern: &Pattern) -> Result<Layout, Error> {
        Layout::new(tri!(self.tuple.dice(pattern)))
    }
}

/// The coordinate that a pattern fixes, with 0 for every `_`.
pub(crate) const fn fixed(pattern: &Pattern) -> Coord {
    map_leaves!(pattern => 0, |leaf| match leaf {
        PatternLeaf::All => 0,
        PatternLeaf::At(index) => index,
    })
}

const INCONGRUENT: Error = Error::Incongruent { what: "an offset and the offsets of its layout" };

/// The sum of two offsets, component by component; a component that only one of them has is 0 in the other.
pub(crate) const fn sum(left: &Offset, right: &Offset) -> Result<Offset, Error> {
    let mut out = HTuple::builder(Rational::ZERO);
    tri!(push_sum(Part::whole(left), Part::whole(right), &mut out));
    Ok(out)
}

/// Appends the sum of two parts. The recursion depth is that of the tuples, which their capacity bounds.
const fn push_sum(
    left: Part<'_, Rational>,
    right: Part<'_, Rational>,
    out: &mut Offset,
) -> Result<(), Error> {
    match (number(left), number(right)) {
        (Some(left), Some(right)) => return out.push(tri!(left.add(right))),
        (Some(Rational::ZERO), None) => return out.push_part(right),
        (None, Some(Rational::ZERO)) => return out.push_part(left),
        (None, None) => {}
        _ => return Err(INCONGRUENT),
    }
    let rank = if left.rank() > right.rank() { left.rank() } else { right.rank() };
    tri!(out.open(rank));
    let mut i = 0;
    while i < rank {
        tri!(if i >= right.rank() {
            out.push_part(tri!(left.mode(i)))
        } else if i >= left.rank() {
            out.push_part(tri!(right.mode(i)))
        } else {
            push_sum(tri!(left.mode(i)), tri!(right.mode(i)), out)
        });
        i += 1;
    }
    Ok(())
}

/// The number of a part, if it is one.
const fn number(part: Part<'_, Rational>) -> Option<Rational> {
    if part.is_leaf() { Some(part.leaves()[0]) } else { None }
}
