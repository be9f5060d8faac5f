//! From numbers and terms to text.

use super::plan::{Named, Plan, Term, component_of, is_word, suffix_of};
use super::source::{Emitted, Language, Source};
use crate::guard::Guard;
use crate::layout::SymbolicLayout;
use crate::polynomial::{MAX_NAMES, Monomial, Polynomial};
use crate::pool::Number;
use crate::print::side_of;
use crate::scope::Scope;
use tilework::__private::CAPACITY;
use tilework::Error;
use tilework::Swizzle;
use tilework::Text;

/// Text in one language, with the names that values have.
pub(super) struct Writer<'a> {
    scope: &'a Scope,
    language: Language,
    coordinate: &'a [&'a str],
    offset: i64,
    swizzle: Swizzle,
    named: &'a [Named],
    divisors: &'a [Named],
    /// Whether the integers may be negative: then a shift is not equivalent to `/`.
    signed: bool,
    /// A number that does not fit in the integers of the languages.
    too_large: bool,
    pub text: Text,
}

impl<'a> Writer<'a> {
    pub const fn new(scope: &'a Scope, source: &Source<'a>, plan: &'a Plan) -> Writer<'a> {
        let Source { language, coordinate, offset, swizzle, .. } = *source;
        let (named, divisors) = (plan.named.as_slice(), plan.divisors.as_slice());
        let (signed, too_large, text) = (plan.signed, false, Text::new());
        Writer { scope, language, coordinate, offset, swizzle, named, divisors, signed, too_large, text }
    }

    /// For conditions on the names alone.
    pub const fn of_conditions(scope: &'a Scope, language: Language) -> Writer<'a> {
        let (offset, swizzle, signed, too_large) = (0, Swizzle::NONE, true, false);
        let (coordinate, named, divisors, text) = (&[], &[], &[], Text::new());
        Writer { scope, language, coordinate, offset, swizzle, named, divisors, signed, too_large, text }
    }

    pub const fn scope(&self) -> &'a Scope {
        self.scope
    }

    pub const fn language(&self) -> Language {
        self.language
    }

    pub const fn coordinate(&self) -> &'a [&'a str] {
        self.coordinate
    }

    /// The text, with its integer type.
    pub const fn emitted(&self, plan: &Plan) -> Result<Emitted, Error> {
        match self.finish() {
            Ok(text) => Ok(Emitted { text, integer: plan.integer, guard: plan.guard }),
            Err(error) => Err(error),
        }
    }

    /// The text, unless something did not fit.
    pub const fn finish(&self) -> Result<Text, Error> {
        if self.too_large {
            return Err(Error::TooLarge { what: "a number of source text" });
        }
        if self.text.is_cut() {
            return Err(Error::Capacity { what: "bytes of source text", limit: CAPACITY });
        }
        Ok(self.text)
    }

    // ---- functions

    /// A comment with the layout, the facts and the conditions on its names.
    pub const fn push_comment(&mut self, layout: &SymbolicLayout, facts: &Guard, guard: &Guard) {
        self.text.push(if self.language.same(Language::Python) { "# " } else { "// " });
        if self.swizzle.bits() > 0 {
            self.text.push("Sw<").push_int(self.swizzle.bits() as i64).push_ascii(b',');
            self.text.push_int(self.swizzle.base() as i64).push_ascii(b',');
            self.text.push_int(self.swizzle.shift() as i64).push("> o ");
            self.text.push_int(self.offset).push(" o ");
        } else if self.offset != 0 {
            self.text.push_ascii(b'{').push_int(self.offset).push("} o ");
        }
        self.scope.push_layout(layout, &mut self.text);
        if !facts.is_always() {
            self.text.push(" where ");
            self.scope.push_guard(facts, &mut self.text);
        }
        if !guard.is_always() {
            self.text.push(" if ");
            self.scope.push_guard(guard, &mut self.text);
        }
        self.text.push_ascii(b'\n');
        let mut i = 0;
        while i < self.divisors.len() {
            let Named { number, suffix } = self.divisors[i];
            self.text
                .push(if i == 0 { "// d" } else { ", d" })
                .push_int(suffix as i64)
                .push(" = divisor_of(");
            self.push_polynomial(&self.scope.polynomial(number));
            self.text.push_ascii(b')');
            i += 1;
        }
        self.text.push(if i > 0 { "\n" } else { "" });
    }

    pub const fn push_function(&mut self, name: &str, plan: &Plan) {
        self.push_head(name, plan);
        let named = self.named;
        let mut i = 0;
        while i < named.len() {
            let Named { number, suffix } = named[i];
            self.named = named.split_at(i).0;
            self.push_let(suffix, plan.integer);
            match quotient_alone(&self.scope.polynomial(number)) {
                Some(v) => self.push_quotient(v),
                None => self.push_polynomial(&self.scope.polynomial(number)),
            }
            self.push_end();
            i += 1;
        }
        self.named = named;
        let swizzled = self.swizzle.bits() > 0 && !plan.terms.is_empty();
        if swizzled {
            self.push_let(plan.free_suffix, plan.integer);
            self.push_sum(plan);
            self.push_end();
        }
        self.text.push(if self.language.same(Language::Rust) { "    " } else { "    return " });
        if swizzled {
            self.push_swizzled(plan, Some(plan.free_suffix));
        } else {
            self.push_offset(plan);
        }
        self.text.push(match self.language {
            Language::Rust => "\n}\n",
            Language::Python => "\n",
            _ => ";\n}\n",
        });
    }

    const fn push_head(&mut self, name: &str, plan: &Plan) {
        let (integer, language) = (plan.integer, self.language);
        match language {
            Language::C => self.text.push("static inline ").push(integer).push_ascii(b' '),
            Language::Cuda => self.text.push("__host__ __device__ inline ").push(integer).push_ascii(b' '),
            Language::Rust => {
                let warned = self.has_capitals(plan);
                self.text.push(if warned { "#[allow(non_snake_case)]\npub fn " } else { "pub fn " })
            }
            Language::Python => self.text.push("def "),
            Language::Wgsl => self.text.push("fn "),
        };
        self.text.push(name).push_ascii(b'(');
        let mut i = 0;
        while i < self.coordinate.len() {
            self.push_parameter(self.coordinate[i], i == 0, integer);
            i += 1;
        }
        i = 0;
        while i < self.divisors.len() {
            let rust = self.language.same(Language::Rust);
            self.text.push(if rust { ", d" } else { ", Divisor d" }).push_int(self.divisors[i].suffix as i64);
            self.text.push(if rust { ": Divisor" } else { "" });
            i += 1;
        }
        let mut v = 0;
        while v < MAX_NAMES {
            if plan.variables >> v & 1 == 1 {
                self.push_parameter(spelled(self.scope, v).as_str(), false, integer);
            }
            v += 1;
        }
        match language {
            Language::C | Language::Cuda => self.text.push(") {\n"),
            Language::Rust | Language::Wgsl => self.text.push(") -> ").push(integer).push(" {\n"),
            Language::Python => self.text.push("):\n"),
        };
    }

    const fn push_parameter(&mut self, word: &str, first: bool, integer: &str) {
        self.text.push(if first { "" } else { ", " });
        match self.language {
            Language::C | Language::Cuda => self.text.push(integer).push_ascii(b' ').push(word),
            Language::Rust | Language::Wgsl => self.text.push(word).push(": ").push(integer),
            Language::Python => self.text.push(word),
        };
    }

    /// Whether a parameter is not in snake case.
    const fn has_capitals(&self, plan: &Plan) -> bool {
        let (mut found, mut i) = (false, 0);
        while i < self.coordinate.len() {
            found |= has_capital(self.coordinate[i].as_bytes());
            i += 1;
        }
        let mut v = 0;
        while v < MAX_NAMES {
            found |= plan.variables >> v & 1 == 1 && has_capital(self.scope.name_bytes(v));
            v += 1;
        }
        found
    }

    const fn push_let(&mut self, suffix: u32, integer: &str) {
        self.text.push("    ");
        match self.language {
            Language::C | Language::Cuda => self.text.push("const ").push(integer).push_ascii(b' '),
            Language::Rust | Language::Wgsl => self.text.push("let "),
            Language::Python => &mut self.text,
        };
        self.push_name(suffix);
        self.text.push(" = ");
    }

    pub const fn push_end(&mut self) {
        self.text.push(if self.language.same(Language::Python) { "\n" } else { ";\n" });
    }

    const fn push_name(&mut self, suffix: u32) {
        self.text.push_ascii(b't').push_int(suffix as i64);
    }

    // ---- expressions

    /// The offset of the coordinate of zeros.
    pub const fn push_base(&mut self) {
        self.text.push(if self.offset < 0 { "-" } else { "" });
        self.push_count(self.offset.unsigned_abs());
    }

    /// The offset: the sum of the terms, swizzled.
    pub const fn push_offset(&mut self, plan: &Plan) {
        if self.swizzle.bits() == 0 {
            self.push_sum(plan);
        } else if plan.terms.is_empty() {
            match self.swizzle.apply(self.offset) {
                Ok(offset) => self.push_count(offset.unsigned_abs()),
                Err(_) => self.too_large = true,
            }
        } else {
            self.push_swizzled(plan, None);
        }
    }

    /// A sum, by its name if it has one, and its field that the swizzle moves.
    const fn push_swizzled(&mut self, plan: &Plan, suffix: Option<u32>) {
        let shift = self.swizzle.shift();
        self.push_inner(plan, suffix);
        self.text.push(" ^ ((");
        self.push_inner(plan, suffix);
        self.text.push(if shift > 0 { " >> " } else { " << " });
        self.push_count(shift.unsigned_abs() as u64);
        self.text.push(") & ");
        self.push_count(self.swizzle.target_mask() as u64);
        self.text.push_ascii(b')');
    }

    const fn push_inner(&mut self, plan: &Plan, suffix: Option<u32>) {
        match suffix {
            Some(suffix) => self.push_name(suffix),
            None => {
                self.text.push_ascii(b'(');
                self.push_sum(plan);
                self.text.push_ascii(b')');
            }
        }
    }

    pub const fn push_sum(&mut self, plan: &Plan) {
        let (terms, mut first, mut i) = (plan.terms.as_slice(), true, 0);
        while i < terms.len() {
            let lone = terms.len() == 1 && self.offset == 0;
            if terms[i].unit.is_xor() {
                self.push_xor(&terms[i], &mut first, lone);
            } else {
                self.push_term(&terms[i], first, lone);
                first = false;
            }
            i += 1;
        }
        if self.offset != 0 || first {
            let xor = !terms.is_empty() && terms[0].unit.is_xor();
            let minus = self.offset < 0 && !xor;
            self.text.push(match (first, xor, minus) {
                (true, _, false) => "",
                (true, _, true) => "-",
                (_, true, _) => " ^ ",
                (_, _, false) => " + ",
                (_, _, true) => " - ",
            });
            self.push_count(self.offset.unsigned_abs());
        }
    }

    /// A digit times its stride, with the sign before it.
    const fn push_term(&mut self, term: &Term, first: bool, lone: bool) {
        let stride = self.scope.polynomial(term.stride);
        let negative = side_of(&stride, 1).is_zero();
        self.text.push(match (first, negative) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        });
        let size = if negative { side_of(&stride, -1) } else { stride };
        let one = size.is(1);
        self.push_digit(term, lone && one && !negative);
        if !one {
            self.text.push_ascii(b'*');
            if negative {
                self.push_operand(&size);
            } else {
                self.push_number(term.stride);
            }
        }
    }

    /// A digit for each bit of its XOR stride.
    const fn push_xor(&mut self, term: &Term, first: &mut bool, lone: bool) {
        let stride = self.scope.polynomial(term.stride).last();
        let lone = lone && stride.count_ones() == 1;
        let mut bit = 0;
        while bit < 63 {
            if stride >> bit & 1 == 1 {
                self.text.push(if *first { "" } else { " ^ " });
                *first = false;
                self.text.push(if bit > 0 && !lone { "(" } else { "" });
                self.push_digit(term, lone && bit == 0);
                if bit > 0 {
                    self.text.push(" << ");
                    self.push_count(bit);
                    self.text.push(if lone { "" } else { ")" });
                }
            }
            bit += 1;
        }
    }

    /// `((x / start) % extent)`; without the outer parentheses if `bare`.
    const fn push_digit(&mut self, term: &Term, bare: bool) {
        if !term.wraps {
            return self.push_shifted(term, bare);
        }
        if let Some(suffix) = suffix_of(self.divisors, term.extent) {
            self.text.push("mod_by(");
            self.push_shifted(term, true);
            self.text.push(", d").push_int(suffix as i64).push_ascii(b')');
            return;
        }
        self.text.push(if bare { "" } else { "(" });
        self.push_shifted(term, false);
        match self.shift(&self.scope.polynomial(term.extent)) {
            Some(bits) => {
                self.text.push(" & ");
                self.push_count((1 << bits) - 1);
            }
            None => {
                self.text.push(" % ");
                self.push_number(term.extent);
            }
        }
        self.text.push(if bare { "" } else { ")" });
    }

    /// `(x / start)`.
    const fn push_shifted(&mut self, term: &Term, bare: bool) {
        let (name, start) = (self.coordinate[term.name], self.scope.polynomial(term.start));
        if start.is(1) {
            self.text.push(name);
            return;
        }
        if let Some(suffix) = suffix_of(self.divisors, term.start) {
            self.text.push("div_by(").push(name).push(", d").push_int(suffix as i64).push_ascii(b')');
            return;
        }
        self.text.push(if bare { "" } else { "(" }).push(name);
        match self.shift(&start) {
            Some(bits) => {
                self.text.push(" >> ");
                self.push_count(bits as u64);
            }
            None => {
                self.text.push(if self.language.same(Language::Python) { " // " } else { " / " });
                self.push_number(term.start);
            }
        }
        self.text.push(if bare { "" } else { ")" });
    }

    /// The exponent, if a division can be written as a shift.
    const fn shift(&self, divisor: &Polynomial) -> Option<u32> {
        match divisor.constant() {
            Some((value, 1))
                if value > 0
                    && value & (value - 1) == 0
                    && (!self.signed || self.language.same(Language::Python)) =>
            {
                Some(value.trailing_zeros())
            }
            _ => None,
        }
    }

    /// `sum < bound` for each component.
    pub const fn push_bounds(&mut self, plan: &Plan, bounds: &[Number]) {
        let (terms, mut i) = (plan.terms.as_slice(), 0);
        if terms.is_empty() {
            // C has no `true` without a header.
            self.text.push(match self.language {
                Language::C => "1",
                Language::Python => "True",
                _ => "true",
            });
        }
        while i < terms.len() {
            let (component, begin) = (component_of(terms[i].unit), i);
            if i > 0 {
                self.text.push(self.and());
            }
            while i < terms.len() && component_of(terms[i].unit).is_some() && same(component, terms[i]) {
                self.push_term(&terms[i], i == begin, false);
                i += 1;
            }
            self.text.push(" < ");
            if let Some(component) = component {
                self.push_number(bounds[component]);
            }
        }
    }

    pub const fn and(&self) -> &'static str {
        if self.language.same(Language::Python) { " and " } else { " && " }
    }

    // ---- numbers

    /// A number by its name, or as an operand.
    const fn push_number(&mut self, number: Number) {
        match suffix_of(self.named, number) {
            Some(suffix) => self.push_name(suffix),
            None => self.push_operand(&self.scope.polynomial(number)),
        }
    }

    /// A polynomial in parentheses, unless it is one number, name or quotient.
    pub const fn push_operand(&mut self, p: &Polynomial) {
        let word = is_word(p) || quotient_alone(p).is_some();
        self.text.push(if word { "" } else { "(" });
        self.push_polynomial(p);
        self.text.push(if word { "" } else { ")" });
    }

    /// The positive terms, then the negative ones, and one exact division by the denominator.
    pub const fn push_polynomial(&mut self, p: &Polynomial) {
        let several = p.denominator != 1 && p.terms().len() > 1;
        self.text.push(if several { "(" } else { "" });
        if p.is_zero() {
            self.push_count(0);
        }
        let (terms, mut first, mut pass) = (p.terms(), true, 0);
        while pass < 2 {
            let mut i = 0;
            while i < terms.len() {
                if (terms[i].coefficient < 0) == (pass == 1) {
                    self.text.push(match (first, pass) {
                        (true, 0) => "",
                        (true, _) => "-",
                        (false, 0) => " + ",
                        (false, _) => " - ",
                    });
                    first = false;
                    self.push_product(terms[i].coefficient.unsigned_abs(), terms[i].monomial);
                }
                i += 1;
            }
            pass += 1;
        }
        self.text.push(if several { ")" } else { "" });
        if p.denominator != 1 {
            self.text.push(self.division());
            self.push_count(p.denominator as u64);
        }
    }

    const fn push_product(&mut self, count: u64, monomial: Monomial) {
        let mut product = false;
        if count != 1 || monomial.is_one() {
            self.push_count(count);
            product = true;
        }
        let mut rest = monomial;
        while let Some(v) = rest.first() {
            let mut k = rest.exponent(v);
            while k > 0 {
                self.text.push(if product { "*" } else { "" });
                self.push_variable(v);
                product = true;
                k -= 1;
            }
            rest = rest.without(v);
        }
    }

    /// A name, or a quotient by its name or in parentheses.
    const fn push_variable(&mut self, v: usize) {
        if v < MAX_NAMES {
            self.text.push(spelled(self.scope, v).as_str());
            return;
        }
        let mut i = 0;
        while i < self.named.len() {
            let p = self.scope.polynomial(self.named[i].number);
            if matches!(quotient_alone(&p), Some(own) if own == v) {
                return self.push_name(self.named[i].suffix);
            }
            i += 1;
        }
        self.text.push_ascii(b'(');
        self.push_quotient(v);
        self.text.push_ascii(b')');
    }

    /// `p / q`, rounded down: if `p` may be negative: all languages except Python round towards 0.
    const fn push_quotient(&mut self, v: usize) {
        let quotient = self.scope.quotients.as_slice()[v - MAX_NAMES];
        let numerator = self.scope.polynomial(quotient.numerator);
        let denominator = self.scope.polynomial(quotient.denominator);
        let rounded = !self.language.same(Language::Python)
            && !matches!(self.scope.nonnegative(&numerator), Some(true));
        self.push_operand(&numerator);
        if rounded && self.language.same(Language::Rust) {
            self.text.push(".div_euclid(");
            self.push_polynomial(&denominator);
            self.text.push_ascii(b')');
            return;
        }
        self.text.push(self.division());
        self.push_operand(&denominator);
        if rounded {
            let wgsl = self.language.same(Language::Wgsl);
            self.text.push(if wgsl { " - select(0, 1, " } else { " - (" });
            self.push_operand(&numerator);
            self.text.push(" % ");
            self.push_operand(&denominator);
            self.text.push(" < 0)");
        }
    }

    const fn division(&self) -> &'static str {
        if self.language.same(Language::Python) { "//" } else { "/" }
    }

    /// A number of 0 or more.
    const fn push_count(&mut self, value: u64) {
        if value > i64::MAX as u64 {
            self.too_large = true;
            return;
        }
        self.text.push_int(value as i64);
        if self.language.same(Language::Wgsl) && !self.signed {
            self.text.push_ascii(b'u');
        }
    }
}

/// A name in source text: `_0` for `?0`.
const fn spelled(scope: &Scope, v: usize) -> Text {
    let mut text = Text::new();
    if let Ok(name) = core::str::from_utf8(scope.name_bytes(v)) {
        let unnamed = name.as_bytes()[0] == b'?';
        text.push(if unnamed { "_" } else { "" });
        text.push(name.split_at(unnamed as usize).1);
    }
    text
}

/// The quotient that a polynomial consists of.
const fn quotient_alone(p: &Polynomial) -> Option<usize> {
    let terms = p.terms();
    if p.denominator == 1 && terms.len() == 1 && terms[0].coefficient == 1 && terms[0].monomial.degree() == 1
    {
        match terms[0].monomial.first() {
            Some(v) if v >= MAX_NAMES => Some(v),
            _ => None,
        }
    } else {
        None
    }
}

const fn same(component: Option<usize>, term: Term) -> bool {
    matches!((component, component_of(term.unit)), (Some(a), Some(b)) if a == b)
}

const fn has_capital(word: &[u8]) -> bool {
    let (mut found, mut i) = (false, 0);
    while i < word.len() {
        found |= word[i].is_ascii_uppercase();
        i += 1;
    }
    found
}
