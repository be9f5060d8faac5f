"""pycute asserts where the core refuses, so these errors are also `AssertionError`s.

>>> from tilework.pycute import Layout, composition
>>> try:
...     composition(Layout((4, 2), (1, 16)), Layout(5))
... except AssertionError as error:
...     print(isinstance(error, ValueError), error.code)
True shape-divisibility
"""

from ..errors import Kind, TileworkError

_BOTH: dict[type, type] = {}


def of_kind(wanted, x):
    """The error for an argument of another kind; a symbol is named.

    >>> of_kind("a layout", "4")
    Kind('kind: expected a layout, found an object of type str')
    """
    if type(x).__module__.startswith("sympy."):
        return Kind.of("kind", f"expected {wanted}, found the symbol {x}", "tilework.Layout takes symbols as names")
    return Kind.of("kind", f"expected {wanted}, found an object of type {type(x).__name__}")


def asserted(error):
    """The same error, also an `AssertionError`; Python's own errors are unchanged."""
    kind = type(error)
    if not isinstance(error, TileworkError) or isinstance(error, AssertionError):
        return error
    if kind not in _BOTH:
        _BOTH[kind] = type(kind.__name__, (kind, AssertionError), {"__module__": kind.__module__, "__doc__": kind.__doc__})
    both = _BOTH[kind](*error.args)
    both.__dict__.update(error.__dict__)
    return both.with_traceback(error.__traceback__)
