#!/usr/bin/env python3
"""How long the operations of `tilework.pycute` take, beside those of CUTLASS's pycute in the same run.

    pip install --no-deps nvidia-cutlass && python bench/drop_in_against_pycute.py

Each figure is the least of several rounds, in nanoseconds, for three pairs of layouts. Every operation of the algebra is to be
20 times faster or more; `--check` makes the exit status say it.
"""

import sys

import pycute as p
from against_pycute import nanoseconds

import tilework.pycute as t

PAIRS = {
    "small": (((4, (2, 3)), (1, (4, 8))), ((2, 3), (3, 1)), (2, (2, 3))),
    "gemm": (((128, 64), (64, 1)), ((8, 16), (64, 1)), (8, 16)),
    "hier": (((((2, 4), (2, 4), (4, 4))), ((1, 16), (2, 64), (4, 256))), ((4, 8), (8, 32)), (4, 8, 4)),
}
UNARY = ("coalesce", "filter", "right_inverse", "left_inverse")
BINARY = ("composition", "logical_divide", "zipped_divide", "tiled_divide", "logical_product", "zipped_product", "tiled_product")
BY_MODE = ("composition", "logical_divide", "zipped_divide", "tiled_divide")


def rows():
    """The name of each operation, and its arguments as shapes and strides."""
    for family, (a, b, tiler) in PAIRS.items():
        size = t.Layout(*a).size()
        yield from ((f"{name} ({family})", name, (a,)) for name in UNARY)
        yield f"complement ({family})", "complement", (b, size)
        yield from ((f"{name} ({family})", name, (a, b)) for name in BINARY)
        yield from ((f"{name} by mode ({family})", name, (a, Tiler(tiler))) for name in BY_MODE)


class Tiler(tuple):
    """A tuple that is not a layout."""


def call(module, name, arguments):
    function = getattr(module, name)
    made = [
        tuple(x) if isinstance(x, Tiler) else module.Layout(*x) if isinstance(x, tuple) else x for x in arguments
    ]
    return lambda: function(*made)


def main():
    missed = 0
    print(f"{'operation':34}{'pycute':>12}{'tilework':>12}{'ratio':>9}")
    for title, name, arguments in rows():
        theirs, ours = call(p, name, arguments), call(t, name, arguments)
        try:
            theirs()
        except AssertionError:
            continue
        slow, fast = nanoseconds(theirs), nanoseconds(ours)
        missed += slow < 20 * fast
        print(f"{title:34}{slow:12,.0f}{fast:12,.0f}{slow / fast:9.1f}{'' if slow >= 20 * fast else '   below 20'}")
    return 1 if missed and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
