"""The CuTe layout algebra, exact and fast: layouts, tensors, and kernels that run on any of them.

>>> from tilework import Layout
>>> data, threads = Layout("(8,8):(8,1)"), Layout("((4,8),2):((16,1),8)")
>>> print(data @ threads)
((4,8),2):((2,8),1)

A layout is written as CuTe writes it, or by tuples: `Layout((4, 8), (8, 1))`. Where a layout is wanted, a shape stands for
its compact layout and a text for what it evaluates to; where a tiler is wanted, a tuple is one by mode. `None`, `_` and
`:` leave a mode open. What does not exist is refused by an exception of `tilework.errors`, each of which is a ValueError.

The functions have CuTe's names, and most are methods as well. `filter`, `max`, `min` and `slice` are here, but not in
`from tilework import *`.
"""

from . import errors
from ._core import *  # noqa: F403
from ._core import (
    common_layout,
    common_vector,
    compact_like,
    composition,
    einsum,
    filter,
    identity,
    layout,
    max,
    min,
    ordered,
    slice,
)
from .errors import TileworkError

#: What is open in a pattern: `layout(2, _)`.
_ = None

# Other names of CuTe and its Python forms for the same functions.
make_layout = layout
make_ordered_layout = ordered
make_layout_like = compact_like
make_identity_layout = identity
compose = composition
contract = einsum
max_common_layout = common_layout
max_common_vector = common_vector

__all__ = [
    "_", "Accessor", "AnyLayout", "append", "blocked_product", "ceil_div", "coalesce", "coalesce_extended",
    "column_major", "common_coarsening", "common_layout", "common_refinement", "common_vector", "compact_like",
    "compatible", "complement", "compose", "ComposedLayout", "composition", "congruent", "constant", "contract",
    "conv", "copy", "cosize", "counting", "crd2crd", "crd2idx", "depth", "dice", "downcast", "draw", "E",
    "einsum", "equivalent", "errors", "evaluate", "explain", "filter_zeros", "flat_divide", "flat_product",
    "flatten", "FUNCTIONS", "gemm", "get", "greatest_common_domain", "group", "identity", "idx2crd", "image",
    "in_bounds", "inverse", "is_bijective", "is_compact", "is_complementable", "is_composable", "is_increasing",
    "is_injective", "is_surjective", "Layout", "layout", "layout_add", "left_inverse", "logical_divide",
    "logical_product", "make_identity_layout", "make_layout", "make_layout_like", "make_ordered_layout",
    "max_common_layout", "max_common_vector", "mode_sizes", "nullspace", "ordered", "parse", "Picture",
    "prepend", "raked_product", "rank", "recast", "replace", "right_inverse", "row_major", "select", "Session",
    "shape", "shape_div", "size", "sort", "span", "stride", "Stride", "Swizzle", "take", "Tensor",
    "tile_to_shape", "tiled_divide", "tiled_product", "Tiler", "TileworkError", "transform", "unflatten",
    "upcast", "View", "weakly_congruent", "xor", "zipped_divide", "zipped_product",
]


def __getattr__(name: str) -> object:
    # `tilework.pycute` is imported when it is asked for: most programs never do.
    if name == "pycute":
        import importlib

        return importlib.import_module("tilework.pycute")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
