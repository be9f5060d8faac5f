//! Bank conflicts: how many wavefronts the accesses of a statement to shared memory take, and how many would suffice.
//!
//! A bank gives one word of 4 bytes in a wavefront. An access of 8 or 16 bytes a thread is served for 16 or 8
//! threads at once. `ldmatrix` reads a matrix at a time, of which each thread gets a word.

use super::report::{Certainty, Report};
use super::site::{Seen, Site};
use crate::access::Access;
use crate::instruction::{Instruction, copied_bytes};
use crate::prelude::*;
use crate::program::Space;
use crate::sizes::Addresses;
use alloc::collections::BTreeSet;
use tilework_hardware::memory::Banks;

pub const BANKS: usize = Banks::NVIDIA.count as usize;
pub const WORD: usize = Banks::NVIDIA.bytes as usize;

/// The values of a thread that are accessed at once.
pub fn together(site: &Site<'_>, seen: &Seen<'_>) -> usize {
    let bytes = seen.tensor.element.bytes();
    let together = match (site.by, seen.is_written) {
        (Some(Instruction::AsyncCopy(atom)), true) => copied_bytes(atom) / bytes,
        (Some(Instruction::LoadMatrix(_)), false) => WORD as i64 / bytes,
        _ => seen.width.values,
    };
    together.max(1) as usize
}

/// The elements that are accessed at once, each by its value and then by its thread.
pub fn accesses(site: &Site<'_>, bytes: usize, together: usize) -> impl Iterator<Item = Vec<usize>> {
    let (active, values) = (site.active as usize, site.values as usize);
    let threads = (BANKS * WORD / (together * bytes).max(WORD)).clamp(1, BANKS);
    (0..active).step_by(threads).flat_map(move |first| {
        (0..values).step_by(together).map(move |value| {
            let own = move |thread: usize| {
                (value..values.min(value + together)).map(move |value| thread * values + value)
            };
            (first..active.min(first + threads)).flat_map(own).collect()
        })
    })
}

/// Adds a sentence for each view of shared memory.
pub fn check(site: &Site<'_>, report: &mut Report) -> Result<(), Error> {
    for seen in site.views.iter().filter(|seen| seen.tensor.space == Space::Shared) {
        let (tensor, access, together) = (seen.tensor, site.access(seen.view), together(site, seen));
        let (Some(starts), Some(addresses)) = (access.starts(site.program), tensor.local_addresses()?) else {
            continue;
        };
        let bytes = tensor.element.bytes() as usize;
        let at = |start: Vec<i64>| wavefronts(&access, &addresses, bytes, together, site, &start);
        let Some((ways, found, least)) = starts.map(at).max() else { continue };
        let (certainty, what) = match ways {
            0 | 1 => (Certainty::Proved, format!("no bank conflict, {found} wavefronts")),
            _ => {
                (Certainty::Slow, format!("{ways} ways in a bank, {found} wavefronts where {least} suffice"))
            }
        };
        report.push(Some(site.line), certainty, format!("{} {}: {what}", tensor.name, seen.verb()));
    }
    Ok(())
}

/// At a step of the loops: the most wavefronts of one access for each that it needs, all wavefronts of a block, and the
/// least that its words need.
fn wavefronts(
    access: &Access<'_>,
    addresses: &Addresses,
    bytes: usize,
    together: usize,
    site: &Site<'_>,
    start: &[i64],
) -> (usize, usize, usize) {
    let (mut ways, mut found, mut least) = (0, 0, 0);
    for elements in accesses(site, bytes, together) {
        let at = |element| addresses.of(access.coordinate(start, element));
        let words: BTreeSet<usize> =
            elements.into_iter().filter_map(at).map(|at| at * bytes / WORD).collect();
        let mut banks = [0usize; BANKS];
        words.iter().for_each(|word| banks[word % BANKS] += 1);
        let (own, needed) = (banks.into_iter().max().unwrap_or(0), words.len().div_ceil(BANKS));
        ways = ways.max(if needed == 0 { 0 } else { own.div_ceil(needed) });
        found += own;
        least += needed;
    }
    (ways, found, least)
}
