"""The jobs of the Rust library beside this program (src/lib.rs)."""

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

Run = Callable[[int], None]
"""Something that is measured, several times."""

Makers = dict[str, Callable[[], Run]]
"""How each peer gets ready; `Missing` where it cannot."""


class Missing(Exception):
    """Why something cannot be measured here."""


def repeated(call: Callable[[], object]) -> Run:
    """The run of something that Python calls."""

    def run(times: int) -> None:
        for _ in range(times):
            call()

    return run


class Returning:
    """The run of a function that returns a tensor of PyTorch instead of writing where it is to."""

    def __init__(self, call: Callable[[], Any], destination: np.ndarray) -> None:
        self._call, self._destination = call, destination
        self._result: Any = None

    def __call__(self, times: int) -> None:
        for _ in range(times):
            self._result = None
            self._result = self._call()

    def write(self) -> None:
        """Writes the last result."""
        self._destination[...] = self._result.numpy()


class Copying(ctypes.Structure):
    """A copy between strided arrays (src/copies.rs)."""

    _fields_ = [
        ("element", ctypes.c_char_p),
        ("rank", ctypes.c_size_t),
        ("shape", ctypes.POINTER(ctypes.c_size_t)),
        ("source", ctypes.c_void_p),
        ("source_strides", ctypes.POINTER(ctypes.c_ssize_t)),
        ("destination", ctypes.c_void_p),
        ("destination_strides", ctypes.POINTER(ctypes.c_ssize_t)),
        ("threads", ctypes.c_size_t),
    ]


class Product(ctypes.Structure):
    """`C = A B` of strided matrices (src/products.rs)."""

    _fields_ = [
        ("element", ctypes.c_char_p),
        ("m", ctypes.c_size_t),
        ("n", ctypes.c_size_t),
        ("k", ctypes.c_size_t),
        ("a", ctypes.c_void_p),
        ("a_strides", ctypes.c_ssize_t * 2),
        ("b", ctypes.c_void_p),
        ("b_strides", ctypes.c_ssize_t * 2),
        ("c", ctypes.c_void_p),
        ("c_strides", ctypes.c_ssize_t * 2),
        ("threads", ctypes.c_size_t),
    ]


class Job:
    """A job of the library; calling it with a number runs it that many times."""

    def __init__(self, native: "Native", handle: int, operands: tuple) -> None:
        self._native, self._handle, self._operands = native, handle, operands

    def __call__(self, times: int) -> None:
        if not self._native.run(self._handle, times):
            raise Missing(self._native.reason())

    def __del__(self) -> None:
        self._native.free(self._handle)


class Native:
    """The library."""

    def __init__(self, path: Path) -> None:
        self._library = ctypes.CDLL(str(path))
        self.run = self._library.job_run
        self.run.argtypes, self.run.restype = [ctypes.c_void_p, ctypes.c_size_t], ctypes.c_bool
        self.free = self._library.job_free
        self.free.argtypes, self.free.restype = [ctypes.c_void_p], None
        self._library.job_reason.restype = ctypes.c_char_p

    def job(self, function: str, *operands: object) -> Job:
        """The job that a function of the library makes."""
        make = self._library[function]
        make.restype = ctypes.c_void_p
        handle = make(*[_argument(operand) for operand in operands])
        if not handle:
            raise Missing(self.reason())
        return Job(self, handle, operands)

    def number(self, function: str, *operands: object) -> int:
        """The number that a function of the library returns."""
        ask = self._library[function]
        ask.restype = ctypes.c_size_t
        return ask(*[_argument(operand) for operand in operands])

    def reason(self) -> str:
        """Why the last function failed."""
        return self._library.job_reason().decode()


def _argument(operand: Any) -> Any:
    match operand:
        case str():
            return operand.encode()
        case int():
            return ctypes.c_size_t(operand)
        case np.ndarray():
            return ctypes.c_void_p(operand.ctypes.data)
        case [*texts]:
            return (ctypes.c_char_p * len(texts))(*[text.encode() for text in texts])
        case ctypes.Structure():
            return ctypes.byref(operand)
        case _:
            return operand
