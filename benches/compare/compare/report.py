"""Tables in Markdown, a line as soon as it is measured."""

from collections.abc import Callable, Iterable
from statistics import geometric_mean

from compare.session import OURS, Row

EXPLANATION = "GFLOP/s; in brackets how many times as fast tilework is as the peer."

Peer = str | Callable[[Row], str | None]
"""A peer, or the one that it is in a row."""


class Table:
    """A table whose head is printed when it begins."""

    def __init__(self, title: str, note: str, columns: list[str]) -> None:
        print(f"\n### {title}\n\n{note}\n" if note else f"\n### {title}\n")
        print(f"| {' | '.join(columns)} |")
        print(f"|{'---|' * len(columns)}", flush=True)

    def line(self, *cells: str) -> None:
        """A line."""
        print(f"| {' | '.join(cells)} |", flush=True)


def speed(row: Row, name: str) -> str:
    """10^9 bytes or operations a second, if it was measured."""
    return number(row.speed(name)) if name in row.timings else "-"


def ratio(row: Row, name: str | None, to: str | None) -> str:
    """How many times as fast one is as the other, if both were measured."""
    return f"{row.ratio(name, to):.2f}" if row.has(name, to) else "-"


def beside(row: Row, name: str, ours: str = OURS) -> str:
    """A peer's speed, and how many times as fast ours is."""
    return f"{speed(row, name)} ({ratio(row, ours, name)})" if name in row.timings else "-"


def number(value: float) -> str:
    """Three digits of it."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def mean(rows: Iterable[Row], name: Peer, to: Peer) -> str:
    """The geometric mean of how many times as fast one is as the other, over the rows that have both."""
    ratios = []
    for row in rows:
        own, other = (peer(row) if callable(peer) else peer for peer in (name, to))
        if row.has(own, other):
            ratios.append(row.ratio(own, other))
    return f"{geometric_mean(ratios):.2f}" if ratios else "-"
