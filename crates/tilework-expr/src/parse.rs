//! From text to a [`Program`].
//!
//! ```text
//! session    := statement {';' statement} [';']
//! statement  := 'let' name '=' expression | expression
//! expression := operand {('o' | '∘' | '/' | '⊘' | '*' | '⊗') operand}
//! operand    := primary {'(' [expression {',' expression}] ')' | ':' primary}
//! primary    := base {'.' field}
//! base       := literal | name | name [indices] '(' [expression {',' expression}] ')'
//!             | '(' expression ')' | '(' expression ',' expression {',' expression} ')'
//!             | '<' expression {',' expression} '>' | '{' offset '}' 'o' operand
//! indices    := '<' int {',' int} '>' | '[' int {',' int} ']'
//! ```
//!
//! The three infix signs bind equally and from left to right: `A / B o C` is `(A / B) o C`. Literals are those of
//! the text notation and are read by its own [`Reader`]: a parenthesised text that is a tuple of the notation is that
//! tuple, so `(4)` has rank 1, while `(4:1)` and `(A)` only group. `1/2` without white space is a fraction, `1 / 2` a
//! divide.

use crate::error::ExprError;
use crate::fields::FIELDS;
use crate::functions::{self, Function, Sign};
use crate::instruction::{self, Instruction};
use crate::program::{Apply, MAX_STEPS, Program, Push, StepKind};
use crate::suggest;
use crate::value::{Value, offset_of};
use std::ops::Range;
use tilework::__private::{Atom, Reader};
use tilework::{Error, HTuple, Offset};

/// How deep expressions may be nested.
const MAX_DEPTH: usize = 64;

type Parsed = Result<(), Box<ExprError>>;

/// Reads statements of one text into a program, one at a time.
pub(crate) struct Parser<'a> {
    text: &'a str,
    reader: Reader<'a>,
    depth: usize,
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str) -> Self {
        Parser { text, reader: Reader::new(text), depth: 0 }
    }

    /// Reads the next statement. The name is what `let` gives to its value.
    pub fn statement(
        &mut self,
        program: &mut Program,
        variables: &[(String, Value)],
    ) -> Result<Option<&'a str>, Box<ExprError>> {
        program.clear();
        let mut statement = Statement { parser: self, program, variables };
        let name = statement.binding()?;
        statement.expression()?;
        Ok(name)
    }

    /// Passes over the `;` behind a statement. `false` at the end of the text.
    pub fn next_statement(&mut self) -> Result<bool, Box<ExprError>> {
        let separated = self.reader.eat(b';');
        if self.reader.at_end() {
            return Ok(false);
        }
        if separated {
            return Ok(true);
        }
        Err(self.expected("an operator (`o`, `/`, `*`), `;` or the end"))
    }

    /// A syntax error at this place.
    fn expected(&self, what: &str) -> Box<ExprError> {
        self.expected_at(self.reader.position(), what)
    }

    fn expected_at(&self, at: usize, what: &str) -> Box<ExprError> {
        let at = (at..=self.text.len()).find(|&at| self.text.is_char_boundary(at)).unwrap_or(self.text.len());
        let number = self.text[..at].chars().count() + 1;
        let (end, found) = match self.text[at..].chars().next() {
            Some(character) if character.is_control() => {
                (at + character.len_utf8(), "a control character".into())
            }
            Some(character) => (at + character.len_utf8(), format!("`{character}`")),
            None => (at, String::from("the end")),
        };
        Box::new(ExprError::new(
            at..end,
            "syntax",
            format!("expected {what} at character {number}, found {found}"),
        ))
    }

    /// An error of the notation's own reader, with its place.
    fn notation(&self, error: Error, start: usize) -> Box<ExprError> {
        match error {
            Error::Syntax { at, expected } => self.expected_at(at, expected),
            error => {
                let end = self.reader.position().clamp(start, self.text.len());
                Box::new(ExprError::new(start..end, error.code(), error.message().as_str()))
            }
        }
    }

    /// The word that begins here: letters, digits and `_` behind a letter.
    fn word(&self) -> &'a str {
        let rest = &self.text.as_bytes()[self.reader.position()..];
        let length = match rest.first() {
            Some(first) if first.is_ascii_alphabetic() => {
                rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count()
            }
            _ => 0,
        };
        &self.text[self.reader.position()..self.reader.position() + length]
    }
}

/// Whether the notation reads this word as a leaf: `F9`, `f9`, `e1`.
fn is_leaf_word(word: &str) -> bool {
    let mut bytes = word.bytes();
    matches!(bytes.next(), Some(b'F' | b'f' | b'e'))
        && word.len() > 1
        && bytes.all(|byte| byte.is_ascii_digit())
}

/// How to write a function, as advice.
fn written(function: &Function) -> String {
    format!("write {}", function.forms().join(" or "))
}

/// A statement on the way into its program.
struct Statement<'p, 'a> {
    parser: &'p mut Parser<'a>,
    program: &'p mut Program,
    variables: &'p [(String, Value)],
}

impl<'a> Statement<'_, 'a> {
    /// `let name =`, if that stands here.
    fn binding(&mut self) -> Result<Option<&'a str>, Box<ExprError>> {
        if !self.parser.reader.eat_word("let") {
            return Ok(None);
        }
        self.parser.reader.skip_space();
        let (start, name) = (self.parser.reader.position(), self.parser.word());
        if name.is_empty() {
            return Err(self.parser.expected("a name"));
        }
        let span = start..start + name.len();
        let reserved = match name {
            "let" | "o" | "true" | "false" => Some("a word of the language"),
            _ if is_leaf_word(name) => Some("a stride in the notation"),
            _ if functions::find(name).is_some() => Some("the name of a function"),
            _ if instruction::may_be_name(name, "") && Instruction::named(name).is_some() => {
                Some("the name of an instruction")
            }
            _ => None,
        };
        if let Some(reason) = reserved {
            let error = ExprError::new(span, "name", format!("`{name}` is {reason}"));
            return Err(Box::new(error.with_help("choose another name")));
        }
        self.parser.reader.seek(span.end);
        self.expect(b'=', "`=`")?;
        Ok(Some(name))
    }

    fn position(&self) -> usize {
        self.parser.reader.position()
    }

    fn expect(&mut self, byte: u8, what: &str) -> Parsed {
        if self.parser.reader.eat(byte) { Ok(()) } else { Err(self.parser.expected(what)) }
    }

    fn apply(&mut self, apply: Apply, span: Range<usize>) -> Parsed {
        self.push(StepKind::Apply(apply), span)
    }

    fn push(&mut self, kind: StepKind, span: Range<usize>) -> Parsed {
        if self.program.steps.len() >= MAX_STEPS {
            let message = format!("an expression has at most {MAX_STEPS} operations and operands");
            return Err(Box::new(ExprError::new(span, "limit", message)));
        }
        self.program.push(kind, span);
        Ok(())
    }

    fn call(
        &mut self,
        function: &'static Function,
        arguments: usize,
        indices: Range<usize>,
        span: Range<usize>,
    ) -> Parsed {
        let (first_index, end_index) = (indices.start, indices.end);
        self.apply(Apply::Call { function, arguments, first_index, end_index }, span)
    }

    fn expression(&mut self) -> Parsed {
        self.parser.reader.skip_space();
        let start = self.position();
        if self.parser.depth == MAX_DEPTH {
            let message = format!("expressions are nested at most {MAX_DEPTH} deep");
            return Err(Box::new(ExprError::new(start..start + 1, "limit", message)));
        }
        self.parser.depth += 1;
        self.operand()?;
        while let Some(sign) = self.sign() {
            if sign == Sign::Composition && self.swizzle_offset() {
                self.operand()?;
                self.apply(Apply::Swizzled, start..self.position())?;
                continue;
            }
            self.operand()?;
            self.call(functions::of_sign(sign), 2, 0..0, start..self.position())?;
        }
        self.parser.depth -= 1;
        Ok(())
    }

    /// The infix sign here.
    fn sign(&mut self) -> Option<Sign> {
        let reader = &mut self.parser.reader;
        reader.skip_space();
        match reader.peek() {
            b'o' | 0xe2 if reader.eat_circle() => Some(Sign::Composition),
            b'/' => reader.eat(b'/').then_some(Sign::Divide),
            b'*' => reader.eat(b'*').then_some(Sign::Product),
            0xe2 if reader.eat_word("⊘") => Some(Sign::Divide),
            0xe2 if reader.eat_word("⊗") => Some(Sign::Product),
            _ => None,
        }
    }

    /// The `offset o` of `swizzle o offset o layout`, if that stands here.
    fn swizzle_offset(&mut self) -> bool {
        let mark = self.parser.reader;
        self.parser.reader.skip_space();
        let start = self.position();
        if let Ok(offset) = self.parser.reader.integer("an offset") {
            let end = self.position();
            if self.parser.reader.eat_circle() {
                self.program.push_literal(Value::integer(offset), start..end);
                return true;
            }
        }
        self.parser.reader = mark;
        false
    }

    fn operand(&mut self) -> Parsed {
        self.parser.reader.skip_space();
        let start = self.position();
        self.primary()?;
        loop {
            if self.parser.reader.eat(b'(') {
                let count = self.list(b')')?;
                if count == 0 {
                    return Err(self.parser.expected_at(self.position() - 1, "a coordinate"));
                }
                self.apply(Apply::Coordinate(count), start..self.position())?;
            } else if self.parser.reader.eat(b':') {
                self.primary()?;
                self.apply(Apply::Pair, start..self.position())?;
            } else {
                return Ok(());
            }
        }
    }

    /// Expressions up to `close`, which is passed over.
    fn list(&mut self, close: u8) -> Result<usize, Box<ExprError>> {
        let mut count = 0;
        while !self.parser.reader.eat(close) {
            if count > 0 {
                if !self.parser.reader.eat(b',') {
                    let what = if close == b'>' { "`,` or `>`" } else { "`,` or `)`" };
                    return Err(self.parser.expected(what));
                }
                // The comma behind the only member of a Python tuple.
                if count == 1 && self.parser.reader.eat(close) {
                    break;
                }
            }
            self.expression()?;
            count += 1;
        }
        Ok(count)
    }

    fn primary(&mut self) -> Parsed {
        self.parser.reader.skip_space();
        let start = self.position();
        self.base(start)?;
        while self.parser.reader.eat(b'.') {
            self.field(start)?;
        }
        Ok(())
    }

    /// The name behind a `.`.
    fn field(&mut self, start: usize) -> Parsed {
        self.parser.reader.skip_space();
        let (at, word) = (self.position(), self.parser.word());
        if word.is_empty() {
            return Err(self.parser.expected("the name of a field"));
        }
        let end = at + word.len();
        let names = || FIELDS.iter().map(|(name, _)| *name);
        let Some(name) = names().find(|name| *name == word) else {
            let error = ExprError::new(at..end, "name", format!("nothing has a field `{word}`"));
            return Err(Box::new(match suggest::nearest(word, names()) {
                Some(name) => error.with_help(format!("did you mean `.{name}`?")),
                None => error.with_help(format!("fields are .{}", names().collect::<Vec<_>>().join(" ."))),
            }));
        };
        self.parser.reader.seek(end);
        self.apply(Apply::Field(name), start..end)
    }

    fn base(&mut self, start: usize) -> Parsed {
        match self.parser.reader.peek() {
            b'0'..=b'9' | b'-' | b'^' | b'_' => self.literal(),
            b'(' => self.parenthesised(),
            b'<' => {
                self.parser.reader.eat(b'<');
                let count = self.list(b'>')?;
                self.tiler(count, start)
            }
            0xe2 if self.parser.reader.eat_word("⟨") => {
                let mut count = 0;
                while !self.parser.reader.eat_word("⟩") {
                    if count > 0 && !self.parser.reader.eat(b',') {
                        return Err(self.parser.expected("`,` or `⟩`"));
                    }
                    self.expression()?;
                    count += 1;
                }
                self.tiler(count, start)
            }
            b'{' => self.view(),
            b'!' => self.foreign_layout(),
            b'a'..=b'z' | b'A'..=b'Z' => self.word(),
            _ => Err(self.parser.expected("an expression")),
        }
    }

    fn tiler(&mut self, count: usize, start: usize) -> Parsed {
        self.apply(Apply::Tiler(count), start..self.position())
    }

    /// A leaf or a tuple of the notation, and a layout where strides follow.
    #[inline(never)] // Keeps the tuple out of the frames of the recursion.
    fn literal(&mut self) -> Parsed {
        let start = self.position();
        match self.parser.reader.atoms("an expression") {
            Ok(shape) => self.literal_from(&shape, start),
            Err(error) => Err(self.parser.notation(error, start)),
        }
    }

    fn literal_from(&mut self, shape: &HTuple<Atom>, start: usize) -> Parsed {
        let end = self.position();
        if self.parser.reader.eat(b':') {
            match self.parser.reader.atoms("a stride") {
                Ok(strides) => {
                    let layout = shape
                        .layout_with(&strides, start)
                        .map_err(|error| self.parser.notation(error, start))?;
                    let span = start..self.position();
                    return self.push_value(Value::Layout(layout), span);
                }
                // Strides that are no literal, or an error that is found again behind the `:`.
                Err(Error::Syntax { .. }) => self.parser.reader.seek(end),
                Err(error) => return Err(self.parser.notation(error, start)),
            }
        }
        self.push_value(Value::Tuple(*shape), start..end)
    }

    fn push_value(&mut self, value: Value, span: Range<usize>) -> Parsed {
        self.push(StepKind::Push(Push::Literal(self.program.literals.len())), span)?;
        self.program.literals.push(value);
        Ok(())
    }

    fn parenthesised(&mut self) -> Parsed {
        if self.tuple_literal()? {
            return Ok(());
        }
        let start = self.position();
        self.parser.reader.eat(b'(');
        let count = self.list(b')')?;
        let python_tuple = count == 1 && self.parser.text[..self.position() - 1].trim_end().ends_with(',');
        if count != 1 || python_tuple {
            self.apply(Apply::Tuple(count), start..self.position())?;
        }
        Ok(())
    }

    /// A parenthesised text that is a tuple of the notation. `false` where it is something else.
    #[inline(never)]
    fn tuple_literal(&mut self) -> Result<bool, Box<ExprError>> {
        let (mark, start) = (self.parser.reader, self.position());
        match self.parser.reader.atoms("an expression") {
            Ok(shape) => self.literal_from(&shape, start).map(|()| true),
            Err(Error::Syntax { .. }) => {
                self.parser.reader = mark;
                Ok(false)
            }
            Err(error) => {
                let error = self.parser.notation(error, start);
                self.parser.reader = mark;
                let offsets = self.offsets().ok_or(error)?;
                self.push_value(Value::Offsets(offsets), start..self.position()).map(|()| true)
            }
        }
    }

    /// `(0,8,1,...)`: offsets that are too many for a tuple.
    fn offsets(&mut self) -> Option<Vec<Offset>> {
        let mut offsets = Vec::new();
        self.parser.reader.eat(b'(');
        while offsets.len() < functions::MAX_IMAGE as usize {
            let offset = self.parser.reader.atoms("an offset").ok()?;
            offsets.push(offset_of(&offset)?);
            if self.parser.reader.eat(b')') {
                // Before strides it would be a shape.
                return (self.parser.reader.peek() != b':').then_some(offsets);
            }
            if !self.parser.reader.eat(b',') {
                return None;
            }
        }
        None
    }

    fn view(&mut self) -> Parsed {
        let start = self.position();
        self.parser.reader.eat(b'{');
        let at = self.position();
        let offset =
            self.parser.reader.atoms("an offset").map_err(|error| self.parser.notation(error, at))?;
        self.push_value(Value::Tuple(offset), at..self.position())?;
        self.expect(b'}', "`}`")?;
        if !self.parser.reader.eat_circle() {
            return Err(self.parser.expected("`o`"));
        }
        self.operand()?;
        self.apply(Apply::View, start..self.position())
    }

    /// `!cute.layout<"...">`.
    fn foreign_layout(&mut self) -> Parsed {
        let start = self.position();
        let layout = self.parser.reader.layout().map_err(|error| self.parser.notation(error, start))?;
        self.push_value(Value::Layout(layout), start..self.position())
    }

    fn word(&mut self) -> Parsed {
        let (start, word) = (self.position(), self.parser.word());
        let end = start + word.len();
        if is_leaf_word(word) {
            return self.literal();
        }
        if let Some(index) = self.variables.iter().rposition(|(name, _)| name == word) {
            self.parser.reader.seek(end);
            return self.push(StepKind::Push(Push::Variable(index)), start..end);
        }
        if let "true" | "false" = word {
            self.parser.reader.seek(end);
            return self.push_value(Value::Bool(word == "true"), start..end);
        }
        let after = self.parser.text.as_bytes().get(end).copied().unwrap_or(0);
        if after == b'<' && matches!(word, "Sw" | "S" | "Swizzle") {
            let swizzle = self.parser.reader.swizzle().map_err(|error| self.parser.notation(error, start))?;
            return self.push_value(Value::Swizzle(swizzle), start..self.position());
        }
        let Some(function) = functions::find(word) else {
            return self.instruction(start);
        };
        self.parser.reader.seek(end);
        let first_index = self.program.indices.len();
        if self.parser.reader.eat(b'<') {
            self.indices(b'>')?;
        } else if self.parser.reader.eat(b'[') {
            self.indices(b']')?;
        }
        let end_index = self.program.indices.len();
        if !self.parser.reader.eat(b'(') {
            let error = *self.parser.expected("`(`");
            return Err(Box::new(error.with_help(written(function))));
        }
        let count = self.list(b')')?;
        let span = start..self.position();
        if let Some(message) = function.refuses(count, end_index - first_index) {
            let error = ExprError::new(span, "arguments", message);
            return Err(Box::new(error.with_help(written(function))));
        }
        self.call(function, count, first_index..end_index, span)
    }

    /// The integers of `name<0,1>`.
    fn indices(&mut self, close: u8) -> Parsed {
        loop {
            self.parser.reader.skip_space();
            let start = self.position();
            let index = self
                .parser
                .reader
                .integer("the index of a mode")
                .map_err(|error| self.parser.notation(error, start))?;
            let Ok(index) = usize::try_from(index) else {
                return Err(self.parser.expected_at(start, "an index of 0 or more"));
            };
            self.program.indices.push(index);
            if self.parser.reader.eat(close) {
                return Ok(());
            }
            self.expect(b',', if close == b'>' { "`,` or `>`" } else { "`,` or `]`" })?;
        }
    }

    /// The name of an instruction, with namespaces before it and arguments behind it.
    fn instruction(&mut self, start: usize) -> Parsed {
        let (text, word) = (self.parser.text, self.parser.word());
        let word_end = start + word.len();
        if !instruction::may_be_name(word, &text[word_end..]) {
            return Err(Box::new(self.unknown(word, start..word_end)));
        }
        let end = start + instruction::name_length(&text[start..]);
        let name = &text[start..end];
        let Some(instruction) = Instruction::named(name) else {
            let near = instruction::nearest_atoms(name);
            if near.is_empty() {
                return Err(Box::new(self.unknown(word, start..word_end)));
            }
            let error = ExprError::new(start..end, "name", format!("there is no instruction `{name}`"));
            return Err(Box::new(error.with_help(format!("did you mean `{}`?", near.join("`, `")))));
        };
        self.parser.reader.seek(end);
        self.push_value(instruction.into(), start..end)
    }

    fn unknown(&self, word: &str, span: Range<usize>) -> ExprError {
        let names = self.variables.iter().map(|(name, _)| name.as_str());
        let nearest = suggest::nearest(word, functions::names().chain(names));
        let error = ExprError::new(span, "name", format!("there is no function or variable `{word}`"));
        match nearest {
            Some(name) => error.with_help(format!("did you mean `{name}`?")),
            None => error,
        }
    }
}
