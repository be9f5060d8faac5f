//! Divides and products.

use crate::algebra::{complement_in_codomain, complement_of};
use crate::cases::{Case, Source};
use crate::coordinates::ordered;
use crate::model::*;
use crate::oracle::*;
use crate::search::*;
use crate::text::*;
use std::collections::HashSet;

pub const ROWS: &[Row] = &[
    row("logical_divide", divided_arguments, |case, answer| tiled(case, answer, &divide, logical)),
    row("zipped_divide", divided_arguments, |case, answer| tiled(case, answer, &divide, zipped)),
    row("tiled_divide", divided_arguments, |case, answer| tiled(case, answer, &divide, tiled_form)),
    row("flat_divide", divided_arguments, |case, answer| tiled(case, answer, &divide, flat)),
    row("logical_product", product_arguments, |case, answer| product(case, answer, logical)),
    row("zipped_product", product_arguments, |case, answer| product(case, answer, zipped)),
    row("tiled_product", product_arguments, |case, answer| product(case, answer, tiled_form)),
    row("flat_product", product_arguments, |case, answer| product(case, answer, flat)),
    row("blocked_product", two_blocks, |case, answer| {
        if answer.is_err() && [0, 1].iter().any(|index| codomain(case.layout(*index)) != Codomain::Integer) {
            return Ok(());
        }
        let expected = interleaved(case.layout(0), case.layout(1), false);
        compare(case, answer, expected)
    }),
    row("raked_product", two_blocks, |case, answer| {
        if answer.is_err() && [0, 1].iter().any(|index| codomain(case.layout(*index)) != Codomain::Integer) {
            return Ok(());
        }
        let expected = interleaved(case.layout(0), case.layout(1), true);
        compare(case, answer, expected)
    }),
    row("tile_to_shape", tile_to_shape_arguments, |case, answer| {
        let (block, shape) = (case.layout(0), tree(case, 1));
        if answer.is_err() && codomain(block) != Codomain::Integer {
            return Ok(());
        }
        let order = case.arguments.get(2).and_then(Value::as_ints);
        let sizes: Vec<i128> = shape.modes().iter().map(crate::model::product).collect();
        let mut blocks: Vec<i128> = block.modes().iter().map(size).collect();
        let rank = sizes.len();
        if blocks.len() > rank {
            return must_refuse(answer);
        }
        blocks.resize(rank, 1);
        // One number for all is the order of the modes.
        let order = match order {
            Some(order @ Tree::Node(_)) => {
                if order.depth() != 1 || shape.depth() == 0 || order.modes().len() != rank {
                    return must_refuse(answer);
                }
                order.leaves().into_iter().copied().collect()
            }
            _ => vec![0; rank],
        };
        if sizes.iter().zip(&blocks).any(|(size, block)| size % block != 0) {
            return must_refuse(answer);
        }
        let grid = sizes.iter().zip(&blocks).map(|(size, block)| Tree::Leaf(size / block)).collect();
        let expected = interleaved(block, &ordered(&Tree::Node(grid), &order), false);
        compare(case, answer, expected)
    }),
];

/// The tile and the rest, or the block and its grid.
type Operation<'a> = &'a dyn Fn(&Layout, &Layout) -> Option<(Layout, Layout)>;

/// `A o (B, B*)`, where no coordinate of `A` is lost.
fn divide(layout: &Layout, tile: &Layout) -> Option<(Layout, Layout)> {
    if tile.leaves().iter().any(|leaf| leaf.step.unit == Unit::Xor || leaf.step.count.under > 1) {
        return None;
    }
    let profile = addressed(layout, &paths(tile), &vec![]);
    let reached = |leaf: &&Leaf| {
        leaf.extent == 1 || leaf.step.is_zero() || {
            profile.leaves().into_iter().any(|path| leaf.step.unit == Unit::Basis(path.clone()))
        }
    };
    if !tile.leaves().iter().all(reached) {
        return None;
    }
    let bounds = profile.map(&mut |path| size(layout.get(path).unwrap()));
    let rest = complement_of(tile, &profile, Some(&bounds))?;
    let both = Tree::Node(vec![tile.clone(), rest]);
    let covered: HashSet<Offset> = table(&both).into_iter().collect();
    let identity = coordinates_of(&bounds, &profile);
    if !table(&identity).iter().all(|place| covered.contains(place)) {
        return None;
    }
    let both = compose(layout, &both)?;
    Some((both.modes()[0].clone(), both.modes()[1].clone()))
}

/// The modes that coordinates with these components go to, each with its path; a mode of which no part is addressed is
/// one.
fn addressed(layout: &Layout, paths: &[Path], above: &Path) -> Tree<Path> {
    match layout {
        Tree::Node(modes) if paths.iter().any(|path| path.len() > above.len() && path.starts_with(above)) => {
            let modes = modes.iter().enumerate().map(|(index, mode)| {
                let mut path = above.clone();
                path.push(index);
                addressed(mode, paths, &path)
            });
            Tree::Node(modes.collect())
        }
        _ => Tree::Leaf(above.clone()),
    }
}

/// The coordinates of a shape whose leaves stand for components.
fn coordinates_of(shape: &Shape, profile: &Tree<Path>) -> Layout {
    let mut units = profile.leaves().into_iter();
    shape.map(&mut |extent| Leaf {
        extent: *extent,
        step: Step::new(Rational::int(1), Unit::Basis(units.next().unwrap().clone())),
    })
}

/// `(A, A* o B)`.
fn multiply(block: &Layout, grid: &Layout) -> Option<(Layout, Layout)> {
    let complement = complement_in_codomain(block, None)?;
    Some((block.clone(), compose(&complement, grid)?))
}

/// A layout taken apart, in the nesting of the tiler.
enum Split {
    Both(Layout, Layout),
    /// Under a hole.
    Whole(Layout),
    /// What the tiler says about modes, and the modes beyond it.
    ByMode(Vec<Split>, Vec<Layout>),
}

fn split(layout: &Layout, tiler: &Tiler, operation: Operation) -> Option<Split> {
    Some(match tiler {
        Tiler::Layout(tile) => {
            let (first, second) = operation(layout, tile)?;
            Split::Both(first, second)
        }
        Tiler::Hole => Split::Whole(layout.clone()),
        Tiler::ByMode(tiles) => {
            let modes = layout.modes();
            let beyond = modes.get(tiles.len()..)?.to_vec();
            let under = modes.iter().zip(tiles).map(|(mode, tile)| split(mode, tile, operation));
            Split::ByMode(under.collect::<Option<_>>()?, beyond)
        }
    })
}

fn logical(split: &Split) -> Layout {
    match split {
        Split::Both(first, second) => Tree::Node(vec![first.clone(), second.clone()]),
        Split::Whole(layout) => layout.clone(),
        Split::ByMode(under, beyond) => {
            Tree::Node(under.iter().map(logical).chain(beyond.iter().cloned()).collect())
        }
    }
}

/// The tiles and the rests, nested as the tiler is. There is no tile under a hole, `1:0`, and none beyond the tiler.
fn zip_apart(split: &Split) -> (Layout, Layout) {
    match split {
        Split::Both(first, second) => (first.clone(), second.clone()),
        Split::Whole(layout) => (leaf(1, Step::int(0)), layout.clone()),
        Split::ByMode(under, beyond) => {
            let (tiles, mut rests): (Vec<Layout>, Vec<Layout>) = under.iter().map(zip_apart).unzip();
            rests.extend(beyond.iter().cloned());
            (Tree::Node(tiles), Tree::Node(rests))
        }
    }
}

fn zipped(split: &Split) -> Layout {
    let (tiles, rests) = zip_apart(split);
    Tree::Node(vec![tiles, rests])
}

fn tiled_form(split: &Split) -> Layout {
    let (tiles, rests) = zip_apart(split);
    let mut modes = vec![tiles];
    modes.extend(rests.modes().iter().cloned());
    Tree::Node(modes)
}

fn flat(split: &Split) -> Layout {
    let (tiles, rests) = zip_apart(split);
    Tree::Node(tiles.modes().iter().chain(rests.modes()).cloned().collect())
}

fn product(case: &Case, answer: Answer, form: fn(&Split) -> Layout) -> Verdict {
    // Products are of integers.
    let layouts = case.layout(0).leaves().into_iter().map(|leaf| leaf.step.clone());
    if answer.is_err()
        && layouts.chain(tile_steps(&as_tiler(&case.arguments[1]))).any(|step| step.integer().is_none())
    {
        return Ok(());
    }
    tiled(case, answer, &multiply, form)
}

fn tile_steps(tiler: &Tiler) -> Vec<Step> {
    match tiler {
        Tiler::Layout(tile) => tile.leaves().into_iter().map(|leaf| leaf.step.clone()).collect(),
        Tiler::Hole => vec![],
        Tiler::ByMode(tiles) => tiles.iter().flat_map(tile_steps).collect(),
    }
}

fn tiled(case: &Case, answer: Answer, operation: Operation, form: fn(&Split) -> Layout) -> Verdict {
    let expected = split(case.layout(0), &as_tiler(&case.arguments[1]), operation).map(|split| form(&split));
    if let Some(parts) = &expected
        && codomain(case.layout(0)) == Codomain::Xor
        && codomain(parts) == Codomain::Mixed
    {
        return of_numbers_and_bits(case, answer, parts);
    }
    compare(case, answer, expected.filter(is_layout))
}

/// Some modes of an XOR layout came out as numbers and others as bits. One layout may have them all where no sum of
/// offsets of two modes carries.
pub fn of_numbers_and_bits(case: &Case, answer: Answer, parts: &Layout) -> Verdict {
    if answer.is_err() {
        return Ok(());
    }
    on_domain(case, answer, "the XOR of the modes", |found| {
        let numbers = parts.map(&mut |leaf| Leaf { step: Step::int(leaf.step.count.over), ..leaf.clone() });
        let bits = parts.map(&mut |leaf| Leaf { step: Step::xor(leaf.step.count.over), ..leaf.clone() });
        alike(found, &numbers) && distinct_bits(parts) || alike(found, &bits)
    })
}

/// Whether no two leaves, of which one is of bits, share a bit.
fn distinct_bits(parts: &Layout) -> bool {
    let reach = |leaf: &Leaf| {
        (0..leaf.extent).fold(0, |bits, count| {
            bits | Offset::steps(&leaf.step, count).and_then(|o| o.integer()).unwrap_or(-1)
        })
    };
    let leaves = parts.leaves();
    leaves.iter().enumerate().all(|(index, a)| {
        let others = leaves.iter().enumerate().filter(|(other, _)| *other != index);
        a.step.unit != Unit::Xor || others.fold(0, |bits, (_, b)| bits | reach(b)) & reach(a) == 0
    })
}

/// The same modes, but for XOR strides, which may be cut in several ways.
fn compare(case: &Case, answer: Answer, expected: Option<Layout>) -> Verdict {
    let Some(expected) = expected else { return must_refuse(answer) };
    on_domain(case, answer, &layout_text(&expected), |found| {
        alike(found, &expected) || codomain(found) == Codomain::Xor && same_table(found, &expected)
    })
}

/// The block and the grid zipped mode by mode.
fn interleaved(block: &Layout, grid: &Layout, rake: bool) -> Option<Layout> {
    let rank = block.modes().len().max(grid.modes().len());
    let padded = |layout: &Layout| {
        let mut modes = layout.modes().to_vec();
        modes.resize(rank, leaf(1, Step::int(0)));
        Tree::Node(modes)
    };
    let (block, grid) = multiply(&padded(block), &padded(grid))?;
    let pairs = block.modes().iter().zip(grid.modes()).map(|(block, grid)| {
        let (first, second) = if rake { (grid, block) } else { (block, grid) };
        Tree::Node(vec![first.clone(), second.clone()])
    });
    Some(Tree::Node(pairs.collect()))
}

fn tiler_value(tiler: Tiler) -> Value {
    match tiler {
        Tiler::Layout(tile) => Value::Layout(tile),
        tiler => Value::Tiler(tiler),
    }
}

fn divided_arguments(source: &mut Source) -> Arguments {
    let left = source.function();
    let layout = left.domain().unwrap().clone();
    let right = match source.rng.range(0, 12) {
        0 => Value::Layout(source.layout(Codomain::Coordinate)),
        1 => Value::Layout(source.any()),
        2 if layout.modes().len() > 1 => {
            let extents = layout.modes().iter().map(|mode| Tree::Leaf(source.rng.range(1, size(mode))));
            Value::ints(&Tree::Node(extents.collect()))
        }
        _ => tiler_value(source.tiler(&layout, 0)),
    };
    (vec![left, right], vec![], false)
}

fn product_arguments(source: &mut Source) -> Arguments {
    let codomain = if source.rng.chance(12) { source.codomain() } else { Codomain::Integer };
    let layout = source.layout(codomain);
    let right = match source.rng.range(0, 12) {
        0 => Value::Layout(source.any()),
        1 => Value::ints(&source.shape(20)),
        _ => tiler_value(source.tiler(&layout, 0)),
    };
    (vec![source.wrap(layout), right], vec![], false)
}

fn two_blocks(source: &mut Source) -> Arguments {
    let codomain = if source.rng.chance(12) { source.codomain() } else { Codomain::Integer };
    let layout = source.layout(codomain);
    let grid = source.tile(24);
    (vec![source.wrap(layout), Value::Layout(grid)], vec![], false)
}

fn tile_to_shape_arguments(source: &mut Source) -> Arguments {
    let layout = source.layout(Codomain::Integer);
    let mut sizes: Vec<Shape> = layout
        .modes()
        .iter()
        .map(|mode| {
            let times = source.rng.range(1, 4);
            let more = i128::from(source.rng.chance(12));
            source.split(size(mode) * times + more)
        })
        .collect();
    if source.rng.chance(6) {
        sizes.push(Tree::Leaf(source.rng.range(1, 3)));
    }
    let rank = sizes.len() as i128;
    let shape = Tree::of(sizes);
    let order = source.rng.chance(2).then(|| {
        let order = (0..rank + i128::from(source.rng.chance(12))).map(|_| Tree::Leaf(source.rng.range(0, 4)));
        Value::ints(&Tree::Node(order.collect()))
    });
    let arguments = [source.wrap(layout), Value::ints(&shape)].into_iter().chain(order);
    (arguments.collect(), vec![], false)
}
