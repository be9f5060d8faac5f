//! Wavefronts of an access to memory in banks.

use super::{Access, Columns, Offsets, Reach};
use crate::memory::{Banks, MAX_LANES};
use crate::refused::Refused;
use alloc::vec::Vec;
use core::fmt;
use tilework::{Error, HasLayout};

/// The cost of an access to a memory with banks.
///
/// In every phase each bank returns one word per *wavefront*, and lanes that access the same word share it. The ideal
/// is that of the same words spread evenly: `ceil(words / banks)` in each phase.
///
/// A profiler's `l1tex__data_bank_conflicts_pipe_lsu_mem_shared` counts other traffic of the first cache as well;
/// compare with `sm__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared` of one instruction. For 16-byte accesses, some
/// GPUs serve two lanes with the same address in one wavefront, where this count has two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct BankReport {
    /// All wavefronts of all warps and instructions.
    pub wavefronts: u64,
    /// The fewest wavefronts possible for these words.
    pub ideal: u64,
    /// The most words in one bank in one phase: a `degree`-way conflict.
    pub degree: u64,
    /// The phases of all warps and instructions.
    pub phases: u64,
    /// A bank of the first phase that takes longest, if it takes longer than its ideal.
    pub conflict: Option<Conflict>,
    /// The bits of an element.
    pub element_bits: u32,
    /// How the numbers were computed.
    pub method: Method,
    /// The elements that the access reaches.
    pub reach: Reach,
}

/// How a report was computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// By ranks over F2, the same for every phase.
    Rank {
        /// The rank of the words of a phase.
        words: u32,
        /// The rank of their banks.
        banks: u32,
    },
    /// By enumerating the values.
    Counted,
}

/// Lanes that access different words of a bank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Conflict {
    /// The warp.
    pub warp: u32,
    /// The instruction: the index of the vector of each thread.
    pub instruction: u32,
    /// The phase, as the layout of phases numbers it.
    pub phase: i64,
    /// The bank.
    pub bank: u32,
    /// How many different words the lanes access in it.
    pub words: u32,
    /// The lanes of the warp that access one of these words, as bits.
    pub lanes: u64,
}

/// A word of memory that a thread accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct WordAccess {
    /// The phase in which it accesses the word, as the layout of phases numbers it.
    pub phase: i64,
    /// The bank that contains the word.
    pub bank: u32,
    /// The word, counted from the beginning of the layout.
    pub word: i64,
    /// The thread.
    pub thread: i64,
}

impl BankReport {
    /// Whether there are no more wavefronts than the words need.
    #[must_use]
    pub const fn is_ideal(&self) -> bool {
        self.wavefronts == self.ideal
    }
}

impl fmt::Display for BankReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BankReport { wavefronts, ideal, degree, element_bits, reach, .. } = self;
        match self.conflict {
            Some(conflict) => {
                write!(f, "{degree}-way conflict: {wavefronts} wavefronts instead of {ideal}; {conflict}")?
            }
            None => {
                write!(f, "no conflict: {wavefronts} wavefront{}", if *wavefronts == 1 { "" } else { "s" })?
            }
        }
        write!(f, "; elements of {element_bits} bits{reach}")
    }
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("lanes ")?;
        let has = |lane: u32| lane < u64::BITS && self.lanes >> lane & 1 == 1;
        let (mut first, mut before) = (0, "");
        for lane in (0..u64::BITS).filter(|&lane| has(lane)) {
            if lane == 0 || !has(lane - 1) {
                first = lane;
            }
            if !has(lane + 1) {
                write!(f, "{before}{first}")?;
                if lane > first {
                    write!(f, "-{lane}")?;
                }
                before = ",";
            }
        }
        let place =
            [(self.warp.into(), "warp"), (self.instruction.into(), "instruction"), (self.phase, "phase")];
        for (number, what) in place.into_iter().filter(|(number, _)| *number > 0) {
            write!(f, " of {what} {number}")?;
        }
        write!(f, " access {} words of bank {}", self.words, self.bank)
    }
}

/// The lanes of one phase, and their words.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PhaseReport {
    /// The phase, as the layout of phases numbers it.
    pub phase: i64,
    /// The lanes that are served together, as bits.
    pub lanes: u64,
    /// How many different words they access.
    pub words: u64,
    /// The most words in one bank.
    pub wavefronts: u64,
    /// If the access is linear over F2: a basis of the differences of the words, and one of their banks. The span of
    /// the first has as many elements as the phase has words, the span of the second as many as the words have banks.
    pub bases: Option<[Vec<u64>; 2]>,
}

impl Banks {
    /// The cost of an access to a layout in this memory. The layout begins at bank 0. Vectors outside the layout access
    /// nothing, as behind a guard; [`BankReport::reach`] counts them.
    ///
    /// ```
    /// use tilework::layout;
    /// use tilework_hardware::{access::Access, memory::Banks};
    /// // 32 lanes read a column of a matrix of 32-bit elements.
    /// let column = Access::new(layout!(32:1), 32)?;
    /// let report = Banks::NVIDIA.report(&layout!((32,32):(32,1)), &column)?;
    /// assert_eq!((report.wavefronts, report.ideal), (32, 1));
    /// assert_eq!(Banks::NVIDIA.report(&layout!((32,32):(33,1)), &column)?.degree, 1);
    /// # Ok::<(), tilework_hardware::Refused>(())
    /// ```
    ///
    /// # Errors
    /// [`Refused::Outside`] if a vector is only in part inside the layout, or none is; [`Refused::Scattered`] and
    /// [`Refused::Misaligned`] for vectors that are not contiguous or do not begin at multiples of their length;
    /// [`Refused::Phases`];
    /// [`Refused::Algebra`] for offsets that are not integers, and for more than 65,536 values if the access is not
    /// linear.
    pub fn report(&self, data: &impl HasLayout, access: &Access) -> Result<BankReport, Refused> {
        let lanes = Lanes::new(self, access)?;
        if let Some(columns) = Columns::new(data, access)
            && let Some(mut report) = columns.report(self, access)
        {
            if !report.is_ideal() {
                let offset = |thread: usize| Some(columns.at(thread as u64, 0) as i64);
                let mut phase = Phase::default();
                phase.fill(self, access, lanes.first_phase(), offset)?;
                report.conflict = Some(phase.worst(0, 0, lanes.list[0].0));
            }
            return Ok(report);
        }
        let offsets = Offsets::new(data, access)?;
        count(self, access, &lanes, &offsets, Offsets::reach(data.as_layout(), access)?)
    }

    /// The first phase of the first warp in detail.
    ///
    /// ```
    /// use tilework::layout;
    /// use tilework_hardware::{access::Access, memory::Banks};
    /// let column = Access::new(layout!(32:1), 32)?;
    /// let phase = Banks::NVIDIA.first_phase(&layout!((32,8):(8,1)), &column)?;
    /// assert_eq!((phase.words, phase.wavefronts), (32, 8));
    /// // Five dimensions of words are in two dimensions of banks.
    /// assert_eq!(phase.bases.unwrap(), [vec![8, 16, 32, 64, 128], vec![8, 16]]);
    /// # Ok::<(), tilework_hardware::Refused>(())
    /// ```
    ///
    /// # Errors
    /// As [`report`](Self::report).
    pub fn first_phase(&self, data: &impl HasLayout, access: &Access) -> Result<PhaseReport, Refused> {
        let lanes = Lanes::new(self, access)?;
        let linear = Columns::new(data, access)
            .and_then(|columns| columns.words(self, access).map(|(space, _)| (columns, space)));
        let mut phase = Phase::default();
        if let Some((columns, _)) = &linear {
            phase.fill(self, access, lanes.first_phase(), |lane| Some(columns.at(lane as u64, 0) as i64))?;
        } else {
            let offsets = Offsets::new(data, access)?;
            phase.fill(self, access, lanes.first_phase(), |lane| offsets.vector(lane, 0))?;
        }
        let (words, wavefronts) = phase.words();
        Ok(PhaseReport {
            phase: lanes.list[0].0,
            lanes: lanes.first_phase().fold(0, |all, lane| all | 1 << lane),
            words,
            wavefronts,
            bases: linear.map(|(_, space)| space.bases()),
        })
    }

    /// Every bank in which lanes access different words, phase by phase.
    ///
    /// ```
    /// use tilework::layout;
    /// use tilework_hardware::{access::Access, memory::Banks};
    /// let every_other = Access::new(layout!(32:2), 32)?;
    /// let conflicts = Banks::NVIDIA.conflicts(&layout!(64:1), &every_other)?;
    /// assert_eq!((conflicts.len(), conflicts[1].bank, conflicts[1].lanes), (16, 2, 1 << 1 | 1 << 17));
    /// # Ok::<(), tilework_hardware::Refused>(())
    /// ```
    ///
    /// # Errors
    /// As [`report`](Self::report).
    pub fn conflicts(&self, data: &impl HasLayout, access: &Access) -> Result<Vec<Conflict>, Refused> {
        let lanes = Lanes::new(self, access)?;
        let offsets = Offsets::new(data, access)?;
        let mut conflicts = Vec::new();
        each_phase(self, access, &lanes, &offsets, |phase, warp, instruction, number| {
            phase.each_bank(|bank, words| {
                if words > 1 {
                    conflicts.push(phase.conflict(warp, instruction, number, bank, words));
                }
            });
        })?;
        Ok(conflicts)
    }

    /// The words that the threads of a warp access in one instruction, phase by phase.
    ///
    /// ```
    /// use tilework::layout;
    /// use tilework_hardware::{access::Access, memory::Banks};
    /// let doubles = Access::new(layout!(32:1), 64)?;
    /// let words = Banks::NVIDIA.words(&layout!(32:1), &doubles, 0, 0)?;
    /// // Each of 32 threads accesses two words, the first 16 of them in the first phase.
    /// assert_eq!((words.len(), words[31].phase, words[32].phase, words[32].thread), (64, 0, 1, 16));
    /// # Ok::<(), tilework_hardware::Refused>(())
    /// ```
    ///
    /// # Errors
    /// As [`report`](Self::report).
    pub fn words(
        &self,
        data: &impl HasLayout,
        access: &Access,
        warp: u32,
        instruction: u32,
    ) -> Result<Vec<WordAccess>, Refused> {
        let lanes = Lanes::new(self, access)?;
        let mut words = Vec::new();
        each_phase(
            self,
            access,
            &lanes,
            &Offsets::new(data, access)?,
            |phase, own, number, phase_number| {
                if (own, number) == (warp, instruction) {
                    let first = own as i64 * lanes.count as i64;
                    words.extend(phase.accesses.iter().map(|&(bank, word, lane)| WordAccess {
                        phase: phase_number,
                        bank,
                        word,
                        thread: first + i64::from(lane),
                    }));
                }
            },
        )?;
        Ok(words)
    }
}

impl Columns {
    /// The report by ranks, without the conflicting lanes.
    pub fn report(&self, banks: &Banks, access: &Access) -> Option<BankReport> {
        let (space, phases) = self.words(banks, access)?;
        Some(BankReport {
            wavefronts: phases * space.wavefronts(),
            ideal: phases * space.ideal(),
            degree: space.wavefronts(),
            phases,
            conflict: None,
            element_bits: access.bits(),
            method: Method::Rank { words: space.rank, banks: space.bank_rank },
            reach: self.reach,
        })
    }
}

/// Counts the wavefronts of an access whose offsets are known.
fn count(
    banks: &Banks,
    access: &Access,
    lanes: &Lanes,
    offsets: &Offsets,
    reach: Reach,
) -> Result<BankReport, Refused> {
    let (element_bits, method) = (access.bits(), Method::Counted);
    let [wavefronts, ideal, degree, phases] = [0; 4];
    let mut report =
        BankReport { wavefronts, ideal, degree, phases, conflict: None, element_bits, method, reach };
    let mut longest = 0;
    each_phase(banks, access, lanes, offsets, |phase, warp, instruction, number| {
        let (words, wavefronts) = phase.words();
        let ideal = words.div_ceil(u64::from(banks.count.max(1)));
        report.phases += 1;
        report.wavefronts += wavefronts;
        report.ideal += ideal;
        report.degree = report.degree.max(wavefronts);
        if wavefronts > ideal && wavefronts > longest {
            longest = wavefronts;
            report.conflict = Some(phase.worst(warp, instruction, number));
        }
    })?;
    Ok(report)
}

fn each_phase(
    banks: &Banks,
    access: &Access,
    lanes: &Lanes,
    offsets: &Offsets,
    mut visit: impl FnMut(&Phase, u32, u32, i64),
) -> Result<(), Refused> {
    let mut phase = Phase::default();
    for warp in 0..offsets.threads().div_ceil(lanes.count) {
        let first = warp * lanes.count;
        for instruction in 0..offsets.instructions() {
            for group in lanes.list.chunk_by(|left, right| left.0 == right.0) {
                let active =
                    group.iter().map(|&(_, lane)| lane).filter(|lane| first + lane < offsets.threads());
                phase.fill(banks, access, active, |lane| offsets.vector(first + lane, instruction))?;
                if !phase.accesses.is_empty() {
                    visit(&phase, warp as u32, instruction as u32, group[0].0);
                }
            }
        }
    }
    Ok(())
}

/// The lanes of a warp by the phase in which they are served.
struct Lanes {
    count: usize,
    /// Phase and lane, in order.
    list: Vec<(i64, usize)>,
    threads: usize,
}

impl Lanes {
    fn new(banks: &Banks, access: &Access) -> Result<Lanes, Refused> {
        let layout = banks.phases.of_width(access.width())?;
        let count = layout.size() as usize;
        let mut list = Vec::with_capacity(count);
        for lane in 0..count {
            list.push((layout.try_at(lane as i64)?, lane));
        }
        list.sort_unstable();
        Ok(Lanes { count, list, threads: access.threads() as usize })
    }

    fn first_phase(&self) -> impl Iterator<Item = usize> + '_ {
        let first = self.list[0].0;
        let group = self.list.iter().take_while(move |(phase, _)| *phase == first);
        group.map(|&(_, lane)| lane).filter(|&lane| lane < self.threads)
    }
}

/// The words of one phase.
#[derive(Default)]
struct Phase {
    /// Bank, word and lane, in order.
    accesses: Vec<(u32, i64, u32)>,
}

impl Phase {
    fn fill(
        &mut self,
        banks: &Banks,
        access: &Access,
        lanes: impl Iterator<Item = usize>,
        offset: impl Fn(usize) -> Option<i64>,
    ) -> Result<(), Error> {
        self.accesses.clear();
        let (count, word) = (i64::from(banks.count.max(1)), 8 * banks.word_bytes());
        for lane in lanes {
            let Some(offset) = offset(lane) else { continue };
            let start = i128::from(offset) * i128::from(access.bits());
            let overflow = Error::Overflow { left: offset, operator: '*', right: i64::from(access.bits()) };
            let first = i64::try_from(start.div_euclid(word)).map_err(|_| overflow)?;
            let last = (start + i128::from(access.width()) - 1).div_euclid(word) as i64;
            for word in first..=last {
                self.accesses.push((word.rem_euclid(count) as u32, word, lane as u32));
            }
        }
        self.accesses.sort_unstable();
        Ok(())
    }

    /// Calls `visit` with each bank and the number of its words.
    fn each_bank(&self, mut visit: impl FnMut(u32, u32)) {
        for bank in self.accesses.chunk_by(|left, right| left.0 == right.0) {
            visit(bank[0].0, bank.chunk_by(|left, right| left.1 == right.1).count() as u32);
        }
    }

    /// The number of all words, and of those of the fullest bank.
    fn words(&self) -> (u64, u64) {
        let (mut all, mut most) = (0, 0);
        self.each_bank(|_, words| (all, most) = (all + u64::from(words), most.max(u64::from(words))));
        (all, most)
    }

    /// The fullest bank.
    fn worst(&self, warp: u32, instruction: u32, phase: i64) -> Conflict {
        let (mut bank, mut most) = (0, 0);
        self.each_bank(|number, words| {
            if words > most {
                (bank, most) = (number, words);
            }
        });
        self.conflict(warp, instruction, phase, bank, most)
    }

    fn conflict(&self, warp: u32, instruction: u32, phase: i64, bank: u32, words: u32) -> Conflict {
        let in_bank = self.accesses.iter().filter(|access| access.0 == bank);
        let lanes = in_bank.fold(0, |lanes, access| lanes | 1 << access.2);
        Conflict { warp, instruction, phase, bank, words, lanes }
    }
}

const _: () = assert!(MAX_LANES <= u64::BITS as usize);
