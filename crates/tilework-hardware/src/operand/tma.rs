//! Boxes of the tensor memory accelerator.

use super::illegal::Illegal;
use super::mode::Mode;
use crate::access::{Access, Offsets};
use alloc::vec::Vec;
use core::fmt;
use tilework::{Error, HasLayout, Layout};

/// The arguments of `cuTensorMapEncodeTiled` for a tensor and a box, the contiguous dimension first. The descriptor
/// itself is opaque.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TensorMap {
    /// The mode of the layouts for each dimension.
    pub modes: Vec<usize>,
    /// `globalDim`.
    pub dims: Vec<i64>,
    /// `globalStrides`, in bytes, of all dimensions but the first.
    pub strides: Vec<i64>,
    /// `boxDim`; all `elementStrides` are 1.
    pub box_dims: Vec<i64>,
    /// `swizzle`.
    pub mode: Mode,
}

impl fmt::Display for TensorMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TensorMap { dims, strides, box_dims, mode, .. } = self;
        write!(f, "dims {dims:?}, strides {strides:?} bytes, box {box_dims:?}, {mode}, base {}", mode.base())
    }
}

/// Whether the tensor memory accelerator can copy boxes of a global tensor to or from a shared tile: both are flat, and
/// their modes correspond.
///
/// ```
/// use tilework::{Composed, Swizzle, layout};
/// use tilework_hardware::operand::{Mode, tma};
/// let tile = Composed::new(Swizzle::new(3, 3, 3)?, 0, layout!((128,64):(64,1)))?;
/// let map = tma(&layout!((4096,1024):(1024,1)), &tile, 16)?;
/// assert_eq!((map.dims, map.strides, map.box_dims), (vec![1024, 4096], vec![2048], vec![64, 128]));
/// assert_eq!(map.mode, Mode::B128);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Illegal`]: the condition, with the mode or the coordinate.
pub fn tma(global: &Layout, tile: &impl HasLayout, bits: u32) -> Result<TensorMap, Illegal> {
    let shared = tile.as_layout();
    let modes = global.leaves().len();
    if !(1..=5).contains(&modes) || global.depth() > 1 {
        return Err(Illegal::Modes { modes, contiguous: true });
    }
    if shared.rank() != modes {
        return Err(Error::Rank { operation: "a box", expected: modes, found: shared.rank() }.into());
    }
    if !(8..=64).contains(&bits) || !bits.is_power_of_two() {
        return Err(Illegal::Element { bits, expected: "elements of 8, 16, 32 or 64 bits" });
    }
    let mut order: Vec<usize> = (0..modes).collect();
    order.sort_by_key(|&mode| global.leaves()[mode].stride.count().numerator());
    if global.leaves()[order[0]].stride.as_integer() != Some(1) {
        return Err(Illegal::Modes { modes, contiguous: false });
    }
    let mut strides = Vec::new();
    for &mode in &order[1..] {
        let stride = global.leaves()[mode].stride.as_integer().unwrap_or(-1);
        let wide = i128::from(stride) * i128::from(bits);
        if stride <= 0 || wide % 128 != 0 || wide >= 8 << 40 {
            return Err(Illegal::GlobalStride { mode, bits: wide });
        }
        strides.push((wide / 8) as i64);
    }
    let mut extents = Vec::with_capacity(modes);
    for mode in 0..modes {
        let extent = if modes == 1 { shared.size() } else { shared.mode(mode)?.size() };
        if !(1..=256).contains(&extent) {
            return Err(Illegal::Box { mode, extent });
        }
        extents.push(extent);
    }
    let row = extents[order[0]] * i64::from(bits);
    if row % 128 != 0 {
        return Err(Illegal::BoxRow { bits: row, mode: Mode::None });
    }
    let mode = mode_of(tile, &extents, &order, bits)?;
    if mode != Mode::None && row > 8 * mode.bytes() {
        return Err(Illegal::BoxRow { bits: row, mode });
    }
    Ok(TensorMap {
        dims: order.iter().map(|&mode| global.leaves()[mode].extent).collect(),
        box_dims: order.iter().map(|&mode| extents[mode]).collect(),
        modes: order,
        strides,
        mode,
    })
}

/// The mode in which a box is written: contiguous along its dimensions in their order, and swizzled.
fn mode_of(tile: &impl HasLayout, extents: &[i64], order: &[usize], bits: u32) -> Result<Mode, Illegal> {
    let size = tile.as_layout().size();
    let offsets = Offsets::new(tile, &Access::new(Layout::of(size, 1)?, bits)?)?;
    let mut strides = [0; 5];
    let mut next = 1;
    for &mode in order {
        strides[mode] = next;
        next *= extents[mode];
    }
    let (meant, mut reason) = (Mode::of(tile, bits), None::<(i64, Illegal)>);
    for mode in Mode::ALL {
        let swizzle = mode.swizzle(bits)?;
        let place = |index: i64| {
            let (mut rest, mut expected) = (index, 0);
            for (extent, stride) in extents.iter().zip(strides) {
                expected += rest % extent * stride;
                rest /= extent;
            }
            let found = swizzle.apply(offsets.vector(index as usize, 0)).unwrap_or(-1);
            (expected, found)
        };
        let Some(index) = (0..size).find(|&index| place(index).0 != place(index).1) else { return Ok(mode) };
        let agreed = if meant == Some(mode) { i64::MAX } else { index };
        if reason.is_none_or(|(before, _)| agreed > before) {
            let (expected, found) = place(index);
            let (row, column) = (index % extents[0], index / extents[0]);
            reason = Some((agreed, Illegal::Place { mode, row, column, expected, found }));
        }
    }
    Err(reason.map_or(Illegal::Modes { modes: 0, contiguous: true }, |(_, illegal)| illegal))
}
