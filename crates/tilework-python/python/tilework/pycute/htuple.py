"""PyCuTe's tools for hierarchical tuples (paper, section 2.1).

A leaf is everything that is no tuple. Where an argument may be a layout or a tensor, its shape counts, or it is taken
apart and put together again.
"""

from .int_tuple import _incongruent, _pairs, flatten, is_tuple, product
from .modes import Operation, get
from .typing import of_plain, plain

__all__ = [
    "congruent", "depth", "dice_", "flatten", "fold_leaf", "get", "is_tuple", "leaves", "lift", "product",
    "product_each", "rank", "repeat_like", "select", "take", "transform_leaf", "unflatten", "unwrap",
    "weakly_congruent", "wrap", "zip_leaves",
]  # fmt: skip


def _tuple_of(x):
    """The tuple that counts: the shape of what has one."""
    x = plain(x)
    return x.shape if not isinstance(x, (tuple, int)) and hasattr(x, "shape") else x


def _function_and(arguments, what):
    """The arguments without the function among them, which stands first or last."""
    if callable(arguments[0]):
        return arguments[0], arguments[1:]
    if callable(arguments[-1]):
        return arguments[-1], arguments[:-1]
    raise TypeError(f"{what} takes a function")


@Operation
def rank(x) -> int:
    """The number of modes; 1 for a leaf.

    >>> rank((4, (8, 2))), rank(7), rank[1]((4, (8, 2, 3)))
    (2, 1, 3)
    """
    x = _tuple_of(x)
    return len(x) if isinstance(x, tuple) else 1


@Operation
def depth(x) -> int:
    """The levels of nesting; 0 for a leaf.

    >>> depth((4, (8, 2))), depth(7), depth[1]((4, (8, 2)))
    (2, 0, 1)
    """
    x = _tuple_of(x)
    return 1 + max(map(depth, x), default=0) if isinstance(x, tuple) else 0


def leaves(t):
    """All leaves in order.

    >>> leaves((4, ((8,), 2))), leaves(4)
    ((4, 8, 2), (4,))
    """
    return flatten(_tuple_of(t))


def zip_leaves(*ts):
    """The corresponding leaves of congruent tuples.

    >>> zip_leaves((4, (8, 2)), (1, (4, 32)))
    ((4, 1), (8, 4), (2, 32))
    """
    result = []
    _transform(lambda *parts: result.append(parts), tuple(map(_tuple_of, ts)))
    return tuple(result)


def transform_leaf(*arguments):
    """A function of the corresponding leaves of tuples, nested as they are: `transform_leaf(f, t, ...)`; the function may
    stand last, too.

    >>> transform_leaf(lambda x, y: x * y, (4, (8, 2)), (1, (2, 3)))
    (4, (16, 6))
    """
    function, ts = _function_and(arguments, "transform_leaf")
    return _transform(function, tuple(map(_tuple_of, ts)))


def _transform(function, ts):
    first, *others = ts
    if isinstance(first, tuple):
        if not all(isinstance(t, tuple) and len(t) == len(first) for t in others):
            raise _incongruent("tuples of one nesting are wanted", *ts)
        return tuple(_transform(function, parts) for parts in zip(*ts))
    if any(isinstance(t, tuple) for t in others):
        raise _incongruent("tuples of one nesting are wanted", *ts)
    return function(*ts)


def fold_leaf(*arguments):
    """All leaves put together from the left: `fold_leaf(t, start, f)`; the function may stand first.

    >>> fold_leaf((4, (8, 2)), 0, lambda sum, leaf: sum + leaf)
    14
    """
    function, (t, *start) = _function_and(arguments, "fold_leaf")
    if start and isinstance(start[0], tuple) and not isinstance(t, tuple):
        t, start = start[0], [t]
    parts = leaves(t)
    result, parts = (start[0], parts) if start else (parts[0], parts[1:])
    for leaf in parts:
        result = function(result, leaf)
    return result


def lift(function):
    """The function of tuples that applies a function to corresponding leaves; of what is no function, the tuple of it.

    >>> lift(abs)((4, (-8, 2))), lift(4)
    ((4, (8, 2)), (4,))
    """
    if not callable(function) or hasattr(function, "shape"):
        return (function,)
    return lambda *ts: transform_leaf(function, *ts)


@of_plain
def unflatten(flat, profile):
    """The leaves in the nesting of another tuple; of a layout, the nested one.

    >>> unflatten((1, 2, 3), (0, (0, 0)))
    (1, (2, 3))
    """
    if hasattr(flat, "native"):
        return type(flat)(unflatten(flat.shape, profile), unflatten(flat.stride, profile))
    flat = wrap(flat)
    profile = _tuple_of(profile)
    if len(flat) != len(leaves(profile)):
        raise _incongruent("as many leaves as the profile has", flat, profile)
    rest = iter(flat)
    return _transform(lambda _: next(rest), (profile,))


@of_plain
def repeat_like(t, x):
    """The value at every leaf of a tuple.

    >>> repeat_like((4, (8, 2)), 0)
    (0, (0, 0))
    """
    t = _tuple_of(t)
    return tuple(repeat_like(mode, x) for mode in t) if isinstance(t, tuple) else x


@of_plain
def product_each(t):
    """The product of each mode.

    >>> product_each((4, (8, 2))), product_each(4)
    ((4, 16), (4,))
    """
    return tuple(map(product, wrap(_tuple_of(t))))


def _modes(x, indices):
    """The modes at these indices, as what the whole is."""
    parts = tuple(get(x, index) for index in indices)
    if isinstance(x, tuple) or not hasattr(x, "shape"):
        return parts
    if hasattr(x, "_of_modes"):
        return x._of_modes(parts)
    from .layout_base import make_layout

    return make_layout(list(parts))


class _Select:
    """The modes at some indices, in that order: `select(x, 2, 0)` and `select[2, 0](x)`.

    >>> select[2, 0]((4, 8, 2)), select((4, 8, 2), 1)
    ((2, 4), (8,))
    """

    def __call__(self, x, *indices):
        return _modes(x, flatten(indices))

    def __getitem__(self, indices):
        return lambda x: self(x, indices)


class _Take:
    """The modes from one index up to another: `take(x, 1, 3)` and `take[1, 3](x)`.

    >>> take[1, 3]((4, 8, 2)), take((4, 8, 2), 0, 1)
    ((8, 2), (4,))
    """

    def __call__(self, x, begin, end):
        if not 0 <= begin <= end <= rank(x):
            raise IndexError(f"there are no modes {begin} to {end}")
        return _modes(x, range(begin, end))

    def __getitem__(self, ends):
        return lambda x: self(x, *ends)


select = _Select()
take = _Take()


@of_plain
def dice_(crd, trg):
    """The parts of a tuple, or of a layout, that stand at a number: what `slice_` leaves out.

    >>> dice_((2, None), (4, 8)), dice_((None, (0, None)), (3, (4, 5)))
    ((4,), (4,))
    """
    if hasattr(trg, "native"):
        return type(trg)(dice_(crd, trg.shape), dice_(crd, trg.stride))
    if isinstance(crd, tuple):
        pairs = _pairs("a coordinate and a tuple", crd, trg if isinstance(trg, tuple) else None)
        return tuple(leaf for c, s in pairs for leaf in dice_(c, s))
    return () if crd is None else (trg,)


@Operation
def congruent(a, b) -> bool:
    """Whether two nestings are the same (paper, definition 2.3).

    >>> congruent((4, (8, 2)), (0, (0, 0))), congruent((4, 8), (4, (8, 2)))
    (True, False)
    """
    a, b = _tuple_of(a), _tuple_of(b)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(congruent, a, b))
    return not isinstance(a, tuple) and not isinstance(b, tuple)


@Operation
def weakly_congruent(a, b) -> bool:
    """Whether the nesting of `b` is that of `a`, or a finer one (paper, definition 2.4).

    >>> weakly_congruent(30, (2, 15)), weakly_congruent((2, 15), 30)
    (True, False)
    """
    a, b = _tuple_of(a), _tuple_of(b)
    if isinstance(a, tuple):
        return isinstance(b, tuple) and len(a) == len(b) and all(map(weakly_congruent, a, b))
    return True


@of_plain
def wrap(x):
    """A tuple: the tuple itself, or that of one leaf.

    >>> wrap(4), wrap((4, 8))
    ((4,), (4, 8))
    """
    return x if isinstance(x, tuple) else (x,)


@of_plain
def unwrap(x):
    """The one member of a tuple of one, as often as it is one.

    >>> unwrap(((4,),)), unwrap((4, 8))
    (4, (4, 8))
    """
    while isinstance(x, tuple) and len(x) == 1:
        x = x[0]
    return x
