//! Values of the names: witnesses, instances, and the values that facts admit.

use crate::int;
use crate::layout::SymbolicLayout;
use crate::polynomial::{MAX_NAMES, MAX_QUOTIENTS, Polynomial};
use crate::pool::Number;
use crate::scope::{Facts, MAX_BOUNDS, Scope};
use tilework::Error;
use tilework::HTuple;
use tilework::{Layout, Leaf};
use tilework::{Rational, Stride};

/// A default witness: large, with many divisors; smaller ones if a size would exceed 64 bits.
pub(crate) const BASES: [i64; 7] = [645_120, 40_320, 5_040, 720, 120, 12, 1];

/// One value for each name of a scope: it turns a symbolic layout into a layout.
///
/// ```
/// use tilework::layout;
/// use tilework_symbolic::Scope;
/// let mut scope = Scope::new();
/// let matrix = scope.layout("(M,K):(1,ld)")?;
/// let values = scope.values(&[("M", 100), ("K", 64), ("ld", 128)])?;
/// assert_eq!(scope.instance(&matrix, &values)?, layout!((100,64):(1,128)));
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Values {
    names: [i64; MAX_NAMES],
    quotients: [i64; MAX_QUOTIENTS],
    /// The number of computed quotients.
    known: usize,
}

impl Values {
    pub(crate) const NONE: Values = Values { names: [1; MAX_NAMES], quotients: [0; MAX_QUOTIENTS], known: 0 };
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
    /// assert!(scope.value(ld, &values)? > Some(64));
    /// assert!(scope.values(&[("M", 64), ("ld", 63)]).is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] for values that violate a fact, and for unknown names.
    pub const fn values(&self, given: &[(&str, i64)]) -> Result<Values, Error> {
        let (mut hints, mut i) = (self.hints, 0);
        while i < given.len() {
            let Some(index) = self.find_bytes(given[i].0.as_bytes()) else {
                return Err(Error::Fact { reason: "a value was given for a name that is not declared" });
            };
            hints[index] = Some(given[i].1);
            i += 1;
        }
        i = 0;
        while i < BASES.len() {
            if let Ok(values) = self.witness(&hints, BASES[i])
                && matches!(self.admits(&values), Ok(true))
            {
                return Ok(values);
            }
            i += 1;
        }
        Err(Error::Fact { reason: "the values break a fact" })
    }

    /// Sets the value of a name in the witness of later operations; `None` restores the default.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let m = scope.declare("M")?;
    /// scope.hint("M", Some(64))?;
    /// assert_eq!(scope.value(m, &scope.values(&[])?)?, Some(64));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] for an unknown name.
    pub const fn hint(&mut self, name: &str, value: Option<i64>) -> Result<(), Error> {
        match self.find_bytes(name.as_bytes()) {
            Some(index) => {
                self.hints[index] = value;
                Ok(())
            }
            None => Err(Error::Fact { reason: "a hint is given for a name that is not declared" }),
        }
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
    pub const fn hint_of(&self, name: &str) -> Option<i64> {
        match self.find_bytes(name.as_bytes()) {
            Some(index) => self.hints[index],
            None => None,
        }
    }

    /// Uses these values as the witness of later operations.
    pub(crate) const fn hint_all(&mut self, values: &Values) {
        let mut v = 0;
        while v < self.name_count() {
            self.hints[v] = Some(values.names[v]);
            v += 1;
        }
    }

    /// The hints, and for each other name a distinct multiple of `base`.
    pub(crate) const fn witness(&self, hints: &[Option<i64>; MAX_NAMES], base: i64) -> Result<Values, Error> {
        let mut values = Values::NONE;
        let (mut ready, mut progress) = (0u32, true);
        while progress {
            progress = false;
            let mut v = 0;
            while v < self.name_count() {
                let others = self.names_behind(v);
                if ready >> v & 1 == 0 && others & !ready == 0 {
                    values.known = 0;
                    values.names[v] = match hints[v] {
                        Some(value) => value,
                        None => tri!(self.default_value(v, base, &mut values)),
                    };
                    ready |= 1 << v;
                    progress = true;
                }
                v += 1;
            }
        }
        values.known = 0;
        Ok(values)
    }

    const fn default_value(&self, v: usize, base: i64, values: &mut Values) -> Result<i64, Error> {
        let Facts { divisor, low, high, at_least, equal, .. } = self.known(v);
        if let Some(number) = equal {
            return self.integer_value(&self.polynomial(number), values);
        }
        let step = tri!(int::mul(base, 1 << v));
        let value = if at_least[0].is_some() {
            let bound = tri!(self.largest(low, &at_least, values));
            let least = tri!(int::mul(int::ceil_div(bound, divisor), divisor));
            tri!(int::add(least, tri!(int::mul(step, divisor))))
        } else {
            let unit = tri!(int::mul(step / int::gcd(step as u64, divisor as u64) as i64, divisor));
            let least = if low > step { low } else { step };
            tri!(int::mul(int::ceil_div(least, unit), unit))
        };
        Ok(if value > high { int::div_rem(high, divisor).0 * divisor } else { value })
    }

    /// The largest of a number and the values of bounds.
    const fn largest(
        &self,
        low: i64,
        bounds: &[Option<Number>; MAX_BOUNDS],
        values: &mut Values,
    ) -> Result<i64, Error> {
        let (mut largest, mut i) = (low, 0);
        while i < MAX_BOUNDS {
            if let Some(bound) = bounds[i] {
                let bound = tri!(self.integer_value(&self.polynomial(bound), values));
                largest = if bound > largest { bound } else { largest };
            }
            i += 1;
        }
        Ok(largest)
    }

    /// Whether the facts hold for the values.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let m = scope.declare("M")?;
    /// let values = scope.values(&[("M", 100)])?;
    /// scope.assume_multiple(m, 128)?;
    /// assert!(!scope.admits(&values)?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::TooLarge`] if a bound does not fit 64 bits.
    pub const fn admits(&self, values: &Values) -> Result<bool, Error> {
        let (mut values, mut v) = (*values, 0);
        while v < self.name_count() {
            let Facts { divisor, low, high, at_least, equal, .. } = self.known(v);
            let value = values.names[v];
            if value > high || value % divisor != 0 || value < tri!(self.largest(low, &at_least, &mut values))
            {
                return Ok(false);
            }
            if let Some(number) = equal
                && !matches!(self.integer_value(&self.polynomial(number), &mut values), Ok(equal) if equal == value)
            {
                return Ok(false);
            }
            v += 1;
        }
        Ok(true)
    }

    /// The value of a number; `None` if it is not an integer.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let m = scope.declare("M")?;
    /// let half = scope.number("M/2")?;
    /// assert_eq!(scope.value(half, &scope.values(&[("M", 100)])?)?, Some(50));
    /// assert_eq!(scope.value(half, &scope.values(&[("M", 101)])?)?, None);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::TooLarge`] if it does not fit 64 bits.
    pub const fn value(&self, number: Number, values: &Values) -> Result<Option<i64>, Error> {
        match self.fraction(&tri!(self.checked(number)), &mut { *values }) {
            Ok((numerator, denominator)) if numerator % denominator as i128 == 0 => {
                match int::narrow(numerator / denominator as i128) {
                    Some(value) => Ok(Some(value)),
                    None => Err(TOO_LARGE),
                }
            }
            Ok(_) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The value of a polynomial that has to be an integer.
    pub(crate) const fn integer_value(&self, p: &Polynomial, values: &mut Values) -> Result<i64, Error> {
        let (numerator, denominator) = tri!(self.fraction(p, values));
        if numerator % denominator as i128 != 0 {
            return Err(not_integral(numerator, denominator));
        }
        match int::narrow(numerator / denominator as i128) {
            Some(value) => Ok(value),
            None => Err(TOO_LARGE),
        }
    }

    /// The value of a polynomial: numerator, and its positive denominator.
    pub(crate) const fn fraction(&self, p: &Polynomial, values: &mut Values) -> Result<(i128, i64), Error> {
        let (terms, mut sum, mut i) = (p.terms(), 0i128, 0);
        while i < terms.len() {
            let mut product = terms[i].coefficient as i128;
            let mut rest = terms[i].monomial;
            while let Some(v) = rest.first() {
                let value = if v < MAX_NAMES {
                    values.names[v]
                } else {
                    tri!(self.quotient_value(v - MAX_NAMES, values))
                };
                let mut k = rest.exponent(v);
                while k > 0 {
                    let Some(next) = product.checked_mul(value as i128) else { return Err(TOO_LARGE) };
                    product = next;
                    k -= 1;
                }
                rest = rest.without(v);
            }
            let Some(next) = sum.checked_add(product) else { return Err(TOO_LARGE) };
            sum = next;
            i += 1;
        }
        Ok((sum, p.denominator))
    }

    /// The value of a quotient; 0 if its divisor is not positive, which no guard admits.
    const fn quotient_value(&self, index: usize, values: &mut Values) -> Result<i64, Error> {
        while values.known <= index {
            let quotient = self.quotients.as_slice()[values.known];
            let (a, b) = tri!(self.fraction(&self.polynomial(quotient.numerator), values));
            let (c, d) = tri!(self.fraction(&self.polynomial(quotient.denominator), values));
            let value = if c <= 0 {
                Some(0)
            } else {
                match (a.checked_mul(d as i128), c.checked_mul(b as i128)) {
                    (Some(numerator), Some(denominator)) => int::narrow(numerator.div_euclid(denominator)),
                    _ => None,
                }
            };
            let Some(value) = value else { return Err(TOO_LARGE) };
            values.quotients[values.known] = value;
            values.known += 1;
        }
        Ok(values.quotients[index])
    }

    /// The static layout, if it has no names.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (tile, matrix) = (scope.layout("(4,8):(1,4)")?, scope.layout("(M,K):(1,ld)")?);
    /// assert_eq!(scope.as_constant(&tile), Some(tilework::layout!((4,8):(1,4))));
    /// assert_eq!(scope.as_constant(&matrix), None);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn as_constant(&self, layout: &SymbolicLayout) -> Option<Layout> {
        let (leaves, mut i) = (layout.leaves(), 0);
        while i < leaves.len() {
            if !self.is_constant(leaves[i].extent) || !self.is_constant(leaves[i].stride) {
                return None;
            }
            i += 1;
        }
        let mut values = Values::NONE;
        match self.instance_within(layout, &mut values) {
            Ok(layout) => Some(layout),
            Err(_) => None,
        }
    }

    const fn is_constant(&self, number: Number) -> bool {
        let (terms, _) = self.pool.get(number);
        terms.is_empty() || terms.len() == 1 && terms[0].monomial.is_one()
    }

    /// The layout at these values.
    ///
    /// ```
    /// use tilework::layout;
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let tiles = scope.layout("(128,M/128):(1,128)")?;
    /// assert_eq!(scope.instance(&tiles, &scope.values(&[("M", 512)])?)?, layout!((128,4):(1,128)));
    /// assert!(scope.instance(&tiles, &scope.values(&[("M", 100)])?).is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotIntegral`] for an extent or stride that is not an integer at these values, and those of
    /// [`Layout::new`].
    pub const fn instance(&self, layout: &SymbolicLayout, values: &Values) -> Result<Layout, Error> {
        tri!(self.check(layout));
        self.instance_within(layout, &mut { *values })
    }

    pub(crate) const fn instance_within(
        &self,
        layout: &SymbolicLayout,
        values: &mut Values,
    ) -> Result<Layout, Error> {
        let mut tuple = HTuple::builder_of(layout.profile(), Leaf::UNUSED);
        let (leaves, mut i) = (layout.leaves(), 0);
        while i < leaves.len() {
            let extent = tri!(self.integer_value(&self.polynomial(leaves[i].extent), values));
            let stride = self.polynomial(leaves[i].stride);
            let stride = match stride.constant() {
                // A fraction in the result.
                Some((numerator, denominator)) => tri!(Rational::new(numerator, denominator)),
                None => Rational::integer(tri!(self.integer_value(&stride, values))),
            };
            tri!(tuple.push_value(Leaf { extent, stride: tri!(Stride::new(stride, leaves[i].unit)) }));
            i += 1;
        }
        Layout::new(tuple)
    }
}

const TOO_LARGE: Error = Error::TooLarge { what: "the value of a symbolic number" };

const fn not_integral(numerator: i128, denominator: i64) -> Error {
    match int::narrow(numerator) {
        Some(numerator) => Error::NotIntegral { operation: "a symbolic number", numerator, denominator },
        None => TOO_LARGE,
    }
}
