//! `left_inverse` of every small layout and of random ones, against a search through all layouts that could be one.

use crate::inverse_sweep::sweep;
use crate::oracle::{Flat, Nest, at, integer_solution, preimages, segregated, values};
use crate::random::{self, Case, Random, check};
use tilework::Error;

/// What became of the cases.
#[derive(Debug, Default)]
struct Tally {
    found: usize,
    none: usize,
    undecided: usize,
}

impl Tally {
    /// At most one in `share` may be undecided.
    fn check(&self, name: &str, share: usize) {
        println!("{name}: {self:?}");
        assert!(self.found > 0 && self.none > 0);
        assert!(self.undecided * share <= self.found + self.none + self.undecided);
    }

    /// `L(G(L(k))) = L(k)` for every `k` (equation 26), with indices inside `L`; where it is refused, `refusal` tells
    /// whether that is right.
    fn postcondition(
        &mut self,
        l: &Nest,
        refusal: impl Fn(&[i128]) -> Result<(), String>,
    ) -> Result<(), String> {
        let Some(layout) = l.layout() else { return Ok(()) };
        let all = values(&l.flat());
        match layout.left_inverse() {
            Ok(g) => {
                self.found += 1;
                let (g, own) = (Nest::of(&g), Nest::of(&g).flat());
                for &value in &all {
                    let index = at(&own, value);
                    if value >= g.size() || index < 0 || all.get(index as usize) != Some(&value) {
                        return Err(format!("SILENTLY WRONG: {} sends {value} to {index}", g.text()));
                    }
                }
                Ok(())
            }
            Err(Error::NoInverse { .. }) => {
                self.none += 1;
                refusal(&all)
            }
            Err(Error::Undecided { .. }) => {
                self.undecided += 1;
                // Modes whose strides divide one another, and that do not overlap, always have one (EXACT.md, 4).
                match segregated(&l.flat()) {
                    Some(modes) if modes.windows(2).all(|pair| pair[1].1 % pair[0].1 == 0) => {
                        Err("a chain of divisors is undecided".into())
                    }
                    _ => Ok(()),
                }
            }
            Err(error) => Err(format!("an error of another kind: {error}")),
        }
    }
}

/// How far from 0 an offset is: above this a bound has the floor 0 or -1.
fn reach(offset: i128) -> i128 {
    if offset < 0 { -1 - offset } else { offset }
}

/// Whether some layout `G` gives for every offset one of its indices: over all chains of bounds with prime ratios, where
/// the conditions are linear, and all choices of indices. What a layout with fewer bounds gives, one with more gives as well.
fn exists(all: &[i128]) -> bool {
    let mut offsets: Vec<(i128, Vec<i128>)> =
        preimages(all).into_iter().filter(|(offset, _)| *offset != 0).collect();
    // Offsets with few indices first.
    offsets.sort_by_key(|(offset, indices)| (indices.len(), reach(*offset)));
    let far = offsets.iter().map(|(offset, _)| reach(*offset)).max().unwrap_or(0);
    chains(&mut vec![1], far, &offsets)
}

fn chains(bounds: &mut Vec<i128>, far: i128, offsets: &[(i128, Vec<i128>)]) -> bool {
    let last = bounds[bounds.len() - 1];
    if last > far {
        let row = |offset: i128| {
            let mut row: Vec<i128> = bounds.iter().map(|bound| offset.div_euclid(*bound)).collect();
            row.push((offset < 0) as i128);
            row
        };
        let rows: Vec<Vec<i128>> = offsets.iter().map(|(offset, _)| row(*offset)).collect();
        return choices(&rows, &mut Vec::new(), offsets);
    }
    let prime = |p: &i128| (2..*p).all(|q| p % q != 0);
    // One factor that leads beyond all offsets stands for all of them.
    (2..=far / last + 1).filter(prime).chain([far + 1]).any(|factor| {
        bounds.push(last * factor);
        let found = chains(bounds, far, offsets);
        bounds.pop();
        found
    })
}

fn choices(rows: &[Vec<i128>], right: &mut Vec<i128>, offsets: &[(i128, Vec<i128>)]) -> bool {
    let known = right.len();
    if known > 0 && !integer_solution(&rows[..known], right) {
        return false;
    }
    known == rows.len()
        || offsets[known].1.iter().any(|&index| {
            right.push(index);
            let found = choices(rows, right, offsets);
            right.pop();
            found
        })
}

fn none_exists(all: &[i128]) -> Result<(), String> {
    if exists(all) { Err("REFUSED though there is one".into()) } else { Ok(()) }
}

#[test]
fn left_inverse_of_every_small_layout() {
    let mut tally = Tally::default();
    let strides: Vec<i128> = (-6..=12).collect();
    sweep(2, &[2, 3, 4], &strides, |flat| tally.postcondition(&Nest::of_flat(&flat), none_exists));
    sweep(3, &[2, 3], &strides[3..13], |flat| tally.postcondition(&Nest::of_flat(&flat), none_exists));
    sweep(4, &[2], &strides[4..12], |flat| tally.postcondition(&Nest::of_flat(&flat), none_exists));
    tally.check("left_inverse of every small layout", 1000);
}

#[test]
fn left_inverse_of_small_layouts() {
    let mut tally = Tally::default();
    check(
        "left_inverse",
        100_000,
        |rng| Case::layouts([random::layout(rng, 4, 400)]),
        |case| tally.postcondition(&case.layouts[0], |_| Ok(())),
    );
    tally.check("left_inverse of small layouts", 500);
}

/// Up to ten thousand elements, with strides of all magnitudes.
fn large(rng: &mut Random) -> Nest {
    let (most, longest) = (*rng.pick(&[4, 6, 12, 40, 100]), *rng.pick(&[3, 9, 20, 60, 200, 1000, 5000]));
    let kind = rng.range(0, 3);
    let mut end = 1;
    let mut modes: Flat = random::extents(rng, 4, most, 10_000)
        .into_iter()
        .map(|s| {
            let stride = match kind {
                0 => rng.range(0, longest),
                1 => rng.range(-longest, longest),
                2 => *rng.pick(&[0, 1, 1, 2, 3, longest]),
                _ => end,
            };
            // The next mode often continues this one, or overlaps it.
            end *= if rng.once_in(3) { rng.range(1, 5) } else { s };
            (s, stride)
        })
        .collect();
    if rng.once_in(2) {
        rng.shuffle(&mut modes);
    }
    random::nest_flat(rng, &modes)
}

#[test]
fn left_inverse_of_large_layouts() {
    let mut tally = Tally::default();
    check(
        "left_inverse large",
        10_000,
        |rng| Case::layouts([large(rng)]),
        |case| tally.postcondition(&case.layouts[0], |_| Ok(())),
    );
    tally.check("left_inverse of large layouts", 30);
}

#[test]
fn the_search_for_left_inverses_itself() {
    let left = |modes: &[(i128, i128)]| exists(&values(modes));
    assert!(
        left(&[(2, 2), (2, 3)]) && left(&[(2, -1)]) && left(&[(2, 1), (2, 1)]) && left(&[(4, 1), (2, 1)])
    );
    assert!(!left(&[(4, 4), (4, 7)]));
}
