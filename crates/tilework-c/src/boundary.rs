//! What passes between C and Rust: pointers, buffers, errors, and no panic.

use crate::tw_status::{TW_INTERNAL, TW_MISUSE, TW_OK, TW_REFUSED, TW_SHORT};
use core::ffi::c_char;
use core::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use tilework_expr::ExprError;

/// The bytes of a code with its terminating 0.
pub const TW_CODE: usize = 32;
/// The bytes of a sentence with its terminating 0; a longer one ends in `...`.
pub const TW_MESSAGE: usize = 464;

/// How a call ended.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum tw_status {
    /// What was asked for is written.
    TW_OK = 0,
    /// The language or the algebra refuses: the code is one of theirs.
    TW_REFUSED = 1,
    /// The buffer is shorter than the answer with its terminating 0; the length is that of the answer.
    TW_SHORT = 2,
    /// An argument that no call may have, such as a null pointer with a length.
    TW_MISUSE = 3,
    /// A defect of tilework: please report the sentence.
    TW_INTERNAL = 4,
}

/// Why a call did not end with TW_OK; empty if it did.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct tw_error {
    /// A short name of the condition, which will not change.
    pub code: [c_char; TW_CODE],
    /// The first byte of the text that the error is about.
    pub begin: usize,
    /// The byte after the last one.
    pub end: usize,
    /// One sentence, with advice if there is any.
    pub message: [c_char; TW_MESSAGE],
}

/// An error before it is written for C.
pub(crate) struct Refusal {
    status: tw_status,
    error: ExprError,
}

impl From<ExprError> for Refusal {
    fn from(error: ExprError) -> Refusal {
        Refusal { status: TW_REFUSED, error }
    }
}

impl From<tilework::Error> for Refusal {
    fn from(error: tilework::Error) -> Refusal {
        ExprError::new(0..0, error.code(), error.message().as_str()).into()
    }
}

impl Refusal {
    /// The same about another place.
    pub(crate) fn about(mut self, place: Range<usize>) -> Refusal {
        self.error.span = place;
        self
    }
}

/// The error for an argument that no call may have.
pub(crate) fn misuse(message: impl Into<String>) -> Refusal {
    Refusal { status: TW_MISUSE, error: ExprError::new(0..0, "misuse", message) }
}

/// The text at a pointer.
///
/// # Safety
/// `pointer` is null or valid for `length` bytes for as long as the text is used.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, length: usize, what: &str) -> Result<&'a str, Refusal> {
    if length == 0 {
        return Ok("");
    }
    if pointer.is_null() {
        return Err(misuse(format!("{what} is null, and its length is {length}")));
    }
    if isize::try_from(length).is_err() {
        return Err(misuse(format!("the length of {what} is {length}, more than a text can have")));
    }
    // SAFETY: it is valid for this many bytes, and a slice may have as many.
    let bytes = unsafe { core::slice::from_raw_parts(pointer.cast::<u8>(), length) };
    core::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        misuse(format!("{what} is not UTF-8 at byte {at}")).about(at..at + 1)
    })
}

/// Writes the text that `ask` answers, or its error.
///
/// # Safety
/// `buffer` is null or valid for writes of `capacity` bytes; `length` and `error` are null or valid for writes.
pub(crate) unsafe fn answered(
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
    error: *mut tw_error,
    ask: impl FnOnce() -> Result<String, Refusal>,
) -> tw_status {
    let fill = || {
        // What `ask` reads may be in the buffer: nothing is written before it has ended.
        let answer = ask();
        let taken = answer.as_ref().map_or(0, String::len);
        if !length.is_null() {
            // SAFETY: it is null or valid, and not null here.
            unsafe { length.write_unaligned(taken) };
        }
        if buffer.is_null() && capacity > 0 {
            return Err(misuse(format!("the buffer is null, and its capacity is {capacity}")));
        }
        let fits = taken < capacity;
        if capacity > 0 {
            let written = answer.as_ref().map_or("", |answer| if fits { answer } else { "" });
            // SAFETY: at most `taken` bytes and a 0, which are within the capacity.
            unsafe {
                buffer.copy_from_nonoverlapping(written.as_ptr().cast(), written.len());
                buffer.add(written.len()).write(0);
            }
        }
        let answer = answer?;
        let message =
            || format!("the answer takes {} bytes, and the buffer has {capacity}", answer.len() + 1);
        match fits {
            true => Ok(()),
            false => Err(Refusal { status: TW_SHORT, error: ExprError::new(0..0, "short", message()) }),
        }
    };
    // SAFETY: `error` is null or valid.
    unsafe { caught(error, fill) }
}

/// Writes the value that `ask` answers, or its error.
///
/// # Safety
/// `place` and `error` are null or valid for writes.
pub(crate) unsafe fn offered<T>(
    place: *mut T,
    error: *mut tw_error,
    ask: impl FnOnce() -> Result<T, Refusal>,
) -> tw_status {
    let write = || {
        let value = ask()?;
        if place.is_null() {
            return Err(misuse("the place for the result is null"));
        }
        // SAFETY: it is null or valid, and not null here.
        unsafe { place.write_unaligned(value) };
        Ok(())
    };
    // SAFETY: `error` is null or valid.
    unsafe { caught(error, write) }
}

/// Runs `ask` and writes its error; a panic is one.
///
/// # Safety
/// `error` is null or valid for writes.
pub(crate) unsafe fn caught(error: *mut tw_error, ask: impl FnOnce() -> Result<(), Refusal>) -> tw_status {
    let (status, written) = match catch_unwind(AssertUnwindSafe(ask)) {
        Ok(Ok(())) => (TW_OK, ExprError::new(0..0, "", "")),
        Ok(Err(Refusal { status, error })) => (status, error),
        Err(_) => {
            (TW_INTERNAL, ExprError::new(0..0, "internal", "a panic within tilework: please report the call"))
        }
    };
    if !error.is_null() {
        // SAFETY: it is null or valid, and not null here.
        unsafe { error.write_unaligned(tw_error::of(&written)) };
    }
    status
}

impl tw_error {
    fn of(error: &ExprError) -> tw_error {
        let help = error.help.iter().flat_map(|help| ["; ", help]);
        let message: String = [&*error.message].into_iter().chain(help).collect();
        tw_error {
            code: characters(error.code),
            begin: error.span.start,
            end: error.span.end,
            message: characters(&message),
        }
    }
}

/// A text with a terminating 0; `...` is its end where it is cut, between two characters.
fn characters<const N: usize>(text: &str) -> [c_char; N] {
    let (text, end) = match text.len() < N {
        true => (text, ""),
        false => {
            let cut = (0..=N - 4).rev().find(|at| text.is_char_boundary(*at));
            (&text[..cut.unwrap_or(0)], "...")
        }
    };
    let mut characters = [0; N];
    for (character, byte) in characters.iter_mut().zip(text.bytes().chain(end.bytes())) {
        *character = byte as c_char;
    }
    characters
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    fn message(error: &tw_error) -> &str {
        // SAFETY: there is always a terminating 0.
        unsafe { CStr::from_ptr(error.message.as_ptr()) }.to_str().expect("it is UTF-8")
    }

    #[test]
    fn a_panic_ends_as_a_status() {
        let mut error = tw_error::of(&ExprError::new(0..0, "", ""));
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        // SAFETY: a place for the error.
        let status = unsafe { caught(&raw mut error, || panic!("on purpose")) };
        std::panic::set_hook(hook);
        assert_eq!(status, TW_INTERNAL);
        assert!(message(&error).starts_with("a panic"));
    }

    #[test]
    fn long_sentences_are_cut_between_characters() {
        for length in TW_MESSAGE - 8..TW_MESSAGE + 8 {
            for start in ["", "a", "ab"] {
                let text: String = start.to_owned() + &"€".repeat(length / 3);
                let error = tw_error::of(&ExprError::new(0..0, "code", text.as_str()));
                match text.len() < TW_MESSAGE {
                    true => assert_eq!(message(&error), text),
                    false => {
                        let begun = message(&error).strip_suffix("...").expect("it is cut");
                        assert!(
                            text.starts_with(begun) && begun.len() + 7 > TW_MESSAGE - 1,
                            "{}",
                            begun.len()
                        );
                    }
                }
            }
        }
    }
}
