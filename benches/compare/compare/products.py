"""Products of matrices: how a case is filled, checked, and given to each peer."""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

import numpy as np

from compare.memory import strided
from compare.native import Job, Makers, Product, Returning, Run
from compare.product_cases import Case, Folded
from compare.session import OURS, Row, Session, Wrong

DTYPES = {"f32": np.float32, "f64": np.float64}
PEAK = "FMA peak"
CBLAS = {"f32": "cblas_sgemm", "f64": "cblas_dgemm"}
BLI = {"f32": "bli_sgemm", "f64": "bli_dgemm"}


def row(
    session: Session,
    section: str,
    case: Case,
    peers: list[str],
    threads: int = 1,
    anchors: Mapping[str, Callable[[], Run]] = MappingProxyType({}),
) -> Row:
    """A line: the peers named, what they are compared with without being checked, and the processor's peak."""
    session.libraries.set_threads(threads)
    memory = fill(session, case)
    makers: Makers = {name: partial(make, session, name, case, threads) for name in [OURS, *peers]}
    runs = session.ready(case.name, makers, checker(case, memory))
    runs |= {name: maker() for name, maker in anchors.items()}
    return measure(session, section, case, runs, threads)


def measure(
    session: Session, section: str, case: Case | Folded, runs: dict[str, Run], threads: int = 1
) -> Row:
    """The line of peers that are ready, with the peak."""
    done = {}
    operations = session.native.number("fma_operations", case.element)
    if operations:
        runs[PEAK] = session.native.job("fma_steps", case.element, threads)
        done[PEAK] = float(operations * threads)
    return session.measure(section, f"{case.name} {case.element}", case.operations, runs, threads, done)


def make(session: Session, name: str, case: Case | Folded, threads: int) -> Job:
    """The job of a peer."""
    native, libraries, memory = session.native, session.libraries, operands(session, case)
    if name == OURS:
        return native.job("tilework_gemm", case.element, case.layouts, *memory, threads)
    assert isinstance(case, Case), "the peers have one stride for the rows"
    request = product(case, memory, threads)
    match name:
        case "BLIS":
            return native.job("blis_product", libraries.function("BLIS", BLI[case.element]), request)
        case "MKL" | "OpenBLAS":
            return native.job("cblas_product", libraries.function(name, CBLAS[case.element]), request)
        case _:
            return native.job(f"{name.replace('-', '_')}_product", request)


def product(case: Case, memory: list[np.ndarray], threads: int) -> Product:
    """The product as the peers are told it."""
    a, b, c = (operand.ctypes.data for operand in memory)
    return Product(case.element.encode(), case.m, case.n, case.k, a, case.a, b, case.b, c, case.c, threads)


def operands(session: Session, case: Case | Folded) -> list[np.ndarray]:
    """The memory of A, B and C."""
    return [arena.array(DTYPES[case.element], size) for arena, size in zip(session.arenas, case.spans)]


def fill(session: Session, case: Case | Folded) -> list[np.ndarray]:
    """The same, with random numbers from -1 to 1 in A and B."""
    memory = operands(session, case)
    for operand in memory[:2]:
        operand[:] = session.random.uniform(-1, 1, len(operand))
    return memory


def checker(case: Case, memory: list[np.ndarray]) -> Callable[[Run], None]:
    """Compares a result with that of NumPy in f64."""
    views = zip(memory, case.shapes, case.strides)
    a, b, c = (strided(operand, shape, strides) for operand, shape, strides in views)
    return compare(a.astype(np.float64) @ b.astype(np.float64), c, memory[2], case.k)


def compare(expected: np.ndarray, c: np.ndarray, memory: np.ndarray, k: int) -> Callable[[Run], None]:
    """Compares `c`, a view of memory, with what is expected of `k` products of numbers below 1."""
    allowed = k * np.finfo(c.dtype).eps

    def check(run: Run) -> None:
        memory[:] = np.nan
        run(1)
        if isinstance(run, Returning):
            run.write()
        difference = np.abs(c - expected).max()
        if not difference <= allowed:
            raise Wrong(f"off by {difference:.2g}, where {allowed:.2g} is allowed")

    return check
