//! The parts and the input of explanations.

use crate::value::Value;
use std::fmt;
use tilework::{HTuple, Layout, Leaf, Pattern, Tiler};

/// A part of an explanation: lines of text, followed by a table.
///
/// ```
/// let explanation = tilework_expr::Session::new().explain("(4,8):(8,1)")?;
/// assert_eq!(explanation.sections[0].title, "What it is");
/// # Ok::<(), tilework_expr::ExprError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Section {
    /// The title.
    pub title: String,
    /// Sentences and equations.
    pub lines: Vec<String>,
    /// Numbers.
    pub table: Option<Table>,
}

/// Numbers in rows and columns.
///
/// ```
/// let explanation = tilework_expr::Session::new().explain("((4,8):(8,1))(9)")?;
/// let table = explanation.sections[0].table.as_ref().unwrap();
/// assert_eq!((table.header.len(), table.rows.len()), (3, 2));
/// # Ok::<(), tilework_expr::ExprError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Table {
    /// The headers of the columns.
    pub header: Vec<String>,
    /// The rows, each as long as the header.
    pub rows: Vec<Vec<String>>,
}

impl Section {
    pub(super) fn new(title: impl Into<String>) -> Section {
        Section { title: title.into(), ..Section::default() }
    }

    pub(super) fn line(mut self, line: impl Into<String>) -> Section {
        self.lines.push(line.into());
        self
    }

    pub(super) fn table<const N: usize>(mut self, header: [&str; N], rows: Vec<[String; N]>) -> Section {
        let header = header.map(String::from).to_vec();
        self.table = Some(Table { header, rows: rows.into_iter().map(Vec::from).collect() });
        self
    }
}

/// A call to explain.
pub(crate) struct Case<'a> {
    /// `name gives summary`, of the function.
    pub gives: String,
    /// The first operand as a layout, or the layout of its coordinates.
    pub layout: Layout,
    /// The first operand itself.
    pub first: &'a Value,
    /// The second operand.
    pub right: Option<&'a Value>,
    /// The value, if there is one.
    pub result: Option<&'a Value>,
}

/// The explanation of a call by its function; empty if the definition is enough.
pub(crate) type Explain = fn(&Case<'_>) -> Vec<Section>;

/// The definition of a function, in the form in which it is called.
pub(crate) fn definition(form: &str, summary: &str) -> Vec<Section> {
    vec![Section::new("Definition").line(format!("{form}: {summary}"))]
}

/// The definition of a function, with its result, and for a function of coordinates its last offset.
pub(crate) fn in_brief(form: &str, summary: &str, definition: &str, result: Option<&Value>) -> Vec<Section> {
    let mut section = Section::new("Definition").line(format!("{form}: {summary}"));
    section = section.line(definition);
    if let Some(value) = result
        && let Some(layout) = value.domain()
        && let Some(Ok(offset)) = value.evaluate(&HTuple::leaf(layout.size() - 1))
        && let Ok(last) = layout.shape().idx2crd(&HTuple::leaf(layout.size() - 1))
    {
        section = section
            .line(format!("the last of its {} coordinates, {last}, has the offset {offset}", layout.size()));
    }
    vec![section]
}

/// A leaf as a layout is written.
pub(super) fn text(leaf: &Leaf) -> String {
    format!("{}:{}", leaf.extent, leaf.stride)
}

/// The explanations of modes, each titled with its mode.
fn of_modes(rank: usize, explain: impl Fn(usize) -> Option<Vec<Section>>) -> Vec<Section> {
    let titled = |index: usize, section: Section| {
        let title = format!("mode {index}: {}", section.title);
        Section { title, ..section }
    };
    let modes = (0..rank).filter_map(|index| Some((index, explain(index)?)));
    modes
        .flat_map(|(index, sections)| sections.into_iter().map(move |section| titled(index, section)))
        .collect()
}

/// The explanations of each mode of a layout with its tile.
pub(super) fn each_mode(
    layout: &Layout,
    tiler: &Tiler,
    explain: &dyn Fn(&Layout, &Tiler) -> Vec<Section>,
) -> Vec<Section> {
    of_modes(tiler.rank(), |index| Some(explain(&layout.mode(index).ok()?, &tiler.mode(index).ok()?)))
}

/// The explanation of an operation on the whole, or on each mode that a profile marks.
pub(super) fn by_profile(case: &Case, whole: &dyn Fn(&Case) -> Vec<Section>) -> Vec<Section> {
    match case.right.and_then(Value::as_profile) {
        Some(profile) => profiled(case, &profile, whole),
        None => whole(case),
    }
}

fn profiled(case: &Case, profile: &Pattern, whole: &dyn Fn(&Case) -> Vec<Section>) -> Vec<Section> {
    if profile.is_leaf() {
        return whole(case);
    }
    of_modes(profile.rank(), |index| {
        let layout = case.layout.mode(index).ok()?;
        let result = case.result.and_then(Value::domain).and_then(|result| result.mode(index).ok());
        let (first, result) = (Value::from(layout), result.map(Value::from));
        let case =
            Case { gives: case.gives.clone(), layout, first: &first, right: None, result: result.as_ref() };
        Some(profiled(&case, &profile.mode(index).ok()?, whole))
    })
}

impl fmt::Display for Table {
    /// Columns aligned, two spaces apart.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.chain(self.header.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.header.len()).map(width).collect();
        for row in std::iter::once(&self.header).chain(&self.rows) {
            let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
            let line = cells.collect::<Vec<_>>().join("  ");
            writeln!(f, "    {}", line.trim_end())?;
        }
        Ok(())
    }
}
