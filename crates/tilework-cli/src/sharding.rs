//! `shard`: who holds what of a tensor on a mesh of devices, in every form and as a picture.

use crate::answer::{Refusal, answer, evaluated, wrong_kind};
use crate::picture;
use clap::Args;
use serde::Serialize;
use std::fmt;
use std::io;
use tilework_draw::{Cell, Ground, Label, Level, Panel, Scene};
use tilework_sharding::{Mesh, Sharding};

pub const SHARD_HELP: &str = "SPEC in any form:
  P(x, (y, z), None)                          JAX
  [Shard(0), Replicate(), Partial(sum)]       PyTorch
  {devices=[2,1,4]<=[8] last_tile_dim_replicate}   HLO
  #sdy.sharding<@mesh, [{\"x\"}, {}]>           Shardy
  ((2,4),(512,128)):((512@0,128@1),(1@0,1@1))      a layout from device and local index to coordinate

Example:
  tilework shard '(1024,512)' --mesh x=2,y=4 --spec 'P(x, y)'
  tilework shard '(1024,512)' --mesh x=2,y=4 --spec 'P(x, y)' -o held.svg     who holds what, as a picture

Exit status: 0, 1 where there is no such sharding, 2 for a wrong command line.";

/// Devices, and the most blocks along a dimension, that a table shows.
pub const SHOWN: i64 = 16;

/// Devices, and blocks along a dimension, that a picture shows at most.
const MOST: usize = 256;

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
    #[command(flatten)]
    picture: picture::Output,
}

/// `shard`: one sharding in every form.
pub fn shard(arguments: &ShardArguments) -> io::Result<bool> {
    let ShardArguments { shape, mesh, spec, json, picture } = arguments;
    let sharding = || Ok::<_, Refusal>(Sharding::parse(&Mesh::parse(mesh)?, &extents(shape)?, spec)?);
    if picture.wanted() {
        let most = picture.options().max_cells.min(MOST);
        return match sharding().and_then(|sharding| drawn(&sharding, spec, most)) {
            Ok(scene) => picture.write(scene),
            Err(refusal) => answer::<Forms>(false, Err(refusal)),
        };
    }
    answer(*json, sharding().and_then(|sharding| Ok((true, Forms::of(&sharding)?))))
}

pub fn extents(text: &str) -> Result<Vec<i64>, Refusal> {
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
            blocks: Blocks::of(sharding, SHOWN)?.filter(|blocks| !blocks.cut),
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
    /// Whether there are more.
    #[serde(skip)]
    cut: bool,
}

impl Blocks {
    /// The first blocks of a vector or matrix, at most some along a dimension. None for other ranks, and for more devices than four
    /// times as many.
    fn of(sharding: &Sharding, most: i64) -> Result<Option<Blocks>, Refusal> {
        if sharding.mesh().size() > 4 * most {
            return Ok(None);
        }
        let (rows, columns) = match *sharding.shape() {
            [_] => (vec![0, 1], edges(sharding, 0, most)),
            [_, _] => (edges(sharding, 0, most), edges(sharding, 1, most)),
            _ => return Ok(None),
        };
        let ends = |edges: &[i64], dimension: usize| edges[edges.len() - 1] == sharding.shape()[dimension];
        let cut =
            !ends(&columns, sharding.shape().len() - 1) || sharding.shape().len() == 2 && !ends(&rows, 0);
        let mut holders = Vec::new();
        for &row in &rows[..rows.len() - 1] {
            let mut along = Vec::new();
            for &column in &columns[..columns.len() - 1] {
                let coordinate = if sharding.shape().len() == 1 { vec![column] } else { vec![row, column] };
                along.push(sharding.holders(&coordinate)?.numbers().collect());
            }
            holders.push(along);
        }
        Ok(Some(Blocks { rows, columns, holders, cut }))
    }
}

/// Where the devices change along a dimension, from 0: at most some blocks.
fn edges(sharding: &Sharding, dimension: usize, most: i64) -> Vec<i64> {
    let extent = sharding.shape()[dimension];
    let device =
        |digit: &&tilework_sharding::Digit| matches!(digit.owner, tilework_sharding::Owner::Axis { .. });
    let block = sharding.digits()[dimension].iter().find(device).map_or(extent, |digit| digit.stride);
    let edge = |i: i64| i.saturating_mul(block).min(extent);
    let mut edges: Vec<i64> = (0..=most).map(edge).collect();
    edges.dedup();
    edges
}

/// Indices from an edge to the next.
fn range(edges: &[i64]) -> String {
    if edges[1] - edges[0] == 1 { edges[0].to_string() } else { format!("{}..{}", edges[0], edges[1] - 1) }
}

/// The devices of each block, coloured by the first of them.
fn drawn(sharding: &Sharding, spec: &str, most: usize) -> Result<Scene, Refusal> {
    let most = most.isqrt().max(1) as i64;
    let Some(blocks) = Blocks::of(sharding, most.max(SHOWN))? else {
        let message = format!("a picture has a vector or matrix on at most {} devices", 4 * most.max(SHOWN));
        return Err(Refusal::Condition("picture", message));
    };
    let (rows, columns) = (blocks.rows.len() - 1, blocks.columns.len() - 1);
    let mut cells = Vec::new();
    for (row, own) in blocks.holders.iter().enumerate() {
        for (column, devices) in own.iter().enumerate() {
            let names: Vec<String> = devices.iter().map(ToString::to_string).collect();
            cells.push(Cell {
                lines: names.chunks(4).map(|line| line.join(" ")).collect(),
                ground: Ground::Class(usize::try_from(devices[0]).unwrap_or(0)),
                index: cells.len() as i64,
                coordinate: format!("({row},{column})"),
                offset: names.join(" "),
                note: format!(
                    "rows {}, columns {}",
                    range(&blocks.rows[row..]),
                    range(&blocks.columns[column..])
                ),
            });
        }
    }
    let level = |edges: &[i64]| Level {
        labels: edges
            .windows(2)
            .enumerate()
            .map(|(start, edges)| Label { start, span: 1, text: range(edges) })
            .collect(),
    };
    let is_vector = sharding.shape().len() == 1;
    let panel = Panel {
        rows,
        columns,
        cells,
        row_labels: if is_vector { Vec::new() } else { vec![level(&blocks.rows)] },
        column_labels: vec![level(&blocks.columns)],
        ..Panel::default()
    };
    let caption =
        if blocks.cut { "the first blocks; there are more" } else { "devices that hold each block" };
    let title = format!("{spec} on {}", sharding.mesh());
    Ok(Scene { title, panels: vec![panel], caption: caption.to_owned(), ..Scene::default() })
}

impl fmt::Display for Blocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
