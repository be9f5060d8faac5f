"""Coordinates as numbers: tuples that are added leaf by leaf, and the basis elements that are strides (paper, 2.3.1).

>>> 2 * E(0) + 3 * E(1)
(2, 3)
>>> Layout((4, 8), (E(0), E(1)))(9)
(1, 2)
"""

from fractions import Fraction
from itertools import zip_longest

from .. import _core
from ..errors import Kind
from .int_tuple import is_tuple
from .htuple import get
from .typing import of_plain, plain

__all__ = [
    "ArithTuple", "E", "ScaledBasis", "V", "as_tuple", "basis_repr", "is_basis", "make_basis_like", "proj", "unit",
]  # fmt: skip


class _Coordinate:
    """What basis elements and their sums have in common."""

    __slots__ = ()
    #: A scalar of NumPy leaves sums and products to these classes.
    __array_ufunc__ = None

    @of_plain
    def __add__(self, other):
        if other == 0 and not isinstance(other, _Coordinate):
            return self
        if not isinstance(other, (_Coordinate, tuple)):
            return NotImplemented
        return _wrapped(_sum(as_tuple(self), as_tuple(other)))

    __radd__ = __add__

    @of_plain
    def __sub__(self, other):
        return self + (-1 * other if isinstance(other, _Coordinate) else _scaled(as_tuple(other), -1))

    def __neg__(self):
        return -1 * self

    def __rmul__(self, count):
        return self * count

    @of_plain
    def __eq__(self, other):
        if not isinstance(other, (_Coordinate, tuple, int, Fraction)):
            return NotImplemented
        return _terms(as_tuple(self)) == _terms(as_tuple(other))

    def __hash__(self):
        return hash(frozenset(_terms(as_tuple(self)).items()))


class ArithTuple(_Coordinate):
    """A tuple that is added leaf by leaf and multiplied by numbers; missing members are 0.

    >>> ArithTuple((1, 2)) + ArithTuple((3, 4)), 2 * ArithTuple((1, (2, 3))), ArithTuple((1, 2))[1]
    ((4, 6), (2, (4, 6)), 2)
    >>> ArithTuple(1, 2) == (1, 2) == ArithTuple((1, 2))
    True
    """

    __slots__ = ("values",)

    @of_plain
    def __init__(self, *values):
        one = values[0] if len(values) == 1 else values
        self.values = tuple(map(as_tuple, one)) if isinstance(one, (tuple, ArithTuple)) else (one,)

    @of_plain
    def __mul__(self, count):
        if isinstance(count, (tuple, _Coordinate)):
            return NotImplemented
        return _wrapped(_scaled(self.values, count))

    def __iter__(self):
        return iter(self.values)

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        return self.values[index]

    def __repr__(self):
        return repr(self.values)


class ScaledBasis(_Coordinate):
    """A multiple of a basis element: `ScaledBasis(2, 1, 0)` counts in mode 0 of mode 1, in steps of 2.

    >>> ScaledBasis(2, 1, 0), 3 * E(0), as_tuple(ScaledBasis(2, 1))
    (2@0@1, 3@0, (0, 2))
    """

    __slots__ = ("value", "mode")

    @of_plain
    def __init__(self, value, *mode):
        self.value = value
        self.mode = tuple(mode[0]) if len(mode) == 1 and isinstance(mode[0], (tuple, list)) else mode

    @of_plain
    def __mul__(self, count):
        if isinstance(count, (tuple, _Coordinate)):
            return NotImplemented
        return ScaledBasis(self.value * count, *self.mode)

    def __repr__(self):
        return basis_repr(self)


def E(*mode):
    """The basis element of a mode: `E(0)`, `E(1, 0)`; `E()` is 1.

    >>> E(0), E(1, 0), E()
    (1@0, 1@0@1, 1)
    """
    basis = ScaledBasis(1, *mode)
    return basis if basis.mode else 1


def V(*values):
    """The coordinate with these members.

    >>> V(1, 2) + E(0)
    (2, 2)
    """
    return ArithTuple(*values)


def is_basis(x) -> bool:
    """Whether this is a multiple of a basis element.

    >>> is_basis(2 * E(1)), is_basis(2)
    (True, False)
    """
    return isinstance(x, ScaledBasis)


def basis_repr(x) -> str:
    """A multiple of a basis element as CuTe prints it, the innermost index first.

    >>> basis_repr(2 * E(1, 0))
    '2@0@1'
    """
    if not is_basis(x):
        return str(x)
    return f"{x.value}" + "".join(f"@{index}" for index in reversed(x.mode))


@of_plain
def make_basis_like(shape):
    """The basis element of each leaf: the strides of the layout that maps coordinates to themselves.

    >>> make_basis_like((4, (8, 2))), make_basis_like(4)
    ((1@0, (1@0@1, 1@1@1)), 1)
    """

    def basis(mode, path):
        if is_tuple(mode):
            return tuple(basis(part, (*path, i)) for i, part in enumerate(mode))
        return E(*path)

    return basis(shape.shape if hasattr(shape, "shape") else shape, ())


@of_plain
def proj(x, basis):
    """The component of a coordinate at a basis element, or at a mode; the basis element may stand first.

    >>> proj((4, (8, 2)), E(1, 0)), proj(V(3, 5), 1), proj(E(0), V(3, 5))
    (8, 5, 3)
    """
    if is_basis(x):
        x, basis = basis, x
    path = basis.mode if is_basis(basis) else basis if is_tuple(basis) else (basis,)
    return get(as_tuple(x), *path)


def unit(x):
    """A basis element without its count; of a number, 1.

    >>> unit(6 * E(1)), unit(6)
    (1@1, 1)
    """
    return E(*x.mode) if is_basis(x) else 1


@of_plain
def as_tuple(x):
    """A coordinate as a plain tuple; all else as it is.

    >>> as_tuple(2 * E(1)), as_tuple(V(1, 2)), as_tuple(3)
    ((0, 2), (1, 2), 3)
    """
    if isinstance(x, ArithTuple):
        return x.values
    if isinstance(x, ScaledBasis):
        result = x.value
        for index in reversed(x.mode):
            result = (0,) * index + (result,)
        return result
    return x


def _wrapped(value):
    return ArithTuple(value) if isinstance(value, tuple) else value


def _scaled(value, count):
    return tuple(_scaled(part, count) for part in value) if isinstance(value, tuple) else value * count


def _sum(a, b):
    if isinstance(a, tuple) and isinstance(b, tuple):
        return tuple(_sum(x, y) for x, y in zip_longest(a, b, fillvalue=0))
    if isinstance(a, tuple) or isinstance(b, tuple):
        one, other = (a, b) if isinstance(a, tuple) else (b, a)
        if other != 0:
            raise Kind.of("kind", f"{other} is no coordinate like {one}")
        return one
    return a + b


def _terms(value, path=()):
    """Every component that is not 0, by its place."""
    if isinstance(value, tuple):
        return {k: v for i, part in enumerate(value) for k, v in _terms(part, (*path, i)).items()}
    return {path: value} if value != 0 else {}


def _to_native(stride):
    """Strides as the core has them."""
    from .swizzle import F2

    if isinstance(stride, tuple):
        return tuple(map(_to_native, stride))
    if isinstance(stride, F2):
        return _core.xor(stride.value)
    if isinstance(stride, _Coordinate):
        terms = _terms(as_tuple(stride))
        if len(terms) > 1:
            raise Kind.of("kind", f"{stride} is the sum of several basis elements, which no stride of a layout is")
        for mode, value in terms.items():
            return value * _core.E(*mode)
        return 0
    return stride


def _from_native(stride):
    """Strides of the core as they are here."""
    from .swizzle import F2

    if isinstance(stride, tuple):
        return tuple(map(_from_native, stride))
    if not isinstance(stride, _core.Stride):
        return stride
    return F2(stride.count) if stride.is_xor else ScaledBasis(stride.count, *stride.path)
