//! The positions of all parts of a scene, in pixels, for the writers that draw on a plane.
//!
//! All cells of a picture have the same size, which fits the longest label, so that texts do not overlap.

use crate::scene::{Area, Arrow, Panel, Scene};
use std::collections::BTreeMap;

/// The font sizes.
pub const CELL_FONT: f64 = 13.0;
pub const LABEL_FONT: f64 = 11.0;
pub const TITLE_FONT: f64 = 14.0;
/// From the middle of a line of digits to its baseline, in sizes of the font.
pub const BASELINE: f64 = 0.36;

/// No usual fixed-width font has wider characters, in sizes of the font.
const ADVANCE: f64 = 0.62;
/// The height of a line, in sizes of its font.
pub const LINE: f64 = 1.25;
const MARGIN: f64 = 16.0;
const PADDING: f64 = 7.0;
const GAP: f64 = 24.0;
/// The width and height of half an arrow's head, from a line between columns to the edge of a cell. It is narrower than
/// the space beside a text.
const HEAD: (f64, f64) = (5.0, 13.0);
/// The number of lanes for arrows below panels, and their distance.
const LANES: usize = 3;
const LANE: f64 = 4.0;
/// A picture of many panels should be about this much wider than high.
const ASPECT: f64 = 1.5;

/// The distance of the characters of a label.
pub fn pitch(font: f64) -> f64 {
    (ADVANCE * font).round()
}

/// The width of a text.
pub fn text_width(text: &str, font: f64) -> f64 {
    (text.chars().count() as f64 * ADVANCE * font).ceil()
}

/// The layout of a picture.
pub struct Plan<'a> {
    pub width: f64,
    pub height: f64,
    pub cell: (f64, f64),
    pub panels: Vec<Placed<'a>>,
    pub texts: Vec<Text<'a>>,
    /// Lines below the labels of several rows or columns.
    pub braces: Vec<[(f64, f64); 2]>,
}

/// A panel and the upper left corner of its first cell.
pub struct Placed<'a> {
    pub panel: &'a Panel,
    pub x: f64,
    pub y: f64,
    cell: (f64, f64),
    /// The line of panels that contains it.
    line: usize,
}

/// A title, caption or coordinate, by the vertical middle of its line.
pub struct Text<'a> {
    pub x: f64,
    pub y: f64,
    pub font: f64,
    /// Whether it is a coordinate, centred at `x`; otherwise `x` is the left end.
    pub coordinate: bool,
    pub text: &'a str,
}

/// A rectangle.
#[derive(Clone, Copy)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Placed<'_> {
    pub fn rect(&self, area: Area) -> Rect {
        Rect {
            x: self.x + area.column as f64 * self.cell.0,
            y: self.y + area.row as f64 * self.cell.1,
            width: area.columns as f64 * self.cell.0,
            height: area.rows as f64 * self.cell.1,
        }
    }

    pub fn cell(&self, cell: usize) -> Rect {
        let (row, column) = self.panel.place(cell);
        self.rect(Area { row, column, rows: 1, columns: 1 })
    }

    /// The corners of the cells' border; the last row may be shorter than the others.
    pub fn border(&self) -> Vec<(f64, f64)> {
        let Rect { x, y, width, height } = self.rect(self.panel.area());
        let rest = self.panel.cells.len() % self.panel.columns.max(1);
        let (right, bottom) = (x + width, y + height);
        if rest == 0 {
            return vec![(x, y), (right, y), (right, bottom), (x, bottom)];
        }
        let (step, above) = (x + rest as f64 * self.cell.0, bottom - self.cell.1);
        vec![(x, y), (right, y), (right, above), (step, above), (step, bottom), (x, bottom)]
    }

    pub fn middle(&self, cell: usize) -> (f64, f64) {
        let rect = self.cell(cell);
        (rect.x + rect.width / 2.0, rect.y + rect.height / 2.0)
    }

    /// The middle of each line of a cell, with its text.
    pub fn lines(&self, cell: usize) -> impl Iterator<Item = (f64, f64, &str)> {
        let (x, y) = self.middle(cell);
        let lines = &self.panel.cells[cell].lines;
        let first = y - (lines.len().saturating_sub(1)) as f64 * CELL_FONT * LINE / 2.0;
        lines
            .iter()
            .enumerate()
            .map(move |(at, line)| (x, first + at as f64 * CELL_FONT * LINE, line.as_str()))
            .filter(|(_, _, line)| !line.is_empty())
    }
}

/// The space that a panel takes: left of and above its cells, and in total.
struct Room {
    left: f64,
    above: f64,
    width: f64,
    height: f64,
}

impl<'a> Plan<'a> {
    pub fn new(scene: &'a Scene) -> Plan<'a> {
        let cell = cell_size(scene);
        let rooms: Vec<Room> = scene.panels.iter().map(|panel| room(panel, cell)).collect();
        // Panels are set in lines like words; lines end so that the page gets the desired aspect ratio.
        let area: f64 = rooms.iter().map(|room| (room.width + GAP) * (room.height + GAP)).sum();
        let end = MARGIN + (area * ASPECT).sqrt();
        let line = TITLE_FONT * LINE;
        let top = (MARGIN + if scene.title.is_empty() { 0.0 } else { line + 8.0 }).ceil();
        let mut plan = Plan { width: 0.0, height: 0.0, cell, panels: vec![], texts: vec![], braces: vec![] };
        let (mut x, mut y) = (MARGIN, top);
        let (mut right, mut bottom) = (0.0f64, top);
        let slots = slots(scene, &rooms);
        let mut number = 0;
        for (at, (panel, room)) in scene.panels.iter().zip(&rooms).enumerate() {
            if let Some(places) = &slots {
                (x, y) = (MARGIN + places[at].0, top + places[at].1);
            } else if x >= end {
                (x, y) = (MARGIN, bottom + GAP);
                number += 1;
            }
            plan.place(
                panel,
                x,
                y,
                room,
                panel.slot.filter(|_| slots.is_some()).map_or(number, |slot| slot.0),
            );
            (right, bottom) = (right.max(x + room.width), bottom.max(y + room.height));
            x += room.width + GAP;
        }
        if !scene.arrows.is_empty() {
            bottom += GAP;
        }
        plan.text(MARGIN, MARGIN + line / 2.0, TITLE_FONT, false, &scene.title);
        if !scene.caption.is_empty() {
            plan.text(MARGIN, bottom + 8.0 + line / 2.0, LABEL_FONT, false, &scene.caption);
            bottom += 8.0 + line;
        }
        let titles = text_width(&scene.title, TITLE_FONT).max(text_width(&scene.caption, LABEL_FONT));
        plan.width = (right.max(MARGIN + titles) + MARGIN).ceil();
        plan.height = (bottom + MARGIN).ceil();
        plan
    }

    fn text(&mut self, x: f64, y: f64, font: f64, coordinate: bool, text: &'a str) {
        if !text.is_empty() {
            self.texts.push(Text { x, y, font, coordinate, text });
        }
    }

    fn place(&mut self, panel: &'a Panel, left: f64, top: f64, room: &Room, number: usize) {
        let (x, y) = (left + room.left, top + room.above);
        let line = LABEL_FONT * LINE;
        self.text(left, top + line / 2.0, LABEL_FONT + 1.0, false, &panel.title);
        for (level, labels) in panel.column_labels.iter().rev().enumerate() {
            let middle = y - 3.0 - (level as f64 + 0.5) * (line + 3.0);
            for label in &labels.labels {
                let (start, span) = (x + label.start as f64 * self.cell.0, label.span as f64 * self.cell.0);
                self.text(start + span / 2.0, middle, LABEL_FONT, true, &label.text);
                if level > 0 {
                    let under = middle + line / 2.0 + 1.0;
                    self.braces.push([(start + 3.0, under), (start + span - 3.0, under)]);
                }
            }
        }
        let mut end = x - 4.0;
        for (level, labels) in panel.row_labels.iter().rev().enumerate() {
            let width = label_width(labels);
            for label in &labels.labels {
                let (start, span) = (y + label.start as f64 * self.cell.1, label.span as f64 * self.cell.1);
                self.text(end - width / 2.0, start + span / 2.0, LABEL_FONT, true, &label.text);
                if level > 0 {
                    self.braces.push([(end, start + 3.0), (end, start + span - 3.0)]);
                }
            }
            end -= width;
        }
        self.panels.push(Placed { panel, x, y, cell: self.cell, line: number });
    }
}

/// The position of each panel, if all panels have a row and a column; the cells of panels in a row are aligned at the
/// top, those in a column at the left.
fn slots(scene: &Scene, rooms: &[Room]) -> Option<Vec<(f64, f64)>> {
    let slots: Vec<(usize, usize)> = scene.panels.iter().map(|panel| panel.slot).collect::<Option<_>>()?;
    let down = tracks(slots.iter().zip(rooms).map(|(slot, room)| (slot.0, room.above, room.height)));
    let across = tracks(slots.iter().zip(rooms).map(|(slot, room)| (slot.1, room.left, room.width)));
    let place =
        |(slot, room): (&(usize, usize), &Room)| (across[&slot.1] - room.left, down[&slot.0] - room.above);
    Some(slots.iter().zip(rooms).map(place).collect())
}

/// The start of the cells in each row or column, from the space before them and the total space of each panel.
fn tracks(rooms: impl Iterator<Item = (usize, f64, f64)>) -> BTreeMap<usize, f64> {
    let mut sizes = BTreeMap::new();
    for (track, before, whole) in rooms {
        let (widest, rest) = sizes.entry(track).or_insert((0.0f64, 0.0f64));
        (*widest, *rest) = (widest.max(before), rest.max(whole - before));
    }
    let mut start = 0.0;
    let mut begin = |(track, (before, rest)): (usize, (f64, f64))| {
        let cells = start + before;
        start = cells + rest + GAP;
        (track, cells)
    };
    sizes.into_iter().map(&mut begin).collect()
}

/// An arrow from the lower edge of one cell to that of another, along the lines between cells and below the panels,
/// where there is no text.
pub struct Route {
    /// The corners of the line.
    pub line: [(f64, f64); 7],
    /// The corners of the head.
    pub head: [(f64, f64); 3],
}

/// The arrows of a scene, except those whose cells are not drawn.
pub fn routes<'a>(plan: &'a Plan, arrows: &'a [Arrow]) -> impl Iterator<Item = Route> + 'a {
    arrows.iter().enumerate().filter_map(|(number, arrow)| route(plan, arrow, (number % LANES) as f64))
}

fn route(plan: &Plan, arrow: &Arrow, lane: f64) -> Option<Route> {
    let placed = |(panel, cell): (usize, usize)| {
        let placed = plan.panels.get(panel)?;
        (cell < placed.panel.cells.len()).then(|| (placed, placed.cell(cell)))
    };
    let ((from, start), (to, end)) = (placed(arrow.from)?, placed(arrow.to)?);
    let below = |line: usize| {
        let panels = plan.panels.iter().filter(|placed| placed.line == line);
        let bottoms = panels.map(|placed| placed.y + placed.panel.rows as f64 * placed.cell.1);
        bottoms.fold(0.0, f64::max) + HEAD.0 + LANE * (2.0 + lane)
    };
    let (out, back) = (below(from.line), below(to.line));
    let (a, b) = ((start.x + start.width, start.y + start.height), (end.x, end.y + end.height));
    // To another line of panels it runs along the left side of the page.
    let side = if from.line == to.line { b.0 } else { LANE * (1.0 + lane) };
    let (tip, base) = ((b.0 + HEAD.0, b.1), (b.0, b.1 + HEAD.1));
    let half = (HEAD.0 * HEAD.1 / HEAD.0.hypot(HEAD.1), HEAD.0 * HEAD.0 / HEAD.0.hypot(HEAD.1));
    Some(Route {
        line: [
            (a.0 - HEAD.0, a.1),
            (a.0, a.1 + HEAD.1),
            (a.0, out),
            (side, out),
            (side, back),
            (b.0, back),
            base,
        ],
        head: [tip, (base.0 - half.0, base.1 - half.1), (base.0 + half.0, base.1 + half.1)],
    })
}

fn cell_size(scene: &Scene) -> (f64, f64) {
    let (mut width, mut lines) = (0.0f64, 1);
    for panel in &scene.panels {
        for cell in &panel.cells {
            lines = lines.max(cell.lines.len());
            for line in &cell.lines {
                width = width.max(text_width(line, CELL_FONT));
            }
        }
        for label in panel.column_labels.iter().flat_map(|level| &level.labels) {
            width = width.max(text_width(&label.text, LABEL_FONT) / label.span as f64);
        }
    }
    // Even sizes have whole middles, which are shorter to write.
    let even = |size: f64| (size / 2.0).ceil() * 2.0;
    let height = even(lines as f64 * CELL_FONT * LINE + 2.0 * PADDING);
    (even(width + 2.0 * PADDING).max(height), height)
}

fn label_width(level: &crate::Level) -> f64 {
    level.labels.iter().map(|label| text_width(&label.text, LABEL_FONT)).fold(0.0, f64::max) + 8.0
}

fn room(panel: &Panel, cell: (f64, f64)) -> Room {
    let line = LABEL_FONT * LINE;
    let title = if panel.title.is_empty() { 0.0 } else { line + 4.0 };
    let above = (title + panel.column_labels.len() as f64 * (line + 3.0) + 3.0).ceil();
    let left = panel.row_labels.iter().map(label_width).sum::<f64>() + 4.0;
    let right = (left + panel.columns as f64 * cell.0).max(text_width(&panel.title, LABEL_FONT + 1.0));
    Room { left, above, width: right, height: above + panel.rows as f64 * cell.1 }
}
