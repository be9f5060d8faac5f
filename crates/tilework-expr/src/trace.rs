//! The operations of a text one by one.

use crate::error::ExprError;
use crate::operation::{Operands, Operation, PendingStep};
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

/// What is kept of the operations of a text while it runs.
pub(crate) struct Recorder<'a> {
    text: &'a str,
    /// Whether calls and applications are kept that are not the last operation of their statement.
    keeps_all: bool,
    done: Vec<Operation>,
    running: Option<Operands>,
    /// The last step of the last statement, if it is not a call or an application.
    other: Option<Operation>,
}

impl<'a> Recorder<'a> {
    pub fn new(text: &'a str, keeps_all: bool) -> Recorder<'a> {
        Recorder { text, keeps_all, done: Vec::new(), running: None, other: None }
    }

    /// A step is about to run.
    pub fn before(&mut self, pending: PendingStep) {
        let is_kept = pending.is_last || self.keeps_all && pending.step.kind.is_operation();
        self.running = is_kept.then(|| Operands::new(pending, self.text));
        self.other = None;
    }

    /// The value of that step.
    pub fn after(&mut self, value: &Value) {
        let Some(operands) = self.running.take() else { return };
        let is_operation = operands.kind.is_operation();
        let operation = Operation { operands, outcome: Ok(value.clone()) };
        match is_operation {
            true => self.done.push(operation),
            false => self.other = Some(operation),
        }
    }

    /// The operands of the last operation, whether it has run or failed.
    pub fn last(mut self) -> Option<Operands> {
        self.running.or_else(|| Some(self.other.or_else(|| self.done.pop())?.operands))
    }

    pub fn finish(mut self, ran: Result<(Option<&str>, &Value), ExprError>) -> Trace {
        match (&ran, self.running.take()) {
            (Err(error), Some(operands)) => {
                self.done.push(Operation { operands, outcome: Err(error.clone()) })
            }
            (Ok(_), _) => self.done.extend(self.other),
            _ => {}
        }
        let outcome = ran.map(|(name, value)| (value.clone(), name.map(str::to_string)));
        Trace { outcome, operations: self.done }
    }
}
