//! Atoms, and atoms over tiles.

use super::call::{Answer, Call};
use super::coordinates::slice_by;
use crate::error::Failure;
use crate::instruction::{Instruction, Print, copy_of, mma_of};
use crate::value::Value;
use tilework::{
    Coord, Error, HTuple, IntoHTuple, Layout, Pattern, PatternLeaf, Rational, Shape, Tiler, layout,
};
use tilework_hardware::atom::CopyAtom;
use tilework_hardware::tiled::{Partition, ThreadCopy, ThreadMma, TiledCopy, TiledMma, layout_tv};

/// One atom in each direction.
const ONE: Layout = layout!((1,1,1):(0,0,0));

/// `atom(NAME)`, `atom(NAME, bits)`: the parser has replaced the name by the instruction.
pub(super) fn atom(call: &Call) -> Answer {
    let Value::Instruction(instruction) = &call.arguments[0] else {
        return Err(call.wrong(0, "the name of an instruction"));
    };
    match (**instruction, call.count()) {
        (Instruction::Mma(_), 2) => Err(call.refuse("the elements of an MMA atom are in its name")),
        (Instruction::Copy(atom, _), 2) => {
            let bits = call.integer(1)?;
            atom.elements(bits)?;
            Ok(Instruction::Copy(atom, bits).into())
        }
        (atom @ (Instruction::Mma(_) | Instruction::Copy(..)), _) => Ok(atom.into()),
        _ => Err(call.wrong(0, "the name of an instruction")),
    }
}

/// Argument 0 as an instruction.
fn instruction<'a>(call: &'a Call, wanted: &str) -> Result<&'a Instruction, Failure> {
    match &call.arguments[0] {
        Value::Instruction(instruction) => Ok(instruction),
        _ => Err(call.wrong(0, wanted)),
    }
}

fn copy(call: &Call) -> Result<(CopyAtom, i64), Failure> {
    match *instruction(call, "a copy atom")? {
        Instruction::Copy(atom, bits) => Ok((atom, bits)),
        _ => Err(call.wrong(0, "a copy atom")),
    }
}

/// An MMA atom alone is one tile of itself.
pub(super) fn tiled_mma(call: &Call) -> Answer {
    let Instruction::Mma(atom) = *instruction(call, "an MMA atom")? else {
        return Err(call.wrong(0, "an MMA atom"));
    };
    let atoms = if call.count() == 1 { ONE } else { *call.layout(1)? };
    let permutation = match call.count() {
        3 => by_mode(call, 2)?,
        _ => Tiler::HOLE,
    };
    Ok(Instruction::TiledMma(TiledMma::new(atom, &atoms, &permutation)?).into())
}

/// With a tiler after the layout of threads and values, or with a layout of threads and one of values.
pub(super) fn tiled_copy(call: &Call) -> Answer {
    let (atom, bits) = copy(call)?;
    let first = call.layout(1)?;
    let (tiler, threads_values) = match call.arguments[2] {
        Value::Tiler(_) => (by_mode(call, 2)?, *first),
        _ => layout_tv(&first, &*call.layout(2)?)?,
    };
    copy_over(&atom, bits, &threads_values, tiler)
}

fn copy_over(atom: &CopyAtom, bits: i64, threads_values: &Layout, tiler: Tiler) -> Answer {
    let tiler = if tiler.is_by_mode() { tiler } else { Tiler::by_mode(&[tiler])? };
    let tiled = TiledCopy::new(atom, bits, threads_values, &tiler).map_err(|error| of_bits(error, bits))?;
    Ok(Instruction::TiledCopy(tiled).into())
}

/// Why there is no tiled copy: an atom whose elements were not said counts bits.
fn of_bits(error: Error, bits: i64) -> Failure {
    match bits {
        1 => Failure::other(
            error.code(),
            format!("{error}; the atom copies elements of 1 bit: write atom(NAME, 16) for those of 16"),
        ),
        _ => error.into(),
    }
}

/// The copy of an operand of a tiled MMA.
pub(super) fn copy_of_mma(
    call: &Call,
    of: fn(&CopyAtom, i64, &TiledMma) -> Result<TiledCopy, Error>,
) -> Answer {
    let (atom, bits) = copy(call)?;
    match &call.arguments[1] {
        Value::Instruction(mma) if let Instruction::TiledMma(mma) = &**mma => {
            let tiled = of(&atom, bits, mma).map_err(|error| of_bits(error, bits))?;
            Ok(Instruction::TiledCopy(tiled).into())
        }
        _ => Err(call.wrong(1, "a tiled MMA")),
    }
}

/// What CuTe prints of an instruction, from the values in their order; or its type, from the arguments of the template.
pub(crate) fn printed(print: Print, values: &[Value]) -> Answer {
    let call = Call { name: print.name(), arguments: values, indices: &[] };
    if let Value::Instruction(_) = values[0] {
        return match (print.tiled, print.is_copy) {
            (false, _) => atom(&call),
            (true, false) => tiled_mma(&call),
            (true, true) => {
                copy(&call).and_then(|(atom, bits)| copy_over(&atom, bits, &*call.layout(1)?, call.tiler(2)?))
            }
        };
    }
    let tile = usize::from(print.of_thread);
    let atom = tile + if print.tiled { 2 } else { 0 };
    let layout = |index: usize| call.layout(atom + index).map(|layout| *layout);
    let whole: Value = if print.is_copy {
        let bits = call.integer(values.len() - 1)?;
        let reference = (values.len() - atom == 5).then(|| layout(3)).transpose()?;
        let found = copy_of(layout(0)?, [layout(1)?, layout(2)?], reference, bits)?;
        match print.tiled {
            true => copy_over(&found, bits, &*call.layout(tile + 1)?, call.tiler(tile)?)?,
            false => Instruction::Copy(found, bits).into(),
        }
    } else {
        let [a, b, c] = [3, 2, 1].map(|behind| call.layout(values.len() - behind).map(|layout| *layout));
        let matrices = [a?, b?, c?];
        let shape = match values.len() - atom {
            5 => <[i64; 3]>::try_from(call.shape(atom + 1)?.leaves()).ok(),
            _ => shape_of(&matrices)?,
        };
        let shape = shape.ok_or_else(|| call.refuse("the shape of an MMA is (M,N,K)"))?;
        let found = mma_of(layout(0)?, shape, matrices);
        match print.tiled {
            true => {
                let permutation = call.tiler(tile + 1)?;
                Instruction::TiledMma(TiledMma::of_threads(found, &*call.layout(tile)?, &permutation)?).into()
            }
            false => Instruction::Mma(found).into(),
        }
    };
    if !print.of_thread {
        return Ok(whole);
    }
    get_slice(&Call { arguments: &[whole, values[0].clone()], ..call })
}

/// `(M,N,K)` of matrices of `M K`, `N K` and `M N` elements, which CUTLASS up to 3.4 does not print.
fn shape_of(matrices: &[Layout; 3]) -> Result<Option<[i64; 3]>, Failure> {
    let [mk, nk, mn] = [matrices[0].cosize()?, matrices[1].cosize()?, matrices[2].cosize()?].map(i128::from);
    let m = (mk * mn / nk.max(1)).isqrt();
    let fits = m > 0 && m * m * nk == mk * mn && mk % m == 0 && mn % m == 0;
    let extents = [m, mn / m.max(1), mk / m.max(1)];
    Ok(fits.then(|| extents.map(|extent| extent as i64)))
}

/// One thread, by its index; of a tiled MMA also by its coordinate `(V,M,N,K)`.
pub(super) fn get_slice(call: &Call) -> Answer {
    match *instruction(call, "a tiled MMA or copy")? {
        Instruction::TiledMma(mma) => {
            let thread = match call.arguments[1].as_integer() {
                Some(thread) => thread,
                None => place(mma.thread_layout(), &call.coord(1)?)?,
            };
            let count = mma.threads();
            mma.thread(thread).map_err(|error| no_thread(error, "tiled MMA", thread, count))?;
            Ok(Instruction::ThreadMma(mma, thread).into())
        }
        Instruction::TiledCopy(copy) => {
            let thread = call.integer(1)?;
            let count = copy.threads();
            copy.thread(thread).map_err(|error| no_thread(error, "tiled copy", thread, count))?;
            Ok(Instruction::ThreadCopy(copy, thread).into())
        }
        _ => Err(call.wrong(0, "a tiled MMA or copy")),
    }
}

/// Why an instruction has no such thread.
fn no_thread(error: Error, what: &str, thread: i64, count: i64) -> Failure {
    match error {
        Error::Argument { .. } => Failure::other(
            error.code(),
            format!("the {what} has {count} threads, and {thread} is none of them"),
        ),
        error => error.into(),
    }
}

/// `thrfrg_A(X, L)`.
pub(super) fn thrfrg(call: &Call, of: fn(&TiledMma, &Layout) -> Result<Layout, Error>) -> Answer {
    match instruction(call, "a tiled MMA")? {
        Instruction::TiledMma(mma) => data(call)?.changed(|layout| of(mma, layout)),
        _ => Err(call.wrong(0, "a tiled MMA")),
    }
}

/// `tidfrg_S(X, L)`, `retile(X, L)`.
pub(super) fn tidfrg(call: &Call, of: fn(&TiledCopy, &Layout) -> Result<Layout, Error>) -> Answer {
    match *instruction(call, "a tiled copy")? {
        Instruction::TiledCopy(copy) | Instruction::ThreadCopy(copy, _) => {
            data(call)?.changed(|layout| of(&copy, layout))
        }
        _ => Err(call.wrong(0, "a tiled copy")),
    }
}

/// A layout of any kind, which is partitioned.
pub(super) struct Data(Value);

impl Data {
    /// The same with another layout of its coordinates.
    fn changed(&self, change: impl FnOnce(&Layout) -> Result<Layout, Error>) -> Answer {
        Ok(self.0.with_offsets(change(self.0.domain().unwrap_or(&Layout::UNIT))?)?)
    }
}

impl Partition for Data {
    type Part = Answer;

    fn part(
        self,
        change: impl FnOnce(&Layout) -> Result<Layout, Error>,
        coordinate: Pattern,
    ) -> Result<Answer, Error> {
        let layout = change(self.0.domain().unwrap_or(&Layout::UNIT))?;
        let mut pattern = coordinate.wrap()?;
        for _ in 1..layout.rank() {
            pattern = pattern.append(&HTuple::leaf(PatternLeaf::All))?;
        }
        Ok(slice_by(&self.0.with_offsets(layout)?, &pattern))
    }
}

/// What is partitioned.
fn data(call: &Call) -> Result<Data, Failure> {
    Ok(Data(match call.arguments[1].domain() {
        Some(_) => call.arguments[1].clone(),
        None => Value::from(*call.layout(1)?),
    }))
}

/// `partition_A(X, L)`.
pub(super) fn of_mma(call: &Call, part: fn(&ThreadMma, Data) -> Result<Answer, Error>) -> Answer {
    let wanted = "a thread of a tiled MMA, get_slice(X, t),";
    match instruction(call, wanted)? {
        Instruction::ThreadMma(mma, thread) => part(&mma.thread(*thread)?, data(call)?)?,
        _ => Err(call.wrong(0, wanted)),
    }
}

/// `partition_S(X, L)`.
pub(super) fn of_copy(call: &Call, part: fn(&ThreadCopy, Data) -> Result<Answer, Error>) -> Answer {
    let wanted = "a thread of a tiled copy, get_slice(X, t),";
    match instruction(call, wanted)? {
        Instruction::ThreadCopy(copy, thread) => part(&copy.thread(*thread)?, data(call)?)?,
        _ => Err(call.wrong(0, wanted)),
    }
}

/// The layout of threads and values of an operand, and the extents of its elements.
fn operand(call: &Call) -> Result<(Layout, Shape), Failure> {
    let own = instruction(call, "an instruction")?;
    let operands = || {
        let sides = ["a", "b", "c", "e", "sfa", "sfb", "src", "dst", "tv"];
        let own = call.arguments[0].fields().iter().filter(|field| sides.contains(field));
        own.map(|field| format!(".{field}")).collect::<Vec<_>>().join(", ")
    };
    let Value::Field(name) = call.arguments[1] else {
        return Err(call.wrong(1, &format!("an operand, {},", operands())));
    };
    let of_mma = |[m, n, k]: [i64; 3]| match name {
        "a" | "e" | "sfa" => Some((m, k)),
        "b" | "sfb" => Some((n, k)),
        "c" => Some((m, n)),
        _ => None,
    };
    let extents = match own {
        Instruction::Mma(atom) => of_mma(atom.shape).map(|pair| pair.into_htuple()),
        Instruction::TiledMma(mma) => of_mma(mma.tile()).map(|pair| pair.into_htuple()),
        Instruction::TiledCopy(copy) => matches!(name, "src" | "dst" | "tv").then(|| Ok(*copy.extents())),
        _ => None,
    };
    let layout = match call.arguments[0].field(name).transpose()? {
        Some(Value::Layout(layout)) => Some(*layout),
        _ => None,
    };
    match (layout, extents, own) {
        (Some(layout), Some(extents), _) => Ok((layout, extents?)),
        // The elements of a copy alone are numbered.
        (Some(layout), None, Instruction::Copy(..)) if matches!(name, "src" | "dst") => {
            Ok((layout, HTuple::leaf(layout.cosize()?)))
        }
        _ => Err(call.refuse(format!("{} has no operand .{name}, only {}", own.kind(), operands()))),
    }
}

/// The integral offset of a coordinate.
fn place(layout: &Layout, coordinate: &Coord) -> Result<i64, Error> {
    Ok(layout.evaluate(coordinate)?.leaves()[0].numerator())
}

/// The index of a coordinate within bounds.
fn index_of(call: &Call, what: &str, coordinate: &Coord, shape: &Shape) -> Result<i64, Failure> {
    match shape.is_in_bounds(coordinate) {
        true => Ok(place(&Layout::column_major(shape)?, coordinate)?),
        false => Err(call.refuse(format!("{what} {coordinate} is not in {shape}"))),
    }
}

/// The most threads times values that are looked through.
const MAX_OWNERS: i64 = 1 << 22;

/// Who has an element: `(thread,value)`, or several.
pub(super) fn owner(call: &Call) -> Answer {
    let (layout, element) = match call.arguments[0].as_layout() {
        Some(layout) if call.count() == 2 => {
            let (layout, element) = (layout?, call.arguments[1].as_offset());
            if layout.rank() != 2 {
                return Err(call.wrong(0, "a layout of threads and values, of two modes,"));
            }
            let element = element.ok_or_else(|| call.wrong(1, "an offset or a coordinate"))?;
            let like = layout.evaluate(0)?;
            if !element.congruent(&like) {
                let message = format!("an element of {layout} is written as {like}, not as {element}");
                let help = "threads and values are mapped to the elements of their tile: write i + M*j of an (M,N) tile, or owner(X, .c, (i,j)) of an instruction X";
                return Err(match like.is_leaf() {
                    true => Failure::advised(1, message, help),
                    false => call.refuse(message),
                });
            }
            (layout, element)
        }
        _ => {
            let (layout, extents) = operand(call)?;
            let index = index_of(call, "element", &call.coord(2)?, &extents)?;
            (layout, HTuple::leaf(Rational::integer(index)))
        }
    };
    let (size, threads) = (layout.size(), layout.mode(0)?.size());
    if size > MAX_OWNERS {
        let message = format!("owner looks through {MAX_OWNERS} values of threads, and these are {size}");
        return Err(Failure::Other { code: "limit", message });
    }
    let mut owners = Vec::new();
    for index in 0..size {
        if layout.evaluate(index)? == element {
            let pair = [index % threads, index / threads].map(|own| HTuple::leaf(Rational::integer(own)));
            owners.push(HTuple::tuple(&pair)?);
        }
    }
    match &owners[..] {
        [] => Err(call.refuse(format!("no thread has element {}", call.arguments[call.count() - 1]))),
        [pair] => Ok(Value::offset(pair)?),
        _ => Ok(Value::offsets(owners)?),
    }
}

/// The element that a thread has as a value.
pub(super) fn element(call: &Call) -> Answer {
    let (layout, extents) = operand(call)?;
    let index = index_of(call, "thread and value", &call.coord(2)?, &layout.shape())?;
    Ok(Value::integers(&extents.idx2crd(&HTuple::leaf(layout.try_at(index)?))?)?)
}

/// A tiler that applies by mode.
fn by_mode(call: &Call, index: usize) -> Result<Tiler, Failure> {
    match call.tiler(index)? {
        tiler if tiler.is_by_mode() => Ok(tiler),
        _ => Err(call.wrong(index, "a tiler `<...>`, a tile for each mode,")),
    }
}
