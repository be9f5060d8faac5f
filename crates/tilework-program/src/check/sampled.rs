//! What was tried where there is no proof: runs at sizes. They also find the smallest case of what is wrong.

use super::report::{Certainty, Report};
use super::site::{always, is_at_least};
use crate::buffers::Buffers;
use crate::prelude::*;
use crate::program::{Program, Space};

/// The values that sizes are given: around powers of 2, and the bounds that facts say.
const VALUES: [i64; 18] = [1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 17, 31, 32, 33, 64, 65, 129, 300];

/// The most elements that are computed.
const MAX_WORK: u64 = 1 << 18;

/// Runs the program, and adds what happened.
pub fn check(program: &Program, report: &mut Report) {
    let (tried, fault) = runs(program);
    match fault {
        Some((sizes, error)) => {
            let text = format!("at {sizes}: {}", error.message());
            let known = report.findings.iter_mut().find(|finding| finding.certainty == Certainty::Wrong);
            match known {
                Some(finding) => finding.text.push_str(&format!("; {text}")),
                None => report.push(error.line(), Certainty::Wrong, text),
            }
        }
        // A proof that it is wrong needs no trial.
        None if !report.is_right() => {}
        None if tried.is_empty() => {
            report.push(None, Certainty::Tried, "no sizes are small enough to be tried");
        }
        None => {
            let names = program.extents().join(",");
            report.push(None, Certainty::Tried, format!("checked by running at ({names}) = {tried}"));
        }
    }
}

/// The sizes at which nothing was wrong, and the first at which something was.
fn runs(program: &Program) -> (String, Option<(String, Error)>) {
    let names = program.extents();
    let (mut left, mut tried) = (MAX_WORK, Vec::new());
    let steps: Vec<i64> = names.iter().map(|name| step(program, name)).collect();
    let case = |value: &dyn Fn(&str) -> i64| -> Vec<(&str, i64)> {
        names.iter().zip(&steps).map(|(name, step)| (*name, (value(name) - 1) / step * step + step)).collect()
    };
    let mut cases: Vec<Vec<(&str, i64)>> = Vec::new();
    let bounds = names.iter().flat_map(|name| bounds(program, name));
    let near = bounds.flat_map(|bound| [bound, bound + 1, bound + 2]).filter(|value| !VALUES.contains(value));
    for value in VALUES.into_iter().chain(near) {
        cases.push(case(&|_| value));
        cases.extend(names.iter().map(|long| case(&|name| if name == *long { value } else { 3 })));
    }
    let Ok(narrow) = program.narrow() else { return (String::new(), None) };
    for case in cases {
        let values = format!("({})", case.iter().map(|own| own.1.to_string()).collect::<Vec<_>>().join(","));
        if tried.contains(&values) {
            continue;
        }
        let sizes = program.sizes(&case).ok();
        let Some(sizes) = sizes.filter(|own| program.blocks(own, &narrow).is_ok()) else { continue };
        match Buffers::total(program, &sizes) {
            Ok(elements) if elements as u64 <= left => left -= elements as u64,
            _ => continue,
        }
        let Ok(mut buffers) = Buffers::new(program, &sizes) else { continue };
        for tensor in program.tensors.iter().filter(|tensor| tensor.space == Space::Read) {
            // Any value but 0, which integers cannot be divided by.
            let _ = buffers.fill(&tensor.name, |_| 1.0);
        }
        match program.run_within(&sizes, &mut buffers, left) {
            Ok(Some(counts)) => {
                left = left.saturating_sub(counts.elements);
                tried.push(values);
            }
            Ok(None) => break,
            Err(error) => {
                let text: Vec<String> =
                    sizes.named().map(|(name, value)| format!("{name}={value}")).collect();
                return (String::new(), Some((text.join(", "), error)));
            }
        }
    }
    (tried.join(", "), None)
}

/// The least and the largest value that the facts admit, where they are near.
fn bounds(program: &Program, name: &str) -> impl Iterator<Item = i64> {
    const FAR: i64 = 1 << 10;
    let (scope, number) = (&program.scope, program.scope.find(name).unwrap_or(1.into()));
    let least = (1..=FAR).take_while(|value| is_at_least(scope, &number, &(*value).into())).last();
    let near = if is_at_least(scope, &FAR.into(), &number) { FAR } else { 0 };
    let most = (1..=near).find(|value| is_at_least(scope, &(*value).into(), &number));
    least.filter(|least| *least < FAR).into_iter().chain(most)
}

/// The largest power of 2, up to 256, of which the facts make a size a multiple.
fn step(program: &Program, name: &str) -> i64 {
    let scope = &program.scope;
    let is_multiple = |step: &i64| {
        let number = scope.find(name).unwrap_or(1.into());
        always(scope.is_multiple(&number, &(*step).into())).unwrap_or(false)
    };
    (0..=8).map(|bits| 1 << bits).take_while(is_multiple).last().unwrap_or(1)
}
