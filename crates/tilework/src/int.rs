//! Arithmetic on extents and strides; all other modules use it.
//!
//! Everything is checked: a result that does not fit is [`Error::Overflow`] with both operands; nothing wraps.

use crate::error::{Error, ok_or, tri};

macro_rules! checked {
    ($($name:ident: $method:ident $operator:literal;)*) => {$(
        #[doc = concat!("`left ", $operator, " right`.")]
        #[inline]
        pub const fn $name(left: i64, right: i64) -> Result<i64, Error> {
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

/// `sum + left * right`, if it fits.
#[inline]
pub const fn add_mul(sum: i64, left: i64, right: i64) -> Result<i64, Error> {
    if let Some(product) = left.checked_mul(right)
        && let Some(total) = sum.checked_add(product)
    {
        return Ok(total);
    }
    add_mul_wide(sum, left, right)
}

#[cold]
const fn add_mul_wide(sum: i64, left: i64, right: i64) -> Result<i64, Error> {
    match narrow(sum as i128 + left as i128 * right as i128) {
        Some(total) => Ok(total),
        None => add(sum, tri!(mul(left, right))),
    }
}

/// The value in 64 bits, if it fits.
#[must_use]
pub const fn narrow(value: i128) -> Option<i64> {
    if value as i64 as i128 == value { Some(value as i64) } else { None }
}

/// Floor division and remainder by a positive divisor: `value == quotient * divisor + remainder`,
/// `0 <= remainder < divisor`.
#[inline]
#[must_use]
pub const fn div_rem(value: i64, divisor: i64) -> (i64, i64) {
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
///
/// ```
/// use tilework::__private::ceil_div;
/// assert_eq!(ceil_div(7, 2), 4);
/// assert_eq!(ceil_div(-7, 2), -3);
/// ```
///
/// # Panics
/// If `divisor` is not positive.
#[must_use]
pub const fn ceil_div(value: i64, divisor: i64) -> i64 {
    assert!(divisor > 0, "ceil_div needs a positive divisor");
    let (quotient, remainder) = div_rem(value, divisor);
    quotient + (remainder != 0) as i64
}

/// The greatest common divisor; `gcd(0, 0)` is 0.
///
/// ```
/// assert_eq!(tilework::__private::gcd(12, 18), 6);
/// ```
#[inline]
#[must_use]
pub const fn gcd(left: u64, right: u64) -> u64 {
    let (mut a, mut b) = (left, right);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The product in the polynomials over F2: `left * right` with partial products added without carries.
pub const fn carryless_mul(left: i64, right: i64) -> Result<i64, Error> {
    let overflow = Error::Overflow { left, operator: '^', right };
    if left < 0 || right < 0 {
        return Err(overflow);
    }
    ok_or(narrow(carryless_product(left, right)), overflow)
}

/// [`carryless_mul`] of two non-negative factors, in 128 bits.
#[must_use]
pub const fn carryless_product(left: i64, right: i64) -> i128 {
    let (mut product, mut rest) = (0, left as u64);
    while rest != 0 {
        product ^= (right as i128) << rest.trailing_zeros();
        rest &= rest - 1;
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floor_division_rounds_down_for_every_sign() {
        for value in -50..50 {
            for divisor in 1..9 {
                let (quotient, remainder) = div_rem(value, divisor);
                assert_eq!(quotient * divisor + remainder, value);
                assert!((0..divisor).contains(&remainder));
                assert_eq!(ceil_div(value, divisor), -((-value).div_euclid(divisor)));
            }
        }
    }

    #[test]
    fn nothing_wraps() {
        assert!(add(i64::MAX, 1).is_err() && sub(i64::MIN, 1).is_err() && mul(1 << 32, 1 << 31).is_err());
        assert!(carryless_mul(1 << 32, 1 << 31).is_err() && carryless_mul(-1, 1).is_err());
        assert_eq!(carryless_mul(1 << 32, 1 << 30), Ok(1 << 62));
        assert_eq!(carryless_product(i64::MAX, i64::MAX), 0x1555_5555_5555_5555_5555_5555_5555_5555);
        assert_eq!(add_mul(i64::MIN, 1 << 32, 1 << 31), Ok(0));
        assert_eq!(add_mul(-1, 1 << 32, 1 << 31), Ok(i64::MAX));
        assert_eq!(add_mul(0, 1 << 32, 1 << 31), mul(1 << 32, 1 << 31));
        assert_eq!(add_mul(i64::MAX, 1, 1), add(i64::MAX, 1));
        assert_eq!(carryless_mul(3, 3), Ok(5));
    }
}
