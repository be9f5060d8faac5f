"""What each peer answers: for each pair and operation the text of a layout, `refused`, or `crashed`."""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from correctness.judge import OPERATIONS, size, text


def _expressions(a, b, a_size):
    """The operations in the order of the judge, as tilework and C++ write them."""
    return [
        f"coalesce({a})",
        f"composition({a}, {b})",
        f"complement({b}, {a_size})",
        f"left_inverse({a})",
        f"logical_divide({a}, {b})",
        f"logical_product({a}, {b})",
    ]


def tilework(pairs, program):
    """By the program, one expression a line."""
    lines = []
    for a, b in pairs:
        lines += _expressions(text(a), text(b), size(a[0]))
    ran = subprocess.run([program, "eval", "--json", "-"], input="\n".join(lines), capture_output=True, text=True)
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    return _by_pair([answer.get("result", "refused") for answer in answers])


def pycute(pairs, _):
    import pycute

    return _in_process(pairs, pycute.Layout, pycute, pycute.composition)


def tensor_layouts(pairs, _):
    import tensor_layouts

    return _in_process(pairs, tensor_layouts.Layout, tensor_layouts, tensor_layouts.compose)


def _in_process(pairs, layout, library, composition):
    asked = [_calls(layout(*a), layout(*b), size(a[0]), library, composition) for a, b in pairs]
    return [[_answer_of(call) for call in calls] for calls in asked]


def _calls(a, b, within, library, composition):
    return (
        lambda: library.coalesce(a),
        lambda: composition(a, b),
        lambda: library.complement(b, within),
        lambda: library.left_inverse(a),
        lambda: library.logical_divide(a, b),
        lambda: library.logical_product(a, b),
    )


def _answer_of(call):
    try:
        return str(call())
    except Exception:  # Each library has its own: assertions, ValueError, MLIRError.
        return "refused"


def cute_dsl(pairs, _):
    """While tracing, which is ended before anything is compiled. A crash of the compiler ends a process, and the next begins
    after the operation that crashed."""
    import cutlass.cute  # noqa: F401  Loaded once, before the processes divide.

    answers, batch = [], 25
    for start in range(0, len(pairs), batch):
        part = pairs[start : start + batch]
        done, expected = [], len(part) * len(OPERATIONS)
        while len(done) < expected:
            done += _traced(part, len(done))
            if len(done) < expected:
                done.append("crashed")
        answers += done
    return _by_pair(answers)


def _traced(pairs, skip):
    """The answers from operation `skip` on, as far as a process of its own comes."""
    with tempfile.TemporaryFile("w+") as file:
        process = os.fork()
        if process == 0:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            try:
                _trace(pairs, skip, file)
            finally:
                file.flush()
                os._exit(0)
        os.waitpid(process, 0)
        file.seek(0)
        return file.read().splitlines()


def _trace(pairs, skip, file):
    import cutlass.cute as cute

    # The tracer rewrites what it decorates, and leaves the functions that are called from there.
    trace = cute.jit(lambda: _answer(cute, pairs, skip, file))
    trace()


def _answer(cute, pairs, skip, file):
    for number, (a, b) in enumerate(pairs):
        a_layout, b_layout = (cute.make_layout(shape, stride=stride) for shape, stride in (a, b))
        calls = _calls(a_layout, b_layout, size(a[0]), cute, cute.composition)
        for call in calls[max(0, skip - number * len(calls)) :]:
            file.write(_answer_of(call) + "\n")
            file.flush()


PROBE = r"""
#include <cute/tensor.hpp>
using namespace cute;
template <class L> void line(L const& layout) { print(layout); print("\n"); }
int main() {
"""


def cute_cpp(pairs, _):
    """By g++ against the headers of the wheel, with static integers. An operation whose line does not compile is refused."""
    answers, batch = [], 25
    for start in range(0, len(pairs), batch):
        answers += _compiled(pairs[start : start + batch])
    return _by_pair(answers)


def _compiled(pairs):
    calls = []
    for a, b in pairs:
        calls += _expressions(_type(a), _type(b), f"Int<{size(a[0])}>{{}}")
    first, refused = PROBE.count("\n") + 1, set()
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "probe.cpp", Path(folder) / "probe"
        while True:
            lines = ["" if i in refused else f"line({call});" for i, call in enumerate(calls)]
            source.write_text(PROBE + "\n".join(lines) + "\n}\n")
            ran = _compile(source, program)
            if ran.returncode == 0:
                break
            places = {int(n) - first for n in re.findall(r"probe\.cpp:(\d+):", ran.stderr)}
            found = {i for i in places if 0 <= i < len(calls)} - refused
            if not found:
                raise RuntimeError(ran.stderr[-2000:])
            refused |= found
        printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
    rest = iter(printed)
    return ["refused" if i in refused else next(rest).replace("_", "") for i in range(len(calls))]


def _compile(source, program):
    packages = Path(sys.prefix) / "lib" / f"python3.{sys.version_info.minor}" / "site-packages"
    cuda = next(packages.glob("nvidia/cu*/include"))
    includes = [packages / "cutlass_library/source/include", cuda, cuda / "cccl"]
    options = [part for path in includes for part in ("-I", path)]
    command = ["g++", "-w", "-std=c++17", "-O0", "-fmax-errors=0", *options, "-o", program, source]
    return subprocess.run(command, capture_output=True, text=True)


def _type(layout):
    shape, stride = layout
    return f"Layout<{_tuple('Shape', shape)}, {_tuple('Stride', stride)}>{{}}"


def _tuple(name, tree):
    if isinstance(tree, tuple):
        return f"{name}<{', '.join(_tuple(name, part) for part in tree)}>"
    return f"Int<{tree}>"


def _by_pair(answers):
    count = len(OPERATIONS)
    return [answers[i : i + count] for i in range(0, len(answers), count)]
