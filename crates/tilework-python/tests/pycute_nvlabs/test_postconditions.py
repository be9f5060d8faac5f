"""What holds of the result of every operation, at every coordinate, on random layouts of every codomain."""

import random

import pytest
import random_layouts

from tilework.pycute_nvlabs import *

CASES = 400


def layouts(seed, count=CASES):
    """Layouts of integers, of coordinates, of XOR strides, and of sums of basis elements."""
    generator = random.Random(seed)
    for _ in range(count):
        extents, steps = random_layouts.parts(generator, 200)
        kind = generator.random()
        if kind < 0.15:
            steps = transform_leaf(lambda step: step * E(generator.randint(0, 2)), steps)
        elif kind < 0.3:
            steps = transform_leaf(lambda step: F2(step % 32), steps)
        elif kind < 0.4:
            steps = transform_leaf(lambda step: step * E(0) + generator.choice([0, 1, 4]) * E(1), steps)
        yield generator, Layout(extents, steps)


def offsets(layout):
    return [layout(i) for i in range(size(layout))]


def answered(function, *arguments):
    try:
        return function(*arguments)
    except ValueError:
        return None


def same(xs, ys):
    return len(xs) == len(ys) and all(x == y for x, y in zip(xs, ys))


def test_coalesce():
    for _, layout in layouts(1):
        result = coalesce(layout)
        assert same(offsets(result), offsets(layout)) and depth(result) <= 1
        assert size(layout) == 1 or 1 not in flatten(result.shape)
        extended = coalesce_z(layout)
        assert all(extended(i) == layout(i) for i in range(2 * size(layout)))


def test_composition():
    answers = 0
    for generator, a in layouts(2, 4 * CASES):
        extents, steps = random_layouts.parts(generator, 60)
        b = Layout(extents, steps)
        result = answered(composition, a, b)
        if result is not None:
            answers += 1
            assert compatible(b.shape, result.shape), (a, b, result)
            assert all(result(c) == a(b(c)) for c in range(size(b))), (a, b, result)
    assert answers > CASES


def test_composition_with_coordinates():
    answers = 0
    for generator, a in layouts(3, 4 * CASES):
        if rank(a) < 2 or not is_tuple(a.shape):
            continue
        extents = random_layouts.shape(generator)
        steps = transform_leaf(lambda _: generator.randint(0, 3) * E(generator.randrange(2)) + generator.choice([0, 0, 1]) * E(1), extents)
        b = Layout(extents, steps)
        result = answered(composition, a, b)
        if result is not None and size(b) < 300:
            answers += 1
            assert all(result(c) == a(b(c)) for c in range(size(b))), (a, b, result)
    assert answers > CASES // 4


def test_complement():
    for _, layout in layouts(4):
        if any(not isinstance(step, int) for step in leaves(layout.stride)):
            continue
        result, covering = answered(complement, layout), answered(complement, layout, 100)
        if result is not None:
            own = set(offsets(layout))
            assert own & set(offsets(result)) <= {0} and own & set(offsets(covering)) <= {0}
            sums = {x + y for x in own for y in offsets(covering)}
            assert len(sums) == len(own) * size(covering) and offsets(result) == sorted(offsets(result))


def test_inverses():
    for _, layout in layouts(5):
        right, left = answered(right_inverse, layout), answered(left_inverse, layout)
        if right is not None:
            # The indices of the inverse are the coordinates of the codomain.
            assert all(layout(right(c)) == c for c in indices(layout, right)), (layout, right)
        if left is not None:
            assert same([layout(left(offset)) for offset in offsets(layout)], offsets(layout)), (layout, left)
        zeros = answered(nullspace, layout)
        if zeros is not None:
            assert all(layout(index) == 0 for index in offsets(zeros))
            assert {int(index) for index in offsets(zeros)} == {i for i in range(size(layout)) if layout(i) == 0}


def indices(layout, inverse):
    """The coordinates of a codomain, as nested as its coprofile."""
    profile = coprofile(layout)
    return coordinates(inverse.shape) if is_tuple(profile) else range(size(inverse))


def test_divides_and_products():
    for generator, a in layouts(6, 2 * CASES):
        b = Layout(*random_layouts.parts(generator, 20))
        divided = answered(logical_divide, a, b)
        if divided is not None:
            assert same(offsets(divided[0]), [a(b(i)) for i in range(size(b))]), (a, b, divided)
            if size(b) and all(isinstance(step, int) for step in leaves(a.stride)):
                assert set(offsets(a)) <= set(offsets(divided)), (a, b, divided)
        multiplied = answered(logical_product, a, b)
        if multiplied is not None:
            assert multiplied[0] == a
            grid = [multiplied[1](i) for i in range(size(b))]
            if len(set(map(str, offsets(a)))) == size(a):
                sums = [str(x + y) for x in offsets(a) for y in {str(g): g for g in grid}.values()]
                assert len(set(sums)) == len(sums), (a, b, multiplied)


def test_sums():
    for generator, a in layouts(7):
        b = Layout(*random_layouts.parts(generator, 200))
        if any(not isinstance(step, int) for step in leaves(a.stride)) or size(a) != size(b):
            b = a
        total = answered(layout_add, a, b)
        assert total is None or same(offsets(total), [x + y for x, y in zip(offsets(a), offsets(b))]), (a, b, total)
        assert a is not b or total is not None


def test_slices():
    for generator, layout in layouts(8):
        if not is_tuple(layout.shape):
            continue
        crd = transform_leaf(lambda s: generator.choice([None, generator.randrange(s)]), layout.shape)
        if not has_none(crd):
            continue
        offset, rest = layout._offset_and_slice(crd)
        for index in range(size(rest)):
            inner = iter(flatten(idx2crd(index, rest.shape)))
            whole = transform_leaf(lambda c: next(inner) if c is None else c, crd)
            assert offset + rest(index) == layout(whole)


@pytest.mark.parametrize("scale", [2, 3, 4])
def test_recast(scale):
    for _, layout in layouts(9):
        if any(not isinstance(step, int) for step in leaves(layout.stride)):
            continue
        wide = answered(recast, layout, scale)
        if wide is not None:
            # The wide elements that are touched.
            assert {x // scale for x in offsets(layout)} <= set(offsets(wide)), (layout, scale, wide)
