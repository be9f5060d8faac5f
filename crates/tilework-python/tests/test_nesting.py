"""Every function of the table within every other, as one text, is what the same calls are one by one."""

import itertools

import numpy as np
import pytest

from tilework import FUNCTIONS, Layout, Session, Tensor, errors, group, group_modes, parse

ARGUMENTS = [
    "(4,(3,2)):(2,(8,1))", "(4,8,2):(1,4,32)", "8:1", "(4,8)", "2", "atom(UniversalCopy<uint8_t>, 8)", "(2,_)", "0", "<4:1,8:2>", "(0,1)", "ptr[32b]",
    "(0,8,1,9)", "atom(SM80_16x8x16_F32F16F16F32_TN)", "SM80_16x8x16_F32F16F16F32_TN",
]
INDICES = ["", "<0>", "<1>", "<0,2>"]

MMA, COPY = "tiled_mma(SM80_8x8x4_F64F64F64F64_TN)", "tiled_copy(atom(UniversalCopy<uint8_t>, 8), (4,8), (1,2))"
#: What functions of instructions and of patterns take, and no other.
OWN = {
    "from_formula": ["i*8 + j%8", "i < 16", "j < 8"],
    "einfold": ['"abc -> cab"', "(4,8,2):(1,4,32)"],
    **{name: ["atom(SM80_16x8x16_F32F16F16F32_TN)", ".c", "(5,3)"] for name in ("owner", "element")},
    **{f"make_tiled_copy_{side}": ["atom(UniversalCopy<uint64_t>, 64)", MMA] for side in "ABC"},
    "get_slice": [MMA, "5"],
    **{name: [MMA, "(16,16):(16,1)"] for name in ("thrfrg_A", "thrfrg_B", "thrfrg_C")},
    **{name: [f"get_slice({MMA}, 5)", "(16,16):(16,1)"] for name in ("partition_A", "partition_B", "partition_C")},
    **{name: [COPY, "(4,32):(32,1)"] for name in ("tidfrg_S", "tidfrg_D")},
    "retile": [COPY, "(2,2,2):(1,2,4)"],
    **{name: [f"get_slice({COPY}, 5)", "(4,32):(32,1)"] for name in ("partition_S", "partition_D")},
}


def written(head, arguments):
    return f"{head}({', '.join(arguments)})"


def outcome(evaluate, text):
    try:
        return repr(evaluate(text))
    except errors.TileworkError as error:
        return error.code


def calls(name):
    """A call with a value for each way to write indices and each number of arguments."""
    if name in OWN:
        yield name, OWN[name]
        return
    for indices, count in itertools.product(INDICES, range(1, 4)):
        for arguments in itertools.product(ARGUMENTS if count < 3 else ARGUMENTS[:6], repeat=count):
            try:
                parse(written(name + indices, arguments))
            except errors.TileworkError:
                continue
            yield name + indices, list(arguments)
            break


def test_every_function_within_every_other():
    every = [call for name in FUNCTIONS for call in calls(name)]
    assert {head.partition("<")[0] for head, _ in every} == set(FUNCTIONS)
    assert len([head for head, _ in every if "<" in head]) > 40
    session, answered = Session(), 0
    # A formula is text, in which no call has a value.
    outers = [call for call in every if call[0] != "from_formula"]
    pairs = [(outer, inner, at) for outer in outers for inner in every for at in range(len(outer[1]))]
    for (head, arguments), inner, at in pairs[::29]:
        within = written(*inner)
        nested = written(head, [*arguments[:at], within, *arguments[at + 1 :]])
        session.evaluate(f"let inner = {within}")
        steps = outcome(session.evaluate, written(head, [*arguments[:at], "inner", *arguments[at + 1 :]]))
        assert outcome(parse, nested) == steps, nested
        answered += steps.startswith(("Layout", "(", "View", "True", "False")) or steps.isdigit()
    assert answered > len(pairs) // 160


def test_modes_in_a_tuple_are_grouped():
    layout = Layout("(4,8,2):(1,4,32)")
    wanted = layout.group(0, 2)
    assert group(layout, (0, 1)) == group_modes(layout, (0, 1)) == layout.group((0, 1)) == wanted
    assert parse("group_modes((4,8,2):(1,4,32), (0,1))") == wanted
    assert group((4, 8, 2), (1, 2)) == (4, (8, 2))
    assert Tensor(np.zeros((4, 8, 2))).group((0, 1)).shape == ((4, 8), 2)
    for modes in [(0, 2), (1, 0), ()]:
        with pytest.raises(errors.TileworkError, match="adjacent modes"):
            group(layout, modes)
    with pytest.raises(errors.TileworkError, match="one past the last mode"):
        group(layout, 1)
