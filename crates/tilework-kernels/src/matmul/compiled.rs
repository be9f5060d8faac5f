//! The generic functions of the engine, compiled with the instructions of each set.
//!
//! A function with `#[target_feature]` is the boundary: what is inlined into it is compiled with its instructions. The portable
//! ones are functions of their own as well, so that they are compiled once.

macro_rules! compiled_with {
    ($attribute:tt, $($group:ident)*) => {
        use crate::matmul::axis::Steps;
        use crate::matmul::element::Element;
        use crate::matmul::kernel::Tile;
        use crate::simd::vector::{Pack, Vector};
        $(compiled_with! { @$group $attribute })*
    };
    // What every instruction has that kernels are made of.
    (@kernels $attribute:tt) => {
        use crate::matmul::{kernel, pack};
        compiled_with! {
            $attribute
            kernel::tile<V: [Vector], [MV: usize, NR: usize, AK: usize, BK: usize]>(tile: &Tile<V::Scalar>);
            pack::pack<T: [Element], V: [Pack<T>], [R: usize]>(
                rows: &[*const T], steps: Steps<'_>, phase: usize, out: *mut V::Scalar,
            );
            pack::pack_strided<T: [Element], V: [Pack<T>], [R: usize]>(
                base: *const T, rows: Steps<'_>, steps: Steps<'_>, unit: usize, out: *mut V::Scalar,
            );
        }
    };
    // What is not packed.
    (@others $attribute:tt) => {
        use crate::matmul::{element::Sum, gemv, static_tile};
        use tilework::StaticLayout;
        compiled_with! {
            $attribute
            static_tile::product<V: [Vector<Scalar: Sum>], LA: [StaticLayout], LB: [StaticLayout], LC: [StaticLayout], []>(
                alpha: V::Scalar, a: *const V::Scalar, b: *const V::Scalar, beta: V::Scalar, c: *mut V::Scalar,
            );
            gemv::along_rows<T: [Element], V: [Pack<T, Scalar: Sum>], []>(
                a: *const T, rows: Steps<'_>, steps: Steps<'_>, x: *const T, sums: *mut V::Scalar,
            );
            gemv::along_steps<T: [Element], V: [Pack<T, Scalar: Sum>], []>(
                a: *const T, rows: Steps<'_>, steps: Steps<'_>, x: *const T, sums: *mut V::Scalar,
            );
        }
    };
    (@shifted $attribute:tt) => {
        use crate::matmul::shifted;
        compiled_with! {
            $attribute
            shifted::shift<V: [Vector<Scalar = i32>], []>(panels: *mut i32, count: usize);
            shifted::begin<V: [Vector<Scalar = i32>], [R: usize]>(
                panels: *const i32, count: usize, steps: usize, begins: *mut i32,
            );
        }
    };
    ($attribute:tt $($module:ident::$name:ident<$($type:ident: [$($bound:tt)*],)+ [$($constant:ident: usize),*]>(
        $($argument:ident: $of:ty),* $(,)?
    );)*) => {
        $(
            /// The function of this name with these instructions.
            ///
            /// # Safety
            /// As there, on a processor that has them.
            #$attribute
            pub(crate) unsafe fn $name<$($type: $($bound)*,)+ $(const $constant: usize),*>($($argument: $of),*) {
                // SAFETY: what the generic function asks for is asked for here, and the processor has the instructions.
                unsafe { $module::$name::<$($type,)+ $($constant),*>($($argument),*) }
            }
        )*
    };
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2 {
    compiled_with!([target_feature(enable = "avx2,fma,f16c")], kernels others);
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512 {
    compiled_with!([target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")], kernels others);
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512_vnni {
    compiled_with!([target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")], kernels shifted);
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512_bf16 {
    compiled_with!(
        [target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx512bf16")],
        kernels
    );
}

#[cfg(target_arch = "aarch64")]
pub(crate) mod neon {
    compiled_with!([target_feature(enable = "neon")], kernels others);
}

pub(crate) mod portable {
    compiled_with!([inline(never)], kernels others);
}
