"""Tuples of integers, nested to any depth: CUTLASS's `pycute.int_tuple`."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar

from typing_extensions import disjoint_base

from .typing import Integer as Integer
from typing import Union as Union
from itertools import chain as chain
from functools import reduce as reduce

__all__ = [
    "Integer",
    "Union",
    "chain",
    "crd2crd",
    "crd2idx",
    "elem_scale",
    "flatten",
    "has_none",
    "idx2crd",
    "inner_product",
    "is_int",
    "is_tuple",
    "prefix_product",
    "product",
    "reduce",
    "shape_div",
    "signum",
    "slice_",
    "tuple_max",
]

def crd2crd(crd: Any, dst_shape: Any, src_shape: Any = None) -> Any: ...
def crd2idx(crd: Any, shape: Any, stride: Any = None) -> Any: ...
def elem_scale(a: Any, b: Any) -> Any: ...
def flatten(t: Any) -> Any: ...
def has_none(a: Any) -> bool: ...
def idx2crd(idx: Any, shape: Any, stride: Any = None) -> Any: ...
def inner_product(a: Any, b: Any) -> Any: ...
def is_int(x: Any) -> bool: ...
def is_tuple(x: Any) -> bool: ...
def prefix_product(a: Any, init: Any = 1) -> Any: ...
def product(a: Any) -> Any: ...
def shape_div(a: Any, b: Any) -> Any: ...
def signum(a: Any) -> int: ...
def slice_(crd: Any, trg: Any) -> Any: ...
def tuple_max(a: Any) -> Any: ...
