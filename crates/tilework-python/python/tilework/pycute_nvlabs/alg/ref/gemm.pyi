"""GEMM of the paper; the module can be called like the function in it."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar

from typing_extensions import disjoint_base


__all__ = ['gemm']

def gemm(A: Any, B: Any, C: Any) -> None: ...
