#!/usr/bin/env python3
"""Writes `python/tilework/_core.pyi` and `hardware.pyi` from `__all__` on, from the module that is installed: its names, signatures and
documentation, with the types of the tables below; and the stubs of both pycutes (stubs_pycute.py). `--check` says whether the files
are as they would be written."""

import inspect
import sys
import textwrap
from pathlib import Path

import stubs_pycute
from tilework import FUNCTIONS, _core, hardware

CORE, HARDWARE_FILE = (Path(__file__).parent / "python/tilework" / name for name in ("_core.pyi", "hardware.pyi"))


def header(file):
    """What stands before the names, which is written by hand, and kept."""
    return file.read_text().partition("__all__ = [\n")[0] + "__all__ = [\n"


#: The types of parameters, by name, or by function and name.
PARAMETERS = {
    "columns": "_IntTuple", "offsets": "_IntTuple | str", "values": "_IntTuple | str",
    "atom": "Instruction | str", "atoms": "_LayoutLike | None", "bits": "int | None", "name": "Instruction | str",
    "instruction": "Instruction | str", "tiled": "Instruction | str", "thread": "Instruction | str", "mma": "Instruction | str", "operand": "_IntTuple | str",
    "permutation": "_TilerLike | None", "thr_layout": "_LayoutLike", "val_layout": "_LayoutLike | _TilerLike",
    "a": "_ArrayLike", "accessor": "_ArrayLike", "alpha": "float", "array": "_ArrayLike", "arguments": "object", "inner_product.stride": "_StrideTuple | str", "rounding": "int | str | None",
    "aspect": "str", "b": "_ArrayLike", "bank_bytes": "int | None", "banks": "int | None", "begin": "int", "einfold.pattern": "str", "sizes": "int", "group.begin": "int | tuple[int, ...]", "group.end": "int | None", "operation": "str", "beta": "float", "c": "_ArrayLike | None", "coarser": "_LayoutLike",
    "color_by": "str | None", "coordinate": "_IntTuple | str", "owner.coordinate": "_IntTuple | str | None", "copy": "bool | None", "count": "int", "dilation": "int | Sequence[int] | None",
    "divisor": "_IntTuple", "dl_device": "tuple[int, int] | None", "dst": "_ArrayLike", "dtype": "Any",
    "element": "int | None", "element_bits": "int | None", "end": "int",
    "expression": "str", "filter": "_ArrayLike", "formula": "str", "first": "_LayoutLike", "function": "Callable[[Any], Any]",
    "grid": "_LayoutLike", "groups": "int", "index": "_IntTuple", "input": "_ArrayLike", "layout": "_LayoutLike",
    "layouts": "_LayoutLike | Tensor", "left": "_LayoutLike", "limit": "int", "width": "int", "max_cells": "int",
    "max_version": "tuple[int, int] | None", "mode": "_LayoutLike | None", "modes": "int", "more": "_LayoutLike | _StrideTuple",
    "new_bits": "int", "offset": "Any", "old_bits": "int", "operands": "_ArrayLike", "order": "_IntTuple | None", "other": "_LayoutLike",
    "out": "_ArrayLike | None", "output": "_ArrayLike | None",
    "padding": "int | Sequence[int] | Sequence[tuple[int, int]] | None", "path": "int", "pattern": "_Pattern | str",
    "profile": "_Pattern | _LayoutLike | None", "rank": "int | None", "right": "_LayoutLike | _TilerLike", "second": "_LayoutLike",
    "shape": "_LayoutLike", "spec": "str", "src": "_ArrayLike", "stream": "Any", "stride": "_StrideTuple | str | None",
    "pointer": "_IntTuple | str", "projection": "_Pattern | None",
    "text": "str", "threads": "int", "tile": "_IntTuple | str | None", "tiler": "_TilerLike", "value": "Any", "within": "_IntTuple | None",
    "x": "_ArrayLike", "y": "_ArrayLike",
}

#: The types of results; `Self` is the class of the layout that comes first.
RESULTS = {
    **_core._RESULTS,
    "E": "Any", "xor": "Any", "parse": "Any", "explain": "str", "scan": "list[tuple[int, str, Any]]", "counting": "Accessor", "constant": "Accessor",
    "transform": "Accessor", "copy": "None", "reduce": "None", "axpby": "None", "map": "None", "gemm": "_Array", "einsum": "_Array", "conv": "_Array", "draw": "Picture",
}
#: Whole signatures, by class and name.
SIGNATURES = {
    "AnyLayout": {
        "__call__": "(self, *coordinate: Any) -> Any", "__len__": "(self) -> int",
        "__getitem__": "(self, path: _IntTuple, /) -> Self", "__iter__": "(self) -> Iterator[Self]",
        "__matmul__": "(self, right: _LayoutLike | _TilerLike, /) -> Self",
        "__truediv__": "(self, tiler: _TilerLike, /) -> Self", "__mul__": "(self, tiler: _TilerLike, /) -> Self",
        "__eq__": "(self, other: object, /) -> bool", "__hash__": "(self) -> int",
        "offsets": "(self) -> _Array", "_repr_svg_": "(self) -> str",
        "emit": "(self, language: str, coordinate: Sequence[str] | None = None, *, name: str | None = None, bits: int | None = None) -> str",
        "on_mode": "(self, mode: _IntTuple, function: Callable[[Any], _LayoutLike]) -> Any",
        "to": "(self, form: str, *, lanes: int = 32, shape: _LayoutLike | None = None, bits: int | None = None) -> str",
    },
    "Layout": {
        "__new__": "(cls, shape: _LayoutLike, stride: _StrideTuple | str | None = None) -> Self",
        "to_swizzle": "(self) -> ComposedLayout",
        "refines": "(self, coarser: _LayoutLike) -> bool",
    },
    "ComposedLayout": {
        "__new__": "(cls, swizzle: Swizzle | str, offset: int | None = None, layout: _LayoutLike | None = None) -> Self",
        "to_xor": "(self) -> Layout",
    },
    "View": {"__new__": "(cls, offset: Any, layout: _LayoutLike | None = None) -> Self"},
    "Stride": {
        **{name: "(self, other: Any, /) -> Any" for name in ("__add__", "__radd__", "__sub__", "__rsub__", "__mul__", "__rmul__", "__truediv__")},
        "__neg__": "(self) -> Stride", "__eq__": "(self, other: object, /) -> bool", "__hash__": "(self) -> int",
    },
    "Swizzle": {
        "__new__": "(cls, bits: int, base: int, shift: int) -> Self", "__call__": "(self, offset: int) -> int",
        "__matmul__": "(self, right: Any, /) -> Any", "__eq__": "(self, other: object, /) -> bool",
        "__hash__": "(self) -> int",
    },
    "Tiler": {
        "__new__": "(cls, *tiles: _TilerLike) -> Self", "__len__": "(self) -> int",
        "__getitem__": "(self, index: int, /) -> Layout | Tiler | None", "__eq__": "(self, other: object, /) -> bool",
        "__hash__": "(self) -> int",
    },
    "Instruction": {
        "__getattr__": "(self, name: str, /) -> Any",
        "__dir__": "(self) -> list[str]", "__eq__": "(self, other: object, /) -> bool", "__hash__": "(self) -> int",
        "_repr_svg_": "(self) -> str",
    },
    "Session": {
        "__new__": "(cls) -> Self", "evaluate": "(self, text: str) -> Any", "print": "(self, text: str) -> str",
        "explain": "(self, text: str) -> str",
    },
    "Tensor": {
        "__new__": "(cls, accessor: _ArrayLike, layout: _LayoutLike | None = None, offset: Any = None) -> Self",
        "__len__": "(self) -> int", "__getitem__": "(self, coordinate: _Pattern, /) -> Any", "__call__": "(self, *coordinate: _Pattern) -> Any",
        "__setitem__": "(self, coordinate: _Pattern, value: Any, /) -> None", "__iter__": "(self) -> Iterator[Any]",
        "__matmul__": "(self, other: _LayoutLike | _TilerLike, /) -> Tensor", "from_array": "(array: _ArrayLike) -> Tensor",
        "assign": "(self, value: Any) -> None", "predicated": "(self) -> Tensor",
        "tolist": "(self) -> list[Any]", "__array__": "(self, dtype: Any = None, copy: bool | None = None) -> _Array",
        "__dlpack_device__": "(self) -> tuple[int, int]", "local_partition": "(self, threads: _LayoutLike, index: int) -> Tensor",
        "domain_offset": "(self, coordinate: _IntTuple) -> Tensor",
        "local_tile": "(self, tiler: _TilerLike, coordinate: _Pattern) -> Tensor",
        "__dlpack__": "(self, *, stream: Any = None, max_version: tuple[int, int] | None = None, dl_device: tuple[int, int] | None = None, copy: bool | None = None) -> Any",
        "composition": "(self, other: _LayoutLike | _TilerLike) -> Tensor",
    },
    "CopyPlan": {
        "__new__": "(cls, source: _LayoutLike, destination: _LayoutLike, dtype: Any) -> Self", "explain": "(self) -> str",
        "run": "(self, src: _ArrayLike, dst: _ArrayLike, *, threads: int = 1) -> None",
    },
    "GemmPlan": {
        "__new__": "(cls, a: _LayoutLike, b: _LayoutLike, c: _LayoutLike, dtype: Any, out_dtype: Any = None) -> Self",
        "run": "(self, a: _ArrayLike, b: _ArrayLike, c: _ArrayLike, *, alpha: float = 1.0, beta: float = 0.0, threads: int = 1) -> None",
        "explain": "(self) -> str",
    },
    "ContractPlan": {
        "__new__": "(cls, spec: str, operands: Sequence[_LayoutLike], out: _LayoutLike | None, dtype: Any, out_dtype: Any = None) -> Self",
        "run": "(self, *arrays: _ArrayLike, alpha: float = 1.0, beta: float = 0.0, threads: int = 1) -> None",
        "explain": "(self) -> str",
    },
    "ConvPlan": {
        "__new__": "(cls, input: _LayoutLike, filter: _LayoutLike, output: _LayoutLike, dtype: Any, out_dtype: Any = None, *, stride: int | Sequence[int] | None = None, dilation: int | Sequence[int] | None = None, padding: int | Sequence[int] | Sequence[tuple[int, int]] | None = None, groups: int = 1) -> Self",
        "run": "(self, input: _ArrayLike, filter: _ArrayLike, output: _ArrayLike, *, alpha: float = 1.0, beta: float = 0.0, threads: int = 1) -> None",
        "explain": "(self) -> str",
    },
    "BitMatrix": {
        "__new__": "(cls, rows: int, columns: Sequence[int]) -> Self", "of": "(layout: _LayoutLike) -> BitMatrix",
        "inverse": "(self) -> BitMatrix", "to_layout": "(self) -> Layout", "__matmul__": "(self, right: Any, /) -> Any",
        "__eq__": "(self, other: object, /) -> bool", "__hash__": "(self) -> int",
    },
    "Accessor": {"__getitem__": "(self, offset: Any, /) -> Any"},
    "Scope": {
        "__new__": "(cls) -> Self", "__enter__": "(self) -> Scope", "__exit__": "(self, *_reason: object) -> None",
        "symbol": "(self, name: str, *, div: int = 1, low: int | None = None, high: int | None = None, hint: int | None = None) -> SymbolicNumber",
        "number": "(self, text: str) -> SymbolicNumber | int", "layout": "(self, shape: Any, stride: Any = None) -> SymbolicLayout",
        "assume": "(self, *facts: str | bool | Verdict | Answer) -> None", "hint": "(self, **values: int | None) -> None",
        "cases": "(self, function: Callable[[], Answer], *witnesses: dict[str, int]) -> list[Answer]",
    },
    "SymbolicNumber": {
        **{f"__{swapped}{name}__": f"(self, value: Any, /) -> Any" for name in ("add", "sub", "mul", "truediv", "floordiv") for swapped in ("", "r")},
        "__mod__": "(self, value: Any, /) -> Any", "__neg__": "(self) -> Any", "__pow__": "(self, value: int, mod: None = None, /) -> Any",
        **{f"__{name}__": "(self, value: Any, /) -> Verdict" for name in ("lt", "le", "gt", "ge")},
        "__eq__": "(self, value: object, /) -> Any", "__ne__": "(self, value: object, /) -> Any", "__hash__": "(self) -> int",
        "ceil_div": "(self, divisor: Any) -> SymbolicNumber | int", "at": "(self, **values: int) -> int",
    },
    "SymbolicLayout": {
        "__call__": "(self, *coordinate: Any) -> Any", "__len__": "(self) -> int", "__getitem__": "(self, path: _IntTuple, /) -> SymbolicLayout",
        "__matmul__": "(self, other: Any, /) -> Answer", "__truediv__": "(self, tiler: Any, /) -> Answer", "__mul__": "(self, tiler: Any, /) -> Answer",
        "__eq__": "(self, other: object, /) -> bool", "__hash__": "(self) -> int",
        **{f"{name}_{what}": "(self, tiler: Any) -> Answer" for what in ("divide", "product") for name in ("logical", "zipped", "tiled", "flat")},
        **dict.fromkeys(("blocked_product", "raked_product"), "(self, grid: Any) -> Answer"),
        **dict.fromkeys(("right_inverse", "left_inverse", "coalesce_extended"), "(self) -> Answer"),
        "composition": "(self, other: Any) -> Answer", "coalesce": "(self, profile: Any = None) -> Answer",
        "complement": "(self, within: Any = None) -> Answer", "equivalent": "(self, other: Any) -> Verdict",
        "fits": "(self, bits: int) -> Verdict", "is_vector": "(self, width: int) -> Verdict", "max_vector": "(self, limit: int) -> int",
        "idx2crd": "(self, coordinate: Any) -> Any", "flatten": "(self) -> SymbolicLayout",
        **dict.fromkeys(("group", "take"), "(self, begin: int, end: int) -> SymbolicLayout"),
        "select": "(self, *modes: int) -> SymbolicLayout",
        "emit": "(self, language: str, coordinate: Sequence[str] | None = None, *, name: str | None = None, bits: int | None = None) -> str", "at": "(self, **values: int) -> Layout",
    },
    "Answer": {"assume": "(self) -> SymbolicLayout", "at": "(self, **values: int) -> Layout", "__bool__": "(self) -> bool"},
    "Verdict": {"checks": "(self, host: str) -> str", "assume": "(self) -> None", "at": "(self, **values: int) -> bool", "__bool__": "(self) -> bool"},
    "Format": {"at": "(self, **sizes: int) -> Packed"},
    "Packed": {
        "offset": "(self, *coordinate: int) -> int | None", "coordinate": "(self, offset: int) -> tuple[int, ...] | None", "offsets": "(self) -> _Array",
    },
    # Of functions.
    "": {
        "formats": "(*words: str) -> list[str]", "format": "(name: str, /, *, text: str | None = None, **sizes: int) -> Any",
        "repack": "(array: _ArrayLike | dict[str, Any], source: str | Format, target: str | Format, /, *, fill: str | int | None = None, piece: str | None = None, bits_only: bool = False, **sizes: int) -> Any",
        "identify": "(given: _ArrayLike, /, *words: str, inverse: bool = False) -> list[Packed]",
        "check": "(array: _ArrayLike, format: str | Format, elements: _ArrayLike | None = None, /, *, fill: str | int | None = None, **sizes: int) -> None",
        "symbol": "(name: str, *, div: int = 1, low: int | None = None, high: int | None = None, hint: int | None = None) -> SymbolicNumber",
        "assume": "(*facts: str | bool | Verdict | Answer) -> None", "hint": "(**values: int | None) -> None",
        "cases": "(function: Callable[[], Answer], *witnesses: dict[str, int]) -> list[Answer]",
    },
    "Picture": {
        "svg": "(self) -> str", "html": "(self) -> str", "tex": "(self) -> str", "png": "(self) -> bytes", "pdf": "(self) -> bytes",
        "save": "(self, path: str | PathLike[str]) -> Path", "_repr_svg_": "(self) -> str",
    },
}
PROPERTIES = {
    **{f"Format.{name}": "str" for name in "name purpose layout encoding fill".split()}, "Format.element_bits": "int", "Format.sizes": "dict[str, str]",
    **{f"Format.{name}": "list[str]" for name in "aliases rules sources pitfalls pieces".split()}, "Packed.sizes": "dict[str, int]", "Packed.name": "str", "Packed.layout": "str",
    "Packed.shape": "tuple[int, ...]", "Packed.storage": "int", "Packed.bytes": "int", "Packed.container": "tuple[str, tuple[int, ...]]",
    "AnyLayout.bits": "int | None", "ComposedLayout.layout": "Layout", "ComposedLayout.offset": "int",
    "ComposedLayout.swizzle": "Swizzle", "View.offset": "Any", "View.layout": "Layout", "Stride.is_xor": "bool",
    "Stride.path": "tuple[int, ...] | None", "Stride.count": "int | Fraction", "Session.variables": "dict[str, Any]",
    "Tensor.dtype": "str | None", "Tensor.shape": "Any", "Tensor.stride": "Any", "Tensor.layout": "AnyLayout",
    "Tensor.offset": "Any", "GemmPlan.flops": "int", "ContractPlan.flops": "int", "ConvPlan.flops": "int", "ContractPlan.out": "Layout", "BitMatrix.rows": "int", "BitMatrix.rank": "int",
    "Scope.names": "tuple[str, ...]", **{f"SymbolicLayout.{name}": "Any" for name in ("size", "cosize", "min", "max", "shape", "stride")},
    "SymbolicLayout.rank": "int", "SymbolicLayout.depth": "int", "Answer.layout": "SymbolicLayout", "Answer.guard": "Verdict",
    "Verdict.is_always": "bool", "Verdict.is_never": "bool", "Verdict.clauses": "list[list[list[str]]]",
    "BitMatrix.columns": "tuple[int, ...]", "Tensor.size": "int", "Tensor.rank": "int", **{f"Swizzle.{name}": "int" for name in "bits base shift source_mask target_mask".split()},
}


def signature(member, result, own=None):
    """The signature with types; `own` is that of the first parameter."""
    parameters = []
    for number, parameter in enumerate(inspect.signature(member).parameters.values()):
        if parameter.name == "self":
            parameters.append("self")
            continue
        kind = own if own and number == 0 else PARAMETERS.get(f"{member.__name__}.{parameter.name}") or PARAMETERS.get(parameter.name)
        if kind is None:
            sys.exit(f"PARAMETERS has no type of {parameter.name}, which {member.__name__} takes")
        stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        if parameter.kind == parameter.KEYWORD_ONLY and not any(p.startswith("*") for p in parameters):
            parameters.append("*")
        default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
        parameters.append(f"{stars}{parameter.name}: {kind}{default}")
    return f"({', '.join(parameters)}) -> {result}"


def documented(head, member, indent):
    doc = None if member is None else inspect.getdoc(member)
    if not doc:
        return f"{indent}{head} ...\n"
    escape = "r" if "\\" in doc else ""
    body = textwrap.indent(f'{escape}"""{doc}\n"""', indent + "    ")
    return f"{indent}{head}\n{body}\n"


def indexed(name, member):
    """A function that is called, and subscripted: an object of a class of its own."""
    is_self = RESULTS[name] == "Self"
    own = [("_L", "_L"), ("Any", PARAMETERS[next(iter(inspect.signature(member).parameters))])] if is_self else [(RESULTS[name], None)]
    out = documented(f"@final\nclass _{name}:", member, "")
    for result, first in own:
        overload = "    @overload\n" if is_self else ""
        out += f"{overload}    def __call__(self, {signature(member, result, first)[1:]}: ...\n"
    result = "Any" if is_self else RESULTS[name]
    return out + f"    def __getitem__(self, indices: int | tuple[int, ...], /) -> Callable[..., {result}]: ...\n\n{name}: _{name}\n"


def function(name, member):
    if name in SIGNATURES[""]:
        return documented(f"def {name}{SIGNATURES[''][name]}:", member, "")
    if isinstance(member, _core._Indexed):
        return indexed(name, member)
    if RESULTS[name] == "Self":
        first = next(iter(inspect.signature(member).parameters))
        return (
            f"@overload\ndef {name}{signature(member, '_L', '_L')}: ...\n@overload\n"
            + documented(f"def {name}{signature(member, 'Any', PARAMETERS[first])}:", member, "")
        )
    return documented(f"def {name}{signature(member, RESULTS[name])}:", member, "")


def class_(name, member):
    base = member.__mro__[1].__name__
    decorator = "@disjoint_base\n" if name in ("AnyLayout", "Instruction") else "@final\n"
    out = documented(f"{decorator}class {name}{'' if base == 'object' else f'({base})'}:", member, "")
    own = SIGNATURES[name]
    for attribute, signature_ in own.items():
        decorator = "    @staticmethod\n" if attribute in ("from_array", "of") else ""
        value = getattr(vars(member).get(attribute), "__func__", vars(member).get(attribute))
        doc = None if attribute.startswith("__") and attribute not in ("__array__", "__dlpack__") else value
        out += "\n" + decorator + documented(f"def {attribute}{signature_}:", doc, "    ").replace("): ...", "): ...")
    for key, kind in PROPERTIES.items():
        if key.startswith(name + "."):
            attribute = key.partition(".")[2]
            out += "\n    @property\n" + documented(f"def {attribute}(self) -> {kind}:", vars(member)[attribute], "    ")
    rest = [a for a in vars(member) if not a.startswith("_") and a not in own and f"{name}.{a}" not in PROPERTIES]
    for attribute in sorted(rest, key=lambda a: FUNCTIONS.index(a) if a in FUNCTIONS else -1):
        result = "Tensor" if name == "Tensor" else RESULTS[attribute]
        if inspect.isdatadescriptor(vars(member)[attribute]):
            out += "\n    @property\n" + documented(f"def {attribute}(self) -> {result}:", vars(member)[attribute], "    ")
            continue
        out += "\n" + documented(f"def {attribute}{signature(vars(member)[attribute], result)}:", vars(member)[attribute], "    ")
    return out


def text():
    out = header(CORE) + "".join(f'    "{name}",\n' for name in _core.__all__) + "]\n"
    for name, member in vars(_core).items():
        if name.startswith("_") or name == "FUNCTIONS":
            continue
        if inspect.isclass(member):
            out += "\n" + class_(name, member)
        elif member.__name__ == name:
            out += "\n" + function(name, member)
        else:
            out += f"\n{name} = {member.__name__}\n"
    # Within a class whose names are those of types, the types go by their long names.
    for kind in ("int", "bool", "str", "tuple", "list", "float"):
        assert not hasattr(_core.AnyLayout, kind)
    return out


_THREAD, _DATA = "(self, index: int) -> ", "(self, data: _LayoutLike) -> View"
_OF_LAYOUT = "(self, layout: _LayoutLike) -> Layout"
_TILE = "tuple[Instruction, str] | Instruction"
_ACCESS = f"(layout: _AnyLayoutLike | Tensor, access: _LayoutLike | {_TILE}, *, bits: int | None = None, vector: int | None = None"
#: Of functions and classes: the signature, or by name those of methods and the types of properties.
HARDWARE = {
    "atoms": '(filter: str = "") -> list[str]',
    "MmaAtom": {
        **dict.fromkeys(("name", "instruction", "manual"), "str"), "elements": "tuple[str, str, str, str]", "sparsity": "int",
    },
    "CopyAtom": dict.fromkeys(("name", "instruction", "manual"), "str"),
    "TiledMma": {
        "__new__": "(cls, atom: Instruction | str, atoms: _LayoutLike | None = None, permutation: _TilerLike = None) -> TiledMma",
        **dict.fromkeys(("thrfrg_A", "thrfrg_B", "thrfrg_C"), _OF_LAYOUT), "thread": _THREAD + "ThreadMma",
    },
    "ThreadMma": dict.fromkeys(("partition_A", "partition_B", "partition_C"), _DATA),
    "TiledCopy": {
        "__new__": "(cls, atom: Instruction | str, layout_tv: _LayoutLike, tiler: _TilerLike) -> TiledCopy",
        **dict.fromkeys(("tidfrg_S", "tidfrg_D", "retile"), _OF_LAYOUT), "thread": _THREAD + "ThreadCopy",
    },
    "ThreadCopy": dict.fromkeys(("partition_S", "partition_D"), _DATA),
    "make_layout_tv": "(threads: _LayoutLike, values: _LayoutLike) -> tuple[Tiler, Layout]",
    "banks": _ACCESS + ", phases: _LayoutLike | None = None) -> BankReport",
    "BankReport": {
        **dict.fromkeys(("wavefronts", "ideal", "degree", "phases", "element_bits"), "int"), "ranks": "tuple[int, int] | None",
        "conflict": "Conflict | None", "is_ideal": "bool", "reaches": "int | None", "outside": "int", "text": "str",
    },
    "Conflict": {**dict.fromkeys(("warp", "instruction", "phase", "bank", "words"), "int"), "lanes": "list[int]"},
    "sectors": _ACCESS + ") -> SectorReport",
    "SectorReport": {
        **dict.fromkeys(("requests", "sectors", "ideal", "lines", "bits", "moved", "element_bits"), "int"), "efficiency": "float", "reaches": "int | None", "outside": "int", "text": "str",
    },
    "vector_width": "(layout: _AnyLayoutLike | Tensor, other: _AnyLayoutLike | Tensor, *, bits: int | None = None, "
    "align: int = 16, widest: int = 128) -> VectorWidth",
    "VectorWidth": {"elements": "int", "bits": "int", "element_bits": "int", "coordinates": "Layout", "limit": "str"},
    "swizzle": f"(tile: _LayoutLike | Tensor, accesses: Mapping[str, _LayoutLike | {_TILE}], *, bits: int | None = None, vector: int | None = None, "
    'form: str = "sw", phases: Mapping[str, _LayoutLike] | _LayoutLike | None = None) -> Certificate',
    "Certificate": {
        "layout": "Layout | ComposedLayout", "elements": "int", "accesses": "dict[str, BankReport]", "partial": "dict[str, int]", "element_bits": "int", "check": "(self) -> None",
    },
    "operand": "(tile: _AnyLayoutLike | Tensor, instruction: str, *, bits: int | None = None, align: int | None = None, "
    "tensor: _LayoutLike | Tensor | None = None) -> Operand",
    "nearest": "(mn: int, k: int, instruction: str, *, bits: int) -> Layout | ComposedLayout",
    "Operand": {
        "text": "str", **dict.fromkeys(("element_bits", "base"), "int"), **dict.fromkeys(("leading", "stride", "descriptor"), "int | None"), "starts": "list[int]",
    },
    "cover": "(raster: _LayoutLike, onto: _LayoutLike, blocks: int | None = None) -> Coverage",
    "Coverage": {
        **dict.fromkeys(("missing", "doubled", "outside"), "_IntTuple | None"), "predicates": "list[Predicate]",
        "is_exact": "bool", "covers_once": "bool",
    },
    "Predicate": {"below": "bool", "above": "bool", "size": "int"},
}


def hardware_class(name, member):
    base = "(Instruction)" if issubclass(member, _core.Instruction) else ""
    out = documented(f"@final\nclass {name}{base}:", member, "")
    for attribute, kind in HARDWARE[name].items():
        value = vars(member)[attribute]
        if not kind.startswith("("):
            out += "\n    @property\n" + documented(f"def {attribute}(self) -> {kind}:", value, "    ")
        elif kind == _DATA:
            # Of a layout a layout with an offset, of a tensor a tensor.
            out += f"\n    @overload\n    def {attribute}{kind}: ...\n    @overload\n"
            out += documented(f"def {attribute}(self, data: Tensor) -> Tensor:", value, "    ")
        else:
            out += "\n" + documented(f"def {attribute}{kind}:", None if attribute == "__new__" else value, "    ")
    return out


def hardware_text():
    # What the expression language has is written there.
    named = [name for name in hardware.__all__ if getattr(_core, name, None) is not getattr(hardware, name)]
    assert set(HARDWARE) == set(named)
    out = header(HARDWARE_FILE) + "".join(f'    "{name}",\n' for name in hardware.__all__) + "]\n"
    for name in named:
        member = getattr(hardware, name)
        own = HARDWARE[name]
        out += "\n" + (documented(f"def {name}{own}:", member, "") if isinstance(own, str) else hardware_class(name, member))
    return out


if __name__ == "__main__":
    for file, written in ((CORE, text()), (HARDWARE_FILE, hardware_text()), *stubs_pycute.files()):
        if "--check" not in sys.argv:
            file.write_text(written)
        elif file.read_text() != written:
            sys.exit(f"{file} is stale: run stubs.py")
