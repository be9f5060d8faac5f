//! Calls of kernels: without the interpreter lock, and with plans kept for repeated calls.
//!
//! The plan of a call depends on the shapes, strides and types of its arrays. A call like an earlier one uses its plan,
//! and does not read the arrays as layouts, which takes most of the time of a 4x4 product.

use crate::array::{self, NewArray};
use crate::description::{ArrayFlag, ArrayStruct};
use crate::prelude::*;
use std::collections::HashMap;
use std::ops::{Deref, Range};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tilework_kernels::dynamic::{Data, Plan};
use tilework_kernels::{Error, Execution};

/// How often a running kernel checks for Ctrl-C.
const INTERRUPT_INTERVAL: Duration = Duration::from_millis(100);

/// The parts of the work from one reading of the clock to the next: some parts take less time than reading it.
const PARTS: u32 = 16;

/// Work with fewer operations keeps the interpreter lock: it takes about a microsecond.
const BRIEF: u128 = 1 << 17;

/// The most calls that are remembered; then all are forgotten.
const CALLS: usize = 64;

/// The most elements of their arrays in total: a plan has tables of up to one entry per element, and large calls take
/// long anyway.
const ELEMENTS: usize = 1 << 22;

/// Longer specifications are not remembered.
const LETTERS: usize = 64;

/// Runs work without the interpreter lock, and ends it early on Ctrl-C.
pub fn run<T: Send>(
    py: Python<'_>,
    threads: usize,
    work: impl FnOnce(&Execution) -> Result<T, Error> + Send,
) -> Result<T> {
    // An address unique to this thread.
    thread_local!(static HERE: u8 = const { 0 });
    let here = || HERE.with(|here| std::ptr::from_ref(here).addr());
    let stop = AtomicBool::new(false);
    let interrupted: Mutex<Option<PyErr>> = Mutex::new(None);
    let (caller, parts, asked) = (here(), AtomicU32::new(0), Mutex::new(Instant::now()));
    let look = |_: f64| {
        if here() != caller {
            return;
        }
        let part = parts.load(Ordering::Relaxed).wrapping_add(1);
        parts.store(part, Ordering::Relaxed);
        if !part.is_multiple_of(PARTS) {
            return;
        }
        let Ok(mut asked) = asked.try_lock() else { return };
        if asked.elapsed() < INTERRUPT_INTERVAL {
            return;
        }
        *asked = Instant::now();
        if let Err(error) = Python::attach(|py| py.check_signals()) {
            stop.store(true, Ordering::Relaxed);
            if let Ok(mut interrupted) = interrupted.lock() {
                *interrupted = Some(error);
            }
        }
    };
    let result = py.detach(|| work(&Execution::threads(threads).cancelled_by(&stop).reporting_to(&look)));
    match interrupted.into_inner() {
        Ok(Some(error)) => Err(error.into()),
        _ => Ok(result?),
    }
}

/// The numbers that determine a call's plan, and the addresses of its arrays.
pub struct Signature<'py> {
    numbers: Vec<i64>,
    /// The first element of each array, the output last, and the object that keeps it alive.
    first: Vec<(*mut u8, Bound<'py, PyCapsule>)>,
}

/// A remembered call.
struct Call {
    plan: Plan,
    reaches: Vec<Reach>,
    /// The description of the new array, if the call returns one.
    result: Option<NewArray>,
}

/// The memory of an array, from its first element.
struct Reach {
    /// Bytes from the first element to the lowest.
    before: isize,
    /// The number of elements from the lowest to the highest, and the bytes of one.
    len: usize,
    bytes: usize,
}

/// The remembered calls.
#[derive(Default)]
struct Calls {
    calls: HashMap<Vec<i64>, Arc<Call>>,
    /// The total number of elements of their arrays.
    elements: usize,
}

static MADE: LazyLock<Mutex<Calls>> = LazyLock::new(Mutex::default);

fn made() -> MutexGuard<'static, Calls> {
    // Calls are added atomically, so a poisoned lock is valid.
    MADE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'py> Signature<'py> {
    /// Of a contraction by a specification, or of a product of matrices. None if an operand is not a NumPy array, or if nothing would be gained.
    pub fn new(
        spec: Option<&str>,
        operands: impl IntoIterator<Item: Deref<Target = Object<'py>>>,
        output: Option<&Object<'py>>,
    ) -> Option<Signature<'py>> {
        let mut signature = Signature { numbers: Vec::with_capacity(32), first: Vec::with_capacity(4) };
        match spec {
            None => signature.numbers.push(-1),
            Some(spec) if spec.len() <= LETTERS => {
                signature.numbers.push(spec.len() as i64);
                signature.numbers.extend(
                    spec.as_bytes()
                        .chunks(8)
                        .map(|bytes| bytes.iter().fold(0, |number, &byte| number << 8 | i64::from(byte))),
                );
            }
            Some(_) => return None,
        }
        for operand in operands {
            signature.add(&operand)?;
        }
        signature.numbers.push(if output.is_some() { -1 } else { -2 });
        output.map_or(Some(()), |output| signature.add(output))?;
        Some(signature)
    }

    fn add(&mut self, object: &Object<'py>) -> Option<()> {
        if !array::is_plain(object).ok()? {
            return None;
        }
        let capsule = array::struct_of(object)?;
        let array: &ArrayStruct = array::contents(&capsule)?;
        // The array's class identifies two-byte types that NumPy lacks.
        let kind = array.kind as u8;
        if kind == b'V' {
            return None;
        }
        // SAFETY: the protocol has `ndim` numbers at `shape` and at `strides`.
        let (shape, strides) = unsafe { array.modes() }.ok()?;
        let flags = [ArrayFlag::NotSwapped, ArrayFlag::Writeable].map(|flag| i64::from(array.has(flag)));
        let is_row_major = i64::from(strides.is_none());
        self.numbers.extend([
            i64::from(kind) << 3 | flags[0] << 2 | flags[1] << 1 | is_row_major,
            i64::from(array.item_bytes),
            shape.len() as i64,
        ]);
        self.numbers.extend(shape.iter().chain(strides.unwrap_or(&[])).map(|&number| number as i64));
        let first = array.data.cast();
        self.first.push((first, capsule));
        Some(())
    }

    /// The result of the call, if a similar call was made.
    pub fn again(
        &self,
        py: Python<'py>,
        output: Option<&Object<'py>>,
        factors: (f64, f64),
        threads: usize,
    ) -> Option<Result<Object<'py>>> {
        let call = made().calls.get(&self.numbers)?.clone();
        let (output_reach, reaches) = call.reaches.split_last()?;
        let mut data = Vec::with_capacity(reaches.len());
        for (reach, (first, _)) in reaches.iter().zip(&self.first) {
            data.push(reach.at(*first)?);
        }
        let made;
        let (output, first) = match (&call.result, output) {
            (Some(result), _) => {
                made = result.make(py);
                match &made {
                    Ok(array) => (array, first_of(array)?),
                    Err(_) => return Some(made),
                }
            }
            (None, output) => (output?, self.first.last()?.0),
        };
        let written = output_reach.at(first)?;
        let meets = |(reach, data): (&Reach, &Data)| {
            let (read, written) = (reach.addresses(data), output_reach.addresses(&written));
            read.start < written.end && written.start < read.end
        };
        if reaches.iter().zip(&data).any(meets) {
            return None;
        }
        let plan = &call.plan;
        // SAFETY: the arrays differ from those of the plan only in their addresses: they have its types and are
        // aligned, the output does not overlap the operands, and the caller keeps them alive.
        let work =
            |execution: &Execution| unsafe { plan.run_raw(factors.0, &data, factors.1, written, execution) };
        let done = if plan.flops() <= BRIEF {
            work(&Execution::default()).map_err(Refusal::from)
        } else {
            run(py, threads, work)
        };
        Some(done.map(|()| output.clone()))
    }

    /// Remembers the plan of the call, the memory of its arrays (each with the bytes of an element, the output last),
    /// and the array that it returned.
    pub fn remember(self, plan: Plan, memory: impl Iterator<Item = (Data, usize)>, result: Option<NewArray>) {
        let Signature { numbers, first } = self;
        // A new array has no signature: its first element is the lowest.
        let firsts = first.iter().map(|(first, _)| Some(*first)).chain(std::iter::repeat(None));
        let reaches: Vec<Reach> = memory
            .zip(firsts)
            .map(|((data, bytes), first)| Reach {
                before: first.map_or(0, |first| data.first.addr().wrapping_sub(first.addr()) as isize),
                len: data.len,
                bytes,
            })
            .collect();
        let elements = reaches.iter().fold(0usize, |sum, reach| sum.saturating_add(reach.len));
        if elements > ELEMENTS {
            return;
        }
        let mut made = made();
        if made.calls.len() == CALLS || made.elements + elements > ELEMENTS {
            *made = Calls::default();
        }
        made.elements += elements;
        made.calls.insert(numbers, Arc::new(Call { plan, reaches, result }));
    }
}

impl Reach {
    /// The memory of an array whose first element is at `first`; none if that is not aligned, or memory would begin
    /// below address 0.
    fn at(&self, first: *mut u8) -> Option<Data> {
        let lowest = first.addr().checked_add_signed(self.before)?;
        let is_there = lowest != 0 && lowest.is_multiple_of(self.bytes);
        lowest.checked_add(self.len.checked_mul(self.bytes)?).filter(|_| is_there)?;
        Some(Data { first: first.wrapping_offset(self.before), len: self.len })
    }

    fn addresses(&self, data: &Data) -> Range<usize> {
        data.first.addr()..data.first.addr() + self.len * self.bytes
    }
}

/// The address of the first element of a NumPy array.
fn first_of(array: &Object<'_>) -> Option<*mut u8> {
    Some(array::contents(&array::struct_of(array)?)?.data.cast())
}
