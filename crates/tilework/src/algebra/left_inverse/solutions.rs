//! The integer solutions of linear equations.

use crate::error::{Error, tri};

pub(super) const UNDECIDED: Error = Error::Undecided { operation: "left_inverse" };

/// How many unknowns there may be.
pub(super) const WIDTH: usize = 18;

/// One number for each unknown: a solution, or the factors of an equation.
pub(super) type Row = [i64; WIDTH];

/// All integer solutions: one of them, and a basis of the differences.
#[derive(Clone, Copy)]
pub(super) struct Solutions {
    pub one: Row,
    basis: [Row; WIDTH],
    count: usize,
    /// How many unknowns there are.
    width: usize,
}

impl Solutions {
    /// No unknowns.
    pub const fn new() -> Solutions {
        Solutions { one: [0; WIDTH], basis: [[0; WIDTH]; WIDTH], count: 0, width: 0 }
    }

    /// Adds an unknown, which is free, and which another one has been standing for as well.
    pub const fn add_unknown(&mut self, unknown: usize, instead_of: usize) {
        let mut direction = [0; WIDTH];
        direction[instead_of] = -1;
        direction[unknown] = 1;
        self.basis[self.count] = direction;
        self.count += 1;
        self.width += 1;
    }

    /// The values of a linear form: `first + n step` for all integers `n`. Changes the basis so that only its last vector
    /// moves the value.
    pub const fn values(&mut self, form: &Row) -> Result<(i128, i128), Error> {
        let mut values = [0i128; WIDTH];
        let mut i = 0;
        while i < self.count {
            values[i] = self.dot(form, &self.basis[i]);
            i += 1;
        }
        if self.count == 0 {
            return Ok((self.dot(form, &self.one), 0));
        }
        let last = self.count - 1;
        loop {
            // The smallest value goes last, and reduces the others.
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
            (values[least], values[last]) = (values[last], values[least]);
            (self.basis[least], self.basis[last]) = (self.basis[last], self.basis[least]);
            if others < 2 {
                return Ok((self.dot(form, &self.one), values[last]));
            }
            let pivot = self.basis[last];
            i = 0;
            while i < last {
                if values[i] != 0 {
                    let quotient = nearest(values[i], values[last]);
                    tri!(subtract(&mut self.basis[i], quotient, &pivot));
                    values[i] -= quotient * values[last];
                }
                i += 1;
            }
        }
    }

    const fn dot(&self, left: &Row, right: &Row) -> i128 {
        let (mut sum, mut i) = (0i128, 0);
        while i < self.width {
            sum += left[i] as i128 * right[i] as i128;
            i += 1;
        }
        sum
    }

    /// Keeps the solutions where the form that has just had these values is `wanted`; `false` where there is none.
    pub const fn keep(&mut self, (first, step): (i128, i128), wanted: i128) -> Result<bool, Error> {
        if step == 0 {
            return Ok(first == wanted);
        }
        if (wanted - first) % step != 0 {
            return Ok(false);
        }
        self.count -= 1;
        let vector = self.basis[self.count];
        tri!(subtract(&mut self.one, (first - wanted) / step, &vector));
        Ok(true)
    }
}

/// The quotient, rounded to the nearest.
const fn nearest(value: i128, divisor: i128) -> i128 {
    let quotient = value.div_euclid(divisor);
    let rest = value - quotient * divisor;
    if 2 * rest > divisor.abs() { quotient + divisor.signum() } else { quotient }
}

/// `from - times * vector`.
const fn subtract(from: &mut Row, times: i128, vector: &Row) -> Result<(), Error> {
    let mut i = 0;
    while times != 0 && i < WIDTH {
        if vector[i] != 0 {
            let Some(product) = times.checked_mul(vector[i] as i128) else { return Err(UNDECIDED) };
            let Some(rest) = (from[i] as i128).checked_sub(product) else { return Err(UNDECIDED) };
            if rest as i64 as i128 != rest {
                return Err(UNDECIDED);
            }
            from[i] = rest as i64;
        }
        i += 1;
    }
    Ok(())
}
