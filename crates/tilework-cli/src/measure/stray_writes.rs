//! Elements that must not be written: those of a destination that its layout does not contain.

use super::memory;
use crate::answer::Refusal;

/// The places that have been written, as bits.
pub struct StrayWrites(Vec<u64>);

impl StrayWrites {
    /// The bytes for the marks of `len` elements.
    pub fn need(len: u128) -> (String, u128) {
        ("the check".to_string(), len.div_ceil(64) * 8)
    }

    /// Marks for `len` elements, none set.
    pub fn new(len: usize) -> Result<StrayWrites, Refusal> {
        Ok(StrayWrites(memory::filled(len.div_ceil(64), |_| 0)?))
    }

    /// Marks an element.
    #[inline]
    pub fn mark(&mut self, place: usize) {
        self.0[place / 64] |= 1 << (place % 64);
    }

    /// What is wrong if an unmarked place does not hold what it held before.
    pub fn find_other(&self, name: &str, len: usize, holds: impl Fn(usize) -> bool) -> Option<String> {
        let other = (0..len).find(|&place| self.0[place / 64] >> (place % 64) & 1 == 0 && !holds(place))?;
        Some(format!("element {other} of {name} was overwritten, but its layout does not contain it"))
    }
}
