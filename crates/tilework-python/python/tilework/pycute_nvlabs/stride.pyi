"""Strides to those of the core and back; strides that the core does not have, component by component."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar

from typing_extensions import disjoint_base

from .shape import common_coarsening as common_coarsening, common_refinement as common_refinement, compatible as compatible, coordinates as coordinates, crd2idx as crd2idx, idx2crd as idx2crd, inner_product as inner_product, prefix_product as prefix_product, shape as shape, size as size
from .atuple import ArithTuple as ArithTuple, E as E, ScaledBasis as ScaledBasis, V as V, as_tuple as as_tuple, basis_repr as basis_repr, is_basis as is_basis, make_basis_like as make_basis_like, proj as proj, unit as unit
from .htuple import ModeOpDecorator as ModeOpDecorator, congruent as congruent, depth as depth, dice_ as dice_, flatten as flatten, fold_leaf as fold_leaf, get as get, has_none as has_none, is_tuple as is_tuple, leaves as leaves, lift as lift, product as product, product_each as product_each, rank as rank, repeat_like as repeat_like, select as select, take as take, transform_apply_leaf as transform_apply_leaf, transform_leaf as transform_leaf, unflatten as unflatten, unwrap as unwrap, weakly_congruent as weakly_congruent, wrap as wrap, zip_leaves as zip_leaves
from .f2 import F2 as F2
from .typedefs import Coord as Coord, HTuple as HTuple, IntTuple as IntTuple, Integer as Integer, Profile as Profile, Shape as Shape, Stride as Stride, StrideScalar as StrideScalar, Tiler as Tiler, divmod as divmod, is_int as is_int, is_static as is_static, is_stride_scalar as is_stride_scalar, register_integer_type as register_integer_type

__all__ = ['common_coarsening', 'common_refinement', 'compatible', 'coordinates', 'crd2idx', 'idx2crd', 'inner_product', 'prefix_product', 'shape', 'size', 'ArithTuple', 'E', 'ScaledBasis', 'V', 'as_tuple', 'basis_repr', 'is_basis', 'make_basis_like', 'proj', 'unit', 'ModeOpDecorator', 'congruent', 'depth', 'dice_', 'flatten', 'fold_leaf', 'get', 'has_none', 'is_tuple', 'leaves', 'lift', 'product', 'product_each', 'rank', 'repeat_like', 'select', 'take', 'transform_apply_leaf', 'transform_leaf', 'unflatten', 'unwrap', 'weakly_congruent', 'wrap', 'zip_leaves', 'F2', 'Coord', 'HTuple', 'IntTuple', 'Integer', 'Profile', 'Shape', 'Stride', 'StrideScalar', 'Tiler', 'divmod', 'is_int', 'is_static', 'is_stride_scalar', 'register_integer_type']

