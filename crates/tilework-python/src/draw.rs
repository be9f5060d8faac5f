//! Pictures of layouts.

use crate::error::Refusal;
use crate::layout::AnyLayout;
use crate::tensor::PyTensor;
use crate::tuple;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use std::path::PathBuf;
use tilework::{Error, HTuple};
use tilework_draw::palette::Theme;
use tilework_draw::{Options, Scene, html, png, svg, terminal, tex};
use tilework_expr::Value;

/// A picture of layouts: shown by a notebook, printed as a table, or saved.
///
/// >>> from tilework import draw
/// >>> print(draw("(2,4):(1,2)"))
/// (2,4):(1,2)
///     0   1   2   3
///   +---+---+---+---+
/// 0 | 0 | 2 | 4 | 6 |
///   +---+---+---+---+
/// 1 | 1 | 3 | 5 | 7 |
///   +---+---+---+---+
#[pyclass(frozen, module = "tilework")]
pub struct Picture(Scene);

#[pymethods]
impl Picture {
    /// The picture as SVG, which follows a reader's choice of light or dark.
    fn svg(&self) -> String {
        svg::write(&self.0)
    }

    /// The picture as a page in which cells tell what they are.
    fn html(&self) -> String {
        html::write(&self.0)
    }

    /// The picture as LaTeX with TikZ.
    fn tex(&self) -> String {
        tex::write(&self.0)
    }

    /// The picture as PNG.
    fn png<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>, Refusal> {
        let bytes = py.detach(|| png::write(&self.0, Theme::Light));
        Ok(PyBytes::new(py, &bytes.map_err(|error| Refusal::new("limit", error.to_string()))?))
    }

    /// Writes the picture to a file whose name ends in .svg, .png, .tex or .html.
    fn save(&self, py: Python<'_>, path: PathBuf) -> Result<(), Refusal> {
        let bytes = match path.extension().and_then(|suffix| suffix.to_str()) {
            Some("svg") => self.svg().into_bytes(),
            Some("html") => self.html().into_bytes(),
            Some("tex") => self.tex().into_bytes(),
            Some("png") => self.png(py)?.as_bytes().to_vec(),
            _ => {
                let message = format!(
                    "the name of {} does not say what to draw; it ends in .svg, .png, .tex or .html",
                    path.display()
                );
                return Err(Refusal::new("arguments", message));
            }
        };
        Ok(std::fs::write(path, bytes).map_err(PyErr::from)?)
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn __str__(&self) -> String {
        anstream::adapter::strip_str(&terminal::write(&self.0)).to_string().trim_end().to_owned()
    }

    fn __repr__(&self) -> String {
        format!("<Picture of {}>", self.0.title)
    }
}

#[pymethods]
impl AnyLayout {
    fn _repr_svg_(&self) -> Result<String, Refusal> {
        Ok(svg::write(&scene(&self.value, &Options::default())?))
    }
}

/// Draws layouts, one beside the other; with `path`, a line goes through the cells in the order of their offsets.
///
/// >>> from tilework import Layout, draw
/// >>> rows, tiler = Layout("(4,8):(8,1)"), Layout("(2,4):(1,8)")
/// >>> draw(rows, tiler, rows / (2, 4))
/// <Picture of (4,8):(8,1); (2,4):(1,8); ((2,2),(4,2)):((8,16),(1,4))>
#[pyfunction]
#[pyo3(signature = (*layouts, path=false, max_cells=4096))]
pub fn draw(layouts: &Bound<'_, PyTuple>, path: bool, max_cells: usize) -> Result<Picture, Refusal> {
    let options = Options { path, max_cells };
    let mut scenes = Vec::new();
    for object in layouts.iter() {
        let value = match object.cast::<PyTensor>() {
            Ok(tensor) => tensor.get().function()?,
            Err(_) => tuple::value(&object)?,
        };
        scenes.push(scene(&value, &options)?);
    }
    if scenes.len() == 1
        && let Some(scene) = scenes.pop()
    {
        return Ok(Picture(scene));
    }
    let mut all = Scene::default();
    for scene in scenes {
        for mut panel in scene.panels {
            panel.title = format!("{} {}", scene.title, panel.title).trim_end().to_owned();
            all.panels.push(panel);
        }
        all.title += if all.title.is_empty() { "" } else { "; " };
        all.title += &scene.title;
        all.caption += if all.caption.is_empty() || scene.caption.is_empty() { "" } else { "; " };
        all.caption += &scene.caption;
    }
    Ok(Picture(all))
}

/// The scene of a value that is a function of coordinates, or a shape that stands for one.
fn scene(value: &Value, options: &Options) -> Result<Scene, Refusal> {
    let compact;
    let (value, domain) = match (value.domain(), value.as_layout()) {
        (Some(layout), _) => (value, *layout),
        (None, Some(layout)) => {
            compact = Value::Layout(layout?);
            (&compact, compact.domain().copied().unwrap_or(tilework::Layout::UNIT))
        }
        _ => return Err(Refusal::new("kind", format!("{} is no layout: {value}", value.kind()))),
    };
    // Not seen, since what has a domain is a function of it.
    let none = Error::Index { index: 0, rank: 0 };
    let offset = |index| value.evaluate(&HTuple::leaf(index)).unwrap_or(Err(none));
    Ok(tilework_draw::draw(&value.to_string(), &domain, offset, options)?)
}
