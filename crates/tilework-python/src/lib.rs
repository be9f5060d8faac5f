//! The Python package `tilework`: the classes and functions of `tilework._core`.
//!
//! The algebra is not implemented here. A function, its arguments and its errors are a row of the table
//! [`tilework_expr::FUNCTIONS`], which the command line uses too; this crate converts Python objects to the values of
//! that language and back.
//!
//! | module | what a reader finds there |
//! |---|---|
//! | `tuple` | Python objects as values, and values as Python objects |
//! | `classes` | `Layout`, `ComposedLayout`, `View`, `Stride`, `Swizzle`, `Tiler`, `Instruction` and its subclasses: their data |
//! | `layout`, `stride`, `swizzle`, `tiler`, `instruction` | their methods |
//! | `algebra` | every function of the table, and the methods of the same names |
//! | `operation` | how such a function is called |
//! | `members` | attributes and texts of classes, as tables |
//! | `named` | numbers by name, as keyword arguments give them |
//! | `arguments` | arguments as what a function takes: layouts, tilers, shapes, counts |
//! | `evaluate` | offsets in bulk |
//! | `elements`, `tensor` | layouts bound to arrays and other accessors: the data of a tensor, and its methods |
//! | `array`, `dlpack`, `description`, `dtype` | arrays of NumPy and others as memory |
//! | `calls` | calls of kernels: without the interpreter lock, and repeated |
//! | `copies` | COPY, and plans of it |
//! | `kernels`, `plans` | GEMM, contraction, convolution, and plans of them |
//! | `reductions` | reductions, and functions element by element, `axpby` among them |
//! | `bit_matrix` | matrices over F2 |
//! | `hardware/` | instructions, tiled MMA and copy, banks, swizzles, operands, coverage |
//! | `formats` | storage formats by name |
//! | `programs` | kernels for GPUs |
//! | `sharding` | tensors on a mesh of devices |
//! | `symbolic` | extents and strides that are names |
//! | `draw` | pictures |
//! | `session` | expressions as text: `parse`, `explain`, `Session` |
//! | `error`, `prelude` | errors as exceptions; the words of all files |
//!
//! # Why it is so
//!
//! `crates/tilework-python` is a Rust module, `tilework._core`, below a Python package, `tilework`. Layouts are computed in the core. That
//! holds for `tilework.pycute` too, which stands in for CUTLASS's pycute; the forms in which pycute writes its results are in
//! `tilework::pycute`. Only tuples and scalars, which may be symbols, are computed in Python.
//!
//! | question | answer | why |
//! |---|---|---|
//! | what does a function do, accept and refuse? | what its row of `tilework_expr::FUNCTIONS` says; `algebra.rs`, which is generated from the table, has the Python signatures | one table for every front end: what the command line refuses, Python refuses with the same code and sentence |
//! | what is an attribute, what is called? | a query of a layout without further arguments that returns numbers or a bool is an attribute, `L.size`, `L.shape`, `L.is_compact`; anything that takes an argument or returns a layout is called | the table says which; nobody can write `L.size == 32` and forget the `()` |
//! | what is an object? | a value of the expression language: a tuple is a tuple, a string is evaluated, a tuple with layouts in it is a tiler by mode. A symbolic layout (`src/symbolic/`) owns its numbers, and an operation adopts it in a copy of its scope of names and facts | as in pycute and the DSL; intermediate results do not fill a scope |
//! | why does a row give its operation of the core? | plain layouts go there directly, everything else through the row | a layout is 848 bytes: it is copied once, into its object |
//! | where is an array's memory? | read from `__array_struct__`, `__array_interface__` or DLPack (`description.rs`, which needs no interpreter and is fuzzed); for a buffer NumPy is asked, since the stable ABI of 3.10 has no buffers | NumPy is needed only where buffers come in or arrays go out |
//! | what is `tilework.hardware`? | `src/hardware/`, bindings of `tilework-hardware`; an instruction is the value of the expression language, with its fields as attributes and the partitions of a thread as methods; names are Rust's, and CuTe's where it has one (`partition_A`, `make_tiled_copy_A`) | its results are compared with the JSON of the command line, `cmd/hardware-json.md` |
//! | who checks that a tensor lies within its memory? | `tilework::Tensor` over an accessor that has only bounds | the rules of slices, tiles and partitions are those of the core |
//! | what does a repeated call compute again? | nothing, if an earlier call had the same shapes, strides and types: `calls.rs` keeps the plans of 64 calls of `gemm` and `einsum` | reading three arrays as layouts and planning takes ten times as long as a product of 4x4 |
//! | which memory may a kernel access? | the interval of a layout's offsets; that it writes no element that it reads is decided by `is_disjoint` | all kernels but COPY take Rust slices, which may not overlap: an operand whose elements lie between those of the result is copied first |
//! | what if a bug panics? | a release unwinds, and pyo3 raises an exception | a library must not end the interpreter |

// The public documentation is that of the Python package.
#![allow(missing_docs)]

mod algebra;
mod arguments;
mod array;
mod bit_matrix;
mod calls;
mod classes;
mod copies;
mod description;
mod dlpack;
mod draw;
mod dtype;
mod einfold;
mod elements;
mod empty;
mod error;
mod evaluate;
mod formats;
mod hardware;
mod instruction;
mod kernels;
mod layout;
mod members;
mod named;
mod operation;
mod plans;
mod prelude;
mod programs;
mod pycute;
mod reductions;
mod session;
mod sharding;
mod stride;
mod swizzle;
mod symbolic;
mod tensor;
mod tiler;
mod tuple;

/// The classes and functions of `tilework` that are written in Rust.
#[pyo3::pymodule(gil_used = false)]
mod _core {
    use crate::prelude::*;

    #[pymodule_export]
    use crate::{
        bit_matrix::PyBitMatrix,
        classes::{AnyLayout, ComposedLayout, Instruction, Layout, Stride, Swizzle, Tiler, View},
        copies::{PyCopyPlan, copy},
        draw::{Picture, draw},
        elements::{PyAccessor, PyTensor},
        formats::{Format, Packed, check, format, formats, identify, repack},
        kernels::{conv, einsum, gemm},
        plans::{PyContractPlan, PyConvPlan, PyGemmPlan},
        reductions::{axpby, map, reduce},
        session::{Session, explain, parse, scan},
        stride::{basis, xor},
        symbolic::classes::{Answer, Scope, SymbolicLayout, SymbolicNumber, Verdict},
        symbolic::scope::{assume, cases, hint, symbol},
        tensor::{constant, counting, transform},
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.setattr("__version__", env!("CARGO_PKG_VERSION"))?;
        crate::pycute::add(module)?;
        crate::algebra::add(module)?;
        crate::hardware::add(module)?;
        module.setattr("_Program", module.py().get_type::<crate::programs::Program>())?;
        module.setattr("_sharding", pyo3::wrap_pymodule!(crate::sharding::_sharding)(module.py()))
    }
}
