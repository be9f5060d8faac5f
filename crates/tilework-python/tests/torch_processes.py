"""What `test_torch_engine.py` runs in each of four processes: results are compared with the whole tensor, by process."""

import faulthandler
import random
import sys
import tempfile
from datetime import timedelta
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
# A process that waits for another in vain fails: in one collective, and in one check.
WAIT, LIMIT = timedelta(seconds=60), 200


def tensor(*shape):
    return torch.arange(1.0, 1 + torch.Size(shape).numel()).reshape(shape)


def meshes():
    own = [Mesh(dp=2, tp=2), Mesh(x=4), Mesh("dp=2,tp=2:(1,2)"), Mesh("dp=2,tp=2:[2,0,3,1]"), Mesh("x=4:[2,0,3,1]"), Mesh(dp=4, one=1)]
    return [engine.device_mesh(mesh) for mesh in own]


def random_placements(rng, mesh, rank):
    kinds = [Replicate(), *(Shard(dimension) for dimension in range(rank)), *(Shard(dimension) for dimension in range(rank))]
    return [rng.choice(kinds) for _ in range(mesh.ndim)]


def local_of(whole, sharding, mesh):
    """What this process holds of a tensor, by the elements of the sharding and the ranks in PyTorch's groups."""
    device = 0
    for dimension, extent in enumerate(mesh.shape):
        device = device * extent + mesh.get_local_rank(dimension)
    return whole.reshape(-1)[torch.tensor(sharding.elements(device))].reshape(sharding.local_shape)


def unless_refused(mesh, act):
    """None where blocks do not divide each other, or are not even on a mesh that PyTorch's groups order in another way."""
    try:
        return act()
    except TileworkError as refused:
        assert refused.code in ("refinement", "inexpressible"), refused
    except ValueError as refused:
        assert "PyTorch's groups" in str(refused) and not is_ascending(mesh), refused


def is_ascending(mesh):
    """Whether PyTorch's groups have the ranks in the order of the mesh; where not, its own redistributions are wrong."""
    return all((mesh.mesh.diff(dim=dimension) > 0).all() for dimension in range(mesh.ndim))


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
            # One process along a dimension has all of it.
            divided = tuple(Replicate() if extent == 1 else own for extent, own in zip(mesh.shape, placements))
            assert engine.placements(own) == divided, (mesh, shape, placements)
            assert engine.redistribute(given, placements).placements == tuple(placements), (mesh, shape, placements)


def redistributions():
    """Each process has afterwards what PyTorch would give it."""
    uneven = 0
    for mesh in meshes():
        rng = random.Random(2)
        for _ in range(CASES):
            shape = [rng.choice([4, 8, 8, 6, 3]) for _ in range(rng.choice([1, 2, 3]))]
            before, after = (random_placements(rng, mesh, len(shape)) for _ in range(2))
            whole = tensor(*shape) % 97
            whole = whole % 2 > 0 if rng.randrange(4) == 0 else whole.to(rng.choice([torch.float64, torch.float32, torch.int64, torch.int8]))
            given = distribute_tensor(whole, mesh, before)
            moved = unless_refused(mesh, lambda: engine.redistribute(given, after))
            if moved is None:
                uneven += 1
                continue
            expected = distribute_tensor(whole, mesh, after)
            for own, other in [(moved, expected), (moved.to_local(), expected.to_local())]:
                assert (own.shape, own.dtype) == (other.shape, other.dtype) and own.is_contiguous(), (shape, before, after)
                assert own.stride() == torch.empty(own.shape).stride(), (own.stride(), shape, before, after)
            assert moved.placements == expected.placements
            assert torch.equal(moved.to_local(), expected.to_local()), (shape, before, after)
    assert uneven < 2 * CASES


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


def weights(rng, mesh, *shape):
    """The same random tensor on all processes, and how some of them hold it: divided, copied, or as parts of a sum."""
    whole = torch.tensor([rng.randrange(-4, 5) for _ in range(torch.Size(shape).numel())]).reshape(shape).double()
    return whole, held(rng, mesh, whole)


def held(rng, mesh, whole):
    for_sum = rng.randrange(mesh.ndim + 2)
    placements = random_placements(rng, mesh, whole.ndim)
    while unless_refused(mesh, lambda: engine.sharding(mesh, whole.shape, placements)) is None:
        placements = random_placements(rng, mesh, whole.ndim)
    if for_sum >= mesh.ndim:
        return distribute_tensor(whole, mesh, placements)
    # Of which all but one part is 0.
    given = distribute_tensor(whole, mesh, [Replicate() if dimension == for_sum else own for dimension, own in enumerate(placements)])
    local = given.to_local() * (mesh.get_coordinate()[for_sum] == 0)
    placements[for_sum] = Partial()
    return DTensor.from_local(local, mesh, placements, run_check=False, shape=given.shape, stride=given.stride())


def of_gradient(placements):
    return tuple(Replicate() if own.is_partial() else own for own in placements)


def gradients_of_redistributions():
    """The gradients are those that PyTorch's own redistribution has, whatever the placements of what comes back."""
    done, owed = 0, 0
    for mesh in meshes():
        rng = random.Random(5)
        for _ in range(CASES // 2):
            shape = [rng.choice([4, 8, 6, 5]) for _ in range(rng.choice([1, 2]))]
            (_, given), (weight, back) = weights(rng, mesh, *shape), weights(rng, mesh, *shape)
            after = random_placements(rng, mesh, len(shape))
            given.requires_grad_()
            moved = unless_refused(mesh, lambda: engine.redistribute(given, after))
            if moved is None:
                continue
            assert moved.requires_grad and moved.grad_fn is not None
            # The other processes of a mesh decide the same, since the shardings are the same.
            if unless_refused(mesh, lambda: moved.backward(back) or True) is None:
                continue
            assert torch.equal(given.grad.full_tensor(), weight), (mesh, shape, given.placements, after, back.placements)
            assert given.grad.placements == of_gradient(given.placements)
            if is_ascending(mesh):
                theirs = given.detach().requires_grad_()
                theirs.redistribute(placements=after).backward(distribute_tensor(weight, mesh, after))
                assert given.grad.placements == theirs.grad.placements and torch.equal(given.grad.to_local(), theirs.grad.to_local())
            done, owed = done + 1, owed + any(own.is_partial() for own in given.placements)
    assert done > 60 and owed > 10, (done, owed)


PRODUCTS = ["ij,jk->ik", "bij,bjk->bik", "ij,j->i", "ij,ij->", "i,j->ij", "ij,kj->ki", "ij->j", "ij", "ab,bc,cd->ad", "ij, jk"]


def gradients_of_products():
    """The gradients of all operands are those of the whole tensors, and so are those of the gradients."""
    done = 0
    for mesh in [meshes()[number] for number in (0, 1, 4)]:
        rng = random.Random(6)
        for _ in range(CASES // 2):
            spec = rng.choice(PRODUCTS)
            extents = {label: rng.choice([2, 4, 8]) for label in "abcdijk"}
            names = spec.replace(" ", "").split("->")[0].split(",")
            wholes, operands = zip(*(weights(rng, mesh, *(extents[label] for label in own)) for own in names))
            wanted = [rng.randrange(3) > 0 for _ in names]
            wholes = [whole.requires_grad_(own) for whole, own in zip(wholes, wanted)]
            for operand, own in zip(operands, wanted):
                operand.requires_grad_(own)
            result, expected = unless_refused(mesh, lambda: engine.einsum(spec, *operands)), torch.einsum(spec, *wholes)
            if result is None:
                continue
            assert torch.equal(result.full_tensor(), expected)
            assert result.requires_grad == any(wanted)
            if not any(wanted):
                continue
            weight, back = weights(rng, mesh, *result.shape)
            of = lambda all: [own for own, one in zip(all, wanted) if one]
            theirs = torch.autograd.grad(expected, of(wholes), weight, create_graph=True)
            ours = unless_refused(mesh, lambda: torch.autograd.grad(result, of(operands), back, create_graph=True))
            if ours is None:
                continue
            for own, other, operand in zip(ours, theirs, of(operands)):
                assert torch.equal(own.full_tensor(), other), (spec, [operand.placements for operand in operands])
                assert own.placements == of_gradient(operand.placements)
            # The gradient of a gradient, if that is not constant.
            if len(names) > 1 and all(wanted):
                second = [torch.autograd.grad(grads[0], of(all)[1], torch.ones_like(grads[0]))[0] for grads, all in [(theirs, wholes), (ours, operands)]]
                assert torch.equal(second[1].full_tensor(), second[0]), spec
            done += 1
    assert done > 50, done


def what_has_no_gradient():
    mesh = meshes()[0]
    owed = DTensor.from_local(tensor(4, 4), mesh, [Partial("max"), Replicate()], run_check=False).requires_grad_()
    square = distribute_tensor(tensor(4, 4), mesh, [Shard(0), Replicate()]).requires_grad_()
    plan = Redistribution(engine.sharding(mesh, (4, 4), [Shard(0), Replicate()]), engine.sharding(mesh, (4, 4), [Shard(1), Replicate()]))
    refused = [
        (lambda: engine.redistribute(owed, [Replicate(), Replicate()]), "the parts of a pending max have no gradient"),
        (lambda: engine.einsum("ij->j", owed), "the parts of a pending max have no gradient"),
        (lambda: engine.move(square.to_local(), plan, mesh), "parts are moved without gradients"),
        (lambda: engine.einsum("ii->i", square).sum().backward(), "has a label twice"),
        (lambda: engine.einsum("ij,ij->", square, distribute_tensor(tensor(4, 4), meshes()[3], [Replicate(), Replicate()])), "have to be on one"),
    ]
    for act, reason in refused:
        try:
            act()
        except ValueError as error:
            assert reason in str(error), error
        else:
            raise AssertionError(f"not refused: {reason}")
    with torch.no_grad():
        assert not engine.redistribute(owed, [Replicate(), Replicate()]).requires_grad
    assert engine.redistribute(owed.detach(), [Replicate(), Replicate()]).full_tensor().sum() == tensor(4, 4).sum()
    assert not engine.redistribute(square.detach(), [Shard(1), Replicate()]).requires_grad


def some_processes():
    """Meshes of some processes, in any order, one after another; the others come along, or do not."""
    rank = distributed.get_rank()
    for ranks in [[0, 1], [0, 1, 2], [2, 0, 1], [3, 1], [[2, 0], [3, 1]], [1, 3, 0, 2], [[0, 1, 2, 3]], [1]]:
        ranks = torch.tensor(ranks)
        mesh = engine.DeviceMesh("cpu", ranks)
        for come_along in [False, True]:
            if not come_along and rank not in ranks:
                continue
            for shape in [(12, 12), (5, 7)]:
                rng = random.Random(7)
                for _ in range(6):
                    whole = tensor(*shape)
                    before, after = (random_placements(rng, mesh, 2) for _ in range(2))
                    given = distribute_tensor(whole, mesh, before)
                    moved = unless_refused(mesh, lambda: engine.redistribute(given, after))
                    if moved is not None:
                        assert torch.equal(moved.to_local(), distribute_tensor(whole, mesh, after).to_local()), (ranks, before, after)
                product = unless_refused(mesh, lambda: engine.einsum("ij,kj->ik", given, given.detach().requires_grad_()))
                if product is not None and unless_refused(mesh, lambda: product.backward(product.detach()) or True) and rank in ranks:
                    assert torch.equal(product.full_tensor(), whole @ whole.T), (ranks, before)
                owed = DTensor.from_local(whole * (1 + ranks.flatten().tolist().index(rank) if rank in ranks else 1), mesh, [Partial()] * mesh.ndim, run_check=False)
                for target in [[Replicate()] * mesh.ndim, [Shard(0)] * mesh.ndim]:
                    moved = unless_refused(mesh, lambda: engine.redistribute(owed, target))
                    if moved is not None and rank in ranks:
                        expected = distribute_tensor(whole * sum(range(1, 1 + ranks.numel())), mesh, target)
                        assert torch.equal(moved.to_local(), expected.to_local())


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
    moved = engine.move(local_of(tensor(8, 8), half, device), Redistribution(half, columns), device)
    assert torch.equal(moved, local_of(tensor(8, 8), columns, device))
    plan = Contraction("ij,kj->ik", half, columns, out="P(x, None)")
    product = engine.contract([local_of(tensor(8, 8), own, device) for own in (half, columns)], plan, device)
    assert torch.equal(product, local_of(tensor(8, 8) @ tensor(8, 8).T, plan.result.target, device))


CHECKS = [
    there_and_back, redistributions, reductions, products, gradients_of_redistributions, gradients_of_products, what_has_no_gradient, some_processes,
    issue_129627, issue_166740, issue_167300, issue_174831, pull_178454, without_dtensors,
]


def work(rank, path, names):
    distributed.init_process_group("gloo", init_method=f"file://{path}", rank=rank, world_size=PROCESSES, timeout=WAIT)
    torch.set_num_threads(1)
    for name in names:
        faulthandler.dump_traceback_later(LIMIT, exit=True)
        globals()[name]()
        faulthandler.cancel_dump_traceback_later()
        if rank == 0:
            print("right:", name, flush=True)
    distributed.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        names = sys.argv[1:] or [check.__name__ for check in CHECKS]
        multiprocessing.start_processes(work, (str(Path(directory) / "store"), names), PROCESSES, start_method="fork")
