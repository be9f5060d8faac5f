//! Names, and the facts about them.

use crate::declarations::{Declarations, Quotient};
use crate::number::{MAX_VARIABLES, Number, Variable};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Deref;
use tilework::Error;

/// The facts about a name.
#[derive(Clone)]
pub(crate) struct Facts {
    pub divisor: i64,
    pub low: i64,
    /// Whether the lower bound is the default one.
    pub low_by_default: bool,
    /// `i64::MAX` if there is none.
    pub high: i64,
    /// Lower bounds by other names; the first of them is the one in its range.
    pub at_least: Vec<Number>,
    pub equal: Option<Number>,
    /// The number of which it is a multiple; then it is equal to it times their quotient.
    pub divides: Option<Number>,
}

impl Facts {
    const NONE: Facts = Facts {
        divisor: 1,
        low: 1,
        low_by_default: true,
        high: i64::MAX,
        at_least: Vec::new(),
        equal: None,
        divides: None,
    };
}

/// A variable as a polynomial in non-negative free variables.
#[derive(Clone)]
pub(crate) struct Range {
    pub form: Number,
    /// The largest value of its own free variable, `i64::MAX` if there is none.
    pub high: i64,
    /// Whether its free variable may be negative.
    pub signed: bool,
}

/// The state that facts change, and that is restored when they are withdrawn.
#[derive(Clone, Default)]
pub(crate) struct Knowledge {
    pub facts: Vec<Facts>,
    pub names: Vec<Range>,
    pub quotients: Vec<Range>,
}

/// The names of a problem, the facts about them, and the quotients made of them.
///
/// Names are integers of at least 1, unless a fact bounds them otherwise. A clone is a snapshot, and cheap: it shares
/// what does not change.
///
/// ```
/// use tilework_symbolic::Scope;
/// let mut scope = Scope::new();
/// let matrix = scope.layout("(M,K):(1,ld)")?;
/// scope.assume("M % 128 == 0, ld >= M")?;
/// assert_eq!(matrix.to_string(), "(M,K):(1,ld)");
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Scope {
    declared: Arc<Declarations>,
    pub(crate) knowledge: Arc<Knowledge>,
    pub(crate) hints: Vec<Option<i64>>,
    /// Whether only the bounds in the ranges of the names are used.
    pub(crate) is_choice: bool,
}

impl Deref for Scope {
    type Target = Declarations;

    fn deref(&self) -> &Declarations {
        &self.declared
    }
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
    pub fn new() -> Scope {
        Scope::default()
    }

    /// Its names and quotients.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// assert_eq!(Scope::new().declared().names().len(), 0);
    /// ```
    #[must_use]
    pub fn declared(&self) -> &Arc<Declarations> {
        &self.declared
    }

    /// The number of a name; a new name is declared, as an integer of at least 1.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let m = scope.declare("M")?;
    /// assert_eq!((scope.declare("M")?, scope.names().collect::<Vec<_>>()), (m, vec!["M"]));
    /// assert!(scope.declare("2M").is_err() && scope.declare("e1").is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] for a text that is not a name, as `e1` is not, [`Error::Capacity`] for more names than numbers can tell apart.
    pub fn declare(&mut self, name: &str) -> Result<Number, Error> {
        if let Some(number) = self.find(name) {
            return Ok(number);
        }
        check_name(name)?;
        let index = self.names.len();
        if index == MAX_VARIABLES {
            return Err(Error::Capacity { what: "names", limit: MAX_VARIABLES });
        }
        Arc::make_mut(&mut self.declared).names.push(name.into());
        let own = Number::variable(Variable::name(index));
        let knowledge = Arc::make_mut(&mut self.knowledge);
        knowledge.facts.push(Facts::NONE);
        knowledge.names.push(Range { form: own.plus(1)?, high: i64::MAX, signed: false });
        self.hints.push(None);
        Ok(own)
    }

    pub(crate) fn name_count(&self) -> usize {
        self.names.len()
    }

    /// The facts about a name.
    pub(crate) fn known(&self, name: usize) -> &Facts {
        &self.knowledge.facts[name]
    }

    #[inline]
    pub(crate) fn range(&self, variable: Variable) -> &Range {
        match variable.as_quotient() {
            Some(index) => &self.knowledge.quotients[index],
            None => &self.knowledge.names[variable.as_name().unwrap_or(0)],
        }
    }

    /// The variable of a quotient, which is added if it is new.
    pub(crate) fn quotient(&mut self, numerator: Number, denominator: Number) -> Result<Variable, Error> {
        let quotient = Quotient { numerator, denominator };
        if let Some(index) = self.quotients.iter().position(|known| *known == quotient) {
            return Ok(Variable::quotient(index));
        }
        let index = self.quotients.len();
        if index == MAX_VARIABLES {
            return Err(Error::Capacity { what: "quotients", limit: MAX_VARIABLES });
        }
        let range = self.range_of_quotient(index, &quotient)?;
        Arc::make_mut(&mut self.declared).quotients.push(quotient);
        Arc::make_mut(&mut self.knowledge).quotients.push(range);
        Ok(Variable::quotient(index))
    }

    /// `floor(left / right)` for a `right` of at least 1: a polynomial if it is known to be one, otherwise a named
    /// quotient.
    ///
    /// ```
    /// use tilework_symbolic::{Number, Scope};
    /// let mut scope = Scope::new();
    /// let (m, tile) = (scope.declare("M")?, Number::integer(128));
    /// let tiles = scope.ceil_div(&m, &tile)?;
    /// assert_eq!(scope.number_text(&tiles), "ceil(M/128)");
    /// scope.assume("M % 128 == 0")?;
    /// let tiles = scope.ceil_div(&m, &tile)?;
    /// assert_eq!(scope.number_text(&tiles), "M/128");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] for a divisor that may be less than 1; those of [`Number::add`].
    pub fn floor_div(&mut self, left: &Number, right: &Number) -> Result<Number, Error> {
        self.check_number(left)?;
        self.check_number(right)?;
        if self.at_least(right, 1) != Some(true) {
            return Err(Error::Fact { reason: "a divisor has to be known to be 1 or more" });
        }
        self.floor(left, right)
    }

    /// `ceil(left / right)` for a `right` of at least 1.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (m, tile) = (scope.declare("M")?, scope.declare("tile")?);
    /// let tiles = scope.ceil_div(&m, &tile)?;
    /// assert_eq!(scope.number_text(&tiles), "ceil(M/tile)");
    /// // Of what may be no integer as well.
    /// let half = scope.number("M/2")?;
    /// let rounded = scope.ceil_div(&half, &1.into())?;
    /// assert_eq!(scope.number_text(&rounded), "ceil(M/2)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`floor_div`](Self::floor_div).
    pub fn ceil_div(&mut self, left: &Number, right: &Number) -> Result<Number, Error> {
        self.check_number(left)?;
        self.check_number(right)?;
        if self.is_integer(left) == Some(true) {
            return self.floor_div(&left.add(right)?.plus(-1)?, right);
        }
        // `floor((p + q - 1)/q)` is valid for integers.
        let scale = left.common_denominator(right)?;
        let (top, divisor) = (left.scale(scale, 1)?, right.scale(scale, 1)?);
        self.floor_div(&top.add(&divisor)?.plus(-1)?, &divisor)
    }

    /// Refuses a number with undeclared variables.
    pub(crate) fn check_number(&self, number: &Number) -> Result<(), Error> {
        match self.has(number) {
            true => Ok(()),
            false => Err(Error::Fact { reason: "a number of another scope" }),
        }
    }
}

/// Whether the notation reads this word as a stride: `e1`, `f5`, `F5`. It is no name.
///
/// ```
/// use tilework_symbolic::is_element;
/// assert!(is_element("e1") && is_element("F5") && !is_element("E1") && !is_element("f") && !is_element("f5a"));
/// ```
#[must_use]
pub fn is_element(word: &str) -> bool {
    let digits = word.strip_prefix(['e', 'f', 'F']).unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Refuses what is neither a letter and then letters, digits and `_`, nor the `?0` of an unnamed number; and elements.
fn check_name(name: &str) -> Result<(), Error> {
    let is_name = match name.strip_prefix('?') {
        Some(digits) => !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()),
        None => {
            name.starts_with(|first: char| first.is_ascii_alphabetic())
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        }
    };
    match is_name {
        true if is_element(name) => {
            Err(Error::Fact { reason: "e1, f5 and F5 are strides in the notation, and no names" })
        }
        true => Ok(()),
        false => Err(Error::Fact { reason: "a name is a letter and then letters, digits and `_`" }),
    }
}
