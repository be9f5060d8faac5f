"""The cases of `corpus/sharding`, which every front end runs."""

import json

import pytest
from corpus import CORPUS

import tilework
from tilework import TileworkError
from tilework.sharding import Mesh, Redistribution, Sharding

CASES = [json.loads(line) for line in (CORPUS / "sharding" / "shardings.jsonl").read_text().splitlines()]


def answer(case):
    mesh = Mesh(case["mesh"])
    shape = tilework.parse(case["shape"])
    source = Sharding(mesh, shape, case["spec"])
    if "to" not in case:
        return {"layout": str(source.layout), "local": list(source.local_shape), "even": source.is_even}
    plan = Redistribution(source, Sharding(mesh, shape, case["to"]), links=case.get("links"))
    collectives = plan.collectives
    return {
        "steps": None if collectives is None else [str(step) for step in collectives],
        "by_messages": plan.steps is None,
        "bytes": None if plan.most_received is None else -(-plan.most_received * case["bits"] // 8),
    }


def test_there_are_cases():
    assert len(CASES) > 45


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['spec']} {case.get('to', '')} on {case['mesh']}")
def test_every_case_of_the_corpus(case):
    if case["result"] is None:
        with pytest.raises(TileworkError) as caught:
            answer(case)
        assert (caught.value.code, caught.value.message) == (case["code"], case["says"])
    else:
        assert answer(case) == case["result"]
