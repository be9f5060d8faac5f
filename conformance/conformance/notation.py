"""CuTe's notation: integers, tuples, layouts `S:D`, tilers by mode `<L,M>`, and swizzled layouts `Sw<B,M,S> o O o L`.

Numbers of any size. Reading takes what implementations print: white space, `_4` for a static 4, and `(4,)` for a tuple of one.
"""

import re
from dataclasses import dataclass
from typing import Union

Tree = Union[int, tuple]


@dataclass(frozen=True)
class Layout:
    shape: Tree
    stride: Tree

    def __str__(self):
        return f"{text(self.shape)}:{text(self.stride)}"


@dataclass(frozen=True)
class Tiler:
    modes: tuple

    def __str__(self):
        return f"<{','.join(map(str, self.modes))}>"


@dataclass(frozen=True)
class Swizzled:
    bits: int
    base: int
    shift: int
    offset: int
    layout: Layout

    @property
    def shape(self):
        return self.layout.shape

    def __str__(self):
        return f"Sw<{self.bits},{self.base},{self.shift}> o {self.offset} o {self.layout}"


def text(value):
    """
    >>> text((4, (2, 3))), text(True), text(Layout((4,), (1,)))
    ('(4,(2,3))', 'true', '(4):(1)')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"({','.join(map(text, value))})"
    return str(value)


def read(written):
    """
    >>> read("(_4, 8):(8, 1)")
    Layout(shape=(4, 8), stride=(8, 1))
    >>> read("<4:1,(2,2):(4,1)>").modes[0], read("(4,)"), read("true")
    (Layout(shape=4, stride=1), (4,), True)
    """
    rest = re.sub(r"\s+|_", "", written)
    if rest in ("true", "false"):
        return rest == "true"
    swizzle = re.fullmatch(r"Sw<(\d+),(\d+),(-?\d+)>o\{?(-?\d+)\}?o(.*)", rest)
    if swizzle:
        *numbers, layout = swizzle.groups()
        return Swizzled(*map(int, numbers), read(layout))
    if rest.startswith("<") and rest.endswith(">"):
        modes, rest = [], "," + rest[1:-1]
        while rest:
            layout, rest = _layout(rest[1:])
            modes.append(layout)
        return Tiler(tuple(modes))
    value, rest = _layout(rest) if ":" in rest else _tree(rest)
    if rest:
        raise ValueError(f"not read: {rest} of {written}")
    return value


def _layout(rest):
    shape, rest = _tree(rest)
    if not rest.startswith(":"):
        raise ValueError(f"no strides: {rest}")
    stride, rest = _tree(rest[1:])
    if not congruent(shape, stride) or min(leaves(shape), default=1) < 1:
        raise ValueError(f"no layout: {shape}:{stride}")
    return Layout(shape, stride), rest


def _tree(rest):
    if not rest.startswith("("):
        number = re.match(r"-?\d+", rest)
        if not number:
            raise ValueError(f"no number: {rest}")
        return int(number[0]), rest[number.end() :]
    parts, rest = [], "," + rest[1:]
    while rest.startswith(",") and rest[1:2] != ")":
        part, rest = _tree(rest[1:])
        parts.append(part)
    rest = rest.removeprefix(",")
    if not rest.startswith(")"):
        raise ValueError(f"no end of a tuple: {rest}")
    return tuple(parts), rest[1:]


def leaves(tree):
    """
    >>> leaves((4, (2, 3)))
    [4, 2, 3]
    """
    return [leaf for part in tree for leaf in leaves(part)] if isinstance(tree, tuple) else [tree]


def congruent(a, b):
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(congruent, a, b))
    return not isinstance(a, tuple) and not isinstance(b, tuple)


def modes(layout):
    """The modes of a layout; a leaf is its own only mode."""
    if isinstance(layout.shape, tuple):
        return list(map(Layout, layout.shape, layout.stride))
    return [layout]


def joined(parts):
    """The layout with these modes; of one part the part itself."""
    if len(parts) == 1:
        return parts[0]
    return Layout(tuple(part.shape for part in parts), tuple(part.stride for part in parts))
