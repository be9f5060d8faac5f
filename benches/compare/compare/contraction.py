"""CONTRACT: two tensors, beside `numpy.einsum`, `torch.einsum` and MKL's product of matrices of the same size."""

from dataclasses import dataclass
from functools import partial
from math import prod

import numpy as np

from compare import products
from compare.memory import strided
from compare.native import Makers, Returning, Run, repeated
from compare.product_cases import column_major
from compare.report import EXPLANATION, Table, beside, mean, ratio, speed
from compare.session import OURS, Row, Session

ANCHOR = "MKL GEMM"
PEERS = ["NumPy", "PyTorch"]


@dataclass(frozen=True)
class Case:
    """`C-A-B`: the letters of the modes of each tensor, the fastest first."""

    name: str
    extents: dict[str, int]
    tblis: dict[str, str]
    """The share that TBLIS gets of the anchor according to PERFORMANCE.md."""

    @property
    def tensors(self) -> list[str]:
        """The letters of A, B and C."""
        c, a, b = self.name.split("-")
        return [a, b, c]

    @property
    def specification(self) -> str:
        a, b, c = self.tensors
        return f"{a},{b}->{c}"

    @property
    def sizes(self) -> tuple[int, int, int]:
        """m, n and k: what A and C, B and C, A and B have in common."""
        a, b, c = map(set, self.tensors)
        m, n, k = (prod(self.extents[letter] for letter in letters) for letters in (a & c, b & c, a & b))
        return m, n, k

    @property
    def modes(self) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Shapes and strides of A, B and C."""
        shapes = [tuple(self.extents[letter] for letter in tensor) for tensor in self.tensors]
        return [(shape, tuple(prod(shape[:i]) for i in range(len(shape)))) for shape in shapes]

    @property
    def layouts(self) -> list[str]:
        """As tilework writes them."""
        return [
            f"({','.join(map(str, shape))}):({','.join(map(str, strides))})" for shape, strides in self.modes
        ]


def _case(name: str, extents: str, double: str, single: str) -> Case:
    sizes = dict(zip("abcdefg", map(int, extents.split())))
    return Case(name, sizes, {"f64": double, "f32": single})


# The list of PERFORMANCE.md, with extents that give its m, n and k; and TBLIS's shares for f64 and f32.
CASES = [
    _case("abcde-efbad-cf", "32 30 24 30 32 24", "0.59", "0.51"),
    _case("abcd-dbea-ec", "72 72 24 72 72", "0.16", "0.09"),
    _case("abc-bda-dc", "312 296 24 312", "0.14", "0.16"),
    _case("abcdef-dega-gfbc", "24 16 16 24 16 16 24", "0.63", "0.40"),
    _case("abcd-ea-ebcd", "72 72 72 72 72", "0.55", "0.53"),
    _case("abc-adec-ebd", "192 96 96 48 48", "1.54", "1.66"),
    _case("ab-cad-dcb", "312 312 24 312", "0.83", "0.81"),
    _case("abcd-aebf-fdec", "48 48 48 48 24 24", "0.83", "0.86"),
    _case("abcd-aebf-dfce", "48 48 48 48 24 24", "0.84", "0.85"),
    _case("abcd-eafd-fbec", "48 48 48 48 24 24", "0.85", "0.85"),
]


def section(session: Session) -> None:
    """All contractions, of both types."""
    print(f"\n## Contraction\n\n{EXPLANATION}")
    note = (
        f"{ANCHOR}: matrices of the same m, n and k, column-major. PyTorch chooses the order of its result itself. "
        "*TBLIS's share of the same according to PERFORMANCE.md, measured on another machine."
    )
    columns = ["type", "C-A-B", "m,n,k", OURS, ANCHOR, "of it", *PEERS, "ours/best", "TBLIS*"]
    table = Table("1 thread", note, columns)
    rows = []
    for element, case in session.effort.rows(
        [(element, case) for element in ("f64", "f32") for case in CASES]
    ):
        row = _row(session, element, case)
        table.line(
            element,
            case.name,
            ",".join(map(str, case.sizes)),
            speed(row, OURS),
            speed(row, ANCHOR),
            ratio(row, OURS, ANCHOR),
            *[beside(row, name) for name in PEERS],
            ratio(row, OURS, row.best(PEERS)),
            case.tblis[element],
        )
        rows.append(row)
    means = [mean(rows, OURS, name) for name in (ANCHOR, *PEERS)]
    best = mean(rows, OURS, lambda row: row.best(PEERS))
    table.line("", "geometric mean of the ratios", "", "", "", *means, best, "")


def _row(session: Session, element: str, case: Case) -> Row:
    session.libraries.set_threads(1)
    m, n, k = case.sizes
    dense = column_major(element, m, n, k)
    memory = products.fill(session, dense)
    a, b, c = (strided(operand, shape, strides) for operand, (shape, strides) in zip(memory, case.modes))
    expected = np.einsum(case.specification, a.astype(np.float64), b.astype(np.float64), optimize=True)

    def torch() -> Run:
        tensors = [session.torch().from_numpy(operand) for operand in (a, b)]
        return Returning(lambda: session.torch().einsum(case.specification, *tensors), c)

    makers: Makers = {
        OURS: partial(
            session.native.job, "tilework_contract", element, case.specification, case.layouts, *memory, 1
        ),
        "NumPy": lambda: repeated(lambda: np.einsum(case.specification, a, b, out=c, optimize=True)),
        "PyTorch": torch,
    }
    runs = session.ready(case.name, makers, products.compare(expected, c, memory[2], k))
    runs |= session.ready(
        case.name, {ANCHOR: partial(products.make, session, "MKL", dense, 1)}, lambda run: run(1)
    )
    return session.measure("contract", f"{case.name} {element}", dense.operations, runs)
