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
}
