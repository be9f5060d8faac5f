//! Running expressions: variables, and the stack that programs work on.

use crate::error::{ExprError, Failure};
use crate::functions::{self, Function};
use crate::names::Names;
use crate::operation::{Explanation, PendingStep};
use crate::parse::{Parser, Read};
use crate::program::{Apply, Program, Push, StepKind};
use crate::steps;
use crate::symbolic::{Content, Symbolic, SymbolicKind};
use crate::trace::{Recorder, Trace};
use crate::value::{MAX_TEXT, Value};
use std::ops::Range;

/// The most names that `let` can define.
const MAX_VARIABLES: usize = 1024;

/// The most pieces of an answer.
const MAX_PIECES: usize = 8;

/// The result of one text.
///
/// ```
/// let mut session = tilework_expr::Session::new();
/// let outcome = session.run("let A = 8:2")?;
/// assert_eq!((outcome.name, outcome.value.to_string()), (Some("A"), "8:2".into()));
/// # Ok::<(), tilework_expr::ExprError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Outcome<'a, 's> {
    /// The value of the last statement.
    pub value: &'s Value,
    /// The name that the last statement defined, if it was a `let`.
    pub name: Option<&'a str>,
}

/// Evaluates expressions and remembers the names that `let` defines.
///
/// ```
/// use tilework_expr::Session;
/// let mut session = Session::new();
/// session.evaluate("let A = (8,8):(8,1)")?;
/// let partition = session.evaluate("A o ((4,8),2):((16,1),8)")?;
/// assert_eq!(partition.to_string(), "((4,8),2):((2,8),1)");
/// # Ok::<(), tilework_expr::ExprError>(())
/// ```
#[derive(Default)]
pub struct Session {
    variables: Vec<(String, Value)>,
    names: Names,
    program: Program,
    stack: Vec<Value>,
    spans: Vec<Range<usize>>,
    earlier: Vec<Value>,
}

impl Session {
    /// A session without variables.
    ///
    /// ```
    /// assert_eq!(tilework_expr::Session::new().variables().count(), 0);
    /// ```
    #[must_use]
    pub fn new() -> Session {
        Session::default()
    }

    /// The names that `let` has defined, with their values.
    ///
    /// ```
    /// let mut session = tilework_expr::Session::new();
    /// session.evaluate("let A = 8:2; let B = A o 4:1")?;
    /// assert_eq!(session.variables().map(|(name, _)| name).collect::<Vec<_>>(), ["A", "B"]);
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    pub fn variables(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.variables.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// The names that literals and facts declared, each with its value at the witness for which layouts are chosen.
    ///
    /// ```
    /// let mut session = tilework_expr::Session::new();
    /// session.evaluate("let A = (M,K):(1,ld); hint M = 64")?;
    /// assert_eq!(session.witness()[0], ("M".to_string(), 64));
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub fn witness(&self) -> Vec<(String, i64)> {
        self.names.witness()
    }

    /// A value as the CuTe DSL writes it: numbers that are known only at launch are `?`, with their known divisor.
    ///
    /// ```
    /// let mut session = tilework_expr::Session::new();
    /// let value = session.evaluate("assume M % 8 == 0; (M,K):(1,M)")?.clone();
    /// assert_eq!(session.in_cute(&value)?, "(?{div=8},?):(1,?{div=8})");
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    ///
    /// # Errors
    /// None for a value of this session.
    pub fn in_cute(&self, value: &Value) -> Result<String, ExprError> {
        let Some(symbolic) = value.as_symbolic() else { return Ok(value.to_string()) };
        let text = self.names.scoped().in_cute(symbolic).map_err(Failure::Core)?;
        Ok(match value {
            Value::Tensor(pointer, _) => format!("{pointer} o {text}"),
            _ => text,
        })
    }

    /// The value of a text: that of its last statement, if `;` separates several.
    ///
    /// ```
    /// let mut session = tilework_expr::Session::new();
    /// assert_eq!(session.evaluate("(4,8):(8,1) o 4:1")?.to_string(), "4:8");
    /// assert_eq!(session.evaluate("(4,6,8):(2,3,5) o 6:1").unwrap_err().code, "shape-divisibility");
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    ///
    /// # Errors
    /// [`ExprError`] with the place in the text. The names that earlier statements of the text defined are kept.
    pub fn evaluate(&mut self, text: &str) -> Result<&Value, ExprError> {
        self.statements(text, None).map_err(|error| *error)?;
        self.value()
    }

    /// The values of the last text's statements before its last one, without those that have a name or state facts.
    ///
    /// ```
    /// let mut session = tilework_expr::Session::new();
    /// assert_eq!(session.evaluate("assume M >= 1; (4,8); let A = (8,1); A:(1,2); size(A)")?.to_string(), "8");
    /// let earlier: Vec<String> = session.earlier().iter().map(|value| value.to_string()).collect();
    /// assert_eq!(earlier, ["(4,8)", "(8,1):(1,2)"]);
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub fn earlier(&self) -> &[Value] {
        &self.earlier
    }

    /// The value of a text, and the name that its last statement defined.
    ///
    /// ```
    /// let mut session = tilework_expr::Session::new();
    /// assert_eq!(session.run("let A = 8:2")?.name, Some("A"));
    /// assert_eq!(session.run("size(A)")?.name, None);
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    ///
    /// # Errors
    /// [`ExprError`] with the place in the text.
    pub fn run<'a>(&mut self, text: &'a str) -> Result<Outcome<'a, '_>, ExprError> {
        let name = self.statements(text, None).map_err(|error| *error)?;
        Ok(Outcome { value: self.value()?, name })
    }

    /// The explanation of a text: how the outermost operation of its last statement computes its result, or why it
    /// refuses its operands.
    ///
    /// ```
    /// let explanation = tilework_expr::Session::new().explain("complement(4:2, 24)")?;
    /// assert_eq!(explanation.outcome, Ok("(2,3):(1,8)".into()));
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    ///
    /// # Errors
    /// [`ExprError`] if the text has no outermost operation to explain: a syntax error, or an operand that fails.
    pub fn explain(&mut self, text: &str) -> Result<Explanation, ExprError> {
        let mut recorder = Recorder::new(text, false);
        let ran = self.statements(text, Some(&mut recorder));
        match (ran, recorder.last()) {
            (Ok(_), Some(operands)) => Ok(operands.explain(Ok(self.value()?), Some(&self.names))),
            (Err(error), Some(operands)) if operands.covers(&error.span) => {
                Ok(operands.explain(Err(&error), Some(&self.names)))
            }
            (Err(error), _) => Err(*error),
            (Ok(_), None) => Err(ExprError::new(0..0, "syntax", "there is nothing to explain")),
        }
    }

    /// Every operation of a text with its operands and its value, inner ones first.
    ///
    /// ```
    /// use tilework_expr::Session;
    /// let trace = Session::new().trace("size(coalesce((2,4):(1,2)))");
    /// let values: Vec<String> = trace.operations.iter().map(|done| done.explain().outcome.unwrap()).collect();
    /// assert_eq!(values, ["8:1", "8"]);
    /// ```
    pub fn trace(&mut self, text: &str) -> Trace {
        let mut recorder = Recorder::new(text, true);
        let ran = self.statements(text, Some(&mut recorder));
        recorder.finish(ran.map_err(|error| *error).and_then(|name| Ok((name, self.value()?))))
    }

    pub(crate) fn declared(&self) -> &Names {
        &self.names
    }

    /// The result of the last program.
    pub(crate) fn value(&self) -> Result<&Value, ExprError> {
        self.stack.last().ok_or_else(|| ExprError::new(0..0, "syntax", "there is no value"))
    }

    /// Runs every statement and leaves the value of the last on the stack; returns the name that it defined.
    pub(crate) fn statements<'a>(
        &mut self,
        text: &'a str,
        recorder: Option<&mut Recorder>,
    ) -> Result<Option<&'a str>, Box<ExprError>> {
        if text.len() > MAX_TEXT {
            let message = format!("an expression has at most {MAX_TEXT} bytes, and this one has more");
            return Err(ExprError::new(0..0, "limit", message).into());
        }
        self.earlier.clear();
        let mut program = std::mem::take(&mut self.program);
        let result = self.each_statement(text, &mut program, recorder);
        self.program = program;
        result.map_err(|mut error| {
            self.names.undo();
            if let "name" | "syntax" = error.code {
                let advice = functions::advice(text);
                error.help =
                    [error.help.take(), advice].into_iter().flatten().reduce(|own, more| own + "; " + &more);
            }
            error
        })
    }

    fn each_statement<'a>(
        &mut self,
        text: &'a str,
        program: &mut Program,
        mut recorder: Option<&mut Recorder>,
    ) -> Result<Option<&'a str>, Box<ExprError>> {
        let mut position = 0;
        loop {
            self.names.begin();
            let parser = Parser::new(text, position, program, &self.variables, Some(&mut self.names));
            let Read { name, cases, is_sum, next } = parser.statement()?;
            match cases {
                false => self.execute(program, recorder.as_deref_mut())?,
                true => self.cases(program)?,
            }
            if let Some(name) = name {
                self.bind(name)?;
            } else if is_sum && let Some(coordinate) = self.value()?.sum_as_coordinate() {
                self.stack.clear();
                self.stack.push(coordinate);
            }
            let Some(next) = next else { return Ok(name) };
            if let (None, Ok(value)) = (name, self.value()) {
                let states = |own: &Symbolic| matches!(own.kind(), SymbolicKind::Facts | SymbolicKind::Hint);
                let value = (!value.as_symbolic().is_some_and(states)).then(|| value.clone());
                self.earlier.extend(value);
            }
            position = next;
        }
    }

    /// Runs the program at several witnesses: the answers are one function of the names, by cases.
    fn cases(&mut self, program: &Program) -> Result<(), Box<ExprError>> {
        let hints = self.names.hints().to_vec();
        let first = self.run_program(program);
        let mut pieces: Vec<Value> = first.iter().cloned().collect();
        for witness in self.names.witnesses() {
            if pieces.len() == MAX_PIECES {
                break;
            }
            let admitted =
                |piece: &Value| piece.as_symbolic().is_none_or(|own| self.names.at(own, &witness).is_ok());
            if pieces.iter().any(admitted) {
                continue;
            }
            self.names.set_hints(&witness);
            let piece = self.run_program(program).ok().filter(|piece| !pieces.contains(piece));
            pieces.extend(piece);
            self.names.set_hints(&hints);
        }
        let value = match &pieces[..] {
            [] => return first.map(drop),
            [piece] => piece.clone(),
            several => {
                let texts: Vec<String> = several.iter().map(Value::to_string).collect();
                Value::Symbolic(Box::new(Symbolic::plain(Content::Cases(texts.join(" else ")))))
            }
        };
        self.stack.clear();
        self.stack.push(value);
        Ok(())
    }

    /// The printed value at the beginning of a text, with `is_tiler` a tuple as a tiler; the position after it, or of the
    /// error; and the work, in bytes.
    pub(crate) fn printed(
        &mut self,
        text: &str,
        is_tiler: bool,
        with_names: bool,
    ) -> (Result<Value, Box<ExprError>>, usize, usize) {
        let mut program = std::mem::take(&mut self.program);
        // Each layout has its own names for its `?`.
        self.names = Names::default();
        let names = with_names.then_some(&mut self.names);
        let (read, end, work) = Parser::printed(text, is_tiler, &mut program, names);
        let ran = match read {
            Ok(()) if !program.calls().all(Function::is_printed) => {
                Err(ExprError::new(0..end, "name", String::new()).into())
            }
            read => read.and_then(|()| self.run_program(&program)),
        };
        self.program = program;
        (ran, end, work)
    }

    /// The value of a program that nobody watches.
    fn run_program(&mut self, program: &Program) -> Result<Value, Box<ExprError>> {
        self.execute(program, None)?;
        Ok(self.value()?.clone())
    }

    /// Defines a name for the value on the stack.
    fn bind(&mut self, name: &str) -> Result<(), Box<ExprError>> {
        let value = self.value()?.clone();
        if let Some(variable) = self.variables.iter_mut().find(|(known, _)| known == name) {
            variable.1 = value;
            return Ok(());
        }
        if self.variables.len() == MAX_VARIABLES {
            let message = format!("a session has at most {MAX_VARIABLES} variables");
            return Err(ExprError::new(0..0, "limit", message).into());
        }
        self.variables.push((name.to_string(), value));
        Ok(())
    }

    fn execute(
        &mut self,
        program: &Program,
        mut recorder: Option<&mut Recorder>,
    ) -> Result<(), Box<ExprError>> {
        self.stack.clear();
        self.spans.clear();
        let last = program.last().unwrap_or(0);
        let mut next = 0;
        while next < program.steps.len() {
            let number = next;
            next += 1;
            let mut step = program.steps[number];
            let base = self.stack.len() - step.kind.operands();
            if let StepKind::Apply(apply) = &mut step.kind {
                *apply = steps::resolved(*apply, &self.stack[base..]);
            }
            if step.kind.is_group() {
                continue;
            }
            if let Some(recorder) = &mut recorder {
                let (stack, spans, is_last) = (&self.stack, &self.spans, number >= last);
                recorder.before(PendingStep { step: &step, is_last, program, stack, spans });
            }
            let value = match step.kind {
                StepKind::Push(Push::Literal(index)) => Ok(program.literals[index].clone()),
                StepKind::Push(Push::Variable(index)) => Ok(self.variables[index].1.clone()),
                StepKind::Apply(Apply::At { first_name, .. }) => {
                    let operand = program.operand_of_at(number);
                    self.at(program, first_name, operand, &self.stack[base..])
                }
                StepKind::Apply(apply) => steps::evaluate(apply, program, &self.stack[base..], &self.names),
            };
            let (value, base) = match value {
                Ok(value) => (value, base),
                Err(failure) => match self.only_at_numbers(program, number) {
                    Some((operand, value)) => {
                        next = operand.end;
                        (value, program.depth_before(operand.start))
                    }
                    None => return Err(failure.at(step.span(), &self.spans[base..]).into()),
                },
            };
            self.stack.truncate(base);
            self.spans.truncate(base);
            if let Some(recorder) = &mut recorder {
                recorder.after(&value);
            }
            self.stack.push(value);
            self.spans.push(step.span());
        }
        Ok(())
    }

    /// An operand at values of its names. What holds for many values is weaker than the answer at these, so the
    /// operations run again if they can.
    fn at(
        &self,
        program: &Program,
        first_name: usize,
        operand: Range<usize>,
        operands: &[Value],
    ) -> Result<Value, Failure> {
        let given = steps::given(program, first_name, &operands[1..], &self.names)?;
        match self.at_numbers(program, operand, &given).and_then(|mut stack| stack.pop()) {
            Some(value) => Ok(value),
            None => steps::at(&operands[0], &given, &self.names),
        }
    }

    /// The operand of the next `at` around a step that has no answer for names, and its value at the numbers.
    fn only_at_numbers(&self, program: &Program, number: usize) -> Option<(Range<usize>, Value)> {
        let (place, first_name) = program.at_around(number)?;
        let operand = program.operand_of_at(place);
        let numbers = self.at_numbers(program, operand.end..place, &[])?;
        let given = steps::given(program, first_name, &numbers, &self.names).ok()?;
        let value = self.at_numbers(program, operand.clone(), &given)?.pop()?;
        Some((operand, value))
    }

    /// The values of some steps with numbers in place of names, if there are any.
    fn at_numbers(
        &self,
        program: &Program,
        steps: Range<usize>,
        given: &[(&str, i64)],
    ) -> Option<Vec<Value>> {
        let at = |value: &Value| steps::at(value, given, &self.names).ok();
        let mut stack: Vec<Value> = Vec::new();
        for step in &program.steps[steps] {
            let base = stack.len() - step.kind.operands();
            let value = match step.kind {
                StepKind::Push(Push::Literal(index)) => at(&program.literals[index])?,
                StepKind::Push(Push::Variable(index)) => at(&self.variables[index].1)?,
                // A condition that is stated.
                StepKind::Apply(Apply::If { .. }) => return None,
                StepKind::Apply(apply) => {
                    let operands = &stack[base..];
                    let apply = steps::resolved(apply, operands);
                    steps::evaluate(apply, program, operands, &self.names).ok()?
                }
            };
            stack.truncate(base);
            stack.push(value);
        }
        Some(stack)
    }
}
