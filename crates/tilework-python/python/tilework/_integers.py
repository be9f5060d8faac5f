"""Values accepted as an `int`."""

from operator import index


def integer(x):
    """An `int` for any value with `__index__`, such as NumPy's scalars and truth values; other values unchanged."""
    if hasattr(type(x), "__index__"):
        try:
            return index(x)
        except TypeError:
            # An array of several elements, or a symbol.
            return x
    return x
