//! An expression as a list of steps for a stack.
//!
//! The parser writes operands before the operation that takes them. So a program runs from left to right without
//! recursion, whatever the expression looks like, and the last step is the outermost operation with its operands on
//! top of the stack: that is what [`Operands`](crate::operation::Operands) keeps.

use crate::arithmetic::Operator;
use crate::functions::{Function, Sign};
use crate::pointer::Pointer;
use crate::value::Value;
use std::ops::Range;
use tilework::symbolic::Language;

/// How many steps an expression may have.
pub(crate) const MAX_STEPS: usize = 4096;

/// One operation with the bytes of the text that it stands for.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub kind: StepKind,
    start: u32,
    end: u32,
}

impl Step {
    pub fn span(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

#[derive(Clone, Copy)]
pub(crate) enum StepKind {
    /// Puts down a value.
    Push(Push),
    /// Takes values, and puts down what they come to.
    Apply(Apply),
}

#[derive(Clone, Copy)]
pub(crate) enum Push {
    /// A literal, by its number.
    Literal(usize),
    /// The value of a variable, by its number.
    Variable(usize),
}

#[derive(Clone, Copy)]
pub(crate) enum Apply {
    /// Calls a function with `arguments` operands; `first..end` are its indices, as in `size<0,1>(L)`.
    Call { function: &'static Function, arguments: usize, first_index: usize, end_index: usize },
    /// `/` or `*`: of numbers arithmetic, and else the function of the sign.
    Infix(Sign),
    /// Arithmetic on numbers.
    Arithmetic(Operator),
    /// Applies the function below this number of coordinates to them.
    Coordinate(usize),
    /// Takes this number of values as a tuple, or layouts as the modes of one; a mixture as a tiler by mode.
    Tuple(usize),
    /// Takes this number of values as a tuple, or with layouts among them as a tiler by mode: `make_tile(...)`.
    Tile(usize),
    /// Takes this number of values as a tiler.
    Tiler(usize),
    /// `shape : stride`.
    Pair,
    /// `{offset} o layout`.
    View,
    /// `swizzle o offset o layout`, or two compositions.
    Swizzled,
    /// Gives names values, of which the first has this number: `L[M = 4096]`.
    At { first_name: usize, count: usize },
    /// What has to hold for a value, which has this number among the names: `128:1 if M >= 128`.
    If { guard: usize },
    /// This number of values, each for where those before it do not hold.
    Cases(usize),
    /// A layout as source text.
    Emit(Language),
    /// `value.name`.
    Field(&'static str),
    /// A coordinate to count from, and a layout.
    Counted,
    /// `pointer o layout`.
    Tensor(Pointer),
    /// `swizzle o pointer o layout`, where the swizzle is one of addresses in bytes; the address that was printed.
    SwizzledTensor(Pointer, u64),
}

impl StepKind {
    /// How many values the step takes from the stack.
    pub fn operands(self) -> usize {
        match self {
            StepKind::Push(_) => 0,
            StepKind::Apply(apply) => apply.operands(),
        }
    }
}

impl Apply {
    /// How many values the step takes from the stack.
    pub fn operands(self) -> usize {
        match self {
            Apply::Call { arguments, .. } => arguments,
            Apply::Coordinate(count) | Apply::At { count, .. } => count + 1,
            Apply::Tuple(count) | Apply::Tiler(count) | Apply::Tile(count) | Apply::Cases(count) => count,
            Apply::Arithmetic(operator) if operator.is_unary() => 1,
            Apply::Tensor(_) | Apply::Field(_) | Apply::If { .. } | Apply::Emit(_) => 1,
            Apply::Pair
            | Apply::View
            | Apply::Counted
            | Apply::Infix(_)
            | Apply::Arithmetic(_)
            | Apply::SwizzledTensor(..) => 2,
            Apply::Swizzled => 3,
        }
    }
}

/// The steps of one expression. It is cleared and used again, so that an expression costs no allocation.
#[derive(Clone, Default)]
pub(crate) struct Program {
    pub steps: Vec<Step>,
    pub literals: Vec<Value>,
    pub indices: Vec<usize>,
    /// The names that `at` gives values, and the guards of `if`.
    pub names: Vec<String>,
}

impl Program {
    pub fn clear(&mut self) {
        self.steps.clear();
        self.literals.clear();
        self.indices.clear();
        self.names.clear();
    }

    pub fn push(&mut self, kind: StepKind, span: Range<usize>) {
        self.steps.push(Step { kind, start: span.start as u32, end: span.end as u32 });
    }

    pub fn push_literal(&mut self, value: Value, span: Range<usize>) {
        self.push(StepKind::Push(Push::Literal(self.literals.len())), span);
        self.literals.push(value);
    }
}
