//! Random numbers, the same ones for the same seed.

/// A generator of numbers that look random.
///
/// ```
/// use testkit::Random;
/// let mut random = Random::new(7);
/// let (die, last): (i64, usize) = (random.range(1, 6), random.below(10));
/// assert!((1..=6).contains(&die) && last < 10);
/// assert_eq!(Random::new(7).range(1, 6), die);
/// ```
pub struct Random {
    state: u64,
    step: fn(&mut u64) -> u64,
}

impl Random {
    /// SplitMix64, which takes any seed.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random { state: seed, step: splitmix }
    }

    /// SplitMix64 for the test of a name, with other numbers for each `TILEWORK_SEED`.
    #[must_use]
    pub fn named(name: &str) -> Random {
        let seed = crate::setting("TILEWORK_SEED", 1);
        Random::new(
            name.bytes().fold(seed, |sum: u64, byte| sum.wrapping_mul(0x100_0000_01b3) ^ u64::from(byte)),
        )
    }

    /// Knuth's linear congruential generator MMIX, of whose state the upper 31 bits are used: for seeds that were chosen for it.
    #[must_use]
    pub fn congruential(seed: u64) -> Random {
        Random { state: seed, step: congruential }
    }

    /// Marsaglia's xorshift of 13, 7 and 17, without the lowest 11 bits: for seeds that were chosen for it, of which 0 is none.
    #[must_use]
    pub fn xorshift(seed: u64) -> Random {
        Random { state: seed, step: xorshift }
    }

    /// Any number.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        (self.step)(&mut self.state)
    }

    /// A number of `low..=high`.
    ///
    /// # Panics
    /// If there is none.
    pub fn range<N: TryFrom<i128> + TryInto<i128>>(&mut self, low: N, high: N) -> N {
        let (Ok(low), Ok(high)) = (low.try_into(), high.try_into()) else { panic!("more than 127 bits") };
        let Ok(number) = N::try_from(low + i128::from(self.next()) % (high - low + 1)) else {
            unreachable!("between two numbers of the type")
        };
        number
    }

    /// A number of `0..bound`.
    ///
    /// # Panics
    /// If there is none.
    pub fn below<N: TryFrom<i128> + TryInto<i128>>(&mut self, bound: N) -> N {
        let Ok(bound) = bound.try_into() else { panic!("more than 127 bits") };
        let Ok(number) = N::try_from(i128::from(self.next()) % bound) else {
            unreachable!("below a number of the type")
        };
        number
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// True `percent` times in 100.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    /// One of the items.
    ///
    /// # Panics
    /// If there are none.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// A copy of one of the items.
    ///
    /// # Panics
    /// If there are none.
    pub fn choose<T: Clone>(&mut self, from: &[T]) -> T {
        self.pick(from).clone()
    }

    /// Puts the items in any order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

fn splitmix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

fn congruential(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

fn xorshift(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state >> 11
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seeds keep their meaning: the first numbers of each generator.
    #[test]
    fn the_numbers_of_a_seed() {
        let first = |mut random: Random| [random.next(), random.next()];
        assert_eq!(first(Random::new(0)), [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
        assert_eq!(first(Random::congruential(1)), [908_834_774, 1_093_944_153]);
        assert_eq!(first(Random::xorshift(1)), [528_452, 562_984_862_711_842]);
    }
}
