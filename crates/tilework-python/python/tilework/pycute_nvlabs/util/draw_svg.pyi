"""Pictures as SVG files."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar

from typing_extensions import disjoint_base


__all__ = ['draw_svg', 'draw_svg_tv']

def draw_svg(layout: Any, filename: str | PathLike[str] = 'layout.svg', color: Callable[..., Sequence[float]] = ...) -> None: ...
def draw_svg_tv(layout: Any, tile_mn: Any = None, filename: str | PathLike[str] = 'layout.svg', color: Callable[..., Sequence[float]] = ...) -> None: ...
