//! The matrix instructions of one warp in CUTLASS, `cute/arch/mma_sm61.hpp` to `mma_sm90.hpp`, by name: the table has them
//! all, and no others. Those of later headers are compared with the wheel, `tests/wheels/compare_cutlass.py`.

use std::collections::BTreeSet;
use tilework_hardware::atom::rows;

/// All names of the headers.
fn names() -> BTreeSet<String> {
    let mut names: BTreeSet<String> = [
        "SM61_DP4A SM61_DP2A",
        "SM75_16x8x8_F16F16F16F16_TN SM75_16x8x8_F32F16F16F32_TN SM75_8x8x16_S32S8S8S32_TN",
        "SM80_16x8x8_F16F16F16F16_TN SM80_16x8x16_F16F16F16F16_TN SM80_16x8x8_F32F16F16F32_TN",
        "SM80_16x8x16_F32F16F16F32_TN SM80_16x8x8_F32BF16BF16F32_TN SM80_16x8x16_F32BF16BF16F32_TN",
        "SM80_16x8x4_F32TF32TF32F32_TN SM80_16x8x8_F32TF32TF32F32_TN",
        "SM80_8x8x4_F64F64F64F64_TN SM80_8x8x4_C64C64C64C64_TN SM80_8x8x4_GC64C64C64GC64_TN",
    ]
    .iter()
    .flat_map(|line| line.split(' ').map(String::from))
    .collect();
    for accumulator in ["F16", "F32"] {
        for major in ["TN", "NT", "NN", "TT"] {
            names.insert(format!("SM70_8x8x4_{accumulator}F16F16{accumulator}_{major}"));
        }
        for (a, b) in [("E4M3", "E4M3"), ("E4M3", "E5M2"), ("E5M2", "E4M3"), ("E5M2", "E5M2")] {
            names.insert(format!("SM89_16x8x32_{accumulator}{a}{b}{accumulator}_TN"));
        }
    }
    for (bits, k) in [(8, [16, 16, 32]), (4, [32, 32, 64])] {
        for (a, b) in [('S', 'S'), ('S', 'U'), ('U', 'S'), ('U', 'U')] {
            for (m, k) in [8, 16, 16].into_iter().zip(k) {
                for end in ["", "_SATURATE"] {
                    names.insert(format!("SM80_{m}x8x{k}_S32{a}{bits}{b}{bits}S32_TN{end}"));
                }
            }
        }
    }
    for operation in ["AND", "XOR"] {
        for shape in ["8x8x128", "16x8x128", "16x8x256"] {
            names.insert(format!("SM80_{shape}_S32U1U1S32_TN_{operation}POPC"));
        }
    }
    for element in ["F64", "C64"] {
        for k in [4, 8, 16] {
            names.insert(format!("SM90_16x8x{k}_{element}{element}{element}{element}_TN"));
        }
    }
    names
}

#[test]
fn the_table_has_the_warp_instructions_of_cutlass() {
    let architectures = ["SM61", "SM70", "SM75", "SM80", "SM89", "SM90"];
    let ours = rows()
        .filter(|row| row.family() == "dp4a, mma.sync" && architectures.contains(&row.architecture()))
        .map(|row| row.name().to_string());
    assert_eq!(ours.collect::<BTreeSet<_>>(), names());
}
