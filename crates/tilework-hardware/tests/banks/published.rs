//! Counts that manuals, profilers and others have published.

use tilework::{Composed, Layout, Leaf, Swizzle, layout};
use tilework_hardware::access::Access;
use tilework_hardware::memory::{Banks, Phases};

fn strided(stride: i64) -> u64 {
    let lanes = Access::new(layout!(32:1), 32).unwrap();
    let data = Layout::of(32, stride).unwrap();
    Banks::NVIDIA.report(&data, &lanes).unwrap().wavefronts
}

/// CUDA C++ Programming Guide, figures "Strided Shared Memory Accesses" and "Irregular Shared Memory Accesses".
#[test]
fn strides_of_the_programming_guide() {
    assert_eq!([1, 2, 3, 32, 33].map(strided), [1, 2, 1, 32, 1]);
    // Equal words are broadcast.
    assert_eq!(strided(0), 1);
    assert_eq!((1..=64).map(strided).collect::<Vec<_>>(), (1..=64).map(|s| gcd(s, 32)).collect::<Vec<_>>());
}

fn gcd(a: i64, b: i64) -> u64 {
    if b == 0 { a as u64 } else { gcd(b, a % b) }
}

fn tile(rows: i64, columns: i64) -> Layout {
    Layout::of((rows, columns), (columns, 1)).unwrap()
}

fn ldmatrix(tile: &Layout, swizzle: (i64, i64, i64)) -> (u64, u64) {
    let access = Access::ldmatrix(tile, 16).unwrap();
    let swizzle = Swizzle::new(swizzle.0, swizzle.1, swizzle.2).unwrap();
    let report = Banks::NVIDIA.report(&Composed::new(swizzle, 0, *tile).unwrap(), &access).unwrap();
    (report.wavefronts / report.phases, report.degree)
}

/// emmy, pull request 550: rows of 256 bytes, whose shift by 3 leaves conflicts, and by the row does not.
#[test]
fn the_shift_is_that_of_the_row() {
    assert_eq!(ldmatrix(&tile(64, 128), (3, 3, 3)), (2, 2));
    assert_eq!(ldmatrix(&tile(64, 128), (3, 3, 4)), (1, 1));
    assert_eq!(ldmatrix(&tile(64, 128), (0, 0, 0)), (8, 8));
}

/// LeetCUDA, pull request 188: `((j / 8) ^ (i / 4)) % 2 * 8` in rows of 16 halves, measured without conflicts.
#[test]
fn a_swizzle_of_rows_of_32_bytes() {
    let rows = tile(64, 16);
    let swizzle = Swizzle::new(1, 3, 3).unwrap();
    for i in 0..64 {
        for j in 0..16 {
            let permuted = i * 16 + ((j / 8) ^ (i / 4)) % 2 * 8 + j % 8;
            assert_eq!(swizzle.apply(rows.at(i + 64 * j)), Ok(permuted));
        }
    }
    assert_eq!(ldmatrix(&rows, (1, 3, 3)).1, 1);
    assert_eq!(ldmatrix(&rows, (0, 0, 0)).1, 2);
}

/// AMD, a transposition of 65536x256 halves: SQ_LDS_BANK_CONFLICT 3,670,016 and 1,572,864 over 262,144 accesses of two
/// bytes. That is 14 and 6 in each, as strides of 32 and of 16 bytes have them in two phases.
#[test]
fn conflicts_that_amd_counts() {
    let lanes = Access::new(layout!(64:1), 16).unwrap();
    for (stride, counted) in [(16, 3_670_016), (8, 1_572_864)] {
        let report = Banks::AMD_READ.report(&Layout::of(64, stride).unwrap(), &lanes).unwrap();
        assert_eq!((report.wavefronts - report.ideal) * 262_144, counted);
    }
}

/// ROCm composable_kernel, `lds_bank_conflicts.rst`: lanes 0 to 3 read with lanes 20 to 23.
#[test]
fn lanes_that_amd_reads_together() {
    let phases = Phases::AMD_READ.of_width(128).unwrap();
    let together = |phase: i64| (0..64).filter(|&lane| phases.at(lane) == phase).collect::<Vec<_>>();
    assert_eq!(together(0), [0, 1, 2, 3, 20, 21, 22, 23]);
    assert_eq!(together(1), [4, 5, 6, 7, 16, 17, 18, 19]);
    assert_eq!(together(2), [8, 9, 10, 11, 28, 29, 30, 31]);
    assert_eq!(together(3), [12, 13, 14, 15, 24, 25, 26, 27]);
    assert_eq!(together(4), [32, 33, 34, 35, 52, 53, 54, 55]);
}

/// The paper, section 2.3.1: rows and columns of `(8,8):(^1,^9)` have no two elements in one of eight banks.
#[test]
fn the_swizzle_of_the_paper() {
    let banks = Banks { count: 8, bytes: 4, phases: Phases::all(layout!(8:0)).unwrap() };
    for (tv, plain) in [(layout!((8,8):(1,8)), 1), (layout!((8,8):(8,1)), 8)] {
        let access = Access::new(tv, 32).unwrap();
        assert_eq!(banks.report(&layout!((8,8):(^1,^9)), &access).unwrap().degree, 1);
        assert_eq!(banks.report(&layout!((8,8):(1,8)), &access).unwrap().degree, plain);
    }
}

/// 32 lanes that each access 16 contiguous bytes take four wavefronts, and that is ideal.
#[test]
fn wide_accesses_have_phases() {
    let wide = Access::new(layout!((32,4):(4,1)), 32).unwrap().vector(4).unwrap();
    let report = Banks::NVIDIA.report(&layout!(128:1), &wide).unwrap();
    assert_eq!((report.wavefronts, report.ideal, report.degree), (4, 4, 1));
}

#[test]
fn the_lanes_that_meet_are_named() {
    let data = Layout::new(tilework::HTuple::leaf(Leaf::new(32, 16))).unwrap();
    let report = Banks::NVIDIA.report(&data, &Access::new(layout!(32:1), 32).unwrap()).unwrap();
    assert_eq!(
        report.to_string(),
        "16-way conflict: 16 wavefronts instead of 1; lanes 0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30 \
         access 16 words of bank 0; elements of 32 bits"
    );
}

/// Each matrix of `ldmatrix.trans` has its rows along the first mode, so its addresses are those of `ldmatrix` on the transposed tile.
#[test]
fn ldmatrix_trans_reads_the_transposed_tile() {
    for (rows, columns, (b, s)) in [(64, 32, (0, 3)), (64, 32, (3, 3)), (128, 16, (2, 4)), (8, 64, (1, 3))] {
        let [stored, transposed] = [(1, rows), (rows, 1)];
        let swizzled = |layout| Composed::new(Swizzle::new(b, 3, s).unwrap(), 0, layout).unwrap();
        let tile = Layout::of((rows, columns), stored).unwrap();
        let other = Layout::of((columns, rows), transposed).unwrap();
        let report =
            Banks::NVIDIA.report(&swizzled(tile), &Access::ldmatrix_trans(&tile, 16).unwrap()).unwrap();
        let expected =
            Banks::NVIDIA.report(&swizzled(other), &Access::ldmatrix(&other, 16).unwrap()).unwrap();
        assert_eq!(report, expected, "{tile}");
    }
    let tall = Layout::of((64, 12), (1, 64)).unwrap();
    assert!(Access::ldmatrix_trans(&tall, 16).is_err());
}
