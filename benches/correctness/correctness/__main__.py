"""Prints the table of COMPARE.md. Begun by the script `run`, which builds and installs what is compared."""

import argparse
import importlib.metadata
import sys

from correctness import judge, peers
from correctness.pairs import pairs

SEED = 39
# Package whose version heads the column, how it is asked, and how many pairs at most: the last two take milliseconds for each.
PEERS = {
    "pycute": ("nvidia-cutlass", peers.pycute, 20_000),
    "tensor-layouts": ("tensor-layouts", peers.tensor_layouts, 20_000),
    "CuTe DSL": ("nvidia-cutlass-dsl", peers.cute_dsl, 1_000),
    "CuTe C++": ("nvidia-cutlass", peers.cute_cpp, 250),
    "tilework": (None, peers.tilework, 20_000),
}


def shares(row, rows, answers):
    """Right, refused, wrong and crashed of the pairs in the class of `row`, and the first that is wrong."""
    counts, example = dict.fromkeys(("right", "refused", "wrong", "crashed"), 0), None
    _, question, in_class = row
    which = judge.OPERATIONS.index(question.__name__)
    for (a, b), answer in zip(rows, answers):
        if not in_class(a, b):
            continue
        verdict = judged(question, a, b, answer[which])
        counts[verdict] += 1
        if verdict == "wrong" and example is None:
            example = f"{judge.text(a)} and {judge.text(b)}: {answer[which]}"
    return counts, example


def judged(question, a, b, answer):
    if answer in ("refused", "crashed"):
        return answer
    try:
        result = judge.read(answer)
        return "right" if any(question(a, b, result, ones) for ones in (True, False)) else "wrong"
    except (ValueError, SyntaxError):
        return "wrong"


def cell(counts):
    total = sum(counts.values())
    if total == 0:
        return ""
    right, refused, wrong, crashed = (100 * counts[k] / total for k in ("right", "refused", "wrong", "crashed"))
    wrong = f"{wrong:.2f}" if counts["wrong"] else "0"
    return f"{right:.1f} / {refused:.1f} / **{wrong}**" + (f", {crashed:.1f} crash" if counts["crashed"] else "")


def main():
    parser = argparse.ArgumentParser(prog="run", description="how often they are right, as a table in Markdown")
    parser.add_argument("peers", nargs="*", metavar="peer", help=f"some of {', '.join(PEERS)}; or all")
    parser.add_argument("--pairs", type=int, default=20_000, help="a prefix of the list")
    parser.add_argument("--program", required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    for name in arguments.peers:
        if name not in PEERS:
            parser.error(f"no peer {name}; there are {', '.join(PEERS)}")

    rows, columns, heads, failed = pairs(arguments.pairs, SEED), [], [], False
    for name in arguments.peers or PEERS:
        package, ask, most = PEERS[name]
        part = rows[:most]
        answers = ask(part, arguments.program)
        if len(answers) != len(part):
            sys.exit(f"{name} answers {len(answers)} of {len(part)} pairs")
        column = []
        for row in judge.ROWS:
            counts, example = shares(row, part, answers)
            column.append(cell(counts))
            if example and name == "tilework":
                failed = True
                print(f"wrong: {row[0]}: {example}", file=sys.stderr)
        columns.append(column)
        version = importlib.metadata.version(package).removesuffix(".0") if package else ""
        heads.append(f"{name} {version}".strip() + ("" if len(part) == len(rows) else f", {len(part):,} pairs"))
    print(f"| {len(rows):,} pairs, seed {SEED} |", " | ".join(heads), "|")
    print("|---" * (len(heads) + 1) + "|")
    for row, cells in zip(judge.ROWS, zip(*columns)):
        print(f"| {row[0]} |", " | ".join(cells), "|")
    sys.exit(failed)


if __name__ == "__main__":
    main()
