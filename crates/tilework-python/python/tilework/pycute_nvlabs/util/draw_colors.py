"""Colours of cells, `(r, g, b)` of 0 to 255: of an offset, or of a thread and a value.

>>> index_grey_8x(0), index_grey_8x(9) == index_grey_8x(1), thread_color_8x(3, 0) == value_color_8x(0, 3), white(5)
((255, 255, 255), True, True, (255, 255, 255))
"""

import colorsys

__all__ = [
    "bank_color_16x", "bank_color_32x", "bank_color_8x", "constant", "index_grey_8x", "thread_color_8x", "value_color_8x",
    "warp_color_8x", "white",
]  # fmt: skip

_PALETTE = (
    (175, 175, 255), (175, 255, 175), (255, 255, 175), (255, 175, 175), (210, 210, 255), (210, 255, 210), (255, 255, 210),
    (255, 210, 210),
)  # fmt: skip


def _number(idx):
    """An offset as a number: of an `F2` its value, of a coordinate the sum of its components."""
    try:
        return int(idx)
    except (TypeError, ValueError):
        return sum(map(_number, idx))


def _hue(index, count):
    return tuple(round(255 * part) for part in colorsys.hsv_to_rgb(index % count / count, 0.35, 1.0))


def index_grey_8x(idx):
    """Eight greys that repeat."""
    level = 255 - 16 * (_number(idx) % 8)
    return (level, level, level)


def bank_color_8x(idx):
    """Eight colours that repeat."""
    return _hue(_number(idx), 8)


def bank_color_16x(idx):
    """Sixteen colours that repeat."""
    return _hue(_number(idx), 16)


def bank_color_32x(idx):
    """Thirty-two colours that repeat, one for each bank of 4 bytes."""
    return _hue(_number(idx), 32)


def thread_color_8x(tid, vid):
    """Eight colours that repeat with the thread."""
    return _PALETTE[tid % 8]


def value_color_8x(tid, vid):
    """Eight colours that repeat with the value."""
    return _PALETTE[vid % 8]


def warp_color_8x(tid, vid):
    """Eight colours that repeat with the warp of 32 threads."""
    return _PALETTE[tid // 32 % 8]


def white(*_):
    """White for every cell."""
    return (255, 255, 255)


def constant(rgb):
    """The function that gives every cell this colour.

    >>> constant((1, 2, 3))(7)
    (1, 2, 3)
    """
    return lambda *_: rgb
