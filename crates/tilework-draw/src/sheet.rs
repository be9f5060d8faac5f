//! The arrangement of a layout's elements in rows and columns.
//!
//! Mode 0 runs down and mode 1 across; a layout of rank 1 is one row. Every coordinate of the further modes has its own
//! slice. A long row, or a column, is wrapped to several rows, each labelled with the index of its first element.

use crate::scene::{Area, Label, Level, Outline, Panel};
use tilework::{Error, Layout, Shape};

/// The most elements in one row or column that is not wrapped.
const LONGEST: i64 = 64;
/// The most in a row of a wrapped slice, unless it has more than the square of this.
const USUAL: i64 = 32;

/// The rows and columns of a slice.
pub struct Sheet {
    pub rows: i64,
    pub columns: i64,
    /// The step and the extent of each leaf, from the innermost.
    down: Vec<(i64, i64)>,
    across: Vec<(i64, i64)>,
    /// The number of elements of a slice, if it is wrapped.
    wrapped: Option<i64>,
}

impl Sheet {
    /// The sheet of a layout; at most `cells` are drawn.
    pub fn of(domain: &Layout, cells: i64) -> Result<Sheet, Error> {
        let (down, across) = match domain.rank() {
            0 => (steps(&domain.shape()), steps(&domain.shape())),
            1 => (Vec::new(), steps(&domain.mode(0)?.shape())),
            _ => (steps(&domain.mode(0)?.shape()), steps(&domain.mode(1)?.shape())),
        };
        let [rows, columns] = sides(domain)?;
        let length = rows * columns;
        if rows.min(columns) > 1 || length <= LONGEST {
            return Ok(Sheet { rows, columns, down, across, wrapped: None });
        }
        let across = if columns > 1 { across } else { down };
        let columns = width(&across, length.min(cells));
        let rows = (length - 1) / columns + 1;
        Ok(Sheet { rows, columns, down: Vec::new(), across, wrapped: Some(length) })
    }

    /// The number of elements of a slice.
    pub fn len(&self) -> i64 {
        self.wrapped.unwrap_or_else(|| self.rows * self.columns)
    }

    /// Which of the rows and columns are drawn, in words.
    pub fn part(&self, rows: i64, columns: i64) -> String {
        let sides = [("rows", rows, self.rows), ("columns", columns, self.columns)];
        let cut = sides.iter().filter(|(_, drawn, all)| drawn < all);
        let cut = cut.map(|(side, drawn, all)| format!("{side} 0 to {} of {all}", drawn - 1));
        cut.collect::<Vec<_>>().join(", ")
    }

    /// The rows, columns and cells of a slice that are drawn, at most `most` cells: a slice that is not wrapped is cut
    /// towards a square.
    pub fn shown(&self, most: i64) -> (i64, i64, i64) {
        if let Some(length) = self.wrapped {
            let cells = length.min(most);
            let columns = self.columns.min(cells);
            return ((cells - 1) / columns + 1, columns, cells);
        }
        let columns = self.columns.min((most / self.rows).max(most.isqrt()));
        let rows = self.rows.min((most / columns).max(1));
        (rows, columns, rows * columns)
    }

    /// The linear index of a place.
    pub fn index(&self, slice: i64, [row, column]: [i64; 2]) -> i64 {
        match self.wrapped {
            Some(length) => slice * length + row * self.columns + column,
            None => (slice * self.columns + column) * self.rows + row,
        }
    }

    /// The place of a linear index in its slice.
    pub fn place(&self, index: i64) -> [i64; 2] {
        let index = index % self.len();
        match self.wrapped {
            Some(_) => [index / self.columns, index % self.columns],
            None => [index % self.rows, index / self.rows],
        }
    }

    /// The rows and columns of the innermost tile, given by nested modes; a side without nesting is not divided.
    pub fn tile(&self) -> Option<[i64; 2]> {
        if self.wrapped.is_some() {
            let step = self.across.get(1)?.0;
            return match step < self.columns {
                true => Some([1, step]),
                false => Some([(step / self.columns).max(1), self.columns]),
            };
        }
        let span = |steps: &[(i64, i64)], whole: i64| steps.get(1).map_or(whole, |&(step, _)| step);
        let nested = self.down.len().max(self.across.len()) > 1;
        nested.then(|| [span(&self.down, self.rows), span(&self.across, self.columns)])
    }

    /// A panel without its cells: the first `rows` and `columns`, or the first `cells` of a wrapped slice.
    pub fn frame(&self, slice: i64, rows: i64, columns: i64, cells: i64) -> Panel {
        let (row_labels, column_labels) = match self.wrapped {
            Some(_) => (vec![self.firsts(slice, rows)], self.wrapped_labels()),
            None => (levels(&self.down, rows), levels(&self.across, columns)),
        };
        let (rows, columns) = (rows as usize, columns as usize);
        let panel = Panel {
            rows,
            columns,
            row_labels,
            column_labels,
            wrapped: self.wrapped.is_some(),
            ..Panel::default()
        };
        let outlines =
            if self.wrapped.is_some() { self.wrapped_tiles(cells) } else { self.tiles(panel.area()) };
        Panel { outlines, ..panel }
    }

    /// The index of the first element of each row.
    fn firsts(&self, slice: i64, rows: i64) -> Level {
        let label =
            |row: i64| Label { start: row as usize, span: 1, text: self.index(slice, [row, 0]).to_string() };
        Level { labels: (0..rows).map(label).collect() }
    }

    /// The coordinates that repeat in every row; and the positions in the row where each begins again.
    fn wrapped_labels(&self) -> Vec<Level> {
        let whole: Vec<(i64, i64)> =
            self.across.iter().copied().filter(|(step, extent)| step * extent <= self.columns).collect();
        let period = whole.last().map_or(1, |(step, extent)| step * extent);
        let mut labels = levels(&whole, self.columns);
        if period < self.columns {
            let starts = (0..self.columns).step_by(period as usize);
            let label =
                |start: i64| Label { start: start as usize, span: period as usize, text: start.to_string() };
            labels.insert(0, Level { labels: starts.map(label).collect() });
        }
        labels
    }

    fn tiles(&self, whole: Area) -> Vec<Outline> {
        // A side with fewer levels is not divided further, so the tiles of a level span it.
        let span = |steps: &[(i64, i64)], level: usize, whole: usize| {
            steps.get(level).map_or(whole, |&(step, _)| (step as usize).min(whole))
        };
        let tile = |level: usize| {
            (level, span(&self.down, level, whole.rows), span(&self.across, level, whole.columns))
        };
        (1..self.down.len().max(self.across.len()))
            .map(tile)
            .filter(|&(_, rows, columns)| (rows, columns) != (whole.rows, whole.columns))
            .map(|(level, rows, columns)| Outline::tiling(level, rows, columns, whole))
            .collect()
    }

    /// The tiles that are rectangles of whole rows, or are within one row.
    fn wrapped_tiles(&self, cells: i64) -> Vec<Outline> {
        let mut outlines = Vec::new();
        for (level, &(step, _)) in self.across.iter().enumerate().skip(1) {
            let (rows, columns) = match step < self.columns {
                true => (1, step),
                false if step % self.columns == 0 && step < cells => (step / self.columns, self.columns),
                false => continue,
            };
            let whole = Area {
                row: 0,
                column: 0,
                rows: ((cells - 1) / self.columns + 1) as usize,
                columns: self.columns as usize,
            };
            let mut outline = Outline::tiling(level, rows as usize, columns as usize, whole);
            let is_drawn = |area: &Area| ((area.row * whole.columns + area.column) as i64) < cells;
            outline.areas.retain(is_drawn);
            outlines.push(outline);
        }
        outlines
    }
}

/// The number of elements down and across.
pub fn sides(domain: &Layout) -> Result<[i64; 2], Error> {
    Ok(match domain.rank() {
        0 => [1, 1],
        1 => [1, domain.size()],
        _ => [domain.mode(0)?.size(), domain.mode(1)?.size()],
    })
}

/// The row length for `length` wrapped elements: whole coordinates of the inner leaves, about as many rows as columns,
/// and a full last row, unless rows would be shorter than half of the limit.
fn width(steps: &[(i64, i64)], length: i64) -> i64 {
    let most = (length.isqrt() as u64).next_power_of_two().max(USUAL as u64) as i64;
    let inner = steps.iter().take_while(|(step, _)| *step <= most).last();
    let (step, extent) = inner.copied().unwrap_or((1, length));
    let times = most / step;
    let full = (times / 2 + 1..=times).rev().find(|&times| extent % times == 0);
    step * full.unwrap_or(times)
}

/// The step and the extent of each leaf, from the innermost; without extents of 1, unless there are no others.
fn steps(shape: &Shape) -> Vec<(i64, i64)> {
    let mut step = 1;
    let mut steps = Vec::new();
    for &extent in shape.leaves().iter().filter(|&&extent| extent > 1) {
        steps.push((step, extent));
        step *= extent;
    }
    if steps.is_empty() {
        steps.push((1, 1));
    }
    steps
}

fn levels(steps: &[(i64, i64)], count: i64) -> Vec<Level> {
    let level =
        |&(step, extent): &(i64, i64)| Level::repeating(step as usize, extent as usize, count as usize);
    steps.iter().rev().map(level).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(text: &str) -> Sheet {
        Sheet::of(&text.parse().expect("a layout"), 4096).expect("a sheet")
    }

    #[test]
    fn a_long_row_is_wrapped() {
        let sizes = |text: &str| (sheet(text).rows, sheet(text).columns);
        for (text, size) in [
            ("64:1", (1, 64)),
            ("65:1", (3, 32)),
            ("100:1", (4, 25)),
            ("4096:1", (64, 64)),
            ("1000:1", (40, 25)),
            ("(1,4096):(0,1)", (64, 64)),
            ("(4096,1):(1,0)", (64, 64)),
            ("(4096)", (64, 64)),
            ("((4,8,128))", (64, 64)),
            ("((3,1000))", (50, 60)),
            ("((7,5,3,11))", (33, 35)),
            ("((101,50))", (79, 64)),
            ("(2,4096)", (2, 4096)),
        ] {
            assert_eq!(sizes(text), size, "{text}");
        }
    }

    #[test]
    fn index_and_place_are_inverse() {
        for text in ["65:1", "((4,8,5))", "(3,(5,2),4)", "(1,100,3)", "(100,1,2)", "()"] {
            let (layout, sheet): (Layout, Sheet) = (text.parse().expect("a layout"), sheet(text));
            for index in 0..layout.size() {
                let (slice, [row, column]) = (index / sheet.len(), sheet.place(index));
                assert!((0..sheet.rows).contains(&row) && (0..sheet.columns).contains(&column), "{text}");
                assert_eq!(sheet.index(slice, [row, column]), index, "{text}");
            }
        }
    }
}
