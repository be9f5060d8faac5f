//! Where the elements of a tile are: whether they are where a descriptor has them, mode by mode.
//!
//! A descriptor's offset is a sum of one number for each mode, and so is the offset of a tile before its own swizzle. If
//! both agree along each mode, and the offsets of a coordinate still add up behind the swizzles, they agree everywhere:
//! a tile of `m` by `n` elements takes `m + n` comparisons.
//!
//! The offsets add up if the two swizzles are one, which cancels. Otherwise swizzles are linear over F2, so that they
//! add up if no two modes have a bit in common, neither before the swizzles nor behind them. Tiles of which neither is
//! true are compared element by element.

use alloc::vec::Vec;
use core::ops::Range;
use tilework::{Codomain, Error, HasLayout, Layout, Swizzle};

/// The most elements that are compared one by one, beside those along one mode.
const LIMIT: i64 = 1 << 16;

/// The offsets of a tile, or of a part of it.
pub(super) struct Places {
    /// The offset of the first element before the tile's swizzle.
    start: i64,
    /// The offsets from there along each mode.
    steps: Vec<Vec<i64>>,
    /// Whether offsets are combined by XOR.
    xor: bool,
    own: Swizzle,
}

/// The first element, in column-major order, that is elsewhere.
pub(super) struct Misplaced {
    /// How many elements are before it.
    pub index: i64,
    pub coord: Vec<usize>,
    pub expected: i64,
    pub found: i64,
}

impl Places {
    /// The offsets of the coordinates in these ranges of the modes.
    pub fn new(tile: &impl HasLayout, ranges: &[Range<i64>]) -> Result<Places, Error> {
        let layout = tile.as_layout();
        let xor = layout.codomain() == Codomain::Xor;
        let (start, own) =
            tile.swizzled().map_or((0, Swizzle::NONE), |composed| (composed.offset(), composed.swizzle()));
        let own = if own.bits() == 0 { Swizzle::NONE } else { own };
        let mut places = Places { start, steps: Vec::with_capacity(ranges.len()), xor, own };
        for (mode, range) in ranges.iter().enumerate() {
            let offsets = if ranges.len() == 1 { *layout } else { layout.mode(mode)? }.coalesce();
            let first = integer(&offsets, range.start)?;
            places.start = places.join(places.start, first)?;
            let step = |left: i64| match xor {
                true => Ok(left ^ first),
                false => left.checked_sub(first).ok_or(Error::Overflow { left, operator: '-', right: first }),
            };
            let steps = range.clone().map(|index| step(integer(&offsets, index)?));
            places.steps.push(steps.collect::<Result<Vec<_>, Error>>()?);
        }
        Ok(places)
    }

    /// The offset of an element before a swizzle, which is its own inverse.
    pub fn at(&self, swizzle: Swizzle, coord: &[usize]) -> Result<i64, Error> {
        let mut offset = self.start;
        for (steps, &index) in self.steps.iter().zip(coord) {
            offset = self.join(offset, steps[index])?;
        }
        self.before(swizzle, offset)
    }

    fn join(&self, left: i64, right: i64) -> Result<i64, Error> {
        if self.xor {
            return Ok(left ^ right);
        }
        left.checked_add(right).ok_or(Error::Overflow { left, operator: '+', right })
    }

    /// The offset before a swizzle of an offset before the tile's own.
    fn before(&self, swizzle: Swizzle, offset: i64) -> Result<i64, Error> {
        swizzle.apply(self.own.apply(offset)?)
    }

    /// The first element whose offset before a swizzle is not the sum of these numbers, one of each mode. The first of a
    /// mode but mode 0 is 0.
    pub fn misplaced(&self, swizzle: Swizzle, expected: &[Vec<i128>]) -> Result<Option<Misplaced>, Error> {
        let mut coord = vec![0; expected.len()];
        let mut apart = Apart { places: self, swizzle, bits: [0; 2], linear: true };
        let (mut size, mut budget) = (1, LIMIT);
        for mode in 0..expected.len() {
            for index in usize::from(mode > 0)..expected[mode].len() {
                let adds_up = apart.adds_up(self.steps[mode][index])?;
                for lower in 0..if adds_up { 1 } else { size } {
                    let (mut rest, mut sum) = (lower, expected[mode][index]);
                    for (coord, steps) in coord.iter_mut().zip(&expected[..mode]) {
                        *coord = (rest % steps.len() as i64) as usize;
                        rest /= steps.len() as i64;
                        sum += steps[*coord];
                    }
                    coord[mode] = index;
                    let found = self.at(swizzle, &coord)?;
                    if sum != i128::from(found) {
                        let expected = i64::try_from(sum).unwrap_or(i64::MAX);
                        return Ok(Some(Misplaced {
                            index: lower + index as i64 * size,
                            coord,
                            expected,
                            found,
                        }));
                    }
                    budget -= i64::from(lower > 0);
                    if budget < 0 {
                        let what = "elements of a tile, compared one by one";
                        return Err(Error::Capacity { what, limit: LIMIT as usize });
                    }
                }
            }
            coord[mode] = 0;
            size *= expected[mode].len() as i64;
            apart.insert(&self.steps[mode])?;
        }
        Ok(None)
    }
}

/// The bits of the offsets along the modes so far, which tell whether those of a further one add up with them.
struct Apart<'a> {
    places: &'a Places,
    swizzle: Swizzle,
    /// The bits before both swizzles, and those behind them.
    bits: [i64; 2],
    linear: bool,
}

impl Apart<'_> {
    /// Whether the offsets of the modes so far stay the same steps behind one more step.
    fn adds_up(&self, step: i64) -> Result<bool, Error> {
        if self.places.own == self.swizzle && !self.places.xor {
            return Ok(true);
        }
        Ok(self.linear
            && self.is_apart(self.places.start)?
            && self.is_apart(self.places.join(self.places.start, step)?)?)
    }

    /// Whether an offset has no bit of the modes so far.
    fn is_apart(&self, offset: i64) -> Result<bool, Error> {
        Ok((self.places.xor || offset & self.bits[0] == 0)
            && self.places.before(self.swizzle, offset)? & self.bits[1] == 0)
    }

    fn insert(&mut self, steps: &[i64]) -> Result<(), Error> {
        // A negative step shares its sign with all larger bits.
        let negative = steps.iter().any(|&step| step < 0);
        let before = steps.iter().fold(0, |bits, step| bits | step);
        self.linear &= !negative && (self.places.xor || before & self.bits[0] == 0);
        if self.linear {
            self.bits[0] |= before;
            for &step in steps {
                self.bits[1] |= self.places.before(self.swizzle, step)?;
            }
        }
        Ok(())
    }
}

/// The offset of an index.
fn integer(layout: &Layout, index: i64) -> Result<i64, Error> {
    match layout.codomain() {
        Codomain::Integer | Codomain::Xor => layout.try_at(index),
        found => Err(Error::Codomain { operation: "an offset in memory", found }),
    }
}
