"""Swizzles: CUTLASS's `pycute.swizzle`, where layouts under a swizzle are as well."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar

from typing_extensions import disjoint_base

from .layout import ComposedLayout as ComposedLayout, Layout as Layout, LayoutBase as LayoutBase, coalesce as coalesce, complement as complement, composition as composition, cosize as cosize, filter as filter, hier_unzip as hier_unzip, is_layout as is_layout, left_inverse as left_inverse, logical_divide as logical_divide, logical_product as logical_product, make_layout as make_layout, right_inverse as right_inverse, size as size, slice_and_offset as slice_and_offset, tiled_divide as tiled_divide, tiled_product as tiled_product, zipped_divide as zipped_divide, zipped_product as zipped_product
from .typing import Integer as Integer
from typing import Union as Union
from itertools import chain as chain
from .int_tuple import crd2crd as crd2crd, crd2idx as crd2idx, elem_scale as elem_scale, flatten as flatten, has_none as has_none, idx2crd as idx2crd, inner_product as inner_product, is_int as is_int, is_tuple as is_tuple, prefix_product as prefix_product, product as product, shape_div as shape_div, signum as signum, slice_ as slice_, tuple_max as tuple_max
from functools import reduce as reduce

__all__ = ['Swizzle', 'shiftl', 'shiftr', 'ComposedLayout', 'Layout', 'LayoutBase', 'coalesce', 'complement', 'composition', 'cosize', 'filter', 'hier_unzip', 'is_layout', 'left_inverse', 'logical_divide', 'logical_product', 'make_layout', 'right_inverse', 'size', 'slice_and_offset', 'tiled_divide', 'tiled_product', 'zipped_divide', 'zipped_product', 'Integer', 'Union', 'chain', 'crd2crd', 'crd2idx', 'elem_scale', 'flatten', 'has_none', 'idx2crd', 'inner_product', 'is_int', 'is_tuple', 'prefix_product', 'product', 'reduce', 'shape_div', 'signum', 'slice_', 'tuple_max']

class Swizzle:
    bits: int
    base: int
    shift: int
    yyy_msk: int
    zzz_msk: int
    def __init__(self, bits: int, base: int, shift: int) -> None: ...
    def __call__(self, offset: Any) -> int: ...
    def size(self) -> int: ...
    def cosize(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def __str__(self) -> str: ...
    def __repr__(self) -> str: ...

def shiftl(a: Any, s: Any) -> Any: ...
def shiftr(a: Any, s: Any) -> Any: ...
