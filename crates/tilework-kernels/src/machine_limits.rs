//! The measured limits of this machine: the speed of `memcpy`, and of fused multiply-adds in registers.
//!
//! Compare a kernel with limits measured in the same minute: clock rates, other processes and the state of the memory
//! change.
//!
//! | limit | how it is measured |
//! |---|---|
//! | [`Memcpy`] | the C library's `memcpy` from one buffer to another, a part for each thread |
//! | [`multiply_add`] | independent chains of the widest multiply-adds, enough of them to fill the pipes, without memory |
//!
//! ```
//! use tilework_kernels::{Execution, machine_limits};
//! let seconds = machine_limits::memcpy(1 << 16, &Execution::default())?;
//! let peak = machine_limits::multiply_add(machine_limits::Precision::Single, 0.001, &Execution::default());
//! assert!(seconds > 0.0 && peak > 0.0);
//! # Ok::<(), tilework_kernels::Error>(())
//! ```

use crate::cpu::isa::Isa;
use crate::error::Error;
use crate::execution::Execution;
use crate::memory::Shared;
use crate::simd::vector::{self, Vector};
use crate::tuning::LINE;
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Two buffers, and the speed at which one is copied to the other.
#[derive(Debug)]
pub struct Memcpy {
    source: Vec<u8>,
    destination: Vec<u8>,
}

impl Memcpy {
    /// Two buffers of `bytes` bytes, with every page touched.
    ///
    /// # Errors
    /// [`Error::Memory`] where there is not enough memory for the two.
    pub fn new(bytes: usize) -> Result<Memcpy, Error> {
        let buffer = |value: u8| {
            let mut buffer = Vec::new();
            buffer.try_reserve_exact(bytes).map_err(|_| Error::Memory { bytes: 2 * bytes as u128 })?;
            // Untouched pages may all be mapped to the same page of zeros.
            buffer.resize(bytes, value);
            Ok::<_, Error>(buffer)
        };
        Ok(Memcpy { source: buffer(1)?, destination: buffer(2)? })
    }

    /// How many bytes are copied.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.source.len()
    }

    /// Copies once: a part for each thread, in whole cache lines.
    pub fn run(&mut self, execution: &Execution) {
        let bytes = self.source.len();
        let lines = bytes.div_ceil(LINE);
        let parts = execution.thread_count().min(lines);
        let from = Shared(black_box(self.source.as_ptr().cast_mut()));
        let to = Shared(black_box(self.destination.as_mut_ptr()));
        execution.run(parts, |part| {
            let bound = |part: usize| (lines as u128 * part as u128 / parts as u128) as usize * LINE;
            let (start, end) = (bound(part), bound(part + 1).min(bytes));
            // SAFETY: both buffers have `bytes` elements and are borrowed, the source to be read and the destination
            // to be written; `start <= end <= bytes`; no two parts have a byte in common, since `bound` is monotone.
            unsafe {
                std::ptr::copy_nonoverlapping(from.at(start as isize), to.at(start as isize), end - start)
            }
        });
        black_box(&mut self.destination);
    }
}

/// The seconds that `memcpy` takes for `bytes` bytes, the median of several runs.
///
/// # Errors
/// [`Error::Memory`] where there is not enough memory for two buffers of `bytes` bytes.
pub fn memcpy(bytes: usize, execution: &Execution) -> Result<f64, Error> {
    let mut memcpy = Memcpy::new(bytes)?;
    // Small buffers are copied several times for each reading of the clock.
    let times = if cfg!(miri) { 1 } else { (1 << 16) / bytes.max(1) + 1 };
    let mut seconds: Vec<f64> = (0..9)
        .map(|_| {
            let start = Instant::now();
            (0..times).for_each(|_| memcpy.run(execution));
            start.elapsed().as_secs_f64() / times as f64
        })
        .collect();
    seconds.sort_unstable_by(f64::total_cmp);
    Ok(seconds[seconds.len() / 2])
}

/// The numbers that are multiplied and added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Precision {
    /// `f32`.
    Single,
    /// `f64`.
    Double,
}

/// The multiplications and additions a second (two for each multiply-add) that all threads reach together with the
/// widest instructions of the processor, measured for `seconds`.
#[must_use]
pub fn multiply_add(precision: Precision, seconds: f64, execution: &Execution) -> f64 {
    let (chunk, operations) = chains(Isa::best().registers(), precision);
    let (chunks, limit) = (AtomicUsize::new(0), Duration::from_secs_f64(seconds.clamp(0.0, 1e3)));
    let start = Instant::now();
    execution.run(execution.thread_count(), |_| {
        let mut own = 0;
        while own == 0 || start.elapsed() < limit {
            chunk();
            own += 1;
        }
        chunks.fetch_add(own, Ordering::Relaxed);
    });
    (chunks.into_inner() * operations) as f64 / start.elapsed().as_secs_f64()
}

/// The steps of one chunk: a few microseconds.
const STEPS: usize = if cfg!(miri) { 8 } else { 2048 };

/// A function that runs a chunk, and its number of operations: as many chains as fill the pipes of the processors of a set, and no more
/// than its registers.
fn chains(isa: Isa, precision: Precision) -> (fn(), usize) {
    macro_rules! chunk {
        ($set:ident::$vector:ident, $chains:literal, $attribute:meta) => {{
            #[$attribute]
            unsafe fn chunk() {
                // SAFETY: the contract of this function.
                unsafe { multiply_adds::<vector::$set::$vector, $chains>(0.5) }
            }
            // SAFETY: the processor has the instructions, since they are those of `isa`.
            (|| unsafe { chunk() }, 2 * vector::$set::$vector::LANES * $chains * STEPS)
        }};
    }
    match (isa, precision) {
        #[cfg(target_arch = "x86_64")]
        (Isa::Avx512, Precision::Single) => chunk!(avx512::F32, 12, target_feature(enable = "avx512f")),
        #[cfg(target_arch = "x86_64")]
        (Isa::Avx512, Precision::Double) => chunk!(avx512::F64, 12, target_feature(enable = "avx512f")),
        #[cfg(target_arch = "x86_64")]
        (Isa::Avx2, Precision::Single) => chunk!(avx2::F32, 12, target_feature(enable = "avx2,fma")),
        #[cfg(target_arch = "x86_64")]
        (Isa::Avx2, Precision::Double) => chunk!(avx2::F64, 12, target_feature(enable = "avx2,fma")),
        #[cfg(target_arch = "aarch64")]
        (Isa::Neon, Precision::Single) => chunk!(neon::F32, 24, target_feature(enable = "neon")),
        #[cfg(target_arch = "aarch64")]
        (Isa::Neon, Precision::Double) => chunk!(neon::F64, 24, target_feature(enable = "neon")),
        (_, Precision::Single) => chunk!(portable::F32, 14, inline(never)),
        (_, Precision::Double) => chunk!(portable::F64, 14, inline(never)),
    }
}

/// `STEPS` multiply-adds in each of `CHAINS` chains. Every chain converges to 1, so that no number becomes subnormal. The compiler does
/// not know the initial values, so it cannot merge the chains.
///
/// # Safety
/// The processor has the instructions of the vector.
#[inline(always)]
unsafe fn multiply_adds<V: Vector, const CHAINS: usize>(half: V::Scalar) {
    // SAFETY: the contract of this function.
    unsafe {
        let mut sums = black_box([V::splat(V::Scalar::default()); CHAINS]);
        let half = V::splat(black_box(half));
        for _ in 0..STEPS {
            for sum in &mut sums {
                *sum = sum.mul_add(half, half);
            }
        }
        black_box(sums);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memcpy_copies_everything() {
        let large = if cfg!(miri) { 1 << 9 } else { 1 << 16 };
        for (bytes, threads) in [(0, 1), (1, 4), (63, 2), (1000, 3), (large, 2)] {
            let mut memcpy = Memcpy::new(bytes).unwrap();
            memcpy.run(&Execution::threads(threads));
            assert_eq!((memcpy.bytes(), &memcpy.source), (bytes, &memcpy.destination));
        }
        assert!(matches!(Memcpy::new(usize::MAX / 2 + 1), Err(Error::Memory { .. })));
        assert!(memcpy(100, &Execution::threads(2)).unwrap() > 0.0);
    }

    #[test]
    fn every_instruction_set_multiplies() {
        for isa in Isa::available() {
            for precision in [Precision::Single, Precision::Double] {
                let (chunk, operations) = chains(isa, precision);
                chunk();
                assert!(operations > STEPS, "{isa} {precision:?}");
            }
        }
        assert!(multiply_add(Precision::Double, 0.0, &Execution::threads(3)) > 0.0);
    }
}
