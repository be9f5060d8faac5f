"""COPY, GEMM, contraction and convolution on arrays, against NumPy."""

import itertools
import re
import subprocess
import sys
import threading
import time
import timeit

import numpy as np
import pytest

import tilework
from tilework import Layout, Tensor, conv, copy, einsum, errors, gemm

RNG = np.random.default_rng(11)

#: Whether this is no debug build.
FAST = timeit.timeit(lambda: gemm(np.ones((64, 64)), np.ones((64, 64))), number=10) < 0.02


def random(shape, dtype):
    if np.dtype(dtype).kind == "i":
        return RNG.integers(-9, 10, shape).astype(dtype)
    return RNG.standard_normal(shape).astype(dtype)


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "f2", "f4", "i8", "c8", "c16", "V3", "V6", "V12", "V5", "V24", "V32"])
def test_copy(dtype):
    count = 12 * 10 * 6
    data = np.frombuffer(RNG.bytes(count * np.dtype(dtype).itemsize), dtype).reshape(12, 10, 6)
    if dtype == "?":
        data = RNG.integers(0, 2, (12, 10, 6)).astype("?")
    for source in (data, data.T, data[::-1, ::2], data[3], data[1:2, 1:2, 1:2]):
        for order in "CF":
            target = np.empty(source.shape, dtype, order)
            copy(source, target, threads=2)
            assert target.tobytes("C") == source.tobytes("C")


def test_copy_by_layouts():
    data = np.arange(32.0)
    tiles = np.empty(32)
    layout = Layout("((2,2),(2,4)):((1,16),(2,4))")
    copy(Tensor(data, "(4,8):(8,1)"), Tensor(tiles, layout))
    assert tiles[layout.offsets()].tolist() == data[Layout("(4,8):(8,1)").offsets()].tolist()
    swizzled = tilework.parse("Sw<2,0,2> o 0 o (4,8):(8,1)")
    copy(data.reshape(4, 8), Tensor(tiles, swizzled))
    assert tiles[swizzled.offsets()].tolist() == data.reshape(4, 8).T.ravel().tolist()
    copy(Tensor(data, "4:0", 3), tiles[:4])
    assert tiles[:4].tolist() == [3] * 4


def test_unaligned():
    raw = np.zeros(8 * 10 + 1, "u1")
    odd = raw[1:].view("f8")
    odd[:] = np.arange(10)
    target = np.empty(10)
    copy(odd, target)
    assert target.tolist() == list(range(10))
    with pytest.raises(errors.Array, match="begin"):
        einsum("i->", odd)


def test_interleaved_parts_of_one_array():
    for dtype in ("u1", "f4", "f8", "V3"):
        whole = np.frombuffer(RNG.bytes(64 * 48 * np.dtype(dtype).itemsize), dtype).reshape(64, 48).copy()
        wanted = whole.copy()
        wanted[:, 1::2] = whole[:, ::2]
        copy(whole[:, ::2], whole[:, 1::2], threads=2)
        assert whole.tobytes() == wanted.tobytes()
        with pytest.raises(errors.Overlap):
            copy(whole[:, :-1:2], whole[:, ::2][:, :24])
    # Fields of one structure, of two types.
    pairs = np.zeros(20, [("number", "f8"), ("count", "i8")])
    pairs["number"] = np.arange(20)
    copy(pairs["number"], pairs["count"].view("f8"))
    assert pairs["count"].view("f8").tolist() == list(range(20))
    # The operands lie between the rows of the result.
    whole = random((12, 8, 2), "f8")
    wanted = whole[:4, :, 0] @ whole[4:12, :, 0].T
    gemm(whole[:4, :, 0], whole[4:12, :, 0], whole[:4, :, 1])
    assert np.allclose(whole[:4, :, 1], wanted)
    wanted = whole[:8, :, 0].sum(axis=1)
    einsum("ij->i", whole[:8, :, 0], out=whole[:8, 0, 1])
    assert np.allclose(whole[:8, 0, 1], wanted)
    with pytest.raises(errors.Overlap):
        einsum("ij->i", whole[:8, :, 0], out=whole[:8, 0, 0])


def test_copy_refuses():
    data = np.zeros(32)
    with pytest.raises(errors.Size):
        copy(data, np.zeros(31))
    with pytest.raises(errors.Overlap):
        copy(data[:20], data[10:30])
    with pytest.raises(errors.Aliasing):
        copy(data[:4], Tensor(np.zeros(4), "4:0"))
    with pytest.raises(errors.Array, match="float64"):
        copy(data, np.zeros(32, "f4"))
    with pytest.raises(errors.Array, match="read-only"):
        copy(data, np.broadcast_to(0.0, 32))
    with pytest.raises(errors.Array, match="memory"):
        copy(Tensor(tilework.counting(), Layout(32)), data)


def test_elements_that_are_bytes():
    """Dates, texts and structures are copied to elements of the same type of NumPy, and to no other of as many bytes."""
    days = np.array(["2020-01-01", "2021-02-03"], "M8[D]")
    kinds = ["M8[s]", "M8[D]", "m8[D]", "U2", "S8", "V8", "i8", [("a", "f4"), ("b", "f4")], [("a", "f4"), ("c", "f4")]]
    for kind in kinds:
        target = np.zeros(2, kind)
        if target.dtype == days.dtype:
            copy(days, target)
            assert target.tolist() == days.tolist()
        else:
            with pytest.raises(errors.Array, match=re.escape(f"of datetime64[D], the destination of {target.dtype}")):
                copy(days, target)
    copy(days.view("i8"), target.view("i8"))
    assert target.tobytes() == days.tobytes()


def test_elements_that_refer_to_objects():
    """A copy of the bytes would be an owner that Python does not count."""
    kinds = ["O", [("name", "O"), ("number", "f8")]]
    if hasattr(np.dtypes, "StringDType"):
        kinds.append(np.dtypes.StringDType())
    for kind in kinds:
        array = np.empty(3, kind)
        for refused in (lambda: copy(array, np.empty_like(array)), lambda: Tensor(array)):
            with pytest.raises(errors.Array, match="objects of Python"):
                refused()


def test_arrays_with_a_mask():
    masked = np.ma.masked_array(np.ones((2, 2)), mask=[[0, 1], [0, 0]])
    plain = np.ones((2, 2))
    # The plain calls are remembered, and the masked ones are like them but for the mask.
    assert gemm(plain, plain)[0, 0] == einsum("ij,jk->ik", plain, plain)[0, 0] == 2
    for refused in (
        lambda: copy(masked, plain),
        lambda: copy(plain, masked),
        lambda: gemm(masked, plain),
        lambda: gemm(plain, plain, masked),
        lambda: einsum("ij,jk->ik", plain, masked),
        lambda: Tensor(masked),
    ):
        with pytest.raises(errors.Array, match="mask"):
            refused()
    assert gemm(masked.filled(0), plain).tolist() == [[1, 1], [2, 2]]


def test_counts():
    a = np.ones((4, 4))
    plan = tilework.GemmPlan("(4,4)", "(4,4)", "(4,4)", "float64")
    for call in (gemm, plan.run, lambda *_, threads: copy(a, a[::-1], threads=threads)):
        for threads in (-1, 2**64):
            with pytest.raises(errors.Argument, match=f"threads is {threads};"):
                call(a, a, np.ones((4, 4)), threads=threads)
    with pytest.raises(TypeError):
        gemm(a, a, threads=1.5)
    with pytest.raises(errors.Argument, match="groups is -1;"):
        conv(np.ones((1, 4, 1)), np.ones((1, 2, 1)), groups=-1)


@pytest.mark.parametrize("types", ["f4f4", "f8f8", "i1i4", "f2f4", "f2f2"])
def test_gemm(types):
    operand, result = types[:2], types[2:]
    close = {"f8": 1e-12, "f4": 1e-4, "i4": 0, "f2": 2e-2}[result]
    for m, n, k in [(1, 1, 1), (5, 7, 3), (64, 48, 32), (33, 1, 70)]:
        a, b = random((m, k), operand), random((n, k), operand)
        wide = np.float64 if operand != "i1" else np.int64
        wanted = a.astype(wide) @ b.T.astype(wide)
        scale = np.abs(wanted).max() + 1
        c = np.full((m, n), 3, result)
        assert gemm(a, b, c, threads=2) is c
        assert np.abs(c - wanted).max() <= close * scale
        gemm(a.copy("F"), b[::-1], c, alpha=2, beta=1)
        assert np.abs(c - wanted - 2 * wanted[:, ::-1]).max() <= 3 * close * scale
        made = gemm(a, b)
        assert made.shape == (m, n) and np.allclose(made, wanted, rtol=2e-2 if operand == "f2" else 1e-4, atol=close * scale)


def test_gemm_folded_and_batched():
    a, b = random((6, 4, 5), "f8"), random((3, 5, 7), "f8")
    c = np.zeros((6, 4, 3, 7))
    # M = (6,4), K = 5, N = (3,7).
    rows = Tensor(a).group(0, 2)
    columns = Tensor(b).select(0, 2, 1).group(0, 2)
    gemm(rows, columns, Tensor(c).group(2, 4).group(0, 2))
    assert np.allclose(c, np.einsum("abk,ckd->abcd", a, b))
    x, y = random((5, 6, 9), "f4"), random((4, 6, 9), "f4")
    assert np.allclose(gemm(x, y), np.einsum("mkl,nkl->mnl", x, y), atol=1e-4)
    swizzled = Tensor(np.arange(64.0), tilework.parse("Sw<3,0,3> o 0 o (8,8):(8,1)"))
    assert np.allclose(gemm(swizzled, np.eye(8)), np.array(swizzled.tolist()).reshape(8, 8).T)


def test_parts_of_one_array():
    whole = random((8, 24), "f8")
    wanted = whole[:, :8] @ whole[:, 8:16].T
    rows = np.ascontiguousarray(whole.T)
    t = Tensor(rows)
    gemm(t.domain_offset(0)[(slice(None), slice(None))].take(0, 2).select(1, 0) @ (8, 8), Tensor(rows[8:16].T), rows[16:])
    assert np.allclose(rows[16:], wanted)
    with pytest.raises(errors.Overlap):
        gemm(rows[:8], rows[:8], rows[4:12, :])


def test_factors_of_integers():
    a, b, c = np.ones((2, 3), "i1"), np.ones((4, 3), "i1"), np.ones((2, 4), "i4")
    plan = tilework.GemmPlan("(2,3)", "(4,3)", "(2,4)", "int8")
    for factor in (0.5, 2**31, float("nan"), float("inf")):
        for name in ("alpha", "beta"):
            for call in (gemm, plan.run, lambda *arrays, **factors: einsum("mk,nk->mn", *arrays[:2], out=arrays[2], **factors)):
                with pytest.raises(errors.Specification, match=f"{name} is "):
                    call(a, b, c, **{name: factor})
    assert c.tolist() == np.ones((2, 4)).tolist()
    # -6 - 2^31 + 1 wraps.
    assert gemm(a, b, c, alpha=-2, beta=1 - 2**31).tolist() == np.full((2, 4), 2**31 - 5).tolist()


def test_gemm_refuses():
    a, b = np.zeros((4, 3)), np.zeros((5, 3))
    with pytest.raises(errors.Size):
        gemm(a, np.zeros((5, 4)))
    with pytest.raises(errors.Size):
        gemm(a, b, np.zeros((4, 4)))
    with pytest.raises(errors.Rank):
        gemm(np.zeros(3), b, np.zeros((1, 5)))
    with pytest.raises(errors.Array, match="int64"):
        gemm(a.astype("i8"), b.astype("i8"))
    with pytest.raises(errors.Array, match="one type"):
        gemm(a, b.astype("f4"))
    with pytest.raises(errors.Array):
        gemm(a, b, Tensor(tilework.counting(), Layout((4, 5))))
    with pytest.raises(errors.Rank):
        gemm(np.zeros(3), b)


@pytest.mark.parametrize(
    "spec, shapes",
    [
        ("ij,jk->ik", [(3, 4), (4, 5)]),
        ("ij,jk", [(3, 4), (4, 5)]),
        ("bij,bjk->bik", [(2, 3, 4), (2, 4, 5)]),
        ("i,i->", [(7,), (7,)]),
        ("ii->i", [(5, 5)]),
        ("ii", [(5, 5)]),
        ("ij->ji", [(3, 4)]),
        ("ab,ab->ab", [(6, 7), (6, 7)]),
        ("stupr,qtru->stqp", [(2, 3, 4, 5, 6), (7, 3, 6, 4)]),
        ("ab,bc,cd->ad", [(3, 4), (4, 5), (5, 2)]),
        ("i,j->ij", [(3,), (4,)]),
    ],
)
def test_einsum(spec, shapes):
    operands = [random(shape, "f8") for shape in shapes]
    wanted = np.einsum(spec, *operands)
    assert np.allclose(einsum(spec, *operands, threads=2), wanted)
    out = random(wanted.shape, "f8")
    before = out.copy()
    assert einsum(spec, *operands, out=out, alpha=2, beta=-1) is out
    assert np.allclose(out, 2 * wanted - before)


def test_einsum_refuses():
    a = np.zeros((3, 4))
    for spec, operands in [("ij,jk->ik", [a, a]), ("ij-k", [a]), ("ijk->i", [a]), ("ij,jk->ik", [a]), ("ij->k", [a]), ("", [a])]:
        with pytest.raises(errors.TileworkError):
            einsum(spec, *operands)
    with pytest.raises(errors.Specification):
        einsum("->")


@pytest.mark.parametrize("dtype, result", [("f4", "f4"), ("f8", "f8"), ("i1", "i4")])
def test_products_without_elements(dtype, result):
    """Twice, because a second call like the first takes its plan."""
    for (m, n, k), batch, _ in itertools.product(itertools.product([0, 2], repeat=3), [(), (0,), (2,)], range(2)):
        a, b = np.ones((m, k, *batch), dtype), np.ones((n, k, *batch), dtype)
        wanted = np.full((m, n, *batch), k, result)
        made = gemm(a, b)
        assert made.shape == wanted.shape and made.dtype == result and (made == wanted).all()
        c = np.full(wanted.shape, 7, result)
        assert gemm(a, b, c, alpha=3, beta=2) is c and (c == 3 * wanted + 14).all()
        assert gemm(a, b, c) is c and (c == wanted).all()
    a, c = np.empty((2, 0), dtype), np.full((2, 2), 7, result)
    # Nothing is multiplied by an infinite factor.
    assert (gemm(a, a, c, alpha=np.inf if dtype != "i1" else 1) == 0).all()
    for left, right, error in [
        (a, np.empty((2, 3), dtype), errors.Specification),
        (a, np.empty((0, 3), dtype), errors.Specification),
        (a, np.empty(0, dtype), errors.Specification),
        (a, np.empty((3, 0), dtype), errors.Specification),
        (a, np.empty((2, 0), "f2"), errors.Array),
    ]:
        with pytest.raises(error):
            gemm(left, right, c)
    fixed = np.empty((0, 2), result)
    fixed.flags.writeable = False
    with pytest.raises(errors.Array, match="C: its memory is read-only"):
        gemm(np.empty((0, 2), dtype), np.empty((2, 2), dtype), fixed)
    with pytest.raises(errors.Array, match="int64"):
        gemm(np.empty((0, 2), "i8"), np.empty((2, 2), "i8"))
    with pytest.raises(errors.Array, match="A: it has a mask"):
        gemm(np.ma.masked_array(a), a)


@pytest.mark.parametrize("spec", ["ij,jk->ik", "ij,jk", "bij,bjk->kbi", "i,i->", "ii->i", "ii", "ij->ji", "ab,bc,cd->ad", "i,j->ij", "i,->i", "i,j->j", "ij->"])
def test_contractions_without_elements(spec):
    letters = [name.strip() for name in spec.split("->")[0].split(",")]
    names = sorted(set("".join(letters)))
    for extents in itertools.product([0, 2], repeat=len(names)):
        extent = dict(zip(names, extents))
        operands = [np.full([extent[letter] for letter in own], 3.0) for own in letters]
        wanted = np.einsum(spec, *operands)
        made = einsum(spec, *operands)
        assert made.shape == wanted.shape and made.dtype == "f8" and (made == wanted).all(), extents
        out = np.full(wanted.shape, 5.0)
        assert einsum(spec, *operands, out=out, alpha=2, beta=-1) is out
        assert (out == 2 * wanted - 5).all(), extents
    # What is not multiplied may be no number.
    assert einsum("i,j->j", np.empty(0), np.array([np.nan, np.inf])).tolist() == [0, 0]
    # There is no memory for 10^12 elements, and none is needed.
    assert einsum("ij->", np.empty((10**12, 0))) == 0


def test_a_copy_of_nothing():
    for (n, m), kind in itertools.product([(0, 2), (2, 0), (0, 0)], ["f8", "u1", "c16", "M8[s]"]):
        copy(np.empty((n, m), kind), np.empty((m, n), kind))
        copy(np.empty((n, m), kind), np.empty(0, kind))
    copy(memoryview(b""), np.empty(0, "u1"))
    fixed = np.empty(0)
    fixed.flags.writeable = False
    for source, target, error in [
        (np.empty(0), np.empty(0, "f4"), errors.Array),
        (np.empty(0, "M8[s]"), np.empty(0, "M8[D]"), errors.Array),
        (np.empty(0), np.empty(1), errors.Size),
        (np.empty(1), np.empty((0, 2)), errors.Size),
        (np.empty(0), fixed, errors.Array),
        (np.empty(0), None, errors.Kind),
    ]:
        with pytest.raises(error):
            copy(source, target)
    with pytest.raises(errors.Extent):
        Tensor(np.empty((0, 2)))


def reference_conv(x, w, stride, dilation, padding, groups):
    """Two directions, by loops."""
    (n, h, width, c), (k, r, s, _) = x.shape, w.shape
    x = np.pad(x, ((0, 0), padding[0], padding[1], (0, 0)))
    high = (x.shape[1] - dilation[0] * (r - 1) - 1) // stride[0] + 1
    wide = (x.shape[2] - dilation[1] * (s - 1) - 1) // stride[1] + 1
    out = np.zeros((n, high, wide, k))
    for g in range(groups):
        channels, filters = slice(g * c // groups, (g + 1) * c // groups), slice(g * k // groups, (g + 1) * k // groups)
        for i in range(r):
            for j in range(s):
                rows = slice(i * dilation[0], i * dilation[0] + (high - 1) * stride[0] + 1, stride[0])
                columns = slice(j * dilation[1], j * dilation[1] + (wide - 1) * stride[1] + 1, stride[1])
                out[..., filters] += x[:, rows, columns, channels] @ w[filters, i, j].T
    return out


@pytest.mark.parametrize(
    "options, how",
    [
        ({}, ((1, 1), (1, 1), ((0, 0), (0, 0)), 1)),
        ({"stride": 2, "padding": 1}, ((2, 2), (1, 1), ((1, 1), (1, 1)), 1)),
        ({"stride": [1, 2], "dilation": [2, 1], "padding": [(0, 2), (1, 0)]}, ((1, 2), (2, 1), ((0, 2), (1, 0)), 1)),
        ({"groups": 2, "padding": [1, 2], "threads": 2}, ((1, 1), (1, 1), ((1, 1), (2, 2)), 2)),
    ],
)
def test_conv(options, how):
    x, w = random((2, 9, 8, 4), "f8"), random((6, 3, 2, 4 // how[3]), "f8")
    wanted = reference_conv(x, w, *how)
    assert np.allclose(conv(x, w, **options), wanted)
    # Channels first is a transposed array.
    first = np.ascontiguousarray(x.transpose(0, 3, 1, 2))
    out = np.zeros((2, 6, *wanted.shape[1:3]))
    conv(first.transpose(0, 2, 3, 1), w, out.transpose(0, 2, 3, 1), **options)
    assert np.allclose(out.transpose(0, 2, 3, 1), wanted)


def test_conv_in_other_numbers_of_directions():
    line, volume = random((1, 10, 3), "f8"), random((1, 4, 5, 6, 2), "f8")
    assert conv(line, random((2, 3, 3), "f8")).shape == (1, 8, 2)
    w = random((3, 2, 2, 2, 2), "f8")
    got = conv(volume, w)
    assert got.shape == (1, 3, 4, 5, 3)
    assert np.isclose(got[0, 0, 0, 0, 1], (volume[0, :2, :2, :2] * w[1]).sum())
    for wrong in [{"stride": 0}, {"groups": 5}, {"stride": [1, 1]}, {"dilation": 20}]:
        with pytest.raises(errors.TileworkError):
            conv(line, random((2, 3, 3), "f8"), **wrong)


def test_the_interpreter_is_released():
    a = random((200, 200), "f4")
    ticks, done = 0, threading.Event()

    def work():
        for _ in range(200 if FAST else 5):
            gemm(a, a)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        time.sleep(0.001)
        ticks += 1
    thread.join()
    assert ticks > 3


def test_many_threads_at_once():
    a, b = random((64, 32), "f8"), random((48, 32), "f8")
    wanted, wrong = a @ b.T, []

    def work():
        for _ in range(50):
            if not np.allclose(gemm(a, b, threads=2), wanted):
                wrong.append(1)
            if tilework.composition("(8,8):(8,1)", "((4,8),2):((16,1),8)") != Layout("((4,8),2):((2,8),1)"):
                wrong.append(2)

    threads = [threading.Thread(target=work) for _ in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not wrong


def test_ctrl_c_ends_a_kernel():
    """A product that would take long ends with KeyboardInterrupt."""
    program = (
        "import numpy as np, threading, signal, os, time, tilework\n"
        "a = np.ones((2500, 2500))\n"
        # A process in the background of a shell begins with the signal ignored.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "try:\n"
        "    for _ in range(1000): tilework.gemm(a, a)\n"
        "except KeyboardInterrupt: print('ended')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.stdout == "ended\n", done.stderr


def test_what_disagrees_is_named():
    """B is (N,K): what NumPy multiplies has to be transposed, and the refusal says so."""
    a, b = np.ones((2, 3)), np.ones((3, 4))
    with pytest.raises(errors.Size, match=r"\(N,K\) = \(3,4\); B is given as \(K,N\) and has to be \(N,K\): `b\.T`"):
        gemm(a, b)
    assert np.array_equal(gemm(a, b.T), a @ b)


def test_a_refusal_says_which_argument():
    a, b, c = np.ones((2, 3)), np.ones((4, 3)), np.ones((2, 4))
    fixed = c.copy()
    fixed.flags.writeable = False
    x, w = np.ones((1, 5, 5, 2)), np.ones((3, 2, 2, 2))
    wrong = {"of type NoneType": None, "of type list": [1.0], "objects of Python": a.astype(object), "byte order": a.astype(">f8")}
    for what, array in wrong.items():
        for name, call in [
            ("A", lambda: gemm(array, b)),
            ("B", lambda: gemm(a, array)),
            ("C", lambda: gemm(a, b, array) if array is not None else gemm(a, b, 3)),
            ("operand 1", lambda: einsum("ab,ab->a", array, a)),
            ("operand 2", lambda: einsum("ab,ab->a", a, array)),
            ("the input", lambda: conv(array, w)),
            ("the filter", lambda: conv(x, array)),
            ("the source", lambda: copy(array, a)),
            ("the destination", lambda: copy(a, array)),
            ("the source", lambda: tilework.reduce("sum", array, a)),
            ("y", lambda: tilework.axpby(1, a, 1, array)),
        ]:
            expected = what.replace("NoneType", "int") if name == "C" else what
            with pytest.raises(errors.TileworkError, match=f": {name}: .*{expected}"):
                call()
    for call in [lambda: gemm(a, b, fixed), lambda: gemm(a, b, np.broadcast_to(1.0, (2, 4)))]:
        with pytest.raises(errors.Array, match="C: its memory is read-only"):
            call()
    for option in ["stride", "dilation", "padding"]:
        for value in [-1, 1.5, "1", 2**64, [1, -1]]:
            with pytest.raises(TypeError, match="expected numbers from 0 .*, found"):
                conv(x, w, **{option: value})


def test_nothing_is_added_to_an_array_that_is_not_given():
    a, x, w = np.ones((2, 3)), np.ones((1, 5, 5, 2)), np.ones((3, 2, 2, 2))
    for _ in range(2):
        assert (gemm(a, a) == 3).all()
        for call in [lambda: gemm(a, a, beta=2), lambda: einsum("ab->a", a, beta=2), lambda: conv(x, w, beta=2)]:
            with pytest.raises(errors.Arguments, match="beta is 2, and no output is given"):
                call()


def test_products_of_too_few_modes():
    for shape in [(), (3,), (2, 2, 2, 2)]:
        with pytest.raises(errors.Rank, match="A has . mode"):
            gemm(np.ones(shape), np.ones((2, 3)))
        with pytest.raises(errors.Rank, match="B has . mode"):
            gemm(np.ones((2, 3)), np.ones(shape))


def test_long_specifications_end_soon():
    a = np.ones((2, 3))
    for spec in ["a" * 10**6, ",".join("a" * 10**6), "a" * 10**6 + "->a", "ab->" + "a" * 10**6]:
        with pytest.raises(errors.Specification):
            einsum(spec, a)
    assert einsum("baB", np.ones((2, 3, 4))).shape == (4, 3, 2)
