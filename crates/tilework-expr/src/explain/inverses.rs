//! Inverses, shown on the first coordinates.

use super::section::{Case, Section, by_profile};
use crate::value::Value;
use tilework::{Codomain, HTuple};

/// The number of coordinates shown.
const SHOWN: i64 = 8;

const TAKEN: &str = "A mode goes into R where its stride is the product of the extents taken before.";

/// `L(R(k)) = k` for every `k` below the size of `R`.
pub(crate) fn right(case: &Case) -> Vec<Section> {
    let definition =
        "R with L(R(k)) = k for every k below size(R), and size(R) as large as possible (paper, 3.4.1)";
    by_profile(case, &|case| inverse(case, definition, TAKEN, ["k", "R(k)", "L(R(k))"], false))
}

/// `R(L(i)) = i` for injective `L`.
pub(crate) fn left(case: &Case) -> Vec<Section> {
    let definition =
        "R with L(R(L(i))) = L(i), so that R(L(i)) = i where L is injective (paper, 3.4.3, equation 26)";
    let rule = "Between two strides R passes over the offsets that L does not give.";
    by_profile(case, &|case| inverse(case, definition, rule, ["i", "L(i)", "R(L(i))"], true))
}

/// Both.
pub(crate) fn both(case: &Case) -> Vec<Section> {
    let definition = "R with L(R(k)) = k and R(L(i)) = i, where L has each number of [0, size) once, or each coordinate of a shape \
                      (paper, 3.4.1)";
    inverse(case, definition, TAKEN, ["k", "R(k)", "L(R(k))"], false)
}

fn inverse(case: &Case, definition: &str, rule: &str, header: [&str; 3], from_left: bool) -> Vec<Section> {
    let (mut sections, mut function) = (Vec::new(), Value::from(case.layout));
    match case.first.untyped() {
        Value::View(_) => function = case.first.clone(),
        Value::Composed(composed) => {
            if let Ok(layout) = composed.to_layout() {
                sections.push(Section::new(format!("L = {composed} is the function {layout}")));
                function = Value::from(layout);
            }
        }
        _ => {}
    }
    let Some(layout) = function.shaped() else { return sections };
    let along = if layout.codomain() == Codomain::Coordinate { ", along each component" } else { "" };
    sections.push(
        Section::new(format!("Definition: {definition}"))
            .line(format!("the modes of L by ascending stride{along}: {}", layout.filter_zeros().sort()))
            .line(rule),
    );
    sections.extend(case.result.and_then(|inverse| shown(&function, inverse, header, from_left)));
    sections
}

/// The first rows of the table of an inverse.
fn shown(function: &Value, inverse: &Value, header: [&str; 3], from_left: bool) -> Option<Section> {
    let (first, second) = if from_left { (function, inverse) } else { (inverse, function) };
    let (domain, other) = (first.shaped()?, second.shaped()?);
    let row = |index: i64| {
        let index = HTuple::leaf(index);
        let start = match other.codomain() {
            Codomain::Coordinate => domain.domain_of_tile(&other).ok()?.idx2crd(&index).ok()?,
            _ => index,
        };
        let middle = first.evaluate(&start)?.ok()?;
        let end = second.evaluate(&Value::offset(&middle).ok()?.as_coord()?)?.ok()?;
        Some([start.to_string(), middle.to_string(), end.to_string()])
    };
    let rows = (0..domain.size().min(other.size()).min(SHOWN)).map(row).collect::<Option<Vec<_>>>()?;
    Some(Section::new(format!("R = {inverse}, on the first coordinates")).table(header, rows))
}
