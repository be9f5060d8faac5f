"""A product of matrices of which no device holds more than a part: planned by tilework, run by JAX on eight devices.

    pip install './crates/tilework-python[jax]'
    python crates/tilework-python/examples/distributed_gemm.py
"""

import os

# Eight devices of one processor. Where there are GPUs or TPUs, leave this out.
os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")

import jax
import numpy
from jax.sharding import NamedSharding, PartitionSpec as P

from tilework import jax as engine
from tilework.sharding import Contraction

M, K, N = 1024, 512, 768


def a(i, k):
    return (i + 3 * k) % 7 - 3.0


def b(k, n):
    return (2 * k + n) % 5 - 2.0


def made(entry, shape, sharding):
    """A sharded matrix of which each device computes its own block."""

    def block(index):
        rows, columns = (numpy.arange(*part.indices(extent)) for part, extent in zip(index, shape))
        return entry(rows[:, None], columns[None]).astype(numpy.float32)

    return jax.make_array_from_callback(shape, sharding, block)


def right(c):
    """Whether each block is that of the product, computed on its own."""
    for shard in c.addressable_shards:
        rows, columns = (numpy.arange(*part.indices(extent)) for part, extent in zip(shard.index, c.shape))
        inner = numpy.arange(K)
        block = a(rows[:, None], inner[None]) @ b(inner[:, None], columns[None])
        if not numpy.array_equal(numpy.asarray(shard.data), block):
            return False
    return True


def main():
    mesh = jax.make_mesh((2, 4), ("x", "y"))
    left = made(a, (M, K), NamedSharding(mesh, P("x", "y")))
    upper = made(b, (K, N), NamedSharding(mesh, P("y", "x")))
    operands = [engine.sharding(array.sharding, array.shape) for array in (left, upper)]
    plan = Contraction("mk,kn->mn", *operands, out="P(x, y)")
    print(plan.explain())
    product = engine.contraction(plan, mesh)(left, upper)
    assert product.sharding.spec == P("x", "y") and right(product)
    most = max(array.addressable_shards[0].data.nbytes for array in (left, upper, product))
    print(f"right on {len(jax.devices())} devices, of which none holds more than {most} of {product.nbytes} bytes of a matrix")


if __name__ == "__main__":
    main()
