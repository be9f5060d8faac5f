"""What all sections need: the peers, the memory, how much to measure, and where results go."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType, ModuleType

import numpy as np

from compare.libraries import Libraries
from compare.memory import Arena
from compare.native import Makers, Missing, Native, Run
from compare.rounds import Effort, Timing, measure

OURS = "tilework"


@dataclass
class Row:
    """A line of a table: what was done, and how long each peer took."""

    case: str
    work: float
    """Bytes or operations."""
    timings: dict[str, Timing]

    def speed(self, name: str) -> float:
        """In units of 10^9 a second."""
        return self.work / self.timings[name].median / 1e9

    def has(self, *names: str | None) -> bool:
        """Whether all were measured."""
        return all(name in self.timings for name in names)

    def ratio(self, name: str | None, to: str | None) -> float:
        """How many times as fast one is as the other, if both were measured."""
        own, other = (self.timings[peer] for peer in (name, to) if peer)
        return own.speed_over(other)

    def best(self, among: list[str]) -> str | None:
        """The fastest of those that were measured."""
        here = [name for name in among if name in self.timings]
        return min(here, key=lambda name: self.timings[name].median, default=None)


class Session:
    """One run of the program."""

    def __init__(self, library: Path, effort: Effort) -> None:
        self.native = Native(library)
        self.libraries = Libraries()
        self.effort = effort
        self.arenas = [Arena(1 << 30) for _ in range(3)]
        self.random = np.random.default_rng(1)
        self.record: dict[str, list[dict]] = {}
        self.notes: dict[str, None] = {}
        self.wrong = False

    def ready(self, case: str, makers: Makers, check: Callable[[Run], None]) -> dict[str, Run]:
        """The peers that can do it and do it rightly. `check` runs one and raises `Wrong` if that is so.

        PyTorch raises `RuntimeError` for what it does not do.
        """
        runs = {}
        for name, make in makers.items():
            try:
                run = make()
                check(run)
                runs[name] = run
            except (Missing, RuntimeError) as why:
                if str(why) not in self.libraries.missing.values():
                    self._note(f"{name}: {str(why).splitlines()[0]}", name)
            except Wrong as difference:
                self.wrong |= name.startswith(OURS)
                self._note(f"{name} is WRONG in {case}: {difference}", name)
        return runs

    def measure(
        self,
        section: str,
        case: str,
        work: float,
        peers: dict[str, Run],
        threads: int = 1,
        done: Mapping[str, float] = MappingProxyType({}),
    ) -> Row:
        """A row, that also goes into the record. `done` is the work of those that do another amount than the row's."""
        self.libraries.set_threads(threads)
        timings = measure(peers, self.effort, threads)
        timings |= {name: timings[name].scaled(work / own) for name, own in done.items()}
        record = {
            name: {"median": timing.median, "best": timing.best, "seconds": timing.seconds}
            for name, timing in timings.items()
        }
        entry = {"case": case, "work": work, "threads": threads, "timings": record}
        self.record.setdefault(section, []).append(entry)
        return Row(case, work, timings)

    def torch(self) -> ModuleType:
        """PyTorch, if it is there."""
        if not self.libraries.torch:
            raise Missing(self.libraries.missing["PyTorch"])
        return self.libraries.torch

    def _note(self, text: str, name: str) -> None:
        self.notes[text] = None
        if name.startswith(OURS):
            print(text, file=sys.stderr, flush=True)


class Wrong(Exception):
    """How a result differs from that of NumPy."""
