"""The CuTe layout algebra, exact and fast: layouts, tensors, and kernels that run on any of them.

>>> from tilework import Layout
>>> data, threads = Layout("(8,8):(8,1)"), Layout("((4,8),2):((16,1),8)")
>>> print(data @ threads)
((4,8),2):((2,8),1)

A layout is written as CuTe writes it, or by tuples: `Layout((4, 8), (8, 1))`. Where a layout is wanted, a shape stands for
its compact layout and a text for what it evaluates to; where a tiler is wanted, a tuple is one by mode. `None`, `_` and
`:` leave a mode open. What does not exist is refused by an exception of `tilework.errors`, each of which is a ValueError.

The functions have CuTe's names, and most are methods as well. `filter`, `map`, `max`, `min` and `slice` are here, but not in
`from tilework import *`.
"""

import sys

from . import _core, errors, hardware, sharding
from ._core import *  # noqa: F403
from ._core import __version__, einsum
from .errors import TileworkError

#: What is open in a pattern: `layout(2, _)`.
_ = None

contract = einsum

__all__ = ["_", "__version__", "contract", "errors", "hardware", "sharding", "TileworkError"]
__all__ += _core.__all__
# Python has these names, for something else.
__all__.remove("filter")
__all__.remove("map")
__all__.remove("max")
__all__.remove("min")
__all__.remove("slice")


def __getattr__(name: str) -> object:
    # Imported when they are asked for: most programs never do.
    if name in ("pycute", "pycute_nvlabs"):
        import importlib

        return importlib.import_module(f"tilework.{name}")
    # With both, Python says what was probably meant.
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name, obj=sys.modules[__name__])
