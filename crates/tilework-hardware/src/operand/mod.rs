//! The layouts of shared memory that an instruction can read or write, with the descriptor; and for other layouts, the
//! first element that is wrong.
//!
//! A descriptor defines the offset of every element by a few numbers; a layout is legal if and only if it is that
//! function. Each mode is tried with the offsets of the layout, and compared along rows and columns, so that nesting does
//! not matter, and an error names the first coordinate that is elsewhere.
//!
//! | in pieces of 16 bytes, `T` elements, as in CUTLASS | |
//! |---|---|
//! | K-major, no swizzle | `((8,m),2):((1,SBO),LBO)` |
//! | K-major, `W` = 2, 4, 8 | `((8,m),2):((W,SBO),1)` |
//! | MN-major, no swizzle | `((1,m),(8,k)):((-,SBO),(1,LBO))` |
//! | MN-major, `W` = 2, 4, 8 | `((W,m),(8,k)):((1,LBO),(W,SBO))` |
//!
//! Sources: PTX ISA, matrix descriptors of `wgmma` and `tcgen05`, `ldmatrix`, swizzling modes; CUTLASS,
//! `mma_sm90_desc.hpp`, `mma_sm100_desc.hpp`, `mma_traits_sm90_gmma.hpp`; CUDA driver API, `cuTensorMapEncodeTiled`.
//!
//! ```
//! use tilework::{Composed, Swizzle, layout};
//! use tilework_hardware::operand::{Illegal, Instruction, Major, Matrix, Mode, Side};
//! // 64 rows of 64 halves in 128 bytes each.
//! let rows = layout!((64,64):(64,1));
//! let swizzled = Composed::new(Swizzle::new(3, 3, 3)?, 0, rows)?;
//! let a = Matrix::new(Instruction::Wgmma, Side::A, Major::K);
//! let operand = a.operand(&swizzled, 16)?;
//! assert_eq!(operand.to_string(), "128-byte swizzle, LBO 1, SBO 64, base 1024");
//! // Without the swizzle, the second row is not where any mode expects it.
//! let error = a.operand(&rows, 16).unwrap_err();
//! assert!(matches!(error, Illegal::Place { mode: Mode::None, row: 1, column: 0, expected: 8, found: 64 }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod descriptor;
mod illegal;
mod matrix;
mod mode;
mod places;
mod tile;
mod tma;

pub use descriptor::Operand;
pub use illegal::Illegal;
pub use matrix::{Instruction, Major, Matrix, Side};
pub use mode::Mode;
pub use tma::{TensorMap, tma};

use crate::access::{Access, Offsets};
use crate::refused::Refused;
use tilework::HasLayout;

/// Whether `ldmatrix` and `stmatrix` can access every 8x8 matrix of a tile of two modes, the second along the rows of
/// 16 bytes. Returns their access, for [`Banks::report`](crate::memory::Banks::report).
///
/// ```
/// use tilework::layout;
/// use tilework_hardware::{Refused, operand::ldmatrix};
/// assert!(ldmatrix(&layout!((16,16):(24,1)), 16).is_ok());
/// // Rows of 20 halves begin at multiples of 40 bytes.
/// let error = ldmatrix(&layout!((16,16):(20,1)), 16).unwrap_err();
/// assert_eq!(error, Refused::Misaligned { thread: 1, value: 0, offset: 20, vector: 8 });
/// # Ok::<(), Refused>(())
/// ```
///
/// # Errors
/// Those of [`Access::ldmatrix`]; [`Refused::Scattered`] and [`Refused::Misaligned`] for rows that are not contiguous
/// or do not begin at multiples of 16 bytes; thread `8 i + r` has row `r` of the `i`th matrix.
pub fn ldmatrix(tile: &impl HasLayout, bits: u32) -> Result<Access, Refused> {
    let access = Access::ldmatrix(tile.as_layout(), bits)?;
    Offsets::new(tile, &access).map(|_| access)
}
