"""Shapes, coordinates into them, and their indices (paper, section 2.2)."""

from .. import _core
from .atuple import *
from .atuple import __all__ as _below
from .htuple import _incongruent, _pairs, _shape_of
from .typedefs import factor, plain

__all__ = [
    "common_coarsening", "common_refinement", "compatible", "coordinates", "crd2idx", "idx2crd", "inner_product",
    "prefix_product", "shape", "size",
]  # fmt: skip


@ModeOpDecorator
def shape(x, *, mode=()):
    """The extents of a layout or a tensor; a tuple is a shape already.

    >>> from tilework.pycute_nvlabs import Layout
    >>> shape(Layout((4, 8), (8, 1))), shape[1](Layout((4, 8), (8, 1)))
    ((4, 8), 8)
    """
    return _shape_of(get(x, mode=mode))


@ModeOpDecorator
def size(x, *, mode=()):
    """The number of coordinates of a layout, a tensor or a shape.

    >>> size((4, 8)), size[1]((4, (8, 2))), size(7)
    (32, 16, 7)
    """
    return product(_shape_of(get(x, mode=mode)))


def prefix_product(a, init=1):
    """The product of all extents before each, times `init`; mode by mode if `init` is a tuple.

    >>> prefix_product(((2, 3), 4)), prefix_product((3, 2), 5), prefix_product(((2, 3), (4, 5)), (1, 100))
    (((1, 2), 6), (5, 15), ((1, 2), (100, 400)))
    """
    a, init = plain(a), plain(init)
    if is_tuple(a):
        if is_tuple(init):
            return tuple(prefix_product(*parts) for parts in _pairs("prefix products of", a, (init,)))
        result = []
        for mode in a:
            result.append(prefix_product(mode, init))
            init = factor(init) * product(mode)
        return tuple(result)
    if is_tuple(init):
        raise _incongruent("prefix products of", a, init)
    return factor(init)


def inner_product(a, b):
    """The sum of the products of corresponding leaves (paper, equation 6).

    >>> inner_product(((2, 3), 4), ((2, 1), 2)), inner_product((1, 2), (E(1), E(0)))
    (15, (2, 1))
    """
    a, b = plain(a), plain(b)
    if is_tuple(a):
        return sum(inner_product(*parts) for parts in _pairs("the inner product of", a, (b,)))
    if is_tuple(b):
        raise _incongruent("the inner product of", a, b)
    return factor(a) * factor(b)


def idx2crd(idx, shape):
    """The coordinate of an index or of a coarser coordinate; the last mode is not reduced (paper, equation 4).

    >>> idx2crd(22, (4, 8)), idx2crd(7, (2, 3)), idx2crd(E(1), (8, 8)), idx2crd(F2(22), (4, 8)), idx2crd(None, (4, 8))
    ((2, 5), (1, 3), (0, 1), (F2, F5), (0, 0))
    """
    idx, shape = plain(idx), _shape_of(shape)
    if idx is None:
        return repeat_like(0, shape)
    if is_tuple(idx):
        if not is_tuple(shape):
            raise _incongruent("a coordinate and a shape", idx, shape)
        return tuple(idx2crd(*parts) for parts in _pairs("a coordinate and a shape", idx, (shape,)))
    if not is_tuple(shape):
        if isinstance(idx, ArithTuple):
            raise _incongruent("a coordinate and a shape", idx, shape)
        return idx
    if hasattr(idx, "_idx2crd"):
        return idx._idx2crd(shape)
    result = []
    for mode in shape[:-1]:
        extent = product(mode)
        result.append(idx2crd(idx % extent, mode))
        idx = idx // extent
    return (*result, *(idx2crd(idx, mode) for mode in shape[-1:]))


def crd2idx(crd, shape, stride=None):
    """The index of a coordinate, or its offset if strides are given; `None` counts as 0.

    >>> crd2idx((2, 5), (4, 8)), crd2idx((2, 5), (4, 8), (8, 1)), crd2idx(22, (4, 8), (8, 1)), crd2idx(E(0), (4, 8))
    (22, 21, 21, 1)
    """
    shape = _shape_of(shape)
    return inner_product(idx2crd(crd, shape), prefix_product(shape) if stride is None else stride)


def coordinates(shape):
    """All coordinates as nested as the shape, in the order of their indices.

    >>> list(coordinates((2, (1, 2))))
    [(0, (0, 0)), (1, (0, 0)), (0, (0, 1)), (1, (0, 1))]
    """
    shape = _shape_of(shape)
    return (idx2crd(index, shape) for index in range(product(shape)))


def compatible(a, b) -> bool:
    """Whether every coordinate into `a` is a coordinate into `b` (paper, definition 2.7).

    >>> compatible((4, 16), (4, (8, 2))), compatible((4, (8, 2)), (4, 16))
    (True, False)
    """
    a, b = _shape_of(a), _shape_of(b)
    if is_tuple(a):
        return is_tuple(b) and len(a) == len(b) and all(map(compatible, a, b))
    return bool(a == product(b))


def common_refinement(a, b):
    """The coarsest shape that refines both.

    >>> common_refinement((4, 6), ((2, 2), 6))
    ((2, 2), 6)
    """
    return _core.common_refinement(_shape_of(a), _shape_of(b))


def common_coarsening(a, b):
    """The finest shape that coarsens both.

    >>> common_coarsening(((2, 2), 6), (4, 6))
    (4, 6)
    """
    return _core.common_coarsening(_shape_of(a), _shape_of(b))


__all__ += _below
