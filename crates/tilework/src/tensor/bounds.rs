//! The range of a tensor's offsets.

use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::Layout;

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
