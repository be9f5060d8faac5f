//! XOR strides: answers and refusals against a search through all layouts, over all small ones and random ones.

use crate::oracle::{Nest, Step};
use crate::oracle_xor::{Modes, SUMS, Sum, fewest_modes};
use crate::random::{Rng, cases};
use std::collections::{BTreeMap, BTreeSet};
use tilework::{Codomain, Composed, HTuple, Layout, Swizzle};

/// Of `modes` modes with extents `1..=extent` and strides `0..=stride` all, or where these are more than are due every
/// so many.
fn sweep(modes: u32, extent: i128, stride: i128, due: usize, mut test: impl FnMut(&Modes)) {
    let kinds = (extent * (stride + 1)) as usize;
    let all = kinds.pow(modes);
    let step = (all / cases(due).max(3000)).max(1);
    for number in (0..all).step_by(step) {
        let mut rest = number;
        let mode = |_| {
            let kind = (rest % kinds) as i128;
            rest /= kinds;
            (1 + kind / (stride + 1), kind % (stride + 1))
        };
        test(&(0..modes).map(mode).collect());
    }
}

fn layout(sum: Sum, modes: &Modes) -> Layout {
    let step = |stride| if sum == Sum::Xor { Step::xor(stride) } else { Step::integer(stride) };
    let leaves: Vec<Nest> = modes.iter().map(|&(extent, stride)| Nest::Leaf(extent, step(stride))).collect();
    if let [leaf] = &leaves[..] { leaf.layout().unwrap() } else { Nest::Tuple(leaves).layout().unwrap() }
}

/// The offset of an index that is not negative.
fn at(layout: &Layout, index: i128) -> i128 {
    let sum = if layout.codomain() == Codomain::Xor { Sum::Xor } else { Sum::Integer };
    let leaves = layout.leaves();
    let (mut rest, mut offset) = (index, 0);
    for (i, leaf) in leaves.iter().enumerate() {
        let extent = i128::from(leaf.extent);
        let digit = if i + 1 == leaves.len() { rest } else { rest % extent };
        rest /= extent;
        offset = sum.plus(offset, sum.times(digit, i128::from(leaf.stride.count().numerator())));
    }
    offset
}

fn table(layout: &Layout) -> Vec<i128> {
    (0..i128::from(layout.size())).map(|index| at(layout, index)).collect()
}

/// All layouts of two modes, and those of three that are due.
fn small(due: usize, mut test: impl FnMut(&Modes)) {
    sweep(2, 6, 8, 3000, &mut test);
    sweep(3, 6, 8, due, &mut test);
}

#[test]
fn coalesced_is_the_least_and_one_for_each_function() {
    let mut forms: BTreeMap<Vec<i128>, Layout> = BTreeMap::new();
    small(160_000, |modes| {
        let own = layout(Sum::Xor, modes);
        let (f, coalesced) = (table(&own), own.coalesce());
        assert_eq!(table(&coalesced), f, "{own} {coalesced}");
        if own.codomain() == Codomain::Xor {
            let moving = coalesced.leaves().iter().filter(|leaf| leaf.extent > 1).count();
            assert_eq!(Some(moving), fewest_modes(Sum::Xor, &f), "{own} {coalesced}");
            let form = *forms.entry(f).or_insert(coalesced);
            assert_eq!(form, coalesced, "{own}");
        }
    });
    assert!(forms.len() > 1000);
}

#[test]
fn equality_is_that_of_functions() {
    let mut rng = Rng(5);
    let mut equal = 0;
    sweep(2, 6, 8, 3000, |modes| {
        let own = layout(*rng.pick(&SUMS), modes);
        for (sum, other) in [(Sum::Xor, modes), (Sum::Integer, modes)] {
            let other = layout(sum, other);
            equal += usize::from(table(&own) == table(&other));
            assert_eq!(own.equivalent(&other), table(&own) == table(&other), "{own} {other}");
        }
        for sum in SUMS {
            // Another layout of the same first step, and perhaps of the same function.
            let other: Modes = vec![
                (*rng.pick(&[1, 2, 3, 4, 6]), modes[0].1),
                (*rng.pick(&[1, 2, 3, 4, 6]), rng.range(0, 2) * modes[0].1 * rng.range(1, 3)),
            ];
            let other = layout(sum, &other);
            assert_eq!(own.equivalent(&other), table(&own) == table(&other), "{own} {other}");
        }
    });
    assert!(equal > 500);
}

#[test]
fn every_question_of_the_image_is_answered() {
    small(160_000, |modes| {
        let own = layout(Sum::Xor, modes);
        let f = table(&own);
        let image: BTreeSet<i128> = f.iter().copied().collect();
        let most = *image.last().unwrap();
        let onto = image.len() as i128 == most + 1;
        assert_eq!(own.max_offset().map(i128::from), Ok(most), "{own}");
        assert_eq!(own.is_injective(), Ok(image.len() == f.len()), "{own}");
        assert_eq!(own.is_surjective(), Ok(onto), "{own}");
        for found in [own.is_compact(), own.is_bijective()] {
            assert_eq!(found, Ok(onto && image.len() == f.len()), "{own}");
        }
    });
    let large = layout(Sum::Xor, &vec![(1 << 40, 1), (3, 1), (5, 1 << 38)]);
    assert_eq!((large.is_surjective(), large.is_injective()), (Ok(true), Ok(false)));
}

#[test]
fn an_offset_is_added_as_those_of_the_layout_are() {
    let mut rng = Rng(7);
    small(20_000, |modes| {
        let own = layout(Sum::Xor, modes);
        if own.codomain() != Codomain::Xor {
            return;
        }
        let start = rng.range(0, 12) as i64;
        let composed = Composed::new(Swizzle::NONE, start, own).unwrap();
        let fixed = rng.range(0, modes[0].0 - 1);
        let pattern = format!("({fixed}{})", ",_".repeat(modes.len() - 1)).parse().unwrap();
        let slice = composed.slice(&pattern).unwrap();
        let view = own.slice(&pattern).unwrap();
        let mut offsets = BTreeSet::new();
        for c in 0..own.size() / modes[0].0 as i64 {
            let offset = |c| HTuple::leaf(c);
            let whole = offset(modes[0].0 as i64 * c + fixed as i64);
            let expected = start as i128 ^ at(&own, i128::from(whole.leaves()[0]));
            assert_eq!(composed.evaluate(&whole).unwrap().to_string(), expected.to_string());
            assert_eq!(slice.evaluate(&offset(c)).unwrap().to_string(), expected.to_string(), "{composed}");
            offsets.insert(expected as i64 ^ start);
        }
        let bounds = (*offsets.first().unwrap(), *offsets.last().unwrap());
        assert_eq!(view.bounds(), Ok(bounds), "{view}");
    });
}
