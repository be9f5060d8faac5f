"""Every case of the corpus: as text, and through Python's functions and objects."""

import re

import pytest
from corpus import cases, comparable

import tilework
from tilework import Session, TileworkError, parse

CASES = list(cases())


def as_text(value):
    """A value of Python as the notation writes it."""
    if value is None:
        return "_"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "(" + ",".join(map(as_text, value)) + ")"
    return str(value)


def test_there_are_cases():
    assert len(CASES) > 2300


@pytest.mark.parametrize("evaluate", [lambda e: Session().print(e), lambda e: as_text(parse(e))], ids=["text", "objects"])
def test_every_case(evaluate):
    wrong = []
    for expression, wanted, loose in CASES:
        try:
            got = evaluate(expression)
        except TileworkError as error:
            if wanted is not None:
                wrong.append(f"{expression}: want {wanted}, got {error}")
            continue
        if wanted is None or comparable(got, loose) != comparable(wanted, loose):
            wrong.append(f"{expression}: want {wanted}, got {got}")
    assert not wrong, "\n".join(wrong)


def calls():
    """The cases that are one call `name(argument, ...)` of literals, with their arguments apart."""
    for expression, wanted, loose in CASES:
        match = re.fullmatch(r"(\w+)\((.*)\)", expression)
        if not match or match[1] not in tilework.FUNCTIONS:
            continue
        depth, arguments = 0, [""]
        for character in match[2]:
            depth += (character in "(<{") - (character in ")>}")
            if depth < 0:
                break
            if character == "," and depth == 0:
                arguments.append("")
            else:
                arguments[-1] += character
        else:
            yield match[1], arguments, wanted, loose


@pytest.mark.parametrize("method", [False, True], ids=["functions", "methods"])
def test_calls_by_python(method):
    """The arguments as objects of Python, and the function or the method of Python."""
    wrong, done = [], 0
    for name, texts, wanted, loose in calls():
        try:
            arguments = [parse(text) for text in texts]
        except TileworkError:
            continue
        if method:
            function = getattr(arguments[0], name, None)
            if not isinstance(arguments[0], tilework.AnyLayout) or not callable(function):
                continue
            arguments = arguments[1:]
        else:
            function = getattr(tilework, name)
        done += 1
        try:
            got = as_text(function(*arguments))
        except (TileworkError, TypeError) as error:
            if wanted is not None:
                wrong.append(f"{name}{texts}: want {wanted}, got {error}")
            continue
        if wanted is None or comparable(got, loose) != comparable(wanted, loose):
            wrong.append(f"{name}{texts}: want {wanted}, got {got}")
    assert not wrong, "\n".join(wrong)
    assert done > 1500


def test_every_function_is_here():
    """The functions of Python are those of the expression language."""
    assert len(tilework.FUNCTIONS) > 70
    for name in tilework.FUNCTIONS:
        assert callable(getattr(tilework, name)), name
        assert getattr(tilework, name).__doc__, name
