//! Random layouts for the tests of this folder.

use crate::layout::{Layout, Leaf};
use crate::stride::Stride;
use crate::tuple::HTuple;
use testkit::Random;

/// The generator of a test.
pub(crate) fn random(seed: u64) -> Random {
    Random::congruential(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
}

/// Random layouts.
pub(crate) trait Layouts {
    /// A layout of up to `rank` modes with strides below `bound`; powers of two and 0 are more frequent.
    fn layout(&mut self, rank: u64, extents: &[i64], bound: u64, xor: bool) -> Layout;
}

impl Layouts for Random {
    fn layout(&mut self, rank: u64, extents: &[i64], bound: u64, xor: bool) -> Layout {
        let rank = 1 + self.below(rank);
        let mut leaf = || {
            let extent = extents[self.below(extents.len() as u64) as usize];
            let value = match self.below(4) {
                0 => self.below(bound),
                1 if self.below(4) == 0 => 0,
                2 => [3, 5, 6, 7, 9][self.below(5) as usize],
                _ => 1 << self.below(u64::from(63 - bound.leading_zeros())),
            } as i64;
            let stride = if xor { Stride::xor(value).unwrap() } else { Stride::integer(value) };
            HTuple::leaf(Leaf { extent, stride })
        };
        let mut tuple = leaf();
        for i in 1..rank {
            let next = leaf();
            // Flat, or nested on the left.
            tuple = match (i, tuple.is_leaf()) {
                (1, _) => HTuple::tuple(&[tuple, next]).unwrap(),
                (2, _) => HTuple::tuple(&[tuple, next]).unwrap(),
                _ => tuple.append(&next).unwrap(),
            };
        }
        Layout::new(tuple).unwrap()
    }
}
