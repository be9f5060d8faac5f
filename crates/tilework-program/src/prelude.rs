//! What every file says: the types that `core` does not have, and what is wrong.

pub use crate::error::Error;
pub(crate) use crate::error::error;
pub use alloc::boxed::Box;
pub use alloc::string::{String, ToString};
pub use alloc::vec::Vec;
pub use alloc::{format, vec};
