//! How the page calls: it asks for room, writes its question there, and reads the answer where the question was.

// The names that the page calls are unsafe to give, since no other function may have them.
#![allow(unsafe_code)]

use std::sync::{Mutex, MutexGuard, PoisonError};

static TEXT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn text() -> MutexGuard<'static, Vec<u8>> {
    TEXT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Room for a question of `len` bytes.
#[unsafe(no_mangle)]
extern "C" fn room(length: usize) -> *mut u8 {
    let mut text = text();
    text.clear();
    text.resize(length, 0);
    text.as_mut_ptr()
}

/// Answers the question; how many bytes the answer has.
#[unsafe(no_mangle)]
extern "C" fn answer() -> usize {
    let mut text = text();
    *text = crate::answer(&String::from_utf8_lossy(&text)).into_bytes();
    text.len()
}

/// Where the answer is.
#[unsafe(no_mangle)]
extern "C" fn place() -> *const u8 {
    text().as_ptr()
}
