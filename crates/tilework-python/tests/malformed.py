"""What no function may be brought down by: `TILEWORK_CASES=20` asks twenty times as often, `TILEWORK_SEED=7` for other objects."""

import os
import random


def cases(count):
    """A generator for each of so many calls."""
    generator = random.Random(int(os.environ.get("TILEWORK_SEED", 1)))
    for _ in range(int(count * float(os.environ.get("TILEWORK_CASES", 1)))):
        yield generator


def of_depth(depth, functions):
    """A tuple nested so deep is answered or refused by each function."""
    deep = 4
    for _ in range(depth):
        deep = (deep,)
    for function in functions:
        try:
            function(deep)
        except (ValueError, RecursionError):
            pass
    # To be taken apart one by one: freed at once, the chain would need as deep a stack in old interpreters.
    while isinstance(deep, tuple):
        deep = deep[0]


def draw(generator, odd):
    """One of the odd objects, or a tuple of some."""
    if generator.random() < 0.2:
        return tuple(generator.choice(odd) for _ in range(generator.randint(0, 3)))
    return generator.choice(odd)
