"""The CuTe layout algebra, exact and fast: layouts, tensors, and kernels that run on any of them.

>>> from tilework import Layout
>>> data, threads = Layout("(8,8):(8,1)"), Layout("((4,8),2):((16,1),8)")
>>> print(data @ threads)
((4,8),2):((2,8),1)

A layout is written as CuTe writes it, or by tuples: `Layout((4, 8), (8, 1))`. A layout argument may also be
a shape, for its compact layout, or an expression as text; a tiler argument may be a tuple with one tiler per mode. `None`, `_`
and `:` leave a mode open. An operation without a result raises an exception of `tilework.errors`; each is a ValueError.

The functions have CuTe's names, and most are methods as well. `filter`, `format`, `map`, `max`, `min` and `slice` are here, but not in
`from tilework import *`.
"""

import sys

from . import _core, errors, hardware, kernel, sharding
from ._core import *  # noqa: F403
from ._core import Layout, __version__, einsum
from .errors import TileworkError
from .kernel import Kernel, Program

#: An open mode of a pattern: `layout(2, _)`.
_ = None

contract = einsum
#: The CuTe DSL's name: `make_layout((4, 8), stride=(8, 1))`.
make_layout = Layout

__all__ = ["_", "__version__", "contract", "errors", "hardware", "kernel", "Kernel", "make_layout", "Program", "sharding", "TileworkError"]
# Python's own functions have these names.
__all__ += [name for name in _core.__all__ if name not in {"filter", "format", "map", "max", "min", "slice"}]


def __getattr__(name: str) -> object:
    # Imported on first use: most programs never use it.
    if name == "pycute":
        import importlib

        return importlib.import_module("tilework.pycute")
    # With both, Python suggests a similar name.
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name, obj=sys.modules[__name__])
