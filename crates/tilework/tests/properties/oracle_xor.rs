//! What layouts there are for a function of small indices, with integer or with XOR strides, by search through all.
//!
//! A mode of extent 2 or more has the stride `f(1)`, and nothing else is known of a layout here: every divisor is
//! tried, every preimage, every chain of extents.

use crate::oracle::{carryless, integer_solution};
use std::collections::{BTreeMap, BTreeSet};

/// Extents and strides, flat.
pub type Modes = Vec<(i128, i128)>;

/// How offsets are added up.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Sum {
    Integer,
    Xor,
}

pub const SUMS: [Sum; 2] = [Sum::Integer, Sum::Xor];

impl Sum {
    pub fn plus(self, a: i128, b: i128) -> i128 {
        if self == Sum::Xor { a ^ b } else { a + b }
    }

    pub fn times(self, count: i128, stride: i128) -> i128 {
        if self == Sum::Xor { carryless(count, stride) } else { count * stride }
    }
}

/// The fewest modes of a layout with these offsets; `None` where there is none.
pub fn fewest_modes(sum: Sum, f: &[i128]) -> Option<usize> {
    let n = f.len();
    if f[0] != 0 || n == 1 {
        return (f[0] == 0).then_some(0);
    }
    let is_mode = |m: usize| (0..n).all(|x| f[x] == sum.plus(sum.times((x % m) as i128, f[1]), f[x - x % m]));
    let rest = |m: usize| fewest_modes(sum, &f.iter().copied().step_by(m).collect::<Vec<_>>());
    (2..=n).filter(|m| n.is_multiple_of(*m) && is_mode(*m)).filter_map(rest).min().map(|modes| modes + 1)
}

/// Whether a layout with these offsets refines the shape: each leaf is one, and they add up.
pub fn refines(sum: Sum, f: &[i128], shape: &[i128]) -> bool {
    let mut index = 1;
    let mut parts = Vec::new();
    for &extent in shape {
        parts.push((0..extent).map(|c| f[(c * index) as usize]).collect::<Vec<_>>());
        index *= extent;
    }
    let added = |x: usize| {
        let mut rest = x;
        parts.iter().fold(0, |offset, part| {
            let digit = rest % part.len();
            rest /= part.len();
            sum.plus(offset, part[digit])
        })
    };
    (0..f.len()).all(|x| f[x] == added(x)) && parts.iter().all(|part| fewest_modes(sum, part).is_some())
}

/// Whether there is any layout, of integer or XOR strides, with these offsets that refines the shape.
pub fn exists(f: &[i128], shape: &[i128]) -> bool {
    SUMS.iter().any(|&sum| refines(sum, f, shape))
}

fn preimages(all: &[i128]) -> BTreeMap<i128, Vec<i128>> {
    let mut map: BTreeMap<i128, Vec<i128>> = BTreeMap::new();
    for (c, &value) in all.iter().enumerate() {
        map.entry(value).or_default().push(c as i128);
    }
    map
}

/// The size of the largest layout `R` with `L(R(k)) = k` and `R(k)` in `[0, |L|)`.
pub fn largest_right_inverse(sum: Sum, all: &[i128]) -> usize {
    fn run(sum: Sum, all: &[i128], map: &BTreeMap<i128, Vec<i128>>, table: &[i128], best: &mut usize) {
        *best = (*best).max(table.len());
        let done = table.len() as i128;
        for stride in map.get(&done).into_iter().flatten() {
            let mut longer = table.to_vec();
            for step in 1.. {
                let next: Vec<i128> = table.iter().map(|&c| sum.plus(c, sum.times(step, *stride))).collect();
                let right = |k: usize| all.get(next[k] as usize) == Some(&(k as i128 + step * done));
                if !(0..next.len()).all(right) {
                    break;
                }
                longer.extend(next);
                run(sum, all, map, &longer, best);
            }
        }
    }
    let mut best = 1;
    run(sum, all, &preimages(all), &[0], &mut best);
    best
}

/// Whether the numbers are the offsets of an injective layout, in any order.
pub fn is_image(sum: Sum, of: &BTreeSet<i128>) -> bool {
    fn run(sum: Sum, of: &BTreeSet<i128>, done: &BTreeSet<i128>, seen: &mut BTreeSet<Vec<i128>>) -> bool {
        if done.len() == of.len() {
            return true;
        }
        if !seen.insert(done.iter().copied().collect()) {
            return false;
        }
        for &stride in of.difference(done) {
            for extent in 2..=(of.len() / done.len()) {
                let next: BTreeSet<i128> = (0..extent as i128)
                    .flat_map(|step| done.iter().map(move |&x| sum.plus(x, sum.times(step, stride))))
                    .collect();
                if !next.is_subset(of) {
                    break;
                }
                let whole = next.len() == extent * done.len() && of.len().is_multiple_of(next.len());
                if whole && run(sum, of, &next, seen) {
                    return true;
                }
            }
        }
        false
    }
    run(sum, of, &BTreeSet::from([0]), &mut BTreeSet::new())
}

/// Whether some layout `G` has `L(G(v)) = v` for each offset `v` of `L`, and `G(v)` in `[0, |L|)`: for each chain of
/// extents, and each choice of preimages, the strides of `G` solve linear equations.
pub fn left_inverse_exists(sum: Sum, all: &[i128]) -> bool {
    let map = preimages(all);
    let limit = *all.iter().max().unwrap();
    let mut chain = Vec::new();
    chains(1, limit, &mut chain, &mut |chain| {
        let digits = |value: i128| {
            let mut rest = value;
            let mut row: Vec<i128> = Vec::new();
            for extent in chain {
                row.push(rest % extent);
                rest /= extent;
            }
            row.push(rest);
            row
        };
        let offsets: Vec<_> = map.iter().map(|(&value, indices)| (digits(value), indices)).collect();
        match sum {
            Sum::Integer => integers(&offsets, &mut Vec::new(), &mut Vec::new()),
            Sum::Xor => xors(&offsets, &Equations::default()),
        }
    })
}

fn chains(product: i128, limit: i128, chain: &mut Vec<i128>, test: &mut impl FnMut(&[i128]) -> bool) -> bool {
    if test(chain) {
        return true;
    }
    for extent in 2..=limit / product {
        chain.push(extent);
        if chains(product * extent, limit, chain, test) {
            return true;
        }
        chain.pop();
    }
    false
}

fn integers(offsets: &[(Vec<i128>, &Vec<i128>)], rows: &mut Vec<Vec<i128>>, right: &mut Vec<i128>) -> bool {
    let Some((row, indices)) = offsets.get(rows.len()) else { return true };
    rows.push(row.clone());
    for &index in *indices {
        right.push(index);
        if integer_solution(rows, right) && integers(offsets, rows, right) {
            return true;
        }
        right.pop();
    }
    rows.pop();
    false
}

/// Room for one stride: the bits of an index, and some that others cancel.
const BITS: usize = 16;

/// Linear equations over F2, by leading bit; bit 127 is the right side.
#[derive(Clone, Default)]
struct Equations(BTreeMap<u32, u128>);

impl Equations {
    fn add(&mut self, mut equation: u128) -> bool {
        const RIGHT: u128 = 1 << 127;
        while equation & !RIGHT != 0 {
            let lead = (equation & !RIGHT).ilog2();
            match self.0.get(&lead) {
                Some(other) => equation ^= other,
                None => {
                    self.0.insert(lead, equation);
                    return true;
                }
            }
        }
        equation == 0
    }
}

fn xors(offsets: &[(Vec<i128>, &Vec<i128>)], known: &Equations) -> bool {
    let Some(((digits, indices), rest)) = offsets.split_first() else { return true };
    assert!(digits.len() * BITS < 127);
    indices.iter().any(|&index| {
        let mut known = known.clone();
        (0..BITS + 8).all(|bit| {
            let mut equation = ((index >> bit & 1) as u128) << 127;
            for (i, &digit) in digits.iter().enumerate() {
                for shift in (0..=bit).filter(|shift| digit >> shift & 1 == 1 && bit - shift < BITS) {
                    equation ^= 1 << (i * BITS + bit - shift);
                }
            }
            known.add(equation)
        }) && xors(rest, &known)
    })
}
