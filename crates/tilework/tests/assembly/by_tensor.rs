//! The kernels with tensors of static layouts: checked when they are compiled, or where the tensor is made.

mod layouts;

use layouts::*;
use tilework::Tensor;

/// `C += A B^T`, in the order of loops of the paper (section 2.6.2).
#[unsafe(no_mangle)]
pub fn gemm(a: &[f32; 64], b: &[f32; 64], c: &mut [f32; 64]) {
    let (a, b, mut c) = (Tensor::fixed(a, RowMajor), Tensor::fixed(b, ColumnMajor), Tensor::fixed(c, RowMajor));
    for k in 0..8 {
        for j in 0..8 {
            for i in 0..8 {
                c.set([i, j], c.at([i, j]) + a.at([i, k]) * b.at([j, k]));
            }
        }
    }
}

/// Gathers what each of 32 threads owns of a matrix, two values each.
#[unsafe(no_mangle)]
pub fn copy(from: &[f32; 64], to: &mut [f32; 64]) {
    let (from, mut to) = (Tensor::fixed(from, Partition::default()), Tensor::fixed(to, Packed));
    for thread in 0..32 {
        for value in 0..2 {
            to.set([thread, value], from.at([thread, value]));
        }
    }
}

/// One matrix into another, too large to be unrolled.
#[unsafe(no_mangle)]
pub fn transpose(from: &[f32; 3072], to: &mut [f32; 3072]) {
    let (from, mut to) = (Tensor::new(from, Matrix).unwrap(), Tensor::new(to, Transposed).unwrap());
    for i in 0..64 {
        for j in 0..48 {
            to.set([i, j], from.at([i, j]));
        }
    }
}

/// The sum of one row of a blocked matrix; which row is known at run time only.
#[unsafe(no_mangle)]
pub fn row_sum(from: &[i32; 1024], row: u8) -> i32 {
    let from = Tensor::new(&from[..], Blocked).unwrap();
    let row = (row % 32) as i64;
    let mut sum = 0i32;
    for column in 0..32 {
        sum = sum.wrapping_add(from.at([row, column]));
    }
    sum
}
