"""Colours of cells, `(r, g, b)` of 0 to 255: of an offset, or of a thread and a value."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar

from typing_extensions import disjoint_base


__all__ = [
    "bank_color_16x",
    "bank_color_32x",
    "bank_color_8x",
    "constant",
    "index_grey_8x",
    "thread_color_8x",
    "value_color_8x",
    "warp_color_8x",
    "white",
]

def bank_color_16x(idx: Any) -> tuple[int, int, int]: ...
def bank_color_32x(idx: Any) -> tuple[int, int, int]: ...
def bank_color_8x(idx: Any) -> tuple[int, int, int]: ...
def constant(rgb: Sequence[int]) -> Callable[..., Sequence[int]]: ...
def index_grey_8x(idx: Any) -> tuple[int, int, int]: ...
def thread_color_8x(tid: int, vid: int) -> tuple[int, int, int]: ...
def value_color_8x(tid: int, vid: int) -> tuple[int, int, int]: ...
def warp_color_8x(tid: int, vid: int) -> tuple[int, int, int]: ...
def white(*_: Any) -> tuple[int, int, int]: ...
