"""The two pycutes on the exact algebra: CUTLASS's `pycute`, and PyCuTe, the reference implementation of the paper.

>>> from tilework.pycute import *
>>> composition(Layout((8, 8), (8, 1)), Layout(((4, 8), 2), ((16, 1), 8)))
Layout(((4, 8), 2),((2, 8), 1))
>>> size[0](Layout((4, 8))), complement(Layout(4, 2), extend=24)
(4, Layout((2, 3),(1, 8)))

A program that says `import pycute` runs on it unchanged after `install()`:

>>> import tilework.pycute
>>> tilework.pycute.install()
>>> import pycute
>>> from pycute.layout import left_inverse
>>> left_inverse(pycute.Layout((3, 4), (1, 4)))
Layout((4, 4),(1, 3))

Results are pycute's, form and all, wherever pycute is right; where it is not, they are the exact answer or a `ValueError`.
"""

import sys

from . import typedefs, typing
from . import int_tuple, modes, htuple, arith_tuple, layout_base, algebra, layout, swizzle, accessor, tensor, alg, util
from .typedefs import *
from .int_tuple import *
from .htuple import *
from .arith_tuple import *
from .layout import *
from .swizzle import *
from .accessor import *
from .tensor import *
from .util import *

_MODULES = (
    typedefs, typing, int_tuple, htuple, arith_tuple, layout, algebra, swizzle, accessor, tensor, alg, util,
)  # fmt: skip

__all__ = sorted({name for module in _MODULES for name in module.__all__ if module is not alg} | {"alg", "install", "util"})


def install(name="pycute"):
    """Makes `import pycute` mean this package, in this process and from now on.

    A program that has imported another pycute before keeps what it has.
    """
    package = sys.modules[__name__]
    sys.modules[name] = package
    for module in _MODULES:
        sys.modules[f"{name}.{module.__name__.rpartition('.')[2]}"] = module
