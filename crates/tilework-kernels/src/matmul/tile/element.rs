//! The types of the elements of a product of matrices.
//!
//! | `A` and `B` | products are summed in | `C` | intermediate results of more than two operands |
//! |---|---|---|---|
//! | `f32` | `f32` | `f32` | `f32` |
//! | `f64` | `f64` | `f64` | `f64` |
//! | `bf16`, `f16` | `f32` | `f32`, `bf16` or `f16` | `f32` |
//! | `i8` | `i32` | `i32` | `f64`, which is exact up to 2^53 |

use super::axis::{Axis, Steps};
use super::kernel::{MAX_MV, TileFn};
use super::packing::Packing;
use crate::cpu::isa::Isa;
use half::{bf16, f16};
use std::any::TypeId;
use std::array::from_fn;
use tilework::StaticLayout;

/// The type in which products are summed: `f32`, `f64` or `i32`.
///
/// Sums of `i32` wrap; those of up to 131071 products of `i8` are exact.
#[diagnostic::on_unimplemented(
    message = "products are not summed in `{Self}`",
    note = "they are summed in `f32`, `f64` or `i32`"
)]
pub trait Sum: Destination<Self> + SumKernels + PartialEq + Default + Into<f64> {
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// `self * scale + other`.
    fn times_plus(self, scale: Self, other: Self) -> Self;
    /// The nearest value; for `i32`, wrapped as sums are.
    fn from_f64(value: f64) -> Self;
}

/// An element of `A` and `B`: `f32`, `f64`, `i8`, and `bf16` and `f16` of the crate `half`. The value 1 is converted
/// from `i8`.
#[diagnostic::on_unimplemented(
    message = "there are no kernels for products of `{Self}`",
    note = "there are for `f32`, `f64`, `i8`, and `bf16` and `f16` of the crate `half`"
)]
pub trait Element:
    ElementKernels + Copy + Default + Send + Sync + 'static + From<i8> + Into<Self::Sum> + Into<Self::Work>
{
    /// The type in which products are summed.
    type Sum: Sum;
    /// The type of intermediate results, if more than two operands are contracted.
    type Work: Element<Sum = Self::Work, Work = Self::Work> + Sum;
}

/// An element of `C`, for sums of type `S`: `S` itself, and for `f32` also `bf16` and `f16`.
#[diagnostic::on_unimplemented(
    message = "sums of `{S}` cannot be written as `{Self}`",
    note = "sums are written as what they are, and those of `f32` also as `bf16` or `f16` of the crate `half`"
)]
pub trait Destination<S>: DestinationKernels<S> + Copy + Default + Send + Sync + 'static {
    /// The value as a sum.
    fn widen(self) -> S;
    /// The sum, rounded to the nearest value.
    fn narrow(sum: S) -> Self;
}

macro_rules! elements {
    ($($type:ty, $sum:ty, $work:ty;)*) => {$(
        impl Element for $type {
            type Sum = $sum;
            type Work = $work;
        }
    )*};
}
elements! {
    f32, f32, f32;
    f64, f64, f64;
    bf16, f32, f32;
    f16, f32, f32;
    i8, i32, f64;
}

macro_rules! arithmetic {
    ($($type:ident $zero:literal $one:literal |$a:ident, $scale:ident, $c:ident| $times_plus:expr,
       |$value:ident| $from_f64:expr;)*) => {$(
        impl Sum for $type {
            const ZERO: $type = $zero;
            const ONE: $type = $one;
            #[inline(always)]
            fn times_plus(self, $scale: $type, $c: $type) -> $type {
                let $a = self;
                $times_plus
            }
            #[inline(always)]
            fn from_f64($value: f64) -> $type {
                $from_f64
            }
        }
        impl Destination<$type> for $type {
            #[inline(always)]
            fn widen(self) -> $type {
                self
            }
            #[inline(always)]
            fn narrow(sum: $type) -> $type {
                sum
            }
        }
    )*};
}
arithmetic! {
    f32 0.0 1.0 |a, scale, c| a * scale + c, |value| value as f32;
    f64 0.0 1.0 |a, scale, c| a * scale + c, |value| value;
    i32 0 1 |a, scale, c| a.wrapping_mul(scale).wrapping_add(c), |value| value as i64 as i32;
}

macro_rules! halves {
    ($($type:ident)*) => {$(
        impl Destination<f32> for $type {
            #[inline(always)]
            fn widen(self) -> f32 {
                self.to_f32()
            }
            #[inline(always)]
            fn narrow(sum: f32) -> $type {
                $type::from_f32(sum)
            }
        }
    )*};
}
halves!(bf16 f16);

/// The sum of lanes: halves are added, of constant length, so that the compiler can use vectors.
#[inline(always)]
pub(crate) fn sum_of_lanes<S: Sum>(lanes: [S; 8]) -> S {
    let four: [S; 4] = from_fn(|i| lanes[i + 4].times_plus(S::ONE, lanes[i]));
    let two: [S; 2] = from_fn(|i| four[i + 2].times_plus(S::ONE, four[i]));
    two[1].times_plus(S::ONE, two[0])
}

/// A packing function for the rows of a panel; see [`pack`](super::pack::pack).
pub type PackFn<T> = unsafe fn(&[*const T], Steps<'_>, usize, usize, *mut <T as Element>::Sum);

/// A packing function for operands in memory with two tables; see [`pack_strided`](super::pack::pack_strided).
pub type PackStridedFn<T> =
    unsafe fn(&Packer<T>, *const T, Steps<'_>, Steps<'_>, Packing, usize, *mut <T as Element>::Sum);

/// `sums[i] += sum of A(i, k) x[k]`; see [`along_rows`](super::gemv::along_rows).
pub type GemvFn<T> = unsafe fn(*const T, Steps<'_>, Steps<'_>, *const T, *mut <T as Element>::Sum);

/// `C(i, j) = alpha sums[i + height j] + beta C(i, j)`; see [`put`](super::put::put).
pub type PutFn<S, D> = unsafe fn(*mut D, Steps<'_>, Packing, &[isize], *const S, usize, [S; 2]);

/// The kernels for one type of sums and one instruction set.
pub struct Kernels<S: 'static> {
    /// The instructions that the kernels need.
    pub isa: Isa,
    /// Lanes of a vector.
    pub lanes: usize,
    /// Rows of a panel of `A`.
    pub mr: usize,
    /// Columns of a panel of `B`.
    pub nr: usize,
    /// For packed panels of `B`, by vectors - 1, in equal steps of columns up to `nr`. If elements are of the type of their sums, they read
    /// `A` in place too.
    pub packed: &'static [&'static [TileFn<S>]],
    /// For operands in place, by vectors - 1 and columns - 1. Empty if elements are not of the type of their sums.
    pub(crate) direct: &'static [&'static [TileFn<S>]],
    /// Whether vectors access sums that are 2 to 4 apart.
    pub(crate) permutes: bool,
}

impl<S> Kernels<S> {
    /// The kernel for packed panels of `B`, of as many vectors and at least as many columns.
    #[inline(always)]
    pub(crate) fn of_panels(&self, vectors: usize, columns: usize) -> TileFn<S> {
        let widths = self.packed[vectors - 1];
        widths[(columns * widths.len()).div_ceil(self.nr) - 1]
    }
}

/// The properties of the element types of a product, and of their kernels, that a plan needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format {
    /// The instructions that its kernels use.
    pub isa: Isa,
    /// Lanes of a vector, and the rows and columns of a tile: see [`Kernels`].
    pub lanes: usize,
    pub mr: usize,
    pub nr: usize,
    /// Bytes of an element, and of a packed one.
    pub bytes: usize,
    pub packed_bytes: usize,
    /// Bytes of a sum.
    pub sum_bytes: usize,
    /// Elements per row in a step of the kernels.
    pub step: usize,
    /// Whether an element has the type of its sum, so that kernels can read it in place.
    pub is_sum: bool,
    /// Whether an element of `C` has that type, so that kernels can write it.
    pub same_type: bool,
    /// Whether vectors access elements of the type of sums that are 2 to 4 apart.
    pub permutes: bool,
    /// The most columns of tiles in place, by vectors - 1.
    pub widest: [usize; MAX_MV],
}

impl Format {
    /// For operands of `T`, and `C` of elements of `C`.
    pub(crate) fn of<T: Element, C: 'static>(isa: Isa) -> Format {
        let Kernels { isa, lanes, mr, nr, direct, .. } = *T::kernels(isa);
        let (Packers { a, step, .. }, sum_bytes) = (T::packers(isa), size_of::<T::Sum>());
        let sum = TypeId::of::<T::Sum>();
        Format {
            isa,
            lanes,
            mr,
            nr,
            bytes: size_of::<T>(),
            packed_bytes: a.depth_lanes * sum_bytes / a.depth,
            sum_bytes,
            step,
            is_sum: TypeId::of::<T>() == sum,
            same_type: TypeId::of::<C>() == sum,
            permutes: T::Sum::kernels(isa).permutes,
            widest: from_fn(|vectors| direct.get(vectors).map_or(0, |tiles| tiles.len())),
        }
    }

    /// How panels of `width` rows are packed.
    pub(crate) fn packing(&self, tables: [&Axis; 2], width: usize) -> Packing {
        Packing::new(tables, self.lanes.min(width), self.lanes * self.step, self.is_sum && self.permutes)
    }

    /// How rows of `C` are written.
    pub(crate) fn writing(&self, rows: &Axis) -> Packing {
        Packing::of_rows(self.same_type && self.permutes, rows)
    }

    /// The rows and columns of a tile.
    pub(crate) fn tile(&self) -> [usize; 2] {
        [self.mr, self.nr]
    }
}

/// The packing functions for one type of elements and one instruction set.
pub struct Packers<T: Element> {
    /// Panels of [`Kernels::mr`] rows.
    pub a: Packer<T>,
    /// Panels of [`Kernels::nr`] rows.
    pub b: Packer<T>,
    /// Elements per row in a step of the kernels.
    pub step: usize,
    /// A matrix by a vector, for contiguous rows.
    pub along_rows: GemvFn<T>,
    /// A matrix by a vector, for contiguous steps.
    pub along_steps: GemvFn<T>,
}

/// The packing functions for panels of one height.
pub struct Packer<T: Element> {
    /// The most rows of a panel.
    pub rows: usize,
    /// Every panel but the last has a multiple of `unit` rows.
    pub unit: usize,
    /// Elements of a row that are side by side, and the lanes that they take.
    pub depth: usize,
    pub depth_lanes: usize,
    /// Lanes of a step of a panel.
    pub width: usize,
    /// For any panel.
    pub any: PackFn<T>,
    /// For all panels of memory with two tables.
    pub strided: PackStridedFn<T>,
    /// How packed panels are completed.
    pub finish: Finish<T::Sum>,
}

/// How packed panels are completed before kernels read them; see [`shifted`](super::shifted).
#[derive(Clone, Copy)]
pub enum Finish<S> {
    /// Nothing.
    Nothing,
    /// Elements are shifted, by a function of the panels and the number of their lanes.
    Shift(unsafe fn(*mut S, usize)),
    /// The initial sums of each column are computed, by a function of the panels, their number, their steps, and the
    /// destination.
    Begin(unsafe fn(*const S, usize, usize, *mut S)),
}

/// The kernels of [`Sum`]; seals it.
pub trait SumKernels: Copy + 'static {
    #[doc(hidden)]
    fn kernels(isa: Isa) -> &'static Kernels<Self>;
    /// A product of tiles of static layouts.
    ///
    /// # Safety
    /// Those of [`product`](super::static_tile::product).
    #[doc(hidden)]
    unsafe fn static_product<LA: StaticLayout, LB: StaticLayout, LC: StaticLayout>(
        isa: Isa,
        alpha: Self,
        a: *const Self,
        b: *const Self,
        beta: Self,
        c: *mut Self,
    );
}

/// The kernels of [`Element`]; seals it.
pub trait ElementKernels: Sized {
    #[doc(hidden)]
    fn kernels(isa: Isa) -> &'static Kernels<Self::Sum>
    where
        Self: Element;
    #[doc(hidden)]
    fn packers(isa: Isa) -> Packers<Self>
    where
        Self: Element;
}

/// The kernels of [`Destination`]; seals it.
pub trait DestinationKernels<S>: Sized {
    #[doc(hidden)]
    fn put(isa: Isa) -> PutFn<S, Self>;
}
