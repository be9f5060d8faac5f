//! The C interface of [tilework](../..): CuTe's layout algebra for C, C++ and every language that calls C.
//!
//! ```c
//! char text[256];
//! size_t length;
//! tw_error error;
//! const char *expression = "composition((8,8):(8,1), ((4,8),2):((16,1),8))";
//! if (tw_eval(TW_ANSWER, expression, strlen(expression), text, sizeof text, &length, &error) == TW_OK)
//!     puts(text);                                        /* ((4,8),2):((2,8),1) */
//! else
//!     fprintf(stderr, "%s: %s\n", error.code, error.message);
//! ```
//!
//! | function | what it does |
//! |---|---|
//! | [`tw_eval`] | any text of the expression language, as text: the answer, its condition, its kind, or the source text of `emit` |
//! | [`tw_read`], [`tw_write`] | text to arrays of integers and back: a [`tw_value`] |
//! | [`tw_apply`] | a function of the table, by name, on arrays |
//! | [`tw_offsets`] | the offsets of consecutive indices |
//! | [`tw_functions`], [`tw_version`] | the table of functions, the version |
//!
//! The language is that of [`tilework_expr`], and each function of [`FUNCTIONS`] is called by its name in
//! a text: that is the whole interface, and arrays are for programs that do not want to print and parse numbers. Nothing of the
//! algebra is in this crate.
//!
//! # What holds for every function
//!
//! - **Memory** is the caller's. The library returns nothing that has to be freed, and keeps nothing between calls.
//! - **Text** is UTF-8 with its length; a buffer gets a terminating 0. If it is too short, the result is `TW_SHORT` and the
//!   length says what it takes, so two calls give a text of any length: the first one with no buffer.
//! - **Errors** are a status, and in a [`tw_error`], if the caller passes one, a short code that will not change, the place in the
//!   text, and a sentence.
//! - **Threads** may call all functions at the same time: there is no global state.
//! - **Any argument** has an answer: null pointers with a length, text that is not UTF-8, and arrays that are no layout are refused; work
//!   is bounded as in the language; a panic, which is a defect of tilework, ends as `TW_INTERNAL`. A call takes at most 2 MiB of stack:
//!   threads of macOS and musl, which have less by default, have to be made with as much.
//!
//! # Safety
//!
//! A pointer that is not null has to be valid for the length, the capacity or the count beside it, and one without them for one value.
//! No alignment is asked for, and what is read and what is written may overlap. There is no other condition, so the functions do
//! not repeat it.
//!
//! `include/tilework.h` is what cbindgen makes of this file. It is in the tree because it is read, copied and reviewed; a test fails
//! until it is written again. `include/tilework.hpp` has the same functions for C++17, with strings and exceptions.

#![warn(clippy::must_use_candidate)]
// The names are those of the header, and its conditions those above.
#![allow(non_camel_case_types, clippy::missing_safety_doc)]

mod boundary;
mod value;

use boundary::{Refusal, answered, caught, misuse, offered, text};
use core::ffi::{c_char, c_int};
use tilework_expr::{ExprError, FUNCTIONS, Failure, Session, Value, find};

pub use boundary::{TW_CODE, TW_MESSAGE, tw_error, tw_status};
pub use value::{TW_LAYOUT, TW_LEAF, TW_LEAVES, TW_NODES, TW_TUPLE, tw_value};

/// Of tw_eval: the answer as it prints, with its condition.
pub const TW_ANSWER: c_int = 0;
/// Of tw_eval: the answer without its condition.
pub const TW_VALUE: c_int = 1;
/// Of tw_eval: the condition on the names of the text under which the answer holds; empty if it always does.
pub const TW_CONDITION: c_int = 2;
/// Of tw_eval: the kind of the answer, such as `a layout`.
pub const TW_KIND: c_int = 3;
/// Of tw_eval: for a text `emit L as c`, the function that computes an offset, with the checks of its condition.
pub const TW_SOURCE: c_int = 4;

/// The version of the library, `MAJOR.MINOR.PATCH`.
#[unsafe(no_mangle)]
pub extern "C" fn tw_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// The functions of the language: a line each with its name, its parameters and result, and the question that
/// it answers, between tabs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tw_functions(
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
    error: *mut tw_error,
) -> tw_status {
    let lines = || {
        let line = |function: &tilework_expr::Function| {
            format!("{}\t{}\t{}\n", function.name(), function.signature(), function.summary())
        };
        Ok(FUNCTIONS.iter().map(line).collect())
    };
    // SAFETY: pointers are null or valid for what is beside them, by the conditions of the crate.
    unsafe { answered(buffer, capacity, length, error, lines) }
}

/// The value of an expression, or what `part` names of it: TW_ANSWER, TW_VALUE, TW_CONDITION, TW_KIND, TW_SOURCE.
///
/// `length` is that of the answer without its terminating 0. An answer that does not fit with it is not written:
/// the buffer then has an empty text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tw_eval(
    part: c_int,
    expression: *const c_char,
    expression_length: usize,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
    error: *mut tw_error,
) -> tw_status {
    let evaluate = || {
        // SAFETY: pointers are null or valid for what is beside them, by the conditions of the crate.
        let expression = unsafe { text(expression, expression_length, "expression") }?;
        let mut session = Session::new();
        let value = session.evaluate(expression)?;
        let symbolic = value.as_symbolic();
        let condition = symbolic.map(|symbolic| symbolic.condition()).unwrap_or_default();
        match part {
            TW_ANSWER => Ok(value.to_string()),
            TW_VALUE => {
                let answer = value.to_string();
                Ok(answer.strip_suffix(&format!(" if {condition}")).map_or(answer.clone(), str::to_owned))
            }
            TW_CONDITION => Ok(condition),
            TW_KIND => Ok(value.kind().to_owned()),
            TW_SOURCE => match symbolic.and_then(|symbolic| symbolic.function()) {
                Some(source) => Ok(source.to_owned()),
                None => {
                    Err(ExprError::wrong_kind(expression, "source text, as of `emit L as c`", value.kind())
                        .into())
                }
            },
            _ => {
                Err(misuse(format!("there is no part {part} of an answer; they are TW_ANSWER to TW_SOURCE")))
            }
        }
    };
    // SAFETY: pointers are null or valid for what is beside them, by the conditions of the crate.
    unsafe { answered(buffer, capacity, length, error, evaluate) }
}

/// The value of an expression as arrays: a number, a tuple of integers, a truth value as 1 or 0, or a layout with
/// integer strides and an offset.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tw_read(
    expression: *const c_char,
    expression_length: usize,
    value: *mut tw_value,
    error: *mut tw_error,
) -> tw_status {
    let read = || {
        // SAFETY: pointers are null or valid for what is beside them, by the conditions of the crate.
        let expression = unsafe { text(expression, expression_length, "expression") }?;
        tw_value::of(Session::new().evaluate(expression)?)
    };
    // SAFETY: pointers are null or valid for what is beside them, by the conditions of the crate.
    unsafe { offered(value, error, read) }
}

/// Arrays as text that tw_eval and tw_read read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tw_write(
    value: *const tw_value,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
    error: *mut tw_error,
) -> tw_status {
    // SAFETY: pointers are null or valid for what is beside them, by the conditions of the crate.
    let write = || Ok(unsafe { tw_value::at(value, 0) }?.value()?.to_string());
    // SAFETY: pointers are null or valid for what is beside them, by the conditions of the crate.
    unsafe { answered(buffer, capacity, length, error, write) }
}

/// A function of the language on arrays, by its name: tw_apply("composition", 11, operands, 2, &result, &error).
///
/// Indices are passed as operands. A tuple is a shape, a coordinate or a tiler, by what the function takes. In the
/// error, `begin` and `end` are those of the operands that it is about.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tw_apply(
    name: *const c_char,
    name_length: usize,
    operands: *const tw_value,
    count: usize,
    result: *mut tw_value,
    error: *mut tw_error,
) -> tw_status {
    let apply = || {
        // SAFETY: pointers are null or valid for what is beside them, by the conditions of the crate.
        let name = unsafe { text(name, name_length, "name") }?;
        let Some(function) = find(name) else {
            let message = format!("there is no function `{name}`");
            return Err(ExprError::new(0..count, "name", message)
                .with_help("tw_functions lists them")
                .into());
        };
        let operand = |index| {
            // SAFETY: pointers are null or valid for what is beside them, by the conditions of the crate.
            let operand = unsafe { tw_value::at(operands, index) };
            operand.and_then(|operand| operand.value()).map_err(|refusal| refusal.about(index..index + 1))
        };
        let operands = (0..count).map(operand).collect::<Result<Vec<Value>, Refusal>>()?;
        let value = function.call(&operands, &[]).map_err(|failure| {
            let place = match failure {
                Failure::Argument { index, .. } => index..index + 1,
                _ => 0..count,
            };
            Refusal::from(ExprError::from(failure)).about(place)
        })?;
        tw_value::of(&value)
    };
    // SAFETY: pointers are null or valid for what is beside them, by the conditions of the crate.
    unsafe { offered(result, error, apply) }
}

/// The offsets of the indices `first`, `first` + 1, ..., `count` of them. After an error, those before it are written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tw_offsets(
    layout: *const tw_value,
    first: i64,
    count: usize,
    offsets: *mut i64,
    error: *mut tw_error,
) -> tw_status {
    let write = || {
        // SAFETY: pointers are null or valid for what is beside them, by the conditions of the crate.
        let at = unsafe { tw_value::at(layout, 0) }?.offsets()?;
        if offsets.is_null() && count > 0 {
            return Err(misuse(format!("the offsets are null, and their count is {count}")));
        }
        for place in 0..count {
            let index = i64::try_from(place).ok().and_then(|place| first.checked_add(place));
            let offset = at(index.ok_or(tilework::Error::TooLarge { what: "an index" })?)?;
            // SAFETY: it is valid for `count` numbers; no alignment is relied on.
            unsafe { offsets.add(place).write_unaligned(offset) };
        }
        Ok(())
    };
    // SAFETY: pointers are null or valid for what is beside them, by the conditions of the crate.
    unsafe { caught(error, write) }
}
