//! Functions of values with offsets: `{o} o L`, `Sw o n o L`, and tensors at an address.
//!
//! The oracles of the families look at the layouts. Here the value counts as a whole, by the offsets of all its
//! coordinates. What is done to the coordinates, as by a composition or a divide, gives the offsets that the value has where
//! the same is done to its layout; an inverse or a question is of the offsets themselves. A function may not take such a
//! value. One that does may refuse what is a function of another kind of addition: `{5}` before integers and `{5}` before
//! XOR strides differ.

use crate::cases::*;
use crate::model::*;
use crate::questions::vectors;
use crate::run::{FAMILIES, ask, case, scaled};
use crate::search::refinement;
use crate::text::*;
use std::collections::BTreeSet;
use tilework_expr::Session;

/// Whose results have the coordinates of the value, or some of them, in another order or form.
const OF_COORDINATES: &[&str] = &[
    "append",
    "blocked_product",
    "coalesce",
    "coalesce_extended",
    "composition",
    "einfold",
    "filter",
    "filter_zeros",
    "flat_divide",
    "flat_product",
    "flatten",
    "get",
    "group",
    "is_composable",
    "logical_divide",
    "logical_product",
    "partition_A",
    "partition_B",
    "partition_C",
    "partition_D",
    "partition_S",
    "prepend",
    "raked_product",
    "replace",
    "retile",
    "select",
    "slice",
    "sort",
    "take",
    "thrfrg_A",
    "thrfrg_B",
    "thrfrg_C",
    "tidfrg_D",
    "tidfrg_S",
    "tile_to_shape",
    "tiled_divide",
    "tiled_product",
    "unflatten",
    "zipped_divide",
    "zipped_product",
];

/// Whose results are of the offsets: [`of_offsets`] says what they are.
const OF_OFFSETS: &[&str] = &[
    "bit_matrix",
    "bit_rank",
    "common_layout",
    "common_vector",
    "cosize",
    "downcast",
    "fits",
    "footprint",
    "inverse",
    "is_bijective",
    "is_compact",
    "is_contiguous",
    "is_disjoint",
    "is_increasing",
    "is_injective",
    "is_surjective",
    "is_vector",
    "left_inverse",
    "max",
    "max_vector",
    "min",
    "nullspace",
    "right_inverse",
    "span",
    "to_layout",
    "to_swizzle",
    "to_xor",
];

/// A layout with an offset that is not 0, or a swizzle behind one.
fn displaced(source: &mut Source, value: Value) -> Value {
    let Some(layout) = value.domain().cloned() else { return value };
    let offset = match codomain(&layout) {
        Codomain::Integer | Codomain::Xor if source.rng.once_in(2) => {
            let bits = source.rng.range(0, 3);
            let shift = (bits + source.rng.range(0, 1)) * source.rng.choose(&[1, 1, -1]);
            let swizzle = Swizzle { bits, base: source.rng.range(0, 2), shift };
            return Value::Swizzled(swizzle, source.rng.range(1, 20), layout);
        }
        // An offset before XOR strides may be below 0.
        Codomain::Xor => Offset::xor(source.rng.range(1, 20) * source.rng.choose(&[1, 1, -1])),
        Codomain::Coordinate => {
            let path = source.rng.choose(&paths(&layout));
            Offset::steps(&Step::new(Rational::int(1), Unit::Basis(path)), source.rng.range(1, 9)).unwrap()
        }
        Codomain::Rational => Offset::Number(Rational::new(source.rng.range(1, 20), 6)),
        _ => Offset::int(source.rng.choose(&[-9, -4, -1, 1, 2, 3, 4, 5, 7, 8, 12, 16])),
    };
    Value::View(offset, layout)
}

#[test]
fn functions_of_values_with_offsets() {
    let mut session = Session::new();
    let (mut taken, mut asked) = (BTreeSet::new(), 0);
    let mut failures: Vec<String> = Vec::new();
    for row in FAMILIES.iter().flat_map(|rows| rows.iter()) {
        let mut seeds = Random::named(row.name);
        for _ in 0..scaled(1000) {
            let mut source = Source { rng: Random::new(seeds.next()), list: None };
            let mut own = case(row, &mut source);
            let only = source.rng.range(0, 2) as usize;
            let many = own.arguments.len() > 1 && only < own.arguments.len();
            for (index, argument) in own.arguments.iter_mut().enumerate() {
                if matches!(argument, Value::Layout(_) | Value::View(..) | Value::Swizzled(..))
                    && (!many || index == only)
                {
                    *argument = displaced(&mut source, argument.clone());
                }
            }
            let is_displaced = |value: &Value| matches!(value, Value::View(..) | Value::Swizzled(..));
            if !own.arguments.iter().any(is_displaced) || !own.arguments.iter().all(is_value) {
                continue;
            }
            asked += 1;
            let answer = ask(&own, &mut session);
            if answer.is_ok() {
                taken.insert(row.name);
            }
            if let Err(expected) = judge(&own, &answer, &mut session) {
                failures
                    .push(format!("tilework eval '{}'   found {answer:?}   expected {expected}", own.text()));
                break;
            }
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    assert!(asked > 1000);
    // What takes such values has an oracle here, but for what does not ask for offsets.
    let here: BTreeSet<&str> = OF_COORDINATES.iter().chain(OF_OFFSETS).copied().collect();
    let shapes =
        ["congruent", "weakly_congruent", "compatible", "equivalent", "image", "evaluate", "contiguity"];
    let of_shapes =
        ["size", "rank", "depth", "shape", "stride", "crd2idx", "crd2crd", "idx2crd", "in_bounds"];
    let more = [
        "dice",
        "mode_sizes",
        "prefix_product",
        "upcast",
        "recast",
        // Of the layouts below the swizzles, and of these.
        "max_common_layout",
        "max_common_vector",
    ];
    // Their family is of tensors, and has oracles of the offsets.
    let tensors = [
        "compact_like",
        "fragment_like",
        "local_partition",
        "local_tile",
        "make_fragment",
        "make_tensor",
        "to_view",
    ];
    let elsewhere: BTreeSet<&str> =
        shapes.iter().chain(&of_shapes).chain(&more).chain(&tensors).copied().collect();
    let without: Vec<&&str> =
        taken.iter().filter(|name| !here.contains(**name) && !elsewhere.contains(**name)).collect();
    assert!(without.is_empty(), "these take values with offsets, and have no oracle for them: {without:?}");
}

fn judge(case: &Case, answer: &Result<String, &'static str>, session: &mut Session) -> Result<(), String> {
    let found = match answer {
        Ok(text) => Some(read(text)?),
        // What is not taken, and what takes too long.
        Err("kind" | "undecided") => return Ok(()),
        // A coordinate keeps its profile, and beside it there are strides of another one.
        Err("incongruent") if matches!(case.function, "append" | "prepend" | "replace") => return Ok(()),
        Err(_) => None,
    };
    match case.function {
        name if OF_COORDINATES.contains(&name) => of_coordinates(case, found.as_ref(), session),
        // A part of the layout is asked about by the oracle of the family.
        "cosize" if !case.indices.is_empty() => Ok(()),
        "footprint" if case.arguments.len() > 1 => Ok(()),
        name if OF_OFFSETS.contains(&name) => match &found {
            Some(found) => of_offsets(case, found),
            None => Ok(()),
        },
        _ => Ok(()),
    }
}

/// The offsets are those that the value has where its layout has those of the same call for the layout alone.
fn of_coordinates(case: &Case, found: Option<&Value>, session: &mut Session) -> Result<(), String> {
    let mut plain = case.clone();
    for argument in &mut plain.arguments {
        if let Some(layout) = argument.domain() {
            *argument = Value::Layout(layout.clone());
        }
    }
    let below = match ask(&plain, session) {
        Ok(text) => read(&text)?,
        Err("undecided") => return Ok(()),
        Err(_) => return found.map_or(Ok(()), |_| Err(format!("a refusal, as of {}", plain.text()))),
    };
    if let (Value::Truth(truth), Some(Value::Truth(found))) = (&below, found) {
        // A composition with the layout alone may add in another way.
        return if truth == found || *truth { Ok(()) } else { Err(truth.to_string()) };
    }
    let value = case
        .arguments
        .iter()
        .find(|argument| matches!(argument, Value::View(..) | Value::Swizzled(..)))
        .unwrap();
    // Numbers and bits are one before a swizzle and behind an offset: they are added as the value adds.
    let own = value.domain().unwrap();
    let idle = own.leaves().iter().all(|leaf| leaf.step.is_zero());
    let single = own.leaves().iter().all(|leaf| leaf.extent == 1);
    let replaced = case.function == "replace" && own.leaves().len() == 1;
    // What does not move, or is replaced as a whole, is of the codomain of what is put beside it.
    let still = idle || single || replaced;
    let value = match below.domain().filter(|_| still) {
        Some(layout) => &value.with_domain(layout.clone()),
        None => value,
    };
    let xor = codomain(value.domain().unwrap()) == Codomain::Xor;
    let inner = match &below {
        Value::View(offset, layout) => {
            table(layout).iter().map(|own| offset.plus(own)).collect::<Option<Vec<Offset>>>()
        }
        below => below.domain().map(table),
    };
    let inner = inner.ok_or("a layout")?;
    let as_added = |offset: &Offset| match (xor, offset.integer()) {
        (true, Some(number)) => Offset::xor(number),
        (false, Some(number)) => Offset::int(number),
        _ => offset.clone(),
    };
    let expected: Option<Vec<Offset>> = inner.iter().map(|own| value.outer(&as_added(own))).collect();
    let Some(expected) = expected else {
        // Nothing is before the begin of a swizzle: the layouts are compared.
        let same = |found: &Value| match (found, value) {
            (Value::Swizzled(a, i, layout), Value::Swizzled(b, j, _)) => {
                let moved = |at: &Offset, by: i128| Some(at.integer()? + by);
                a == b
                    && table(layout).iter().map(|at| moved(at, *i)).eq(inner.iter().map(|at| moved(at, *j)))
            }
            _ => false,
        };
        return if found.is_none_or(same) { Ok(()) } else { Err(format!("the offsets {inner:?}")) };
    };
    match found {
        Some(found) => {
            let image = found.image().ok_or("offsets")?;
            let same = image.len() == expected.len() && image.iter().zip(&expected).all(|(a, b)| a.same(b));
            if same { Ok(()) } else { Err(format!("the offsets {expected:?}")) }
        }
        // A mode of one element moves behind its extent, and is then added as the value adds.
        None if single && !idle => Ok(()),
        None => {
            // Refused only where it is not a layout that adds as the value does.
            let first = as_added(&inner[0]);
            let moved = |own: &Offset| match (as_added(own), first.integer()) {
                (Offset::Xor(bits), Some(first)) => Some(Offset::xor(bits ^ first)),
                (own, Some(first)) if !xor => own.plus(&Offset::int(-first)),
                (own, Some(first)) => Some(Offset::xor(own.integer()? ^ first)),
                (own, None) => Some(own),
            };
            let moved: Option<Vec<Offset>> = inner.iter().map(moved).collect();
            let below = below.domain().map(shape).unwrap();
            match moved.and_then(|values| refinement(&below, &values)) {
                Some(layout) if is_value(&value.with_domain(layout.clone())) => {
                    Err(format!("an offset before {}", layout_text(&layout)))
                }
                _ => Ok(()),
            }
        }
    }
}

/// What a function says about the offsets is so.
fn of_offsets(case: &Case, found: &Value) -> Result<(), String> {
    let images: Option<Vec<Vec<i128>>> = case
        .arguments
        .iter()
        .filter(|argument| argument.domain().is_some())
        .map(|argument| argument.image()?.iter().map(Offset::integer).collect())
        .collect();
    let wrong = || Err(format!("what holds of {images:?}"));
    let Some(images) = &images else {
        // Of fractions and coordinates, and where a swizzle has no offsets, only the layout is spoken of.
        return match case.function {
            "is_injective" | "is_disjoint" | "footprint" | "to_swizzle" | "downcast" => Ok(()),
            "is_surjective" | "is_bijective" | "is_compact" | "is_contiguous" | "is_increasing" => Ok(()),
            _ => wrong(),
        };
    };
    let own = &images[0];
    let (low, high) = (*own.iter().min().unwrap(), *own.iter().max().unwrap());
    let distinct: BTreeSet<i128> = own.iter().copied().collect();
    let indices = |layout: &Layout| -> Option<Vec<usize>> {
        table(layout).iter().map(|index| usize::try_from(index.integer()?).ok()).collect()
    };
    let onto = low >= 0 && distinct.len() as i128 == high + 1;
    let once = distinct.len() == own.len();
    let right = match (case.function, found) {
        ("min", found) => *found == Value::int(low),
        ("max", found) => *found == Value::int(high),
        ("cosize", found) => *found == Value::int(high + 1),
        ("span", found) => *found == Value::int(high - low + 1),
        ("fits", found) => {
            let bits = case.arguments[1].as_int().unwrap();
            *found == Value::Truth(low >= -(1 << bits) && high < 1 << bits)
        }
        // Of a swizzle `false` and smaller widths say that its base is not enough.
        ("is_vector", Value::Truth(found)) => {
            let width = case.arguments[1].as_int().unwrap() as usize;
            let swizzled = matches!(case.arguments[0], Value::Swizzled(..));
            swizzled && !found || *found == vectors(own, width)
        }
        ("max_vector", found) => found.as_int().is_some_and(|width| vectors(own, width as usize)),
        ("footprint", found) => *found == Value::int(distinct.len() as i128),
        ("is_injective", found) => *found == Value::Truth(once),
        ("is_disjoint", found) => {
            *found == Value::Truth(!images[1].iter().any(|offset| distinct.contains(offset)))
        }
        ("is_surjective", found) => *found == Value::Truth(onto),
        ("is_bijective" | "is_compact", found) => *found == Value::Truth(onto && once),
        ("is_contiguous", found) => *found == Value::Truth((0..).zip(own).all(|(index, own)| index == *own)),
        ("is_increasing", found) => *found == Value::Truth(own.windows(2).all(|pair| pair[0] < pair[1])),
        ("to_layout" | "to_xor" | "to_swizzle", found) => found.image().is_some_and(|image| {
            image.iter().map(Offset::integer).eq(own.iter().map(|offset| Some(*offset)))
        }),
        ("bit_matrix" | "bit_rank", _) => own[0] == 0,
        ("downcast", found) => {
            let parts = case.indices[0];
            let wide: BTreeSet<i128> = own.iter().flat_map(|own| own * parts..(own + 1) * parts).collect();
            let image = found.image();
            image.is_some_and(|image| {
                image.iter().filter_map(Offset::integer).collect::<BTreeSet<i128>>() == wide
            })
        }
        ("nullspace", Value::Layout(kernel)) => {
            let mut zeros = indices(kernel).ok_or("indices")?;
            zeros.sort_unstable();
            zeros.into_iter().eq((0..own.len()).filter(|index| own[*index] == 0))
        }
        ("right_inverse" | "common_layout", Value::Layout(_) | Value::View(..)) => {
            let places = found.image().ok_or("an image")?;
            let places: Option<Vec<usize>> =
                places.iter().map(|place| usize::try_from(place.integer()?).ok()).collect();
            let places = places.ok_or("indices")?;
            (0..).zip(places).all(|(offset, index)| images.iter().all(|own| own.get(index) == Some(&offset)))
        }
        ("common_vector", found) => {
            let together = |count: i128| {
                (0..count).all(|offset| {
                    (0..own.len()).any(|index| images.iter().all(|own| own.get(index) == Some(&offset)))
                })
            };
            // A value without the offset 0 has nothing in common.
            found.as_int().is_some_and(|count| count >= 0 && together(count))
        }
        ("left_inverse" | "inverse", Value::Layout(left) | Value::View(_, left)) => {
            own.iter().all(|offset| {
                let start = if let Value::View(start, _) = found { start.integer() } else { Some(0) };
                let back =
                    at_offset(left, &Offset::int(*offset)).and_then(|index| Some(index.integer()? + start?));
                let back = back.and_then(|index| usize::try_from(index).ok());
                back.and_then(|index| own.get(index)) == Some(offset)
            })
        }
        _ => false,
    };
    if right { Ok(()) } else { wrong() }
}

/// `Sw_ptr[bits](address) o L`, by the bytes that are addressed.
#[test]
fn tensors_at_an_address() {
    let mut session = Session::new();
    let mut seeds = Random::named("tensors at an address");
    for _ in 0..scaled(20_000) {
        let mut source = Source { rng: Random::new(seeds.next()), list: None };
        let layout = source.layout(Codomain::Integer);
        let bytes = source.rng.choose(&[1, 2, 4]);
        let bits = source.rng.range(1, 3);
        let base = source.rng.range(2, 4);
        let swizzle = Swizzle { bits, base, shift: bits + source.rng.range(0, 1) };
        let address = source.rng.range(0, 600) * bytes;
        if table(&layout).iter().any(|offset| offset.integer().unwrap() < 0) {
            continue;
        }
        // What the swizzle leaves in place repeats after this many bytes.
        let period = 1 << (base + swizzle.shift + bits);
        let begin = address / period * period;
        let expected: Vec<i128> = table(&layout)
            .iter()
            .map(|offset| {
                let byte = swizzle.apply(address + offset.integer().unwrap() * bytes).unwrap() - begin;
                assert_eq!(byte % bytes, 0);
                byte / bytes
            })
            .collect();
        let Swizzle { bits, base, shift } = swizzle;
        let tensor = format!(
            "Sw<{bits},{base},{shift}>_smem_ptr[{}b](0x{address:x}) o {}",
            8 * bytes,
            layout_text(&layout)
        );
        for around in ["", "coalesce", "flatten"] {
            let text = format!("image({around}({tensor}))");
            let found = session.evaluate(&text).map(ToString::to_string).map_err(|error| error.code);
            let same = found.as_ref().is_ok_and(|found| {
                let numbers = read(found).ok().and_then(|value| value.as_ints());
                numbers.is_some_and(|numbers| numbers.leaves().into_iter().copied().eq(expected.clone()))
            });
            assert!(same, "tilework eval '{text}'\nfound {found:?}\nexpected {expected:?}");
        }
    }
}
