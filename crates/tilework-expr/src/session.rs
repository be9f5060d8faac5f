//! Running expressions: variables, and the stack that programs work on.

use crate::error::{ExprError, Failure};
use crate::explain::{Explanation, Operands};
use crate::functions::{self, Call, Indices};
use crate::parse::Parser;
use crate::program::{Program, Step, StepKind};
use crate::trace::{Recorder, Trace};
use crate::value::Value;
use std::ops::Range;
use tilework::__private::Atom;
use tilework::{Composed, Error, HTuple, Layout, MAX_LEAVES, Tiler, View};

/// The longest text that is read.
pub(crate) const MAX_TEXT: usize = 64 * 1024;

/// How many names `let` may give.
const MAX_VARIABLES: usize = 1024;

/// What one text came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome<'a, 's> {
    /// The value of the last statement.
    pub value: &'s Value,
    /// The name that the last statement gave it, where it was a `let`.
    pub name: Option<&'a str>,
}

/// Evaluates expressions and remembers what `let` named.
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
    program: Program,
    stack: Vec<Value>,
    spans: Vec<Range<usize>>,
}

impl Session {
    /// A session without variables.
    pub fn new() -> Session {
        Session::default()
    }

    /// The names that `let` gave so far, with their values.
    pub fn variables(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.variables.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// The value of a text: of its last statement, where `;` separates several.
    ///
    /// # Errors
    /// [`ExprError`] with the place in the text. What earlier statements of the text named stays.
    pub fn evaluate(&mut self, text: &str) -> Result<&Value, ExprError> {
        match self.statements(text, &mut ()) {
            Ok(_) => Ok(self.value()),
            Err(error) => Err(*error),
        }
    }

    /// The value of a text, and the name that its last statement gave it.
    ///
    /// # Errors
    /// [`ExprError`] with the place in the text.
    pub fn run<'a>(&mut self, text: &'a str) -> Result<Outcome<'a, '_>, ExprError> {
        match self.statements(text, &mut ()) {
            Ok(name) => Ok(Outcome { value: self.value(), name }),
            Err(error) => Err(*error),
        }
    }

    /// The value of a text with the reasons: what the outermost operation of its last statement did with its operands,
    /// or why it refuses them.
    ///
    /// # Errors
    /// [`ExprError`] where the text has no outermost operation to explain: a syntax error, or an operand that fails.
    pub fn explain(&mut self, text: &str) -> Result<Explanation, ExprError> {
        let mut outermost = Outermost { text, operands: None };
        let ran = self.statements(text, &mut outermost);
        match (ran, outermost.operands) {
            (Ok(_), Some(operands)) => Ok(operands.explain(Ok(self.value()))),
            (Err(error), Some(operands)) if operands.covers(&error.span) => Ok(operands.explain(Err(&error))),
            (Err(error), _) => Err(*error),
            (Ok(_), None) => Err(ExprError::new(0..0, "syntax", "there is nothing to explain")),
        }
    }

    /// Every operation of a text with its operands and its value, inner ones before those that take their values.
    ///
    /// ```
    /// use tilework_expr::Session;
    /// let trace = Session::new().trace("size(coalesce((2,4):(1,2)))");
    /// let values: Vec<String> = trace.operations.iter().map(|done| done.explain().outcome.unwrap()).collect();
    /// assert_eq!(values, ["8:1", "8"]);
    /// ```
    pub fn trace(&mut self, text: &str) -> Trace {
        let mut recorder = Recorder::new(text);
        let ran = self.statements(text, &mut recorder);
        recorder.finish(ran.map(|name| (name, self.value())).map_err(|error| *error))
    }

    /// The value of a text with its outermost operation.
    pub(crate) fn operation(&mut self, text: &str) -> Result<(Operands, Value), ExprError> {
        let mut outermost = Outermost { text, operands: None };
        self.statements(text, &mut outermost).map_err(|error| *error)?;
        let operands =
            outermost.operands.ok_or_else(|| ExprError::new(0..0, "syntax", "there is nothing to draw"))?;
        Ok((operands, self.value().clone()))
    }

    /// What the last program left: one value.
    fn value(&self) -> &Value {
        self.stack.last().unwrap_or(&Value::Truth(false))
    }

    /// Runs every statement and leaves the value of the last on the stack; gives the name that it was given.
    fn statements<'a>(
        &mut self,
        text: &'a str,
        watch: &mut impl Watch,
    ) -> Result<Option<&'a str>, Box<ExprError>> {
        if text.len() > MAX_TEXT {
            let message = format!("an expression has at most {MAX_TEXT} bytes; this one has {}", text.len());
            return Err(Box::new(ExprError::new(0..0, "limit", message)));
        }
        let mut program = std::mem::take(&mut self.program);
        let mut parser = Parser::new(text);
        let result = loop {
            let name = match parser.statement(&mut program, &self.variables) {
                Ok(name) => name,
                Err(error) => break Err(error),
            };
            let more = match parser.next_statement() {
                Ok(more) => more,
                Err(error) => break Err(error),
            };
            if let Err(error) = self.execute(&mut program, watch) {
                break Err(error);
            }
            if let Some(name) = name
                && let Err(error) = self.bind(name)
            {
                break Err(error);
            }
            if !more {
                break Ok(name);
            }
        };
        self.program = program;
        result
    }

    /// Gives the value on the stack a name.
    fn bind(&mut self, name: &str) -> Result<(), Box<ExprError>> {
        let value = self.value().clone();
        if let Some(variable) = self.variables.iter_mut().find(|(known, _)| known == name) {
            variable.1 = value;
            return Ok(());
        }
        if self.variables.len() == MAX_VARIABLES {
            let message = format!("a session has at most {MAX_VARIABLES} variables");
            return Err(Box::new(ExprError::new(0..0, "limit", message)));
        }
        self.variables.push((name.to_string(), value));
        Ok(())
    }

    fn execute(&mut self, program: &mut Program, watch: &mut impl Watch) -> Result<(), Box<ExprError>> {
        self.stack.clear();
        self.spans.clear();
        let last = program.steps.len().saturating_sub(1);
        for number in 0..program.steps.len() {
            let step = program.steps[number];
            watch.before(&step, number == last, program, &self.stack, &self.spans);
            if let StepKind::Literal(index) = step.kind {
                // Each literal is put down once, and need not be copied.
                self.stack.push(std::mem::replace(&mut program.literals[index], Value::Truth(false)));
                self.spans.push(step.span());
                watch.after(self.value());
                continue;
            }
            let base = self.stack.len() - operand_count(step.kind);
            let value = match self.step(&step, program, base) {
                Ok(value) => value,
                Err(failure) => return Err(Box::new(failure.at(step.span(), &self.spans[base..]))),
            };
            self.stack.truncate(base);
            self.spans.truncate(base);
            self.stack.push(value);
            self.spans.push(step.span());
            watch.after(self.value());
        }
        Ok(())
    }

    fn step(&mut self, step: &Step, program: &Program, base: usize) -> Result<Value, Failure> {
        match step.kind {
            // A literal is put down without a copy, by the caller.
            StepKind::Literal(_) => Ok(Value::Truth(false)),
            StepKind::Variable(index) => Ok(self.variables[index].1.clone()),
            StepKind::Call { function, first_index, end_index, .. } => {
                let indices = &program.indices[first_index..end_index];
                if matches!(function.indices, Indices::Path) && !indices.is_empty() {
                    self.stack[base] = functions::part(&self.stack[base], indices)?;
                }
                (function.run)(&Call { name: function.name, arguments: &self.stack[base..], indices })
            }
            StepKind::Apply(_) => apply(&self.stack[base], &self.stack[base + 1..]),
            StepKind::Tuple(_) => gather(&self.stack[base..]),
            StepKind::Tiler(_) => tiler(&self.stack[base..]),
            StepKind::Pair => pair(&self.stack[base], &self.stack[base + 1]),
            StepKind::View => view(&self.stack[base], &self.stack[base + 1]),
            StepKind::Swizzled => swizzled(&self.stack[base], &self.stack[base + 1], &self.stack[base + 2]),
        }
    }
}

/// Looks on while programs run.
pub(crate) trait Watch {
    /// A step with its operands on the stack, and the places where they were written.
    fn before(&mut self, step: &Step, last: bool, program: &Program, stack: &[Value], spans: &[Range<usize>]);
    /// The value of that step.
    fn after(&mut self, _value: &Value) {}
}

impl Watch for () {
    fn before(&mut self, _: &Step, _: bool, _: &Program, _: &[Value], _: &[Range<usize>]) {}
}

/// Keeps the operands of each statement's outermost operation.
struct Outermost<'a> {
    text: &'a str,
    operands: Option<Operands>,
}

impl Watch for Outermost<'_> {
    fn before(
        &mut self,
        step: &Step,
        last: bool,
        program: &Program,
        stack: &[Value],
        spans: &[Range<usize>],
    ) {
        if last {
            self.operands = Some(Operands::new(step, program, stack, spans, self.text));
        }
    }
}

/// How many values a step takes from the stack.
pub(crate) fn operand_count(kind: StepKind) -> usize {
    match kind {
        StepKind::Literal(_) | StepKind::Variable(_) => 0,
        StepKind::Call { arguments, .. } => arguments,
        StepKind::Apply(coordinates) => coordinates + 1,
        StepKind::Tuple(count) | StepKind::Tiler(count) => count,
        StepKind::Pair | StepKind::View => 2,
        StepKind::Swizzled => 3,
    }
}

/// The coordinate that the arguments of an application are: `(2,5)` of `(L)(2,5)`.
pub(crate) fn coordinate(arguments: &[Value]) -> Result<HTuple<Atom>, Failure> {
    if let [Value::Tuple(tuple)] = arguments {
        return Ok(*tuple);
    }
    let mut many = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        let Value::Tuple(tuple) = argument else {
            let help = match argument {
                Value::Layout(_) | Value::View(_) | Value::Composed(_) => {
                    Some("a layout is applied to a layout with `o`: A o B")
                }
                _ => None,
            };
            let message = format!("a layout is applied to a coordinate, and this is {}", argument.kind());
            return Err(Failure::Argument { index: index + 1, message, help });
        };
        many.push(*tuple);
        if many.len() > MAX_LEAVES {
            return Err(Failure::Core(Error::Capacity { what: "modes in a coordinate", limit: MAX_LEAVES }));
        }
    }
    Ok(HTuple::tuple(&many)?)
}

fn apply(function: &Value, arguments: &[Value]) -> Result<Value, Failure> {
    let coordinate = coordinate(arguments)?;
    if let Value::Swizzle(swizzle) = function {
        let Some(offset) = Value::Tuple(coordinate).as_integer() else {
            let message = String::from("a swizzle is applied to an integer");
            return Err(Failure::Argument { index: 1, message, help: None });
        };
        return Ok(Value::integer(swizzle.apply(offset)?));
    }
    if function.domain().is_none() && function.as_layout().is_none() {
        let message =
            format!("only layouts and swizzles are applied to coordinates, and this is {}", function.kind());
        return Err(Failure::Argument { index: 0, message, help: None });
    }
    let coordinate = Value::Tuple(coordinate);
    if coordinate.is_open() {
        return functions::slice(function, &coordinate);
    }
    let Some(coord) = coordinate.as_coord() else {
        let message = String::from("a coordinate is a tuple of integers");
        return Err(Failure::Argument { index: 1, message, help: None });
    };
    match function.evaluate(&coord) {
        Some(offset) => Ok(Value::offset(&offset?)?),
        None => {
            let message = format!("{} is no function of coordinates", function.kind());
            Err(Failure::Argument { index: 0, message, help: None })
        }
    }
}

/// `(a,b,...)`: a tuple of numbers, or the layout of several layouts.
fn gather(members: &[Value]) -> Result<Value, Failure> {
    if members.len() > MAX_LEAVES {
        return Err(Failure::Core(Error::Capacity { what: "modes in a tuple", limit: MAX_LEAVES }));
    }
    let mut tuples = Vec::new();
    for member in members {
        match member {
            Value::Tuple(tuple) => tuples.push(*tuple),
            _ => break,
        }
    }
    if tuples.len() == members.len() {
        return Ok(Value::Tuple(HTuple::tuple(&tuples)?));
    }
    functions::concatenate(members)
}

/// `<a,b,...>`.
fn tiler(members: &[Value]) -> Result<Value, Failure> {
    if members.len() > MAX_LEAVES {
        return Err(Failure::Core(Error::Capacity { what: "tiles in a tiler", limit: MAX_LEAVES }));
    }
    let mut tiles = Vec::new();
    for (index, member) in members.iter().enumerate() {
        let tile = match member {
            Value::Tiler(tiler) => Some(Ok(*tiler)),
            // Within `<...>` a tuple of extents is a compact layout, as everywhere in the notation.
            Value::Tuple(tuple) if !tuple.is_leaf() => {
                member.as_layout().map(|layout| layout.map(|layout| layout.as_tiler()))
            }
            _ => member.as_tiler(),
        };
        let Some(tile) = tile else {
            let message =
                format!("a tile is a layout, an extent, `_` or a tiler, and this is {}", member.kind());
            return Err(Failure::Argument { index, message, help: None });
        };
        tiles.push(tile?);
    }
    Ok(Value::Tiler(Tiler::by_mode(&tiles)?))
}

/// `shape:stride` where one of them is no literal.
fn pair(shape: &Value, stride: &Value) -> Result<Value, Failure> {
    let wrong = |index: usize, what: &str, value: &Value| {
        let message = format!("{what} is a number or a tuple, and this is {}", value.kind());
        Failure::Argument { index, message, help: None }
    };
    let Value::Tuple(shape) = shape else { return Err(wrong(0, "a shape", shape)) };
    let Value::Tuple(stride) = stride else { return Err(wrong(1, "a stride", stride)) };
    let shape = shape.integers(0).map_err(|_| wrong(0, "a shape", &Value::Tuple(*shape)))?;
    let stride = stride.strides(0).map_err(|_| wrong(1, "a stride", &Value::Tuple(*stride)))?;
    Ok(Value::Layout(Layout::with_stride(&shape, &stride)?))
}

/// `{offset} o layout`.
fn view(offset: &Value, layout: &Value) -> Result<Value, Failure> {
    let wrong = |index: usize, what: &str| Failure::Argument { index, message: what.into(), help: None };
    let offset = offset.as_offset().ok_or_else(|| wrong(0, "an offset is a number or a coordinate"))?;
    match layout.as_layout() {
        Some(layout) => Ok(Value::View(View::new(offset, layout?)?)),
        None => Err(wrong(1, "an offset stands before a layout")),
    }
}

/// `swizzle o offset o layout`.
fn swizzled(left: &Value, offset: &Value, right: &Value) -> Result<Value, Failure> {
    let (Value::Swizzle(swizzle), Some(offset)) = (left, offset.as_integer()) else {
        let inner = functions::compose(left, offset)?;
        return functions::compose(&inner, right);
    };
    match right.as_layout() {
        Some(layout) => Ok(Value::Composed(Composed::new(*swizzle, offset, layout?)?)),
        None => {
            let message = format!("a swizzle is composed with a layout, and this is {}", right.kind());
            Err(Failure::Argument { index: 2, message, help: None })
        }
    }
}
