//! Programs for common work, for layouts that the caller gives. Each is what its source says, and can be read as an example.
//!
//! | program | what it computes |
//! |---|---|
//! | [`copy`] | a tensor with other strides |
//! | [`reduce`] | a fold along one mode |
//! | [`Gemm`] | a product of matrices, with any order of operands, batches, a bias and an epilogue; on tensor cores by [`Gemm::build_by`] |
//! | [`softmax`], [`layer_norm`] | along the rows of a matrix |
//! | [`gather`] | rows by their numbers |
//! | [`attention`] | with a softmax that is kept while keys come, causal or not |
//! | [`mlx_product`] | a product whose weights have 4 bits, as MLX packs them |
//!
//! One access has several elements where extents and strides are written as multiples: `(M,4*N):(4*lda,1)`.
//!
//! ```
//! use tilework_program::library;
//! let transpose = library::copy::<f32>("(M,N):(lda,1)", "(M,N):(1,ldb)")?;
//! assert!(transpose.check()?.is_proved());
//! assert!(transpose.to_string().contains("shared tile f32 Sw<5,0,5> o 0 o (32,32):(1,32)"));
//! # Ok::<(), tilework_program::Error>(())
//! ```

mod attention;
mod copy;
mod gemm;
mod reduce;
mod rows;
mod tensor_gemm;
mod unpacked;

use crate::prelude::*;
pub use attention::attention;
pub use copy::copy;
pub use gemm::Gemm;
pub use reduce::reduce;
pub use rows::{gather, layer_norm, softmax};
pub use unpacked::mlx_product;

use crate::element::ElementType;
use crate::kernel::{Fold, Index, Kernel, Tensor, View};
use tilework::Layout;
use tilework_hardware::access::Access;
use tilework_hardware::memory::Banks;
use tilework_hardware::swizzle::{Form, search};
use tilework_symbolic::{Scope, SymbolicLeaf, Verdict};

/// The extents of a layout's modes, and the mode along which neighbours are contiguous in memory: the first, if none is.
fn modes(layout: &str) -> Result<(Vec<String>, usize), Error> {
    let mut scope = Scope::new();
    let layout = scope.layout(layout)?;
    let (mut extents, mut contiguous) = (Vec::new(), 0);
    for mode in 0..layout.rank() {
        let own = scope.layout_of(layout.as_tuple().mode(mode)?)?;
        if own.leaves().first().is_some_and(|leaf| leaf.stride.as_integer() == Some(1)) {
            contiguous = mode;
        }
        let size = scope.size(&own)?;
        extents.push(scope.number_text(&size).to_string());
    }
    Ok((extents, contiguous))
}

/// The most elements, up to `most` and 16 bytes, that one access along the contiguous mode has: that extent and the other
/// strides are written as multiples of as many, as in `(M,4*N):(4*lda,1)`.
fn vector<T: ElementType>(layout: &str, most: i64) -> Result<i64, Error> {
    let mut scope = Scope::new();
    let layout = scope.layout(layout)?;
    let is_unit = |leaf: &SymbolicLeaf| leaf.stride.as_integer() == Some(1);
    let is_multiple = |leaf: &SymbolicLeaf, width: i64| {
        let number = if is_unit(leaf) { &leaf.extent } else { &leaf.stride };
        Ok::<_, Error>(matches!(scope.is_multiple(number, &width.into())?, Verdict::Always))
    };
    let leaves = layout.leaves();
    let mut width = most.min(16 / T::ELEMENT.bytes());
    if !leaves.iter().any(is_unit) {
        return Ok(width.min(1));
    }
    for leaf in leaves {
        while width > 1 && !is_multiple(leaf, width)? {
            width /= 2;
        }
    }
    Ok(width)
}

/// `ceil(extent/tile)`, or the extent for tiles of 1.
fn tiles(extent: &str, tile: i64) -> String {
    if tile == 1 { extent.to_string() } else { format!("ceil(({extent})/{tile})") }
}

/// Runs `body` for each of some counts: the first of them are axes of the grid, the others loops.
fn each_of(k: &mut Kernel, counts: &[String], body: &mut dyn FnMut(&mut Kernel, &[Index])) {
    let (axes, loops) = counts.split_at(counts.len().min(3));
    let mut at = k.axes(axes);
    nested(k, loops, &mut at, body);
}

fn nested(
    k: &mut Kernel,
    loops: &[String],
    at: &mut Vec<Index>,
    body: &mut dyn FnMut(&mut Kernel, &[Index]),
) {
    let Some((count, inner)) = loops.split_first() else { return body(k, at) };
    k.repeat(count, |k, step| {
        at.push(step);
        nested(k, inner, at, body);
        at.pop();
    });
}

/// Folds a value of each thread over the block, through memory of one element a thread; all threads have the result.
fn fold_block<T: ElementType>(k: &mut Kernel, fold: Fold, own: Tensor<T>, memory: Tensor<T>, threads: i64) {
    k.copy(own, memory.threads(format!("{threads}:1@0")));
    let mut half = threads / 2;
    while half > 0 {
        let first: View<T> = memory.threads(format!("{half}:1@0"));
        k.barrier();
        k.fold(fold, memory.at(0, half).threads(format!("{half}:1@0")), first);
        half /= 2;
    }
    k.barrier();
    k.copy(memory, own);
    k.barrier();
}

/// A tile with the swizzle, or else the padding, that frees accesses of 32 threads from conflicts, if there is one. Accesses
/// are from threads and values to elements of the tile, counted along its modes, with the values that a thread accesses at once.
fn without_conflicts<T: ElementType>(tile: &str, accesses: &[(&str, i64)]) -> Result<String, Error> {
    let layout: Layout = tile.parse()?;
    let access = |(text, vector): &(&str, i64)| -> Result<(Banks, Access), Error> {
        let access = Access::new(text.parse()?, 8 * T::ELEMENT.bytes() as u32);
        let access = access.and_then(|access| access.vector(*vector as u32));
        Ok((Banks::NVIDIA, access.map_err(|error| Error::new(error.to_string()))?))
    };
    let accesses = accesses.iter().map(access).collect::<Result<Vec<_>, Error>>()?;
    let found = [Form::Sw, Form::Pad].iter().find_map(|form| search(&layout, &accesses, *form).ok());
    Ok(match found {
        Some(found) if found.data().swizzle() == tilework::Swizzle::NONE => found.data().layout().to_string(),
        Some(found) => found.data().to_string(),
        None => tile.to_string(),
    })
}
