//! A program as source text: WGSL for WebGPU, and CUDA C++.
//!
//! A coordinate is a sum of digits. What the block and the thread determine has a name at the head of the kernel, what a
//! loop determines one at the head of its body, and equal sums have one name; constants of the values of a thread are added
//! where they are used. A remainder of a loop's index is a counter that begins again. Loops over values are unrolled, so that registers are variables.

mod address;
mod dialect;
mod kernel;
mod names;
mod needs;

use crate::prelude::*;
use crate::program::Program;
pub use dialect::Target;
pub(crate) use dialect::identifier;
pub use needs::Needs;

impl Program {
    /// The program as source text. The text assumes what [`check`](Self::check) proves and [`conditions`](Self::conditions)
    /// ask for; a predicate that is proved superfluous is left out.
    ///
    /// ```
    /// use tilework_program::{Program, Target};
    /// let text = "\
    /// kernel double 32 threads, grid (ceil(M/32))
    /// read A f32 M:1
    /// write B f32 M:1
    /// B[b0 32@0, t 32:1@0] = (A[b0 32@0, t 32:1@0] else 0) * 2
    /// ";
    /// let program: Program = text.parse()?;
    /// let cuda = program.emit(Target::Cuda)?;
    /// assert!(cuda.contains("    if (p0) B[i0] = (p0 ? A[i0] : 0.0f) * 2.0f;"), "{cuda}");
    /// # Ok::<(), tilework_program::Error>(())
    /// ```
    ///
    /// # Errors
    /// Of what the language cannot say: types without an equivalent, asynchronous copies of elements that are not
    /// contiguous and aligned, and in CUDA more than 49,152 bytes of shared memory.
    pub fn emit(&self, target: Target) -> Result<String, Error> {
        kernel::Writer::new(self, target)?.kernel()
    }

    /// The program as CUDA C++ that uses the instructions of an architecture such as `sm_90` alone, which later ones have too.
    ///
    /// ```
    /// use tilework_program::{Program, Target};
    /// let text = "\
    /// kernel copy 32 threads, grid (1)
    /// read A f32 128:1
    /// shared s f32 128:1
    /// s[t 32:4@0, v 4:1@0] = A[t 32:4@0, v 4:1@0] by SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>
    /// ";
    /// let program: Program = text.parse()?;
    /// let cuda = program.emit_for(Target::Cuda, "sm_90")?;
    /// assert!(cuda.starts_with("// For sm_90 and later.\n"));
    /// assert_eq!(
    ///     program.emit_for(Target::Cuda, "sm_75").unwrap_err().to_string(),
    ///     "line 4: SM80_CP_ASYNC_CACHEGLOBAL<uint128_t> is an instruction of sm_80 and later, which sm_75 does not have",
    /// );
    /// # Ok::<(), tilework_program::Error>(())
    /// ```
    ///
    /// # Errors
    /// Of what is no architecture, of an instruction that it does not have, of WGSL, and those of [`emit`](Self::emit).
    pub fn emit_for(&self, target: Target, architecture: &str) -> Result<String, Error> {
        let number = architecture.strip_prefix("sm_").map(|own| own.strip_suffix(['a', 'f']).unwrap_or(own));
        let Some(number) = number.and_then(|own| own.parse::<u32>().ok()) else {
            return Err(error!(
                "`{architecture}` is no architecture of CUDA: write sm_80, sm_90 or another one"
            ));
        };
        if target == Target::Wgsl {
            return Err(error!("{architecture} is an architecture of CUDA, and WGSL has none"));
        }
        for site in crate::check::sites(self)? {
            if let Some(by) = site.by.filter(|by| by.architecture() > number.into()) {
                let (name, first) = (by.name(), by.architecture());
                return Err(error!(
                    "{name} is an instruction of sm_{first} and later, which {architecture} does not have"
                )
                .at(site.line));
            }
        }
        Ok(format!("// For {architecture} and later.\n{}", self.emit(target)?))
    }
}
