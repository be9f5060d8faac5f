//! The answer of an operation: a layout and its guard, found at a witness and certified.
//!
//! An operation runs the static one, unchanged, on the operands at a witness; lifts its choices (extents, quotients, an
//! order of modes) to polynomials; and certifies the lifted layout by conditions on the names. Conditions that the
//! facts prove are dropped; the others are the guard. The correctness of the answer rests on the certificate alone, not
//! on how the choices were made.

use crate::guard::{Condition, Guard};
use crate::layout::{SymbolicLayout, SymbolicLeaf};
use crate::number::Number;
use crate::scope::Scope;
use crate::tiler::SymbolicTiler;
use crate::tuple::Tuple;
use crate::values::{BASES, Values};
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use tilework::Error;

/// How often an operation is repeated with the conditions of its guard on single names as facts.
const MAX_ROUNDS: usize = 4;

/// A layout, and the guard under which it is correct; if the guard fails, nothing is known.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The layout.
    pub layout: SymbolicLayout,
    /// The values for which it is the result.
    pub guard: Guard,
}

impl core::fmt::Display for Answer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.layout.fmt(f)?;
        match self.guard.is_always() {
            true => Ok(()),
            false => write!(f, " if {}", self.layout.declared().guard_text(&self.guard)),
        }
    }
}

/// Why an operation has no layout as its answer.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// There is none for any admissible values: it would need a condition that holds for none.
    Never(Box<Condition>),
    /// There is none at the witness; for other values it is unknown.
    NoLayout {
        /// The error of the static operation at the witness.
        error: Error,
        /// Conditions, one of which has to hold, and none does at the witness; none if none was found.
        needed: Vec<Condition>,
    },
    /// An error that does not depend on the values.
    Error(Error),
}

impl Refusal {
    /// A short name of the condition that will not change.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (a, b) = (scope.layout("(6,N):(1,7)")?, scope.layout("4:2")?);
    /// let refusal = scope.composition(&a, &b).unwrap_err();
    /// assert_eq!((refusal.code(), scope.refusal_text(&refusal).as_str()), ("never", "never: 4 % 3 == 0"));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Refusal::Never(_) => "never",
            Refusal::NoLayout { .. } => "no-layout",
            Refusal::Error(error) => error.code(),
        }
    }

    /// The error of the static operation at the witness, and whether it depends on the numbers.
    pub(crate) fn of(error: Error) -> Refusal {
        match error {
            Error::ShapeDivisibility { .. }
            | Error::Carry { .. }
            | Error::NotBasis { .. }
            | Error::NotIntegral { .. }
            | Error::Overlap { .. }
            | Error::Gap { .. }
            | Error::NegativeStride { .. }
            | Error::NoInverse { .. }
            | Error::Extent { .. }
            | Error::Divisibility { .. } => Refusal::NoLayout { error, needed: Vec::new() },
            error => Refusal::Error(error),
        }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal::Error(error)
    }
}

/// The certificate does not hold at the witness, or the facts refute it, because carries cancel.
pub(crate) fn undecided(operation: &'static str) -> Refusal {
    Refusal::Error(Error::Undecided { operation })
}

/// The operation of the layouts of a tiler on the modes.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Compose,
    Divide,
    Multiply,
}

/// The range of a complement.
#[derive(Clone, Copy)]
pub(crate) enum Extent<'a> {
    /// The gaps, and an extent of 1 after everything, which may be extended.
    Open,
    /// The same with as many gaps as the static one, because an index goes on in the next component.
    Counted,
    /// As many modes as cover `[0, total)`.
    Within(&'a Number),
    /// The same; every gap that begins below `total` has to be filled completely.
    Exactly(&'a Number),
}

/// An operation with its operands.
#[derive(Clone, Copy)]
pub(crate) enum Operation<'a> {
    Composition(&'a SymbolicLayout, &'a SymbolicLayout),
    Complement(&'a SymbolicLayout, Option<&'a Tuple<Number>>),
    ByMode(Kind, &'a SymbolicLayout, &'a SymbolicTiler),
    /// The left inverse, or the right one.
    Inverse(&'a SymbolicLayout, bool),
}

/// The leaves of a result, and the guard.
pub(crate) struct Lifted {
    pub tuple: Tuple<SymbolicLeaf>,
    pub guard: Guard,
}

impl Lifted {
    pub fn new(guard: Guard) -> Lifted {
        Lifted { tuple: Tuple::builder(), guard }
    }
}

impl Scope {
    /// The operation at the default witness, or at smaller ones if a size would exceed 64 bits.
    pub(crate) fn answer(&mut self, operation: Operation<'_>) -> Result<Answer, Refusal> {
        let mut result = Err(undecided("a symbolic operation"));
        for base in BASES {
            result = self.answer_at(operation, base);
            let again = matches!(
                result,
                Err(Refusal::Error(Error::Overflow { .. } | Error::TooLarge { .. } | Error::Fact { .. }))
            );
            if !again {
                break;
            }
        }
        result
    }

    fn answer_at(&mut self, operation: Operation<'_>, base: i64) -> Result<Answer, Refusal> {
        let values = self.witness(&self.hints, base)?;
        match self.admits(&values)? {
            true => self.absorbing(operation, values),
            false => Err(Refusal::Error(Error::Fact { reason: "the hints break a fact" })),
        }
    }

    /// Repeats an operation with the conditions of its guard on single names as facts, so that they simplify the
    /// result: `M/128` for `ceil(M/128)` if `M % 128 == 0` is required anyway.
    fn absorbing(&mut self, operation: Operation<'_>, values: Values) -> Result<Answer, Refusal> {
        let (facts, mut assumed, mut found) = (self.knowledge.clone(), Guard::ALWAYS, None);
        let mut result = Err(undecided("a symbolic operation"));
        for _ in 0..MAX_ROUNDS {
            match self.lift(operation, values.clone()) {
                Ok(Lifted { tuple, guard }) => {
                    let (guard, before) = (self.tidy(&guard), assumed.clauses().len());
                    let mut whole = assumed.clone();
                    whole.push_all(&guard);
                    found = Some((tuple, whole));
                    self.absorb(&guard, &mut assumed);
                    if assumed.clauses().len() == before {
                        break;
                    }
                }
                Err(refusal) => {
                    result = Err(refusal);
                    break;
                }
            }
        }
        if !assumed.is_always() {
            self.knowledge = facts;
            self.refresh()?;
        }
        match found {
            Some((tuple, guard)) => Ok(Answer { layout: self.own(tuple), guard }),
            None => result,
        }
    }

    fn lift(&mut self, operation: Operation<'_>, mut values: Values) -> Result<Lifted, Refusal> {
        let (mut lifted, values) = (Lifted::new(Guard::ALWAYS), &mut values);
        match operation {
            Operation::Composition(a, b) => {
                self.compose_into(a.as_tuple().part(), &[b.as_tuple().part()], true, values, &mut lifted)
            }
            Operation::Complement(layout, shape) => {
                self.complement_by_component(layout.leaves(), shape, false, values, &mut lifted)
            }
            Operation::ByMode(kind, layout, tiler) => {
                let tile = tiler.layout().as_tuple().part();
                self.apply_into(kind, layout.as_tuple().part(), tiler, tile, values, &mut lifted)
            }
            Operation::Inverse(layout, is_left) => self.inverse_into(layout, is_left, values, &mut lifted),
        }?;
        Ok(lifted)
    }

    /// The result of the static operation, if all operands are numbers.
    pub(crate) fn constant_answer(&self, result: Result<tilework::Layout, Error>) -> Result<Answer, Refusal> {
        Ok(Answer { layout: self.constant(&result?)?, guard: Guard::ALWAYS })
    }

    /// The sentence of a refusal.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (a, b) = (scope.layout("(M,K):(1,ld)")?, scope.layout("128:1")?);
    /// scope.hint("M", Some(48))?;
    /// let refusal = scope.composition(&a, &b).unwrap_err();
    /// assert_eq!(scope.refusal_text(&refusal).as_str(), "no layout at the witness: 128 % M == 0 or M >= 128 is needed");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn refusal_text(&self, refusal: &Refusal) -> String {
        match refusal {
            Refusal::Never(condition) => alloc::format!("never: {}", self.condition_text(condition)),
            Refusal::NoLayout { error, needed } => {
                let needed: Vec<String> = needed.iter().map(|one| self.condition_text(one)).collect();
                match needed.is_empty() {
                    true => alloc::format!("no layout at the witness: {}", error.message().as_str()),
                    false => alloc::format!("no layout at the witness: {} is needed", needed.join(" or ")),
                }
            }
            Refusal::Error(error) => error.message().as_str().to_string(),
        }
    }

    /// Moves the guard of an answer into the facts, so that its layout is correct for all admissible values.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (a, b) = (scope.layout("(M,K):(1,M + 8)")?, scope.layout("64:1")?);
    /// let answer = scope.composition(&a, &b).unwrap();
    /// assert_eq!(answer.to_string(), "64:1 if M >= 64");
    /// scope.assume_guard(&answer.guard)?;
    /// assert!(scope.composition(&a, &b).unwrap().guard.is_always());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] for a guard that is not a conjunction, or that facts cannot express; then nothing is assumed.
    pub fn assume_guard(&mut self, guard: &Guard) -> Result<(), Error> {
        let before = self.clone();
        let assumed = guard.clauses().iter().try_for_each(|clause| match &clause[..] {
            [alternative] => alternative.iter().try_for_each(|condition| match condition {
                Condition::Nonnegative(p) => self.assume_nonnegative(p),
                Condition::Zero(p) => self.assume_zero(p),
                Condition::Integer(p) => self.assume_integer(p),
                Condition::Divides(divisor, p) => self.assume_divides(divisor, p),
            }),
            _ => Err(Error::Fact { reason: "a guard with alternatives is not a fact" }),
        });
        assumed.inspect_err(|_| *self = before)
    }
}
