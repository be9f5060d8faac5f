"""The cases of `corpus/`, which every front end runs. See `corpus/cases.rs` for what the files mean."""

import json
import re
from pathlib import Path

CORPUS = Path(__file__).parents[3] / "corpus"


def cases():
    """Expressions with their results, `None` for what has to be refused, and whether strides of extents 1 count."""
    held_wrong = (CORPUS / "held_wrong.txt").read_text().splitlines()
    for file in [*sorted(CORPUS.glob("*.jsonl")), *sorted(CORPUS.glob("language/*.jsonl"))]:
        for line in file.read_text().splitlines():
            case = json.loads(line)
            result = None if case["expr"] in held_wrong else case["result"]
            yield case["expr"], result, case.get("loose", False)


def comparable(text, loose):
    """The text without spaces, and without what does not count."""
    text = "".join(text.split())
    shape, colon, stride = text.partition(":")
    if not loose or not colon:
        return text
    shape, stride = (re.findall(r"[(),]|[^(),]+", part) for part in (shape, stride))
    if len(shape) != len(stride) or any(":" in token for token in stride):
        return text
    return "".join(shape) + ":" + "".join("_" if s == "1" else d for s, d in zip(shape, stride))
