//! Arithmetic on extents and strides; all other modules use it.
//!
//! Everything is checked: a result that does not fit is [`Error::Overflow`] with both operands; nothing wraps.

use tilework::Error;

macro_rules! checked {
    ($($name:ident: $method:ident $operator:literal;)*) => {$(
        #[doc = concat!("`left ", $operator, " right`.")]
        #[inline]
        pub(crate) fn $name(left: i64, right: i64) -> Result<i64, Error> {
            match left.$method(right) {
                Some(result) => Ok(result),
                None => Err(Error::Overflow { left, operator: $operator, right }),
            }
        }
    )*};
}
checked! {
    add: checked_add '+';
    sub: checked_sub '-';
    mul: checked_mul '*';
}

/// The value in 64 bits, if it fits.
pub(crate) fn narrow(value: i128) -> Option<i64> {
    if value as i64 as i128 == value { Some(value as i64) } else { None }
}

/// Floor division and remainder by a positive divisor: `value == quotient * divisor + remainder`,
/// `0 <= remainder < divisor`.
#[inline]
pub(crate) fn div_rem(value: i64, divisor: i64) -> (i64, i64) {
    debug_assert!(divisor > 0);
    if divisor & (divisor - 1) == 0 {
        // Most extents are powers of two, and a shift is much faster than a division.
        (value >> divisor.trailing_zeros(), value & (divisor - 1))
    } else if value >= 0 {
        let (value, divisor) = (value as u64, divisor as u64);
        ((value / divisor) as i64, (value % divisor) as i64)
    } else {
        (value.div_euclid(divisor), value.rem_euclid(divisor))
    }
}

/// The smallest integer that is at least `value / divisor`, for a positive divisor.
pub(crate) fn ceil_div(value: i64, divisor: i64) -> i64 {
    let (quotient, remainder) = div_rem(value, divisor);
    quotient + (remainder != 0) as i64
}

/// The greatest common divisor of the magnitudes; `gcd(0, 0)` is 0.
pub(crate) fn gcd(left: u64, right: u64) -> u64 {
    let (mut a, mut b) = (left, right);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The product in the polynomials over F2: `left * right` with partial products added without carries.
pub(crate) fn carryless_mul(left: i64, right: i64) -> Result<i64, Error> {
    let overflow = Error::Overflow { left, operator: '^', right };
    if left < 0 || right < 0 {
        return Err(overflow);
    }
    match narrow(carryless_product(left, right)) {
        Some(product) => Ok(product),
        None => Err(overflow),
    }
}

/// [`carryless_mul`] of two non-negative factors, in 128 bits.
pub(crate) fn carryless_product(left: i64, right: i64) -> i128 {
    let (mut product, mut rest) = (0, left as u64);
    while rest != 0 {
        product ^= (right as i128) << rest.trailing_zeros();
        rest &= rest - 1;
    }
    product
}
