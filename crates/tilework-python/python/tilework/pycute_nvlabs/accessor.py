"""The accessors of tensors (paper, definition 2.18): `e + d` moves, `e[d]` is the element there.

>>> memory = Array(4)
>>> memory[1] = 7.5
>>> (memory + 1)[0], ImplicitAccessor(5)[2], TransformAccessor(memory, lambda x: 2 * x)[1]
(7.5, 7, 15.0)
"""

import ctypes
from abc import ABC, abstractmethod

from ..errors import Image, Kind
from .layout import *
from .layout import __all__ as _below
from .typedefs import plain

__all__ = ["Accessor", "Array", "ImplicitAccessor", "MutableAccessor", "Ptr", "TransformAccessor"]


class Accessor(ABC):
    """An accessor moved by offsets and read; a subclass defines both."""

    @abstractmethod
    def __add__(self, offset):
        """The accessor at this distance."""

    @abstractmethod
    def __getitem__(self, offset):
        """The element at this distance."""


class MutableAccessor(ABC):
    """An accessor that can be written; a subclass defines `__add__`, `__getitem__` and `__setitem__`."""

    @abstractmethod
    def __add__(self, offset):
        """The accessor at this distance."""

    @abstractmethod
    def __getitem__(self, offset):
        """The element at this distance."""

    @abstractmethod
    def __setitem__(self, offset, value):
        """Writes the element at this distance."""


class Ptr(MutableAccessor):
    """A typed pointer: an address with a type of ctypes, or the beginning of an array or buffer of any shape.

    Within an array or buffer nothing before its beginning or behind its end is reached; a bare address is trusted.

    >>> from array import array
    >>> memory = array("i", [10, 11, 12, 13])
    >>> p = Ptr(memory) + 1
    >>> p[2] = 7
    >>> p[0], memory[3], p == Ptr(memory, owner=memory) + 1, p.dtype.__name__
    (11, 7, True, 'c_int')
    """

    __slots__ = ("address", "dtype", "owner", "_begin", "_end")
    __hash__ = None

    def __init__(self, source, dtype=None, owner=None):
        self._begin = self._end = None
        source = plain(source) if is_int(source) else source
        if isinstance(source, Ptr):
            self.address, self._begin, self._end = source.address, source._begin, source._end
            dtype, owner = dtype or source.dtype, source if owner is None else owner
        elif type(source) is int:
            if dtype is None:
                raise Kind.of("kind", "an address needs the type of what lies there: Ptr(address, ctypes.c_int)")
            self.address = source
        else:
            self.address, count, own = _memory(source)
            dtype = dtype or own
            self._begin, self._end = self.address, self.address + count
            owner = source if owner is None else owner
        self.dtype, self.owner = _ctype(dtype), owner

    @property
    def base(self):
        """The address."""
        return self.address

    @property
    def ptr(self):
        """The pointer of ctypes."""
        return ctypes.cast(self.address, ctypes.POINTER(self.dtype))

    def _moved(self, address):
        other = object.__new__(Ptr)
        other.address, other.dtype, other.owner = address, self.dtype, self.owner
        other._begin, other._end = self._begin, self._end
        return other

    def __add__(self, offset):
        offset = plain(offset)
        if type(offset) is not int:
            return NotImplemented
        return self._moved(self.address + offset * ctypes.sizeof(self.dtype))

    def __sub__(self, offset):
        return self + -offset

    def _at(self, offset):
        offset = plain(offset)
        if type(offset) is not int:
            raise Kind.of("kind", f"a pointer is moved by integers, and not by {offset!r}")
        width = ctypes.sizeof(self.dtype)
        address = self.address + offset * width
        if self._begin is not None and not self._begin <= address <= self._end - width:
            raise Image.of("image", f"offset {offset} lies outside of the {self._end - self._begin} bytes that are pointed to")
        return self.dtype.from_address(address)

    def __getitem__(self, offset):
        return self._at(offset).value

    def __setitem__(self, offset, value):
        at = self._at(offset)
        # A scalar of NumPy is not a number for ctypes.
        at.value = value.item() if hasattr(value, "item") else value

    def __eq__(self, other):
        if not isinstance(other, Ptr):
            return NotImplemented
        return self.address == other.address and self.dtype is other.dtype

    def __repr__(self):
        return f"Ptr({self.address:#x}, {self.dtype.__name__})"


class Array(Ptr):
    """An array of `size` elements, all 0.

    >>> a = Array(4, ctypes.c_int)
    >>> a[1] = 5
    >>> list(a), len(a), Array(2)[0]
    ([0, 5, 0, 0], 4, 0.0)
    """

    __slots__ = ("size",)

    def __init__(self, size, dtype=ctypes.c_double):
        self.size = plain(size)
        if type(self.size) is not int or self.size < 0:
            raise Kind.of("kind", f"an array has a number of elements, and not {size!r}")
        dtype = _ctype(dtype)
        if self.size * ctypes.sizeof(dtype) > 1 << 40:
            raise Kind.of("size", f"{self.size} elements are more than memory has")
        super().__init__((dtype * self.size)(), dtype)

    def __len__(self):
        return self.size

    def __iter__(self):
        return (self[i] for i in range(self.size))


def _memory(source):
    """Address, number of bytes and type of an array or buffer."""
    if hasattr(source, "__array_interface__"):
        interface = source.__array_interface__
        if interface.get("strides") is not None:
            raise Kind.of("kind", "the elements of the array do not lie one behind the other")
        import numpy

        try:
            dtype = numpy.ctypeslib.as_ctypes_type(source.dtype)
        except NotImplementedError:
            dtype = None
        return interface["data"][0], source.nbytes, dtype
    if isinstance(source, ctypes.Array):
        return ctypes.addressof(source), ctypes.sizeof(source), source._type_
    if isinstance(source, ctypes._SimpleCData):
        return ctypes.addressof(source), ctypes.sizeof(source), type(source)
    try:
        view = memoryview(source)
    except TypeError:
        kind = type(source).__name__
        raise Kind.of("kind", f"a pointer is made of an address, an array or a buffer, and not of {kind}") from None
    if view.readonly:
        raise Kind.of("kind", f"{type(source).__name__} cannot be written, and a pointer can")
    count = view.nbytes
    buffer = (ctypes.c_char * count).from_buffer(source) if count else None
    return ctypes.addressof(buffer) if count else 0, count, _FORMATS.get(view.format)


_FORMATS = {getattr(kind, "_type_"): kind for kind in (
    ctypes.c_bool, ctypes.c_byte, ctypes.c_ubyte, ctypes.c_short, ctypes.c_ushort, ctypes.c_int, ctypes.c_uint,
    ctypes.c_long, ctypes.c_ulong, ctypes.c_longlong, ctypes.c_ulonglong, ctypes.c_float, ctypes.c_double,
)}  # fmt: skip


def _ctype(dtype):
    """A type of ctypes, also for a type of NumPy."""
    if isinstance(dtype, type) and issubclass(dtype, ctypes._SimpleCData) and dtype is not ctypes._SimpleCData:
        return dtype
    if dtype in (float, int, bool):
        return {float: ctypes.c_double, int: ctypes.c_int64, bool: ctypes.c_bool}[dtype]
    if hasattr(dtype, "itemsize") and not isinstance(dtype, memoryview):
        import numpy

        return numpy.ctypeslib.as_ctypes_type(dtype)
    raise Kind.of("kind", f"expected a type of ctypes, such as ctypes.c_float, found {dtype!r}")


class ImplicitAccessor(Accessor):
    """An accessor whose elements are the offsets, counted from a number or a coordinate (the paper's `{a}`).

    >>> ImplicitAccessor(5)[2], ImplicitAccessor(ArithTuple(1, 1))[E(1)], ImplicitAccessor(5) == ImplicitAccessor(5)
    (7, (1, 2), True)
    """

    __hash__ = None

    def __init__(self, base):
        base = plain(base)
        self.base = ArithTuple(*base) if is_tuple(base) else base

    def __add__(self, offset):
        return type(self)(self[offset])

    def __getitem__(self, offset):
        return self.base + plain(offset)

    def __eq__(self, other):
        return self.base == other.base if isinstance(other, ImplicitAccessor) else NotImplemented

    def __repr__(self):
        return f"{{{self.base}}}"


class TransformAccessor(Accessor):
    """A function of the elements of another accessor.

    >>> TransformAccessor(ImplicitAccessor(0), lambda x: 2 * x)[21]
    42
    """

    __hash__ = None

    def __init__(self, accessor, transform):
        if not callable(transform):
            raise Kind.of("kind", f"the transform is a function, and not {transform!r}")
        self.accessor = accessor
        self.transform = transform

    @property
    def base(self):
        """The other accessor."""
        return self.accessor

    def __add__(self, offset):
        return type(self)(self.accessor + offset, self.transform)

    def __getitem__(self, offset):
        return self.transform(self.accessor[offset])

    def __eq__(self, other):
        if not isinstance(other, TransformAccessor):
            return NotImplemented
        return self.accessor == other.accessor and self.transform == other.transform

    def __repr__(self):
        return f"{self.transform!r} o {self.accessor!r}"


__all__ += _below
