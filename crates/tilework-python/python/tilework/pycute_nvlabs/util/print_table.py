"""A layout or a tensor of two modes as a table with lines."""

from ...errors import Rank
from ._cells import rank, table

__all__ = ["print_table"]


def print_table(tensor, print_type=True):
    """Prints the values in rows and columns with their coordinates, below the layout or tensor itself.

    >>> from tilework.pycute_nvlabs import Layout
    >>> print_table(Layout((2, 3), (3, 1)))
    (2, 3):(3, 1)
    +---+---+---+---+
    |   | 0 | 1 | 2 |
    +===+===+===+===+
    | 0 | 0 | 1 | 2 |
    +---+---+---+---+
    | 1 | 3 | 4 | 5 |
    +---+---+---+---+
    """
    if rank(tensor) > 2:
        raise Rank.of("rank", f"a table has two modes, and {tensor} has {rank(tensor)}")
    rows, columns, value = table(tensor)
    lines = [["", *map(str, range(columns))]]
    lines += [[str(i), *(str(value(i, j)) for j in range(columns))] for i in range(rows)]
    widths = [max(map(len, column)) for column in zip(*lines)]
    rule = "+" + "+".join("-" * (width + 2) for width in widths) + "+"
    if print_type:
        print(tensor)
    print(rule)
    for i, line in enumerate(lines):
        print("| " + " | ".join(cell.rjust(width) for cell, width in zip(line, widths)) + " |")
        print(rule.replace("-", "=") if i == 0 else rule)
