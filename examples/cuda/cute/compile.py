"""The processor time that NVRTC takes for files of CUDA, the least of three, without a GPU:

pip install nvidia-cuda-nvrtc-cu12 nvidia-cuda-runtime-cu12 nvidia-cuda-cccl-cu12; pip install --no-deps nvidia-cutlass==4.2.0.0
tilework kernel product.tw emit --as cuda > emitted.cu
python compile.py product.cu emitted.cu
"""

import ctypes
import sys
import sysconfig
import time
from pathlib import Path

SITE = Path(sysconfig.get_paths()["purelib"])
NVRTC = ctypes.CDLL(str(SITE / "nvidia/cuda_nvrtc/lib/libnvrtc.so.12"))
INCLUDES = ["nvidia/cuda_runtime/include", "nvidia/cuda_cccl/include", "cutlass_library/source/include"]
OPTIONS = ["--gpu-architecture=sm_80", "-std=c++17", "-default-device", *(f"-I{SITE / folder}" for folder in INCLUDES)]


def seconds(source):
    program = ctypes.c_void_p()
    NVRTC.nvrtcCreateProgram(ctypes.byref(program), source, b"kernel.cu", 0, None, None)
    begun = time.process_time()
    options = (ctypes.c_char_p * len(OPTIONS))(*(option.encode() for option in OPTIONS))
    failed = NVRTC.nvrtcCompileProgram(program, len(OPTIONS), options)
    taken = time.process_time() - begun
    NVRTC.nvrtcDestroyProgram(ctypes.byref(program))
    return sys.exit("it does not compile") if failed else taken


for file in sys.argv[1:]:
    print(f"{file}: {min(seconds(Path(file).read_bytes()) for _ in range(3)):.2f} s")
