//! Matrices, XOR strides, swizzles, lists of offsets, and what is touched.

use crate::cases::{Case, Source};
use crate::model::*;
use crate::oracle::*;
use crate::search::*;
use crate::text::*;

pub const ROWS: &[Row] = &[
    row("to_layout", any_layout, |case, answer| match as_layout(&case.arguments[0]) {
        Some(layout) if case.arguments[0] == Value::Layout(layout.clone()) => {
            exactly(answer, Some(Value::Layout(layout)))
        }
        Some(layout) => same_function(answer, &Value::Layout(layout), &[Codomain::Integer, Codomain::Xor]),
        None => must_refuse(answer),
    }),
    row("to_view", function, |case, answer| {
        let value = &case.arguments[0];
        if !matches!(value, Value::Swizzled(..)) {
            let same = |found: &Value| {
                let numbers = |value: &Value| {
                    value.image().map(|image| image.iter().map(Offset::integer).collect::<Vec<_>>())
                };
                alike(found.domain().unwrap(), value.domain().unwrap()) && numbers(found) == numbers(value)
            };
            let right = matches!(answer, Ok(found @ Value::View(..)) if same(found));
            return if right { Ok(()) } else { Err(format!("{value} as a layout with an offset")) };
        }
        let image: Option<Vec<i128>> =
            value.image().and_then(|image| image.iter().map(Offset::integer).collect());
        let exists = image.as_ref().is_some_and(|image| {
            let sums: Vec<Offset> = image.iter().map(|offset| Offset::int(offset - image[0])).collect();
            let bits: Vec<Offset> = image.iter().map(|offset| Offset::xor(offset ^ image[0])).collect();
            fewest(&sums).or_else(|| fewest(&bits)).is_some()
        });
        match answer {
            Ok(found @ Value::View(..)) if exists => {
                let found: Option<Vec<Offset>> = found.image();
                let found =
                    found.and_then(|found| found.iter().map(Offset::integer).collect::<Option<Vec<_>>>());
                if found == image { Ok(()) } else { Err(format!("the offsets {image:?}")) }
            }
            Ok(_) => Err(String::from("a refusal")),
            Err(_) if exists => Err(format!("a layout with the offsets {image:?}")),
            Err(_) => Ok(()),
        }
    }),
    row("to_xor", any_layout, to_xor),
    row("to_swizzle", any_layout, to_swizzle),
    row("linear_form", layout, linear_form),
    row("bit_matrix", any_layout, |case, answer| {
        let columns = bit_columns(&case.arguments[0]);
        exactly(answer, columns.filter(|columns| columns.len() <= 32).map(|columns| list(&columns)))
    }),
    row("bit_rank", any_layout, |case, answer| {
        exactly(answer, bit_columns(&case.arguments[0]).map(|columns| Value::int(rank(&columns))))
    }),
    row("bit_layout", numbers_of_a_layout, |case, answer| {
        let columns: Vec<i128> = numbers(case);
        if columns.iter().any(|column| *column < 0) {
            return must_refuse(answer);
        }
        let image = (0..1i128 << columns.len()).map(|index| {
            let bits = columns.iter().enumerate().filter(|(bit, _)| index >> bit & 1 == 1);
            Offset::xor(bits.fold(0, |sum, (_, column)| sum ^ column))
        });
        let image: Vec<Offset> = image.collect();
        match answer {
            Ok(Value::Layout(found)) if table(found) == image => Ok(()),
            _ => Err("the sums of the columns".into()),
        }
    }),
    row("from_image", numbers_of_a_layout, |case, answer| {
        let values = numbers(case);
        let start = values.first().copied().unwrap_or(0);
        let integers: Vec<Offset> = values.iter().map(|value| Offset::int(*value - start)).collect();
        let bits: Vec<Offset> = values.iter().map(|value| Offset::xor(*value ^ start)).collect();
        let natural = values.iter().all(|value| value ^ start >= 0);
        let behind = |start: Offset, layout| match values.first() {
            Some(0) => Value::Layout(layout),
            _ => Value::View(start, layout),
        };
        let integer = fewest(&integers).map(|layout| behind(Offset::int(start), in_place(layout)));
        let of_bits = || fewest(&bits).filter(|_| natural);
        exactly(answer, integer.or_else(|| Some(behind(Offset::xor(start), in_place(of_bits()?)))))
    }),
    row("from_formula", formula, |case, answer| {
        let Value::Instruction(text) = &case.arguments[0] else { unreachable!() };
        let (terms, extent) = text.rsplit_once(", i < ").unwrap();
        let values: Vec<i128> = (0..extent.parse().unwrap()).map(|i| sum_of_digits(terms, i)).collect();
        let sums: Vec<Offset> = values.iter().map(|value| Offset::int(value - values[0])).collect();
        let layout = fewest(&sums).map(in_place);
        if let (None, Ok(found @ Value::Swizzled(..))) = (&layout, answer) {
            let image = found.image().map(|all| all.iter().map(Offset::integer).collect::<Option<Vec<_>>>());
            return if image == Some(Some(values)) {
                Ok(())
            } else {
                Err("the values of the formula".into())
            };
        }
        exactly(
            answer,
            layout.map(|layout| match values[0] {
                0 => Value::Layout(layout),
                start => Value::View(Offset::int(start), layout),
            }),
        )
    }),
    row(
        "chain",
        |source| {
            let count = source.rng.range(1, 3);
            ((0..count).map(|_| Value::Layout(source.layout(Codomain::Integer))).collect(), vec![], false)
        },
        |case, answer| {
            let layouts: Option<Vec<Layout>> = case.arguments.iter().map(as_layout).collect();
            let chain = layouts.map(|layouts| match &layouts[..] {
                [layout] => Value::Layout(layout.clone()),
                _ => Value::Chain(layouts),
            });
            exactly(answer, chain)
        },
    ),
    row("completeness", numbers_of_a_layout, completeness),
    row(
        "footprint",
        |source| {
            let mut arguments = vec![source.function()];
            if source.rng.once_in(3) {
                arguments.push(Value::int(source.rng.choose(&[1, 4, 6, 8, 16, 0])));
            }
            (arguments, vec![], false)
        },
        |case, answer| {
            let Some(offsets) = case.arguments[0].own_offsets() else { return must_refuse(answer) };
            let touched = offsets.iter().collect::<std::collections::HashSet<_>>().len() as i128;
            let bits = case.arguments.get(1).map(|bits| bits.as_int().unwrap());
            match bits {
                Some(0) => must_refuse(answer),
                // Offsets of other codomains that coincide are not counted.
                _ if answer == Err("codomain") && !plain(case.layout(0)) => Ok(()),
                Some(bits) => exactly(answer, Some(Value::int((touched * bits + 7) / 8))),
                None => exactly(answer, Some(Value::int(touched))),
            }
        },
    ),
    row("contiguity", any_layout, contiguity),
    row("is_contiguous", any_layout, |case, answer| {
        let image = case.arguments[0].image();
        let same = |(index, offset): (i128, &Offset)| offset.integer() == Some(index);
        truth(answer, image.map(|image| (0..).zip(&image).all(same)))
    }),
];

fn plain(layout: &Layout) -> bool {
    matches!(codomain(layout), Codomain::Integer | Codomain::Xor)
}

fn list(values: &[i128]) -> Value {
    Value::ints(&Tree::Node(values.iter().map(|value| Tree::Leaf(*value)).collect()))
}

/// Whether an answer is a layout, plain or swizzled, of these codomains with the same shape and the same offsets.
fn same_function(answer: Answer, value: &Value, codomains: &[Codomain]) -> Verdict {
    let image = value.image();
    let numbers = |value: &Value| value.image()?.iter().map(Offset::integer).collect::<Option<Vec<i128>>>();
    let same = answer.is_ok_and(|found| {
        found.domain().is_some_and(|layout| is_layout(layout) && codomains.contains(&codomain(layout)))
            && image.is_some()
            && numbers(found) == numbers(value)
    });
    if same { Ok(()) } else { Err("the same offsets".into()) }
}

/// The offsets as bits, at the coordinates of the argument, where they are such a layout of a finer shape.
fn as_bits(value: &Value) -> Option<Layout> {
    if !plain(value.domain()?) {
        return None;
    }
    let image = value.image()?;
    let bits = image.iter().map(|offset| offset.integer().filter(|offset| *offset >= 0).map(Offset::xor));
    refinement(&shape(value.domain()?), &bits.collect::<Option<Vec<Offset>>>()?)
}

fn to_xor(case: &Case, answer: Answer) -> Verdict {
    let value = &case.arguments[0];
    match as_bits(value) {
        // All offsets 0 are of any codomain.
        Some(_) => same_function(answer, value, &[Codomain::Xor, Codomain::Integer]),
        None => must_refuse(answer),
    }
}

fn to_swizzle(case: &Case, answer: Answer) -> Verdict {
    let value = &case.arguments[0];
    if !plain(value.domain().unwrap()) {
        return must_refuse(answer);
    }
    match (answer, value) {
        (_, Value::Layout(layout)) if table(layout).iter().any(|offset| offset.integer() < Some(0)) => {
            must_refuse(answer)
        }
        (Ok(_), Value::Layout(layout)) if codomain(layout) == Codomain::Integer => {
            exactly(answer, Some(Value::Swizzled(Swizzle { bits: 0, base: 0, shift: 0 }, 0, layout.clone())))
        }
        (Ok(found), Value::Swizzled(..)) => exactly(Ok(found), Some(value.clone())),
        (Ok(_), _) => same_function(answer, value, &[Codomain::Integer]),
        (Err(_), Value::Layout(layout)) if codomain(layout) == Codomain::Xor => {
            // Any of the swizzles of these parameters that would do.
            let offsets: Vec<i128> = table(layout).iter().map(|offset| offset.integer().unwrap()).collect();
            let unswizzled = |swizzle: &Swizzle| {
                let below: Vec<Offset> = offsets
                    .iter()
                    .map(|offset| swizzle.apply(*offset).map(Offset::int))
                    .collect::<Option<_>>()?;
                refinement(&shape(layout), &below)
            };
            let all = (0..4i128).flat_map(|bits| {
                (0..4).flat_map(move |base| (-5..6i128).map(move |shift| Swizzle { bits, base, shift }))
            });
            let fits =
                |swizzle: &Swizzle| swizzle.shift.abs() >= swizzle.bits && unswizzled(swizzle).is_some();
            match all.into_iter().find(fits) {
                Some(swizzle) => Err(format!("a layout below {swizzle:?}")),
                None => Ok(()),
            }
        }
        (Err(_), _) => Err("a swizzled layout".into()),
    }
}

/// The matrix by evaluation at the unit vectors.
fn linear_form(case: &Case, answer: Answer) -> Verdict {
    let layout = case.layout(0);
    let rows: Option<Vec<Vec<Rational>>> = match codomain(layout) {
        Codomain::Xor => bit_columns(&case.arguments[0]).map(|columns| {
            let bits = columns.iter().map(|column| 128 - column.leading_zeros()).max().unwrap_or(0);
            let bit = |row: u32| columns.iter().map(move |column| Rational::int(column >> row & 1)).collect();
            (0..bits).map(bit).collect()
        }),
        _ => {
            let profile = coordinate_profile(&paths(layout), &vec![]);
            let row =
                |path: &&Path| layout.leaves().into_iter().map(|leaf| leaf.step.component(path)).collect();
            Some(profile.leaves().iter().map(row).collect())
        }
    };
    let leaf = |value: &Rational| Tree::Leaf(Some(Step::new(*value, Unit::Basis(vec![]))));
    let row = |row: &Vec<Rational>| Tree::Node(row.iter().map(leaf).collect());
    let cells = rows.iter().flatten().map(Vec::len).sum::<usize>();
    if cells > 32 {
        return must_refuse(answer);
    }
    exactly(
        answer,
        rows.map(|rows| match rows.as_slice() {
            [one] => Value::Tuple(row(one)),
            rows => Value::Tuple(Tree::Node(rows.iter().map(row).collect())),
        }),
    )
}

/// The offsets of the powers of two, where all other offsets are XORs of them.
fn bit_columns(value: &Value) -> Option<Vec<i128>> {
    let layout = as_layout(value).filter(plain)?;
    let image: Vec<i128> = table(&layout).iter().map(Offset::integer).collect::<Option<_>>()?;
    let bits = (image.len() as u64).trailing_zeros();
    let columns: Vec<i128> = (0..bits).map(|bit| image[1 << bit]).collect();
    let linear = (0..image.len()).all(|index| {
        let sum =
            (0..bits as usize).filter(|bit| index >> bit & 1 == 1).fold(0, |sum, bit| sum ^ columns[bit]);
        sum == image[index] && sum >= 0
    });
    (image.len().is_power_of_two() && linear).then_some(columns)
}

/// By elimination.
fn rank(columns: &[i128]) -> i128 {
    let mut basis: Vec<i128> = Vec::new();
    for column in columns {
        let rest = basis.iter().fold(*column, |rest, vector| rest.min(rest ^ vector));
        if rest != 0 {
            basis.push(rest);
        }
    }
    basis.len() as i128
}

/// The first offsets of a layout, or other numbers.
fn numbers_of_a_layout(source: &mut Source) -> Arguments {
    let codomain = source.rng.choose(&[Codomain::Integer, Codomain::Xor]);
    let leaves = source.leaves(codomain, 16);
    let layout = source.nest(leaves);
    let mut values: Vec<i128> = table(&layout).iter().filter_map(Offset::integer).take(10).collect();
    if source.rng.once_in(3) {
        let at = source.rng.range(0, values.len() as i128 - 1) as usize;
        values[at] = source.rng.range(-1, 40);
    }
    (vec![list(&values)], vec![], false)
}

/// `7 + i/1%2*8 + i/2%3*-1, i < 6`: digits of an index, of which the last one may be cut off.
fn formula(source: &mut Source) -> Arguments {
    let (mut text, mut step) = (source.rng.choose(&[0, 0, 7]).to_string(), 1);
    for _ in 0..source.rng.range(1, 3) {
        let (extent, stride) =
            (source.rng.choose(&[1, 2, 3, 4]), source.rng.choose(&[-3, 0, 1, 2, 3, 8, 24]));
        text += &format!(" + i/{step}%{extent}*{stride}");
        step *= extent;
    }
    let size = if source.rng.once_in(3) { source.rng.range(1, step) } else { step };
    (vec![Value::Instruction(format!("{text}, i < {size}"))], vec![], false)
}

fn sum_of_digits(terms: &str, index: i128) -> i128 {
    let of_term = |term: &str| {
        let Some(digit) = term.strip_prefix("i/") else { return term.parse().unwrap() };
        let numbers: Vec<i128> = digit.split(['%', '*']).map(|number| number.parse().unwrap()).collect();
        index / numbers[0] % numbers[1] * numbers[2]
    };
    terms.split(" + ").map(of_term).sum()
}

fn numbers(case: &Case) -> Vec<i128> {
    case.arguments[0].as_ints().unwrap().leaves().into_iter().copied().collect()
}

fn completeness(case: &Case, answer: Answer) -> Verdict {
    let values = numbers(case);
    if values[0] != 0 {
        return must_refuse(answer);
    }
    let layouts: Vec<&Layout> = match answer {
        Ok(Value::Layout(layout)) => vec![layout],
        Ok(Value::Chain(layouts)) => layouts.iter().collect(),
        _ => return Err("a chain of layouts".into()),
    };
    let at = |index: i128| {
        layouts.iter().rev().try_fold(index, |at, layout| Function::of(layout).at(at)?.integer())
    };
    let right = (0..).zip(&values).all(|(index, value)| at(index) == Some(*value));
    if right { Ok(()) } else { Err(format!("{values:?}")) }
}

/// For each mode the greatest divisor of its size that its definition allows.
fn contiguity(case: &Case, answer: Answer) -> Verdict {
    let value = &case.arguments[0];
    let layout = case.layout(0);
    let Some(image) = value.image().filter(|_| plain(layout)) else { return must_refuse(answer) };
    if matches!(value, Value::Swizzled(..)) && as_bits(value).is_none() && answer.is_err() {
        return Ok(());
    }
    let image: Vec<i128> = image.iter().map(|offset| offset.integer().unwrap()).collect();
    let mut behind = 1;
    let modes = layout.modes().iter().map(|mode| {
        let (own, step) = (size(mode), behind);
        behind *= own;
        let together = |count: i128| {
            (0..image.len() as i128).all(|index| {
                let within = index / step % own % count;
                let first = index - within * step;
                image[index as usize] == image[first as usize] + within
            })
        };
        Tree::Leaf((1..=own).rev().find(|count| own % count == 0 && together(*count)).unwrap())
    });
    let modes: Vec<Tree<i128>> = modes.collect();
    let expected = if matches!(layout, Tree::Leaf(_)) { modes[0].clone() } else { Tree::Node(modes) };
    exactly(answer, Some(Value::ints(&expected)))
}
