//! What is declared: names, and the quotients that are variables like names.

use crate::number::{Number, Variable};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt::Write;

/// `floor(numerator / denominator)`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Quotient {
    pub numerator: Number,
    pub denominator: Number,
}

/// The names and the quotients to which the variables of numbers refer. A [`Scope`](crate::Scope) has them, and a symbolic layout
/// keeps those that it was made with: both print numbers and evaluate them.
///
/// ```
/// use tilework_symbolic::Scope;
/// let mut scope = Scope::new();
/// let tiles = scope.layout("(128,ceil(M/128)):(1,128)")?;
/// drop(scope);
/// let grid = &tiles.leaves()[1].extent;
/// assert_eq!(tiles.declared().number_text(&grid), "ceil(M/128)");
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct Declarations {
    pub(crate) names: Vec<Arc<str>>,
    pub(crate) quotients: Vec<Quotient>,
}

impl Declarations {
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
    pub fn find(&self, name: &str) -> Option<Number> {
        Some(Number::variable(Variable::name(self.index_of(name)?)))
    }

    pub(crate) fn index_of(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|own| **own == *name)
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
        self.names.iter().map(|name| &**name)
    }

    /// The number of quotients.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// scope.layout("(128,ceil(M/128)):(1,128)")?;
    /// assert_eq!(scope.quotients(), 1);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn quotients(&self) -> usize {
        self.quotients.len()
    }

    /// The first of `word`, `word1`, `word2`, ... that is not declared: for a coordinate in source text.
    ///
    /// ```
    /// use tilework_symbolic::{Language, Scope, Source};
    /// let mut scope = Scope::new();
    /// let layout = scope.layout("(x,K):(1,ld)")?;
    /// let word = scope.unused_name("x");
    /// let emitted = scope.index_expression(&layout, &Source::new(Language::C, &[&word]))?;
    /// assert_eq!(emitted.text, "(x1 % x) + (x1 / x)*ld");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn unused_name(&self, word: &str) -> String {
        let (mut name, mut suffix) = (String::from(word), 0);
        while self.index_of(&name).is_some() {
            suffix += 1;
            name.truncate(word.len());
            let _ = write!(name, "{suffix}");
        }
        name
    }

    /// The names in numbers, also within quotients, in the order of their declaration.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let layout = scope.layout("(ceil(M/128),K):(1,ld)")?;
    /// let grid = &layout.leaves()[0].extent;
    /// assert_eq!(scope.names_in([grid]).collect::<Vec<_>>(), ["M"]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    pub fn names_in<'a>(&self, numbers: impl IntoIterator<Item = &'a Number>) -> impl Iterator<Item = &str> {
        let names = self.variables_of(numbers).into_iter().filter_map(Variable::as_name);
        names.filter_map(|name| self.names.get(name).map(|name| &**name))
    }

    /// What is divided where numbers are computed, also within quotients, and by what: where integers wrap, the numbers are right
    /// if these fit, and they themselves.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let layout = scope.layout("(ceil(M/128),K):(1,ld)")?;
    /// let divided = scope.divided([&layout.leaves()[0].extent]);
    /// let texts: Vec<_> = divided.iter().map(|number| scope.number_text(number)).collect();
    /// assert_eq!(texts, ["M + 127", "128"]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    pub fn divided<'a>(&self, numbers: impl IntoIterator<Item = &'a Number> + Clone) -> Vec<Number> {
        let whole =
            numbers.clone().into_iter().filter(|number| number.denominator != 1).map(Number::numerator);
        let quotients = self.variables_of(numbers).into_iter().filter_map(Variable::as_quotient);
        let parts = quotients.flat_map(|index| {
            let Quotient { numerator, denominator } = &self.quotients[index];
            [numerator.clone(), denominator.clone()]
        });
        whole.chain(parts).collect()
    }

    /// Whether these numbers mean the same with other declarations.
    pub(crate) fn agrees<'a>(
        &self,
        other: &Declarations,
        numbers: impl Iterator<Item = &'a Number> + Clone,
    ) -> bool {
        let is_same = |variable: Variable| match (variable.as_name(), variable.as_quotient()) {
            (Some(name), _) => self.names[name] == other.names[name],
            (_, Some(index)) => self.quotients[index] == other.quotients[index],
            _ => false,
        };
        core::ptr::eq(self, other)
            || numbers.clone().all(|number| self.has(number) && other.has(number))
                && self.variables_of(numbers).into_iter().all(is_same)
    }

    /// Whether all variables of a number are declared.
    pub(crate) fn has(&self, number: &Number) -> bool {
        number.variables().all(|variable| match (variable.as_name(), variable.as_quotient()) {
            (Some(name), _) => name < self.names.len(),
            (_, Some(quotient)) => quotient < self.quotients.len(),
            _ => false,
        })
    }

    /// All variables of these numbers, and those in the definitions of their quotients, in order.
    pub(crate) fn variables_of<'a>(&self, numbers: impl IntoIterator<Item = &'a Number>) -> Vec<Variable> {
        let mut all: Vec<Variable> = numbers.into_iter().flat_map(Number::variables).collect();
        all.sort_unstable();
        all.dedup();
        // A quotient is made of earlier ones.
        let mut open = all.len();
        while open > 0 {
            open -= 1;
            let Some(index) = all[open].as_quotient() else { break };
            let Quotient { numerator, denominator } = &self.quotients[index];
            for variable in numerator.variables().chain(denominator.variables()) {
                if let Err(at) = all.binary_search(&variable) {
                    all.insert(at, variable);
                    open += 1;
                }
            }
        }
        all
    }
}
