"""The algebra of PyTorch's device meshes, in which the last mode runs fastest.

`torch.distributed` has a fork of CUTLASS's pycute in this (lexicographic) order. Its layouts are CuTe's with the modes of each
level reversed, so these functions reverse the layout, call `tilework.pycute`, and reverse the result. Results have the class
of the argument, called with a shape and a stride.

>>> from tilework.pycute import Layout
>>> composition(Layout((4, 3), (3, 1)), Layout(6, 2)), composition(Layout((4, 3), (1, 4)), Layout(3, 1))
(Layout(6,2), Layout(3,4))
"""

from . import pycute
from .errors import Rank

__all__ = ["coalesce", "complement", "composition", "install"]


def coalesce(layout, profile=None):
    """The same function of integers with the fewest modes; with a tuple for a profile, mode by mode.

    >>> from tilework.pycute import Layout
    >>> coalesce(Layout((2, 3, 4), (12, 4, 1))), coalesce(Layout((2, 3), (1, 2)))
    (Layout(24,1), Layout((2, 3),(1, 2)))
    >>> coalesce(Layout(((2, 2), (2, 2)), ((8, 4), (1, 2))), (None,))
    Layout((4, (2, 2)),(4, (1, 2)))
    """
    if isinstance(profile, tuple):
        return _by_mode(coalesce, layout, profile)
    return _as(type(layout), pycute.coalesce(_colexicographic(layout)))


def complement(layout, max_idx=1):
    """The layout of the offsets up to `max_idx` that `layout` leaves out, the smallest stride last.

    >>> from tilework.pycute import Layout
    >>> complement(Layout(4, 2), 24), complement(Layout((2, 2), (8, 1)), 16)
    (Layout((3, 2),(8, 1)), Layout(4,2))
    """
    return _as(type(layout), pycute.complement(_colexicographic(layout), max_idx))


def composition(layoutA, layoutB):
    """The layout `c -> layoutA(layoutB(c))`; a tuple applies to the leading modes, and `None` keeps a mode unchanged.

    >>> from tilework.pycute import Layout
    >>> composition(Layout((6, 2), (2, 1)), Layout(3, 2)), composition(Layout((4, 8), (8, 1)), (2, None))
    (Layout(3,2), Layout((2, 8),(8, 1)))
    """
    if layoutB is None:
        return layoutA
    if isinstance(layoutB, tuple):
        return _by_mode(composition, layoutA, layoutB)
    right = _colexicographic(layoutB) if hasattr(layoutB, "stride") else layoutB
    return _as(type(layoutA), pycute.composition(_colexicographic(layoutA), right))


def install():
    """Replaces the three functions in `torch.distributed` for this process."""
    from torch.distributed import _mesh_layout

    for function in (coalesce, complement, composition):
        setattr(_mesh_layout, function.__name__, function)


def _reversed(t):
    return tuple(map(_reversed, reversed(t))) if isinstance(t, tuple) else t


def _colexicographic(layout):
    return pycute.Layout(_reversed(layout.shape), _reversed(layout.stride))


def _as(kind, layout):
    return kind(_reversed(layout.shape), _reversed(layout.stride))


def _by_mode(operation, layout, parts):
    """The operation on the leading modes, each with one of the parts; the other modes are unchanged."""
    if len(layout) < len(parts):
        raise Rank.of("rank", f"{layout} has fewer modes than {parts}")
    modes = [operation(layout[i], part) for i, part in enumerate(parts)]
    modes += [layout[i] for i in range(len(parts), len(layout))]
    return type(layout)(tuple(mode.shape for mode in modes), tuple(mode.stride for mode in modes))
