//! `swizzle`: the smallest change of a tile without bank conflicts.

use super::access::{Named, named};
use super::explain::Explained;
use super::{Refusal, answer, evaluated, plain};
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::fmt;
use std::io;
use tilework_expr::{Unconflicted, width};
use tilework_hardware::swizzle::{self as hardware, Form, search};

#[derive(Args)]
pub struct SwizzleArguments {
    /// The layout of the tile
    #[arg(value_name = "TILE")]
    tile: String,
    /// An access with its name, `load=ldmatrix`, `store=rows` or `load=TV`; `load@8=TV` with its own vector, `load:amd-read=TV` for the phases of `banks`
    #[arg(long, required = true, value_name = "NAME=TV")]
    access: Vec<String>,
    /// How many consecutive values of a thread one instruction accesses, for an access without its own that is a layout or of a tile
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
    let read = access.iter().map(|text| named(text)).collect::<Result<Vec<_>, _>>()?;
    let names: Vec<String> = read.iter().map(|own| own.name.clone()).collect();
    let bits = width(*bits, [&value].into_iter().chain(read.iter().filter_map(|own| own.accesses.value())))?;
    let mut accesses = Vec::new();
    for Named { name, memory, vector: own, accesses: read } in read {
        let access = read.of(&tile, bits, own.or(*vector)).map_err(|refused| match Refusal::from(refused) {
            Refusal::Condition(code, message) => Refusal::Condition(code, format!("{name}: {message}")),
            refusal => refusal,
        });
        accesses.push((memory, access?));
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
    let found = Unconflicted::of(&tile, &names, &accesses, form, found)?;
    Ok((found.layout.is_some(), Answer { found, explanation }))
}

#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    found: Unconflicted,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Explained>,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.found.fmt(f)?;
        self.explanation.as_ref().map_or(Ok(()), |explanation| explanation.fmt(f))
    }
}
