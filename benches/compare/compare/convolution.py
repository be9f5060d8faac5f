"""CONV: layers of ResNet, beside PyTorch (oneDNN) and our own product of matrices of the same size."""

from dataclasses import dataclass
from functools import partial
from math import prod

import numpy as np

from compare import products
from compare.memory import strided
from compare.native import Makers, Returning, Run
from compare.product_cases import Case, column_major
from compare.products import PEAK
from compare.report import EXPLANATION, Table, beside, ratio, speed
from compare.session import OURS, Row, Session

GEMM = f"{OURS} GEMM"
IMAGES = 8


@dataclass(frozen=True)
class Layer:
    """A convolution of images with channels last, as are those of the filter and of the output."""

    name: str
    channels: int
    features: int
    size: int
    """Of the input, in both directions."""
    filter: int
    stride: int
    padding: int

    @property
    def output(self) -> int:
        """Its size, in both directions."""
        return (self.size + 2 * self.padding - self.filter) // self.stride + 1

    @property
    def product(self) -> Case:
        """The product that it is: features by pixels, with contiguous steps in both operands."""
        k = self.channels * self.filter**2
        return column_major("f32", self.features, IMAGES * self.output**2, k, "TN")

    def layouts(self) -> list[str]:
        """Input, filter and output as tilework writes them."""
        return [
            _channels_last(IMAGES, self.size, self.channels),
            _channels_last(self.features, self.filter, self.channels),
            _channels_last(IMAGES, self.output, self.features),
        ]


LAYERS = [
    Layer("res2 3x3, 64 to 64, 56x56", 64, 64, 56, 3, 1, 1),
    Layer("res3 3x3, 128 to 128, 28x28", 128, 128, 28, 3, 1, 1),
    Layer("res5 3x3, 512 to 512, 7x7", 512, 512, 7, 3, 1, 1),
    Layer("conv1 7x7/2, 3 to 64, 224x224", 3, 64, 224, 7, 2, 3),
    Layer("res3 1x1/2, 256 to 512, 56x56", 256, 512, 56, 1, 2, 0),
]


def section(session: Session) -> None:
    """All layers, on one thread and on two."""
    print(f"\n## Convolution\n\n{IMAGES} images, f32, channels last. {EXPLANATION}")
    for threads in (1, 2):
        note = "GEMM: tilework's product of matrices of the same m, n and k. PyTorch with channels last is oneDNN."
        columns = ["layer", "m,n,k", OURS, "of peak", "GEMM", "of it", "PyTorch"]
        table = Table("1 thread" if threads == 1 else "2 threads", note, columns)
        for layer in session.effort.rows(LAYERS):
            row, case = _row(session, layer, threads), layer.product
            sizes = f"{case.m},{case.n},{case.k}"
            of_gemm = [speed(row, GEMM), ratio(row, OURS, GEMM)]
            table.line(
                layer.name, sizes, speed(row, OURS), ratio(row, OURS, PEAK), *of_gemm, beside(row, "PyTorch")
            )


def _row(session: Session, layer: Layer, threads: int) -> Row:
    session.libraries.set_threads(threads)
    case = layer.product
    # The filter is the first operand of the product. The input begins where the second does, and may be longer.
    weights, pixels, sums = products.operands(session, case)
    image_shape = (IMAGES, layer.size, layer.size, layer.channels)
    inputs = session.arenas[1].array(np.float32, max(len(pixels), prod(image_shape)))
    for operand in (weights, inputs):
        operand[:] = session.random.uniform(-1, 1, len(operand))
    image = inputs[: prod(image_shape)].reshape(image_shape)
    filters = weights.reshape(layer.features, layer.filter, layer.filter, layer.channels)
    output = sums.reshape(IMAGES, layer.output, layer.output, layer.features)

    def torch() -> Run:
        library = session.torch()
        x, w = (library.from_numpy(operand).permute(0, 3, 1, 2) for operand in (image, filters))
        convolve = partial(library.conv2d, x, w, stride=layer.stride, padding=layer.padding)
        return Returning(lambda: convolve().permute(0, 2, 3, 1), output)

    operands = [layer.stride, layer.padding, inputs, weights, sums, threads]
    makers: Makers = {
        OURS: partial(session.native.job, "tilework_conv", layer.layouts(), *operands),
        "PyTorch": torch,
    }
    runs = session.ready(
        layer.name, makers, products.compare(_expected(layer, image, filters), output, sums, case.k)
    )
    runs[GEMM] = products.make(session, OURS, case, threads)
    return products.measure(session, "conv", case, runs, threads)


def _expected(layer: Layer, image: np.ndarray, filters: np.ndarray) -> np.ndarray:
    """The convolution in f64, as the product with all windows of the padded input."""
    border = (layer.padding, layer.padding)
    padded = np.pad(image.astype(np.float64), ((0, 0), border, border, (0, 0)))
    n, row, col, channel = (stride // 8 for stride in padded.strides)
    windows = strided(
        padded.reshape(-1),
        (IMAGES, layer.output, layer.output, layer.filter, layer.filter, layer.channels),
        (n, layer.stride * row, layer.stride * col, row, col, channel),
    )
    return np.tensordot(windows, filters.astype(np.float64), axes=([3, 4, 5], [1, 2, 3]))


def _channels_last(count: int, size: int, channels: int) -> str:
    return f"({count},({size},{size}),{channels}):({size * size * channels},({size * channels},{channels}),1)"
