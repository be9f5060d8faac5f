//! The picture of a text.

use crate::question::{Format, View};
use serde::Serialize;
use std::mem;
use tilework_draw::{Scene, html, svg, tex};
use tilework_expr::{Aspect, Trace, Value};

/// The values of threads are enumerated at every key.
const MAX_VALUES: i64 = 1 << 15;

/// A picture for the page.
#[derive(Serialize)]
pub struct Picture {
    svg: String,
    /// Further remarks, such as what was cut.
    caption: String,
    /// The number of cells, if not all are drawn.
    cut: Option<usize>,
    panels: Vec<Panel>,
}

/// The positions of cells, row by row; the last row may have fewer.
#[derive(Serialize)]
struct Panel {
    rows: usize,
    columns: usize,
    /// The number of cells; the last row may have fewer than the others.
    cells: usize,
}

impl Picture {
    pub fn new(scene: &mut Scene, view: &View) -> Picture {
        let panels = scene.panels.iter().map(|panel| Panel {
            rows: panel.rows,
            columns: panel.columns,
            cells: panel.cells.len(),
        });
        let panels = panels.collect();
        let drawn = scene.panels.iter().map(|panel| panel.cells.len()).sum();
        // The page sets the title and the caption in its own font.
        let (title, caption) = (mem::take(&mut scene.title), mem::take(&mut scene.caption));
        let svg = svg::write_themed(scene, view.theme());
        (scene.title, scene.caption) = (title, caption.clone());
        Picture { svg, caption, cut: scene.cut.then_some(drawn), panels }
    }

    /// The picture of a value alone, if it is a function of coordinates.
    pub fn of_value(value: &Value, view: &View) -> Option<Picture> {
        Some(Picture::new(&mut value.picture(&view.options()).ok()?, view))
    }
}

/// The picture as a file.
pub fn export(scene: &Scene, view: &View, format: Format) -> String {
    match format {
        Format::Svg => svg::write_themed(scene, view.theme()),
        Format::Tex => tex::write(scene),
        Format::Html => html::write(scene),
    }
}

/// The scene of the last operation of a text. If the requested aspect does not apply, the caption says so, and the
/// offsets are shown in their default colours.
pub fn scene(trace: &Trace, view: &View) -> Option<Scene> {
    let operation = trace.operations.last()?;
    let offsets = || shown(trace)?.picture(&view.options().colored_by(None)).ok();
    let look = match view.look() {
        Ok(look) => look,
        Err(sentence) => return Some(Scene { caption: sentence, ..offsets()? }),
    };
    if look.aspect == Aspect::Threads
        && shown(trace)?.domain().is_some_and(|domain| domain.size() > MAX_VALUES)
    {
        let caption =
            format!("the page shows threads of at most {MAX_VALUES} values; tilework draw has more time");
        return Some(Scene { caption, ..offsets()? });
    }
    // These show the value, not the operation.
    let of_value = matches!(look.aspect, Aspect::Offsets | Aspect::Threads | Aspect::Values | Aspect::Banks);
    if of_value && shown(trace).is_none() {
        return None;
    }
    match operation.picture(&look) {
        Ok(scene) => Some(scene),
        Err(error) => Some(Scene { caption: error.message, ..offsets()? }),
    }
}

/// The value to be drawn. A shape literal is drawn as its compact layout, a computed shape is not.
pub fn shown(trace: &Trace) -> Option<Value> {
    let (value, _) = trace.outcome.as_ref().ok()?;
    if value.domain().is_some() || matches!(value, Value::Instruction(_)) {
        return Some(value.clone());
    }
    let written = trace.operations.iter().all(|operation| operation.operands().is_empty());
    if written { as_function(value) } else { None }
}

/// A function of coordinates; a tuple of extents as its compact layout.
pub fn as_function(value: &Value) -> Option<Value> {
    match (value, value.as_layout()) {
        (Value::Tuple(tuple), Some(Ok(layout))) if !tuple.is_leaf() => Some(Value::from(layout)),
        _ => value.domain().map(|_| value.clone()),
    }
}
