"""The cases: operands from a seed, answers from the exact algebra, and what enumeration says where there is none.

An identifier is the operation and the start of the hash of the question, so that it stays when cases are added or their order changes.
"""

import hashlib
import json
import random
from dataclasses import dataclass
from typing import Optional

from conformance import judge
from conformance.notation import Layout, Swizzled, Tiler, leaves, modes, read, text
from conformance.pairs import layout
from conformance.preconditions import documented

SCHEMA, SEED = 1, 42


@dataclass(frozen=True)
class Case:
    op: str
    args: tuple
    answer: Optional[str] = None
    none: Optional[str] = None

    @property
    def id(self):
        return f"{self.op}-{hashlib.sha256(self.expression.encode()).hexdigest()[:8]}"

    @property
    def expression(self):
        return f"{self.op}({', '.join(self.args)})"

    @property
    def operands(self):
        return [read(arg) for arg in self.args]

    def line(self):
        inside = "inside" if documented(self.op, self.operands) else "outside"
        row = {"id": self.id, "op": self.op, "args": self.args, "class": inside}
        if self.answer:
            row |= {"domain": domain(self.op, self.operands, read(self.answer)), "answer": self.answer}
        elif self.none:
            row |= {"none": self.none}
        return json.dumps({key: value for key, value in row.items() if value is not None}, separators=(",", ":"))


def domain(op, args, answer):
    """The shape whose coordinates decide; None where the answer is a value."""
    if op in judge.VALUES:
        return None
    if op == "composition":
        tiles = args[1].modes if isinstance(args[1], Tiler) else None
        return text(tuple(tile.shape for tile in tiles) if tiles else args[1].shape)
    if op in ("coalesce", "left_inverse", "nullspace"):
        return text(judge.size(args[0].shape))
    if op == "complement":
        return text(args[1])
    if op == "upcast" or op == "recast" and args[2] >= args[1]:
        return text(args[0].shape)
    if op in ("right_inverse", "common_layout"):
        return text(judge.size(answer.shape))
    return text(answer.shape)


def file_of(cases):
    """The text of cases.jsonl: a head with the schema, the seed and the hash of the lines below it, and a line for each case."""
    body = "".join(case.line() + "\n" for case in cases)
    head = {"schema": SCHEMA, "seed": SEED, "cases": len(cases), "sha256": hashlib.sha256(body.encode()).hexdigest()}
    return json.dumps(head) + "\n" + body


def cases_of(path):
    """The cases of a file, after a look at its head."""
    head, *lines = path.read_text().splitlines(keepends=True)
    said, body = json.loads(head), "".join(lines)
    if said["schema"] != SCHEMA or said["sha256"] != hashlib.sha256(body.encode()).hexdigest():
        raise ValueError(f"{path}: another schema, or lines that are not those of its head")
    rows = map(json.loads, lines)
    return [(Case(row["op"], tuple(row["args"]), row.get("answer"), row.get("none")), row["class"]) for row in rows]


def suite():
    """The questions of the suite."""
    named = [Case(op, tuple(args)) for op, *args in NAMED]
    drawn = [case for op, (count, draw) in DRAWN.items() for case in _different(op, draw, count, f"{SEED} {op}")]
    return list({case.id: case for case in named + drawn}.values())


def further(count, seed):
    """`count` other questions, of each operation as large a share as in the suite."""
    total = sum(share for share, _ in DRAWN.values())
    for i, (op, (share, draw)) in enumerate(DRAWN.items()):
        rng = random.Random(f"{seed} {op} further")
        until, past = (count * part // total for part in (_shares(i + 1), _shares(i)))
        yield from (_drawn(op, draw, rng) for _ in range(until - past))


def settled(cases, answers):
    """The cases with the answers of the exact algebra; where it refuses, with the coordinate that proves that none exists."""
    for case, answer in zip(cases, answers):
        kind, coordinate = ("exists", None) if answer != "refused" else judge.existence(case.op, case.operands)
        none = text(coordinate) if kind == "none" else None
        yield Case(case.op, case.args, answer if answer != "refused" else None, none)


def _shares(count):
    return sum([share for share, _ in DRAWN.values()][:count])


def _different(op, draw, count, seed):
    rng, found = random.Random(seed), {}
    for _ in range(20 * count):
        case = _drawn(op, draw, rng)
        found.setdefault(case.id, case)
        if len(found) == count:
            break
    return found.values()


def _drawn(op, draw, rng):
    return Case(op, tuple(map(text, draw(rng))))


# How operands are drawn.

ANY = ("compact", "chain", "any", "any", "signed", "large")
POSITIVE = ("compact", "compact", "chain", "any")


def _one(rng):
    return (layout(rng, 96, ANY, 4),)


def _function(rng):
    return (layout(rng, 96, ("compact", "chain", "any", "any", "signed"), 4),)


def _left_inverse(rng):
    return (layout(rng, 48, ("compact", "chain", "chain", "any")),)


def _compose(rng):
    if rng.random() < 0.2:
        a = _ranked(rng)
        tiles = [layout(rng, 8, POSITIVE, 2) for _ in range(rng.randint(1, len(modes(a)) + (rng.random() < 0.1)))]
        return a, Tiler(tuple(tiles))
    a = layout(rng, 96, ANY, 4)
    if rng.random() < 0.1:
        a = _swizzled(rng, a)
    return a, layout(rng, 24, (*POSITIVE, "signed") if rng.random() < 0.2 else POSITIVE)


def _complement(rng):
    b = layout(rng, 24)
    return b, rng.choice((24, 36, 48, 60, 96, judge.size(b.shape) * rng.randint(1, 6)))


def _divide(rng):
    if rng.random() < 0.4:
        a = _ranked(rng)
        tiles = [_tile(rng, judge.size(mode.shape)) for mode in modes(a)]
        return a, Tiler(tuple(tiles[: rng.randint(1, len(tiles))]))
    a = layout(rng, 96, POSITIVE)
    return a, _tile(rng, judge.size(a.shape)) if rng.random() < 0.6 else layout(rng, 24)


def _product(rng):
    if rng.random() < 0.25:
        a = _ranked(rng)
        tiles = [layout(rng, 6, POSITIVE, 2) for _ in range(rng.randint(1, len(modes(a))))]
        return a, Tiler(tuple(tiles))
    return _blocks(rng)


def _blocks(rng):
    return layout(rng, 24), layout(rng, 12)


def _tile(rng, within):
    """A tile of one mode, most often one that divides."""
    divisors = [n for n in range(1, within + 1) if within % n == 0]
    extent = rng.choice(divisors) if rng.random() < 0.8 else rng.randint(1, 8)
    step = rng.choice([n for n in divisors if within % (n * extent) == 0] or [1])
    return Layout(extent, step)


def _ranked(rng):
    while True:
        a = layout(rng, 96, POSITIVE, 4)
        if len(modes(a)) >= 2:
            return a


def _swizzled(rng, a):
    bits, base = rng.randint(1, 3), rng.randint(0, 3)
    return Swizzled(bits, base, rng.choice((1, -1)) * rng.randint(bits, 4), rng.choice((0, 0, 0, 5)), a)


def _evaluate(rng):
    a = layout(rng, 96, ANY, 4)
    count = judge.size(a.shape)
    index = rng.randrange(count) if rng.random() < 0.8 else rng.randint(count, 3 * count)
    coordinate = _partly(rng, judge.natural(index, a.shape), a.shape)
    if rng.random() < 0.1:
        coordinate = (coordinate, 1)
    if rng.random() < 0.3 and min(leaves(a.stride)) >= 0:
        a = _swizzled(rng, a)
    return a, coordinate


def _partly(rng, coordinate, shape):
    """The coordinate with some of its tuples as their index."""
    if not isinstance(coordinate, tuple):
        return coordinate
    if rng.random() < 0.25:
        return judge.index_of(coordinate, shape)
    return tuple(_partly(rng, *each) for each in zip(coordinate, shape))


def _index(rng):
    shape = layout(rng, 96, POSITIVE, 4).shape
    return rng.randrange(2 * judge.size(shape)), shape


def _coordinate(rng):
    shape = layout(rng, 96, POSITIVE, 4).shape
    return _partly(rng, judge.natural(rng.randrange(judge.size(shape)), shape), shape), shape


def _shapes(rng):
    """Two shapes of which one often refines the other."""
    a = layout(rng, 96, POSITIVE, 4).shape
    if rng.random() < 0.3:
        return a, layout(rng, 96, POSITIVE, 4).shape
    return (a, _refined(rng, a)) if rng.random() < 0.7 else (_refined(rng, a), a)


def _refined(rng, shape):
    if isinstance(shape, tuple):
        return tuple(_refined(rng, part) for part in shape)
    if shape % 2 == 0 and rng.random() < 0.4:
        return (2, shape // 2)
    return shape + 1 if rng.random() < 0.05 else shape


def _common(rng):
    return layout(rng, 96), layout(rng, 96)


def _upcast(rng):
    return layout(rng, 96, ("compact", "compact", "chain", "any")), rng.choice((2, 2, 4, 8))


def _downcast(rng):
    while True:
        a = layout(rng, 48, ("compact", "compact", "chain", "any"))
        if leaves(a.stride).count(1) == 1:
            return a, rng.choice((2, 4))


def _recast(rng):
    a, count = _upcast(rng) if rng.random() < 0.6 else _downcast(rng)
    return (a, 8, 8 * count) if rng.random() < 0.6 else (_downcast(rng)[0], 8 * count, 8)


# For each operation how many cases, and how their operands are drawn.
DRAWN = {
    "size": (40, _one),
    "cosize": (60, _function),
    "evaluate": (250, _evaluate),
    "crd2idx": (60, _coordinate),
    "idx2crd": (60, _index),
    "congruent": (60, _shapes),
    "weakly_congruent": (60, _shapes),
    "compatible": (80, _shapes),
    "coalesce": (180, _one),
    "composition": (600, _compose),
    "complement": (240, _complement),
    "right_inverse": (200, _function),
    "left_inverse": (240, _left_inverse),
    "nullspace": (80, _function),
    "common_layout": (120, _common),
    "logical_divide": (300, _divide),
    "zipped_divide": (120, _divide),
    "tiled_divide": (120, _divide),
    "flat_divide": (120, _divide),
    "logical_product": (240, _product),
    "zipped_product": (100, _product),
    "tiled_product": (100, _product),
    "flat_product": (100, _product),
    "blocked_product": (120, _blocks),
    "raked_product": (120, _blocks),
    "upcast": (90, _upcast),
    "downcast": (60, _downcast),
    "recast": (60, _recast),
}

# Found in the issues and the tests of implementations, and in the paper.
NAMED = [
    ("composition", "(4,6,8):(2,3,5)", "6:3"),
    ("composition", "(4,2):(1,16)", "5:1"),
    ("composition", "(6,4):(1,100)", "9:1"),
    ("composition", "(4,1):(1,100)", "8:1"),
    ("composition", "(4,3,1):(3,1,0)", "24:1"),
    ("composition", "(10,2):(16,4)", "(3,4):(1,5)"),
    ("composition", "(3,3,4):(1,4,11)", "5:4"),
    ("composition", "(2,2,2):(1,5,7)", "3:3"),
    ("composition", "(4,2,8):(3,12,97)", "3:3"),
    ("composition", "(6,2):(8,2)", "(4,3):(3,1)"),
    ("composition", "(6,2):(1,7)", "(3,2):(2,3)"),
    ("composition", "(3,6,4):(23,4,1)", "(4,2,2):(9,3,6)"),
    ("composition", "20:2", "(5,4):(4,1)"),
    ("composition", "(10,2):(16,4)", "(5,4):(1,5)"),
    ("composition", "(12,(4,8)):(59,(13,1))", "<3:4,8:2>"),
    ("composition", "(4,2):(1,8)", "2:-1"),
    ("complement", "4:1", "24"),
    ("complement", "6:4", "24"),
    ("complement", "(4,6):(1,4)", "24"),
    ("complement", "4:2", "24"),
    ("complement", "(2,4):(1,6)", "24"),
    ("complement", "(2,2):(1,6)", "24"),
    ("complement", "(2,2):(2,3)", "19"),
    ("complement", "4:2", "20"),
    ("complement", "(2,2):(1,4)", "16"),
    ("left_inverse", "(3,4):(1,4)"),
    ("left_inverse", "(4,2):(1,5)"),
    ("left_inverse", "(2,4):(2,1)"),
    ("left_inverse", "(2,2):(0,1)"),
    ("left_inverse", "2:-1"),
    ("right_inverse", "(2,4,4,6):(4,1,0,8)"),
    ("right_inverse", "((2,2),(2,4)):((0,1),(0,2))"),
    ("right_inverse", "(5,3):(1,2)"),
    ("right_inverse", "(4,2):(1,1)"),
    ("right_inverse", "(2,2):(-1,2)"),
    ("nullspace", "(2,2):(1,-1)"),
    ("nullspace", "(4,8):(0,1)"),
    ("logical_divide", "(4,2,3):(2,1,8)", "4:2"),
    ("logical_divide", "(9,(4,8)):(59,(13,1))", "<3:3,(2,4):(1,8)>"),
    ("zipped_divide", "(9,(4,8)):(59,(13,1))", "<3:3,(2,4):(1,8)>"),
    ("logical_divide", "(8,8):(8,1)", "2:3"),
    ("logical_divide", "(48,24,5):(1,128,3072)", "32:1"),
    ("logical_divide", "4:1", "3:1"),
    ("logical_divide", "12:1", "(2,2):(1,3)"),
    ("logical_product", "(2,2):(4,1)", "6:1"),
    ("logical_product", "(2,2):(4,1)", "(4,2):(2,1)"),
    ("logical_product", "8:1", "4:1"),
    ("logical_product", "(2,5):(5,1)", "<3:5,4:6>"),
    ("blocked_product", "(2,5):(5,1)", "(3,4):(1,3)"),
    ("raked_product", "(2,5):(5,1)", "(3,4):(1,3)"),
    ("logical_product", "128:1", "4:32"),
    ("logical_product", "(3,1):(1,24)", "4:1"),
    ("cosize", "4:-1"),
    ("size", "(9007199254740993,8):(1,9007199254740993)"),
    ("evaluate", "(9007199254740993,8):(1,9007199254740993)", "(9007199254740992,7)"),
    ("evaluate", "(4,8):(9007199254740993,-9007199254740993)", "(3,7)"),
    ("idx2crd", "7", "(2,3)"),
]
