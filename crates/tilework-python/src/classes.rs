//! The Python classes that hold a value of the language, without their methods, which need the code that reads and
//! makes such objects.

use crate::prelude::*;
use pyo3::PyClass;
use tilework_expr::Value;

/// A function from coordinates to offsets: the base class of `Layout`, `ComposedLayout` and `View`.
///
/// `f(22)`, `f(2, 5)` and `f((0, 1), (1, 1))` are offsets; with `None` for a mode that is not fixed, `f(2, None)` is a
/// slice. `f @ g` composes, `f / tiler` divides, `f * tiler` multiplies. `len(f)` is the rank, `f[0]` a mode, `f[0, 1]`
/// a mode of a mode, and iteration is over the modes. For a tensor as CuTe prints it, `gmem_ptr[16b] o (4,8):(8,1)`,
/// `f.bits` is the width of its elements.
#[pyclass(frozen, subclass, module = "tilework")]
pub struct AnyLayout {
    pub value: Value,
}

/// A layout, `shape:stride`: `Layout((4, 8), (8, 1))`, `Layout((4, 8))` with the first mode fastest, or from text.
///
/// >>> from tilework import Layout
/// >>> tiles = Layout(((2, 2), (2, 4)), ((1, 16), (2, 4)))
/// >>> print(tiles, tiles.size, tiles(3, 5))
/// ((2,2),(2,4)):((1,16),(2,4)) 32 27
/// >>> Layout("(4,8):(8,1)") == Layout((4, 8), (8, 1))
/// True
/// >>> Layout("(8,8):(8,1)") @ Layout("((4,8),2):((16,1),8)")
/// Layout('((4,8),2):((2,8),1)')
#[pyclass(frozen, extends = AnyLayout, module = "tilework")]
pub struct Layout;

/// A swizzled layout, `c -> swizzle(offset + layout(c))`.
///
/// >>> from tilework import ComposedLayout, Layout, Swizzle
/// >>> swizzled = ComposedLayout(Swizzle(3, 4, 3), 0, Layout((8, 64), (64, 1)))
/// >>> print(swizzled, swizzled(2, 0))
/// Sw<3,4,3> o 0 o (8,64):(64,1) 144
#[pyclass(frozen, extends = AnyLayout, module = "tilework")]
pub struct ComposedLayout;

/// A layout with an offset, `c -> offset + layout(c)`: the result of slicing.
///
/// >>> from tilework import Layout, View
/// >>> view = Layout((4, 8), (8, 1))(2, None)
/// >>> print(view, view.offset, view.layout, view(5))
/// {16} o 8:1 16 8:1 21
/// >>> view == View(16, Layout(8))
/// True
#[pyclass(frozen, extends = AnyLayout, module = "tilework")]
pub struct View;

impl AnyLayout {
    /// An object of one of the classes.
    #[inline]
    pub fn with<C: PyClass<BaseType = AnyLayout>>(class: C, value: Value) -> PyClassInitializer<C> {
        PyClassInitializer::from(AnyLayout { value }).add_subclass(class)
    }

    /// The layout, if the function is a plain layout.
    #[inline]
    pub fn plain(&self) -> Option<&tilework::Layout> {
        match &self.value {
            Value::Layout(layout) => Some(layout),
            _ => None,
        }
    }
}

/// The Python object of a layout.
#[inline]
pub fn new(py: Python<'_>, layout: tilework::Layout) -> Made<'_> {
    Ok(Bound::new(py, AnyLayout::with(Layout, Value::from(layout)))?.into_any())
}

/// The Python object of a value that is a function of coordinates.
pub fn object(py: Python<'_>, value: Value) -> Made<'_> {
    match value.untyped() {
        Value::Composed(_) => Ok(Bound::new(py, AnyLayout::with(ComposedLayout, value))?.into_any()),
        Value::View(_) => Ok(Bound::new(py, AnyLayout::with(View, value))?.into_any()),
        _ => Ok(Bound::new(py, AnyLayout::with(Layout, value))?.into_any()),
    }
}

pub fn hash(value: &impl std::hash::Hash) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    value.hash(&mut hasher);
    std::hash::Hasher::finish(&hasher)
}

/// Layouts that apply mode by mode, `<4:1,8:2>`; a tuple is accepted wherever a tiler is expected.
///
/// >>> from tilework import Layout, Tiler
/// >>> tiler = Tiler(4, Layout(8, 2), None)
/// >>> print(tiler)
/// <4:1,8:2,_>
/// >>> print(Layout((8, 16)).zipped_divide((4, 8)))
/// ((4,8),(2,2)):((1,8),(4,64))
#[pyclass(frozen, eq, module = "tilework")]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Tiler(pub tilework::Tiler);

/// CUTLASS's swizzle `Sw<B,M,S>`, `x ^ ((x & (((1 << B) - 1) << (M + max(0, S)))) >> S)`; a negative `S` shifts left.
///
/// `swizzle @ layout` is a swizzled layout, and `swizzle @ swizzle` is a swizzle, if the composition is one.
///
/// >>> from tilework import Layout, Swizzle
/// >>> Swizzle(3, 4, 3)(0x80) == 0x90
/// True
/// >>> print(Swizzle(3, 4, 3) @ Layout("(8,64):(64,1)"))
/// Sw<3,4,3> o 0 o (8,64):(64,1)
#[pyclass(frozen, eq, hash, module = "tilework")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Swizzle(pub tilework::Swizzle);

/// An instruction, `atom(...)`, or several side by side, `tiled_mma(...)` and `tiled_copy(...)`: the base class of
/// `MmaAtom`, `CopyAtom`, `TiledMma` and `TiledCopy` of `tilework.hardware`. The fields are those of the expression
/// language: `mma.a`, `mma.b`, `mma.c`, `copy.src`, `copy.dst` are layouts of threads and values; `dir(mma)` lists all.
///
/// >>> from tilework import atom
/// >>> mma = atom("SM80_16x8x16_F32F16F16F32_TN")
/// >>> print(mma, mma.shape, mma.c)
/// atom(SM80_16x8x16_F32F16F16F32_TN) (16, 8, 16) ((4,8),(2,2)):((32,1),(16,8))
#[pyclass(frozen, eq, subclass, module = "tilework")]
#[derive(Clone, PartialEq)]
pub struct Instruction(pub Value);

/// An instruction that computes `D = A B^T + C`, with `A` of `(M,K)`, `B` of `(N,K)`, and `C` and `D` of `(M,N)`.
///
/// `.shape` is `(M, N, K)`, `.threads` maps the index of a thread to its lane; `.a`, `.b` and `.c` map threads and
/// values to `m + M k`, `n + N k` and `m + M n`. Sparse instructions have `.e` for metadata, scaled ones `.sfa` and
/// `.sfb` for scales.
///
/// >>> from tilework import hardware
/// >>> mma = hardware.atom("SM90_64x16x16_F32F16F16_SS")
/// >>> print(mma.shape, mma.threads, mma.c)
/// (64, 16, 16) 128:1 ((4,8,4),(2,2,2)):((128,1,16),(64,8,512))
#[pyclass(frozen, extends = Instruction, module = "tilework.hardware")]
pub struct MmaAtom;

/// An instruction that copies data: element `i` of the source is copied to element `i` of the destination.
///
/// `.bits` is the width of an element; `.src` and `.dst` map threads and values to elements, `.threads` maps the index
/// of a thread to its lane; `.memory`, if the instruction prescribes addresses, maps elements to addresses of tensor
/// memory.
///
/// >>> from tilework import hardware
/// >>> ldmatrix = hardware.atom("SM75_U32x4_LDSM_N", 16)
/// >>> print(ldmatrix.threads, ldmatrix.src, ldmatrix.dst)
/// 32:1 (32,8):(8,1) (32,(2,4)):(2,(1,64))
#[pyclass(frozen, extends = Instruction, module = "tilework.hardware")]
pub struct CopyAtom;

/// An atom repeated over threads and over a tensor, CuTe's `TiledMMA`: the layout of atoms in M, N and K, and a tiler
/// by which tensors are divided first.
///
/// `.shape` is `(M, N, K)` of the tile, `.threads` maps `(V,M,N,K)` to threads; `.a`, `.b` and `.c` map threads and
/// values to the elements of one tile; `.atom` and `.tiler` are the arguments.
///
/// >>> from tilework import Layout, hardware
/// >>> mma = hardware.TiledMma("SM80_16x8x16_F32F16F16F32_TN", (2, 2, 1), (32, 32, 16))
/// >>> mma.threads.size, mma.shape
/// (128, (32, 32, 16))
/// >>> print(mma.thread(5).partition_C(Layout((128, 128), (128, 1))))
/// {130} o ((2,2),4,8):((1,1024),4096,16)
#[pyclass(frozen, extends = Instruction, module = "tilework.hardware")]
pub struct TiledMma;

/// A copy atom repeated by threads and values over a tile, CuTe's `TiledCopy`; `make_tiled_copy` and its like make one.
///
/// `.src` and `.dst` are from threads and values to places of the tile, `.tv` is that of the side by which the atom is laid out; `.shape` has the
/// extents of the tile, `.tiler` is the tile; `.atom` and `.bits` are those of the atom.
///
/// >>> from tilework import Layout, hardware
/// >>> atom = hardware.atom("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", 16)
/// >>> copy = hardware.make_tiled_copy(atom, Layout((16, 8), (8, 1)), (1, 8))
/// >>> print(copy.tiler, copy.thread(9).partition_S(Layout((64, 64), (64, 1))))
/// <16:1,64:1> {72} o ((8,1),4,1):((1,0),1024,0)
#[pyclass(frozen, extends = Instruction, module = "tilework.hardware")]
pub struct TiledCopy;

impl Instruction {
    /// An object of one of the classes.
    pub fn with<C: PyClass<BaseType = Instruction>>(class: C, value: Value) -> PyClassInitializer<C> {
        PyClassInitializer::from(Instruction(value)).add_subclass(class)
    }

    /// The object of an instruction.
    pub fn object(py: Python<'_>, instruction: Box<tilework_expr::Instruction>) -> Made<'_> {
        use tilework_expr::Instruction as Kind;
        let kind = *instruction;
        let value = Value::Instruction(instruction);
        match kind {
            Kind::Mma(_) => Ok(Bound::new(py, Instruction::with(MmaAtom, value))?.into_any()),
            Kind::Copy(..) => Ok(Bound::new(py, Instruction::with(CopyAtom, value))?.into_any()),
            Kind::TiledMma(_) => Ok(Bound::new(py, Instruction::with(TiledMma, value))?.into_any()),
            Kind::TiledCopy(_) => Ok(Bound::new(py, Instruction::with(TiledCopy, value))?.into_any()),
            _ => Ok(Bound::new(py, Instruction(value))?.into_any()),
        }
    }
}

/// A stride that is not a plain number: a multiple of a basis element, `2*E(1)`, or an XOR stride, `xor(9)`.
///
/// Plain strides are integers and fractions. Strides can be multiplied by numbers, and added if the sum is a multiple
/// of one unit.
///
/// >>> from tilework import E, Layout
/// >>> 2 * E(1, 0)
/// 2*E(1,0)
/// >>> str(2 * E(1, 0))
/// '2@0@1'
/// >>> Layout((4, 8), (E(0), E(1)))(9)
/// (1, 2)
#[pyclass(frozen, eq, hash, module = "tilework")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stride(pub tilework::Stride);
