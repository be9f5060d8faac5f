//! The worked examples of the paper (Cecka, *CuTe Layout Representation and Algebra*), one test a section or table.
//!
//! Where the printed paper is in error, the corrected value stands here with a remark.

use tilework::{Error, HTuple, Layout, Pattern, Shape, Tiler, View};

fn layout(text: &str) -> Layout {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn shape(text: &str) -> Shape {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn tiler(text: &str) -> Tiler {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The layout as a table of rows: `L(i,j)`.
fn table(layout: &Layout) -> Vec<Vec<i64>> {
    let at = |i: i64, j: i64| {
        let coord = HTuple::tuple(&[HTuple::leaf(i), HTuple::leaf(j)]).unwrap();
        layout.evaluate(&coord).unwrap().leaves()[0].numerator()
    };
    let (rows, columns) = (layout.mode(0).unwrap().size(), layout.mode(1).unwrap().size());
    (0..rows).map(|i| (0..columns).map(|j| at(i, j)).collect()).collect()
}

#[test]
fn section_1_3_folding_a_tensor() {
    let tensor = layout("(2,2,2):(2,1,4)");
    let four_by_two = layout("((2,2),2):((2,4),1)");
    let two_by_four = layout("(2,(2,2)):(2,(1,4))");
    assert_eq!(four_by_two.coalesce_by_mode((.., ..)).unwrap(), layout("(4,2):(2,1)"));
    assert_eq!(two_by_four.coalesce_by_mode((.., ..)).unwrap(), two_by_four);
    assert_eq!(tensor.size(), 8);
}

#[test]
fn section_2_1_tuples() {
    let x = shape("((4,6),(3,(2,2),8))");
    assert_eq!((x.rank(), x.depth(), shape("31").depth(), shape("(3,-8,7)").rank()), (2, 3, 0, 3));
    assert!(shape("(4,8)").congruent(&shape("(5,7)")) && shape("(4,(2,4))").congruent(&shape("(7,(3,2))")));
    assert!(
        !shape("(4,8)").congruent(&shape("(4,(2,4))")) && !shape("(4,(2,4))").congruent(&shape("((0,0),0)"))
    );
    assert!(
        shape("30").weakly_congruent(&shape("(1,2)")) && shape("(1,2)").weakly_congruent(&shape("(1,(0,2))"))
    );
    assert!(!shape("(1,2)").weakly_congruent(&shape("(1,2,3)")));
}

#[test]
fn definitions_2_5_and_2_15_refuse() {
    for (text, code) in [
        ("0:1", "extent"),
        ("(4,-8):(1,4)", "extent"),
        ("(4,(2,0)):(1,(4,8))", "extent"),
        ("(4,8):1", "incongruent"),
        ("4:(1,2)", "incongruent"),
        ("(4,8):(1,(2,3))", "incongruent"),
    ] {
        assert_eq!(text.parse::<Layout>().map_err(|error| error.code()), Err(code), "{text}");
    }
}

#[test]
fn section_2_2_compatibility() {
    for (coarse, fine) in [("30", "(2,15)"), ("(2,15)", "(2,(3,5))"), ("30", "(6,5)"), ("(6,5)", "((3,2),5)")]
    {
        assert!(shape(coarse).compatible(&shape(fine)) && !shape(fine).compatible(&shape(coarse)));
    }
    let (a, b) = (shape("(2,(3,5))"), shape("((3,2),5)"));
    assert!(!a.compatible(&b) && !b.compatible(&a));
    assert_eq!(a.common_coarsening(&b), Ok(shape("30")));
}

#[test]
fn figure_2_coordinate_lists() {
    let columns: [(&str, Vec<&str>); 3] = [
        ("4", vec!["0", "1", "2", "3"]),
        ("(2,3)", vec!["(0,0)", "(1,0)", "(0,1)", "(1,1)", "(0,2)", "(1,2)"]),
        (
            "((2,3),2)",
            vec![
                "((0,0),0)",
                "((1,0),0)",
                "((0,1),0)",
                "((1,1),0)",
                "((0,2),0)",
                "((1,2),0)",
                "((0,0),1)",
                "((1,0),1)",
                "((0,1),1)",
                "((1,1),1)",
                "((0,2),1)",
                "((1,2),1)",
            ],
        ),
    ];
    for (s, list) in columns {
        let s = shape(s);
        let natural: Vec<String> = s.coordinates().map(|c| c.to_string()).collect();
        assert_eq!(natural, list);
        for (i, c) in list.iter().enumerate() {
            assert_eq!(s.idx2crd(&HTuple::leaf(i as i64)), Ok(shape(c)));
            assert_eq!(s.crd2idx(&shape(c)), Ok(i as i64));
        }
    }
    // The middle column of the third table: Z_(6,2).
    let s = shape("((2,3),2)");
    for i in 0..12i64 {
        let middle = HTuple::tuple(&[HTuple::leaf(i % 6), HTuple::leaf(i / 6)]).unwrap();
        assert_eq!(s.idx2crd(&middle), s.idx2crd(&HTuple::leaf(i)));
    }
    // Out of bounds: the last mode is not reduced.
    assert_eq!(s.idx2crd(&HTuple::leaf(12)), Ok(shape("((0,0),2)")));
}

#[test]
fn section_2_4_1_evaluation() {
    let l = layout("((2,2),(4,2)):((1,8),(2,16))");
    for coord in ["22", "(2,5)", "((0,1),(1,1))"] {
        assert_eq!(l.evaluate(&shape(coord)).unwrap().to_string(), "26", "{coord}");
    }
}

/// Figures 3 and 4, and table 1: integer, coordinate and binary strides.
#[test]
fn table_1_linear_forms() {
    let (integer, coordinate, binary) = (
        layout("((2,2),(4,2)):((1,8),(2,16))"),
        layout("(4,(4,2)):(1@1,(1@0,6@1))"),
        layout("(4,4):(^1,^5)"),
    );
    let bits = layout("((2,2),(2,2)):((^1,^2),(^5,^10))");
    for c in integer.shape().coordinates() {
        let [a, b, d, e] = c.leaves()[..] else { unreachable!() };
        assert_eq!(integer.at(&c), a + 8 * b + 2 * d + 16 * e);
    }
    for c in coordinate.shape().coordinates() {
        let [a, b, d] = c.leaves()[..] else { unreachable!() };
        assert_eq!(coordinate.evaluate(&c).unwrap().to_string(), format!("({},{})", b, a + 6 * d));
    }
    for i in 0..16 {
        assert_eq!(binary.at(i), (i % 4) ^ (i / 4) ^ ((i / 4) << 2));
        assert_eq!(binary.at(i), bits.at(i));
    }
}

#[test]
fn section_2_4_3_completeness() {
    let chain = |f: &[i64]| -> Vec<Layout> {
        let chain = Layout::completeness(f).unwrap();
        (0..chain.count()).map(|index| chain.layout(index).unwrap()).collect()
    };
    // f = (2,2,2,...):(f(1),f(2),...) o (3,1):(1,4) o (4,1):(1,6) o ... o (N-1,1):(1,2(N-2)).
    assert_eq!(
        chain(&[0, 5, 5, -3, 11]),
        ["(2,2,2,2):(5,5,-3,11)", "(3,1):(1,4)", "(4,1):(1,6)"].map(layout)
    );
    let long: Vec<i64> = (0..300).map(|i| i * i * i % 4001 - 2000 * (i % 2)).collect();
    for n in [1, 2, 3, 4, 5, 13, 14, 32, 33, 34, 35, 64, 65, 66, 100, 300] {
        let layouts = chain(&long[..n]);
        for (i, &value) in (0..).zip(&long[..n]) {
            assert_eq!(layouts.iter().rev().fold(i, |at, layout| layout.at(at)), value, "f({i}) of {n}");
        }
    }
    let index = Error::Index { index: 31, rank: 31 };
    assert_eq!(Layout::completeness(&long[..33]).unwrap().layout(31), Err(index));
    assert!(Layout::completeness(&[]).is_err() && Layout::completeness(&[1, 2]).is_err());
    let mut large = [0; 40];
    large[39] = i64::MAX;
    let overflow = Error::Overflow { left: 76, operator: '*', right: i64::MAX };
    assert_eq!(Layout::completeness(&large).unwrap().layout(38), Err(overflow));
}

#[test]
fn figure_5_slices() {
    let a = layout("((3,2),((2,3),2)):((4,1),((2,15),100))");
    assert_eq!(table(&a)[2], [8, 10, 23, 25, 38, 40, 108, 110, 123, 125, 138, 140]);
    assert_eq!(table(&a)[5], [9, 11, 24, 26, 39, 41, 109, 111, 124, 126, 139, 141]);
    for (pattern, expected) in [
        ("(2,_)", "{8} o ((2,3),2):((2,15),100)"),
        ("(_,5)", "{32} o (3,2):(4,1)"),
        ("(2,((0,_),_))", "{8} o (3,2):(15,100)"),
        ("((_,1),(_,0))", "{1} o (3,(2,3)):(4,(2,15))"),
        ("((_,0),((0,_),1))", "{100} o (3,3):(4,15)"),
        ("((1,_),((_,0),_))", "{4} o (2,(2,2)):(1,(2,100))"),
    ] {
        let pattern: Pattern = pattern.parse().unwrap();
        let view: View = a.slice(&pattern).unwrap();
        assert_eq!(view.to_string(), expected, "{pattern}");
    }
}

#[test]
fn section_3_1_concatenation() {
    let both = Layout::concatenate(&[layout("4:2"), layout("(3,2):(8,1)")]).unwrap();
    assert_eq!(both, layout("(4,(3,2)):(2,(8,1))"));
    assert!(matches!(
        Layout::concatenate(&[layout("4:2"), layout("3:1@0")]),
        Err(Error::MixedCodomain { .. })
    ));
}

#[test]
fn section_3_2_coalesce() {
    let by_mode = |text: &str| layout(text).coalesce_by_mode((.., ..)).unwrap();
    assert_eq!(layout("(2,(1,6)):(1,(6,2))").coalesce(), layout("12:1"));
    assert_eq!(by_mode("(2,(1,6)):(1,(6,2))"), layout("(2,6):(1,2)"));
    assert_eq!(layout("((4,3),5):((15,1),3)").coalesce(), layout("(4,15):(15,1)"));
    assert_eq!(by_mode("((4,3),5):((15,1),3)"), layout("((4,3),5):((15,1),3)"));
    assert_eq!(layout("(4,(3,5)):(15,(1,3))").coalesce(), layout("(4,15):(15,1)"));
    assert_eq!(by_mode("(4,(3,5)):(15,(1,3))"), layout("(4,15):(15,1)"));
}

#[test]
fn section_3_3_1_properties_of_composition() {
    for identity in ["24:1", "(4,6):(1,4)", "(3,(4,2)):(1,(3,12))"] {
        assert!((0..24).all(|i| layout(identity).at(i) == i));
        // Any identity on 24 is one from the left.
        let b = layout("(4,3):(6,2)");
        assert_eq!(layout(identity).composition(&b), Ok(b));
    }
    // From the right the one with the layout's own shape.
    let a = layout("(4,6):(7,100)");
    assert_eq!(a.composition(&layout("(4,6):(1,4)")), Ok(a));
    for identity in ["(4,6):(1@0,1@1)", "(4,(3,2)):(1@0,(1@1,3@1))"] {
        let a = layout("(4,6):(7,100)");
        assert!(a.composition(&layout(identity)).unwrap().equivalent(&a));
    }
    // Associativity is lost where image(C) is not in the domain of B.
    let (a, b, c) = (layout("(5,3):(1,7)"), layout("4:1"), layout("2:5"));
    assert_eq!(a.composition(&b.composition(&c).unwrap()), Ok(layout("2:7")));
    assert_eq!(a.composition(&b).unwrap().composition(&c), Ok(layout("2:5")));
}

#[test]
fn section_3_3_3_divisibility() {
    for (a, b, r) in [
        ("7:11", "3:4", "3:44"),
        ("7:11", "(3,5):(6,3)", "(3,5):(66,33)"),
        ("(4,6,8,10):(2,3,5,7)", "6:12", "(2,3):(9,5)"),
        ("(4,6,3):(2,3,5)", "6:12", "(2,3):(9,5)"),
        ("(4,2,8):(3,12,97)", "3:3", "3:9"),
    ] {
        assert_eq!(layout(a).composition(&layout(b)), Ok(layout(r)), "{a} o {b}");
    }
    for (a, b) in [
        ("(4,6,8):(2,3,5)", "6:3"),
        ("(4,6,8):(2,3,5)", "6:1"),
        ("(4,2,8):(3,12,97)", "4:3"),
        ("(4,2,8):(3,15,97)", "3:3"),
    ] {
        assert!(
            matches!(layout(a).composition(&layout(b)), Err(Error::ShapeDivisibility { .. })),
            "{a} o {b}"
        );
    }
}

#[test]
fn table_4_thread_value_partitions() {
    let thread_value = layout("((4,8),2):((16,1),8)");
    for (data, result) in [
        ("(8,8):(1,8)", "((4,8),2):((16,1),8)"),
        ("(8,8):(8,1)", "((4,8),2):((2,8),1)"),
        ("(8,8):(1,9)", "((4,8),2):((18,1),9)"),
        ("((4,2),(2,4)):((2,16),(1,8))", "((4,(4,2)),2):((8,(2,16)),1)"),
        ("(8,8):(1@0,1@1)", "((4,8),2):((2@1,1@0),1@1)"),
        ("(8,8):(^1,^9)", "((4,8),2):((^18,^1),^9)"),
    ] {
        assert_eq!(layout(data).composition(&thread_value), Ok(layout(result)), "{data}");
    }
}

#[test]
fn figure_6_is_the_inverse_of_the_thread_value_layout() {
    let inverse = layout("((4,8),2):((16,1),8)").inverse().unwrap();
    for row in 0..8 {
        for column in 0..8 {
            let place = inverse.at(row + 8 * column);
            assert_eq!((place % 32, place / 32), (4 * row + column / 2, column % 2), "({row},{column})");
        }
    }
}

#[test]
fn figure_7_tilers() {
    let data = layout("(8,16):(20,1)");
    // Any of these extracts the first 4x8 of the matrix.
    for same in ["<4,8>", "<4:1,8:1>"] {
        assert_eq!(data.composition_by_mode(&tiler(same)), Ok(layout("(4,8):(20,1)")), "{same}");
    }
    assert_eq!(
        data.composition_by_mode(&Tiler::of_shape(&shape("(4,8)")).unwrap()),
        Ok(layout("(4,8):(20,1)"))
    );
    assert_eq!(data.composition(&layout("(4,8):(1@0,1@1)")), Ok(layout("(4,8):(20,1)")));
    // L o T == L o (M,N):(e0,e1) o T.
    let t = tiler("<4:2,8:2>");
    let coordinates = layout("(8,16):(1@0,1@1)").composition_by_mode(&t).unwrap();
    assert_eq!(data.composition_by_mode(&t), data.composition(&coordinates));
}

#[test]
fn table_5_right_inverses() {
    for (l, r) in [
        ("(4,8):(1,4)", "32:1"),
        ("(4,8):(8,1)", "(8,4):(4,1)"),
        ("(3,7,5):(5,15,1)", "(5,21):(21,1)"),
        ("(4,8):(1,5)", "4:1"),
        ("(4,(4,2)):(4,(1,16))", "(4,4,2):(4,1,16)"),
        ("((2,2),(4,2)):((1,8),(2,16))", "(2,4,2,2):(1,4,2,16)"),
        // The paper prints (2,2):(4,8), whose second value is 0.
        ("((2,2),(2,4)):((0,1),(0,2))", "(2,4):(2,8)"),
        ("((2,2),(2,4)):((0,2),(0,4))", "1:0"),
        ("(4,8):(1@0,1@1)", "(4,8):(1,4)"),
        ("(4,(4,2)):(1@1,(1@0,6@1))", "(4,4):(4,1)"),
        ("(4,(4,3)):(^1,(^5,^16))", "(4,4,3):(^1,^5,^16)"),
    ] {
        assert_eq!(layout(l).right_inverse(), Ok(layout(r)), "{l}");
    }
}

#[test]
fn section_3_4_2_common_vectors() {
    // Both index into 32 contiguous elements.
    assert_eq!(layout("(4,8):(1,4)").right_inverse().unwrap().size(), 32);
    assert_eq!(layout("(4,8):(8,1)").right_inverse().unwrap().size(), 32);
    assert_eq!(layout("(4,8):(1,4)").common_vector(&layout("(4,8):(8,1)")), Ok(1));
    assert_eq!(layout("(8,4):(1,8)").common_layout(&layout("((2,4),4):((1,8),2)")), Ok(layout("2:1")));
    // The coordinates 0, 2, 8, 10 of figure 8b.
    let common =
        layout("((2,2),(2,2)):((4,1),(8,2))").common_layout(&layout("((2,2),(2,2)):((8,1),(4,2))")).unwrap();
    assert_eq!((0..common.size()).map(|k| common.at(k)).collect::<Vec<_>>(), [0, 2, 8, 10]);
}

#[test]
fn table_6_left_inverses() {
    for (l, r) in [
        ("(4,8):(1,4)", "32:1"),
        ("(4,8):(8,1)", "(8,4):(4,1)"),
        ("(3,7,5):(5,15,1)", "(5,21):(21,1)"),
        ("(4,8):(1,5)", "(5,8):(1,4)"),
        ("(4,(4,2)):(4,(1,16))", "(4,4,2):(4,1,16)"),
        ("((2,2),(4,2)):((1,8),(2,16))", "(2,4,2,2):(1,4,2,16)"),
        ("((2,2),(2,4)):((0,2),(0,4))", "(2,2,4):(0,2,8)"),
        // The paper prints (2,2):(4,8).
        ("((2,2),(2,4)):((0,1),(0,2))", "(2,4):(2,8)"),
        ("(4,8):(1@0,1@1)", "(4,8):(1,4)"),
        ("(4,(4,2)):(1@1,(1@0,6@1))", "(4,(6,2)):(4,(1,16))"),
        ("(4,(4,3)):(^1,(^5,^16))", "(4,4,3):(^1,^5,^16)"),
    ] {
        assert_eq!(layout(l).left_inverse(), Ok(layout(r)), "{l}");
    }
}

#[test]
fn section_3_4_4_admissibility() {
    // Do the offsets of the instruction occur in the data, and where?
    let data = layout("(128,64):(16384,1)");
    let instruction = layout("(2,128):(1,16384)");
    let places = data.left_inverse().unwrap().composition(&instruction).unwrap();
    for i in 0..instruction.size() {
        assert_eq!(data.at(places.at(i)), instruction.at(i));
    }
}

#[test]
fn table_7_complements() {
    for (l, r) in [
        ("(4,8):(1,4)", "1:32"),
        ("(4,8):(8,1)", "1:32"),
        ("(4,(4,2)):(4,(1,16))", "1:32"),
        ("(4,8):(1,5)", "1:40"),
        ("(4,8):(1,8)", "(2,1):(4,64)"),
        ("((2,2),(2,4)):((0,1),(0,2))", "1:8"),
        ("((2,2),(2,4)):((0,2),(0,4))", "(2,1):(1,16)"),
        // The paper prints (1,1):(4e0,4e1); 4e1 is an offset of the layout.
        ("(4,8):(1@0,1@1)", "(1,1):(4@0,8@1)"),
        ("(4,(4,2)):(1@1,(1@0,12@1))", "(1,(3,1)):(4@0,(4@1,24@1))"),
    ] {
        assert_eq!(layout(l).complement(), Ok(layout(r)), "{l}");
    }
}

#[test]
fn section_3_5_1_products() {
    let row_major = layout("(3,4):(4,1)").logical_product(&tiler("(2,5):(1,2)"));
    assert_eq!(row_major, Ok(layout("((3,4),(2,5)):((4,1),(12,24))")));
    let interleaved = layout("(4,8):(20,2)").logical_product(&tiler("(3,2):(2,1)"));
    assert_eq!(interleaved, Ok(layout("((4,8),(3,2)):((20,2),(80,1))")));
}

#[test]
fn figures_10_and_11_blocked_and_raked_products() {
    let (tile, grid) = (layout("(3,4):(4,1)"), layout("(2,5):(1,2)"));
    let blocked = tile.blocked_product(&grid).unwrap();
    assert_eq!(blocked, layout("((3,2),(4,5)):((4,12),(1,24))"));
    let raked = tile.raked_product(&grid).unwrap();
    assert_eq!(raked, layout("((2,3),(5,4)):((12,4),(24,1))"));
    // All 120 numbers of each figure.
    for (i, row) in table(&blocked).iter().enumerate() {
        let expected: Vec<i64> =
            (0..20).map(|j| 12 * (i as i64 / 3) + 4 * (i as i64 % 3) + 24 * (j / 4) + j % 4).collect();
        assert_eq!(*row, expected);
    }
    for (i, row) in table(&raked).iter().enumerate() {
        let expected: Vec<i64> =
            (0..20).map(|j| 12 * (i as i64 % 2) + 4 * (i as i64 / 2) + 24 * (j % 5) + j / 5).collect();
        assert_eq!(*row, expected);
    }
    assert_eq!(table(&blocked)[5][19], 119);
    assert_eq!(table(&raked)[0][..6], [0, 24, 48, 72, 96, 1]);
}

#[test]
fn section_3_5_2_divides() {
    assert_eq!(layout("24:3").composition(&layout("8:3")), Ok(layout("8:9")));
    assert_eq!(layout("(6,2,2):(2,1,20)").composition(&layout("8:3")), Ok(layout("(2,2,2):(6,1,20)")));
    assert_eq!(layout("8:3").complement_within(&HTuple::leaf(24)), Ok(layout("3:1")));
    assert_eq!(layout("24:3").logical_divide(&tiler("8:3")), Ok(layout("(8,3):(9,3)")));
    assert_eq!(
        layout("(6,2,2):(2,1,20)").logical_divide(&tiler("8:3")),
        Ok(layout("((2,2,2),3):((6,1,20),2)"))
    );
    let (data, by_mode) = (layout("(8,16):(20,1)"), tiler("<4:1,8:2>"));
    assert_eq!(data.logical_divide(&by_mode), Ok(layout("((4,2),(8,2)):((20,80),(2,1))")));
    assert_eq!(data.zipped_divide(&by_mode), Ok(layout("((4,8),(2,2)):((20,2),(80,1))")));
    // A tiler and its complement have a reflexive generalized inverse, (30) and (31).
    for (tile, size) in [("8:3", 24), ("4:1", 24), ("(2,3):(1,4)", 24), ("(3,2):(8,1)", 48)] {
        let tile = layout(tile);
        let rest = tile.complement_within(&HTuple::leaf(size)).unwrap();
        let star = Layout::concatenate(&[tile, rest]).unwrap();
        let plus = star.left_inverse().unwrap();
        for i in 0..size {
            assert_eq!(star.at(plus.at(star.at(i))), star.at(i), "{star}");
            assert_eq!(plus.at(star.at(plus.at(i))), plus.at(i), "{star}");
        }
    }
    // "The first mode is precisely the composition with the tiler."
    assert_eq!(data.zipped_divide(&by_mode).unwrap().mode(0), data.composition_by_mode(&by_mode));
}
