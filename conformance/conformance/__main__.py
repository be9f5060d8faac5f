"""Begun by the script `run`, which builds and installs what is tested."""

import argparse
import importlib
import pathlib
import random
import sys
from collections import Counter

from conformance import cases, judge, table
from conformance.adapters import tilework_program
from conformance.pairs import pairs

FILE = pathlib.Path(__file__).parents[1] / "cases.jsonl"
ADAPTERS = {
    "pycute": "pycute",
    "tensor-layouts": "tensor_layouts",
    "PyCuTe": "nvlabs",
    "CuTe DSL": "cute_dsl",
    "CuTe C++": "cute_cpp",
    "tilework": "tilework_program",
    "tilework, Rust": "tilework_rust",
    "tilework, Python": "tilework_python",
    "tilework, C": "tilework_c",
    "tilework, C++": "tilework_cpp",
    "tilework, ctypes": "tilework_ctypes",
    "tilework, vendored": "vendored",
}
# These return whatever answer exists to the operations of `judge.EXACT`.
EXACT = ("tilework", "tilework, Rust", "tilework, Python", "tilework, C", "tilework, C++", "tilework, ctypes")
REFUSALS = {"none": "refused, and none exists", "open": "refused, enumeration does not tell", "exists": "refused, though one exists"}
PAIRS_SEED = 39


def main():
    parser = argparse.ArgumentParser(prog="run", description="right, refused and silently wrong, as a table in Markdown")
    parser.add_argument("adapters", nargs="*", metavar="adapter", help=f"some of {', '.join(ADAPTERS)}; or all that are installed")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--pairs", type=int, metavar="N", help="the table of COMPARE.md, of N random pairs of layouts")
    action.add_argument("--random", type=int, metavar="N", help="N further cases: whether tilework, or another, and the judge agree")
    action.add_argument("--write", action="store_true", help="write cases.jsonl again")
    action.add_argument("--check", action="store_true", help="whether cases.jsonl is what --write would write")
    parser.add_argument("--seed", type=int, default=1, help="of --random")
    arguments = parser.parse_args()
    for name in arguments.adapters:
        if name not in ADAPTERS:
            parser.error(f"no adapter {name}; there are {', '.join(ADAPTERS)}")
    if arguments.random:
        questions = list(cases.further(arguments.random, arguments.seed))
        sys.exit(any([agrees(name, questions) for name in arguments.adapters or ["tilework"]]))
    if arguments.write or arguments.check:
        sys.exit(written(arguments.write))
    names = arguments.adapters or [name for name in ADAPTERS if adapter(name).VERSION is not None]
    sys.exit(compared_pairs(names, arguments.pairs) if arguments.pairs else compared(names))


def adapter(name):
    return importlib.import_module(f"conformance.adapters.{ADAPTERS[name]}")


def asked(name, questions, unit, of):
    """The answers, and the head of their column: after the name and the version how many were asked, where that is not all."""
    module = adapter(name)
    part = questions[: module.MOST]
    answers = module.answers(part)
    if len(answers) != len(part):
        sys.exit(f"{name} answers {len(answers)} of {len(part)} cases")
    count = "" if len(part) == len(questions) else f", {len(part) // of:,} {unit}"
    return f"{name} {module.VERSION}".strip() + count, answers


def compared(names):
    rows = cases.cases_of(FILE)
    # A prefix has some of each operation.
    rows = [row for _, row in sorted(enumerate(rows), key=lambda pair: random.Random(pair[1][0].id).random())]
    questions, classes = [case for case, _ in rows], [name for _, name in rows]
    columns = [asked(name, questions, "cases", 1) for name in names]
    columns = [(head, answers + ["-"] * (len(questions) - len(answers))) for head, answers in columns]
    table.suite_table(questions, classes, columns)
    return wrong_of_tilework(questions, columns)


def compared_pairs(names, count):
    drawn = pairs(count, random.Random(PAIRS_SEED))
    questions = table.questions(drawn)
    columns = [asked(name, questions, "pairs", len(table.PAIR_OPERATIONS)) for name in names]
    table.pairs_table(f"{count:,} pairs, seed {PAIRS_SEED}", drawn, questions, columns)
    return wrong_of_tilework(questions, columns)


def wrong_of_tilework(questions, columns):
    """Whether a column of tilework has an answer that is wrong; prints them."""
    found = [
        f"{head}: {case.expression}: {answer}"
        for head, answers in columns
        if head.startswith("tilework")
        for case, answer in zip(questions, answers)
        if table.verdict(case, answer) in ("wrong", "crashed")
    ]
    print("\n".join(found), file=sys.stderr, end="\n" if found else "")
    return bool(found)


def written(write):
    questions = cases.suite()
    settled = list(cases.settled(questions, tilework_program.answers(questions)))
    disputed = [case for case in settled if table.verdict(case, case.answer or "refused") == "wrong"]
    for case in disputed:
        print(f"{case.expression}: {case.answer} is wrong, says the judge", file=sys.stderr)
    text = cases.file_of(settled)
    if write:
        FILE.write_text(text)
    same = FILE.read_text() == text
    kinds = Counter("an answer" if case.answer else "none" if case.none else "open" for case in settled)
    print(f"{len(settled)} cases, {len(text):,} bytes; {dict(kinds)}; {'as' if same else 'NOT as'} in {FILE.name}")
    return bool(disputed) or not same


def agrees(name, questions):
    """Counts of what is right and, where an answer is refused, of what enumeration says; whether an answer is wrong, or tilework
    refuses where it promises not to."""
    counts, failed = Counter(), False
    for case, answer in zip(questions, adapter(name).answers(questions)):
        kind = "WRONG" if answer == "crashed" or not table.is_right(case, answer) else "right"
        if answer in ("refused", "-"):
            kind = REFUSALS[judge.existence(case.op, case.operands)[0]]
        counts[case.op, kind] += 1
        missing = kind == REFUSALS["exists"] and case.op in judge.EXACT and name in EXACT
        if kind == "WRONG" or missing:
            failed = True
            print(f"{name}: {kind}: {case.expression}: {answer}", file=sys.stderr)
    print(f"{name}, {len(questions):,} cases")
    for kind in dict.fromkeys(kind for _, kind in counts):
        by_op = {op: n for (op, k), n in counts.items() if k == kind}
        print(f"  {kind}: {sum(by_op.values()):,}" + ("" if kind == "right" else f", of {by_op}"))
    return failed


if __name__ == "__main__":
    main()
