//! The cost of a memory access: `banks`, `sectors`, `vector_width`.

use super::any_layout::Data;
use crate::arguments;
use crate::classes;
use crate::members::{attributes, texts};
use crate::prelude::*;
use crate::tuple;
use tilework::Layout;
use tilework_expr::{Accesses, Session, width};
use tilework_hardware::access::{self, Access, Method, Side};
use tilework_hardware::memory::{Banks, Phases, Sectors};

/// An access by name, by its layout, or by a tiled MMA or copy and the name of its operand or side.
pub fn accesses(object: &Object<'_>) -> Result<Accesses> {
    if let Ok(text) = object.cast::<PyString>() {
        let text = text.to_cow()?;
        return Accesses::read(&mut Session::new(), &text).map_err(|error| Refusal::of_text(&text, error));
    }
    if let Ok(pair) = object.cast::<PyTuple>()
        && let Ok((tiled, side)) = pair.extract::<(Object<'_>, String)>()
        && let Some(accesses) = Accesses::of_field(&tuple::value(&tiled)?, &side)
    {
        return Ok(accesses);
    }
    Ok(Accesses::of_value(&tuple::value(object)?)?)
}

/// Data in memory and an access to it.
fn question(
    layout: &Object<'_>,
    access: &Object<'_>,
    bits: Option<u32>,
    vector: Option<u32>,
) -> Result<(Data, Access)> {
    let (data, accesses) = (Data::of(layout)?, accesses(access)?);
    let bits = width(bits, [&data.value].into_iter().chain(accesses.value()))?;
    let access = accesses.of(data.layout.layout(), bits, vector)?;
    Ok((data, access))
}

/// A layout where a name is accepted too: an unknown word is reported as a misspelt name.
fn layout_or(names: &str, object: &Object<'_>) -> Result<Layout> {
    arguments::layout(object).map_err(|refusal| match &refusal {
        Refusal::Library(error) if error.0.code == "name" => {
            refusal.help(format!("it is {names} or a layout"))
        }
        _ => refusal,
    })
}

/// A memory with banks, given by its phases: a name, or a layout from lanes to phases.
pub fn memory(object: Option<&Object<'_>>) -> Result<Banks> {
    let Some(object) = object else { return Ok(Banks::NVIDIA) };
    let name = object.cast::<PyString>().ok().map(|name| name.to_cow()).transpose()?;
    Ok(match name.as_deref() {
        Some("nvidia") => Banks::NVIDIA,
        Some("amd-read") => Banks::AMD_READ,
        Some("amd-write") => Banks::AMD_WRITE,
        _ => Banks {
            phases: Phases::all(layout_or("'nvidia', 'amd-read', 'amd-write'", object)?)?,
            ..Banks::NVIDIA
        },
    })
}

/// The wavefronts of an access to shared memory, and the lanes that conflict.
///
/// `access` is a layout from threads and values to coordinates of `layout`, of which those outside access nothing; or a tiled MMA and the name of an operand,
/// or a tiled copy and the name of a side, as `(copy, "src")`, whose tiles cover it; `vector` consecutive values at once,
/// by default those of the atom of a copy, or one. Or it is `"ldmatrix"` or `"ldmatrix.trans"`; or `"rows"`, 16 bytes a thread.
/// `bits` are those of an element, unless `layout` is a tensor. `phases` are `"nvidia"`, `"amd-read"`, `"amd-write"`, or a layout from lanes to phases.
///
/// >>> from tilework import hardware
/// >>> report = hardware.banks("(128,32):(32,1)", "ldmatrix", bits=16)
/// >>> print(report)
/// 4-way conflict: 256 wavefronts instead of 64; lanes 0,2,4,6 access 4 words of bank 0; elements of 16 bits
/// >>> report.conflict.lanes
/// [0, 2, 4, 6]
/// >>> hardware.banks("Sw<2,3,3> o 0 o (128,32):(32,1)", "ldmatrix", bits=16).is_ideal
/// True
/// >>> guarded = hardware.banks("(24,32):(32,1)", "(32,1):(1@0,1@1)", bits=32)
/// >>> guarded.reaches, guarded.outside
/// (24, 8)
#[pyfunction]
#[pyo3(signature = (layout, access, *, bits = None, vector = None, phases = None))]
pub fn banks(
    layout: &Object<'_>,
    access: &Object<'_>,
    bits: Option<u32>,
    vector: Option<u32>,
    phases: Option<&Object<'_>>,
) -> Result<BankReport> {
    let (data, access) = question(layout, access, bits, vector)?;
    Ok(BankReport(memory(phases)?.report(&data.layout, &access)?))
}

/// The cost of an access to banks: the result of `banks`.
#[pyclass(frozen, module = "tilework.hardware")]
pub struct BankReport(pub access::BankReport);

attributes! {
    BankReport:
    /// Wavefronts of all warps, instructions and phases.
    wavefronts: u64 = |report| report.0.wavefronts;
    /// How many there would be without conflicts.
    ideal: u64 = |report| report.0.ideal;
    /// The largest number of wavefronts of a phase.
    degree: u64 = |report| report.0.degree;
    /// The number of phases.
    phases: u64 = |report| report.0.phases;
    /// The bits of an element.
    element_bits: u32 = |report| report.0.element_bits;
    /// The ranks over F2 of the words of a phase and of their banks; none if the wavefronts were counted.
    ranks: Option<(u32, u32)> = |report| match report.0.method {
        Method::Rank { words, banks } => Some((words, banks)),
        _ => None,
    };
    /// The first conflict.
    conflict: Option<Conflict> = |report| report.0.conflict.map(Conflict);
    /// How many elements of the layout the access reaches, if not all.
    reaches: Option<i64> = |report| report.0.reach.partial();
    /// How many values of threads are outside the layout, and access nothing.
    outside: i64 = |report| report.0.reach.outside;
    /// Whether there are no conflicts.
    is_ideal: bool = |report| report.0.is_ideal();
    /// The report in one line.
    text: String = |report| report.0.to_string();
}

texts!(BankReport: |report| report.0, "<BankReport {}>");

/// Lanes that access different words of a bank.
#[pyclass(frozen, module = "tilework.hardware")]
pub struct Conflict(pub access::Conflict);

attributes! {
    Conflict:
    /// The warp.
    warp: u32 = |conflict| conflict.0.warp;
    /// The instruction of the warp.
    instruction: u32 = |conflict| conflict.0.instruction;
    /// The phase.
    phase: i64 = |conflict| conflict.0.phase;
    /// The bank.
    bank: u32 = |conflict| conflict.0.bank;
    /// The words.
    words: u32 = |conflict| conflict.0.words;
    /// The lanes.
    lanes: Vec<u32> = |conflict| (0..64).filter(|lane| conflict.0.lanes >> lane & 1 == 1).collect();
}

/// The sectors of global memory that an access moves; the arguments are those of `banks`.
///
/// >>> from tilework import hardware
/// >>> print(hardware.sectors("32:2", "32:1", bits=16))
/// 4 sectors, at best 2: 50.0 % of the bytes moved are used; requests 1, lines 1; elements of 16 bits
/// >>> guarded = hardware.sectors("(48,4):(4,1)", "(64,1):(1@0,1@1)", bits=32)
/// >>> guarded.reaches, guarded.outside
/// (48, 16)
#[pyfunction]
#[pyo3(signature = (layout, access, *, bits = None, vector = None))]
pub fn sectors(
    layout: &Object<'_>,
    access: &Object<'_>,
    bits: Option<u32>,
    vector: Option<u32>,
) -> Result<SectorReport> {
    let (data, access) = question(layout, access, bits, vector)?;
    Ok(SectorReport(Sectors::NVIDIA.report(&data.layout, &access)?))
}

/// The memory traffic of an access to global memory: the result of `sectors`.
#[pyclass(frozen, module = "tilework.hardware")]
pub struct SectorReport(pub access::SectorReport);

attributes! {
    SectorReport:
    /// The instructions of all warps.
    requests: u64 = |report| report.0.requests;
    /// The sectors of 32 bytes that they move.
    sectors: u64 = |report| report.0.sectors;
    /// How many sectors the elements would fill.
    ideal: u64 = |report| report.0.ideal;
    /// The lines of 128 bytes that they access.
    lines: u64 = |report| report.0.lines;
    /// The bits of the elements, each counted once.
    bits: u64 = |report| report.0.bits;
    /// The bits that are moved.
    moved: u64 = |report| report.0.moved;
    /// How many elements of the layout the access reaches, if not all.
    reaches: Option<i64> = |report| report.0.reach.partial();
    /// How many values of threads are outside the layout, and access nothing.
    outside: i64 = |report| report.0.reach.outside;
    /// The fraction of the moved bits that is used.
    efficiency: f64 = |report| report.0.efficiency();
    /// The bits of an element.
    element_bits: u32 = |report| report.0.element_bits;
    /// The report in one line.
    text: String = |report| report.0.to_string();
}

texts!(SectorReport: |report| report.0, "<SectorReport {}>");

/// The most elements that can be copied at once between two layouts, plain or swizzled, or tensors, whose addresses are
/// multiples of `align` bytes, by instructions of up to `widest` bits. `bits` are those of an element, unless one of the
/// two is a tensor.
///
/// >>> from tilework import hardware
/// >>> width = hardware.vector_width("(4,8):(1,6)", "(4,8):(1,4)", bits=16)
/// >>> print(width)
/// 2 elements, 32 bits, at 2:1: the stride 6 of the first allows no more; elements of 16 bits
/// >>> width.elements, width.coordinates
/// (2, Layout('2:1'))
#[pyfunction]
#[pyo3(signature = (layout, other, *, bits = None, align = 16, widest = 128))]
pub fn vector_width(
    layout: &Object<'_>,
    other: &Object<'_>,
    bits: Option<u32>,
    align: u32,
    widest: u32,
) -> Result<VectorWidth> {
    let (one, two) = (Data::of(layout)?, Data::of(other)?);
    let bits = width(bits, [&one.value, &two.value])?;
    let side = |layout| Side { layout, align };
    let width = access::vector_width(side(&one.layout), side(&two.layout), bits, widest)?;
    Ok(VectorWidth(Box::new(width)))
}

/// The widest vector between two layouts: the result of `vector_width`.
#[pyclass(frozen, module = "tilework.hardware")]
pub struct VectorWidth(Box<access::VectorWidth>);

texts!(VectorWidth: |width| width.0, "<VectorWidth {}>");

attributes! {
    VectorWidth:
    /// The number of elements.
    elements: i64 = |width| width.0.elements;
    /// Their total bits.
    bits: i64 = |width| width.0.bits;
    /// The bits of one.
    element_bits: u32 = |width| width.0.element_bits;
    /// From contiguous elements to coordinates of both layouts.
    coordinates: Made<'py> = |width, py| classes::new(py, width.0.coordinates);
    /// What limits the width.
    limit: String = |width| width.0.limit.to_string();
}
