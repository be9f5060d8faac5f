"""The types of integers and of strides."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar

from typing_extensions import disjoint_base


__all__ = ['Coord', 'HTuple', 'IntTuple', 'Integer', 'Profile', 'Shape', 'Stride', 'StrideScalar', 'Tiler', 'divmod', 'is_int', 'is_static', 'is_stride_scalar', 'register_integer_type']

Coord = Any
HTuple = Any
IntTuple = Any
class Integer(metaclass=ABCMeta):
    ...

Profile = Any
Shape = Any
Stride = Any
class StrideScalar(metaclass=ABCMeta):
    ...

Tiler = Any
def divmod(a: Any, b: Any) -> tuple[Any, Any]: ...
def is_int(x: Any) -> bool: ...
def is_static(x: Any) -> bool: ...
def is_stride_scalar(x: Any) -> bool: ...
def register_integer_type(*types: type[Any]) -> None: ...
