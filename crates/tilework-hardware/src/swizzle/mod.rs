//! The smallest change of a shared tile under which all accesses of a kernel are free of conflicts, with a certificate;
//! or the proof that there is none of the form.
//!
//! | form | candidates, the smallest first |
//! |---|---|
//! | [`Form::Sw`] | every `Sw<B,M,S>` whose fields lie within the bits of the tile's offsets: fewest bits, lowest base, least shift |
//! | [`Form::Xor`] | every way to XOR bits of the offsets above the banks into the bits that choose the bank, above a vector |
//! | [`Form::Pad`] | every number of elements, below a line of all banks, behind one of the tile's rows: least memory |
//! | [`Form::Tma`] | what the tensor memory accelerator writes: no swizzle, 32, 64 and 128 bytes, where a row is no wider |
//!
//! Each is a finite set that is gone through to its end, so that finding nothing is a proof. There is a budget of about a
//! second, behind which the answer is [`Impossible::Undecided`].
//!
//! ```
//! use tilework::layout;
//! use tilework_hardware::access::Access;
//! use tilework_hardware::memory::Banks;
//! use tilework_hardware::swizzle::{Form, search};
//! // 64 rows of 32 halves, stored by rows and loaded by ldmatrix.
//! const TILE: tilework::Layout = layout!((64,32):(32,1));
//! let accesses = [(Banks::NVIDIA, Access::ldmatrix(&TILE, 16)?), (Banks::NVIDIA, Access::rows(&TILE, 16)?)];
//! let certificate = search(&TILE, &accesses, Form::Sw)?;
//! assert_eq!(certificate.data().to_string(), "Sw<2,3,3> o 0 o (64,32):(32,1)");
//! assert!(certificate.check().is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod certificate;
mod field;
mod impossible;
mod padding;
mod trial;
mod xor;

pub use certificate::{Certificate, Flaw};
pub use impossible::Impossible;

use crate::access::Access;
use crate::memory::Banks;
use tilework::Layout;

/// What may be done to a tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A swizzle `Sw<B,M,S>` over it.
    Sw,
    /// XOR strides.
    Xor,
    /// Elements left free behind each row.
    Pad,
    /// A swizzling mode of the tensor memory accelerator.
    Tma,
}

/// The smallest change of a form under which no access to a tile has conflicts.
///
/// Accesses are from threads and values to coordinates of the tile, each with the memory as the access sees it: AMD's is
/// written in other phases than it is read.
///
/// # Errors
/// [`Impossible`], with the reason.
pub fn search<'a>(
    tile: &Layout,
    accesses: &'a [(Banks, Access)],
    form: Form,
) -> Result<Certificate<'a>, Impossible> {
    match form {
        Form::Sw => field::swizzle(tile, accesses),
        Form::Xor => xor::search(tile, accesses),
        Form::Pad => padding::search(tile, accesses),
        Form::Tma => field::tma(tile, accesses),
    }
}
