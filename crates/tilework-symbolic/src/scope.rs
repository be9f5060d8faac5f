//! Names, and the numbers made of them. A named quotient is a variable like a name; the scope keeps its definition.

use crate::list::List;
use crate::polynomial::{MAX_NAMES, MAX_QUOTIENTS, MAX_VARIABLES, Polynomial};
use crate::pool::{MAX_NUMBERS, Number, Pool};
use tilework::Error;
use tilework::Text;

/// The most letters of a name.
pub const MAX_NAME_LENGTH: usize = 15;

/// The most lower bounds of one name by others.
pub(crate) const MAX_BOUNDS: usize = 3;

#[derive(Clone, Copy)]
struct Name {
    bytes: [u8; MAX_NAME_LENGTH],
    len: u8,
}

/// The facts about a name.
#[derive(Clone, Copy)]
pub(crate) struct Facts {
    pub divisor: i64,
    pub low: i64,
    /// Whether the lower bound is the default one.
    pub low_by_default: bool,
    /// `i64::MAX` if there is none.
    pub high: i64,
    /// Lower bounds by other names; the first of them is the one in its range.
    pub at_least: [Option<Number>; MAX_BOUNDS],
    pub equal: Option<Number>,
}

/// A variable as a polynomial in non-negative free variables.
#[derive(Clone, Copy)]
pub(crate) struct Range {
    pub form: Number,
    /// The largest value of its own free variable, `i64::MAX` if there is none.
    pub high: i64,
    /// Whether its free variable may be negative.
    pub signed: bool,
}

/// The state that facts change, and that is restored when they are withdrawn.
#[derive(Clone, Copy)]
pub(crate) struct Knowledge {
    pub facts: [Facts; MAX_NAMES],
    pub ranges: [Range; MAX_VARIABLES],
}

/// `floor(numerator / denominator)`.
#[derive(Clone, Copy)]
pub(crate) struct Quotient {
    pub numerator: Number,
    pub denominator: Number,
}

/// The names of a problem, the facts about them, and the numbers made of them.
///
/// Names are integers of at least 1, unless a fact bounds them otherwise. A scope is a plain value: a copy is a
/// snapshot.
///
/// ```
/// use tilework_symbolic::Scope;
/// let mut scope = Scope::new();
/// let matrix = scope.layout("(M,K):(1,ld)")?;
/// scope.assume("M % 128 == 0, ld >= M")?;
/// assert_eq!(scope.layout_text(&matrix).as_str(), "(M,K):(1,ld)");
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Scope {
    names: List<Name, MAX_NAMES>,
    pub(crate) quotients: List<Quotient, MAX_QUOTIENTS>,
    pub(crate) knowledge: Knowledge,
    pub(crate) pool: Pool,
    pub(crate) hints: [Option<i64>; MAX_NAMES],
    /// Whether only the bounds in the ranges of the names are used.
    pub(crate) is_choice: bool,
}

impl Scope {
    /// A scope without names and facts.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let scope = Scope::new();
    /// assert_eq!((scope.names().len(), scope.find("M")), (0, None));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn new() -> Scope {
        const UNUSED: Number = Number::UNUSED;
        let facts = Facts {
            divisor: 1,
            low: 1,
            low_by_default: true,
            high: i64::MAX,
            at_least: [None; MAX_BOUNDS],
            equal: None,
        };
        let range = Range { form: UNUSED, high: i64::MAX, signed: false };
        let mut pool = Pool::new();
        let _ = pool.intern(&Polynomial::ZERO);
        Scope {
            names: List::new(Name { bytes: [0; MAX_NAME_LENGTH], len: 0 }),
            quotients: List::new(Quotient { numerator: UNUSED, denominator: UNUSED }),
            knowledge: Knowledge { facts: [facts; MAX_NAMES], ranges: [range; MAX_VARIABLES] },
            pool,
            hints: [None; MAX_NAMES],
            is_choice: false,
        }
    }

    // ---- names

    /// The number of a name; a new name is declared, as an integer of at least 1.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let m = scope.declare("M")?;
    /// assert_eq!((scope.declare("M")?, scope.names().collect::<Vec<_>>()), (m, vec!["M"]));
    /// assert!(scope.declare("2M").is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] for a text that is not a name, [`Error::Capacity`] beyond [`MAX_NAMES`].
    pub const fn declare(&mut self, name: &str) -> Result<Number, Error> {
        self.declare_bytes(name.as_bytes())
    }

    pub(crate) const fn declare_bytes(&mut self, name: &[u8]) -> Result<Number, Error> {
        if let Some(index) = self.find_bytes(name) {
            return self.intern(&Polynomial::variable(index));
        }
        tri!(check_name(name));
        let mut own = Name { bytes: [0; MAX_NAME_LENGTH], len: name.len() as u8 };
        let mut i = 0;
        while i < name.len() {
            own.bytes[i] = name[i];
            i += 1;
        }
        tri!(self.names.push(own, "names"));
        tri!(self.refresh());
        self.intern(&Polynomial::variable(self.names.len() - 1))
    }

    /// The number of a declared name.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let m = scope.declare("M")?;
    /// assert_eq!((scope.find("M"), scope.find("N")), (Some(m), None));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn find(&self, name: &str) -> Option<Number> {
        match self.find_bytes(name.as_bytes()) {
            Some(index) => self.pool.find(&Polynomial::variable(index)),
            None => None,
        }
    }

    pub(crate) const fn find_bytes(&self, name: &[u8]) -> Option<usize> {
        let mut i = 0;
        while i < self.names.len() {
            if same_bytes(self.name_bytes(i), name) {
                return Some(i);
            }
            i += 1;
        }
        None
    }

    pub(crate) const fn name_bytes(&self, index: usize) -> &[u8] {
        let name = &self.names.as_slice()[index];
        name.bytes.split_at(name.len as usize).0
    }

    /// The names in the order of their declaration.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// scope.layout("(M,K):(1,ld)")?;
    /// assert_eq!(scope.names().collect::<Vec<_>>(), ["M", "K", "ld"]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.names.len()).map(|index| core::str::from_utf8(self.name_bytes(index)).unwrap_or_default())
    }

    /// The first of `word`, `word1`, `word2`, ... that is not declared: for a coordinate in source text.
    ///
    /// ```
    /// use tilework_symbolic::{Language, Scope, Source};
    /// let mut scope = Scope::new();
    /// let layout = scope.layout("(x,K):(1,ld)")?;
    /// let word = scope.unused_name("x");
    /// let emitted = scope.index_expression(&layout, &Source::new(Language::C, &[word.as_str()]))?;
    /// assert_eq!(emitted.text.as_str(), "(x1 % x) + (x1 / x)*ld");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn unused_name(&self, word: &str) -> Text {
        let mut suffix = 0;
        loop {
            let mut text = Text::new();
            text.push(word);
            if suffix > 0 {
                text.push_int(suffix);
            }
            if self.find_bytes(text.as_str().as_bytes()).is_none() {
                return text;
            }
            suffix += 1;
        }
    }

    pub(crate) const fn name_count(&self) -> usize {
        self.names.len()
    }

    // ---- numbers

    /// The number `value`.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let tile = scope.integer(128)?;
    /// assert_eq!(scope.number_text(tile).as_str(), "128");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Capacity`] if the scope is full.
    pub const fn integer(&mut self, value: i64) -> Result<Number, Error> {
        self.intern(&Polynomial::integer(value))
    }

    /// `left + right`.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (k, pad) = (scope.declare("K")?, scope.integer(8)?);
    /// let padded = scope.add(k, pad)?;
    /// assert_eq!(scope.number_text(padded).as_str(), "K + 8");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Overflow`] for coefficients, [`Error::Capacity`] for terms, exponents and numbers.
    pub const fn add(&mut self, left: Number, right: Number) -> Result<Number, Error> {
        let sum = tri!(tri!(self.checked(left)).add(&tri!(self.checked(right))));
        self.intern(&sum)
    }

    /// `left - right`.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (ld, m) = (scope.declare("ld")?, scope.declare("M")?);
    /// let pad = scope.sub(ld, m)?;
    /// assert_eq!(scope.number_text(pad).as_str(), "ld - M");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`add`](Self::add).
    pub const fn sub(&mut self, left: Number, right: Number) -> Result<Number, Error> {
        let difference = tri!(tri!(self.checked(left)).sub(&tri!(self.checked(right))));
        self.intern(&difference)
    }

    /// `left * right`.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (m, k) = (scope.declare("M")?, scope.declare("K")?);
    /// // Equal numbers are one.
    /// assert_eq!(scope.mul(m, k)?, scope.mul(k, m)?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`add`](Self::add).
    pub const fn mul(&mut self, left: Number, right: Number) -> Result<Number, Error> {
        let product = tri!(tri!(self.checked(left)).mul(&tri!(self.checked(right))));
        self.intern(&product)
    }

    /// `left / right` as a polynomial with rational coefficients: `M/128`, which is an integer if the facts or a guard
    /// say so.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (m, k) = (scope.declare("M")?, scope.declare("K")?);
    /// let area = scope.mul(m, k)?;
    /// assert_eq!(scope.div(area, k)?, m);
    /// assert!(scope.div(m, k).is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] if it is not a polynomial; those of [`add`](Self::add).
    pub const fn div(&mut self, left: Number, right: Number) -> Result<Number, Error> {
        match tri!(self.checked(left)).over(&tri!(self.checked(right))) {
            Some(quotient) => self.intern(&quotient),
            None => {
                Err(Error::Fact { reason: "the quotient is not a polynomial; write floor(p/q) or ceil(p/q)" })
            }
        }
    }

    /// `floor(left / right)` for a `right` of at least 1: a polynomial if it is known to be one, otherwise a named
    /// quotient.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (m, tile) = (scope.declare("M")?, scope.integer(128)?);
    /// let tiles = scope.ceil_div(m, tile)?;
    /// assert_eq!(scope.number_text(tiles).as_str(), "ceil(M/128)");
    /// scope.assume("M % 128 == 0")?;
    /// let tiles = scope.ceil_div(m, tile)?;
    /// assert_eq!(scope.number_text(tiles).as_str(), "M/128");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] for a divisor that may be less than 1, [`Error::Capacity`] beyond [`MAX_QUOTIENTS`]; those of
    /// [`add`](Self::add).
    pub const fn floor_div(&mut self, left: Number, right: Number) -> Result<Number, Error> {
        let (left, right) = (tri!(self.checked(left)), tri!(self.checked(right)));
        if !matches!(self.at_least(&right, 1), Some(true)) {
            return Err(Error::Fact { reason: "a divisor has to be known to be 1 or more" });
        }
        let quotient = tri!(self.floor(&left, &right));
        self.intern(&quotient)
    }

    /// `ceil(left / right)` for a `right` of at least 1.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (m, tile) = (scope.declare("M")?, scope.declare("tile")?);
    /// let tiles = scope.ceil_div(m, tile)?;
    /// assert_eq!(scope.number_text(tiles).as_str(), "ceil(M/tile)");
    /// // Of what may be no integer as well.
    /// let (half, one) = (scope.number("M/2")?, scope.integer(1)?);
    /// let rounded = scope.ceil_div(half, one)?;
    /// assert_eq!(scope.number_text(rounded).as_str(), "ceil(M/2)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`floor_div`](Self::floor_div).
    pub const fn ceil_div(&mut self, left: Number, right: Number) -> Result<Number, Error> {
        let (mut top, mut divisor) = (tri!(self.checked(left)), tri!(self.checked(right)));
        if !matches!(self.is_integer(&top), Some(true)) {
            // `floor((p + q - 1)/q)` is valid for integers.
            let scale = tri!(top.common_denominator(&divisor));
            (top, divisor) = (tri!(top.scale(scale, 1)), tri!(divisor.scale(scale, 1)));
        }
        let top = tri!(tri!(top.add(&divisor)).plus(-1));
        let (top, divisor) = (tri!(self.intern(&top)), tri!(self.intern(&divisor)));
        self.floor_div(top, divisor)
    }

    pub(crate) const fn intern(&mut self, polynomial: &Polynomial) -> Result<Number, Error> {
        self.pool.intern(polynomial)
    }

    pub(crate) const fn polynomial(&self, number: Number) -> Polynomial {
        self.pool.polynomial(number)
    }

    /// The polynomial of a number that a caller gave.
    pub(crate) const fn checked(&self, number: Number) -> Result<Polynomial, Error> {
        if number.index() >= self.pool.len() {
            return Err(Error::Fact { reason: "a number of another scope" });
        }
        Ok(self.polynomial(number))
    }

    /// Marks the numbers in facts, quotients and ranges.
    pub(crate) const fn mark_own(&self, used: &mut [bool; MAX_NUMBERS]) {
        let mut v = 0;
        while v < MAX_VARIABLES {
            used[self.knowledge.ranges[v].form.index()] = true;
            v += 1;
        }
        v = 0;
        while v < self.names.len() {
            let Facts { at_least, equal, .. } = self.knowledge.facts[v];
            let mut i = 0;
            while i < MAX_BOUNDS {
                if let Some(number) = at_least[i] {
                    used[number.index()] = true;
                }
                i += 1;
            }
            if let Some(number) = equal {
                used[number.index()] = true;
            }
            v += 1;
        }
        v = 0;
        while v < self.quotients.len() {
            let Quotient { numerator, denominator } = self.quotients.as_slice()[v];
            used[numerator.index()] = true;
            used[denominator.index()] = true;
            v += 1;
        }
    }

    /// Renumbers those in facts, quotients and ranges after moving.
    pub(crate) const fn renumber_own(&mut self, moved: &[Number; MAX_NUMBERS]) {
        let mut v = 0;
        while v < MAX_VARIABLES {
            let range = &mut self.knowledge.ranges[v];
            range.form = range.form.moved(moved);
            v += 1;
        }
        v = 0;
        while v < self.names.len() {
            let facts = &mut self.knowledge.facts[v];
            let mut i = 0;
            while i < MAX_BOUNDS {
                if let Some(number) = facts.at_least[i] {
                    facts.at_least[i] = Some(number.moved(moved));
                }
                i += 1;
            }
            if let Some(number) = facts.equal {
                facts.equal = Some(number.moved(moved));
            }
            v += 1;
        }
        v = 0;
        while v < self.quotients.len() {
            let quotient = &mut self.quotients.as_mut_slice()[v];
            quotient.numerator = quotient.numerator.moved(moved);
            quotient.denominator = quotient.denominator.moved(moved);
            v += 1;
        }
    }
}

impl Default for Scope {
    fn default() -> Self {
        Scope::new()
    }
}

/// Refuses what is neither a letter and then letters, digits and `_`, nor the `?0` of an unnamed number.
const fn check_name(name: &[u8]) -> Result<(), Error> {
    let reason = "a name is a letter and then letters, digits and `_`";
    let unnamed = name.len() > 1 && name[0] == b'?';
    if name.is_empty() || !(unnamed || name[0].is_ascii_alphabetic()) {
        return Err(Error::Fact { reason });
    }
    if name.len() > MAX_NAME_LENGTH {
        return Err(Error::Capacity { what: "letters in a name", limit: MAX_NAME_LENGTH });
    }
    let mut i = 1;
    while i < name.len() {
        let fits = if unnamed { name[i].is_ascii_digit() } else { name[i].is_ascii_alphanumeric() };
        if !(fits || name[i] == b'_' && !unnamed) {
            return Err(Error::Fact { reason });
        }
        i += 1;
    }
    Ok(())
}

pub(crate) const fn same_bytes(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let mut i = 0;
    while i < left.len() {
        if left[i] != right[i] {
            return false;
        }
        i += 1;
    }
    true
}
