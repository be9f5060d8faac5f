"""Programs of C++ against the headers in the wheels `nvidia-cutlass` and `nvidia-cuda-cccl`, compiled by g++ and run."""

import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

PACKAGES = Path(sysconfig.get_paths()["purelib"])
CUTLASS = PACKAGES / "cutlass_library/source/include"
CUDA = next(PACKAGES.glob("nvidia/cu*/include"))


def run(text):
    """The lines that a program prints. What the compiler refuses ends this one."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "program.cpp", Path(folder) / "program"
        source.write_text(text)
        includes = [part for path in (CUTLASS, CUDA, CUDA / "cccl") for part in ("-I", path)]
        # Half of the time without optimization: the thousands of small functions are inlined before code is made of each.
        command = ["g++", "-w", "-std=c++17", "-Og", "-fno-exceptions", "-fno-asynchronous-unwind-tables", *includes, "-o", program, source]
        compiler = subprocess.run(command, capture_output=True, text=True)
        if compiler.returncode:
            sys.exit("\n".join(line for line in compiler.stderr.splitlines() if "error" in line)[:4000])
        return subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
