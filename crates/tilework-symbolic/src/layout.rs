//! Symbolic layouts, and basic questions about them.

use crate::declarations::Declarations;
use crate::number::Number;
use crate::scope::Scope;
use crate::tuple::Tuple;
use alloc::sync::Arc;
use alloc::vec::Vec;
use tilework::{Codomain, Error, HTuple, Layout, Leaf, Profile, Rational, Stride, Unit};

/// One symbolic extent with its stride, a multiple of a unit or a sum of multiples of basis elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolicLeaf {
    /// The number of steps.
    pub extent: Number,
    /// The distance of a step, in units; of a sum the distance along its first component.
    pub stride: Number,
    /// The unit of the stride: 1, a basis element, or, only for numbers, the XOR unit.
    pub unit: Unit,
    /// The other terms of a sum, in the order of coordinates.
    pub rest: Vec<(Number, Unit)>,
}

impl SymbolicLeaf {
    /// With a stride that is a multiple of 1.
    ///
    /// ```
    /// use tilework::Unit;
    /// use tilework_symbolic::SymbolicLeaf;
    /// assert_eq!(SymbolicLeaf::new(4, 1).unit, Unit::ONE);
    /// ```
    #[must_use]
    pub fn new(extent: impl Into<Number>, stride: impl Into<Number>) -> SymbolicLeaf {
        SymbolicLeaf { extent: extent.into(), stride: stride.into(), unit: Unit::ONE, rest: Vec::new() }
    }

    /// With a stride that is the sum of these multiples of basis elements; equal units are added, and 0 is dropped.
    ///
    /// ```
    /// use tilework::Unit;
    /// use tilework_symbolic::{Scope, SymbolicLeaf, Tuple};
    /// let mut scope = Scope::new();
    /// let (first, second) = (Unit::basis(&[0])?, Unit::basis(&[1])?);
    /// let skewed = SymbolicLeaf::sum(4, [(scope.declare("ld")?, second), (1.into(), first)])?;
    /// assert_eq!(scope.layout_of(Tuple::leaf(skewed))?.to_string(), "4:(1@0+ld@1)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Number::add`].
    pub fn sum(
        extent: impl Into<Number>,
        terms: impl IntoIterator<Item = (Number, Unit)>,
    ) -> Result<SymbolicLeaf, Error> {
        let mut sum: Vec<(Number, Unit)> = Vec::new();
        for (count, unit) in terms {
            match sum.iter_mut().find(|(_, known)| *known == unit) {
                Some((known, _)) => *known = known.add(&count)?,
                None => {
                    let place = sum.iter().position(|(_, known)| unit.precedes(*known));
                    sum.insert(place.unwrap_or(sum.len()), (count, unit));
                }
            }
        }
        sum.retain(|(count, _)| !count.is_zero());
        let mut sum = sum.into_iter();
        let (stride, unit) = sum.next().unwrap_or((Number::zero(), Unit::ONE));
        Ok(SymbolicLeaf { extent: extent.into(), stride, unit, rest: sum.collect() })
    }

    /// The terms of the stride: one, unless it is a sum.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let layout = Scope::new().layout("(M,4):((1@0+ld@1),1@0)")?;
    /// assert_eq!(layout.leaves().iter().map(|leaf| leaf.terms().count()).collect::<Vec<_>>(), [2, 1]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    pub fn terms(&self) -> impl Iterator<Item = (&Number, Unit)> + Clone {
        core::iter::once((&self.stride, self.unit))
            .chain(self.rest.iter().map(|(count, unit)| (count, *unit)))
    }

    /// The extent and each multiple of its stride.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let layout = Scope::new().layout("M:(1@0+ld@1)")?;
    /// assert_eq!(layout.declared().names_in(layout.leaves()[0].numbers()).collect::<Vec<_>>(), ["M", "ld"]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    pub fn numbers(&self) -> impl Iterator<Item = &Number> + Clone {
        core::iter::once(&self.extent).chain(self.terms().map(|(count, _)| count))
    }

    /// The multiple of a unit in the stride.
    pub(crate) fn coefficient(&self, unit: Unit) -> Number {
        self.terms().find(|(_, own)| *own == unit).map_or(Number::zero(), |(count, _)| count.clone())
    }

    /// With a stride of numbers.
    ///
    /// ```
    /// use tilework::Stride;
    /// use tilework_symbolic::SymbolicLeaf;
    /// assert_eq!(SymbolicLeaf::constant(4, Stride::integer(8))?, SymbolicLeaf::new(4, 8));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Overflow`] for a fraction of more than 64 bits.
    pub fn constant(extent: impl Into<Number>, stride: Stride) -> Result<SymbolicLeaf, Error> {
        let mut terms = Vec::new();
        while let Some(term) = stride.term(terms.len()) {
            terms.push((Number::constant(term.count())?, term.unit()));
        }
        SymbolicLeaf::sum(extent, terms)
    }
}

/// A layout whose extents and strides are numbers of a [`Scope`].
///
/// For all values that the facts of the scope admit, and for which the guard of its answer holds, its extents are
/// integers of at least 1. It owns its numbers, and keeps the names and quotients in them.
///
/// ```
/// use tilework_symbolic::{Scope, SymbolicLayout};
/// let matrix = Scope::new().layout("(M,K):(1,ld)")?;
/// assert_eq!((matrix.rank(), matrix.to_string().as_str()), (2, "(M,K):(1,ld)"));
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone)]
pub struct SymbolicLayout {
    tuple: Tuple<SymbolicLeaf>,
    declared: Arc<Declarations>,
}

impl core::fmt::Debug for SymbolicLayout {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Display::fmt(self, f)
    }
}

impl PartialEq for SymbolicLayout {
    fn eq(&self, other: &SymbolicLayout) -> bool {
        self.tuple == other.tuple && self.declared.agrees(&other.declared, self.numbers())
    }
}

impl Eq for SymbolicLayout {}

impl SymbolicLayout {
    /// The leaves from left to right.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let matrix = scope.layout("(M,K):(1,ld)")?;
    /// assert_eq!(matrix.leaves()[1].stride, scope.declare("ld")?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn leaves(&self) -> &[SymbolicLeaf] {
        self.tuple.leaves()
    }

    /// All extents and strides.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = &Number> + Clone {
        self.leaves().iter().flat_map(SymbolicLeaf::numbers)
    }

    /// The names and quotients to which its numbers refer.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let matrix = Scope::new().layout("(M,K):(1,ld)")?;
    /// assert_eq!(matrix.declared().names().collect::<Vec<_>>(), ["M", "K", "ld"]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn declared(&self) -> &Arc<Declarations> {
        &self.declared
    }

    /// The nesting.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let layout = scope.layout("((M,4),K):((1,M),ld)")?;
    /// assert!(layout.profile() == tilework::layout!(((2,2),2)).profile());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn profile(&self) -> &Profile {
        self.tuple.profile()
    }

    /// The layout as a hierarchical tuple of leaves.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let layout = scope.layout("(M,4,K):(1,M,ld)")?;
    /// // What only moves leaves is done with the tuple.
    /// let grouped = scope.layout_of(layout.as_tuple().moved(|places| places.group(0, 2))?)?;
    /// assert_eq!(grouped.to_string(), "((M,4),K):((1,M),ld)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn as_tuple(&self) -> &Tuple<SymbolicLeaf> {
        &self.tuple
    }

    /// For offsets that are coordinates, the units of their components, in order.
    pub(crate) fn components(&self) -> Vec<Unit> {
        let terms = self.leaves().iter().flat_map(SymbolicLeaf::terms);
        units_of(terms.map(|(_, unit)| unit).filter(|unit| unit.depth() > 0))
    }

    /// The layout of one component of the offsets.
    pub(crate) fn along(&self, unit: Unit) -> SymbolicLayout {
        let leaf = |leaf: &SymbolicLeaf| SymbolicLeaf::new(leaf.extent.clone(), leaf.coefficient(unit));
        SymbolicLayout { tuple: self.tuple.map(leaf), declared: self.declared.clone() }
    }

    /// Whether all strides are multiples of 1.
    pub(crate) fn is_integral(&self) -> bool {
        is_integral(self.leaves())
    }

    /// The number of modes; 1 if there is no tuple.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let layout = scope.layout("((M,4),K):((1,M),ld)")?;
    /// assert_eq!((layout.rank(), scope.layout("M:1")?.rank()), (2, 1));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn rank(&self) -> usize {
        self.tuple.rank()
    }

    /// The levels of tuples.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let layout = scope.layout("((M,4),K):((1,M),ld)")?;
    /// assert_eq!((layout.depth(), scope.layout("M:1")?.depth()), (2, 0));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn depth(&self) -> usize {
        self.tuple.depth()
    }
}

impl Scope {
    /// A layout from its leaves.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, SymbolicLeaf, Tuple};
    /// let mut scope = Scope::new();
    /// let leaf = SymbolicLeaf::new(scope.declare("M")?, 1);
    /// assert_eq!(scope.layout_of(Tuple::leaf(leaf))?.to_string(), "M:1");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] for an extent that is known to be less than 1, or for numbers of another scope;
    /// [`Error::Codomain`] for XOR strides that are not numbers, [`Error::MixedCodomain`], [`Error::NestedBasis`].
    pub fn layout_of(&self, tuple: Tuple<SymbolicLeaf>) -> Result<SymbolicLayout, Error> {
        let mut units = HTuple::builder_of(tuple.profile(), Leaf::new(1, 0));
        for leaf in tuple.leaves() {
            let extent = &leaf.extent;
            self.check_number(extent)?;
            if self.at_least(extent, 1) == Some(false) {
                return Err(Error::Fact { reason: "an extent has to be 1 or more" });
            }
            // The requirements of `Layout` on units do not depend on the numbers.
            let mut units_of_leaf = Stride::ZERO;
            for (count, unit) in leaf.terms() {
                self.check_number(count)?;
                if unit.is_xor() && !(count.is_constant() && extent.is_constant()) {
                    let (operation, found) = ("a symbolic layout", Codomain::Xor);
                    return Err(Error::Codomain { operation, found });
                }
                let one = Rational::integer(!count.is_zero() as i64);
                units_of_leaf = units_of_leaf.add(Stride::new(one, unit)?)?;
            }
            units.push_value(Leaf { extent: 1, stride: units_of_leaf })?;
        }
        Layout::new(units)?;
        Ok(self.own(tuple))
    }

    /// A layout of numbers as a symbolic layout.
    ///
    /// ```
    /// use tilework::layout;
    /// use tilework_symbolic::Scope;
    /// let tile = Scope::new().constant(&layout!((4,8):(1,4)))?;
    /// assert_eq!(tile.as_constant(), Some(layout!((4,8):(1,4))));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Overflow`] for a fraction of more than 64 bits.
    pub fn constant(&self, layout: &Layout) -> Result<SymbolicLayout, Error> {
        let leaves = layout.leaves().iter().map(|leaf| SymbolicLeaf::constant(leaf.extent, leaf.stride));
        Ok(self.own(Tuple::with_profile(layout.profile(), leaves.collect::<Result<_, _>>()?)?))
    }

    /// A layout of a shape and the strides of leaves, whose extents do not count.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, SymbolicLeaf, Tuple};
    /// let mut scope = Scope::new();
    /// let (shape, stride) = (Tuple::leaf(scope.declare("M")?), Tuple::leaf(SymbolicLeaf::new(1, 2)));
    /// assert_eq!(scope.pair(&shape, &stride)?.to_string(), "M:2");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Profiles`] for different nestings; those of [`layout_of`](Self::layout_of).
    pub fn pair(
        &self,
        shape: &Tuple<Number>,
        strides: &Tuple<SymbolicLeaf>,
    ) -> Result<SymbolicLayout, Error> {
        if !shape.congruent(strides) {
            return Err(shape.profile().not_congruent(strides.profile()));
        }
        let leaves = shape.leaves().iter().zip(strides.leaves());
        let leaves = leaves.map(|(extent, leaf)| SymbolicLeaf { extent: extent.clone(), ..leaf.clone() });
        self.layout_of(Tuple::with_profile(shape.profile(), leaves.collect())?)
    }

    /// The compact layout of a shape, the first mode fastest.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Tuple};
    /// let mut scope = Scope::new();
    /// let shape = Tuple::of(&[Tuple::leaf(scope.declare("M")?), Tuple::leaf(4.into())])?;
    /// assert_eq!(scope.column_major(&shape)?.to_string(), "(M,4):(1,M)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`layout_of`](Self::layout_of) and [`Number::add`].
    pub fn column_major(&self, shape: &Tuple<Number>) -> Result<SymbolicLayout, Error> {
        self.compact(shape, false)
    }

    /// The compact layout of a shape, the last mode fastest.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Tuple};
    /// let mut scope = Scope::new();
    /// let shape = Tuple::of(&[Tuple::leaf(scope.declare("M")?), Tuple::leaf(4.into())])?;
    /// assert_eq!(scope.row_major(&shape)?.to_string(), "(M,4):(4,1)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`layout_of`](Self::layout_of) and [`Number::add`].
    pub fn row_major(&self, shape: &Tuple<Number>) -> Result<SymbolicLayout, Error> {
        self.compact(shape, true)
    }

    fn compact(&self, shape: &Tuple<Number>, backwards: bool) -> Result<SymbolicLayout, Error> {
        let (mut tuple, mut size) = (shape.map(|extent| SymbolicLeaf::new(extent.clone(), 1)), Number::one());
        let mut next = |leaf: &mut SymbolicLeaf| {
            let behind = size.mul(&leaf.extent)?;
            leaf.stride = core::mem::replace(&mut size, behind);
            if leaf.extent.as_integer() == Some(1) {
                leaf.stride = Number::integer(0);
            }
            Ok::<_, Error>(())
        };
        match backwards {
            true => tuple.leaves_mut().iter_mut().rev().try_for_each(&mut next)?,
            false => tuple.leaves_mut().iter_mut().try_for_each(&mut next)?,
        }
        self.layout_of(tuple)
    }

    /// The number of coordinates.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let matrix = scope.layout("(M,(4,K)):(1,(ld,8))")?;
    /// assert_eq!(scope.number_text(&scope.size(&matrix)?), "4*M*K");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Number::add`].
    pub fn size(&self, layout: &SymbolicLayout) -> Result<Number, Error> {
        self.check(layout)?;
        size_of(layout.leaves())
    }

    /// Checks that a layout belongs to this scope.
    pub(crate) fn check(&self, layout: &SymbolicLayout) -> Result<(), Error> {
        match self.agrees(layout.declared(), layout.numbers()) {
            true => Ok(()),
            false => Err(Error::Fact { reason: "a layout of another scope" }),
        }
    }

    /// A tuple of leaves of this scope as a layout of it.
    pub(crate) fn own(&self, tuple: Tuple<SymbolicLeaf>) -> SymbolicLayout {
        SymbolicLayout { tuple, declared: self.declared().clone() }
    }
}

pub(crate) fn size_of(leaves: &[SymbolicLeaf]) -> Result<Number, Error> {
    leaves.iter().try_fold(Number::one(), |size, leaf| size.mul(&leaf.extent))
}

/// Each of some units once, in order.
pub(crate) fn units_of(all: impl Iterator<Item = Unit>) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    for unit in all {
        if !units.contains(&unit) {
            let place = units.iter().position(|known| unit.precedes(*known));
            units.insert(place.unwrap_or(units.len()), unit);
        }
    }
    units
}

/// The units along which leaves move, in order.
///
/// # Errors
/// [`Error::Codomain`] for XOR strides.
pub(crate) fn moving_units<'a>(
    leaves: impl IntoIterator<Item = &'a SymbolicLeaf>,
    operation: &'static str,
) -> Result<Vec<Unit>, Error> {
    let terms = leaves.into_iter().flat_map(SymbolicLeaf::terms);
    let units = units_of(terms.filter(|(count, _)| !count.is_zero()).map(|(_, unit)| unit));
    match units.iter().any(|unit| unit.is_xor()) {
        true => Err(Error::Codomain { operation, found: Codomain::Xor }),
        false => Ok(units),
    }
}

/// Whether all strides are multiples of 1.
pub(crate) fn is_integral(leaves: &[SymbolicLeaf]) -> bool {
    leaves.iter().all(|leaf| leaf.unit.is_one())
}
