//! Bank conflicts: how many wavefronts the accesses of a statement to shared memory take, and how many would suffice.
//!
//! A bank gives one word of 4 bytes in a wavefront. A warp accesses one value at a time, and a copy of 8 or 16 bytes a
//! thread is served for 16 or 8 threads at once. `ldmatrix` reads a matrix at a time, of which each thread gets a word.

use super::report::{Certainty, Report};
use super::site::Site;
use crate::access::Access;
use crate::error::Error;
use crate::form::Indices;
use crate::instruction::{Instruction, copied_bytes};
use crate::program::{Program, Space, Storage};
use crate::sizes::Addresses;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::vec::Vec;

const BANKS: usize = 32;
const WORD: usize = 4;

/// Adds a sentence for each view of shared memory.
pub fn check(program: &Program, site: &Site<'_>, report: &mut Report) -> Result<(), Error> {
    let (written, read) = match site.by {
        Some(Instruction::AsyncCopy(atom)) => (copied_bytes(atom), 1),
        Some(Instruction::LoadMatrix(_)) => (1, WORD as i64),
        _ => (1, 1),
    };
    let mut views = alloc::vec![("written", site.to, written)];
    site.value.visit(&mut |view, is_read| views.extend(is_read.then_some(("read", view, read))));
    for (verb, view, together) in views {
        let tensor = program.tensor(view);
        let copied = (together / tensor.element.bytes()).max(1);
        let (Space::Shared, Storage::Local(layout)) = (tensor.space, &tensor.storage) else { continue };
        let access = Access::new(program, view, site.active, site.values);
        let Some(steps) = access.steps(program) else { continue };
        let addresses = Addresses::new(layout)?;
        let at = |loops| {
            wavefronts(&access, &addresses, tensor.element.bytes() as usize, copied as usize, site, loops)
        };
        let Some((ways, found, least)) = crate::access::coordinates(&steps).map(at).max() else { continue };
        let what = match ways {
            0 | 1 => format!("no bank conflict, {found} wavefronts"),
            _ => format!("{ways} ways in a bank, {found} wavefronts where {least} suffice"),
        };
        report.push(Some(site.line), Certainty::Proved, format!("{} {verb}: {what}", tensor.name));
    }
    Ok(())
}

/// At a step of the loops: the most wavefronts of one access for each that it needs, all wavefronts of a block, and the
/// least that its words need.
fn wavefronts(
    access: &Access<'_>,
    addresses: &Addresses,
    bytes: usize,
    copied: usize,
    site: &Site<'_>,
    loops: Vec<i64>,
) -> (usize, usize, usize) {
    let start = access.start(&Indices { loops, ..Indices::default() });
    let (active, values) = (site.active as usize, site.values as usize);
    let threads = (BANKS * WORD / (copied * bytes).max(WORD)).clamp(1, BANKS);
    let (mut ways, mut found, mut least) = (0, 0, 0);
    for first in (0..active).step_by(threads) {
        for value in (0..values).step_by(copied) {
            let mut words = BTreeSet::new();
            for thread in first..active.min(first + threads) {
                for own in value..values.min(value + copied) {
                    let at = addresses.of_sum(&start, access.fixed(thread * values + own));
                    words.extend(at.map(|at| at * bytes / WORD));
                }
            }
            let mut banks = [0usize; BANKS];
            words.iter().for_each(|word| banks[word % BANKS] += 1);
            let (own, needed) = (banks.into_iter().max().unwrap_or(0), words.len().div_ceil(BANKS));
            ways = ways.max(if needed == 0 { 0 } else { own.div_ceil(needed) });
            found += own;
            least += needed;
        }
    }
    (ways, found, least)
}
