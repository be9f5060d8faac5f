//! Indices of a kernel, and their digits.

use crate::form;
use crate::form::Digit;
use core::ops::{Add, Div, Rem};

/// An index of the grid or of a loop, a digit of one with an addend, or a number.
///
/// ```
/// use tilework_program::kernel::Kernel;
/// let mut k = Kernel::new("stages", 32);
/// let s = k.shared::<f32>("s", "(32,3):(1,32)");
/// k.repeat("7", |k, step| k.fill(s.at(1, (step + 2) % 3).threads("32:1@0"), 0.0));
/// assert!(k.finish()?.to_string().contains("s[(k+2)%3 1@1, t 32:1@0] = 0"));
/// # Ok::<(), tilework_program::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Index {
    /// None of a number.
    digit: Option<Digit>,
    plus: i64,
    /// Whether it is none of the sums that a coordinate can be.
    is_wrong: bool,
}

impl Index {
    pub(super) fn of(index: form::Index) -> Index {
        Index { digit: Some(Digit::of(index)), plus: 0, is_wrong: false }
    }

    /// The digit, if there is one, and the number; none where it has no such form.
    pub(super) fn parts(self) -> Option<(Option<Digit>, i64)> {
        (!self.is_wrong).then_some(match self.digit {
            // What is subtracted from an index is no part of a digit, which begins at 0.
            Some(digit @ Digit { add: ..0, .. }) => {
                (Some(Digit { add: 0, ..digit }), self.plus.saturating_add(digit.add))
            }
            digit => (digit, self.plus),
        })
    }

    /// The same with another digit, or a wrong one.
    fn with(self, digit: Option<Digit>) -> Index {
        let is_digit = digit.is_some_and(|digit| digit.add >= 0) && self.plus == 0;
        Index { digit, plus: 0, is_wrong: self.is_wrong || !is_digit }
    }
}

impl From<i64> for Index {
    fn from(number: i64) -> Index {
        Index { digit: None, plus: number, is_wrong: false }
    }
}

impl Add<i64> for Index {
    type Output = Index;

    fn add(self, number: i64) -> Index {
        match self.digit {
            Some(digit) if digit.divisor == 1 && digit.modulus.is_none() => {
                let add = digit.add.saturating_add(number);
                Index { digit: Some(Digit { add, ..digit }), ..self }
            }
            _ => Index { plus: self.plus.saturating_add(number), ..self },
        }
    }
}

/// Rounded down; a divisor of 0 or less is refused by `finish`.
impl Div<i64> for Index {
    type Output = Index;

    fn div(self, divisor: i64) -> Index {
        match self.digit {
            _ if divisor < 1 => Index { is_wrong: true, ..self },
            None => Index { plus: self.plus.div_euclid(divisor), ..self },
            Some(Digit { modulus: Some(modulus), .. }) if modulus % divisor != 0 => self.with(None),
            Some(digit) => {
                let modulus = digit.modulus.map(|modulus| modulus / divisor);
                let whole = digit.divisor.checked_mul(divisor);
                self.with(whole.map(|divisor| Digit { divisor, modulus, ..digit }))
            }
        }
    }
}

/// The rest of a division; a modulus of 0 or less is refused by `finish`.
impl Rem<i64> for Index {
    type Output = Index;

    fn rem(self, modulus: i64) -> Index {
        match self.digit {
            _ if modulus < 1 => Index { is_wrong: true, ..self },
            None => Index { plus: self.plus.rem_euclid(modulus), ..self },
            Some(Digit { modulus: Some(own), .. }) if own % modulus != 0 => self.with(None),
            Some(digit) => self.with(Some(Digit { modulus: Some(modulus), ..digit })),
        }
    }
}
