//! The smallest and the largest offset of a swizzled layout.
//!
//! The bounds of a swizzled interval follow from the bits of its ends. A layout with gaps is divided at its longest mode
//! until each part is an interval, or cannot exceed the bound that was found in another part.

use crate::error::{Error, tri};
use crate::int;
use crate::layout::Layout;
use crate::list::{List, sort_by};
use crate::swizzle::Swizzle;
use crate::tuple::MAX_LEAVES;

/// The most parts that are divided.
const BUDGET: usize = 4096;

/// The smallest and the largest `Sw(offset + L(c))` of a layout with integer strides.
pub(super) const fn of_layout(swizzle: Swizzle, offset: i64, layout: &Layout) -> Result<(i64, i64), Error> {
    let (low, high) = tri!(layout.bounds("a swizzle"));
    let (low, high) = (tri!(int::add(offset, low)), tri!(int::add(offset, high)));
    let (least, most) = tri!(of_interval(swizzle, low, high));
    let whole = tri!(Part::new(low, high, layout));
    if whole.is_interval() {
        return Ok((least, most));
    }
    let mut search = Search { swizzle, complement: 0, best: i64::MIN, budget: BUDGET };
    tri!(search.run(&whole, most));
    let most = search.best;
    (search.complement, search.best) = (-1, i64::MIN);
    tri!(search.run(&whole, !least));
    Ok((!search.best, most))
}

/// The numbers `low + sum of c_i * stride_i`, which end at `high`.
#[derive(Clone, Copy)]
struct Part {
    low: i64,
    high: i64,
    /// Extents and strides above 0, in the order of the strides.
    modes: List<(i64, i64), MAX_LEAVES>,
}

impl Part {
    const fn new(low: i64, high: i64, layout: &Layout) -> Result<Part, Error> {
        let (mut modes, mut i) = (List::new((1, 0)), 0);
        while i < layout.leaves().len() {
            let (extent, stride) = (layout.leaves()[i].extent, layout.leaves()[i].stride.numerator());
            if extent > 1 && stride != 0 {
                // Counted from its other end, a mode has the opposite stride.
                tri!(modes.push((extent, stride.abs()), "modes"));
            }
            i += 1;
        }
        sort_by!(modes.as_mut_slice(), |left, right| left.1 < right.1);
        Ok(Part { low, high, modes })
    }

    const fn is_interval(&self) -> bool {
        let (mut reach, mut i) = (0, 0);
        while i < self.modes.len() {
            let (extent, stride) = self.modes.as_slice()[i];
            if extent > 1 && stride - 1 > reach {
                return false;
            }
            reach += (extent - 1) * stride;
            i += 1;
        }
        true
    }

    /// The lower and the upper half of the longest mode.
    const fn halves(&self) -> [Part; 2] {
        let (mut longest, mut i) = (0, 1);
        while i < self.modes.len() {
            longest = if self.reach(i) >= self.reach(longest) { i } else { longest };
            i += 1;
        }
        let (extent, stride) = self.modes.as_slice()[longest];
        let (mut lower, mut upper) = (*self, *self);
        lower.modes.as_mut_slice()[longest].0 = extent / 2;
        upper.modes.as_mut_slice()[longest].0 = extent - extent / 2;
        lower.high -= (extent - extent / 2) * stride;
        upper.low += extent / 2 * stride;
        [lower, upper]
    }

    const fn reach(&self, mode: usize) -> i64 {
        let (extent, stride) = self.modes.as_slice()[mode];
        (extent - 1) * stride
    }
}

/// The search for the largest `Sw(x) ^ complement`. The smallest number has the largest complement.
struct Search {
    swizzle: Swizzle,
    complement: i64,
    best: i64,
    budget: usize,
}

impl Search {
    /// Searches a part whose numbers are at most `most`.
    const fn run(&mut self, part: &Part, most: i64) -> Result<(), Error> {
        if most <= self.best {
            return Ok(());
        }
        if part.is_interval() {
            self.best = most;
            return Ok(());
        }
        if self.budget == 0 {
            return Err(Error::Undecided { operation: "the bounds of a swizzled layout" });
        }
        self.budget -= 1;
        let halves = part.halves();
        let most = [tri!(self.most(&halves[0])), tri!(self.most(&halves[1]))];
        let first = (most[1] >= most[0]) as usize;
        tri!(self.run(&halves[first], most[first]));
        self.run(&halves[1 - first], most[1 - first])
    }

    /// The largest number of the interval around a part.
    const fn most(&self, part: &Part) -> Result<i64, Error> {
        let (least, most) = tri!(of_interval(self.swizzle, part.low, part.high));
        Ok(if self.complement == 0 { most } else { !least })
    }
}

/// The smallest and the largest swizzled number of `low..=high`.
pub(crate) const fn of_interval(swizzle: Swizzle, low: i64, high: i64) -> Result<(i64, i64), Error> {
    let (mut least, mut most) = (tri!(swizzle.apply(low)), tri!(swizzle.apply(high)));
    // The numbers form blocks in which the lowest bits are free and the others fixed.
    let mut base = low;
    loop {
        let mut free = if base == 0 { 62 } else { base.trailing_zeros() };
        while (1 << free) - 1 > high - base {
            free -= 1;
        }
        let (block_least, block_most) = tri!(of_block(swizzle, base, (1 << free) - 1));
        least = if block_least < least { block_least } else { least };
        most = if block_most > most { block_most } else { most };
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
const fn of_block(swizzle: Swizzle, base: i64, free: i64) -> Result<(i64, i64), Error> {
    let up = if swizzle.shift() < 0 { -swizzle.shift() } else { 0 };
    let bent = swizzle.target_mask() & !free & (free << up);
    let sources = (base & bent) >> up;
    let standing = tri!(swizzle.apply(base)) & !free;
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
                    assert_eq!(of_interval(swizzle, low, high), Ok((least, most)), "{swizzle} {low} {high}");
                }
            }
        }
    }

    #[test]
    fn the_largest_numbers() {
        let swizzle = Swizzle::new(3, 4, 3).unwrap();
        assert_eq!(of_interval(swizzle, 0, i64::MAX), Ok((0, i64::MAX)));
        assert!(of_interval(swizzle, -1, 7).is_err());
    }

    /// Every layout of two modes with small extents and strides, and some of three.
    #[test]
    fn bounds_of_swizzled_layouts() {
        let swizzles = [(0, 0, 0), (1, 0, 1), (2, 0, 3), (2, 1, 2), (1, 2, -2), (2, 0, -3), (3, 1, 3)];
        let (mut gaps, strides) = (0, [-9, -4, -1, 1, 2, 3, 5, 8, 12, 18, 33]);
        for (first, second, third) in
            (0..11 * 11 * 3).map(|i| (strides[i % 11], strides[i / 11 % 11], i / 121))
        {
            for (s0, s1) in [(1, 5), (2, 3), (4, 4), (3, 7), (8, 2)] {
                let layout = Layout::of((s0, s1, third as i64 + 1), (first, second, 20)).unwrap();
                let start = -layout.min_offset().unwrap();
                for offset in [start, start + 1, start + 22, start + 96] {
                    for (bits, base, shift) in swizzles {
                        let swizzle = Swizzle::new(bits, base, shift).unwrap();
                        let all =
                            || (0..layout.size()).map(|c| swizzle.apply(offset + layout.at(c)).unwrap());
                        let expected = (all().min().unwrap(), all().max().unwrap());
                        let found = of_layout(swizzle, offset, &layout);
                        assert_eq!(found, Ok(expected), "{swizzle} o {offset} o {layout}");
                        let ends = (offset - start, offset + layout.max_offset().unwrap());
                        gaps += usize::from(of_interval(swizzle, ends.0, ends.1) != Ok(expected));
                    }
                }
            }
        }
        assert!(gaps > 10_000, "{gaps}");
    }

    /// Bounds that no enumeration would find in time.
    #[test]
    fn bounds_of_large_swizzled_layouts() {
        for (swizzle, layout, bounds) in [
            ((3, 3, 3), "(65536,65536):(65544,1)", (0, 4_295_491_583)),
            ((3, 4, 3), "(1048576,64):(100,1)", (0, 104_857_583)),
            ((1, 0, 40), "(1048576,3):(2097152,2)", (0, (1_048_575 << 21) + 5)),
            ((20, 0, -20), "(1048576,3):(1,3145728)", (0, (1 << 40) - 1)),
        ] {
            let swizzle = Swizzle::new(swizzle.0, swizzle.1, swizzle.2).unwrap();
            let found = of_layout(swizzle, 0, &Layout::parse(layout).unwrap()).unwrap();
            assert_eq!(found, bounds, "{swizzle} {layout}");
        }
    }
}
