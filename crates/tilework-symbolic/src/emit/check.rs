//! Guards as checks on the host, before a kernel is launched.

use super::source::Language;
use super::write::Writer;
use crate::declarations::Quotient;
use crate::guard::{Condition, Guard};
use crate::number::{Number, Term, Variable};
use crate::print::compared;
use crate::scope::Scope;
use alloc::string::String;
use alloc::vec::Vec;
use tilework::Error;

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
    pub fn name(self) -> &'static str {
        self.dialect().name
    }

    fn dialect(self) -> Dialect {
        let (name, check, hint, joins, language) = match self {
            Host::C => ("c", ["assert(", ");\n"], None, [" && ", " || "], Language::C),
            Host::Rust => ("rust", ["assert!(", ");\n"], None, [" && ", " || "], Language::Rust),
            Host::Python => ("python", ["assert ", "\n"], None, [" and ", " or "], Language::Python),
            Host::Torch => ("torch", ["torch._check(", ")\n"], None, [" & ", " | "], Language::Python),
            Host::Cute => {
                let hint = Some([" = cute.assume(", ", divby="]);
                ("cute", ["cute.testing.assert_(", ")\n"], hint, [" & ", " | "], Language::Python)
            }
            Host::Triton => {
                let hint = Some([" = tl.multiple_of(", ", "]);
                ("triton", ["tl.device_assert(", ")\n"], hint, [" & ", " | "], Language::Python)
            }
        };
        let wide = match self {
            Host::C => Some(["(__int128)", ""]),
            Host::Rust => Some(["(", " as i128)"]),
            _ => None,
        };
        Dialect { name, check, hint, joins, language, wide }
    }
}

/// How a host writes checks.
struct Dialect {
    name: &'static str,
    /// Before and after a condition that has to hold.
    check: [&'static str; 2],
    /// Between a name, the same name and its divisor, where a divisor can be said to the compiler.
    hint: Option<[&'static str; 2]>,
    /// Between conditions that all hold, and between alternatives; for symbolic values, `and` and `or` would force their truth
    /// values.
    joins: [&'static str; 2],
    language: Language,
    /// Around a name that is converted to an integer of 128 bits, where integers wrap.
    wide: Option<[&'static str; 2]>,
}

impl Dialect {
    /// Whether both sides of a join are evaluated. Such joins bind more closely than comparisons.
    fn evaluates_all(&self) -> bool {
        self.joins[0] == " & "
    }
}

impl Scope {
    /// A guard as checks on the host, one per line, for arguments of at most 64 bits with a sign.
    ///
    /// In C and Rust no check wraps: a product is compared with an integer by quotients, and other calculations are in integers of 128
    /// bits. Where those could wrap too, a check also bounds each name, and fails for larger arguments.
    ///
    /// ```
    /// use tilework_symbolic::{Host, Scope};
    /// let mut scope = Scope::new();
    /// scope.layout("(M,K):(1,ld)")?;
    /// scope.assume("M % 128 == 0, ld >= M")?;
    /// let facts = scope.facts()?;
    /// assert_eq!(scope.checks(&facts, Host::C)?.as_str(), "assert(M % 128 == 0);\nassert(ld >= M);\n");
    /// assert_eq!(scope.checks(&facts, Host::Cute)?.as_str(), "M = cute.assume(M, divby=128)\ncute.testing.assert_(ld >= M)\n");
    /// let guard = scope.conditions("M*K <= 4096 and 2*M <= ld")?;
    /// assert_eq!(scope.checks(&guard, Host::C)?.as_str(), "assert(M <= 4096/K);\nassert((__int128)ld >= 2*(__int128)M);\n");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] for a name that is a keyword of a language.
    pub fn checks(&self, guard: &Guard, host: Host) -> Result<String, Error> {
        (0..self.name_count()).try_for_each(|name| self.check_name_word(name))?;
        let host = host.dialect();
        let mut writer = Writer::of_conditions(self, host.language);
        writer.wide = host.wide;
        for clause in guard.clauses() {
            match (host.hint, divisor_of_a_name(clause)) {
                (Some([call, argument]), Some((name, divisor))) => {
                    writer.push_operand(&name);
                    writer.text.push(call);
                    writer.push_operand(&name);
                    writer.text.push(argument).push_int(divisor).push(")\n");
                }
                _ => {
                    // `&` evaluates both sides, and a condition may divide by 0 if its sign condition fails: so each is
                    // checked separately.
                    let apart = host.evaluates_all() && clause.len() == 1;
                    let parts: Vec<Vec<&[Condition]>> = match apart {
                        true => clause[0].chunks(1).map(|condition| [condition].into()).collect(),
                        false => [clause.iter().map(Vec::as_slice).collect()].into(),
                    };
                    let [open, close] = host.check;
                    for part in parts {
                        writer.text.push(open);
                        writer.push_clause(&part, host.joins, host.evaluates_all());
                        writer.text.push(close);
                    }
                }
            }
        }
        writer.finish()
    }
}

/// The name and the divisor of a clause `name % divisor == 0`.
fn divisor_of_a_name(clause: &[Vec<Condition>]) -> Option<(Number, i64)> {
    let [alternative] = clause else { return None };
    let [Condition::Integer(p)] = &alternative[..] else { return None };
    let name = p.numerator().alone().filter(|variable: &Variable| variable.as_name().is_some())?;
    Some((Number::variable(name), p.denominator))
}

impl Writer<'_> {
    /// Whether one of some guards holds.
    pub fn push_any(&mut self, guards: &[Guard]) {
        let joins = [self.and(), if self.language == Language::Python { " or " } else { " || " }];
        for (place, guard) in guards.iter().enumerate() {
            let clauses = guard.clauses();
            let several = guards.len() > 1 && clauses.len() > 1;
            self.text.push(if place > 0 { joins[1] } else { "" }).push(if several { "(" } else { "" });
            for (place, clause) in clauses.iter().enumerate() {
                let several = clause.len() > 1 && clauses.len() > 1;
                self.text.push(if place > 0 { joins[0] } else { "" }).push(if several { "(" } else { "" });
                self.push_clause(&clause.iter().map(Vec::as_slice).collect::<Vec<_>>(), joins, false);
                self.text.push(if several { ")" } else { "" });
            }
            if clauses.is_empty() {
                self.push_true();
            }
            self.text.push(if several { ")" } else { "" });
        }
    }

    /// A clause, with parentheses around each of several conditions where both sides of a join are evaluated.
    fn push_clause(&mut self, clause: &[&[Condition]], [and, or]: [&str; 2], evaluates_all: bool) {
        let each = evaluates_all && clause.iter().map(|alternative| alternative.len()).sum::<usize>() > 1;
        for (place, alternative) in clause.iter().enumerate() {
            self.text.push(if place > 0 { or } else { "" });
            let several = clause.len() > 1 && alternative.len() > 1;
            self.text.push(if several { "(" } else { "" });
            for (place, condition) in alternative.iter().enumerate() {
                self.text.push(if place > 0 { and } else { "" });
                self.text.push(if each { "(" } else { "" });
                push_condition(self, condition);
                self.text.push(if each { ")" } else { "" });
            }
            self.text.push(if several { ")" } else { "" });
        }
    }
}

/// The bits of an integer in which a check is computed that could wrap in fewer, without the sign.
const WIDE: u32 = 127;

fn push_condition(writer: &mut Writer<'_>, condition: &Condition) {
    let Some(wide) = writer.wide.take() else { return push_relation(writer, condition) };
    let quotients = below_quotients(writer.scope, condition);
    let (scope, sides) = (writer.scope, condition.sides());
    let constants =
        sides.iter().filter_map(Number::as_integer).chain(quotients.iter().map(|(_, most)| *most));
    // A literal of Rust has to fit the type of a name.
    let literals_fit = writer.language != Language::Rust || constants.max() <= Some(i32::MAX.into());
    if let Some((factors, most)) = quotients {
        writer.wide = Some(wide).filter(|_| !literals_fit);
        writer.push_operand(&factors[0]);
        writer.text.push(" <= ").push_int(most);
        for factor in &factors[1..] {
            writer.text.push("/");
            writer.push_operand(factor);
        }
    } else if literals_fit && sides.iter().all(is_literal) {
        push_relation(writer, condition);
    } else {
        writer.wide = Some(wide);
        let fits = |bits: &u32| sides.iter().all(|side| scope.computed_bits(side, *bits) <= WIDE);
        let bits = (0..=63).rev().find(fits).unwrap_or(0);
        let most = i64::MAX >> (63 - bits);
        let names = scope.variables_of(&sides).into_iter().filter(|name| name.as_name().is_some());
        writer.text.push(if bits < 63 { "(" } else { "" });
        for name in names.filter(|_| bits < 63).map(Number::variable) {
            push_numbers(writer, [&name, &most.into()], " <= ");
            writer.text.push(" && ");
            if scope.nonnegative(&name) != Some(true) {
                push_numbers(writer, [&name, &(-most).into()], " >= ");
                writer.text.push(" && ");
            }
        }
        push_relation(writer, condition);
        writer.text.push(if bits < 63 { ")" } else { "" });
    }
    writer.wide = Some(wide);
}

/// Whether a number is computed without arithmetic: a name or an integer.
fn is_literal(p: &Number) -> bool {
    p.is_constant() || p.alone().is_some_and(|variable| variable.as_name().is_some())
}

/// The factors of a product of names of 1 or more, and the integer that it is not to exceed: `a*b*c <= n` is `a <= n/b/c`, whose
/// quotients do not wrap.
fn below_quotients(scope: &Scope, condition: &Condition) -> Option<(Vec<Number>, i64)> {
    let Condition::Nonnegative(p) = condition else { return None };
    let (most, product) = (p.side(false).as_integer()?, p.side(true));
    let [term] = product.terms() else { return None };
    let factors: Vec<Number> =
        term.monomial.factors().iter().map(|factor| Number::variable(*factor)).collect();
    let is_factor = |factor: &Number| is_literal(factor) && scope.at_least(factor, 1) == Some(true);
    (factors.len() > 1 && p.denominator == 1 && factors.iter().all(is_factor))
        .then(|| (factors, most / term.coefficient))
}

impl Scope {
    /// The bits of all that is computed for a number, without its sign, if a name has no more than `bits`.
    fn computed_bits(&self, p: &Number, bits: u32) -> u32 {
        let of_count = |count: u64| u64::BITS - count.saturating_sub(1).leading_zeros();
        let of_variable = |variable: &Variable| match variable.as_quotient() {
            Some(index) => {
                let Quotient { numerator, denominator } = &self.quotients[index];
                self.computed_bits(numerator, bits).max(self.computed_bits(denominator, bits))
            }
            None => bits,
        };
        let of_term = |term: &Term| {
            of_count(term.coefficient.unsigned_abs())
                + term.monomial.factors().iter().map(of_variable).sum::<u32>()
        };
        let most = p.terms().iter().map(of_term).max().unwrap_or(0);
        of_count(p.terms().len() as u64) + most.max(of_count(p.denominator as u64))
    }
}

impl Condition {
    /// The numbers that a relation has on its two sides.
    fn sides(&self) -> [Number; 2] {
        match self {
            Condition::Nonnegative(p) => compared(below(p).as_ref().unwrap_or(p)).0,
            Condition::Zero(p) => compared(p).0,
            Condition::Integer(p) => [p.numerator(), Number::integer(p.denominator)],
            Condition::Divides(divisor, p) => [p.clone(), divisor.clone()],
        }
    }
}

fn push_relation(writer: &mut Writer<'_>, condition: &Condition) {
    match condition {
        Condition::Nonnegative(p) => match below(p) {
            Some(above) => push_comparison(writer, &above, [" > ", " < "]),
            None => push_comparison(writer, p, [" >= ", " <= "]),
        },
        Condition::Zero(p) => push_comparison(writer, p, [" == ", " == "]),
        Condition::Integer(p) => {
            writer.push_operand(&p.numerator());
            writer.text.push(" % ").push_int(p.denominator).push(" == 0");
        }
        Condition::Divides(divisor, p) => {
            writer.push_operand(p);
            writer.text.push(" % ");
            writer.push_operand(divisor);
            writer.text.push(" == 0");
        }
    }
}

fn push_comparison(writer: &mut Writer<'_>, p: &Number, signs: [&str; 2]) {
    let ([left, right], swapped) = compared(p);
    push_numbers(writer, [&left, &right], signs[swapped as usize]);
}

fn push_numbers(writer: &mut Writer<'_>, [left, right]: [&Number; 2], sign: &str) {
    writer.push_number_of(left);
    writer.text.push(sign);
    writer.push_number_of(right);
}

/// `i < N` in place of `N >= i + 1`.
fn below(p: &Number) -> Option<Number> {
    let above = p.plus(1).ok().filter(|above| p.last() == -p.denominator && !above.is_constant())?;
    (!above.side(false).is_zero() && !above.side(true).is_zero()).then_some(above)
}
