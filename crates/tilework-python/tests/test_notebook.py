"""The tutorial runs, and gives what it shows. `NOTEBOOK=overwrite` writes what it gives into it; read the difference."""

import os
from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")

NOTEBOOK = Path(__file__).parents[1] / "tutorial.ipynb"


def shown(cell):
    """The text that a cell gives."""
    texts = []
    for output in cell.get("outputs", []):
        texts.append(output.get("text") or output.get("data", {}).get("text/plain", ""))
    return "".join(texts)


def test_the_tutorial():
    kept = nbformat.read(NOTEBOOK, as_version=4)
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120).execute()
    pictures = 0
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            pictures += output.get("data", {}).pop("image/svg+xml", "").startswith("<svg")
    assert pictures >= 4
    if os.environ.get("NOTEBOOK") == "overwrite":
        nbformat.write(notebook, NOTEBOOK)
    else:
        assert [shown(cell) for cell in notebook.cells] == [shown(cell) for cell in kept.cells]
