"""Nothing that is passed in brings the interpreter down, and `import pycute` is CUTLASS's once it is installed."""

import pickle
import subprocess
import sys

import examples
import malformed
import pytest
import random_layouts as truth

import tilework
import tilework.pycute as cute
from tilework.pycute import operation, refusals

MODULES = [cute, *cute._MODULES, operation, refusals]
#: How what is asked wrongly is answered.
REFUSED = (ValueError, TypeError, IndexError, AttributeError, OverflowError, ZeroDivisionError, RecursionError, KeyError, MemoryError)

ODD = [
    None, True, -1, 0, 1, 4, 2**62, 2**63, -(2**70), 1.5, float("nan"), "", "(4,8):(1,4)", b"4", (), ((),), (4, ()), (0,),
    (-3, 2), (2**31, 2**33), [4, 8], {4: 8}, {4}, object(), int, len, ..., slice(None), slice(1, 2), (None, 0), ((4, 8), 2),
    ((1,) * 40), cute.Layout(4), cute.Layout((4, 8), (8, 1)), cute.Layout((2, 3), (0, -1)), tilework.E(1),
    tilework.Layout((4, 8), (tilework.E(0), tilework.E(1))), tilework.Layout("(4,4):(^1,^5)"), cute.Swizzle(3, 4, 3),
    cute.ComposedLayout(cute.Swizzle(2, 0, 3), 0, cute.Layout(8)),
]  # fmt: skip


def test_malformed():
    names = [n for n in cute.__all__ if callable(getattr(cute, n)) and n not in ("install", "Union", "chain", "reduce", "Integer")]
    for generator in malformed.cases(40_000):
        name = generator.choice(names)
        function = getattr(cute, name)
        arguments = [odd(generator) for _ in range(generator.choice([0, 1, 1, 2, 2, 3]))]
        try:
            result = function(*arguments)
            if isinstance(result, (cute.Layout, cute.Swizzle)):
                str(result), result(generator.choice(ODD))
        except REFUSED:
            pass


def odd(generator):
    return cute.Layout(*truth.parts(generator)) if generator.random() < 0.2 else malformed.draw(generator, ODD)


def test_deep():
    malformed.of_depth(100_000, (cute.Layout, cute.product, cute.flatten, lambda x: cute.composition(cute.Layout(4), x)))


def test_refusals():
    """Where pycute is silently wrong or fails by chance, there is a `ValueError` that says why."""
    for call in [
        lambda: cute.Layout((2, 3), (1,)), lambda: cute.Layout(0), lambda: cute.Layout((4, "a")),
        lambda: cute.composition(cute.Layout((4, 2), (1, 16)), 5), lambda: cute.complement(cute.Layout((2, 2), (2, 3)), 19),
        lambda: cute.logical_divide(cute.Layout(12), cute.Layout((2, 2), (1, 3))), lambda: cute.Layout((4, 8))((1, 2, 3)),
        lambda: cute.composition(cute.Layout(4), "x"), lambda: cute.crd2idx((1, 2), 3), lambda: cute.shape_div(6, 4),
        lambda: cute.logical_divide(cute.Layout(4), (2, 2)), lambda: cute.Swizzle(-1, 0, 0),
    ]:  # fmt: skip
        with pytest.raises(ValueError):
            call()


def test_symbols():
    """Tuples and evaluation take symbols of SymPy; where a number has to be known, the error names the symbol."""
    import sympy

    N = sympy.Symbol("N", integer=True, positive=True)
    layout = cute.Layout((4, 8))
    assert cute.product((4, N)) == 4 * N and cute.prefix_product((4, N, 2)) == (1, 4, 4 * N) and layout(1, N) == 4 * N + 1
    for wrong in [
        lambda: cute.Layout(N), lambda: cute.Layout((4, 8), (2 * N, 1)), lambda: cute.make_layout((4, N)), lambda: cute.coalesce(N),
        lambda: cute.composition(layout, N), lambda: cute.logical_divide(layout, (N, 2)), lambda: cute.complement(cute.Layout(4), N),
        lambda: cute.right_inverse(N), lambda: cute.zipped_product(layout, N), lambda: cute.Swizzle(N, 1, 2),
    ]:  # fmt: skip
        with pytest.raises(ValueError, match=r"found the symbol (2\*)?N; tilework.Layout takes symbols as names"):
            wrong()
    with tilework.Scope():  # The package itself takes them as names.
        assert str(tilework.Layout(N)) == "N:1" and str(tilework.size((4, N))) == "4*N"
        assert str(tilework.composition(layout.native, N)) == "N:1"


def test_values():
    layout = cute.Layout((4, (2, 3)), (1, (4, 8)))
    assert pickle.loads(pickle.dumps(layout)) == layout and hash(layout) == hash(cute.Layout(*truth.plain(layout)))
    swizzled = cute.ComposedLayout(cute.Swizzle(2, 0, 3), 1, layout)
    assert pickle.loads(pickle.dumps(swizzled)) == swizzled
    with pytest.raises(ValueError, match="integer stride"):
        cute.Layout((4, 8), (tilework.E(0), tilework.E(1)))
    assert layout.native.size == 24 and "composition" in repr(cute.composition)


def test_offsets():
    numpy = pytest.importorskip("numpy")
    layout = cute.Layout((4, (2, 3)), (8, (4, 1)))
    assert numpy.array_equal(layout.offsets(), truth.offsets(layout))


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_examples(module):
    examples.of_module(module, vars(cute), operation.Operation)


def test_page():
    """The page on the package shows what comes out."""
    assert examples.of_page("pycute.md") > 20


def test_everything_is_documented():
    for name in cute.__all__:
        assert name in ("Union", "chain", "reduce") or getattr(cute, name).__doc__, name


def test_installed():
    program = """
import tilework.pycute
tilework.pycute.install()
import pycute, pycute.layout, pycute.int_tuple, pycute.swizzle, pycute.typing
import pycute as cute
from pycute import *
from pycute import Layout, composition, Swizzle
from pycute.layout import left_inverse
from pycute.int_tuple import product, flatten
from pycute.swizzle import ComposedLayout
from pycute.typing import Integer
assert pycute.layout.Layout is Layout is cute.Layout is tilework.pycute.Layout
assert pycute.layout.composition(Layout(8, 2), 4) == Layout(4, 2)
assert isinstance(3, Integer) and filter(Layout((4, 2), (1, 0))) == Layout(4, 1)
"""
    subprocess.run([sys.executable, "-c", program], check=True)
