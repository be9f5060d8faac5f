"""COPY and GEMM element by element, as the paper writes them."""

from . import copy, gemm

__all__ = ["copy", "gemm"]
