"""What pycute finds where the core does not decide.

Whether a layout with overlapping modes has an inverse is in general a search, which the core gives up at some point, and a
complement it has none. The chain that pycute follows goes past such modes now and then; what it gives is taken here where it
is right, which is looked at offset by offset.
"""

from itertools import takewhile

from .int_tuple import flatten, is_int, prefix_product
from .layout_base import Layout, make_layout

#: How many offsets are looked at.
_LIMIT = 1 << 16


def chain_inverse(layout):
    """The modes that go on from one another, beginning with stride 1: always a right inverse, if not the largest.

    >>> chain_inverse(Layout((8, 4), (4, 1)))
    Layout((4, 8),(8, 1))
    """
    return _chain(flatten(layout.shape), flatten(layout.stride))


def _chain(shape, stride):
    if not all(isinstance(step, int) for step in stride):
        return None
    extents, steps, reached = [], [], 1
    for step, extent, place in sorted(zip(stride, shape, prefix_product(shape))):
        if extent == 1:
            continue
        if step != reached:
            break
        if extent == 0:
            return None
        extents.append(extent)
        steps.append(place)
        reached = extent * step
    from .algebra import coalesce

    return coalesce(Layout(tuple(extents), tuple(steps))) if extents else Layout(1, 0)


def _gaps(layout):
    """What lies between the modes in ascending order, (extent, stride); no extent at all where two modes overlap."""
    gaps, reached = [], 1
    for step, extent in sorted(zip(flatten(layout.stride), flatten(layout.shape))):
        if step != 0 and extent != 1:
            gaps.append((step // reached, reached))
            reached = extent * step
    return gaps


def _is_for(layout):
    return layout.size() <= _LIMIT and all(isinstance(step, int) and step >= 0 for step in flatten(layout.stride))


def left_inverse_by_chain(layout):
    """The chain through the layout and the gaps between its modes, if that is a left inverse."""
    if not _is_for(layout):
        return None
    gaps = _gaps(layout)
    shape = flatten(layout.shape) + tuple(extent for extent, _ in gaps)
    stride = flatten(layout.stride) + tuple(step for _, step in gaps)
    # Where modes overlap there are gaps of no extent; a chain that comes to one of them is none.
    inverse = _chain(shape, stride)
    if inverse is None:
        return None
    offsets = [layout(index) for index in range(layout.size())]
    return inverse if all(layout(inverse(offset)) == offset for offset in offsets) else None


def product_by_gaps(block, grid):
    """The product of a block of which two modes interleave, and which has no complement therefore: the grid in the gaps
    below those modes, where there is room and all blocks are different."""
    from .algebra import composition

    if is_int(grid) and grid > 0:
        grid = Layout(grid)
    if not (isinstance(block, Layout) and isinstance(grid, Layout) and _is_for(block) and _is_for(grid)):
        return None
    below = tuple(takewhile(lambda gap: gap[0] > 0, _gaps(block)))
    room = Layout(tuple(extent for extent, _ in below), tuple(step for _, step in below))
    if len(below) == len(_gaps(block)) or grid.cosize() > room.size() or block.size() * grid.size() > _LIMIT:
        return None
    places = composition(room, grid)
    starts = {places(index) for index in range(places.size())}
    offsets = {block(index) for index in range(block.size())}
    different = len({start + offset for start in starts for offset in offsets}) == len(starts) * len(offsets)
    return make_layout(block, places) if different else None
