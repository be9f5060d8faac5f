"""Measuring: all peers of a row take turns, round by round, so that what disturbs one disturbs the others as well.

On one thread it is the processor time of the process that counts, which other processes do not lengthen; on more it is
the time on the wall. Each peer runs as often in a turn as it takes to be measurable.
"""

import math
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

from compare.native import Run

SETTLE = 0.02
"""Seconds in which the threads of the last peer stop to look for work."""


@dataclass(frozen=True)
class Effort:
    """How much is measured."""

    rounds: int
    seconds: float
    """Of one turn, at least."""
    every: int
    """Of how many rows one is measured."""

    def rows(self, rows: list) -> list:
        """Those that are measured."""
        return rows[:: self.every]


FULL = Effort(rounds=7, seconds=0.02, every=1)
QUICK = Effort(rounds=3, seconds=0.002, every=3)


@dataclass(frozen=True)
class Timing:
    """Seconds of one run, in each round."""

    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def best(self) -> float:
        return min(self.seconds)

    def scaled(self, factor: float) -> "Timing":
        """That of so much more work."""
        return Timing(tuple(seconds * factor for seconds in self.seconds))

    def speed_over(self, other: "Timing") -> float:
        """How many times as fast as the other, in the same rounds."""
        return statistics.median(theirs / own for own, theirs in zip(self.seconds, other.seconds))


def measure(peers: dict[str, Run], effort: Effort, threads: int) -> dict[str, Timing]:
    """The timings of all peers, that take turns."""
    clock = time.process_time if threads == 1 else time.perf_counter
    times = {name: _times(run, effort.seconds, clock) for name, run in peers.items()}
    seconds: dict[str, list[float]] = {name: [] for name in peers}
    names = list(peers)
    for turn in range(effort.rounds):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            if threads > 1:
                time.sleep(SETTLE)
            start = clock()
            peers[name](times[name])
            seconds[name].append((clock() - start) / times[name])
    return {name: Timing(tuple(own)) for name, own in seconds.items()}


def _times(run: Run, seconds: float, clock: Callable[[], float]) -> int:
    """How often a peer runs in a turn."""
    times = 1
    while True:
        start = clock()
        run(times)
        elapsed = clock() - start
        if elapsed >= seconds / 4:
            return max(1, math.ceil(times * seconds / elapsed))
        times *= 4
