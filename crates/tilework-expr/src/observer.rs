//! Observers of the steps of a running program.

use crate::program::{Program, Step};
use crate::value::Value;
use std::ops::Range;

/// A step with its operands on the stack.
#[derive(Clone, Copy)]
pub(crate) struct PendingStep<'a> {
    pub step: &'a Step,
    pub is_last: bool,
    pub program: &'a Program,
    pub stack: &'a [Value],
    /// The positions at which the values of the stack were written.
    pub spans: &'a [Range<usize>],
}

/// A callback for each step.
pub(crate) trait StepObserver {
    /// A step that is about to run.
    fn before(&mut self, step: PendingStep);
    /// The value of that step.
    fn after(&mut self, _value: &Value) {}
}

impl StepObserver for () {
    fn before(&mut self, _: PendingStep) {}
}
