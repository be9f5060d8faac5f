//! An operation that ran: its operands, its outcome, and the explanation.

use crate::error::ExprError;
use crate::explain::{self, Case, Section, families, instructions};
use crate::functions::{self, Function, Indices, Sign};
use crate::names::Names;
use crate::program::{Apply, Program, Step, StepKind};
use crate::steps::at_values;
use crate::steps::coordinate;
use crate::value::Value;
use std::fmt;
use std::ops::Range;

/// The explanation of an operation, step by step.
///
/// ```
/// let explanation = tilework_expr::Session::new().explain("(4,6,8):(2,3,5) o 6:1")?;
/// assert_eq!(explanation.operation, "composition");
/// assert_eq!(explanation.outcome.map_err(|error| error.code), Err("shape-divisibility"));
/// # Ok::<(), tilework_expr::ExprError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// The source text of the operation.
    pub expression: String,
    /// Its name.
    pub operation: String,
    /// Its operands: their source texts and values.
    pub operands: Vec<(String, String)>,
    /// The steps.
    pub sections: Vec<Section>,
    /// The value, or the error.
    pub outcome: Result<String, ExprError>,
}

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

/// An operation with its operands.
#[derive(Clone)]
pub(crate) struct Operands {
    pub kind: StepKind,
    pub values: Vec<Value>,
    pub sources: Vec<String>,
    /// The source text of the operation.
    pub source: String,
    /// The names that are given values.
    given: Vec<String>,
    span: Range<usize>,
}

impl Operands {
    /// The operands of this step, which are on the stack.
    pub fn new(PendingStep { step, program, stack, spans, .. }: PendingStep, text: &str) -> Operands {
        let base = stack.len() - step.kind.operands();
        let mut values = stack[base..].to_vec();
        if let StepKind::Apply(Apply::Call { function, first_index, end_index, .. }) = step.kind
            && function.indices() == Indices::Path
        {
            // The indices are in `<...>`, or behind the argument.
            let behind = values
                .iter()
                .skip(function.arguments().1)
                .map(|index| usize::try_from(index.as_integer()?).ok());
            let behind: Option<Vec<usize>> = behind.collect();
            let indices = [&program.indices[first_index..end_index], &behind.unwrap_or_default()].concat();
            if !indices.is_empty()
                && let Ok(part) = functions::part(&values[0], &indices)
            {
                values.truncate(1);
                values[0] = part;
            }
        }
        let written = |span: &Range<usize>| text.get(span.clone()).unwrap_or("").to_string();
        let given = match step.kind {
            StepKind::Apply(Apply::At { first_name, count }) => &program.names[first_name..][..count],
            _ => &[],
        };
        Operands {
            kind: step.kind,
            given: given.to_vec(),
            values,
            sources: spans[base..].iter().map(written).collect(),
            source: written(&step.span()),
            span: step.span(),
        }
    }

    /// Its position in the text.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Whether an error at this position belongs to this operation, not to its operands.
    pub fn covers(&self, span: &Range<usize>) -> bool {
        span.start >= self.span.start && span.end <= self.span.end
    }

    /// The name of the operation.
    pub fn operation(&self) -> &'static str {
        self.kind.named().0
    }

    /// The explanation, once the outcome is known; with the names of the session, if it still has them.
    pub fn explain(&self, outcome: Result<&Value, &ExprError>, names: Option<&Names>) -> Explanation {
        let has_names = self.values.iter().chain(outcome.ok()).any(Value::is_symbolic);
        let asked = names.and_then(|names| self.asked(names, outcome.ok()));
        let sections = match self.kind {
            _ if asked.is_some() => asked.unwrap_or_default(),
            _ if has_names => self.over_names(outcome.ok(), names),
            _ if matches!(outcome, Ok(Value::Instruction(_))) => {
                outcome.map(instructions::instruction).unwrap_or_default()
            }
            StepKind::Apply(Apply::Field(name)) => {
                explain::definition(&format!(".{name}"), instructions::about(name))
            }
            StepKind::Apply(Apply::Call { function, .. }) => self.call(function, outcome.ok()),
            StepKind::Apply(Apply::Coordinate(_)) => self.application(),
            StepKind::Apply(Apply::View) if outcome.is_err() => families::displaced(&self.values),
            StepKind::Push(_) | StepKind::Apply(_) => outcome.map(families::layout).unwrap_or_default(),
        };
        let values = self.values.iter().map(Value::to_string);
        Explanation {
            expression: self.source.clone(),
            operation: self.operation().to_string(),
            operands: self.sources.iter().cloned().zip(values).collect(),
            sections,
            outcome: outcome.map(Value::to_string).map_err(ExprError::clone),
        }
    }

    /// The explanation of source text, or of another operation with names.
    fn over_names(&self, result: Option<&Value>, names: Option<&Names>) -> Vec<Section> {
        let (mut sections, mut composes, mut asked) = (Vec::new(), false, None);
        if let StepKind::Apply(Apply::Call { function, .. }) = self.kind {
            let (form, summary) = (function.forms()[0], function.summary());
            sections = explain::in_brief(form, summary, function.definition(), None);
            composes = std::ptr::eq(function, functions::of_sign(Sign::Composition));
            asked = function.why.map(|why| (function, why));
        }
        if let Some(Value::Symbolic(symbolic)) = result
            && let Some(function) = symbolic.function()
        {
            sections.push(explain::symbolic::size(function));
        }
        if let Some(names) = names.filter(|names| names.any()) {
            let answered = asked.map(|(function, why)| {
                move |values: &[Value]| match function.call_with_names(names, values, &[]) {
                    Ok(Value::Bool(answer)) => Some((answer, why(values, answer)?)),
                    _ => None,
                }
            });
            let answered = answered.as_ref().map(|answered| answered as &dyn Fn(&[Value]) -> _);
            sections.extend(explain::symbolic::sections(names, &self.values, result, composes, answered));
        }
        sections
    }

    /// Why a question with names has its answer at values.
    fn asked(&self, names: &Names, result: Option<&Value>) -> Option<Vec<Section>> {
        let (Some(Value::Bool(_)), Some((Value::Symbolic(symbolic), given))) =
            (result, self.values.split_first())
        else {
            return None;
        };
        let question = symbolic.question.as_ref()?;
        let given = given.iter().filter_map(Value::as_integer);
        let given: Vec<(&str, i64)> = self.given.iter().map(String::as_str).zip(given).collect();
        let values = question.operands.iter().map(|operand| at_values(operand, &given, names).ok());
        let values =
            values.collect::<Option<Vec<_>>>().filter(|values| !values.iter().any(Value::is_symbolic))?;
        Some(Operands { values, ..self.clone() }.call(functions::find(question.function)?, result))
    }

    fn call(&self, function: &Function, result: Option<&Value>) -> Vec<Section> {
        let sections = match (function.explain, self.values.first()) {
            (Some(explain), Some(first)) => first.shaped().map_or_else(Vec::new, |layout| {
                let gives = format!("{} gives {}", function.name(), function.summary());
                explain(&Case { gives, layout, first, right: self.values.get(1), result })
            }),
            _ => Vec::new(),
        };
        if !sections.is_empty() {
            return sections;
        }
        let (form, summary) = (function.forms()[0], function.summary());
        let mut sections = explain::in_brief(form, summary, function.definition(), result);
        if let (Some(why), Some(Value::Bool(answer))) = (function.why, result) {
            sections.extend(explain::questions::section(&self.values, *answer, why));
        }
        sections
    }

    fn application(&self) -> Vec<Section> {
        let Some((function, arguments)) = self.values.split_first() else { return Vec::new() };
        match coordinate(arguments) {
            Ok(coordinate) => families::application(function, &Value::from(coordinate)),
            Err(_) => Vec::new(),
        }
    }
}

impl fmt::Display for Explanation {
    /// As text for a terminal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.expression)?;
        for (source, value) in &self.operands {
            let same = source.split_whitespace().eq(value.trim_matches('"').split_whitespace());
            if !same {
                writeln!(f, "  {source} = {value}")?;
            }
        }
        for section in &self.sections {
            writeln!(f, "\n{}", section.title)?;
            for line in &section.lines {
                writeln!(f, "  {line}")?;
            }
            if let Some(table) = &section.table {
                write!(f, "{table}")?;
            }
        }
        match &self.outcome {
            Ok(value) => writeln!(f, "\n= {value}"),
            Err(error) => {
                writeln!(f, "\nrefused ({}): {}", error.code, error.message)?;
                match &error.help {
                    Some(help) => writeln!(f, "  {help}"),
                    None => Ok(()),
                }
            }
        }
    }
}

/// An operation of a trace.
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
#[non_exhaustive]
pub struct Operation {
    pub(crate) operands: Operands,
    pub(crate) outcome: Result<Value, ExprError>,
}

impl Operation {
    /// The bytes of its text.
    ///
    /// ```
    /// let trace = tilework_expr::Session::new().trace("size(4:1 o 2:1)");
    /// assert_eq!(trace.operations[0].span(), 5..14);
    /// ```
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.operands.span()
    }

    /// The name of the function or of the operation.
    ///
    /// ```
    /// let trace = tilework_expr::Session::new().trace("size(4:1 o 2:1)");
    /// assert_eq!(trace.operations[1].name(), "size");
    /// ```
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.operands.operation()
    }

    /// The operands.
    ///
    /// ```
    /// let trace = tilework_expr::Session::new().trace("size(4:1 o 2:1)");
    /// assert_eq!(trace.operations[1].operands()[0].to_string(), "2:1");
    /// ```
    #[must_use]
    pub fn operands(&self) -> &[Value] {
        &self.operands.values
    }

    /// The value, or the error.
    ///
    /// ```
    /// let trace = tilework_expr::Session::new().trace("size(4:1 o 2:1)");
    /// assert_eq!(trace.operations[1].outcome().map(|value| value.to_string()), Ok("2".into()));
    /// ```
    pub fn outcome(&self) -> Result<&Value, &ExprError> {
        self.outcome.as_ref()
    }

    /// The explanation of the operation, or of its error.
    ///
    /// ```
    /// let trace = tilework_expr::Session::new().trace("size(4:1 o 2:1)");
    /// assert!(trace.operations[0].explain().to_string().starts_with("4:1 o 2:1"));
    /// ```
    #[must_use]
    pub fn explain(&self) -> Explanation {
        self.operands.explain(self.outcome(), None)
    }
}

impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?} {:?}", self.name(), self.operands(), self.outcome)
    }
}
