//! The devices of a mesh that hold each part of a vector or matrix.

use crate::scene::{Cell, Ground, Label, Level, Panel, Scene};
use tilework_sharding::{Error, Sharding};

/// The devices that hold each block of a vector or matrix, coloured by the first of them: at most 16 blocks along a dimension.
///
/// ```
/// use tilework_sharding::{Mesh, Sharding};
/// let held = Sharding::parse(&Mesh::parse("x=2,y=4")?, &[1024, 512], "P(x, y)")?;
/// let scene = tilework_draw::sharding(&held, "P(x, y) on x=2,y=4")?;
/// assert_eq!((scene.panels[0].rows, scene.panels[0].columns), (2, 4));
/// assert_eq!(scene.panels[0].cells[5].note, "rows 512..1023, columns 128..255");
/// # Ok::<(), tilework_sharding::Error>(())
/// ```
///
/// # Errors
/// Those of [`Sharding::block_holders`].
pub fn sharding(sharding: &Sharding, title: &str) -> Result<Scene, Error> {
    let blocks = sharding.block_holders()?;
    let is_vector = sharding.shape().len() == 1;
    let (rows, columns) = (blocks.rows().len() - 1, blocks.columns().len() - 1);
    let mut cells = Vec::new();
    for (row, own) in blocks.holders().iter().enumerate() {
        for (column, devices) in own.iter().enumerate() {
            let names: Vec<String> = devices.iter().map(ToString::to_string).collect();
            cells.push(Cell {
                lines: names.chunks(4).map(|line| line.join(" ")).collect(),
                ground: Ground::Class(usize::try_from(devices[0]).unwrap_or(0)),
                index: cells.len() as i64,
                coordinate: format!("({row},{column})"),
                offset: names.join(" "),
                note: match is_vector {
                    true => format!("indices {}", blocks.column(column)),
                    false => format!("rows {}, columns {}", blocks.row(row), blocks.column(column)),
                },
            });
        }
    }
    let level = |text: Vec<String>| Level {
        labels: text.into_iter().enumerate().map(|(start, text)| Label { start, span: 1, text }).collect(),
    };
    let panel = Panel {
        rows,
        columns,
        cells,
        row_labels: if is_vector {
            Vec::new()
        } else {
            vec![level((0..rows).map(|row| blocks.row(row)).collect())]
        },
        column_labels: vec![level((0..columns).map(|column| blocks.column(column)).collect())],
        ..Panel::default()
    };
    let caption =
        if blocks.is_cut() { "the first blocks; there are more" } else { "devices that hold each block" };
    Ok(Scene {
        title: title.to_owned(),
        panels: vec![panel],
        caption: caption.to_owned(),
        ..Scene::default()
    })
}
