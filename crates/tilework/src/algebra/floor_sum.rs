//! Sums of floors along a line: where does `f(c) = sum_i w_i floor(s_i c)`, with slopes `0 <= s_i < 1`, first leave
//! zero? Exact, in integers.
//!
//! *Fractions are counted.* `floor(s c)` is the number of fractions `k/c` in `(0, s]`. Each is some `p/q` in lowest terms,
//! with `q | c`. So `f(c)` is the sum of `N_q` over the divisors `q` of `c`, where `N_q` is the number of reduced fractions
//! with denominator `q` in `(0, s_i]`, times `w_i`, summed over `i`; and the first `c` with `f(c) != 0` is the first `q`
//! with `N_q != 0`.
//!
//! *Only denominators matter.* Let `p/q < p'/q'` be neighbours, `p'q - pq' = 1`. The reduced fractions between them are
//! `(xp + yp') / (xq + yq')`, one for each pair of coprime `x, y >= 1`. So their denominators are known from `q` and `q'`.
//! The smallest one is that of the mediant, `q + q'`, which leaves two such intervals, `q, q + q'` and `q + q', q'`.
//!
//! *A slope is a few intervals.* Let `l <= s < r` with neighbours `l` and `r`. Then `(l, s]` is `(l, r)` without `(s, r)`.
//! Let `l'` be the last of the mediants of `l` with `r`, of that with `r`, and so on, that is not above `s`: `(s, r)` is
//! `(l', r)` without `(l', s]`. Then `r` moves down to `r'` above `s` in the same way. Starting at `0/1` and `1/1`,
//! this is Euclid's algorithm: `(0, s]` is a sum of intervals between neighbours with alternating signs, one for each
//! step.
//!
//! So the question is about intervals with weights. For the smallest denominator of a mediant, all intervals with it
//! are processed together. Their weights sum to `N_q`. If it is 0, those with the same two denominators are merged;
//! those with a weight other than 0 are halved. Once no mediant has a denominator below the end of the range, the sum
//! is 0 everywhere.

use crate::error::{Error, tri};
use crate::list::List;
use crate::tuple::MAX_LEAVES;

/// The most denominators that are examined before the answer is "undecided".
const MAX_DENOMINATORS: usize = 1 << 10;

/// The most intervals at one time before the answer is "undecided".
const MAX_INTERVALS: usize = 4 * MAX_LEAVES;

/// Room for the intervals of most sums; a small buffer is faster to initialize.
const FEW: usize = 12;

/// `weight * floor(numerator * c / denominator)`, with `0 <= numerator < denominator`.
#[derive(Clone, Copy)]
pub(crate) struct Floor {
    pub weight: i128,
    pub numerator: i64,
    pub denominator: i64,
}

/// One end of an interval.
#[derive(Clone, Copy)]
struct End {
    denominator: u64,
    /// The distance from the slope, times both denominators; 0 for both ends if the interval does not belong to a
    /// slope.
    distance: u64,
}

/// The fractions between two neighbours, and the state of a slope between them.
#[derive(Clone, Copy)]
struct Interval {
    weight: i128,
    fixed: End,
    /// The end that moves towards the slope next.
    moving: End,
    /// Whether that is the upper end, which stays above the slope; the lower end may reach it.
    from_above: bool,
}

impl Interval {
    const NONE: Interval = Interval::between(1, 1, 0);

    const fn between(left: u64, right: u64, weight: i128) -> Interval {
        let (fixed, moving) =
            (End { denominator: left, distance: 0 }, End { denominator: right, distance: 0 });
        Interval { weight, fixed, moving, from_above: false }
    }

    /// The first interval of a slope.
    const fn of(term: Floor) -> Option<Interval> {
        let Floor { weight, numerator, denominator } = term;
        let fixed = End { denominator: 1, distance: numerator as u64 };
        let moving = End { denominator: 1, distance: (denominator - numerator) as u64 };
        (Interval { weight: weight.wrapping_neg(), fixed, moving, from_above: true }).next()
    }

    /// The slope's next interval.
    const fn next(self) -> Option<Interval> {
        let Interval { weight, fixed, moving, from_above } = self;
        if fixed.distance == 0 {
            return None;
        }
        let steps = (moving.distance - from_above as u64) / fixed.distance;
        let moved = End {
            denominator: moving.denominator + steps * fixed.denominator,
            distance: moving.distance - steps * fixed.distance,
        };
        Some(Interval { weight: weight.wrapping_neg(), fixed: moved, moving: fixed, from_above: !from_above })
    }

    /// The denominator of the mediant. With the slope's denominator `m`, which is below `2^63`, the two ends satisfy
    /// `q * distance' + q' * distance = m`, so that nothing overflows.
    const fn mediant(&self) -> u64 {
        self.fixed.denominator + self.moving.denominator
    }
}

const UNDECIDED: Error = Error::Undecided { operation: "composition" };

/// The smallest `c` below `count` at which the sum of the terms is not 0.
///
/// Weights are added modulo `2^128`. That is exact: where the sum first leaves zero, it is the sum of some of the
/// weights, because the floor of a sum of two coordinates is the sum of their floors, or one more.
pub(crate) const fn first_nonzero(terms: &[Floor], count: i64) -> Result<Option<i64>, Error> {
    let count = if count > 0 { count as u64 } else { 0 };
    match search::<FEW>(terms, count) {
        Err(_) => search::<MAX_INTERVALS>(terms, count),
        found => found,
    }
}

/// [`first_nonzero`] with room for `N` intervals at once.
const fn search<const N: usize>(terms: &[Floor], count: u64) -> Result<Option<i64>, Error> {
    let mut intervals = List::<Interval, N>::new(Interval::NONE);
    // Equal intervals with the current mediant: their smaller denominator, and the sum of their weights.
    let mut met = List::<(u64, i128), N>::new((0, 0));
    let mut i = 0;
    while i < terms.len() {
        if let Some(first) = Interval::of(terms[i]) {
            tri!(add(first, count, &mut intervals));
        }
        i += 1;
    }
    let mut looked_at = 0;
    while looked_at < MAX_DENOMINATORS {
        let mediant = smallest_mediant(intervals.as_slice(), count);
        if mediant == count {
            return Ok(None);
        }
        met.truncate(0);
        if meet(mediant, count, &mut intervals, &mut met) != 0 {
            return Ok(Some(mediant as i64));
        }
        let mut k = 0;
        while k < met.len() {
            let (smaller, weight) = met.as_slice()[k];
            if weight != 0 {
                tri!(add(Interval::between(smaller, mediant, weight), count, &mut intervals));
                tri!(add(Interval::between(mediant - smaller, mediant, weight), count, &mut intervals));
            }
            k += 1;
        }
        looked_at += 1;
    }
    Err(UNDECIDED)
}

/// Adds an interval unless its fractions' denominators are all beyond `count`.
const fn add<const N: usize>(
    interval: Interval,
    count: u64,
    intervals: &mut List<Interval, N>,
) -> Result<(), Error> {
    if interval.mediant() < count && intervals.push(interval, "intervals").is_err() {
        return Err(UNDECIDED);
    }
    Ok(())
}

/// The smallest denominator of a mediant; `count` if there is none.
const fn smallest_mediant(intervals: &[Interval], count: u64) -> u64 {
    let (mut smallest, mut i) = (count, 0);
    while i < intervals.len() {
        let mediant = intervals[i].mediant();
        if mediant < smallest {
            smallest = mediant;
        }
        i += 1;
    }
    smallest
}

/// Removes the intervals with this mediant, and adds the next ones of their slopes. Returns the sum of their weights.
const fn meet<const N: usize>(
    mediant: u64,
    count: u64,
    intervals: &mut List<Interval, N>,
    met: &mut List<(u64, i128), N>,
) -> i128 {
    let (mut sum, mut i) = (0i128, 0);
    while i < intervals.len() {
        let interval = intervals.as_slice()[i];
        if interval.mediant() != mediant {
            i += 1;
            continue;
        }
        sum = sum.wrapping_add(interval.weight);
        let (fixed, moving) = (interval.fixed.denominator, interval.moving.denominator);
        let smaller = if fixed < moving { fixed } else { moving };
        let mut k = 0;
        while k < met.len() && met.as_slice()[k].0 != smaller {
            k += 1;
        }
        if k == met.len() {
            // There are at most as many as intervals.
            let _ = met.push((smaller, 0), "intervals");
        }
        met.as_mut_slice()[k].1 = met.as_slice()[k].1.wrapping_add(interval.weight);
        match interval.next() {
            Some(next) if next.mediant() < count => {
                intervals.as_mut_slice()[i] = next;
                i += 1;
            }
            _ => {
                let last = intervals.len() - 1;
                intervals.as_mut_slice()[i] = intervals.as_slice()[last];
                intervals.truncate(last);
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn floor(weight: i128, numerator: i64, denominator: i64) -> Floor {
        Floor { weight, numerator, denominator }
    }

    fn value(terms: &[Floor], c: i64) -> i128 {
        let one =
            |term: &Floor| term.weight * (term.numerator as i128 * c as i128 / term.denominator as i128);
        terms.iter().map(one).sum()
    }

    fn enumerated(terms: &[Floor], count: i64) -> Option<i64> {
        (0..count).find(|&c| value(terms, c) != 0)
    }

    #[test]
    fn all_sums_of_three_small_slopes() {
        let slopes: Vec<(i64, i64)> = (1..9).flat_map(|m| (0..m).map(move |a| (a, m))).collect();
        let weights = [(1, -1, 1), (1, 1, -1), (1, -2, 1), (2, -1, -1), (1, -1, -1), (1, 1, 0)];
        let mut zero = 0;
        for &x in &slopes {
            for &y in &slopes {
                for &z in &slopes {
                    for (u, v, w) in weights {
                        let terms = [floor(u, x.0, x.1), floor(v, y.0, y.1), floor(w, z.0, z.1)];
                        let found = enumerated(&terms, 24);
                        zero += found.is_none() as usize;
                        assert_eq!(first_nonzero(&terms, 24), Ok(found), "{x:?} {y:?} {z:?} {u} {v} {w}");
                        let count = found.unwrap_or(7);
                        assert_eq!(first_nonzero(&terms, count), Ok(None), "{x:?} {y:?} {z:?} {u} {v} {w}");
                    }
                }
            }
        }
        assert!(zero > 500, "{zero}");
    }

    #[test]
    fn sums_of_floors_below_an_end_that_their_denominators_exceed() {
        let mut state = 1u64;
        let mut random = |below: i64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as i64 % below
        };
        let (mut zero, mut late) = (0, 0);
        for _ in 0..40_000 {
            let count = 2 + random(12);
            let terms: Vec<Floor> = (0..3 + random(4))
                .map(|_| {
                    let denominator = 2 + random(2 * count);
                    floor(random(3) as i128 - 1, random(denominator), denominator)
                })
                .collect();
            let found = enumerated(&terms, count);
            zero += found.is_none() as usize;
            late += found.is_some_and(|c| (1..c).any(|c| terms.iter().any(|term| value(&[*term], c) != 0)))
                as usize;
            assert_eq!(first_nonzero(&terms, count), Ok(found));
        }
        assert!(zero > 4000 && late > 4000, "{zero} {late}");
    }

    #[test]
    fn sums_to_the_end_of_64_bits() {
        const MAX: i64 = i64::MAX;
        // Neighbouring Fibonacci numbers: the greatest number of intervals.
        let (a, m) = (4_660_046_610_375_530_309, 7_540_113_804_746_346_429);
        for (terms, expected) in [
            (&[floor(3, a, m), floor(-3, a, m)][..], None),
            (&[floor(1, a, m), floor(-2, a - 1, m), floor(1, a - 2, m)], Some(2_971_215_073)),
            (&[floor(1, MAX - 2, MAX - 1), floor(-1, MAX - 3, MAX - 2)], Some(MAX - 1)),
            (&[floor(1, MAX - 1, MAX), floor(-1, MAX - 2, MAX - 1)], None),
            // Mirrored: floor(s c) + floor((1-s) c) = c - 1 where s c is not an integer.
            (&[floor(1, a, m), floor(1, m - a, m), floor(-1, MAX - 1, MAX)], Some(m)),
            // Slopes that are equal, and slopes that nearly are.
            (&[floor(1, 1 << 60, 3 << 60), floor(-1, 2 << 59, 6 << 59), floor(0, 1, 5)], None),
            (&[floor(1, 1, 2), floor(-1, (1 << 61) - 1, 1 << 62)], Some(2)),
            (&[floor(1, (1 << 61) + 1, 1 << 62), floor(-1, 1, 2)], Some((1 << 61) + 1)),
            // Intermediate sums of weights exceed 2^127.
            (
                &[
                    floor(1 << 126, 1, 2),
                    floor(1 << 126, 1, 2),
                    floor(-(1 << 126), 2, 4),
                    floor(-(1 << 126), 2, 4),
                ],
                None,
            ),
        ] {
            assert_eq!(first_nonzero(terms, MAX), Ok(expected.filter(|&c| c < MAX)));
            if let Some(c) = expected {
                assert_ne!(value(terms, c), 0);
                assert!((1..c.min(1000)).all(|k| value(terms, c - k) == 0));
                assert!((1..1000).all(|k| value(terms, c / 1000 * k) == 0));
            }
        }
        assert_eq!(first_nonzero(&[floor(1, 1, 2)], 0), Ok(None));
        assert_eq!(first_nonzero(&[], MAX), Ok(None));
    }

    #[test]
    fn a_run_that_three_intervals_cancel_at_every_step() {
        // Between 1/2 and its neighbour of denominator b lie b+2, b+4, ..., and as many between 1/4 and 3/4 and theirs.
        let terms = |b: i64| {
            let (c, p) = (b - 2, (b - 2) / 3);
            [
                floor(1, (b + 1) / 2, b),
                floor(-1, 1, 2),
                floor(-1, (c + 1) / 4, c),
                floor(1, 1, 4),
                floor(-1, (3 * b + 1) / 4, b),
                floor(1, 3, 4),
                floor(1, p, c),
                floor(-1, p * 2 * b - 1, c * 2 * b),
            ]
        };
        assert_eq!(enumerated(&terms(1005), 2009), None);
        assert_eq!(first_nonzero(&terms(1005), 2009), Ok(None));
        assert_eq!(first_nonzero(&terms(5001), 2009), Ok(None));
        assert_eq!(first_nonzero(&terms(5001), 10_001), Err(UNDECIDED));
    }
}
