"""The algorithms on tensors: `copy`, and in `ref` the ones of the paper, element by element (section 2.6)."""

from . import copy, ref

__all__ = ["copy", "ref"]
