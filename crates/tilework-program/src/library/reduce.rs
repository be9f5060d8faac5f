//! A fold along one mode.

use super::{each_of, fold_block, modes, tiles};
use crate::element::ElementType;
use crate::kernel::{Fold, Index, Kernel};
use crate::prelude::*;
use crate::program::Program;

const THREADS: i64 = 128;

/// `y(..) = fold of A(..)` along `mode`; the modes of `to` are the others of `from`, in their order, or 1 where there are
/// none. Along the contiguous mode a block has each result, along another one a thread.
///
/// ```
/// use tilework_program::kernel::Fold;
/// use tilework_program::{Buffers, library};
/// let columns = library::reduce::<f32>(Fold::MAX, "(M,N):(lda,1)", 0, "N:1")?;
/// let sizes = columns.sizes(&[("M", 5), ("N", 300)])?;
/// let mut buffers = Buffers::new(&columns, &sizes)?;
/// buffers.fill("A", |at| (at[0] * at[1]) as f64)?;
/// columns.run(&sizes, &mut buffers)?;
/// assert_eq!(buffers.at("y", &[299]), Some(1196.0));
/// # Ok::<(), tilework_program::Error>(())
/// ```
///
/// # Errors
/// Of layouts that are none, a mode that there is not, and a neutral element that the type does not have.
pub fn reduce<T: ElementType>(fold: Fold, from: &str, mode: usize, to: &str) -> Result<Program, Error> {
    let (extents, contiguous) = modes(from)?;
    if mode >= extents.len() {
        return Err(error!("there is no mode {mode}: {from} has {}", extents.len()));
    }
    let mut k = Kernel::new("reduce", THREADS);
    let (a, y) = (k.read::<T>("A", from), k.write::<T>("y", to));
    let sum = k.registers::<T>("sum", "1:1");
    let is_block = mode == contiguous;
    let memory = is_block.then(|| k.shared::<T>("s", format!("{THREADS}:1")));
    // The tile of one block and step, and its other modes.
    let tile: Vec<i64> = (0..extents.len()).map(|own| if own == contiguous { THREADS } else { 1 }).collect();
    let others: Vec<usize> = (0..extents.len()).filter(|own| *own != mode).collect();
    let counts: Vec<String> = others.iter().map(|own| tiles(&extents[*own], tile[*own])).collect();
    let out_tile: Vec<i64> = others.iter().map(|own| tile[*own]).collect();
    each_of(&mut k, &counts, &mut |k, at| {
        k.fill_neutral(sum, fold);
        k.repeat(&tiles(&extents[mode], tile[mode]), |k, step| {
            let mut whole: Vec<Index> = at.to_vec();
            whole.insert(mode, step);
            let threads = format!("{THREADS}:1@{contiguous}");
            k.fold(fold, a.tile(&tile, whole).threads(threads), sum);
        });
        let out = y.tile(&out_tile, at);
        match memory {
            Some(memory) => {
                fold_block(k, fold, sum, memory, THREADS);
                k.copy(sum, out.threads("1:0"));
            }
            None => {
                let place = others.iter().position(|own| *own == contiguous).unwrap_or(0);
                k.copy(sum, out.threads(format!("{THREADS}:1@{place}")));
            }
        }
    });
    k.finish()
}
