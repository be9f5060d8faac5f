"""CUTLASS's `pycute.layout`: layouts and their algebra."""

from .algebra import *
from .algebra import __all__ as _algebra
from .int_tuple import *
from .int_tuple import __all__ as _int_tuple
from .layout_base import *
from .layout_base import __all__ as _layout_base

__all__ = [*_int_tuple, *_layout_base, *_algebra]
