//! `composition`, `composition_by_mode`, `is_composable`: exact both ways.
//!
//! A result has to be right at every coordinate and canonical; a refusal has to be of a composition that, by
//! enumeration, is not a layout.

use crate::oracle::{self, AXES, Axes, Axis, Flat, Module, Nest, Step, at, compose, reconstruct};
use crate::random::{self, Case, Pair, Random, check, check_pair, check_seeded};
use tilework::{Error, Layout, Tiler};

/// How the answers came out.
#[derive(Default, Debug)]
struct Tally {
    right: usize,
    refused: usize,
    undecided: usize,
}

impl Tally {
    fn close(&self, what: &str) {
        println!("{what}: {self:?}");
        let all = self.right + self.refused + self.undecided;
        assert!(self.undecided * 1000 <= all, "{what}: {} of {all} undecided", self.undecided);
    }

    /// Counts a result, and has it looked at.
    fn judge(
        &mut self,
        result: Result<Layout, Error>,
        right: impl FnOnce(Nest) -> Result<(), String>,
        refused: impl FnOnce(Error) -> Result<(), String>,
    ) -> Result<(), String> {
        match result {
            Ok(r) => {
                self.right += 1;
                right(Nest::of(&r))
            }
            Err(Error::Undecided { .. }) => {
                self.undecided += 1;
                Ok(())
            }
            Err(error) => {
                self.refused += 1;
                refused(error)
            }
        }
    }

    /// Counts a result that is as expected, where `None` is a refusal.
    fn compare(&mut self, result: Result<Layout, Error>, expected: Option<Nest>) -> Result<(), String> {
        match (result, expected) {
            (Ok(r), Some(expected)) if Nest::of(&r) == expected => self.right += 1,
            (Ok(r), expected) => {
                return Err(format!("{r}, expected {:?}", expected.map(|nest| nest.text())));
            }
            (Err(Error::Undecided { .. }), _) => self.undecided += 1,
            (Err(error), Some(expected)) => {
                return Err(format!("REFUSED: {error}; it is {}", expected.text()));
            }
            (Err(Error::ShapeDivisibility { .. } | Error::Carry { .. }), None) => self.refused += 1,
            (Err(error), None) => return Err(format!("an error of another kind: {error}")),
        }
        Ok(())
    }
}

/// `B` with every leaf refined to the form it has in `A o B`.
fn refine(b: &Nest, parts: &[Flat]) -> Nest {
    let mut parts = parts.iter();
    b.replace_leaves(&mut || Nest::of_flat(parts.next().unwrap()))
}

/// `B ⪯ R` (equation 16), `R(c) = A(B(c))` at every `c` (equation 17), extent 1 with stride 0.
fn postcondition_composition(a: &[(i128, i128)], b: &Nest, r: &Nest) -> Result<(), String> {
    if !b.compatible(r) {
        return Err(format!("{} does not refine the right operand", r.text()));
    }
    let (inner, outer) = (b.flat(), r.flat());
    for c in 0..oracle::size(&inner) {
        let (truth, found) = (at(a, at(&inner, c)), at(&outer, c));
        if truth != found {
            return Err(format!("SILENTLY WRONG: {} gives {found} at {c}, not {truth}", r.text()));
        }
    }
    if outer.iter().any(|&(s, d)| s == 1 && d != 0) {
        return Err(format!("{} has a stride at an extent of 1", r.text()));
    }
    Ok(())
}

/// No layout is the composition, and what the error names is broken.
fn postcondition_refusal(a: &[(i128, i128)], b: &Nest, error: Error) -> Result<(), String> {
    let leaves = b.flat();
    if compose(a, &leaves).is_some() {
        return Err(format!("REFUSED THOUGH A LAYOUT EXISTS: {error}"));
    }
    let alone = |leaf: usize| -> bool { compose(a, &leaves[leaf..leaf + 1]).is_some() };
    let named = match error {
        Error::ShapeDivisibility { leaf, extent, stride, steps } => {
            let (extent, stride, steps) = (extent as i128, stride as i128, steps as i128);
            let fits = |extent: i128| compose(a, &[(extent, stride)]).is_some();
            (extent, stride) == leaves[leaf]
                && !alone(leaf)
                && (2..extent).contains(&steps)
                && fits(steps)
                && !fits(steps + 1)
                && (steps + 1..extent).all(|longer| longer % steps == 0 || !fits(longer))
        }
        Error::Carry { boundary, first, last } if first == last => {
            !alone(first) && turns(a, boundary as i128)
        }
        Error::Carry { boundary, first, last } => {
            first < last && compose(a, &leaves[first..=last]).is_none() && turns(a, boundary as i128)
        }
        _ => return Err(format!("an error of another kind: {error}")),
    };
    if named { Ok(()) } else { Err(format!("the error names what is not broken: {error:?}")) }
}

/// Whether `boundary` is the product of the first extents.
fn turns(a: &[(i128, i128)], boundary: i128) -> bool {
    let mut product = 1;
    a.iter().any(|&(s, _)| {
        product *= s;
        product == boundary
    })
}

fn verdict(
    a: &[(i128, i128)],
    b: &Nest,
    result: Result<Layout, Error>,
    tally: &mut Tally,
) -> Result<(), String> {
    let right = |r: Nest| {
        postcondition_composition(a, b, &r)?;
        let parts = compose(a, &b.flat()).ok_or("a layout where the enumeration finds none")?;
        let expected = refine(b, &parts);
        if r != expected {
            return Err(format!("{} is right but not canonical: {}", r.text(), expected.text()));
        }
        Ok(())
    };
    tally.judge(result, right, |error| postcondition_refusal(a, b, error))
}

fn exact(kind: Pair, count: usize) {
    let mut tally = Tally::default();
    let name = format!("composition {kind:?}");
    let generate = |rng: &mut Random| random::pair(rng, kind);
    check_pair(&name, count, generate, |[a, b], [left, right]| {
        let result = left.composition(&right);
        if left.is_composable(&right).err() != result.err() {
            return Err("is_composable says otherwise".into());
        }
        verdict(&a.flat(), b, result, &mut tally)
    });
    tally.close(&name);
    assert!(tally.right > 0, "{name}: nothing was composable");
}

#[test]
fn composition_of_random_pairs() {
    for (kind, count) in [
        (Pair::Mixed, 60_000),
        (Pair::InRange, 40_000),
        (Pair::Powers, 30_000),
        (Pair::Signed, 60_000),
        (Pair::Cancel, 60_000),
        (Pair::Chain, 30_000),
        (Pair::Repeated, 30_000),
        (Pair::Aligned, 30_000),
        (Pair::Beyond, 30_000),
    ] {
        exact(kind, count);
    }
}

/// Every pair of layouts of two modes with extents to 4, and one leaf of right operand: nothing left to chance.
#[test]
fn composition_of_all_tiny_layouts() {
    let mut tally = Tally::default();
    let most = if cfg!(debug_assertions) { 2 } else { 4 };
    for s0 in 1..=4 {
        for s1 in 1..=3 {
            for (d0, d1, d2) in (0..125).map(|i| (i % 5 - 1, i / 5 % 5 - 1, i / 25 - 1)) {
                let a = Nest::tuple_of(&[(s0, d0), (s1, d1), (2, d2)]);
                let left = a.layout().unwrap();
                for b in (1..=2 * most).flat_map(|s| (-2..=2 * most).map(move |d| Nest::leaf(s, d))) {
                    let result = left.composition(&b.layout().unwrap());
                    if let Err(message) = verdict(&a.flat(), &b, result, &mut tally) {
                        panic!("{} o {}: {message}", a.text(), b.text());
                    }
                }
            }
        }
    }
    tally.close("tiny");
}

/// Sizes to 10^4 and ranks to 8.
#[test]
fn composition_of_larger_layouts() {
    let mut tally = Tally::default();
    let generate = |rng: &mut Random| {
        let kind = *rng.pick(&[
            random::Kind::Powers,
            random::Kind::Compact,
            random::Kind::Gapped,
            random::Kind::Chain,
        ]);
        let mut a = random::flat(rng, kind, 8, 10_000);
        a.iter_mut().for_each(|mode| mode.0 *= rng.range(1, 2));
        let kind = *rng.pick(&[random::Kind::Powers, random::Kind::Compact, random::Kind::Chain]);
        let b = random::flat(rng, kind, 8, 10_000);
        Case::layouts([random::nest_flat(rng, &a), random::nest_flat(rng, &b)])
    };
    check_pair("composition large", 1_500, generate, |[a, b], [left, right]| {
        verdict(&a.flat(), b, left.composition(&right), &mut tally)
    });
    tally.close("large");
}

#[test]
fn composition_with_a_rational_left_operand() {
    let mut tally = Tally::default();
    let generate = |rng: &mut Random| {
        let kind = *rng.pick(&random::PAIRS);
        let mut case = random::pair(rng, kind);
        let mut leaves = case.layouts[0].leaves().into_iter();
        let denominators = [1, 2, 2, 3, 4];
        case.layouts[0] = case.layouts[0].clone().replace_leaves(&mut || {
            let (s, step) = leaves.next().unwrap();
            let denominator = *rng.pick(&denominators);
            let divisor = oracle::gcd(step.count.0, denominator).max(1);
            Nest::Leaf(s, Step { count: (step.count.0 / divisor, denominator / divisor), unit: Axis::One })
        });
        case
    };
    check_pair("composition rational", 15_000, generate, |[a, b], [left, right]| {
        let denominator = a.denominator();
        let flat = a.scaled(denominator);
        let is_right = |r: Nest| {
            let parts = compose(&flat, &b.flat()).ok_or("a layout where there is none")?;
            if r.scaled(denominator) != parts.concat() || !b.compatible(&r) {
                return Err(r.text().to_string());
            }
            if r.leaves().iter().any(|(_, d)| oracle::gcd(d.count.0, d.count.1) != 1) {
                return Err(format!("{} is not in lowest terms", r.text()));
            }
            Ok(())
        };
        tally.judge(left.composition(&right), is_right, |error| postcondition_refusal(&flat, b, error))
    });
    tally.close("rational");
    let halves: Layout = "4:1/2".parse().unwrap();
    let whole: Layout = "8:1".parse().unwrap();
    assert_eq!(whole.composition(&halves).unwrap_err().code(), "not-integral");
}

/// `A` gives coordinates, `B` is any integer layout: the same theorem in `Z^k`; a stride with several components is
/// `NotBasis`.
#[test]
fn composition_with_a_coordinate_left_operand() {
    let mut tally = Tally::default();
    let axes = [vec![0], vec![1, 0], vec![1, 1]];
    let generate = |rng: &mut Random| {
        let a = if rng.once_in(2) {
            random::layout_of_sums(rng, &axes, 4, 200, -2)
        } else if rng.once_in(2) {
            random::coordinate_layout(rng, &axes, 4, 200, 5)
        } else {
            let shape = random::layout(rng, 4, 200);
            let mut paths = random::addresses(rng, &shape);
            paths.truncate(AXES);
            let mut next = 0;
            shape.replace_leaves(&mut || {
                next += 1;
                Nest::Leaf(rng.range(1, 5), Step::basis(1, &paths[(next - 1) % paths.len()]))
            })
        };
        let b = *rng.pick(&random::PAIRS);
        Case::layouts([a, random::pair(rng, b).layouts[1].clone()])
    };
    check("composition coordinate A", 30_000, generate, |case| {
        let [a, b] = &case.layouts[..] else { unreachable!() };
        let axes = Axes::of(&[a]);
        if axes.0.len() > AXES || axes.0.iter().any(|p| axes.0.iter().any(|q| p != q && q.starts_with(p))) {
            return Ok(());
        }
        let (Some(left), Some(right)) = (a.layout(), b.layout()) else { return Ok(()) };
        if axes.0.iter().any(Vec::is_empty) {
            return Ok(());
        }
        verdict_in(&axes, compose(&axes.flat(a), &b.flat()), b, left.composition(&right), &mut tally)
    });
    tally.close("coordinate A");
    assert!(tally.right > 100 * !cfg!(debug_assertions) as usize && tally.refused > 0);
}

/// The answer against parts in `Z^k`.
fn verdict_in(
    axes: &Axes,
    parts: Option<Vec<Flat<[i128; AXES]>>>,
    b: &Nest,
    result: Result<Layout, Error>,
    tally: &mut Tally,
) -> Result<(), String> {
    let expected = parts.as_ref().map(|parts| {
        let several = parts.iter().flatten().any(|(_, column)| axes.step(column).is_none());
        let mut parts = parts.iter();
        (!several).then(|| {
            b.replace_leaves(&mut || {
                let leaves: Vec<Nest> = parts
                    .next()
                    .unwrap()
                    .iter()
                    .map(|(s, column)| Nest::Leaf(*s, axes.step(column).unwrap()))
                    .collect();
                if leaves.len() == 1 { leaves[0].clone() } else { Nest::Tuple(leaves) }
            })
        })
    });
    match (result, expected) {
        (Ok(r), Some(Some(expected))) if Nest::of(&r) == expected => tally.right += 1,
        (Ok(r), Some(Some(expected))) => return Err(format!("{r}, expected {}", expected.text())),
        (Ok(r), _) => return Err(format!("SILENTLY WRONG: {r} where there is none")),
        (Err(Error::Undecided { .. }), _) => tally.undecided += 1,
        (Err(error), Some(Some(expected))) => {
            return Err(format!("REFUSED: {error}; it is {}", expected.text()));
        }
        (Err(Error::NotBasis { .. }), Some(None)) => tally.refused += 1,
        (Err(error), Some(None)) => return Err(format!("{error}, where strides have several components")),
        (Err(Error::ShapeDivisibility { .. } | Error::Carry { .. } | Error::NotBasis { .. }), None) => {
            tally.refused += 1;
        }
        (Err(error), None) => return Err(format!("an error of another kind: {error}")),
    }
    Ok(())
}

/// `B` gives coordinates of `A` (paper, section 3.3.2, reductive case): each basis element goes to the sublayout it
/// addresses.
#[test]
fn composition_with_a_coordinate_right_operand() {
    let mut tally = Tally::default();
    let generate = |rng: &mut Random| {
        let kind = *rng.pick(&random::PAIRS);
        let a = random::pair(rng, kind).layouts[0].clone();
        let paths = random::addresses(rng, &a);
        let largest = *rng.pick(&[1, 2, 6, 20]);
        let b = random::coordinate_layout(rng, &paths, 4, 150, largest);
        Case::layouts([a, b])
    };
    check_pair("composition coordinate B", 30_000, generate, |[a, b], [left, right]| {
        let addressed = |path: &[usize]| {
            let mut nest = a;
            path.iter().all(|&i| match nest {
                Nest::Tuple(modes) if i < modes.len() => {
                    nest = &modes[i];
                    true
                }
                _ => false,
            })
        };
        let axes = Axes::of(&[b]);
        if !axes.0.iter().all(|path| addressed(path)) {
            return Ok(());
        }
        let leaves = b.leaves();
        // Each leaf goes through the sublayout at its path; leaves of one path add up there.
        let mut parts: Vec<Option<Flat>> = vec![None; leaves.len()];
        let mut exists = true;
        for path in &axes.0 {
            let of_path: Vec<usize> =
                (0..leaves.len()).filter(|&i| leaves[i].1.unit == Axis::Basis(path.clone())).collect();
            let own: Flat = of_path.iter().map(|&i| (leaves[i].0, leaves[i].1.count.0)).collect();
            match compose(&a.get(path).flat(), &own) {
                Some(found) => of_path.iter().zip(found).for_each(|(&i, part)| parts[i] = Some(part)),
                None => exists = false,
            }
        }
        let parts: Vec<Flat> = parts
            .into_iter()
            .zip(&leaves)
            .map(|(part, (s, _))| part.unwrap_or_else(|| vec![(*s, 0)]))
            .collect();
        let expected = exists.then(|| refine(b, &parts));
        tally.compare(left.composition(&right), expected)
    });
    tally.close("coordinate B");
    assert!(tally.right > 0 && tally.refused > 0);
}

#[test]
fn a_basis_element_that_addresses_nothing() {
    let (a, b): (Layout, Layout) = ("(4,8):(8,1)".parse().unwrap(), "2:1@2".parse().unwrap());
    assert!(a.composition(&b).is_err());
    let b: Layout = "2:1@0@1".parse().unwrap();
    assert!(a.composition(&b).is_err(), "mode 1 is not a tuple");
}

/// XOR strides: an answer has to be right at every coordinate with carry-less multiples.
#[test]
fn composition_with_an_xor_left_operand() {
    let (mut right, mut refused) = (0, 0);
    let generate = |rng: &mut Random| {
        let mut leaves = Vec::new();
        for _ in 0..rng.range(1, 4) {
            let s = *rng.pick(&[1, 2, 2, 4, 4, 8, 3]);
            let stride = if rng.once_in(2) { 1 << rng.range(0, 6) } else { rng.range(0, 70) };
            leaves.push(Nest::Leaf(s, Step::xor(stride)));
        }
        let a = random::nest(rng, &leaves);
        let kind = *rng.pick(&[Pair::Powers, Pair::Aligned, Pair::Chain, Pair::Mixed]);
        let b = random::pair(rng, kind).layouts[1].clone();
        Case::layouts([a, b])
    };
    check_pair("composition xor", 30_000, generate, |[a, b], [left, layout]| {
        let Ok(r) = left.composition(&layout) else {
            refused += 1;
            return Ok(());
        };
        right += 1;
        let r = Nest::of(&r);
        if !b.compatible(&r) {
            return Err(format!("{} does not refine", r.text()));
        }
        let inner = b.flat();
        for c in 0..oracle::size(&inner) {
            let (truth, found) = (oracle::number_at(a, at(&inner, c)), oracle::number_at(&r, c));
            if truth != found {
                return Err(format!("SILENTLY WRONG: {} gives {found} at {c}, not {truth}", r.text()));
            }
        }
        Ok(())
    });
    println!("xor: {right} right, {refused} refused");
    assert!(right > refused / 20);
}

// ---- by mode ----

fn tiler(rng: &mut Random, of: &Nest, holes: bool) -> Tiler {
    if holes && rng.once_in(6) {
        return Tiler::HOLE;
    }
    match of {
        Nest::Tuple(modes) if !modes.is_empty() && rng.once_in(2) => {
            let count = if rng.once_in(4) { rng.range(1, modes.len() as i128) as usize } else { modes.len() };
            let tiles: Vec<Tiler> = modes[..count].iter().map(|mode| tiler(rng, mode, holes)).collect();
            Tiler::by_mode(&tiles).unwrap_or(Tiler::HOLE)
        }
        _ => {
            let kind = *rng.pick(&[random::Kind::Powers, random::Kind::Chain, random::Kind::Mixed]);
            let most = if rng.once_in(2) { 1 } else { 2 };
            random::layout_of(rng, kind, most, 16).layout().unwrap().as_tiler()
        }
    }
}

/// The composition by mode: the result, or whether a part of it does not exist.
fn by_mode(a: &Nest, tiler: &Tiler) -> Option<Nest> {
    if !tiler.is_by_mode() {
        let Some(tile) = tiler.layout().unwrap() else { return Some(a.clone()) };
        let b = Nest::of(&tile);
        return compose(&a.flat(), &b.flat()).map(|parts| refine(&b, &parts));
    }
    let modes: Option<Vec<Nest>> =
        (0..tiler.rank()).map(|i| by_mode(a.mode(i), &tiler.mode(i).unwrap())).collect();
    modes.map(Nest::Tuple)
}

#[test]
fn composition_by_mode_composes_each_mode() {
    let mut tally = Tally::default();
    let generate = |rng: &mut Random| {
        let kind = *rng.pick(&random::PAIRS);
        random::pair(rng, kind).layouts[0].clone()
    };
    check_seeded("composition by mode", 30_000, generate, |a, left, mut rng| {
        let tiler = tiler(&mut rng, a, true);
        let compared = tally.compare(left.composition_by_mode(&tiler), by_mode(a, &tiler));
        compared.map_err(|error| format!("by {tiler}: {error}"))
    });
    tally.close("by mode");
    assert!(tally.right > 0 && tally.refused > 0);
    let a: Layout = "(4,8):(8,1)".parse().unwrap();
    assert_eq!(a.composition_by_mode(&"<2:1,_,2:1>".parse().unwrap()).unwrap_err().code(), "rank");
}

// ---- properties of the paper ----

#[test]
fn composition_is_associative_where_images_stay_inside() {
    let mut tried = 0;
    let generate = |rng: &mut Random| {
        let (a, b) = (random::pair(rng, Pair::Aligned), random::pair(rng, Pair::Aligned));
        let c = random::layout_of(rng, random::Kind::Powers, 2, 16);
        Case::layouts([a.layouts[0].clone(), b.layouts[1].clone(), c])
    };
    check("associativity", 30_000, generate, |case| {
        let [a, b, c] = &case.layouts[..] else { unreachable!() };
        let inside = |inner: &Nest, outer: &Nest| {
            oracle::values(&inner.flat()).iter().all(|&value| 0 <= value && value < outer.size())
        };
        if !inside(b, a) || !inside(c, b) {
            return Ok(());
        }
        let (Some(a), Some(b), Some(c)) = (a.layout(), b.layout(), c.layout()) else { return Ok(()) };
        let (Ok(ab), Ok(bc)) = (a.composition(&b), b.composition(&c)) else { return Ok(()) };
        let (left, right) = (ab.composition(&c), a.composition(&bc));
        if let (Ok(left), Ok(right)) = (left, right) {
            tried += 1;
            if !left.equivalent(&right) {
                return Err(format!("{left} and {right}"));
            }
        }
        Ok(())
    });
    assert!(tried > 0);
}

#[test]
fn the_enumeration_itself() {
    // The examples of the paper and of EXACT.md, by the oracle alone.
    let none = |a: &[(i128, i128)], b: &[(i128, i128)]| compose(a, b).is_none();
    assert!(none(&[(4, 2), (6, 3), (8, 5)], &[(6, 3)]) && none(&[(4, 2), (6, 3), (8, 5)], &[(6, 1)]));
    assert!(none(&[(6, 1), (2, 7)], &[(3, 2), (2, 3)]));
    assert_eq!(compose(&[(4, 1), (1, 100)], &[(8, 1)]), Some(vec![vec![(4, 1), (2, 100)]]));
    assert_eq!(compose(&[(3, 1), (3, 4), (4, 11)], &[(5, 4)]), Some(vec![vec![(5, 5)]]));
    assert_eq!(reconstruct(&[0, 1, 0, 1]), Some(vec![(2, 1), (2, 0)]));
    assert_eq!(reconstruct(&[0, 1, 3]), None);
    let mut sum = [0; AXES];
    sum.add_scaled(2, &[1; AXES]);
    assert_eq!(sum, [2; AXES]);
}
