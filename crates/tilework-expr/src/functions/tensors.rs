//! Tensors, their tiles, and the parts of threads.

use super::call::{Answer, Call};
use super::coordinates::{make, slice_by};
use crate::error::Failure;
use crate::names::Names;
use crate::pointer::{Memory, Pointer};
use crate::tensor;
use crate::value::Value;
use tilework::__private::{share_of, thread_coordinate, tile_of};
use tilework::{Error, Layout, Pattern, PatternLeaf, Tiler};
use tilework_hardware::tiled;

pub(super) fn local_tile(call: &Call) -> Answer {
    let (tiler, coord) = match projection(call)? {
        None => (call.tiler(1)?, call.pattern(2)?),
        Some(projection) => {
            let coord = call.pattern(2)?;
            let kept = kept(call, &projection, coord.rank(), 2)?;
            (tiler_of(call, &projection)?, coord.select(&kept)?)
        }
    };
    part(call, |layout| tile_of(layout, &tiler, &coord))
}

pub(super) fn local_partition(call: &Call) -> Answer {
    let (threads, index) = (call.layout(1)?, call.integer(2)?);
    let (mut sizes, mut coord) = (threads.shape().mode_sizes()?, thread_coordinate(&threads, index)?);
    if let Some(projection) = projection(call)? {
        let kept = kept(call, &projection, threads.rank(), 1)?;
        (sizes, coord) = (sizes.select(&kept)?, coord.select(&kept)?);
    }
    part(call, |layout| share_of(layout, &sizes, &coord))
}

/// The part of the tiles of the first argument that a pattern leaves open.
fn part(call: &Call, divide: impl FnOnce(&Layout) -> Result<(Layout, Pattern), Error>) -> Answer {
    let (tiles, pattern) = divide(&*call.domain(0)?)?;
    slice_by(&call.arguments[0].with_offsets(tiles)?, &pattern)
}

/// The projection after the coordinate, CuTe's `Step<_1, X, _1>`; a single number keeps everything.
pub(super) fn projection(call: &Call) -> Result<Option<Pattern>, Failure> {
    if call.count() < 4 {
        return Ok(None);
    }
    let projection = call.pattern(3)?;
    match projection.leaves() {
        [PatternLeaf::At(_)] if projection.is_leaf() => Ok(None),
        _ => Ok(Some(projection)),
    }
}

/// The modes of argument `of` that a projection keeps: those at which it has no `_`.
pub(super) fn kept(call: &Call, projection: &Pattern, rank: usize, of: usize) -> Result<Vec<usize>, Failure> {
    if projection.is_leaf() || projection.depth() > 1 || projection.rank() != rank {
        let message = format!(
            "a projection has one number or `_` for each mode of argument {}, which has {rank}",
            of + 1
        );
        return Err(Failure::argument(3, message));
    }
    let fixed = |mode: &usize| matches!(projection.leaves()[*mode], PatternLeaf::At(_));
    let kept: Vec<usize> = (0..rank).filter(fixed).collect();
    if kept.is_empty() {
        return Err(call.wrong(3, "a projection that keeps a mode"));
    }
    Ok(kept)
}

/// The tiles that a projection keeps. A tuple is a tiler by mode, even with a single number.
fn tiler_of(call: &Call, projection: &Pattern) -> Result<Tiler, Failure> {
    let tiler = call.tiler(1)?;
    let kept = kept(call, projection, tiler.rank(), 1)?;
    if !tiler.is_by_mode() {
        return Err(call.wrong(1, "a tiler with a tile for each mode"));
    }
    let tiles = kept.iter().map(|mode| tiler.mode(*mode)).collect::<Result<Vec<_>, _>>()?;
    Ok(Tiler::by_mode(&tiles)?)
}

/// CuTe's `make_layout_tv`: the tiler, and the layout of threads and values.
pub(super) fn layout_tv(call: &Call) -> Answer {
    let (tiler, layout) = tiled::layout_tv(&*call.layout(0)?, &*call.layout(1)?)?;
    Ok(Value::tiler(Tiler::by_mode(&[tiler, layout.as_tiler()])?)?)
}

/// `make_tensor(pointer, layout)`, `make_tensor(coordinate, layout)`, and `make_tensor<bits>(layout)` in registers; the
/// layout may be a shape, or a shape and a stride.
pub(super) fn make_tensor(call: &Call) -> Answer {
    if !call.indices.is_empty() {
        return tensor::of(Pointer::new(Memory::Register, width(call, 0)?), &whole(call, 0)?);
    }
    if call.count() == 1 {
        return Err(without_elements(call));
    }
    let layout = whole(call, 1)?;
    match &call.arguments[0] {
        Value::Pointer(pointer) => tensor::of(*pointer, &layout),
        offset if offset.as_offset().is_some() => tensor::counted(offset, &layout, &Names::default()),
        _ => Err(call.wrong(0, "a pointer, as ptr[32b] or make_gmem_ptr<float>(A), or a coordinate")),
    }
}

/// The refusal of a layout alone.
pub(super) fn without_elements(call: &Call) -> Failure {
    call.refuse(
        "make_tensor takes a pointer and a layout, or the type of the elements in `<...>` and a layout",
    )
}

/// `make_fragment(layout, bits)`: a tensor in registers.
pub(super) fn make_fragment(call: &Call) -> Answer {
    let layout = Call { arguments: &call.arguments[..1], ..*call };
    tensor::of(Pointer::new(Memory::Register, width(call, 1)?), &whole(&layout, 0)?)
}

/// A layout with the shape and the order of another; in registers if that is a tensor's, or a width is given.
pub(super) fn in_registers(call: &Call, operation: fn(&Layout) -> Result<Layout, Error>) -> Answer {
    let layout = Value::from(operation(&*call.domain(0)?)?);
    let bits = match call.own_indices(1)?[..] {
        [] => call.arguments[0].element_bits(),
        _ => Some(width(call, 1)?),
    };
    match bits {
        Some(bits) => tensor::of(Pointer::new(Memory::Register, bits), &layout),
        None => Ok(layout),
    }
}

/// The bits of an element, in `<...>` or from argument `first` on.
pub(super) fn width(call: &Call, first: usize) -> Result<u32, Failure> {
    match call.own_indices(first)?[..] {
        [bits @ 1..=65536] => Ok(bits as u32),
        _ => Err(call.refuse(format!("{} takes the type of an element, or its bits, 1 to 65536", call.name))),
    }
}

/// The layout of the arguments from `first` on.
fn whole(call: &Call, first: usize) -> Answer {
    match &call.arguments[first..] {
        [value] if matches!(value.untyped(), Value::Composed(_) | Value::View(_)) => {
            Ok(value.untyped().clone())
        }
        arguments => make(&Call { arguments, ..*call }),
    }
}
