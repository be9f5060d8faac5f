//! `banks` and `sectors`: the cost of an access.

use super::{Refusal, answer, any_layout, layout_or};
use crate::picture;
use clap::Args;
use serde::Serialize;
use std::fmt;
use std::io;
use tilework::{AnyLayout, Composed, Layout, Swizzle};
use tilework_draw::Scene;
use tilework_hardware::access::{Access, BankReport, Method, SectorReport};
use tilework_hardware::memory::{Banks, Phases, Sectors};

/// Who accesses what.
#[derive(Args)]
struct AccessArguments {
    /// The layout of the memory, plain or swizzled
    #[arg(allow_negative_numbers = true)]
    layout: String,
    /// From threads (the first mode) and values to coordinates of the layout; `ldmatrix`; or `rows`, 16 bytes a thread
    #[arg(long, value_name = "TV")]
    access: String,
    /// How many consecutive values of a thread one instruction accesses
    #[arg(long, value_name = "N", default_value_t = 1)]
    vector: u32,
    /// The bits of an element
    #[arg(long, value_name = "N", default_value_t = 32)]
    bits: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub struct BanksArguments {
    #[command(flatten)]
    access: AccessArguments,
    /// Which lanes are served together: `nvidia`, `amd-read`, `amd-write`, or a layout from lanes to phases
    #[arg(long, default_value = "nvidia")]
    phases: String,
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
    let AccessArguments { layout, access, vector, bits, json } = access;
    let found = || {
        let data = any_layout(layout)?;
        let access = parse(access, data.layout(), *bits, *vector)?;
        let memory = memory(phases)?;
        let report = memory.report(&data, &access)?;
        let scene = if picture.wanted() { Some(scene(&data, &access, &memory, picture)?) } else { None };
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

/// The access to a layout, for a swizzled one also without the swizzle: the instruction that then takes longest.
fn scene(
    data: &AnyLayout,
    access: &Access,
    banks: &Banks,
    picture: &picture::Output,
) -> Result<Scene, Refusal> {
    let before = match data {
        AnyLayout::Plain(layout) => AnyLayout::Plain(*layout),
        AnyLayout::Swizzled(composed) if composed.offset() == 0 => AnyLayout::Plain(*composed.layout()),
        AnyLayout::Swizzled(composed) => {
            AnyLayout::Swizzled(Composed::new(Swizzle::NONE, composed.offset(), *composed.layout())?)
        }
    };
    let conflict = banks.report(&before, access)?.conflict;
    let longest = conflict.map_or([0, 0], |conflict| [conflict.warp, conflict.instruction]);
    let draw =
        |data: &AnyLayout| tilework_draw::bank_access(data, access, banks, longest, &picture.options());
    Ok(match data {
        AnyLayout::Plain(_) => draw(data)?,
        AnyLayout::Swizzled(_) => {
            Scene::row("before and after the swizzle", vec![draw(&before)?, draw(data)?])
        }
    })
}

/// `sectors`: whether no more are moved than the elements need.
pub fn sectors(arguments: &SectorsArguments) -> io::Result<bool> {
    let AccessArguments { layout, access, vector, bits, json } = &arguments.access;
    let report = || {
        let data = any_layout(layout)?;
        let access = parse(access, data.layout(), *bits, *vector)?;
        let report = Sectors::NVIDIA.report(&data, &access)?;
        Ok((report.sectors == report.ideal, SectorsAnswer::from(report)))
    };
    answer(*json, report())
}

/// An access given by name, or by its layout.
pub fn parse(text: &str, tile: &Layout, bits: u32, vector: u32) -> Result<Access, Refusal> {
    Ok(match text {
        "ldmatrix" => Access::ldmatrix(tile, bits)?,
        "rows" => Access::rows(tile, bits)?,
        _ => Access::new(layout_or("`ldmatrix`, `rows`", text)?, bits)?.vector(vector)?,
    })
}

/// A memory with banks, given by its phases.
pub fn memory(phases: &str) -> Result<Banks, Refusal> {
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
    /// The ranks over F2 of the words and of their banks; none if the wavefronts were counted.
    ranks: Option<[u32; 2]>,
    conflict: Option<Meeting>,
    #[serde(skip)]
    report: BankReport,
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
        let BankReport { wavefronts, ideal, degree, phases, .. } = report;
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
        BanksAnswer { wavefronts, ideal, degree, phases, ranks, conflict, report }
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
    #[serde(skip)]
    report: SectorReport,
}

impl From<SectorReport> for SectorsAnswer {
    fn from(report: SectorReport) -> SectorsAnswer {
        let SectorReport { requests, sectors, ideal, lines, bits, moved, .. } = report;
        let efficiency = report.efficiency();
        SectorsAnswer { requests, sectors, ideal, lines, bits, moved, efficiency, report }
    }
}

impl fmt::Display for SectorsAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.report.fmt(f)
    }
}
