from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .sharding import Contraction, Mesh, Redistribution, Sharding

__all__ = ["Parts", "contraction", "einsum", "mesh", "named_sharding", "redistribute", "redistribution", "sharding"]

# Types of JAX, which need not be installed where types are checked.
_Array = Any
_Devices = Sequence[Any] | None
_JaxMesh = Any
_NamedSharding = Any
_PartitionSpec = Any
_Target = Sharding | str | _NamedSharding | _PartitionSpec | Sequence[str | Sequence[str] | None]

@dataclass(frozen=True)
class Parts:
    array: _Array
    sharding: Sharding

def mesh(mesh: Mesh, devices: _Devices = None) -> _JaxMesh: ...
def named_sharding(sharding: Sharding, devices: _Devices = None) -> _NamedSharding: ...
def sharding(named: _NamedSharding, shape: Sequence[int]) -> Sharding: ...
def redistribute(array: _Array | Parts, target: _Target) -> _Array | Parts: ...
def einsum(spec: str, *arrays: _Array | Parts, out: _Target | None = None) -> _Array | Parts: ...
def redistribution(plan: Redistribution, on: _JaxMesh | None = None) -> Callable[[_Array | Parts], _Array | Parts]: ...
def contraction(plan: Contraction, on: _JaxMesh | None = None) -> Callable[..., _Array | Parts]: ...
