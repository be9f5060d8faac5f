//! The answer of an operation: a layout and its guard, found at a witness and certified.
//!
//! An operation runs the static one, unchanged, on the operands at a witness; lifts its choices (extents, quotients, an
//! order of modes) to polynomials; and certifies the lifted layout by conditions on the names. Conditions that the
//! facts prove are dropped; the others are the guard. The correctness of the answer rests on the certificate alone, not
//! on how the choices were made.

use crate::guard::{Condition, Guard};
use crate::layout::{SymbolicLayout, SymbolicLeaf};
use crate::pool::{MAX_NUMBERS, Number};
use crate::scope::Scope;
use crate::tiler::SymbolicTiler;
use crate::values::{BASES, Values};
use tilework::Error;
use tilework::HTuple;

/// How often an operation is repeated with the conditions of its guard on single names as facts.
const MAX_ROUNDS: usize = 4;

/// A layout, and the guard under which it is correct; if the guard fails, nothing is known.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// The layout.
    pub layout: SymbolicLayout,
    /// The values for which it is the result.
    pub guard: Guard,
}

/// Why an operation has no layout as its answer.
#[derive(Clone, Copy, Debug)]
pub enum Refusal {
    /// There is none for any admissible values: it would need a condition that holds for none.
    Never(Condition),
    /// There is none at the witness; for other values it is unknown.
    NoLayout {
        /// The error of the static operation at the witness.
        error: Error,
        /// Conditions, one of which has to hold, and none does at the witness; none if none was found.
        needed: [Option<Condition>; 2],
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
    pub const fn code(&self) -> &'static str {
        match self {
            Refusal::Never(_) => "never",
            Refusal::NoLayout { .. } => "no-layout",
            Refusal::Error(error) => error.code(),
        }
    }

    /// The error of the static operation at the witness, and whether it depends on the numbers.
    pub(crate) const fn of(error: Error) -> Refusal {
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
            | Error::Divisibility { .. } => Refusal::NoLayout { error, needed: [None; 2] },
            error => Refusal::Error(error),
        }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal::Error(error)
    }
}

/// The value of a result, or a return of its error as a refusal.
macro_rules! or_refuse {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err($crate::Refusal::Error(error)),
        }
    };
}
pub(crate) use or_refuse;

/// The certificate does not hold at the witness, or the facts refute it, because carries cancel.
pub(crate) const fn undecided(operation: &'static str) -> Refusal {
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
pub(crate) enum Extent {
    /// The gaps, and an extent of 1 after everything, which may be extended.
    Open,
    /// As many modes as cover `[0, total)`.
    Within(Number),
    /// The same; every gap that begins below `total` has to be filled completely.
    Exactly(Number),
}

/// An operation with its operands.
#[derive(Clone, Copy)]
pub(crate) enum Operation<'a> {
    Composition(&'a SymbolicLayout, &'a SymbolicLayout),
    Complement(&'a SymbolicLayout, Extent),
    ByMode(Kind, &'a SymbolicLayout, &'a SymbolicTiler),
    RightInverse(&'a SymbolicLayout),
    LeftInverse(&'a SymbolicLayout),
}

/// The leaves of a result, and the guard.
pub(crate) struct Lifted {
    pub tuple: HTuple<SymbolicLeaf>,
    pub guard: Guard,
}

impl Lifted {
    pub const fn new() -> Lifted {
        Lifted { tuple: HTuple::builder(SymbolicLeaf::UNUSED), guard: Guard::ALWAYS }
    }
}

impl Scope {
    /// The operation at the default witness, or at smaller ones if a size would exceed 64 bits.
    pub(crate) const fn answer(&mut self, operation: Operation<'_>) -> Result<Answer, Refusal> {
        let (mark, mut i) = (self.pool.len(), 0);
        loop {
            let result = match self.witness(&self.hints, BASES[i]) {
                Ok(values) => match self.admits(&values) {
                    Ok(true) => self.absorbing(operation, values),
                    Ok(false) => Err(Refusal::Error(Error::Fact { reason: "the hints break a fact" })),
                    Err(error) => Err(Refusal::Error(error)),
                },
                Err(error) => Err(Refusal::Error(error)),
            };
            i += 1;
            let again = matches!(
                result,
                Err(Refusal::Error(Error::Overflow { .. } | Error::TooLarge { .. } | Error::Fact { .. }))
            );
            if !again || i == BASES.len() {
                return self.retain(mark, result);
            }
        }
    }

    /// Repeats an operation with the conditions of its guard on single names as facts, so that they simplify the
    /// result: `M/128` for `ceil(M/128)` if `M % 128 == 0` is required anyway.
    const fn absorbing(&mut self, operation: Operation<'_>, values: Values) -> Result<Answer, Refusal> {
        let (knowledge, mut assumed, mut found, mut round) = (self.knowledge, Guard::ALWAYS, None, 0);
        let mut result = Err(Refusal::Error(Error::Undecided { operation: "a symbolic operation" }));
        while round < MAX_ROUNDS {
            round += 1;
            match self.lift(operation, values) {
                Ok(Lifted { tuple, guard }) => {
                    let guard = self.tidy(&guard);
                    let before = assumed.len();
                    let mut whole = assumed;
                    if let Err(error) = whole.push_all(&guard) {
                        result = Err(Refusal::Error(error));
                        break;
                    }
                    found = Some((tuple, whole));
                    if self.absorb(&guard, &mut assumed).is_err() || assumed.len() == before {
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
            self.knowledge = knowledge;
            or_refuse!(self.refresh());
        }
        match found {
            Some((tuple, guard)) => Ok(Answer { layout: self.own(tuple), guard }),
            None => result,
        }
    }

    const fn lift(&mut self, operation: Operation<'_>, mut values: Values) -> Result<Lifted, Refusal> {
        match operation {
            Operation::Composition(a, b) => self.lift_composition(a, b, &mut values),
            Operation::Complement(layout, extent) => self.lift_complement(layout, extent, &mut values),
            Operation::ByMode(kind, layout, tiler) => self.lift_by_mode(kind, layout, tiler, &mut values),
            Operation::RightInverse(layout) => self.lift_right_inverse(layout, &mut values),
            Operation::LeftInverse(layout) => self.lift_left_inverse(layout, &mut values),
        }
    }

    /// Drops the numbers from `mark` on that neither the answer nor the scope uses.
    const fn retain(&mut self, mark: usize, result: Result<Answer, Refusal>) -> Result<Answer, Refusal> {
        let mut used = [false; MAX_NUMBERS];
        self.mark_own(&mut used);
        match &result {
            Ok(answer) => {
                mark_leaves(answer.layout.leaves(), &mut used);
                mark_guard(&answer.guard, &mut used);
            }
            Err(Refusal::Never(condition)) => condition.mark(&mut used),
            Err(Refusal::NoLayout { needed: [first, second], .. }) => {
                mark_option(*first, &mut used);
                mark_option(*second, &mut used);
            }
            Err(Refusal::Error(_)) => {}
        }
        let moved = self.pool.retain(mark, &used);
        self.renumber_own(&moved);
        let mut result = result;
        match &mut result {
            Ok(answer) => {
                let (mut tuple, mut i) = (*answer.layout.as_tuple(), 0);
                while i < tuple.leaves().len() {
                    let leaf = &mut tuple.leaves_mut()[i];
                    leaf.extent = leaf.extent.moved(&moved);
                    leaf.stride = leaf.stride.moved(&moved);
                    i += 1;
                }
                answer.layout = self.own(tuple);
                answer.guard.renumber(&moved);
            }
            Err(Refusal::Never(condition)) => *condition = condition.moved(&moved),
            Err(Refusal::NoLayout { needed: [first, second], .. }) => {
                *first = moved_option(*first, &moved);
                *second = moved_option(*second, &moved);
            }
            Err(Refusal::Error(_)) => {}
        }
        result
    }

    /// The result of the static operation, if all operands are numbers.
    pub(crate) const fn constant_answer(
        &mut self,
        result: Result<tilework::Layout, Error>,
    ) -> Result<Answer, Refusal> {
        let layout = or_refuse!(self.constant(&or_refuse!(result)));
        Ok(Answer { layout, guard: Guard::ALWAYS })
    }
}

const fn mark_leaves(leaves: &[SymbolicLeaf], used: &mut [bool; MAX_NUMBERS]) {
    let mut i = 0;
    while i < leaves.len() {
        used[leaves[i].extent.index()] = true;
        used[leaves[i].stride.index()] = true;
        i += 1;
    }
}

const fn mark_guard(guard: &Guard, used: &mut [bool; MAX_NUMBERS]) {
    let mut i = 0;
    while i < guard.len() {
        guard.get(i).0.mark(used);
        i += 1;
    }
}

const fn mark_option(condition: Option<Condition>, used: &mut [bool; MAX_NUMBERS]) {
    if let Some(condition) = condition {
        condition.mark(used);
    }
}

const fn moved_option(condition: Option<Condition>, moved: &[Number; MAX_NUMBERS]) -> Option<Condition> {
    match condition {
        Some(condition) => Some(condition.moved(moved)),
        None => None,
    }
}

impl Scope {
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
    pub const fn refusal_text(&self, refusal: &Refusal) -> tilework::Text {
        let mut text = tilework::Text::new();
        match refusal {
            Refusal::Never(condition) => {
                text.push("never: ").push(self.condition_text(*condition).as_str());
            }
            Refusal::NoLayout { error, needed: [first, second] } => {
                text.push("no layout at the witness: ");
                if let Some(condition) = first {
                    text.push(self.condition_text(*condition).as_str());
                    if let Some(condition) = second {
                        text.push(" or ").push(self.condition_text(*condition).as_str());
                    }
                    text.push(" is needed");
                } else {
                    text.push(error.message().as_str());
                }
            }
            Refusal::Error(error) => {
                text.push(error.message().as_str());
            }
        }
        text
    }

    /// An answer as text: the layout, and after ` if ` its guard, if there is one.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (a, b) = (scope.layout("(M,K):(1,ld)")?, scope.layout("64:3")?);
    /// let answer = scope.composition(&a, &b).unwrap();
    /// assert_eq!(scope.answer_text(&answer).as_str(), "64:3 if ld == M or M >= 190");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn answer_text(&self, answer: &Answer) -> tilework::Text {
        let mut text = tilework::Text::new();
        self.push_layout(&answer.layout, &mut text);
        if !answer.guard.is_always() {
            text.push(" if ");
            self.push_guard(&answer.guard, &mut text);
        }
        text
    }

    /// Moves the guard of an answer into the facts, so that its layout is correct for all admissible values.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (a, b) = (scope.layout("(M,K):(1,M + 8)")?, scope.layout("64:1")?);
    /// let answer = scope.composition(&a, &b).unwrap();
    /// assert_eq!(scope.answer_text(&answer).as_str(), "64:1 if M >= 64");
    /// scope.assume_guard(&answer.guard)?;
    /// assert!(scope.composition(&a, &b).unwrap().guard.is_always());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] for a guard that is not a conjunction, or that facts cannot express; then nothing is assumed.
    pub const fn assume_guard(&mut self, guard: &Guard) -> Result<(), Error> {
        let (before, mut i) = (self.knowledge, 0);
        while i < guard.len() {
            let (condition, _, alternative) = guard.get(i);
            let result = match condition {
                _ if alternative > 0 => {
                    Err(Error::Fact { reason: "a guard with alternatives is not a fact" })
                }
                Condition::Nonnegative(p) => self.assume_nonnegative(&self.polynomial(p)),
                Condition::Zero(p) => self.assume_zero(&self.polynomial(p)),
                Condition::Integer(p) => self.assume_integer(&self.polynomial(p)),
                Condition::Divides(..) => Err(Error::Fact { reason: "a fact has a number as its divisor" }),
            };
            if let Err(error) = result {
                self.knowledge = before;
                return match self.refresh() {
                    Ok(()) => Err(error),
                    Err(error) => Err(error),
                };
            }
            i += 1;
        }
        Ok(())
    }
}
