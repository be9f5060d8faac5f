//! `eval -` and `eval FILE`: one expression per input line, one line of output for each.

use crate::report;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use tilework_expr::{Export, ExprError, Session, Symbolic, Value, is_blank};

/// The most bytes of a line that are kept: more than any expression has, so that the session refuses longer lines.
const MAX_LINE: usize = 256 * 1024 + 8;

/// Answers every line of an input; returns whether all of them had a value.
pub fn run(session: &mut Session, input: impl Read, writing: Writing) -> io::Result<bool> {
    let writing = Writing { by_line: true, ..writing };
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let (mut line, mut answer) = (Vec::new(), Vec::new());
    let mut all_good = true;
    loop {
        // A program at the other end may wait for the answer before it writes the next line.
        if input.buffer().is_empty() {
            output.flush()?;
        }
        if !read_line(&mut input, &mut line)? {
            break;
        }
        answer.clear();
        all_good &= respond(session, &line, writing, &mut answer);
        output.write_all(&answer)?;
    }
    output.flush()?;
    Ok(all_good)
}

/// The form of printed values.
#[derive(Clone, Copy)]
pub struct Writing<'a> {
    /// The requested form.
    pub export: Option<&'a Export>,
    /// Whether numbers that are known only at launch are written as `?`.
    pub cute: bool,
    /// Whether to write JSON.
    pub json: bool,
    /// Whether each line is answered by a line.
    pub by_line: bool,
}

/// The values of an expression as text, of which source text has several lines, and the last of them.
#[derive(Default)]
pub struct Written {
    pub texts: Vec<String>,
    pub value: Option<Value>,
}

impl Written {
    /// The values on lines of their own.
    pub fn lines(&self) -> String {
        self.texts.join("\n")
    }

    /// The last value, if it has names.
    pub fn symbolic(&self) -> Option<&Symbolic> {
        self.value.as_ref()?.as_symbolic()
    }
}

/// The value of each statement of an expression but `let` and `assume` before the last; none for a line without an expression.
pub fn value(session: &mut Session, expression: &str, writing: Writing) -> Result<Written, ExprError> {
    if is_blank(expression) {
        return Ok(Written::default());
    }
    let last = session.evaluate(expression)?.clone();
    let mut texts = Vec::new();
    for value in session.earlier().to_vec().iter().chain([&last]) {
        texts.push(match writing.export {
            None if writing.cute && value.is_symbolic() => session.in_cute(value)?,
            // For a program a value is one line that can be read again, except for source text.
            None if (writing.json || writing.by_line)
                && value.as_symbolic().is_none_or(|own| own.function().is_none()) =>
            {
                value.to_string()
            }
            None => value.in_full(),
            Some(export) => export.write(value).map_err(|failure| {
                let mut error = ExprError::from(failure);
                error.span = 0..expression.len();
                error
            })?,
        });
    }
    Ok(Written { texts, value: Some(last) })
}

fn respond(session: &mut Session, line: &[u8], writing: Writing, answer: &mut Vec<u8>) -> bool {
    let expression = match text(line) {
        Ok(expression) => expression,
        Err(error) => {
            write_error(answer, "", &error, writing.json);
            return false;
        }
    };
    match value(session, expression, writing) {
        Ok(written) if writing.json => {
            report::json_result(answer, expression, &written.lines(), written.symbolic(), session);
            true
        }
        Ok(written) => {
            // A line is answered by one, except for source text. Writing to a vector cannot fail.
            let lines = written.texts.iter().any(|text| text.contains('\n'));
            let _ = writeln!(answer, "{}", written.texts.join(if lines { "\n" } else { "; " }));
            true
        }
        Err(error) => {
            write_error(answer, expression, &error, writing.json);
            false
        }
    }
}

/// A line as text.
pub fn text(line: &[u8]) -> Result<&str, ExprError> {
    match std::str::from_utf8(line) {
        // Some editors and shells begin a text with a byte order mark.
        Ok(text) => Ok(text.trim_start_matches('\u{feff}')),
        Err(_) => Err(not_utf8()),
    }
}

pub fn not_utf8() -> ExprError {
    ExprError::new(0..0, "syntax", "the line is not UTF-8")
}

fn write_error(answer: &mut Vec<u8>, expression: &str, error: &ExprError, json: bool) {
    if json {
        report::json_error(answer, expression, error);
    } else {
        let _ = writeln!(answer, "error: {error}");
    }
}

/// Reads a line without its end; only the beginning of a line beyond `MAX_LINE` is kept. `false` at the end.
pub fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let mut any = false;
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            break;
        }
        any = true;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        line.extend_from_slice(&part[..part.len().min(MAX_LINE - line.len())]);
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    // The cut may be within a character.
    if line.len() == MAX_LINE {
        let valid = line.utf8_chunks().next().map_or(0, |chunk| chunk.valid().len());
        line.truncate(valid.max(MAX_LINE - 4));
    }
    Ok(any)
}
