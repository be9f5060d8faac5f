"""COPY, each element of the destination once and in the order of its memory; the module can be called like the function."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar

from typing_extensions import disjoint_base


__all__ = ['copy']

def copy(src: Any, dst: Any) -> None: ...
