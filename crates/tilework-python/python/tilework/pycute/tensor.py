"""Tensors: an accessor and a layout (paper, section 2.5).

>>> t = make_tensor(Array(range(8)), (2, 4), (4, 1))
>>> t[1, 2], t[3], t[None, 2][1], len(t), size(t)
(6, 5, 6, 2, 8)
>>> t[1, 2] = 0
>>> [t(1, j) for j in range(4)]
[4, 5, 0, 7]
"""

from .accessor import Accessor, Array, ImplicitAccessor, Ptr
from .arith_tuple import ArithTuple, make_basis_like
from .htuple import repeat_like
from .int_tuple import crd2idx, has_none, slice_
from .layout_base import Layout, _as_layout, cosize, is_layout, make_layout, size
from .swizzle import ComposedLayout
from .typing import of_plain, plain

__all__ = ["Tensor", "identity_tensor", "is_tensor", "make_tensor"]


class Tensor:
    """An accessor and a layout: `t[c]` and `t(c)` read at a coordinate, `t[c] = v` writes, and where there is a `None` in
    the coordinate the result is the part of the tensor that it leaves open.

    >>> t = Tensor(ImplicitAccessor(0), Layout((3, (2, 4)), (8, (4, 1))))
    >>> t[2, (1, 3)], t[2, None], t[2, None](5)
    (23, Tensor({16},Layout(((2, 4),),((4, 1),))), 22)
    """

    __slots__ = ("accessor", "layout")

    def __init__(self, accessor, layout):
        self.accessor = _as_accessor(accessor)
        self.layout = layout if is_layout(layout) else _as_layout(layout)

    shape = property(lambda self: self.layout.shape, doc="The extents.")
    stride = property(lambda self: self.layout.stride, doc="The strides.")

    def __getitem__(self, coordinate):
        if has_none(coordinate):
            return self._slice(coordinate)
        return self.accessor[self.layout(coordinate)]

    def __call__(self, *coordinate):
        return self[coordinate[0] if len(coordinate) == 1 else coordinate]

    def __setitem__(self, coordinate, value):
        if has_none(coordinate):
            part = self._slice(coordinate)
            for index in range(part.size()):
                part[index] = value[index] if isinstance(value, Tensor) else value
        else:
            self.accessor[self.layout(coordinate)] = value

    def __len__(self):
        return len(self.layout)

    def __iter__(self):
        return (self[index] for index in range(self.size()))

    def __eq__(self, other):
        if not isinstance(other, Tensor):
            return NotImplemented
        return self.accessor is other.accessor and self.layout == other.layout

    __hash__ = None

    def size(self):
        """The number of elements."""
        return self.layout.size()

    def cosize(self):
        """The greatest offset plus one."""
        return self.layout.cosize()

    def mode(self, index):
        """A mode, from the same place on."""
        return Tensor(self.accessor, self.layout[index])

    def _slice(self, crd):
        if isinstance(self.layout, ComposedLayout):
            return Tensor(self.accessor, self.layout._slice(crd))
        offset = crd2idx(crd, self.layout.shape, self.layout.stride)
        return Tensor(self.accessor + offset, slice_(crd, self.layout))

    _inner = property(lambda self: self.layout)

    def _with(self, layout):
        return Tensor(self.accessor, layout)

    def _of_modes(self, modes):
        return Tensor(self.accessor, make_layout([mode.layout for mode in modes]))

    def __repr__(self):
        return f"Tensor({self.accessor!r},{self.layout!r})"

    def __str__(self):
        return f"{self.accessor} o {self.layout}"


def _as_accessor(x):
    x = x if isinstance(x, list) else plain(x)
    if isinstance(x, (int, tuple, ArithTuple)):
        return ImplicitAccessor(x)
    return Ptr(x) if isinstance(x, list) else x


def is_tensor(x) -> bool:
    """Whether this is a tensor.

    >>> is_tensor(Tensor(0, Layout(4))), is_tensor(Layout(4))
    (True, False)
    """
    return isinstance(x, Tensor)


def make_tensor(accessor, *layout):
    """The tensor of an accessor and a layout, or a shape and a stride; of a layout alone, one with elements of its own.

    >>> make_tensor(Ptr([1, 2, 3, 4]), (2, 2), (2, 1))[1, 0], make_tensor(Layout(4))[3]
    (3, 0)
    """
    if not layout and not isinstance(accessor, (Accessor, Tensor)):
        layout = (accessor,)
        accessor = Array(cosize(_as_layout(accessor) if not is_layout(accessor) else accessor))
    return Tensor(accessor, layout[0] if len(layout) == 1 else Layout(*layout))


@of_plain
def identity_tensor(shape):
    """The tensor that has at each coordinate that coordinate.

    >>> identity_tensor((4, 8))[9], identity_tensor((4, (2, 3)))[1, (1, 2)]
    ((1, 2), (1, (1, 2)))
    """
    shape = getattr(shape, "shape", shape)
    return Tensor(ImplicitAccessor(repeat_like(shape, 0)), Layout(shape, make_basis_like(shape)))
