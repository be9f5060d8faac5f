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
    seconds.sort_by(f64::total_cmp);
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

/// A function that runs a chunk, and its number of operations.
fn chains(isa: Isa, precision: Precision) -> (fn(), usize) {
    macro_rules! of_set {
        ($set:ident::$function:ident, $lanes:literal) => {
            // SAFETY: the processor has the instructions, since they are those of `isa`.
            (|| unsafe { $set::$function() }, $lanes, $set::CHAINS)
        };
    }
    let (chunk, lanes, count): (fn(), _, _) = match (isa, precision) {
        #[cfg(target_arch = "x86_64")]
        (Isa::Avx512, Precision::Single) => of_set!(x86::avx512_single, 16),
        #[cfg(target_arch = "x86_64")]
        (Isa::Avx512, Precision::Double) => of_set!(x86::avx512_double, 8),
        #[cfg(target_arch = "x86_64")]
        (Isa::Avx2, Precision::Single) => of_set!(x86::avx2_single, 8),
        #[cfg(target_arch = "x86_64")]
        (Isa::Avx2, Precision::Double) => of_set!(x86::avx2_double, 4),
        #[cfg(target_arch = "aarch64")]
        (Isa::Neon, Precision::Single) => of_set!(neon::single, 4),
        #[cfg(target_arch = "aarch64")]
        (Isa::Neon, Precision::Double) => of_set!(neon::double, 2),
        (_, Precision::Single) => (portable::single, 4, portable::CHAINS),
        (_, Precision::Double) => (portable::double, 2, portable::CHAINS),
    };
    (chunk, 2 * lanes * count * STEPS)
}

/// Functions that run `STEPS` multiply-adds in each of `CHAINS` chains. Every chain converges to 1, so that no number
/// becomes subnormal. The compiler does not know the initial values, so it cannot merge the chains.
macro_rules! chains {
    ($($(#[$attribute:meta])* $name:ident: $vector:ty, $splat:expr, |$sum:ident, $half:ident| $step:expr;)*) => {$(
        $(#[$attribute])*
        pub(super) fn $name() {
            let splat = $splat;
            let mut sums: [$vector; CHAINS] = black_box([splat(0.0); CHAINS]);
            let $half: $vector = black_box(splat(0.5));
            for _ in 0..STEPS {
                for each in &mut sums {
                    let $sum = *each;
                    *each = $step;
                }
            }
            black_box(sums);
        }
    )*};
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{STEPS, black_box};
    use std::arch::x86_64::*;

    /// Two pipes with a latency of 4 or 5, in 16 registers.
    pub(super) const CHAINS: usize = 12;

    chains! {
        #[target_feature(enable = "avx512f")]
        avx512_single: __m512, |x| _mm512_set1_ps(x), |sum, half| _mm512_fmadd_ps(sum, half, half);
        #[target_feature(enable = "avx512f")]
        avx512_double: __m512d, |x| _mm512_set1_pd(x), |sum, half| _mm512_fmadd_pd(sum, half, half);
        #[target_feature(enable = "avx2,fma")]
        avx2_single: __m256, |x| _mm256_set1_ps(x), |sum, half| _mm256_fmadd_ps(sum, half, half);
        #[target_feature(enable = "avx2,fma")]
        avx2_double: __m256d, |x| _mm256_set1_pd(x), |sum, half| _mm256_fmadd_pd(sum, half, half);
    }
}

#[cfg(target_arch = "aarch64")]
mod neon {
    use super::{STEPS, black_box};
    use std::arch::aarch64::*;

    /// Up to four pipes with a latency of 4 or 5, in 32 registers.
    pub(super) const CHAINS: usize = 24;

    chains! {
        #[target_feature(enable = "neon")]
        single: float32x4_t, |x| vdupq_n_f32(x), |sum, half| vfmaq_f32(half, sum, half);
        #[target_feature(enable = "neon")]
        double: float64x2_t, |x| vdupq_n_f64(x), |sum, half| vfmaq_f64(half, sum, half);
    }
}

mod portable {
    use super::{STEPS, black_box};

    /// Two pipes for each of the two instructions, with a latency of 8 for both, in 16 registers.
    pub(super) const CHAINS: usize = 14;

    chains! {
        single: [f32; 4], |x| [x; 4], |sum, half| std::array::from_fn(|i| sum[i] * half[i] + half[i]);
        double: [f64; 2], |x| [x; 2], |sum, half| std::array::from_fn(|i| sum[i] * half[i] + half[i]);
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
