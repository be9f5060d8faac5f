//! Whether the hardware reads a tile, element by element: for each swizzling mode, the address that PTX's canonical
//! layouts give to each element, with the two offsets read off the tile itself.

use super::matrix;
pub use testkit::Random;
use tilework::{AnyLayout, Composed, Layout, Swizzle};
use tilework_hardware::operand::{Illegal, Instruction, Major, Matrix, Mode};

/// LBO, SBO and the starts in units of 16 bytes.
type Fields = (Mode, i64, i64, Vec<i64>);

/// The bytes of a row, and the rows of the pattern.
fn pattern(mode: Mode) -> (i64, i64) {
    match mode {
        Mode::None => (16, 8),
        Mode::B32 => (32, 8),
        Mode::B64 => (64, 8),
        Mode::B128 => (128, 8),
        _ => (128, 4),
    }
}

/// The bit of an address before the swizzle: the number of the row of 128 bytes is XORed into that of the piece.
fn unswizzled(mode: Mode, bit: i64) -> i64 {
    let field = |first: u32, count: u32| bit >> first & ((1 << count) - 1);
    match mode {
        Mode::None => bit,
        Mode::B32 => bit ^ field(10, 1) << 7,
        Mode::B64 => bit ^ field(10, 2) << 7,
        Mode::B128 => bit ^ field(10, 3) << 7,
        _ => bit ^ field(10, 2) << 8,
    }
}

/// The offset of each element in bits, by columns.
fn offsets(tile: &AnyLayout, mn: i64, k: i64, bits: i64) -> Option<Vec<i64>> {
    let at = |r: i64, c: i64| {
        let offset = tile.evaluate((r, c)).ok()?.leaves()[0].numerator();
        (offset >= 0).then_some(offset * bits)
    };
    (0..k).flat_map(|c| (0..mn).map(move |r| (r, c))).map(|(r, c)| at(r, c)).collect()
}

/// The fields with which the instruction reads the tile, if there are any.
fn fields(matrix: Matrix, tile: &AnyLayout, mn: i64, k: i64, bits: i64) -> Option<Fields> {
    let modes: &[Mode] = match (matrix.instruction, matrix.major, bits) {
        (Instruction::Tcgen05, Major::MN, 32) => &[Mode::B128Base32],
        _ => &[Mode::None, Mode::B32, Mode::B64, Mode::B128],
    };
    let all = offsets(tile, mn, k, bits)?;
    modes.iter().find_map(|&mode| {
        let (bytes, rows) = pattern(mode);
        let (row, piece, columns) = (bytes * 8 / bits, 128 / bits, 256 / bits);
        let block = columns.max(rows);
        let at = |r: i64, c: i64| unswizzled(mode, all[(r + mn * c) as usize]);
        let step = |r: i64, c: i64| if r < mn && c < block { at(r, c) - at(0, 0) } else { 0 };
        let (leading, stride) = match (matrix.major, mode) {
            (Major::K, Mode::None) => (step(0, piece), step(8, 0)),
            (Major::K, _) => (128, step(8, 0)),
            (Major::MN, Mode::None) => (step(0, 8), step(piece, 0)),
            (Major::MN, _) => (step(row, 0), step(0, rows)),
        };
        if matrix.major == Major::MN && mn % row != 0 {
            return None;
        }
        let element = |r: i64, c: i64| match (matrix.major, mode) {
            (Major::K, _) => r % 8 * bytes * 8 + r / 8 * stride + c / piece * leading + c % piece * bits,
            (Major::MN, Mode::None) => r % piece * bits + r / piece * stride + c % 8 * 128 + c / 8 * leading,
            (Major::MN, _) => r % row * bits + r / row * leading + c % rows * bytes * 8 + c / rows * stride,
        };
        let starts: Vec<i64> = (0..k / block).map(|i| at(0, i * block)).collect();
        let fits = |bit: i64| bit % 128 == 0 && (0..1 << 14).contains(&(bit / 128));
        let begins = |bit: i64| mode == Mode::None || bit % (bytes * 8 * rows) < bytes * 8;
        let right = (0..k)
            .all(|c| (0..mn).all(|r| at(r, c) == starts[(c / block) as usize] + element(r, c % block)))
            && fits(leading)
            && fits(stride)
            && starts.iter().all(|&bit| fits(bit) && begins(bit));
        right.then(|| (mode, leading / 128, stride / 128, starts.iter().map(|bit| bit / 128).collect()))
    })
}

/// A tile like those that the instruction reads, with nothing, a stride, the swizzle or the notation changed.
fn tile(random: &mut Random, matrix: Matrix, mn: i64, k: i64, bits: i64) -> Option<AnyLayout> {
    let mode = random.choose(&[Mode::None, Mode::B32, Mode::B64, Mode::B128, Mode::B128Base32]);
    let (bytes, rows) = pattern(mode);
    let (row, piece) = (bytes * 8 / bits, 128 / bits);
    let mut far = || random.choose(&[1, 2, 3, 8, 12, 64]) * 8 * row;
    let (one, two) = (far(), far());
    let (row, k_rows) = if matrix.major == Major::K { (row.min(k), 8) } else { (row, rows) };
    let (mut shape, mut strides) = match matrix.major {
        Major::K if mode == Mode::None => (((8, mn / 8), (piece, k / piece)), [piece, one, 1, two]),
        Major::K => (((8, mn / 8), (row, k / row)), [bytes * 8 / bits, one, 1, two]),
        Major::MN if mode == Mode::None => (((piece, mn / piece), (8, k / 8)), [1, one, piece, two]),
        Major::MN => (((row, mn / row), (k_rows, k / k_rows)), [1, one, row, two]),
    };
    if [shape.0.1, shape.1.1].contains(&0) || (shape.0.0 * shape.0.1, shape.1.0 * shape.1.1) != (mn, k) {
        return None;
    }
    let mut swizzle = mode.swizzle(bits as u32).unwrap();
    let mut start = 0;
    match random.below(8) {
        0 => strides[random.below(4) as usize] += random.choose(&[1, piece, -piece, 8 * row]),
        1 => swizzle = Swizzle::new(random.below(4) as i64, random.below(7) as i64, 3).unwrap(),
        2 => {
            swizzle = Swizzle::new(random.below(3) as i64, random.below(7) as i64, random.choose(&[2, 4, -3]))
                .ok()?
        }
        3 => start = random.choose(&[1, piece, 8 * row, 64 * row]),
        4 => {
            (shape, strides) = (
                ((1, mn), (1, k)),
                [
                    0,
                    if matrix.major == Major::K { k } else { 1 },
                    0,
                    if matrix.major == Major::K { 1 } else { mn },
                ],
            )
        }
        _ => {}
    }
    let ((a, b), (c, d)) = shape;
    let [p, q, r, s] = strides;
    let layout = Layout::of(((a, b), (c, d)), ((p, q), (r, s))).ok()?;
    let composed = Composed::new(swizzle, start, layout).ok()?;
    Some(match random.below(4) {
        0 => composed.to_xor().map_or(composed.into(), AnyLayout::from),
        _ => composed.into(),
    })
}

/// What is decided along rows and columns is what all elements say; and no refusal proposes what it refuses.
#[test]
fn the_decision_is_that_of_all_elements() {
    let (mut random, mut counts) = (Random::congruential(36), [0; 2]);
    for _ in 0..if cfg!(debug_assertions) { 800 } else { 10_000 } {
        let matrix = random.choose(&Matrix::ALL);
        let bits = random.choose(&[4, 8, 16, 32]);
        let mn = if matrix.side == tilework_hardware::operand::Side::A { 64 } else { 8 }
            * (1 + random.below(3) as i64);
        let k = (256 / bits).max(8) * (1 + random.below(3) as i64);
        let Some(tile) = tile(&mut random, matrix, mn, k, bits) else { continue };
        let name = format!("{matrix} {tile} {bits}");
        let answer = match tile {
            AnyLayout::Plain(layout) => matrix.operand(&layout, bits as u32),
            AnyLayout::Swizzled(composed) => matrix.operand(&composed, bits as u32),
        };
        if let Err(Illegal::Element { .. }) = answer {
            continue;
        }
        let expected = fields(matrix, &tile, mn, k, bits);
        counts[usize::from(expected.is_some())] += 1;
        match (answer, expected) {
            (Ok(operand), Some((mode, leading, stride, starts))) => {
                let found = (operand.mode, operand.leading.into(), operand.stride.into());
                assert_eq!(found, (mode, leading, stride), "{name}");
                assert_eq!(
                    operand.starts.iter().map(|&start| start.into()).collect::<Vec<i64>>(),
                    starts,
                    "{name}"
                );
            }
            (Err(illegal), None) => {
                if let Illegal::Place { row, column, found, expected, .. } = illegal {
                    assert!(
                        (0..mn).contains(&row) && (0..k).contains(&column) && found != expected,
                        "{name}"
                    );
                }
                if let Ok(nearest) = matrix.nearest(mn, k, bits as u32) {
                    let all = |tile: &AnyLayout| offsets(tile, mn, k, bits);
                    assert_ne!(all(&tile), all(&nearest.into()), "{name}");
                }
            }
            (answer, expected) => panic!("{name}: {answer:?}, and element by element {expected:?}"),
        }
    }
    assert!(counts[0] > 100 && counts[1] > 100, "{counts:?}");
}

#[test]
fn the_names_are_all_different() {
    for found in Matrix::ALL {
        assert_eq!(matrix(&found.to_string()), found);
    }
}
