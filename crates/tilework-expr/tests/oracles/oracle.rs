//! What the families share: the rows, the kinds of arguments, and how an answer is compared.

use crate::cases::{Case, Source};
use crate::model::*;
use crate::search::{fewest, in_place};
use crate::text::*;

/// The code of a refusal.
pub type Answer<'a> = Result<&'a Value, &'a str>;

/// What was expected, where the answer is wrong.
pub type Verdict = Result<(), String>;

/// Arguments, indices, and whether the indices are written behind.
pub type Arguments = (Vec<Value>, Vec<i128>, bool);

/// A function of the language with its oracle.
pub struct Row {
    pub name: &'static str,
    pub arguments: fn(&mut Source) -> Arguments,
    pub oracle: fn(&Case, Answer) -> Verdict,
}

pub const fn row(
    name: &'static str,
    arguments: fn(&mut Source) -> Arguments,
    oracle: fn(&Case, Answer) -> Verdict,
) -> Row {
    Row { name, arguments, oracle }
}

pub fn function(source: &mut Source) -> Arguments {
    (vec![source.function()], vec![], false)
}

pub fn layout(source: &mut Source) -> Arguments {
    (vec![Value::Layout(source.any())], vec![], false)
}

/// A layout, plain or swizzled.
pub fn any_layout(source: &mut Source) -> Arguments {
    let layout = source.any();
    (vec![source.plain_or_swizzled(layout)], vec![], false)
}

/// The layout that a swizzled layout is as a function of integers, if it is one: with integer strides, or else with XOR strides.
pub fn as_layout(value: &Value) -> Option<Layout> {
    let Value::Swizzled(..) = value else { return value.domain().cloned() };
    let image: Vec<i128> = value.image()?.iter().map(Offset::integer).collect::<Option<_>>()?;
    let numbers: Vec<Offset> = image.iter().map(|offset| Offset::int(*offset)).collect();
    let bits: Vec<Offset> = image.iter().map(|offset| Offset::xor(*offset)).collect();
    fewest(&numbers).or_else(|| fewest(&bits)).map(in_place)
}

/// Two layouts of one codomain, now and then of two.
pub fn two_layouts(source: &mut Source) -> Arguments {
    let codomain = source.codomain();
    let first = source.layout(codomain);
    let other = if source.rng.once_in(12) { source.codomain() } else { codomain };
    let second = source.layout(other);
    (vec![Value::Layout(first), Value::Layout(second)], vec![], false)
}

/// A path, which now and then leads out of the tuple.
pub fn path_in<T: Clone>(source: &mut Source, tree: &Tree<T>) -> Vec<i128> {
    let mut path = Vec::new();
    let mut at = tree;
    while !source.rng.once_in(3) {
        let rank = at.modes().len() as i128;
        let more = i128::from(source.rng.once_in(10));
        let index = source.rng.range(0, (rank - 1 + more).max(0));
        path.push(index);
        match at {
            Tree::Node(modes) if index < rank => at = &modes[index as usize],
            _ => break,
        }
    }
    path
}

/// A shape that the other is compatible with.
pub fn refined(source: &mut Source, shape: &Shape) -> Shape {
    match shape {
        Tree::Leaf(extent) => source.split(*extent),
        Tree::Node(modes) => Tree::Node(modes.iter().map(|mode| refined(source, mode)).collect()),
    }
}

/// The same function, leaves split in two.
pub fn split_leaves(source: &mut Source, layout: &Layout) -> Layout {
    match layout {
        Tree::Node(modes) => Tree::Node(modes.iter().map(|mode| split_leaves(source, mode)).collect()),
        Tree::Leaf(own) => {
            let divisors: Vec<i128> = (1..=own.extent).filter(|d| own.extent % d == 0).collect();
            let first = source.rng.choose(&divisors);
            let next = Offset::steps(&own.step, first).unwrap().as_step().unwrap();
            Tree::Node(vec![leaf(first, own.step.clone()), leaf(own.extent / first, next)])
        }
    }
}

/// The part of the first argument at the path in the indices.
pub fn part(case: &Case) -> Option<Value> {
    let path: Vec<usize> = case.indices.iter().map(|index| *index as usize).collect();
    match &case.arguments[0] {
        Value::Tuple(tree) => Some(Value::Tuple(tree.get(&path)?.clone())),
        value => Some(value.with_domain(value.domain()?.get(&path)?.clone())),
    }
}

/// An argument as a shape: a tuple, or the shape of a layout.
pub fn tree(case: &Case, index: usize) -> Shape {
    case.arguments[index].as_ints().unwrap_or_else(|| shape(case.layout(index)))
}

pub fn as_tiler(value: &Value) -> Tiler {
    fn of(tree: &Tree<Atom>) -> Tiler {
        match tree {
            Tree::Leaf(None) => Tiler::Hole,
            Tree::Leaf(Some(step)) => Tiler::Layout(leaf(step.integer().unwrap(), Step::int(1))),
            Tree::Node(modes) => Tiler::ByMode(modes.iter().map(of).collect()),
        }
    }
    match value {
        Value::Tiler(tiler) => tiler.clone(),
        Value::Layout(layout) => Tiler::Layout(layout.clone()),
        Value::Tuple(tree) => of(tree),
        _ => unreachable!("no tiler"),
    }
}

pub fn must_refuse(answer: Answer) -> Verdict {
    match answer {
        Ok(_) => Err(String::from("a refusal")),
        Err(_) => Ok(()),
    }
}

/// The one right answer; nothing has to be refused. Strides of extents 1 do not count.
pub fn exactly(answer: Answer, expected: Option<Value>) -> Verdict {
    let Some(expected) = expected else { return must_refuse(answer) };
    let same = match (answer, &expected) {
        (Ok(Value::Layout(found)), Value::Layout(layout)) => alike(found, layout),
        (Ok(Value::View(at, found)), Value::View(offset, layout)) => at.same(offset) && alike(found, layout),
        (Ok(Value::Swizzled(found, at, below)), Value::Swizzled(swizzle, offset, layout)) => {
            (found, at) == (swizzle, offset) && alike(below, layout)
        }
        (Ok(found), expected) => found == expected,
        (Err(_), _) => false,
    };
    if same { Ok(()) } else { Err(expected.to_string()) }
}

/// Right by the test for one of these results; a refusal is tested without one.
pub fn one_of<T>(answer: Answer, all: Vec<T>, test: impl Fn(Answer, Option<T>) -> Verdict) -> Verdict {
    if all.is_empty() {
        return test(answer, None);
    }
    all.into_iter().map(|expected| test(answer, Some(expected))).reduce(Result::or).unwrap()
}

/// A yes or no; a question without an answer has to be refused.
pub fn truth(answer: Answer, expected: Option<bool>) -> Verdict {
    exactly(answer, expected.map(Value::Truth))
}

/// The answer as a layout that passes a test, where the value around it is that of the first argument; with what was
/// expected, where it does not pass.
pub fn on_domain(case: &Case, answer: Answer, expected: &str, test: impl Fn(&Layout) -> bool) -> Verdict {
    let passes = answer.is_ok_and(|value| {
        value.domain().is_some_and(|layout| {
            let around = exactly(Ok(value), Some(case.arguments[0].with_domain(layout.clone()))).is_ok();
            around && is_layout(layout) && test(layout)
        })
    });
    if passes { Ok(()) } else { Err(expected.to_string()) }
}
