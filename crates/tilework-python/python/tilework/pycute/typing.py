"""What counts as an integer: `Integer`, under CUTLASS's name for this module.

>>> issubclass(int, Integer), issubclass(bool, Integer), issubclass(float, Integer)
(True, False, False)
"""

from abc import ABC

__all__ = ["Integer"]


class Integer(ABC):
    """The integers: `int` and what is derived from it, but not `bool`; and every registered type.

    >>> isinstance(4, Integer), isinstance(True, Integer)
    (True, False)
    """

    @classmethod
    def __subclasshook__(cls, c):
        if c is bool:
            return False
        # What is registered, ABC itself knows.
        return True if issubclass(c, int) else NotImplemented
