"""Narrow types beside f32: bf16 and f16 with sums in f32, i8 with sums in i32."""

from functools import partial

import numpy as np

from compare import products
from compare.memory import strided
from compare.native import Makers, Run, repeated
from compare.product_cases import Case, column_major
from compare.report import Table, beside, ratio, speed
from compare.session import OURS, Session, Wrong

ELEMENTS = {"f32": np.float32, "bf16": np.uint16, "f16": np.float16, "i8": np.int8}
"""What NumPy holds them in; it has no bf16."""
NARROW = ["bf16", "f16", "i8"]
ROUNDED = {"bf16": "bf16 to bf16", "f16": "f16 to f16"}
"""Products with results that are rounded to the type of the operands."""
EPSILON = {"f32": 2**-23, "bf16": 2**-7, "f16": 2**-10, "i8": 0}
"""The distance from 1 to the next number."""
REGION = 128 << 20


def narrow(session: Session) -> None:
    """All types in the same rounds."""
    peers = {"PyTorch bf16": ROUNDED["bf16"], "PyTorch f16": ROUNDED["f16"], "PyTorch i8": "i8", "gemm f16": ROUNDED["f16"]}
    note = "C is f32 or i32, or as named; of PyTorch and gemm bf16 or f16. In brackets how many times as fast tilework is."
    products_of = [*NARROW, *ROUNDED.values()]
    narrower = [column for product in products_of for column in (product, f"{product}/f32")]
    table = Table("Narrow types, 1 thread", note, ["n", "f32", *narrower, *peers])
    for n in session.effort.rows([256, 512, 1024, 2048]):
        session.libraries.set_threads(1)
        runs: dict[str, Run] = {}
        for region, element in enumerate(ELEMENTS):
            runs |= _runs(session, column_major(element, n, n, n), region * REGION)
        row = session.measure("gemm", f"narrow {n}", 2 * n**3, runs)
        ours = {product: f"{OURS} {product}" for product in ["f32", *products_of]}
        cells = [speed(row, ours["f32"])]
        for product in products_of:
            cells += [speed(row, ours[product]), ratio(row, ours[product], ours["f32"])]
        table.line(str(n), *cells, *[beside(row, name, ours[product]) for name, product in peers.items()])


def _runs(session: Session, case: Case, first_byte: int) -> dict[str, Run]:
    """Ours and the peers for one type, checked."""
    element, native = case.element, session.native
    dtypes = [ELEMENTS[element], ELEMENTS[element], np.int32 if element == "i8" else np.float32]
    regions = zip(session.arenas, dtypes, case.spans)
    memory = [arena.array(dtype, size, first_byte) for arena, dtype, size in regions]
    for operand in memory[:2]:
        operand[:] = _narrowed(session.random.uniform(-1, 1, len(operand)), element)
    a, b = (strided(_values(of, element), *view) for of, *view in zip(memory[:2], case.shapes, case.strides))
    expected = a @ b
    # Where the peers write sums that are rounded to the type.
    rounded = memory if element == "i8" else [*memory[:2], memory[2].view(ELEMENTS[element])[: case.spans[2]]]

    def check(result: np.ndarray, epsilon: float, run: Run) -> None:
        memory[2].view(np.uint8)[:] = 0xFF
        run(1)
        values = _values(result, element if result.dtype == ELEMENTS[element] else "f32")
        difference = np.abs(strided(values, case.shapes[2], case.c) - expected).max()
        allowed = 0 if element == "i8" else case.k * EPSILON["f32"] + epsilon * np.abs(expected).max()
        if not difference <= allowed:
            raise Wrong(f"off by {difference:.2g}, where {allowed:.2g} is allowed")

    what = f"{case.name} {element}"
    ours: Makers = {
        f"{OURS} {element}": lambda: native.job("tilework_gemm", element, case.layouts, *memory, 1)
    }
    to_rounded: Makers = {}
    if element in ROUNDED:
        name = f"{OURS} {ROUNDED[element]}"
        to_rounded[name] = lambda: native.job("tilework_gemm_rounded", element, case.layouts, *rounded, 1)
    if element in NARROW:
        to_rounded[f"PyTorch {element}"] = lambda: _torch(session, case, rounded)
    if element == "f16":
        to_rounded["gemm f16"] = lambda: native.job("gemm_product", products.product(case, rounded, 1))
    return session.ready(what, ours, partial(check, memory[2], 0.0)) | session.ready(
        what, to_rounded, partial(check, rounded[2], 2 * EPSILON[element])
    )


def _narrowed(numbers: np.ndarray, element: str) -> np.ndarray:
    """Numbers from -1 to 1 in the type; those of i8 from -127 to 127."""
    match element:
        case "i8":
            return (numbers * 127).astype(np.int8)
        case "bf16":
            return (numbers.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
        case _:
            return numbers.astype(ELEMENTS[element])


def _values(memory: np.ndarray, element: str) -> np.ndarray:
    """The numbers that are in the memory."""
    if element == "bf16":
        return (memory.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return memory.astype(np.float64)


def _torch(session: Session, case: Case, memory: list[np.ndarray]) -> Run:
    """`torch.mm`, or for i8 `torch._int_mm`: the transposed product, as PyTorch wants rows."""
    torch = session.torch()
    tensors = []
    for operand, shape in zip(memory, case.shapes):
        tensor = torch.from_numpy(operand.view(np.int16) if case.element == "bf16" else operand)
        tensor = tensor.view(torch.bfloat16) if case.element == "bf16" else tensor
        tensors.append(tensor.view(shape[::-1]))
    a, b, c = tensors
    multiply = torch._int_mm if case.element == "i8" else torch.mm
    return repeated(lambda: multiply(b, a, out=c))
