//! The cost of moving an element, relative to reading one of a contiguous run.

use super::axis::Axis;
use crate::tuning::LINE;

/// An element that is read in place.
pub(crate) const IN_PLACE: f64 = 1.0;
/// One that is packed: read, written to the second cache and read there.
pub(crate) const PACKED: f64 = 2.0;
/// One of `C`: its line is read before it is written.
pub(crate) const WRITTEN: f64 = 2.0;
/// One of `C` whose tiles are not whole vectors: it is first written to the first cache and read there.
pub(crate) const SCATTERED: f64 = 2.0 * WRITTEN;

/// The ratio of the bytes moved to those of a matrix: each contiguous run touches one line more than it fills.
pub(crate) fn lines([rows, cols]: [&Axis; 2], bytes: usize) -> f64 {
    let run = |axis: &Axis, other: &Axis| match axis.longest() as usize {
        run if run == axis.len() && other.stride == Some(run as isize) => run * other.len(),
        _ => axis.len() / axis.runs.iter().filter(|&&run| run == 1).count().max(1),
    };
    lines_of_runs(run(rows, cols).max(run(cols, rows)), bytes)
}

/// The same for runs of `run` elements.
pub(crate) fn lines_of_runs(run: usize, bytes: usize) -> f64 {
    1.0 + LINE as f64 / (run.max(1) * bytes) as f64
}
