"""`tilework.sharding` holds what JAX holds, and moves what is to be moved."""

import random

import numpy
import pytest
from conftest import DEVICES

from tilework import TileworkError, sharding
from tilework.sharding import Contraction, Mesh, Redistribution, Sharding, contract, gather, move, scatter

CASES = 10_000


def random_mesh(rng):
    return rng.choice([{"x": 8}, {"x": 2, "y": 4}, {"x": 4, "y": 2}, {"x": 2, "y": 2, "z": 2}, {"x": 1, "y": 8}])


def random_spec(rng, axes, rank):
    """Each axis at some dimension, or at none, in any order."""
    names = list(axes)
    rng.shuffle(names)
    entries = [[] for _ in range(rank)]
    for name in names:
        at = rng.randrange(rank + 1)
        if at < rank:
            entries[at].append(name)
    return [None if not entry else entry[0] if len(entry) == 1 else tuple(entry) for entry in entries]


def text(entries):
    return f"P({', '.join(repr(entry) for entry in entries)})"


def test_shardings_are_those_of_jax(jax):
    from jax.sharding import Mesh as JaxMesh, NamedSharding, PartitionSpec

    rng = random.Random(1)
    devices = numpy.array(jax.devices()[:DEVICES])
    for _ in range(CASES):
        axes = random_mesh(rng)
        rank = rng.choice([1, 2, 2, 3])
        entries = random_spec(rng, axes, rank)
        shape = tuple(8 * rng.choice([1, 2, 3]) for _ in range(rank))
        named = NamedSharding(JaxMesh(devices.reshape(tuple(axes.values())), tuple(axes)), PartitionSpec(*entries))
        ours = Sharding(Mesh(**axes), shape, text(entries))
        assert str(named._to_xla_hlo_sharding(rank)).replace("V1", "") == ours.to("hlo"), (axes, entries, shape)
        for number, (device, index) in enumerate(named.devices_indices_map(shape).items()):
            first = tuple(0 if part.start is None else part.start for part in index)
            assert device.id == number and ours.coordinate(number, (0,) * rank) == first, (axes, entries, shape, number)
        assert named.shard_shape(shape) == ours.local_shape


def test_what_moves_is_there_afterwards():
    """By collectives and by messages."""
    rng = random.Random(2)
    for number in range(CASES):
        axes = random_mesh(rng)
        rank = rng.choice([1, 2, 3])
        shape = tuple(rng.choice([8, 8, 16, 6, 5]) for _ in range(rank))
        source, target = (Sharding(Mesh(**axes), shape, text(random_spec(rng, axes, rank))) for _ in range(2))
        array = numpy.arange(1, 1 + numpy.prod(shape)).reshape(shape)
        plan = Redistribution(source, target)
        assert (plan.steps is None) == (plan.exchanges is None)
        parts, kept = scatter(array, source), scatter(array, target)
        assert all((part == own).all() for part, own in zip(move(parts, plan), kept)), (source, target)
        if number % 10 == 0:
            moved = sharding._by_messages(parts, plan)
            assert all((part == own).all() for part, own in zip(moved, kept)), (source, target)
            assert (gather(moved, target) == array).all()
        for step in plan.steps or []:
            assert step.after.shape == shape and step.received >= 0
        if plan.steps:
            assert plan.steps[-1].after == target


def random_sums(rng, mesh, shape, name):
    """A sharding that owes reductions along some axes, what each device holds, and the whole array."""
    reductions = {"sum": numpy.sum, "min": numpy.min, "max": numpy.max, "product": numpy.prod}
    while True:
        placements = [rng.choice([f"Partial({name})", "Shard(0)", "Shard(1)", "Replicate()"]) for _ in mesh.axes]
        try:
            source = Sharding(mesh, shape, f"[{', '.join(placements)}]")
        except TileworkError:
            continue
        # The devices along an axis that owes hold parts of their own.
        along = [number for number, placement in enumerate(placements) if "Partial" in placement]
        extents = [list(mesh.axes.values())[axis] for axis in along]
        arrays = numpy.array([rng.randrange(1, 5) for _ in range(int(numpy.prod([*extents, *shape])))]).reshape(-1, *shape)
        parts = []
        for device in range(mesh.size):
            own = 0
            for axis, extent in zip(along, extents):
                own = extent * own + mesh.coordinate(device)[axis]
            parts.append(scatter(arrays[own], source)[device])
        return source, parts, reductions[name](arrays, axis=0)


def test_what_is_owed_is_reduced():
    rng, ways = random.Random(3), set()
    for _ in range(CASES // 10):
        mesh = Mesh(**rng.choice([{"x": 2, "y": 2, "z": 2}, {"x": 2, "y": 3}, {"x": 3, "y": 2, "z": 2}]))
        shape = rng.choice([(8, 8), (12, 6), (10, 4), (5, 7), (9, 2)])
        source, parts, whole = random_sums(rng, mesh, shape, rng.choice(["sum", "min", "max", "product"]))
        target = Sharding(mesh, shape, text(random_spec(rng, mesh.axes, 2)))
        plan = Redistribution(source, target)
        expected = scatter(whole, target)
        assert all((part == kept).all() for part, kept in zip(move(parts, plan), expected)), (source, target)
        ways.add((bool(source.owed), source.is_even and target.is_even, plan.steps is not None, plan.settling is not None))
        if source.owed and plan.settling is None:
            with pytest.raises(ValueError, match="partial results along"):
                sharding._by_messages(parts, plan)
    # By collectives of blocks that are even, or that are filled up, and by messages after a reduction.
    assert {(True, True, True, False), (True, False, True, False), (True, False, False, True)} <= ways


SPECS = ["ij,jk->ik", "bij,bjk->bik", "ij,j->i", "ij,ij->", "i,j->ij", "ij,kj->ki", "ij->j", "ab,bc,cd->ad"]


def random_product(rng, axes):
    """A specification, shardings of its operands and of its result, and arrays."""
    spec = rng.choice(SPECS)
    names, output = spec.split("->")
    extents = {label: rng.choice([4, 8, 16]) for label in "abcdijk"}
    shape = lambda labels: tuple(extents[label] for label in labels)
    mesh = Mesh(**axes)
    held = lambda labels: Sharding(mesh, shape(labels), text(random_spec(rng, axes, len(labels))))
    arrays = [numpy.array([rng.randrange(-3, 4) for _ in range(int(numpy.prod(shape(labels))))]).reshape(shape(labels)) for labels in names.split(",")]
    return spec, [held(labels) for labels in names.split(",")], held(output), arrays


def test_products_are_those_of_the_whole_tensors():
    rng, even = random.Random(4), 0
    for number in range(CASES // 20):
        spec, operands, out, arrays = random_product(rng, random_mesh(rng))
        plan = Contraction(spec, *operands, out=out if number % 3 else None)
        parts = contract([scatter(array, own) for array, own in zip(arrays, operands)], plan)
        assert (gather(parts, plan.result.target) == numpy.einsum(spec, *arrays)).all(), plan.explain()
        assert all((part == own).all() for part, own in zip(parts, scatter(numpy.einsum(spec, *arrays), plan.result.target)))
        assert number % 3 == 0 or plan.result.target == out
        ways = [way.steps for way in [*plan.operands, plan.result]]
        if None not in ways:
            even += 1
            assert plan.received == sum(step.received for steps in ways for step in steps)
    assert even > CASES // 40


def test_blocks_that_do_not_divide_each_other_are_moved():
    """What ScaLAPACK's pdgemr2d does: blocks of 3 by 4 on a grid of 2 by 3 to blocks of 5 by 7 on one of 3 by 2."""
    mesh, array = Mesh(x=2, y=3), numpy.arange(1, 1 + 61 * 83).reshape(61, 83)
    source = Sharding(mesh, (61, 83), "((2,3),((3,11),(4,7))):((3@0,4@1),((1@0,6@0),(1@1,12@1)))")
    target = Sharding(mesh, (61, 83), "((2,3),((5,5),(7,6))):((7@1,5@0),((1@0,15@0),(1@1,14@1)))")
    parts = scatter(array, source)
    plan = Redistribution(source, target)
    moved = move(parts, plan)
    assert plan.steps is None and (gather(moved, target) == array).all()
    assert all((part == kept).all() for part, kept in zip(moved, scatter(array, target)))
    missing = [set(kept.flat) - set(part.flat) - {0} for part, kept in zip(parts, moved)]
    assert [plan.received(device) for device in range(6)] == [len(own) for own in missing]
    assert plan.most_received == max(len(own) for own in missing)


def test_shards_of_pytorch_that_are_divided_from_the_right():
    """pytorch/pytorch issues 129627 and 166740: fully sharded data parallelism of what tensor parallelism has divided."""
    mesh = Mesh(dp=4, tp=2)
    strided = Sharding(mesh, (16, 4), "[_StridedShard(dim=0, sf=2), Shard(dim=0)]")
    rows = {device: sorted({number // 4 for number in strided.elements(device)}) for device in range(8)}
    # tp has rows 0 to 7 and 8 to 15, and dp a quarter of these.
    assert rows == {dp * 2 + tp: [8 * tp + 2 * dp, 8 * tp + 2 * dp + 1] for dp in range(4) for tp in range(2)}
    plain = Sharding(mesh, (16, 4), "[Shard(0), Shard(0)]")
    assert {device: plain.elements(device)[0] // 4 for device in range(8)} == {device: 2 * device for device in range(8)}
    assert [step.collective for step in Redistribution(strided, plain).steps] == ["permute"]


def test_what_is_wrong_is_refused_with_its_reason():
    mesh = Mesh("x=2,y=4")
    for shape, spec, code in [
        ((8, 8), "P(x, x)", "axis-twice"), ((8,), "P(z)", "name"), ((8,), "P(x, y)", "rank"), ((8,), "P(x", "text"),
        ((8, 8), "{devices=[3,1]<=[3]}", "different"), ((10,), "[Shard(0), Shard(0)]", "inexpressible"), ((0,), "P()", "extent"),
    ]:
        with pytest.raises(TileworkError) as refused:
            Sharding(mesh, shape, spec)
        assert refused.value.code == code, refused.value
    for wrong in [lambda: Mesh("x=2", y=3), lambda: Mesh(x=0), lambda: mesh.coordinate(8), lambda: mesh.device((2, 0)),
                  lambda: Sharding(mesh, (8,), "P(x)").to("jaxx"), lambda: Sharding(mesh, (8,), "P(x)").holders((8,)),
                  lambda: sharding.einsum("ij->i", Sharding(mesh, (8,), "P(x)"))]:
        with pytest.raises(TileworkError):
            wrong()
    with pytest.raises(ValueError, match="parts of the shapes"):
        gather([numpy.zeros(3)], Sharding(mesh, (8,), "P(x)"))
    halves = Sharding(Mesh(x=2), (8,), "P(x)")
    for other in ("f8", "U1"):
        with pytest.raises(ValueError, match="they have to be of one type"):
            gather([numpy.zeros(4, "i4"), numpy.zeros(4, other)], halves)
    with pytest.raises(TypeError, match="mask"):
        scatter(numpy.ma.masked_array(numpy.zeros(8), mask=[1] * 8), halves)
