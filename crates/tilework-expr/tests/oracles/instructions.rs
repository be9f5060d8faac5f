//! Instructions: what is printed, and by enumeration what the layouts of tiles are.
//!
//! What an atom's own layouts are is the matter of `tilework-hardware`, whose tests compare them with the manuals; here they are
//! taken as they print, and repeated by the definition of a tile.

use crate::cases::{Case, Source};
use crate::model::*;
use crate::oracle::*;
use crate::text::*;
use tilework_expr::Session;

/// Names with M, N, K and threads that are numbered from 0 on.
const MMA: [(&str, [i128; 3], i128); 5] = [
    ("SM61_DP4A", [1, 1, 4], 1),
    ("SM80_16x8x16_F32F16F16F32_TN", [16, 8, 16], 32),
    ("SM80_8x8x4_F64F64F64F64_TN", [8, 8, 4], 32),
    ("CDNA_32x32x8_F32F16F16_MFMA", [32, 32, 8], 64),
    ("AVX512_1x16x1_F32F32F32F32", [1, 16, 1], 16),
];

/// Names with the bits that are contiguous on both sides, and of those in which one thread moves all in order how many there are.
const COPY: [(&str, i128, Option<i128>); 4] = [
    ("SM75_U32x4_LDSM_N", 32, None),
    ("SM75_U16x8_LDSM_T", 16, None),
    ("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", 128, Some(128)),
    ("UniversalCopy<uint32_t>", 32, Some(32)),
];

pub const ROWS: &[Row] = &[
    row("atom", named, atom),
    row("tiled_mma", atom_and_atoms, tiled_mma),
    row("tiled_copy", atom_threads_values, tiled_copy),
    row("make_tiled_copy_A", atom_and_mma, |case, answer| copy_of_mma(case, answer, "a")),
    row("make_tiled_copy_B", atom_and_mma, |case, answer| copy_of_mma(case, answer, "b")),
    row("make_tiled_copy_C", atom_and_mma, |case, answer| copy_of_mma(case, answer, "c")),
    row("owner", operand_or_layout_and_element, owner),
    row("element", operand_and_value, element),
    row("get_slice", tiled_and_thread, get_slice),
    row("thrfrg_A", mma_and_data, |case, answer| by_threads(case, answer, "a")),
    row("thrfrg_B", mma_and_data, |case, answer| by_threads(case, answer, "b")),
    row("thrfrg_C", mma_and_data, |case, answer| by_threads(case, answer, "c")),
    row("tidfrg_S", copy_and_data, |case, answer| by_threads(case, answer, "src")),
    row("tidfrg_D", copy_and_data, |case, answer| by_threads(case, answer, "dst")),
    row("retile", copy_and_fragment, retile),
    row("partition_A", thread_of_mma_and_data, |case, answer| of_thread(case, answer, "a")),
    row("partition_B", thread_of_mma_and_data, |case, answer| of_thread(case, answer, "b")),
    row("partition_C", thread_of_mma_and_data, |case, answer| of_thread(case, answer, "c")),
    row("partition_S", thread_of_copy_and_data, |case, answer| of_thread(case, answer, "src")),
    row("partition_D", thread_of_copy_and_data, |case, answer| of_thread(case, answer, "dst")),
];

fn named(source: &mut Source) -> Arguments {
    let rng = &mut source.rng;
    if rng.once_in(8) {
        let none = rng.choose(&["SM80_17x8x16_F32F16F16F32_TN", "SM75_U32x3_LDSM_N", "NO_SUCH<4>"]);
        return (vec![Value::Instruction(none.into())], vec![], false);
    }
    if rng.once_in(2) {
        let name = rng.choose(&MMA).0;
        let mut arguments = vec![Value::Instruction(name.into())];
        if rng.once_in(6) {
            arguments.push(Value::int(16));
        }
        return (arguments, vec![], false);
    }
    let name = rng.choose(&COPY).0;
    let mut arguments = vec![Value::Instruction(name.into())];
    if !rng.once_in(4) {
        arguments.push(Value::int(rng.choose(&[-8, 0, 1, 2, 3, 4, 8, 16, 24, 32, 64, 128, 256])));
    }
    (arguments, vec![], false)
}

fn atom(case: &Case, answer: Answer) -> Verdict {
    let Value::Instruction(name) = &case.arguments[0] else { return must_refuse(answer) };
    let bits = case.arguments.get(1).map(|bits| bits.as_int().unwrap_or(0));
    let expected = match (COPY.iter().find(|row| row.0 == name), bits) {
        // Those of matrices count in elements of 16 bits, others in bits.
        (Some((name, _, None)), None) => Some(format!("atom({name}, 16)")),
        (Some((_, _, Some(_))), None | Some(1)) => Some(format!("atom({name})")),
        (Some((_, piece, _)), Some(bits)) if bits > 0 && piece % bits == 0 => {
            Some(format!("atom({name}, {bits})"))
        }
        (None, None) => MMA.iter().any(|row| row.0 == name).then(|| format!("atom({name})")),
        _ => None,
    };
    exactly(answer, expected.map(Value::Instruction))
}

fn atom_and_atoms(source: &mut Source) -> Arguments {
    let name = source.rng.choose(&MMA).0;
    let rank = if source.rng.once_in(12) { 4 } else { source.rng.range(1, 3) };
    let extents = (0..rank).map(|_| Tree::Leaf(source.rng.choose(&[1, 1, 2, 2, 3, 4]))).collect();
    (vec![Value::Instruction(format!("atom({name})")), Value::ints(&Tree::of(extents))], vec![], false)
}

/// A field of an instruction, as a layout.
fn field(instruction: &str, name: &str) -> Result<Layout, String> {
    let text = format!("{instruction}.{name}");
    let value = Session::new().evaluate(&text).map_err(|error| format!("{text}: {error}"))?.to_string();
    match read(&value)? {
        Value::Layout(layout) => Ok(layout),
        _ => Err(format!("{text} is {value}")),
    }
}

fn at(layout: &Layout, index: i128) -> i128 {
    Function::of(layout).at(index).and_then(|offset| offset.integer()).expect("an integer")
}

/// The atoms side by side in column-major order; thread `t` is thread `t mod T` of its atom, which sees its tile.
fn tiled_mma(case: &Case, answer: Answer) -> Verdict {
    let (Value::Instruction(atom), Some(atoms)) = (&case.arguments[0], case.arguments[1].as_ints()) else {
        return must_refuse(answer);
    };
    let row = MMA.iter().find(|row| *atom == format!("atom({})", row.0));
    let mut counts: Vec<i128> = match &atoms {
        Tree::Leaf(extent) => vec![*extent],
        tuple => tuple.leaves().into_iter().copied().collect(),
    };
    let (Some((_, extents, threads)), false) =
        (row, counts.len() > 3 || counts.iter().any(|count| *count < 1))
    else {
        return must_refuse(answer);
    };
    let Ok(Value::Instruction(tiled)) = answer else { return Err(String::from("a tiled MMA")) };
    counts.resize(3, 1);
    for (name, rows, columns) in [("a", 0, 2), ("b", 1, 2), ("c", 0, 1)] {
        let (own, found) = (field(atom, name)?, field(tiled, name)?);
        let all = threads * counts.iter().product::<i128>();
        let values = size(&own) / threads;
        if size(&found) != all * values {
            return Err(format!(".{name} of {all} threads with {values} values"));
        }
        for index in 0..size(&found) {
            let (thread, value) = (index % all, index / all);
            let place = digits(thread / threads, &counts);
            let element = at(&own, thread % threads + threads * value);
            let row = element % extents[rows] + extents[rows] * place[rows];
            let column = element / extents[rows] + extents[columns] * place[columns];
            let expected = row + extents[rows] * counts[rows] * column;
            if at(&found, index) != expected {
                return Err(format!(".{name} of thread {thread} value {value} at {expected}"));
            }
        }
    }
    Ok(())
}

fn atom_threads_values(source: &mut Source) -> Arguments {
    let (name, piece, _) = source.rng.choose(&COPY[2..]);
    let bits = source.rng.choose(&[8, 16, 32]);
    let rows_first = source.rng.once_in(2);
    let compact = |rows: i128, columns: i128| {
        let strides = if rows_first { [1, rows] } else { [columns, 1] };
        Value::Layout(Tree::Node(vec![
            leaf(rows, Step::int(strides[0])),
            leaf(columns, Step::int(strides[1])),
        ]))
    };
    let (threads, values) = (
        compact(source.rng.choose(&[1, 2, 3, 4]), source.rng.choose(&[1, 2, 4, 8])),
        compact(source.rng.choose(&[1, 2]), piece / bits * source.rng.choose(&[1, 2])),
    );
    (vec![Value::Instruction(format!("atom({name}, {bits})")), threads, values], vec![], false)
}

/// Thread `T(i,j)` has as its value `V(p,q)` the element `(i P + p, j Q + q)` of the tile, where values are `P` by `Q`.
fn tiled_copy(case: &Case, answer: Answer) -> Verdict {
    let Value::Instruction(atom) = &case.arguments[0] else { return must_refuse(answer) };
    let (threads, values) = (case.layout(1), case.layout(2));
    let wide = COPY.iter().find_map(|(name, _, whole)| {
        let bits: i128 = atom.strip_prefix(&format!("atom({name}, "))?.trim_end_matches(')').parse().ok()?;
        Some((*whole)? / bits)
    });
    let extents = |layout: &Layout| shape(layout).leaves().into_iter().copied().collect::<Vec<i128>>();
    let (across, own) = (extents(threads), extents(values));
    let Some(wide) = wide.filter(|_| across.len() == 2 && own.len() == 2) else { return Ok(()) };
    let compact = |layout: &Layout| {
        let mut offsets: Vec<i128> = (0..size(layout)).map(|index| at(layout, index)).collect();
        offsets.sort_unstable();
        offsets.into_iter().eq(0..size(layout))
    };
    // What the tile of other layouts is, is for the tests of `tilework-hardware`.
    if !compact(threads) || !compact(values) {
        return Ok(());
    }
    if size(values) % wide != 0 {
        return must_refuse(answer);
    }
    let Ok(Value::Instruction(tiled)) = answer else { return Err(String::from("a tiled copy")) };
    for name in ["src", "dst"] {
        let found = field(tiled, name)?;
        for index in 0..size(threads) * size(values) {
            let (i, p) = (digits(index % size(threads), &across), digits(index / size(threads), &own));
            let (thread, value) = (at(threads, index % size(threads)), at(values, index / size(threads)));
            let expected = i[0] * own[0] + p[0] + across[0] * own[0] * (i[1] * own[1] + p[1]);
            if at(&found, thread + size(threads) * value) != expected {
                return Err(format!(".{name} of thread {thread} value {value} at {expected}"));
            }
        }
    }
    Ok(())
}

fn atom_and_mma(source: &mut Source) -> Arguments {
    let (name, piece, _) = source.rng.choose(&COPY[2..]);
    let bits = source.rng.choose(&[16, 32, 64, piece]);
    let (mma, ..) = source.rng.choose(&TILED);
    let atom = Value::Instruction(format!("atom({name}, {bits})"));
    (vec![atom, Value::Instruction(mma.into())], vec![], false)
}

/// The threads and values of the operand, in both orders of the copy.
fn copy_of_mma(case: &Case, answer: Answer, operand: &str) -> Verdict {
    let (Value::Instruction(atom), Value::Instruction(mma)) = (&case.arguments[0], &case.arguments[1]) else {
        return must_refuse(answer);
    };
    let Some(extents) = extents(mma, operand) else { return must_refuse(answer) };
    let own = field(mma, operand)?;
    let threads = size(&field(mma, "threads")?);
    let wide = COPY.iter().find_map(|(name, _, whole)| {
        let bits: i128 = atom.strip_prefix(&format!("atom({name}, "))?.trim_end_matches(')').parse().ok()?;
        Some((*whole)? / bits)
    });
    if wide.is_none_or(|wide| wide == 0 || size(&own) / threads % wide != 0) {
        return must_refuse(answer);
    }
    let Ok(Value::Instruction(tiled)) = answer else { return Err(String::from("a tiled copy")) };
    for name in ["src", "dst"] {
        let found = field(tiled, name)?;
        if size(&found) != size(&own) || size(&own) > extents[0] * extents[1] * threads {
            return Err(format!("as many values as .{operand} has"));
        }
        if let Some(index) = (0..size(&own)).find(|&index| at(&found, index) != at(&own, index)) {
            return Err(format!(".{name} of thread {} is that of .{operand}", index % threads));
        }
    }
    Ok(())
}

/// Operands with their extents.
type Operands = &'static [(&'static str, [i128; 2])];

/// Tiled instructions with the extents of what `.a`, `.b`, `.c`, or `.src` and `.dst` count.
const TILED: [(&str, Operands); 4] = [
    (
        "tiled_mma(atom(SM80_16x8x16_F32F16F16F32_TN), (2,2,1):(1,2,0))",
        &[("a", [32, 16]), ("b", [16, 16]), ("c", [32, 16])],
    ),
    (
        "tiled_mma(atom(SM80_8x8x4_F64F64F64F64_TN), (1,2,2):(0,2,1))",
        &[("a", [8, 8]), ("b", [16, 8]), ("c", [8, 16])],
    ),
    (
        "tiled_copy(atom(UniversalCopy<uint32_t>, 32), ((8,4),(2,2)):((2,16),(1,64)), <16:1,8:1>)",
        &[("src", [16, 8]), ("dst", [16, 8])],
    ),
    (
        "tiled_copy(atom(SM75_U32x1_LDSM_N, 16), ((4,8),2):((16,1),8), <8:1,8:1>)",
        &[("src", [8, 8]), ("dst", [8, 8])],
    ),
];

fn extents(tiled: &str, operand: &str) -> Option<[i128; 2]> {
    let (_, operands) = TILED.iter().find(|(text, _)| *text == tiled)?;
    operands.iter().find(|(name, _)| *name == operand).map(|(_, extents)| *extents)
}

fn tiled_operand(source: &mut Source) -> (&'static str, &'static str, [i128; 2]) {
    let (tiled, operands) = source.rng.choose(&TILED);
    let (name, extents) = source.rng.choose(operands);
    (tiled, name, extents)
}

fn pair(first: i128, second: i128) -> Value {
    Value::ints(&Tree::Node(vec![Tree::Leaf(first), Tree::Leaf(second)]))
}

fn operand_and_element(source: &mut Source) -> Arguments {
    let (tiled, name, [rows, columns]) = tiled_operand(source);
    let beyond = i128::from(source.rng.once_in(8));
    let element = pair(source.rng.range(0, rows - 1 + beyond), source.rng.range(0, columns - 1));
    let name = if source.rng.once_in(12) { "shape" } else { name };
    (vec![Value::Instruction(tiled.into()), Value::Instruction(format!(".{name}")), element], vec![], false)
}

/// Of an operand, or of a layout of threads and values of any codomain, with an element of it or any number.
fn operand_or_layout_and_element(source: &mut Source) -> Arguments {
    if source.rng.once_in(2) {
        return operand_and_element(source);
    }
    let layout = source.any();
    let index = source.rng.range(0, size(&layout) - 1);
    let element = match Function::of(&layout).at(index) {
        Some(offset) if !source.rng.once_in(6) => read(&written(&offset, &layout)).unwrap(),
        _ => Value::int(source.rng.range(-2, 40)),
    };
    (vec![Value::Layout(layout), element], vec![], false)
}

/// An offset as a coordinate of a layout, also if it is 0.
fn written(offset: &Offset, layout: &Layout) -> String {
    let origin = Offset::Coordinate(vec![]);
    let at_origin = *offset == Offset::ZERO && codomain(layout) == Codomain::Coordinate;
    offset_text(if at_origin { &origin } else { offset }, layout)
}

fn operand_and_value(source: &mut Source) -> Arguments {
    let (mut arguments, ..) = operand_and_element(source);
    arguments[2] = pair(source.rng.range(0, 140), source.rng.range(0, 9));
    (arguments, vec![], false)
}

/// The instruction, the operand, its extents, its layout of threads and values, and how many threads there are.
fn operand_of(case: &Case) -> Option<([i128; 2], Layout, i128)> {
    let (Value::Instruction(tiled), Value::Instruction(name)) = (&case.arguments[0], &case.arguments[1])
    else {
        return None;
    };
    let extents = extents(tiled, &name[1..])?;
    let layout = field(tiled, &name[1..]).ok()?;
    let threads = size(&layout.modes()[0]);
    Some((extents, layout, threads))
}

fn numbers(value: &Value) -> Vec<i128> {
    value.as_ints().map_or(vec![], |tree| tree.leaves().into_iter().copied().collect())
}

/// All threads and values are looked through.
fn owner(case: &Case, answer: Answer) -> Verdict {
    if let Value::Layout(layout) = &case.arguments[0] {
        return owner_in_layout(layout, &case.arguments[1], answer);
    }
    let Some((extents, layout, threads)) = operand_of(case) else { return must_refuse(answer) };
    let element = numbers(&case.arguments[2]);
    if element[0] >= extents[0] {
        return must_refuse(answer);
    }
    let all = 0..size(&layout);
    let owners: Vec<i128> =
        all.filter(|index| at(&layout, *index) == element[0] + extents[0] * element[1]).collect();
    let own: Vec<i128> = owners.iter().flat_map(|index| [index % threads, index / threads]).collect();
    match answer {
        Ok(value) if numbers(value) == own => Ok(()),
        _ => Err(format!("{own:?}")),
    }
}

fn owner_in_layout(layout: &Layout, element: &Value, answer: Answer) -> Verdict {
    let (modes, element) = (layout.modes(), element.to_string());
    if modes.len() != 2 {
        return must_refuse(answer);
    }
    let (threads, offsets) = (size(&modes[0]), table(layout));
    let all = (0..size(layout)).filter(|index| written(&offsets[*index as usize], layout) == element);
    let own: Vec<i128> = all.flat_map(|index| [index % threads, index / threads]).collect();
    match answer {
        Err(_) if own.is_empty() => Ok(()),
        Ok(value) if !own.is_empty() && numbers(value) == own => Ok(()),
        _ => Err(format!("{own:?}")),
    }
}

fn element(case: &Case, answer: Answer) -> Verdict {
    let Some((extents, layout, threads)) = operand_of(case) else { return must_refuse(answer) };
    let own = numbers(&case.arguments[2]);
    if own[0] >= threads || own[1] >= size(&layout) / threads {
        return must_refuse(answer);
    }
    let index = at(&layout, own[0] + threads * own[1]);
    exactly(answer, Some(pair(index % extents[0], index / extents[0])))
}

fn tiled_and_thread(source: &mut Source) -> Arguments {
    let tiled = source.rng.choose(&TILED).0;
    (vec![Value::Instruction(tiled.into()), Value::int(source.rng.range(-1, 140))], vec![], false)
}

fn get_slice(case: &Case, answer: Answer) -> Verdict {
    let (Value::Instruction(tiled), Some(thread)) = (&case.arguments[0], case.arguments[1].as_int()) else {
        return must_refuse(answer);
    };
    let name = if tiled.starts_with("tiled_mma") { "c" } else { "src" };
    let all = size(&field(tiled, name)?.modes()[0]);
    let expected =
        (0..all).contains(&thread).then(|| Value::Instruction(format!("get_slice({tiled}, {thread})")));
    exactly(answer, expected)
}

/// Data of some tiles of `extents` and perhaps a part of one, which no tile divides, by rows or by columns.
fn data(source: &mut Source, extents: [i128; 2]) -> Value {
    let mut counts = extents.map(|extent| extent * source.rng.choose(&[1, 1, 2, 3]));
    if source.rng.once_in(8) {
        counts[0] += 1;
    }
    let strides = if source.rng.once_in(2) { [1, counts[0]] } else { [counts[1], 1] };
    Value::Layout(Tree::Node(vec![
        leaf(counts[0], Step::int(strides[0])),
        leaf(counts[1], Step::int(strides[1])),
    ]))
}

fn tiled_and_data(source: &mut Source, kind: &str) -> Arguments {
    loop {
        let (tiled, _, extents) = tiled_operand(source);
        if tiled.starts_with(kind) || source.rng.once_in(20) {
            return (vec![Value::Instruction(tiled.into()), data(source, extents)], vec![], false);
        }
    }
}

fn mma_and_data(source: &mut Source) -> Arguments {
    tiled_and_data(source, "tiled_mma")
}

fn copy_and_data(source: &mut Source) -> Arguments {
    tiled_and_data(source, "tiled_copy")
}

fn of_a_thread(source: &mut Source, kind: &str) -> Arguments {
    let (mut arguments, ..) = tiled_and_data(source, kind);
    if !source.rng.once_in(20) {
        arguments[0] =
            Value::Instruction(format!("get_slice({}, {})", arguments[0], source.rng.range(0, 31)));
    }
    (arguments, vec![], false)
}

fn thread_of_mma_and_data(source: &mut Source) -> Arguments {
    of_a_thread(source, "tiled_mma")
}

fn thread_of_copy_and_data(source: &mut Source) -> Arguments {
    of_a_thread(source, "tiled_copy")
}

/// What an operand of a tile and data of whole tiles are as numbers; nothing for ragged data.
struct Shares {
    tile: [i128; 2],
    whole: Vec<i128>,
    own: Vec<i128>,
    threads: i128,
    data: Vec<i128>,
}

impl Shares {
    fn new(tiled: &str, name: &str, data: &Layout) -> Option<Shares> {
        let (tile, own) = (extents(tiled, name)?, field(tiled, name).ok()?);
        let whole: Vec<i128> = data.modes().iter().map(size).collect();
        let fits = whole[0] % tile[0] == 0 && whole[1] % tile[1] == 0;
        let all = |layout: &Layout| table(layout).iter().map(|own| own.integer().unwrap()).collect();
        let threads = size(&own.modes()[0]);
        fits.then(|| Shares { tile, whole, own: all(&own), threads, data: all(data) })
    }

    /// The offsets of a thread, its values in the first tile, then in those below it, then in those beside it.
    fn of(&self, thread: i128) -> Vec<i128> {
        let Shares { tile, whole, own, threads, data } = self;
        let mut offsets = vec![];
        for block in 0..data.len() as i128 / (tile[0] * tile[1]) {
            let (down, along) = (block % (whole[0] / tile[0]), block / (whole[0] / tile[0]));
            for index in own.iter().skip(thread as usize).step_by(*threads as usize) {
                let (row, column) = (index % tile[0] + tile[0] * down, index / tile[0] + tile[1] * along);
                offsets.push(data[(row + whole[0] * column) as usize]);
            }
        }
        offsets
    }
}

/// Of all threads together: of a copy in their order; of an MMA the threads of an operand are those that differ in it, and
/// each of its shares is that of a thread.
fn by_threads(case: &Case, answer: Answer, name: &str) -> Verdict {
    let Value::Instruction(tiled) = &case.arguments[0] else { return must_refuse(answer) };
    if extents(tiled, name).is_none() {
        return must_refuse(answer);
    }
    // Whether a ragged tile is divided is for the divides.
    let Some(expected) = Shares::new(tiled, name, case.layout(1)) else { return Ok(()) };
    let Ok(Value::Layout(found)) = answer else { return Err(String::from("a layout")) };
    let mut shares: Vec<Vec<i128>> = (0..expected.threads).map(|thread| expected.of(thread)).collect();
    let (threads, all) = (size(&found.modes()[0]) as usize, table(found));
    let of =
        |thread: usize| all.iter().skip(thread).step_by(threads).map(|own| own.integer().unwrap()).collect();
    let mut parts: Vec<Vec<i128>> = (0..threads).map(of).collect();
    if name.len() == 1 {
        for list in [&mut shares, &mut parts] {
            list.sort();
            list.dedup();
        }
    }
    if shares == parts { Ok(()) } else { Err(format!("{shares:?}")) }
}

fn of_thread(case: &Case, answer: Answer, name: &str) -> Verdict {
    let Value::Instruction(text) = &case.arguments[0] else { return must_refuse(answer) };
    let thread = text.strip_prefix("get_slice(").and_then(|text| text.strip_suffix(')')?.rsplit_once(", "));
    let Some((tiled, thread)) = thread else { return must_refuse(answer) };
    if extents(tiled, name).is_none() {
        return must_refuse(answer);
    }
    let Some(shares) = Shares::new(tiled, name, case.layout(1)) else { return Ok(()) };
    let expected = shares.of(thread.parse().unwrap());
    let image = answer.ok().and_then(Value::image);
    let found: Option<Vec<i128>> = image.and_then(|image| image.iter().map(Offset::integer).collect());
    if found.as_ref() == Some(&expected) { Ok(()) } else { Err(format!("{expected:?}")) }
}

fn copy_and_fragment(source: &mut Source) -> Arguments {
    let tiled = TILED[source.rng.range(2, 3) as usize].0;
    let counts = [4, 2, source.rng.choose(&[1, 2])];
    let strides = source.rng.choose(&[[1, 4, 8], [2, 1, 8], [4, 1, 2]]);
    let modes = counts.into_iter().zip(strides).map(|(count, stride)| leaf(count, Step::int(stride)));
    (vec![Value::Instruction(tiled.into()), Value::Layout(Tree::Node(modes.collect()))], vec![], false)
}

/// The same elements in another order.
fn retile(case: &Case, answer: Answer) -> Verdict {
    let sorted = |layout: &Layout| {
        let mut offsets: Vec<i128> = (0..size(layout)).map(|index| at(layout, index)).collect();
        offsets.sort_unstable();
        offsets
    };
    match answer {
        Ok(Value::Layout(found)) if sorted(found) == sorted(case.layout(1)) => Ok(()),
        Err(_) => Ok(()),
        _ => Err(String::from("the same elements")),
    }
}
