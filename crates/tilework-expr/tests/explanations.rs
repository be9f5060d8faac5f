//! Explanations name the numbers that decide.

use tilework_expr::{Explanation, FUNCTIONS, Family, Session, search};

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
    contains(&explain("(3,4):(4,1) * (2,5):(1,2)"), &["complement((3,4):(4,1), 120) = 10:12"]);
    contains(&explain("complement(4:2, 24)"), &["2:1", "3:8 up to 24"]);
    contains(&explain("coalesce((2,(1,6)):(1,(6,2)))"), &["extent 1 goes", "merged", "12:1"]);
    contains(&explain("(((2,2),(4,2)):((1,8),(2,16)))(2,5)"), &["((0,1),(1,1))", "= 26"]);
    contains(&explain("Sw<3,4,3>(0x80)"), &["0b10000000", "= 144"]);
    contains(&explain("right_inverse((4,8):(8,1))"), &["L(R(i))", "(8,4):(4,1)"]);
    contains(&explain("let A = 4:1; A"), &["size 4"]);
}

#[test]
fn a_question_says_why() {
    for (text, reason) in [
        ("congruent((4,8), (4,(2,4)))", "at leaf 1 the first has an integer, and the second a tuple of 2"),
        (
            "weakly_congruent((1,2), (1,2,3))",
            "at leaf 0 the first has a tuple of 2, and the second a tuple of 3",
        ),
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
        ("equivalent(Sw<1,0,1> o 4:1, Sw<1,0,2> o 4:1)", "the swizzles or the offsets differ"),
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

/// The notes' test beside the exact one: enough, stricter, and failed like it.
#[test]
fn a_composition_shows_its_intervals() {
    let enough = &["4:1", "[1,3]", "2:4", "[4,4]", "that is enough"];
    contains(&explain("is_composable((4,6,8):(2,3,5), (4,2):(1,4))"), enough);
    contains(&explain("is_composable((4,2,8):(3,12,97), 3:3)"), &["it is stricter than the exact one"]);
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
