//! Guards as checks on the host, before a kernel is launched.

use super::source::Language;
use super::write::Writer;
use crate::guard::{Condition, Guard};
use crate::number::{Number, Variable};
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
        Dialect { name, check, hint, joins, language }
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
}

impl Dialect {
    /// Whether both sides of a join are evaluated. Such joins bind more closely than comparisons.
    fn evaluates_all(&self) -> bool {
        self.joins[0] == " & "
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
    /// [`Error::Fact`] for a name that is a keyword of a language.
    pub fn checks(&self, guard: &Guard, host: Host) -> Result<String, Error> {
        (0..self.name_count()).try_for_each(|name| self.check_name_word(name))?;
        let host = host.dialect();
        let mut writer = Writer::of_conditions(self, host.language);
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

fn push_condition(writer: &mut Writer<'_>, condition: &Condition) {
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
    writer.push_number_of(&left);
    writer.text.push(signs[swapped as usize]);
    writer.push_number_of(&right);
}

/// `i < N` in place of `N >= i + 1`.
fn below(p: &Number) -> Option<Number> {
    let above = p.plus(1).ok().filter(|above| p.last() == -p.denominator && !above.is_constant())?;
    (!above.side(false).is_zero() && !above.side(true).is_zero()).then_some(above)
}
