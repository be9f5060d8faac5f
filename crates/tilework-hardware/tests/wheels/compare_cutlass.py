"""Prints all atoms that CUTLASS has too as CuTe prints them, by a program of C++ against the headers in the wheel `nvidia-cutlass`, and
compares them with what `list_atoms` prints. No GPU, and no compiler but g++.

    python3 compare_cutlass.py LIST      LIST: the output of `cargo run -p tilework-hardware --example list_atoms`
"""

import re
import sys

from headers import CUTLASS, run

PRINT = r"""
#define CUTE_SM90_EXTENDED_MMA_SHAPES_ENABLED
#include <cute/tensor.hpp>
#include <cute/atom/mma_atom.hpp>
#include <cute/atom/copy_atom.hpp>
#include <cute/atom/mma_traits_sm90_gmma_sparse.hpp>
#include <cute/atom/copy_traits_sm90_tma.hpp>
#include <cute/atom/copy_traits_sm90_im2col.hpp>
#include <cute/atom/copy_traits_sm100_tma.hpp>
#include <cute/atom/copy_traits_sm100_im2col.hpp>
using namespace cute;
using namespace cutlass;
template <class L> void column(L const& layout) { print("\t"); print(layout); }
#define OPTIONAL(NAME, LAYOUT) \
  template <class T, class = void> struct NAME { static void column() { print("\t"); } }; \
  template <class T> struct NAME<T, void_t<typename T::LAYOUT>> { static void column() { ::column(typename T::LAYOUT{}); } };
OPTIONAL(Metadata, ELayout)
OPTIONAL(ScalesA, SFALayout)
OPTIONAL(ScalesB, SFBLayout)
OPTIONAL(Memory, ValID)
template <class T> void mma(char const* name) {
  print(name); column(typename T::Shape_MNK{}); column(typename T::ThrID{});
  column(typename T::ALayout{}); column(typename T::BLayout{}); column(typename T::CLayout{});
  Metadata<T>::column(); ScalesA<T>::column(); ScalesB<T>::column(); print("\n");
}
template <int Rows, int Block, int Blocks> void scales(char const* name) {
  auto shape = Shape<Shape<Int<Rows>, Shape<Int<Block>, Int<Blocks>>>, _1, _1>{};
  print(name); column(layout<0>(UMMA::tmem_sf_frg<float_ue8m0_t, Block, 1, true>::make(shape).layout())); print("\n");
}
template <class T> void copy_(char const* name) {
  print(name); column(typename T::ThrID{}); column(typename T::SrcLayout{}); column(typename T::DstLayout{});
  Memory<T>::column(); print("\n");
}
int main() {
"""

# Where CUTLASS is wrong, and the column in which: the source and the destination of movmatrix are the same in its traits, so that
# nothing would be transposed; B of m16n8k32 of 4-bit integers has a stride of 4 along K where a thread has 8 elements; the strides
# of A of m16n8k128 are in a tuple too many.
WRONG = {"SM75_U32x1_MOVM_T": 2, "SM80_16x8x128_S32U1U1S32_TN_XORPOPC": 2, "SM80_16x8x128_S32U1U1S32_TN_ANDPOPC": 2} | {
    f"SM80_16x8x32_S32{a}4{b}4S32_TN{saturate}": 3 for a in "SU" for b in "SU" for saturate in ("", "_SATURATE")
}


# The elements of a block, and the blocks of an instruction.
SCALES = {"MXF8F6F4": "32, 1", "MXF8F6F4Sparse": "64, 1", "MXF4": "32, 2", "NVF4": "16, 4", "NVF4Sparse": "32, 4"}


def leaves(text):
    """The extents and the strides of a layout, flat."""
    shape, stride = (re.findall(r"\d+", part) for part in text.split(":"))
    return [(int(extent), int(step)) for extent, step in zip(shape, stride, strict=True)]


def image(text):
    """All offsets of a layout."""
    offsets = [0]
    for extent, stride in leaves(text):
        offsets = [offset + stride * i for i in range(extent) for offset in offsets]
    return set(offsets)


def is_wrong(name, own, other):
    """Whether CUTLASS's row is the wrong one, by enumeration: what it leaves out, and nothing else differs."""
    column = WRONG.get(name)
    if column is None or own[:column] + own[column + 1 :] != other[:column] + other[column + 1 :]:
        return False
    if name == "SM75_U32x1_MOVM_T":
        return other[1] == other[2]
    if name.endswith("POPC"):
        return re.search(r"\(\(\d+,\d+\)\)\)$", other[2]) and leaves(own[2]) == leaves(other[2])
    return image(own[column]) == set(range(8 * 32)) and len(image(other[column])) < 8 * 32


def cpp_type(kind, name):
    """The traits of an atom of this name, or None where CUTLASS has no such struct."""
    if kind == "scales":
        scaled, rows = name.split()
        return f"{rows}, {SCALES[scaled]}"
    if re.match(r"AutoVectorizingCopyWithAssumedAlignment|SM90_BULK_COPY_AUTO", name):
        return f"Copy_Traits<{name}>"
    # The last is newer than the wheel.
    if re.match(r"CDNA|RDNA|AMX|AVX|Xe|NEON|SVE|SME\d|SM80_SPARSE|SM75_16x8x8_F16F16F16F16", name):
        return None
    if kind == "copy":
        if match := re.match(r"(SM\w*(?:TMA|BULK)[\w:]*)<(\d+)>", name):
            # The structs of what CuTe chooses first have the tensor map's parameters as a further argument.
            further = "" if re.search("_OP|_PTR|BULK", match[1]) else ", int"
            return f"Copy_Traits<{match[1]}, Int<{match[2]}>{further}>"
        return f"Copy_Traits<{name}>"
    if match := re.match(r"SM90_64x\d+x\d+_(\w+?)_([SR]S)(_TN)?(_SATURATE)?$", name):
        arguments = "" if match[1].startswith("S32") else "<>" if match[3] else "<GMMA::Major::K, GMMA::Major::K>"
        return f"MMA_Traits<{name}{arguments}>"
    if name.startswith("SM90::GMMA::SPARSE"):
        return f"MMA_Traits<{name}{'<>' if '_TN' in name else '<GMMA::Major::K, GMMA::Major::K>'}>"
    if match := re.match(r"(SM100_MMA_\w+|SM103::\w+)<(.*)>", name):
        struct, arguments = match[1], match[2]
        if re.match(r"SM100_MMA_F8F6F4(_2x1SM)?_SS$", struct):
            a, b, c, m, n = arguments.split(",")
            k = "integral_constant<UMMA::Major, UMMA::Major::K>"
            one = "integral_constant<UMMA::ScaleIn, UMMA::ScaleIn::One>"
            return f"MMA_Traits<{struct}, {a}, {b}, {c}, C<{m}>, C<{n}>, {k}, {k}, {one}, {one}>"
        exponent = ", 0" if struct.endswith("_SCALED") else ""
        return f"MMA_Traits<{struct}<{arguments}, UMMA::Major::K, UMMA::Major::K{exponent}>>"
    return f"MMA_Traits<{name}>"


def is_sampled(name):
    """Of the thousands of SM100 that differ in N and in elements of one width alone, some."""
    if match := re.match(r"(?:SM100_MMA_|SM103::)\w+<(\w+),(\w+),\w+,(?:float_\w+,)?\d+,(\d+)", name):
        return match[1] in ("half_t", "tfloat32_t", "uint8_t", "float_e4m3_t", "float_e2m1_t") and match[3] in ("8", "16", "32", "96", "256")
    return True


def printed(rows):
    """What CuTe prints of each, by name."""
    functions = {"mma": "mma", "copy": "copy_", "scales": "scales"}
    calls = [f'{functions[kind]}<{cpp}>("{name}");' for kind, name, cpp in rows]
    parts = [calls[i : i + 400] for i in range(0, len(calls), 400)]
    functions = "".join(f"void part{i}() {{\n" + "\n".join(part) + "\n}\n" for i, part in enumerate(parts))
    head, main = PRINT.split("int main() {")
    text = head + functions + "int main() {" + " ".join(f"part{i}();" for i in range(len(parts))) + "}\n"
    # A tuple of one integer is that integer.
    plain = lambda text: re.sub(r"\((\d+)\)", r"\1", text.replace("_", ""))
    return {line.split("\t")[0]: plain(line).split("\t")[1:] for line in run(text)}


def specialisations():
    """The names of all structs that the headers have traits of, without arguments."""
    text = "".join(header.read_text() for header in sorted((CUTLASS / "cute/atom").glob("*.hpp")))
    return set(re.findall(r"struct (?:MMA|Copy)_Traits<([\w:]+)", text))


def main():
    ours = [line.rstrip("\n").split("\t") for line in open(sys.argv[1])]
    rows = [(row[0], row[1], cpp_type(*row[:2])) for row in ours]
    rows = [row for row in rows if row[2] and is_sampled(row[1])]
    theirs = printed(rows)
    differ = [
        (row[1], row[2:], theirs[row[1]])
        for row in ours
        if row[1] in theirs and row[2:] != theirs[row[1]]
    ]
    wrong = [name for name, own, other in differ if is_wrong(name, own, other)]
    differ = [row for row in differ if row[0] not in wrong]
    for name, own, other in differ:
        print(f"{name}\n  here     {own}\n  CUTLASS  {other}")
    missing = [name for _, name, _ in rows if name not in theirs]
    names = {row[1].split("<")[0] for row in ours}
    unknown = sorted(name for name in specialisations() if name not in names)
    print(f"{len(specialisations())} structs with traits, of which {len(unknown)} are not here: {unknown}")
    print(f"{len(theirs)} atoms as CUTLASS prints them: {len(differ)} differ, {len(missing)} are not printed,", end=" ")
    print(f"{len(wrong)} of {len(WRONG)} are wrong in CUTLASS")
    sys.exit(bool(differ or missing or unknown or len(theirs) < 2000 or len(wrong) != len(WRONG)))


main()
