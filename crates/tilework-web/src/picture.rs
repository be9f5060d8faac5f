//! The picture of a value.

use crate::question::{Format, Reading, View};
use serde::Serialize;
use tilework::{Error, HTuple, Layout, Offset};
use tilework_draw::{Ground, Options, Scene, html, svg, tex};
use tilework_expr::Value;

/// A picture for the page.
#[derive(Serialize)]
pub struct Picture {
    svg: String,
    /// What the reader has to know besides, such as what was cut.
    caption: String,
    panels: Vec<Panel>,
}

/// What the page needs to know where a cell is: the cells follow each other row by row.
#[derive(Serialize)]
struct Panel {
    rows: usize,
    columns: usize,
    /// The linear index of each cell.
    indices: Vec<i64>,
}

impl Picture {
    /// The picture of a value that is a layout, or a function on the domain of one.
    pub fn of(value: &Value, view: &View) -> Option<Picture> {
        let scene = scene(value, view)?;
        let panels = scene.panels.iter().map(|panel| Panel {
            rows: panel.rows,
            columns: panel.columns,
            indices: panel.cells.iter().map(|cell| cell.index).collect(),
        });
        let panels = panels.collect();
        // The page has the title and the caption in its own letters.
        let bare = Scene { title: String::new(), caption: String::new(), ..scene };
        Some(Picture { svg: svg::write_themed(&bare, view.theme()), caption: scene.caption, panels })
    }
}

/// The picture as a file.
pub fn export(value: &Value, view: &View, format: Format) -> Option<String> {
    let scene = scene(value, view)?;
    Some(match format {
        Format::Svg => svg::write_themed(&scene, view.theme()),
        Format::Tex => tex::write(&scene),
        Format::Html => html::write(&scene),
    })
}

/// The offset of a linear index, for values that have offsets.
pub fn offset(value: &Value, index: i64) -> Result<Offset, Error> {
    // Not seen, since what has a domain is a function of it.
    let none = Error::Index { index: 0, rank: 0 };
    value.evaluate(&HTuple::leaf(index)).unwrap_or(Err(none))
}

/// The offset where it is one number.
pub fn integer(offset: &Offset) -> Option<i64> {
    match offset.leaves() {
        [leaf] if offset.is_leaf() && leaf.is_integer() => Some(leaf.numerator()),
        _ => None,
    }
}

/// Thread and value of a linear index, where mode 0 counts threads and mode 1 values.
pub fn thread_value(domain: &Layout, index: i64) -> Option<(i64, i64)> {
    let threads = domain.mode(0).ok()?.size();
    (domain.rank() == 2).then_some((index % threads, index / threads))
}

fn scene(value: &Value, view: &View) -> Option<Scene> {
    let domain = *value.domain()?;
    let options = Options { max_cells: view.cells, path: view.path };
    let drawn = tilework_draw::draw(&value.to_string(), &domain, |index| offset(value, index), &options);
    let mut scene = drawn.ok()?;
    let mut seen = false;
    for cell in scene.panels.iter_mut().flat_map(|panel| &mut panel.cells) {
        match view.reading {
            Reading::Offsets => {}
            Reading::Banks => {
                let Some(offset) = offset(value, cell.index).ok().as_ref().and_then(integer) else {
                    continue;
                };
                let bank = view.bank_of(offset);
                cell.lines.push(format!("b{bank}"));
                cell.ground = Ground::Scale(bank as f64 / (view.banks - 1).max(1) as f64);
                seen = true;
            }
            Reading::Threads => {
                let Some((thread, value)) = thread_value(&domain, cell.index) else { continue };
                cell.lines.push(format!("T{thread} V{value}"));
                cell.ground = Ground::Class(thread as usize);
                seen = true;
            }
        }
    }
    let legend = match view.reading {
        Reading::Offsets => String::new(),
        Reading::Banks if !seen => String::from("offsets that are no integers lie in no bank"),
        Reading::Threads if !seen => String::from("threads and values need two modes"),
        Reading::Banks => format!(
            "b: the bank, of {} banks of {} bytes each, for elements of {} bits",
            view.banks, view.bank, view.element
        ),
        Reading::Threads => String::from("T and V: thread and value, mode 0 and mode 1"),
    };
    let captions: Vec<&str> =
        [scene.caption.as_str(), &legend].into_iter().filter(|part| !part.is_empty()).collect();
    scene.caption = captions.join("; ");
    Some(scene)
}
