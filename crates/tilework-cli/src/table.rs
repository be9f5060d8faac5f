//! A layout as a table of its offsets, like CuTe's `print_layout`.
//!
//! Mode 0 goes down and mode 1 across; a layout of rank 1 is one row. For every further mode there is a table for each
//! of its coordinates. The colour of a cell is that of its offset, so that equal and neighbouring offsets look alike.

use anstyle::{RgbColor, Style};
use std::fmt::Write;
use tilework::{HTuple, Offset};
use tilework_expr::Value;

/// The drawing, with colours that the stream takes out where they do not belong.
pub fn render(value: &Value, max_cells: usize) -> Result<String, String> {
    let compact;
    let (value, layout) = match value.domain() {
        Some(layout) => (value, *layout),
        None => match value.as_layout() {
            Some(Ok(layout)) => {
                compact = Value::Layout(layout);
                (&compact, layout)
            }
            Some(Err(error)) => return Err(error.to_string()),
            None => return Err(format!("{} is no layout: {value}", value.kind())),
        },
    };
    let mode_size = |index: usize| layout.mode(index).map(|mode| mode.size()).unwrap_or(1);
    let (rows, columns) = match layout.rank() {
        0 => (1, 1),
        1 => (1, mode_size(0)),
        _ => (mode_size(0), mode_size(1)),
    };
    let slices = layout.size() / (rows * columns);
    let mut out = format!("{value}\n");
    let mut left = i64::try_from(max_cells.max(1)).unwrap_or(i64::MAX);
    let mut drawn = 0;
    for slice in 0..slices {
        if left <= 0 {
            break;
        }
        // A table that is too big is cut towards a square.
        let shown_columns = columns.min((left / rows).max(left.isqrt()));
        let shown_rows = rows.min((left / shown_columns).max(1));
        if layout.rank() > 2 {
            let _ = writeln!(out, "\n{}", slice_title(&layout, slice));
        }
        let grid = Grid::new(value, layout.size(), (rows, columns), (shown_rows, shown_columns), slice)?;
        grid.write(&mut out, layout.rank() == 1);
        left -= shown_rows * shown_columns;
        drawn += shown_rows * shown_columns;
    }
    if drawn < layout.size() {
        let _ = writeln!(out, "({drawn} of {} cells; --max-cells draws more)", layout.size());
    }
    Ok(out)
}

/// `(_,_,1,0)`: the coordinates that a table fixes.
fn slice_title(layout: &tilework::Layout, slice: i64) -> String {
    let mut title = String::from("(_,_");
    let mut rest = slice;
    for index in 2..layout.rank() {
        let size = layout.mode(index).map(|mode| mode.size()).unwrap_or(1);
        let _ = write!(title, ",{}", rest % size);
        rest /= size;
    }
    title + ")"
}

/// The cells of one table.
struct Grid {
    columns: usize,
    cells: Vec<(String, i64)>,
    low: i64,
    high: i64,
}

impl Grid {
    fn new(
        value: &Value,
        size: i64,
        (rows, columns): (i64, i64),
        (shown_rows, shown_columns): (i64, i64),
        slice: i64,
    ) -> Result<Grid, String> {
        let offset = |index: i64| match value.evaluate(&HTuple::leaf(index)) {
            Some(offset) => offset.map_err(|error| error.to_string()),
            None => Err(format!("{value} is no function of coordinates")),
        };
        let mut cells = Vec::new();
        for row in 0..shown_rows {
            for column in 0..shown_columns {
                let offset = offset((slice * columns + column) * rows + row)?;
                cells.push((offset.to_string(), hue_key(&offset)));
            }
        }
        // The scale of the colours is that of the whole layout where that is quickly known.
        let (mut low, mut high) = (i64::MAX, i64::MIN);
        for index in (0..size.min(1 << 14)).map(|index| index * (size / size.min(1 << 14))) {
            let key = hue_key(&offset(index)?);
            (low, high) = (low.min(key), high.max(key));
        }
        for (_, key) in &cells {
            (low, high) = (low.min(*key), high.max(*key));
        }
        Ok(Grid { columns: shown_columns as usize, cells, low, high })
    }

    fn write(&self, out: &mut String, one_row: bool) {
        let rows = self.cells.len() / self.columns;
        let width = self.cells.iter().map(|(text, _)| text.len()).max().unwrap_or(1);
        let width = width.max((self.columns - 1).to_string().len());
        let label = if one_row { 0 } else { (rows - 1).to_string().len() };
        let indent = " ".repeat(label + usize::from(!one_row));
        let header = Style::new().dimmed();
        let _ = write!(out, "{indent} ");
        for column in 0..self.columns {
            let _ = write!(out, " {header}{column:>width$}{header:#}  ");
        }
        while out.ends_with(' ') {
            out.pop();
        }
        out.push('\n');
        let rule = format!("{indent}+{}\n", format!("{}+", "-".repeat(width + 2)).repeat(self.columns));
        out.push_str(&rule);
        for row in 0..rows {
            if !one_row {
                let _ = write!(out, "{header}{row:>label$}{header:#} ");
            }
            out.push('|');
            for (text, key) in &self.cells[row * self.columns..(row + 1) * self.columns] {
                let style = self.colour(*key);
                let _ = write!(out, "{style} {text:>width$} {style:#}|");
            }
            out.push('\n');
            out.push_str(&rule);
        }
    }

    /// Dark text on a light ground whose hue goes with the offset.
    fn colour(&self, key: i64) -> Style {
        let range = (i128::from(self.high) - i128::from(self.low)).max(1) as f64;
        let position = (i128::from(key) - i128::from(self.low)) as f64 / range;
        // From red to violet; a full circle would give the ends one colour.
        let (red, green, blue) = light_hue(position * 290.0);
        Style::new()
            .fg_color(Some(RgbColor(24, 24, 24).into()))
            .bg_color(Some(RgbColor(red, green, blue).into()))
    }
}

/// What orders offsets: the number itself, of a coordinate the sum of its components.
fn hue_key(offset: &Offset) -> i64 {
    offset.leaves().iter().map(|leaf| leaf.numerator() / leaf.denominator()).fold(0, i64::saturating_add)
}

/// The light colour of a hue in degrees.
fn light_hue(hue: f64) -> (u8, u8, u8) {
    let channel = |turn: f64| {
        let k = (turn + hue / 30.0) % 12.0;
        let value = 0.78 - 0.18 * (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0);
        (value * 255.0).round() as u8
    };
    (channel(0.0), channel(8.0), channel(4.0))
}
