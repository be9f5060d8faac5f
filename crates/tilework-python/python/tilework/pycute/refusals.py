"""pycute asserts where the core refuses: whoever catches an `AssertionError` goes on doing so.

>>> from tilework.pycute import Layout, composition
>>> try:
...     composition(Layout((4, 2), (1, 16)), Layout(5))
... except AssertionError as error:
...     print(isinstance(error, ValueError), error.code)
True shape-divisibility
"""

from ..errors import TileworkError

_BOTH = {}


def asserted(error):
    """The same error as one that is also an `AssertionError`; errors of Python itself stay what they are."""
    kind = type(error)
    if not isinstance(error, TileworkError) or isinstance(error, AssertionError):
        return error
    if kind not in _BOTH:
        _BOTH[kind] = type(kind.__name__, (kind, AssertionError), {"__module__": kind.__module__, "__doc__": kind.__doc__})
    both = _BOTH[kind](*error.args)
    both.__dict__.update(error.__dict__)
    return both.with_traceback(error.__traceback__)
