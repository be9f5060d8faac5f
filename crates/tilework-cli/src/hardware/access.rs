//! `banks` and `sectors`: the cost of an access.

use super::{Refusal, answer, data, evaluated, layout_or};
use crate::picture;
use clap::Args;
use serde::Serialize;
use std::fmt;
use std::io;
use tilework::AnyLayout;
use tilework_expr::{Accesses, Session, width};
use tilework_hardware::access::{Access, BankReport, Method, Reach, SectorReport};
use tilework_hardware::memory::{Banks, Phases, Sectors};

/// Who accesses what.
#[derive(Args)]
struct AccessArguments {
    /// The layout of the memory, plain or swizzled
    #[arg(allow_negative_numbers = true)]
    layout: String,
    /// From threads (the first mode) and values to coordinates of the layout, of which those outside access nothing;
    /// `tiled_mma(..).a` or `tiled_copy(..).src`, whose tiles cover it; `ldmatrix` or `ldmatrix.trans`; or `rows`, 16 bytes a thread; with a name and a vector as in `swizzle`
    #[arg(long, value_name = "TV")]
    access: String,
    /// How many consecutive values of a thread one instruction accesses; by default those of the atom of a tiled copy, or 1
    #[arg(long, value_name = "N")]
    vector: Option<u32>,
    /// The bits of an element; a tensor has its own
    #[arg(long, value_name = "N")]
    bits: Option<u32>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub struct BanksArguments {
    #[command(flatten)]
    access: AccessArguments,
    /// Which lanes are served together: `nvidia`, `amd-read`, `amd-write`, or a layout from lanes to phases; otherwise those of
    /// the access, `load:amd-read=TV`, or `nvidia`
    #[arg(long)]
    phases: Option<String>,
    #[command(flatten)]
    picture: picture::Output,
}

#[derive(Args)]
pub struct SectorsArguments {
    #[command(flatten)]
    access: AccessArguments,
}

/// `banks`: whether there are no conflicts.
pub fn banks(arguments: &BanksArguments) -> io::Result<bool> {
    let BanksArguments { access, phases, picture } = arguments;
    let json = &access.json;
    let found = || {
        let (data, access, own) = access.read()?;
        let memory = phases.as_deref().map_or(Ok(own), memory)?;
        let report = memory.report(&data, &access)?;
        let scene = if picture.wanted() {
            Some(tilework_draw::slowest_access(&data, &access, &memory, &picture.options())?)
        } else {
            None
        };
        Ok((report, scene))
    };
    match found() {
        Ok((report, Some(scene))) => {
            let drawn = picture.write(scene)?;
            // A picture on standard output replaces the answer, and contains the numbers.
            let said = picture.is_standard() || answer(*json, Ok((true, BanksAnswer::from(report))))?;
            Ok(drawn && said && report.is_ideal())
        }
        found => answer(*json, found.map(|(report, _)| (report.is_ideal(), BanksAnswer::from(report)))),
    }
}

/// `sectors`: whether no more are moved than the elements need.
pub fn sectors(arguments: &SectorsArguments) -> io::Result<bool> {
    let report = || {
        let (data, access, _) = arguments.access.read()?;
        let report = Sectors::NVIDIA.report(&data, &access)?;
        Ok((report.sectors == report.ideal, SectorsAnswer::from(report)))
    };
    answer(arguments.access.json, report())
}

impl AccessArguments {
    /// The layout, the access to it, and the memory with the phases of the access.
    fn read(&self) -> Result<(AnyLayout, Access, Banks), Refusal> {
        let value = evaluated(&self.layout)?;
        let (data, named) = (data(&self.layout, &value)?, named(&self.access)?);
        let bits = width(self.bits, [&value].into_iter().chain(named.accesses.value()))?;
        let access = named.accesses.of(data.layout(), bits, named.vector.or(self.vector))?;
        Ok((data, access, named.memory))
    }
}

/// An access that is read.
pub struct Named {
    /// Its name; without one its text.
    pub name: String,
    /// The memory with its phases.
    pub memory: Banks,
    /// Its own vector.
    pub vector: Option<u32>,
    pub accesses: Accesses,
}

/// `load=TV`, `load@8=TV` or `load:amd-read@8=TV`: the name of an access, the phases of its memory, how many values of a thread one
/// instruction accesses, and the access by its name, by its layout, or by the tile of an instruction.
pub fn named(text: &str) -> Result<Named, Refusal> {
    let parts = text.split_once('=').and_then(|(head, tv)| {
        let (name, phases) = head.split_once(':').unwrap_or((head, ""));
        let vector = if phases.is_empty() { name } else { phases }.rsplit_once('@').map(|(_, vector)| vector);
        let (name, phases) = (name.split('@').next()?, phases.split('@').next()?);
        let is_name = name.chars().all(|sign| sign.is_alphanumeric() || "_-".contains(sign));
        is_name.then_some((name, phases, vector, tv))
    });
    let (name, phases, vector, tv) = parts.unwrap_or((text.trim(), "", None, text));
    let refuse = |error| Refusal::Expression { text: tv.to_owned(), error: Box::new(error) };
    let accesses = Accesses::read(&mut Session::new(), tv).map_err(refuse)?;
    let vector = vector.map(|vector| {
        let wrong = format!("{name}@{vector}: a vector is a number of values of a thread, as load@8");
        vector.parse().ok().filter(|count| *count > 0).ok_or(Refusal::Condition("vector", wrong))
    });
    let memory = if phases.is_empty() { Banks::NVIDIA } else { memory(phases)? };
    Ok(Named { name: name.to_owned(), memory, vector: vector.transpose()?, accesses })
}

/// A memory with banks, given by its phases.
fn memory(phases: &str) -> Result<Banks, Refusal> {
    Ok(match phases {
        "nvidia" => Banks::NVIDIA,
        "amd-read" => Banks::AMD_READ,
        "amd-write" => Banks::AMD_WRITE,
        _ => Banks {
            phases: Phases::all(layout_or("`nvidia`, `amd-read`, `amd-write`", phases)?)?,
            ..Banks::NVIDIA
        },
    })
}

#[derive(Serialize)]
struct BanksAnswer {
    wavefronts: u64,
    ideal: u64,
    degree: u64,
    phases: u64,
    element_bits: u32,
    /// The ranks over F2 of the words and of their banks; none if the wavefronts were counted.
    ranks: Option<[u32; 2]>,
    conflict: Option<Meeting>,
    #[serde(flatten)]
    reach: ReachAnswer,
    #[serde(skip)]
    report: BankReport,
}

/// The part of an answer about an access that does not reach all elements, or whose values are not all inside.
#[derive(Serialize)]
struct ReachAnswer {
    #[serde(skip_serializing_if = "Option::is_none")]
    reaches: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outside: Option<i64>,
}

impl From<Reach> for ReachAnswer {
    fn from(reach: Reach) -> ReachAnswer {
        ReachAnswer { reaches: reach.partial(), outside: Some(reach.outside).filter(|&outside| outside > 0) }
    }
}

#[derive(Serialize)]
struct Meeting {
    warp: u32,
    instruction: u32,
    phase: i64,
    bank: u32,
    words: u32,
    lanes: Vec<u32>,
}

impl From<BankReport> for BanksAnswer {
    fn from(report: BankReport) -> BanksAnswer {
        let BankReport { wavefronts, ideal, degree, phases, element_bits, .. } = report;
        let ranks = match report.method {
            Method::Rank { words, banks } => Some([words, banks]),
            _ => None,
        };
        let conflict = report.conflict.map(|found| Meeting {
            warp: found.warp,
            instruction: found.instruction,
            phase: found.phase,
            bank: found.bank,
            words: found.words,
            lanes: (0..64).filter(|lane| found.lanes >> lane & 1 == 1).collect(),
        });
        let reach = report.reach.into();
        BanksAnswer { wavefronts, ideal, degree, phases, element_bits, ranks, conflict, reach, report }
    }
}

impl fmt::Display for BanksAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.report.fmt(f)
    }
}

#[derive(Serialize)]
struct SectorsAnswer {
    requests: u64,
    sectors: u64,
    ideal: u64,
    lines: u64,
    bits: u64,
    moved: u64,
    efficiency: f64,
    element_bits: u32,
    #[serde(flatten)]
    reach: ReachAnswer,
    #[serde(skip)]
    report: SectorReport,
}

impl From<SectorReport> for SectorsAnswer {
    fn from(report: SectorReport) -> SectorsAnswer {
        let SectorReport { requests, sectors, ideal, lines, bits, moved, element_bits, .. } = report;
        let (efficiency, reach) = (report.efficiency(), report.reach.into());
        SectorsAnswer {
            requests,
            sectors,
            ideal,
            lines,
            bits,
            moved,
            efficiency,
            element_bits,
            reach,
            report,
        }
    }
}

impl fmt::Display for SectorsAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.report.fmt(f)
    }
}
