"""tilework's C interface on texts, by its example in C, compiled here. `TILEWORK_C` is the library."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

VERSION, MOST = "" if shutil.which("cc") else None, None
CRATE = Path(__file__).parents[3] / "crates/tilework-c"


def answers(cases):
    return compiled("cc", "evaluate.c", cases)


def compiled(compiler, example, cases):
    """What an example makes of the cases, a line each; `# ` begins what it says besides, and `! ` the code of an error."""
    library = os.environ["TILEWORK_C"]
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "evaluate"
        subprocess.run([compiler, "-I", CRATE / "include", CRATE / "examples" / example, library, "-o", program], check=True)
        lines = "".join(case.expression + "\n" for case in cases)
        # What is loaded already has the name under which the program looks for it.
        loaded = os.environ | {"LD_PRELOAD": library}
        ran = subprocess.run([program], input=lines, capture_output=True, text=True, check=True, env=loaded)
    found = [line for line in ran.stdout.splitlines() if not line.startswith("# ")]
    return ["refused" if line.startswith("! ") else line for line in found]
