//! The interface to the page: it requests a buffer, writes its question there, and reads the answer from the same
//! buffer.

// Exported names are unsafe attributes, because no other function may have the same name.
#![allow(unsafe_code)]

use std::sync::{Mutex, MutexGuard, PoisonError};

static TEXT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn text() -> MutexGuard<'static, Vec<u8>> {
    TEXT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A buffer for a question of `len` bytes.
#[unsafe(no_mangle)]
extern "C" fn room(length: usize) -> *mut u8 {
    let mut text = text();
    text.clear();
    text.resize(length, 0);
    text.as_mut_ptr()
}

/// Answers the question; returns the length of the answer in bytes.
#[unsafe(no_mangle)]
extern "C" fn answer() -> usize {
    let mut text = text();
    *text = crate::answer(&String::from_utf8_lossy(&text)).into_bytes();
    text.len()
}

/// The address of the answer.
#[unsafe(no_mangle)]
extern "C" fn place() -> *const u8 {
    text().as_ptr()
}
