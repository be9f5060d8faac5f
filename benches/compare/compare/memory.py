"""Memory that all peers work on: aligned to 2 MiB, in huge pages where the system has them."""

import contextlib
import mmap

import numpy as np

HUGE = 2 << 20


class Arena:
    """A large piece of memory. What is never touched costs nothing."""

    def __init__(self, size: int) -> None:
        self._map = mmap.mmap(-1, size + HUGE)
        with contextlib.suppress(AttributeError, OSError):
            self._map.madvise(mmap.MADV_HUGEPAGE)
        whole = np.frombuffer(self._map, np.uint8)
        start = -whole.ctypes.data % HUGE
        self._bytes = whole[start : start + size]

    def array(self, dtype: type, count: int, first_byte: int = 0) -> np.ndarray:
        """The first elements of the arena, or those from a byte on."""
        size = count * np.dtype(dtype).itemsize
        assert first_byte + size <= len(self._bytes), "the arena is too small"
        return self._bytes[first_byte : first_byte + size].view(dtype)


def strided(memory: np.ndarray, shape: tuple[int, ...], strides: tuple[int, ...]) -> np.ndarray:
    """A view of memory with strides that count elements."""
    in_bytes = [stride * memory.itemsize for stride in strides]
    return np.lib.stride_tricks.as_strided(memory, shape, in_bytes)


def span(shape: tuple[int, ...], strides: tuple[int, ...]) -> int:
    """How many elements from the first to the last."""
    return 1 + sum((extent - 1) * stride for extent, stride in zip(shape, strides))
