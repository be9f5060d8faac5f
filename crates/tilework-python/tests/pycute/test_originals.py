"""What CUTLASS tests its pycute with, told in our words: a contract for each operation, and the layouts it is asked of."""

import pytest

import tilework

from tilework.pycute import *

COALESCE = [
    (1, 0), (1, 1), ((2, 4),), ((2, 4, 6),), ((2, 1, 6), (1, 7, 2)), ((2, 1, 6), (4, 7, 8)), ((2, (4, 6)),),
    ((2, 4), (4, 1)), ((2, 4, 6), (24, 6, 1)), ((2, 1, 3), (2, 4, 4)), (((2, 2), (2, 2)), ((1, 4), (8, 32))),
]  # fmt: skip

COMPLEMENT = [
    (1, 0), (1, 1), (4, 0), ((2, 4), (1, 2)), ((2, 3), (1, 2)), ((2, 4), (1, 4)), ((2, 4, 8), (8, 1, 64)),
    (((2, 2), (2, 2)), ((1, 4), (8, 32))), ((2, (3, 4)), (3, (1, 6))), ((4, 6), (1, 6)), ((4, 10), (1, 10)),
]  # fmt: skip

COMPOSITION = [
    ((1, 0), (1, 0)), ((1, 0), (1, 1)), ((1, 1), (1, 0)), ((1, 1), (1, 1)), ((4,), (4,)), ((4, 2), (4,)), ((4,), (4, 2)),
    ((4, 0), (4,)), ((4,), (4, 0)), ((1, 0), (4,)), ((4,), (1, 0)), ((4,), (2,)), ((4, 2), (2,)), ((4,), (2, 2)),
    ((4, 2), (2, 2)), (((4, 3),), (12,)), ((12,), ((4, 3),)), ((12, 2), ((4, 3),)), ((12,), ((4, 3), (3, 1))),
    ((12, 2), ((4, 3), (3, 1))), ((12,), ((2, 3), (2, 4))), (((4, 3),), ((4, 3),)), (((4, 3),), (6, 2)),
    (((4, 3),), ((6, 2), (2, 1))), (((4, 3), (3, 1)), ((4, 3),)), (((4, 3), (3, 1)), (12,)),
    (((4, 3), (3, 1)), (6, 2)), (((4, 3), (3, 1)), ((6, 2), (2, 1))),
    (((8, 8),), (((2, 2, 2), (2, 2, 2)), ((1, 16, 4), (8, 2, 32)))),
    (((8, 8), (8, 1)), (((2, 2, 2), (2, 2, 2)), ((1, 16, 4), (8, 2, 32)))),
    ((((2, 2, 2), (2, 2, 2)), ((1, 16, 4), (8, 2, 32))), (8, 4)),
    ((((4, 2),), ((1, 16),)), ((4, 2), (2, 1))), (((2, 2), (2, 1)), ((2, 2), (2, 1))),
    (((4, 8, 2),), ((2, 2, 2), (2, 8, 1))), (((4, 8, 2), (2, 8, 1)), ((2, 2, 2), (1, 8, 2))),
    (((4, 8, 2), (2, 8, 1)), ((4, 2, 2), (2, 8, 1))), (((4, 6, 8), (1, 4, 7)), (6, 1)),
    (((4, 6, 8, 10), (2, 3, 5, 7)), (6, 12)),
]  # fmt: skip

LEFT_INVERSE = [
    (1, 0), ((1, 1), (0, 0)), (1, 1), (4, 1), (4, 2), ((8, 4), (1, 8)), ((8, 4), (4, 1)), ((2, 4, 6), (1, 2, 8)),
    ((2, 4, 6), (4, 1, 8)), ((4, 2), (1, 16)),
]  # fmt: skip

RIGHT_INVERSE = [
    (1, 0), ((1, 1), (0, 0)), ((3, 7), (0, 0)), (1, 1), (4, 0), (4, 1), (4, 2), ((2, 4), (0, 2)), ((8, 4), (1, 8)),
    ((8, 4), (4, 1)), ((2, 4, 6), (1, 2, 8)), ((2, 4, 6), (4, 1, 8)), ((2, 4, 4, 6), (4, 1, 0, 8)), ((4, 2), (1, 16)),
    (((2, 2), (2, 4)), ((0, 1), (0, 2))),
]  # fmt: skip


@pytest.mark.parametrize("parts", COALESCE)
def test_coalesce(parts):
    layout = Layout(*parts)
    result = coalesce(layout)
    assert size(result) == size(layout) and tilework.depth(result.shape) <= 1
    assert all(result(i) == layout(i) for i in range(size(layout)))


@pytest.mark.parametrize("parts", COMPLEMENT)
def test_complement(parts):
    layout = Layout(*parts)
    for result in (complement(layout), complement(layout, 1), complement(layout, size(layout)), complement(layout, 100)):
        meet = {layout(i) for i in range(size(layout))} & {result(i) for i in range(size(result))}
        assert meet <= {0}


@pytest.mark.parametrize("left, right", COMPOSITION)
def test_composition(left, right):
    a, b = Layout(*left), Layout(*right)
    r = composition(a, b)
    assert tilework.compatible(b.shape, r.shape)
    assert all(r(i) == a(b(i)) for i in range(size(b)))


@pytest.mark.parametrize("parts", LEFT_INVERSE)
def test_left_inverse(parts):
    layout = Layout(*parts)
    inverse = left_inverse(layout)
    assert all(inverse(layout(i)) == i for i in range(size(layout)))


@pytest.mark.parametrize("parts", RIGHT_INVERSE)
def test_right_inverse(parts):
    layout = Layout(*parts)
    inverse = right_inverse(layout)
    assert all(layout(inverse(i)) == i for i in range(size(inverse)))


def test_int_tuple():
    assert (product(2), product((3, 2)), product(product(((2, 3), 4)))) == (2, 6, 24)
    assert (inner_product(2, 3), inner_product((1, 2), (3, 2)), inner_product(((2, 3), 4), ((2, 1), 2))) == (6, 7, 15)
    assert shape_div((3, 4), 6) == (1, 2)
    assert shape_div((3, 4), 12) == shape_div((3, 4), 36) == (1, 1)
    assert shape_div(((3, 4), 6), 36) == ((1, 1), 2)
    assert shape_div((6, (3, 4)), 36) == (1, (1, 2))
    assert prefix_product(2) == 1
    assert prefix_product((3, 2, 4)) == (1, 3, 6)
    assert prefix_product(((2, 3), (2, 1, 2), (5, 2, 1))) == ((1, 2), (6, 12, 12), (24, 120, 240))
    assert has_none((1, (None, 2))) and not has_none((1, 2)) and has_none(None)
    assert (signum(-3), signum(0), signum(3)) == (-1, 0, 1)
    assert tuple_max((1, (5, 2))) == 5
    assert elem_scale((2, 3), (4, (5, 6))) == (8, 90)
    assert crd2crd(5, (2, 4)) == (1, 2) and crd2crd((1, 2), 8, (2, 4)) == 5


@pytest.mark.parametrize("shape", [4, (5, 2), (2, (3, 4)), ((1, 2), (2, 1))])
def test_coordinates_and_indices(shape):
    for index in range(product(shape)):
        coordinate = idx2crd(index, shape)
        assert tilework.congruent(coordinate, shape)
        assert crd2idx(coordinate, shape) == index
        assert idx2crd(index, shape, prefix_product(shape)) == coordinate


@pytest.mark.parametrize("kind, value, expected", [(int, 1, True), (float, 1.0, False), (str, "1", False), (bool, True, False)])
def test_typing(kind, value, expected):
    assert issubclass(kind, Integer) is expected
    assert isinstance(value, Integer) is expected
    assert is_int(value) is expected


def test_layout():
    layout = Layout((4, (2, 3)), (1, (4, 8)))
    assert (layout.shape, layout.stride) == ((4, (2, 3)), (1, (4, 8)))
    assert str(layout) == "(4, (2, 3)):(1, (4, 8))" and repr(layout) == "Layout((4, (2, 3)),(1, (4, 8)))"
    assert len(layout) == 2 and len(Layout(4)) == 1
    assert layout[1] == Layout((2, 3), (4, 8)) and layout[-1] == layout[1] and layout[0:1] == Layout((4,), (1,))
    assert [mode.size() for mode in layout] == [4, 6]
    assert layout(None, 0) == Layout((4,), (1,)) and layout((None, (1, None))) == Layout((4, 3), (1, 8))
    assert layout(None) == Layout(((4, (2, 3)),), ((1, (4, 8)),))
    assert layout(23) == layout(3, 5) == layout((3, (1, 2))) == 23
    assert (layout.size(), layout.cosize(), size(layout), cosize(layout)) == (24, 24, 24, 24)
    assert layout != Layout(24) and layout != 7 and len({layout, Layout((4, (2, 3)))}) == 1
    assert slice_and_offset((2, None), layout) == (Layout(((2, 3),), ((4, 8),)), 2)
    assert is_layout(layout) and isinstance(layout, LayoutBase) and not is_layout(4)
    with pytest.raises(IndexError):
        layout[2]


def test_make_layout():
    a, b = Layout(4, 2), Layout((2, 3))
    assert make_layout(a, b) == make_layout([a, b]) == make_layout(x for x in (a, b)) == Layout((4, (2, 3)), (2, (1, 2)))
    assert make_layout(a) == Layout((4,), (2,))


def test_divides_and_products():
    a = Layout((8, 16), (20, 1))
    assert logical_divide(a, (4, Layout(8, 2))) == Layout(((4, 2), (8, 2)), ((20, 80), (2, 1)))
    assert zipped_divide(a, (4, Layout(8, 2))) == Layout(((4, 8), (2, 2)), ((20, 2), (80, 1)))
    assert tiled_divide(a, (4, Layout(8, 2))) == Layout(((4, 8), 2, 2), ((20, 2), 80, 1))
    assert zipped_divide(a, (None, 8)) == Layout(((1, 8), (8, 2)), ((0, 1), (20, 8)))
    assert hier_unzip(logical_divide, a, (4,)) == zipped_divide(a, (4,)) == Layout(((4,), (2, 16)), ((20,), (80, 1)))
    assert logical_divide(a, None) == logical_product(a, None) == composition(a, None) == a
    # Modes of the block interleave, and the blocks are different all the same.
    block = Layout((4, 3), (4, 8))
    assert tiled_product(block, 2) == zipped_product(block, 2) == logical_product(block, 2) == make_layout(block, Layout(2))
    assert zipped_product(make_layout(block), (2,)) == make_layout(make_layout(block), Layout((2,)))
    # pycute divides here.
    assert logical_product(Layout(8), 4) == Layout((8, 4), (1, 8))


def test_swizzle():
    swizzle = Swizzle(3, 4, 3)
    assert (str(swizzle), repr(swizzle)) == ("SW_3_4_3", "Swizzle(3,4,3)")
    assert (swizzle.yyy_msk, swizzle.zzz_msk) == (0x380, 0x70) and swizzle.size() == swizzle.cosize() == 1024
    assert sorted(map(swizzle, range(1024))) == list(range(1024)) and swizzle(0x80) == 0x90
    assert Swizzle(2, 0, -2)(1) == 5 and Swizzle(0, 3, 0)(77) == 77
    composed = ComposedLayout(swizzle, 0, Layout((8, 64), (64, 1)))
    assert str(composed) == "SW_3_4_3 o 0 o (8, 64):(64, 1)"
    assert repr(composed) == "ComposedLayout(Swizzle(3,4,3),0,Layout((8, 64),(64, 1)))"
    assert composed(2, 5) == swizzle(133) and composed[0](2) == swizzle(128) and len(composed) == 2
    assert (size(composed), cosize(composed)) == (512, 1024)
    assert composition(composed, (8, 8)) == ComposedLayout(swizzle, 0, Layout((8, 8), (64, 1)))
    assert (shiftr(12, 2), shiftl(3, 2), shiftr(3, -2), shiftl(12, -2), shiftr(5, 0), shiftl(5, 0)) == (3, 12, 12, 3, 5, 5)
    with pytest.raises(ValueError):
        Swizzle(3, 0, 1)
