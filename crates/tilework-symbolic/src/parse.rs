//! From text to symbolic values.
//!
//! ```text
//! number := ['-'] term {('+'|'-') term}        term := factor {'*' factor | '/' factor}
//! factor := uint | name | '(' number ')' | ('floor'|'ceil') '(' product '/' factor ')' | unnamed
//! unnamed := '?' [uint] ['{' 'div=' uint '}']
//! layout := tuple ':' tuple | tuple             leaf := number {'@' index} | '^' uint
//! fact   := number ('=='|'>='|'<='|'>'|'<') number | number '%' factor '==' '0'
//! guard  := 'always' | clause {'and' clause}    clause := conj {'or' conj}    conj := fact {'&' fact} | '(' clause ')'
//! ```
//!
//! A new name in a layout is declared by it, as an integer of at least 1; elsewhere it is an error, so that a typing
//! error does not declare a name. `/` is exact. A layout without strides is compact, the first mode fastest. Each `?` and
//! `?{div=8}` of the CuTe DSL is a new name `?0`, `?1`, ...; `_0` is CuTe's static 0.

use crate::guard::{Clause, Guard, Refuted};
use crate::layout::{SymbolicLayout, SymbolicLeaf};
use crate::polynomial::Polynomial;
use crate::pool::Number;
use crate::scope::Scope;
use tilework::__private::Reader;
use tilework::Error;
use tilework::Text;
use tilework::{HTuple, MAX_NODES};
use tilework::{MAX_BASIS_DEPTH, Unit};

/// The largest nesting of parentheses.
const MAX_DEPTH: usize = 32;

impl Scope {
    /// A layout in the text notation. New names are declared.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let heads = scope.layout("(64*H,S,B):(1,192*H,192*H*S)")?;
    /// assert_eq!(scope.layout_text(&heads).as_str(), "(64*H,S,B):(1,192*H,192*H*S)");
    /// let compact = scope.layout("(H,(S,2))")?;
    /// assert_eq!(scope.layout_text(&compact).as_str(), "(H,(S,2)):(1,(H,H*S))");
    /// let dynamic = scope.layout("(192,?{div=8}):(1,192)")?;
    /// assert_eq!(scope.layout_text(&dynamic).as_str(), "(192,?0):(1,192)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Syntax`]; [`Error::Profiles`]; [`Error::Capacity`]; those of [`layout_of`](Self::layout_of).
    pub const fn layout(&mut self, text: &str) -> Result<SymbolicLayout, Error> {
        let mut reader = Reader::new(text);
        let layout = tri!(self.read_layout(&mut reader));
        tri!(reader.expect_end());
        Ok(layout)
    }

    /// A number in the text notation, with declared names.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// scope.declare("M")?;
    /// let tiles = scope.number("ceil(M/128)")?;
    /// assert_eq!(scope.number_text(tiles).as_str(), "ceil(M/128)");
    /// assert!(scope.number("N").is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Syntax`]; those of [`add`](Self::add) and [`floor_div`](Self::floor_div).
    pub const fn number(&mut self, text: &str) -> Result<Number, Error> {
        let mut reader = Reader::new(text);
        let number = tri!(self.read_number(&mut reader, false, 0));
        tri!(reader.expect_end());
        self.intern(&number)
    }

    /// Facts in the text notation, separated by commas, about declared names.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// scope.layout("(M,K):(1,ld)")?;
    /// scope.assume("M % 128 == 0, K <= 4096, ld >= M")?;
    /// assert!(scope.assume("ld < M").is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Syntax`]; those of [`assume_at_least`](Self::assume_at_least). The facts before the refused one are
    /// assumed.
    pub const fn assume(&mut self, text: &str) -> Result<(), Error> {
        let mut reader = Reader::new(text);
        loop {
            tri!(self.read_fact(&mut reader));
            if !reader.eat(b',') {
                return reader.expect_end();
            }
        }
    }

    /// A guard in the text notation, with declared names. Conditions that the facts prove are dropped.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// scope.layout("(M,K):(1,ld)")?;
    /// let guard = scope.guard("(ld == M or M >= 128) and K % 8 == 0")?;
    /// assert_eq!(scope.guard_text(&guard).as_str(), "(ld == M or M >= 128) and K % 8 == 0");
    /// scope.assume("ld == M")?;
    /// let guard = scope.guard("(ld == M or M >= 128) and K % 8 == 0")?;
    /// assert_eq!(scope.guard_text(&guard).as_str(), "K % 8 == 0");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Syntax`]; [`Error::Fact`] for a guard that the facts refute; those of [`add`](Self::add).
    pub const fn guard(&mut self, text: &str) -> Result<Guard, Error> {
        let (mut reader, mut guard) = (Reader::new(text), Guard::ALWAYS);
        if reader.eat_word("always") {
            tri!(reader.expect_end());
            return Ok(guard);
        }
        loop {
            let mut clause = Clause::new();
            tri!(self.read_clause(&mut reader, &mut clause, 0));
            if let Err(Refuted) = tri!(clause.require(&mut guard)) {
                return Err(Error::Fact { reason: "the facts refute the guard" });
            }
            if !reader.eat_word("and") {
                tri!(reader.expect_end());
                return Ok(self.tidy(&guard));
            }
        }
    }

    /// Alternatives; the recursion depth is that of the text.
    const fn read_clause(
        &mut self,
        reader: &mut Reader<'_>,
        clause: &mut Clause,
        depth: usize,
    ) -> Result<(), Error> {
        if depth > MAX_DEPTH {
            return Err(Error::Capacity { what: "levels of parentheses", limit: MAX_DEPTH });
        }
        loop {
            if opens_clause(reader) {
                let _ = reader.eat(b'(');
                tri!(self.read_clause(reader, clause, depth + 1));
                tri!(reader.expect(b')', "`)`"));
            } else {
                clause.or();
                loop {
                    tri!(match tri!(self.read_relation(reader)) {
                        Relation::Zero(p) => clause.zero(self, &p),
                        Relation::Nonnegative(p) => clause.nonnegative(self, &p),
                        Relation::Integer(p) => clause.integer(self, &p),
                        Relation::Divides(divisor, p) => clause.divides(self, &divisor, &p),
                    });
                    if !reader.eat(b'&') {
                        break;
                    }
                }
            }
            if !reader.eat_word("or") {
                return Ok(());
            }
        }
    }

    const fn read_fact(&mut self, reader: &mut Reader<'_>) -> Result<(), Error> {
        match tri!(self.read_relation(reader)) {
            Relation::Zero(p) => self.assume_zero(&p),
            Relation::Nonnegative(p) => self.assume_nonnegative(&p),
            Relation::Integer(p) => self.assume_integer(&p),
            Relation::Divides(..) => Err(Error::Fact { reason: "a fact has a number as its divisor" }),
        }
    }

    const fn read_relation(&mut self, reader: &mut Reader<'_>) -> Result<Relation, Error> {
        let left = tri!(self.read_number(reader, false, 0));
        if reader.eat(b'%') {
            let divisor = tri!(self.read_factor(reader, false, 0));
            if !matches!(self.at_least(&divisor, 1), Some(true)) {
                return Err(reader.error("a divisor of 1 or more"));
            }
            if !reader.eat_word("==") || !reader.eat_word("0") {
                return Err(reader.error("`== 0`"));
            }
            return Ok(match left.over(&divisor) {
                Some(quotient) => Relation::Integer(quotient),
                None => Relation::Divides(divisor, left),
            });
        }
        let sign = if reader.eat_word("==") {
            0
        } else if reader.eat_word(">=") {
            1
        } else if reader.eat_word("<=") {
            2
        } else if reader.eat_word(">") {
            3
        } else if reader.eat_word("<") {
            4
        } else {
            return Err(reader.error("`==`, `>=`, `<=`, `>`, `<` or `%`"));
        };
        let right = tri!(self.read_number(reader, false, 0));
        let difference = tri!(if sign % 2 == 0 { right.sub(&left) } else { left.sub(&right) });
        Ok(match sign {
            0 => Relation::Zero(difference),
            1 | 2 => Relation::Nonnegative(difference),
            _ => Relation::Nonnegative(tri!(difference.plus(-1))),
        })
    }

    /// A layout, in a longer text.
    pub(crate) const fn read_layout(&mut self, reader: &mut Reader<'_>) -> Result<SymbolicLayout, Error> {
        let mut out = HTuple::builder(SymbolicLeaf::UNUSED);
        tri!(self.read_tuple(reader, None, &mut out, 0));
        if reader.eat(b':') {
            let mut strides = HTuple::builder(SymbolicLeaf::UNUSED);
            tri!(self.read_tuple(reader, Some(()), &mut strides, 0));
            if !out.congruent(&strides) {
                return Err(out.profile().not_congruent(strides.profile()));
            }
            let mut i = 0;
            while i < out.leaves().len() {
                let SymbolicLeaf { stride, unit, .. } = strides.leaves()[i];
                let leaf = &mut out.leaves_mut()[i];
                (leaf.stride, leaf.unit) = (stride, unit);
                i += 1;
            }
        } else {
            let (mut size, mut i) = (Polynomial::integer(1), 0);
            while i < out.leaves().len() {
                let extent = self.polynomial(out.leaves()[i].extent);
                out.leaves_mut()[i].stride = tri!(self.intern(&size));
                size = tri!(size.mul(&extent));
                i += 1;
            }
        }
        self.layout_of(out)
    }

    /// Extents, or strides if `strides` is given; the recursion depth is that of the text.
    const fn read_tuple(
        &mut self,
        reader: &mut Reader<'_>,
        strides: Option<()>,
        out: &mut HTuple<SymbolicLeaf>,
        depth: usize,
    ) -> Result<(), Error> {
        if depth > MAX_DEPTH {
            return Err(Error::Capacity { what: "levels of parentheses", limit: MAX_DEPTH });
        }
        if !opens_tuple(reader) {
            let leaf = tri!(self.read_leaf(reader, strides.is_some()));
            return out.push(leaf);
        }
        let _ = reader.eat(b'(');
        let node = out.profile().len();
        tri!(out.open(0));
        let mut rank = 0;
        while !reader.eat(b')') {
            if rank > 0 {
                tri!(reader.expect(b',', "`,` or `)`"));
            }
            if rank == MAX_NODES {
                return Err(Error::Capacity { what: "modes in a tuple", limit: MAX_NODES });
            }
            tri!(self.read_tuple(reader, strides, out, depth + 1));
            rank += 1;
        }
        out.profile_mut().set_rank(node, rank);
        Ok(())
    }

    const fn read_leaf(&mut self, reader: &mut Reader<'_>, stride: bool) -> Result<SymbolicLeaf, Error> {
        let one = tri!(self.integer(1));
        if stride && reader.eat(b'^') {
            let value = tri!(reader.integer("an XOR stride"));
            if value < 0 {
                return Err(reader.error("an XOR stride of 0 or more"));
            }
            let unit = if value == 0 { Unit::ONE } else { Unit::XOR };
            return Ok(SymbolicLeaf { extent: one, stride: tri!(self.integer(value)), unit });
        }
        let number = tri!(self.read_number(reader, true, 0));
        let interned = tri!(self.intern(&number));
        if !stride {
            return Ok(SymbolicLeaf { extent: interned, stride: one, unit: Unit::ONE });
        }
        // Written from the innermost index outwards.
        let (mut path, mut level) = ([0usize; MAX_BASIS_DEPTH], MAX_BASIS_DEPTH);
        while reader.eat(b'@') {
            if level == 0 {
                return Err(Error::Capacity { what: "levels in a basis element", limit: MAX_BASIS_DEPTH });
            }
            let index = tri!(reader.integer("the index of a mode"));
            if index < 0 {
                return Err(reader.error("an index of 0 or more"));
            }
            level -= 1;
            path[level] = index as usize;
        }
        // The indices fill the path from its end, so that the outermost comes first.
        let unit = tri!(Unit::basis(path.split_at(level).1));
        let unit = if number.is_zero() { Unit::ONE } else { unit };
        Ok(SymbolicLeaf { extent: one, stride: interned, unit })
    }

    /// A number; with `declare`, new names are declared.
    pub(crate) const fn read_number(
        &mut self,
        reader: &mut Reader<'_>,
        declare: bool,
        depth: usize,
    ) -> Result<Polynomial, Error> {
        if depth > MAX_DEPTH {
            return Err(Error::Capacity { what: "levels of parentheses", limit: MAX_DEPTH });
        }
        let mut negative = reader.eat(b'-');
        let mut sum = Polynomial::ZERO;
        loop {
            let mut term = tri!(self.read_product(reader, declare, depth));
            while eat_slash(reader) {
                let divisor = tri!(self.read_factor(reader, declare, depth));
                match term.over(&divisor) {
                    Some(quotient) => term = quotient,
                    None => {
                        return Err(
                            reader.error("a quotient that is a polynomial, or floor(p/q) or ceil(p/q)")
                        );
                    }
                }
                while reader.eat(b'*') {
                    term = tri!(term.mul(&tri!(self.read_factor(reader, declare, depth))));
                }
            }
            sum = tri!(if negative { sum.sub(&term) } else { sum.add(&term) });
            negative = if reader.eat(b'+') {
                false
            } else if reader.eat(b'-') {
                true
            } else {
                return Ok(sum);
            };
        }
    }

    /// Factors with `*` between them.
    const fn read_product(
        &mut self,
        reader: &mut Reader<'_>,
        declare: bool,
        depth: usize,
    ) -> Result<Polynomial, Error> {
        let mut product = tri!(self.read_factor(reader, declare, depth));
        while reader.eat(b'*') {
            product = tri!(product.mul(&tri!(self.read_factor(reader, declare, depth))));
        }
        Ok(product)
    }

    const fn read_factor(
        &mut self,
        reader: &mut Reader<'_>,
        declare: bool,
        depth: usize,
    ) -> Result<Polynomial, Error> {
        reader.skip_space();
        let byte = reader.peek();
        if byte == b'(' {
            let _ = reader.eat(b'(');
            let number = tri!(self.read_number(reader, declare, depth + 1));
            tri!(reader.expect(b')', "`)`"));
            return Ok(number);
        }
        if byte == b'?' && (declare || reader.peek_at(1).is_ascii_digit()) {
            return self.read_unnamed(reader, declare);
        }
        let ceil = reader.eat_word("ceil(");
        if ceil || reader.eat_word("floor(") {
            if depth >= MAX_DEPTH {
                return Err(Error::Capacity { what: "levels of parentheses", limit: MAX_DEPTH });
            }
            let numerator = tri!(self.read_product(reader, declare, depth + 1));
            tri!(reader.expect(b'/', "`/` and a divisor"));
            let denominator = tri!(self.read_factor(reader, declare, depth + 1));
            tri!(reader.expect(b')', "`)`"));
            if !matches!(self.at_least(&denominator, 1), Some(true)) {
                return Err(Error::Fact { reason: "a divisor has to be known to be 1 or more" });
            }
            let top = if ceil { tri!(tri!(numerator.add(&denominator)).plus(-1)) } else { numerator };
            return self.floor(&top, &denominator);
        }
        if byte.is_ascii_alphabetic() {
            return self.read_name(reader, declare);
        }
        Ok(Polynomial::integer(tri!(reader.integer("a number or a name"))))
    }

    const fn read_name(&mut self, reader: &mut Reader<'_>, declare: bool) -> Result<Polynomial, Error> {
        let (mut name, mut len) = ([0u8; crate::scope::MAX_NAME_LENGTH], 0);
        let start = reader.position();
        while reader.peek().is_ascii_alphanumeric() || reader.peek() == b'_' {
            if len == name.len() {
                return Err(Error::Capacity { what: "letters in a name", limit: name.len() });
            }
            name[len] = reader.peek();
            len += 1;
            reader.seek(reader.position() + 1);
        }
        let name = name.split_at(len).0;
        if !declare && self.find_bytes(name).is_none() {
            return Err(Error::Syntax { at: start, expected: "a name that is declared" });
        }
        let number = tri!(self.declare_bytes(name));
        Ok(self.polynomial(number))
    }

    /// `?3`; with `declare` also `?`, which is the next of them that is not declared, and `?{div=8}`, `?{i64 div=8}`.
    const fn read_unnamed(&mut self, reader: &mut Reader<'_>, declare: bool) -> Result<Polynomial, Error> {
        let start = reader.position();
        let _ = reader.eat(b'?');
        let mut name = unnamed(0);
        if reader.peek().is_ascii_digit() {
            name = unnamed(tri!(reader.integer("the number of a `?`")));
        } else {
            let mut k = 0;
            while self.find_bytes(name.as_str().as_bytes()).is_some() {
                k += 1;
                name = unnamed(k);
            }
        }
        let name = name.as_str().as_bytes();
        if !declare && self.find_bytes(name).is_none() {
            return Err(Error::Syntax { at: start, expected: "a name that is declared" });
        }
        let mut divisor = 1;
        if declare && reader.eat(b'{') {
            let _ = reader.eat_word("i64") || reader.eat_word("i32");
            if reader.eat_word("div=") {
                divisor = tri!(reader.integer("a divisor"));
            }
            tri!(reader.expect(b'}', "`div=` or `}`"));
            if divisor < 1 {
                return Err(reader.error("a divisor of 1 or more"));
            }
        }
        let number = tri!(self.declare_bytes(name));
        let number = self.polynomial(number);
        tri!(self.assume_integer(&tri!(number.scale(1, divisor))));
        Ok(number)
    }
}

/// A condition of a guard or a fact.
// A plain value, because there is no heap to box it.
#[allow(clippy::large_enum_variant)]
enum Relation {
    Zero(Polynomial),
    Nonnegative(Polynomial),
    Integer(Polynomial),
    Divides(Polynomial, Polynomial),
}

/// `?7`, `?12`.
const fn unnamed(k: i64) -> Text {
    let mut name = Text::new();
    name.push_ascii(b'?').push_int(k);
    name
}

/// Skips `/`, unless it begins a comment.
const fn eat_slash(reader: &mut Reader<'_>) -> bool {
    reader.skip_space();
    reader.eat(b'/')
}

/// Whether the parenthesis here opens a tuple: the text after its end does not continue a number.
const fn opens_tuple(reader: &mut Reader<'_>) -> bool {
    match behind_parentheses(reader) {
        Some(byte) => !matches!(byte, b'*' | b'/' | b'+' | b'-' | b'@'),
        None => false,
    }
}

/// Whether the parenthesis here opens alternatives, not a number.
const fn opens_clause(reader: &mut Reader<'_>) -> bool {
    match behind_parentheses(reader) {
        Some(byte) => !matches!(byte, b'*' | b'/' | b'+' | b'-' | b'%' | b'=' | b'<' | b'>'),
        None => false,
    }
}

/// The byte after the parenthesis that closes the one here, 0 at the end of the text; `None` if none opens here.
const fn behind_parentheses(reader: &mut Reader<'_>) -> Option<u8> {
    reader.skip_space();
    if reader.peek() != b'(' {
        return None;
    }
    let (mut lookahead, mut open) = (*reader, 0usize);
    loop {
        match lookahead.peek() {
            0 => return Some(0),
            b'(' => open += 1,
            b')' => open -= 1,
            _ => {}
        }
        lookahead.seek(lookahead.position() + 1);
        if open == 0 {
            lookahead.skip_space();
            return Some(lookahead.peek());
        }
    }
}
