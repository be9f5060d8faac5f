"""A layout or a tensor of up to four modes as rows of numbers."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar

from typing_extensions import disjoint_base


__all__ = ['print_tensor']

def print_tensor(tensor: Any, print_type: bool = True) -> None: ...
