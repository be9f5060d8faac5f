"""The examples of a module's documentation and of a page, run."""

import doctest
from pathlib import Path


def of_module(module, names, objects=(), optionflags=0):
    """Runs those of a module, and those of objects in it that doctest does not take for functions."""
    runner, names = doctest.DocTestRunner(optionflags=optionflags), {**names, **vars(module)}
    tests = doctest.DocTestFinder().find(module, module.__name__, globs=names)
    for name, member in vars(module).items():
        if isinstance(member, objects) and getattr(member, "func", member).__module__ == module.__name__:
            assert ">>>" in member.__doc__, name
            tests.append(doctest.DocTestParser().get_doctest(member.__doc__, dict(names), name, None, 0))
    for test in tests:
        runner.run(test)
    assert runner.summarize().failed == 0


def of_page(name):
    """Runs those of a page in docs, and says how many there are."""
    text = (Path(__file__).parents[1] / "docs" / name).read_text().replace("```\n", "\n")
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    runner = doctest.DocTestRunner()
    runner.run(test)
    assert runner.summarize().failed == 0
    return len(test.examples)
