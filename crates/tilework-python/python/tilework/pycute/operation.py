"""Functions that call the core directly if all arguments are layouts."""

from functools import update_wrapper

from .._core import _PycuteOperation
from .typing import of_plain

__all__ = []


class Operation(_PycuteOperation):
    """A function of layouts; arguments that the core does not take go to the Python function, with plain integers."""

    def __new__(cls, function):
        return super().__new__(cls, of_plain(function))

    def __init__(self, function):
        update_wrapper(self, function)

    def __repr__(self):
        return f"<function {self.__module__}.{self.__name__}>"
