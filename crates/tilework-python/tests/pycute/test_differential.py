"""Random layouts, to the drop-in and to CUTLASS's pycute where the wheel `nvidia-cutlass` is installed: the same result,
form and all, wherever pycute's is right by enumeration; and nothing that is wrong anywhere."""

import random
from collections import Counter

import pytest
import random_layouts as truth

import tilework.pycute as ours

theirs = pytest.importorskip("pycute")
if not hasattr(theirs, "Layout") or theirs.Layout is ours.Layout:
    pytest.skip("no other pycute", allow_module_level=True)

CASES = 1000
#: What pycute raises.
REFUSED = (AssertionError, ZeroDivisionError, IndexError, ValueError, TypeError, RecursionError)


def answer(function, *arguments):
    try:
        return function(*arguments)
    except REFUSED as refusal:
        return refusal


def mine(x):
    """A layout of pycute, or a tuple with such, as one of the drop-in."""
    if isinstance(x, tuple):
        return tuple(map(mine, x))
    return ours.Layout(x.shape, x.stride) if isinstance(x, theirs.Layout) else x


class Count(Counter):
    """Compares two answers, and counts how they compare."""

    def compare(self, name, arguments, is_right, same=None):
        their, our = answer(getattr(theirs, name), *arguments), answer(getattr(ours, name), *map(mine, arguments))
        if isinstance(our, Exception):
            assert isinstance(our, ValueError), (name, arguments, our)
        elif is_right is not None:
            assert is_right(our), (name, arguments, our)
        right = not isinstance(their, Exception) and answer(is_right or (lambda r: True), their) is True
        if right:
            equal = not isinstance(our, Exception) and truth.plain(our) == truth.plain(their)
            assert equal or same is not None and same(their, our), (name, arguments, their, our)
        self["right" if right else "refused" if isinstance(their, Exception) else "wrong"] += 1


def layouts(seed):
    generator = random.Random(seed)
    for _ in range(CASES):
        yield generator, theirs.Layout(*truth.parts(generator)), theirs.Layout(*truth.parts(generator))


def test_unary():
    count = Count()
    for generator, a, _ in layouts(1):
        count.compare("coalesce", (a,), lambda r: truth.offsets(r) == truth.offsets(a))
        count.compare("filter", (a,), None)
        # Where pycute's chain ends early, ours is larger.
        is_larger = lambda their, our: our.size() > their.size()
        count.compare("right_inverse", (a,), lambda r: truth.is_right_inverse(a, r), is_larger)
        # Where pycute's leads to indices that the layout does not have, ours does not.
        stays = lambda their, our: any(their(a(i)) >= a.size() for i in range(a.size()))
        count.compare("left_inverse", (a,), lambda r: truth.is_left_inverse(a, r), stays)
        within = generator.choice([1, a.size(), a.cosize(), generator.randint(1, 200)])
        count.compare("complement", (a,), lambda r: truth.is_complement(a, r))
        count.compare("complement", (a, within), lambda r: truth.is_complement(a, r))
    assert count["right"] > 4 * CASES


def test_composition():
    count = Count()
    for _, a, b in layouts(3):
        count.compare("composition", (a, b), lambda r: truth.is_composition(a, b, r))
    assert count["right"] > CASES / 2


@pytest.mark.parametrize("name", ["logical_divide", "zipped_divide"])
def test_divides(name):
    count = Count()
    for _, a, b in layouts(4):
        rest = answer(ours.complement, mine(b), a.size())
        is_right = lambda r: not isinstance(rest, Exception) and truth.is_divide(a, b, rest, r)
        count.compare(name, (a, b), is_right)
    assert count["right"] > CASES / 2


@pytest.mark.parametrize("name", ["logical_product", "zipped_product"])
def test_products(name):
    count = Count()
    # Where modes of the block interleave, and nothing is repeated, the strides of extents of 1 are not compared.
    functions = lambda their, our: b.size() == 1 and truth.offsets(their) == truth.offsets(our)
    for _, a, b in layouts(5):
        count.compare(name, (a, b), lambda r: truth.is_product(a, b, r), functions)
    assert count["right"] > CASES / 2


@pytest.mark.parametrize("name, part", [("composition", "composition"), ("logical_divide", "logical_divide"), ("zipped_divide", "logical_divide"), ("tiled_divide", "logical_divide")])
def test_by_mode(name, part):
    """A tuple of tiles: right wherever pycute is right in each mode."""
    right = 0
    for generator, a, _ in layouts(6):
        tiler = truth.tiler(generator, len(a), theirs.Layout)
        their, our = answer(getattr(theirs, name), a, tiler), answer(getattr(ours, name), mine(a), mine(tiler))
        if isinstance(their, Exception):
            continue
        modes = [(a[i], theirs.Layout(tile) if isinstance(tile, int) else tile) for i, tile in enumerate(tiler)]
        if all(tile is None or mode_is_right(part, mode, tile) for mode, tile in modes):
            assert truth.plain(our) == truth.plain(their), (name, a, tiler)
            right += 1
    assert right > CASES / 2


def mode_is_right(name, mode, tile):
    result = getattr(theirs, name)(mode, tile)
    if name == "composition":
        return truth.is_composition(mode, tile, result)
    rest = answer(ours.complement, mine(tile), mode.size())
    return not isinstance(rest, Exception) and truth.is_divide(mode, tile, rest, result)


def test_layouts():
    """What a layout is made of, and what it answers."""
    for generator, a, _ in layouts(7):
        b = mine(a)
        assert (str(a), repr(a), len(a), a.size(), a.cosize()) == (str(b), repr(b), len(b), b.size(), b.cosize())
        assert repr(theirs.Layout(a.shape)) == repr(ours.Layout(a.shape))
        index = generator.randint(-5, 3 * a.size())
        if index >= 0:
            assert a(index) == b(index)
        if isinstance(a.shape, tuple):
            coordinate = tuple(generator.choice([None, generator.randint(0, 9)]) for _ in a.shape)
            assert repr(a(*coordinate)) == repr(b(*coordinate))
            assert repr(theirs.slice_and_offset(coordinate, a)) == repr(ours.slice_and_offset(coordinate, b))
            assert [repr(mode) for mode in a] == [repr(mode) for mode in b]


def test_names():
    """Every public name of the original is here, with its parameters."""
    import inspect

    for module in (theirs, theirs.int_tuple, theirs.layout, theirs.swizzle, theirs.typing):
        other = getattr(ours, module.__name__.rpartition(".")[2], ours)
        for name, member in vars(module).items():
            if name.startswith("_") or inspect.ismodule(member) or name == "ABC":
                continue
            assert hasattr(other, name), (module.__name__, name)
            if inspect.isfunction(member) and member.__module__.startswith("pycute"):
                function = getattr(getattr(other, name), "__wrapped__", getattr(other, name))
                there = list(inspect.signature(member).parameters)
                assert list(inspect.signature(function).parameters)[: len(there)] == there, name


def test_tuples():
    generator = random.Random(8)
    for _ in range(CASES):
        extents, steps = truth.parts(generator)
        index = generator.randrange(truth.product(extents))
        for name, arguments in [
            ("product", (extents,)), ("flatten", (extents,)), ("prefix_product", (extents,)),
            ("prefix_product", (extents, 3)), ("tuple_max", (extents,)), ("inner_product", (extents, steps)),
            ("elem_scale", (extents, steps)), ("crd2idx", (index, extents)), ("crd2idx", (index, extents, steps)),
            ("idx2crd", (index, extents)), ("crd2crd", (index, extents)),
            ("shape_div", (extents, generator.choice([1, 2, 4, 6, 12]))),
        ]:  # fmt: skip
            their, our = answer(getattr(theirs, name), *arguments), answer(getattr(ours, name), *arguments)
            if isinstance(their, Exception):
                assert isinstance(our, ValueError), (name, arguments, our)
            else:
                assert their == our, (name, arguments)


def test_swizzles():
    for bits in range(4):
        for base in range(4):
            for shift in range(-4, 5):
                if abs(shift) >= bits and shift != 0:
                    their, our = theirs.Swizzle(bits, base, shift), ours.Swizzle(bits, base, shift)
                    assert vars(their) == {name: getattr(our, name) for name in vars(their)}
                    assert (str(their), repr(their), their.size()) == (str(our), repr(our), our.size())
                    assert [their(x) for x in range(300)] == [our(x) for x in range(300)]


#: The middle column of docs/pycute.md.
WRONG = [
    ("composition", ((1, 1), (2, 1)), "2:0"), ("composition", (((4, 1), (1, 100)), (8, 1)), "8:1"),
    ("composition", (((4, 2), (1, 16)), (5, 1)), "4:1"), ("composition", (((2, 3), (4, 1)), (5, 1)), "(2, 2):(4, 1)"),
    ("composition", (((6, 2), (1, 7)), ((3, 2), (2, 3))), "(3, 2):(2, 3)"),
    ("composition", (((4, 2), (1, 8)), (2, -1)), "2:0"), ("composition", (((3, 16), (0, 9)), (2, 2)), None),
    ("composition", (((4, 2, 1), (6, 1, 2)), (4, 6)), None),
    ("complement", (((2, 2), (2, 3)), 19), "(2, 0, 4):(1, 4, 6)"), ("complement", (((2, 4), (1, 1)),), "0:2"),
    ("right_inverse", (((2, 5), (0, 1)),), "1:0"), ("right_inverse", (((8, 4), (1, 3)),), "8:1"),
    ("left_inverse", (((3, 4), (1, 4)),), "3:1"), ("left_inverse", (((2, 5), (0, 1)),), "1:0"),
    ("left_inverse", (((4, 2), (1, 5)),), "4:1"), ("left_inverse", (((2, 3), (4, 1)),), "3:2"),
    ("left_inverse", (((8, 4), (1, 3)),), "8:1"), ("left_inverse", (((2, 4), (8, 6)),), None),
    ("logical_divide", ((1, 1), (2, 1)), "(2, 1):(0, 0)"), ("logical_divide", (((8, 1), (1, 1)), (3, 1)), "(3, 3):(1, 3)"),
    ("logical_divide", ((12, 1), ((2, 2), (1, 3))), "((2, 2), 2):((1, 3), 6)"),
    ("logical_divide", ((2, 1), ((4, 3), (3, 3))), "((4, 3), (3, 0)):((3, 3), (1, 9))"),
    ("logical_product", ((8, 1), 4), "(4, 2):(1, 4)"), ("logical_product", ((2, 4), (6, 1)), "(2, 4):(4, 1)"),
    ("logical_product", (((3, 2), (5, 20)), ((2,), (5,))), "((3, 2), (2,)):((5, 20), (5,))"),
    ("logical_product", ((2, 2), (8, 3)), None),
]  # fmt: skip


@pytest.mark.parametrize("name, arguments, expected", WRONG)
def test_what_the_page_says_of_pycute(name, arguments, expected):
    arguments = [theirs.Layout(*x) if isinstance(x, tuple) else x for x in arguments]
    their, our = answer(getattr(theirs, name), *arguments), answer(getattr(ours, name), *map(mine, arguments))
    assert (None if isinstance(their, Exception) else str(their)) == expected
    assert isinstance(our, ValueError) or str(our) != expected
