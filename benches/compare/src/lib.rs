//! What `compare` measures, behind a C ABI.
//!
//! Whatever can be measured is a *job*: it is made once, with the places of its operands, and run any number of times by
//! [`job_run`]. So the loop around a product of 50 ns is not one of Python, and all peers are called in the same way. A
//! function that makes a job returns null where it cannot, and [`job_reason`] says why.

mod ceilings;
mod copies;
mod libraries;
mod ours;
/// That of the benchmark of the kernels, of which only the transposes are compared here.
#[cfg(target_arch = "x86_64")]
#[allow(dead_code)]
#[path = "../../../crates/tilework-kernels/benches/copy/plain.rs"]
mod plain;
mod products;

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;

/// Something that can be run again and again.
pub struct Job(Box<dyn FnMut()>);

type Made = Result<Job, String>;

impl Job {
    fn new(job: impl FnMut() + 'static) -> Made {
        Ok(Job(Box::new(job)))
    }
}

thread_local! {
    static REASON: RefCell<CString> = RefCell::default();
}

/// A handle of the job, or null.
fn handle(make: impl FnOnce() -> Made) -> *mut Job {
    match catch_unwind(AssertUnwindSafe(make)).unwrap_or_else(|panic| Err(message(&*panic))) {
        Ok(job) => Box::into_raw(Box::new(job)),
        Err(reason) => {
            refuse(reason);
            null_mut()
        }
    }
}

fn refuse(reason: String) {
    let text = CString::new(reason.replace('\0', " ")).unwrap_or_default();
    REASON.with(|last| *last.borrow_mut() = text);
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("it panicked").to_string()
}

/// Why the last function failed.
#[unsafe(no_mangle)]
pub extern "C" fn job_reason() -> *const c_char {
    REASON.with(|last| last.borrow().as_ptr())
}

/// Runs a job `times` times. Whether it went well.
///
/// # Safety
/// The job is one that was made and not freed, and its operands are still there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn job_run(job: *mut Job, times: usize) -> bool {
    // SAFETY: the pointers are valid as this function demands.
    let job = unsafe { &mut *job };
    let all = || (0..times).for_each(|_| (job.0)());
    match catch_unwind(AssertUnwindSafe(all)) {
        Ok(()) => true,
        Err(panic) => {
            refuse(message(&*panic));
            false
        }
    }
}

/// Frees a job.
///
/// # Safety
/// The job is one that was made and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn job_free(job: *mut Job) {
    // SAFETY: the pointers are valid as this function demands.
    drop(unsafe { Box::from_raw(job) })
}

/// # Safety
/// The text ends in a zero and lives as long as it is used.
unsafe fn text<'a>(text: *const c_char) -> Result<&'a str, String> {
    // SAFETY: the pointers are valid as this function demands.
    unsafe { CStr::from_ptr(text) }.to_str().map_err(|error| error.to_string())
}

/// `$body` with the type `$T` that has the name, one of those listed.
macro_rules! with_type {
    ($name:expr, $T:ident in [$($text:literal $type:ty),*], $body:expr) => {
        match $name {
            $($text => {
                type $T = $type;
                $body
            })*
            other => Err(format!("not for {other}")),
        }
    };
}
pub(crate) use with_type;
