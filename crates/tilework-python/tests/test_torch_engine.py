"""`tilework.torch`: four processes with gloo run what `torch_processes.py` checks."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import examples
import pytest

PROGRAM = Path(__file__).with_name("torch_processes.py")
CHECKS = [
    "there_and_back", "redistributions", "reductions", "products", "gradients_of_redistributions", "gradients_of_products", "what_has_no_gradient",
    "some_processes", "issue_129627", "issue_166740", "issue_167300", "issue_174831", "pull_178454", "without_dtensors",
]


@pytest.fixture(scope="module")
def done():
    if importlib.util.find_spec("torch") is None:
        pytest.skip("PyTorch is not installed: no plan is run by torch.distributed")
    return subprocess.run([sys.executable, PROGRAM], capture_output=True, text=True, timeout=600)


@pytest.mark.parametrize("check", CHECKS)
def test_four_processes(done, check):
    assert f"right: {check}\n" in done.stdout, done.stderr[-3000:]


def test_documentation(done):
    from tilework import torch as engine

    examples.of_module(engine, {})


def test_all_checks_are_named(done):
    assert done.returncode == 0, done.stderr[-3000:]
    assert [line.removeprefix("right: ") for line in done.stdout.splitlines() if line.startswith("right: ")] == CHECKS
