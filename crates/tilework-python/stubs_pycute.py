"""The stubs of `tilework.pycute`: names and parameters from the modules, types from the tables below.

What takes layouts, tensors, tuples and numbers alike, and gives what it was given, has the type `Any`.
"""

import inspect
import types
from pathlib import Path

from tilework import pycute

SOURCES = Path(__file__).parent / "python"
HEAD = '"""{}"""\n\nfrom abc import ABCMeta, abstractmethod\nfrom collections.abc import Callable, Generator, Iterable, Iterator, Sequence\nfrom os import PathLike\nfrom typing import Any, ClassVar, Generic, ParamSpec, TypeVar\n\nfrom typing_extensions import disjoint_base\n\n'
TYPE_VARIABLES = '_P = ParamSpec("_P")\n_R = TypeVar("_R")\n\n'

#: The class of functions of layouts that the core answers, and CUTLASS's layout, which is written in Rust.
OPERATION = TYPE_VARIABLES + '''__all__: list[str]

class Operation(Generic[_P, _R]):
    def __new__(cls, function: Callable[_P, _R]) -> Operation[_P, _R]: ...
    def __init__(self, function: Callable[_P, _R]) -> None: ...
    def __call__(self, *args: _P.args, **named: _P.kwargs) -> _R: ...
'''
LAYOUT = '''@disjoint_base
class Layout:
    """A layout of integers: `Layout(shape)` is compact, `Layout(shape, stride)` any."""

    def __new__(cls, shape: Any, stride: Any = None) -> Layout: ...
    def __call__(self, *crd: Any) -> Any: ...
    def __getitem__(self, index: Any, /) -> Layout: ...
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def size(self) -> int: ...
    def cosize(self) -> int: ...
    def offsets(self) -> Any: ...
    @property
    def shape(self) -> Any: ...
    @property
    def stride(self) -> Any: ...
    @property
    def native(self) -> Any: ...

'''

PARAMETERS = {
    "name": "str", "bits": "int", "base": "int", "shift": "int", "fn": "Callable[..., Any]", "splitter": "Callable[[Any, Any], Any]",
}
_CUTLASS = "coalesce complement filter hier_unzip left_inverse right_inverse logical_divide logical_product make_layout tiled_divide tiled_product zipped_divide zipped_product"
#: The types of results; those that are annotated in the source are read there.
RESULTS = {
    **dict.fromkeys(_CUTLASS.split(), "Layout"), "slice_and_offset": "tuple[Layout, Any]", "install": "None", "Swizzle.size": "int",
    "Swizzle.cosize": "int", "ComposedLayout.size": "int", "ComposedLayout.cosize": "int", "Swizzle.__call__": "int",
}
SPECIAL = {"__init__": "None", "__eq__": "bool", "__lt__": "bool", "__le__": "bool", "__gt__": "bool", "__ge__": "bool", "__len__": "int",
           "__bool__": "bool", "__int__": "int", "__str__": "str", "__repr__": "str", "__hash__": "int", "__setitem__": "None",
           "__iter__": "Iterator[Any]", "__format__": "str"}  # fmt: skip
ATTRIBUTES = {"size": "int", "bits": "int", "base": "int", "shift": "int", "yyy_msk": "int", "zzz_msk": "int"}
#: What instances have that no slot or property tells.
INSTANCES = {"Swizzle": ("bits", "base", "shift", "yyy_msk", "zzz_msk"), "ComposedLayout": ("layoutB", "offset", "layoutA")}


def function(qualified, member, indent=""):
    """A function with its decorator, where it is called through an object."""
    head = ""
    if isinstance(member, pycute.operation.Operation):
        head = f"{indent}@Operation\n"
    signature, name = inspect.signature(member), qualified.rpartition(".")[2]
    parameters, starred = [], False
    for parameter in signature.parameters.values():
        if parameter.name == "self" or indent and not parameters and not qualified.endswith("_"):
            parameters.append("self")
            continue
        kind = PARAMETERS.get(parameter.name, "object" if name == "__eq__" else "str" if parameter.name == "spec" else "Any")
        stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        if parameter.kind == parameter.KEYWORD_ONLY and not starred:
            parameters.append("*")
        starred = starred or parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
        default = ""
        if parameter.default is not parameter.empty:
            plain = parameter.default is None or isinstance(parameter.default, (int, str, tuple))
            default = f" = {parameter.default!r}" if plain else " = ..."
            kind += " | None" if parameter.default is None and kind != "Any" else ""
        parameters.append(f"{stars}{parameter.name}: {kind}{default}")
    own = signature.return_annotation
    result = own.__name__ if own is not signature.empty and own is not None else RESULTS.get(qualified) or (SPECIAL.get(name) if indent else None)
    return f"{head}{indent}def {name}({', '.join(parameters)}) -> {result or 'Any'}: ...\n"


def class_(name, member):
    bases = [base.__name__ for base in member.__bases__ if base is not object and base.__module__ != "abc"]
    if type(member).__name__ == "ABCMeta" and not bases:
        bases = ["metaclass=ABCMeta"]
    lines = "".join(f"    {a}: {ATTRIBUTES.get(a, 'Any')}\n" for a in INSTANCES.get(name, ()))
    for attribute, value in vars(member).items():
        qualified = f"{name}.{attribute}"
        if attribute == "__new__":
            lines += "    def __new__(cls, *args: Any) -> Any: ...\n"
        elif attribute == "__array_ufunc__":
            lines += "    __array_ufunc__: ClassVar[None]\n"
        elif isinstance(value, types.FunctionType) and attribute not in ("__reduce__", "__subclasshook__"):
            if attribute == "__hash__" or not attribute.startswith("_abc"):
                lines += "    @abstractmethod\n" * getattr(value, "__isabstractmethod__", False)
                lines += function(qualified, value, "    ")
        elif isinstance(value, property):
            lines += f"    @property\n    def {attribute}(self) -> {ATTRIBUTES.get(attribute, 'Any')}: ...\n"
        elif isinstance(value, types.MemberDescriptorType) and not attribute.startswith("_"):
            lines += f"    {attribute}: {ATTRIBUTES.get(attribute, 'Any')}\n"
        elif attribute == "__hash__" and value is None:
            lines += "    __hash__: ClassVar[None]  # type: ignore[assignment]\n"
    return f"class {name}{'(' + ', '.join(bases) + ')' if bases else ''}:\n{lines or '    ...' + chr(10)}\n"


#: Names of the standard library that pycute passes on.
_BUILT_IN = {"Union": "typing", "reduce": "functools", "chain": "itertools"}


def text(module):
    """The stub of one module: what it makes, and the names that it has from below."""
    package = module.__name__ if hasattr(module, "__path__") else module.__name__.rpartition(".")[0]
    below, own = {}, ""
    for name in module.__all__:
        member = getattr(module, name)
        made = getattr(member, "__module__", None)
        if isinstance(member, types.ModuleType):
            below.setdefault(".", []).append(name)
        elif name == "Layout" and module is pycute.layout:
            own += LAYOUT
        elif name == "Layout":
            below.setdefault("tilework.pycute.layout", []).append(name)
        elif made == module.__name__:
            own += class_(name, member) if inspect.isclass(member) else function(name, member)
        else:
            below.setdefault(made if made.startswith("tilework") else _BUILT_IN[name], []).append(name)
    lines = []
    for source, names in below.items():
        source = "." if source == "." else _relative(source, package) if source.startswith("tilework") else source
        lines.append(f"from {source} import {', '.join(f'{name} as {name}' for name in names)}\n")
    if module is pycute.layout:
        lines.append("from .operation import Operation\n")
    first = (module.__doc__ or "").strip().splitlines()[0]
    listed = f"__all__ = {list(module.__all__)!r}\n\n"
    return HEAD.format(first) + "".join(lines) + "\n" + listed + own


def _relative(source, package):
    """The module by its way from the package."""
    here, there = package.split("."), source.split(".")
    common = 0
    while common < min(len(here), len(there)) and here[common] == there[common]:
        common += 1
    return "." * (len(here) - common + 1) + ".".join(there[common:])


def files():
    """Each file with its text."""
    yield SOURCES / "tilework/pycute/operation.pyi", HEAD.format("Functions that the core answers.") + OPERATION
    for module in (pycute, *pycute._MODULES):
        path = module.__name__.replace(".", "/") + ("/__init__.pyi" if hasattr(module, "__path__") else ".pyi")
        yield SOURCES / path, text(module)
