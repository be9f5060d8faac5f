"""The stubs are those of the module, and the types are what they say."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tilework import pycute

HERE = Path(__file__).parents[1]


def test_stubs_are_as_written():
    done = subprocess.run([sys.executable, HERE / "stubs.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("module", ["tilework._core", "tilework.hardware", "tilework.kernel", "tilework.sharding", "tilework.jax", "tilework.torch"])
def test_stubs_are_the_module(module):
    """What is here is in the stubs and the other way round, with the same parameters."""
    if module in ("tilework.jax", "tilework.torch") and importlib.util.find_spec(module.removeprefix("tilework.")) is None:
        pytest.skip(f"{module} is not compared with its stubs where its engine is not installed")
    allowed = ["--allowlist", HERE / "tests/stubtest.txt"] if module == "tilework._core" else []
    command = [sys.executable, "-m", "mypy.stubtest", module, *allowed]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_stubs_are_pycute(tmp_path):
    """The same for pycute, but that functions which are called through an object are written as functions."""
    allowed = tmp_path / "allowed.txt"
    names = {f"{member.__module__}.{name}" for name, member in vars(pycute).items() if isinstance(member, pycute.operation.Operation)}
    allowed.write_text("".join(re.escape(name) + "\n" for name in sorted(names)))
    command = [sys.executable, "-m", "mypy.stubtest", "tilework.pycute", "--allowlist", allowed]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_types(tmp_path):
    """A program with the right types is accepted, and one with wrong types is not."""
    good = tmp_path / "good.py"
    good.write_text(
        "from tilework import ComposedLayout, Layout, Swizzle, Tensor, composition, size, parse\n"
        "a: Layout = Layout((4, 8), (8, 1)) @ Layout('8:1')\n"
        "b: ComposedLayout = composition(ComposedLayout(Swizzle(3, 4, 3), 0, a), (2, 4))\n"
        "n: int = size(a, 0) + a.zipped_divide((2, None)).size\n"
        "t: Tensor = Tensor([1, 2], 2).flatten()\n"
        "for mode in a:\n    m: Layout = mode\n"
        "from tilework import View, hardware\n"
        "text: str = a.to('numpy', bits=16)\n"
        "mma = hardware.atom('SM80_16x8x16_F32F16F16F32_TN')\n"
        "v: View = hardware.TiledMma(mma, (2, 2, 1)).thread(0).partition_A((64, 64))\n"
        "u: Tensor = hardware.TiledMma(mma).thread(0).partition_A(Tensor([1], '1:0'))\n"
        "ways: int = hardware.banks('(32,32):(32,1)', '(32,32):(1,32)', bits=32).degree\n"
        "facts: int = a.rank + a.depth + a.cosize + t.size + t.rank\n"
        "truth: bool = a.is_compact\n"
        "from pathlib import Path\n"
        "from tilework import Tiler, __version__, draw, errors, zipped_divide\n"
        "saved: Path = draw(a).save('a.svg')\n"
        "tiles: Layout = zipped_divide(a, Tiler(2, None))\n"
        "release: str = __version__\n"
        "try:\n    parse('(4')\nexcept errors.Syntax as error:\n    start, help = error.span[0], error.help or error.code\n"
    )
    good.write_text(
        good.read_text()
        + "from tilework import pycute\n"
        "p: pycute.Layout = pycute.logical_divide(pycute.Layout((8, 8), (8, 1)), (2, None))[0]\n"
        "pycute.install()\n"
    )
    bad = tmp_path / "bad.py"
    bad.write_text(
        "from tilework import Layout, size, pycute\nx: str = size(Layout(4))\nLayout(4).compose(3)\nLayout(1.5)\n"
        "pycute.composition(4)\n"
    )
    mypy = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache"]
    done = subprocess.run([*mypy, good], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    done = subprocess.run([*mypy, bad], capture_output=True, text=True)
    assert "Found 4 errors" in done.stdout, done.stdout
