"""Tensors: an accessor and a layout (paper, section 2.5).

>>> t = make_tensor(Layout((2, 4), (4, 1)))
>>> for i in range(8): t[i] = i
>>> t[1, 2], t[3], t[:, 2], t[1, None][2]
(5.0, 3.0, Tensor(Ptr(...), Layout(2, 4)), 5.0)
"""

import ctypes

from ..errors import Codomain, Incongruent, Kind
from .accessor import *
from .accessor import __all__ as _below
from .typedefs import plain

__all__ = ["Tensor", "identity_tensor", "is_tensor", "make_tensor"]


class Tensor:
    """An accessor and a layout: `t[c]` reads at a coordinate and `t[c] = v` writes; where there is a `None` or a `:` in the
    coordinate, `t[c]` is the part of the tensor that it leaves open.

    >>> t = Tensor(ImplicitAccessor(0), Layout((3, (2, 4)), (8, (4, 1))))
    >>> t[2, (1, 3)], t[2, :], t[2, None][5]
    (23, Tensor({16}, Layout((2, 4), (4, 1))), 22)
    """

    __slots__ = ("accessor", "layout")
    __hash__ = None

    def __init__(self, accessor, layout):
        moves_and_reads = hasattr(type(accessor), "__add__") and hasattr(type(accessor), "__getitem__")
        if not moves_and_reads or is_tuple(accessor) or isinstance(accessor, (str, bytes)):
            raise Kind.of("kind", f"a tensor reads through an accessor, and not through {type(accessor).__name__}")
        if not is_layout(layout):
            raise Kind.of("kind", f"a tensor has a layout, and not {type(layout).__name__}")
        self.accessor, self.layout = accessor, layout

    shape = property(lambda self: self.layout.shape, doc="The extents.")
    stride = property(lambda self: self.layout.stride, doc="The strides.")

    def get(self, mode):
        """The mode at a path, with the same accessor."""
        return Tensor(self.accessor, get(self.layout, mode=mode))

    def __getitem__(self, crd):
        crd = _open(crd)
        if has_none(crd):
            offset, rest = self.layout._offset_and_slice(crd)
            return Tensor(self.accessor + offset, rest)
        return self.accessor[self.layout(crd)]

    def __setitem__(self, crd, value):
        crd = _open(crd)
        if has_none(crd):
            raise Incongruent.of("incongruent", f"{crd} leaves modes open, and one element is written at a time")
        self.accessor[self.layout(crd)] = value

    def __eq__(self, other):
        if not isinstance(other, Tensor):
            return NotImplemented
        return bool(self.accessor == other.accessor and self.layout == other.layout)

    def __repr__(self):
        return f"Tensor({self.accessor!r}, {self.layout!r})"

    def __str__(self):
        return f"{self.accessor} o {self.layout}"


def _open(crd):
    """A coordinate in which `:` is `None`."""
    if isinstance(crd, slice):
        if crd != slice(None):
            raise Kind.of("kind", f"a mode is left open whole, by `:`, and not {crd}")
        return None
    return tuple(map(_open, crd)) if is_tuple(crd) else plain(crd)


def is_tensor(x) -> bool:
    """Whether this is a tensor.

    >>> is_tensor(Tensor(ImplicitAccessor(0), Layout(4))), is_tensor(Layout(4))
    (True, False)
    """
    return isinstance(x, Tensor)


def make_tensor(layout, dtype=ctypes.c_double):
    """A tensor with new elements, all 0, for a layout of integers or a shape.

    >>> make_tensor((2, 3)).layout, make_tensor(Layout(4, 2), ctypes.c_int)[3]
    (Layout((2, 3), (1, 2)), 0)
    """
    layout = layout if is_layout(layout) else Layout(layout)
    if not all(type(step) is int for step in leaves(layout.stride)):
        raise Codomain.of("codomain", f"memory is addressed by integers, and the strides of {layout} are others")
    return Tensor(Array(cosize(layout), dtype), layout)


def identity_tensor(shape):
    """The tensor whose element at each coordinate is the coordinate.

    >>> identity_tensor((4, 8))[9], identity_tensor((4, (2, 3)))[1, (1, 2)]
    ((1, 2), (1, (1, 2)))
    """
    shape = plain(getattr(shape, "shape", shape))
    return Tensor(ImplicitAccessor(repeat_like(0, shape)), Layout(shape, make_basis_like(shape)))


__all__ += _below
