//! Copying by the peers: `memcpy`, `memset`, ndarray, strided-perm, transpose, HPTT and the plain loop.

use crate::{Job, Made, handle, text, with_type};
use ndarray::{ArrayView, ArrayViewMut, Dimension, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn, ShapeBuilder};
use std::ffi::{c_char, c_int};
use std::slice::{from_raw_parts, from_raw_parts_mut};
use strided_view::{StridedView, StridedViewMut};
use threadteam::{Exec, Pool};

/// A copy between strided arrays of one shape.
#[repr(C)]
pub struct Copying {
    element: *const c_char,
    rank: usize,
    shape: *const usize,
    from: *const u8,
    from_strides: *const isize,
    to: *mut u8,
    to_strides: *const isize,
    threads: usize,
}

impl Copying {
    /// The shape and the strides of both sides.
    ///
    /// # Safety
    /// The pointers are those of arrays of `len` numbers.
    unsafe fn loops(&self) -> (Vec<usize>, Vec<isize>, Vec<isize>) {
        // SAFETY: the pointers are valid as this function demands.
        unsafe {
            (
                from_raw_parts(self.shape, self.rank).to_vec(),
                from_raw_parts(self.from_strides, self.rank).to_vec(),
                from_raw_parts(self.to_strides, self.rank).to_vec(),
            )
        }
    }
}

/// `ArrayViewMut::assign`.
///
/// # Safety
/// The arrays are there, and outlive the job; they do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ndarray_copy(copying: &Copying) -> *mut Job {
    // SAFETY: the pointers are valid as this function demands.
    handle(|| unsafe {
        with_type!(text(copying.element)?, T in ["f32" f32, "f64" f64, "u16" u16], match copying.rank {
            1 => assign::<T, Ix1>(copying),
            2 => assign::<T, Ix2>(copying),
            3 => assign::<T, Ix3>(copying),
            4 => assign::<T, Ix4>(copying),
            5 => assign::<T, Ix5>(copying),
            6 => assign::<T, Ix6>(copying),
            rank => Err(format!("not for rank {rank}")),
        })
    })
}

unsafe fn assign<T: Copy + 'static, D: Dimension + 'static>(copying: &Copying) -> Made {
    // SAFETY: the pointers are valid as this function demands.
    let (shape, from, to) = unsafe { copying.loops() };
    let strided = |strides: Vec<isize>| {
        let strides: Vec<usize> = strides.iter().map(|&stride| stride as usize).collect();
        IxDyn(&shape).strides(IxDyn(&strides))
    };
    // SAFETY: the pointers are valid as this function demands.
    let (source, destination) = unsafe {
        (
            ArrayView::from_shape_ptr(strided(from), copying.from.cast::<T>()),
            ArrayViewMut::from_shape_ptr(strided(to), copying.to.cast::<T>()),
        )
    };
    let rank = |error: ndarray::ShapeError| error.to_string();
    let source = source.into_dimensionality::<D>().map_err(rank)?;
    let mut destination = destination.into_dimensionality::<D>().map_err(rank)?;
    Job::new(move || destination.assign(&source))
}

/// `strided_perm::copy_into`.
///
/// # Safety
/// As for [`ndarray_copy`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn strided_perm_copy(copying: &Copying) -> *mut Job {
    // SAFETY: the pointers are valid as this function demands.
    handle(|| unsafe {
        with_type!(text(copying.element)?, T in ["f32" f32, "f64" f64, "u16" u16], permute::<T>(copying))
    })
}

unsafe fn permute<T: Copy + Send + Sync + 'static>(copying: &Copying) -> Made {
    // SAFETY: the pointers are valid as this function demands.
    let (shape, from, to) = unsafe { copying.loops() };
    let span = |strides: &[isize]| -> usize {
        1 + shape.iter().zip(strides).map(|(extent, stride)| (extent - 1) * *stride as usize).sum::<usize>()
    };
    // SAFETY: the pointers are valid as this function demands.
    let (source, destination) = unsafe {
        (
            from_raw_parts(copying.from.cast::<T>(), span(&from)),
            from_raw_parts_mut(copying.to.cast::<T>(), span(&to)),
        )
    };
    // SAFETY: the slices are as long as the strides need them to be.
    let (source, mut destination) = unsafe {
        (
            StridedView::<T>::new_unchecked(source, &shape, &from, 0),
            StridedViewMut::new_unchecked(destination, &shape, &to, 0),
        )
    };
    let copy =
        move |exec: Exec| strided_perm::copy_into(&mut destination, &source, exec).expect("the shapes agree");
    run_on(copying.threads, copy)
}

/// A job with an execution token for `threads` threads.
fn run_on(threads: usize, mut copy: impl FnMut(Exec) + 'static) -> Made {
    if threads == 1 {
        return Job::new(move || copy(Exec::serial()));
    }
    let pool = Pool::builder().threads(threads).build().map_err(|error| error.to_string())?;
    Job::new(move || copy(Exec::new(&pool, threads).expect("the pool is as wide")))
}

/// `transpose::transpose` of `height` rows, each of `width` elements.
///
/// # Safety
/// As for [`ndarray_copy`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn transpose_copy(
    element: *const c_char,
    from: *const u8,
    to: *mut u8,
    width: usize,
    height: usize,
) -> *mut Job {
    // SAFETY: the pointers are valid as this function demands.
    handle(|| unsafe {
        with_type!(text(element)?, T in ["f32" f32, "f64" f64, "u16" u16], {
            let source = from_raw_parts(from.cast::<T>(), width * height);
            let destination = from_raw_parts_mut(to.cast::<T>(), width * height);
            Job::new(move || transpose::transpose(source, destination, width, height))
        })
    })
}

/// The plain loop, for a matrix of `height` columns of `width` contiguous elements, by the instructions for which plans are
/// made; through the caches, or past them if `streamed`.
///
/// # Safety
/// As for [`ndarray_copy`].
#[cfg(target_arch = "x86_64")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn plain_copy(
    element: *const c_char,
    from: *const u8,
    to: *mut u8,
    width: usize,
    height: usize,
    streamed: usize,
) -> *mut Job {
    handle(|| {
        let wide = tilework_kernels::Isa::current().map_err(|error| error.to_string())?
            == tilework_kernels::Isa::Avx512;
        // SAFETY: the pointers are valid as this function demands.
        let bytes = with_type!(unsafe { text(element) }?, T in ["f32" f32, "f64" f64, "u16" u16], Ok::<_, String>(size_of::<T>()))?;
        let streamed = streamed != 0;
        if streamed && !(height * bytes).is_multiple_of(64) {
            return Err("rows that are not whole lines".to_string());
        }
        // SAFETY: the pointers are valid as this function demands.
        Job::new(move || {
            let done = unsafe { crate::plain::transpose(bytes, wide, streamed, from, to, [width, height]) };
            assert!(done, "the instructions are not there");
        })
    })
}

type Hptt<T> = unsafe extern "C" fn(
    *const c_int,
    c_int,
    T,
    *const T,
    *const c_int,
    *const c_int,
    T,
    *mut T,
    *const c_int,
    c_int,
    c_int,
);

/// `sTensorTranspose` or `dTensorTranspose` of a dense tensor: mode `i` of the destination is mode `order[i]` of the source.
///
/// # Safety
/// As for [`ndarray_copy`]; the function is that for the type, and `order` and `sizes` are `rank` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hptt_copy(
    function: *const (),
    copying: &Copying,
    order: *const c_int,
    sizes: *const c_int,
) -> *mut Job {
    let (rank, from, to, threads) = (copying.rank, copying.from, copying.to, copying.threads);
    // SAFETY: the pointers are valid as this function demands.
    let (order, sizes) =
        unsafe { (from_raw_parts(order, rank).to_vec(), from_raw_parts(sizes, rank).to_vec()) };
    /// The call for a type.
    macro_rules! call {
        ($T:ty) => {{
            // SAFETY: the pointers are valid as this function demands.
            let function = unsafe { std::mem::transmute::<*const (), Hptt<$T>>(function) };
            let (from, to) = (from.cast::<$T>(), to.cast::<$T>());
            let (rank, threads) = (rank as c_int, threads as c_int);
            let (order, sizes, none) = (order, sizes, std::ptr::null());
            // SAFETY: the pointers are valid as this function demands.
            Job::new(move || unsafe {
                let (order, sizes) = (order.as_ptr(), sizes.as_ptr());
                function(order, rank, 1.0, from, sizes, none, 0.0, to, none, threads, 0)
            })
        }};
    }
    // SAFETY: the pointers are valid as this function demands.
    handle(|| match unsafe { text(copying.element) }? {
        "f32" => call!(f32),
        "f64" => call!(f64),
        other => Err(format!("not for {other}")),
    })
}

/// `memcpy`, on each thread for its part.
///
/// # Safety
/// So many bytes are there, and outlive the job; they do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memcpy_bytes(
    from: *const u8,
    to: *mut u8,
    bytes: usize,
    threads: usize,
) -> *mut Job {
    // SAFETY: the pointers are valid as this function demands.
    let (source, destination) = unsafe { (from_raw_parts(from, bytes), from_raw_parts_mut(to, bytes)) };
    handle(|| {
        Job::new(move || {
            in_parts(threads, destination, &|part, at| part.copy_from_slice(&source[at..][..part.len()]))
        })
    })
}

/// `memset`, on each thread for its part.
///
/// # Safety
/// As for [`memcpy_bytes`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memset_bytes(to: *mut u8, bytes: usize, threads: usize) -> *mut Job {
    // SAFETY: the pointers are valid as this function demands.
    let destination = unsafe { from_raw_parts_mut(to, bytes) };
    handle(|| Job::new(move || in_parts(threads, destination, &|part, _| part.fill(7))))
}

/// `work` on each part of the bytes, with where the part begins.
fn in_parts(threads: usize, bytes: &mut [u8], work: &(dyn Fn(&mut [u8], usize) + Sync)) {
    if threads == 1 {
        return work(bytes, 0);
    }
    let len = bytes.len().div_ceil(threads).next_multiple_of(64);
    rayon::scope(|scope| {
        for (i, part) in bytes.chunks_mut(len).enumerate() {
            scope.spawn(move |_| work(part, i * len));
        }
    });
}
