"""`tilework.hardware` says what the command line says, and what a tensor has is what its layout says."""

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest

import tilework
from tilework import Layout, Tensor, TileworkError, counting, errors, hardware

# What the program prints, which its own tests keep right.
COMMANDS = Path(__file__).parents[2] / "tilework-cli/tests/cmd/hardware-json.md"
WIDTHS = Path(__file__).parents[3] / "corpus/widths/widths.jsonl"
FLAGS = {"--vector": int, "--bits": int, "--align": int, "--widest": int, "--blocks": int}


def commands():
    """The commands, and what they print."""
    lines = COMMANDS.read_text().splitlines()
    for line, *answer in zip(lines, lines[1:], lines[2:]):
        if line.startswith("$ tilework "):
            yield line[len("$ tilework ") :], json.loads(answer[answer[0].startswith("?")])


def split(line):
    """The name of a command, its arguments, and its options."""
    name, *words = shlex.split(line)
    arguments, options, accesses = [], {}, []
    words = iter(words)
    for word in words:
        if word == "--json":
            continue
        if not word.startswith("--"):
            arguments.append(word)
        elif word == "--access":
            accesses.append(next(words))
        else:
            value = next(words)
            options[word[2:]] = FLAGS.get(word, str)(value)
    return name, arguments, options, accesses


def fields(value, *names):
    return {name: getattr(value, name) for name in names}


def atoms(name, **bits):
    found = hardware.atom(name, *bits.values())
    texts = lambda *names: {name: str(getattr(found, name)) for name in names}
    if isinstance(found, hardware.MmaAtom):
        out = fields(found, "name", "instruction", "shape", "elements", "sparsity") | texts("threads", "a", "b", "c")
        out |= texts(*(name for name in ("e", "sfa", "sfb") if name in dir(found)))
    else:
        out = fields(found, "name", "instruction", "bits") | texts("threads", "src", "dst")
        out |= texts("memory") if "memory" in dir(found) else {}
    return out | fields(found, "manual")


def banks(layout, access, **options):
    report = hardware.banks(layout, access, **options)
    assert report.is_ideal == (report.conflict is None) and str(report) == report.text
    conflict = report.conflict and fields(report.conflict, "warp", "instruction", "phase", "bank", "words", "lanes")
    return fields(report, "wavefronts", "ideal", "degree", "phases", "element_bits", "ranks") | {"conflict": conflict} | reach(report)


def sectors(layout, access, **options):
    report = hardware.sectors(layout, access, **options)
    return fields(report, "requests", "sectors", "ideal", "lines", "bits", "moved", "efficiency", "element_bits") | reach(report)


def reach(report):
    """What the command line says only where not all is reached, or not all is inside."""
    return {name: number for name, number in fields(report, "reaches", "outside").items() if number}


def swizzle(tile, accesses, **options):
    named, phases = {}, {}
    for text in accesses:
        name, access = text.split("=", 1)
        name, _, own = name.partition(":")
        named[name] = access
        if own:
            phases[name] = own
    try:
        found = hardware.swizzle(tile, named, phases=phases, **options)
    except errors.Impossible as error:
        return {"layout": None, "elements": None, "accesses": [], "impossible": error.message, "element_bits": options["bits"]}
    found.check()
    assert str(found) == str(found.layout)
    reports = [{"name": name} | fields(report, "wavefronts", "ranks") for name, report in found.accesses.items()]
    for report in reports:
        name = report["name"]
        report |= {"reaches": found.partial[name]} if name in found.partial else {}
        own = {key: options[key] for key in ("bits", "vector") if key in options}
        was = hardware.banks(tile, named[name], **own | ({"phases": phases[name]} if name in phases else {}))
        report |= {"before": f"{was.wavefronts} wavefronts: {was.text.split('; ')[1]}"} if was.conflict else {}
    out = {"layout": str(found.layout), "elements": found.elements, "accesses": reports, "impossible": None}
    return out | fields(found, "element_bits")


def operand(tile, **options):
    instruction = options.pop("for")
    answer = {"instruction": instruction, "legal": None, "refused": None, "code": None, "nearest": None}
    if "global" in options:
        options["tensor"] = options.pop("global")
    try:
        legal = hardware.operand(tile, instruction, **options)
    except TileworkError as error:
        nearest = error.help and error.help.removesuffix(" is legal")
        if error.code == "width":
            raise
        return answer | {"refused": error.message, "code": error.code, "nearest": nearest, "element_bits": options["bits"]}
    assert str(legal) == f"{legal.text}; elements of {legal.element_bits} bits"
    return answer | fields(legal, "element_bits") | {"legal": fields(legal, "text", "leading", "stride", "base", "descriptor", "starts")}


def vector(left, right, **options):
    width = hardware.vector_width(left, right, **options)
    return fields(width, "elements", "bits", "element_bits", "limit") | {"coordinates": str(width.coordinates)}


def cover(raster, onto, blocks=None):
    coverage = hardware.cover(raster, onto, blocks)
    text = lambda coord: coord if coord is None else str(coord).replace(" ", "")
    coords = {name: text(getattr(coverage, name)) for name in ("missing", "doubled", "outside")}
    predicates = [fields(predicate, "below", "above", "size") for predicate in coverage.predicates]
    return coords | {"predicates": predicates}


def answer(line):
    """What the package says to a command."""
    name, arguments, options, accesses = split(line)
    function = globals()[name]
    try:
        if name in ("banks", "sectors"):
            return function(*arguments, *accesses, **options)
        return function(*arguments, accesses, **options) if name == "swizzle" else function(*arguments, **options)
    except TileworkError as error:
        return {"error": {"code": error.code, "message": error.message}}


@pytest.mark.parametrize("line,wanted", [pytest.param(*case, id=case[0][:60]) for case in commands()])
def test_the_command_line_says_the_same(line, wanted):
    got = json.loads(json.dumps(answer(line)))
    if "error" in wanted:
        # A name that means nothing is an expression's; and what is not an expression has a place there.
        code = {"atom": "name"}.get(wanted["error"]["code"], wanted["error"]["code"])
        assert got["error"]["code"] == code
        if code not in ("name", "syntax"):
            assert got["error"]["message"] == wanted["error"]["message"]
        return
    assert got == wanted


def test_there_are_commands():
    names = [line.split()[0] for line, _ in commands()]
    assert len(names) > 60 and set(names) == {"atoms", "banks", "sectors", "swizzle", "operand", "vector", "cover"}


def test_atoms():
    assert len(hardware.atoms()) > 1000 and hardware.atoms("no such") == []
    assert hardware.atoms("SM80 F64") == hardware.atoms("f64 sm80") == ["SM80_8x8x4_F64F64F64F64_TN"]
    for name in hardware.atoms("sm75"):
        assert hardware.atom(name).name == name
    with pytest.raises(errors.Name):
        hardware.atom("SM80_17x8x16")
    assert tilework.hardware is hardware and hardware.atom is tilework.atom


def test_instructions_are_those_of_expressions():
    """An object is what the expression language has, and the other way round."""
    for text, kind in [
        ("atom(SM80_16x8x16_F32F16F16F32_TN)", hardware.MmaAtom), ("atom(SM75_U32x4_LDSM_N, 16)", hardware.CopyAtom),
        ("tiled_mma(atom(SM80_16x8x16_F32F16F16F32_TN), (2,2,1))", hardware.TiledMma),
        ("tiled_copy(atom(SM75_U32x4_LDSM_N, 16), (32,1), (1,8))", hardware.TiledCopy),
    ]:  # fmt: skip
        value = tilework.parse(text)
        assert type(value) is kind and isinstance(value, tilework.Instruction)
        assert tilework.parse(str(value)) == value and hash(tilework.parse(str(value))) == hash(value)
        for field in ("a", "b", "c") if hasattr(value, "a") else ("src", "dst"):
            assert str(getattr(value, field)) == str(tilework.parse(f"{text}.{field}"))
    mma = hardware.TiledMma("SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)")
    assert mma == hardware.tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2, 2, 1)) == hardware.make_tiled_mma(mma.atom, (2, 2, 1))
    assert {"a", "atom", "thread", "thrfrg_A"} <= set(dir(mma)) and not hasattr(mma, "src")
    for wrong in [lambda: hardware.TiledMma(mma), lambda: hardware.TiledMma("atom(SM75_U32x4_LDSM_N)"), lambda: hardware.TiledMma("4:1")]:
        with pytest.raises(errors.Kind):
            wrong()


def test_a_tiled_mma_has_what_it_multiplies():
    mma = hardware.TiledMma("SM80_16x8x16_F32F16F16F32_TN", (2, 2, 1), (32, 32, 16))
    assert (mma.threads.size, mma.shape, mma.atom.name) == (128, (32, 32, 16), "SM80_16x8x16_F32F16F16F32_TN")
    a, b, c = (Tensor(counting(), Layout(shape)) for shape in ((64, 48), (64, 48), (64, 64)))
    parts = [mma.thread(thread) for thread in range(128)]
    # Each element of C is that of one thread, and every thread has as many as another.
    owned = [list(part.partition_C(c)) for part in parts]
    assert sorted(offset for offsets in owned for offset in offsets) == list(range(64 * 64))
    assert {len(offsets) for offsets in owned} == {32}
    # Together, the threads of a warp have the rows of A and of B of all their elements of C, and no others.
    for warp in range(4):
        lanes = range(32 * warp, 32 * warp + 32)
        rows = {offset % 64 for lane in lanes for offset in owned[lane]}
        columns = {offset // 64 for lane in lanes for offset in owned[lane]}
        of_a = sorted(offset for lane in lanes for offset in parts[lane].partition_A(a))
        of_b = sorted(offset for lane in lanes for offset in parts[lane].partition_B(b))
        assert of_a == sorted(row + 64 * k for row in rows for k in range(48))
        assert of_b == sorted(column + 64 * k for column in columns for k in range(48))
    # Of a layout, the offset and the layout of the same.
    view = mma.thread(77).partition_A(Layout((64, 32)))
    tensor = mma.thread(77).partition_A(Tensor(counting(), Layout((64, 32))))
    assert view.layout == tensor.layout and view.offset == tensor.offset
    assert mma.c.size == 32 * 32 and mma.c.is_bijective
    assert mma.thrfrg_C(Layout((64, 64))).size == 64 * 64
    for wrong in (-1, 128):
        with pytest.raises(errors.Argument):
            mma.thread(wrong)


def test_a_tiled_copy_moves_everything_once():
    atom = hardware.atom("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", 16)
    copy = hardware.make_tiled_copy(atom, Layout((16, 8), (8, 1)), (1, 8))
    source, destination = np.arange(64 * 64, dtype=np.int16), np.zeros(64 * 64, dtype=np.int16)
    rows, swizzled = Layout((64, 64), (64, 1)), "Sw<3,3,3> o 0 o (64,64):(64,1)"
    for thread in range(copy.src[0].size):
        part = copy.thread(thread)
        tilework.copy(part.partition_S(Tensor(source, rows)), part.partition_D(Tensor(destination, swizzled)))
    moved = Tensor(destination, swizzled)
    assert all(moved[i, j] == 64 * i + j for i in range(0, 64, 7) for j in range(64))
    assert sorted(destination.tolist()) == source.tolist()
    tiler, layout = hardware.make_layout_tv(Layout((16, 8), (8, 1)), (1, 8))
    assert copy.tiler == tiler and copy.src == copy.dst and copy.tv == layout
    again = hardware.TiledCopy(atom, layout, tiler)
    assert again == copy and again.thread(9).partition_S(rows) == copy.thread(9).partition_S(rows)


def test_copies_for_an_mma():
    mma = hardware.TiledMma("SM80_16x8x16_F32F16F16F32_TN", (2, 2, 1), (32, 32, 16))
    ldmatrix = hardware.atom("SM75_U32x4_LDSM_N", 16)
    for make, partition, mode in [(hardware.make_tiled_copy_A, "partition_A", 0), (hardware.make_tiled_copy_B, "partition_B", 1)]:
        copy = make(ldmatrix, mma)
        tensor = Tensor(counting(), Layout((mma.shape[mode], mma.shape[2])))
        for thread in range(128):
            needs = sorted(getattr(mma.thread(thread), partition)(tensor))
            assert sorted(copy.thread(thread).partition_D(tensor)) == needs
    store = hardware.make_tiled_copy_C(hardware.atom("UniversalCopy<uint32_t>", 32), mma)
    tensor = Tensor(counting(), Layout((32, 32)))
    assert sorted(store.thread(3).partition_S(tensor)) == sorted(mma.thread(3).partition_C(tensor))
    retiled = hardware.make_tiled_copy_A(ldmatrix, mma).retile(Layout(((2, 2, 2), 1, 1)))
    assert retiled.size == 8


def test_layouts_as_others_write_them():
    layout, swizzled = Layout((4, 8), (8, 1)), tilework.parse("Sw<3,4,3> o 0 o (8,64):(64,1)")
    assert layout.to("cpp") == "make_layout(make_shape(Int<4>{}, Int<8>{}), make_stride(Int<8>{}, Int<1>{}))"
    assert swizzled.to("mlir") == '!cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">'
    # The accumulator of an instruction, and back.
    c = hardware.atom("SM80_16x8x16_F32F16F16F32_TN").c
    for form in ("triton", "gluon"):
        again = tilework.parse(c.to(form, shape=(16, 8)))
        assert again.equivalent(c) and again[0].equivalent(c[0])
    assert c.to("triton", lanes=8, shape=(16, 8)).endswith("warp = [[2, 0], [4, 0]], block = []}>")
    array = np.arange(64, dtype=np.int16)
    words = re.fullmatch(r"shape=(\(.*?\)), strides=(\(.*?\))", layout.to("numpy", bits=16))
    shape, strides = (tuple(map(int, re.findall(r"-?\d+", word))) for word in words.groups())
    strided = np.lib.stride_tricks.as_strided(array, shape=shape, strides=strides)
    assert all(strided[i, j] == layout(i, j) for i in range(4) for j in range(8))
    with pytest.raises(errors.NotFlat, match="mode 1"):
        Layout((4, (2, 4)), (1, (16, 4))).to("numpy", bits=32)
    with pytest.raises(errors.NotPowerOfTwo, match="leaf 1 of the layout has extent 6"):
        Layout((4, 6)).to("triton")
    with pytest.raises(errors.Kind):
        swizzled.to("mdspan")
    with pytest.raises(errors.Arguments, match="cpp-type"):
        layout.to("c++")
    with pytest.raises(errors.Syntax):
        tilework.parse("#ttg.linear<{")


def of_one_width(command, layouts, access, bits):
    """The width that an answer is for, and the answer as text."""
    if command in ("banks", "sectors"):
        found = getattr(hardware, command)(*layouts, access, bits=bits)
    elif command == "swizzle":
        found = hardware.swizzle(*layouts, {"load": access}, bits=bits)
        return found.element_bits, repr(found)
    elif command == "vector":
        found = hardware.vector_width(*layouts, bits=bits)
    elif command == "operand":
        more = {"tensor": layouts[1]} if layouts[1:] else {}
        found = hardware.operand(layouts[0], "tma" if more else "wgmma.a.k", bits=bits, **more)
    else:
        options = {"aspect": "banks"} if command == "show" else {"color_by": "bank"}
        return None, str(tilework.draw(*layouts, element_bits=bits, **options))
    assert str(found) in repr(found)
    return found.element_bits, str(found)


def widths():
    """The cases of `corpus/widths` that have a function here: an atom in bits is a value, and a plan has no bytes."""
    cases = [json.loads(line) for line in WIDTHS.read_text().splitlines()]
    return [case for case in cases if case["command"] not in ("atom", "reshard")]


@pytest.mark.parametrize("case", widths(), ids=lambda case: str(list(case.values()))[:60])
def test_every_answer_is_for_one_width_and_says_so(case):
    command, layouts, bits, width = case["command"], case["layouts"], case["bits"], case["width"]
    if command == "numpy":
        ask = lambda: tilework.parse(layouts[0]).to("numpy", bits=bits)
        if width:
            assert ask().endswith(f", {width // 8})")
    else:
        ask = lambda: of_one_width(command, layouts, case.get("access"), bits)
    if width is None:
        with pytest.raises(errors.Width, match=re.escape(case["says"])):
            ask()
    elif command != "numpy":
        try:
            own, text = ask()
        except TileworkError as error:
            # An operand that is not legal is refused for the width as well.
            assert command == "operand" and error.code not in ("width", "kind"), error
            return
        assert own in (width, None) and f"of {width} bits" in text


def test_the_width_of_an_array():
    halves = Tensor(np.zeros((64, 64), np.float16))
    assert hardware.banks(halves, "ldmatrix").element_bits == 16
    assert hardware.swizzle(halves, {"load": "ldmatrix"}).element_bits == 16
    assert hardware.vector_width(halves, "(64,64):(64,1)").elements == 8
    assert "elements of 16 bits" in str(tilework.draw(halves, aspect="banks"))
    with pytest.raises(errors.Width, match="has elements of 16 bits, not 32"):
        hardware.sectors(halves, "rows", bits=32)


def test_tiles_of_instructions():
    mma = hardware.TiledMma("SM80_16x8x16_F32F16F16F32_TN", "(2,2,1)")
    tile = "Sw<3,3,3> o 0 o (128,64):(64,1)"
    report = hardware.banks(tile, (mma, "a"), bits=16)
    assert report.is_ideal and report.wavefronts == 512
    assert str(report) == str(hardware.banks(tile, f"{mma}.a", bits=16))
    one = hardware.banks(tile, mma.a, bits=16)
    assert (one.reaches, one.outside, report.reaches) == (512, 0, None)
    assert str(one).endswith("; it reaches 512 of 8192 elements, by indices that count along the first mode")
    guarded = hardware.sectors("48:1", "64:1", bits=32)
    assert (guarded.reaches, guarded.outside, guarded.requests) == (None, 16, 2)
    copy = tilework.parse("tiled_copy(atom(UniversalCopy<uint128_t>, 32), ((4,8),4):((32,1),8), <8,16>)")
    for access in (copy, (copy, "src"), (copy, "dst")):
        assert hardware.sectors("(32,64):(64,1)", access).efficiency == 1
    with pytest.raises(errors.Kind, match="write .a, .b or .c"):
        hardware.banks(tile, mma, bits=16)


def test_refusals():
    with pytest.raises(errors.Kind):
        hardware.banks("Sw<3,3,3>", "32:1")
    with pytest.raises(errors.Arguments):
        hardware.operand("8:1", "mma", bits=16)
    with pytest.raises(errors.Arguments):
        hardware.operand("(8,8):(8,1)", "tma", bits=16)
    with pytest.raises(errors.Arguments):
        hardware.swizzle("(32,32):(32,1)", {"row": "32:1"}, form="magic")
    with pytest.raises(errors.Arguments):
        hardware.nearest(64, 64, "n", bits=16)
    with pytest.raises(errors.Kind):
        hardware.TiledMma(3)
    with pytest.raises(TypeError):
        hardware.swizzle("(32,32):(32,1)", {1: "32:1"})
    assert str(hardware.nearest(192, 64, "wgmma.a.mn", bits=16).to("mlir")).startswith("!cute.composed_layout")
    # Every code that the library has is a class here.
    for code in ("absent", "box-row", "global-extent", "global-stride", "mode", "misaligned", "not-flat", "not-power-of-two", "width"):
        assert type(errors.TileworkError.of(code, "")) is not errors.TileworkError
