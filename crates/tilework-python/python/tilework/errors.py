"""The errors of tilework: one class for each condition, all of them `TileworkError` and `ValueError`.

>>> import tilework
>>> try:
...     tilework.composition("(4,6,8):(2,3,5)", "6:1")
... except tilework.errors.ShapeDivisibility as error:
...     print(error.code, isinstance(error, ValueError))
shape-divisibility True
"""

from __future__ import annotations


class TileworkError(ValueError):
    """The result does not exist, or could not be decided. As text it is `CODE: sentence`; below it, of a text that is wrong, is the line
    with the place.

    >>> import tilework
    >>> try:
    ...     tilework.einfold("(ab)c -> cad", ((4, 2), 8))
    ... except tilework.TileworkError as error:
    ...     print(error)
    syntax: expected a name of the left side, or a size, found `d` at byte 11 of the pattern
      (ab)c -> cad
                 ^
    """

    #: A short, stable name of the condition, from the name of the class; the command line prints the same.
    code: str = "error"
    #: The sentence alone.
    message: str = ""
    #: A way to avoid the error, if one is known.
    help: str | None = None
    #: The part of a text that the error is about: `text[slice(*span)]`.
    span: tuple[int, int] = (0, 0)

    @staticmethod
    def of(
        code: str, message: str, help: str | None = None, span: tuple[int, int] = (0, 0), text: str = ""
    ) -> TileworkError:
        """The error of this code, about a part of a text."""
        sentence = f"{code}: {message}" + (f"; {help}" if help else "")
        error = _CLASSES.get(code, TileworkError)(sentence + (_marked(text, *span) if text else ""))
        error.code, error.message, error.help, error.span = code, message, help, span
        return error

    def __init_subclass__(cls) -> None:
        # A subclass of a class with a code is not a new condition.
        if TileworkError in cls.__bases__ and cls.__module__ == __name__:
            cls.code = "".join("-" * letter.isupper() + letter for letter in cls.__name__)[1:].lower()
            _CLASSES[cls.code] = cls


_CLASSES: dict[str, type[TileworkError]] = {}
_WIDTH = 120


def _marked(text: str, start: int, end: int) -> str:
    """The line of the first character, or what is around it, and marks under the part."""
    begin = max(text.rfind("\n", 0, start) + 1, start - _WIDTH // 2)
    line = text[begin : begin + _WIDTH].partition("\n")[0]
    shown = "".join(character if character.isprintable() else " " for character in line)
    return f"\n  {shown}\n  {' ' * (start - begin)}{'^' * max(1, min(end - begin, len(line)) - (start - begin))}"


class Absent(TileworkError):
    """An instruction accesses an offset that a layout does not have."""


class Aliasing(TileworkError):
    """Two coordinates of the destination have the same offset."""


class Argument(TileworkError):
    """An argument is outside its range."""


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
    """Composition: a sum of steps of the right layout passes a point where the left one changes its step."""


class CarrylessScale(TileworkError):
    """Carry-less and integer multiples of an XOR stride differ within the extent."""


class Certificate(TileworkError):
    """A certificate makes a false claim."""


class Codomain(TileworkError):
    """An operation that is not defined for such strides."""


class Coordinate(TileworkError):
    """A coordinate that does not fit the shape."""


class Divisibility(TileworkError):
    """A quantity does not divide another that it must divide."""


class Element(TileworkError):
    """An instruction does not take elements of this many bits."""


class Extent(TileworkError):
    """An extent is less than 1."""


class Fact(TileworkError):
    """A fact that the scope of symbolic layouts cannot take, or that does not fit the others."""


class Field(TileworkError):
    """A distance does not fit the field of a descriptor."""


class Gap(TileworkError):
    """Divide: a gap of the tile cannot be filled whole."""


class GlobalExtent(TileworkError):
    """An extent that the tensor memory accelerator does not take."""


class GlobalStride(TileworkError):
    """A stride that the tensor memory accelerator does not take."""


class Guard(TileworkError):
    """An answer was used where its guard fails, or its truth depends on values."""


class Image(TileworkError, IndexError):
    """Offsets that the data does not have."""


class Impossible(TileworkError):
    """No swizzle, XOR layout, padding or mode leaves all accesses free of conflicts."""


class Incongruent(TileworkError):
    """Two tuples that must have the same nesting do not."""


class Index(TileworkError, IndexError):
    """There is no such mode."""


class Kernel(TileworkError):
    """A program for a GPU is wrong, or cannot be run so."""


class Kind(TileworkError, TypeError):
    """An argument of the wrong kind."""


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


class Mode(TileworkError):
    """A swizzle that an instruction does not take for these elements."""


class Modes(TileworkError):
    """More dimensions than the tensor memory accelerator has, or none that is contiguous."""


class Name(TileworkError):
    """A name that means nothing in an expression, or is that of no storage format."""


class NegativeStride(TileworkError):
    """The operation takes no negative stride."""


class NestedBasis(TileworkError):
    """One basis element addresses a mode, another a mode inside it."""


class Never(TileworkError):
    """There is no layout for any values of the names."""


class NoInverse(TileworkError):
    """No layout is the requested inverse."""


class NoLayout(TileworkError):
    """There is no layout for the names' values at the witness; `hint` and `cases` choose others."""


class NotBasis(TileworkError):
    """The components of a stride of the result do not fit."""


class NotFlat(TileworkError):
    """A mode is not one extent with one stride."""


class NotIntegral(TileworkError):
    """A value that must be an integer is a fraction."""


class NotPowerOfTwo(TileworkError):
    """An extent that must be a power of two is not."""


class NotXorLinear(TileworkError):
    """The function is not linear over XOR."""


class OutOfBounds(TileworkError, IndexError):
    """A coordinate outside of the shape."""


class Outside(TileworkError):
    """A coordinate that a layout does not have, or an offset outside a storage."""


class Overflow(TileworkError, OverflowError):
    """A number does not fit in 64 bits."""


class Overlap(TileworkError):
    """Two modes interleave, or source and destination share memory."""


class Panel(TileworkError):
    """The coordinates of an operand cut a panel of its swizzling mode."""


class Pattern(TileworkError):
    """A group or a size of a pattern is not that of the modes."""


class Part(TileworkError):
    """The coordinates of a part are not coordinates of the operand."""


class Phases(TileworkError):
    """The lanes that one wavefront serves are not published for this width."""


class Place(TileworkError):
    """An element is not at the offset that the descriptor gives it."""


class Rank(TileworkError):
    """An argument of another rank than the operation takes."""


class Scattered(TileworkError):
    """The elements of a vector are not contiguous."""


class SeveralComponents(TileworkError):
    """The operation takes strides along one component each."""


class ShapeDivisibility(TileworkError):
    """Composition: the left layout changes its step inside a leaf of the right one."""


class Size(TileworkError):
    """Two sizes that must agree do not, or a storage format does not admit a size."""


class Skew(TileworkError):
    """A tile that moves forward along several components leaves a coordinate out."""


class Specification(TileworkError):
    """An invalid contraction or convolution, or record of a storage format."""


class Start(TileworkError):
    """An instruction's part of an operand begins at an offset that no descriptor can have."""


class Swizzle(TileworkError):
    """No swizzle has these parameters."""


class Syntax(TileworkError):
    """The text does not follow the notation."""


class Undecided(TileworkError):
    """The exact result was not found within the work budget."""


class Vector(TileworkError):
    """The values of a thread are not a whole number of vectors."""


class Width(TileworkError):
    """The width of elements is not given, given twice, or one that no lane accesses."""
