"""The algebra of device meshes: right by enumeration, and what torch's own gives wherever that is right."""

import importlib.util
import random
import subprocess
import sys
from collections import Counter
from itertools import product

import pytest
import random_layouts as truth

from tilework import torch_mesh

#: What torch's pycute raises.
REFUSED = (AssertionError, ZeroDivisionError, IndexError, ValueError, TypeError, RecursionError)
CASES = 3000


class Layout:
    """A layout in lexicographic order, by evaluation alone."""

    def __init__(self, shape, stride):
        self.shape, self.stride = shape, stride

    def __len__(self):
        return len(self.shape) if isinstance(self.shape, tuple) else 1

    def __getitem__(self, i):
        return Layout(self.shape[i], self.stride[i]) if isinstance(self.shape, tuple) else [self][i]

    def __call__(self, index):
        extents, steps, offset = truth.leaves(self.shape), truth.leaves(self.stride), 0
        for extent, step in reversed(list(zip(extents[1:], steps[1:]))):
            offset += index % extent * step
            index //= extent
        return offset + (index * steps[0] if steps else 0)

    def size(self):
        return truth.product(self.shape)


def offsets(x):
    """All offsets, the last mode fastest."""
    if not truth.all_positive(x):
        return None
    steps = truth.leaves(x.stride)
    return [sum(c * d for c, d in zip(at, steps)) for at in product(*map(range, truth.leaves(x.shape)))]


def is_composition(a, b, r):
    through = Layout(a.shape, a.stride)
    return truth.all_positive(r) and offsets(r) == [through(i) for i in offsets(b)]


def is_complement(a, r):
    """Increasing, and no sum of an offset of each comes twice."""
    steps = offsets(r)
    return steps is not None and all(x < y for x, y in zip(steps, steps[1:])) and truth.direct(offsets(a), steps)


def cases(seed):
    generator = random.Random(seed)
    for _ in range(CASES):
        yield generator, Layout(*truth.parts(generator))


def answer(function, *arguments):
    try:
        return function(*arguments)
    except REFUSED as refusal:
        return refusal


@pytest.fixture(scope="module")
def fork():
    """torch's own pycute, read from where torch is, which need not be able to run here."""
    torch = importlib.util.find_spec("torch")
    if torch is None:
        pytest.skip("torch is not installed: its own algebra of meshes is not compared")
    folder = f"{torch.submodule_search_locations[0]}/distributed/_pycute"
    spec = importlib.util.spec_from_file_location("torch_pycute", f"{folder}/__init__.py", submodule_search_locations=[folder])
    module = sys.modules["torch_pycute"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compare(theirs, ours, is_right, count):
    """Ours is right or a refusal, and it is theirs where that is right."""
    assert not isinstance(ours, Exception) or isinstance(ours, ValueError), ours
    assert isinstance(ours, Exception) or is_right(ours), ours
    refused = isinstance(theirs, Exception)
    if not refused and is_right(theirs):
        assert not isinstance(ours, Exception) and truth.plain(ours) == truth.plain(theirs), (theirs, ours)
        count["the same"] += 1
    else:
        whose = "theirs refused" if refused else "theirs wrong"
        count[f"{whose}, ours {'refused' if isinstance(ours, Exception) else 'right'}"] += 1
    return count


def test_coalesce(fork):
    count = Counter()
    for generator, a in cases(1):
        their = fork.Layout(*truth.plain(a))
        compare(fork.coalesce(their), torch_mesh.coalesce(their), lambda r: offsets(r) == offsets(a), count)
        if isinstance(a.shape, tuple):
            profile = (None,) * generator.randint(0, len(a))
            assert fork.coalesce(their, profile) == torch_mesh.coalesce(their, profile)
    assert count == {"the same": CASES}


def test_complement(fork):
    count = Counter()
    for generator, a in cases(2):
        reached = generator.choice([1, a.size(), 2 * a.size(), generator.randint(1, 200)])
        their = fork.Layout(*truth.plain(a))
        ours, theirs = answer(torch_mesh.complement, their, reached), answer(fork.complement, their, reached)
        compare(theirs, ours, lambda r: is_complement(a, r), count)
    assert count["the same"] > CASES / 2 and not count["theirs refused, ours right"], count


def test_composition(fork):
    count = Counter()
    generator = random.Random(3)
    while count.total() < CASES:
        a, b = Layout(*truth.parts(generator)), Layout(*truth.parts(generator))
        if max(offsets(b)) >= a.size():
            continue
        left, right = fork.Layout(*truth.plain(a)), fork.Layout(*truth.plain(b))
        ours, theirs = answer(torch_mesh.composition, left, right), answer(fork.composition, left, right)
        compare(theirs, ours, lambda r: is_composition(a, b, r), count)
    assert count["the same"] > CASES / 2, count


def test_composition_by_mode(fork):
    count = Counter()
    for generator, a in cases(4):
        tiles = tuple(generator.choice([None, 1, 2, 3, 4]) for _ in range(generator.randint(0, len(a))))

        def is_right(r):
            r = Layout(r.shape, r.stride)
            return len(r) == len(a) and all(tile is None or is_composition(a[i], Layout(tile, 1), r[i]) for i, tile in enumerate(tiles))

        left = fork.Layout(*truth.plain(a))
        ours, theirs = answer(torch_mesh.composition, left, tiles), answer(fork.composition, left, tiles)
        compare(theirs, ours, is_right, count)
    assert count["the same"] > CASES / 2, count


def test_by_enumeration():
    """Without torch: what is given is right, and few are refused."""
    refused = Counter()
    for generator, a in cases(5):
        assert offsets(torch_mesh.coalesce(a)) == offsets(a)
        reached = generator.randint(1, 200)
        rest = answer(torch_mesh.complement, a, reached)
        refused["complement"] += isinstance(rest, ValueError)
        assert isinstance(rest, ValueError) or is_complement(a, rest)
        b = Layout(*truth.parts(generator))
        if max(offsets(b)) < a.size():
            through = answer(torch_mesh.composition, a, b)
            refused["composition"] += isinstance(through, ValueError)
            assert isinstance(through, ValueError) or is_composition(a, b, through)
    assert refused["complement"] < CASES / 2 and refused["composition"] < CASES / 2


def test_refusals():
    a = Layout((4, 2), (1, 16))
    for wrong in (lambda: torch_mesh.composition(a, 5), lambda: torch_mesh.coalesce(a, (None,) * 3), lambda: torch_mesh.complement(Layout((2, 2), (2, 3)), 19)):
        with pytest.raises(ValueError):
            wrong()
    assert torch_mesh.composition(a, None) is a


MESH = """
import torch, tilework.torch_mesh
from torch.distributed import _mesh_layout, init_device_mesh
from torch.testing._internal.distributed.fake_pg import FakeStore
torch.distributed.init_process_group("fake", store=FakeStore(), rank=0, world_size=8)
def meshes():
    mesh = init_device_mesh("cpu", (2, 2, 2), mesh_dim_names=("a", "b", "c"))
    flat = mesh["a", "c"]._flatten("ac")
    parts = [mesh, mesh["a"], mesh["b", "c"], flat, mesh._unflatten(0, (1, 2), ("d", "e"))]
    return [(part.mesh.tolist(), str(part._layout)) for part in parts]
before = meshes()
tilework.torch_mesh.install()
assert _mesh_layout.composition is tilework.torch_mesh.composition
assert meshes() == before and len(before) == 5
layout = _mesh_layout._FlatLayout((2, 4), (1, 2))
assert layout.global_ranks(16) == [[o + r for r in (0, 2, 4, 6, 1, 3, 5, 7)] for o in (0, 8)]
"""


def test_device_meshes():
    """Meshes of 8 devices, sliced, flattened and unflattened, are the same after `install()`."""
    pytest.importorskip("torch", exc_type=ImportError)
    done = subprocess.run([sys.executable, "-c", MESH], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
