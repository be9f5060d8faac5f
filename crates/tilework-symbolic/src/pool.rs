//! The polynomials of a scope, each of them once.

use crate::list::List;
use crate::polynomial::{Monomial, Polynomial, Term, same_terms};
use tilework::Error;

/// The most different numbers of a scope.
pub const MAX_NUMBERS: usize = 256;

/// The most terms of all of them.
const MAX_POOL_TERMS: usize = 768;

/// A symbolic number: the index of its polynomial in its [`Scope`](super::Scope). Equal polynomials are equal numbers.
///
/// ```
/// use tilework_symbolic::Scope;
/// let mut scope = Scope::new();
/// let (m, one) = (scope.declare("M")?, scope.integer(1)?);
/// let next = scope.add(m, one)?;
/// assert_eq!(scope.sub(next, one)?, m);
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Number(u16);

impl Number {
    /// The filler of unused places.
    pub(crate) const UNUSED: Number = Number(0);

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The new index of the number after others were dropped.
    pub(crate) const fn moved(self, to: &[Number; MAX_NUMBERS]) -> Number {
        to[self.index()]
    }

    pub(crate) const fn same(self, other: Number) -> bool {
        self.0 == other.0
    }
}

#[derive(Clone, Copy)]
struct Entry {
    denominator: i64,
    hash: u32,
    first: u16,
    len: u16,
}

#[derive(Clone, Copy)]
pub(crate) struct Pool {
    entries: List<Entry, MAX_NUMBERS>,
    terms: List<Term, MAX_POOL_TERMS>,
}

impl Pool {
    pub const fn new() -> Pool {
        let entry = Entry { denominator: 1, hash: 0, first: 0, len: 0 };
        let term = Term { coefficient: 0, monomial: Monomial::ONE };
        Pool { entries: List::new(entry), terms: List::new(term) }
    }

    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// The number of a polynomial, if it is already stored.
    pub const fn find(&self, polynomial: &Polynomial) -> Option<Number> {
        let hash = hash(polynomial.denominator, polynomial.terms());
        let (entries, mut i) = (self.entries.as_slice(), 0);
        while i < entries.len() {
            if entries[i].hash == hash {
                let terms = self.terms_of(i);
                if same_terms(entries[i].denominator, terms, polynomial.denominator, polynomial.terms()) {
                    return Some(Number(i as u16));
                }
            }
            i += 1;
        }
        None
    }

    /// The number of a polynomial, which is added if it is new.
    pub const fn intern(&mut self, polynomial: &Polynomial) -> Result<Number, Error> {
        if let Some(number) = self.find(polynomial) {
            return Ok(number);
        }
        let (first, terms) = (self.terms.len(), polynomial.terms());
        let hash = hash(polynomial.denominator, terms);
        let (number, mut i) = (Number(self.len() as u16), 0);
        while i < terms.len() {
            if let Err(error) = self.terms.push(terms[i], "terms of symbolic numbers") {
                self.terms.truncate(first);
                return Err(error);
            }
            i += 1;
        }
        let entry =
            Entry { denominator: polynomial.denominator, hash, first: first as u16, len: terms.len() as u16 };
        tri!(self.entries.push(entry, "symbolic numbers"));
        Ok(number)
    }

    const fn terms_of(&self, index: usize) -> &[Term] {
        let Entry { first, len, .. } = self.entries.as_slice()[index];
        self.terms.as_slice().split_at(first as usize).1.split_at(len as usize).0
    }

    /// The terms of a number, and their denominator; those of 0 for an unknown number of another scope.
    pub const fn get(&self, number: Number) -> (&[Term], i64) {
        if number.index() >= self.len() {
            return (&[], 1);
        }
        (self.terms_of(number.index()), self.entries.as_slice()[number.index()].denominator)
    }

    pub const fn polynomial(&self, number: Number) -> Polynomial {
        let (terms, denominator) = self.get(number);
        Polynomial::of(denominator, terms)
    }

    pub const fn hash(&self, number: Number) -> u64 {
        if number.index() >= self.len() { 0 } else { self.entries.as_slice()[number.index()].hash as u64 }
    }

    /// Drops the numbers from number `first` on that are not `used`; returns the new indices of the others.
    pub const fn retain(&mut self, first: usize, used: &[bool; MAX_NUMBERS]) -> [Number; MAX_NUMBERS] {
        let (mut moved, mut i) = ([Number(0); MAX_NUMBERS], 0);
        let (mut count, mut end) = (first, self.terms.len());
        if first < self.len() {
            end = self.entries.as_slice()[first].first as usize;
        }
        while i < self.len() {
            if i < first {
                moved[i] = Number(i as u16);
            } else if used[i] {
                moved[i] = Number(count as u16);
                let mut entry = self.entries.as_slice()[i];
                let (from, mut k) = (entry.first as usize, 0);
                entry.first = end as u16;
                while k < entry.len as usize {
                    self.terms.as_mut_slice()[end] = self.terms.as_slice()[from + k];
                    (end, k) = (end + 1, k + 1);
                }
                self.entries.as_mut_slice()[count] = entry;
                count += 1;
            }
            i += 1;
        }
        self.entries.truncate(count);
        self.terms.truncate(end);
        moved
    }
}

const fn hash(denominator: i64, terms: &[Term]) -> u32 {
    let (mut hash, mut i) = (denominator as u64, 0);
    while i < terms.len() {
        hash = hash.rotate_left(7) ^ terms[i].monomial.hash();
        hash = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(terms[i].coefficient as u64);
        hash = (hash ^ hash >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        i += 1;
    }
    (hash ^ hash >> 32) as u32
}
