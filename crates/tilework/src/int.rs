//! Arithmetic on extents and strides: the one place where two of them are combined.
//!
//! Everything is checked: a result that does not fit is [`Error::Overflow`] with both operands, never a wrap.

use crate::Error;

/// `left + right`.
#[inline]
pub(crate) const fn add(left: i64, right: i64) -> Result<i64, Error> {
    match left.checked_add(right) {
        Some(sum) => Ok(sum),
        None => Err(Error::Overflow { left, operator: '+', right }),
    }
}

/// `left - right`.
#[inline]
pub(crate) const fn sub(left: i64, right: i64) -> Result<i64, Error> {
    match left.checked_sub(right) {
        Some(difference) => Ok(difference),
        None => Err(Error::Overflow { left, operator: '-', right }),
    }
}

/// `left * right`.
#[inline]
pub(crate) const fn mul(left: i64, right: i64) -> Result<i64, Error> {
    match left.checked_mul(right) {
        Some(product) => Ok(product),
        None => Err(Error::Overflow { left, operator: '*', right }),
    }
}

/// Floor division and remainder by a positive divisor: `value == quotient * divisor + remainder`,
/// `0 <= remainder < divisor`.
#[inline]
pub(crate) const fn div_rem(value: i64, divisor: i64) -> (i64, i64) {
    debug_assert!(divisor > 0);
    if divisor & (divisor - 1) == 0 {
        // Most extents are powers of two, and a shift is many times as fast as a division.
        (value >> divisor.trailing_zeros(), value & (divisor - 1))
    } else if value >= 0 {
        let (value, divisor) = (value as u64, divisor as u64);
        ((value / divisor) as i64, (value % divisor) as i64)
    } else {
        (value.div_euclid(divisor), value.rem_euclid(divisor))
    }
}

/// The smallest integer not below `value / divisor`, for a positive divisor.
///
/// ```
/// assert_eq!(tilework::ceil_div(7, 2), 4);
/// assert_eq!(tilework::ceil_div(-7, 2), -3);
/// ```
///
/// # Panics
/// Where `divisor` is not positive.
pub const fn ceil_div(value: i64, divisor: i64) -> i64 {
    assert!(divisor > 0, "ceil_div needs a positive divisor");
    let (quotient, remainder) = div_rem(value, divisor);
    quotient + (remainder != 0) as i64
}

/// The greatest common divisor of the magnitudes; `gcd(0, 0)` is 0.
pub(crate) const fn gcd(left: u64, right: u64) -> u64 {
    let (mut a, mut b) = (left, right);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The product in the polynomials over F2: `left * right` where additions of partial products do not carry.
pub(crate) const fn carryless_mul(left: i64, right: i64) -> Result<i64, Error> {
    let overflow = Error::Overflow { left, operator: '^', right };
    if left < 0 || right < 0 {
        return Err(overflow);
    }
    if left != 0 && right != 0 && 126 - left.leading_zeros() - right.leading_zeros() >= 63 {
        return Err(overflow);
    }
    let (mut product, mut rest, mut shifted) = (0, left, right);
    while rest != 0 {
        if rest & 1 == 1 {
            product ^= shifted;
        }
        rest >>= 1;
        if rest != 0 {
            shifted <<= 1;
        }
    }
    Ok(product)
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
        assert_eq!(carryless_mul(3, 3), Ok(5));
    }
}
