"""The cells of a picture: a table of the first mode downwards and the others across."""

from ...errors import Kind, Limit
from ..tensor import *

#: The largest number of cells drawn.
_LIMIT = 1 << 16


def limited(count, what):
    """The count, refused above the limit."""
    if count > _LIMIT:
        raise Limit.of("limit", f"{count} {what}, and no more than {_LIMIT} are drawn")
    return count


def table(x):
    """Rows, columns, and the value at (row, column) of a layout or a tensor; a vector is one row."""
    if not hasattr(x, "shape"):
        raise Kind.of("kind", f"a layout or a tensor is drawn, and not {type(x).__name__}")
    read = x if is_layout(x) else x.__getitem__
    limited(size(x), "cells")
    if rank(x) <= 1:
        return 1, size(x), lambda i, j: read(j)
    rows = size[0](x)
    # The other modes are joined to one, the leftmost fastest.
    return rows, size(x) // rows, lambda i, j: read(i + rows * j)


def values(x, color):
    """Rows, columns, and for each cell its lines of text and its colour."""
    rows, columns, value = table(x)
    return rows, columns, lambda i, j: ([value(i, j)], _rgb(color(value(i, j))))


def threads_and_values(layout, tile, color):
    """The cells of a tile that a layout of (thread, value) fills: the thread and value of each, and its colour."""
    limited(size(layout), "values")
    tile = coshape(layout) if tile is None else getattr(tile, "shape", tile)
    extents = product_each(tile)
    rows, columns = extents[0], product(extents[1:])
    limited(rows * columns, "cells")
    places = {}
    for value in range(size[1](layout)):
        for thread in range(size[0](layout)):
            places.setdefault(crd2idx(layout(thread, value), extents), (thread, value))

    def cell(i, j):
        at = places.get(i + rows * j)
        return ([f"T{at[0]}", f"V{at[1]}"], _rgb(color(*at))) if at else ([], "FFFFFF")

    return rows, columns, cell


def _rgb(color):
    """A colour of three parts, 0 to 255 each, or 0 to 1 as fractions."""
    parts = [round(255 * part) if isinstance(part, float) and part <= 1 else int(part) for part in color]
    return "".join(f"{max(0, min(255, part)):02X}" for part in parts)
