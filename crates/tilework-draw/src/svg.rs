//! A scene as SVG. The colours are classes, so that the same file follows the reader's choice of light or dark.
//!
//! A picture is as small as its labels allow: cells of one colour are one path, in which a run of them in a row is a line as
//! thick as the row, and the labels on one line are parts of one text.

use crate::geometry::{self, BASELINE, CELL_FONT, LABEL_FONT, LINE, Placed, Plan, Rect, pitch};
use crate::palette::{Colour, Theme};
use crate::scene::{Area, Ground, Scene};
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// The picture, light or dark as the reader prefers.
///
/// ```
/// use tilework::{HTuple, layout};
/// use tilework_draw::{Options, draw, svg};
/// let layout = layout!((4,8):(8,1));
/// let scene = draw("(4,8):(8,1)", &layout, &|index| layout.evaluate(index), &Options::default())?;
/// assert_eq!(svg::write(&scene).matches("<path class=\"s").count(), 32);
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
        texts(out, placed, theme)?;
    }
    labels(out, &plan)?;
    out.push_str("</svg>\n");
    Ok(())
}

/// Titles, coordinates, and the lines below coordinates of several rows or columns.
fn labels<'a>(out: &mut String, plan: &Plan<'a>) -> fmt::Result {
    writeln!(out, "<g class=\"labels\" font-size=\"{LABEL_FONT}\">")?;
    for [(x1, y1), (x2, y2)] in &plan.braces {
        writeln!(out, "<path d=\"M{} {}L{} {}\"/>", n(*x1), n(*y1), n(*x2), n(*y2))?;
    }
    for text in plan.texts.iter().filter(|text| !text.coordinate) {
        let (x, y, font) = (n(text.x), n(text.y + BASELINE * text.font), text.font);
        writeln!(
            out,
            "<text class=\"title\" x=\"{x}\" y=\"{y}\" font-size=\"{font}\">{}</text>",
            escape(text.text)
        )?;
    }
    out.push_str("<g text-anchor=\"middle\">\n");
    let coordinates = plan.texts.iter().filter(|text| text.coordinate);
    let label = |text: &geometry::Text<'a>| Label {
        text: text.text,
        class: "",
        x: text.x,
        y: text.y + BASELINE * text.font,
    };
    lines(out, LABEL_FONT, coordinates.map(label))?;
    out.push_str("</g>\n</g>\n");
    Ok(())
}

/// A label, the class of its text, its middle and its baseline.
struct Label<'a> {
    text: &'a str,
    class: &'static str,
    x: f64,
    y: f64,
}

/// Labels that share a line and a class are one text, with the middle of each character: so they are where they belong in any
/// font, and can be copied as words.
fn lines<'a>(out: &mut String, font: f64, labels: impl Iterator<Item = Label<'a>>) -> fmt::Result {
    let mut lines: BTreeMap<(i64, &str), (String, String)> = BTreeMap::new();
    for Label { text, class, x, y } in labels {
        let (places, words) = lines.entry(((y * 100.0).round() as i64, class)).or_default();
        if !words.is_empty() {
            places.push_str(" 0 ");
            words.push(' ');
        }
        let half = (text.chars().count() as f64 - 1.0) / 2.0;
        for at in 0..text.chars().count() {
            let space = if at == 0 { "" } else { " " };
            write!(places, "{space}{}", n(x + (at as f64 - half) * pitch(font)))?;
        }
        words.push_str(&escape(text));
    }
    for ((y, class), (places, words)) in lines {
        let class = if class.is_empty() { String::new() } else { format!("class=\"{class}\" ") };
        writeln!(out, "<text {class}x=\"{places}\" y=\"{}\">{words}</text>", y as f64 / 100.0)?;
    }
    Ok(())
}

fn panel(out: &mut String, number: usize, placed: &Placed, interactive: bool) -> fmt::Result {
    if interactive {
        buttons(out, number, placed)?;
    } else {
        cells(out, placed)?;
    }
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

/// The cells, a path for each colour, and the rules between them. The first cell and its size are there for programs.
fn cells(out: &mut String, placed: &Placed) -> fmt::Result {
    let Rect { x, y, width, height } = placed.rect(Area { row: 0, column: 0, rows: 1, columns: 1 });
    let (left, top) = (n(x), n(y));
    writeln!(
        out,
        "<g class=\"cells\" data-cell=\"{left} {top} {width} {height}\" stroke-width=\"{height}\">"
    )?;
    let columns = placed.panel.columns.max(1);
    let mut paths: BTreeMap<String, String> = BTreeMap::new();
    for (row, cells) in placed.panel.cells.chunks(columns).enumerate() {
        let middle = n(y + (row as f64 + 0.5) * height);
        let mut column = 0;
        for run in cells.chunk_by(|one, next| class(one.ground) == class(next.ground)) {
            let path = paths.entry(class(run[0].ground)).or_default();
            write!(path, "M{} {middle}h{}", n(x + column as f64 * width), n(run.len() as f64 * width))?;
            column += run.len();
        }
    }
    for (class, path) in paths {
        writeln!(out, "<path class=\"{class}\" d=\"{path}\"/>")?;
    }
    let (count, rest) = (placed.panel.cells.len(), placed.panel.cells.len() % columns);
    let rows = count.div_ceil(columns);
    let mut rules = String::new();
    for line in 0..=rows {
        let cells = if line == rows && rest > 0 { rest } else { columns.min(count) };
        write!(rules, "M{left} {}h{}", n(y + line as f64 * height), n(cells as f64 * width))?;
    }
    for line in 0..=columns.min(count) {
        let cells = if rest > 0 && line > rest { rows - 1 } else { rows };
        write!(rules, "M{} {top}v{}", n(x + line as f64 * width), n(cells as f64 * height))?;
    }
    writeln!(out, "<path class=\"rules\" stroke-width=\"1\" d=\"{rules}\"/>\n</g>")
}

/// The cells for the pointer, the keyboard and screen readers.
fn buttons(out: &mut String, number: usize, placed: &Placed) -> fmt::Result {
    out.push_str("<g class=\"cells\">\n");
    for (at, cell) in placed.panel.cells.iter().enumerate() {
        let Rect { x, y, width, height } = placed.cell(at);
        let (row, column) = placed.panel.place(at);
        let (x, y, class, description) = (n(x), n(y), class(cell.ground), escape(&cell.description()));
        let stop = if (number, at) == (0, 0) { 0 } else { -1 };
        writeln!(
            out,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
             id=\"c{number}-{row}-{column}\" tabindex=\"{stop}\" role=\"button\" aria-pressed=\"false\" \
             aria-label=\"{description}\"/>"
        )?;
    }
    out.push_str("</g>\n");
    Ok(())
}

/// If a path crosses the cells, texts get a background so that the path does not cover them.
fn texts(out: &mut String, placed: &Placed, theme: Option<Theme>) -> fmt::Result {
    let cells = || placed.panel.cells.iter().enumerate();
    if !placed.panel.path.is_empty() {
        let mut paths: BTreeMap<String, String> = BTreeMap::new();
        for (at, cell) in cells() {
            let path = paths.entry(class(cell.ground)).or_default();
            for (x, y, line) in placed.lines(at) {
                let width = (line.chars().count() - 1) as f64 * pitch(CELL_FONT);
                write!(path, "M{} {}h{}", n(x - width / 2.0), n(y), n(width))?;
            }
        }
        writeln!(out, "<g class=\"backgrounds\" stroke-width=\"{}\">", CELL_FONT * LINE)?;
        for (class, path) in paths {
            writeln!(out, "<path class=\"{class}\" d=\"{path}\"/>")?;
        }
        out.push_str("</g>\n");
    }
    writeln!(out, "<g class=\"texts\" font-size=\"{CELL_FONT}\" text-anchor=\"middle\">")?;
    lines(
        out,
        CELL_FONT,
        cells().flat_map(|(at, cell)| {
            let class = text_class(rounded(cell.ground), theme);
            placed.lines(at).map(move |(x, y, text)| Label { text, class, x, y: y + BASELINE * CELL_FONT })
        }),
    )?;
    out.push_str("</g>\n");
    Ok(())
}

/// The class of texts on a ground: black or white on light pages, and then on dark ones.
fn text_class(ground: Ground, theme: Option<Theme>) -> &'static str {
    let is_white = |theme: Theme| theme.ground(ground).text() == Colour(255, 255, 255);
    match (is_white(theme.unwrap_or(Theme::Light)), is_white(theme.unwrap_or(Theme::Dark))) {
        (false, false) => "kk",
        (false, true) => "kw",
        (true, false) => "wk",
        (true, true) => "ww",
    }
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
         path{fill:none}\n\
         .edge,.tile,.frame,.path,.backgrounds path{stroke-linejoin:round;stroke-linecap:round}\n\
         .highlight{stroke-width:4}\n",
    );
    out.push_str(".cells path,.backgrounds path{stroke:currentColor} .cells rect{fill:currentColor}\n");
    let mut grounds = grounds(scene);
    colours(out, &grounds, theme.unwrap_or_default())?;
    if theme.is_none() {
        out.push_str("@media (prefers-color-scheme:dark){\n");
        grounds.retain(|_, &mut ground| Theme::Light.ground(ground) != Theme::Dark.ground(ground));
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
        ".cells rect,.cells .rules{{stroke:{}}} .path,.highlight{{stroke:{accent}}} .head{{fill:{accent}}}",
        theme.rule()
    )?;
    let [a, b, c, d] = match theme {
        Theme::Light => ["kk", "kw", "wk", "ww"],
        Theme::Dark => ["kk", "wk", "kw", "ww"],
    };
    writeln!(out, ".{a},.{b}{{fill:#000}} .{c},.{d}{{fill:#fff}}")?;
    for (class, &ground) in grounds {
        write!(out, ".{class}{{color:{}}}", theme.ground(ground))?;
    }
    out.push('\n');
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
