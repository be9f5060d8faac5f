//! How wide the elements are that a question is about.

use crate::error::Failure;
use crate::value::Value;

/// The bits of an element: those that are given, and those of the values that have a width of their own, such as tensors.
/// Every question about memory, in every front end, gets its width here.
///
/// ```
/// use tilework_expr::{Session, width};
/// let tensor = Session::new().evaluate("smem_ptr[16b](unset) o (_64,_64):(_64,_1)")?.clone();
/// let layout = Session::new().evaluate("(64,64):(64,1)")?.clone();
/// assert_eq!(width(None, [&tensor, &layout])?, 16);
/// assert_eq!(width(Some(8), [&layout])?, 8);
/// assert!(width(Some(32), [&tensor]).unwrap_err().to_string().ends_with("has elements of 16 bits, not 32"));
/// assert!(width(None, [&layout]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Failure::Other`] with the code `width` if nothing gives a width, or two widths differ.
pub fn width<'a>(given: Option<u32>, values: impl IntoIterator<Item = &'a Value>) -> Result<u32, Failure> {
    let mut known: Option<(u32, Option<&Value>)> = given.map(|bits| (bits, None));
    for value in values {
        let Some(own) = value.element_bits() else { continue };
        match known {
            None => known = Some((own, Some(value))),
            Some((bits, _)) if bits == own => {}
            Some((bits, None)) => {
                return Err(refused(format!("{value} has elements of {own} bits, not {bits}")));
            }
            Some((bits, Some(other))) => {
                return Err(refused(format!(
                    "{other} has elements of {bits} bits, and {value} has elements of {own} bits"
                )));
            }
        }
    }
    let unknown = "how wide the elements are is not said: give their bits, such as 16, or a tensor, such as \
                   smem_ptr[16b] o (64,64):(64,1)";
    known.map(|(bits, _)| bits).ok_or_else(|| refused(unknown.into()))
}

fn refused(message: String) -> Failure {
    Failure::other("width", message)
}
