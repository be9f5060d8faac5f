//! Extents and strides as plain numbers: how a kernel takes a layout that is known only at launch.

use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::layout::{Layout, Leaf};
use crate::text::Text;
use crate::tuple::MAX_LEAVES;

/// The extents and strides of up to `N` leaves, for the argument of a kernel: `8 N` bytes, [`StridedLeaf`] by leaf.
///
/// The leaves are those of the layout, in its order; what is left of the `N` has extent 1 and stride 0. In a kernel
/// written in Rust, [`at`](Self::at) is the function that reads it; for other kernels [`CUDA`](Self::CUDA) and
/// [`wgsl`](Self::wgsl) are the source of the same struct and function. With the feature `bytemuck` it is `Pod`.
///
/// ```
/// use tilework::{Strided, layout};
/// let rows = layout!((4,8):(8,1));
/// let argument = Strided::<3>::new(&rows)?;
/// assert_eq!(argument.leaves.map(|leaf| (leaf.extent, leaf.stride)), [(4, 8), (8, 1), (1, 0)]);
/// assert_eq!(argument.at(5), 9);
/// assert_eq!(size_of_val(&argument), 24);
/// # Ok::<(), tilework::Error>(())
/// ```
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
pub struct Strided<const N: usize> {
    /// From left to right.
    pub leaves: [StridedLeaf; N],
}

/// The extent and the stride of one leaf, in 32 bits each.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
pub struct StridedLeaf {
    /// How many steps.
    pub extent: u32,
    /// Elements from one step to the next; 0 for an extent of 1.
    pub stride: i32,
}

impl<const N: usize> Strided<N> {
    /// A struct template and its function `at`, for CUDA and HIP, and for C++ where `__host__` and `__device__` are
    /// defined as nothing. A kernel takes a `Strided<N>` by value.
    ///
    /// ```
    /// use tilework::Strided;
    /// assert!(Strided::<4>::CUDA.starts_with("template <int N> struct Strided {"));
    /// ```
    pub const CUDA: &'static str = "\
template <int N> struct Strided {
    struct Leaf { unsigned extent; int stride; } leaves[N];
    __host__ __device__ int at(unsigned index) const {
        int offset = 0;
#pragma unroll
        for (int i = 0; i < N; ++i) {
            offset += int(index % leaves[i].extent) * leaves[i].stride;
            index /= leaves[i].extent;
        }
        return offset;
    }
};
";

    /// The leaves of a layout.
    ///
    /// ```
    /// use tilework::{Strided, layout};
    /// let refused = |layout| Strided::<2>::new(&layout).unwrap_err().to_string();
    /// assert_eq!(refused(layout!((2,2,2):(1,2,4))), "the N of Strided needs size 3, found 2");
    /// assert_eq!(refused(layout!(2:-3000000000)), "Strided takes offsets of 31 bits and a sign, found -3000000000");
    /// ```
    ///
    /// # Errors
    /// [`Error::Size`] for more than `N` leaves; [`Error::Codomain`] for strides that are not integers;
    /// [`Error::Argument`] for an offset beyond 32 bits with sign, or a size beyond 32 bits.
    pub const fn new(layout: &Layout) -> Result<Self, Error> {
        let operation = "Strided";
        if !layout.codomain().same(Codomain::Integer) {
            return Err(Error::Codomain { operation, found: layout.codomain() });
        }
        let leaves = layout.leaves();
        if leaves.len() > N {
            let (operation, expected) = ("the N of Strided", leaves.len() as i64);
            return Err(Error::Size { operation, expected, found: N as i64 });
        }
        if layout.size() > u32::MAX as i64 {
            return Err(Error::Argument { operation, expected: "a size of 32 bits", found: layout.size() });
        }
        let (low, high) = tri!(layout.bounds(operation));
        let found = if low < i32::MIN as i64 { low } else { high };
        if found < i32::MIN as i64 || found > i32::MAX as i64 {
            return Err(Error::Argument { operation, expected: "offsets of 31 bits and a sign", found });
        }
        let mut strided = Strided { leaves: [StridedLeaf { extent: 1, stride: 0 }; N] };
        let mut i = 0;
        while i < leaves.len() {
            let Leaf { extent, stride } = leaves[i];
            if extent > 1 {
                strided.leaves[i] = StridedLeaf { extent: extent as u32, stride: stride.numerator() as i32 };
            }
            i += 1;
        }
        Ok(strided)
    }

    /// The offset of an index below the size of the layout, as [`Layout::at`].
    ///
    /// ```
    /// use tilework::{Strided, layout};
    /// const ARGUMENT: Strided<2> = tilework::unwrap(Strided::new(&layout!((4,8):(-8,1))));
    /// assert_eq!((ARGUMENT.at(0), ARGUMENT.at(5), ARGUMENT.at(31)), (0, -7, -17));
    /// ```
    #[inline(always)]
    #[must_use]
    pub const fn at(&self, index: u32) -> i32 {
        let (mut rest, mut offset, mut i) = (index, 0i32, 0);
        while i < N {
            let StridedLeaf { extent, stride } = self.leaves[i];
            // Bytes from elsewhere may have an extent of 0.
            if extent > 1 {
                offset = offset.wrapping_add(((rest % extent) as i32).wrapping_mul(stride));
                rest /= extent;
            }
            i += 1;
        }
        offset
    }

    /// The structs `Strided{N}Leaf` and `Strided{N}`, and the function `strided{N}_at`, in WGSL. The struct has the size
    /// and the alignment that it has here in the address space `storage`; `uniform` would need arrays of 16 bytes.
    ///
    /// ```
    /// use tilework::Strided;
    /// assert!(Strided::<2>::wgsl().as_str().ends_with("\
    /// fn strided2_at(strided: Strided2, index: u32) -> i32 {
    ///     var rest = index;
    ///     var offset = 0i;
    ///     offset += i32(rest % strided.leaves[0].extent) * strided.leaves[0].stride;
    ///     rest /= strided.leaves[0].extent;
    ///     offset += i32(rest % strided.leaves[1].extent) * strided.leaves[1].stride;
    ///     return offset;
    /// }
    /// "));
    /// ```
    #[must_use]
    pub const fn wgsl() -> Text {
        const { assert!(0 < N && N <= MAX_LEAVES, "a layout has 1 to 32 leaves") };
        let (n, mut text) = (N as i64, Text::new());
        text.push("struct Strided").push_int(n).push("Leaf { extent: u32, stride: i32 }\n");
        text.push("struct Strided").push_int(n).push(" { leaves: array<Strided").push_int(n);
        text.push("Leaf, ")
            .push_int(n)
            .push("> }\nfn strided")
            .push_int(n)
            .push("_at(strided: Strided")
            .push_int(n);
        text.push(", index: u32) -> i32 {\n    var rest = index;\n    var offset = 0i;\n");
        let mut i = 0;
        while i < n {
            // Indices are literals, so that the leaves stay in registers.
            text.push("    offset += i32(rest % strided.leaves[").push_int(i);
            text.push("].extent) * strided.leaves[").push_int(i).push("].stride;\n");
            if i + 1 < n {
                text.push("    rest /= strided.leaves[").push_int(i).push("].extent;\n");
            }
            i += 1;
        }
        text.push("    return offset;\n}\n");
        text
    }
}
