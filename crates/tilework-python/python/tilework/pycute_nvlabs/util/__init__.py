"""Layouts and tensors as text, SVG and LaTeX; `from pycute import *` does not import these."""

from . import draw_colors, draw_latex, draw_svg, print_table, print_tensor

__all__ = ["draw_colors", "draw_latex", "draw_svg", "print_table", "print_tensor"]
