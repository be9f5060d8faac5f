"""Shardings and plans run by JAX: a sharding is a `NamedSharding`, and a plan is a program of collectives in a `shard_map`.

>>> import jax, numpy
>>> from tilework import jax as engine
>>> from tilework.sharding import Mesh, Sharding
>>> mesh = Mesh(x=2, y=4)
>>> rows = Sharding(mesh, (16, 8), "P((x, y), None)")
>>> tuple(engine.named_sharding(rows).spec)
(('x', 'y'), None)
>>> array = jax.device_put(numpy.arange(128.0).reshape(16, 8), engine.named_sharding(rows))
>>> columns = engine.redistribute(array, Sharding(mesh, (16, 8), "P(None, (x, y))"))
>>> tuple(columns.sharding.spec), bool((columns == array).all())
((None, ('x', 'y')), True)

Device `k` of a mesh is the `k`-th of `jax.devices()`, or of the devices that are given. A tensor in a sharding that no
`PartitionSpec` expresses (separate pieces, blocks of unequal size, a pending sum) is `Parts`.
"""

import ast
import dataclasses
import functools

import jax
import numpy
from jax import lax
from jax import numpy as jnp
from jax.sharding import AbstractMesh, AxisType, NamedSharding, PartitionSpec

from .errors import TileworkError
from .sharding import Contraction, Mesh, Redistribution, Sharding, _divided, _joined

__all__ = ["Parts", "contraction", "einsum", "mesh", "named_sharding", "redistribute", "redistribution", "sharding"]


@functools.partial(jax.tree_util.register_dataclass, data_fields=["array"], meta_fields=["sharding"])
@dataclasses.dataclass(frozen=True)
class Parts:
    """A tensor in a sharding that no `PartitionSpec` expresses: `array[k]` is the part of device `k`, of the shape `sharding.local_shape`.

    >>> import jax
    >>> from tilework import jax as engine
    >>> from tilework.sharding import Mesh, Sharding
    >>> mesh = Mesh(x=2)
    >>> whole = jax.device_put(jax.numpy.arange(3), engine.named_sharding(Sharding(mesh, (3,), "P()")))
    >>> engine.redistribute(whole, "P(x)").array
    Array([[0, 1],
           [2, 0]], dtype=int32)
    """

    array: jax.Array
    sharding: Sharding


def mesh(mesh, devices=None):
    """The mesh in JAX.

    >>> from tilework import jax as engine
    >>> from tilework.sharding import Mesh
    >>> engine.mesh(Mesh("x=2,y=4:(1,2)")).device_ids.tolist()
    [[0, 2, 4, 6], [1, 3, 5, 7]]
    """
    devices = jax.devices()[: mesh.size] if devices is None else devices
    if len(devices) != mesh.size:
        raise ValueError(f"the mesh {mesh} has {mesh.size} devices, and here are {len(devices)}")
    placed = numpy.empty(tuple(mesh.axes.values()), object)
    for number, device in enumerate(devices):
        placed[mesh.coordinate(number)] = device
    return jax.sharding.Mesh(placed, tuple(mesh.axes))


def named_sharding(sharding, devices=None):
    """The sharding as a `NamedSharding`; an axis of which only parts divide the tensor becomes several axes.

    >>> from tilework import jax as engine
    >>> from tilework.sharding import Mesh, Sharding
    >>> half = Sharding(Mesh(x=2, y=4), (8, 8), "{devices=[2,2,2]<=[8] last_tile_dim_replicate}")
    >>> tuple(engine.named_sharding(half).spec)
    ('x', 'y_0')
    """
    whole = sharding.by_whole_axes()
    return NamedSharding(mesh(whole.mesh, devices), _spec(whole))


def sharding(named, shape):
    """A `NamedSharding` of arrays of a shape, as a sharding.

    >>> import jax
    >>> from jax.sharding import NamedSharding, PartitionSpec as P
    >>> from tilework import jax as engine
    >>> named = NamedSharding(jax.make_mesh((2, 4), ("x", "y")), P("y", None))
    >>> engine.sharding(named, (8, 16))
    <Sharding [8, 16] ((2,4),(2,16)):((0,2@0),(1@0,1@1)) on x=2,y=4>
    """
    if not isinstance(named, NamedSharding):
        raise ValueError(f"a NamedSharding is a sharding on a mesh; found {named}")
    return Sharding(Mesh(**named.mesh.shape), shape, _text(named.spec))


def redistribute(array, target):
    """The array, or the `Parts`, in another sharding of its mesh, by the plan from its own: a `Sharding`, its text in any form, a
    `NamedSharding` on the same mesh, or a `PartitionSpec` or the list of its entries. Within `jax.jit`, the axes of the mesh are
    explicit, or the program is made before, by `redistribution`."""
    source, on, given = _held(array)
    target, wanted = _target(target, on)
    if not isinstance(target, Sharding):
        target = Sharding(source.mesh, source.shape, target)
    return _redistribution(source, target, on, (given, wanted))(array)


def einsum(spec, *arrays, out=None):
    """The einsum of arrays on one mesh, by the plan that moves the fewest bytes. `out` is a sharding as in `redistribute`; by default
    the cheapest one that an array has, unless an operand is `Parts`.

    >>> import jax, numpy
    >>> from jax.sharding import NamedSharding, PartitionSpec as P
    >>> from tilework import jax as engine
    >>> mesh = jax.make_mesh((2, 4), ("x", "y"))
    >>> a, b = numpy.arange(512.0).reshape(16, 32), numpy.arange(256.0).reshape(32, 8)
    >>> put = lambda array, *spec: jax.device_put(array, NamedSharding(mesh, P(*spec)))
    >>> c = engine.einsum("ij,jk->ik", put(a, "x", "y"), put(b, "y", None), out=P("x", "y"))
    >>> tuple(c.sharding.spec), bool((numpy.asarray(c) == a @ b).all())
    (('x', 'y'), True)
    """
    operands, meshes, given = zip(*map(_held, arrays))
    on = next((own for own in meshes if own is not None), None)
    values = [array.array if isinstance(array, Parts) else array for array in arrays]
    widths = tuple(8 * jnp.dtype(own).itemsize for own in [*(value.dtype for value in values), jnp.result_type(*values)])
    out, wanted = (None, None) if out is None else _target(out, on)
    return _contraction(spec, operands, out, widths, on, (*given, wanted))(*arrays)


def redistribution(plan, on=None):
    """A function of an array, or of `Parts`, that runs a plan, on a mesh of JAX with the axes of the plan; it can be called within
    `jax.jit`.

    >>> import jax
    >>> from tilework import jax as engine
    >>> from tilework.sharding import Mesh, Redistribution, Sharding
    >>> mesh = Mesh(x=2, y=4)
    >>> plan = Redistribution(Sharding(mesh, (8, 8), "[Shard(0), Partial(sum)]"), Sharding(mesh, (8, 8), "P(x, y)"))
    >>> owed = engine.Parts(jax.numpy.ones((8, 4, 8)), plan.source)
    >>> engine.redistribution(plan)(owed)[0, 0]
    Array(4., dtype=float32)
    """
    return _of_redistribution(plan, on, (None, None))


def contraction(plan, on=None):
    """A function of arrays, or of `Parts`, that runs the plan of an einsum; it can be called within `jax.jit`."""
    return _of_contraction(plan, on, (None,) * (len(plan.operands) + 1))


def _of_redistribution(plan, on, specs):
    return _program([plan.source], plan.target, on, specs, functools.partial(_move, plan=plan))


def _of_contraction(plan, on, specs):
    def body(*operands, place):
        moved = [_move(operand, plan=way, place=place) for operand, way in zip(operands, plan.operands)]
        return _move(jnp.einsum(plan.spec, *moved), plan=plan.result, place=place)

    return _program([way.source for way in plan.operands], plan.result.target, on, specs, body)


@functools.lru_cache(maxsize=1024)
def _redistribution(source, target, on, specs):
    return _of_redistribution(Redistribution(source, target), on, specs)


@functools.lru_cache(maxsize=1024)
def _contraction(spec, operands, out, bits, on, specs):
    return _of_contraction(Contraction(spec, *operands, out=out, bits=bits), on, specs)


def _held(array):
    """The sharding of an array; and its mesh and its `PartitionSpec` in JAX, if it has them."""
    if isinstance(array, Parts):
        named = getattr(array.array, "sharding", None)
        return array.sharding, named.mesh if isinstance(named, NamedSharding) else None, None
    named = array.sharding if not isinstance(array, jax.core.Tracer) else jax.typeof(array).sharding
    if isinstance(array, jax.core.Tracer) and set(named.mesh.axis_types) != {AxisType.Explicit}:
        raise ValueError("within `jax.jit` an array has a sharding along explicit axes only: call the program of a plan, `redistribution` or `contraction`")
    own = sharding(named, array.shape)
    if own.owed:
        raise ValueError(f"the array owes a sum along {', '.join(own.owed)}: `jax.reshard` settles it, or give its parts as `Parts`")
    return own, named.mesh, named.spec


def _target(target, on):
    """A sharding or its text; and its `PartitionSpec`, if it is given as one, in a `NamedSharding` on the mesh, or as the list of its
    entries."""
    if isinstance(target, (Sharding, str)):
        return target, None
    if isinstance(target, NamedSharding):
        if on is not None and not _is_same(target.mesh, on):
            raise ValueError(f"the target is on the mesh {target.mesh}, and the array on {on}: put it there by `jax.device_put` first")
        target = target.spec
    if not isinstance(target, (PartitionSpec, list, tuple)):
        raise ValueError(f"a target is a Sharding or its text, a NamedSharding, or a PartitionSpec or the list of its entries; found {target!r}")
    text = _text(target)
    if not isinstance(target, PartitionSpec):
        target = PartitionSpec(*(tuple(entry) if isinstance(entry, list) else entry for entry in target))
    return text, target


def _is_same(mesh, other):
    """Whether two meshes have the same axes and, where both are of devices, the same devices."""
    of_devices = not any(isinstance(own, AbstractMesh) for own in (mesh, other))
    return mesh.shape == other.shape and (not of_devices or (mesh.devices == other.devices).all())


def _text(spec):
    """The text of a `PartitionSpec` in Shardy, which can say sums that are owed."""

    def axes(names):
        if not all(isinstance(name, str) for name in names):
            raise ValueError(f"an entry of a PartitionSpec is None, an axis, or a tuple of axes; found {names!r} in {spec!r}")
        return "{" + ", ".join(f'"{name}"' for name in names) + "}"

    entries = getattr(spec, "partitions", spec)
    own = [axes(entry if isinstance(entry, (list, tuple)) else () if entry is None else (entry,)) for entry in entries]
    return f"<@mesh, [{', '.join(own)}], unreduced={axes(sorted(getattr(spec, 'unreduced', ())))}>"


def _spec(sharding):
    """The `PartitionSpec` of a sharding on its own mesh."""
    return PartitionSpec(*ast.literal_eval(f"[{sharding.to('jax').removeprefix('PartitionSpec(')[:-1]}]"))


class _Place:
    """The positions of a plan's devices in the `shard_map`: device `k` has the number `at[k]`."""

    def __init__(self, own):
        self.names = tuple(own.axes)
        numbers = numpy.arange(own.size).reshape(tuple(own.axes.values()))
        self.at = [int(numbers[own.coordinate(device)]) for device in range(own.size)]

    def of_this(self, values):
        """The value of the device that runs this, from `values`, one per device."""
        placed = numpy.empty_like(values)
        placed[self.at] = values
        return jnp.asarray(placed)[lax.axis_index(self.names)]


def _program(sources, target, on, specs, body):
    """A function of one array or `Parts` per source. Several specs say one sharding where an axis has one device; `specs` has those of
    the arrays and of the result, where it matters."""
    on = mesh(target.mesh) if on is None else on
    place = _Place(target.mesh)

    def held(sharding, given):
        """The `PartitionSpec` of an array, or of the array of `Parts`, and which of these it is."""
        try:
            if sharding.is_even:
                own = _spec(sharding)
                return own if given is None else given, False
        except TileworkError as error:
            if error.code != "inexpressible":
                raise
        return PartitionSpec(place.names), True

    *given, (spec, stacked) = [held(own, way) for own, way in zip([*sources, target], specs)]

    def run(*blocks):
        result = body(*(block[0] if more else block for block, (_, more) in zip(blocks, given)), place=place)
        return result[None] if stacked else result

    mapped = jax.shard_map(run, mesh=on, in_specs=tuple(own for own, _ in given), out_specs=spec, check_vma=False)

    def program(*arrays):
        result = mapped(*(_array(array, source, more) for array, source, (_, more) in zip(arrays, sources, given, strict=True)))
        return Parts(result, target) if stacked else result

    return jax.jit(program)


def _array(given, source, by_parts):
    """The array that a program is given for a sharding."""
    if isinstance(given, Parts) != by_parts:
        one = ("an array", "`Parts`")
        raise ValueError(f"a tensor in the sharding {source} is {one[by_parts]}, and here is {one[not by_parts]}")
    array, shape = (given.array, (source.mesh.size, *source.local_shape)) if by_parts else (given, source.shape)
    if by_parts and given.sharding != source:
        raise ValueError(f"the plan begins with the sharding {source}, and the parts have {given.sharding}")
    if array.shape != shape:
        raise ValueError(f"the sharding {source} has an array of the shape {shape}, and here is one of {array.shape}")
    return array


def _move(block, *, plan, place):
    exchanges = plan.exchanges
    if exchanges is None:
        return _by_messages(block, plan, place)
    for exchange in exchanges:
        block = _exchange(block, exchange, place)
    if plan.target.is_even:
        return block
    # Elements past the end of a block become 0.
    held = numpy.array([plan.target.elements(device) for device in range(len(place.at))]) >= 0
    return jnp.where(place.of_this(held).reshape(block.shape), block, 0)


def _exchange(block, exchange, place):
    block = _divided(jnp, block, exchange)
    groups = [[place.at[device] for device in group] for group in exchange.groups]
    if exchange.pairs:
        block = lax.ppermute(block, place.names, [(place.at[source], place.at[target]) for source, target in exchange.pairs])
    elif exchange.joins and exchange.parts == 1:
        block = lax.all_gather(block[0], place.names, axis_index_groups=groups)
    elif exchange.joins:
        block = lax.all_to_all(block, place.names, 0, 0, axis_index_groups=groups)
    elif exchange.reduction is not None:
        block = _reduce(block, exchange, place.names, groups)
    elif groups:
        member = numpy.empty(len(place.at), int)
        for group in exchange.groups:
            member[group] = range(len(group))
        block = block[place.of_this(member)]
    return _joined(block, exchange)


def _reduce(block, exchange, names, groups):
    """Sums, and whole minima and maxima, are collectives; for other reductions each device gathers its parts and reduces them."""
    if exchange.reduction == "sum" and exchange.parts > 1:
        return lax.psum_scatter(block, names, scatter_dimension=0, axis_index_groups=groups)
    collective = {"sum": lax.psum, "min": lax.pmin, "max": lax.pmax}.get(exchange.reduction)
    if collective is not None and exchange.parts == 1:
        return collective(block, names, axis_index_groups=groups)
    every = lax.all_gather if exchange.parts == 1 else functools.partial(lax.all_to_all, split_axis=0, concat_axis=0)
    reduce = {"min": jnp.min, "max": jnp.max, "product": jnp.prod}[exchange.reduction]
    return reduce(every(block, names, axis_index_groups=groups), axis=0)


def _by_messages(block, plan, place):
    """In each round a device sends and receives at most one message; messages are padded to the longest of the round."""
    if plan.settling is not None:
        block = _move(block, plan=plan.settling, place=place)
    elif plan.source.owed != plan.target.owed:
        raise ValueError(f"the parts are partial results along {', '.join(plan.source.owed)}, and messages between devices only move elements: reduce them first")
    sent_from = block.reshape(-1)
    kept = jnp.zeros(int(numpy.prod(plan.target.local_shape)), block.dtype)
    for offsets in _rounds(plan):
        width = max(len(sent) for sent, _ in offsets.values())
        # The padding of a message is written past the end, which JAX drops.
        takes, puts = numpy.zeros((len(place.at), width), int), numpy.full((len(place.at), width), kept.size)
        for (source, target), (sent, put) in offsets.items():
            takes[source, : len(sent)] = sent
            puts[target, : len(put)] = put
        message = sent_from[place.of_this(takes)]
        pairs = [(place.at[source], place.at[target]) for source, target in offsets]
        if any(source != target for source, target in pairs):
            message = lax.ppermute(message, place.names, pairs)
        kept = kept.at[place.of_this(puts)].set(message, mode="drop")
    return kept.reshape(plan.target.local_shape)


def _rounds(plan):
    """For each round, the offsets of its messages by source and target; a device is at most once a source and once a target."""
    size, rounds = plan.target.mesh.size, []
    pairs = [(source, target) for target in range(size) for source in plan.sources(target)]
    # Elements that stay on their device are one round; the others follow by distance, which fills the rounds.
    for source, target in sorted(pairs, key=lambda pair: (pair[1] - pair[0]) % size):
        message = plan.message(source, target)
        if message is None:
            continue
        own = source == target
        busy = lambda one: any(own != (a == b) or source == a or target == b for a, b in one)
        one = next((one for one in rounds if not busy(one)), None)
        if one is None:
            rounds.append(one := {})
        one[source, target] = message.offsets()
    return rounds
