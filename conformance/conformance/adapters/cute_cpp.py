"""CuTe C++ of the wheel's headers, by g++, with static integers. An operation whose line does not compile is refused."""

import re
import subprocess
import sysconfig
import tempfile
from pathlib import Path

from conformance.adapters.in_process import installed
from conformance.notation import Layout, Swizzled, Tiler

VERSION, MOST, BATCH = installed("nvidia-cutlass"), 1_500, 50
PROBE = """#include <cute/tensor.hpp>
using namespace cute;
template <class T> void line(T const& it) { print(it); print("\\n"); }
int main() {
"""
CALLS = {"evaluate": "{0}({1})", "common_layout": "max_common_layout({0}, {1})", "upcast": "upcast<{1}>({0})",
         "downcast": "downcast<{1}>({0})", "recast": "recast_layout<uint_bit_t<{1}>, uint_bit_t<{2}>>({0})"}
CALLS |= {name: name + '({0}, {1}) ? "true" : "false"' for name in ("congruent", "weakly_congruent", "compatible")}


def answers(cases):
    return [answer for start in range(0, len(cases), BATCH) for answer in _compiled(cases[start : start + BATCH])]


def _compiled(cases):
    calls = []
    for case in cases:
        form = CALLS.get(case.op, f"{case.op}({', '.join(('{0}', '{1}')[: len(case.args)])})")
        calls.append(form.format(*(each if "<" in form and i else _written(each) for i, each in enumerate(case.operands))))
    first, refused = PROBE.count("\n") + 1, set()
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "probe.cpp", Path(folder) / "probe"
        while True:
            lines = ["" if i in refused else f"line({call});" for i, call in enumerate(calls)]
            source.write_text(PROBE + "\n".join(lines) + "\n}\n")
            ran = _compile(source, program)
            if ran.returncode == 0:
                break
            found = {int(n) - first for n in re.findall(r"probe\.cpp:(\d+):", ran.stderr)} & set(range(len(calls))) - refused
            if not found:
                raise RuntimeError(ran.stderr[-2000:])
            refused |= found
        rest = iter(subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines())
    return ["refused" if i in refused else next(rest) for i in range(len(calls))]


def _compile(source, program):
    packages = Path(sysconfig.get_path("purelib"))
    cuda = next(packages.glob("nvidia/cu*/include"))
    options = [o for path in (packages / "cutlass_library/source/include", cuda, cuda / "cccl") for o in ("-I", path)]
    return subprocess.run(["g++", "-w", "-std=c++17", "-O0", "-fmax-errors=0", *options, "-o", program, source], capture_output=True, text=True)


def _written(value):
    if isinstance(value, Layout):
        return f"make_layout({_written(value.shape)}, {_written(value.stride)})"
    if isinstance(value, Tiler):
        return f"make_tile({', '.join(map(_written, value.modes))})"
    if isinstance(value, Swizzled):
        return f"composition(Swizzle<{value.bits},{value.base},{value.shift}>{{}}, Int<{value.offset}>{{}}, {_written(value.layout)})"
    return f"make_tuple({', '.join(map(_written, value))})" if isinstance(value, tuple) else f"C<{value}{'ll' if abs(value) >> 31 else ''}>{{}}"
