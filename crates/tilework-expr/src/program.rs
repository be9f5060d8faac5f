//! An expression as a list of steps for a stack.
//!
//! The parser writes operands before the operation that takes them. So a program runs from left to right without
//! recursion, whatever the expression looks like, and the last step is the outermost operation with its operands on
//! top of the stack: that is what [`Operands`](crate::operation::Operands) keeps.

use crate::functions::Function;
use crate::value::Value;
use std::ops::Range;

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
    /// Applies the function below this number of coordinates to them.
    Coordinate(usize),
    /// Takes this number of values as a tuple, or layouts as the modes of one.
    Tuple(usize),
    /// Takes this number of values as a tiler.
    Tiler(usize),
    /// `shape : stride`.
    Pair,
    /// `{offset} o layout`.
    View,
    /// `swizzle o offset o layout`, or two compositions.
    Swizzled,
    /// `value.name`.
    Field(&'static str),
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
            Apply::Coordinate(coordinates) => coordinates + 1,
            Apply::Tuple(count) | Apply::Tiler(count) => count,
            Apply::Field(_) => 1,
            Apply::Pair | Apply::View => 2,
            Apply::Swizzled => 3,
        }
    }
}

/// The steps of one expression. It is cleared and used again, so that an expression costs no allocation.
#[derive(Default)]
pub(crate) struct Program {
    pub steps: Vec<Step>,
    pub literals: Vec<Value>,
    pub indices: Vec<usize>,
}

impl Program {
    pub fn clear(&mut self) {
        self.steps.clear();
        self.literals.clear();
        self.indices.clear();
    }

    pub fn push(&mut self, kind: StepKind, span: Range<usize>) {
        self.steps.push(Step { kind, start: span.start as u32, end: span.end as u32 });
    }

    pub fn push_literal(&mut self, value: Value, span: Range<usize>) {
        self.push(StepKind::Push(Push::Literal(self.literals.len())), span);
        self.literals.push(value);
    }
}
