"""The classes and functions of `tilework` that are written in Rust. From `__all__` on written by stubs.py."""

import builtins
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, final, overload

from typing_extensions import Self, disjoint_base

#: A number of a shape or a coordinate, and tuples of them.
_IntTuple: TypeAlias = int | tuple["_IntTuple", ...] | list["_IntTuple"]
#: The same with `None` or `:` for what is open.
_Pattern: TypeAlias = int | None | builtins.slice[None, None, None] | tuple["_Pattern", ...] | list["_Pattern"]
#: Strides: numbers and multiples of `E(...)` or `xor(...)`.
_StrideTuple: TypeAlias = int | Fraction | Stride | tuple["_StrideTuple", ...] | list["_StrideTuple"]
#: What a layout maps to: a number, or for coordinate strides a coordinate.
_Offset: TypeAlias = int | Fraction | tuple["_Offset", ...]
#: A layout; a shape stands for its compact layout, and a text for what it evaluates to.
_LayoutLike: TypeAlias = AnyLayout | _IntTuple | str
#: A tiler; a tuple is one by mode.
_TilerLike: TypeAlias = Tiler | AnyLayout | int | str | None | tuple["_TilerLike", ...] | list["_TilerLike"]
#: An array of NumPy, PyTorch or others, and what those make of one.
_ArrayLike: TypeAlias = Any
#: An array of NumPy.
_Array: TypeAlias = Any

_L = TypeVar("_L", bound=AnyLayout)

FUNCTIONS: tuple[str, ...]
__version__: str

@disjoint_base
class _Program:
    """A program, by its text."""

    def __new__(cls, text: str) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def entry(self) -> str: ...
    @property
    def threads(self) -> int: ...
    @property
    def conditions(self) -> str: ...
    @property
    def scalars(self) -> dict[str, str]: ...
    @property
    def needs(self) -> dict[str, int]: ...
    def _check(self) -> tuple[list[tuple[int | None, str, str]], str, str]: ...
    def _emit(self, language: str, arch: str | None) -> str: ...
    def _sizes(self, given: dict[str, int]) -> dict[str, int]: ...
    def _tensors(self) -> list[tuple[str, str, str, str, list[str]]]: ...
    def _layouts(self, sizes: dict[str, int]) -> list[str]: ...
    def _launch(self, sizes: dict[str, int], scalars: list[tuple[str, float]]) -> tuple[list[int], bytes]: ...
    def _run(self, sizes: dict[str, int], scalars: list[tuple[str, float]], memories: list[tuple[str, bytes]]) -> list[bytes]: ...

__all__ = [
    "BitMatrix",
    "AnyLayout",
    "ComposedLayout",
    "Instruction",
    "Layout",
    "Stride",
    "Swizzle",
    "Tiler",
    "View",
    "CopyPlan",
    "copy",
    "Picture",
    "draw",
    "Accessor",
    "Tensor",
    "Format",
    "Packed",
    "check",
    "format",
    "formats",
    "identify",
    "repack",
    "conv",
    "einsum",
    "gemm",
    "ContractPlan",
    "ConvPlan",
    "GemmPlan",
    "axpby",
    "map",
    "reduce",
    "Session",
    "explain",
    "parse",
    "scan",
    "E",
    "xor",
    "Answer",
    "Scope",
    "SymbolicLayout",
    "SymbolicNumber",
    "Verdict",
    "assume",
    "cases",
    "hint",
    "symbol",
    "constant",
    "counting",
    "transform",
    "size",
    "rank",
    "depth",
    "shape",
    "stride",
    "cosize",
    "min",
    "max",
    "span",
    "image",
    "footprint",
    "contiguity",
    "layout",
    "column_major",
    "row_major",
    "ordered",
    "compact_like",
    "fragment_like",
    "identity",
    "layout_tv",
    "make_tensor",
    "make_fragment",
    "from_image",
    "from_formula",
    "chain",
    "completeness",
    "evaluate",
    "crd2idx",
    "idx2crd",
    "crd2crd",
    "in_bounds",
    "coordinate_sets",
    "slice",
    "dice",
    "shape_div",
    "shape_mod",
    "prefix_product",
    "inner_product",
    "ceil_div",
    "mode_sizes",
    "common_refinement",
    "common_coarsening",
    "get",
    "flatten",
    "unflatten",
    "group",
    "take",
    "select",
    "append",
    "prepend",
    "replace",
    "einfold",
    "coalesce",
    "coalesce_extended",
    "filter",
    "filter_zeros",
    "sort",
    "to_layout",
    "to_view",
    "to_xor",
    "to_swizzle",
    "linear_form",
    "bit_matrix",
    "bit_rank",
    "bit_layout",
    "composition",
    "complement",
    "right_inverse",
    "left_inverse",
    "inverse",
    "nullspace",
    "logical_divide",
    "zipped_divide",
    "tiled_divide",
    "flat_divide",
    "local_tile",
    "local_partition",
    "logical_product",
    "zipped_product",
    "tiled_product",
    "flat_product",
    "blocked_product",
    "raked_product",
    "tile_to_shape",
    "upcast",
    "downcast",
    "recast",
    "common_layout",
    "common_vector",
    "max_common_layout",
    "max_common_vector",
    "max_vector",
    "layout_add",
    "greatest_common_domain",
    "congruent",
    "weakly_congruent",
    "compatible",
    "equivalent",
    "is_injective",
    "is_surjective",
    "is_bijective",
    "is_compact",
    "is_increasing",
    "is_contiguous",
    "fits",
    "is_vector",
    "is_disjoint",
    "is_composable",
    "is_complementable",
    "admits",
    "is_sorted",
    "is_left_divisible",
    "is_weakly_left_divisible",
    "atom",
    "tiled_mma",
    "tiled_copy",
    "make_tiled_copy_A",
    "make_tiled_copy_B",
    "make_tiled_copy_C",
    "owner",
    "element",
    "get_slice",
    "thrfrg_A",
    "thrfrg_B",
    "thrfrg_C",
    "tidfrg_S",
    "tidfrg_D",
    "retile",
    "partition_A",
    "partition_B",
    "partition_C",
    "partition_S",
    "partition_D",
    "product",
    "make_layout",
    "make_ordered_layout",
    "make_layout_like",
    "make_tensor_like",
    "make_fragment_like",
    "make_identity_layout",
    "make_identity_tensor",
    "make_layout_tv",
    "make_rmem_tensor",
    "product_each",
    "mode",
    "group_modes",
    "compose",
    "recast_layout",
    "make_mma_atom",
    "make_copy_atom",
    "make_tiled_mma",
    "make_tiled_copy",
    "make_tiled_copy_tv",
    "get_thread_slice",
    "FUNCTIONS",
]

@final
class BitMatrix:
    """A matrix over the field of two elements, from the bits of an index to those of its offset. A column is a number; its
    bit `i` is the entry in row `i`.

    >>> from tilework import BitMatrix, Layout
    >>> swizzled = BitMatrix.of("(4,4):(^1,^5)")
    >>> swizzled.columns, swizzled.rank, swizzled @ 0b0110
    ((1, 2, 5, 10), 4, 7)
    >>> inverse = swizzled.inverse()
    >>> print(inverse.to_layout(), inverse @ swizzled == BitMatrix(4, (1, 2, 4, 8)))
    (4,4):(^1,^5) True
    """

    def __new__(cls, rows: int, columns: Sequence[int]) -> Self: ...

    @staticmethod
    def of(layout: _LayoutLike) -> BitMatrix:
        """The matrix of a layout as a function of the bits of an index.
        """

    def inverse(self) -> BitMatrix:
        """The inverse of a square matrix of full rank.
        """

    def to_layout(self) -> Layout:
        """The layout with XOR strides that is this function.
        """

    def __matmul__(self, right: Any, /) -> Any: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    @property
    def rows(self) -> int:
        """The number of rows.
        """

    @property
    def rank(self) -> int:
        """The number of independent columns.
        """

    @property
    def columns(self) -> tuple[int, ...]:
        """The columns as numbers.
        """

@disjoint_base
class AnyLayout:
    """A function from coordinates to offsets: the base class of `Layout`, `ComposedLayout` and `View`.

    `f(22)`, `f(2, 5)` and `f((0, 1), (1, 1))` are offsets; with `None` for a mode that is not fixed, `f(2, None)` is a
    slice. `f @ g` composes, `f / tiler` divides, `f * tiler` multiplies. `len(f)` is the rank, `f[0]` a mode, `f[0, 1]`
    a mode of a mode, and iteration is over the modes. For a tensor as CuTe prints it, `gmem_ptr[16b] o (4,8):(8,1)`,
    `f.bits` is the width of its elements.
    """

    def __call__(self, *coordinate: Any) -> Any: ...

    def __len__(self) -> int: ...

    def __getitem__(self, path: _IntTuple, /) -> Self: ...

    def __iter__(self) -> Iterator[Self]: ...

    def __matmul__(self, right: _LayoutLike | _TilerLike, /) -> Self: ...

    def __truediv__(self, tiler: _TilerLike, /) -> Self: ...

    def __mul__(self, tiler: _TilerLike, /) -> Self: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def offsets(self) -> _Array:
        """All offsets in the order of their coordinates, the first mode fastest, as an array of NumPy; for coordinate
        strides, one row of components for each.

        >>> from tilework import Layout, identity
        >>> Layout((2, 3), (10, 1)).offsets()
        array([ 0, 10,  1, 11,  2, 12])
        >>> identity((2, 2)).offsets().tolist()
        [[0, 0], [1, 0], [0, 1], [1, 1]]
        """

    def _repr_svg_(self) -> str: ...

    def emit(self, language: str, coordinate: Sequence[str] | None = None, *, name: str | None = None, bits: int | None = None) -> str:
        """The offset of a coordinate as source text of `"c"`, `"cuda"`, `"rust"`, `"python"` or `"wgsl"`: an expression, or a
        function of this name. One name of a coordinate is a linear index, by default `x`; otherwise there is one for each
        mode, or for each leaf. Integers have 32 or 64 `bits`; by default 32 where all values fit.

        >>> from tilework import Layout, parse
        >>> Layout("(4,8):(8,1)").emit("cuda", ("i", "j"))
        'i*8 + j'
        >>> parse("atom(SM80_16x8x16_F32F16F16F32_TN).c").emit("wgsl", ("lane", "value"))
        '(lane & 3u)*32u + (lane >> 2u) + (value & 1u)*16u + (value >> 1u)*8u'
        >>> print(parse("Sw<2,0,3> o 0 o (8,8):(8,1)").emit("rust", ("i", "j"), name="offset", bits=32))
        // Sw<2,0,3> o 0 o (8,8):(8,1)
        pub fn offset(i: u32, j: u32) -> u32 {
            let t0 = i*8 + j;
            t0 ^ ((t0 >> 3) & 3)
        }
        <BLANKLINE>
        """

    def on_mode(self, mode: _IntTuple, function: Callable[[Any], _LayoutLike]) -> Any:
        """The layout with a function applied to one of its modes, by its index or path, in place.

        >>> from tilework import Layout
        >>> tile = Layout("(8,(4,6)):(24,(1,4))")
        >>> print(tile.on_mode(0, lambda mode: mode / 2), tile.on_mode((1, 1), lambda mode: mode @ 3))
        ((2,4),(4,6)):((24,48),(1,4)) (8,(4,3)):(24,(1,4))
        """

    def to(self, form: str, *, lanes: int = 32, shape: _LayoutLike | None = None, bits: int | None = None) -> str:
        """The layout in the syntax of another program: `"cpp"` and `"cpp-type"` for CuTe C++, `"dsl"` and `"mlir"` for the
        CuTe DSL, `"triton"`, `"gluon"`, `"mdspan"`, `"tirx"`, `"tilelang"`, and `"numpy"`, whose strides are in bytes.

        For Triton and Gluon the modes are threads, values and blocks, with `lanes` threads per warp; they count the
        elements of a tensor of `shape` in column-major order, unless the layout has coordinate strides. `bits` is the
        width of an element for NumPy, unless the layout is a tensor's.

        >>> from tilework import Layout
        >>> Layout((4, 8), (8, 1)).to("cpp-type")
        'Layout<Shape<_4,_8>,Stride<_8,_1>>'
        >>> Layout("(8,8):(^1,^9)").to("dsl")
        'cute.make_composed_layout(cute.make_swizzle(3, 0, 3), 0, cute.make_layout((8, 8), stride=(1, 8)))'
        >>> text = Layout("(4,2):(2,1)").to("triton", shape=(2, 4))
        >>> text
        '#ttg.linear<{register = [[1, 0]], lane = [[0, 1], [0, 2]], warp = [], block = []}>'
        >>> Layout(text)
        Layout('(4,2):(2,1)')
        >>> Layout((4, 8), (8, 1)).to("numpy", bits=16)
        'shape=(4, 8), strides=(16, 2)'
        """

    @property
    def bits(self) -> int | None:
        """The bits of an element, if a pointer precedes the layout.

        >>> from tilework import Layout, parse
        >>> tile = parse("smem_ptr[16b](0x400) o Sw<3,3,3> o _0 o (_8,_64):(_64,_1)")
        >>> tile.bits, tile[1].bits, Layout(8).bits
        (16, 16, None)
        """

    @property
    def size(self) -> int:
        """`size(L)` or `size(L, 0, 1)`: the number of coordinates.

        Definition: The product of the extents (2.2).
        C++ CuTe: `size`.
        CuTe DSL: `size`.
        pycute: `size`.

        >>> from tilework import size
        >>> size('(4,(8,2)):(1,(4,32))')
        64
        >>> size[1, 0]((4, (8, 2)))
        8
        """

    @property
    def rank(self) -> int:
        """`rank(L)`: the number of modes.

        Definition: The number of modes; a leaf has one.
        C++ CuTe: `rank`.
        CuTe DSL: `rank`.
        pycute: `rank`.

        >>> from tilework import rank
        >>> rank((4, (8, 2)))
        2
        """

    @property
    def depth(self) -> int:
        """`depth(L)`: the levels of nesting.

        Definition: 0 for a leaf, and one more than its deepest mode for a tuple (2.1).
        C++ CuTe: `depth`.
        CuTe DSL: `depth`.

        >>> from tilework import depth
        >>> depth((4, (8, 2)))
        2
        """

    @property
    def shape(self) -> Any:
        """`shape(L)`: the extents.

        Definition: S of L = S:D (2.4).
        C++ CuTe: `shape`.

        >>> from tilework import shape
        >>> shape[1]('(4,(8,2)):(1,(4,32))')
        (8, 2)
        """

    @property
    def stride(self) -> Any:
        """`stride(L)`: the strides.

        Definition: D of L = S:D (2.4).
        C++ CuTe: `stride`.

        >>> from tilework import stride
        >>> stride('(4,8):(8,1)')
        (8, 1)
        """

    @property
    def cosize(self) -> int:
        """`cosize(L)`: the greatest offset plus one.

        Definition: max L(c) + 1 over all coordinates c in bounds.
        C++ CuTe: `cosize`.
        CuTe DSL: `cosize`.
        pycute: `cosize`.
        Refuses: codomain: rational and coordinate offsets have no order.

        >>> from tilework import cosize
        >>> cosize('(4,8):(10,1)')
        38
        """

    @property
    def min(self) -> int:
        """`min(L)`: the least offset.

        Definition: min L(c) over all coordinates c in bounds.
        Refuses: codomain: rational and coordinate offsets have no order.

        >>> from tilework import min
        >>> min('4:-1')
        -3
        """

    @property
    def max(self) -> int:
        """`max(L)`: the greatest offset.

        Definition: max L(c) over all coordinates c in bounds.
        Refuses: codomain: rational and coordinate offsets have no order.

        >>> from tilework import max
        >>> max('(4,8):(10,1)')
        37
        """

    @property
    def span(self) -> int:
        """`span(L)`: the greatest offset less the least, plus one.

        Definition: max L - min L + 1.
        Refuses: codomain: rational and coordinate offsets have no order.

        >>> from tilework import span
        >>> span('4:-1')
        4
        """

    @property
    def image(self) -> tuple[_Offset, ...]:
        """`image(L)`: all offsets, in the order of their coordinates.

        Definition: (L(0), L(1), ..., L(size-1)) (2.4.1).
        Refuses: limit: offsets that are no text of 256 KiB.

        >>> from tilework import image
        >>> image('(2,2):(8,1)')
        (0, 8, 1, 9)
        """

    def footprint(self, bits: int | None = None) -> int:
        """`footprint(L)` or `footprint(L, bits)`: the number of different offsets; with the bits of an element, the bytes that they take.

        Definition: The number of different L(c), times the bits of an element, in bytes rounded up.
        Refuses: undecided: offsets coincide, leave gaps, and are more than 65,536.

        >>> from tilework import footprint
        >>> footprint('(3,6):(1,1)')
        8
        >>> footprint('(4,8):(8,1)', 16)
        64
        """

    @property
    def contiguity(self) -> Any:
        """`contiguity(L)`: for each mode, how many adjacent coordinates have adjacent offsets.

        Definition: The greatest divisor n of each mode's size such that n neighbouring coordinates, from a multiple of n on, have offsets k, k+1, ....
        Refuses: codomain: rational and coordinate offsets have no neighbours.

        >>> from tilework import contiguity
        >>> contiguity('(4,8):(8,1)')
        (1, 8)
        >>> contiguity('Sw<3,3,3> o (8,64):(64,1)')
        (1, 8)
        """

    def compact_like(self) -> Layout:
        """`compact_like(L)`: the compact layout with the strides in the same order.

        Definition: The compact layout whose strides have the order of L's; of a tensor, one in registers.
        C++ CuTe: `make_layout_like, make_tensor_like`.
        CuTe DSL: `make_layout_like`.
        Refuses: codomain: strides that are not integers.

        >>> from tilework import compact_like
        >>> compact_like('(4,8):(100,1)')
        Layout('(4,8):(8,1)')
        """

    def fragment_like(self, bits: int | None = None) -> Layout:
        """`fragment_like(L)` or `fragment_like(L, bits)`: the compact layout of a shape with the first mode first, and the strides of the others in the same order; of a tensor, one in registers.

        Definition: The compact layout whose first mode is in the order of its coordinates, and whose other modes follow in the order of their strides.
        C++ CuTe: `make_fragment_like`.
        CuTe DSL: `make_fragment_like`.
        Refuses: codomain: strides that are not integers.

        >>> from tilework import fragment_like
        >>> fragment_like('((2,2),4,2):((64,1),2,128)')
        Layout('((2,2),4,2):((1,2),4,16)')
        >>> fragment_like('(4,8):(8,1)', 32)
        Layout('rmem_ptr[32b] o (4,8):(1,4)')
        """

    def make_fragment(self, bits: int | None) -> Any:
        """`make_fragment(L, T)`: the tensor in registers of a layout, and of the type or the bits of its elements.

        Definition: T(c) = r[L(c)] for registers r (2.5).
        C++ CuTe: `make_tensor<T>`.
        CuTe DSL: `make_fragment, make_rmem_tensor`.

        >>> from tilework import make_fragment
        >>> make_fragment((4, 8), 32)
        Layout('rmem_ptr[32b] o (4,8):(1,4)')
        """

    def evaluate(self, coordinate: _IntTuple | str) -> Any:
        """`evaluate(L, c)`: the offset of a coordinate, the same as (L)(c).

        Definition: L(c) = sum of c_i d_i over the natural coordinate (equation 6).
        C++ CuTe: `layout(coord)`.
        CuTe DSL: `layout(coord)`.
        pycute: `layout(coord)`.
        Refuses: coordinate: c has other entries than the shape.

        >>> from tilework import evaluate
        >>> evaluate('(4,8):(8,1)', (2, 5))
        21
        """

    def slice(self, pattern: _Pattern | str) -> Any:
        """`slice(L, (2,_))`: the modes at `_`, with the offset of the others.

        Definition: L(c' + c*) = L(c') + L(c*): fixed modes give an offset, open ones a layout (2.5.1, equation 10).
        C++ CuTe: `slice_and_offset`.
        CuTe DSL: `slice_`.
        pycute: `slice_and_offset`.
        Refuses: coordinate: the pattern does not fit the shape.

        >>> from tilework import slice
        >>> slice('(4,8):(8,1)', (2, None))
        View('{16} o 8:1')
        """

    def dice(self, pattern: _Pattern | str) -> Any:
        """`dice(L, (2,_))`: the modes that a coordinate fixes.

        Definition: The modes where the coordinate has no _.
        C++ CuTe: `dice`.
        CuTe DSL: `dice`.
        Refuses: coordinate: the pattern does not fit the shape.

        >>> from tilework import dice
        >>> dice('(4,8):(8,1)', (2, None))
        Layout('4:8')
        """

    @property
    def mode_sizes(self) -> Any:
        """`mode_sizes(S)`: the size of each mode.

        Definition: (size(S0), size(S1), ...).
        C++ CuTe: `product_each`.
        CuTe DSL: `product_each`.

        >>> from tilework import mode_sizes
        >>> mode_sizes((4, (8, 2)))
        (4, 16)
        """

    def get(self, *path: int) -> Self:
        """`get(L, 0, 1)`: the part at a path.

        Definition: Mode i_0, of that mode i_1, and so on.
        C++ CuTe: `get<i>, layout<i>`.
        CuTe DSL: `get`.
        pycute: `L[i]`.
        Refuses: index: there is no such mode.

        >>> from tilework import get
        >>> get('(4,(8,2)):(1,(4,32))', 1, 0)
        Layout('8:4')
        """

    def flatten(self) -> Self:
        """`flatten(L)`: the leaves without nesting.

        Definition: The leaves in their order, in one tuple.
        C++ CuTe: `flatten`.
        CuTe DSL: `flatten`.
        pycute: `flatten`.

        >>> from tilework import flatten
        >>> flatten((4, (8, 2)))
        (4, 8, 2)
        """

    def unflatten(self, profile: _Pattern | _LayoutLike | None) -> Self:
        """`unflatten(L, profile)`: the leaves in the nesting of another tuple.

        Definition: The tuple of the given nesting with these leaves.
        C++ CuTe: `unflatten`.
        Refuses: incongruent: another number of leaves.

        >>> from tilework import unflatten
        >>> unflatten('(4,8,2):(1,4,32)', (0, (0, 0)))
        Layout('(4,(8,2)):(1,(4,32))')
        """

    def group(self, begin: int | tuple[int, ...], end: int | None = None) -> Self:
        """`group(L, 0, 2)` or `group(L, (0,1))`: some neighbouring modes as one mode.

        Definition: Modes begin to end-1, or those of a tuple, become the modes of one.
        C++ CuTe: `group<B,E>`.
        CuTe DSL: `group_modes`.
        Refuses: index: there are no such modes; arguments: modes that are not adjacent.

        >>> from tilework import group
        >>> group('(4,8,2):(1,4,32)', 0, 2)
        Layout('((4,8),2):((1,4),32)')
        >>> group('(4,8,2):(1,4,32)', (0, 1))
        Layout('((4,8),2):((1,4),32)')
        """

    def take(self, begin: int, end: int) -> Self:
        """`take(L, 0, 2)`: some neighbouring modes alone.

        Definition: Modes begin to end-1.
        C++ CuTe: `take<B,E>`.
        Refuses: index: there are no such modes.

        >>> from tilework import take
        >>> take('(4,8,2):(1,4,32)', 1, 3)
        Layout('(8,2):(4,32)')
        """

    def select(self, *modes: int) -> Self:
        """`select(L, 0, 2)`: the named modes in the order given.

        Definition: (L_i0, L_i1, ...).
        C++ CuTe: `select<I...>`.
        CuTe DSL: `select`.
        Refuses: index: there is no such mode.

        >>> from tilework import select
        >>> select('(4,8,2):(1,4,32)', 2, 0)
        Layout('(2,4):(32,1)')
        """

    def append(self, mode: _LayoutLike | None = None, *, rank: int | None = None) -> Self:
        """`append(L, M)`: one more mode at the end, or modes up to a rank.

        Definition: (L0, L1, ..., M).
        C++ CuTe: `append`.
        CuTe DSL: `append`.
        Refuses: capacity: more than 32 leaves.

        >>> from tilework import append
        >>> append('4:1', '8:4')
        Layout('(4,8):(1,4)')
        >>> append[3]((4, 8))
        (4, 8, 1)
        """

    def prepend(self, mode: _LayoutLike | None = None, *, rank: int | None = None) -> Self:
        """`prepend(L, M)`: one more mode in front, or modes up to a rank.

        Definition: (M, L0, L1, ...).
        C++ CuTe: `prepend`.
        CuTe DSL: `prepend`.
        Refuses: capacity: more than 32 leaves.

        >>> from tilework import prepend
        >>> prepend('4:1', '8:4')
        Layout('(8,4):(4,1)')
        """

    def replace(self, index: _IntTuple, mode: _LayoutLike | None) -> Self:
        """`replace(L, 0, M)`: one mode exchanged for another.

        Definition: Mode i is M.
        C++ CuTe: `replace<I>`.
        Refuses: index: there is no such mode.

        >>> from tilework import replace
        >>> replace('(4,8):(1,4)', 0, '2:1')
        Layout('(2,8):(1,4)')
        """

    def coalesce(self, profile: _Pattern | _LayoutLike | None = None) -> Self:
        """`coalesce(L)` or `coalesce(L, <_,_>)`: the same function with the fewest modes, or mode by mode.

        Definition: The layout of fewest modes with L'(i) = L(i) for every index (3.2).
        C++ CuTe: `coalesce`.
        CuTe DSL: `coalesce`.
        pycute: `coalesce`.

        >>> from tilework import coalesce
        >>> coalesce('(2,(1,6)):(1,(6,2))')
        Layout('12:1')
        >>> coalesce('((2,2),(2,2)):((1,2),(4,8))', '<_,_>')
        Layout('(4,4):(1,4)')
        """

    def coalesce_extended(self) -> Self:
        """`coalesce_extended(L)`: the fewest modes of the same function on all integers.

        Definition: The layout of fewest modes with L'(i) = L(i) for every integer i, also out of bounds (3.2).

        >>> from tilework import coalesce_extended
        >>> coalesce_extended('(4,1):(1,7)')
        Layout('(4,1):(1,7)')
        """

    def filter(self, profile: _Pattern | _LayoutLike | None = None) -> Layout:
        """`filter(L)` or `filter(L, <_,_>)`: coalesced without the modes of stride 0, or mode by mode.

        Definition: coalesce(filter_zeros(L)).
        C++ CuTe: `filter`.
        CuTe DSL: `filter`.
        pycute: `filter`.

        >>> from tilework import filter
        >>> filter('(4,8):(0,1)')
        Layout('8:1')
        >>> filter('(4,(2,5)):(0,(4,0))', '<_,_>')
        Layout('(1,2):(0,4)')
        """

    def filter_zeros(self) -> Layout:
        """`filter_zeros(L)`: extent 1 wherever the stride is 0.

        Definition: Extent 1 for each mode of stride 0.
        C++ CuTe: `filter_zeros`.
        CuTe DSL: `filter_zeros`.

        >>> from tilework import filter_zeros
        >>> filter_zeros('(4,8):(0,1)')
        Layout('(1,8):(0,1)')
        """

    def sort(self) -> Layout:
        """`sort(L)`: the leaves by ascending stride.

        Definition: The leaves in the order of their strides.
        C++ CuTe: `sort`.

        >>> from tilework import sort
        >>> sort('(4,8):(8,1)')
        Layout('(8,4):(1,8)')
        """

    def to_layout(self) -> Layout:
        """`to_layout(L)`: the layout equal to a swizzled layout, with integer strides if possible, otherwise with XOR strides.

        Definition: The layout L with L(i) = F(i) for every index of the swizzled layout F.
        Refuses: not-xor-linear, carryless-scale, shape-divisibility: no layout is this function.

        >>> from tilework import to_layout
        >>> to_layout('Sw<2,0,2> o (4,4):(1,4)')
        Layout('(4,4):(^1,^5)')
        """

    def to_view(self) -> View:
        """`to_view(L)`: the layout with an offset that is equal to a swizzled layout.

        Definition: {F(0)} o L with F(i) = F(0) + L(i), or with XOR strides F(0) ^ L(i), for every index of the swizzled layout F.
        Refuses: not-xor-linear, carryless-scale, shape-divisibility: no layout with an offset is this function.

        >>> from tilework import to_view
        >>> to_view('Sw<2,0,2> o 20 o 4:1')
        View('{21} o 4:^1')
        >>> to_view('Sw<3,3,3> o 64 o 64:1')
        View('{72} o 64:^1')
        """

    def to_xor(self) -> Layout:
        """`to_xor(L)`: the same function with XOR strides.

        Definition: The layout with strides ^d that is the same function; a swizzle acts on each column (2.4.4).
        Refuses: not-xor-linear, carryless-scale, shape-divisibility: sums of the strides carry.

        >>> from tilework import to_xor
        >>> to_xor('Sw<2,0,2> o (4,4):(1,4)')
        Layout('(4,4):(^1,^5)')
        >>> to_xor('(4,8):(8,1)')
        Layout('(4,8):(^8,^1)')
        """

    def to_swizzle(self) -> Any:
        """`to_swizzle(L)`: the same function as a swizzle over integer strides.

        Definition: Sw o 0 o L' with integer strides and the same offsets, for the smallest field that does.
        Refuses: swizzle: no swizzle does; argument: offsets below 0.

        >>> from tilework import to_swizzle
        >>> to_swizzle('(4,4):(^1,^5)')
        ComposedLayout('Sw<2,0,2> o 0 o (4,4):(1,4)')
        """

    @property
    def linear_form(self) -> Any:
        """`linear_form(L)`: the rows of the matrix that takes a natural coordinate to its offset; of XOR strides the matrix over F2, of bits.

        Definition: The matrix D with L(c) = D c for the natural coordinate c (2.4.4, table 1).
        Refuses: capacity: more than 32 entries.

        >>> from tilework import linear_form
        >>> linear_form('(4,(4,2)):(1@1,(1@0,6@1))')
        ((0, 1, 0), (1, 0, 6))
        >>> linear_form('((2,2),(4,2)):((1,8),(2,16))')
        (1, 8, 2, 16)
        >>> linear_form('(4,4):(^1,^5)')
        ((1, 0, 1, 0), (0, 1, 0, 1), (0, 0, 1, 0), (0, 0, 0, 1))
        """

    @property
    def bit_matrix(self) -> Any:
        """`bit_matrix(L)`: the columns of the matrix over F2 from the bits of an index to those of its offset, as numbers.

        Definition: Column k is L(2^k); L(i) is the XOR of the columns at the bits of i (2.4.4).
        Refuses: not-xor-linear: sums of the strides carry; argument: a size that is not a power of two.

        >>> from tilework import bit_matrix
        >>> bit_matrix('(4,4):(^1,^5)')
        (1, 2, 5, 10)
        >>> bit_matrix('(4,8):(8,1)')
        (8, 16, 1, 2, 4)
        """

    @property
    def bit_rank(self) -> int:
        """`bit_rank(L)`: the rank of that matrix; there are 2^rank offsets.

        Definition: The dimension of the span of the columns over F2.
        Refuses: as for bit_matrix.

        >>> from tilework import bit_rank
        >>> bit_rank('(4,4):(^1,^5)')
        4
        """

    def composition(self, right: _LayoutLike | _TilerLike) -> Self:
        """`composition(A, B)`: the layout c -> A(B(c)); with a tiler mode by mode.

        Definition: (A o B)(c) = A(B(c)) for every coordinate of B, and B's shape refined (3.3); of a tiler mode by mode (3.3.5).
        C++ CuTe: `composition`.
        CuTe DSL: `composition`.
        pycute: `composition`.
        Refuses: shape-divisibility: A changes its step within a leaf of B (equation 21); carry: leaves of B together pass a mode of A (equation 23).

        >>> from tilework import composition
        >>> composition('(8,8):(8,1)', '((4,8),2):((16,1),8)')
        Layout('((4,8),2):((2,8),1)')
        >>> composition('(8,8):(8,1)', (2, 4))
        Layout('(2,4):(8,1)')
        """

    def complement(self, within: _IntTuple | None = None) -> Layout:
        """`complement(L)` or `complement(L, M)` or `complement(L, <_,_>)`: the layout of the offsets that L skips, up to M, or mode by mode.

        Definition: The layout L* such that (L, L*) is injective, ascending, and as large as M allows (3.5.1).
        C++ CuTe: `complement`.
        CuTe DSL: `complement`.
        pycute: `complement`.
        Refuses: overlap: modes of L overlap; gap: a gap that is not a multiple.

        >>> from tilework import complement
        >>> complement('4:2', 24)
        Layout('(2,3):(1,8)')
        >>> complement('(8,16):(20,1)', '<_,_>')
        Layout('((20,1),1):((1,160),16)')
        """

    def right_inverse(self, profile: _Pattern | _LayoutLike | None = None) -> Layout:
        """`right_inverse(L)` or `right_inverse(L, <_,_>)`: the largest R with L(R(i)) = i, or mode by mode.

        Definition: L(R(i)) = i for every i below size(R), and size(R) as large as possible (3.4.1).
        C++ CuTe: `right_inverse`.
        CuTe DSL: `right_inverse`.
        pycute: `right_inverse`.
        Refuses: undecided: L overlaps itself, past a budget.

        >>> from tilework import right_inverse
        >>> right_inverse('(4,8):(8,1)')
        Layout('(8,4):(4,1)')
        >>> right_inverse('{8} o (8,2):(1,-8)')
        View('{8} o (8,2):(1,-8)')
        >>> right_inverse('Sw<2,0,2> o (4,4):(1,4)')
        Layout('(4,4):(^1,^5)')
        """

    def left_inverse(self, profile: _Pattern | _LayoutLike | None = None) -> Layout:
        """`left_inverse(L)` or `left_inverse(L, <_,_>)`: an R with L(R(L(i))) = L(i), or mode by mode.

        Definition: L(R(L(i))) = L(i); R(L(i)) = i where L is injective (3.4.3, equation 26).
        C++ CuTe: `left_inverse`.
        CuTe DSL: `left_inverse`.
        pycute: `left_inverse`.
        Refuses: no-inverse: there is none; undecided: past a budget.

        >>> from tilework import left_inverse
        >>> left_inverse('(3,4):(1,4)')
        Layout('(4,4):(1,3)')
        """

    def inverse(self) -> Layout:
        """`inverse(L)`: the inverse of a compact layout.

        Definition: L(R(k)) = k and R(L(i)) = i for every k and i below the size; for coordinates, for every k of a shape.
        Refuses: no-inverse: an offset is missing, or two coordinates have the same.

        >>> from tilework import inverse
        >>> inverse('(4,8):(8,1)')
        Layout('(8,4):(4,1)')
        """

    def nullspace(self) -> Layout:
        """`nullspace(L)`: the coordinates whose offset is 0.

        Definition: An injective N whose offsets are all c with L(c) = 0.
        C++ CuTe: `nullspace`.
        Refuses: no-inverse: these c are the offsets of no layout; undecided: past a budget.

        >>> from tilework import nullspace
        >>> nullspace('(4,8):(0,1)')
        Layout('4:1')
        """

    def logical_divide(self, tiler: _TilerLike) -> Self:
        """`logical_divide(L, T)`: each mode split into (tile, rest).

        Definition: A o (B, B*), where B* is complement(B, size(A)) (3.5.2); of a tiler mode by mode.
        C++ CuTe: `logical_divide`.
        CuTe DSL: `logical_divide`.
        pycute: `logical_divide`.
        Refuses: those of complement and composition.

        >>> from tilework import logical_divide
        >>> logical_divide('16:1', 4)
        Layout('(4,4):(1,4)')
        """

    def zipped_divide(self, tiler: _TilerLike) -> Self:
        """`zipped_divide(L, T)`: ((tiles), (rests)).

        Definition: logical_divide by mode, then all tiles in one mode and all rests in another (3.5.2).
        C++ CuTe: `zipped_divide`.
        CuTe DSL: `zipped_divide`.
        pycute: `zipped_divide`.
        Refuses: those of logical_divide.

        >>> from tilework import zipped_divide
        >>> zipped_divide('(4,8):(8,1)', (2, 4))
        Layout('((2,4),(2,2)):((8,1),(16,4))')
        """

    def tiled_divide(self, tiler: _TilerLike) -> Self:
        """`tiled_divide(L, T)`: ((tiles), rest, rest, ...).

        Definition: zipped_divide with the mode of the rests taken apart.
        C++ CuTe: `tiled_divide`.
        CuTe DSL: `tiled_divide`.
        pycute: `tiled_divide`.
        Refuses: those of logical_divide.

        >>> from tilework import tiled_divide
        >>> tiled_divide('(4,8):(8,1)', (2, 4))
        Layout('((2,4),2,2):((8,1),16,4)')
        """

    def flat_divide(self, tiler: _TilerLike) -> Self:
        """`flat_divide(L, T)`: (tile, tile, ..., rest, rest, ...).

        Definition: zipped_divide with both modes taken apart.
        C++ CuTe: `flat_divide`.
        CuTe DSL: `flat_divide`.
        Refuses: those of logical_divide.

        >>> from tilework import flat_divide
        >>> flat_divide('(4,8):(8,1)', (2, 4))
        Layout('(2,4,2,2):(8,1,16,4)')
        """

    def local_tile(self, tiler: _TilerLike, pattern: _Pattern | str, projection: _Pattern | None = None) -> Any:
        """`local_tile(L, T, c)` or `local_tile(L, T, c, (1,_,1))`: one tile, or with `_` in the coordinate several tiles; a projection takes the modes of T and c where it has no `_`.

        Definition: flat_divide(L, T) sliced at its rests, or at all of them by one index (2.5.1).
        C++ CuTe: `local_tile`.
        CuTe DSL: `local_tile`.
        Refuses: those of logical_divide; out-of-bounds: there is no such tile.

        >>> from tilework import local_tile
        >>> local_tile('(8,16):(16,1)', (4, 8), (1, 1))
        View('{72} o (4,8):(16,1)')
        >>> local_tile('(8,16):(16,1)', (4, 8), (1, None))
        View('{64} o (4,8,2):(16,1,8)')
        >>> local_tile('(8,16):(16,1)', (4, 2, 8), (1, 0, None), (1, None, 1))
        View('{64} o (4,8,2):(16,1,8)')
        """

    def local_partition(self, thr_layout: _LayoutLike, index: _IntTuple, projection: _Pattern | None = None) -> Any:
        """`local_partition(L, T, i)` or `local_partition(L, T, i, (1,_,1))`: the elements of a thread: in each tile of the shape of T the one where T is i; a projection takes the modes of T where it has no `_`.

        Definition: tiled_divide(L, shape(T)) sliced at the coordinate of the tile that T maps to i (2.5.1).
        C++ CuTe: `local_partition`.
        CuTe DSL: `local_partition`.
        Refuses: those of logical_divide; argument: no thread has this index.

        >>> from tilework import local_partition
        >>> local_partition('(8,16):(16,1)', '(4,8):(8,1)', 9)
        View('{17} o (2,2):(64,8)')
        """

    def logical_product(self, tiler: _TilerLike) -> Self:
        """`logical_product(L, T)`: L repeated by T, each mode as (L, repetition).

        Definition: (A, A* o B), where A* is complement(A) (3.5.1); of a tiler mode by mode.
        C++ CuTe: `logical_product`.
        CuTe DSL: `logical_product`.
        pycute: `logical_product`.
        Refuses: those of complement and composition.

        >>> from tilework import logical_product
        >>> logical_product('4:1', 3)
        Layout('(4,3):(1,4)')
        """

    def zipped_product(self, tiler: _TilerLike) -> Self:
        """`zipped_product(L, T)`: ((L), (repetitions)).

        Definition: logical_product by mode, then all of A in one mode and all repetitions in another.
        C++ CuTe: `zipped_product`.
        CuTe DSL: `zipped_product`.
        pycute: `zipped_product`.
        Refuses: those of logical_product.

        >>> from tilework import zipped_product
        >>> zipped_product('4:1', 3)
        Layout('(4,3):(1,4)')
        """

    def tiled_product(self, tiler: _TilerLike) -> Self:
        """`tiled_product(L, T)`: ((L), repetition, repetition, ...).

        Definition: zipped_product with the mode of the repetitions taken apart.
        C++ CuTe: `tiled_product`.
        CuTe DSL: `tiled_product`.
        pycute: `tiled_product`.
        Refuses: those of logical_product.

        >>> from tilework import tiled_product
        >>> tiled_product('4:1', 3)
        Layout('(4,3):(1,4)')
        """

    def flat_product(self, tiler: _TilerLike) -> Self:
        """`flat_product(L, T)`: (mode, mode, ..., repetition, repetition, ...).

        Definition: zipped_product with both modes taken apart.
        C++ CuTe: `flat_product`.
        CuTe DSL: `flat_product`.
        Refuses: those of logical_product.

        >>> from tilework import flat_product
        >>> flat_product('4:1', 3)
        Layout('(4,3):(1,4)')
        """

    def blocked_product(self, grid: _LayoutLike) -> Self:
        """`blocked_product(L, M)`: copies of L side by side, mode by mode.

        Definition: logical_product with modes ((A0,B0),(A1,B1),...) (3.5.3).
        C++ CuTe: `blocked_product`.
        CuTe DSL: `blocked_product`.
        Refuses: those of logical_product.

        >>> from tilework import blocked_product
        >>> blocked_product('(2,2):(1,2)', '(2,3):(1,2)')
        Layout('((2,2),(2,3)):((1,4),(2,8))')
        """

    def raked_product(self, grid: _LayoutLike) -> Self:
        """`raked_product(L, M)`: copies of L interleaved, mode by mode.

        Definition: logical_product with modes ((B0,A0),(B1,A1),...) (3.5.3).
        C++ CuTe: `raked_product`.
        CuTe DSL: `raked_product`.
        Refuses: those of logical_product.

        >>> from tilework import raked_product
        >>> raked_product('(2,2):(1,2)', '(2,3):(1,2)')
        Layout('((2,2),(3,2)):((4,1),(8,2))')
        """

    def tile_to_shape(self, shape: _LayoutLike, order: _IntTuple | None = None) -> Self:
        """`tile_to_shape(L, S)` or `tile_to_shape(L, S, order)`: L repeated until it fills a shape.

        Definition: blocked_product with the grid that fills S, in the order of the modes.
        C++ CuTe: `tile_to_shape`.
        CuTe DSL: `tile_to_shape`.
        Refuses: divisibility: the tile does not divide the shape.

        >>> from tilework import tile_to_shape
        >>> tile_to_shape('(2,2):(1,2)', (4, 6))
        Layout('((2,2),(2,3)):((1,4),(2,8))')
        """

    def upcast(self, count: int) -> Self:
        """`upcast(L, 2)`: counted in larger elements.

        Definition: The wide elements floor(L(c) / n) that are touched; of a swizzle the base less log2(n).
        C++ CuTe: `upcast<N>`.
        Refuses: divisibility: steps are uneven in elements of n, or a swizzle keeps fewer than n together; size: modes together reach further.

        >>> from tilework import upcast
        >>> upcast('(8,4):(1,8)', 4)
        Layout('(2,4):(1,2)')
        >>> upcast[2]('Sw<3,4,3> o (8,128):(128,1)')
        ComposedLayout('Sw<3,3,3> o 0 o (8,64):(64,1)')
        """

    def downcast(self, count: int) -> Self:
        """`downcast(L, 2)`: counted in smaller elements.

        Definition: Each offset becomes n neighbouring ones; of a swizzle the base plus log2(n).
        C++ CuTe: `downcast<N>`.
        Refuses: argument: no mode of stride 1 or extent 1 to split.

        >>> from tilework import downcast
        >>> downcast('(2,4):(1,2)', 4)
        Layout('(8,4):(1,8)')
        """

    def recast(self, old_bits: int, new_bits: int) -> Self:
        """`recast(L, 16, 8)`: counted in elements of another number of bits.

        Definition: downcast, then upcast, by the widths without their common divisor.
        C++ CuTe: `recast_layout<Old,New>`.
        CuTe DSL: `recast_layout`.
        Refuses: those of upcast and downcast.

        >>> from tilework import recast
        >>> recast('(8,4):(1,8)', 8, 32)
        Layout('(2,4):(1,2)')
        """

    def common_layout(self, other: _LayoutLike) -> Layout:
        """`common_layout(A, B)`: the largest layout that A and B agree on.

        Definition: The largest R with A(R(i)) = B(R(i)) = i (3.4.2).
        Refuses: mixed-codomain: layouts of two codomains; undecided: past a budget.

        >>> from tilework import common_layout
        >>> common_layout('(4,8):(1,4)', '(4,8):(1,100)')
        Layout('4:1')
        """

    def common_vector(self, other: _LayoutLike) -> int:
        """`common_vector(A, B)`: how many elements are contiguous from offset 0 in both A and B.

        Definition: size(common_layout(A, B)) (3.4.2).
        Refuses: as for common_layout.

        >>> from tilework import common_vector
        >>> common_vector('(4,8):(1,4)', '(4,8):(1,100)')
        4
        """

    def max_common_layout(self, other: _LayoutLike) -> Layout:
        """`max_common_layout(A, B)`: the layout that A and B agree on, up to where a swizzle takes elements apart.

        Definition: common_layout without the swizzles, cut off at the elements that a swizzle keeps together, unless both have the same: 2^M, or the largest power of two that divides 2^M and the offset before it.
        C++ CuTe: `max_common_layout`.
        CuTe DSL: `max_common_layout`.
        Refuses: as for common_layout; shape-divisibility: the cut is within a mode.

        >>> from tilework import max_common_layout
        >>> max_common_layout('(64,8):(1,64)', 'Sw<3,3,3> o 0 o (64,8):(1,64)')
        Layout('8:1')
        """

    def max_common_vector(self, other: _LayoutLike) -> int:
        """`max_common_vector(A, B)`: how many elements are contiguous in memory in both A and B, wherever a vector begins.

        Definition: common_vector without the swizzles, cut off as in max_common_layout.
        C++ CuTe: `max_common_vector`.
        CuTe DSL: `max_common_vector`.
        Refuses: as for common_layout.

        >>> from tilework import max_common_vector
        >>> max_common_vector('(64,8):(1,64)', 'Sw<3,3,3> o 0 o (64,8):(1,64)')
        8
        """

    def max_vector(self, limit: int) -> int:
        """`max_vector(L, 8)`: the largest power of two, up to a limit, of elements that can be accessed at a time.

        Definition: The largest power of two w up to the limit with is_vector(L, w); of names, the one at their witness, with its condition.
        Refuses: those of is_vector.

        >>> from tilework import max_vector
        >>> max_vector('(16,4):(1,20)', 8)
        4
        """

    def layout_add(self, other: _LayoutLike) -> Layout:
        """`layout_add(A, B)`: the layout c -> A(c) + B(c).

        Definition: (A + B)(c) = A(c) + B(c).
        Refuses: size: layouts of different size; shape-divisibility: the sum is not a layout.

        >>> from tilework import layout_add
        >>> layout_add('(4,8):(1,4)', '(4,8):(10,0)')
        Layout('(4,8):(11,4)')
        """

    def greatest_common_domain(self, other: _LayoutLike) -> Any:
        """`greatest_common_domain(A, B)`: the coarsest shape on which both have a stride per mode.

        Definition: The coarsest shape on whose leaves both A and B have one stride.
        Refuses: size: layouts of different size.

        >>> from tilework import greatest_common_domain
        >>> greatest_common_domain('(4,8):(8,1)', '(4,8):(1,4)')
        (4, 8)
        """

    def congruent(self, second: _LayoutLike) -> bool:
        """`congruent(a, b)`: whether the nestings are the same.

        Definition: Equal nesting (2.1).
        C++ CuTe: `congruent`.

        >>> from tilework import congruent
        >>> congruent((4, (8, 2)), (0, (0, 0)))
        True
        """

    def weakly_congruent(self, second: _LayoutLike) -> bool:
        """`weakly_congruent(a, b)`: whether the nesting of b refines that of a.

        Definition: Where a has a leaf, b has a leaf or a tuple (2.1).
        C++ CuTe: `weakly_congruent`.

        >>> from tilework import weakly_congruent
        >>> weakly_congruent((4, 16), (0, (0, 0)))
        True
        """

    def compatible(self, second: _LayoutLike) -> bool:
        """`compatible(a, b)`: whether every coordinate of a is a coordinate of b.

        Definition: Of equal size, and each coordinate into a one into b (2.2).
        C++ CuTe: `compatible`.

        >>> from tilework import compatible
        >>> compatible((4, 16), (4, (8, 2)))
        True
        """

    def equivalent(self, second: _LayoutLike) -> bool:
        """`equivalent(A, B)`: whether A and B are the same function of integers.

        Definition: A(i) = B(i) for every index, and sizes are equal, whatever swizzle or offset is before the layouts.

        >>> from tilework import equivalent
        >>> equivalent('(2,4):(1,2)', '8:1')
        True
        """

    @property
    def is_injective(self) -> bool:
        """`is_injective(L)`: whether no two coordinates share an offset.

        Definition: L(a) = L(b) only if a = b.
        Refuses: undecided: past a budget.

        >>> from tilework import is_injective
        >>> is_injective('(4,8):(0,1)')
        False
        """

    @property
    def is_surjective(self) -> bool:
        """`is_surjective(L)`: whether every offset from 0 to the greatest occurs.

        Definition: Every k with 0 <= k < cosize(L) is an offset, and nothing else.
        Refuses: codomain: rational and coordinate offsets have no order.

        >>> from tilework import is_surjective
        >>> is_surjective('(4,8):(8,1)')
        True
        """

    @property
    def is_bijective(self) -> bool:
        """`is_bijective(L)`: whether the indices and the offsets below cosize are one to one.

        Definition: Injective and surjective.
        Refuses: codomain: rational and coordinate offsets have no order.

        >>> from tilework import is_bijective
        >>> is_bijective('(4,8):(8,1)')
        True
        """

    @property
    def is_compact(self) -> bool:
        """`is_compact(L)`: whether the offsets are [0, size), each once.

        Definition: The offsets are 0, ..., size-1, each once (3.4.1).
        Refuses: codomain: rational and coordinate offsets have no order.

        >>> from tilework import is_compact
        >>> is_compact('(4,8):(8,1)')
        True
        """

    @property
    def is_increasing(self) -> bool:
        """`is_increasing(L)`: whether offsets grow with the coordinate.

        Definition: L(i) < L(i+1) for every index.
        Refuses: codomain: only integers are in order.

        >>> from tilework import is_increasing
        >>> is_increasing('(4,8):(8,1)')
        False
        """

    @property
    def is_contiguous(self) -> bool:
        """`is_contiguous(L)`: whether the elements are in the order of the coordinates, L(i) = i.

        Definition: L(i) = i for every index: coalesce(L) = size:1.

        >>> from tilework import is_contiguous
        >>> is_contiguous('(4,8):(1,4)')
        True
        >>> is_contiguous('(4,8):(8,1)')
        False
        """

    def fits(self, bits: int | None) -> bool:
        """`fits(L, bits)`: whether offsets fit a signed integer: 31 for int32.

        Definition: -2^bits <= L(c) < 2^bits for all coordinates c in bounds.
        Refuses: codomain: rational and coordinate offsets have no order; fact: a stride of unknown sign.

        >>> from tilework import fits
        >>> fits('(4096,4096):(1,4096)', 31)
        True
        """

    def is_vector(self, width: int) -> bool:
        """`is_vector(L, 8)`: whether this many elements can be accessed at a time, from an aligned base.

        Definition: coalesce(L) has a mode of stride 1; its extent, all other strides, the offset, and 2^base of a swizzle are multiples of the width.
        Refuses: codomain: rational and coordinate offsets are not elements.

        >>> from tilework import is_vector
        >>> is_vector('(8,4):(1,16)', 8)
        True
        """

    def is_disjoint(self, second: _LayoutLike) -> bool:
        """`is_disjoint(A, B)`: whether A and B have no offset in common.

        Definition: A(a) != B(b) for all a, b: the images do not intersect.
        Refuses: codomain: coordinate offsets are not memory; undecided: past a budget.

        >>> from tilework import is_disjoint
        >>> is_disjoint('{0} o (4,8):(16,2)', '{1} o (4,8):(16,2)')
        True
        >>> is_disjoint('(4,8):(16,2)', '{5} o 4:1')
        False
        """

    def is_composable(self, right: _LayoutLike | _TilerLike) -> bool:
        """`is_composable(A, B)`: whether A o B is a layout.

        Definition: Whether composition(A, B) is a layout (3.3.2).
        Refuses: undecided, capacity: past a budget.

        >>> from tilework import is_composable
        >>> is_composable('(4,6,8):(2,3,5)', '6:3')
        False
        """

    def is_complementable(self, within: _IntTuple | None = None) -> bool:
        """`is_complementable(L)` or `is_complementable(L, M)`: whether L has a complement, up to M.

        Definition: Whether complement(L), or complement(L, M), is a layout (3.5.1).
        Refuses: undecided, capacity: past a budget.

        >>> from tilework import is_complementable
        >>> is_complementable('(2,2):(2,3)')
        False
        >>> is_complementable('4:2', 24)
        True
        """

    def admits(self, other: _LayoutLike) -> bool:
        """`admits(A, T)`: whether a layout has all offsets that an instruction accesses.

        Definition: For every i there is a c with T(i) = A(c) (3.4.4); of a copy atom X to or from tensor memory, T is X.memory.
        Refuses: codomain: offsets that are not integers; undecided: past a budget.

        >>> from tilework import admits
        >>> admits('(128,64):(16384,1)', '(2,128):(1,16384)')
        True
        >>> admits('(128,1):(16384,0)', '(2,128):(1,16384)')
        False
        """

    @property
    def is_sorted(self) -> bool:
        """`is_sorted(L)`: whether the leaves are in the order of sort.

        Definition: Strides ascend by magnitude, and extents where strides are equal.

        >>> from tilework import is_sorted
        >>> is_sorted('(2,4):(1,2)')
        True
        >>> is_sorted('(4,8):(8,1)')
        False
        """

@final
class ComposedLayout(AnyLayout):
    """A swizzled layout, `c -> swizzle(offset + layout(c))`.

    >>> from tilework import ComposedLayout, Layout, Swizzle
    >>> swizzled = ComposedLayout(Swizzle(3, 4, 3), 0, Layout((8, 64), (64, 1)))
    >>> print(swizzled, swizzled(2, 0))
    Sw<3,4,3> o 0 o (8,64):(64,1) 144
    """

    def __new__(cls, swizzle: Swizzle | str, offset: int | None = None, layout: _LayoutLike | None = None) -> Self: ...

    def to_xor(self) -> Layout:
        """The layout with XOR strides that is the same function.

        >>> from tilework import ComposedLayout
        >>> print(ComposedLayout("Sw<2,0,2> o 0 o (4,4):(1,4)").to_xor())
        (4,4):(^1,^5)
        """

    @property
    def layout(self) -> Layout:
        """The layout inside the swizzle.
        """

    @property
    def offset(self) -> int:
        """The offset that is added before the swizzle.
        """

    @property
    def swizzle(self) -> Swizzle:
        """The swizzle.
        """

@disjoint_base
class Instruction:
    """An instruction, `atom(...)`, or several side by side, `tiled_mma(...)` and `tiled_copy(...)`: the base class of
    `MmaAtom`, `CopyAtom`, `TiledMma` and `TiledCopy` of `tilework.hardware`. The fields are those of the expression
    language: `mma.a`, `mma.b`, `mma.c`, `copy.src`, `copy.dst` are layouts of threads and values; `dir(mma)` lists all.

    >>> from tilework import atom
    >>> mma = atom("SM80_16x8x16_F32F16F16F32_TN")
    >>> print(mma, mma.shape, mma.c)
    atom(SM80_16x8x16_F32F16F16F32_TN) (16, 8, 16) ((4,8),(2,2)):((32,1),(16,8))
    """

    def __getattr__(self, name: str, /) -> Any: ...

    def __dir__(self) -> list[str]: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def _repr_svg_(self) -> str: ...

@final
class Layout(AnyLayout):
    """A layout, `shape:stride`: `Layout((4, 8), (8, 1))`, `Layout((4, 8))` with the first mode fastest, or from text.

    >>> from tilework import Layout
    >>> tiles = Layout(((2, 2), (2, 4)), ((1, 16), (2, 4)))
    >>> print(tiles, tiles.size, tiles(3, 5))
    ((2,2),(2,4)):((1,16),(2,4)) 32 27
    >>> Layout("(4,8):(8,1)") == Layout((4, 8), (8, 1))
    True
    >>> Layout("(8,8):(8,1)") @ Layout("((4,8),2):((16,1),8)")
    Layout('((4,8),2):((2,8),1)')
    """

    def __new__(cls, shape: _LayoutLike, stride: _StrideTuple | str | None = None) -> Self: ...

    def to_swizzle(self) -> ComposedLayout:
        """The swizzle over a layout with integer strides that is the same function as this layout with XOR strides.

        >>> from tilework import Layout
        >>> print(Layout("(4,4):(^1,^5)").to_swizzle())
        Sw<2,0,2> o 0 o (4,4):(1,4)
        """

    def refines(self, coarser: _LayoutLike) -> bool:
        """Whether the shape of this layout refines another: every coordinate of the other is a coordinate of this.

        >>> from tilework import Layout
        >>> Layout(((2, 2), 8)).refines((4, 8))
        True
        """

@final
class Stride:
    """A stride that is not a plain number: a multiple of a basis element, `2*E(1)`, or an XOR stride, `xor(9)`.

    Plain strides are integers and fractions. Strides can be multiplied by numbers, and added if the sum is a multiple
    of one unit.

    >>> from tilework import E, Layout
    >>> 2 * E(1, 0)
    2*E(1,0)
    >>> str(2 * E(1, 0))
    '2@0@1'
    >>> Layout((4, 8), (E(0), E(1)))(9)
    (1, 2)
    """

    def __add__(self, other: Any, /) -> Any: ...

    def __radd__(self, other: Any, /) -> Any: ...

    def __sub__(self, other: Any, /) -> Any: ...

    def __rsub__(self, other: Any, /) -> Any: ...

    def __mul__(self, other: Any, /) -> Any: ...

    def __rmul__(self, other: Any, /) -> Any: ...

    def __truediv__(self, other: Any, /) -> Any: ...

    def __neg__(self) -> Stride: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    @property
    def is_xor(self) -> bool:
        """Whether this is an XOR stride.
        """

    @property
    def path(self) -> tuple[int, ...] | None:
        """The path of the basis element, the outermost index first; `None` for an XOR stride and a sum.
        """

    @property
    def count(self) -> int | Fraction:
        """The number of units: an integer or a fraction.
        """

@final
class Swizzle:
    """CUTLASS's swizzle `Sw<B,M,S>`, `x ^ ((x & (((1 << B) - 1) << (M + max(0, S)))) >> S)`; a negative `S` shifts left.

    `swizzle @ layout` is a swizzled layout, and `swizzle @ swizzle` is a swizzle, if the composition is one.

    >>> from tilework import Layout, Swizzle
    >>> Swizzle(3, 4, 3)(0x80) == 0x90
    True
    >>> print(Swizzle(3, 4, 3) @ Layout("(8,64):(64,1)"))
    Sw<3,4,3> o 0 o (8,64):(64,1)
    """

    def __new__(cls, bits: int, base: int, shift: int) -> Self: ...

    def __call__(self, offset: int) -> int: ...

    def __matmul__(self, right: Any, /) -> Any: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    @property
    def bits(self) -> int:
        """The number of bits that are XORed, `B`.
        """

    @property
    def base(self) -> int:
        """The number of low bits that are kept, `M`.
        """

    @property
    def shift(self) -> int:
        """The distance of the fields, `S`.
        """

    @property
    def source_mask(self) -> int:
        """The field that is read.
        """

    @property
    def target_mask(self) -> int:
        """The field that is changed.
        """

@final
class Tiler:
    """Layouts that apply mode by mode, `<4:1,8:2>`; a tuple is accepted wherever a tiler is expected.

    >>> from tilework import Layout, Tiler
    >>> tiler = Tiler(4, Layout(8, 2), None)
    >>> print(tiler)
    <4:1,8:2,_>
    >>> print(Layout((8, 16)).zipped_divide((4, 8)))
    ((4,8),(2,2)):((1,8),(4,64))
    """

    def __new__(cls, *tiles: _TilerLike) -> Self: ...

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Layout | Tiler | None: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

@final
class View(AnyLayout):
    """A layout with an offset, `c -> offset + layout(c)`: the result of slicing.

    >>> from tilework import Layout, View
    >>> view = Layout((4, 8), (8, 1))(2, None)
    >>> print(view, view.offset, view.layout, view(5))
    {16} o 8:1 16 8:1 21
    >>> view == View(16, Layout(8))
    True
    """

    def __new__(cls, offset: Any, layout: _LayoutLike | None = None) -> Self: ...

    @property
    def offset(self) -> Any:
        """The number that is added to every offset of the layout.
        """

    @property
    def layout(self) -> Layout:
        """The layout without the offset.
        """

@final
class CopyPlan:
    """How to copy from one layout to another; made once, run many times.

    >>> import numpy as np
    >>> from tilework import CopyPlan
    >>> plan = CopyPlan("(2,3):(3,1)", "(2,3):(1,2)", "float32")
    >>> columns = np.empty(6, "f4")
    >>> plan.run(np.arange(6, dtype="f4"), columns)
    >>> columns
    array([0., 3., 1., 4., 2., 5.], dtype=float32)
    >>> plan.explain().splitlines()[0]
    '6 elements of 4 bytes, from (2,3):(3,1) to (2,3):(1,2)'

    An element with two parts, such as a complex number, is copied as two units.
    """

    def __new__(cls, source: _LayoutLike, destination: _LayoutLike, dtype: Any) -> Self: ...

    def explain(self) -> str:
        """What the plan does, and why, in a few lines.
        """

    def run(self, src: _ArrayLike, dst: _ArrayLike, *, threads: int = 1) -> None:
        """Copies between arrays of the plan's type, whose elements the layouts index from the first.
        """

def copy(src: _ArrayLike, dst: _ArrayLike, *, threads: int = 1) -> None:
    """Copies the elements of one array or tensor to another of the same size and type, `dst[i] = src[i]` for each
    integral coordinate `i`.

    >>> import numpy as np
    >>> from tilework import Tensor, copy
    >>> rows, tiles = np.arange(32, dtype="f4").reshape(4, 8), np.empty(32, "f4")
    >>> copy(rows, Tensor(tiles, "((2,2),(2,4)):((1,16),(2,4))"))
    >>> tiles[:8]
    array([ 0.,  8.,  1.,  9.,  2., 10.,  3., 11.], dtype=float32)

    The copy is refused if source and destination share an element, or two coordinates of the destination have one
    offset.
    """

@final
class Picture:
    """A picture of layouts: shown by a notebook, printed as a table, or saved.

    >>> from tilework import draw
    >>> print(draw("(2,4):(1,2)"))
    (2,4):(1,2)
        0   1   2   3
      +---+---+---+---+
    0 | 0 | 2 | 4 | 6 |
      +---+---+---+---+
    1 | 1 | 3 | 5 | 7 |
      +---+---+---+---+
    """

    def svg(self) -> str:
        """The picture as SVG, which follows a reader's choice of light or dark.
        """

    def html(self) -> str:
        """The picture as a page with interactive cells.
        """

    def tex(self) -> str:
        """The picture as LaTeX with TikZ.
        """

    def png(self) -> bytes:
        """The picture as PNG.
        """

    def pdf(self) -> bytes:
        """The picture as PDF.
        """

    def save(self, path: str | PathLike[str]) -> Path:
        """Writes the picture to a file whose name ends in .svg, .png, .pdf, .tex or .html, and returns its path.
        """

    def _repr_svg_(self) -> str: ...

def draw(*layouts: _LayoutLike | Tensor, aspect: str = 'offsets', color_by: str | None = None, path: int = False, max_cells: int = 4096, tile: _IntTuple | str | None = None, element: int | None = None, banks: int | None = None, bank_bytes: int | None = None, element_bits: int | None = None) -> Picture:
    """Draws layouts and expressions side by side.

    `aspect` is what is drawn, as for `tilework draw --aspect`: `offsets`; `threads` and `values` of a thread-value layout,
    with `tile`; `tiles`, `slice`, `common` and `operation` of an expression, with `element` to be traced; memory
    `banks`. With `path`, a line connects the cells in the order of their offsets. `color_by` is what colours represent,
    if not the aspect's default: `offset`; `row` or `column`, for a swizzled layout before the swizzle; `thread`; memory
    `bank`; `tile`; or `none`.

    >>> from tilework import Layout, draw
    >>> rows, tiler = Layout("(4,8):(8,1)"), Layout("(2,4):(1,8)")
    >>> draw(rows, tiler, rows / (2, 4))
    <Picture of (4,8):(8,1); (2,4):(1,8); ((2,2),(4,2)):((8,16),(1,4))>
    >>> print(draw("((2,2),2):((4,1),2)", aspect="threads", tile=(2, 4)))
    ((2,2),2):((4,1),2) in (2,4)
         0    1    2    3
      +----+----+----+----+
    0 | T0 | T0 | T1 | T1 |
      | V0 | V1 | V0 | V1 |
      +----+----+----+----+
    1 | T2 | T2 | T3 | T3 |
      | V0 | V1 | V0 | V1 |
      +----+----+----+----+
    """

@final
class Accessor:
    """An object with an element at each offset that is not an array: the result of `counting`, `constant` and `transform`.
    """

    def __getitem__(self, offset: Any, /) -> Any: ...

@final
class Tensor:
    """A layout bound to elements: `tensor[c]` is `accessor[offset + layout(c)]`.

    The accessor is an array of NumPy, PyTorch, JAX or any other library with DLPack or the buffer protocol, whose
    memory is not copied; or a list; or `counting()`, `constant(x)`, `transform(f, accessor)`. All offsets of the layout
    have to exist, which is checked when the tensor is made. Offset 0 is the lowest address of an array.

    >>> import numpy as np
    >>> from tilework import Tensor, _
    >>> rows = Tensor(np.arange(32), "(4,8):(8,1)")
    >>> rows[2, 5], rows[22], rows[(2, 5)]
    (21, 21, 21)
    >>> second = rows[2, _]
    >>> print(second.offset, second.layout, second[5])
    16 8:1 21
    >>> np.asarray(second)
    array([16, 17, 18, 19, 20, 21, 22, 23])
    """

    def __new__(cls, accessor: _ArrayLike, layout: _LayoutLike | None = None, offset: Any = None) -> Self: ...

    def __len__(self) -> int: ...

    def __getitem__(self, coordinate: _Pattern, /) -> Any: ...

    def __call__(self, *coordinate: _Pattern) -> Any: ...

    def __setitem__(self, coordinate: _Pattern, value: Any, /) -> None: ...

    def __iter__(self) -> Iterator[Any]: ...

    def __matmul__(self, other: _LayoutLike | _TilerLike, /) -> Tensor: ...

    @staticmethod
    def from_array(array: _ArrayLike) -> Tensor:
        """The tensor of an array, with its strides as a layout; it shares the memory of the array.

        >>> import numpy as np
        >>> from tilework import Tensor
        >>> print(Tensor.from_array(np.zeros((4, 8), "f4").T).layout)
        (8,4):(1,8)
        >>> reversed = Tensor.from_array(np.arange(4)[::-1])
        >>> print(reversed.layout, reversed.offset, reversed[0])
        (4):(-1) 3 3
        """

    def assign(self, value: Any) -> None:
        """Writes one value to all elements, or those of an array or tensor of the same size.
        """

    def predicated(self) -> Tensor:
        """The elements by coordinate, and `None` out of bounds, so that tiles need not divide the tensor. Writes out of
        bounds have no effect.

        >>> import numpy as np
        >>> from tilework import Tensor, _
        >>> ragged = Tensor(np.arange(15).reshape(3, 5)).predicated()
        >>> tiles = ragged.tiled_divide((2, 4))
        >>> tiles.shape, tiles[_, 1, 1].tolist()
        (((2, 4), 2, 2), [14, None, None, None, None, None, None, None])
        """

    def tolist(self) -> list[Any]:
        """The elements in a list, in the order of the coordinates.
        """

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> _Array:
        """A NumPy array that views these elements, if each mode has one stride; nothing is copied.
        """

    def __dlpack_device__(self) -> tuple[int, int]: ...

    def local_partition(self, threads: _LayoutLike, index: int) -> Tensor:
        """The elements of each tile that one thread has, CuTe's `local_partition`.

        >>> from tilework import Layout, Tensor, counting
        >>> matrix = Tensor(counting(), Layout((8, 16), (16, 1)))
        >>> print(matrix.local_partition("(4,8):(8,1)", 9))
        {17} o (2,2):(64,8)
        17 25
        81 89
        """

    def domain_offset(self, coordinate: _IntTuple) -> Tensor:
        """The tensor that begins at a coordinate of this one, CuTe's `domain_offset`.
        """

    def local_tile(self, tiler: _TilerLike, coordinate: _Pattern) -> Tensor:
        """The tile at a coordinate of the rest, CuTe's `local_tile`; modes that the coordinate does not fix are kept.

        >>> from tilework import Layout, Tensor, counting
        >>> matrix = Tensor(counting(), Layout((8, 16), (16, 1)))
        >>> matrix.local_tile((4, 8), (1, 1))
        <Tensor {72} o (4,8):(16,1)>
        """

    def __dlpack__(self, *, stream: Any = None, max_version: tuple[int, int] | None = None, dl_device: tuple[int, int] | None = None, copy: bool | None = None) -> Any:
        """The same for PyTorch, JAX and others, `torch.from_dlpack(tensor)`.
        """

    def composition(self, other: _LayoutLike | _TilerLike) -> Tensor:
        """The elements in the order of another layout, or of a tiler mode by mode.
        """

    @property
    def dtype(self) -> str | None:
        """The name of the type of the elements; `None` if they are not in the memory of an array.
        """

    @property
    def shape(self) -> Any:
        """The extents, nested like the layout.
        """

    @property
    def stride(self) -> Any:
        """The strides, nested like the layout.
        """

    @property
    def layout(self) -> AnyLayout:
        """The layout, without the offset.
        """

    @property
    def offset(self) -> Any:
        """The number that is added to the offsets of the layout.
        """

    @property
    def size(self) -> int:
        """The number of coordinates.
        """

    @property
    def rank(self) -> int:
        """The number of modes.
        """

    def with_layout(self, layout: _LayoutLike) -> Tensor:
        """The same elements and offset with another layout.
        """

    def flatten(self) -> Tensor:
        """The leaves as modes.
        """

    def group(self, begin: int | tuple[int, ...], end: int | None = None) -> Tensor:
        """Modes `begin` to `end`, or those of a tuple, as one mode.
        """

    def take(self, begin: int, end: int) -> Tensor:
        """Modes `begin` to `end` only, at 0 in the others.
        """

    def select(self, *modes: int) -> Tensor:
        """The named modes in the order given, at 0 in the others.
        """

    def coalesce(self, profile: _Pattern | _LayoutLike | None = None) -> Tensor:
        """The same elements in the fewest modes, for the whole layout or mode by mode.
        """

    def logical_divide(self, tiler: _TilerLike) -> Tensor:
        """Each mode split into (tile, rest).
        """

    def zipped_divide(self, tiler: _TilerLike) -> Tensor:
        """All tiles in mode 0, all rests in mode 1.
        """

    def tiled_divide(self, tiler: _TilerLike) -> Tensor:
        """All tiles in mode 0, and a mode for each rest.
        """

    def flat_divide(self, tiler: _TilerLike) -> Tensor:
        """A mode for each tile and each rest.
        """

@final
class Format:
    """A storage format for all sizes, of `tilework.format`.

    >>> import tilework
    >>> weight = tilework.format("marlin_4")
    >>> weight, weight.element_bits, weight.sizes
    (Format('marlin_4'), 4, {'K': 'rows', 'N': 'columns'})
    """

    def at(self, **sizes: int) -> Packed:
        """An array of these sizes; sizes that the format does not admit are refused with the rule.

        >>> import tilework
        >>> tilework.format("marlin_4").at(K=100, N=64)
        Traceback (most recent call last):
        tilework.errors.Size: size: K must be a multiple of 16: marlin_4 packs 16 rows; 100 given
        """

    @property
    def name(self) -> str:
        """The name.
        """

    @property
    def purpose(self) -> str:
        """What it is for.
        """

    @property
    def layout(self) -> str:
        """The layout for all sizes.
        """

    @property
    def encoding(self) -> str:
        """What the bits of an element mean.
        """

    @property
    def fill(self) -> str:
        """What the padding contains: zero, repeat, or any.
        """

    @property
    def element_bits(self) -> int:
        """The bits of an element.
        """

    @property
    def sizes(self) -> dict[str, str]:
        """The sizes by name, with what they count.
        """

    @property
    def aliases(self) -> list[str]:
        """Other names of the same function.
        """

    @property
    def rules(self) -> list[str]:
        """The rules of the sizes: `M to 128` is padded to a multiple, `K by 16` has to be one.
        """

    @property
    def sources(self) -> list[str]:
        """Where the facts are from.
        """

    @property
    def pitfalls(self) -> list[str]:
        """Known errors with this format.
        """

    @property
    def pieces(self) -> list[str]:
        """The names of all pieces of the block of which it is one.
        """

@final
class Packed:
    """An array packed in a storage format, of `tilework.format`.

    >>> import tilework
    >>> packed = tilework.format("awq_gemm", K=1, N=8)
    >>> packed.shape, packed.bytes, packed.container
    ((1, 8), 4, ('int32', (1, 1)))
    >>> packed.offsets()
    array([[0, 4, 1, 5, 2, 6, 3, 7]])
    """

    def offset(self, *coordinate: int) -> int | None:
        """The offset of an element, in elements; None for an element that is not stored.
        """

    def coordinate(self, offset: int) -> tuple[int, ...] | None:
        """The coordinate of the element at an offset; None for padding.
        """

    def offsets(self) -> _Array:
        """The offset of every element, as an array of NumPy; -1 for elements that are not stored.
        """

    @property
    def sizes(self) -> dict[str, int]:
        """The sizes by name.
        """

    @property
    def name(self) -> str:
        """The name of the format.
        """

    @property
    def layout(self) -> str:
        """The layout at these sizes.
        """

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents of the logical array.
        """

    @property
    def storage(self) -> int:
        """The number of elements of the storage, with the padding.
        """

    @property
    def bytes(self) -> int:
        """The number of bytes of the storage.
        """

    @property
    def container(self) -> tuple[str, tuple[int, ...]]:
        """The type and the shape in which software stores it.
        """

def check(array: _ArrayLike, format: str | Format, elements: _ArrayLike | None = None, /, *, fill: str | int | None = None, **sizes: int) -> None:
    """Checks that an array can be one of a format: its bytes, its type and shape, its padding, and given elements. For the entry of a
    kernel, which reads the memory: an array whose elements are not contiguous in C's order is refused.

    >>> import numpy, tilework
    >>> tilework.check(numpy.zeros((384, 20), "uint8"), "scale_128x4", M=300, S=17)
    >>> tilework.check(numpy.zeros((300, 17), "uint8"), "scale_128x4", M=300, S=17)
    Traceback (most recent call last):
    tilework.errors.Size: size: scale_128x4 at these sizes is 7680 bytes; 5100 given
    >>> tilework.check(numpy.zeros((20, 384), "uint8"), "scale_128x4", M=300, S=17)
    Traceback (most recent call last):
    tilework.errors.Kind: kind: scale_128x4 is stored as uint8 [384, 20], not as uint8 [20, 384]

    `fill` is what all padding has to contain, "zero", "repeat" or a byte, in place of the format's own fill.

    With `elements`, the plain array, every one has to be where the format has it; those of less than a byte are one in a byte.

    >>> rows = numpy.arange(1024, dtype="uint8").reshape(128, 8)
    >>> tilework.check(rows, "scale_128x4", rows, M=128, S=8)
    Traceback (most recent call last):
    tilework.errors.Kind: kind: element (0,4) is 4, but scale_128x4 has it at offset 512, where 0 is stored: the bytes are in the order of `M S:8`, which `repack` converts
    """

def format(name: str, /, *, text: str | None = None, **sizes: int) -> Any:
    r"""A storage format by its name; with sizes, an array packed in it.

    >>> import tilework
    >>> scales = tilework.format("scale_128x4", M=300, S=17)
    >>> scales.storage, scales.offset(129, 4), scales.coordinate(3088)
    (7680, 3088, (129, 4))
    >>> tilework.format("scale_128x4").layout
    '((32,4,ceil(M/128)),(4,ceil(S/4))):((16,4,512*ceil(S/4)),(1,512))'

    A private format is a record of `text`, in the notation of the table:

    >>> tiles = "name tiles\naxes M rows, N columns\nbits 8\nsizes M to 4\nlayout ((4,ceil(M/4)),N):((1,4*N),4)"
    >>> tilework.format("tiles", text=tiles, M=5, N=3).storage
    24
    """

def formats(*words: str) -> list[str]:
    """The names of the storage formats that have all words in their names, aliases, axes, purposes or software, in any case.

    >>> import tilework
    >>> tilework.formats("marlin", "zero")
    ['marlin_zeros_4', 'marlin_zeros_8']
    """

def identify(given: _ArrayLike, /, *words: str, inverse: bool = False) -> list[Packed]:
    """The formats, with their sizes, that have the offsets in an array, whose shape is that of the elements; of one axis, or in a list, they
    may be of any shape. Only those that `formats` finds by the words. -1 is an element that is not stored.

    >>> import tilework
    >>> offsets = tilework.format("marlin_zeros_4", G=2, N=64).offsets()
    >>> tilework.identify(offsets, "marlin")
    [format('marlin_zeros_4', G=2, N=64)]

    With `inverse`, an array has the number of the element at each place of the storage, -1 for padding.

    >>> tilework.identify([0, 2, 4, 6, 1, 3, 5, 7], "awq_gemm", inverse=True)[0]
    format('awq_gemm', K=1, N=8)
    """

def repack(array: _ArrayLike | dict[str, Any], source: str | Format, target: str | Format, /, *, fill: str | int | None = None, piece: str | None = None, bits_only: bool = False, **sizes: int) -> Any:
    """An array of NumPy or PyTorch in another storage format: the same elements at other places. Sizes that follow from the
    shape of the array need not be given. An array may be a tensor of a file, `"model.safetensors:q.qweight"`, which the
    package `safetensors` reads.

    >>> import numpy, tilework
    >>> weight = numpy.arange(2048, dtype="int32").reshape(256, 8)
    >>> marlin = tilework.repack(weight, "awq_gemm", "marlin_4")
    >>> marlin.shape, marlin.dtype
    ((16, 128), dtype('int32'))
    >>> (tilework.repack(marlin, "marlin_4", "awq_gemm") == weight).all()
    np.True_
    >>> scales = numpy.ones((3, 2), "uint8")
    >>> tilework.repack(scales, "M S:8", "scale_8x4", M=3, S=2, fill=127)[0]
    array([  1,   1, 127, 127], dtype=uint8)

    `piece` takes one piece of a block alone, `bits_only` moves bits that mean other values in the target, and `fill` is
    "zero", "repeat" or a byte.

    Of `awq`, `autoawq_gemv`, `gptq`, `exllamav2` and `marlin`, and of `gptq_int8`, `marlin_int8`, `gptq_int2` and `exllamav2_int2`, it is a quantised weight with its zero points and scales: a dict of the tensors, or their common
    name in a file, `"model.safetensors:q"` for `q.qweight`, `q.qzeros` and `q.scales`. The result is such a dict.

    >>> weight = {"qweight": weight, "qzeros": numpy.ones((2, 8), "int32"), "scales": numpy.ones((2, 64), "float16")}
    >>> {name: tensor.shape for name, tensor in tilework.repack(weight, "awq", "marlin").items()}
    {'qweight': (16, 128), 'qzeros': (2, 8), 'scales': (2, 64)}
    """

def conv(input: _ArrayLike, filter: _ArrayLike, output: _ArrayLike | None = None, *, stride: _StrideTuple | str | None = None, dilation: int | Sequence[int] | None = None, padding: int | Sequence[int] | Sequence[tuple[int, int]] | None = None, groups: int = 1, alpha: float = 1.0, beta: float = 0.0, threads: int = 1) -> _Array:
    """Convolution (correlation, as in deep learning) in one to three directions, without a buffer for the windows.

    The input is `(N, directions, C)`, the filter `(K, directions, C)`, the output `(N, directions, K)`: an array has a
    mode for each direction, a tensor with three modes has them nested. For channels first, transpose the array.
    `stride` and `dilation` are one number or one for each direction; `padding` is one number, one for each, or a pair
    (before, after) for each.

    >>> import numpy as np
    >>> from tilework import conv
    >>> line, pair = np.arange(5.0).reshape(1, 5, 1), np.ones((1, 2, 1))
    >>> conv(line, pair).ravel()
    array([1., 3., 5., 7.])
    """

def einsum(spec: str, *operands: _ArrayLike, out: _ArrayLike | None = None, alpha: float = 1.0, beta: float = 0.0, threads: int = 1) -> _Array:
    """Sums of products in Einstein's notation, as in `numpy.einsum`, over any number of operands. Without `out` the result
    is a new array.

    >>> import numpy as np
    >>> from tilework import einsum
    >>> a = np.arange(6.0).reshape(2, 3)
    >>> einsum("mk,nk->mn", a, a)
    array([[ 5., 14.],
           [14., 50.]])
    >>> einsum("ij->", a).item()
    15.0

    A label names a mode of a layout, which may be nested. A new result has the strides with which it is written
    fastest; `numpy.ascontiguousarray` makes it row-major. Extents may be 0, as in NumPy.
    """

def gemm(a: _ArrayLike, b: _ArrayLike, c: _ArrayLike | None = None, *, alpha: float = 1.0, beta: float = 0.0, threads: int = 1) -> _Array:
    """`C = alpha A B + beta C` for `A` of `(M,K)`, `B` of `(N,K)` and `C` of `(M,N)`, as in CuTe, or a batch of them, with
    a third mode in all three. Without `c` the result is a new array.

    >>> import numpy as np
    >>> from tilework import gemm
    >>> a, b = np.arange(6.0).reshape(2, 3), np.ones((4, 3))
    >>> gemm(a, b)
    array([[ 3.,  3.,  3.,  3.],
           [12., 12., 12., 12.]])

    So `a @ b` of NumPy is `gemm(a, b.T)`. Extents may be 0; if K is, the product is 0. The elements are float32, float64, float16, bfloat16, or int8 with sums of int32, which wrap
    and have integers as `alpha` and `beta`.
    """

@final
class ContractPlan:
    """How to contract tensors of given layouts and types, by Einstein's notation; made once, run many times.

    >>> import numpy as np
    >>> from tilework import ContractPlan
    >>> plan = ContractPlan("mk,k->m", ["(2,3):(3,1)", "3:1"], "2:1", "float64")
    >>> out = np.empty(2)
    >>> plan.run(np.arange(6.0), np.ones(3), out)
    >>> out
    array([ 3., 12.])
    >>> plan.flops
    12

    With `None` for the output the plan chooses the layout that is written fastest, `plan.out`:

    >>> print(ContractPlan("pkm,nk->pnm", ["(4,2,3):(3,12,1)", "(5,2):(2,1)"], None, "float32").out)
    (4,5,3):(3,12,1)
    """

    def __new__(cls, spec: str, operands: Sequence[_LayoutLike], out: _LayoutLike | None, dtype: Any, out_dtype: Any = None) -> Self: ...

    def run(self, *arrays: _ArrayLike, alpha: float = 1.0, beta: float = 0.0, threads: int = 1) -> None:
        """Contracts arrays of the plan's types, the output last, whose elements the layouts index from the first.
        """

    def explain(self) -> str:
        """What the plan does, and why, in a few lines.
        """

    @property
    def flops(self) -> int:
        """How many operations a run takes: two for each multiply-add.
        """

    @property
    def out(self) -> Layout:
        """The layout of the output.
        """

@final
class ConvPlan:
    """How to convolve tensors of given layouts and types, as `conv` does; made once, run many times.

    >>> import numpy as np
    >>> from tilework import ConvPlan
    >>> plan = ConvPlan("(1,5,1):(5,1,1)", "(1,2,1):(2,1,1)", "(1,4,1):(4,1,1)", "float64")
    >>> out = np.empty(4)
    >>> plan.run(np.arange(5.0), np.ones(2), out)
    >>> out
    array([1., 3., 5., 7.])
    >>> plan.flops
    16
    """

    def __new__(cls, input: _LayoutLike, filter: _LayoutLike, output: _LayoutLike, dtype: Any, out_dtype: Any = None, *, stride: int | Sequence[int] | None = None, dilation: int | Sequence[int] | None = None, padding: int | Sequence[int] | Sequence[tuple[int, int]] | None = None, groups: int = 1) -> Self: ...

    def run(self, input: _ArrayLike, filter: _ArrayLike, output: _ArrayLike, *, alpha: float = 1.0, beta: float = 0.0, threads: int = 1) -> None:
        """Convolves arrays of the plan's types, whose elements the layouts index from the first.
        """

    def explain(self) -> str:
        """What the plan does, and why, in a few lines.
        """

    @property
    def flops(self) -> int:
        """How many operations a run takes: two for each multiply-add.
        """

@final
class GemmPlan:
    """How to multiply matrices of given layouts and types, `C = alpha A B + beta C` for `A` of `(M,K)`, `B` of `(N,K)` and `C` of
    `(M,N)`; made once, run many times.

    >>> import numpy as np
    >>> from tilework import GemmPlan
    >>> plan = GemmPlan("(2,3):(3,1)", "(4,3):(3,1)", "(2,4):(4,1)", "float64")
    >>> c = np.empty((2, 4))
    >>> plan.run(np.arange(6.0).reshape(2, 3), np.ones((4, 3)), c)
    >>> c
    array([[ 3.,  3.,  3.,  3.],
           [12., 12., 12., 12.]])
    >>> plan.flops, plan.explain().splitlines()[0]
    (48, '2 by 4 by 3')
    """

    def __new__(cls, a: _LayoutLike, b: _LayoutLike, c: _LayoutLike, dtype: Any, out_dtype: Any = None) -> Self: ...

    def run(self, a: _ArrayLike, b: _ArrayLike, c: _ArrayLike, *, alpha: float = 1.0, beta: float = 0.0, threads: int = 1) -> None:
        """Multiplies arrays of the plan's types, whose elements the layouts index from the first.
        """

    def explain(self) -> str:
        """What the plan does, and why, in a few lines.
        """

    @property
    def flops(self) -> int:
        """How many operations a run takes: two for each multiply-add.
        """

def axpby(alpha: float, x: _ArrayLike, beta: float, y: _ArrayLike, *, threads: int = 1) -> None:
    """`y[i] = alpha x[i] + beta y[i]` for each integral coordinate `i`, of float32 or float64; if `beta` is 0, `y` is not
    read.

    >>> import numpy as np
    >>> from tilework import Tensor, axpby
    >>> rows, columns = np.arange(6.0).reshape(2, 3), np.ones(6)
    >>> axpby(10, rows, 1, Tensor(columns, "(2,3):(1,2)"))
    >>> columns
    array([ 1., 31., 11., 41., 21., 51.])
    """

def map(function: Callable[[Any], Any], src: _ArrayLike, dst: _ArrayLike) -> None:
    """`dst[i] = function(src[i])` for each integral coordinate `i`, by a Python function, which is slow: for large arrays
    use NumPy.

    >>> import numpy as np
    >>> from tilework import Tensor, map
    >>> kelvin = np.empty(3)
    >>> map(lambda degrees: degrees + 273.15, Tensor([0, 100, 37], 3), kelvin)
    >>> kelvin
    array([273.15, 373.15, 310.15])

    Source and destination may be any tensors; predicated ones read `None` out of bounds, and ignore writes there.
    """

def reduce(operation: str, src: _ArrayLike, dst: _ArrayLike, *, threads: int = 1) -> None:
    """For each coordinate `i`, joins `src[i]` to `dst[i]`: modes in which the destination has stride 0 are reduced;
    `operation` is "sum", "product", "min" or "max". The previous values of the destination take part.

    >>> import numpy as np
    >>> from tilework import Tensor, reduce
    >>> matrix, largest = np.array([[3, 1, 4], [1, 5, 9]]), np.zeros(2, "i8")
    >>> reduce("max", matrix, Tensor(largest, "(2,3):(1,0)"))
    >>> largest
    array([4, 9])

    The elements are float32, float64, int32 or int64. A NaN is neither smaller nor larger than any number.
    """

@final
class Session:
    """Evaluates expressions and remembers the names that `let` defines.

    >>> from tilework import Session
    >>> session = Session()
    >>> session.evaluate("let A = (8,8):(8,1)")
    Layout('(8,8):(8,1)')
    >>> session.evaluate("size(A)")
    64
    """

    def __new__(cls) -> Self: ...

    def evaluate(self, text: str) -> Any:
        """The value of a text.
        """

    def print(self, text: str) -> str:
        """The text of the value of a text, as the command line prints it.
        """

    def explain(self, text: str) -> str:
        """The rule of the algebra that leads to the value of a text, or forbids one.
        """

    @property
    def variables(self) -> dict[str, Any]:
        """The names that `let` has defined.
        """

def explain(expression: str, *arguments: object) -> str:
    """The rule of the algebra that leads to a result, or forbids one: of an expression, or of a function and its
    arguments.

    >>> from tilework import Layout, explain
    >>> print(explain("composition", Layout("(6,2):(1,7)"), Layout("(3,2):(2,3)")))  # doctest: +ELLIPSIS
    composition((6,2):(1,7), (3,2):(2,3))
    ...
    refused (carry): leaves 0 and 1 of the right layout together step past 6, ...
    >>> explain("(6,2):(1,7) o 3:1") == explain("(6,2):(1,7) o 3:1", )
    True
    """

def parse(text: str) -> Any:
    """The value of a text in the expression language of the command line.

    >>> from tilework import parse
    >>> parse("(4,8):(8,1)")
    Layout('(4,8):(8,1)')
    >>> parse("(2,(_,0))")
    (2, (None, 0))
    >>> parse("let A = (8,8):(8,1); (A o ((4,8),2):((16,1),8))(9,_)")
    View('{18} o 2:1')

    The output of CuTe, its DSL and PyCuTe is accepted too. The `span` of an error is its position.
    """

def scan(text: str) -> list[tuple[int, str, Any]]:
    """The layouts in a text, such as the output of `print(tiled_mma)` or a log: of each the line on which it begins, the label
    before it, and what it is.

    >>> from tilework import scan
    >>> scan("tile of A: (_64,_32):(_32,_1), at 0x10")
    [(1, 'tile of A', Layout('(64,32):(32,1)'))]
    """

def E(*path: int) -> Any:
    """The basis element of a path: `E(0)` is the unit of mode 0, `E(1, 0)` that of mode 0 of mode 1.

    >>> from tilework import E, Layout
    >>> print(Layout((4, (8, 2)), (E(0), (E(1, 0), E(1, 1)))))
    (4,(8,2)):(1@0,(1@0@1,1@1@1))

    Sums and differences are strides too, which step along several components:

    >>> diagonal = Layout(8, E(0) + E(1))
    >>> print(diagonal, diagonal(3), Layout(8, E(0) - 2 * E(1)))
    8:(1@0+1@1) (3, 3) 8:(1@0-2@1)

    `E()` is 1.
    """

def xor(value: Any) -> Any:
    """The XOR stride `^value`, `F2(value)` in PyCuTe: multiples are carry-less products, sums are XORs.

    >>> from tilework import Layout, xor
    >>> swizzled = Layout((4, 4), (xor(1), xor(5)))
    >>> print(swizzled, swizzled(3, 1))
    (4,4):(^1,^5) 6
    """

@final
class Answer:
    """The result of an operation on symbolic layouts: a layout, and the guard under which it is correct.

    `bool(answer)` is `True` if there is no guard, and an error otherwise: use `assume`, or `at` with values.

    >>> from tilework import Scope
    >>> scope = Scope()
    >>> matrix = scope.layout("(M,K):(1,ld)")
    >>> scope.assume("ld >= M")
    >>> answer = matrix.composition(128)
    >>> print(answer)
    128:1 if ld == M or M >= 128
    >>> print(answer.layout, answer.guard, answer.at(M=256, ld=300), sep="; ")
    128:1; ld == M or M >= 128; 128:1
    >>> answer.at(M=100, ld=128)
    Traceback (most recent call last):
    tilework.errors.Guard: guard: ld == M or M >= 128 fails at M = 100, ld = 128
    """

    def assume(self) -> SymbolicLayout:
        """The layout, with the guard moved into the facts of the scope.

        >>> from tilework import Scope
        >>> scope = Scope()
        >>> matrix = scope.layout("(M,K):(1,ld)")
        >>> print(matrix.logical_divide(128))
        (128,(M/128,K)):(1,(128,ld)) if M % 128 == 0
        >>> print(matrix.logical_divide(128).assume(), matrix.logical_divide(64))
        (128,(M/128,K)):(1,(128,ld)) (64,(M/64,K)):(1,(64,ld))
        """

    def at(self, **values: int) -> Layout:
        """The layout for these values of the names; each name in layout or guard needs one.

        >>> from tilework import Scope
        >>> tiles = Scope().layout("(M,K):(1,ld)").zipped_divide((128, 32))
        >>> print(tiles.at(M=1000, K=64, ld=1024))
        ((128,32),(8,2)):((1,1024),(128,32768))
        """

    def __bool__(self) -> bool: ...

    @property
    def layout(self) -> SymbolicLayout:
        """The layout, which is correct if the guard holds.
        """

    @property
    def guard(self) -> Verdict:
        """The values for which the layout is the result.
        """

@final
class Scope:
    """The names of a problem, and the facts about them. In `with Scope():`, `symbol`, `Layout` and the like declare their
    names in it; otherwise in a global scope.

    >>> from tilework import Layout, Scope, symbol
    >>> with Scope() as scope:
    ...     M = symbol("M", div=128)
    ...     matrix = Layout("(M,K):(1,ld)")
    >>> scope.assume("ld >= M")
    >>> scope.names
    ('M', 'K', 'ld')
    >>> print(matrix.logical_divide(128))
    (128,(M/128,K)):(1,(128,ld))
    """

    def __new__(cls) -> Self: ...

    def __enter__(self) -> Scope: ...

    def __exit__(self, *_reason: object) -> None: ...

    def symbol(self, name: str, *, div: int = 1, low: int | None = None, high: int | None = None, hint: int | None = None) -> SymbolicNumber:
        """A name: an integer of at least `low` (default 1), a multiple of `div`, at most `high`. `hint` is its value at
        the witness.

        >>> from tilework import Scope
        >>> scope = Scope()
        >>> M = scope.symbol("M", div=128)
        >>> print(M // 128, M % 128, (M + 1) * M)
        M/128 0 M*M + M
        """

    def number(self, text: str) -> SymbolicNumber | int:
        """A number in the text notation, of names that are declared.

        >>> from tilework import Scope
        >>> scope = Scope()
        >>> M = scope.symbol("M")
        >>> scope.number("ceil(M/128)")
        SymbolicNumber('ceil(M/128)')
        """

    def layout(self, shape: Any, stride: Any = None) -> SymbolicLayout:
        """A layout of shape and stride, or from text; new names are declared.

        >>> from tilework import Scope
        >>> scope = Scope()
        >>> print(scope.layout("(M,K):(1,ld)"), scope.layout((4, scope.symbol("N"))))
        (M,K):(1,ld) (4,N):(1,4)
        """

    def assume(self, *facts: str | bool | Verdict | Answer) -> None:
        """Facts: texts such as `"M % 128 == 0, ld >= M"`, verdicts of comparisons, and answers, which stand for their
        guards.

        >>> from tilework import Scope
        >>> scope = Scope()
        >>> M, N = scope.symbol("M"), scope.symbol("N")
        >>> scope.assume("M % 8 == 0", N >= 2 * M)
        >>> print(M % 4 == 0, N > M, N == 3 * M)
        True always N == 3*M
        """

    def hint(self, **values: int | None) -> None:
        """Values of names at the witness of later operations; `None` for the default, which is large and has many
        divisors.

        >>> from tilework import Scope
        >>> scope = Scope()
        >>> matrix = scope.layout("(M,K):(1,ld)")
        >>> scope.assume("ld >= M")
        >>> scope.hint(M=64)
        >>> print(matrix.composition(128))
        (M,floor(128/M)):(1,ld) if 128 % M == 0
        """

    def cases(self, function: Callable[[], Answer], *witnesses: dict[str, int]) -> list[Answer]:
        """The answers of a function at each of the witnesses that no earlier guard admits: together they are one function
        of the names, by cases. A witness without a layout is skipped.

        >>> from tilework import Scope
        >>> scope = Scope()
        >>> matrix = scope.layout("(M,K):(1,ld)")
        >>> scope.assume("ld >= M")
        >>> for piece in scope.cases(lambda: matrix.composition(128), {}, {"M": 256}, {"M": 64}):
        ...     print(piece)
        128:1 if ld == M or M >= 128
        (M,floor(128/M)):(1,ld) if 128 % M == 0
        """

    @property
    def names(self) -> tuple[str, ...]:
        """The names in the order of their declaration.

        >>> from tilework import Scope
        >>> Scope().names
        ()
        """

@final
class SymbolicLayout:
    """A layout whose extents and strides are known when a kernel is launched. `Layout` returns one if its arguments have
    names.

    Its operations have the names of those of `Layout`, and give an `Answer`: the layout, and the guard under which it
    is right. If the result does not exist for any values, `errors.Never` is raised; if not for those of the witness,
    `errors.NoLayout`.

    >>> from tilework import Layout, Scope, symbol
    >>> with Scope() as scope:
    ...     M, K = symbol("M"), symbol("K")
    ...     matrix = Layout((M, K), (1, M))
    >>> print(matrix, matrix.size, matrix(3, 5), matrix.coalesce(), matrix.at(M=4, K=8))
    (M,K):(1,M) M*K 5*M + 3 M*K:1 (4,8):(1,4)
    """

    def __call__(self, *coordinate: Any) -> Any: ...

    def __len__(self) -> int: ...

    def __getitem__(self, path: _IntTuple, /) -> SymbolicLayout: ...

    def __matmul__(self, other: Any, /) -> Answer: ...

    def __truediv__(self, tiler: Any, /) -> Answer: ...

    def __mul__(self, tiler: Any, /) -> Answer: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def logical_divide(self, tiler: Any) -> Answer:
        """The layout split into (tile, rest); a tuple splits mode by mode, `None` leaves a mode as it is.
        """

    def zipped_divide(self, tiler: Any) -> Answer:
        """The divide as ((tiles), (rests)).
        """

    def tiled_divide(self, tiler: Any) -> Answer:
        """The divide as ((tiles), rest, rest, ...).
        """

    def flat_divide(self, tiler: Any) -> Answer:
        """The divide as (tile, tile, ..., rest, rest, ...).
        """

    def logical_product(self, tiler: Any) -> Answer:
        """The layout repeated as the tiler says, (block, grid); a tuple repeats mode by mode.
        """

    def zipped_product(self, tiler: Any) -> Answer:
        """The product as ((blocks), (grids)).
        """

    def tiled_product(self, tiler: Any) -> Answer:
        """The product as ((blocks), grid, grid, ...).
        """

    def flat_product(self, tiler: Any) -> Answer:
        """The product as (block, block, ..., grid, grid, ...).
        """

    def blocked_product(self, grid: Any) -> Answer:
        """The product that pairs mode i of the block with mode i of the grid, the block's elements adjacent.
        """

    def raked_product(self, grid: Any) -> Answer:
        """The same with the grid's elements adjacent.
        """

    def right_inverse(self) -> Answer:
        """The largest layout `R` with `L(R(i)) == i`.
        """

    def left_inverse(self) -> Answer:
        """A layout `R` with `R(L(i)) == i`.
        """

    def coalesce_extended(self) -> Answer:
        """Coalesced as a function of all integers, also out of bounds.
        """

    def composition(self, other: Any) -> Answer:
        """`c -> L(other(c))`; a tuple is composed mode by mode.

        >>> from tilework import Layout, Scope, assume
        >>> with Scope():
        ...     matrix = Layout("(M,K):(1,ld)")
        ...     assume("ld >= M")
        >>> print(matrix.composition("64:3"), matrix.composition((64, None)), sep="; ")
        64:3 if ld == M or M >= 190; (64,K):(1,ld)
        """

    def coalesce(self, profile: Any = None) -> Answer:
        """The same function of integers with the fewest modes that can be proved; with a profile, mode by mode.
        """

    def complement(self, within: Any = None) -> Answer:
        """The complement in ascending order; up to `within`, if that is given.
        """

    def equivalent(self, other: Any) -> Verdict:
        """Whether it is the same function of integers as another layout.
        """

    def fits(self, bits: int) -> Verdict:
        """Whether all offsets fit in `bits` bits and a sign.

        >>> from tilework import Scope
        >>> print(Scope().layout("(M,K):(1,ld)").fits(31))
        K*ld + M <= ld + 2147483648
        """

    def is_vector(self, width: int) -> Verdict:
        """Whether elements can be accessed `width` at a time from an aligned base.
        """

    def max_vector(self, limit: int) -> int:
        """The largest power of two up to `limit` for which `is_vector` always holds.

        >>> from tilework import Scope
        >>> scope = Scope()
        >>> matrix = scope.layout("(M,K):(1,ld)")
        >>> scope.assume("M % 128 == 0, ld % 4 == 0")
        >>> matrix.max_vector(8)
        4
        """

    def idx2crd(self, coordinate: Any) -> Any:
        """The coordinate of an index, or of a coordinate that is coarser than the layout's: a number for each leaf.

        >>> from tilework import Scope
        >>> scope = Scope()
        >>> matrix = scope.layout("(M,K):(1,ld)")
        >>> print(*matrix.idx2crd(scope.symbol("x", low=0)))
        -M*floor(x/M) + x floor(x/M)
        """

    def flatten(self) -> SymbolicLayout:
        """One tuple of all leaves.
        """

    def group(self, begin: int, end: int) -> SymbolicLayout:
        """Modes `begin..end` as one.
        """

    def take(self, begin: int, end: int) -> SymbolicLayout:
        """Modes `begin..end`.
        """

    def select(self, *modes: int) -> SymbolicLayout:
        """These modes in this order.

        >>> from tilework import Scope
        >>> matrix = Scope().layout("(M,(2,K)):(1,(M,ld))")
        >>> print(matrix.select(1, 0), matrix[1], matrix[1, 0], matrix.flatten())
        ((2,K),M):((M,ld),1) (2,K):(M,ld) 2:M (M,2,K):(1,M,ld)
        """

    def emit(self, language: str, coordinate: Sequence[str] | None = None, *, name: str | None = None, bits: int | None = None) -> str:
        """The offset of a coordinate as source text of `"c"`, `"cuda"`, `"rust"`, `"python"` or `"wgsl"`: an expression, or a function of this name.
        One name of a coordinate is a linear index, by default `x`, or `x1`, ... if `x` is a name of the scope; otherwise there
        is one for each mode, or for each leaf. Integers have 32 or 64 `bits`; by default 32 where all values fit.

        >>> from tilework import Scope
        >>> scope = Scope()
        >>> tiles = scope.layout("(128,M/128,K):(1,128,ld)")
        >>> scope.assume("M % 128 == 0")
        >>> print(tiles.emit("c"), tiles.emit("python", ("i", "t", "k")), sep="; ")
        (x % M) + (x / M)*ld; i + t*128 + k*ld
        >>> print(tiles.emit("python", name="offset").splitlines()[-1])
            return (x % M) + (x // M)*ld
        """

    def at(self, **values: int) -> Layout:
        """The layout where the names have these values, each that occurs in it.

        >>> from tilework import Scope
        >>> Scope().layout("(M,K):(1,M + 8)").at(M=4, K=8)
        Layout('(4,8):(1,12)')
        """

    @property
    def size(self) -> Any:
        """The number of coordinates.
        """

    @property
    def cosize(self) -> Any:
        """The largest offset plus 1.
        """

    @property
    def min(self) -> Any:
        """The least offset, if the signs of the strides are known.
        """

    @property
    def max(self) -> Any:
        """The largest offset, if the signs of the strides are known.
        """

    @property
    def shape(self) -> Any:
        """The extents.
        """

    @property
    def stride(self) -> Any:
        """The strides.
        """

    @property
    def rank(self) -> int:
        """The number of modes; 1 where there is no tuple.
        """

    @property
    def depth(self) -> int:
        """The levels of tuples.
        """

    def einfold(self, pattern: str) -> Any:
        """The modes by names, as `tilework.einfold` has them.

        >>> from tilework import Scope
        >>> print(Scope().layout("(M,K):(1,ld)").einfold("mk -> km"))
        (K,M):(ld,1)
        """

@final
class SymbolicNumber:
    """A number that is known when a kernel is launched: a polynomial in names and in quotients `floor(p/q)`.

    `+`, `-`, `*` give numbers, `//` a quotient, `%` its remainder, and `/` a quotient that has to be exact, because
    extents and strides are integers. Comparisons give a `Verdict`.

    >>> from tilework import Scope
    >>> scope = Scope()
    >>> M, K = scope.symbol("M"), scope.symbol("K", div=8)
    >>> print((M + 8) * K, K / 8, K // 8, (M + 127) // 128, M * K - K * M)
    M*K + 8*K K/8 K/8 ceil(M/128) 0
    >>> print(K % 4 == 0, M % 4 == 0, M > 0, M < K)
    True M % 4 == 0 always K >= M + 1
    """

    def __add__(self, value: Any, /) -> Any: ...

    def __radd__(self, value: Any, /) -> Any: ...

    def __sub__(self, value: Any, /) -> Any: ...

    def __rsub__(self, value: Any, /) -> Any: ...

    def __mul__(self, value: Any, /) -> Any: ...

    def __rmul__(self, value: Any, /) -> Any: ...

    def __truediv__(self, value: Any, /) -> Any: ...

    def __rtruediv__(self, value: Any, /) -> Any: ...

    def __floordiv__(self, value: Any, /) -> Any: ...

    def __rfloordiv__(self, value: Any, /) -> Any: ...

    def __mod__(self, value: Any, /) -> Any: ...

    def __neg__(self) -> Any: ...

    def __pow__(self, value: int, mod: None = None, /) -> Any: ...

    def __lt__(self, value: Any, /) -> Verdict: ...

    def __le__(self, value: Any, /) -> Verdict: ...

    def __gt__(self, value: Any, /) -> Verdict: ...

    def __ge__(self, value: Any, /) -> Verdict: ...

    def __eq__(self, value: object, /) -> Any: ...

    def __ne__(self, value: object, /) -> Any: ...

    def __hash__(self) -> int: ...

    def ceil_div(self, divisor: Any) -> SymbolicNumber | int:
        """`ceil(number / divisor)`: the number of tiles.

        >>> from tilework import Scope
        >>> print(Scope().symbol("M").ceil_div(128))
        ceil(M/128)
        """

    def at(self, **values: int) -> int:
        """The value for these values of the names; each name that occurs needs one.

        >>> from tilework import Scope
        >>> Scope().symbol("M").ceil_div(128).at(M=1000)
        8
        """

@final
class Verdict:
    """Whether something holds for values of the names: always, never, if a guard holds, or undecided.

    `bool(verdict)` is an error if it depends on the values.

    >>> from tilework import Scope
    >>> scope = Scope()
    >>> matrix = scope.layout("(M,K):(1,ld)")
    >>> verdict = matrix.is_vector(8)
    >>> print(verdict, verdict.at(M=64, ld=72), verdict.at(M=64, ld=66))
    M % 8 == 0 and ld % 8 == 0 True False
    >>> verdict.assume()
    >>> bool(matrix.is_vector(4))
    True
    """

    def checks(self, host: str) -> str:
        """The guard as checks before a launch, of `"c"`, `"rust"`, `"python"`, `"torch"`, `"cute"` or `"triton"`; one a line.

        >>> from tilework import Scope
        >>> matrix = Scope().layout("(M,K):(1,ld)")
        >>> print(matrix.is_vector(8).checks("c") + matrix.is_vector(8).checks("triton"), end="")
        assert(M % 8 == 0);
        assert(ld % 8 == 0);
        M = tl.multiple_of(M, 8)
        ld = tl.multiple_of(ld, 8)
        """

    def assume(self) -> None:
        """Makes it a fact of the scope.
        """

    def at(self, **values: int) -> bool:
        """Whether it holds at these values, one for each name that occurs.
        """

    def __bool__(self) -> bool: ...

    @property
    def is_always(self) -> bool:
        """Whether it holds for all values that the facts allow.
        """

    @property
    def is_never(self) -> bool:
        """Whether it holds for none.
        """

    @property
    def clauses(self) -> list[list[list[str]]]:
        """The guard as a list of clauses, each a list of alternatives, each a list of conditions as text: all clauses have
        to hold; a clause holds if all conditions of one alternative do. Empty if there is no guard.

        >>> from tilework import Scope
        >>> batches = Scope().layout("(M,K,L):(1,ld,bs)")
        >>> batches.equivalent("M*K*L:1").clauses
        [[['ld == M'], ['K*L <= 1']], [['bs == K*ld'], ['L <= 1']]]
        """

def assume(*facts: str | bool | Verdict | Answer) -> None:
    """Facts about the names of the current scope; see `Scope.assume`.

    >>> from tilework import Layout, Scope, assume
    >>> with Scope():
    ...     matrix = Layout("(M,K):(1,ld)")
    ...     assume("ld == M")
    ...     print(matrix.coalesce())
    M*K:1
    """

def cases(function: Callable[[], Answer], *witnesses: dict[str, int]) -> list[Answer]:
    """The answers of a function at several witnesses in the current scope; see `Scope.cases`.

    >>> from tilework import Layout, Scope, cases
    >>> with Scope():
    ...     line = Layout("(M,K):(1,2*M)")
    ...     print(*cases(lambda: line.composition(4), {}, {"M": 2}), sep="; ")
    4:1 if M >= 4; (M,floor(4/M)):(1,2*M) if 4 % M == 0
    """

def hint(**values: int | None) -> None:
    """Values of names of the current scope at the witness; see `Scope.hint`.

    >>> from tilework import Layout, Scope, hint
    >>> with Scope():
    ...     pages = Layout("(page,T):(128,128*page*H)")
    ...     hint(page=16, T=99, H=8)
    ...     print(pages.composition(64))
    (page,floor(64/page)):(128,128*page*H) if 64 % page == 0
    """

def symbol(name: str, *, div: int = 1, low: int | None = None, high: int | None = None, hint: int | None = None) -> SymbolicNumber:
    """A name of the current scope; see `Scope.symbol`.

    >>> from tilework import Layout, Scope, symbol
    >>> with Scope():
    ...     M, K = symbol("M", div=128), symbol("K")
    ...     print(Layout((M, K), (1, M + 8)).zipped_divide((128, 32)))
    ((128,32),(M/128,ceil(K/32))):((1,M+8),(128,32*M+256))
    """

def constant(value: Any) -> Accessor:
    """The accessor with one element at all offsets.

    >>> from tilework import Layout, Tensor, constant
    >>> list(Tensor(constant(7), Layout(3)))
    [7, 7, 7]
    """

def counting() -> Accessor:
    """The accessor whose element at an offset is the offset; for coordinate strides, the coordinate.

    >>> from tilework import Layout, Tensor, counting, identity
    >>> list(Tensor(counting(), Layout((2, 3), (10, 1))))
    [0, 10, 1, 11, 2, 12]
    >>> Tensor(counting(), identity((4, 8)))[9]
    (1, 2)
    """

def transform(function: Callable[[Any], Any], accessor: _ArrayLike) -> Accessor:
    """The accessor of a function's results for another's elements, computed when they are read.

    >>> from tilework import Layout, Tensor, counting, transform
    >>> list(Tensor(transform(lambda x: x * x, counting()), Layout(4)))
    [0, 1, 4, 9]
    """

@final
class _size:
    """`size(L)` or `size(L, 0, 1)`: the number of coordinates.

    Definition: The product of the extents (2.2).
    C++ CuTe: `size`.
    CuTe DSL: `size`.
    pycute: `size`.

    >>> from tilework import size
    >>> size('(4,(8,2)):(1,(4,32))')
    64
    >>> size[1, 0]((4, (8, 2)))
    8
    """
    def __call__(self, layout: _LayoutLike, *path: int) -> int: ...
    def __getitem__(self, indices: int | tuple[int, ...], /) -> Callable[..., int]: ...

size: _size

@final
class _rank:
    """`rank(L)`: the number of modes.

    Definition: The number of modes; a leaf has one.
    C++ CuTe: `rank`.
    CuTe DSL: `rank`.
    pycute: `rank`.

    >>> from tilework import rank
    >>> rank((4, (8, 2)))
    2
    """
    def __call__(self, layout: _LayoutLike, *path: int) -> int: ...
    def __getitem__(self, indices: int | tuple[int, ...], /) -> Callable[..., int]: ...

rank: _rank

@final
class _depth:
    """`depth(L)`: the levels of nesting.

    Definition: 0 for a leaf, and one more than its deepest mode for a tuple (2.1).
    C++ CuTe: `depth`.
    CuTe DSL: `depth`.

    >>> from tilework import depth
    >>> depth((4, (8, 2)))
    2
    """
    def __call__(self, layout: _LayoutLike, *path: int) -> int: ...
    def __getitem__(self, indices: int | tuple[int, ...], /) -> Callable[..., int]: ...

depth: _depth

@final
class _shape:
    """`shape(L)`: the extents.

    Definition: S of L = S:D (2.4).
    C++ CuTe: `shape`.

    >>> from tilework import shape
    >>> shape[1]('(4,(8,2)):(1,(4,32))')
    (8, 2)
    """
    def __call__(self, layout: _LayoutLike, *path: int) -> Any: ...
    def __getitem__(self, indices: int | tuple[int, ...], /) -> Callable[..., Any]: ...

shape: _shape

@final
class _stride:
    """`stride(L)`: the strides.

    Definition: D of L = S:D (2.4).
    C++ CuTe: `stride`.

    >>> from tilework import stride
    >>> stride('(4,8):(8,1)')
    (8, 1)
    """
    def __call__(self, layout: _LayoutLike, *path: int) -> Any: ...
    def __getitem__(self, indices: int | tuple[int, ...], /) -> Callable[..., Any]: ...

stride: _stride

@final
class _cosize:
    """`cosize(L)`: the greatest offset plus one.

    Definition: max L(c) + 1 over all coordinates c in bounds.
    C++ CuTe: `cosize`.
    CuTe DSL: `cosize`.
    pycute: `cosize`.
    Refuses: codomain: rational and coordinate offsets have no order.

    >>> from tilework import cosize
    >>> cosize('(4,8):(10,1)')
    38
    """
    def __call__(self, layout: _LayoutLike, *path: int) -> int: ...
    def __getitem__(self, indices: int | tuple[int, ...], /) -> Callable[..., int]: ...

cosize: _cosize

@final
class _min:
    """`min(L)`: the least offset.

    Definition: min L(c) over all coordinates c in bounds.
    Refuses: codomain: rational and coordinate offsets have no order.

    >>> from tilework import min
    >>> min('4:-1')
    -3
    """
    def __call__(self, layout: _LayoutLike) -> int: ...
    def __getitem__(self, indices: int | tuple[int, ...], /) -> Callable[..., int]: ...

min: _min

@final
class _max:
    """`max(L)`: the greatest offset.

    Definition: max L(c) over all coordinates c in bounds.
    Refuses: codomain: rational and coordinate offsets have no order.

    >>> from tilework import max
    >>> max('(4,8):(10,1)')
    37
    """
    def __call__(self, layout: _LayoutLike) -> int: ...
    def __getitem__(self, indices: int | tuple[int, ...], /) -> Callable[..., int]: ...

max: _max

@final
class _span:
    """`span(L)`: the greatest offset less the least, plus one.

    Definition: max L - min L + 1.
    Refuses: codomain: rational and coordinate offsets have no order.

    >>> from tilework import span
    >>> span('4:-1')
    4
    """
    def __call__(self, layout: _LayoutLike) -> int: ...
    def __getitem__(self, indices: int | tuple[int, ...], /) -> Callable[..., int]: ...

span: _span

@final
class _image:
    """`image(L)`: all offsets, in the order of their coordinates.

    Definition: (L(0), L(1), ..., L(size-1)) (2.4.1).
    Refuses: limit: offsets that are no text of 256 KiB.

    >>> from tilework import image
    >>> image('(2,2):(8,1)')
    (0, 8, 1, 9)
    """
    def __call__(self, layout: _LayoutLike) -> tuple[_Offset, ...]: ...
    def __getitem__(self, indices: int | tuple[int, ...], /) -> Callable[..., tuple[_Offset, ...]]: ...

image: _image

def footprint(layout: _LayoutLike, bits: int | None = None) -> int:
    """`footprint(L)` or `footprint(L, bits)`: the number of different offsets; with the bits of an element, the bytes that they take.

    Definition: The number of different L(c), times the bits of an element, in bytes rounded up.
    Refuses: undecided: offsets coincide, leave gaps, and are more than 65,536.

    >>> from tilework import footprint
    >>> footprint('(3,6):(1,1)')
    8
    >>> footprint('(4,8):(8,1)', 16)
    64
    """

def contiguity(layout: _LayoutLike) -> Any:
    """`contiguity(L)`: for each mode, how many adjacent coordinates have adjacent offsets.

    Definition: The greatest divisor n of each mode's size such that n neighbouring coordinates, from a multiple of n on, have offsets k, k+1, ....
    Refuses: codomain: rational and coordinate offsets have no neighbours.

    >>> from tilework import contiguity
    >>> contiguity('(4,8):(8,1)')
    (1, 8)
    >>> contiguity('Sw<3,3,3> o (8,64):(64,1)')
    (1, 8)
    """

def layout(first: _LayoutLike, *more: _LayoutLike | _StrideTuple) -> Layout:
    """`layout(S)` or `layout(S, D)` or `layout(L, M, ...)`: a layout from shape and stride, or of several layouts as its modes.

    Definition: L(c) = the inner product of the natural coordinate of c with the strides (2.4, equation 6).
    C++ CuTe: `make_layout`.
    CuTe DSL: `make_layout`.
    pycute: `Layout`.
    Refuses: incongruent: shape and stride of different nesting; extent: an extent below 1.

    >>> from tilework import layout
    >>> layout((4, 8), (8, 1))
    Layout('(4,8):(8,1)')
    >>> layout('4:2', '8:1')
    Layout('(4,8):(2,1)')
    """

def column_major(shape: _LayoutLike) -> Layout:
    """`column_major(S)`: the compact layout of a shape, the first leaf fastest.

    Definition: The strides are the products of the extents before them.
    C++ CuTe: `LayoutLeft, GenColMajor`.
    CuTe DSL: `make_layout`.
    pycute: `Layout`.
    Refuses: extent: an extent below 1.

    >>> from tilework import column_major
    >>> column_major((4, 8))
    Layout('(4,8):(1,4)')
    """

def row_major(shape: _LayoutLike) -> Layout:
    """`row_major(S)`: the compact layout of a shape, the last leaf fastest.

    Definition: The strides are the products of the extents after them.
    C++ CuTe: `LayoutRight, GenRowMajor`.
    Refuses: extent: an extent below 1.

    >>> from tilework import row_major
    >>> row_major((4, 8))
    Layout('(4,8):(8,1)')
    """

def ordered(shape: _LayoutLike, order: _IntTuple | None) -> Layout:
    """`ordered(S, order)`: the compact layout of a shape, leaves of smaller order fastest.

    Definition: The strides are the products of the extents of smaller order.
    C++ CuTe: `make_ordered_layout`.
    CuTe DSL: `make_ordered_layout`.
    Refuses: incongruent: shape and order of different nesting.

    >>> from tilework import ordered
    >>> ordered((4, 8, 2), (2, 0, 1))
    Layout('(4,8,2):(16,1,8)')
    """

def compact_like(layout: _LayoutLike) -> Layout:
    """`compact_like(L)`: the compact layout with the strides in the same order.

    Definition: The compact layout whose strides have the order of L's; of a tensor, one in registers.
    C++ CuTe: `make_layout_like, make_tensor_like`.
    CuTe DSL: `make_layout_like`.
    Refuses: codomain: strides that are not integers.

    >>> from tilework import compact_like
    >>> compact_like('(4,8):(100,1)')
    Layout('(4,8):(8,1)')
    """

@final
class _fragment_like:
    """`fragment_like(L)` or `fragment_like(L, bits)`: the compact layout of a shape with the first mode first, and the strides of the others in the same order; of a tensor, one in registers.

    Definition: The compact layout whose first mode is in the order of its coordinates, and whose other modes follow in the order of their strides.
    C++ CuTe: `make_fragment_like`.
    CuTe DSL: `make_fragment_like`.
    Refuses: codomain: strides that are not integers.

    >>> from tilework import fragment_like
    >>> fragment_like('((2,2),4,2):((64,1),2,128)')
    Layout('((2,2),4,2):((1,2),4,16)')
    >>> fragment_like('(4,8):(8,1)', 32)
    Layout('rmem_ptr[32b] o (4,8):(1,4)')
    """
    def __call__(self, layout: _LayoutLike, bits: int | None = None) -> Layout: ...
    def __getitem__(self, indices: int | tuple[int, ...], /) -> Callable[..., Layout]: ...

fragment_like: _fragment_like

def identity(shape: _LayoutLike) -> Layout:
    """`identity(S)`: the layout that maps each coordinate to itself, strides 1@i.

    Definition: L(c) = c: stride 1@i at mode i (2.4.2).
    C++ CuTe: `make_identity_layout`.
    CuTe DSL: `make_identity_tensor`.

    >>> from tilework import identity
    >>> identity((4, 8))
    Layout('(4,8):(1@0,1@1)')
    """

def layout_tv(thr_layout: _LayoutLike, val_layout: _LayoutLike | _TilerLike) -> Tiler:
    """`layout_tv(T, V)`: the tile of threads and of the values of each, and the layout from (thread,value) into it.

    Definition: <mode_sizes(P), right_inverse(P) o (size(T),size(V))>, where P is raked_product(T, V).
    C++ CuTe: `make_tiled_copy`.
    CuTe DSL: `make_layout_tv`.
    Refuses: those of raked_product and right_inverse.

    >>> from tilework import layout_tv
    >>> layout_tv('(4,8):(8,1)', '(2,4):(4,1)')
    Tiler('<<8:1,32:1>,((8,4),(4,2)):((32,2),(8,1))>')
    """

@final
class _make_tensor:
    """`make_tensor(P, L)` or `make_tensor(P, S, D)`: the tensor of a pointer, or of a coordinate to count from, and a layout; with the type of its elements, one in registers.

    Definition: T(c) = P[L(c)] (2.5).
    C++ CuTe: `make_tensor`.
    CuTe DSL: `make_tensor`.
    pycute: `Tensor`.
    Refuses: kind: an operand that is neither a pointer nor a coordinate.

    >>> from tilework import make_tensor
    >>> make_tensor('gmem_ptr[16b]', (4, 8), (8, 1))
    Layout('gmem_ptr[16b] o (4,8):(8,1)')
    >>> make_tensor((8, 0), 'identity((4,8))')
    View('{(8,0)} o (4,8):(1@0,1@1)')
    """
    def __call__(self, pointer: _IntTuple | str, layout: _LayoutLike, stride: _StrideTuple | str | None = None) -> Any: ...
    def __getitem__(self, indices: int | tuple[int, ...], /) -> Callable[..., Any]: ...

make_tensor: _make_tensor

@final
class _make_fragment:
    """`make_fragment(L, T)`: the tensor in registers of a layout, and of the type or the bits of its elements.

    Definition: T(c) = r[L(c)] for registers r (2.5).
    C++ CuTe: `make_tensor<T>`.
    CuTe DSL: `make_fragment, make_rmem_tensor`.

    >>> from tilework import make_fragment
    >>> make_fragment((4, 8), 32)
    Layout('rmem_ptr[32b] o (4,8):(1,4)')
    """
    def __call__(self, layout: _LayoutLike, bits: int | None) -> Any: ...
    def __getitem__(self, indices: int | tuple[int, ...], /) -> Callable[..., Any]: ...

make_fragment: _make_fragment

def from_image(offsets: _IntTuple | str) -> Layout:
    """`from_image(f)`: the coalesced layout with the offsets f, behind the first of them: the inverse of image.

    Definition: The L with L(i) = f_i for every i, in the fewest modes.
    Refuses: not-xor-linear: no layout has these offsets.

    >>> from tilework import from_image
    >>> from_image((0, 8, 1, 9))
    Layout('(2,2):(8,1)')
    >>> from_image((0, 3, 6, 5))
    Layout('4:^3')
    >>> from_image((8, 9, 0, 1))
    View('{8} o (2,2):(1,-8)')
    """

def from_formula(formula: str) -> Any:
    """`from_formula(i*8 + j%8, i < 16, j < 8)`: the layout of an index formula of C or Python, from the extents of its names; with a swizzle if it has XORs.

    Definition: The L with L(i,j) = the formula for all 0 <= i < I and 0 <= j < J, a mode for each name < extent; + - * & | ^ << >> % as in C and Python, / and // round down, and name = value is a constant.
    Refuses: not-xor-linear: no layout has these offsets, and the first coordinate where none can; name: a name without extent; limit: more coordinates than are compared.

    >>> from tilework import from_formula
    >>> from_formula("i/4*32 + i%4*2 + j, i < 8, j < 2")
    Layout('((4,2),2):((2,32),1)')
    >>> from_formula("row*64 + (col ^ (row & 7) << 3), row < 8, col < 64")
    ComposedLayout('Sw<3,3,3> o 0 o (8,64):(64,1)')
    >>> from_formula("(lane >> 2)*LD + (lane & 3), lane < 32, LD = 40")
    Layout('(4,8):(1,40)')
    """

def chain(first: _LayoutLike, *more: _LayoutLike | _StrideTuple) -> Any:
    """`chain(L, M, ...)`: layouts that are applied in turn, the last one first.

    Definition: chain(L, M)(c) = L(M(c)) on all integers, also where L o M is no layout (2.4.3).
    Refuses: not-integral: an offset that is no coordinate.

    >>> from tilework import chain
    >>> chain('4:2', '8:1')
    (Layout('4:2'), Layout('8:1'))
    """

def completeness(values: _IntTuple | str) -> Any:
    """`completeness(f)`: a chain of layouts whose values at 0, 1, ... are f = (0,f1,f2,...).

    Definition: f = (2,2,...):(f1,f2,...) o (3,1):(1,4) o (4,1):(1,6) o ... (2.4.3); for more than 33 values (2,1):(f1,1) o ... o (k,2,1):(1,p fk,p) o ... with p = 2(k-1).
    Refuses: argument: the first value is not 0; overflow: past 33 values, 2(k-1) fk does not fit in 64 bits.

    >>> from tilework import completeness
    >>> completeness((0, 7, 1, 9))
    (Layout('(2,2,2):(7,1,9)'), Layout('(3,1):(1,4)'))
    """

def evaluate(layout: _LayoutLike, coordinate: _IntTuple | str) -> Any:
    """`evaluate(L, c)`: the offset of a coordinate, the same as (L)(c).

    Definition: L(c) = sum of c_i d_i over the natural coordinate (equation 6).
    C++ CuTe: `layout(coord)`.
    CuTe DSL: `layout(coord)`.
    pycute: `layout(coord)`.
    Refuses: coordinate: c has other entries than the shape.

    >>> from tilework import evaluate
    >>> evaluate('(4,8):(8,1)', (2, 5))
    21
    """

def crd2idx(coordinate: _IntTuple | str, shape: _LayoutLike, stride: _StrideTuple | str | None = None) -> Any:
    """`crd2idx(c, S)` or `crd2idx(c, S, D)` or `crd2idx(c, L)`: the integral coordinate, or with strides the offset.

    Definition: The index of a coordinate of S (equation 5); with strides their inner product.
    C++ CuTe: `crd2idx`.
    CuTe DSL: `crd2idx`.
    pycute: `crd2idx`.
    Refuses: coordinate: c has other entries than the shape.

    >>> from tilework import crd2idx
    >>> crd2idx((2, 5), (4, 8))
    22
    >>> crd2idx((2, 5), (4, 8), (8, 1))
    21
    """

def idx2crd(index: _IntTuple, shape: _LayoutLike) -> Any:
    """`idx2crd(i, S)` or `idx2crd(i, L)`: the natural coordinate of an integral one.

    Definition: i mod s0, (i / s0) mod s1, ..., the last extent not wrapped (equation 4).
    C++ CuTe: `idx2crd`.
    CuTe DSL: `idx2crd`.
    pycute: `idx2crd`.
    Refuses: coordinate: i has other entries than the shape.

    >>> from tilework import idx2crd
    >>> idx2crd(22, (4, 8))
    (2, 5)
    """

def crd2crd(coordinate: _IntTuple | str, shape: _LayoutLike, other: _LayoutLike) -> Any:
    """`crd2crd(c, S, T)`: the coordinate into T at the same place as c into S.

    Definition: idx2crd(crd2idx(c, S), T).
    C++ CuTe: `crd2crd`.
    pycute: `crd2crd`.
    Refuses: coordinate: c has other entries than the shape.

    >>> from tilework import crd2crd
    >>> crd2crd((2, 5), (4, 8), (8, 4))
    (6, 2)
    """

def in_bounds(coordinate: _IntTuple | str, shape: _LayoutLike) -> bool:
    """`in_bounds(c, S)`: whether a coordinate is in a shape.

    Definition: 0 <= c_i < s_i for each leaf.
    C++ CuTe: `elem_less`.
    CuTe DSL: `elem_less`.

    >>> from tilework import in_bounds
    >>> in_bounds((4, 5), (4, 8))
    False
    """

def coordinate_sets(shape: _LayoutLike) -> Any:
    """`coordinate_sets(S)`: the shapes that coarsen S, whose coordinates S takes.

    Definition: Z(S): all S' that are compatible with S and coarsen it (definition 2.8).
    Refuses: capacity: more than 32 sets, or more than 32 leaves or 63 leaves and tuples in them together.

    >>> from tilework import coordinate_sets
    >>> coordinate_sets(((2, 3), 2))
    (12, (6, 2), ((2, 3), 2))
    """

def slice(layout: _LayoutLike, pattern: _Pattern | str) -> Any:
    """`slice(L, (2,_))`: the modes at `_`, with the offset of the others.

    Definition: L(c' + c*) = L(c') + L(c*): fixed modes give an offset, open ones a layout (2.5.1, equation 10).
    C++ CuTe: `slice_and_offset`.
    CuTe DSL: `slice_`.
    pycute: `slice_and_offset`.
    Refuses: coordinate: the pattern does not fit the shape.

    >>> from tilework import slice
    >>> slice('(4,8):(8,1)', (2, None))
    View('{16} o 8:1')
    """

def dice(layout: _LayoutLike, pattern: _Pattern | str) -> Any:
    """`dice(L, (2,_))`: the modes that a coordinate fixes.

    Definition: The modes where the coordinate has no _.
    C++ CuTe: `dice`.
    CuTe DSL: `dice`.
    Refuses: coordinate: the pattern does not fit the shape.

    >>> from tilework import dice
    >>> dice('(4,8):(8,1)', (2, None))
    Layout('4:8')
    """

def shape_div(shape: _LayoutLike, divisor: _IntTuple, rounding: int | str | None = None) -> Any:
    """`shape_div(S, n)` or `shape_div(S, T)` or `shape_div(S, n, ceil)` or `shape_div(S, n, floor)`: the shape with n divided out from the left; by a tuple mode by mode; exact, or with each quotient rounded to 1 or more; in CuTe what is left of n at the end is dropped.

    Definition: From the left, each extent is divided by the rest of n.
    C++ CuTe: `shape_div`.
    CuTe DSL: `shape_div`.
    pycute: `shape_div`.
    Refuses: divisibility: an extent and the rest of n divide neither way.

    >>> from tilework import shape_div
    >>> shape_div((4, 8), 8)
    (1, 4)
    >>> shape_div((4, 8), (2, 4))
    (2, 2)
    >>> shape_div((7, 4), 10, 1)
    (1, 2)
    """

def shape_mod(shape: _LayoutLike, divisor: _IntTuple) -> Any:
    """`shape_mod(S, n)` or `shape_mod(S, T)`: the leading part of the shape that has size n; by a tuple mode by mode.

    Definition: The extents that shape_div divides out, 1 in all others.
    Refuses: divisibility: as for shape_div.

    >>> from tilework import shape_mod
    >>> shape_mod((4, 8), 8)
    (4, 2)
    """

def prefix_product(shape: _LayoutLike) -> Any:
    """`prefix_product(S)`: for each leaf the product of those before it: the strides of the compact layout.

    Definition: 1, s0, s0 s1, ... in the nesting of S.
    C++ CuTe: `compact_major<LayoutLeft>`.
    pycute: `prefix_product`.
    Refuses: overflow: the size does not fit in 64 bits.

    >>> from tilework import prefix_product
    >>> prefix_product((3, (6, 2), 8))
    (1, (3, 18), 36)
    """

def inner_product(coordinate: _IntTuple | str, stride: _StrideTuple | str) -> Any:
    """`inner_product(c, D)`: the sum of the multiples of strides: the offset of a natural coordinate.

    Definition: sum of c_i d_i over the leaves (2.3.2, equation 6).
    C++ CuTe: `inner_product`.
    pycute: `inner_product`.
    Refuses: incongruent: tuples of different nesting.

    >>> from tilework import inner_product
    >>> inner_product((2, (1, 5)), (8, (1, 32)))
    177
    >>> inner_product((1, 2), '(1@0,1@1)')
    (1, 2)
    """

def ceil_div(value: Any, divisor: _IntTuple) -> Any:
    """`ceil_div(a, b)`: the quotient rounded up, leaf by leaf.

    Definition: The least q with q b >= a, leaf by leaf.
    C++ CuTe: `ceil_div`.
    CuTe DSL: `ceil_div`.
    Refuses: argument: a divisor below 1.

    >>> from tilework import ceil_div
    >>> ceil_div((5, 8), (2, 3))
    (3, 3)
    """

@final
class _mode_sizes:
    """`mode_sizes(S)`: the size of each mode.

    Definition: (size(S0), size(S1), ...).
    C++ CuTe: `product_each`.
    CuTe DSL: `product_each`.

    >>> from tilework import mode_sizes
    >>> mode_sizes((4, (8, 2)))
    (4, 16)
    """
    def __call__(self, layout: _LayoutLike, *path: int) -> Any: ...
    def __getitem__(self, indices: int | tuple[int, ...], /) -> Callable[..., Any]: ...

mode_sizes: _mode_sizes

def common_refinement(shape: _LayoutLike, other: _LayoutLike) -> Any:
    """`common_refinement(S, T)`: the coarsest shape that refines both.

    Definition: The coarsest shape that both S and T are compatible with (2.2).
    Refuses: divisibility: the extents of the two do not nest.

    >>> from tilework import common_refinement
    >>> common_refinement((4, 6), ((2, 2), 6))
    ((2, 2), 6)
    """

def common_coarsening(shape: _LayoutLike, other: _LayoutLike) -> Any:
    """`common_coarsening(S, T)`: the finest shape that coarsens both.

    Definition: The finest shape that is compatible with both S and T (2.2).
    Refuses: size: shapes of different size.

    >>> from tilework import common_coarsening
    >>> common_coarsening(((2, 2), 6), (4, 6))
    (4, 6)
    """

@final
class _get:
    """`get(L, 0, 1)`: the part at a path.

    Definition: Mode i_0, of that mode i_1, and so on.
    C++ CuTe: `get<i>, layout<i>`.
    CuTe DSL: `get`.
    pycute: `L[i]`.
    Refuses: index: there is no such mode.

    >>> from tilework import get
    >>> get('(4,(8,2)):(1,(4,32))', 1, 0)
    Layout('8:4')
    """
    @overload
    def __call__(self, layout: _L, *path: int) -> _L: ...
    @overload
    def __call__(self, layout: _LayoutLike, *path: int) -> Any: ...
    def __getitem__(self, indices: int | tuple[int, ...], /) -> Callable[..., Any]: ...

get: _get

@overload
def flatten(layout: _L) -> _L: ...
@overload
def flatten(layout: _LayoutLike) -> Any:
    """`flatten(L)`: the leaves without nesting.

    Definition: The leaves in their order, in one tuple.
    C++ CuTe: `flatten`.
    CuTe DSL: `flatten`.
    pycute: `flatten`.

    >>> from tilework import flatten
    >>> flatten((4, (8, 2)))
    (4, 8, 2)
    """

@overload
def unflatten(layout: _L, profile: _Pattern | _LayoutLike | None) -> _L: ...
@overload
def unflatten(layout: _LayoutLike, profile: _Pattern | _LayoutLike | None) -> Any:
    """`unflatten(L, profile)`: the leaves in the nesting of another tuple.

    Definition: The tuple of the given nesting with these leaves.
    C++ CuTe: `unflatten`.
    Refuses: incongruent: another number of leaves.

    >>> from tilework import unflatten
    >>> unflatten('(4,8,2):(1,4,32)', (0, (0, 0)))
    Layout('(4,(8,2)):(1,(4,32))')
    """

@final
class _group:
    """`group(L, 0, 2)` or `group(L, (0,1))`: some neighbouring modes as one mode.

    Definition: Modes begin to end-1, or those of a tuple, become the modes of one.
    C++ CuTe: `group<B,E>`.
    CuTe DSL: `group_modes`.
    Refuses: index: there are no such modes; arguments: modes that are not adjacent.

    >>> from tilework import group
    >>> group('(4,8,2):(1,4,32)', 0, 2)
    Layout('((4,8),2):((1,4),32)')
    >>> group('(4,8,2):(1,4,32)', (0, 1))
    Layout('((4,8),2):((1,4),32)')
    """
    @overload
    def __call__(self, layout: _L, begin: int | tuple[int, ...], end: int | None = None) -> _L: ...
    @overload
    def __call__(self, layout: _LayoutLike, begin: int | tuple[int, ...], end: int | None = None) -> Any: ...
    def __getitem__(self, indices: int | tuple[int, ...], /) -> Callable[..., Any]: ...

group: _group

@final
class _take:
    """`take(L, 0, 2)`: some neighbouring modes alone.

    Definition: Modes begin to end-1.
    C++ CuTe: `take<B,E>`.
    Refuses: index: there are no such modes.

    >>> from tilework import take
    >>> take('(4,8,2):(1,4,32)', 1, 3)
    Layout('(8,2):(4,32)')
    """
    @overload
    def __call__(self, layout: _L, begin: int, end: int) -> _L: ...
    @overload
    def __call__(self, layout: _LayoutLike, begin: int, end: int) -> Any: ...
    def __getitem__(self, indices: int | tuple[int, ...], /) -> Callable[..., Any]: ...

take: _take

@final
class _select:
    """`select(L, 0, 2)`: the named modes in the order given.

    Definition: (L_i0, L_i1, ...).
    C++ CuTe: `select<I...>`.
    CuTe DSL: `select`.
    Refuses: index: there is no such mode.

    >>> from tilework import select
    >>> select('(4,8,2):(1,4,32)', 2, 0)
    Layout('(2,4):(32,1)')
    """
    @overload
    def __call__(self, layout: _L, *modes: int) -> _L: ...
    @overload
    def __call__(self, layout: _LayoutLike, *modes: int) -> Any: ...
    def __getitem__(self, indices: int | tuple[int, ...], /) -> Callable[..., Any]: ...

select: _select

@final
class _append:
    """`append(L, M)`: one more mode at the end, or modes up to a rank.

    Definition: (L0, L1, ..., M).
    C++ CuTe: `append`.
    CuTe DSL: `append`.
    Refuses: capacity: more than 32 leaves.

    >>> from tilework import append
    >>> append('4:1', '8:4')
    Layout('(4,8):(1,4)')
    >>> append[3]((4, 8))
    (4, 8, 1)
    """
    @overload
    def __call__(self, layout: _L, mode: _LayoutLike | None = None, *, rank: int | None = None) -> _L: ...
    @overload
    def __call__(self, layout: _LayoutLike, mode: _LayoutLike | None = None, *, rank: int | None = None) -> Any: ...
    def __getitem__(self, indices: int | tuple[int, ...], /) -> Callable[..., Any]: ...

append: _append

@final
class _prepend:
    """`prepend(L, M)`: one more mode in front, or modes up to a rank.

    Definition: (M, L0, L1, ...).
    C++ CuTe: `prepend`.
    CuTe DSL: `prepend`.
    Refuses: capacity: more than 32 leaves.

    >>> from tilework import prepend
    >>> prepend('4:1', '8:4')
    Layout('(8,4):(4,1)')
    """
    @overload
    def __call__(self, layout: _L, mode: _LayoutLike | None = None, *, rank: int | None = None) -> _L: ...
    @overload
    def __call__(self, layout: _LayoutLike, mode: _LayoutLike | None = None, *, rank: int | None = None) -> Any: ...
    def __getitem__(self, indices: int | tuple[int, ...], /) -> Callable[..., Any]: ...

prepend: _prepend

@final
class _replace:
    """`replace(L, 0, M)`: one mode exchanged for another.

    Definition: Mode i is M.
    C++ CuTe: `replace<I>`.
    Refuses: index: there is no such mode.

    >>> from tilework import replace
    >>> replace('(4,8):(1,4)', 0, '2:1')
    Layout('(2,8):(1,4)')
    """
    @overload
    def __call__(self, layout: _L, index: _IntTuple, mode: _LayoutLike | None) -> _L: ...
    @overload
    def __call__(self, layout: _LayoutLike, index: _IntTuple, mode: _LayoutLike | None) -> Any: ...
    def __getitem__(self, indices: int | tuple[int, ...], /) -> Callable[..., Any]: ...

replace: _replace

def einfold(pattern: str, value: Any, **sizes: int) -> Any:
    """`einfold("(ab)c -> cab", L)`: modes by names: reordered, regrouped, split, repeated, dropped.

    Definition: A name on the left binds a mode, or a part of an extent by its size; the right side is built of them, and modes without a name stay. In a group of a layout the first name is the fastest, as in its coordinates; of an array the last, as in einops.
    pycute: `einfold`.
    Refuses: syntax: at the byte of the pattern; pattern: a group or a size that is not that of the modes.

    >>> from tilework import einfold
    >>> einfold("(ab)cde -> c(ade)b", ((12, 4), 42, 5, 7))
    (42, (12, 5, 7), 4)
    >>> einfold("(h h2) w -> h2 (h w)", '(8,4):(4,1)', h2=2)
    Layout('(2,(4,4)):(16,(4,1))')
    """

@overload
def coalesce(layout: _L, profile: _Pattern | _LayoutLike | None = None) -> _L: ...
@overload
def coalesce(layout: _LayoutLike, profile: _Pattern | _LayoutLike | None = None) -> Any:
    """`coalesce(L)` or `coalesce(L, <_,_>)`: the same function with the fewest modes, or mode by mode.

    Definition: The layout of fewest modes with L'(i) = L(i) for every index (3.2).
    C++ CuTe: `coalesce`.
    CuTe DSL: `coalesce`.
    pycute: `coalesce`.

    >>> from tilework import coalesce
    >>> coalesce('(2,(1,6)):(1,(6,2))')
    Layout('12:1')
    >>> coalesce('((2,2),(2,2)):((1,2),(4,8))', '<_,_>')
    Layout('(4,4):(1,4)')
    """

@overload
def coalesce_extended(layout: _L) -> _L: ...
@overload
def coalesce_extended(layout: _LayoutLike) -> Any:
    """`coalesce_extended(L)`: the fewest modes of the same function on all integers.

    Definition: The layout of fewest modes with L'(i) = L(i) for every integer i, also out of bounds (3.2).

    >>> from tilework import coalesce_extended
    >>> coalesce_extended('(4,1):(1,7)')
    Layout('(4,1):(1,7)')
    """

def filter(layout: _LayoutLike, profile: _Pattern | _LayoutLike | None = None) -> Layout:
    """`filter(L)` or `filter(L, <_,_>)`: coalesced without the modes of stride 0, or mode by mode.

    Definition: coalesce(filter_zeros(L)).
    C++ CuTe: `filter`.
    CuTe DSL: `filter`.
    pycute: `filter`.

    >>> from tilework import filter
    >>> filter('(4,8):(0,1)')
    Layout('8:1')
    >>> filter('(4,(2,5)):(0,(4,0))', '<_,_>')
    Layout('(1,2):(0,4)')
    """

def filter_zeros(layout: _LayoutLike) -> Layout:
    """`filter_zeros(L)`: extent 1 wherever the stride is 0.

    Definition: Extent 1 for each mode of stride 0.
    C++ CuTe: `filter_zeros`.
    CuTe DSL: `filter_zeros`.

    >>> from tilework import filter_zeros
    >>> filter_zeros('(4,8):(0,1)')
    Layout('(1,8):(0,1)')
    """

def sort(layout: _LayoutLike) -> Layout:
    """`sort(L)`: the leaves by ascending stride.

    Definition: The leaves in the order of their strides.
    C++ CuTe: `sort`.

    >>> from tilework import sort
    >>> sort('(4,8):(8,1)')
    Layout('(8,4):(1,8)')
    """

def to_layout(layout: _LayoutLike) -> Layout:
    """`to_layout(L)`: the layout equal to a swizzled layout, with integer strides if possible, otherwise with XOR strides.

    Definition: The layout L with L(i) = F(i) for every index of the swizzled layout F.
    Refuses: not-xor-linear, carryless-scale, shape-divisibility: no layout is this function.

    >>> from tilework import to_layout
    >>> to_layout('Sw<2,0,2> o (4,4):(1,4)')
    Layout('(4,4):(^1,^5)')
    """

def to_view(layout: _LayoutLike) -> View:
    """`to_view(L)`: the layout with an offset that is equal to a swizzled layout.

    Definition: {F(0)} o L with F(i) = F(0) + L(i), or with XOR strides F(0) ^ L(i), for every index of the swizzled layout F.
    Refuses: not-xor-linear, carryless-scale, shape-divisibility: no layout with an offset is this function.

    >>> from tilework import to_view
    >>> to_view('Sw<2,0,2> o 20 o 4:1')
    View('{21} o 4:^1')
    >>> to_view('Sw<3,3,3> o 64 o 64:1')
    View('{72} o 64:^1')
    """

def to_xor(layout: _LayoutLike) -> Layout:
    """`to_xor(L)`: the same function with XOR strides.

    Definition: The layout with strides ^d that is the same function; a swizzle acts on each column (2.4.4).
    Refuses: not-xor-linear, carryless-scale, shape-divisibility: sums of the strides carry.

    >>> from tilework import to_xor
    >>> to_xor('Sw<2,0,2> o (4,4):(1,4)')
    Layout('(4,4):(^1,^5)')
    >>> to_xor('(4,8):(8,1)')
    Layout('(4,8):(^8,^1)')
    """

def to_swizzle(layout: _LayoutLike) -> Any:
    """`to_swizzle(L)`: the same function as a swizzle over integer strides.

    Definition: Sw o 0 o L' with integer strides and the same offsets, for the smallest field that does.
    Refuses: swizzle: no swizzle does; argument: offsets below 0.

    >>> from tilework import to_swizzle
    >>> to_swizzle('(4,4):(^1,^5)')
    ComposedLayout('Sw<2,0,2> o 0 o (4,4):(1,4)')
    """

def linear_form(layout: _LayoutLike) -> Any:
    """`linear_form(L)`: the rows of the matrix that takes a natural coordinate to its offset; of XOR strides the matrix over F2, of bits.

    Definition: The matrix D with L(c) = D c for the natural coordinate c (2.4.4, table 1).
    Refuses: capacity: more than 32 entries.

    >>> from tilework import linear_form
    >>> linear_form('(4,(4,2)):(1@1,(1@0,6@1))')
    ((0, 1, 0), (1, 0, 6))
    >>> linear_form('((2,2),(4,2)):((1,8),(2,16))')
    (1, 8, 2, 16)
    >>> linear_form('(4,4):(^1,^5)')
    ((1, 0, 1, 0), (0, 1, 0, 1), (0, 0, 1, 0), (0, 0, 0, 1))
    """

def bit_matrix(layout: _LayoutLike) -> Any:
    """`bit_matrix(L)`: the columns of the matrix over F2 from the bits of an index to those of its offset, as numbers.

    Definition: Column k is L(2^k); L(i) is the XOR of the columns at the bits of i (2.4.4).
    Refuses: not-xor-linear: sums of the strides carry; argument: a size that is not a power of two.

    >>> from tilework import bit_matrix
    >>> bit_matrix('(4,4):(^1,^5)')
    (1, 2, 5, 10)
    >>> bit_matrix('(4,8):(8,1)')
    (8, 16, 1, 2, 4)
    """

def bit_rank(layout: _LayoutLike) -> int:
    """`bit_rank(L)`: the rank of that matrix; there are 2^rank offsets.

    Definition: The dimension of the span of the columns over F2.
    Refuses: as for bit_matrix.

    >>> from tilework import bit_rank
    >>> bit_rank('(4,4):(^1,^5)')
    4
    """

def bit_layout(columns: _IntTuple) -> Layout:
    """`bit_layout(columns)`: the layout whose matrix over F2 has these columns.

    Definition: L(i) is the XOR of the columns at the bits of i, in the fewest modes.
    Refuses: capacity: more than 63 columns.

    >>> from tilework import bit_layout
    >>> bit_layout((1, 2, 5, 10))
    Layout('(4,4):(^1,^5)')
    """

@overload
def composition(left: _L, right: _LayoutLike | _TilerLike) -> _L: ...
@overload
def composition(left: _LayoutLike, right: _LayoutLike | _TilerLike) -> Any:
    """`composition(A, B)`: the layout c -> A(B(c)); with a tiler mode by mode.

    Definition: (A o B)(c) = A(B(c)) for every coordinate of B, and B's shape refined (3.3); of a tiler mode by mode (3.3.5).
    C++ CuTe: `composition`.
    CuTe DSL: `composition`.
    pycute: `composition`.
    Refuses: shape-divisibility: A changes its step within a leaf of B (equation 21); carry: leaves of B together pass a mode of A (equation 23).

    >>> from tilework import composition
    >>> composition('(8,8):(8,1)', '((4,8),2):((16,1),8)')
    Layout('((4,8),2):((2,8),1)')
    >>> composition('(8,8):(8,1)', (2, 4))
    Layout('(2,4):(8,1)')
    """

def complement(layout: _LayoutLike, within: _IntTuple | None = None) -> Layout:
    """`complement(L)` or `complement(L, M)` or `complement(L, <_,_>)`: the layout of the offsets that L skips, up to M, or mode by mode.

    Definition: The layout L* such that (L, L*) is injective, ascending, and as large as M allows (3.5.1).
    C++ CuTe: `complement`.
    CuTe DSL: `complement`.
    pycute: `complement`.
    Refuses: overlap: modes of L overlap; gap: a gap that is not a multiple.

    >>> from tilework import complement
    >>> complement('4:2', 24)
    Layout('(2,3):(1,8)')
    >>> complement('(8,16):(20,1)', '<_,_>')
    Layout('((20,1),1):((1,160),16)')
    """

def right_inverse(layout: _LayoutLike, profile: _Pattern | _LayoutLike | None = None) -> Layout:
    """`right_inverse(L)` or `right_inverse(L, <_,_>)`: the largest R with L(R(i)) = i, or mode by mode.

    Definition: L(R(i)) = i for every i below size(R), and size(R) as large as possible (3.4.1).
    C++ CuTe: `right_inverse`.
    CuTe DSL: `right_inverse`.
    pycute: `right_inverse`.
    Refuses: undecided: L overlaps itself, past a budget.

    >>> from tilework import right_inverse
    >>> right_inverse('(4,8):(8,1)')
    Layout('(8,4):(4,1)')
    >>> right_inverse('{8} o (8,2):(1,-8)')
    View('{8} o (8,2):(1,-8)')
    >>> right_inverse('Sw<2,0,2> o (4,4):(1,4)')
    Layout('(4,4):(^1,^5)')
    """

def left_inverse(layout: _LayoutLike, profile: _Pattern | _LayoutLike | None = None) -> Layout:
    """`left_inverse(L)` or `left_inverse(L, <_,_>)`: an R with L(R(L(i))) = L(i), or mode by mode.

    Definition: L(R(L(i))) = L(i); R(L(i)) = i where L is injective (3.4.3, equation 26).
    C++ CuTe: `left_inverse`.
    CuTe DSL: `left_inverse`.
    pycute: `left_inverse`.
    Refuses: no-inverse: there is none; undecided: past a budget.

    >>> from tilework import left_inverse
    >>> left_inverse('(3,4):(1,4)')
    Layout('(4,4):(1,3)')
    """

def inverse(layout: _LayoutLike) -> Layout:
    """`inverse(L)`: the inverse of a compact layout.

    Definition: L(R(k)) = k and R(L(i)) = i for every k and i below the size; for coordinates, for every k of a shape.
    Refuses: no-inverse: an offset is missing, or two coordinates have the same.

    >>> from tilework import inverse
    >>> inverse('(4,8):(8,1)')
    Layout('(8,4):(4,1)')
    """

def nullspace(layout: _LayoutLike) -> Layout:
    """`nullspace(L)`: the coordinates whose offset is 0.

    Definition: An injective N whose offsets are all c with L(c) = 0.
    C++ CuTe: `nullspace`.
    Refuses: no-inverse: these c are the offsets of no layout; undecided: past a budget.

    >>> from tilework import nullspace
    >>> nullspace('(4,8):(0,1)')
    Layout('4:1')
    """

@overload
def logical_divide(layout: _L, tiler: _TilerLike) -> _L: ...
@overload
def logical_divide(layout: _LayoutLike, tiler: _TilerLike) -> Any:
    """`logical_divide(L, T)`: each mode split into (tile, rest).

    Definition: A o (B, B*), where B* is complement(B, size(A)) (3.5.2); of a tiler mode by mode.
    C++ CuTe: `logical_divide`.
    CuTe DSL: `logical_divide`.
    pycute: `logical_divide`.
    Refuses: those of complement and composition.

    >>> from tilework import logical_divide
    >>> logical_divide('16:1', 4)
    Layout('(4,4):(1,4)')
    """

@overload
def zipped_divide(layout: _L, tiler: _TilerLike) -> _L: ...
@overload
def zipped_divide(layout: _LayoutLike, tiler: _TilerLike) -> Any:
    """`zipped_divide(L, T)`: ((tiles), (rests)).

    Definition: logical_divide by mode, then all tiles in one mode and all rests in another (3.5.2).
    C++ CuTe: `zipped_divide`.
    CuTe DSL: `zipped_divide`.
    pycute: `zipped_divide`.
    Refuses: those of logical_divide.

    >>> from tilework import zipped_divide
    >>> zipped_divide('(4,8):(8,1)', (2, 4))
    Layout('((2,4),(2,2)):((8,1),(16,4))')
    """

@overload
def tiled_divide(layout: _L, tiler: _TilerLike) -> _L: ...
@overload
def tiled_divide(layout: _LayoutLike, tiler: _TilerLike) -> Any:
    """`tiled_divide(L, T)`: ((tiles), rest, rest, ...).

    Definition: zipped_divide with the mode of the rests taken apart.
    C++ CuTe: `tiled_divide`.
    CuTe DSL: `tiled_divide`.
    pycute: `tiled_divide`.
    Refuses: those of logical_divide.

    >>> from tilework import tiled_divide
    >>> tiled_divide('(4,8):(8,1)', (2, 4))
    Layout('((2,4),2,2):((8,1),16,4)')
    """

@overload
def flat_divide(layout: _L, tiler: _TilerLike) -> _L: ...
@overload
def flat_divide(layout: _LayoutLike, tiler: _TilerLike) -> Any:
    """`flat_divide(L, T)`: (tile, tile, ..., rest, rest, ...).

    Definition: zipped_divide with both modes taken apart.
    C++ CuTe: `flat_divide`.
    CuTe DSL: `flat_divide`.
    Refuses: those of logical_divide.

    >>> from tilework import flat_divide
    >>> flat_divide('(4,8):(8,1)', (2, 4))
    Layout('(2,4,2,2):(8,1,16,4)')
    """

def local_tile(layout: _LayoutLike, tiler: _TilerLike, pattern: _Pattern | str, projection: _Pattern | None = None) -> Any:
    """`local_tile(L, T, c)` or `local_tile(L, T, c, (1,_,1))`: one tile, or with `_` in the coordinate several tiles; a projection takes the modes of T and c where it has no `_`.

    Definition: flat_divide(L, T) sliced at its rests, or at all of them by one index (2.5.1).
    C++ CuTe: `local_tile`.
    CuTe DSL: `local_tile`.
    Refuses: those of logical_divide; out-of-bounds: there is no such tile.

    >>> from tilework import local_tile
    >>> local_tile('(8,16):(16,1)', (4, 8), (1, 1))
    View('{72} o (4,8):(16,1)')
    >>> local_tile('(8,16):(16,1)', (4, 8), (1, None))
    View('{64} o (4,8,2):(16,1,8)')
    >>> local_tile('(8,16):(16,1)', (4, 2, 8), (1, 0, None), (1, None, 1))
    View('{64} o (4,8,2):(16,1,8)')
    """

def local_partition(layout: _LayoutLike, thr_layout: _LayoutLike, index: _IntTuple, projection: _Pattern | None = None) -> Any:
    """`local_partition(L, T, i)` or `local_partition(L, T, i, (1,_,1))`: the elements of a thread: in each tile of the shape of T the one where T is i; a projection takes the modes of T where it has no `_`.

    Definition: tiled_divide(L, shape(T)) sliced at the coordinate of the tile that T maps to i (2.5.1).
    C++ CuTe: `local_partition`.
    CuTe DSL: `local_partition`.
    Refuses: those of logical_divide; argument: no thread has this index.

    >>> from tilework import local_partition
    >>> local_partition('(8,16):(16,1)', '(4,8):(8,1)', 9)
    View('{17} o (2,2):(64,8)')
    """

@overload
def logical_product(layout: _L, tiler: _TilerLike) -> _L: ...
@overload
def logical_product(layout: _LayoutLike, tiler: _TilerLike) -> Any:
    """`logical_product(L, T)`: L repeated by T, each mode as (L, repetition).

    Definition: (A, A* o B), where A* is complement(A) (3.5.1); of a tiler mode by mode.
    C++ CuTe: `logical_product`.
    CuTe DSL: `logical_product`.
    pycute: `logical_product`.
    Refuses: those of complement and composition.

    >>> from tilework import logical_product
    >>> logical_product('4:1', 3)
    Layout('(4,3):(1,4)')
    """

@overload
def zipped_product(layout: _L, tiler: _TilerLike) -> _L: ...
@overload
def zipped_product(layout: _LayoutLike, tiler: _TilerLike) -> Any:
    """`zipped_product(L, T)`: ((L), (repetitions)).

    Definition: logical_product by mode, then all of A in one mode and all repetitions in another.
    C++ CuTe: `zipped_product`.
    CuTe DSL: `zipped_product`.
    pycute: `zipped_product`.
    Refuses: those of logical_product.

    >>> from tilework import zipped_product
    >>> zipped_product('4:1', 3)
    Layout('(4,3):(1,4)')
    """

@overload
def tiled_product(layout: _L, tiler: _TilerLike) -> _L: ...
@overload
def tiled_product(layout: _LayoutLike, tiler: _TilerLike) -> Any:
    """`tiled_product(L, T)`: ((L), repetition, repetition, ...).

    Definition: zipped_product with the mode of the repetitions taken apart.
    C++ CuTe: `tiled_product`.
    CuTe DSL: `tiled_product`.
    pycute: `tiled_product`.
    Refuses: those of logical_product.

    >>> from tilework import tiled_product
    >>> tiled_product('4:1', 3)
    Layout('(4,3):(1,4)')
    """

@overload
def flat_product(layout: _L, tiler: _TilerLike) -> _L: ...
@overload
def flat_product(layout: _LayoutLike, tiler: _TilerLike) -> Any:
    """`flat_product(L, T)`: (mode, mode, ..., repetition, repetition, ...).

    Definition: zipped_product with both modes taken apart.
    C++ CuTe: `flat_product`.
    CuTe DSL: `flat_product`.
    Refuses: those of logical_product.

    >>> from tilework import flat_product
    >>> flat_product('4:1', 3)
    Layout('(4,3):(1,4)')
    """

@overload
def blocked_product(layout: _L, grid: _LayoutLike) -> _L: ...
@overload
def blocked_product(layout: _LayoutLike, grid: _LayoutLike) -> Any:
    """`blocked_product(L, M)`: copies of L side by side, mode by mode.

    Definition: logical_product with modes ((A0,B0),(A1,B1),...) (3.5.3).
    C++ CuTe: `blocked_product`.
    CuTe DSL: `blocked_product`.
    Refuses: those of logical_product.

    >>> from tilework import blocked_product
    >>> blocked_product('(2,2):(1,2)', '(2,3):(1,2)')
    Layout('((2,2),(2,3)):((1,4),(2,8))')
    """

@overload
def raked_product(layout: _L, grid: _LayoutLike) -> _L: ...
@overload
def raked_product(layout: _LayoutLike, grid: _LayoutLike) -> Any:
    """`raked_product(L, M)`: copies of L interleaved, mode by mode.

    Definition: logical_product with modes ((B0,A0),(B1,A1),...) (3.5.3).
    C++ CuTe: `raked_product`.
    CuTe DSL: `raked_product`.
    Refuses: those of logical_product.

    >>> from tilework import raked_product
    >>> raked_product('(2,2):(1,2)', '(2,3):(1,2)')
    Layout('((2,2),(3,2)):((4,1),(8,2))')
    """

@overload
def tile_to_shape(layout: _L, shape: _LayoutLike, order: _IntTuple | None = None) -> _L: ...
@overload
def tile_to_shape(layout: _LayoutLike, shape: _LayoutLike, order: _IntTuple | None = None) -> Any:
    """`tile_to_shape(L, S)` or `tile_to_shape(L, S, order)`: L repeated until it fills a shape.

    Definition: blocked_product with the grid that fills S, in the order of the modes.
    C++ CuTe: `tile_to_shape`.
    CuTe DSL: `tile_to_shape`.
    Refuses: divisibility: the tile does not divide the shape.

    >>> from tilework import tile_to_shape
    >>> tile_to_shape('(2,2):(1,2)', (4, 6))
    Layout('((2,2),(2,3)):((1,4),(2,8))')
    """

@final
class _upcast:
    """`upcast(L, 2)`: counted in larger elements.

    Definition: The wide elements floor(L(c) / n) that are touched; of a swizzle the base less log2(n).
    C++ CuTe: `upcast<N>`.
    Refuses: divisibility: steps are uneven in elements of n, or a swizzle keeps fewer than n together; size: modes together reach further.

    >>> from tilework import upcast
    >>> upcast('(8,4):(1,8)', 4)
    Layout('(2,4):(1,2)')
    >>> upcast[2]('Sw<3,4,3> o (8,128):(128,1)')
    ComposedLayout('Sw<3,3,3> o 0 o (8,64):(64,1)')
    """
    @overload
    def __call__(self, layout: _L, count: int) -> _L: ...
    @overload
    def __call__(self, layout: _LayoutLike, count: int) -> Any: ...
    def __getitem__(self, indices: int | tuple[int, ...], /) -> Callable[..., Any]: ...

upcast: _upcast

@final
class _downcast:
    """`downcast(L, 2)`: counted in smaller elements.

    Definition: Each offset becomes n neighbouring ones; of a swizzle the base plus log2(n).
    C++ CuTe: `downcast<N>`.
    Refuses: argument: no mode of stride 1 or extent 1 to split.

    >>> from tilework import downcast
    >>> downcast('(2,4):(1,2)', 4)
    Layout('(8,4):(1,8)')
    """
    @overload
    def __call__(self, layout: _L, count: int) -> _L: ...
    @overload
    def __call__(self, layout: _LayoutLike, count: int) -> Any: ...
    def __getitem__(self, indices: int | tuple[int, ...], /) -> Callable[..., Any]: ...

downcast: _downcast

@final
class _recast:
    """`recast(L, 16, 8)`: counted in elements of another number of bits.

    Definition: downcast, then upcast, by the widths without their common divisor.
    C++ CuTe: `recast_layout<Old,New>`.
    CuTe DSL: `recast_layout`.
    Refuses: those of upcast and downcast.

    >>> from tilework import recast
    >>> recast('(8,4):(1,8)', 8, 32)
    Layout('(2,4):(1,2)')
    """
    @overload
    def __call__(self, layout: _L, old_bits: int, new_bits: int) -> _L: ...
    @overload
    def __call__(self, layout: _LayoutLike, old_bits: int, new_bits: int) -> Any: ...
    def __getitem__(self, indices: int | tuple[int, ...], /) -> Callable[..., Any]: ...

recast: _recast

def common_layout(layout: _LayoutLike, other: _LayoutLike) -> Layout:
    """`common_layout(A, B)`: the largest layout that A and B agree on.

    Definition: The largest R with A(R(i)) = B(R(i)) = i (3.4.2).
    Refuses: mixed-codomain: layouts of two codomains; undecided: past a budget.

    >>> from tilework import common_layout
    >>> common_layout('(4,8):(1,4)', '(4,8):(1,100)')
    Layout('4:1')
    """

def common_vector(layout: _LayoutLike, other: _LayoutLike) -> int:
    """`common_vector(A, B)`: how many elements are contiguous from offset 0 in both A and B.

    Definition: size(common_layout(A, B)) (3.4.2).
    Refuses: as for common_layout.

    >>> from tilework import common_vector
    >>> common_vector('(4,8):(1,4)', '(4,8):(1,100)')
    4
    """

def max_common_layout(layout: _LayoutLike, other: _LayoutLike) -> Layout:
    """`max_common_layout(A, B)`: the layout that A and B agree on, up to where a swizzle takes elements apart.

    Definition: common_layout without the swizzles, cut off at the elements that a swizzle keeps together, unless both have the same: 2^M, or the largest power of two that divides 2^M and the offset before it.
    C++ CuTe: `max_common_layout`.
    CuTe DSL: `max_common_layout`.
    Refuses: as for common_layout; shape-divisibility: the cut is within a mode.

    >>> from tilework import max_common_layout
    >>> max_common_layout('(64,8):(1,64)', 'Sw<3,3,3> o 0 o (64,8):(1,64)')
    Layout('8:1')
    """

def max_common_vector(layout: _LayoutLike, other: _LayoutLike) -> int:
    """`max_common_vector(A, B)`: how many elements are contiguous in memory in both A and B, wherever a vector begins.

    Definition: common_vector without the swizzles, cut off as in max_common_layout.
    C++ CuTe: `max_common_vector`.
    CuTe DSL: `max_common_vector`.
    Refuses: as for common_layout.

    >>> from tilework import max_common_vector
    >>> max_common_vector('(64,8):(1,64)', 'Sw<3,3,3> o 0 o (64,8):(1,64)')
    8
    """

def max_vector(layout: _LayoutLike, limit: int) -> int:
    """`max_vector(L, 8)`: the largest power of two, up to a limit, of elements that can be accessed at a time.

    Definition: The largest power of two w up to the limit with is_vector(L, w); of names, the one at their witness, with its condition.
    Refuses: those of is_vector.

    >>> from tilework import max_vector
    >>> max_vector('(16,4):(1,20)', 8)
    4
    """

def layout_add(layout: _LayoutLike, other: _LayoutLike) -> Layout:
    """`layout_add(A, B)`: the layout c -> A(c) + B(c).

    Definition: (A + B)(c) = A(c) + B(c).
    Refuses: size: layouts of different size; shape-divisibility: the sum is not a layout.

    >>> from tilework import layout_add
    >>> layout_add('(4,8):(1,4)', '(4,8):(10,0)')
    Layout('(4,8):(11,4)')
    """

def greatest_common_domain(layout: _LayoutLike, other: _LayoutLike) -> Any:
    """`greatest_common_domain(A, B)`: the coarsest shape on which both have a stride per mode.

    Definition: The coarsest shape on whose leaves both A and B have one stride.
    Refuses: size: layouts of different size.

    >>> from tilework import greatest_common_domain
    >>> greatest_common_domain('(4,8):(8,1)', '(4,8):(1,4)')
    (4, 8)
    """

def congruent(first: _LayoutLike, second: _LayoutLike) -> bool:
    """`congruent(a, b)`: whether the nestings are the same.

    Definition: Equal nesting (2.1).
    C++ CuTe: `congruent`.

    >>> from tilework import congruent
    >>> congruent((4, (8, 2)), (0, (0, 0)))
    True
    """

def weakly_congruent(first: _LayoutLike, second: _LayoutLike) -> bool:
    """`weakly_congruent(a, b)`: whether the nesting of b refines that of a.

    Definition: Where a has a leaf, b has a leaf or a tuple (2.1).
    C++ CuTe: `weakly_congruent`.

    >>> from tilework import weakly_congruent
    >>> weakly_congruent((4, 16), (0, (0, 0)))
    True
    """

def compatible(first: _LayoutLike, second: _LayoutLike) -> bool:
    """`compatible(a, b)`: whether every coordinate of a is a coordinate of b.

    Definition: Of equal size, and each coordinate into a one into b (2.2).
    C++ CuTe: `compatible`.

    >>> from tilework import compatible
    >>> compatible((4, 16), (4, (8, 2)))
    True
    """

def equivalent(first: _LayoutLike, second: _LayoutLike) -> bool:
    """`equivalent(A, B)`: whether A and B are the same function of integers.

    Definition: A(i) = B(i) for every index, and sizes are equal, whatever swizzle or offset is before the layouts.

    >>> from tilework import equivalent
    >>> equivalent('(2,4):(1,2)', '8:1')
    True
    """

def is_injective(layout: _LayoutLike) -> bool:
    """`is_injective(L)`: whether no two coordinates share an offset.

    Definition: L(a) = L(b) only if a = b.
    Refuses: undecided: past a budget.

    >>> from tilework import is_injective
    >>> is_injective('(4,8):(0,1)')
    False
    """

def is_surjective(layout: _LayoutLike) -> bool:
    """`is_surjective(L)`: whether every offset from 0 to the greatest occurs.

    Definition: Every k with 0 <= k < cosize(L) is an offset, and nothing else.
    Refuses: codomain: rational and coordinate offsets have no order.

    >>> from tilework import is_surjective
    >>> is_surjective('(4,8):(8,1)')
    True
    """

def is_bijective(layout: _LayoutLike) -> bool:
    """`is_bijective(L)`: whether the indices and the offsets below cosize are one to one.

    Definition: Injective and surjective.
    Refuses: codomain: rational and coordinate offsets have no order.

    >>> from tilework import is_bijective
    >>> is_bijective('(4,8):(8,1)')
    True
    """

def is_compact(layout: _LayoutLike) -> bool:
    """`is_compact(L)`: whether the offsets are [0, size), each once.

    Definition: The offsets are 0, ..., size-1, each once (3.4.1).
    Refuses: codomain: rational and coordinate offsets have no order.

    >>> from tilework import is_compact
    >>> is_compact('(4,8):(8,1)')
    True
    """

def is_increasing(layout: _LayoutLike) -> bool:
    """`is_increasing(L)`: whether offsets grow with the coordinate.

    Definition: L(i) < L(i+1) for every index.
    Refuses: codomain: only integers are in order.

    >>> from tilework import is_increasing
    >>> is_increasing('(4,8):(8,1)')
    False
    """

def is_contiguous(layout: _LayoutLike) -> bool:
    """`is_contiguous(L)`: whether the elements are in the order of the coordinates, L(i) = i.

    Definition: L(i) = i for every index: coalesce(L) = size:1.

    >>> from tilework import is_contiguous
    >>> is_contiguous('(4,8):(1,4)')
    True
    >>> is_contiguous('(4,8):(8,1)')
    False
    """

def fits(layout: _LayoutLike, bits: int | None) -> bool:
    """`fits(L, bits)`: whether offsets fit a signed integer: 31 for int32.

    Definition: -2^bits <= L(c) < 2^bits for all coordinates c in bounds.
    Refuses: codomain: rational and coordinate offsets have no order; fact: a stride of unknown sign.

    >>> from tilework import fits
    >>> fits('(4096,4096):(1,4096)', 31)
    True
    """

def is_vector(layout: _LayoutLike, width: int) -> bool:
    """`is_vector(L, 8)`: whether this many elements can be accessed at a time, from an aligned base.

    Definition: coalesce(L) has a mode of stride 1; its extent, all other strides, the offset, and 2^base of a swizzle are multiples of the width.
    Refuses: codomain: rational and coordinate offsets are not elements.

    >>> from tilework import is_vector
    >>> is_vector('(8,4):(1,16)', 8)
    True
    """

def is_disjoint(first: _LayoutLike, second: _LayoutLike) -> bool:
    """`is_disjoint(A, B)`: whether A and B have no offset in common.

    Definition: A(a) != B(b) for all a, b: the images do not intersect.
    Refuses: codomain: coordinate offsets are not memory; undecided: past a budget.

    >>> from tilework import is_disjoint
    >>> is_disjoint('{0} o (4,8):(16,2)', '{1} o (4,8):(16,2)')
    True
    >>> is_disjoint('(4,8):(16,2)', '{5} o 4:1')
    False
    """

def is_composable(left: _LayoutLike, right: _LayoutLike | _TilerLike) -> bool:
    """`is_composable(A, B)`: whether A o B is a layout.

    Definition: Whether composition(A, B) is a layout (3.3.2).
    Refuses: undecided, capacity: past a budget.

    >>> from tilework import is_composable
    >>> is_composable('(4,6,8):(2,3,5)', '6:3')
    False
    """

def is_complementable(layout: _LayoutLike, within: _IntTuple | None = None) -> bool:
    """`is_complementable(L)` or `is_complementable(L, M)`: whether L has a complement, up to M.

    Definition: Whether complement(L), or complement(L, M), is a layout (3.5.1).
    Refuses: undecided, capacity: past a budget.

    >>> from tilework import is_complementable
    >>> is_complementable('(2,2):(2,3)')
    False
    >>> is_complementable('4:2', 24)
    True
    """

def admits(layout: _LayoutLike, other: _LayoutLike) -> bool:
    """`admits(A, T)`: whether a layout has all offsets that an instruction accesses.

    Definition: For every i there is a c with T(i) = A(c) (3.4.4); of a copy atom X to or from tensor memory, T is X.memory.
    Refuses: codomain: offsets that are not integers; undecided: past a budget.

    >>> from tilework import admits
    >>> admits('(128,64):(16384,1)', '(2,128):(1,16384)')
    True
    >>> admits('(128,1):(16384,0)', '(2,128):(1,16384)')
    False
    """

def is_sorted(layout: _LayoutLike) -> bool:
    """`is_sorted(L)`: whether the leaves are in the order of sort.

    Definition: Strides ascend by magnitude, and extents where strides are equal.

    >>> from tilework import is_sorted
    >>> is_sorted('(2,4):(1,2)')
    True
    >>> is_sorted('(4,8):(8,1)')
    False
    """

def is_left_divisible(shape: _LayoutLike, divisor: _IntTuple) -> bool:
    """`is_left_divisible(S, d)`: whether a step of d divides modes out from the left, the last of them evenly.

    Definition: d = s0 ... s(i-1) c, where c divides si, and is less than si unless that is the last extent.

    >>> from tilework import is_left_divisible
    >>> is_left_divisible((4, 6), 8)
    True
    >>> is_left_divisible((4, 6), 6)
    False
    """

def is_weakly_left_divisible(shape: _LayoutLike, divisor: _IntTuple) -> bool:
    """`is_weakly_left_divisible(S, d)`: whether d coordinates are whole modes from the left and a part of one.

    Definition: d = s0 ... s(i-1) c, where c is less than si, or at most the last extent.

    >>> from tilework import is_weakly_left_divisible
    >>> is_weakly_left_divisible((4, 6), 16)
    True
    >>> is_weakly_left_divisible((4, 6), 6)
    False
    """

def atom(name: Instruction | str, bits: int | None = None) -> Instruction:
    """`atom(NAME)` or `atom(NAME, bits)`: an instruction by CuTe's name, a copy in elements of that many bits; .a .b .c or .src .dst are its layouts.

    Definition: The layouts of threads and values that an instruction prescribes.
    C++ CuTe: `MMA_Atom, Copy_Atom`.
    CuTe DSL: `make_mma_atom, make_copy_atom`.
    Refuses: name: no instruction of this name.

    >>> from tilework import atom
    >>> atom('SM80_16x8x16_F32F16F16F32_TN')
    parse('atom(SM80_16x8x16_F32F16F16F32_TN)')
    >>> atom('SM80_16x8x16_F32F16F16F32_TN').c
    Layout('((4,8),(2,2)):((32,1),(16,8))')
    >>> atom('SM75_U32x4_LDSM_N', 16).dst
    Layout('(32,(2,4)):(2,(1,64))')
    """

def tiled_mma(atom: Instruction | str, atoms: _LayoutLike | None = None, permutation: _TilerLike | None = None) -> Instruction:
    """`tiled_mma(X, L)` or `tiled_mma(X, L, T)`: the MMA atom X repeated along (M,N,K) by L, tensors first permuted by T; .a .b .c are thread-value layouts.

    Definition: The atom repeated over threads, values permuted by T.
    C++ CuTe: `make_tiled_mma, TiledMMA`.
    CuTe DSL: `make_tiled_mma`.
    Refuses: those of the products and divides.

    >>> from tilework import tiled_mma
    >>> tiled_mma('atom(SM80_16x8x16_F32F16F16F32_TN)', (2, 2, 1))
    parse('tiled_mma(atom(SM80_16x8x16_F32F16F16F32_TN), (2,2,1):(1,2,0))')
    >>> tiled_mma('atom(SM80_16x8x16_F32F16F16F32_TN)', (2, 2, 1)).shape
    (32, 16, 16)
    """

def tiled_copy(atom: Instruction | str, thr_layout: _LayoutLike, val_layout: _LayoutLike | _TilerLike) -> Instruction:
    """`tiled_copy(X, L, M)` or `tiled_copy(X, L, T)`: the copy atom X with threads L and values M of each, or with thread-value layout L of tile T; .src .dst are thread-value layouts.

    Definition: The copy atom over a layout of threads and of values of each.
    C++ CuTe: `make_tiled_copy, TiledCopy`.
    CuTe DSL: `make_tiled_copy_tv, make_tiled_copy`.
    Refuses: those of the products and divides.

    >>> from tilework import tiled_copy
    >>> tiled_copy('atom(SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, 16)', '(16,8):(8,1)', '(1,8):(0,1)').src
    Layout('((8,16),(8,1)):((128,1),(16,0))')
    """

def make_tiled_copy_A(atom: Instruction | str, mma: Instruction | str) -> Instruction:
    """`make_tiled_copy_A(X, mma)`: the copy atom X for the elements of A that the threads of a tiled MMA have.

    Definition: tiled_copy(X, mma.a, <M,K>) of the tile of the MMA.
    C++ CuTe: `make_tiled_copy_A`.
    CuTe DSL: `make_tiled_copy_A`.
    Refuses: those of tiled_copy.

    >>> from tilework import make_tiled_copy_A
    >>> make_tiled_copy_A('atom(SM75_U32x4_LDSM_N, 16)', 'tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,1,1))').shape
    (32, 16)
    """

def make_tiled_copy_B(atom: Instruction | str, mma: Instruction | str) -> Instruction:
    """`make_tiled_copy_B(X, mma)`: the copy atom X for the elements of B that the threads of a tiled MMA have.

    Definition: tiled_copy(X, mma.b, <N,K>) of the tile of the MMA.
    C++ CuTe: `make_tiled_copy_B`.
    CuTe DSL: `make_tiled_copy_B`.
    Refuses: those of tiled_copy.

    >>> from tilework import make_tiled_copy_B
    >>> make_tiled_copy_B('atom(SM75_U32x2_LDSM_N, 16)', 'tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,1,1))').shape
    (8, 16)
    """

def make_tiled_copy_C(atom: Instruction | str, mma: Instruction | str) -> Instruction:
    """`make_tiled_copy_C(X, mma)`: the copy atom X for the elements of C that the threads of a tiled MMA have.

    Definition: tiled_copy(X, mma.c, <M,N>) of the tile of the MMA.
    C++ CuTe: `make_tiled_copy_C`.
    CuTe DSL: `make_tiled_copy_C`.
    Refuses: those of tiled_copy.

    >>> from tilework import make_tiled_copy_C
    >>> make_tiled_copy_C('atom(UniversalCopy<uint32_t>, 32)', 'tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,1,1))').shape
    (32, 8)
    """

def owner(instruction: Instruction | str, operand: _IntTuple | str, coordinate: _IntTuple | str | None = None) -> Any:
    """`owner(X, .c, e)` or `owner(L, e)`: which thread has an element of an operand, or of the thread-value layout L, as which value: (thread,value), or all of them.

    Definition: The coordinates (t,v) with L(t,v) = e, or X.c(t,v) = i + M j; (i,k) of .a, (j,k) of .b, an element of .src and .dst.
    Refuses: arguments: no such operand, or an element outside it; limit: more than 4194304 threads times values.

    >>> from tilework import owner
    >>> owner('atom(SM80_16x8x16_F32F16F16F32_TN)', '.c', (5, 3))
    (21, 1)
    >>> owner('tiled_mma(atom(SM80_16x8x16_F32F16F16F32_TN), (2,2,1))', '.a', (20, 3))
    ((49, 1), (113, 1))
    >>> owner('((4,8),(2,2)):((32,1),(16,8))', 53)
    (21, 1)
    """

def element(instruction: Instruction | str, operand: _IntTuple | str, coordinate: _IntTuple | str) -> Any:
    """`element(X, .c, tv)`: the element of an operand that a thread has as a value.

    Definition: The coordinate of the index X.c(t,v).
    Refuses: arguments: no such operand, or a thread or value that it does not have.

    >>> from tilework import element
    >>> element('atom(SM80_16x8x16_F32F16F16F32_TN)', '.c', (21, 1))
    (5, 3)
    """

def get_slice(tiled: Instruction | str, index: _IntTuple) -> Instruction:
    """`get_slice(tiled, t)`: thread t of a tiled MMA or copy, also X.get_slice(t).

    Definition: The thread whose part partition_A and its like take.
    C++ CuTe: `get_slice, get_thread_slice`.
    CuTe DSL: `get_slice`.
    Refuses: argument: no such thread.

    >>> from tilework import get_slice
    >>> get_slice('tiled_mma(atom(SM80_16x8x16_F32F16F16F32_TN))', 5)
    parse('get_slice(tiled_mma(atom(SM80_16x8x16_F32F16F16F32_TN), (1,1,1):(0,0,0)), 5)')
    """

def thrfrg_A(tiled: Instruction | str, layout: _LayoutLike) -> Layout:
    """`thrfrg_A(mma, L)`: A, of (M,K,...), by threads and values of a tiled MMA.

    Definition: ((ThrV,(ThrM,ThrK)),(FrgV,(RestM,RestK,...))).
    C++ CuTe: `thrfrg_A`.
    Refuses: those of the divides.

    >>> from tilework import thrfrg_A
    >>> thrfrg_A('tiled_mma(atom(SM80_8x8x4_F64F64F64F64_TN))', (16, 4))
    Layout('(((4,8),(1,1)),(1,(2,1))):(((16,1),(0,0)),(0,(8,0)))')
    """

def thrfrg_B(tiled: Instruction | str, layout: _LayoutLike) -> Layout:
    """`thrfrg_B(mma, L)`: B, of (N,K,...), by threads and values of a tiled MMA.

    Definition: ((ThrV,(ThrN,ThrK)),(FrgV,(RestN,RestK,...))).
    C++ CuTe: `thrfrg_B`.
    Refuses: those of the divides.

    >>> from tilework import thrfrg_B
    >>> thrfrg_B('tiled_mma(atom(SM80_8x8x4_F64F64F64F64_TN))', (8, 4))
    Layout('(((4,8),(1,1)),(1,(1,1))):(((8,1),(0,0)),(0,(0,0)))')
    """

def thrfrg_C(tiled: Instruction | str, layout: _LayoutLike) -> Layout:
    """`thrfrg_C(mma, L)`: C, of (M,N,...), by threads and values of a tiled MMA.

    Definition: ((ThrV,(ThrM,ThrN)),(FrgV,(RestM,RestN,...))).
    C++ CuTe: `thrfrg_C`.
    Refuses: those of the divides.

    >>> from tilework import thrfrg_C
    >>> thrfrg_C('tiled_mma(atom(SM80_8x8x4_F64F64F64F64_TN))', (8, 8))
    Layout('(((4,8),(1,1)),(2,(1,1))):(((16,1),(0,0)),(8,(0,0)))')
    """

def tidfrg_S(tiled: Instruction | str, layout: _LayoutLike) -> Layout:
    """`tidfrg_S(copy, L)`: a source by threads and values of a tiled copy.

    Definition: (Thr,(FrgV,(Rest...))).
    C++ CuTe: `tidfrg_S`.
    Refuses: those of the divides.

    >>> from tilework import tidfrg_S
    >>> tidfrg_S('tiled_copy(atom(UniversalCopy<uint32_t>, 32), (4,8):(8,1), (1,1))', (8, 8))
    Layout('((8,4),((1,1),(2,1))):((8,1),((0,0),(4,0)))')
    """

def tidfrg_D(tiled: Instruction | str, layout: _LayoutLike) -> Layout:
    """`tidfrg_D(copy, L)`: a destination by threads and values of a tiled copy.

    Definition: (Thr,(FrgV,(Rest...))).
    C++ CuTe: `tidfrg_D`.
    Refuses: those of the divides.

    >>> from tilework import tidfrg_D
    >>> tidfrg_D('tiled_copy(atom(UniversalCopy<uint32_t>, 32), (4,8):(8,1), (1,1))', (8, 8))
    Layout('((8,4),((1,1),(2,1))):((8,1),((0,0),(4,0)))')
    """

def retile(tiled: Instruction | str, layout: _LayoutLike) -> Layout:
    """`retile(copy, L)`: a thread's elements of another partition of the same tile, in the order of a tiled copy.

    Definition: (V,RestM,RestN,...), V in the copy's order.
    C++ CuTe: `retile, retile_S, retile_D`.
    CuTe DSL: `retile`.
    Refuses: those of the inverses and products.

    >>> from tilework import retile
    >>> retile('tiled_copy(atom(UniversalCopy<uint32_t>, 32), (4,8):(8,1), (1,2))', '(2,2,1):(1,2,0)')
    Layout('((1,2),2,1):((0,1),2,0)')
    """

def partition_A(thread: Instruction | str, layout: _LayoutLike) -> Any:
    """`partition_A(ThrMMA, L)`: the elements of A, of (M,K,...), that a thread of a tiled MMA has.

    Definition: thrfrg_A sliced at the thread: (FrgV,RestM,RestK,...).
    C++ CuTe: `partition_A`.
    CuTe DSL: `partition_A`.
    Refuses: those of thrfrg_A.

    >>> from tilework import partition_A
    >>> partition_A('get_slice(tiled_mma(atom(SM80_8x8x4_F64F64F64F64_TN)), 5)', (16, 4))
    View('{17} o (1,2,1):(0,8,0)')
    """

def partition_B(thread: Instruction | str, layout: _LayoutLike) -> Any:
    """`partition_B(ThrMMA, L)`: the elements of B, of (N,K,...), that a thread of a tiled MMA has.

    Definition: thrfrg_B sliced at the thread: (FrgV,RestN,RestK,...).
    C++ CuTe: `partition_B`.
    CuTe DSL: `partition_B`.
    Refuses: those of thrfrg_B.

    >>> from tilework import partition_B
    >>> partition_B('get_slice(tiled_mma(atom(SM80_8x8x4_F64F64F64F64_TN)), 5)', (8, 4))
    View('{9} o (1,1,1):(0,0,0)')
    """

def partition_C(thread: Instruction | str, layout: _LayoutLike) -> Any:
    """`partition_C(ThrMMA, L)`: the elements of C, of (M,N,...), that a thread of a tiled MMA has.

    Definition: thrfrg_C sliced at the thread: (FrgV,RestM,RestN,...).
    C++ CuTe: `partition_C`.
    CuTe DSL: `partition_C`.
    Refuses: those of thrfrg_C.

    >>> from tilework import partition_C
    >>> partition_C('get_slice(tiled_mma(atom(SM80_8x8x4_F64F64F64F64_TN)), 5)', (8, 8))
    View('{17} o (2,1,1):(8,0,0)')
    """

def partition_S(thread: Instruction | str, layout: _LayoutLike) -> Any:
    """`partition_S(ThrCopy, L)`: the elements that a thread of a tiled copy reads.

    Definition: tidfrg_S sliced at the thread: (FrgV,Rest...).
    C++ CuTe: `partition_S`.
    CuTe DSL: `partition_S`.
    Refuses: those of tidfrg_S.

    >>> from tilework import partition_S
    >>> partition_S('get_slice(tiled_copy(atom(UniversalCopy<uint32_t>, 32), (4,8):(8,1), (1,1)), 9)', (8, 8))
    View('{9} o ((1,1),2,1):((0,0),4,0)')
    """

def partition_D(thread: Instruction | str, layout: _LayoutLike) -> Any:
    """`partition_D(ThrCopy, L)`: the elements that a thread of a tiled copy writes.

    Definition: tidfrg_D sliced at the thread: (FrgV,Rest...).
    C++ CuTe: `partition_D`.
    CuTe DSL: `partition_D`.
    Refuses: those of tidfrg_D.

    >>> from tilework import partition_D
    >>> partition_D('get_slice(tiled_copy(atom(UniversalCopy<uint32_t>, 32), (4,8):(8,1), (1,1)), 9)', (8, 8))
    View('{9} o ((1,1),2,1):((0,0),4,0)')
    """

product = size

make_layout = layout

make_ordered_layout = ordered

make_layout_like = compact_like

make_tensor_like = compact_like

make_fragment_like = fragment_like

make_identity_layout = identity

make_identity_tensor = identity

make_layout_tv = layout_tv

make_rmem_tensor = make_fragment

product_each = mode_sizes

mode = get

group_modes = group

compose = composition

recast_layout = recast

make_mma_atom = atom

make_copy_atom = atom

make_tiled_mma = tiled_mma

make_tiled_copy = tiled_copy

make_tiled_copy_tv = tiled_copy

get_thread_slice = get_slice
