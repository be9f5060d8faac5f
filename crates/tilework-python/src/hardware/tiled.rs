//! Atoms over tiles, and what each thread has.

use super::atom::{CopyAtom, MmaAtom};
use crate::classes::{self, object};
use crate::elements::{Place, PyTensor, map};
use crate::error::Refusal;
use crate::layout::as_layout;
use crate::tuple;
use pyo3::prelude::*;
use tilework::{Layout, Tiler};
use tilework_expr::Value;
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

/// What a thread has: of a tensor a tensor, of a layout a layout with the offset at which the thread begins.
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
                object(data.py(), Value::View(view))
            }
        }
    }};
}

/// An atom repeated over threads and over what it is given, CuTe's `TiledMMA`.
///
/// `atoms` is the layout of atoms in M, N and K; `permutation` a tiler by which tensors are divided before.
///
/// >>> from tilework import Layout, hardware
/// >>> mma = hardware.TiledMma(hardware.atom("SM80_16x8x16_F32F16F16F32_TN"), (2, 2, 1), (32, 32, 16))
/// >>> mma.threads, mma.tile
/// (128, (32, 32, 16))
/// >>> print(mma.thread(5).partition_C(Layout((128, 128), (128, 1))))
/// {130} o ((2,2),4,8):((1,1024),4096,16)
#[pyclass(frozen, module = "tilework.hardware")]
pub struct TiledMma(Box<tiled::TiledMma>);

#[pymethods]
impl TiledMma {
    #[new]
    #[pyo3(signature = (atom, atoms = None, permutation = None))]
    fn new(
        atom: &Bound<'_, MmaAtom>,
        atoms: Option<&Bound<'_, PyAny>>,
        permutation: Option<&Bound<'_, PyAny>>,
    ) -> Result<TiledMma, Refusal> {
        let atoms = atoms.map_or(Ok(tilework::layout!((1,1,1):(0,0,0))), as_layout)?;
        let permutation = permutation.map_or(Ok(Tiler::HOLE), as_tiler)?;
        Ok(TiledMma(Box::new(tiled::TiledMma::new(*atom.get().0, &atoms, &permutation)?)))
    }

    /// The atom.
    #[getter]
    fn atom(&self) -> MmaAtom {
        MmaAtom(Box::new(*self.0.atom()))
    }

    /// How many threads there are.
    #[getter]
    fn threads(&self) -> i64 {
        self.0.threads()
    }

    /// `(V,M,N,K) -> thread`: threads of the atom, atoms in each direction.
    #[getter]
    fn thread_layout<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        classes::new(py, *self.0.thread_layout())
    }

    /// `(M, N, K)` of what all atoms, permuted, do together.
    #[getter]
    fn tile(&self) -> (i64, i64, i64) {
        self.0.tile().into()
    }

    /// `A` of `(M,K,...)` by threads and values: `((ThrV,(ThrM,ThrK)),(FrgV,(RestM,RestK,...)))`.
    #[pyo3(name = "thrfrg_A")]
    fn thrfrg_a<'py>(&self, layout: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        layout_object(layout.py(), self.0.thrfrg_a(&as_layout(layout)?))
    }

    /// `B` of `(N,K,...)` by threads and values: `((ThrV,(ThrN,ThrK)),(FrgV,(RestN,RestK,...)))`.
    #[pyo3(name = "thrfrg_B")]
    fn thrfrg_b<'py>(&self, layout: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        layout_object(layout.py(), self.0.thrfrg_b(&as_layout(layout)?))
    }

    /// `C` of `(M,N,...)` by threads and values: `((ThrV,(ThrM,ThrN)),(FrgV,(RestM,RestN,...)))`.
    #[pyo3(name = "thrfrg_C")]
    fn thrfrg_c<'py>(&self, layout: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        layout_object(layout.py(), self.0.thrfrg_c(&as_layout(layout)?))
    }

    /// `(thread,value) -> m + M k` of one tile of `A`.
    #[pyo3(name = "layout_A_TV")]
    fn layout_a_tv<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        layout_object(py, self.0.layout_a_tv())
    }

    /// `(thread,value) -> n + N k` of one tile of `B`.
    #[pyo3(name = "layout_B_TV")]
    fn layout_b_tv<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        layout_object(py, self.0.layout_b_tv())
    }

    /// `(thread,value) -> m + M n` of one tile of `C`.
    #[pyo3(name = "layout_C_TV")]
    fn layout_c_tv<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        layout_object(py, self.0.layout_c_tv())
    }

    /// One thread, CuTe's `get_slice`.
    fn thread(&self, index: i64) -> Result<ThreadMma, Refusal> {
        Ok(ThreadMma(Box::new(self.0.thread(index)?)))
    }

    fn __repr__(&self) -> String {
        let (m, n, k) = self.tile();
        format!("<TiledMma {}, tile ({m}, {n}, {k}), {} threads>", self.0.atom().name, self.0.threads())
    }
}

/// One thread of a `TiledMma`, CuTe's `ThrMMA`.
///
/// >>> from tilework import Tensor, counting, hardware
/// >>> mma = hardware.TiledMma(hardware.atom("SM80_16x8x16_F32F16F16F32_TN"))
/// >>> print(mma.thread(5).partition_A(Tensor(counting(), "(16,32):(32,1)")))
/// {34} o ((2,2,2),1,2):((1,256,8),0,16)
#[pyclass(frozen, module = "tilework.hardware")]
pub struct ThreadMma(Box<tiled::ThreadMma>);

#[pymethods]
impl ThreadMma {
    /// What the thread has of `A`, a layout or a tensor of `(M,K,...)`: `(FrgV,RestM,RestK,...)`.
    #[pyo3(name = "partition_A")]
    fn partition_a<'py>(&self, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        partition!(&self.0, partition_a, data)
    }

    /// What the thread has of `B`, a layout or a tensor of `(N,K,...)`: `(FrgV,RestN,RestK,...)`.
    #[pyo3(name = "partition_B")]
    fn partition_b<'py>(&self, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        partition!(&self.0, partition_b, data)
    }

    /// What the thread has of `C`, a layout or a tensor of `(M,N,...)`: `(FrgV,RestM,RestN,...)`.
    #[pyo3(name = "partition_C")]
    fn partition_c<'py>(&self, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        partition!(&self.0, partition_c, data)
    }
}

/// A copy atom repeated by threads and values over a tile, CuTe's `TiledCopy`; `make_tiled_copy` and its like make one.
///
/// `layout_tv` is from threads and values to the elements of a tile, in the order of the atom's reference, and `tiler` that tile.
///
/// >>> from tilework import Layout, hardware
/// >>> atom = hardware.atom("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", bits=16)
/// >>> copy = hardware.make_tiled_copy(atom, Layout((16, 8), (8, 1)), (1, 8))
/// >>> print(copy.threads, copy.tiler, copy.thread(9).partition_S(Layout((64, 64), (64, 1))))
/// 128 <16:1,64:1> {72} o ((8,1),4,1):((1,0),1024,0)
#[pyclass(frozen, module = "tilework.hardware")]
pub struct TiledCopy(Box<tiled::TiledCopy>);

#[pymethods]
impl TiledCopy {
    #[new]
    fn new(
        atom: &Bound<'_, CopyAtom>,
        layout_tv: &Bound<'_, PyAny>,
        tiler: &Bound<'_, PyAny>,
    ) -> Result<TiledCopy, Refusal> {
        let CopyAtom { atom, bits, .. } = atom.get();
        let copy = tiled::TiledCopy::new(atom, *bits, &as_layout(layout_tv)?, &as_tiler(tiler)?)?;
        Ok(TiledCopy(Box::new(copy)))
    }

    /// How many threads there are.
    #[getter]
    fn threads(&self) -> i64 {
        self.0.threads()
    }

    /// The tile that tensors are divided by.
    #[getter]
    fn tiler(&self) -> classes::Tiler {
        classes::Tiler(*self.0.tiler())
    }

    /// `(thread,value) -> index of the tile`, as the source has it.
    #[pyo3(name = "layout_S_TV")]
    fn layout_s_tv<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        layout_object(py, self.0.layout_s_tv())
    }

    /// `(thread,value) -> index of the tile`, as the destination has it.
    #[pyo3(name = "layout_D_TV")]
    fn layout_d_tv<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        layout_object(py, self.0.layout_d_tv())
    }

    /// A source by threads and values: `(Thr,(FrgV,(Rest...)))`.
    #[pyo3(name = "tidfrg_S")]
    fn tidfrg_s<'py>(&self, layout: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        layout_object(layout.py(), self.0.tidfrg_s(&as_layout(layout)?))
    }

    /// A destination by threads and values: `(Thr,(FrgV,(Rest...)))`.
    #[pyo3(name = "tidfrg_D")]
    fn tidfrg_d<'py>(&self, layout: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        layout_object(layout.py(), self.0.tidfrg_d(&as_layout(layout)?))
    }

    /// What a thread of another partition of the same tile has, `(V,RestM,RestN,...)`, in this copy's order of values.
    fn retile<'py>(&self, layout: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        layout_object(layout.py(), self.0.retile(&as_layout(layout)?))
    }

    /// One thread, CuTe's `get_slice`.
    fn thread(&self, index: i64) -> Result<ThreadCopy, Refusal> {
        Ok(ThreadCopy(Box::new(self.0.thread(index)?)))
    }

    fn __repr__(&self) -> String {
        format!("<TiledCopy, tile {}, {} threads>", self.0.tiler(), self.0.threads())
    }
}

/// One thread of a `TiledCopy`, CuTe's `ThrCopy`.
#[pyclass(frozen, module = "tilework.hardware")]
pub struct ThreadCopy(Box<tiled::ThreadCopy>);

#[pymethods]
impl ThreadCopy {
    /// What the thread reads of a layout or a tensor: `(FrgV,Rest...)`.
    #[pyo3(name = "partition_S")]
    fn partition_s<'py>(&self, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        partition!(&self.0, partition_s, data)
    }

    /// What the thread writes of a layout or a tensor: `(FrgV,Rest...)`.
    #[pyo3(name = "partition_D")]
    fn partition_d<'py>(&self, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        partition!(&self.0, partition_d, data)
    }
}

/// The copy with the atom's threads laid out as `threads`, each of them with the values `values` of a tile.
///
/// >>> from tilework import hardware
/// >>> hardware.make_tiled_copy(hardware.atom("SM75_U32x4_LDSM_N", bits=16), (32, 1), (1, 8))
/// <TiledCopy, tile <32:1,8:1>, 32 threads>
#[pyfunction]
pub fn make_tiled_copy(
    atom: &Bound<'_, CopyAtom>,
    threads: &Bound<'_, PyAny>,
    values: &Bound<'_, PyAny>,
) -> Result<TiledCopy, Refusal> {
    let CopyAtom { atom, bits, .. } = atom.get();
    let copy = tiled::TiledCopy::of(atom, *bits, &as_layout(threads)?, &as_layout(values)?)?;
    Ok(TiledCopy(Box::new(copy)))
}

/// The copy whose threads get what they need of `A` for a tiled MMA.
///
/// >>> from tilework import hardware
/// >>> mma = hardware.TiledMma(hardware.atom("SM80_16x8x16_F32F16F16F32_TN"))
/// >>> copy = hardware.make_tiled_copy_A(hardware.atom("SM75_U32x4_LDSM_N", bits=16), mma)
/// >>> print(copy.thread(9).partition_S("(16,16):(16,1)"))
/// {144} o ((8,1),1,1):((1,0),0,0)
#[pyfunction]
#[pyo3(name = "make_tiled_copy_A")]
pub fn make_tiled_copy_a(
    atom: &Bound<'_, CopyAtom>,
    mma: &Bound<'_, TiledMma>,
) -> Result<TiledCopy, Refusal> {
    let CopyAtom { atom, bits, .. } = atom.get();
    Ok(TiledCopy(Box::new(tiled::TiledCopy::of_a(atom, *bits, &mma.get().0)?)))
}

/// The copy whose threads get what they need of `B` for a tiled MMA.
///
/// >>> from tilework import hardware
/// >>> mma = hardware.TiledMma(hardware.atom("SM80_16x8x16_F32F16F16F32_TN"))
/// >>> hardware.make_tiled_copy_B(hardware.atom("SM75_U32x2_LDSM_N", bits=16), mma)
/// <TiledCopy, tile <8:1,16:1>, 32 threads>
#[pyfunction]
#[pyo3(name = "make_tiled_copy_B")]
pub fn make_tiled_copy_b(
    atom: &Bound<'_, CopyAtom>,
    mma: &Bound<'_, TiledMma>,
) -> Result<TiledCopy, Refusal> {
    let CopyAtom { atom, bits, .. } = atom.get();
    Ok(TiledCopy(Box::new(tiled::TiledCopy::of_b(atom, *bits, &mma.get().0)?)))
}

/// The copy of what the threads of a tiled MMA have of `C`.
///
/// >>> from tilework import hardware
/// >>> mma = hardware.TiledMma(hardware.atom("SM80_16x8x16_F32F16F16F32_TN"))
/// >>> hardware.make_tiled_copy_C(hardware.atom("UniversalCopy<uint32_t>", bits=32), mma)
/// <TiledCopy, tile <16:1,8:1>, 32 threads>
#[pyfunction]
#[pyo3(name = "make_tiled_copy_C")]
pub fn make_tiled_copy_c(
    atom: &Bound<'_, CopyAtom>,
    mma: &Bound<'_, TiledMma>,
) -> Result<TiledCopy, Refusal> {
    let CopyAtom { atom, bits, .. } = atom.get();
    Ok(TiledCopy(Box::new(tiled::TiledCopy::of_c(atom, *bits, &mma.get().0)?)))
}

/// The tile that threads and their values make, and the layout of it from threads and values.
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
