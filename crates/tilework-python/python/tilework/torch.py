"""Shardings and plans run by PyTorch: placements of DTensors, and collectives of `torch.distributed`.

A program of four processes, as `torchrun --nproc-per-node 4` starts them:

    import torch
    from torch.distributed.tensor import Replicate, Shard, distribute_tensor
    from tilework import torch as engine
    from tilework.sharding import Mesh

    mesh = engine.device_mesh(Mesh(dp=2, tp=2))
    rows = distribute_tensor(torch.arange(64.0).reshape(8, 8), mesh, [Shard(0), Shard(0)])
    columns = engine.redistribute(rows, [Shard(1), Replicate()])
    products = engine.einsum("ij,jk->ik", rows, columns, out=[Shard(0), Shard(1)])

Device `k` of a mesh is the `k`-th rank of the `DeviceMesh`, its last dimension fastest. A sharding that placements
cannot express, such as one in which part of an axis divides a dimension, is run by `move` and `contract` on the processes' tensors.
"""

import functools
import itertools
import re

import torch
from torch import distributed
from torch.distributed import tensor as dtensor
from torch.distributed.device_mesh import DeviceMesh
from torch.distributed.tensor import DTensor, Partial, Replicate, Shard
from torch.distributed.tensor.placement_types import _StridedShard

from .sharding import Contraction, Mesh, Redistribution, Sharding

__all__ = ["contract", "device_mesh", "einsum", "mesh", "move", "placements", "redistribute", "sharding"]


def mesh(device_mesh):
    """The mesh of a `DeviceMesh`; dimensions without names are `d0`, `d1` and so on."""
    names = device_mesh.mesh_dim_names or [f"d{dimension}" for dimension in range(device_mesh.ndim)]
    return Mesh(**dict(zip(names, device_mesh.shape)))


def device_mesh(mesh, device_type="cpu"):
    """The `DeviceMesh` of a mesh, whose devices are the ranks."""
    extents = tuple(mesh.axes.values())
    ranks = [mesh.device(at) for at in itertools.product(*map(range, extents))]
    return DeviceMesh(device_type, torch.tensor(ranks).reshape(extents), mesh_dim_names=tuple(mesh.axes))


def placements(sharding):
    """The placements of a sharding, one per axis of its mesh.

    >>> from tilework import torch as engine
    >>> from tilework.sharding import Mesh, Sharding
    >>> engine.placements(Sharding(Mesh(dp=4, tp=2), (16, 8), "P((tp, dp), None)"))
    (_StridedShard(dim=0, sf=2), Shard(dim=0))
    """
    return tuple(_placement(name, *arguments.split(", ")) for name, arguments in re.findall(r"(\w+)\((.*?)\)", sharding.to("pytorch")))


def sharding(device_mesh, shape, placements):
    """The sharding of tensors of a shape with placements on a `DeviceMesh`, or on a mesh of `tilework.sharding`.

    >>> from torch.distributed.tensor import Replicate, Shard
    >>> from tilework import torch as engine
    >>> from tilework.sharding import Mesh
    >>> engine.sharding(Mesh(dp=2, tp=2), (8, 8), [Shard(0), Replicate()])
    <Sharding [8, 8] ((2,2),(4,8)):((4@0,0),(1@0,1@1)) on dp=2,tp=2>
    """
    own = device_mesh if isinstance(device_mesh, Mesh) else mesh(device_mesh)
    return Sharding(own, tuple(shape), _text(placements))


def redistribute(tensor, target):
    """The DTensor in another sharding of its mesh, by the plan from its own: a `Sharding`, or placements."""
    source = _sharding_of(tensor)
    if not isinstance(target, Sharding):
        target = Sharding(source.mesh, source.shape, _text(target))
    local = move(_local(tensor, source), _redistribution(source, target), _ranks(tensor.device_mesh))
    return _tensor(local, target, tensor.device_mesh)


def einsum(spec, *tensors, out=None):
    """The einsum of DTensors on one mesh, by the plan that moves the fewest bytes. `out` is a `Sharding` or placements; by default
    the cheapest sharding.""" 
    sources = tuple(_sharding_of(tensor) for tensor in tensors)
    plan = _contraction(spec, sources, out if out is None or isinstance(out, Sharding) else _text(out))
    device_mesh = tensors[0].device_mesh
    locals = [_local(tensor, source) for tensor, source in zip(tensors, sources)]
    return _tensor(contract(locals, plan, _ranks(device_mesh)), plan.result.target, device_mesh)


def move(local, plan, ranks=None):
    """The part of this process after a redistribution. `local` is its part before, of the shape `plan.source.local_shape`. Device `k` of
    the mesh is rank `k`, or `ranks[k]`."""
    ranks = range(plan.target.mesh.size) if ranks is None else ranks
    device = ranks.index(distributed.get_rank())
    exchanges = plan.exchanges
    if exchanges is None:
        return _by_messages(local, plan, device, ranks)
    for exchange in exchanges:
        local = _exchange(local, exchange, device, ranks)
    if not plan.target.is_even:
        # Elements past the end of a block become 0.
        held = torch.tensor(plan.target.elements(device)).reshape(local.shape) >= 0
        local = torch.where(held, local, 0)
    return local


def contract(locals, plan, ranks=None):
    """This process's part of an einsum, from its part of each operand."""
    moved = [move(local, way, ranks) for local, way in zip(locals, plan.operands, strict=True)]
    return move(torch.einsum(plan.spec, *moved), plan.result, ranks)


def _placement(name, *arguments):
    kind = {"Shard": Shard, "Replicate": Replicate, "Partial": Partial, "_StridedShard": _StridedShard}[name]
    if kind is _StridedShard:
        return _StridedShard(int(arguments[0]), split_factor=int(arguments[1].removeprefix("sf=")))
    return kind(*(int(own) if own.isdigit() else own for own in arguments if own))


def _text(placements):
    return f"[{', '.join(map(repr, placements))}]"


def _ranks(device_mesh):
    return device_mesh.mesh.flatten().tolist()


def _sharding_of(tensor):
    return sharding(tensor.device_mesh, tensor.shape, tensor.placements)


@functools.lru_cache(maxsize=1024)
def _redistribution(source, target):
    return Redistribution(source, target)


@functools.lru_cache(maxsize=1024)
def _contraction(spec, sources, out):
    return Contraction(spec, *sources, out=out)


def _own(sharding, device_mesh):
    """A mask of the local indices that are elements, for blocks of unequal size."""
    device = _ranks(device_mesh).index(distributed.get_rank())
    return torch.tensor(sharding.elements(device)) >= 0


def _local(tensor, sharding):
    """The local part of a DTensor, padded to the shape that all processes have."""
    local = tensor.to_local()
    if sharding.is_even:
        return local
    filled = local.new_zeros(sharding.local_shape)
    filled.view(-1)[_own(sharding, tensor.device_mesh)] = local.reshape(-1)
    return filled


def _tensor(local, sharding, device_mesh):
    if sharding.is_even:
        return DTensor.from_local(local, device_mesh, placements(sharding), run_check=False)
    tensor = dtensor.empty(sharding.shape, dtype=local.dtype, device_mesh=device_mesh, placements=placements(sharding))
    tensor.to_local().view(-1).copy_(local.reshape(-1)[_own(sharding, device_mesh)])
    return tensor


def _exchange(local, exchange, device, ranks):
    if exchange.filled is not None:
        held, filled = exchange.filled
        longer = local.new_zeros(filled)
        longer[tuple(map(slice, held))] = local.reshape(held)
        local = longer
    shape, order = exchange.before
    local = local.reshape(shape).permute(order).reshape(exchange.parts, -1).contiguous()
    if exchange.pairs:
        source = next(source for source, target in exchange.pairs if target == device)
        target = next(target for source, target in exchange.pairs if source == device)
        if source != device:
            received = torch.empty_like(local)
            _send([(local, ranks[target])], [(received, ranks[source])])
            local = received
    for group in exchange.groups:
        if device in group:
            local = _collective(local, exchange, group.index(device), tuple(ranks[member] for member in group))
    shape, order = exchange.after
    local = local.reshape(shape).permute(order)
    if exchange.cut is not None:
        filled, held = exchange.cut
        local = local.reshape(filled)[tuple(map(slice, held))]
    return local.reshape(exchange.shape)


def _collective(parts, exchange, member, ranks):
    if exchange.reduction is None and not exchange.joins:
        return parts[member]
    group = _group(ranks, distributed.group.WORLD)
    if exchange.reduction is not None:
        reduce = getattr(distributed.ReduceOp, exchange.reduction.upper())
        if exchange.parts == 1:
            reduced = parts.clone()
            distributed.all_reduce(reduced, reduce, group)
        else:
            reduced = parts.new_empty(parts.shape[1])
            distributed.reduce_scatter_tensor(reduced, parts.view(-1), reduce, group)
        return reduced
    joined = parts.new_empty(len(ranks) * parts.numel() // exchange.parts)
    if exchange.parts == 1:
        distributed.all_gather_into_tensor(joined, parts.view(-1), group)
    else:
        distributed.all_to_all_single(joined, parts.view(-1), group=group)
    return joined


@functools.lru_cache(maxsize=1024)
def _group(ranks, world):
    # Only its members create it. `world` is in the key because a new world needs new groups.
    return distributed.new_group(ranks, use_local_synchronization=True)


def _send(sent, received):
    operations = [distributed.P2POp(distributed.isend, tensor, rank) for tensor, rank in sent]
    operations += [distributed.P2POp(distributed.irecv, tensor, rank) for tensor, rank in received]
    for work in distributed.batch_isend_irecv(operations) if operations else []:
        work.wait()


def _by_messages(local, plan, device, ranks):
    if plan.settling is not None:
        local = move(local, plan.settling, ranks)
    elif plan.source.owed != plan.target.owed:
        raise ValueError(f"the parts are partial results along {', '.join(plan.source.owed)}, and messages between devices only move elements: reduce them first")
    flat, kept = local.reshape(-1), local.new_zeros(plan.target.local_shape)
    sent, received, puts = [], [], []
    for other in range(len(ranks)):
        going, coming = plan.message(device, other), plan.message(other, device)
        if other == device:
            if going is not None:
                take, put = going.offsets()
                kept.view(-1)[put] = flat[take]
            continue
        if going is not None:
            sent.append((flat[going.offsets()[0]], ranks[other]))
        if coming is not None:
            put = coming.offsets()[1]
            received.append((local.new_empty(len(put)), ranks[other]))
            puts.append(put)
    _send(sent, received)
    for put, (values, _) in zip(puts, received):
        kept.view(-1)[put] = values
    return kept
