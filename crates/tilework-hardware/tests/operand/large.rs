//! Tiles of up to 2^40 elements, whose answer is known by construction.

use super::enumeration::Random;
use super::matrix;
use tilework::{AnyLayout, Composed, Layout};
use tilework_hardware::operand::{Illegal, Major, Matrix, Mode, Operand, Side};

fn ask(matrix: Matrix, tile: &AnyLayout, bits: u32) -> Result<Operand, Illegal> {
    match tile {
        AnyLayout::Plain(layout) => matrix.operand(layout, bits),
        AnyLayout::Swizzled(composed) => matrix.operand(composed, bits),
    }
}

/// The tile of the report: 256 by 512 bytes.
#[test]
fn a_stage_of_real_kernels() {
    let tile: Composed = "Sw<3,4,3> o 0 o ((8,32),(128,4)):((128,1024),(1,32768))".parse().unwrap();
    let operand = matrix("tcgen05.b.k").operand(&tile, 8).unwrap();
    assert_eq!((operand.mode, operand.leading, operand.stride), (Mode::B128, 1, 64));
    assert_eq!(operand.starts[..6], [0, 2, 4, 6, 2048, 2050]);
}

/// Groups of rows and panels of columns, far more than memory has: the extents, the strides and, in one place, a wrong
/// stride are random, so that the legal ones are legal by construction, and of the others the first wrong element is
/// known.
#[test]
fn as_constructed() {
    let (mut random, mut counts) = (Random::congruential(3), [0; 2]);
    for _ in 0..if cfg!(debug_assertions) { 40 } else { 1000 } {
        let bits = random.choose(&[8, 16]);
        let mode = random.choose(&[Mode::None, Mode::B32, Mode::B64, Mode::B128]);
        let row = mode.bytes() * 8 / i64::from(bits);
        // As many groups of eight rows, and panels, as 2^20 rows and columns have; the panels are 64 different ones.
        let groups = 1 << random.choose(&[6, 10, 13, 17]);
        let copies = 1 << random.choose(&[0, 4, 7]);
        let (stride, panel) = (8 * row * random.choose(&[1, 2, 3]), 8 * row * random.choose(&[1, 2, 3]));
        let wrong = random.below(4);
        let (half, more) = (groups / 2, if wrong == 0 { 8 * row } else { 0 });
        let bump = if wrong == 1 { 1 } else { 0 };
        let a = format!("(8,{half},2):({row},{stride},{})", half * stride + more);
        let b = format!("({row},64,{copies}):(1,{panel},{bump})");
        let (mn, k): (Layout, Layout) = (a.parse().unwrap(), b.parse().unwrap());
        let layout = Layout::concatenate(&[mn, k]).unwrap();
        let composed = Composed::new(mode.swizzle(bits).unwrap(), 0, layout).unwrap();
        // Of few panels, also as XOR strides.
        let tile = match composed.to_xor() {
            Ok(xor) if random.below(2) == 0 => AnyLayout::from(xor),
            _ => AnyLayout::from(composed),
        };
        let is_legal = more == 0 && (bump == 0 || copies == 1);
        // A row of 16 bytes is half an instruction: LBO is the distance of two panels, and so every second one is free.
        let found = ask(matrix("wgmma.a.k"), &tile, bits);
        let name = format!("{tile} {bits}: {found:?}");
        counts[usize::from(is_legal)] += 1;
        match found {
            Ok(operand) => {
                let units = 128 / i64::from(bits);
                assert!(is_legal, "{name}");
                let leading = if mode == Mode::None { panel / units } else { 1 };
                let fields = (operand.mode, i64::from(operand.leading), i64::from(operand.stride));
                assert_eq!(fields, (mode, leading, stride / units), "{name}");
                assert_eq!(operand.starts.len() as i64, row * 64 * copies / (2 * units), "{name}");
            }
            Err(Illegal::Place { row: r, column, mode: of, .. }) if of == mode => {
                let wrong = if more > 0 { (8 * half, 0) } else { (0, 64 * row) };
                assert!(!is_legal && (r, column) == wrong, "{name}");
            }
            // One element further begins within a piece.
            Err(Illegal::Start { column, .. }) => assert!(!is_legal && column == 64 * row, "{name}"),
            Err(_) => panic!("{name}"),
        }
    }
    assert!(counts[0] > 10 && counts[1] > 10, "{counts:?}");
}

/// Whatever is refused, what is proposed instead is legal, and another layout.
#[test]
fn no_refusal_proposes_what_it_refuses() {
    let mut proposed = 0;
    for matrix in Matrix::ALL {
        for bits in [8, 16, 32] {
            let extents: &[i64] = if matrix.side == Side::A { &[64, 4096, 1 << 17] } else { &[8, 64, 256] };
            for &mn in extents {
                for k in [256, 1 << 12, 1 << 16] {
                    let Ok(layout) = matrix.nearest(mn, k, bits) else { continue };
                    assert!(matrix.operand(&layout, bits).is_ok(), "{matrix} {layout}");
                    proposed += 1;
                }
                // The canonical layout of one swizzle, however large, is legal, or no other of these extents is proposed.
                let row = 1024 / i64::from(bits);
                let (shape, stride) = match matrix.major {
                    Major::K => (((8, mn / 8), (row, 64)), ((row, 8 * row), (1, mn * row))),
                    Major::MN if mn % row == 0 => {
                        (((row, mn / row), (8, 8 * row)), ((1, 8 * row), (row, 8 * mn)))
                    }
                    Major::MN => continue,
                };
                let tile = Layout::of(shape, stride).unwrap();
                let tile = Composed::new(Mode::B128.swizzle(bits).unwrap(), 0, tile).unwrap();
                let (found, other) = (matrix.operand(&tile, bits), matrix.nearest(mn, 64 * row, bits));
                if let (Err(illegal), Ok(other)) = (found, other) {
                    assert!(!illegal.to_string().contains("thread"), "{illegal}");
                    assert!(
                        !other.layout().equivalent(tile.layout()) || other.swizzle() != tile.swizzle(),
                        "{illegal}"
                    );
                }
            }
        }
    }
    assert!(proposed > 30, "{proposed}");
}
