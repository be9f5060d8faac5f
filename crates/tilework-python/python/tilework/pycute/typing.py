"""The integers: `Integer`, under CUTLASS's name for this module.

>>> issubclass(int, Integer), issubclass(bool, Integer), issubclass(float, Integer)
(True, False, False)
"""

from abc import ABC
from functools import wraps
from operator import index

__all__ = ["Integer"]


def plain(x):
    """The same with an `int` for each integer of another type: NumPy's scalars, which would wrap, and truth values.

    >>> plain((True, (2, None)))
    (1, (2, None))
    """
    if type(x) is int:
        return x
    if isinstance(x, (tuple, list)) and type(x) in (tuple, list):
        return type(x)(map(plain, x))
    if hasattr(type(x), "__index__"):
        try:
            return index(x)
        except TypeError:
            # An array of several elements, or a symbol.
            return x
    return x


def of_plain(function):
    """The function with `plain` arguments."""

    @wraps(function)
    def called(*arguments, **named):
        return function(*map(plain, arguments), **{name: plain(value) for name, value in named.items()})

    return called


class Integer(ABC):
    """The integers: `int`, other types with `__index__` except `bool` and arrays, and every registered type.

    >>> isinstance(4, Integer), isinstance(True, Integer)
    (True, False)
    """

    @classmethod
    def __subclasshook__(cls, c):
        if c is bool:
            return False
        # ABC itself handles registered types.
        return True if hasattr(c, "__index__") and not hasattr(c, "__len__") else NotImplemented
