//! The comparison of an output with what is right, and of what lies between its elements with what was there.

use super::memory;
use super::operand::{Operand, sample};
use crate::answer::Refusal;
use std::fmt;

/// The result of a comparison.
pub struct Check {
    /// The part that was compared.
    pub checked: String,
    /// The first error.
    pub wrong: Option<String>,
}

/// The bytes that it takes for an output of `len` elements.
pub fn need(len: u128) -> (String, u128) {
    ("the check".to_string(), len.div_ceil(64) * 8)
}

/// Compares `count` elements of an output with those that are right, and all that its layout does not contain with what was there before.
pub fn compare<T: PartialEq + fmt::Debug>(
    output: &Operand,
    data: &[T],
    count: i64,
    right: impl Fn(i64) -> T,
    before: impl Fn(usize) -> T,
) -> Result<Check, Refusal> {
    let (name, size) = (output.name, output.size());
    let mut marks = memory::filled(data.len().div_ceil(64), |_| 0u64)?;
    output.places().for_each(|place| marks[place / 64] |= 1 << (place % 64));
    let is_stray =
        |place: &usize| marks[place / 64] >> (place % 64) & 1 == 0 && data[*place] != before(*place);
    let mut compared = 0;
    let wrong = sample(size, count).find_map(|index| {
        compared += 1;
        let (found, right) = (&data[output.at(index)], right(index));
        let at = || output.coordinate(index);
        (*found != right).then(|| format!("{name} at {}: {found:?}, and it has to be {right:?}", at()))
    });
    let wrong = wrong.or_else(|| {
        let place = (0..data.len()).find(is_stray)?;
        Some(format!("element {place} of {name} was overwritten, but its layout does not contain it"))
    });
    let checked = if compared == size { format!("all {size}") } else { format!("{compared} of {size}") };
    Ok(Check { checked: format!("{checked} elements, and that nothing else is written"), wrong })
}
