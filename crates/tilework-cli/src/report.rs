//! Errors for people, with a mark at the position, and for programs, as JSON.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use serde::Serialize;
use serde_json::ser::{CharEscape, CompactFormatter, Formatter, Serializer};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{self, Write};
use tilework_expr::{ExprError, Session, Symbolic, SymbolicKind};
use tilework_formats::formats;

/// Commands that a newcomer writes among expressions, each of which is no function.
const COMMANDS: &str = "explain functions show draw atoms operand banks sectors vector cover format shard reshard gemm contract kernel help";

/// Writes a line to standard error. There is no place to say that it cannot be written; the exit status says what is known.
pub fn say(text: impl Display) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

/// Writes an error to standard error, with the expression and a mark at the position.
pub fn error(expression: &str, error: &ExprError) {
    let source = if expression.is_empty() { " " } else { expression };
    let span = error.span.start.min(source.len())..error.span.end.min(source.len());
    let title = Level::ERROR.primary_title(error.message.as_str()).id(error.code);
    let snippet = Snippet::source(source).annotation(AnnotationKind::Primary.span(span.clone()));
    let mut group: Group<'_> = title.element(snippet);
    let word = source.get(span).unwrap_or_default();
    // Of any letters a rule makes a format.
    let mut listed = formats().iter().flat_map(|format| format.aliases().chain([format.name()]));
    let is_format = error.code == "name" && listed.any(|name| name == word);
    let format = is_format.then(|| format!("`tilework format {word}` shows the storage format of this name"));
    let is_command = error.code == "name"
        && COMMANDS.split(' ').any(|own| own == word)
        && expression.trim_start().starts_with(word);
    let command = is_command.then(|| format!("`{word}` is a command: write `tilework {word} ..` in a shell"));
    if let Some(help) = format.as_ref().or(command.as_ref()).or(error.help.as_ref()) {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    say(Renderer::styled().render(&[group]));
}

/// Writes an error that has no position in a text.
pub fn refusal(code: &str, message: &str) {
    let message = by_option(message);
    let group = Group::with_title(Level::ERROR.primary_title(message).id(code));
    say(Renderer::styled().render(&[group]));
}

/// The program takes by an option what is an argument in the language.
pub fn by_option(message: &str) -> String {
    message.replace("their bits, such as 16,", "their bits, such as --bits 16,")
}

#[derive(Serialize)]
struct Answer<'a> {
    expr: &'a str,
    result: &'a str,
    #[serde(flatten)]
    symbolic: Option<OfNames>,
}

/// The parts of an answer with names.
#[derive(Serialize)]
struct OfNames {
    #[serde(skip_serializing_if = "Option::is_none")]
    layout: Option<String>,
    /// Clauses of alternatives of conditions; each of several cases has its own in the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    guard: Option<Vec<Vec<Vec<String>>>>,
    witness: BTreeMap<String, i64>,
}

#[derive(Serialize)]
struct Failed<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    expr: Option<&'a str>,
    error: Condition<'a>,
}

#[derive(Serialize)]
struct Condition<'a> {
    code: &'a str,
    message: &'a str,
    /// In characters from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<usize>,
}

/// Appends `{"expr":...,"result":...}`; for a value with names also the layout, the guard, and the witness.
pub fn json_result(
    line: &mut Vec<u8>,
    expression: &str,
    result: &str,
    symbolic: Option<&Symbolic>,
    session: &Session,
) {
    let symbolic = symbolic.map(|symbolic| OfNames {
        layout: matches!(symbolic.kind(), SymbolicKind::Layout | SymbolicKind::View).then(|| symbolic.text()),
        guard: (symbolic.kind() != SymbolicKind::Cases).then(|| symbolic.guard()),
        witness: session.witness().into_iter().collect(),
    });
    json(line, &Answer { expr: expression, result, symbolic });
}

/// Appends `{"expr":...,"error":{"code":...,"message":...,"at":...}}`.
pub fn json_error(line: &mut Vec<u8>, expression: &str, error: &ExprError) {
    let message = error.help.as_ref().map(|help| format!("{}; {help}", error.message));
    let at = expression.get(..error.span.start).map_or(0, |before| before.chars().count());
    let message = message.as_deref().unwrap_or(&error.message);
    json(
        line,
        &Failed { expr: Some(expression), error: Condition { code: error.code, message, at: Some(at) } },
    );
}

#[derive(Serialize)]
struct Scanned<'a> {
    line: usize,
    label: &'a str,
    text: &'a str,
    result: &'a str,
}

/// Appends `{"line":...,"label":...,"text":...,"result":...}`.
pub fn json_found(out: &mut Vec<u8>, line: usize, label: &str, text: &str, result: &str) {
    json(out, &Scanned { line, label, text, result });
}

/// Appends `{"error":{"code":...,"message":...}}`, for an error without a position in a text.
pub fn json_refusal(line: &mut Vec<u8>, code: &str, message: &str) {
    json(line, &Failed { expr: None, error: Condition { code, message, at: None } });
}

/// Appends a line of JSON.
pub fn json(line: &mut Vec<u8>, value: &impl Serialize) {
    // Writing to a vector cannot fail, and all keys are strings.
    let _ = value.serialize(&mut Serializer::with_formatter(&mut *line, Plain));
    line.push(b'\n');
}

/// JSON without exponents in numbers, and with control characters as numeric escapes.
struct Plain;

impl Formatter for Plain {
    fn write_f64<W: ?Sized + Write>(&mut self, out: &mut W, value: f64) -> io::Result<()> {
        write!(out, "{value}")
    }

    fn write_char_escape<W: ?Sized + Write>(&mut self, out: &mut W, escape: CharEscape) -> io::Result<()> {
        match escape {
            CharEscape::Backspace => out.write_all(b"\\u0008"),
            CharEscape::FormFeed => out.write_all(b"\\u000c"),
            _ => CompactFormatter.write_char_escape(out, escape),
        }
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, text: &str) -> io::Result<()> {
        // Those beyond ASCII need no escape in JSON, but a terminal obeys them.
        let mut rest = text;
        while let Some((at, control)) = rest.char_indices().find(|(_, letter)| letter.is_control()) {
            write!(out, "{}\\u{:04x}", &rest[..at], u32::from(control))?;
            rest = &rest[at + control.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_escapes_what_it_must() {
        let mut line = Vec::new();
        json_result(&mut line, "\"a\\\u{1}\u{8}\u{c}\u{1f}\u{7f}\u{9b}\n∘/", "1", None, &Session::new());
        let expected = r#"{"expr":"\"a\\\u0001\u0008\u000c\u001f\u007f\u009b\n∘/","result":"1"}"#;
        assert_eq!(String::from_utf8_lossy(&line).trim_end(), expected);
    }

    #[test]
    fn json_is_json() {
        let mut line = Vec::new();
        let expression = "∘ \t\u{7f}\"";
        json_error(&mut line, expression, &ExprError::new(4..4, "syntax", "a \\ b"));
        let parsed: serde_json::Value = serde_json::from_slice(&line).expect("what is written is JSON");
        assert_eq!(parsed["expr"], expression);
        assert_eq!(parsed["error"]["message"], "a \\ b");
        assert_eq!(parsed["error"]["at"], 2);
    }
}
