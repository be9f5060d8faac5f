//! Index formulas: what is found has the formula's values at every coordinate, and where nothing is found there is nothing.

use testkit::Random;
use tilework::{HTuple, Layout, Swizzle};
use tilework_expr::{Session, Value};

/// A formula of two names as text, and its value.
enum Tree {
    Number(i64),
    Name(usize),
    Binary(&'static str, Box<Tree>, Box<Tree>),
}

const NAMES: [&str; 3] = ["i", "lane", "threadIdx.x"];

impl Tree {
    fn random(rng: &mut Random, depth: usize) -> Tree {
        if depth == 0 || rng.once_in(5) {
            return match rng.once_in(3) {
                true => Tree::Number(*rng.pick(&[0, 1, 2, 3, 4, 7, 8, 16])),
                false => Tree::Name(rng.range(0, 2)),
            };
        }
        let operator = *rng.pick(&["+", "+", "-", "*", "/", "//", "%", "%", "<<", ">>", "&", "|", "^", "^"]);
        let left = Tree::random(rng, depth - 1);
        // What divides or shifts is mostly a number.
        let right = match operator {
            "/" | "//" | "%" => Tree::Number(*rng.pick(&[1, 2, 3, 4, 8])),
            "<<" | ">>" => Tree::Number(rng.range(0, 3) as i64),
            "&" if rng.once_in(2) => Tree::Number(*rng.pick(&[1, 3, 7, 12])),
            _ => Tree::random(rng, depth - 1),
        };
        Tree::Binary(operator, Box::new(left), Box::new(right))
    }

    /// With parentheses where C and Python need them, and sometimes where they do not.
    fn text(&self, rng: &mut Random, above: usize) -> String {
        match self {
            Tree::Number(16) => "0x10".into(),
            Tree::Number(number) => number.to_string(),
            Tree::Name(name) => NAMES[*name].into(),
            Tree::Binary(operator, left, right) => {
                let levels = [&["|"][..], &["^"], &["&"], &["<<", ">>"], &["+", "-"], &["*", "/", "//", "%"]];
                let level = 1 + levels.iter().position(|own| own.contains(operator)).unwrap();
                let space = if rng.once_in(2) { " " } else { "" };
                let (left, right) = (left.text(rng, level), right.text(rng, level + 1));
                let text = format!("{left}{space}{operator}{space}{right}");
                if level < above || rng.once_in(4) { format!("({text})") } else { text }
            }
        }
    }

    fn value(&self, at: &[i64]) -> Option<i64> {
        let (operator, left, right) = match self {
            Tree::Number(number) => return Some(*number),
            Tree::Name(name) => return Some(at[*name]),
            Tree::Binary(operator, left, right) => (*operator, left.value(at)?, right.value(at)?),
        };
        Some(match operator {
            "+" => left + right,
            "-" => left - right,
            "*" => left.checked_mul(right)?,
            "/" | "//" if left >= 0 => left / right,
            "%" if left >= 0 => left % right,
            "<<" => left.checked_mul(1 << right)?,
            ">>" => left >> right,
            "&" => left & right,
            "|" => left | right,
            "^" => left ^ right,
            _ => return None,
        })
    }
}

fn coordinates(extents: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![vec![]];
    for &extent in extents {
        all = (0..extent)
            .flat_map(|index| all.iter().map(move |own: &Vec<i64>| [own.clone(), vec![index]].concat()))
            .collect();
    }
    all
}

/// Whether a layout with a mode of each extent has these values: with integers each mode is a sum of multiples at its factors, with XORs of
/// powers of two the XOR of what the bits have.
fn has_layout(extents: &[i64], values: &[i64]) -> bool {
    fn splits(extent: i64) -> Vec<Vec<i64>> {
        let mut all = vec![vec![extent]];
        for first in (2..extent).filter(|first| extent % first == 0) {
            all.extend(splits(extent / first).into_iter().map(|rest| [vec![first], rest].concat()));
        }
        all
    }
    let weights: Vec<i64> =
        extents.iter().scan(1, |size, extent| Some(std::mem::replace(size, *size * extent))).collect();
    let integer = |split: &[Vec<i64>]| {
        coordinates(extents).iter().zip(values).all(|(at, value)| {
            let mut sum = values[0];
            for ((&index, split), weight) in at.iter().zip(split).zip(&weights) {
                let (mut rest, mut step) = (index, 1);
                for &factor in split {
                    sum += rest % factor * (values[(weight * step) as usize % values.len()] - values[0]);
                    rest /= factor;
                    step *= factor;
                }
            }
            sum == *value
        })
    };
    let choices = extents.iter().fold(vec![vec![]], |all: Vec<Vec<Vec<i64>>>, &extent| {
        all.iter()
            .flat_map(|own| splits(extent).into_iter().map(move |split| [own.clone(), vec![split]].concat()))
            .collect()
    });
    let is_xor = values.len().is_power_of_two()
        && (0..values.len()).all(|index| {
            let bits = (0..63).filter(|bit| index >> bit & 1 == 1);
            bits.fold(values[0], |sum, bit| sum ^ values[1 << bit] ^ values[0]) == values[index]
        });
    is_xor && values.iter().all(|value| value ^ values[0] >= 0) || choices.iter().any(|split| integer(split))
}

#[test]
fn formulas_are_layouts_where_there_is_one() {
    let mut rng = Random::named("index formulas");
    let (mut found, mut swizzled, mut refused) = (0, 0, 0);
    for _ in 0..6000 {
        let extents: Vec<i64> = (0..3).map(|_| *rng.pick(&[1, 2, 3, 4, 4, 6, 8, 8])).collect();
        let depth = rng.range(1, 4);
        let tree = Tree::random(&mut rng, depth);
        let bounds: Vec<String> =
            NAMES.iter().zip(&extents).map(|(name, extent)| format!("{name} < {extent}")).collect();
        let text = format!("from_formula({}, {})", tree.text(&mut rng, 0), bounds.join(", "));
        let all = coordinates(&extents);
        let values: Option<Vec<i64>> = all.iter().map(|at| tree.value(at)).collect();
        let mut session = Session::new();
        let answer = session.evaluate(&text);
        let Some(values) = values else {
            let error = answer.expect_err(&text);
            assert!(["argument", "overflow"].contains(&error.code), "{text}: {error}");
            continue;
        };
        match answer {
            Ok(answer) => {
                found += 1;
                swizzled += usize::from(matches!(answer, Value::Composed(_)));
                for (at, value) in all.iter().zip(&values) {
                    let offset = answer.evaluate(
                        &HTuple::tuple(&at.iter().map(|own| HTuple::leaf(*own)).collect::<Vec<_>>()).unwrap(),
                    );
                    let offset = offset
                        .unwrap()
                        .unwrap_or_else(|error| panic!("{text} = {answer} at {at:?}: {error}"));
                    assert_eq!(offset.leaves()[0].numerator(), *value, "{text} = {answer} at {at:?}");
                }
                assert_eq!(answer.domain().map(Layout::rank), Some(3), "{text} = {answer}");
            }
            Err(error) => {
                refused += 1;
                assert_eq!(error.code, "not-xor-linear", "{text}: {error}");
                assert!(!has_layout(&extents, &values), "{text}: {error}");
            }
        }
    }
    println!("{found} layouts, {swizzled} of them with a swizzle, {refused} refused");
    assert!(found > 500 && swizzled > 0 && refused > 500, "{found} {swizzled} {refused}");
}

#[test]
fn swizzled_formulas_are_swizzled_layouts() {
    let mut rng = Random::named("swizzled formulas");
    for _ in 0..300 {
        let (rows, columns) = (*rng.pick(&[8, 16, 24, 64]), *rng.pick(&[8, 16, 32, 64]));
        let (bits, base) = (rng.range(1, 3), rng.range(0, 3));
        let shift = rng.range(bits, 4);
        let swizzle = Swizzle::new(bits, base, shift).unwrap();
        let x = format!("(row*{columns} + col)");
        let text = format!(
            "from_formula({x} ^ ({x} >> {} & {}) << {base}, row < {rows}, col < {columns})",
            base + shift,
            (1 << bits) - 1
        );
        let answer = Session::new().evaluate(&text).unwrap_or_else(|error| panic!("{text}: {error}")).clone();
        for row in 0..rows {
            for column in 0..columns {
                let offset =
                    answer.evaluate(&HTuple::tuple(&[HTuple::leaf(row), HTuple::leaf(column)]).unwrap());
                let expected = swizzle.apply(row * columns + column).unwrap();
                assert_eq!(offset.unwrap().unwrap().leaves()[0].numerator(), expected, "{text} = {answer}");
            }
        }
    }
}

#[test]
fn formulas_of_kernels() {
    let value = |text: &str| {
        Session::new().evaluate(text).map(ToString::to_string).unwrap_or_else(|error| format!("{error}"))
    };
    for (text, expected) in [
        ("from_formula(i*8 + j%8, i < 16, j < 8)", "(16,8):(8,1)"),
        ("from_formula((i//4)*32 + i%4*2 + j, i < 8, j < 2)", "((4,2),2):((2,32),1)"),
        ("from_formula(row*2048 + col, row < 2048, col < 2048)", "(2048,2048):(2048,1)"),
        ("from_formula(tid % 32 / 4 * 8 + tid / 32 * 64 + (tid & 3) * 2, tid < 128)", "128:2"),
        (
            "from_formula(row*64 + ((col >> 3 ^ row & 7) << 3 | col & 7), row < 64, col < 64)",
            "Sw<3,3,3> o 0 o (64,64):(64,1)",
        ),
        ("from_formula(16 + i*2u, i < 4)", "{16} o 4:2"),
        ("from_formula(7, i < 4, j < 2)", "{7} o (4,2):(0,0)"),
        ("from_formula(N*i + j, N = 1 << 3, i < 8, j < N)", "(8,8):(8,1)"),
        ("let S = from_formula(i*8 + j, i < 4, j < 8); S(2,5)", "21"),
        (
            "from_formula(0, i < 1000000000000)",
            "limit: from_formula evaluates at each coordinate, of 4194304 at most; here are 1000000000000",
        ),
        (
            "from_formula(i % 3, i < 4)",
            "not-xor-linear: no layout has these offsets: i = 3 has 0, and integer strides that are right before it give 3; XOR strides are right before i = 3",
        ),
        (
            "from_formula(i*j, i < 3, j < 3)",
            "not-xor-linear: no layout has these offsets: i = 1, j = 1 has 1, and integer strides that are right before it give 0; XOR strides have not these offsets either",
        ),
        (
            "from_formula((i - 1) / 2, i < 4)",
            "argument: -1 and 2 are divided, which C rounds towards 0 and Python down at i = 0",
        ),
        (
            "from_formula((i + 6*j) % 4 + (i + 6*j) / 4 * 8, i < 6, j < 4)",
            "not-xor-linear: no layout has a mode for each name: all coordinates in turn, the first name fastest, are {0} o (4,6):(1,8)",
        ),
        (
            "from_formula(row*64 + (col ^ (row & 7) << 3), row < 96, col < 64)",
            "Sw<3,3,3> o 0 o (96,64):(64,1)",
        ),
        ("from_formula(i*8 + k, i < 4)", "name: `k` has no extent; write `, k < 16` behind the formula"),
        ("from_formula(i*8 + , i < 4)", "syntax: expected a number or a name, found `,`"),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
    for (text, span) in [
        ("from_formula(i*8 + k, i < 4)", 19..20),
        ("from_formula(i*8 + (j, i < 4)", 29..29),
        ("from_formula(\"i/0, i < 4\")", 15..16),
    ] {
        let error = Session::new().evaluate(text).unwrap_err();
        assert_eq!(error.span, span, "{text}: {error}");
    }
    for text in ["i*8 + j%8", "(i//4)*32 + i%4*2 + j", "(lane >> 2)*8 + (lane & 3)"] {
        let error = Session::new().evaluate(text).unwrap_err();
        let help = error.help.unwrap_or_default();
        let call = &help[help.find("from_formula(").unwrap_or_else(|| panic!("{text}: {help}"))..];
        let call = &call[..call.rfind(')').unwrap() + 1];
        assert!(Session::new().evaluate(call).is_ok(), "{call}");
    }
    for nested in ["(", "-", "i+", "(i^", "i,i<"] {
        let error = Session::new()
            .evaluate(&format!("from_formula({})", nested.repeat(60_000 / nested.len())))
            .unwrap_err();
        assert!(["limit", "syntax", "extent", "name"].contains(&error.code), "{nested}: {error}");
    }
}
