"""The types of integers and of strides.

A symbol of SymPy is an integer: tuples, shapes and evaluation take it, and what has to be decided about it is refused.
"""

import builtins
from abc import ABC
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from .._integers import integer
from ..errors import Kind

__all__ = [
    "Coord", "HTuple", "IntTuple", "Integer", "Profile", "Shape", "Stride", "StrideScalar", "Tiler", "divmod", "is_int",
    "is_static", "is_stride_scalar", "register_integer_type",
]  # fmt: skip

#: A leaf, or a tuple of hierarchical tuples (paper, definition 2.1).
HTuple = Any
IntTuple = HTuple
Profile = HTuple
Shape = HTuple
Coord = HTuple
Stride = HTuple
Tiler = Any


class Integer(ABC):
    """The integers: `int` and other types with `__index__` except `bool`, symbols of SymPy, and every registered type.

    >>> isinstance(4, Integer), isinstance(True, Integer), isinstance((4,), Integer)
    (True, False, False)
    """

    @classmethod
    def __subclasshook__(cls, c):
        if cls is not Integer:
            return NotImplemented
        if c is bool:
            return False
        symbol = any((k.__module__.partition(".")[0], k.__name__) == ("sympy", "Expr") for k in c.__mro__)
        counts = hasattr(c, "__index__") and not hasattr(c, "__len__")
        # ABC itself handles registered types.
        return True if symbol or counts else NotImplemented


class StrideScalar(ABC):
    """The strides: an integer, a fraction, an `F2`, or an `ArithTuple`.

    >>> from tilework.pycute_nvlabs import E, F2
    >>> isinstance(4, StrideScalar), isinstance(F2(5), StrideScalar), isinstance(E(0), StrideScalar)
    (True, True, True)
    """

    @classmethod
    def __subclasshook__(cls, c):
        return True if cls is StrideScalar and issubclass(c, (Integer, Fraction)) else NotImplemented


def register_integer_type(*types):
    """Makes these types count as integers.

    >>> class Symbol: pass
    >>> register_integer_type(Symbol)
    >>> is_int(Symbol())
    True
    """
    for kind in types:
        Integer.register(kind)


def is_int(x) -> bool:
    """Whether this is an integer.

    >>> is_int(4), is_int(True), is_int((4,)), is_int(4.0)
    (True, False, False, False)
    """
    return isinstance(x, Integer)


def is_stride_scalar(x) -> bool:
    """Whether this may be a stride.

    >>> is_stride_scalar(4), is_stride_scalar("4"), is_stride_scalar((4,))
    (True, False, False)
    """
    return isinstance(x, StrideScalar)


def is_static(x) -> bool:
    """Whether this is a known number, not a symbol or a tuple.

    >>> is_static(4), is_static((4, 8)), is_static(object())
    (True, False, False)
    """
    if hasattr(x, "_is_static"):
        return x._is_static()
    if isinstance(x, (tuple, list, str, bytes)):
        return False
    try:
        return bool(x == int(x))
    except (TypeError, ValueError, OverflowError):
        return False


def divmod(a, b):
    """Quotient and remainder of integers, or of `F2` as polynomials.

    >>> from tilework.pycute_nvlabs import F2
    >>> divmod(22, 4), divmod(F2(22), F2(4))
    ((5, 2), (F5, F2))
    """
    return builtins.divmod(a, b)


def plain(x):
    """The same with an `int` for each integer of another type, NumPy's among them, and tuples for lists.

    >>> plain([True, (2, None)])
    (1, (2, None))
    """
    if type(x) is int:
        return x
    if isinstance(x, (tuple, list)):
        return tuple(map(plain, x))
    return integer(x)


def factor(x):
    """The number; a sequence such as a text, which a product would repeat, is refused."""
    if isinstance(x, Sequence) and not isinstance(x, tuple):
        raise Kind.of("kind", f"expected a number, found {x!r}")
    return x
