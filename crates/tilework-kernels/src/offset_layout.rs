//! A layout with an offset, as a tensor has it.

use crate::error::{Error, check_image};
use std::fmt;
use std::ops::Deref;
use tilework::{AnyLayout, Codomain, Counting, HasLayout, Layout, Tensor};

/// `{start} o layout`, with integer offsets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OffsetLayout(Tensor<Counting, AnyLayout>);

impl Deref for OffsetLayout {
    type Target = Tensor<Counting, AnyLayout>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl OffsetLayout {
    /// # Errors
    /// [`Error::Codomain`] for offsets that are not integers, [`Error::Layout`] for offsets beyond 64 bits.
    pub(crate) fn new(
        operand: &'static str,
        layout: &impl HasLayout,
        start: i64,
    ) -> Result<OffsetLayout, Error> {
        match layout.as_layout().codomain() {
            Codomain::Integer | Codomain::Xor => {
                Ok(OffsetLayout(Tensor::with_offset(Counting, start, layout.to_any())?))
            }
            _ => Err(Error::Codomain { operand }),
        }
    }

    /// The start and the layout, if the offsets are their sum.
    pub(crate) fn as_integer_layout(&self) -> Option<(i64, &Layout)> {
        match self.layout() {
            AnyLayout::Plain(layout) if layout.codomain() == Codomain::Integer => {
                Some((self.offset(), layout))
            }
            _ => None,
        }
    }

    /// The smallest and the largest offset; wider bounds where the core leaves those of a swizzled layout undecided.
    pub(crate) fn image(&self) -> Result<(i64, i64), Error> {
        image_of(self.layout(), self.offset())
    }

    /// Refuses data that does not contain all offsets.
    pub(crate) fn check_image(&self, operand: &'static str, len: usize) -> Result<(), Error> {
        check_image(operand, self.image()?, len)
    }

    /// The length of the contiguous runs, counted from index 0: within each, offsets rise by 1.
    pub(crate) fn contiguous(&self) -> usize {
        match self.layout() {
            AnyLayout::Plain(layout) => contiguous(layout, self.offset()),
            AnyLayout::Swizzled(swizzled) => {
                // A swizzle does not change the lowest bits, as long as no carry leaves them.
                aligned_run(swizzled.layout(), swizzled.offset() | 1 << swizzled.swizzle().base())
            }
        }
    }

    /// Refuses two coordinates with one offset. Where the algebra is undecided, the offsets are enumerated.
    pub(crate) fn check_apart(&self, operand: &'static str) -> Result<(), Error> {
        // A swizzle is injective.
        let known = self.layout().layout().is_injective().ok();
        let apart = match known {
            Some(apart) => apart,
            None => {
                let (low, high) = self.image()?;
                let words = (i128::from(high) - i128::from(low)) as u128 / 64 + 1;
                let error = Error::Memory { bytes: words * 8 };
                let mut seen: Vec<u64> = Vec::new();
                seen.try_reserve_exact(usize::try_from(words).map_err(|_| error.clone())?)
                    .map_err(|_| error)?;
                seen.resize(words as usize, 0);
                (0..self.size()).all(|index| {
                    let bit = (self.at(index) - low) as usize;
                    let fresh = seen[bit / 64] >> (bit % 64) & 1 == 0;
                    seen[bit / 64] |= 1 << (bit % 64);
                    fresh
                })
            }
        };
        if apart { Ok(()) } else { Err(Error::Aliasing { operand }) }
    }
}

impl fmt::Display for OffsetLayout {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.offset() {
            0 => write!(f, "{}", self.layout()),
            start => write!(f, "{{{start}}} o {}", self.layout()),
        }
    }
}

fn image_of(layout: &impl HasLayout, start: i64) -> Result<(i64, i64), Error> {
    Ok(layout.image(start)?)
}

fn contiguous(layout: &Layout, start: i64) -> usize {
    match layout.codomain() {
        Codomain::Integer => match layout.coalesce().leaves() {
            [first, ..] if first.stride.count().numerator() == 1 => first.extent as usize,
            _ => 1,
        },
        _ => aligned_run(layout, start),
    }
}

/// The greatest power of two that divides the length of the runs, all other strides, and `start`.
fn aligned_run(layout: &Layout, start: i64) -> usize {
    match layout.coalesce().leaves() {
        [first, rest @ ..] if first.stride.count().numerator() == 1 => {
            let bits =
                rest.iter().fold(first.extent | start, |bits, leaf| bits | leaf.stride.count().numerator());
            1 << bits.trailing_zeros()
        }
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilework::{Composed, Swizzle};

    /// The bounds equal those of the enumeration, for starts and offsets of all kinds.
    #[test]
    #[cfg_attr(miri, ignore = "a thousand images take minutes, and nothing in them is unsafe")]
    fn images_are_those_of_the_offsets() {
        let layouts = [
            "(4,8):(8,1)",
            "(8,4):(1,8)",
            "16:3",
            "(3,5):(1,4)",
            "(2,2,4):(1,32,4)",
            "4:0",
            "(4,4):(^1,^5)",
            "(2,3):(^6,^9)",
        ];
        let (mut linear, mut all) = (0, 0);
        for layout in layouts.map(|text| text.parse::<Layout>().unwrap()) {
            for start in [0, 1, 5, 40, 64] {
                let mut check = |layout: AnyLayout| {
                    let placed = OffsetLayout::new("it", &layout, start).unwrap();
                    let offsets: Vec<i64> = (0..placed.size()).map(|index| placed.at(index)).collect();
                    let bounds = (*offsets.iter().min().unwrap(), *offsets.iter().max().unwrap());
                    assert_eq!(placed.image(), Ok(bounds), "{placed}");
                    all += 1;
                };
                check(layout.into());
                for (bits, base, shift) in [(0, 0, 0), (1, 0, 1), (2, 0, 3), (2, 1, -2), (3, 2, 3)] {
                    for offset in [0, 3, 32, 64, 96] {
                        let swizzle = Swizzle::new(bits, base, shift).unwrap();
                        let swizzled = Composed::new(swizzle, offset, layout).unwrap();
                        linear += usize::from(swizzled.to_view().is_ok());
                        check(swizzled.into());
                    }
                }
            }
        }
        assert!(linear > 200 && linear < all, "{linear} of {all}");
        // Enumeration would take a minute.
        let huge =
            Composed::new(Swizzle::new(3, 4, 3).unwrap(), 0, "(65536,65536):(65536,1)".parse().unwrap());
        let huge = OffsetLayout::new("it", &huge.unwrap(), 0).unwrap();
        assert_eq!(huge.image(), Ok((0, (1 << 32) - 1)));
    }
}
