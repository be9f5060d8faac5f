//! Where along an extent an element is: its coordinate in the indices of a statement, also of what came through memory.

use crate::form::{Digit, Form, Index, Indices};
use crate::prelude::*;

/// The coordinate of an element along an extent.
#[derive(Clone, Debug, PartialEq)]
pub struct Along {
    /// The global tensor of which it is an element.
    pub origin: usize,
    pub form: Form,
    pub known: Known,
    /// Whether it is inside of the extent at all sizes.
    pub is_inside: bool,
}

/// What is known of a coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Known {
    /// The form is the coordinate.
    Here,
    /// The form is the coordinate, with the steps of loops at which it was stored.
    Stored,
    /// It depends on these digits.
    Digits,
    /// It is read from memory, by one of the views of the program that are, or else some time before.
    Read(Option<usize>),
}

/// The coordinate of each element of a tensor: a form, and a multiple of the element's own coordinate in each mode.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    along: Along,
    factors: Vec<i64>,
}

impl Along {
    pub fn digits(&self) -> impl Iterator<Item = Digit> {
        self.form.terms.iter().map(|(_, digit)| *digit)
    }

    /// Whether it may be below 0.
    pub fn is_signed(&self) -> bool {
        self.form.constant < 0 || self.form.terms.iter().any(|(step, digit)| *step < 0 || digit.add < 0)
    }

    /// As an element of a tensor that is written at coordinates; one of `is_own` has the same thread wherever it is read.
    pub fn stored(&self, to: &[Form], is_own: bool, is_spread: bool) -> Stored {
        let mut rest = self.form.clone();
        let mut factors = vec![0; to.len()];
        let is_still = |digit: &Digit| matches!(digit.index, Index::Thread | Index::Value);
        for (factor, form) in factors.iter_mut().zip(to) {
            let Some((step, digit)) = form.terms.iter().find(|(step, digit)| *step != 0 && is_still(digit))
            else {
                continue;
            };
            let own =
                rest.terms.iter().filter(|(_, other)| other == digit).map(|(step, _)| *step).sum::<i64>();
            *factor = own / step;
            rest = sum(&rest, form, -*factor);
        }
        let is_left = |digit: &Digit| digit.index == Index::Value || digit.index == Index::Thread && !is_own;
        let known = match self.known {
            Known::Digits => Known::Digits,
            Known::Read(_) => Known::Read(None),
            _ if is_spread || rest.terms.iter().any(|(_, digit)| is_left(digit)) => Known::Digits,
            _ => Known::Stored,
        };
        if matches!(known, Known::Digits | Known::Read(_)) {
            let meets = |form: &Form| {
                form.terms.iter().any(|(_, own)| self.digits().any(|other| overlap(own, &other)))
            };
            factors = to.iter().map(|form| i64::from(meets(form))).collect();
            rest = self.form.clone();
            rest.terms.retain(|(_, digit)| matches!(digit.index, Index::Loop(_)));
        }
        Stored { along: Along { form: rest, known, ..*self }, factors }
    }

    /// What is added to reach another coordinate, where that is one number for all threads and values.
    pub fn distance(&self, other: &Along, elements: [i64; 2]) -> Option<i64> {
        let difference = self.difference(other)?;
        let mut found = values(&difference, elements);
        let first = found.next()?;
        found.all(|own| own == first).then_some(first)
    }

    /// Whether it is never above another one.
    pub fn is_at_most(&self, other: &Along, elements: [i64; 2]) -> bool {
        let difference = self.difference(other);
        difference.is_some_and(|difference| values(&difference, elements).all(|own| own >= 0))
    }

    /// Another coordinate less this one, where the block and the loops add the same to both.
    fn difference(&self, other: &Along) -> Option<Form> {
        let both = [self.known, other.known];
        let mut difference = sum(&other.form, &self.form, -1);
        if both.contains(&Known::Stored) {
            difference.terms.retain(|(_, digit)| !matches!(digit.index, Index::Loop(_)));
        }
        let is_moving =
            difference.terms.iter().any(|(_, own)| !matches!(own.index, Index::Thread | Index::Value));
        let are_known = both.iter().all(|known| matches!(known, Known::Here | Known::Stored));
        (!is_moving && are_known).then_some(difference)
    }
}

impl Stored {
    /// The coordinate of the element that a view reads.
    pub fn read(&self, view: &[Form]) -> Along {
        let mut along = self.along.clone();
        for (factor, form) in self.factors.iter().zip(view) {
            along.form = sum(&along.form, form, *factor);
        }
        along
    }
}

/// Whether two digits of an index have values of it in common.
pub fn overlap(a: &Digit, b: &Digit) -> bool {
    let end = |own: &Digit| own.modulus.map_or(i64::MAX, |modulus| own.divisor.saturating_mul(modulus));
    a.index == b.index && a.divisor < end(b) && b.divisor < end(a)
}

/// The sum of a form and a multiple of another one, each digit once.
fn sum(one: &Form, other: &Form, factor: i64) -> Form {
    let scaled = other.terms.iter().map(|(step, digit)| (step.saturating_mul(factor), *digit));
    let mut terms: Vec<(i64, Digit)> = Vec::new();
    for (step, digit) in one.terms.iter().copied().chain(scaled) {
        match terms.iter_mut().find(|(_, own)| *own == digit) {
            Some((own, _)) => *own = own.saturating_add(step),
            None => terms.push((step, digit)),
        }
    }
    terms.retain(|(step, _)| *step != 0);
    terms.sort_unstable();
    Form { constant: one.constant.saturating_add(other.constant.saturating_mul(factor)), terms }
}

/// A form of threads and values alone, at each of them.
fn values(form: &Form, [threads, values]: [i64; 2]) -> impl Iterator<Item = i64> {
    let [threads, values] = [(Index::Thread, threads), (Index::Value, values)]
        .map(|(index, count)| if form.has(index) { count } else { 1 });
    let at = move |thread| (0..values).map(move |value| Indices { thread, value, ..Indices::default() });
    (0..threads).flat_map(at).map(|own| form.at(&own))
}
