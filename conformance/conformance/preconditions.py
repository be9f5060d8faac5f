"""Whether a question is inside what CuTe's documentation asks of operands: a label for the table, no verdict.

Strides are not negative; a layout whose gaps are filled has strides that are a chain of divisors; a composition stays inside its
left operand, whose extents divide, or are divided by, what is left of a stride and of an extent.
"""

from conformance.judge import size, values
from conformance.notation import Layout, Swizzled, Tiler, leaves, modes


def documented(op, args):
    layouts = [arg.layout if isinstance(arg, Swizzled) else arg for arg in args]
    layouts = [part for arg in layouts for part in (arg.modes if isinstance(arg, Tiler) else (arg,))]
    if any(stride < 0 for arg in layouts if isinstance(arg, Layout) for stride in leaves(arg.stride)):
        return False
    if op in RULES and len(args) == 2 and isinstance(args[1], Tiler):
        a, tiler = args
        return len(tiler.modes) <= len(modes(a)) and all(map(RULES[op], modes(a), tiler.modes))
    return RULES[op](*args) if op in RULES else True


def is_chain(a):
    """Whether by ascending stride each stride divides the next, and no mode reaches it."""
    steps = sorted((stride, extent) for extent, stride in _steps(a))
    gaps = zip(steps, steps[1:])
    return all(stride > 0 for stride, _ in steps) and all(
        following % stride == 0 and extent * stride <= following for (stride, extent), (following, _) in gaps
    )


def _steps(a):
    return [(extent, stride) for extent, stride in zip(leaves(a.shape), leaves(a.stride)) if extent != 1]


def _composition(a, b):
    a = a.layout if isinstance(a, Swizzled) else a
    return max(values(b)) < size(a.shape) and all(_divides_out(a, *step) for step in _steps(b) if step[1] != 0)


def _divides_out(a, count, step):
    extents = []
    for extent in _merged(a)[:-1]:
        if extent % step and step % extent:
            return False
        extents.append(-(-extent // step))
        step = -(-step // extent)
    for extent in extents:
        if count % extent and extent % count:
            return False
        count = -(-count // extent)
    return True


def _merged(a):
    """The extents of `a`, where a stride goes on evenly those of one mode."""
    merged = []
    for extent, stride in _steps(a):
        if merged and merged[-1][0] * merged[-1][1] == stride:
            merged[-1] = (merged[-1][0] * extent, merged[-1][1])
        else:
            merged.append((extent, stride))
    return [extent for extent, _ in merged] or [1]


def _gaps(b, within):
    """What fills the gaps of a chain, as steps; None if it does not divide `within`."""
    filled, reach = [], 1
    for stride, extent in sorted((stride, extent) for extent, stride in _steps(b)):
        if stride % reach:
            return None
        filled.append((stride // reach, reach))
        reach = stride * extent
    return None if within % reach else [*filled, (within // reach, reach)]


def _divide(a, b):
    gaps = _gaps(b, size(a.shape)) if is_chain(b) else None
    return gaps is not None and _composition(a, b) and all(_divides_out(a, *step) for step in gaps)


def _product(a, b):
    if not is_chain(a):
        return False
    reach = max((stride * extent for extent, stride in _steps(a)), default=1)
    gaps = _gaps(a, reach)
    if gaps is None:
        return False
    complement = Layout((*(n for n, _ in gaps), max(values(b)) + 1), (*(d for _, d in gaps), reach))
    return all(_divides_out(complement, *step) for step in _steps(b) if step[1] != 0)


def _upcast(a, count):
    return all(d % count == 0 or count % d == 0 and n % (count // d) == 0 for n, d in _steps(a))


def _evaluate(a, coordinate):
    return not isinstance(coordinate, tuple) and coordinate < size(a.shape) or _in_bounds(coordinate, a.shape)


def _in_bounds(coordinate, shape):
    if not isinstance(coordinate, tuple):
        return coordinate < size(shape)
    return isinstance(shape, tuple) and len(shape) == len(coordinate) and all(map(_in_bounds, coordinate, shape))


def _injective(a):
    offsets = values(a)
    return len(set(offsets)) == len(offsets)


RULES = {
    "composition": _composition,
    "complement": lambda b, within: is_chain(b),
    "right_inverse": _injective,
    "left_inverse": is_chain,
    "common_layout": lambda a, b: _injective(a) and _injective(b),
    "evaluate": _evaluate,
    "idx2crd": lambda index, shape: index < size(shape),
    "upcast": _upcast,
    "recast": lambda a, old, new: new < old or _upcast(a, new // old),
}
RULES |= {f"{name}_divide": _divide for name in ("logical", "zipped", "tiled", "flat")}
RULES |= {f"{name}_product": _product for name in ("logical", "zipped", "tiled", "flat", "blocked", "raked")}
