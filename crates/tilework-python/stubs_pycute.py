"""The stubs of `tilework.pycute` and `tilework.pycute_nvlabs`: names and parameters from the modules, types from the tables below.

What takes layouts, tensors, tuples and numbers alike, and gives what it was given, has the type `Any`.
"""

import inspect
import types
from pathlib import Path

from tilework import pycute, pycute_nvlabs

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
    "dtype": "type[Any]", "filename": "str | PathLike[str]", "color": "Callable[..., Sequence[float]]", "compile_pdf": "bool",
    "print_type": "bool", "mode": "int | Sequence[int]", "types": "type[Any]", "rgb": "Sequence[int]", "name": "str", "tid": "int", "vid": "int",
    "bits": "int", "base": "int", "shift": "int", "seq": "int | Sequence[int]", "layouts": "Iterable[Any]",
    "function": "Callable[..., Any]", "f": "Callable[..., Any]", "fn": "Callable[..., Any]", "transform": "Callable[..., Any]",
    "splitter": "Callable[[Any, Any], Any]", "func": "Callable[_P, _R]",
}
#: Where a name stands for something else in one of them.
OWN = {("E", "seq"): "Any", ("make_layout", "layouts", "tilework.pycute.layout"): "Any", ("ImplicitAccessor", "base"): "Any"}
_LAYOUTS = "make_layout make_layout_like make_ordered_layout tiler_to_layout blocked_product raked_product layout_add greatest_common_domain"
_CUTLASS = "coalesce complement filter hier_unzip left_inverse right_inverse logical_divide logical_product make_layout tiled_divide tiled_product zipped_divide zipped_product"
_COLOR = "index_grey_8x bank_color_8x bank_color_16x bank_color_32x thread_color_8x value_color_8x warp_color_8x white"
#: The types of results; those that are annotated in the source are read there.
RESULTS = {
    pycute: {**dict.fromkeys(_CUTLASS.split(), "Layout"), "slice_and_offset": "tuple[Layout, Any]", "install": "None", "Swizzle.size": "int",
             "Swizzle.cosize": "int", "ComposedLayout.size": "int", "ComposedLayout.cosize": "int", "Swizzle.__call__": "int"},
    pycute_nvlabs: {
        **dict.fromkeys(_LAYOUTS.split(), "Layout"), **dict.fromkeys(_COLOR.split(), "tuple[int, int, int]"),
        "constant": "Callable[..., Sequence[int]]", "wrap": "tuple[Any, ...]", "select": "tuple[Any, ...]", "take": "tuple[Any, ...]",
        "product_each": "tuple[Any, ...]", "dice_": "tuple[Any, ...]", "basis_repr": "list[tuple[Any, tuple[int, ...]]]",
        "leaves": "Generator[Any]", "zip_leaves": "Generator[tuple[Any, ...]]", "coordinates": "Iterator[Any]",
        "make_tensor": "Tensor", "identity_tensor": "Tensor", "slice_and_offset": "tuple[Layout, Any]", "divmod": "tuple[Any, Any]",
        "ModeOpDecorator.__getitem__": "ModeOpDecorator[_P, _R]", "F2.__divmod__": "tuple[F2, F2]",
        **dict.fromkeys(("install", "copy", "gemm", "draw_svg", "draw_svg_tv", "draw_latex", "draw_latex_tv", "print_table", "print_tensor", "register_integer_type"), "None"),
    },
}
SPECIAL = {"__init__": "None", "__eq__": "bool", "__lt__": "bool", "__le__": "bool", "__gt__": "bool", "__ge__": "bool", "__len__": "int",
           "__bool__": "bool", "__int__": "int", "__str__": "str", "__repr__": "str", "__hash__": "int", "__setitem__": "None",
           "__iter__": "Iterator[Any]", "__format__": "str"}  # fmt: skip
ATTRIBUTES = {"size": "int", "bits": "int", "base": "int", "shift": "int", "yyy_msk": "int", "zzz_msk": "int", "data": "tuple[Any, ...]",
              "mode": "tuple[int, ...]", "func": "Callable[_P, _R]", "val_": "int", "dtype": "type[Any]"}  # fmt: skip
#: What instances have that no slot or property tells.
INSTANCES = {
    "Swizzle": ("bits", "base", "shift", "yyy_msk", "zzz_msk"), "ComposedLayout": ("layoutB", "offset", "layoutA"),
    "ModeOpDecorator": ("func", "mode"), "ImplicitAccessor": ("base",), "TransformAccessor": ("accessor", "transform"),
}


def function(face, module, qualified, member, indent=""):
    """A function with its decorator, where it is called through an object."""
    head = ""
    if type(member).__name__ in ("ModeOpDecorator", "Operation"):
        head, member = f"{indent}@{type(member).__name__}\n", getattr(member, "func", None) or member
    signature, name = inspect.signature(member), qualified.rpartition(".")[2]
    parameters, starred = [], False
    for parameter in signature.parameters.values():
        if parameter.name == "self" or indent and not parameters and not qualified.endswith("_"):
            parameters.append("self")
            continue
        kind = OWN.get((name, parameter.name, module.__name__)) or OWN.get((qualified.partition(".")[0], parameter.name))
        kind = kind or PARAMETERS.get(parameter.name, "object" if name == "__eq__" else "str" if parameter.name == "spec" else "Any")
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
    result = own.__name__ if own is not signature.empty and own is not None else RESULTS[face].get(qualified) or (SPECIAL.get(name) if indent else None)
    return f"{head}{indent}def {name}({', '.join(parameters)}) -> {result or 'Any'}: ...\n"


def class_(face, module, name, member):
    bases = [base.__name__ for base in member.__bases__ if base is not object and base.__module__ != "abc"]
    if type(member).__name__ == "ABCMeta" and not bases:
        bases = ["metaclass=ABCMeta"]
    if name == "ModeOpDecorator":
        bases = ["Generic[_P, _R]"]
    lines = "".join(f"    {a}: {ATTRIBUTES.get(a, 'Any')}\n" for a in INSTANCES.get(name, ()))
    for attribute, value in vars(member).items():
        qualified = f"{name}.{attribute}"
        if qualified == "ModeOpDecorator.__call__":
            lines += "    def __call__(self, *arguments: _P.args, **named: _P.kwargs) -> _R: ...\n"
        elif attribute == "__new__":
            lines += "    def __new__(cls, *args: Any) -> Any: ...\n"
        elif attribute == "__array_ufunc__":
            lines += "    __array_ufunc__: ClassVar[None]\n"
        elif isinstance(value, types.FunctionType) and attribute not in ("__reduce__", "__subclasshook__"):
            if attribute == "__hash__" or not attribute.startswith("_abc"):
                lines += "    @abstractmethod\n" * getattr(value, "__isabstractmethod__", False)
                lines += function(face, module, qualified, value, "    ")
        elif isinstance(value, property):
            lines += f"    @property\n    def {attribute}(self) -> {ATTRIBUTES.get(attribute, 'Any')}: ...\n"
        elif isinstance(value, types.MemberDescriptorType) and not attribute.startswith("_"):
            lines += f"    {attribute}: {ATTRIBUTES.get(attribute, 'Any')}\n"
        elif attribute == "__hash__" and value is None:
            lines += "    __hash__: ClassVar[None]  # type: ignore[assignment]\n"
    return f"class {name}{'(' + ', '.join(bases) + ')' if bases else ''}:\n{lines or '    ...' + chr(10)}\n"


def text(face, module):
    """The stub of one module: what it makes, and the names that it has from below."""
    package = module.__name__ if hasattr(module, "__path__") else module.__name__.rpartition(".")[0]
    below, own = {}, ""
    for name in module.__all__:
        member = getattr(module, name)
        made = getattr(getattr(member, "func", member), "__module__", None)
        if isinstance(member, types.ModuleType):
            below.setdefault(".", []).append(name)
        elif name == "Layout" and module is pycute.layout:
            own += LAYOUT
        elif name == "Layout" and face is pycute:
            below.setdefault("tilework.pycute.layout", []).append(name)
        elif made == module.__name__ or module.__name__.endswith("typedefs") and member is _any():
            if member is _any():
                own += f"{name} = Any\n"
            elif inspect.isclass(member):
                own += class_(face, module, name, member)
            else:
                own += function(face, module, name, member)
        else:
            below.setdefault(_source(face, name, member, made), []).append(name)
    lines = []
    for source, names in below.items():
        source = "." if source == "." else _relative(source, package) if source.startswith("tilework") else source
        lines.append(f"from {source} import {', '.join(f'{name} as {name}' for name in names)}\n")
    if "ModeOpDecorator" in own and module is not pycute_nvlabs.htuple and "ModeOpDecorator" not in module.__all__:
        lines.append(f"from {_relative('tilework.pycute_nvlabs.htuple', package)} import ModeOpDecorator\n")
    if module is pycute.layout:
        lines.append("from .operation import Operation\n")
    if module is pycute_nvlabs:
        own += "def install(name: str = 'pycute') -> None: ...\n"
    first = (module.__doc__ or "").strip().splitlines()[0]
    variables = TYPE_VARIABLES if module is pycute_nvlabs.htuple else ""
    listed = f"__all__ = {list(module.__all__)!r}\n\n"
    return HEAD.format(first) + "".join(lines) + "\n" + listed + variables + own


def _any():
    from typing import Any

    return Any


def _source(face, name, member, made):
    """The module that makes a name; of an alias the lowest that offers it."""
    if member is _any():
        return "tilework.pycute_nvlabs.typedefs"
    if made is None or not made.startswith("tilework"):
        return {"Union": "typing", "reduce": "functools", "chain": "itertools"}[name]
    return made


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
    for face in (pycute, pycute_nvlabs):
        for module in (face, *face._MODULES):
            path = module.__name__.replace(".", "/") + ("/__init__.pyi" if hasattr(module, "__path__") else ".pyi")
            yield SOURCES / path, text(face, module)

