//! The same kernels with the index computations written out.

/// `C += A B^T`, in the order of loops of the paper (section 2.6.2).
#[unsafe(no_mangle)]
pub fn gemm(a: &[f32; 64], b: &[f32; 64], c: &mut [f32; 64]) {
    for k in 0..8i64 {
        for j in 0..8i64 {
            for i in 0..8i64 {
                c[(8 * i + j) as usize] += a[(8 * i + k) as usize] * b[(j + 8 * k) as usize];
            }
        }
    }
}

/// Gathers what each of 32 threads owns of a matrix, two values each.
#[unsafe(no_mangle)]
pub fn copy(from: &[f32; 64], to: &mut [f32; 64]) {
    for thread in 0..32i64 {
        for value in 0..2i64 {
            let (column, row) = (thread % 4, thread / 4);
            to[(2 * thread + value) as usize] = from[(2 * column + 8 * row + value) as usize];
        }
    }
}

/// One matrix into another, too large to be unrolled.
#[unsafe(no_mangle)]
pub fn transpose(from: &[f32; 3072], to: &mut [f32; 3072]) {
    for i in 0..64i64 {
        for j in 0..48i64 {
            to[(i + 64 * j) as usize] = from[(48 * i + j) as usize];
        }
    }
}

/// The sum of one row of a blocked matrix; which row is known at run time only.
#[unsafe(no_mangle)]
pub fn row_sum(from: &[i32; 1024], row: u8) -> i32 {
    let row = (row % 32) as i64;
    let mut sum = 0i32;
    for column in 0..32i64 {
        let offset = 2 * (row % 4) + 128 * (row / 4) + column % 2 + 8 * (column / 2);
        sum = sum.wrapping_add(from[offset as usize]);
    }
    sum
}
