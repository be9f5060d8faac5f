"""Pictures as LaTeX files with TikZ."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar

from typing_extensions import disjoint_base


__all__ = ['draw_latex', 'draw_latex_tv']

def draw_latex(layout: Any, filename: str | PathLike[str] = 'layout.tex', color: Callable[..., Sequence[float]] = ..., compile_pdf: bool = True) -> None: ...
def draw_latex_tv(layout: Any, tile_mn: Any = None, filename: str | PathLike[str] = 'layout.tex', color: Callable[..., Sequence[float]] = ..., compile_pdf: bool = True) -> None: ...
