"""XOR strides: `F2`, whose sums are XORs and whose products are carry-less (paper, table 1)."""

from functools import total_ordering

from ..errors import Kind
from .typedefs import *
from .typedefs import __all__ as _below
from .typedefs import plain

__all__ = ["F2"]


@total_ordering
class F2:
    """A polynomial over the field of two elements; 0 is the only number that it can be added to.

    >>> F2(5) + F2(3), 3 * F2(5), F2(5) * F2(3), F2(22) // 4, -F2(5)
    (F6, F15, F15, F5, F5)
    >>> from tilework.pycute_nvlabs import Layout
    >>> Layout((4, 4), (F2(1), F2(5)))(3, 1)
    F6
    """

    __slots__ = ("val_",)
    #: A scalar of NumPy leaves sums and products to this class.
    __array_ufunc__ = None

    def __init__(self, value):
        value = plain(value)
        self.val_ = value.val_ if isinstance(value, F2) else value
        if type(self.val_) is not int or self.val_ < 0:
            raise Kind.of("kind", f"F2 takes an integer that is 0 or more, and not {value!r}")

    def __add__(self, other):
        if isinstance(other, F2):
            return F2(self.val_ ^ other.val_)
        return self if is_int(plain(other)) and other == 0 else NotImplemented

    __radd__ = __sub__ = __rsub__ = __xor__ = __rxor__ = __add__

    def __neg__(self):
        return self

    def __mul__(self, other):
        factor = _bits(other)
        if factor is None:
            return NotImplemented
        if factor < 0:
            raise ValueError(f"a carry-less product takes what is 0 or more, and not {factor}")
        product, shifted = 0, self.val_
        while factor:
            product ^= shifted if factor & 1 else 0
            factor, shifted = factor >> 1, shifted << 1
        return F2(product)

    __rmul__ = __mul__

    def __divmod__(self, other):
        divisor = _bits(other)
        if divisor is None:
            return NotImplemented
        if divisor <= 0:
            raise ZeroDivisionError(f"division of {self} by {other}")
        quotient, rest = 0, self.val_
        while rest.bit_length() >= divisor.bit_length():
            shift = rest.bit_length() - divisor.bit_length()
            quotient, rest = quotient | 1 << shift, rest ^ divisor << shift
        return F2(quotient), F2(rest)

    def __floordiv__(self, other):
        return divmod(self, other)[0]

    def __mod__(self, other):
        return divmod(self, other)[1]

    # No `__index__`: it is not an integer, and must not be read as one in a stride.
    def __int__(self):
        return self.val_

    def __bool__(self):
        return self.val_ != 0

    def __eq__(self, other):
        value = _bits(other)
        return NotImplemented if value is None else self.val_ == value

    __hash__ = None

    def __lt__(self, other):
        value = _bits(other)
        return NotImplemented if value is None else self.val_ < value

    def __repr__(self):
        return f"F{self.val_}"

    def __format__(self, spec):
        return format(str(self), spec)

    def _idx2crd(self, shape):
        from .shape import idx2crd
        from .htuple import transform_leaf

        return transform_leaf(F2, idx2crd(self.val_, shape))

    def _unit(self):
        return F2(1)

    def _is_static(self):
        return True

    def _coshape_bound(self, contributions):
        """The power of two above all sums."""
        return 1 << max((F2(part).val_.bit_length() for part in contributions), default=0)


def _bits(x):
    """The value of an `F2` or an integer, otherwise `None`."""
    if isinstance(x, F2):
        return x.val_
    x = plain(x)
    return x if type(x) is int else None


StrideScalar.register(F2)
__all__ += _below
