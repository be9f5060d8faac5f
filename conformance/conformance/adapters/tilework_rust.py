"""tilework's library in Rust, by the example `conformance` of the crate, one question a line. `TILEWORK_RUST` is its path."""

import os
import subprocess

VERSION, MOST = "", None


def answers(cases):
    lines = "".join(case.expression + "\n" for case in cases)
    ran = subprocess.run([os.environ["TILEWORK_RUST"]], input=lines, capture_output=True, text=True, check=True)
    return ran.stdout.splitlines()
