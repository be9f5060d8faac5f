"""`tilework.jax`: plans run by JAX on eight devices; what its compiled programs move is what the plans say."""

import random
import re
import runpy
from pathlib import Path

import examples
import numpy
import pytest
from conftest import DEVICES
from test_sharding import random_mesh, random_product, random_spec, text

from tilework.sharding import Contraction, Mesh, Redistribution, Sharding, contract, move, scatter

CASES = 500
PROGRAMS = Path(__file__).parents[1] / "examples"


@pytest.fixture(scope="module")
def engine(jax):
    from tilework import jax as engine

    assert len(jax.devices()) == DEVICES
    return engine


def received(program):
    """How many numbers of 32 bits the device that takes most takes from others, by the collectives of a compiled program."""
    taken = numpy.zeros(DEVICES, int)
    collective = r"= (.*?) (all-to-all|all-gather|reduce-scatter|all-reduce|collective-permute)(?:-start)?\((.*)"
    for result, kind, arguments in re.findall(collective, program.as_text()):
        arrays = re.findall(r"[fs]32\[([\d,]*)\]", result)
        size = sum(int(numpy.prod([int(extent) for extent in own.split(",") if extent])) for own in arrays)
        listed = re.search(r"replica_groups=\{\{([\d,]*)\}", arguments)
        counted = re.search(r"replica_groups=\[\d+,(\d+)\]<=", arguments)
        members = len(listed[1].split(",")) if listed else int(counted[1]) if counted else DEVICES
        if kind == "collective-permute":
            pairs = re.findall(r"\{(\d+),(\d+)\}", re.search(r"source_target_pairs=\{.*?\}\}", arguments)[0])
            taken[[int(target) for source, target in pairs if source != target]] += size
        elif kind == "reduce-scatter":
            taken += size * (members - 1)
        else:
            taken += -(-size * (members - 1) * (2 if kind == "all-reduce" else 1) // members)
    return taken.max()


def planned(plan):
    """The same, as a plan says it."""
    return max(map(plan.received, range(DEVICES))) if plan.steps is None else sum(step.received for step in plan.steps)


def test_redistributions_bring_every_element_and_move_what_the_plan_says(jax, engine):
    rng, fewer = random.Random(5), 0
    for _ in range(CASES):
        axes, rank = random_mesh(rng), rng.choice([1, 2, 3])
        shape = tuple(rng.choice([8, 8, 16, 24]) for _ in range(rank))
        source, target = (Sharding(Mesh(**axes), shape, text(random_spec(rng, axes, rank))) for _ in range(2))
        array = numpy.arange(numpy.prod(shape), dtype=numpy.float32).reshape(shape)
        plan = Redistribution(source, target)
        given = jax.device_put(array, engine.named_sharding(source))
        program = engine.redistribution(plan).lower(given).compile()
        result = program(given)
        assert result.sharding.is_equivalent_to(engine.named_sharding(target), rank)
        assert result.sharding.devices_indices_map(shape) == engine.named_sharding(target).devices_indices_map(shape)
        assert all((numpy.asarray(shard.data) == array[shard.index]).all() for shard in result.addressable_shards), plan.steps
        assert received(program) == planned(plan), (source, target)
        # JAX itself moves as much or more.
        theirs = jax.jit(lambda array: array, out_shardings=engine.named_sharding(target)).lower(given).compile()
        fewer += received(program) < received(theirs)
        assert received(program) <= received(theirs), (source, target)
    assert fewer > CASES // 20


def test_what_no_partition_spec_says_is_an_array_by_device(engine):
    """Strided shards, parts of axes, blocks that are not even, and sums that are owed."""
    rng, mesh = random.Random(6), Mesh(x=2, y=4)
    forms = ["[Shard(0), _StridedShard(0, sf=2)]", "{devices=[2,2,2]<=[8] last_tile_dim_replicate}", "P(y, x)", "[Partial(sum), Shard(1)]",
             "[Partial(max), Replicate()]", "[Partial(product), Shard(0)]", "P((y, x), None)", "[_StridedShard(1, sf=2), Shard(1)]"]
    done = 0
    for shape in [(16, 16), (6, 16)]:
        for _ in range(12):
            first, second = rng.choice(forms), rng.choice([form for form in forms if "Partial" not in form])
            try:
                source, target = (Sharding(mesh, shape, form) for form in (first, second))
                plan = Redistribution(source, target)
            except ValueError:
                continue
            parts = [numpy.array([rng.randrange(1, 4) for _ in range(int(numpy.prod(source.local_shape)))]).reshape(source.local_shape) for _ in range(8)]
            if not source.owed:
                parts = scatter(numpy.arange(numpy.prod(shape)).reshape(shape), source)
            kept = move(parts, plan)
            stacked = numpy.stack(parts).astype(numpy.float32)
            given = stacked
            if source.is_even and not source.owed and first.startswith("P"):
                given = numpy.arange(numpy.prod(shape), dtype=numpy.float32).reshape(shape)
            result = engine.redistribution(plan)(given)
            for number, part in enumerate(kept):
                own = next(shard.data for shard in result.addressable_shards if shard.device.id == number)
                assert (numpy.asarray(own).reshape(part.shape) == part).all(), (first, second, shape)
            done += 1
    assert done > 10


def test_products_are_those_of_numpy(jax, engine):
    rng = random.Random(7)
    for number in range(CASES // 20):
        spec, operands, out, arrays = random_product(rng, random_mesh(rng))
        if not all(own.is_even for own in [*operands, out]):
            continue
        plan = Contraction(spec, *operands, out=out if number % 3 else None)
        given = [jax.device_put(array.astype(numpy.float32), engine.named_sharding(own)) for array, own in zip(arrays, operands)]
        program = engine.contraction(plan).lower(*given).compile()
        result = program(*given)
        assert received(program) <= plan.received, plan.explain()
        parts = contract([scatter(array, own) for array, own in zip(arrays, operands)], plan)
        for shard in result.addressable_shards:
            assert (numpy.asarray(shard.data).reshape(parts[shard.device.id].shape) == parts[shard.device.id]).all(), plan.explain()


def test_shardings_come_back(engine):
    rng = random.Random(8)
    for _ in range(CASES):
        axes, rank = random_mesh(rng), rng.choice([1, 2, 3])
        own = Sharding(Mesh(**axes), (8,) * rank, text(random_spec(rng, axes, rank)))
        assert engine.sharding(engine.named_sharding(own), own.shape) == own


def test_shardings_of_parts_of_axes_hold_the_same(jax, engine):
    """HLO divides by parts of axes; a `NamedSharding` then has a mesh of more axes, and the same devices hold the same."""
    mesh = Mesh(x=2, y=4)
    for form in ["{devices=[2,2,2]<=[8] last_tile_dim_replicate}", "{devices=[2,2,2]<=[2,2,2]T(1,0,2) last_tile_dim_replicate}", "{devices=[4,2]<=[2,2,2]T(2,0,1)}"]:
        own = Sharding(mesh, (8, 16), form)
        held = engine.named_sharding(own).devices_indices_map((8, 16))
        for device, index in held.items():
            block = numpy.arange(128).reshape(8, 16)[index]
            assert block.reshape(-1).tolist() == own.elements(device.id), form


def test_refusals(jax, engine):
    with pytest.raises(ValueError, match="a NamedSharding is a sharding on a mesh"):
        engine.redistribute(jax.numpy.zeros(8), jax.sharding.PartitionSpec())
    with pytest.raises(ValueError, match="has 8 devices, and here are 3"):
        engine.mesh(Mesh(x=8), jax.devices()[:3])
    with pytest.raises(ValueError, match="cannot say"):
        engine.named_sharding(Sharding(Mesh(x=8), (16,), "[_StridedShard(0, sf=2)]"))


def test_documentation(engine):
    examples.of_module(engine, {})
    assert examples.of_page("../../../docs/sharding/engines.md") > 15


@pytest.mark.parametrize("program", sorted(PROGRAMS.glob("*.py")), ids=lambda program: program.stem)
def test_programs(engine, program, capsys):
    runpy.run_path(str(program), run_name="__main__")
    assert f"right on {DEVICES} devices" in capsys.readouterr().out
