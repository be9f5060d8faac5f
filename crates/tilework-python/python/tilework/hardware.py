"""Hardware constraints on layouts: instructions, tiled MMA and copy, banks, proved swizzles, legal operands, coverage.

Nothing here needs a GPU. Where a layout is wanted, a text or a shape is one, as in `tilework`.

>>> from tilework import Layout, hardware
>>> mma = hardware.TiledMma("SM80_16x8x16_F32F16F16F32_TN", (2, 2, 1), (32, 32, 16))
>>> shared = hardware.swizzle("(128,32):(32,1)", {"load": "ldmatrix", "store": "rows"}, bits=16).layout
>>> print(shared)
Sw<2,3,3> o 0 o (128,32):(32,1)
>>> load = hardware.make_tiled_copy_A(hardware.atom("SM75_U32x4_LDSM_N", 16), mma)
>>> print(load.thread(9).partition_S(shared.layout))
{288} o ((8,1),4,2):((1,0),1024,16)
>>> print(hardware.operand(shared, "ldmatrix", bits=16))
rows of 16 bytes; elements of 16 bits
>>> print(hardware.banks(shared, "ldmatrix", bits=16))
no conflict: 64 wavefronts; elements of 16 bits
>>> shared.to("cpp-type")
'ComposedLayout<Swizzle<2,3,3>,_0,Layout<Shape<_128,_32>,Stride<_32,_1>>>'
"""

from ._core import _hardware

__all__ = list(_hardware.__all__)
globals().update({name: getattr(_hardware, name) for name in __all__})
