//! Products whose layouts are types: everything except the elements is known at compile time.

use super::element::{Element, Sum};
use super::kernel::{Tile, tile};
use crate::cpu::isa::Isa;
use crate::error::Error;
use crate::memory::{Memory, MemoryMut};
use crate::simd::vector::Vector;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use tilework::{Codomain, HasLayout, Layout, StaticLayout, Tensor};

/// The most elements that each of the three tiles may have.
const MAX_TILE: usize = 4096;

/// `C = alpha A B + beta C` for tiles with static layouts, `(M,K)`, `(N,K)` and `(M,N)`, of up to 4096 elements each: no
/// plan, no tables, loops of constant length. Sizes that do not agree, and two elements of `C` at one offset, are
/// compile errors.
///
/// ```
/// use tilework::{Tensor, static_layout};
/// use tilework_kernels::gemm_tile;
/// static_layout! {
///     struct A = (8,4):(1,8);
///     struct B = (6,4):(4,1);
///     struct C = (8,6):(1,8);
/// }
/// let (a, b) = (Tensor::new([2.0f32; 32], A)?, Tensor::new([0.5f32; 24], B)?);
/// let mut c = Tensor::new([1.0f32; 48], C)?;
/// gemm_tile(1.0, &a, &b, 1.0, &mut c)?;
/// assert_eq!(c.at([7, 5]), 5.0);
/// # Ok::<(), tilework_kernels::Error>(())
/// ```
///
/// # Errors
/// [`Error::Image`] if an accessor has lost elements since the tensor was made; [`Error::Isa`].
#[inline]
pub fn gemm_tile<T, A, B, C, LA, LB, LC>(
    alpha: T,
    a: &Tensor<A, LA>,
    b: &Tensor<B, LB>,
    beta: T,
    c: &mut Tensor<C, LC>,
) -> Result<(), Error>
where
    T: Sum + Element<Sum = T>,
    A: Memory<Element = T>,
    B: Memory<Element = T>,
    C: MemoryMut<Element = T>,
    LA: StaticLayout + HasLayout,
    LB: StaticLayout + HasLayout,
    LC: StaticLayout + HasLayout,
{
    let (from_a, from_b, from_c) = (a.offset(), b.offset(), c.offset());
    let first = start::<T, LA>("A", a.accessor().as_slice(), from_a)?;
    let second = start::<T, LB>("B", b.accessor().as_slice(), from_b)?;
    let target = c.accessor_mut().as_mut_slice();
    start::<T, LC>("C", target, from_c)?;
    let target = target.as_mut_ptr().wrapping_offset(from_c as isize);
    let isa = Isa::current()?;
    // SAFETY: the processor has the instructions, and all offsets of the layouts are within the slices.
    unsafe { T::static_product::<LA, LB, LC>(isa, alpha, first, second, beta, target) };
    Ok(())
}

/// The pointer to offset 0 of a layout in a slice.
#[inline(always)]
fn start<T, L: StaticLayout>(operand: &'static str, data: &[T], offset: i64) -> Result<*const T, Error> {
    let (low, high) = const { image(&L::LAYOUT) };
    let (min, max) = (offset.saturating_add(low), offset.saturating_add(high));
    if min < 0 || max as u64 >= data.len() as u64 {
        return Err(Error::Image { operand, min, max, len: data.len() });
    }
    Ok(data.as_ptr().wrapping_offset(offset as isize))
}

const fn image(layout: &Layout) -> (i64, i64) {
    match (layout.min_offset(), layout.max_offset()) {
        (Ok(low), Ok(high)) if matches!(layout.codomain(), Codomain::Integer) => (low, high),
        _ => panic!("a tile has integer strides"),
    }
}

/// The size of a mode, and its stride if it has one.
#[derive(Clone, Copy)]
struct Mode {
    size: usize,
    stride: Option<i64>,
}

const fn mode(layout: &Layout, index: usize) -> Mode {
    let mode = match layout.mode(index) {
        Ok(mode) if layout.rank() == 2 => mode,
        _ => panic!("the layouts of a product of tiles have two modes each"),
    };
    let (size, stride) = (mode.size(), mode.const_at(if mode.size() > 1 { 1 } else { 0 }));
    let mut i = 0;
    while i < size {
        if mode.const_at(i) != i * stride {
            return Mode { size: size as usize, stride: None };
        }
        i += 1;
    }
    Mode { size: size as usize, stride: Some(if size == 1 { 1 } else { stride }) }
}

const fn modes(layout: &Layout) -> [Mode; 2] {
    [mode(layout, 0), mode(layout, 1)]
}

/// The sizes `m`, `n` and `k`, the last two from the rows of `B` and the steps of `A`.
const fn sizes(a: &Layout, b: &Layout) -> [usize; 3] {
    [mode(a, 0).size, mode(b, 0).size, mode(a, 1).size]
}

/// The constants of a product whose vectors run along the rows of `LA` and of `LC`.
struct Product<LA: ?Sized, LB: ?Sized, LC: ?Sized>(PhantomData<LA>, PhantomData<LB>, PhantomData<LC>);

impl<LA: StaticLayout + ?Sized, LB: StaticLayout + ?Sized, LC: StaticLayout + ?Sized> Product<LA, LB, LC> {
    const C: [Mode; 2] = modes(&LC::LAYOUT);

    /// The sizes `m`, `n` and `k`.
    const SIZES: [usize; 3] = {
        let [m, n, k] = sizes(&LA::LAYOUT, &LB::LAYOUT);
        assert!(m == Self::C[0].size, "M of A and of C differ");
        assert!(n == Self::C[1].size, "N of B and of C differ");
        assert!(k == mode(&LB::LAYOUT, 1).size, "K of A and of B differ");
        assert!(
            m * k <= MAX_TILE && n * k <= MAX_TILE && m * n <= MAX_TILE,
            "a tile has more than 4096 elements"
        );
        assert!(matches!(LC::LAYOUT.is_injective(), Ok(true)), "two coordinates of C have one offset");
        [m, n, k]
    };

    /// Whether vectors along the columns of `C` are faster.
    const SWAPPED: bool = !is(Self::C[0], 1) && is(Self::C[1], 1);
}

const fn is(mode: Mode, stride: i64) -> bool {
    matches!(mode.stride, Some(own) if own == stride)
}

/// The strides of an operand, or those of a packed one.
const fn strides(modes: [Mode; 2], unit: bool) -> Option<[isize; 2]> {
    match [modes[0].stride, modes[1].stride] {
        [Some(row), Some(col)] if !unit || row == 1 => Some([row as isize, col as isize]),
        _ => None,
    }
}

/// `C = alpha A B + beta C` with the vectors of one instruction set.
///
/// # Safety
/// The processor has the instructions, and the pointers are valid for all offsets of the layouts.
#[inline(always)]
pub(crate) unsafe fn product<V: Vector<Scalar: Sum>, LA: StaticLayout, LB: StaticLayout, LC: StaticLayout>(
    alpha: V::Scalar,
    a: *const V::Scalar,
    b: *const V::Scalar,
    beta: V::Scalar,
    c: *mut V::Scalar,
) {
    // SAFETY: the contract of this function is that of `along`.
    unsafe {
        if const { Product::<LA, LB, LC>::SIZES[0] > 0 && Product::<LA, LB, LC>::SWAPPED } {
            along::<V, LB, LA, LC, true>(alpha, b, a, beta, c)
        } else {
            along::<V, LA, LB, LC, false>(alpha, a, b, beta, c)
        }
    }
}

/// The same with the vectors along the rows of `LA`, and of `LC`, or, if `SWAPPED`, of its transpose.
#[inline(always)]
unsafe fn along<
    V: Vector<Scalar: Sum>,
    LA: StaticLayout,
    LB: StaticLayout,
    LC: StaticLayout,
    const SWAPPED: bool,
>(
    alpha: V::Scalar,
    a: *const V::Scalar,
    b: *const V::Scalar,
    beta: V::Scalar,
    c: *mut V::Scalar,
) {
    let [m, n, k] = const { sizes(&LA::LAYOUT, &LB::LAYOUT) };
    let [room_a, room_b] = &mut [const { [const { MaybeUninit::<V::Scalar>::uninit() }; MAX_TILE] }; 2];
    // SAFETY: the pointers are valid for all offsets of the layouts; the stage has room for every tile.
    unsafe {
        let (a, a_k) = match const { strides(modes(&LA::LAYOUT), true) } {
            Some([_, a_k]) => (a, a_k),
            None => (gather::<V, LA>(a, room_a), m as isize),
        };
        let (b, [b_n, b_k]) = match const { strides(modes(&LB::LAYOUT), false) } {
            Some(strides) => (b, strides),
            None => (gather::<V, LB>(b, room_b), [1, n as isize]),
        };
        let unit = const { is(modes(&LC::LAYOUT)[SWAPPED as usize], 1) };
        let mut stage = [const { MaybeUninit::<V::Scalar>::uninit() }; MAX_TILE];
        let mut columns = [const { MaybeUninit::<isize>::uninit() }; MAX_TILE];
        let (c_unit, alpha_unit, beta_unit) = if unit {
            (0..n).for_each(|j| _ = columns[j].write(at_c::<LC, SWAPPED>(0, j)));
            (c, alpha, beta)
        } else {
            (0..n).for_each(|j| _ = columns[j].write((j * m) as isize));
            (stage.as_mut_ptr().cast(), V::Scalar::ONE, V::Scalar::ZERO)
        };
        let first = Tile {
            k: if alpha == V::Scalar::ZERO { 0 } else { k },
            a,
            a_k,
            b,
            b_n,
            b_k,
            begin: std::ptr::null(),
            prefetches: false,
            c: c_unit,
            c_m: std::array::from_fn(|i| if i == 1 { V::LANES as isize } else { 0 }),
            c_n: columns.as_ptr().cast(),
            columns: 0,
            tail: 0,
            alpha: alpha_unit,
            beta: beta_unit,
            ahead: &mut [],
        };
        tiles::<V, LB>(&first, m);
        if !unit {
            scatter::<V, LC, SWAPPED>(stage.as_ptr().cast(), [m, n], c, [alpha, beta]);
        }
    }
}

/// All tiles of `m` rows, of up to two vectors each, from the first.
///
/// # Safety
/// The pointers of the tile are valid for as many rows.
#[inline(always)]
unsafe fn tiles<V: Vector<Scalar: Sum>, LB: StaticLayout>(first: &Tile<V::Scalar>, m: usize) {
    let step = if m > V::LANES { 2 * V::LANES } else { V::LANES };
    for i in (0..m).step_by(step) {
        let (a, c, height) = (first.a.wrapping_add(i), first.c.wrapping_add(i), step.min(m - i));
        // SAFETY: the tile has `height` rows.
        unsafe {
            if height > V::LANES {
                rows::<V, LB, 2>(&mut Tile { a, c, tail: height - V::LANES, ..*first });
            } else {
                rows::<V, LB, 1>(&mut Tile { a, c, tail: height, ..*first });
            }
        }
    }
}

/// The offset of an element in `C`, or, if `SWAPPED`, of its transpose.
#[inline(always)]
fn at_c<LC: StaticLayout, const SWAPPED: bool>(i: usize, j: usize) -> isize {
    let (i, j) = if SWAPPED { (j as i64, i as i64) } else { (i as i64, j as i64) };
    LC::at([i, j]) as isize
}

/// Writes sums of contiguous columns to the elements of `C`.
///
/// # Safety
/// There are as many sums, and `c` is valid for all offsets of the layout.
#[inline(always)]
unsafe fn scatter<V: Vector<Scalar: Sum>, LC: StaticLayout, const SWAPPED: bool>(
    sums: *const V::Scalar,
    [m, n]: [usize; 2],
    c: *mut V::Scalar,
    [alpha, beta]: [V::Scalar; 2],
) {
    for j in 0..n {
        for i in 0..m {
            // SAFETY: the offset is one of the layout, and there is a sum for it.
            unsafe {
                let at = c.offset(at_c::<LC, SWAPPED>(i, j));
                let before = if beta == V::Scalar::ZERO { V::Scalar::ZERO } else { *at };
                let sum = *sums.add(i + j * m);
                *at = sum.times_plus(alpha, before.times_plus(beta, V::Scalar::ZERO));
            }
        }
    }
}

/// All tiles of `MV` vectors along the rows of `LB`, in two widths that differ by one at most.
#[inline(always)]
unsafe fn rows<V: Vector<Scalar: Sum>, LB: StaticLayout, const MV: usize>(tile: &mut Tile<V::Scalar>) {
    let (parts, wide) = const {
        let n = mode(&LB::LAYOUT, 0).size;
        let parts = n.div_ceil(12 / MV);
        (parts, n.div_ceil(parts))
    };
    let n = const { mode(&LB::LAYOUT, 0).size };
    let wides = n - parts * (wide - 1);
    // SAFETY: the tile is valid at every column of `C`.
    unsafe {
        (0..wides).for_each(|_| columns::<V, LB, MV, 0>(tile));
        (wides..parts).for_each(|_| columns::<V, LB, MV, 1>(tile));
    }
}

/// One tile of the wider width, or of one column less, and the advance to the next.
#[inline(always)]
unsafe fn columns<V: Vector<Scalar: Sum>, LB: StaticLayout, const MV: usize, const LESS: usize>(
    at: &mut Tile<V::Scalar>,
) {
    macro_rules! width {
        ($($width:literal)*) => {$(
            if const {
                let n = mode(&LB::LAYOUT, 0).size;
                n.div_ceil(n.div_ceil(12 / MV)) == $width + LESS
            } {
                // SAFETY: the tile has `$width` columns from here on, for which its pointers are valid.
                unsafe { tile::<V, MV, $width, 0, false>(at) };
                at.b = at.b.wrapping_offset($width * at.b_n);
                at.c_n = at.c_n.wrapping_add($width);
            }
        )*};
    }
    width!(1 2 3 4 5 6 7 8 9 10 11 12);
}

/// Packs an operand: contiguous rows, step after step.
///
/// # Safety
/// The pointer is valid for all offsets of the layout, and `out` for as many elements.
#[inline(always)]
unsafe fn gather<V: Vector<Scalar: Sum>, L: StaticLayout>(
    from: *const V::Scalar,
    room: &mut [MaybeUninit<V::Scalar>; MAX_TILE],
) -> *const V::Scalar {
    let ([rows, steps], lanes) = (const { modes(&L::LAYOUT) }, V::LANES);
    let to = room.as_mut_ptr().cast::<V::Scalar>();
    // SAFETY: the offset is one of the layout, and `out` has room for every element.
    unsafe {
        if let (Some(row), true) = (rows.stride, const { is(mode(&L::LAYOUT, 1), 1) })
            && rows.size % lanes == 0
            && steps.size % lanes == 0
        {
            for k in (0..steps.size).step_by(lanes) {
                for i in (0..rows.size).step_by(lanes) {
                    V::transpose(
                        |r| V::load(from.offset((i + r) as isize * row as isize).add(k)),
                        |r, lanes| lanes.store(to.add(i + (k + r) * rows.size)),
                    );
                }
            }
            return to;
        }
        for k in 0..steps.size {
            for i in 0..rows.size {
                *to.add(i + k * rows.size) = *from.offset(L::at([i as i64, k as i64]) as isize);
            }
        }
    }
    to
}
