//! Index formulas that kernels in Rust have published, beside the layouts that say the same: equal at every index. The formulas
//! are written anew from the sources that are named, as read in November 2026.

use tilework::{Composed, Layout, Strided, Swizzle, layout};
use tilework_hardware::access::Access;
use tilework_hardware::atom::{MmaAtom, amd, nvidia};
use tilework_hardware::memory::Banks;

/// Row and column of the value `i` of a lane.
type Place = fn(i64, i64, i64) -> (i64, i64);

/// Compares `place(lane, value, per_register)` with a layout of lanes and values in a column-major matrix of `rows`.
fn same_places(layout: &Layout, rows: i64, per_register: i64, place: Place) {
    let (lanes, size) = (32, layout.size());
    for index in 0..size {
        let (row, column) = place(index % lanes, index / lanes, per_register);
        assert_eq!(layout.at(index), row + rows * column, "lane {}, value {}", index % lanes, index / lanes);
    }
}

/// cubecl, `cubecl-cpp/src/cuda/mma/manual.rs`, `row_index` and `col_index`: registers of 32 bits, `per_register` values in each.
#[test]
fn cubecl_on_nvidia() {
    let a: Place =
        |lane, i, per| (lane / 4 + i / per % 2 * 8, lane % 4 * per + i % per + i / (2 * per) % 2 * 4 * per);
    // B is K by N there, N by K in the atom.
    let b: Place = |lane, i, per| (lane / 4, lane % 4 * per + i % per + i / per * 4 * per);
    let c: Place = |lane, i, _| (lane / 4 + i / 2 % 2 * 8, lane % 4 * 2 + i % 2);
    for (atom, per_register) in [
        (nvidia::SM80_16x8x16_F32F16F16F32_TN, 2),
        (nvidia::SM80_16x8x16_F32BF16BF16F32_TN, 2),
        (nvidia::SM80_16x8x8_F32F16F16F32_TN, 2),
        (nvidia::SM80_16x8x8_F32TF32TF32F32_TN, 1),
        (nvidia::SM80_16x8x32_S32S8S8S32_TN, 4),
    ] {
        same_places(&atom.a, 16, per_register, a);
        same_places(&atom.b, 8, per_register, b);
        same_places(&atom.c, 16, per_register, c);
    }
}

/// rainfall-one/candle, `candle-kernels/src/mmq_mma.cuh`: m16n8k32 of bytes, four in a register.
#[test]
fn candle_on_nvidia() {
    let atom = nvidia::SM80_16x8x32_S32S8S8S32_TN;
    same_places(&atom.a, 16, 4, |lane, i, _| {
        (lane / 4 + 8 * (i / 4 % 2), 16 * (i / 8) + 4 * (lane % 4) + i % 4)
    });
    same_places(&atom.b, 8, 4, |lane, i, _| (lane / 4, 16 * (i / 4) + 4 * (lane % 4) + i % 4));
    same_places(&atom.c, 16, 1, |lane, i, _| (lane / 4 + 8 * (i / 2), 2 * (lane % 4) + i % 2));
}

/// cubek, the reader of `ldmatrix`: lane `l` has the address of row `l % 8` of matrix `l / 8`, and the matrices are where the
/// registers of lane 0 are. `A` of m16n8k16: the first element of the row that the lanes `4 (l % 8)` and so on receive.
#[test]
fn ldmatrix_of_cubek() {
    let atom = nvidia::SM80_16x8x16_F32F16F16F32_TN;
    let addresses = layout!((8,2,2):(1,8,128));
    for lane in 0..32 {
        let (row, matrix) = (lane % 8, lane / 8);
        let (row, column) = (row + matrix % 2 * 8, matrix / 2 * 8);
        assert_eq!(addresses.at(lane), row + 16 * column);
        assert_eq!(atom.a.at(4 * (lane % 8) + 32 * 2 * matrix), row + 16 * column, "lane {lane}");
    }
}

/// cubecl, `cubecl-cpp/src/hip/mma/manual.rs`: the same of WMMA on RDNA3, whose lanes 16 to 31 repeat `A` and `B`.
#[test]
fn cubecl_on_amd() {
    for atom in [amd::RDNA3_16x16x16_F32F16F16_WMMA, amd::RDNA3_16x16x16_F32BF16BF16_WMMA] {
        let MmaAtom { a, b, c, .. } = atom;
        same_places(&a, 16, 1, |lane, i, _| (lane % 16, i));
        same_places(&b, 16, 1, |lane, i, _| (lane % 16, i));
        same_places(&c, 16, 1, |lane, i, _| (2 * i + lane / 16, lane % 16));
    }
}

/// cubecl, `cubecl-std/src/swizzle.rs`: bits, base and shift as in CuTe, of bytes, and also to the left.
#[test]
fn swizzle_of_cubecl() {
    for (bits, base, shift) in [(1, 4, 3), (2, 4, 3), (3, 4, 3), (2, 5, 2), (2, 0, -3), (0, 4, 3)] {
        let swizzle = Swizzle::new(bits, base, shift).unwrap();
        let mask = ((1i64 << bits) - 1) << (base + shift.max(0));
        for byte in 0..4096 {
            let read = byte & mask;
            let moved = if shift < 0 { read << -shift } else { read >> shift };
            assert_eq!(swizzle.apply(byte), Ok(byte ^ moved), "{swizzle} of {byte}");
        }
    }
    // Its documentation calls 128-byte spans of 32-byte atoms [3, 5, 2]. By its own rule, log2(128 / 32), there are 2 bits; with
    // 3, the bit 7 is read and written.
    assert!(Swizzle::new(3, 5, 2).is_err());
}

/// cubek, `cubek-matmul/src/components/stage/memory/layout.rs`: from the row and column of a tile to its number, and back.
#[test]
fn tilings_of_cubek() {
    for (rows, columns, planes) in [(4, 2, 2), (8, 3, 4), (6, 5, 3), (1, 7, 1)] {
        let group = rows / planes;
        let row_major = Layout::of((rows, columns), (columns, 1)).unwrap();
        let column_major = Layout::of((rows, columns), (1, rows)).unwrap();
        let ordered = Layout::of(((group, planes), columns), ((1, group * columns), group)).unwrap();
        for (layout, number) in [
            (
                row_major,
                (|row, column, _, columns, _| row * columns + column) as fn(i64, i64, i64, i64, i64) -> i64,
            ),
            (column_major, |row, column, rows, _, _| column * rows + row),
            (ordered, |row, column, _, columns, group| {
                row / group * group * columns + column * group + row % group
            }),
        ] {
            let back = layout.left_inverse().unwrap();
            for index in 0..rows * columns {
                let number = number(index % rows, index / rows, rows, columns, group);
                assert_eq!((layout.at(index), back.at(number)), (number, index), "{layout}");
            }
        }
        // The fourth, for TMA, is the one of the two that the matrix does not have.
    }
}

/// cubek, `hypercube/global_order.rs`: strips of `steps` steps of `length`; every other strip goes back up, and every other
/// step from right to left.
fn zigzag(index: i64, steps: i64, length: i64) -> (i64, i64) {
    let (strip, within) = (index / (steps * length), index % (steps * length));
    let (step, position) = (within / length, within % length);
    let turned = |is_odd: bool, i: i64, count: i64| if is_odd { count - 1 - i } else { i };
    let position = turned(step % 2 == 1, position, length);
    (turned(strip % 2 == 1, step, steps), position + length * strip)
}

/// Where extents are powers of two, the raster is a layout with XOR strides: here 4 steps of 8, in 4 strips, as offsets in a
/// row-major grid of 32 columns.
#[test]
fn zigzag_of_cubek() {
    let raster = layout!((8,(2,2),(2,2)):(^1,(^39,^64),(^104,^16)));
    for index in 0..raster.size() {
        let (x, y) = zigzag(index, 4, 8);
        assert_eq!(raster.at(index), 32 * x + y, "{index}");
    }
    // Others are no layout, but reach every place once.
    for (steps, length, strips) in [(3, 5, 2), (5, 4, 3), (1, 1, 9)] {
        let places = (0..steps * length * strips).map(|index| zigzag(index, steps, length));
        assert_eq!(places.collect::<std::collections::BTreeSet<_>>().len() as i64, steps * length * strips);
    }
}

/// cuda-oxide, `cuda-host/src/tiling.rs`: 16 by 16 elements as tiles of 8 by 8, row-major within, one column of tiles after
/// another.
#[test]
fn packing_of_cuda_oxide() {
    let packed = layout!(((8,2),(8,2)):((8,64),(1,128)));
    for index in 0..256 {
        let (row, column) = (index % 16, index / 16);
        let tile = row / 8 + 2 * (column / 8);
        assert_eq!(packed.at(index), 64 * tile + 8 * (row % 8) + column % 8);
    }
}

/// cuda-oxide, `cuda-device/src/swizzle.rs`: the third number is the first bit that is read, in CuTe its distance from the
/// first that is written. The degrees are those of its documentation: a column of floats in rows of 32.
#[test]
fn swizzle_of_cuda_oxide() {
    for (bits, base, source) in [(5, 0, 5), (3, 0, 5), (2, 1, 5), (1, 4, 7), (3, 4, 7)] {
        let swizzle = Swizzle::new(bits, base, source - base).unwrap();
        for x in 0..4096 {
            assert_eq!(swizzle.apply(x), Ok(x ^ (((x >> source) & ((1 << bits) - 1)) << base)));
        }
    }
    let column = Access::new(layout!(32:1), 32).unwrap();
    for (bits, degree) in [(0, 32), (2, 8), (3, 4), (5, 1)] {
        let tile = Composed::new(Swizzle::new(bits, 0, 5).unwrap(), 0, layout!((32,32):(32,1))).unwrap();
        assert_eq!(Banks::NVIDIA.report(&tile, &column).unwrap().degree, degree, "{bits} bits");
    }
}

/// kaio, `kaio-ops/src/matmul_tc_kernel.rs`: `B` of 16 by 8 halves, whose columns are 32 bytes apart, and padded 36. Lanes read
/// two halves of their column, for mma.sync. Both have two-way conflicts; a swizzle of the columns of 32 bytes has none.
#[test]
fn padding_of_kaio() {
    let lanes = Access::new(layout!(((4,8),2):((2,16),1)), 16).unwrap().vector(2).unwrap();
    let degree = |tile: Composed| Banks::NVIDIA.report(&tile, &lanes).unwrap().degree;
    let (tight, padded) = (layout!((16,8):(1,16)), layout!((16,8):(1,18)));
    assert_eq!(degree(Composed::new(Swizzle::NONE, 0, tight).unwrap()), 2);
    assert_eq!(degree(Composed::new(Swizzle::NONE, 0, padded).unwrap()), 2);
    assert_eq!(degree(Composed::new(Swizzle::new(1, 3, 3).unwrap(), 0, tight).unwrap()), 1);
}

/// candle, `candle-kernels/src/cuda_utils.cuh`, `get_strided_index`: the last dimension is the fastest, so the layout has the
/// dimensions from last to first. wgmath, `wgcore/src/shapes.rs`: the columns of a view are `stride` apart.
#[test]
fn strides_of_candle_and_wgmath() {
    for (dims, strides) in [([2, 3, 4], [12, 4, 1]), ([4, 3, 2], [1, 4, 12]), ([5, 1, 7], [0, 3, 2])] {
        let [slow, middle, fast] = dims;
        let layout = Layout::of((fast, middle, slow), (strides[2], strides[1], strides[0])).unwrap();
        let argument = Strided::<3>::new(&layout).unwrap();
        for index in 0..layout.size() {
            let (mut rest, mut offset) = (index, 0);
            for (dim, stride) in dims.into_iter().zip(strides).rev() {
                offset += rest % dim * stride;
                rest /= dim;
            }
            assert_eq!(
                (layout.at(index), i64::from(argument.at(index as u32))),
                (offset, offset),
                "{layout}"
            );
        }
    }
    let view = Strided::<2>::new(&layout!((3,5):(1,8))).unwrap();
    for (row, column) in (0..3).flat_map(|row| (0..5).map(move |column| (row, column))) {
        assert_eq!(view.at(row + 3 * column), (row + 8 * column) as i32);
    }
}
