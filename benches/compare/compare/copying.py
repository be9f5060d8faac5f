"""COPY: beside `memcpy` of as many bytes, and the peers that copy between strided arrays."""

import ctypes
from collections.abc import Callable

import numpy as np

from compare.copy_cases import HPTT_MEANS, Case, broadcasts, other_uses, permutations
from compare.memory import strided
from compare.native import Copying, Makers, Run, repeated
from compare.report import Table, beside, mean, number, ratio, speed
from compare.session import OURS, Row, Session, Wrong

DTYPES = {"f32": np.float32, "f64": np.float64, "u16": np.uint16}
PLAIN = ["plain loop", "plain loop, streamed"]
PEERS = ["NumPy", "PyTorch", "ndarray", "strided-perm", "transpose", "MKL", "HPTT", *PLAIN]
# Past the caches of all machines so far; the smallest large case is one of u16.
LARGE = 16 << 20
POISON = 0xA5
HPTT = {"f32": "sTensorTranspose", "f64": "dTensorTranspose"}
OMATCOPY = {"f32": "MKL_Somatcopy", "f64": "MKL_Domatcopy"}


def section(session: Session) -> None:
    """All tables."""
    print("\n## COPY\n\nGB/s are bytes read and written, for a broadcast those written.")
    elements = [permuted(session, element) for element in DTYPES]
    means(elements)
    others(session, "Gathers, scatters, structures, submatrices", other_uses(), "memcpy")
    others(session, "Broadcasts", broadcasts(), "memset")
    two_threads(session)


def permuted(session: Session, element: str) -> list[Row]:
    """The permutations of one type."""
    columns = [
        "permutation",
        "GB/s",
        "memcpy",
        "of memcpy",
        "best peer",
        "its share",
        "ours/best",
        "HPTT*",
        "plan, us",
    ]
    note = "*HPTT's share of memcpy according to benches/record/measures.tsv, measured on another machine."
    table = Table(f"Permutations of {element}", note, columns)
    rows = []
    for case in session.effort.rows(permutations(element)):
        row = _row(session, case, "memcpy")
        plan = session.native.job("tilework_copy_plan", case.element, *case.layouts)
        planning = session.measure("copy", f"planning {case.name} {element}", 1, {OURS: plan})
        best = row.best(PEERS)
        table.line(
            case.name,
            speed(row, OURS),
            speed(row, "memcpy"),
            ratio(row, OURS, "memcpy"),
            best or "-",
            ratio(row, best, "memcpy"),
            ratio(row, OURS, best),
            case.hptt,
            number(planning.timings[OURS].median * 1e6),
        )
        rows.append(row)
    return rows


def means(elements: list[list[Row]]) -> None:
    """Geometric means of the shares of memcpy, of large arrays and of cached ones."""
    columns = ["arrays", OURS, *PEERS, "best peer", "HPTT*"]
    table = Table("Geometric means of the shares of memcpy", "", columns)
    for element, rows in zip(DTYPES, elements):
        large = [row for row in rows if row.work / 2 >= LARGE]
        cached = [row for row in rows if row.work / 2 < LARGE]
        for what, some, hptt in [("large", large, HPTT_MEANS[element]), ("cached", cached, "-")]:
            shares = [mean(some, name, "memcpy") for name in [OURS, *PEERS]]
            best = mean(some, lambda row: row.best(PEERS), "memcpy")
            table.line(f"{what}, {element}", *shares, best, hptt)


def others(session: Session, title: str, cases: list[Case], anchor: str) -> None:
    """The other uses."""
    columns = [
        "case",
        "GB/s",
        anchor,
        f"of {anchor}",
        "traffic allows",
        "best peer",
        "its share",
        "ours/best",
    ]
    table = Table(title, "", columns)
    for case in session.effort.rows(cases):
        row = _row(session, case, anchor)
        best = row.best(PEERS)
        table.line(
            case.name,
            speed(row, OURS),
            speed(row, anchor),
            ratio(row, OURS, anchor),
            case.limit,
            best or "-",
            ratio(row, best, anchor),
            ratio(row, OURS, best),
        )


def two_threads(session: Session) -> None:
    """Two threads beside one, by the time on the wall."""
    one, peers = f"{OURS}, 1", ["PyTorch", "strided-perm"]
    columns = ["case", "1 thread", "2 threads", "2/1", "memcpy, 2", "of memcpy", *peers]
    table = Table("2 threads", "In brackets how many times as fast tilework is as the peer.", columns)
    large = [case for element in ("f32", "f64") for case in permutations(element) if case.bytes >= LARGE]
    for case in session.effort.rows(large):
        session.libraries.set_threads(2)
        on_two = _makers(session, case, threads=2)
        makers = {one: _makers(session, case, threads=1)[OURS]} | {
            name: on_two[name] for name in [OURS, *peers]
        }
        runs = session.ready(case.name, makers, _checker(session, case))
        runs["memcpy"] = _anchor(session, case, "memcpy", threads=2)
        row = session.measure("copy", f"{case.name} {case.element}", 2 * case.bytes, runs, threads=2)
        table.line(
            f"{case.element} {case.name}",
            speed(row, one),
            speed(row, OURS),
            ratio(row, OURS, one),
            speed(row, "memcpy"),
            ratio(row, OURS, "memcpy"),
            *[beside(row, name) for name in peers],
        )


def _row(session: Session, case: Case, anchor: str) -> Row:
    session.libraries.set_threads(1)
    runs = session.ready(case.name, _makers(session, case, threads=1), _checker(session, case))
    runs[anchor] = _anchor(session, case, anchor, threads=1)
    work = case.bytes if anchor == "memset" else 2 * case.bytes
    return session.measure("copy", f"{case.name} {case.element}", work, runs)


def _anchor(session: Session, case: Case, anchor: str, threads: int) -> Run:
    """memcpy or memset of as many bytes."""
    source, destination, _ = (arena.array(np.uint8, case.bytes) for arena in session.arenas)
    operands = [source, destination] if anchor == "memcpy" else [destination]
    return session.native.job(f"{anchor}_bytes", *operands, case.bytes, threads)


def _operands(session: Session, case: Case) -> list[np.ndarray]:
    """The memory of both sides."""
    return [arena.array(DTYPES[case.element], size) for arena, size in zip(session.arenas, case.spans)]


def _views(case: Case, memory: list[np.ndarray]) -> list[np.ndarray]:
    """Both sides as NumPy has them, the fastest mode of the destination last."""
    sides = zip(memory, (case.source, case.destination))
    return [strided(side, case.shape[::-1], strides[::-1]) for side, strides in sides]


def _checker(session: Session, case: Case) -> Callable[[Run], None]:
    """Compares every byte from the first to the last of the destination, also those between its elements."""
    source, destination = _operands(session, case)
    # Of random bytes some would be signalling NaNs, which a peer that multiplies by 1 changes.
    if source.dtype.kind == "f":
        source[:] = session.random.standard_normal(source.size, np.float32)
    else:
        source[:] = session.random.integers(0, 1 << 8 * source.itemsize, source.size, source.dtype)
    written = destination.view(np.uint8)
    written[:] = POISON
    from_view, to_view = _views(case, [source, destination])
    np.copyto(to_view, from_view)
    expected = written.copy()

    def check(run: Run) -> None:
        written[:] = POISON
        run(1)
        if not np.array_equal(written, expected):
            raise Wrong(f"{np.count_nonzero(written != expected)} bytes")

    return check


def _makers(session: Session, case: Case, threads: int) -> Makers:
    """All peers that have such a copy."""
    native, memory = session.native, _operands(session, case)
    from_view, to_view = _views(case, memory)
    copying = _copying(case, memory, threads)
    makers: Makers = {
        OURS: lambda: native.job("tilework_copy", case.element, *case.layouts, *memory, threads),
        "NumPy": lambda: repeated(lambda: np.copyto(to_view, from_view)),
        "PyTorch": lambda: _torch(session, from_view, to_view),
        "ndarray": lambda: native.job("ndarray_copy", copying),
        "strided-perm": lambda: native.job("strided_perm_copy", copying),
    }
    if case.hptt and case.element in HPTT:
        makers["HPTT"] = lambda: _hptt(session, case, copying)
    if case.is_transpose:
        height, width = case.shape
        for streamed, name in enumerate(PLAIN):
            makers[name] = _plain(session, case, memory, streamed)
        makers["transpose"] = lambda: native.job("transpose_copy", case.element, *memory, width, height)
        if case.element in OMATCOPY:
            makers["MKL"] = lambda: native.job(
                "omatcopy",
                session.libraries.function("MKL", OMATCOPY[case.element]),
                case.element,
                *memory,
                height,
                width,
            )
    return makers


def _plain(session: Session, case: Case, memory: list[np.ndarray], streamed: int) -> Callable[[], Run]:
    """The plain loop, through the caches or past them."""
    height, width = case.shape
    return lambda: session.native.job("plain_copy", case.element, *memory, width, height, streamed)


def _hptt(session: Session, case: Case, copying: Copying) -> Run:
    """HPTT, by its C interface: it plans by estimate, anew for each copy."""
    numbers = ctypes.c_int * len(case.shape)
    sizes = sorted(zip(case.order, case.shape))
    function = session.libraries.function("HPTT", HPTT[case.element])
    order, extents = numbers(*case.order), numbers(*[size for _, size in sizes])
    return session.native.job("hptt_copy", function, copying, order, extents)


def _copying(case: Case, memory: list[np.ndarray], threads: int) -> Copying:
    """The copy as the Rust peers are told it, the fastest mode of the destination last."""
    rank = len(case.shape)
    sizes, strides = ctypes.c_size_t * rank, ctypes.c_ssize_t * rank
    source, destination = (side.ctypes.data for side in memory)
    return Copying(
        case.element.encode(),
        rank,
        sizes(*case.shape[::-1]),
        source,
        strides(*case.source[::-1]),
        destination,
        strides(*case.destination[::-1]),
        threads,
    )


def _torch(session: Session, source: np.ndarray, destination: np.ndarray) -> Run:
    signed = {np.dtype(np.uint16): np.int16}
    sides = (side.view(signed.get(side.dtype, side.dtype)) for side in (source, destination))
    from_tensor, to_tensor = map(session.torch().from_numpy, sides)
    return repeated(lambda: to_tensor.copy_(from_tensor))
