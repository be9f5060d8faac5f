//! Padding: unused elements after each row.

use super::certificate::Certificate;
use super::impossible::Impossible;
use super::trial::Trial;
use crate::access::Access;
use crate::memory::Banks;
use alloc::vec::Vec;
use tilework::__private::gcd;
use tilework::{Error, HTuple, Layout, Leaf, Stride, Swizzle};

/// The padding that takes the least memory. A row ends at a stride that divides all larger strides. Only the vectors of
/// the accesses have to be aligned, so the rows may have any length.
///
/// Banks repeat after a `period` of elements. Rows that are padded by a period or more share no word, so one period more
/// changes no bank, and no two elements share a word that did not before: paddings below two periods are all.
pub(super) fn search<'a>(trial: &mut Trial<'a>) -> Result<Certificate<'a>, Impossible> {
    let refused = |error: Error| Impossible::Refused { access: 0, refused: error.into() };
    let (tile, accesses) = (trial.tile, trial.accesses);
    let period = accesses.iter().map(|(banks, access)| period(banks, access)).try_fold(1, common_multiple);
    let Some(period) = period.filter(|&period| period <= MAX_PERIOD) else {
        return Err(Impossible::Undecided { candidates: 0 });
    };
    let size = tile.cosize().map_err(refused)?;
    let mut candidates = Vec::from([(size, 1, 0)]);
    for row in rows(&tile) {
        for free in 1..2 * period {
            if let Ok(size) = padded(&tile, row, free).and_then(|padded| padded.cosize()) {
                candidates.push((size, row, free));
            }
        }
    }
    candidates.sort_by_key(|&(size, ..)| size);
    for (_, row, free) in candidates {
        let layout = padded(&tile, row, free).map_err(refused)?;
        if trial.replaced(&layout) {
            return Certificate::new(Swizzle::NONE, layout, accesses).map_err(refused);
        }
    }
    Err(trial.exhausted())
}

/// The longest period of the banks, in elements, whose paddings are tried.
const MAX_PERIOD: i64 = 4096;

/// The fewest elements whose bits fill lines of all banks.
fn period(banks: &Banks, access: &Access) -> i64 {
    let line = 8 * i128::from(banks.bytes.max(1)) * i128::from(banks.count.max(1));
    let bits = access.bits();
    let common = gcd((line % i128::from(bits)) as u64, bits.into());
    (line / i128::from(common)).try_into().unwrap_or(i64::MAX)
}

fn common_multiple(left: i64, right: i64) -> Option<i64> {
    left.checked_mul(right / gcd(left.unsigned_abs(), right.unsigned_abs()) as i64)
}

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
