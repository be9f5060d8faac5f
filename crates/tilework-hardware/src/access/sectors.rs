//! Sectors and lines of an access to global memory.

use super::{Access, Offsets, Reach};
use crate::memory::Sectors;
use crate::refused::Refused;
use alloc::vec::Vec;
use core::fmt;
use tilework::{Error, HasLayout};

/// The memory traffic of an access, summed over all requests: a request is one instruction of one warp.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SectorReport {
    /// How many requests there are.
    pub requests: u64,
    /// The sectors that they access.
    pub sectors: u64,
    /// The fewest sectors that hold as many bits in each request.
    pub ideal: u64,
    /// The lines that they access.
    pub lines: u64,
    /// The different bits that they access.
    pub bits: u64,
    /// The bits of all sectors.
    pub moved: u64,
    /// The bits of an element.
    pub element_bits: u32,
    /// The elements that the access reaches.
    pub reach: Reach,
}

impl SectorReport {
    /// The fraction of the moved bits that is accessed: 1 if every sector is used in full.
    #[must_use]
    pub fn efficiency(&self) -> f64 {
        self.bits as f64 / self.moved.max(1) as f64
    }
}

impl fmt::Display for SectorReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SectorReport { requests, sectors, ideal, lines, element_bits, reach, .. } = self;
        let percent = 100.0 * self.efficiency();
        write!(f, "{sectors} sectors, at best {ideal}: {percent:.1} % of the bytes moved are used; ")?;
        write!(f, "requests {requests}, lines {lines}; elements of {element_bits} bits{reach}")
    }
}

impl Sectors {
    /// The memory traffic of an access to a layout in this memory. The layout begins at a multiple of a line.
    ///
    /// ```
    /// use tilework::layout;
    /// use tilework_hardware::{access::Access, memory::Sectors};
    /// // Each of 32 lanes stores two bytes, four bytes apart.
    /// let store = Access::new(layout!(32:2), 16)?;
    /// let report = Sectors::NVIDIA.report(&layout!(64:1), &store)?;
    /// assert_eq!((report.sectors, report.ideal, report.lines, report.efficiency()), (4, 2, 1, 0.5));
    /// # Ok::<(), tilework_hardware::Refused>(())
    /// ```
    ///
    /// # Errors
    /// As [`Banks::report`](crate::memory::Banks::report), and also for linear accesses of more than 65,536 values.
    pub fn report(&self, data: &impl HasLayout, access: &Access) -> Result<SectorReport, Refused> {
        let offsets = Offsets::new(data, access)?;
        let (sector, line) = (8 * i128::from(self.sector.max(1)), 8 * i128::from(self.line.max(1)));
        let lanes = self.lanes.max(1) as usize;
        let mut report = SectorReport {
            requests: 0,
            sectors: 0,
            ideal: 0,
            lines: 0,
            bits: 0,
            moved: 0,
            element_bits: access.bits(),
            reach: Offsets::reach(data.as_layout(), access)?,
        };
        let mut starts = Vec::new();
        for first in (0..offsets.threads()).step_by(lanes) {
            for instruction in 0..offsets.instructions() {
                let last = first.saturating_add(lanes).min(offsets.threads());
                starts.clear();
                starts.extend(
                    (first..last).filter_map(|thread| offsets.vector(thread, instruction)).map(i128::from),
                );
                starts.sort_unstable();
                if starts.is_empty() {
                    continue;
                }
                let (bits, width) = (i128::from(access.bits()), i128::from(access.width()));
                let ranges = || starts.iter().map(|start| (start * bits, start * bits + width));
                let used = units(ranges(), 1);
                report.requests += 1;
                report.bits += used;
                report.ideal += used.div_ceil(sector as u64);
                report.sectors += units(ranges(), sector);
                report.lines += units(ranges(), line);
            }
        }
        report.moved = report
            .sectors
            .checked_mul(sector as u64)
            .ok_or(Error::TooLarge { what: "the bits of all sectors" })?;
        Ok(report)
    }
}

/// The number of units of `unit` bits that ranges of bits intersect; the ranges are sorted and have equal lengths.
fn units(ranges: impl Iterator<Item = (i128, i128)>, unit: i128) -> u64 {
    let (mut count, mut next) = (0, i128::MIN);
    for (start, end) in ranges {
        let (first, behind) = (start.div_euclid(unit).max(next), (end - 1).div_euclid(unit) + 1);
        count += (behind - first).max(0);
        next = behind;
    }
    count as u64
}
