"""Starts any program by CuPy from its JSON alone: `tilework kernel transpose.tw emit --as cuda --json > transpose.json`, then
`python launch.py transpose.json M=1000 N=700 lda=700 ldb=1000`. In a program of Python, `tilework.Program(text).run("cuda", A=..)` does
the same."""

import json
import math
import sys

import cupy
import numpy

TYPES = {"f32": "<f4", "f16": "<f2", "bf16": "<u2", "i32": "<i4", "u32": "<u4", "i8": "|i1", "u8": "|u1"}


def launch(kernel, sizes, arrays):
    """Starts a kernel on arrays of CuPy, whose memory is that of the buffers, in their order."""
    host = next(host for host in kernel["hosts"] if host["language"] == "python")
    exec(host["checks"], {}, dict(sizes))
    grid = tuple(eval(axis, {}, dict(sizes)) for axis in host["grid"])
    structure = numpy.dtype({
        "names": [own["name"] for own in kernel["arguments"]],
        "formats": [TYPES[own["element"]] for own in kernel["arguments"]],
        "offsets": [own["offset"] for own in kernel["arguments"]],
    })
    values = numpy.array([tuple(sizes[name] for name in structure.names)], structure)
    function = cupy.RawModule(code=kernel["source"], options=("-std=c++17",)).get_function(kernel["entry"])
    function(grid, (kernel["threads"],), (*arrays, values))


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        kernel = json.load(file)
    sizes = {name: int(value) for name, value in (given.split("=") for given in sys.argv[2:])}
    arrays = []
    for buffer in kernel["buffers"]:
        elements = int(eval(buffer["elements"], {"ceil": math.ceil, "floor": math.floor}, dict(sizes)))
        arrays.append(cupy.arange(elements).astype(TYPES[buffer["element"]]))
    launch(kernel, sizes, arrays)
    for buffer, array in zip(kernel["buffers"], arrays):
        print(buffer["name"], array)
