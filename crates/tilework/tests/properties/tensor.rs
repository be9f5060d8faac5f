//! Tensors: every way to an element against plain evaluation, and what is refused.

use crate::oracle::{Axes, Axis, Nest, Step, at, number_at};
use crate::random::{self, Case, Random, check};
use tilework::{
    AnyLayout, Composed, Coord, Counting, CountingCoord, Error, HTuple, HasLayout, Layout, Pattern,
    PatternLeaf, Shape, Swizzle, Tensor, Tiler, tiler,
};

/// Integer strides of any kind, or XOR strides.
fn layout(rng: &mut Random) -> Nest {
    if !rng.once_in(4) {
        return random::layout(rng, 5, 400);
    }
    let leaves: Vec<Nest> = random::extents(rng, 4, 8, 400)
        .into_iter()
        .map(|s| {
            let stride = if rng.once_in(5) { 0 } else { rng.range(1, 40) };
            Nest::Leaf(s, Step::xor(stride))
        })
        .collect();
    random::nest(rng, &leaves)
}

/// A layout, a start offset, a number of elements that is about enough, and a seed for what else is needed.
fn generate(rng: &mut Random) -> Case {
    let nest = layout(rng);
    let all: Vec<i128> = (0..nest.size()).map(|x| number_at(&nest, x)).collect();
    let (low, high) = (*all.iter().min().unwrap(), *all.iter().max().unwrap());
    let start = if rng.once_in(3) { 0 } else { rng.range(0, 40) } - low.min(0);
    let length = (start + high + 1 + rng.range(-3, 30)).max(0);
    Case { layouts: vec![nest], numbers: vec![start, length, rng.next() as i64 as i128] }
}

fn is_xor(nest: &Nest) -> bool {
    nest.leaves().iter().any(|(_, step)| step.unit == Axis::Xor)
}

/// The offsets of a tensor in colexicographic order.
fn offsets(nest: &Nest, start: i128) -> Vec<i128> {
    let sum = |x| if is_xor(nest) { start ^ number_at(nest, x) } else { start + number_at(nest, x) };
    (0..nest.size()).map(sum).collect()
}

fn size(nest: &Nest, index: usize) -> i64 {
    nest.mode(index).size() as i64
}

fn coord(rng: &mut Random, nest: &Nest, rest: &mut i64) -> Coord {
    if let (Nest::Tuple(modes), false) = (nest, rng.once_in(4)) {
        let parts: Vec<Coord> = modes.iter().map(|mode| coord(rng, mode, rest)).collect();
        return HTuple::tuple(&parts).unwrap_or(HTuple::empty(0));
    }
    let size = nest.size() as i64;
    let index = *rest % size;
    *rest /= size;
    HTuple::leaf(index)
}

/// Every way to read a tensor gives `expected`, in colexicographic order.
fn postcondition_elements<L: HasLayout>(
    tensor: &Tensor<&[i64], L>,
    nest: &Nest,
    expected: &[i64],
    rng: &mut Random,
) -> Result<(), String> {
    if tensor.iter().ne(expected.iter().copied()) {
        return Err(format!(
            "{tensor:?} iterates over {:?}, not {expected:?}",
            tensor.iter().collect::<Vec<_>>()
        ));
    }
    let shape = tensor.shape();
    for ((x, &element), (natural, found)) in expected.iter().enumerate().zip(tensor.entries()) {
        let x = x as i64;
        let (mut rest, any) = (x, coord(rng, nest, &mut { x }));
        if found != element || shape.idx2crd(&HTuple::leaf(x)) != Ok(natural) {
            return Err(format!("entry {x} is {natural} {found}"));
        }
        let mut mode = |i: usize| {
            let index = rest % size(nest, i);
            rest /= size(nest, i);
            index
        };
        let by_mode = match nest.rank() {
            1 => tensor.at([mode(0)]),
            2 => tensor.at([mode(0), mode(1)]),
            3 => tensor.at([mode(0), mode(1), mode(2)]),
            4 => tensor.at([mode(0), mode(1), mode(2), mode(3)]),
            _ => tensor.at(x),
        };
        if [tensor.at(x), tensor.at(natural), tensor.at(any), by_mode] != [element; 4]
            || tensor.get(x) != Some(element)
            || tensor.try_at(any) != Ok(element)
        {
            return Err(format!("{tensor:?} at {x}, {natural}, {any}"));
        }
    }
    let end = expected.len() as i64;
    for outside in [-1, end, i64::MAX, i64::MIN] {
        if tensor.try_at(outside) != Err(Error::OutOfBounds { leaf: 0, index: outside, size: end }) {
            return Err(format!("{outside} is not refused"));
        }
    }
    let mut beyond = shape.mode_sizes().unwrap();
    if let (false, Some(last)) = (beyond.is_leaf(), nest.rank().checked_sub(1)) {
        let sizes: Vec<i64> =
            beyond.leaves().iter().enumerate().map(|(i, s)| s * i64::from(i == last)).collect();
        beyond = HTuple::with_profile(beyond.profile(), &sizes, 0).unwrap();
        let error = Error::OutOfBounds { leaf: last, index: sizes[last], size: sizes[last] };
        if tensor.get(beyond).is_some() || tensor.try_at(beyond) != Err(error) {
            return Err(format!("{beyond} is not refused"));
        }
    }
    Ok(())
}

#[test]
fn a_tensor_is_the_accessor_after_the_layout() {
    let (mut found, mut refused) = (0, 0);
    check("tensor", 10_000, generate, |case| {
        let (nest, [start, length, seed]) = (&case.layouts[0], case.numbers[..3].try_into().unwrap());
        let (Some(layout), true) = (nest.layout(), start >= 0 && length >= 0) else { return Ok(()) };
        let all = offsets(nest, start);
        let (min, max) = (*all.iter().min().unwrap() as i64, *all.iter().max().unwrap() as i64);
        let mut data: Vec<i64> = (0..length as i64).map(|i| 7 * i + 1).collect();
        let result = Tensor::with_offset(&data[..], start as i64, layout);
        let inside = min >= 0 && max < length as i64;
        let tensor = match result {
            Ok(tensor) if inside => tensor,
            Err(Error::Image { min: low, max: high, start: 0, end })
                if !inside && (low, high, end) == (min, max, length as i64) =>
            {
                refused += 1;
                return Ok(());
            }
            other => return Err(format!("{other:?}; the offsets go from {min} to {max}")),
        };
        found += 1;
        let expected: Vec<i64> = all.iter().map(|&offset| data[offset as usize]).collect();
        let mut rng = Random::new(seed as u64);
        postcondition_elements(&tensor, nest, &expected, &mut rng)?;

        // Writing: through the last coordinate of each offset, and nothing else changes.
        let mut truth = data.clone();
        all.iter().enumerate().for_each(|(x, &offset)| truth[offset as usize] = -(x as i64));
        let mut tensor = Tensor::with_offset(&mut data[..], start as i64, layout).unwrap();
        for x in 0..all.len() as i64 {
            if rng.once_in(2) {
                tensor.set(x, -x);
            } else {
                tensor.try_set(coord(&mut rng, nest, &mut { x }), -x).unwrap();
            }
        }
        if tensor.try_set(nest.size() as i64, 1).is_ok() || data != truth {
            return Err("writing".into());
        }
        all.iter().for_each(|&offset| truth[offset as usize] = 3);
        Tensor::with_offset(&mut data[..], start as i64, layout).unwrap().fill(3);
        if data == truth { Ok(()) } else { Err("fill".into()) }
    });
    assert!(found > refused && refused > 0, "{found} {refused}");
}

/// A pattern on a nest, and what it fixes each leaf at.
fn pattern(rng: &mut Random, nest: &Nest, fixed: &mut Vec<Option<i128>>) -> Pattern {
    let leaves = nest.leaves();
    match nest {
        Nest::Tuple(modes) if !modes.is_empty() && !rng.once_in(4) => {
            let parts: Vec<Pattern> = modes.iter().map(|mode| pattern(rng, mode, fixed)).collect();
            HTuple::tuple(&parts).unwrap()
        }
        _ if rng.once_in(2) => {
            fixed.extend(leaves.iter().map(|_| None));
            HTuple::leaf(PatternLeaf::All)
        }
        _ => {
            let index = rng.range(0, nest.size() - 1);
            let mut rest = index;
            fixed.extend(leaves.iter().map(|(s, _)| {
                let digit = rest % s;
                rest /= s;
                Some(digit)
            }));
            HTuple::leaf(PatternLeaf::At(index as i64))
        }
    }
}

/// The integral coordinates that a pattern leaves.
fn left_open(nest: &Nest, fixed: &[Option<i128>]) -> Vec<i128> {
    let (mut all, mut weight) = (vec![0], 1);
    for ((s, _), fixed) in nest.leaves().iter().zip(fixed) {
        all = match fixed {
            Some(digit) => all.into_iter().map(|x| x + digit * weight).collect(),
            None => (0..*s).flat_map(|digit| all.iter().map(move |x| x + digit * weight)).collect(),
        };
        weight *= s;
    }
    all
}

#[test]
fn a_slice_is_what_the_pattern_leaves_open() {
    check("tensor slices", 10_000, generate, |case| {
        let (nest, [start, _, seed]) = (&case.layouts[0], case.numbers[..3].try_into().unwrap());
        let (Some(layout), true) = (nest.layout(), start >= 0) else { return Ok(()) };
        let all = offsets(nest, start);
        if *all.iter().min().unwrap() < 0 {
            return Ok(());
        }
        let data: Vec<i64> = (0..=*all.iter().max().unwrap() as i64).map(|i| 7 * i + 1).collect();
        let tensor = Tensor::with_offset(&data[..], start as i64, layout).unwrap();
        let mut rng = Random::new(seed as u64);
        let mut fixed = Vec::new();
        let pattern = pattern(&mut rng, nest, &mut fixed);
        let open = left_open(nest, &fixed);
        let slice = tensor.slice(pattern).map_err(|error| error.to_string())?;
        let expected: Vec<i64> = open.iter().map(|&x| data[all[x as usize] as usize]).collect();
        postcondition_elements(&slice, &Nest::of(slice.layout()), &expected, &mut rng)
            .map_err(|error| format!("{pattern}: {error}"))?;
        postcondition_any_layout(&tensor, &pattern)
    });
}

/// `Sw<bits,base,shift>`, where the fields do not overlap.
fn swizzle(rng: &mut Random) -> Swizzle {
    loop {
        let (bits, base) = (rng.range(0, 3) as i64, rng.range(0, 3) as i64);
        if let Ok(swizzle) = Swizzle::new(bits, base, rng.range(-4, 4) as i64) {
            return swizzle;
        }
    }
}

fn swizzled(swizzle: Swizzle, x: i128) -> i128 {
    let (bits, base, shift) = (swizzle.bits(), swizzle.base(), swizzle.shift());
    let field = ((1 << bits) - 1) << (base as i32 + shift.max(0));
    if shift >= 0 { x ^ ((x & field) >> shift) } else { x ^ ((x & field) << -shift) }
}

#[test]
fn swizzled_tensors() {
    let (mut found, mut refused) = (0, 0);
    check("swizzled tensors", 10_000, generate, |case| {
        let (nest, [before, length, seed]) = (&case.layouts[0], case.numbers[..3].try_into().unwrap());
        let (Some(layout), true) = (nest.layout(), before >= 0 && length >= 0) else { return Ok(()) };
        let mut rng = Random::new(seed as u64);
        let (swizzle, start) = (swizzle(&mut rng), rng.range(0, 5));
        // The offset is added as those of the layout are.
        let plus = |x: i128| if is_xor(nest) { before ^ x } else { before + x };
        let inner: Vec<i128> = (0..nest.size()).map(|x| plus(number_at(nest, x))).collect();
        let composed = Composed::new(swizzle, before as i64, layout).unwrap();
        let data: Vec<i64> = (0..length as i64).map(|i| 7 * i + 1).collect();
        let (low, high) = (*inner.iter().min().unwrap(), *inner.iter().max().unwrap());
        let most = start + inner.iter().map(|&x| swizzled(swizzle, x)).max().unwrap();
        let tensor = match Tensor::with_offset(&data[..], start as i64, composed) {
            Ok(tensor) if most < length => tensor,
            Err(Error::Image { max, .. }) if most >= length && max as i128 == most => {
                refused += 1;
                return Ok(());
            }
            other => return Err(format!("{other:?}; the offsets before go from {low} to {high}")),
        };
        found += 1;
        let element = |x: i128| data[(start + swizzled(swizzle, inner[x as usize])) as usize];
        let expected: Vec<i64> = (0..nest.size()).map(element).collect();
        postcondition_elements(&tensor, nest, &expected, &mut rng)?;

        let mut fixed = Vec::new();
        let pattern = pattern(&mut rng, nest, &mut fixed);
        let expected: Vec<i64> = left_open(nest, &fixed).into_iter().map(element).collect();
        let slice = tensor.slice(pattern).map_err(|error| error.to_string())?;
        postcondition_elements(&slice, &Nest::of(slice.layout().layout()), &expected, &mut rng)?;
        postcondition_any_layout(&tensor, &pattern)
    });
    assert!(found > refused && refused > 0, "{found} {refused}");
}

/// The same tensor with its layout as an [`AnyLayout`] reads, prints, slices and changes as it does.
fn postcondition_any_layout<L: HasLayout>(
    tensor: &Tensor<&[i64], L>,
    pattern: &Pattern,
) -> Result<(), String> {
    fn agree<L: HasLayout>(any: &Tensor<&[i64], AnyLayout>, own: &Tensor<&[i64], L>) -> Result<(), String> {
        let texts = [format!("{any:?}"), format!("{own:?}")];
        let size = own.size();
        let same = texts[0] == texts[1]
            && any.layout().to_string() == own.layout().to_value().to_string()
            && any.layout().layout() == own.layout().as_layout()
            && any.size() == size
            && any.iter().eq(own.iter())
            && (0..size).all(|x| any.try_at(x) == own.try_at(x))
            && any.try_at(size) == own.try_at(size);
        if same { Ok(()) } else { Err(format!("{texts:?}")) }
    }
    let any = tensor.with_layout(tensor.layout().to_any()).map_err(|error| error.to_string())?;
    agree(&any, tensor)?;
    if tensor.offset() == 0 {
        for x in 0..tensor.size() {
            let offset = any.layout().evaluate(&HTuple::leaf(x)).map_err(|error| error.to_string())?;
            if tensor.accessor()[offset.leaves()[0].numerator() as usize] != tensor.at(x) {
                return Err(format!("{any:?} evaluates to {offset} at {x}"));
            }
        }
    }
    match (any.slice(*pattern), tensor.slice(*pattern)) {
        (Ok(any), Ok(own)) => agree(&any, &own)?,
        (Err(error), Err(own)) if error == own => {}
        (any, own) => return Err(format!("{any:?}, not {own:?}")),
    }
    match (any.zipped_divide(&tiler!(2:1)), tensor.zipped_divide(&tiler!(2:1))) {
        (Ok(any), Ok(own)) => agree(&any, &own),
        (Err(error), Err(own)) if error == own => Ok(()),
        (any, own) => Err(format!("{any:?}, not {own:?}")),
    }
}

#[test]
fn tensors_of_coordinates() {
    let paths = [vec![0], vec![1, 0], vec![1, 1], vec![2]];
    let generate = |rng: &mut Random| {
        let nest = random::coordinate_layout(rng, &paths, 4, 200, 9);
        Case { layouts: vec![nest], numbers: vec![rng.next() as i64 as i128] }
    };
    check("tensors of coordinates", 5_000, generate, |case| {
        let nest = &case.layouts[0];
        let Some(layout) = nest.layout() else { return Ok(()) };
        let mut rng = Random::new(case.numbers[0] as u64);
        let start: Coord = "(5,(-7,11),100)".parse().unwrap();
        let tensor = Tensor::with_offset(CountingCoord, start, layout).map_err(|error| error.to_string())?;
        let axes = Axes::of(&[nest]);
        let flat = axes.flat(nest);
        let place = |x: i128| {
            let mut expected = [5, -7, 11, 100];
            for (path, count) in axes.0.iter().zip(at(&flat, x)) {
                expected[paths.iter().position(|p| p == path).unwrap()] += count as i64;
            }
            expected
        };
        let mut fixed = Vec::new();
        let pattern = pattern(&mut rng, nest, &mut fixed);
        let open = left_open(nest, &fixed);
        let slice = tensor.slice(pattern).map_err(|error| error.to_string())?;
        for (x, (y, element)) in slice.iter().enumerate().map(|(i, element)| (open[i], (i as i64, element))) {
            let all = [
                element,
                slice.at(y),
                tensor.at(x as i64),
                tensor.get(coord(&mut rng, nest, &mut { x as i64 })).unwrap(),
            ];
            if all.iter().any(|found| found.leaves() != place(x)) {
                return Err(format!("{pattern} at {x}: {all:?}, not {:?}", place(x)));
            }
        }
        Ok(())
    });
}

/// An operation that a tensor shares with its layout.
type Operation = (
    &'static str,
    fn(Tensor<Counting>, &Layout) -> Result<Tensor<Counting>, Error>,
    fn(&Layout, &Layout) -> Result<Layout, Error>,
);

const OPERATIONS: [Operation; 14] = [
    ("composition", |t, b| t.composition(b), |a, b| a.composition(b)),
    ("composition_by_mode", |t, b| t.composition_by_mode(&b.as_tiler()), |a, b| a.composition(b)),
    ("logical_divide", |t, b| t.logical_divide(&b.as_tiler()), |a, b| a.logical_divide(&b.as_tiler())),
    ("zipped_divide", |t, b| t.zipped_divide(&b.as_tiler()), |a, b| a.zipped_divide(&b.as_tiler())),
    ("tiled_divide", |t, b| t.tiled_divide(&b.as_tiler()), |a, b| a.tiled_divide(&b.as_tiler())),
    ("flat_divide", |t, b| t.flat_divide(&b.as_tiler()), |a, b| a.flat_divide(&b.as_tiler())),
    ("logical_product", |t, b| t.logical_product(&b.as_tiler()), |a, b| a.logical_product(&b.as_tiler())),
    ("zipped_product", |t, b| t.zipped_product(&b.as_tiler()), |a, b| a.zipped_product(&b.as_tiler())),
    ("blocked_product", |t, b| t.blocked_product(b), |a, b| a.blocked_product(b)),
    ("raked_product", |t, b| t.raked_product(b), |a, b| a.raked_product(b)),
    ("coalesce", |t, _| t.coalesce(), |a, _| Ok(a.coalesce())),
    ("flatten", |t, _| t.flatten(), |a, _| Ok(a.flatten())),
    ("group", |t, _| t.group(0, 1), |a, _| a.group(0, 1)),
    ("select", |t, _| t.select(&[0, 0]), |a, _| a.select(&[0, 0])),
];

#[test]
fn operations_are_those_of_the_layout_and_stay_in_the_accessor() {
    let mut counts = [[0; 3]; OPERATIONS.len()];
    let generate = |rng: &mut Random| {
        let kind = *rng.pick(&random::PAIRS);
        let mut case = random::pair(rng, kind);
        case.numbers.push(rng.range(0, 99));
        case
    };
    check("tensor operations", 10_000, generate, |case| {
        let (Some(a), Some(b)) = (case.layouts[0].layout(), case.layouts[1].layout()) else { return Ok(()) };
        for ((name, on_tensor, on_layout), count) in OPERATIONS.iter().zip(&mut counts) {
            let expected = on_layout(&a, &b);
            let tensor = Tensor::with_offset(Counting, case.numbers[0] as i64, a).unwrap();
            let result = match (on_tensor(tensor, &b), expected) {
                (Ok(result), Ok(layout))
                    if result.offset() == tensor.offset() && *result.layout() == layout =>
                {
                    layout
                }
                (Err(error), Err(expected)) if error == expected => {
                    count[1] += 1;
                    continue;
                }
                (result, expected) => return Err(format!("{name}: {result:?}, of the layout {expected:?}")),
            };
            count[0] += 1;
            // With no more memory than the tensor has offsets, the result has to stay within them.
            let (low, high) = (a.min_offset().unwrap(), a.max_offset().unwrap());
            let memory = vec![(); (high - low + 1) as usize];
            let tight = Tensor::with_offset(&memory[..], -low, a).unwrap();
            let changed = tight.map_layout(|layout| on_layout(layout, &b));
            let inside = result.min_offset().unwrap() >= low && result.max_offset().unwrap() <= high;
            match changed {
                Ok(_) if inside => {}
                Err(Error::Image { .. }) if !inside => count[2] += 1,
                other => return Err(format!("{name} in tight memory: {other:?}")),
            }
        }
        Ok(())
    });
    for ((name, ..), [found, refused, outside]) in OPERATIONS.iter().zip(counts) {
        println!("{name}: {found} found, of them {outside} outside of tight memory; {refused} refused");
        assert!(found > 0);
    }
}

#[test]
fn ragged_tiles_cover_a_matrix_once() {
    let generate = |rng: &mut Random| {
        let numbers = [20, 20, 9, 9].map(|most| rng.range(1, most));
        Case { layouts: vec![], numbers: numbers.to_vec() }
    };
    check("ragged tiles", 1_000, generate, |case| {
        let [m, n, tile_m, tile_n] = case.numbers[..] else { unreachable!() };
        if case.numbers.iter().any(|&number| number < 1) {
            return Ok(());
        }
        let error = |error: Error| error.to_string();
        let from: Vec<i128> = (0..m * n).collect();
        let (mut to, mut times) = (vec![-1; from.len()], vec![0; from.len()]);
        let shape: Shape = format!("({m},{n})").parse().unwrap();
        let tiler: Tiler = format!("<{tile_m},{tile_n}>").parse().unwrap();
        let columns = Tensor::new(&from[..], Layout::column_major(&shape).unwrap()).map_err(error)?;
        let rows = Tensor::new(&mut to[..], Layout::row_major(&shape).unwrap()).map_err(error)?;
        let source = columns.predicated().and_then(|all| all.zipped_divide(&tiler)).map_err(error)?;
        let mut target = rows.predicated().and_then(|all| all.zipped_divide(&tiler)).map_err(error)?;
        for rest in 0..source.layout().mode(1).unwrap().size() {
            let from = source.slice((.., rest)).map_err(error)?;
            let mut to = target.view_mut().slice((.., rest)).map_err(error)?;
            if from.size() as i128 != tile_m * tile_n {
                return Err(format!("{from:?} is not a tile"));
            }
            for c in 0..from.size() {
                from.at(c).into_iter().for_each(|element| times[element as usize] += 1);
                to.set(c, from.at(c));
            }
        }
        let truth: Vec<i128> = (0..m * n).map(|c| c / n + m * (c % n)).collect();
        if times.iter().all(|&count| count == 1) && to == truth { Ok(()) } else { Err(format!("{to:?}")) }
    });
}

#[test]
fn tiles_and_partitions() {
    let generate = |rng: &mut Random| {
        let numbers = [4, 4, 3, 3].map(|most| rng.range(1, most));
        Case { layouts: vec![], numbers: [&numbers[..], &[rng.next() as i64 as i128]].concat() }
    };
    check("tiles and partitions", 2_000, generate, |case| {
        let numbers: Vec<i64> = case.numbers[..4].iter().map(|&number| number.max(1) as i64).collect();
        let [tile_m, tile_n, rest_m, rest_n] = numbers[..] else { unreachable!() };
        let mut rng = Random::new(case.numbers[4] as u64);
        let mut strides = [1, tile_m * rest_m * 3];
        rng.shuffle(&mut strides);
        let data = Layout::of((tile_m * rest_m, tile_n * rest_n), (strides[0], strides[1])).unwrap();
        let tensor = Tensor::with_offset(Counting, 5, data).unwrap();
        let expected = |i: i64, j: i64| 5 + i * strides[0] + j * strides[1];
        let tiler: Tiler = format!("<{tile_m},{tile_n}>").parse().unwrap();
        let threads = if rng.once_in(2) { (1, tile_m) } else { (tile_n, 1) };
        let threads = Layout::of((tile_m, tile_n), threads).unwrap();
        for (r, s) in (0..rest_m).flat_map(|r| (0..rest_n).map(move |s| (r, s))) {
            let tile = tensor.local_tile(&tiler, (r, s)).map_err(|error| error.to_string())?;
            let row = tensor.local_tile(&tiler, (r, ..)).map_err(|error| error.to_string())?;
            for (i, j) in (0..tile_m).flat_map(|i| (0..tile_n).map(move |j| (i, j))) {
                let truth = expected(r * tile_m + i, s * tile_n + j);
                let thread = threads.at(i + tile_m * j);
                let mine = tensor.local_partition(&threads, thread).map_err(|error| error.to_string())?;
                if [tile.at([i, j]), row.at([i, j, s]), mine.at([r, s])] != [truth; 3] {
                    return Err(format!("({i},{j}) of tile ({r},{s}): {tile:?} {row:?} {mine:?}"));
                }
            }
        }
        match tensor.local_partition(&threads, tile_m * tile_n) {
            Err(Error::Argument { .. }) => Ok(()),
            other => Err(format!("a thread too many: {other:?}")),
        }
    });
}

#[test]
fn owned_tensors_have_room_for_their_image() {
    check("owned tensors", 5_000, generate, |case| {
        let nest = &case.layouts[0];
        let Some(layout) = nest.layout() else { return Ok(()) };
        let all = offsets(nest, 0);
        let (low, high) = (*all.iter().min().unwrap(), *all.iter().max().unwrap());
        let tensor = Tensor::from_fn(layout, |x| x).map_err(|error| error.to_string())?;
        if (tensor.accessor().len() as i128, tensor.offset() as i128) != (high - low + 1, -low) {
            return Err(format!("{tensor:?} of {} elements", tensor.accessor().len()));
        }
        let last = |offset: i128| all.iter().rposition(|&other| other == offset).unwrap() as i64;
        let expected: Vec<i64> = all.iter().map(|&offset| last(offset)).collect();
        let view = Tensor::with_offset(&tensor.accessor()[..], tensor.offset(), layout).unwrap();
        postcondition_elements(&view, nest, &expected, &mut Random::new(1))
    });
}
