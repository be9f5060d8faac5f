"""The assertions for tests of others: what holds passes, what does not fails with the coordinate, found by enumeration, and a picture."""

import random

import pytest

from tilework import Layout, Scope, assume, parse, size
from tilework.testing import assert_conflict_free, assert_covers, assert_fits_32, assert_same_layout


def message(assertion, *arguments, **more):
    with pytest.raises(AssertionError) as failed:
        assertion(*arguments, **more)
    return str(failed.value)


def small(random_):
    extents = [random_.randint(1, 4) for _ in range(2)]
    return Layout(tuple(extents), tuple(random_.randint(0, 6) for _ in extents))


def test_same_layouts_and_the_first_coordinate_where_others_differ():
    random_, differed = random.Random(7), 0
    for _ in range(400):
        one, other = small(random_), small(random_)
        offsets = [[layout(index) for index in range(size(layout))] for layout in (one, other)]
        if offsets[0] == offsets[1]:
            assert_same_layout(one, other)
            continue
        differed += 1
        first = next((at for at, pair in enumerate(zip(*offsets)) if pair[0] != pair[1]), None)
        said = message(assert_same_layout, one, other)
        if first is None:
            assert f"have {size(one)} and {size(other)} coordinates" in said
        else:
            rows = one.shape[0]
            assert f"differ at ({first % rows},{first // rows}): offsets {offsets[0][first]} and {offsets[1][first]}\n" in said
    assert 100 < differed < 400


def test_swizzled_and_plain_layouts():
    """A swizzle that was forgotten is a coordinate; one that changes nothing is no difference."""
    random_, differed = random.Random(9), 0
    for _ in range(100):
        bits, base, shift = random_.randint(1, 2), random_.randint(0, 2), random_.randint(2, 3)
        rows, columns = 1 << random_.randint(0, 4), 1 << random_.randint(0, 4)
        plain = f"({rows},{columns}):({columns},1)"
        swizzled = f"Sw<{bits},{base},{shift}> o 0 o {plain}"
        offsets = [[parse(text)(index) for index in range(rows * columns)] for text in (plain, swizzled)]
        first = next((at for at, pair in enumerate(zip(*offsets)) if pair[0] != pair[1]), None)
        for one, two in ((plain, swizzled), (swizzled, plain)):
            if first is None:
                assert_same_layout(one, two)
            else:
                assert f" differ at ({first % rows},{first // rows}): offsets " in message(assert_same_layout, one, two)
                differed += 1
    assert 50 < differed < 190


def test_coordinates_of_large_layouts():
    assert "differ at (0,1): offsets 0 and 1" in message(assert_same_layout, "(1048577,2):(1,0)", "(1048577,2):(1,1)")
    swizzled = parse("Sw<3,4,3> o 0 o (65536,65536):(65536,1)")
    assert swizzled((65535, 65423)) == (1 << 32) - 1
    assert "has offset 4294967295 at (65535,65423), and" in message(assert_fits_32, swizzled)
    assert " only if M*N <= 2147483648: `tilework.assume` says so" in message(assert_fits_32, "(M,N):(N,1)")
    assert " are the same only if " in message(assert_same_layout, "(M,N):(N,1)", "(M,N):(1,M)")
    with Scope():
        matrix = Layout("(M,N):(N,1)")
        assume("M <= 32768", "N <= 65536")
        assert_fits_32(matrix)


def test_rasters():
    assert_covers("(4,8):(1@0,1@1)", (4, 8))
    assert "element (0,1) is never reached" in message(assert_covers, "(4,4):(1@0,2@1)", (4, 8))
    assert "(4,0) is out of bounds" in message(assert_covers, "(8,8):(1@0,1@1)", (4, 8))
    assert "+---" in message(assert_covers, "(4,4):(1@0,2@1)", (4, 8))


def test_conflicts():
    assert_conflict_free("(32,32):(33,1)", "(32,32):(1,32)", bits=32)
    said = message(assert_conflict_free, "(32,32):(32,1)", "(32,32):(1,32)", bits=32)
    assert "32-way conflict: 1024 wavefronts instead of 32" in said and "+---" in said


def test_offsets_of_32_bits():
    assert_fits_32("2:2147483647")
    assert_fits_32("Sw<3,4,3> o 0 o (8,64):(64,1)")
    assert "has offset 2147483648 at 1, and" in message(assert_fits_32, "2:2147483648")
    assert "has offset -2147483649 at (1,0), and 32 bits end at -2147483648" in message(assert_fits_32, "(2,2):(-2147483649,0)")


def test_what_is_no_layout_is_refused_as_elsewhere():
    with pytest.raises(ValueError):
        assert_same_layout("(4", "4")
    with pytest.raises(ValueError):
        assert_conflict_free("4:1", "rows")
