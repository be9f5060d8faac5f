"""CuTe C++ of the wheel's headers, by g++, with static integers. An operation whose line does not compile is refused."""

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
    first, lines = PROBE.count("\n") + 1, [f"line({call});" for call in calls]
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "probe.cpp", Path(folder) / "probe"
        while (ran := _compile(source, program, lines)).returncode:
            found = [i for i, line in enumerate(lines) if line and f"probe.cpp:{first + i}:" in ran.stderr]
            if not found:
                raise RuntimeError(ran.stderr[-2000:])
            for i in found:
                lines[i] = ""
        rest = iter(subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines())
    return [next(rest) if line else "refused" for line in lines]


def _compile(source, program, lines):
    source.write_text(PROBE + "\n".join(lines) + "\n}\n")
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
