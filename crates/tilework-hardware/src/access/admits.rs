//! Whether a layout has all the offsets that an instruction accesses (paper, section 3.4.4, figure 9).

use crate::refused::Refused;
use tilework::{Error, Layout};

/// The most offsets of an instruction that are checked.
const LIMIT: i64 = 1 << 16;

/// The coordinates in a data layout of the offsets that an instruction accesses: the layout `A' o T` from coordinates
/// of the instruction to coordinates of the data, where `A'` is the left inverse of the data layout `A` and `T` the
/// instruction's offsets.
///
/// ```
/// use tilework::layout;
/// use tilework_hardware::{Refused, access::admits};
/// // tcgen05.ld.32x32b.x2 and an accumulator of 128x8 in tensor memory.
/// let (data, load) = (layout!((128,8):(16384,1)), layout!((2,128):(1,16384)));
/// assert_eq!(admits(&data, &load)?, layout!((2,128):(128,1)));
/// // Of an accumulator of 64 lanes it accesses offsets that are not there.
/// let error = admits(&layout!((64,8):(16384,1)), &load).unwrap_err();
/// assert_eq!(error, Refused::Absent { index: 128, offset: 1048576 });
/// # Ok::<(), tilework_hardware::Refused>(())
/// ```
///
/// # Errors
/// [`Refused::Absent`] with the first offset that the data layout lacks; [`Refused::Algebra`] for an instruction of
/// more than 65,536 offsets, and if [`Layout::left_inverse`] or the composition has no result.
pub fn admits(data: &Layout, instruction: &Layout) -> Result<Layout, Refused> {
    if instruction.size() > LIMIT {
        return Err(Error::Capacity { what: "offsets of an instruction", limit: LIMIT as usize }.into());
    }
    let inverse = data.left_inverse()?;
    let (least, most) = (data.min_offset()?, data.max_offset()?);
    for index in 0..instruction.size() {
        let offset = instruction.try_at(index)?;
        let is_there = (least..=most).contains(&offset) && {
            let coordinate = inverse.try_at(offset)?;
            (0..data.size()).contains(&coordinate) && data.try_at(coordinate)? == offset
        };
        if !is_there {
            return Err(Refused::Absent { index, offset });
        }
    }
    Ok(inverse.composition(instruction)?)
}
