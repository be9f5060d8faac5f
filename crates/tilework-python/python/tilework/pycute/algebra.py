"""The algebra: every operation is the core's, in the forms in which pycute and PyCuTe are called.

With layouts, integers and tuples of them an operation never comes to the Python functions here; they see to tensors and
swizzled layouts on the left, to arguments by name, and to what pycute accepts besides.
"""

from fractions import Fraction

from .. import _core
from ..errors import Kind, Rank
from .int_tuple import is_int
from .layout_base import Layout, _as_layout, _from_core, make_layout, size
from .modes import Operation

__all__ = [
    "blocked_product", "coalesce", "coalesce_z", "complement", "composition", "filter", "greatest_common_domain",
    "hier_unzip", "layout_add", "left_inverse", "logical_divide", "logical_product", "nullspace", "raked_product",
    "recast", "right_inverse", "tiled_divide", "tiled_product", "zipped_divide", "zipped_product",
]  # fmt: skip


@Operation
def coalesce(layout, profile=None):
    """The same function of integers with the fewest modes; with a tuple for a profile, mode by mode.

    >>> coalesce(Layout((2, (1, 6)), (1, (6, 2))))
    Layout(12,1)
    >>> coalesce(Layout(((2, 2), (2, 2)), ((1, 2), (4, 8))), (1, 1))
    Layout((4, 4),(1, 4))
    """
    if hasattr(layout, "_with"):
        return layout._with(coalesce(layout._inner, profile))
    return coalesce(_as_layout(layout), profile)


@Operation
def coalesce_z(layout):
    """The fewest modes of the same function of *all* integers, also those past the end: a trailing extent 1 counts.

    >>> coalesce_z(Layout((4, 1), (1, 7))), coalesce(Layout((4, 1), (1, 7)))
    (Layout((4, 1),(1, 7)), Layout(4,1))
    """
    if hasattr(layout, "_with"):
        return layout._with(coalesce_z(layout._inner))
    return coalesce_z(_as_layout(layout))


@Operation
def filter(layout, profile=None):
    """Coalesced, without the modes of stride 0; with a tuple for a profile, mode by mode.

    >>> filter(Layout((4, 8, 2), (1, 0, 4)))
    Layout(8,1)
    """
    if hasattr(layout, "_with"):
        return layout._with(filter(layout._inner, profile))
    return filter(_as_layout(layout), profile)


def _tiled(operation, layoutA, layoutB):
    """An operation with a tensor, a swizzled layout or a shape on its left."""
    if hasattr(layoutA, "_with"):
        return layoutA._with(operation(layoutA._inner, layoutB))
    if layoutB is None and operation in (composition, logical_divide, logical_product):
        return layoutA
    return operation(_as_layout(layoutA), _as_tiler(layoutB))


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
    raise Kind.of("kind", f"a layout or a tiler is wanted, and this is of type {type(tiler).__name__}")


@Operation
def composition(layoutA, layoutB):
    """The layout `c -> layoutA(layoutB(c))`; a tuple applies to the leading modes, `None` leaves a mode as it is.

    >>> composition(Layout((8, 8), (8, 1)), Layout(((4, 8), 2), ((16, 1), 8)))
    Layout(((4, 8), 2),((2, 8), 1))
    >>> composition(Layout((8, 8), (8, 1)), (4, Layout(2, 4)))
    Layout((4, 2),(8, 4))
    """
    if layoutB is not None and (hasattr(layoutB, "layoutB") or not hasattr(layoutA, "_with") and callable(layoutA)):
        from .swizzle import ComposedLayout

        if hasattr(layoutB, "layoutB") or not isinstance(layoutA, (Layout, _core.Layout)):
            return ComposedLayout(layoutA, 0, layoutB)
    return _tiled(composition, layoutA, layoutB)


@Operation
def complement(layout, max_idx=None, *, extend=None):
    """The layout of what `layout` leaves out, in ascending order.

    Up to `max_idx` (or `extend`, PyCuTe's name for it) it has as many elements as cover that together with `layout`.
    Without one it is the complement of the paper, which may be extended: its last stride goes on behind the layout, also
    where the last extent is 1.

    >>> complement(Layout(4, 2), 24), complement(Layout(4, 2), extend=24), complement(Layout((4, 8), (1, 8)))
    (Layout((2, 3),(1, 8)), Layout((2, 3),(1, 8)), Layout((2, 1),(4, 64)))
    """
    layout = _as_layout(layout)
    within = extend if max_idx is None else max_idx
    if within is None:
        return complement(layout)
    # A tuple is the extent of each component of a coordinate, and not a shape.
    within = within if isinstance(within, tuple) else size(within)
    return _from_core(layout.native.complement(within))


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
def nullspace(layout):
    """The layout of the indices whose offset is 0.

    >>> nullspace(Layout((4, 8), (0, 1)))
    Layout(4,1)
    """
    return nullspace(_as_layout(layout))


@Operation
def logical_divide(layoutA, layoutB):
    """`layoutA` split into (tile, rest); a tuple splits the leading modes, `None` leaves a mode as it is.

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
    """A splitter of layouts, which gives (tile, rest), applied mode by mode: `((tiles), (rests))`.

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


@Operation
def blocked_product(layoutA, layoutB):
    """The block `layoutA` in the places of the grid `layoutB`, mode by mode: blocks stay together.

    >>> blocked_product(Layout((3, 4), (4, 1)), Layout((2, 5)))
    Layout(((3, 2), (4, 5)),((4, 12), (1, 24)))
    """
    return blocked_product(_as_layout(layoutA), _as_layout(layoutB))


@Operation
def raked_product(layoutA, layoutB):
    """The block `layoutA` over the grid `layoutB`, mode by mode: the elements of a block are spread over the grid.

    >>> raked_product(Layout((3, 4), (4, 1)), Layout((2, 5)))
    Layout(((2, 3), (5, 4)),((12, 4), (24, 1)))
    """
    return raked_product(_as_layout(layoutA), _as_layout(layoutB))


@Operation
def layout_add(layoutA, layoutB):
    """The layout `c -> layoutA(c) + layoutB(c)`.

    >>> layout_add(Layout((4, 8), (1, 4)), Layout((4, 8), (10, 0)))
    Layout((4, 8),(11, 4))
    """
    return layout_add(_as_layout(layoutA), _as_layout(layoutB))


@Operation
def greatest_common_domain(layoutA, layoutB):
    """The coarsest shape on which both layouts have a stride for each mode.

    >>> greatest_common_domain(Layout((4, 8), (8, 1)), Layout((4, 8)))
    (4, 8)
    """
    return _core.greatest_common_domain(_as_layout(layoutA).native, _as_layout(layoutB).native)


@Operation
def recast(layout, *scale):
    """The layout counted in other elements: `recast(layout, old_bits, new_bits)`, or with their ratio new / old.

    >>> recast(Layout((8, 4)), 8, 32), recast(Layout((8, 4)), 4), recast(Layout((2, 4)), Fraction(1, 4))
    (Layout((2, 4),(1, 2)), Layout((2, 4),(1, 2)), Layout((8, 4),(1, 8)))
    """
    if not hasattr(layout, "shape"):
        # The scale first, as C++ has its template arguments.
        *scale, layout = (layout, *scale)
    if hasattr(layout, "_with"):
        return layout._with(recast(layout._inner, *scale))
    layout = _as_layout(layout)
    if len(scale) == 1:
        ratio = Fraction(scale[0])
        scale = (ratio.denominator, ratio.numerator)
    return _from_core(layout.native.recast(*scale))
