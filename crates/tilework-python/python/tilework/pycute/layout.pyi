"""CUTLASS's `pycute.layout`: layouts and their algebra."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar

from typing_extensions import disjoint_base

from .typing import Integer as Integer
from typing import Union as Union
from itertools import chain as chain
from .int_tuple import crd2crd as crd2crd, crd2idx as crd2idx, elem_scale as elem_scale, flatten as flatten, has_none as has_none, idx2crd as idx2crd, inner_product as inner_product, is_int as is_int, is_tuple as is_tuple, prefix_product as prefix_product, product as product, shape_div as shape_div, signum as signum, slice_ as slice_, tuple_max as tuple_max
from functools import reduce as reduce
from .operation import Operation

__all__ = [
    "Layout",
    "LayoutBase",
    "coalesce",
    "complement",
    "composition",
    "cosize",
    "filter",
    "hier_unzip",
    "is_layout",
    "left_inverse",
    "logical_divide",
    "logical_product",
    "make_layout",
    "right_inverse",
    "size",
    "slice_and_offset",
    "tiled_divide",
    "tiled_product",
    "zipped_divide",
    "zipped_product",
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

@disjoint_base
class Layout:
    """A layout of integers: `Layout(shape)` is compact, `Layout(shape, stride)` any."""

    def __new__(cls, shape: Any, stride: Any = None) -> Layout: ...
    def __call__(self, *crd: Any) -> Any: ...
    def __getitem__(self, index: Any, /) -> Layout: ...
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def size(self) -> int: ...
    def cosize(self) -> int: ...
    def offsets(self) -> Any: ...
    @property
    def shape(self) -> Any: ...
    @property
    def stride(self) -> Any: ...
    @property
    def native(self) -> Any: ...

class LayoutBase(metaclass=ABCMeta):
    ...

@Operation
def coalesce(layout: Any, profile: Any = None) -> Layout: ...
@Operation
def complement(layout: Any, max_idx: Any = 1) -> Layout: ...
@Operation
def composition(layoutA: Any, layoutB: Any) -> Any: ...
@Operation
def cosize(layout: Any) -> Any: ...
@Operation
def filter(layout: Any, profile: Any = None) -> Layout: ...
def hier_unzip(splitter: Callable[[Any, Any], Any], layoutA: Any, layoutB: Any) -> Layout: ...
def is_layout(x: Any) -> bool: ...
@Operation
def left_inverse(layout: Any) -> Layout: ...
@Operation
def logical_divide(layoutA: Any, layoutB: Any) -> Layout: ...
@Operation
def logical_product(layoutA: Any, layoutB: Any) -> Layout: ...
@Operation
def make_layout(*layouts: Any) -> Layout: ...
@Operation
def right_inverse(layout: Any) -> Layout: ...
@Operation
def size(layout: Any) -> Any: ...
def slice_and_offset(crd: Any, layout: Any) -> tuple[Layout, Any]: ...
@Operation
def tiled_divide(layoutA: Any, layoutB: Any) -> Layout: ...
@Operation
def tiled_product(layoutA: Any, layoutB: Any) -> Layout: ...
@Operation
def zipped_divide(layoutA: Any, layoutB: Any) -> Layout: ...
@Operation
def zipped_product(layoutA: Any, layoutB: Any) -> Layout: ...
