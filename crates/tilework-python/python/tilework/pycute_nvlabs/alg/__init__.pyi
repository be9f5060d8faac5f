"""The algorithms on tensors: `copy`, and in `ref` the ones of the paper, element by element (section 2.6)."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar

from typing_extensions import disjoint_base

from . import copy as copy, ref as ref

__all__ = ['copy', 'ref']

