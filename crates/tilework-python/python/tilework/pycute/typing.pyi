"""The integers: `Integer`, under CUTLASS's name for this module."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar

from typing_extensions import disjoint_base


__all__ = ['Integer']

class Integer(metaclass=ABCMeta):
    ...

