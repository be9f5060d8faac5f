"""What is measured on: the machine, the libraries, and what the machine can do at most."""

import datetime
import os
import platform
import subprocess
from pathlib import Path

import numpy as np

from compare.native import Missing
from compare.report import Table, number
from compare.session import Session

SIZE = 256 << 20


def describe(session: Session, root: Path) -> dict[str, str]:
    """Prints what the figures below depend on."""
    facts = {
        "machine": _processor(),
        "system": f"{platform.system()} {platform.release()}, Python {platform.python_version()}",
        "date": datetime.date.today().isoformat(),
        "tilework": _line(["git", "-C", str(root), "describe", "--always", "--dirty"]),
        "compiler": _line(["rustc", "--version"]),
        "NumPy": np.__version__,
        **session.libraries.versions,
    }
    print("# tilework beside its peers\n")
    for name, value in facts.items():
        print(f"* {name}: {value}")
    for name, why in session.libraries.missing.items():
        print(f"* {name} is not here: {why}")
    print(f"* {session.effort.rounds} rounds of {1000 * session.effort.seconds:.0f} ms, medians; ", end="")
    print("1 thread: processor time, 2 threads: time on the wall")
    return facts


def ceilings(session: Session) -> None:
    """What the machine can do at most, on one thread and on two."""
    native = session.native
    source, destination, _ = (arena.array(np.uint64, SIZE // 8) for arena in session.arenas)
    source[:], destination[:] = 1, 2
    measured: list[tuple[str, int, str, list]] = [
        ("memcpy of 256 MiB, GB/s", 2 * SIZE, "memcpy_bytes", [source, destination, SIZE]),
        ("memset of 256 MiB, GB/s", SIZE, "memset_bytes", [destination, SIZE]),
        ("reading 256 MiB, GB/s", SIZE, "read_words", [source, len(source)]),
    ]
    for element in ("f32", "f64"):
        operations = native.number("fma_operations", element)
        measured.append((f"FMA of {element}, GFLOP/s", operations, "fma_steps", [element]))
    table = Table("What the machine can do", "", ["", "1 thread", "2 threads"])
    for name, work, function, operands in measured:
        cells = []
        for threads in (1, 2):
            try:
                job = native.job(function, *operands, threads)
            except Missing:
                cells.append("-")
                continue
            # The threads share the bytes, but each does all operations.
            total = work * threads if function == "fma_steps" else work
            row = session.measure("ceilings", name, total, {function: job}, threads)
            cells.append(number(row.speed(function)))
        table.line(name, *cells)


def _processor() -> str:
    """Its name, family and caches, as far as the system tells."""
    text = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    info = dict(line.split(":", 1) for line in text.split("\n\n")[0].splitlines() if ":" in line)
    info = {key.strip(): value.strip() for key, value in info.items()}
    flags = info.get("flags", "").split()
    vectors = [
        name for flag, name in [("avx2", "AVX2"), ("avx512bw", "AVX-512"), ("asimd", "NEON")] if flag in flags
    ]
    caches = [f"{name} {size}" for name, size in _caches()]
    model = info.get("model name", platform.machine())
    family = f"family {info.get('cpu family')} model {info.get('model')} stepping {info.get('stepping')}"
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 30
    parts = [model, family if "cpu family" in info else "", f"{os.cpu_count()} cores", *vectors, *caches]
    return ", ".join([part for part in parts if part] + [f"{memory} GiB"])


def _caches() -> list[tuple[str, str]]:
    """The data caches of the first core."""
    caches = []
    for index in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        if (index / "type").read_text().strip() != "Instruction":
            level, size = (index / "level").read_text().strip(), (index / "size").read_text().strip()
            caches.append((f"L{level}", size))
    return caches


def _line(command: list[str]) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
