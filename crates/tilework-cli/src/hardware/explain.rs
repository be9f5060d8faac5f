//! `swizzle --explain`: the reasons of a search's answer.

use serde::Serialize;
use std::fmt;
use tilework_expr::swizzled;
use tilework_hardware::access::{Access, PhaseReport};
use tilework_hardware::memory::Banks;
use tilework_hardware::swizzle::{Explanation, Reason, RuledOut};

#[derive(Serialize)]
pub struct Explained {
    phases: Vec<Phase>,
    ruled_out: Vec<Candidate>,
    /// Accesses that exclude each other.
    core: Vec<String>,
}

#[derive(Serialize)]
struct Phase {
    access: String,
    /// Why the memory does not serve it.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<Report>,
}

#[derive(Serialize)]
struct Report {
    phase: i64,
    lanes: Vec<u32>,
    words: u64,
    banks: u32,
    wavefronts: u64,
    /// Bases over F2 of the differences of the words, and of their banks; none if the wavefronts were counted.
    bases: Option<[Vec<u64>; 2]>,
}

#[derive(Serialize)]
struct Candidate {
    layout: String,
    access: String,
    reason: String,
    #[serde(skip)]
    bits: u32,
    /// The wavefronts beyond the ideal.
    #[serde(skip)]
    excess: u64,
}

impl Explained {
    pub fn new(names: &[String], accesses: &[(Banks, Access)], explanation: &Explanation) -> Explained {
        let Explanation { phases, ruled_out, core, .. } = explanation;
        let phase = |(access, report): (usize, &Result<PhaseReport, _>)| {
            let banks = accesses[access].0.count;
            Phase {
                access: names[access].clone(),
                refused: report.as_ref().err().map(ToString::to_string),
                report: report.as_ref().ok().map(|report| Report::new(banks, report)),
            }
        };
        let candidate = |RuledOut { data, access, reason, .. }: &RuledOut| Candidate {
            layout: swizzled(data),
            access: names[*access].clone(),
            reason: reason.to_string(),
            bits: data.swizzle().bits(),
            excess: match reason {
                Reason::Conflict { wavefronts, ideal, .. } => wavefronts - ideal,
                _ => u64::MAX,
            },
        };
        Explained {
            phases: phases.iter().enumerate().map(phase).collect(),
            ruled_out: ruled_out.iter().map(candidate).collect(),
            core: core.iter().map(|&access| names[access].clone()).collect(),
        }
    }
}

impl Report {
    fn new(banks: u32, report: &PhaseReport) -> Report {
        let &PhaseReport { phase, lanes, words, wavefronts, ref bases, .. } = report;
        let lanes = (0..u64::BITS).filter(|lane| lanes >> lane & 1 == 1).collect();
        Report { phase, lanes, words, banks, wavefronts, bases: bases.clone() }
    }
}

impl fmt::Display for Explained {
    /// Further lines, each with a line break before it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Phase { access, refused, report } in &self.phases {
            match (refused, report) {
                (Some(refused), _) => write!(f, "\n{access}: {refused}")?,
                (None, Some(report)) => write!(f, "\n{access}: {report}")?,
                (None, None) => {}
            }
        }
        // Of the candidates with the same number of bits, the one that comes closest.
        for same in self.ruled_out.chunk_by(|left, right| left.bits == right.bits) {
            let Some(Candidate { layout, access, reason, .. }) = same.iter().min_by_key(|one| one.excess)
            else {
                continue;
            };
            match same.len() {
                1 => write!(f, "\nnot {layout}: {access}, {reason}")?,
                count => write!(f, "\nnone of {count}, such as {layout}: {access}, {reason}")?,
            }
        }
        match &self.core[..] {
            [] => Ok(()),
            [access] => write!(f, "\n{access} alone has none"),
            several => write!(f, "\n{} exclude each other", several.join(" and ")),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { phase, lanes, words, banks, wavefronts, bases } = self;
        write!(f, "phase {phase}, lanes ")?;
        for (i, run) in lanes.chunk_by(|left, right| left + 1 == *right).enumerate() {
            f.write_str(if i == 0 { "" } else { "," })?;
            match run {
                [lane] => write!(f, "{lane}")?,
                _ => write!(f, "{}-{}", run[0], run[run.len() - 1])?,
            }
        }
        if let Some([of_words, of_banks]) = bases {
            let list = |numbers: &[u64]| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
            let (words, banks) = (list(of_words), list(of_banks));
            write!(f, "; words differ by XORs of {words} and banks by those of {banks}")?;
            write!(f, ", rank {} of {}", of_banks.len(), of_words.len())?;
        }
        write!(f, "; {words} words in {banks} banks, at most {wavefronts} in one")
    }
}
