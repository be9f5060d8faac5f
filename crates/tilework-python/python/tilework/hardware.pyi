"""What hardware prescribes to layouts. Written by stubs.py."""

from collections.abc import Mapping
from typing import TypeAlias, final, overload

from . import ComposedLayout, Instruction, Layout, Tensor, Tiler, View
from . import atom, make_tiled_copy, make_tiled_copy_A, make_tiled_copy_B, make_tiled_copy_C, make_tiled_mma, tiled_copy, tiled_mma

#: Tuples of integers.
_IntTuple: TypeAlias = int | tuple["_IntTuple", ...] | list["_IntTuple"]
#: A layout; a shape stands for its compact layout, and a text for what it evaluates to.
_LayoutLike: TypeAlias = Layout | _IntTuple | str
#: The same, or a swizzled layout.
_AnyLayoutLike: TypeAlias = ComposedLayout | _LayoutLike
#: A tiler; a tuple is one by mode.
_TilerLike: TypeAlias = Tiler | Layout | int | str | None | tuple["_TilerLike", ...] | list["_TilerLike"]

__all__ = [
    "BankReport",
    "Conflict",
    "SectorReport",
    "VectorWidth",
    "banks",
    "sectors",
    "vector_width",
    "atoms",
    "Coverage",
    "Predicate",
    "cover",
    "Operand",
    "nearest",
    "operand",
    "Certificate",
    "swizzle",
    "ThreadCopy",
    "ThreadMma",
    "make_layout_tv",
    "CopyAtom",
    "MmaAtom",
    "TiledCopy",
    "TiledMma",
    "atom",
    "tiled_mma",
    "tiled_copy",
    "make_tiled_mma",
    "make_tiled_copy",
    "make_tiled_copy_A",
    "make_tiled_copy_B",
    "make_tiled_copy_C",
    "Instruction",
]

@final
class BankReport:
    """The cost of an access to banks: the result of `banks`.
    """

    @property
    def wavefronts(self) -> int:
        """Wavefronts of all warps, instructions and phases.
        """

    @property
    def ideal(self) -> int:
        """How many there would be without conflicts.
        """

    @property
    def degree(self) -> int:
        """The largest number of wavefronts of a phase.
        """

    @property
    def phases(self) -> int:
        """The number of phases.
        """

    @property
    def element_bits(self) -> int:
        """The bits of an element.
        """

    @property
    def ranks(self) -> tuple[int, int] | None:
        """The ranks over F2 of the words of a phase and of their banks; none if the wavefronts were counted.
        """

    @property
    def conflict(self) -> Conflict | None:
        """The first conflict.
        """

    @property
    def is_ideal(self) -> bool:
        """Whether there are no conflicts.
        """

    @property
    def reaches(self) -> int | None:
        """How many elements of the layout the access reaches, if not all.
        """

    @property
    def outside(self) -> int:
        """How many values of threads are outside the layout, and access nothing.
        """

    @property
    def text(self) -> str:
        """The report in one line.
        """

@final
class Conflict:
    """Lanes that access different words of a bank.
    """

    @property
    def warp(self) -> int:
        """The warp.
        """

    @property
    def instruction(self) -> int:
        """The instruction of the warp.
        """

    @property
    def phase(self) -> int:
        """The phase.
        """

    @property
    def bank(self) -> int:
        """The bank.
        """

    @property
    def words(self) -> int:
        """The words.
        """

    @property
    def lanes(self) -> list[int]:
        """The lanes.
        """

@final
class SectorReport:
    """The memory traffic of an access to global memory: the result of `sectors`.
    """

    @property
    def requests(self) -> int:
        """The instructions of all warps.
        """

    @property
    def sectors(self) -> int:
        """The sectors of 32 bytes that they move.
        """

    @property
    def ideal(self) -> int:
        """How many sectors the elements would fill.
        """

    @property
    def lines(self) -> int:
        """The lines of 128 bytes that they access.
        """

    @property
    def bits(self) -> int:
        """The bits of the elements, each counted once.
        """

    @property
    def moved(self) -> int:
        """The bits that are moved.
        """

    @property
    def element_bits(self) -> int:
        """The bits of an element.
        """

    @property
    def efficiency(self) -> float:
        """The fraction of the moved bits that is used.
        """

    @property
    def reaches(self) -> int | None:
        """How many elements of the layout the access reaches, if not all.
        """

    @property
    def outside(self) -> int:
        """How many values of threads are outside the layout, and access nothing.
        """

    @property
    def text(self) -> str:
        """The report in one line.
        """

@final
class VectorWidth:
    """The widest vector between two layouts: the result of `vector_width`.
    """

    @property
    def elements(self) -> int:
        """The number of elements.
        """

    @property
    def bits(self) -> int:
        """Their total bits.
        """

    @property
    def element_bits(self) -> int:
        """The bits of one.
        """

    @property
    def coordinates(self) -> Layout:
        """From contiguous elements to coordinates of both layouts.
        """

    @property
    def limit(self) -> str:
        """What limits the width.
        """

def banks(layout: _AnyLayoutLike | Tensor, access: _LayoutLike | tuple[Instruction, str] | Instruction, *, bits: int | None = None, vector: int | None = None, phases: _LayoutLike | None = None) -> BankReport:
    """The wavefronts of an access to shared memory, and the lanes that conflict.

    `access` is a layout from threads and values to coordinates of `layout`, of which those outside access nothing; or a tiled MMA and the name of an operand,
    or a tiled copy and the name of a side, as `(copy, "src")`, whose tiles cover it; `vector` consecutive values at once,
    by default those of the atom of a copy, or one. Or it is `"ldmatrix"` or `"ldmatrix.trans"`; or `"rows"`, 16 bytes a thread.
    `bits` are those of an element, unless `layout` is a tensor. `phases` are `"nvidia"`, `"amd-read"`, `"amd-write"`, or a layout from lanes to phases.

    >>> from tilework import hardware
    >>> report = hardware.banks("(128,32):(32,1)", "ldmatrix", bits=16)
    >>> print(report)
    4-way conflict: 256 wavefronts instead of 64; lanes 0,2,4,6 access 4 words of bank 0; elements of 16 bits
    >>> report.conflict.lanes
    [0, 2, 4, 6]
    >>> hardware.banks("Sw<2,3,3> o 0 o (128,32):(32,1)", "ldmatrix", bits=16).is_ideal
    True
    >>> guarded = hardware.banks("(24,32):(32,1)", "(32,1):(1@0,1@1)", bits=32)
    >>> guarded.reaches, guarded.outside
    (24, 8)
    """

def sectors(layout: _AnyLayoutLike | Tensor, access: _LayoutLike | tuple[Instruction, str] | Instruction, *, bits: int | None = None, vector: int | None = None) -> SectorReport:
    """The sectors of global memory that an access moves; the arguments are those of `banks`.

    >>> from tilework import hardware
    >>> print(hardware.sectors("32:2", "32:1", bits=16))
    4 sectors, at best 2: 50.0 % of the bytes moved are used; requests 1, lines 1; elements of 16 bits
    >>> guarded = hardware.sectors("(48,4):(4,1)", "(64,1):(1@0,1@1)", bits=32)
    >>> guarded.reaches, guarded.outside
    (48, 16)
    """

def vector_width(layout: _AnyLayoutLike | Tensor, other: _AnyLayoutLike | Tensor, *, bits: int | None = None, align: int = 16, widest: int = 128) -> VectorWidth:
    """The most elements that can be copied at once between two layouts, plain or swizzled, or tensors, whose addresses are
    multiples of `align` bytes, by instructions of up to `widest` bits. `bits` are those of an element, unless one of the
    two is a tensor.

    >>> from tilework import hardware
    >>> width = hardware.vector_width("(4,8):(1,6)", "(4,8):(1,4)", bits=16)
    >>> print(width)
    2 elements, 32 bits, at 2:1: the stride 6 of the first allows no more; elements of 16 bits
    >>> width.elements, width.coordinates
    (2, Layout('2:1'))
    """

def atoms(filter: str = "") -> list[str]:
    """The names of the known instructions of which the name or the instruction contains each word of the filter, in any case.

    >>> from tilework import hardware
    >>> hardware.atoms("sm80 16x8x16 f32bf16")
    ['SM80_16x8x16_F32BF16BF16F32_TN']
    >>> hardware.atoms("stmatrix u32x4")
    ['SM90_U32x4_STSM_N']
    """

@final
class Coverage:
    """The coordinates of a shape that a raster reaches: the result of `cover`.
    """

    @property
    def missing(self) -> _IntTuple | None:
        """The first coordinate in bounds that is never reached.
        """

    @property
    def doubled(self) -> _IntTuple | None:
        """The first coordinate in bounds that is reached more than once.
        """

    @property
    def outside(self) -> _IntTuple | None:
        """A coordinate that is reached and out of bounds.
        """

    @property
    def predicates(self) -> list[Predicate]:
        """The conditions on each mode of a coordinate that have to hold before an element is accessed.
        """

    @property
    def is_exact(self) -> bool:
        """Whether every coordinate is reached once, and nothing else.
        """

    @property
    def covers_once(self) -> bool:
        """Whether every coordinate is reached once, given the predicates.
        """

@final
class Predicate:
    """The conditions on one mode of a coordinate.
    """

    @property
    def below(self) -> bool:
        """Whether `0 <= c` is needed.
        """

    @property
    def above(self) -> bool:
        """Whether `c < size` is needed.
        """

    @property
    def size(self) -> int:
        """The size of the mode.
        """

def cover(raster: _LayoutLike, onto: _LayoutLike, blocks: int | None = None) -> Coverage:
    """Whether a raster, a layout from blocks, threads and values to coordinates or indices, reaches every element of a shape once,
    and the predicates that it needs; `blocks` is the number of blocks that run, if not all.

    >>> from tilework import hardware
    >>> coverage = hardware.cover("((64,32),(4,4)):((1@0,1@1),(64@0,32@1))", (200, 128))
    >>> print(coverage)
    each element once if guarded by c0 < 200; unguarded, (200,0) is out of bounds
    >>> coverage.is_exact, coverage.covers_once, coverage.outside
    (False, True, (200, 0))
    >>> [(predicate.above, predicate.size) for predicate in coverage.predicates]
    [(True, 200), (False, 128)]
    """

@final
class Operand:
    """A legal operand: the result of `operand`.
    """

    @property
    def text(self) -> str:
        """The operand in one line, without the width of its elements.
        """

    @property
    def element_bits(self) -> int:
        """The bits of an element.
        """

    @property
    def base(self) -> int:
        """The required alignment of the tile's address, in bytes.
        """

    @property
    def leading(self) -> int | None:
        """The leading dimension byte offset (LBO), in units of 16 bytes.
        """

    @property
    def stride(self) -> int | None:
        """The stride dimension byte offset (SBO), in units of 16 bytes.
        """

    @property
    def descriptor(self) -> int | None:
        """The descriptor's bits for the start address 0.
        """

    @property
    def starts(self) -> list[int]:
        """The number that is added to the start address for each instruction along K, in units of 16 bytes.
        """

def nearest(mn: int, k: int, instruction: str, *, bits: int) -> Layout | ComposedLayout:
    """A legal layout of these extents for an operand of `wgmma` or `tcgen05`, such as `"wgmma.a.k"`.

    >>> from tilework import hardware
    >>> print(hardware.nearest(64, 64, "wgmma.a.k", bits=16))
    Sw<3,3,3> o 0 o ((8,8),(64,1)):((64,512),(1,4096))
    """

def operand(tile: _AnyLayoutLike | Tensor, instruction: str, *, bits: int | None = None, align: int | None = None, tensor: _LayoutLike | Tensor | None = None) -> Operand:
    """The fields of the descriptor of a shared tile of two modes, M or N and K, if an instruction accepts it. Otherwise
    one of `tilework.errors` names the first violation; its `help` is a legal layout of the same extents, if there is
    one.

    The instruction is `"ldmatrix"`, `"tma"`, which needs the layout of the tensor in global memory, one of `wgmma.a.k`,
    `wgmma.a.mn`, `wgmma.b.k`, `wgmma.b.mn` and the same of `tcgen05`, or `tmem.NAME`, which accepts a layout of tensor memory.
    `bits` are those of an element, unless `tile` is a tensor. `align` is the alignment of the tile's address, in bytes.

    >>> from tilework import errors, hardware
    >>> legal = hardware.operand("Sw<3,3,3> o 0 o (64,64):(64,1)", "wgmma.a.k", bits=16)
    >>> print(legal)
    128-byte swizzle, LBO 1, SBO 64, base 1024; elements of 16 bits
    >>> legal.base, hex(legal.descriptor)
    (1024, '0x4000004000010000')
    >>> try:
    ...     hardware.operand("Sw<3,3,3> o 0 o (96,64):(1,96)", "wgmma.b.mn", bits=16)
    ... except errors.Panel as error:
    ...     print(error.help)
    Sw<2,3,3> o 0 o ((32,3),(8,8)):((1,256),(32,768)) is legal
    """

@final
class Certificate:
    """A tile without bank conflicts, and its accesses: the result of `swizzle`.
    """

    @property
    def layout(self) -> Layout | ComposedLayout:
        """The new layout of the tile.
        """

    @property
    def elements(self) -> int:
        """The elements of memory that it takes.
        """

    @property
    def accesses(self) -> dict[str, BankReport]:
        """The report of the banks for each access.
        """

    @property
    def partial(self) -> dict[str, int]:
        """How many elements of the tile each access reaches that does not reach all.
        """

    @property
    def element_bits(self) -> int:
        """The bits of an element.
        """

    def check(self) -> None:
        """Checks independently of the search by counting: raises `errors.Certificate` if two elements share an offset, or
        an access has a conflict.
        """

def swizzle(tile: _LayoutLike | Tensor, accesses: Mapping[str, _LayoutLike | tuple[Instruction, str] | Instruction], *, bits: int | None = None, vector: int | None = None, form: str = "sw", phases: Mapping[str, _LayoutLike] | _LayoutLike | None = None) -> Certificate:
    """The smallest change of a tile that makes all accesses to it free of conflicts: a swizzle (`form="sw"`), XOR strides
    (`"xor"`), padding after each row (`"pad"`), or a mode of the tensor memory accelerator (`"tma"`).

    `accesses` maps names to accesses, as `banks` takes them; one that reaches only some elements of the tile decides for
    these. `bits` are those of an element, unless `tile` is a tensor. `phases` are those of all accesses, or a dictionary for
    some. If no change of the form exists, `errors.Impossible` has the reason.

    >>> from tilework import errors, hardware
    >>> found = hardware.swizzle("(128,32):(32,1)", {"load": "ldmatrix", "store": "rows"}, bits=16)
    >>> print(found)
    Sw<2,3,3> o 0 o (128,32):(32,1)
    >>> found.elements, found.accesses["load"].ranks
    (4096, (5, 5))
    >>> found.check()
    >>> try:
    ...     hardware.swizzle("(64,16):(16,1)", {"load": "ldmatrix", "store": "rows"}, bits=16, form="pad")
    ... except errors.Impossible as error:
    ...     print(error.message)
    all of 128 candidates leave conflicts; at best, load takes 32 wavefronts instead of 16
    """

@final
class ThreadCopy:
    """One thread of a `TiledCopy`, CuTe's `ThrCopy`.
    """

    @overload
    def partition_S(self, data: _LayoutLike) -> View: ...
    @overload
    def partition_S(self, data: Tensor) -> Tensor:
        """The part of a layout or a tensor that the thread reads: `(FrgV,Rest...)`.
        """

    @overload
    def partition_D(self, data: _LayoutLike) -> View: ...
    @overload
    def partition_D(self, data: Tensor) -> Tensor:
        """The part of a layout or a tensor that the thread writes: `(FrgV,Rest...)`.
        """

@final
class ThreadMma:
    """One thread of a `TiledMma`, CuTe's `ThrMMA`.

    >>> from tilework import Tensor, counting, hardware
    >>> mma = hardware.TiledMma("SM80_16x8x16_F32F16F16F32_TN")
    >>> mma.thread(5).partition_A(Tensor(counting(), "(16,32):(32,1)"))
    <Tensor {34} o ((2,2,2),1,2):((1,256,8),0,16)>
    """

    @overload
    def partition_A(self, data: _LayoutLike) -> View: ...
    @overload
    def partition_A(self, data: Tensor) -> Tensor:
        """The thread's elements of `A`, a layout or a tensor of `(M,K,...)`: `(FrgV,RestM,RestK,...)`.
        """

    @overload
    def partition_B(self, data: _LayoutLike) -> View: ...
    @overload
    def partition_B(self, data: Tensor) -> Tensor:
        """The thread's elements of `B`, a layout or a tensor of `(N,K,...)`: `(FrgV,RestN,RestK,...)`.
        """

    @overload
    def partition_C(self, data: _LayoutLike) -> View: ...
    @overload
    def partition_C(self, data: Tensor) -> Tensor:
        """The thread's elements of `C`, a layout or a tensor of `(M,N,...)`: `(FrgV,RestM,RestN,...)`.
        """

def make_layout_tv(threads: _LayoutLike, values: _LayoutLike) -> tuple[Tiler, Layout]:
    """The tile of threads and their values, and its layout from threads and values.

    >>> from tilework import Layout, hardware
    >>> tiler, layout = hardware.make_layout_tv(Layout((4, 8), (8, 1)), Layout((2, 4), (4, 1)))
    >>> print(tiler, layout)
    <8:1,32:1> ((8,4),(4,2)):((32,2),(8,1))
    """

@final
class CopyAtom(Instruction):
    """An instruction that copies data: element `i` of the source is copied to element `i` of the destination.

    `.bits` is the width of an element; `.src` and `.dst` map threads and values to elements, `.threads` maps the index
    of a thread to its lane; `.memory`, if the instruction prescribes addresses, maps elements to addresses of tensor
    memory.

    >>> from tilework import hardware
    >>> ldmatrix = hardware.atom("SM75_U32x4_LDSM_N", 16)
    >>> print(ldmatrix.threads, ldmatrix.src, ldmatrix.dst)
    32:1 (32,8):(8,1) (32,(2,4)):(2,(1,64))
    """

    @property
    def name(self) -> str:
        """The name.
        """

    @property
    def instruction(self) -> str:
        """The instruction, or the common part of its variants.
        """

    @property
    def manual(self) -> str:
        """The section of the manual that states which register holds which bits.
        """

@final
class MmaAtom(Instruction):
    """An instruction that computes `D = A B^T + C`, with `A` of `(M,K)`, `B` of `(N,K)`, and `C` and `D` of `(M,N)`.

    `.shape` is `(M, N, K)`, `.threads` maps the index of a thread to its lane; `.a`, `.b` and `.c` map threads and
    values to `m + M k`, `n + N k` and `m + M n`. Sparse instructions have `.e` for metadata, scaled ones `.sfa` and
    `.sfb` for scales.

    >>> from tilework import hardware
    >>> mma = hardware.atom("SM90_64x16x16_F32F16F16_SS")
    >>> print(mma.shape, mma.threads, mma.c)
    (64, 16, 16) 128:1 ((4,8,4),(2,2,2)):((128,1,16),(64,8,512))
    """

    @property
    def name(self) -> str:
        """The name.
        """

    @property
    def instruction(self) -> str:
        """The instruction, or the common part of its variants.
        """

    @property
    def manual(self) -> str:
        """The section of the manual that states which register holds which element.
        """

    @property
    def elements(self) -> tuple[str, str, str, str]:
        """The elements of `D`, `A`, `B` and `C`.
        """

    @property
    def sparsity(self) -> int:
        """The number of elements of `A` per stored one: 1 if it is dense.
        """

@final
class TiledCopy(Instruction):
    """A copy atom repeated by threads and values over a tile, CuTe's `TiledCopy`; `make_tiled_copy` and its like make one.

    `.src` and `.dst` are from threads and values to places of the tile, `.tv` is that of the side by which the atom is laid out; `.shape` has the
    extents of the tile, `.tiler` is the tile; `.atom` and `.bits` are those of the atom.

    >>> from tilework import Layout, hardware
    >>> atom = hardware.atom("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", 16)
    >>> copy = hardware.make_tiled_copy(atom, Layout((16, 8), (8, 1)), (1, 8))
    >>> print(copy.tiler, copy.thread(9).partition_S(Layout((64, 64), (64, 1))))
    <16:1,64:1> {72} o ((8,1),4,1):((1,0),1024,0)
    """

    def __new__(cls, atom: Instruction | str, layout_tv: _LayoutLike, tiler: _TilerLike) -> TiledCopy: ...

    def tidfrg_S(self, layout: _LayoutLike) -> Layout:
        """A source by threads and values: `(Thr,(FrgV,(Rest...)))`.
        """

    def tidfrg_D(self, layout: _LayoutLike) -> Layout:
        """A destination by threads and values: `(Thr,(FrgV,(Rest...)))`.
        """

    def retile(self, layout: _LayoutLike) -> Layout:
        """The elements of a thread of another partition of the same tile, `(V,RestM,RestN,...)`, in this copy's order of
        values.
        """

    def thread(self, index: int) -> ThreadCopy:
        """One thread, CuTe's `get_slice`.
        """

@final
class TiledMma(Instruction):
    """An atom repeated over threads and over a tensor, CuTe's `TiledMMA`: the layout of atoms in M, N and K, and a tiler
    by which tensors are divided first.

    `.shape` is `(M, N, K)` of the tile, `.threads` maps `(V,M,N,K)` to threads; `.a`, `.b` and `.c` map threads and
    values to the elements of one tile; `.atom` and `.tiler` are the arguments.

    >>> from tilework import Layout, hardware
    >>> mma = hardware.TiledMma("SM80_16x8x16_F32F16F16F32_TN", (2, 2, 1), (32, 32, 16))
    >>> mma.threads.size, mma.shape
    (128, (32, 32, 16))
    >>> print(mma.thread(5).partition_C(Layout((128, 128), (128, 1))))
    {130} o ((2,2),4,8):((1,1024),4096,16)
    """

    def __new__(cls, atom: Instruction | str, atoms: _LayoutLike | None = None, permutation: _TilerLike = None) -> TiledMma: ...

    def thrfrg_A(self, layout: _LayoutLike) -> Layout:
        """`A` of `(M,K,...)` by threads and values: `((ThrV,(ThrM,ThrK)),(FrgV,(RestM,RestK,...)))`.
        """

    def thrfrg_B(self, layout: _LayoutLike) -> Layout:
        """`B` of `(N,K,...)` by threads and values: `((ThrV,(ThrN,ThrK)),(FrgV,(RestN,RestK,...)))`.
        """

    def thrfrg_C(self, layout: _LayoutLike) -> Layout:
        """`C` of `(M,N,...)` by threads and values: `((ThrV,(ThrM,ThrN)),(FrgV,(RestM,RestN,...)))`.
        """

    def thread(self, index: int) -> ThreadMma:
        """One thread, CuTe's `get_slice`.
        """
