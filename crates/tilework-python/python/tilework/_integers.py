"""What counts as an `int` where one is wanted."""

from operator import index


def integer(x):
    """An `int` for whatever has `__index__`, NumPy's scalars and truth values among them; all else as it is."""
    if hasattr(type(x), "__index__"):
        try:
            return index(x)
        except TypeError:
            # An array of several elements, or a symbol.
            return x
    return x
