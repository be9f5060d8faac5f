//! Which instructions the processor has. Asked of the processor itself: brand strings lie in virtual machines.

use std::fmt;

/// A family of vector instructions for which there are kernels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Isa {
    /// What every processor has.
    Portable,
    /// 256 bits, with fused multiply-add and conversions of half precision.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 512 bits: the foundation, with bytes and words, double and quad words.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// 128 bits.
    #[cfg(target_arch = "aarch64")]
    Neon,
}

impl Isa {
    /// The widest that this processor has.
    pub(crate) fn best() -> Isa {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            if has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl") {
                return Isa::Avx512;
            }
            if has!("avx2") && has!("fma") && has!("f16c") {
                return Isa::Avx2;
            }
        }
        #[cfg(target_arch = "aarch64")]
        if std::arch::is_aarch64_feature_detected!("neon") {
            return Isa::Neon;
        }
        Isa::Portable
    }

    /// All that this processor has, for tests.
    #[cfg(test)]
    pub(crate) fn all() -> Vec<Isa> {
        match Isa::best() {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => vec![Isa::Portable, Isa::Avx2, Isa::Avx512],
            Isa::Portable => vec![Isa::Portable],
            best => vec![Isa::Portable, best],
        }
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Isa::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => "AVX-512",
            #[cfg(target_arch = "aarch64")]
            Isa::Neon => "NEON",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Isa;

    /// Miri knows few vector instructions.
    #[test]
    fn what_miri_has() {
        assert!(!cfg!(miri) || Isa::all() == [Isa::Portable]);
    }
}
