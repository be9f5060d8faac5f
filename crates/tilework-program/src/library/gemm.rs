//! A product of matrices.

use super::{modes, vector, without_conflicts};
use crate::element::ElementType;
use crate::kernel::{Expr, Index, Kernel, Tensor, View};
use crate::prelude::*;
use crate::program::Program;
use tilework::Layout;

/// Threads of a block, 16 along each side of the tile.
const THREADS: i64 = 256;
const SIDE: i64 = 16;

/// `C(m,n) = epilogue(sum over k of A(m,k) * B(n,k) + bias(n))` in f32. A third mode of all three is a batch.
///
/// ```
/// use tilework_program::library::Gemm;
/// let gemm = Gemm::new("(M,K):(lda,1)", "(N,K):(1,ldb)", "(M,N):(ldc,1)").bias("N:1").stages(2);
/// let relu = gemm.build(|sum| sum.max(0.0))?;
/// assert!(relu.check()?.is_proved());
/// # Ok::<(), tilework_program::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Gemm {
    pub(super) layouts: [String; 3],
    pub(super) bias: Option<String>,
    pub(super) tile: [i64; 3],
    pub(super) stages: i64,
}

impl Gemm {
    /// With the layouts of `A(m,k)`, `B(n,k)` and `C(m,n)`, in any order of their strides.
    #[must_use]
    pub fn new(a: &str, b: &str, c: &str) -> Gemm {
        Gemm { layouts: [a, b, c].map(ToString::to_string), bias: None, tile: [64, 64, 16], stages: 1 }
    }

    /// The layout of what is added to each row.
    #[must_use]
    pub fn bias(self, layout: &str) -> Gemm {
        Gemm { bias: Some(layout.to_string()), ..self }
    }

    /// The extents of a block's tile along m and n, and of a step along k: powers of 2 from 16 to 256.
    #[must_use]
    pub fn tile(self, tile: [i64; 3]) -> Gemm {
        Gemm { tile, ..self }
    }

    /// The copies of the tiles in shared memory: with one a step has two barriers, with two or more it has one.
    #[must_use]
    pub fn stages(self, stages: i64) -> Gemm {
        Gemm { stages, ..self }
    }

    /// The extent of k, and those of `C`.
    pub(super) fn extents(&self) -> Result<(String, Vec<String>), Error> {
        let [a, c] = [modes(&self.layouts[0])?.0, modes(&self.layouts[2])?.0];
        match (&a[..], c.len()) {
            ([_, k, ..], 2..=3) => Ok((k.clone(), c)),
            _ => Err(error!(
                "{} and {}: matrices have two modes, or three with a batch",
                self.layouts[0], self.layouts[2]
            )),
        }
    }

    /// The block's tile along m and n, and its matrix of a batch.
    pub(super) fn grid(&self, k: &mut Kernel, c_extents: &[String]) -> Vec<Index> {
        let [m, n, _] = self.tile;
        let counts = [format!("ceil(({})/{m})", c_extents[0]), format!("ceil(({})/{n})", c_extents[1])];
        k.axes(&[&counts, &c_extents[2..]].concat())
    }

    /// The program, with what is done to each sum.
    ///
    /// # Errors
    /// Of layouts that are none, or not of two or three modes, and of a tile or stages that there cannot be.
    pub fn build(&self, epilogue: impl FnOnce(Expr<f32>) -> Expr<f32>) -> Result<Program, Error> {
        let [m, n, depth] = self.tile;
        let is_side = |extent: &i64| (SIDE..=THREADS).contains(extent) && extent.count_ones() == 1;
        if !self.tile.iter().all(is_side) || self.stages < 1 {
            let tile = format!("{:?} in {} stages", self.tile, self.stages);
            return Err(error!("no tile is {tile}: powers of 2 from 16 to 256, in 1 stage or more"));
        }
        let (k_extent, c_extents) = self.extents()?;
        let mut k = Kernel::new("gemm", THREADS);
        let [a, b] = [("A", 0), ("B", 1)].map(|(name, own)| k.read::<f32>(name, &self.layouts[own]));
        let c = k.write::<f32>("C", &self.layouts[2]);
        let bias = self.bias.as_ref().map(|layout| k.read::<f32>("bias", layout));
        let loads = [load(m, depth, &self.layouts[0])?, load(n, depth, &self.layouts[1])?];
        let (rows, columns) = (m / SIDE, n / SIDE);
        // A thread has `width` elements of each side that are contiguous, and as many again behind those of the others.
        let [along_m, along_n] = [rows, columns].map(|count| {
            let width = count.min(4);
            (width, count / width, width * SIDE)
        });
        let warps =
            [format!("((16,2),{0}):((0,{0}),1)", along_m.0), format!("((16,2),{0}):(({0},0),1)", along_n.0)];
        let mut shared = Vec::new();
        for (own, (side, width)) in [(m, along_m.0), (n, along_n.0)].into_iter().enumerate() {
            let (tile, load) = (format!("({side},{depth}):(1,{side})"), &loads[own]);
            let tile = without_conflicts::<f32>(&tile, &[(&load.warp, load.at_once), (&warps[own], width)])?;
            shared.push(k.shared::<f32>(["sA", "sB"][own], staged(&tile, self.stages)?));
        }
        let (sa, sb) = (shared[0], shared[1]);
        let (ra, rb) =
            (k.registers::<f32>("ra", format!("{rows}:1")), k.registers::<f32>("rb", format!("{columns}:1")));
        let sums = k.registers::<f32>("sums", format!("({rows},{columns}):(1,{rows})"));
        let at = self.grid(&mut k, &c_extents);
        let tile = |x: Tensor<f32>, shape: [i64; 2], place: [Index; 2]| batched(x.tile(shape, place), &at);
        k.fill(sums, 0.0);
        k.repeat(&format!("ceil(({k_extent})/{depth})"), |k, step| {
            let stage =
                |x: Tensor<f32>| if self.stages == 1 { x.at(0, 0) } else { x.at(2, step % self.stages) };
            k.copy(
                tile(a, [m, depth], [at[0], step]).partition(&loads[0].all),
                stage(sa).partition(&loads[0].all),
            );
            k.copy(
                tile(b, [n, depth], [at[1], step]).partition(&loads[1].all),
                stage(sb).partition(&loads[1].all),
            );
            k.barrier();
            for q in 0..depth {
                let ((p, g, far), (w, h, long)) = (along_m, along_n);
                let (of_a, of_b) = (format!("(0,{p}@0),(1@0,{far}@0)"), format!("({w}@0,0),(1@0,{long}@0)"));
                k.copy(stage(sa).at(1, q).partition(format!("((16,16),({p},{g})):({of_a})")), ra);
                k.copy(stage(sb).at(1, q).partition(format!("((16,16),({w},{h})):({of_b})")), rb);
                let values = |strides: &str| format!("({rows},{columns}):{strides}");
                k.map(
                    (sums, ra.values(values("(1@0,0)")), rb.values(values("(0,1@0)"))),
                    sums,
                    |(sum, a, b)| sum + a * b,
                );
            }
            if self.stages == 1 {
                k.barrier();
            }
        });
        // The values along the contiguous mode of C are contiguous, too.
        let ((p, g, far), (w, h, long)) = (along_m, along_n);
        let of_bias = (format!("((0,0),(1@0,{long}@0))"), format!("((1@0,{long}@0),(0,0))"));
        let (extents, of_sums, values, of_bias) = match modes(&self.layouts[2])?.1 {
            0 => (
                format!("(({p},{g}),({w},{h}))"),
                format!("({rows},{columns}):(1@0,1@1)"),
                format!("((1@0,{far}@0),(1@1,{long}@1))"),
                of_bias.0,
            ),
            _ => (
                format!("(({w},{h}),({p},{g}))"),
                format!("({columns},{rows}):(1@1,1@0)"),
                format!("((1@1,{long}@1),(1@0,{far}@0))"),
                of_bias.1,
            ),
        };
        let sums = sums.values(of_sums);
        let out = tile(c, [m, n], [at[0], at[1]]);
        let out = out.partition(format!("((16,16),{extents}):(({w}@1,{p}@0),{values})"));
        match bias {
            None => k.map(sums, out, epilogue),
            Some(bias) => {
                let along = bias.tile([n], [at[1]]);
                let along = along.partition(format!("((16,16),{extents}):(({w}@0,0),{of_bias})"));
                k.map((sums, along), out, |(sum, bias)| epilogue(sum + bias));
            }
        }
        k.finish()
    }
}

/// At the block's matrix of a batch, whose mode is the last of each tensor.
pub(super) fn batched<T: ElementType>(view: View<T>, at: &[Index]) -> View<T> {
    at.get(2).map_or(view.clone(), |batch| view.at(2, *batch))
}

/// How threads fill a tile: all of them with their values, and the first 32, with the values that are written at once.
struct Load {
    all: String,
    warp: String,
    at_once: i64,
}

/// Threads along the contiguous mode first, each with as many elements as one access can have.
fn load(side: i64, depth: i64, layout: &str) -> Result<Load, Error> {
    let (extents, steps) = ([side, depth], [1, side]);
    let fast = modes(layout)?.1.min(1);
    let slow = 1 - fast;
    let width = vector::<f32>(layout, extents[fast] * extents[slow] / THREADS)?;
    // Across the tile a warp has 4 lines or more: then a swizzle that frees it from conflicts leaves 4 elements contiguous.
    let most = if fast == 0 { THREADS } else { (THREADS / extents[slow]).max(8) };
    let length = (extents[fast] / width.max(1)).min(most);
    let lines = THREADS / length;
    if width < 1 || extents[slow] % lines != 0 {
        return Err(error!("a tile of {side}x{depth} is smaller than a block of {THREADS} threads"));
    }
    let (reach, first) = (length * width, length.min(32));
    let (pieces, values) = (extents[fast] / reach, extents[slow] / lines);
    let all = format!("(({length},{lines}),({width},{pieces},{values}))");
    let warp = format!("(({first},{}),{width})", 32 / first);
    let [one, across] = [steps[fast], steps[slow]];
    Ok(Load {
        all: format!("{all}:(({width}@{fast},1@{slow}),(1@{fast},{reach}@{fast},{lines}@{slow}))"),
        warp: format!("{warp}:(({},{across}),{one})", width * one),
        at_once: if fast == 0 { width } else { 1 },
    })
}

/// A tile in some stages, each behind the other.
pub(super) fn staged(tile: &str, stages: i64) -> Result<String, Error> {
    if stages == 1 {
        return Ok(tile.to_string());
    }
    let (swizzle, plain) = tile.rsplit_once(" o ").unwrap_or(("", tile));
    let (layout, swizzle) =
        (plain.parse::<Layout>()?, if swizzle.is_empty() { "" } else { &tile[..swizzle.len() + 3] });
    let [shape, strides] = [layout.shape().to_string(), layout.stride().to_string()];
    let size = layout.cosize()?;
    let open = |text: &str| text.trim_end_matches(')').to_string();
    Ok(format!("{swizzle}{},{stages}):{},{size})", open(&shape), open(&strides)))
}
