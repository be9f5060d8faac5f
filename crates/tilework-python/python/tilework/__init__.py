"""The CuTe layout algebra, exact and fast.

>>> from tilework import Layout
>>> data, threads = Layout("(8,8):(8,1)"), Layout("((4,8),2):((16,1),8)")
>>> print(data @ threads)
((4,8),2):((2,8),1)
"""

from . import errors
from ._core import *  # noqa: F403
from ._core import FUNCTIONS, __all__ as _native
from .errors import TileworkError

#: What is open in a pattern: `layout(2, _)`.
_ = None

__all__ = [name for name in _native if name not in ("filter", "max", "min", "slice")]
