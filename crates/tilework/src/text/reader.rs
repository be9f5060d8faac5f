//! Reading the notation from left to right: the tokens that every grammar here is made of.

use crate::error::{Error, tri};
use crate::stride::{MAX_BASIS_DEPTH, Rational, Stride, Unit};
use crate::tuple::HTuple;

/// How deep tuples may be nested in text; a deeper one would not fit a tuple either.
const MAX_DEPTH: usize = 62;

/// A leaf of the notation before its place says what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atom {
    /// An integer: an extent, a coordinate or a stride.
    Integer(i64),
    /// A stride that is no integer.
    Stride(Stride),
    /// `_`.
    All,
}

impl Atom {
    /// A stride; where it is an integer, as 0 is in every codomain, that integer.
    #[must_use]
    pub const fn of(stride: Stride) -> Atom {
        match stride.as_integer() {
            Some(value) => Atom::Integer(value),
            None => Atom::Stride(stride),
        }
    }
}

/// A position in a text of the notation.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// At the beginning of `text`.
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        Reader { bytes: text.as_bytes(), at: 0 }
    }

    /// The byte position.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.at
    }

    /// Goes to a byte position.
    pub const fn seek(&mut self, position: usize) {
        self.at = position;
    }

    /// The next byte as it is; 0 at the end.
    #[inline]
    #[must_use]
    pub const fn peek(&self) -> u8 {
        self.peek_at(0)
    }

    /// The byte `ahead` places further; 0 past the end.
    #[inline]
    #[must_use]
    pub const fn peek_at(&self, ahead: usize) -> u8 {
        if ahead < self.bytes.len() - self.at { self.bytes[self.at + ahead] } else { 0 }
    }

    /// Passes over white space.
    #[inline]
    pub const fn skip_space(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\n' | b'\r') {
            self.at += 1;
        }
    }

    /// Whether only white space is left; passes over it.
    pub const fn at_end(&mut self) -> bool {
        self.skip_space();
        self.at == self.bytes.len()
    }

    /// Passes over white space and then `byte`, if that follows.
    #[inline]
    pub const fn eat(&mut self, byte: u8) -> bool {
        self.skip_space();
        let found = self.peek() == byte;
        self.at += found as usize;
        found
    }

    /// Passes over white space and then `word`, if that follows. A word that ends in a letter does not match the
    /// beginning of a longer one.
    pub const fn eat_word(&mut self, word: &str) -> bool {
        self.skip_space();
        let word = word.as_bytes();
        let mut i = 0;
        while i < word.len() {
            if self.peek_at(i) != word[i] {
                return false;
            }
            i += 1;
        }
        let last = word[word.len() - 1];
        if last.is_ascii_alphanumeric()
            && (self.peek_at(i).is_ascii_alphanumeric() || self.peek_at(i) == b'_')
        {
            return false;
        }
        self.at += i;
        true
    }

    /// An error at this position.
    #[must_use]
    pub const fn error(&self, expected: &'static str) -> Error {
        Error::Syntax { at: self.at, expected }
    }

    /// Passes over white space and `byte`.
    ///
    /// # Errors
    /// [`Error::Syntax`] with `expected` where something else follows.
    #[inline]
    pub const fn expect(&mut self, byte: u8, expected: &'static str) -> Result<(), Error> {
        if self.eat(byte) { Ok(()) } else { Err(self.error(expected)) }
    }

    /// Checks that only white space is left.
    ///
    /// # Errors
    /// [`Error::Syntax`].
    pub const fn expect_end(&mut self) -> Result<(), Error> {
        if self.at_end() { Ok(()) } else { Err(self.error("the end of the text")) }
    }

    /// Digits, decimal or after `0x` hexadecimal.
    const fn digits(&mut self, expected: &'static str) -> Result<u64, Error> {
        let start = self.at;
        if self.peek() == b'0'
            && matches!(self.peek_at(1), b'x' | b'X')
            && self.peek_at(2).is_ascii_hexdigit()
        {
            self.at += 2;
            let mut value = 0u64;
            while self.peek().is_ascii_hexdigit() {
                let digit = match self.peek() {
                    byte @ b'0'..=b'9' => byte - b'0',
                    byte => (byte | 0x20) - b'a' + 10,
                };
                if value >> 60 != 0 {
                    return Err(Error::Syntax { at: start, expected: "an integer that fits in 64 bits" });
                }
                value = value << 4 | digit as u64;
                self.at += 1;
            }
            return Ok(value);
        }
        if !self.peek().is_ascii_digit() {
            return Err(self.error(expected));
        }
        let mut value = 0u64;
        while self.peek().is_ascii_digit() {
            let digit = (self.peek() - b'0') as u64;
            if value > (u64::MAX - digit) / 10 {
                return Err(Error::Syntax { at: start, expected: "an integer that fits in 64 bits" });
            }
            value = value * 10 + digit;
            self.at += 1;
        }
        Ok(value)
    }

    /// An integer, with a sign and CuTe's `_` for a static one: `12`, `-3`, `_4`, `0x80`.
    ///
    /// # Errors
    /// [`Error::Syntax`].
    pub const fn integer(&mut self, expected: &'static str) -> Result<i64, Error> {
        self.skip_space();
        let start = self.at;
        if self.peek() == b'_' && (self.peek_at(1).is_ascii_digit() || self.peek_at(1) == b'-') {
            self.at += 1;
        }
        let negative = self.peek() == b'-';
        self.at += negative as usize;
        let magnitude = tri!(self.digits(expected));
        if negative && magnitude <= 1 << 63 {
            return Ok((magnitude as i64).wrapping_neg());
        }
        if magnitude > i64::MAX as u64 {
            return Err(Error::Syntax { at: start, expected: "an integer that fits in 64 bits" });
        }
        Ok(magnitude as i64)
    }

    /// A leaf: `8`, `-3`, `1/2`, `2@1`, `1@0@1`, `^9`, `F9`, `f9`, `e1`, `2e1`, `_`.
    ///
    /// `8/2` is a fraction where no white space stands about the sign.
    ///
    /// # Errors
    /// [`Error::Syntax`], and those of [`Stride::new`].
    pub const fn atom(&mut self, expected: &'static str) -> Result<Atom, Error> {
        self.skip_space();
        match self.peek() {
            b'_' if !self.peek_at(1).is_ascii_digit() && self.peek_at(1) != b'-' => {
                self.at += 1;
                return Ok(Atom::All);
            }
            b'^' | b'F' | b'f' => {
                self.at += 1;
                let value = tri!(self.digits("the value of an XOR stride"));
                if value > i64::MAX as u64 {
                    return Err(self.error("an XOR stride that fits in 63 bits"));
                }
                return Ok(Atom::of(tri!(Stride::xor(value as i64))));
            }
            b'e' if self.peek_at(1).is_ascii_digit() => return self.short_basis(1),
            _ => {}
        }
        let numerator = tri!(self.integer(expected));
        let mut count = Rational::integer(numerator);
        if self.peek() == b'/' && self.peek_at(1).is_ascii_digit() {
            self.at += 1;
            let start = self.at;
            let denominator = tri!(self.integer("a denominator"));
            if denominator == 0 {
                return Err(Error::Syntax { at: start, expected: "a denominator other than 0" });
            }
            count = tri!(Rational::new(numerator, denominator));
        } else if self.peek() == b'e' && self.peek_at(1).is_ascii_digit() {
            return self.short_basis(numerator);
        }
        let mark = *self;
        if !self.eat(b'@') {
            // White space behind an integer may be the end of it.
            *self = mark;
            return Ok(Atom::of(tri!(Stride::new(count, Unit::ONE))));
        }
        // The innermost index comes first in the text.
        let mut indices = [0; MAX_BASIS_DEPTH];
        let mut depth = 0;
        loop {
            if depth == MAX_BASIS_DEPTH {
                return Err(Error::Capacity { what: "levels in a basis element", limit: MAX_BASIS_DEPTH });
            }
            self.skip_space();
            let index = tri!(self.digits("the index of a mode"));
            indices[depth] = if index > usize::MAX as u64 { usize::MAX } else { index as usize };
            depth += 1;
            let mark = *self;
            if !self.eat(b'@') {
                *self = mark;
                break;
            }
        }
        let mut i = 0;
        while i < depth / 2 {
            (indices[i], indices[depth - 1 - i]) = (indices[depth - 1 - i], indices[i]);
            i += 1;
        }
        Ok(Atom::of(tri!(Stride::new(count, tri!(Unit::basis(indices.split_at(depth).0))))))
    }

    /// The paper's `e1` behind a count.
    const fn short_basis(&mut self, count: i64) -> Result<Atom, Error> {
        self.at += 1;
        let index = tri!(self.digits("the index of a mode"));
        Ok(Atom::of(tri!(Stride::basis(count, &[index as usize]))))
    }

    /// A tuple of atoms, or one atom.
    ///
    /// # Errors
    /// [`Error::Syntax`], [`Error::Capacity`].
    pub const fn atoms(&mut self, expected: &'static str) -> Result<HTuple<Atom>, Error> {
        let mut out = HTuple::builder(Atom::All);
        tri!(self.atoms_into(&mut out, expected, 0));
        Ok(out)
    }

    const fn atoms_into(
        &mut self,
        out: &mut HTuple<Atom>,
        expected: &'static str,
        depth: usize,
    ) -> Result<(), Error> {
        if !self.eat(b'(') {
            return out.push(tri!(self.atom(expected)));
        }
        if depth == MAX_DEPTH {
            return Err(Error::Capacity { what: "levels of tuples", limit: MAX_DEPTH });
        }
        let node = out.profile().len();
        tri!(out.open(0));
        let mut rank = 0;
        while !self.eat(b')') {
            if rank > 0 {
                tri!(self.expect(b',', "`,` or `)`"));
                // The comma behind the only mode of a Python tuple.
                if rank == 1 && self.eat(b')') {
                    break;
                }
            }
            tri!(self.atoms_into(out, expected, depth + 1));
            rank += 1;
        }
        out.profile_mut().set_rank(node, rank);
        Ok(())
    }
}
