"""Swizzles: CUTLASS's `pycute.swizzle`, where layouts under a swizzle are as well."""

from .. import _core
from .layout import *
from .layout import __all__ as _layout
from .refusals import of_kind
from .typing import of_plain

__all__ = ["Swizzle", "shiftl", "shiftr", *_layout]


@of_plain
def shiftr(a, s):
    """`a >> s`, to the left where `s` is negative.

    >>> shiftr(12, 2), shiftr(3, -2), shiftr(3, 0)
    (3, 12, 3)
    """
    return a >> s if s >= 0 else a << -s


@of_plain
def shiftl(a, s):
    """`a << s`, to the right where `s` is negative.

    >>> shiftl(3, 2), shiftl(12, -2), shiftl(3, 0)
    (12, 3, 3)
    """
    return a << s if s >= 0 else a >> -s


class Swizzle:
    """The function `x ^ ((x & YYY) >> shift)` of CUTLASS: `bits` bits above `base + shift` change those above `base`.

    >>> Swizzle(3, 4, 3)(0x80) == 0x90
    True
    >>> print(Swizzle(3, 4, 3), Swizzle(3, 4, 3).size())
    SW_3_4_3 1024
    """

    @of_plain
    def __init__(self, bits, base, shift):
        for x in (bits, base, shift):
            if not is_int(x):
                raise of_kind("an integer", x)
        # The core checks the parameters.
        native = _core.Swizzle(bits, base, shift)
        self.bits, self.base, self.shift = bits, base, shift
        self.yyy_msk, self.zzz_msk = native.source_mask, native.target_mask

    @of_plain
    def __call__(self, offset):
        return offset ^ shiftr(offset & self.yyy_msk, self.shift)

    def size(self):
        """The size of the domain."""
        return 1 << (self.bits + self.base + abs(self.shift))

    def cosize(self):
        """The size of the codomain."""
        return self.size()

    def __eq__(self, other):
        if not isinstance(other, Swizzle):
            return NotImplemented
        return (self.bits, self.base, self.shift) == (other.bits, other.base, other.shift)

    def __hash__(self):
        return hash((self.bits, self.base, self.shift))

    def __str__(self):
        return f"SW_{self.bits}_{self.base}_{self.shift}"

    def __repr__(self):
        return f"Swizzle({self.bits},{self.base},{self.shift})"
