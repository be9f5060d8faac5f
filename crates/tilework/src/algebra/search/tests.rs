use crate::{Codomain, Error, Layout};
use std::string::ToString;

fn inverse(text: &str) -> Result<Layout, Error> {
    text.parse::<Layout>().unwrap().left_inverse()
}

#[test]
fn an_inverse_is_found() {
    for (layout, expected) in [
        ("(2,2):(2,3)", "(2,3):(1,1)"),
        // Carries cancel.
        ("(2,3):(2,3)", "(2,3,2):(1,1,4)"),
        // A mode of stride 0 has coordinate 0.
        ("(2,5,2):(2,0,3)", "(2,3):(9,1)"),
        ("(2,2):(2@0,3@0)", "((2,3)):((1,1))"),
        ("(2,2,2):(2@0,1@1,3@0)", "((2,3),2):((3,1),2)"),
        // Modes that overlap.
        ("(2,2):(1,1)", "(2,2):(1,3)"),
        ("(3,2):(1,1)", "(2,2):(1,4)"),
        ("(4,2):(1,1)", "(4,2):(1,7)"),
        ("(2,2,2):(0,1,1)", "(2,2):(2,6)"),
        ("(91,78):(1,3)", "(32,2,5,2):(1,120,1736,7096)"),
        // Offsets below 0.
        ("(3,2,3):(-1,0,-3)", "(3,6):(-1,-6)"),
        ("(3,2,3):(-1@0,0,-3@0)", "((3,6)):((-1,-6))"),
        ("2:-1", "2:-1"),
        ("(2,2):(1,-1)", "(2,2):(1,-1)"),
        ("(3,2):(-1,-5)", "(4,2,2):(-1,-2,-6)"),
        // Millions of bounds, in few intervals.
        ("(2,3):(200000,300000)", "(100000,2,3,2):(0,1,1,4)"),
        ("(8,6):(3000001,100000007)", "(50,131,79542):(2223,-1340,1)"),
        // More elements than are enumerated.
        ("(3000,64):(-64,1)", "(64,5998):(3000,-1)"),
        ("(1000,1000,2):(2,2000,3)", "(2,1000001):(999999,1)"),
    ] {
        let inverse = inverse(layout).unwrap();
        assert_eq!(inverse.to_string(), expected, "{layout}");
        let layout: Layout = layout.parse().unwrap();
        if layout.codomain() == Codomain::Integer {
            for offset in (0..layout.size().min(10_000)).map(|k| layout.at(k)) {
                assert_eq!(layout.at(inverse.at(offset)), offset, "{layout} {inverse}");
            }
        }
    }
}

#[test]
fn long_chains_of_bounds() {
    for layout in [
        "(2,2,4):(7000,5000,8000)",
        "(2,2,2,2):(743,216,559,71)",
        "(2,2,2):(1125480,1133591,448120)",
        "(7,5):(191,51)",
        "(2,2,2,2,2,2,2,2,2,2):(768,384,192,96,48,24,12,6,3,2)",
        // A hundred indices for each offset.
        "(18,4,6,8):(^1,^1,^1,^1)",
        "(14,10,16,4):(^2,^2,^8,^1)",
        "(8,3,5,3,2):(-12,12,1,1,4)",
        // Several indices for each offset, in another order after a stride.
        "(6,2):(^3,^5)",
        "(6,3,4):(^3,^3,^1)",
        "(6,9,2):(^3,^1,^3)",
        "(20,7):(^3,^1)",
    ] {
        let layout: Layout = layout.parse().unwrap();
        let inverse = layout.left_inverse().unwrap();
        for offset in (0..layout.size()).map(|k| layout.at(k)) {
            assert_eq!(layout.at(inverse.at(offset)), offset, "{layout} {inverse}");
        }
    }
}

#[test]
fn there_is_none() {
    for layout in
        ["(4,4):(4,7)", "(4,4):(20,55)", "(3,2,3):(46,66,149)", "(16,16):(17,31)", "(6,2,2):(574,20,1160)"]
    {
        assert_eq!(inverse(layout).unwrap_err().code(), "no-inverse", "{layout}");
    }
    // Modes that overlap: the stride that two neighbours determine fails for the others.
    for layout in ["(33,162):(6,14)", "(12,8,24):(^24,^12,^1)", "(5,12,28):(^1,^60,^15)"] {
        assert_eq!(inverse(layout).unwrap_err().code(), "no-inverse", "{layout}");
    }
    // Steps through modes of stride 0 do not help.
    for layout in ["(3,3,3,2):(21,15,0,18)", "(16,16,6):(-28,100,0)", "(32,14,12):(36,77,0)"] {
        assert_eq!(inverse(layout).unwrap_err().code(), "no-inverse", "{layout}");
    }
    // Every offset has indices in a mode of stride 0, of which one is chosen after the other.
    for layout in ["(4,4,5):(0,8,12)", "(4,3,5):(0,5,7)", "(5,4,3):(7,0,5)", "(2,6,3):(0,13,8)"] {
        assert_eq!(inverse(layout).unwrap_err().code(), "no-inverse", "{layout}");
    }
    // Too many chains.
    assert_eq!(inverse("(100,100):(4000,7001)").unwrap_err().code(), "undecided");
    // More elements than are enumerated, and modes that overlap.
    assert_eq!(inverse("(1000,1000):(1,3)").unwrap_err().code(), "undecided");
    // Sums of offsets would not fit.
    let far = Layout::of((2, 2), (i64::MAX, i64::MIN)).unwrap();
    assert_eq!(far.left_inverse().unwrap_err().code(), "undecided");
}

#[test]
fn in_a_constant() {
    const INVERSE: Result<Layout, Error> = crate::layout!((2,3):(2,3)).left_inverse();
    assert_eq!(INVERSE.unwrap().at(8), 5);
}

#[test]
fn modes_that_do_not_move() {
    assert_eq!(inverse("(2,3):(0,0)").unwrap().to_string(), "1:0");
    assert_eq!(inverse("(2,3):(0,2)").unwrap().to_string(), "(2,3):(0,2)");
}

#[test]
fn multiples_of_a_step_across_more_than_64_bits() {
    use super::solutions::Ring;
    for step in [1, 2, 3, 5, 7, 1000, i64::MAX, -3] {
        for first in [i64::MIN, i64::MIN + 1, -4, -1, 0, 1, 9, i64::MAX - 1, i64::MAX] {
            for value in [i64::MIN, i64::MIN + 5, -4, 0, 2, i64::MAX - 7, i64::MAX] {
                let apart = i128::from(value) - i128::from(first);
                let reaches = Ring::Integers.reaches((first, step), value);
                assert_eq!(reaches, apart % i128::from(step) == 0, "{first} {step} {value}");
            }
        }
    }
}
