"""A layout or a tensor of two modes as a table with lines."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar

from typing_extensions import disjoint_base


__all__ = ['print_table']

def print_table(tensor: Any, print_type: bool = True) -> None: ...
