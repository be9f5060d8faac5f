"""Descriptors of shared operands, as CUTLASS's `make_gmma_desc` and `make_umma_desc` compute them on the host for random layouts,
compared with those of `describe_operands`. No GPU, and no compiler but g++.

    python3 compare_operands.py cargo run -p tilework-hardware --example describe_operands
"""

import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from headers import run

COUNT = 500

HEAD = r"""
#include <cute/tensor.hpp>
#include <cute/atom/mma_traits_sm90_gmma.hpp>
#include <cute/atom/mma_traits_sm100.hpp>
using namespace cute;
template <class T, class S, class L> auto tile() {
  return make_tensor(make_smem_ptr<T>(static_cast<T*>(nullptr)), ComposedLayout<S, smem_ptr_flag_bits<sizeof_bits_v<T>>, L>{});
}
void fields(unsigned mode, unsigned leading, unsigned stride, uint64_t bits) {
  // The start address is that of a stub.
  printf("%u %u %u %#llx\n", mode, leading, stride, (unsigned long long)(bits & ~0x3fffull));
}
template <class T, class S, GMMA::Major M, class L> void sm90() {
  auto d = SM90::GMMA::make_gmma_desc<M>(tile<T, S, L>());
  fields(d.bitfield.layout_type_, d.bitfield.leading_byte_offset_, d.bitfield.stride_byte_offset_, d.desc_);
}
template <class T, class S, UMMA::Major M, class L> void sm100() {
  auto d = UMMA::make_umma_desc<M>(tile<T, S, L>());
  fields(d.layout_type_, d.leading_byte_offset_, d.stride_byte_offset_, d.desc_);
}
int main() {
"""


def case(choose):
    """A layout of the kind that an instruction reads: a call in C++, and a line for `describe_operands`."""
    generation = choose.choice(["sm90", "sm100"])
    bits = choose.choice([16, 16, 8, 32])
    major = choose.choice(["K", "MN"] if generation == "sm100" or bits == 16 else ["K"])
    words = bits == 32 and major == "MN"
    # Transposed elements of 32 bits have one swizzle, of pieces of 32 bytes.
    swizzle = 2 if words else choose.randrange(4)
    width, piece, rows = 8 if words else 1 << swizzle, 128 // bits, 4 if words else 8
    # M and N are multiples of 8, which the headers do not check where operands are MN-major, and N is up to 256.
    if major == "K":
        times = 2 * choose.randint(1, 8)
        leading = choose.randint(1, 64) * 8 if swizzle == 0 else 1
        stride = choose.randint(1, 8) * 8 * width
        shape, steps = ((8, times), (piece, 2)), ((width * piece, stride * piece), (1, leading * piece))
    else:
        times, groups = choose.randint(2, 256 // (width * piece)), 2 * piece // rows
        one, two = choose.randint(1, 8) * 8 * width, choose.randint(1, 64) * 8 * width
        shape, steps = ((width * piece, times), (rows, groups)), ((1, one * piece), (width * piece, two * piece))
    element = {8: "int8_t", 16: "half_t", 32: "tfloat32_t"}[bits]
    static = lambda name, tree: f"Int<{tree}>" if isinstance(tree, int) else f"{name}<{', '.join(static(name, part) for part in tree)}>"
    layout = f"Layout<{static('Shape', shape)}, {static('Stride', steps)}>"
    namespace = "GMMA" if generation == "sm90" else "UMMA"
    # CUTLASS's are those of bytes, ours of elements.
    base, shift = (5, 2) if words else (4, 3)
    call = f"{generation}<{element}, Swizzle<{swizzle}, {base}, {shift}>, {namespace}::Major::{major}, {layout}>();"
    base -= {8: 0, 16: 1, 32: 2}[bits]
    text = str(shape).replace(" ", "") + ":" + str(steps).replace(" ", "")
    own = f"Sw<{swizzle},{base},{shift}>" if swizzle else "Sw<0,0,0>"
    instruction = "wgmma" if generation == "sm90" else "tcgen05"
    return call, f"{instruction}.b.{major.lower()} {bits} {own} o 0 o {text}"


def printed(calls):
    """What the headers compute."""
    # A stub complains about the address.
    return [line for line in run(HEAD + "\n".join(calls) + "\n}\n") if line[:1].isdigit()]


def main():
    choose = random.Random(1)
    cases = [case(choose) for _ in range(COUNT)]
    half = COUNT // 2
    parts = [[call for call, _ in cases[i : i + half]] for i in (0, half)]
    with ThreadPoolExecutor(2) as pool:
        theirs = [line for part in pool.map(printed, parts) for line in part]
    text = "\n".join(line for _, line in cases)
    ours = subprocess.run(sys.argv[1:], input=text, check=True, capture_output=True, text=True).stdout.splitlines()
    assert len(theirs) == len(ours) == COUNT, (len(theirs), len(ours))
    differ = [(line, own, other) for (_, line), own, other in zip(cases, ours, theirs) if own != other]
    for line, own, other in differ[:20]:
        print(f"{line}\n  here     {own}\n  CUTLASS  {other}")
    print(f"{COUNT} descriptors as CUTLASS computes them: {len(differ)} differ")
    sys.exit(bool(differ))


main()
