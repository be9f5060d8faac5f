"""The tutorial runs, and gives what it shows. `NOTEBOOK=overwrite` writes what it gives into it; read the difference."""

import os
from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")

NOTEBOOK = Path(__file__).parents[1] / "tutorial.ipynb"


def shown(cell):
    """The texts and pictures that a cell gives; what is printed may come in several parts."""
    given = []
    for output in cell.get("outputs", []):
        if "text" in output and given and isinstance(given[-1], str):
            given[-1] += output["text"]
        else:
            given.append(output.get("data", output.get("text")))
    return given


def test_the_tutorial():
    kept = nbformat.read(NOTEBOOK, as_version=4)
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    if os.environ.get("NOTEBOOK") == "overwrite":
        nbformat.write(notebook, NOTEBOOK)
    else:
        outputs = [shown(cell) for cell in notebook.cells]
        assert outputs == [shown(cell) for cell in kept.cells]
        assert str(outputs).count("<svg") >= 4
