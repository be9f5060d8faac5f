"""Pictures as LaTeX files with TikZ."""

import shutil
import subprocess
from pathlib import Path

from ...errors import Absent
from ._cells import threads_and_values, values
from .draw_colors import *
from .draw_colors import index_grey_8x, thread_color_8x

__all__ = ["draw_latex", "draw_latex_tv"]

_HEAD = (
    "\\documentclass[convert]{standalone}\n\\usepackage{tikz}\n\\begin{document}\n"
    "\\begin{tikzpicture}[x={(0cm,-1cm)},y={(1cm,0cm)},box/.style={rectangle,draw=black,thick,minimum size=1cm,"
    "anchor=center,font=\\scriptsize}]"
)


def draw_latex(layout, filename="layout.tex", color=index_grey_8x, compile_pdf=True):
    """Writes a layout or a tensor as a document with a picture, and its PDF next to it if `pdflatex` is found.

    >>> import tempfile, pathlib
    >>> from tilework.pycute_nvlabs import Layout
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     draw_latex(Layout((4, 8), (8, 1)), pathlib.Path(folder) / "a.tex", compile_pdf=False)
    ...     (pathlib.Path(folder) / "a.tex").read_text().count("[box,fill")
    32
    """
    _write(filename, compile_pdf, *values(layout, color))


def draw_latex_tv(layout, tile_mn=None, filename="layout.tex", color=thread_color_8x, compile_pdf=True):
    """Writes a layout of (thread, value) to coordinates of a tile as a document with a picture of the tile.

    >>> import tempfile, pathlib
    >>> from tilework.pycute_nvlabs import Layout
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "a.tex"
    ...     draw_latex_tv(Layout(((4, 8), 2), ((16, 1), 8)), (8, 8), path, compile_pdf=False)
    ...     "T31" in path.read_text()
    True
    """
    _write(filename, compile_pdf, *threads_and_values(layout, tile_mn, color))


def _write(filename, compile_pdf, rows, columns, cell):
    parts = [_HEAD]
    for i in range(rows):
        for j in range(columns):
            lines, fill = cell(i, j)
            body = "\\shortstack{" + " \\\\ ".join(map(str, lines)) + "}"
            parts.append(f"\\definecolor{{c}}{{HTML}}{{{fill}}}\\node[box,fill=c] at ({i},{j}) {{{body}}};")
    parts += [f"\\node at ({i},-1) {{\\Large{{\\texttt{{{i}}}}}}};" for i in range(rows)]
    parts += [f"\\node at (-1,{j}) {{\\Large{{\\texttt{{{j}}}}}}};" for j in range(columns)]
    path = Path(filename)
    path.write_text("\n".join([*parts, "\\end{tikzpicture}\n\\end{document}"]), encoding="utf-8")
    compiler = shutil.which("pdflatex") if compile_pdf else None
    if compiler:
        command = [compiler, "-interaction=nonstopmode", "-output-directory", str(path.parent), str(path)]
        if subprocess.run(command, capture_output=True).returncode:
            raise Absent.of("absent", f"pdflatex made no PDF of {path}: see {path.with_suffix('.log')}")
