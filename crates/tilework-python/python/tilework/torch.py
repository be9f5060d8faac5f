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

The device of a mesh at a coordinate is the rank of the `DeviceMesh` there. A sharding that placements cannot express, such as one in
which part of an axis divides a dimension, is run by `move` and `contract` on the processes' tensors.

Gradients of DTensors move back by the plan from the target to the source. The parts of a sum all have the gradient of the sum; those of
another pending reduction have none.
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
    _check_gradients(tensor)
    way = placements(target) if isinstance(target, Sharding) else tuple(target)
    return _Redistribute.apply(tensor, target if isinstance(target, Sharding) else sharding(tensor.device_mesh, tensor.shape, way), way)


def einsum(spec, *tensors, out=None):
    """The einsum of DTensors on one mesh, by the plan that moves the fewest bytes. `out` is a `Sharding` or placements; by default
    the cheapest sharding."""
    _check_gradients(*tensors)
    if any(tensor.device_mesh != tensors[0].device_mesh for tensor in tensors):
        raise ValueError(f"the operands are on the meshes {', '.join(str(tensor.device_mesh) for tensor in tensors)}, and have to be on one")
    plan = _contraction(spec, tuple(map(_sharding_of, tensors)), out if out is None or isinstance(out, Sharding) else _text(out))
    way = placements(plan.result.target) if out is None or isinstance(out, Sharding) else tuple(out)
    return _Einsum.apply(plan, way, *tensors)


def move(local, plan, device_mesh):
    """The part of this process after a redistribution, without gradients. `local` is its part before, of the shape
    `plan.source.local_shape`. The device of the plan's mesh at a coordinate is the rank of `device_mesh` there."""
    return _move(local, plan, device_mesh, _ranks(device_mesh, plan.target.mesh))


def contract(locals, plan, device_mesh):
    """This process's part of an einsum, from its part of each operand, without gradients."""
    return _contract(locals, plan, device_mesh, _ranks(device_mesh, plan.result.target.mesh))


def _move(local, plan, device_mesh, ranks):
    if local.requires_grad and torch.is_grad_enabled():
        raise ValueError("parts are moved without gradients, which those of DTensors have in `redistribute` and `einsum`: detach this one")
    if distributed.get_rank() not in ranks:
        return local
    device = ranks.index(distributed.get_rank())
    exchanges = plan.exchanges
    if exchanges is None:
        return _by_messages(local, plan, device, device_mesh, ranks)
    for exchange in exchanges:
        local = _exchange(local, exchange, device, device_mesh, ranks)
    if not plan.target.is_even:
        # Elements past the end of a block become 0.
        local = local.masked_fill(~_own(plan.target, device, local.device).reshape(local.shape), 0)
    return local.contiguous()


def _contract(locals, plan, device_mesh, ranks):
    if distributed.get_rank() not in ranks:
        return locals[0]
    moved = [_move(local, way, device_mesh, ranks) for local, way in zip(locals, plan.operands, strict=True)]
    return _move(torch.einsum(plan.spec, *moved), plan.result, device_mesh, ranks)


class _Redistribute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, tensor, target, way):
        ctx.way, source = _of_gradient(tensor), _sharding_of(tensor)
        local = _move(_local(tensor, source), _redistribution(source, target), tensor.device_mesh, _data_ranks(tensor.device_mesh))
        return _tensor(local, target, tensor.device_mesh, way)

    @staticmethod
    def backward(ctx, gradient):
        return redistribute(gradient, ctx.way), None, None


class _Einsum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, plan, way, *tensors):
        ctx.spec = plan.spec
        ctx.save_for_backward(*tensors)
        device_mesh = tensors[0].device_mesh
        locals = [_local(tensor, own.source) for tensor, own in zip(tensors, plan.operands)]
        return _tensor(_contract(locals, plan, device_mesh, _data_ranks(device_mesh)), plan.result.target, device_mesh, way)

    @staticmethod
    def backward(ctx, gradient):
        operands = list(zip(_labels(ctx.spec), [*ctx.saved_tensors, gradient]))
        return None, None, *(_gradient(operands, number) if needed else None for number, needed in enumerate(ctx.needs_input_grad[2:]))


def _gradient(operands, number):
    """The gradient of an operand of an einsum, as an einsum of the gradient of the result, the last of the operands, and of the others."""
    labels, tensor = operands[number]
    if len(set(labels)) < len(labels):
        raise ValueError(f"the operand `{labels}` of an einsum has a label twice, and no gradient here: take its diagonal first")
    others = [(own, other.conj()) for own, other in operands[:number] + operands[number + 1 : -1]] + operands[-1:]
    # Along a label that is only summed, all elements have the same gradient.
    for label, extent in zip(labels, tensor.shape):
        if not any(label in own for own, _ in others):
            ones = dtensor.ones(extent, dtype=tensor.dtype, device_mesh=tensor.device_mesh, placements=[Replicate()] * tensor.device_mesh.ndim)
            others.append((label, ones))
    return einsum(f"{','.join(own for own, _ in others)}->{labels}", *(other for _, other in others), out=_of_gradient(tensor))


def _labels(spec):
    """The labels of each operand, and of the result."""
    names, arrow, output = "".join(spec.split()).partition("->")
    once = [label for label in sorted(set(names) - {","}) if names.count(label) == 1]
    return [*names.split(","), output if arrow else "".join(once)]


def _check_gradients(*tensors):
    for tensor in tensors:
        owed = [own.reduce_op for own in tensor.placements if own.is_partial() and own.reduce_op != "sum"]
        if owed and tensor.requires_grad and torch.is_grad_enabled():
            raise ValueError(f"the parts of a pending {owed[0]} have no gradient here: detach the tensor, or reduce it before")


def _of_gradient(tensor):
    """The placements of the gradient of a tensor: the parts of a sum all have that of the sum."""
    return tuple(Replicate() if own.is_partial() else own for own in tensor.placements)


def _placement(name, *arguments):
    kind = {"Shard": Shard, "Replicate": Replicate, "Partial": Partial, "_StridedShard": _StridedShard}[name]
    if kind is _StridedShard:
        return _StridedShard(int(arguments[0]), split_factor=int(arguments[1].removeprefix("sf=")))
    return kind(*(int(own) if own.isdigit() else own for own in arguments if own))


def _text(placements):
    return f"[{', '.join(map(repr, placements))}]"


@functools.lru_cache(maxsize=1024)
def _ranks(device_mesh, mesh):
    """The ranks of the devices of a mesh."""
    extents = tuple(mesh.axes.values())
    if tuple(device_mesh.shape) != extents:
        raise ValueError(f"the plan is for the mesh {mesh}, and the DeviceMesh has the shape {tuple(device_mesh.shape)}")
    return [int(device_mesh.mesh[mesh.coordinate(device)]) for device in range(mesh.size)]


@functools.lru_cache(maxsize=1024)
def _data_ranks(device_mesh):
    """The ranks of the devices as DTensors have their data: PyTorch's groups order the ranks along a dimension by number, whatever the
    order of the mesh."""
    mesh = device_mesh.mesh
    coordinates = [mesh.argsort(dimension).argsort(dimension) for dimension in range(mesh.ndim)]
    placed = torch.full_like(mesh, -1)
    placed[tuple(coordinates)] = mesh
    if (placed < 0).any():
        raise ValueError(f"PyTorch's groups order the ranks along a dimension by number, and in the mesh {mesh.tolist()} two then have one place")
    return placed.flatten().tolist()


def _uneven(sharding, device_mesh):
    """A mask of this process's local indices that are elements, for blocks of unequal size; None for a process outside of the mesh."""
    ranks = _data_ranks(device_mesh)
    if ranks != device_mesh.mesh.flatten().tolist():
        mesh = device_mesh.mesh.tolist()
        raise ValueError(f"PyTorch's groups order the ranks along a dimension by number, and blocks of unequal size by the mesh {mesh}: give it ascending ranks")
    rank = distributed.get_rank()
    return _own(sharding, ranks.index(rank), device_mesh.device_type) if rank in ranks else None


def _sharding_of(tensor):
    return sharding(tensor.device_mesh, tensor.shape, tensor.placements)


@functools.lru_cache(maxsize=1024)
def _redistribution(source, target):
    return Redistribution(source, target)


@functools.lru_cache(maxsize=1024)
def _contraction(spec, sources, out):
    return Contraction(spec, *sources, out=out)


def _own(sharding, device, on):
    return torch.tensor(sharding.elements(device), device=on) >= 0


def _local(tensor, sharding):
    """The local part of a DTensor, padded to the shape that all processes have."""
    local = tensor.to_local().resolve_conj()
    if sharding.is_even or (own := _uneven(sharding, tensor.device_mesh)) is None:
        return local
    filled = local.new_zeros(sharding.local_shape)
    filled.view(-1)[own] = local.reshape(-1)
    return filled


def _tensor(local, sharding, device_mesh, way):
    if sharding.is_even:
        stride = torch.empty(sharding.shape, device="meta").stride()
        return DTensor.from_local(local, device_mesh, way, run_check=False, shape=torch.Size(sharding.shape), stride=stride)
    tensor = dtensor.empty(sharding.shape, dtype=local.dtype, device_mesh=device_mesh, placements=way)
    if (own := _uneven(sharding, device_mesh)) is not None:
        tensor.to_local().view(-1).copy_(local.reshape(-1)[own])
    return tensor


def _exchange(local, exchange, device, device_mesh, ranks):
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
            local = _collective(local, exchange, [ranks[member] for member in group], device_mesh)
    shape, order = exchange.after
    local = local.reshape(shape).permute(order)
    if exchange.cut is not None:
        filled, held = exchange.cut
        local = local.reshape(filled)[tuple(map(slice, held))]
    return local.reshape(exchange.shape)


def _collective(parts, exchange, ranks, device_mesh):
    own = ranks.index(distributed.get_rank())
    if exchange.reduction is None and not exchange.joins:
        return parts[own]
    group, order = _group(ranks, device_mesh)
    if exchange.reduction is not None:
        reduce = getattr(distributed.ReduceOp, exchange.reduction.upper())
        if exchange.parts == 1:
            reduced = parts.clone()
            distributed.all_reduce(reduced, reduce, group)
        else:
            reduced = torch.empty_like(parts[own])
            distributed.reduce_scatter_tensor(reduced, parts[order].view(-1), reduce, group)
        return reduced
    joined = parts.new_empty(len(ranks), parts.shape[1])
    if group is None:
        sent = parts.expand(len(ranks), -1)
        joined[own] = sent[own]
        others = [(member, rank) for member, rank in enumerate(ranks) if member != own]
        _send([(sent[member], rank) for member, rank in others], [(joined[member], rank) for member, rank in others])
        return joined
    if exchange.parts == 1:
        distributed.all_gather_into_tensor(joined.view(-1), parts.view(-1), group)
    else:
        distributed.all_to_all_single(joined, parts[order], group=group)
    return joined[torch.tensor(order).argsort()]


def _group(ranks, device_mesh):
    """The group of these ranks that the mesh has, and their order in it; a reduction along an axis of the mesh always has one. No group is
    made, since for that all processes would have to come here, in the same order."""
    for dimension in range(device_mesh.ndim):
        group = device_mesh.get_group(dimension)
        members = distributed.get_process_group_ranks(group)
        if sorted(members) == sorted(ranks):
            return group, [ranks.index(member) for member in members]
    return None, None


def _send(sent, received):
    operations = [distributed.P2POp(distributed.isend, tensor, rank) for tensor, rank in sent]
    operations += [distributed.P2POp(distributed.irecv, tensor, rank) for tensor, rank in received]
    for work in distributed.batch_isend_irecv(operations) if operations else []:
        work.wait()


def _by_messages(local, plan, device, device_mesh, ranks):
    if plan.settling is not None:
        local = _move(local, plan.settling, device_mesh, ranks)
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
