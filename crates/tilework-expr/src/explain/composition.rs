//! Composition: "divide out, keep" for each leaf of the right layout, then the carry test.

use super::section::{Case, Section, each_mode, text};
use crate::value::Value;
use tilework::{Codomain, Error, HTuple, Layout, Leaf, Shape, Stride, Tiler};

/// The most coordinates that are tried to find one at which a leaf-by-leaf result would be wrong.
const MAX_SEARCH: i64 = 1 << 16;

/// The most other extents that are tried to find a composition that exists.
const MAX_TRIES: i64 = 64;

/// `left o right`, mode by mode if `right` is a tiler.
pub(crate) fn any(case: &Case) -> Vec<Section> {
    match case.right {
        Some(Value::Layout(right)) => layouts(&case.layout, right),
        right => match right.and_then(Value::as_tiler) {
            Some(Ok(tiler)) => tiled(&case.layout, &tiler),
            _ => Vec::new(),
        },
    }
}

/// Composition by mode.
fn tiled(left: &Layout, tiler: &Tiler) -> Vec<Section> {
    if !tiler.is_by_mode() {
        return match tiler.layout() {
            Ok(Some(layout)) => layouts(left, &layout),
            _ => vec![Section::new("The tiler is `_`").line("The layout is left as it is.")],
        };
    }
    let mut definition = Section::new("By mode: (A0,A1,...) o <T0,T1,...> = (A0 o T0, A1 o T1, ...)");
    for index in 0..tiler.rank() {
        let (Ok(mode), Ok(tile)) = (left.mode(index), tiler.mode(index)) else { break };
        let result = match mode.composition_by_mode(&tile) {
            Ok(result) => result.to_string(),
            Err(error) => format!("refused: {error}"),
        };
        definition = definition.line(format!("mode {index}: {mode} o {tile} = {result}"));
    }
    std::iter::once(definition).chain(each_mode(left, tiler, &tiled)).collect()
}

/// Composition of two layouts.
pub(super) fn layouts(left: &Layout, right: &Layout) -> Vec<Section> {
    let plain = |layout: &Layout| matches!(layout.codomain(), Codomain::Integer | Codomain::Rational);
    let mut sections = Vec::new();
    if !plain(right) || matches!(left.codomain(), Codomain::Xor) {
        sections.push(by_leaf(left, right));
        return sections;
    }
    let extended = left.coalesce_extended();
    let bounds = bounds(&extended);
    sections.push(left_section(left, &extended, &bounds));
    let mut modes = Vec::new();
    for (number, leaf) in right.leaves().iter().enumerate() {
        sections.push(leaf_section(left, &extended, &bounds, number, *leaf, &mut modes));
    }
    match left.composition(right) {
        Ok(_) => sections.extend(carry_section(&bounds, &modes)),
        Err(error) => {
            if matches!(error, Error::Carry { .. }) {
                sections.extend(carry_section(&bounds, &modes));
            }
            sections.push(refusal_section(left, right, &error));
        }
    }
    sections
}

/// A mode of the result, with its step in the right layout.
struct Mode {
    leaf: usize,
    extent: i64,
    step: i64,
}

/// The prefix products `P_r` of the extents.
fn bounds(extended: &Layout) -> Vec<i64> {
    let product = |product: &mut i64, leaf: &Leaf| {
        let next = product.saturating_mul(leaf.extent);
        Some(std::mem::replace(product, next))
    };
    extended.leaves().iter().scan(1, product).collect()
}

fn left_section(left: &Layout, extended: &Layout, bounds: &[i64]) -> Section {
    let rows = extended.leaves().iter().zip(bounds).enumerate();
    let last = extended.leaves().len().saturating_sub(1);
    let rows = rows.map(|(index, (leaf, bound))| {
        let extent =
            if index == last { format!("{} (not wrapped)", leaf.extent) } else { leaf.extent.to_string() };
        [index.to_string(), extent, leaf.stride.to_string(), bound.to_string()]
    });
    let title = match left == extended {
        true => format!("The left layout A = {left}"),
        false => format!("The left layout A = {left}, coalesced: {extended}"),
    };
    Section::new(title)
        .line(
            "It changes its step at the multiples of each boundary P, the product of the extents before it.",
        )
        .table(["mode", "extent", "stride", "P"], rows.collect())
}

/// A leaf as a layout.
fn leaf_layout(leaf: Leaf) -> Result<Layout, Error> {
    Layout::of(leaf.extent, leaf.stride)
}

fn leaf_section(
    left: &Layout,
    extended: &Layout,
    bounds: &[i64],
    number: usize,
    leaf: Leaf,
    modes: &mut Vec<Mode>,
) -> Section {
    let Leaf { extent, stride } = leaf;
    let section = Section::new(format!("Leaf {number} of the right layout, {extent}:{stride}"));
    if extent == 1 || stride.is_zero() {
        return section.line(format!("It does not move: {extent}:0."));
    }
    let result = leaf_layout(leaf).and_then(|leaf| left.composition(&leaf));
    let Some(step) = stride.as_integer() else {
        return section.line("A coordinate is an integer, and this step is not.");
    };
    let section = match divided_out(extended, step) {
        Some(line) => section.line(line),
        None => section,
    };
    match result {
        Ok(result) => {
            let (mut rows, mut at) = (Vec::new(), step);
            let mut rest = extent;
            for mode in result.leaves() {
                rows.push([
                    at.to_string(),
                    mode.stride.to_string(),
                    format!("{} of {rest}", mode.extent),
                    turn_reason(bounds, at, mode.extent, rest),
                ]);
                modes.push(Mode { leaf: number, extent: mode.extent, step: at });
                rest /= mode.extent.max(1);
                at = at.saturating_mul(mode.extent);
            }
            section
                .table(["step d", "A(d)", "kept", "because"], rows)
                .line(format!("A o {extent}:{stride} = {result}"))
        }
        Err(Error::ShapeDivisibility { steps, .. }) => section.line(format!(
            "A o {extent}:{stride} is not a layout: A changes its step, {steps}:{stride} fits and {}:{stride} does not.",
            steps + 1
        )),
        Err(error) => section.line(format!("A o {extent}:{stride} is not a layout: {error}")),
    }
}

/// The whole modes of the left layout that a step passes, if it divides them evenly.
fn divided_out(extended: &Layout, step: i64) -> Option<String> {
    let (mut rest, mut parts) = (step, Vec::new());
    let leaves = extended.leaves();
    for (index, leaf) in leaves.iter().enumerate() {
        if rest < 1 {
            return None;
        }
        let is_last = index + 1 == leaves.len();
        if rest == 1 || is_last || (leaf.extent % rest == 0 && leaf.extent != rest) {
            if rest > 1 {
                parts.push(format!("{rest} of {}", text(leaf)));
            }
            let stride = leaf.stride.scale(rest).ok()?;
            let first = Leaf { extent: tilework::__private::ceil_div(leaf.extent, rest), stride };
            let left = std::iter::once(&first).chain(&leaves[index + 1..]).map(text);
            let out =
                if parts.is_empty() { "nothing out".into() } else { format!("out {}", parts.join(" and ")) };
            return Some(format!("{step} divides {out}; left are {}", left.collect::<Vec<_>>().join(", ")));
        }
        if rest % leaf.extent != 0 {
            return None;
        }
        parts.push(format!("all {} of {}", leaf.extent, text(leaf)));
        rest /= leaf.extent;
    }
    None
}

/// The reason why this number of steps is kept.
fn turn_reason(bounds: &[i64], step: i64, kept: i64, rest: i64) -> String {
    if kept == rest {
        return String::from("A goes on evenly");
    }
    for &bound in bounds.iter().skip(1) {
        let remainder = step.rem_euclid(bound);
        if remainder != 0 && i128::from(remainder) * i128::from(kept) >= i128::from(bound) {
            return format!(
                "{kept} * ({step} mod {bound}) = {} reaches P = {bound}",
                i128::from(remainder) * i128::from(kept)
            );
        }
    }
    String::from("the changes of step before cancel")
}

/// For each boundary, whether the sum of the remainders of all modes stays below it.
fn carry_section(bounds: &[i64], modes: &[Mode]) -> Option<Section> {
    if bounds.len() < 2 || modes.is_empty() {
        return None;
    }
    let mut rows = Vec::new();
    for &bound in &bounds[1..] {
        let terms = modes.iter().map(|mode| (mode, mode.step.rem_euclid(bound)));
        let terms: Vec<(&Mode, i64)> =
            terms.filter(|(mode, remainder)| *remainder != 0 && mode.extent > 1).collect();
        let sum: i128 = terms.iter().map(|(mode, r)| i128::from(*r) * i128::from(mode.extent - 1)).sum();
        let written = terms.iter().map(|(mode, r)| format!("{r}*{} (leaf {})", mode.extent - 1, mode.leaf));
        let written = written.collect::<Vec<_>>().join(" + ");
        let verdict = if sum < i128::from(bound) { "stays below" } else { "carries" };
        rows.push([
            bound.to_string(),
            format!("{} = {sum}", if written.is_empty() { "0" } else { &written }),
            verdict.into(),
        ]);
    }
    Some(
        Section::new("Carry test: sums of steps must not pass a boundary that the steps do not pass")
            .line("For each boundary P, the sum over the modes of (d mod P) * (s - 1), against P.")
            .table(["P", "sum", "verdict"], rows),
    )
}

/// Coordinate and XOR strides: the result of each leaf.
fn by_leaf(left: &Layout, right: &Layout) -> Section {
    let rows = right.leaves().iter().enumerate().map(|(number, leaf)| {
        let result = leaf_layout(*leaf).and_then(|leaf| left.composition(&leaf));
        let result = result.map_or_else(|error| format!("refused: {error}"), |layout| layout.to_string());
        let target = |term: Stride| match term.unit() {
            unit if unit.is_xor() || unit.is_one() => String::from("A"),
            unit => {
                let path: Vec<String> =
                    unit.path().0[..unit.depth()].iter().map(|index| index.to_string()).collect();
                format!("mode {} of A", path.join(","))
            }
        };
        let targets: Vec<String> = leaf.stride.terms().map(target).collect();
        let target = if targets.is_empty() { String::from("A") } else { targets.join(", ") };
        [number.to_string(), text(leaf), target, result]
    });
    let rows = rows.collect();
    Section::new("Leaf by leaf: each goes to the mode of the left layout that its stride addresses")
        .table(["leaf", "right", "addresses", "result"], rows)
}

/// The condition that failed, the first coordinate at which a leaf-by-leaf result would be wrong, and extents that
/// would fit.
fn refusal_section(left: &Layout, right: &Layout, error: &Error) -> Section {
    let mut section = Section::new(match error {
        Error::ShapeDivisibility { .. } => {
            "Refused: the left layout changes its step where that does not divide the leaf (paper, 3.3.2, equation 21)"
        }
        Error::Carry { .. } => {
            "Refused: steps that are even alone carry together (paper, 3.3.2, equation 23)"
        }
        _ => "Refused",
    });
    if let Some(line) = first_wrong(left, right) {
        section = section.line(line);
    }
    let fits = other_extents(left, right, error);
    if section.lines.is_empty() && fits.is_empty() {
        section = section.line(error.to_string());
    }
    if !fits.is_empty() {
        section = section.line(format!("These would fit: {}.", fits.join(", ")));
    }
    section
}

/// The first coordinate where the sum of the leaves' results is not the composition.
fn first_wrong(left: &Layout, right: &Layout) -> Option<String> {
    let mut parts = Vec::new();
    for leaf in right.leaves() {
        let own = leaf_layout(*leaf).ok()?;
        let part = left.composition(&own).or_else(|_| {
            let step = left.try_at(leaf.stride.as_integer().unwrap_or(0))?;
            Layout::of(leaf.extent, step)
        });
        parts.push(part.ok()?);
    }
    let naive = Layout::concatenate(&parts).ok()?;
    for index in 0..right.size().min(MAX_SEARCH) {
        let through = right.try_at(index).ok()?;
        let (truth, sum) = (left.try_at(through).ok()?, naive.try_at(index).ok()?);
        if truth != sum {
            let coordinate = right.shape().idx2crd(&HTuple::leaf(index)).ok()?;
            return Some(format!(
                "Leaf by leaf it would be {naive}, wrong first at {coordinate}: B gives {through}, A({through}) = {truth}, \
                 and the leaves add up to {sum}."
            ));
        }
    }
    None
}

/// Right layouts with another extent at a leaf in question for which the composition exists.
fn other_extents(left: &Layout, right: &Layout, error: &Error) -> Vec<String> {
    let leaves = match *error {
        Error::ShapeDivisibility { leaf, .. } => leaf..=leaf,
        Error::Carry { first, last, .. } => first..=last,
        _ => return Vec::new(),
    };
    // Each try is a composition, which may need a search of its own.
    let tries = MAX_TRIES / (leaves.end() - leaves.start() + 1) as i64;
    let mut found = Vec::new();
    for leaf in leaves {
        let Some(&Leaf { extent, .. }) = right.leaves().get(leaf) else { continue };
        let fits = |extent: i64| match with_extent(right, leaf, extent) {
            Ok(layout) => left.composition(&layout).is_ok().then_some(layout),
            Err(_) => None,
        };
        found.extend((extent.saturating_sub(tries).max(2)..extent).rev().find_map(fits));
        if matches!(error, Error::ShapeDivisibility { .. }) {
            found.extend((1..=tries).map_while(|more| extent.checked_add(more)).find_map(fits));
        }
    }
    found.iter().map(Layout::to_string).collect()
}

fn with_extent(layout: &Layout, leaf: usize, extent: i64) -> Result<Layout, Error> {
    let shape = layout.shape();
    let mut extents = shape.leaves().to_vec();
    extents[leaf] = extent;
    let shape: Shape = HTuple::with_profile(shape.profile(), &extents, 1)?;
    Layout::of(&shape, &layout.stride())
}
