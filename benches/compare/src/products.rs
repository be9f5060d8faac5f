//! Products of matrices by the Rust peers: gemm, faer, matrixmultiply and nano-gemm.

use crate::{Job, handle, text, with_type};
use faer::{Accum, MatMut, MatRef, Par};
use gemm::{Parallelism, f16};
use std::ffi::c_char;

/// `C = A B` for an `m` by `k` and a `k` by `n` matrix, each with the strides of its rows and columns.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Product {
    pub element: *const c_char,
    pub m: usize,
    pub n: usize,
    pub k: usize,
    pub a: *const u8,
    pub a_strides: [isize; 2],
    pub b: *const u8,
    pub b_strides: [isize; 2],
    pub c: *mut u8,
    pub c_strides: [isize; 2],
    pub threads: usize,
}

/// `gemm::gemm`.
///
/// # Safety
/// The matrices are there, and outlive the job; that of the result is apart from the others.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gemm_product(product: &Product) -> *mut Job {
    let Product { m, n, k, a, a_strides, b, b_strides, c, c_strides, threads, .. } = *product;
    let parallelism = if threads == 1 { Parallelism::None } else { Parallelism::Rayon(threads) };
    let [[a_row, a_col], [b_row, b_col], [c_row, c_col]] = [a_strides, b_strides, c_strides];
    // SAFETY: the pointers are valid as this function demands.
    handle(|| unsafe {
        with_type!(text(product.element)?, T in ["f32" f32, "f64" f64, "f16" f16], {
            let (a, b, c) = (a.cast::<T>(), b.cast::<T>(), c.cast::<T>());
            let [zero, one] = [0.0f32, 1.0].map(<T as FromF32>::from_f32);
            Job::new(move || {
                gemm::gemm(
                    m, n, k, c, c_col, c_row, false, a, a_col, a_row, b, b_col, b_row, zero, one, false, false,
                    false, parallelism,
                )
            })
        })
    })
}

/// The three types of `gemm::gemm` here.
trait FromF32 {
    fn from_f32(value: f32) -> Self;
}

impl FromF32 for f32 {
    fn from_f32(value: f32) -> f32 {
        value
    }
}

impl FromF32 for f64 {
    fn from_f32(value: f32) -> f64 {
        value.into()
    }
}

impl FromF32 for f16 {
    fn from_f32(value: f32) -> f16 {
        f16::from_f32(value)
    }
}

/// `faer::linalg::matmul::matmul`.
///
/// # Safety
/// As for [`gemm_product`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn faer_product(product: &Product) -> *mut Job {
    let Product { m, n, k, a, a_strides, b, b_strides, c, c_strides, threads, .. } = *product;
    let par = if threads == 1 { Par::Seq } else { Par::rayon(threads) };
    // SAFETY: the pointers are valid as this function demands.
    handle(|| unsafe {
        with_type!(text(product.element)?, T in ["f32" f32, "f64" f64], {
            let a = MatRef::from_raw_parts(a.cast::<T>(), m, k, a_strides[0], a_strides[1]);
            let b = MatRef::from_raw_parts(b.cast::<T>(), k, n, b_strides[0], b_strides[1]);
            let c = c.cast::<T>();
            Job::new(move || {
                let c = MatMut::from_raw_parts_mut(c, m, n, c_strides[0], c_strides[1]);
                faer::linalg::matmul::matmul(c, Accum::Replace, a, b, 1.0, par);
            })
        })
    })
}

/// `matrixmultiply::sgemm` and `dgemm`, on one thread: how many it takes is one choice for the whole process.
///
/// # Safety
/// As for [`gemm_product`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn matrixmultiply_product(product: &Product) -> *mut Job {
    /// Calls one of the two.
    macro_rules! multiply {
        ($function:path, $product:expr) => {{
            let Product { m, n, k, a, a_strides, b, b_strides, c, c_strides, .. } = $product;
            let ([a_row, a_col], [b_row, b_col], [c_row, c_col]) = (a_strides, b_strides, c_strides);
            let (a, b, c) = (a.cast(), b.cast(), c.cast());
            Job::new(move || $function(m, k, n, 1.0, a, a_row, a_col, b, b_row, b_col, 0.0, c, c_row, c_col))
        }};
    }
    // SAFETY: the pointers are valid as this function demands.
    handle(|| unsafe {
        match text(product.element)? {
            _ if product.threads > 1 => Err("on one thread only".to_string()),
            "f32" => multiply!(matrixmultiply::sgemm, *product),
            "f64" => multiply!(matrixmultiply::dgemm, *product),
            other => Err(format!("not for {other}")),
        }
    })
}

/// `nano_gemm::Plan::execute_unchecked`, for columns of `A` and `C` that are contiguous.
///
/// # Safety
/// As for [`gemm_product`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nano_gemm_product(product: &Product) -> *mut Job {
    /// Runs one of the two plans.
    macro_rules! execute {
        ($plan:path, $product:expr) => {{
            let Product { m, n, k, a, a_strides, b, b_strides, c, c_strides, .. } = $product;
            let ([a_row, a_col], [b_row, b_col], [c_row, c_col]) = (a_strides, b_strides, c_strides);
            let (a, b, c) = (a.cast(), b.cast(), c.cast());
            let plan = $plan(m, n, k);
            Job::new(move || {
                plan.execute_unchecked(
                    m, n, k, c, c_row, c_col, a, a_row, a_col, b, b_row, b_col, 0.0, 1.0, false, false,
                )
            })
        }};
    }
    // SAFETY: the pointers are valid as this function demands.
    handle(|| unsafe {
        match text(product.element)? {
            _ if product.a_strides[0] != 1 || product.c_strides[0] != 1 => {
                Err("columns are strided".to_string())
            }
            "f32" => execute!(nano_gemm::Plan::new_colmajor_lhs_and_dst_f32, *product),
            "f64" => execute!(nano_gemm::Plan::new_colmajor_lhs_and_dst_f64, *product),
            other => Err(format!("not for {other}")),
        }
    })
}
