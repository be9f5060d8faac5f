"""What the documentation shows is what comes out, and everything has documentation."""

import contextlib
import doctest
import importlib
import inspect
import io
import re
from pathlib import Path

import examples
import pytest

import tilework
from tilework import _core, errors, hardware, kernel, sharding, testing

MODULES = [tilework, errors, _core, hardware, kernel, sharding, testing]


def documented(module):
    """Everything public with a docstring of its own, by name."""
    yield module.__name__, module
    for name, member in vars(module).items():
        if name.startswith("_") or inspect.ismodule(member):
            continue
        if inspect.isclass(member) or callable(member):
            yield f"{module.__name__}.{name}", member
        if inspect.isclass(member):
            for attribute, value in vars(member).items():
                # Before Python 3.15 a static method has the documentation of `staticmethod`.
                value = getattr(value, "__func__", value)
                if not attribute.startswith("_") and (callable(value) or inspect.isdatadescriptor(value)):
                    yield f"{module.__name__}.{name}.{attribute}", value


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_examples(module):
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    examples = 0
    for name, member in documented(module):
        doc = inspect.getdoc(member) or ""
        test = parser.get_doctest(doc, {}, name, None, None)
        examples += len(test.examples)
        runner.run(test)
    assert runner.summarize().failed == 0
    assert examples > 0


@pytest.mark.parametrize("page", ["README.md", "../../README.md"])
def test_pages(page):
    """The programs of the pages run, and print what stands behind each `print`."""
    programs = re.findall(r"```python\n(.*?)```", (Path(__file__).parents[1] / page).read_text(), re.S)
    for program in programs:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(program, {})
        expected = re.findall(r"^print\(.*\) *# (.*)$", program, re.M)
        assert set(expected) <= set(printed.getvalue().splitlines()), printed.getvalue()
    assert programs


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_everything_is_documented(module):
    without = [name for name, member in documented(module) if not inspect.getdoc(member)]
    assert not without


def test_names():
    """What `import *` gives is there, and shadows nothing of Python."""
    for name in tilework.__all__:
        assert hasattr(tilework, name)
        # The interpreter's own `_` is the last result.
        assert name == "_" or not hasattr(importlib.import_module("builtins"), name), f"{name} is Python's: leave it out of __all__ in __init__.py"
    assert tilework.make_layout((4, 8), stride=(8, 1)) == tilework.Layout("(4,8):(8,1)")


def test_numpy_page():
    assert examples.of_page("../../../docs/kernel/numpy.md") == 11
