//! The kernels over layouts that the compiler does not know: what the comparison has to notice.

use std::hint::black_box;
use tilework::layout;

#[unsafe(no_mangle)]
pub fn gemm(a: &[f32; 64], b: &[f32; 64], c: &mut [f32; 64]) {
    let (row_major, column_major) = black_box((layout!((8,8):(8,1)), layout!((8,8):(1,8))));
    for k in 0..8 {
        for j in 0..8 {
            for i in 0..8 {
                c[row_major.at(i + 8 * j) as usize] +=
                    a[row_major.at(i + 8 * k) as usize] * b[column_major.at(j + 8 * k) as usize];
            }
        }
    }
}

#[unsafe(no_mangle)]
pub fn copy(from: &[f32; 64], to: &mut [f32; 64]) {
    let (packed, partition) = black_box((layout!((32,2):(2,1)), layout!(((4,8),2):((2,8),1))));
    for index in 0..64 {
        to[packed.at(index) as usize] = from[partition.at(index) as usize];
    }
}

#[unsafe(no_mangle)]
pub fn transpose(from: &[f32; 3072], to: &mut [f32; 3072]) {
    let (matrix, transposed) = black_box((layout!((64,48):(48,1)), layout!((64,48):(1,64))));
    for index in 0..3072 {
        to[transposed.at(index) as usize] = from[matrix.at(index) as usize];
    }
}

#[unsafe(no_mangle)]
pub fn row_sum(from: &[i32; 1024], row: u8) -> i32 {
    let blocked = black_box(layout!(((4,8),(2,16)):((2,128),(1,8))));
    let mut sum = 0i32;
    for column in 0..32 {
        sum = sum.wrapping_add(from[blocked.at((row % 32) as i64 + 32 * column) as usize]);
    }
    sum
}
