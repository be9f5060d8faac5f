"""Pictures as SVG files."""

from html import escape
from pathlib import Path

from ._cells import threads_and_values, values
from .draw_colors import *
from .draw_colors import index_grey_8x, thread_color_8x

__all__ = ["draw_svg", "draw_svg_tv"]

_CELL = 32


def draw_svg(layout, filename="layout.svg", color=index_grey_8x):
    """Writes a layout or a tensor as a picture; `color` is a function of the value of a cell.

    >>> import tempfile, pathlib
    >>> from tilework.pycute_nvlabs import Layout
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     draw_svg(Layout((4, 8), (8, 1)), pathlib.Path(folder) / "a.svg")
    ...     (pathlib.Path(folder) / "a.svg").read_text().count("<rect")
    32
    """
    _write(filename, *values(layout, color))


def draw_svg_tv(layout, tile_mn=None, filename="layout.svg", color=thread_color_8x):
    """Writes a layout of (thread, value) to coordinates of a tile as a picture of the tile; `color` is a function of both.

    >>> import tempfile, pathlib
    >>> from tilework.pycute_nvlabs import Layout
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     draw_svg_tv(Layout(((4, 8), 2), ((16, 1), 8)), (8, 8), pathlib.Path(folder) / "a.svg")
    ...     ">T31<" in (pathlib.Path(folder) / "a.svg").read_text()
    True
    """
    _write(filename, *threads_and_values(layout, tile_mn, color))


def _write(filename, rows, columns, cell):
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
            parts.append(f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" fill="#{fill}" stroke="black"/>')
            for k, line in enumerate(lines):
                height = y + _CELL * (0.65 if len(lines) == 1 else 0.4 + 0.4 * k)
                parts.append(f'<text x="{x + _CELL / 2}" y="{height}">{escape(str(line))}</text>')
    Path(filename).write_text("\n".join([*parts, "</svg>"]), encoding="utf-8")
