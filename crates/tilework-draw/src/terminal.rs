//! A scene as text, like CuTe's `print_layout`.
//!
//! Rows and columns are numbered, and cells with a frame have their text in brackets; nested coordinates, outlines,
//! paths and arrows are not shown. A wrapped slice has as many columns as fit a line, and its rows begin with the index
//! of their first element.

use crate::scene::{Cell, Ground, Panel, Scene};
use anstyle::{Color, RgbColor, Style};
use std::collections::HashSet;
use std::fmt::Write;
use std::ops::Range;

/// The properties of the terminal.
///
/// ```
/// use tilework_draw::terminal::Terminal;
/// assert_eq!(Terminal::default().width, usize::MAX);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Terminal {
    /// The characters of a line; a wider table is continued below.
    pub width: usize,
    /// Whether it has 24-bit colours; 256 otherwise.
    pub true_colour: bool,
}

impl Default for Terminal {
    fn default() -> Terminal {
        Terminal::new(usize::MAX, true)
    }
}

impl Terminal {
    /// A terminal with lines of `width` characters.
    ///
    /// ```
    /// assert_eq!(tilework_draw::terminal::Terminal::new(80, true).width, 80);
    /// ```
    #[must_use]
    pub const fn new(width: usize, true_colour: bool) -> Terminal {
        Terminal { width, true_colour }
    }
}

/// The tables of a scene with the escape sequences of colours, which a stream such as `anstream`'s removes if they are
/// not supported.
///
/// ```
/// use tilework::{HTuple, layout};
/// use tilework_draw::{Options, draw, terminal};
/// let layout = layout!(2:5);
/// let scene = draw("2:5", &layout, &|index| layout.evaluate(index), &Options::default())?;
/// assert!(terminal::write(&scene, &terminal::Terminal::default()).ends_with("+---+---+\n"));
/// # Ok::<(), tilework::Error>(())
/// ```
#[must_use]
pub fn write(scene: &Scene, terminal: &Terminal) -> String {
    let mut out = String::new();
    if !scene.title.is_empty() {
        let _ = writeln!(out, "{}", scene.title);
    }
    for panel in &scene.panels {
        if !panel.title.is_empty() {
            let gap = if out.is_empty() { "" } else { "\n" };
            let _ = writeln!(out, "{gap}{}", panel.title);
        }
        table(&mut out, panel, terminal);
    }
    if !scene.caption.is_empty() {
        let _ = writeln!(out, "({})", scene.caption);
    }
    out
}

fn table(out: &mut String, panel: &Panel, terminal: &Terminal) {
    let framed: HashSet<usize> = panel.highlights.iter().copied().collect();
    let texts = panel.cells.iter().enumerate().flat_map(|(at, cell)| {
        let brackets = 2 * usize::from(framed.contains(&at));
        cell.lines.iter().map(move |line| line.chars().count() + brackets)
    });
    let width = texts.max().unwrap_or(1).max(digits(panel.columns));
    let end = panel.cells.last().map_or(0, |cell| cell.index as usize + 1);
    let rows = if panel.wrapped { end } else { panel.rows };
    let label = if panel.row_labels.is_empty() { 0 } else { digits(rows) };
    let indent = label + usize::from(label > 0);
    let room = (terminal.width.saturating_sub(indent + 1) / (width + 3)).max(1);
    // Rows of wrapped elements may have any length; a divisor of the usual row is best, unless it would leave half of
    // the space empty.
    let mut parts = (room / 2 + 1..=room).rev().filter(|part| panel.columns.is_multiple_of(*part));
    let step = match panel.wrapped {
        true if room < panel.columns => parts.next().unwrap_or(room),
        true => panel.columns,
        false => room,
    };
    let table = Table { panel, framed, width, label, terminal };
    if panel.wrapped {
        return table.block(out, 0..step, step);
    }
    for start in (0..panel.columns.max(1)).step_by(step) {
        if start > 0 {
            out.push('\n');
        }
        table.block(out, start..panel.columns.min(start.saturating_add(step)), panel.columns);
    }
}

struct Table<'a> {
    panel: &'a Panel,
    framed: HashSet<usize>,
    /// The characters of a cell, and of a row's number.
    width: usize,
    label: usize,
    terminal: &'a Terminal,
}

impl Table<'_> {
    /// Some of the columns of a table.
    fn block(&self, out: &mut String, shown: Range<usize>, columns: usize) {
        let Table { panel, width, label, .. } = *self;
        let indent = " ".repeat(label + usize::from(label > 0));
        let header = Style::new().dimmed();
        let _ = write!(out, "{indent} ");
        for column in shown.clone() {
            let _ = write!(out, " {header}{column:>width$}{header:#}  ");
        }
        while out.ends_with(' ') {
            out.pop();
        }
        out.push('\n');
        let rule =
            |cells: usize| format!("{indent}+{}\n", format!("{}+", "-".repeat(width + 2)).repeat(cells));
        out.push_str(&rule(shown.len()));
        for (row, start) in (0..panel.cells.len()).step_by(columns.max(1)).enumerate() {
            let cells = (start + shown.start)..(start + shown.end).min(panel.cells.len());
            let number = if panel.wrapped { panel.cells[start].index } else { row as i64 };
            let height = panel.cells[cells.clone()].iter().map(|cell| cell.lines.len()).max().unwrap_or(1);
            for line in 0..height {
                match line {
                    0 if label > 0 => {
                        let _ = write!(out, "{header}{number:>label$}{header:#} ");
                    }
                    _ => out.push_str(&indent),
                }
                out.push('|');
                for at in cells.clone() {
                    let cell = &panel.cells[at];
                    let (style, text) =
                        (style(cell, self.terminal), cell.lines.get(line).map_or("", String::as_str));
                    let framed = self.framed.contains(&at) && !text.is_empty();
                    let text = if framed { &format!("[{text}]") } else { text };
                    let _ = write!(out, "{style} {text:>width$} {style:#}|");
                }
                out.push('\n');
            }
            out.push_str(&rule(cells.len()));
        }
    }
}

/// The digits of the last number of `count`, from 0.
fn digits(count: usize) -> usize {
    count.saturating_sub(1).to_string().len()
}

/// Dark text on a light ground whose hue represents the offset: the terminal's own background is unknown, and hues are
/// easier to tell apart than lightness.
fn style(cell: &Cell, terminal: &Terminal) -> Style {
    let (red, green, blue) = match cell.ground {
        Ground::Blank => return Style::new(),
        // From red to violet; a full circle would give both ends the same colour.
        Ground::Scale(place) => light_hue(place * 290.0),
        Ground::Class(_) => {
            let colour = crate::palette::Theme::Light.ground(cell.ground);
            (colour.0, colour.1, colour.2)
        }
    };
    let colour = |rgb: RgbColor| -> Option<Color> {
        Some(if terminal.true_colour { rgb.into() } else { anstyle_lossy::rgb_to_xterm(rgb).into() })
    };
    Style::new().fg_color(colour(RgbColor(0, 0, 0))).bg_color(colour(RgbColor(red, green, blue)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use tilework::{HTuple, layout};

    fn scene() -> Scene {
        crate::grid::tests::scene("(2,5):(5,1)", &crate::Options::default())
    }

    fn plain(text: &str) -> String {
        let mut out = String::new();
        for (at, part) in text.split('\u{1b}').enumerate() {
            out += if at == 0 { part } else { part.split_once('m').map_or("", |(_, rest)| rest) };
        }
        out
    }

    #[test]
    fn a_table_that_is_too_wide_goes_on_below() {
        for width in [0, 1, 11, 12, 15, 16, 23, usize::MAX] {
            let text = plain(&write(&scene(), &Terminal { width, ..Terminal::default() }));
            let fits = text.lines().skip(1).all(|line| line.chars().count() <= width.max(7));
            assert!(fits, "{width}\n{text}");
            let numbers =
                text.lines().filter(|line| line.contains('|')).flat_map(|line| line.split('|').skip(1));
            let numbers: Vec<i64> = numbers.filter_map(|cell| cell.trim().parse().ok()).collect();
            assert_eq!(numbers.len(), 10, "{width}\n{text}");
            assert_eq!(numbers.iter().sum::<i64>(), 45);
        }
    }

    #[test]
    fn a_terminal_of_256_colours_gets_no_others() {
        let text = write(&scene(), &Terminal { true_colour: false, ..Terminal::default() });
        assert!(text.contains("\u{1b}[48;5;") && !text.contains("[48;2;"), "{text:?}");
    }

    #[test]
    fn a_wrapped_row_has_as_many_columns_as_there_is_room_for() {
        let layout = layout!(100:1);
        let offset = |index| layout.evaluate(&HTuple::leaf(index));
        let scene = crate::draw("", &layout, &offset, &crate::Options::default()).expect("a scene");
        for (width, columns) in [(usize::MAX, 25), (129, 25), (128, 24), (29, 5), (28, 4), (0, 1)] {
            let text = plain(&write(&scene, &Terminal { width, ..Terminal::default() }));
            let rows: Vec<Vec<i64>> = text
                .lines()
                .filter(|line| line.contains('|'))
                .map(|line| line.split('|').filter_map(|cell| cell.trim().parse().ok()).collect())
                .collect();
            assert!(rows[..rows.len() - 1].iter().all(|row| row.len() == columns + 1), "{width}\n{text}");
            assert!(rows.iter().all(|row| row[0] == row[1]), "{width}\n{text}");
            let all: Vec<i64> = rows.iter().flat_map(|row| &row[1..]).copied().collect();
            assert_eq!(all, (0..100).collect::<Vec<_>>(), "{width}");
        }
    }

    #[test]
    fn every_text_can_be_read() {
        for place in (0..=200).map(|place| f64::from(place) / 200.0) {
            let (red, green, blue) = light_hue(place * 290.0);
            for colour in [RgbColor(red, green, blue), of_256(RgbColor(red, green, blue))] {
                let ground = crate::palette::Colour(colour.0, colour.1, colour.2);
                assert!(ground.contrast(crate::palette::Colour(0, 0, 0)) > 4.5, "{place} {ground}");
            }
        }
    }

    /// The nearest colour of a terminal with 256 colours.
    fn of_256(colour: RgbColor) -> RgbColor {
        let nearest = anstyle_lossy::rgb_to_xterm(colour);
        anstyle_lossy::xterm_to_rgb(nearest, anstyle_lossy::palette::Palette::default())
    }

    #[test]
    fn framed_cells_are_in_brackets() {
        let text = plain(&write(&scene().highlight(|cell| cell.offset == "7"), &Terminal::default()));
        assert!(text.contains("| [7] |"), "{text}");
    }
}
