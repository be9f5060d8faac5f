"""Nothing that is passed in brings the interpreter down, and `import pycute` is PyCuTe once it is installed."""

import ctypes
import doctest
import pickle
import subprocess
import sys

import examples
import malformed
import pytest

import tilework.pycute_nvlabs as cute

#: How what is asked wrongly is answered.
REFUSED = (ValueError, TypeError, IndexError, AttributeError, OverflowError, ZeroDivisionError, RecursionError, KeyError, MemoryError, StopIteration)

ODD = [
    None, True, -1, 0, 1, 4, 2**62, 2**63, -(2**70), 1.5, float("nan"), "", "(4,8):(1,4)", b"4", (), ((),), (4, ()), (0,),
    (-3, 2), (2**31, 2**33), [4, 8], {4: 8}, {4}, object(), int, len, ..., slice(None), slice(1, 2), (None, 0), ((4, 8), 2),
    ((1,) * 40), cute.Layout(4), cute.Layout((4, 8), (8, 1)), cute.Layout((2, 3), (0, -1)), cute.E(1), cute.ArithTuple(1, 2),
    cute.F2(5), cute.Layout((4, 8), (cute.E(0), cute.E(1))), cute.Layout((4, 4), (cute.F2(1), cute.F2(5))),
    cute.Layout(4, cute.ArithTuple(1, 1)), cute.Array(4), cute.make_tensor((4, 8)), ctypes.c_int, cute.V(2),
]  # fmt: skip


def test_malformed():
    # A pointer to any number would be followed.
    left_out = ("Integer", "StrideScalar", "register_integer_type", "Ptr")
    names = [name for name in cute.__all__ if callable(getattr(cute, name)) and name not in left_out]
    for generator in malformed.cases(40_000):
        function = getattr(cute, generator.choice(names))
        arguments = [malformed.draw(generator, ODD) for _ in range(generator.choice([0, 1, 1, 2, 2, 3]))]
        try:
            result = function(*arguments)
            if isinstance(result, (cute.Layout, cute.Tensor)):
                str(result), result(generator.choice(ODD))
        except REFUSED:
            pass


def test_no_text_is_repeated():
    with pytest.raises(ValueError, match="expected a number, found .4."):
        cute.Layout((2**31, 2**33), "4")


def test_deep():
    malformed.of_depth(100_000, (cute.Layout, cute.product, cute.flatten, cute.rank, lambda x: cute.composition(cute.Layout(4), x)))


def test_values():
    for layout in (cute.Layout((4, (2, 3)), (1, (4, 8))), cute.Layout((4, 8), (cute.E(0), cute.E(1)))):
        assert pickle.loads(pickle.dumps(layout)) == layout


@pytest.mark.parametrize("module", [cute, *cute._MODULES], ids=lambda module: module.__name__)
def test_examples(module):
    examples.of_module(module, vars(cute), cute.ModeOpDecorator, doctest.ELLIPSIS)


def test_page():
    """The page on the package shows what comes out."""
    assert examples.of_page("pycute_nvlabs.md") > 10


def test_installed():
    program = """
import tilework.pycute_nvlabs
tilework.pycute_nvlabs.install()
import pycute, pycute.layout, pycute.atuple, pycute.shape, pycute.stride, pycute.htuple, pycute.typedefs, pycute.tensor
import pycute.alg, pycute.alg.copy, pycute.alg.ref, pycute.alg.ref.copy, pycute.alg.ref.gemm
import pycute.util.draw_svg, pycute.util.draw_latex, pycute.util.draw_colors, pycute.util.print_table, pycute.util.print_tensor
from pycute import *
from pycute.layout import E, left_inverse, Layout as L
from pycute.atuple import ArithTuple
from pycute.alg.copy import copy
from pycute.alg.ref.gemm import gemm
from pycute.util.draw_svg import draw_svg
assert L is Layout is tilework.pycute_nvlabs.Layout and callable(shape) and callable(stride)
assert logical_divide[0](Layout((8, 5)), 2) == Layout(((2, 4), 5), ((1, 2), 8))
assert 'Union' not in globals() and 'alg' not in globals()
"""
    subprocess.run([sys.executable, "-c", program], check=True)
