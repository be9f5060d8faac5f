"""The generic algorithms of the paper (section 2.6) on tensors of any layout; beside them, the algebra under this name.

They go element by element, as the paper writes them, and serve as the reference; `tilework.copy` and `tilework.gemm` are
the fast ones, on arrays.
"""

from ..errors import Size
from .algebra import *
from .algebra import __all__ as _algebra
from .layout_base import size

__all__ = ["copy", "gemm", *_algebra]


def _agree(what, a, b):
    if a != b:
        raise Size.of("size", f"{what}: {a} and {b}")


def copy(src, dst):
    """Every element of `src` to the element of `dst` with the same index.

    >>> from tilework.pycute import Array, make_tensor
    >>> a, b = make_tensor(Array(range(6)), (2, 3)), make_tensor(Array(6), (2, 3), (3, 1))
    >>> copy(a, b)
    >>> b.accessor
    Array([0, 2, 4, 1, 3, 5])
    """
    _agree("the sizes of source and destination", size(src), size(dst))
    for i in range(size(dst)):
        dst[i] = src[i]


def gemm(A, B, C):
    """`C[m, n] += A[m, k] * B[n, k]`.

    >>> from tilework.pycute import Array, make_tensor
    >>> A, B = make_tensor(Array([1, 2, 3, 4]), (2, 2)), make_tensor(Array([1, 0, 0, 1]), (2, 2))
    >>> C = make_tensor(Array(4), (2, 2))
    >>> gemm(A, B, C)
    >>> C.accessor
    Array([1, 2, 3, 4])
    """
    _agree("M of A and C", size[0](A), size[0](C))
    _agree("N of B and C", size[0](B), size[1](C))
    _agree("K of A and B", size[1](A), size[1](B))
    for k in range(size[1](B)):
        for n in range(size[0](B)):
            for m in range(size[0](A)):
                C[m, n] += A[m, k] * B[n, k]
