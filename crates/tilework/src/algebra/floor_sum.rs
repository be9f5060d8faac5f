//! Sums of floors along a line: where does `c -> sum_i w_i floor(a_i c / m_i)` first leave zero?
//!
//! The sum is compared with zero on a whole range `[0, n)` at once, through the value of the polynomial
//! `sum_c f(c) z^c` modulo the prime `2^127 - 1`. Each floor's polynomial is evaluated in `O(log)` steps by following
//! the staircase of its line as in Euclid's algorithm, in a monoid of steps to the right and upwards. A sum that is
//! not zero has a polynomial of degree below `n < 2^63`, which vanishes at the point `z` chosen with probability
//! below `2^-63`; "not zero" is certain.

use crate::int::ceil_div;

const PRIME: u128 = (1 << 127) - 1;

/// `weight * floor(numerator * c / denominator)`, with `0 <= numerator < denominator`.
#[derive(Clone, Copy)]
pub(crate) struct Floor {
    pub weight: i128,
    pub numerator: i64,
    pub denominator: i64,
}

/// Whether the sum of the terms is 0 for all `c` of `[0, count)`.
pub(crate) const fn is_zero(terms: &[Floor], count: i64) -> bool {
    let point = point(terms, count);
    let mut sum = 0;
    let mut i = 0;
    while i < terms.len() {
        let Floor { weight, numerator, denominator } = terms[i];
        let hash = hash(count, numerator, denominator, point);
        sum = add(sum, mul(residue(weight), hash));
        i += 1;
    }
    sum == 0
}

/// The smallest `c` below `count` at which the sum of the terms is not 0.
pub(crate) const fn first_nonzero(terms: &[Floor], count: i64) -> Option<i64> {
    // Before the first term becomes 1 all are 0, and there exactly those are 1 that begin there.
    let (mut first, mut sum, mut i) = (count, 0i128, 0);
    while i < terms.len() {
        if terms[i].numerator != 0 {
            let begin = ceil_div(terms[i].denominator, terms[i].numerator);
            if begin < first {
                first = begin;
                sum = terms[i].weight;
            } else if begin == first {
                sum += terms[i].weight;
            }
        }
        i += 1;
    }
    if first == count {
        return None;
    }
    if sum != 0 {
        return Some(first);
    }
    if is_zero(terms, count) {
        return None;
    }
    let (mut zero, mut other) = (first, count);
    while other - zero > 1 {
        let middle = zero + (other - zero) / 2;
        if is_zero(terms, middle) {
            zero = middle;
        } else {
            other = middle;
        }
    }
    Some(zero)
}

/// A point that depends on everything that the question does.
const fn point(terms: &[Floor], count: i64) -> u128 {
    let mut state = count as u64;
    let mut i = 0;
    while i < terms.len() {
        state = mix(state ^ terms[i].weight as u64);
        state = mix(state ^ terms[i].numerator as u64);
        state = mix(state ^ terms[i].denominator as u64);
        i += 1;
    }
    (((state as u128) << 64) + mix(state) as u128) % PRIME
}

/// The output function of SplitMix64.
const fn mix(state: u64) -> u64 {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let state = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ state >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ state >> 31
}

/// What a path of the staircase does: with steps to the right at which the point's power grows and the height is
/// added, and steps upwards.
#[derive(Clone, Copy)]
struct Path {
    /// `z` to the number of steps to the right.
    power: u128,
    /// The number of steps upwards.
    height: u128,
    /// The sum of the powers before each step to the right.
    powers: u128,
    /// The sum of power times height at each step to the right.
    sum: u128,
}

impl Path {
    const EMPTY: Path = Path { power: 1, height: 0, powers: 0, sum: 0 };

    /// This path and then the other.
    const fn then(self, next: Path) -> Path {
        Path {
            power: mul(self.power, next.power),
            height: add(self.height, next.height),
            powers: add(self.powers, mul(self.power, next.powers)),
            sum: add(self.sum, mul(self.power, add(next.sum, mul(self.height, next.powers)))),
        }
    }

    const fn repeat(self, times: i128) -> Path {
        let (mut result, mut square, mut rest) = (Path::EMPTY, self, times);
        while rest > 0 {
            if rest & 1 == 1 {
                result = result.then(square);
            }
            square = square.then(square);
            rest >>= 1;
        }
        result
    }
}

/// `sum of floor(a c / m) z^c` over `0 <= c < count`, modulo the prime.
const fn hash(count: i64, a: i64, m: i64, z: u128) -> u128 {
    if count <= 0 {
        return 0;
    }
    // The path begins with the step to the right at c = 0; heights rise after it.
    let mut right = Path { power: z, height: 0, powers: 1, sum: 0 };
    let mut up = Path { power: 1, height: 1, powers: 0, sum: 0 };
    let (mut a, mut b, mut m, mut n) = (a as i128, 0i128, m as i128, count as i128);
    let mut ups = a * n / m;
    let (mut prefix, mut suffix) = (Path::EMPTY, Path::EMPTY);
    loop {
        let (whole, begin) = (a / m, b / m);
        a %= m;
        b %= m;
        right = right.then(up.repeat(whole));
        prefix = prefix.then(up.repeat(begin));
        ups -= whole * n + begin;
        if ups == 0 {
            return prefix.then(right.repeat(n)).then(suffix).sum;
        }
        let steps = (m * ups - b - 1) / a + 1;
        suffix = up.then(right.repeat(n - steps).then(suffix));
        b = m - b - 1 + a;
        n = ups - 1;
        ups = steps;
        (m, a) = (a, m);
        (right, up) = (up, right);
    }
}

const fn residue(value: i128) -> u128 {
    value.rem_euclid(PRIME as i128) as u128
}

const fn add(a: u128, b: u128) -> u128 {
    let sum = a + b;
    if sum >= PRIME { sum - PRIME } else { sum }
}

const fn mul(a: u128, b: u128) -> u128 {
    const LOW: u128 = u64::MAX as u128;
    let (a_high, a_low, b_high, b_low) = (a >> 64, a & LOW, b >> 64, b & LOW);
    // 2^127 is 1, and so 2^128 is 2. For the largest factors, 2^127 - 2, `high` is 2^127 - 6.
    let middle = a_high * b_low + a_low * b_high;
    let high = 2 * (a_high * b_high) + 2 * (middle >> 64);
    add(add(high, fold((middle & LOW) << 64)), fold(a_low * b_low))
}

/// Modulo the prime: a multiple of `2^64`, or a product of two words. Neither is the prime itself, and both are at most
/// `2^128 - 2^64`, so that nothing is left to subtract.
const fn fold(value: u128) -> u128 {
    (value & PRIME) + (value >> 127)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_modulo_the_prime() {
        assert_eq!(mul(PRIME - 1, PRIME - 1), 1);
        assert_eq!(mul(1 << 126, 2), 1);
        assert_eq!(mul(1 << 64, 1 << 63), 1);
        assert_eq!(mul(3 << 100, 5 << 20), 15 << 120);
        assert_eq!(residue(-1), PRIME - 1);
    }

    #[test]
    fn points_are_spread_and_depend_on_the_whole_question() {
        // The first two numbers of SplitMix64 with the seed 1234567, as its author publishes them.
        assert_eq!(mix(1_234_567), 6_457_827_717_110_365_317);
        assert_eq!(mix(1_234_567_u64.wrapping_add(0x9e37_79b9_7f4a_7c15)), 3_203_168_211_198_807_973);
        let mut points = std::vec::Vec::new();
        for weight in [-2, -1, 1, 2] {
            for numerator in 1..9 {
                for denominator in 9..17 {
                    let term = Floor { weight, numerator, denominator };
                    points.extend([point(&[term], 7), point(&[term], 8), point(&[term, term], 7)]);
                }
            }
        }
        let all = points.len();
        for bit in 0..127 {
            let set = points.iter().filter(|&&point| point >> bit & 1 == 1).count();
            assert!(set > all * 2 / 5 && set < all * 3 / 5, "bit {bit}: {set} of {all}");
        }
        assert!(points.iter().all(|&point| point < PRIME));
        points.sort_unstable();
        points.dedup();
        assert_eq!(points.len(), all);
    }

    #[test]
    fn the_hash_is_the_sum() {
        let z = 0x1234_5678_9abc_def0_1122_3344_5566_7788 % PRIME;
        for m in 1..12 {
            for a in 0..=m {
                for count in 0..40 {
                    let (mut sum, mut power) = (0, 1);
                    for c in 0..count {
                        sum = add(sum, mul((a * c / m) as u128, power));
                        power = mul(power, z);
                    }
                    assert_eq!(hash(count, a, m, z), sum, "floor({a}c/{m}) below {count}");
                }
            }
        }
    }

    #[test]
    fn the_first_place_that_is_not_zero() {
        for m in 2..9 {
            for a in 1..m {
                for b in 1..2 * m {
                    let terms = [
                        Floor { weight: 1, numerator: a, denominator: m },
                        Floor { weight: -1, numerator: b, denominator: 2 * m },
                        Floor { weight: 1, numerator: 1, denominator: 7 },
                    ];
                    let value = |c: i64| a * c / m - b * c / (2 * m) + c / 7;
                    assert_eq!(first_nonzero(&terms, 60), (0..60).find(|&c| value(c) != 0), "{a} {b} {m}");
                }
            }
        }
    }
}
