"""What tilework refuses: one class for every condition, all of them `TileworkError` and `ValueError`.

>>> import tilework
>>> try:
...     tilework.composition("(4,6,8):(2,3,5)", "6:1")
... except tilework.errors.ShapeDivisibility as error:
...     print(error.code, isinstance(error, ValueError))
shape-divisibility True
"""

from __future__ import annotations


class TileworkError(ValueError):
    """What was asked for does not exist, or could not be decided. As text it is `CODE: sentence`."""

    #: A short name of the condition that does not change, the same that the command line prints: that of the class.
    code: str = "error"
    #: The sentence alone.
    message: str = ""
    #: What would help, where that is known.
    help: str | None = None
    #: The characters of an expression that the error is about: `text[slice(*span)]`.
    span: tuple[int, int] = (0, 0)

    @staticmethod
    def of(code: str, message: str, help: str | None = None, span: tuple[int, int] = (0, 0)) -> TileworkError:
        """The error of this code."""
        error = _CLASSES.get(code, TileworkError)(f"{code}: {message}" + (f"; {help}" if help else ""))
        error.code, error.message, error.help, error.span = code, message, help, span
        return error

    def __init_subclass__(cls) -> None:
        # A subclass of one that has a code is no other condition.
        if TileworkError in cls.__bases__ and cls.__module__ == __name__:
            cls.code = "".join("-" * letter.isupper() + letter for letter in cls.__name__)[1:].lower()
            _CLASSES[cls.code] = cls


_CLASSES: dict[str, type[TileworkError]] = {}


class Absent(TileworkError):
    """An instruction accesses an offset that a layout does not have."""


class Aliasing(TileworkError):
    """Two coordinates of what is written have one offset."""


class Argument(TileworkError):
    """An argument lies outside its range."""


class Arguments(TileworkError, TypeError):
    """Arguments that do not fit together."""


class Array(TileworkError, TypeError):
    """No tensor is over this array, or no array is this tensor."""


class Base(TileworkError):
    """The address of an operand is not aligned as its mode needs."""


class Box(TileworkError):
    """An extent of a box is not between 1 and 256."""


class BoxRow(TileworkError):
    """A row of a box is not a multiple of 16 bytes, or wider than its swizzling mode."""


class Cancelled(TileworkError):
    """The caller asked to stop; some of the destination has been written."""


class Capacity(TileworkError):
    """More leaves, nodes or levels than a tuple holds."""


class Carry(TileworkError):
    """Composition: steps of the right layout together pass a place where the left one changes its step."""


class CarrylessScale(TileworkError):
    """Carry-less and integer multiples of an XOR stride differ within the extent."""


class Certificate(TileworkError):
    """A certificate claims what is not so."""


class Codomain(TileworkError):
    """An operation that is not defined for such strides."""


class Coordinate(TileworkError):
    """A coordinate that does not fit the shape."""


class Divisibility(TileworkError):
    """A quantity that has to divide another does not."""


class Element(TileworkError):
    """An instruction takes no elements of so few or so many bits."""


class Extent(TileworkError):
    """An extent is 1 or more."""


class Fact(TileworkError):
    """A fact that the scope of symbolic layouts cannot take, or that does not fit the others."""


class Field(TileworkError):
    """A distance does not fit the field of a descriptor."""


class Gap(TileworkError):
    """Divide: a gap of the tile cannot be filled whole."""


class GlobalStride(TileworkError):
    """A stride that the tensor memory accelerator does not take."""


class Guard(TileworkError):
    """An answer was asked for where its guard fails, or whether it is right where that depends on values."""


class Image(TileworkError, IndexError):
    """Offsets that the data does not have."""


class Impossible(TileworkError):
    """No swizzle, XOR layout, padding or mode leaves all accesses free of conflicts."""


class Incongruent(TileworkError):
    """Two tuples should have one nesting, and have not."""


class Index(TileworkError, IndexError):
    """There is no such mode."""


class Kind(TileworkError, TypeError):
    """An argument of another kind than is wanted."""


class Lanes(TileworkError):
    """A layout of phases has more lanes than a warp."""


class Limit(TileworkError):
    """More work or text than is allowed."""


class Memory(TileworkError):
    """Not enough memory."""


class Misaligned(TileworkError):
    """A vector does not begin at a multiple of its length."""


class MixedCodomain(TileworkError):
    """Strides of two codomains in one layout."""


class Modes(TileworkError):
    """More dimensions than the tensor memory accelerator has, or none that is contiguous."""


class Name(TileworkError):
    """A name that means nothing in an expression."""


class NegativeStride(TileworkError):
    """The operation takes no negative stride."""


class NestedBasis(TileworkError):
    """One basis element addresses a mode, another a mode within it."""


class Never(TileworkError):
    """There is no layout for any values of the names."""


class NoInverse(TileworkError):
    """No layout is the inverse that was asked for."""


class NoLayout(TileworkError):
    """There is no layout for the names' values at the witness; `hint` and `cases` choose others."""


class NotBasis(TileworkError):
    """A stride of the result would have several components."""


class NotFlat(TileworkError):
    """A mode is not one extent with one stride."""


class NotIntegral(TileworkError):
    """A value has to be an integer and is a fraction."""


class NotPowerOfTwo(TileworkError):
    """An extent has to be a power of two, and is not."""


class NotXorLinear(TileworkError):
    """The function is not linear over XOR."""


class OutOfBounds(TileworkError, IndexError):
    """A coordinate outside of the shape."""


class Outside(TileworkError):
    """A thread accesses what is not a coordinate of the layout."""


class Overflow(TileworkError, OverflowError):
    """A number does not fit in 64 bits."""


class Overlap(TileworkError):
    """Two modes interleave, or source and destination share memory."""


class Panel(TileworkError):
    """The coordinates of an operand cut a panel of its swizzling mode."""


class Part(TileworkError):
    """The coordinates of a part are none of the operand's."""


class Phases(TileworkError):
    """Which lanes are served together is not published for this width."""


class Place(TileworkError):
    """An element is not where the descriptor has it."""


class Rank(TileworkError):
    """An argument of another rank than the operation takes."""


class Scattered(TileworkError):
    """The elements of a vector are not contiguous."""


class ShapeDivisibility(TileworkError):
    """Composition: the left layout changes its step inside a leaf of the right one."""


class Size(TileworkError):
    """Two sizes should agree, and do not."""


class Specification(TileworkError):
    """A contraction or convolution that says nothing sensible."""


class Start(TileworkError):
    """The part of an instruction begins where no descriptor can."""


class Swizzle(TileworkError):
    """No swizzle has these parameters."""


class Syntax(TileworkError):
    """The text departs from the notation."""


class Undecided(TileworkError):
    """The exact answer was not found within the budget for the work."""


class Vector(TileworkError):
    """The values of a thread are not a whole number of vectors."""


class Width(TileworkError):
    """No lane accesses a piece of this width."""
