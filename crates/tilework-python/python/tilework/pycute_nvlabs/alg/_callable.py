"""Modules that can be called like the one function in them: `alg.copy(src, dst)` is `alg.copy.copy(src, dst)`."""

import sys
from types import ModuleType


class _Callable(ModuleType):
    def __call__(self, *tensors):
        return getattr(self, self.__name__.rpartition(".")[2])(*tensors)


def make_callable(name):
    sys.modules[name].__class__ = _Callable
