"""Plans, reductions, predicated tensors and matrices over F2, against NumPy, and what each of them refuses."""

import numpy as np
import pytest

import tilework
from tilework import BitMatrix, ContractPlan, ConvPlan, CopyPlan, GemmPlan, Layout, Tensor, _, axpby, errors, reduce

RNG = np.random.default_rng(23)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "float32", "float64", "complex64", "complex128"])
def test_copy_plan(dtype):
    source, destination = Layout("(6,(4,5)):(20,(1,4))"), Layout("(6,(4,5)):(1,(6,24))")
    plan = CopyPlan(source, destination, dtype)
    for threads in (1, 2):
        data = np.frombuffer(RNG.bytes(120 * np.dtype(dtype).itemsize), dtype)
        if dtype == "bool":
            data = RNG.integers(0, 2, 120).astype(bool)
        target = np.zeros(120, dtype)
        plan.run(data, target, threads=threads)
        assert target[destination.offsets()].tobytes() == data[source.offsets()].tobytes()
    assert "120 elements" in plan.explain() or "240 elements" in plan.explain()


def test_copy_plan_within_one_array():
    plan = CopyPlan("(8,4):(8,2)", "(8,4):(8,2)", np.float32)
    whole = np.arange(64, dtype="f4").reshape(8, 8)
    wanted = whole.copy()
    wanted[:, 1::2] = whole[:, ::2]
    plan.run(whole[:, :-1], whole[:, 1:])
    assert (whole == wanted).all()
    with pytest.raises(errors.Overlap):
        plan.run(whole, whole)
    # From an array that goes down.
    down = CopyPlan("4:-1", "4:1", "int64")
    out = np.zeros(4, "i8")
    down.run(np.arange(4)[::-1], out)
    assert out.tolist() == [3, 2, 1, 0]


def test_copy_plan_refuses():
    plan = CopyPlan("8:2", "8:1", np.dtype("f8"))
    data, target = np.zeros(15), np.zeros(8)
    with pytest.raises(errors.Image):
        plan.run(data[:14], target)
    with pytest.raises(errors.Array, match="float64.*float32"):
        plan.run(data.astype("f4"), target)
    with pytest.raises(errors.Array, match="read-only"):
        plan.run(data, readonly(target))
    with pytest.raises(errors.Array, match="begin"):
        plan.run(np.zeros(121, "u1")[1:].view("f8"), target)
    with pytest.raises(errors.Kind):
        plan.run([0.0] * 15, target)
    with pytest.raises(errors.Size):
        CopyPlan("8:1", "9:1", "float64")
    with pytest.raises(errors.Aliasing):
        CopyPlan("8:1", "8:0", "float64")
    with pytest.raises(errors.Array, match="float31"):
        CopyPlan("8:1", "8:1", "float31")
    with pytest.raises(errors.Kind):
        CopyPlan("8:1", "8:1", 7)
    with pytest.raises(errors.Kind):
        CopyPlan(_, "8:1", "float64")


def readonly(array):
    array = array.copy()
    array.flags.writeable = False
    return array


@pytest.mark.parametrize("types", [("float32", None), ("float64", None), ("int8", "int32"), ("float16", "float32"), ("float16", "float16")])
def test_gemm_plan(types):
    m, n, k = 13, 9, 21
    plan = GemmPlan((m, k), Layout((n, k), (k, 1)), f"({m},{n}):({n},1)", *types)
    operand = np.dtype(types[0])
    made = RNG.integers(-5, 6, (m * k + n * k)).astype(operand)
    a, b = made[: m * k].copy(), made[m * k :].copy()
    c = np.zeros((m, n), types[1] or types[0])
    plan.run(a, b, c, threads=2)
    wanted = a.reshape(k, m).T.astype("f8") @ b.reshape(n, k).T.astype("f8")
    assert np.allclose(c, wanted, rtol=2e-3)
    plan.run(a, b, c, alpha=2, beta=1)
    assert np.allclose(c, 3 * wanted, rtol=4e-3)
    assert plan.flops == 2 * m * n * k and "by" in plan.explain()


def test_gemm_plan_refuses():
    plan = GemmPlan("(2,3):(3,1)", "(4,3):(3,1)", "(2,4):(4,1)", "float64")
    a, b, c = np.zeros(6), np.zeros(12), np.zeros(8)
    with pytest.raises(errors.Image):
        plan.run(a, b[:11], c)
    with pytest.raises(errors.Array, match="float64.*float32"):
        plan.run(a, b, c.astype("f4"))
    with pytest.raises(errors.Array, match="read-only"):
        plan.run(a, b, readonly(c))
    whole = np.arange(20.0)
    with pytest.raises(errors.Overlap):
        plan.run(whole, b, whole)
    with pytest.raises(errors.Size):
        GemmPlan("(2,3):(3,1)", "(4,4):(4,1)", "(2,4):(4,1)", "float64")
    with pytest.raises(errors.Array, match="int64"):
        GemmPlan("(2,3):(3,1)", "(4,3):(3,1)", "(2,4):(4,1)", "int64")
    # Operands between the elements of the result are copied, and no longer overlap.
    spread = GemmPlan("(2,3):(6,2)", "(4,3):(3,1)", "(2,4):(8,2)", "float64")
    whole = np.arange(16.0)
    wanted = whole[[0, 2, 4, 6, 8, 10]].reshape(2, 3).sum(axis=1)
    spread.run(whole, np.ones(12), whole[1:])
    assert (whole[1::2].reshape(2, 4) == wanted[:, None]).all()


def test_contract_plan():
    a, b, x = RNG.standard_normal((4, 5)), RNG.standard_normal((5, 6)), RNG.standard_normal(6)
    plan = ContractPlan("ab,bc,c->a", ["(4,5):(5,1)", "(5,6):(6,1)", "6:1"], "4:1", "float64")
    out = np.empty(4)
    plan.run(a, b, x, out)
    assert np.allclose(out, a @ b @ x)
    assert plan.flops == 2 * (30 + 20)
    with pytest.raises(errors.TileworkError, match="3 operands"):
        plan.run(a, b, out)
    with pytest.raises(errors.Specification):
        ContractPlan("ab,bc->", ["(4,5):(5,1)"], "1:0", "float64")


def test_contraction_with_free_output():
    a, b = RNG.standard_normal((4, 2, 3)), RNG.standard_normal((5, 2))
    for spec in ("pkm,nk->pnm", "pkm,nk->mnp", "pkm,nk->npm", "pkm,nk->"):
        found = tilework.einsum(spec, a, b)
        wanted = np.einsum(spec, a, b)
        assert found.shape == wanted.shape and np.allclose(found, wanted)
        found[...] = 0
    plan = ContractPlan("pkm,nk->npm", ["(4,2,3):(6,3,1)", "(5,2):(2,1)"], None, "float64")
    assert plan.out.shape == (5, 4, 3) and plan.out.is_compact
    memory = np.empty(60)
    plan.run(a, b, memory)
    assert np.allclose(np.asarray(Tensor(memory, plan.out)), np.einsum("pkm,nk->npm", a, b))
    assert tilework.einsum("ab->ba", np.ones((2, 3), "i1")).dtype == np.int32


@pytest.mark.parametrize("options", [{}, {"stride": 2, "padding": 1}, {"dilation": (1, 2), "padding": [(0, 1), (2, 0)]}, {"groups": 2}])
@pytest.mark.parametrize("folded", [False, True])
def test_conv_plan(options, folded):
    groups = options.get("groups", 1)
    x, w = RNG.standard_normal((2, 9, 8, 4)), RNG.standard_normal((6, 3, 2, 4 // groups))
    wanted = tilework.conv(x, w, **options)
    layouts = [Tensor(array).layout for array in (x, w, wanted)]
    if folded:
        layouts = [layout.group(1, 3) for layout in layouts]
    plan, out = ConvPlan(*layouts, "float64", **options), np.zeros(wanted.shape)
    plan.run(x, w, out, threads=2)
    assert np.allclose(out, wanted)
    plan.run(x, w, out, alpha=2, beta=1)
    assert np.allclose(out, 3 * wanted)
    assert plan.flops == 2 * wanted.size * w[0].size and plan.explain()


def test_conv_plan_refuses():
    plan = ConvPlan("(1,5,1):(5,1,1)", "(1,2,1):(2,1,1)", "(1,4,1):(4,1,1)", "float32")
    x, w, out = np.zeros(5, "f4"), np.zeros(2, "f4"), np.zeros(4, "f4")
    with pytest.raises(errors.Image):
        plan.run(x[:4], w, out)
    with pytest.raises(errors.Array, match="float32.*float64"):
        plan.run(x, w.astype("f8"), out)
    with pytest.raises(errors.Array, match="read-only"):
        plan.run(x, w, readonly(out))
    with pytest.raises(errors.Overlap):
        plan.run(x, w, x)
    with pytest.raises(errors.TileworkError):
        ConvPlan("(1,5,1):(5,1,1)", "(1,2,1):(2,1,1)", "(1,5,1):(5,1,1)", "float32")
    with pytest.raises(errors.TileworkError):
        ConvPlan("5:1", "2:1", "4:1", "float32")


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_axpby(dtype):
    x, y = RNG.standard_normal((5, 6, 7)).astype(dtype), RNG.standard_normal((5, 6, 7)).astype(dtype)
    for alpha, beta in [(2, 0.5), (1, 1), (-3, 0), (0, 2)]:
        out = y.copy()
        axpby(alpha, x, beta, out, threads=2)
        assert np.allclose(out, alpha * x + beta * y, rtol=1e-5)
        # Coordinates are paired, and not places in memory.
        out = y.T.copy()
        axpby(alpha, x, beta, out.T)
        assert np.allclose(out.T, alpha * x + beta * y, rtol=1e-5)
    out = np.full(x.shape, np.nan, dtype)
    axpby(1, x, 0, out)
    assert (out == x).all()
    with pytest.raises(errors.Overlap):
        axpby(1, y, 1, y)
    with pytest.raises(errors.Size):
        axpby(1, x, 1, y[0])
    with pytest.raises(errors.Array, match="read-only"):
        axpby(1, x, 1, readonly(y))
    with pytest.raises(errors.Array, match="int32"):
        axpby(1, x, 1, y.astype("i4"))
    with pytest.raises(errors.TileworkError, match="int64"):
        axpby(1, np.arange(3), 1, np.zeros(3, "i8"))


def test_on_mode():
    layout = Layout("(8,(4,6)):(24,(1,4))")
    assert str(layout.on_mode(1, lambda mode: mode.coalesce())) == "(8,24):(24,1)"
    assert layout.on_mode(0, lambda mode: mode) == layout
    assert layout.on_mode((1, 0), lambda mode: "4:5") == Layout("(8,(4,6)):(24,(5,4))")
    with pytest.raises(errors.TileworkError):
        layout.on_mode(2, lambda mode: mode)
    with pytest.raises(errors.TileworkError):
        layout.on_mode(0, lambda mode: "8:")
    with pytest.raises(TypeError):
        layout.on_mode(0, lambda: None)


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "i8"])
def test_reduce(dtype):
    data = (RNG.standard_normal((6, 7, 8)) * 9).astype(dtype)
    for operation, of_numpy, start in [("sum", np.sum, 0), ("product", np.prod, 1), ("min", np.min, 100), ("max", np.max, -100)]:
        out = np.full((6, 8), start, dtype)
        reduce(operation, data, Tensor(out, "(6,7,8):(8,0,1)"), threads=2)
        assert np.allclose(out, of_numpy(data, axis=1), rtol=1e-4)
    # Into the gaps of what is reduced.
    whole = data.copy()
    reduce("max", whole[:, :, ::2], Tensor(whole[:, 0, 1::2], "(6,7,4):(56,0,2)"))
    assert (whole[:, 0, 1::2] == np.maximum(data[:, 0, 1::2], data[:, :, ::2].max(axis=1))).all()
    with pytest.raises(errors.Overlap):
        reduce("max", data, Tensor(data, "(6,7,8):(56,0,1)"))
    with pytest.raises(errors.Aliasing):
        reduce("sum", data[0], Tensor(np.zeros(56, dtype), "(7,8):(1,1)"))
    with pytest.raises(errors.Size):
        reduce("sum", data, Tensor(np.zeros(1, dtype), "5:0"))
    with pytest.raises(errors.TileworkError, match="median"):
        reduce("median", data, Tensor(np.zeros(1, dtype), "336:0"))
    with pytest.raises(errors.TileworkError, match="uint8"):
        reduce("sum", data.astype("u1"), Tensor(np.zeros(1, "u1"), "336:0"))


def test_map():
    data, out = np.arange(12).reshape(3, 4), np.zeros((3, 4))
    tilework.map(lambda x: x / 2, data, out)
    assert (out == data / 2).all()
    with pytest.raises(errors.Size):
        tilework.map(lambda x: x, data, np.zeros(11))
    with pytest.raises(ZeroDivisionError):
        tilework.map(lambda x: 1 / int(x), data, out)
    with pytest.raises(errors.Array, match="read-only"):
        tilework.map(lambda x: x, data, readonly(out))


def test_predicated():
    source, target = np.arange(130).reshape(10, 13), np.zeros((13, 10), "i8").T
    tiles = Tensor(source).predicated().tiled_divide((4, 8))
    written = Tensor(target).predicated().tiled_divide((4, 8))
    seen = 0
    for i in range(3):
        for j in range(2):
            tile, part = tiles[_, i, j], written[_, i, j]
            values = tile.tolist()
            seen += sum(value is not None for value in values)
            rows, columns = np.arange(32) % 4 + 4 * i, np.arange(32) // 4 + 8 * j
            assert values == [source[r, c] if r < 10 and c < 13 else None for r, c in zip(rows, columns)]
            part.assign(tile)
    assert seen == 130 and (target == source).all()
    # What is beyond is not there, and not written.
    ragged = Tensor(np.arange(6).reshape(2, 3)).predicated()
    assert [ragged.tiled_divide((4, 1))[(3, 0), 0, 0], ragged[1, 2]] == [None, 5]
    with pytest.raises(errors.TileworkError):
        np.asarray(ragged)
    with pytest.raises(errors.TileworkError):
        tilework.copy(ragged, source)


def test_bit_matrix():
    for text in ("(4,4):(^1,^5)", "8:1", "(2,8):(8,1)", "Sw<2,0,2> o 0 o (4,4):(1,4)", "(2,2,2):(^3,^1,^4)"):
        matrix = BitMatrix.of(text)
        function = tilework.parse(text)
        assert [matrix @ i for i in range(function.size)] == list(function.offsets())
        assert [matrix.to_layout()(i) for i in range(function.size)] == list(function.offsets())
        inverse = matrix.inverse()
        assert all(inverse @ (matrix @ i) == i for i in range(function.size))
        assert (inverse @ matrix).columns == tuple(1 << i for i in range(matrix.rank))
        assert eval(repr(matrix)) == matrix and hash(eval(repr(matrix))) == hash(matrix)
    assert BitMatrix.of("(2,2):(^1,^1)").rank == 1
    with pytest.raises(errors.TileworkError):
        BitMatrix.of("(2,2):(^1,^1)").inverse()
    with pytest.raises(errors.TileworkError):
        BitMatrix.of("3:1")
    with pytest.raises(errors.Argument):
        BitMatrix(2, [4])
    with pytest.raises(errors.Capacity):
        BitMatrix(64, [1])
    with pytest.raises(errors.Size):
        BitMatrix(1, [1]) @ BitMatrix(2, [1, 2])
    with pytest.raises(errors.Kind):
        BitMatrix(1, [1]) @ "1"
