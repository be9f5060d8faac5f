//! Values with names that are known only at launch.
//!
//! A symbolic value owns its numbers, and keeps the names in them with its guard. An operation adopts its operands in a
//! copy of the session's scope, so that later facts apply to earlier values.

mod words;

use std::fmt;
use std::sync::Arc;
use tilework::Swizzle;
use tilework_symbolic::{
    Declarations, Guard, Number, Placed, SymbolicLayout, SymbolicLeaf, SymbolicTiler, Tuple,
};
pub(crate) use words::{is_of_elements, members, next_number, numbered, word_length, words, words_at};

/// The kind of a symbolic value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SymbolicKind {
    /// A polynomial in names, `2*M + 3`.
    Number,
    /// A quotient of two polynomials that is not a polynomial, `ld/M`: an argument of `floor` and `ceil`.
    Quotient,
    /// A tuple of numbers and strides, or a stride.
    Tuple,
    /// A layout.
    Layout,
    /// A layout with an offset.
    View,
    /// A swizzled layout.
    Swizzled,
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
#[derive(Clone, Debug)]
pub struct Symbolic {
    pub(crate) content: Content,
    /// Sufficient: where it fails, the answer to a question is that of its function.
    pub(crate) guard: Guard,
    pub(crate) question: Option<Arc<Question>>,
    /// The names and quotients in the content and the guard.
    pub(crate) declared: Arc<Declarations>,
}

/// What was asked, to ask it again at values of the names.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub function: &'static str,
    pub operands: Vec<Symbolic>,
}

/// A symbolic value without its guard.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    Number(Number),
    Quotient(Number, Number),
    /// Numbers and strides, as leaves of extent 1, with nothing for each `_`.
    Tuple(Tuple<Option<SymbolicLeaf>>),
    Layout(SymbolicLayout),
    /// With an offset, or a swizzle.
    Placed(Placed),
    Tiler(SymbolicTiler),
    Truth(bool),
    Facts(String),
    Hint(String),
    /// An expression, and the function that contains it.
    Source(String, String),
    Cases(String),
}

impl Content {
    /// The same of numbers.
    pub fn of_numbers(tuple: &Tuple<Number>) -> Content {
        Content::of_elements(tuple.map(|number| Some(SymbolicLeaf::new(1, number.clone()))))
    }

    /// A number, or a tuple.
    pub fn of_elements(tuple: Tuple<Option<SymbolicLeaf>>) -> Content {
        match (tuple.is_leaf(), tuple.leaves()) {
            (true, [Some(leaf)]) if leaf.unit.is_one() => Content::Number(leaf.stride.clone()),
            _ => Content::Tuple(tuple),
        }
    }
}

/// A condition on names and its text: a fact, or a clause of a guard.
#[derive(Clone)]
pub(crate) struct Condition {
    pub text: String,
    pub guard: Guard,
    pub declared: Arc<Declarations>,
}

impl Condition {
    /// The clauses of a guard, all of which hold.
    pub fn clauses(guard: &Guard, declared: &Arc<Declarations>) -> Vec<Condition> {
        let clause =
            |guard| Condition { text: declared.guard_text(&guard), guard, declared: declared.clone() };
        guard.each().map(clause).collect()
    }

    /// Whether it holds for values of all names, regardless of the facts.
    pub fn holds(&self, at: &[(&str, i64)]) -> bool {
        self.declared.holds(&self.guard, &self.declared.any_values(at)).unwrap_or(false)
    }
}

/// Equal if they are written the same.
impl PartialEq for Symbolic {
    fn eq(&self, other: &Symbolic) -> bool {
        self.kind() == other.kind()
            && self.function() == other.function()
            && self.to_string() == other.to_string()
    }
}

impl Eq for Symbolic {}

impl Symbolic {
    /// A value that is correct for all values of the names.
    pub(crate) fn new(content: Content, declared: &Arc<Declarations>) -> Symbolic {
        Symbolic { content, guard: Guard::ALWAYS, question: None, declared: declared.clone() }
    }

    /// A value without names.
    pub(crate) fn plain(content: Content) -> Symbolic {
        Symbolic::new(content, &Arc::default())
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
        match &self.content {
            Content::Number(_) => SymbolicKind::Number,
            Content::Quotient(..) => SymbolicKind::Quotient,
            Content::Tuple(_) => SymbolicKind::Tuple,
            Content::Layout(_) => SymbolicKind::Layout,
            Content::Placed(placed) if placed.swizzle() != Swizzle::NONE => SymbolicKind::Swizzled,
            Content::Placed(_) => SymbolicKind::View,
            Content::Tiler(_) => SymbolicKind::Tiler,
            Content::Truth(_) => SymbolicKind::Truth,
            Content::Facts(_) => SymbolicKind::Facts,
            Content::Hint(_) => SymbolicKind::Hint,
            Content::Source(..) => SymbolicKind::Source,
            Content::Cases(_) => SymbolicKind::Cases,
        }
    }

    /// Whether it is a function of coordinates: a layout, with an offset or a swizzle or without.
    pub(crate) fn is_function(&self) -> bool {
        matches!(self.content, Content::Layout(_) | Content::Placed(_))
    }

    /// Whether it is a number or a quotient, also in parentheses.
    pub(crate) fn is_number(&self) -> bool {
        match &self.content {
            Content::Number(_) | Content::Quotient(..) => true,
            // No tuple in it has another mode.
            Content::Tuple(tuple) => {
                matches!(tuple.leaves(), [Some(leaf)] if leaf.unit.is_one())
                    && tuple.profile().nodes().len() == tuple.depth() + 1
            }
            _ => false,
        }
    }

    /// The stride of coordinates, if it is one.
    pub(crate) fn element(&self) -> Option<&SymbolicLeaf> {
        match &self.content {
            Content::Tuple(tuple) if tuple.is_leaf() => tuple.leaves()[0].as_ref(),
            _ => None,
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
    pub fn text(&self) -> String {
        let declared = &self.declared;
        match &self.content {
            Content::Number(number) => declared.number_text(number),
            Content::Quotient(numerator, denominator) => {
                format!("({})/({})", declared.number_text(numerator), declared.number_text(denominator))
            }
            Content::Tuple(tuple) => tuple.text(&|leaf| match leaf {
                Some(leaf) if leaf.unit.is_one() => declared.number_text(&leaf.stride),
                Some(leaf) => declared.stride_text(leaf),
                None => "_".into(),
            }),
            Content::Layout(layout) => layout.to_string(),
            Content::Placed(placed) if self.kind() == SymbolicKind::View => placed.layout().to_string(),
            Content::Placed(placed) => placed.to_string(),
            Content::Tiler(tiler) => tiler.to_string(),
            Content::Truth(truth) => truth.to_string(),
            Content::Facts(text) | Content::Hint(text) | Content::Source(text, _) | Content::Cases(text) => {
                text.clone()
            }
        }
    }

    /// The offset of a view.
    ///
    /// ```
    /// # use tilework_expr::{Session, SymbolicKind, Value};
    /// let Value::Symbolic(column) = Session::new().evaluate("let A = (M,K):(1,ld); A(_,2)")?.clone() else { panic!() };
    /// assert_eq!((column.offset(), column.text()), (Some("2*ld".into()), "M:1".into()));
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub fn offset(&self) -> Option<String> {
        match &self.content {
            Content::Placed(placed) if self.kind() == SymbolicKind::View => {
                Some(placed.offset().text(&|number| self.declared.number_text(number)))
            }
            _ => None,
        }
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
        match &self.content {
            Content::Source(_, function) => Some(function),
            _ => None,
        }
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
    pub fn guard(&self) -> Vec<Vec<Vec<String>>> {
        let texts =
            |all: &Vec<_>| all.iter().map(|condition| self.declared.condition_text(condition)).collect();
        self.guard.clauses().iter().map(|clause| clause.iter().map(texts).collect()).collect()
    }

    /// The same as one text; empty if it is correct for all values.
    ///
    /// ```
    /// # use tilework_expr::{Session, Value};
    /// let Value::Symbolic(answer) = Session::new().evaluate("assume ld >= M; (M,K):(1,ld) o 128:1")?.clone() else { panic!() };
    /// assert_eq!(answer.condition(), "ld == M or M >= 128");
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub fn condition(&self) -> String {
        match self.guard.is_always() {
            true => String::new(),
            false => self.declared.guard_text(&self.guard),
        }
    }

    /// The names in it and its guard, in the order of their declaration.
    pub(crate) fn names(&self) -> Vec<&str> {
        let leaves = match &self.content {
            Content::Layout(layout) => layout.leaves(),
            Content::Placed(placed) => placed.layout().leaves(),
            Content::Tiler(tiler) => tiler.leaves(),
            _ => &[],
        };
        let own: Vec<&Number> = match &self.content {
            Content::Number(number) => vec![number],
            Content::Placed(placed) => placed.offset().leaves().iter().collect(),
            Content::Quotient(numerator, denominator) => vec![numerator, denominator],
            Content::Tuple(tuple) => {
                tuple.leaves().iter().flatten().flat_map(SymbolicLeaf::numbers).collect()
            }
            _ => Vec::new(),
        };
        let all = leaves.iter().flat_map(SymbolicLeaf::numbers).chain(own).chain(self.guard.numbers());
        self.declared.names_in(all).collect()
    }

    /// Its kind, for sentences.
    pub(crate) fn described(&self) -> &'static str {
        match self.kind() {
            SymbolicKind::Number | SymbolicKind::Quotient => "a symbolic number",
            SymbolicKind::Tuple if self.element().is_some() => "a symbolic stride",
            SymbolicKind::Tuple => "a symbolic tuple",
            SymbolicKind::Layout => "a symbolic layout",
            SymbolicKind::View => "a symbolic layout with an offset",
            SymbolicKind::Swizzled => "a swizzled symbolic layout",
            SymbolicKind::Tiler => "a symbolic tiler",
            SymbolicKind::Truth => "the answer to a question",
            SymbolicKind::Facts => "a list of facts",
            SymbolicKind::Hint => "a hint",
            SymbolicKind::Source => "source text",
            SymbolicKind::Cases => "a list of cases",
        }
    }
}

impl fmt::Display for Symbolic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            SymbolicKind::Facts => f.write_str("assume ")?,
            SymbolicKind::Hint => f.write_str("hint ")?,
            _ => {}
        }
        if let Some(offset) = self.offset() {
            write!(f, "{{{offset}}} o ")?;
        }
        f.write_str(&self.text())?;
        match &*self.condition() {
            "" => Ok(()),
            condition => write!(f, " if {condition}"),
        }
    }
}
