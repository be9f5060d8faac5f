"""Storage formats of arrays, against the steps of the software that writes them."""

import re

import numpy
import pytest

import examples
import tilework
from tilework import errors

RANDOM = numpy.random.default_rng(7)


def test_page():
    assert examples.of_page("../../../docs/formats/README.md") > 4


def test_scales_as_torchao_blocks_them():
    rows, factors = 300, 17
    scales = RANDOM.integers(0, 255, (rows, factors), dtype="uint8")
    padded = numpy.zeros((384, 20), "uint8")
    padded[:rows, :factors] = scales
    blocks = padded.reshape(3, 128, 5, 4).transpose(0, 2, 1, 3)
    blocked = blocks.reshape(-1, 4, 32, 4).transpose(0, 2, 1, 3).reshape(-1)
    packed = tilework.repack(scales, "M S:8", "scale_128x4", M=rows, S=factors)
    assert (packed.reshape(-1) == blocked).all()
    tilework.check(packed, "scale_128x4", M=rows, S=factors)
    packed[-1, -1] = 1
    with pytest.raises(errors.Kind):
        tilework.check(packed, "scale_128x4", M=rows, S=factors)
    with pytest.raises(errors.Size):
        tilework.check(scales, "scale_128x4", M=rows, S=factors)


def awq_to_marlin(words):
    """`awq_marlin_repack` of vLLM in NumPy."""
    order = [0, 2, 4, 6, 1, 3, 5, 7]
    rows, columns = words.shape[0], words.shape[1] * 8
    unpacked = numpy.stack([words >> 4 * place & 15 for place in range(8)], -1)
    weight = numpy.empty_like(unpacked)
    weight[..., order] = unpacked
    tiles = weight.reshape(rows // 16, 16, columns // 16, 16).transpose(0, 2, 1, 3).reshape(-1, 1024)
    permutation = []
    for thread in range(32):
        own = [16 * row + thread // 4 + 8 * block for block in (0, 1) for row in (thread % 4 * 2 + step for step in (0, 1, 8, 9))]
        permutation += [place + 256 * tile for tile in range(4) for place in own]
    permutation = numpy.array(permutation).reshape(-1, 8)[:, order].reshape(-1)
    nibbles = tiles[:, permutation].reshape(rows // 16, -1, 8).astype("uint32")
    return sum(nibbles[..., place] << numpy.uint32(4 * place) for place in range(8)).astype("uint32").view("int32")


def test_awq_for_marlin():
    words = RANDOM.integers(-(2**31), 2**31, (64, 32), dtype="int64").astype("int32")
    assert (tilework.repack(words, "awq_gemm", "marlin_4") == awq_to_marlin(words)).all()
    with pytest.raises(errors.Size, match="N must be a multiple of 64"):
        tilework.repack(words[:, :12], "awq_gemm", "marlin_4")


def test_a_weight_with_its_scales_and_zero_points(tmp_path):
    weight = {
        "qweight": RANDOM.integers(0, 2**31, (128, 16), dtype="int32"),
        "qzeros": RANDOM.integers(0, 2**31, (4, 16), dtype="int32"),
        "scales": RANDOM.random((4, 128)).astype("float16"),
    }
    there = tilework.repack(weight, "awq", "marlin")
    assert (there["qweight"] == awq_to_marlin(weight["qweight"])).all()
    assert (there["scales"] == tilework.repack(weight["scales"], "awq_gemm.scales", "marlin_scales")).all()
    back = tilework.repack(there, "marlin", "awq", K=128, N=128, G=4)
    assert all((back[name] == tensor).all() and back[name].dtype == tensor.dtype for name, tensor in weight.items())
    with pytest.raises(errors.TileworkError, match="there is no qzeros"):
        tilework.repack({"qweight": weight["qweight"]}, "awq", "marlin")
    with pytest.raises(errors.Size):
        tilework.repack(weight, "awq", "marlin", K=128, N=64, G=4)
    safetensors = pytest.importorskip("safetensors.numpy")
    path = tmp_path / "model.safetensors"
    safetensors.save_file({f"q.{name}": tensor for name, tensor in weight.items()}, path)
    of_file = tilework.repack(f"{path}:q", "awq", "marlin")
    assert all((of_file[name] == tensor).all() for name, tensor in there.items())


@pytest.mark.parametrize("source, target", [("gptq", "marlin"), ("gptq", "exllamav2"), ("awq", "exllamav2"), ("gptq_int8", "marlin_int8")])
def test_weights_of_other_families(source, target):
    """Each tensor is the one that its own formats make, and comes back."""
    bits = 8 if "int8" in source else 4
    sizes = {"K": 128, "N": 128, "G": 4}
    codes = 0x11111111 if bits == 4 else 0x01010101
    words = {"awq": (128, 16)}.get(source, (128 * bits // 32, 128))
    weight = {
        "qweight": RANDOM.integers(0, 2**31, words, dtype="int32"),
        "qzeros": numpy.full((4, 128 * bits // 32), codes, "int32"),
        "scales": RANDOM.random((4, 128)).astype("float16"),
    }
    there = tilework.repack(weight, source, target, **sizes)
    back = tilework.repack(there, target, source, **sizes)
    assert all((back[name] == tensor).all() and back[name].dtype == tensor.dtype for name, tensor in weight.items())
    if target.startswith("marlin"):
        # Version 1 of GPTQ stores the zero point minus 1.
        assert (there["qzeros"] == codes * 2).all()
    with pytest.raises(errors.Size, match="has a size Q"):
        tilework.repack(weight, source, target, Q=1, **sizes)


def test_scales_of_one_group_have_their_own_order():
    scales = numpy.arange(128, dtype="float16").reshape(1, 128)
    single = numpy.array([2 * i + j for i in range(4) for j in [0, 1, 8, 9, 16, 17, 24, 25]])
    packed = tilework.repack(scales, "gptq_4.scales", "marlin_scales_any", G=1, N=128)
    assert (packed.reshape(4, 32) == scales.reshape(4, 32)[:, single]).all()


def test_arrays_of_another_type_are_refused():
    words = numpy.zeros((16, 8), "float64")
    for call in (lambda: tilework.check(words, "awq_gemm", K=32, N=64), lambda: tilework.repack(words, "awq_gemm", "gptq_4", K=32, N=64)):
        with pytest.raises(errors.Kind, match=r"awq_gemm is stored as int32 \[32, 8\], not as float64 \[16, 8\]"):
            call()


def test_arrays_are_those_of_the_container():
    for name, sizes in [("gptq_4", {"K": 64, "N": 32}), ("scale_128x4", {"M": 300, "S": 17}), ("lapack_band", {"M": 5, "N": 7, "L": 1, "U": 2})]:
        dtype, shape = tilework.format(name, **sizes).container
        array = numpy.zeros(shape, dtype)
        for accepted in (array, array.reshape(-1), array.view("uint8"), array.view("uint8").reshape(-1)):
            tilework.check(accepted, name, **sizes)
        stored = f"{name} is stored as {dtype} {list(shape)}, not as "
        wrong = [numpy.zeros(shape[::-1], dtype)]
        if array.itemsize > 1:
            wrong.append(array.view({4: "float32", 8: "int64"}[array.itemsize]))
        for refused in wrong:
            message = re.escape(f"{stored}{refused.dtype} {list(refused.shape)}")
            with pytest.raises(errors.Kind, match=message):
                tilework.check(refused, name, **sizes)


def test_a_kernel_reads_what_is_checked():
    """What is accepted has, element by element in memory, the bytes of the array that NumPy shows."""
    rows = numpy.arange(8192, dtype="uint8").reshape(128, 64)
    swapped = numpy.arange(64 * 16, dtype=">i4").reshape(64, 16)
    for wrong, message in [
        (rows[:, ::8], r"contiguous in C's order.* strides are \(64, 8\)"),
        (numpy.asfortranarray(rows[:, ::8]), "contiguous in C's order"),
        (rows[:, :8], "contiguous in C's order"),
        (rows.reshape(-1)[::-1][:1024], "contiguous in C's order"),
        (numpy.ma.masked_array(rows[:, :8].copy(), mask=True), "it has a mask"),
    ]:
        with pytest.raises(errors.Array, match=message):
            tilework.check(wrong, "scale_128x4", M=128, S=8)
    tilework.check(rows[:16].reshape(128, 8), "scale_128x4", M=128, S=8)
    mask = numpy.ma.masked_array(swapped.astype("int32"), mask=False)
    for call in (
        lambda: tilework.check(swapped, "gptq_4", K=512, N=16),
        lambda: tilework.check(swapped.astype("int32"), "gptq_4", swapped, K=512, N=16),
        lambda: tilework.repack(swapped, "gptq_4", "K N:4", K=512, N=16),
        lambda: tilework.repack(mask, "gptq_4", "K N:4", K=512, N=16),
        lambda: tilework.repack({"qweight": swapped, "qzeros": swapped, "scales": swapped}, "awq", "marlin", K=64, N=128, G=64),
        lambda: tilework.identify(mask),
    ):
        with pytest.raises(errors.Array, match="byte order of other machines|it has a mask"):
            call()
    tilework.repack(swapped.astype("int32"), "gptq_4", "K N:4", K=512, N=16)


def test_offsets_are_integers():
    for wrong in (numpy.array([0.0, 1.5]), [0.0, 1.0], numpy.array([0, 2**63], "uint64"), [0, 2**64], ["a"], [None]):
        with pytest.raises(errors.Kind, match="integers of 64 bits"):
            tilework.identify(wrong)
    for empty in ([], numpy.array([], "int32"), numpy.zeros((0, 4), "int32"), numpy.zeros((4, 0), "int64")):
        with pytest.raises(errors.Size, match="none is given"):
            tilework.identify(empty)
    for width in ("uint8", "int16", "uint64", ">i4"):
        assert "awq_gemm" in [found.name for found in tilework.identify(numpy.array([[0, 4, 1, 5, 2, 6, 3, 7]], width), "awq")]


def test_what_is_identified():
    packed = tilework.format("scale_8x4", M=16, S=8)
    assert [found.name for found in tilework.identify(packed.offsets(), "8x4")] == ["scale_8x4"]
    assert tilework.identify(RANDOM.permutation(64).reshape(8, 8), "scale") == []


def test_a_list_is_of_any_shape():
    """Each of the formats has the offsets; so is an array of one axis, and one of more has the shape that it has."""
    for offsets in ([0, 1, 16, 17], (0, 4, 1, 5, 2, 6, 3, 7), [8, 9, 0, 1]):
        formats = tilework.identify(offsets)
        assert all(found.offsets().reshape(-1).tolist() == list(offsets) for found in formats)
        assert str(tilework.identify(numpy.array(offsets))) == str(formats)
        shaped = tilework.identify(numpy.array(offsets).reshape(2, -1))
        assert all(tuple(found.shape) == (2, len(offsets) // 2) for found in shaped)
    assert len(tilework.identify([0, 1, 16, 17])) == 12
    assert tilework.identify([0, 5, 1, 2, 9]) == []


TILES = """
name   tiles
axes   M rows, N columns
bits   8
sizes  M to 4
layout ((4,ceil(M/4)),N):((1,4*N),4)
fill   zero

name   others
like   tiles
bits   16
"""


def test_a_private_format_is_one():
    """A record of a text gives what the same record of the table gives."""
    for name in ["scale_8x4", "awq_gemm"]:
        known = tilework.format(name)
        axes = ", ".join(known.sizes)
        rules = ", ".join(known.rules)
        own = tilework.format("own", text=f"name own\naxes {axes}\nbits {known.element_bits}\nsizes {rules}\nlayout {known.layout}\nfill {known.fill}")
        sizes = dict.fromkeys(known.sizes, 64)
        assert (own.at(**sizes).offsets() == known.at(**sizes).offsets()).all() and own.at(**sizes).storage == known.at(**sizes).storage
        assert own.layout == known.layout and own.rules == known.rules and own.fill == known.fill
    rows = numpy.arange(15, dtype="uint8").reshape(5, 3)
    tiles = tilework.format("tiles", text=TILES)
    packed = tilework.repack(rows, "M N:8", tiles, M=5, N=3)
    assert packed.tolist() == numpy.pad(rows, ((0, 3), (0, 0))).reshape(2, 4, 3).transpose(0, 2, 1).reshape(-1).tolist()
    tilework.check(packed, tiles, M=5, N=3)
    with pytest.raises(errors.Size):
        tilework.check(packed, tiles, M=9, N=3)
    assert tilework.format("others", text=TILES, M=5, N=3).bytes == 48
    # What the text lacks is in the table, and a name of neither is refused as ever.
    assert tilework.format("scale_8x4", text=TILES).name == "scale_8x4"
    for wrong in [lambda: tilework.format("tile", text=TILES), lambda: tilework.repack(rows, "M N:8", 8)]:
        with pytest.raises(errors.TileworkError):
            wrong()


@pytest.mark.parametrize("text, code", [("name x\naxes M\nbits 8", "no `layout`"), ("name x\naxes M\nbits 0\nlayout M:1", "1 to 1024"), ("name x\naxes M\nbits 8\nlayout (M,K):(1,M)", "K, which is no size"), ("nam x", "no key"), ("name x\naxes M\nbits 8\nsizes K to 4\nlayout M:1", "no size")])
def test_records_that_are_refused(text, code):
    with pytest.raises(errors.Specification, match=code):
        tilework.format("x", text=text)


def test_tensors_of_a_safetensors_file(tmp_path):
    safetensors = pytest.importorskip("safetensors.numpy")
    weight = RANDOM.integers(0, 2**31, (64, 16), dtype="int32")
    offsets = tilework.format("marlin_scales", G=2, N=64).offsets()
    path = tmp_path / "model.safetensors"
    safetensors.save_file({"q.qweight": weight, "offsets": offsets}, path)
    named = f"{path}:q.qweight"
    assert (tilework.repack(named, "awq_gemm", "marlin_4") == tilework.repack(weight, "awq_gemm", "marlin_4")).all()
    tilework.check(named, "awq_gemm", K=64, N=128)
    with pytest.raises(errors.Size):
        tilework.check(named, "awq_gemm", K=64, N=64)
    assert [found.name for found in tilework.identify(f"{path}:offsets", "marlin")] == ["marlin_scales", "marlin_scales_any"]
    with pytest.raises(Exception, match="zeros"):
        tilework.check(f"{path}:zeros", "awq_gemm", K=64, N=128)
    with pytest.raises(errors.TileworkError, match="is no tensor of a file"):
        tilework.check("model.npy", "awq_gemm", K=64, N=128)


def test_padding_has_the_fill_that_is_asked():
    """Against the padded rows by NumPy, and repeated ones."""
    scales = RANDOM.integers(1, 255, (5, 3), "uint8")
    for fill in (0, 127, "repeat"):
        packed = tilework.repack(scales, "M S:8", "scale_8x4", fill=fill, M=5, S=3)
        tilework.check(packed, "scale_8x4", scales, fill=fill, M=5, S=3)
        for other in {0, 127, "repeat"} - {fill}:
            with pytest.raises(errors.Kind, match="is padding of scale_8x4, and"):
                tilework.check(packed, "scale_8x4", scales, fill=other, M=5, S=3)
    with pytest.raises(errors.Specification, match="is no fill"):
        tilework.check(packed, "scale_8x4", fill="one", M=5, S=3)


def test_inverses():
    """An array of numbers by which NumPy packs what `repack` packs is of the format, and says so."""
    plain = numpy.arange(64 * 32, dtype="uint8").reshape(64, 32)
    numbers = numpy.argsort(tilework.format("marlin_8", K=16, N=64).offsets(), axis=None)
    weight = RANDOM.integers(0, 255, (16, 64), "uint8")
    packed = tilework.repack(weight, "K N:8", "marlin_8", bits_only=True, K=16, N=64)
    assert (weight.flatten()[numbers] == packed.view("uint8").flatten()).all()
    assert "marlin_8" in [found.name for found in tilework.identify(numbers, "marlin", inverse=True)]
    assert tilework.identify(plain.flatten()[:4], "marlin", inverse=True) == []


def test_private_formats_like_those_of_the_table():
    wide = tilework.format("scale_8x8", text="name scale_8x8\nlike scale_8x4\nsizes M to 8, S to 8")
    assert (wide.fill, wide.sources, wide.layout) == tuple(
        getattr(tilework.format("scale_8x4"), name) for name in ("fill", "sources", "layout")
    )
