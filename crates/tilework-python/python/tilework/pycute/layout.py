"""CUTLASS's `pycute.layout`: layouts and their algebra.

Every operation is the core's, in the forms in which pycute is called. An operation on
layouts, integers and tuples of them never calls the Python functions here; these handle swizzled left operands, arguments by name, and
the other arguments that pycute accepts.
"""

from abc import ABC
from operator import index as as_index

from .. import _core
from ..errors import Kind, Rank
from .int_tuple import *
from .int_tuple import __all__ as _int_tuple
from .int_tuple import plain
from .operation import Operation
from .refusals import of_kind
from .typing import of_plain

__all__ = [
    "ComposedLayout", "Layout", "LayoutBase", "coalesce", "complement", "composition", "cosize", "filter", "hier_unzip", "is_layout",
    "left_inverse", "logical_divide", "logical_product", "make_layout", "right_inverse", "size", "slice_and_offset",
    "tiled_divide", "tiled_product", "zipped_divide", "zipped_product", *_int_tuple,
]  # fmt: skip

Layout = _core._PycuteLayout


class LayoutBase(ABC):
    """The base class of `Layout` and `ComposedLayout`, for `isinstance(x, LayoutBase)`."""


LayoutBase.register(Layout)


def is_layout(x) -> bool:
    """Whether this is a layout, swizzled or not.

    >>> is_layout(Layout(4)), is_layout((4, 8))
    (True, False)
    """
    return isinstance(x, LayoutBase)


def _as_layout(x):
    """A layout, or the compact layout of a shape."""
    if isinstance(x, Layout):
        return x
    if is_int(x) or isinstance(x, tuple):
        return Layout(x)
    if isinstance(x, _core.Layout):
        return _from_core(x)
    raise of_kind("a layout", x)


def _from_core(x):
    """A layout of the core as one of pycute."""
    return Layout(x.shape, x.stride)


def _call(layout, coordinate):
    """A layout at a coordinate that has more than integers: a slice, or an expression of symbols."""
    whole = coordinate[0] if len(coordinate) == 1 else coordinate
    if has_none(whole):
        return slice_(whole, layout)
    return crd2idx(whole, layout.shape, layout.stride)


def _get(layout, index):
    """Modes by a slice, or a mode of a mode by a tuple."""
    if isinstance(index, tuple):
        for step in index:
            layout = layout[step]
        return layout
    if not isinstance(index, slice):
        return layout[as_index(index)]
    if not isinstance(layout.shape, tuple):
        raise IndexError("a layout of one leaf has no modes to be cut from")
    return Layout(layout.shape[index], layout.stride[index])


@Operation
def make_layout(*layouts):
    """The layout with these layouts as its modes, also given as one iterable; or the layout of a shape and a stride.

    >>> make_layout(Layout(4, 2), Layout(8))
    Layout((4, 8),(2, 1))
    >>> make_layout([Layout(4, 2)]), make_layout((4, 8), (8, 1)), make_layout((4, 8))
    (Layout((4,),(2,)), Layout((4, 8),(8, 1)), Layout((4, 8),(1, 4)))
    """
    if 0 < len(layouts) <= 2 and all(map(_is_int_tuple, layouts)):
        return Layout(*layouts)
    if len(layouts) == 1 and not is_layout(layouts[0]):
        layouts = tuple(layouts[0])
        if not layouts:
            raise ValueError("a layout is made of one layout or more")
        return make_layout(*layouts)
    composed = [layout for layout in layouts if not isinstance(layout, Layout) and is_layout(layout)]
    if composed:
        raise Kind.of("kind", f"{composed[0]} cannot be a mode of a layout")
    return make_layout(*map(_as_layout, layouts)) if layouts else Layout((), ())


def _is_int_tuple(x):
    return all(map(_is_int_tuple, x)) if isinstance(x, tuple) else is_int(x)


@Operation
def size(layout):
    """The number of coordinates, of a layout or a shape.

    >>> size(Layout((4, 8), (8, 1))), size((4, (8, 2))), size(7)
    (32, 64, 7)
    """
    if not isinstance(layout, (tuple, Integer)) and not hasattr(layout, "shape"):
        raise of_kind("a layout or a shape", layout)
    return product(plain(layout) if isinstance(layout, (tuple, Integer)) else layout.shape)


@Operation
def cosize(layout):
    """The greatest offset plus one.

    >>> cosize(Layout((4, 8), (10, 1))), cosize(Layout(4, -1))
    (38, 1)
    """
    return layout.cosize()


def slice_and_offset(crd, layout):
    """The sublayout of the modes at `None`, and the offset of the others.

    >>> slice_and_offset((2, None), Layout((4, 8), (8, 1)))
    (Layout((8,),(1,)), 16)
    """
    return slice_(crd, layout), crd2idx(crd, layout.shape, layout.stride)


@Operation
def coalesce(layout, profile=None):
    """The same function of integers with the fewest modes; with a tuple for a profile, mode by mode.

    >>> coalesce(Layout((2, (1, 6)), (1, (6, 2))))
    Layout(12,1)
    >>> coalesce(Layout(((2, 2), (2, 2)), ((1, 2), (4, 8))), (1, 1))
    Layout((4, 4),(1, 4))
    """
    return _on_inner(coalesce, layout, profile)


@Operation
def filter(layout, profile=None):
    """Coalesced, without the modes of stride 0; with a tuple for a profile, mode by mode.

    >>> filter(Layout((4, 8, 2), (1, 0, 4)))
    Layout(8,1)
    """
    return _on_inner(filter, layout, profile)


def _on_inner(operation, layout, second):
    """An operation on the layout within a swizzled one, or on a shape."""
    if hasattr(layout, "_with"):
        return layout._with(operation(layout._inner, second))
    return operation(_as_layout(layout), second)


def _tiled(operation, layoutA, layoutB):
    """An operation with a swizzled layout or a shape on its left."""
    if layoutB is None and operation in (composition, logical_divide, logical_product):
        return layoutA
    return _on_inner(operation, layoutA, _as_tiler(layoutB))


def _as_tiler(tiler):
    """A tiler of layouts and plain integers."""
    if tiler is None or isinstance(tiler, Layout):
        return tiler
    if isinstance(tiler, (tuple, list)):
        return tuple(map(_as_tiler, tiler))
    if isinstance(tiler, _core.Layout):
        return _from_core(tiler)
    if is_int(tiler):
        return int(tiler)
    raise of_kind("a layout or a tiler", tiler)


@Operation
def composition(layoutA, layoutB):
    """The layout `c -> layoutA(layoutB(c))`; a tuple applies to the leading modes, `None` keeps a mode unchanged.

    >>> composition(Layout((8, 8), (8, 1)), Layout(((4, 8), 2), ((16, 1), 8)))
    Layout(((4, 8), 2),((2, 8), 1))
    >>> composition(Layout((8, 8), (8, 1)), (4, Layout(2, 4)))
    Layout((4, 2),(8, 4))
    """
    if layoutB is not None and (hasattr(layoutB, "layoutB") or not hasattr(layoutA, "_with") and callable(layoutA)):
        if hasattr(layoutB, "layoutB") or not isinstance(layoutA, (Layout, _core.Layout)):
            return ComposedLayout(layoutA, 0, layoutB)
    return _tiled(composition, layoutA, layoutB)


@Operation
def complement(layout, max_idx=1):
    """The layout of the offsets up to `max_idx` that `layout` leaves out, in ascending order.

    >>> complement(Layout(4, 2), 24), complement(Layout((4, 8), (1, 8)))
    (Layout((2, 3),(1, 8)), Layout(2,4))
    """
    return _from_core(_as_layout(layout).native.complement(size(max_idx)))


@Operation
def right_inverse(layout):
    """The largest layout `R` with `layout(R(i)) == i`.

    >>> right_inverse(Layout((4, 8), (8, 1)))
    Layout((8, 4),(4, 1))
    """
    return None if layout is None else right_inverse(_as_layout(layout))


@Operation
def left_inverse(layout):
    """A layout `R` with `layout(R(layout(i))) == layout(i)`, which is `R(layout(i)) == i` where no offset repeats.

    >>> left_inverse(Layout((4, 2), (1, 16))), left_inverse(Layout((3, 4), (1, 4)))
    (Layout((4, 4, 2),(1, 8, 4)), Layout((4, 4),(1, 3)))
    """
    return None if layout is None else left_inverse(_as_layout(layout))


@Operation
def logical_divide(layoutA, layoutB):
    """`layoutA` split into (tile, rest); a tuple splits the leading modes, `None` keeps a mode unchanged.

    >>> logical_divide(Layout(24, 3), Layout(8, 3)), logical_divide(Layout((8, 16), (20, 1)), (4, Layout(8, 2)))
    (Layout((8, 3),(9, 3)), Layout(((4, 2), (8, 2)),((20, 80), (2, 1))))
    """
    return _tiled(logical_divide, layoutA, layoutB)


@Operation
def logical_product(layoutA, layoutB):
    """`layoutA` repeated as `layoutB` says, (block, grid); a tuple repeats the leading modes, `None` leaves one as it is.

    >>> logical_product(Layout((3, 4), (4, 1)), Layout((2, 5)))
    Layout(((3, 4), (2, 5)),((4, 1), (12, 24)))
    """
    return _tiled(logical_product, layoutA, layoutB)


def hier_unzip(splitter, layoutA, layoutB):
    """A function that splits a layout into (tile, rest), applied mode by mode: `((tiles), (rests))`.

    >>> hier_unzip(logical_divide, Layout((8, 16), (20, 1)), (4, Layout(8, 2)))
    Layout(((4, 8), (2, 2)),((20, 2), (80, 1)))
    """
    if layoutB is None:
        return make_layout(Layout(1, 0), layoutA)
    if not isinstance(layoutB, tuple):
        return splitter(layoutA, layoutB)
    if len(layoutA) < len(layoutB):
        raise Rank.of("rank", f"{layoutA} has fewer modes than the tiler")
    split = [hier_unzip(splitter, layoutA[i], part) for i, part in enumerate(layoutB)]
    rest = [layoutA[i] for i in range(len(layoutB), len(layoutA))]
    return make_layout(make_layout([part[0] for part in split]), make_layout([part[1] for part in split] + rest))


@Operation
def zipped_divide(layoutA, layoutB):
    """The divide as `((tiles), (rests))`.

    >>> zipped_divide(Layout((8, 16), (20, 1)), (4, Layout(8, 2)))
    Layout(((4, 8), (2, 2)),((20, 2), (80, 1)))
    """
    return _tiled(zipped_divide, layoutA, layoutB)


@Operation
def tiled_divide(layoutA, layoutB):
    """The divide as `((tiles), rest, rest, ...)`.

    >>> tiled_divide(Layout((8, 16), (20, 1)), (4, Layout(8, 2)))
    Layout(((4, 8), 2, 2),((20, 2), 80, 1))
    """
    return _tiled(tiled_divide, layoutA, layoutB)


@Operation
def zipped_product(layoutA, layoutB):
    """The product as `((blocks), (grids))`.

    >>> zipped_product(Layout((4, 8), (1, 100)), (2, 3))
    Layout(((4, 8), (2, 3)),((1, 100), (4, 1)))
    """
    return _tiled(zipped_product, layoutA, layoutB)


@Operation
def tiled_product(layoutA, layoutB):
    """The product as `((blocks), grid, grid, ...)`.

    >>> tiled_product(Layout((4, 8), (1, 100)), (2, 3))
    Layout(((4, 8), 2, 3),((1, 100), 4, 1))
    """
    return _tiled(tiled_product, layoutA, layoutB)


class ComposedLayout(LayoutBase):
    """The function `c -> layoutB(offset + layoutA(c))`; `layoutB` is a swizzle or a layout.

    >>> from tilework.pycute import Swizzle
    >>> swizzled = ComposedLayout(Swizzle(3, 4, 3), 0, Layout((8, 64), (64, 1)))
    >>> print(swizzled, swizzled(2, 0), swizzled(2, None)(0))
    SW_3_4_3 o 0 o (8, 64):(64, 1) 144 144
    """

    @of_plain
    def __init__(self, layoutB, offset, layoutA):
        self.layoutB = layoutB
        self.offset = offset
        self.layoutA = layoutA

    def __eq__(self, other):
        if not isinstance(other, ComposedLayout):
            return NotImplemented
        return (self.layoutB, self.offset, self.layoutA) == (other.layoutB, other.offset, other.layoutA)

    def __hash__(self):
        return hash((self.layoutB, self.offset, self.layoutA))

    def __len__(self):
        return len(self.layoutA)

    def __call__(self, *args):
        if has_none(args):
            return self._slice(args[0] if len(args) == 1 else args)
        return self.layoutB(self.offset + self.layoutA(*args))

    def _slice(self, crd):
        part, offset = slice_and_offset(crd, self.layoutA)
        return ComposedLayout(self.layoutB, self.offset + offset, part)

    def __getitem__(self, i):
        return self._with(self.layoutA[i])

    _inner = property(lambda self: self.layoutA)

    def _with(self, layoutA):
        return ComposedLayout(self.layoutB, self.offset, layoutA)

    @property
    def shape(self):
        """The extents of the domain."""
        return self.layoutA.shape

    def size(self):
        """The size of the domain."""
        return size(self.layoutA)

    def cosize(self):
        """The size of the codomain of `layoutB`."""
        return cosize(self.layoutB)

    def __str__(self):
        return f"{self.layoutB} o {self.offset} o {self.layoutA}"

    def __repr__(self):
        return f"ComposedLayout({self.layoutB!r},{self.offset!r},{self.layoutA!r})"
