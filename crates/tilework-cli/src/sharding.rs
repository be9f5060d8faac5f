//! `shard` and `reshard`: tensors on a mesh of devices.

use crate::answer::{Refusal, answer, evaluated, wrong_kind};
use clap::Args;
use serde::Serialize;
use std::fmt;
use std::io;
use tilework_sharding::{Mesh, Piece, Redistribution, Sharding, Step};

pub const SHARD_HELP: &str = "SPEC in any form:
  P(x, (y, z), None)                          JAX
  [Shard(0), Replicate(), Partial(sum)]       PyTorch
  {devices=[2,1,4]<=[8] last_tile_dim_replicate}   HLO
  #sdy.sharding<@mesh, [{\"x\"}, {}]>           Shardy
  ((2,4),(512,128)):((512@0,128@1),(1@0,1@1))      a layout from device and local index to coordinate

Example:
  tilework shard '(1024,512)' --mesh x=2,y=4 --spec 'P(x, y)'

Exit status: 0, 1 where there is no such sharding, 2 for a wrong command line.";

pub const RESHARD_HELP: &str = "FROM and TO are written as SPEC of `tilework shard --help`.

Example:
  tilework reshard '(1024,512)' 'P(x, y)' 'P(y, x)' --mesh x=2,y=4 --bits 32

Exit status: 0, 1 where there is no plan, 2 for a wrong command line.";

/// Devices, and the most blocks along a dimension, that a table shows.
const SHOWN: i64 = 16;

/// Pieces of a message that a plan shows.
const PIECES: usize = 4;

#[derive(Args)]
pub struct ShardArguments {
    /// The extents of the tensor
    #[arg(value_name = "SHAPE")]
    shape: String,
    /// The devices, by the names and extents of their axes
    #[arg(long, value_name = "x=2,y=4")]
    mesh: String,
    /// How the tensor is divided
    #[arg(long, value_name = "SPEC")]
    spec: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub struct ReshardArguments {
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
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// `shard`: one sharding in every form.
pub fn shard(arguments: &ShardArguments) -> io::Result<bool> {
    let ShardArguments { shape, mesh, spec, json } = arguments;
    let sharded = || {
        let sharding = Sharding::parse(&Mesh::parse(mesh)?, &extents(shape)?, spec)?;
        Ok::<_, Refusal>((true, Forms::of(&sharding)?))
    };
    answer(*json, sharded())
}

/// `reshard`: the plan from one sharding to another.
pub fn reshard(arguments: &ReshardArguments) -> io::Result<bool> {
    let ReshardArguments { shape, from, to, mesh, bits, json } = arguments;
    let planned = || {
        let (mesh, shape) = (Mesh::parse(mesh)?, extents(shape)?);
        let plan = Redistribution::new(
            &Sharding::parse(&mesh, &shape, from)?,
            &Sharding::parse(&mesh, &shape, to)?,
        )?;
        Ok::<_, Refusal>((true, Plan::of(&plan, *bits)?))
    };
    answer(*json, planned())
}

fn extents(text: &str) -> Result<Vec<i64>, Refusal> {
    let value = evaluated(text)?;
    let shape = value.as_shape().ok_or_else(|| wrong_kind(text, "a shape", &value))?;
    Ok(shape.leaves().to_vec())
}

#[derive(Serialize)]
struct Forms {
    layout: String,
    local: Vec<i64>,
    even: bool,
    jax: Form,
    pytorch: Form,
    hlo: Form,
    shardy: Form,
    #[serde(skip_serializing_if = "Option::is_none")]
    blocks: Option<Blocks>,
    devices: i64,
}

/// The text of a form, or why there is none.
#[derive(Serialize)]
#[serde(untagged)]
enum Form {
    Text(String),
    Refused { refused: String },
}

impl Form {
    fn of(text: Result<String, tilework_sharding::Error>) -> Form {
        match text {
            Ok(text) => Form::Text(text),
            Err(error) => Form::Refused { refused: error.to_string() },
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Form::Text(text) => f.write_str(text),
            Form::Refused { refused } => write!(f, "none: {refused}"),
        }
    }
}

impl Forms {
    fn of(sharding: &Sharding) -> Result<Forms, Refusal> {
        Ok(Forms {
            layout: sharding.layout()?.to_string(),
            local: sharding.local_shape(),
            even: sharding.is_even(),
            jax: Form::of(sharding.to_partition_spec()),
            pytorch: Form::of(sharding.to_placements()),
            hlo: Form::of(sharding.to_hlo()),
            shardy: Form::of(sharding.to_shardy()),
            blocks: Blocks::of(sharding)?,
            devices: sharding.mesh().size(),
        })
    }
}

impl fmt::Display for Forms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let local: Vec<String> = self.local.iter().map(ToString::to_string).collect();
        let most = if self.even { "" } else { " at most" };
        writeln!(f, "layout   {}", self.layout)?;
        writeln!(f, "local    ({}){most}, on each of {} devices", local.join(","), self.devices)?;
        writeln!(f, "JAX      {}", self.jax)?;
        writeln!(f, "PyTorch  {}", self.pytorch)?;
        writeln!(f, "HLO      {}", self.hlo)?;
        write!(f, "Shardy   {}", self.shardy)?;
        match &self.blocks {
            Some(blocks) => write!(f, "\n\n{blocks}"),
            None => Ok(()),
        }
    }
}

/// Who holds which block of a vector or matrix.
#[derive(Serialize)]
struct Blocks {
    /// The first index of each run of rows that one set of devices holds, and one past the last.
    rows: Vec<i64>,
    columns: Vec<i64>,
    /// The devices of each block, rows by columns.
    holders: Vec<Vec<Vec<i64>>>,
}

impl Blocks {
    /// None for other ranks than 1 and 2, and for more blocks or devices than a table shows.
    fn of(sharding: &Sharding) -> Result<Option<Blocks>, Refusal> {
        let (rows, columns) = match *sharding.shape() {
            [_] => (vec![0, 1], edges(sharding, 0)),
            [_, _] => (edges(sharding, 0), edges(sharding, 1)),
            _ => return Ok(None),
        };
        let blocks = |edges: &[i64]| edges.len() as i64 - 1;
        if blocks(&rows) > SHOWN || blocks(&columns) > SHOWN || sharding.mesh().size() > 4 * SHOWN {
            return Ok(None);
        }
        let mut holders = Vec::new();
        for &row in &rows[..rows.len() - 1] {
            let mut along = Vec::new();
            for &column in &columns[..columns.len() - 1] {
                let coordinate = if sharding.shape().len() == 1 { vec![column] } else { vec![row, column] };
                along.push(sharding.holders(&coordinate)?.numbers().collect());
            }
            holders.push(along);
        }
        Ok(Some(Blocks { rows, columns, holders }))
    }
}

/// Where the devices change along a dimension, from 0 to its extent; at most a few more than are shown.
fn edges(sharding: &Sharding, dimension: usize) -> Vec<i64> {
    let extent = sharding.shape()[dimension];
    let device =
        |digit: &&tilework_sharding::Digit| matches!(digit.owner, tilework_sharding::Owner::Axis { .. });
    let block = sharding.digits()[dimension].iter().find(device).map_or(extent, |digit| digit.stride);
    let mut edges: Vec<i64> =
        (0..=SHOWN).map(|i| i.saturating_mul(block)).take_while(|&edge| edge < extent).collect();
    edges.push(extent);
    edges
}

impl fmt::Display for Blocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let range = |edges: &[i64]| {
            if edges[1] - edges[0] == 1 {
                edges[0].to_string()
            } else {
                format!("{}..{}", edges[0], edges[1] - 1)
            }
        };
        let heads: Vec<String> = self.columns.windows(2).map(range).collect();
        // A vector has no rows to name.
        let sides: Vec<String> =
            if self.rows == [0, 1] { vec![String::new()] } else { self.rows.windows(2).map(range).collect() };
        let text = |devices: &Vec<i64>| devices.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let cells: Vec<Vec<String>> = self.holders.iter().map(|row| row.iter().map(text).collect()).collect();
        let width =
            |i: usize| cells.iter().map(|row| row[i].len()).chain([heads[i].len()]).max().unwrap_or(0);
        let side = sides.iter().map(String::len).max().unwrap_or(0);
        write!(f, "{:side$}", "")?;
        for (i, head) in heads.iter().enumerate() {
            write!(f, "  {head:>width$}", width = width(i))?;
        }
        for (name, row) in sides.iter().zip(&cells) {
            write!(f, "\n{name:>side$}")?;
            for (i, cell) in row.iter().enumerate() {
                write!(f, "  {cell:>width$}", width = width(i))?;
            }
        }
        Ok(())
    }
}

#[derive(Serialize)]
struct Plan {
    /// The bytes that a device takes from others if each element comes straight from where it is.
    bytes: Option<i64>,
    /// The bytes of the collectives.
    collective_bytes: Option<i64>,
    steps: Option<Vec<PlannedStep>>,
    /// What the last device takes, and from whom.
    messages: Vec<PlannedMessage>,
    #[serde(skip)]
    bits: i64,
}

#[derive(Serialize)]
struct PlannedStep {
    step: String,
    bytes: i64,
    after: String,
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
    fn of(plan: &Redistribution, bits: i64) -> Result<Plan, Refusal> {
        let step = |step: &Step| {
            let (text, after) = (step.to_string(), step.after().to_string());
            Ok(PlannedStep { step: text, bytes: bytes(step.received(), bits)?, after })
        };
        let steps = plan
            .steps()
            .map(|steps| steps.iter().map(step).collect::<Result<Vec<_>, Refusal>>())
            .transpose()?;
        let devices = plan.to().mesh().size();
        let most = plan.most_received();
        let last = devices - 1;
        let mut messages = Vec::new();
        for source in plan.sources(last)?.numbers().take(SHOWN as usize) {
            let Some(message) = plan.message(source, last) else { continue };
            messages.push(PlannedMessage {
                from: source,
                to: last,
                bytes: bytes(message.elements(), bits)?,
                pieces: message.pieces().len(),
                places: message.pieces().take(PIECES).map(|piece| Places::of(&piece)).collect(),
            });
        }
        let collective_bytes = steps.as_ref().map(|steps| steps.iter().map(|step| step.bytes).sum());
        Ok(Plan {
            bytes: most.map(|most| bytes(most, bits)).transpose()?,
            collective_bytes,
            steps,
            messages,
            bits,
        })
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Vec::new();
        match &self.steps {
            None => lines.push(
                "messages between devices, since blocks are uneven or do not divide each other".to_owned(),
            ),
            Some(steps) if steps.is_empty() => lines.push("nothing moves".to_owned()),
            Some(steps) => {
                for (i, PlannedStep { step, bytes, after }) in steps.iter().enumerate() {
                    lines.push(format!("{}. {step}\n   {bytes} bytes to a device; then {after}", i + 1));
                }
            }
        }
        if let Some(bytes) = self.bytes {
            let bits = self.bits;
            lines.push(format!("at most {bytes} bytes to a device, if each element of {bits} bits comes straight from where it is"));
        }
        for (i, PlannedMessage { from, to, bytes, pieces, places }) in self.messages.iter().enumerate() {
            if i == 0 {
                lines.push(format!("\nDevice {to} has afterwards"));
            }
            let whose = if from == to { "of its own".to_owned() } else { format!("from device {from}") };
            let mut places: Vec<String> =
                places.iter().map(|Places { sent, kept }| format!("{sent} there, at {kept}")).collect();
            if *pieces > places.len() {
                places.push(format!("and {} more pieces", pieces - places.len()));
            }
            lines.push(format!("  {bytes} bytes {whose}, {}", places.join(",\n    ")));
        }
        f.write_str(&lines.join("\n"))
    }
}
