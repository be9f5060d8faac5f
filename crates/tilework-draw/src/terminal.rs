//! A scene as text, like CuTe's `print_layout`.
//!
//! Rows and columns are numbered; nested coordinates, outlines and paths are for the other writers.

use crate::scene::{Cell, Ground, Panel, Scene};
use anstyle::{RgbColor, Style};
use std::fmt::Write;

/// The tables of a scene with the escape sequences of 24-bit colours, which a stream such as `anstream`'s takes out or
/// turns into others where they do not belong.
///
/// ```
/// use tilework::{HTuple, layout};
/// use tilework_draw::{Options, draw, terminal};
/// let layout = layout!(2:5);
/// let scene = draw("2:5", &layout, |index| layout.evaluate(&HTuple::leaf(index)), &Options::default())?;
/// assert!(terminal::write(&scene).ends_with("+---+---+\n"));
/// # Ok::<(), tilework::Error>(())
/// ```
pub fn write(scene: &Scene) -> String {
    let mut out = format!("{}\n", scene.title);
    for panel in &scene.panels {
        if !panel.title.is_empty() {
            let _ = write!(out, "\n{}\n", panel.title);
        }
        table(&mut out, panel);
    }
    if !scene.caption.is_empty() {
        let _ = writeln!(out, "({})", scene.caption);
    }
    out
}

fn table(out: &mut String, panel: &Panel) {
    let one_row = panel.row_labels.is_empty();
    let lines = panel.cells.iter().flat_map(|cell| &cell.lines);
    let width = lines.map(|line| line.chars().count()).max().unwrap_or(1);
    let width = width.max(last_label(panel.columns));
    let label = if one_row { 0 } else { last_label(panel.rows) };
    let indent = " ".repeat(label + usize::from(!one_row));
    let header = Style::new().dimmed();
    let _ = write!(out, "{indent} ");
    for column in 0..panel.columns {
        let _ = write!(out, " {header}{column:>width$}{header:#}  ");
    }
    while out.ends_with(' ') {
        out.pop();
    }
    out.push('\n');
    let rule = format!("{indent}+{}\n", format!("{}+", "-".repeat(width + 2)).repeat(panel.columns));
    out.push_str(&rule);
    for (row, cells) in panel.cells.chunks(panel.columns.max(1)).enumerate() {
        let height = cells.iter().map(|cell| cell.lines.len()).max().unwrap_or(1);
        for line in 0..height {
            match line {
                0 if !one_row => {
                    let _ = write!(out, "{header}{row:>label$}{header:#} ");
                }
                _ => out.push_str(&indent),
            }
            out.push('|');
            for cell in cells {
                let (style, text) = (style(cell), cell.lines.get(line).map_or("", String::as_str));
                let _ = write!(out, "{style} {text:>width$} {style:#}|");
            }
            out.push('\n');
        }
        out.push_str(&rule);
    }
}

fn last_label(count: usize) -> usize {
    count.saturating_sub(1).to_string().len()
}

/// Dark text on a light ground whose hue goes with the offset: on a terminal, whose own ground is not known, hues are
/// told apart where lightness is not.
fn style(cell: &Cell) -> Style {
    let (red, green, blue) = match cell.ground {
        Ground::Blank => return Style::new(),
        // From red to violet; a full circle would give the ends one colour.
        Ground::Scale(place) => light_hue(place * 290.0),
        Ground::Class(_) => {
            let colour = crate::palette::Theme::Light.ground(cell.ground);
            (colour.0, colour.1, colour.2)
        }
    };
    Style::new().fg_color(Some(RgbColor(24, 24, 24).into())).bg_color(Some(RgbColor(red, green, blue).into()))
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
