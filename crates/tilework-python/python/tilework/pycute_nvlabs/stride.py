"""Strides to those of the core and back; strides that the core does not have, component by component."""

from .. import _core
from ..errors import Kind
from .shape import *
from .shape import __all__ as _below
from .typedefs import plain

__all__ = list(_below)


def native_stride(stride):
    """A stride of the core, or `None` for a sum of basis elements, which it does not have."""
    if type(stride) is int:
        return stride
    if isinstance(stride, F2):
        return _core.xor(stride.val_)
    if isinstance(stride, ArithTuple):
        (value, path), *more = basis_repr(stride)
        return value * _core.E(*path) if not more and is_static(value) and not isinstance(value, F2) else None
    if not is_static(stride) and not hasattr(stride, "numerator"):
        raise Symbolic(stride)
    return stride


class Symbolic(Kind):
    """A decision about a symbol that is required but unknown."""

    def __init__(self, value):
        message = f"this depends on the value of {value}, which is not a number"
        super().__init__(f"kind: {message}")
        self.message = message


def stride_of(native):
    """The strides of a layout of the core in PyCuTe's types."""
    if isinstance(native, tuple):
        return tuple(map(stride_of, native))
    if not isinstance(native, _core.Stride):
        return native
    return F2(native.count) if native.is_xor else ScaledBasis(native.count, native.path)


def components(shape, stride):
    """For each path of a codomain, the strides of that component alone: `{path: stride}`."""
    paths = sorted({path for step in leaves(stride) for _, path in basis_repr(step) if step != 0})
    return {path: transform_leaf(lambda step: _component(step, path), stride) for path in paths or [()]}


def _component(step, path):
    return next((value for value, at in basis_repr(step) if at == path), 0)
