"""GEMM: large and small matrices, thin ones, any strides, two threads, and narrow types."""

from functools import partial

import numpy as np

from compare import products
from compare.memory import strided
from compare.narrow import narrow
from compare.native import Makers, Run, repeated
from compare.product_cases import Case, Folded, column_major, large, skinny, small, spread
from compare.products import PEAK
from compare.report import EXPLANATION, Table, beside, mean, ratio, speed
from compare.session import OURS, Row, Session

PLAIN = f"{OURS}, column-major"
PEERS = ["MKL", "OpenBLAS", "BLIS", "gemm", "faer", "matrixmultiply"]


def gemm(session: Session) -> None:
    """Square matrices on one thread and on two, and narrow types."""
    print(f"\n## GEMM\n\n{EXPLANATION}")
    _table(session, "gemm", "Square matrices, 1 thread", large(), PEERS)
    two_threads(session)
    narrow(session)


def small_matrices(session: Session) -> None:
    """Matrices in the first cache."""
    print(f"\n## Small matrices\n\n{EXPLANATION}")
    _table(session, "small", "1 thread", small(), ["OpenBLAS", "MKL", "nano-gemm", "gemm"])


def skinny_matrices(session: Session) -> None:
    """One size is small."""
    print(f"\n## Thin matrices\n\n{EXPLANATION}")
    _table(session, "skinny", "m x n x k, 1 thread", skinny(), PEERS)


def _table(session: Session, section: str, title: str, cases: list[Case], peers: list[str]) -> None:
    table = Table(title, "", ["type", "matrices", OURS, "of peak", *peers, "ours/best"])
    rows = []
    for case in session.effort.rows(cases):
        row = products.row(session, section, case, peers)
        best = row.best(peers)
        cells = [beside(row, name) for name in peers]
        table.line(
            case.element, case.name, speed(row, OURS), ratio(row, OURS, PEAK), *cells, ratio(row, OURS, best)
        )
        rows.append(row)
    _means(table, rows, peers)


def _means(table: Table, rows: list[Row], peers: list[str]) -> None:
    """The geometric means of the ratios as the last line."""
    means = [mean(rows, OURS, name) for name in (PEAK, *peers)]
    best = mean(rows, OURS, lambda row: row.best(peers))
    table.line("", "geometric mean of the ratios", "", *means, best)


def two_threads(session: Session) -> None:
    """Two threads beside one, by the time on the wall."""
    one, peers = f"{OURS}, 1", PEERS[:-1]
    columns = ["type", "matrices", "1 thread", "2 threads", "2/1", "of peak", *peers]
    table = Table("Square matrices, 2 threads", "", columns)
    cases = [column_major(element, n, n, n) for element in ("f32", "f64") for n in (512, 1024, 2048)]
    for case in session.effort.rows(cases):
        alone = {one: partial(products.make, session, OURS, case, 1)}
        row = products.row(session, "gemm", case, peers, threads=2, anchors=alone)
        cells = [beside(row, name) for name in peers]
        scaling = ratio(row, OURS, one)
        table.line(
            case.element,
            case.name,
            speed(row, one),
            speed(row, OURS),
            scaling,
            ratio(row, OURS, PEAK),
            *cells,
        )


def general(session: Session) -> None:
    """Matrices without contiguous rows or columns, and folded ones, beside our own column-major figure."""
    print(f"\n## Any strides\n\n{EXPLANATION}")
    peers = ["gemm", "faer", "BLIS", "matrixmultiply"]
    table = Table(
        "Strided in rows and columns, 1 thread", "", ["type", "matrices", OURS, "of column-major", *peers]
    )
    cases = [spread(element, n, 3) for element in ("f32", "f64") for n in (256, 1024)]
    for case in session.effort.rows(cases):
        row = products.row(session, "general", case, peers, anchors=_plain(session, case))
        cells = [beside(row, name) for name in peers]
        table.line(case.element, case.name, speed(row, OURS), ratio(row, OURS, PLAIN), *cells)
    note = "The rows of A and C are two modes of a tensor; gemm does a product for each index of the second."
    table = Table("Folded rows, 1 thread", note, ["type", "matrices", OURS, "of column-major", "gemm"])
    for case in session.effort.rows(
        [Folded(element, 32, 32, n, n) for element in ("f32", "f64") for n in (256, 1024)]
    ):
        row = _folded(session, case)
        table.line(case.element, case.name, speed(row, OURS), ratio(row, OURS, PLAIN), beside(row, "gemm"))


def _plain(session: Session, case: Case | Folded) -> Makers:
    """Our own column-major product of the same size, in the same memory."""
    dense = column_major(case.element, case.m, case.n, case.k)
    return {PLAIN: partial(products.make, session, OURS, dense, 1)}


def _folded(session: Session, case: Folded) -> Row:
    session.libraries.set_threads(1)
    native, dense = session.native, case.part
    memory = products.fill(session, case)
    a, b, c = (strided(operand, shape, strides) for operand, (shape, strides) in zip(memory, case.modes))
    expected = np.tensordot(a.astype(np.float64), b.astype(np.float64), 1)
    request = partial(products.product, dense, threads=1)

    def gemm() -> Run:
        a, b, c = memory
        parts = [[a[i * len(a) // case.m2 :], b, c[i * len(c) // case.m2 :]] for i in range(case.m2)]
        jobs = [native.job("gemm_product", request(part)) for part in parts]

        def all_jobs() -> None:
            for job in jobs:
                job(1)

        return repeated(all_jobs)

    makers: Makers = {OURS: partial(products.make, session, OURS, case, 1), "gemm": gemm}
    runs = session.ready(case.name, makers, products.compare(expected, c, memory[2], case.k))
    runs |= {name: maker() for name, maker in _plain(session, case).items()}
    return products.measure(session, "general", case, runs)
