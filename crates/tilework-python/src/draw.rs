//! Pictures of layouts.

use crate::arguments;
use crate::classes::AnyLayout;
use crate::elements::PyTensor;
use crate::prelude::*;
use crate::tuple;
use pyo3::exceptions::PyOSError;
use std::path::PathBuf;
use tilework_draw::file::{self, Format};
use tilework_draw::terminal::{self, Terminal};
use tilework_draw::{ColorBy, Options, Scene, html, svg, tex};
use tilework_expr::{Aspect, Look, Session};

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
pub struct Picture {
    scene: Scene,
    of: String,
}

impl Picture {
    fn written(&self, py: Python<'_>, format: Format) -> Result<Vec<u8>> {
        let bytes = py.detach(|| format.write(&self.scene));
        bytes.map_err(|error| Refusal::new("limit", error.to_string()))
    }
}

#[pymethods]
impl Picture {
    /// The picture as SVG, which follows a reader's choice of light or dark.
    fn svg(&self) -> String {
        svg::write(&self.scene)
    }

    /// The picture as a page with interactive cells.
    fn html(&self) -> String {
        html::write(&self.scene)
    }

    /// The picture as LaTeX with TikZ.
    fn tex(&self) -> String {
        tex::write(&self.scene)
    }

    /// The picture as PNG.
    fn png<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.written(py, Format::Png)?))
    }

    /// The picture as PDF.
    fn pdf<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.written(py, Format::Pdf)?))
    }

    /// Writes the picture to a file whose name ends in .svg, .png, .pdf, .tex or .html, and returns its path.
    fn save(&self, py: Python<'_>, path: PathBuf) -> Result<PathBuf> {
        let format = Format::of(&path).map_err(|message| Refusal::new("arguments", message))?;
        let bytes = self.written(py, format)?;
        match file::replace(&path, &bytes) {
            Ok(()) => Ok(path),
            // Python maps the number to an exception, as for its own files.
            Err(error) => Err(match error.raw_os_error() {
                Some(number) => {
                    let reason = py.import("os")?.call_method1("strerror", (number,))?.unbind();
                    PyOSError::new_err((number, reason, path.into_os_string())).into()
                }
                None => PyOSError::new_err(format!("{}: {error}", path.display())).into(),
            }),
        }
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn __str__(&self) -> String {
        anstream::adapter::strip_str(&terminal::write(&self.scene, &Terminal::default()))
            .to_string()
            .trim_end()
            .to_owned()
    }

    fn __repr__(&self) -> String {
        format!("<Picture of {}>", self.of)
    }
}

#[pymethods]
impl AnyLayout {
    fn _repr_svg_(&self) -> Result<String> {
        let text = self.value.to_string();
        let scene = Session::new().picture(&text, &Look::default());
        Ok(svg::write(&scene.map_err(|error| Refusal::of_text(&text, error))?))
    }
}

/// Draws layouts and expressions side by side.
///
/// `aspect` is what is drawn, as for `tilework draw --aspect`: `offsets`; `threads` and `values` of a thread-value layout,
/// with `tile`; `tiles`, `slice`, `common` and `operation` of an expression, with `element` to be traced; memory
/// `banks`. With `path`, a line connects the cells in the order of their offsets. `color_by` is what colours represent,
/// if not the aspect's default: `offset`; `row` or `column`, for a swizzled layout before the swizzle; `thread`; memory
/// `bank`; `tile`; or `none`.
///
/// >>> from tilework import Layout, draw
/// >>> rows, tiler = Layout("(4,8):(8,1)"), Layout("(2,4):(1,8)")
/// >>> draw(rows, tiler, rows / (2, 4))
/// <Picture of (4,8):(8,1); (2,4):(1,8); ((2,2),(4,2)):((8,16),(1,4))>
/// >>> print(draw("((2,2),2):((4,1),2)", aspect="threads", tile=(2, 4)))
/// ((2,2),2):((4,1),2) in (2,4)
///      0    1    2    3
///   +----+----+----+----+
/// 0 | T0 | T0 | T1 | T1 |
///   | V0 | V1 | V0 | V1 |
///   +----+----+----+----+
/// 1 | T2 | T2 | T3 | T3 |
///   | V0 | V1 | V0 | V1 |
///   +----+----+----+----+
#[pyfunction]
#[pyo3(signature = (
    *layouts, aspect="offsets", color_by=None, path=false, max_cells=4096, tile=None, element=None,
    banks=None, bank_bytes=None, element_bits=None,
))]
#[allow(clippy::too_many_arguments)] // They have names where it is called.
pub fn draw(
    layouts: &Bound<'_, PyTuple>,
    aspect: &str,
    color_by: Option<&str>,
    path: bool,
    max_cells: usize,
    tile: Option<&Object<'_>>,
    element: Option<i64>,
    banks: Option<u32>,
    bank_bytes: Option<u32>,
    element_bits: Option<u32>,
) -> Result<Picture> {
    if layouts.is_empty() {
        return refuse("arguments", "draw takes a layout, an expression or several");
    }
    let Some(aspect) = Aspect::ALL.into_iter().find(|known| known.name() == aspect) else {
        let names = Aspect::ALL.map(Aspect::name).join(", ");
        return refuse("arguments", format!("there is no aspect {aspect}; there are {names}"));
    };
    let mut look = Look::of(aspect);
    look.tile = tile.map(arguments::shape).transpose()?;
    (look.banks, look.bank_bytes, look.element_bits) = (banks, bank_bytes, element_bits);
    let given = [
        ("tile", tile.is_some(), Aspect::Threads),
        ("element", element.is_some(), Aspect::Operation),
        ("banks", banks.is_some(), Aspect::Banks),
        ("bank_bytes", bank_bytes.is_some(), Aspect::Banks),
        ("element_bits", element_bits.is_some(), Aspect::Banks),
    ];
    refuse_unused(&given, aspect, color_by == Some("bank"))?;
    let color_by = color_by.map(colors).transpose()?;
    look.options = Options::default().with_max_cells(max_cells).with_path(path).colored_by(color_by);
    look.element = element;
    drawn(layouts, &look)
}

fn colors(name: &str) -> Result<ColorBy> {
    ColorBy::named(name).ok_or_else(|| {
        let names = ColorBy::ALL.map(ColorBy::name).join(", ");
        Refusal::new("arguments", format!("there are no colours by {name}; there are {names}"))
    })
}

/// Refuses an argument that belongs to another aspect.
fn refuse_unused(given: &[(&str, bool, Aspect)], aspect: Aspect, by_bank: bool) -> Result<()> {
    for &(argument, given, wanted) in given {
        if given && aspect != wanted && !(wanted == Aspect::Banks && by_bank) {
            let or = if wanted == Aspect::Banks { " or color_by=\"bank\"" } else { "" };
            let message = format!("{argument} does nothing without aspect=\"{}\"{or}", wanted.name());
            return refuse("arguments", message);
        }
    }
    Ok(())
}

/// Several objects side by side.
fn drawn(layouts: &Bound<'_, PyTuple>, look: &Look) -> Result<Picture> {
    let (mut session, mut scenes, mut texts) = (Session::new(), Vec::new(), Vec::new());
    for object in layouts.iter() {
        let text = match (object.cast::<PyTensor>(), object.cast::<PyString>()) {
            (Ok(tensor), _) => tensor.get().typed()?.to_string(),
            (_, Ok(text)) => text.to_cow()?.into_owned(),
            _ => tuple::value(&object)?.to_string(),
        };
        scenes.push(session.picture(&text, look).map_err(|error| Refusal::of_text(&text, error))?);
        texts.push(text);
    }
    let of = texts.join("; ");
    match <[Scene; 1]>::try_from(scenes) {
        Ok([scene]) => Ok(Picture { scene, of }),
        Err(scenes) => Ok(Picture { scene: Scene::row("", scenes), of }),
    }
}
