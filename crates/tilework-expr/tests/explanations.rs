//! Explanations name the numbers that decide.

use testkit::Random;
use tilework_expr::{Explanation, FUNCTIONS, Family, Section, Session, search};

fn explain(expression: &str) -> Explanation {
    match Session::new().explain(expression) {
        Ok(explanation) => explanation,
        Err(error) => panic!("{expression}: {error}"),
    }
}

fn contains(explanation: &Explanation, parts: &[&str]) {
    let text = explanation.to_string();
    for part in parts {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
}

#[test]
fn a_composition_divides_out_and_keeps() {
    let explanation = explain("(4,6,8,10):(2,3,5,7) o 6:12");
    assert_eq!(explanation.outcome, Ok("(2,3):(9,5)".into()));
    assert_eq!(explanation.operation, "composition");
    contains(
        &explanation,
        &[
            "12 divides out all 4 of 4:2 and 3 of 6:3; left are 2:9, 8:5, 10:7",
            "2 of 6",
            "2 * (12 mod 24) = 24",
            "Carry test",
        ],
    );
}

#[test]
fn a_refusal_shows_where_it_would_be_wrong_and_what_would_fit() {
    let explanation = explain("(4,6,8):(2,3,5) o 6:1");
    assert!(explanation.outcome.is_err_and(|error| error.code == "shape-divisibility"));
    contains(
        &explain("(4,6,8):(2,3,5) o 6:1"),
        &["wrong first at 4: B gives 4, A(4) = 3", "These would fit: 4:1, 8:1."],
    );
    contains(
        &explain("(6,2):(1,7) o (3,2):(2,3)"),
        &["2*2 (leaf 0) + 3*1 (leaf 1) = 7", "carries", "wrong first at (2,1)", "(2,2):(2,3)"],
    );
}

#[test]
fn the_other_families_follow_their_definitions() {
    contains(&explain("(6,2,2):(2,1,20) / 8:3"), &["complement(8:3, 24) = 3:1", "((2,2,2),3):((6,1,20),2)"]);
    contains(&explain("(3,4):(4,1) * (2,5):(1,2)"), &["complement((3,4):(4,1)) = 1:12", "(2,5):(12,24)"]);
    contains(&explain("complement(4:2, 24)"), &["2:1", "3:8 up to 24"]);
    contains(&explain("coalesce((2,(1,6)):(1,(6,2)))"), &["extent 1 goes", "merged", "12:1"]);
    contains(&explain("(((2,2),(4,2)):((1,8),(2,16)))(2,5)"), &["((0,1),(1,1))", "= 26"]);
    contains(&explain("Sw<3,4,3>(0x80)"), &["0b10000000", "= 144"]);
    contains(&explain("right_inverse((4,8):(8,1))"), &["L(R(k))", "(8,4):(4,1)"]);
    contains(&explain("let A = 4:1; A"), &["size 4"]);
}

#[test]
fn a_question_says_why() {
    for (text, reason) in [
        ("congruent((4,8), (4,(2,4)))", "at leaf 1 the first has an integer, and the second a tuple of 2"),
        ("weakly_congruent((1,2), (1,2,3))", "the first has a tuple of 2, and the second a tuple of 3"),
        (
            "compatible((2,(3,5)), ((3,2),5))",
            "at leaf 1 the first has a tuple of 2, and the second an integer",
        ),
        (
            "compatible((2,15), (2,(3,4)))",
            "leaf 1 of the first is 15, and its mode of the second has the size 12",
        ),
        ("compatible((4,16), (4,(8,2)))", "each leaf of the first is the size of its mode"),
        (
            "in_bounds((6,1), ((2,3),2))",
            "leaf 0 of the first is 6, and its mode of the second has the size 6",
        ),
        ("in_bounds((-1,1), ((2,3),2))", "leaf 0 of the first is -1"),
        ("in_bounds((0,0), ((2,3),2))", "Yes, because"),
        ("equivalent((4,2):(1,4), (4,2):(1,5))", "at the index 4 the first is 4, and the second 5"),
        ("equivalent(Sw<1,0,1> o 4:1, Sw<1,0,2> o 4:1)", "at the index 2 the first is 3, and the second 2"),
        ("is_injective((4,8):(1,3))", "(3,0) and (0,1) have the same offset, 3"),
        ("is_injective(Sw<1,0,2> o (4,8):(1,3))", "(3,0) and (0,1) have the same offset, 3"),
        ("is_injective((4,8):(e0,2e0))", "have the same offset, (2)"),
        ("is_injective((4,8):(8,1))", "in order of size, each stride is larger"),
        ("is_surjective((4,8):(1,5))", "no coordinate has the offset 4"),
        ("is_surjective((4,8):(-1,4))", "(3,0) has the offset -3, which is negative"),
        ("is_bijective((4,8):(1,3))", "(3,0) and (0,1) have the same offset, 3"),
        ("is_compact((3,7,5):(5,15,1))", "the offsets leave no gap, and no two coordinates share one"),
        ("is_increasing((4,8):(8,1))", "(3,0) has the offset 24, and the next coordinate, (0,1), has 1"),
        ("is_disjoint((4,8):(16,2), {5} o 4:1)", "of the second have the offset 6"),
        (
            "is_disjoint({0} o (4,8):(16,2), {1} o (4,8):(16,2))",
            "a common divisor that does not divide the distance",
        ),
        (
            "admits((128,1):(16384,0), (2,128):(1,16384))",
            "(1,0) of the second has the offset 1, which the first does not have",
        ),
        ("admits((128,64):(16384,1), (2,128):(1,16384))", "(2,128):(128,1)"),
        ("is_complementable((2,2):(2,3))", "the mode 2:2 and the one of stride 3 interleave"),
        ("is_complementable(4:2, 20)", "4 * 6 offsets are not 20"),
        ("is_complementable(4:2, 24)", "Yes, because"),
        ("is_contiguous((4,8):(8,1))", "the index 1 has the offset 8"),
        ("is_sorted((2,(4,3)):(1,(2,-1)))", "leaf 2, 3:-1, belongs before leaf 1, 4:2"),
        (
            "is_left_divisible((4,6), 16)",
            "16 divided by the extents before leaf 1 is 4, and the extent there 6, of which it is a part, but no divisor",
        ),
        (
            "is_weakly_left_divisible((4,6), 6)",
            "before leaf 0 is 6, and the extent there 4, of which it is no multiple",
        ),
        (
            "is_weakly_left_divisible((4,6), 32)",
            "before leaf 1 is 8, and the extent there 6, the last, which ends before",
        ),
        ("fits((4,8):(1000,-1), 10)", "the offsets are from -7 to 3000"),
        ("is_complementable((4,4):((e0+e1),e1))", "along each component"),
        ("is_vector((6,4):(1,16), 4)", "the extent of 6:1 is no multiple of 4"),
        ("is_vector((8,4):(1,18), 4)", "the stride of 4:18 is no multiple of 4"),
        (
            "is_vector({2} o (8,4):(1,16), 4)",
            "the offset, or what the swizzle keeps together, is no multiple of 4",
        ),
    ] {
        contains(&explain(text), &[reason]);
    }
    for function in FUNCTIONS.iter().filter(|function| function.family() == Family::Predicates) {
        for (example, _) in function.examples() {
            let text = explain(example).to_string();
            assert!(text.contains("because") || text.contains("\nRefused:"), "no reason in\n{text}");
        }
    }
}

/// For which sizes, by which theorem; and where it fails, with what is wrong there.
#[test]
fn a_question_with_names_says_why_and_for_which_sizes() {
    for (text, reasons) in [
        (
            "is_injective((M,4):(1,M))",
            &["Yes for all values, because", "each stride is larger than all steps"][..],
        ),
        (
            "is_injective((M,4):(1,2))",
            &["Yes where M <= 2, because", "M = 3", "(2,0) and (0,1) have the same offset, 2"],
        ),
        (
            "is_injective((M,4):(1,0))",
            &["No for all values, because", "at M = 2: (0,0) and (0,1) have the same offset, 0"],
        ),
        ("is_surjective((M,4):(1,2*M))", &["at M = 2: no coordinate has the offset 2"]),
        ("is_compact((M,4):(1,M))", &["Yes for all values, because", "the offsets leave no gap"]),
        ("is_increasing((M,4):(4,1))", &["(1,0) has the offset 4, and the next coordinate, (0,1), has 1"]),
        ("congruent((M,4), (M,(2,2)))", &["at leaf 1 the first has an integer, and the second a tuple of 2"]),
        ("weakly_congruent((M,4), (M,2))", &["Yes for all values, because", "definition 2.4"]),
        ("equivalent((M,4):(1,M), 4*M:2)", &["at the index 1 the first is 1, and the second 2"]),
        (
            "is_composable((M,K):(1,ld), 128)",
            &["Yes where ld == M or M >= 128, because", "A o B is 128:1", "the left layout changes its step"],
        ),
        ("fits((M,4):(1,M), 31)", &["M = 536870913", "the offsets are from 0 to 2147483651"]),
    ] {
        let explanation = explain(&format!("assume M >= 1; {text}"));
        contains(&explanation, reasons);
        assert!(!explanation.to_string().contains("the layout is the one at the witness"), "{explanation}");
    }
    let mut answers = 0;
    for function in FUNCTIONS.iter().filter(|function| function.family() == Family::Predicates) {
        for operands in [
            "(M,4):(1,M)",
            "(M,K):(ld,1)",
            "(M,4):(2,0)",
            "(M,4):(1,M), 4*M:1",
            "(M,8):(1,ld), 8:1",
            "(M,4), (M,(2,2))",
            "(M,K):(1,M), 3",
        ] {
            let text = format!("assume M >= 1; {}({operands})", function.name());
            let Ok(explanation) = Session::new().explain(&text) else { continue };
            if explanation.outcome.is_ok() {
                answers += 1;
                let said = explanation.to_string();
                assert!(said.contains("because") || said.contains("fails at"), "{said}");
            }
        }
    }
    assert!(answers > 30, "{answers}");
}

/// What takes each mode on its own is explained as each mode alone.
#[test]
fn by_mode_is_explained_mode_by_mode() {
    let mut found = 0;
    for function in
        FUNCTIONS.iter().filter(|function| function.forms().iter().any(|form| form.ends_with("<_,_>)")))
    {
        let name = function.name();
        for profile in ["<_,_>", "<*,*>", "(_,_)"] {
            found += 1;
            let alone = ["2:3", "(1,6):(6,2)"].iter().enumerate().flat_map(|(mode, layout)| {
                let sections = explain(&format!("{name}({layout})")).sections;
                sections.into_iter().map(move |section| {
                    (format!("mode {mode}: {}", section.title), section.lines, section.table)
                })
            });
            let both = explain(&format!("{name}((2,(1,6)):(3,(6,2)), {profile})")).sections.into_iter();
            let both = both.map(|section| (section.title, section.lines, section.table));
            assert_eq!(both.collect::<Vec<_>>(), alone.collect::<Vec<_>>(), "{name}, {profile}");
        }
    }
    assert!(found >= 15);
}

/// Layouts of coordinates, along one component and several: what has a value is explained, says nowhere that something is refused, and
/// the numbers are right: the gaps are the complement, and an inverse leads back.
#[test]
fn layouts_of_coordinates_are_explained() {
    let mut random = Random::named("explanations of coordinates");
    let mut term = |several: bool| {
        let own = |count: i64, axis: i64| format!("{count}@{axis}");
        let first = random.range(0, 2);
        let one = own(random.range(1, 4), first);
        match several && random.once_in(2) {
            true => format!("({one}+{})", own(random.range(1, 3), (first + 1) % 3)),
            false => one,
        }
    };
    let mut layouts = vec![
        String::from("(4,8):(1@0,1@1)"),
        "(4,(4,2)):(1@1,(1@0,6@1))".into(),
        "((2,2),3):((1@0@0,1@1@0),1@1)".into(),
    ];
    for case in 0..12 {
        layouts.push(format!("(2,(3,2)):({},({},{}))", term(case > 4), term(case > 4), term(case > 4)));
    }
    let (mut values, mut gaps, mut rows) = (0, 0, 0);
    for layout in &layouts {
        for function in FUNCTIONS.iter().filter(|function| function.family() != Family::Instructions) {
            for rest in [
                "",
                ", 2",
                ", <2,2>",
                ", 4:1",
                ", (2,2):(2,1), 1",
                ", (_,_)",
                ", (8,8)",
                ", (8,8,8)",
                &format!(", {layout}"),
            ] {
                let text = format!("{}({layout}{rest})", function.name());
                let Ok(explanation) = Session::new().explain(&text) else { continue };
                let Ok(value) = &explanation.outcome else { continue };
                values += 1;
                let said = |section: &Section| {
                    !section.lines.is_empty()
                        || section.table.as_ref().is_some_and(|table| !table.rows.is_empty())
                };
                assert!(explanation.sections.iter().any(said), "{explanation}");
                let sections: String =
                    explanation.sections.iter().flat_map(|section| section.lines.clone()).collect();
                assert!(value == "false" || !sections.contains("refused"), "{explanation}");
                let tables = explanation.sections.iter().filter_map(|section| section.table.as_ref());
                for table in tables.clone().filter(|table| table.header[2] == "L(R(k))") {
                    rows += table.rows.len();
                    assert!(table.rows.iter().all(|row| row[0] == row[2]), "{explanation}");
                }
                if function.name() == "complement" && !rest.contains('_') {
                    gaps += 1;
                    let filled = tables
                        .flat_map(|table| &table.rows)
                        .filter_map(|row| row[2].split([',', ' ']).next());
                    let mut filled: Vec<&str> = filled
                        .filter(|gap| gap.contains(':') && !gap.starts_with("1:") && !gap.starts_with("none"))
                        .collect();
                    let mut session = Session::new();
                    let value = session.evaluate(&format!("flatten({value})")).unwrap();
                    let leaves = value.domain().unwrap().leaves().iter().filter(|leaf| leaf.extent > 1);
                    let mut leaves: Vec<String> =
                        leaves.map(|leaf| format!("{}:{}", leaf.extent, leaf.stride)).collect();
                    filled.sort_unstable();
                    leaves.sort_unstable();
                    assert_eq!(filled, leaves, "{explanation}");
                }
            }
        }
    }
    assert!(values > 500 && gaps > 15 && rows > 50, "{values}, {gaps}, {rows}");
}

/// The notes' test beside the exact one: enough, stricter, and failed like it.
#[test]
fn a_composition_shows_its_intervals() {
    let enough = &["4:1", "[1,3]", "2:4", "[4,4]", "that is enough"];
    contains(&explain("is_composable((4,6,8):(2,3,5), (4,2):(1,4))"), enough);
    contains(&explain("is_composable((4,2,8):(3,12,97), 3:3)"), &["it is stricter than the exact one"]);
    let carried = explain("is_composable((3,6,4):(23,4,1), (4,2,2):(9,3,6))");
    contains(&carried, &["it is not: the exact test above fails"]);
    assert!(!carried.to_string().contains("that is enough"));
    let failed = &["no", "fail this test too", "A changes its step, 8:3 fits"];
    contains(&explain("is_composable((4,6,8):(2,3,5), 6:3)"), &failed[..2]);
    contains(&explain("is_composable((4,6):(1,5), (4,2):(1,1))"), &["[1,3]", "[1,1]", "fail this test too"]);
}

#[test]
fn operands_are_evaluated_first() {
    let explanation = explain("let A = (8,8):(8,1); A o coalesce((4,2):(1,4))");
    assert_eq!(explanation.operands[0], ("A".into(), "(8,8):(8,1)".into()));
    assert_eq!(explanation.operands[1].1, "8:1");
    assert!(Session::new().explain("size(complement((3,3):(9,8), 85))").is_err());
}

#[test]
fn a_trace_goes_from_the_inside_out_and_ends_where_it_fails() {
    let done = |text: &str| -> Vec<String> {
        let trace = Session::new().trace(text);
        let one = |operation: &tilework_expr::Operation| {
            let value =
                operation.outcome().map_or_else(|error| error.code.to_string(), |value| value.to_string());
            format!("{} {} {value}", &text[operation.span()], operation.name())
        };
        trace.operations.iter().map(one).collect()
    };
    assert_eq!(
        done("let A = (8,8):(8,1); size(A o 4:1)"),
        ["A o 4:1 composition 4:8", "size(A o 4:1) size 4"]
    );
    assert_eq!(done("((4,8):(8,1))(2,5)"), ["((4,8):(8,1))(2,5) application 21"]);
    assert_eq!(done("(4,8)"), ["(4,8) value (4,8)"]);
    assert_eq!(done("size(4:1 o"), [""; 0]);
    assert_eq!(done("size((4,6,8):(2,3,5) o 6:1)"), ["(4,6,8):(2,3,5) o 6:1 composition shape-divisibility"]);
}

/// The search for a larger extent that would fit ends with the integers; it began again at the smallest.
#[test]
fn no_extent_is_larger_than_the_largest() {
    let text = "zipped_divide((2147483648,3037000500):(2,0), 9223372036854775807)";
    assert!(Session::new().explain(text).is_ok());
}

#[test]
fn every_function_is_explained() {
    for function in FUNCTIONS {
        assert!(!function.definition().is_empty(), "{}", function.name());
        for (example, result) in function.examples() {
            let explanation = explain(example);
            assert_eq!(explanation.outcome.as_deref(), Ok(*result), "{example}");
            let says = explanation.sections.iter().any(|section| {
                let table = section.table.as_ref().is_some_and(|table| !table.rows.is_empty());
                section.lines.iter().any(|line| !line.is_empty()) || table
            });
            assert!(says, "{example} is not explained");
        }
    }
    contains(&explain("row_major((4,8))"), &["the last of its 32 coordinates, (3,7), has the offset 31"]);
}

#[test]
fn a_function_tells_all_there_is_to_know() {
    let text = tilework_expr::find("max_common_vector").unwrap().to_string();
    for part in ["how many elements", "definition: ", "C++ CuTe: max_common_vector", "example: ", "refuses: "]
    {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    let names = |words| search(words).iter().map(|function| function.name()).collect::<Vec<_>>();
    assert_eq!(names("MAX_COMMON"), ["max_common_layout", "max_common_vector"]);
    assert_eq!(names("no such thing"), <[&str; 0]>::default());
}

/// A refused offset or coordinate says which nesting is wanted.
#[test]
fn a_wrong_nesting_says_which_is_right() {
    for (text, reasons) in [
        ("{5} o 4:e0", &["the last offset of L is (3)"][..]),
        ("{5} o (4,4):(e0,e1)", &["the last offset of L is (3,3)"]),
        ("((4,4):(1,4))(1,(2,3))", &["(1,(2,3)) is no coordinate of the shape (4,4)"]),
        ("((4,4):(1,4))(1,2,3)", &["(1,2,3) is no coordinate of the shape (4,4)"]),
        ("((4,(2,2)):(1,(4,8)))((1,2),3)", &["is no coordinate of the shape (4,(2,2))"]),
    ] {
        contains(&explain(text), reasons);
    }
}

/// The witness of an explanation is among the values for which the explained answer holds.
#[test]
fn the_witness_fulfils_the_condition() {
    for (before, text) in [
        ("", "(M,K):(1,ld) o 128:1"),
        ("let A = (M,K):(1,ld) if M <= 100; ", "coalesce(A)"),
        ("let A = (M,K):(1,ld) if M <= 100 and K >= 3; ", "A o 4:1"),
        ("let A = (M,4):(1,M) if M == 8 or M == 12; ", "A o 4:1"),
        ("let A = (M,4):(1,M); ", "A / (12-M)"),
        ("assume M >= 1; hint M = 64; ", "(M,K):(1,ld) o 128:1"),
    ] {
        let explanation = Session::new().explain(&format!("{before}{text}")).unwrap().to_string();
        let (_, witness) =
            explanation.split_once("the layout is the one at the witness ").expect("a witness");
        let values = witness.lines().next().unwrap();
        let at =
            Session::new().evaluate(&format!("{before}({text}) at {values}")).map(|value| value.to_string());
        assert!(at.is_ok(), "{before}{text} at {values}: {at:?}");
    }
}
