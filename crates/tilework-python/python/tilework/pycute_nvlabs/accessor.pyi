"""What a tensor reads and writes through (paper, definition 2.18): `e + d` moves, `e[d]` is what lies there."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar

from typing_extensions import disjoint_base

from .layout import Layout as Layout, blocked_product as blocked_product, coalesce as coalesce, coalesce_z as coalesce_z, complement as complement, composition as composition, coprofile as coprofile, coshape as coshape, cosize as cosize, greatest_common_domain as greatest_common_domain, is_layout as is_layout, layout_add as layout_add, left_inverse as left_inverse, logical_divide as logical_divide, logical_product as logical_product, make_layout as make_layout, make_layout_like as make_layout_like, make_ordered_layout as make_ordered_layout, nullspace as nullspace, raked_product as raked_product, recast as recast, right_inverse as right_inverse, slice_ as slice_, slice_and_offset as slice_and_offset, stride as stride, tiler_to_layout as tiler_to_layout, zipped_divide as zipped_divide
from .shape import common_coarsening as common_coarsening, common_refinement as common_refinement, compatible as compatible, coordinates as coordinates, crd2idx as crd2idx, idx2crd as idx2crd, inner_product as inner_product, prefix_product as prefix_product, shape as shape, size as size
from .atuple import ArithTuple as ArithTuple, E as E, ScaledBasis as ScaledBasis, V as V, as_tuple as as_tuple, basis_repr as basis_repr, is_basis as is_basis, make_basis_like as make_basis_like, proj as proj, unit as unit
from .htuple import ModeOpDecorator as ModeOpDecorator, congruent as congruent, depth as depth, dice_ as dice_, flatten as flatten, fold_leaf as fold_leaf, get as get, has_none as has_none, is_tuple as is_tuple, leaves as leaves, lift as lift, product as product, product_each as product_each, rank as rank, repeat_like as repeat_like, select as select, take as take, transform_apply_leaf as transform_apply_leaf, transform_leaf as transform_leaf, unflatten as unflatten, unwrap as unwrap, weakly_congruent as weakly_congruent, wrap as wrap, zip_leaves as zip_leaves
from .f2 import F2 as F2
from .typedefs import Coord as Coord, HTuple as HTuple, IntTuple as IntTuple, Integer as Integer, Profile as Profile, Shape as Shape, Stride as Stride, StrideScalar as StrideScalar, Tiler as Tiler, divmod as divmod, is_int as is_int, is_static as is_static, is_stride_scalar as is_stride_scalar, register_integer_type as register_integer_type

__all__ = [
    "Accessor",
    "Array",
    "ImplicitAccessor",
    "MutableAccessor",
    "Ptr",
    "TransformAccessor",
    "Layout",
    "blocked_product",
    "coalesce",
    "coalesce_z",
    "complement",
    "composition",
    "coprofile",
    "coshape",
    "cosize",
    "greatest_common_domain",
    "is_layout",
    "layout_add",
    "left_inverse",
    "logical_divide",
    "logical_product",
    "make_layout",
    "make_layout_like",
    "make_ordered_layout",
    "nullspace",
    "raked_product",
    "recast",
    "right_inverse",
    "slice_",
    "slice_and_offset",
    "stride",
    "tiler_to_layout",
    "zipped_divide",
    "common_coarsening",
    "common_refinement",
    "compatible",
    "coordinates",
    "crd2idx",
    "idx2crd",
    "inner_product",
    "prefix_product",
    "shape",
    "size",
    "ArithTuple",
    "E",
    "ScaledBasis",
    "V",
    "as_tuple",
    "basis_repr",
    "is_basis",
    "make_basis_like",
    "proj",
    "unit",
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

class Accessor(metaclass=ABCMeta):
    @abstractmethod
    def __add__(self, offset: Any) -> Any: ...
    @abstractmethod
    def __getitem__(self, offset: Any) -> Any: ...

class Array(Ptr):
    def __init__(self, size: Any, dtype: type[Any] = ...) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...
    size: int

class ImplicitAccessor(Accessor):
    base: int
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(self, base: Any) -> None: ...
    def __add__(self, offset: Any) -> Any: ...
    def __getitem__(self, offset: Any) -> Any: ...
    def __eq__(self, other: object) -> bool: ...
    def __repr__(self) -> str: ...

class MutableAccessor(metaclass=ABCMeta):
    @abstractmethod
    def __add__(self, offset: Any) -> Any: ...
    @abstractmethod
    def __getitem__(self, offset: Any) -> Any: ...
    @abstractmethod
    def __setitem__(self, offset: Any, value: Any) -> None: ...

class Ptr(MutableAccessor):
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(self, source: Any, dtype: type[Any] | None = None, owner: Any = None) -> None: ...
    @property
    def base(self) -> int: ...
    @property
    def ptr(self) -> Any: ...
    def _moved(self, address: Any) -> Any: ...
    def __add__(self, offset: Any) -> Any: ...
    def __sub__(self, offset: Any) -> Any: ...
    def _at(self, offset: Any) -> Any: ...
    def __getitem__(self, offset: Any) -> Any: ...
    def __setitem__(self, offset: Any, value: Any) -> None: ...
    def __eq__(self, other: object) -> bool: ...
    def __repr__(self) -> str: ...
    address: Any
    dtype: type[Any]
    owner: Any

class TransformAccessor(Accessor):
    accessor: Any
    transform: Any
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __init__(self, accessor: Any, transform: Callable[..., Any]) -> None: ...
    @property
    def base(self) -> int: ...
    def __add__(self, offset: Any) -> Any: ...
    def __getitem__(self, offset: Any) -> Any: ...
    def __eq__(self, other: object) -> bool: ...
    def __repr__(self) -> str: ...

