"""What `test_torch_engine.py` runs in each of four processes: results are compared with the whole tensor, by process."""

import random
import sys
import tempfile
from pathlib import Path

import torch
from torch import distributed, multiprocessing
from torch.distributed.tensor import DTensor, Partial, Replicate, Shard, distribute_tensor
from torch.distributed.tensor.placement_types import _StridedShard

from tilework import TileworkError
from tilework import torch as engine
from tilework.sharding import Contraction, Mesh, Redistribution, Sharding

PROCESSES = 4
CASES = 60


def tensor(*shape):
    return torch.arange(1.0, 1 + torch.Size(shape).numel()).reshape(shape)


def meshes():
    return [engine.device_mesh(mesh) for mesh in [Mesh(dp=2, tp=2), Mesh(x=4), Mesh("dp=2,tp=2:(1,2)")]]


def random_placements(rng, mesh, rank):
    kinds = [Replicate(), *(Shard(dimension) for dimension in range(rank)), *(Shard(dimension) for dimension in range(rank))]
    return [rng.choice(kinds) for _ in range(mesh.ndim)]


def local_of(whole, sharding, mesh):
    """What this process holds of a tensor, by the elements of the sharding."""
    device = mesh.mesh.flatten().tolist().index(distributed.get_rank())
    return whole.reshape(-1)[torch.tensor(sharding.elements(device))].reshape(sharding.local_shape)


def there_and_back():
    """What PyTorch distributes is what the sharding says, and the placements come back."""
    for mesh in meshes():
        rng = random.Random(1)
        for _ in range(CASES):
            shape = [rng.choice([4, 8, 12]) for _ in range(rng.choice([1, 2, 3]))]
            placements = random_placements(rng, mesh, len(shape))
            own = engine.sharding(mesh, shape, placements)
            given = distribute_tensor(tensor(*shape), mesh, placements)
            assert torch.equal(given.to_local(), local_of(tensor(*shape), own, mesh)), (mesh, shape, placements)
            assert engine.placements(own) == tuple(placements), (mesh, shape, placements)


def redistributions():
    """Each process has afterwards what PyTorch would give it."""
    uneven = 0
    for mesh in meshes()[:2]:
        rng = random.Random(2)
        for _ in range(CASES):
            shape = [rng.choice([4, 8, 8, 6]) for _ in range(rng.choice([1, 2, 3]))]
            before, after = (random_placements(rng, mesh, len(shape)) for _ in range(2))
            given = distribute_tensor(tensor(*shape), mesh, before)
            try:
                moved = engine.redistribute(given, after)
            except TileworkError as refused:
                assert refused.code in ("refinement", "inexpressible"), refused
                uneven += 1
                continue
            expected = distribute_tensor(tensor(*shape), mesh, after)
            assert moved.placements == expected.placements and moved.shape == expected.shape
            assert torch.equal(moved.to_local(), expected.to_local()), (shape, before, after)
    assert uneven < CASES


def reductions():
    mesh = meshes()[0]
    rank = distributed.get_rank()
    parts = [tensor(4, 8) * (device + 1) for device in range(PROCESSES)]
    for name, reduce in {"sum": torch.sum, "max": torch.amax, "min": torch.amin, "product": torch.prod}.items():
        owed = DTensor.from_local(parts[rank], mesh, [Partial(name), Partial(name)], run_check=False)
        stack = torch.stack(parts)
        expected = stack.prod(0) if reduce is torch.prod else reduce(stack, dim=0)
        for target in [[Replicate(), Replicate()], [Shard(0), Shard(1)], [Shard(1), Replicate()], [Shard(0), Shard(0)]]:
            moved = engine.redistribute(owed, target)
            assert torch.equal(moved.full_tensor(), expected), (name, target)


def products():
    mesh = meshes()[0]
    rng = random.Random(3)
    a, b = tensor(8, 4) % 7, tensor(4, 12) % 5
    for _ in range(CASES // 2):
        placements = [random_placements(rng, mesh, 2) for _ in range(3)]
        left, right = (distribute_tensor(own, mesh, way) for own, way in zip([a, b], placements))
        for out in [placements[2], None]:
            result = engine.einsum("ij,jk->ik", left, right, out=out)
            assert torch.equal(result.full_tensor(), a @ b), placements
            assert out is None or result.placements == tuple(out)
    owed = DTensor.from_local(a, mesh, [Partial(), Replicate()], run_check=False)
    assert torch.equal(engine.einsum("ij,jk->ik", owed, distribute_tensor(b, mesh, [Replicate(), Shard(1)])).full_tensor(), 2 * a @ b)


def issue_129627():
    """Fully sharded data parallelism of what tensor parallelism has divided: the whole tensor comes back in order."""
    mesh = meshes()[0]
    given = distribute_tensor(tensor(16, 4), mesh, [_StridedShard(0, split_factor=2), Shard(0)])
    own = engine.sharding(mesh, (16, 4), given.placements)
    assert own.to("jax") == "PartitionSpec(('tp', 'dp'), None)"
    assert torch.equal(given.to_local(), local_of(tensor(16, 4), own, mesh))
    assert torch.equal(engine.redistribute(given, [Replicate(), Replicate()]).to_local(), tensor(16, 4))


def issue_166740():
    """From strided shards to shards in the order of the mesh, and back."""
    mesh = meshes()[0]
    strided, plain = [_StridedShard(0, split_factor=2), Shard(0)], [Shard(0), Shard(0)]
    given = distribute_tensor(tensor(16, 4), mesh, strided)
    moved = engine.redistribute(given, plain)
    assert torch.equal(moved.to_local(), distribute_tensor(tensor(16, 4), mesh, plain).to_local())
    back = engine.redistribute(moved, strided)
    assert torch.equal(back.to_local(), given.to_local()) and back.placements == given.placements


def issue_167300():
    """One axis alone is gathered: the other keeps its rows, which lie apart then."""
    mesh = meshes()[0]
    given = distribute_tensor(tensor(16, 4), mesh, [Shard(0), Shard(0)])
    target = engine.sharding(mesh, (16, 4), [Replicate(), _StridedShard(0, split_factor=2)])
    moved = engine.redistribute(given, target)
    rows = tensor(16, 4).reshape(2, 2, 4, 4)[:, mesh.get_coordinate()[1]].reshape(8, 4)
    assert torch.equal(moved.to_local(), rows)
    plan = Redistribution(engine.sharding(mesh, (16, 4), given.placements), target)
    assert [step.collective for step in plan.steps] == ["all-gather"]


def issue_174831():
    """Each order of the axes is a sharding of its own: as many as there are, all different and all told apart."""
    mesh = meshes()[0]
    ways = [[Shard(0), Shard(0)], [_StridedShard(0, split_factor=2), Shard(0)]]
    first, second = (engine.sharding(mesh, (8, 4), way) for way in ways)
    assert first != second and [engine.placements(own) for own in (first, second)] == [tuple(way) for way in ways]
    assert [own.to("jax") for own in (first, second)] == ["PartitionSpec(('dp', 'tp'), None)", "PartitionSpec(('tp', 'dp'), None)"]


def pull_178454():
    """A view is the composition: what each process holds of the flat tensor is what it held before."""
    mesh = meshes()[0]
    own = engine.sharding(mesh, (8, 8), [Shard(0), Shard(1)])
    flat = own.reshape((64,))
    assert engine.placements(flat) == (Shard(0), _StridedShard(0, split_factor=4))
    given = distribute_tensor(tensor(8, 8), mesh, [Shard(0), Shard(1)])
    assert torch.equal(given.to_local().reshape(-1), local_of(tensor(64), flat, mesh))
    assert flat.reshape((8, 8)) == own
    # A piece that would be divided on the way is refused, not moved without a word.
    try:
        engine.sharding(mesh, (2, 9), [Shard(0), Replicate()]).reshape((3, 6))
    except TileworkError as refused:
        assert refused.code == "refinement", refused
    else:
        raise AssertionError("rows of 6 do not divide a piece of 9")


def without_dtensors():
    """Shardings of which no placements say all: a part of an axis, and a matrix that no single process holds."""
    mesh = Mesh(x=4)
    half = Sharding(mesh, (8, 8), "{devices=[2,1,2]<=[4] last_tile_dim_replicate}")
    columns = Sharding(mesh, (8, 8), "P(None, x)")
    device = engine.device_mesh(mesh)
    moved = engine.move(local_of(tensor(8, 8), half, device), Redistribution(half, columns))
    assert torch.equal(moved, local_of(tensor(8, 8), columns, device))
    plan = Contraction("ij,kj->ik", half, columns, out="P(x, None)")
    product = engine.contract([local_of(tensor(8, 8), own, device) for own in (half, columns)], plan)
    assert torch.equal(product, local_of(tensor(8, 8) @ tensor(8, 8).T, plan.result.target, device))


CHECKS = [there_and_back, redistributions, reductions, products, issue_129627, issue_166740, issue_167300, issue_174831, pull_178454, without_dtensors]


def work(rank, path, names):
    distributed.init_process_group("gloo", init_method=f"file://{path}", rank=rank, world_size=PROCESSES)
    torch.set_num_threads(1)
    for name in names:
        globals()[name]()
        if rank == 0:
            print("right:", name, flush=True)
    distributed.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        names = sys.argv[1:] or [check.__name__ for check in CHECKS]
        multiprocessing.start_processes(work, (str(Path(directory) / "store"), names), PROCESSES, start_method="fork")
