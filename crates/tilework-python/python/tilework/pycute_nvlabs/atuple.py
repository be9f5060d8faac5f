"""Coordinates as numbers: tuples that are added leaf by leaf, and the basis elements that are strides (paper, 2.3.1).

>>> 2 * E(0) + 3 * E(1), E(1, 0), ScaledBasis(2, (1,)), V(3) @ 1 @ 0
((2, 3), 1@0@1, 2@1, 3@1@0)
"""

from itertools import zip_longest

from ..errors import Kind
from .htuple import *
from .htuple import __all__ as _below
from .htuple import _incongruent
from .typedefs import plain

__all__ = ["ArithTuple", "E", "ScaledBasis", "V", "as_tuple", "basis_repr", "is_basis", "make_basis_like", "proj", "unit"]


class ArithTuple:
    """A tuple that is added leaf by leaf and multiplied by scalars; missing members are 0, and a scalar is a tuple of one.

    >>> ArithTuple(1, 2) + ArithTuple(3, 4), 2 * ArithTuple(1, (2, 3)), ArithTuple(1, 2)[1], ArithTuple(5)
    ((4, 6), (2, (4, 6)), 2, 5)
    >>> ArithTuple(1, 2) == (1, 2, 0), E(1) @ 0, ArithTuple(9, 0) < ArithTuple(0, 1)
    (True, 1@1@0, True)
    """

    __slots__ = ("data",)
    __array_ufunc__ = None
    __hash__ = None

    def __new__(cls, *args):
        args = plain(args)
        if len(args) == 1 and not is_tuple(args[0]):
            return args[0]
        return super().__new__(cls)

    def __init__(self, *args):
        args = plain(args)
        self._set(args[0] if len(args) == 1 else args)

    def _set(self, members):
        self.data = tuple(ArithTuple(*part) if is_tuple(part) else part for part in plain(members))
        return self

    def __len__(self):
        return len(self.data)

    def __iter__(self):
        return iter(self.data)

    def __getitem__(self, index):
        return self.data[index]

    def __add__(self, other):
        if not isinstance(other, ArithTuple):
            if not is_tuple(other):
                return self if _is_zero(other) else NotImplemented
            other = _of(other)
        return _of(x + y for x, y in zip_longest(self.data, other.data, fillvalue=0))

    __radd__ = __add__

    def __neg__(self):
        return _of(-x for x in self.data)

    def __sub__(self, other):
        return self + (-_of(other) if is_tuple(other) else -other)

    def __rsub__(self, other):
        return -self + other

    def __mul__(self, other):
        return NotImplemented if isinstance(other, ArithTuple) or is_tuple(other) else _of(x * other for x in self.data)

    def __rmul__(self, other):
        return NotImplemented if isinstance(other, ArithTuple) or is_tuple(other) else _of(other * x for x in self.data)

    def __matmul__(self, index):
        return _at(self, index)

    def __eq__(self, other):
        if is_tuple(other):
            other = _of(other)
        if not isinstance(other, ArithTuple):
            return all(part == 0 for part in self.data) if _is_zero(other) else NotImplemented
        return all(x == y for x, y in zip_longest(self.data, other.data, fillvalue=0))

    def _before(self, other, otherwise):
        """Whether this comes before the other: the last members that differ decide."""
        if is_tuple(other) or _is_zero(other):
            other = _of(other if is_tuple(other) else ())
        if not isinstance(other, ArithTuple):
            return NotImplemented
        for x, y in reversed(list(zip_longest(self.data, other.data, fillvalue=0))):
            if not x == y:
                return x < y
        return otherwise

    def __lt__(self, other):
        return self._before(other, False)

    def __le__(self, other):
        return self._before(other, True)

    def __gt__(self, other):
        before = self._before(other, True)
        return before if before is NotImplemented else not before

    def __ge__(self, other):
        before = self._before(other, False)
        return before if before is NotImplemented else not before

    def __repr__(self):
        terms = basis_repr(self)
        value, path = terms[0]
        if len(terms) > 1 or not path:
            return f"({', '.join(map(repr, self.data))}{',' if len(self.data) == 1 else ''})"
        return f"{value}" + "".join(f"@{index}" for index in reversed(path))

    def __format__(self, spec):
        return format(str(self), spec)

    def _idx2crd(self, shape):
        from .shape import idx2crd

        if not is_tuple(shape) or any(part != 0 for part in self.data[len(shape) :]):
            raise _incongruent("a coordinate and a shape", self, shape)
        return tuple(idx2crd(x, s) for x, s in zip_longest(self.data[: len(shape)], shape, fillvalue=0))

    def _is_static(self):
        return all(map(is_static, self.data))

    def _coshape_bound(self, contributions):
        from .layout import _bound

        columns = zip_longest(*(part.data for part in contributions if isinstance(part, ArithTuple)), fillvalue=0)
        return tuple(map(_bound, columns))

    def _congruent(self, profile):
        return self._within(profile, congruent)

    def _weakly_congruent(self, profile):
        return self._within(profile, weakly_congruent)

    def _within(self, profile, relation):
        if isinstance(profile, ArithTuple):
            profile = profile.data
        if not is_tuple(profile) or len(self.data) > len(profile):
            return False
        # 0 is the zero of every component, a coordinate too.
        return all(_is_zero(x) or relation(x, s) for x, s in zip(self.data, profile))


def _is_zero(x):
    return not isinstance(x, ArithTuple) and is_stride_scalar(x) and bool(x == 0)


def _of(members):
    return ArithTuple.__new__(ArithTuple, ())._set(tuple(members))


def _at(value, index):
    """A value as the component of this index."""
    index = plain(index)
    if type(index) is not int or not 0 <= index < 1 << 10:
        raise Kind.of("kind", f"the index of a mode is 0 or more and below 1024, and not {index!r}")
    return _of((0,) * index + (value,))


class V:
    """`V(value) @ i` is `ScaledBasis(value, (i,))`; a further `@ j` goes around it.

    >>> V(3) @ 1, V(1) @ 1 @ 0 == E(0, 1)
    (3@1, True)
    """

    __slots__ = ("value",)

    def __init__(self, value):
        self.value = plain(value)

    def __matmul__(self, index):
        return _at(self.value, index)

    def __repr__(self):
        return f"V({self.value!r})"


def ScaledBasis(value, seq=()):
    """A multiple of a basis element: `ScaledBasis(2, (1, 0))` counts in mode 0 of mode 1, in steps of 2.

    >>> ScaledBasis(2, (1, 0)), ScaledBasis(2), as_tuple(ScaledBasis(2, (1,)))
    (2@0@1, 2, (0, 2))
    """
    value = plain(value)
    for index in reversed(plain(wrap(seq))):
        value = _at(value, index)
    return value


def E(*seq):
    """The basis element of a mode: `E(0)`, `E(1, 0)`; `E()` is 1.

    >>> E(0), E(1, 0), E()
    (1@0, 1@0@1, 1)
    """
    return ScaledBasis(1, seq[0] if len(seq) == 1 and is_tuple(seq[0]) else seq)


def as_tuple(x):
    """A coordinate as plain tuples; other values unchanged.

    >>> as_tuple(2 * E(1, 0)), as_tuple((E(1), 3)), as_tuple(3)
    ((0, (2,)), ((0, 1), 3), 3)
    """
    if isinstance(x, ArithTuple) or is_tuple(x):
        return tuple(map(as_tuple, x))
    return x


def basis_repr(x):
    """The nonzero components, each with its path; for zero, `[(0, ())]`.

    >>> basis_repr(5 * E(1, 2)), basis_repr(E(0) - E(0)), basis_repr(7), basis_repr(E(0) + 2 * E(1))
    ([(5, (1, 2))], [(0, ())], [(7, ())], [(1, (0,)), (2, (1,))])
    """
    return _terms(x, ()) or [(0, ())]


def _terms(x, path):
    if isinstance(x, ArithTuple) or is_tuple(x):
        return [term for i, part in enumerate(x) for term in _terms(part, (*path, i))]
    return [] if x == 0 else [(x, path)]


def is_basis(x) -> bool:
    """Whether this is a multiple of one basis element, a number among them.

    >>> is_basis(2 * E(1)), is_basis(7), is_basis(E(0) + E(1))
    (True, True, False)
    """
    return len(basis_repr(x)) == 1


def make_basis_like(profile, seq=()):
    """The basis element of each leaf: the strides of the layout that maps coordinates to themselves.

    >>> make_basis_like((4, (8, 2))), make_basis_like(4), make_basis_like((4, 8), (1,))
    ((1@0, (1@0@1, 1@1@1)), 1, (1@0@1, 1@1@1))
    """
    if is_tuple(profile):
        return tuple(make_basis_like(mode, (*wrap(seq), i)) for i, mode in enumerate(profile))
    return E(*wrap(seq))


def _single(x):
    """The value and the path of a multiple of one basis element."""
    terms = basis_repr(x)
    if len(terms) > 1:
        raise TypeError(f"{x} is the sum of {len(terms)} basis elements, and one is wanted")
    return terms[0]


def proj(x, profile):
    """The component of `x` at the path of one basis element; of a number, `x` itself.

    >>> proj((4, (8, 2)), E(1, 0)), proj(ArithTuple(3, 5), 2 * E(1)), proj((4, 8), 7)
    (8, 5, (4, 8))
    """
    for index in _single(profile)[1]:
        x = x[index] if (is_tuple(x) or isinstance(x, ArithTuple)) and index < len(x) else 0
    return x


def unit(profile):
    """The 1 of the algebra at the path of one basis element.

    >>> from tilework.pycute_nvlabs import F2
    >>> unit(6 * E(1)), unit(6), unit(F2(9))
    (1@1, 1, F1)
    """
    value, path = _single(profile)
    return ScaledBasis(value._unit() if hasattr(value, "_unit") else 1, path)


StrideScalar.register(ArithTuple)
__all__ += _below
