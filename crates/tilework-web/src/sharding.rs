//! A tensor on a mesh of devices: the parts that each device holds, and the messages of a redistribution.

use crate::picture::Picture;
use crate::question::Tensor;
use crate::wrong::Wrong;
use serde::Serialize;
use tilework_expr::{ExprError, width};
use tilework_sharding::{Error, Forms, Links, Mesh, Messages, Plan, Redistribution, Sharding};

/// The parts that each device holds, and the plan; or the error in one of the lines.
#[derive(Default, Serialize)]
pub struct Answer {
    forms: Option<Forms>,
    /// The elements that a device holds.
    held: Option<String>,
    picture: Option<Picture>,
    /// Why there is no picture.
    unpictured: Option<String>,
    /// The cells of the picture that the chosen device holds.
    cells: Vec<usize>,
    plan: Option<Planned>,
    /// The line that is wrong.
    line: &'static str,
    error: Option<Wrong>,
}

/// A plan as the command line prints it, and as data.
#[derive(Serialize)]
struct Planned {
    text: String,
    /// What the device sends.
    sent: String,
    #[serde(flatten)]
    plan: Plan,
}

/// A line that is wrong.
struct Line(&'static str, Wrong);

/// Adds the name of the line to an error.
fn of_line<T>(line: &'static str, text: &str, result: Result<T, Error>) -> Result<T, Line> {
    result.map_err(|error| Line(line, Wrong::of_condition(error.code(), error.to_string(), text)))
}

impl Tensor {
    pub fn answer(&self) -> Answer {
        let mut answer = Answer::default();
        if let Err(Line(line, error)) = self.fill(&mut answer) {
            (answer.line, answer.error) = (line, Some(error));
        }
        answer
    }

    /// Fills in the answer up to the first line with an error.
    fn fill(&self, answer: &mut Answer) -> Result<(), Line> {
        let from = self.sharding()?;
        let bits = width(self.view.bits.map(|bits| bits.clamp(1, 1024)), self.shape.value().as_ref().ok());
        let text = &self.shape.text;
        let bits = bits.map_err(|failure| Line("shape", Wrong::of(&failure.into(), text)))?.into();
        answer.forms = Some(of_line("spec", &self.spec, Forms::of(&from))?);
        let bytes = of_line("spec", &self.spec, from.bytes(bits))?;
        let most = if from.is_even() { "" } else { "at most " };
        answer.held = Some(format!("{most}{bytes} bytes on each of {} devices", from.mesh().size()));
        match tilework_draw::sharding(&from, "") {
            Ok(mut scene) => answer.picture = Some(Picture::new(&mut scene, &self.view)),
            Err(error) => answer.unpictured = Some(error.to_string()),
        }
        if let Some(device) = self.device {
            answer.cells = cells(&from, device);
        }
        if !self.to.trim().is_empty() {
            answer.plan = Some(self.plan(&from, bits)?);
        }
        Ok(())
    }

    fn sharding(&self) -> Result<Sharding, Line> {
        let mesh = of_line("mesh", &self.mesh, Mesh::parse(&self.mesh))?;
        let text = &self.shape.text;
        let shape = self.shape.value().and_then(|value| {
            value.as_shape().ok_or_else(|| ExprError::wrong_kind(text, "a shape", value.kind()))
        });
        let shape = shape.map_err(|error| Line("shape", Wrong::of(&error, text)))?;
        of_line("spec", &self.spec, Sharding::parse(&mesh, shape.leaves(), &self.spec))
    }

    fn plan(&self, from: &Sharding, bits: i64) -> Result<Planned, Line> {
        let mesh = from.mesh();
        // On the mesh as it is written: a list of devices in the other line may have given that one another order.
        let given = of_line("mesh", &self.mesh, Mesh::parse(&self.mesh))?;
        let to = of_line("to", &self.to, Sharding::parse(&given, from.shape(), &self.to))?;
        let plan = if self.links.trim().is_empty() {
            (Redistribution::new(from, &to), None)
        } else {
            let links = of_line("links", &self.links, Links::parse(mesh, &self.links))?;
            (Redistribution::over(from, &to, &links), Some(links))
        };
        let (redistribution, links) = (of_line("to", &self.to, plan.0)?, plan.1);
        let device = self.device.unwrap_or(mesh.size() - 1);
        let number = device.to_string();
        let sent = of_line("device", &number, Messages::from_device(&redistribution, device, bits))?;
        let plan = Plan::new(&redistribution, device, bits, links.as_ref(), true);
        let plan = of_line("to", &self.to, plan)?;
        Ok(Planned { text: plan.to_string(), sent: sent.to_string(), plan })
    }

    /// The description of one cell of the picture.
    pub fn cell(&self, number: usize) -> Option<Block> {
        let sharding = self.sharding().ok()?;
        let blocks = sharding.block_holders().ok()?;
        let columns = blocks.columns().len() - 1;
        let (row, column) = (number / columns, number % columns);
        let devices = blocks.holders().get(row)?.get(column)?;
        let is_vector = sharding.shape().len() == 1;
        let local = |row: i64, column: i64| {
            let at = [row, column];
            let local = sharding.local_index(&at[usize::from(is_vector)..]).ok()?;
            Some(tuple(&local))
        };
        let (rows, along) = (&blocks.rows()[row..], &blocks.columns()[column..]);
        let names: Vec<String> = devices.iter().map(ToString::to_string).collect();
        let indices = match is_vector {
            true => format!("indices {}", blocks.column(column)),
            false => format!("rows {}, columns {}", blocks.row(row), blocks.column(column)),
        };
        Some(Block {
            sentence: format!(
                "{indices}, on {} {}",
                if names.len() == 1 { "device" } else { "devices" },
                names.join(", ")
            ),
            indices,
            first: local(rows[0], along[0])?,
            last: local(rows[1] - 1, along[1] - 1)?,
            holders: devices.iter().map(|&device| Holder::of(&sharding, device)).collect(),
        })
    }
}

/// A block of the tensor.
#[derive(Serialize)]
pub struct Block {
    indices: String,
    /// The local index of its first element, on every device that holds it, and of its last.
    first: String,
    last: String,
    holders: Vec<Holder>,
    /// For screen readers.
    sentence: String,
}

/// A device that holds it.
#[derive(Serialize)]
struct Holder {
    device: i64,
    /// Its coordinate on the mesh, such as `x=1,y=0`.
    place: String,
}

impl Holder {
    fn of(sharding: &Sharding, device: i64) -> Holder {
        let at = sharding.mesh().coordinate(device).unwrap_or_default();
        let along = sharding.mesh().axes().iter().zip(at);
        let along: Vec<String> = along.map(|(axis, at)| format!("{}={at}", axis.name())).collect();
        Holder { device, place: along.join(",") }
    }
}

/// The cells of the picture that a device holds.
fn cells(sharding: &Sharding, device: i64) -> Vec<usize> {
    let Ok(blocks) = sharding.block_holders() else { return Vec::new() };
    let cells = blocks.holders().iter().flatten().enumerate();
    cells.filter(|(_, devices)| devices.contains(&device)).map(|(cell, _)| cell).collect()
}

fn tuple(index: &[i64]) -> String {
    let parts: Vec<String> = index.iter().map(ToString::to_string).collect();
    format!("({})", parts.join(","))
}
