//! Products and transposes by the C libraries: MKL, OpenBLAS and BLIS. Python finds their functions.

use crate::products::Product;
use crate::{Job, handle, text};
use std::ffi::{c_char, c_int};

const COLUMN_MAJOR: c_int = 102;
const NO_TRANS: c_int = 111;
const TRANS: c_int = 112;

type Cblas<T> = unsafe extern "C" fn(
    c_int,
    c_int,
    c_int,
    c_int,
    c_int,
    c_int,
    T,
    *const T,
    c_int,
    *const T,
    c_int,
    T,
    *mut T,
    c_int,
);

/// `cblas_sgemm` or `cblas_dgemm`, for matrices with contiguous rows or columns and a result with contiguous columns.
///
/// # Safety
/// The function is that for the type of the product; the matrices are there, and outlive the job.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cblas_product(function: *const (), product: &Product) -> *mut Job {
    let Product { m, n, k, a, b, c, .. } = *product;
    let [m, n, k] = [m, n, k].map(|size| size as c_int);
    handle(|| {
        let (of_a, lda) = leading(product.a_strides)?;
        let (of_b, ldb) = leading(product.b_strides)?;
        let (NO_TRANS, ldc) = leading(product.c_strides)? else { return Err("rows of C".to_string()) };
        /// The call for a type.
        macro_rules! call {
            ($T:ty) => {{
                // SAFETY: the pointers are valid as this function demands.
                let function = unsafe { std::mem::transmute::<*const (), Cblas<$T>>(function) };
                let (a, b, c) = (a.cast::<$T>(), b.cast::<$T>(), c.cast::<$T>());
                // SAFETY: the pointers are valid as this function demands.
                Job::new(move || unsafe {
                    function(COLUMN_MAJOR, of_a, of_b, m, n, k, 1.0, a, lda, b, ldb, 0.0, c, ldc)
                })
            }};
        }
        // SAFETY: the pointers are valid as this function demands.
        match unsafe { text(product.element) }? {
            "f32" => call!(f32),
            "f64" => call!(f64),
            other => Err(format!("not for {other}")),
        }
    })
}

/// Whether a matrix is transposed, and its leading dimension, as CBLAS says it.
fn leading(strides: [isize; 2]) -> Result<(c_int, c_int), String> {
    match strides {
        [1, col] => Ok((NO_TRANS, col as c_int)),
        [row, 1] => Ok((TRANS, row as c_int)),
        _ => Err("no stride of 1".to_string()),
    }
}

type Bli<T> = unsafe extern "C" fn(
    c_int,
    c_int,
    i64,
    i64,
    i64,
    *const T,
    *const T,
    i64,
    i64,
    *const T,
    i64,
    i64,
    *const T,
    *mut T,
    i64,
    i64,
);

/// `bli_sgemm` or `bli_dgemm`, for any strides.
///
/// # Safety
/// As for [`cblas_product`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blis_product(function: *const (), product: &Product) -> *mut Job {
    let Product { m, n, k, a, b, c, .. } = *product;
    let [m, n, k] = [m, n, k].map(|size| size as i64);
    let [[a_row, a_col], [b_row, b_col], [c_row, c_col]] =
        [product.a_strides, product.b_strides, product.c_strides]
            .map(|strides| strides.map(|stride| stride as i64));
    /// The call for a type.
    macro_rules! call {
        ($T:ty) => {{
            // SAFETY: the pointers are valid as this function demands.
            let function = unsafe { std::mem::transmute::<*const (), Bli<$T>>(function) };
            let (a, b, c) = (a.cast::<$T>(), b.cast::<$T>(), c.cast::<$T>());
            // SAFETY: the pointers are valid as this function demands.
            Job::new(move || unsafe {
                function(0, 0, m, n, k, &1.0, a, a_row, a_col, b, b_row, b_col, &0.0, c, c_row, c_col)
            })
        }};
    }
    // SAFETY: the pointers are valid as this function demands.
    handle(|| match unsafe { text(product.element) }? {
        "f32" => call!(f32),
        "f64" => call!(f64),
        other => Err(format!("not for {other}")),
    })
}

type Omatcopy<T> = unsafe extern "C" fn(c_char, c_char, usize, usize, T, *const T, usize, *mut T, usize);

/// `MKL_Somatcopy` or `MKL_Domatcopy`: the transpose of `rows` by `cols` elements, each row contiguous.
///
/// # Safety
/// As for [`cblas_product`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omatcopy(
    function: *const (),
    element: *const c_char,
    from: *const u8,
    to: *mut u8,
    rows: usize,
    cols: usize,
) -> *mut Job {
    /// The call for a type.
    macro_rules! call {
        ($T:ty) => {{
            // SAFETY: the pointers are valid as this function demands.
            let function = unsafe { std::mem::transmute::<*const (), Omatcopy<$T>>(function) };
            let (from, to) = (from.cast::<$T>(), to.cast::<$T>());
            // SAFETY: the pointers are valid as this function demands.
            Job::new(move || unsafe {
                function(b'R' as c_char, b'T' as c_char, rows, cols, 1.0, from, cols, to, rows)
            })
        }};
    }
    // SAFETY: the pointers are valid as this function demands.
    handle(|| match unsafe { text(element) }? {
        "f32" => call!(f32),
        "f64" => call!(f64),
        other => Err(format!("not for {other}")),
    })
}
