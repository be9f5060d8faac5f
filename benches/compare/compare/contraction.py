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
    """`C-A-B`: the labels of the modes of each tensor, the fastest first."""

    name: str
    extents: dict[str, int]
    tblis: dict[str, str]
    """TBLIS's share of the anchor by the type, where it was measured."""

    @property
    def tensors(self) -> list[str]:
        """The labels of A, B and C."""
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
        m, n, k = (prod(self.extents[label] for label in labels) for labels in (a & c, b & c, a & b))
        return m, n, k

    @property
    def modes(self) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Shapes and strides of A, B and C."""
        shapes = [tuple(self.extents[label] for label in tensor) for tensor in self.tensors]
        return [(shape, tuple(prod(shape[:i]) for i in range(len(shape)))) for shape in shapes]

    @property
    def layouts(self) -> list[str]:
        """As tilework writes them."""
        return [
            f"({','.join(map(str, shape))}):({','.join(map(str, strides))})" for shape, strides in self.modes
        ]


# The share that TBLIS gets of the anchor according to benches/record/measures.tsv.
TBLIS = {
    "abcde-efbad-cf": {"f64": "0.59", "f32": "0.51"},
    "abcd-dbea-ec": {"f64": "0.16", "f32": "0.09"},
    "abc-bda-dc": {"f64": "0.14", "f32": "0.16"},
    "abcdef-dega-gfbc": {"f64": "0.63", "f32": "0.40"},
    "abcd-ea-ebcd": {"f64": "0.55", "f32": "0.53"},
    "abc-adec-ebd": {"f64": "1.54", "f32": "1.66"},
    "ab-cad-dcb": {"f64": "0.83", "f32": "0.81"},
    "abcd-aebf-fdec": {"f64": "0.83", "f32": "0.86"},
    "abcd-aebf-dfce": {"f64": "0.84", "f32": "0.85"},
    "abcd-eafd-fbec": {"f64": "0.85", "f32": "0.85"},
}

# The 48 contractions of the TCCG benchmark, `C-A-B` and the extents of the labels from `a` on. Ten of them are the list of
# benches/record/measures.tsv, with extents that give its m, n and k.
TCCG = """
abc-bda-dc 312 296 24 312
abc-dca-bd 312 24 296 312
abcd-dbea-ec 72 72 24 72 72
abcd-deca-be 72 24 72 72 72
abcd-ebad-ce 72 72 24 72 72
abcde-efbad-cf 32 30 24 30 32 24
abcde-ecbfa-fd 32 30 30 24 32 24
abcde-efcad-bf 32 24 30 30 32 24
abcd-ea-ebcd 72 72 72 72 72
abcd-eb-aecd 72 72 72 72 72
abcd-ec-abed 72 72 72 72 72
ab-ac-cb 2000 2000 2000
ab-acd-dbc 312 312 24 312
ab-cad-dcb 312 312 24 312
abc-acd-db 312 312 24 312
abc-ad-bdc 312 312 24 312
abc-adc-bd 312 312 24 312
abc-adc-db 312 312 24 312
abc-adec-ebd 192 96 96 48 48
abcd-aebf-dfce 48 48 48 48 24 24
abcd-aebf-fdec 48 48 48 48 24 24
abcd-aecf-bfde 48 48 48 48 24 24
abcd-aecf-fbed 48 48 48 48 24 24
abcd-aedf-bfce 48 48 48 48 24 24
abcd-aedf-fbec 48 48 48 48 24 24
abcd-aefb-fdce 48 48 48 48 24 24
abcd-aefc-fbed 48 48 48 48 24 24
abcd-eafb-fdec 48 48 48 48 24 24
abcd-eafc-bfde 48 48 48 48 24 24
abcd-eafd-fbec 48 48 48 48 24 24
abcdef-dega-gfbc 24 16 16 24 16 16 24
abcdef-degb-gfac 16 24 16 24 16 16 24
abcdef-degc-gfab 16 16 24 24 16 16 24
abcdef-dfga-gebc 24 16 16 24 16 16 24
abcdef-dfgb-geac 16 24 16 24 16 16 24
abcdef-dfgc-geab 16 16 24 24 16 16 24
abcdef-efga-gdbc 24 16 16 16 24 16 24
abcdef-efgb-gdac 16 24 16 16 24 16 24
abcdef-efgc-gdab 16 16 24 16 24 16 24
abcdef-gdab-efgc 16 16 24 16 24 16 24
abcdef-gdac-efgb 16 24 16 16 24 16 24
abcdef-gdbc-efga 24 16 16 16 24 16 24
abcdef-geab-dfgc 16 16 24 24 16 16 24
abcdef-geac-dfgb 16 24 16 24 16 16 24
abcdef-gebc-dfga 24 16 16 24 16 16 24
abcdef-gfab-degc 16 16 24 24 16 16 24
abcdef-gfac-degb 16 24 16 24 16 16 24
abcdef-gfbc-dega 24 16 16 24 16 16 24
"""


def _case(line: str) -> Case:
    name, *extents = line.split()
    return Case(name, dict(zip("abcdefg", map(int, extents))), TBLIS.get(name, {}))


CASES = [_case(line) for line in TCCG.split("\n") if line]


def section(session: Session) -> None:
    """All contractions, of both types."""
    print(f"\n## Contraction\n\n{EXPLANATION}")
    note = (
        f"{ANCHOR}: matrices of the same m, n and k, column-major. PyTorch chooses the order of its result itself. "
        "*TBLIS's share of the same according to benches/record/measures.tsv, measured on another machine."
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
            case.tblis.get(element, ""),
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
