//! Padding: unused elements after each row.

use super::certificate::Certificate;
use super::impossible::Impossible;
use super::trial::Trial;
use crate::access::Access;
use crate::memory::Banks;
use alloc::vec::Vec;
use tilework::{Error, HTuple, Layout, Leaf, Stride, Swizzle};

/// The padding that takes the least memory. A row ends at a stride that divides all larger strides. Paddings longer
/// than a line of all banks need not be tried: the banks repeat, and no further rows share a word.
pub(super) fn search<'a>(trial: &mut Trial<'a>) -> Result<Certificate<'a>, Impossible> {
    let refused = |error: Error| Impossible::Refused { access: 0, refused: error.into() };
    let (tile, accesses) = (trial.tile, trial.accesses);
    let step = accesses.iter().map(|(_, access)| i64::from(access.vector_len())).max().unwrap_or(1);
    let line = |(banks, access): &(Banks, Access)| {
        let bits = 8 * i128::from(banks.bytes) * i128::from(banks.count);
        i64::try_from(bits / i128::from(access.bits())).unwrap_or(i64::MAX - 1) + 1
    };
    let line = accesses.iter().map(line).max().unwrap_or(1);
    if line.div_euclid(step) > MAX_STEPS {
        return Err(Impossible::Undecided { candidates: 0 });
    }
    let size = tile.cosize().map_err(refused)?;
    let mut candidates = Vec::from([(size, tile)]);
    for row in rows(&tile) {
        for free in (step..line).step_by(step as usize) {
            if let Ok(padded) = padded(&tile, row, free)
                && let Ok(size) = padded.cosize()
            {
                candidates.push((size, padded));
            }
        }
    }
    candidates.sort_by_key(|&(size, _)| size);
    match candidates.iter().find(|(_, layout)| trial.replaced(layout)) {
        Some((_, layout)) => Certificate::new(Swizzle::NONE, *layout, accesses).map_err(refused),
        None => Err(trial.exhausted()),
    }
}

/// The most paddings of a row that are tried.
const MAX_STEPS: i64 = 4096;

/// The strides at which a row ends: every mode stays below, or steps by multiples.
fn rows(tile: &Layout) -> Vec<i64> {
    let mut rows: Vec<i64> = moving(tile).filter_map(|leaf| leaf.stride.as_integer()).collect();
    rows.sort_unstable();
    rows.dedup();
    let is_row = |row: i64| {
        moving(tile).all(|leaf| {
            let stride = leaf.stride.as_integer().unwrap_or(-1);
            stride >= 0 && (stride % row == 0 || stride < row && (leaf.extent - 1) * stride < row)
        })
    };
    rows.retain(|&row| row > 1 && is_row(row));
    rows
}

fn moving(tile: &Layout) -> impl Iterator<Item = &Leaf> {
    tile.leaves().iter().filter(|leaf| leaf.extent > 1 && !leaf.stride.is_zero())
}

/// The tile with `free` unused elements after each row.
fn padded(tile: &Layout, row: i64, free: i64) -> Result<Layout, Error> {
    let overflow = Error::Overflow { left: row, operator: '+', right: free };
    let mut leaves = Vec::new();
    for &Leaf { extent, stride } in tile.leaves() {
        let before = stride.as_integer().unwrap_or(0);
        let rows = if before % row == 0 { before / row } else { 0 };
        let more = rows.checked_mul(free).and_then(|more| before.checked_add(more)).ok_or(overflow)?;
        leaves.push(Leaf { extent, stride: Stride::integer(more) });
    }
    Layout::new(HTuple::with_profile(tile.profile(), &leaves, Leaf::new(1, 0))?)
}
