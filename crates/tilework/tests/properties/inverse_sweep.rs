//! `right_inverse`, `common_layout`, `nullspace` of every small layout, and of random ones with modes that overlap, go down or
//! do not move, against searches through all layouts that could be the answer.

use crate::oracle::{self, Axis, Flat, Nest, Step, reconstruct, values};
use crate::random::{self, Case, Kind, Random, check};
use std::time::Instant;
use tilework::{Error, Layout};

/// What became of the cases.
#[derive(Debug, Default)]
struct Tally {
    decided: usize,
    undecided: usize,
    too_many_to_try: usize,
    /// In microseconds, of the operation itself.
    slowest: u128,
}

impl Tally {
    /// Runs the operation, more than once where something else may have held it up.
    fn time(&mut self, operation: impl Fn() -> Result<Layout, Error>) -> Result<Layout, Error> {
        let mut least = u128::MAX;
        for _ in 0..5 {
            let begin = Instant::now();
            let answer = operation();
            least = least.min(begin.elapsed().as_micros());
            if least <= self.slowest {
                return answer;
            }
        }
        self.slowest = least;
        operation()
    }

    fn check(&self, name: &str) {
        println!("{name}: {self:?}");
        assert!(
            self.decided > 0
                && self.undecided * 1000 <= self.decided
                && self.too_many_to_try * 100 <= self.decided
        );
    }
}

/// All flat layouts of the given number of modes, extents and strides; in a debug build a part of them, chosen by the seed.
pub fn sweep(
    modes: u32,
    extents: &[i128],
    strides: &[i128],
    mut run: impl FnMut(Flat) -> Result<(), String>,
) {
    let choices: Flat = extents.iter().flat_map(|&s| strides.iter().map(move |&d| (s, d))).collect();
    let every = (1000 / random::cases(1000).min(1000)).max(1);
    let seed = testkit::setting("TILEWORK_SEED", 1);
    for number in (seed % every..choices.len().pow(modes)).step_by(every) {
        let flat: Flat = (0..modes).map(|i| choices[number / choices.len().pow(i) % choices.len()]).collect();
        if let Err(message) = run(flat.clone()) {
            panic!("{}: {message}", Nest::of_flat(&flat).text());
        }
    }
}

/// For each index what it counts as: the offset where that is an integer, in all layouts the same.
fn common_offsets(layouts: &[&Nest]) -> Vec<i128> {
    let tables: Vec<Vec<i128>> = layouts
        .iter()
        .map(|nest| {
            let parts = nest.denominator();
            let all = values(&nest.scaled(parts)).into_iter();
            all.map(|value| if value % parts == 0 { value / parts } else { i128::MIN }).collect()
        })
        .collect();
    let shortest = tables.iter().map(Vec::len).min().unwrap();
    (0..shortest)
        .map(|i| if tables.iter().all(|table| table[i] == tables[0][i]) { tables[0][i] } else { i128::MIN })
        .collect()
}

/// The answer `R` has each offset `k` at the index `R(k)` in all of the layouts, is coalesced, and is the largest layout.
fn postcondition_largest(
    layouts: &[&Nest],
    answer: impl Fn() -> Result<Layout, Error>,
    tally: &mut Tally,
) -> Result<(), String> {
    let r = match tally.time(answer) {
        Ok(r) => Nest::of(&r),
        Err(Error::Undecided { .. }) => {
            tally.undecided += 1;
            return Ok(());
        }
        Err(error) => return Err(format!("refused: {error}; 1:0 is always one")),
    };
    let (all, own) = (common_offsets(layouts), values(&r.flat()));
    for (k, &index) in own.iter().enumerate() {
        if usize::try_from(index).ok().and_then(|index| all.get(index)) != Some(&(k as i128)) {
            return Err(format!("SILENTLY WRONG: {} at {k}", r.text()));
        }
    }
    if Nest::of_flat(&reconstruct(&own).unwrap()) != r {
        return Err(format!("{} is not coalesced", r.text()));
    }
    match oracle::largest_right_inverse(&all, 50_000) {
        Some(best) if r.size() != best => {
            Err(format!("SILENTLY NOT THE LARGEST: {} has size {}, the largest {best}", r.text(), r.size()))
        }
        Some(_) => {
            tally.decided += 1;
            Ok(())
        }
        None => {
            tally.too_many_to_try += 1;
            Ok(())
        }
    }
}

fn largest_right_inverse(nest: &Nest, tally: &mut Tally) -> Result<(), String> {
    let Some(layout) = nest.layout() else { return Ok(()) };
    postcondition_largest(&[nest], || layout.right_inverse(), tally)
}

#[test]
fn right_inverse_of_every_small_layout() {
    let mut tally = Tally::default();
    let strides: Vec<i128> = (-6..=12).collect();
    sweep(2, &[1, 2, 3, 4, 5, 6], &strides, |flat| largest_right_inverse(&Nest::of_flat(&flat), &mut tally));
    sweep(3, &[2, 3, 4], &strides[3..13], |flat| largest_right_inverse(&Nest::of_flat(&flat), &mut tally));
    sweep(4, &[2, 3], &strides[4..11], |flat| largest_right_inverse(&Nest::of_flat(&flat), &mut tally));
    tally.check("right_inverse of every small layout");
}

#[test]
fn right_inverse_of_every_small_layout_of_fractions() {
    let mut tally = Tally::default();
    for parts in [2, 3, 4] {
        sweep(2, &[1, 2, 3, 4, 6], &[-3, -2, -1, 0, 1, 2, 3, 4, 5, 6], |flat| {
            largest_right_inverse(&fractions(&flat, parts), &mut tally)
        });
        sweep(3, &[2, 3, 4], &[-1, 0, 1, 2, 3, 4], |flat| {
            largest_right_inverse(&fractions(&flat, parts), &mut tally)
        });
    }
    tally.check("right_inverse of fractions");
}

/// The layout with strides divided by `parts`.
fn fractions(flat: &[(i128, i128)], parts: i128) -> Nest {
    let leaf = |&(s, d): &(i128, i128)| {
        let divisor = oracle::gcd(d, parts);
        Nest::Leaf(s, Step { count: (d / divisor, parts / divisor), unit: Axis::One })
    };
    if let [mode] = flat { leaf(mode) } else { Nest::Tuple(flat.iter().map(leaf).collect()) }
}

/// Windows as im2col makes them, and their like: strides that repeat, modes that do not move, some that go down.
fn overlapping(rng: &mut Random, limit: i128) -> Nest {
    let low = if rng.once_in(4) { -3 } else { 0 };
    let strides = [0, 1, 1, 2, rng.range(1, 6), rng.range(low, 9), rng.range(low, 20)];
    let (most, largest) = (rng.range(2, 6) as usize, rng.range(3, 9));
    let modes: Flat =
        random::extents(rng, most, largest, limit).into_iter().map(|s| (s, *rng.pick(&strides))).collect();
    random::nest_flat(rng, &modes)
}

#[test]
fn right_inverse_of_windows() {
    let mut tally = Tally::default();
    check(
        "right_inverse windows",
        100_000,
        |rng| Case::layouts([overlapping(rng, 200)]),
        |case| largest_right_inverse(&case.layouts[0], &mut tally),
    );
    tally.check("right_inverse of windows");
}

fn largest_common(a: &Nest, b: &Nest, tally: &mut Tally) -> Result<(), String> {
    let (Some(left), Some(right)) = (a.layout(), b.layout()) else { return Ok(()) };
    let vector = left.common_vector(&right).map_err(|error| error.code());
    if vector != left.common_layout(&right).map(|r| r.size()).map_err(|error| error.code()) {
        return Err("common_vector is not the size of common_layout".into());
    }
    postcondition_largest(&[a, b], || left.common_layout(&right), tally)
}

#[test]
fn common_layout_of_every_small_pair() {
    let mut tally = Tally::default();
    sweep(4, &[2, 3], &[-1, 0, 1, 2, 3, 4], |flat| {
        largest_common(&Nest::of_flat(&flat[..2]), &Nest::of_flat(&flat[2..]), &mut tally)
    });
    sweep(4, &[2, 4], &[0, 1, 2, 4], |flat| {
        largest_common(&Nest::of_flat(&flat[..1]), &Nest::of_flat(&flat[1..]), &mut tally)
    });
    tally.check("common_layout of every small pair");
}

#[test]
fn common_layout_of_operands_that_overlap_themselves() {
    let mut tally = Tally::default();
    let generate = |rng: &mut Random| {
        let a = overlapping(rng, 100);
        let b = match rng.range(0, 3) {
            0 => overlapping(rng, 100),
            1 => {
                let mut modes = a.flat();
                rng.shuffle(&mut modes);
                random::nest_flat(rng, &modes)
            }
            2 => {
                let kind = *rng.pick(&[Kind::Compact, Kind::Repeated, Kind::Signed]);
                random::layout_of(rng, kind, 4, 100)
            }
            _ => {
                // Another layout of which some modes are the same.
                let mut modes = a.flat();
                let at = rng.range(0, modes.len() as i128 - 1) as usize;
                modes[at].1 = rng.range(0, 9);
                random::nest_flat(rng, &modes)
            }
        };
        Case::layouts([a, b])
    };
    check("common_layout windows", 100_000, generate, |case| {
        let [a, b] = &case.layouts[..] else { unreachable!() };
        largest_common(a, b, &mut tally)
    });
    tally.check("common_layout of windows");
}

#[test]
fn common_layout_of_fractions() {
    let mut tally = Tally::default();
    let generate = |rng: &mut Random| {
        let (one, two) = (overlapping(rng, 60).flat(), overlapping(rng, 60).flat());
        Case::layouts([fractions(&one, rng.range(1, 3)), fractions(&two, rng.range(1, 3))])
    };
    check("common_layout fractions", 20_000, generate, |case| {
        let [a, b] = &case.layouts[..] else { unreachable!() };
        largest_common(a, b, &mut tally)
    });
    tally.check("common_layout of fractions");
}

/// Whether ascending numbers from 0 on are the image of some layout that begins with `modes`, each taken once.
pub fn is_image(all: &[i128], modes: &mut Flat) -> bool {
    let mut own = values(modes);
    own.sort();
    if own == all {
        return true;
    }
    // With the other coordinates 0, some modes give a part of the image.
    if !all.len().is_multiple_of(own.len()) || own.iter().any(|value| all.binary_search(value).is_err()) {
        return false;
    }
    // The smallest value that is still missing is not a sum of others.
    let Some(&stride) = all.iter().find(|value| own.binary_search(value).is_err()) else { return false };
    for extent in 2..=((all.len() / own.len()) as i128) {
        modes.push((extent, stride));
        if is_image(all, modes) {
            return true;
        }
        modes.pop();
    }
    false
}

/// The indices of offset 0 are the image of the answer, each once; where it is refused, they are that of no layout.
fn postcondition_nullspace(nest: &Nest, tally: &mut Tally) -> Result<(), String> {
    let Some(layout) = nest.layout() else { return Ok(()) };
    let all = values(&nest.scaled(nest.denominator()));
    let kernel: Vec<i128> = (0..all.len() as i128).filter(|&index| all[index as usize] == 0).collect();
    match tally.time(|| layout.nullspace()) {
        Ok(n) => {
            let mut own = values(&Nest::of(&n).flat());
            own.sort();
            if own != kernel {
                return Err(format!("SILENTLY WRONG: {n} is not the kernel {kernel:?}"));
            }
        }
        Err(Error::NoInverse { .. }) if !is_image(&kernel, &mut Vec::new()) => {}
        Err(Error::Undecided { .. }) => {
            tally.undecided += 1;
            return Ok(());
        }
        Err(error) => return Err(format!("REFUSED: {error}; the kernel is {kernel:?}")),
    }
    tally.decided += 1;
    Ok(())
}

#[test]
fn nullspace_of_every_small_layout() {
    let mut tally = Tally::default();
    let strides: Vec<i128> = (-4..=4).collect();
    sweep(2, &[1, 2, 3, 4, 5, 6], &strides, |flat| {
        postcondition_nullspace(&Nest::of_flat(&flat), &mut tally)
    });
    sweep(3, &[2, 3, 4, 5], &strides, |flat| postcondition_nullspace(&Nest::of_flat(&flat), &mut tally));
    sweep(4, &[2, 3, 4], &[-2, -1, 0, 1, 2], |flat| {
        postcondition_nullspace(&Nest::of_flat(&flat), &mut tally)
    });
    sweep(3, &[2, 3, 4], &[-3, -2, 0, 1, 3], |flat| {
        postcondition_nullspace(&fractions(&flat, 6), &mut tally)
    });
    tally.check("nullspace of every small layout");
}

#[test]
fn nullspace_of_larger_layouts() {
    let mut tally = Tally::default();
    check(
        "nullspace larger",
        100_000,
        |rng| {
            let (most, largest) = (rng.range(2, 5) as usize, rng.range(3, 12));
            let modes: Flat = random::extents(rng, most, largest, 600)
                .into_iter()
                .map(|s| (s, if rng.once_in(5) { 0 } else { rng.range(-9, 9) }))
                .collect();
            Case::layouts([random::nest_flat(rng, &modes)])
        },
        |case| postcondition_nullspace(&case.layouts[0], &mut tally),
    );
    tally.check("nullspace of larger layouts");
}
