"""Functions that the core answers."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar

from typing_extensions import disjoint_base

_P = ParamSpec("_P")
_R = TypeVar("_R")

__all__: list[str]

class Operation(Generic[_P, _R]):
    def __new__(cls, function: Callable[_P, _R]) -> Operation[_P, _R]: ...
    def __init__(self, function: Callable[_P, _R]) -> None: ...
    def __call__(self, *args: _P.args, **named: _P.kwargs) -> _R: ...
