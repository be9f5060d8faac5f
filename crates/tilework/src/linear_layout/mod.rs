//! Linear layouts: Triton's form of the layouts whose extents are powers of two.
//!
//! A linear layout maps each bit of four indices, `register`, `lane`, `warp` and `block`, to its *basis*, a coordinate
//! of the tensor. The element of given indices is at the XOR of the bases of their set bits. That is a thread-value
//! layout: with 32 lanes per warp, the low five bits of the thread are the lane, the others the warp, and the value is
//! the register.
//!
//! ```text
//! ((4,8),2):((32,1),16) onto (16,8)          thread, value -> m + 16 n
//!     lane 1 -> (0,2)   lane 2 -> (0,4)      32 and 64 are columns 2 and 4
//!     lane 4 -> (1,0)   lane 8 -> (2,0)   lane 16 -> (4,0)
//!     register 1 -> (0,1)
//! ```
//!
//! The coordinates of the tensor are numbers `m + M n` here, as in CuTe, so that a basis is a stride: an XOR stride if
//! bases share bits, an integer stride otherwise.

mod text;

use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf};
use crate::list::List;
use crate::shape::Shape;
use crate::stride::Stride;
use crate::swizzle::{AnyLayout, Composed, Swizzle};
use crate::tuple::HTuple;

/// More bits than any element index has.
const MAX_BITS: usize = 63;

/// The most dimensions of the tensor of a linear layout.
const MAX_RANK: usize = 8;

/// A thread-value layout as bases over F2, as Triton and Gluon write it.
///
/// ```
/// use tilework::{Input, LinearLayout, layout};
/// let tv = layout!(((4,8),2):((32,1),16));
/// let linear = LinearLayout::onto(&tv.into(), &"(16,8)".parse()?, 32)?;
/// assert_eq!(linear.bases(Input::Lane), [32, 64, 1, 2, 4]);
/// assert_eq!(linear.bases(Input::Register), [16]);
/// assert_eq!(
///     linear.to_string(),
///     "#ttg.linear<{register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], block = []}>"
/// );
/// assert_eq!(linear.layout()?, tv);
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct LinearLayout {
    /// Those of the registers, the lanes, the warps and the blocks.
    bases: [List<i64, MAX_BITS>; 4],
    /// The extents of the tensor, powers of two, as a flat tuple.
    shape: Shape,
}

/// The indices of a linear layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Input {
    /// The values of a thread.
    Register,
    /// The threads of a warp.
    Lane,
    /// The warps of a block.
    Warp,
    /// The blocks of a cluster.
    Block,
}

impl LinearLayout {
    /// The bases of a layout of the modes (thread, value) or (thread, value, block), with `lanes` threads per warp. The
    /// tensor has one dimension for each component of coordinate strides, and a single one for other strides; each is
    /// as large as the layout needs.
    ///
    /// ```
    /// use tilework::{LinearLayout, layout};
    /// let linear = LinearLayout::of(&layout!((4,2):(1@0,1@1)).into(), 32)?;
    /// assert_eq!(linear.shape().to_string(), "(4,2)");
    /// let refused = LinearLayout::of(&layout!(((4,6),2):((1,8),4)).into(), 32).unwrap_err();
    /// assert_eq!(refused.to_string(), "leaf 1 of the layout has extent 6, which is not a power of two");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotPowerOfTwo`] for an extent or a number of lanes; [`Error::Rank`] for more than three modes; for
    /// layouts that are not linear over F2, as in [`Composed::to_xor`], [`Error::NotXorLinear`] (`4:-1`, `(2,2):(1,1)`)
    /// or [`Error::CarrylessScale`] (`4:3`); [`Error::NotIntegral`] (`4:1/2`); [`Error::Capacity`] for more than eight
    /// dimensions.
    pub const fn of(layout: &AnyLayout, lanes: i64) -> Result<LinearLayout, Error> {
        tri!(layout.layout().one_component("a linear layout"));
        let shape = match layout.layout().codomain() {
            Codomain::Coordinate => {
                let zero = tri!(layout.layout().codomain_profile());
                let (mut shape, mut i) = (HTuple::builder(1), 0);
                *shape.profile_mut() = *zero.profile();
                while i < zero.leaves().len() {
                    tri!(shape.push_value(1));
                    i += 1;
                }
                i = 0;
                while i < zero.leaves().len() {
                    shape.leaves_mut()[i] = tri!(extent_beyond(tri!(largest(layout.layout(), &shape, i))));
                    i += 1;
                }
                shape
            }
            _ => {
                let mut linear = tri!(LinearLayout::from_xor(&tri!(to_xor(layout)), &HTuple::leaf(1), lanes));
                linear.shape.leaves_mut()[0] = tri!(extent_beyond(linear.reach()));
                return Ok(linear);
            }
        };
        LinearLayout::onto(layout, &shape, lanes)
    }

    /// The same for a tensor of this shape, whose elements integer and XOR strides count in column-major order.
    ///
    /// ```
    /// use tilework::{LinearLayout, layout};
    /// // The accumulator of mma.m16n8k16: two rows, and pairs of neighbours in a row.
    /// let c = layout!(((4,8),(2,2)):((32,1),(16,8)));
    /// let gluon = LinearLayout::onto(&c.into(), &"(16,8)".parse()?, 32)?.to_gluon();
    /// assert_eq!(
    ///     gluon.as_str(),
    ///     "gl.DistributedLinearLayout(reg_bases=[[0, 1], [8, 0]], \
    ///      lane_bases=[[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp_bases=[], block_bases=[], shape=[16, 8])"
    /// );
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`of`](Self::of); [`Error::NotPowerOfTwo`] for an extent of the tensor; [`Error::Size`] if the layout
    /// exceeds it; [`Error::Index`] if a coordinate stride addresses no extent of it.
    pub const fn onto(layout: &AnyLayout, shape: &Shape, lanes: i64) -> Result<LinearLayout, Error> {
        tri!(layout.layout().one_component("a linear layout"));
        tri!(powers_of_two("the tensor", shape.leaves()));
        let size = tri!(shape.size());
        let xor = if layout.layout().codomain().same(Codomain::Coordinate) {
            let layout = tri!(in_column_major(layout.layout(), shape));
            tri!(to_xor(&AnyLayout::Plain(layout)))
        } else {
            tri!(to_xor(layout))
        };
        let linear = tri!(LinearLayout::from_xor(&xor, shape, lanes));
        if linear.reach() >= size {
            let operation = "the tensor of a linear layout";
            return Err(Error::Size {
                operation,
                expected: tri!(extent_beyond(linear.reach())),
                found: size,
            });
        }
        Ok(linear)
    }

    /// The bases of the columns of a layout with XOR strides.
    const fn from_xor(layout: &Layout, shape: &Shape, lanes: i64) -> Result<LinearLayout, Error> {
        tri!(powers_of_two("a warp", &[lanes]));
        let rank = layout.rank();
        if rank > 3 {
            return Err(Error::Rank { operation: "a linear layout", expected: 3, found: rank });
        }
        let mut out = tri!(LinearLayout::empty(shape));
        let mut mode = 0;
        while mode < rank {
            let part = tri!(layout.mode(mode));
            let mut i = 0;
            while i < part.leaves().len() {
                let Leaf { extent, stride } = part.leaves()[i];
                let mut bit = 0;
                while bit < extent.trailing_zeros() {
                    let input = match mode {
                        0 if out.bases[Input::Lane as usize].len() < lanes.trailing_zeros() as usize => {
                            Input::Lane
                        }
                        0 => Input::Warp,
                        1 => Input::Register,
                        _ => Input::Block,
                    };
                    tri!(out.bases[input as usize].push(stride.numerator() << bit, "bits of an index"));
                    bit += 1;
                }
                i += 1;
            }
            mode += 1;
        }
        Ok(out)
    }

    /// All indices map to element 0 of a tensor.
    const fn empty(shape: &Shape) -> Result<LinearLayout, Error> {
        let shape = if shape.is_leaf() { tri!(shape.wrap()) } else { shape.flatten() };
        if shape.leaves().len() > MAX_RANK {
            return Err(Error::Capacity { what: "dimensions of a linear layout", limit: MAX_RANK });
        }
        Ok(LinearLayout { bases: [List::new(0); 4], shape })
    }

    /// The bases of one of the indices, from its lowest bit: elements of the tensor in column-major order.
    ///
    /// ```
    /// use tilework::{Input, LinearLayout, layout};
    /// let linear = LinearLayout::of(&layout!((64,2):(2,1)).into(), 32)?;
    /// assert_eq!(linear.bases(Input::Warp), [64]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn bases(&self, input: Input) -> &[i64] {
        self.bases[input as usize].as_slice()
    }

    /// The extents of the tensor.
    ///
    /// ```
    /// use tilework::{LinearLayout, layout};
    /// assert_eq!(LinearLayout::of(&layout!((64,2):(2,1)).into(), 32)?.shape().to_string(), "(128)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The layout of the modes (thread, value), and block if there is one, whose strides count the elements of the
    /// tensor in column-major order: integer strides if they are equivalent to XOR strides.
    ///
    /// ```
    /// use tilework::{LinearLayout, layout};
    /// let text = "#ttg.linear<{register = [[1]], lane = [[2], [4]], warp = [[12]], block = []}>";
    /// assert_eq!(text.parse::<LinearLayout>()?.layout()?, layout!(((4,2),2):((^2,^12),^1)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Capacity`] for more leaves than a layout can have.
    pub const fn layout(&self) -> Result<Layout, Error> {
        let plain = tri!(self.layout_of(Codomain::Integer));
        match plain.sums_are_xors() {
            Ok(_) => Ok(plain),
            Err(_) => self.layout_of(Codomain::Xor),
        }
    }

    const fn layout_of(&self, codomain: Codomain) -> Result<Layout, Error> {
        let mut out = HTuple::builder(Leaf::UNUSED);
        let blocks = !self.bases(Input::Block).is_empty();
        tri!(out.open(2 + blocks as usize));
        let modes: [&[Input]; 3] = [&[Input::Lane, Input::Warp], &[Input::Register], &[Input::Block]];
        let mut mode = 0;
        while mode < 2 + blocks as usize {
            let (first, mut i) = (out.leaves().len(), 0);
            while i < modes[mode].len() {
                tri!(push_bits(&mut out, first, self.bases(modes[mode][i]), codomain));
                i += 1;
            }
            tri!(out.close_merged(first));
            mode += 1;
        }
        Layout::new(out)
    }

    /// All bits of all bases.
    const fn reach(&self) -> i64 {
        let (mut reach, mut input) = (0, 0);
        while input < self.bases.len() {
            let (bases, mut i) = (self.bases[input].as_slice(), 0);
            while i < bases.len() {
                reach |= bases[i];
                i += 1;
            }
            input += 1;
        }
        reach
    }
}

/// Appends a leaf for each run of doubling bases, or extends the last leaf after number `first`.
const fn push_bits(
    out: &mut HTuple<Leaf>,
    first: usize,
    bases: &[i64],
    codomain: Codomain,
) -> Result<(), Error> {
    let mut i = 0;
    while i < bases.len() {
        let stride = match codomain {
            Codomain::Xor => tri!(Stride::xor(bases[i])),
            _ => Stride::integer(bases[i]),
        };
        tri!(out.push_merged(Leaf { extent: 2, stride }, first));
        i += 1;
    }
    Ok(())
}

/// The same function with XOR strides, for extents that are powers of two.
const fn to_xor(layout: &AnyLayout) -> Result<Layout, Error> {
    let (mut extents, mut i) = ([1; crate::MAX_LEAVES], 0);
    while i < layout.layout().leaves().len() {
        let Leaf { extent, stride } = layout.layout().leaves()[i];
        tri!(integral(stride));
        extents[i] = extent;
        i += 1;
    }
    tri!(powers_of_two("the layout", &extents));
    match layout {
        AnyLayout::Plain(layout) => tri!(Composed::new(Swizzle::NONE, 0, *layout)).to_xor(),
        AnyLayout::Swizzled(composed) => composed.to_xor(),
    }
}

/// A layout with coordinate strides as numbers, in the column-major order of a tensor that contains it.
const fn in_column_major(layout: &Layout, shape: &Shape) -> Result<Layout, Error> {
    let mut component = 0;
    while component < shape.leaves().len() {
        let (largest, found) = (tri!(largest(layout, shape, component)), shape.leaves()[component]);
        if largest >= found {
            let operation = "a dimension of the tensor of a linear layout";
            return Err(Error::Size { operation, expected: tri!(extent_beyond(largest)), found });
        }
        component += 1;
    }
    let (mut tuple, mut i) = (*layout.as_tuple(), 0);
    while i < tuple.leaves().len() {
        let stride = tuple.leaves()[i].stride;
        let mut number = stride.numerator();
        if number != 0 {
            let component = tri!(component_of(stride, shape));
            let mut before = 0;
            while before < component {
                number = tri!(int::mul(number, shape.leaves()[before]));
                before += 1;
            }
        }
        tuple.leaves_mut()[i].stride = Stride::integer(number);
        i += 1;
    }
    Layout::new(tuple)
}

/// The largest coordinate of one component.
const fn largest(layout: &Layout, shape: &Shape, component: usize) -> Result<i64, Error> {
    let (mut largest, mut i) = (0, 0);
    while i < layout.leaves().len() {
        let Leaf { extent, stride } = layout.leaves()[i];
        tri!(integral(stride));
        if stride.numerator() < 0 && extent > 1 {
            return Err(Error::NotXorLinear { reason: "a stride is negative" });
        }
        if !stride.is_zero() && tri!(component_of(stride, shape)) == component {
            largest = tri!(int::add(largest, tri!(int::mul(extent - 1, stride.numerator()))));
        }
        i += 1;
    }
    Ok(largest)
}

/// The extent of a shape that the basis element of a coordinate stride addresses.
const fn component_of(stride: Stride, shape: &Shape) -> Result<usize, Error> {
    let (path, depth) = stride.unit().path();
    let (node, leaf) = tri!(shape.find(path.split_at(depth).0));
    if shape.profile().is_leaf(node) {
        Ok(leaf)
    } else {
        Err(Error::Incongruent { what: "the basis elements and the tensor" })
    }
}

const fn integral(stride: Stride) -> Result<(), Error> {
    let count = stride.count();
    if count.is_integer() {
        return Ok(());
    }
    let (numerator, denominator) = (count.numerator(), count.denominator());
    Err(Error::NotIntegral { operation: "a linear layout", numerator, denominator })
}

const fn powers_of_two(what: &'static str, extents: &[i64]) -> Result<(), Error> {
    let mut leaf = 0;
    while leaf < extents.len() {
        let extent = extents[leaf];
        if extent < 1 || extent.count_ones() != 1 {
            return Err(Error::NotPowerOfTwo { what, leaf, extent });
        }
        leaf += 1;
    }
    Ok(())
}

/// The smallest power of two above a number.
const fn extent_beyond(largest: i64) -> Result<i64, Error> {
    let bits = i64::BITS - largest.leading_zeros();
    if bits > 62 { Err(Error::TooLarge { what: "an extent of the tensor" }) } else { Ok(1 << bits) }
}
