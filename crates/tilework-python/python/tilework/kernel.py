"""Kernels for GPUs as values made of layouts: built, checked for all sizes, emitted as WGSL and CUDA, and run on arrays.

>>> import numpy
>>> from tilework import Kernel
>>> k = Kernel("transpose", 256)
>>> a, b = k.read("A", "f32", "(M,N):(lda,1)"), k.write("B", "f32", "(M,N):(1,ldb)")
>>> s = k.shared("s", "f32", "Sw<5,0,5> o 0 o (32,32):(32,1)")
>>> at = k.grid("ceil(M/32)", "ceil(N/32)")
>>> rows, columns = "((32,8),4):((1@1,1@0),8@0)", "((32,8),4):((1@0,1@1),8@1)"
>>> k.copy(a.tile((32, 32), at).partition(rows), s.partition(rows))
>>> k.barrier()
>>> k.copy(s.partition(columns), b.tile((32, 32), at).partition(columns))
>>> transpose = k.finish()
>>> transpose.check().is_proved
True
>>> matrix = numpy.arange(6, dtype="float32").reshape(2, 3)
>>> transpose.run(A=matrix)
array([[0., 1., 2.],
       [3., 4., 5.]], dtype=float32)

A program is its text, of which `Program(text)` is the program; `str(program)` prints it. Coordinates, partitions and the meaning of
statements are those of the crate `tilework-program`.
"""

from __future__ import annotations

import copy
import re
import sys

from . import hardware
from ._core import Layout, _Program, make_layout
from .errors import TileworkError

__all__ = ["Expression", "Finding", "Index", "Kernel", "Program", "Report", "TiledCopy", "TiledMma", "View"]

#: NumPy's name of each type; those of `bf16` are bits.
_DTYPES = {"f32": "<f4", "f16": "<f2", "bf16": "<u2", "i32": "<i4", "u32": "<u4", "i8": "|i1", "u8": "|u1"}
#: The most elements of an array's memory.
_MOST = 1 << 28
#: The function, and what changes nothing.
_FOLDS = {"sum": ("{} + {}", "0"), "product": ("{} * {}", "1"), "max": ("max({}, {})", "-inf"), "min": ("min({}, {})", "inf")}


def _refuse(message):
    raise TileworkError.of("kernel", message)


class Finding:
    """One sentence of a report, `text`; its `certainty`, which is `proved`, `slow` (proved, with bank conflicts), `tried` or `wrong`;
    and the `line` of the program's text, if it is of one.

    >>> from tilework import Program
    >>> text = "kernel k 32 threads, grid (ceil(M/32))\\nwrite B f32 M:1\\nB[b0 32@0, t 32:1@0] = 0\\n"
    >>> finding = Program(text).check().findings[0]
    >>> finding.line, finding.certainty, finding.text
    (3, 'proved', 'B written: predicate c0 < M')
    """

    def __init__(self, line, certainty, text):
        self.line, self.certainty, self.text = line, certainty, text


class Report:
    """What `Program.check` found; as text, a sentence a line.

    >>> from tilework import Program
    >>> text = "kernel k 32 threads, grid (floor(M/32))\\nwrite B f32 M:1\\nB[b0 32@0, t 32:1@0] = 0\\n"
    >>> report = Program(text).check()
    >>> report.is_right, report.is_proved, report.conditions
    (False, False, 'floor(M/32) <= 65535 and M <= 4294967296')
    >>> [finding.line for finding in report.findings if finding.certainty == "wrong"]
    [3]
    """

    def __init__(self, findings, conditions, text):
        self.findings, self.conditions, self._text = [Finding(*finding) for finding in findings], conditions, text

    @property
    def is_right(self):
        """Whether nothing wrong was found."""
        return all(finding.certainty != "wrong" for finding in self.findings)

    @property
    def is_proved(self):
        """Whether everything that was asked is proved for all sizes."""
        return all(finding.certainty in ("proved", "slow") for finding in self.findings)

    def __str__(self):
        return self._text

    __repr__ = __str__


class Program(_Program):
    """A kernel as a value, by its text.

    >>> from tilework import Program
    >>> double = Program('''
    ... kernel twice 32 threads, grid (ceil(M/32))
    ... read A f32 M:1
    ... write B f32 M:1
    ... scalar factor f32
    ... B[b0 32@0, t 32:1@0] = (A[b0 32@0, t 32:1@0] else 0) * factor
    ... ''')
    >>> double.name, double.entry, double.threads, double.scalars, double.conditions
    ('twice', 'twice', 32, {'factor': 'f32'}, 'ceil(M/32) <= 65535 and M <= 4294967296')
    >>> double.needs
    {'threads': 32, 'shared_bytes': 0, 'buffers': 2, 'alignment': 4, 'f16': 0, 'architecture': 0}
    >>> double.sizes(M=70), double.run(A=[1.0, 2.0], factor=2.0)
    ({'M': 70}, array([2., 4.], dtype=float32))
    """

    def check(self):
        """Checks it for all sizes: results written once, bounds, races, values from outside, bank conflicts."""
        return Report(*self._check())

    def emit(self, language, arch=None):
        """Its source text, in `wgsl` or `cuda`; for an architecture of CUDA such as `sm_90`, if it has all instructions."""
        return self._emit(language, arch)

    def sizes(self, **given):
        """The values of all names, of which the extents are given; other strides leave no gaps that no fact asks for."""
        return self._sizes(given)

    def run(self, device="host", /, **given):
        """Runs it on arrays, sizes and scalars by their names, and gives what it wrote: one array, or a dict of several.

        Sizes that are extents of arrays need not be given. An array that is given for a result is written as well; one of
        `bf16` has elements of `uint16`. The devices are `host`, all threads in lockstep with races refused; `webgpu`, by the
        package `wgpu`; and `cuda`, by CuPy.
        """
        import numpy

        devices = {"host": _on_host, "webgpu": _on_webgpu, "cuda": _on_cuda}
        if device not in devices:
            _refuse(f"there is no device {device}: the devices are {', '.join(devices)}")
        tensors = [_Tensor(*tensor) for tensor in self._tensors()]
        arrays = {own.name: numpy.asarray(given.pop(own.name)) for own in tensors if own.name in given}
        missing = [f"the tensor {own.name}" for own in tensors if own.space != "write" and own.name not in arrays]
        missing += [f"the scalar {name}" for name in self.scalars if name not in given]
        if missing:
            _refuse(f"{missing[0]} is not given")
        scalars = [(name, given.pop(name)) for name in self.scalars]
        for tensor in tensors:
            if tensor.name in arrays:
                tensor.deduce(arrays[tensor.name].shape, given)
        sizes = self._sizes(given)
        for tensor, layout in zip(tensors, self._layouts(sizes)):
            tensor.place(layout, arrays.get(tensor.name))
        devices[device](self, sizes, scalars, tensors)
        results = {}
        for tensor in tensors:
            if tensor.space != "read":
                results[tensor.name] = tensor.result(arrays.get(tensor.name))
        return next(iter(results.values())) if len(results) == 1 else results


class _Tensor:
    """A global tensor, and its memory."""

    def __init__(self, name, space, element, layout, extents):
        self.name, self.space, self.element, self.extents = name, space, element, extents

    def deduce(self, shape, sizes):
        """Adds the sizes that are extents of an array."""
        if len(shape) != len(self.extents):
            _refuse(f"{self.name} has {len(self.extents)} modes, and the array {len(shape)}")
        for mode, (extent, count) in enumerate(zip(self.extents, shape)):
            if extent.isidentifier() and sizes.setdefault(extent, count) != count:
                _refuse(f"mode {mode} of {self.name}: {extent} is {sizes[extent]}, and the array has {count}")

    def place(self, layout, array):
        """Makes the memory: the elements of the array at the offsets of a layout."""
        import numpy

        layout = Layout(layout)
        if layout.cosize > _MOST:
            _refuse(f"{self.name} = {layout} has more than {_MOST} elements")
        self.shape = tuple(layout[mode].size for mode in range(len(self.extents)))
        # The first mode of an offset's index is the fastest.
        self.offsets = numpy.asarray(layout.offsets()).reshape(self.shape, order="F")
        self.memory = numpy.zeros(layout.cosize, _DTYPES[self.element])
        if array is None:
            return
        if array.shape != self.shape:
            _refuse(f"{self.name} is {self.shape} at these sizes, and the array {array.shape}")
        if self.element == "bf16" and array.dtype != numpy.uint16:
            _refuse(f"{self.name} has elements of bf16: give them as uint16, not as {array.dtype}")
        self.memory[self.offsets] = array

    def result(self, array):
        elements = self.memory[self.offsets]
        if array is not None:
            array[...] = elements
        return elements if array is None else array


def _on_host(program, sizes, scalars, tensors):
    import numpy

    memories = [(tensor.name, tensor.memory.tobytes()) for tensor in tensors]
    for tensor, memory in zip(tensors, program._run(sizes, scalars, memories)):
        tensor.memory = numpy.frombuffer(memory, tensor.memory.dtype)


def _on_webgpu(program, sizes, scalars, tensors):
    import numpy

    wgpu = _imported("wgpu", "webgpu", "pip install wgpu")
    blocks, arguments = program._launch(sizes, scalars)
    adapter = wgpu.gpu.request_adapter_sync(power_preference="high-performance")
    limits = {}
    for key, needed in {
        "max-compute-invocations-per-workgroup": program.threads,
        "max-compute-workgroup-size-x": program.threads,
        "max-compute-workgroup-storage-size": program.needs["shared_bytes"],
        "max-storage-buffers-per-shader-stage": len(tensors),
        "max-storage-buffer-binding-size": max((tensor.memory.nbytes for tensor in tensors), default=0),
    }.items():
        if needed > adapter.limits[key]:
            _refuse(f"{program.name} needs {needed} of {key}, and {adapter.info['device']} has {adapter.limits[key]}")
        limits[key] = adapter.limits[key]
    features = ["shader-f16"] if program.needs["f16"] else []
    if not set(features) <= set(adapter.features):
        _refuse(f"{program.name} needs f16, and {adapter.info['device']} does not have shader-f16")
    device = adapter.request_device_sync(required_features=features, required_limits=limits)

    # The sizes and scalars at binding 0, and the tensors in their order from binding 1 on.
    def bound(number, kind, data, usage, multiple):
        data += bytes(-len(data) % multiple)
        buffer = device.create_buffer_with_data(data=data, usage=usage)
        layout = {"binding": number, "visibility": wgpu.ShaderStage.COMPUTE, "buffer": {"type": kind}}
        return layout, {"binding": number, "resource": {"buffer": buffer}}

    bindings = [bound(0, "uniform", arguments, wgpu.BufferUsage.UNIFORM, 16)] if arguments else []
    for number, tensor in enumerate(tensors, 1):
        kind = "read-only-storage" if tensor.space == "read" else "storage"
        bindings.append(bound(number, kind, tensor.memory.tobytes(), wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC, 4))
    layouts, entries = zip(*bindings)
    layout = device.create_bind_group_layout(entries=layouts)
    group = device.create_bind_group(layout=layout, entries=entries)
    shader = {"module": device.create_shader_module(code=program.emit("wgsl")), "entry_point": program.entry}
    pipeline = device.create_compute_pipeline(layout=device.create_pipeline_layout(bind_group_layouts=[layout]), compute=shader)
    encoder = device.create_command_encoder()
    launch = encoder.begin_compute_pass()
    launch.set_pipeline(pipeline)
    launch.set_bind_group(0, group)
    launch.dispatch_workgroups(*blocks)
    launch.end()
    device.queue.submit([encoder.finish()])
    for tensor, entry in zip(tensors, entries[len(entries) - len(tensors) :]):
        if tensor.space != "read":
            memory = device.queue.read_buffer(entry["resource"]["buffer"])[: tensor.memory.nbytes]
            tensor.memory = numpy.frombuffer(memory, tensor.memory.dtype)


def _on_cuda(program, sizes, scalars, tensors):
    import numpy

    cupy = _imported("cupy", "cuda", "pip install cupy-cuda13x")
    blocks, arguments = program._launch(sizes, scalars)
    kernel = cupy.RawModule(code=program.emit("cuda"), options=("-std=c++17",)).get_function(program.entry)
    memories = [cupy.asarray(tensor.memory) for tensor in tensors]
    # A structure is passed by value as an array of one element with the size of the structure.
    values = [numpy.frombuffer(arguments, [("bytes", "u1", (len(arguments),))])] if arguments else []
    kernel(blocks, (program.threads,), (*memories, *values))
    for tensor, memory in zip(tensors, memories):
        tensor.memory = cupy.asnumpy(memory)


def _imported(name, device, install):
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"the device {device} needs the package {name}: {install}") from error


class Index:
    """An index of the grid or of a loop, a digit of one with an addend, or a number.

    >>> from tilework import Kernel
    >>> k = Kernel("k", 32)
    >>> with k.repeat("12") as step:
    ...     print(step, (step + 2) % 3, step // 4)
    k (k+2)%3 (k)/4
    """

    def __init__(self, name, add=0, divisor=1, modulus=None, plus=0):
        self._name, self._add, self._divisor, self._modulus, self._plus = name, add, divisor, modulus, plus

    @staticmethod
    def _of(index):
        return index if isinstance(index, Index) else Index(None, plus=index.__index__())

    def __add__(self, number):
        if self._name and self._divisor == 1 and self._modulus is None and not self._plus:
            return Index(self._name, self._add + number)
        return Index(self._name, self._add, self._divisor, self._modulus, self._plus + number)

    def __floordiv__(self, divisor):
        self._check(divisor, "divided by")
        return Index(self._name, self._add, self._divisor * divisor, self._modulus and self._modulus // divisor)

    def __mod__(self, modulus):
        self._check(modulus, "taken modulo")
        return Index(self._name, self._add, self._divisor, modulus)

    def _check(self, number, what):
        if number < 1 or not self._name or self._plus or (self._modulus or number) % number:
            _refuse(f"the index {self} is no digit of a loop or block when it is {what} {number}")

    def __str__(self):
        if self._name is None:
            return str(self._plus)
        digit = self._name
        if self._add or self._divisor != 1 or self._modulus:
            digit = f"({digit}{f'+{self._add}' if self._add else ''})"
        digit += f"/{self._divisor}" if self._divisor != 1 else ""
        digit += f"%{self._modulus}" if self._modulus else ""
        return digit if not self._plus else f"{digit} + {self._plus}"

    def _places(self, step, mode):
        if self._name:
            yield f"{Index(self._name, self._add, self._divisor, self._modulus)} {step}", mode
        if self._plus:
            yield f"{self._plus * step}", mode


class View:
    """A tensor with what its coordinates are the sum of: tiles, threads and values."""

    def __init__(self, tensor, space, element, layout):
        self._tensor, self._space, self._element, self._layout = tensor, space, element, layout
        # Those of an index have a mode, and what is split among threads or values has its own. The tile is the last one.
        self._places, self._tile, self._outside = (), None, None

    def _with(self, *places, **changes):
        view = copy.copy(self)
        view.__dict__.update(_places=self._places + places, **changes)
        return view

    def tile(self, shape, at):
        """The tile of a shape at a position of the grid of tiles: CuTe's `local_tile`."""
        places = [place for mode, (step, index) in enumerate(zip(shape, at)) for place in Index._of(index)._places(step, mode)]
        return self._with(*places, _tile=(tuple(shape), tuple(f"1@{mode}" for mode in range(len(shape)))))

    def along(self, of, mode):
        """A tensor of one mode as a tile of another view: along a mode of that tile, and the same along its others."""
        shape, _ = of._tiled()
        places = [(place, 0) for place, own in of._places if own == mode]
        return self._with(*places, _tile=(shape, tuple("1@0" if own == mode else "0" for own in range(len(shape)))))

    def _tiled(self):
        return self._tile or _refuse(f"{self._tensor}: a tile is partitioned: write `.tile(shape, at)` first")

    def at(self, mode, index):
        """Moved along a mode by an index or a number."""
        return self._with(*Index._of(index)._places(1, mode))

    def partition(self, layout):
        """Split among threads and the values of each, by a layout of both: (thread, value) to coordinates."""
        layout = Layout(layout)
        if layout.rank != 2:
            _refuse(f"{layout} has {layout.rank} modes: a partition has one of threads and one of values")
        return self._with((f"t {layout[0]}", None), (f"v {layout[1]}", None))

    def threads(self, layout):
        """Split among threads."""
        return self._with((f"t {layout}", None))

    def values(self, layout):
        """Split among the values of a thread."""
        return self._with((f"v {layout}", None))

    def gather(self, mode, view):
        """With one coordinate read from a tensor of `u32`."""
        return self._with((f"{view._written()}@{mode}", None))

    def outside(self, value):
        """With what an element outside of its global tensor is read as; 0 where nothing is said."""
        return self._with(_outside=_literal(value))

    def coordinate(self, mode):
        """The coordinate of the element as a value of `u32`; memory is not read."""
        return Expression(f"coordinate({self._written()}, {mode})")

    def _written(self):
        places = tuple(place if mode is None else f"{place}@{mode}" for place, mode in self._places)
        # Registers as they are: all of their elements.
        if self._space == "registers" and not places and (layout := Layout(self._layout)).size > 1:
            sizes = [str(mode.size) for mode in layout] if layout.rank > 1 else [str(layout.size)]
            steps = [f"1@{mode}" for mode in range(len(sizes))]
            shape, stride = (",".join(items) if len(items) == 1 else f"({','.join(items)})" for items in (sizes, steps))
            places = (f"v {shape}:{stride}",)
        return self._tensor + (f"[{', '.join(places)}]" if places else "")

    def _read(self, outside="0"):
        is_global = self._space in ("read", "write", "update")
        if not is_global and self._outside is None:
            return self._written()
        return f"({self._written()} else {self._outside or outside})"


def _literal(value):
    value = float(value)
    return str(int(value)) if value == int(value) else repr(value) if abs(value) != float("inf") else f"{value}"


def _text(value):
    return value._text if isinstance(value, Expression) else _literal(value)


def _infix(sign, is_swapped=False):
    def method(self, other):
        left, right = (other, self) if is_swapped else (self, other)
        return Expression(f"({_text(left)} {sign} {_text(right)})")

    return method


class Expression:
    """A value in the function of a statement, with the operators and functions of numbers.

    >>> from tilework import Kernel
    >>> k = Kernel("gelu", 32)
    >>> a, b = k.read("A", "f32", "M:1"), k.write("B", "f32", "M:1")
    >>> (i,) = k.grid("ceil(M/32)")
    >>> one = lambda view: view.tile((32,), (i,)).threads("32:1@0")
    >>> k.map(one(a), one(b), lambda x: (x < 0).select(x.exp() - 1, x))
    >>> print(k.finish())
    kernel gelu 32 threads, grid (ceil(M/32))
    read A f32 M:1
    write B f32 M:1
    B[b0 32@0, t 32:1@0] = select(A[b0 32@0, t 32:1@0] else 0 < 0, exp(A[b0 32@0, t 32:1@0] else 0) - 1, A[b0 32@0, t 32:1@0] else 0)
    <BLANKLINE>
    """

    def __init__(self, text):
        self._text = text

    __add__, __radd__ = _infix("+"), _infix("+", True)
    __sub__, __rsub__ = _infix("-"), _infix("-", True)
    __mul__, __rmul__ = _infix("*"), _infix("*", True)
    __truediv__, __rtruediv__ = _infix("/"), _infix("/", True)
    __mod__, __and__, __or__ = _infix("%"), _infix("&"), _infix("|")
    __lshift__, __rshift__ = _infix("<<"), _infix(">>")
    __lt__, __le__ = _infix("<"), _infix("<=")
    __gt__, __ge__ = _infix("<", True), _infix("<=", True)

    def equals(self, other):
        """Whether they are equal; `==` compares objects."""
        return Expression(f"({self._text} == {_text(other)})")

    def __neg__(self):
        return Expression(f"-({self._text})")

    def __bool__(self):
        _refuse("a condition of a kernel has no truth before it runs: condition.select(yes, no)")

    def _call(self, name, *others):
        return Expression(f"{name}({', '.join(map(_text, (self, *others)))})")

    def min(self, other):
        """The smaller of two."""
        return self._call("min", other)

    def max(self, other):
        """The larger of two."""
        return self._call("max", other)

    def abs(self):
        """The absolute value."""
        return self._call("abs")

    def exp(self):
        """e to the power of it."""
        return self._call("exp")

    def log(self):
        """The natural logarithm."""
        return self._call("log")

    def sqrt(self):
        """The square root."""
        return self._call("sqrt")

    def rsqrt(self):
        """One over the square root."""
        return self._call("rsqrt")

    def tanh(self):
        """The hyperbolic tangent."""
        return self._call("tanh")

    def cast(self, dtype):
        """A conversion: `x.cast("f32")`."""
        return self._call(dtype)

    def select(self, yes, no):
        """`yes` where it holds, and else `no`."""
        return self._call("select", yes, no)


def _by_thread(view, layout):
    """Modes of threads and of values, each as short as it can be."""
    return view.partition(make_layout(layout[0].coalesce(), layout[1].coalesce()))


class TiledMma:
    """Atoms of a matrix instruction side by side, repeated over a tile: CuTe's `TiledMMA`, made by `Kernel.tiled_mma`.

    >>> from tilework import Kernel
    >>> k = Kernel("product", 32)
    >>> a, b, c = k.read("A", "f16", "(16,16):(16,1)"), k.read("B", "f16", "(8,16):(16,1)"), k.write("C", "f32", "(16,8):(8,1)")
    >>> mma = k.tiled_mma("SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "<_,_,_>")
    >>> ra, rb = k.fragment_a(mma, (16, 16), "f16"), k.fragment_b(mma, (8, 16), "f16")
    >>> rc = k.fragment_c(mma, (16, 8), "f32")
    >>> k.fill(rc, 0)
    >>> k.copy(mma.partition_a(a.tile((16, 16), (0, 0))), ra)
    >>> k.copy(mma.partition_b(b.tile((8, 16), (0, 0))), rb)
    >>> k.gemm(mma, ra, rb, rc)
    >>> k.copy(rc, mma.partition_c(c.tile((16, 8), (0, 0))))
    >>> k.finish().check().is_proved
    True
    """

    def __init__(self, instruction, atoms, permutation):
        self._instruction, self._mma = instruction, hardware.TiledMma(instruction, atoms, permutation)

    @property
    def tile(self):
        """The extents `(M, N, K)` of its tile."""
        return self._mma.shape

    def _layout(self, operand, shape, strides):
        """(thread,(value of the fragment, repetitions)) to the coordinates of a tile."""
        modes = {"A": (0, 2), "B": (1, 2), "C": (0, 1)}[operand]
        own = tuple(self.tile[mode] for mode in modes)
        if len(shape) != 2 or any(extent % tile for extent, tile in zip(shape, own)):
            _refuse(f"{self._instruction} in tiles of {own} does not divide a tile of {tuple(shape)}")
        thread, values = getattr(self._mma, f"thrfrg_{operand}")(Layout(f"({shape[0]},{shape[1]}):({','.join(strides)})"))
        # Threads along the mode that the operand does not have share its elements.
        along = [f"{self._mma.threads[mode].size}:0" for mode in (1, 2, 3)]
        for mode, part in zip(modes, thread[1]):
            along[mode] = part
        return make_layout(make_layout(thread[0], *along) @ self._mma.threads.right_inverse(), values)

    def _partition(self, operand, view):
        return _by_thread(view, self._layout(operand, *view._tiled()))

    def partition_a(self, tile):
        """The elements of a tile of `A(m,k)` that each thread has."""
        return self._partition("A", tile)

    def partition_b(self, tile):
        """The elements of a tile of `B(n,k)` that each thread has."""
        return self._partition("B", tile)

    def partition_c(self, tile):
        """The elements of a tile of `C(m,n)` that each thread has."""
        return self._partition("C", tile)

    def copy_a(self, instruction):
        """A copy of the elements of `A` that each thread has, by an instruction such as `SM75_U32x4_LDSM_N`."""
        return TiledCopy(instruction, lambda _, *tile: self._layout("A", *tile))

    def copy_b(self, instruction):
        """A copy of the elements of `B` that each thread has."""
        return TiledCopy(instruction, lambda _, *tile: self._layout("B", *tile))


class TiledCopy:
    """An instruction that copies, with how it partitions a tile among threads: CuTe's `TiledCopy`, made by `Kernel.tiled_copy`,
    `TiledMma.copy_a` or `TiledMma.copy_b`.

    >>> from tilework import Kernel
    >>> k = Kernel("product", 32)
    >>> a, b = k.read("A", "f16", "(16,16):(16,1)"), k.read("B", "f16", "(16,16):(16,1)")
    >>> bias, c = k.read("bias", "f32", "16:1"), k.write("C", "f32", "(16,16):(16,1)")
    >>> sa, sb = k.shared("sA", "f16", "(16,16):(16,1)"), k.shared("sB", "f16", "(16,16):(16,1)")
    >>> mma = k.tiled_mma("SM80_16x8x16_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "<_,_,_>")
    >>> fill = k.tiled_copy("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", "(16,2):(2,1)", "(1,8):(0,1)")
    >>> load_a, load_b = mma.copy_a("SM75_U32x4_LDSM_N"), mma.copy_b("SM75_U32x2_LDSM_N")
    >>> ra, rb = k.fragment_a(mma, (16, 16), "f16"), k.fragment_b(mma, (16, 16), "f16")
    >>> rc = k.fragment_c(mma, (16, 16), "f32")
    >>> for whole, shared in [(a, sa), (b, sb)]:
    ...     k.copy_by(fill, whole.tile((16, 16), (0, 0)), shared)
    >>> k.commit()
    >>> k.wait(0)
    >>> k.barrier()
    >>> k.copy_by(load_a, sa.tile((16, 16), (0, 0)), ra)
    >>> k.copy_by(load_b, sb.tile((16, 16), (0, 0)), rb)
    >>> k.fill(rc, 0)
    >>> k.gemm(mma, ra, rb, rc)
    >>> out = c.tile((16, 16), (0, 0))
    >>> k.map((rc, mma.partition_c(bias.along(out, 1))), mma.partition_c(out), lambda x, own: x + own)
    >>> k.finish().check().is_proved
    True
    """

    def __init__(self, instruction, layout):
        self._instruction, self._layout = instruction, layout


class _Braces:
    """What stands between braces is written within a `with`, which for a loop gives its index."""

    def __init__(self, kernel, head, index=None):
        self._kernel, self._head, self._index = kernel, head, index

    def __enter__(self):
        kernel = self._kernel
        kernel._statement(self._head + " {")
        kernel._depth += "  "
        kernel._open.append(self._index)
        return Index(self._index) if self._index else None

    def __exit__(self, *_reason):
        kernel = self._kernel
        kernel._open.pop()
        kernel._depth = kernel._depth[2:]
        kernel._statement("}")


class Kernel:
    """A kernel that is being written: declarations and statements in the order of the calls, with the names of Rust's builder.

    >>> from tilework import Kernel
    >>> k = Kernel("row_sums", 32)
    >>> a, y = k.read("A", "f32", "(M,K):(lda,1)"), k.write("y", "f32", "M:1")
    >>> total = k.registers("total", "f32", "1:1")
    >>> (m,) = k.grid("ceil(M/32)")
    >>> k.fill(total, 0)
    >>> with k.repeat("K") as step:
    ...     k.fold("sum", a.tile((32, 1), (m, step)).threads("32:1@0"), total)
    >>> k.copy(total, y.tile((32,), (m,)).threads("32:1@0"))
    >>> k.finish().run(A=[[1, 2, 3], [4, 5, 6]])
    array([ 6., 15.], dtype=float32)
    """

    def __init__(self, name, threads):
        self._name, self._threads, self._grid = name, threads, []
        self._declared, self._facts, self._body, self._depth, self._open = [], [], [], "", []

    def _declare(self, space, name, dtype, layout):
        self._push(self._declared, f"{space} {name} {dtype} {layout}")
        return View(name, space, dtype, str(layout))

    def _push(self, lines, text):
        """A line of the text, with the place in the program that wrote it."""
        frame = sys._getframe(1)
        while frame.f_code.co_filename == __file__ and frame.f_back:
            frame = frame.f_back
        lines.append((text, f"{frame.f_code.co_filename}:{frame.f_lineno}"))

    def read(self, name, dtype, layout):
        """A global tensor that is only read."""
        return self._declare("read", name, dtype, layout)

    def write(self, name, dtype, layout):
        """A global tensor each element of which is written once."""
        return self._declare("write", name, dtype, layout)

    def update(self, name, dtype, layout):
        """A global tensor each element of which one thread reads and writes."""
        return self._declare("update", name, dtype, layout)

    def shared(self, name, dtype, layout):
        """A tensor in the block's memory."""
        return self._declare("shared", name, dtype, layout)

    def registers(self, name, dtype, layout):
        """A thread's own."""
        return self._declare("registers", name, dtype, layout)

    def scalar(self, name, dtype):
        """A scalar argument."""
        self._push(self._declared, f"scalar {name} {dtype}")
        return Expression(name)

    def size(self, name):
        """A size, for expressions."""
        return Expression(name)

    def assume(self, facts):
        """Facts of the sizes, such as `K % 4 == 0, K <= 1024`."""
        self._push(self._facts, f"assume {facts}")

    def grid(self, *counts):
        """The numbers of blocks along each axis, in the names of the tensors, and the coordinates of a block."""
        axes = [Index(f"b{axis}") for axis in range(len(self._grid), len(self._grid) + len(counts))]
        self._grid += counts
        return tuple(axes)

    def _statement(self, text):
        self._push(self._body, self._depth + text)

    def map(self, sources, to, function, by=None):
        """`to = function(..)` for each value of each thread; the sources are a view or an expression, or a tuple of them; `by` is the
        instruction that does it, such as `SM80_16x8x16_F32F16F16F32_TN` for a sum of products."""
        sources = sources if isinstance(sources, tuple) else (sources,)
        values = [source if isinstance(source, Expression) else Expression(source._read()) for source in sources]
        self._statement(f"{to._written()} = {_text(function(*values))}" + (f" by {by}" if by else ""))

    def copy(self, source, to):
        """`to = source`."""
        self._statement(f"{to._written()} = {source._read()}")

    def copy_by(self, by, source, to):
        """`to = source`, by the name of an instruction such as `SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>`, or by a tiled copy of a tile."""
        if isinstance(by, TiledCopy):
            # One of the two says which tile it is.
            tile = source._tile or to._tiled()
            source, to = (
                view if view._space == "registers" else _by_thread(view, by._layout(view._element, *tile)) for view in (source, to)
            )
        self.map(source, to, lambda value: value, getattr(by, "_instruction", by))

    def tiled_mma(self, instruction, atoms, permutation):
        """An atom repeated by a layout of atoms `(M,N,K)` and permuted by a tiler `<M,N,K>`, as CuTe's `make_tiled_mma`."""
        mma = TiledMma(instruction, atoms, permutation)
        if (threads := mma._mma.threads.size) != self._threads:
            _refuse(f"atoms {atoms} of {instruction} take {threads} threads, and a block has {self._threads}")
        return mma

    def tiled_copy(self, instruction, threads, values):
        """An instruction that copies, with a layout of threads over a tile and one of the values of each: CuTe's `make_tiled_copy`."""
        tiler, own = hardware.make_layout_tv(threads, values)

        def layout(element, shape, strides):
            copy = hardware.TiledCopy(hardware.atom(instruction, 8 * int(_DTYPES[element][-1])), own, tiler)
            return copy.tidfrg_D(Layout(f"({','.join(map(str, shape))}):({','.join(strides)})"))

        return TiledCopy(instruction, layout)

    def fragment_a(self, mma, shape, dtype):
        """The registers of a tile of `A(m,k)`: the elements of a fragment, then its repetitions along m and k."""
        return self._fragment("A", mma, shape, dtype)

    def fragment_b(self, mma, shape, dtype):
        """The registers of a tile of `B(n,k)`."""
        return self._fragment("B", mma, shape, dtype)

    def fragment_c(self, mma, shape, dtype):
        """The registers of a tile of `C(m,n)`."""
        return self._fragment("C", mma, shape, dtype)

    def _fragment(self, operand, mma, shape, dtype):
        own, (rows, columns) = mma._layout(operand, shape, ("1@0", "1@1"))[1]
        own, rows, columns = own.size, rows.size, columns.size
        name = self._unused(f"r{operand.lower()}")
        return self.registers(name, dtype, f"({own},{rows},{columns}):(1,{own},{own * rows})")

    def _unused(self, name):
        """The name, or with a number, that no tensor, size or loop around has."""
        taken = {word for text, _ in self._declared for word in re.findall(r"\w+", text)}.union(self._open)
        return next(own for own in [name, *(f"{name}{number}" for number in range(1, len(taken) + 2))] if own not in taken)

    def gemm(self, mma, a, b, c):
        """`c = c + a * b` for fragments of a tiled product, with all their repetitions."""
        (_, *of_a), (_, *of_b), (_, *of_c) = ([mode.size for mode in Layout(own._layout)] for own in (a, b, c))
        repeated = (*of_c, *of_a[1:])
        if (*of_a[:1], *of_b) != repeated:
            sizes = ", ".join("x".join(map(str, own)) for own in (of_a, of_b, of_c))
            _refuse(f"fragments of {sizes} repetitions have no product")

        def part(own, strides):
            layout = Layout(f"({','.join(map(str, repeated))}):({strides})").coalesce()
            return Expression(own._tensor if layout.size == 1 else own.values(layout)._written())

        factors = [part(a, "1@1,0,1@2"), part(b, "0,1@1,1@2")]
        factors = [value if own._element == c._element else value.cast(c._element) for value, own in zip(factors, (a, b))]
        total = part(c, "1@1,1@2,0")
        self._statement(f"{_text(total)} = {_text(total + factors[0] * factors[1])} by {mma._instruction}")

    def fill(self, to, number):
        """`to = number`."""
        self._statement(f"{to._written()} = {_literal(number)}")

    def fill_neutral(self, to, fold):
        """`to` is what changes nothing in a fold."""
        self._statement(f"{to._written()} = {self._fold(fold)[1]}")

    def fold(self, fold, source, to):
        """`to = fold(to, source)`, where an element outside is the neutral one; a fold is `sum`, `product`, `max` or `min`."""
        function, neutral = self._fold(fold)
        self._statement(f"{to._written()} = " + function.format(to._read(neutral), source._read(neutral)))

    @staticmethod
    def _fold(name):
        if name not in _FOLDS:
            _refuse(f"there is no fold {name}: the folds are {', '.join(_FOLDS)}")
        return _FOLDS[name]

    def repeat(self, count):
        """`for index in count { .. }`, of what the `with` contains."""
        name = self._unused("k")
        return _Braces(self, f"for {name} in {count}", name)

    def when(self, index, below):
        """`when index < below { .. }`, of what the `with` contains."""
        return _Braces(self, f"when {index} < {below}")

    def barrier(self):
        """All threads of the block arrive before one goes on."""
        self._statement("barrier")

    def commit(self):
        """Ends a group of asynchronous copies."""
        self._statement("commit")

    def wait(self, groups):
        """Waits until all groups but the last ones, of this number, are complete."""
        self._statement(f"wait {groups}")

    def finish(self):
        """The program. What is wrong is said with the line of the Python program that wrote it."""
        lines = [(f"kernel {self._name} {self._threads} threads, grid ({','.join(self._grid) or '1'})", None)]
        lines += self._declared + self._facts + self._body
        try:
            return Program("".join(f"{text}\n" for text, _ in lines))
        except TileworkError as error:
            number, _, sentence = error.message.removeprefix("line ").partition(": ")
            if not number.isdigit() or not (place := lines[int(number) - 1][1]):
                raise
            raise TileworkError.of(error.code, f"{place}: {sentence}") from None
