"""Which types stand for integers and strides, under the names of PyCuTe."""

from fractions import Fraction
from typing import Union

from .typing import Integer

__all__ = ["Integer", "StrideScalar", "is_int", "is_static", "register_integer_type"]


def is_int(x) -> bool:
    """Whether this is an integer, and not a truth value.

    >>> is_int(4), is_int(True), is_int((4,)), is_int(4.0)
    (True, False, False, False)
    """
    return isinstance(x, Integer)


def register_integer_type(kind):
    """Makes a type count as an integer, a NumPy scalar or a symbol for instance; returns it, to be used as a decorator.

    Evaluation and the tools for tuples take any such value. The algebra takes what has `__index__`.

    >>> class Symbol: pass
    >>> is_int(Symbol())
    False
    >>> is_int(register_integer_type(Symbol)())
    True
    """
    return Integer.register(kind)


def is_static(x) -> bool:
    """Whether every leaf is known: an `int` and no symbol.

    >>> is_static((4, (8, 2))), is_static((4, object()))
    (True, False)
    """
    if isinstance(x, tuple):
        return all(map(is_static, x))
    if hasattr(x, "shape") and hasattr(x, "stride"):
        return is_static(x.shape)
    return hasattr(type(x), "__index__")


def __getattr__(name):
    # The classes of strides are defined above this module.
    if name == "StrideScalar":
        from .arith_tuple import ArithTuple, ScaledBasis
        from .swizzle import F2

        return Union[int, Fraction, ArithTuple, ScaledBasis, F2]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
