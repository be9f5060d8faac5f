//! The operations of a text one by one, for those who want to watch a result come about.

use crate::error::ExprError;
use crate::explain::{Explanation, Operands};
use crate::program::{Program, Step, StepKind};
use crate::session::Watch;
use crate::value::Value;
use std::ops::Range;

/// What a text came to, and the operations on the way there.
///
/// ```
/// use tilework_expr::Session;
/// let trace = Session::new().trace("let A = (8,8):(8,1); size(A o 4:1)");
/// assert_eq!(trace.outcome.map(|(value, _)| value.to_string()), Ok("4".into()));
/// assert_eq!(trace.operations.iter().map(|done| done.name()).collect::<Vec<_>>(), ["composition", "size"]);
/// ```
#[derive(Debug)]
pub struct Trace {
    /// The value of the last statement, and the name that it was given.
    pub outcome: Result<(Value, Option<String>), ExprError>,
    /// Calls and applications in the order in which they ran, the one that failed last. What the last statement is, is
    /// here even where it is no operation.
    pub operations: Vec<Operation>,
}

/// An operation that ran.
///
/// ```
/// use tilework_expr::Session;
/// let text = "size((4,6,8):(2,3,5) o 6:1)";
/// let trace = Session::new().trace(text);
/// let failed = &trace.operations[0];
/// assert_eq!((failed.name(), &text[failed.span()]), ("composition", "(4,6,8):(2,3,5) o 6:1"));
/// assert_eq!(failed.outcome().map_err(|error| error.code), Err("shape-divisibility"));
/// assert!(failed.explain().to_string().contains("These would fit"));
/// ```
#[derive(Clone)]
pub struct Operation {
    pub(crate) operands: Operands,
    outcome: Result<Value, ExprError>,
}

impl Operation {
    /// The bytes of the text that it stands for.
    pub fn span(&self) -> Range<usize> {
        self.operands.span()
    }

    /// The name of the function, or what the operation is called.
    pub fn name(&self) -> &'static str {
        self.operands.operation()
    }

    /// The operands.
    pub fn operands(&self) -> &[Value] {
        &self.operands.values
    }

    /// The value, or why there is none.
    pub fn outcome(&self) -> Result<&Value, &ExprError> {
        self.outcome.as_ref()
    }

    /// What the operation did with its operands, or why it refuses them.
    pub fn explain(&self) -> Explanation {
        self.operands.explain(self.outcome())
    }
}

impl std::fmt::Debug for Operation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:?} {:?}", self.name(), self.operands(), self.outcome)
    }
}

/// Keeps every operation.
pub(crate) struct Recorder<'a> {
    text: &'a str,
    done: Vec<Operation>,
    running: Option<(bool, Operands)>,
    /// The last step of the last statement, where it is no operation.
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

impl Watch for Recorder<'_> {
    fn before(
        &mut self,
        step: &Step,
        last: bool,
        program: &Program,
        stack: &[Value],
        spans: &[Range<usize>],
    ) {
        let is_operation = matches!(step.kind, StepKind::Call { .. } | StepKind::Apply(_));
        self.running = (is_operation || last)
            .then(|| (is_operation, Operands::new(step, program, stack, spans, self.text)));
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
