//! Registers of numbers: the vector instructions that the kernels of products use.
//!
//! A module for each instruction set has the registers `F32`, `F64` and `I32`. The macros [`vector!`] and [`pack_one!`]
//! write the common part; a module names its instructions.

/// Declares a register and implements [`Vector`] for it, from the names of its instructions. Omitted ones have a
/// default.
macro_rules! vector {
    (
        $vector:ident($register:ty): $lanes:literal $scalar:ty;
        splat $splat:path, load $load:path, store $store:path;
        mul $mul:path, transpose $transpose:path;
        $(masks $masks:literal;)?
        $(load_first |$from:ident, $first_count:ident| $load_first:expr;)?
        $(store_first |$value:ident, $to:ident, $count:ident| $store_first:expr;)?
        $(fma_packed |$sum:ident, $a:ident, $b:ident| $fma_packed:expr;)?
        mul_add |$added_factor:ident, $added_scale:ident, $added:ident| $mul_add:expr;
        $(strided $load_strided:ident $($store_strided:ident)?;)?
        $(begins $begins:literal;)?
    ) => {
        #[doc = concat!("Lanes of `", stringify!($scalar), "`: ", stringify!($lanes), ".")]
        #[derive(Clone, Copy)]
        pub(crate) struct $vector(pub(in crate::simd) $register);

        // No instruction used here needs alignment.
        #[allow(unused_unsafe, reason = "the portable instructions are safe functions")]
        impl Vector for $vector {
            type Scalar = $scalar;
            const LANES: usize = $lanes;
            $(const MASKS: bool = $masks;)?

            #[inline(always)]
            unsafe fn splat(value: $scalar) -> Self {
                // SAFETY: the processor has the instructions of this module.
                $vector(unsafe { $splat(value) })
            }
            #[inline(always)]
            unsafe fn load(from: *const $scalar) -> Self {
                // SAFETY: the processor has the instructions of this module, and `from` is valid for all lanes.
                $vector(unsafe { $load(from.cast()) })
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $scalar) {
                // SAFETY: the processor has the instructions of this module, and `to` is valid for all lanes.
                unsafe { $store(to.cast(), self.0) }
            }
            $(#[inline(always)]
            unsafe fn load_first($from: *const $scalar, $first_count: usize) -> Self {
                // SAFETY: the processor has the instructions of this module, and the pointer is valid for the first lanes.
                $vector(unsafe { $load_first })
            })?
            $(#[inline(always)]
            unsafe fn store_first(self, $to: *mut $scalar, $count: usize) {
                let $value = self.0;
                // SAFETY: the processor has the instructions of this module, and the pointer is valid for the first lanes.
                unsafe { $store_first }
            })?
            $(#[inline(always)]
            unsafe fn fma_packed(self, a: Self, b: Self) -> Self {
                let ($sum, $a, $b) = (self.0, a.0, b.0);
                // SAFETY: the processor has the instructions of this module.
                $vector(unsafe { $fma_packed })
            })?
            #[inline(always)]
            unsafe fn mul(self, scale: Self) -> Self {
                // SAFETY: the processor has the instructions of this module.
                $vector(unsafe { $mul(self.0, scale.0) })
            }
            #[inline(always)]
            unsafe fn mul_add(self, scale: Self, added: Self) -> Self {
                let ($added_factor, $added_scale, $added) = (self.0, scale.0, added.0);
                // SAFETY: the processor has the instructions of this module.
                $vector(unsafe { $mul_add })
            }
            #[inline(always)]
            unsafe fn transpose(load: impl Fn(usize) -> Self, mut store: impl FnMut(usize, Self)) {
                // SAFETY: the processor has the instructions of this module; each row is loaded and stored once.
                unsafe {
                    let mut rows = [Self::splat(<$scalar>::default()).0; $lanes];
                    for (i, row) in rows.iter_mut().enumerate() {
                        *row = load(i).0;
                    }
                    for (i, row) in $transpose(rows).into_iter().enumerate() {
                        store(i, $vector(row));
                    }
                }
            }
            $(const HAS_STRIDED: bool = true;
            #[inline(always)]
            unsafe fn load_strided<const S: usize>(from: *const $scalar) -> Self {
                // SAFETY: the processor has the instructions of this module, and `from` is valid for all lanes, `S` elements apart.
                $vector(unsafe { $load_strided::<S>(from) })
            }
            $(#[inline(always)]
            unsafe fn store_strided<const S: usize>(self, to: *mut $scalar) {
                // SAFETY: the processor has the instructions of this module, and `to` is valid for all lanes, `S` elements apart.
                unsafe { $store_strided::<S>(self.0, to) }
            })?)?
            $(const BEGINS: bool = $begins;)?
        }
    };
}

/// Implements [`Pack`] with one element in a lane, from an expression that loads as many elements as there are lanes.
macro_rules! pack_one {
    ($($vector:ident from $element:ty: |$from:ident| $load:expr;)*) => {$(
        impl Pack<$element> for $vector {
            #[inline(always)]
            fn lane([element, ..]: [$element; MAX_STEP]) -> Self::Scalar {
                element.into()
            }
            #[inline(always)]
            unsafe fn across([$from, ..]: [*const $element; MAX_STEP]) -> Self {
                // SAFETY: the processor has the instructions of this module, and the pointer is valid for `LANES` elements.
                unsafe { $load }
            }
            #[inline(always)]
            unsafe fn along(from: *const $element) -> Self {
                // SAFETY: `from` is valid for `LANES` elements, and `across` reads one for each lane.
                unsafe { Self::across([from; MAX_STEP]) }
            }
        }
    )*};
}

/// Implements [`Narrow`] for elements that [`Pack`] stores one per lane, from an expression that writes the lanes as
/// elements.
macro_rules! narrow {
    ($($vector:ident to $element:ty: |$value:ident, $to:ident| $narrow:expr;)*) => {$(
        impl Narrow<$element> for $vector {
            #[inline(always)]
            unsafe fn widen(from: *const $element) -> Self {
                // SAFETY: `from` is valid for `LANES` elements.
                unsafe { <Self as Pack<$element>>::along(from) }
            }
            #[inline(always)]
            unsafe fn narrow(self, $to: *mut $element) {
                let $value = self.0;
                // SAFETY: the processor has the instructions of this module, and the pointer is valid for `LANES` elements.
                unsafe { $narrow }
            }
        }
    )*};
}

/// Implements [`Pack`] with several elements in a lane, the first one in its lowest bits: the expressions that make a
/// lane of them, insert one where 0 was, and load them.
macro_rules! pack_several {
    ($vector:ident from $step:literal $element:ty;
     lane |$elements:ident| $lane:expr;
     join |$before:ident, $element_of:ident, $at:ident| $join:expr;
     across |$from:ident| $across:expr;
     along |$first:ident| $along:expr;) => {
        impl Pack<$element> for $vector {
            const STEP: usize = $step;

            #[inline(always)]
            fn lane($elements: [$element; MAX_STEP]) -> Self::Scalar {
                $lane
            }
            #[inline(always)]
            fn join($before: Self::Scalar, $element_of: $element, $at: usize) -> Self::Scalar {
                $join
            }
            #[inline(always)]
            unsafe fn across($from: [*const $element; MAX_STEP]) -> Self {
                // SAFETY: the processor has the instructions of this module, and the pointers are valid for `LANES` elements.
                unsafe { $across }
            }
            #[inline(always)]
            unsafe fn along($first: *const $element) -> Self {
                // SAFETY: the processor has the instructions of this module, and the pointer is valid for `LANES * STEP` elements.
                unsafe { $along }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2_vnni;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512_bf16;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512_vnni;
#[cfg(target_arch = "aarch64")]
pub(crate) mod neon;
#[cfg(target_arch = "aarch64")]
pub(crate) mod neon_dot;
pub(crate) mod portable;

/// The most elements in a lane.
pub(crate) const MAX_STEP: usize = 4;

/// The most lanes of any vector.
pub(crate) const MAX_LANES: usize = 16;

/// A register of sums, or of packed elements.
///
/// # Safety
/// A method may only run on a processor that has the instructions of the implementation, with pointers that are valid for
/// the reads or writes that it names. No pointer has to be aligned.
pub(crate) trait Vector: Copy {
    /// The type of a lane.
    type Scalar: Copy + Default + PartialEq + 'static;
    /// The number of lanes.
    const LANES: usize;
    /// Whether masks are separate registers, so that part of a vector is read as cheaply as the whole.
    const MASKS: bool = false;

    /// `value` in all lanes.
    unsafe fn splat(value: Self::Scalar) -> Self;
    /// Reads all lanes.
    unsafe fn load(from: *const Self::Scalar) -> Self;
    /// Writes all lanes.
    unsafe fn store(self, to: *mut Self::Scalar);
    /// Reads the first `count` lanes, 1 or more, and nothing beyond them; the other lanes are 0. If this takes several
    /// instructions, it is a call: kernels use it once for each column.
    #[inline(never)]
    unsafe fn load_first(from: *const Self::Scalar, count: usize) -> Self {
        let mut lanes = [Self::Scalar::default(); MAX_LANES];
        // SAFETY: `from` is valid for reads of `count` lanes, and no vector has more lanes than the array.
        unsafe {
            (0..count).for_each(|i| lanes[i] = *from.add(i));
            Self::load(lanes.as_ptr())
        }
    }
    /// Writes the first `count` lanes, and nothing beyond them.
    #[inline(never)]
    unsafe fn store_first(self, to: *mut Self::Scalar, count: usize) {
        let mut lanes = [Self::Scalar::default(); MAX_LANES];
        // SAFETY: `to` is valid for writes of `count` lanes, and no vector has more lanes than the array.
        unsafe {
            self.store(lanes.as_mut_ptr());
            (0..count).for_each(|i| *to.add(i) = lanes[i]);
        }
    }
    /// `self + a * b` for packed `a` and `b`, summed over the elements of a lane: the step of every kernel.
    #[inline(always)]
    unsafe fn fma_packed(self, a: Self, b: Self) -> Self {
        // SAFETY: the processor has the instructions of this implementation.
        unsafe { a.mul_add(b, self) }
    }
    /// Whether the sums of a column begin with values that packing computed, instead of 0.
    const BEGINS: bool = false;
    /// `self * scale`.
    unsafe fn mul(self, scale: Self) -> Self;
    /// `self * scale + added`.
    unsafe fn mul_add(self, scale: Self, added: Self) -> Self;
    /// Transposes the square matrix whose row `i` is `load(i)`, and passes its rows to `store` in order.
    unsafe fn transpose(load: impl Fn(usize) -> Self, store: impl FnMut(usize, Self));
    /// Whether the methods for elements that are `S` apart, 2 to 4, are faster than element after element.
    const HAS_STRIDED: bool = false;
    /// Reads all lanes from elements `S` apart, and nothing beyond the last.
    #[inline(always)]
    unsafe fn load_strided<const S: usize>(from: *const Self::Scalar) -> Self {
        let mut lanes = [Self::Scalar::default(); MAX_LANES];
        // SAFETY: `from` is valid for reads of `LANES` elements `S` apart; no vector has more lanes than the array.
        unsafe {
            lanes[..Self::LANES].iter_mut().enumerate().for_each(|(i, lane)| *lane = *from.add(i * S));
            Self::load(lanes.as_ptr())
        }
    }
    /// Writes all lanes to elements `S` apart, and nothing between them.
    #[inline(always)]
    unsafe fn store_strided<const S: usize>(self, to: *mut Self::Scalar) {
        let mut lanes = [Self::Scalar::default(); MAX_LANES];
        // SAFETY: `to` is valid for writes of `LANES` elements `S` apart; no vector has more lanes than the array.
        unsafe {
            self.store(lanes.as_mut_ptr());
            lanes[..Self::LANES].iter().enumerate().for_each(|(i, &lane)| *to.add(i * S) = lane);
        }
    }
}

/// How elements of type `T` become lanes. A lane holds `STEP` elements that are contiguous along `k`; kernels sum their
/// products.
///
/// # Safety
/// As for [`Vector`].
pub(crate) trait Pack<T>: Vector {
    /// Elements in a lane.
    const STEP: usize = 1;

    /// A lane of the first `STEP` elements.
    fn lane(elements: [T; MAX_STEP]) -> Self::Scalar;
    /// The lane with an element inserted at place `at`, 1 or more, where it had 0.
    #[inline(always)]
    fn join(lane: Self::Scalar, _element: T, _at: usize) -> Self::Scalar {
        lane
    }
    /// The lanes of `LANES` contiguous elements at each of the first `STEP` pointers.
    unsafe fn across(from: [*const T; MAX_STEP]) -> Self;
    /// The lanes of `LANES * STEP` contiguous elements.
    unsafe fn along(from: *const T) -> Self;
}

/// How lanes become elements of type `D`, each rounded to the nearest, and back.
///
/// # Safety
/// As for [`Vector`].
pub(crate) trait Narrow<D: Copy + Default>: Vector {
    /// Reads `LANES` contiguous elements.
    unsafe fn widen(from: *const D) -> Self;
    /// Writes the lanes as contiguous elements.
    unsafe fn narrow(self, to: *mut D);
    /// Reads the first `count` of them, and nothing beyond; the other lanes are arbitrary.
    #[inline(always)]
    unsafe fn widen_first(from: *const D, count: usize) -> Self {
        let mut elements = [D::default(); MAX_LANES];
        // SAFETY: `from` is valid for reads of `count` elements, and no vector has more lanes than the array.
        unsafe {
            std::ptr::copy_nonoverlapping(from, elements.as_mut_ptr(), count);
            Self::widen(elements.as_ptr())
        }
    }
    /// Writes the first `count` of them, and nothing beyond.
    #[inline(always)]
    unsafe fn narrow_first(self, to: *mut D, count: usize) {
        let mut elements = [D::default(); MAX_LANES];
        // SAFETY: `to` is valid for writes of `count` elements, and no vector has more lanes than the array.
        unsafe {
            self.narrow(elements.as_mut_ptr());
            std::ptr::copy_nonoverlapping(elements.as_ptr(), to, count);
        }
    }
}

impl<V: Vector> Narrow<V::Scalar> for V {
    #[inline(always)]
    unsafe fn widen(from: *const V::Scalar) -> V {
        // SAFETY: `from` is valid for `LANES` elements.
        unsafe { V::load(from) }
    }
    #[inline(always)]
    unsafe fn narrow(self, to: *mut V::Scalar) {
        // SAFETY: `to` is valid for `LANES` elements.
        unsafe { self.store(to) }
    }
    #[inline(always)]
    unsafe fn widen_first(from: *const V::Scalar, count: usize) -> V {
        // SAFETY: `from` is valid for `count` elements.
        unsafe { V::load_first(from, count) }
    }
    #[inline(always)]
    unsafe fn narrow_first(self, to: *mut V::Scalar, count: usize) {
        // SAFETY: `to` is valid for `count` elements.
        unsafe { self.store_first(to, count) }
    }
}
