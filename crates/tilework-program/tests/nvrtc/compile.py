"""Compiles the CUDA of `emit_cuda` by NVRTC for every architecture, from wheels and without a GPU, and reads what came out:
registers, stack, and the instructions of the main loop of programs on tensor cores. What has a stack or local memory fails,
and so does `hgemm` if on one of them its main loop has 10 % more integer instructions for each HMMA than CUTLASS's kernel
of its tile. The compiler unrolls some loops: the ratio is of what it made.
The PTX of sm_80 and sm_100 is left in the folder that is named, each behind its program."""

import collections
import ctypes
import re
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PACKAGES = Path(sysconfig.get_paths()["purelib"])
CUDA = next(PACKAGES.glob("nvidia/cu*"))
CUTLASS = PACKAGES / "cutlass_library/source/include"
NVRTC = ctypes.CDLL(str(next((CUDA / "lib").glob("libnvrtc.so.*"))))
ARCHITECTURES = ["sm_80", "sm_90", "sm_100", "sm_120"]
# What is neither a tensor-core instruction, nor an access to memory, nor control.
INTEGER = re.compile(r"U?(IADD|IADD3|VIADD|IMAD|LEA|LOP3|SHF|ISETP|SEL|MOV|PRMT|IABS|SHL|SHR|PLOP3|IMNMX|VIMNMX)\b")


def compiled(source, architecture):
    """The PTX and the binary. What the compiler refuses ends this program."""
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    NVRTC.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"kernel.cu", 0, None, None)
    options = [f"--gpu-architecture={architecture}", "-default-device", "-std=c++17"]
    options += [f"-I{folder}" for folder in (CUDA / "include", CUDA / "include/cccl", CUTLASS)]
    options = [option.encode() for option in options]
    failed = NVRTC.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
    texts = []
    for what in ["ProgramLog"] if failed else ["PTX", "CUBIN"]:
        getattr(NVRTC, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
        text = ctypes.create_string_buffer(size.value)
        getattr(NVRTC, f"nvrtcGet{what}")(program, text)
        texts.append(text.raw)
    NVRTC.nvrtcDestroyProgram(ctypes.byref(program))
    if failed:
        sys.exit(f"{architecture}: {texts[0].decode()[:4000]}")
    return texts


def tool(name, *arguments):
    return subprocess.run([CUDA / "bin" / name, *arguments], check=True, capture_output=True, text=True).stdout


def main_loop(assembly):
    """The opcodes of the longest loop, with their counts."""
    labels, longest, lines = {}, (0, 0), assembly.splitlines()
    for place, line in enumerate(lines):
        if label := re.match(r"(\.L_x_\d+):", line):
            labels[label[1]] = place
        jump = re.search(r"BRA.*`\((\.L_x_\d+)\)", line)
        if jump and place - labels.get(jump[1], place) > longest[1] - longest[0]:
            longest = labels[jump[1]], place
    opcode = re.compile(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z0-9_]+)")
    found = (opcode.search(line) for line in lines[longest[0] : longest[1] + 1])
    return collections.Counter(one[1] for one in found if one)


def measured(folder, name, source, architecture):
    ptx, cubin = compiled(source, architecture)
    if name != "CUTLASS" and architecture in ("sm_80", "sm_100"):
        text = "".join(line for line in source.splitlines(True) if line.startswith("//| "))
        (folder / f"{name}.{architecture}.ptx").write_text(text + ptx.rstrip(b"\0").decode())
    with tempfile.TemporaryDirectory() as place:
        binary = Path(place) / "kernel.cubin"
        binary.write_bytes(cubin)
        usage = tool("cuobjdump", "-res-usage", binary)
        counts = main_loop(tool("nvdisasm", "-c", binary)) if re.search("mma.sync|cutlass", source) else {}
    numbers = {key: int(value) for key, value in re.findall(r"(REG|STACK|LOCAL|SHARED):(\d+)", usage)}
    line = f"{name:22} {architecture:7} {numbers['REG']:4} registers {numbers['SHARED']:6} bytes shared"
    ratio = None
    if counts:
        integer = sum(count for opcode, count in counts.items() if INTEGER.fullmatch(opcode))
        products = sum(count for opcode, count in counts.items() if opcode in ("HMMA", "IMMA"))
        ratio = integer / products
        line += f"  main loop: {sum(counts.values())} instructions, {products} HMMA, {counts['LDSM']} LDSM, {integer} integer"
    return line, numbers["STACK"] + numbers["LOCAL"], ratio


def main():
    programs = re.split(r"^//// (.*)\n", sys.stdin.read(), flags=re.M)[1:]
    programs = list(zip(programs[::2], programs[1::2]))
    assert len(programs) > 20, "no programs"
    programs.insert(0, ("CUTLASS", (Path(__file__).parent / "cutlass.cu").read_text()))
    cases = [(name, source, architecture) for name, source in programs for architecture in ARCHITECTURES]
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(2) as executor:
        results = list(executor.map(lambda case: measured(folder, *case), cases))
    for line, _, _ in results:
        print(line)
    ratios = {(name, architecture): ratio for (name, _, architecture), (_, _, ratio) in zip(cases, results)}
    for architecture in ARCHITECTURES:
        ours, theirs = ratios["hgemm", architecture], ratios["CUTLASS", architecture]
        if ours > 1.1 * theirs:
            sys.exit(f"{architecture}: {ours} integer instructions for an HMMA, and {theirs} in CUTLASS")
    spilled = [line for line, stack, _ in results if stack]
    if spilled:
        sys.exit("stack or local memory:\n" + "\n".join(spilled))


main()
