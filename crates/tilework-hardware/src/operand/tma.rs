//! Boxes of the tensor memory accelerator.

use super::illegal::Illegal;
use super::mode::Mode;
use super::places::Places;
use alloc::vec::Vec;
use core::fmt;
use tilework::{__private::sort_by_key, Error, HasLayout, Layout};

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

impl TensorMap {
    /// The required alignment of the shared address, in bytes: the period of the swizzle, and at least 128. PTX ISA,
    /// `cp.async.bulk.tensor`.
    #[must_use]
    pub const fn base(&self) -> u32 {
        if self.mode.base() < 128 { 128 } else { self.mode.base() }
    }
}

impl fmt::Display for TensorMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TensorMap { dims, strides, box_dims, mode, .. } = self;
        write!(f, "dims {dims:?}, strides {strides:?} bytes, box {box_dims:?}, {mode}, base {}", self.base())
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
    const BITS: &[u32] = &[8, 16, 32, 64];
    if !BITS.contains(&bits) {
        return Err(Illegal::Element { operand: "tma", bits, taken: BITS });
    }
    let mut order: Vec<usize> = (0..modes).collect();
    sort_by_key(&mut order, |&mode| global.leaves()[mode].stride.count().numerator());
    if global.leaves()[order[0]].stride.as_integer() != Some(1) {
        return Err(Illegal::Modes { modes, contiguous: false });
    }
    for (mode, leaf) in global.leaves().iter().enumerate() {
        if leaf.extent > 1 << 32 {
            return Err(Illegal::GlobalExtent { mode, extent: leaf.extent });
        }
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
    Ok(TensorMap {
        dims: order.iter().map(|&mode| global.leaves()[mode].extent).collect(),
        box_dims: order.iter().map(|&mode| extents[mode]).collect(),
        mode: mode_of(tile, &extents, &order, bits)?,
        modes: order,
        strides,
    })
}

/// The first mode in which a box is written so: contiguous along its dimensions in their order, and swizzled in rows that
/// the mode's span holds.
fn mode_of(tile: &impl HasLayout, extents: &[i64], order: &[usize], bits: u32) -> Result<Mode, Illegal> {
    let (mut steps, mut next) = (vec![Vec::new(); extents.len()], 1);
    for &mode in order {
        steps[mode] = (0..extents[mode]).map(|index| i128::from(index * next)).collect();
        next *= extents[mode];
    }
    let places = Places::new(tile, &extents.iter().map(|&extent| 0..extent).collect::<Vec<_>>())?;
    let row = extents[order[0]] * i64::from(bits);
    let meant = Mode::of(tile, bits);
    let mut reason = (i64::MIN, Illegal::BoxRow { bits: row, mode: Mode::None });
    for mode in Mode::ALL {
        let found = match places.misplaced(mode.swizzle(bits)?, &steps)? {
            None if mode == Mode::None || row <= 8 * mode.bytes() => return Ok(mode),
            None => (next, Illegal::BoxRow { bits: row, mode }),
            Some(at) => {
                let (row, column) = (at.index % extents[0], at.index / extents[0]);
                (at.index, Illegal::Place { mode, row, column, expected: at.expected, found: at.found })
            }
        };
        let agreed = if meant == Some(mode) { i64::MAX } else { found.0 };
        if agreed > reason.0 {
            reason = (agreed, found.1);
        }
    }
    Err(reason.1)
}
