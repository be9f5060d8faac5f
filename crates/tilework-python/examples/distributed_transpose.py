"""The transposition of a matrix of which no device holds more than a part: planned by tilework, run by JAX on eight devices.

    pip install './crates/tilework-python[jax]'
    python crates/tilework-python/examples/distributed_transpose.py

Each device transposes its own block, which then lies on the wrong device: that of the transposed coordinates. So a transposition
is a redistribution, and the plan says what moves.
"""

import os

# Eight devices of one processor. Where there are GPUs or TPUs, leave this out.
os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")

import jax
import numpy
from jax.sharding import NamedSharding, PartitionSpec as P

from tilework import jax as engine
from tilework.sharding import Redistribution

M, N = 1024, 512


def made(shape, sharding):
    """A sharded matrix of the numbers of its elements, of which each device computes its own block."""

    def block(index):
        rows, columns = (numpy.arange(*part.indices(extent)) for part, extent in zip(index, shape))
        return rows[:, None] * shape[1] + columns[None]

    return jax.make_array_from_callback(shape, sharding, block)


def right(transposed):
    for shard in transposed.addressable_shards:
        rows, columns = (numpy.arange(*part.indices(extent)) for part, extent in zip(shard.index, transposed.shape))
        if not numpy.array_equal(numpy.asarray(shard.data), columns[None] * N + rows[:, None]):
            return False
    return True


def main():
    mesh = jax.make_mesh((2, 4), ("x", "y"))
    matrix = made((M, N), NamedSharding(mesh, P("x", "y")))
    transposed = engine.sharding(matrix.sharding, matrix.shape).transpose([1, 0])
    plan = Redistribution(transposed, engine.sharding(NamedSharding(mesh, P("x", "y")), (N, M)))
    print(f"each block transposed is held by {transposed.to('jax')}")
    for step in plan.steps or []:
        print(f"{step}; {step.received * matrix.dtype.itemsize} bytes to a device")
    if plan.steps is None:
        most = max(map(plan.received, range(plan.target.mesh.size)))
        print(f"messages; {most * matrix.dtype.itemsize} bytes to a device, and no collectives that move less")
    transposed = jax.jit(lambda array: engine.redistribution(plan, mesh)(array.T))(matrix)
    assert transposed.sharding.spec == P("x", "y") and right(transposed)
    print(f"right on {len(jax.devices())} devices, each with {transposed.addressable_shards[0].data.nbytes} of {transposed.nbytes} bytes")


if __name__ == "__main__":
    main()
