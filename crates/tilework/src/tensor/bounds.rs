//! The range of a tensor's offsets.

use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::Layout;
use crate::swizzle::Swizzle;

/// The smallest and the largest `start + L(c)`. For XOR strides whose image would take too long to search, the bounds
/// follow from the bits that can occur, and may be too wide.
pub(super) const fn of_layout(layout: &Layout, start: i64) -> Result<(i64, i64), Error> {
    if !layout.codomain().same(Codomain::Xor) {
        let (low, high) = (tri!(layout.min_offset()), tri!(layout.max_offset()));
        return Ok((tri!(int::add(start, low)), tri!(int::add(start, high))));
    }
    if start < 0 {
        let expected = "a start offset of 0 or more";
        return Err(Error::Argument { operation: "a tensor with XOR strides", expected, found: start });
    }
    match layout.xor_bounds(start) {
        Err(Error::Undecided { .. }) => {
            let bits = layout.xor_bits();
            Ok((start & !bits, start | bits))
        }
        bounds => bounds,
    }
}

/// The smallest and the largest swizzled offset of the numbers `low..=high`.
pub(super) fn of_swizzle(swizzle: Swizzle, low: i64, high: i64) -> Result<(i64, i64), Error> {
    let (mut least, mut most) = (swizzle.apply(low)?, swizzle.apply(high)?);
    // The numbers form blocks in which the lowest bits are free and the others fixed.
    let mut base = low;
    loop {
        let mut free = base.trailing_zeros().min(62);
        while (1 << free) - 1 > high - base {
            free -= 1;
        }
        let (block_least, block_most) = of_block(swizzle, base, (1 << free) - 1)?;
        (least, most) = (least.min(block_least), most.max(block_most));
        base += (1 << free) - 1;
        if base == high {
            return Ok((least, most));
        }
        base += 1;
    }
}

/// The smallest and the largest swizzled number with the bits `free` free and the higher bits those of `base`.
///
/// A free target bit can be chosen last, so its source does not matter. A fixed target bit with a free source gets its
/// best value from the source; the source bit, which is lower and not a target, is then determined.
fn of_block(swizzle: Swizzle, base: i64, free: i64) -> Result<(i64, i64), Error> {
    let up = if swizzle.shift() < 0 { -swizzle.shift() } else { 0 };
    let bent = swizzle.target_mask() & !free & (free << up);
    let sources = (base & bent) >> up;
    let standing = swizzle.apply(base)? & !free;
    Ok((standing & !bent | sources, standing | bent | free & !sources))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_swizzled_intervals() {
        for (bits, base, shift) in [
            (0, 0, 0),
            (1, 0, 1),
            (2, 0, 2),
            (2, 1, 3),
            (3, 0, 3),
            (1, 0, -1),
            (2, 0, -2),
            (2, 1, -3),
            (3, 0, -4),
        ] {
            let swizzle = Swizzle::new(bits, base, shift).unwrap();
            for low in 0..140 {
                let (mut least, mut most) = (i64::MAX, 0);
                for high in low..140 {
                    let value = swizzle.apply(high).unwrap();
                    (least, most) = (least.min(value), most.max(value));
                    assert_eq!(of_swizzle(swizzle, low, high), Ok((least, most)), "{swizzle} {low} {high}");
                }
            }
        }
    }

    #[test]
    fn bounds_of_xor_offsets() {
        for text in ["(2,2):(^1,^2)", "(3,2):(^1,^3)", "(4,3):(^5,^2)", "(5,3,2):(^1,^6,^0)"] {
            let layout: Layout = text.parse().unwrap();
            for start in 0..20 {
                let all = || (0..layout.size()).map(|c| start ^ layout.at(c));
                let expected = (all().min().unwrap(), all().max().unwrap());
                assert_eq!(of_layout(&layout, start), Ok(expected), "{{{start}}} o {text}");
            }
        }
        // There are too many choices of blocks: the bounds follow from the bits that occur, 1 to 6.
        let strides: std::vec::Vec<_> = (0..20).map(|i| std::format!("^{}", 2 << (i % 5))).collect();
        let layout: Layout =
            std::format!("({}):({})", ["3"; 20].join(","), strides.join(",")).parse().unwrap();
        assert!(matches!(layout.xor_bounds(65), Err(Error::Undecided { .. })));
        assert_eq!(of_layout(&layout, 65), Ok((1, 127)));
        assert_eq!(of_layout(&layout, 128 + 30), Ok((128, 254)));
    }

    #[test]
    fn the_largest_numbers() {
        let swizzle = Swizzle::new(3, 4, 3).unwrap();
        assert_eq!(of_swizzle(swizzle, 0, i64::MAX), Ok((0, i64::MAX)));
        assert!(of_swizzle(swizzle, -1, 7).is_err());
    }
}
