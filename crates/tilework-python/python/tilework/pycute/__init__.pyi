"""CUTLASS's `pycute` on the exact algebra."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar

from typing_extensions import disjoint_base

from .layout import ComposedLayout as ComposedLayout, Layout as Layout, LayoutBase as LayoutBase, coalesce as coalesce, complement as complement, composition as composition, cosize as cosize, filter as filter, hier_unzip as hier_unzip, is_layout as is_layout, left_inverse as left_inverse, logical_divide as logical_divide, logical_product as logical_product, make_layout as make_layout, right_inverse as right_inverse, size as size, slice_and_offset as slice_and_offset, tiled_divide as tiled_divide, tiled_product as tiled_product, zipped_divide as zipped_divide, zipped_product as zipped_product
from .typing import Integer as Integer
from .swizzle import Swizzle as Swizzle, shiftl as shiftl, shiftr as shiftr
from typing import Union as Union
from itertools import chain as chain
from .int_tuple import crd2crd as crd2crd, crd2idx as crd2idx, elem_scale as elem_scale, flatten as flatten, has_none as has_none, idx2crd as idx2crd, inner_product as inner_product, is_int as is_int, is_tuple as is_tuple, prefix_product as prefix_product, product as product, shape_div as shape_div, signum as signum, slice_ as slice_, tuple_max as tuple_max
from functools import reduce as reduce

__all__ = ['ComposedLayout', 'Integer', 'Layout', 'LayoutBase', 'Swizzle', 'Union', 'chain', 'coalesce', 'complement', 'composition', 'cosize', 'crd2crd', 'crd2idx', 'elem_scale', 'filter', 'flatten', 'has_none', 'hier_unzip', 'idx2crd', 'inner_product', 'install', 'is_int', 'is_layout', 'is_tuple', 'left_inverse', 'logical_divide', 'logical_product', 'make_layout', 'prefix_product', 'product', 'reduce', 'right_inverse', 'shape_div', 'shiftl', 'shiftr', 'signum', 'size', 'slice_', 'slice_and_offset', 'tiled_divide', 'tiled_product', 'tuple_max', 'zipped_divide', 'zipped_product']

def install(name: str = 'pycute') -> None: ...
