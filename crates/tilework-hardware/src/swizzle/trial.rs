//! The test of candidates.

use super::impossible::Impossible;
use super::ruled_out::{Reason, RuledOut};
use crate::access::{Access, BankReport, Columns, Method};
use crate::memory::Banks;
use crate::refused::Refused;
use alloc::vec::Vec;
use tilework::{Composed, Layout, Swizzle};

/// The wavefronts of an access beyond its ideal.
#[derive(Clone, Copy)]
struct Excess {
    access: usize,
    wavefronts: u64,
    ideal: u64,
}

/// All accesses of a kernel to a tile; the linear ones are given by columns.
pub(super) struct Trial<'a> {
    pub tile: Layout,
    pub accesses: &'a [(Banks, Access)],
    pub linear: Vec<Option<Columns>>,
    candidates: u64,
    /// The fewest wavefronts beyond the ideal of any candidate, and one of its accesses with conflicts.
    best: Option<(u64, Excess)>,
    refused: Option<(usize, Refused)>,
    /// The rejected candidates, if they are requested.
    pub ruled_out: Option<Vec<RuledOut>>,
    /// How many values may still be enumerated.
    budget: i64,
}

/// About a second.
const BUDGET: i64 = 1 << 26;

impl<'a> Trial<'a> {
    pub fn new(tile: &Layout, accesses: &'a [(Banks, Access)]) -> Trial<'a> {
        let linear = accesses.iter().map(|(banks, access)| {
            let columns = Columns::new(tile, access)?;
            columns.words(banks, access).map(|_| columns)
        });
        let linear = linear.collect();
        Trial {
            tile: *tile,
            accesses,
            linear,
            candidates: 0,
            best: None,
            refused: None,
            ruled_out: None,
            budget: BUDGET,
        }
    }

    /// Whether no access to the swizzled tile has conflicts.
    pub fn swizzled(&mut self, swizzle: Swizzle) -> bool {
        let data = Composed::new(swizzle, 0, self.tile);
        let (linear, accesses) = (core::mem::take(&mut self.linear), self.accesses);
        let free = self.is_free(|i| {
            let (banks, access) = &accesses[i];
            let Some(columns) = &linear[i] else { return banks.report(&data?, access) };
            // If vectors are broken up, counting finds the thread.
            columns.swizzled(swizzle).report(banks, access).map_or_else(|| banks.report(&data?, access), Ok)
        });
        self.linear = linear;
        if let (false, Ok(data)) = (free, data) {
            self.record(data);
        }
        free
    }

    /// Whether no access to another layout of the tile has conflicts.
    pub fn replaced(&mut self, layout: &Layout) -> bool {
        let accesses = self.accesses;
        let free = self.is_free(|i| accesses[i].0.report(layout, &accesses[i].1));
        if let (false, Ok(data)) = (free, Composed::new(Swizzle::NONE, 0, *layout)) {
            self.record(data);
        }
        free
    }

    /// Records why a candidate was rejected: the first access that does not reach its ideal.
    fn record(&mut self, data: Composed) {
        let Some(ruled_out) = &mut self.ruled_out else { return };
        let found = self.accesses.iter().enumerate().find_map(|(access, (banks, own))| {
            let reason = match banks.report(&data, own) {
                Ok(report) => Reason::Conflict {
                    wavefronts: report.wavefronts,
                    ideal: report.ideal,
                    conflict: report.conflict?,
                },
                Err(refused) => Reason::Refused(refused),
            };
            Some(RuledOut { data, access, reason })
        });
        ruled_out.extend(found);
    }

    fn is_free(&mut self, report: impl Fn(usize) -> Result<BankReport, Refused>) -> bool {
        if self.budget < 0 {
            return false;
        }
        self.candidates += 1;
        let (mut excess, mut worst) = (0, None);
        for access in 0..self.accesses.len() {
            let report = report(access);
            let by_rank = report.is_ok_and(|report| report.method != Method::Counted);
            self.budget -= if by_rank { 64 } else { self.accesses[access].1.layout().size().min(1 << 16) };
            match report {
                Ok(BankReport { wavefronts, ideal, .. }) => {
                    if wavefronts > ideal {
                        excess += wavefronts - ideal;
                        worst = worst.or(Some(Excess { access, wavefronts, ideal }));
                    }
                }
                Err(refused) => {
                    self.refused = self.refused.or(Some((access, refused)));
                    return false;
                }
            }
        }
        let Some(worst) = worst else { return true };
        if self.best.is_none_or(|(before, _)| excess < before) {
            self.best = Some((excess, worst));
        }
        false
    }

    /// The result if no candidate was free of conflicts.
    pub fn exhausted(&self) -> Impossible {
        if self.budget < 0 {
            return Impossible::Undecided { candidates: self.candidates };
        }
        match (self.best, self.refused) {
            (Some((_, Excess { access, wavefronts, ideal })), _) => {
                Impossible::Exhausted { candidates: self.candidates, access, wavefronts, ideal }
            }
            (None, Some((access, refused))) => Impossible::Refused { access, refused },
            (None, None) => Impossible::Undecided { candidates: self.candidates },
        }
    }
}
