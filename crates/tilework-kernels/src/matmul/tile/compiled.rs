//! The generic functions of the engine, compiled with the instructions of each set.
//!
//! A function with `#[target_feature]` is the boundary: code that is inlined into it is compiled with its instructions.
//! The portable ones are separate functions too, so that they are compiled once.

macro_rules! compiled_with {
    ($attribute:tt, $($group:ident)*) => {
        use crate::matmul::tile::axis::Steps;
        use crate::matmul::tile::element::{Element, Packer};
        use crate::matmul::tile::kernel::Tile;
        use crate::matmul::tile::packing::Packing;
        use crate::simd::vector::Vector;
        $(compiled_with! { @$group $attribute })*
    };
    // Functions of instructions on lanes.
    (@tiles $attribute:tt) => {
        use crate::matmul::tile::kernel;
        compiled_with! {
            $attribute
            kernel::tile<V: [Vector], [MV: usize, NR: usize, BK: usize, ENDS: bool]>(tile: &Tile<V::Scalar>);
        }
    };
    (@packing $attribute:tt) => {
        use crate::matmul::tile::pack;
        compiled_with! {
            $attribute
            pack::pack<T: [Element], V: [crate::simd::vector::Pack<T>], []>(
                rows: &[*const T], steps: Steps<'_>, phase: usize, panel: usize, out: *mut V::Scalar,
            );
            pack::pack_strided<T: [Element<Sum = V::Scalar>], V: [crate::simd::vector::Pack<T>], [MR: usize, NR: usize]>(
                packer: &Packer<T>, base: *const T, rows: Steps<'_>, steps: Steps<'_>, packing: Packing, unit: usize,
                out: *mut V::Scalar,
            );
        }
    };
    (@any $attribute:tt) => {
        use crate::matmul::tile::kernel;
        compiled_with! {
            $attribute
            kernel::any_tile<V: [Vector], [MV: usize, NR: usize, ENDS: bool]>(tile: &Tile<V::Scalar>);
        }
    };
    // Functions that are not packed.
    (@others $attribute:tt) => {
        use crate::matmul::tile::{element::{Destination, Sum}, gemv, put, static_tile};
        use tilework::StaticLayout;
        compiled_with! {
            $attribute
            static_tile::product<V: [Vector<Scalar: Sum>], LA: [StaticLayout], LB: [StaticLayout], LC: [StaticLayout], []>(
                alpha: V::Scalar, a: *const V::Scalar, b: *const V::Scalar, beta: V::Scalar, c: *mut V::Scalar,
            );
            put::put<D: [Destination<V::Scalar>], V: [crate::simd::vector::Narrow<D, Scalar: Sum>], []>(
                c: *mut D, rows: Steps<'_>, packing: Packing, cols: &[isize], sums: *const V::Scalar, height: usize,
                factors: [V::Scalar; 2],
            );
            gemv::along_rows<T: [Element], V: [crate::simd::vector::Pack<T, Scalar: Sum>], []>(
                a: *const T, rows: Steps<'_>, steps: Steps<'_>, x: *const T, sums: *mut V::Scalar,
            );
            gemv::along_steps<T: [Element], V: [crate::simd::vector::Pack<T, Scalar: Sum>], []>(
                a: *const T, rows: Steps<'_>, steps: Steps<'_>, x: *const T, sums: *mut V::Scalar,
            );
        }
    };
    // Functions of instructions that multiply small matrices.
    (@matrices $attribute:tt) => {
        use crate::matmul::tile::small_matrices;
        use crate::simd::matrices::Matrices;
        compiled_with! {
            $attribute
            small_matrices::matrix_tile<M: [Matrices], [MV: usize]>(tile: &Tile<<M::Sums as Vector>::Scalar>);
            small_matrices::pack_rows<T: [Element], [R: usize, D: usize]>(
                rows: &[*const T], steps: Steps<'_>, phase: usize, panel: usize, out: *mut T::Sum,
            );
            small_matrices::pack_rows_strided<T: [Element], [R: usize, D: usize]>(
                packer: &Packer<T>, base: *const T, rows: Steps<'_>, steps: Steps<'_>, packing: Packing, unit: usize,
                out: *mut T::Sum,
            );
        }
    };
    (@shifted $attribute:tt) => {
        use crate::matmul::tile::shifted;
        compiled_with! {
            $attribute
            shifted::shift<V: [Vector<Scalar = i32>], []>(panels: *mut i32, count: usize);
            shifted::begin<V: [Vector<Scalar = i32>], [R: usize]>(
                panels: *const i32, count: usize, steps: usize, begins: *mut i32,
            );
        }
    };
    ($attribute:tt $($module:ident::$name:ident<$($type:ident: [$($bound:tt)*],)+ [$($constant:ident: $kind:ty),*]>(
        $($argument:ident: $of:ty),* $(,)?
    );)*) => {
        $(
            /// The function of this name with these instructions.
            ///
            /// # Safety
            /// That of the generic function, on a processor with these instructions.
            #$attribute
            pub(crate) unsafe fn $name<$($type: $($bound)*,)+ $(const $constant: $kind),*>($($argument: $of),*) {
                // SAFETY: the contract of the generic function is part of this one, and the processor has the
                // instructions.
                unsafe { $module::$name::<$($type,)+ $($constant),*>($($argument),*) }
            }
        )*
    };
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2 {
    compiled_with!([target_feature(enable = "avx2,fma,f16c")], tiles packing others);
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2_vnni {
    compiled_with!([target_feature(enable = "avx2,fma,f16c,avxvnni")], tiles packing shifted);
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512 {
    compiled_with!([target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")], tiles packing others);
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512_vnni {
    compiled_with!([target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")], tiles packing shifted);
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512_bf16 {
    compiled_with!(
        [target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx512bf16")],
        tiles packing
    );
}

#[cfg(target_arch = "aarch64")]
pub(crate) mod neon {
    compiled_with!([target_feature(enable = "neon")], tiles packing others);
}

#[cfg(target_arch = "aarch64")]
pub(crate) mod neon_dot {
    compiled_with!([target_feature(enable = "neon,dotprod")], tiles packing);
}

#[cfg(target_arch = "aarch64")]
pub(crate) mod neon_mmla {
    compiled_with!([target_feature(enable = "neon,dotprod,i8mm,bf16")], matrices);
}

pub(crate) mod portable {
    compiled_with!([inline(never)], any packing others);
}
