//! The layout of an output that is not prescribed: compact, with its labels in the order that is written fastest.
//!
//! | contraction | the labels, the fastest first |
//! |---|---|
//! | products of matrices | those of the rows, those of the columns, those of the batch |
//! | short sums of few columns | rows with strides below the sums', until they form a long run, the columns, the other rows, the batch |
//! | tiny products side by side | those of the batch first: vectors run across the products |
//! | no element is used twice | those of the larger operand, of the batch or not, then the others |
//!
//! Within each group, labels keep their order in the operands, so that they form one loop in both. The rows are the
//! labels of the operand that is contiguous along one of them, because its panels and the tiles of the output are then
//! whole vectors; if both operands are, or neither, those of the larger side.

use super::fold::Term;
use super::spec::Extents;
use crate::tuning::contract::{LONG_RUN, MOVED, SIDE_BY_SIDE, TINY};
use crate::tuning::matmul::SMALL;
use tilework::__private::sort_by_key;

/// The labels of the output, the fastest first, if the last step has these operands, or their results, on its two
/// sides.
pub(super) fn order(output: &[char], sides: [Vec<&Term>; 2], extents: &Extents) -> Vec<char> {
    let [first, second] = sides.map(|operands| Side { operands });
    let kind = |label: char| [first.has(label), second.has(label)];
    let size = |of: [bool; 2]| -> f64 {
        let own = output.iter().filter(|&&label| kind(label) == of);
        own.map(|&label| extents.of(label) as f64).product()
    };
    let (rows, columns, batch) = (size([true, false]), size([false, true]), size([true, true]));
    let summed = |side: &Side| -> f64 {
        let own = extents.labels().filter(|label| side.has(*label) && !output.contains(label));
        own.map(|label| extents.of(label) as f64).product()
    };
    let steps = summed(&first).max(summed(&second));
    let streams = rows.min(columns).min(steps) == 1.0;
    let second_leads = match streams {
        true => columns * summed(&second) > rows * summed(&first),
        false => {
            (second.is_contiguous(output, &first), columns) > (first.is_contiguous(output, &second), rows)
        }
    };
    let (leading, other) = if second_leads { (&second, &first) } else { (&first, &second) };
    let across = |label| leading.has(label) && other.has(label);
    let contiguous_batch = output.iter().any(|&label| {
        across(label) && leading.distance(label) == 1 && extents.of(label) >= SIDE_BY_SIDE as i64
    });
    let side_by_side = contiguous_batch && rows * columns * steps <= TINY as f64 && batch > 1.0;
    // Rows with strides below the sums' are written together with the columns, if they form vectors; or if there are no
    // such rows, and the columns form vectors.
    let beyond_sums = |label| {
        let summed = extents.labels().filter(|c| leading.has(*c) && !output.contains(c));
        summed.map(|c| leading.distance(c)).min().is_some_and(|nearest| leading.distance(label) > nearest)
    };
    let is_within = |label: &char| leading.has(*label) && !other.has(*label) && !beyond_sums(*label);
    let mut within: Vec<char> = output.iter().copied().filter(is_within).collect();
    let rows_within: f64 = within.iter().map(|&label| extents.of(label) as f64).product();
    let few = if second_leads { rows } else { columns };
    let moved = few.max(steps) <= MOVED as f64 && rows * columns * steps > SMALL as f64;
    let together = moved && (if rows_within > 1.0 { rows_within } else { few }) >= SIDE_BY_SIDE as f64;
    sort_by_key(&mut within, |&label| leading.distance(label));
    let mut run = 1.0;
    within.retain(|&label| {
        let is_short = run < LONG_RUN as f64;
        run *= extents.of(label) as f64;
        is_short
    });
    let class = |label| match (leading.has(label), other.has(label)) {
        (true, true) if side_by_side || streams => 0,
        (true, true) => 4,
        (true, false) if together && !within.contains(&label) => 3,
        (true, false) => 1 - usize::from(streams),
        _ => 2,
    };
    let mut labels = output.to_vec();
    sort_by_key(&mut labels, |&label| {
        let side = if leading.has(label) { leading } else { other };
        (class(label), side.distance(label), label)
    });
    labels
}

/// The operands on one side of the last step.
struct Side<'a> {
    operands: Vec<&'a Term>,
}

impl Side<'_> {
    fn has(&self, label: char) -> bool {
        self.operands.iter().any(|term| term.labels.contains(&label))
    }

    /// The smallest stride along a label; stride 0 is outermost.
    fn distance(&self, label: char) -> u64 {
        let distances = self.operands.iter().filter_map(|term| term.stride(label));
        distances.filter(|&distance| distance > 0).min().unwrap_or(u64::MAX)
    }

    /// Whether it is contiguous along a label that the output has and the other side lacks. A result of several
    /// operands can be made so.
    fn is_contiguous(&self, output: &[char], other: &Side) -> bool {
        let mut own = output.iter().filter(|&&label| self.has(label) && !other.has(label));
        self.operands.len() > 1 || own.any(|&label| self.distance(label) == 1)
    }
}
