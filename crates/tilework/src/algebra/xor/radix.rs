//! A layout as a function of one integer: the digits of a coordinate, and its offset.

use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::Layout;
use crate::tuple::MAX_LEAVES;

/// A flat layout merged for the extended domain, without the modes that coordinates up to a bound do not reach.
#[derive(Clone, Copy)]
pub(super) struct Radix {
    pub extents: [i64; MAX_LEAVES],
    pub strides: [i64; MAX_LEAVES],
    pub len: usize,
    pub xor: bool,
}

impl Radix {
    /// The layout, of integer or XOR strides, for coordinates in `0..=most`.
    pub const fn new(layout: &Layout, most: i64) -> Result<Radix, Error> {
        let xor = match layout.codomain() {
            Codomain::Integer => false,
            Codomain::Xor => true,
            found => return Err(Error::Codomain { operation: "composition with an XOR layout", found }),
        };
        let mut radix = Radix { extents: [1; MAX_LEAVES], strides: [0; MAX_LEAVES], len: 0, xor };
        let leaves = layout.leaves();
        let (mut size, mut i) = (1, 0);
        // A mode that begins beyond `most` is never entered; without it, the one before is the last.
        while i < leaves.len() && size <= most {
            let (extent, stride) = (leaves[i].extent, leaves[i].stride.numerator());
            if extent > 1 || i + 1 == leaves.len() {
                if radix.len > 0 && radix.continues_with(stride) {
                    radix.extents[radix.len - 1] *= extent;
                } else {
                    radix.extents[radix.len] = extent;
                    radix.strides[radix.len] = stride;
                    radix.len += 1;
                }
            }
            size *= extent;
            i += 1;
        }
        if radix.len == 0 {
            radix.len = 1;
        }
        Ok(radix)
    }

    /// Whether a mode with this stride continues the last one, at every integer.
    const fn continues_with(&self, stride: i64) -> bool {
        let (extent, own) = (self.extents[self.len - 1], self.strides[self.len - 1]);
        if own == 0 || stride == 0 {
            return own == stride;
        }
        let product = if self.xor {
            if !(extent as u64).is_power_of_two() {
                return false;
            }
            int::carryless_mul(extent, own)
        } else {
            int::mul(extent, own)
        };
        matches!(product, Ok(product) if product == stride)
    }

    /// The digits of `x`, the last not reduced.
    pub const fn digits(&self, x: i64) -> [i64; MAX_LEAVES] {
        let mut digits = [0; MAX_LEAVES];
        let (mut rest, mut r) = (x, 0);
        while r + 1 < self.len {
            (rest, digits[r]) = int::div_rem(rest, self.extents[r]);
            r += 1;
        }
        digits[r] = rest;
        digits
    }

    pub const fn at(&self, x: i64) -> Result<i64, Error> {
        let digits = self.digits(x);
        let (mut offset, mut r) = (0, 0);
        while r < self.len {
            if self.strides[r] == 0 {
            } else if self.xor && digits[r] < 0 {
                let stride = digits[r];
                return Err(Error::NegativeStride { operation: "composition with an XOR layout", stride });
            } else if self.xor {
                offset ^= tri!(int::carryless_mul(digits[r], self.strides[r]));
            } else {
                offset = tri!(int::add(offset, tri!(int::mul(digits[r], self.strides[r]))));
            }
            r += 1;
        }
        Ok(offset)
    }
}
