//! Taking apart and putting together, and simplification.

use crate::cases::{Case, Source};
use crate::model::*;
use crate::oracle::*;
use crate::search::*;
use crate::text::*;

pub const ROWS: &[Row] = &[
    row(
        "get",
        |source| {
            let value = tuple_or_function(source);
            let mut path = path_of(source, &value);
            if path.is_empty() {
                path.push(0);
            }
            (vec![value], path, source.rng.once_in(2))
        },
        |case, answer| exactly(answer, part(case)),
    ),
    row("flatten", just_tuple_or_function, |case, answer| {
        fn flat<T: Clone>(tree: &Tree<T>) -> Tree<T> {
            match tree {
                Tree::Leaf(_) => tree.clone(),
                Tree::Node(_) => Tree::Node(tree.leaves().into_iter().cloned().map(Tree::Leaf).collect()),
            }
        }
        exactly(answer, on_modes(case, |tree| Some(flat(tree)), |layout| Some(flat(layout))))
    }),
    row(
        "unflatten",
        |source| {
            let value = tuple_or_function(source);
            let count = match &value {
                Value::Tuple(tree) => tree.leaves().len(),
                value => value.domain().unwrap().leaves().len(),
            } + usize::from(source.rng.once_in(8));
            let leaves = vec![Leaf { extent: 1, step: Step::int(1) }; count];
            let profile = source.nest(leaves);
            (vec![value, Value::ints(&shape(&profile))], vec![], false)
        },
        |case, answer| {
            fn nested<T: Clone>(tree: &Tree<T>, profile: &Shape) -> Option<Tree<T>> {
                let mut leaves = tree.leaves().into_iter();
                let fits = leaves.len() == profile.leaves().len();
                fits.then(|| profile.map(&mut |_| leaves.next().unwrap().clone()))
            }
            let profile = tree(case, 1);
            exactly(answer, on_modes(case, |tree| nested(tree, &profile), |layout| nested(layout, &profile)))
        },
    ),
    row("group", group_arguments, |case, answer| {
        fn group<T: Clone>(tree: &Tree<T>, begin: usize, end: usize) -> Option<Tree<T>> {
            let mut modes = tree.modes().to_vec();
            let grouped = Tree::Node(modes.get(begin..end)?.to_vec());
            modes.splice(begin..end, [grouped]);
            Some(Tree::Node(modes))
        }
        let (begin, end) = match &case.indices[..] {
            [begin, end] => (*begin as usize, *end as usize),
            // A tuple names modes; a grouping keeps the order of the leaves.
            _ => {
                let Tree::Node(modes) = tree(case, 1) else { return must_refuse(answer) };
                let modes: Vec<i128> = modes.iter().flat_map(|mode| mode.leaves()).copied().collect();
                if modes.is_empty() || modes.windows(2).any(|pair| pair[1] != pair[0] + 1) {
                    return must_refuse(answer);
                }
                (modes[0] as usize, modes[0] as usize + modes.len())
            }
        };
        exactly(answer, on_modes(case, |tree| group(tree, begin, end), |layout| group(layout, begin, end)))
    }),
    row("take", range_arguments, |case, answer| {
        let range = case.indices[0] as usize..case.indices[1] as usize;
        fn take<T: Clone>(tree: &Tree<T>, range: std::ops::Range<usize>) -> Option<Tree<T>> {
            Some(Tree::Node(tree.modes().get(range)?.to_vec()))
        }
        exactly(
            answer,
            on_modes(case, |tree| take(tree, range.clone()), |layout| take(layout, range.clone())),
        )
    }),
    row(
        "select",
        |source| {
            let value = tuple_or_function(source);
            let rank = rank(&value) as i128;
            let count = source.rng.range(1, 3);
            let modes = (0..count).map(|_| {
                let more = i128::from(source.rng.once_in(12));
                source.rng.range(0, (rank - 1 + more).max(0))
            });
            (vec![value], modes.collect(), source.rng.once_in(2))
        },
        |case, answer| {
            fn select<T: Clone>(tree: &Tree<T>, modes: &[i128]) -> Option<Tree<T>> {
                Some(Tree::Node(
                    modes
                        .iter()
                        .map(|mode| tree.modes().get(*mode as usize).cloned())
                        .collect::<Option<_>>()?,
                ))
            }
            exactly(
                answer,
                on_modes(case, |tree| select(tree, &case.indices), |layout| select(layout, &case.indices)),
            )
        },
    ),
    row("append", pad_arguments, |case, answer| pad(case, answer, false)),
    row("prepend", pad_arguments, |case, answer| pad(case, answer, true)),
    row(
        "replace",
        |source| {
            let (first, second) = pair(source);
            let more = i128::from(source.rng.once_in(12));
            let index = source.rng.range(0, (rank(&first) as i128 - 1 + more).max(0));
            (vec![first, second], vec![index], source.rng.once_in(2))
        },
        |case, answer| {
            fn replace<T: Clone>(tree: &Tree<T>, index: usize, mode: &Tree<T>) -> Option<Tree<T>> {
                match tree {
                    // A value is its own mode 0.
                    Tree::Leaf(_) => (index == 0).then(|| mode.clone()),
                    Tree::Node(modes) => {
                        let mut modes = modes.clone();
                        *modes.get_mut(index)? = mode.clone();
                        Some(Tree::Node(modes))
                    }
                }
            }
            let index = case.indices[0] as usize;
            exactly(answer, joined(case, &|a, b| replace(a, index, b), &|a, b| replace(a, index, b)))
        },
    ),
    row(
        "coalesce",
        |source| {
            let value = source.function();
            let profile = source.rng.once_in(3).then(|| profile(source, value.domain().unwrap()));
            (std::iter::once(value).chain(profile.map(Value::Tuple)).collect(), vec![], false)
        },
        |case, answer| {
            let layout = case.layout(0);
            match case.arguments.get(1) {
                Some(Value::Tuple(profile)) => match coalesced_by_mode(layout, profile) {
                    Some(expected) => coalesced(case, answer, &expected),
                    None => must_refuse(answer),
                },
                _ => coalesced(case, answer, &in_place(fewest(&table(layout)).unwrap())),
            }
        },
    ),
    row("coalesce_extended", function, coalesce_extended),
    row("filter_zeros", layout, |case, answer| {
        exactly(answer, Some(Value::Layout(filtered(case.layout(0)))))
    }),
    row("filter", layout, |case, answer| {
        coalesced(case, answer, &in_place(fewest(&table(&filtered(case.layout(0)))).unwrap()))
    }),
    row("sort", layout, |case, answer| {
        let layout = case.layout(0);
        on_domain(case, answer, "the leaves by magnitude, then extent", |sorted| {
            let mut left: Vec<Leaf> = layout.leaves().into_iter().cloned().collect();
            let leaves = sorted.leaves();
            // Of coordinates the magnitudes say nothing across components.
            let ordered = leaves.windows(2).all(|pair| {
                let (a, b) = (pair[0].step.magnitude(), pair[1].step.magnitude());
                a.below(b)
                    || a == b && (pair[0].extent <= pair[1].extent || pair[0].step.unit != pair[1].step.unit)
            });
            let same = leaves
                .iter()
                .all(|leaf| left.iter().position(|other| other == *leaf).map(|at| left.remove(at)).is_some());
            same && left.is_empty()
                && sorted.depth() <= 1
                && (ordered || codomain(layout) == Codomain::Coordinate)
        })
    }),
];

/// The first argument with its modes, or those of the layout below, changed.
fn on_modes(
    case: &Case,
    on_tuple: impl FnOnce(&Tree<Atom>) -> Option<Tree<Atom>>,
    on_layout: impl FnOnce(&Layout) -> Option<Layout>,
) -> Option<Value> {
    match &case.arguments[0] {
        Value::Tuple(tree) => on_tuple(tree).map(Value::Tuple),
        value => on_layout(value.domain()?).map(|layout| value.with_domain(layout)),
    }
}

type Join<'a, T> = &'a dyn Fn(&Tree<T>, &Tree<T>) -> Option<Tree<T>>;

/// Two arguments, tuples or layouts, made one.
fn joined(case: &Case, tuples: Join<Atom>, layouts: Join<Leaf>) -> Option<Value> {
    match (&case.arguments[0], &case.arguments[1]) {
        (Value::Tuple(a), Value::Tuple(b)) => tuples(a, b).map(Value::Tuple),
        (value, other) => {
            let layout = layouts(value.domain()?, other.domain()?)?;
            Some(value.with_domain(layout)).filter(is_value)
        }
    }
}

fn pad(case: &Case, answer: Answer, front: bool) -> Verdict {
    fn add<T: Clone>(tree: &Tree<T>, mode: &Tree<T>, front: bool) -> Option<Tree<T>> {
        let mut modes = tree.modes().to_vec();
        modes.insert(if front { 0 } else { modes.len() }, mode.clone());
        Some(Tree::Node(modes))
    }
    fn fill<T: Clone>(tree: &Tree<T>, unit: T, rank: usize, front: bool) -> Option<Tree<T>> {
        let mut tree = tree.clone();
        while tree.modes().len() < rank {
            tree = add(&tree, &Tree::Leaf(unit.clone()), front)?;
        }
        Some(tree)
    }
    let expected = match case.indices[..] {
        [rank] => {
            let unit = Leaf { extent: 1, step: Step::int(0) };
            let rank = rank as usize;
            on_modes(
                case,
                |tree| fill(tree, Some(Step::int(1)), rank, front),
                |layout| fill(layout, unit, rank, front),
            )
        }
        _ => joined(case, &|a, b| add(a, b, front), &|a, b| add(a, b, front)),
    };
    exactly(answer, expected)
}

pub fn filtered(layout: &Layout) -> Layout {
    layout.map(&mut |leaf| match leaf.step.is_zero() {
        true => Leaf { extent: 1, step: Step::int(0) },
        false => leaf.clone(),
    })
}

/// The same modes as expected; XOR strides may be coalesced in several ways, as many modes in each.
fn coalesced(case: &Case, answer: Answer, expected: &Layout) -> Verdict {
    on_domain(case, answer, &layout_text(expected), |found| {
        let fresh = found.leaves().iter().all(|leaf| leaf.extent > 1 || leaf.step.is_zero());
        match codomain(expected) {
            Codomain::Xor => {
                (fresh || case.arguments.len() > 1)
                    && found.profile() == expected.profile()
                    && table(found) == table(expected)
            }
            _ => found == expected || case.arguments.len() > 1 && alike(found, expected),
        }
    })
}

fn coalesced_by_mode(layout: &Layout, profile: &Tree<Atom>) -> Option<Layout> {
    match (profile, layout) {
        (Tree::Leaf(_), _) => Some(in_place(fewest(&table(layout)).unwrap())),
        (Tree::Node(profiles), _) if profiles.len() <= layout.modes().len() => {
            let mut modes = layout.modes().to_vec();
            for (mode, profile) in modes.iter_mut().zip(profiles) {
                *mode = coalesced_by_mode(mode, profile)?;
            }
            Some(Tree::Node(modes))
        }
        _ => None,
    }
}

/// The fewest modes that are the same function on all integers; XOR strides have no negative ones.
fn coalesce_extended(case: &Case, answer: Answer) -> Verdict {
    let layout = case.layout(0);
    let size = size(layout);
    let reach = 3 * size + 2;
    let begin = if codomain(layout) == Codomain::Xor { 0 } else { -reach };
    let values = |layout: &Layout| -> Vec<Offset> {
        let function = Function::of(layout);
        (begin..reach).map(|index| function.at(index).unwrap()).collect()
    };
    let expected = values(layout);
    // The last mode is endless, so that its end is put far out.
    let far = |unit: i128| {
        let function = Function::of(layout);
        let count = (reach + 5) / unit + 2;
        let step = function.at(unit).unwrap().as_step();
        step.is_some_and(|step| {
            (0..count).all(|c| Offset::steps(&step, c).unwrap() == function.at(unit * c).unwrap())
        })
    };
    // The fewest modes before an endless one: the function below `unit`, for each `unit` behind which it is linear.
    let function = Function::of(layout);
    let fewest_modes = (1..=size)
        .filter(|unit| size % unit == 0 && far(*unit))
        .filter_map(|unit| {
            let low: Vec<Offset> = (0..unit).map(|index| function.at(index).unwrap()).collect();
            let splits = (0..reach).all(|index| {
                let (rest, below) = (index - index % unit, index % unit);
                low[below as usize].plus(&function.at(rest).unwrap()) == function.at(index)
            });
            (splits).then(|| fewest(&low).map(|modes| modes.len() + 1)).flatten()
        })
        .min()
        .unwrap();
    on_domain(case, answer, &format!("{fewest_modes} modes of the same function of all integers"), |found| {
        let leaves = found.leaves().len();
        crate::model::size(found) == size
            && leaves == fewest_modes
            && found.depth() == usize::from(leaves > 1)
            && values(found) == expected
    })
}

fn rank(value: &Value) -> usize {
    match value {
        Value::Tuple(tree) => tree.modes().len(),
        value => value.domain().unwrap().modes().len(),
    }
}

fn path_of(source: &mut Source, value: &Value) -> Vec<i128> {
    match value {
        Value::Tuple(tree) => path_in(source, tree),
        value => path_in(source, value.domain().unwrap()),
    }
}

fn tuple_or_function(source: &mut Source) -> Value {
    if source.rng.once_in(4) { Value::ints(&source.shape(1000)) } else { source.function() }
}

fn just_tuple_or_function(source: &mut Source) -> Arguments {
    (vec![tuple_or_function(source)], vec![], false)
}

fn range_arguments(source: &mut Source) -> Arguments {
    let value = tuple_or_function(source);
    let rank = rank(&value) as i128 + i128::from(source.rng.once_in(12));
    let begin = source.rng.range(0, (rank - 1).max(0));
    let end = source.rng.range(begin, rank.max(begin));
    (vec![value], vec![begin, end], source.rng.once_in(2))
}

/// A range, or a tuple of modes, most often adjacent ones.
fn group_arguments(source: &mut Source) -> Arguments {
    if source.rng.once_in(2) {
        return range_arguments(source);
    }
    let value = tuple_or_function(source);
    let rank = rank(&value) as i128 + i128::from(source.rng.once_in(12));
    let least = i128::from(!source.rng.once_in(12));
    let count = source.rng.range(least, rank.max(1));
    let begin = source.rng.range(0, (rank - count).max(0));
    let mut modes: Vec<i128> = (begin..begin + count).collect();
    if source.rng.once_in(4) && !modes.is_empty() {
        let at = source.rng.range(0, count - 1) as usize;
        modes[at] = source.rng.range(0, rank);
    }
    let modes = Tree::Node(modes.into_iter().map(Tree::Leaf).collect());
    (vec![value, Value::ints(&modes)], vec![], false)
}

/// Two tuples, or two layouts of one codomain.
fn pair(source: &mut Source) -> (Value, Value) {
    if source.rng.once_in(4) {
        return (Value::ints(&source.shape(99)), Value::ints(&source.shape(99)));
    }
    let (mut layouts, ..) = two_layouts(source);
    let second = layouts.pop().unwrap();
    let first = source.wrap(layouts[0].domain().unwrap().clone());
    (first, second)
}

fn pad_arguments(source: &mut Source) -> Arguments {
    if source.rng.once_in(3) {
        let value = tuple_or_function(source);
        let rank = source.rng.range(1, 5);
        return (vec![value], vec![rank], false);
    }
    let (first, second) = pair(source);
    (vec![first, second], vec![], false)
}

/// `_` for modes to be coalesced on their own.
fn profile(source: &mut Source, layout: &Layout) -> Tree<Atom> {
    match layout {
        Tree::Node(modes) if !modes.is_empty() && !source.rng.once_in(4) => {
            let more = usize::from(source.rng.once_in(12));
            let rank = source.rng.range(1, (modes.len() + more) as i128) as usize;
            let unit = leaf(1, Step::int(0));
            Tree::Node((0..rank).map(|index| profile(source, modes.get(index).unwrap_or(&unit))).collect())
        }
        _ => Tree::Leaf(None),
    }
}
