//! Bits as vectors over F2.

use crate::error::Error;

/// Why a sum of columns is not their XOR.
pub(crate) const SHARED: &str = "two columns share a bit, and adding them carries";

/// The number of bits up to the highest set one.
pub(crate) const fn bit_length(value: u64) -> u32 {
    u64::BITS - value.leading_zeros()
}

/// Whether the integer product and the carry-less product of `stride` agree for all factors below `extent`.
///
/// The factors with two set bits decide: they add two copies of `stride`, and those collide where two set bits of
/// `stride` are as far apart as the two of the factor. With `n` the bit length of `extent - 1`, all distances up to
/// `n - 2` occur among the factors, and `n - 1` where a factor beyond `2^(n-1)` does.
pub(crate) const fn carryless_scale_agrees(extent: i64, stride: i64) -> bool {
    if extent <= 1 || stride == 0 {
        return true;
    }
    if stride < 0 {
        return false;
    }
    let bits = bit_length(extent as u64 - 1);
    let last = if extent - 1 > 1 << (bits - 1) { bits } else { bits - 1 };
    let mut distance = 1;
    while distance < last {
        if stride & stride >> distance != 0 {
            return false;
        }
        distance += 1;
    }
    true
}

/// The bits that the carry-less multiples of `stride` by factors below `extent` occupy.
pub(crate) const fn reach(extent: i64, stride: i64) -> u64 {
    let (mut mask, mut k) = (0, 0);
    while k < bit_length(extent as u64 - 1) {
        mask |= (stride as u64) << k;
        k += 1;
    }
    mask
}

/// The bits of sums so far together with those of the multiples of `stride` by factors below `extent`, where their sums are
/// XORs: nothing carries within the mode, and it shares no bit with the others.
///
/// # Errors
/// [`Error::CarrylessScale`], [`Error::NotXorLinear`].
pub(crate) const fn join(seen: u64, extent: i64, stride: i64) -> Result<u64, Error> {
    if !carryless_scale_agrees(extent, stride) {
        return Err(Error::CarrylessScale { extent, stride });
    }
    let mask = reach(extent, stride);
    if seen & mask != 0 {
        return Err(Error::NotXorLinear { reason: SHARED });
    }
    Ok(seen | mask)
}

/// The span of vectors over F2 in echelon form: at each leading bit at most one vector, with the combination of the
/// inserted ones that it is. A combination only uses vectors that were independent of those before them.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    pub vectors: [u64; 64],
    pub combinations: [u64; 64],
    pub rank: usize,
}

impl Span {
    pub const fn new() -> Span {
        Span { vectors: [0; 64], combinations: [0; 64], rank: 0 }
    }

    /// Adds a vector that is called `name`; false where it is in the span already.
    pub const fn insert(&mut self, vector: u64, name: u64) -> bool {
        let (rest, combination) = self.reduce(vector);
        if rest == 0 {
            return false;
        }
        let lead = bit_length(rest) as usize - 1;
        self.vectors[lead] = rest;
        self.combinations[lead] = combination ^ name;
        self.rank += 1;
        true
    }

    /// What remains of a vector after subtracting vectors of the span from the highest bit on, and the combination
    /// that was subtracted. The vector lies in the span exactly when nothing remains.
    pub const fn reduce(&self, vector: u64) -> (u64, u64) {
        let (mut rest, mut combination, mut open) = (vector, 0, vector);
        while open != 0 {
            let lead = bit_length(open) as usize - 1;
            if self.vectors[lead] != 0 {
                rest ^= self.vectors[lead];
                combination ^= self.combinations[lead];
            }
            open = rest & ((1 << lead) - 1);
        }
        (rest, combination)
    }

    /// The bits of a reduced vector at which no vector of the span leads: what tells it from other reduced vectors.
    pub const fn coordinates(&self, vector: u64) -> u64 {
        let (mut packed, mut place, mut lead) = (0, 0, 0);
        while lead < 64 {
            if self.vectors[lead] == 0 {
                packed |= (vector >> lead & 1) << place;
                place += 1;
            }
            lead += 1;
        }
        packed
    }

    /// The greatest value of `base ^ v` for `v` in the span.
    pub const fn max(&self, base: u64) -> u64 {
        let (mut value, mut lead) = (base, 64);
        while lead > 0 {
            lead -= 1;
            if value >> lead & 1 == 0 {
                value ^= self.vectors[lead];
            }
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::int;

    #[test]
    fn agreement_is_what_enumeration_says() {
        for extent in 1..70 {
            for stride in 0..200 {
                let truth = (0..extent).all(|a| int::carryless_mul(a, stride) == Ok(a * stride));
                assert_eq!(carryless_scale_agrees(extent, stride), truth, "{extent}:^{stride}");
            }
        }
    }
}
