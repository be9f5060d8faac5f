"""COPY, each element of the destination once and in the order of its memory; the module can be called like the function."""

from ...errors import Overlap, Size
from ..tensor import *
from ._callable import make_callable

__all__ = ["copy"]


def copy(src, dst):
    """Every element of `src` to the element of `dst` with the same index, in the order of the destination's offsets.

    An element that is written twice with the same source element is written once; with two different ones it is refused.

    >>> from tilework.pycute_nvlabs import Layout, Tensor, ImplicitAccessor, make_tensor
    >>> dst = make_tensor(Layout((2, 3), (3, 1)))
    >>> copy(Tensor(ImplicitAccessor(0), Layout((2, 3))), dst)
    >>> list(dst.accessor)
    [0.0, 2.0, 4.0, 1.0, 3.0, 5.0]
    """
    if size(src) != size(dst):
        raise Size.of("size", f"source and destination have {size(src)} and {size(dst)} elements")
    sources = {}
    for index in range(size(dst)):
        to, source = dst.layout(index), src.layout(index)
        known = sources.setdefault(_key(to), (to, source, index))
        if known[1] != source:
            raise Overlap.of("overlap", f"indices {known[2]} and {index} are written to offset {to} from different elements")
    for key in sorted(sources):
        to, source, _ = sources[key]
        dst.accessor[to] = src.accessor[source]


def _key(offset):
    """An offset as a key that can be compared and sorted."""
    return tuple((path[::-1], int(value)) for value, path in reversed(basis_repr(offset)))


make_callable(__name__)
