"""The stubs are those of the module, and the types are what they say."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parents[1]


def test_stubs_are_as_written():
    subprocess.run([sys.executable, HERE / "stubs.py", "--check"], check=True)


def test_stubs_are_the_module():
    """What is here is in the stubs and the other way round, with the same parameters."""
    command = [sys.executable, "-m", "mypy.stubtest", "tilework._core", "--allowlist", HERE / "tests/stubtest.txt"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_types(tmp_path):
    """A program with the right types is accepted, and one with wrong types is not."""
    good = tmp_path / "good.py"
    good.write_text(
        "from tilework import ComposedLayout, Layout, Swizzle, Tensor, composition, size, parse\n"
        "a: Layout = Layout((4, 8), (8, 1)) @ Layout('8:1')\n"
        "b: ComposedLayout = composition(ComposedLayout(Swizzle(3, 4, 3), 0, a), (2, 4))\n"
        "n: int = size(a, 0) + a.zipped_divide((2, None)).size()\n"
        "t: Tensor = Tensor([1, 2], 2).flatten()\n"
        "for mode in a:\n    m: Layout = mode\n"
    )
    bad = tmp_path / "bad.py"
    bad.write_text("from tilework import Layout, size\nx: str = size(Layout(4))\nLayout(4).compose(3)\nLayout(1.5)\n")
    mypy = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache"]
    done = subprocess.run([*mypy, good], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    done = subprocess.run([*mypy, bad], capture_output=True, text=True)
    assert "Found 3 errors" in done.stdout, done.stdout
