//! The kernels over static layouts.

mod layouts;

use layouts::*;
use tilework::static_layout::{Mode, StaticLayout};

/// `C += A B^T`, in the order of loops of the paper (section 2.6.2).
#[unsafe(no_mangle)]
pub fn gemm(a: &[f32; 64], b: &[f32; 64], c: &mut [f32; 64]) {
    for k in 0..8 {
        for j in 0..8 {
            for i in 0..8 {
                c[RowMajor::at([i, j]) as usize] += a[RowMajor::at([i, k]) as usize]
                    * b[ColumnMajor::at([j, k]) as usize];
            }
        }
    }
}

/// Gathers what each of 32 threads owns of a matrix, two values each.
#[unsafe(no_mangle)]
pub fn copy(from: &[f32; 64], to: &mut [f32; 64]) {
    for thread in 0..32 {
        for value in 0..2 {
            to[Packed::at([thread, value]) as usize] =
                from[Partition::at([thread, value]) as usize];
        }
    }
}

/// One matrix into another, too large to be unrolled.
#[unsafe(no_mangle)]
pub fn transpose(from: &[f32; 3072], to: &mut [f32; 3072]) {
    for i in 0..64 {
        for j in 0..48 {
            to[Transposed::at([i, j]) as usize] = from[Matrix::at([i, j]) as usize];
        }
    }
}

/// The sum of one row of a blocked matrix; which row is known at run time only.
#[unsafe(no_mangle)]
pub fn row_sum(from: &[i32; 1024], row: u8) -> i32 {
    let row = (row % 32) as i64;
    let mut sum = 0i32;
    for column in 0..Mode::<Blocked, 1>::SIZE {
        sum = sum.wrapping_add(from[Blocked::at([row, column]) as usize]);
    }
    sum
}
