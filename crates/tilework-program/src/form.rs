//! Indices, digits of indices, and the sums of them that coordinates and conditions are.

use crate::prelude::*;

/// What a coordinate depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Index {
    /// A coordinate of the block in the grid.
    Block(usize),
    /// The thread in its block.
    Thread,
    /// The step of a loop, by the place of its name in the program.
    Loop(usize),
    /// The value of a thread.
    Value,
}

impl Index {
    /// The index of a name that needs no loop.
    pub(crate) fn fixed(name: &str) -> Option<Index> {
        match name {
            "t" => Some(Index::Thread),
            "v" => Some(Index::Value),
            "b0" => Some(Index::Block(0)),
            "b1" => Some(Index::Block(1)),
            "b2" => Some(Index::Block(2)),
            _ => None,
        }
    }
}

/// The digit `floor((index + add) / divisor) mod modulus` of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digit {
    /// The index.
    pub index: Index,
    /// What is added to it.
    pub add: i64,
    /// At least 1.
    pub divisor: i64,
    /// At least 1; no modulus leaves the quotient as it is.
    pub modulus: Option<i64>,
}

impl Digit {
    /// The index itself.
    #[must_use]
    pub fn of(index: Index) -> Digit {
        Digit { index, add: 0, divisor: 1, modulus: None }
    }

    /// Its value where the index is `x`.
    #[must_use]
    pub fn value(&self, x: i64) -> i64 {
        let quotient = x.saturating_add(self.add).div_euclid(self.divisor);
        self.modulus.map_or(quotient, |modulus| quotient.rem_euclid(modulus))
    }
}

/// A constant and multiples of digits: a coordinate, or the left side of a condition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// The constant.
    pub constant: i64,
    /// The digits, each with its step.
    pub terms: Vec<(i64, Digit)>,
}

/// The values of all indices at one element of one thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Indices {
    pub blocks: [i64; 3],
    pub thread: i64,
    pub value: i64,
    /// By the place of the loop's name.
    pub loops: Vec<i64>,
}

impl Indices {
    pub fn of(&self, index: Index) -> i64 {
        match index {
            Index::Block(axis) => self.blocks[axis],
            Index::Thread => self.thread,
            Index::Value => self.value,
            Index::Loop(name) => self.loops[name],
        }
    }
}

impl Form {
    /// Its value; one that does not fit 64 bits is the nearest that does.
    pub(crate) fn at(&self, indices: &Indices) -> i64 {
        self.terms.iter().fold(self.constant, |sum, (step, digit)| {
            sum.saturating_add(step.saturating_mul(digit.value(indices.of(digit.index))))
        })
    }

    /// The constant, with the digits of a value of the thread.
    pub(crate) fn of_value(&self, v: i64) -> i64 {
        let own = self.terms.iter().filter(|(_, digit)| digit.index == Index::Value);
        self.constant + own.map(|(step, digit)| step * digit.value(v)).sum::<i64>()
    }

    pub(crate) fn has(&self, index: Index) -> bool {
        self.terms.iter().any(|(_, digit)| digit.index == index)
    }
}
