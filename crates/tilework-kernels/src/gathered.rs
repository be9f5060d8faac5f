//! Operands whose offset is not a sum of one term per mode: swizzled layouts, and XOR strides. They are read and
//! written through a contiguous copy.

use crate::error::{Error, check_image};
use crate::offset_layout::OffsetLayout;
use std::borrow::Cow;
use tilework::Layout;

/// The offset of each element of a contiguous copy; none if the operand is read and written in place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gathered(Option<Box<[isize]>>);

impl Gathered {
    pub(crate) fn new(offsets: Vec<isize>) -> Gathered {
        Gathered(Some(offsets.into()))
    }

    /// Whether there is no copy.
    #[inline(always)]
    pub(crate) fn is_in_place(&self) -> bool {
        self.0.is_none()
    }

    /// The elements in the order in which the plan reads them. `data` contains all offsets.
    pub(crate) fn read<'a, T: Copy>(&self, data: &'a [T]) -> Cow<'a, [T]> {
        match &self.0 {
            None => Cow::Borrowed(data),
            Some(offsets) => offsets.iter().map(|&at| data[at as usize]).collect(),
        }
    }

    /// Calls `work` with the elements in the order in which the plan writes them, and writes them back. `data` contains
    /// all offsets.
    pub(crate) fn write<T: Copy, R>(&self, data: &mut [T], work: impl FnOnce(&mut [T]) -> R) -> R {
        let Some(offsets) = &self.0 else { return work(data) };
        let mut copy: Vec<T> = offsets.iter().map(|&at| data[at as usize]).collect();
        let result = work(&mut copy);
        offsets.iter().zip(copy).for_each(|(&at, element)| data[at as usize] = element);
        result
    }
}

/// An operand as a layout with integer strides: its own, or that of a contiguous copy.
#[derive(Clone, Debug)]
pub(crate) struct Summed {
    pub layout: Layout,
    /// The offset of its first element.
    pub start: i64,
    pub gathered: Gathered,
    /// The smallest and the largest offset.
    image: (i64, i64),
}

impl Summed {
    /// # Errors
    /// [`Error::Memory`] if there is none for the table of offsets, and those of [`OffsetLayout::image`].
    pub(crate) fn new(placed: &OffsetLayout) -> Result<Summed, Error> {
        if let Some((start, &layout)) = placed.as_integer_layout() {
            return Ok(Summed { layout, start, gathered: Gathered::default(), image: placed.image()? });
        }
        let offsets = evaluated(placed)?;
        let image = image(&offsets);
        let layout = Layout::column_major(&placed.shape())?;
        Ok(Summed { layout, start: 0, gathered: Gathered::new(offsets), image })
    }

    /// Refuses data that does not contain all offsets.
    #[inline(always)]
    pub(crate) fn check_image(&self, operand: &'static str, len: usize) -> Result<(), Error> {
        check_image(operand, self.image, len)
    }
}

/// The offset of every coordinate, in the order of their indices.
fn evaluated(placed: &OffsetLayout) -> Result<Vec<isize>, Error> {
    let mut offsets = Vec::new();
    let bytes = placed.size() as u128 * size_of::<isize>() as u128;
    let room = usize::try_from(placed.size()).map(|size| offsets.try_reserve_exact(size));
    let Ok(Ok(())) = room else { return Err(Error::Memory { bytes }) };
    offsets.extend((0..placed.size()).map(|index| placed.at(index) as isize));
    Ok(offsets)
}

/// The smallest and the largest of some offsets.
fn image(offsets: &[isize]) -> (i64, i64) {
    offsets.iter().fold((i64::MAX, i64::MIN), |(low, high), &at| (low.min(at as i64), high.max(at as i64)))
}
