//! From text to symbolic values.
//!
//! ```text
//! number := ['-'] term {('+'|'-') term}        term := factor {'*' factor | '/' factor}
//! factor := uint | name | '(' number ')' | ('floor'|'ceil') '(' product '/' factor ')' | unnamed
//! unnamed := '?' [uint] ['{' 'div=' uint '}']
//! placed := [swizzle 'o'] ['{' number '}' 'o'] layout
//! layout := tuple ':' tuple | tuple             leaf := step | '(' step {('+'|'-') step} ')' | '^' uint
//! step   := number {'@' index} | [number ['*']] element ['*' product]     product := factor {'*' factor}
//! fact   := number ('=='|'>='|'<='|'>'|'<') number | number '%' factor '==' '0'
//! guard  := 'always' | clause {'and' clause}    clause := conj {'or' conj}    conj := fact {'&' fact} | '(' clause ')'
//! ```
//!
//! A new name in a layout is declared by it, as an integer of at least 1; elsewhere it is an error, so that a typing
//! error does not declare a name. The elements `e1`, `f5` and `F5` of the notation are strides, and no names. `/` is
//! exact. A layout without strides is compact, the first mode fastest. Each `?` and `?{div=8}` of the CuTe DSL is a new
//! name `?0`, `?1`, ...; `_0` is CuTe's static 0.

use crate::guard::{Condition, Guard};
use crate::layout::{SymbolicLayout, SymbolicLeaf};
use crate::number::Number;
use crate::scope::{Scope, is_element};
use crate::tuple::Tuple;
use alloc::string::String;
use alloc::vec::Vec;
use tilework::__private::{Atom, Reader};
use tilework::{Error, MAX_BASIS_DEPTH, MAX_NODES, Stride, Unit};

/// The largest nesting of parentheses.
const MAX_DEPTH: usize = 32;
/// The most factors in a power.
const MAX_POWER: i64 = 16;

impl Scope {
    /// A layout in the text notation. New names are declared.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let heads = scope.layout("(64*H,S,B):(1,192*H,192*H*S)")?;
    /// assert_eq!(heads.to_string(), "(64*H,S,B):(1,192*H,192*H*S)");
    /// let compact = scope.layout("(H,(S,2))")?;
    /// assert_eq!(compact.to_string(), "(H,(S,2)):(1,(H,H*S))");
    /// let dynamic = scope.layout("(192,?{div=8}):(1,192)")?;
    /// assert_eq!(dynamic.to_string(), "(192,?0):(1,192)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Syntax`]; [`Error::Profiles`]; [`Error::Capacity`]; those of [`layout_of`](Self::layout_of).
    pub fn layout(&mut self, text: &str) -> Result<SymbolicLayout, Error> {
        let mut reader = Reader::new(text);
        let layout = self.read_layout(&mut reader)?;
        reader.expect_end()?;
        Ok(layout)
    }

    /// A number in the text notation, with declared names.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// scope.declare("M")?;
    /// let tiles = scope.number("ceil(M/128)")?;
    /// assert_eq!(scope.number_text(&tiles).as_str(), "ceil(M/128)");
    /// assert!(scope.number("N").is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Syntax`]; those of [`Number::add`] and [`floor_div`](Self::floor_div).
    pub fn number(&mut self, text: &str) -> Result<Number, Error> {
        let mut reader = Reader::new(text);
        let number = self.read_number(&mut reader, false, 0)?;
        reader.expect_end()?;
        Ok(number)
    }

    /// A shape in the text notation. New names are declared.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// assert_eq!(Scope::new().shape("(M,(4,K))")?.leaves().len(), 3);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Syntax`]; those of [`Number::add`].
    pub fn shape(&mut self, text: &str) -> Result<Tuple<Number>, Error> {
        Ok(self.tuple(text, false)?.map(|leaf| leaf.extent.clone()))
    }

    /// Strides in the text notation, of leaves of extent 1. New names are declared.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// assert_eq!(Scope::new().strides("(1@0,ld@1)")?.leaves()[1].unit.depth(), 1);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Syntax`]; those of [`Number::add`].
    pub fn strides(&mut self, text: &str) -> Result<Tuple<SymbolicLeaf>, Error> {
        self.tuple(text, true)
    }

    fn tuple(&mut self, text: &str, strides: bool) -> Result<Tuple<SymbolicLeaf>, Error> {
        let (mut reader, mut tuple) = (Reader::new(text), Tuple::builder());
        self.read_tuple(&mut reader, strides, &mut tuple, 0)?;
        reader.expect_end()?;
        Ok(tuple)
    }

    /// Facts in the text notation, separated by commas, about declared names. By `K % B == 0` the quotient `K/B` is an integer.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// scope.layout("(M,K,B):(1,ld,1)")?;
    /// scope.assume("M % 128 == 0, ld >= M, K % B == 0")?;
    /// assert!(scope.assume("ld < M").is_err());
    /// assert_eq!(scope.layout("(K/B,B):(B,1)")?.to_string(), "(floor(K/B),B):(B,1)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Syntax`]; those of [`assume_at_least`](Self::assume_at_least). The facts before the refused one are
    /// assumed.
    pub fn assume(&mut self, text: &str) -> Result<(), Error> {
        let mut reader = Reader::new(text);
        loop {
            self.read_fact(&mut reader)?;
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
    /// [`Error::Syntax`]; [`Error::Fact`] for a guard that the facts refute; those of [`Number::add`].
    pub fn guard(&mut self, text: &str) -> Result<Guard, Error> {
        let conditions = self.conditions(text)?;
        self.reduced(&conditions)
    }

    /// A guard in the text notation, with all its conditions.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// scope.layout("(M,K):(1,ld)")?;
    /// let conditions = scope.conditions("M >= 1 and K % 8 == 0")?;
    /// assert_eq!(scope.guard_text(&conditions), "M >= 1 and K % 8 == 0");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Syntax`]; those of [`Number::add`].
    pub fn conditions(&mut self, text: &str) -> Result<Guard, Error> {
        let (mut reader, mut guard) = (Reader::new(text), Guard::ALWAYS);
        if !reader.eat_word("always") {
            loop {
                let mut clause = Vec::new();
                self.read_clause(&mut reader, &mut clause, 0)?;
                guard.push_clause(clause);
                if !reader.eat_word("and") {
                    break;
                }
            }
        }
        reader.expect_end()?;
        Ok(guard)
    }

    /// Alternatives; the recursion depth is that of the text.
    fn read_clause(
        &mut self,
        reader: &mut Reader<'_>,
        clause: &mut Vec<Vec<Condition>>,
        depth: usize,
    ) -> Result<(), Error> {
        if depth > MAX_DEPTH {
            return Err(Error::Capacity { what: "levels of parentheses", limit: MAX_DEPTH });
        }
        loop {
            if opens_clause(reader) {
                let _ = reader.eat(b'(');
                self.read_clause(reader, clause, depth + 1)?;
                reader.expect(b')', "`)`")?;
            } else {
                let mut alternative = Vec::from([self.read_relation(reader)?]);
                while reader.eat(b'&') {
                    alternative.push(self.read_relation(reader)?);
                }
                clause.push(alternative);
            }
            if !reader.eat_word("or") {
                return Ok(());
            }
        }
    }

    fn read_fact(&mut self, reader: &mut Reader<'_>) -> Result<(), Error> {
        match self.read_relation(reader)? {
            Condition::Zero(p) => self.assume_zero(&p),
            Condition::Nonnegative(p) => self.assume_nonnegative(&p),
            Condition::Integer(p) => self.assume_integer(&p),
            Condition::Divides(divisor, p) => self.assume_divides(&divisor, &p),
        }
    }

    fn read_relation(&mut self, reader: &mut Reader<'_>) -> Result<Condition, Error> {
        let left = self.read_number(reader, false, 0)?;
        if reader.eat(b'%') {
            let divisor = self.read_factor(reader, false, 0)?;
            if self.at_least(&divisor, 1) != Some(true) {
                return Err(reader.error("a divisor of 1 or more"));
            }
            if !reader.eat_word("==") || !reader.eat_word("0") {
                return Err(reader.error("`== 0`"));
            }
            return Ok(match left.over(&divisor) {
                Some(quotient) => Condition::Integer(quotient),
                None => Condition::Divides(divisor, left),
            });
        }
        let Some(sign) = ["==", ">=", "<=", ">", "<"].into_iter().find(|sign| reader.eat_word(sign)) else {
            return Err(reader.error("`==`, `>=`, `<=`, `>`, `<` or `%`"));
        };
        let right = self.read_number(reader, false, 0)?;
        let difference = if sign.starts_with('>') { left.sub(&right)? } else { right.sub(&left)? };
        Ok(match sign {
            "==" => Condition::Zero(difference),
            ">=" | "<=" => Condition::Nonnegative(difference),
            _ => Condition::Nonnegative(difference.plus(-1)?),
        })
    }

    /// A layout, in a longer text.
    pub(crate) fn read_layout(&mut self, reader: &mut Reader<'_>) -> Result<SymbolicLayout, Error> {
        let mut out = Tuple::builder();
        self.read_tuple(reader, false, &mut out, 0)?;
        if reader.eat(b':') {
            let mut strides = Tuple::builder();
            match out.is_leaf() && opens_stride(reader, false) {
                true => strides.push(self.read_stride(reader)?)?,
                false => self.read_tuple(reader, true, &mut strides, 0)?,
            }
            if !out.congruent(&strides) {
                return Err(out.profile().not_congruent(strides.profile()));
            }
            return self.pair(&out.map(|leaf| leaf.extent.clone()), &strides);
        }
        self.column_major(&out.map(|leaf| leaf.extent.clone()))
    }

    /// Extents, or strides; the recursion depth is that of the text.
    fn read_tuple(
        &mut self,
        reader: &mut Reader<'_>,
        strides: bool,
        out: &mut Tuple<SymbolicLeaf>,
        depth: usize,
    ) -> Result<(), Error> {
        if depth > MAX_DEPTH {
            return Err(Error::Capacity { what: "levels of parentheses", limit: MAX_DEPTH });
        }
        if strides && opens_stride(reader, true) {
            return out.push(self.read_stride(reader)?);
        }
        if !opens_tuple(reader) {
            let leaf = self.read_leaf(reader, strides, depth > 0)?;
            return out.push(leaf);
        }
        let _ = reader.eat(b'(');
        let node = out.profile().len();
        out.open(0)?;
        let mut rank = 0;
        while !reader.eat(b')') {
            if rank > 0 {
                reader.expect(b',', "`,` or `)`")?;
            }
            if rank == MAX_NODES {
                return Err(Error::Capacity { what: "modes in a tuple", limit: MAX_NODES });
            }
            self.read_tuple(reader, strides, out, depth + 1)?;
            rank += 1;
        }
        out.set_rank(node, rank);
        Ok(())
    }

    /// A stride within parentheses.
    fn read_stride(&mut self, reader: &mut Reader<'_>) -> Result<SymbolicLeaf, Error> {
        let _ = reader.eat(b'(');
        let leaf = self.read_leaf(reader, true, true)?;
        reader.expect(b')', "`+`, `-` or `)`")?;
        Ok(leaf)
    }

    /// An extent, or a stride, which may be a sum within parentheses.
    fn read_leaf(
        &mut self,
        reader: &mut Reader<'_>,
        stride: bool,
        within: bool,
    ) -> Result<SymbolicLeaf, Error> {
        if stride && reader.eat(b'^') {
            let value = reader.integer("an XOR stride")?;
            if value < 0 {
                return Err(reader.error("an XOR stride of 0 or more"));
            }
            let unit = if value == 0 { Unit::ONE } else { Unit::XOR };
            return Ok(SymbolicLeaf { unit, ..SymbolicLeaf::new(1, value) });
        }
        if !stride {
            return Ok(SymbolicLeaf::new(self.read_number(reader, true, 0)?, 1));
        }
        let mut terms = Vec::from([self.read_term(reader)?]);
        while within && terms[0].1.depth() > 0 && matches!(after_space(reader), b'+' | b'-') {
            let minus = !reader.eat(b'+') && reader.eat(b'-');
            reader.skip_space();
            let (count, unit) = self.read_term(reader)?;
            if unit.depth() == 0 {
                return Err(reader.error("`@` and the index of a mode"));
            }
            terms.push((if minus { count.negated()? } else { count }, unit));
        }
        SymbolicLeaf::sum(1, terms)
    }

    /// A multiple of a unit, which may be within parentheses.
    fn read_term(&mut self, reader: &mut Reader<'_>) -> Result<(Number, Unit), Error> {
        if opens_stride(reader, false) {
            let _ = reader.eat(b'(');
            let term = self.read_multiple(reader)?;
            reader.expect(b')', "`)`")?;
            return Ok(term);
        }
        self.read_multiple(reader)
    }

    fn read_multiple(&mut self, reader: &mut Reader<'_>) -> Result<(Number, Unit), Error> {
        let mut number = match at_element(reader) {
            true => Number::integer(1),
            false => self.read_number(reader, true, 0)?,
        };
        let _ = reader.eat(b'*');
        if at_element(reader) {
            let stride = match reader.atom("a stride")? {
                Atom::Stride(stride) => stride,
                _ => Stride::ZERO,
            };
            number = number.mul(&Number::constant(stride.count())?)?;
            if reader.eat(b'*') {
                number = number.mul(&self.read_product(reader, true, 0)?)?;
            }
            return Ok((number, stride.unit()));
        }
        // Written from the innermost index outwards.
        let (mut path, mut level) = ([0usize; MAX_BASIS_DEPTH], MAX_BASIS_DEPTH);
        while reader.eat(b'@') {
            if level == 0 {
                return Err(Error::Capacity { what: "levels in a basis element", limit: MAX_BASIS_DEPTH });
            }
            let index = reader.integer("the index of a mode")?;
            if index < 0 {
                return Err(reader.error("an index of 0 or more"));
            }
            level -= 1;
            path[level] = index as usize;
        }
        // The indices fill the path from its end, so that the outermost comes first.
        Ok((number, Unit::basis(&path[level..])?))
    }

    /// A number; with `declare`, new names are declared.
    pub(crate) fn read_number(
        &mut self,
        reader: &mut Reader<'_>,
        declare: bool,
        depth: usize,
    ) -> Result<Number, Error> {
        if depth > MAX_DEPTH {
            return Err(Error::Capacity { what: "levels of parentheses", limit: MAX_DEPTH });
        }
        let mut negative = reader.eat(b'-');
        let mut sum = Number::zero();
        loop {
            let mut term = self.read_product(reader, declare, depth)?;
            while eat_slash(reader) {
                let divisor = self.read_factor(reader, declare, depth)?;
                let (quotient, rest) = match self.exact_quotient(&term, &divisor)? {
                    Some(quotient) => (quotient, Number::zero()),
                    None => self.terms_that_divide(&term, &divisor)?,
                };
                match rest.is_zero() {
                    true => term = quotient,
                    false => {
                        return Err(
                            reader.error("a quotient that is a polynomial, as K/B is by a fact K % B == 0, or floor(p/q) or ceil(p/q)")
                        );
                    }
                }
                while reader.eat(b'*') {
                    term = term.mul(&self.read_factor(reader, declare, depth)?)?;
                }
            }
            sum = if negative { sum.sub(&term)? } else { sum.add(&term)? };
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
    fn read_product(
        &mut self,
        reader: &mut Reader<'_>,
        declare: bool,
        depth: usize,
    ) -> Result<Number, Error> {
        let mut product = self.read_factor(reader, declare, depth)?;
        while !before_element(*reader) && reader.eat(b'*') {
            product = product.mul(&self.read_factor(reader, declare, depth)?)?;
        }
        Ok(product)
    }

    fn read_factor(&mut self, reader: &mut Reader<'_>, declare: bool, depth: usize) -> Result<Number, Error> {
        reader.skip_space();
        let is_negative = reader.peek() == b'-';
        let base = self.read_base(reader, declare, depth)?;
        if !reader.eat(b'^') && !reader.eat_word("**") {
            return Ok(base);
        }
        // The sign is that of the power.
        let sign = Number::integer(if is_negative { -1 } else { 1 });
        let base = base.mul(&sign)?;
        match reader.integer("an exponent")? {
            exponent @ 0..=MAX_POWER => (0..exponent).try_fold(sign, |power, _| power.mul(&base)),
            _ => Err(reader.error("an exponent from 0 to 16")),
        }
    }

    fn read_base(&mut self, reader: &mut Reader<'_>, declare: bool, depth: usize) -> Result<Number, Error> {
        reader.skip_space();
        let byte = reader.peek();
        if byte == b'(' {
            let _ = reader.eat(b'(');
            let number = self.read_number(reader, declare, depth + 1)?;
            reader.expect(b')', "`)`")?;
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
            let numerator = self.read_product(reader, declare, depth + 1)?;
            reader.expect(b'/', "`/` and a divisor")?;
            let denominator = self.read_factor(reader, declare, depth + 1)?;
            reader.expect(b')', "`)`")?;
            if self.at_least(&denominator, 1) != Some(true) {
                return Err(Error::Fact { reason: "a divisor has to be known to be 1 or more" });
            }
            return if ceil {
                self.ceil_div(&numerator, &denominator)
            } else {
                self.floor(&numerator, &denominator)
            };
        }
        if byte.is_ascii_alphabetic() {
            return self.read_name(reader, declare);
        }
        Ok(Number::integer(reader.integer("a number or a name")?))
    }

    fn read_name(&mut self, reader: &mut Reader<'_>, declare: bool) -> Result<Number, Error> {
        let (name, start) = (word(reader), reader.position());
        reader.seek(start + name.len());
        self.named(&name, declare, start)
    }

    /// The number of a name, which begins at `start`.
    fn named(&mut self, name: &str, declare: bool, start: usize) -> Result<Number, Error> {
        match self.find(name) {
            Some(number) => Ok(number),
            None if declare => self.declare(name),
            None => Err(Error::Syntax { at: start, expected: "a name that is declared" }),
        }
    }

    /// `?3`; with `declare` also `?`, which is the next of them that is not declared, and `?{div=8}`, `?{i64 div=8}`.
    fn read_unnamed(&mut self, reader: &mut Reader<'_>, declare: bool) -> Result<Number, Error> {
        let start = reader.position();
        let _ = reader.eat(b'?');
        let name = match reader.peek().is_ascii_digit() {
            true => alloc::format!("?{}", reader.integer("the number of a `?`")?),
            false => self.unused_unnamed(),
        };
        if !declare {
            return self.named(&name, declare, start);
        }
        let mut divisor = 1;
        if reader.eat(b'{') {
            let _ = reader.eat_word("i64") || reader.eat_word("i32");
            if reader.eat_word("div=") {
                divisor = reader.integer("a divisor")?;
            }
            reader.expect(b'}', "`div=` or `}`")?;
            if divisor < 1 {
                return Err(reader.error("a divisor of 1 or more"));
            }
        }
        let number = self.declare(&name)?;
        self.assume_integer(&number.scale(1, divisor)?)?;
        Ok(number)
    }

    /// The first of `?0`, `?1`, ... that is not declared.
    fn unused_unnamed(&self) -> String {
        let names = (0..=self.name_count()).map(|index| alloc::format!("?{index}"));
        names.into_iter().find(|name| self.index_of(name).is_none()).unwrap_or_default()
    }
}

/// The word here.
fn word(reader: &Reader<'_>) -> String {
    let bytes = (0..).map(|place| reader.peek_at(place));
    bytes.take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').map(char::from).collect()
}

fn at_element(reader: &mut Reader<'_>) -> bool {
    reader.skip_space();
    matches!(reader.peek(), b'e' | b'f' | b'F') && is_element(&word(reader))
}

/// Whether `*` and an element are here.
fn before_element(mut reader: Reader<'_>) -> bool {
    reader.eat(b'*') && at_element(&mut reader)
}

/// Skips `/`, unless it begins a comment.
fn eat_slash(reader: &mut Reader<'_>) -> bool {
    reader.skip_space();
    reader.eat(b'/')
}

/// Whether the parenthesis here opens a tuple: the text after its end does not continue a number.
fn opens_tuple(reader: &mut Reader<'_>) -> bool {
    match behind_parentheses(reader) {
        Some(byte) => !matches!(byte, b'*' | b'/' | b'+' | b'-' | b'@' | b'^'),
        None => false,
    }
}

/// Whether the parenthesis here holds one multiple of a basis element, or with `sum` one sum of them: without a comma, and with a sign
/// after an element.
fn opens_stride(reader: &mut Reader<'_>, sum: bool) -> bool {
    reader.skip_space();
    let (mut lookahead, mut open, mut element, mut sign) = (*reader, 0usize, false, !sum);
    loop {
        if lookahead.peek().is_ascii_alphabetic() && (open == 1 || sum) {
            let word = word(&lookahead);
            element |= is_element(&word);
            lookahead.seek(lookahead.position() + word.len());
        }
        match lookahead.peek() {
            b'(' => open += 1,
            b')' if open <= 1 => return element && sign && open == 1,
            b')' => open -= 1,
            b',' | 0 if open <= 1 => return false,
            _ if open == 0 => return false,
            b'@' if open == 1 || sum => element = true,
            b'+' | b'-' if open == 1 => sign |= element,
            0 => return false,
            _ => {}
        }
        lookahead.seek(lookahead.position() + 1);
    }
}

/// The next byte that is no white space.
fn after_space(reader: &mut Reader<'_>) -> u8 {
    reader.skip_space();
    reader.peek()
}

/// Whether the parenthesis here opens alternatives, not a number.
fn opens_clause(reader: &mut Reader<'_>) -> bool {
    match behind_parentheses(reader) {
        Some(byte) => !matches!(byte, b'*' | b'/' | b'+' | b'-' | b'%' | b'=' | b'<' | b'>' | b'^'),
        None => false,
    }
}

/// The byte after the parenthesis that closes the one here, 0 at the end of the text; `None` if none opens here.
fn behind_parentheses(reader: &mut Reader<'_>) -> Option<u8> {
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
