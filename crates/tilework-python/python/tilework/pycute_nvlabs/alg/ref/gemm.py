"""GEMM of the paper; the module can be called like the function in it."""

from ....errors import Rank, Size
from ...tensor import *
from .._callable import make_callable

__all__ = ["gemm"]


def gemm(A, B, C):
    """`C[m, n] += A[m, k] * B[n, k]`; with a third mode, for each of its coordinates.

    >>> from tilework.pycute_nvlabs import Layout, Tensor, ImplicitAccessor, make_tensor
    >>> A = Tensor(ImplicitAccessor(1), Layout((2, 3)))
    >>> C = make_tensor((2, 2))
    >>> gemm(A, A, C)
    >>> list(C.accessor)
    [35.0, 44.0, 44.0, 56.0]
    """
    if not rank(A) == rank(B) == rank(C) in (2, 3):
        raise Rank.of("rank", f"gemm takes tensors of 2 modes, or of 3, and not of {rank(A)}, {rank(B)} and {rank(C)}")
    M, N, K = size[0](A), size[0](B), size[1](A)
    batches = size[2](C) if rank(C) == 3 else 1
    _agree("M of A and C", M, size[0](C))
    _agree("N of B and C", N, size[1](C))
    _agree("K of A and B", K, size[1](B))
    if rank(C) == 3:
        _agree("the batches of A and C", size[2](A), batches)
        _agree("the batches of B and C", size[2](B), batches)
    for batch in range(batches):
        behind = (batch,) if rank(C) == 3 else ()
        for k in range(K):
            for n in range(N):
                for m in range(M):
                    C[(m, n, *behind)] = C[(m, n, *behind)] + A[(m, k, *behind)] * B[(n, k, *behind)]


def _agree(what, a, b):
    if a != b:
        raise Size.of("size", f"{what}: {a} and {b}")


make_callable(__name__)
