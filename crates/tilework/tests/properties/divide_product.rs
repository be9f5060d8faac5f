//! The divides and the products: their definitions by enumeration, and the regroupings of their modes.

use crate::oracle::{self, Flat, Nest, compose, divides_evenly, gaps, reconstruct, segregated, values};
use crate::random::{self, Case, Kind, Random, check, check_pair};
use std::collections::BTreeSet;
use tilework::{Error, HTuple, Layout, Tiler};

/// Why there is no answer.
#[derive(Debug, PartialEq, Clone, Copy)]
enum Without {
    Complement,
    Composition,
    Surjection,
}

fn refine(b: &Nest, parts: &[Flat]) -> Nest {
    let mut parts = parts.iter();
    b.replace_leaves(&mut || Nest::of_flat(parts.next().unwrap()))
}

/// `A o (B, complement(B, |A|))`, where tile and rest reach every index of `A` (section 3.5.2).
fn divided(a: &Nest, b: &Nest) -> Result<Nest, Without> {
    let modes = segregated(&b.flat()).ok_or(Without::Complement)?;
    let form = gaps(&modes, |below| (a.size() + below - 1) / below);
    let rest = Nest::of_flat(&reconstruct(&values(&form)).unwrap());
    let whole = Nest::Tuple(vec![b.clone(), rest]);
    let reached: BTreeSet<i128> = values(&whole.flat()).into_iter().collect();
    if (0..a.size()).any(|index| !reached.contains(&index)) {
        return Err(Without::Surjection);
    }
    let parts = compose(&a.flat(), &whole.flat()).ok_or(Without::Composition)?;
    Ok(refine(&whole, &parts))
}

/// `(A, A* o B)` with the complement on its extended domain (section 3.5.1).
fn multiplied(a: &Nest, b: &Nest) -> Result<Nest, Without> {
    let modes = segregated(&a.flat()).ok_or(Without::Complement)?;
    let parts = compose(&gaps(&modes, |_| 1), &b.flat()).ok_or(Without::Composition)?;
    Ok(Nest::Tuple(vec![a.clone(), refine(b, &parts)]))
}

type Operation = fn(&Nest, &Nest) -> Result<Nest, Without>;

/// The operation applied where the tiler has a layout; a hole and what is beyond the tiler stay.
fn by_mode(a: &Nest, tiler: &Tiler, operation: Operation) -> Result<Nest, Without> {
    if !tiler.is_by_mode() {
        return match tiler.layout().unwrap() {
            Some(tile) => operation(a, &Nest::of(&tile)),
            None => Ok(a.clone()),
        };
    }
    let mut modes = Vec::new();
    for i in 0..a.rank() {
        modes.push(match tiler.mode(i) {
            Ok(tile) => by_mode(a.mode(i), &tile, operation)?,
            Err(_) => a.mode(i).clone(),
        });
    }
    Ok(Nest::Tuple(modes))
}

/// The first parts together and the second parts together; modes beyond the tiler go with the second.
fn unzip(logical: &Nest, tiler: &Tiler) -> (Nest, Nest) {
    if !tiler.is_by_mode() {
        return (logical.mode(0).clone(), logical.mode(1).clone());
    }
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for i in 0..logical.rank() {
        match tiler.mode(i) {
            Ok(tile) => {
                let (one, two) = unzip(logical.mode(i), &tile);
                first.push(one);
                second.push(two);
            }
            Err(_) => second.push(logical.mode(i).clone()),
        }
    }
    (Nest::Tuple(first), Nest::Tuple(second))
}

fn unpack(nest: &Nest) -> Vec<Nest> {
    (0..nest.rank()).map(|i| nest.mode(i).clone()).collect()
}

fn same(name: &str, found: Result<Layout, Error>, expected: &Nest) -> Result<(), String> {
    match found {
        Ok(found) if Nest::of(&found) == *expected => Ok(()),
        Ok(found) => Err(format!("{name}: {found}, expected {}", expected.text())),
        Err(error) => Err(format!("{name} refused: {error}; it is {}", expected.text())),
    }
}

fn tiler(rng: &mut Random, of: &Nest, holes: bool) -> Tiler {
    match of {
        Nest::Tuple(modes) if !modes.is_empty() && rng.once_in(2) => {
            let count = if rng.once_in(4) { rng.range(1, modes.len() as i128) as usize } else { modes.len() };
            let tiles: Vec<Tiler> = modes[..count]
                .iter()
                .map(|mode| if holes && rng.once_in(5) { Tiler::HOLE } else { tiler(rng, mode, holes) })
                .collect();
            Tiler::by_mode(&tiles).unwrap_or(Tiler::HOLE)
        }
        _ => {
            // Tiles that divide the extent, more often than not.
            let size = of.size();
            let divisors: Vec<i128> = (1..=size).filter(|q| size % q == 0).collect();
            let skip = *rng.pick(&divisors);
            let rest: Vec<i128> = (1..=size / skip).filter(|q| size / skip % q == 0).collect();
            let mut modes = vec![(*rng.pick(&rest), skip)];
            if rng.once_in(4) {
                let kind = *rng.pick(&[Kind::Gapped, Kind::Powers, Kind::Compact, Kind::Mixed]);
                modes = random::flat(rng, kind, 3, 16);
            }
            random::nest_flat(rng, &modes).layout().unwrap().as_tiler()
        }
    }
}

fn generate(rng: &mut Random) -> Case {
    let kind =
        *rng.pick(&[Kind::Powers, Kind::Compact, Kind::Gapped, Kind::Mixed, Kind::Signed, Kind::Repeated]);
    let a = random::layout_of(rng, kind, 4, 120);
    Case { layouts: vec![a], numbers: vec![rng.range(0, i64::MAX as i128)] }
}

#[test]
fn divides_are_compositions_with_the_completed_tiler() {
    let (mut found, mut refused, mut leaves_out, mut larger) = (0, 0, 0, 0);
    check("divide", 40_000, generate, |case| {
        let a = &case.layouts[0];
        let Some(left) = a.layout() else { return Ok(()) };
        let tiler = tiler(&mut Random::new(case.numbers[0] as u64), a, false);
        let say = |text: String| format!("by {tiler}: {text}");
        let logical = match (left.logical_divide(&tiler), by_mode(a, &tiler, divided)) {
            (Ok(r), Ok(expected)) if Nest::of(&r) == expected => expected,
            (Ok(r), expected) => {
                return Err(say(format!("{r}, expected {:?}", expected.map(|nest| nest.text()))));
            }
            (Err(Error::Undecided { .. }), _) => return Err(say("undecided".into())),
            (Err(error), Ok(expected)) => {
                return Err(say(format!("refused: {error}; it is {}", expected.text())));
            }
            (Err(error), Err(why)) => {
                refused += 1;
                let fits = match error {
                    Error::Overlap { .. } | Error::NegativeStride { .. } => true,
                    Error::ShapeDivisibility { .. } | Error::Carry { .. } => true,
                    Error::Gap { .. } => why != Without::Composition,
                    _ => false,
                };
                return if fits { Ok(()) } else { Err(say(format!("{error}, but {why:?}"))) };
            }
        };
        found += 1;
        if !tiler.is_by_mode() {
            let b = Nest::of(&tiler.layout().unwrap().unwrap());
            let (mut before, mut after) = (values(&a.flat()), values(&logical.flat()));
            if before.len() == after.len() && divides_evenly(&segregated(&b.flat()).unwrap()) {
                let distinct =
                    segregated(&b.flat()).unwrap().iter().map(|(s, _)| s).product::<i128>() == b.size();
                before.sort();
                after.sort();
                if distinct && before != after {
                    return Err(say("the elements are not those of A, each once".into()));
                }
            }
            let set: BTreeSet<i128> = after.iter().copied().collect();
            leaves_out += !before.iter().all(|value| set.contains(value)) as usize;
            larger += (after.len() > before.len()) as usize;
        }
        let (tile, rest) = unzip(&logical, &tiler);
        same("zipped_divide", left.zipped_divide(&tiler), &Nest::Tuple(vec![tile.clone(), rest.clone()]))
            .map_err(say)?;
        let tiled = [vec![tile.clone()], unpack(&rest)].concat();
        same("tiled_divide", left.tiled_divide(&tiler), &Nest::Tuple(tiled)).map_err(say)?;
        same("flat_divide", left.flat_divide(&tiler), &Nest::Tuple([unpack(&tile), unpack(&rest)].concat()))
            .map_err(say)?;
        // Mode 0 is the composition with the tiler.
        same("composition", left.composition_by_mode(&tiler), &tile).map_err(say)
    });
    println!("divide: {found} found, {refused} refused, {larger} are larger than A");
    assert_eq!(leaves_out, 0, "results without some elements of A");
    assert!(found > refused / 2 && refused > 0);
}

#[test]
fn divide_leaves_the_mode_under_a_hole() {
    check("divide holes", 10_000, generate, |case| {
        let a = &case.layouts[0];
        let Some(left) = a.layout() else { return Ok(()) };
        let tiler = tiler(&mut Random::new(case.numbers[0] as u64), a, true);
        match (left.logical_divide(&tiler), by_mode(a, &tiler, divided)) {
            (found, Ok(expected)) => same(&format!("by {tiler}"), found, &expected),
            (Ok(r), Err(why)) => Err(format!("by {tiler}: {r}, but {why:?}")),
            (Err(_), Err(_)) => Ok(()),
        }
    });
}

#[test]
fn products_repeat_the_block_without_overlap() {
    let (mut found, mut refused) = (0, 0);
    let generate = |rng: &mut Random| {
        let kind =
            *rng.pick(&[Kind::Compact, Kind::Gapped, Kind::Gapped, Kind::Chain, Kind::Mixed, Kind::Powers]);
        let a = random::layout_of(rng, kind, 3, 60);
        let kind =
            *rng.pick(&[Kind::Compact, Kind::Gapped, Kind::Chain, Kind::Powers, Kind::Mixed, Kind::Signed]);
        Case::layouts([a, random::layout_of(rng, kind, 3, 40)])
    };
    check_pair("product", 40_000, generate, |[a, b], [left, right]| {
        let tiler = right.as_tiler();
        let logical = match (left.logical_product(&tiler), multiplied(a, b)) {
            (Ok(r), Ok(expected)) if Nest::of(&r) == expected => expected,
            (Ok(r), expected) => {
                return Err(format!("{r}, expected {:?}", expected.map(|nest| nest.text())));
            }
            (Err(error), Ok(expected)) => {
                return Err(format!("refused: {error}; it is {}", expected.text()));
            }
            (Err(error), Err(why)) => {
                refused += 1;
                let fits = match error {
                    Error::Overlap { .. } | Error::NegativeStride { .. } => why == Without::Complement,
                    Error::ShapeDivisibility { .. } | Error::Carry { .. } => why == Without::Composition,
                    _ => false,
                };
                return if fits { Ok(()) } else { Err(format!("{error}, but {why:?}")) };
            }
        };
        found += 1;
        // "Each element of B has been replaced with a uniquely shifted version of A."
        let (block, grid) = (values(&a.flat()), values(&logical.mode(1).flat()));
        let shifts: BTreeSet<i128> = grid.iter().copied().collect();
        let places: BTreeSet<i128> = block.iter().copied().collect();
        let sums: BTreeSet<i128> = shifts.iter().flat_map(|x| places.iter().map(move |y| x + y)).collect();
        let elements: BTreeSet<i128> = values(&b.flat()).into_iter().collect();
        if sums.len() != shifts.len() * places.len() || shifts.len() != elements.len() {
            return Err(format!("{}: shifted blocks overlap", logical.text()));
        }
        let (tile, rest) = (logical.mode(0).clone(), logical.mode(1).clone());
        same("zipped_product", left.zipped_product(&tiler), &logical)?;
        same(
            "tiled_product",
            left.tiled_product(&tiler),
            &Nest::Tuple([vec![tile.clone()], unpack(&rest)].concat()),
        )?;
        same("flat_product", left.flat_product(&tiler), &Nest::Tuple([unpack(&tile), unpack(&rest)].concat()))
    });
    println!("product: {found} found, {refused} refused");
    assert!(found > refused && refused > 0);
}

#[test]
fn products_by_mode() {
    check("product by mode", 20_000, generate, |case| {
        let a = &case.layouts[0];
        let Some(left) = a.layout() else { return Ok(()) };
        let tiler = tiler(&mut Random::new(case.numbers[0] as u64), a, false);
        if !tiler.is_by_mode() {
            return Ok(());
        }
        match (left.logical_product(&tiler), by_mode(a, &tiler, multiplied)) {
            (found, Ok(expected)) => {
                same(&format!("by {tiler}"), found, &expected)?;
                let (tile, rest) = unzip(&expected, &tiler);
                same("zipped_product", left.zipped_product(&tiler), &Nest::Tuple(vec![tile, rest]))
            }
            (Ok(r), Err(why)) => Err(format!("by {tiler}: {r}, but {why:?}")),
            (Err(_), Err(_)) => Ok(()),
        }
    });
}

fn padded(nest: &Nest, rank: usize) -> Vec<Nest> {
    (0..rank).map(|i| if i < nest.rank() { nest.mode(i).clone() } else { Nest::leaf(1, 0) }).collect()
}

/// Mode `i` is `(block_i, grid_i)`, or `(grid_i, block_i)`: the whole product zipped.
fn zipped(a: &Nest, b: &Nest, raked: bool) -> Result<Nest, Without> {
    let rank = a.rank().max(b.rank());
    let logical = multiplied(a, &Nest::Tuple(padded(b, rank)))?;
    let grid = unpack(logical.mode(1));
    let pairs = padded(a, rank).into_iter().zip(grid);
    Ok(Nest::Tuple(pairs.map(|(x, y)| Nest::Tuple(if raked { vec![y, x] } else { vec![x, y] })).collect()))
}

#[test]
fn blocked_and_raked_products_zip_the_modes() {
    let mut found = 0;
    let generate = |rng: &mut Random| {
        let kind = *rng.pick(&[Kind::Compact, Kind::Gapped, Kind::Gapped, Kind::Powers]);
        let a = random::layout_of(rng, kind, 3, 60);
        let kind = *rng.pick(&[Kind::Compact, Kind::Gapped, Kind::Chain]);
        Case::layouts([a, random::layout_of(rng, kind, 3, 40)])
    };
    check_pair("blocked", 20_000, generate, |[a, b], [left, right]| {
        for (name, result, expected) in [
            ("blocked", left.blocked_product(&right), zipped(a, b, false)),
            ("raked", left.raked_product(&right), zipped(a, b, true)),
        ] {
            match (result, expected) {
                (result, Ok(expected)) => {
                    found += 1;
                    same(name, result, &expected)?;
                }
                (Ok(r), Err(why)) => return Err(format!("{name}: {r}, but {why:?}")),
                (Err(_), Err(_)) => {}
            }
        }
        Ok(())
    });
    assert!(found > 0);
}

/// The shape is filled with copies of the block, the grid compact in the order given.
#[test]
fn tile_to_shape_fills_the_shape() {
    let mut found = 0;
    let generate = |rng: &mut Random| {
        let kind = *rng.pick(&[Kind::Compact, Kind::Compact, Kind::Gapped, Kind::Powers]);
        let block = random::layout_of(rng, kind, 3, 60);
        let rank = block.rank() + rng.range(0, 1) as usize;
        let mut order: Vec<i128> = (0..rank as i128).collect();
        rng.shuffle(&mut order);
        let grid: Vec<i128> = (0..rank).map(|_| rng.range(1, 4)).collect();
        Case { layouts: vec![block], numbers: [grid, order].concat() }
    };
    check("tile_to_shape", 15_000, generate, |case| {
        let block = &case.layouts[0];
        let Some(layout) = block.layout() else { return Ok(()) };
        let (grid, order) = case.numbers.split_at(case.numbers.len() / 2);
        if grid.iter().any(|&extent| extent < 1) || grid.len() < block.rank() {
            return Ok(());
        }
        let sizes: Vec<i128> = padded(block, grid.len()).iter().map(Nest::size).collect();
        let mut ranked: Vec<usize> = (0..grid.len()).collect();
        ranked.sort_by_key(|&i| (order[i], i));
        let (mut strides, mut stride) = (vec![0; grid.len()], 1);
        for i in ranked {
            strides[i] = if grid[i] == 1 { 0 } else { stride };
            stride *= grid[i];
        }
        let modes: Vec<_> = grid.iter().copied().zip(strides).collect();
        let shape: Vec<HTuple<i64>> =
            sizes.iter().zip(grid).map(|(s, g)| HTuple::leaf((s * g) as i64)).collect();
        let shape = HTuple::tuple(&shape).unwrap();
        let order: Vec<_> = order.iter().map(|&rank| HTuple::leaf(rank as i64)).collect();
        let result = layout.tile_to_shape(&shape, &HTuple::tuple(&order).unwrap());
        match (result, zipped(block, &Nest::tuple_of(&modes), false)) {
            (Ok(r), Ok(expected)) => {
                found += 1;
                let r = Nest::of(&r);
                // The function by mode is the contract; the blocks may be written with any nesting.
                for i in 0..expected.rank() {
                    if r.rank() != expected.rank() || r.mode(i).size() != expected.mode(i).size() {
                        return Err(format!("{} has another shape than {shape}", r.text()));
                    }
                    if values(&r.mode(i).flat()) != values(&expected.mode(i).flat()) {
                        return Err(format!("{}, expected {}", r.text(), expected.text()));
                    }
                }
                Ok(())
            }
            (Err(error), Ok(expected)) => Err(format!("refused: {error}; it is {}", expected.text())),
            (Ok(r), Err(why)) => Err(format!("{r}, but {why:?}")),
            (Err(_), Err(_)) => Ok(()),
        }
    });
    assert!(found > 0);
    let block: Layout = "(4,2):(1,4)".parse().unwrap();
    let shape = "(6,4)".parse().unwrap();
    assert_eq!(block.tile_to_shape(&shape, &HTuple::leaf(0)).unwrap_err().code(), "divisibility");
}

#[test]
fn the_definitions_themselves() {
    let nest = |text: &str| Nest::of(&text.parse::<Layout>().unwrap());
    let text = |found: Result<Nest, Without>| found.unwrap().text();
    assert_eq!(text(divided(&nest("(6,2,2):(2,1,20)"), &nest("8:3"))), "((2,2,2),3):((6,1,20),2)");
    assert_eq!(
        text(multiplied(&nest("(4,8):(20,2)"), &nest("(3,2):(2,1)"))),
        "((4,8),(3,2)):((20,2),(80,1))"
    );
    assert_eq!(
        text(zipped(&nest("(3,4):(4,1)"), &nest("(2,5):(1,2)"), true)),
        "((2,3),(5,4)):((12,4),(24,1))"
    );
    assert_eq!(divided(&nest("8:1"), &nest("(2,2):(2,3)")), Err(Without::Complement));
    assert_eq!(oracle::size(&nest("(2,3):(1,2)").flat()), 6);
}
