"""PyCuTe of NVlabs, from source: `PYCUTE` is a clone of github.com/NVlabs/CuTe. Its package has the name of CUTLASS's pycute."""

import importlib
import os
import sys
from fractions import Fraction

from conformance.adapters.in_process import answers_of, converted

VERSION, MOST = "" if "PYCUTE" in os.environ else None, None
NAMES = {"size", "crd2idx", "idx2crd", "congruent", "weakly_congruent", "compatible", "coalesce", "composition", "complement",
         "right_inverse", "left_inverse", "nullspace", "logical_divide", "zipped_divide", "logical_product", "blocked_product",
         "raked_product"}


def answers(cases):
    library = _imported(os.environ["PYCUTE"])

    def call(op, operands):
        first, *others = [converted(value, library.Layout) for value in operands]
        if op == "evaluate":
            return first(*others)
        if op == "cosize":
            return library.coshape(first)
        if op in ("upcast", "downcast", "recast"):
            scale = {"upcast": others[0], "downcast": Fraction(1, others[0]), "recast": Fraction(others[-1], others[0])}[op]
            return written(library.recast(first, scale))
        if op not in NAMES:
            raise NotImplementedError
        return written(getattr(library, op)(first, *others))

    def written(result):
        """Some of its tuples are lists."""
        return str(result).replace("[", "(").replace("]", ")") if library.is_layout(result) else result

    return answers_of(cases, call)


def _imported(folder):
    others = {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] == "pycute"}
    sys.path.insert(0, folder)
    try:
        return importlib.import_module("pycute")
    finally:
        sys.path.remove(folder)
        for name in [name for name in sys.modules if name.partition(".")[0] == "pycute"]:
            del sys.modules[name]
        sys.modules |= others
