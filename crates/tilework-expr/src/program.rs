//! An expression as a list of steps of a stack machine.
//!
//! The parser writes operands before the operation that takes them. So a program runs from left to right without
//! recursion, and the last step is the outermost operation, with its operands on top of the stack, which
//! [`Operands`](crate::operation::Operands) keeps.

use crate::arithmetic::Operator;
use crate::functions::{Function, Sign};
use crate::instruction::Print;
use crate::pointer::Pointer;
use crate::value::Value;
use std::ops::Range;
use tilework_symbolic::Language;

/// The most operations and variables of an expression.
pub(crate) const MAX_STEPS: usize = 4096;
/// The most literals of an expression: more than the layouts of a chain that is printed.
pub(crate) const MAX_LITERALS: usize = 16_384;

/// One operation with the position of its text.
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
    /// Pushes a value.
    Push(Push),
    /// Pops values, and pushes the result.
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
    /// `/` or `*`: arithmetic for numbers, otherwise the function of the operator.
    Infix(Sign),
    /// Arithmetic on numbers.
    Arithmetic(Operator),
    /// The multiple of a basis element, `ld@1`: as a literal, in parentheses a tuple.
    Element,
    /// Applies the function below this number of coordinates to them.
    Coordinate(usize),
    /// Makes a tuple of this number of values, or of layouts a layout with these modes; of a mixture a tiler by mode.
    Tuple(usize),
    /// A value in parentheses: the tuple of a number or a tuple, as in literals, and any other value itself.
    Group,
    /// The same around a calculation; a stride of several components has such parentheses, and is no tuple: `(1@0+2@1)`.
    Calculation,
    /// Makes a tuple of this number of values, or, if some are layouts, a tiler by mode: `make_tile(...)`.
    Tile(usize),
    /// Makes a tiler of this number of values.
    Tiler(usize),
    /// `shape : stride`.
    Pair,
    /// `stride o shape`, a notation of the paper.
    Strides,
    /// `{offset} o layout`.
    View,
    /// `swizzle o offset o layout`, or two compositions.
    Swizzled,
    /// Assigns values to names, from this number on: `L[M = 4096]`.
    At { first_name: usize, count: usize },
    /// The condition of a value, by its number among the names: `128:1 if M >= 128`.
    If { guard: usize },
    /// This number of values, each for the cases in which the earlier ones do not hold.
    Cases(usize),
    /// A layout as source text, in integers of 32 or 64 bits or by its offsets, with the names of a coordinate from this
    /// number on.
    Emit { language: Language, bits: Option<u32>, first_name: usize, count: usize },
    /// `value.name`.
    Field(&'static str),
    /// The start coordinate of a counting tensor, and a layout.
    Counted,
    /// `pointer o layout`.
    Tensor(Pointer),
    /// `swizzle o pointer o layout`, with a swizzle of byte addresses; and the printed address.
    SwizzledTensor(Pointer, u64),
    /// The values that CuTe prints of an instruction, and how many.
    Printed(Print, usize),
}

impl StepKind {
    /// Whether it is a call, or an application to a coordinate.
    pub fn is_operation(self) -> bool {
        matches!(self, StepKind::Apply(Apply::Call { .. } | Apply::Coordinate(_)))
    }

    pub fn is_group(self) -> bool {
        matches!(self, StepKind::Apply(Apply::Group | Apply::Calculation))
    }

    /// The number of values that the step pops.
    pub fn operands(self) -> usize {
        self.named().1
    }

    /// What it is, in explanations, and the number of values that it pops.
    pub fn named(self) -> (&'static str, usize) {
        let StepKind::Apply(apply) = self else { return ("value", 0) };
        match apply {
            Apply::Call { function, arguments, .. } => (function.name(), arguments),
            Apply::Infix(_) | Apply::Element => ("arithmetic", 2),
            Apply::Arithmetic(operator) => ("arithmetic", if operator.is_unary() { 1 } else { 2 }),
            Apply::Coordinate(count) => ("application", count + 1),
            Apply::Tuple(count) => ("concatenation", count),
            Apply::Group | Apply::Calculation => ("concatenation", 1),
            Apply::Tile(count) | Apply::Tiler(count) => ("tiler", count),
            Apply::Pair | Apply::Strides => ("layout", 2),
            Apply::View => ("view", 2),
            Apply::Swizzled => ("swizzled layout", 3),
            Apply::At { count, .. } => ("instance", count + 1),
            Apply::If { .. } => ("cases", 1),
            Apply::Cases(count) => ("cases", count),
            Apply::Emit { .. } => ("source text", 1),
            Apply::Field(name) => (name, 1),
            Apply::Tensor(_) => ("tensor", 1),
            Apply::Counted | Apply::SwizzledTensor(..) => ("tensor", 2),
            Apply::Printed(_, count) => ("instruction", count),
        }
    }
}

/// The steps of one expression. It is cleared and reused, so an expression needs no allocation.
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

    /// The functions that it calls.
    pub fn calls(&self) -> impl Iterator<Item = &'static Function> {
        self.steps.iter().filter_map(|step| match step.kind {
            StepKind::Apply(Apply::Call { function, .. }) => Some(function),
            _ => None,
        })
    }

    /// The last step; parentheses around the outermost operation are not an operation.
    pub fn last(&self) -> Option<usize> {
        self.steps.iter().rposition(|step| !step.kind.is_group())
    }

    /// The first step of the operand whose last step is before `end`.
    pub fn operand_before(&self, end: usize) -> usize {
        let (mut first, mut open) = (end, 1);
        while open > 0 {
            first -= 1;
            open = open - 1 + self.steps[first].kind.operands();
        }
        first
    }

    /// The steps of the operand of an `at`.
    pub fn operand_of_at(&self, place: usize) -> Range<usize> {
        let numbers = self.steps[place].kind.operands() - 1;
        let end = (0..numbers).fold(place, |end, _| self.operand_before(end));
        self.operand_before(end)..end
    }

    /// The nearest `at` in whose operand a step is, and the number of its first name.
    pub fn at_around(&self, number: usize) -> Option<(usize, usize)> {
        (number + 1..self.steps.len()).find_map(|place| match self.steps[place].kind {
            StepKind::Apply(Apply::At { first_name, .. }) if self.operand_of_at(place).contains(&number) => {
                Some((place, first_name))
            }
            _ => None,
        })
    }

    /// The number of values that the steps before one leave.
    pub fn depth_before(&self, number: usize) -> usize {
        self.steps[..number].iter().fold(0, |depth, step| depth + 1 - step.kind.operands())
    }

    /// Whether the value is that of an arithmetic operation, also at values of its names.
    pub fn is_calculation(&self) -> bool {
        let mut last = self.last();
        while let Some(at) = last
            && let StepKind::Apply(Apply::At { .. }) = self.steps[at].kind
        {
            last = self.operand_of_at(at).end.checked_sub(1);
        }
        let kind = last.map(|last| self.steps[last].kind);
        matches!(kind, Some(StepKind::Apply(Apply::Arithmetic(_) | Apply::Infix(_))))
    }

    pub fn push(&mut self, kind: StepKind, span: Range<usize>) {
        self.steps.push(Step { kind, start: span.start as u32, end: span.end as u32 });
    }
}
