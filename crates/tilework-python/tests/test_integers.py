"""An integer is whatever has `__index__`: every function of the packages gives for NumPy's scalars and for truth values
what it gives for `int`, and gives `int` back."""

import ast
import re

import numpy as np
import pytest

import tilework
from tilework import FUNCTIONS, pycute

KINDS = [np.int64, np.int32, np.uint8, bool]

L, M = "(4,8):(8,1)", "(2,4):(4,1)"

#: Calls with integers in every place that takes them.
NATIVE = [
    ("size", (4, 8)), ("rank", (4, 8)), ("depth", (4, 8)), ("shape", (4, (2, 2))), ("stride", (4, 8)), ("cosize", 5), ("min", 5),
    ("max", 5), ("span", 5), ("image", (2, 3)), ("layout", (4, 8), (8, 1)), ("column_major", (4, 8)), ("row_major", (4, 8)),
    ("ordered", (4, 8), (1, 0)), ("compact_like", (4, 8)), ("identity", (4, 8)), ("evaluate", L, (1, 5)), ("evaluate", L, 21),
    ("crd2idx", (1, 5), (4, 8)), ("crd2idx", (1, 5), (4, 8), (8, 1)), ("idx2crd", 21, (4, 8)), ("crd2crd", 5, (2, 4), (4, 2)),
    ("in_bounds", (1, 5), (4, 8)), ("slice", L, (1, None)), ("dice", L, (1, None)), ("shape_div", (4, 8), 2), ("ceil_div", 7, 2),
    ("mode_sizes", (4, (2, 2))), ("common_refinement", (4, 6), (4, (2, 3))), ("common_coarsening", (4, 6), (2, 12)), ("get", L, 1),
    ("flatten", (4, (8, 2))), ("unflatten", (4, 8, 2), (1, (1, 1))), ("group", L, 0, 2), ("take", L, 0, 1), ("select", L, 1, 0),
    ("append", L, 2), ("prepend", L, 2), ("replace", L, 1, 4), ("coalesce", (4, 8)), ("coalesce_extended", (4, 8)),
    ("filter", (4, 8)), ("filter_zeros", (4, 8)), ("sort", (4, 8)), ("composition", L, 4), ("composition", L, (2, 4)),
    ("complement", 4, 24), ("complement", "4:2", 24), ("right_inverse", (4, 8)), ("left_inverse", (4, 8)), ("inverse", (4, 8)),
    ("nullspace", (4, 8)), ("logical_divide", L, (2, 4)), ("zipped_divide", L, (2, 4)), ("tiled_divide", L, (2, 4)),
    ("flat_divide", L, (2, 4)), ("logical_product", M, (2, 4)), ("zipped_product", M, (2, 4)), ("tiled_product", M, (2, 4)),
    ("flat_product", M, (2, 4)), ("blocked_product", M, (2, 4)), ("raked_product", M, (2, 4)), ("tile_to_shape", M, (4, 8)),
    ("upcast", "8:1", 2), ("downcast", "8:1", 2), ("recast", "8:1", 16, 8), ("common_layout", 8, 4), ("common_vector", 8, 4),
    ("layout_add", 8, 8), ("greatest_common_domain", 8, 8), ("congruent", (4, 8), (1, 2)), ("weakly_congruent", 4, (1, 2)),
    ("compatible", 32, (4, 8)), ("equivalent", 32, (4, 8)), ("is_injective", 4), ("is_surjective", 4), ("is_bijective", 4),
    ("is_compact", 4), ("is_increasing", 4), ("is_composable", L, 4), ("is_complementable", 4),
    ("Layout", (4, 8), (8, 1)), ("E", 1, 0), ("xor", 5), ("Swizzle", 1, 0, 1), ("Tiler", (4, 8)),
    ("View", 16, 8), ("View", (1, 2), "4:1@0"), ("ComposedLayout", "Sw<1,0,1>", 1, 8),
]  # fmt: skip



def examples():
    """The calls in the documentation of the functions, as their names and arguments."""
    for name in FUNCTIONS:
        for line in re.findall(r">>> (\w+\(.*)", getattr(tilework, name).__doc__):
            call = ast.parse(line, mode="eval").body
            # A field of what a call gives.
            call = call.value if isinstance(call, ast.Attribute) else call
            if not call.keywords:
                yield call.func.id, *map(ast.literal_eval, call.args)


NATIVE += examples()
C = pycute.Layout((4, 8), (8, 1))

DROP_IN = [
    ("Layout", (4, 8), (8, 1)), ("make_layout", (4, 8), (8, 1)), ("size", (4, 8)), ("size", 24), ("cosize", C),
    ("slice_and_offset", (1, None), C), ("complement", C, 64), ("complement", pycute.Layout(4, 2), 24), ("composition", C, 4),
    ("composition", C, (2, 4)), ("coalesce", C, (1, 1)), ("filter", C, (1, 1)), ("logical_divide", C, (2, 4)),
    ("zipped_divide", C, (2, 4)), ("tiled_divide", C, (2, 4)), ("logical_product", C, (2, 4)), ("zipped_product", C, (2, 4)),
    ("tiled_product", C, (2, 4)), ("signum", 3), ("product", (200, 200)), ("inner_product", (200, 3), (2, 5)),
    ("tuple_max", (3, 9)), ("elem_scale", (200, 3), (4, 5)), ("shape_div", (3, 4), 6), ("prefix_product", (100, 100, 3)),
    ("idx2crd", 22, (4, 8)), ("idx2crd", 5, (5, 2), (1, 5)), ("crd2idx", (2, 5), (100, 8)), ("crd2idx", (2, 5), (4, 8), (200, 1)),
    ("crd2crd", (1, 2), 8, (2, 4)), ("slice_", (2, None), (4, 8)), ("flatten", (4, (8, 2))), ("Swizzle", 3, 4, 3),
    ("ComposedLayout", pycute.Swizzle(1, 0, 1), 1, C), ("shiftr", 200, -2), ("shiftl", 200, 2),
]  # fmt: skip


def converted(value, kind):
    """The value with its integers as that kind, where it has them."""
    if isinstance(value, tuple):
        return tuple(converted(part, kind) for part in value)
    if type(value) is not int or kind is bool and value not in (0, 1) or kind is np.uint8 and value < 0:
        return value
    return kind(value)


def shown(result):
    return repr(list(result)) if hasattr(result, "__next__") else repr(result)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("package, calls", [(tilework, NATIVE), (pycute, DROP_IN)], ids=["native", "pycute"])
def test_integers_of_other_types(package, calls, kind):
    for name, *arguments in calls:
        function = getattr(package, name)
        expected = shown(function(*arguments))
        assert "np." not in expected
        found = shown(function(*converted(tuple(arguments), kind)))
        assert found == expected, (name, arguments, kind)


def test_every_function_is_tried():
    assert set(FUNCTIONS) <= {name for name, *_ in NATIVE}


@pytest.mark.parametrize("kind", KINDS)
def test_methods_take_integers_of_other_types(kind):
    one, zero = kind(1), kind(0)
    layout, cute = tilework.Layout("(4,8):(8,1)"), C
    for function in (layout, cute):
        assert repr(function(one)) == "8" and repr(function(one, zero)) == "8" and repr(function((one, one))) == "9"
        assert repr(function[one]) == repr(function[1])
    assert repr(cute(one, None)) == repr(cute(1, None)) and repr(layout(one, None)) == repr(layout(1, None))
    assert repr(layout.complement(kind(1))) == repr(layout.complement(1))
    assert repr(tilework.Swizzle(1, 0, 1)(one)) == "1" and repr(pycute.Swizzle(1, 0, 1)(one)) == "1"
    assert repr(one * tilework.E(1)) == repr(tilework.E(1) * one) == repr(tilework.E(1))
    array = tilework.Tensor.from_array(np.arange(32).reshape(4, 8))
    assert array[one, one] == array[1, 1] and array[one, :][one] == array[1, :][1]
