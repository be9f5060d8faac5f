"""No two modules of the package import each other, directly or not, also not within a function."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parent.parent / "python"


def modules():
    """Each module by its name, with its file."""
    for file in ROOT.rglob("*.py"):
        parts = file.relative_to(ROOT).with_suffix("").parts
        yield ".".join(part for part in parts if part != "__init__"), file


def imported(name, file):
    """The names that a module imports, of modules or what is in them."""
    package = name.split(".") if file.stem == "__init__" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def test_no_circles():
    files = dict(modules())
    imports = {name: set() for name in files}
    for name, file in files.items():
        for found in imported(name, file):
            # A name of a module is from the module, not from the package around it.
            source = found if found in files else found.rpartition(".")[0]
            # `_core` is Rust's.
            if source in files and not found.endswith("._core") and source != name:
                imports[name].add(source)
    assert sum(map(len, imports.values())) > 10
    # Raises an error that names the circle.
    assert len(list(TopologicalSorter(imports).static_order())) == len(files)
