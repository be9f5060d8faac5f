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
//! | `evaluate` | offsets in bulk |
//! | `elements`, `tensor` | layouts bound to arrays and other accessors: the data of a tensor, and its methods |
//! | `array`, `dlpack`, `description`, `dtype` | arrays of NumPy and others as memory |
//! | `calls` | calls of kernels: without the interpreter lock, and repeated |
//! | `copies` | COPY, and plans of it |
//! | `kernels`, `plans` | GEMM, contraction, convolution, and plans of them |
//! | `reductions` | reductions, and functions element by element, `axpby` among them |
//! | `bit_matrix` | matrices over F2 |
//! | `hardware/` | instructions, tiled MMA and copy, banks, swizzles, operands, coverage |
//! | `sharding` | tensors on a mesh of devices |
//! | `symbolic` | extents and strides that are names |
//! | `draw` | pictures |
//! | `session` | expressions as text: `parse`, `explain`, `Session` |
//! | `error` | errors as exceptions |

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
mod elements;
mod empty;
mod error;
mod evaluate;
mod hardware;
mod instruction;
mod kernels;
mod layout;
mod operation;
mod plans;
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

use pyo3::prelude::*;

/// The classes and functions of `tilework` that are written in Rust.
#[pymodule(gil_used = false)]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<classes::AnyLayout>()?;
    module.add_class::<classes::Layout>()?;
    module.add_class::<classes::ComposedLayout>()?;
    module.add_class::<classes::View>()?;
    module.add_class::<classes::Stride>()?;
    module.add_class::<classes::Swizzle>()?;
    module.add_class::<classes::Tiler>()?;
    module.add_class::<classes::Instruction>()?;
    module.add_class::<session::Session>()?;
    module.add_function(wrap_pyfunction!(stride::basis, module)?)?;
    module.add_function(wrap_pyfunction!(stride::xor, module)?)?;
    module.add_function(wrap_pyfunction!(session::parse, module)?)?;
    module.add_function(wrap_pyfunction!(session::explain, module)?)?;
    module.add_class::<elements::PyTensor>()?;
    module.add_class::<elements::PyAccessor>()?;
    module.add_function(wrap_pyfunction!(tensor::counting, module)?)?;
    module.add_function(wrap_pyfunction!(tensor::constant, module)?)?;
    module.add_function(wrap_pyfunction!(tensor::transform, module)?)?;
    module.add_function(wrap_pyfunction!(copies::copy, module)?)?;
    module.add_function(wrap_pyfunction!(kernels::gemm, module)?)?;
    module.add_function(wrap_pyfunction!(kernels::einsum, module)?)?;
    module.add_function(wrap_pyfunction!(kernels::conv, module)?)?;
    module.add_class::<copies::PyCopyPlan>()?;
    module.add_class::<plans::PyGemmPlan>()?;
    module.add_class::<plans::PyContractPlan>()?;
    module.add_class::<plans::PyConvPlan>()?;
    module.add_function(wrap_pyfunction!(reductions::reduce, module)?)?;
    module.add_function(wrap_pyfunction!(reductions::axpby, module)?)?;
    module.add_function(wrap_pyfunction!(reductions::map, module)?)?;
    module.add_class::<bit_matrix::PyBitMatrix>()?;
    module.add_class::<draw::Picture>()?;
    module.add_function(wrap_pyfunction!(draw::draw, module)?)?;
    module.setattr("__version__", env!("CARGO_PKG_VERSION"))?;
    pycute::add(module)?;
    algebra::add(module)?;
    symbolic::add(module)?;
    hardware::add(module)?;
    sharding::add(module)
}
