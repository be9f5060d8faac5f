//! Atoms over tiles, and the elements of each thread.

use super::atom::{copy, mma, tiled_copy, tiled_mma};
use crate::arguments;
use crate::classes::{self, Instruction, TiledCopy, TiledMma, object};
use crate::elements::{Place, PyTensor, map};
use crate::prelude::*;
use tilework::Tiler;
use tilework_expr::{Instruction as Kind, Value};
use tilework_hardware::tiled;

/// Methods that give the part of a thread: of a tensor, a tensor; of a layout, a layout with the offset at which the thread
/// begins.
macro_rules! partitions {
    ($class:ident: $($(#[$doc:meta])* $name:literal, $method:ident;)*) => {
        #[pymethods]
        impl $class {$(
            $(#[$doc])*
            #[pyo3(name = $name)]
            fn $method<'py>(&self, data: &Object<'py>) -> Made<'py> {
                let of_tensor = |tensor: &PyTensor| -> Result<PyTensor> {
                    Ok(tensor.again(map!(&tensor.place, tensor => self.0.$method(*tensor))))
                };
                match data.cast::<PyTensor>() {
                    Ok(tensor) => Ok(Bound::new(data.py(), of_tensor(tensor.get())?)?.into_any()),
                    Err(_) => {
                        let view = self.0.$method(&arguments::layout(data)?).map_err(Refusal::from)?;
                        object(data.py(), Value::from(view))
                    }
                }
            }
        )*}
    };
}

/// Methods that give the layout of an operand by threads and values.
macro_rules! by_threads {
    ($class:ident, $of:ident: $($(#[$doc:meta])* $name:literal, $method:ident;)*) => {
        #[pymethods]
        impl $class {$(
            $(#[$doc])*
            #[pyo3(name = $name)]
            fn $method<'py>(slf: &Bound<'py, Self>, layout: &Object<'py>) -> Made<'py> {
                let by_threads = $of(slf)?.$method(&arguments::layout(layout)?).map_err(Refusal::from)?;
                classes::new(layout.py(), by_threads)
            }
        )*}
    };
}

#[pymethods]
impl TiledMma {
    #[new]
    #[pyo3(signature = (atom, atoms = None, permutation = None))]
    fn new(
        atom: &Object<'_>,
        atoms: Option<&Object<'_>>,
        permutation: Option<&Object<'_>>,
    ) -> Result<PyClassInitializer<TiledMma>> {
        let atoms = atoms.map_or(Ok(tilework::layout!((1,1,1):(0,0,0))), arguments::layout)?;
        let permutation = permutation.map_or(Ok(Tiler::HOLE), arguments::tiler)?;
        let tiled = tiled::TiledMma::new(mma(atom)?, &atoms, &permutation)?;
        Ok(Instruction::with(TiledMma, Kind::TiledMma(tiled).into()))
    }

    /// One thread, CuTe's `get_slice`.
    fn thread(slf: &Bound<'_, Self>, index: i64) -> Result<ThreadMma> {
        Ok(ThreadMma(Box::new(tiled_mma(slf)?.thread(index)?)))
    }
}

by_threads! {
    TiledMma, tiled_mma:
    /// `A` of `(M,K,...)` by threads and values: `((ThrV,(ThrM,ThrK)),(FrgV,(RestM,RestK,...)))`.
    "thrfrg_A", thrfrg_a;
    /// `B` of `(N,K,...)` by threads and values: `((ThrV,(ThrN,ThrK)),(FrgV,(RestN,RestK,...)))`.
    "thrfrg_B", thrfrg_b;
    /// `C` of `(M,N,...)` by threads and values: `((ThrV,(ThrM,ThrN)),(FrgV,(RestM,RestN,...)))`.
    "thrfrg_C", thrfrg_c;
}

/// One thread of a `TiledMma`, CuTe's `ThrMMA`.
///
/// >>> from tilework import Tensor, counting, hardware
/// >>> mma = hardware.TiledMma("SM80_16x8x16_F32F16F16F32_TN")
/// >>> mma.thread(5).partition_A(Tensor(counting(), "(16,32):(32,1)"))
/// <Tensor {34} o ((2,2,2),1,2):((1,256,8),0,16)>
#[pyclass(frozen, module = "tilework.hardware")]
pub struct ThreadMma(Box<tiled::ThreadMma>);

partitions! {
    ThreadMma:
    /// The thread's elements of `A`, a layout or a tensor of `(M,K,...)`: `(FrgV,RestM,RestK,...)`.
    "partition_A", partition_a;
    /// The thread's elements of `B`, a layout or a tensor of `(N,K,...)`: `(FrgV,RestN,RestK,...)`.
    "partition_B", partition_b;
    /// The thread's elements of `C`, a layout or a tensor of `(M,N,...)`: `(FrgV,RestM,RestN,...)`.
    "partition_C", partition_c;
}

#[pymethods]
impl TiledCopy {
    #[new]
    fn new(
        atom: &Object<'_>,
        layout_tv: &Object<'_>,
        tiler: &Object<'_>,
    ) -> Result<PyClassInitializer<TiledCopy>> {
        let (atom, bits) = copy(atom)?;
        let tiled =
            tiled::TiledCopy::new(&atom, bits, &arguments::layout(layout_tv)?, &arguments::tiler(tiler)?)?;
        Ok(Instruction::with(TiledCopy, Kind::TiledCopy(tiled).into()))
    }

    /// One thread, CuTe's `get_slice`.
    fn thread(slf: &Bound<'_, Self>, index: i64) -> Result<ThreadCopy> {
        Ok(ThreadCopy(Box::new(tiled_copy(slf)?.thread(index)?)))
    }
}

by_threads! {
    TiledCopy, tiled_copy:
    /// A source by threads and values: `(Thr,(FrgV,(Rest...)))`.
    "tidfrg_S", tidfrg_s;
    /// A destination by threads and values: `(Thr,(FrgV,(Rest...)))`.
    "tidfrg_D", tidfrg_d;
    /// The elements of a thread of another partition of the same tile, `(V,RestM,RestN,...)`, in this copy's order of
    /// values.
    "retile", retile;
}

/// One thread of a `TiledCopy`, CuTe's `ThrCopy`.
#[pyclass(frozen, module = "tilework.hardware")]
pub struct ThreadCopy(Box<tiled::ThreadCopy>);

partitions! {
    ThreadCopy:
    /// The part of a layout or a tensor that the thread reads: `(FrgV,Rest...)`.
    "partition_S", partition_s;
    /// The part of a layout or a tensor that the thread writes: `(FrgV,Rest...)`.
    "partition_D", partition_d;
}

/// The tile of threads and their values, and its layout from threads and values.
///
/// >>> from tilework import Layout, hardware
/// >>> tiler, layout = hardware.make_layout_tv(Layout((4, 8), (8, 1)), Layout((2, 4), (4, 1)))
/// >>> print(tiler, layout)
/// <8:1,32:1> ((8,4),(4,2)):((32,2),(8,1))
#[pyfunction]
pub fn make_layout_tv<'py>(
    threads: &Object<'py>,
    values: &Object<'py>,
) -> PyResult<(classes::Tiler, Object<'py>)> {
    let made = tiled::layout_tv(&arguments::layout(threads)?, &arguments::layout(values)?);
    let (tiler, layout) = made.map_err(Refusal::from)?;
    Ok((classes::Tiler(tiler), classes::new(threads.py(), layout)?))
}
