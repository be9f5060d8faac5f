//! A scene as SVG. The colours are classes, so that the same file follows the reader's choice of light or dark.

use crate::geometry::{self, BASELINE, CELL_FONT, LINE, Placed, Plan, Rect, text_width};
use crate::palette::Theme;
use crate::scene::{Ground, Scene};
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// The picture, light or dark as the reader prefers.
///
/// ```
/// use tilework::{HTuple, layout};
/// use tilework_draw::{Options, draw, svg};
/// let layout = layout!((4,8):(8,1));
/// let scene = draw("(4,8):(8,1)", &layout, |index| layout.evaluate(index), &Options::default())?;
/// assert_eq!(svg::write(&scene).matches("<rect class=\"s").count(), 32);
/// # Ok::<(), tilework::Error>(())
/// ```
#[must_use]
pub fn write(scene: &Scene) -> String {
    render(scene, None, false)
}

/// The picture for one kind of page.
///
/// ```
/// use tilework_draw::{Scene, palette::Theme, svg};
/// assert!(svg::write_themed(&Scene::default(), Theme::Dark).contains(".page{fill:#16181c}"));
/// ```
#[must_use]
pub fn write_themed(scene: &Scene, theme: Theme) -> String {
    render(scene, Some(theme), false)
}

/// With `interactive`, the cells have descriptions for the pointer, the keyboard and screen readers.
pub(crate) fn render(scene: &Scene, theme: Option<Theme>, interactive: bool) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = picture(&mut out, scene, theme, interactive);
    out
}

fn picture(out: &mut String, scene: &Scene, theme: Option<Theme>, interactive: bool) -> fmt::Result {
    let plan = Plan::new(scene);
    let (width, height) = (plan.width, plan.height);
    let role = if interactive { "group" } else { "img" };
    write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"{role}\" aria-label=\"{}\">\n<style>\n",
        escape(&scene.title)
    )?;
    style(out, scene, theme)?;
    writeln!(out, "</style>\n<rect class=\"page\" width=\"{width}\" height=\"{height}\"/>")?;
    for (at, placed) in plan.panels.iter().enumerate() {
        panel(out, at, placed, interactive)?;
    }
    for route in geometry::routes(&plan, &scene.arrows) {
        outlined(out, "path", 3, &format!("M{}", route.line.map(point).join("L")))?;
        writeln!(out, "<path class=\"head\" d=\"M{}z\"/>", route.head.map(point).join("L"))?;
    }
    for placed in &plan.panels {
        texts(out, placed)?;
    }
    out.push_str("<g class=\"labels\">\n");
    for [(x1, y1), (x2, y2)] in &plan.braces {
        writeln!(out, "<path d=\"M{} {}L{} {}\"/>", n(*x1), n(*y1), n(*x2), n(*y2))?;
    }
    for text in &plan.texts {
        let y = n(text.y + BASELINE * text.font);
        let style = if text.coordinate { "text-anchor=\"middle\"" } else { "class=\"title\"" };
        let (x, font, text) = (n(text.x), text.font, escape(text.text));
        writeln!(out, "<text {style} x=\"{x}\" y=\"{y}\" font-size=\"{font}\">{text}</text>")?;
    }
    out.push_str("</g>\n</svg>\n");
    Ok(())
}

fn panel(out: &mut String, number: usize, placed: &Placed, interactive: bool) -> fmt::Result {
    out.push_str("<g class=\"cells\">\n");
    for (at, cell) in placed.panel.cells.iter().enumerate() {
        let Rect { x, y, width, height } = placed.cell(at);
        let class = class(cell.ground);
        write!(
            out,
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\"",
            n(x),
            n(y)
        )?;
        if interactive {
            let (row, column) = placed.panel.place(at);
            let stop = if (number, at) == (0, 0) { 0 } else { -1 };
            let description = escape(&cell.description());
            write!(
                out,
                " id=\"c{number}-{row}-{column}\" tabindex=\"{stop}\" role=\"button\" aria-pressed=\"false\" \
                 aria-label=\"{description}\""
            )?;
        }
        out.push_str("/>\n");
    }
    out.push_str("</g>\n");
    let levels = placed.panel.outlines.iter().map(|outline| outline.level).max().unwrap_or(0);
    for outline in &placed.panel.outlines {
        let shape: String = outline.areas.iter().map(|&area| frame(placed.rect(area))).collect();
        outlined(out, "tile", 1 + outline.level, &shape)?;
    }
    let border = placed.border().into_iter().map(point).collect::<Vec<_>>().join("L");
    outlined(out, "frame", 2 + levels, &format!("M{border}z"))?;
    if !placed.panel.path.is_empty() {
        let line: Vec<String> = placed.panel.path.iter().map(|&cell| point(placed.middle(cell))).collect();
        outlined(out, "path", 3, &format!("M{}", line.join("L")))?;
    }
    for &cell in &placed.panel.highlights {
        writeln!(out, "<path class=\"highlight\" d=\"{}\"/>", frame(placed.cell(cell)))?;
    }
    Ok(())
}

/// If a path crosses the cells, texts get a background so that the path does not cover them.
fn texts(out: &mut String, placed: &Placed) -> fmt::Result {
    let crossed = !placed.panel.path.is_empty();
    writeln!(out, "<g class=\"texts\" font-size=\"{CELL_FONT}\" text-anchor=\"middle\">")?;
    for (at, cell) in placed.panel.cells.iter().enumerate() {
        let class = class(cell.ground);
        for (x, y, line) in placed.lines(at) {
            if crossed {
                let (width, height) = (text_width(line, CELL_FONT) + 3.0, CELL_FONT * LINE);
                let (left, top) = (n(x - width / 2.0), n(y - height / 2.0));
                writeln!(
                    out,
                    "<rect class=\"{class}\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"4\"/>"
                )?;
            }
            let y = n(y + BASELINE * CELL_FONT);
            writeln!(out, "<text class=\"{class}\" x=\"{}\" y=\"{y}\">{}</text>", n(x), escape(line))?;
        }
    }
    out.push_str("</g>\n");
    Ok(())
}

/// A line with an edge of the opposite lightness, so that it is visible on light and dark cells.
fn outlined(out: &mut String, class: &str, width: usize, shape: &str) -> fmt::Result {
    writeln!(out, "<path class=\"edge\" stroke-width=\"{}\" d=\"{shape}\"/>", width + 2)?;
    writeln!(out, "<path class=\"{class}\" stroke-width=\"{width}\" d=\"{shape}\"/>")
}

fn point((x, y): (f64, f64)) -> String {
    format!("{} {}", n(x), n(y))
}

fn frame(Rect { x, y, width, height }: Rect) -> String {
    format!("M{} {}h{width}v{height}h-{width}z", n(x), n(y))
}

fn style(out: &mut String, scene: &Scene, theme: Option<Theme>) -> fmt::Result {
    out.push_str(
        "text{font-family:\"DejaVu Sans Mono\",Menlo,Consolas,\"Liberation Mono\",monospace}\n\
         .edge,.tile,.frame,.path,.highlight,.labels path{fill:none}\n\
         .edge,.tile,.frame,.path{stroke-linejoin:round;stroke-linecap:round}\n\
         .highlight{stroke-width:4}\n",
    );
    let grounds = grounds(scene);
    colours(out, &grounds, theme.unwrap_or_default())?;
    if theme.is_none() {
        out.push_str("@media (prefers-color-scheme:dark){\n");
        colours(out, &grounds, Theme::Dark)?;
        out.push_str("}\n");
    }
    Ok(())
}

fn colours(out: &mut String, grounds: &BTreeMap<String, Ground>, theme: Theme) -> fmt::Result {
    let (page, ink, label, accent) = (theme.page(), theme.ink(), theme.label(), theme.accent());
    writeln!(out, ".page{{fill:{page}}} .edge{{stroke:{page}}} .tile,.frame{{stroke:{ink}}}")?;
    writeln!(
        out,
        ".labels text{{fill:{label}}} .labels .title{{fill:{ink}}} .labels path{{stroke:{label}}}"
    )?;
    writeln!(
        out,
        ".cells rect{{stroke:{}}} .path,.highlight{{stroke:{accent}}} .head{{fill:{accent}}}",
        theme.rule()
    )?;
    for (class, &ground) in grounds {
        let colour = theme.ground(ground);
        writeln!(out, "rect.{class}{{fill:{colour}}} text.{class}{{fill:{}}}", colour.text())?;
    }
    Ok(())
}

/// The steps of the scale, finer than the eye can see, so that a picture of many cells has few classes.
const STEPS: f64 = 96.0;

/// The name of a ground.
pub(crate) fn class(ground: Ground) -> String {
    match ground {
        Ground::Blank => String::from("b"),
        Ground::Scale(place) => format!("s{}", (place.clamp(0.0, 1.0) * STEPS).round()),
        Ground::Class(class) => format!("c{class}"),
    }
}

/// All grounds of a scene by name.
pub(crate) fn grounds(scene: &Scene) -> BTreeMap<String, Ground> {
    let cells = scene.panels.iter().flat_map(|panel| &panel.cells);
    cells.map(|cell| (class(cell.ground), rounded(cell.ground))).collect()
}

/// The ground with which all grounds of this name are drawn.
pub(crate) fn rounded(ground: Ground) -> Ground {
    match ground {
        Ground::Scale(place) => Ground::Scale((place * STEPS).round() / STEPS),
        other => other,
    }
}

/// A number in hundredths.
pub(crate) fn n(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// Text escaped for XML and HTML; characters that XML does not allow are left out.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'.. => out.push(character),
            _ => {}
        }
    }
    out
}
