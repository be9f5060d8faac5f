//! Tensors, their tiles, and what threads have of them.

use crate::cases::{Case, Source};
use crate::coordinates::{compact, ordered, slice_of};
use crate::divides::{divided_arguments, tiles_and_rests};
use crate::model::*;
use crate::oracle::*;
use crate::text::*;

pub const ROWS: &[Row] = &[
    row("local_tile", tile_arguments, local_tile),
    row("local_partition", share_arguments, local_partition),
    row("layout_tv", blocks, layout_tv),
    row("fragment_like", layout, fragment_like),
    row("make_tensor", pointer_and_layout, |case, answer| {
        let (pointer, layout) = (&case.arguments[0], whole(&case.arguments[1..]));
        let expected = layout.map(|layout| match pointer {
            Value::Pointer(text) => Value::Tensor(text.clone(), Box::new(Value::Layout(layout))),
            Value::Tuple(Tree::Leaf(Some(step))) if step.is_zero() => Value::Layout(layout),
            Value::Tuple(tree) => {
                let numbers = tree.map(&mut |atom| atom.as_ref().map_or(Rational::ZERO, |step| step.count));
                Value::view(Offset::of_tree(&numbers, false), layout)
            }
            _ => unreachable!("no pointer"),
        });
        exactly(answer, expected.filter(is_value))
    }),
    row("make_fragment", layout_and_bits, |case, answer| {
        let bits = case.arguments.get(1).and_then(Value::as_int).unwrap_or_else(|| case.indices[0]);
        let layout = whole(&case.arguments[..1]).filter(|_| (1..=65536).contains(&bits));
        exactly(
            answer,
            layout.map(|layout| Value::Tensor(format!("rmem_ptr[{bits}b]"), Box::new(Value::Layout(layout)))),
        )
    }),
];

/// A layout, a shape, or a shape and strides.
fn whole(arguments: &[Value]) -> Option<Layout> {
    match arguments {
        [Value::Layout(layout)] => Some(layout.clone()),
        [shape] => Some(column_major(&shape.as_ints()?)),
        [Value::Tuple(shape), Value::Tuple(strides)] => zip(shape, strides).filter(is_layout),
        _ => None,
    }
}

fn column_major(shape: &Shape) -> Layout {
    ordered(shape, &vec![0; shape.leaves().len()])
}

fn number(value: i128) -> Tree<Atom> {
    Tree::Leaf(Some(Step::int(value)))
}

/// What a pattern leaves of a function over other coordinates, where all that it fixes is of the shape.
fn part(value: &Value, tiles: Layout, pattern: &Tree<Atom>) -> Option<Value> {
    is_inside(pattern, &shape(&tiles)).then(|| slice_of(&value.with_domain(tiles), pattern))?
}

fn is_inside(pattern: &Tree<Atom>, shape: &Shape) -> bool {
    match (pattern, shape) {
        (Tree::Leaf(None), _) => true,
        (Tree::Leaf(Some(step)), _) => (0..product(shape)).contains(&step.integer().unwrap()),
        (Tree::Node(patterns), Tree::Node(shapes)) => {
            patterns.len() == shapes.len()
                && patterns.iter().zip(shapes).all(|(pattern, shape)| is_inside(pattern, shape))
        }
        (Tree::Node(_), Tree::Leaf(_)) => false,
    }
}

/// XOR strides may be cut in several ways, and then the offsets are compared.
fn compare(answer: Answer, expected: Option<Value>) -> Verdict {
    let xor = |value: &Value| value.domain().is_some_and(|layout| codomain(layout) == Codomain::Xor);
    match (answer, &expected) {
        (Ok(found), Some(wanted)) if xor(found) || xor(wanted) || matches!(found, Value::Swizzled(..)) => {
            // An offset behind which no XOR stride is left may be either.
            let numbers =
                |value: &Value| Some(value.image()?.iter().map(Offset::integer).collect::<Vec<_>>());
            if numbers(found) == numbers(wanted) { Ok(()) } else { Err(wanted.to_string()) }
        }
        _ => exactly(answer, expected),
    }
}

/// The coordinate without what a projection, the fourth argument, leaves out, and the places of what it keeps.
fn kept(case: &Case) -> Option<Vec<usize>> {
    let Value::Tuple(Tree::Node(projection)) = case.arguments.get(3)? else { return None };
    Some((0..projection.len()).filter(|at| projection[*at] != Tree::Leaf(None)).collect())
}

fn select<T: Clone>(modes: &[T], kept: &Option<Vec<usize>>) -> Option<Vec<T>> {
    match kept {
        None => Some(modes.to_vec()),
        Some(kept) => kept.iter().map(|at| modes.get(*at).cloned()).collect(),
    }
}

fn local_tile(case: &Case, answer: Answer) -> Verdict {
    let (kept, Value::Tuple(coord)) = (kept(case), &case.arguments[2]) else { unreachable!() };
    let tiler = match (as_tiler(&case.arguments[1]), &kept) {
        (Tiler::ByMode(tiles), _) => select(&tiles, &kept).map(Tiler::ByMode),
        (tiler, None) => Some(tiler),
        _ => None,
    };
    let coord = match coord {
        Tree::Node(modes) => select(modes, &kept).map(Tree::Node),
        leaf => Some(leaf.clone()).filter(|_| kept.is_none()),
    };
    let Some((tiler, coord)) = tiler.zip(coord) else { return must_refuse(answer) };
    let all = tiles_and_rests(case.layout(0), &tiler).into_iter().filter_map(|(tiles, rests)| {
        let mut pattern = vec![Tree::Leaf(None); tiles.modes().len()];
        let mut modes = tiles.modes().to_vec();
        match &coord {
            Tree::Leaf(_) => {
                modes.push(rests);
                pattern.push(coord.clone());
            }
            Tree::Node(given) => {
                modes.extend_from_slice(rests.modes());
                pattern.extend_from_slice(given);
                pattern.resize(modes.len().max(pattern.len()), Tree::Leaf(None));
            }
        }
        part(&case.arguments[0], Tree::Node(modes), &Tree::Node(pattern))
    });
    one_of(answer, all.collect(), compare)
}

fn local_partition(case: &Case, answer: Answer) -> Verdict {
    let threads = whole(&case.arguments[1..2]).unwrap();
    let index = case.arguments[2].as_int().unwrap();
    // The first place at which the threads have this index: one coordinate for each mode, of which a projection keeps some.
    let sizes: Vec<i128> = threads.modes().iter().map(size).collect();
    let place =
        (0..size(&threads)).find(|place| Function::of(&threads).at(*place) == Some(Offset::int(index)));
    let compact = {
        let mut image: Vec<i128> = table(&still(&threads)).iter().filter_map(Offset::integer).collect();
        image.sort_unstable();
        image.dedup();
        image.first() == Some(&0) && image.last() == Some(&(image.len() as i128 - 1))
    };
    if answer.is_err() && !compact {
        return Ok(());
    }
    let expected = place.and_then(|place| {
        let coord = select(&digits(place, &sizes), &kept(case))?;
        let sizes = select(&sizes, &kept(case))?;
        let tiler =
            Tiler::ByMode(sizes.iter().map(|size| Tiler::Layout(leaf(*size, Step::int(1)))).collect());
        let (tiles, rests) = tiles_and_rests(case.layout(0), &tiler).pop()?;
        let coord = coord.into_iter().map(number).collect();
        let mut pattern = vec![Tree::Node(coord)];
        pattern.resize(1 + rests.modes().len(), Tree::Leaf(None));
        part(&case.arguments[0], Tree::Node([&[tiles], rests.modes()].concat()), &Tree::Node(pattern))
    });
    compare(answer, expected)
}

/// At each place of the tile the thread and the value that the layout has there: its definition.
fn layout_tv(case: &Case, answer: Answer) -> Verdict {
    let (threads, values) = (whole(&case.arguments[..1]).unwrap(), whole(&case.arguments[1..]).unwrap());
    let permutes = |layout: &Layout| {
        let mut image: Vec<Option<i128>> = table(layout).iter().map(Offset::integer).collect();
        image.sort_unstable();
        image.into_iter().eq((0..size(layout)).map(Some))
    };
    let Ok(found) = answer else {
        let integers = [&threads, &values].iter().all(|layout| codomain(layout) == Codomain::Integer);
        return if integers && permutes(&threads) && permutes(&values) {
            Err(String::from("a tile and a layout"))
        } else {
            Ok(())
        };
    };
    if !permutes(&threads) || !permutes(&values) {
        return Ok(());
    }
    let rank = threads.modes().len().max(values.modes().len());
    let sizes =
        |layout: &Layout| (0..rank).map(|at| layout.modes().get(at).map_or(1, size)).collect::<Vec<i128>>();
    let (outer, inner) = (sizes(&threads), sizes(&values));
    let extents: Vec<i128> = outer.iter().zip(&inner).map(|(outer, inner)| outer * inner).collect();
    let Value::Tiler(Tiler::ByMode(both)) = found else { return Err(String::from("a tiler and a layout")) };
    let [Tiler::ByMode(tiles), Tiler::Layout(layout)] = both.as_slice() else {
        return Err(String::from("<tiles by mode,layout>"));
    };
    let tiles: Vec<Option<i128>> = tiles
        .iter()
        .map(|tile| match tile {
            Tiler::Layout(Tree::Leaf(own)) if own.step == Step::int(1) || own.extent == 1 => Some(own.extent),
            _ => None,
        })
        .collect();
    let wanted: Vec<Option<i128>> = extents.iter().copied().map(Some).collect();
    let count = size(&threads);
    let right = tiles == wanted
        && size(layout) == count * size(&values)
        && layout.modes().len() == 2
        && size(&layout.modes()[0]) == count
        && (0..size(layout)).all(|index| {
            let Some(place) = Function::of(layout).at(index).and_then(|offset| offset.integer()) else {
                return false;
            };
            let at = digits(place, &extents);
            let coordinate = |sizes: &[i128], of: &dyn Fn(usize) -> i128| {
                (0..rank).rev().fold(0, |sum, mode| sum * sizes[mode] + of(mode))
            };
            let thread = coordinate(&outer, &|mode| at[mode] / inner[mode]);
            let value = coordinate(&inner, &|mode| at[mode] % inner[mode]);
            let number = |layout: &Layout, index| Function::of(layout).at(index)?.integer();
            number(&threads, thread) == Some(index % count) && number(&values, value) == Some(index / count)
        });
    if right { Ok(()) } else { Err(String::from("<extents of the tile,(thread,value) to its places>")) }
}

fn fragment_like(case: &Case, answer: Answer) -> Verdict {
    let layout = case.layout(0);
    if codomain(layout) != Codomain::Integer {
        return must_refuse(answer);
    }
    let modes = layout.modes();
    let first = if modes.len() > 1 { modes[0].leaves().len() } else { layout.leaves().len() };
    let strides = layout.leaves().into_iter().map(|leaf| leaf.step.integer().unwrap()).enumerate();
    let order: Vec<i128> =
        strides.clone().map(|(at, stride)| if at < first { -1 } else { stride.abs() }).collect();
    let still = strides.map(|(at, stride)| modes.len() > 1 && at < first && stride == 0).collect();
    exactly(answer, Some(Value::Layout(compact(layout, &order, still))))
}

/// A tiler, a coordinate of the rests, and now and then a projection past a tile too many.
fn tile_arguments(source: &mut Source) -> Arguments {
    let (mut arguments, ..) = divided_arguments(source);
    let tiler = as_tiler(&arguments[1]);
    let rests = tiles_and_rests(arguments[0].domain().unwrap(), &tiler).pop().map(|both| shape(&both.1));
    let rests = rests.unwrap_or_else(|| source.shape(12));
    let mut coord = match source.pattern(&rests) {
        coord if source.rng.once_in(8) => {
            let more = source.rng.range(0, product(&rests));
            if source.rng.once_in(2) {
                number(more)
            } else {
                Tree::Node([coord.modes(), &[number(more)]].concat())
            }
        }
        coord => coord,
    };
    if let (Tree::Node(modes), true) = (&mut coord, source.rng.once_in(4)) {
        modes.pop();
    }
    // Behind a projection there is one coordinate for each tile.
    if let (Tiler::ByMode(mut tiles), Tree::Node(mut modes)) = (tiler, coord.clone())
        && tiles.len() <= modes.len()
        && source.rng.once_in(3)
    {
        modes.truncate(tiles.len());
        let at = source.rng.range(0, tiles.len() as i128) as usize;
        let mut projection = vec![number(1); tiles.len()];
        tiles.insert(at, Tiler::Layout(leaf(source.rng.range(1, 5), Step::int(1))));
        modes.insert(at, number(source.rng.range(0, 9)));
        projection.insert(at, Tree::Leaf(None));
        arguments[1] = Value::Tiler(Tiler::ByMode(tiles));
        arguments.extend([Value::Tuple(Tree::Node(modes)), Value::Tuple(Tree::Node(projection))]);
    } else {
        arguments.push(Value::Tuple(coord));
    }
    (arguments, vec![], false)
}

fn share_arguments(source: &mut Source) -> Arguments {
    let value = source.function();
    let layout = value.domain().unwrap().clone();
    let mut extents: Vec<Shape> = layout
        .modes()
        .iter()
        .map(|mode| {
            let size = size(mode);
            let divisors: Vec<i128> = (1..=size).filter(|d| size % d == 0).collect();
            let extent =
                if source.rng.once_in(8) { source.rng.range(1, 4) } else { source.rng.choose(&divisors) };
            source.split(extent)
        })
        .collect();
    if source.rng.once_in(6) {
        extents.pop();
    }
    if extents.is_empty() {
        extents.push(Tree::Leaf(1));
    }
    let shape = Tree::Node(extents);
    let order: Vec<i128> = shape.leaves().iter().map(|_| source.rng.range(0, 3)).collect();
    let mut threads = ordered(&shape, &order);
    if source.rng.once_in(6) {
        // Modes along which all threads have the same.
        let still = shape.leaves().iter().map(|_| source.rng.once_in(2)).collect();
        threads = compact(&threads, &order, still);
    }
    let more = i128::from(source.rng.once_in(8));
    let index = source.rng.range(0, size(&threads) - 1 + more);
    let mut arguments = vec![value, Value::Layout(threads.clone()), Value::int(index)];
    if source.rng.once_in(4) {
        let mut modes = threads.modes().to_vec();
        let at = source.rng.range(0, modes.len() as i128) as usize;
        let mut projection = vec![number(1); modes.len()];
        let (more, threads) = (source.rng.range(1, 5), size(&threads));
        modes.insert(at, leaf(more, Step::int(threads)));
        projection.insert(at, Tree::Leaf(None));
        arguments[1] = Value::Layout(Tree::Node(modes));
        arguments[2] = Value::int(source.rng.range(0, threads * more - 1));
        arguments.push(Value::Tuple(Tree::Node(projection)));
    }
    (arguments, vec![], false)
}

fn blocks(source: &mut Source) -> Arguments {
    let mut block = |limit| {
        let shape = source.shape(limit);
        if source.rng.once_in(10) {
            return Value::Layout(source.layout(Codomain::Integer));
        }
        let order: Vec<i128> = shape.leaves().iter().map(|_| source.rng.range(0, 3)).collect();
        Value::Layout(ordered(&shape, &order))
    };
    (vec![block(24), block(12)], vec![], false)
}

fn pointer_and_layout(source: &mut Source) -> Arguments {
    let layout = source.any();
    let pointer = match source.rng.range(0, 5) {
        0 => Value::int(source.rng.range(0, 9)),
        1 => Value::ints(&source.shape(9)),
        _ => Value::Pointer(
            source.rng.choose(&["ptr[32b]", "gmem_ptr[16b]", "smem_ptr[8b]", "rmem_ptr[4b]"]).into(),
        ),
    };
    let whole = if source.rng.once_in(3) {
        let step = |leaf: &Leaf| Some(leaf.step.clone());
        vec![Value::ints(&shape(&layout)), Value::Tuple(layout.map(&mut |leaf| step(leaf)))]
    } else if source.rng.once_in(3) {
        vec![Value::ints(&shape(&layout))]
    } else {
        vec![Value::Layout(layout)]
    };
    (std::iter::once(pointer).chain(whole).collect(), vec![], false)
}

fn layout_and_bits(source: &mut Source) -> Arguments {
    let layout =
        if source.rng.once_in(2) { Value::Layout(source.any()) } else { Value::ints(&source.shape(100)) };
    let bits = source.rng.choose(&[0, 1, 4, 6, 8, 16, 32, 64, 128, 65536, 65537]);
    let behind = source.rng.once_in(2);
    if behind { (vec![layout, Value::int(bits)], vec![], false) } else { (vec![layout], vec![bits], false) }
}
