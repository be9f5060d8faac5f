//! Numbers of other declarations as numbers of a scope.

use crate::declarations::Declarations;
use crate::guard::{Condition, Guard};
use crate::layout::{SymbolicLayout, SymbolicLeaf};
use crate::number::{Number, Variable};
use crate::scope::Scope;
use crate::tiler::SymbolicTiler;
use alloc::vec::Vec;
use tilework::Error;

/// Turns numbers of other declarations into those of a scope: names are found by their text, or replaced by given
/// integers, and quotients are brought into the normal form that the facts of the scope give.
///
/// ```
/// use tilework_symbolic::Scope;
/// let mut scope = Scope::new();
/// let tiles = scope.layout("(128,ceil(M/128)):(1,128)")?;
/// scope.assume("M % 128 == 0")?;
/// assert_eq!(scope.adopt(tiles.declared()).layout(&tiles)?.to_string(), "(128,M/128):(1,128)");
/// assert_eq!(scope.adopt(tiles.declared()).at(&[("M", 512)]).layout(&tiles)?.to_string(), "(128,4):(1,128)");
/// # Ok::<(), tilework::Error>(())
/// ```
///
/// # Errors
/// Its methods return [`Error::Fact`] for a name that the scope does not have, and for a divisor that may be less than
/// 1; and the errors of [`Number::add`].
pub struct Adopt<'a> {
    scope: &'a mut Scope,
    from: &'a Declarations,
    given: &'a [(&'a str, i64)],
}

impl Scope {
    /// Adopts numbers of other declarations.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let (mut one, mut other) = (Scope::new(), Scope::new());
    /// other.declare("K")?;
    /// other.declare("M")?;
    /// let layout = one.layout("(M,K):(1,M)")?;
    /// assert!(other.size(&layout).is_err());
    /// let layout = other.adopt(one.declared()).layout(&layout)?;
    /// assert_eq!(other.number_text(&other.size(&layout)?), "K*M");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn adopt<'a>(&'a mut self, from: &'a Declarations) -> Adopt<'a> {
        Adopt { scope: self, from, given: &[] }
    }
}

#[allow(clippy::missing_errors_doc)] // At the type.
impl<'a> Adopt<'a> {
    /// With integers in place of these names.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let (mut one, mut other) = (Scope::new(), Scope::new());
    /// let layout = one.layout("M:1")?;
    /// assert_eq!(other.adopt(one.declared()).at(&[("M", 8)]).layout(&layout)?.to_string(), "8:1");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn at(self, given: &'a [(&'a str, i64)]) -> Adopt<'a> {
        Adopt { given, ..self }
    }

    /// A number.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let (mut one, mut other) = (Scope::new(), Scope::new());
    /// other.declare("K")?;
    /// other.declare("M")?;
    /// let layout = one.layout("(M,K):(1,M)")?;
    /// let size = one.size(&layout)?;
    /// let size = other.adopt(one.declared()).number(&size)?;
    /// assert_eq!(other.number_text(&size), "K*M");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    pub fn number(&mut self, number: &Number) -> Result<Number, Error> {
        if number.variables().all(|variable| self.keeps(variable)) {
            return Ok(number.clone());
        }
        let mut sum = Number::zero();
        for term in number.terms() {
            let mut product = Number::integer(term.coefficient);
            for &variable in term.monomial.factors() {
                product = product.mul(&self.variable(variable)?)?;
            }
            sum = sum.add(&product)?;
        }
        sum.scale(1, number.denominator)
    }

    /// Whether a variable is the same name here.
    fn keeps(&self, variable: Variable) -> bool {
        let Some(name) = variable.as_name() else { return false };
        match (self.scope.names.get(name), self.from.names.get(name)) {
            (Some(own), Some(other)) => own == other && !self.given.iter().any(|(name, _)| **own == **name),
            _ => false,
        }
    }

    fn variable(&mut self, variable: Variable) -> Result<Number, Error> {
        const OTHER: Error = Error::Fact { reason: "a number of another scope" };
        if let Some(name) = variable.as_name() {
            let name = self.from.names.get(name).ok_or(OTHER)?;
            return match self.given.iter().find(|(given, _)| **name == **given) {
                Some((_, value)) => Ok(Number::integer(*value)),
                None => self.scope.find(name).ok_or(OTHER),
            };
        }
        let from = self.from;
        let quotient = variable.as_quotient().and_then(|index| from.quotients.get(index)).ok_or(OTHER)?;
        let numerator = self.number(&quotient.numerator)?;
        let denominator = self.number(&quotient.denominator)?;
        self.scope.floor_div(&numerator, &denominator)
    }

    /// A layout.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let (mut one, mut other) = (Scope::new(), Scope::new());
    /// other.declare("K")?;
    /// other.declare("M")?;
    /// let layout = one.layout("(M,K):(1,M)")?;
    /// assert_eq!(other.adopt(one.declared()).layout(&layout)?.to_string(), "(M,K):(1,M)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    pub fn layout(&mut self, layout: &SymbolicLayout) -> Result<SymbolicLayout, Error> {
        let mut tuple = layout.as_tuple().clone();
        self.leaves(tuple.leaves_mut())?;
        self.scope.layout_of(tuple)
    }

    /// The numbers of leaves, in the order in which they are written.
    fn leaves(&mut self, leaves: &mut [SymbolicLeaf]) -> Result<(), Error> {
        for leaf in &mut *leaves {
            leaf.extent = self.number(&leaf.extent)?;
        }
        for leaf in leaves {
            *leaf = self.stride(leaf)?;
        }
        Ok(())
    }

    /// A leaf with the numbers of its stride.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let (mut one, mut other) = (Scope::new(), Scope::new());
    /// let stride = one.strides("(1@0+ld@1)")?.leaves()[0].clone();
    /// let at = other.adopt(one.declared()).at(&[("ld", 8)]).stride(&stride)?;
    /// assert_eq!(other.stride_text(&at), "(1@0+8@1)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    pub fn stride(&mut self, leaf: &SymbolicLeaf) -> Result<SymbolicLeaf, Error> {
        let terms = leaf.terms().map(|(count, unit)| Ok((self.number(count)?, unit)));
        SymbolicLeaf::sum(leaf.extent.clone(), terms.collect::<Result<Vec<_>, Error>>()?)
    }

    /// A tiler.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let (mut one, mut other) = (Scope::new(), Scope::new());
    /// other.declare("K")?;
    /// other.declare("M")?;
    /// let tiler = one.layout("M:1")?.as_tiler();
    /// assert_eq!(other.adopt(one.declared()).tiler(&tiler)?.to_string(), tiler.to_string());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    pub fn tiler(&mut self, tiler: &SymbolicTiler) -> Result<SymbolicTiler, Error> {
        let mut tuple = tiler.layout().as_tuple().clone();
        self.leaves(tuple.leaves_mut())?;
        Ok(tiler.with_layout(self.scope.own(tuple)))
    }

    /// A guard, with all its conditions; see [`Scope::reduced`].
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let (mut one, mut other) = (Scope::new(), Scope::new());
    /// other.declare("K")?;
    /// other.declare("M")?;
    /// let (left, right) = (one.layout("(M,K):(1,8)")?, one.layout("4:1")?);
    /// let answer = one.composition(&left, &right).expect("an answer");
    /// let guard = other.adopt(one.declared()).guard(&answer.guard)?;
    /// assert_eq!(other.declared().guard_text(&guard), one.declared().guard_text(&answer.guard));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    pub fn guard(&mut self, guard: &Guard) -> Result<Guard, Error> {
        guard.try_map(|condition| self.condition(condition))
    }

    fn condition(&mut self, condition: &Condition) -> Result<Condition, Error> {
        Ok(match condition {
            Condition::Nonnegative(p) => Condition::Nonnegative(self.number(p)?),
            Condition::Zero(p) => Condition::Zero(self.number(p)?),
            Condition::Integer(p) => Condition::Integer(self.number(p)?),
            Condition::Divides(divisor, p) => {
                let p = self.number(p)?;
                Condition::Divides(self.number(divisor)?, p)
            }
        })
    }
}
