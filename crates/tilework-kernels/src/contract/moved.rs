//! Copies of elements as bytes, whatever their type: COPY for the tensors of a contraction.

use crate::copy::CopyPlan;
use crate::error::Error;
use crate::execution::Execution;
use tilework::Layout;

/// A copy of elements of 4 or 8 bytes.
#[derive(Clone, Debug)]
pub(super) enum Moved {
    Of4(CopyPlan<u32>),
    Of8(CopyPlan<u64>),
}

impl Moved {
    /// None for elements of other sizes, and if COPY refuses the layouts.
    pub(super) fn new(bytes: usize, from: &Layout, to: &Layout) -> Option<Moved> {
        match bytes {
            4 => Some(Moved::Of4(CopyPlan::new(from, to).ok()?)),
            8 => Some(Moved::Of8(CopyPlan::new(from, to).ok()?)),
            _ => None,
        }
    }

    /// # Safety
    /// The pointers are those of offset 0. Every offset of the layouts is valid for reads and writes of an element of
    /// that size, and nothing else accesses the destination.
    pub(super) unsafe fn run(
        &self,
        from: *const u8,
        to: *mut u8,
        execution: &Execution,
    ) -> Result<(), Error> {
        // SAFETY: this function has the contract of the plan.
        unsafe {
            match self {
                Moved::Of4(plan) => plan.run_raw(from.cast(), to.cast(), execution),
                Moved::Of8(plan) => plan.run_raw(from.cast(), to.cast(), execution),
            }
        }
    }
}
