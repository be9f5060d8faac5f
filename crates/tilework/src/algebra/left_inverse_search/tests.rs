//! The search against a list of all divisor chains and the integer systems that they give.

use crate::{Codomain, Error, Layout};
use std::string::ToString;
use std::vec::Vec;
use std::{format, println};

fn of(modes: &[(i64, i64)]) -> Layout {
    let shape: Vec<_> = modes.iter().map(|m| m.0.to_string()).collect();
    let stride: Vec<_> = modes.iter().map(|m| m.1.to_string()).collect();
    format!("({}):({})", shape.join(","), stride.join(",")).parse().unwrap()
}

/// Whether integers `x` with `rows x = right` exist: columns are reduced as in Euclid's algorithm.
fn solvable(rows: &[Vec<i64>], right: &[i64]) -> bool {
    let (m, n) = (rows.len(), rows[0].len());
    let mut columns: Vec<Vec<i128>> = (0..n).map(|j| (0..m).map(|i| rows[i][j] as i128).collect()).collect();
    let mut rest: Vec<i128> = right.iter().map(|&x| x as i128).collect();
    let mut done = 0;
    for r in 0..m {
        loop {
            let Some(p) = (done..n).filter(|&j| columns[j][r] != 0).min_by_key(|&j| columns[j][r].abs())
            else {
                if rest[r] != 0 {
                    return false;
                }
                break;
            };
            columns.swap(done, p);
            let pivot = columns[done].clone();
            let mut clean = true;
            for column in &mut columns[done + 1..] {
                let q = column[r].div_euclid(pivot[r]);
                column.iter_mut().zip(&pivot).for_each(|(x, y)| *x -= q * y);
                clean &= column[r] == 0;
            }
            if clean {
                if rest[r] % pivot[r] != 0 {
                    return false;
                }
                let q = rest[r] / pivot[r];
                rest.iter_mut().zip(&pivot).for_each(|(x, y)| *x -= q * y);
                done += 1;
                break;
            }
        }
    }
    true
}

/// Whether a layout sends `offsets[k]` to `k`: one linear system for each chain of divisors.
fn exists(offsets: &[i64], bound: i64, chain: &mut Vec<i64>) -> bool {
    let rows: Vec<Vec<i64>> =
        offsets.iter().map(|&x| [1].iter().chain(chain.iter()).map(|p| x / p).collect()).collect();
    let right: Vec<i64> = (0..offsets.len() as i64).collect();
    if solvable(&rows, &right) {
        return true;
    }
    let high = *offsets.iter().max().unwrap();
    let mut next = 2 * bound;
    while next <= high {
        chain.push(next);
        if exists(offsets, next, chain) {
            return true;
        }
        chain.pop();
        next += bound;
    }
    false
}

/// Every injective layout of two modes, and every `step`th of three, with extents 2 to 4 and strides 1 to 14: an
/// inverse is found exactly where there is one.
fn exact_on_small_layouts(step: usize) {
    let (mut all, mut number) = (Vec::new(), 0);
    each(2, &mut Vec::new(), &mut |modes| all.push(modes.to_vec()));
    each(3, &mut Vec::new(), &mut |modes| {
        number += 1;
        if number % step == 0 {
            all.push(modes.to_vec());
        }
    });
    let (mut found, mut none) = (0, 0);
    for modes in all {
        let layout = of(&modes);
        let offsets: Vec<i64> = (0..layout.size()).map(|k| layout.at(k)).collect();
        let mut sorted = offsets.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() < offsets.len() {
            continue;
        }
        match layout.left_inverse() {
            Ok(inverse) => {
                found += 1;
                assert!(sorted[sorted.len() - 1] < inverse.size(), "{layout} {inverse}");
                for (k, &offset) in offsets.iter().enumerate() {
                    assert_eq!(inverse.at(offset), k as i64, "{layout} {inverse}");
                }
            }
            Err(error) => {
                none += 1;
                assert_eq!(error.code(), "no-inverse", "{layout}");
                assert!(!exists(&offsets, 1, &mut Vec::new()), "{layout}");
            }
        }
    }
    println!("{found} found, {none} have none");
    assert!(found > 0 && none > 0);
}

/// All of them where the compiler optimises; the sums take minutes where it does not.
#[test]
fn exact_on_small_layouts_of_two_and_three_modes() {
    exact_on_small_layouts(if cfg!(debug_assertions) { 97 } else { 1 });
}

fn inverse(text: &str) -> Result<Layout, Error> {
    text.parse::<Layout>().unwrap().left_inverse()
}

#[test]
fn beyond_chains() {
    for (layout, expected) in [
        ("(2,2):(2,3)", "(2,3):(1,1)"),
        // Carries cancel.
        ("(2,3):(2,3)", "(2,3,2):(1,1,4)"),
        // A mode of stride 0 has coordinate 0.
        ("(2,5,2):(2,0,3)", "(2,3):(9,1)"),
        ("(2,2):(2@0,3@0)", "((2,3)):((1,1))"),
        ("(2,2,2):(2@0,1@1,3@0)", "((2,3),2):((3,1),2)"),
        // Carries cancel, and only with the common divisor taken out is the image small.
        ("(2,2,4):(7000,5000,8000)", "(1000,2,2,2,8):(0,3,-1,-1,4)"),
        // Millions of bounds, in few intervals.
        ("(2,3):(200000,300000)", "(133334,6):(0,1)"),
        ("(8,6):(3000001,100000007)", "(3778,13,10608):(672,-183756,49)"),
        // Within the budget where the intervals that cannot begin a chain are left out.
        ("(4,5,2):(169887,170094,34665)", "(26,2,46,512):(-131,1557,-32,6)"),
        // Where one bound of an interval stands for all.
        ("(2,2,2):(1125480,1133591,448120)", "(629,12,359):(0,1,0)"),
        // Where equations of a few offsets rule most chains out.
        ("(7,5):(191,51)", "(12,17,8):(101,-74,28)"),
        ("(2,2,2,2):(743,216,559,71)", "(4,2,2,3,2,2,2,2,4):(-8,37,5,-5,0,2,2,-11,-7)"),
    ] {
        let inverse = inverse(layout).unwrap();
        assert_eq!(inverse.to_string(), expected, "{layout}");
        let layout: Layout = layout.parse().unwrap();
        if layout.codomain() == Codomain::Integer {
            for offset in (0..layout.size()).map(|k| layout.at(k)) {
                assert_eq!(layout.at(inverse.at(offset)), offset, "{layout} {inverse}");
            }
        }
    }
    assert_eq!(inverse("(4,4):(4,7)").unwrap_err().code(), "no-inverse");
    // Equations of a few offsets rule the chains out, or the proof would be too long; the next one is.
    for layout in ["(4,4):(20,55)", "(3,2,3):(46,66,149)", "(2,7,3):(30,55,34)"] {
        assert_eq!(inverse(layout).unwrap_err().code(), "no-inverse", "{layout}");
    }
    assert_eq!(inverse("(16,16):(17,31)").unwrap_err().code(), "undecided");
    // Too large for a proof; overlapping, and not searched for.
    assert_eq!(inverse("(100,100):(4000,7001)").unwrap_err().code(), "undecided");
    assert_eq!(inverse("(2,2):(1,1)").unwrap_err().code(), "undecided");
}

#[test]
fn up_to_ten_modes() {
    let ten = "(2,2,2,2,2,2,2,2,2,2):(768,384,192,96,48,24,12,6,3,2)";
    let eleven = "(2,2,2,2,2,2,2,2,2,2,2):(1536,768,384,192,96,48,24,12,6,3,2)";
    let expected = "(2,3,2,2,2,2,2,2,2,2):(-256,512,128,64,32,16,8,4,2,1)";
    assert_eq!(inverse(ten).unwrap().to_string(), expected);
    assert_eq!(inverse(eleven).unwrap_err().code(), "undecided");
}

#[test]
fn in_a_constant() {
    const INVERSE: Result<Layout, Error> = crate::layout!((2,3):(2,3)).left_inverse();
    assert_eq!(INVERSE.unwrap().at(8), 5);
}

fn each(rank: usize, modes: &mut Vec<(i64, i64)>, test: &mut impl FnMut(&[(i64, i64)])) {
    if modes.len() == rank {
        return test(modes);
    }
    for s in 2..=4 {
        for d in 1..=14 {
            modes.push((s, d));
            each(rank, modes, test);
            modes.pop();
        }
    }
}
