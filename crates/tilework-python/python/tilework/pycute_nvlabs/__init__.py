"""PyCuTe, the reference implementation of the paper, on the exact algebra.

>>> from tilework.pycute_nvlabs import *
>>> composition(Layout((8, 8), (8, 1)), Layout(((4, 8), 2), ((16, 1), 8)))
Layout(((4, 8), 2), ((2, 8), 1))
>>> size[0](Layout((4, 8))), complement(Layout(4, 2), extend=24), logical_divide[0](Layout((8, 5)), 2)
(4, Layout((2, 3), (1, 8)), Layout(((2, 4), 5), ((1, 2), 8)))

A program that says `import pycute` runs on it unchanged after `install()`. Results have PyCuTe's form and value
if these are right; otherwise they are the exact result or a `ValueError`. `tilework.pycute` is the other package of that name,
CUTLASS's.
"""

from . import typedefs, f2, htuple, atuple, shape, stride, layout, accessor, tensor, alg, util

#: Two modules have the name of a function; under that name the package has the function.
_MODULES = (
    typedefs, f2, htuple, atuple, shape, stride, layout, accessor, tensor, alg, alg.copy, alg.ref, alg.ref.copy,
    alg.ref.gemm, util, util.draw_colors, util.draw_latex, util.draw_svg, util.print_table, util.print_tensor,
)  # fmt: skip

from .tensor import *  # noqa: E402
from .tensor import __all__  # noqa: E402
from .._install import install_as  # noqa: E402


def install(name="pycute"):
    """Makes `import pycute` mean this package, in this process and from now on.

    A program that has already imported another pycute keeps it.
    """
    install_as(name, __name__, _MODULES)
