"""Layouts drawn from a seed, and the list of pairs of COMPARE.md's table."""

from conformance.notation import Layout

EXTENTS = (1, 2, 2, 2, 3, 4, 4, 5, 6, 8)


def pairs(count, rng):
    """`count` pairs of layouts. A prefix of a longer list is the shorter list."""
    return [(layout(rng, 96), layout(rng, 24)) for _ in range(count)]


def layout(rng, largest, kinds=("compact", "compact", "chain", "any"), ranks=3):
    """One to three leaves with at most `largest` elements. Their strides are compact in some order, a chain of divisors with
    gaps, any from 0 to 12, of both signs, or beyond 2^53."""
    while True:
        extents = [rng.choice(EXTENTS) for _ in range(rng.randint(1, ranks))]
        if _product(extents) <= largest:
            break
    kind = rng.choice(kinds)
    if kind == "any":
        strides = [rng.randint(0, 12) for _ in extents]
    elif kind == "signed":
        strides = [rng.randint(-9, 9) for _ in extents]
    elif kind == "large":
        strides = [rng.choice((1, 2**53 + 1, 2**54, 3 * 2**52 - 5)) for _ in extents]
    else:
        strides, step = [0] * len(extents), 1
        for i in rng.sample(range(len(extents)), len(extents)):
            step *= rng.randint(1, 3) if kind == "chain" else 1
            strides[i] = step
            step *= extents[i]
    return _nested(rng, extents, strides)


def _nested(rng, extents, strides):
    if len(extents) == 1:
        return Layout(extents[0], strides[0])
    while len(extents) >= 3 and rng.random() < 0.5:
        first = rng.randint(0, len(extents) - 2)
        group = slice(first, first + 2)
        extents[group], strides[group] = [tuple(extents[group])], [tuple(strides[group])]
    return Layout(tuple(extents), tuple(strides))


def _product(numbers):
    result = 1
    for number in numbers:
        result *= number
    return result
