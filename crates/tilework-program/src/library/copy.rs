//! A tensor with other strides.

use super::{each_of, modes, tiles, vector, without_conflicts};
use crate::element::ElementType;
use crate::kernel::{Kernel, View};
use crate::prelude::*;
use crate::program::Program;

/// `B = A`, for any two layouts of one shape. Where the contiguous modes differ, tiles go through shared memory, so that
/// both sides are accessed along theirs.
///
/// ```
/// use tilework_program::{Buffers, library};
/// let permute = library::copy::<f32>("(P,Q,R):(p,q,1)", "(P,Q,R):(1,s,r)")?;
/// let sizes = permute.sizes(&[("P", 40), ("Q", 2), ("R", 7)])?;
/// let mut buffers = Buffers::new(&permute, &sizes)?;
/// buffers.fill("A", |at| (100 * at[0] + 10 * at[1] + at[2]) as f64)?;
/// permute.run(&sizes, &mut buffers)?;
/// assert_eq!(buffers.at("B", &[39, 1, 6]), Some(3916.0));
/// # Ok::<(), tilework_program::Error>(())
/// ```
///
/// # Errors
/// Of layouts that are none, and of shapes that differ.
pub fn copy<T: ElementType>(from: &str, to: &str) -> Result<Program, Error> {
    let ((extents, x), (others, y)) = (modes(from)?, modes(to)?);
    if extents != others {
        return Err(error!("a copy has one shape, not ({}) and ({})", extents.join(","), others.join(",")));
    }
    let mut k = Kernel::new("copy", 256);
    let (a, b) = (k.read::<T>("A", from), k.write::<T>("B", to));
    let mut tile = vec![1; extents.len()];
    let counts = |tile: &[i64]| -> Vec<String> {
        extents.iter().zip(tile).map(|(extent, tile)| tiles(extent, *tile)).collect()
    };
    if x == y {
        let width = vector::<T>(from, 16)?.min(vector::<T>(to, 16)?);
        tile[x] = 256 * width;
        each_of(&mut k, &counts(&tile), &mut |k, at| {
            let own =
                |view: View<T>| view.tile(&tile, at).partition(format!("(256,{width}):({width}@{x},1@{x})"));
            k.copy(own(a.into()), own(b.into()));
        });
        return k.finish();
    }
    (tile[x], tile[y]) = (32, 32);
    // Of a warp, `32/w` threads with `w` values are along the contiguous mode.
    let (wide, high) = (vector::<T>(from, 4)?, vector::<T>(to, 4)?);
    let warp =
        |w: i64, fast: i64, slow: i64| format!("(({},{w}),{w}):(({},{slow}),{fast})", 32 / w, w * fast);
    let (rows, columns) = (warp(wide, 1, 32), warp(high, 32, 1));
    let layout = without_conflicts::<T>("(32,32):(1,32)", &[(&rows, 1), (&columns, 1)])?;
    let shared = k.shared::<T>("tile", layout);
    each_of(&mut k, &counts(&tile), &mut |k, at| {
        // Threads run along the contiguous mode of each side; modes 0 and 1 of the tile are `x` and `y`.
        let along = |w: i64, fast: usize, slow: usize| {
            let (length, lines) = (32 / w, 8 * w);
            format!("(({length},{lines}),({w},{})):(({w}@{fast},1@{slow}),(1@{fast},{lines}@{slow}))", 4 / w)
        };
        k.copy(a.tile(&tile, at).partition(along(wide, x, y)), shared.partition(along(wide, 0, 1)));
        k.barrier();
        k.copy(shared.partition(along(high, 1, 0)), b.tile(&tile, at).partition(along(high, y, x)));
        if extents.len() > 3 {
            k.barrier();
        }
    });
    k.finish()
}
