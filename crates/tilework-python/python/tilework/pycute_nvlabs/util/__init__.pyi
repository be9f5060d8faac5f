"""Layouts and tensors as text, SVG and LaTeX; `from pycute import *` does not import these."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar

from typing_extensions import disjoint_base

from . import draw_colors as draw_colors, draw_latex as draw_latex, draw_svg as draw_svg, print_table as print_table, print_tensor as print_tensor

__all__ = ['draw_colors', 'draw_latex', 'draw_svg', 'print_table', 'print_tensor']

