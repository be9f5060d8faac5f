"""COPY of the paper; the module can be called like the function in it."""

from ....errors import Size
from ...tensor import *
from .._callable import make_callable

__all__ = ["copy"]


def copy(src, dst):
    """Every element of `src` to the element of `dst` with the same index.

    >>> from tilework.pycute_nvlabs import Layout, Tensor, ImplicitAccessor, make_tensor
    >>> dst = make_tensor((2, 3))
    >>> copy(Tensor(ImplicitAccessor(0), Layout((2, 3), (3, 1))), dst)
    >>> list(dst.accessor)
    [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]
    """
    if size(src) != size(dst):
        raise Size.of("size", f"source and destination have {size(src)} and {size(dst)} elements")
    for index in range(size(dst)):
        dst[index] = src[index]


make_callable(__name__)
