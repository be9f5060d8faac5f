//! A redistribution in bytes, as text and as data.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::error::Error;
use crate::holders::bytes;
use crate::links::Links;
use crate::mesh::Mesh;
use crate::redistribution::{Piece, Redistribution};
use crate::sharding::Sharding;
use crate::steps::{Collective, Step};

/// The most messages of one device that are shown.
const MESSAGES: usize = 8;

/// The most devices that are checked as sources.
const SOURCES: usize = 64;

/// The most devices, times the pieces of a message, that are checked as targets.
const TARGETS: i64 = 4096;

/// The most pieces of a message that are shown.
const PIECES: usize = 4;

/// The output of `tilework reshard`: the collectives, the bytes to a device, and the messages of one device.
///
/// ```
/// use tilework_sharding::{Mesh, Plan, Redistribution, Sharding};
/// let mesh = Mesh::parse("x=4")?;
/// let [from, to] = ["P(x)", "P()"].map(|text| Sharding::parse(&mesh, &[64], text));
/// let plan = Plan::new(&Redistribution::new(&from?, &to?)?, 3, 16, None, false)?;
/// assert!(plan.to_string().starts_with("1. all-gather along x: joins dimension 0\n   96 bytes to a device"));
/// # Ok::<(), tilework_sharding::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Plan {
    /// Whether messages are used instead of collectives.
    by_messages: bool,
    /// The bytes that a device receives if each element comes directly from its holder.
    bytes: Option<i64>,
    /// The same by the links over which they come.
    links: Option<Vec<LinkBytes>>,
    /// The time that this takes, if the speed of the links is given.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    nanoseconds: Option<f64>,
    /// The bytes of the collectives.
    collective_bytes: Option<i64>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    collective_nanoseconds: Option<f64>,
    /// The collectives, whether they are used or not.
    steps: Option<Vec<PlannedStep>>,
    /// Those that do pending reductions before the messages, if there are any.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    settling: Vec<PlannedStep>,
    /// The messages to the device.
    #[cfg_attr(feature = "serde", serde(flatten))]
    messages: Messages,
    #[cfg_attr(feature = "serde", serde(rename = "element_bits"))]
    bits: i64,
}

/// One collective.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
struct PlannedStep {
    step: String,
    bytes: i64,
    links: Vec<LinkBytes>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    nanoseconds: Option<f64>,
    after: String,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    why: Option<String>,
}

/// The bytes that come to a device over the links along one axis.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
struct LinkBytes {
    axis: String,
    bytes: i64,
}

impl LinkBytes {
    fn of(traffic: &[(usize, i64)], mesh: &Mesh, bits: i64) -> Result<Vec<LinkBytes>, Error> {
        let one = |&(axis, elements): &(usize, i64)| {
            Ok(LinkBytes { axis: mesh.axes()[axis].name().to_owned(), bytes: bytes(elements, bits)? })
        };
        traffic.iter().filter(|(_, elements)| *elements > 0).map(one).collect()
    }
}

/// The first messages that one device receives, or sends: their bytes, and the places of the first pieces of each.
///
/// ```
/// use tilework_sharding::{Mesh, Messages, Redistribution, Sharding};
/// let mesh = Mesh::parse("x=2")?;
/// let [from, to] = ["P(x, None)", "P(None, x)"].map(|text| Sharding::parse(&mesh, &[4, 4], text));
/// let plan = Redistribution::new(&from?, &to?)?;
/// let sent = Messages::from_device(&plan, 0, 32)?;
/// assert_eq!(sent.to_string().lines().nth(1), Some("  16 bytes to device 1, (0,2)+(2,2):(1@0,1@1) here, at (0,0)+(2,2):(1@0,1@1)"));
/// # Ok::<(), tilework_sharding::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Messages {
    messages: Vec<PlannedMessage>,
    /// Whether there are more, or may be.
    more: bool,
    /// Whether the device sends them.
    #[cfg_attr(feature = "serde", serde(skip))]
    sent: bool,
}

impl Messages {
    /// The messages that a device receives.
    ///
    /// # Errors
    /// [`Error::NoDevice`], [`Error::Overflow`]; [`Error::Layout`] beyond the capacity of a layout.
    pub fn to_device(plan: &Redistribution, device: i64, bits: i64) -> Result<Messages, Error> {
        let sources = plan.sources(device)?;
        let pairs = sources.numbers().take(SOURCES).map(|source| (source, device));
        Ok(Messages { sent: false, ..Messages::between(plan, pairs, bits)? })
    }

    /// The messages that a device sends. At most 4,096 devices are checked, and fewer if messages have many pieces.
    ///
    /// # Errors
    /// Those of [`to_device`](Self::to_device).
    pub fn from_device(plan: &Redistribution, device: i64, bits: i64) -> Result<Messages, Error> {
        let devices = plan.to().mesh().size();
        if !(0..devices).contains(&device) {
            return Err(Error::NoDevice { device, devices });
        }
        let asked = devices.min((TARGETS / plan.pieces()).max(1));
        let others = (0..asked).filter(|&target| target != device);
        let mut messages = Messages::between(plan, others.map(|target| (device, target)), bits)?;
        (messages.more, messages.sent) = (messages.more || asked < devices, true);
        Ok(messages)
    }

    fn between(
        plan: &Redistribution,
        pairs: impl Iterator<Item = (i64, i64)>,
        bits: i64,
    ) -> Result<Messages, Error> {
        let mut messages = Vec::new();
        for (from, to) in pairs {
            let Some(message) = plan.message(from, to) else { continue };
            if messages.len() == MESSAGES {
                return Ok(Messages { messages, more: true, sent: false });
            }
            messages.push(PlannedMessage {
                from,
                to,
                bytes: bytes(message.elements(), bits)?,
                pieces: message.pieces().len(),
                places: message.pieces().take(PIECES).map(|piece| Places::of(&piece)).collect(),
            });
        }
        Ok(Messages { messages, more: false, sent: false })
    }
}

/// One message.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
struct PlannedMessage {
    from: i64,
    to: i64,
    bytes: i64,
    /// The number of pieces.
    pieces: usize,
    /// The places of the first ones.
    places: Vec<Places>,
}

/// The local indices of a piece of a message, on both devices.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
struct Places {
    sent: String,
    kept: String,
}

impl Places {
    fn of(piece: &Piece) -> Places {
        Places { sent: piece.from().to_string(), kept: piece.to().to_string() }
    }
}

impl Plan {
    /// A plan for elements of some bits, with the messages of one device, the times if the speed of the links is given,
    /// and the reason for each step.
    ///
    /// # Errors
    /// [`Error::NoDevice`]; [`Error::Overflow`] for byte counts beyond 64 bits; [`Error::Layout`] beyond the capacity
    /// of a layout.
    pub fn new(
        plan: &Redistribution,
        device: i64,
        bits: i64,
        links: Option<&Links>,
        explain: bool,
    ) -> Result<Plan, Error> {
        let (mesh, traffic) = (plan.to().mesh(), plan.traffic());
        let time = |traffic: &[(usize, i64)]| links.map(|links| links.nanoseconds(traffic, bits));
        let planned = |steps: &[Step]| {
            let (mut from, mut all) = (plan.from().clone(), Vec::new());
            for step in steps {
                all.push(PlannedStep {
                    step: step.to_string(),
                    bytes: bytes(step.received(), bits)?,
                    links: LinkBytes::of(step.traffic(), mesh, bits)?,
                    nanoseconds: time(step.traffic()),
                    after: step.after().to_string(),
                    why: explain.then(|| why(&from, step)),
                });
                from = step.after().clone();
            }
            Ok::<_, Error>(all)
        };
        let steps = plan.collectives().map(planned).transpose()?;
        let settling = plan.settling().and_then(Redistribution::collectives).map(planned).transpose()?;
        let sum = |steps: &Vec<PlannedStep>| {
            let all = steps.iter().try_fold(0i64, |all, step| all.checked_add(step.bytes));
            all.ok_or_else(|| Error::Overflow { what: "the bytes of the collectives".to_owned() })
        };
        Ok(Plan {
            by_messages: plan.steps().is_none(),
            bytes: plan.most_received().map(|most| bytes(most, bits)).transpose()?,
            links: traffic.as_ref().map(|traffic| LinkBytes::of(traffic, mesh, bits)).transpose()?,
            nanoseconds: traffic.and_then(|traffic| time(&traffic)),
            collective_bytes: steps.as_ref().map(sum).transpose()?,
            collective_nanoseconds: steps
                .as_ref()
                .and_then(|steps| steps.iter().map(|step| step.nanoseconds).sum()),
            steps,
            settling: settling.unwrap_or_default(),
            messages: Messages::to_device(plan, device, bits)?,
            bits,
        })
    }
}

/// The reason for a step, and its cost in elements.
fn why(from: &Sharding, step: &Step) -> String {
    let held = |sharding: &Sharding| sharding.local_shape().iter().product::<i64>();
    let (before, after, received) = (held(from), held(step.after()), step.received());
    if !(from.is_even() && step.after().is_even()) {
        return format!(
            "a device holds at most {before} elements before and {after} after it, and takes {received}: blocks are not even, and are \
             filled up to the longest"
        );
    }
    match step.collective() {
        Collective::Slice { .. } => {
            format!(
                "these devices hold copies of {before} elements: each keeps {after}, so that less moves later"
            )
        }
        Collective::ReduceScatter { .. } => format!(
            "each device has a part of every sum and receives {received} parts of the {after} sums that it keeps; an all-reduce \
             would receive twice as many"
        ),
        Collective::AllReduce { .. } => {
            format!(
                "each device has a part of every sum and needs all {before} sums; in a ring it receives {received} elements"
            )
        }
        Collective::Permute => {
            format!(
                "the same pieces on other devices: all {received} elements of a device move, where it has the fewest"
            )
        }
        Collective::AllToAll { .. } => {
            format!(
                "the device has {before} elements before and after: {} stay, {received} are received",
                before - received
            )
        }
        Collective::AllGather { .. } => {
            format!(
                "the device has {before} of {after} elements and receives {received}; joins come last because they grow the tensor"
            )
        }
        Collective::Reorder => String::from("local reorder only"),
    }
}

/// Nanoseconds in a readable unit.
fn duration(nanoseconds: f64) -> String {
    match nanoseconds {
        few if few < 1e3 => format!("{few:.1} ns"),
        few if few < 1e6 => format!("{:.1} us", few / 1e3),
        few if few < 1e9 => format!("{:.1} ms", few / 1e6),
        many => format!("{:.1} s", many / 1e9),
    }
}

/// `, 3.2 us` if the time is known.
fn lasting(nanoseconds: Option<f64>) -> String {
    nanoseconds.map_or_else(String::new, |time| format!(", {}", duration(time)))
}

impl fmt::Display for PlannedStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PlannedStep { step, bytes, nanoseconds, after, why, .. } = self;
        write!(f, "{step}\n   {bytes} bytes to a device{}; then {after}", lasting(*nanoseconds))?;
        match why {
            Some(why) => write!(f, "\n   {why}"),
            None => Ok(()),
        }
    }
}

impl PlannedMessage {
    /// A line for the device that receives or sends it.
    fn line(&self, sent: bool) -> String {
        let PlannedMessage { from, to, bytes, pieces, places } = self;
        let whose = match sent {
            true => format!("to device {to}"),
            false if from == to => "of its own".to_owned(),
            false => format!("from device {from}"),
        };
        let place = if sent { "here" } else { "there" };
        let mut places: Vec<String> =
            places.iter().map(|Places { sent, kept }| format!("{sent} {place}, at {kept}")).collect();
        if *pieces > places.len() {
            places.push(format!("and {} more pieces", pieces - places.len()));
        }
        format!("  {bytes} bytes {whose}, {}", places.join(",\n    "))
    }
}

impl fmt::Display for Messages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.messages.first() else { return Ok(()) };
        match self.sent {
            true => write!(f, "Device {} sends", first.from)?,
            false => write!(f, "Device {} has afterwards", first.to)?,
        }
        for message in &self.messages {
            write!(f, "\n{}", message.line(self.sent))?;
        }
        match (self.more, self.sent) {
            (false, _) => Ok(()),
            (true, true) => f.write_str("\n  and there may be more, to other devices"),
            (true, false) => f.write_str("\n  and more from other devices"),
        }
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
            _ => {
                lines.extend(self.settling.iter().enumerate().map(|(i, step)| format!("{}. {step}", i + 1)));
                let then = if self.settling.is_empty() { "" } else { "then " };
                lines.push(format!("{then}messages between devices, since blocks do not divide each other"));
            }
        }
        if let Some(bytes) = self.bytes {
            let (bits, time) = (self.bits, lasting(self.nanoseconds));
            lines.push(format!("at most {bytes} bytes to a device{time}, if each element of {bits} bits comes straight from where it is"));
        }
        if !self.messages.messages.is_empty() {
            lines.push(format!("\n{}", self.messages));
        }
        f.write_str(&lines.join("\n"))
    }
}
