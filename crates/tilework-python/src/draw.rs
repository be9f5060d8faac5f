//! Pictures of layouts.

use crate::classes::AnyLayout;
use crate::elements::PyTensor;
use crate::error::Refusal;
use crate::tuple;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};
use std::path::PathBuf;
use tilework_draw::file::{self, Format};
use tilework_draw::terminal::{self, Terminal};
use tilework_draw::{Options, Scene, html, svg, tex};
use tilework_expr::{Aspect, Banks, Look, Session};

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

#[pymethods]
impl Picture {
    /// The picture as SVG, which follows a reader's choice of light or dark.
    fn svg(&self) -> String {
        svg::write(&self.scene)
    }

    /// The picture as a page in which cells tell what they are.
    fn html(&self) -> String {
        html::write(&self.scene)
    }

    /// The picture as LaTeX with TikZ.
    fn tex(&self) -> String {
        tex::write(&self.scene)
    }

    /// The picture as PNG.
    fn png<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>, Refusal> {
        let bytes = py.detach(|| Format::Png.write(&self.scene));
        Ok(PyBytes::new(py, &bytes.map_err(|error| Refusal::new("limit", error.to_string()))?))
    }

    /// Writes the picture to a file whose name ends in .svg, .png, .tex or .html, and gives its path.
    fn save(&self, py: Python<'_>, path: PathBuf) -> Result<PathBuf, Refusal> {
        let format = Format::of(&path).map_err(|message| Refusal::new("arguments", message))?;
        let bytes = py.detach(|| format.write(&self.scene));
        let bytes = bytes.map_err(|error| Refusal::new("limit", error.to_string()))?;
        match file::replace(&path, &bytes) {
            Ok(()) => Ok(path),
            // Python makes of the number an exception, as it does for its own files.
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
    fn _repr_svg_(&self) -> Result<String, Refusal> {
        let text = self.value.to_string();
        let scene = Session::new().picture(&text, &Look::default());
        Ok(svg::write(&scene.map_err(|error| Refusal::of_text(&text, error))?))
    }
}

/// Draws layouts and expressions, one beside the other.
///
/// `aspect` is what is seen, as for `tilework draw --as`: `offsets`; `threads` and `values` of a thread-value layout, with
/// `tile`; `tiles`, `slice`, `common` and `operation` of an expression, with `element` to be followed; memory `banks`. With
/// `path`, a line goes through the cells in the order of their offsets.
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
    *layouts, aspect="offsets", path=false, max_cells=4096, tile=None, element=None,
    banks=32, bank_bytes=4, element_bits=32,
))]
#[allow(clippy::too_many_arguments)] // They have names where it is called.
pub fn draw(
    layouts: &Bound<'_, PyTuple>,
    aspect: &str,
    path: bool,
    max_cells: usize,
    tile: Option<&Bound<'_, PyAny>>,
    element: Option<i64>,
    banks: u32,
    bank_bytes: u32,
    element_bits: u32,
) -> Result<Picture, Refusal> {
    let Some(aspect) = Aspect::ALL.into_iter().find(|known| known.name() == aspect) else {
        let names = Aspect::ALL.map(Aspect::name).join(", ");
        return Err(Refusal::new("arguments", format!("there is no aspect {aspect}; there are {names}")));
    };
    let mut look = Look::of(aspect);
    look.tile = match tile {
        Some(tile) => Some(tuple::value(tile)?.as_shape().ok_or_else(|| Refusal::kind("a shape", tile))?),
        None => None,
    };
    look.banks = Banks { count: banks, bytes: bank_bytes, element_bits };
    look.options = Options { path, max_cells };
    look.element = element;
    let (mut session, mut scenes, mut texts) = (Session::new(), Vec::new(), Vec::new());
    for object in layouts.iter() {
        let text = match (object.cast::<PyTensor>(), object.cast::<PyString>()) {
            (Ok(tensor), _) => tensor.get().function()?.to_string(),
            (_, Ok(text)) => text.to_cow()?.into_owned(),
            _ => tuple::value(&object)?.to_string(),
        };
        scenes.push(session.picture(&text, &look).map_err(|error| Refusal::of_text(&text, error))?);
        texts.push(text);
    }
    let of = texts.join("; ");
    match <[Scene; 1]>::try_from(scenes) {
        Ok([scene]) => Ok(Picture { scene, of }),
        Err(scenes) => Ok(Picture { scene: Scene::row("", scenes), of }),
    }
}
