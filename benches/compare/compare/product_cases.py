"""Products of matrices: sizes, and the strides of rows and columns of each operand."""

from dataclasses import dataclass

from compare.memory import span

Strides = tuple[int, int]


@dataclass(frozen=True)
class Case:
    """`C = A B` for an `m` by `k` and a `k` by `n` matrix."""

    name: str
    element: str
    m: int
    n: int
    k: int
    a: Strides
    b: Strides
    c: Strides

    @property
    def operations(self) -> int:
        return 2 * self.m * self.n * self.k

    @property
    def shapes(self) -> list[tuple[int, int]]:
        """Of A, B and C."""
        return [(self.m, self.k), (self.k, self.n), (self.m, self.n)]

    @property
    def strides(self) -> list[Strides]:
        """Of A, B and C."""
        return [self.a, self.b, self.c]

    @property
    def spans(self) -> list[int]:
        """How many elements from the first to the last of each."""
        return [span(shape, strides) for shape, strides in zip(self.shapes, self.strides)]

    @property
    def layouts(self) -> list[str]:
        """As tilework writes them, where B is (N,K)."""
        return [
            f"({self.m},{self.k}):({self.a[0]},{self.a[1]})",
            f"({self.n},{self.k}):({self.b[1]},{self.b[0]})",
            f"({self.m},{self.n}):({self.c[0]},{self.c[1]})",
        ]


def column_major(element: str, m: int, n: int, k: int, kind: str = "NN") -> Case:
    """Dense matrices, A or B transposed where the kind says T."""
    a = (1, m) if kind[0] == "N" else (k, 1)
    b = (1, k) if kind[1] == "N" else (n, 1)
    name = f"{m}x{n}x{k}" if (m, n) != (k, k) else f"{m}"
    return Case(f"{name} {kind}", element, m, n, k, a, b, (1, m))


def spread(element: str, n: int, step: int) -> Case:
    """Square matrices of which no two elements are neighbours."""
    strides = (step, step * n)
    return Case(f"{n}, row stride {step}", element, n, n, n, strides, strides, strides)


@dataclass(frozen=True)
class Folded:
    """`C = A B` where the rows of A and C are the modes 0 and 2 of tensors (m1,k,m2) and (m1,n,m2)."""

    element: str
    m1: int
    m2: int
    n: int
    k: int

    @property
    def name(self) -> str:
        return f"({self.m1},{self.m2})x{self.n}x{self.k}"

    @property
    def m(self) -> int:
        return self.m1 * self.m2

    @property
    def operations(self) -> int:
        return 2 * self.m * self.n * self.k

    @property
    def spans(self) -> list[int]:
        return [self.m * self.k, self.k * self.n, self.m * self.n]

    @property
    def layouts(self) -> list[str]:
        """As tilework writes them, where B is (N,K)."""
        m1, m2, n, k = self.m1, self.m2, self.n, self.k
        return [
            f"(({m1},{m2}),{k}):((1,{m1 * k}),{m1})",
            f"({n},{k}):({k},1)",
            f"(({m1},{m2}),{n}):((1,{m1 * n}),{m1})",
        ]

    @property
    def modes(self) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Shapes and strides of A (m1,m2,k), B (k,n) and C (m1,m2,n)."""
        m1, m2, n, k = self.m1, self.m2, self.n, self.k
        return [((m1, m2, k), (1, m1 * k, m1)), ((k, n), (1, k)), ((m1, m2, n), (1, m1 * n, m1))]

    @property
    def part(self) -> Case:
        """The product for one index of the second mode."""
        m1, n, k = self.m1, self.n, self.k
        return Case(self.name, self.element, m1, n, k, (1, m1), (1, k), (1, m1))


def large() -> list[Case]:
    """Square ones, and each operand transposed."""
    sizes = [256, 512, 1024, 2048]
    return [
        column_major(element, n, n, n, kind)
        for element in ("f32", "f64")
        for kind in ("NN", "NT", "TN")
        for n in sizes
    ]


def small() -> list[Case]:
    """Square ones that fit the first cache."""
    sizes = [8, 12, 16, 24, 32, 48, 64]
    return [column_major(element, n, n, n) for element in ("f32", "f64") for n in sizes]


def skinny() -> list[Case]:
    """The shapes of benches/record/measures.tsv."""
    shapes = [
        (2048, 2048, 16),
        (2048, 2048, 64),
        (2048, 16, 2048),
        (16, 2048, 2048),
        (64, 64, 16384),
        (3136, 64, 576),
    ]
    return [column_major(element, *shape) for element in ("f32", "f64") for shape in shapes]
