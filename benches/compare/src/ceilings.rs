//! What the machine can do: reading alone, and fused multiply-add in registers.

use crate::{Job, Made, handle, text};
use std::ffi::c_char;
use std::hint::black_box;
use std::slice::from_raw_parts;

/// Reads `count` words of 8 bytes, divided among the threads.
///
/// # Safety
/// The words are there, and outlive the job.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn read_words(from: *const u64, words: usize, threads: usize) -> *mut Job {
    // SAFETY: the pointers are valid as this function demands.
    let words = unsafe { from_raw_parts(from, words) };
    let sum = |part: &[u64]| part.iter().fold(0, |sum: u64, word| sum.wrapping_add(*word));
    handle(|| {
        let part = words.len().div_ceil(threads);
        Job::new(move || {
            on_all(threads, &|i| {
                black_box(sum(&words[(i * part).min(words.len())..((i + 1) * part).min(words.len())]));
            })
        })
    })
}

/// [`FMA_STEPS`] fused multiply-adds of each lane of each accumulator.
#[unsafe(no_mangle)]
pub extern "C" fn fma_steps(element: *const c_char, threads: usize) -> *mut Job {
    // SAFETY: Python passes a name.
    handle(|| match unsafe { text(element) }? {
        "f32" => peak(threads, loops::f32()?.0),
        "f64" => peak(threads, loops::f64()?.0),
        other => Err(format!("not for {other}")),
    })
}

/// How many operations a run of [`fma_steps`] does on one thread, 0 where there is no such loop.
#[unsafe(no_mangle)]
pub extern "C" fn fma_operations(element: *const c_char) -> usize {
    // SAFETY: Python passes a name.
    let lanes = match unsafe { text(element) } {
        Ok("f32") => loops::f32(),
        _ => loops::f64(),
    };
    lanes.map_or(0, |(_, lanes)| 2 * FMA_STEPS * lanes)
}

const FMA_STEPS: usize = 400_000;

fn peak(threads: usize, work: fn()) -> Made {
    Job::new(move || on_all(threads, &|_| work()))
}

/// `work(i)` on each thread.
fn on_all(threads: usize, work: &(dyn Fn(usize) + Sync)) {
    if threads == 1 {
        return work(0);
    }
    rayon::scope(|scope| (0..threads).for_each(|i| scope.spawn(move |_| work(i))));
}

/// A loop of independent fused multiply-adds, and how many lanes all its accumulators have.
type Loop = Result<(fn(), usize), String>;

/// A loop with `N` accumulators, for one type.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! fma_loop {
    ($name:ident, $features:literal, $accumulators:literal, $set:ident, $fma:expr) => {
        #[target_feature(enable = $features)]
        fn $name() {
            let (x, y) = ($set(black_box(0.999)), $set(black_box(0.001)));
            let mut accumulators = [y; $accumulators];
            for _ in 0..super::FMA_STEPS {
                for accumulator in &mut accumulators {
                    *accumulator = $fma(*accumulator, x, y);
                }
            }
            black_box(accumulators);
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod loops {
    use super::{Loop, black_box};
    use std::arch::is_x86_feature_detected as has;
    use std::arch::x86_64::*;

    fma_loop!(avx2_f32, "avx2,fma", 12, _mm256_set1_ps, _mm256_fmadd_ps);
    fma_loop!(avx2_f64, "avx2,fma", 12, _mm256_set1_pd, _mm256_fmadd_pd);
    fma_loop!(avx512_f32, "avx512f", 24, _mm512_set1_ps, _mm512_fmadd_ps);
    fma_loop!(avx512_f64, "avx512f", 24, _mm512_set1_pd, _mm512_fmadd_pd);

    pub fn f32() -> Loop {
        // SAFETY: the processor was asked.
        select((|| unsafe { avx512_f32() }, 24 * 16), (|| unsafe { avx2_f32() }, 12 * 8))
    }

    pub fn f64() -> Loop {
        // SAFETY: the processor was asked.
        select((|| unsafe { avx512_f64() }, 24 * 8), (|| unsafe { avx2_f64() }, 12 * 4))
    }

    fn select(wide: (fn(), usize), narrow: (fn(), usize)) -> Loop {
        if has!("avx512f") {
            Ok(wide)
        } else if has!("avx2") && has!("fma") {
            Ok(narrow)
        } else {
            Err("no fused multiply-add".to_string())
        }
    }
}

#[cfg(target_arch = "aarch64")]
mod loops {
    use super::{Loop, black_box};
    use std::arch::aarch64::*;

    fma_loop!(neon_f32, "neon", 24, vdupq_n_f32, |sum, x, y| vfmaq_f32(y, sum, x));
    fma_loop!(neon_f64, "neon", 24, vdupq_n_f64, |sum, x, y| vfmaq_f64(y, sum, x));

    pub fn f32() -> Loop {
        // SAFETY: every such processor has it.
        Ok((|| unsafe { neon_f32() }, 24 * 4))
    }

    pub fn f64() -> Loop {
        // SAFETY: as above.
        Ok((|| unsafe { neon_f64() }, 24 * 2))
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod loops {
    use super::Loop;

    pub fn f32() -> Loop {
        Err("no loop of fused multiply-adds for this processor".to_string())
    }

    pub fn f64() -> Loop {
        f32()
    }
}
