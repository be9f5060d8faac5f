//! The forms, and how each is searched.

use super::certificate::Certificate;
use super::impossible::Impossible;
use super::trial::Trial;
use super::{field, padding, xor};
use crate::access::Access;
use crate::memory::Banks;
use tilework::Layout;

/// The kinds of changes to a tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Form {
    /// A swizzle `Sw<B,M,S>` over it.
    Sw,
    /// XOR strides.
    Xor,
    /// Unused elements after each row.
    Pad,
    /// A swizzling mode of the tensor memory accelerator.
    Tma,
}

/// The smallest change of a form that makes all accesses to a tile free of conflicts.
///
/// Accesses are from threads and values to coordinates of the tile, each with its memory: AMD's has different phases
/// for reads and writes.
///
/// ```
/// use tilework::layout;
/// use tilework_hardware::{access::Access, memory::Banks, swizzle::{Form, search}};
/// // 32 lanes read a column of a matrix of 32-bit elements.
/// let accesses = [(Banks::NVIDIA, Access::new(layout!(32:1), 32)?)];
/// let found = search(&layout!((32,32):(32,1)), &accesses, Form::Pad).unwrap();
/// assert_eq!(found.data().layout().to_string(), "(32,32):(33,1)");
/// # Ok::<(), tilework_hardware::Refused>(())
/// ```
///
/// # Errors
/// [`Impossible`], with the reason.
pub fn search<'a>(
    tile: &Layout,
    accesses: &'a [(Banks, Access)],
    form: Form,
) -> Result<Certificate<'a>, Impossible> {
    answer(&mut Trial::new(tile, accesses), form)
}

pub(super) fn answer<'a>(trial: &mut Trial<'a>, form: Form) -> Result<Certificate<'a>, Impossible> {
    match form {
        Form::Sw => field::swizzle(trial),
        Form::Xor => xor::search(trial),
        Form::Pad => padding::search(trial),
        Form::Tma => field::tma(trial),
    }
}
