"""Indices in brackets, as in the language: `size[1](L)` is `size<1>(L)`."""

import copy
import inspect
import pickle
import random

import numpy
import pytest

import tilework
from tilework import _core, errors

INDEXED = {name: member for name, member in vars(_core).items() if isinstance(member, _core._Indexed) and member.__name__ == name}
LAYOUTS = ["(4,(8,2)):(1,(4,32))", "((2,3),4):((1,2),6)", "(4,8,2):(1,4,32)", "Sw<3,4,3> o 0 o (8,128):(128,1)", "{16} o (4,8):(8,1)", "(4,(8,2))", "12:1"]


def answer(call):
    """The answer as text, or the code of the refusal."""
    try:
        return str(call())
    except TypeError:
        return "arguments"
    except errors.TileworkError as error:
        return error.code


def test_the_functions_with_indices():
    assert {"size", "rank", "depth", "shape", "stride", "cosize", "max", "get", "group", "take", "select", "append", "upcast"} <= set(INDEXED)
    assert "coalesce" not in INDEXED and tilework.mode[1]((4, 8)) == 8


@pytest.mark.parametrize("name", INDEXED)
def test_brackets_are_those_of_the_language(name):
    chance, answered = random.Random(name), 0
    for _ in range(200):
        text = chance.choice(LAYOUTS)
        indices = tuple(chance.choices(range(5), k=chance.choice([1, 1, 2, 2, 3])))
        more = ["4:2"] if name == "replace" else []
        wanted = answer(lambda: tilework.parse(f"{name}<{','.join(map(str, indices))}>({', '.join([text, *more])})"))
        key = indices if len(indices) > 1 or chance.random() < 0.5 else indices[0]
        given = text if chance.random() < 0.5 else tilework.parse(text)
        found = answer(lambda: INDEXED[name][key](given, *more))
        assert found == wanted or {found, wanted} <= REFUSED, (name, indices, text, found, wanted)
        answered += found not in REFUSED
    assert answered, name


#: Codes of refusals that may differ: a missing index is an argument too few.
REFUSED = {"arguments", "index", "kind", "syntax", "rank"}


def test_parts_of_tensors_and_symbolic_layouts():
    tensor = tilework.Tensor(numpy.zeros((4, 8)))
    assert tilework.size[1](tensor) == tilework.size(tensor, 1) == 8
    assert tilework.group[0, 2](tensor).shape == ((4, 8),)
    with tilework.Scope():
        tile = tilework.Layout("((M,4),K):((1,M),4*M)")
        for path in [0, 1, (0, 1), (0, 0)]:
            indices = path if isinstance(path, tuple) else (path,)
            for name in ["size", "rank", "depth", "shape", "stride", "cosize", "max"]:
                wanted = getattr(tile[path], name)
                assert str(INDEXED[name][path](tile)) == str(wanted)
                if name in ("size", "rank", "shape", "stride"):
                    assert str(INDEXED[name](tile, *indices)) == str(wanted)


def test_what_is_no_index():
    for wrong in [(4, "8"), "(4,8)", 1.5, None, slice(0, 2), True, -1]:
        with pytest.raises(errors.Kind, match="size\\[1\\]"):
            tilework.size[wrong]
    for call in [lambda: tilework.size[1](), lambda: tilework.size[0](layout=(4, 8)), lambda: tilework.get[0](layout=(4, 8)), lambda: tilework.append[3](4, mode=2)]:
        with pytest.raises(TypeError):
            call()


def test_they_are_functions():
    for name, member in INDEXED.items():
        assert callable(member) and member.__doc__ and member.__module__ == "tilework._core" and name in repr(member)
        assert inspect.signature(member).parameters
        assert copy.deepcopy(member) is pickle.loads(pickle.dumps(member)) is member
