//! The answers.

use crate::cell::Cell;
use crate::names::{Names, scene_of};
use crate::picture::{Picture, as_function, export, shown};
use crate::program::starts;
use crate::question::{Question, Source, View};
use crate::wrong::{Wrong, units};
use serde::Serialize;
use std::cell::RefCell;
use std::ops::Range;
use tilework_draw::{ColorBy, Scene};
use tilework_expr::{Aspect, Banks, FUNCTIONS, Found, Section, Trace, Value};
use tilework_hardware::atom::{Group, groups, rows};

/// Answers a question in JSON; a question that cannot be read is answered with an error.
pub fn answer(question: &str) -> String {
    let answered = match serde_json::from_str(question) {
        Ok(Question::Pane { source, view }) => serde_json::to_string(&Pane::of(&source, &view)),
        Ok(Question::Operation { source, view, number }) => {
            serde_json::to_string(&Operation::of(&source, &view, number))
        }
        Ok(Question::Cell { source, view, number }) => {
            serde_json::to_string(&with_scene(&source, &view, |scene, banks| {
                Cell::of(scene?, banks, &view, number)
            }))
        }
        Ok(Question::Export { source, view, format }) => {
            serde_json::to_string(&with_scene(&source, &view, |scene, _| {
                scene.map(|scene| export(scene, &view, format))
            }))
        }
        Ok(Question::Functions) => serde_json::to_string(&functions()),
        Ok(Question::Atoms { words }) => serde_json::to_string(&Atoms::of(&words)),
        Ok(Question::Aspects) => {
            serde_json::to_string(&Aspect::ALL.map(|aspect| choice(aspect.name(), aspect.summary())))
        }
        Ok(Question::Colors) => {
            serde_json::to_string(&ColorBy::ALL.map(|by| choice(by.name(), by.summary())))
        }
        Ok(Question::Scan { text }) => serde_json::to_string(
            &tilework_expr::scan(&text).into_iter().map(Scanned::of).collect::<Vec<_>>(),
        ),
        Ok(Question::Sharding { tensor }) => serde_json::to_string(&tensor.answer()),
        Ok(Question::Memory { tile }) => serde_json::to_string(&tile.answer()),
        Ok(Question::Format { stored }) => serde_json::to_string(&stored.answer()),
        Ok(Question::Place { stored, number }) => serde_json::to_string(&stored.place(number)),
        Ok(Question::Program { kernel }) => serde_json::to_string(&kernel.answer()),
        Ok(Question::Touch { kernel, number }) => serde_json::to_string(&kernel.place(number)),
        Ok(Question::Check { kernel }) => serde_json::to_string(&kernel.check()),
        Ok(Question::Emit { kernel, language }) => serde_json::to_string(&kernel.emit(&language)),
        Ok(Question::Run { kernel }) => serde_json::to_string(&kernel.run()),
        Ok(Question::Starts) => serde_json::to_string(&starts()),
        Ok(Question::Block { tensor, number }) => serde_json::to_string(&tensor.cell(number)),
        Err(error) => Err(error),
    };
    answered.unwrap_or_else(|error| serde_json::json!({ "refused": error.to_string() }).to_string())
}

/// A layout in a text.
#[derive(Serialize)]
struct Scanned {
    line: usize,
    label: String,
    text: String,
    value: String,
}

impl Scanned {
    fn of(found: Found) -> Scanned {
        let Found { line, label, text, value, .. } = found;
        Scanned { line, label, text, value: value.to_string() }
    }
}

/// The picture of a text, and the memory that it is of.
struct Drawn {
    source: Source,
    view: View,
    scene: Option<Scene>,
    banks: Option<Banks>,
}

thread_local! {
    /// The last picture requested: a pointer requests many of its cells.
    static LAST: RefCell<Option<Drawn>> = const { RefCell::new(None) };
}

fn remember(source: &Source, view: &View, scene: Option<Scene>, trace: &Trace) {
    let banks = shown(trace).and_then(|value| view.banks(&value));
    let drawn = Drawn { source: source.clone(), view: view.clone(), scene, banks };
    LAST.with_borrow_mut(|last| *last = Some(drawn));
}

fn with_scene<T>(source: &Source, view: &View, look: impl FnOnce(Option<&Scene>, Option<&Banks>) -> T) -> T {
    let is_known = |last: &Drawn| (&last.source, &last.view) == (source, view);
    if !LAST.with_borrow(|last| last.as_ref().is_some_and(is_known)) {
        let (session, trace) = source.run();
        remember(source, view, scene_of(source, view, &session, &trace).1, &trace);
    }
    LAST.with_borrow(|last| {
        let last = last.as_ref();
        look(last.and_then(|last| last.scene.as_ref()), last.and_then(|last| last.banks.as_ref()))
    })
}

/// The contents of the pane of a text.
#[derive(Serialize)]
struct Pane {
    value: Option<Named>,
    facts: Vec<Fact>,
    picture: Option<Picture>,
    operations: Vec<Place>,
    error: Option<Wrong>,
    /// For a value with names.
    names: Option<Names>,
}

#[derive(Serialize)]
struct Named {
    text: String,
    kind: &'static str,
    /// Its name, if `let` defined one.
    name: Option<String>,
    /// For emitted text.
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<String>,
}

/// The answer to a question about a layout.
#[derive(Serialize)]
struct Fact {
    name: &'static str,
    value: String,
}

/// An operation and its position, in units of JavaScript's strings.
#[derive(Serialize)]
struct Place {
    name: &'static str,
    start: usize,
    end: usize,
    refused: bool,
}

impl Pane {
    fn of(source: &Source, view: &View) -> Pane {
        let (session, trace) = source.run();
        let operations = trace.operations.iter().map(|operation| {
            let Range { start, end } = units(&source.text, &operation.span());
            Place { name: operation.name(), start, end, refused: operation.outcome().is_err() }
        });
        let operations = operations.collect();
        let (names, mut scene) = scene_of(source, view, &session, &trace);
        let picture = scene.as_mut().map(|scene| Picture::new(scene, view));
        remember(source, view, scene, &trace);
        let shown = shown(&trace);
        let mut facts = shown.as_ref().map(facts).unwrap_or_default();
        facts.extend(
            shown.filter(|_| view.aspect() == Aspect::Banks).and_then(|value| conflicts(&value, view)),
        );
        match trace.outcome {
            Ok((value, name)) => {
                let function = function(&value);
                let value = Named { text: value.to_string(), kind: value.kind(), name, function };
                Pane { value: Some(value), facts, picture, operations, error: None, names }
            }
            Err(error) => {
                let error = Some(Wrong::of(&error, &source.text));
                Pane { value: None, facts, picture, operations, error, names: None }
            }
        }
    }
}

/// The whole function of emitted text.
fn function(value: &Value) -> Option<String> {
    (value.kind() == "source text").then(|| value.in_full())
}

/// How many words of a row, and of a column, are in one bank.
fn conflicts(value: &Value, view: &View) -> Option<Fact> {
    let (data, banks) = (value.as_data()?.ok()?, view.banks(value)?);
    let [row, column] = banks.degrees(&data).ok()?;
    let bits = banks.element_bits;
    let value = format!("{row}-way in a row, {column}-way in a column, of elements of {bits} bits");
    Some(Fact { name: "bank conflicts", value })
}

/// The explanation of one operation.
#[derive(Serialize)]
struct Operation {
    name: String,
    expression: String,
    operands: Vec<Operand>,
    sections: Vec<Section>,
    value: Option<String>,
    picture: Option<Picture>,
    error: Option<Wrong>,
}

#[derive(Serialize)]
struct Operand {
    /// Its source text.
    source: String,
    value: String,
    picture: Option<Picture>,
}

impl Operation {
    fn of(source: &Source, view: &View, number: usize) -> Option<Operation> {
        let trace = source.trace();
        let operation = trace.operations.get(number)?;
        let explanation = operation.explain();
        let operands = explanation.operands.into_iter().zip(operation.operands());
        let operands = operands.map(|((source, text), value)| Operand {
            source,
            value: text,
            picture: as_function(value).and_then(|value| Picture::of_value(&value, view)),
        });
        Some(Operation {
            name: explanation.operation,
            expression: explanation.expression,
            operands: operands.collect(),
            sections: explanation.sections,
            picture: operation
                .outcome()
                .ok()
                .filter(|value| value.domain().is_some())
                .and_then(|value| Picture::of_value(value, view)),
            value: explanation.outcome.as_ref().ok().cloned(),
            error: explanation.outcome.as_ref().err().map(|error| Wrong::of(error, &source.text)),
        })
    }
}

/// The questions about a layout that the page always answers: those that apply to the value.
fn facts(value: &Value) -> Vec<Fact> {
    if let Value::Instruction(_) = value {
        let field = |name: &&'static str| {
            let text = match value.field(name)? {
                Ok(value) => value.to_string(),
                Err(error) => format!("none: {error}"),
            };
            Some(Fact { name, value: text })
        };
        return value.fields().iter().filter_map(field).collect();
    }
    let mut questions: Vec<_> = FUNCTIONS.iter().filter(|function| function.fact().is_some()).collect();
    questions.sort_by_key(|function| function.fact());
    let fact = |function: &tilework_expr::Function| {
        let value = function.call(std::slice::from_ref(value), &[]).ok()?.to_string();
        Some(Fact { name: function.name(), value })
    };
    questions.into_iter().filter_map(fact).collect()
}

/// A row of the table of functions: the output of `tilework functions NAME`, in its parts.
#[derive(Serialize)]
struct Function {
    name: &'static str,
    forms: &'static [&'static str],
    summary: &'static str,
    family: &'static str,
    definition: &'static str,
    examples: &'static [(&'static str, &'static str)],
    /// Its names in C++ CuTe, the CuTe DSL and pycute; empty if these lack it.
    cute: [&'static str; 3],
    aliases: &'static [&'static str],
    errors: &'static str,
}

fn functions() -> Vec<Function> {
    let row = |function: &tilework_expr::Function| Function {
        name: function.name(),
        forms: function.forms(),
        summary: function.summary(),
        family: function.family().title(),
        definition: function.definition(),
        examples: function.examples(),
        cute: function.cute(),
        aliases: function.aliases(),
        errors: function.errors(),
    };
    FUNCTIONS.iter().map(row).collect()
}

/// The names of the instructions found.
#[derive(Serialize)]
struct Atoms {
    /// Their number; the first of them are listed.
    count: usize,
    names: Vec<String>,
    /// The families, if the search is empty.
    families: Vec<AtomFamily>,
}

/// Instructions of one architecture and one kind.
#[derive(Serialize)]
struct AtomFamily {
    architecture: String,
    instructions: &'static str,
    count: usize,
    example: String,
}

/// The most names listed.
const MAX_NAMES: usize = 50;

impl Atoms {
    fn of(words: &str) -> Atoms {
        let words: Vec<&str> = words.split_whitespace().collect();
        if words.is_empty() {
            let family = |group: &Group| AtomFamily {
                architecture: group.example.architecture().to_string(),
                instructions: group.example.family(),
                count: group.count,
                example: group.example.name().to_string(),
            };
            let groups = groups();
            let count = groups.iter().map(|group| group.count).sum();
            return Atoms { count, names: Vec::new(), families: groups.iter().map(family).collect() };
        }
        let (mut count, mut names) = (0, Vec::new());
        for row in rows() {
            if words.iter().all(|word| row.is_about(word)) {
                count += 1;
                if names.len() < MAX_NAMES {
                    names.push(row.name().to_string());
                }
            }
        }
        Atoms { count, names, families: Vec::new() }
    }
}

/// An aspect, or a meaning of colours, by name.
#[derive(Serialize)]
struct Choice {
    name: &'static str,
    summary: &'static str,
}

fn choice(name: &'static str, summary: &'static str) -> Choice {
    Choice { name, summary }
}
