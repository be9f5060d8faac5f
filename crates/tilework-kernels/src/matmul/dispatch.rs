//! Which kernels and packing functions there are for each instruction set and type.

use super::compiled;
use super::element::{Element, ElementKernels, Finish, Kernels, Packer, Packers, SumKernels};
use crate::cpu::isa::Isa;
use crate::simd::vector::{self, Vector};
use half::{bf16, f16};
use tilework::StaticLayout;

/// Tables of functions, `[vectors: columns...]` for packed and for direct tiles.
macro_rules! kernels {
    (@direct $bk:literal $set:ident I32 $tiles:tt) => {
        &[]
    };
    (@direct $bk:literal $set:ident Quads $tiles:tt) => {
        &[]
    };
    (@direct $bk:literal $set:ident Halves $tiles:tt) => {
        &[]
    };
    // The kernels in plain Rust, for processors that have none of the sets, are fewer.
    (@direct 1 portable $vector:ident $tiles:tt) => {
        kernels!(@direct 0 portable $vector $tiles)
    };
    // Only kernels of one vector gain by knowing the steps of `B`.
    (@direct $bk:literal $set:ident $vector:ident [$($dm:literal: $($dn:literal)*),*]) => {
        &[$(&[$(compiled::$set::tile::<vector::$set::$vector, $dm, $dn, 0, { if $dm == 1 { $bk } else { 0 } }>),*]),*]
    };
    ($isa:ident $set:ident $vector:ident $lanes:literal, $mr:literal $nr:literal,
     [$($pm:literal: $($pn:literal)*),*], [$($dm:literal: $($dn:literal)*),*]) => {
        &Kernels {
            isa: Isa::$isa,
            lanes: $lanes,
            mr: $mr,
            nr: $nr,
            packed: &[$(&[$(compiled::$set::tile::<vector::$set::$vector, $pm, $pn, $mr, $nr>),*]),*],
            any: kernels!(@direct 0 $set $vector [$($dm: $($dn)*),*]),
            along: kernels!(@direct 1 $set $vector [$($dm: $($dn)*),*]),
        }
    };
    ($isa:ident $set:ident $vector:ident $lanes:literal, wide $mr:literal) => {
        kernels!($isa $set $vector $lanes, $mr 6,
            [1: 1 2 3 4 5 6, 2: 1 2 3 4 5 6],
            [1: 1 2 3 4 5 6 7 8 9 10 11 12, 2: 1 2 3 4 5 6])
    };
    ($isa:ident $set:ident $vector:ident $lanes:literal, wider $mr:literal) => {
        kernels!($isa $set $vector $lanes, $mr 8,
            [1: 1 2 3 4 5 6 7 8, 2: 1 2 3 4 5 6 7 8, 3: 1 2 3 4 5 6 7 8],
            [1: 1 2 3 4 5 6 7 8 9 10 11 12, 2: 1 2 3 4 5 6 7 8 9 10 11 12, 3: 1 2 3 4 5 6 7 8])
    };
    ($isa:ident $set:ident $vector:ident $lanes:literal, high $mr:literal) => {
        kernels!($isa $set $vector $lanes, $mr 6,
            [1: 1 2 3 4 5 6, 2: 1 2 3 4 5 6, 3: 1 2 3 4 5 6, 4: 1 2 3 4 5 6],
            [1: 1 2 3 4 5 6 7 8 9 10 11 12, 2: 1 2 3 4 5 6 7 8 9 10 11 12, 3: 1 2 3 4 5 6, 4: 1 2 3 4 5 6])
    };
    ($isa:ident $set:ident $vector:ident $lanes:literal, narrow $mr:literal) => {
        kernels!($isa $set $vector $lanes, $mr 4,
            [1: 1 2 3 4, 2: 1 2 3 4],
            [1: 1 2 3 4 5 6 7 8, 2: 1 2 3 4])
    };
}

macro_rules! sums {
    ($($type:ident $vector:ident, $portable:tt $mr128:literal, $avx2:tt $mr256:literal, $avx512:tt $mr512:literal,
       $neon:tt $mr_neon:literal;)*) => {$(
        impl SumKernels for $type {
            fn kernels(isa: Isa) -> &'static Kernels<$type> {
                match isa.registers() {
                    #[cfg(target_arch = "x86_64")]
                    Isa::Avx2 => kernels!(Avx2 avx2 $vector $avx2, wide $mr256),
                    #[cfg(target_arch = "x86_64")]
                    Isa::Avx512 => kernels!(Avx512 avx512 $vector $avx512, wider $mr512),
                    #[cfg(target_arch = "aarch64")]
                    Isa::Neon => kernels!(Neon neon $vector $neon, high $mr_neon),
                    _ => kernels!(Portable portable $vector $portable, narrow $mr128),
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

macro_rules! packer {
    ($set:ident $vector:ident $type:ident $rows:literal unit $unit:expr, $finish:expr) => {
        Packer {
            rows: $rows,
            unit: $unit,
            any: compiled::$set::pack::<$type, vector::$set::$vector, $rows>,
            strided: compiled::$set::pack_strided::<$type, vector::$set::$vector, $rows>,
            finish: $finish,
        }
    };
}

macro_rules! packers {
    ($set:ident $vector:ident $type:ident $step:literal, $mr:literal $nr:literal) => {
        Packers {
            a: packer!($set $vector $type $mr unit <vector::$set::$vector as Vector>::LANES, Finish::Nothing),
            b: packer!($set $vector $type $nr unit 1, Finish::Nothing),
            step: $step,
            along_rows: compiled::$set::along_rows::<$type, vector::$set::$vector>,
            along_steps: compiled::$set::along_steps::<$type, vector::$set::$vector>,
        }
    };
    // A dot product: a matrix by a vector, which memory bounds, is as without it.
    ($set:ident $vector:ident $type:ident $step:literal, $mr:literal $nr:literal shifted $shifted:tt, $others:expr) => {
        Packers {
            a: packer!($set $vector $type $mr unit <vector::$set::$vector as Vector>::LANES, finish!(A $shifted $set $vector)),
            b: packer!($set $vector $type $nr unit 1, finish!(B $shifted $set $vector $nr)),
            step: $step,
            ..$others
        }
    };
}

/// What is done with packed panels of instructions that multiply `u8` by `i8`.
macro_rules! finish {
    ($operand:ident false $($rest:tt)*) => {
        Finish::Nothing
    };
    (A true $set:ident $vector:ident) => {
        Finish::Shift(compiled::$set::shift::<vector::$set::$vector>)
    };
    (B true $set:ident $vector:ident $nr:literal) => {
        Finish::Begin(compiled::$set::begin::<vector::$set::$vector, $nr>)
    };
}

/// The kernels and packing functions of each type: by the vectors of its sums, and after `or` by dot products. A row of these
/// has the sets that have the instruction, the processor, the set that it is compiled with, the register, the elements in a lane,
/// the shape of a tile, and whether `A` is shifted.
macro_rules! elements {
    ($($type:ident by $vector:ident step $step:literal,
       $mr128:literal $mr256:literal $mr512:literal $mr_neon:literal
       $(or $isa:ident $(| $wider:ident)* on $arch:literal: $set:ident $dot:ident step $dots:literal, $lanes:literal $kind:ident $mr:literal $nr:literal shifted $shifted:tt)*;)*) => {$(
        impl ElementKernels for $type {
            fn kernels(isa: Isa) -> &'static Kernels<<$type as Element>::Sum> {
                $(#[cfg(target_arch = $arch)]
                if matches!(isa, Isa::$isa $(| Isa::$wider)*) {
                    return kernels!($isa $set $dot $lanes, $kind $mr);
                })*
                <<$type as Element>::Sum as SumKernels>::kernels(isa)
            }
            fn packers(isa: Isa) -> Packers<$type> {
                let others = match isa.registers() {
                    #[cfg(target_arch = "x86_64")]
                    Isa::Avx2 => packers!(avx2 $vector $type $step, $mr256 6),
                    #[cfg(target_arch = "x86_64")]
                    Isa::Avx512 => packers!(avx512 $vector $type $step, $mr512 8),
                    #[cfg(target_arch = "aarch64")]
                    Isa::Neon => packers!(neon $vector $type $step, $mr_neon 6),
                    _ => packers!(portable $vector $type $step, $mr128 4),
                };
                $(#[cfg(target_arch = $arch)]
                if matches!(isa, Isa::$isa $(| Isa::$wider)*) {
                    return packers!($set $dot $type $dots, $mr $nr shifted $shifted, others);
                })*
                others
            }
        }
    )*};
}
elements! {
    f32 by F32 step 1, 8 16 48 16;
    bf16 by F32 step 1, 8 16 48 16
        or Avx512Bf16 on "x86_64": avx512_bf16 Halves step 2, 16 wider 48 8 shifted false;
    f16 by F32 step 1, 8 16 48 16;
    f64 by F64 step 1, 4 8 24 8;
    i8 by I32 step 2, 8 16 48 16
        or Avx512Vnni | Avx512Bf16 on "x86_64": avx512_vnni Quads step 4, 16 wider 48 8 shifted true;
}
