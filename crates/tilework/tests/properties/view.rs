//! Layouts with an offset: which are refused, what they evaluate to, and their slices.

use crate::oracle::{Axis, Nest, Step, carryless};
use crate::random::{Random, check_seeded};
use std::collections::BTreeMap;
use tilework::{Coord, Error, HTuple, Offset, Pattern, PatternLeaf, Rational, View};

/// The components of an offset that are not 0, as fractions, by their paths.
type Components = BTreeMap<Vec<usize>, (i128, i128)>;

fn components(offset: &Offset) -> Components {
    fn visit(offset: &Offset, path: &mut Vec<usize>, out: &mut Components) {
        if offset.is_leaf() {
            let value = offset.leaves()[0];
            if value != Rational::ZERO {
                out.insert(path.clone(), (value.numerator().into(), value.denominator().into()));
            }
            return;
        }
        for index in 0..offset.rank() {
            path.push(index);
            visit(&offset.mode(index).unwrap(), path, out);
            path.pop();
        }
    }
    let mut out = Components::new();
    visit(offset, &mut Vec::new(), &mut out);
    out
}

fn path(step: &Step) -> Vec<usize> {
    match &step.unit {
        Axis::Basis(path) => path.clone(),
        _ => Vec::new(),
    }
}

/// `offset + L(digits)`, component by component.
fn evaluate(offset: &Offset, leaves: &[(i128, Step)], digits: &[i128]) -> Components {
    let mut sum = components(offset);
    for ((_, step), &digit) in leaves.iter().zip(digits) {
        let (n, d) = sum.get(&path(step)).copied().unwrap_or((0, 1));
        let (m, e) = step.count;
        let (n, d) = if step.unit == Axis::Xor {
            (n ^ carryless(digit, m), 1)
        } else {
            (n * e + digit * m * d, d * e)
        };
        let divisor = crate::oracle::gcd(n, d);
        sum.insert(path(step), (n / divisor, d / divisor));
    }
    sum.retain(|_, value| value.0 != 0);
    sum
}

/// Whether the component at a path can be added to: a number, or nothing yet.
fn takes(offset: &Offset, path: &[usize], xor: bool) -> bool {
    match path {
        [] if offset.is_leaf() => !xor || offset.leaves()[0].is_integer(),
        [] => false,
        _ if offset.is_leaf() => offset.leaves()[0] == Rational::ZERO,
        [index, rest @ ..] => offset.mode(*index).map_or(true, |mode| takes(&mode, rest, xor)),
    }
}

fn offset(rng: &mut Random, depth: usize) -> Offset {
    if depth == 0 || rng.once_in(3) {
        let denominator = if rng.once_in(6) { 2 } else { 1 };
        return HTuple::leaf(Rational::new(rng.range(-3, 9) as i64, denominator).unwrap());
    }
    let modes: Vec<Offset> = (0..rng.range(1, 3)).map(|_| offset(rng, depth - 1)).collect();
    HTuple::tuple(&modes).unwrap()
}

fn layout(rng: &mut Random) -> Nest {
    let kind = rng.range(0, 3);
    let modes = (0..rng.range(1, 3)).map(|_| {
        let count = rng.range(-2, 5);
        let step = match kind {
            0 => Step::integer(count),
            1 => Step::of(Step { count: (count, 2), unit: Axis::One }.stride().unwrap()),
            2 => Step::xor(count.abs()),
            _ => {
                let path: &[usize] = [&[0][..], &[1, 0], &[1, 1], &[2]][rng.range(0, 3) as usize];
                Step::basis(count, path)
            }
        };
        Nest::Leaf(rng.range(1, 4), step)
    });
    Nest::Tuple(modes.collect())
}

#[test]
fn views_evaluate_as_their_codomain_adds() {
    let (mut accepted, mut refused) = (0, 0);
    check_seeded("views", 40_000, layout, |nest, layout, mut rng| {
        let depth = rng.range(0, 2) as usize;
        let offset = offset(&mut rng, depth);
        let leaves = nest.leaves();
        let moving = leaves.iter().filter(|(_, step)| step.count.0 != 0);
        let fits = moving.clone().all(|(_, step)| takes(&offset, &path(step), step.unit == Axis::Xor));
        let view = match View::new(offset, layout) {
            Ok(view) if fits => view,
            Err(Error::Incongruent { .. } | Error::NotIntegral { .. }) if !fits => {
                refused += 1;
                return Ok(());
            }
            other => return Err(format!("{{{offset}}} o {layout}: {other:?}, fits: {fits}")),
        };
        accepted += 1;
        let parsed: View = view.to_string().parse().map_err(|error: Error| error.to_string())?;
        if (parsed.offset(), parsed.layout()) != (&offset, &layout) || parsed != view {
            return Err(format!("{view} parses to {parsed}"));
        }
        let pattern: Vec<Pattern> = leaves
            .iter()
            .map(|(extent, _)| match rng.once_in(2) {
                true => Pattern::leaf(PatternLeaf::All),
                false => Pattern::leaf(PatternLeaf::At(rng.range(0, extent - 1) as i64)),
            })
            .collect();
        let pattern = Pattern::tuple(&pattern).unwrap();
        let part = view.slice(&pattern).map_err(|error| format!("{view} at {pattern}: {error}"))?;
        if View::new(*part.offset(), *part.layout()) != Ok(part) {
            return Err(format!("{view} at {pattern} is {part}, which is refused"));
        }
        for _ in 0..4 {
            let digits: Vec<i128> = leaves
                .iter()
                .zip(pattern.leaves())
                .map(|((extent, _), fixed)| match fixed {
                    PatternLeaf::All => rng.range(0, extent - 1),
                    PatternLeaf::At(index) => *index as i128,
                })
                .collect();
            let expected = evaluate(&offset, &leaves, &digits);
            let coord = |digits: &[i128]| -> Coord {
                let digits: Vec<Coord> = digits.iter().map(|&digit| HTuple::leaf(digit as i64)).collect();
                if digits.is_empty() { HTuple::empty(0) } else { HTuple::tuple(&digits).unwrap() }
            };
            let found = view.evaluate(&coord(&digits)).map_err(|error| error.to_string())?;
            if components(&found) != expected {
                return Err(format!("{view} at {digits:?} is {found}, expected {expected:?}"));
            }
            let open: Vec<i128> = digits
                .iter()
                .zip(pattern.leaves())
                .filter(|(_, fixed)| **fixed == PatternLeaf::All)
                .map(|(&digit, _)| digit)
                .collect();
            let open = if part.layout().rank() == 1 && part.layout().depth() == 0 {
                HTuple::leaf(open[0] as i64)
            } else {
                coord(&open)
            };
            let found = part.evaluate(&open).map_err(|error| format!("{part} at {open}: {error}"))?;
            if components(&found) != expected {
                return Err(format!("{view} at {pattern} is {part}, at {open} {found}, not {expected:?}"));
            }
        }
        Ok(())
    });
    assert!(accepted > 100 && refused > 100, "{accepted} {refused}");
}
