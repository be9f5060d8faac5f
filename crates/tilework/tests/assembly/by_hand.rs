//! The same kernels with the index computations written out.

/// `C += A B^T`, three different layouts.
#[unsafe(no_mangle)]
pub fn gemm(a: &[f32; 64], b: &[f32; 64], c: &mut [f32; 64]) {
    for i in 0..8 {
        for j in 0..8 {
            for k in 0..8 {
                c[8 * i + j] += a[8 * i + k] * b[j + 8 * k];
            }
        }
    }
}

/// Gathers what each of 32 threads owns of a matrix, two values each.
#[unsafe(no_mangle)]
pub fn copy(from: &[f32; 64], to: &mut [f32; 64]) {
    for thread in 0..32 {
        for value in 0..2 {
            to[2 * thread + value] = from[2 * (thread % 4) + 8 * (thread / 4) + value];
        }
    }
}

/// One matrix into another, too large to be unrolled.
#[unsafe(no_mangle)]
pub fn transpose(from: &[f32; 3072], to: &mut [f32; 3072]) {
    for i in 0..64 {
        for j in 0..48 {
            to[i + 64 * j] = from[48 * i + j];
        }
    }
}

/// The sum of one row of a blocked matrix; which row is known at run time only.
#[unsafe(no_mangle)]
pub fn row_sum(from: &[i32; 1024], row: u8) -> i32 {
    let row = (row % 32) as usize;
    let mut sum = 0i32;
    for j in 0..32 {
        sum = sum.wrapping_add(from[2 * (row % 4) + 128 * (row / 4) + j % 2 + 8 * (j / 2)]);
    }
    sum
}
