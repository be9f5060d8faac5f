//! Divides and products.

use crate::algebra::{complements_in_codomain, complements_of, composition_by_tiler, tiles_of};
use crate::cases::{Case, Source};
use crate::coordinates::ordered;
use crate::model::*;
use crate::oracle::*;
use crate::search::*;
use crate::text::*;
use std::collections::HashSet;

pub const ROWS: &[Row] = &[
    row("logical_divide", divided_arguments, |case, answer| divided(case, answer, logical)),
    row("zipped_divide", divided_arguments, |case, answer| divided(case, answer, zipped)),
    row("tiled_divide", divided_arguments, |case, answer| divided(case, answer, tiled)),
    row("flat_divide", divided_arguments, |case, answer| divided(case, answer, flat)),
    row("logical_product", product_arguments, |case, answer| product(case, answer, logical)),
    row("zipped_product", product_arguments, |case, answer| product(case, answer, zipped)),
    row("tiled_product", product_arguments, |case, answer| product(case, answer, tiled)),
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

/// Each tile `B` of a tiler as `(B, B*)`, with holes for the modes beyond it: composed with it, a layout is divided.
fn with_rests(layout: &Layout, tiler: &Tiler) -> Vec<Tiler> {
    match tiler {
        Tiler::Layout(tile) => {
            let pair = |rest| Tiler::Layout(Tree::Node(vec![tile.clone(), rest]));
            rests(layout, tile).into_iter().map(pair).collect()
        }
        Tiler::Hole => vec![Tiler::Hole],
        Tiler::ByMode(tiles) => {
            let modes = layout.modes();
            let Some(beyond) = modes.get(tiles.len()..) else { return vec![] };
            let mut all = vec![vec![]];
            for (mode, tile) in modes.iter().zip(tiles) {
                let next = with_rests(mode, tile);
                let longer = |tiles: &Vec<Tiler>| {
                    next.iter().map(|tile| [tiles.clone(), vec![tile.clone()]].concat()).collect::<Vec<_>>()
                };
                all = all.iter().flat_map(longer).collect();
            }
            let whole = |tiles: Vec<Tiler>| [tiles, vec![Tiler::Hole; beyond.len()]].concat();
            all.into_iter().map(|tiles| Tiler::ByMode(whole(tiles))).collect()
        }
    }
}

/// All `B*` that together with `B` lose no coordinate of `A`.
fn rests(layout: &Layout, tile: &Layout) -> Vec<Layout> {
    if tile.leaves().iter().any(|leaf| leaf.step.unit == Unit::Xor || leaf.step.count.under > 1) {
        return vec![];
    }
    let profile = addressed(layout, &paths(tile), &vec![]);
    let is_addressed = |path: &Path| profile.leaves().contains(&path);
    if !paths(&still(tile)).iter().all(is_addressed) {
        return vec![];
    }
    let bounds = profile.map(&mut |path| size(layout.get(path).unwrap()));
    let mut rests = complements_of(tile, &profile, Some(&bounds));
    rests.retain(|rest| {
        let both = Tree::Node(vec![tile.clone(), rest.clone()]);
        let covered: HashSet<Offset> = table(&both).into_iter().collect();
        table(&coordinates_of(&bounds, &profile)).iter().all(|place| covered.contains(place))
    });
    rests
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
fn multiply(block: &Layout, grid: &Layout) -> Option<Layout> {
    let complement = complements_in_codomain(block, None).pop()?;
    Some(Tree::Node(vec![block.clone(), compose(&complement, grid)?])).filter(is_layout)
}

fn multiply_modes(layout: &Layout, tiler: &Tiler) -> Option<Layout> {
    match tiler {
        Tiler::Layout(grid) => multiply(layout, grid),
        Tiler::Hole => Some(layout.clone()),
        Tiler::ByMode(tiles) => {
            let modes = layout.modes();
            let beyond = modes.get(tiles.len()..)?.iter().cloned().map(Some);
            let under = modes.iter().zip(tiles).map(|(mode, tile)| multiply_modes(mode, tile));
            Some(Tree::Node(under.chain(beyond).collect::<Option<_>>()?)).filter(is_layout)
        }
    }
}

/// How what belongs to the tiles and what belongs to the rests is put together.
type Form = fn(&Layout, &Tiler) -> Layout;

/// `((T0,R0),(T1,R1),L,...)`.
fn logical(pairs: &Layout, _: &Tiler) -> Layout {
    pairs.clone()
}

/// The tiles and the rests, nested as the tiler is. There is no tile under a hole, `1:0`, and none beyond the tiler.
fn apart(pairs: &Layout, tiler: &Tiler) -> (Layout, Layout) {
    match tiler {
        Tiler::Layout(_) => (pairs.modes()[0].clone(), pairs.modes()[1].clone()),
        Tiler::Hole => (leaf(1, Step::int(0)), pairs.clone()),
        Tiler::ByMode(tiles) => {
            let (under, beyond) = pairs.modes().split_at(tiles.len());
            let parts = under.iter().zip(tiles).map(|(pair, tile)| apart(pair, tile));
            let (tiles, mut rests): (Vec<Layout>, Vec<Layout>) = parts.unzip();
            rests.extend(beyond.iter().cloned());
            (Tree::Node(tiles), Tree::Node(rests))
        }
    }
}

/// `((T0,T1),(R0,R1,L,...))`.
fn zipped(pairs: &Layout, tiler: &Tiler) -> Layout {
    let (tiles, rests) = apart(pairs, tiler);
    Tree::Node(vec![tiles, rests])
}

/// `((T0,T1),R0,R1,L,...)`.
fn tiled(pairs: &Layout, tiler: &Tiler) -> Layout {
    let (tiles, rests) = apart(pairs, tiler);
    Tree::Node([&[tiles], rests.modes()].concat())
}

/// `(T0,T1,R0,R1,L,...)`.
fn flat(pairs: &Layout, tiler: &Tiler) -> Layout {
    let (tiles, rests) = apart(pairs, tiler);
    Tree::Node([tiles.modes(), rests.modes()].concat())
}

/// The layout divided with each of the rests, as `((T0,R0),(T1,R1),L,...)`.
fn all_divided(layout: &Layout, tiler: &Tiler) -> Vec<Layout> {
    with_rests(layout, tiler).iter().filter_map(|both| composition_by_tiler(layout, both)).collect()
}

/// The modes of the tiles, and the rests.
pub fn tiles_and_rests(layout: &Layout, tiler: &Tiler) -> Vec<(Layout, Layout)> {
    all_divided(layout, tiler).iter().map(|pairs| apart(pairs, tiler)).collect()
}

fn divided(case: &Case, answer: Answer, form: Form) -> Verdict {
    let (layout, tiler) = (case.layout(0), as_tiler(&case.arguments[1]));
    let all = all_divided(layout, &tiler).iter().map(|pairs| form(pairs, &tiler)).collect();
    one_of(answer, all, |answer, expected| compare(case, answer, expected))
}

fn product(case: &Case, answer: Answer, form: Form) -> Verdict {
    let (layout, tiler) = (case.layout(0), as_tiler(&case.arguments[1]));
    let other = |layout: &Layout| codomain(layout) != Codomain::Integer;
    // Products are of integers.
    if answer.is_err() && (other(layout) || tiles_of(&tiler).iter().any(other)) {
        return Ok(());
    }
    compare(case, answer, multiply_modes(layout, &tiler).map(|pairs| form(&pairs, &tiler)))
}

/// The same modes, but for XOR strides, which may be cut in several ways.
fn compare(case: &Case, answer: Answer, expected: Option<Layout>) -> Verdict {
    let Some(expected) = expected else { return must_refuse(answer) };
    on_domain(case, answer, &layout_text(&expected), |found| {
        alike(found, &expected)
            || [case.layout(0), found].iter().any(|layout| codomain(layout) == Codomain::Xor)
                && same_table(found, &expected)
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
    let pair = multiply(&padded(block), &padded(grid))?;
    let pairs = pair.modes()[0].modes().iter().zip(pair.modes()[1].modes()).map(|(block, grid)| {
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

pub fn divided_arguments(source: &mut Source) -> Arguments {
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
    let codomain = if source.rng.once_in(12) { source.codomain() } else { Codomain::Integer };
    let layout = source.layout(codomain);
    let right = match source.rng.range(0, 12) {
        0 => Value::Layout(source.any()),
        1 => Value::ints(&source.shape(20)),
        _ => tiler_value(source.tiler(&layout, 0)),
    };
    (vec![source.wrap(layout), right], vec![], false)
}

fn two_blocks(source: &mut Source) -> Arguments {
    let codomain = if source.rng.once_in(12) { source.codomain() } else { Codomain::Integer };
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
            let more = i128::from(source.rng.once_in(12));
            source.split(size(mode) * times + more)
        })
        .collect();
    if source.rng.once_in(6) {
        sizes.push(Tree::Leaf(source.rng.range(1, 3)));
    }
    let rank = sizes.len() as i128;
    let shape = Tree::of(sizes);
    let order = source.rng.once_in(2).then(|| {
        let order =
            (0..rank + i128::from(source.rng.once_in(12))).map(|_| Tree::Leaf(source.rng.range(0, 4)));
        Value::ints(&Tree::Node(order.collect()))
    });
    let arguments = [source.wrap(layout), Value::ints(&shape)].into_iter().chain(order);
    (arguments.collect(), vec![], false)
}
