//! The instruction sets that the kernels use: found by CPUID feature bits, since brand strings are unreliable in
//! virtual machines.

use crate::error::Error;
use std::cell::Cell;
use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

#[cfg(target_arch = "aarch64")]
use std::arch::is_aarch64_feature_detected as has;
#[cfg(target_arch = "x86_64")]
use std::arch::is_x86_feature_detected as has;

/// The sets, the narrowest first: each with its name, how it is displayed, the set with the same registers, and whether the
/// processor has it.
macro_rules! sets {
    ($(#[$docs:meta])* pub enum: $($(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? $set:ident:
        $name:literal, $display:literal, $registers:ident, $available:expr;)*) => {
        $(#[$docs])*
        pub enum Isa {
            $($(#[doc = $doc])* $(#[cfg($cfg)])? $set,)*
        }

        /// The sets of this architecture, the narrowest first.
        const ALL: &[Isa] = &[$($(#[cfg($cfg)])? Isa::$set,)*];

        impl Isa {
            /// Its name in `TILEWORK_ISA`, which [`str::parse`] reads.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $($(#[cfg($cfg)])? Isa::$set => $name,)* }
            }

            /// The set without dot products of narrow types: `portable`, `avx2`, `avx512` or `neon`.
            #[must_use]
            pub fn registers(self) -> Isa {
                match self { $($(#[cfg($cfg)])? Isa::$set => Isa::$registers,)* }
            }

            fn is_available(self) -> bool {
                match self { $($(#[cfg($cfg)])? Isa::$set => $available,)* }
            }
        }

        impl fmt::Display for Isa {
            fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str(match self { $($(#[cfg($cfg)])? Isa::$set => $display,)* })
            }
        }
    };
}

sets! {
    /// A set of vector instructions for which there are kernels.
    ///
    /// Plans use the widest set that the processor has and that is fast there. Two settings choose another one, to compare sets or
    /// to find out whether a result depends on them:
    ///
    /// * The environment variable `TILEWORK_ISA`, for the whole process: `portable`, `avx2`, `avx2-vnni`, `avx512`,
    ///   `avx512-vnni`, `avx512-bf16`, `neon`, `neon-dot` or `neon-mmla`; empty is as if it were not set. It is read once,
    ///   when something is first planned.
    /// * [`Isa::force`], for plans that a thread makes during one call. It takes precedence over the variable.
    ///
    /// A plan keeps the set that it was made for, and its `explain()` names it. `copy`, `gemm`, `gemm_tile`, `contract` and
    /// `conv` have kernels for each set. `map`, `zip_map`, `axpby` and reductions are plain Rust, the same for all.
    ///
    /// A set whose name has a second part adds dot products of narrow types to the [`registers`](Isa::registers) of the
    /// first; only products of matrices of `i8` or `bf16` use them. So `avx512` forces products without dot products, on
    /// any processor that has AVX-512.
    ///
    /// ```
    /// use tilework::layout;
    /// use tilework_kernels::{CopyPlan, Isa};
    /// let (from, to) = (layout!((64,64):(1,64)), layout!((64,64):(64,1)));
    /// for isa in Isa::available() {
    ///     let plan = isa.force(|| CopyPlan::<u32>::new(&from, &to))??;
    ///     assert!(plan.explain().ends_with(&format!("instructions: {}\n", isa.registers())));
    /// }
    /// assert_eq!("portable".parse(), Ok(Isa::Portable));
    /// assert_eq!("sse9".parse::<Isa>().unwrap_err().code(), "isa");
    /// # Ok::<(), tilework_kernels::Error>(())
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[non_exhaustive]
    pub enum:
    /// `portable`: plain Rust, with the instructions that the crate was compiled for.
    Portable: "portable", "portable", Portable, true;
    /// `avx2`: 256 bits, with fused multiply-add and conversions of half precision.
    #[cfg(target_arch = "x86_64")]
    Avx2: "avx2", "AVX2", Avx2, has!("avx2") && has!("fma") && has!("f16c");
    /// `avx2-vnni`: AVX2, and dot products of `i8`.
    #[cfg(target_arch = "x86_64")]
    Avx2Vnni: "avx2-vnni", "AVX2 VNNI", Avx2, has!("avxvnni") && Isa::Avx2.is_available();
    /// `avx512`: 512 bits; AVX-512 F, BW and DQ.
    #[cfg(target_arch = "x86_64")]
    Avx512: "avx512", "AVX-512", Avx512, {
        let own = has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl");
        own && Isa::Avx2.is_available()
    };
    /// `avx512-vnni`: AVX-512, and dot products of `i8`.
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni: "avx512-vnni", "AVX-512 VNNI", Avx512, has!("avx512vnni") && Isa::Avx512.is_available();
    /// `avx512-bf16`: AVX-512, and dot products of `i8` and of `bf16`, which treat subnormal numbers as 0. It has to be requested
    /// where the processor has instructions for half precision (AVX-512 FP16): the dot product of `bf16` takes four times as long as
    /// a multiply-add there, and has twice as many products.
    #[cfg(target_arch = "x86_64")]
    Avx512Bf16: "avx512-bf16", "AVX-512 BF16", Avx512, has!("avx512bf16") && Isa::Avx512Vnni.is_available();
    /// `neon`: 128 bits.
    #[cfg(target_arch = "aarch64")]
    Neon: "neon", "NEON", Neon, has!("neon");
    /// `neon-dot`: NEON, and dot products of `i8`.
    #[cfg(target_arch = "aarch64")]
    NeonDot: "neon-dot", "NEON dot product", Neon, has!("dotprod") && Isa::Neon.is_available();
    /// `neon-mmla`: NEON, and products of small matrices of `i8` and of `bf16`, which treat subnormal numbers as 0.
    #[cfg(target_arch = "aarch64")]
    NeonMmla: "neon-mmla", "NEON matrix product", Neon, has!("i8mm") && has!("bf16") && Isa::NeonDot.is_available();
}

/// The environment variable that chooses a set.
const VARIABLE: &str = "TILEWORK_ISA";

thread_local! {
    /// What [`Isa::force`] chose.
    static FORCED: Cell<Option<Isa>> = const { Cell::new(None) };
}

impl Isa {
    /// The sets that this processor has, the narrowest first.
    #[must_use]
    pub fn available() -> Vec<Isa> {
        ALL.iter().copied().filter(|isa| isa.is_available()).collect()
    }

    /// The set for which this thread currently plans.
    ///
    /// # Errors
    /// [`Error::Isa`] if `TILEWORK_ISA` is neither empty nor the name of a set that this processor has.
    #[inline]
    pub fn current() -> Result<Isa, Error> {
        match FORCED.get() {
            Some(isa) => Ok(isa),
            None => chosen(),
        }
    }

    /// Calls `work`. Plans that this thread makes in it are for this set. A plan that was made before keeps its own.
    ///
    /// # Errors
    /// [`Error::Isa`] if the processor lacks the set; then `work` is not called.
    pub fn force<R>(self, work: impl FnOnce() -> R) -> Result<R, Error> {
        /// Restores the previous choice, even if `work` panics.
        struct Before(Option<Isa>);
        impl Drop for Before {
            fn drop(&mut self) {
                FORCED.set(self.0);
            }
        }
        if !self.is_available() {
            return Err(not_available(self.name().into()));
        }
        let _before = Before(FORCED.replace(Some(self)));
        Ok(work())
    }

    /// Whether registers have a line of the cache.
    pub(crate) fn is_wide(self) -> bool {
        self.registers().name() == "avx512"
    }

    /// The widest that this processor has, except those that have to be requested.
    pub(crate) fn best() -> Isa {
        let is_best = |isa: &Isa| isa.is_available() && !isa.has_to_be_requested();
        ALL.iter().copied().rfind(is_best).unwrap_or(Isa::Portable)
    }

    fn has_to_be_requested(self) -> bool {
        match self {
            // Row: "bf16 is widened where the processor has AVX-512 FP16".
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512Bf16 => std::arch::is_x86_feature_detected!("avx512fp16"),
            _ => false,
        }
    }
}

/// The set that the environment chooses.
fn chosen() -> Result<Isa, Error> {
    static CHOSEN: OnceLock<Result<Isa, Error>> = OnceLock::new();
    CHOSEN.get_or_init(|| of_word(std::env::var_os(VARIABLE))).clone()
}

fn of_word(word: Option<std::ffi::OsString>) -> Result<Isa, Error> {
    let Some(word) = word.filter(|word| !word.is_empty()) else { return Ok(Isa::best()) };
    let word = word.to_string_lossy();
    word.parse().map_err(|_| not_available(format!("{VARIABLE}={word}")))
}

fn not_available(asked: String) -> Error {
    let available = Isa::available().into_iter().map(Isa::name).collect::<Vec<_>>().join(", ");
    Error::Isa { asked, available }
}

impl FromStr for Isa {
    type Err = Error;

    /// Reads the [`name`](Isa::name) of a set; refuses one that this processor lacks.
    fn from_str(word: &str) -> Result<Isa, Error> {
        let known = Isa::available().into_iter().find(|isa| isa.name() == word);
        known.ok_or_else(|| not_available(word.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Isa, of_word};

    /// Miri supports few vector instructions.
    #[test]
    fn what_miri_has() {
        assert!(!cfg!(miri) || Isa::available() == [Isa::Portable]);
    }

    #[test]
    fn words_of_the_environment() {
        assert_eq!(of_word(None), Ok(Isa::best()));
        assert_eq!(of_word(Some("".into())), Ok(Isa::best()));
        for isa in Isa::available() {
            assert_eq!(of_word(Some(isa.name().into())), Ok(isa));
        }
        for word in ["AVX2", "sse9", "avx2 ", if cfg!(target_arch = "x86_64") { "neon" } else { "avx2" }] {
            let message = of_word(Some(word.into())).unwrap_err().to_string();
            let all = "this processor has portable";
            assert!(
                message.starts_with(&format!("TILEWORK_ISA={word} is not available: {all}")),
                "{message}"
            );
        }
    }

    #[test]
    fn force_ends_with_the_call() {
        let before = Isa::current();
        for isa in Isa::available() {
            let inner = isa.force(|| Isa::Portable.force(Isa::current).map(|inner| (inner, Isa::current())));
            assert_eq!(inner, Ok(Ok((Ok(Isa::Portable), Ok(isa)))));
            assert!(std::panic::catch_unwind(|| isa.force(|| panic!("on purpose"))).is_err());
            assert_eq!(Isa::current(), before);
        }
    }
}
