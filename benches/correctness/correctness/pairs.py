"""The list: pairs of small layouts from a seed, and the classes of the table.

A layout is a pair of a shape and strides, each an integer or a nested tuple of them.
"""

import random

EXTENTS = (1, 2, 2, 2, 3, 4, 4, 5, 6, 8)


def pairs(count, seed):
    """`count` pairs of layouts. A prefix of a longer list is the shorter list."""
    rng = random.Random(seed)
    return [(_layout(rng, 96), _layout(rng, 24)) for _ in range(count)]


def _layout(rng, largest):
    """One to three leaves with at most `largest` elements: half compact in some order, a quarter a chain of divisors with
    gaps, a quarter with any strides."""
    while True:
        extents = [rng.choice(EXTENTS) for _ in range(rng.randint(1, 3))]
        if _product(extents) <= largest:
            break
    kind = rng.choice(("compact", "compact", "chain", "any"))
    if kind == "any":
        strides = [rng.randint(0, 12) for _ in extents]
    else:
        strides, step = [0] * len(extents), 1
        for i in rng.sample(range(len(extents)), len(extents)):
            step *= rng.randint(1, 3) if kind == "chain" else 1
            strides[i] = step
            step *= extents[i]
    return _nested(rng, extents, strides)


def _nested(rng, extents, strides):
    if len(extents) == 1:
        return extents[0], strides[0]
    if len(extents) == 3 and rng.random() < 0.5:
        first = rng.randint(0, 1)
        group = slice(first, first + 2)
        extents[group], strides[group] = [tuple(extents[group])], [tuple(strides[group])]
    return tuple(extents), tuple(strides)


def _product(numbers):
    result = 1
    for number in numbers:
        result *= number
    return result
