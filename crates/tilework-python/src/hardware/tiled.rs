//! Atoms over tiles, and the elements of each thread.

use super::atom::{copy, instruction, mma, wrong};
use crate::classes::{self, Instruction, TiledCopy, TiledMma, object};
use crate::elements::{Place, PyTensor, map};
use crate::error::Refusal;
use crate::layout::as_layout;
use crate::tuple;
use pyo3::prelude::*;
use tilework::{Layout, Tiler};
use tilework_expr::{Instruction as Kind, Value};
use tilework_hardware::atom::CopyAtom;
use tilework_hardware::tiled;

/// An argument as a tiler.
fn as_tiler(object: &Bound<'_, PyAny>) -> Result<Tiler, Refusal> {
    match tuple::value(object)?.as_tiler() {
        Some(tiler) => Ok(tiler?),
        None => Err(Refusal::kind("a tiler", object)),
    }
}

fn layout_object(py: Python<'_>, layout: Result<Layout, tilework::Error>) -> PyResult<Bound<'_, PyAny>> {
    classes::new(py, layout.map_err(Refusal::from)?)
}

/// The part of a thread: of a tensor, a tensor; of a layout, a layout with the offset at which the thread begins.
macro_rules! partition {
    ($thread:expr, $method:ident, $data:expr) => {{
        let (thread, data): (_, &Bound<'py, PyAny>) = ($thread, $data);
        let of_tensor = |tensor: &PyTensor| -> Result<PyTensor, Refusal> {
            Ok(tensor.again(map!(&tensor.place, tensor => thread.$method(*tensor))))
        };
        match data.cast::<PyTensor>() {
            Ok(tensor) => Ok(Bound::new(data.py(), of_tensor(tensor.get())?)?.into_any()),
            Err(_) => {
                let view = thread.$method(&as_layout(data)?).map_err(Refusal::from)?;
                object(data.py(), Value::from(view))
            }
        }
    }};
}

fn tiled_mma(object: &Bound<'_, PyAny>) -> Result<tiled::TiledMma, Refusal> {
    match instruction(object)? {
        Kind::TiledMma(mma) => Ok(mma),
        other => Err(wrong("a tiled MMA", other.kind())),
    }
}

fn tiled_copy(object: &Bound<'_, PyAny>) -> Result<tiled::TiledCopy, Refusal> {
    match instruction(object)? {
        Kind::TiledCopy(copy) => Ok(copy),
        other => Err(wrong("a tiled copy", other.kind())),
    }
}

#[pymethods]
impl TiledMma {
    #[new]
    #[pyo3(signature = (atom, atoms = None, permutation = None))]
    fn new(
        atom: &Bound<'_, PyAny>,
        atoms: Option<&Bound<'_, PyAny>>,
        permutation: Option<&Bound<'_, PyAny>>,
    ) -> Result<PyClassInitializer<TiledMma>, Refusal> {
        let atoms = atoms.map_or(Ok(tilework::layout!((1,1,1):(0,0,0))), as_layout)?;
        let permutation = permutation.map_or(Ok(Tiler::HOLE), as_tiler)?;
        let tiled = tiled::TiledMma::new(mma(atom)?, &atoms, &permutation)?;
        Ok(Instruction::with(TiledMma, Kind::TiledMma(tiled).into()))
    }

    /// `A` of `(M,K,...)` by threads and values: `((ThrV,(ThrM,ThrK)),(FrgV,(RestM,RestK,...)))`.
    #[pyo3(name = "thrfrg_A")]
    fn thrfrg_a<'py>(slf: &Bound<'py, Self>, layout: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        layout_object(layout.py(), tiled_mma(slf)?.thrfrg_a(&as_layout(layout)?))
    }

    /// `B` of `(N,K,...)` by threads and values: `((ThrV,(ThrN,ThrK)),(FrgV,(RestN,RestK,...)))`.
    #[pyo3(name = "thrfrg_B")]
    fn thrfrg_b<'py>(slf: &Bound<'py, Self>, layout: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        layout_object(layout.py(), tiled_mma(slf)?.thrfrg_b(&as_layout(layout)?))
    }

    /// `C` of `(M,N,...)` by threads and values: `((ThrV,(ThrM,ThrN)),(FrgV,(RestM,RestN,...)))`.
    #[pyo3(name = "thrfrg_C")]
    fn thrfrg_c<'py>(slf: &Bound<'py, Self>, layout: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        layout_object(layout.py(), tiled_mma(slf)?.thrfrg_c(&as_layout(layout)?))
    }

    /// One thread, CuTe's `get_slice`.
    fn thread(slf: &Bound<'_, Self>, index: i64) -> Result<ThreadMma, Refusal> {
        Ok(ThreadMma(Box::new(tiled_mma(slf)?.thread(index)?)))
    }
}

/// One thread of a `TiledMma`, CuTe's `ThrMMA`.
///
/// >>> from tilework import Tensor, counting, hardware
/// >>> mma = hardware.TiledMma("SM80_16x8x16_F32F16F16F32_TN")
/// >>> mma.thread(5).partition_A(Tensor(counting(), "(16,32):(32,1)"))
/// <Tensor {34} o ((2,2,2),1,2):((1,256,8),0,16)>
#[pyclass(frozen, module = "tilework.hardware")]
pub struct ThreadMma(Box<tiled::ThreadMma>);

#[pymethods]
impl ThreadMma {
    /// The thread's elements of `A`, a layout or a tensor of `(M,K,...)`: `(FrgV,RestM,RestK,...)`.
    #[pyo3(name = "partition_A")]
    fn partition_a<'py>(&self, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        partition!(&self.0, partition_a, data)
    }

    /// The thread's elements of `B`, a layout or a tensor of `(N,K,...)`: `(FrgV,RestN,RestK,...)`.
    #[pyo3(name = "partition_B")]
    fn partition_b<'py>(&self, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        partition!(&self.0, partition_b, data)
    }

    /// The thread's elements of `C`, a layout or a tensor of `(M,N,...)`: `(FrgV,RestM,RestN,...)`.
    #[pyo3(name = "partition_C")]
    fn partition_c<'py>(&self, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        partition!(&self.0, partition_c, data)
    }
}

#[pymethods]
impl TiledCopy {
    #[new]
    fn new(
        atom: &Bound<'_, PyAny>,
        layout_tv: &Bound<'_, PyAny>,
        tiler: &Bound<'_, PyAny>,
    ) -> Result<PyClassInitializer<TiledCopy>, Refusal> {
        let (atom, bits) = copy(atom)?;
        let tiled = tiled::TiledCopy::new(&atom, bits, &as_layout(layout_tv)?, &as_tiler(tiler)?)?;
        Ok(Instruction::with(TiledCopy, Kind::TiledCopy(tiled).into()))
    }

    /// A source by threads and values: `(Thr,(FrgV,(Rest...)))`.
    #[pyo3(name = "tidfrg_S")]
    fn tidfrg_s<'py>(slf: &Bound<'py, Self>, layout: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        layout_object(layout.py(), tiled_copy(slf)?.tidfrg_s(&as_layout(layout)?))
    }

    /// A destination by threads and values: `(Thr,(FrgV,(Rest...)))`.
    #[pyo3(name = "tidfrg_D")]
    fn tidfrg_d<'py>(slf: &Bound<'py, Self>, layout: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        layout_object(layout.py(), tiled_copy(slf)?.tidfrg_d(&as_layout(layout)?))
    }

    /// The elements of a thread of another partition of the same tile, `(V,RestM,RestN,...)`, in this copy's order of
    /// values.
    fn retile<'py>(slf: &Bound<'py, Self>, layout: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        layout_object(layout.py(), tiled_copy(slf)?.retile(&as_layout(layout)?))
    }

    /// One thread, CuTe's `get_slice`.
    fn thread(slf: &Bound<'_, Self>, index: i64) -> Result<ThreadCopy, Refusal> {
        Ok(ThreadCopy(Box::new(tiled_copy(slf)?.thread(index)?)))
    }
}

/// One thread of a `TiledCopy`, CuTe's `ThrCopy`.
#[pyclass(frozen, module = "tilework.hardware")]
pub struct ThreadCopy(Box<tiled::ThreadCopy>);

#[pymethods]
impl ThreadCopy {
    /// The part of a layout or a tensor that the thread reads: `(FrgV,Rest...)`.
    #[pyo3(name = "partition_S")]
    fn partition_s<'py>(&self, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        partition!(&self.0, partition_s, data)
    }

    /// The part of a layout or a tensor that the thread writes: `(FrgV,Rest...)`.
    #[pyo3(name = "partition_D")]
    fn partition_d<'py>(&self, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        partition!(&self.0, partition_d, data)
    }
}

/// The copy that gives the threads of a tiled MMA their elements of `A`.
///
/// >>> from tilework import hardware
/// >>> mma = hardware.TiledMma("SM80_16x8x16_F32F16F16F32_TN")
/// >>> copy = hardware.make_tiled_copy_A(hardware.atom("SM75_U32x4_LDSM_N", 16), mma)
/// >>> print(copy.thread(9).partition_S("(16,16):(16,1)"))
/// {144} o ((8,1),1,1):((1,0),0,0)
#[pyfunction]
#[pyo3(name = "make_tiled_copy_A")]
pub fn make_tiled_copy_a<'py>(
    atom: &Bound<'py, PyAny>,
    mma: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    copy_of(atom, mma, tiled::TiledCopy::of_a)
}

/// The copy that gives the threads of a tiled MMA their elements of `B`.
///
/// >>> from tilework import hardware
/// >>> mma = hardware.TiledMma("SM80_16x8x16_F32F16F16F32_TN")
/// >>> print(hardware.make_tiled_copy_B(hardware.atom("SM75_U32x2_LDSM_N", 16), mma).tiler)
/// <8:1,16:1>
#[pyfunction]
#[pyo3(name = "make_tiled_copy_B")]
pub fn make_tiled_copy_b<'py>(
    atom: &Bound<'py, PyAny>,
    mma: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    copy_of(atom, mma, tiled::TiledCopy::of_b)
}

/// The copy of the elements of `C` that the threads of a tiled MMA have.
///
/// >>> from tilework import hardware
/// >>> mma = hardware.TiledMma("SM80_16x8x16_F32F16F16F32_TN")
/// >>> print(hardware.make_tiled_copy_C(hardware.atom("UniversalCopy<uint32_t>", 32), mma).tiler)
/// <16:1,8:1>
#[pyfunction]
#[pyo3(name = "make_tiled_copy_C")]
pub fn make_tiled_copy_c<'py>(
    atom: &Bound<'py, PyAny>,
    mma: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    copy_of(atom, mma, tiled::TiledCopy::of_c)
}

/// A copy made of an atom and a tiled MMA.
fn copy_of<'py>(
    atom: &Bound<'py, PyAny>,
    mma: &Bound<'py, PyAny>,
    make: impl Fn(&CopyAtom, i64, &tiled::TiledMma) -> Result<tiled::TiledCopy, tilework::Error>,
) -> PyResult<Bound<'py, PyAny>> {
    let (copy, bits) = copy(atom)?;
    let tiled = make(&copy, bits, &tiled_mma(mma)?).map_err(Refusal::from)?;
    Instruction::object(atom.py(), Box::new(Kind::TiledCopy(tiled)))
}

/// The tile of threads and their values, and its layout from threads and values.
///
/// >>> from tilework import Layout, hardware
/// >>> tiler, layout = hardware.make_layout_tv(Layout((4, 8), (8, 1)), Layout((2, 4), (4, 1)))
/// >>> print(tiler, layout)
/// <8:1,32:1> ((8,4),(4,2)):((32,2),(8,1))
#[pyfunction]
pub fn make_layout_tv<'py>(
    threads: &Bound<'py, PyAny>,
    values: &Bound<'py, PyAny>,
) -> PyResult<(classes::Tiler, Bound<'py, PyAny>)> {
    let made = tiled::layout_tv(&as_layout(threads)?, &as_layout(values)?);
    let (tiler, layout) = made.map_err(Refusal::from)?;
    Ok((classes::Tiler(tiler), classes::new(threads.py(), layout)?))
}
