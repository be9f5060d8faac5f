//! Who follows the steps of a program while it runs.

use crate::program::{Program, Step};
use crate::value::Value;
use std::ops::Range;

/// Is told of each step.
pub(crate) trait StepObserver {
    /// A step with its operands on the stack, and the places where they were written.
    fn before(&mut self, step: &Step, last: bool, program: &Program, stack: &[Value], spans: &[Range<usize>]);
    /// The value of that step.
    fn after(&mut self, _value: &Value) {}
}

impl StepObserver for () {
    fn before(&mut self, _: &Step, _: bool, _: &Program, _: &[Value], _: &[Range<usize>]) {}
}
