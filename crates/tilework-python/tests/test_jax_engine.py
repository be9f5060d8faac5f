"""`tilework.jax`: plans run by JAX on eight devices; what its compiled programs move is what the plans say."""

import os
import random
import re
import runpy
from pathlib import Path

import examples
import numpy
import pytest
from conftest import DEVICES
from test_sharding import random_mesh, random_product, random_spec, random_sums, text

from tilework import TileworkError
from tilework.sharding import Contraction, Mesh, Redistribution, Sharding, contract, move, scatter

CASES = 500
BATCH = 20
PAGE = Path(__file__).parents[3] / "docs/sharding/jax.md"
PROGRAMS = Path(__file__).parents[1] / "examples"


@pytest.fixture(scope="module")
def engine(jax):
    from tilework import jax as engine

    assert len(jax.devices()) == DEVICES
    return engine


def compiled(function, *arrays):
    """The program, compiled in a fifth of the time: what each device does alone is not optimized, and collectives are the same."""
    lowered = function.lower(*arrays)
    quick = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True, "xla_cpu_use_fusion_emitters": False}
    try:
        return lowered.compile(compiler_options=quick)
    except RuntimeError as error:
        if "No such compile option" not in str(error):
            raise
        return lowered.compile()


INSTRUCTION = re.compile(r"^\s*(?:ROOT )?%(\S+) = (\(.*?\)|\S+) ([\w-]+)\(([^)]*)\)(.*)$", re.MULTILINE)
COLLECTIVES = ["all-to-all", "all-gather", "reduce-scatter", "all-reduce", "collective-permute"]


def collectives(program):
    """The collectives of a compiled program: the arguments whose elements they move, the kind, and how many numbers of 32 bits each device
    takes from others."""
    moved, origins, tuples, text = [], {}, {}, program.as_text()
    for name, result, kind, operands, more in INSTRUCTION.findall(text[text.index("\nENTRY ") :]):
        known = [origins.get(operand, set()) for operand in re.findall(r"%([\w.-]+)", operands)]
        origins[name] = {int(operands)} if kind == "parameter" else set().union(*known)
        if kind == "get-tuple-element" and (several := tuples.get(operands.lstrip("%"))):
            origins[name] = several[int(re.search(r"index=(\d+)", more)[1])]
        kind = kind.removesuffix("-start")
        if kind not in COLLECTIVES:
            continue
        text = text.replace(f"%{name} =", "", 1)
        sizes = [int(numpy.prod([int(extent) for extent in own.split(",") if extent])) for own in re.findall(r"[fs]32\[([\d,]*)\]", result)]
        # Several all-reduces may be one, with an array of each.
        if kind == "all-reduce" and len(known) > 1:
            tuples[name] = known
        for own, size in zip(known, sizes) if name in tuples else [(origins[name], sum(sizes))]:
            moved.append((own, kind, taken(kind, size, more)))
    assert not re.search(rf"%\S+ = .* ({'|'.join(COLLECTIVES)})(?:-start)?\(", text), "collectives outside of the entry"
    return moved


def by_argument(program, arguments):
    """The collectives of each argument."""
    moved = collectives(program)
    assert all(len(origins) == 1 for origins, _, _ in moved)
    return [[own for own in moved if own[0] == {argument}] for argument in range(arguments)]


def taken(kind, size, more):
    if kind == "collective-permute":
        pairs = re.findall(r"\{(\d+),(\d+)\}", re.search(r"source_target_pairs=\{.*?\}\}", more)[0])
        targets = [int(target) for source, target in pairs if source != target]
        return size * numpy.bincount(targets, minlength=DEVICES)
    listed = re.search(r"replica_groups=\{\{([\d,]*)\}", more)
    counted = re.search(r"replica_groups=\[\d+,(\d+)\]<=", more)
    members = len(listed[1].split(",")) if listed else int(counted[1]) if counted else DEVICES
    one = size * (members - 1) if kind == "reduce-scatter" else -(-size * (members - 1) * (2 if kind == "all-reduce" else 1) // members)
    return numpy.full(DEVICES, one)


def received(own):
    """How many numbers of 32 bits the device that takes most takes from others, by some collectives."""
    return int(sum((number for _, _, number in own), numpy.zeros(DEVICES, int)).max())


def planned(plan):
    """The same, as a plan says it."""
    return max(map(plan.received, range(DEVICES))) if plan.steps is None else sum(step.received for step in plan.steps)


def together(jax, functions, out_shardings=None):
    """The functions of one array each as one of all, which is compiled in less time."""
    return jax.jit(lambda *arrays: [function(array) for function, array in zip(functions, arrays)], out_shardings=out_shardings)


def test_redistributions_bring_every_element_and_move_what_the_plan_says(jax, engine):
    rng, fewer = random.Random(5), []
    for _ in range(CASES // BATCH):
        plans, given = [], []
        for _ in range(BATCH):
            axes, rank = random_mesh(rng), rng.choice([1, 2, 3])
            shape = tuple(rng.choice([8, 8, 16, 24]) for _ in range(rank))
            source, target = (Sharding(Mesh(**axes), shape, text(random_spec(rng, axes, rank))) for _ in range(2))
            plans.append(Redistribution(source, target))
            array = numpy.arange(numpy.prod(shape), dtype=numpy.float32).reshape(shape)
            given.append(jax.device_put(array, engine.named_sharding(source)))
        targets = [engine.named_sharding(plan.target) for plan in plans]
        program = compiled(together(jax, [engine.redistribution(plan) for plan in plans], targets), *given)
        theirs = compiled(together(jax, [lambda array: array] * BATCH, targets), *given)
        moved = zip(by_argument(program, BATCH), by_argument(theirs, BATCH))
        for plan, array, result, target, (own, other) in zip(plans, given, program(*given), targets, moved):
            array = numpy.asarray(array)
            assert result.sharding.devices_indices_map(array.shape) == target.devices_indices_map(array.shape)
            assert all((numpy.asarray(shard.data) == array[shard.index]).all() for shard in result.addressable_shards), plan.steps
            assert received(own) == planned(plan), (plan.source, plan.target)
            # JAX itself moves as much or more.
            assert received(own) <= received(other), (plan.source, plan.target)
            if received(own) < received(other):
                fewer.append(row(plan, other))
    assert len(fewer) > CASES // 20
    compare(sorted(fewer), jax.__version__)


def row(plan, theirs):
    """A line of the page: who moves how many bytes by what."""
    ways = ["messages" if plan.steps is None else ", ".join(step.collective for step in plan.steps), ", ".join(kind for _, kind, _ in theirs)]
    bytes = [4 * planned(plan), 4 * received(theirs)]
    shape = "(" + ",".join(map(str, plan.source.shape)) + ")"
    specs = [sharding.to("jax").replace("PartitionSpec", "P") for sharding in (plan.source, plan.target)]
    return f"| `{plan.source.mesh}` | `{shape}` | `{specs[0]}` | `{specs[1]}` | {ways[0]} | {bytes[0]} | {ways[1]} | {bytes[1]} |"


def compare(rows, version):
    """The page lists what has been found. JAX in another version may move something else, and tilework may not."""
    heading = f"""\
# Fewer bytes than JAX

Of {CASES} redistributions at random on eight devices, those for which the plan of tilework moves fewer bytes than what JAX {version} compiles for the
same change of sharding: bytes to the device that takes most, of elements of 32 bits. For the others it moves as many, and never more.
[Plans on devices](engines.md) says how they are run. `FEWER=overwrite .ci/python` writes this page, and the same test compares it.

| mesh | shape | from | to | tilework | bytes | JAX | bytes |
|---|---|---|---|---|---|---|---|
"""
    page = "\n".join([heading.rstrip(), *rows, ""])
    if os.environ.get("FEWER") == "overwrite":
        PAGE.write_text(page)
    written = PAGE.read_text()
    if f"JAX {version} " in written:
        assert written == page
    ours = lambda line: line.split(" | ")[:6]
    found = {tuple(ours(line)[:4]): ours(line) for line in rows}
    for line in written.splitlines():
        assert tuple(ours(line)[:4]) not in found or found[tuple(ours(line)[:4])] == ours(line)


def is_stacked(sharding):
    try:
        return not (sharding.to("jax") and sharding.is_even)
    except TileworkError:
        return True


def test_blocks_that_are_not_even_and_sums_that_are_owed(jax, engine):
    """As arrays by device; collectives move what the plan says, what fills up blocks among it."""
    rng, ways = random.Random(9), set()
    for axes in [{"x": 8}, {"x": 2, "y": 4}, {"x": 2, "y": 2, "z": 2}, {"x": 4, "y": 2}]:
        plans, given, expected = [], [], []
        for _ in range(BATCH):
            shape = rng.choice([(10, 6), (5, 7), (16, 12), (9, 8), (3, 20)])
            source, parts, whole = random_sums(rng, Mesh(**axes), shape, rng.choice(["sum", "min", "max", "product"]))
            plan = Redistribution(source, Sharding(Mesh(**axes), shape, text(random_spec(rng, axes, 2))))
            plans.append(plan)
            given.append((numpy.stack(parts) if is_stacked(source) else whole).astype(numpy.float32))
            expected.append(move(parts, plan))
            assert all((own == kept).all() for own, kept in zip(expected[-1], scatter(whole, plan.target)))
        program = compiled(together(jax, [engine.redistribution(plan) for plan in plans]), *given)
        for plan, kept, result, own in zip(plans, expected, program(*given), by_argument(program, BATCH)):
            for shard in result.addressable_shards:
                part = kept[shard.device.id]
                assert (numpy.asarray(shard.data).reshape(part.shape) == part).all(), (plan.source, plan.target)
            even = plan.source.is_even and plan.target.is_even
            sums = set(plan.source.owed.values()) <= {"sum"}
            if plan.steps is not None and sums:
                assert received(own) == planned(plan), (plan.source, plan.target)
            ways.add((even, bool(plan.source.owed), plan.steps is None, plan.settling is None))
    assert {(False, True, True, False), (False, True, False, True), (False, False, True, True), (False, False, False, True)} <= ways


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
        program = compiled(engine.contraction(plan), *given)
        result = program(*given)
        assert received(collectives(program)) <= plan.received, plan.explain()
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
