//! The solutions of linear equations: over the integers, or, for XORs and carry-less products, over the polynomials
//! over F2. Euclid's algorithm is the same in both.

use crate::error::{Error, ok_or, tri};
use crate::int::{carryless_product, narrow};

pub(super) const UNDECIDED: Error = Error::Undecided { operation: "left_inverse" };

/// The most unknowns.
pub(super) const WIDTH: usize = 18;

/// One number for each unknown: a solution, or the factors of an equation.
pub(super) type Row = [i64; WIDTH];

#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::algebra) enum Ring {
    Integers,
    Polynomials,
}

impl Ring {
    /// `from - times * number`.
    pub const fn subtract(self, from: i64, times: i64, number: i64) -> Result<i64, Error> {
        let rest = match self {
            Ring::Integers => from as i128 - times as i128 * number as i128,
            Ring::Polynomials => from as i128 ^ carryless_product(times, number),
        };
        ok_or(narrow(rest), UNDECIDED)
    }

    pub const fn plus(self, left: i64, right: i64) -> Result<i64, Error> {
        match self {
            Ring::Integers => ok_or(left.checked_add(right), UNDECIDED),
            Ring::Polynomials => Ok(left ^ right),
        }
    }

    pub const fn minus(self, left: i64, right: i64) -> Result<i64, Error> {
        match self {
            Ring::Integers => ok_or(left.checked_sub(right), UNDECIDED),
            Ring::Polynomials => Ok(left ^ right),
        }
    }

    /// The factor that maps a divisor to a value, if there is one.
    pub const fn ratio(self, value: i64, divisor: i64) -> Option<i64> {
        let quotient = self.quotient(value, divisor);
        match self.subtract(value, quotient, divisor) {
            Ok(0) => Some(quotient),
            _ => None,
        }
    }

    pub const fn gcd(self, mut left: i64, mut right: i64) -> i64 {
        while right != 0 {
            let rest = match self.subtract(left, self.quotient(left, right), right) {
                Ok(rest) => rest,
                Err(_) => return 1,
            };
            (left, right) = (right, rest);
        }
        left.wrapping_abs()
    }

    /// The sum of the products of the first `width` numbers.
    pub const fn dot(self, left: &Row, right: &Row, width: usize) -> Result<i64, Error> {
        let (mut sum, mut i) = (0i128, 0);
        while i < width {
            match self {
                Ring::Integers => sum += left[i] as i128 * right[i] as i128,
                Ring::Polynomials => sum ^= carryless_product(left[i], right[i]),
            }
            i += 1;
        }
        ok_or(narrow(sum), UNDECIDED)
    }

    /// The quotient with the smallest remainder.
    const fn quotient(self, value: i64, divisor: i64) -> i64 {
        match self {
            Ring::Integers => {
                let (quotient, rest) =
                    (value.wrapping_div_euclid(divisor), value.wrapping_rem_euclid(divisor));
                if rest as u64 > divisor.unsigned_abs() / 2 { quotient + divisor.signum() } else { quotient }
            }
            Ring::Polynomials => {
                let (mut quotient, mut rest, width) = (0, value, divisor.leading_zeros());
                while rest.leading_zeros() <= width {
                    let shift = width - rest.leading_zeros();
                    quotient |= 1 << shift;
                    rest ^= divisor << shift;
                }
                quotient
            }
        }
    }

    /// Whether a value is among `first`, `first + step`, ...
    pub const fn reaches(self, (first, step): (i64, i64), value: i64) -> bool {
        if step == 0 {
            return value == first;
        }
        match self {
            Ring::Integers => match value.checked_sub(first) {
                Some(rest) => rest.wrapping_rem(step) == 0,
                None => (value as i128 - first as i128) % step as i128 == 0,
            },
            Ring::Polynomials => {
                let rest = value ^ first;
                rest as i128 == carryless_product(self.quotient(rest, step), step)
            }
        }
    }
}

/// All solutions: one of them, and a basis of the differences.
#[derive(Clone, Copy)]
pub(super) struct Solutions {
    ring: Ring,
    pub one: Row,
    basis: [Row; WIDTH],
    count: usize,
    /// The number of unknowns.
    width: usize,
}

impl Solutions {
    pub const fn new(ring: Ring) -> Solutions {
        Solutions { ring, one: [0; WIDTH], basis: [[0; WIDTH]; WIDTH], count: 0, width: 0 }
    }

    /// Adds the next unknown, which is free or keeps its value.
    pub const fn let_free(&mut self, unknown: usize, free: bool) {
        self.width = unknown + 1;
        if free {
            self.basis[self.count] = [0; WIDTH];
            self.basis[self.count][unknown] = 1;
            self.count += 1;
        }
    }

    /// Replaces an unknown by `unknown - times * other`.
    pub const fn substitute(&mut self, unknown: usize, times: i64, other: usize) -> Result<(), Error> {
        self.one[unknown] = tri!(self.ring.subtract(self.one[unknown], times, self.one[other]));
        let mut i = 0;
        while i < self.count {
            let vector = &mut self.basis[i];
            vector[unknown] = tri!(self.ring.subtract(vector[unknown], times, vector[other]));
            i += 1;
        }
        Ok(())
    }

    /// Whether the solution is unique.
    pub const fn is_one(&self) -> bool {
        self.count == 0
    }

    /// The cost of an equation, in steps of about seven nanoseconds.
    pub const fn cost(&self) -> usize {
        6 + self.width + self.count * self.width / 2
    }

    /// The values of a linear form: `first + n step` for all `n`. Changes the basis so that only its last vector moves the
    /// value.
    pub const fn values(&mut self, form: &Row) -> Result<(i64, i64), Error> {
        self.values_up_to(form, 0)
    }

    /// The values up to multiples of a modulus, which is stored after the last vector if it is not 0.
    const fn values_up_to(&mut self, form: &Row, modulus: i64) -> Result<(i64, i64), Error> {
        let first = tri!(self.ring.dot(form, &self.one, self.width));
        if self.count == 0 {
            return Ok((first, 0));
        }
        let (mut values, last, mut i) = ([0; WIDTH], self.count - 1, 0);
        while i <= last {
            values[i] = tri!(self.ring.dot(form, &self.basis[i], self.width));
            i += 1;
        }
        if modulus != 0 {
            values[last] = modulus;
        }
        loop {
            // The smallest value is moved last, and reduces the others.
            let (mut least, mut others) = (last, 0);
            i = 0;
            while i <= last {
                if values[i] != 0 {
                    others += 1;
                    if values[least] == 0 || values[i].unsigned_abs() < values[least].unsigned_abs() {
                        least = i;
                    }
                }
                i += 1;
            }
            if least != last {
                (values[least], values[last]) = (values[last], values[least]);
                (self.basis[least], self.basis[last]) = (self.basis[last], self.basis[least]);
            }
            if others < 2 {
                return Ok((first, values[last]));
            }
            let pivot = self.basis[last];
            i = 0;
            while i < last {
                if values[i] != 0 {
                    let quotient = self.ring.quotient(values[i], values[last]);
                    values[i] = tri!(self.ring.subtract(values[i], quotient, values[last]));
                    let mut k = 0;
                    while k < self.width {
                        self.basis[i][k] = tri!(self.ring.subtract(self.basis[i][k], quotient, pivot[k]));
                        k += 1;
                    }
                }
                i += 1;
            }
        }
    }

    /// Keeps the solutions for which the form just evaluated to these values is `wanted`; `false` if there is none.
    pub const fn keep(&mut self, values: (i64, i64), wanted: i64) -> Result<bool, Error> {
        if !self.ring.reaches(values, wanted) {
            return Ok(false);
        }
        if values.1 != 0 {
            let times = self.ring.quotient(tri!(self.ring.subtract(values.0, 1, wanted)), values.1);
            self.count -= 1;
            let (vector, mut k) = (self.basis[self.count], 0);
            while k < self.width {
                self.one[k] = tri!(self.ring.subtract(self.one[k], times, vector[k]));
                k += 1;
            }
        }
        Ok(true)
    }

    /// Keeps the solutions for which a form is `wanted`, up to multiples of a modulus other than 0; `false` if there is
    /// none.
    pub const fn keep_up_to(&mut self, form: &Row, wanted: i64, modulus: i64) -> Result<bool, Error> {
        if modulus != 0 {
            if self.count == WIDTH {
                return Err(UNDECIDED);
            }
            // A further unknown, the multiple, which is not kept.
            self.basis[self.count] = [0; WIDTH];
            self.count += 1;
        }
        let values = tri!(self.values_up_to(form, modulus));
        self.keep(values, wanted)
    }

    /// Keeps one solution with small unknowns, the last ones first.
    pub const fn keep_small(&mut self) -> Result<(), Error> {
        let mut unknown = self.width;
        while unknown > 0 {
            unknown -= 1;
            let mut form = [0; WIDTH];
            form[unknown] = 1;
            let values = tri!(self.values(&form));
            if values.1 != 0 {
                let times = self.ring.quotient(values.0, values.1);
                let _ = tri!(self.keep(values, tri!(self.ring.subtract(values.0, times, values.1))));
            }
        }
        Ok(())
    }
}
