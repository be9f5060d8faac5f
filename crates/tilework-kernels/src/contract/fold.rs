//! Folding: the labels of two operands become the modes of a batched GEMM (paper, section 1.3, equations 1 and 2).
//!
//! | labels of | are | |
//! |---|---|---|
//! | `A` and `C` | rows, `m` | |
//! | `B` and `C` | columns, `n` | |
//! | `A` and `B`, or one of them | reduced, `k` | in an operand that lacks the label, its stride is 0 |
//! | `A`, `B` and `C` | batch, `l` | |
//!
//! Any order of the labels within a mode is correct. It decides the order of memory accesses:
//!
//! * The fused mode follows the operand that moves the most bytes, its smallest strides first.
//! * The first label is contiguous in `C`, so that tiles are written by vectors; or in the operand, if much more is
//!   packed than written.
//! * Outer labels become part of the batch if the rest is large enough, so that the tables of offsets stay small.

use super::spec::Extents;
use crate::error::Error;
use crate::loops::modes::{self, Mode};
use crate::tuning::contract::{RATIO_OF_BATCH, RATIO_OF_STEPS, ROWS_OF_BATCH, SCATTER};
use std::fmt;
use tilework::{Layout, Leaf};

/// An operand of a step: labels, one for each mode of the layout.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub labels: Vec<char>,
    pub layout: Layout,
}

impl Term {
    /// The smallest stride along a label, if the operand has it.
    pub fn stride(&self, label: char) -> Option<u64> {
        let mode = self.labels.iter().position(|c| *c == label)?;
        let mode = self.layout.mode(mode).ok()?;
        let distance = |leaf: &Leaf| leaf.stride.as_integer().unwrap_or(0).unsigned_abs();
        Some(mode.leaves().iter().filter(|leaf| leaf.extent > 1).map(distance).min().unwrap_or(0))
    }
}

/// One loop, with its strides in `A`, `B` and `C`.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub labels: String,
    pub extent: usize,
    pub strides: [isize; 3],
    /// Offsets by index, if they are not linear: the operands cut the label in ways that have no common refinement.
    table: Option<Box<[Vec<isize>; 3]>>,
}

impl Loop {
    /// The offset of a step in an operand.
    pub(crate) fn at(&self, operand: usize, step: usize) -> isize {
        match &self.table {
            None => self.strides[operand] * step as isize,
            Some(table) => table[operand][step],
        }
    }

    /// The strides, if offsets are linear.
    pub(crate) fn linear(&self) -> Option<[isize; 3]> {
        self.table.is_none().then_some(self.strides)
    }

    fn distance(&self, operand: usize) -> usize {
        self.strides[operand].unsigned_abs()
    }

    /// Makes the stride of `C` positive, or that of the first operand whose stride is not 0.
    fn turn(&mut self, start: &mut [isize; 3]) {
        let leading = [C, A, B].into_iter().find(|&operand| self.strides[operand] != 0);
        if self.table.is_none() && leading.is_some_and(|operand| self.strides[operand] < 0) {
            for (start, stride) in start.iter_mut().zip(&mut self.strides) {
                *start += *stride * (self.extent as isize - 1);
                *stride = -*stride;
            }
        }
    }

    /// The first `inner` steps, and the loop over such parts.
    pub(super) fn cut(self, inner: usize) -> [Loop; 2] {
        let outer = Loop {
            extent: self.extent / inner,
            strides: self.strides.map(|stride| stride * inner as isize),
            ..self.clone()
        };
        [Loop { extent: inner, ..self }, outer]
    }
}

impl fmt::Display for Loop {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}", self.labels, self.extent)
    }
}

/// The loops of a pair by their roles: `m`, `n`, `k` and the batch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fold {
    pub m: Vec<Loop>,
    pub n: Vec<Loop>,
    pub k: Vec<Loop>,
    pub batch: Vec<Loop>,
    /// The offsets of the first elements: loops of negative stride in `C`, or in `A` if that of `C` is 0, are reversed.
    pub start: [isize; 3],
}

pub(crate) const A: usize = 0;
pub(crate) const B: usize = 1;
pub(crate) const C: usize = 2;

impl Fold {
    /// The loops of `terms` (`A`, `B` and `C`), in no particular order.
    pub(crate) fn new(terms: [&Term; 3], extents: &Extents) -> Result<Fold, Error> {
        let mut fold = Fold::default();
        for label in extents.labels() {
            let has = terms.map(|term| term.labels.contains(&label));
            let loops = match has {
                [false, false, _] => continue,
                [true, true, true] => &mut fold.batch,
                [true, false, true] => &mut fold.m,
                [false, true, true] => &mut fold.n,
                [_, _, false] => &mut fold.k,
            };
            let mut own = loops_of(label, extents.of(label), terms)?;
            own.iter_mut().for_each(|l| l.turn(&mut fold.start));
            loops.append(&mut own);
        }
        Ok(fold)
    }

    /// `C^T = B A^T`.
    pub(crate) fn swap(&mut self) {
        std::mem::swap(&mut self.m, &mut self.n);
        self.start.swap(A, B);
        for l in [&mut self.m, &mut self.n, &mut self.k, &mut self.batch].into_iter().flatten() {
            l.strides.swap(A, B);
            if let Some(table) = &mut l.table {
                table.swap(A, B);
            }
        }
    }

    /// Whether `C` has longer vectors along the columns, up to `lanes`; if they are equal, whether it is wider than high.
    /// Vectors of less than a half count only for `small` products, which are not packed.
    pub(crate) fn wants_swap(&self, lanes: usize, small: bool) -> bool {
        let run = |loops: &[Loop]| {
            let run = loops.iter().find(|l| l.strides[C] == 1).map_or(1, |l| l.extent);
            if 2 * run < lanes && !small { 1 } else { run.min(lanes) }
        };
        (run(&self.n), size(&self.n)) > (run(&self.m), size(&self.m))
    }

    /// Orders the loops.
    pub(crate) fn arrange(&mut self) {
        let (m, n, k) = (size(&self.m), size(&self.n), size(&self.k));
        // For each element of the batch, A has m k elements, B has n k and C has m n.
        let follow = |own, k, other| if k >= other { [own, C] } else { [C, own] };
        // Packing a single element costs a fraction of writing one; columns are never written by vectors.
        let first = if k / SCATTER >= n { A } else { C };
        order(&mut self.m, follow(A, k, n), first);
        order(&mut self.n, follow(B, k, m), B);
        // An operand that is contiguous along its rows is packed by vectors in any order of the steps; so the other one
        // chooses the order, unless it is far smaller.
        let along_rows = |loops: &[Loop], operand| loops.iter().any(|l| l.strides[operand] == 1);
        let similar = m.max(n) / RATIO_OF_STEPS < m.min(n);
        let by = match (along_rows(&self.m, A), along_rows(&self.n, B)) {
            (true, false) if similar => [B, A],
            (false, true) if similar => [A, B],
            _ if m >= n => [A, B],
            _ => [B, A],
        };
        sort(&mut self.k, by);
        sort(&mut self.batch, [C, A]);
        // Outer loops, first of the rows and then of the columns, become part of the batch.
        for (loops, other) in [(&mut self.m, n), (&mut self.n, m)] {
            while let Some(last) = loops.last()
                && size(loops) / last.extent >= ROWS_OF_BATCH.max(other.saturating_mul(RATIO_OF_BATCH))
            {
                self.batch.extend(loops.pop());
            }
        }
    }
}

/// The number of steps of a nest of loops.
pub(crate) fn size(loops: &[Loop]) -> usize {
    // A size that overflows is too large for a table anyway.
    loops.iter().fold(1, |size, l| size.saturating_mul(l.extent))
}

/// The offsets of a nest of loops in an operand, the first loop innermost.
pub(crate) fn offsets(loops: &[Loop], operand: usize) -> Result<Vec<isize>, Error> {
    let mut all = room(size(loops))?;
    all.push(0);
    for l in loops {
        let inner = all.len();
        for step in 1..l.extent {
            let from = l.at(operand, step);
            all.extend_from_within(..inner);
            all[step * inner..].iter_mut().for_each(|offset| *offset += from);
        }
    }
    Ok(all)
}

/// The offsets of the operands at a step of a nest of loops, the first innermost.
pub(super) fn offsets_of(start: [isize; 3], loops: &[Loop], mut index: usize) -> [isize; 3] {
    let mut offsets = start;
    for l in loops {
        let step = index % l.extent;
        index /= l.extent;
        offsets.iter_mut().enumerate().for_each(|(operand, offset)| *offset += l.at(operand, step));
    }
    offsets
}

/// Room for a table.
fn room(count: usize) -> Result<Vec<isize>, Error> {
    let mut table = Vec::new();
    let bytes = count as u128 * size_of::<isize>() as u128;
    table.try_reserve_exact(count).map_err(|_| Error::Memory { bytes })?;
    Ok(table)
}

/// The loops of one label, in which all operands that have it are linear, or one loop with a table.
fn loops_of(label: char, extent: i64, terms: [&Term; 3]) -> Result<Vec<Loop>, Error> {
    if extent == 1 {
        return Ok(Vec::new());
    }
    if let Some(strides) = strides_of(label, terms) {
        return Ok(vec![Loop { labels: label.into(), extent: extent as usize, strides, table: None }]);
    }
    let mut layouts = [Layout::of(extent, 0)?; 3];
    let mut refined = true;
    for (term, layout) in terms.into_iter().zip(&mut layouts) {
        for mode in modes_of(term, label)? {
            // A repeated label indexes the diagonal: the strides are added.
            match layout.layout_add(&mode) {
                Ok(sum) => *layout = sum,
                Err(_) => refined = false,
            }
        }
    }
    let joint = if refined { modes::joint([&layouts[0], &layouts[1], &layouts[2]]) } else { None };
    if let Some(modes) = joint {
        let plain = |Mode { extent, strides }| Loop { labels: label.into(), extent, strides, table: None };
        return Ok(modes.into_iter().map(plain).collect());
    }
    let mut table: Box<[Vec<isize>; 3]> = Box::default();
    for (term, offsets) in terms.into_iter().zip(table.iter_mut()) {
        *offsets = room(extent as usize)?;
        offsets.resize(extent as usize, 0);
        for mode in modes_of(term, label)? {
            (0..).zip(&mut *offsets).for_each(|(step, offset)| *offset += mode.at(step) as isize);
        }
    }
    let strides = std::array::from_fn(|operand| table[operand][1]);
    Ok(vec![Loop { labels: label.into(), extent: extent as usize, strides, table: Some(table) }])
}

/// The stride of a label in each operand, if no mode is nested.
fn strides_of(label: char, terms: [&Term; 3]) -> Option<[isize; 3]> {
    let mut strides = [0isize; 3];
    for (term, stride) in terms.into_iter().zip(&mut strides) {
        if term.layout.depth() > 1 {
            return None;
        }
        let leaves = term.labels.iter().zip(term.layout.leaves());
        for (_, leaf) in leaves.filter(|(own, _)| **own == label) {
            *stride += isize::try_from(leaf.stride.as_integer()?).ok()?;
        }
    }
    Some(strides)
}

/// The modes that a label names.
fn modes_of(term: &Term, label: char) -> Result<Vec<Layout>, Error> {
    let named = (0..term.labels.len()).filter(|&mode| term.labels[mode] == label);
    Ok(named.map(|mode| term.layout.mode(mode)).collect::<Result<_, _>>()?)
}

/// Sorts loops by the strides of the first operand and among equals by those of the second, the smallest first and
/// those of stride 0 last; loops that continue each other in all operands are merged.
fn sort(loops: &mut Vec<Loop>, [first, second]: [usize; 2]) {
    let by = |l: &Loop, operand| (l.distance(operand) == 0, l.distance(operand));
    tilework::__private::sort_by_key(loops, |l| (by(l, first), by(l, second)));
    let mut merged: Vec<Loop> = Vec::new();
    for next in loops.drain(..) {
        match merged.last_mut() {
            Some(last)
                if last.table.is_none()
                    && next.table.is_none()
                    && (0..3).all(|i| next.strides[i] == last.strides[i] * last.extent as isize) =>
            {
                last.extent *= next.extent;
                if !last.labels.contains(&next.labels) {
                    last.labels += &next.labels;
                }
            }
            _ => merged.push(next),
        }
    }
    *loops = merged;
}

/// Orders the loops of a free mode by the strides of `big`, those contiguous in `first` before all others.
fn order(loops: &mut Vec<Loop>, [big, small]: [usize; 2], first: usize) {
    sort(loops, [big, small]);
    let unit = |operand| loops.iter().position(|l| l.strides[operand] == 1);
    if let Some(at) = unit(first).or(unit(big)).or(unit(small)) {
        loops[..=at].rotate_right(1);
    }
}
