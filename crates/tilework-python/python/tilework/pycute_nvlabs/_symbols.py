"""Layouts with symbols of SymPy: modes that merge for all values, and the core's operations on symbolic layouts."""

from .. import _core
from ..errors import Kind
from .stride import *
from .stride import Symbolic, native_stride


def is_same(x, y):
    """Whether two values are equal for all values of their symbols; `False` if unknown."""
    difference = x - y
    return bool((difference.expand() if hasattr(difference, "expand") else difference) == 0)


def unwrap_one(t):
    """The member of a tuple of one member."""
    return t[0] if len(t) == 1 else t


def merged(layout, extended=False):
    """A layout with modes merged that continue each other for all values of its symbols; if extended, the last one stays."""
    modes, flat = [], list(zip_leaves(flatten(layout.shape), flatten(layout.stride)))
    for i, (extent, step) in enumerate(flat):
        if modes and is_same(modes[-1][0] * modes[-1][1], step):
            modes[-1] = (modes[-1][0] * extent, modes[-1][1])
        elif not is_same(extent, 1) or extended and i + 1 == len(flat):
            modes.append((extent, step))
    return type(layout)(*map(unwrap_one, zip(*modes))) if modes else layout._one()


def chain(layout):
    """The right inverse of a layout of symbols, as long as one mode begins where another ends for all values."""
    modes = list(zip_leaves(flatten(layout.shape), flatten(layout.stride), prefix_product(flatten(layout.shape))))
    chain, reached = [], 1
    while found := [mode for mode in modes if is_same(mode[1], reached) and not is_same(mode[0], 1)]:
        extent, step, index = found[0]
        chain, reached = chain + [(extent, index)], extent * step
    return type(layout)(*map(unwrap_one, zip(*chain))) if chain else type(layout)(1, 0)


def answer(known, operation, layout, *more):
    """What a function of layouts gives; where it refuses to decide about symbols, what the core's operation gives for all of their
    values. A condition on them is refused by an error that says it."""
    try:
        return known(layout, *more)
    except Symbolic as refusal:
        scope, names = _core.Scope(), {}
        try:
            operands = [_symbolic(scope, x, names) for x in (layout, *more) if x is not None]
        except Symbolic:
            raise refusal from None
        found = getattr(operands[0], operation)(*operands[1:])
        if set(scope.names) - set(names):
            # Not a polynomial in the symbols.
            raise refusal from None
        if not found.guard.is_always:
            raise Kind.of("kind", f"this needs {found.guard}, which depends on symbols") from None
        return type(layout)(*(transform_leaf(lambda x: _expression(x, names), t) for t in (found.layout.shape, found.layout.stride)))


def _symbolic(scope, x, names):
    """A layout or a number in the scope; adds the symbols in it to the names."""
    if _is_expression(x) or isinstance(x, int):
        names.update(_symbols(x))
        return x
    steps = transform_leaf(lambda step: step if _is_expression(step) else native_stride(step), x.stride)
    if any(step is None for step in leaves(steps)):
        raise Symbolic(x)
    for leaf in leaves((x.shape, steps)):
        names.update(_symbols(leaf))
    return scope.layout(x.shape, steps)


def _symbols(x):
    return {str(symbol): symbol for symbol in x.free_symbols} if _is_expression(x) else {}


def _is_expression(x):
    """Whether this is an object of SymPy; other objects may have any attribute."""
    return type(x).__module__.startswith("sympy.") and hasattr(x, "free_symbols")


def _expression(x, names):
    """A number of the core as SymPy writes it."""
    if isinstance(x, int):
        return x
    from sympy import ceiling, floor, sympify

    return sympify(str(x), locals={"floor": floor, "ceil": ceiling, **names})
