//! A reason is true: every witness is evaluated, and there is one exactly where enumeration says no.

use crate::random::Random;
use std::collections::BTreeSet;
use tilework::{AnyLayout, Composed, Error, Layout, Offset, Offsets, Rational, Reason, Shape, Swizzle, View};

/// Strides of each codomain; in the last two, two components.
const STRIDES: [fn(&mut Random) -> String; 6] = [
    |rng| rng.range(0, 9).to_string(),
    |rng| rng.range(-9, 9).to_string(),
    |rng| format!("{}/2", rng.range(-5, 5)),
    |rng| format!("^{}", rng.range(0, 12)),
    |rng| format!("{}@{}", rng.range(-3, 3), rng.range(0, 1)),
    |rng| format!("({}@0{:+}@1)", rng.range(1, 3), 2 * rng.range(-2, 1) + 1),
];

fn layout(rng: &mut Random, stride: fn(&mut Random) -> String) -> Option<Layout> {
    let extents: Vec<i128> = (0..rng.range(1, 4)).map(|_| rng.range(1, 5)).collect();
    let strides: Vec<String> = extents.iter().map(|_| stride(rng)).collect();
    let extents: Vec<String> = extents.iter().map(i128::to_string).collect();
    let list = |items: &[String]| match items {
        [a, b, rest @ ..] if !rest.is_empty() => format!("(({a},{b}),{})", rest.join(",")),
        _ => format!("({})", items.join(",")),
    };
    format!("{}:{}", list(&extents), list(&strides)).parse().ok()
}

fn all<T>(size: i64, at: impl Fn(i64) -> Result<T, Error>) -> Vec<T> {
    (0..size).map(|index| at(index).unwrap()).collect()
}

/// The components of each value; a component that no stride has is 0.
fn texts(values: &[Offset]) -> Vec<String> {
    let component = |value: &Offset, index| value.leaves().get(index).map_or("0".into(), Rational::to_string);
    values.iter().map(|value| [0, 1].map(|index| component(value, index)).join(",")).collect()
}

/// How often each answer was yes, no, and undecided.
#[derive(Default, Debug)]
struct Counts([usize; 3]);

impl Counts {
    /// The reason, if there is one, and that it says what is true.
    fn of(&mut self, reason: Result<Reason, Error>, truth: bool, what: &str) -> Option<Reason> {
        let reason = match reason {
            Ok(reason) => reason,
            Err(Error::Undecided { .. }) => {
                self.0[2] += 1;
                return None;
            }
            Err(error) => panic!("{what}: {error}"),
        };
        assert_eq!(reason.holds(), truth, "{what}: {reason:?}");
        self.0[!truth as usize] += 1;
        (!truth).then_some(reason)
    }

    fn are_enough(&self, what: &str) {
        let Counts([yes, no, undecided]) = self;
        assert!(*yes > 20 && *no > 20 && undecided * 100 <= yes + no, "{what}: {self:?}");
    }
}

#[test]
fn two_coordinates_share_an_offset() {
    let (mut rng, mut counts) = (Random::new(11), Counts::default());
    for case in 0..3000 {
        let Some(layout) = layout(&mut rng, STRIDES[case % 6]) else { continue };
        let values = texts(&all(layout.size(), |index| layout.evaluate(index)));
        let injective = values.iter().collect::<BTreeSet<_>>().len() == values.len();
        match counts.of(Reason::injective(&layout), injective, &layout.to_string()) {
            Some(Reason::SameOffset(a, b)) => {
                assert!(a != b && values[a as usize] == values[b as usize], "{layout}: {a}, {b}");
            }
            other => assert_eq!(other, None, "{layout}"),
        }
    }
    counts.are_enough("injective");
}

#[test]
fn large_layouts_have_witnesses_too() {
    for text in [
        "(1073741824,1073741824):(3,7)",
        "(1048576,(1048576,1048576)):(1000003,(999983,1))",
        "(1048576,1048576):(^1048577,^3)",
        "(4294967296,4):(1/3,5)",
        "(2147483647,2147483647):(1@1,-1@1)",
    ] {
        let layout: Layout = text.parse().unwrap();
        let Reason::SameOffset(a, b) = Reason::injective(&layout).unwrap() else { panic!("{text}") };
        assert!(a != b, "{text}");
        assert_eq!(layout.evaluate(a).unwrap(), layout.evaluate(b).unwrap(), "{text}");
    }
}

/// A layout, or a swizzled one, with its values.
fn any(rng: &mut Random, case: usize) -> Option<(AnyLayout, Vec<i64>)> {
    let layout = layout(rng, STRIDES[[0, 1, 3][case % 3]])?;
    let number = |offset: Offset| offset.leaves()[0].numerator();
    if !rng.once_in(3) || layout.min_offset().unwrap() < 0 {
        return Some((layout.into(), all(layout.size(), |index| layout.evaluate(index).map(number))));
    }
    let (bits, base, shift) = *rng.pick(&[(0, 0, 0), (1, 0, 1), (2, 0, 2), (1, 1, -2), (2, 1, 3)]);
    let swizzle = Swizzle::new(bits, base, shift).unwrap();
    let composed = Composed::new(swizzle, rng.range(0, 3) as i64, layout).unwrap();
    let values = all(layout.size(), |index| composed.try_at(index));
    Some((composed.into(), values))
}

#[test]
fn an_offset_is_missing_or_does_not_grow() {
    let (mut rng, mut counts) = (Random::new(12), [(); 3].map(|()| Counts::default()));
    for case in 0..3000 {
        let Some((layout, values)) = any(&mut rng, case) else { continue };
        let image: BTreeSet<i64> = values.iter().copied().collect();
        let (low, high) = (*image.first().unwrap(), *image.last().unwrap());
        let onto = low == 0 && image.len() as i64 == high + 1;
        let text = match layout {
            AnyLayout::Plain(layout) => layout.to_string(),
            AnyLayout::Swizzled(composed) => composed.to_string(),
        };
        let witness = |reason: Option<Reason>| match reason {
            Some(Reason::Missing(offset)) => {
                assert!((0..high).contains(&offset) && !image.contains(&offset), "{text}: {offset}");
            }
            Some(Reason::Negative(index)) => assert!(values[index as usize] < 0, "{text}: {index}"),
            Some(Reason::SameOffset(a, b)) => {
                assert!(a != b && values[a as usize] == values[b as usize], "{text}: {a}, {b}");
            }
            Some(Reason::NotGreater(index)) => {
                let first = values.windows(2).position(|pair| pair[1] <= pair[0]);
                assert_eq!(first, Some(index as usize), "{text}");
            }
            other => assert_eq!(other, None, "{text}"),
        };
        witness(counts[0].of(Reason::surjective(&layout), onto, &text));
        let compact = onto && image.len() == values.len();
        witness(counts[1].of(Reason::compact(&layout), compact, &text));
        if !text.contains('^') {
            let grows = values.windows(2).all(|pair| pair[0] < pair[1]);
            witness(counts[2].of(Reason::increasing(&layout), grows, &text));
        }
    }
    for (counts, what) in counts.iter().zip(["surjective", "compact", "increasing"]) {
        counts.are_enough(what);
    }
}

#[test]
fn two_layouts_share_an_offset_or_differ() {
    let (mut rng, mut counts, mut equal) = (Random::new(13), Counts::default(), Counts::default());
    for case in 0..6000 {
        let kind = STRIDES[case % 5];
        let (Some(a), Some(b)) = (layout(&mut rng, kind), layout(&mut rng, kind)) else { continue };
        let b = if rng.once_in(3) { a.coalesce() } else { b };
        let [left, right] = [a, b].map(|layout| texts(&all(layout.size(), |index| layout.evaluate(index))));
        let text = format!("{a} {b}");
        let differ = left.iter().zip(&right).position(|(left, right)| left != right);
        let [one, two] = [a, b].map(|layout| Offsets::View(View::from(layout)));
        match equal.of(Reason::equivalent(&one, &two), left == right, &text) {
            Some(Reason::Differs(index)) => assert_eq!(differ, Some(index as usize), "{text}"),
            Some(Reason::Sizes(first, second)) => assert!(first != second, "{text}"),
            other => assert_eq!(other, None, "{text}"),
        }
        if case % 5 == 4 {
            continue;
        }
        let mut offsets = [a, b].map(|layout| {
            Offsets::View(format!("{{{}}} o {layout}", rng.range(0, 20)).parse::<View>().unwrap())
        });
        if case % 5 == 0 && rng.once_in(3) {
            let composed = Composed::new(Swizzle::new(1, 0, 2).unwrap(), rng.range(0, 20) as i64, a).unwrap();
            offsets[case / 5 % 2] = Offsets::Swizzled(composed);
        }
        let values = offsets.map(|offsets| match offsets {
            Offsets::View(view) => texts(&all(view.layout().size(), |index| view.evaluate(index))),
            Offsets::Swizzled(own) => {
                texts(&all(own.layout().size(), |index| AnyLayout::Swizzled(own).evaluate(index)))
            }
        });
        let text = format!("{offsets:?}");
        let apart = values[0].iter().all(|value| !values[1].contains(value));
        match counts.of(Reason::disjoint(&offsets[0], &offsets[1]), apart, &text) {
            Some(Reason::SameOffset(x, y)) => {
                assert_eq!(values[0][x as usize], values[1][y as usize], "{text}: {x}, {y}");
            }
            other => assert_eq!(other, None, "{text}"),
        }
    }
    counts.are_enough("disjoint");
    equal.are_enough("equivalent");
}

/// Integers and XORs, behind offsets and swizzles: what is before two layouts, and how it is added, is a part of the function.
#[test]
fn what_is_before_two_layouts_counts() {
    let (mut rng, mut equal, mut kinds) = (Random::new(17), Counts::default(), [0; 4]);
    let before = |rng: &mut Random, layout: Layout| -> Option<Offsets> {
        let offset = *rng.pick(&[0, 0, 0, 1, 3, 8, 16, 27]);
        let (bits, base, shift) =
            *rng.pick(&[(0, 0, 0), (1, 0, 1), (2, 0, 2), (1, 1, -2), (2, 1, 3), (1, 0, 9)]);
        match rng.once_in(2) {
            true => Some(Offsets::View(format!("{{{offset}}} o {layout}").parse().unwrap())),
            false => Composed::new(Swizzle::new(bits, base, shift).unwrap(), offset, layout)
                .ok()
                .map(Offsets::Swizzled),
        }
    };
    for case in 0..20_000 {
        let kind = STRIDES[[0, 1, 3][case % 3]];
        let Some(layout) = layout(&mut rng, kind) else { continue };
        if layout.min_offset().is_ok_and(|least| least < 0) {
            continue;
        }
        let Some(first) = before(&mut rng, layout) else { continue };
        // Mostly the same numbers as the other kind of strides, or the same function in another notation.
        let other = match rng.range(0, 3) {
            0 => layout.to_string().replace('^', "").parse().unwrap_or(layout),
            1 => Composed::new(Swizzle::NONE, 0, layout).and_then(|own| own.to_xor()).unwrap_or(layout),
            2 => match first {
                Offsets::Swizzled(own) => {
                    Composed::new(own.swizzle(), 0, layout).and_then(|own| own.to_xor()).unwrap_or(layout)
                }
                Offsets::View(_) => layout,
            },
            _ => layout,
        };
        if other.min_offset().is_ok_and(|least| least < 0) {
            continue;
        }
        let Some(second) = before(&mut rng, other) else { continue };
        let values = [first, second].map(|offsets| match offsets {
            Offsets::View(view) => texts(&all(view.layout().size(), |index| view.evaluate(index))),
            Offsets::Swizzled(own) => {
                texts(&all(own.layout().size(), |index| AnyLayout::Swizzled(own).evaluate(index)))
            }
        });
        let text = format!("{first:?}\n{second:?}");
        let same = values[0] == values[1];
        assert_eq!(first.equivalent(&second), Ok(same), "{text}");
        assert_eq!(second.equivalent(&first), Ok(same), "{text}");
        kinds[usize::from(matches!(first, Offsets::View(_))) * 2 + usize::from(same)] += 1;
        match equal.of(Reason::equivalent(&first, &second), same, &text) {
            Some(Reason::Differs(index)) => {
                assert_ne!(values[0][index as usize], values[1][index as usize], "{text}");
            }
            other => assert_eq!(other, None, "{text}"),
        }
    }
    equal.are_enough("equivalent");
    assert!(kinds.iter().all(|&count| count > 100), "{kinds:?}");
}

/// The sizes of all subtrees, in preorder, with a leaf's own number.
fn nodes(shape: &Shape) -> Vec<(Option<usize>, i64)> {
    let own = (!shape.is_leaf()).then_some(shape.rank());
    let mut all = vec![(own, shape.size().unwrap())];
    if own.is_some() {
        all.extend((0..shape.rank()).flat_map(|mode| nodes(&shape.mode(mode).unwrap())));
    }
    all
}

#[test]
fn a_leaf_decides_about_two_tuples() {
    let texts = [
        "4",
        "6",
        "(4)",
        "(4,6)",
        "(2,2)",
        "(2,3)",
        "(4,(2,3))",
        "((2,2),6)",
        "((2,2),(2,3))",
        "(4,6,1)",
        "((4),6)",
        "(2,(2,6))",
        "((2,2,1),6)",
        "24",
        "(0,5)",
        "(3,-1)",
        "(3,6)",
    ];
    let shapes = texts.map(|text| text.parse::<Shape>().unwrap());
    let weakly = |a: &Shape, b: &Shape| -> bool {
        fn walk(a: &Shape, b: &Shape) -> bool {
            let modes = |mode| walk(&a.mode(mode).unwrap(), &b.mode(mode).unwrap());
            a.is_leaf() || !b.is_leaf() && a.rank() == b.rank() && (0..a.rank()).all(modes)
        }
        walk(a, b)
    };
    // The pairs of a leaf of the first and its mode of the second.
    fn pairs(a: &Shape, b: &Shape) -> Vec<(i64, i64)> {
        if a.is_leaf() {
            return vec![(a.leaves()[0], b.size().unwrap())];
        }
        (0..a.rank()).flat_map(|mode| pairs(&a.mode(mode).unwrap(), &b.mode(mode).unwrap())).collect()
    }
    for (a, b) in shapes.iter().flat_map(|a| shapes.iter().map(move |b| (a, b))) {
        let is_nesting = |reason: Reason| {
            let Reason::Nesting(_, first, second) = reason else { return false };
            let has = |shape, rank| nodes(shape).iter().any(|node| node.0 == rank);
            first != second && has(a, first) && has(b, second)
        };
        let reason = Reason::congruent(a, b);
        let same = weakly(a, b) && weakly(b, a);
        assert!(reason.holds() == same && (same || is_nesting(reason)), "{a} {b}: {reason:?}");
        let reason = Reason::weakly_congruent(a, b);
        let fits = weakly(a, b);
        assert!(reason.holds() == fits && (fits || is_nesting(reason)), "{a} {b}: {reason:?}");
        let (compatible, within) = (Reason::compatible(a, b).unwrap(), Reason::in_bounds(a, b).unwrap());
        if !fits {
            assert!(is_nesting(compatible) && is_nesting(within), "{a} {b}");
            continue;
        }
        let first = |wrong: fn(i64, i64) -> bool| {
            let at = pairs(a, b).into_iter().enumerate().find(|(_, (value, size))| wrong(*value, *size));
            at.map(|(leaf, (value, size))| Reason::Leaf(leaf, value, size))
        };
        assert_eq!((!compatible.holds()).then_some(compatible), first(|a, b| a != b), "{a} {b}");
        assert_eq!((!within.holds()).then_some(within), first(|a, b| a < 0 || a >= b), "{a} {b}");
        assert_eq!(compatible.holds(), a.compatible(b), "{a} {b}");
    }
}

/// By the definition: a mode that `d` ends in, with the product of those before it.
#[test]
fn left_divisible_by_the_definition() {
    let mut counts = [0; 4];
    for (a, b, c) in (1..=5).flat_map(|a| (1..=5).flat_map(move |b| (1..=5).map(move |c| (a, b, c)))) {
        let shape: Shape = format!("({a},({b},{c}))").parse().unwrap();
        for d in -1..=130 {
            let mode = |product: i64, extent: i64, is_last: bool| {
                let steps = d / product;
                let ends = d > 0 && d % product == 0 && (steps < extent || is_last && steps == extent);
                ends.then_some(extent % steps.max(1) == 0)
            };
            let ways = [mode(1, a, false), mode(a, b, false), mode(a * b, c, true)];
            let (weak, strong) = (ways.iter().any(Option::is_some), ways.contains(&Some(true)));
            assert_eq!(shape.is_weakly_left_divisible(d), weak, "{shape} {d}");
            assert_eq!(shape.is_left_divisible(d), strong, "{shape} {d}");
            counts[weak as usize + 2 * strong as usize] += 1;
        }
    }
    assert!(counts[0] > 100 && counts[1] > 100 && counts[2] == 0 && counts[3] > 100, "{counts:?}");
}
