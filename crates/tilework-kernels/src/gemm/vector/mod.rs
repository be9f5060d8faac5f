//! What the kernels ask of vector instructions.

/// The generic functions, compiled with the instructions of one set.
macro_rules! compiled_with {
    ($features:literal) => {
        compiled_with! {
            $features
            kernel::tile<V: Vector, [MV: usize, NR: usize, AK: usize, BK: usize]>(tile: &Tile<V::Scalar>);
            tile::product<V: Vector, LA: StaticLayout, LB: StaticLayout, LC: StaticLayout, []>(
                alpha: V::Scalar, a: *const V::Scalar, b: *const V::Scalar, beta: V::Scalar, c: *mut V::Scalar,
            );
            pack::pack<T: Element, V: Pack<T>, [R: usize]>(
                rows: &[*const T], steps: Steps<'_>, phase: usize, out: *mut V::Scalar,
            );
            pack::pack_strided<T: Element, V: Pack<T>, [R: usize]>(
                base: *const T, rows: Steps<'_>, steps: Steps<'_>, unit: usize, out: *mut V::Scalar,
            );
            gemv::along_rows<T: Element, V: Pack<T>, []>(
                a: *const T, rows: Steps<'_>, steps: Steps<'_>, x: *const T, sums: *mut V::Scalar,
            );
            gemv::along_steps<T: Element, V: Pack<T>, []>(
                a: *const T, rows: Steps<'_>, steps: Steps<'_>, x: *const T, sums: *mut V::Scalar,
            );
        }
    };
    ($features:literal $($module:ident::$name:ident<$($type:ident: $bound:path,)+ [$($constant:ident: usize),*]>(
        $($argument:ident: $of:ty),* $(,)?
    );)*) => {$(
        /// The function of this name with these instructions.
        ///
        /// # Safety
        /// As there, on a processor that has them.
        #[target_feature(enable = $features)]
        pub(crate) unsafe fn $name<$($type: $bound,)+ $(const $constant: usize),*>($($argument: $of),*) {
            // SAFETY: the caller's.
            unsafe { crate::gemm::$module::$name::<$($type,)+ $($constant),*>($($argument),*) }
        }
    )*};
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
#[cfg(target_arch = "aarch64")]
pub(crate) mod neon;
pub(crate) mod portable;

use crate::element::Sum;

/// A register of sums, or of packed elements.
///
/// # Safety
/// Every method may only run where the processor has the instructions of the implementation, and where the pointers are
/// good for what is said. Nothing has to be aligned.
pub(crate) trait Vector: Copy {
    /// What it has lanes of.
    type Scalar: Sum;
    /// How many.
    const LANES: usize;

    /// `value` in all lanes.
    unsafe fn splat(value: Self::Scalar) -> Self;
    /// Reads all lanes.
    unsafe fn load(from: *const Self::Scalar) -> Self;
    /// Reads the first `count` lanes, 1 or more; the others are 0, and their memory is not touched.
    unsafe fn load_first(from: *const Self::Scalar, count: usize) -> Self;
    /// Writes all lanes.
    unsafe fn store(self, to: *mut Self::Scalar);
    /// Writes the first `count` lanes.
    unsafe fn store_first(self, to: *mut Self::Scalar, count: usize);
    /// `self + a * b` for packed `a` and `b`: the step of every kernel.
    unsafe fn step(self, a: Self, b: Self) -> Self;
    /// `self * scale`.
    unsafe fn times(self, scale: Self) -> Self;
    /// `self * scale + other`.
    unsafe fn times_plus(self, scale: Self, other: Self) -> Self;
    /// The transpose of the square matrix whose row `i` is `load(i)`; its rows go to `store`, in order.
    unsafe fn transpose(load: impl Fn(usize) -> Self, store: impl FnMut(usize, Self));
    /// Whether [`every`](Self::every) is faster than element after element.
    const EVERY: bool = false;
    /// Reads all lanes from elements `S` apart, 2 to 4, and touches none beyond the last.
    #[inline(always)]
    unsafe fn every<const S: usize>(from: *const Self::Scalar) -> Self {
        let mut lanes = [Self::Scalar::ZERO; 16];
        // SAFETY: the caller's; no vector has more lanes.
        unsafe {
            lanes[..Self::LANES].iter_mut().enumerate().for_each(|(i, lane)| *lane = *from.add(i * S));
            Self::load(lanes.as_ptr())
        }
    }
    /// Asks for the line at `at`, which need not be good for reading.
    #[inline(always)]
    fn prefetch(at: *const Self::Scalar) {
        let _ = at;
    }
}

/// How elements of type `T` become lanes. A lane holds `STEP` elements that follow each other along `k`: one, or two of
/// `i8`, which the kernels multiply and add in pairs.
///
/// # Safety
/// As for [`Vector`].
pub(crate) trait Pack<T>: Vector {
    /// Elements in a lane.
    const STEP: usize = 1;

    /// A lane. Where `STEP` is 1, `second` is not looked at.
    fn lane(first: T, second: T) -> Self::Scalar;
    /// The lanes of `LANES` elements that follow each other at `first`, and at `second` if `STEP` is 2.
    unsafe fn across(first: *const T, second: *const T) -> Self;
    /// The lanes of `LANES * STEP` elements that follow each other.
    unsafe fn along(from: *const T) -> Self;
}
