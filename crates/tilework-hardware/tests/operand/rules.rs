//! M, N, K and the elements that the manuals allow, against what is accepted: every extent up to 520.

use super::matrix;
use tilework::Composed;
use tilework_hardware::operand::{Illegal, Instruction, Major, Matrix, Mode, Side};

/// PTX ISA, `wgmma.mma_async`: the matrix shapes and types, the transposition; `tcgen05.mma`: the kinds and their shapes,
/// the majorness and the swizzles of each kind. Elements of 8 bits are floats or integers; 4 bits are packed in pairs.
fn is_allowed(matrix: Matrix, mn: i64, bits: u32) -> bool {
    let element = match (matrix.instruction, matrix.major) {
        (Instruction::Wgmma, Major::K) => [1, 8, 16, 32].contains(&bits),
        (Instruction::Wgmma, Major::MN) => bits == 16,
        (Instruction::Tcgen05, Major::K) => [4, 8, 16, 32].contains(&bits),
        (Instruction::Tcgen05, Major::MN) => [8, 16, 32].contains(&bits),
    };
    let extent = match (matrix.side, bits) {
        (Side::A, _) => mn % 64 == 0,
        // m64nNk256 of .b1.
        (Side::B, 1) => [8, 16, 24, 32].contains(&mn) || mn % 16 == 0 && (48..=256).contains(&mn),
        (Side::B, _) => mn % 8 == 0 && (8..=256).contains(&mn),
    };
    // The canonical layouts have whole rows of 16 bytes along the contiguous mode; those of 32 bits, of 128.
    let whole = match (matrix.major, bits) {
        (Major::K, _) => 1,
        (Major::MN, 32) => 32,
        (Major::MN, _) => 128 / i64::from(bits.max(1)),
    };
    element && extent && mn % whole == 0
}

#[test]
fn extents_and_elements_are_those_of_the_manuals() {
    let (mut legal, mut integers) = (0, 0);
    for matrix in Matrix::ALL {
        for bits in [0, 1, 2, 4, 6, 8, 16, 24, 32, 64, 128, u32::MAX] {
            for mn in 1..=520 {
                let name = format!("{matrix} {mn} {bits}");
                let k = 512 / i64::from(bits.clamp(1, 128));
                let layout = matrix.nearest(mn, k, bits);
                assert_eq!(layout.is_ok(), is_allowed(matrix, mn, bits), "{name}: {layout:?}");
                let Ok(layout) = layout else { continue };
                let operand = matrix.operand(&layout, bits).unwrap_or_else(|error| panic!("{name}: {error}"));
                assert_eq!(operand.mode.swizzle(bits).unwrap(), layout.swizzle(), "{name}");
                assert_eq!(layout.layout().is_compact(), Ok(true));
                // PTX ISA, N of .s8 and .u8: 8, 16, 24, 32, 48, and so on by 16.
                let of_integers = matrix.side == Side::A || mn <= 32 || mn % 16 == 0;
                assert_eq!(operand.floats_only, bits == 8 && !of_integers, "{name}");
                assert_eq!(operand.floats_only, operand.to_string().contains("integers"), "{name}");
                integers += usize::from(operand.floats_only);
                legal += 1;
            }
            // K of one instruction is 256 bits.
            for k in 1..=70 {
                let whole = i64::from(bits.clamp(1, 128)) * k % 256 == 0;
                assert_eq!(matrix.nearest(64, k, bits).is_ok(), is_allowed(matrix, 64, bits) && whole);
            }
        }
    }
    assert!(legal > 300 && integers > 20, "{legal} {integers}");
}

/// The swizzles of each width and order: the tile of each mode, for each operand. Transposed elements of 32 bits have
/// 128-byte rows of 32-byte pieces, and no others have (PTX ISA, `tcgen05.mma`; CUTLASS, `sm100_smem_selector`).
#[test]
fn swizzles_are_those_of_the_manuals() {
    for matrix in Matrix::ALL {
        for bits in [4, 8, 16, 32] {
            if !is_allowed(matrix, 128, bits) {
                continue;
            }
            for mode in [Mode::None, Mode::B32, Mode::B64, Mode::B128, Mode::B128Base32] {
                let row = mode.bytes() * 8 / i64::from(bits);
                let rows = if mode == Mode::B128Base32 { 4 } else { 8 };
                let text = match matrix.major {
                    Major::K => {
                        format!("((8,16),({row},{})):(({row},{}),(1,{}))", 512 / row, 8 * row, 128 * row)
                    }
                    Major::MN => format!(
                        "(({row},{}),({rows},{})):((1,{}),({row},{}))",
                        256 / row,
                        64 / rows,
                        rows * row,
                        rows * 256
                    ),
                };
                let tile = Composed::new(mode.swizzle(bits).unwrap(), 0, text.parse().unwrap()).unwrap();
                let found = matrix.operand(&tile, bits);
                let transposed_words = matrix.major == Major::MN && bits == 32;
                let allowed = transposed_words == (mode == Mode::B128Base32);
                match found {
                    Ok(operand) => assert!(allowed && operand.mode == mode, "{matrix} {bits} {tile}"),
                    Err(illegal) => {
                        assert!(!allowed, "{matrix} {bits} {tile}: {illegal}");
                        assert!(
                            matches!(illegal, Illegal::Mode { mode: own, .. } if own == mode),
                            "{illegal}"
                        );
                    }
                }
            }
        }
    }
}

/// PTX ISA, matrix descriptors: addresses in units of 16 bytes, and the start of the pattern of a swizzle.
#[test]
fn bases_are_those_of_the_manuals() {
    for (name, layout, bits, base) in [
        ("wgmma.a.k", "Sw<0,0,0> o 0 o ((8,8),(8,2)):((8,64),(1,512))", 16, 16),
        ("tcgen05.b.k", "Sw<0,0,0> o 0 o ((8,8),(8,2)):((8,64),(1,512))", 16, 16),
        ("tcgen05.a.mn", "Sw<0,0,0> o 0 o ((8,8),(8,2)):((1,64),(8,512))", 16, 16),
        ("wgmma.b.k", "Sw<1,3,3> o 0 o (64,16):(16,1)", 16, 256),
        ("wgmma.b.k", "Sw<2,3,3> o 0 o (64,32):(32,1)", 16, 512),
        ("tcgen05.b.k", "Sw<3,4,3> o 0 o (64,128):(128,1)", 8, 1024),
        ("tcgen05.b.mn", "Sw<2,3,2> o 0 o (32,8):(1,32)", 32, 1024),
    ] {
        let tile: Composed = layout.parse().unwrap();
        let operand =
            matrix(name).operand(&tile, bits).unwrap_or_else(|error| panic!("{name} {layout}: {error}"));
        assert_eq!(operand.base(), base, "{name} {layout}");
        for align in [0, 1, 8, 16, 24, 128, 256, 512, 768, 1024, 1 << 31] {
            let fits = align > 0 && align % base == 0;
            assert_eq!(operand.check_base(align).is_ok(), fits, "{name} {layout} {align}");
        }
    }
}

/// A and B are two questions about one tile.
#[test]
fn a_and_b_are_two_questions() {
    let tile: Composed = "Sw<3,3,3> o 0 o (96,64):(64,1)".parse().unwrap();
    for instruction in ["wgmma", "tcgen05"] {
        let a = matrix(&format!("{instruction}.a.k")).operand(&tile, 16);
        assert_eq!(a, Err(Illegal::Extent { name: "M", extent: 96, multiple: 64, most: None }));
        assert!(matrix(&format!("{instruction}.b.k")).operand(&tile, 16).is_ok());
    }
    let wide: Composed = "Sw<3,3,3> o 0 o (512,64):(64,1)".parse().unwrap();
    let b = matrix("wgmma.b.k");
    let error = b.operand(&wide, 16).unwrap_err();
    assert_eq!(error.to_string(), "N is 512, and has to be a multiple of 8 up to 256");
    assert!(b.part(&wide, 16, 256..512).is_ok() && matrix("wgmma.a.k").operand(&wide, 16).is_ok());
}
