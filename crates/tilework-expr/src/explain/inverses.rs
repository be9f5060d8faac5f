//! Inverses, shown on the first coordinates.

use super::section::{Case, Section};
use crate::value::Value;
use tilework::{Codomain, Layout};

/// The number of coordinates shown.
const SHOWN: i64 = 8;

/// The layout that is inverted, and, if it is swizzled, the equivalent layout.
fn inverted(case: &Case) -> (Layout, Option<Section>) {
    let Value::Composed(composed) = case.first else { return (case.layout, None) };
    match composed.to_layout() {
        Ok(layout) => (layout, Some(Section::new(format!("L = {composed} is the function {layout}")))),
        Err(_) => (case.layout, None),
    }
}

/// `L(R(i)) = i` for every `i` below the size of `R`.
pub(crate) fn right(case: &Case) -> Vec<Section> {
    let definition =
        "R with L(R(i)) = i for every i below size(R), and size(R) as large as possible (paper, 3.4.1)";
    let rule = "A mode goes into R where its stride is the product of the extents taken before.";
    inverse(case, definition, rule, ["i", "R(i)", "L(R(i))"], |layout, inverse, index| {
        let inner = inverse.try_at(index).ok()?;
        Some([index, inner, layout.try_at(inner).ok()?])
    })
}

/// `R(L(i)) = i` for injective `L`.
pub(crate) fn left(case: &Case) -> Vec<Section> {
    let definition = "R with R(L(i)) = i, where L is injective (paper, 3.4.3, equation 26)";
    let rule = "Between two strides R passes over the offsets that L does not give.";
    inverse(case, definition, rule, ["i", "L(i)", "R(L(i))"], |layout, inverse, index| {
        let inner = layout.try_at(index).ok()?;
        Some([index, inner, inverse.try_at(inner).ok()?])
    })
}

fn inverse(
    case: &Case,
    definition: &str,
    rule: &str,
    header: [&str; 3],
    row: impl Fn(&Layout, &Layout, i64) -> Option<[i64; 3]>,
) -> Vec<Section> {
    let (layout, swizzled) = inverted(case);
    let mut sections: Vec<Section> = swizzled.into_iter().collect();
    sections.push(
        Section::new(format!("Definition: {definition}"))
            .line(format!("the modes of L by ascending stride: {}", layout.filter_zeros().sort()))
            .line(rule),
    );
    sections.extend(shown(&layout, case.result, header, row));
    sections
}

/// The first rows of the table of an inverse.
fn shown(
    layout: &Layout,
    result: Option<&Value>,
    header: [&str; 3],
    row: impl Fn(&Layout, &Layout, i64) -> Option<[i64; 3]>,
) -> Option<Section> {
    let Some(Value::Layout(inverse)) = result else { return None };
    if !matches!(layout.codomain(), Codomain::Integer | Codomain::Xor) {
        return None;
    }
    let size = inverse.size().min(layout.size()).min(SHOWN);
    let rows = (0..size)
        .map(|index| Some(row(layout, inverse, index)?.map(|value| value.to_string())))
        .collect::<Option<Vec<_>>>()?;
    Some(Section::new(format!("R = {inverse}, on the first coordinates")).table(header, rows))
}
