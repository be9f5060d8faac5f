//! The generic functions of the engine, compiled with the instructions of each set.
//!
//! A function with `#[target_feature]` is the boundary: what is inlined into it is compiled with its instructions. The portable
//! ones are functions of their own as well, so that they are compiled once.

macro_rules! compiled_with {
    ($attribute:tt) => {
        compiled_with! {
            $attribute
            kernel::tile<V: [Vector], [MV: usize, NR: usize, AK: usize, BK: usize]>(tile: &Tile<V::Scalar>);
            static_tile::product<V: [Vector<Scalar: Sum>], LA: [StaticLayout], LB: [StaticLayout], LC: [StaticLayout], []>(
                alpha: V::Scalar, a: *const V::Scalar, b: *const V::Scalar, beta: V::Scalar, c: *mut V::Scalar,
            );
            pack::pack<T: [Element], V: [Pack<T>], [R: usize]>(
                rows: &[*const T], steps: Steps<'_>, phase: usize, out: *mut V::Scalar,
            );
            pack::pack_strided<T: [Element], V: [Pack<T>], [R: usize]>(
                base: *const T, rows: Steps<'_>, steps: Steps<'_>, unit: usize, out: *mut V::Scalar,
            );
            gemv::along_rows<T: [Element], V: [Pack<T, Scalar: Sum>], []>(
                a: *const T, rows: Steps<'_>, steps: Steps<'_>, x: *const T, sums: *mut V::Scalar,
            );
            gemv::along_steps<T: [Element], V: [Pack<T, Scalar: Sum>], []>(
                a: *const T, rows: Steps<'_>, steps: Steps<'_>, x: *const T, sums: *mut V::Scalar,
            );
        }
    };
    ($attribute:tt $($module:ident::$name:ident<$($type:ident: [$($bound:tt)*],)+ [$($constant:ident: usize),*]>(
        $($argument:ident: $of:ty),* $(,)?
    );)*) => {
        use crate::matmul::element::{Element, Sum};
        use crate::matmul::axis::Steps;
        use crate::matmul::kernel::Tile;
        use crate::matmul::{gemv, kernel, pack, static_tile};
        use crate::simd::vector::{Pack, Vector};
        use tilework::StaticLayout;
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
    compiled_with!([target_feature(enable = "avx2,fma,f16c")]);
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512 {
    compiled_with!([target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]);
}

#[cfg(target_arch = "aarch64")]
pub(crate) mod neon {
    compiled_with!([target_feature(enable = "neon")]);
}

pub(crate) mod portable {
    compiled_with!([inline(never)]);
}
