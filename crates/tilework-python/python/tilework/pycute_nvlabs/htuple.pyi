"""Hierarchical tuples (paper, section 2.1) and the functions that can be asked about a mode."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar

from typing_extensions import disjoint_base

from .f2 import F2 as F2
from .typedefs import Coord as Coord, HTuple as HTuple, IntTuple as IntTuple, Integer as Integer, Profile as Profile, Shape as Shape, Stride as Stride, StrideScalar as StrideScalar, Tiler as Tiler, divmod as divmod, is_int as is_int, is_static as is_static, is_stride_scalar as is_stride_scalar, register_integer_type as register_integer_type

__all__ = [
    "ModeOpDecorator",
    "congruent",
    "depth",
    "dice_",
    "flatten",
    "fold_leaf",
    "get",
    "has_none",
    "is_tuple",
    "leaves",
    "lift",
    "product",
    "product_each",
    "rank",
    "repeat_like",
    "select",
    "take",
    "transform_apply_leaf",
    "transform_leaf",
    "unflatten",
    "unwrap",
    "weakly_congruent",
    "wrap",
    "zip_leaves",
    "F2",
    "Coord",
    "HTuple",
    "IntTuple",
    "Integer",
    "Profile",
    "Shape",
    "Stride",
    "StrideScalar",
    "Tiler",
    "divmod",
    "is_int",
    "is_static",
    "is_stride_scalar",
    "register_integer_type",
]

_P = ParamSpec("_P")
_R = TypeVar("_R")

class ModeOpDecorator(Generic[_P, _R]):
    func: Callable[_P, _R]
    mode: tuple[int, ...]
    def __init__(self, func: Callable[_P, _R], mode: int | Sequence[int] = ()) -> None: ...
    def __getitem__(self, mode: int | Sequence[int]) -> ModeOpDecorator[_P, _R]: ...
    def __call__(self, *arguments: _P.args, **named: _P.kwargs) -> _R: ...
    def __repr__(self) -> str: ...

def congruent(a: Any, b: Any) -> bool: ...
@ModeOpDecorator
def depth(x: Any, *, mode: int | Sequence[int] = ()) -> int: ...
def dice_(crd: Any, trg: Any) -> tuple[Any, ...]: ...
def flatten(t: Any, g: Any = ...) -> Any: ...
def fold_leaf(fn: Callable[..., Any], v: Any, *tuples: Any) -> Any: ...
@ModeOpDecorator
def get(obj: Any, *, mode: int | Sequence[int] = ()) -> Any: ...
def has_none(x: Any) -> bool: ...
def is_tuple(x: Any) -> bool: ...
def leaves(t: Any) -> Generator[Any]: ...
@ModeOpDecorator
def lift(obj: Any, *, pad: Any = 0, mode: int | Sequence[int] = ()) -> Any: ...
def product(x: Any) -> Any: ...
def product_each(x: Any) -> tuple[Any, ...]: ...
@ModeOpDecorator
def rank(x: Any, *, mode: int | Sequence[int] = ()) -> int: ...
def repeat_like(x: Any, profile: Any) -> Any: ...
@ModeOpDecorator
def select(obj: Any, *, mode: int | Sequence[int] = ()) -> tuple[Any, ...]: ...
@ModeOpDecorator
def take(obj: Any, *, mode: int | Sequence[int] = ()) -> tuple[Any, ...]: ...
def transform_apply_leaf(g: Any, f: Callable[..., Any], htuple: Any, *tuples: Any) -> Any: ...
def transform_leaf(f: Callable[..., Any], htuple: Any, *tuples: Any) -> Any: ...
def unflatten(iter: Any, profile: Any, g: Any = ...) -> Any: ...
def unwrap(x: Any) -> Any: ...
def weakly_congruent(a: Any, b: Any) -> bool: ...
def wrap(x: Any) -> tuple[Any, ...]: ...
def zip_leaves(htuple: Any, *tuples: Any) -> Generator[tuple[Any, ...]]: ...
