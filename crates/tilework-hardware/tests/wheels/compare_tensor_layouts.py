"""Compares the atoms of the wheel `tensor-layouts` with what `list_atoms` prints, as functions. Where they differ, a reason has to
hold; where it can be enumerated, it is.

    python3 compare_tensor_layouts.py LIST      LIST: the output of `cargo run -p tilework-hardware --example list_atoms`
"""

import re
import sys
from collections import Counter
from math import prod

from tensor_layouts import atoms_amd, atoms_amx, atoms_nv, atoms_xe
from tensor_layouts.atoms import CopyAtom, MMAAtom


def leaves(tuple_):
    return [tuple_] if isinstance(tuple_, int) else [leaf for mode in tuple_ for leaf in leaves(mode)]


def function(text):
    """A printed layout of threads and values as a function: how many threads, and all offsets."""
    shape, stride = (eval(part) for part in text.split(":"))
    offsets = [0]
    for extent, step in zip(leaves(shape), leaves(stride), strict=True):
        offsets = [offset + step * i for i in range(extent) for offset in offsets]
    return prod(leaves(shape[0])) if isinstance(shape, tuple) else shape, offsets


TYPES = {"F16": "half_t", "BF16": "bfloat16_t", "TF32": "tfloat32_t", "F32": "float"}


def our_name(name, atom):
    """The name of the same instruction here."""
    if match := re.match(r"SM100_\d+x\d+x\d+_(F16|F32)(BF16|F16|TF32)\2(F32)?_SS$", name):
        m, n, _ = atom.shape_mnk
        kind, element = "TF32" if match[2] == "TF32" else "F16BF16", TYPES[match[2]]
        return f"SM100_MMA_{kind}_SS<{element},{element},{TYPES[match[1]]},{m},{n}>"
    if match := re.match(r"(SM90_64x\d+x\d+_(?:F16|F32|S32)(F16|BF16|TF32|S8|E4M3|E5M2)\2_SS)(_SPARSE)?$", name):
        full = match[1] if match[2] in ("F16", "BF16") else match[1] + "_TN"
        return full.replace("SM90_", "SM90::GMMA::SPARSE::GMMA_") if match[3] else full
    if match := re.match(r"SM120_16x8x(?:32|64)_(F32|F16)E4M3E4M3\1_TN(_SPARSE)?$", name):
        if ("x64_" in name) == bool(match[2]):
            prefix = "SM120::SPARSE::SM120_SPARSE_16x8x64_TN" if match[2] else "SM120_16x8x32_TN"
            return f"{prefix}<float_e4m3_t,float_e4m3_t,{TYPES[match[1]]}>"
    return re.sub(r"_16B$", "<uint128_t>", name)


# There is no such instruction: the reason, the names, how many they are.
NO_INSTRUCTION = [
    ("kind::f16 adds bf16 in f32 only (PTX ISA, table of kinds)", r"SM100_\d+x\d+x16_F16BF16BF16_SS$", 6),
    ("K = 64 has 4-bit elements, 8-bit ones have K = 32, and twice that sparse", r"SM120_16x8x(64_F\w+_TN|128_F\w+_SPARSE)$", 4),
    ("gfx12 multiplies 16x16x16, and 16x16x32 for 4-bit integers alone", r"RDNA4_", 8),
    ("the depth of DPAS is 8 words, 16 elements of 16 bits; HPC has 16 lanes, HPG 8", r"Xe", 7),
    ("2 and 4 blocks of results, in 32 and 16 registers", r"CDNA_(32x32|16x16)x4_F32F16F16_MFMA$", 2),
]

# It is another order of registers: the reason, the names, how many. `tests/isa` multiplies with the order that is here.
OTHER_ORDER = [
    ("tiles are stored row by row, B in pairs or fours along K; there it is the logical order", r"AMX_", 6),
    ("the halves of the wave hold the same of A and B, and every other row of C", r"RDNA3_", 6),
]


def is_impossible(atom):
    """Whether an operand leaves out elements or has some outside: no matter what the registers are, no product comes of it."""
    m, n, k = atom.shape_mnk
    operands = [(atom.a_layout, m * k), (atom.b_layout, n * k), (atom.c_layout, m * n)]
    return any(set(function(str(layout))[1]) != set(range(size)) for layout, size in operands)


def verdict(name, atom, ours):
    own = ours.get(our_name(atom.name, atom))
    for reason, pattern, _ in NO_INSTRUCTION:
        if re.match(pattern, name):
            same_shape = own and own[0] == str(atom.shape_mnk).replace(" ", "")
            return f"no such instruction: {reason}" if not same_shape else "is here after all"
    if own is None:
        return "missing here"
    if isinstance(atom, CopyAtom):
        here, there = own[1:3], [atom.src_layout_bits, atom.dst_layout_bits]
    else:
        here, there = own[2:5], [atom.a_layout, atom.b_layout, atom.c_layout]
    if all(function(a) == function(str(b)) for a, b in zip(here, there, strict=True)):
        return "agrees"
    if isinstance(atom, MMAAtom) and is_impossible(atom):
        return "impossible: an operand is not covered"
    for reason, pattern, _ in OTHER_ORDER:
        if re.match(pattern, name):
            return f"other order: {reason}"
    return f"differs: {here} here, {[str(layout) for layout in there]} there"


def main():
    ours = {}
    for line in open(sys.argv[1]):
        _, name, *columns = line.rstrip("\n").split("\t")
        ours[name] = columns
    modules = (atoms_nv, atoms_amd, atoms_amx, atoms_xe)
    atoms = {name: atom for module in modules for name, atom in vars(module).items() if isinstance(atom, (MMAAtom, CopyAtom))}
    verdicts = {name: verdict(name, atom, ours) for name, atom in atoms.items()}
    counts = Counter(verdicts.values())
    for text, count in counts.most_common():
        print(f"{count:4} {text}")
    expected = {f"no such instruction: {reason}": count for reason, _, count in NO_INSTRUCTION}
    expected |= {f"other order: {reason}": count for reason, _, count in OTHER_ORDER}
    # All rows of CDNA but those above, in which the lanes that divide K have stride 0; and B of m16n8k32 of 4-bit integers.
    expected |= {"agrees": 129, "impossible: an operand is not covered": 35}
    for name, text in verdicts.items():
        if text not in expected:
            print(f"{name}: {text}")
    sys.exit(counts != expected)


main()
