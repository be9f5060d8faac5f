"""What is copied: permutations of dense arrays, and the other uses of COPY."""

from dataclasses import dataclass
from math import prod

from compare.memory import span

BYTES = {"f32": 4, "f64": 8, "u16": 2}
LINE = 64


@dataclass(frozen=True)
class Case:
    """A copy between strided arrays; the modes are those of the destination, the fastest one first."""

    name: str
    element: str
    shape: tuple[int, ...]
    source: tuple[int, ...]
    destination: tuple[int, ...]
    hptt: str = ""
    """HPTT's share of memcpy according to benches/record/measures.tsv."""
    limit: str = "-"
    """The share of memcpy that the traffic allows, where whole lines are read for parts of them."""

    @property
    def bytes(self) -> int:
        return prod(self.shape) * BYTES[self.element]

    @property
    def spans(self) -> tuple[int, int]:
        """How many elements lie between the first and the last of each side."""
        return span(self.shape, self.source), span(self.shape, self.destination)

    @property
    def layouts(self) -> tuple[str, str]:
        """Source and destination as tilework writes them."""
        shape, source, destination = (
            ",".join(map(str, of)) for of in (self.shape, self.source, self.destination)
        )
        return f"({shape}):({source})", f"({shape}):({destination})"

    @property
    def order(self) -> tuple[int, ...]:
        """Which mode of the source each mode is, if both sides are dense."""
        by_stride = sorted(range(len(self.shape)), key=lambda mode: self.source[mode])
        return tuple(by_stride.index(mode) for mode in range(len(self.shape)))

    @property
    def is_transpose(self) -> bool:
        """Of a dense matrix into a dense matrix."""
        return self.destination == (1, self.shape[0]) and self.source == (self.shape[1], 1)


# Mode i of the destination is mode permutation[i] of the source, the fastest first; and what HPTT got of memcpy
# for f32 and for f64 on Cascade Lake. "<": it is not among the best two peers there, and the second gets so much.
PERMUTATIONS = [
    ((1, 0), (4096, 4096), "0.52", "0.65"),
    ((1, 0), (1000, 1003), "< 0.31", "< 0.39"),
    ((1, 0), (1003, 1000), "< 0.20", "0.58"),
    ((1, 0), (300, 384), "< 0.37", "< 0.56"),
    ((0, 2, 1), (368, 208, 208), "< 0.96", "< 0.97"),
    ((2, 1, 0), (232, 296, 232), "< 0.38", "0.57"),
    ((1, 0, 2), (256, 256, 240), "0.71", "< 0.59"),
    ((0, 3, 2, 1), (80, 48, 75, 55), "0.67", "0.90"),
    ((2, 1, 3, 0), (64, 75, 64, 50), "0.71", "0.79"),
    ((3, 2, 1, 0), (64, 60, 64, 64), "0.60", "0.60"),
    ((0, 4, 2, 1, 3), (32, 24, 28, 28, 24), "0.89", "0.92"),
    ((4, 3, 2, 1, 0), (32, 28, 24, 24, 32), "0.59", "0.60"),
    ((2, 0, 4, 1, 3), (48, 16, 48, 20, 20), "0.82", "0.82"),
    ((0, 3, 2, 5, 4, 1), (16, 32, 15, 16, 11, 11), "< 0.32", "0.91"),
    ((3, 2, 0, 5, 1, 4), (32, 11, 15, 32, 11, 8), "0.88", "0.63"),
    ((5, 4, 3, 2, 1, 0), (16, 15, 16, 16, 15, 16), "0.42", "0.61"),
]
HPTT_MEANS = {"f32": "0.57", "f64": "0.70", "u16": "none"}


def permutations(element: str) -> list[Case]:
    """The permutations of `PERMUTATIONS`, of one type."""
    cases = []
    for permutation, sizes, single, double in PERMUTATIONS:
        hptt = {"f32": single, "f64": double, "u16": "none"}[element]
        packed = _packed(sizes)
        shape = tuple(sizes[i] for i in permutation)
        name = f"{list(permutation)} of {list(sizes)}".replace(" ", "").replace("of", " of ")
        cases.append(Case(name, element, shape, tuple(packed[i] for i in permutation), _packed(shape), hptt))
    return cases


def other_uses() -> list[Case]:
    """Gathers, scatters, structures, submatrices and broadcasts, of f32."""
    few, many = 1 << 15, 1 << 23
    strided = [(2, many), (3, many), (4, many), (8, many), (17, many), (2, few), (4, few)]
    cases = []
    for s, n in strided:
        name = f"stride {s}, {_size(n)}"
        limit = f"{2 / (1 + min(s, LINE // 4)):.2f}" if n == many else "-"
        cases.append(Case(f"gather, {name}", "f32", (n,), (s,), (1,), limit=limit))
        cases.append(Case(f"scatter, {name}", "f32", (n,), (1,), (s,)))
    for fields in (3, 4):
        n = many // fields
        cases.append(Case(f"structures of {fields} to arrays", "f32", (n, fields), (fields, 1), (1, n)))
        cases.append(Case(f"{fields} arrays to structures", "f32", (fields, n), (n, 1), (1, fields)))
    cases.append(Case("submatrix of 4096x4096", "f32", (4000, 4000), (1, 4096), (1, 4000)))
    cases.append(Case("into a submatrix of 4096x4096", "f32", (4000, 4000), (1, 4000), (1, 4096)))
    return cases


def broadcasts() -> list[Case]:
    """A vector to all columns or all rows of a matrix, in either order, and a number to all elements."""
    m, n = 4096, 4096
    return [
        Case("a column to each column, column-major", "f32", (m, n), (1, 0), (1, m)),
        Case("a row to each row, column-major", "f32", (m, n), (0, 1), (1, m)),
        Case("a column to each column, row-major", "f32", (m, n), (1, 0), (n, 1)),
        Case("a row to each row, row-major", "f32", (m, n), (0, 1), (n, 1)),
        Case("a number to all elements", "f32", (m, n), (0, 0), (1, m)),
    ]


def _packed(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(prod(shape[:i]) for i in range(len(shape)))


def _size(n: int) -> str:
    return f"{4 * n >> 20} MiB" if n >> 18 else f"{4 * n >> 10} KiB"
