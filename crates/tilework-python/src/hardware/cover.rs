//! Whether a raster reaches each element once.

use crate::arguments;
use crate::members::{attributes, texts};
use crate::prelude::*;
use crate::tuple;
use tilework::Coord;
use tilework_hardware::cover::{self as found, cover_first};

/// Whether a raster, a layout from blocks, threads and values to coordinates or indices, reaches every element of a shape once,
/// and the predicates that it needs; `blocks` is the number of blocks that run, if not all.
///
/// >>> from tilework import hardware
/// >>> coverage = hardware.cover("((64,32),(4,4)):((1@0,1@1),(64@0,32@1))", (200, 128))
/// >>> print(coverage)
/// each element once if guarded by c0 < 200; unguarded, (200,0) is out of bounds
/// >>> coverage.is_exact, coverage.covers_once, coverage.outside
/// (False, True, (200, 0))
/// >>> [(predicate.above, predicate.size) for predicate in coverage.predicates]
/// [(True, 200), (False, 128)]
#[pyfunction]
#[pyo3(signature = (raster, onto, blocks = None))]
pub fn cover(raster: &Object<'_>, onto: &Object<'_>, blocks: Option<i64>) -> Result<Coverage> {
    let raster = arguments::layout(raster)?;
    Ok(Coverage(cover_first(&raster, blocks.unwrap_or(raster.size()), &arguments::shape(onto)?)?))
}

/// The coordinates of a shape that a raster reaches: the result of `cover`.
#[pyclass(frozen, module = "tilework.hardware")]
pub struct Coverage(found::Coverage);

fn coordinate<'py>(py: Python<'py>, coord: Option<&Coord>) -> PyResult<Option<Object<'py>>> {
    coord.map(|coord| tuple::integers_object(py, coord)).transpose()
}

texts!(Coverage: |coverage| coverage.0, "<Coverage {}>");

attributes! {
    Coverage:
    /// The conditions on each mode of a coordinate that have to hold before an element is accessed.
    predicates: Vec<Predicate> = |coverage| coverage.0.predicates().iter().copied().map(Predicate).collect();
    /// The first coordinate in bounds that is never reached.
    missing: PyResult<Option<Object<'py>>> = |coverage, py| coordinate(py, coverage.0.missing.as_ref());
    /// The first coordinate in bounds that is reached more than once.
    doubled: PyResult<Option<Object<'py>>> = |coverage, py| coordinate(py, coverage.0.doubled.as_ref());
    /// A coordinate that is reached and out of bounds.
    outside: PyResult<Option<Object<'py>>> = |coverage, py| coordinate(py, coverage.0.outside.as_ref());
    /// Whether every coordinate is reached once, and nothing else.
    is_exact: bool = |coverage| coverage.0.is_exact();
    /// Whether every coordinate is reached once, given the predicates.
    covers_once: bool = |coverage| coverage.0.covers_once();
}

/// The conditions on one mode of a coordinate.
#[pyclass(frozen, module = "tilework.hardware")]
pub struct Predicate(found::Predicate);

attributes! {
    Predicate:
    /// Whether `0 <= c` is needed.
    below: bool = |predicate| predicate.0.below;
    /// Whether `c < size` is needed.
    above: bool = |predicate| predicate.0.above;
    /// The size of the mode.
    size: i64 = |predicate| predicate.0.size;
}
