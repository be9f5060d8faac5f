#!/usr/bin/env python3
"""How long the operations take from Python, beside CUTLASS's pycute in the same run.

    pip install --no-deps nvidia-cutlass && python bench/against_pycute.py

Each figure is the least of several rounds, in nanoseconds. Targets: every operation of the algebra 20 times faster or
more, all 4,096 offsets of a layout 1,000 times, `import tilework` below 50 ms. `--check` makes the exit status say it.
"""

import subprocess
import sys
import timeit

import pycute as p

import tilework as t

#: What questions and small accesses cost is mostly the call; they are here to be seen and have no target.
ALGEBRA, OTHER = 20, 0

A, B, TILES, PADDED = ("(8,8):(8,1)", "((4,8),2):((16,1),8)", "((2,2),(2,4)):((1,16),(2,4))", "(6,(4,2)):(1,(8,100))")


def both(text):
    layout = t.Layout(text)
    return p.Layout(layout.shape, layout.stride), layout


(pa, ta), (pb, tb), (pt, tt), (pp, tp) = map(both, (A, B, TILES, PADDED))
(p4, t4), (pflat, tflat) = both("4:1"), both("(64,64):(64,1)")

ROWS = [
    ("coalesce", ALGEBRA, lambda: p.coalesce(pt), lambda: t.coalesce(tt)),
    ("coalesce by mode", ALGEBRA, lambda: p.coalesce(pt, (1, 1)), lambda: t.coalesce(tt, (1, 1))),
    ("filter", ALGEBRA, lambda: p.filter(pt), lambda: t.filter(tt)),
    ("composition", ALGEBRA, lambda: p.composition(pa, pb), lambda: t.composition(ta, tb)),
    ("composition, padded", ALGEBRA, lambda: p.composition(pp, p4), lambda: t.composition(tp, t4)),
    ("composition by mode", ALGEBRA, lambda: p.composition(pa, (2, 4)), lambda: t.composition(ta, (2, 4))),
    ("complement", ALGEBRA, lambda: p.complement(pb, 128), lambda: t.complement(tb, 128)),
    ("right_inverse", ALGEBRA, lambda: p.right_inverse(pa), lambda: t.right_inverse(ta)),
    ("left_inverse", ALGEBRA, lambda: p.left_inverse(pa), lambda: t.left_inverse(ta)),
    ("logical_divide", ALGEBRA, lambda: p.logical_divide(pa, p4), lambda: t.logical_divide(ta, t4)),
    ("logical_divide by mode", ALGEBRA, lambda: p.logical_divide(pa, (2, 4)), lambda: t.logical_divide(ta, (2, 4))),
    ("zipped_divide", ALGEBRA, lambda: p.zipped_divide(pa, (2, 4)), lambda: t.zipped_divide(ta, (2, 4))),
    ("tiled_divide", ALGEBRA, lambda: p.tiled_divide(pa, (2, 4)), lambda: t.tiled_divide(ta, (2, 4))),
    ("logical_product", ALGEBRA, lambda: p.logical_product(pb, pa), lambda: t.logical_product(tb, ta)),
    ("zipped_product", ALGEBRA, lambda: p.zipped_product(pa, pb), lambda: t.zipped_product(ta, tb)),
    ("tiled_product", ALGEBRA, lambda: p.tiled_product(pa, pb), lambda: t.tiled_product(ta, tb)),
    ("4,096 offsets", 1000, lambda: [pflat(i) for i in range(4096)], lambda: tflat.offsets()),
    ("layout(22)", OTHER, lambda: pt(22), lambda: tt(22)),
    ("layout(2, 5)", OTHER, lambda: pt(2, 5), lambda: tt(2, 5)),
    ("size", OTHER, lambda: p.size(pt), lambda: t.size(tt)),
    ("cosize", OTHER, lambda: p.cosize(pt), lambda: t.cosize(tt)),
    ("crd2idx", OTHER, lambda: p.crd2idx((2, 5), (4, 8)), lambda: t.crd2idx((2, 5), (4, 8))),
    ("idx2crd", OTHER, lambda: p.idx2crd(22, (4, 8)), lambda: t.idx2crd(22, (4, 8))),
    ("slice", OTHER, lambda: p.slice_and_offset((2, None), pa), lambda: ta(2, None)),
    ("layout[0]", OTHER, lambda: pt[0], lambda: tt[0]),
    ("a new layout", OTHER, lambda: p.Layout((8, 8), (8, 1)), lambda: t.Layout((8, 8), (8, 1))),
    ("str", OTHER, lambda: str(pt), lambda: str(tt)),
]


def nanoseconds(function):
    once = min(timeit.repeat(function, number=1, repeat=3))
    number = max(1, int(0.004 / (once + 1e-9)))
    return min(timeit.repeat(function, number=number, repeat=15)) / number * 1e9


def import_milliseconds():
    """Import of the package in a new interpreter, the least of several."""
    program = "import time; begin = time.perf_counter(); import tilework; print(time.perf_counter() - begin)"
    run = lambda: subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)  # noqa: E731
    return min(float(run().stdout) for _ in range(10)) * 1e3


def main():
    print(f"{'operation':26}{'pycute':>12}{'tilework':>12}{'ratio':>9}   target")
    missed = []
    for name, target, theirs, ours in ROWS:
        slow, fast = nanoseconds(theirs), nanoseconds(ours)
        ratio = slow / fast
        print(f"{name:26}{slow:12,.0f}{fast:12,.0f}{ratio:9.1f}   {target or ''}")
        if ratio < target:
            missed.append(f"{name}: {ratio:.1f} of {target}")
    milliseconds = import_milliseconds()
    print(f"import tilework: {milliseconds:.1f} ms   target 50")
    if milliseconds > 50:
        missed.append(f"import: {milliseconds:.1f} ms of 50")
    for line in missed:
        print("missed:", line)
    return 1 if missed and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
