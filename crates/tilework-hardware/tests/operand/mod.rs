//! Legal operands: the layouts that CUTLASS builds, and failures that compilers have shipped.

mod boxes;
mod enumeration;
mod large;
mod rules;

use tilework::{Composed, Layout, Swizzle, layout};
use tilework_hardware::operand::{Illegal, Major, Matrix, Mode, ldmatrix, tma};

/// The operand of this name.
fn matrix(name: &str) -> Matrix {
    Matrix::find(name).unwrap_or_else(|| panic!("{name}"))
}

fn swizzled(mode: Mode, bits: u32, layout: Layout) -> Composed {
    Composed::new(mode.swizzle(bits).unwrap(), 0, layout).unwrap()
}

/// The fields that CUTLASS's headers compute on the host for tiles of 64x64 halves.
#[test]
fn fields_of_canonical_layouts() {
    let k_major = [
        (Mode::None, layout!(((8,8),(8,8)):((8,64),(1,512))), (64, 8)),
        (Mode::B32, layout!(((8,8),(16,4)):((16,128),(1,1024))), (1, 16)),
        (Mode::B64, layout!(((8,8),(32,2)):((32,256),(1,2048))), (1, 32)),
        (Mode::B128, layout!((64,64):(64,1)), (1, 64)),
    ];
    for (mode, layout, fields) in k_major {
        for name in ["wgmma.a.k", "tcgen05.b.k"] {
            let operand = matrix(name).operand(&swizzled(mode, 16, layout), 16).unwrap();
            assert_eq!((operand.mode, (operand.leading, operand.stride)), (mode, fields));
        }
    }
    let mn_major = [
        (Mode::B64, layout!(((32,2),(8,8)):((1,256),(32,512))), (32, 64)),
        (Mode::B128, layout!((64,64):(1,64)), (0, 64)),
    ];
    for (mode, layout, fields) in mn_major {
        let operand = matrix("wgmma.b.mn").operand(&swizzled(mode, 16, layout), 16).unwrap();
        assert_eq!((operand.mode, (operand.leading, operand.stride)), (mode, fields));
    }
}

/// SM90 and SM100 encode the mode differently, and SM100 has a version.
#[test]
fn bits_of_descriptors() {
    let tile = swizzled(Mode::B128, 16, layout!((64,64):(64,1)));
    let descriptor = |name| matrix(name).operand(&tile, 16).unwrap().descriptor(1024);
    assert_eq!(descriptor("wgmma.a.k"), 1 << 62 | 64 << 32 | 1 << 16 | 64);
    assert_eq!(descriptor("tcgen05.a.k"), 2 << 61 | 1 << 46 | 64 << 32 | 1 << 16 | 64);
}

/// The address that the hardware makes of the fields, for each element and each instruction, is that of the layout.
#[test]
fn descriptors_say_where_elements_are() {
    for (name, mn, k) in
        [("wgmma.a.k", 64, 128), ("wgmma.a.mn", 128, 64), ("wgmma.b.k", 24, 32), ("wgmma.b.mn", 96, 48)]
    {
        let matrix = matrix(name);
        let tile = matrix.nearest(mn, k, 16).unwrap();
        let operand = matrix.operand(&tile, 16).unwrap();
        let (w, lbo, sbo) =
            (operand.mode.bytes() / 16, i64::from(operand.leading), i64::from(operand.stride));
        for row in 0..mn {
            for column in 0..k {
                let (block, c) = (column / 16, column % 16);
                let unit = match (matrix.major, operand.mode) {
                    (Major::K, _) => row % 8 * w + row / 8 * sbo + c / 8 * lbo,
                    (Major::MN, Mode::None) => row / 8 * sbo + c % 8 + c / 8 * lbo,
                    (Major::MN, _) => row / 8 % w + row / 8 / w * lbo + c % 8 * w + c / 8 * sbo,
                };
                let within = if matrix.major == Major::K { c % 8 } else { row % 8 };
                let byte = (i64::from(operand.starts[block as usize]) + unit) * 16 + 2 * within;
                let address =
                    Swizzle::new(operand.mode.swizzle(16).unwrap().bits().into(), 4, 3).unwrap().apply(byte);
                assert_eq!(address.unwrap(), 2 * tile.at((row, column)));
            }
        }
    }
}

/// NVIDIA Fuser, issue 4771; TileLang, issue 101: panels of 128 bytes that tiles of 96 columns cut.
#[test]
fn a_panel_that_a_tile_cuts() {
    let b = matrix("wgmma.b.mn");
    let tile = b.nearest(192, 64, 16).unwrap();
    assert_eq!(b.operand(&tile, 16).unwrap().mode, Mode::B128);
    for part in [0..96, 96..192] {
        let error = b.part(&tile, 16, part.clone()).unwrap_err();
        assert_eq!(error, Illegal::Panel { mode: Mode::B128, first: part.start, end: part.end, panel: 64 });
    }
    assert!(b.part(&tile, 16, 64..192).is_ok());
    // Panels of 64 bytes are cut by none.
    let narrow =
        Composed::new(Swizzle::new(2, 3, 3).unwrap(), 0, layout!(((32,6),(8,8)):((1,256),(32,1536))))
            .unwrap();
    for part in [0..96, 96..192] {
        assert_eq!(b.part(&narrow, 16, part).unwrap().mode, Mode::B64);
    }
}

/// TileLang, issue 2379; NVIDIA Fuser, pull request 4096: a swizzled tile whose address is a multiple of 128 bytes only.
#[test]
fn a_base_that_is_not_aligned() {
    let a = matrix("wgmma.a.k");
    let operand = a.operand(&swizzled(Mode::B128, 16, layout!((64,64):(64,1))), 16).unwrap();
    assert_eq!(operand.check_base(1024), Ok(()));
    assert_eq!(operand.check_base(128), Err(Illegal::Base { align: 128, needed: 1024 }));
    let narrow = a.operand(&a.nearest(64, 16, 16).unwrap(), 16).unwrap();
    assert_eq!((narrow.mode, narrow.check_base(256)), (Mode::B32, Ok(())));
    assert_eq!(narrow.check_base(0), Err(Illegal::Base { align: 0, needed: 256 }));
}

/// TileLang, issue 2593: N that is 8 more than a multiple of 16.
#[test]
fn an_n_of_8_modulo_16() {
    assert!(matrix("tcgen05.b.k").nearest(24, 64, 16).is_ok());
    // wgmma takes 24, but not in panels of 16 columns.
    assert!(matrix("wgmma.b.k").nearest(24, 64, 16).is_ok());
    let b = matrix("wgmma.b.mn");
    assert_eq!(b.operand(&b.nearest(24, 64, 16).unwrap(), 16).unwrap().mode, Mode::None);
    let panels = swizzled(Mode::B32, 16, layout!((24,64):(1,24)));
    assert!(matches!(
        b.operand(&panels, 16),
        Err(Illegal::Panel { mode: Mode::B32, first: 0, end: 24, panel: 16 })
    ));
}

/// Triton, issue 6220; TileLang, pull request 2161; CUTLASS, issue 3078: the start of later instructions along K. Within
/// a panel of 128 bytes each is 32 bytes further, and behind it at the next panel.
#[test]
fn the_starts_of_instructions() {
    let panels = swizzled(Mode::B128, 16, layout!((64,(64,2)):(64,(1,4096))));
    let operand = matrix("wgmma.a.k").operand(&panels, 16).unwrap();
    assert_eq!(operand.starts, [0, 2, 4, 6, 512, 514, 516, 518]);
    // Rows of 256 bytes have no panels: the second row is not 128 bytes behind the first.
    let wide = swizzled(Mode::B128, 16, layout!((64,128):(128,1)));
    assert_eq!(
        matrix("wgmma.a.k").operand(&wide, 16),
        Err(Illegal::Place { mode: Mode::B128, row: 1, column: 0, expected: 64, found: 128 })
    );
    // A panel that begins in the middle of eight rows.
    let shifted = swizzled(Mode::B128, 16, layout!((64,(64,2)):(64,(1,4160))));
    assert_eq!(
        matrix("wgmma.a.k").operand(&shifted, 16),
        Err(Illegal::Start { column: 64, offset: 4160, multiple: 512 })
    );
}

/// TileLang, issue 2642: a layout that is not what the instruction reads is named with its first element.
#[test]
fn a_layout_of_another_kind() {
    let padded = layout!((64,64):(72,1));
    assert!(matches!(
        matrix("wgmma.a.k").operand(&padded, 16),
        Err(Illegal::Place { row: 1, column: 0, found: 72, .. })
    ));
    // A swizzle of the right width in the wrong place.
    let other = Composed::new(Swizzle::new(3, 3, 4).unwrap(), 0, layout!((64,64):(64,1))).unwrap();
    assert!(matches!(matrix("wgmma.a.k").operand(&other, 16), Err(Illegal::Place { row: 1, .. })));
    assert!(matches!(matrix("wgmma.a.mn").operand(&padded, 8), Err(Illegal::Element { bits: 8, .. })));
    assert!(matches!(
        matrix("wgmma.b.k").operand(&layout!((12,64):(64,1)), 16),
        Err(Illegal::Extent { extent: 12, .. })
    ));
    assert!(matches!(
        matrix("wgmma.b.k").operand(&layout!((64,24):(24,1)), 16),
        Err(Illegal::Extent { extent: 24, .. })
    ));
    assert!(matrix("wgmma.b.k").operand(&layout!(64:1), 16).is_err());
}

#[test]
fn boxes() {
    let global = layout!((4096,1024):(1024,1));
    let tile = |rows: i64, columns: i64| Layout::of((rows, columns), (columns, 1)).unwrap();
    let map = tma(&global, &swizzled(Mode::B64, 16, tile(128, 32)), 16).unwrap();
    assert_eq!((map.mode, map.box_dims, map.modes), (Mode::B64, vec![32, 128], vec![1, 0]));
    // Without a swizzle a row may be wider than 128 bytes, and with one it may not.
    assert_eq!(tma(&global, &tile(64, 128), 16).unwrap().mode, Mode::None);
    let wide = swizzled(Mode::B128, 16, tile(64, 128));
    assert_eq!(tma(&global, &wide, 16), Err(Illegal::BoxRow { bits: 2048, mode: Mode::B128 }));
    assert!(matches!(tma(&global, &tile(512, 64), 16), Err(Illegal::Box { mode: 0, extent: 512 })));
    assert!(matches!(
        tma(&global, &layout!((64,64):(72,1)), 16),
        Err(Illegal::Place { row: 1, found: 72, .. })
    ));
    assert!(matches!(tma(&global, &layout!((64,4):(4,1)), 16), Err(Illegal::BoxRow { bits: 64, .. })));
    let odd = layout!((4096,1001):(1001,1));
    assert_eq!(tma(&odd, &tile(64, 64), 16), Err(Illegal::GlobalStride { mode: 0, bits: 16016 }));
    assert!(matches!(tma(&layout!((64,64):(2,128)), &tile(64, 64), 16), Err(Illegal::Modes { .. })));
}

#[test]
fn sources_of_ldmatrix() {
    assert!(ldmatrix(&swizzled(Mode::B64, 16, layout!((64,32):(32,1))), 16).is_ok());
    assert!(ldmatrix(&layout!((64,32):(1,64)), 16).is_err());
    assert!(ldmatrix(&swizzled(Mode::B64, 8, layout!((64,32):(32,1))), 8).is_ok());
}
