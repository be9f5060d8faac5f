//! Formats again, as the programs that write them describe it: arrays of indices that are viewed, permuted and padded, or
//! loops over words, nibbles and bits. Nothing here is a layout.

use testkit::Random;
use tilework_formats::Format;

/// The number of the element at each place of an array, -1 for padding, the last axis fastest.
#[derive(Clone)]
struct Array {
    shape: Vec<usize>,
    elements: Vec<i64>,
}

impl Array {
    fn counted(shape: &[i64]) -> Array {
        let shape: Vec<usize> = shape.iter().map(|extent| *extent as usize).collect();
        Array { elements: (0..shape.iter().product::<usize>() as i64).collect(), shape }
    }

    fn view(mut self, shape: &[usize]) -> Array {
        assert_eq!(shape.iter().product::<usize>(), self.elements.len());
        self.shape = shape.to_vec();
        self
    }

    /// Element `c` of the result is element `c[order]` of this one, as `permute` of PyTorch.
    fn permute(self, order: &[usize]) -> Array {
        let shape: Vec<usize> = order.iter().map(|axis| self.shape[*axis]).collect();
        let element = |mut index: usize| {
            let mut from = vec![0; shape.len()];
            for (axis, extent) in order.iter().zip(&shape).rev() {
                (from[*axis], index) = (index % extent, index / extent);
            }
            let place = from.iter().zip(&self.shape).fold(0, |place, (index, extent)| place * extent + index);
            self.elements[place]
        };
        Array { elements: (0..self.elements.len()).map(element).collect(), shape }
    }

    /// Pads an axis to a multiple.
    fn pad(self, axis: usize, multiple: usize) -> Array {
        let extent = self.shape[axis].next_multiple_of(multiple);
        let behind: usize = self.shape[axis + 1..].iter().product();
        let mut elements = Vec::new();
        for run in self.elements.chunks(self.shape[axis] * behind) {
            elements.extend_from_slice(run);
            elements.resize(elements.len() + (extent - self.shape[axis]) * behind, -1);
        }
        let mut shape = self.shape;
        shape[axis] = extent;
        Array { shape, elements }
    }

    /// Each run of `permutation.len()` elements permuted.
    fn indexed(mut self, permutation: &[usize]) -> Array {
        let runs = self.elements.chunks(permutation.len());
        self.elements = runs.flat_map(|run| permutation.iter().map(|from| run[*from])).collect();
        self
    }

    /// The rows of a matrix in another order.
    fn rows(self, rows: impl Iterator<Item = usize>) -> Array {
        let width = self.shape[1];
        let elements = rows.flat_map(|row| self.elements[row * width..][..width].to_vec()).collect();
        Array { shape: self.shape, elements }
    }

    /// The places of `permute` in blocks: axis `a` is divided into blocks of `blocks[a]`, blocks before insides.
    fn tiled(self, blocks: &[usize]) -> Array {
        let (mut view, rank) = (Vec::new(), blocks.len());
        let mut array = self;
        for (axis, block) in blocks.iter().enumerate() {
            array = array.pad(axis, *block);
            view.extend([array.shape[axis] / block, *block]);
        }
        let order: Vec<usize> =
            (0..rank).map(|axis| 2 * axis).chain((0..rank).map(|axis| 2 * axis + 1)).collect();
        array.view(&view).permute(&order)
    }
}

/// What is at each place: from the place of each element, `None` where it is not stored.
fn placed(shape: &[i64], storage: usize, place: impl Fn(&[usize]) -> Option<usize>) -> Array {
    let mut array = Array { shape: vec![storage], elements: vec![-1; storage] };
    for (number, index) in coordinates(shape).into_iter().enumerate() {
        if let Some(place) = place(&index) {
            assert_eq!(array.elements[place], -1, "two elements at {place}");
            array.elements[place] = number as i64;
        }
    }
    array
}

fn coordinates(shape: &[i64]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for extent in shape {
        let longer =
            |start: Vec<usize>| (0..*extent as usize).map(move |index| [&start[..], &[index]].concat());
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

/// Marlin's permutation of 1024 weights, before those of a word are interleaved.
fn marlin(place: impl Fn(usize, usize, usize) -> usize, step: usize) -> Vec<usize> {
    let mut permutation = Vec::new();
    for thread in 0..32 {
        let mut own = Vec::new();
        for block in 0..2 {
            let row = 2 * (thread % 4);
            own.extend([row, row + 1, row + 8, row + 9].map(|row| place(row, thread / 4, block)));
        }
        permutation.extend((0..4).flat_map(|tile| own.iter().map(move |from| from + step * tile)));
    }
    permutation
}

fn interleaved(permutation: &[usize], within: &[usize]) -> Vec<usize> {
    permutation.chunks(within.len()).flat_map(|word| within.iter().map(|from| word[*from])).collect()
}

const EIGHT: [usize; 8] = [0, 2, 4, 6, 1, 3, 5, 7];
const FOUR: [usize; 4] = [0, 2, 1, 3];

fn marlin_weights(a: Array, permutation: &[usize]) -> Array {
    let (k, n) = (a.shape[0], a.shape[1]);
    a.view(&[k / 16, 16, n / 16, 16]).permute(&[0, 2, 1, 3]).indexed(permutation)
}

fn scale_permutation() -> Vec<usize> {
    (0..8).flat_map(|i| (0..8).map(move |j| i + 8 * j)).collect()
}

fn single_permutation() -> Vec<usize> {
    (0..4).flat_map(|i| [0, 1, 8, 9, 16, 17, 24, 25].map(|j| 2 * i + j)).collect()
}

fn to_blocked(a: Array) -> Array {
    let a = a.tiled(&[128, 4]);
    let blocks = a.elements.len() / 512;
    a.view(&[blocks, 4, 32, 4]).permute(&[0, 2, 1, 3])
}

fn awq_fast(a: Array) -> Array {
    let (n, k) = (a.shape[0], a.shape[1]);
    let a = a.view(&[n, k / 32, 4, 4, 2]).permute(&[0, 1, 3, 2, 4]);
    let a = a.view(&[n, k / 32, 4, 4, 2]).permute(&[0, 1, 2, 4, 3]);
    a.view(&[n / 4, 4, k / 64, 64]).permute(&[0, 2, 1, 3])
}

/// A block of ggml: `bits` of element `j` of block `b` at the place of `within`, in units of as many bits.
fn blocks(a: &Array, size: usize, units: usize, within: impl Fn(usize) -> usize) -> Array {
    let (n, k) = (a.shape[0], a.shape[1]);
    placed(&[n as i64, k as i64], n * k / size * units, |c| {
        Some((c[0] * (k / size) + c[1] / size) * units + within(c[1] % size))
    })
}

/// `repack.cpp`: runs of `run` bytes of the nibbles of `rows` rows in turn, behind their scales.
fn repacked(a: &Array, rows: usize, run: usize) -> Array {
    let (n, k) = (a.shape[0], a.shape[1]);
    placed(&[n as i64, k as i64], n * k / 32 * 36, |c| {
        let (block, j) = ((c[0] / rows) * (k / 32) + c[1] / 32, c[1] % 32);
        let (byte, high) = (j % 16, j / 16);
        let byte = 2 * rows + (byte / run * rows + c[0] % rows) * run + byte % run;
        Some(2 * (block * 18 * rows + byte) + high)
    })
}

/// The stride of each axis of a dense array, slowest first.
fn ordered(a: &Array, order: &[usize]) -> Array {
    a.clone().permute(order)
}

fn gate_up(a: Array, rows: usize) -> Array {
    let (m, k) = (a.shape[0], a.shape[1]);
    a.view(&[2, m / 2 / rows, rows, k]).permute(&[1, 0, 2, 3]).view(&[m, k])
}

fn shuffled(a: Array, block: usize) -> Array {
    let mut rows = vec![0; a.shape[0]];
    for old in 0..rows.len() {
        let within = old % block;
        let map = if block == 32 { within % 4 * 8 + within / 4 } else { within % 2 * 8 + within / 2 };
        rows[old / block * block + map] = old;
    }
    a.rows(rows.into_iter())
}

fn swizzled(a: &Array, bytes: usize) -> Array {
    let (m, k, width) = (a.shape[0], a.shape[1], bytes / 2);
    placed(&[m as i64, k as i64], m * k.next_multiple_of(width), |c| {
        // Chunks of 16 bytes are exchanged within each line of 128: by the number of the line, below the number of chunks.
        let place = (c[1] / width * m + c[0]) * width + c[1] % width;
        let (line, chunk) = (place / 64, place / 8 % 8);
        let key = line % (bytes / 16);
        Some(place / 64 * 64 + (chunk ^ key) * 8 + place % 8)
    })
}

/// `names`, the multiples of its sizes, and what is at each place of the storage for an array of the shape.
type Oracle = (&'static str, &'static [(&'static str, i64)], fn(&Array, &[i64]) -> Array);

const ORACLES: &[Oracle] = &[
    ("scale_128x4", &[("M", 1), ("S", 1)], |a, _| to_blocked(a.clone())),
    ("scale_128x4_torchao", &[("M", 1), ("S", 1)], |a, _| to_blocked(a.clone())),
    ("scale_128x4_pad8", &[("N", 1), ("S", 1)], |a, _| to_blocked(a.clone().pad(1, 8))),
    ("scale_8x4", &[("M", 1), ("S", 1)], |a, _| a.clone().tiled(&[8, 4])),
    ("scale_deepgemm_f32", &[("M", 1), ("S", 1)], |a, _| a.clone().pad(0, 4).permute(&[1, 0])),
    ("scale_cublas_vec128", &[("N", 1), ("S", 1)], |a, _| a.clone().pad(0, 4).permute(&[1, 0])),
    ("scale_deepgemm_ue8m0", &[("M", 1), ("S", 1)], |a, _| {
        let a = a.clone().pad(0, 4).pad(1, 4);
        let (m, s) = (a.shape[0], a.shape[1]);
        a.view(&[m, s / 4, 4]).permute(&[1, 0, 2])
    }),
    ("scale_gfx950", &[("M", 1), ("S", 1)], |a, _| {
        let a = a.clone().pad(0, 32).pad(1, 8);
        let (m, s) = (a.shape[0], a.shape[1]);
        a.view(&[m / 32, 2, 16, s / 8, 2, 4]).permute(&[0, 3, 5, 2, 4, 1])
    }),
    ("scale_gfx950_gate_up", &[("N", 64), ("S", 8)], |a, _| {
        a.clone().view(&[2, a.shape[0] / 32, 16, a.shape[1] / 8, 2, 4]).permute(&[1, 3, 5, 2, 4, 0])
    }),
    ("scale_gfx1250_n32k4", &[("N", 32), ("S", 4)], |a, _| a.clone().tiled(&[32, 4])),
    ("scale_gfx1250_k4", &[("N", 1), ("S", 1)], |a, _| {
        let a = a.clone().pad(1, 4);
        let (n, s) = (a.shape[0], a.shape[1]);
        a.view(&[n, s / 4, 4]).permute(&[1, 0, 2])
    }),
    ("scale_sm90_folded", &[("M", 64), ("S", 4)], |a, _| {
        a.clone().view(&[a.shape[0] / 64, 4, 16, a.shape[1] / 4, 4]).permute(&[0, 3, 2, 1, 4])
    }),
    ("gptq_4", &[("K", 8), ("N", 1)], |a, _| words_along_k(a, 8)),
    ("gptq_8", &[("K", 4), ("N", 1)], |a, _| words_along_k(a, 4)),
    ("gptq_2", &[("K", 16), ("N", 1)], |a, _| words_along_k(a, 16)),
    ("gptq_8.zeros", &[("G", 1), ("N", 4)], |a, _| a.clone()),
    ("gptq_2.zeros", &[("G", 1), ("N", 16)], |a, _| a.clone()),
    ("marlin_scales_any", &[("G", 1), ("N", 64)], |a, sizes| match sizes[0] {
        1 => a.clone().indexed(&single_permutation()),
        _ => a.clone().indexed(&scale_permutation()),
    }),
    ("awq_gemv.zeros", &[("N", 1), ("G", 1), ("X", 1)], |a, sizes| a.clone().pad(1, 8 * sizes[2] as usize)),
    ("awq_gemv.scales", &[("N", 1), ("G", 1), ("X", 1)], |a, sizes| a.clone().pad(1, 8 * sizes[2] as usize)),
    ("compressed_tensors_packed", &[("N", 1), ("K", 1), ("B", 1)], |a, sizes| {
        let (n, row) = (sizes[0] as usize, (sizes[1] * sizes[2]) as usize);
        a.clone().view(&[n, row]).pad(1, 32)
    }),
    ("gptq_3_bit", &[("K", 32), ("N", 1)], |a, _| gptq_3(a)),
    ("awq_gemm", &[("K", 1), ("N", 8)], |a, _| a.clone().indexed(&EIGHT)),
    ("awq_gemv", &[("N", 1), ("K", 8)], |a, _| a.clone()),
    ("awq_gemv_fast", &[("N", 4), ("K", 64)], |a, _| awq_fast(a.clone())),
    ("tensorrt_int4_sm80", &[("K", 64), ("N", 4)], |a, _| awq_fast(a.clone().permute(&[1, 0]))),
    ("exllamav2_4", &[("K", 8), ("N", 1)], |a, _| words_along_k(a, 8).indexed(&EIGHT)),
    ("marlin_4", &[("K", 16), ("N", 64)], |a, _| {
        let permutation = marlin(|row, column, block| 16 * row + column + 8 * block, 256);
        marlin_weights(a.clone(), &interleaved(&permutation, &EIGHT))
    }),
    ("marlin_8", &[("K", 16), ("N", 64)], |a, _| {
        let permutation = marlin(|row, column, block| 16 * row + column + 8 * block, 256);
        marlin_weights(a.clone(), &interleaved(&permutation, &FOUR))
    }),
    ("marlin_24_4", &[("K", 16), ("N", 64)], |a, _| {
        let place = |row, column: usize, block| 16 * row + column / 2 * 256 + 8 * (column % 2) + 4 * block;
        marlin_weights(a.clone(), &interleaved(&marlin(place, 1), &EIGHT))
    }),
    ("marlin_scales", &[("G", 1), ("N", 64)], |a, _| a.clone().indexed(&scale_permutation())),
    ("marlin_scales_channel", &[("N", 32)], |a, _| a.clone().indexed(&single_permutation())),
    ("marlin_zeros_4", &[("G", 1), ("N", 64)], |a, _| {
        a.clone().indexed(&interleaved(&scale_permutation(), &EIGHT))
    }),
    ("marlin_zeros_8", &[("G", 1), ("N", 64)], |a, _| {
        a.clone().indexed(&interleaved(&scale_permutation(), &FOUR))
    }),
    ("tinygemm_int4", &[("N", 1), ("K", 1), ("I", 2)], |a, sizes| {
        let (inner, a) = (sizes[2] as usize, a.clone().pad(0, 8).pad(1, 16 * sizes[2] as usize));
        let tiles = a.shape[1] / (16 * inner);
        let mut elements = Vec::new();
        for (row, tile, lane, pair) in indices4([a.shape[0] / 8, tiles, 32, inner / 2]) {
            let k = (tile * inner + 2 * pair) * 16 + lane % 4 * 2;
            let from = (row * 8 + lane / 4) * a.shape[1] + k;
            // Value 0 is the lowest nibble, then 2, 4, 6, 1, 3, 5, 7.
            let values = [0, 1, 8, 9, 16, 17, 24, 25].map(|step| a.elements[from + step]);
            elements.extend(EIGHT.map(|value| values[value]));
        }
        Array { elements, shape: a.shape }
    }),
    ("bitsandbytes_4", &[("N", 1)], |a, _| a.clone().pad(0, 2).indexed(&[1, 0])),
    ("ggml_q4_0", &[("N", 1), ("K", 32)], |a, _| blocks(a, 32, 36, |j| 4 + 2 * (j % 16) + j / 16)),
    ("ggml_q5_0_low", &[("N", 1), ("K", 32)], |a, _| blocks(a, 32, 44, |j| 12 + 2 * (j % 16) + j / 16)),
    ("ggml_q5_0_high", &[("N", 1), ("K", 32)], |a, _| blocks(a, 32, 176, |j| 16 + j)),
    ("ggml_q8_0", &[("N", 1), ("K", 32)], |a, _| blocks(a, 32, 34, |j| 2 + j)),
    ("ggml_mxfp4", &[("N", 1), ("K", 32)], |a, _| blocks(a, 32, 34, |j| 2 + 2 * (j % 16) + j / 16)),
    ("ggml_nvfp4", &[("N", 1), ("K", 64)], |a, _| {
        blocks(a, 64, 72, |j| 8 + j / 16 * 16 + 2 * (j % 8) + j % 16 / 8)
    }),
    ("ggml_q4_K", &[("N", 1), ("K", 256)], |a, _| {
        blocks(a, 256, 288, |j| 32 + j / 64 * 64 + 2 * (j % 32) + j % 64 / 32)
    }),
    ("ggml_q5_K_high", &[("N", 1), ("K", 256)], |a, _| blocks(a, 256, 1408, |j| 128 + 8 * (j % 32) + j / 32)),
    ("ggml_q6_K_low", &[("N", 1), ("K", 256)], |a, _| {
        blocks(a, 256, 420, |j| j / 128 * 128 + 2 * (j % 64) + j % 128 / 64)
    }),
    ("ggml_q6_K_high", &[("N", 1), ("K", 256)], |a, _| {
        blocks(a, 256, 840, |j| 512 + j / 128 * 128 + 4 * (j % 32) + j % 128 / 32)
    }),
    ("ggml_q2_K", &[("N", 1), ("K", 256)], |a, _| {
        blocks(a, 256, 336, |j| 64 + j / 128 * 128 + 4 * (j % 32) + j % 128 / 32)
    }),
    ("ggml_q4_0_4x4", &[("N", 4), ("K", 32)], |a, _| repacked(a, 4, 4)),
    ("ggml_q4_0_4x8", &[("N", 4), ("K", 32)], |a, _| repacked(a, 4, 8)),
    ("ggml_q4_0_8x8", &[("N", 8), ("K", 32)], |a, _| repacked(a, 8, 8)),
    ("cutlass_sparse_meta", &[("M", 32), ("E", 2)], |a, _| {
        let m = a.shape[0];
        placed(&[m as i64, a.shape[1] as i64], a.elements.len(), |c| {
            let row = c[0] / 32 * 32 + c[0] % 8 * 4 + c[0] % 32 / 8;
            let (row, column) = match (row % 2, c[1] % 2) {
                (0, 1) => (row + 1, c[1] - 1),
                (1, 0) => (row - 1, c[1] + 1),
                _ => (row, c[1]),
            };
            Some(column / 2 * m * 2 + row * 2 + column % 2)
        })
    }),
    ("vnni4", &[("K", 1), ("N", 1)], |a, _| {
        let a = a.clone().pad(0, 64).pad(1, 64);
        let (k, n) = (a.shape[0] / 64, a.shape[1] / 64);
        a.view(&[k, 16, 4, n, 64]).permute(&[3, 0, 1, 4, 2])
    }),
    ("vnni2", &[("K", 1), ("N", 1)], |a, _| {
        let a = a.clone().pad(0, 32).pad(1, 64);
        let (k, n) = (a.shape[0] / 32, a.shape[1] / 64);
        a.view(&[k, 16, 2, n, 64]).permute(&[3, 0, 1, 4, 2])
    }),
    ("nChw16c", &[("N", 1), ("C", 1), ("H", 1), ("W", 1)], |a, _| channels(a, 16).permute(&[0, 1, 3, 4, 2])),
    ("nchw_vect32", &[("N", 1), ("C", 1), ("H", 1), ("W", 1)], |a, _| {
        channels(a, 32).permute(&[0, 1, 3, 4, 2])
    }),
    ("nchw_vect4", &[("N", 1), ("C", 1), ("H", 1), ("W", 1)], |a, _| {
        channels(a, 4).permute(&[0, 1, 3, 4, 2])
    }),
    ("nhwc_pad8", &[("N", 1), ("C", 1), ("H", 1), ("W", 1)], |a, _| channels(a, 8).permute(&[0, 3, 4, 1, 2])),
    ("nhwc", &[("N", 1), ("C", 1), ("H", 1), ("W", 1)], |a, _| ordered(a, &[0, 2, 3, 1])),
    ("chwn", &[("N", 1), ("C", 1), ("H", 1), ("W", 1)], |a, _| ordered(a, &[1, 2, 3, 0])),
    ("OIhw16i16o", &[("O", 1), ("I", 1), ("H", 1), ("W", 1)], |a, _| {
        let a = a.clone().pad(0, 16).pad(1, 16);
        let (o, i, h, w) = (a.shape[0] / 16, a.shape[1] / 16, a.shape[2], a.shape[3]);
        a.view(&[o, 16, i, 16, h, w]).permute(&[0, 2, 4, 5, 3, 1])
    }),
    ("OIhw4i16o4i", &[("O", 1), ("I", 1), ("H", 1), ("W", 1)], |a, _| {
        let a = a.clone().pad(0, 16).pad(1, 16);
        let (o, i, h, w) = (a.shape[0] / 16, a.shape[1] / 16, a.shape[2], a.shape[3]);
        a.view(&[o, 16, i, 4, 4, h, w]).permute(&[0, 2, 5, 6, 3, 1, 4])
    }),
    ("cublaslt_col32", &[("M", 1), ("N", 1)], |a, _| {
        let a = a.clone().pad(1, 32);
        let (m, n) = (a.shape[0], a.shape[1]);
        a.view(&[m, n / 32, 32]).permute(&[1, 0, 2])
    }),
    ("amd_16x16_8", &[("N", 16), ("K", 32)], |a, _| shuffle_weight(a, 16, 32, 16)),
    ("amd_16x16_16", &[("N", 16), ("K", 32)], |a, _| shuffle_weight(a, 16, 32, 8)),
    ("amd_32x16_8", &[("N", 32), ("K", 32)], |a, _| shuffle_weight(a, 32, 32, 16)),
    ("amd_16x16_gate_up", &[("N", 32), ("K", 64)], |a, _| {
        let (n, k) = (a.shape[0], a.shape[1]);
        a.clone().view(&[2, n / 32, 16, k / 64, 4, 16]).permute(&[1, 0, 3, 4, 2, 5])
    }),
    ("hipblaslt_col16_4r8", &[("M", 1), ("K", 1)], |a, _| {
        shuffle_weight(&a.clone().pad(0, 16).pad(1, 32), 16, 32, 8)
    }),
    ("hipblaslt_col16_4r16", &[("M", 1), ("K", 1)], |a, _| {
        shuffle_weight(&a.clone().pad(0, 16).pad(1, 64), 16, 64, 16)
    }),
    ("hipblaslt_col16_4r32", &[("M", 1), ("K", 1)], |a, _| {
        shuffle_weight(&a.clone().pad(0, 16).pad(1, 64), 16, 64, 32)
    }),
    ("trtllm_shuffle_a", &[("M", 32), ("K", 1)], |a, _| shuffled(a.clone(), 32)),
    ("trtllm_shuffle_a_16", &[("M", 16), ("K", 1)], |a, _| shuffled(a.clone(), 16)),
    ("gate_up_1", &[("M", 2), ("K", 1)], |a, _| gate_up(a.clone(), 1)),
    ("trtllm_gate_up_shuffle", &[("M", 32), ("K", 1)], |a, _| shuffled(gate_up(a.clone(), 1), 32)),
    ("trtllm_gate_up_shuffle_16", &[("M", 16), ("K", 1)], |a, _| shuffled(gate_up(a.clone(), 1), 16)),
    ("trtllm_up_gate_8", &[("M", 16), ("K", 1)], |a, _| {
        let shuffled = shuffled(gate_up(a.clone(), 1), 16);
        let rows = shuffled.shape[0];
        shuffled.rows((0..rows).map(|row| row ^ 8))
    }),
    ("block_major_k", &[("M", 1), ("K", 64), ("B", 64)], |a, sizes| {
        let (m, b) = (a.shape[0], sizes[2] as usize);
        a.clone().view(&[m, a.shape[1] / b, b]).permute(&[1, 0, 2])
    }),
    ("tma_128", &[("M", 8), ("K", 1)], |a, _| swizzled(a, 128)),
    ("tma_64", &[("M", 8), ("K", 1)], |a, _| swizzled(a, 64)),
    ("tma_32", &[("M", 8), ("K", 1)], |a, _| swizzled(a, 32)),
    ("blis_panels", &[("M", 1), ("K", 1), ("R", 1)], |a, sizes| {
        let (m, k, r) = (a.shape[0], a.shape[1], sizes[2] as usize);
        let panel = (r * k).next_multiple_of(2);
        placed(&[m as i64, k as i64], panel * m.div_ceil(r), |c| Some(c[0] / r * panel + c[1] * r + c[0] % r))
    }),
    ("kleidiai_f32p8", &[("K", 1), ("N", 1)], |a, _| {
        let (k, n) = (a.shape[0], a.shape[1]);
        placed(&[k as i64, n as i64], (8 + 8 * k) * n.div_ceil(8), |c| {
            Some(c[1] / 8 * (8 + 8 * k) + 8 + c[0] * 8 + c[1] % 8)
        })
    }),
    ("kleidiai_bf16p12x4", &[("K", 1), ("N", 1)], |a, _| {
        let (k, n) = (a.shape[0], a.shape[1]);
        let panel = 24 + 12 * k.next_multiple_of(4);
        placed(&[k as i64, n as i64], panel * n.div_ceil(12), |c| {
            Some(c[1] / 12 * panel + 24 + c[0] / 4 * 48 + c[1] % 12 * 4 + c[0] % 4)
        })
    }),
    ("kleidiai_qsi4c32p", &[("N", 1), ("K", 32), ("R", 1), ("C", 4)], |a, sizes| {
        let (n, k, r, c) = (a.shape[0], a.shape[1], sizes[2] as usize, sizes[3] as usize);
        let panel = r * (k / 32 * 18 + 8);
        placed(&[n as i64, k as i64], 2 * panel * n.div_ceil(r), |at| {
            // Byte j of the 16 bytes of a block has elements j and j + 16.
            let (block, j, high) = (at[1] / 32, at[1] % 16, at[1] % 32 / 16);
            let byte = at[0] / r * panel + block * 18 * r + (j / c * r + at[0] % r) * c + j % c;
            Some(2 * byte + high)
        })
    }),
    ("fractal_nz_16", &[("M", 1), ("N", 1)], |a, _| fractal(a, 16)),
    ("fractal_nz_8", &[("M", 1), ("N", 1)], |a, _| fractal(a, 32)),
    ("tpu_8x128", &[("M", 1), ("N", 1)], |a, _| a.clone().tiled(&[8, 128])),
    ("tpu_16bit", &[("M", 1), ("N", 1)], |a, _| tpu(a, 2)),
    ("tpu_8bit", &[("M", 1), ("N", 1)], |a, _| tpu(a, 4)),
    ("tenstorrent_tile", &[("M", 1), ("N", 1)], |a, _| {
        let a = a.clone().tiled(&[32, 32]);
        let tiles = a.elements.len() / 1024;
        a.view(&[tiles, 2, 16, 2, 16]).permute(&[0, 1, 3, 2, 4])
    }),
    ("kv_hnd", &[("P", 1), ("B", 1), ("H", 1), ("D", 1)], |a, _| ordered(a, &[0, 2, 1, 3])),
    ("kv_2phnd", &[("P", 1), ("V", 1), ("B", 1), ("H", 1), ("D", 1)], |a, _| ordered(a, &[1, 0, 3, 2, 4])),
    ("kv_p_h_b_2d", &[("P", 1), ("V", 1), ("B", 1), ("H", 1), ("D", 1)], |a, _| ordered(a, &[0, 3, 2, 1, 4])),
    ("kv_vllm_value", &[("P", 1), ("H", 1), ("B", 1), ("D", 1)], |a, _| ordered(a, &[0, 1, 3, 2])),
    ("kv_vllm_key_x", &[("P", 1), ("H", 1), ("B", 1), ("D", 8), ("X", 8)], |a, sizes| {
        let (x, s) = (sizes[4] as usize, a.shape.clone());
        a.clone().view(&[s[0], s[1], s[2], s[3] / x, x]).permute(&[0, 1, 3, 2, 4])
    }),
    ("mla_584_rope", &[("P", 1), ("B", 1)], |_, sizes| {
        let (p, b) = (sizes[0] as usize, sizes[1] as usize);
        let page = (584 * b).next_multiple_of(576) / 2;
        placed(&[p as i64, b as i64, 64], p * page, |c| Some(c[0] * page + c[1] * 288 + 224 + c[2]))
    }),
    ("mla_584_scales", &[("P", 1), ("B", 1)], |_, sizes| {
        let (p, b) = (sizes[0] as usize, sizes[1] as usize);
        let page = (584 * b).next_multiple_of(576);
        placed(&[p as i64, b as i64, 7], p * page, |c| Some(c[0] * page + 576 * b + 8 * c[1] + c[2]))
    }),
    ("dsa_indexer_scales", &[("P", 1), ("B", 1)], |_, sizes| {
        let (p, b) = (sizes[0] as usize, sizes[1] as usize);
        placed(&[p as i64, b as i64], p * b * 33, |c| Some((c[0] * b * 132 + b * 128 + 4 * c[1]) / 4))
    }),
    ("fbgemm_fp16", &[("K", 1), ("N", 1)], |a, _| {
        let (k, n) = (a.shape[0], a.shape[1]);
        let (rows, columns) = (k.div_ceil(512), n.div_ceil(16));
        placed(&[k as i64, n as i64], rows * 512 * columns * 16, |c| {
            let (row, column) = (c[0] / 512, c[1] / 16);
            let height = if row + 1 == rows { k - 512 * (rows - 1) } else { 512 };
            Some(row * columns * 512 * 16 + column * height * 16 + c[0] % 512 * 16 + c[1] % 16)
        })
    }),
    ("morton", &[("b", 1)], |a, _| {
        let side = a.shape[0] as i64;
        placed(&[side, side], (side * side) as usize, |c| {
            Some((0..8).map(|bit| (c[1] >> bit & 1) << (2 * bit) | (c[0] >> bit & 1) << (2 * bit + 1)).sum())
        })
    }),
    ("lapack_band", &[("M", 1), ("N", 1), ("L", 1), ("U", 1)], |a, sizes| {
        let (l, u) = (sizes[2] as usize, sizes[3] as usize);
        let rows = 2 * l + u + 1;
        placed(&sizes[..2], rows * a.shape[1], |c| {
            (c[0] + u >= c[1] && c[0] <= c[1] + l).then(|| l + u + c[0] - c[1] + c[1] * rows)
        })
    }),
    ("lapack_packed_upper", &[("N", 1)], |a, _| {
        let n = a.shape[0];
        let (mut place, mut next) = (vec![None; n * n], 0);
        for j in 0..n {
            for i in 0..=j {
                place[i * n + j] = Some(next);
                next += 1;
            }
        }
        placed(&[n as i64, n as i64], next, |c| place[c[0] * n + c[1]])
    }),
    ("lapack_rfp_lower", &[("N", 1)], |a, _| {
        let n = a.shape[0];
        // dtrttf: column by column, the triangle that is left over transposed above the first columns.
        let (columns, rows) = (n.div_ceil(2), if n % 2 == 1 { n } else { n + 1 });
        let (mut place, mut next) = (vec![None; n * n], 0);
        for j in 0..columns {
            let above = rows - (n - j);
            for i in 0..above {
                let (row, column) = (columns + j - n % 2, columns + i);
                place[row * n + column] = Some(next);
                next += 1;
            }
            for i in j..n {
                place[i * n + j] = Some(next);
                next += 1;
            }
        }
        placed(&[n as i64, n as i64], next, |c| place[c[0] * n + c[1]])
    }),
    ("scalapack_cyclic", &[("N", 1), ("B", 1), ("P", 1)], |a, sizes| {
        let (n, b, p) = (a.shape[0], sizes[1] as usize, sizes[2] as usize);
        let local = n.div_ceil(b * p) * b;
        placed(&[n as i64], local * p, |c| Some(c[0] / b % p * local + c[0] / (b * p) * b + c[0] % b))
    }),
    ("scalapack_numroc", &[("N", 1), ("B", 1), ("P", 1)], |a, sizes| {
        let (n, b, p) = (a.shape[0], sizes[1] as usize, sizes[2] as usize);
        let mut stored: Vec<usize> = (0..n).collect();
        stored.sort_by_key(|i| (i / b % p, *i));
        placed(&[n as i64], n, |c| stored.iter().position(|i| *i == c[0]))
    }),
    ("plasma_tiles", &[("M", 1), ("N", 1), ("B", 1)], |a, sizes| {
        let b = sizes[2] as usize;
        a.clone().tiled(&[b, b]).permute(&[1, 0, 3, 2])
    }),
];

fn words_along_k(a: &Array, rows: usize) -> Array {
    let (k, n) = (a.shape[0], a.shape[1]);
    a.clone().view(&[k / rows, rows, n]).permute(&[0, 2, 1])
}

/// The bits as AutoGPTQ packs 32 values into three words.
fn gptq_3(a: &Array) -> Array {
    let (k, n) = (a.shape[0], a.shape[1]);
    let mut bits = vec![-1; 3 * k * n];
    for (word_row, column) in (0..k / 32).flat_map(|row| (0..n).map(move |column| (row, column))) {
        let mut put = |word: usize, at: usize, value: usize, bit: usize| {
            bits[((3 * word_row + word) * n + column) * 32 + at] =
                (((32 * word_row + value) * n + column) * 3 + bit) as i64;
        };
        for value in 0..10 {
            (0..3).for_each(|bit| put(0, 3 * value + bit, value, bit));
            (0..3).for_each(|bit| put(1, 3 * value + 1 + bit, 11 + value, bit));
            (0..3).for_each(|bit| put(2, 3 * value + 2 + bit, 22 + value, bit));
        }
        put(0, 30, 10, 0);
        put(0, 31, 10, 1);
        put(1, 0, 10, 2);
        put(1, 31, 21, 0);
        put(2, 0, 21, 1);
        put(2, 1, 21, 2);
    }
    Array { shape: vec![bits.len()], elements: bits }
}

fn indices4(shape: [usize; 4]) -> Vec<(usize, usize, usize, usize)> {
    coordinates(&shape.map(|extent| extent as i64)).into_iter().map(|c| (c[0], c[1], c[2], c[3])).collect()
}

/// The channels in blocks: an axis more.
fn channels(a: &Array, block: usize) -> Array {
    let a = a.clone().pad(1, block);
    let s = a.shape.clone();
    a.view(&[s[0], s[1] / block, block, s[2], s[3]])
}

/// `shuffle_weight` of aiter.
fn shuffle_weight(a: &Array, rows: usize, width: usize, lane: usize) -> Array {
    let (n, k) = (a.shape[0], a.shape[1]);
    a.clone().view(&[n / rows, rows, k / width, width / lane, lane]).permute(&[0, 2, 3, 1, 4])
}

fn fractal(a: &Array, width: usize) -> Array {
    a.clone().tiled(&[16, width]).permute(&[1, 0, 2, 3])
}

fn tpu(a: &Array, rows: usize) -> Array {
    let a = a.clone().tiled(&[8, 128]);
    let tiles = a.elements.len() / 1024;
    a.view(&[tiles, 8 / rows, rows, 128]).permute(&[0, 1, 3, 2])
}

/// Sizes of up to 300, multiples of those of the table, for a few thousand elements.
fn sizes(random: &mut Random, axes: &[(&'static str, i64)]) -> Vec<i64> {
    loop {
        // Most axes are short, so that one can be long.
        let long = random.below(axes.len());
        let sizes: Vec<i64> = (0..axes.len())
            .map(|axis| {
                axes[axis].1
                    * if axis == long {
                        random.range(1, (300 / axes[axis].1).max(1))
                    } else {
                        random.range(1, 3)
                    }
            })
            .collect();
        if sizes.iter().product::<i64>() <= 5_000 {
            return sizes;
        }
    }
}

#[test]
fn formats_are_what_their_sources_describe() {
    let mut random = Random::named("formats");
    let mut names = std::collections::BTreeSet::new();
    for (name, axes, oracle) in ORACLES {
        let format = Format::named(name).unwrap();
        assert!(names.insert(*name));
        for _ in 0..2 {
            let mut sizes = sizes(&mut random, axes);
            for (size, (axis, _)) in sizes.iter_mut().zip(*axes) {
                match *axis {
                    "I" => *size = random.choose(&[2, 4, 8]),
                    "C" if *name == "kleidiai_qsi4c32p" => *size = random.choose(&[1, 2, 4, 8, 16]),
                    "X" if name.starts_with("awq") => *size = random.choose(&[1, 2, 4]),
                    "X" => *size = 8,
                    "B" if *name == "compressed_tensors_packed" => *size = random.range(1, 8),
                    "b" => *size = random.range(1, 6),
                    "B" if *name == "block_major_k" => *size = 64,
                    _ => {}
                }
            }
            let named: Vec<(&str, i64)> =
                axes.iter().map(|(axis, _)| *axis).zip(sizes.iter().copied()).collect();
            let packed = format.at(&named).unwrap();
            let stored = oracle(&Array::counted(packed.shape()), &sizes).elements;
            assert_eq!(packed.storage(), stored.len() as i64, "{packed:?}");
            let mut wanted = vec![-1; packed.shape().iter().product::<i64>() as usize];
            for (place, element) in stored.iter().enumerate().filter(|(_, element)| **element >= 0) {
                wanted[*element as usize] = place as i64;
            }
            assert!(packed.offsets().unwrap() == wanted, "{packed:?}");
            // The way back, at some of the places.
            for place in (0..stored.len()).step_by(stored.len() / 50 + 1) {
                let mut index = stored[place];
                let mut coordinate: Vec<i64> = packed
                    .shape()
                    .iter()
                    .rev()
                    .map(|extent| {
                        let digit = index % extent;
                        index /= extent;
                        digit
                    })
                    .collect();
                coordinate.reverse();
                let coordinate = (stored[place] >= 0).then_some(coordinate);
                assert_eq!(packed.coordinate(place as i64).unwrap(), coordinate, "{packed:?} at {place}");
            }
        }
    }
    assert!(names.len() >= 80, "{}", names.len());
}

#[test]
fn sizes_that_are_not_admitted_are_refused_with_the_rule() {
    let refused = |name: &str, sizes: &[(&str, i64)]| match Format::named(name).unwrap().at(sizes) {
        Ok(packed) => panic!("{packed:?} is not refused"),
        Err(error) => error.to_string(),
    };
    for (name, sizes, message) in [
        (
            "marlin_4",
            &[("K", 100), ("N", 64)][..],
            "K must be a multiple of 16: marlin_4 packs 16 rows; 100 given",
        ),
        ("awq_gemm", &[("K", 1), ("N", 12)], "N must be a multiple of 8: awq_gemm packs 8 columns; 12 given"),
        ("tma_64", &[("M", 9), ("K", 5)], "M must be a multiple of 8: tma_64 packs 8 rows; 9 given"),
        (
            "gate_up_c",
            &[("M", 24), ("K", 5), ("C", 8)],
            "M must be a multiple of 16: gate_up_c packs 16 rows; 24 given",
        ),
        (
            "tinygemm_int4",
            &[("N", 8), ("K", 16), ("I", 3)],
            "I must be one of 2, 4, 8: tinygemm_int4 has no other inner tiles along K; 3 given",
        ),
        (
            "kleidiai_qsi4c32p",
            &[("N", 8), ("K", 32), ("R", 8), ("C", 3)],
            "C must divide 16: kleidiai_qsi4c32p packs 16 as nibbles of a column at a time (kr/sr); 3 given",
        ),
        ("im2col", &[("C", 1), ("H", 3), ("W", 3), ("R", 4), ("S", 1)], "R must be at most H = 3; 4 given"),
        ("scale_128x4", &[("M", 0), ("S", 4)], "M must be at least 1; 0 given"),
        ("lapack_band", &[("M", 3), ("N", 3), ("L", -1), ("U", 0)], "L must be at least 0; -1 given"),
        (
            "scale_128x4",
            &[("M", 3)],
            "the size S is missing: scale_128x4 has the sizes M rows, S factors along K",
        ),
        (
            "scale_128x4",
            &[("M", 3), ("N", 3)],
            "there is no size N: scale_128x4 has the sizes M rows, S factors along K",
        ),
        ("scale_128x4", &[("M", 3), ("M", 3)], "the size M is given twice"),
        ("morton", &[("b", 63)], "b must be at most 16; 63 given"),
    ] {
        assert_eq!(refused(name, sizes), message);
    }
    assert!(Format::named("lapack_band").unwrap().at(&[("M", 3), ("N", 3), ("L", 0), ("U", 0)]).is_ok());
    // Beyond 64 bits, and beyond what is listed.
    refused("scale_128x4", &[("M", i64::MAX), ("S", i64::MAX)]);
    refused("morton", &[("b", 40)]);
    let large = Format::named("scale_128x4").unwrap().at(&[("M", 1 << 30), ("S", 1 << 20)]).unwrap();
    assert_eq!(large.offsets().unwrap_err().code(), "limit");
    assert_eq!(large.coordinate(large.storage() - 1).unwrap(), Some(vec![(1 << 30) - 1, (1 << 20) - 1]));
}
