"""pycute of CUTLASS, from the wheel `nvidia-cutlass`."""

import importlib

from conformance.adapters.in_process import answers_of, converted, installed

VERSION, MOST = installed("nvidia-cutlass"), None
NAMES = {"crd2idx", "idx2crd", "size", "cosize", "coalesce", "composition", "complement", "right_inverse", "left_inverse",
         "logical_divide", "zipped_divide", "tiled_divide", "logical_product", "zipped_product", "tiled_product"}


def answers(cases):
    pycute = importlib.import_module("pycute")
    layout = pycute.Layout

    def swizzled(s, inner):
        return pycute.ComposedLayout(pycute.Swizzle(s.bits, s.base, s.shift), s.offset, inner)

    def call(op, operands):
        operands = [converted(value, layout, swizzled if op == "evaluate" else None) for value in operands]
        if op == "evaluate":
            return operands[0](operands[1])
        if op not in NAMES:
            raise NotImplementedError
        return getattr(pycute, op)(*operands)

    return answers_of(cases, call)
