//! The rows of the table.

use super::call::{Answer, Call};
use super::evaluate::{Answered, CoordinateOperation, Evaluate, LayoutOperation};
use super::over_names::{self, OverNames};
use super::parts::{Change, part};
use crate::axes::Axes;
use crate::error::Failure;
use crate::explain::Explain;
use crate::explain::questions::Why;
use crate::names::Names;
use crate::symbolic::{Question, SymbolicKind};
use crate::value::Value;
use std::fmt;
use std::sync::Arc;
use tilework::{AnyLayout, Error, Layout, Tiler};

/// The topic of a function, by which help is grouped.
///
/// ```
/// let coalesce = tilework_expr::find("coalesce").unwrap();
/// assert_eq!(coalesce.family().title(), "Simplification");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Family {
    /// Sizes, offsets and the like.
    Queries,
    /// Layouts from shapes.
    Construction,
    /// Coordinates, offsets and slices.
    Coordinates,
    /// Extracting and concatenating parts.
    Parts,
    /// Simplification.
    Simplification,
    /// Matrices, XOR strides, swizzles, lists of offsets.
    Forms,
    /// Composition, inverses and complements.
    Algebra,
    /// Divides.
    Divides,
    /// Products.
    Products,
    /// Element sizes and common layouts.
    Vectors,
    /// Questions.
    Predicates,
    /// Atoms, and atoms over tiles.
    Instructions,
}

impl Family {
    /// The heading in help.
    ///
    /// ```
    /// assert_eq!(tilework_expr::Family::Predicates.title(), "Yes or no");
    /// ```
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Family::Queries => "Questions about a layout",
            Family::Construction => "Layouts from shapes",
            Family::Coordinates => "Coordinates and slices",
            Family::Parts => "Parts and groups of modes",
            Family::Simplification => "Simplification",
            Family::Forms => "One function in another form",
            Family::Algebra => "Composition, inverses, complements",
            Family::Divides => "Divides",
            Family::Products => "Products",
            Family::Vectors => "Element sizes and common parts",
            Family::Predicates => "Yes or no",
            Family::Instructions => "Instructions",
        }
    }
}

/// The meaning of the indices of `name<0,1>(...)`.
///
/// ```
/// use tilework_expr::{Indices, find};
/// assert_eq!(find("size").unwrap().indices(), Indices::Path);
/// assert_eq!(find("group").unwrap().indices(), Indices::Own(2, 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Indices {
    /// No indices.
    None,
    /// The path to a part of the first argument.
    Path,
    /// Numbers, with the least and the greatest count; they may be written as arguments instead.
    Own(usize, usize),
}

/// An infix operator of the language.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    /// `o`
    Composition,
    /// `/`
    Divide,
    /// `*`
    Product,
}

/// The order of the modes of a product.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// The tile in all modes, then the grid.
    Whole,
    /// In each mode the tile, then the grid.
    Blocked,
    /// In each mode the grid, then the tile.
    Raked,
}

/// The part of a picture of a call besides its operands and its value.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "pictures"), allow(dead_code))]
pub(crate) enum Drawing {
    /// The tile that the right operand selects from the left one; an element is traced through both.
    Composition,
    /// The tiles of the left operand, by this division.
    Divide(fn(&Layout, &Tiler) -> Result<Layout, Error>),
    /// The copies in the result: their order by a layout, and by a tiler mode by mode.
    Product(Order, Order),
    /// The indices that both operands share.
    Common(fn(&AnyLayout, &AnyLayout) -> Result<Layout, Error>),
    /// An element is traced from the inverse to the layout.
    Inverse,
    /// The elements of the left operand that the result has.
    Part,
}

/// A function of the language: a row of [`FUNCTIONS`](crate::FUNCTIONS).
///
/// ```
/// use tilework_expr::{Session, find};
/// let function = find("zipped_divide").unwrap();
/// assert_eq!((function.name(), function.signature()), ("zipped_divide", "layout, tiler -> Self"));
/// let mut session = Session::new();
/// for (expression, value) in function.examples() {
///     assert_eq!(session.evaluate(expression)?.to_string(), *value);
/// }
/// # Ok::<(), tilework_expr::ExprError>(())
/// ```
pub struct Function {
    name: &'static str,
    aliases: &'static [&'static str],
    signature: &'static str,
    forms: &'static [&'static str],
    indices: Indices,
    arguments: (usize, usize),
    family: Family,
    summary: &'static str,
    examples: &'static [(&'static str, &'static str)],
    definition: &'static str,
    cute: [&'static str; 3],
    errors: &'static str,
    sign: Option<Sign>,
    fact: Option<u8>,
    evaluate: Evaluate,
    in_pycute: Option<LayoutOperation>,
    in_dsl: &'static [&'static str],
    pub(crate) last_in_cute: Option<i64>,
    names_order: bool,
    over_names: Option<OverNames>,
    pub(crate) explain: Option<Explain>,
    pub(crate) why: Option<Why>,
    #[cfg_attr(not(feature = "pictures"), allow(dead_code))]
    pub(crate) drawing: Option<Drawing>,
}

/// A row with the columns that every function has.
pub(super) const fn of(
    family: Family,
    name: &'static str,
    signature: &'static str,
    forms: &'static [&'static str],
    summary: &'static str,
    evaluate: Evaluate,
) -> Function {
    Function {
        name,
        aliases: &[],
        signature,
        forms,
        indices: Indices::None,
        arguments: arguments(signature, Indices::None),
        family,
        summary,
        examples: &[],
        definition: "",
        cute: [""; 3],
        errors: "",
        sign: None,
        fact: None,
        evaluate,
        in_pycute: None,
        in_dsl: &[],
        last_in_cute: None,
        names_order: false,
        over_names: None,
        explain: None,
        why: None,
        drawing: None,
    }
}

/// The fewest and the most arguments by the parameters of Python; named indices may also be written in `<...>`.
const fn arguments(signature: &str, indices: Indices) -> (usize, usize) {
    let (bytes, mut at, mut least, mut most) = (signature.as_bytes(), 0, 0, 0);
    loop {
        let (start, mut optional) = (at, false);
        while bytes[at] != b',' && bytes[at] != b' ' {
            optional |= bytes[at] == b'=';
            at += 1;
        }
        match (bytes[start], indices) {
            // The next text is an index, by name.
            (b'*', _) if at == start + 1 => break,
            (b'*', Indices::None) => most = usize::MAX,
            (b'*', Indices::Own(_, count)) => most += count,
            (b'*', Indices::Path) => {}
            _ => {
                least += !optional as usize;
                most += 1;
            }
        }
        // The next text is the result.
        if bytes[at] == b' ' {
            break;
        }
        at += 2;
    }
    match indices {
        Indices::Own(count, _) if least > count => (least - count, most),
        Indices::Own(..) => (1, most),
        _ => (least, most),
    }
}

/// The columns that only some functions have, by the methods that set them.
macro_rules! settings {
    ($($(#[$doc:meta])* $method:ident($column:ident: $type:ty) $value:expr;)*) => {
        impl Function {$(
            $(#[$doc])*
            pub(super) const fn $method(self, $column: $type) -> Function {
                Function { $column: $value, ..self }
            }
        )*}
    };
}
settings! {
    also(aliases: &'static [&'static str]) aliases;
    example(examples: &'static [(&'static str, &'static str)]) examples;
    /// The names of its parameters in the DSL, in order, if they differ from those of the signature.
    in_dsl(in_dsl: &'static [&'static str]) in_dsl;
    /// The last argument by which it computes what CuTe does, where it is called by CuTe's name, `cute::f`.
    last_in_cute(last_in_cute: i64) Some(last_in_cute);
    written(sign: Sign) Some(sign);
    fact_at(fact: u8) Some(fact);
    /// What pycute computes under this name, if its results have another form.
    in_pycute(in_pycute: LayoutOperation) Some(in_pycute);
    with_names(over_names: OverNames) Some(over_names);
    explained(explain: Explain) Some(explain);
    because(why: Why) Some(why);
    drawn(drawing: Drawing) Some(drawing);
}

impl Function {
    pub(super) const fn takes(self, indices: Indices) -> Function {
        Function { indices, arguments: arguments(self.signature, indices), ..self }
    }

    /// Its definition, its names in C++ CuTe, the CuTe DSL and pycute, and its errors.
    pub(super) const fn manual(
        self,
        definition: &'static str,
        cute: [&'static str; 3],
        errors: &'static str,
    ) -> Function {
        Function { definition, cute, errors, ..self }
    }

    /// Its names in C++ are those of an order of strides, which is written after a shape.
    pub(super) const fn names_order(self) -> Function {
        Function { names_order: true, ..self }
    }
}

/// Columns that are read as they are.
macro_rules! columns {
    ($($(#[$doc:meta])* $column:ident: $type:ty;)*) => {
        impl Function {$(
            $(#[$doc])*
            #[must_use]
            pub const fn $column(&self) -> $type {
                self.$column
            }
        )*}
    };
}
columns! {
    /// Its name.
    ///
    /// ```
    /// assert_eq!(tilework_expr::find("make_layout").unwrap().name(), "layout");
    /// ```
    name: &'static str;
    /// Other names: CuTe's, and those of its Python forms.
    ///
    /// ```
    /// assert_eq!(tilework_expr::find("layout").unwrap().aliases(), ["Layout", "make_layout"]);
    /// ```
    aliases: &'static [&'static str];
    /// Its parameters and its result as Python writes them; `Self` is the type of the first parameter.
    ///
    /// ```
    /// assert_eq!(tilework_expr::find("complement").unwrap().signature(), "layout, within=None -> Layout");
    /// ```
    signature: &'static str;
    /// Its forms.
    ///
    /// ```
    /// assert_eq!(tilework_expr::find("composition").unwrap().forms(), ["composition(A, B)", "A o B"]);
    /// ```
    forms: &'static [&'static str];
    /// The meaning of the indices in `<...>`.
    ///
    /// ```
    /// use tilework_expr::{Indices, find};
    /// assert_eq!(find("coalesce").unwrap().indices(), Indices::None);
    /// ```
    indices: Indices;
    /// Its topic.
    ///
    /// ```
    /// use tilework_expr::{Family, find};
    /// assert_eq!(find("sort").unwrap().family(), Family::Simplification);
    /// ```
    family: Family;
    /// The question that it answers, in one line.
    ///
    /// ```
    /// assert_eq!(tilework_expr::find("rank").unwrap().summary(), "the number of modes");
    /// ```
    summary: &'static str;
    /// Expressions with their values.
    ///
    /// ```
    /// assert_eq!(tilework_expr::find("rank").unwrap().examples(), [("rank((4,(8,2)))", "2")]);
    /// ```
    examples: &'static [(&'static str, &'static str)];
    /// Its definition, with the section of the paper.
    ///
    /// ```
    /// assert_eq!(tilework_expr::find("is_contiguous").unwrap().definition(), "L(i) = i for every index: coalesce(L) = size:1");
    /// ```
    definition: &'static str;
    /// Its names in C++ CuTe, in the CuTe DSL and in pycute; empty if these lack it.
    ///
    /// ```
    /// assert_eq!(tilework_expr::find("group").unwrap().cute(), ["group<B,E>", "group_modes", ""]);
    /// ```
    cute: [&'static str; 3];
    /// Its errors, by code; empty if it only refuses invalid arguments.
    ///
    /// ```
    /// assert!(tilework_expr::find("inverse").unwrap().errors().starts_with("no-inverse"));
    /// ```
    errors: &'static str;
    /// Its position among the facts that are shown about every layout, if it is one.
    ///
    /// ```
    /// use tilework_expr::find;
    /// assert!(find("shape").unwrap().fact() < find("size").unwrap().fact());
    /// assert_eq!(find("composition").unwrap().fact(), None);
    /// ```
    fact: Option<u8>;
    /// The fewest and the most arguments, apart from indices.
    ///
    /// ```
    /// assert_eq!(tilework_expr::find("crd2idx").unwrap().arguments(), (2, 3));
    /// assert_eq!(tilework_expr::find("upcast").unwrap().arguments(), (1, 2));
    /// ```
    arguments: (usize, usize);
}

impl Function {
    /// The operation of the core that it is, if its first operand and its result are layouts.
    ///
    /// ```
    /// use tilework::Layout;
    /// use tilework_expr::{LayoutOperation, find};
    /// let Some(LayoutOperation::One(sort)) = find("sort").unwrap().core() else { panic!("an operation") };
    /// assert_eq!(sort(&Layout::row_major(&"(4,8)".parse()?)?)?.to_string(), "(8,4):(1,8)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn core(&self) -> Option<LayoutOperation> {
        match self.evaluate {
            Evaluate::Core(operation) => Some(operation),
            _ => None,
        }
    }

    /// What pycute computes under this name, if it is an operation on layouts: [`core`](Self::core), or one whose results are
    /// in pycute's form.
    ///
    /// ```
    /// use tilework_expr::{LayoutOperation, find};
    /// let operation = find("right_inverse").unwrap().pycute();
    /// let Some(LayoutOperation::One(right_inverse)) = operation else { panic!("of one layout") };
    /// assert_eq!(right_inverse(&"(4,8):(8,1)".parse()?)?.to_string(), "(8,4):(4,1)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn pycute(&self) -> Option<LayoutOperation> {
        match self.in_pycute {
            None => self.core(),
            own => own,
        }
    }

    /// The operation of the core that it is for a coordinate and a shape, if it is one.
    ///
    /// ```
    /// use tilework::{HTuple, Shape};
    /// let shape: Shape = "(4,8)".parse()?;
    /// let idx2crd = tilework_expr::find("idx2crd").unwrap().on_coordinates().unwrap();
    /// assert_eq!(idx2crd(&HTuple::leaf(22), &shape)?.to_string(), "(2,5)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn on_coordinates(&self) -> Option<CoordinateOperation> {
        match self.evaluate {
            Evaluate::Coordinate(operation, _) => Some(operation),
            _ => None,
        }
    }

    /// The value of a call.
    ///
    /// ```
    /// use tilework_expr::{Session, find};
    /// let layout = Session::new().evaluate("(4,8):(8,1)")?.clone();
    /// let size = find("size").unwrap();
    /// assert_eq!(size.call(&[layout.clone()], &[1]).unwrap().to_string(), "8");
    /// assert!(size.call(&[layout.clone(), layout], &[]).is_err());
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    ///
    /// # Errors
    /// [`Failure`] for a wrong number of arguments or indices, for arguments of a wrong kind, and if the algebra
    /// refuses.
    pub fn call(&self, arguments: &[Value], indices: &[usize]) -> Result<Value, Failure> {
        self.answered(arguments, indices).map(Value::from)
    }

    /// What a call answers, as a number or a truth value if it is one: no value is made of these.
    ///
    /// ```
    /// use tilework_expr::{Answered, Session, find};
    /// let layout = Session::new().evaluate("(4,8):(8,1)")?.clone();
    /// assert!(matches!(find("size").unwrap().answered(&[layout], &[]), Ok(Answered::Number(32))));
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`call`](Self::call).
    #[inline]
    pub fn answered(&self, arguments: &[Value], indices: &[usize]) -> Result<Answered, Failure> {
        // The most frequent case.
        if indices.is_empty() && (self.arguments.0..=self.arguments.1).contains(&arguments.len()) {
            return self.run(arguments, indices);
        }
        match self.path(arguments, indices)? {
            Some(path) => self.run(&[part(&arguments[0], &path)?], &path),
            None => self.run(arguments, indices),
        }
    }

    /// The path to the part of the only argument for which the function is asked: its indices, or the integers behind it.
    fn path(&self, arguments: &[Value], indices: &[usize]) -> Result<Option<Vec<usize>>, Failure> {
        if let Some(message) = self.refuses(arguments.len(), indices.len()) {
            return Err(Failure::other("arguments", message));
        }
        let (is_path, most) = (self.indices == Indices::Path, self.arguments.1);
        if !is_path || !indices.is_empty() || arguments.len() <= most {
            return Ok((is_path && !indices.is_empty()).then(|| indices.to_vec()));
        }
        let index = |(place, value): (usize, &Value)| {
            let index = value.as_integer().and_then(|index| usize::try_from(index).ok());
            let wanted = "takes the indices of a part behind its argument";
            index.ok_or_else(|| Failure::argument(place, format!("{} {wanted}; found {value}", self.name)))
        };
        arguments.iter().enumerate().skip(most).map(index).collect::<Result<_, _>>().map(Some)
    }

    /// The value of a call that may have names in its arguments, in their scope.
    pub(crate) fn call_with_names(&self, names: &Names, arguments: &[Value], indices: &[usize]) -> Answer {
        let Some(index) = arguments.iter().position(Value::is_symbolic) else {
            return self.call(arguments, indices);
        };
        let operation = match self.evaluate {
            Evaluate::Moved(change) => Some(OverNames::Moved(change)),
            _ => self.over_names,
        };
        let Some(operation) = operation else {
            let message = format!("{} takes numbers only; found {}", self.name, arguments[index].kind());
            let help = Some("give its names values first, as in L[M = 4096, K = 512]");
            return Err(Failure::Argument { index, message, help });
        };
        if let Some(path) = self.path(arguments, indices)? {
            let get = OverNames::Moved(|call| Ok(Change::Get(call.indices.to_vec())));
            let part = over_names::evaluate(get, "get", &arguments[..1], &path, names)?;
            if !part.is_symbolic() {
                return self.run(&[part], &[]).map(Value::from);
            }
            return over_names::evaluate(operation, self.name, &[part], &[], names);
        }
        let mut answer = over_names::evaluate(operation, self.name, arguments, indices, names)?;
        if let Value::Symbolic(symbolic) = &mut answer
            && symbolic.kind() == SymbolicKind::Truth
            && indices.is_empty()
        {
            let operands = arguments.iter().map(|argument| names.symbolic(argument));
            let operands = operands.collect::<Result<Option<Vec<_>>, _>>()?;
            symbolic.question = operands.map(|operands| Arc::new(Question { function: self.name, operands }));
        }
        Ok(answer)
    }

    #[inline]
    fn run(&self, arguments: &[Value], indices: &[usize]) -> Result<Answered, Failure> {
        let answered = self.evaluate.call(&Call { name: self.name, arguments, indices })?;
        if arguments.iter().any(|own| matches!(own, Value::Named(..))) {
            self.fits_axes(arguments, &answered)?;
        }
        Ok(answered)
    }

    /// Layouts on different axes have no answer together, and only a layout answers for all replicas.
    #[cold]
    fn fits_axes(&self, arguments: &[Value], answered: &Answered) -> Result<(), Failure> {
        let mut all = arguments.iter().filter_map(|own| match own {
            Value::Named(axes, _) => Some(axes),
            _ => None,
        });
        let Some(first) = all.next() else { return Ok(()) };
        let listed = |axes: &Axes| axes.names().join(", ");
        if let Some(other) = all.find(|other| other.names() != first.names()) {
            let message =
                format!("one layout is on the axes {}, another on {}", listed(first), listed(other));
            return Err(Failure::other("arguments", message));
        }
        if first.replicas().is_some() && !matches!(answered, Answered::Value(Value::Named(..))) {
            let message =
                format!("{} has no answer for a layout with replicas; its .layout has none", self.name);
            return Err(Failure::other("arguments", message));
        }
        Ok(())
    }

    /// The place of a parameter with this name, in the DSL or in the signature.
    pub(crate) fn parameter(&self, name: &str) -> Option<usize> {
        let parameters = self.signature.split(" -> ").next().unwrap_or("").split(", ");
        let mut own = parameters.map(|parameter| parameter.split('=').next().unwrap_or(parameter));
        self.in_dsl.iter().position(|dsl| *dsl == name).or_else(|| own.position(|own| own == name))
    }

    /// Whether it makes the compact layout of an order with this name in C++.
    pub(super) fn is_order(&self, word: &str) -> bool {
        self.names_order && self.cute[0].split(", ").any(|name| name == word)
    }

    /// Whether this infix operator denotes it.
    pub(super) const fn has_sign(&self, sign: Sign) -> bool {
        matches!(self.sign, Some(own) if own as u8 == sign as u8)
    }

    /// Whether what prints layouts or writes kernels calls it: it makes a layout, or has an infix operator. Other functions may take
    /// milliseconds.
    pub(crate) const fn is_printed(&self) -> bool {
        matches!(self.family, Family::Construction) || self.sign.is_some()
    }

    /// The error if the function does not take this number of arguments and indices.
    pub(crate) fn refuses(&self, arguments: usize, indices: usize) -> Option<String> {
        let (least, mut most) = self.arguments;
        let mut with = "";
        if self.indices == Indices::Path && indices == 0 {
            // Integers behind the argument are indices.
            most = usize::MAX;
        }
        if let Indices::Own(_, count) = self.indices
            && indices > 0
        {
            // What is written in `<...>` is no argument as well, but for an index that has only a name.
            most -= if self.signature.contains("*, ") { 0 } else { count };
            with = " with its indices in `<...>`";
        }
        if arguments < least || arguments > most {
            let takes = match (least, most) {
                (1, 1) => String::from("1 argument"),
                (1, usize::MAX) => String::from("1 argument or more"),
                (least, most) if least == most => format!("{least} arguments"),
                (least, usize::MAX) => format!("{least} arguments or more"),
                (least, most) => format!("{least} to {most} arguments"),
            };
            return Some(format!("{} takes {takes}{with}, found {arguments}", self.name));
        }
        let fits = match self.indices {
            Indices::None => indices == 0,
            Indices::Path => true,
            Indices::Own(least, most) => indices == 0 || (least..=most).contains(&indices),
        };
        (!fits).then(|| format!("{} does not take {indices} indices in `<...>`", self.name))
    }
}

impl fmt::Display for Function {
    /// Its documentation: the question, its forms, definition, examples, CuTe's names, errors.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", self.name, self.summary)?;
        for form in self.forms {
            writeln!(f, "  {form}")?;
        }
        writeln!(f, "definition: {}", self.definition)?;
        for (expression, result) in self.examples {
            writeln!(f, "example: {expression} = {result}")?;
        }
        for (language, name) in ["C++ CuTe", "CuTe DSL", "pycute"].iter().zip(self.cute) {
            if !name.is_empty() {
                writeln!(f, "{language}: {name}")?;
            }
        }
        if !self.aliases.is_empty() {
            writeln!(f, "also: {}", self.aliases.join(", "))?;
        }
        if !self.errors.is_empty() {
            writeln!(f, "refuses: {}", self.errors)?;
        }
        Ok(())
    }
}
