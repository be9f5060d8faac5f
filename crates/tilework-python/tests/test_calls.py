"""Calls like one that was made before take its plan, and have to be as if they were the first."""

import itertools
import threading

import numpy as np
import pytest

from tilework import Tensor, einsum, errors, gemm

RNG = np.random.default_rng(5)


def views(shape, dtype):
    """Arrays of small integers with all kinds of strides."""
    wide = tuple(2 * extent + 1 for extent in shape)
    if not shape:
        return [np.array(RNG.integers(-4, 5)).astype(dtype)]

    def filled(shape, order="C"):
        return np.asarray(RNG.integers(-4, 5, shape).astype(dtype), order=order)

    return [
        filled(shape),
        filled(shape, "F"),
        filled(wide)[tuple(slice(1, None, 2) for _ in shape)],
        filled(shape)[tuple(slice(None, None, -1) for _ in shape)],
        filled(wide, "F")[tuple(slice(-2, None, -2) for _ in shape)],
    ]


@pytest.mark.parametrize("dtype, result", [("f4", "f4"), ("f8", "f8"), ("f2", "f2"), ("i1", "i4")])
@pytest.mark.parametrize("m, n, k", [(1, 1, 1), (4, 4, 4), (3, 7, 2), (1, 5, 6), (33, 18, 20)])
def test_products_again(dtype, result, m, n, k):
    # Of each pair of strides the first call is made, and then others that are like it on other memory.
    for _ in range(3):
        for left, right in itertools.product(views((m, k), dtype), views((n, k), dtype)):
            wanted = left.astype("f8") @ right.T.astype("f8")
            product = gemm(left, right)
            assert product.dtype == result and product.shape == (m, n) and (product == wanted).all()
            for out in views((m, n), result):
                before = out.copy()
                assert gemm(left, right, out, alpha=2, beta=-1) is out
                assert (out == 2 * wanted - before).all()


@pytest.mark.parametrize(
    "spec, shapes",
    [
        ("ab,ab->ab", [(3, 4), (3, 4)]),
        ("ab,b->a", [(5, 3), (3,)]),
        ("ab->ba", [(3, 4)]),
        ("ab->", [(3, 4)]),
        ("ab,bc,c->ca", [(3, 4), (4, 2), (2,)]),
        ("bij,bjk->kbi", [(2, 3, 4), (2, 4, 5)]),
        ("ab,cad->bcd", [(3, 4), (2, 3, 5)]),
    ],
)
def test_contractions_again(spec, shapes):
    for _ in range(3):
        for operands in itertools.product(*(views(shape, "f8") for shape in shapes)):
            wanted = np.einsum(spec, *operands)
            made = einsum(spec, *operands)
            assert made.shape == wanted.shape and made.flags.owndata and (made == wanted).all()
            for out in views(wanted.shape, "f8"):
                before = out.copy()
                assert einsum(spec, *operands, out=out, beta=1) is out
                assert (out == before + wanted).all()


def test_what_differs_is_another_call():
    a, b = np.arange(6.0).reshape(2, 3), np.ones((4, 3))
    for _ in range(2):
        assert gemm(a, b).shape == einsum("mk,nk->mn", a, b).shape == (2, 4)
        assert einsum("mk,nk->nm", a, b).shape == (4, 2)
        assert gemm(a.astype("f4"), b.astype("f4")).dtype == "f4"
        square, row, out = np.ones((3, 3)), np.ones(3), np.zeros(3)
        assert (einsum("ab,b->a", square, row, out=out) == 3).all()
        with pytest.raises(errors.Specification, match="2 operands"):
            einsum("ab,b->a", square, row, out)
        # One operand whose four letters are those of the other function.
        assert einsum("gemm", np.ones((2, 2, 2, 2))).shape == (2, 2)
        with pytest.raises(errors.TileworkError):
            einsum("gemm", a, b)


def test_what_is_refused_is_refused_again():
    a, b, c = np.ones((4, 4)), np.ones((4, 4)), np.zeros((4, 4))
    raw = np.zeros(4 * 4 * 8 + 1, "u1")
    odd = raw[1:].view("f8").reshape(4, 4)
    fixed = np.zeros((4, 4))
    fixed.flags.writeable = False
    whole = np.ones((8, 4))
    for _ in range(3):
        gemm(a, b, c)
        with pytest.raises(errors.Overlap):
            gemm(a, b, a)
        with pytest.raises(errors.Overlap):
            gemm(whole[:4], b, whole[2:6])
        with pytest.raises(errors.Array, match="begin"):
            gemm(a, odd, c)
        with pytest.raises(errors.Array, match="begin"):
            gemm(a, b, odd)
        with pytest.raises(errors.Array, match="read-only"):
            gemm(a, b, fixed)
        with pytest.raises(errors.Array, match="byte order"):
            gemm(a.astype(">f8"), b, c)
        with pytest.raises(errors.Size):
            gemm(a, b[:, :3])
    # An operand between the elements of the result is copied, also where one like it is apart.
    pairs = np.arange(32.0).reshape(4, 4, 2)
    apart = np.zeros((4, 4, 2))
    for left in [apart, pairs, apart, pairs]:
        wanted = left[..., 0] @ b.T
        assert (gemm(left[..., 0], b, pairs[..., 1]) == wanted).all()


def test_arrays_of_a_subclass(tmp_path):
    class Named(np.ndarray):
        pass

    a = np.memmap(tmp_path / "a", "f8", "w+", shape=(3, 4))
    a[:] = np.arange(12).reshape(3, 4)
    b, c = np.ones((5, 4)).view(Named), np.zeros((3, 5)).view(Named)
    for factor in range(1, 4):
        assert gemm(a, b, c, alpha=factor) is c
        assert np.array_equal(np.asarray(c), factor * (np.asarray(a) @ np.ones((4, 5))))
        assert type(gemm(a, b)) is np.ndarray
        for masked in [np.ma.masked_array(a), np.ma.masked_array(np.asarray(a))]:
            with pytest.raises(errors.Array, match="mask"):
                gemm(masked, b, c)
            with pytest.raises(errors.Array, match="mask"):
                gemm(a, b, np.ma.masked_array(c))


def test_a_number_of_numpy_is_read_and_not_written():
    numbers, lost = np.arange(3.0), [np.empty(1) for _ in range(100)]
    for factor in range(20):
        # What it tells of is a copy; arrays of the same size take the memory of one that is gone.
        assert einsum("a,->a", numbers, np.float64(factor)).tolist() == [0, factor, 2 * factor], lost
        assert einsum("->", np.array(factor + 0.5), out=np.array(0.0)) == factor + 0.5
        with pytest.raises(errors.Array, match="read-only"):
            einsum("a->", numbers, out=np.float64(4))
    with pytest.raises(errors.Array, match="read-only"):
        Tensor(np.float64(3))[()] = 1
    kept = Tensor(np.float64(3))
    assert [np.full(1, 7.0) for _ in range(100)] and kept[()] == 3


def test_two_bytes_without_a_type_are_no_bfloat16():
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed: NumPy has no bfloat16")
    a = np.ones((2, 2), ml_dtypes.bfloat16)
    for _ in range(2):
        assert gemm(a, a).tolist() == [[2, 2], [2, 2]]
        with pytest.raises(errors.Array, match="V2"):
            gemm(a.view("V2"), a.view("V2"))


def test_more_calls_than_are_remembered():
    for _ in range(2):
        for n in range(1, 150):
            assert einsum("i,i->", np.ones(n), np.ones(n)).item() == n


def test_threads_share_what_is_remembered():
    wrong = []

    def work(seed):
        rng = np.random.default_rng(seed)
        for _ in range(300):
            m, n, k = rng.integers(1, 6, 3)
            a, b = rng.integers(-4, 5, (m, k)).astype("f4"), rng.integers(-4, 5, (n, k)).astype("f4")
            if (gemm(a, b) != a @ b.T).any() or (einsum("mk,nk->nm", a, b) != b @ a.T).any():
                wrong.append((m, n, k))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not wrong
