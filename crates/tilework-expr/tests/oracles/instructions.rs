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
        (Some(_), None | Some(1)) => Some(format!("atom({name})")),
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
