//! Shapes and coordinates (paper, section 2.2).
//!
//! A shape is a hierarchical tuple of positive extents. It is indexed by *compatible coordinates*: one integer for the
//! whole, one integer for each mode, or one for each leaf, and everything between. Coordinates are enumerated in
//! colexicographic order, the first mode fastest, and `idx2crd` and `crd2idx` convert between the sets:
//!
//! | `Z_12` | `Z_(6,2)` | `Z_((2,3),2)` |
//! |---|---|---|
//! | 0 | (0,0) | ((0,0),0) |
//! | 1 | (1,0) | ((1,0),0) |
//! | 2 | (2,0) | ((0,1),0) |
//! | 7 | (1,1) | ((1,0),1) |
//!
//! Every integer is a coordinate: division rounds down, and the last mode is never reduced, so that 12 is
//! `((0,0),2)`, out of bounds but well defined (equation 4).

use crate::error::{Error, ok_or, tri};
use crate::int;
use crate::list::List;
use crate::tuple::{HTuple, MAX_LEAVES, Part};

/// A hierarchical tuple of extents, each 1 or more (paper, definition 2.5).
pub type Shape = HTuple<i64>;

/// A hierarchical tuple of integers that is weakly congruent with the shape it indexes (paper, definition 2.12).
pub type Coord = HTuple<i64>;

impl HTuple<i64> {
    /// The product of the leaves: the size of a shape.
    ///
    /// ```
    /// use tilework::Shape;
    /// let shape: Shape = "((2,3),4)".parse()?;
    /// assert_eq!(shape.size()?, 24);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Overflow`].
    pub const fn size(&self) -> Result<i64, Error> {
        product(self.leaves())
    }

    /// The tuple of the sizes of the modes, of depth 1 at most.
    ///
    /// ```
    /// use tilework::Shape;
    /// let shape: Shape = "((2,3),4)".parse()?;
    /// assert_eq!(shape.mode_sizes()?.to_string(), "(6,4)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Overflow`].
    pub const fn mode_sizes(&self) -> Result<Shape, Error> {
        if self.is_leaf() {
            return Ok(*self);
        }
        let mut out = self.cleared();
        tri!(out.open(self.rank()));
        let mut i = 0;
        while i < self.rank() {
            tri!(out.push(tri!(tri!(Part::whole(self).mode(i)).size())));
            i += 1;
        }
        Ok(out)
    }

    /// Checks that this is a shape.
    pub(crate) const fn check_extents(&self) -> Result<(), Error> {
        let mut i = 0;
        while i < self.leaves().len() {
            if self.leaves()[i] < 1 {
                return Err(Error::Extent { leaf: i, extent: self.leaves()[i] });
            }
            i += 1;
        }
        Ok(())
    }

    /// Whether this shape coarsens the other, `self ⪯ finer`: every coordinate of this shape is one of the other
    /// (paper, definition 2.7).
    ///
    /// ```
    /// use tilework::Shape;
    /// let shape = |text: &str| text.parse::<Shape>().unwrap();
    /// assert!(shape("30").compatible(&shape("(2,15)")) && shape("(2,15)").compatible(&shape("(2,(3,5))")));
    /// assert!(!shape("(2,(3,5))").compatible(&shape("((3,2),5)")));
    /// ```
    #[must_use]
    pub const fn compatible(&self, finer: &Shape) -> bool {
        let Ok(mut walk) = Walk::new(self, finer) else { return false };
        while let Some(part) = walk.next() {
            if !matches!(part.size(finer), Ok(size) if size == part.index) {
                return false;
            }
        }
        true
    }

    /// The coarsest shape that refines both, if there is one: their join in the order of compatibility.
    ///
    /// ```
    /// use tilework::Shape;
    /// let (a, b): (Shape, Shape) = ("(6,(2,2))".parse()?, "((2,3),4)".parse()?);
    /// assert_eq!(a.common_refinement(&b)?.to_string(), "((2,3),(2,2))");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Incongruent`] if there is none.
    pub const fn common_refinement(&self, other: &Shape) -> Result<Shape, Error> {
        let mut out = self.cleared();
        tri!(push_refinement(Part::whole(self), Part::whole(other), &mut out));
        if !self.compatible(&out) || !other.compatible(&out) {
            return Err(Error::Incongruent { what: "shapes without a common refinement" });
        }
        Ok(out)
    }

    /// The finest shape that coarsens both: their meet in the order of compatibility.
    ///
    /// ```
    /// use tilework::Shape;
    /// let (a, b): (Shape, Shape) = ("(4,(3,5))".parse()?, "((2,2),(5,3))".parse()?);
    /// assert_eq!(a.common_coarsening(&b)?.to_string(), "(4,15)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Size`] if the sizes differ.
    pub const fn common_coarsening(&self, other: &Shape) -> Result<Shape, Error> {
        let (size, other_size) = (tri!(self.size()), tri!(other.size()));
        if size != other_size {
            return Err(Error::Size { operation: "common_coarsening", expected: size, found: other_size });
        }
        let mut out = self.cleared();
        tri!(push_coarsening(Part::whole(self), Part::whole(other), &mut out));
        Ok(out)
    }

    /// CuTe's progressive division of a shape: the divisor is divided out from left to right.
    ///
    /// ```
    /// use tilework::Shape;
    /// let shape: Shape = "(3,6,2,8)".parse()?;
    /// assert_eq!(shape.shape_div(9)?.to_string(), "(1,2,2,8)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Divisibility`] if of an extent and the rest of the divisor neither divides the other, or the divisor
    /// exceeds the shape.
    pub const fn shape_div(&self, divisor: i64) -> Result<Shape, Error> {
        tri!(check_divisor(divisor));
        tri!(self.check_extents());
        let (mut out, mut rest, mut i) = (*self, divisor, 0);
        while i < out.leaves().len() {
            let extent = out.leaves()[i];
            let quotient = if extent % rest == 0 {
                let quotient = extent / rest;
                rest = 1;
                quotient
            } else if rest % extent == 0 {
                rest /= extent;
                1
            } else {
                return Err(Error::Divisibility { operation: "shape_div", value: extent, divisor: rest });
            };
            out.leaves_mut()[i] = quotient;
            i += 1;
        }
        if rest != 1 {
            return Err(Error::Divisibility { operation: "shape_div", value: tri!(self.size()), divisor });
        }
        Ok(out)
    }

    /// [`shape_div`](Self::shape_div) with each quotient, of extents and of the rest of the divisor, rounded up or down to 1
    /// or more.
    ///
    /// ```
    /// use tilework::Shape;
    /// let shape: Shape = "(7,4)".parse()?;
    /// assert_eq!(shape.shape_div_rounded(2, true)?.to_string(), "(4,4)");
    /// assert_eq!(shape.shape_div_rounded(10, true)?.to_string(), "(1,2)");
    /// assert_eq!(shape.shape_div_rounded(2, false)?.to_string(), "(3,4)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] for a divisor below 1, [`Error::Extent`] for such an extent.
    pub const fn shape_div_rounded(&self, divisor: i64, up: bool) -> Result<Shape, Error> {
        tri!(check_divisor(divisor));
        tri!(self.check_extents());
        let (mut out, mut rest, mut i) = (*self, divisor, 0);
        while i < out.leaves().len() {
            let extent = out.leaves()[i];
            out.leaves_mut()[i] = rounded(extent, rest, up);
            rest = rounded(rest, extent, up);
            i += 1;
        }
        Ok(out)
    }

    /// Whether `d = s0 ... s(i-1) c` for a mode `i` and a divisor `c` of its extent, smaller than the extent unless the mode is
    /// the last: a step of `d` then divides whole modes out from the left, and one mode evenly.
    ///
    /// ```
    /// use tilework::Shape;
    /// let shape: Shape = "(4,6)".parse()?;
    /// assert!(shape.is_left_divisible(2) && shape.is_left_divisible(8) && !shape.is_left_divisible(3));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn is_left_divisible(&self, divisor: i64) -> bool {
        matches!(self.left_quotient(divisor), Some((extent, c)) if extent % c == 0)
    }

    /// [`is_left_divisible`](Self::is_left_divisible), but `c` need not divide the extent: `d` coordinates end within a mode.
    ///
    /// ```
    /// use tilework::Shape;
    /// let shape: Shape = "(4,6)".parse()?;
    /// assert!(shape.is_weakly_left_divisible(3) && shape.is_weakly_left_divisible(16) && !shape.is_weakly_left_divisible(5));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn is_weakly_left_divisible(&self, divisor: i64) -> bool {
        self.left_quotient(divisor).is_some()
    }

    /// The extent of the mode in which `divisor` ends, and the steps of it.
    const fn left_quotient(&self, divisor: i64) -> Option<(i64, i64)> {
        let (extents, mut rest, mut i) = (self.leaves(), divisor, 0);
        if divisor < 1 {
            return None;
        }
        while i + 1 < extents.len() && rest >= extents[i] {
            if extents[i] < 1 || rest % extents[i] != 0 {
                return None;
            }
            rest /= extents[i];
            i += 1;
        }
        if i < extents.len() && rest <= extents[i] { Some((extents[i], rest)) } else { None }
    }

    /// The leading part of the shape that has size `count`: the part that [`shape_div`](Self::shape_div) divides out.
    ///
    /// ```
    /// use tilework::Shape;
    /// let shape: Shape = "(3,6,2,8)".parse()?;
    /// assert_eq!(shape.shape_mod(9)?.to_string(), "(3,3,1,1)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`shape_div`](Self::shape_div).
    pub const fn shape_mod(&self, count: i64) -> Result<Shape, Error> {
        let (mut out, divided, mut i) = (*self, tri!(self.shape_div(count)), 0);
        while i < out.leaves().len() {
            out.leaves_mut()[i] /= divided.leaves()[i];
            i += 1;
        }
        Ok(out)
    }

    /// For each leaf, the product of all leaves before it, in the same nesting: the strides of the compact layout.
    ///
    /// ```
    /// use tilework::Shape;
    /// let shape: Shape = "(3,(6,2),8)".parse()?;
    /// assert_eq!(shape.prefix_product()?.to_string(), "(1,(3,18),36)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Extent`] and [`Error::Overflow`], as for the [`size`](Self::size).
    pub const fn prefix_product(&self) -> Result<Shape, Error> {
        tri!(self.size());
        let (mut out, mut product, mut i) = (*self, 1, 0);
        while i < out.leaves().len() {
            out.leaves_mut()[i] = product;
            product *= self.leaves()[i];
            i += 1;
        }
        Ok(out)
    }

    /// The sum of the products of corresponding leaves: for a natural coordinate and strides, the offset.
    ///
    /// ```
    /// use tilework::Shape;
    /// let (coord, stride): (Shape, Shape) = ("(2,(1,5))".parse()?, "(8,(1,32))".parse()?);
    /// assert_eq!(coord.inner_product(&stride)?, 177);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Incongruent`] for tuples of different nesting; [`Error::Overflow`].
    pub const fn inner_product(&self, other: &Shape) -> Result<i64, Error> {
        if !self.congruent(other) {
            return Err(Error::Incongruent { what: "the two tuples of an inner product" });
        }
        let (mut sum, mut i) = (0, 0);
        while i < self.leaves().len() {
            sum = tri!(int::add(sum, tri!(int::mul(self.leaves()[i], other.leaves()[i]))));
            i += 1;
        }
        Ok(sum)
    }

    /// The natural coordinate of this shape for any admissible one: `idx2crd` within every mode for which `coord` has
    /// one integer (paper, equation 4). The last leaf of such a mode is not reduced.
    ///
    /// ```
    /// use tilework::{HTuple, Shape};
    /// let shape: Shape = "((2,3),2)".parse()?;
    /// assert_eq!(shape.idx2crd(&HTuple::leaf(7))?.to_string(), "((1,0),1)");
    /// assert_eq!(shape.idx2crd(&"(5,1)".parse()?)?.to_string(), "((1,2),1)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Entries`] for a coordinate that is not weakly congruent with the shape, [`Error::Extent`].
    pub const fn idx2crd(&self, coord: &Coord) -> Result<Coord, Error> {
        tri!(self.check_extents());
        let mut out = *self;
        let mut walk = tri!(Walk::new(coord, self));
        while let Some(part) = walk.next() {
            let mut rest = part.index;
            let mut i = part.first;
            while i + 1 < part.end {
                let (quotient, remainder) = int::div_rem(rest, self.leaves()[i]);
                out.leaves_mut()[i] = remainder;
                rest = quotient;
                i += 1;
            }
            if i < part.end {
                out.leaves_mut()[i] = rest;
            }
        }
        Ok(out)
    }

    /// The integral coordinate for any admissible one (paper, equation 5).
    ///
    /// ```
    /// use tilework::Shape;
    /// let shape: Shape = "((2,3),2)".parse()?;
    /// assert_eq!(shape.crd2idx(&"((1,2),1)".parse()?)?, 11);
    /// assert_eq!(shape.crd2idx(&"(5,1)".parse()?)?, 11);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Entries`] for a coordinate that is not weakly congruent with the shape, [`Error::Extent`],
    /// [`Error::TooLarge`].
    pub const fn crd2idx(&self, coord: &Coord) -> Result<i64, Error> {
        tri!(self.check_extents());
        let mut walk = tri!(Walk::new(coord, self));
        let (mut index, mut weight) = (0i64, 1i64);
        while let Some(part) = walk.next() {
            let (product, beyond) = part.index.overflowing_mul(weight);
            let (sum, sum_beyond) = index.overflowing_add(product);
            if beyond || sum_beyond {
                return self.crd2idx_wide(coord);
            }
            index = sum;
            let mut i = part.first;
            while i < part.end {
                match weight.checked_mul(self.leaves()[i]) {
                    Some(product) => weight = product,
                    None => return self.crd2idx_wide(coord),
                }
                i += 1;
            }
        }
        Ok(index)
    }

    /// [`crd2idx`](Self::crd2idx) from the last mode on and in 128 bits. Large terms may cancel, but those beyond 128
    /// bits cannot.
    #[cold]
    const fn crd2idx_wide(&self, coord: &Coord) -> Result<i64, Error> {
        const TOO_LARGE: Error = Error::TooLarge { what: "an index" };
        let mut walk = tri!(Walk::new(coord, self));
        let mut parts = List::<IndexSpan, MAX_LEAVES>::new(IndexSpan { index: 0, first: 0, end: 0 });
        while let Some(part) = walk.next() {
            tri!(parts.push(part, "leaves"));
        }
        let (mut index, mut k) = (0i128, parts.len());
        while k > 0 {
            k -= 1;
            let IndexSpan { index: own, first, end } = parts.as_slice()[k];
            let mut i = end;
            while i > first {
                i -= 1;
                let Some(product) = index.checked_mul(self.leaves()[i] as i128) else {
                    return Err(TOO_LARGE);
                };
                index = product;
            }
            let Some(sum) = index.checked_add(own as i128) else { return Err(TOO_LARGE) };
            index = sum;
        }
        ok_or(int::narrow(index), TOO_LARGE)
    }

    /// The coordinate in the coarser (or finer) shape `other` that corresponds to `coord` in this one: a conversion
    /// between any two compatible coordinate sets.
    ///
    /// ```
    /// use tilework::Shape;
    /// let (rows, tiles): (Shape, Shape) = ("(4,8)".parse()?, "((2,2),8)".parse()?);
    /// assert_eq!(rows.convert(&"(3,5)".parse()?, &tiles)?.to_string(), "((1,1),5)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Size`] if the sizes differ, [`Error::Entries`] for a coordinate that does not fit this shape.
    pub const fn convert(&self, coord: &Coord, other: &Shape) -> Result<Coord, Error> {
        let (size, other_size) = (tri!(self.size()), tri!(other.size()));
        if size != other_size {
            return Err(Error::Size {
                operation: "a change of coordinates",
                expected: size,
                found: other_size,
            });
        }
        other.idx2crd(&HTuple::leaf(tri!(self.crd2idx(coord))))
    }

    /// Whether the coordinate is weakly congruent with this shape (paper, definition 2.12).
    ///
    /// ```
    /// use tilework::Shape;
    /// let shape: Shape = "((2,3),4)".parse()?;
    /// assert!(shape.is_admissible(&"(5,3)".parse()?) && !shape.is_admissible(&"(1,2,3)".parse()?));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn is_admissible(&self, coord: &Coord) -> bool {
        coord.weakly_congruent(self)
    }

    /// Whether the coordinate is in one of the coordinate sets of this shape (paper, definition 2.9).
    ///
    /// ```
    /// use tilework::Shape;
    /// let shape: Shape = "((2,3),4)".parse()?;
    /// assert!(shape.is_in_bounds(&"(5,3)".parse()?) && !shape.is_in_bounds(&"(6,3)".parse()?));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn is_in_bounds(&self, coord: &Coord) -> bool {
        let Ok(mut walk) = Walk::new(coord, self) else { return false };
        while let Some(part) = walk.next() {
            let (mut rest, mut i) = (part.index, part.first);
            while i < part.end {
                if self.leaves()[i] < 1 {
                    return false;
                }
                rest = int::div_rem(rest, self.leaves()[i]).0;
                i += 1;
            }
            if rest != 0 {
                return false;
            }
        }
        true
    }

    /// The natural coordinates in colexicographic order, the first mode fastest. Empty if an extent is below 1 or the
    /// size overflows.
    ///
    /// ```
    /// use tilework::Shape;
    /// let shape: Shape = "(2,2)".parse()?;
    /// let all: Vec<String> = shape.coordinates().map(|c| c.to_string()).collect();
    /// assert_eq!(all, ["(0,0)", "(1,0)", "(0,1)", "(1,1)"]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    pub const fn coordinates(&self) -> Coordinates {
        let size = match self.size() {
            Ok(size) if self.check_extents().is_ok() => size,
            _ => 0,
        };
        Coordinates { shape: *self, next: 0, size }
    }
}

/// The natural coordinates of a shape, made by [`HTuple::coordinates`].
#[must_use = "an iterator does nothing until it is asked"]
#[derive(Clone)]
pub struct Coordinates {
    shape: Shape,
    next: i64,
    size: i64,
}

impl Iterator for Coordinates {
    type Item = Coord;

    fn next(&mut self) -> Option<Coord> {
        if self.next == self.size {
            return None;
        }
        let coord = self.shape.idx2crd(&HTuple::leaf(self.next)).ok();
        self.next += 1;
        coord
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.size - self.next);
        (left.unwrap_or(usize::MAX), left.ok())
    }
}

impl Part<'_, i64> {
    /// The product of the leaves.
    pub const fn size(self) -> Result<i64, Error> {
        product(self.leaves())
    }
}

/// Appends the part that is finer, mode by mode.
const fn check_divisor(found: i64) -> Result<(), Error> {
    if found < 1 {
        return Err(Error::Argument { operation: "shape_div", expected: "a positive divisor", found });
    }
    Ok(())
}

/// The quotient, 1 at least.
const fn rounded(value: i64, divisor: i64, up: bool) -> i64 {
    let quotient = if up { int::ceil_div(value, divisor) } else { value / divisor };
    if quotient < 1 { 1 } else { quotient }
}

const fn push_refinement(a: Part<'_, i64>, b: Part<'_, i64>, out: &mut Shape) -> Result<(), Error> {
    if b.is_leaf() {
        return out.push_part(a);
    }
    if a.is_leaf() || a.rank() != b.rank() {
        return out.push_part(b);
    }
    tri!(out.open(a.rank()));
    let mut i = 0;
    while i < a.rank() {
        tri!(push_refinement(tri!(a.mode(i)), tri!(b.mode(i)), out));
        i += 1;
    }
    Ok(())
}

/// Appends the modes if the sizes of the two agree, otherwise the size.
const fn push_coarsening(a: Part<'_, i64>, b: Part<'_, i64>, out: &mut Shape) -> Result<(), Error> {
    let rank = a.rank();
    let mut agree = !a.is_leaf() && !b.is_leaf() && rank == b.rank();
    let mut i = 0;
    while agree && i < rank {
        agree = tri!(tri!(a.mode(i)).size()) == tri!(tri!(b.mode(i)).size());
        i += 1;
    }
    if !agree {
        return out.push(tri!(a.size()));
    }
    tri!(out.open(rank));
    i = 0;
    while i < rank {
        tri!(push_coarsening(tri!(a.mode(i)), tri!(b.mode(i)), out));
        i += 1;
    }
    Ok(())
}

/// The product of extents.
pub(crate) const fn product(extents: &[i64]) -> Result<i64, Error> {
    let (mut size, mut i) = (1, 0);
    while i < extents.len() {
        size = tri!(int::mul(size, extents[i]));
        i += 1;
    }
    Ok(size)
}

/// One integer of a coordinate, and the leaves `first..end` of the shape that it indexes.
#[derive(Clone, Copy)]
pub(crate) struct IndexSpan {
    pub index: i64,
    pub first: usize,
    pub end: usize,
}

impl IndexSpan {
    /// The size of the part of the shape.
    pub const fn size(self, shape: &Shape) -> Result<i64, Error> {
        product(shape.leaves().split_at(self.end).0.split_at(self.first).1)
    }
}

/// The leaves of a coordinate, each with the leaves of the shape below it.
pub(crate) struct Walk<'a, T> {
    coord: &'a Coord,
    shape: &'a HTuple<T>,
    node: usize,
    leaf: usize,
    shape_node: usize,
    shape_leaf: usize,
}

impl<'a, T: Copy> Walk<'a, T> {
    pub const fn new(coord: &'a Coord, shape: &'a HTuple<T>) -> Result<Self, Error> {
        if let Some((leaf, coordinate, shape)) = coord.profile().not_weakly_congruent(shape.profile()) {
            return Err(Error::Entries { leaf, coordinate, shape });
        }
        Ok(Walk { coord, shape, node: 0, leaf: 0, shape_node: 0, shape_leaf: 0 })
    }

    pub const fn next(&mut self) -> Option<IndexSpan> {
        while self.node < self.coord.profile().len() {
            let is_leaf = self.coord.profile().is_leaf(self.node);
            self.node += 1;
            if is_leaf {
                let span = self.shape.profile().span(self.shape_node);
                let index = self.coord.leaves()[self.leaf];
                let part = IndexSpan { index, first: self.shape_leaf, end: self.shape_leaf + span.leaves };
                self.leaf += 1;
                self.shape_node += span.nodes;
                self.shape_leaf += span.leaves;
                return Some(part);
            }
            self.shape_node += 1;
        }
        None
    }
}
