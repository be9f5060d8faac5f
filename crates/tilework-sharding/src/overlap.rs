//! The common refinement of two shardings along a dimension, whether their blocks divide each other or not.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use crate::blocks::SubAxis;
use crate::error::Error;
use crate::mesh::Mesh;
use crate::sharding::{Digit, Owner, Values};
use tilework::__private::gcd;

/// The most pieces along one dimension that are planned for one device.
const PIECES: i64 = 1 << 20;

/// Part of a digit: `value / inner % extent`, where `value` is that of the digit. It has the step `stride` along the
/// dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Part {
    digit: Digit,
    inner: i64,
    extent: i64,
    stride: i64,
}

impl Part {
    /// Its value on the device at some coordinates, if the device determines it.
    fn fixed(&self, at: &[i64]) -> Option<i64> {
        Some(self.digit.fixed(at)? / self.inner % self.extent)
    }

    /// Its step in the local index.
    fn local(&self) -> i64 {
        if let Owner::Local { weight } = self.digit.owner { weight * self.inner } else { 0 }
    }
}

/// The digits between two steps of the coordinate that both shardings have; for the last segment, up to the end of the
/// dimension.
///
/// If one digit of each sharding counts it, all its values are one mode of a layout. Otherwise blocks do not divide
/// each other, and their intersections are computed one by one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Segment {
    step: i64,
    extent: i64,
    from: Vec<Part>,
    to: Vec<Part>,
}

/// Consecutive values of a segment: the first, how many, and the local indices of the first before and after.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Run {
    first: i64,
    length: i64,
    from: i64,
    to: i64,
}

/// The values of a segment that one device holds before and another one after.
pub(crate) enum Common {
    /// All.
    All,
    /// One.
    One(i64),
    /// Runs, in order, each value once.
    Runs(Vec<Run>),
}

/// Coordinates along a dimension, with local indices before and after: the first of each, and the steps of each mode.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    pub(crate) first: [i64; 3],
    pub(crate) modes: Vec<(i64, [i64; 3])>,
}

/// The segments of a dimension, the fastest first.
///
/// # Errors
/// [`Error::Refinement`] if a device would hold more than [`PIECES`] pieces that are computed one by one.
pub(crate) fn segments(
    dimension: usize,
    extent: i64,
    from: &[Digit],
    to: &[Digit],
) -> Result<Vec<Segment>, Error> {
    let reached = |digits: &[Digit]| digits.last().map_or(1, |digit| digit.stride * digit.extent);
    let cuts = cuts(extent.max(reached(from)).max(reached(to)), from, to);
    let mut segments = Vec::new();
    let mut pieces = 1i64;
    for (i, &step) in cuts.iter().enumerate() {
        let end = cuts.get(i + 1).copied();
        let extent = end.map_or((extent - 1) / step + 1, |end| end / step);
        let segment = Segment { step, extent, from: parts(from, step, end), to: parts(to, step, end) };
        pieces = pieces.saturating_mul(segment.pieces());
        segments.push(segment);
    }
    if pieces > PIECES {
        let block = |digits: &[Digit]| {
            digits.iter().find(|digit| !digit.is_local()).map_or(extent, |digit| digit.stride)
        };
        return Err(Error::Refinement { dimension, from: block(from), to: block(to) });
    }
    Ok(segments)
}

/// The steps from 1 to below an end at which the digits of both can be divided, each a multiple of the previous one.
fn cuts(end: i64, from: &[Digit], to: &[Digit]) -> Vec<i64> {
    let mut steps: BTreeSet<i64> = from.iter().chain(to).map(|digit| digit.stride).collect();
    for a in from {
        for b in to {
            let common = gcd(a.stride.unsigned_abs(), b.stride.unsigned_abs()) as i64;
            steps.extend((a.stride / common).checked_mul(b.stride));
        }
    }
    // Local digits continue past the end, digits of devices do not.
    let reached = |digit: &Digit| if digit.is_local() { 0 } else { digit.stride * digit.extent };
    let divides = |digits: &[Digit], step: i64| {
        let at = digits.partition_point(|digit| digit.stride <= step);
        let above = digits.get(at).map(|above| above.stride);
        let Some(below) = at.checked_sub(1).map(|below| &digits[below]) else {
            return above.is_none_or(|above| above % step == 0);
        };
        let end = above.unwrap_or(reached(below));
        step % below.stride == 0 && (end % step == 0 || end < step)
    };
    let mut cuts = vec![1];
    for step in steps {
        let below = cuts[cuts.len() - 1];
        if step > below && step < end && step % below == 0 && divides(from, step) && divides(to, step) {
            cuts.push(step);
        }
    }
    cuts
}

/// The parts of digits between two steps.
fn parts(digits: &[Digit], step: i64, end: Option<i64>) -> Vec<Part> {
    let mut parts = Vec::new();
    for &digit in digits {
        let reached = digit.stride * digit.extent;
        if reached <= step || end.is_some_and(|end| digit.stride >= end) {
            continue;
        }
        let stride = digit.stride.max(step);
        let extent = (end.map_or(reached, |end| end.min(reached)) - 1) / stride + 1;
        if extent > 1 {
            parts.push(Part { digit, inner: stride / digit.stride, extent, stride });
        }
    }
    parts
}

impl Segment {
    /// Whether one digit of each sharding counts it.
    pub(crate) fn divides(&self) -> bool {
        self.from.len() <= 1 && self.to.len() <= 1
    }

    /// The parts of axes that count it before and after, for a segment that [divides](Self::divides).
    pub(crate) fn counted_by(&self) -> [Option<SubAxis>; 2] {
        [&self.from, &self.to].map(|parts| match parts.first()? {
            Part { digit: Digit { owner: Owner::Axis { axis, weight }, .. }, inner, extent, .. } => {
                Some(SubAxis { axis: *axis, weight: weight * inner, extent: *extent })
            }
            _ => None,
        })
    }

    /// An upper bound on the runs of one device before, and of one after.
    pub(crate) fn pieces(&self) -> i64 {
        let runs = |parts: &[Part]| {
            let apart = parts.iter().skip(1).filter(|part| part.digit.is_local());
            apart.fold(1i64, |runs, part| runs.saturating_mul(part.extent))
        };
        if self.divides() { 1 } else { runs(&self.from).saturating_add(runs(&self.to)) }
    }

    /// The values that the device at `source` holds before and the device at `destination` after; none if there are
    /// none.
    pub(crate) fn common(&self, source: &[i64], destination: &[i64]) -> Option<Common> {
        if self.divides() {
            let fixed = |parts: &[Part], at: &[i64]| parts.first().and_then(|part| part.fixed(at));
            return match (fixed(&self.from, source), fixed(&self.to, destination)) {
                (Some(sent), Some(kept)) => (sent == kept).then_some(Common::One(sent)),
                (None, None) => Some(Common::All),
                (sent, kept) => sent.or(kept).map(Common::One),
            };
        }
        let (sent, kept) = (self.runs(&self.from, source), self.runs(&self.to, destination));
        let local = |parts: &[Part]| parts.first().map_or(0, Part::local);
        let (sent_step, kept_step) = (local(&self.from), local(&self.to));
        let (mut runs, mut i, mut j) = (Vec::new(), 0, 0);
        while let (Some(a), Some(b)) = (sent.get(i), kept.get(j)) {
            let (first, end) = (a.0.max(b.0), (a.0 + a.1).min(b.0 + b.1));
            if first < end {
                let (from, to) = (a.2 + (first - a.0) * sent_step, b.2 + (first - b.0) * kept_step);
                runs.push(Run { first, length: end - first, from, to });
            }
            if a.0 + a.1 == end { i += 1 } else { j += 1 }
        }
        (!runs.is_empty()).then_some(Common::Runs(runs))
    }

    /// The values of a device as runs: the first, their number, and the local index of the first.
    fn runs(&self, parts: &[Part], at: &[i64]) -> Vec<(i64, i64, i64)> {
        let mut runs = vec![(0, 1, 0)];
        for (i, part) in parts.iter().enumerate() {
            let weight = part.stride / self.step;
            let values = part.fixed(at).map_or(0..part.extent, |value| value..value + 1);
            runs = if i == 0 && part.digit.is_local() {
                vec![(0, part.extent, 0)]
            } else {
                let next = |value| {
                    let move_on = move |run: &(i64, i64, i64)| {
                        (run.0 + value * weight, run.1, run.2 + value * part.local())
                    };
                    runs.iter().map(move_on).collect::<Vec<_>>()
                };
                values.flat_map(next).collect()
            };
        }
        // Local indices past the end of the dimension are not used.
        let within = |run: (i64, i64, i64)| {
            (run.0 < self.extent).then_some((run.0, run.1.min(self.extent - run.0), run.2))
        };
        runs.into_iter().filter_map(within).collect()
    }

    /// The devices that hold before the values of the device at `destination` after, as distances from the first along
    /// the parts of axes that count the segment: a mode for each part that may have any value, otherwise a list.
    pub(crate) fn sources(&self, mesh: &Mesh, destination: &[i64]) -> (BTreeSet<i64>, Vec<(i64, i64)>) {
        let axes: Vec<(&Part, i64)> =
            self.from.iter().filter_map(|part| Some((part, device_step(mesh, part)?))).collect();
        let one = |(part, step): &(&Part, i64), value: i64| (value < part.extent).then(|| value * step);
        let free = || ([0].into(), axes.iter().map(|(part, step)| (part.extent, *step)).collect());
        if !self.divides() {
            return self.holders(&axes, destination).map_or_else(free, |sources| (sources, Vec::new()));
        }
        match (axes.first(), self.to.first().and_then(|part| part.fixed(destination))) {
            (Some(axis), Some(value)) => (one(axis, value).into_iter().collect(), Vec::new()),
            _ => free(),
        }
    }

    /// The devices that hold the runs of a device before; none if these have more than [`PIECES`] blocks.
    fn holders(&self, axes: &[(&Part, i64)], destination: &[i64]) -> Option<BTreeSet<i64>> {
        let block = self.from.first().filter(|part| part.digit.is_local()).map_or(1, |part| part.extent);
        let kept = self.runs(&self.to, destination);
        let blocks = |run: &(i64, i64, i64)| (run.1 - 1) / block + 2;
        if kept.iter().map(blocks).fold(0, i64::saturating_add) > PIECES {
            return None;
        }
        let mut sources = BTreeSet::new();
        for (first, length, _) in kept {
            let mut at = first;
            while at < first + length {
                let value = |part: &Part| at / (part.stride / self.step) % part.extent;
                sources.insert(axes.iter().map(|(part, step)| value(part) * step).sum());
                at = (at / block + 1) * block;
            }
        }
        Some(sources)
    }

    /// The values as lines, each continuing one of those of the faster segments.
    pub(crate) fn lines(&self, common: &Common, faster: &[Line]) -> Vec<Line> {
        let side = |parts: &[Part]| parts.first().map_or(0, Part::local);
        let steps = [self.step, side(&self.from), side(&self.to)];
        let add = |line: &Line, first: [i64; 3], extent: i64| {
            let mut line = line.clone();
            for (sum, own) in line.first.iter_mut().zip(first) {
                *sum += own;
            }
            if extent > 1 {
                line.modes.push((extent, steps));
            }
            line
        };
        match common {
            Common::All => faster.iter().map(|line| add(line, [0; 3], self.extent)).collect(),
            Common::One(value) => {
                faster.iter().map(|line| add(line, steps.map(|step| step * value), 1)).collect()
            }
            Common::Runs(runs) => {
                let own = |run: &Run| {
                    let first = [run.first * self.step, run.from, run.to];
                    faster.iter().map(|line| add(line, first, run.length)).collect::<Vec<_>>()
                };
                runs.iter().flat_map(own).collect()
            }
        }
    }

    /// The values, to be counted.
    pub(crate) fn counted(&self, common: &Common) -> (i64, Values) {
        let values = match common {
            Common::All => Values::All(self.extent),
            Common::One(value) => Values::One(*value),
            Common::Runs(runs) => Values::Runs(runs.iter().map(|run| (run.first, run.length)).collect()),
        };
        (self.step, values)
    }
}

/// The step of a part in the positions of devices, if an axis counts it.
fn device_step(mesh: &Mesh, part: &Part) -> Option<i64> {
    let Owner::Axis { axis, weight } = part.digit.owner else { return None };
    Some(crate::mesh::step(&mesh.devices().leaves()[axis]) * weight * part.inner)
}
