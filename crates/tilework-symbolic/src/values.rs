//! Values of the names: witnesses, instances, and the values that facts admit.

use crate::declarations::{Declarations, Quotient};
use crate::layout::{SymbolicLayout, SymbolicLeaf};
use crate::number::Number;
use crate::scope::{Facts, Scope};
use alloc::vec::Vec;
use tilework::__private::int;
use tilework::{Error, HTuple, Layout, Leaf, Rational, Stride};

/// A default witness: large, with many divisors; smaller ones if a size would exceed 64 bits. At 0 all names are as
/// small as they can be above 1.
pub(crate) const BASES: [i64; 8] = [645_120, 40_320, 5_040, 720, 120, 12, 1, 0];

/// From this name on, the values are multiples by odd numbers instead of powers of two.
const MAX_DOUBLINGS: usize = 16;

/// One value for each name of a scope: it turns a symbolic layout into a layout.
///
/// ```
/// use tilework::layout;
/// use tilework_symbolic::Scope;
/// let mut scope = Scope::new();
/// let matrix = scope.layout("(M,K):(1,ld)")?;
/// let values = scope.values(&[("M", 100), ("K", 64), ("ld", 128)])?;
/// assert_eq!(matrix.instance(&values)?, layout!((100,64):(1,128)));
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Values {
    names: Vec<i64>,
    /// The values of the first quotients, as far as they were needed.
    quotients: Vec<i64>,
}

impl Values {
    pub(crate) const NONE: Values = Values { names: Vec::new(), quotients: Vec::new() };
}

impl Scope {
    /// Admissible values that extend the given ones; other names get a large value with many divisors, or one that is
    /// compatible with the given ones. Without given values it is the witness of an operation.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let ld = scope.declare("M").and(scope.declare("ld"))?;
    /// scope.assume("ld >= M")?;
    /// let values = scope.values(&[("M", 64)])?;
    /// assert!(scope.value(&ld, &values)? > Some(64));
    /// assert!(scope.values(&[("M", 64), ("ld", 63)]).is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] for values that violate a fact, and for unknown names.
    pub fn values(&self, given: &[(&str, i64)]) -> Result<Values, Error> {
        let mut hints = self.hints.clone();
        for (name, value) in given {
            let reason = "a value was given for a name that is not declared";
            hints[self.index_of(name).ok_or(Error::Fact { reason })?] = Some(*value);
        }
        let admitted =
            |base| self.witness(&hints, base).ok().filter(|values| self.admits(values) == Ok(true));
        BASES.into_iter().find_map(admitted).ok_or(Error::Fact { reason: "the values break a fact" })
    }

    /// Sets the value of a name in the witness of later operations; `None` restores the default.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let m = scope.declare("M")?;
    /// scope.hint("M", Some(64))?;
    /// assert_eq!(scope.value(&m, &scope.values(&[])?)?, Some(64));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] for an unknown name.
    pub fn hint(&mut self, name: &str, value: Option<i64>) -> Result<(), Error> {
        let reason = "a hint is given for a name that is not declared";
        let index = self.index_of(name).ok_or(Error::Fact { reason })?;
        self.hints[index] = value;
        Ok(())
    }

    /// The hint of a name; `None` if there is none, or the name is unknown.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// scope.declare("M")?;
    /// scope.hint("M", Some(64))?;
    /// assert_eq!((scope.hint_of("M"), scope.hint_of("N")), (Some(64), None));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn hint_of(&self, name: &str) -> Option<i64> {
        self.hints[self.index_of(name)?]
    }

    /// Uses these values as the witness of later operations.
    pub(crate) fn hint_all(&mut self, values: &Values) {
        self.hints = values.names.iter().copied().map(Some).collect();
        self.hints.resize(self.name_count(), None);
    }

    /// The hints, and for each other name a distinct multiple of `base`.
    pub(crate) fn witness(&self, hints: &[Option<i64>], base: i64) -> Result<Values, Error> {
        let mut values = Values { names: alloc::vec![1; self.name_count()], quotients: Vec::new() };
        let mut ready = alloc::vec![false; self.name_count()];
        let mut progress = true;
        while progress {
            progress = false;
            for v in 0..ready.len() {
                if !ready[v] && self.names_behind(v).all(|other| ready[other]) {
                    values.quotients.clear();
                    values.names[v] = match hints[v] {
                        Some(value) => value,
                        None => self.default_value(v, base, &mut values)?,
                    };
                    (ready[v], progress) = (true, true);
                }
            }
        }
        values.quotients.clear();
        Ok(values)
    }

    fn default_value(&self, v: usize, base: i64, values: &mut Values) -> Result<i64, Error> {
        let Facts { divisor, low, high, at_least, equal, divides, .. } = self.known(v);
        let divisor = &match (divides, equal) {
            (Some(divisor), _) => self.integer_value(divisor, values)?.max(1),
            (_, Some(number)) => return self.integer_value(number, values),
            _ => *divisor,
        };
        let step = match v {
            _ if base == 0 => 2,
            0..MAX_DOUBLINGS => int::mul(base, 1 << v)?,
            _ => int::mul(base, 2 * v as i64 + 1)?,
        };
        let value = match at_least.is_empty() {
            true => {
                let unit = int::mul(step / int::gcd(step as u64, *divisor as u64) as i64, *divisor)?;
                int::mul(int::ceil_div(step.max(*low), unit), unit)?
            }
            false => {
                let bound = self.largest(*low, at_least, values)?;
                let least = int::mul(int::ceil_div(bound, *divisor), *divisor)?;
                int::add(least, int::mul(step, *divisor)?)?
            }
        };
        Ok(if value > *high { int::div_rem(*high, *divisor).0 * divisor } else { value })
    }

    /// The largest of a number and the values of bounds.
    fn largest(&self, low: i64, bounds: &[Number], values: &mut Values) -> Result<i64, Error> {
        bounds.iter().try_fold(low, |largest, bound| Ok(largest.max(self.integer_value(bound, values)?)))
    }

    /// Whether the facts hold for the values.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let m = scope.declare("M")?;
    /// let values = scope.values(&[("M", 100)])?;
    /// scope.assume_multiple(&m, 128)?;
    /// assert!(!scope.admits(&values)?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::TooLarge`] if a bound does not fit 64 bits.
    pub fn admits(&self, values: &Values) -> Result<bool, Error> {
        let mut values = values.clone();
        for v in 0..self.name_count() {
            let (Facts { divisor, low, high, at_least, equal, .. }, value) = (self.known(v), values.name(v));
            if value > *high || value % divisor != 0 || value < self.largest(*low, at_least, &mut values)? {
                return Ok(false);
            }
            if let Some(number) = equal
                && self.integer_value(number, &mut values) != Ok(value)
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Values {
    /// For numbers of other declarations, whose quotients are others.
    pub(crate) fn without_quotients(&self) -> Values {
        Values { names: self.names.clone(), quotients: Vec::new() }
    }

    fn name(&self, index: usize) -> i64 {
        // A name that was declared later.
        self.names.get(index).copied().unwrap_or(1)
    }
}

impl Declarations {
    /// Values of the names, whether facts admit them or not; those of other names are 1.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let m = scope.declare("M")?;
    /// scope.assume("M >= 8")?;
    /// assert_eq!(scope.value(&m, &scope.any_values(&[("M", 3)]))?, Some(3));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn any_values(&self, given: &[(&str, i64)]) -> Values {
        let value = |name| given.iter().find(|(own, _)| *own == name).map_or(1, |(_, value)| *value);
        Values { names: self.names().map(value).collect(), quotients: Vec::new() }
    }

    /// The value of a number; `None` if it is not an integer.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let m = scope.declare("M")?;
    /// let half = scope.number("M/2")?;
    /// assert_eq!(scope.value(&half, &scope.values(&[("M", 100)])?)?, Some(50));
    /// assert_eq!(scope.value(&half, &scope.values(&[("M", 101)])?)?, None);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::TooLarge`] if it does not fit 64 bits.
    pub fn value(&self, number: &Number, values: &Values) -> Result<Option<i64>, Error> {
        let (numerator, denominator) = self.fraction(number, &mut values.clone())?;
        match numerator % denominator as i128 {
            0 => int::narrow(numerator / denominator as i128).map(Some).ok_or(TOO_LARGE),
            _ => Ok(None),
        }
    }

    /// The value of a number that has to be an integer.
    pub(crate) fn integer_value(&self, p: &Number, values: &mut Values) -> Result<i64, Error> {
        let (numerator, denominator) = self.fraction(p, values)?;
        match numerator % denominator as i128 {
            0 => int::narrow(numerator / denominator as i128).ok_or(TOO_LARGE),
            _ => Err(not_integral(numerator, denominator)),
        }
    }

    /// The value of a number: numerator, and its positive denominator.
    pub(crate) fn fraction(&self, p: &Number, values: &mut Values) -> Result<(i128, i64), Error> {
        if !self.has(p) {
            return Err(Error::Fact { reason: "a number of another scope" });
        }
        let mut sum = 0i128;
        for term in p.terms() {
            let mut product = term.coefficient as i128;
            for variable in term.monomial.factors() {
                let value = match (variable.as_name(), variable.as_quotient()) {
                    (Some(name), _) => values.name(name),
                    (_, Some(index)) => self.quotient_value(index, values)?,
                    _ => 1,
                };
                product = product.checked_mul(value as i128).ok_or(TOO_LARGE)?;
            }
            sum = sum.checked_add(product).ok_or(TOO_LARGE)?;
        }
        Ok((sum, p.denominator))
    }

    /// The value of a quotient; 0 if its divisor is not positive, which no guard admits.
    fn quotient_value(&self, index: usize, values: &mut Values) -> Result<i64, Error> {
        while values.quotients.len() <= index {
            let Quotient { numerator, denominator } = &self.quotients[values.quotients.len()];
            let (a, b) = self.fraction(numerator, values)?;
            let (c, d) = self.fraction(denominator, values)?;
            let value = match (a.checked_mul(d as i128), c.checked_mul(b as i128)) {
                _ if c <= 0 => Some(0),
                (Some(numerator), Some(denominator)) => int::narrow(numerator.div_euclid(denominator)),
                _ => None,
            };
            values.quotients.push(value.ok_or(TOO_LARGE)?);
        }
        Ok(values.quotients[index])
    }
}

impl SymbolicLayout {
    /// The static layout, if it has no names.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (tile, matrix) = (scope.layout("(4,8):(1,4)")?, scope.layout("(M,K):(1,ld)")?);
    /// assert_eq!(tile.as_constant(), Some(tilework::layout!((4,8):(1,4))));
    /// assert_eq!(matrix.as_constant(), None);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn as_constant(&self) -> Option<Layout> {
        self.numbers().all(Number::is_constant).then(|| self.instance_within(&mut { Values::NONE }).ok())?
    }

    /// The layout at these values.
    ///
    /// ```
    /// use tilework::layout;
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let tiles = scope.layout("(128,M/128):(1,128)")?;
    /// assert_eq!(tiles.instance(&scope.values(&[("M", 512)])?)?, layout!((128,4):(1,128)));
    /// assert!(tiles.instance(&scope.values(&[("M", 100)])?).is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotIntegral`] for an extent or stride that is not an integer at these values, and those of
    /// [`Layout::new`].
    pub fn instance(&self, values: &Values) -> Result<Layout, Error> {
        self.instance_within(&mut values.without_quotients())
    }

    pub(crate) fn instance_within(&self, values: &mut Values) -> Result<Layout, Error> {
        let mut tuple = HTuple::builder_of(self.profile(), Leaf::new(1, 0));
        for leaf in self.leaves() {
            tuple.push_value(self.declared().leaf_at(leaf, values)?)?;
        }
        Layout::new(tuple)
    }
}

impl Declarations {
    /// A leaf at these values.
    pub(crate) fn leaf_at(&self, leaf: &SymbolicLeaf, values: &mut Values) -> Result<Leaf, Error> {
        let extent = self.integer_value(&leaf.extent, values)?;
        let mut stride = Stride::ZERO;
        for (count, unit) in leaf.terms() {
            let count = match count.as_fraction() {
                // A fraction in the result.
                Some((numerator, denominator)) => Rational::new(numerator, denominator)?,
                None => Rational::integer(self.integer_value(count, values)?),
            };
            stride = stride.add(Stride::new(count, unit)?)?;
        }
        Ok(Leaf { extent, stride })
    }
}

const TOO_LARGE: Error = Error::TooLarge { what: "the value of a symbolic number" };

fn not_integral(numerator: i128, denominator: i64) -> Error {
    match int::narrow(numerator) {
        Some(numerator) => Error::NotIntegral { operation: "a symbolic number", numerator, denominator },
        None => TOO_LARGE,
    }
}
