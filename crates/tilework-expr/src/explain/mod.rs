//! Why an operation gives what it gives, or why it refuses.
//!
//! An explanation follows the definition in the paper, with the numbers of this case in it. The numbers come from the
//! core's own operations on the parts; nothing of the algebra is decided here.

mod composition;
mod families;
mod inverses;

use crate::error::ExprError;
use crate::functions;
use crate::program::{Program, Step, StepKind};
use crate::session::{coordinate, operand_count};
use crate::value::Value;
use std::fmt;
use std::ops::Range;

/// A part of an explanation: lines of text, and below them a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Section {
    /// What the part is about.
    pub title: String,
    /// Sentences and equations.
    pub lines: Vec<String>,
    /// Numbers.
    pub table: Option<Table>,
}

/// Numbers in rows and columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Table {
    /// The heads of the columns.
    pub header: Vec<String>,
    /// The rows, each as long as the header.
    pub rows: Vec<Vec<String>>,
}

/// What an operation did with its operands, step by step.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The operation as it was written.
    pub expression: String,
    /// Its name, or what it is called.
    pub operation: String,
    /// Its operands: as written, and their values.
    pub operands: Vec<(String, String)>,
    /// The steps.
    pub sections: Vec<Section>,
    /// The value, or why there is none.
    pub outcome: Result<String, ExprError>,
}

impl Section {
    fn new(title: impl Into<String>) -> Section {
        Section { title: title.into(), ..Section::default() }
    }

    fn line(mut self, line: impl Into<String>) -> Section {
        self.lines.push(line.into());
        self
    }

    fn table<const N: usize>(mut self, header: [&str; N], rows: Vec<[String; N]>) -> Section {
        let header = header.map(String::from).to_vec();
        self.table = Some(Table { header, rows: rows.into_iter().map(Vec::from).collect() });
        self
    }
}

/// An operation with its operands.
#[derive(Clone)]
pub(crate) struct Operands {
    pub kind: StepKind,
    pub values: Vec<Value>,
    pub sources: Vec<String>,
    source: String,
    span: Range<usize>,
}

impl Operands {
    /// The operands that wait on the stack for this step.
    pub fn new(
        step: &Step,
        program: &Program,
        stack: &[Value],
        spans: &[Range<usize>],
        text: &str,
    ) -> Operands {
        let base = stack.len() - operand_count(step.kind);
        let mut values = stack[base..].to_vec();
        if let (StepKind::Call { function, first_index, end_index, .. }, Some(first)) =
            (step.kind, values.first_mut())
        {
            let indices = &program.indices[first_index..end_index];
            if matches!(function.indices, functions::Indices::Path)
                && !indices.is_empty()
                && let Ok(part) = functions::part(first, indices)
            {
                *first = part;
            }
        }
        let written = |span: &Range<usize>| text.get(span.clone()).unwrap_or("").to_string();
        Operands {
            kind: step.kind,
            values,
            sources: spans[base..].iter().map(written).collect(),
            source: written(&step.span()),
            span: step.span(),
        }
    }

    /// The operation as it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Where it stands in the text.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Whether an error at this place is one of this operation: its operands had values.
    pub fn covers(&self, span: &Range<usize>) -> bool {
        span.start >= self.span.start && span.end <= self.span.end
    }

    /// What the operation is called.
    pub fn operation(&self) -> &'static str {
        match self.kind {
            StepKind::Call { function, .. } => function.name,
            StepKind::Apply(_) => "application",
            StepKind::Tuple(_) => "concatenation",
            StepKind::Literal(_) | StepKind::Variable(_) => "value",
            StepKind::Tiler(_) => "tiler",
            StepKind::Pair => "layout",
            StepKind::View => "view",
            StepKind::Swizzled => "swizzled layout",
        }
    }

    /// The explanation, once the outcome is known.
    pub fn explain(&self, outcome: Result<&Value, &ExprError>) -> Explanation {
        let sections = match self.kind {
            StepKind::Call { function, .. } => self.call_sections(function, outcome),
            StepKind::Apply(_) => self.application(),
            StepKind::Literal(_) | StepKind::Variable(_) | StepKind::Pair => {
                outcome.map(families::layout).unwrap_or_default()
            }
            StepKind::Tuple(_) | StepKind::Tiler(_) | StepKind::View | StepKind::Swizzled => Vec::new(),
        };
        let values = self.values.iter().map(Value::to_string);
        Explanation {
            expression: self.source.clone(),
            operation: self.operation().to_string(),
            operands: self.sources.iter().cloned().zip(values).collect(),
            sections,
            outcome: outcome.map(Value::to_string).map_err(ExprError::clone),
        }
    }

    fn call_sections(
        &self,
        function: &functions::Function,
        outcome: Result<&Value, &ExprError>,
    ) -> Vec<Section> {
        let result = outcome.ok();
        let layout = |index: usize| {
            let value = self.values.get(index)?;
            value.domain().copied().or_else(|| value.as_layout()?.ok())
        };
        let first = layout(0);
        let sections = match (function.name, first, self.values.get(1)) {
            ("composition", Some(left), Some(right)) => composition::any(&left, right),
            ("complement", Some(layout), within) => families::complement(&layout, within),
            (
                "logical_divide" | "zipped_divide" | "tiled_divide" | "flat_divide",
                Some(left),
                Some(tiler),
            ) => families::divide(function, &left, tiler),
            (
                "logical_product" | "zipped_product" | "tiled_product" | "flat_product",
                Some(left),
                Some(tiler),
            ) => families::product(function, &left, tiler),
            ("blocked_product" | "raked_product", Some(left), Some(right)) => {
                families::product(function, &left, right)
            }
            ("coalesce", Some(layout), None) => vec![families::coalesce(&layout)],
            ("right_inverse" | "inverse", Some(layout), _) => inverses::right(&layout, result),
            ("left_inverse", Some(layout), _) => inverses::left(&layout, result),
            _ => Vec::new(),
        };
        if sections.is_empty() {
            return vec![
                Section::new("Definition").line(format!("{}: {}", function.forms[0], function.summary)),
            ];
        }
        sections
    }

    fn application(&self) -> Vec<Section> {
        let Some((function, arguments)) = self.values.split_first() else { return Vec::new() };
        match (coordinate(arguments), function) {
            (Ok(coordinate), function) => families::application(function, &Value::Tuple(coordinate)),
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for Explanation {
    /// As text for a terminal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.expression)?;
        for (source, value) in &self.operands {
            let same = source.split_whitespace().eq(value.split_whitespace());
            if !same {
                writeln!(f, "  {source} = {value}")?;
            }
        }
        for section in &self.sections {
            writeln!(f, "\n{}", section.title)?;
            for line in &section.lines {
                writeln!(f, "  {line}")?;
            }
            if let Some(table) = &section.table {
                write!(f, "{table}")?;
            }
        }
        match &self.outcome {
            Ok(value) => writeln!(f, "\n= {value}"),
            Err(error) => {
                writeln!(f, "\nrefused ({}): {}", error.code, error.message)?;
                match &error.help {
                    Some(help) => writeln!(f, "  {help}"),
                    None => Ok(()),
                }
            }
        }
    }
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
