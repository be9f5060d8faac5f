"""Assertions about layouts, for pytest and others: each fails with the coordinate that is wrong, and a picture.

>>> from tilework.testing import assert_conflict_free, assert_covers, assert_fits_32, assert_same_layout
>>> assert_same_layout("(4,8):(1,4)", "32:1")
>>> assert_covers("((32,32),(4,2)):((1@0,1@1),(32@0,32@1))", (128, 64))
>>> assert_conflict_free("Sw<2,3,3> o 0 o (64,32):(32,1)", "ldmatrix", bits=16)
>>> assert_fits_32("(65536,32768):(32768,1)")

A layout is what any function of `tilework` takes: a `Layout`, a text, a shape, or a swizzled layout.
"""

from itertools import chain
from typing import Any

from . import _core, errors, hardware

__all__ = ["assert_conflict_free", "assert_covers", "assert_fits_32", "assert_same_layout"]

#: The most coordinates that are compared, and the most cells of a picture.
MOST_COMPARED, MOST_CELLS = 1 << 20, 256


def assert_same_layout(actual: Any, expected: Any) -> None:
    """Two layouts have the same offset at every index, whatever their shapes.

    >>> from tilework.testing import assert_same_layout
    >>> assert_same_layout("(2,2):(2,1)", "(2,2):(1,2)")
    Traceback (most recent call last):
    AssertionError: (2,2):(2,1) and (2,2):(1,2) differ at (1,0): offsets 2 and 1
    ...
    """
    __tracebackhide__ = True
    actual, expected = _layout(actual), _layout(expected)
    # Of a swizzled layout and another one, every index is compared.
    is_one_kind = hasattr(actual, "swizzle") == hasattr(expected, "swizzle")
    if is_one_kind and _holds(_core.equivalent(actual, expected), f"{actual} and {expected} are the same"):
        return
    sizes = [_core.size(actual), _core.size(expected)]
    few = range(min(*sizes, MOST_COMPARED))
    compared = chain(few, sorted(index for index in {*_steps(actual), *_steps(expected)} if index < min(sizes)))
    index = next((index for index in compared if actual(index) != expected(index)), None)
    if index is None and sizes[0] == sizes[1] == len(few):
        return
    if index is not None:
        at = _coordinate(index, actual)
        why = f"differ at {at}: offsets {actual(index)} and {expected(index)}"
    elif sizes[0] != sizes[1]:
        why = f"have {sizes[0]} and {sizes[1]} coordinates"
    else:
        why = f"differ beyond the first {MOST_COMPARED} coordinates"
    _fail(f"{actual} and {expected} {why}", actual, expected)


def assert_covers(raster: Any, shape: Any, blocks: "int | None" = None) -> None:
    """A raster, a layout from blocks, threads and values to coordinates or indices, reaches every element of a shape once, and
    nothing else.

    >>> from tilework.testing import assert_covers
    >>> assert_covers("(2,2):(1@0,2@1)", (2, 3))
    Traceback (most recent call last):
    AssertionError: (2,2):(1@0,2@1) onto (2,3): element (0,1) is never reached
    ...
    """
    __tracebackhide__ = True
    raster = _layout(raster)
    coverage = hardware.cover(raster, shape, blocks)
    if not coverage.is_exact:
        _fail(f"{raster} onto {_plain(_core.shape(shape))}: {coverage}", raster)


def assert_conflict_free(layout: Any, access: Any, *, bits: "int | None" = None, vector: "int | None" = None, phases: Any = None) -> None:
    """An access to shared memory has no bank conflicts; the arguments are those of `tilework.hardware.banks`.

    >>> from tilework.testing import assert_conflict_free
    >>> assert_conflict_free("(32,32):(32,1)", "(32,32):(1,32)", bits=32)
    Traceback (most recent call last):
    AssertionError: (32,32):(1,32) of (32,32):(32,1): 32-way conflict: 1024 wavefronts instead of 32; lanes 0-31 access 32 words of bank 0; elements of 32 bits
    ...
    """
    __tracebackhide__ = True
    layout = _layout(layout)
    report = hardware.banks(layout, access, bits=bits, vector=vector, phases=phases)
    if not report.is_ideal:
        _fail(f"{access} of {layout}: {report}", layout, aspect="banks", element_bits=report.element_bits)


def assert_fits_32(layout: Any) -> None:
    """All offsets fit a signed integer of 32 bits.

    >>> from tilework.testing import assert_fits_32
    >>> assert_fits_32("(65536,65536):(65536,1)")
    Traceback (most recent call last):
    AssertionError: (65536,65536):(65536,1) has offset 4294967295 at (65535,65535), and 32 bits end at 2147483647
    ...
    """
    __tracebackhide__ = True
    layout = _layout(layout)
    if _holds(_core.fits(layout, 31), f"{layout} fits 32 bits"):
        return
    farthest, bound = _core.max(layout), (1 << 31) - 1
    if farthest <= bound:
        farthest, bound = _core.min(layout), -1 << 31
    at = _extreme(layout, farthest)
    _fail(f"{layout} has offset {farthest}{at}, and 32 bits end at {bound}", layout)


def _layout(given: Any) -> Any:
    """A layout, which a text or a shape may stand for."""
    read = _core.parse(given) if isinstance(given, str) else given
    return read if hasattr(read, "layout") or hasattr(read, "stride") else _core.Layout(read)


def _coordinate(index: int, layout: Any) -> str:
    return _plain(_core.idx2crd(index, _core.shape(layout)))


def _plain(tuple_: Any) -> str:
    """A tuple as it is written in layouts."""
    return str(tuple_).replace(" ", "")


def _holds(verdict: Any, what: str) -> bool:
    """A verdict; one that depends on sizes with names fails with what has to be assumed of them."""
    __tracebackhide__ = True
    try:
        return bool(verdict)
    except errors.Guard as error:
        raise AssertionError(f"{what} only if {verdict}: `tilework.assume` says so of the names") from error


def _leaves(shape: Any) -> Any:
    if isinstance(shape, tuple):
        yield from chain.from_iterable(map(_leaves, shape))
    else:
        yield shape


def _steps(layout: Any) -> Any:
    """Indices of one step along each mode, of each power of two, and of all."""
    step = 1
    for extent in _leaves(_core.shape(layout)):
        yield from (step << power for power in range((extent - 1).bit_length()))
        yield step * (extent - 1)
        step *= extent


def _extreme(layout: Any, offset: int) -> str:
    """Where a layout has its least or greatest offset, if that is known."""
    index, step = 0, 1
    if hasattr(layout, "swizzle"):
        try:
            # A swizzle is its own inverse.
            index = _core.left_inverse(layout.layout)(layout.swizzle(offset) - layout.offset)
        except ValueError:
            return ""
    else:
        for mode in _core.flatten(layout) if isinstance(layout, _core.Layout) else ():
            if mode.stride != 0 and (mode.stride > 0) == (offset > 0):
                index += step * (mode.size - 1)
            step *= mode.size
    return f" at {_coordinate(index, layout)}" if layout(index) == offset else ""


def _fail(why: str, *layouts: Any, **choices: Any) -> None:
    __tracebackhide__ = True
    try:
        picture = f"\n{_core.draw(*layouts, max_cells=MOST_CELLS, **choices)}"
    except ValueError:
        # What has no offsets that can be drawn has no picture.
        picture = ""
    raise AssertionError(why + picture)
