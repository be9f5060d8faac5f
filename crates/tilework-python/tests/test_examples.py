"""Every public name has an example that runs: in its own documentation, or where another example, or a page, uses it."""

import doctest
import inspect
import re
from pathlib import Path

import examples
import pytest

import tilework
from tilework import errors, hardware, kernel, pycute, torch_mesh

MODULES = [tilework, hardware, kernel, torch_mesh, pycute, *pycute._MODULES]
PAGES = Path(__file__).parents[1] / "docs"


def of(text):
    """The programs of the examples in a text, which `examples.of_page` and the tests of each module run."""
    return "\n".join(example.source for example in doctest.DocTestParser().get_examples(text or ""))


def of_member(member):
    # Before Python 3.15 a static method has the documentation of `staticmethod`.
    return of(inspect.getdoc(getattr(member, "__func__", member)))


def names(module):
    """What a module offers and the package makes, errors aside: each stands where it is raised."""
    for name in module.__all__:
        member = getattr(module, name)
        made_here = str(getattr(member, "__module__", "")).startswith("tilework")
        if callable(member) and made_here and not (inspect.isclass(member) and issubclass(member, Exception)):
            yield name, member


def attributes(member):
    return [(name, value) for name, value in vars(member).items() if not name.startswith("_")] if inspect.isclass(member) else []


@pytest.fixture(scope="module")
def shown():
    """All examples in one text."""
    texts = [of(page.read_text()) for page in PAGES.glob("*.md")] + [of(module.__doc__) for module in [*MODULES, errors]]
    for module in MODULES:
        for _, member in names(module):
            texts += [of_member(member), *(of_member(value) for _, value in attributes(member))]
    return "\n".join(texts)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_every_name_has_an_example(module, shown):
    without = []
    for name, member in names(module):
        if not of_member(member) and not re.search(rf"\b{name}\b", shown):
            without.append(name)
        for attribute, value in attributes(member):
            if not of_member(value) and not re.search(rf"\.{attribute}\b", shown):
                without.append(f"{name}.{attribute}")
    assert not without, "an example for each"


def test_page():
    assert examples.of_page("classes.md") > 50


def test_torch_mesh():
    examples.of_module(torch_mesh, {})
