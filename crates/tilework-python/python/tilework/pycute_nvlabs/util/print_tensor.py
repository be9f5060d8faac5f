"""A layout or a tensor of up to four modes as rows of numbers."""

from ...errors import Rank
from ._cells import limited
from ..tensor import *

__all__ = ["print_tensor"]


def print_tensor(tensor, print_type=True):
    """Prints the values, below the layout or tensor itself: rows of the first mode, and a block for each coordinate of the
    third and the fourth.

    >>> from tilework.pycute_nvlabs import ImplicitAccessor, Layout, Tensor
    >>> print_tensor(Tensor(ImplicitAccessor(10), Layout((2, 3), (3, 1))))
    {10} o (2, 3):(3, 1)
      10  11  12
      13  14  15
    """
    if rank(tensor) > 4:
        raise Rank.of("rank", f"up to four modes are printed, and {tensor} has {rank(tensor)}")
    limited(size(tensor), "values")
    if print_type:
        print(tensor)
    read = tensor if is_layout(tensor) else tensor.__getitem__
    extents = [size[i](tensor) for i in range(rank(tensor))]
    # A vector is one row.
    rows, columns, *blocks = extents if len(extents) > 1 else [1, *extents]
    cells = [str(read(i)) for i in range(size(tensor))]
    width = max(map(len, cells), default=0) + 2
    for block in range(product(tuple(blocks))):
        if block:
            print("-" * (width * columns) if block % blocks[0] else "=" * (width * columns))
        for i in range(rows):
            print("".join(cells[i + rows * (j + columns * block)].rjust(width) for j in range(columns)))
