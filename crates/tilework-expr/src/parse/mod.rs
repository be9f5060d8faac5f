//! From text to a [`Program`].
//!
//! ```text
//! session    := statement {';' statement} [';']
//! statement  := 'assume' facts | 'hint' name '=' int | ['cases'] piece {'else' piece}
//!             | 'emit' expression [ '(' ( name | integer ) { ',' ( name | integer ) } ')' ] 'as' language [ '32' | '64' ]
//! piece      := expression ['if' guard] ['at' values]
//!             | ('let' name '=' | {word} name '=' | label ':') expression | expression | shape and stride (arrays.rs)
//! expression := sum {('<<' | '>>') sum}
//! sum        := term {('+' | '-') term}
//! term       := operand {('o' | '∘' | '/' | '⊘' | '*' | '⊗' | '%') operand}
//! operand    := power {'(' [expression {',' expression}] ')' | ':' power}
//! power      := primary [('^' | '**') primary]
//! primary    := base {'.' (field | name '(' [argument {',' argument}] ')')}
//! base       := literal | tight | name | name [indices] '(' [argument {',' argument}] ')' | '-' operand
//!             | '(' expression ')' | '(' expression ',' expression {',' expression} ')'
//!             | '<' expression {',' expression} '>' | '{' offset '}' 'o' operand | what CuTe prints (cute.rs)
//!             | a linear or blocked layout of Triton or Gluon | a layout of TIRx or TileLang | an instruction as CuTe prints it (atoms.rs) | '.' field
//! argument   := [keyword '='] expression
//! indices    := '<' int {',' int} '>' | '[' int {',' int} ']'
//! tight      := number {('*' | '/' | '%' | '+' | '-' | '<<' | '>>' | '^') number}, without white space, of numbers and
//!             their multiples of basis elements
//! ```
//!
//! A coordinate behind an operand is one of the operand, and behind an offset, a swizzle or a pointer before a layout one of
//! the whole: `{7} o L(c)` is `({7} o L)(c)`, and `A o L(c)` of a layout `A` is `A o (L(c))`.
//!
//! Composition, `/` and `*` bind equally and from left to right: `A / B o C` is `(A / B) o C`. `/` and `*` of two
//! numbers are arithmetic, whatever expressions these are. A `tight` calculation binds more closely than `:`, so that
//! `M*2:1` means what `8*2:1` and `16:1` mean. Literals are those of the text notation and are read by its [`Reader`]:
//! parentheses around a number or a tuple make a tuple, so `(4)` has rank 1, and so has `(M)` of a number `M`, which
//! arithmetic takes for the number; around any other value they only group.

mod arrays;
mod atoms;
mod blocked;
mod cute;
mod literals;
mod names;
mod scan;
mod symbolic;
mod tilelang;
mod tirx;
mod words;

use crate::arithmetic::Operator;
use crate::error::ExprError;
use crate::functions::{Function, Sign};
use crate::names::Names;
use crate::pointer::element_type;
use crate::program::{Apply, MAX_LITERALS, MAX_STEPS, Program, Push, StepKind};
use crate::symbolic::{is_of_elements, word_length};
use crate::value::Value;
use std::ops::Range;
use tilework::__private::{Atom, Reader};
use tilework::{Error, HTuple};

pub(crate) use atoms::print_head;
pub(crate) use tilelang::begins_formulas;
pub(crate) use words::{may_name_tiler, names_tiler};

/// The largest nesting of expressions. Each level takes stack: functions with a tuple among their variables are not inlined into
/// those of the recursion.
const MAX_DEPTH: usize = 64;

/// The work of an operand besides reading its bytes, in bytes.
const OPERAND: usize = 100;

type Parsed<T = ()> = Result<T, Box<ExprError>>;

/// A statement.
pub(crate) struct Read<'a> {
    /// The name that `let` defines.
    pub name: Option<&'a str>,
    /// Whether it requests pieces.
    pub cases: bool,
    /// Whether it is a calculation without parentheses, whose sum of basis elements is a coordinate.
    pub is_sum: bool,
    /// The position of the next statement, if there is one.
    pub next: Option<usize>,
}

/// Parses a statement of a text into a program.
pub(crate) struct Parser<'p, 'a> {
    text: &'a str,
    reader: Reader<'a>,
    depth: usize,
    /// Whether `>` closes the current bracket, and `>>` closes two.
    angle: bool,
    /// The work so far, in bytes: what is read again is counted again.
    work: usize,
    /// Whether errors come without advice, which takes time: of a text that may be no expression.
    brief: bool,
    /// The position of a parenthesis that contains a tiler: `(4:1,8:1)` can also be a layout of two layouts.
    tiler_at: Option<usize>,
    program: &'p mut Program,
    variables: &'p [(String, Value)],
    /// The names that are known only at launch; none where a text without `?` was printed.
    names: Option<&'p mut Names>,
    /// The number of steps up to the last calculation in parentheses.
    calculation: usize,
    /// The least precedence of the operators of a calculation here.
    least: u8,
}

impl<'p, 'a> Parser<'p, 'a> {
    /// Begins at a position of a text, whose literals declare names.
    pub fn new(
        text: &'a str,
        position: usize,
        program: &'p mut Program,
        variables: &'p [(String, Value)],
        names: Option<&'p mut Names>,
    ) -> Self {
        program.clear();
        let mut reader = Reader::new(text);
        reader.seek(position);
        Parser {
            text,
            reader,
            depth: 0,
            angle: false,
            work: 0,
            brief: false,
            tiler_at: None,
            program,
            variables,
            names,
            calculation: 0,
            least: 1,
        }
    }

    /// Reads a statement.
    pub fn statement(mut self) -> Parsed<Read<'a>> {
        let (mut name, mut cases) = (None, false);
        if self.begins_comment() {
            self.reader.eat(b'%');
        }
        if let Some(array) = self.array()? {
            name = Some(array).filter(|name| self.reserved(name).is_none());
        } else if !self.fields()? && !self.about_names()? {
            name = self.binding()?;
            if self.reader.eat_word("emit") {
                self.emitted()?;
            } else {
                cases = self.reader.eat_word("cases");
                self.reader.skip_space();
                self.pieces(self.position())?;
            }
        }
        let is_sum = self.calculation < self.program.steps.len() && self.program.is_calculation();
        Ok(Read { name, cases, is_sum, next: self.next_statement()? })
    }

    /// The position after the `;` or the end of the line after a statement and a picture of it; none at the end of the text.
    fn next_statement(&mut self) -> Parsed<Option<usize>> {
        if self.begins_line() {
            self.pass_picture();
        }
        let separated = self.begins_line() | self.reader.eat(b';');
        if self.reader.at_end() {
            return Ok(None);
        }
        if separated {
            return Ok(Some(self.position()));
        }
        if self.reader.peek() == b',' {
            let error = self.expected("`;` or the end");
            return Err(error.with_help("a shape and its strides are written (4,8):(8,1)").into());
        }
        let error = self.expected("an operator (`o`, `/`, `*`), `;` or the end");
        Err(match self.reader.peek() {
            b'=' | b'!' => error.with_help("equivalent(A, B) compares layouts as functions").into(),
            b'@' => error.with_help("a stride that is a sum is written 4:(2@0+3@1)").into(),
            _ => error,
        })
    }

    /// Whether the next token is outside all brackets and the first on its line.
    fn begins_line(&self) -> bool {
        let mut next = self.reader;
        next.skip_space();
        self.depth == 0 && self.text[..next.position()].trim_end_matches([' ', '\t']).ends_with('\n')
    }

    /// A syntax error at this position.
    fn expected(&self, what: &str) -> Box<ExprError> {
        self.expected_at(self.position(), what)
    }

    fn expected_at(&self, at: usize, what: &str) -> Box<ExprError> {
        let at = (at..=self.text.len()).find(|&at| self.text.is_char_boundary(at)).unwrap_or(self.text.len());
        let number = self.text[..at].chars().count() + 1;
        let next = self.text[at..].chars().next();
        let (end, found) = match next {
            Some(character) if character.is_control() => {
                (at + character.len_utf8(), "a control character".into())
            }
            Some('?') if word_length(&self.text[at..]) > 0 => {
                return Box::new(ExprError::undeclared(
                    &self.text[at..][..word_length(&self.text[at..])],
                    at,
                    std::iter::empty(),
                ));
            }
            Some('?') => {
                let message = format!(
                    "the `?` at character {number} is known only when the kernel runs; write a number for it"
                );
                return Box::new(ExprError::new(at..at + 1, "syntax", message));
            }
            Some(character) => (at + character.len_utf8(), format!("`{character}`")),
            None => (at, String::from("the end")),
        };
        let message = format!("expected {what} at character {number}, found {found}");
        let error = ExprError::new(at..end, "syntax", message);
        Box::new(match next.and_then(meant) {
            Some(sign) => error.with_help(format!("write {sign}")),
            None => error,
        })
    }

    /// An error of the notation's reader, with its position.
    fn notation(&self, error: Error, start: usize) -> Box<ExprError> {
        match error {
            Error::Syntax { at, expected } => self.expected_at(at, expected),
            error => {
                let end = self.position().clamp(start, self.text.len());
                Box::new(ExprError::of(start..end, error))
            }
        }
    }

    /// The word that begins here: letters, digits and `_` after a letter.
    fn word(&self) -> &'a str {
        self.word_at(self.position())
    }

    fn word_at(&self, at: usize) -> &'a str {
        let rest = &self.text.as_bytes()[at..];
        let is_word = rest.first().is_some_and(u8::is_ascii_alphabetic);
        let length =
            rest.iter().take_while(|byte| is_word && (byte.is_ascii_alphanumeric() || **byte == b'_'));
        &self.text[at..at + length.count()]
    }
}

/// The operator between two operands.
#[derive(Clone, Copy)]
enum Infix {
    Composition,
    /// `/` or `*`.
    Sign(Sign),
    Operator(Operator),
}

impl<'a> Parser<'_, 'a> {
    fn position(&self) -> usize {
        self.reader.position()
    }

    /// Skips `length` bytes.
    fn pass(&mut self, length: usize) {
        self.reader.seek(self.position() + length);
    }

    /// The word that begins here, which is passed.
    fn next_word(&mut self) -> &'a str {
        let word = self.word();
        self.pass(word.len());
        word
    }

    /// What the reader of the notation reads here, or its error with its position.
    fn read<T>(&mut self, read: impl FnOnce(&mut Reader<'a>) -> Result<T, Error>) -> Parsed<T> {
        let start = self.position();
        read(&mut self.reader).map_err(|error| self.notation(error, start))
    }

    fn expect_word(&mut self, word: &str, what: &str) -> Parsed {
        if self.reader.eat_word(word) { Ok(()) } else { Err(self.expected(what)) }
    }

    fn expect(&mut self, byte: u8, what: &str) -> Parsed {
        if self.reader.eat(byte) { Ok(()) } else { Err(self.expected(what)) }
    }

    fn integer(&mut self, what: &'static str) -> Parsed<i64> {
        self.read(|reader| reader.integer(what))
    }

    fn tuple(&mut self, what: &'static str) -> Parsed<HTuple<Atom>> {
        self.read(|reader| reader.atoms(what))
    }

    fn apply(&mut self, apply: Apply, span: Range<usize>) -> Parsed {
        self.push(StepKind::Apply(apply), span)
    }

    fn push(&mut self, kind: StepKind, span: Range<usize>) -> Parsed {
        let literals = self.program.literals.len();
        if literals >= MAX_LITERALS || self.program.steps.len() - literals >= MAX_STEPS {
            let message =
                format!("an expression has at most {MAX_STEPS} operations, and {MAX_LITERALS} literals");
            return Err(ExprError::new(span, "limit", message).into());
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
        self.infixes(1)
    }

    /// Operands with operators of at least the precedence `least`. The recursion depth is the number of precedences.
    fn infixes(&mut self, least: u8) -> Parsed {
        self.with_least(least, |parser| parser.infixes_from(least))
    }

    /// Reads with another least precedence of calculations.
    fn with_least(&mut self, least: u8, read: impl FnOnce(&mut Self) -> Parsed) -> Parsed {
        let outside = std::mem::replace(&mut self.least, least);
        let read = read(self);
        self.least = outside;
        read
    }

    fn infixes_from(&mut self, least: u8) -> Parsed {
        self.reader.skip_space();
        let start = self.position();
        self.operand()?;
        while let Some(infix) = self.infix(least)? {
            let behind_swizzle = self.is_behind_swizzle();
            match infix {
                Infix::Composition if self.swizzle_offset()? => {
                    self.bare_operand()?;
                    self.apply(Apply::Swizzled, start..self.position())?;
                    self.behind_operand(start, true)?;
                }
                Infix::Composition => {
                    if let Some((pointer, address)) = self.pointer_and_circle()? {
                        self.bare_operand()?;
                        self.apply(Apply::SwizzledTensor(pointer, address), start..self.position())?;
                        self.behind_operand(start, true)?;
                        continue;
                    }
                    let operand = self.bare_operand()?;
                    if !behind_swizzle {
                        self.behind_operand(operand, true)?;
                    }
                    self.apply(Apply::Infix(Sign::Composition), start..self.position())?;
                    if behind_swizzle {
                        self.behind_operand(start, true)?;
                    }
                }
                Infix::Sign(sign) => {
                    self.infixes(Operator::Multiply.precedence() + 1)?;
                    self.apply(Apply::Infix(sign), start..self.position())?;
                }
                Infix::Operator(operator) => {
                    self.infixes(operator.precedence() + 1)?;
                    self.apply(Apply::Arithmetic(operator), start..self.position())?;
                }
            }
        }
        Ok(())
    }

    /// The operator here, if it has at least the precedence `least`.
    fn infix(&mut self, least: u8) -> Parsed<Option<Infix>> {
        let mark = self.reader;
        let reader = &mut self.reader;
        reader.skip_space();
        let found = match reader.peek() {
            b'o' | 0xe2 if reader.eat_circle() => Some(Infix::Composition),
            0xe2 if reader.eat_word("⊘") => Some(Infix::Sign(Sign::Divide)),
            0xe2 if reader.eat_word("⊗") => Some(Infix::Sign(Sign::Product)),
            _ => self.operator().filter(|(operator, _)| *operator != Operator::Power).map(
                |(operator, length)| {
                    self.pass(length);
                    match operator {
                        Operator::Divide => Infix::Sign(Sign::Divide),
                        Operator::Multiply => Infix::Sign(Sign::Product),
                        operator => Infix::Operator(operator),
                    }
                },
            ),
        };
        let precedence = match found {
            Some(Infix::Operator(operator)) => operator.precedence(),
            _ => Operator::Multiply.precedence(),
        };
        if precedence < least {
            self.reader = mark;
            return Ok(None);
        }
        Ok(found)
    }

    /// Python's floor division `//` begins a comment here.
    fn refuse_floor_division(&mut self) -> Parsed {
        let rest = &self.text.as_bytes()[self.position()..];
        let sign = self.position() + rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let b"//" = self.text.as_bytes().get(sign..sign + 2).unwrap_or_default() else { return Ok(()) };
        let behind = self.text[sign + 2..].trim_start_matches([' ', '\t', '(']);
        let word = behind.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("");
        if behind.starts_with(|c: char| c.is_ascii_digit())
            || self.variables.iter().any(|(name, _)| name == word)
        {
            let help =
                "floor(a/b) divides and rounds down; write a comment that begins with a number after `#`";
            let error = ExprError::new(sign..sign + 2, "syntax", "`//` begins a comment");
            return Err(error.with_help(help).into());
        }
        Ok(())
    }

    /// The `offset o` of `swizzle o offset o layout`, if it is here.
    #[inline(never)]
    fn swizzle_offset(&mut self) -> Parsed<bool> {
        let mark = self.reader;
        self.reader.skip_space();
        let start = self.position();
        if let Ok(offset) = self.reader.integer("an offset") {
            let end = self.position();
            if self.reader.eat_circle() {
                self.push_value(Value::integer(offset), start..end)?;
                return Ok(true);
            }
        }
        self.reader = mark;
        Ok(false)
    }

    /// An operand: a literal whose names it declares, or anything else.
    fn operand(&mut self) -> Parsed {
        let start = self.bare_operand()?;
        self.behind_operand(start, true)
    }

    /// The operand behind an offset, a pointer or a swizzle, and where it begins: a coordinate is one of the whole.
    fn bare_operand(&mut self) -> Parsed<usize> {
        self.reader.skip_space();
        let start = self.position();
        match self.literal_with_names(start) {
            Some(literal) => self.push_value(Value::from(literal?), start..self.position())?,
            None => self.primary()?,
        }
        self.behind_operand(start, false)?;
        Ok(start)
    }

    /// Coordinates, strides, exponents and values after the operand that begins at `start`.
    fn behind_operand(&mut self, start: usize, called: bool) -> Parsed {
        loop {
            self.refuse_floor_division()?;
            if self.reader.peek() == b'[' && self.at_values() {
                self.reader.eat(b'[');
                self.values(Some(b']'), start)?;
                continue;
            }
            if self.reader.peek() == b'[' {
                let message = "a coordinate is written in parentheses, not in `[...]`";
                let error = ExprError::new(start..self.position() + 1, "syntax", message);
                return Err(error.with_help("write L(2,3) for the offset, and get(L, 0) for a mode").into());
            }
            // As `print(a.shape, a.strides)` writes them.
            let mut next = self.reader;
            next.skip_space();
            let spaced = next.peek() == b'(' && self.text[..next.position()].ends_with(' ');
            if called && spaced && !self.begins_line() && self.is_behind_tuple() {
                let error = ExprError::new(start..self.position(), "syntax", "two tuples");
                return Err(error.with_help("a shape and its strides are written (4,8):(8,1); NumPy's strides are in bytes: shape=(4,8), strides=(32,4), itemsize=4").into());
            }
            if called && !self.begins_line() && self.reader.eat(b'(') {
                let count = self.nested(|inner| inner.list(b')', false))?;
                if count == 0 {
                    return Err(self.expected_at(self.position() - 1, "a coordinate"));
                }
                self.apply(Apply::Coordinate(count), start..self.position())?;
            } else if self.reader.eat(b':') {
                self.reader.skip_space();
                let strides = self.position();
                if matches!(self.reader.peek(), b'(' | b'[') {
                    self.parentheses(start)?;
                }
                let of_tuple = self.is_in_parentheses();
                if !self.integer_at_launch()? {
                    self.with_least(1, Self::primary)?;
                }
                self.power(strides)?;
                if of_tuple {
                    self.parentheses(strides)?;
                } else if self.is_behind_number() {
                    // A sum of elements has parentheses.
                    let least = match is_of_elements(&self.text[strides..self.position()]) {
                        true => Operator::Multiply.precedence(),
                        false => 1,
                    };
                    self.tight(least, strides)?;
                }
                self.apply(Apply::Pair, start..self.position())?;
            } else if self.power(start)? {
                continue;
            } else {
                return Ok(());
            }
        }
    }

    /// `^` or `**` and its exponent, if there is one here.
    fn power(&mut self, start: usize) -> Parsed<bool> {
        if !self.is_power() {
            return Ok(false);
        }
        let _ = self.reader.eat(b'^') || self.reader.eat_word("**");
        self.with_least(Operator::Power.precedence() + 1, Self::primary)?;
        if self.is_power() {
            return Err(self.expected("parentheses about one of two powers"));
        }
        self.apply(Apply::Arithmetic(Operator::Power), start..self.position())?;
        Ok(true)
    }

    fn is_power(&self) -> bool {
        let mut reader = self.reader;
        reader.eat(b'^') || reader.eat_word("**")
    }

    fn variable(&self, word: &str) -> Option<usize> {
        self.variables.iter().rposition(|(name, _)| name == word)
    }

    /// Expressions up to `close`, which is skipped: the members of a tuple, or other ones.
    fn list(&mut self, close: u8, of_tuple: bool) -> Parsed<usize> {
        self.within(close, |inner| inner.members(close, of_tuple))
    }

    /// What is in a bracket that this byte closes.
    fn within<T>(&mut self, close: u8, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let outside = std::mem::replace(&mut self.angle, close == b'>');
        let read = read(self)?;
        self.angle = outside;
        Ok(read)
    }

    fn members(&mut self, close: u8, of_tuple: bool) -> Parsed<usize> {
        let (mut count, mut start) = (0, self.position());
        while !self.reader.eat(close) {
            if count > 0 {
                if of_tuple {
                    self.parentheses(start)?;
                }
                self.expect(b',', behind(close))?;
                // The comma after the only member of a Python tuple.
                if count == 1 && self.reader.eat(close) {
                    break;
                }
            }
            start = self.position();
            match of_tuple && self.integer_at_launch()? {
                // In parentheses, a message of the compiler has the types of arguments.
                true if self.brief && close != b'>' => return Err(self.expected_at(start, "a number")),
                true => {}
                false => self.expression()?,
            }
            count += 1;
        }
        Ok(count)
    }

    /// Expressions with this separator up to `close`, which is skipped.
    fn separated(&mut self, separator: u8, close: &str, what: &str) -> Parsed<usize> {
        let mut count = 0;
        while !self.reader.eat_word(close) {
            if count > 0 {
                self.expect(separator, what)?;
            }
            self.expression()?;
            count += 1;
        }
        Ok(count)
    }

    fn primary(&mut self) -> Parsed {
        self.reader.skip_space();
        let start = self.position();
        self.base(start)?;
        self.element_of(start)?;
        loop {
            self.refuse_floor_division()?;
            if !self.reader.eat(b'.') {
                return Ok(());
            }
            self.field(start)?;
        }
    }

    /// All nested expressions are parsed here.
    fn base(&mut self, start: usize) -> Parsed {
        if self.depth >= MAX_DEPTH {
            let end = (start + 1..=self.text.len()).find(|&end| self.text.is_char_boundary(end));
            let message = format!("expressions are nested at most {MAX_DEPTH} deep");
            return Err(ExprError::new(start..end.unwrap_or(start), "limit", message).into());
        }
        self.work += OPERAND;
        self.nested(|inner| inner.base_from(start))
    }

    /// The contents of brackets.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.depth += 1;
        let read = read(self)?;
        self.depth -= 1;
        Ok(read)
    }

    fn base_from(&mut self, start: usize) -> Parsed {
        match self.reader.peek() {
            b'?' if self.name_at(start).is_some() => self.number_of_names(start),
            b'_' if element_type(&self.text[start..]).is_some() => self.worded(),
            b'0'..=b'9' | b'^' | b'_' => self.literal(),
            b'*' if self.angle && matches!(self.reader.peek_at(1), b',' | b'>') => {
                self.reader.eat(b'*');
                self.hole(start)
            }
            b'-' => self.negative(),
            b'(' | b'[' => self.parenthesised(),
            b'<' => {
                self.reader.eat(b'<');
                let count = self.list(b'>', false)?;
                self.tiler(count, start)
            }
            0xe2 if self.reader.eat_word("⟨") => {
                let count = self.within(0, |inner| inner.separated(b',', "⟩", "`,` or `⟩`"))?;
                self.tiler(count, start)
            }
            b'{' => self.view(),
            b'!' => self.mlir(),
            b'#' | b'g' | b't' | b'D' if self.reader.at_linear_layout() => self.linear_layout(),
            b'#' | b'g' | b't' | b'B' if self.at_blocked() => self.blocked(start),
            b'#' => Err(self.attribute_of_triton(start)),
            b'"' if self.quoted_text(start).is_some_and(|text| text.contains("->")) => self.pattern(start),
            b'"' => self.quoted(Self::expression),
            b'.' => self.operand_name(),
            b'a'..=b'z' | b'A'..=b'Z' => self.worded(),
            b':' => Err(self.expected("an expression").with_help("`_` keeps a whole mode: L(1,_)").into()),
            _ => Err(self.expected("an expression")),
        }
    }

    /// What is in the quotation marks at a position: with an arrow it is a pattern, and else an expression.
    fn quoted_text(&self, start: usize) -> Option<&'a str> {
        Some(self.text[start..].strip_prefix('"')?.split_once('"')?.0)
    }

    /// A pattern in quotation marks.
    fn pattern(&mut self, start: usize) -> Parsed {
        let text = self.quoted_text(start).ok_or_else(|| self.expected("a pattern in quotation marks"))?;
        self.pass(text.len() + 2);
        self.push_value(Value::Text(text.into()), start..self.position())
    }

    /// The notation of Triton or Gluon, as the layout of threads and values.
    #[inline(never)]
    fn linear_layout(&mut self) -> Parsed {
        let start = self.position();
        let layout = self.read(|reader| reader.linear_layout().and_then(|linear| linear.layout()))?;
        self.push_value(Value::from(layout), start..self.position())
    }

    /// The error for an attribute of Triton that is neither a linear nor a blocked layout.
    fn attribute_of_triton(&self, start: usize) -> Box<ExprError> {
        let rest = &self.text[start..];
        let name = &rest[..rest.find(['<', ' ']).unwrap_or(rest.len())];
        let message = format!("`{name}` is read only as #ttg.linear or #ttg.blocked");
        Box::new(ExprError::new(start..start + name.len(), "syntax", message).with_help(
            "for an MMA write atom(SM80_16x8x16_F32F16F16F32_TN).c, for a shared layout Sw<3,3,3> o (8,64):(64,1)",
        ))
    }

    fn tiler(&mut self, count: usize, start: usize) -> Parsed {
        self.apply(Apply::Tiler(count), start..self.position())
    }

    fn parenthesised(&mut self) -> Parsed {
        if self.tuple_literal()? {
            return Ok(());
        }
        let start = self.position();
        let grouping = self.reader.peek() == b'(';
        let close = self.reader.eat_tuple().unwrap_or(b')');
        let count = self.list(close, true)?;
        let python_tuple = count == 1 && self.text[..self.position() - 1].trim_end().ends_with(',');
        if close == b'>' {
            self.reader.skip_braces();
        }
        if count > 0 {
            self.parentheses(start)?;
        }
        let span = start..self.position();
        if self.tiler_at == Some(start) {
            return self.apply(Apply::Tile(count), span);
        }
        if count != 1 || python_tuple || !grouping {
            return self.apply(Apply::Tuple(count), span);
        }
        let of_literal =
            matches!(self.last_step(), Some(StepKind::Push(_) | StepKind::Apply(Apply::Element)));
        if self.is_in_parentheses() || of_literal {
            return self.apply(Apply::Group, span);
        }
        self.calculation = self.program.steps.len();
        Ok(())
    }

    /// Whether the last operand is a calculation, a number or a basis element.
    fn is_behind_number(&self) -> bool {
        let is_number = |value: &Value| value.is_number() || value.is_element();
        match self.last_step() {
            Some(StepKind::Push(Push::Literal(index))) => is_number(&self.program.literals[index]),
            Some(StepKind::Push(Push::Variable(index))) => is_number(&self.variables[index].1),
            Some(StepKind::Apply(Apply::Arithmetic(_) | Apply::Element)) => true,
            _ => self.calculation == self.program.steps.len(),
        }
    }

    fn last_step(&self) -> Option<StepKind> {
        self.program.steps.last().map(|step| step.kind)
    }

    /// Whether the last operand is a tuple by its parentheses.
    fn is_in_parentheses(&self) -> bool {
        self.is_behind_tuple()
            || matches!(
                self.last_step(),
                Some(StepKind::Apply(Apply::Tuple(_) | Apply::Group | Apply::Calculation))
            )
    }

    /// If a calculation in parentheses ends here, which began after `start`, it is a tuple: within a tuple and beside the
    /// `:` of another one they are not needed to group it.
    fn parentheses(&mut self, start: usize) -> Parsed {
        match self.calculation == self.program.steps.len() {
            true => self.apply(Apply::Calculation, start..self.position()),
            false => Ok(()),
        }
    }

    #[inline(never)]
    fn view(&mut self) -> Parsed {
        let start = self.position();
        self.reader.eat(b'{');
        self.reader.skip_space();
        if matches!(self.reader.peek(), b'"' | b'\'') {
            return self.json(start);
        }
        if !self.offset_literal()? {
            self.declare_offset()?;
            self.nested(|inner| inner.expression())?;
            self.expect(b'}', "`}`")?;
        }
        self.circle()?;
        self.bare_operand()?;
        self.apply(Apply::View, start..self.position())
    }
}

/// The tokens that are allowed after a member of a list.
fn behind(close: u8) -> &'static str {
    match close {
        b'>' => "`,` or `>`",
        b']' => "`,` or `]`",
        _ => "`,` or `)`",
    }
}

/// The character meant by one that web pages, papers and editors use instead.
fn meant(character: char) -> Option<String> {
    let sign = match character {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '×' | '·' | '⋅' => '*',
        '÷' | '∕' => '/',
        '‘'..='„' | '«' | '»' => return Some("the text without quotation marks".into()),
        '\u{a0}' | '\u{2000}'..='\u{200b}' | '\u{3000}' | '\u{feff}' => return Some("a plain space".into()),
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(character as u32 - 0xfee0)?,
        _ => return None,
    };
    Some(format!("`{sign}`"))
}
