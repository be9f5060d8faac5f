"""Hierarchical tuples (paper, section 2.1) and the functions that can be applied to a mode.

A leaf is whatever is not a tuple or list; a layout is one leaf. `op[i, j](x)`, `op[i][j](x)` and `op(x, mode=(i, j))` are the
same.
"""

from functools import update_wrapper

from ..errors import Incongruent
from .f2 import *
from .f2 import __all__ as _below
from .typedefs import factor, plain

__all__ = [
    "ModeOpDecorator", "congruent", "depth", "dice_", "flatten", "fold_leaf", "get", "has_none", "is_tuple", "leaves",
    "lift", "product", "product_each", "rank", "repeat_like", "select", "take", "transform_apply_leaf",
    "transform_leaf", "unflatten", "unwrap", "weakly_congruent", "wrap", "zip_leaves",
]  # fmt: skip


def _incongruent(what, *values):
    return Incongruent.of("incongruent", f"{what}: " + " and ".join(map(repr, values)))


def is_tuple(x) -> bool:
    """Whether this is a tuple or a list and not a leaf.

    >>> is_tuple((4,)), is_tuple([4]), is_tuple(4)
    (True, True, False)
    """
    return isinstance(x, (tuple, list))


def wrap(x):
    """A tuple: the tuple itself, or that of one leaf.

    >>> wrap(4), wrap([4, 8])
    ((4,), (4, 8))
    """
    return tuple(x) if is_tuple(x) else (x,)


def unwrap(x):
    """The member of a tuple of one member, repeatedly.

    >>> unwrap(((4,),)), unwrap((4, 8))
    (4, (4, 8))
    """
    while is_tuple(x) and len(x) == 1:
        x = x[0]
    return x


class ModeOpDecorator:
    """Gives a function of `(x, ..., *, mode)` its forms with a subscript.

    >>> @ModeOpDecorator
    ... def first(x, *, mode=()):
    ...     return get(x, mode=mode)
    >>> first[1, 0]((4, (8, 2))), first[1][0]((4, (8, 2))), first[1]((4, (8, 2)), mode=0), first[1].mode
    (8, 8, 8, (1,))
    """

    def __init__(self, func, mode=()):
        update_wrapper(self, func)
        self.func = func
        self.mode = plain(wrap(mode))

    def __getitem__(self, mode):
        return type(self)(self.func, self.mode + plain(wrap(mode)))

    def __call__(self, *arguments, mode=(), **named):
        return self.func(*arguments, mode=self.mode + plain(wrap(mode)), **named)

    def __repr__(self):
        return f"<function {self.__module__}.{self.__name__}{list(self.mode) or ''}>"


@ModeOpDecorator
def get(obj, *, mode=()):
    """A mode of a mode.

    >>> get[1]((4, (8, 2))), get((4, (8, 2)), mode=(1, 0)), get[1][0]((4, (8, 2)))
    ((8, 2), 8, 8)
    """
    if not mode:
        return obj
    if hasattr(obj, "get") and not isinstance(obj, dict):
        return obj.get(mode)
    if not is_tuple(obj):
        # A leaf is its own mode 0.
        if any(mode):
            raise IndexError(f"there is no mode {mode} in {obj!r}")
        return obj
    return get(obj[mode[0]], mode=mode[1:])


@ModeOpDecorator
def lift(obj, *, pad=0, mode=()):
    """The tuple with this value at a path, and `pad` at the modes before it.

    >>> lift[0, 2](42), lift[1](42, pad=None), lift(42)
    (((0, 0, 42),), (None, 42), 42)
    """
    for index in reversed(mode):
        obj = (pad,) * index + (obj,)
    return obj


@ModeOpDecorator
def rank(x, *, mode=()) -> int:
    """The number of modes; 1 for a leaf.

    >>> rank((4, (8, 2))), rank(7), rank[1]((4, (8, 2, 3)))
    (2, 1, 3)
    """
    x = _shape_of(get(x, mode=mode))
    return len(x) if is_tuple(x) else 1


@ModeOpDecorator
def depth(x, *, mode=()) -> int:
    """The levels of nesting; 0 for a leaf.

    >>> depth((4, (8, 2))), depth(7), depth[1]((4, (8, 2)))
    (2, 0, 1)
    """
    x = _shape_of(get(x, mode=mode))
    return 1 + max(map(depth, x), default=0) if is_tuple(x) else 0


def _shape_of(x):
    """The extents of a layout or a tensor; a tuple and a number are themselves."""
    return x.shape if hasattr(x, "layout") or hasattr(x, "stride") else plain(x)


@ModeOpDecorator
def select(obj, *, mode=()):
    """The tuple of the modes at some indices, in that order.

    >>> select[2, 0]((4, 8, 2)), select((4, 8, 2), mode=1)
    ((2, 4), (8,))
    """
    return tuple(get(obj, mode=index) for index in mode)


@ModeOpDecorator
def take(obj, *, mode=()):
    """The tuple of the modes from one index up to another.

    >>> take[1, 3]((4, 8, 2)), take((4, 8, 2), mode=(0, 1))
    ((8, 2), (4,))
    """
    if len(mode) != 2 or not 0 <= mode[0] <= mode[1] <= rank(obj):
        raise ValueError(f"take wants a begin and an end within the {rank(obj)} modes, and not {mode}")
    return tuple(get(obj, mode=index) for index in range(*mode))


def leaves(t):
    """All leaves in order.

    >>> list(leaves((4, ((8,), 2)))), list(leaves(4))
    ([4, 8, 2], [4])
    """
    if is_tuple(t):
        for mode in t:
            yield from leaves(mode)
    else:
        yield t


def _pairs(what, t, others):
    """The corresponding modes of tuples, which must be equally many."""
    if not all(is_tuple(other) and len(other) == len(t) for other in others):
        raise _incongruent(what, t, *others)
    return zip(t, *others)


def zip_leaves(htuple, *tuples):
    """The leaves of a tuple, each with the values at its place in the others.

    >>> list(zip_leaves((4, (8, 2)), (1, (4, 32)))), list(zip_leaves((4, 8), (1, (2, 3))))
    ([(4, 1), (8, 4), (2, 32)], [(4, 1), (8, (2, 3))])
    """
    if is_tuple(htuple):
        for parts in _pairs("leaves side by side of", htuple, tuples):
            yield from zip_leaves(*parts)
    else:
        yield (htuple, *tuples)


def transform_apply_leaf(g, f, htuple, *tuples):
    """`f` of the leaves, and `g` of the results of each tuple, which it is given as a generator.

    >>> transform_apply_leaf(sum, lambda x: x + 1, (4, (8, 2)))
    17
    """
    if is_tuple(htuple):
        pairs = _pairs("a function of the leaves of", htuple, tuples)
        return g(transform_apply_leaf(g, f, *parts) for parts in pairs)
    return f(htuple, *tuples)


def transform_leaf(f, htuple, *tuples):
    """`f` of the leaves of the first tuple and of what stands there in the others, nested as the first is.

    >>> transform_leaf(lambda x, y: x * y, (4, (8, 2)), (1, (2, 3)))
    (4, (16, 6))
    """
    return transform_apply_leaf(tuple, f, htuple, *tuples)


def fold_leaf(fn, v, *tuples):
    """`fn(v, leaf, ...)` over the leaves from the left, with the result as the next `v`.

    >>> fold_leaf(lambda sum, x, y: sum + x * y, 0, (4, (8, 2)), (1, (2, 3)))
    26
    """
    for parts in zip_leaves(*tuples):
        v = fn(v, *parts)
    return v


def flatten(t, g=tuple):
    """The leaves without nesting.

    >>> flatten((4, ((8,), 2))), flatten(4), flatten((4, (8,)), list)
    ((4, 8, 2), (4,), [4, 8])
    """
    return g(leaves(t))


def unflatten(iter, profile, g=tuple):
    """The values of an iterator, one per leaf of a profile, in its nesting.

    >>> unflatten(range(3), (0, (0, 0)))
    (0, (1, 2))
    """
    rest = iter if hasattr(iter, "__next__") else leaves(iter if is_tuple(iter) else tuple(iter))

    def following(_):
        for leaf in rest:
            return leaf
        raise _incongruent("fewer leaves than the profile has", profile)

    return transform_apply_leaf(g, following, profile)


def repeat_like(x, profile):
    """A value at every leaf of a profile.

    >>> repeat_like(0, (4, (8, 2)))
    (0, (0, 0))
    """
    return transform_leaf(lambda _: x, profile)


def has_none(x) -> bool:
    """Whether there is a `None` among the leaves.

    >>> has_none((1, (None, 2))), has_none((1, 2))
    (True, False)
    """
    return any(leaf is None for leaf in leaves(x))


def product(x):
    """The product of all leaves.

    >>> product(((2, 3), 4)), product(7), product(())
    (24, 7, 1)
    """
    return fold_leaf(lambda product, leaf: product * factor(leaf), 1, plain(x)) if is_tuple(x) else factor(plain(x))


def product_each(x):
    """The product of each mode.

    >>> product_each((4, (8, 2))), product_each(4)
    ((4, 16), (4,))
    """
    return tuple(map(product, wrap(x)))


def dice_(crd, trg):
    """The parts of a tuple at the numbers of a coordinate: those that a slice leaves out.

    >>> dice_((2, None), (4, 8)), dice_((None, (0, None)), (3, (4, 5)))
    ((4,), (4,))
    """
    if is_tuple(crd):
        return tuple(leaf for parts in _pairs("a coordinate and a tuple", crd, (trg,)) for leaf in dice_(*parts))
    return () if crd is None else (trg,)


def congruent(a, b) -> bool:
    """Whether two nestings are the same (paper, definition 2.3).

    >>> congruent((4, (8, 2)), (0, (0, 0))), congruent((4, 8), (4, (8, 2)))
    (True, False)
    """
    for one, other in ((a, b), (b, a)):
        if hasattr(one, "_congruent"):
            return one._congruent(other)
    if is_tuple(a) and is_tuple(b):
        return len(a) == len(b) and all(map(congruent, a, b))
    return not is_tuple(a) and not is_tuple(b)


def weakly_congruent(a, b) -> bool:
    """Whether `b` has the nesting of `a` or a finer one (paper, definition 2.4).

    >>> weakly_congruent(30, (2, 15)), weakly_congruent((2, 15), 30)
    (True, False)
    """
    if hasattr(a, "_weakly_congruent"):
        return a._weakly_congruent(b)
    if is_tuple(a):
        return is_tuple(b) and len(a) == len(b) and all(map(weakly_congruent, a, b))
    return True


__all__ += _below
