"""Layouts and tensors as text, SVG and LaTeX.

What is drawn is a table of the first mode downwards and the others across. The functions give the text; with a file name
as `path` they write it there as well.
"""

from html import escape
from pathlib import Path

from ..errors import Limit
from .htuple import rank
from .int_tuple import product
from .layout_base import size

__all__ = ["draw_colors", "draw_latex", "draw_latex_tv", "draw_svg", "draw_svg_tv", "print_table", "print_tensor"]

_CELL = 32
#: How many cells are drawn: more than anybody looks at.
_LIMIT = 1 << 16
_PALETTE = (
    "#afafff", "#afffaf", "#ffffaf", "#ffafaf", "#d2d2ff", "#d2ffd2", "#ffffd2", "#ffd2d2",
)  # fmt: skip


def _function(x):
    """A function of (row, column) with its extents: of a layout, a tensor, or a vector as one column."""
    if _within(size(x), "cells") and rank(x) <= 1:
        return (lambda i, j: x(i)), size(x), 1
    rows = product(x.shape[0])
    columns = product(x.shape[1:])
    if rank(x) == 2:
        return (lambda i, j: x(i, j)), rows, columns
    # The further modes are one, the leftmost of them fastest.
    return (lambda i, j: x(i + rows * j)), rows, columns


def _within(count, what):
    if count > _LIMIT:
        raise Limit.of("limit", f"{count} {what}, and no more than {_LIMIT} are drawn")
    return True


def _written(text, path):
    if path is not None:
        # `Path` takes no number: that would be the descriptor of a file that somebody has open.
        Path(path).write_text(text, encoding="utf-8")
    return text


def print_table(x, path=None):
    """The values in rows and columns with their coordinates; printed, and returned.

    >>> from tilework.pycute import Layout
    >>> _ = print_table(Layout((2, 3), (3, 1)))
          0  1  2
        +--+--+--+
     0  | 0| 1| 2|
        +--+--+--+
     1  | 3| 4| 5|
        +--+--+--+
    """
    function, rows, columns = _function(x)
    cells = [[str(function(i, j)) for j in range(columns)] for i in range(rows)]
    width = max(2, *(len(cell) for row in cells for cell in row), len(str(columns)))
    rule = "    " + ("+" + "-" * width) * columns + "+"
    lines = ["    " + "".join(" " + str(j).rjust(width) for j in range(columns)), rule]
    for i, row in enumerate(cells):
        lines += [f"{i:2}  |" + "|".join(cell.rjust(width) for cell in row) + "|", rule]
    text = "\n".join(lines)
    print(text)
    _written(text, path)
    return text


def print_tensor(x, path=None):
    """The tensor, and its values in rows and columns; printed, and returned.

    >>> from tilework.pycute import Layout, Tensor
    >>> _ = print_tensor(Tensor(10, Layout((2, 3), (3, 1))))
    {10} o (2, 3):(3, 1)
      10  11  12
      13  14  15
    """
    function, rows, columns = _function(x)
    cells = [[str(function(i, j)) for j in range(columns)] for i in range(rows)]
    width = max((len(cell) for row in cells for cell in row), default=0) + 2
    text = "\n".join([str(x), *("".join(cell.rjust(width) for cell in row) for row in cells)])
    print(text)
    _written(text, path)
    return text


def draw_colors(count=8):
    """So many colours, in which cells are filled: the lightness repeats after eight.

    >>> draw_colors(2)
    ('#afafff', '#afffaf')
    """
    _within(count, "colours")
    return tuple(_PALETTE[i % len(_PALETTE)] for i in range(count))


def _color(value, colors):
    index = value if isinstance(value, int) else getattr(value, "value", 0)
    return colors[index % len(colors)] if isinstance(index, int) else colors[0]


def _svg(rows, columns, cell):
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{(columns + 1) * _CELL}" height="{(rows + 1) * _CELL}"'
        f' font-family="monospace" font-size="11" text-anchor="middle">'
    ]
    for j in range(columns):
        parts.append(f'<text x="{(j + 1.5) * _CELL}" y="{_CELL * 0.65}">{j}</text>')
    for i in range(rows):
        y = (i + 1) * _CELL
        parts.append(f'<text x="{_CELL / 2}" y="{y + _CELL * 0.65}">{i}</text>')
        for j in range(columns):
            x = (j + 1) * _CELL
            lines, fill = cell(i, j)
            parts.append(
                f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" fill="{escape(fill)}" stroke="black"/>'
            )
            for k, line in enumerate(lines):
                height = y + _CELL * (0.65 if len(lines) == 1 else 0.4 + 0.4 * k)
                parts.append(f'<text x="{x + _CELL / 2}" y="{height}">{escape(str(line))}</text>')
    return "\n".join([*parts, "</svg>"])


def _values(x, colors):
    """The rows and columns of a picture, and for each cell its value and colour."""
    function, rows, columns = _function(x)

    def cell(i, j):
        value = function(i, j)
        return [value], _color(value, colors)

    return rows, columns, cell


def draw_svg(x, path=None, colors=_PALETTE):
    """A layout or tensor as an SVG picture.

    >>> from tilework.pycute import Layout
    >>> draw_svg(Layout((4, 8), (8, 1))).count("<rect")
    32
    """
    return _written(_svg(*_values(x, colors)), path)


def _thread_values(layout, tile, colors):
    """The rows and columns of a tile, and for each cell the (thread, value) that stands there, and its colour."""
    tile = _tile_of(layout, tile)
    rows, columns = (product(tile[0]), product(tile[1:])) if isinstance(tile, tuple) else (tile, 1)
    _within(rows * columns, "cells")
    _within(size(layout), "values")
    places = {}
    for value in range(size[1](layout)):
        for thread in range(size[0](layout)):
            places.setdefault(int(layout(thread, value)), (thread, value))

    def cell(i, j):
        at = places.get(i + rows * j)
        return ([f"T{at[0]}", f"V{at[1]}"], _color(at[0], colors)) if at else ([], "#ffffff")

    return rows, columns, cell


def _tile_of(layout, tile):
    if tile is not None:
        return getattr(tile, "shape", tile)
    # The squarest tile of as many elements that is no wider than high.
    count = layout.cosize()
    columns = next(n for n in range(int(count**0.5), 0, -1) if count % n == 0)
    return (count // columns, columns)


def draw_svg_tv(layout, tile=None, path=None, colors=_PALETTE):
    """A layout of (thread, value) to the index in a tile, as the picture of the tile: in each cell its thread and value.

    >>> from tilework.pycute import Layout
    >>> picture = draw_svg_tv(Layout(((4, 8), 2), ((16, 1), 8)), (8, 8))
    >>> picture.count("<rect"), "T31" in picture
    (64, True)
    """
    return _written(_svg(*_thread_values(layout, tile, colors)), path)


_LATEX_HEAD = (
    "\\documentclass[convert]{standalone}\n\\usepackage{tikz}\n\\begin{document}\n"
    "\\begin{tikzpicture}[x={(0cm,-1cm)},y={(1cm,0cm)},box/.style={rectangle,draw=black,thick,minimum size=1cm,"
    "anchor=center,font=\\scriptsize}]"
)


def _latex(rows, columns, cell):
    parts = [_LATEX_HEAD]
    for i in range(rows):
        for j in range(columns):
            lines, fill = cell(i, j)
            color = fill.lstrip("#").upper()
            body = "\\shortstack{" + " \\\\ ".join(map(str, lines)) + "}"
            parts.append(f"\\definecolor{{c}}{{HTML}}{{{color}}}\\node[box,fill=c] at ({i},{j}) {{{body}}};")
    parts += [f"\\node at ({i},-1) {{\\Large{{\\texttt{{{i}}}}}}};" for i in range(rows)]
    parts += [f"\\node at (-1,{j}) {{\\Large{{\\texttt{{{j}}}}}}};" for j in range(columns)]
    return "\n".join([*parts, "\\end{tikzpicture}\n\\end{document}"])


def draw_latex(x, path=None, colors=_PALETTE):
    """A layout or tensor as a LaTeX document with a TikZ picture.

    >>> from tilework.pycute import Layout
    >>> draw_latex(Layout((4, 8), (8, 1))).count("[box,fill")
    32
    """
    return _written(_latex(*_values(x, colors)), path)


def draw_latex_tv(layout, tile=None, path=None, colors=_PALETTE):
    """A layout of (thread, value) to the index in a tile, as a LaTeX document.

    >>> from tilework.pycute import Layout
    >>> "T31" in draw_latex_tv(Layout(((4, 8), 2), ((16, 1), 8)), (8, 8))
    True
    """
    return _written(_latex(*_thread_values(layout, tile, colors)), path)
