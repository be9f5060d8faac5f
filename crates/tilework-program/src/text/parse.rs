//! Reading a program.

use super::cursor::Cursor;
use crate::element::Element;
use crate::form::{Digit, Form, Index};
use crate::instruction::Instruction;
use crate::prelude::*;
use crate::program::{Expr, Function, Kind, Place, Program, Space, Statement, Until, View, Written};
use crate::verify::{check_mode, check_split, verify};
use core::str::FromStr;
use tilework::Layout;
use tilework_symbolic::Number;

/// The most braces and brackets inside of each other.
const MAX_DEPTH: usize = 64;

impl FromStr for Program {
    type Err = Error;

    fn from_str(text: &str) -> Result<Program, Error> {
        let mut parser = Parser { at: Cursor::new(text), program: None, open: Vec::new(), depth: 0 };
        let program = parser.program();
        let program = program.map_err(|error| error.at(parser.at.line()))?;
        verify(&program)?;
        Ok(program)
    }
}

struct Parser<'a> {
    at: Cursor<'a>,
    program: Option<Program>,
    /// The loops around the statement that is read, by the places of their names.
    open: Vec<usize>,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn program(&mut self) -> Result<Program, Error> {
        self.at.skip_lines();
        if !self.at.eat_word("kernel") {
            return Err(self.at.expected("`kernel NAME N threads, grid (..)`"));
        }
        let name = self.at.name()?.to_string();
        let threads = self.at.integer()?;
        for word in ["threads", ",", "grid", "("] {
            self.at.expect(word)?;
        }
        // The names in it are those of the tensors, which are declared below.
        let line = self.at.line();
        let mut axes = vec![self.at.until(&[',', ')'])];
        while self.at.eat(",") {
            axes.push(self.at.until(&[',', ')']));
        }
        self.at.expect(")")?;
        self.at.end_of_line()?;
        let mut program = Program::new(name, threads);
        self.at.skip_lines();
        while self.declaration(&mut program)? {
            self.at.end_of_line()?;
            self.at.skip_lines();
        }
        for axis in axes {
            program.add_axis(axis).map_err(|error| error.at(line))?;
        }
        self.program = Some(program);
        let body = self.body()?;
        if !self.at.rest().is_empty() {
            return Err(self.at.expected("a statement"));
        }
        let mut program = self.program.take().ok_or_else(|| Error::new("no program"))?;
        program.body = body;
        Ok(program)
    }

    fn declared(&mut self) -> &mut Program {
        self.program.as_mut().expect("statements are read after declarations")
    }

    /// Reads a declaration, if one follows.
    fn declaration(&mut self, program: &mut Program) -> Result<bool, Error> {
        let word = self.at.peek_word();
        if let Some(space) = Space::ALL.into_iter().find(|space| space.name() == word) {
            self.at.name()?;
            let (line, name, element) = (self.at.line(), self.at.name()?, self.element()?);
            program.declare(name, space, element, self.at.until(&[]), line)?;
        } else if self.at.eat_word("scalar") {
            let name = self.at.name()?;
            program.add_scalar(name, self.element()?)?;
        } else if self.at.eat_word("assume") {
            program.assume(self.at.until(&[]))?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn element(&mut self) -> Result<Element, Error> {
        let names: Vec<&str> = Element::ALL.iter().map(|element| element.name()).collect();
        let word = self.at.peek_word();
        let element = Element::of_name(word);
        let element = element.ok_or_else(|| self.at.expected(&format!("a type, {}", names.join(", "))))?;
        self.at.name()?;
        Ok(element)
    }

    /// Statements up to a closing brace or the end.
    fn body(&mut self) -> Result<Vec<Statement>, Error> {
        let mut body = Vec::new();
        self.at.skip_lines();
        while !self.at.rest().is_empty() && !self.at.rest().starts_with('}') {
            let line = self.at.line();
            let kind = self.statement().map_err(|error| error.at(line))?;
            self.at.end_of_line()?;
            body.push(Statement { line, kind });
            self.at.skip_lines();
        }
        Ok(body)
    }

    fn braces(&mut self) -> Result<Vec<Statement>, Error> {
        self.at.expect("{")?;
        self.enter()?;
        let body = self.body()?;
        self.depth -= 1;
        self.at.expect("}")?;
        Ok(body)
    }

    fn enter(&mut self) -> Result<(), Error> {
        self.depth += 1;
        match self.depth > MAX_DEPTH {
            true => Err(error!("more than {MAX_DEPTH} braces or brackets inside of each other")),
            false => Ok(()),
        }
    }

    fn statement(&mut self) -> Result<Kind, Error> {
        let word = self.at.peek_word();
        if Space::ALL.iter().any(|space| space.name() == word) || ["scalar", "assume"].contains(&word) {
            return Err(error!("`{word}` stands before the first statement"));
        }
        if self.at.eat_word("barrier") {
            return Ok(Kind::Barrier);
        }
        if self.at.eat_word("commit") {
            return Ok(Kind::Commit);
        }
        if self.at.eat_word("wait") {
            let groups = self.at.integer()?;
            return Ok(Kind::Wait(groups as usize));
        }
        if self.at.eat_word("for") {
            let index = self.loop_name()?;
            if !self.at.eat_word("in") {
                return Err(self.at.expected("`in`"));
            }
            let (count, until) = self.steps(index)?;
            self.open.push(index);
            let body = self.braces()?;
            self.open.pop();
            return Ok(Kind::For { index, count, until, body });
        }
        if self.at.eat_word("when") {
            let form = self.form()?;
            self.at.expect("<")?;
            let below = self.number(&['{'])?;
            return Ok(Kind::When { form, below, body: self.braces()? });
        }
        let to = self.view()?;
        self.at.expect("=")?;
        let value = self.expression(0)?;
        let by = match self.at.eat_word("by") {
            false => None,
            true => Some(Instruction::of_name(self.at.until(&[' ', '\t', '}']))?),
        };
        Ok(Kind::Each { to, value, by })
    }

    /// The place of the name of a new loop.
    fn loop_name(&mut self) -> Result<usize, Error> {
        let name = self.at.name()?;
        let program = self.program.as_ref().expect("declarations are read");
        program.check_name(name)?;
        if program.scope.find(name).is_some() || self.open.iter().any(|open| program.loops[*open] == name) {
            return Err(error!("the name {name} is taken"));
        }
        let loops = &mut self.declared().loops;
        if let Some(known) = loops.iter().position(|own| own == name) {
            return Ok(known);
        }
        loops.push(name.to_string());
        Ok(loops.len() - 1)
    }

    /// The number of steps of a loop: one of sizes, or a sum of the block's digits.
    fn steps(&mut self, index: usize) -> Result<(Number, Option<Box<Until>>), Error> {
        let text = Cursor::new(self.at.rest()).until(&['{']);
        let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        if !words.any(|word| self.index(word).is_some()) {
            return Ok((self.number(&['{'])?, None));
        }
        let blocks = self.form()?;
        let most = self.declared().most(&blocks)?;
        Ok((most, Some(Box::new(Until::new(index, blocks)))))
    }

    fn number(&mut self, ends: &[char]) -> Result<Number, Error> {
        let text = self.at.until(ends);
        self.declared().number(text)
    }

    /// The index of a name, if it is one here.
    fn index(&self, name: &str) -> Option<Index> {
        let loops = &self.program.as_ref()?.loops;
        let own = self.open.iter().find(|open| loops[**open] == name);
        Index::fixed(name).or(own.map(|name| Index::Loop(*name)))
    }

    fn an_index(&mut self) -> Result<Index, Error> {
        let word = self.at.peek_word();
        let known = self.index(word);
        let index =
            known.ok_or_else(|| self.at.expected("b0, b1, b2, t, v or the index of a loop around"))?;
        self.at.name()?;
        Ok(index)
    }

    /// `index / N % N`, or `(index + N) / N % N`.
    fn digit(&mut self) -> Result<Digit, Error> {
        if self.at.eat("(") {
            return self.bracketed();
        }
        let index = self.an_index()?;
        self.divided(Digit::of(index))
    }

    /// The same behind its bracket.
    fn bracketed(&mut self) -> Result<Digit, Error> {
        let mut digit = Digit::of(self.an_index()?);
        if self.at.eat("+") {
            digit.add = self.at.integer()?;
        }
        self.at.expect(")")?;
        self.divided(digit)
    }

    fn divided(&mut self, mut digit: Digit) -> Result<Digit, Error> {
        if self.at.eat("/") {
            digit.divisor = self.positive()?;
        }
        if self.at.eat("%") {
            digit.modulus = Some(self.positive()?);
        }
        Ok(digit)
    }

    fn positive(&mut self) -> Result<i64, Error> {
        match self.at.integer()? {
            0 => Err(Error::new("a divisor is 1 or more")),
            value => Ok(value),
        }
    }

    fn form(&mut self) -> Result<Form, Error> {
        let mut form = Form::default();
        loop {
            if self.at.peek_word().starts_with(|c: char| c.is_ascii_digit()) {
                let count = self.at.integer()?;
                if !self.at.eat("*") {
                    form.constant = form.constant.saturating_add(count);
                } else if self.at.eat("(") {
                    form.terms.push((count, self.bracketed()?));
                } else {
                    let (word, index) = (self.at.peek_word(), self.an_index()?);
                    if self.at.rest().starts_with(['/', '%']) {
                        return Err(self
                            .at
                            .expected(&format!("a digit in brackets, as in {count}*({word})%2")));
                    }
                    form.terms.push((count, Digit::of(index)));
                }
            } else {
                form.terms.push((1, self.digit()?));
            }
            if !self.at.eat("+") {
                return Ok(form);
            }
        }
    }

    /// A view without what is outside.
    fn view(&mut self) -> Result<View, Error> {
        let name = self.at.name()?;
        let tensors = &self.declared().tensors;
        let tensor = tensors.iter().position(|tensor| tensor.name == name);
        let tensor = tensor.ok_or_else(|| error!("{name} is not declared"))?;
        let (rank, mut places) = (tensors[tensor].rank(), Vec::new());
        if self.at.eat("[") {
            self.enter()?;
            loop {
                self.at.skip_lines();
                places.push(self.place(rank).map_err(|error| about(name, error))?);
                self.at.skip_lines();
                if !self.at.eat(",") {
                    break;
                }
            }
            self.at.expect("]")?;
            self.depth -= 1;
        }
        Ok(View { tensor, places, outside: None })
    }

    fn view_or_else(&mut self) -> Result<View, Error> {
        let mut view = self.view()?;
        if self.at.eat_word("else") {
            let negative = self.at.eat("-");
            let value = self.at.literal()?;
            view.outside = Some(if negative { -value } else { value });
        }
        Ok(view)
    }

    fn place(&mut self, rank: usize) -> Result<Place, Error> {
        let word = self.at.peek_word();
        if word.starts_with(|c: char| c.is_ascii_digit()) || self.at.rest().starts_with('-') {
            let (step, mode) = self.step(rank)?;
            return Ok(Place::Constant { step, mode });
        }
        let is_bracketed = self.at.eat("(");
        let word = self.at.peek_word();
        let index = self.index(word);
        if index.is_none() && self.declared().tensors.iter().any(|tensor| tensor.name == word) {
            let view = self.view_or_else()?;
            if is_bracketed {
                self.at.expect(")")?;
            }
            if !self.at.eat("@") {
                return Err(self
                    .at
                    .expected(&format!("`@` and the mode whose coordinate {word} has, as in {word}[..]@0")));
            }
            let mode = self.mode(rank)?;
            return Ok(Place::Gather { view: Box::new(view), mode });
        }
        let digit = if is_bracketed { self.bracketed()? } else { self.digit()? };
        if let (Some(index), true) = (index.filter(|_| digit == Digit::of(digit.index)), self.splits()) {
            let text = self.at.until(&[',', ']']);
            let layout: Layout = text.parse().map_err(|error| error!("{word} {text}: {error}"))?;
            check_split(word, &layout, rank)?;
            return Ok(Place::Split { index, layout: Box::new(layout) });
        }
        let (step, mode) = self.step(rank)?;
        Ok(Place::Step { digit, step, mode })
    }

    /// Whether the layout of an index follows.
    fn splits(&mut self) -> bool {
        let mut ahead = Cursor::new(self.at.rest());
        ahead.until(&[',', ']']).contains(':')
    }

    /// `N@mode`.
    fn step(&mut self, rank: usize) -> Result<(i64, usize), Error> {
        let negative = self.at.eat("-");
        let step = self.at.integer()?;
        self.at.expect("@")?;
        let mode = self.mode(rank)?;
        Ok((if negative { -step } else { step }, mode))
    }

    fn mode(&mut self, rank: usize) -> Result<usize, Error> {
        let mode = self.at.integer()? as usize;
        check_mode(mode, rank).map(|()| mode)
    }

    fn expression(&mut self, above: u8) -> Result<Expr, Error> {
        self.enter()?;
        let mut left = self.operand()?;
        'operators: loop {
            for (function, written) in Function::ALL {
                let Written::Infix(sign, strength) = written else { continue };
                if strength > above && self.at.eat(sign) {
                    let right = self.expression(strength)?;
                    left = Expr::Call(function, vec![left, right]);
                    continue 'operators;
                }
            }
            self.depth -= 1;
            return Ok(left);
        }
    }

    fn operand(&mut self) -> Result<Expr, Error> {
        self.at.skip_blanks();
        if self.at.eat("(") {
            let inner = self.expression(0)?;
            self.at.expect(")")?;
            return Ok(inner);
        }
        if self.at.eat("-") {
            self.enter()?;
            let operand = self.operand()?;
            self.depth -= 1;
            return Ok(match operand {
                Expr::Literal(value) => Expr::Literal(-value),
                operand => Expr::Call(Function::Neg, vec![operand]),
            });
        }
        let word = self.at.peek_word();
        if word.starts_with(|c: char| c.is_ascii_digit()) || word == "inf" {
            return Ok(Expr::Literal(self.at.literal()?));
        }
        if word == "coordinate" {
            self.at.name()?;
            self.at.expect("(")?;
            let view = self.view()?;
            self.at.expect(",")?;
            let rank = self.declared().tensor(&view).rank();
            let mode = self.mode(rank)?;
            self.at.expect(")")?;
            return Ok(Expr::Coordinate(view, mode));
        }
        if self.declared().tensors.iter().any(|tensor| tensor.name == word) {
            return Ok(Expr::View(self.view_or_else()?));
        }
        let name = self.at.name()?;
        if let Some(scalar) = self.declared().scalars.iter().position(|scalar| scalar.name == name) {
            return Ok(Expr::Scalar(scalar));
        }
        if let Some((function, count)) = Function::of_name(name) {
            self.at.expect("(")?;
            let mut arguments = vec![self.expression(0)?];
            while self.at.eat(",") {
                arguments.push(self.expression(0)?);
            }
            self.at.expect(")")?;
            if arguments.len() != count {
                let found = arguments.len();
                return Err(error!("{name} takes {count} arguments, not {found}"));
            }
            return Ok(Expr::Call(function, arguments));
        }
        match self.declared().scope.find(name) {
            Some(_) => Ok(Expr::Size(name.to_string())),
            None => Err(error!("{name} is no tensor, scalar, size or function")),
        }
    }
}

fn about(name: &str, error: Error) -> Error {
    error!("{name}: {}", error.message()).at(error.line())
}
