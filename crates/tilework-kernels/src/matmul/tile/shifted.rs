//! Operands of instructions that multiply `u8` by `i8`, for products of `i8` by `i8`.
//!
//! The operand that vectors run along is packed as `a + 128`, and the sums of a column begin with `-128` times the sum of the
//! other operand's elements: `sum of (a + 128) b - 128 sum of b`. This is exact modulo 2^32 for all values.

use crate::simd::vector::Vector;

/// Four elements of 128: the XOR that maps four `a` to `a + 128`, and back.
const SHIFT: i32 = i32::from_ne_bytes([0x80; 4]);

/// Adds 128 to all elements of packed panels.
///
/// # Safety
/// `panels` is valid for reads and writes of `count` lanes.
#[inline(always)]
pub(crate) unsafe fn shift<V: Vector<Scalar = i32>>(panels: *mut i32, count: usize) {
    for i in 0..count {
        // SAFETY: the lane is below `count`.
        unsafe { *panels.add(i) ^= SHIFT };
    }
}

/// The initial sums of each column, for panels of `R` columns, at most the lanes of `V`.
///
/// # Safety
/// `panels` is valid for reads of `count` panels of `steps` lanes for each column, and one vector more; `begins` for
/// writes of `R` lanes for each panel, and one vector more.
#[inline(always)]
pub(crate) unsafe fn begin<V: Vector<Scalar = i32>, const R: usize>(
    panels: *const i32,
    count: usize,
    steps: usize,
    begins: *mut i32,
) {
    const { assert!(R <= V::LANES) };
    // SAFETY: the steps are those of the panels; a vector from the last one on is valid for reads, and one of sums for
    // writes.
    unsafe {
        let ones = V::splat(SHIFT);
        for panel in 0..count {
            let from = panels.add(panel * steps * R);
            // Four sums, because each waits for its previous addition.
            let mut sums = [V::splat(0); 4];
            for k in 0..steps {
                sums[k % 4] = sums[k % 4].fma_packed(ones, V::load(from.add(k * R)));
            }
            let [a, b, c, d] = sums;
            let one = V::splat(1);
            let sum = a.mul_add(one, b).mul_add(one, c).mul_add(one, d);
            sum.mul(V::splat(-1)).store(begins.add(panel * R));
        }
    }
}
