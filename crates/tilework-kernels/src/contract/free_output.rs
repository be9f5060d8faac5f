//! The layout of an output that is not prescribed: compact, with its letters in the order that is written fastest.
//!
//! | contraction | the letters, the fastest first |
//! |---|---|
//! | products of matrices | those of the rows, those of the columns, those of the batch |
//! | short sums of few columns | rows with strides below the sums', until they form a long run, the columns, the other rows, the batch |
//! | tiny products side by side | those of the batch first: vectors run across the products |
//! | no element is used twice | those of the larger operand, of the batch or not, then the others |
//!
//! Within each group, letters keep their order in the operands, so that they form one loop in both. The rows are the
//! letters of the operand that is contiguous along one of them, because its panels and the tiles of the output are then
//! whole vectors; if both operands are, or neither, those of the larger side.

use super::fold::Term;
use super::spec::Extents;
use crate::tuning::contract::{LONG_RUN, MOVED, SIDE_BY_SIDE, TINY};
use crate::tuning::matmul::SMALL;

/// The letters of the output, the fastest first, if the last step has these operands, or their results, on its two
/// sides.
pub(super) fn order(output: &[char], sides: [Vec<&Term>; 2], extents: &Extents) -> Vec<char> {
    let [first, second] = sides.map(|operands| Side { operands });
    let kind = |letter: char| [first.has(letter), second.has(letter)];
    let size = |of: [bool; 2]| -> f64 {
        let own = output.iter().filter(|&&letter| kind(letter) == of);
        own.map(|&letter| extents.of(letter) as f64).product()
    };
    let (rows, columns, batch) = (size([true, false]), size([false, true]), size([true, true]));
    let summed = |side: &Side| -> f64 {
        let own = extents.letters().filter(|letter| side.has(*letter) && !output.contains(letter));
        own.map(|letter| extents.of(letter) as f64).product()
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
    let across = |letter| leading.has(letter) && other.has(letter);
    let contiguous_batch = output.iter().any(|&letter| {
        across(letter) && leading.distance(letter) == 1 && extents.of(letter) >= SIDE_BY_SIDE as i64
    });
    let side_by_side = contiguous_batch && rows * columns * steps <= TINY as f64 && batch > 1.0;
    // Rows with strides below the sums' are written together with the columns, if they form vectors; or if there are no
    // such rows, and the columns form vectors.
    let beyond_sums = |letter| {
        let summed = extents.letters().filter(|c| leading.has(*c) && !output.contains(c));
        summed.map(|c| leading.distance(c)).min().is_some_and(|nearest| leading.distance(letter) > nearest)
    };
    let is_within = |letter: &char| leading.has(*letter) && !other.has(*letter) && !beyond_sums(*letter);
    let mut within: Vec<char> = output.iter().copied().filter(is_within).collect();
    let rows_within: f64 = within.iter().map(|&letter| extents.of(letter) as f64).product();
    let few = if second_leads { rows } else { columns };
    let moved = few.max(steps) <= MOVED as f64 && rows * columns * steps > SMALL as f64;
    let together = moved && (if rows_within > 1.0 { rows_within } else { few }) >= SIDE_BY_SIDE as f64;
    within.sort_by_key(|&letter| leading.distance(letter));
    let mut run = 1.0;
    within.retain(|&letter| {
        let is_short = run < LONG_RUN as f64;
        run *= extents.of(letter) as f64;
        is_short
    });
    let class = |letter| match (leading.has(letter), other.has(letter)) {
        (true, true) if side_by_side || streams => 0,
        (true, true) => 4,
        (true, false) if together && !within.contains(&letter) => 3,
        (true, false) => 1 - usize::from(streams),
        _ => 2,
    };
    let mut letters = output.to_vec();
    letters.sort_by_cached_key(|&letter| {
        let side = if leading.has(letter) { leading } else { other };
        (class(letter), side.distance(letter), letter)
    });
    letters
}

/// The operands on one side of the last step.
struct Side<'a> {
    operands: Vec<&'a Term>,
}

impl Side<'_> {
    fn has(&self, letter: char) -> bool {
        self.operands.iter().any(|term| term.letters.contains(&letter))
    }

    /// The smallest stride along a letter; stride 0 is outermost.
    fn distance(&self, letter: char) -> u64 {
        let distances = self.operands.iter().filter_map(|term| term.stride(letter));
        distances.filter(|&distance| distance > 0).min().unwrap_or(u64::MAX)
    }

    /// Whether it is contiguous along a letter that the output has and the other side lacks. A result of several
    /// operands can be made so.
    fn is_contiguous(&self, output: &[char], other: &Side) -> bool {
        let mut own = output.iter().filter(|&&letter| self.has(letter) && !other.has(letter));
        self.operands.len() > 1 || own.any(|&letter| self.distance(letter) == 1)
    }
}
