"""A Python library whose functions are called with its own layouts."""

import importlib.metadata

from conformance.notation import Layout, Swizzled, Tiler, text


def installed(package):
    """Its version; None where it is not installed."""
    try:
        return importlib.metadata.version(package).removesuffix(".0")
    except importlib.metadata.PackageNotFoundError:
        return None


def answers_of(cases, call):
    return [_answer(call, case) for case in cases]


def _answer(call, case):
    """Libraries that have no such operation raise `NotImplementedError`, or lack the name."""
    try:
        result = call(case.op, case.operands)
    except NotImplementedError:
        return "-"
    except Exception:  # Each library has its own: assertions, ValueError, MLIRError.
        return "refused"
    return text(result) if isinstance(result, (bool, int, tuple)) else str(result)


def converted(value, layout, swizzled=None):
    """A value of the notation with the library's layouts; a tiler by mode is a tuple of them."""
    if isinstance(value, Layout):
        return layout(value.shape, value.stride)
    if isinstance(value, Tiler):
        return tuple(converted(mode, layout) for mode in value.modes)
    if isinstance(value, Swizzled):
        if swizzled is None:
            raise NotImplementedError
        return swizzled(value, converted(value.layout, layout))
    return value
