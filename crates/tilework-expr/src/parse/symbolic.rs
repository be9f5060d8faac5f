//! Names that are known only at launch: the literals that declare them, the facts about them, and their values.

use super::{Parsed, Parser};
use crate::error::ExprError;
use crate::functions;
use crate::pointer::type_bits;
use crate::program::Apply;
use crate::symbolic::{Symbolic, SymbolicKind, is_of_elements, members, word_length, words, words_at};
use crate::value::Value;
use std::ops::Range;
use tilework::__private::{Atom, Reader};
use tilework::{Error, HTuple};
use tilework_symbolic::{Language, is_element};

/// The work of declaring the names of a literal, in bytes read: that of a few allocations for each.
pub(super) const NAMES: usize = 256;

impl<'a> Parser<'_, 'a> {
    /// `assume FACTS` or `hint NAME = NUMBER`, if it is here.
    pub(super) fn about_names(&mut self) -> Parsed<bool> {
        // Only white space is skipped: `#blocked =` is not a comment here.
        let rest = self.text[self.position()..].trim_start();
        if self.names.is_none() || !rest.starts_with(['a', 'h']) {
            return Ok(false);
        }
        let start = self.position();
        let value = if self.reader.eat_word("assume") {
            self.assume()?
        } else if self.reader.eat_word("hint") {
            self.hint()?
        } else {
            return Ok(false);
        };
        self.push_value(Value::from(value), start..self.position())?;
        Ok(true)
    }

    /// The facts up to the end of the statement.
    fn assume(&mut self) -> Parsed<Symbolic> {
        self.reader.skip_space();
        let start = self.position();
        let facts = self.rest_of_statement(start).trim_end();
        let span = start..start + facts.len();
        if let Some((word, reason)) = words(facts).find_map(|word| Some((word, self.unfit(word)?))) {
            let error = ExprError::new(span, "name", format!("`{word}` is {reason}"));
            return Err(error.with_help("choose another name").into());
        }
        let text = self.with_values(span.clone(), false)?;
        self.reader.seek(span.end);
        let Some(names) = self.names.as_deref_mut() else {
            return Err(self.expected("an expression"));
        };
        names.assume(&text).map_err(|error| match error {
            Error::Syntax { at, .. } if text == facts => self.notation(shifted(error, at, start), start),
            error => Box::new(ExprError::of(span, error)),
        })
    }

    fn hint(&mut self) -> Parsed<Symbolic> {
        self.reader.skip_space();
        let start = self.position();
        let name = self.name_and_sign()?;
        let value = self.integer("the value of a name")?;
        let span = start..self.position();
        let Some(names) = self.names.as_deref_mut() else {
            return Err(self.expected("an expression"));
        };
        if !names.is_declared(name) {
            return Err(ExprError::undeclared(name, start, names.iter()).into());
        }
        names.hint(name, value).map_err(|error| Box::new(ExprError::of(span, error)))
    }

    /// `NAME =`.
    fn name_and_sign(&mut self) -> Parsed<&'a str> {
        self.reader.skip_space();
        let rest = &self.text[self.position()..];
        let name = &rest[..word_length(rest)];
        if name.is_empty() {
            return Err(self.expected("a name"));
        }
        self.pass(name.len());
        self.expect(b'=', "`=`")?;
        Ok(name)
    }

    /// An expression with its condition, and others for the remaining values.
    pub(super) fn pieces(&mut self, start: usize) -> Parsed {
        let mut count = 0;
        loop {
            self.reader.skip_space();
            let piece = self.position();
            self.declare_condition()?;
            self.expression()?;
            self.condition(piece)?;
            self.instance(piece)?;
            count += 1;
            if self.names.is_none() || !self.reader.eat_word("else") {
                break;
            }
        }
        if count > 1 {
            self.apply(Apply::Cases(count), start..self.position())?;
        }
        Ok(())
    }

    /// `EXPR as c` or `EXPR(i,j) as c 32`, after `emit`. A number in the coordinate is fixed, as in `EXPR(i,3)`.
    pub(super) fn emitted(&mut self) -> Parsed {
        self.reader.skip_space();
        let start = self.position();
        if !self.rest_of_statement(start).contains(" as ") {
            let end = start + self.rest_of_statement(start).len();
            return Err(self.expected_at(end, "`as` and a language, as in `as cuda`,"));
        }
        let names = self.names_of_coordinate(start);
        let whole = self.text;
        let before =
            self.rest_of_statement(start).rsplit_once(" as ").map_or("", |(before, _)| before.trim_end());
        if names.is_none() && before.ends_with("))") && before.contains("),(") {
            let end = start + before.len();
            let message = "a coordinate of `emit` has one name for each mode, which counts in it";
            let error = ExprError::new(end - 1..end, "syntax", message);
            return Err(error.with_help("write emit L(i, j) as c, where a mode may have modes").into());
        }
        if let Some(names) = &names {
            self.go_on(&whole[..names.start - 1], start);
        }
        self.expression()?;
        self.instance(start)?;
        let first_name = self.program.names.len();
        if let Some(names) = names {
            if !self.reader.at_end() {
                return Err(self.expected("an operator (`o`, `/`, `*`)"));
            }
            let entries: Vec<&str> = whole[names.clone()].split(',').map(str::trim).collect();
            let free = |entry: &&&str| !entry.starts_with(|c: char| c.is_ascii_digit());
            self.program.names.extend(entries.iter().filter(free).map(|name| (*name).to_owned()));
            if !entries.iter().all(|entry| free(&entry)) {
                for entry in &entries {
                    let fixed = entry.parse().map_or(Atom::All, Atom::Integer);
                    self.push_value(HTuple::leaf(fixed).into(), names.clone())?;
                }
                self.apply(Apply::Coordinate(entries.len()), start..names.end + 1)?;
            }
            self.go_on(whole, names.end + 1);
        }
        let count = self.program.names.len() - first_name;
        self.expect_word("as", "`as` and a language")?;
        self.reader.skip_space();
        let (at, word) = (self.position(), self.word());
        let Some(language) = Language::ALL.into_iter().find(|language| language.name() == word) else {
            let names = Language::ALL.map(Language::name).join(", ");
            let error = ExprError::new(at..at + word.len(), "name", format!("there is no language `{word}`"));
            return Err(error.with_help(format!("languages are {names}")).into());
        };
        self.reader.seek(at + word.len());
        self.reader.skip_space();
        let bits = match self.reader.peek().is_ascii_digit() {
            true => Some(u32::try_from(self.integer("the bits of integers")?).unwrap_or(u32::MAX)),
            false => None,
        };
        let end = self.position();
        self.apply(Apply::Emit { language, bits, first_name, count }, start..end)
    }

    /// The text up to the end of the statement.
    fn rest_of_statement(&self, start: usize) -> &'a str {
        let rest = &self.text[start..];
        &rest[..rest.find([';', '\n', '#']).unwrap_or(rest.len())]
    }

    /// Where the names of a coordinate are in `EXPR(i,j) as c`: words without a value, which an operation does not precede, and
    /// numbers between them.
    fn names_of_coordinate(&self, start: usize) -> Option<Range<usize>> {
        let rest = self.rest_of_statement(start);
        let (before, _) = rest.rsplit_once(" as ")?;
        let (before, inside) = before.trim_end().strip_suffix(')')?.rsplit_once('(')?;
        let is_name = |word: &str| {
            let word = word.trim();
            word_length(word) == word.len() && !word.is_empty() && self.variable(word).is_none()
        };
        let function = before.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()?;
        let applied = before.ends_with(|c: char| c.is_ascii_alphanumeric() || ")>".contains(c))
            && function != "o"
            && functions::find(function).is_none();
        let at = start + before.len() + 1;
        let is_fixed = |word: &str| word.trim().parse::<i64>().is_ok_and(|number| number >= 0);
        let named =
            inside.split(',').any(is_name) && inside.split(',').all(|word| is_name(word) || is_fixed(word));
        (applied && named).then(|| at..at + inside.len())
    }

    /// The names that are declared.
    pub(super) fn declared_names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().flat_map(|names| names.iter())
    }

    /// ` if M >= 128 or ld == M` after the expression that begins at `start`, as in printed answers.
    fn condition(&mut self, start: usize) -> Parsed {
        if self.names.is_none() || !self.reader.eat_word("if") {
            return Ok(());
        }
        self.reader.skip_space();
        let at = self.position();
        let rest = self.rest_of_statement(at);
        let length = end_of_condition(rest);
        let is_name = |word: &str| !matches!(word, "floor" | "ceil" | "always" | "and" | "or");
        for (place, word) in words_at(&rest[..length]).filter(|(_, word)| is_name(word)) {
            let declared = self.names.as_ref().is_some_and(|names| names.is_declared(word));
            if !declared && self.variable(word).is_none() {
                return Err(ExprError::undeclared(word, at + place, self.declared_names()).into());
            }
        }
        let end = at + rest[..length].trim_end().len();
        let guard = self.with_values(at..end, false)?;
        let read = self.names.as_ref().map(|names| names.scoped().scope.guard(&guard));
        if let Some(Err(Error::Syntax { at: within, expected })) = read {
            // With values in place of names the position is another one.
            let written = guard == self.text[at..end];
            return Err(self.expected_at(if written { at + within } else { at }, expected));
        }
        self.program.names.push(guard);
        self.reader.seek(end);
        self.apply(Apply::If { guard: self.program.names.len() - 1 }, start..self.position())
    }

    /// ` at M = 4096, K = 512` after the expression that begins at `start`.
    fn instance(&mut self, start: usize) -> Parsed {
        while self.names.is_some() && self.reader.eat_word("at") {
            self.values(None, start)?;
        }
        Ok(())
    }

    /// Whether `[M = 4096` is here, not another bracket.
    pub(super) fn at_values(&self) -> bool {
        let rest = self.text[self.position()..].strip_prefix('[').map(str::trim_start);
        let name = rest.and_then(|rest| rest.split_once('=')).map(|(name, _)| name.trim_end());
        self.names.is_some() && name.is_some_and(|name| !name.is_empty() && word_length(name) == name.len())
    }

    /// `NAME = VALUE, ...` up to `close`, or as long as they continue.
    pub(super) fn values(&mut self, close: Option<u8>, start: usize) -> Parsed {
        let (first_name, mut count) = (self.program.names.len(), 0);
        loop {
            let name = self.name_and_sign()?.to_owned();
            self.program.names.push(name);
            self.nested(|inner| inner.expression())?;
            count += 1;
            if !self.reader.eat(b',') {
                break;
            }
        }
        if let Some(close) = close {
            self.expect(close, "`,` or `]`")?;
        }
        self.apply(Apply::At { first_name, count }, start..self.position())
    }

    /// The name of the session at this position.
    pub(super) fn name_at(&self, at: usize) -> Option<&'a str> {
        let names = self.names.as_ref().filter(|names| names.any())?;
        let rest = &self.text[at..];
        Some(&rest[..word_length(rest)]).filter(|word| names.is_declared(word))
    }

    /// Whether a name of the session is here; it is pushed as a number.
    pub(super) fn declared_name(&mut self, start: usize) -> Parsed<bool> {
        let Some(word) = self.name_at(start) else { return Ok(false) };
        let end = start + word.len();
        self.reader.seek(end);
        let name = self.names.as_ref().and_then(|names| names.number(word));
        let Some(name) = name else { return Ok(false) };
        self.push_value(Value::from(name), start..end)?;
        Ok(true)
    }

    /// A name of the session and a calculation without white space after it.
    #[inline(never)]
    pub(super) fn number_of_names(&mut self, start: usize) -> Parsed {
        self.declared_name(start)?;
        if self.element_of(start)? { Ok(()) } else { self.tight(self.least, start) }
    }

    /// The end of a literal `shape:stride` with a name that is not a variable, if one begins at `start`.
    fn end_with_names(&mut self, start: usize) -> Option<usize> {
        self.names.as_ref()?;
        let end = literal_end(self.text, start, &mut self.work)?;
        self.work += end - start;
        let text = &self.text[start..end];
        let mut any = text.contains('?');
        // In printed text, words that no `?` is beside are prose.
        if !any && (self.brief || !text.bytes().any(|byte| byte.is_ascii_alphabetic())) {
            return None;
        }
        for (at, word) in words_at(text) {
            let called = text[at + word.len()..].starts_with('(');
            if matches!(word, "floor" | "ceil") && called || in_braces(text, at) {
                continue;
            }
            // `2M` and `_4` are not names, and `f(x)` is a call.
            if called || at > 0 && text.as_bytes()[at - 1].is_ascii_alphanumeric() {
                return None;
            }
            if word.starts_with('_') || is_element(word) {
                continue;
            }
            if self.variable(word).is_none() {
                let is_known = matches!(word, "X" | "None" | "Underscore") || type_bits(word).is_some();
                if is_known || self.reserved(word).is_some() || functions::of_order(word).is_some() {
                    return None;
                }
                any = true;
            }
        }
        any.then_some(end)
    }

    /// Declares the names in an offset, `8*K}` in `{8*K} o (M,K):(K,1)`, like those of the literal behind it.
    pub(super) fn declare_offset(&mut self) -> Parsed<()> {
        let start = self.position();
        let rest = &self.text[start..];
        // Braces are not nested, which bounds the search.
        let Some(end) = rest.find(['}', '{', ';', '\n', '#']).filter(|end| rest[*end..].starts_with('}'))
        else {
            return Ok(());
        };
        self.declare(start..start + end)
    }

    /// Declares the names in the condition of the expression here, which may be nowhere else in a printed answer, `128:1 if M >= 128`;
    /// and those of a number with a condition, `K*ld if ld >= M`.
    fn declare_condition(&mut self) -> Parsed {
        let start = self.position();
        let rest = self.rest_of_statement(start);
        self.work += rest.len();
        let found = words_at(rest).find(|(_, word)| *word == "if").filter(|_| !self.brief);
        let Some((at, word)) = found else { return Ok(()) };
        let is_number =
            rest[..at].bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_+-*/() ".contains(&byte));
        let end = at + word.len() + end_of_condition(&rest[at + word.len()..]);
        self.declare(start + if is_number { 0 } else { at }..start + end)
    }

    /// Declares the words of a span that have no other meaning.
    fn declare(&mut self, span: Range<usize>) -> Parsed {
        let (start, text) = (span.start, &self.text[span]);
        for (at, word) in words_at(text) {
            let is_name = word.starts_with(|first: char| first.is_ascii_alphabetic())
                && !matches!(word, "always" | "and" | "or")
                && self.variable(word).is_none()
                && self.reserved(word).is_none()
                && !text[at + word.len()..].starts_with('(');
            if is_name && let Some(names) = self.names.as_deref_mut() {
                let error = |error| Box::new(ExprError::of(start + at..start + at + word.len(), error));
                names.declare(word).map_err(error)?;
            }
        }
        Ok(())
    }

    /// The literal with names that begins at `start`, which declares them.
    pub(super) fn literal_with_names(&mut self, start: usize) -> Option<Parsed<Symbolic>> {
        let end = self.end_with_names(start)?;
        let text = &self.text[start..end];
        let given = match self.with_values(start..end, true) {
            Ok(given) => grouped(given),
            Err(error) => return Some(Err(error)),
        };
        let names = self.names.as_deref_mut()?;
        self.work += NAMES;
        let layout = names.layout(&given);
        // Names that are declared may be in calculations that no literal has.
        let is_known =
            |word: &str| is_element(word) || names.is_declared(word) || matches!(word, "floor" | "ceil");
        if layout.is_err() && words(&given).all(is_known) {
            return None;
        }
        self.reader.seek(end);
        Some(layout.map_err(|error| match error {
            Error::Syntax { at, .. } if given == text => self.notation(shifted(error, at, start), start),
            error => Box::new(ExprError::of(start..end, error)),
        }))
    }

    /// Why a word cannot be a name of the session.
    fn unfit(&self, word: &str) -> Option<&'static str> {
        match word {
            "floor" | "ceil" => None,
            _ if self.variable(word).is_some() => None,
            _ => self.reserved(word),
        }
    }

    /// The text of a span with variables replaced by their values, which are numbers or tuples of them, or `strides` too.
    fn with_values(&self, span: Range<usize>, strides: bool) -> Parsed<String> {
        let text = &self.text[span.clone()];
        let (mut out, mut end) = (String::new(), 0);
        for (at, word) in words_at(text) {
            let Some(index) = self.variable(word) else { continue };
            out.push_str(&text[end..at]);
            let value = &self.variables[index].1;
            match value {
                Value::Symbolic(own) if own.kind() == SymbolicKind::Number && own.guard.is_always() => {
                    out.push_str(&format!("1*({})", own.text()));
                }
                Value::Symbolic(own)
                    if own.guard.is_always() && value.is_tuple() && (strides || own.element().is_none()) =>
                {
                    out.push_str(&own.text());
                }
                Value::Tuple(tuple) if tuple.integers(0).is_ok() || strides && !value.is_open() => {
                    match value.as_integer() {
                        Some(number) if tuple.is_leaf() && number < 0 => {
                            out.push_str(&format!("1*(0-{})", number.unsigned_abs()));
                        }
                        _ => out.push_str(&value.to_string()),
                    }
                }
                _ => {
                    let at = span.start + at;
                    let message = match value {
                        Value::Symbolic(own) if !own.guard.is_always() => {
                            format!("`{word}` has a condition, and an integer without one is needed here")
                        }
                        _ => format!("`{word}` is {}, and an integer is needed here", value.kind()),
                    };
                    let error = ExprError::new(at..at + word.len(), "kind", message);
                    return Err(error.with_help("choose another name for one of the two").into());
                }
            }
            end = at + word.len();
        }
        out.push_str(&text[end..]);
        Ok(out)
    }
}

/// A literal in which parentheses around a calculation make no tuple beside a number: `(2*M):1`.
fn grouped(literal: String) -> String {
    let Some((shape, stride)) = literal.split_once(':') else { return literal };
    let is_calculation = |part: &str| match members(part.trim()).as_deref() {
        Some([inner]) => {
            members(inner).is_none() && inner.trim_start_matches('-').contains(['*', '/', '+', '-', '('])
        }
        _ => false,
    };
    let [first, second] = [shape, stride].map(|part| part.trim_start().starts_with('('));
    match (first, second) {
        (true, false) if is_calculation(shape) => format!("1*{}:{stride}", shape.trim()),
        (false, true) if is_of_elements(stride) => literal,
        (false, true) if is_calculation(stride) => format!("{shape}:1*{}", stride.trim()),
        _ => literal,
    }
}

/// The length of a condition, up to `else` or `at`.
fn end_of_condition(text: &str) -> usize {
    words_at(text).find(|(_, word)| matches!(*word, "else" | "at")).map_or(text.len(), |(place, _)| place)
}

/// Whether a position is within braces, like the `div` of `?{div=8}`.
fn in_braces(text: &str, at: usize) -> bool {
    text.contains('{') && text[..at].rfind('{') > text[..at].rfind('}')
}

/// A syntax error of a part of the text that begins at `start`.
fn shifted(error: Error, at: usize, start: usize) -> Error {
    match error {
        Error::Syntax { expected, .. } => Error::Syntax { at: start + at, expected },
        error => error,
    }
}

impl<'a> Parser<'_, 'a> {
    /// Continues in a text, the whole or a beginning of it.
    fn go_on(&mut self, text: &'a str, position: usize) {
        (self.text, self.reader) = (text, Reader::new(text));
        self.reader.seek(position);
    }

    /// The position of the parser, to return to.
    pub(super) fn place(&self) -> (usize, usize, bool) {
        (self.reader.position(), self.depth, self.angle)
    }

    pub(super) fn back_to(&mut self, (position, depth, angle): (usize, usize, bool)) {
        self.work += self.reader.position().saturating_sub(position);
        self.reader.seek(position);
        self.depth = depth;
        self.angle = angle;
    }
}

/// The end, judged by characters, of a text at `start` that may be `shape:stride`.
fn literal_end(text: &str, start: usize, work: &mut usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let spaces = |mut at: usize| {
        while matches!(bytes.get(at), Some(b' ' | b'\t')) {
            at += 1;
        }
        at
    };
    let colon = spaces(part_end(bytes, start, work)?);
    if bytes.get(colon) != Some(&b':') {
        return None;
    }
    let end = part_end(bytes, spaces(colon + 1), work)?;
    // `a:b:c` is something else.
    (bytes.get(spaces(end)) != Some(&b':')).then_some(end)
}

/// The end of a tuple, or of a calculation without white space.
fn part_end(bytes: &[u8], start: usize, work: &mut usize) -> Option<usize> {
    let (mut at, mut depth, mut is_tuple) = (start, 0usize, false);
    while let Some(&byte) = bytes.get(at) {
        *work += 1;
        match byte {
            b'0'..=b'9' if depth > 0 => {}
            // There is no calculation after a tuple.
            _ if depth == 0 && is_tuple => break,
            b'(' => {
                depth += 1;
                let called = at > start && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
                if called && !bytes[start..at].ends_with(b"floor") && !bytes[start..at].ends_with(b"ceil") {
                    return None;
                }
            }
            b')' if depth == 0 => break,
            b')' => depth -= 1,
            b',' if depth == 0 => break,
            b',' => is_tuple |= depth == 1,
            b'{' if at > start && bytes[at - 1] == b'?' => {
                at += bytes[at..].iter().position(|byte| *byte == b'}')?;
            }
            b' ' | b'\t' if depth > 0 => {}
            b'/' if bytes.get(at + 1) == Some(&b'/') => return None,
            _ if byte.is_ascii_alphanumeric() => {}
            b'_' | b'*' | b'/' | b'+' | b'-' | b'@' | b'?' | b'^' => {}
            _ if depth > 0 => return None,
            _ => break,
        }
        at += 1;
    }
    (at > start && depth == 0).then_some(at)
}
