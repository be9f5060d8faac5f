"""The file to copy, vendor/tilework_layout.py."""

import importlib
import pathlib
import sys

from conformance.adapters.in_process import answers_of, converted

VERSION, MOST = "", None
FOLDER = pathlib.Path(__file__).parents[3] / "vendor"


def answers(cases):
    sys.path.insert(0, str(FOLDER))
    library = importlib.import_module("tilework_layout")

    def swizzled(s, inner):
        return library.Swizzled(library.Swizzle(s.bits, s.base, s.shift), s.offset, inner)

    def call(op, operands):
        first, *others = [converted(value, library.Layout, swizzled) for value in operands]
        return first(*others) if op == "evaluate" else getattr(library, op)(first, *others)

    return answers_of(cases, call)
