"""Tuples of integers, nested to any depth: CUTLASS's `pycute.int_tuple`.

Everything here is about tuples as such, and works for any values that can be added and multiplied, symbols too.
"""

from functools import reduce
from itertools import chain
from math import prod
from typing import Union

from ..errors import Divisibility, Incongruent
from .typing import Integer, of_plain, plain

__all__ = [
    "Integer", "Union", "chain", "crd2crd", "crd2idx", "elem_scale", "flatten", "has_none", "idx2crd",
    "inner_product", "is_int", "is_tuple", "prefix_product", "product", "reduce", "shape_div", "signum", "slice_",
    "tuple_max",
]  # fmt: skip


def _incongruent(what, *values):
    return Incongruent.of("incongruent", f"{what}: " + " and ".join(map(repr, values)))


def _pairs(what, a, b):
    """The corresponding modes of two tuples, which must be equally many."""
    if not isinstance(b, tuple) or len(a) != len(b):
        raise _incongruent(what, a, b)
    return zip(a, b)


def is_int(x) -> bool:
    """Whether this is an integer, and not a truth value.

    >>> is_int(4), is_int(True), is_int((4,)), is_int(4.0)
    (True, False, False, False)
    """
    return isinstance(x, Integer)


def is_tuple(x) -> bool:
    """Whether this is a tuple and not a leaf.

    >>> is_tuple((4,)), is_tuple(4)
    (True, False)
    """
    return isinstance(x, tuple)


@of_plain
def flatten(t):
    """The leaves without nesting, always a tuple; a layout is one leaf.

    >>> flatten((4, ((8,), 2))), flatten(4)
    ((4, 8, 2), (4,))
    """
    if isinstance(t, tuple):
        return tuple(leaf for mode in t for leaf in flatten(mode))
    return (t,)


@of_plain
def signum(a) -> int:
    """-1, 0 or 1.

    >>> signum(-7), signum(0), signum(3)
    (-1, 0, 1)
    """
    return int(bool(a > 0)) - int(bool(a < 0))


@of_plain
def product(a):
    """The product of all leaves.

    >>> product(((2, 3), 4)), product(7), product(())
    (24, 7, 1)
    """
    return prod(map(product, a)) if isinstance(a, tuple) else a


@of_plain
def inner_product(a, b):
    """The sum of the products of corresponding leaves (paper, equation 6).

    >>> inner_product(((2, 3), 4), ((2, 1), 2))
    15
    """
    if isinstance(a, tuple):
        return sum(inner_product(x, y) for x, y in _pairs("inner product of", a, b))
    if isinstance(b, tuple):
        raise _incongruent("inner product of", a, b)
    return a * b


@of_plain
def tuple_max(a):
    """The greatest leaf.

    >>> tuple_max((3, (9, 4)))
    9
    """
    if isinstance(a, tuple):
        return max(tuple_max(x) for x in a)
    return a


@of_plain
def elem_scale(a, b):
    """The products of corresponding leaves; a leaf of `a` multiplies all of a tuple in `b`.

    >>> elem_scale((2, 3), (4, (5, 6)))
    (8, 90)
    """
    if isinstance(a, tuple):
        return tuple(elem_scale(x, y) for x, y in _pairs("products of", a, b))
    return a * product(b)


@of_plain
def shape_div(a, b):
    """The shape `a` with `b` divided out: a number from the left, a tuple mode by mode.

    >>> shape_div((3, 4), 6), shape_div((3, 4), 36), shape_div((6, (3, 4)), 36)
    ((1, 2), (1, 1), (1, (1, 2)))
    """
    if isinstance(a, tuple):
        if isinstance(b, tuple):
            return tuple(shape_div(x, y) for x, y in _pairs("division of", a, b))
        result = []
        for mode in a:
            result.append(shape_div(mode, b))
            b = shape_div(b, product(mode))
        return tuple(result)
    b = product(b)
    if b == 0 or (a % b != 0 and (a == 0 or b % a != 0)):
        raise Divisibility.of("divisibility", f"neither of {a} and {b} divides the other")
    return (a + b - 1) // b


@of_plain
def prefix_product(a, init=1):
    """The product of all leaves before each leaf, times `init`: the strides of the compact layout.

    >>> prefix_product(((2, 3), 4)), prefix_product((3, 2), 5)
    (((1, 2), 6), (5, 15))
    """
    if isinstance(a, tuple):
        if isinstance(init, tuple):
            return tuple(prefix_product(x, i) for x, i in _pairs("prefix products of", a, init))
        result = []
        for mode in a:
            result.append(prefix_product(mode, init))
            init = init * product(mode)
        return tuple(result)
    if isinstance(init, tuple):
        raise _incongruent("prefix products of", a, init)
    return init


@of_plain
def idx2crd(idx, shape, stride=None):
    """The coordinate of an index into a shape.

    With strides it is what the index is in each mode, `(idx // stride) % shape`. Without, it is equation 4 of the paper,
    in which the last mode is not reduced: `crd2idx` gives back every index, also one beyond the shape.

    >>> idx2crd(22, (4, 8)), idx2crd(7, (2, 3)), idx2crd(5, (5, 2), (1, 5))
    ((2, 5), (1, 3), (0, 1))
    """
    if stride is None:
        return _index_to_coordinate(idx, shape)
    if isinstance(idx, tuple):
        parts = zip(_pairs("a coordinate and a shape", idx, shape), _pairs("a shape and a stride", shape, stride))
        return tuple(idx2crd(i, s, d) for (i, s), (_, d) in parts)
    if isinstance(shape, tuple):
        return tuple(idx2crd(idx, s, d) for s, d in _pairs("a shape and a stride", shape, stride))
    return (idx // stride) % shape


def _index_to_coordinate(idx, shape):
    if isinstance(idx, tuple):
        return tuple(_index_to_coordinate(i, s) for i, s in _pairs("a coordinate and a shape", idx, shape))
    if not isinstance(shape, tuple):
        return idx
    result = []
    for mode in shape[:-1]:
        extent = product(mode)
        result.append(_index_to_coordinate(idx % extent, mode))
        idx = idx // extent
    for mode in shape[-1:]:
        result.append(_index_to_coordinate(idx, mode))
    return tuple(result)


@of_plain
def crd2idx(crd, shape, stride=None):
    """The offset of a coordinate: without strides, the index; `None` counts as 0.

    >>> crd2idx((2, 5), (4, 8)), crd2idx((2, 5), (4, 8), (8, 1)), crd2idx(22, (4, 8), (8, 1))
    (22, 21, 21)
    """
    if stride is None:
        stride = prefix_product(shape)
    if isinstance(crd, tuple):
        parts = zip(_pairs("a coordinate and a shape", crd, shape), _pairs("a shape and a stride", shape, stride))
        return sum(crd2idx(c, s, d) for (c, s), (_, d) in parts)
    if crd is None:
        crd = 0
    if not isinstance(shape, tuple):
        if isinstance(stride, tuple):
            raise _incongruent("a shape and a stride", shape, stride)
        return crd * stride
    result = 0
    last = len(shape) - 1
    for i, (s, d) in enumerate(_pairs("a shape and a stride", shape, stride)):
        if i == last:
            return result + crd2idx(crd, s, d)
        extent = product(s)
        result = result + crd2idx(crd % extent, s, d)
        crd = crd // extent
    return result


@of_plain
def crd2crd(crd, dst_shape, src_shape=None):
    """The coordinate into `dst_shape` with the index of a coordinate into `src_shape`.

    >>> crd2crd(5, (2, 4)), crd2crd((1, 2), 8, (2, 4)), crd2crd((1, 5), (2, (3, 4)))
    ((1, 2), 5, (1, (2, 1)))
    """
    if isinstance(crd, tuple):
        if isinstance(dst_shape, tuple):
            return tuple(crd2crd(x, y) for x, y in _pairs("a coordinate and a shape", crd, dst_shape))
        if src_shape is None:
            raise _incongruent("a coordinate and a shape, and no shape that it is of", crd, dst_shape)
        return crd2idx(crd, src_shape)
    if isinstance(dst_shape, tuple):
        return idx2crd(crd, dst_shape)
    if not crd < dst_shape:
        raise _incongruent("a coordinate that is not below its extent", crd, dst_shape)
    return crd


@of_plain
def slice_(crd, trg):
    """The parts of a tuple at the `None`s of another, as one tuple (the nesting above them is lost, as in CuTe); of a
    layout, the sublayout.

    >>> slice_((2, None), (4, 8)), slice_(None, (4, 8)), slice_((None, (0, None)), (3, (4, 5)))
    ((8,), ((4, 8),), (3, 5))
    """
    if not isinstance(trg, tuple) and hasattr(trg, "_slice"):
        return trg._slice(crd)
    if hasattr(trg, "native"):
        return type(trg)(slice_(crd, trg.shape), slice_(crd, trg.stride))
    if isinstance(crd, tuple):
        return tuple(chain.from_iterable(slice_(c, s) for c, s in _pairs("a coordinate and a tuple", crd, trg)))
    return (trg,) if crd is None else ()


def has_none(a) -> bool:
    """Whether there is a `None` among the leaves.

    >>> has_none((0, (None, 1))), has_none((0, 1))
    (True, False)
    """
    if isinstance(a, tuple):
        return any(map(has_none, a))
    return a is None
