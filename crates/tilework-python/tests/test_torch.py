"""Arrays of PyTorch and JAX, where they are installed."""

import numpy as np
import pytest

from tilework import Tensor, copy, einsum, errors, gemm


def test_torch():
    torch = pytest.importorskip("torch")
    a = torch.arange(24.0).reshape(4, 6)
    t = Tensor(a.T)
    assert str(t.layout) == "(6,4):(1,6)" and t.dtype == "float32" and t[5, 3] == 23
    t[0, 0] = 7
    assert a[0, 0] == 7
    back = torch.from_dlpack(t)
    back[0, 1] = -1
    assert a[1, 0] == -1 and back.shape == (6, 4)
    c = torch.zeros(4, 4)
    assert gemm(a, a, c) is c
    assert torch.allclose(c, a @ a.T)
    half = a.to(torch.bfloat16)
    assert Tensor(half).dtype == "bfloat16" and Tensor(half)[1, 1] == 7
    sums = torch.zeros(4, 4, dtype=torch.bfloat16)
    einsum("mk,nk->mn", half, half, out=sums)
    assert torch.allclose(sums.float(), half.float() @ half.float().T, rtol=0.02)
    target = torch.empty(6, 4, dtype=torch.bfloat16)
    copy(half.T, target)
    assert torch.equal(target, half.T)
    with pytest.raises(errors.Array, match="NumPy"):
        np.asarray(Tensor(half))
    assert torch.equal(torch.from_dlpack(Tensor(half)), half)
    with pytest.raises((errors.Array, BufferError, RuntimeError)):
        Tensor(torch.zeros(2, requires_grad=True))


def test_jax():
    numpy = pytest.importorskip("jax.numpy")
    a = numpy.arange(24.0).reshape(4, 6)
    t = Tensor(a)
    assert t.shape == (4, 6) and t[2, 3] == 15
    with pytest.raises(errors.Array, match="read-only"):
        t[0, 0] = 1
    assert np.allclose(gemm(a, a), np.asarray(a) @ np.asarray(a).T)
