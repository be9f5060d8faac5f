//! `swizzle`: the smallest change of a tile without bank conflicts.

use super::access::{memory, parse};
use super::explain::{Explained, text};
use super::{Refusal, answer, evaluated, plain};
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::fmt;
use std::io;
use tilework_expr::{Accesses, width};
use tilework_hardware::Refused;
use tilework_hardware::access::Method;
use tilework_hardware::swizzle::{self as hardware, Form, Impossible, search};

#[derive(Args)]
pub struct SwizzleArguments {
    /// The layout of the tile
    #[arg(value_name = "TILE")]
    tile: String,
    /// An access with its name, `load=ldmatrix`, `store=rows` or `load=TV`; `load:amd-read=TV` for the phases of `banks`
    #[arg(long, required = true, value_name = "NAME=TV")]
    access: Vec<String>,
    /// How many consecutive values of a thread one instruction accesses, for an access that is a layout or of a tile
    #[arg(long, value_name = "N")]
    vector: Option<u32>,
    /// The bits of an element; a tensor has its own
    #[arg(long, value_name = "N")]
    bits: Option<u32>,
    /// Which changes of the tile are searched
    #[arg(long, value_enum, default_value_t = Choice::Sw)]
    form: Choice,
    /// Print the proof: the words of a phase of each access, and why other candidates fail
    #[arg(long)]
    explain: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Choice {
    /// A swizzle `Sw<B,M,S>`
    Sw,
    /// XOR strides
    Xor,
    /// Unused elements after each row
    Pad,
    /// A mode of the tensor memory accelerator
    Tma,
}

/// `swizzle`: whether there is such a change.
pub fn swizzle(arguments: &SwizzleArguments) -> io::Result<bool> {
    answer(arguments.json, found(arguments))
}

fn found(arguments: &SwizzleArguments) -> Result<(bool, Answer), Refusal> {
    let SwizzleArguments { tile, access, vector, bits, form, explain, .. } = arguments;
    let value = evaluated(tile)?;
    let tile = plain(tile, &value)?;
    let (mut names, mut memories, mut read) = (Vec::new(), Vec::new(), Vec::new());
    for (number, text) in access.iter().enumerate() {
        let (name, tv) = text
            .split_once('=')
            .map_or((format!("access {number}"), text.as_str()), |(name, tv)| (name.to_owned(), tv));
        let (name, phases) = name.split_once(':').unwrap_or((&name, "nvidia"));
        memories.push(memory(phases)?);
        read.push(parse(tv)?);
        names.push(name.to_owned());
    }
    let bits = width(*bits, [&value].into_iter().chain(read.iter().filter_map(Accesses::value)))?;
    let mut accesses = Vec::new();
    for (memory, own) in memories.into_iter().zip(&read) {
        accesses.push((memory, own.of(&tile, bits, *vector)?));
    }
    let form = match form {
        Choice::Sw => Form::Sw,
        Choice::Xor => Form::Xor,
        Choice::Pad => Form::Pad,
        Choice::Tma => Form::Tma,
    };
    let (found, explanation) = if *explain {
        let (found, explanation) = hardware::explain(&tile, &accesses, form);
        (found, Some(Explained::new(&names, &accesses, &explanation)))
    } else {
        (search(&tile, &accesses, form), None)
    };
    let none = Answer {
        layout: None,
        elements: None,
        accesses: Vec::new(),
        impossible: None,
        element_bits: bits,
        smallest: "",
        explanation,
    };
    match found {
        Ok(certificate) => {
            certificate.check().map_err(|flaw| Refusal::Condition("certificate", flaw.to_string()))?;
            let data = certificate.data();
            let mut by = Vec::new();
            for (name, (banks, access)) in names.into_iter().zip(&accesses) {
                let report = banks.report(data, access)?;
                let ranks = match report.method {
                    Method::Rank { words, banks } => Some([words, banks]),
                    _ => None,
                };
                let reaches = match access.of_all(&tile) {
                    Err(Refused::Partial { elements, .. }) => Some(elements),
                    all => all.map(|_| None)?,
                };
                by.push(Free { name, wavefronts: report.wavefronts, ranks, reaches });
            }
            let elements = Some(certificate.elements()?);
            let smallest = match form {
                Form::Sw if data.swizzle().bits() > 0 => "no smaller swizzle achieves this",
                Form::Pad if *data.layout() != tile => {
                    "no smaller padding achieves this with all vectors aligned"
                }
                _ => "",
            };
            Ok((true, Answer { layout: Some(text(data)), elements, accesses: by, smallest, ..none }))
        }
        Err(Impossible::Undecided { candidates }) => {
            Err(Refusal::Condition("undecided", Impossible::Undecided { candidates }.to_string()))
        }
        Err(impossible) => Ok((false, Answer { impossible: Some(impossible.to_string()), ..none })),
    }
}

#[derive(Serialize)]
struct Answer {
    /// The new layout of the tile.
    layout: Option<String>,
    /// The elements of memory that it takes.
    elements: Option<i64>,
    accesses: Vec<Free>,
    /// Why no change of the form exists.
    impossible: Option<String>,
    element_bits: u32,
    /// What was ruled out.
    #[serde(skip)]
    smallest: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Explained>,
}

#[derive(Serialize)]
struct Free {
    name: String,
    wavefronts: u64,
    /// The ranks over F2 of the words of a phase and of their banks; none if the wavefronts were counted.
    ranks: Option<[u32; 2]>,
    /// How many elements of the tile it reaches, if not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    reaches: Option<i64>,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(reason) = &self.impossible {
            write!(f, "none: {reason}")?;
        } else {
            f.write_str(self.layout.as_deref().unwrap_or_default())?;
        }
        for (i, Free { name, reaches, .. }) in self.accesses.iter().enumerate() {
            let before = if i == 0 { "   " } else { ", " };
            write!(f, "{before}{name}: no conflicts")?;
            if let Some(elements) = reaches {
                write!(f, " on the {elements} elements it reaches")?;
            }
        }
        if !self.smallest.is_empty() {
            write!(f, "; {}", self.smallest)?;
        }
        write!(f, "; elements of {} bits", self.element_bits)?;
        match &self.explanation {
            Some(explanation) => explanation.fmt(f),
            None => Ok(()),
        }
    }
}
