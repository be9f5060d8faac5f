//! Application, coalescing, complements, divides and products.

use super::composition;
use super::section::{Case, Section, by_profile, each_mode, text};
use crate::value::Value;
use tilework::{Codomain, Error, HTuple, Layout, Leaf, Rational, Shape, Stride, Tiler, Unit};

/// The properties of a layout, for an expression without operations.
pub(crate) fn layout(value: &Value) -> Vec<Section> {
    let Some(layout) = value.domain() else { return Vec::new() };
    let bounds = value.as_offsets().and_then(|offsets| offsets.bounds().ok());
    let mut section = Section::new("What it is")
        .line(format!("size {}, rank {}, depth {}", layout.size(), layout.rank(), layout.depth()))
        .line(format!("coalesced: {}", layout.coalesce()));
    if let Some((low, high)) = bounds {
        section = section.line(format!("offsets from {low} to {high}"));
    }
    vec![section]
}

/// The coordinate distributed over the leaves, and the inner product with the strides.
pub(crate) fn application(function: &Value, coordinate: &Value) -> Vec<Section> {
    let Some(layout) = function.shaped() else { return swizzle(function, coordinate) };
    let Some(coord) = coordinate.as_coord() else {
        return vec![
            Section::new("A slice: `_` keeps its mode, and what is fixed goes into the offset")
                .line(format!("the coordinate is {coordinate}")),
        ];
    };
    let Ok(natural) = layout.shape().idx2crd(&coord) else {
        return vec![Section::new(format!("{coord} is no coordinate of the shape {}", layout.shape())).line(
            "A coordinate has an integer or a tuple of as many entries where the shape has a tuple, and an integer where it has one.",
        )];
    };
    let rows = layout.leaves().iter().zip(natural.leaves()).map(|(leaf, index)| {
        let product =
            leaf.stride.scale(*index).map_or_else(|error| error.to_string(), |stride| stride.to_string());
        [text(leaf), index.to_string(), product]
    });
    let sum = match layout.codomain() {
        Codomain::Xor => "The products are carry-less, and are XORed.",
        _ => "The products are added.",
    };
    let mut sections = vec![
        Section::new(format!("{coord} is the natural coordinate {natural} of the shape {}", layout.shape()))
            .line(sum)
            .table(["leaf", "coordinate", "product"], rows.collect()),
    ];
    if let Ok(inner) = layout.evaluate(&coord) {
        let section = Section::new("Then");
        let sign = if layout.codomain() == Codomain::Xor { "XOR" } else { "+" };
        match function.untyped() {
            Value::View(view) => {
                sections.push(section.line(format!("{inner} {sign} the view's offset {}", view.offset())))
            }
            Value::Composed(composed) => {
                let line = format!("{}({} {sign} {inner})", composed.swizzle(), composed.offset());
                sections.push(section.line(line));
            }
            _ => {}
        }
    }
    sections
}

/// What an offset before a layout of coordinates has to be.
pub(crate) fn displaced(values: &[Value]) -> Vec<Section> {
    let [offset, layout] = values else { return Vec::new() };
    let Some(last) = layout.domain().and_then(|own| layout.evaluate(&HTuple::leaf(own.size() - 1))?.ok())
    else {
        return Vec::new();
    };
    vec![
        Section::new("Definition")
            .line("{d} o L is the layout with the offset d + L(c) at each coordinate c")
            .line(format!(
                "d is {offset}, and the last offset of L is {last}: d needs entries where that has them"
            )),
    ]
}

fn swizzle(function: &Value, coordinate: &Value) -> Vec<Section> {
    let (Value::Swizzle(swizzle), Some(offset)) = (function, coordinate.as_integer()) else {
        return Vec::new();
    };
    let field = offset & swizzle.source_mask();
    let shifted = if swizzle.shift() >= 0 { field >> swizzle.shift() } else { field << -swizzle.shift() };
    vec![
        Section::new(format!(
            "{swizzle} XORs one field of bits into another, {} bits away",
            swizzle.shift().abs()
        ))
        .line(format!("offset        {offset:#b}"))
        .line(format!("field read    {:#b}, which holds {field:#b}", swizzle.source_mask()))
        .line(format!("field changed {:#b}, XORed with {shifted:#b}", swizzle.target_mask())),
    ]
}

/// The leaves, merged.
pub(crate) fn coalesce(case: &Case) -> Vec<Section> {
    by_profile(case, &|case| vec![merged(&case.layout)])
}

/// The leaves without those of stride 0, merged.
pub(crate) fn filter(case: &Case) -> Vec<Section> {
    by_profile(case, &|case| {
        let kept = case.layout.filter_zeros();
        let section = Section::new("A mode of stride 0 has one offset: its extent becomes 1");
        vec![section.line(format!("filter_zeros({}) = {kept}", case.layout)), merged(&kept)]
    })
}

/// Each leaf: dropped, merged into the one before, or kept.
fn merged(layout: &Layout) -> Section {
    let mut rows = Vec::new();
    let mut before: Option<Layout> = None;
    for leaf in layout.leaves() {
        let Ok(own) = Layout::of(leaf.extent, leaf.stride) else {
            break;
        };
        let after = match &before {
            None => own.coalesce(),
            Some(before) => match Layout::concatenate(&[*before, own]) {
                Ok(both) => both.coalesce(),
                Err(_) => break,
            },
        };
        let last = before.as_ref().and_then(|before| before.leaves().last()).copied();
        let rule = match last {
            _ if leaf.extent == 1 => String::from("extent 1 goes"),
            Some(last) if last.extent > 1 => {
                let next =
                    last.stride.scale(last.extent).map_or_else(|_| "?".into(), |stride| stride.to_string());
                let merged =
                    before.as_ref().is_some_and(|before| before.leaves().len() == after.leaves().len());
                let verdict = if merged { "merged" } else { "kept apart" };
                format!("{} would go on with {next}: {verdict}", text(&last))
            }
            _ => String::from("the first"),
        };
        rows.push([text(leaf), rule, after.to_string()]);
        before = Some(after);
    }
    Section::new("From left to right: s0:d0, s1:d1 merge where d1 = s0*d0, and extent 1 goes (paper, 3.2)")
        .table(["leaf", "rule", "so far"], rows)
}

/// The modes in the order of their strides, and the gaps between them.
pub(crate) fn complement(case: &Case) -> Vec<Section> {
    match case.right.and_then(Value::as_shape) {
        Some(within) => gaps(&case.layout, Some(&within)),
        None => by_profile(case, &|case| gaps(&case.layout, None)),
    }
}

/// The gaps along each component.
fn gaps(layout: &Layout, within: Option<&Shape>) -> Vec<Section> {
    let parts = match layout.codomain() {
        Codomain::Integer => within.map_or(Ok(i64::MAX), Shape::size).map(|end| (*layout, HTuple::leaf(end))),
        _ => layout.by_component(within, false),
    };
    let axes = parts.and_then(|(apart, ends)| {
        let ones = HTuple::with_profile(ends.profile(), &vec![1; ends.leaves().len()], 1)?;
        Ok((apart, ends, Layout::identity(&ones)?))
    });
    let Ok((apart, ends, axes)) = axes else { return Vec::new() };
    let along = |(axis, &end): (&Leaf, &i64)| {
        let named =
            if axis.stride.unit().is_one() { String::new() } else { format!(" along {}", axis.stride) };
        let section = Section::new(format!(
            "The modes of {layout}{named} by ascending stride, and what fills the gaps (paper, 3.5)"
        ));
        let section = match apart == *layout {
            true => section,
            false => section.line(format!(
                "A mode counts along one component, the last along which those that are left do not interleave: {apart}"
            )),
        };
        let rows = gaps_along(&apart, axis.stride.unit(), within.map(|_| end));
        section.table(["mode", "covered before", "gap"], rows)
    };
    axes.leaves().iter().zip(ends.leaves()).map(along).collect()
}

fn gaps_along(layout: &Layout, unit: Unit, within: Option<i64>) -> Vec<[String; 3]> {
    let element = |count: i64| {
        Stride::new(Rational::integer(count), unit).map_or_else(|_| "?".into(), |own| own.to_string())
    };
    let moving = layout.leaves().iter().filter(|leaf| leaf.extent > 1);
    let modes = moving.map(|leaf| (leaf.stride.coefficient(unit), leaf.extent));
    let mut modes: Vec<_> =
        modes.filter(|(stride, _)| stride.is_integer() && stride.numerator() != 0).collect();
    tilework::__private::sort_by_key(&mut modes, |(stride, _)| stride.numerator());
    let (mut covered, mut rows) = (1i64, Vec::new());
    for (stride, extent) in modes {
        let stride = stride.numerator();
        let gap = if stride < 0 {
            String::from("none: it goes back")
        } else if stride < covered {
            format!("none: {stride} is below {covered}, the modes interleave")
        } else if stride == covered {
            String::from("none")
        } else {
            let rest = if stride % covered == 0 { "" } else { ", not evenly" };
            format!("{}:{}{rest}", stride / covered, element(covered))
        };
        rows.push([format!("{extent}:{}", element(stride)), covered.to_string(), gap]);
        covered = stride.saturating_mul(extent).max(covered);
    }
    let last = match within {
        Some(size) if size > covered => {
            let rest = if size % covered == 0 { "" } else { ", rounded up" };
            format!(
                "{}:{} up to {size}{rest}",
                tilework::__private::ceil_div(size, covered),
                element(covered)
            )
        }
        Some(size) => format!("none: {covered} offsets are covered, and {size} asked for"),
        None => format!("1:{}, where the complement may be continued", element(covered)),
    };
    rows.push([String::from("the end"), covered.to_string(), last]);
    rows
}

/// A tiler and a layout, mode by mode if the tiler is.
fn by_mode(layout: &Layout, tiler: &Tiler, explain: fn(&Layout, &Layout) -> Vec<Section>) -> Vec<Section> {
    if tiler.is_by_mode() {
        return each_mode(layout, tiler, &|mode, tile| by_mode(mode, tile, explain));
    }
    tiler.layout().ok().flatten().map_or_else(Vec::new, |tile| explain(layout, &tile))
}

/// `A o (B, complement(B, size(A)))`.
pub(crate) fn divide(case: &Case) -> Vec<Section> {
    let Some(Ok(tiler)) = case.right.and_then(Value::as_tiler) else { return Vec::new() };
    let mut sections = vec![
        Section::new("Definition: A / B = A o (B, B*), where B* is complement(B, size(A)) (paper, 3.5.2)")
            .line(case.gives.as_str()),
    ];
    sections.extend(by_mode(&case.layout, &tiler, divide_layout));
    sections
}

fn divide_layout(layout: &Layout, tile: &Layout) -> Vec<Section> {
    let section = Section::new(format!("{layout} / {tile}"));
    let within = match layout.domain_of_tile(tile) {
        Ok(within) => within,
        Err(error) => return vec![section.line(format!("refused: {error}"))],
    };
    let rest = tile.complement_within(&within);
    completed(section, format!("complement({tile}, {within})"), tile, rest, Some(&within), |rest| {
        Some((*layout, Layout::concatenate(&[*tile, rest]).ok()?))
    })
}

/// The section with a complement and a composition with it, or the reason why there is no complement.
fn completed(
    section: Section,
    form: String,
    of: &Layout,
    rest: Result<Layout, Error>,
    within: Option<&Shape>,
    composes: impl FnOnce(Layout) -> Option<(Layout, Layout)>,
) -> Vec<Section> {
    match rest {
        Ok(rest) => {
            let section = section.line(format!("{form} = {rest}"));
            match composes(rest) {
                Some((a, b)) => composed(section, &a, &b),
                None => vec![section],
            }
        }
        Err(error) => {
            let section = section.line(format!("{form} is refused: {error}"));
            std::iter::once(section).chain(gaps(of, within)).collect()
        }
    }
}

/// The section with a composition, and its explanation.
fn composed(section: Section, a: &Layout, b: &Layout) -> Vec<Section> {
    let result = a.composition(b).map_or_else(|error| format!("refused: {error}"), |found| found.to_string());
    let section = section.line(format!("{a} o {b} = {result}"));
    std::iter::once(section).chain(composition::layouts(a, b)).collect()
}

/// The tiles, and the one at the coordinate.
pub(crate) fn tile(case: &Case) -> Vec<Section> {
    let Some(Ok(tiler)) = case.right.and_then(Value::as_tiler) else { return Vec::new() };
    sliced(case, "T", case.layout.zipped_divide(&tiler), "the coordinate takes of the rests")
}

/// The tiles of threads, and the element of each that one thread has.
pub(crate) fn share(case: &Case) -> Vec<Section> {
    let Some(Ok(threads)) = case.right.and_then(Value::as_layout) else { return Vec::new() };
    let sizes = threads.shape().mode_sizes().and_then(Tiler::of_shape);
    let tiles = sizes.and_then(|tiler| case.layout.zipped_divide(&tiler));
    sliced(case, "shape(T)", tiles, "the thread takes of each tile")
}

fn sliced(case: &Case, tiler: &str, tiles: Result<Layout, Error>, takes: &str) -> Vec<Section> {
    let mut section = Section::new("Divide, then slice (paper, 2.5.1)").line(case.gives.as_str());
    if let Ok(tiles) = tiles {
        section = section.line(format!("zipped_divide(L, {tiler}) = {tiles}"));
    }
    match case.result.map(Value::untyped) {
        Some(Value::View(view)) => {
            section = section.line(format!("what {takes} is the offset {}", view.offset()));
        }
        Some(Value::Composed(composed)) => {
            let line = format!("what {takes} is the offset {} before the swizzle", composed.offset());
            section = section.line(line);
        }
        _ => {}
    }
    vec![section]
}

/// The tile with the number of thread and value at each place, and its inverse.
pub(crate) fn thread_values(case: &Case) -> Vec<Section> {
    let Some(Ok(values)) = case.right.and_then(Value::as_layout) else { return Vec::new() };
    let Ok(places) = case.layout.raked_product(&values) else { return Vec::new() };
    let mut section = Section::new("Threads raked over values, and the way back (paper, 3.4 and 3.5.3)")
        .line(format!(
            "raked_product(T, V) = {places}, from a place to thread + {} value",
            case.layout.size()
        ));
    if let Ok(inverse) = places.right_inverse() {
        section = section.line(format!(
            "right_inverse = {inverse}, from thread + {} value to the place",
            case.layout.size()
        ));
    }
    vec![section]
}

/// `(A, complement(A) o B)`, by mode for a tiler.
pub(crate) fn product(case: &Case) -> Vec<Section> {
    let Some(Ok(tiler)) = case.right.and_then(Value::as_tiler) else { return Vec::new() };
    repeated(case, by_mode(&case.layout, &tiler, product_layout))
}

/// A product by a layout, or a shape as one, whose modes are then zipped.
pub(crate) fn grid(case: &Case) -> Vec<Section> {
    let Some(Ok(grid)) = case.right.and_then(Value::as_layout) else { return Vec::new() };
    repeated(case, product_layout(&case.layout, &grid))
}

fn repeated(case: &Case, sections: Vec<Section>) -> Vec<Section> {
    let title = "Definition: A * B = (A, A* o B), where A* is complement(A), which goes on (paper, 3.5.1)";
    std::iter::once(Section::new(title).line(case.gives.as_str())).chain(sections).collect()
}

fn product_layout(layout: &Layout, tile: &Layout) -> Vec<Section> {
    let (section, form) = (Section::new(format!("{layout} * {tile}")), format!("complement({layout})"));
    completed(section, form, layout, layout.complement(), None, |rest| Some((rest, *tile)))
}
