//! A model of the tiles of AMX, as the manual of the instructions defines them (Intel, volume 2).

use super::amx::{ROW, ROWS, Tiles};

/// Eight tiles in memory.
pub(crate) struct Model([[[u8; ROW]; ROWS]; 8]);

impl Model {
    fn sum<const N: usize>(&mut self, tile: usize, row: usize, column: usize) -> &mut [u8; N] {
        (&mut self.0[tile][row][N * column..N * column + N]).try_into().unwrap()
    }
}

/// `bf16` as `f32`, where subnormal numbers are 0.
fn widened(bits: [u8; 2]) -> f32 {
    flushed(f32::from_bits(u32::from(u16::from_le_bytes(bits)) << 16))
}

fn flushed(value: f32) -> f32 {
    if value.is_subnormal() { 0f32.copysign(value) } else { value }
}

macro_rules! model {
    ($($sum:ty: |$tiles:ident, $to:ident, $a:ident, $b:ident, $row:ident, $column:ident| $multiply:expr;)*) => {$(
        impl Tiles<$sum> for Model {
            unsafe fn configure() -> Self {
                // The initial contents must not be used.
                Model([[[0x7f; ROW]; ROWS]; 8])
            }
            unsafe fn zero<const TO: usize>(&mut self) {
                self.0[TO] = [[0; ROW]; ROWS];
            }
            unsafe fn load<const TO: usize>(&mut self, from: *const $sum, pitch: usize) {
                for (row, to) in self.0[TO].iter_mut().enumerate() {
                    // SAFETY: the rows are valid for reads of 64 bytes.
                    *to = unsafe { from.byte_add(row * pitch).cast::<[u8; ROW]>().read_unaligned() };
                }
            }
            unsafe fn store<const FROM: usize>(&mut self, to: *mut $sum, pitch: usize) {
                for (row, from) in self.0[FROM].iter().enumerate() {
                    // SAFETY: the rows are valid for writes of 64 bytes.
                    unsafe { to.byte_add(row * pitch).cast::<[u8; ROW]>().write_unaligned(*from) };
                }
            }
            unsafe fn multiply<const TO: usize, const A: usize, const B: usize>(&mut self) {
                let ($tiles, $to, $a, $b) = (self, TO, A, B);
                for $row in 0..ROWS {
                    for $column in 0..ROW / 4 {
                        $multiply
                    }
                }
            }
            unsafe fn release(&mut self) {}
        }
    )*};
}
model! {
    // tdpbssd
    i32: |tiles, to, a, b, row, column| {
        let mut sum = i32::from_le_bytes(*tiles.sum::<4>(to, row, column));
        for k in 0..ROW {
            let [x, y] = [tiles.0[a][row][k], tiles.0[b][k / 4][4 * column + k % 4]].map(|byte| i32::from(byte as i8));
            sum = sum.wrapping_add(x * y);
        }
        *tiles.sum::<4>(to, row, column) = sum.to_le_bytes();
    };
    // tdpbf16ps: even and odd elements are summed separately.
    f32: |tiles, to, a, b, row, column| {
        let mut sums = [0f32; 2];
        for k in 0..ROW / 2 {
            let x = widened(*tiles.sum::<2>(a, row, k));
            let y = widened(*tiles.sum::<2>(b, k / 2, 2 * column + k % 2));
            sums[k % 2] = flushed(x.mul_add(y, sums[k % 2]));
        }
        let before = flushed(f32::from_le_bytes(*tiles.sum::<4>(to, row, column)));
        let sum = flushed(before + flushed(sums[0] + sums[1]));
        *tiles.sum::<4>(to, row, column) = sum.to_le_bytes();
    };
}
