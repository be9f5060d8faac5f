//! Guards as checks on the host, before a kernel is launched.

use super::source::Language;
use super::write::Writer;
use crate::guard::{Condition, Guard};
use crate::polynomial::{MAX_NAMES, Polynomial};
use crate::print::{compared, name_alone};
use crate::scope::Scope;
use tilework::Error;
use tilework::Text;

/// The host language that checks a guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Host {
    /// `assert(M % 128 == 0);` of C and C++.
    C,
    /// `assert!(M % 128 == 0);` of Rust.
    Rust,
    /// `assert M % 128 == 0` of Python.
    Python,
    /// `torch._check(M % 128 == 0)`, which also accepts symbolic sizes.
    Torch,
    /// `M = cute.assume(M, divby=128)` of the CuTe DSL for divisors of names, and `cute.testing.assert_(ld >= M)` for
    /// other conditions.
    Cute,
    /// `M = tl.multiple_of(M, 128)` of Triton for divisors of names, and `tl.device_assert(ld >= M)` for other
    /// conditions.
    Triton,
}

impl Host {
    /// All hosts.
    pub const ALL: [Host; 6] = [Host::C, Host::Rust, Host::Python, Host::Torch, Host::Cute, Host::Triton];

    /// Its name: `c`, `rust`, `python`, `torch`, `cute`, `triton`.
    ///
    /// ```
    /// use tilework_symbolic::Host;
    /// assert_eq!(Host::ALL.map(Host::name), ["c", "rust", "python", "torch", "cute", "triton"]);
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Host::C => "c",
            Host::Rust => "rust",
            Host::Python => "python",
            Host::Torch => "torch",
            Host::Cute => "cute",
            Host::Triton => "triton",
        }
    }

    /// The text around a condition.
    const fn check(self) -> (&'static str, &'static str) {
        match self {
            Host::C => ("assert(", ");\n"),
            Host::Rust => ("assert!(", ");\n"),
            Host::Python => ("assert ", "\n"),
            Host::Torch => ("torch._check(", ")\n"),
            Host::Cute => ("cute.testing.assert_(", ")\n"),
            Host::Triton => ("tl.device_assert(", ")\n"),
        }
    }

    /// The text between the name and the divisor of a hint, and after it.
    const fn hint(self) -> Option<(&'static str, &'static str)> {
        match self {
            Host::Cute => Some((" = cute.assume(", ", divby=")),
            Host::Triton => Some((" = tl.multiple_of(", ", ")),
            _ => None,
        }
    }

    /// The operators that join conditions and alternatives; for symbolic values, `and` and `or` would force their truth
    /// values.
    const fn joins(self) -> (&'static str, &'static str) {
        match self {
            Host::C | Host::Rust => (" && ", " || "),
            Host::Python => (" and ", " or "),
            Host::Torch | Host::Cute | Host::Triton => (" & ", " | "),
        }
    }

    /// Whether both operands of a join are evaluated.
    const fn evaluates_all(self) -> bool {
        matches!(self, Host::Torch | Host::Cute | Host::Triton)
    }

    const fn language(self) -> Language {
        match self {
            Host::C => Language::C,
            Host::Rust => Language::Rust,
            _ => Language::Python,
        }
    }
}

impl Scope {
    /// A guard as checks on the host, one per line, in signed integers of 64 bits.
    ///
    /// ```
    /// use tilework_symbolic::{Host, Scope};
    /// let mut scope = Scope::new();
    /// scope.layout("(M,K):(1,ld)")?;
    /// scope.assume("M % 128 == 0, ld >= M")?;
    /// let facts = scope.facts()?;
    /// assert_eq!(scope.checks(&facts, Host::C)?.as_str(), "assert(M % 128 == 0);\nassert(ld >= M);\n");
    /// assert_eq!(scope.checks(&facts, Host::Cute)?.as_str(), "M = cute.assume(M, divby=128)\ncute.testing.assert_(ld >= M)\n");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] for a name that is a keyword of a language, [`Error::Capacity`] for a text of more than 4,096
    /// bytes.
    pub const fn checks(&self, guard: &Guard, host: Host) -> Result<Text, Error> {
        let mut v = 0;
        while v < self.name_count() {
            tri!(self.check_name_word(v));
            v += 1;
        }
        let mut writer = Writer::of_conditions(self, host.language());
        let mut first = 0;
        while first < guard.len() {
            let end = guard.clause_end(first);
            match (host.hint(), self.divisor_of_a_name(guard, first, end)) {
                (Some((call, argument)), Some((v, divisor))) => {
                    let name = Polynomial::variable(v);
                    writer.push_operand(&name);
                    writer.text.push(call);
                    writer.push_operand(&name);
                    writer.text.push(argument).push_int(divisor).push(")\n");
                }
                _ => {
                    let (open, close) = host.check();
                    // `&` evaluates both sides, and a condition may divide by 0 if its sign condition fails: so each is
                    // checked separately.
                    let apart = host.evaluates_all() && guard.get(end - 1).2 == guard.get(first).2;
                    let mut at = first;
                    while at < end {
                        let last = if apart { at + 1 } else { end };
                        writer.text.push(open);
                        push_clause(&mut writer, guard, at, last, host);
                        writer.text.push(close);
                        at = last;
                    }
                }
            }
            first = end;
        }
        writer.finish()
    }

    /// The name and the divisor of a clause `name % divisor == 0`.
    const fn divisor_of_a_name(&self, guard: &Guard, first: usize, end: usize) -> Option<(usize, i64)> {
        let (Condition::Integer(number), 1) = (guard.get(first).0, end - first) else { return None };
        let p = self.polynomial(number);
        match name_alone(&Polynomial::of(1, p.terms())) {
            Some(v) if v < MAX_NAMES => Some((v, p.denominator)),
            _ => None,
        }
    }
}

const fn push_clause(writer: &mut Writer<'_>, guard: &Guard, first: usize, end: usize, host: Host) {
    let (and, or) = host.joins();
    // `&` and `|` bind more closely than comparisons.
    let each = end > first + 1 && host.evaluates_all();
    let alternatives = guard.get(end - 1).2 != guard.get(first).2;
    let mut i = first;
    while i < end {
        let (begin, alternative) = (i, guard.get(i).2);
        let mut last = i + 1;
        while last < end && guard.get(last).2 == alternative {
            last += 1;
        }
        writer.text.push(if begin > first { or } else { "" });
        let several = alternatives && last > begin + 1;
        writer.text.push(if several { "(" } else { "" });
        while i < last {
            writer.text.push(if i > begin { and } else { "" });
            writer.text.push(if each { "(" } else { "" });
            push_condition(writer, guard.get(i).0);
            writer.text.push(if each { ")" } else { "" });
            i += 1;
        }
        writer.text.push(if several { ")" } else { "" });
    }
}

const fn push_condition(writer: &mut Writer<'_>, condition: Condition) {
    let scope = writer.scope();
    match condition {
        Condition::Nonnegative(number) => {
            push_comparison(writer, &scope.polynomial(number), [" >= ", " <= "]);
        }
        Condition::Zero(number) => push_comparison(writer, &scope.polynomial(number), [" == ", " == "]),
        Condition::Integer(number) => {
            let p = scope.polynomial(number);
            writer.push_operand(&Polynomial::of(1, p.terms()));
            writer.text.push(" % ").push_int(p.denominator).push(" == 0");
        }
        Condition::Divides(divisor, number) => {
            writer.push_operand(&scope.polynomial(number));
            writer.text.push(" % ");
            writer.push_operand(&scope.polynomial(divisor));
            writer.text.push(" == 0");
        }
    }
}

const fn push_comparison(writer: &mut Writer<'_>, p: &Polynomial, signs: [&str; 2]) {
    let ([left, right], swapped) = compared(p);
    writer.push_polynomial(&left);
    writer.text.push(signs[swapped as usize]);
    writer.push_polynomial(&right);
}
