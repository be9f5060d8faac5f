"""What pycute finds where the core does not decide.

Whether layouts with overlapping modes have an inverse is in general a search, which the core gives up at some point. The
chain that pycute follows costs nothing, and what it gives is taken here where it is right, which is looked at.
"""

from .int_tuple import flatten, prefix_product
from .layout_base import Layout

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


def left_inverse_by_chain(layout):
    """The chain through the layout and the gaps between its modes, if that is a left inverse."""
    shape, stride = flatten(layout.shape), flatten(layout.stride)
    if layout.size() > _LIMIT or not all(isinstance(step, int) for step in stride):
        return None
    gaps, reached = [], 1
    for step, extent in sorted(zip(stride, shape)):
        if step != 0 and extent != 1:
            gaps.append((step // reached, reached))
            reached = extent * step
    # Where modes overlap there are gaps of no extent; a chain that comes to one of them is none.
    inverse = _chain(shape + tuple(extent for extent, _ in gaps), stride + tuple(step for _, step in gaps))
    if inverse is None:
        return None
    offsets = [layout(index) for index in range(layout.size())]
    return inverse if all(layout(inverse(offset)) == offset for offset in offsets) else None
