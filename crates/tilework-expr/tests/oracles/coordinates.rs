//! Layouts from shapes; coordinates, offsets and slices.

use crate::cases::Source;
use crate::model::*;
use crate::oracle::*;
use crate::search::refines;
use crate::text::*;

pub const ROWS: &[Row] = &[
    row("layout", layout_arguments, |case, answer| {
        let expected = match &case.arguments[..] {
            [Value::Tuple(shape), Value::Tuple(stride)] => zip(shape, stride),
            [one] => Some(as_layout(one)),
            several => Some(Tree::Node(several.iter().map(as_layout).collect())),
        };
        exactly(answer, expected.filter(is_layout).map(Value::Layout))
    }),
    row("column_major", a_shape, |case, answer| {
        exactly(answer, Some(Value::Layout(column_major(&tree(case, 0)))))
    }),
    row("row_major", a_shape, |case, answer| {
        let shape = tree(case, 0);
        let order: Vec<i128> = (0..shape.leaves().len() as i128).rev().collect();
        exactly(answer, Some(Value::Layout(ordered(&shape, &order))))
    }),
    row("ordered", order_arguments, |case, answer| {
        let (shape, order) = (tree(case, 0), tree(case, 1));
        let expected = spread(&order, &shape).map(|order| Value::Layout(ordered(&shape, &order)));
        exactly(answer, expected)
    }),
    row("compact_like", layout, |case, answer| {
        let layout = case.layout(0);
        if codomain(layout) != Codomain::Integer {
            return must_refuse(answer);
        }
        let strides = layout.leaves().into_iter().map(|leaf| leaf.step.integer().unwrap());
        let still = strides.clone().map(|stride| stride == 0).collect();
        let order: Vec<i128> = strides.map(i128::abs).collect();
        exactly(answer, Some(Value::Layout(compact(layout, &order, still))))
    }),
    row("identity", a_shape, |case, answer| {
        let shape = tree(case, 0);
        let expected = coordinate_layout(&shape, &mut vec![]);
        // A basis element has six levels at most.
        exactly(answer, Some(Value::Layout(expected)).filter(|_| shape.depth() <= 6))
    }),
    row(
        "evaluate",
        |source| {
            let value = source.function();
            let coord = source.coord(&shape(value.domain().unwrap()), -9, 99);
            (vec![value, Value::ints(&coord)], vec![], false)
        },
        |case, answer| offset(&case.arguments[0], &tree(case, 1), answer),
    ),
    row("crd2idx", crd2idx_arguments, |case, answer| match &case.arguments[..] {
        [coord, shape, Value::Tuple(stride)] => {
            let Value::Tuple(shape) = shape else { unreachable!() };
            match zip(shape, stride).filter(is_layout) {
                Some(layout) => offset(&Value::Layout(layout), &coord.as_ints().unwrap(), answer),
                None => must_refuse(answer),
            }
        }
        [coord, shape @ Value::Tuple(_)] => {
            exactly(answer, integral(&shape.as_ints().unwrap(), &coord.as_ints().unwrap()).map(Value::int))
        }
        [coord, function] => offset(function, &coord.as_ints().unwrap(), answer),
        _ => unreachable!(),
    }),
    row(
        "idx2crd",
        |source| {
            let value = shape_or_layout(source);
            let coord = source.coord(&value_shape(&value), -9, 99);
            (vec![Value::ints(&coord), value], vec![], false)
        },
        |case, answer| {
            exactly(answer, natural(&tree(case, 1), &tree(case, 0)).map(|coord| Value::ints(&coord)))
        },
    ),
    row(
        "crd2crd",
        |source| {
            let shape = source.shape(100);
            let other = match source.rng.range(0, 2) {
                0 => Tree::Leaf(product(&shape)),
                1 => refined(source, &shape),
                _ => source.shape(100),
            };
            let coord = source.coord(&shape, 0, 99);
            (vec![Value::ints(&coord), Value::ints(&shape), Value::ints(&other)], vec![], false)
        },
        |case, answer| {
            let (coord, shape, other) = (tree(case, 0), tree(case, 1), tree(case, 2));
            let same_size = product(&shape) == product(&other);
            let expected = integral(&shape, &coord)
                .filter(|_| same_size)
                .and_then(|index| natural(&other, &Tree::Leaf(index)));
            exactly(answer, expected.map(|coord| Value::ints(&coord)))
        },
    ),
    row(
        "in_bounds",
        |source| {
            let shape = source.shape(100);
            let coord = if source.rng.once_in(4) { source.shape(100) } else { source.coord(&shape, -2, 30) };
            (vec![Value::ints(&coord), Value::ints(&shape)], vec![], false)
        },
        |case, answer| truth(answer, Some(in_bounds(&tree(case, 0), &tree(case, 1)))),
    ),
    row("slice", sliced, |case, answer| {
        let Value::Tuple(pattern) = &case.arguments[1] else { unreachable!() };
        match &case.arguments[0] {
            Value::Tuple(tree) => {
                let expected =
                    matches(pattern, tree).then(|| keep(pattern, tree, false).unwrap_or(Tree::Node(vec![])));
                exactly(answer, expected.map(Value::Tuple))
            }
            value => {
                let expected = slice_of(value, pattern);
                if let (Ok(found @ Value::Swizzled(..)), Some(expected)) = (answer, &expected) {
                    // What is left of XOR strides may be none, and then the offset is a number.
                    let same = found.image() == expected.image()
                        && shape(found.domain().unwrap()) == shape(expected.domain().unwrap());
                    return if same { Ok(()) } else { Err(expected.to_string()) };
                }
                exactly(answer, expected)
            }
        }
    }),
    row("dice", sliced, |case, answer| {
        let Value::Tuple(pattern) = &case.arguments[1] else { unreachable!() };
        let expected = match &case.arguments[0] {
            Value::Tuple(tree) if matches(pattern, tree) => {
                Some(Value::Tuple(keep(pattern, tree, true).unwrap_or(Tree::Node(vec![]))))
            }
            value => value
                .domain()
                .filter(|layout| matches(pattern, layout))
                .map(|layout| Value::Layout(keep(pattern, layout, true).unwrap_or(Tree::Node(vec![])))),
        };
        exactly(answer, expected)
    }),
    row(
        "shape_div",
        |source| {
            let (mut arguments, indices, parts) = shape_and_divisor(source);
            if source.rng.once_in(2) {
                arguments.push(Value::int(source.rng.choose(&[1, -1, 0])));
            }
            (arguments, indices, parts)
        },
        |case, answer| {
            let rounding = case.arguments.get(2).map_or(EXACT, |rounding| rounding.as_int().unwrap());
            let expected = match rounding {
                -1..=1 | EXACT => quotient(&tree(case, 0), &tree(case, 1), rounding),
                _ => None,
            };
            exactly(answer, expected.map(|divided| Value::ints(&divided)))
        },
    ),
    row("shape_mod", shape_and_divisor, |case, answer| {
        let shape = tree(case, 0);
        let expected = quotient(&shape, &tree(case, 1), EXACT).map(|divided| {
            let mut divided = divided.leaves().into_iter();
            shape.map(&mut |extent| extent / divided.next().unwrap())
        });
        exactly(answer, expected.map(|kept| Value::ints(&kept)))
    }),
    row(
        "prefix_product",
        |source| (vec![Value::ints(&source.shape(1000))], vec![], false),
        |case, answer| {
            let mut before = 1;
            let products = tree(case, 0).map(&mut |extent| {
                before *= extent;
                before / extent
            });
            exactly(answer, Some(Value::ints(&products)))
        },
    ),
    row(
        "coordinate_sets",
        |source| (vec![Value::ints(&source.shape(60))], vec![], false),
        |case, answer| {
            fn nodes(shape: &Shape) -> usize {
                match shape {
                    Tree::Leaf(_) => 1,
                    Tree::Node(modes) => 1 + modes.iter().map(nodes).sum::<usize>(),
                }
            }
            let sets = Tree::Node(coarsenings(&tree(case, 0)));
            let fits = sets.leaves().len() <= 32 && nodes(&sets) <= 63;
            exactly(answer, fits.then(|| Value::ints(&sets)))
        },
    ),
    row(
        "inner_product",
        |source| {
            let layout = source.any();
            let first = if source.rng.once_in(4) { source.shape(9) } else { shape(&layout) };
            let coord = first.map(&mut |_| source.rng.range(-2, 9));
            let strides = layout.map(&mut |leaf| Some(leaf.step.clone()));
            (vec![Value::ints(&coord), Value::Tuple(strides)], vec![], false)
        },
        |case, answer| {
            let coord = tree(case, 0);
            let Value::Tuple(strides) = &case.arguments[1] else { unreachable!() };
            let ones = coord.map(&mut |_| Some(Step::int(1)));
            let Some(layout) = zip(&ones, strides).filter(is_layout) else { return must_refuse(answer) };
            if codomain(&layout) == Codomain::Xor {
                let sum = evaluate(&layout, &coord).and_then(|sum| sum.integer());
                return exactly(answer, sum.map(|sum| Value::Tuple(Tree::Leaf(Some(Step::xor(sum))))));
            }
            offset(&Value::Layout(layout), &coord, answer)
        },
    ),
    row(
        "ceil_div",
        |source| {
            let value = source.shape(500);
            let divisor = match source.rng.range(0, 2) {
                0 => Tree::Leaf(source.rng.range(-1, 9)),
                1 => value.map(&mut |_| source.rng.range(0, 9)),
                _ => source.shape(50),
            };
            (vec![Value::ints(&value), Value::ints(&divisor)], vec![], false)
        },
        |case, answer| {
            fn of(value: &Shape, divisor: &Shape) -> Option<Shape> {
                match (value, divisor) {
                    (Tree::Leaf(value), Tree::Leaf(divisor)) => {
                        (*divisor >= 1).then(|| Tree::Leaf((1..).find(|q| q * divisor >= *value).unwrap()))
                    }
                    (Tree::Node(values), Tree::Node(divisors)) if divisors.len() <= values.len() => {
                        let mut modes = values.clone();
                        for (mode, divisor) in modes.iter_mut().zip(divisors) {
                            *mode = of(mode, divisor)?;
                        }
                        Some(Tree::Node(modes))
                    }
                    _ => None,
                }
            }
            exactly(answer, of(&tree(case, 0), &tree(case, 1)).map(|tree| Value::ints(&tree)))
        },
    ),
    row(
        "mode_sizes",
        |source| {
            let value = shape_or_layout(source);
            let path = if source.rng.once_in(3) { path_in(source, &value_shape(&value)) } else { vec![] };
            (vec![value], path, false)
        },
        |case, answer| {
            let expected = part(case).map(|value| match value_shape(&value) {
                Tree::Leaf(extent) => Tree::Leaf(extent),
                Tree::Node(modes) => Tree::Node(modes.iter().map(|mode| Tree::Leaf(product(mode))).collect()),
            });
            exactly(answer, expected.map(|sizes| Value::ints(&sizes)))
        },
    ),
    row("common_refinement", two_shapes, |case, answer| {
        let (a, b) = (tree(case, 0), tree(case, 1));
        let expected = join(&a, &b);
        if let Some(shape) = &expected {
            assert!(refines(&a, shape) && refines(&b, shape));
        }
        exactly(answer, expected.map(|shape| Value::ints(&shape)))
    }),
    row("common_coarsening", two_shapes, |case, answer| {
        let (a, b) = (tree(case, 0), tree(case, 1));
        exactly(answer, (product(&a) == product(&b)).then(|| Value::ints(&meet(&a, &b))))
    }),
];

fn join(a: &Shape, b: &Shape) -> Option<Shape> {
    match (a, b) {
        (Tree::Leaf(extent), other) | (other, Tree::Leaf(extent)) => {
            (*extent == product(other)).then(|| other.clone())
        }
        (Tree::Node(x), Tree::Node(y)) if x.len() == y.len() => {
            Some(Tree::Node(x.iter().zip(y).map(|(x, y)| join(x, y)).collect::<Option<_>>()?))
        }
        _ => None,
    }
}

fn meet(a: &Shape, b: &Shape) -> Shape {
    match (a, b) {
        (Tree::Node(x), Tree::Node(y))
            if x.len() == y.len() && x.iter().zip(y).all(|(x, y)| product(x) == product(y)) =>
        {
            Tree::Node(x.iter().zip(y).map(|(x, y)| meet(x, y)).collect())
        }
        _ => Tree::Leaf(product(a)),
    }
}

/// An offset as it is printed: a number, or a coordinate of the codomain's profile.
fn offset(function: &Value, coord: &Coord, answer: Answer) -> Verdict {
    let Some(expected) = function.evaluate(coord) else { return must_refuse(answer) };
    let all = paths(function.domain().unwrap());
    let xor = matches!(expected, Offset::Xor(_));
    let same = match answer {
        Ok(Value::Tuple(tree)) => {
            let numbers = tree.map(&mut |atom| atom.as_ref().map_or(Rational::ZERO, |step| step.count));
            let deep = all.iter().any(|path| !path.is_empty());
            deep != matches!(tree, Tree::Leaf(_)) && Offset::of_tree(&numbers, xor).same(&expected)
        }
        _ => false,
    };
    if same { Ok(()) } else { Err(format!("{expected:?}")) }
}

pub fn as_layout(value: &Value) -> Layout {
    match value.as_ints() {
        Some(shape) => column_major(&shape),
        None => value.domain().unwrap().clone(),
    }
}

pub fn column_major(shape: &Shape) -> Layout {
    ordered(shape, &vec![0; shape.leaves().len()])
}

/// The compact layout, leaves of smaller order fastest, among equals the first.
/// The compact layout of a shape in an order, where those leaves that are `still` do not move and take no room.
pub fn compact(layout: &Layout, order: &[i128], still: Vec<bool>) -> Layout {
    let mut rest = still.iter();
    let moves = layout.map(&mut |leaf| if *rest.next().unwrap() { 1 } else { leaf.extent });
    let ordered = ordered(&moves, order);
    let mut steps = ordered
        .leaves()
        .into_iter()
        .zip(still)
        .map(|(leaf, still)| if still { Step::int(0) } else { leaf.step.clone() });
    layout.map(&mut |own| Leaf { extent: own.extent, step: steps.next().unwrap() })
}

pub fn ordered(shape: &Shape, order: &[i128]) -> Layout {
    let extents: Vec<i128> = shape.leaves().into_iter().copied().collect();
    let mut leaf = 0;
    shape.map(&mut |extent| {
        let before = |other: usize| (order[other], other) < (order[leaf], leaf);
        let stride = (0..extents.len()).filter(|other| before(*other)).map(|other| extents[other]).product();
        leaf += 1;
        Leaf { extent: *extent, step: Step::int(if *extent == 1 { 0 } else { stride }) }
    })
}

/// A number for each leaf of the shape below the order's leaf.
pub fn spread(order: &Tree<i128>, shape: &Shape) -> Option<Vec<i128>> {
    match (order, shape) {
        (Tree::Leaf(value), shape) => Some(vec![*value; shape.leaves().len()]),
        (Tree::Node(a), Tree::Node(b)) if a.len() == b.len() => {
            let parts: Vec<Vec<i128>> = a.iter().zip(b).map(|(a, b)| spread(a, b)).collect::<Option<_>>()?;
            Some(parts.concat())
        }
        _ => None,
    }
}

fn coordinate_layout(shape: &Shape, path: &mut Path) -> Layout {
    match shape {
        Tree::Leaf(extent) => leaf(*extent, Step::new(Rational::int(1), Unit::Basis(path.clone()))),
        Tree::Node(modes) => Tree::Node(
            modes
                .iter()
                .enumerate()
                .map(|(index, mode)| {
                    path.push(index);
                    let part = coordinate_layout(mode, path);
                    path.pop();
                    part
                })
                .collect(),
        ),
    }
}

fn in_bounds(coord: &Coord, shape: &Shape) -> bool {
    match (coord, shape) {
        (Tree::Leaf(index), shape) => (0..product(shape)).contains(index),
        (Tree::Node(a), Tree::Node(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| in_bounds(a, b)),
        _ => false,
    }
}

/// Whether a pattern is weakly congruent with the tuple.
fn matches<T: Clone>(pattern: &Tree<Atom>, tree: &Tree<T>) -> bool {
    pattern.coarsens(tree)
}

/// What a pattern leaves open, or with `fixed` what it fixes (figure 5): a tuple of one part is that part.
fn keep<T: Clone>(pattern: &Tree<Atom>, tree: &Tree<T>, fixed: bool) -> Option<Tree<T>> {
    match (pattern, tree) {
        (Tree::Leaf(atom), _) => (atom.is_some() == fixed).then(|| tree.clone()),
        (Tree::Node(patterns), Tree::Node(modes)) => {
            let parts: Vec<Tree<T>> =
                patterns.iter().zip(modes).filter_map(|(p, m)| keep(p, m, fixed)).collect();
            (!parts.is_empty()).then(|| Tree::of(parts))
        }
        _ => None,
    }
}

/// What a pattern leaves of a function.
pub fn slice_of(value: &Value, pattern: &Tree<Atom>) -> Option<Value> {
    let layout = value.domain()?;
    let kept =
        matches(pattern, layout).then(|| keep(pattern, layout, false).unwrap_or(Tree::Node(vec![])))?;
    let fixed = pattern.map(&mut |atom| atom.as_ref().map_or(0, |step| step.integer().unwrap()));
    let start = evaluate(layout, &fixed)?;
    Some(match value {
        Value::View(offset, _) => Value::View(offset.plus(&start)?, kept),
        Value::Swizzled(swizzle, offset, _) => {
            // The offset is an element of the layout's codomain.
            let xor = codomain(layout) == Codomain::Xor;
            let offset = Offset::of_tree(&Tree::Leaf(Rational::int(*offset)), xor);
            Value::Swizzled(swizzle.clone(), offset.plus(&start)?.integer()?, kept)
        }
        _ => Value::View(start, kept),
    })
}

fn sliced(source: &mut Source) -> Arguments {
    let value = if source.rng.once_in(6) { Value::ints(&source.shape(100)) } else { source.function() };
    let shape = value_shape(&value);
    let pattern = if source.rng.once_in(10) { shape_pattern(source) } else { source.pattern(&shape) };
    (vec![value, Value::Tuple(pattern)], vec![], false)
}

fn shape_pattern(source: &mut Source) -> Tree<Atom> {
    let other = source.shape(20);
    source.pattern(&other)
}

fn value_shape(value: &Value) -> Shape {
    value.as_ints().unwrap_or_else(|| shape(value.domain().unwrap()))
}

fn a_shape(source: &mut Source) -> Arguments {
    (vec![Value::ints(&source.shape(1000))], vec![], false)
}

fn two_shapes(source: &mut Source) -> Arguments {
    let coarse = source.shape(200);
    let (first, second) = (refined(source, &coarse), refined(source, &coarse));
    let second = if source.rng.once_in(4) { source.shape(200) } else { second };
    (vec![Value::ints(&first), Value::ints(&second)], vec![], false)
}

fn shape_or_layout(source: &mut Source) -> Value {
    if source.rng.once_in(2) { Value::ints(&source.shape(200)) } else { Value::Layout(source.any()) }
}

fn layout_arguments(source: &mut Source) -> Arguments {
    let codomain = source.codomain();
    let other = if source.rng.once_in(8) { source.codomain() } else { codomain };
    let arguments = match source.rng.range(0, 3) {
        0 => vec![Value::ints(&source.shape(100))],
        1 => {
            let layout = source.layout(codomain);
            let strides = if source.rng.once_in(8) { source.layout(other) } else { layout.clone() };
            let strides = strides.map(&mut |leaf| Some(leaf.step.clone()));
            vec![Value::ints(&shape(&layout)), Value::Tuple(strides)]
        }
        _ => {
            let mut modes = vec![Value::Layout(source.layout(codomain))];
            for _ in 0..source.rng.range(0, 2) {
                let layout = source.layout(other);
                modes.push(Value::Layout(layout));
            }
            modes
        }
    };
    (arguments, vec![], false)
}

fn order_arguments(source: &mut Source) -> Arguments {
    let shape = source.shape(200);
    let order = match source.rng.range(0, 3) {
        0 => Tree::Leaf(0),
        1 => source.shape(9),
        _ => shape.map(&mut |_| source.rng.range(-2, 5)),
    };
    (vec![Value::ints(&shape), Value::ints(&order)], vec![], false)
}

fn crd2idx_arguments(source: &mut Source) -> Arguments {
    if source.rng.once_in(3) {
        let shape = source.shape(200);
        let coord = source.coord(&shape, -9, 99);
        return (vec![Value::ints(&coord), Value::ints(&shape)], vec![], false);
    }
    let value = source.function();
    let coord = source.coord(&shape(value.domain().unwrap()), -9, 99);
    match &value {
        Value::Layout(layout) if source.rng.once_in(2) => {
            let strides = layout.map(&mut |leaf| Some(leaf.step.clone()));
            (vec![Value::ints(&coord), Value::ints(&shape(layout)), Value::Tuple(strides)], vec![], false)
        }
        _ => (vec![Value::ints(&coord), value], vec![], false),
    }
}

/// A shape, and a number or a tuple to divide it by.
fn shape_and_divisor(source: &mut Source) -> Arguments {
    let shape = source.shape(200);
    let part = |size: i128, source: &mut Source| {
        let divisors: Vec<i128> = (1..=size).filter(|divisor| size % divisor == 0).collect();
        if source.rng.once_in(5) { source.rng.range(-1, 20) } else { source.rng.choose(&divisors) }
    };
    let divisor = match (source.rng.range(0, 3), &shape) {
        (0, Tree::Node(modes)) => {
            Tree::Node(modes.iter().map(|mode| Tree::Leaf(part(product(mode), source))).collect())
        }
        (1, _) => source.shape(8),
        _ => Tree::Leaf(part(product(&shape), source)),
    };
    (vec![Value::ints(&shape), Value::ints(&divisor)], vec![], false)
}

/// The rounding of two arguments.
const EXACT: i128 = 2;

/// What is left of a shape when a number is divided out from the left, or a tuple mode by mode.
/// Exactly, rounded up with 1, or down with -1; with 0 what is left of the divisor is dropped.
fn quotient(shape: &Shape, divisor: &Shape, rounding: i128) -> Option<Shape> {
    let mut rest = match (shape, divisor) {
        (Tree::Node(modes), Tree::Node(divisors)) => {
            let pairs = modes.iter().zip(divisors);
            let divided =
                pairs.map(|(mode, divisor)| quotient(mode, divisor, rounding)).collect::<Option<Vec<_>>>()?;
            return (modes.len() == divisors.len()).then_some(Tree::Node(divided));
        }
        (_, divisor) => product(divisor),
    };
    if rest < 1 || divisor.leaves().iter().any(|divisor| **divisor < 1) {
        return None;
    }
    let mut fits = true;
    if let -1 | 1 = rounding {
        let rounded = |a: i128, b: i128| ((a + if rounding > 0 { b - 1 } else { 0 }) / b).max(1);
        return Some(shape.map(&mut |&extent| {
            let divided = rounded(extent, rest);
            rest = rounded(rest, extent);
            divided
        }));
    }
    let divided = shape.map(&mut |extent| match (extent % rest, rest % extent) {
        (0, _) => {
            let whole = extent / rest;
            rest = 1;
            whole
        }
        (_, 0) => {
            rest /= extent;
            1
        }
        _ => {
            fits = false;
            1
        }
    });
    (fits && (rest == 1 || rounding == 0)).then_some(divided)
}

/// The shape with whole subtrees as their sizes, the coarsest first.
fn coarsenings(shape: &Shape) -> Vec<Shape> {
    let Tree::Node(modes) = shape else { return vec![shape.clone()] };
    let choices = modes.iter().fold(vec![vec![]], |chosen: Vec<Vec<Shape>>, mode| {
        let longer = |first: &Vec<Shape>| {
            coarsenings(mode).into_iter().map(|next| [first.clone(), vec![next]].concat()).collect::<Vec<_>>()
        };
        chosen.iter().flat_map(longer).collect()
    });
    std::iter::once(Tree::Leaf(product(shape))).chain(choices.into_iter().map(Tree::Node)).collect()
}
