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
/// The factors with two set bits decide this: they add two copies of `stride`, which collide if two set bits of
/// `stride` have the same distance as the two of the factor. If `n` is the bit length of `extent - 1`, all distances up
/// to `n - 2` occur among the factors, and `n - 1` if some factor exceeds `2^(n-1)`.
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

/// The union of the bits `seen` and those of the multiples of `stride` by factors below `extent`, if their sums are
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

/// The span of vectors over F2 in echelon form: at each leading bit at most one vector, with the combination of
/// inserted vectors that gives it. A combination only uses vectors that were independent when inserted.
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

    /// Adds a vector named `name`; false if it is already in the span.
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

    /// The remainder of a vector after subtracting vectors of the span from the highest bit on, and the subtracted
    /// combination. The vector is in the span if and only if the remainder is 0.
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

    /// The bits of a reduced vector at which no vector of the span leads: they identify it among reduced vectors.
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
