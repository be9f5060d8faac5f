"""Nothing that is given to the package ends the interpreter, and nothing is lost: malformed inputs, and a million calls."""

import copy
import gc
import importlib.metadata
import inspect
import operator
import pickle
import re
import subprocess
import sys
from fractions import Fraction

import malformed
import numpy as np
import pytest

import tilework
from tilework import (
    E, ComposedLayout, Layout, Session, Stride, Swizzle, Tensor, Tiler, TileworkError, View, draw, errors, explain, hardware, parse, xor
)  # fmt: skip

VALUES = [
    "(4,8):(8,1)", "((2,2),(2,4)):((1,16),(2,4))", "():()", "4:-1", "(4,8):(1@0,1@1)", "(4,4):(^1,^5)", "4:1/2",
    "(3,(2,2)):(0,(1,100))", "Sw<3,4,3> o 7 o (8,64):(64,1)", "{18} o 2:1", "{(1,2)} o (4,8):(1@0,1@1)", "<4:1,8:2,_>",
    "<(2,2):(1,4),<3:1,_>>", "Sw<2,0,-3>", "2@0@1", "-3/2@1", "^9", "(2,(_,0))", "22", "()",
]  # fmt: skip


@pytest.mark.parametrize("text", VALUES)
def test_values_print_hash_compare_and_pickle(text):
    value = parse(text)
    for again in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert again == value and type(again) is type(value)
    if isinstance(value, (tilework.AnyLayout, Tiler, Swizzle, Stride, tilework.Instruction)):
        assert str(value) == text
        assert hash(parse(text)) == hash(value)
        assert eval(repr(value)) == value
        assert value != text and value != 3


def test_sequences():
    layout = Layout(((2, 2), 8, 4))
    assert len(layout) == 3 and list(layout) == [layout[0], layout[1], layout[2]] and layout[-1] == layout[2]
    assert layout[0, 1] == layout.get(0, 1) == layout[0][1]
    with pytest.raises(IndexError):
        layout[3]
    with pytest.raises(IndexError):
        layout[-4]
    assert layout[1] in list(layout)
    assert {layout: 1}[Layout(((2, 2), 8, 4))] == 1
    for coordinate, written in [((2, 3, 9), "L(2,3,9)"), (9, "L(9)"), ((1, None), "L(1,_)")]:
        with pytest.raises(TileworkError, match="brackets name a mode; to evaluate, " + re.escape(written)):
            layout[coordinate]


@pytest.mark.parametrize("text", ["(4,(2,4)):(8,(1,2))", "Sw<2,1,3> o 5 o (8,8):(8,1)", "{7} o (4,2):(3,100)"])
def test_what_a_layout_answers_alone_is_an_attribute(text):
    """Numbers and truths are attributes, also where that is refused; what gives layouts or takes arguments is called."""
    members = {name: vars(tilework.AnyLayout)[name] for name in tilework.FUNCTIONS if name in vars(tilework.AnyLayout)}
    attributes = {name for name, member in members.items() if inspect.isdatadescriptor(member)}
    assert {"shape", "stride", "size", "rank", "depth", "cosize", "image", "is_compact", "bit_rank"} <= attributes
    assert not {"flatten", "coalesce", "footprint", "right_inverse", "offsets"} & attributes
    layout = parse(text)
    # A tensor has bits, and of a layout alone there are none to ask for.
    for name in attributes - {"bits"}:
        answers = []
        for ask in [lambda: getattr(layout, name), lambda: getattr(tilework, name)(layout)]:
            try:
                answers.append(ask())
            except TileworkError as error:
                answers.append(str(error))
        assert answers[0] == answers[1] and not isinstance(answers[0], tilework.AnyLayout), name
    with pytest.raises(TypeError):
        layout.size()


def test_imports_need_nothing():
    """Without NumPy and PyTorch, all but arrays is there; what needs NumPy says so."""
    program = (
        "import sys; sys.modules['numpy'] = sys.modules['torch'] = None\n"
        "import tilework, tilework.pycute, tilework.hardware\n"
        "from tilework import *\n"
        "print(Tensor(list('abcd'), '(2,2):(2,1)')[1, 0], Layout('(8,8):(8,1)') @ Layout('4:2'), draw('4:1'))\n"
        "hardware.banks('(32,32):(32,1)', '(32,32):(1,32)', bits=32), Tensor([0] * 4, 4).assign(1)\n"
        "for ask in (Layout(4).offsets, lambda: Tensor(bytearray(4), 4)):\n"
        "    try: ask()\n"
        "    except ImportError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("c 4:16 4:1") and done.stdout.count("numpy") == 2, done.stderr


def test_a_saved_picture_says_where(tmp_path):
    picture, path = draw("(4,8):(8,1)"), tmp_path / "a.svg"
    assert picture.save(path) == picture.save(str(path)) == path and path.read_text() == picture.svg()
    for wrong, error in [(tmp_path / "no" / "a.svg", FileNotFoundError), (tmp_path / "a.gif", errors.Arguments)]:
        with pytest.raises(error, match=re.escape(str(wrong))):
            picture.save(wrong)


def test_refusals_say_what_to_write():
    for wrong, sentence in [
        (lambda: draw(), "draw takes a layout"),
        (lambda: Layout("Sw<3,4,3> o 0 o (8,64):(64,1)"), "parse(text) gives what it is"),
        (lambda: Layout("{18} o 2:1"), "ComposedLayout and View have such texts"),
        (lambda: Tensor([1, 2, 3]), "with a layout, Tensor(items, layout), it is one"),
        (lambda: hardware.TiledMma("nosuch"), "there is no instruction nosuch; hardware.atoms(WORDS) lists names"),
        (lambda: hardware.banks("(32,32):(32,1)", "rws"), "an access is `ldmatrix`, `ldmatrix.trans`, `rows`, a layout"),
        (lambda: Layout((4, 8)).to("c++"), "the forms are cpp"),
    ]:
        with pytest.raises(TileworkError, match=re.escape(sentence)):
            wrong()
    with pytest.raises(AttributeError) as caught:
        tilework.zipped_divde
    assert (caught.value.name, caught.value.obj) == ("zipped_divde", tilework)


def test_metadata():
    """The version is that of the distribution, whose classifiers are the registry's words."""
    assert tilework.__version__ == importlib.metadata.version("tilework")
    metadata = importlib.metadata.metadata("tilework")
    assert metadata["License-Expression"] == "MIT OR Apache-2.0" and metadata["Requires-Python"] == ">=3.10"


def test_strides():
    assert 2 * E(1, 0) == E(1, 0) * 2 == E(1, 0) + E(1, 0) and str(-E(0)) == "-1@0"
    assert E(0) * Fraction(1, 2) == E(0) / 2 and E(0) * 0 == 0 and E() == 1
    assert (E(1, 0).path, E(0).count, xor(9).path, xor(9).is_xor) == ((1, 0), 1, None, True)
    assert Layout((4, 8), (Fraction(1, 2), 1)).stride == (Fraction(1, 2), 1)
    assert Layout((4, 8), (np.int64(8), np.int32(1))) == Layout((4, 8), (8, 1))
    assert E(0) - E(1) == E(0) + -E(1) == -(E(1) - E(0)) and E(0) - E(0) == 0 == E() - 1 and 1 - E() == 0
    for left, right, error in [(E(0), 1, errors.MixedCodomain), (1, xor(1), errors.MixedCodomain), (E(0), E(0, 1), errors.NestedBasis), (E(0), xor(1), errors.MixedCodomain)]:
        for combine in [operator.add, operator.sub]:
            with pytest.raises(error):
                combine(left, right)
    assert -xor(5) == xor(5) and xor(5) - xor(1) == xor(4)
    with pytest.raises(TypeError):
        E(0) - "a"
    for wrong in [lambda: E(-1), lambda: E(40), lambda: E("a"), lambda: xor(-1), lambda: xor(1.5), lambda: E(0) * 1.5]:
        with pytest.raises((TileworkError, TypeError)):
            wrong()


def test_numbers_are_exact():
    for big in (2**63, -(2**63) - 1, 10**5000):
        for wrong in [lambda: Layout(big), lambda: Layout((4, 8), (1, big)), lambda: Layout(4)(big), lambda: E(0) * big]:
            with pytest.raises(OverflowError) as caught:
                wrong()
            assert isinstance(caught.value, (TileworkError, ValueError)) and caught.value.code == "overflow"
    with pytest.raises(errors.Overflow):
        Layout((2, 2), 2**62 and (2**62, 2**62))
    with pytest.raises(errors.Overflow):
        Layout(4, 2**61)(5)
    with pytest.raises(errors.Overflow):
        Layout(2**62) * 4


def test_errors_are_those_of_the_command_line():
    with pytest.raises(errors.Carry) as caught:
        parse("(6,2):(1,7) o (3,2):(2,3)")
    sentence = "leaves 0 and 1 of the right layout together step past 6"
    assert caught.value.code == "carry" and caught.value.message.startswith(sentence)
    assert str(caught.value).startswith("carry: " + sentence) and isinstance(caught.value, ValueError)
    with pytest.raises(errors.Carry) as direct:
        Layout("(6,2):(1,7)") @ Layout("(3,2):(2,3)")
    assert str(caught.value).startswith(str(direct.value) + "\n  (6,2):(1,7) o (3,2):(2,3)\n  ")
    with pytest.raises(errors.Syntax) as caught:
        parse("(4,8):(8,1")
    assert caught.value.span == (10, 10)
    for text, wrong in [("(8,8):(8,1) ∘ ⟨4:1,é⟩", "é"), ("let a = 4:1 ∘ 2:1; Ä", "Ä"), ("4:1 ∘ x", "x")]:
        for read in [parse, Session().evaluate, explain, draw]:
            with pytest.raises(TileworkError) as caught_there:
                read(text)
            assert text[slice(*caught_there.value.span)] == wrong, (text, read)
            assert str(caught_there.value).endswith(f"\n  {text}\n  {' ' * text.index(wrong)}^"), (text, read)
            if caught_there.value.code == "syntax":
                assert f"at character {text.index(wrong) + 1}," in str(caught_there.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again), again.code, again.span) == (errors.Syntax, str(caught.value), "syntax", caught.value.span)
    for code, kind in errors._CLASSES.items():
        assert kind.code == code and issubclass(kind, TileworkError) and kind.__doc__


def nested(depth):
    value = 4
    for _ in range(depth):
        value = (value,)
    return value


@pytest.mark.parametrize("depth", [64, 1000, 10_000, 100_000])
def test_deep_tuples(depth):
    deep = nested(depth)
    for wrong in [
        lambda: Layout(deep), lambda: Layout(4)(deep), lambda: tilework.size(deep), lambda: Tiler(deep),
        lambda: Layout(4) / deep, lambda: Tensor([1], 1)[deep], lambda: E(deep), lambda: parse("(" * depth + "4" + ")" * depth),
        lambda: Layout(4) / ((Layout(4),), deep),
    ]:  # fmt: skip
        with pytest.raises(TileworkError):
            wrong()
    loop = []
    loop.append(loop)
    with pytest.raises(TileworkError):
        Layout(loop)


class Hostile:
    """An object that answers everything, and wrongly."""

    def __init__(self, source):
        self.source = source

    def __getattr__(self, name):
        if name.startswith("__") and self.source.random() < 0.5:
            raise AttributeError(name)
        return self.source.choice([None, 1, "x", (), {}, lambda *a, **k: self.source.choice([None, -1, "y", self])])

    def __index__(self):
        return self.source.choice([3, -1, 2**70, 0])

    def __len__(self):
        return self.source.randrange(3)

    def __getitem__(self, index):
        raise RuntimeError("no items")

    __array_interface__ = {"data": (8, False), "shape": (0,), "typestr": "<f4", "strides": None, "version": 3}


def arguments(source):
    """Anything at all."""
    kind = source.randrange(16)
    if kind < 4:
        return source.choice([0, 1, 2, 3, 4, 8, -1, -7, 64, 2**31, 2**62, 2**63 - 1, -(2**63), 2**64, 10**30])
    if kind < 7:
        return tuple(arguments(source) for _ in range(source.randrange(5)))
    if kind == 7:
        return [arguments(source) for _ in range(source.randrange(4))]
    if kind == 8:
        text = list(source.choice(VALUES))
        for _ in range(source.randrange(4)):
            text.insert(source.randrange(len(text) + 1), source.choice("()<>{}:,@^_/o* 0123456789SwL\0é\ud800"))
        return "".join(text)
    if kind in (9, 10, 11):
        return parse(source.choice(VALUES))
    return source.choice(
        [
            None, True, 1.5, float("nan"), 1j, b"bytes", {}, set(), object(), slice(None), slice(1, 2), Ellipsis, int, len,
            Fraction(1, 2), Fraction(10**30, 7), np.zeros((2, 3)), np.arange(6), np.array(3), np.zeros(0), np.array([None]),
            np.int8(3), np.float32(2), "", "size((4,8))", nested(70), Hostile(source), range(3), tilework.counting(), Tensor([1, 2, 3], 3),
        ]
    )  # fmt: skip


def test_malformed_inputs():
    """100,000 calls of everything with anything: a value or an exception, and the interpreter goes on."""
    functions = [getattr(tilework, name) for name in tilework.FUNCTIONS]
    functions += [Layout, ComposedLayout, View, Swizzle, Tiler, tilework.Instruction, Tensor, E, xor, parse, tilework.explain, Tensor.from_array]
    functions += [getattr(hardware, name) for name in hardware.__all__]
    functions += [tilework.constant, tilework.draw, tilework.einsum, tilework.copy, tilework.gemm, tilework.conv]
    def called(kind):
        return [name for name in dir(kind) if not name.startswith("_") and callable(getattr(kind, name))]

    methods = {kind: called(kind) for kind in (Layout, ComposedLayout, View, Tensor)}
    methods = {kind: names + ["__call__", "__getitem__", "__matmul__", "__truediv__", "__mul__", "__eq__"] for kind, names in methods.items()}
    calls = refused = 0
    for source in malformed.cases(100_000):
        calls += 1
        given = [arguments(source) for _ in range(source.choice([0, 1, 1, 2, 2, 2, 3, 4]))]
        function = source.choice(functions)
        if source.random() < 0.5 and given and type(given[0]) in methods:
            try:
                function = getattr(given[0], source.choice(methods[type(given[0])]), None)
            except TileworkError:
                # An attribute that is refused.
                refused += 1
                continue
            given = given[1:]
            if not callable(function) or getattr(function, "__name__", "") == "offsets":
                continue
        if function is tilework.draw:
            given = [value for value in given if not isinstance(value, tilework.AnyLayout) or value.size < 100]
        try:
            function(*given)
        except Exception as error:
            refused += 1
            assert type(error).__name__ != "PanicException", (function, given)
            assert not isinstance(error, (SystemError, MemoryError, RecursionError)), (function, given, error)
    assert calls / 10 < refused < calls


def resident():
    """Kilobytes of this process in memory; none where the system does not say."""
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
    except OSError:
        return None


def test_a_million_calls_keep_no_memory():
    if resident() is None:
        pytest.skip("this system does not say how much memory is in use")
    a, b = Layout("(8,8):(8,1)"), Layout("((4,8),2):((16,1),8)")
    data = np.arange(64.0)
    bad = Layout("(3,2):(2,3)")
    refusing = Layout("(6,2):(1,7)")

    def refuse():
        try:
            refusing @ bad
        except TileworkError:
            pass

    rounds = [
        lambda: a @ b, lambda: a(2, None), lambda: a(22), lambda: Layout(((2, 2), 8), ((1, 2), 4)), lambda: str(b),
        lambda: a / (2, 4), lambda: parse("(4,8):(8,1)"), refuse, lambda: Tensor(data, a)[3, None], lambda: hash(b),
        lambda: Tensor(data, a)[3, 4], lambda: np.asarray(Tensor(data)), lambda: pickle.loads(pickle.dumps(a)),
        lambda: a.offsets(), lambda: Tensor(data).__dlpack__(), lambda: tilework.einsum("i->", data), lambda: E(0) * 3,
        lambda: list(a), lambda: a == b, lambda: tilework.idx2crd(3, (4, 8)),
    ]  # fmt: skip
    for call in rounds:
        for _ in range(2000):
            call()
    gc.collect()
    before = resident()
    for call in rounds:
        for _ in range(50_000):
            call()
    gc.collect()
    # Two megabytes are less than three bytes a call.
    assert resident() - before < 2048


def test_signatures():
    """Everything can be inspected, as help() and editors do."""
    for name in tilework.FUNCTIONS:
        assert inspect.signature(getattr(tilework, name)).parameters, name
