"""Random layouts, as plain (shape, stride), and what is true of operations on them, by enumeration."""

EXTENTS = [1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 8, 12, 16]
STRIDES = [0, 1, 1, 2, 3, 4, 4, 5, 6, 8, 12, 16, 20, 24, 32, 48, 64]


def product(shape):
    result = 1
    for leaf in leaves(shape):
        result *= leaf
    return result


def leaves(tree):
    return [leaf for part in tree for leaf in leaves(part)] if isinstance(tree, tuple) else [tree]


def like(tree, values):
    return tuple(like(part, values) for part in tree) if isinstance(tree, tuple) else next(values)


def shape(random, depth=0):
    if depth >= 2 or random.random() < 0.4 + 0.2 * depth:
        return random.choice(EXTENTS)
    return tuple(shape(random, depth + 1) for _ in range(random.randint(1, 3)))


def parts(random, limit=400):
    """A shape and a stride: compact, compact in some order with gaps, or any."""
    extents = shape(random)
    while product(extents) > limit:
        extents = shape(random)
    flat = leaves(extents)
    kind = random.random()
    if kind < 0.6:
        order = list(range(len(flat)))
        steps, reached = [0] * len(flat), 1
        if kind > 0.3:
            random.shuffle(order)
            reached = random.choice([1, 1, 1, 2, 3])
        for i in order:
            steps[i] = reached
            reached *= flat[i]
            if kind > 0.3 and random.random() < 0.3:
                reached += random.choice([1, 2, reached, 2 * reached])
    else:
        steps = [random.choice(STRIDES) for _ in flat]
    return extents, like(extents, iter(steps))


def tiler(random, rank, make, depth=0):
    """A tuple of tiles for the leading modes; `make` makes a layout."""

    def tile():
        kind = random.random()
        if kind < 0.1:
            return None
        return random.choice(EXTENTS) if kind < 0.5 else make(*parts(random))

    return tuple(tile() for _ in range(random.randint(1, rank)))


def offsets(layout):
    return [layout(i) for i in range(layout.size())]


def plain(layout):
    return layout.shape, layout.stride


def all_positive(layout):
    return all(extent > 0 for extent in leaves(layout.shape))


def direct(a, b):
    """Whether all sums of an offset of each are different."""
    a, b = set(a), list(b)
    return len({x + y for x in a for y in b}) == len(a) * len(b)


def is_composition(a, b, r):
    return r.size() == b.size() and all(r(i) == a(b(i)) for i in range(b.size()))


def is_complement(a, r):
    if not all_positive(r):
        return False
    steps = offsets(r)
    return all(x < y for x, y in zip(steps, steps[1:])) and direct(offsets(a), steps)


def is_right_inverse(a, r):
    return all(a(r(i)) == i for i in range(r.size()))


def is_left_inverse(a, r):
    return all(a(r(a(i))) == a(i) for i in range(a.size()))


def is_divide(a, b, rest, r):
    """`rest` is what completes `b` to cover all of `a`."""
    if not all_positive(rest) or not direct(offsets(b), offsets(rest)):
        return False
    order = [x + y for y in offsets(rest) for x in offsets(b)]
    return set(range(a.size())) <= set(order) and [a(i) for i in order] == offsets(r)


def is_product(a, b, r):
    """The blocks are `a`, different, and in the order of `b`."""
    if not all_positive(r) or r.size() != a.size() * b.size() or offsets(r[0]) != offsets(a):
        return False
    places, steps = offsets(b), offsets(r[1])
    rank = {place: i for i, place in enumerate(sorted(set(places)))}
    ranked = {step: i for i, step in enumerate(sorted(set(steps)))}
    return direct(offsets(a), set(steps)) and [ranked[s] for s in steps] == [rank[x] for x in places]
