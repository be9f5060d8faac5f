//! The operations of a text one by one.

use crate::error::ExprError;
use crate::observer::{PendingStep, StepObserver};
use crate::operation::{Operands, Operation};
use crate::program::{Apply, StepKind};
use crate::value::Value;

/// The result of a text, and its operations.
///
/// ```
/// use tilework_expr::Session;
/// let trace = Session::new().trace("let A = (8,8):(8,1); size(A o 4:1)");
/// assert_eq!(trace.outcome.map(|(value, _)| value.to_string()), Ok("4".into()));
/// assert_eq!(trace.operations.iter().map(|done| done.name()).collect::<Vec<_>>(), ["composition", "size"]);
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Trace {
    /// The value of the last statement, and the name that it defined.
    pub outcome: Result<(Value, Option<String>), ExprError>,
    /// Calls and applications in the order in which they ran; a failed one is the last. The last statement is included
    /// even if it is not an operation.
    pub operations: Vec<Operation>,
}

/// Keeps the operands of each statement's last operation, which is its outermost.
pub(crate) struct LastOperation<'a> {
    text: &'a str,
    pub operands: Option<Operands>,
}

impl<'a> LastOperation<'a> {
    pub fn new(text: &'a str) -> LastOperation<'a> {
        LastOperation { text, operands: None }
    }
}

impl StepObserver for LastOperation<'_> {
    fn before(&mut self, pending: PendingStep) {
        if pending.is_last {
            self.operands = Some(Operands::new(pending, self.text));
        }
    }
}

/// Keeps every operation.
pub(crate) struct Recorder<'a> {
    text: &'a str,
    done: Vec<Operation>,
    running: Option<(bool, Operands)>,
    /// The last step of the last statement, if it is not an operation.
    other: Option<Operation>,
}

impl<'a> Recorder<'a> {
    pub fn new(text: &'a str) -> Recorder<'a> {
        Recorder { text, done: Vec::new(), running: None, other: None }
    }

    pub fn finish(mut self, ran: Result<(Option<&str>, &Value), ExprError>) -> Trace {
        match (&ran, self.running.take()) {
            (Err(error), Some((_, operands))) => {
                self.done.push(Operation { operands, outcome: Err(error.clone()) })
            }
            (Ok(_), _) => self.done.extend(self.other),
            _ => {}
        }
        let outcome = ran.map(|(name, value)| (value.clone(), name.map(str::to_string)));
        Trace { outcome, operations: self.done }
    }
}

impl StepObserver for Recorder<'_> {
    fn before(&mut self, pending: PendingStep) {
        let is_operation =
            matches!(pending.step.kind, StepKind::Apply(Apply::Call { .. } | Apply::Coordinate(_)));
        self.running =
            (is_operation || pending.is_last).then(|| (is_operation, Operands::new(pending, self.text)));
        self.other = None;
    }

    fn after(&mut self, value: &Value) {
        let Some((is_operation, operands)) = self.running.take() else { return };
        let operation = Operation { operands, outcome: Ok(value.clone()) };
        match is_operation {
            true => self.done.push(operation),
            false => self.other = Some(operation),
        }
    }
}
