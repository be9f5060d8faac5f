"""tilework's program, one expression a line. `TILEWORK` is its path."""

import json
import os
import subprocess

VERSION, MOST = "", None


def answers(cases):
    lines = "\n".join(case.expression for case in cases)
    ran = subprocess.run([os.environ["TILEWORK"], "eval", "--json", "-"], input=lines, capture_output=True, text=True)
    return [json.loads(line).get("result", "refused") for line in ran.stdout.splitlines()]
