"""COPY and GEMM element by element, as the paper writes them."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar

from typing_extensions import disjoint_base

from . import copy as copy, gemm as gemm

__all__ = ['copy', 'gemm']

