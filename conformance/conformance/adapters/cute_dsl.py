"""The CuTe DSL while it traces, which is ended before anything is compiled. A crash of the compiler ends a process, and the next
begins after the case that crashed."""

import os
import tempfile

from conformance.adapters.in_process import answers_of, converted, installed

VERSION, MOST, BATCH = installed("nvidia-cutlass-dsl"), 6_000, 100
OTHER = {"common_layout": "max_common_layout", "congruent": "is_congruent", "weakly_congruent": "is_weakly_congruent"}


def answers(cases):
    import cutlass.cute as cute  # Loaded once, before the processes divide.

    found = []
    while part := cases[len(found) :][:BATCH]:
        done = _traced(cute, part)
        found += done + ["crashed"] * (len(done) < len(part))
    return found


def _traced(cute, cases):
    """The answers as far as a process of its own comes."""
    with tempfile.TemporaryFile("w+") as file:
        if not (process := os.fork()):
            for stream in (1, 2):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
            try:
                # The tracer rewrites what it decorates, and leaves the functions that are called from there.
                cute.jit(lambda: _write(cute, cases, file))()
            finally:
                os._exit(0)
        os.waitpid(process, 0)
        file.seek(0)
        return file.read().splitlines()


def _write(cute, cases, file):
    def layout(shape, stride):
        return cute.make_layout(shape, stride=stride)

    def swizzled(s, inner):
        return cute.make_composed_layout(cute.make_swizzle(s.bits, s.base, s.shift), s.offset, inner)

    def call(op, operands):
        operands = [converted(each, layout, swizzled) for each in operands]
        if op == "evaluate":
            return operands[0](operands[1])
        if op == "recast":
            return cute.recast_layout(operands[2], operands[1], operands[0])
        function = getattr(cute, OTHER.get(op, op), None)
        if function is None:
            raise NotImplementedError
        return function(*operands)

    for case in cases:
        file.write(answers_of([case], call)[0].replace("\n", " ") + "\n")
        file.flush()
