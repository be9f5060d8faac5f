"""What is right, by plain evaluation: nothing here knows an algebra of layouts.

Beyond its size a layout goes on in its last mode, as in CuTe. Whether a last mode of extent 1 counts is not agreed on, so a result
is right if it is so in either way: `ones` says whether it does.
"""

from functools import lru_cache
from itertools import product

from conformance.notation import Layout, Swizzled, Tiler, congruent, joined, leaves, modes, text


def right(op, args, result):
    """Whether `result` is an answer to `op` of `args`, by the definitions of README.md."""
    question = QUESTIONS[op]
    try:
        return any(question(*args, result, ones) for ones in (True, False))
    except (AttributeError, TypeError):  # A result of another kind: a number where a layout is asked for.
        return False


def existence(op, args):
    """`("none", coordinate)` where no answer exists, the coordinate being the first at which all layouts fail; `("exists", None)`
    where one does; `("open", None)` where enumeration does not tell."""
    if op not in EXISTENCE:
        return "exists" if op in ALWAYS else "open", None
    return EXISTENCE[op](*args, True)


# Evaluation.


def size(tree):
    result = 1
    for extent in leaves(tree):
        result *= extent
    return result


def at(layout, coordinate, ones=True):
    if isinstance(layout, Swizzled):
        return swizzle(layout, layout.offset + at(layout.layout, coordinate, ones))
    if isinstance(coordinate, tuple):
        parts = modes(layout)
        if not isinstance(layout.shape, tuple) or len(parts) != len(coordinate):
            raise ValueError(f"no coordinate of {text(layout.shape)}: {text(coordinate)}")
        return sum(at(part, c, ones) for part, c in zip(parts, coordinate))
    steps = [(extent, stride) for extent, stride in zip(leaves(layout.shape), leaves(layout.stride)) if ones or extent != 1]
    offset = 0
    for i, (extent, stride) in enumerate(steps):
        digit = coordinate if i == len(steps) - 1 else coordinate % extent
        offset += digit * stride
        coordinate //= extent
    return offset


def swizzle(s, x):
    field = x & (((1 << s.bits) - 1) << (s.base + max(0, s.shift)))
    return x ^ (field >> s.shift if s.shift >= 0 else field << -s.shift)


def values(layout):
    return [at(layout, index) for index in range(size(layout.shape))]


def natural(index, shape):
    """The coordinate of an index, in the nesting of the shape; the last extent is not wrapped."""
    if not isinstance(shape, tuple):
        return index
    parts = []
    for i, part in enumerate(shape):
        parts.append(natural(index if i == len(shape) - 1 else index % size(part), part))
        index //= size(part)
    return tuple(parts)


def index_of(coordinate, shape):
    if not isinstance(coordinate, tuple):
        return coordinate
    index, step = 0, 1
    for part, extent in zip(coordinate, shape):
        index += step * index_of(part, extent)
        step *= size(extent)
    return index


def refines(fine, coarse):
    """Whether each leaf of `coarse` has a part of `fine` of its size, so that its coordinates are coordinates of `fine`."""
    if not isinstance(coarse, tuple):
        return size(fine) == coarse
    if not isinstance(fine, tuple):
        return len(coarse) == 1 and refines(fine, coarse[0])
    return len(fine) == len(coarse) and all(map(refines, fine, coarse))


def fits(coordinate, shape):
    """Whether a coordinate is one of this shape: where it has a tuple, the shape has one of as many parts."""
    if not isinstance(coordinate, tuple):
        return True
    return isinstance(shape, tuple) and len(shape) == len(coordinate) and all(map(fits, coordinate, shape))


# The questions. Each takes the operands, the result and `ones`, and says whether the result is right.


def equals(compute):
    """The question whose answer is a value: a number, a truth or a coordinate."""
    return lambda *args: type(args[-2]) is type(expected := compute(*args[:-2])) and args[-2] == expected


def coalesce(a, result, _):
    return values(result) == values(a) and all(not isinstance(mode.shape, tuple) for mode in modes(result))


def composition(a, b, result, ones):
    if isinstance(b, Tiler):  # Modes of A beyond the tiler are dropped, as in C++, or kept, as in pycute.
        parts, old, count = modes(result), modes(a), len(b.modes)
        kept = parts[count:] and list(map(str, parts[count:])) == list(map(str, old[count:]))
        return count <= len(old) and (len(parts) == count or kept) and all(
            composition(*each, ones) for each in zip(old, b.modes, parts)
        )
    return refines(result.shape, b.shape) and values(result) == [at(a, offset, ones) for offset in values(b)]


def complement(b, within, result, _):
    """The translates of B by the result are disjoint and ascend, and cover [0, within) if any can. Where none can, no number
    of them is asked for."""
    return _is_complement(b, within, values(result))


def right_inverse(a, result, _):
    """A(R(k)) = k. That R is the largest is a matter of form: CuTe does not promise it."""
    indices = values(result)
    return all(0 <= index < size(a.shape) for index in indices) and [at(a, i) for i in indices] == list(range(len(indices)))


def left_inverse(a, result, ones):
    """R(A(i)) = i; if A is not injective, A(R(A(i))) = A(i), equation 26 of the paper."""
    offsets = values(a)
    indices = [at(result, offset, ones) for offset in offsets]
    if len(set(offsets)) == len(offsets):
        return indices == list(range(len(offsets)))
    return [at(a, index, ones) for index in indices] == offsets


def common_layout(a, b, result, ones):
    return right_inverse(a, result, ones) and right_inverse(b, result, ones)


def nullspace(a, result, _):
    """The offsets of R are all indices whose offset is 0, each once."""
    return sorted(values(result)) == [index for index, offset in enumerate(values(a)) if offset == 0]


def upcast(a, count, result, _):
    """R has the wide elements floor(A(c) / count) that hold an element of A, in all and along each leaf."""
    if not congruent(a.shape, result.shape):
        return False
    along = [(_wide(old, count), new) for old, new in zip(_leaf_lines(a), _leaf_lines(result))]
    same = all(old == (new if any(old) else sorted({*new})) for old, new in along)
    return same and set(values(result)) == {offset // count for offset in values(a)}


def downcast(a, count, result, _):
    """One leaf, of stride 1 or extent 1, has `count` parts for each coordinate: R(c) = count A(c / parts) + the part."""
    if not congruent(a.shape, result.shape):
        return False
    old, new = leaves(a.shape), leaves(result.shape)
    split = [i for i, (o, n) in enumerate(zip(old, new)) if n != o]
    if any(new[i] != count * old[i] for i in split) or len(split) != (count != 1):
        return False
    for coordinate in product(*map(range, new)):
        parts = [(count if i in split else 1) for i in range(len(new))]
        whole = tuple(c // p for c, p in zip(coordinate, parts))
        rest = sum(c % p for c, p in zip(coordinate, parts))
        if _at_leaves(result, coordinate) != count * _at_leaves(a, whole) + rest:
            return False
    return True


def recast(a, old_bits, new_bits, result, ones):
    if new_bits >= old_bits:
        return upcast(a, new_bits // old_bits, result, ones)
    return downcast(a, old_bits // new_bits, result, ones)


def by_parts(question, arranged):
    """A divide or product: `question` of each mode of the tiler, in the arrangement of the result."""

    def judged(a, tiler, result, ones):
        if not isinstance(tiler, Tiler):
            return any(question(a, tiler, *pair, ones) for pair in arranged(None, 1, result))
        count, rank = len(tiler.modes), len(modes(a))
        for pairs, others in arranged(count, rank, result):
            same = len(others) == rank - count and all(
                values(mode) == values(part) for mode, part in zip(others, modes(a)[count:])
            )
            if same and all(question(*each, *pair, ones) for *each, pair in zip(modes(a), tiler.modes, pairs)):
                return True
        return False

    return judged


def logical(count, rank, result):
    parts = modes(result)
    if count is None:
        return [tuple(parts)] if len(parts) == 2 else []
    pairs = [modes(part) for part in parts[:count]]
    return [(pairs, parts[count:])] if len(parts) == rank >= count and all(len(p) == 2 for p in pairs) else []


def zipped(count, rank, result):
    parts = modes(result)
    if count is None or len(parts) != 2:
        return logical(None, rank, result) if count is None else []
    return _zip(count, rank, modes(parts[0]), modes(parts[1]))


def tiled(count, rank, result):
    first, *others = modes(result)
    if count is None:
        return [(first, joined(others))] if others else []
    return _zip(count, rank, modes(first), others)


def flat(count, rank, result):
    parts = modes(result)
    if count is None:
        return [(joined(parts[:i]), joined(parts[i:])) for i in range(1, len(parts))]
    return _zip(count, rank, parts[:count], parts[count:])


def _zip(count, rank, firsts, seconds):
    return [(list(zip(firsts, seconds)), seconds[count:])] if len(firsts) == count and len(seconds) == rank else []


def divided(a, b, tile, rest, ones):
    """The tile is A o B, and the rest is A o C for a complement C of B in size(A)."""
    return composition(a, b, tile, ones) and _some_complement(a, b, rest, ones)


def repeated(a, b, block, grid, _):
    """The block is A, and the grid is C o B for a complement C of A."""
    if not refines(block.shape, a.shape) or values(block) != values(a) or not refines(grid.shape, b.shape):
        return False
    return _is_grid(a, b, values(grid))


def _is_grid(a, b, places):
    numbers = values(b)
    cover = _cover(a, count=max(numbers) + 1)
    if cover is not None:
        return places == [cover[number] for number in numbers]
    repetitions = dict(zip(numbers, places))
    ascending = [repetitions[number] for number in sorted(repetitions)]
    return places == [repetitions[n] for n in numbers] and _ascends(ascending) and _disjoint(a, ascending)


def interleaved(raked):
    """Mode i has block and grid of mode i, the block first, or raked the grid; judged at the index of each mode."""

    def judged(a, b, result, _):
        rank = max(len(modes(a)), len(modes(b)))
        blocks, grids = ([size(part.shape) for part in modes(each)] for each in (a, b))
        blocks, grids = (sizes + [1] * (rank - len(sizes)) for sizes in (blocks, grids))
        parts = modes(result)
        if len(parts) != rank or [size(part.shape) for part in parts] != [x * y for x, y in zip(blocks, grids)]:
            return False

        def offset(x, y):
            scaled = (i * g + j if raked else i + j * b for i, j, b, g in zip(x, y, blocks, grids))
            return sum(at(part, index) for part, index in zip(parts, scaled))

        def colex(sizes):
            return [c[::-1] for c in product(*map(range, reversed(sizes)))]

        origin = (0,) * rank
        places, inner = [offset(origin, y) for y in colex(grids)], values(a)
        sums = all(
            offset(x, y) == inner[i] + places[j] for j, y in enumerate(colex(grids)) for i, x in enumerate(colex(blocks))
        )
        return sums and _is_grid(a, b, places)

    return judged


def _at_leaves(layout, coordinate):
    return sum(c * d for c, d in zip(coordinate, leaves(layout.stride)))


def _leaf_lines(layout):
    return [[i * d for i in range(n)] for n, d in zip(leaves(layout.shape), leaves(layout.stride))]


def _wide(line, count):
    return sorted({offset // count for offset in line})


def _ascends(numbers):
    return all(a < b for a, b in zip(numbers, numbers[1:]))


def _disjoint(block, translations):
    image = set(values(block))
    return len({t + offset for t in translations for offset in image}) == len(image) * len(translations)


@lru_cache(maxsize=4096)
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


def _most(block, within):
    """No complement has a translation from here on."""
    return 2 * max(within, max(values(block)) + 1)


def _is_complement(block, within, translations):
    if translations[0] != 0 or not _ascends(translations) or not _disjoint(block, translations):
        return False
    if translations[-1] >= _most(block, within):
        return False
    if _cover(block, within) is None:
        return True
    covered = {t + offset for t in translations for offset in values(block)}
    return all(offset in covered for offset in range(within))


def _some_complement(a, b, rest, ones):
    """Whether a complement C of `b` in size(a) has a(C(i)) = rest(i); a search, since `a` may repeat offsets. What it
    does not find in 20,000 steps counts as right."""
    within, places = size(a.shape), values(rest)
    preimages = {}
    for index in range(_most(b, within)):
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


# That nothing is right.


def failing_index(offsets, shape):
    """The first index of the shape at which no layout that refines it has these offsets, having had those before; None if one has
    all. The offset of a coordinate has to be the sum of those of its parts, and each leaf has to be the line of a layout."""
    if offsets[0] != 0:
        return 0
    failures, step, lines = [], 1, []
    for extent in leaves(shape):
        line = tuple(offsets[i * step] for i in range(extent))
        failed = _failing_in_line(line)
        if failed is not None:
            failures.append(failed * step)
        lines.append((step, line))
        step *= extent
    for index, offset in enumerate(offsets):
        if offset != sum(line[index // step % len(line)] for step, line in lines):
            failures.append(index)
            break
    return min(failures, default=None)


@lru_cache(maxsize=65536)
def _failing_in_line(line):
    """Of all layouts of this size, by all ordered factorizations: how far the best agrees with the line; None for to its end."""
    count, furthest = len(line), 0
    for chain in _chains(count):
        for index in range(count):
            offset, rest = 0, index
            for step, following in zip(chain, chain[1:]):
                offset += rest % (following // step) * line[step]
                rest //= following // step
            if offset != line[index]:
                break
        else:
            return None
        furthest = max(furthest, index)
    return furthest


@lru_cache(maxsize=None)
def _chains(count):
    """All chains of divisors 1, ..., count, each a proper multiple of the one before."""
    if count == 1:
        return [(1,)]
    return [(*chain, count) for part in range(1, count) if count % part == 0 for chain in _chains(part)]


def _none_at(index, shape):
    return ("exists", None) if index is None else ("none", natural(index, shape))


def no_composition(a, b, ones):
    if isinstance(a, Swizzled):  # A swizzle is one to one.
        a = a.layout
    if isinstance(b, Tiler):
        if len(b.modes) > len(modes(a)):  # The first step along a mode that A does not have.
            return "none", tuple(int(i == len(modes(a))) for i in range(len(b.modes)))
        return _by_mode(no_composition, a, b, ones)
    return _none_at(failing_index([at(a, offset, ones) for offset in values(b)], b.shape), b.shape)


def no_quotient(a, b, ones):
    """The coordinate is one of `logical_divide`. The rest has as many elements as any complement may have; it fails at the first
    index at which all of these fail."""
    if isinstance(b, Tiler):
        return _by_mode(no_quotient, a, b, ones)
    kind, coordinate = no_composition(a, b, ones)
    if kind == "none":
        return kind, (coordinate, 0)
    within = size(a.shape)
    fewest = _cover(b, within)
    if fewest is None:
        return "open", None
    failures = []
    for count in range(len(fewest), len(fewest) + _most(b, within)):
        translations = _cover(b, within, count)
        if translations is None or len(translations) < count or translations[count - 1] >= _most(b, within):
            break
        failed = failing_index([at(a, t, ones) for t in translations[:count]], count)
        if failed is None:
            return "exists", None
        failures.append(failed)
    return ("none", (0, max(failures))) if failures else ("open", None)


def no_product(a, b, _):
    if isinstance(b, Tiler):
        return _by_mode(no_product, a, b, _)
    numbers = values(b)
    cover = _cover(a, count=max(numbers) + 1)
    if cover is None:
        return "open", None
    kind, coordinate = _none_at(failing_index([cover[number] for number in numbers], b.shape), b.shape)
    return kind, (0, coordinate) if kind == "none" else None


def _by_mode(question, a, tiler, ones):
    """The first mode of which none exists; its coordinate, with 0 in the other modes."""
    kinds = [question(*each, ones) for each in zip(modes(a), tiler.modes)]
    for i, (kind, coordinate) in enumerate(kinds):
        if kind == "none":
            return kind, tuple(coordinate if j == i else 0 for j in range(len(kinds)))
    return "exists" if all(kind == "exists" for kind, _ in kinds) else "open", None


def no_upcast(a, count, _):
    """The coordinate is on a leaf whose wide elements have uneven steps, at the first of them that does not fit."""
    lines, step = [], 1
    for line in _leaf_lines(a):
        wide = _wide(line, count)
        uneven = [place for i, place in enumerate(wide) if place != i * wide[min(1, i)]]
        if uneven:
            first = next(i for i, offset in enumerate(line) if offset // count == uneven[0])
            return "none", natural(first * step, a.shape)
        lines.append(wide)
        step *= len(line)
    exists = {sum(each) for each in product(*lines)} == {offset // count for offset in values(a)}
    return "exists" if exists else "open", None


def no_recast(a, old_bits, new_bits, ones):
    return no_upcast(a, new_bits // old_bits, ones) if new_bits >= old_bits else ("open", None)


def no_offset(a, coordinate, _):
    return ("exists", None) if fits(coordinate, a.shape) else ("none", coordinate)


def _sizes(a):
    return size(a if isinstance(a, (int, tuple)) else a.shape)


def _weakly(a, b):
    return not isinstance(a, tuple) or isinstance(b, tuple) and len(a) == len(b) and all(map(_weakly, a, b))


DIVIDES = {f"{name}_divide": by_parts(divided, arranged) for name, arranged in
           (("logical", logical), ("zipped", zipped), ("tiled", tiled), ("flat", flat))}
PRODUCTS = {f"{name}_product": by_parts(repeated, arranged) for name, arranged in
            (("logical", logical), ("zipped", zipped), ("tiled", tiled), ("flat", flat))}
PRODUCTS |= {"blocked_product": interleaved(False), "raked_product": interleaved(True)}
VALUES = {
    "size": equals(_sizes),
    "cosize": equals(lambda a: max(values(a)) + 1),
    "evaluate": equals(at),
    "crd2idx": equals(index_of),
    "idx2crd": equals(natural),
    "congruent": equals(congruent),
    "weakly_congruent": equals(_weakly),
    "compatible": equals(lambda a, b: refines(b, a)),
}
QUESTIONS = VALUES | {
    "coalesce": coalesce,
    "composition": composition,
    "complement": complement,
    "right_inverse": right_inverse,
    "left_inverse": left_inverse,
    "nullspace": nullspace,
    "common_layout": common_layout,
    "upcast": upcast,
    "downcast": downcast,
    "recast": recast,
} | DIVIDES | PRODUCTS
EXISTENCE = {"composition": no_composition, "upcast": no_upcast, "recast": no_recast, "evaluate": no_offset}
EXISTENCE |= dict.fromkeys(DIVIDES, no_quotient) | dict.fromkeys(PRODUCTS, no_product)
ALWAYS = {*VALUES, "coalesce", "right_inverse", "common_layout"}
# Where no answer of the exact algebra may be missing if enumeration finds one.
EXACT = {*ALWAYS, "composition", "evaluate", "upcast"}
