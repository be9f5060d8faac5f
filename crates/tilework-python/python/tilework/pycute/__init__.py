"""CUTLASS's `pycute` on the exact algebra.

>>> from tilework.pycute import *
>>> composition(Layout((8, 8), (8, 1)), Layout(((4, 8), 2), ((16, 1), 8)))
Layout(((4, 8), 2),((2, 8), 1))

A program that says `import pycute` runs on it unchanged after `install()`:

>>> import tilework.pycute
>>> tilework.pycute.install()
>>> import pycute
>>> from pycute.layout import left_inverse
>>> left_inverse(pycute.Layout((3, 4), (1, 4)))
Layout((4, 4),(1, 3))

Results have pycute's form and value if pycute is right; otherwise they are the exact result or a `ValueError`.
"""

import sys

from . import int_tuple, layout, swizzle, typing
from .swizzle import *
from .swizzle import __all__ as _names

_MODULES = (typing, int_tuple, layout, swizzle)

__all__ = sorted({*_names, "install"})


def install(name="pycute"):
    """Makes `import pycute` mean this package, in this process and from now on.

    A program that has imported another pycute before keeps what it has.
    """
    for module in (sys.modules[__name__], *_MODULES):
        sys.modules[name + module.__name__.removeprefix(__name__)] = module
