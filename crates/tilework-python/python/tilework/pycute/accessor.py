"""What a tensor reads and writes through (paper, definition 2.18): `e + d` moves, `e[d]` is what lies there.

>>> memory = Ptr([10, 11, 12, 13])
>>> (memory + 2)[1], ImplicitAccessor(5)[2], TransformAccessor(memory, lambda x: x * x)[1]
(13, 7, 121)
"""

from ..errors import Image
from .arith_tuple import ArithTuple
from .typing import Integer, of_plain, plain

__all__ = ["Accessor", "Array", "ImplicitAccessor", "MutableAccessor", "Ptr", "TransformAccessor"]


class Accessor:
    """Something that is moved by offsets and read; a class of its own defines `__add__` and `deref`."""

    def __add__(self, offset):
        raise NotImplementedError

    def deref(self):
        """What lies here, `*e`."""
        raise NotImplementedError

    def __getitem__(self, offset):
        return (self + offset).deref()


class MutableAccessor(Accessor):
    """An accessor that can be written, `e[d] = value`; a class of its own defines `assign`."""

    def assign(self, value):
        """Puts a value here."""
        raise NotImplementedError

    def __setitem__(self, offset, value):
        (self + offset).assign(value)


class Ptr(MutableAccessor):
    """A place in a list, an array or a buffer. Nothing before its beginning or behind its end can be reached.

    >>> memory = [10, 11, 12, 13]
    >>> p = Ptr(memory) + 1
    >>> p[2] = 7
    >>> p[0], memory
    (11, [10, 11, 12, 7])
    """

    def __init__(self, memory, offset=0):
        self.memory = memory
        self.offset = plain(offset)

    def __add__(self, offset):
        return Ptr(self.memory, self.offset + plain(offset))

    def _index(self, offset):
        index = int(self.offset + plain(offset))
        # Python would count a negative index from the end.
        if not 0 <= index < len(self.memory):
            raise Image.of("image", f"offset {index} lies outside of the {len(self.memory)} elements")
        return index

    def deref(self):
        return self[0]

    def assign(self, value):
        self[0] = value

    def __getitem__(self, offset):
        return self.memory[self._index(offset)]

    def __setitem__(self, offset, value):
        self.memory[self._index(offset)] = value

    def __repr__(self):
        return f"Ptr({self.offset})" if self.offset else "Ptr()"


class Array(Ptr):
    """Elements of its own: a number of zeros, or a copy of what is given.

    >>> a = Array(4)
    >>> a[1] = 5
    >>> list(a.memory), Array([1, 2])[1]
    ([0, 5, 0, 0], 2)
    """

    def __init__(self, elements, fill=0):
        super().__init__([fill] * int(elements) if isinstance(elements, (bool, Integer)) else list(elements))

    def __len__(self):
        return len(self.memory)

    def __repr__(self):
        return f"Array({self.memory})"


class ImplicitAccessor(Accessor):
    """What is read is the offset itself, counted from a number or a coordinate (the paper's `{a}`).

    >>> ImplicitAccessor(5)[2], ImplicitAccessor((1, 1))[(0, 2)]
    (7, (1, 3))
    """

    @of_plain
    def __init__(self, value=0):
        self.value = ArithTuple(value) if isinstance(value, tuple) else value

    @of_plain
    def __add__(self, offset):
        return ImplicitAccessor(self.value + (ArithTuple(offset) if isinstance(offset, tuple) else offset))

    def deref(self):
        return self.value

    def __repr__(self):
        return f"{{{self.value}}}"


class TransformAccessor(Accessor):
    """Another accessor, and a function of what is read from it; in either order.

    >>> TransformAccessor(ImplicitAccessor(), lambda x: 2 * x)[21]
    42
    """

    def __init__(self, accessor, function):
        if isinstance(function, Accessor):
            accessor, function = function, accessor
        self.accessor = accessor
        self.function = function

    def __add__(self, offset):
        return TransformAccessor(self.accessor + offset, self.function)

    def deref(self):
        return self.function(self.accessor[0])

    def __repr__(self):
        return f"{self.function!r} o {self.accessor!r}"
