"""Every case of the corpus: as text, and through Python's functions and objects."""

import inspect
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


def difference(what, evaluate, wanted, loose, refusals=TileworkError):
    """What is wrong with an answer, if anything is; `None` is wanted where it is to be refused."""
    try:
        got = evaluate()
    except refusals as error:
        return None if wanted is None else f"{what}: want {wanted}, got {error}"
    same = wanted is not None and comparable(got, loose) == comparable(wanted, loose)
    return None if same else f"{what}: want {wanted}, got {got}"


@pytest.mark.parametrize("evaluate", [lambda e: Session().print(e), lambda e: as_text(parse(e))], ids=["text", "objects"])
def test_every_case(evaluate):
    wrong = [difference(expression, lambda e=expression: evaluate(e), wanted, loose) for expression, wanted, loose in CASES]
    assert not any(wrong), "\n".join(filter(None, wrong))


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
            member = getattr(tilework.AnyLayout, name, None)
            if not isinstance(arguments[0], tilework.AnyLayout) or not member:
                continue
            if inspect.isdatadescriptor(member):
                member = member.__get__
            function = lambda *given, member=member: member(*given)
        else:
            function = getattr(tilework, name)
        done += 1
        refusals = (TileworkError, TypeError)
        wrong.append(difference(f"{name}{texts}", lambda: as_text(function(*arguments)), wanted, loose, refusals))
    assert not any(wrong), "\n".join(filter(None, wrong))
    assert done > 1500


def test_every_function_is_here():
    """The functions of Python are those of the expression language."""
    assert len(tilework.FUNCTIONS) > 70
    for name in tilework.FUNCTIONS:
        assert callable(getattr(tilework, name)), name
        assert getattr(tilework, name).__doc__, name
