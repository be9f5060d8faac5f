//! A kernel as a value: tensors, views of them, and six kinds of statement.

use crate::element::Element;
use crate::form::{Digit, Form, Index};
use crate::instruction::Instruction;
use crate::prelude::*;
use tilework::{AnyLayout, Layout};
use tilework_symbolic::{Number, Scope, SymbolicLayout};

/// Where a tensor is, and who may access it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// Global memory that is only read.
    Read,
    /// Global memory that is only written, each element once.
    Write,
    /// Global memory each element of which one thread reads and writes.
    Update,
    /// The block's memory.
    Shared,
    /// The thread's own.
    Registers,
}

impl Space {
    pub(crate) const ALL: [Space; 5] =
        [Space::Read, Space::Write, Space::Update, Space::Shared, Space::Registers];

    /// Its word in a program's text.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Space::Read => "read",
            Space::Write => "write",
            Space::Update => "update",
            Space::Shared => "shared",
            Space::Registers => "registers",
        }
    }

    /// Whether it is in global memory.
    #[must_use]
    pub fn is_global(self) -> bool {
        matches!(self, Space::Read | Space::Write | Space::Update)
    }
}

/// The layout of a tensor: with names in global memory, of numbers and perhaps swizzled elsewhere.
#[derive(Clone, Debug)]
pub enum Storage {
    /// Of a global tensor.
    Global(SymbolicLayout),
    /// Of a shared tensor, or of a thread's registers.
    Local(Box<AnyLayout>),
}

/// A tensor of a program.
#[derive(Clone, Debug)]
pub struct Tensor {
    /// Its name in the text.
    pub name: String,
    /// Where it is.
    pub space: Space,
    /// The type of its elements.
    pub element: Element,
    /// Where each element is.
    pub storage: Storage,
    /// The line of the text on which it is declared.
    pub line: usize,
}

impl Tensor {
    /// The extent of a mode.
    ///
    /// # Errors
    /// Of a mode that it does not have.
    pub fn extent(&self, scope: &Scope, mode: usize) -> Result<Number, Error> {
        Ok(match &self.storage {
            Storage::Global(layout) => scope.size(&scope.layout_of(layout.as_tuple().mode(mode)?)?)?,
            Storage::Local(layout) => layout.layout().mode(mode)?.size().into(),
        })
    }

    /// The number of its modes: coordinates of a view are by mode.
    #[must_use]
    pub fn rank(&self) -> usize {
        match &self.storage {
            Storage::Global(layout) => layout.rank(),
            Storage::Local(layout) => layout.layout().rank(),
        }
    }
}

/// What a view adds to the coordinates of its tensor.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// `b0 32@0`, `(k+2)%3 1@2`: a digit times a step.
    Step {
        /// The digit.
        digit: Digit,
        /// The step of one count.
        step: i64,
        /// The mode.
        mode: usize,
    },
    /// `t (32,8):(1@1,1@0)`: an index, split by a layout whose strides are in coordinates.
    Split {
        /// The index.
        index: Index,
        /// The layout.
        layout: Box<Layout>,
    },
    /// `3@1`.
    Constant {
        /// The amount.
        step: i64,
        /// The mode.
        mode: usize,
    },
    /// `rows[b0 1@0]@0`: an element of a `u32` tensor.
    Gather {
        /// Where the element is read.
        view: Box<View>,
        /// The mode.
        mode: usize,
    },
}

/// A tensor with the coordinates that each thread of each block reads or writes.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The place of the tensor in the program.
    pub tensor: usize,
    /// What its coordinates are the sum of.
    pub places: Vec<Place>,
    /// The value of an element outside of a global tensor.
    pub outside: Option<f64>,
}

impl View {
    /// The coordinate in each of `rank` modes, without what is gathered.
    #[must_use]
    pub fn forms(&self, rank: usize) -> Vec<Form> {
        let mut forms = vec![Form::default(); rank];
        for place in &self.places {
            match place {
                Place::Step { digit, step, mode } => forms[*mode].terms.push((*step, *digit)),
                Place::Constant { step, mode } => {
                    forms[*mode].constant = forms[*mode].constant.saturating_add(*step)
                }
                Place::Split { index, layout } => {
                    let (leaves, mut divisor) = (layout.leaves(), 1i64);
                    for (i, leaf) in leaves.iter().enumerate() {
                        let modulus = (i + 1 < leaves.len()).then_some(leaf.extent);
                        let digit = Digit { index: *index, add: 0, divisor, modulus };
                        for part in leaf.stride.terms().filter(|part| !part.is_zero()) {
                            forms[part.unit().index(0)].terms.push((part.count().numerator(), digit));
                        }
                        divisor = divisor.saturating_mul(leaf.extent);
                    }
                }
                Place::Gather { .. } => {}
            }
        }
        forms
    }

    /// The views of the coordinates that are read from memory, with their modes.
    pub(crate) fn gathers(&self) -> impl Iterator<Item = (&View, usize)> {
        self.places.iter().filter_map(|place| match place {
            Place::Gather { view, mode } => Some((&**view, *mode)),
            _ => None,
        })
    }

    /// The sizes of the layouts that split an index.
    pub(crate) fn splits(&self, index: Index) -> impl Iterator<Item = i64> {
        self.places.iter().filter_map(move |place| match place {
            Place::Split { index: own, layout } if *own == index => Some(layout.size()),
            _ => None,
        })
    }

    /// The first of them, where there is one.
    pub(crate) fn split(&self, index: Index) -> Option<i64> {
        self.splits(index).next()
    }
}

/// An operation on values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// `a + b`; integers wrap.
    Add,
    /// `a - b`.
    Sub,
    /// `a * b`.
    Mul,
    /// `a / b`; integers drop the fraction.
    Div,
    /// `a % b`, of integers.
    Rem,
    /// `-a`.
    Neg,
    /// `a < b`.
    Less,
    /// `a <= b`.
    LessEqual,
    /// `a == b`.
    Equal,
    /// `a & b`, of integers or conditions.
    And,
    /// `a | b`.
    Or,
    /// `a << b`, of integers.
    ShiftLeft,
    /// `a >> b`.
    ShiftRight,
    /// `min(a, b)`.
    Min,
    /// `max(a, b)`.
    Max,
    /// `abs(a)`.
    Abs,
    /// `exp(a)`.
    Exp,
    /// `log(a)`.
    Log,
    /// `sqrt(a)`.
    Sqrt,
    /// `rsqrt(a)`: one over the root.
    Rsqrt,
    /// `tanh(a)`.
    Tanh,
    /// `select(condition, a, b)`: `a` where the condition holds.
    Select,
    /// `f32(a)`: a conversion. From floating point to an integer it drops the fraction, and gives the nearest end of what is beyond the
    /// range and 0 for NaN; between integers it keeps the lowest bits.
    Cast(Element),
}

/// How a function is written.
#[derive(Clone, Copy)]
pub(crate) enum Written {
    /// Between its operands; a higher number binds more tightly.
    Infix(&'static str, u8),
    Prefix(&'static str),
    /// By its name, with the number of its arguments.
    Call(&'static str, usize),
}

impl Function {
    /// All but conversions; longer operators before their beginnings.
    pub(crate) const ALL: [(Function, Written); 22] = [
        (Function::LessEqual, Written::Infix("<=", 1)),
        (Function::ShiftLeft, Written::Infix("<<", 4)),
        (Function::Less, Written::Infix("<", 1)),
        (Function::Equal, Written::Infix("==", 1)),
        (Function::ShiftRight, Written::Infix(">>", 4)),
        (Function::Or, Written::Infix("|", 2)),
        (Function::And, Written::Infix("&", 3)),
        (Function::Add, Written::Infix("+", 5)),
        (Function::Sub, Written::Infix("-", 5)),
        (Function::Mul, Written::Infix("*", 6)),
        (Function::Div, Written::Infix("/", 6)),
        (Function::Rem, Written::Infix("%", 6)),
        (Function::Neg, Written::Prefix("-")),
        (Function::Min, Written::Call("min", 2)),
        (Function::Max, Written::Call("max", 2)),
        (Function::Abs, Written::Call("abs", 1)),
        (Function::Exp, Written::Call("exp", 1)),
        (Function::Log, Written::Call("log", 1)),
        (Function::Sqrt, Written::Call("sqrt", 1)),
        (Function::Rsqrt, Written::Call("rsqrt", 1)),
        (Function::Tanh, Written::Call("tanh", 1)),
        (Function::Select, Written::Call("select", 3)),
    ];

    pub(crate) fn written(self) -> Written {
        match self {
            Function::Cast(element) => Written::Call(element.name(), 1),
            _ => Function::ALL.iter().find(|own| own.0 == self).map_or(Written::Prefix(""), |own| own.1),
        }
    }

    /// The function of a name, with the number of its arguments.
    pub(crate) fn of_name(name: &str) -> Option<(Function, usize)> {
        let casts = Element::ALL.map(|element| (Function::Cast(element), Written::Call(element.name(), 1)));
        Function::ALL.into_iter().chain(casts).find_map(|(function, written)| match written {
            Written::Call(own, arguments) if own == name => Some((function, arguments)),
            _ => None,
        })
    }
}

/// What a statement computes for each value of a thread.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// An element.
    View(View),
    /// `coordinate(view, mode)`: the coordinate of the element that the view has here, a `u32`; memory is not touched.
    Coordinate(View, usize),
    /// A number.
    Literal(f64),
    /// A size by its name, a `u32`.
    Size(String),
    /// A scalar argument, by its place in the program.
    Scalar(usize),
    /// A function of values.
    Call(Function, Vec<Expr>),
}

impl Expr {
    /// Calls `visit` for each view that is read, and for each whose coordinate is asked with `false`.
    pub(crate) fn visit<'a>(&'a self, visit: &mut impl FnMut(&'a View, bool)) {
        match self {
            Expr::View(view) => {
                view.gathers().for_each(|(view, _)| visit(view, true));
                visit(view, true);
            }
            Expr::Coordinate(view, _) => visit(view, false),
            Expr::Call(_, arguments) => arguments.iter().for_each(|argument| argument.visit(visit)),
            Expr::Literal(_) | Expr::Size(_) | Expr::Scalar(_) => {}
        }
    }

    /// The factors of `to + a * b`, with conversions or without, where this is such a sum.
    pub(crate) fn factors(&self, to: &View) -> Option<[&View; 2]> {
        let Expr::Call(Function::Add, terms) = self else { return None };
        let [x, y] = &terms[..] else { return None };
        let is_old = |expr: &Expr| matches!(expr, Expr::View(view) if view.tensor == to.tensor);
        let product = if is_old(x) { y } else { Some(x).filter(|_| is_old(y))? };
        let Expr::Call(Function::Mul, factors) = product else { return None };
        match [factors.first()?.converted(), factors.get(1)?.converted()] {
            [Expr::View(a), Expr::View(b)] => Some([a, b]),
            _ => None,
        }
    }

    /// What is converted, if this is a conversion.
    fn converted(&self) -> &Expr {
        match self {
            Expr::Call(Function::Cast(_), operands) => operands.first().unwrap_or(self),
            _ => self,
        }
    }
}

/// A scalar argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalar {
    /// Its name.
    pub name: String,
    /// Its type.
    pub element: Element,
}

/// A statement, and the line of the text on which it begins.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The line, from 1.
    pub line: usize,
    /// What it does.
    pub kind: Kind,
}

/// The six kinds of statement; `commit` and `wait` are one kind in two words.
#[derive(Clone, Debug)]
pub enum Kind {
    /// `to = value by instruction`, for each value of each thread.
    Each {
        /// The destination.
        to: View,
        /// What is computed.
        value: Expr,
        /// The instruction that does it, where it is not an ordinary one.
        by: Option<Instruction>,
    },
    /// `for index in count { body }`.
    For {
        /// The place of the index's name in the program.
        index: usize,
        /// The number of steps, or the most in any block.
        count: Number,
        /// What the steps are below, where that differs between blocks.
        until: Option<Box<Until>>,
        /// What is repeated.
        body: Vec<Statement>,
    },
    /// `when form < below { body }`; the form does not depend on the thread.
    When {
        /// The left side.
        form: Form,
        /// The right side.
        below: Number,
        /// What is done if it holds.
        body: Vec<Statement>,
    },
    /// All threads of the block arrive before one goes on.
    Barrier,
    /// Ends a group of asynchronous copies.
    Commit,
    /// Waits until all groups but the last ones, of this number, are complete.
    Wait(usize),
}

/// The end of a loop that differs between blocks: a sum of them, with a constant.
#[derive(Clone, Debug)]
pub struct Until {
    /// The number of steps.
    pub blocks: Form,
    /// The same as a condition on a step: the index less the blocks is below the constant.
    pub(crate) left: Form,
    pub(crate) below: Number,
}

impl Until {
    pub(crate) fn new(index: usize, blocks: Form) -> Until {
        let mut left = Form { constant: 0, terms: vec![(1, Digit::of(Index::Loop(index)))] };
        left.terms.extend(blocks.terms.iter().map(|(step, digit)| (step.saturating_neg(), *digit)));
        Until { below: blocks.constant.into(), blocks, left }
    }
}

/// A kernel as a value, in the text form that `Display` prints and `FromStr` reads.
///
/// ```
/// use tilework_program::Program;
/// let text = "\
/// kernel double 32 threads, grid (ceil(M/32))
/// read A f32 M:1
/// write B f32 M:1
/// B[b0 32@0, t 32:1@0] = A[b0 32@0, t 32:1@0] * 2
/// ";
/// let program: Program = text.parse()?;
/// assert_eq!(program.to_string(), text);
/// assert_eq!(program.threads(), 32);
/// # Ok::<(), tilework_program::Error>(())
/// ```
#[derive(Clone)]
pub struct Program {
    pub(crate) name: String,
    pub(crate) threads: i64,
    pub(crate) grid: Vec<Number>,
    pub(crate) scope: Scope,
    pub(crate) tensors: Vec<Tensor>,
    pub(crate) scalars: Vec<Scalar>,
    /// The facts, as they were written.
    pub(crate) facts: Vec<String>,
    /// The names of the loops' indices.
    pub(crate) loops: Vec<String>,
    pub(crate) body: Vec<Statement>,
}

impl Program {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The threads of a block.
    #[must_use]
    pub fn threads(&self) -> i64 {
        self.threads
    }

    /// The blocks along each axis, in the names of [`scope`](Self::scope).
    #[must_use]
    pub fn grid(&self) -> &[Number] {
        &self.grid
    }

    /// The names of sizes, with the facts that are assumed of them.
    #[must_use]
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Its tensors, in the order in which they were declared.
    #[must_use]
    pub fn tensors(&self) -> &[Tensor] {
        &self.tensors
    }

    /// Its scalar arguments.
    #[must_use]
    pub fn scalars(&self) -> &[Scalar] {
        &self.scalars
    }

    /// Its statements.
    #[must_use]
    pub fn body(&self) -> &[Statement] {
        &self.body
    }

    pub(crate) fn tensor(&self, view: &View) -> &Tensor {
        &self.tensors[view.tensor]
    }

    /// The coordinates of a view in each mode of its tensor.
    pub(crate) fn forms(&self, view: &View) -> Vec<Form> {
        view.forms(self.tensor(view).rank())
    }

    /// The coordinate of a view along one mode.
    pub(crate) fn form(&self, view: &View, mode: usize) -> Form {
        self.forms(view).swap_remove(mode)
    }

    /// The threads that take part in a statement: those that the smallest layout of threads in it has.
    pub(crate) fn active(&self, to: &View, value: &Expr) -> i64 {
        let mut active = to.split(Index::Thread).unwrap_or(self.threads);
        value.visit(&mut |view, _| active = active.min(view.split(Index::Thread).unwrap_or(self.threads)));
        active
    }

    /// The values of a thread in a statement.
    pub(crate) fn values(&self, to: &View, value: &Expr) -> i64 {
        let mut values = to.split(Index::Value);
        value.visit(&mut |view, _| values = values.or(view.split(Index::Value)));
        values.unwrap_or(1)
    }
}

impl core::fmt::Debug for Program {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Display::fmt(self, f)
    }
}

/// Equal programs have the same text.
impl PartialEq for Program {
    fn eq(&self, other: &Program) -> bool {
        self.to_string() == other.to_string()
    }
}
