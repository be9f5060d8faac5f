"""The C libraries and PyTorch, where they are installed."""

import ctypes
import ctypes.util
import os
import platform
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

from compare.native import Missing


@dataclass
class Libraries:
    """What was found, and why the rest was not."""

    handles: dict[str, ctypes.CDLL] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    torch: ModuleType | None = None

    def function(self, library: str, name: str) -> ctypes.c_void_p:
        """The address of a function."""
        if library not in self.handles:
            raise Missing(self.missing[library])
        try:
            return ctypes.cast(getattr(self.handles[library], name), ctypes.c_void_p)
        except AttributeError as error:
            raise Missing(f"it has no {name}") from error

    def set_threads(self, threads: int) -> None:
        """How many threads each of them takes from now on."""
        for controller in self._pools.lib_controllers:
            controller.set_num_threads(threads)
        if self.torch:
            self.torch.set_num_threads(threads)

    def __post_init__(self) -> None:
        loaders = {"MKL": _mkl, "OpenBLAS": _openblas, "BLIS": _blis, "HPTT": _hptt}
        for name, load in loaders.items():
            self._try(name, load)
        self._try("PyTorch", self._load_torch)
        from threadpoolctl import ThreadpoolController

        self._pools = ThreadpoolController()

    def _try(self, name: str, load: Callable[[], tuple[ctypes.CDLL | None, str]]) -> None:
        try:
            handle, self.versions[name] = load()
        except (Missing, OSError, ImportError) as error:
            self.missing[name] = str(error)
            return
        if handle:
            self.handles[name] = handle

    def _load_torch(self) -> tuple[None, str]:
        import torch

        torch.set_grad_enabled(False)
        self.torch = torch
        return None, torch.__version__ + (" with oneDNN" if torch.backends.mkldnn.is_available() else "")


def _mkl() -> tuple[ctypes.CDLL, str]:
    found = sorted(Path(sys.prefix, "lib").glob("libmkl_rt.so*"))
    if not found:
        raise Missing("no libmkl_rt in the environment of the program")
    library = ctypes.CDLL(str(found[0]))
    text = ctypes.create_string_buffer(200)
    library.MKL_Get_Version_String(text, len(text))
    return library, text.value.decode().strip()


def _openblas() -> tuple[ctypes.CDLL, str]:
    # Versions that are older than the processor take the kernels of one without AVX.
    texts = ["openblas_get_config", "openblas_get_corename"]
    library = _installed("openblas", "OPENBLAS_CORETYPE", "SkylakeX", texts)
    return library, f"{library.openblas_get_config().decode()} ({library.openblas_get_corename().decode()})"


def _blis() -> tuple[ctypes.CDLL, str]:
    # It reads the processor's brand, which a virtual machine does not tell, and has no kernels for AMD's AVX-512; 0 is Skylake with
    # AVX-512.
    library = _installed("blis", "BLIS_ARCH_TYPE", "0", ["bli_info_get_version_str", "bli_arch_string"])
    # Which kernels there are is known only then; asked before, it refuses those that it was told to take.
    library.bli_init()
    kernels = library.bli_arch_string(library.bli_arch_query_id())
    return library, f"{library.bli_info_get_version_str().decode()} ({kernels.decode()})"


def _hptt() -> tuple[ctypes.CDLL, str]:
    path = os.environ.get("HPTT")
    if not path:
        raise Missing("set HPTT to the path of its libhptt.so")
    return ctypes.CDLL(path), path


def _has_avx512() -> bool:
    return platform.system() == "Linux" and "avx512bw" in Path("/proc/cpuinfo").read_text()


def _installed(name: str, variable: str, avx512: str, texts: list[str]) -> ctypes.CDLL:
    """A library, told by a variable which kernels to take on processors with AVX-512, and what gives text."""
    found = ctypes.util.find_library(name)
    if not found:
        raise Missing("it is not installed")
    if _has_avx512():
        os.environ.setdefault(variable, avx512)
    library = ctypes.CDLL(found)
    for text in texts:
        getattr(library, text).restype = ctypes.c_char_p
    return library
