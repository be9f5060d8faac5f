//! The algebra in pycute's forms: the functions are those of the methods, and what only these forms have is right.

use crate::oracle::{Flat, Nest, at, values};
use crate::random::{self, Case, Random, check};
use std::collections::BTreeSet;
use tilework::{Error, Layout, Tiler, pycute};

type Operation = fn(&Layout, &Tiler) -> Result<Layout, Error>;

fn pair(rng: &mut Random) -> Case {
    let kind = *rng.pick(&random::PAIRS);
    random::pair(rng, kind)
}

/// How far pycute says that a step of `stride` coordinates goes: what the modes before the last leave of it, rounded up.
fn unit_stride(left: &Flat, stride: i128) -> i128 {
    let mut modes: Flat = Vec::new();
    for &(extent, stride) in left.iter().filter(|mode| mode.0 > 1) {
        match modes.last_mut() {
            Some(last) if last.0 * last.1 == stride => last.0 *= extent,
            _ => modes.push((extent, stride)),
        }
    }
    let Some((last, before)) = modes.split_last() else { return 0 };
    before.iter().fold(stride, |rest, mode| -(-rest).div_euclid(mode.0)) * last.1
}

/// `result` without the strides of extents 1 where `right` has such, and these strides.
fn split(right: &Nest, result: &Nest, strides: &mut Vec<(i128, i128)>) -> Nest {
    match (right, result) {
        (Nest::Leaf(1, from), Nest::Leaf(1, to)) => {
            strides.push((from.count.0, to.count.0));
            Nest::leaf(1, 0)
        }
        (Nest::Tuple(rights), Nest::Tuple(results)) => {
            Nest::Tuple(rights.iter().zip(results).map(|(a, b)| split(a, b, strides)).collect())
        }
        _ => result.clone(),
    }
}

#[test]
fn a_composition_is_that_of_layouts_but_for_strides_of_extent_1() {
    let mut ones = 0;
    check("pycute::composition", 20_000, pair, |case| {
        let [left, right] = &case.layouts[..] else { unreachable!() };
        let (Some(a), Some(b)) = (left.layout(), right.layout()) else { return Ok(()) };
        let (result, expected) = match (pycute::composition(&a, &b.as_tiler()), a.composition(&b)) {
            (Ok(result), Ok(expected)) => (result, expected),
            (Err(error), Err(expected)) if error == expected => return Ok(()),
            (result, expected) => return Err(format!("{result:?}, not {expected:?}")),
        };
        let mut strides = Vec::new();
        let without = split(right, &Nest::of(&result), &mut strides);
        ones += strides.len();
        for (from, to) in strides {
            let truth = unit_stride(&left.flat(), from);
            if to != truth {
                return Err(format!("{result}: the stride {from} of an extent 1 is {to}, not {truth}"));
            }
        }
        if without.layout() == Some(expected) { Ok(()) } else { Err(format!("{result}, not {expected}")) }
    });
    assert!(ones > 0);
}

#[test]
fn tilers_apply_to_the_leading_modes() {
    const OPERATIONS: [(&str, Operation); 3] = [
        ("composition", pycute::composition),
        ("logical_divide", pycute::logical_divide),
        ("logical_product", pycute::logical_product),
    ];
    let mut found = 0;
    let generate = |rng: &mut Random| {
        let layouts = [(); 5].map(|()| random::layout(rng, 2, 30));
        Case { layouts: layouts.to_vec(), numbers: vec![rng.range(1, 3)] }
    };
    check("tilers in pycute's form", 5_000, generate, |case| {
        let layouts: Option<Vec<Layout>> = case.layouts.iter().map(Nest::layout).collect();
        let Some(layouts) = layouts.filter(|layouts| layouts.len() == 5) else { return Ok(()) };
        let (modes, tiles) = layouts.split_at(3);
        let rank = case.numbers[0].clamp(1, 2) as usize;
        let whole = Layout::concatenate(modes).map_err(|error| error.to_string())?;
        let tiler = Tiler::by_mode(&tiles[..rank].iter().map(|tile| tile.as_tiler()).collect::<Vec<_>>());
        let tiler = tiler.map_err(|error| error.to_string())?;
        for (name, operation) in OPERATIONS {
            let parts: Result<Vec<Layout>, Error> = (0..3)
                .map(|i| if i < rank { operation(&modes[i], &tiles[i].as_tiler()) } else { Ok(modes[i]) })
                .collect();
            let expected = parts.and_then(|parts| Layout::concatenate(&parts));
            let result = operation(&whole, &tiler);
            if result.is_ok() != expected.is_ok() || result.is_ok() && result != expected {
                return Err(format!("{name}: {result:?}, not {expected:?}"));
            }
            found += usize::from(result.is_ok());
        }
        Ok(())
    });
    assert!(found > 0);
}

/// The extents and strides of the gaps below the first mode that begins before the one below it ends.
fn gaps_below(flat: &Flat) -> Option<Flat> {
    let mut modes: Vec<_> = flat.iter().filter(|m| m.0 > 1 && m.1 != 0).map(|&(s, d)| (d, s)).collect();
    modes.sort_unstable();
    let (mut gaps, mut end) = (Flat::new(), 1);
    for (stride, extent) in modes {
        if stride < end {
            return Some(gaps);
        }
        gaps.push((stride / end, end));
        end = stride * extent;
    }
    None
}

#[test]
fn products_of_blocks_whose_modes_interleave() {
    let (mut found, mut refused, mut undecided) = (0, 0, 0);
    let generate = |rng: &mut Random| Case::layouts([random::layout(rng, 4, 60), random::layout(rng, 2, 12)]);
    check("pycute::logical_product", 40_000, generate, |case| {
        let (block, grid) = (case.layouts[0].flat(), case.layouts[1].flat());
        let (Some(a), Some(b)) = (case.layouts[0].layout(), case.layouts[1].layout()) else { return Ok(()) };
        let negative = block.iter().chain(&grid).any(|mode| mode.1 < 0);
        let Some(gaps) = gaps_below(&block).filter(|_| !negative) else { return Ok(()) };
        let room = gaps.iter().map(|gap| gap.0).product::<i128>();
        let fits = values(&grid).iter().all(|&place| place < room);
        let places: Vec<i128> = values(&grid).iter().map(|&place| at(&gaps, place)).collect();
        let (starts, offsets): (BTreeSet<_>, BTreeSet<_>) =
            (places.iter().collect(), values(&block).into_iter().collect());
        let sums: BTreeSet<i128> = starts.iter().flat_map(|&s| offsets.iter().map(move |o| s + o)).collect();
        let apart = fits && sums.len() == starts.len() * offsets.len();
        match pycute::logical_product(&a, &b.as_tiler()) {
            Ok(product) if apart => {
                found += 1;
                let blocks = Nest::of(&product);
                let right = *blocks.mode(0) == case.layouts[0] && values(&blocks.mode(1).flat()) == places;
                if right { Ok(()) } else { Err(format!("{product}")) }
            }
            Ok(product) => Err(format!("{product}: blocks meet, or do not lie in {gaps:?}")),
            Err(Error::Overlap { .. }) if !apart => {
                refused += 1;
                Ok(())
            }
            // The places are not a layout, or the search for blocks that meet has ended.
            Err(_) => {
                undecided += 1;
                Ok(())
            }
        }
    });
    println!("{found} found, {refused} refused, {undecided} undecided or no layout");
    assert!(found > 0 && refused > 0 && undecided < found / 4);
}

/// Whether `L(G(L(k))) = L(k)`, on the extended domain.
fn is_left_inverse(l: &Flat, g: &Flat) -> bool {
    values(l).iter().all(|&offset| at(l, at(g, offset)) == offset)
}

/// The chain through the modes and the gaps between them.
fn chain(flat: &Flat) -> Option<Flat> {
    let mut modes: Vec<(i128, i128)> = flat.iter().map(|&(s, d)| (d, s)).collect();
    modes.sort_unstable();
    let (mut all, mut end) = (flat.clone(), 1);
    for &(stride, extent) in modes.iter().filter(|mode| mode.0 != 0 && mode.1 > 1) {
        all.push((stride / end, end));
        end = stride * extent;
    }
    let mut index = 1;
    let mut indexed: Vec<(i128, i128, i128)> = Vec::new();
    for (extent, stride) in all {
        indexed.push((stride, extent, index));
        index *= extent;
    }
    indexed.sort_unstable();
    let (mut chain, mut reached) = (Flat::new(), 1);
    for (stride, extent, index) in indexed.into_iter().filter(|mode| mode.1 != 1) {
        if stride != reached {
            break;
        }
        if extent == 0 {
            return None;
        }
        chain.push((extent, index));
        reached *= extent;
    }
    Some(chain)
}

#[test]
fn inverses() {
    let (mut behind, mut refused, mut with_gaps) = (0, 0, 0);
    let generate = |rng: &mut Random| Case::layouts([random::layout(rng, 4, 120)]);
    check("inverses in pycute's form", 40_000, generate, |case| {
        let flat = case.layouts[0].flat();
        let Some(layout) = case.layouts[0].layout() else { return Ok(()) };
        match pycute::right_inverse(&layout) {
            Ok(right) => {
                let own = Nest::of(&right).flat();
                if (0..right.size()).any(|k| at(&flat, at(&own, k.into())) != k.into()) {
                    return Err(format!("the right inverse {right}"));
                }
            }
            error => return Err(format!("the right inverse: {error:?}")),
        }
        // pycute's definition, where it has a whole inverse.
        if let Ok(rest) = layout.complement()
            && let Ok(whole) = Layout::concatenate(&[layout, rest])
            && let Ok(inverse) = whole.right_inverse()
            && inverse.size() == whole.size()
            && layout.filter_zeros().size() > 1
        {
            with_gaps += usize::from(pycute::left_inverse(&layout) != layout.left_inverse());
            if pycute::left_inverse(&layout) != Ok(inverse) {
                return Err(format!("the left inverse is not {inverse}"));
            }
        }
        match pycute::left_inverse(&layout) {
            Ok(left) if is_left_inverse(&flat, &Nest::of(&left).flat()) => {
                behind += usize::from(layout.left_inverse().is_err());
                Ok(())
            }
            Ok(left) => Err(format!("the left inverse {left}")),
            Err(_) => {
                refused += 1;
                let positive = flat.iter().all(|mode| mode.1 > 0 || mode.0 == 1);
                match chain(&flat) {
                    Some(chain) if positive && is_left_inverse(&flat, &chain) => {
                        Err(format!("the left inverse {chain:?} is refused"))
                    }
                    _ => Ok(()),
                }
            }
        }
    });
    println!("{behind} with indices behind the layout, {refused} refused, {with_gaps} with indices of gaps");
    assert!(refused > 0 && with_gaps > 0);
}

/// The chain of modes that go on from one another.
#[test]
fn right_inverses_that_the_search_does_not_decide() {
    let mut undecided = 0;
    let generate = |rng: &mut Random| {
        let strides = [1, 1, 2, 3, 5, 7, 11, 20, -1, -3, 30, 64, 100];
        let modes: Flat = (0..rng.range(6, 11)).map(|_| (rng.range(2, 8), *rng.pick(&strides))).collect();
        Case::layouts([Nest::of_flat(&modes)])
    };
    check("pycute::right_inverse past the budget", 5_000, generate, |case| {
        let flat = case.layouts[0].flat();
        let Some(layout) = case.layouts[0].layout() else { return Ok(()) };
        if layout.right_inverse().err().is_none_or(|error| !matches!(error, Error::Undecided { .. })) {
            return Ok(());
        }
        undecided += 1;
        let inverse = pycute::right_inverse(&layout).map_err(|error| error.to_string())?;
        let own = Nest::of(&inverse).flat();
        let longest = flat.iter().filter(|mode| mode.1 == 1).map(|mode| mode.0).max().unwrap_or(1);
        if i128::from(inverse.size()) < longest {
            return Err(format!("{inverse} is shorter than a mode of stride 1"));
        }
        let right = |k: i64| at(&flat, at(&own, k.into())) == k.into();
        if (0..inverse.size()).all(right) { Ok(()) } else { Err(format!("the right inverse {inverse}")) }
    });
    assert!(undecided > 10, "{undecided}");
}
