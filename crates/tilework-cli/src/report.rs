//! Errors for people, with a mark under the place, and for programs, as JSON.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::io::Write;
use tilework_expr::ExprError;

/// Writes an error to standard error, with the expression and a mark under the place.
pub fn error(expression: &str, error: &ExprError) {
    let source = if expression.is_empty() { " " } else { expression };
    let span = error.span.start.min(source.len())..error.span.end.min(source.len());
    let title = Level::ERROR.primary_title(error.message.as_str()).id(error.code);
    let snippet = Snippet::source(source).annotation(AnnotationKind::Primary.span(span));
    let mut group: Group<'_> = title.element(snippet);
    if let Some(help) = &error.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    anstream::eprintln!("{}", Renderer::styled().render(&[group]));
}

/// Writes an error that no place in a text belongs to.
pub fn refusal(code: &str, message: &str) {
    let group = Group::with_title(Level::ERROR.primary_title(message).id(code));
    anstream::eprintln!("{}", Renderer::styled().render(&[group]));
}

/// Appends `{"expr":...,"result":...}`.
pub fn json_result(line: &mut Vec<u8>, expression: &str, result: &str) {
    line.extend_from_slice(b"{\"expr\":");
    json_string(line, expression);
    line.extend_from_slice(b",\"result\":");
    json_string(line, result);
    line.extend_from_slice(b"}\n");
}

/// Appends `{"expr":...,"error":{"code":...,"message":...,"at":...}}`; `at` counts characters from 0.
pub fn json_error(line: &mut Vec<u8>, expression: &str, error: &ExprError) {
    line.extend_from_slice(b"{\"expr\":");
    json_string(line, expression);
    line.extend_from_slice(b",\"error\":{\"code\":");
    json_string(line, error.code);
    line.extend_from_slice(b",\"message\":");
    match &error.help {
        Some(help) => json_string(line, &format!("{}; {help}", error.message)),
        None => json_string(line, &error.message),
    }
    let at = expression.get(..error.span.start).map_or(0, |before| before.chars().count());
    let _ = writeln!(line, ",\"at\":{at}}}}}");
}

/// Appends `{"error":{"code":...,"message":...}}`, for an error that no place in a text belongs to.
pub fn json_refusal(line: &mut Vec<u8>, code: &str, message: &str) {
    line.extend_from_slice(b"{\"error\":{\"code\":");
    json_string(line, code);
    line.extend_from_slice(b",\"message\":");
    json_string(line, message);
    line.extend_from_slice(b"}}\n");
}

/// Appends a string with quotation marks, escaped as RFC 8259 asks.
pub fn json_string(line: &mut Vec<u8>, text: &str) {
    line.push(b'"');
    for byte in text.bytes() {
        match byte {
            b'"' => line.extend_from_slice(b"\\\""),
            b'\\' => line.extend_from_slice(b"\\\\"),
            b'\n' => line.extend_from_slice(b"\\n"),
            b'\r' => line.extend_from_slice(b"\\r"),
            b'\t' => line.extend_from_slice(b"\\t"),
            0..0x20 | 0x7f => {
                let _ = write!(line, "\\u{byte:04x}");
            }
            _ => line.push(byte),
        }
    }
    line.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_escapes_what_it_must() {
        let mut line = Vec::new();
        json_result(&mut line, "\"a\\\u{1}\n∘", "1");
        assert_eq!(String::from_utf8_lossy(&line), "{\"expr\":\"\\\"a\\\\\\u0001\\n∘\",\"result\":\"1\"}\n");
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
