//! Random layouts, and the loop that tries a property on them and shrinks what fails.

use crate::oracle::{Axis, Flat, Nest, Step};
use std::panic::{AssertUnwindSafe, catch_unwind};
pub use testkit::Random;
use tilework::Layout;

/// The arguments of a property.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    pub layouts: Vec<Nest>,
    pub numbers: Vec<i128>,
}

impl Case {
    pub fn layouts<const N: usize>(layouts: [Nest; N]) -> Case {
        Case { layouts: layouts.to_vec(), numbers: Vec::new() }
    }

    fn show(&self) -> String {
        let layouts: Vec<String> = self.layouts.iter().map(Nest::text).collect();
        format!("{}  {:?}", layouts.join("   "), self.numbers)
    }
}

/// How many cases to run where `count` are due in release.
pub fn cases(count: usize) -> usize {
    testkit::scaled(count, 0.02).max(20)
}

/// Tries a property, shrinks the first case that breaks it, and panics with it; with `TILEWORK_FAILURES=n` it goes on
/// until it has found `n` that shrink to different ones.
pub fn check(
    name: &str,
    count: usize,
    generate: impl Fn(&mut Random) -> Case,
    mut property: impl FnMut(&Case) -> Result<(), String>,
) {
    let enough = testkit::setting("TILEWORK_FAILURES", 1);
    let mut base = Random::named(name);
    let mut failures: Vec<(Case, String)> = Vec::new();
    for _ in 0..cases(count) {
        let own = base.next();
        let case = generate(&mut Random::new(own));
        let mut run = |case: &Case| {
            catch_unwind(AssertUnwindSafe(|| property(case))).unwrap_or_else(|cause| {
                let text = cause.downcast_ref::<String>().cloned();
                Err(text.or_else(|| cause.downcast_ref::<&str>().map(|s| s.to_string())).unwrap_or_default())
            })
        };
        if let Err(message) = run(&case) {
            let (small, message) = shrink(case.clone(), message, &mut run);
            if failures.iter().all(|(other, _)| *other != small) {
                let (smallest, first) = (small.show(), case.show());
                let report =
                    format!("(seed {own}):\n  {message}\n  smallest: {smallest}\n  first:    {first}");
                failures.push((small, report));
            }
            if failures.len() >= enough {
                break;
            }
        }
    }
    let reports: Vec<String> = failures.into_iter().map(|(_, report)| report).collect();
    assert!(reports.is_empty(), "{name} fails {}", reports.join("\n"));
}

/// [`check`] of a property of one nest, and the layout that it is; what is not a layout holds by itself.
pub fn check_layout(
    name: &str,
    count: usize,
    generate: impl Fn(&mut Random) -> Nest,
    mut property: impl FnMut(&Nest, Layout) -> Result<(), String>,
) {
    check(
        name,
        count,
        |rng| Case::layouts([generate(rng)]),
        |case| match case.layouts[0].layout() {
            Some(layout) => property(&case.layouts[0], layout),
            None => Ok(()),
        },
    );
}

/// [`check`] of a property of two nests, and the layouts that they are.
pub fn check_pair(
    name: &str,
    count: usize,
    generate: impl Fn(&mut Random) -> Case,
    mut property: impl FnMut([&Nest; 2], [Layout; 2]) -> Result<(), String>,
) {
    check(name, count, generate, |case| {
        let [a, b] = &case.layouts[..] else { unreachable!() };
        match (a.layout(), b.layout()) {
            (Some(left), Some(right)) => property([a, b], [left, right]),
            _ => Ok(()),
        }
    });
}

/// [`check_layout`] with further arguments, which are drawn from a seed that is a part of the case.
pub fn check_seeded(
    name: &str,
    count: usize,
    generate: impl Fn(&mut Random) -> Nest,
    mut property: impl FnMut(&Nest, Layout, Random) -> Result<(), String>,
) {
    let generate = |rng: &mut Random| Case { layouts: vec![generate(rng)], ..seed(rng) };
    check(name, count, generate, |case| match case.layouts[0].layout() {
        Some(layout) => property(&case.layouts[0], layout, Random::new(case.numbers[0] as u64)),
        None => Ok(()),
    });
}

/// A case that is a seed alone.
pub fn seed(rng: &mut Random) -> Case {
    Case { layouts: vec![], numbers: vec![rng.range(0, i64::MAX as i128)] }
}

fn shrink(
    mut case: Case,
    mut message: String,
    run: &mut impl FnMut(&Case) -> Result<(), String>,
) -> (Case, String) {
    let mut rounds = 0;
    'again: while rounds < 500 {
        rounds += 1;
        for smaller in smaller_cases(&case) {
            if let Err(text) = run(&smaller) {
                (case, message) = (smaller, text);
                continue 'again;
            }
        }
        break;
    }
    (case, message)
}

fn smaller_cases(case: &Case) -> Vec<Case> {
    let mut out = Vec::new();
    for (i, nest) in case.layouts.iter().enumerate() {
        for smaller in smaller_nests(nest) {
            let mut copy = case.clone();
            copy.layouts[i] = smaller;
            out.push(copy);
        }
    }
    for (i, &number) in case.numbers.iter().enumerate() {
        for smaller in [0, 1, number / 2, number - number.signum()] {
            if smaller.abs() < number.abs() {
                let mut copy = case.clone();
                copy.numbers[i] = smaller;
                out.push(copy);
            }
        }
    }
    out
}

fn smaller_nests(nest: &Nest) -> Vec<Nest> {
    match nest {
        Nest::Leaf(extent, step) => {
            let mut out = Vec::new();
            for smaller in [1, extent / 2, extent - 1] {
                if 0 < smaller && smaller < *extent {
                    out.push(Nest::Leaf(smaller, step.clone()));
                }
            }
            let count = step.count.0;
            for smaller in [0, 1, count / 2, count - count.signum(), -count] {
                if smaller.abs() < count.abs() || (smaller > 0 && count < 0) {
                    let unit = if smaller == 0 { Axis::One } else { step.unit.clone() };
                    let denominator = if smaller == 0 { 1 } else { step.count.1 };
                    out.push(Nest::Leaf(*extent, Step { count: (smaller, denominator), unit }));
                }
            }
            out
        }
        Nest::Tuple(modes) => {
            let mut out = Vec::new();
            if modes.len() == 1 {
                out.push(modes[0].clone());
            }
            for i in 0..modes.len() {
                if modes.len() > 1 {
                    let mut fewer = modes.clone();
                    fewer.remove(i);
                    out.push(Nest::Tuple(fewer));
                }
                for smaller in smaller_nests(&modes[i]) {
                    let mut copy = modes.clone();
                    copy[i] = smaller;
                    out.push(Nest::Tuple(copy));
                }
            }
            out
        }
    }
}

// ---- distributions ----

/// Modes with a random nesting; a single mode is a leaf or a tuple of one.
pub fn nest(rng: &mut Random, modes: &[Nest]) -> Nest {
    if modes.len() == 1 {
        return if rng.once_in(6) { Nest::Tuple(vec![modes[0].clone()]) } else { modes[0].clone() };
    }
    let mut out = Vec::new();
    let mut i = 0;
    while i < modes.len() {
        let group = if rng.once_in(3) { rng.range(1, (modes.len() - i) as i128) as usize } else { 1 };
        if group == 1 {
            out.push(modes[i].clone());
        } else {
            out.push(nest(rng, &modes[i..i + group]));
        }
        i += group;
    }
    Nest::Tuple(out)
}

pub fn nest_flat(rng: &mut Random, modes: &[(i128, i128)]) -> Nest {
    let leaves: Vec<Nest> = modes.iter().map(|&(s, d)| Nest::leaf(s, d)).collect();
    nest(rng, &leaves)
}

/// Adds modes of extent 1 with any stride.
pub fn with_ones(rng: &mut Random, flat: &mut Flat) {
    while rng.once_in(4) {
        let at = rng.range(0, flat.len() as i128) as usize;
        let stride = rng.range(-9, 99);
        flat.insert(at, (1, stride));
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    /// Anything small; extents and strides need not divide each other.
    Mixed,
    /// Extents and strides are powers of two.
    Powers,
    /// With negative strides.
    Signed,
    /// Strides in chains: each a divisor or multiple of the next.
    Chain,
    /// A permutation of the modes of a compact layout.
    Compact,
    /// A compact layout with holes: injective, strides divide.
    Gapped,
    /// Repeated and zero strides.
    Repeated,
}

pub const KINDS: [Kind; 7] =
    [Kind::Mixed, Kind::Powers, Kind::Signed, Kind::Chain, Kind::Compact, Kind::Gapped, Kind::Repeated];

/// Extents with a product of at most `limit`.
pub fn extents(rng: &mut Random, most: usize, largest: i128, limit: i128) -> Vec<i128> {
    let rank = rng.range(1, most as i128);
    let mut out = Vec::new();
    let mut size = 1;
    for _ in 0..rank {
        let extent = rng.range(1, largest).min(limit / size).max(1);
        size *= extent;
        out.push(extent);
    }
    out
}

pub fn flat(rng: &mut Random, kind: Kind, most: usize, limit: i128) -> Flat {
    let mut out: Flat = match kind {
        Kind::Mixed => extents(rng, most, 6, limit).into_iter().map(|s| (s, rng.range(0, 20))).collect(),
        Kind::Powers => {
            let rank = rng.range(1, most as i128);
            let mut size = 1;
            let mut modes = Vec::new();
            for _ in 0..rank {
                let mut extent = 1 << rng.range(0, 3);
                if size * extent > limit {
                    extent = 1;
                }
                size *= extent;
                modes.push((extent, if rng.once_in(6) { 0 } else { 1 << rng.range(0, 7) }));
            }
            modes
        }
        Kind::Signed => extents(rng, most, 5, limit).into_iter().map(|s| (s, rng.range(-9, 9))).collect(),
        Kind::Chain => {
            let mut stride = 1;
            let mut modes = Vec::new();
            for s in extents(rng, most, 5, limit) {
                modes.push((s, stride));
                stride *= if rng.once_in(3) { rng.range(1, 4) } else { s };
            }
            rng.shuffle(&mut modes);
            modes
        }
        Kind::Compact | Kind::Gapped => {
            let mut order: Vec<(usize, i128)> =
                extents(rng, most, 5, limit).into_iter().enumerate().collect();
            let mut modes = vec![(1, 0); order.len()];
            rng.shuffle(&mut order);
            let mut stride = 1;
            for (i, s) in order {
                if kind == Kind::Gapped && rng.once_in(3) {
                    stride *= rng.range(1, 4);
                }
                modes[i] = (s, stride);
                stride *= s;
            }
            modes
        }
        Kind::Repeated => {
            let strides = [0, 1, rng.range(1, 6), rng.range(1, 12)];
            extents(rng, most, 5, limit).into_iter().map(|s| (s, *rng.pick(&strides))).collect()
        }
    };
    with_ones(rng, &mut out);
    out
}

/// A random integer layout of any kind.
pub fn layout(rng: &mut Random, most: usize, limit: i128) -> Nest {
    let kind = *rng.pick(&KINDS);
    let modes = flat(rng, kind, most, limit);
    nest_flat(rng, &modes)
}

/// What draws [`layout`]s.
pub fn layouts(most: usize, limit: i128) -> impl Fn(&mut Random) -> Nest {
    move |rng| layout(rng, most, limit)
}

pub fn layout_of(rng: &mut Random, kind: Kind, most: usize, limit: i128) -> Nest {
    let modes = flat(rng, kind, most, limit);
    nest_flat(rng, &modes)
}

/// What the pairs for a composition are made for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Pair {
    Mixed,
    InRange,
    Powers,
    Signed,
    Cancel,
    Chain,
    Repeated,
    /// The right operand takes parts of the left one's modes: mostly composable.
    Aligned,
    /// The right operand leaves the domain of the left.
    Beyond,
}

pub const PAIRS: [Pair; 9] = [
    Pair::Mixed,
    Pair::InRange,
    Pair::Powers,
    Pair::Signed,
    Pair::Cancel,
    Pair::Chain,
    Pair::Repeated,
    Pair::Aligned,
    Pair::Beyond,
];

pub fn pair(rng: &mut Random, kind: Pair) -> Case {
    let (mut a, mut b): (Flat, Flat) = match kind {
        Pair::Mixed | Pair::InRange => {
            let a = flat(rng, Kind::Mixed, 4, 400);
            let mut b = flat(rng, Kind::Mixed, 3, 200);
            if kind == Pair::InRange {
                let most = crate::oracle::size(&a);
                for mode in &mut b {
                    mode.1 %= (most / 2).max(1);
                }
                while b.iter().map(|(s, d)| (s - 1) * d).sum::<i128>() >= most {
                    let at = rng.range(0, b.len() as i128 - 1) as usize;
                    b[at].0 = (b[at].0 / 2).max(1);
                    b[at].1 /= 2;
                }
            }
            (a, b)
        }
        Pair::Powers => (flat(rng, Kind::Powers, 5, 1024), flat(rng, Kind::Powers, 4, 512)),
        Pair::Signed => (flat(rng, Kind::Signed, 4, 300), flat(rng, Kind::Signed, 3, 150)),
        Pair::Cancel => {
            // A(x) = D_0 x + sum E_r floor(x / P_r) with E_r that sum to 0 in parts.
            let rank = rng.range(3, 5) as usize;
            let weight = rng.range(1, 4);
            let mut a = vec![(rng.range(2, 4), rng.range(-2, 5))];
            let mut sum = 0;
            for r in 1..rank {
                let e = if r + 1 == rank && rng.once_in(2) {
                    -sum
                } else {
                    *rng.pick(&[weight, -weight, 2 * weight])
                };
                sum += e;
                let (s, d) = a[r - 1];
                a.push((rng.range(2, 4), e + s * d));
            }
            (a, extents(rng, 3, 7, 150).into_iter().map(|s| (s, rng.range(1, 40))).collect())
        }
        Pair::Chain => (flat(rng, Kind::Chain, 4, 400), flat(rng, Kind::Chain, 4, 200)),
        Pair::Repeated => (flat(rng, Kind::Repeated, 4, 300), flat(rng, Kind::Repeated, 4, 200)),
        Pair::Aligned => {
            let kind = *rng.pick(&[Kind::Mixed, Kind::Signed, Kind::Compact, Kind::Gapped, Kind::Repeated]);
            let mut a = flat(rng, kind, 4, 300);
            a.iter_mut().for_each(|mode| mode.0 *= *rng.pick(&[1, 2, 4]));
            let mut b = Vec::new();
            let mut below = 1;
            for &(s, _) in &a {
                let divisors: Vec<i128> = (1..=s).filter(|q| s % q == 0).collect();
                let skip = *rng.pick(&divisors);
                let rest: Vec<i128> = (1..=s / skip).filter(|q| s / skip % q == 0).collect();
                if rng.once_in(2) {
                    b.push((*rng.pick(&rest), below * skip));
                }
                below *= s;
            }
            if b.is_empty() {
                b.push((1, 1));
            }
            rng.shuffle(&mut b);
            (a, b)
        }
        Pair::Beyond => {
            let kind = *rng.pick(&[Kind::Mixed, Kind::Chain, Kind::Powers]);
            let a = flat(rng, kind, 3, 60);
            let reach = crate::oracle::size(&a);
            let b = extents(rng, 3, 6, 120)
                .into_iter()
                .map(|s| (s, reach * rng.range(0, 3) + rng.range(0, 2)))
                .collect();
            (a, b)
        }
    };
    with_ones(rng, &mut a);
    with_ones(rng, &mut b);
    Case::layouts([nest_flat(rng, &a), nest_flat(rng, &b)])
}

/// A coordinate layout: strides along the given axes.
pub fn coordinate_layout(
    rng: &mut Random,
    axes: &[Vec<usize>],
    most: usize,
    limit: i128,
    largest: i128,
) -> Nest {
    let leaves: Vec<Nest> = extents(rng, most, 5, limit)
        .into_iter()
        .map(|s| {
            let count = if rng.once_in(7) { 0 } else { rng.range(1, largest) };
            let axis = rng.pick(axes).clone();
            Nest::Leaf(s, Step::basis(count, &axis))
        })
        .collect();
    nest(rng, &leaves)
}

/// A coordinate layout in which about half of the strides are sums along two or three of the axes.
pub fn layout_of_sums(rng: &mut Random, axes: &[Vec<usize>], most: usize, limit: i128, low: i128) -> Nest {
    let leaves: Vec<Nest> = extents(rng, most, 5, limit)
        .into_iter()
        .map(|s| {
            let mut axes = axes.to_vec();
            rng.shuffle(&mut axes);
            axes.truncate(if rng.once_in(2) { 1 } else { rng.range(2, 3) as usize });
            Nest::Leaf(s, Step::sum(axes.into_iter().map(|axis| (rng.range(low, 6), axis)).collect()))
        })
        .collect();
    nest(rng, &leaves)
}

/// Paths that address the whole of a nest, none within another.
pub fn addresses(rng: &mut Random, of: &Nest) -> Vec<Vec<usize>> {
    let Nest::Tuple(modes) = of else { return vec![vec![]] };
    if modes.is_empty() {
        return vec![vec![]];
    }
    let mut out = Vec::new();
    for (i, mode) in modes.iter().enumerate() {
        let inner = if rng.once_in(2) { addresses(rng, mode) } else { vec![vec![]] };
        out.extend(inner.into_iter().map(|path| [vec![i], path].concat()));
    }
    out
}
