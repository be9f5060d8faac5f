"""Asks CuTe, by a program of C++ against the headers in the wheel `nvidia-cutlass`, and the example `tiled_layouts` the same questions about
tiled MMAs and tiled copies, and compares the answers as functions, with the shapes of all modes.

    python3 compare_tiled.py PROGRAM      PROGRAM: the built example `tiled_layouts`
"""

import random
import re
import subprocess
import sys
from math import prod

from headers import run

HEAD = r"""
#include <cute/tensor.hpp>
#include <cute/atom/mma_atom.hpp>
#include <cute/atom/copy_atom.hpp>
using namespace cute;
template <class L> void column(L const& layout) { print(layout); print("\t"); }
template <class T> void part(T const& tensor) { print(int(tensor(0))); print(" "); print(tensor.layout()); print("\t"); }
template <class M, class N> auto rows(M m, N n) { return make_layout(make_shape(m, n), make_stride(n, Int<1>{})); }
template <class M, class N> auto columns(M m, N n) { return make_layout(make_shape(m, n), make_stride(Int<1>{}, m)); }
template <class L> auto counting(L const& layout) { return make_tensor(make_inttuple_iter(0), layout); }
template <class Mma, class M, class N, class K> void mma(Mma mma, M m, N n, K k, int t) {
  auto a = rows(m, k); auto b = columns(n, k); auto c = rows(m, n); auto thread = mma.get_slice(t);
  column(mma.thrfrg_A(a)); column(mma.thrfrg_B(b)); column(mma.thrfrg_C(c));
  column(mma.get_layoutA_TV()); column(mma.get_layoutB_TV()); column(mma.get_layoutC_TV());
  part(thread.partition_A(counting(a))); part(thread.partition_B(counting(b))); part(thread.partition_C(counting(c))); print("\n");
}
template <class Copy, class L> void sides(Copy copy, L data, int t) {
  auto thread = copy.get_slice(t);
  column(copy.get_layoutS_TV()); column(copy.get_layoutD_TV());
  part(thread.partition_S(counting(data))); part(thread.partition_D(counting(data))); print("\n");
}
template <class Copy, class M, class N> void copy_(Copy copy, M m, N n, int t) { sides(copy, rows(m, n), t); }
template <class Op, class T, class L> void tmem(L data, int t) {
  sides(make_tmem_copy(Copy_Atom<Op, T>{}, make_tensor(make_tmem_ptr<T>(0u), data)), data, t);
}
template <class Copy, class Fragment, class L> void both(Copy copy, Fragment const& fragment, L data, int t) {
  auto registers = make_tensor(make_inttuple_iter(0), make_layout(shape(fragment))); auto thread = copy.get_slice(t);
  column(thread.retile_S(registers).layout());
  part(thread.partition_S(counting(data))); part(thread.partition_D(counting(data))); print("\n");
}
int main() {
"""

MMA = ["SM80_16x8x16_F32F16F16F32_TN", "SM80_16x8x8_F32TF32TF32F32_TN", "SM80_8x8x4_F64F64F64F64_TN", "SM80_16x8x32_S32S8S8S32_TN"]
QUAD = ["SM70_8x8x4_F32F16F16F32_TN", "SM70_8x8x4_F16F16F16F16_NT"]
ATOMS = ["(1,1,1):(0,0,0)", "(2,2,1):(1,2,4)", "(4,1,1):(1,4,4)", "(2,4,1):(4,1,8)", "(1,2,1):(1,1,2)", "(2,1,1):(1,0,0)"]
PERMUTATIONS = ["<_,_,_>", "<_,(8,2,2):(1,16,8),_>", "<_,_,32>", "<64,32,32>", "<(16,2,2):(1,32,16),_,_>"]
LOADS = [("SM75_U32x4_LDSM_N", 16), ("SM75_U32x2_LDSM_N", 16), ("SM75_U16x8_LDSM_T", 16), ("SM75_U32x1_LDSM_N", 16)]
MOVES = [("UniversalCopy<uint128_t>", 16), ("UniversalCopy<uint64_t>", 16), ("UniversalCopy<uint32_t>", 32), ("UniversalCopy<uint128_t>", 32)]
STORES = [("SM90_U32x1_STSM_N", 16), ("SM90_U32x2_STSM_N", 16), ("UniversalCopy<uint64_t>", 32), ("UniversalCopy<uint32_t>", 32)]
TMEM = [("SM100_TMEM_LOAD_32dp32b4x", 32), ("SM100_TMEM_LOAD_16dp256b2x", 32), ("SM100_TMEM_LOAD_16dp128b1x", 32), ("SM100_TMEM_STORE_32dp32b16x", 32), ("SM100_TMEM_LOAD_32dp32b8x_16b", 16)]
SIDES = [("(16,8):(8,1)", "(1,8):(0,1)"), ("(32,4):(4,1)", "(1,8):(0,1)"), ("(8,16):(1,8)", "(8,1):(1,0)"), ("(4,8):(8,1)", "(2,8):(8,1)"), ("(8,(4,2)):(1,(8,32))", "(8,2):(1,8)")]


def cpp(text):
    """A layout in the notation as an expression of C++ with static integers."""
    shape, stride = re.sub(r"\((\d+)\)", r"\1", text).split(":")
    tuples = lambda part, kind: re.sub(r"\d+", lambda n: f"Int<{n[0]}>{{}}", part).replace("(", f"{kind}(")
    return f"make_layout({tuples(shape, 'make_shape')}, {tuples(stride, 'make_stride')})"


def tile(text):
    """A tiler of three modes as an expression of C++."""
    modes = re.findall(r"\([\d,]+\):\([\d,]+\)|_|\d+", text[1:-1])
    return "make_tile(" + ", ".join("_" if m == "_" else f"Int<{m}>{{}}" if m.isdigit() else cpp(m) for m in modes) + ")"


def questions(random_):
    """Fields of the line, and the statement of C++."""
    asked = []

    def tiled():
        quad = random_.random() < 0.2
        # Four quadpairs are a warp: what one leaves out of it, the next ones have.
        atoms = random_.choice(["(2,2,1):(1,2,0)", "(4,1,1):(1,0,0)"] if quad else ATOMS)
        atom, permutation = random_.choice(QUAD if quad else MMA), "<_,_,_>" if quad else random_.choice(PERMUTATIONS)
        threads = 32 if quad else 32 * eval(atoms.split(":")[0])[0] * eval(atoms.split(":")[0])[1]
        m, n, k = (random_.choice([128, 256]), random_.choice([64, 128]), random_.choice([64, 96]))
        text = f"make_tiled_mma(MMA_Atom<{atom}>{{}}, {cpp(atoms)}, {tile(permutation)})"
        return [atom, atoms, permutation, m, n, k], text, random_.randrange(threads)

    for _ in range(16):
        fields, text, thread = tiled()
        m, n, k = (f"Int<{extent}>{{}}" for extent in fields[3:])
        asked.append((["mma", *fields, thread], f"mma({text}, {m}, {n}, {k}, {thread});"))
    for _ in range(8):
        (atom, bits), (threads, values) = random_.choice(MOVES), random_.choice(SIDES)
        thread, type_ = random_.randrange(32), "half_t" if bits == 16 else "float"
        text = f"make_tiled_copy(Copy_Atom<{atom}, {type_}>{{}}, {cpp(threads)}, {cpp(values)})"
        asked.append((["copy", atom, bits, threads, values, 256, 128, thread], f"copy_({text}, _256{{}}, _128{{}}, {thread});"))
    for _ in range(12):
        atom, operand = random_.choice(LOADS), random_.choice("ab")
        atoms, permutation = random_.choice(ATOMS), random_.choice(PERMUTATIONS[1:4])
        fields = [MMA[0], atoms, permutation, 128, 128, 64]
        thread, upper = random_.randrange(32), operand.upper()
        text = (
            f"{{ auto mma = make_tiled_mma(MMA_Atom<{fields[0]}>{{}}, {cpp(atoms)}, {tile(permutation)}); "
            f"auto data = rows(_128{{}}, _64{{}}); "
            f"auto copy = make_tiled_copy_{upper}(Copy_Atom<{atom[0]}, half_t>{{}}, mma); "
            f"both(copy, mma.get_slice({thread}).partition_{upper}(counting(data)), data, {thread}); }}"
        )
        asked.append((["both", *atom, operand, *fields, thread], text))
    for atom, bits in STORES * 2:
        fields, text, thread = tiled()
        # Two matrices of `stmatrix` are four values, more than a thread has of 8x8.
        while fields[0] in QUAD or "8x8x4" in fields[0] or fields[2] == PERMUTATIONS[4]:
            fields, text, thread = tiled()
        m, n = (f"Int<{extent}>{{}}" for extent in fields[3:5])
        type_ = "half_t" if bits == 16 else "float"
        asked.append((["c_atom", atom, bits, *fields, thread], f"copy_(make_tiled_copy_C_atom(Copy_Atom<{atom}, {type_}>{{}}, {text}), {m}, {n}, {thread});"))
    for atom, bits in TMEM:
        lane = (1 << 21) // bits
        for data in (f"(128,64):({lane},1)", f"((32,4),(16,8)):(({lane},{32 * lane}),(1,16))", f"((16,4),64):(({lane},{32 * lane}),1)"):
            if "16dp" not in atom and data.startswith("((16"):
                continue
            thread = random_.randrange(128)
            asked.append((["tmem", atom, bits, data, thread], f"tmem<{atom}, {'half_t' if bits == 16 else 'float'}>({cpp(data)}, {thread});"))
    return asked


def cute(statements):
    """The answers of CuTe."""
    lines = run(HEAD + "\n".join(statements) + "\n}\n")
    return [line.replace("_", "").rstrip("\t").split("\t") for line in lines]


def leaves(tuple_):
    return [tuple_] if isinstance(tuple_, int) else [leaf for mode in tuple_ for leaf in leaves(mode)]


def function(text):
    """The sizes of the modes, and all offsets."""
    *offset, layout = text.split(" ")
    shape, stride = (eval(part) for part in layout.split(":"))
    offsets = [int(offset[0]) if offset else 0]
    for extent, step in zip(leaves(shape), leaves(stride), strict=True):
        offsets = [offset + step * i for i in range(extent) for offset in offsets]
    return [prod(leaves(mode)) for mode in shape] if isinstance(shape, tuple) else [shape], offsets


def main():
    asked = questions(random.Random(7))
    theirs = cute([statement for _, statement in asked])
    text = "".join("\t".join(map(str, fields)) + "\n" for fields, _ in asked)
    ours = subprocess.run([sys.argv[1]], input=text, check=True, capture_output=True, text=True).stdout.splitlines()
    same = different = written = 0
    for (fields, _), own, other in zip(asked, ours, theirs, strict=True):
        own = own.split("\t")
        equal = len(own) == len(other) and all(function(a) == function(b) for a, b in zip(own, other))
        same, different = same + equal, different + (not equal)
        written += equal and own == [re.sub(r"\((\d+)\)", r"\1", text) for text in other]
        if not equal:
            print(fields, *(f"\n  {a}\n  {b}" for a, b in zip(own, other) if ":" not in a or function(a) != function(b)))
    print(f"{same} answers as CuTe's, {written} of them to the letter; {different} differ")
    sys.exit(bool(different))


main()
