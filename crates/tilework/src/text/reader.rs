//! Reading the notation from left to right: the tokens of every grammar here.

use crate::error::{Error, tri};
use crate::stride::{MAX_BASIS_DEPTH, Rational, Stride, TOO_DEEP, Unit};
use crate::tuple::HTuple;

/// The largest nesting of tuples in text; a deeper one would not fit a tuple either.
const MAX_DEPTH: usize = 62;

/// What a sum consists of.
const TERM: &str = "a multiple of a basis element";

/// The words that open a tuple in C++ and the DSL.
const TUPLES: [&str; 15] = [
    "make_shape(",
    "make_stride(",
    "make_coord(",
    "make_tuple(",
    "make_arithmetic_tuple(",
    "Shape<",
    "Stride<",
    "Coord<",
    "Step<",
    "tuple<",
    "ArithmeticTuple<",
    "Shape <",
    "Stride <",
    "Coord <",
    "Step <",
];

/// A leaf of the notation, before its position determines its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atom {
    /// An integer: an extent, a coordinate or a stride.
    Integer(i64),
    /// A stride that is not an integer.
    Stride(Stride),
    /// `_`.
    All,
}

impl Atom {
    /// The leaf of a stride: an integer if possible, as 0 is in every codomain.
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
    /// A reader at the beginning of `text`.
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        Reader { bytes: text.as_bytes(), at: 0 }
    }

    /// The byte position.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.at
    }

    /// Moves to a byte position.
    pub const fn seek(&mut self, position: usize) {
        self.at = position;
    }

    /// The next byte as it is; 0 at the end.
    #[inline]
    #[must_use]
    pub const fn peek(&self) -> u8 {
        self.peek_at(0)
    }

    /// The byte `distance` bytes after this one; 0 past the end.
    #[inline]
    #[must_use]
    pub const fn peek_at(&self, distance: usize) -> u8 {
        if distance < self.bytes.len() - self.at { self.bytes[self.at + distance] } else { 0 }
    }

    /// Passes over white space, and comments: from `#` or `//` to the end of their line, and `/* ... */`; `#ttg.linear` and
    /// `#blocked = #triton_gpu.blocked` are attributes of Triton.
    #[inline]
    pub const fn skip_space(&mut self) {
        if matches!(self.peek(), b' ' | b'\t' | b'\n' | b'\r' | b'#' | b'/') {
            self.skip_spaces_and_comments();
        }
    }

    const fn skip_spaces_and_comments(&mut self) {
        loop {
            match self.peek() {
                b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
                b'#' if !self.at_attribute() => self.skip_line(),
                b'/' if self.peek_at(1) == b'/' => self.skip_line(),
                b'/' if self.peek_at(1) == b'*' => {
                    self.at += 2;
                    while self.at < self.bytes.len() && !(self.peek() == b'*' && self.peek_at(1) == b'/') {
                        self.at += 1;
                    }
                    self.at += if self.at < self.bytes.len() { 2 } else { 0 };
                }
                _ => return,
            }
        }
    }

    /// Whether an attribute of Triton stands here, `#ttg.` or `#triton_gpu.`, or one that is given a name, and no comment.
    const fn at_attribute(&self) -> bool {
        let mut at = 1;
        while self.peek_at(at) == b'_' || self.peek_at(at).is_ascii_alphanumeric() {
            at += 1;
        }
        while self.peek_at(at) == b' ' {
            at += 1;
        }
        let mut sign = 0;
        if self.peek_at(at) == b'=' {
            sign = at + 1;
            while self.peek_at(sign) == b' ' {
                sign += 1;
            }
        }
        self.peek_at(sign) == b'#'
            && matches!(
                (
                    self.peek_at(sign + 1),
                    self.peek_at(sign + 2),
                    self.peek_at(sign + 3),
                    self.peek_at(sign + 4)
                ),
                (b't', b't', b'g', _) | (b't', b'r', b'i', b't')
            )
    }

    const fn skip_line(&mut self) {
        while self.at < self.bytes.len() && self.bytes[self.at] != b'\n' {
            self.at += 1;
        }
    }

    /// Skips white space and comments; whether nothing else is left.
    pub const fn at_end(&mut self) -> bool {
        self.skip_space();
        self.at == self.bytes.len()
    }

    /// Skips white space and then `byte`, if it follows.
    #[inline]
    pub const fn eat(&mut self, byte: u8) -> bool {
        self.skip_space();
        let found = self.peek() == byte;
        self.at += found as usize;
        found
    }

    /// Skips white space and then `word`, if it follows. A word that ends in a letter does not match the beginning of a
    /// longer one.
    #[inline]
    pub const fn eat_word(&mut self, word: &str) -> bool {
        self.skip_space();
        self.peek() == word.as_bytes()[0] && self.eat_letters(word.as_bytes())
    }

    const fn eat_letters(&mut self, word: &[u8]) -> bool {
        let mut i = 1;
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

    /// Skips white space and `byte`.
    ///
    /// # Errors
    /// [`Error::Syntax`] with `expected` if something else follows.
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

    /// Skips the namespace or module of CuTe or CUTLASS, `cute::` or `cutlass.`, or that of the standard library, if it follows.
    pub const fn skip_namespace(&mut self) {
        let _ = self.eat_word("cuda::std::")
            || self.eat_word("std::")
            || self.eat_word("cute::")
            || self.eat_word("cute.")
            || self.eat_word("cutlass::")
            || self.eat_word("cutlass.");
    }

    /// Skips the `{}` or `()` after a C++ type that denotes a value, if it follows directly.
    pub const fn skip_braces(&mut self) {
        if matches!((self.peek(), self.peek_at(1)), (b'{', b'}') | (b'(', b')')) {
            self.at += 2;
        }
    }

    /// An integer, with a sign: `12`, `-3`, `0x80`; and CuTe's static ones: `_4`, `Int<4>{}`, `C<4>`, `C<(int)4>`,
    /// `constant<int,4>`.
    ///
    /// # Errors
    /// [`Error::Syntax`].
    pub const fn integer(&mut self, expected: &'static str) -> Result<i64, Error> {
        self.skip_space();
        let mark = *self;
        self.skip_namespace();
        let typed = self.eat_word("constant<") || self.eat_word("integral_constant<");
        if typed {
            while self.peek().is_ascii_alphanumeric() || matches!(self.peek(), b'_' | b' ') {
                self.at += 1;
            }
            tri!(self.expect(b',', "`,` after the type of a static integer"));
            self.skip_space();
        }
        if typed || self.eat_word("Int<") || self.eat_word("C<") {
            let value = tri!(self.signed("the value of a static integer"));
            tri!(self.expect(b'>', "`>`"));
            self.skip_braces();
            return Ok(value);
        }
        if self.is_static() {
            self.at += 1;
            let minus = self.peek() == b'm';
            self.at += minus as usize;
            let value = tri!(self.signed(expected));
            self.skip_braces();
            return Ok(if minus { value.wrapping_neg() } else { value });
        }
        *self = mark;
        self.signed(expected)
    }

    /// Whether a static integer of CuTe begins here: `_4`, `_-4`, or as C++ names it `_m4`.
    pub(super) const fn is_static(&self) -> bool {
        let next = self.peek_at(1);
        self.peek() == b'_'
            && (next.is_ascii_digit() || next == b'-' || next == b'm' && self.peek_at(2).is_ascii_digit())
    }

    const fn signed(&mut self, expected: &'static str) -> Result<i64, Error> {
        // A cast, which profilers print before the arguments of templates.
        let _ = self.peek() == b'(' && self.eat_word("(int)");
        let start = self.at;
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

    /// A leaf: `8`, `-3`, `1/2`, `2@1`, `1@0@1`, `^9`, `F9`, `f9`, `e1`, `2e1`, `_`; of C++ `E<1>{}` and
    /// `ScaledBasis<_2,1>{}`, of the DSL `E(1)`.
    ///
    /// `8/2` is a fraction if there is no white space around the slash.
    ///
    /// # Errors
    /// [`Error::Syntax`], and those of [`Stride::new`].
    pub const fn atom(&mut self, expected: &'static str) -> Result<Atom, Error> {
        self.skip_space();
        match self.peek() {
            b'_' if !self.is_static() => {
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
            b'E' | b'S' | b'c' => {
                if let Some(atom) = tri!(self.spelled_atom()) {
                    return Ok(atom);
                }
            }
            _ => {}
        }
        let numerator = tri!(self.integer(expected));
        let mut count = Rational::integer(numerator);
        let signed = (self.peek_at(1) == b'-') as usize;
        if self.peek() == b'/' && self.peek_at(1 + signed).is_ascii_digit() {
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
            // White space after an integer may be its end.
            *self = mark;
            return Ok(Atom::of(tri!(Stride::new(count, Unit::ONE))));
        }
        // The innermost index comes first in the text.
        let (mut indices, depth) = tri!(self.path(b'@'));
        let mut i = 0;
        while i < depth / 2 {
            (indices[i], indices[depth - 1 - i]) = (indices[depth - 1 - i], indices[i]);
            i += 1;
        }
        Ok(Atom::of(tri!(Stride::new(count, tri!(Unit::basis(indices.split_at(depth).0))))))
    }

    /// Whether a parenthesis with a basis element begins here.
    #[inline]
    const fn may_be_sum(&self) -> bool {
        let mut i = 1;
        while self.peek() == b'(' {
            match self.peek_at(i) {
                b'0'..=b'9' | b'-' | b' ' => i += 1,
                byte => return matches!(byte, b'@' | b'e' | b'E' | b'S' | b'c'),
            }
        }
        false
    }

    /// A sum of multiples of basis elements in parentheses, `(2@0+3@1)`, `(e0-2e1)`, if one begins here.
    ///
    /// # Errors
    /// [`Error::Syntax`] after the first sign, and those of [`Stride::add`].
    #[cold]
    pub const fn sum(&mut self) -> Result<Option<Stride>, Error> {
        self.skip_space();
        let mark = *self;
        if self.peek() != b'(' {
            return Ok(None);
        }
        self.at += 1;
        let start = self.at;
        let first = match self.atom(TERM) {
            Ok(atom) => self.first_term(atom, start),
            Err(_) => None,
        };
        let Some(first) = first else {
            *self = mark;
            return Ok(None);
        };
        let sum = tri!(self.terms(first));
        match self.eat(b')') {
            true => Ok(Some(sum)),
            // A tuple whose first stride is a sum.
            false if self.peek() == b',' => {
                *self = mark;
                Ok(None)
            }
            false => Err(self.error("`+`, `-`, `,` or `)`")),
        }
    }

    /// What was read from `start` on as a multiple of a basis element; `0@1` is 0.
    const fn term(&self, atom: Atom, start: usize) -> Option<Stride> {
        match atom {
            Atom::Stride(term) if term.unit().is_basis() => Some(term),
            Atom::Integer(0) => {
                let mut at = start;
                while at < self.at && self.bytes[at] != b'@' {
                    at += 1;
                }
                if at < self.at { Some(Stride::ZERO) } else { None }
            }
            _ => None,
        }
    }

    /// The first term of a sum, if a sign follows.
    #[inline]
    const fn first_term(&mut self, atom: Atom, start: usize) -> Option<Stride> {
        let term = self.term(atom, start);
        self.skip_space();
        if matches!(self.peek(), b'+' | b'-') { term } else { None }
    }

    /// The sum of a term and of those that follow it.
    #[cold]
    const fn terms(&mut self, first: Stride) -> Result<Stride, Error> {
        let mut sum = first;
        while matches!(self.peek(), b'+' | b'-') {
            let minus = self.peek() == b'-';
            self.at += 1;
            self.skip_space();
            let start = self.position();
            let atom = tri!(self.atom(TERM));
            let Some(term) = self.term(atom, start) else {
                return Err(Error::Syntax { at: start, expected: TERM });
            };
            sum = tri!(sum.add(if minus { tri!(term.scale(-1)) } else { term }));
            self.skip_space();
        }
        Ok(sum)
    }

    /// A basis element or `_` of C++ or the DSL, if one begins here.
    const fn spelled_atom(&mut self) -> Result<Option<Atom>, Error> {
        let mark = *self;
        self.skip_namespace();
        let atom = if self.eat_word("E<") {
            tri!(self.basis_path(1, b'>'))
        } else if self.eat_word("E(") {
            let listed = self.eat(b'[');
            let basis = tri!(self.basis_path(1, if listed { b']' } else { b')' }));
            if listed {
                tri!(self.expect(b')', "`)`"));
            }
            basis
        } else if self.eat_word("ScaledBasis<") {
            let count = tri!(self.integer("the count of a basis element"));
            tri!(self.expect(b',', "`,`"));
            tri!(self.basis_path(count, b'>'))
        } else if self.peek() == b'_' && !self.is_static() {
            self.at += 1;
            Atom::All
        } else {
            *self = mark;
            return Ok(None);
        };
        Ok(Some(atom))
    }

    /// The path of a basis element in C++ and the DSL, outermost index first, up to `close`.
    const fn basis_path(&mut self, count: i64, close: u8) -> Result<Atom, Error> {
        let (indices, depth) = tri!(self.path(b','));
        tri!(self.expect(close, "`,` or the end of the path"));
        if close == b'>' {
            self.skip_braces();
        }
        Ok(Atom::of(tri!(Stride::basis(count, indices.split_at(depth).0))))
    }

    /// Indices of modes with a separator between them, and their number; white space after them is not skipped.
    const fn path(&mut self, separator: u8) -> Result<([usize; MAX_BASIS_DEPTH], usize), Error> {
        let mut indices = [0; MAX_BASIS_DEPTH];
        let mut depth = 0;
        loop {
            if depth == MAX_BASIS_DEPTH {
                return Err(TOO_DEEP);
            }
            self.skip_space();
            indices[depth] = tri!(self.index());
            depth += 1;
            let mark = *self;
            if !self.eat(separator) {
                *self = mark;
                return Ok((indices, depth));
            }
        }
    }

    const fn index(&mut self) -> Result<usize, Error> {
        let index = tri!(self.digits("the index of a mode"));
        Ok(if index > usize::MAX as u64 { usize::MAX } else { index as usize })
    }

    /// The paper's `e1` after a count.
    const fn short_basis(&mut self, count: i64) -> Result<Atom, Error> {
        self.at += 1;
        let index = tri!(self.index());
        Ok(Atom::of(tri!(Stride::basis(count, &[index]))))
    }

    /// Skips the opening of a tuple, if one follows, and returns its closing byte: `(`, the `[` of a list, or of C++
    /// and the DSL `make_shape(` and `Shape<` and their like.
    pub const fn eat_tuple(&mut self) -> Option<u8> {
        if self.eat(b'(') {
            return Some(b')');
        }
        match self.peek() {
            b'[' => {
                self.at += 1;
                Some(b']')
            }
            b'm' | b'S' | b'C' | b'c' | b't' | b'A' => {
                let mark = *self;
                self.skip_namespace();
                let mut i = 0;
                while i < TUPLES.len() {
                    if self.eat_word(TUPLES[i]) {
                        let last = TUPLES[i].as_bytes()[TUPLES[i].len() - 1];
                        return Some(if last == b'<' { b'>' } else { b')' });
                    }
                    i += 1;
                }
                *self = mark;
                None
            }
            _ => None,
        }
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
        if self.may_be_sum()
            && let Some(sum) = tri!(self.sum())
        {
            return out.push(Atom::of(sum));
        }
        let Some(close) = self.eat_tuple() else {
            let start = self.at;
            let atom = tri!(self.atom(expected));
            // Within a tuple a sum needs no parentheses.
            let first = if depth > 0 { self.first_term(atom, start) } else { None };
            return out.push(match first {
                Some(first) => Atom::of(tri!(self.terms(first))),
                None => atom,
            });
        };
        if depth == MAX_DEPTH {
            return Err(Error::Capacity { what: "levels of tuples", limit: MAX_DEPTH });
        }
        let node = out.profile().len();
        tri!(out.open(0));
        let mut rank = 0;
        while !self.eat(close) {
            if rank > 0 {
                tri!(
                    self.expect(
                        b',',
                        if close == b')' { "`,` or `)`" } else { "`,` or the end of the tuple" }
                    )
                );
                // The comma after the only mode of a Python tuple.
                if rank == 1 && self.eat(close) {
                    break;
                }
            }
            tri!(self.atoms_into(out, expected, depth + 1));
            rank += 1;
        }
        if close == b'>' {
            self.skip_braces();
        }
        out.profile_mut().set_rank(node, rank);
        Ok(())
    }
}
