//! A product of matrices on tensor cores.

use super::gemm::{Gemm, batched, staged};
use super::without_conflicts;
use crate::element::ElementType;
use crate::instruction::{Instruction, copied_bytes};
use crate::kernel::{Expr, Index, Kernel, Tensor, TiledCopy};
use crate::prelude::*;
use crate::program::Program;
use tilework_symbolic::{Number, Scope};

/// Copies of 16 bytes to shared memory.
const COPY: &str = "SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>";

/// An operand: its tensors, and how it is copied between them.
struct Operand<T> {
    global: Tensor<T>,
    shared: Tensor<T>,
    fill: TiledCopy,
    /// Whether its rows along `m` or `n` are contiguous, so that matrices are transposed as they are read.
    is_transposed: bool,
}

impl Gemm {
    /// The program on tensor cores, in f16 or bf16: with a matrix instruction whose sums are f32, the warps along m and n,
    /// and what is done to each sum. Copies of the next `stages - 1` tiles are in flight.
    ///
    /// Elements are copied 16 bytes at a time: the program assumes that the strides and the contiguous extents of `A` and
    /// `B` are multiples of 8.
    ///
    /// ```
    /// use tilework_program::f16;
    /// use tilework_program::library::Gemm;
    /// let gemm = Gemm::new("(M,K):(lda,1)", "(N,K):(ldb,1)", "(M,N):(ldc,1)").tile([128, 128, 32]).stages(3);
    /// let relu = gemm.build_by::<f16, _>("SM80_16x8x16_F32F16F16F32_TN", [2, 2], |sum| sum.max(0.0).cast::<f16>())?;
    /// assert!(relu.check()?.is_proved());
    /// # Ok::<(), tilework_program::Error>(())
    /// ```
    ///
    /// # Errors
    /// Of layouts that are none, of an operand without a contiguous mode, of a tile that the warps do not divide, and of
    /// fewer than two stages.
    pub fn build_by<T: ElementType, U: ElementType>(
        &self,
        atom: &str,
        warps: [i64; 2],
        epilogue: impl FnOnce(Expr<f32>) -> Expr<U>,
    ) -> Result<Program, Error> {
        let ([m, n, depth], [rows, columns]) = (self.tile, warps);
        let threads = rows.saturating_mul(columns).saturating_mul(32);
        if self.stages < 2 || !(32..=1024).contains(&threads) || rows < 1 {
            return Err(error!(
                "{} stages and {rows}x{columns} warps: two stages or more, and 1 to 32 warps",
                self.stages
            ));
        }
        let (k_extent, c_extents) = self.extents()?;
        let mut k = Kernel::new("gemm", threads);
        let (a, b) = (self.operand::<T>(&mut k, 0, threads)?, self.operand::<T>(&mut k, 1, threads)?);
        let c = k.write::<U>("C", &self.layouts[2]);
        let bias = self.bias.as_ref().map(|layout| k.read::<f32>("bias", layout));
        // Two instructions along n, so that a warp reads four matrices of B at once.
        let atoms = format!("({rows},{columns},1):(1,{rows},{})", rows * columns);
        let mma = k.tiled_mma(atom, atoms, format!("<_,(8,{columns},2):(1,16,8),_>"));
        let inner = mma.tile()[2];
        let words = if inner == 8 { 2 } else { 4 };
        let load = |operand: &Operand<T>| match operand.is_transposed {
            true => format!("SM75_U16x{}_LDSM_T", 2 * words),
            false => format!("SM75_U32x{words}_LDSM_N"),
        };
        let (load_a, load_b) = (mma.copy_a(&load(&a)), mma.copy_b(&load(&b)));
        let (ra, rb) = (k.fragment_a(&mma, [m, inner]), k.fragment_b(&mma, [n, inner]));
        let sums = k.fragment_c::<f32>(&mma, [m, n]);
        let at = self.grid(&mut k, &c_extents);
        let fetch = |k: &mut Kernel, step: Index| {
            k.when(step, &format!("ceil(({k_extent})/{depth})"), |k| {
                for (own, side, place) in [(&a, m, at[0]), (&b, n, at[1])] {
                    let tile = batched(own.global.tile([side, depth], [place, step]), &at);
                    k.copy_by(&own.fill, tile, own.shared.at(2, step % self.stages));
                }
            });
            k.commit();
        };
        k.fill(sums, 0.0);
        (0..self.stages - 1).for_each(|step| fetch(&mut k, step.into()));
        k.repeat(&format!("ceil(({k_extent})/{depth})"), |k, step| {
            k.wait(self.stages as usize - 2);
            k.barrier();
            fetch(k, step + (self.stages - 1));
            for q in 0..depth / inner {
                let part = |own: &Operand<T>, side: i64| {
                    own.shared.at(2, step % self.stages).tile([side, inner], [0.into(), q.into()])
                };
                k.copy_by(&load_a, part(&a, m), ra);
                k.copy_by(&load_b, part(&b, n), rb);
                k.gemm(&mma, ra, rb, sums);
            }
        });
        let out = batched(c.tile([m, n], [at[0], at[1]]), &at);
        match bias {
            None => k.map(sums, mma.partition_c(out), epilogue),
            Some(bias) => {
                let along = mma.partition_c(bias.along(&out, 1));
                k.map((sums, along), mma.partition_c(out), |(sum, bias)| epilogue(sum + bias));
            }
        }
        k.finish()
    }

    /// `A` or `B`.
    fn operand<T: ElementType>(&self, k: &mut Kernel, own: usize, threads: i64) -> Result<Operand<T>, Error> {
        let (layout, side, depth) = (&self.layouts[own], self.tile[own], self.tile[2]);
        let mut scope = Scope::new();
        let modes = scope.layout(layout)?;
        let leaves = modes.leaves();
        let contiguous = leaves.iter().position(|leaf| leaf.stride.as_integer() == Some(1));
        let (Some(contiguous @ ..2), 2..=3) = (contiguous, leaves.len()) else {
            return Err(error!("{layout}: one of the first two of two or three modes is contiguous"));
        };
        let Instruction::AsyncCopy(copy) = Instruction::of_name(COPY)? else {
            return Err(Error::new("no copy to shared memory"));
        };
        let width = copied_bytes(&copy) / T::ELEMENT.bytes();
        // Along the contiguous mode first; a thread copies `width` elements there.
        let (extents, steps) = ([side, depth], [1, side]);
        let (fast, slow) = (contiguous, 1 - contiguous);
        let pieces = extents[fast] / width;
        if extents[fast] % width != 0 || pieces > threads || extents[slow] % (threads / pieces).max(1) != 0 {
            return Err(error!("{threads} threads do not divide a tile of {side}x{depth}"));
        }
        let pair = |fast: i64, slow: i64| match contiguous {
            0 => format!("({fast},{slow})"),
            _ => format!("({slow},{fast})"),
        };
        let lines = threads / pieces;
        let fill = k.tiled_copy(
            COPY,
            format!("{}:{}", pair(pieces, lines), pair(1, pieces)),
            format!("{}:{}", pair(width, 1), pair(1, 0)),
        );
        let first = pieces.min(32);
        let write = format!(
            "(({first},{}),{width}):(({},{}),{})",
            32 / first,
            width * steps[fast],
            steps[slow],
            steps[fast]
        );
        let read = format!("(8,{width}):({},{})", steps[slow], steps[fast]);
        let tile = format!("{}:{}", format_args!("({side},{depth})"), pair(1, extents[fast]));
        let tile = without_conflicts::<T>(&tile, &[(&write, width), (&read, width)])?;
        let name = ["A", "B"][own];
        let global = k.read::<T>(name, layout);
        let shared = k.shared::<T>(&format!("s{name}"), staged(&tile, self.stages)?);
        let numbers = leaves.iter().map(|leaf| &leaf.stride).chain([&leaves[fast].extent]);
        let named = numbers.filter(|number| number.as_integer().is_none());
        let facts: Vec<String> =
            named.map(|number| format!("{} % {width} == 0", factor(&scope, number))).collect();
        if !facts.is_empty() {
            k.assume(&facts.join(", "));
        }
        Ok(Operand { global, shared, fill, is_transposed: contiguous == 0 })
    }
}

/// A number as a factor.
fn factor(scope: &Scope, number: &Number) -> String {
    let text = scope.number_text(number).to_string();
    if scope.find(&text).is_some() { text } else { format!("({text})") }
}
