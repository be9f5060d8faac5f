"""tilework's Python package, by its functions."""

import importlib

from conformance.adapters.in_process import answers_of, installed
from conformance.notation import Layout, Swizzled, Tiler

VERSION, MOST = "" if installed("tilework") else None, None


def answers(cases):
    tilework = importlib.import_module("tilework")

    def converted(value):
        """Texts of layouts and tilers are taken where one is wanted."""
        return str(value) if isinstance(value, (Layout, Swizzled, Tiler)) else value

    return answers_of(cases, lambda op, operands: getattr(tilework, op)(*map(converted, operands)))
