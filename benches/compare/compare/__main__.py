"""Prints the tables. Begun by the script `run`, which builds and installs what is compared."""

import argparse
import json
import sys
from pathlib import Path

from compare import contraction, convolution, copying, machine, multiplying
from compare.rounds import FULL, QUICK
from compare.session import Session

SECTIONS = {
    "copy": copying.section,
    "gemm": multiplying.gemm,
    "small": multiplying.small_matrices,
    "skinny": multiplying.skinny_matrices,
    "general": multiplying.general,
    "contract": contraction.section,
    "conv": convolution.section,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="run", description="tilework beside its peers, as tables in Markdown"
    )
    parser.add_argument(
        "sections", nargs="*", metavar="section", help=f"some of {', '.join(SECTIONS)}; or all"
    )
    parser.add_argument("--quick", action="store_true", help="a part of the rows, and shorter")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every timing to a file")
    parser.add_argument("--library", type=Path, required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    for name in arguments.sections:
        if name not in SECTIONS:
            parser.error(f"no section {name}; there are {', '.join(SECTIONS)}")

    session = Session(arguments.library, QUICK if arguments.quick else FULL)
    facts = machine.describe(session, Path(__file__).parent)
    machine.ceilings(session)
    for name in arguments.sections or SECTIONS:
        SECTIONS[name](session)
    if session.notes:
        print("\n## What was not measured\n")
    for note in session.notes:
        print(f"* {note}")
    if arguments.json:
        record = {"facts": facts, "notes": list(session.notes), **session.record}
        arguments.json.write_text(json.dumps(record, indent=1))
    sys.exit(session.wrong)


main()
