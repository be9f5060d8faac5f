"""Layouts, how they are made, and what is asked about them."""

from abc import ABC

from .. import _core
from ..errors import Kind
from .arith_tuple import as_tuple, is_basis, make_basis_like
from .htuple import _tuple_of, repeat_like, transform_leaf
from .int_tuple import crd2idx, flatten, has_none, idx2crd, is_int, prefix_product, product, slice_
from .modes import Operation

__all__ = [
    "Layout", "LayoutBase", "common_coarsening", "common_refinement", "compatible", "coordinates", "coprofile",
    "coshape", "cosize", "is_layout", "make_layout", "make_layout_like", "make_ordered_layout", "shape", "size",
    "slice_and_offset", "stride", "tiler_to_layout",
]  # fmt: skip

Layout = _core._PycuteLayout


class LayoutBase(ABC):
    """What `Layout` and `ComposedLayout` have in common: `isinstance(x, LayoutBase)`."""


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
        return Layout(x.shape, x.stride)
    raise Kind.of("kind", f"a layout is wanted, and this is of type {type(x).__name__}")


def _from_core(x):
    """A layout of the core as one of pycute."""
    return Layout(x.shape, x.stride)


def _call(layout, coordinate):
    """A layout of a coordinate that is not integers alone: a slice, or an offset that is no integer."""
    whole = coordinate[0] if len(coordinate) == 1 else coordinate
    whole = tuple(map(as_tuple, whole)) if isinstance(whole, tuple) else as_tuple(whole)
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
        return layout[index.__index__()]
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
    return all(map(_is_int_tuple, x)) if isinstance(x, tuple) else is_int(x) or hasattr(x, "mode")


@Operation
def shape(x):
    """The extents; a tuple is a shape already.

    >>> shape(Layout((4, 8), (8, 1))), shape[1](Layout((4, 8), (8, 1)))
    ((4, 8), 8)
    """
    return _tuple_of(x)


@Operation
def stride(x):
    """The strides; those of a shape are the compact ones.

    >>> stride(Layout((4, 8), (8, 1))), stride[0](Layout((4, 8), (8, 1))), stride((4, 8))
    ((8, 1), 8, (1, 4))
    """
    return x.stride if hasattr(x, "stride") else prefix_product(x)


@Operation
def size(layout):
    """The number of coordinates, of a layout, a tensor or a shape.

    >>> size(Layout((4, 8), (8, 1))), size[1]((4, (8, 2))), size(7)
    (32, 16, 7)
    """
    return product(_tuple_of(layout))


@Operation
def cosize(layout):
    """The greatest offset plus one; where offsets are coordinates, of each component.

    >>> cosize(Layout((4, 8), (10, 1))), cosize(Layout(4, -1))
    (38, 1)
    """
    return layout.cosize()


@Operation
def coshape(layout):
    """The shape that holds all offsets: for integers the cosize, for coordinates an extent for each component.

    >>> from tilework.pycute import E
    >>> coshape(Layout((4, 8), (10, 1))), coshape(Layout((4, 8), (E(1), 2 * E(0))))
    (38, (15, 4))
    """
    layout = _as_layout(layout)
    if not any(map(is_basis, flatten(layout.stride))):
        return layout.native.cosize
    # The last coordinate has the greatest of each component, once no step goes down.
    up = transform_leaf(lambda step: step if is_basis(step) and step.value > 0 else 0, layout.stride)
    last = crd2idx(transform_leaf(lambda extent: extent - 1, layout.shape), layout.shape, up)
    return transform_leaf(lambda component: component + 1, as_tuple(last + repeat_like(as_tuple(layout(0)), 0)))


@Operation
def coprofile(layout):
    """The nesting of the offsets, with 0 at each leaf.

    >>> from tilework.pycute import E
    >>> coprofile(Layout(4)), coprofile(Layout((4, 8), (E(0), E(1))))
    (0, (0, 0))
    """
    return repeat_like(coshape(layout), 0)


@Operation
def compatible(a, b) -> bool:
    """Whether every coordinate into `a` is one into `b` (paper, definition 2.7).

    >>> compatible((4, 16), (4, (8, 2))), compatible((4, (8, 2)), (4, 16))
    (True, False)
    """
    return _core.compatible(_tuple_of(a), _tuple_of(b))


@Operation
def common_refinement(a, b):
    """The coarsest shape that refines both.

    >>> common_refinement((4, 6), ((2, 2), 6))
    ((2, 2), 6)
    """
    return _core.common_refinement(_tuple_of(a), _tuple_of(b))


@Operation
def common_coarsening(a, b):
    """The finest shape that coarsens both.

    >>> common_coarsening(((2, 2), 6), (4, 6))
    (4, 6)
    """
    return _core.common_coarsening(_tuple_of(a), _tuple_of(b))


@Operation
def coordinates(x):
    """All coordinates as nested as the shape, in the order of their indices.

    >>> list(coordinates((2, (1, 2))))
    [(0, (0, 0)), (1, (0, 0)), (0, (0, 1)), (1, (0, 1))]
    """
    extents = _tuple_of(x)
    return (idx2crd(index, extents) for index in range(product(extents)))


@Operation
def make_layout_like(layout):
    """The compact layout with the strides in the same order.

    >>> make_layout_like(Layout((4, 8), (100, 1)))
    Layout((4, 8),(8, 1))
    """
    return _from_core(_as_layout(layout).native.compact_like())


@Operation
def make_ordered_layout(shape, order):
    """The compact layout of a shape in which leaves of smaller order are faster.

    >>> make_ordered_layout((4, 8, 2), (2, 0, 1))
    Layout((4, 8, 2),(16, 1, 8))
    """
    return _from_core(_core.ordered(_tuple_of(shape), order))


@Operation
def tiler_to_layout(tiler):
    """The layout of coordinates that does in a composition what a tiler does (paper, section 3.3.5).

    >>> tiler_to_layout((4, Layout(8, 2))), tiler_to_layout(Layout(4, 2)), tiler_to_layout(4)
    (Layout((4, 8),(1@0, 2@1)), Layout(4,2), Layout(4,1))
    """
    if not isinstance(tiler, tuple):
        return _as_layout(tiler)
    basis = make_basis_like(tuple(0 for _ in tiler))
    modes = []
    for unit, tile in zip(basis, tiler):
        tile = tiler_to_layout(tile)
        modes.append(Layout(tile.shape, transform_leaf(lambda step: _within(step, unit), tile.stride)))
    return make_layout(*modes)


def _within(step, unit):
    """A stride of a mode as one of the whole."""
    return type(unit)(step.value, *unit.mode, *step.mode) if hasattr(step, "mode") else step * unit


def slice_and_offset(crd, layout):
    """The sublayout that `None` leaves, and the offset of what is fixed.

    >>> slice_and_offset((2, None), Layout((4, 8), (8, 1)))
    (Layout((8,),(1,)), 16)
    """
    return slice_(crd, layout), crd2idx(crd, layout.shape, layout.stride)
