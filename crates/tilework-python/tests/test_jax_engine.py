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
from tilework.sharding import Contraction, Mesh, Redistribution, Sharding, contract, gather, move, scatter

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


def is_array(sharding):
    try:
        return bool(sharding.to("jax")) and sharding.is_even
    except TileworkError:
        return False


def shards(engine, result, sharding):
    """What each device has of a result, which is an array where a `PartitionSpec` expresses its sharding."""
    assert isinstance(result, engine.Parts) != is_array(sharding), sharding
    if isinstance(result, engine.Parts):
        assert result.sharding == sharding
        result = result.array
    return [(shard.device.id, numpy.asarray(shard.data)) for shard in result.addressable_shards]


def test_blocks_that_are_not_even_and_sums_that_are_owed(jax, engine):
    """As `Parts`; collectives move what the plan says, what fills up blocks among it."""
    rng, ways = random.Random(9), set()
    for axes in [{"x": 8}, {"x": 2, "y": 4}, {"x": 2, "y": 2, "z": 2}, {"x": 4, "y": 2}]:
        plans, given, expected = [], [], []
        for _ in range(BATCH):
            shape = rng.choice([(10, 6), (5, 7), (16, 12), (9, 8), (3, 20)])
            source, parts, whole = random_sums(rng, Mesh(**axes), shape, rng.choice(["sum", "min", "max", "product"]))
            plan = Redistribution(source, Sharding(Mesh(**axes), shape, text(random_spec(rng, axes, 2))))
            plans.append(plan)
            whole, stacked = whole.astype(numpy.float32), numpy.stack(parts).astype(numpy.float32)
            given.append(whole if is_array(source) else engine.Parts(stacked, source))
            expected.append(move(parts, plan))
            assert all((own == kept).all() for own, kept in zip(expected[-1], scatter(whole, plan.target)))
        program = compiled(together(jax, [engine.redistribution(plan) for plan in plans]), *given)
        for plan, kept, result, own in zip(plans, expected, program(*given), by_argument(program, BATCH)):
            for device, part in shards(engine, result, plan.target):
                assert (part.reshape(kept[device].shape) == kept[device]).all(), (plan.source, plan.target)
            even = plan.source.is_even and plan.target.is_even
            sums = set(plan.source.owed.values()) <= {"sum"}
            if plan.steps is not None and sums:
                assert received(own) == planned(plan), (plan.source, plan.target)
            ways.add((even, bool(plan.source.owed), plan.steps is None, plan.settling is None))
    assert {(False, True, True, False), (False, True, False, True), (False, False, True, True), (False, False, False, True)} <= ways


def test_what_no_partition_spec_says_is_parts(engine):
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
            given = engine.Parts(numpy.stack(parts).astype(numpy.float32), source)
            if is_array(source):
                given = numpy.arange(numpy.prod(shape), dtype=numpy.float32).reshape(shape)
            result = engine.redistribution(plan)(given)
            for device, part in shards(engine, result, target):
                assert (part.reshape(kept[device].shape) == kept[device]).all(), (first, second, shape)
            if isinstance(result, engine.Parts):
                back = engine.redistribute(result, "P(x, y)" if shape == (16, 16) else "P()")
                assert (numpy.asarray(back) == gather(kept, target)).all()
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
        for device, part in shards(engine, result, plan.result.target):
            assert (part.reshape(parts[device].shape) == parts[device]).all(), plan.explain()


def test_without_out_a_product_is_an_array(jax, engine):
    """Also where the result is too short for all devices, or the cheapest way to hold it is strided."""
    rng = random.Random(10)
    for _ in range(CASES // 10):
        spec, operands, _, arrays = random_product(rng, random_mesh(rng))
        cut = {label: rng.choice([1, 3, 8, 16]) for label in "abcdijk"}
        names = spec.split("->")[0].split(",")
        shapes = [tuple(min(cut[label], extent) for label, extent in zip(own, array.shape)) for own, array in zip(names, arrays)]
        arrays = [array[tuple(map(slice, shape))] for array, shape in zip(arrays, shapes)]
        operands = [Sharding(own.mesh, shape, own.to("jax")) for own, shape in zip(operands, shapes)]
        operands = [own if own.is_even else Sharding(own.mesh, own.shape, "P()") for own in operands]
        given = [jax.device_put(array.astype(numpy.float32), engine.named_sharding(own)) for array, own in zip(arrays, operands)]
        result, expected = engine.einsum(spec, *given), numpy.einsum(spec, *arrays)
        assert isinstance(result, jax.Array) and result.shape == expected.shape and (numpy.asarray(result) == expected).all(), spec
    ones = jax.device_put(numpy.ones((4, 3)), jax.sharding.NamedSharding(jax.make_mesh((2,), ("x",)), jax.sharding.PartitionSpec("x")))
    assert engine.einsum("ij->j", ones).tolist() == [4, 4, 4]


def targets(jax, named):
    """A target in every way in which it can be given."""
    spec = named.spec
    entries = [list(entry) if isinstance(entry, tuple) else entry for entry in spec]
    return [named, spec, entries, tuple(spec), str(spec).replace("PartitionSpec", "P"), repr(spec)]


def test_targets_are_taken_in_every_form_and_within_jit(jax, engine):
    NamedSharding, P = jax.sharding.NamedSharding, jax.sharding.PartitionSpec
    mesh = jax.make_mesh((2, 4), ("x", "y"), axis_types=(jax.sharding.AxisType.Explicit,) * 2)
    array = numpy.arange(128, dtype=numpy.float32).reshape(16, 8)
    rng = random.Random(11)
    for _ in range(CASES // 25):
        before, after = (P(*random_spec(rng, {"x": 2, "y": 4}, 2)) for _ in range(2))
        given, wanted = jax.device_put(array, NamedSharding(mesh, before)), NamedSharding(mesh, after)
        for target in targets(jax, wanted):
            moved = engine.redistribute(given, target)
            assert moved.sharding.is_equivalent_to(wanted, 2) and (numpy.asarray(moved) == array).all(), target
            assert engine.einsum("ij->ij", given, out=target).sharding.is_equivalent_to(wanted, 2), target
        within = jax.jit(lambda own: engine.redistribute(own, after) + engine.redistribute(own, wanted))(given)
        assert within.sharding.is_equivalent_to(wanted, 2) and (numpy.asarray(within) == 2 * array).all()
        product = jax.jit(lambda own: engine.einsum("ij,kj->ik", own, own, out=P()))(given)
        assert (numpy.asarray(product) == array @ array.T).all()
        with jax.set_mesh(mesh):
            gradient = jax.jit(jax.grad(lambda own: (given * engine.einsum("ij,kj,kl->il", own, given, given, out=before)).sum()))(given)
        assert (numpy.asarray(gradient) == array @ array.T @ array).all()


def test_axes_of_one_device_come_back_as_they_were_given(jax, engine):
    NamedSharding, P = jax.sharding.NamedSharding, jax.sharding.PartitionSpec
    array = numpy.arange(64, dtype=numpy.float32).reshape(8, 8)
    for kind in [jax.sharding.AxisType.Explicit, jax.sharding.AxisType.Auto]:
        mesh = jax.make_mesh((4, 1), ("a", "b"), axis_types=(kind,) * 2)
        specs = [P(*entries) for entries in [(("a", "b"), None), (("b", "a"), None), ("a", "b"), ("b", "a"), ("b", None), (None, ("a", "b"))]]
        for before in specs:
            given = jax.device_put(array, NamedSharding(mesh, before))
            for after in specs:
                for moved in [engine.redistribute(given, after), engine.einsum("ij->ij", given, out=after)]:
                    # JAX itself writes a spec anew where axes are not explicit.
                    explicit = kind == jax.sharding.AxisType.Explicit
                    assert moved.sharding.spec == after if explicit else moved.sharding.is_equivalent_to(NamedSharding(mesh, after), 2)
                    assert (numpy.asarray(moved) == array).all(), (before, after)
            assert (numpy.asarray(engine.einsum("ij,jk->ik", given, given)) == array @ array).all()


def test_sums_that_a_partition_spec_owes(jax, engine):
    NamedSharding, P = jax.sharding.NamedSharding, jax.sharding.PartitionSpec
    mesh = jax.make_mesh((2, 4), ("x", "y"))
    assert engine.sharding(NamedSharding(mesh, P("x", unreduced={"y"})), (8, 8)) == Sharding(Mesh(x=2, y=4), (8, 8), "[Shard(0), Partial(sum)]")
    owed = engine.Parts(numpy.ones((8, 4, 8), numpy.float32), Sharding(Mesh(x=2, y=4), (8, 8), "[Shard(0), Partial(sum)]"))
    moved = engine.redistribute(owed, P(None, "x", unreduced={"y"}))
    assert isinstance(moved, engine.Parts) and moved.sharding.owed == {"y": "sum"}
    assert (numpy.asarray(engine.redistribute(moved, P("x", "y"))) == 4).all()
    assert (numpy.asarray(engine.einsum("ij,ij->", owed, engine.redistribute(owed, "P()"))) == 16 * 64).all()
    assert (numpy.asarray(jax.jit(lambda own: engine.redistribute(own, "P()"))(owed)) == 4).all()


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
    P, named = jax.sharding.PartitionSpec, jax.sharding.NamedSharding
    mesh, auto = jax.make_mesh((2, 4), ("x", "y")), jax.make_mesh((2, 4), ("x", "y"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
    ones = jax.device_put(numpy.ones((8, 8), numpy.float32), named(mesh, P("x")))
    owed = Sharding(Mesh(x=2, y=4), (8, 8), "[Shard(0), Partial(sum)]")
    program = engine.redistribution(Redistribution(owed, Sharding(Mesh(x=2, y=4), (8, 8), "P(x)")))
    for act, reason in [
        (lambda: engine.redistribute(ones, P(P.UNCONSTRAINED)), "an entry of a PartitionSpec is None, an axis, or a tuple of axes"),
        (lambda: engine.redistribute(ones, [3]), "an entry of a PartitionSpec is None, an axis, or a tuple of axes"),
        (lambda: engine.redistribute(ones, 3), "a target is a Sharding or its text"),
        (lambda: engine.redistribute(ones, named(jax.make_mesh((4, 2), ("x", "y")), P("x"))), "put it there by `jax.device_put` first"),
        (lambda: engine.redistribute(ones, named(jax.sharding.Mesh(mesh.devices[::-1], ("x", "y")), P("x"))), "put it there by `jax.device_put` first"),
        (lambda: engine.redistribute(ones, P("x", unreduced={"y"})), "along `y` FROM holds complete values and TO partial values of a sum; a plan cannot create partial values"),
        (lambda: engine.redistribute(ones, '[Shard(0), Partial("avg")]'), "an average is the sum of parts that are divided"),
        (lambda: engine.redistribute(ones, "[Partial(sum), Partial(max)]"), "a sum is owed along `x` and a max along `y`"),
        (lambda: engine.einsum("...j->j", ones), "an ellipsis is not read"),
        (lambda: jax.jit(lambda own: engine.redistribute(own, P()))(jax.device_put(ones, named(auto, P("x")))), "within `jax.jit` an array has"),
        (lambda: program(numpy.ones((8, 4, 8))), "is `Parts`, and here is an array"),
        (lambda: program(engine.Parts(numpy.ones((8, 8)), owed)), "has an array of the shape"),
        (lambda: engine.redistribution(Redistribution(engine.sharding(ones.sharding, (8, 8)), owed.reshape((8, 8))))(ones), "a plan cannot create partial values"),
    ]:
        with pytest.raises(ValueError, match=re.escape(reason)):
            act()
    with pytest.raises(ValueError, match="cannot say"):
        engine.named_sharding(Sharding(Mesh(x=8), (16,), "[_StridedShard(0, sf=2)]"))


def test_documentation(engine):
    examples.of_module(engine, {})
    assert examples.of_page("../../../docs/sharding/engines.md") > 15


@pytest.mark.parametrize("program", sorted(PROGRAMS.glob("*.py")), ids=lambda program: program.stem)
def test_programs(engine, program, capsys):
    runpy.run_path(str(program), run_name="__main__")
    assert f"right on {DEVICES} devices" in capsys.readouterr().out
