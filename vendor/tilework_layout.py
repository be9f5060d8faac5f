"""CuTe's layout algebra in one file, to copy: Python 3.9 or later, no dependency. From tilework, MIT or Apache-2.0 at your choice.

A layout `shape:stride` maps coordinates to offsets. Each operation returns a layout that is right at every coordinate, or raises
`LayoutError`: where no layout is right, and where this file cannot tell. It is never silently wrong; `conformance/run` of tilework
tests that on its suite. Theorems and proofs: docs/proofs.md of tilework.

>>> A = Layout.parse("(4,8):(8,1)")
>>> print(A((2, 5)), A(22), composition(A, Layout((2, 4), (1, 2))))
21 21 (2,(2,2)):(8,(16,1))
>>> composition(Layout((4, 6, 8), (2, 3, 5)), Layout(6, 3))
Traceback (most recent call last):
    ...
tilework_layout.LayoutError: (4,6,8):(2,3,5) o 6:3: the step changes after 2 of 3, which does not divide

A tiler is a layout, an integer `n` for `n:1`, or a tuple of tilers, one for each mode from the first on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import reduce
from itertools import count as numbers
from math import gcd
from typing import Any, Callable, Iterator, Optional, Union, overload

IntTuple = Union[int, tuple[Any, ...]]
Mode = tuple[int, int]  # An extent and its stride.
BUDGET = 20_000  # Steps of a search, after which a question is undecided.


class LayoutError(ValueError):
    """No layout is the answer, or the operands are none of the operation's, or the search for it is given up."""


@dataclass(frozen=True)
class Layout:
    """A shape and strides of the same nesting; without strides compact, the first leaf fastest.

    >>> print(Layout((4, (2, 3))))
    (4,(2,3)):(1,(4,8))
    """

    shape: IntTuple
    stride: Any = None

    def __post_init__(self) -> None:
        if any(type(n) is not int or n < 1 for n in flatten(self.shape)):
            raise LayoutError(f"extents are integers of 1 or more: {_text(self.shape)}")
        if self.stride is None:
            object.__setattr__(self, "stride", prefix_product(self.shape))
        if not congruent(self.shape, self.stride):
            raise LayoutError(f"another nesting: {_text(self.shape)} and {_text(self.stride)}")

    @staticmethod
    def parse(text: str) -> Layout:
        """The layout of CuTe's notation, as any implementation prints it.

        >>> Layout.parse("(_4, 8):(8, 1)") == Layout((4, 8), (8, 1))
        True
        """
        shape, colon, stride = text.partition(":")
        return Layout(_parsed(shape), _parsed(stride) if colon else None)

    def __str__(self) -> str:
        return f"{_text(self.shape)}:{_text(self.stride)}"

    def __call__(self, coord: IntTuple) -> int:
        """The offset of a coordinate: an index, or a tuple of as many parts as the shape has, each a coordinate. Beyond
        the shape the last leaf goes on."""
        if not isinstance(coord, tuple):
            return _at(self.leaves, coord)
        parts = modes(self)
        if not isinstance(self.shape, tuple) or len(parts) != len(coord):
            raise LayoutError(f"{_text(coord)} is no coordinate of {_text(self.shape)}")
        return sum(part(c) for part, c in zip(parts, coord))

    @property
    def leaves(self) -> list[Mode]:
        return list(zip(flatten(self.shape), flatten(self.stride)))


@dataclass(frozen=True)
class Swizzle:
    """x ^ ((x & mask) >> shift), the mask of `bits` bits at `base + shift`; a negative shift is one to the left.

    >>> Swizzle(2, 0, 2)(4)
    5
    """

    bits: int
    base: int
    shift: int

    def __post_init__(self) -> None:
        if self.bits < 0 or self.base < 0 or abs(self.shift) < self.bits:
            raise LayoutError(f"the fields of {self} overlap")

    def __call__(self, offset: int) -> int:
        field = offset & (((1 << self.bits) - 1) << (self.base + max(0, self.shift)))
        return offset ^ (field >> self.shift if self.shift >= 0 else field << -self.shift)

    def __str__(self) -> str:
        return f"Sw<{self.bits},{self.base},{self.shift}>"


@dataclass(frozen=True)
class Swizzled:
    """A swizzle of a layout with an offset before it.

    >>> swizzled = Swizzled(Swizzle(2, 0, 2), 0, Layout((4, 4)))
    >>> swizzled((1, 2)), str(composition(swizzled, Layout(4, 4)))
    (11, 'Sw<2,0,2> o 0 o 4:4')
    """

    swizzle: Swizzle
    offset: int
    layout: Layout

    def __call__(self, coord: IntTuple) -> int:
        return self.swizzle(self.offset + self.layout(coord))

    def __str__(self) -> str:
        return f"{self.swizzle} o {self.offset} o {self.layout}"


Tiler = Union[int, Layout, tuple[Any, ...]]


# Tuples, shapes, coordinates.


def flatten(tree: IntTuple) -> list[int]:
    """
    >>> flatten((4, (2, 3)))
    [4, 2, 3]
    """
    return [leaf for part in tree for leaf in flatten(part)] if isinstance(tree, tuple) else [tree]


def size(shape: Union[IntTuple, Layout]) -> int:
    """The number of coordinates."""
    return reduce(lambda a, b: a * b, flatten(shape.shape if isinstance(shape, Layout) else shape), 1)


def cosize(layout: Layout) -> int:
    """The largest offset and one.

    >>> cosize(Layout((4, 8), (10, 1))), cosize(Layout(4, -1))
    (38, 1)
    """
    return sum((n - 1) * d for n, d in layout.leaves if d > 0) + 1


def congruent(a: IntTuple, b: IntTuple) -> bool:
    """Whether nestings are equal."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(congruent, a, b))
    return not isinstance(a, tuple) and not isinstance(b, tuple)


def weakly_congruent(a: IntTuple, b: IntTuple) -> bool:
    """Whether the nesting of `b` refines that of `a`."""
    return not isinstance(a, tuple) or isinstance(b, tuple) and len(a) == len(b) and all(map(weakly_congruent, a, b))


def compatible(a: IntTuple, b: IntTuple) -> bool:
    """Whether sizes are equal, and each coordinate of `a` is one of `b`.

    >>> compatible(6, (2, 3)), compatible((2, 3), 6)
    (True, False)
    """
    if not isinstance(a, tuple):
        return size(b) == a
    if not isinstance(b, tuple):
        return len(a) == 1 and compatible(a[0], b)
    return len(a) == len(b) and all(map(compatible, a, b))


def prefix_product(shape: IntTuple, start: int = 1) -> IntTuple:
    """The strides of the compact layout."""
    if not isinstance(shape, tuple):
        return start
    parts = []
    for part in shape:
        parts.append(prefix_product(part, start))
        start *= size(part)
    return tuple(parts)


def crd2idx(coord: IntTuple, shape: IntTuple) -> int:
    """The index of a coordinate."""
    return Layout(shape)(coord)


def idx2crd(index: int, shape: IntTuple) -> IntTuple:
    """The coordinate of an index; the last extent is not wrapped.

    >>> idx2crd(22, (4, 8)), idx2crd(7, (2, 3))
    ((2, 5), (1, 3))
    """
    if not isinstance(shape, tuple):
        return index
    parts = []
    for i, part in enumerate(shape):
        parts.append(idx2crd(index if i == len(shape) - 1 else index % size(part), part))
        index //= size(part)
    return tuple(parts)


def modes(layout: Layout) -> list[Layout]:
    """The modes; a leaf is its only one."""
    return list(map(Layout, layout.shape, layout.stride)) if isinstance(layout.shape, tuple) else [layout]


def make_layout(*parts: Layout) -> Layout:
    """The layout with these modes."""
    return Layout(tuple(part.shape for part in parts), tuple(part.stride for part in parts))


# Coalesce, composition.


def coalesce(layout: Layout) -> Layout:
    """The same function of an index, in the fewest modes.

    >>> print(coalesce(Layout((2, (1, 6)), (1, (6, 2)))))
    12:1
    """
    return _made(_merged(layout.leaves))


@overload
def composition(a: Layout, b: Tiler) -> Layout: ...
@overload
def composition(a: Swizzled, b: Tiler) -> Swizzled: ...
def composition(a: Union[Layout, Swizzled], b: Tiler) -> Union[Layout, Swizzled]:
    """R with R(c) = A(B(c)) for every coordinate of B; of a tiler mode by mode. Exact: raised only where none exists, or beyond
    `BUDGET` where carries may cancel.

    >>> print(composition(Layout((10, 2), (16, 4)), Layout((3, 4), (1, 5))))
    (3,(2,2)):(16,(80,4))
    """
    if isinstance(a, Swizzled):
        return Swizzled(a.swizzle, a.offset, composition(a.layout, b))
    if isinstance(b, tuple):
        return make_layout(*_by_mode(composition, a, b))
    b = Layout(b, 1) if isinstance(b, int) else b
    bounds = _bounds(a.leaves)
    refined, box = [], []
    for count, step in b.leaves:
        parts = []
        for part, by in _steps(bounds, count, step, f"{a} o {b}"):
            parts.append((part, _at(a.leaves, by)))
            box.append((part, by))
        refined.append(_made(parts))
    if not _is_linear(bounds, box):
        raise LayoutError(f"{a} o {b}: the modes of B carry together in A")
    rest = iter(refined)
    return _replaced(b.shape, lambda: next(rest))


def _bounds(leaves: list[Mode]) -> list[Mode]:
    """A(x) = d x + the sum of E floor(x / P) over these (P, E), for every integer x. An extent of 1 at the end counts."""
    merged, product, found = _merged(leaves[:-1]) + [leaves[-1]], 1, []
    for (n, d), (_, following) in zip(merged, merged[1:]):
        product *= n
        if following != n * d:
            found.append((product, following - n * d))
    return found


def _steps(bounds: list[Mode], count: int, step: int, what: str) -> Iterator[Mode]:
    """The modes into which a leaf `count:step` is divided, each with its step in A. They are forced: a mode ends where A
    first changes its step."""
    while True:
        change = _first_change(bounds, count, step)
        if change is None:
            yield count, step
            return
        if count % change:
            raise LayoutError(f"{what}: the step changes after {change} of {count}, which does not divide")
        yield change, step
        count, step = count // change, step * change


def _first_change(bounds: list[Mode], count: int, step: int) -> Optional[int]:
    """The first c below `count` at which the sum of E floor(t c / P), t = step mod P, is not 0."""
    carries = [(bound, change, step % bound) for bound, change in bounds if step % bound]
    counts = [1] * len(carries)
    for _ in range(BUDGET):
        events = [-(-k * bound // t) for k, (bound, _, t) in zip(counts, carries)]
        c = min(events, default=count)
        if c >= count:
            return None
        counts = [k + (event == c) for k, event in zip(counts, events)]
        if sum((k - 1) * change for k, (_, change, _) in zip(counts, carries)) != 0:
            return c
    raise LayoutError("undecided: carries cancel too often")


def _is_linear(bounds: list[Mode], box: list[Mode]) -> bool:
    """Whether A(sum of d c) is the sum of A(d) c for all c of the box of modes: the sum of E floor(sum of t c / P) is 0."""
    box = [(n, d) for n, d in box if n > 1]
    carries = [(bound, change, [d % bound for _, d in box]) for bound, change in bounds]
    carries = [each for each in carries if sum(t * (n - 1) for t, (n, _) in zip(each[2], box)) >= each[0]]
    sums = {0}
    for _, change, _ in carries:
        if -change in sums or len(sums) > BUDGET:
            break
        sums |= {change + other for other in sums}
    else:
        return not carries  # Nothing carries; or the first carry cannot cancel.
    boxes = [([0] * len(box), [n - 1 for n, _ in box])]
    for _ in range(BUDGET):
        if not boxes:
            return True
        low, high = boxes.pop()
        ends = [[sum(map(int.__mul__, t, c)) // bound for bound, _, t in carries] for c in (low, high)]
        if any(sum(change * k for (_, change, _), k in zip(carries, end)) for end in ends):
            return False
        if ends[0] != ends[1]:
            wide = max(range(len(box)), key=lambda i: (high[i] - low[i]) * max(t[i] for _, _, t in carries))
            if high[wide] == low[wide]:
                wide = max(range(len(box)), key=lambda i: high[i] - low[i])
            middle = (low[wide] + high[wide]) // 2
            boxes.append((low, [middle if i == wide else h for i, h in enumerate(high)]))
            boxes.append(([middle + 1 if i == wide else n for i, n in enumerate(low)], high))
    raise LayoutError("undecided: carries may cancel")


# Complement, divides, products.


def complement(layout: Layout, within: int) -> Layout:
    """The ascending layout whose translates of `layout` are disjoint, filling its gaps up to `within`, rounded up.

    >>> print(complement(Layout(4, 2), 24), complement(Layout((2, 2), (1, 6)), 24))
    (2,3):(1,8) (3,2):(2,12)
    """
    return _made(_merged(_gaps(layout, within, False)))


def _gaps(layout: Layout, within: int, exact: bool) -> list[Mode]:
    """The modes of the complement; `exact`, none leaves offsets out. The last one is kept, since it may be extended."""
    gaps, reach = [], 1
    for d, n in sorted((d, n) for n, d in layout.leaves if n > 1 and d != 0):
        if d < reach:
            raise LayoutError(f"complement of {layout}: strides are negative, or modes overlap or interleave")
        if exact and d % reach and reach < within:
            raise LayoutError(f"{layout}: the gap from {reach} to {d} is not filled evenly")
        gaps.append((d // reach, reach))
        reach = n * d
    return [*gaps, (-(-within // reach), reach)]


def logical_divide(a: Layout, tiler: Tiler) -> Layout:
    """(tile, rest): A o (B, C) for the complement C of B in `size(A)`; of a tiler each mode in two.

    >>> print(logical_divide(Layout((8, 8), (8, 1)), (2, 4)))
    ((2,4),(4,2)):((8,16),(1,4))
    """
    return _arranged(a, tiler, _divided, "logical")


def zipped_divide(a: Layout, tiler: Tiler) -> Layout:
    """((tiles), (rests))."""
    return _arranged(a, tiler, _divided, "zipped")


def tiled_divide(a: Layout, tiler: Tiler) -> Layout:
    """((tiles), rest, rest, ...)."""
    return _arranged(a, tiler, _divided, "tiled")


def flat_divide(a: Layout, tiler: Tiler) -> Layout:
    """(tile, tile, ..., rest, rest, ...)."""
    return _arranged(a, tiler, _divided, "flat")


def _divided(a: Layout, tile: Layout) -> Layout:
    rest = _made(_merged(_gaps(tile, size(a), True)))
    return composition(a, make_layout(tile, rest))


def logical_product(a: Layout, tiler: Tiler) -> Layout:
    """(A, C o B) for the complement C of A, which goes on; of a tiler each mode as (mode, repetition).

    >>> print(logical_product(Layout((2, 2), (4, 1)), Layout(6, 1)))
    ((2,2),(2,3)):((4,1),(2,8))
    """
    return _arranged(a, tiler, _repeated, "logical")


def zipped_product(a: Layout, tiler: Tiler) -> Layout:
    """((A), (repetitions))."""
    return _arranged(a, tiler, _repeated, "zipped")


def tiled_product(a: Layout, tiler: Tiler) -> Layout:
    """((A), repetition, repetition, ...)."""
    return _arranged(a, tiler, _repeated, "tiled")


def flat_product(a: Layout, tiler: Tiler) -> Layout:
    """(mode, mode, ..., repetition, repetition, ...)."""
    return _arranged(a, tiler, _repeated, "flat")


def blocked_product(a: Layout, b: Layout) -> Layout:
    """Copies of A side by side, mode by mode: ((A0,B0),(A1,B1),...).

    >>> print(blocked_product(Layout((2, 5), (5, 1)), Layout((3, 4))))
    ((2,3),(5,4)):((5,10),(1,30))
    """
    return make_layout(*(make_layout(*pair) for pair in _pairs(a, b)))


def raked_product(a: Layout, b: Layout) -> Layout:
    """Copies of A interleaved, mode by mode: ((B0,A0),(B1,A1),...)."""
    return make_layout(*(make_layout(grid, block) for block, grid in _pairs(a, b)))


def _repeated(a: Layout, b: Layout) -> Layout:
    gaps = _gaps(a, 1, False)
    extended = Layout(tuple(n for n, _ in gaps), tuple(d for _, d in gaps))
    return make_layout(a, composition(extended, b))


def _pairs(a: Layout, b: Layout) -> list[tuple[Layout, Layout]]:
    grid = modes(_repeated(a, b))[1]
    blocks, grids = modes(a), modes(grid) if isinstance(b.shape, tuple) else [grid]
    rank, one = max(len(blocks), len(grids)), Layout(1, 0)
    return list(zip(blocks + [one] * (rank - len(blocks)), grids + [one] * (rank - len(grids))))


def _arranged(a: Layout, tiler: Tiler, operation: Callable[[Layout, Layout], Layout], how: str) -> Layout:
    if not isinstance(tiler, tuple):
        both = operation(a, Layout(tiler, 1) if isinstance(tiler, int) else tiler)
        firsts, seconds = ([part] for part in modes(both))
        if how in ("tiled", "flat"):
            seconds = modes(seconds[0])
        if how == "flat":
            firsts = modes(firsts[0])
        return make_layout(*firsts, *seconds)
    logical = _by_mode(lambda mode, tile: _arranged(mode, tile, operation, "logical" if how == "logical" else "zipped"), a, tiler)
    others = modes(a)[len(tiler) :]
    if how == "logical":
        return make_layout(*logical, *others)
    firsts, seconds = map(list, zip(*map(modes, logical)))
    first, second = [make_layout(*firsts)], [make_layout(*seconds, *others)]
    return make_layout(*(firsts if how == "flat" else first), *(second if how == "zipped" else modes(second[0])))


# Inverses.


def right_inverse(layout: Layout) -> Layout:
    """The largest R with L(R(k)) = k.

    >>> print(right_inverse(Layout((4, 8), (8, 1))), right_inverse(Layout((5, 3), (1, 2))))
    (8,4):(4,1) (3,3):(1,6)
    """
    leaves, index, chain, reach = _merged(layout.leaves), 1, [], 1
    offsets = []
    for n, d in leaves:
        offsets.append((d, -n, index))
        index *= n
    for d, n, place in sorted(offsets):
        if d == reach and n < -1:
            chain.append((-n, place))
            reach *= -n
    if all(d >= 0 for _, d in leaves) and reach == _first_missing(leaves):
        return _made(_merged(chain))
    return _made(_merged(_longest(leaves, chain, reach)))


def _first_missing(leaves: list[Mode]) -> int:
    """The first offset that does not occur, for strides of 0 or more."""
    missing = 1
    for d, n in sorted((d, n) for n, d in leaves if d > 0):
        if d > missing:
            break
        missing += (n - 1) * d
    return missing


def _longest(leaves: list[Mode], chain: list[Mode], reach: int) -> list[Mode]:
    """All chains are tried: an index with the offset M, repeated p times as long as sums distribute, then one with offset M p."""
    count, bounds, work = size(tuple(n for n, _ in leaves)), _bounds(leaves), iter(range(BUDGET // 10))
    most = _first_missing(leaves) if all(d >= 0 for _, d in leaves) else None
    best = (reach, chain)

    def extend(modes: list[Mode], product: int, high: int) -> None:
        nonlocal best
        best = max(best, (product, modes), key=lambda pair: pair[0])
        for index in _indices(leaves, product):
            for p in numbers(2):
                last = high + index * (p - 1)
                if best[0] == most or index == 0 or last >= count or not _is_linear(bounds, [*modes, (p, index)]):
                    break
                if next(work, None) is None:
                    raise LayoutError("undecided: right inverse")
                extend([*modes, (p, index)], product * p, last)

    extend([], 1, 0)
    return best[1]


def _indices(leaves: list[Mode], offset: int) -> list[int]:
    """All indices below the size with this offset."""
    found, work = [], iter(range(BUDGET))
    steps, index = [], 1
    for n, d in leaves:
        steps.append((abs(d), n, d, index))
        index *= n
    steps.sort(reverse=True)

    def search(i: int, left: int, index: int) -> None:
        if next(work, None) is None:
            raise LayoutError("undecided: too many indices of one offset")
        rest = steps[i:]
        if not rest:
            found.append(index)
            return
        low, high = (sum((n - 1) * d for _, n, d, _ in rest[1:] if (d > 0) == up) for up in (False, True))
        for digit in range(rest[0][1]):
            if low <= left - digit * rest[0][2] <= high:
                search(i + 1, left - digit * rest[0][2], index + digit * rest[0][3])

    search(0, offset, 0)
    return sorted(found)


def left_inverse(layout: Layout) -> Layout:
    """R with R(L(i)) = i; where L repeats offsets, with L(R(L(i))) = L(i).

    >>> print(left_inverse(Layout((3, 4), (1, 4))), left_inverse(Layout((2, 2), (2, 3))))
    (4,4):(1,3) (2,3):(1,1)
    """
    leaves, index, steps = _merged(layout.leaves), 1, []
    for n, d in leaves:
        if n > 1 and d != 0:
            steps.append((d, n, index))
        index *= n
    steps.sort()
    chain = zip(steps, steps[1:])
    if all(d > 0 for d, _, _ in steps) and all(e % d == 0 and n * d <= e for (d, n, _), (e, _, _) in chain):
        inverse, reach, place = [], 1, 0
        for d, n, following in steps:
            inverse.append((d // reach, place))
            reach, place = d, following
        return _made(_merged([*inverse, (steps[-1][1] if steps else 1, place)]))
    if size(layout) > BUDGET // 40:
        raise LayoutError(f"undecided: a left inverse of {layout}")
    wanted: dict[int, frozenset[int]] = {}
    for i in range(size(layout)):
        wanted[layout(i)] = wanted.get(layout(i), frozenset()) | {i}
    found = _descended(wanted, iter(range(BUDGET)))
    if found is None:
        raise LayoutError(f"no left inverse of {layout} was found")
    return _made(_merged(found))


def _descended(wanted: dict[int, frozenset[int]], work: Iterator[int]) -> Optional[list[Mode]]:
    """Modes of a G with G(x) in wanted[x] for each x: either one mode, or a first mode p:g before a smaller problem of the same kind,
    G(x) = g (x mod p) + G'(x // p)."""
    if 0 in wanted and 0 not in wanted[0]:
        return None
    others = sorted((x for x in wanted if x), key=abs)
    if not others:
        return [(1, 0)]
    for g in sorted(i // others[0] for i in wanted[others[0]] if i % others[0] == 0):
        if all(g * x in wanted[x] for x in others):
            return [(max(2, max(others) + 1), g)]
    for p in range(2, max(map(abs, others)) + 1):
        for g in _first_strides(wanted, others, p):
            if next(work, None) is None:
                raise LayoutError("undecided: left inverse")
            smaller: dict[int, frozenset[int]] = {}
            for x, indices in wanted.items():
                rest = frozenset(i - g * (x % p) for i in indices)
                smaller[x // p] = smaller.get(x // p, rest) & rest
                if not smaller[x // p]:
                    break
            else:
                inner = _descended(smaller, work)
                if inner is not None:
                    return [(p, g), *inner]
    return None


def _first_strides(wanted: dict[int, frozenset[int]], others: list[int], p: int) -> list[int]:
    """The strides that a first mode of extent `p` may have, all of them where an offset is within it."""
    within = [x for x in others if 0 < x < p]
    if within:
        return sorted(i // within[0] for i in wanted[within[0]] if i % within[0] == 0)
    found = {0}
    floors: dict[int, int] = {}
    for x in others:
        y = floors.setdefault(x // p, x)
        if y != x:
            found |= {(i - j) // (x - y) for i in wanted[x] for j in wanted[y] if (i - j) % (x - y) == 0}
            break
    return sorted(found, key=abs)


def nullspace(layout: Layout) -> Layout:
    """The layout of the indices whose offset is 0.

    >>> print(nullspace(Layout((4, 8), (0, 1))), nullspace(Layout((2, 2), (1, -1))))
    4:1 2:3
    """
    leaves = layout.leaves
    if len({d > 0 for n, d in leaves if n > 1 and d != 0}) < 2:
        index, found = 1, []
        for n, d in leaves:
            if d == 0:
                found.append((n, index if n > 1 else 0))
            index *= n
        return _made(found)
    if size(layout) > BUDGET:
        raise LayoutError(f"undecided: the nullspace of {layout}")
    return _of_image([i for i in range(size(layout)) if layout(i) == 0])


def _of_image(offsets: list[int]) -> Layout:
    """The layout with these offsets."""
    found, rest = [], offsets
    while len(rest) > 1:
        step = rest[1]
        extent = next((i for i, offset in enumerate(rest) if offset != i * step), len(rest))
        if len(rest) % extent:
            break
        found.append((extent, step))
        rest = rest[::extent]
    if [_at(found or [(1, 0)], i) for i in range(len(offsets))] != offsets:
        raise LayoutError(f"these are not the offsets of a layout: {offsets}")
    return _made(found)


def common_layout(a: Layout, b: Layout) -> Layout:
    """R with A(R(k)) = B(R(k)) = k, the largest where neither A nor B repeats offsets.

    >>> print(common_layout(Layout((4, 8)), Layout((4, 8), (1, 100))))
    4:1
    """
    found = []
    for (n, d), (m, e) in zip(right_inverse(a).leaves, right_inverse(b).leaves):
        if d != e:
            break
        found.append((min(n, m), d))
        if n != m:
            break
    return _made(_merged(found))


# Elements of another width.


def upcast(layout: Layout, count: int) -> Layout:
    """The layout of elements `count` times as wide: floor(L(c) / count) for the groups of elements that are in one.

    >>> print(upcast(Layout((8, 4), (1, 8)), 4))
    (2,4):(1,2)
    """
    leaves, within = [], 0
    for n, d in layout.leaves:
        group = count // gcd(abs(d), count) if d else 1
        if n > 1 and (d < 0 or d % count and count % d):
            raise LayoutError(f"{layout}: steps of {d} are uneven in elements of {count}")
        within += (min(n, group) - 1) * d
        leaves.append((-(-n // group), d * group // count if n > group else 0))
    if within >= count:
        raise LayoutError(f"{layout}: modes together reach beyond an element of {count}")
    return _with_leaves(layout, leaves)


def downcast(layout: Layout, count: int) -> Layout:
    """The layout of elements `count` times as narrow: the mode of stride 1 is that much longer.

    >>> print(downcast(Layout((2, 4), (1, 2)), 4))
    (8,4):(1,8)
    """
    ones = [i for i, (_, d) in enumerate(layout.leaves) if d == 1]
    if len(ones) != 1:
        raise LayoutError(f"{layout}: one mode of stride 1 is split into {count}")
    leaves = [(n * count, 1) if i == ones[0] else (n, d * count if n > 1 else 0) for i, (n, d) in enumerate(layout.leaves)]
    return _with_leaves(layout, leaves)


def recast(layout: Layout, old_bits: int, new_bits: int) -> Layout:
    """The layout in elements of `new_bits`."""
    common = gcd(old_bits, new_bits)
    old, new = old_bits // common, new_bits // common
    narrow = downcast(layout, old) if old > 1 else layout
    return upcast(narrow, new) if new > 1 else narrow


# Helpers.


def _at(leaves: list[Mode], index: int) -> int:
    offset = 0
    for n, d in leaves[:-1]:
        offset += index % n * d
        index //= n
    return offset + index * leaves[-1][1]


def _merged(leaves: list[Mode]) -> list[Mode]:
    """Without extents of 1, and modes that go on evenly in one."""
    found: list[Mode] = []
    for n, d in leaves:
        if n == 1:
            continue
        if found and found[-1][0] * found[-1][1] == d:
            found[-1] = found[-1][0] * n, found[-1][1]
        else:
            found.append((n, d))
    return found


def _made(leaves: list[Mode]) -> Layout:
    """The flat layout of these modes; of one mode a leaf, and an extent of 1 has stride 0."""
    leaves = [(n, d if n > 1 else 0) for n, d in leaves] or [(1, 0)]
    return Layout(*leaves[0]) if len(leaves) == 1 else make_layout(*(Layout(n, d) for n, d in leaves))


def _with_leaves(layout: Layout, leaves: list[Mode]) -> Layout:
    rest = iter(leaves)
    return _replaced(layout.shape, lambda: Layout(*next(rest)))


def _replaced(shape: IntTuple, leaf: Callable[[], Layout]) -> Layout:
    return make_layout(*(_replaced(part, leaf) for part in shape)) if isinstance(shape, tuple) else leaf()


def _by_mode(operation: Callable[[Layout, Any], Layout], a: Layout, tiler: tuple[Any, ...]) -> list[Layout]:
    if not isinstance(a.shape, tuple) and len(tiler) > 1 or len(tiler) > len(modes(a)):
        raise LayoutError(f"{len(tiler)} tiles for the modes of {a}")
    return [operation(*pair) for pair in zip(modes(a), tiler)]


def _text(tree: Any) -> str:
    return f"({','.join(map(_text, tree))})" if isinstance(tree, tuple) else str(tree)


def _parsed(text: str) -> IntTuple:
    """A tuple of integers, as CuTe and Python write it; `(4)` has one part."""
    stack: list[list[IntTuple]] = [[]]
    tokens = re.findall(r"-?\d+|[(),]|\S", text.replace("_", ""))
    for token in tokens:
        if token == "(":
            stack.append([])
        elif token == ")" and len(stack) > 1:
            part = tuple(stack.pop())
            stack[-1].append(part)
        elif token != ",":
            if not re.fullmatch(r"-?\d+", token):
                raise LayoutError(f"not read: {token} of {text}")
            stack[-1].append(int(token))
    if len(stack) != 1 or len(stack[0]) != 1:
        raise LayoutError(f"no tuple of integers: {text}")
    return stack[0][0]
