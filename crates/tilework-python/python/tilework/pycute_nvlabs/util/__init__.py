"""Layouts and tensors as text, SVG and LaTeX; not among what `from pycute import *` brings."""

from . import draw_colors, draw_latex, draw_svg, print_table, print_tensor

__all__ = ["draw_colors", "draw_latex", "draw_svg", "print_table", "print_tensor"]
