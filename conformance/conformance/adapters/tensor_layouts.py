"""tensor-layouts of Meta."""

import importlib

from conformance.adapters.in_process import answers_of, converted, installed

VERSION, MOST = installed("tensor-layouts"), None
OTHER = {"composition": "compose", "common_layout": "max_common_layout"}


def answers(cases):
    library = importlib.import_module("tensor_layouts")

    def swizzled(s, inner):
        return library.ComposedLayout(library.Swizzle(s.bits, s.base, s.shift), inner, offset=s.offset)

    def call(op, operands):
        operands = [converted(value, library.Layout, swizzled) for value in operands]
        if op == "evaluate":
            return operands[0](operands[1])
        function = getattr(library, OTHER.get(op, op), None)
        if function is None:
            raise NotImplementedError
        return written(function(*operands))

    def written(result):
        if not isinstance(result, library.ComposedLayout):
            return result
        s = result.outer
        return f"Sw<{s.bits},{s.base},{s.shift}> o {result.offset} o {result.inner}"

    return answers_of(cases, call)
