//! Values with names that are known only at launch.
//!
//! A symbolic value is a text with a guard; an operation parses both again in the scope of the session. So a value is
//! independent of a scope, a session of any length needs no more numbers than its names, and later facts apply to
//! earlier values.

mod names;
mod words;

pub(crate) use names::{Names, Scoped, holds, members, one_of_each, substituted};
use std::fmt;
pub(crate) use words::{word_length, words};

/// The kind of a symbolic value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SymbolicKind {
    /// A polynomial in names, `2*M + 3`.
    Number,
    /// A quotient of two polynomials that is not a polynomial, `ld/M`: an argument of `floor` and `ceil`.
    Quotient,
    /// A tuple of numbers.
    Tuple,
    /// A layout.
    Layout,
    /// A layout with an offset.
    View,
    /// Layouts that apply mode by mode.
    Tiler,
    /// The answer to a question, true if its guard holds.
    Truth,
    /// Assumed facts.
    Facts,
    /// A value of a name for choosing layouts.
    Hint,
    /// The offset of an index as source text of another language.
    Source,
    /// Layouts with their guards, each for the values that the earlier ones do not cover.
    Cases,
}

/// A value with names: correct for all values of the names, or under a condition, its guard.
///
/// ```
/// use tilework_expr::{Session, Value};
/// let mut session = Session::new();
/// let Value::Symbolic(answer) = session.evaluate("assume ld >= M; (M,K):(1,ld) o 128:1")?.clone() else { panic!() };
/// assert_eq!(answer.to_string(), "128:1 if ld == M or M >= 128");
/// assert_eq!(answer.text(), "128:1");
/// assert_eq!(answer.guard(), [[["ld == M"], ["M >= 128"]]]);
/// # Ok::<(), tilework_expr::ExprError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbolic {
    kind: SymbolicKind,
    text: String,
    /// The offset of a view.
    offset: Option<String>,
    /// For source text, the whole function.
    function: Option<String>,
    guard: Vec<Vec<Vec<String>>>,
}

impl Symbolic {
    pub(crate) fn new(kind: SymbolicKind, text: impl Into<String>) -> Symbolic {
        Symbolic { kind, text: text.into(), offset: None, function: None, guard: Vec::new() }
    }

    /// A layout with an offset.
    pub(crate) fn view(offset: impl Into<String>, layout: impl Into<String>) -> Symbolic {
        Symbolic { offset: Some(offset.into()), ..Symbolic::new(SymbolicKind::View, layout) }
    }

    /// An expression, and the function that contains it.
    pub(crate) fn source(expression: impl Into<String>, function: impl Into<String>) -> Symbolic {
        Symbolic { function: Some(function.into()), ..Symbolic::new(SymbolicKind::Source, expression) }
    }

    pub(crate) fn with_guard(self, guard: Vec<Vec<Vec<String>>>) -> Symbolic {
        Symbolic { guard, ..self }
    }

    /// Its kind.
    ///
    /// ```
    /// # use tilework_expr::{Session, SymbolicKind, Value};
    /// let Value::Symbolic(tall) = Session::new().evaluate("(192,N):(1,192)")?.clone() else { panic!() };
    /// assert_eq!(tall.kind(), SymbolicKind::Layout);
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub fn kind(&self) -> SymbolicKind {
        self.kind
    }

    /// Whether it is a number or a quotient, also in parentheses.
    pub(crate) fn is_number(&self) -> bool {
        let mut text = self.text();
        while let Some([inner]) = members(text).as_deref() {
            text = inner;
        }
        match self.kind {
            SymbolicKind::Number | SymbolicKind::Quotient => true,
            SymbolicKind::Tuple => members(text).is_none(),
            _ => false,
        }
    }

    /// The value without its guard; for a view, the layout without its offset.
    ///
    /// ```
    /// # use tilework_expr::{Session, Value};
    /// let Value::Symbolic(size) = Session::new().evaluate("size((M,8):(8,1))")?.clone() else { panic!() };
    /// assert_eq!(size.text(), "8*M");
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The offset of a view.
    ///
    /// ```
    /// # use tilework_expr::{Session, SymbolicKind, Value};
    /// let Value::Symbolic(column) = Session::new().evaluate("let A = (M,K):(1,ld); A(_,2)")?.clone() else { panic!() };
    /// assert_eq!((column.offset(), column.text()), (Some("2*ld"), "M:1"));
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub fn offset(&self) -> Option<&str> {
        self.offset.as_deref()
    }

    /// For source text, the whole function, with its layout as a comment and the checks of its guard on the host.
    ///
    /// ```
    /// # use tilework_expr::{Session, SymbolicKind, Value};
    /// let Value::Symbolic(source) = Session::new().evaluate("emit (M,K):(1,ld) as c")?.clone() else { panic!() };
    /// assert!(source.function().unwrap().contains("return (x % M) + (x / M)*ld;"));
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub fn function(&self) -> Option<&str> {
        self.function.as_deref()
    }

    /// The condition under which it is correct: all of these clauses; a clause holds if all conditions of one of its
    /// alternatives do. Empty if it is correct for all values.
    ///
    /// ```
    /// # use tilework_expr::{Session, SymbolicKind, Value};
    /// let Value::Symbolic(tiles) = Session::new().evaluate("(M,K):(1,ld) / 128")?.clone() else { panic!() };
    /// assert_eq!(tiles.guard(), [[["M % 128 == 0"]]]);
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub fn guard(&self) -> &[Vec<Vec<String>>] {
        &self.guard
    }

    /// Its kind, for sentences.
    pub(crate) fn described(&self) -> &'static str {
        match self.kind {
            SymbolicKind::Number | SymbolicKind::Quotient => "a symbolic number",
            SymbolicKind::Tuple => "a symbolic tuple",
            SymbolicKind::Layout => "a symbolic layout",
            SymbolicKind::View => "a symbolic layout with an offset",
            SymbolicKind::Tiler => "a symbolic tiler",
            SymbolicKind::Truth => "the answer to a question",
            SymbolicKind::Facts => "a list of facts",
            SymbolicKind::Hint => "a hint",
            SymbolicKind::Source => "source text",
            SymbolicKind::Cases => "a list of cases",
        }
    }
}

/// A clause as text: alternatives in parentheses if there are other clauses.
pub(crate) fn clause_text(clause: &[Vec<String>], alone: bool) -> String {
    let alternative = |conditions: &Vec<String>| match &conditions[..] {
        [condition] => condition.clone(),
        several => format!("({})", several.join(" & ")),
    };
    let text = clause.iter().map(alternative).collect::<Vec<_>>().join(" or ");
    if alone || clause.len() == 1 { text } else { format!("({text})") }
}

/// A guard as text.
pub(crate) fn guard_text(guard: &[Vec<Vec<String>>]) -> String {
    if guard.is_empty() {
        return "always".into();
    }
    let clauses = guard.iter().map(|clause| clause_text(clause, guard.len() == 1));
    clauses.collect::<Vec<_>>().join(" and ")
}

impl fmt::Display for Symbolic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            SymbolicKind::Facts => f.write_str("assume ")?,
            SymbolicKind::Hint => f.write_str("hint ")?,
            _ => {}
        }
        if let Some(offset) = &self.offset {
            write!(f, "{{{offset}}} o ")?;
        }
        f.write_str(&self.text)?;
        match &self.guard[..] {
            [] => Ok(()),
            guard => write!(f, " if {}", guard_text(guard)),
        }
    }
}
