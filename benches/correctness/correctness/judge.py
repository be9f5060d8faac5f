"""What is right, by plain evaluation: nothing here knows an algebra of layouts.

Beyond its size a layout goes on in its last mode, as in CuTe. Whether a last mode of extent 1 counts is not agreed on, so a result
is right if it is so in either way: `ones` says whether it does.
"""

from ast import literal_eval


def leaves(tree):
    if isinstance(tree, tuple):
        return [leaf for part in tree for leaf in leaves(part)]
    return [tree]


def size(tree):
    result = 1
    for extent in leaves(tree):
        result *= extent
    return result


def text(layout):
    return ":".join(str(part).replace(" ", "") for part in layout)


def read(written):
    """The layout of its text; the trees of the shape and of the strides have to be congruent, of integers."""
    shape, stride = (literal_eval(part.strip()) for part in written.split(":"))
    numbers = leaves(shape) + leaves(stride)
    if not _congruent(shape, stride) or not all(type(n) is int for n in numbers) or min(leaves(shape)) < 1:
        raise ValueError(f"no layout: {written}")
    return shape, stride


def _congruent(a, b):
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(_congruent, a, b))
    return not isinstance(a, tuple) and not isinstance(b, tuple)


def modes(layout):
    shape, stride = layout
    return list(zip(shape, stride)) if isinstance(shape, tuple) else [layout]


def at(layout, index, ones=True):
    steps = [(extent, stride) for extent, stride in zip(*map(leaves, layout)) if ones or extent != 1]
    offset = 0
    for i, (extent, stride) in enumerate(steps):
        digit = index if i == len(steps) - 1 else index % extent
        offset += digit * stride
        index //= extent
    return offset


def values(layout):
    return [at(layout, index) for index in range(size(layout[0]))]


def refines(fine, coarse):
    """Whether each leaf of `coarse` has a part of `fine` of its size, so that its coordinates are coordinates of `fine`."""
    if not isinstance(coarse, tuple):
        return size(fine) == coarse
    if not isinstance(fine, tuple):
        return len(coarse) == 1 and refines(fine, coarse[0])
    return len(fine) == len(coarse) and all(map(refines, fine, coarse))


# The questions. Each takes the pair and the result, and says whether the result is right.


def coalesce(a, _, result, __):
    return values(result) == values(a) and all(not isinstance(mode[0], tuple) for mode in modes(result))


def composition(a, b, result, ones):
    return refines(result[0], b[0]) and values(result) == [at(a, offset, ones) for offset in values(b)]


def complement(a, b, result, _):
    """Of B in size(A): the translates by the result are disjoint and ascend, and cover [0, size(A)) if any can. Where none
    can, no number of them is asked for."""
    return _is_complement(b, size(a[0]), values(result))


def left_inverse(a, _, result, ones):
    """R(A(i)) = i; if A is not injective, A(R(A(i))) = A(i), equation 26 of the paper."""
    offsets = values(a)
    indices = [at(result, offset, ones) for offset in offsets]
    if len(set(offsets)) == len(offsets):
        return indices == list(range(len(offsets)))
    return [at(a, index, ones) for index in indices] == offsets


def logical_divide(a, b, result, ones):
    """The tile is A o B, and the rest is A o C for a complement C of B in size(A)."""
    parts = modes(result)
    if len(parts) != 2 or not composition(a, b, parts[0], ones):
        return False
    return _some_complement(a, b, parts[1], ones)


def logical_product(a, b, result, _):
    """The block is A, and the repetitions are C o B for a complement C of A."""
    parts = modes(result)
    if len(parts) != 2 or not refines(parts[0][0], a[0]) or values(parts[0]) != values(a):
        return False
    if not refines(parts[1][0], b[0]):
        return False
    numbers, places = values(b), values(parts[1])
    cover = _cover(a, count=max(numbers) + 1)
    if cover is not None:
        return places == [cover[number] for number in numbers]
    repetitions = dict(zip(numbers, places))
    ascending = [repetitions[number] for number in sorted(repetitions)]
    return places == [repetitions[n] for n in numbers] and _ascends(ascending) and _disjoint(a, ascending)


def _ascends(numbers):
    return all(a < b for a, b in zip(numbers, numbers[1:]))


def _disjoint(block, translations):
    image = set(values(block))
    return len({t + offset for t in translations for offset in image}) == len(image) * len(translations)


def _cover(block, below=0, count=0):
    """`count` and more translations that cover [0, n) without overlap, for some n from `below` on; None if there are none. There
    is no choice: the next translation is the first offset that is not covered."""
    image, covered, found, first = set(values(block)), set(), [], 0
    while first < below or len(found) < count or first != len(covered):
        translated = {first + offset for offset in image}
        if covered & translated or first > 64 * (below + max(image) + 1):
            return None
        covered |= translated
        found.append(first)
        while first in covered:
            first += 1
    return found


def _is_complement(block, within, translations):
    if translations[0] != 0 or not _ascends(translations) or not _disjoint(block, translations):
        return False
    if translations[-1] >= 2 * max(within, max(values(block)) + 1):
        return False
    if _cover(block, within) is None:
        return True
    covered = {t + offset for t in translations for offset in values(block)}
    return all(offset in covered for offset in range(within))


def _some_complement(a, b, rest, ones):
    """Whether a complement C of `b` in size(a) has a(C(i)) = rest(i); a search, since `a` may repeat offsets. What it
    does not find in 20,000 steps counts as right."""
    within, places = size(a[0]), values(rest)
    preimages = {}
    for index in range(2 * max(within, max(values(b)) + 1)):
        preimages.setdefault(at(a, index, ones), []).append(index)
    image, budget = set(values(b)), 20_000

    def search(chosen, covered):
        nonlocal budget
        budget -= 1
        if budget < 0:
            return True
        if len(chosen) == len(places):
            return _is_complement(b, within, chosen)
        for index in preimages.get(places[len(chosen)], ()):
            translated = {index + offset for offset in image}
            if (not chosen or index > chosen[-1]) and not covered & translated:
                if search([*chosen, index], covered | translated):
                    return True
        return False

    return search([], set())


# The classes.


def inside(a, b):
    return max(values(b)) < size(a[0])


def composes(a, b):
    """Whether a layout is A o B: along each mode of B, from any coordinate, the offsets of A step in the same way, and the steps
    are those of a layout."""
    extents = leaves(b[0])
    offsets = [at(a, offset) for offset in values(b)]
    base, step, along = offsets[0], 1, []
    for extent in extents:
        along.append([offsets[i * step] for i in range(extent)])
        step *= extent
    for index, offset in enumerate(offsets):
        for extent, line in zip(extents, along):
            offset -= line[index % extent]
            index //= extent
        if offset != 0 or base != 0:
            return False
    return all(map(_is_layout, along))


def _is_layout(line):
    """Whether offsets are those of a layout: even steps up to some divisor, which repeat as a shorter layout."""
    count = len(line)
    if count == 1:
        return True
    for first in range(2, count + 1):
        even = all(line[i] == i * line[1] for i in range(first))
        if count % first == 0 and even:
            outer = line[::first]
            if all(line[i] == outer[i // first] + line[i % first] for i in range(count)) and _is_layout(outer):
                return True
    return False


def is_chain(a, _):
    """Whether by ascending stride each stride divides the next, and no mode reaches it."""
    steps = sorted((stride, extent) for extent, stride in zip(*map(leaves, a)) if extent != 1)
    gaps = zip(steps, steps[1:])
    return all(stride > 0 for stride, _ in steps) and all(
        following % stride == 0 and extent * stride <= following for (stride, extent), (following, _) in gaps
    )


# Row of the table, operation, class of the pairs.
ROWS = (
    ("coalesce", coalesce, lambda a, b: True),
    ("composition, all", composition, lambda a, b: True),
    ("composition, B inside A, a layout exists", composition, lambda a, b: inside(a, b) and composes(a, b)),
    ("composition, B inside A, none exists", composition, lambda a, b: inside(a, b) and not composes(a, b)),
    ("complement of B in size(A)", complement, lambda a, b: True),
    ("left inverse, all", left_inverse, lambda a, b: True),
    ("left inverse, strides a chain of divisors", left_inverse, is_chain),
    ("logical divide, all", logical_divide, lambda a, b: True),
    ("logical product, all", logical_product, lambda a, b: True),
)
OPERATIONS = ("coalesce", "composition", "complement", "left_inverse", "logical_divide", "logical_product")
