//! The jobs of tilework, from layouts given as text.

use crate::{Job, Made, handle, text, with_type};
use half::{bf16, f16};
use std::ffi::c_char;
use std::slice::{from_raw_parts, from_raw_parts_mut};
use tilework::Layout;
use tilework_kernels::{ContractPlan, ConvPlan, Convolution, CopyPlan, Destination, Element, Execution, GemmPlan, Sum};

/// A copy from one layout to another.
///
/// # Safety
/// The texts end in zeros; the places are those of offset 0 of the layouts, and outlive the job.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilework_copy(
    element: *const c_char,
    source: *const c_char,
    destination: *const c_char,
    from: *const u8,
    to: *mut u8,
    threads: usize,
) -> *mut Job {
    // SAFETY: the pointers are valid as this function demands.
    handle(|| unsafe {
        let (source, destination) = (layout(source)?, layout(destination)?);
        with_type!(text(element)?, T in ["f32" f32, "f64" f64, "u16" u16], {
            let plan = CopyPlan::<T>::new(&source, &destination).map_err(|error| error.to_string())?;
            Job::new(move || {
                plan.run_raw(from.cast::<T>(), to.cast::<T>(), &Execution::threads(threads)).expect("it is planned");
            })
        })
    })
}

/// The planning of a copy.
///
/// # Safety
/// The texts end in zeros.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilework_copy_plan(
    element: *const c_char,
    source: *const c_char,
    destination: *const c_char,
) -> *mut Job {
    // SAFETY: the pointers are valid as this function demands.
    handle(|| unsafe {
        let (source, destination) = (layout(source)?, layout(destination)?);
        with_type!(text(element)?, T in ["f32" f32, "f64" f64, "u16" u16], {
            Job::new(move || {
                std::hint::black_box(CopyPlan::<T>::new(&source, &destination).is_ok());
            })
        })
    })
}

/// A product of matrices, `C(m,n) = sum_k A(m,k) B(n,k)`. `C` has the type of the sums.
///
/// # Safety
/// As for [`tilework_copy`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilework_gemm(
    element: *const c_char,
    layouts: *const [*const c_char; 3],
    a: *const u8,
    b: *const u8,
    c: *mut u8,
    threads: usize,
) -> *mut Job {
    // SAFETY: the pointers are valid as this function demands.
    handle(|| unsafe {
        let layouts = three(layouts)?;
        with_type!(text(element)?, T in ["f32" f32, "f64" f64, "i8" i8, "bf16" bf16, "f16" f16], {
            gemm::<T, <T as Element>::Sum>(layouts, a.cast(), b.cast(), c.cast(), threads)
        })
    })
}

/// The same where `C` has the type of `A` and `B`.
///
/// # Safety
/// As for [`tilework_copy`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilework_gemm_rounded(
    element: *const c_char,
    layouts: *const [*const c_char; 3],
    a: *const u8,
    b: *const u8,
    c: *mut u8,
    threads: usize,
) -> *mut Job {
    // SAFETY: the pointers are valid as this function demands.
    handle(|| unsafe {
        let layouts = three(layouts)?;
        with_type!(text(element)?, T in ["bf16" bf16, "f16" f16], {
            gemm::<T, T>(layouts, a.cast(), b.cast(), c.cast(), threads)
        })
    })
}

/// # Safety
/// As for [`tilework_gemm`].
unsafe fn gemm<T: Element, C: Destination<T::Sum>>(
    [of_a, of_b, of_c]: [Layout; 3],
    a: *const T,
    b: *const T,
    c: *mut C,
    threads: usize,
) -> Made {
    let plan = GemmPlan::<T, C>::new(&of_a, &of_b, &of_c).map_err(|error| error.to_string())?;
    let (one, zero) = (T::Sum::ONE, T::Sum::ZERO);
    let lengths = [span(&of_a)?, span(&of_b)?, span(&of_c)?];
    Job::new(move || {
        // SAFETY: the pointers are valid as this function demands.
        let (a, b, c) = unsafe { slices(a, b, c, lengths) };
        plan.run(one, a, b, zero, c, &Execution::threads(threads)).expect("it is planned");
    })
}

/// A contraction of two tensors.
///
/// # Safety
/// As for [`tilework_copy`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilework_contract(
    element: *const c_char,
    specification: *const c_char,
    layouts: *const [*const c_char; 3],
    a: *const u8,
    b: *const u8,
    c: *mut u8,
    threads: usize,
) -> *mut Job {
    // SAFETY: the pointers are valid as this function demands.
    handle(|| unsafe {
        let (specification, layouts) = (text(specification)?, three(layouts)?);
        with_type!(text(element)?, T in ["f32" f32, "f64" f64], {
            contract::<T>(specification, layouts, a.cast(), b.cast(), c.cast(), threads)
        })
    })
}

/// # Safety
/// As for [`tilework_contract`].
unsafe fn contract<T: Element>(
    specification: &str,
    [of_a, of_b, of_c]: [Layout; 3],
    a: *const T,
    b: *const T,
    c: *mut T::Sum,
    threads: usize,
) -> Made {
    let plan =
        ContractPlan::<T>::new(specification, &[of_a, of_b], &of_c).map_err(|error| error.to_string())?;
    let (one, zero) = (T::Sum::ONE, T::Sum::ZERO);
    let lengths = [span(&of_a)?, span(&of_b)?, span(&of_c)?];
    Job::new(move || {
        // SAFETY: the pointers are valid as this function demands.
        let (a, b, c) = unsafe { slices(a, b, c, lengths) };
        plan.run(one, &[a, b], zero, c, &Execution::threads(threads)).expect("it is planned");
    })
}

/// A convolution in two directions of `f32`, with one stride and one padding for both.
///
/// # Safety
/// As for [`tilework_copy`]; the layouts are those of input, filter and output.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilework_conv(
    layouts: *const [*const c_char; 3],
    stride: usize,
    padding: usize,
    input: *const f32,
    filter: *const f32,
    output: *mut f32,
    threads: usize,
) -> *mut Job {
    // SAFETY: the pointers are valid as this function demands.
    handle(|| unsafe {
        let layouts = three(layouts)?;
        let convolution =
            Convolution { stride: &[stride; 2], padding: &[(padding, padding); 2], ..Convolution::default() };
        let [of_input, of_filter, of_output] = &layouts;
        let plan = ConvPlan::<f32>::new(&convolution, of_input, of_filter, of_output)
            .map_err(|error| error.to_string())?;
        let lengths = [span(of_input)?, span(of_filter)?, span(of_output)?];
        Job::new(move || {
            let (input, filter, output) = slices(input, filter, output, lengths);
            plan.run(1.0, input, filter, 0.0, output, &Execution::threads(threads)).expect("it is planned");
        })
    })
}

/// The elements of three operands, the last of which is written.
///
/// # Safety
/// So many elements are there, and nothing else reads or writes the last ones.
unsafe fn slices<'a, T, C>(
    a: *const T,
    b: *const T,
    c: *mut C,
    lengths: [usize; 3],
) -> (&'a [T], &'a [T], &'a mut [C]) {
    // SAFETY: the pointers are valid as this function demands.
    unsafe {
        (from_raw_parts(a, lengths[0]), from_raw_parts(b, lengths[1]), from_raw_parts_mut(c, lengths[2]))
    }
}

/// How many elements from offset 0 to the last one.
fn span(layout: &Layout) -> Result<usize, String> {
    layout.max_offset().map(|last| last as usize + 1).map_err(|error| error.to_string())
}

/// # Safety
/// The text ends in a zero.
unsafe fn layout(of: *const c_char) -> Result<Layout, String> {
    // SAFETY: the pointers are valid as this function demands.
    unsafe { text(of)? }.parse().map_err(|error: tilework::Error| error.to_string())
}

/// # Safety
/// The texts end in zeros.
unsafe fn three(of: *const [*const c_char; 3]) -> Result<[Layout; 3], String> {
    // SAFETY: the pointers are valid as this function demands.
    let [a, b, c] = unsafe { (*of).map(|of| layout(of)) };
    Ok([a?, b?, c?])
}
