//! `reshard`: what moves from one sharding of a tensor to another, by collectives or messages.

use crate::answer::{Refusal, answer};
use crate::sharding::extents;
use clap::Args;
use serde::Serialize;
use std::fmt;
use std::io;
use tilework_sharding::{Collective, Links, Mesh, Piece, Redistribution, Sharding, Step};

pub const HELP: &str = "FROM and TO are written as SPEC of `tilework shard --help`.

Examples:
  tilework reshard '(1024,512)' 'P(x, None)' 'P(None, x)' --mesh x=8 --bits 32
  tilework reshard '(1024,512)' 'P(x, y)' 'P()' --mesh x=2,y=4 --links x=50,y=900 --explain

Exit status: 0, 1 where there is no plan, 2 for a wrong command line.";

/// Messages to one device that a plan shows.
const MESSAGES: usize = 8;

/// Devices of which the plan asks whether they send something to one.
const SOURCES: usize = 64;

/// Pieces of a message that a plan shows.
const PIECES: usize = 4;

#[derive(Args)]
pub struct Arguments {
    /// The extents of the tensor
    #[arg(value_name = "SHAPE")]
    shape: String,
    /// How it is divided before
    #[arg(value_name = "FROM")]
    from: String,
    /// How it is to be divided
    #[arg(value_name = "TO")]
    to: String,
    /// The devices, by the names and extents of their axes
    #[arg(long, value_name = "x=2,y=4")]
    mesh: String,
    /// The bits of an element
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(i64).range(1..=1024))]
    bits: i64,
    /// The speed of the links along each axis in GB/s: the plan takes the least time
    #[arg(long, value_name = "x=50,y=900")]
    links: Option<String>,
    /// Tell why each step is there
    #[arg(long)]
    explain: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// `reshard`: the plan from one sharding to another.
pub fn run(arguments: &Arguments) -> io::Result<bool> {
    let Arguments { shape, from, to, mesh, bits, links, explain, json } = arguments;
    let planned = || {
        let (mesh, shape) = (Mesh::parse(mesh)?, extents(shape)?);
        let [from, to] = [from, to].map(|text| Sharding::parse(&mesh, &shape, text));
        let (from, to) = (from?, to?);
        let links = links.as_ref().map(|links| Links::parse(&mesh, links)).transpose()?;
        let plan = match &links {
            Some(links) => Redistribution::over(&from, &to, links)?,
            None => Redistribution::new(&from, &to)?,
        };
        Ok::<_, Refusal>((true, Plan::of(&plan, *bits, links.as_ref(), *explain)?))
    };
    answer(*json, planned())
}

#[derive(Serialize)]
struct Plan {
    /// Whether messages are taken, and not collectives.
    by_messages: bool,
    /// The bytes that a device takes from others if each element comes straight from where it is.
    bytes: Option<i64>,
    /// How long that takes, where the speed of the links is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    nanoseconds: Option<f64>,
    /// The bytes of the collectives.
    collective_bytes: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    collective_nanoseconds: Option<f64>,
    /// The collectives, be they taken or not.
    steps: Option<Vec<PlannedStep>>,
    /// What the last device takes, and from whom: the first ones.
    messages: Vec<PlannedMessage>,
    /// Whether it takes something from others too.
    more: bool,
    #[serde(skip)]
    bits: i64,
}

#[derive(Serialize)]
struct PlannedStep {
    step: String,
    bytes: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    nanoseconds: Option<f64>,
    after: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

#[derive(Serialize)]
struct PlannedMessage {
    from: i64,
    to: i64,
    bytes: i64,
    /// How many pieces there are.
    pieces: usize,
    /// Where the first ones are.
    places: Vec<Places>,
}

/// The local indices of a piece of a message, on both devices.
#[derive(Serialize)]
struct Places {
    sent: String,
    kept: String,
}

impl Places {
    fn of(piece: &Piece) -> Places {
        Places { sent: piece.from().to_string(), kept: piece.to().to_string() }
    }
}

fn bytes(elements: i64, bits: i64) -> Result<i64, Refusal> {
    let too_many = || {
        Refusal::Condition(
            "overflow",
            format!("{elements} elements of {bits} bits are more than 64 bits count"),
        )
    };
    Ok((elements.checked_mul(bits).ok_or_else(too_many)? - 1).div_euclid(8) + 1)
}

impl Plan {
    fn of(plan: &Redistribution, bits: i64, links: Option<&Links>, explain: bool) -> Result<Plan, Refusal> {
        let time = |traffic: &[(usize, i64)]| links.map(|links| links.nanoseconds(traffic, bits));
        let mut from = plan.from();
        let mut planned = |step| -> Result<PlannedStep, Refusal> {
            let why = explain.then(|| why(from, step));
            from = step.after();
            Ok(PlannedStep {
                step: step.to_string(),
                bytes: bytes(step.received(), bits)?,
                nanoseconds: time(step.traffic()),
                after: step.after().to_string(),
                why,
            })
        };
        let steps = plan
            .collectives()
            .map(|steps| steps.iter().map(&mut planned).collect::<Result<Vec<_>, Refusal>>())
            .transpose()?;
        let last = plan.to().mesh().size() - 1;
        let mut messages = Vec::new();
        let mut more = false;
        for source in plan.sources(last)?.numbers().take(SOURCES) {
            let Some(message) = plan.message(source, last) else { continue };
            if messages.len() == MESSAGES {
                more = true;
                break;
            }
            messages.push(PlannedMessage {
                from: source,
                to: last,
                bytes: bytes(message.elements(), bits)?,
                pieces: message.pieces().len(),
                places: message.pieces().take(PIECES).map(|piece| Places::of(&piece)).collect(),
            });
        }
        Ok(Plan {
            by_messages: plan.steps().is_none(),
            bytes: plan.most_received().map(|most| bytes(most, bits)).transpose()?,
            nanoseconds: plan.traffic().and_then(|traffic| time(&traffic)),
            collective_bytes: steps.as_ref().map(|steps| steps.iter().map(|step| step.bytes).sum()),
            collective_nanoseconds: steps
                .as_ref()
                .and_then(|steps| steps.iter().map(|step| step.nanoseconds).sum()),
            steps,
            messages,
            more,
            bits,
        })
    }
}

/// Why a step is there, and what it costs in elements.
fn why(from: &Sharding, step: &Step) -> String {
    let held = |sharding: &Sharding| sharding.local_shape().iter().product::<i64>();
    let (before, after, received) = (held(from), held(step.after()), step.received());
    match step.collective() {
        Collective::Slice { .. } => {
            format!(
                "these devices hold copies of {before} elements: each keeps {after}, so that less moves later"
            )
        }
        Collective::ReduceScatter { .. } => format!(
            "each device holds a part of every sum: it takes {received} parts of the {after} sums that it keeps, where an \
             all-reduce would take twice as many"
        ),
        Collective::AllReduce { .. } => {
            format!(
                "each device holds a part of every sum, and needs all {before} sums: in a ring {received} elements come by"
            )
        }
        Collective::Permute => {
            format!(
                "other devices are to hold the same pieces: all {received} elements of a device move, while it holds the fewest"
            )
        }
        Collective::AllToAll { .. } => {
            format!(
                "a device holds {before} elements before and after: {} stay, and {received} come from the others",
                before - received
            )
        }
        Collective::AllGather { .. } => {
            format!(
                "a device holds {before} of the {after} elements that it is to hold then, and {received} are missing; what joins comes \
                     last, since a device holds more after it"
            )
        }
        Collective::Reorder => String::from("the elements are there, in another order"),
        _ => String::new(),
    }
}

/// Nanoseconds in a unit of which there are few.
fn duration(nanoseconds: f64) -> String {
    match nanoseconds {
        few if few < 1e3 => format!("{few:.1} ns"),
        few if few < 1e6 => format!("{:.1} us", few / 1e3),
        few if few < 1e9 => format!("{:.1} ms", few / 1e6),
        many => format!("{:.1} s", many / 1e9),
    }
}

/// `, 3.2 us` where the time is known.
fn lasting(nanoseconds: Option<f64>) -> String {
    nanoseconds.map_or_else(String::new, |time| format!(", {}", duration(time)))
}

impl fmt::Display for PlannedStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PlannedStep { step, bytes, nanoseconds, after, why } = self;
        write!(f, "{step}\n   {bytes} bytes to a device{}; then {after}", lasting(*nanoseconds))?;
        match why {
            Some(why) => write!(f, "\n   {why}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for PlannedMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PlannedMessage { from, to, bytes, pieces, places } = self;
        let whose = if from == to { "of its own".to_owned() } else { format!("from device {from}") };
        let mut places: Vec<String> =
            places.iter().map(|Places { sent, kept }| format!("{sent} there, at {kept}")).collect();
        if *pieces > places.len() {
            places.push(format!("and {} more pieces", pieces - places.len()));
        }
        write!(f, "  {bytes} bytes {whose}, {}", places.join(",\n    "))
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Vec::new();
        match (&self.steps, self.collective_bytes) {
            (Some(steps), Some(bytes)) => {
                if self.by_messages {
                    let time = lasting(self.collective_nanoseconds);
                    lines.push(format!("messages between devices; these collectives would be {bytes} bytes to a device{time}:"));
                } else if steps.is_empty() {
                    lines.push("nothing moves".to_owned());
                }
                lines.extend(steps.iter().enumerate().map(|(i, step)| format!("{}. {step}", i + 1)));
                if let (false, true, Some(time)) =
                    (self.by_messages, steps.len() > 1, self.collective_nanoseconds)
                {
                    lines.push(format!("{bytes} bytes to a device in all, {}", duration(time)));
                }
            }
            _ => lines.push(
                "messages between devices, since blocks are uneven or do not divide each other".to_owned(),
            ),
        }
        if let Some(bytes) = self.bytes {
            let (bits, time) = (self.bits, lasting(self.nanoseconds));
            lines.push(format!("at most {bytes} bytes to a device{time}, if each element of {bits} bits comes straight from where it is"));
        }
        for (i, message) in self.messages.iter().enumerate() {
            if i == 0 {
                lines.push(format!("\nDevice {} has afterwards", message.to));
            }
            lines.push(message.to_string());
        }
        if self.more {
            lines.push("  and more from other devices".to_owned());
        }
        f.write_str(&lines.join("\n"))
    }
}
