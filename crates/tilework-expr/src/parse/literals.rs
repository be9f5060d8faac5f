//! Literals of the text notation, and calculations without white space.

use super::{Parsed, Parser};
use crate::arithmetic::Operator;
use crate::program::{Apply, Push, StepKind};
use crate::value::{Value, offset_of};
use std::ops::Range;
use tilework::__private::{Atom, Reader};
use tilework::{Error, HTuple, Offset};
use tilework_symbolic::is_element;

impl Parser<'_, '_> {
    /// A leaf or a tuple of the notation, and a layout if strides follow.
    #[inline(never)]
    pub(super) fn literal(&mut self) -> Parsed {
        let (start, integer) = (self.position(), self.reader);
        let mut shape = self.tuple("an expression")?;
        // `3/4` is a calculation, in which other operators may bind more closely; `3/4@1` is an element.
        let text = &self.text[start..self.position()];
        if shape.is_leaf() && text.contains('/') && !text.contains(['@', 'e']) {
            self.reader = integer;
            shape = HTuple::leaf(Atom::Integer(self.integer("a number")?));
        }
        self.literal_from(&shape, start)
    }

    fn literal_from(&mut self, shape: &HTuple<Atom>, start: usize) -> Parsed {
        let end = self.position();
        let is_number = |value: &HTuple<Atom>| match value.leaves() {
            [Atom::Stride(stride)] => value.is_leaf() && stride.unit().depth() == 0,
            _ => value.is_leaf(),
        };
        if is_number(shape) && self.tight_operator().is_some() {
            self.push_value(Value::from(*shape), start..end)?;
            return self.tight(self.least, start);
        }
        self.refuse_floor_division()?;
        if self.reader.eat(b':') {
            match self.reader.atoms("a stride") {
                // A calculation is read again.
                Ok(strides) if strides.is_leaf() && (self.tight_operator().is_some() || self.is_power()) => {
                    self.reader.seek(end);
                }
                Ok(strides) => {
                    let layout =
                        shape.layout_with(&strides, start).map_err(|error| self.notation(error, start))?;
                    let span = start..self.position();
                    return self.push_value(Value::from(layout), span);
                }
                // Strides that are not a literal, or an error that is found again after the `:`.
                Err(Error::Syntax { .. }) => self.reader.seek(end),
                Err(error) => return Err(self.notation(error, start)),
            }
        }
        self.push_value(Value::from(*shape), start..end)
    }

    /// What leaves a mode open, which ends here.
    #[inline(never)]
    pub(super) fn hole(&mut self, start: usize) -> Parsed {
        self.push_value(HTuple::leaf(Atom::All).into(), start..self.position())
    }

    pub(super) fn push_value(&mut self, value: Value, span: Range<usize>) -> Parsed {
        self.push(StepKind::Push(Push::Literal(self.program.literals.len())), span)?;
        self.program.literals.push(value);
        Ok(())
    }

    /// A parenthesised text that is a tuple of the notation. `false` if it is something else.
    #[inline(never)]
    pub(super) fn tuple_literal(&mut self) -> Parsed<bool> {
        let (place, start) = (self.place(), self.position());
        match self.reader.atoms("an expression") {
            Ok(shape) => self.literal_from(&shape, start).map(|()| true),
            Err(Error::Syntax { .. }) => {
                self.back_to(place);
                Ok(false)
            }
            Err(error) => {
                let error = self.notation(error, start);
                self.back_to(place);
                let offsets = if self.reader.peek() == b'(' { self.offsets()? } else { None }.ok_or(error)?;
                self.push_value(Value::Offsets(offsets.into()), start..self.position()).map(|()| true)
            }
        }
    }

    /// An offset of the notation and the `}` after it. `false` if it is something else.
    #[inline(never)]
    pub(super) fn offset_literal(&mut self) -> Parsed<bool> {
        let (place, start) = (self.place(), self.position());
        let is_word = self.reader.peek().is_ascii_alphabetic();
        match self.reader.atoms("an offset") {
            Ok(offset) => {
                let end = self.position();
                if self.reader.eat(b'}') {
                    return self.push_value(Value::from(offset), start..end).map(|()| true);
                }
            }
            // A calculation or a name.
            Err(Error::Syntax { at, .. }) if at > start || is_word => {}
            Err(error) => return Err(self.notation(error, start)),
        }
        self.back_to(place);
        Ok(false)
    }

    /// `(0,8,1,...)`: too many offsets for a tuple.
    fn offsets(&mut self) -> Parsed<Option<Vec<Offset>>> {
        let mut offsets = Vec::new();
        self.reader.eat(b'(');
        while let Some(offset) = self.reader.atoms("an offset").ok().as_ref().and_then(offset_of) {
            offsets.push(offset);
            if self.reader.eat(b')') {
                // Before strides it would be a shape.
                return Ok((self.reader.peek() != b':').then_some(offsets));
            }
            if !self.reader.eat(b',') {
                break;
            }
        }
        Ok(None)
    }

    /// `-` before an operand.
    #[inline(never)]
    pub(super) fn negative(&mut self) -> Parsed {
        let mut ahead = self.reader;
        ahead.integer("a number").ok();
        let is_base = ahead.eat(b'^') || ahead.eat_word("**");
        if self.reader.peek_at(1).is_ascii_digit() && !is_base {
            return self.literal();
        }
        let start = self.position();
        let mut negative = false;
        while self.reader.peek() == b'-' && (is_base || !self.reader.peek_at(1).is_ascii_digit()) {
            negative = !negative;
            self.reader.eat(b'-');
            self.reader.skip_space();
        }
        self.with_least(Operator::Negate.precedence(), Self::operand)?;
        if negative {
            self.apply(Apply::Arithmetic(Operator::Negate), start..self.position())?;
        }
        self.tight(self.least, start)
    }

    /// The rest of a calculation without white space, after a number; after an element it has no more terms, because a sum of
    /// elements has parentheses.
    pub(super) fn tight(&mut self, least: u8, start: usize) -> Parsed {
        let (mut ends, of_element) = (false, Operator::Multiply.precedence());
        while let Some((operator, length)) = self
            .tight_operator()
            .filter(|(found, _)| found.precedence() >= if ends { least.max(of_element) } else { least })
        {
            let right = self.position() + length;
            self.reader.seek(right);
            if self.reader.peek().is_ascii_digit() {
                let mut behind = self.reader;
                let element = behind.atoms("a number").ok();
                let element = element.filter(|_| self.text[right..behind.position()].contains(['@', 'e']));
                ends = element.is_some();
                let value = match element {
                    Some(element) => (Value::from(element), self.reader = behind).0,
                    None => Value::integer(self.integer("a number")?),
                };
                self.push_value(value, right..self.position())?;
            } else if self.reader.peek() == b'(' {
                self.nested(Self::parenthesised)?;
                ends = self.element_of(right)?;
            } else {
                let word = self.word();
                if let Some(index) = self.variable(word) {
                    self.reader.seek(right + word.len());
                    self.push(StepKind::Push(Push::Variable(index)), right..self.position())?;
                    ends = self.element_of(right)? || self.is_element_word(word);
                } else if is_element(word) {
                    ends = true;
                    let element = self.read(|reader| reader.atoms("a basis element"))?;
                    self.push_value(Value::from(element), right..self.position())?;
                } else if self.declared_name(right)? {
                    ends = self.element_of(right)?;
                } else {
                    return Err(self.expected("a number"));
                }
            }
            if operator == Operator::Power && self.is_power() {
                return Err(self.expected("parentheses about one of two powers"));
            }
            self.tight(operator.precedence() + 1, right)?;
            self.apply(Apply::Arithmetic(operator), start..self.position())?;
        }
        Ok(())
    }

    /// The operator here, and its length.
    pub(super) fn operator(&self) -> Option<(Operator, usize)> {
        self.operator_at(self.reader)
    }

    fn operator_at(&self, reader: Reader) -> Option<(Operator, usize)> {
        let twice = reader.peek() == reader.peek_at(1);
        Some(match reader.peek() {
            b'*' if twice => (Operator::Power, 2),
            b'*' => (Operator::Multiply, 1),
            b'/' => (Operator::Divide, 1),
            b'%' if !self.begins_comment() => (Operator::Remainder, 1),
            b'+' => (Operator::Add, 1),
            b'-' => (Operator::Subtract, 1),
            b'^' => (Operator::Power, 1),
            b'<' if twice => (Operator::ShiftLeft, 2),
            b'>' if twice && !self.angle => (Operator::ShiftRight, 2),
            _ => return None,
        })
    }

    /// An operator whose other operand is a number, a name or, of `*`, a basis element, and its length; so are those of the operators that bind closer,
    /// before which there is no white space.
    pub(super) fn tight_operator(&self) -> Option<(Operator, usize)> {
        let (operator, length) = self.operator()?;
        let mut behind = self.behind_number(self.reader, length)?;
        loop {
            let end = behind.position();
            behind.skip_space();
            match self.operator_at(behind) {
                Some((next, length)) if next.precedence() > operator.precedence() => {
                    let is_tight = behind.position() == end;
                    behind = self.behind_number(behind, length).filter(|_| is_tight)?;
                }
                _ => return Some((operator, length)),
            }
        }
    }

    /// The reader after an operator of this length and the number or the name behind it, or after `*` and an element.
    fn behind_number<'t>(&self, mut reader: Reader<'t>, length: usize) -> Option<Reader<'t>> {
        let is_multiple = reader.peek() == b'*' && length == 1;
        reader.seek(reader.position() + length);
        if reader.peek().is_ascii_digit() {
            let (start, mut element) = (reader.position(), reader);
            // A multiple of an element, as in `1@0+2@1`, is no number.
            match element.atoms("a number").is_ok()
                && self.text[start..element.position()].contains(['@', 'e'])
            {
                true if is_multiple => reader = element,
                true => return None,
                false => drop(reader.integer("a number").ok()?),
            }
        } else if reader.peek() == b'(' {
            reader = self.behind_calculation(reader)?;
            if !is_multiple && reader.peek() == b'@' {
                return None;
            }
        } else if self.is_number_word(reader)
            || is_multiple && self.is_element_word(self.word_at(reader.position()))
        {
            reader.seek(reader.position() + self.word_at(reader.position()).len());
            if !is_multiple && reader.peek() == b'@' {
                return None;
            }
        } else {
            return None;
        }
        Some(reader)
    }

    /// The reader after the calculation of numbers in parentheses that is here.
    fn behind_calculation<'t>(&self, mut reader: Reader<'t>) -> Option<Reader<'t>> {
        let (mut open, mut operators) = (0usize, 0usize);
        loop {
            match reader.peek() {
                b'(' => open += 1,
                b')' => open -= 1,
                b'+' | b'-' | b'*' | b'/' | b'%' => operators += 1,
                b'0'..=b'9' | b' ' => {}
                _ if self.is_number_word(reader) => {
                    reader.seek(reader.position() + self.word_at(reader.position()).len() - 1);
                }
                _ => return None,
            }
            reader.seek(reader.position() + 1);
            if open == 0 {
                return (operators > 0).then_some(reader);
            }
        }
    }

    /// Whether this is a basis element, or a variable that is a stride.
    fn is_element_word(&self, word: &str) -> bool {
        match self.variable(word) {
            Some(index) => self.variables[index].1.is_element(),
            None => is_element(word),
        }
    }

    /// Whether a name of a number is here.
    fn is_number_word(&self, behind: Reader) -> bool {
        match self.variable(self.word_at(behind.position())) {
            Some(index) => self.variables[index].1.as_number().is_some(),
            None => self.name_at(behind.position()).is_some(),
        }
    }
}
