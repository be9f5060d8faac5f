//! The smallest change of a shared tile that makes all accesses of a kernel free of conflicts, with a certificate; or a
//! proof that no change of the form does.
//!
//! | form | candidates, the smallest first |
//! |---|---|
//! | [`Form::Sw`] | every `Sw<B,M,S>` whose fields are within the bits of the tile's offsets: fewest bits, lowest base, least shift |
//! | [`Form::Xor`] | every way to XOR bits of the offsets above the banks into the bits that choose the bank, above a vector |
//! | [`Form::Pad`] | every number of elements after each of the tile's rows, until the banks repeat: least memory |
//! | [`Form::Tma`] | the modes of the tensor memory accelerator: no swizzle, 32, 64 and 128 bytes, if a row is no wider |
//!
//! Each form is a finite set that is searched completely, so that finding nothing is a proof. After a budget of about a
//! second the answer is [`Impossible::Undecided`].
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
mod explain;
mod field;
mod impossible;
mod padding;
mod ruled_out;
mod search;
mod trial;
mod xor;

pub use certificate::{Certificate, Flaw};
pub use explain::{Explanation, explain};
pub use impossible::Impossible;
pub use ruled_out::{Reason, RuledOut};
pub use search::{Form, search};
