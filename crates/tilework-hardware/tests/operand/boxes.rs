//! Boxes of the tensor memory accelerator, against the bytes that it writes.

use tilework::{Composed, Layout, Swizzle, layout};
use tilework_hardware::operand::{Illegal, Mode, tma};

const MODES: [(Mode, i64); 4] = [(Mode::None, i64::MAX), (Mode::B32, 32), (Mode::B64, 64), (Mode::B128, 128)];

/// CUDA driver API, `cuTensorMapEncodeTiled`, and PTX ISA, swizzling modes: the box is written contiguously, the
/// contiguous dimension first; in the swizzled modes, whose span holds a row, bits 7 and up of the byte address are XORed
/// into bits 4 and up.
fn address(mode: Mode, byte: i64) -> i64 {
    match mode {
        Mode::None => byte,
        Mode::B32 => byte ^ byte >> 3 & 0x10,
        Mode::B64 => byte ^ byte >> 3 & 0x30,
        _ => byte ^ byte >> 3 & 0x70,
    }
}

/// The modes that write each element of the box where the layout has it.
fn modes(tile: &Composed, rows: i64, columns: i64, bytes: i64) -> Vec<Mode> {
    let at = |r: i64, c: i64| tile.at((r, c)) * bytes;
    let right = |mode: Mode| {
        let written = |r: i64, c: i64| address(mode, (c + columns * r) * bytes) == at(r, c);
        (0..rows).all(|r| (0..columns).all(|c| written(r, c)))
    };
    MODES
        .into_iter()
        .filter(|&(mode, span)| columns * bytes <= span && right(mode))
        .map(|(mode, _)| mode)
        .collect()
}

/// Rows of 16 to 272 bytes, of elements of each width, with each of the swizzles and some that no mode has.
#[test]
fn boxes_are_what_the_accelerator_writes() {
    let global = layout!((4096,4096):(4096,1));
    let (mut counts, mut few) = ([0; 2], 0);
    for (bits, width) in [(8, 0), (16, 1), (32, 2), (64, 3)] {
        let swizzles = (0..5).map(|b| Swizzle::new(b, 4 - width, 4.max(b) - i64::from(b < 4)));
        let others =
            [Swizzle::new(3, 5 - width, 3), Swizzle::new(2, 4 - width, 2), Swizzle::new(1, 5 - width, 2)];
        let swizzles: Vec<Swizzle> = swizzles.chain(others).collect::<Result<_, _>>().unwrap();
        for rows in 1..=64 {
            if cfg!(debug_assertions) && rows > 16 && rows % 8 > 1 {
                continue;
            }
            for pieces in 1..=17 {
                let (bytes, columns) = (1 << width, (pieces * 16) >> width);
                for (pad, &swizzle) in swizzles.iter().enumerate() {
                    // Some rows are apart.
                    let stride = if pad + rows as usize == 9 { columns + 16 } else { columns };
                    let tile = Layout::of((rows, columns), (stride, 1)).unwrap();
                    let tile = Composed::new(swizzle, 0, tile).unwrap();
                    let expected = if columns > 256 { vec![] } else { modes(&tile, rows, columns, bytes) };
                    let found = tma(&global, &tile, bits);
                    let name = format!("{tile}, {bits} bits: {found:?}, and {expected:?}");
                    counts[usize::from(found.is_ok())] += 1;
                    match found {
                        Ok(map) => {
                            assert_eq!(Some(&map.mode), expected.first(), "{name}");
                            assert_eq!(
                                (map.box_dims, map.modes),
                                (vec![columns, rows], vec![1, 0]),
                                "{name}"
                            );
                            few += usize::from(expected.len() == 1 && swizzle != Swizzle::NONE && rows < 8);
                        }
                        Err(_) => assert!(expected.is_empty(), "{name}"),
                    }
                }
            }
        }
    }
    assert!(counts[0] > 1000 && counts[1] > 1000 && few > 100, "{counts:?} {few}");
}

#[test]
fn extents_of_global_memory_have_32_bits() {
    let tile = layout!((64,64):(64,1));
    for (extent, legal) in
        [(1, true), ((1 << 32) - 1, true), (1 << 32, true), ((1 << 32) + 1, false), (5_000_000_000, false)]
    {
        let global = Layout::of((extent, 64), (64, 1)).unwrap();
        let found = tma(&global, &tile, 16);
        assert_eq!(found.is_ok(), legal, "{extent}: {found:?}");
        if let Err(illegal) = found {
            assert_eq!(illegal, Illegal::GlobalExtent { mode: 0, extent });
        }
        // The contiguous dimension as well.
        let global = Layout::of((64, extent), (1_i64 << 35, 1)).unwrap();
        assert_eq!(tma(&global, &tile, 16).is_ok(), legal, "{extent}");
    }
}

/// The address of a box is a multiple of 128 bytes even without a swizzle.
#[test]
fn bases_of_boxes() {
    let global = layout!((4096,1024):(1024,1));
    for (swizzle, columns, base) in
        [("0,0,0", 64, 128), ("1,3,3", 16, 256), ("2,3,3", 32, 512), ("3,3,3", 64, 1024)]
    {
        let tile: Composed = format!("Sw<{swizzle}> o 0 o (64,{columns}):({columns},1)").parse().unwrap();
        assert_eq!(tma(&global, &tile, 16).unwrap().base(), base);
    }
}

/// Boxes of more elements than are compared one by one.
#[test]
fn large_boxes() {
    let global = layout!((256,256,256,256,256):(1,256,65536,16777216,4294967296));
    let legal = layout!((128,32,32,1,1):(1,128,4096,1,1));
    for (swizzle, mode) in [("Sw<3,4,3>", Mode::B128), ("Sw<0,0,0>", Mode::None)] {
        let tile: Composed = format!("{swizzle} o 0 o {legal}").parse().unwrap();
        assert_eq!(tma(&global, &tile, 8).unwrap().mode, mode);
    }
    let all = layout!((256,256,256,256,256):(1,256,65536,16777216,4294967296));
    assert_eq!(tma(&global, &all, 8).unwrap().mode, Mode::None);
    let last = layout!((256,256,256,256,256):(1,256,65536,16777216,4294967297));
    let error = tma(&global, &last, 8).unwrap_err();
    assert!(
        matches!(
            error,
            Illegal::Place { row: 0, column: 16_777_216, expected: 4_294_967_296, found: 4_294_967_297, .. }
        ),
        "{error:?}"
    );
}
