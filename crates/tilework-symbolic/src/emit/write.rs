//! From numbers and terms to text.

use super::plan::{Named, Plan, Term, component_of, is_word, quotient_alone, suffix_of};
use super::source::{Emitted, Language, Source};
use crate::declarations::Quotient;
use crate::guard::Guard;
use crate::number::{Monomial, Number, Variable};
use crate::placed::Placed;
use crate::scope::Scope;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;
use tilework::Error;

/// Text that is appended to.
#[derive(Default)]
pub(super) struct Text(String);

impl Text {
    pub fn push(&mut self, text: &str) -> &mut Text {
        self.0.push_str(text);
        self
    }

    pub fn push_int(&mut self, value: i64) -> &mut Text {
        let _ = write!(self.0, "{value}");
        self
    }
}

/// Text in one language, with the names that values have.
pub(super) struct Writer<'a> {
    pub scope: &'a Scope,
    pub language: Language,
    pub coordinate: &'a [&'a str],
    named: &'a [Named],
    divisors: &'a [Named],
    /// Whether the integers may be negative: then a shift is not equivalent to `/`.
    signed: bool,
    /// What stands before a name, such as the variable that it is a member of.
    prefix: &'a str,
    /// What is around a name, in a host language whose integers wrap.
    pub wide: Option<[&'static str; 2]>,
    /// A number that does not fit in the integers of the languages.
    too_large: bool,
    pub text: Text,
}

impl<'a> Writer<'a> {
    pub fn new(scope: &'a Scope, source: &Source<'a>, plan: &'a Plan) -> Writer<'a> {
        let coordinate = source.coordinate;
        let (named, divisors, signed) = (&plan.named[..], &plan.divisors[..], plan.signed);
        let own = Writer::of_conditions(scope, source.language);
        Writer { coordinate, named, divisors, signed, ..own }
    }

    /// For conditions on the names alone.
    pub fn of_conditions(scope: &'a Scope, language: Language) -> Writer<'a> {
        Writer { signed: true, ..Writer::of_numbers(scope, language, "") }
    }

    /// For numbers of 0 or more, whose names are members of a variable.
    pub fn of_numbers(scope: &'a Scope, language: Language, prefix: &'a str) -> Writer<'a> {
        let text = Text::default();
        let (coordinate, named, divisors, signed, too_large) = (&[], &[], &[], false, false);
        Writer { scope, language, coordinate, named, divisors, signed, prefix, wide: None, too_large, text }
    }

    /// The text, with its integer type.
    pub fn emitted(self, plan: &Plan) -> Result<Emitted, Error> {
        Ok(Emitted { text: self.finish()?, integer: plan.integer, guard: plan.guard.clone() })
    }

    /// The text, unless a number did not fit.
    pub fn finish(self) -> Result<String, Error> {
        match self.too_large {
            true => Err(Error::TooLarge { what: "a number of source text" }),
            false => Ok(self.text.0),
        }
    }

    // ---- functions

    /// A comment with the layout, the facts and the conditions on its names.
    pub fn push_comment(&mut self, placed: &Placed, facts: &Guard, guard: &Guard) {
        self.text.push(if self.language == Language::Python { "# " } else { "// " });
        self.text.push(&placed.to_string());
        for (word, guard) in [(" where ", facts), (" if ", guard)] {
            if !guard.is_always() {
                self.text.push(word).push(&self.scope.guard_text(guard));
            }
        }
        self.text.push("\n");
        for (place, Named { number, suffix }) in self.divisors.iter().enumerate() {
            self.text.push(if place == 0 { "// d" } else { ", d" });
            self.text.push_int(*suffix as i64).push(" = divisor_of(");
            self.push_number_of(number);
            self.text.push(")");
        }
        self.text.push(if self.divisors.is_empty() { "" } else { "\n" });
    }

    /// A function of the offset, behind the cases that have numbers of their own.
    pub fn push_function(&mut self, name: &str, plan: &Plan, cases: &[(Guard, Number)]) {
        self.push_head(name, plan);
        let [open, then, end] = match self.language {
            Language::Rust => ["    if ", " {\n        return ", "    }\n"],
            Language::Python => ["    if ", ":\n        return ", ""],
            _ => ["    if (", ") {\n        return ", "    }\n"],
        };
        for (guard, number) in cases {
            self.text.push(open);
            self.push_any(core::slice::from_ref(guard));
            self.text.push(then);
            self.push_number_of(number);
            self.push_end();
            self.text.push(end);
        }
        let named = self.named;
        for (place, Named { number, suffix }) in named.iter().enumerate() {
            self.named = &named[..place];
            self.push_let(*suffix, plan.integer);
            match quotient_alone(number) {
                Some(quotient) => self.push_quotient(quotient),
                None => self.push_number_of(number),
            }
            self.push_end();
        }
        self.named = named;
        let swizzled = plan.swizzle.bits() > 0 && !plan.is_constant();
        if swizzled {
            self.push_let(plan.free_suffix, plan.integer);
            self.push_sum(plan);
            self.push_end();
        }
        self.text.push(if self.language == Language::Rust { "    " } else { "    return " });
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

    fn push_head(&mut self, name: &str, plan: &Plan) {
        let (integer, language) = (plan.integer, self.language);
        match language {
            Language::C => self.text.push("static inline ").push(integer).push(" "),
            Language::Cuda => self.text.push("__host__ __device__ inline ").push(integer).push(" "),
            Language::Rust => {
                let warned = self.has_capitals(plan);
                self.text.push(if warned { "#[allow(non_snake_case)]\npub fn " } else { "pub fn " })
            }
            Language::Python => self.text.push("def "),
            Language::Wgsl => self.text.push("fn "),
        };
        self.text.push(name).push("(");
        for (place, word) in self.coordinate.iter().enumerate() {
            self.push_parameter(word, place == 0, integer);
        }
        for Named { suffix, .. } in self.divisors {
            let rust = language == Language::Rust;
            self.text.push(if rust { ", d" } else { ", Divisor d" }).push_int(*suffix as i64);
            self.text.push(if rust { ": Divisor" } else { "" });
        }
        for name in plan.variables.iter().filter_map(|variable| variable.as_name()) {
            let word = spelled(self.scope, name);
            if !self.coordinate.contains(&&*word) {
                self.push_parameter(&word, false, integer);
            }
        }
        match language {
            Language::C | Language::Cuda => self.text.push(") {\n"),
            Language::Rust | Language::Wgsl => self.text.push(") -> ").push(integer).push(" {\n"),
            Language::Python => self.text.push("):\n"),
        };
    }

    fn push_parameter(&mut self, word: &str, first: bool, integer: &str) {
        self.text.push(if first { "" } else { ", " });
        match self.language {
            Language::C | Language::Cuda => self.text.push(integer).push(" ").push(word),
            Language::Rust | Language::Wgsl => self.text.push(word).push(": ").push(integer),
            Language::Python => self.text.push(word),
        };
    }

    /// Whether a parameter is not in snake case.
    fn has_capitals(&self, plan: &Plan) -> bool {
        let names = plan.variables.iter().filter_map(|variable| variable.as_name());
        let mut words = self.coordinate.iter().copied().chain(names.map(|name| &*self.scope.names[name]));
        words.any(|word| word.contains(|letter: char| letter.is_ascii_uppercase()))
    }

    fn push_let(&mut self, suffix: u32, integer: &str) {
        self.text.push("    ");
        match self.language {
            Language::C | Language::Cuda => self.text.push("const ").push(integer).push(" "),
            Language::Rust | Language::Wgsl => self.text.push("let "),
            Language::Python => &mut self.text,
        };
        self.push_name(suffix);
        self.text.push(" = ");
    }

    pub fn push_end(&mut self) {
        self.text.push(if self.language == Language::Python { "\n" } else { ";\n" });
    }

    fn push_name(&mut self, suffix: u32) {
        self.text.push("t").push_int(suffix as i64);
    }

    // ---- expressions

    /// The offset: the sum of the terms, swizzled.
    pub fn push_offset(&mut self, plan: &Plan) {
        if plan.swizzle.bits() == 0 {
            self.push_sum(plan);
        } else if plan.is_constant() {
            match plan.swizzle.apply(plan.offset.last()) {
                Ok(offset) => self.push_count(offset.unsigned_abs()),
                Err(_) => self.too_large = true,
            }
        } else {
            self.push_swizzled(plan, None);
        }
    }

    /// A sum, by its name if it has one, and its field that the swizzle moves.
    fn push_swizzled(&mut self, plan: &Plan, suffix: Option<u32>) {
        let shift = plan.swizzle.shift();
        self.push_inner(plan, suffix);
        self.text.push(" ^ ((");
        self.push_inner(plan, suffix);
        self.text.push(if shift > 0 { " >> " } else { " << " });
        self.push_count(shift.unsigned_abs() as u64);
        self.text.push(") & ");
        self.push_count(plan.swizzle.target_mask() as u64);
        self.text.push(")");
    }

    fn push_inner(&mut self, plan: &Plan, suffix: Option<u32>) {
        match suffix {
            Some(suffix) => self.push_name(suffix),
            None => {
                self.text.push("(");
                self.push_sum(plan);
                self.text.push(")");
            }
        }
    }

    pub fn push_sum(&mut self, plan: &Plan) {
        let (terms, mut first) = (&plan.terms, true);
        for term in terms {
            let lone = terms.len() == 1 && plan.offset.is_zero();
            if term.unit.is_xor() {
                self.push_xor(term, &mut first, lone);
            } else {
                self.push_term(term, first, lone);
                first = false;
            }
        }
        if first {
            self.push_number_of(&plan.offset);
        } else if !plan.offset.is_zero() {
            let xor = terms[0].unit.is_xor();
            let minus = !xor && plan.offset.side(false).is_zero();
            self.text.push(if xor {
                " ^ "
            } else if minus {
                " - "
            } else {
                " + "
            });
            match suffix_of(self.named, &plan.offset) {
                _ if minus => self.push_operand(&plan.offset.side(true)),
                Some(suffix) => self.push_name(suffix),
                None => self.push_number_of(&plan.offset),
            }
        }
    }

    /// A digit times its stride, with the sign before it.
    fn push_term(&mut self, term: &Term, first: bool, lone: bool) {
        let negative = term.stride.side(false).is_zero();
        self.text.push(match (first, negative) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        });
        let size = if negative { term.stride.side(true) } else { term.stride.clone() };
        let one = size.is(1);
        self.push_digit(term, lone && one && !negative);
        if !one {
            self.text.push("*");
            match negative {
                true => self.push_operand(&size),
                false => self.push_number(&size),
            }
        }
    }

    /// A digit for each bit of its XOR stride.
    fn push_xor(&mut self, term: &Term, first: &mut bool, lone: bool) {
        let stride = term.stride.last();
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
    fn push_digit(&mut self, term: &Term, bare: bool) {
        if !term.wraps {
            return self.push_shifted(term, bare);
        }
        if let Some(suffix) = suffix_of(self.divisors, &term.extent) {
            self.text.push("mod_by(");
            self.push_shifted(term, true);
            self.text.push(", d").push_int(suffix as i64).push(")");
            return;
        }
        self.text.push(if bare { "" } else { "(" });
        self.push_shifted(term, false);
        match self.shift(&term.extent) {
            Some(bits) => {
                self.text.push(" & ");
                self.push_count((1 << bits) - 1);
            }
            None => {
                self.text.push(" % ");
                self.push_number(&term.extent);
            }
        }
        self.text.push(if bare { "" } else { ")" });
    }

    /// `(x / start)`.
    fn push_shifted(&mut self, term: &Term, bare: bool) {
        let (name, start) = (self.coordinate[term.name], &term.start);
        if start.is(1) {
            self.text.push(name);
            return;
        }
        if let Some(suffix) = suffix_of(self.divisors, &term.start) {
            self.text.push("div_by(").push(name).push(", d").push_int(suffix as i64).push(")");
            return;
        }
        self.text.push(if bare { "" } else { "(" }).push(name);
        match self.shift(start) {
            Some(bits) => {
                self.text.push(" >> ");
                self.push_count(bits as u64);
            }
            None => {
                self.text.push(if self.language == Language::Python { " // " } else { " / " });
                self.push_number(&term.start);
            }
        }
        self.text.push(if bare { "" } else { ")" });
    }

    /// The exponent, if a division can be written as a shift.
    fn shift(&self, divisor: &Number) -> Option<u32> {
        let value = divisor.as_integer().filter(|value| *value > 0 && value & (value - 1) == 0)?;
        (!self.signed || self.language == Language::Python).then_some(value.trailing_zeros())
    }

    /// `sum < bound` for each component.
    pub fn push_bounds(&mut self, plan: &Plan, bounds: &[Number]) {
        if plan.terms.is_empty() {
            self.push_true();
        }
        let is_same = |a: &Term, b: &Term| component_of(a.unit) == component_of(b.unit);
        for (place, terms) in plan.terms.chunk_by(is_same).enumerate() {
            self.text.push(if place > 0 { self.and() } else { "" });
            for (place, term) in terms.iter().enumerate() {
                self.push_term(term, place == 0, false);
            }
            self.text.push(" < ");
            if let Some(component) = component_of(terms[0].unit) {
                self.push_number(&bounds[component]);
            }
        }
    }

    pub fn push_true(&mut self) {
        // C has no `true` without a header.
        self.text.push(match self.language {
            Language::C => "1",
            Language::Python => "True",
            _ => "true",
        });
    }

    pub fn and(&self) -> &'static str {
        if self.language == Language::Python { " and " } else { " && " }
    }

    // ---- numbers

    /// A number by its name, or as an operand.
    fn push_number(&mut self, number: &Number) {
        match suffix_of(self.named, number) {
            Some(suffix) => self.push_name(suffix),
            None => self.push_operand(number),
        }
    }

    /// A number in parentheses, unless it is one integer, name, quotient or remainder.
    pub fn push_operand(&mut self, p: &Number) {
        let word = is_word(p) || quotient_alone(p).is_some() || self.scope.is_remainder(p);
        self.text.push(if word { "" } else { "(" });
        self.push_number_of(p);
        self.text.push(if word { "" } else { ")" });
    }

    /// The positive terms, then the negative ones, and one exact division by the denominator.
    pub fn push_number_of(&mut self, p: &Number) {
        let several = p.denominator != 1 && p.terms().len() > 1;
        self.text.push(if several { "(" } else { "" });
        if p.is_zero() {
            self.push_count(0);
        }
        let (above, below): (Vec<_>, Vec<_>) =
            (0..p.terms().len()).partition(|&t| p.terms()[t].coefficient > 0);
        let remainders = self.scope.remainders(p);
        let subtracted = |t: &usize| remainders.iter().any(|(_, quotient, _)| quotient == t);
        for (place, t) in above.into_iter().chain(below).filter(|t| !subtracted(t)).enumerate() {
            let term = &p.terms()[t];
            self.text.push(match (place, term.coefficient < 0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            });
            let remainder = remainders.iter().find(|(of, ..)| *of == t).map(|(.., quotient)| *quotient);
            self.push_product(term.coefficient.unsigned_abs(), &term.monomial, remainder);
        }
        self.text.push(if several { ")" } else { "" });
        if p.denominator != 1 {
            self.text.push(self.division());
            self.push_count(p.denominator as u64);
        }
    }

    /// A product, with the remainder of a quotient in the place of its numerator.
    fn push_product(&mut self, count: u64, monomial: &Monomial, remainder: Option<usize>) {
        let counted = count != 1 || monomial.is_one();
        if counted {
            self.push_count(count);
        }
        let mut remainder = remainder.map(|quotient| &self.scope.quotients[quotient]);
        for (place, variable) in monomial.factors().iter().enumerate() {
            self.text.push(if counted || place > 0 { "*" } else { "" });
            match remainder.take_if(|quotient| quotient.numerator.alone() == Some(*variable)) {
                Some(Quotient { denominator, .. }) => {
                    self.text.push("(");
                    self.push_variable(*variable);
                    self.text.push(" % ");
                    self.push_operand(denominator);
                    self.text.push(")");
                }
                None => self.push_variable(*variable),
            }
        }
    }

    /// A name, or a quotient by its name or in parentheses.
    fn push_variable(&mut self, variable: Variable) {
        if let Some(name) = variable.as_name() {
            let [before, behind] = self.wide.unwrap_or_default();
            self.text.push(before).push(self.prefix).push(&spelled(self.scope, name)).push(behind);
        } else if let Some(suffix) = suffix_of(self.named, &Number::variable(variable)) {
            self.push_name(suffix);
        } else if let Some(quotient) = variable.as_quotient() {
            self.text.push("(");
            self.push_quotient(quotient);
            self.text.push(")");
        }
    }

    /// `p / q`, rounded down: if `p` may be negative: all languages except Python round towards 0.
    fn push_quotient(&mut self, index: usize) {
        let Quotient { numerator, denominator } = &self.scope.quotients[index];
        let rounded = self.language != Language::Python && self.scope.nonnegative(numerator) != Some(true);
        self.push_operand(numerator);
        if rounded && self.language == Language::Rust {
            self.text.push(".div_euclid(");
            self.push_number_of(denominator);
            self.text.push(")");
            return;
        }
        self.text.push(self.division());
        self.push_operand(denominator);
        if rounded {
            let wgsl = self.language == Language::Wgsl;
            self.text.push(if wgsl { " - select(0, 1, " } else { " - (" });
            self.push_operand(numerator);
            self.text.push(" % ");
            self.push_operand(denominator);
            self.text.push(" < 0)");
        }
    }

    fn division(&self) -> &'static str {
        if self.language == Language::Python { "//" } else { "/" }
    }

    /// A number of 0 or more.
    fn push_count(&mut self, value: u64) {
        if value > i64::MAX as u64 {
            self.too_large = true;
            return;
        }
        self.text.push_int(value as i64);
        if self.language == Language::Wgsl && !self.signed {
            self.text.push("u");
        }
    }
}

/// A name in source text: `_0` for `?0`.
fn spelled(scope: &Scope, name: usize) -> String {
    scope.names[name].replace('?', "_")
}
