//! The elements in the order of their coordinates.

use super::displace::Displace;
use super::{Accessor, AccessorMut, HasLayout, Tensor};
use crate::layout::Leaf;
use crate::shape::Coord;
use crate::tuple::map_leaves;

/// The offsets of a tensor in colexicographic order. Each step updates the digits that change, so there are no
/// divisions.
#[derive(Clone)]
pub(super) struct Walk<D> {
    start: D,
    steps: D,
    /// The digits of the next natural coordinate.
    coord: Coord,
    left: i64,
}

impl<D: Displace> Walk<D> {
    pub fn new<L: HasLayout>(layout: &L, start: D) -> Walk<D> {
        let shape = layout.as_layout();
        let coord = map_leaves!(shape => 0, |_leaf| 0);
        Walk { start, steps: start.before(layout), coord, left: layout.count() }
    }

    #[inline]
    pub fn next<L: HasLayout>(&mut self, layout: &L) -> Option<D> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let offset = self.start.after(layout, self.steps);
        for (&Leaf { extent, stride }, digit) in
            layout.as_layout().leaves().iter().zip(self.coord.leaves_mut())
        {
            let before = *digit;
            *digit = if before + 1 < extent { before + 1 } else { 0 };
            self.steps.step(stride, before, *digit);
            if *digit != 0 {
                break;
            }
        }
        Some(offset)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.left);
        (left.unwrap_or(usize::MAX), left.ok())
    }
}

/// The elements of a tensor in colexicographic order, made by [`Tensor::iter`].
#[must_use = "an iterator does nothing until it is asked"]
pub struct Elements<'a, A: Accessor, L> {
    tensor: &'a Tensor<A, L>,
    walk: Walk<A::Offset>,
}

impl<A: Accessor, L: HasLayout> Iterator for Elements<'_, A, L> {
    type Item = A::Element;

    #[inline]
    fn next(&mut self) -> Option<A::Element> {
        let offset = self.walk.next(&self.tensor.layout)?;
        Some(self.tensor.accessor.read(offset))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.walk.size_hint()
    }
}

/// The coordinates and elements of a tensor in colexicographic order, made by [`Tensor::entries`].
#[must_use = "an iterator does nothing until it is asked"]
pub struct Entries<'a, A: Accessor, L> {
    elements: Elements<'a, A, L>,
}

impl<A: Accessor, L: HasLayout> Iterator for Entries<'_, A, L> {
    type Item = (Coord, A::Element);

    fn next(&mut self) -> Option<(Coord, A::Element)> {
        let coord = self.elements.walk.coord;
        Some((coord, self.elements.next()?))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.elements.size_hint()
    }
}

impl<A: Accessor, L: HasLayout> Tensor<A, L> {
    /// The elements in colexicographic order of their coordinates, the first mode fastest.
    ///
    /// ```
    /// use tilework::{Tensor, layout};
    /// let rows = Tensor::new(&[1, 2, 3, 4, 5, 6], layout!((2,3):(3,1)))?;
    /// assert!(rows.iter().eq([1, 4, 2, 5, 3, 6]));
    /// assert_eq!(rows.iter().sum::<i32>(), 21);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    pub fn iter(&self) -> Elements<'_, A, L> {
        Elements { tensor: self, walk: Walk::new(&self.layout, self.offset) }
    }

    /// The elements with their natural coordinates, in the same order.
    ///
    /// ```
    /// use tilework::{Tensor, layout};
    /// let rows = Tensor::new(&[1, 2, 3, 4, 5, 6], layout!((2,3):(3,1)))?;
    /// let (coord, element) = rows.entries().max_by_key(|entry| entry.1).unwrap();
    /// assert_eq!((coord.to_string().as_str(), element), ("(1,2)", 6));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    pub fn entries(&self) -> Entries<'_, A, L> {
        Entries { elements: self.iter() }
    }
}

impl<A: AccessorMut, L: HasLayout> Tensor<A, L> {
    /// Sets every element.
    ///
    /// ```
    /// use tilework::{Tensor, layout};
    /// let mut tensor = Tensor::new([0; 6], layout!((2,2):(3,1)))?;
    /// tensor.fill(7);
    /// assert_eq!(tensor.accessor(), &[7, 7, 0, 7, 7, 0]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    pub fn fill(&mut self, value: A::Element)
    where
        A::Element: Copy,
    {
        let layout = self.layout;
        let mut walk = Walk::new(&layout, self.offset);
        while let Some(offset) = walk.next(&layout) {
            self.accessor.write(offset, value);
        }
    }
}

impl<'a, A: Accessor, L: HasLayout> IntoIterator for &'a Tensor<A, L> {
    type Item = A::Element;
    type IntoIter = Elements<'a, A, L>;

    fn into_iter(self) -> Elements<'a, A, L> {
        self.iter()
    }
}
