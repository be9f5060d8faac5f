//! Strides: rational multiples of a unit, and the codomains that the units name.
//!
//! A stride is an element of an integer-semimodule (paper, section 2.3.1). One concrete type covers the paper's four, a
//! rational number times a [`Unit`]:
//!
//! | codomain | unit | written | offsets of a layout with such strides |
//! |---|---|---|---|
//! | integers | 1 | `8`, `-3` | integers |
//! | rationals | 1 | `1/2` | multiples of a larger element |
//! | coordinates | `E(path)` | `2@1`, `1@0@1` | coordinates of another layout |
//! | XOR | the XOR unit | `^9` | swizzled: sums are XORs, multiples carry-less products |
//!
//! `1@0@1` is `E(1,0)`, mode 0 within mode 1: the innermost position is written first, as CuTe prints it.
//!
//! A coordinate stride may be a sum, `(2@0+3@1)`: a step then moves along several components, as on a diagonal. Its
//! terms are packed into the place of one stride, so that the size of a layout and the arithmetic of all other strides
//! stay as they are: the numerator holds the counts, as signed fields of 64 / n bits for n terms, and the unit and the
//! denominator hold the basis elements, 60 / n bits each. Terms of 0 are dropped and the others stand in the order of
//! coordinates, so a sum has one form and is compared like any stride. All other code sees terms, each a multiple of
//! one unit ([`Stride::term`], [`Stride::coefficient`]), and none computes with the packed numbers.

use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::int;
use crate::list::{List, sort_by};
use crate::tuple::{HTuple, Profile};

/// The most levels that a basis element may address.
pub const MAX_BASIS_DEPTH: usize = 6;

/// The largest index in a basis element.
pub const MAX_BASIS_INDEX: usize = 31;

/// The most terms in a stride, which are integers of 32, 21, 16 and 12 bits if there are 2, 3, 4 and 5 of them.
pub const MAX_TERMS: usize = 5;

const INDEX_BITS: u32 = 5;

/// The bits for the basis elements of a sum.
const PATH_BITS: u32 = 60;

pub(crate) const TOO_DEEP: Error =
    Error::Capacity { what: "levels in a basis element", limit: MAX_BASIS_DEPTH };

/// The unit of a stride: 1, a coordinate basis element `E(path)`, or the XOR unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Unit(u32);

impl Unit {
    /// The integer 1, which is also the basis element of the empty path.
    pub const ONE: Unit = Unit(1);
    /// The XOR unit: multiples are carry-less products, sums are XORs.
    pub const XOR: Unit = Unit(1 << 31);
    /// Stands for the unit of a stride that is a sum; see [`Stride::term`].
    pub const SUM: Unit = Unit(u32::MAX);

    /// The basis element `E(path)`, the outermost index first: `basis(&[1, 0])` is written `1@0@1`.
    ///
    /// ```
    /// use tilework::{Rational, Stride, Unit};
    /// let unit = Unit::basis(&[1, 0])?;
    /// assert_eq!(Stride::new(Rational::integer(1), unit)?.to_string(), "1@0@1");
    /// assert!(Unit::basis(&[32]).is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Capacity`] beyond [`MAX_BASIS_DEPTH`] levels or [`MAX_BASIS_INDEX`].
    pub const fn basis(path: &[usize]) -> Result<Unit, Error> {
        if path.len() > MAX_BASIS_DEPTH {
            return Err(TOO_DEEP);
        }
        // A leading 1 marks the length; the outermost index is in the highest bits.
        let (mut code, mut i) = (1, 0);
        while i < path.len() {
            if path[i] > MAX_BASIS_INDEX {
                return Err(Error::Capacity { what: "as index in a basis element", limit: MAX_BASIS_INDEX });
            }
            code = code << INDEX_BITS | path[i] as u32;
            i += 1;
        }
        Ok(Unit(code))
    }

    /// The number of levels of a basis element; 0 for the others.
    ///
    /// ```
    /// use tilework::Unit;
    /// assert_eq!((Unit::basis(&[1, 0])?.depth(), Unit::ONE.depth(), Unit::XOR.depth()), (2, 0, 0));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn depth(self) -> usize {
        if self.0 >= Unit::XOR.0 { 0 } else { ((31 - self.0.leading_zeros()) / INDEX_BITS) as usize }
    }

    /// The path of a basis element, the outermost index first, and its length.
    ///
    /// ```
    /// use tilework::Unit;
    /// let (path, depth) = Unit::basis(&[1, 0])?.path();
    /// assert_eq!(path[..depth], [1, 0]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn path(self) -> ([usize; MAX_BASIS_DEPTH], usize) {
        let mut path = [0; MAX_BASIS_DEPTH];
        let mut level = 0;
        while level < self.depth() {
            path[level] = self.index(level);
            level += 1;
        }
        (path, level)
    }

    /// Index `level` of the path, which is below the depth.
    #[doc(hidden)]
    #[must_use]
    pub const fn index(self, level: usize) -> usize {
        let shift = INDEX_BITS * (self.depth() - 1 - level) as u32;
        ((self.0 >> shift) & ((1 << INDEX_BITS) - 1)) as usize
    }

    /// Whether this is the XOR unit.
    ///
    /// ```
    /// use tilework::Unit;
    /// assert!(Unit::XOR.is_xor() && !Unit::ONE.is_xor());
    /// ```
    #[must_use]
    pub const fn is_xor(self) -> bool {
        self.0 == Unit::XOR.0
    }

    /// Whether this is a basis element.
    pub(crate) const fn is_basis(self) -> bool {
        !self.is_one() && self.0 < Unit::XOR.0
    }

    /// Whether this is 1.
    ///
    /// ```
    /// use tilework::Unit;
    /// assert!(Unit::ONE.is_one() && !Unit::basis(&[0])?.is_one());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn is_one(self) -> bool {
        self.0 == Unit::ONE.0
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn same(self, other: Unit) -> bool {
        self.0 == other.0
    }

    /// Whether this basis element precedes the other in the order of coordinates.
    #[doc(hidden)]
    #[must_use]
    pub const fn precedes(self, other: Unit) -> bool {
        let mut level = 0;
        while level < self.depth() && level < other.depth() {
            if self.index(level) != other.index(level) {
                return self.index(level) < other.index(level);
            }
            level += 1;
        }
        self.depth() < other.depth()
    }

    /// Whether the path of this basis element begins with the other's, or equals it.
    pub(crate) const fn is_within(self, outer: Unit) -> bool {
        let (depth, outer_depth) = (self.depth(), outer.depth());
        depth >= outer_depth && self.0 >> (INDEX_BITS * (depth - outer_depth) as u32) == outer.0
    }
}

/// The components of coordinates of a profile: its nodes, and the basis elements that address its leaves.
pub(crate) struct Components<'a> {
    profile: &'a Profile,
    node: usize,
    /// The index and the rank at each level.
    path: [usize; MAX_BASIS_DEPTH],
    ranks: [usize; MAX_BASIS_DEPTH],
    depth: usize,
}

pub(crate) enum Component {
    /// The start of a tuple of this rank.
    Tuple(usize),
    Leaf(Unit),
}

impl<'a> Components<'a> {
    pub(crate) const fn new(profile: &'a Profile) -> Components<'a> {
        Components { profile, node: 0, path: [0; MAX_BASIS_DEPTH], ranks: [0; MAX_BASIS_DEPTH], depth: 0 }
    }

    /// The next node; an error if no basis element addresses it.
    pub(crate) const fn next(&mut self) -> Result<Option<Component>, Error> {
        if self.node == self.profile.len() {
            return Ok(None);
        }
        let component = if self.profile.is_leaf(self.node) {
            Component::Leaf(tri!(Unit::basis(self.path.split_at(self.depth).0)))
        } else if self.depth == MAX_BASIS_DEPTH {
            return Err(TOO_DEEP);
        } else {
            (self.path[self.depth], self.ranks[self.depth]) = (0, self.profile.rank(self.node));
            self.depth += 1;
            Component::Tuple(self.profile.rank(self.node))
        };
        self.node += 1;
        let mut passed = matches!(component, Component::Leaf(_) | Component::Tuple(0));
        while passed && self.depth > 0 {
            let level = self.depth - 1;
            // An empty tuple has no modes; it counts as a mode of the tuple around it.
            if self.ranks[level] > 0 {
                self.path[level] += 1;
            }
            passed = self.path[level] == self.ranks[level];
            self.depth -= passed as usize;
        }
        Ok(Some(component))
    }

    /// The basis element of the next leaf; the tuples around it are opened in `out`.
    pub(crate) const fn next_leaf<T: Copy>(&mut self, out: &mut HTuple<T>) -> Result<Option<Unit>, Error> {
        while let Some(component) = tri!(self.next()) {
            match component {
                Component::Tuple(rank) => tri!(out.open(rank)),
                Component::Leaf(unit) => return Ok(Some(unit)),
            }
        }
        Ok(None)
    }
}

/// A number `numerator / denominator` in lowest terms with a positive denominator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rational {
    numerator: i64,
    denominator: u32,
}

impl Rational {
    /// 0.
    pub const ZERO: Rational = Rational::integer(0);

    /// The integer `value`.
    ///
    /// ```
    /// use tilework::Rational;
    /// assert_eq!(Rational::integer(3).to_string(), "3");
    /// ```
    #[must_use]
    pub const fn integer(value: i64) -> Rational {
        Rational { numerator: value, denominator: 1 }
    }

    /// `numerator / denominator`, reduced.
    ///
    /// ```
    /// use tilework::Rational;
    /// assert_eq!(Rational::new(6, -4)?.to_string(), "-3/2");
    /// assert!(Rational::new(1, 0).is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] for a denominator of 0, and for a numerator or denominator that does not fit in lowest terms.
    pub const fn new(numerator: i64, denominator: i64) -> Result<Rational, Error> {
        if denominator == 0 {
            return Err(Error::Argument {
                operation: "a fraction",
                expected: "a denominator other than 0",
                found: 0,
            });
        }
        Rational::reduce(numerator as i128, denominator as i128)
    }

    const fn reduce(numerator: i128, denominator: i128) -> Result<Rational, Error> {
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs()) as i128;
        let divisor = if denominator < 0 { -divisor } else { divisor };
        let (n, d) = (numerator / divisor, denominator / divisor);
        if n < i64::MIN as i128 || n > i64::MAX as i128 || d > u32::MAX as i128 {
            const EXPECTED: &str = "a numerator of 64 and a denominator of 32 bits in lowest terms";
            let found = if d > i64::MAX as i128 { i64::MAX } else { d as i64 };
            return Err(Error::Argument { operation: "a fraction", expected: EXPECTED, found });
        }
        Ok(Rational { numerator: n as i64, denominator: d as u32 })
    }

    /// The numerator in lowest terms.
    ///
    /// ```
    /// use tilework::Rational;
    /// assert_eq!(Rational::new(6, 4)?.numerator(), 3);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn numerator(self) -> i64 {
        self.numerator
    }

    /// The denominator in lowest terms, positive.
    ///
    /// ```
    /// use tilework::Rational;
    /// assert_eq!(Rational::new(6, 4)?.denominator(), 2);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn denominator(self) -> i64 {
        self.denominator as i64
    }

    /// Whether this is an integer.
    ///
    /// ```
    /// use tilework::Rational;
    /// assert!(Rational::new(6, 3)?.is_integer() && !Rational::new(6, 4)?.is_integer());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn is_integer(self) -> bool {
        self.denominator == 1
    }

    /// The sum.
    ///
    /// ```
    /// use tilework::Rational;
    /// assert_eq!(Rational::new(1, 2)?.add(Rational::new(1, 3)?)?, Rational::new(5, 6)?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Overflow`].
    pub const fn add(self, other: Rational) -> Result<Rational, Error> {
        if self.denominator == 1 && other.denominator == 1 {
            return Ok(Rational::integer(tri!(int::add(self.numerator, other.numerator))));
        }
        let (d, e) = (self.denominator as i128, other.denominator as i128);
        Rational::reduce(self.numerator as i128 * e + other.numerator as i128 * d, d * e)
    }

    /// `count` times this.
    ///
    /// ```
    /// use tilework::Rational;
    /// assert_eq!(Rational::new(1, 2)?.scale(4)?, Rational::integer(2));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Overflow`].
    pub const fn scale(self, count: i64) -> Result<Rational, Error> {
        if self.denominator == 1 {
            return Ok(Rational::integer(tri!(int::mul(self.numerator, count))));
        }
        Rational::reduce(self.numerator as i128 * count as i128, self.denominator as i128)
    }
}

impl From<i64> for Rational {
    fn from(value: i64) -> Rational {
        Rational::integer(value)
    }
}

/// [`int::gcd`] in 128 bits.
const fn gcd(left: u128, right: u128) -> u128 {
    let (mut a, mut b) = (left, right);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Codomain {
    /// The sum of two offsets that are integers: their XOR for XOR strides.
    pub(crate) const fn sum(self, left: i64, right: i64) -> Result<i64, Error> {
        if self.same(Codomain::Xor) { Ok(left ^ right) } else { int::add(left, right) }
    }

    /// The codomain that contains both; an error names `other` first.
    pub(crate) const fn join(self, other: Codomain) -> Result<Codomain, Error> {
        match (self, other) {
            (Codomain::Integer, Codomain::Rational) | (Codomain::Rational, Codomain::Integer) => {
                Ok(Codomain::Rational)
            }
            _ if self.same(other) => Ok(self),
            _ => Err(Error::MixedCodomain { left: other, right: self }),
        }
    }
}

/// Runs a block for each [term](Stride::term) of a stride; a stride that is no sum pays for no loop.
macro_rules! each_term {
    ($stride:expr, |$term:ident| $block:block) => {{
        let (stride, mut k) = ($stride, 0);
        while let Some($term) = stride.term(k) {
            $block
            if !stride.is_sum() {
                break;
            }
            k += 1;
        }
    }};
}
pub(crate) use each_term;

/// A rational multiple of a [`Unit`], or a sum of integer multiples of basis elements. The stride 0 belongs to every codomain.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stride {
    numerator: i64,
    denominator: u32,
    unit: Unit,
}

impl Stride {
    /// 0, in every codomain.
    pub const ZERO: Stride = Stride::integer(0);

    /// The filler of unused places: all bits 0, which is fast to write.
    pub(crate) const UNUSED: Stride = Stride { numerator: 0, denominator: 0, unit: Unit(0) };

    /// An integer stride.
    ///
    /// ```
    /// use tilework::Stride;
    /// assert_eq!(Stride::integer(-3).to_string(), "-3");
    /// ```
    #[must_use]
    pub const fn integer(value: i64) -> Stride {
        Stride { numerator: value, denominator: 1, unit: Unit::ONE }
    }

    /// `count` times `unit`.
    ///
    /// ```
    /// use tilework::{Rational, Stride, Unit};
    /// let half = Stride::new(Rational::new(1, 2)?, Unit::ONE)?;
    /// assert_eq!((half.to_string(), Stride::new(Rational::integer(9), Unit::XOR)?.to_string()), ("1/2".into(), "^9".into()));
    /// assert!(Stride::new(Rational::integer(-1), Unit::XOR).is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] for a negative XOR stride, [`Error::NotIntegral`] for a fractional multiple of the XOR unit,
    /// [`Error::SeveralComponents`] for [`Unit::SUM`].
    pub const fn new(count: Rational, unit: Unit) -> Result<Stride, Error> {
        if count.numerator == 0 {
            return Ok(Stride::ZERO);
        }
        if unit.same(Unit::SUM) {
            return Err(Error::SeveralComponents { operation: "a multiple of a unit", leaf: 0 });
        }
        if unit.is_xor() && !count.is_integer() {
            let (numerator, denominator) = (count.numerator, count.denominator());
            return Err(Error::NotIntegral { operation: "an XOR stride", numerator, denominator });
        }
        if unit.is_xor() && count.numerator < 0 {
            return Err(Error::Argument {
                operation: "an XOR stride",
                expected: "0 or more",
                found: count.numerator,
            });
        }
        Ok(Stride { numerator: count.numerator, denominator: count.denominator, unit })
    }

    /// `count` times `unit`, for a component of a sum: a 0 keeps its unit.
    pub(crate) const fn of_unit(count: Rational, unit: Unit) -> Stride {
        Stride { numerator: count.numerator, denominator: count.denominator, unit }
    }

    /// The XOR stride `^value`.
    ///
    /// ```
    /// use tilework::Stride;
    /// assert_eq!(Stride::xor(9)?.to_string(), "^9");
    /// assert!(Stride::xor(-1).is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] below 0.
    pub const fn xor(value: i64) -> Result<Stride, Error> {
        Stride::new(Rational::integer(value), Unit::XOR)
    }

    /// `count` times `E(path)`, the outermost index first.
    ///
    /// ```
    /// use tilework::Stride;
    /// assert_eq!(Stride::basis(2, &[1, 0])?.to_string(), "2@0@1");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Capacity`] beyond [`MAX_BASIS_DEPTH`] levels or [`MAX_BASIS_INDEX`].
    pub const fn basis(count: i64, path: &[usize]) -> Result<Stride, Error> {
        Stride::new(Rational::integer(count), tri!(Unit::basis(path)))
    }

    /// Whether this is the sum of several terms.
    ///
    /// ```
    /// use tilework::{Stride, layout};
    /// assert!(layout!(4:(2@0+3@1)).leaves()[0].stride.is_sum() && !Stride::basis(2, &[0])?.is_sum());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[inline]
    #[must_use]
    pub const fn is_sum(self) -> bool {
        self.unit.0 > Unit::XOR.0
    }

    /// Term `k` of the sum, in the order of coordinates: a multiple of one unit that is not 0. A stride that is no sum
    /// is its own term, and 0 has none.
    ///
    /// ```
    /// use tilework::{Stride, layout};
    /// let sum = layout!(4:(2@0+3@1)).leaves()[0].stride;
    /// assert_eq!((sum.term(0), sum.term(1)), (Some(Stride::basis(2, &[0])?), Some(Stride::basis(3, &[1])?)));
    /// assert_eq!((sum.term(2), Stride::integer(8).term(0)), (None, Some(Stride::integer(8))));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[inline]
    #[must_use]
    pub const fn term(self, k: usize) -> Option<Stride> {
        if self.is_sum() {
            self.term_of_sum(k as u32)
        } else if k == 0 && !self.is_zero() {
            Some(self)
        } else {
            None
        }
    }

    /// The [terms](Self::term) of the sum.
    ///
    /// ```
    /// use tilework::layout;
    /// let sum = layout!(4:(2@0+3@1)).leaves()[0].stride;
    /// assert_eq!(sum.terms().map(|term| term.to_string()).collect::<Vec<_>>(), ["2@0", "3@1"]);
    /// ```
    pub fn terms(self) -> impl Iterator<Item = Stride> {
        (0..).map_while(move |k| self.term(k))
    }

    /// [`term`](Self::term), or 0.
    pub(crate) const fn term_or_zero(self, k: usize) -> Stride {
        match self.term(k) {
            Some(term) => term,
            None => Stride::ZERO,
        }
    }

    #[cold]
    const fn term_of_sum(self, k: u32) -> Option<Stride> {
        let code = (self.unit.0 as u64) << 32 | self.denominator as u64;
        let terms = (code >> PATH_BITS) as u32 & 7;
        if k >= terms {
            return None;
        }
        let (bits, width) = (64 / terms, PATH_BITS / terms);
        let count = self.numerator << (64 - bits * (k + 1)) >> (64 - bits);
        let unit = code >> (width * k) & ((1 << width) - 1);
        Some(Stride { numerator: count, denominator: 1, unit: Unit(unit as u32) })
    }

    /// The sum of up to five terms that are not 0 and have different units.
    const fn sum_of(terms: &mut [Stride]) -> Result<Stride, Error> {
        let count = terms.len() as u32;
        let (bits, width) = (64 / count, PATH_BITS / count);
        sort_by!(&mut *terms, |left, right| left.unit.precedes(right.unit));
        let mut k = 1;
        while k < terms.len() {
            if let (Some(left), Some(right)) = (terms[0].codomain(), terms[k].codomain())
                && !left.same(right)
            {
                return Err(Error::MixedCodomain { left, right });
            }
            k += 1;
        }
        let (mut numerator, mut code, mut k) = (0u64, (8 | count as u64) << PATH_BITS, 0);
        while k < terms.len() {
            let Stride { numerator: own, denominator, unit } = terms[k];
            // In the order of coordinates a mode stands directly before the parts of it.
            if k > 0 && unit.is_within(terms[k - 1].unit) {
                return Err(Error::NestedBasis);
            }
            if denominator != 1 {
                let (operation, denominator) = ("a stride with several components", denominator as i64);
                return Err(Error::NotIntegral { operation, numerator: own, denominator });
            }
            if unit.0 as u64 >> width != 0 {
                let limit = ((width - 1) / INDEX_BITS) as usize;
                return Err(Error::Capacity { what: "levels in a basis element of this sum", limit });
            }
            if own << (64 - bits) >> (64 - bits) != own {
                return Err(Error::Argument {
                    operation: "a stride with several components",
                    expected: "integers of 32, 21, 16 or 12 bits if there are 2, 3, 4 or 5",
                    found: own,
                });
            }
            numerator |= (own as u64 & (u64::MAX >> (64 - bits))) << (bits * k as u32);
            code |= (unit.0 as u64) << (width * k as u32);
            k += 1;
        }
        let (unit, denominator) = (Unit((code >> 32) as u32), code as u32);
        Ok(Stride { numerator: numerator as i64, denominator, unit })
    }

    /// The sum of multiples of units, which may repeat and cancel.
    pub(crate) const fn of_terms(terms: &[Stride]) -> Result<Stride, Error> {
        let mut sum = List::<Stride, MAX_TERMS>::new(Stride::ZERO);
        let mut i = 0;
        while i < terms.len() {
            let unit = terms[i].unit;
            let (mut count, mut first, mut k) = (Rational::ZERO, true, 0);
            while k < terms.len() {
                if terms[k].unit.same(unit) {
                    first &= k >= i;
                    count = tri!(count.add(terms[k].count()));
                }
                k += 1;
            }
            if first && count.numerator != 0 {
                tri!(sum.push(Stride::of_unit(count, unit), "components in a stride"));
            }
            i += 1;
        }
        match sum.as_slice() {
            [] => Ok(Stride::ZERO),
            [one] => Stride::new(one.count(), one.unit),
            _ => Stride::sum_of(sum.as_mut_slice()),
        }
    }

    /// The multiple of `unit` in this stride, 0 if it has none.
    ///
    /// ```
    /// use tilework::{Rational, Unit, layout};
    /// let sum = layout!(4:(2@0+3@1)).leaves()[0].stride;
    /// assert_eq!(sum.coefficient(Unit::basis(&[1])?), Rational::integer(3));
    /// assert_eq!(sum.coefficient(Unit::basis(&[2])?), Rational::ZERO);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[inline]
    #[must_use]
    pub const fn coefficient(self, unit: Unit) -> Rational {
        if self.is_along(unit) {
            return Rational { numerator: self.numerator, denominator: self.denominator };
        }
        if self.is_sum() {
            each_term!(self, |term| {
                if term.is_along(unit) {
                    return term.count();
                }
            });
        }
        Rational::ZERO
    }

    /// Whether this is a multiple of `unit`; 0 is one of 1.
    pub(crate) const fn is_along(self, unit: Unit) -> bool {
        self.unit.same(unit)
    }

    /// Whether a basis element of this stride addresses a part of the mode that one of the other stride addresses.
    pub(crate) const fn is_nested_in(self, outer: Stride) -> bool {
        let mut i = 0;
        while let Some(own) = self.term(i) {
            let mut k = 0;
            while let Some(other) = outer.term(k) {
                if !own.unit.same(other.unit) && own.unit.is_within(other.unit) {
                    return true;
                }
                k += 1;
            }
            i += 1;
        }
        false
    }

    /// The number of units; 1 for a sum.
    ///
    /// ```
    /// use tilework::{Rational, Stride};
    /// assert_eq!(Stride::basis(2, &[1])?.count(), Rational::integer(2));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn count(self) -> Rational {
        if self.is_sum() {
            return Rational::integer(1);
        }
        Rational { numerator: self.numerator, denominator: self.denominator }
    }

    /// The number of units of a stride that is no sum, as `operation` takes it for leaf `leaf`.
    ///
    /// # Errors
    /// [`Error::SeveralComponents`].
    #[doc(hidden)]
    pub const fn one_count(self, operation: &'static str, leaf: usize) -> Result<Rational, Error> {
        if self.is_sum() { Err(Error::SeveralComponents { operation, leaf }) } else { Ok(self.count()) }
    }

    /// The unit; [`Unit::SUM`] for a sum, whose units are those of its terms.
    ///
    /// ```
    /// use tilework::{Stride, Unit};
    /// assert_eq!((Stride::xor(9)?.unit(), Stride::integer(8).unit()), (Unit::XOR, Unit::ONE));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn unit(self) -> Unit {
        if self.is_sum() { Unit::SUM } else { self.unit }
    }

    /// Whether this is 0.
    ///
    /// ```
    /// use tilework::Stride;
    /// assert!(Stride::ZERO.is_zero() && Stride::xor(0)?.is_zero() && !Stride::xor(9)?.is_zero());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.numerator == 0
    }

    /// The integer value, if this is an integer.
    ///
    /// ```
    /// use tilework::Stride;
    /// assert_eq!((Stride::integer(8).as_integer(), Stride::xor(8)?.as_integer()), (Some(8), None));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn as_integer(self) -> Option<i64> {
        if self.is_plain() { Some(self.numerator) } else { None }
    }

    /// Whether this is an integer.
    pub(crate) const fn is_plain(self) -> bool {
        self.denominator == 1 && self.unit.is_one()
    }

    /// The numerator: the stride itself if [`is_plain`](Self::is_plain).
    pub(crate) const fn numerator(self) -> i64 {
        self.numerator
    }

    pub(crate) const fn denominator(self) -> i64 {
        self.denominator as i64
    }

    /// The codomain; `None` for 0, which is in every codomain.
    ///
    /// ```
    /// use tilework::{Codomain, Stride};
    /// assert_eq!(Stride::basis(2, &[1])?.codomain(), Some(Codomain::Coordinate));
    /// assert_eq!(Stride::ZERO.codomain(), None);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn codomain(self) -> Option<Codomain> {
        if self.is_zero() {
            None
        } else if self.unit.is_xor() {
            Some(Codomain::Xor)
        } else if !self.unit.is_one() {
            Some(Codomain::Coordinate)
        } else if self.denominator != 1 {
            Some(Codomain::Rational)
        } else {
            Some(Codomain::Integer)
        }
    }

    pub(crate) const fn same(self, other: Stride) -> bool {
        self.numerator == other.numerator
            && self.denominator == other.denominator
            && self.unit.same(other.unit)
    }

    /// `count` times this; for an XOR stride the carry-less product.
    ///
    /// ```
    /// use tilework::Stride;
    /// assert_eq!(Stride::integer(3).scale(3)?, Stride::integer(9));
    /// assert_eq!(Stride::xor(3)?.scale(3)?, Stride::xor(5)?); // 3 ^ 3 << 1
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Overflow`]; those of [`add`](Self::add) for a sum whose terms become too large.
    pub const fn scale(self, count: i64) -> Result<Stride, Error> {
        if self.unit.0 >= Unit::XOR.0 {
            return self.scale_xor_or_sum(count);
        }
        Stride::new(tri!(self.count().scale(count)), self.unit)
    }

    #[cold]
    const fn scale_xor_or_sum(self, count: i64) -> Result<Stride, Error> {
        if self.is_sum() {
            let (mut terms, mut k) = ([Stride::ZERO; MAX_TERMS], 0);
            while k < MAX_TERMS {
                terms[k] = tri!(self.term_or_zero(k).scale(count));
                k += 1;
            }
            return Stride::of_terms(&terms);
        }
        Stride::xor(tri!(int::carryless_mul(count, self.numerator)))
    }

    /// The sum; for XOR strides the XOR.
    ///
    /// ```
    /// use tilework::Stride;
    /// let (rows, columns) = (Stride::basis(2, &[0])?, Stride::basis(3, &[1])?);
    /// assert_eq!(columns.add(columns)?.to_string(), "6@1");
    /// assert_eq!(rows.add(columns)?.to_string(), "(2@0+3@1)");
    /// assert_eq!(Stride::xor(3)?.add(Stride::xor(5)?)?, Stride::xor(6)?);
    /// assert!(Stride::integer(1).add(Stride::xor(1)?).is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MixedCodomain`] and [`Error::NestedBasis`] for strides of no common codomain; for a sum of several
    /// components [`Error::Capacity`] beyond [`MAX_TERMS`] of them, and [`Error::NotIntegral`] and [`Error::Argument`]
    /// for a component that does not fit. [`Error::Overflow`].
    pub const fn add(self, other: Stride) -> Result<Stride, Error> {
        if self.is_zero() {
            return Ok(other);
        }
        if other.is_zero() {
            return Ok(self);
        }
        if self.is_sum() || !self.unit.same(other.unit) {
            let (mut terms, mut k) = ([Stride::ZERO; 2 * MAX_TERMS], 0);
            while k < MAX_TERMS {
                terms[2 * k] = self.term_or_zero(k);
                terms[2 * k + 1] = other.term_or_zero(k);
                k += 1;
            }
            return Stride::of_terms(&terms);
        }
        if self.unit.is_xor() {
            return Stride::xor(self.numerator ^ other.numerator);
        }
        Stride::new(tri!(self.count().add(other.count())), self.unit)
    }
}

impl From<i64> for Stride {
    fn from(value: i64) -> Stride {
        Stride::integer(value)
    }
}

/// A sum of multiples of strides with one unit, in 128 bits: intermediate values beyond 64 bits may cancel.
#[derive(Clone, Copy)]
pub(crate) struct Sum {
    numerator: i128,
    denominator: i128,
    /// Nothing exceeded 128 bits.
    fits: bool,
}

impl Sum {
    pub const ZERO: Sum = Sum { numerator: 0, denominator: 1, fits: true };

    /// Adds `count` times `stride`.
    pub const fn add(self, stride: Stride, count: i64) -> Sum {
        if stride.unit.is_xor() {
            if count < 0 {
                return Sum { fits: false, ..self };
            }
            let numerator = self.numerator ^ int::carryless_product(count, stride.numerator);
            return Sum { numerator, ..self };
        }
        // With the common denominator.
        let divisor = gcd(self.denominator as u128, stride.denominator as u128) as i128;
        let (own, other) = (stride.denominator as i128 / divisor, self.denominator / divisor);
        if let Some(left) = self.numerator.checked_mul(own)
            && let Some(right) = (stride.numerator as i128 * count as i128).checked_mul(other)
            && let Some(numerator) = left.checked_add(right)
            && let Some(denominator) = self.denominator.checked_mul(own)
        {
            return Sum { numerator, denominator, fits: self.fits };
        }
        Sum { fits: false, ..self }
    }

    /// The sum, if it fits 64 bits.
    pub const fn rational(self) -> Option<Rational> {
        match Rational::reduce(self.numerator, self.denominator) {
            Ok(sum) if self.fits => Some(sum),
            _ => None,
        }
    }
}

/// A hierarchical tuple of strides.
pub type Strides = HTuple<Stride>;
