//! The kernels and packing functions of each instruction set and type.
//!
//! A kernel reads a panel of `R` rows as the layout `(R,(D,K/D)):(D,(1,R D))` of elements: `D` of a row are side by
//! side. So a register of an instruction is a part of a panel, in the order of the atom's thread-value layout
//! (`tests`):
//!
//! | instruction, and `m,n,k` of a step of its tile | `D` of `A` | `D` of `B` |
//! |---|---|---|
//! | multiply-add of a lane | 1 | 1 |
//! | products of two `i16` (`i8` widened), `vdpbf16ps` | 2 | 2 |
//! | `vpdpbusd`, `sdot` | 4 | 4 |
//! | `smmla` 8,8,8; `bfmmla` 8,8,4 | 8; 4 | 8; 4 |
//!
//! The functions that return them are not inlined: what they name is compiled in this crate, not once more in each that multiplies.

use super::compiled;
use super::element::{
    DestinationKernels, Element, ElementKernels, Finish, Kernels, Packer, Packers, PutFn, SumKernels,
};
use super::kernel::TileFn;
use crate::cpu::isa::Isa;
#[cfg(target_arch = "aarch64")]
use crate::simd::matrices::mmla::{Bytes, Halves};
use crate::simd::vector::{self, Pack, Vector};
use half::{bf16, f16};
use tilework::StaticLayout;

/// Tables of functions, `[vectors: columns...]` for packed and for direct tiles.
macro_rules! kernels {
    (@direct $set:ident F32 $tiles:tt) => {
        kernels!(@of_sums $set F32 $tiles)
    };
    (@direct $set:ident F64 $tiles:tt) => {
        kernels!(@of_sums $set F64 $tiles)
    };
    (@of_sums $set:ident $vector:ident [$($dm:literal: $($dn:literal)*),*]) => {
        &[$(&[$(compiled::$set::tile::<vector::$set::$vector, $dm, $dn, 0, false>),*]),*]
    };
    (@ends F32) => {
        true
    };
    (@ends F64) => {
        true
    };
    // No elements are of the type of their sums.
    (@direct $($others:tt)*) => {
        &[]
    };
    (@ends $($others:tt)*) => {
        false
    };
    ($isa:ident $set:ident $vector:ident $lanes:literal, $mr:literal $nr:literal,
     [$($pm:literal: $($pn:literal)*),*], [$($dm:literal: $($dn:literal)*),*]) => {
        &Kernels {
            isa: Isa::$isa,
            lanes: $lanes,
            mr: $mr,
            nr: $nr,
            packed: &[$(&[
                $(compiled::$set::tile::<vector::$set::$vector, $pm, $pn, $nr, { kernels!(@ends $vector) }>),*
            ]),*],
            direct: kernels!(@direct $set $vector [$($dm: $($dn)*),*]),
            permutes: <vector::$set::$vector as Vector>::HAS_STRIDED,
        }
    };
    ($isa:ident $set:ident $vector:ident $lanes:literal, wide $mr:literal) => {
        kernels!($isa $set $vector $lanes, $mr 6,
            [1: 2 4 6, 2: 1 2 3 4 5 6],
            [1: 1 2 3 4 5 6 7 8, 2: 1 2 3 4 5 6])
    };
    ($isa:ident $set:ident $vector:ident $lanes:literal, wider $mr:literal) => {
        kernels!($isa $set $vector $lanes, $mr 8,
            [1: 2 4 6 8, 2: 2 4 6 8, 3: 1 2 3 4 5 6 7 8],
            [1: 1 2 3 4 5 6 7 8, 2: 1 2 3 4 5 6 7 8 9 10 11 12, 3: 1 2 3 4 5 6 7 8])
    };
    ($isa:ident $set:ident $vector:ident $lanes:literal, high $mr:literal) => {
        kernels!($isa $set $vector $lanes, $mr 6,
            [1: 2 4 6, 2: 2 4 6, 3: 2 4 6, 4: 1 2 3 4 5 6],
            [1: 1 2 3 4 5 6 7 8 9 10 11 12, 2: 1 2 3 4 5 6 7 8 9 10 11 12, 3: 1 2 3 4 5 6, 4: 1 2 3 4 5 6])
    };
    // There are fewer kernels in plain Rust, for processors that have none of the sets: one for any columns and strides.
    ($isa:ident $set:ident $vector:ident $lanes:literal, any $mr:literal) => {{
        const TILES: &[&[TileFn<<vector::$set::$vector as Vector>::Scalar>]] = &[
            &[compiled::$set::any_tile::<vector::$set::$vector, 1, 4, true> as TileFn<_>; $mr],
            &[compiled::$set::any_tile::<vector::$set::$vector, 2, 4, true> as TileFn<_>; $mr],
        ];
        &Kernels {
            isa: Isa::$isa,
            lanes: $lanes,
            mr: $mr,
            nr: $mr,
            packed: TILES,
            direct: TILES,
            permutes: false,
        }
    }};
}

macro_rules! sums {
    ($($type:ident $vector:ident, $portable:tt $mr128:literal, $avx2:tt $mr256:literal, $avx512:tt $mr512:literal,
       $neon:tt $mr_neon:literal;)*) => {$(
        impl SumKernels for $type {
            #[inline(never)]
            fn kernels(isa: Isa) -> &'static Kernels<$type> {
                match isa.registers() {
                    #[cfg(target_arch = "x86_64")]
                    Isa::Avx2 => kernels!(Avx2 avx2 $vector $avx2, wide $mr256),
                    #[cfg(target_arch = "x86_64")]
                    Isa::Avx512 => kernels!(Avx512 avx512 $vector $avx512, wider $mr512),
                    #[cfg(target_arch = "aarch64")]
                    Isa::Neon => kernels!(Neon neon $vector $neon, high $mr_neon),
                    _ => kernels!(Portable portable $vector $portable, any $mr128),
                }
            }
            #[inline]
            unsafe fn static_product<LA: StaticLayout, LB: StaticLayout, LC: StaticLayout>(
                isa: Isa,
                alpha: $type,
                a: *const $type,
                b: *const $type,
                beta: $type,
                c: *mut $type,
            ) {
                // SAFETY: the contract of `static_product` is that of the kernel, and the processor has the
                // instructions of `isa`.
                unsafe {
                    match isa.registers() {
                        #[cfg(target_arch = "x86_64")]
                        Isa::Avx2 => compiled::avx2::product::<vector::avx2::$vector, LA, LB, LC>(alpha, a, b, beta, c),
                        #[cfg(target_arch = "x86_64")]
                        Isa::Avx512 => compiled::avx512::product::<vector::avx512::$vector, LA, LB, LC>(alpha, a, b, beta, c),
                        #[cfg(target_arch = "aarch64")]
                        Isa::Neon => compiled::neon::product::<vector::neon::$vector, LA, LB, LC>(alpha, a, b, beta, c),
                        _ => compiled::portable::product::<vector::portable::$vector, LA, LB, LC>(alpha, a, b, beta, c),
                    }
                }
            }
        }
    )*};
}
sums! {
    f32 F32, 4 8, 8 16, 16 48, 4 16;
    f64 F64, 2 4, 4 8, 8 24, 2 8;
    i32 I32, 4 8, 8 16, 16 48, 4 16;
}

macro_rules! destinations {
    ($($type:ident of $sum:ident by $vector:ident;)*) => {$(
        impl DestinationKernels<$sum> for $type {
            #[inline(never)]
            fn put(isa: Isa) -> PutFn<$sum, $type> {
                match isa.registers() {
                    #[cfg(target_arch = "x86_64")]
                    Isa::Avx2 => compiled::avx2::put::<$type, vector::avx2::$vector>,
                    #[cfg(target_arch = "x86_64")]
                    Isa::Avx512 => compiled::avx512::put::<$type, vector::avx512::$vector>,
                    #[cfg(target_arch = "aarch64")]
                    Isa::Neon => compiled::neon::put::<$type, vector::neon::$vector>,
                    _ => compiled::portable::put::<$type, vector::portable::$vector>,
                }
            }
        }
    )*};
}
destinations! {
    f32 of f32 by F32;
    f64 of f64 by F64;
    i32 of i32 by I32;
    bf16 of f32 by F32;
    f16 of f32 by F32;
}

/// The packing of lanes with a register, for panels of `rows` rows, those of `A` or of `B`.
macro_rules! packer {
    ($set:ident $vector:ident $type:ident $mr:literal $nr:literal, rows $rows:literal unit $unit:expr, $finish:expr) => {
        Packer {
            rows: $rows,
            unit: $unit,
            depth: <vector::$set::$vector as Pack<$type>>::STEP,
            depth_lanes: 1,
            width: $rows,
            any: compiled::$set::pack::<$type, vector::$set::$vector>,
            strided: compiled::$set::pack_strided::<$type, vector::$set::$vector, $mr, $nr>,
            finish: $finish,
        }
    };
}

/// The packing of rows that store all elements of a step side by side.
#[cfg(target_arch = "aarch64")]
macro_rules! packer_of_rows {
    ($set:ident $type:ident $rows:literal unit $unit:literal, step $step:literal of $lanes:literal lanes) => {
        Packer {
            rows: $rows,
            unit: $unit,
            depth: $step,
            depth_lanes: $lanes,
            width: $rows * $lanes,
            any: compiled::$set::pack_rows::<$type, $rows, $step>,
            strided: compiled::$set::pack_rows_strided::<$type, $rows, $step>,
            finish: Finish::Nothing,
        }
    };
}

macro_rules! packers {
    ($set:ident $vector:ident $type:ident, $mr:literal $nr:literal) => {{
        let [a, b] = dots!($set $vector $type, $mr $nr).0;
        Packers {
            a,
            b,
            step: <vector::$set::$vector as Pack<$type>>::STEP,
            along_rows: compiled::$set::along_rows::<$type, vector::$set::$vector>,
            along_steps: compiled::$set::along_steps::<$type, vector::$set::$vector>,
        }
    }};
}

/// The packing functions of `A` and of `B`, and the elements of a step, of an instruction that multiplies and adds lanes.
macro_rules! dots {
    ($set:ident $vector:ident $type:ident, $mr:literal $nr:literal) => {
        dots!(@ $set $vector $type, $mr $nr, Finish::Nothing, Finish::Nothing)
    };
    // For `u8` by `i8`.
    ($set:ident $vector:ident $type:ident, $mr:literal $nr:literal, shifted) => {
        dots!(@ $set $vector $type, $mr $nr,
            Finish::Shift(compiled::$set::shift::<vector::$set::$vector>),
            Finish::Begin(compiled::$set::begin::<vector::$set::$vector, $nr>))
    };
    (@ $set:ident $vector:ident $type:ident, $mr:literal $nr:literal, $of_a:expr, $of_b:expr) => {
        (
            [
                packer!($set $vector $type $mr $nr, rows $mr unit <vector::$set::$vector as Vector>::LANES, $of_a),
                packer!($set $vector $type $mr $nr, rows $nr unit 1, $of_b),
            ],
            <vector::$set::$vector as Pack<$type>>::STEP,
        )
    };
}

/// The kernels of an instruction that multiplies small matrices.
#[cfg(target_arch = "aarch64")]
macro_rules! matrices {
    ($isa:ident $set:ident $matrices:ty, $lanes:literal lanes, $mr:literal $nr:literal, [$($mv:literal)*]) => {
        &Kernels {
            isa: Isa::$isa,
            lanes: $lanes,
            mr: $mr,
            nr: $nr,
            packed: &[$(&[compiled::$set::matrix_tile::<$matrices, $mv> as TileFn<_>; $nr]),*],
            direct: &[],
            permutes: false,
        }
    };
}

/// The kernels and packing functions of each type: by the vectors of its sums, and by special instructions for the sets
/// that are named. A product by a vector is bound by memory, and uses only vectors.
macro_rules! elements {
    ($($type:ident by $vector:ident, $mr128:literal $mr256:literal $mr512:literal $mr_neon:literal
       $(or $isa:ident $(| $wider:ident)* on $arch:literal: $kernels:expr, $packers:expr)*;)*) => {$(
        impl ElementKernels for $type {
            #[inline(never)]
            fn kernels(isa: Isa) -> &'static Kernels<<$type as Element>::Sum> {
                $(#[cfg(target_arch = $arch)]
                if matches!(isa, Isa::$isa $(| Isa::$wider)*) {
                    return $kernels;
                })*
                <<$type as Element>::Sum as SumKernels>::kernels(isa)
            }
            #[inline(never)]
            fn packers(isa: Isa) -> Packers<$type> {
                let others = match isa.registers() {
                    #[cfg(target_arch = "x86_64")]
                    Isa::Avx2 => packers!(avx2 $vector $type, $mr256 6),
                    #[cfg(target_arch = "x86_64")]
                    Isa::Avx512 => packers!(avx512 $vector $type, $mr512 8),
                    #[cfg(target_arch = "aarch64")]
                    Isa::Neon => packers!(neon $vector $type, $mr_neon 6),
                    _ => packers!(portable $vector $type, $mr128 $mr128),
                };
                $(#[cfg(target_arch = $arch)]
                if matches!(isa, Isa::$isa $(| Isa::$wider)*) {
                    let ([a, b], step) = $packers;
                    return Packers { a, b, step, ..others };
                })*
                others
            }
        }
    )*};
}
elements! {
    f32 by F32, 8 16 48 16;
    bf16 by F32, 8 16 48 16
        or Avx512Bf16 on "x86_64": kernels!(Avx512Bf16 avx512_bf16 Halves 16, wider 48), dots!(avx512_bf16 Halves bf16, 48 8)
        or NeonMmla on "aarch64": matrices!(NeonMmla neon_mmla Halves, 4 lanes, 8 8, [1 2]), (
            [
                packer_of_rows!(neon_mmla bf16 8 unit 4, step 4 of 2 lanes),
                packer_of_rows!(neon_mmla bf16 8 unit 1, step 4 of 2 lanes),
            ],
            4,
        );
    f16 by F32, 8 16 48 16;
    f64 by F64, 4 8 24 8;
    i8 by I32, 8 16 48 16
        or Avx2Vnni on "x86_64": kernels!(Avx2Vnni avx2_vnni Quads 8, wide 16), dots!(avx2_vnni Quads i8, 16 6, shifted)
        or Avx512Vnni | Avx512Bf16 on "x86_64":
            kernels!(Avx512Vnni avx512_vnni Quads 16, wider 48), dots!(avx512_vnni Quads i8, 48 8, shifted)
        or NeonDot on "aarch64": kernels!(NeonDot neon_dot Quads 4, high 16), dots!(neon_dot Quads i8, 16 6)
        or NeonMmla on "aarch64": matrices!(NeonMmla neon_mmla Bytes, 4 lanes, 8 8, [1 2]), (
            [
                packer_of_rows!(neon_mmla i8 8 unit 4, step 8 of 2 lanes),
                packer_of_rows!(neon_mmla i8 8 unit 1, step 8 of 2 lanes),
            ],
            8,
        );
}
