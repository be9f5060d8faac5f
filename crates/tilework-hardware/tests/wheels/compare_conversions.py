"""Compiles layouts as the program writes them, types and expressions of CuTe C++ and mappings of mdspan, with the headers in the wheels
`nvidia-cutlass` and `nvidia-cuda-cccl`, and compares what they are there with the layouts. No GPU, and no compiler but g++.

    python3 compare_conversions.py COMMAND...      COMMAND: runs the program, such as `cargo run -p tilework-cli --`
"""

import random
import re
import subprocess
import sys

from headers import run

COUNT = 200

CUTE = r"""
#include <cute/tensor.hpp>
using namespace cute;
template <class T, class L> void both(L const& layout) {
  static_assert(std::is_same_v<T, L>, "the type is that of the expression");
  print(T{}); print("\t"); print(layout); print("\n");
}
int main() {
"""

MDSPAN = r"""
#include <cuda/std/mdspan>
#include <cuda/std/array>
#include <cstdio>
template <class M> void offsets(M const& m) {
  auto const& e = m.extents();
  for (std::size_t k = 0; k < (e.rank() > 2 ? e.extent(2) : 1); ++k)
    for (std::size_t j = 0; j < (e.rank() > 1 ? e.extent(1) : 1); ++j)
      for (std::size_t i = 0; i < e.extent(0); ++i)
        if constexpr (M::extents_type::rank() == 1) std::printf("%zu ", m(i));
        else if constexpr (M::extents_type::rank() == 2) std::printf("%zu ", m(i, j));
        else std::printf("%zu ", m(i, j, k));
  std::printf("\n");
}
int main() {
"""


def tuples(rng, depth, leaf):
    """A random shape and its stride, congruent."""
    if depth == 0 or rng.random() < 0.4:
        return leaf(rng)
    parts = [tuples(rng, depth - 1, leaf) for _ in range(rng.randint(1, 3))]
    return tuple("(" + ",".join(part[i] for part in parts) + ")" for i in range(2))


def layouts():
    rng = random.Random(1)
    number = lambda rng: rng.choice([0, 1, 2, 3, 8, 12, 14, 100, 512, 1000, 4096, -1, -5, -24])
    kinds = [
        lambda rng: str(number(rng)),
        lambda rng: f"{number(rng)}@{rng.randint(0, 2)}",
        lambda rng: f"{number(rng)}@{rng.randint(0, 1)}@{rng.randint(0, 2)}",
    ]
    out = ["(8,8):(^1,^9)", "(8,(2,4)):(^1,(^9,^18))", "(4,8):(^8,^1)"]
    while len(out) < COUNT:
        kind = len(out) % 4
        leaf = lambda rng: (str(rng.choice([1, 2, 3, 4, 7, 8, 16, 96, 300])), kinds[kind % 3](rng))
        text = ":".join(tuples(rng, 3, leaf))
        if kind == 3 and "-" not in text:
            bits, shift = rng.randint(1, 3), rng.choice([3, 4, -3])
            text = f"Sw<{bits},{rng.randint(0, 4)},{shift}> o {rng.choice([0, 0, 7, 64])} o {text}"
        out.append(text)
    return out


def written(layouts, *arguments):
    """What the program writes of each."""
    run = subprocess.run([*sys.argv[1:], "eval", "-", *arguments], input="\n".join(layouts), check=False, capture_output=True, text=True)
    lines = run.stdout.splitlines()
    assert len(lines) == len(layouts), run.stderr
    return lines


def canonical(text):
    """The layout in the notation: a coordinate stride of 0 is 0, which is what it is printed as."""
    text = re.sub(r"\b0(@\d+)+", "0", text.replace("_", "").replace(" o 0 o ", " o ").replace("Sw<", "S<"))
    return text


def compare_cute():
    # Where basis elements contradict each other, there is no layout.
    candidates = layouts()
    ours = [layout for layout, line in zip(candidates, written(candidates)) if not line.startswith("error")]
    types, expressions = written(ours, "--as", "cpp-type"), written(ours, "--as", "cpp")
    assert not any(line.startswith("error") for line in types + expressions)
    calls = [f"both<{type_}>({expression});" for type_, expression in zip(types, expressions)]
    lines = run(CUTE + "\n".join(calls) + "\n}\n")
    # XOR strides are written with a swizzle.
    expected = [re.sub(r"^!cute\.(composed_)?layout<\"|\">$", "", line) for line in written(ours, "--as", "mlir")]
    differ = 0
    for text, line in zip(expected, lines, strict=True):
        for printed in line.split("\t"):
            if canonical(printed) != canonical(text):
                differ += 1
                print(f"{text}\n  CuTe     {printed}")
    print(f"{len(lines)} layouts as types and expressions of CuTe C++: {differ} differ")
    return differ or len(lines) < 150


def compare_mdspan():
    rng = random.Random(2)
    ours = []
    while len(ours) < COUNT:
        extents = [rng.choice([1, 2, 3, 4, 8]) for _ in range(rng.randint(1, 3))]
        order, strides, end = rng.sample(range(len(extents)), len(extents)), {}, 1
        for mode in order:
            strides[mode] = end * rng.choice([1, 1, 2, 3])
            end = strides[mode] * extents[mode]
        stride = [strides[mode] for mode in range(len(extents))]
        ours.append(f"({','.join(map(str, extents))}):({','.join(map(str, stride))})")
    mappings = [line.replace("std::", "cuda::std::") for line in written(ours, "--as", "mdspan")]
    lines = run(MDSPAN + "\n".join(f"offsets({mapping});" for mapping in mappings) + "\n}\n")
    differ = 0
    for layout, line in zip(ours, lines, strict=True):
        shape, stride = ([int(n) for n in re.findall(r"\d+", part)] for part in layout.split(":"))
        offsets = [0]
        for extent, step in zip(shape, stride, strict=True):
            offsets = [offset + step * i for i in range(extent) for offset in offsets]
        if [int(n) for n in line.split()] != offsets:
            differ += 1
            print(f"{layout}\n  mdspan   {line}")
    print(f"{len(lines)} mappings of mdspan: {differ} differ")
    return differ


sys.exit(bool(compare_cute() or compare_mdspan()))
