"""Functions that can be asked about a mode: `size(x)` and `size[0](x)`, `rank[0, 1](x)`, `coalesce[1](x)`.

`f[i, j, ...](x, *rest)` is `f(x', *rest)`, where `x'` is mode `j` of mode `i` of `x`: CuTe's `f<i,j>(x)`.
"""

from functools import update_wrapper

from .._core import _PycuteOperation
from .typing import of_plain, plain

__all__ = ["get"]


class Operation(_PycuteOperation):
    """A function with `[mode]` forms; layouts alone are seen to by the core, without any Python."""

    def __new__(cls, function):
        return super().__new__(cls, of_plain(function))

    def __init__(self, function):
        update_wrapper(self, function)

    def __getitem__(self, mode):
        def at_mode(x, *rest, **named):
            return self(get(x, mode), *rest, **named)

        return at_mode

    def __repr__(self):
        return f"<function {self.__module__}.{self.__name__}>"


class _Get:
    """`get(x, 1, 0)` and `get[1, 0](x)`: mode 0 of mode 1.

    >>> from tilework.pycute import Layout, get
    >>> get[1]((4, (8, 2))), get((4, (8, 2)), 1, 0), get[1](Layout((4, 8), (8, 1)))
    ((8, 2), 8, Layout(8,1))
    """

    def __call__(self, x, *path):
        x = plain(x)
        for step in plain(path):
            for index in step if isinstance(step, tuple) else (step,):
                # A leaf is its own mode 0.
                if isinstance(x, tuple) or hasattr(x, "shape"):
                    x = x.mode(index) if hasattr(x, "mode") else x[index]
                elif index != 0:
                    raise IndexError(f"there is no mode {index} in {x!r}")
        return x

    def __getitem__(self, path):
        return lambda x: self(x, path)


get = _Get()
