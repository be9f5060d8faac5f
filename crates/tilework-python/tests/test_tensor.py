"""Tensors: elements, slices, arrays without a copy, and back."""

import array
import gc
import weakref

import numpy as np
import pytest

import tilework
from tilework import Layout, Tensor, TileworkError, _, constant, counting, errors, identity, transform

RNG = np.random.default_rng(7)


def arrays():
    """Arrays of many types, shapes and strides."""
    whole = RNG.integers(0, 100, (6, 5, 8))
    for dtype in ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16", "V3", "M8[s]", "S5"]:
        if dtype in ("V3", "S5"):
            yield np.frombuffer(RNG.bytes(6 * 5 * 8 * int(dtype[1:])), dtype).reshape(6, 5, 8)
        else:
            yield whole.astype(dtype)
    yield whole.T
    yield whole[::-1]
    yield whole[::2, ::-3, 1:5]
    yield whole[3]
    yield whole[3, 2]
    yield whole[3, 2, 1:2]
    yield np.broadcast_to(whole[0], (4, 5, 8))
    yield np.asfortranarray(whole)
    yield np.array(3.5)
    yield np.zeros((1, 1, 4))


@pytest.mark.parametrize("given", list(arrays()), ids=lambda a: f"{a.dtype}{a.shape}{a.strides}")
def test_there_and_back(given):
    tensor = Tensor.from_array(given)
    assert tensor.shape == given.shape
    back = np.asarray(tensor)
    assert back.dtype == given.dtype
    assert back.tobytes() == given.tobytes()
    assert back.__array_interface__["data"] == given.__array_interface__["data"]
    assert np.shares_memory(back, given)
    # The first mode is the fastest, so that the elements are those of the transposed array.
    if given.dtype.kind in "iuf":
        assert list(tensor) == given.T.ravel().tolist() == tensor.tolist()


def test_elements_and_slices():
    a = np.arange(32.0).reshape(4, 8)
    t = Tensor(a)
    assert t[2, 5] == t[(2, 5)] == t[2 + 4 * 5] == a[2, 5]
    assert t(2, 5) == t((2, 5)) == t(22) == a[2, 5] and t(2, _).offset == 16
    assert t.layout == Layout((4, 8), (8, 1)) and t.offset == 0 and len(t) == t.size == 32 and t.rank == 2
    row = t[2, _]
    assert (row.layout, row.offset, repr(row)) == (Layout(8), 16, f"<Tensor {{16}} o 8:1 of {row.dtype}>")
    assert t[2, :].offset == 16
    figure = Tensor(counting(), "((3,2),((2,3),2)):((4,1),((2,15),100))")
    part = figure[2, ((0, None), None)]
    assert (part.offset, str(part.layout)) == (8, "(3,2):(15,100)")
    assert part[1, 1] == 8 + 15 + 100


def test_writing():
    a = np.zeros((4, 8), "f4")
    t = Tensor(a)
    t[1, 2] = 7
    t[3, _] = np.arange(8, dtype="f4")
    t[_, 0] = 5
    assert a[1, 2] == 7 and a[3].tolist() == [5, 1, 2, 3, 4, 5, 6, 7] and a[:, 0].tolist() == [5] * 4
    with pytest.raises(errors.OutOfBounds):
        t[4, 0] = 1
    with pytest.raises(errors.Size):
        t[3, _] = np.zeros(7, "f4")
    a.flags.writeable = False
    with pytest.raises(errors.Array, match="read-only"):
        Tensor(a)[0, 0] = 1
    with pytest.raises(errors.Array, match="read-only"):
        Tensor(a)[0, _] = 1


def test_lists_and_accessors():
    data = list("abcdef")
    t = Tensor(data, Layout((2, 3)))
    assert t[1, 2] == "f"
    t[1, 2] = "z"
    assert data[5] == "z"
    assert list(Tensor(transform(str.upper, data), Layout(3, -1), 2)) == ["C", "B", "A"]
    assert list(Tensor(constant("x"), Layout((2, 1)))) == ["x", "x"]
    ident = Tensor(counting(), identity((4, (2, 3))))
    assert ident[9] == (1, (0, 1)) and ident[3, _][5] == (3, (1, 2))
    with pytest.raises(errors.Image):
        Tensor(data, Layout(7))
    with pytest.raises(errors.Image):
        counting_in = transform(lambda x: x, data)
        counting_in[6]
    with pytest.raises(errors.Array):
        Tensor(counting(), Layout(4))[0] = 1


def test_swizzled():
    a = np.arange(64)
    layout = tilework.parse("Sw<3,0,3> o 0 o (8,8):(8,1)")
    t = Tensor(a, layout)
    assert [t[i] for i in range(64)] == layout.offsets().tolist()
    assert t[3, _][2] == layout(3, 2)
    with pytest.raises(errors.Array, match="swizzled"):
        np.asarray(t)


def test_bounds():
    a = np.arange(32)
    with pytest.raises(errors.Image, match="0 to 38"):
        Tensor(a, "(4,8):(1,5)")
    with pytest.raises(errors.Image):
        Tensor(a, "4:-1")
    assert Tensor(a, "4:-1", 3)[0] == 3
    assert Tensor(a, tilework.View(3, Layout(4, -1)))[1] == 2
    for coordinate in (32, -1, (4, 0), (0, 8), (0, -1)):
        with pytest.raises(IndexError):
            Tensor(a, "(4,8):(8,1)")[coordinate]
    for coordinate in ((0, 0, 0), (0, (0, 0))):
        with pytest.raises(TileworkError):
            Tensor(a, "(4,8):(8,1)")[coordinate]


def test_arrangements():
    a = np.arange(8 * 16).reshape(8, 16)
    t = Tensor(a)
    tiles = t.zipped_divide((4, 8))
    assert (tiles.offset, str(tiles.layout)) == (0, "((4,8),(2,2)):((16,1),(64,8))")
    assert np.array_equal(np.asarray(tiles[_, (1, 0)]), a[4:, :8])
    assert np.array_equal(np.asarray(t.local_tile((4, 8), (1, 1))), a[4:, 8:])
    assert np.array_equal(np.asarray(t.local_partition("(4,8):(8,1)", 9)), a[1::4, 1::8])
    assert np.array_equal(np.asarray(t.select(1, 0)), a.T)
    assert np.array_equal(np.asarray(t @ (2, 2)), a[:2, :2])
    assert np.array_equal(np.asarray(t.take(0, 1)), a[:, 0])
    assert t.domain_offset((0, 0)).offset == 0
    with pytest.raises(errors.Image):
        t.domain_offset((1, 0))
    with pytest.raises(errors.Array, match="more than one stride"):
        np.asarray(t.group(0, 2))
    assert np.asarray(t.group(0, 2).flatten()).shape == (8, 16)
    assert np.array_equal(np.asarray(t.with_layout("(4,4):(32,2)")), a[::2, 0:8:2])
    # The offset is added to 8:2, and would be XORed to 4:^6.
    with pytest.raises(errors.NotXorLinear):
        Tensor(counting(), Layout(8, 2), 5) @ Layout("4:^3")
    assert list(Tensor(counting(), Layout(8, 2), 0) @ Layout("4:^3")) == [0, 6, 12, 10]


def test_copies_are_made_when_asked_for():
    a = np.arange(4.0)
    t = Tensor(a)
    assert not np.shares_memory(np.array(t), a) and np.asarray(t, "f4").dtype == np.float32
    assert np.shares_memory(t.__array__(np.dtype("f8"), copy=False), a)
    with pytest.raises(errors.Array, match="copy"):
        t.__array__(np.dtype("f4"), copy=False)


class DLPackOnly:
    """An array that is known by DLPack alone, as those of PyTorch and JAX are."""

    def __init__(self, array, versioned=True):
        self.array, self.versioned = array, versioned

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **options):
        if not self.versioned and options:
            raise TypeError("no options")
        return self.array.__dlpack__(**options)


@pytest.mark.parametrize("versioned", [True, False])
def test_dlpack(versioned):
    a = np.arange(24.0).reshape(4, 6)[::-1, ::2]
    t = Tensor.from_array(DLPackOnly(a, versioned))
    assert np.array_equal(np.asarray(t), a) and np.shares_memory(np.asarray(t), a)
    assert np.array_equal(np.from_dlpack(t), a)
    t[0, 0] = -1
    assert a[0, 0] == -1
    # The capsule keeps the memory when all else has gone.
    view = np.from_dlpack(Tensor(np.full(1000, 3.0)))
    gc.collect()
    assert view.sum() == 3000


def test_a_tensor_prints_its_elements():
    """As Rust prints one: rows and columns, and of further modes a matrix each; a float as short as NumPy has it."""
    rows = np.arange(6, dtype="f4").reshape(2, 3) / 10
    assert str(Tensor(rows)) == "{0} o (2,3):(3,1)\n0.0 0.1 0.2\n0.3 0.4 0.5"
    assert repr(Tensor(rows)) == "<Tensor {0} o (2,3):(3,1) of float32>"
    for dtype in ("f2", "f4", "f8", "c8", "c16"):
        values = np.array([0.1, 1 / 3, 65504, -0.0, np.inf, np.nan, 1e-7], dtype)
        printed = str(Tensor(values)).split("\n")[1].split()
        again = np.array([complex(word) if dtype[0] == "c" else float(word) for word in printed], dtype)
        assert np.array_equal(again, values, equal_nan=True) and printed[0] in ("0.1", "(0.1+0j)"), printed
    assert str(Tensor(counting(), identity((2, 2)))) == "{(0,0)} o (2,2):(1@0,1@1)\n(0, 0) (0, 1)\n(1, 0) (1, 1)"
    assert str(Tensor(list("abc"), 3)).endswith("\na b c") and str(Tensor([None, "é"], 2)).endswith("\nNone    é")
    assert str(Tensor(np.zeros((2, 2, 2), "i1"))).split("\n")[1::3] == ["(_,_,0)", "(_,_,1)"]
    assert str(Tensor(np.zeros((100, 100, 20)))).endswith("... 64 of 100 rows\n... 64 of 100 columns\n... 16 of 20 matrices")
    with pytest.raises(ZeroDivisionError):
        str(Tensor(transform(lambda element: element // 0, counting()), 3))


def test_dlpack_read_only():
    a = np.arange(4.0)
    a.flags.writeable = False
    assert not np.from_dlpack(Tensor(a)).flags.writeable
    with pytest.raises(BufferError):
        Tensor(a).__dlpack__()
    with pytest.raises(errors.Array):
        Tensor(DLPackOnly(a))[0] = 1


def test_buffers():
    t = Tensor(array.array("d", [1, 2, 3, 4]), "(2,2):(2,1)")
    t[0, 1] = 9
    assert list(t) == [1, 3, 9, 4]
    assert Tensor(memoryview(bytes(range(8))))[3] == 3
    with pytest.raises(errors.Array, match="read-only"):
        Tensor(b"abc")[0] = 1
    assert Tensor(bytearray(b"abc"))[1] == ord("b")


def test_memory_is_kept_and_given_back():
    a = np.zeros(10)
    gone = weakref.ref(a)
    t = Tensor(a)
    part = np.asarray(t[_])
    del a, t
    gc.collect()
    assert gone() is not None
    part[3] = 1
    del part
    gc.collect()
    assert gone() is None


def test_refusals():
    for wrong in (3, None, object(), "abc"):
        with pytest.raises((TileworkError, TypeError)):
            Tensor.from_array(wrong)
    with pytest.raises(errors.Array, match="byte order"):
        Tensor(np.zeros(3, ">f4" if np.little_endian else "<f4"))
    with pytest.raises(errors.Array, match="objects"):
        Tensor(np.array([None]))
    with pytest.raises(errors.Array, match="multiple"):
        Tensor(np.zeros(4, "i4,f8")["f8" if False else "f1"])
    with pytest.raises(errors.Extent):
        Tensor(np.zeros((0, 3)))
    with pytest.raises(errors.Codomain):
        Tensor(np.zeros(4), identity((2, 2)))
    with pytest.raises(OverflowError):
        Tensor(np.zeros(4, "i1"))[0] = 1000


def test_whole_arrays_of_offsets():
    for text in [
        "(4,8):(8,1)", "((2,2),(2,4)):((1,16),(2,4))", "4:-3", "(3,5):(0,7)", "(4,4):(^1,^5)", "8:^3",
        "Sw<2,1,3> o 5 o (8,8):(8,1)", "{7} o (4,2):(3,100)", "{3} o (2,2):(^1,^4)", "()", "1:0",
    ]:
        layout = tilework.parse(text) if text != "()" else Layout("():()")
        offsets = layout.offsets()
        assert offsets.dtype == np.int64
        assert offsets.tolist() == [layout(i) for i in range(layout.size)], text
        some = RNG.integers(0, layout.size, (3, 4))
        assert layout(some).tolist() == [[layout(int(i)) for i in row] for row in some], text
        assert layout(some.astype("u1")).tolist() == layout(some).tolist()
    coordinates = identity((3, (2, 4)))
    assert coordinates.offsets().tolist() == [[c[0], *c[1]] for c in map(coordinates, range(24))]
    assert coordinates(np.arange(24)).tolist() == coordinates.offsets().tolist()
    assert Layout(4)(np.zeros((0, 2), int)).shape == (0, 2)
    assert Layout(4, 2)(np.int64(3)) == 6
    with pytest.raises(errors.Kind):
        Layout(4)(np.zeros(3))
    with pytest.raises(OverflowError):
        Layout(4)(np.array([2**64 - 1], "u8"))
    with pytest.raises(OverflowError):
        Layout(4, 2**62)(np.array([8]))
    with pytest.raises(errors.Codomain):
        Layout("4:1/2").offsets()
    with pytest.raises(errors.Limit):
        Layout(2**60, 0).offsets()


def test_functions_of_layouts_take_tensors():
    """Questions are about the layout; what gives a layout is the method of the tensor, where it has one."""
    t = Tensor(np.arange(32), (4, 8))
    assert (tilework.size(t), tilework.size(t, 1), tilework.rank(t), tilework.shape(t), tilework.depth(t)) == (32, 8, 2, (4, 8), 1)
    assert tilework.is_compact(t) and tilework.cosize(t) == 32
    tiles = tilework.zipped_divide(t, (2, 4))
    assert isinstance(tiles, Tensor) and tiles.layout == t.layout.zipped_divide((2, 4)) and tiles[1, 3] == t.zipped_divide((2, 4))[1, 3]
    assert tilework.composition(t, 4).layout == Layout(4)
    with pytest.raises(errors.Kind, match="its layout, tensor.layout, has it"):
        tilework.right_inverse(t)


def test_the_width_of_elements_stays():
    """What CuTe prints of a tensor has the bits of an element, and so has what is made of it."""
    tile = tilework.parse("smem_ptr[16b](0x400) o Sw<3,3,3> o _0 o (_8,_64):(_64,_1)")
    parts = [tile, tile[1], tile(2, None), tile.local_tile((4, 32), (1, 1)), tile.zipped_divide((2, 4)), tile.coalesce()]
    assert [part.bits for part in parts] == [16] * len(parts)
    assert isinstance(tile, tilework.ComposedLayout) and tile.layout.bits is None and tile(2, 0) == 144
    assert tilework.Layout(str(tilework.parse("gmem_ptr[32b] o (4,8):(8,1)"))).bits == 32
    assert tilework.make_fragment((4, 8), 8).bits == 8 and tilework.Layout((4, 8)).bits is None


class Interface:
    """An array that has `__array_interface__` alone."""

    def __init__(self, array):
        self.array, self.__array_interface__ = array, array.__array_interface__


def told(array, given):
    """What a tensor says of an array, or why there is none."""
    try:
        tensor = Tensor(given)
    except ValueError as error:
        return str(error)
    try:
        tilework.copy(np.zeros_like(array), tensor)
        return str(tensor.layout), tensor.dtype, "written"
    except ValueError as error:
        return str(tensor.layout), tensor.dtype, str(error)


def test_both_protocols_of_numpy_tell_the_same():
    whole = np.arange(24.0).reshape(2, 3, 4)
    constant = np.zeros(3)
    constant.flags.writeable = False
    arrays = [whole, whole[::-1, :, ::2], whole.T, whole[:1], whole[..., None], np.zeros(()), np.zeros((1,) * 32), np.zeros((1,) * 40),
              np.zeros((0, 3)), constant, whole.view(type("Own", (np.ndarray,), {}))]
    kinds = ["f2", "f4", "f8", "i1", "u2", "i8", "?", "c8", "c16", "U3", "S5", "M8[s]", ">f4", ">i1", "O", [("a", "f4"), ("b", "i2")]]
    arrays += [np.zeros((2, 3), kind) for kind in kinds]
    for array in arrays:
        assert told(array, array) == told(array, Interface(array)), (array.dtype, array.shape)
    assert told(whole[0, 0], whole[0, 0]) == ("(4):(1)", "float64", "written")
    assert told(constant, constant)[2] == "array: the destination: its memory is read-only"
