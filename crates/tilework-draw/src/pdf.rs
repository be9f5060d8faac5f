//! A scene as PDF: one page with the shapes and texts of its SVG, in Helvetica, which every PDF reader has.

use crate::error::Error;
use crate::geometry::{self, BASELINE, CELL_FONT, LINE, Placed, Plan, Rect, text_width};
use crate::palette::{Colour, Theme};
use crate::png;
use crate::scene::Scene;
use crate::svg::{n, rounded};
use std::fmt::Write;
use zeno::{Command, Point, Transform};

/// Points of the page per pixel of the SVG, if the page is not too large.
const SCALE: f64 = 0.75;
/// The longest side of a page, in points.
const LONGEST: f64 = 14_400.0;
/// The widths of the letters of ASCII from the space on, in thousandths of the font size; others are assumed to be as
/// wide as a digit.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
    500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
    556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
    278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// The bytes of the file, the same on every machine.
///
/// ```
/// use tilework_draw::{Scene, pdf};
/// assert!(pdf::write(&Scene::default())?.starts_with(b"%PDF-1.4"));
/// # Ok::<(), tilework_draw::Error>(())
/// ```
///
/// # Errors
/// [`Error::Letter`] for a letter that the font of PNG lacks too.
pub fn write(scene: &Scene) -> Result<Vec<u8>, Error> {
    let plan = Plan::new(scene);
    let scale = SCALE.min(LONGEST / plan.width.max(plan.height));
    let (width, height) = (n(plan.width * scale), n(plan.height * scale));
    let mut page = Page { content: Vec::new(), theme: Theme::Light };
    // The y axis points down, in pixels of the SVG.
    page.line(format_args!("{scale:.5} 0 0 -{scale:.5} 0 {height} cm 1 j 1 J"));
    page.picture(scene, &plan)?;
    let content = miniz_oxide::deflate::compress_to_vec_zlib(&page.content, 6);
    let title: String = scene.title.encode_utf16().map(|unit| format!("{unit:04X}")).collect();
    let mut file = File { bytes: b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n".to_vec(), starts: Vec::new() };
    file.object("<< /Type /Catalog /Pages 2 0 R >>", None);
    file.object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>", None);
    file.object(
        &format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents 5 0 R \
             /Resources << /Font << /F 4 0 R >> >> >>"
        ),
        None,
    );
    file.object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>", None);
    file.object(&format!("<< /Length {} /Filter /FlateDecode >>", content.len()), Some(&content));
    file.object(&format!("<< /Title <FEFF{title}> /Producer (tilework) >>"), None);
    Ok(file.finish())
}

/// A file, and the offsets of its objects, which are numbered from 1.
struct File {
    bytes: Vec<u8>,
    starts: Vec<usize>,
}

impl File {
    fn object(&mut self, dictionary: &str, stream: Option<&[u8]>) {
        self.starts.push(self.bytes.len());
        let number = self.starts.len();
        self.bytes.extend(format!("{number} 0 obj\n{dictionary}\n").bytes());
        if let Some(stream) = stream {
            self.bytes.extend([b"stream\n", stream, b"\nendstream\n"].concat());
        }
        self.bytes.extend(b"endobj\n");
    }

    /// The table of the objects; the first is the root, the last describes the file.
    fn finish(mut self) -> Vec<u8> {
        let table = self.bytes.len();
        let size = self.starts.len() + 1;
        let mut end = format!("xref\n0 {size}\n0000000000 65535 f \n");
        for start in &self.starts {
            // Writing to a string cannot fail.
            let _ = writeln!(end, "{start:010} 00000 n ");
        }
        let _ = writeln!(end, "trailer\n<< /Size {size} /Root 1 0 R /Info {} 0 R >>", size - 1);
        let _ = writeln!(end, "startxref\n{table}\n%%EOF");
        self.bytes.extend(end.bytes());
        self.bytes
    }
}

/// The drawing operators of a page.
struct Page {
    content: Vec<u8>,
    theme: Theme,
}

impl Page {
    /// Draws everything in the order of the SVG, from back to front.
    fn picture(&mut self, scene: &Scene, plan: &Plan) -> Result<(), Error> {
        let theme = self.theme;
        for placed in &plan.panels {
            self.panel(placed);
        }
        for route in geometry::routes(plan, &scene.arrows) {
            self.outlined(&polygon(&route.line), 3, theme.accent());
            self.fill(theme.accent());
            self.line(format_args!("{} f", polygon(&route.head)));
        }
        for placed in &plan.panels {
            self.texts(placed)?;
        }
        self.stroke(theme.label(), 1);
        for brace in &plan.braces {
            self.line(format_args!("{} S", polygon(brace)));
        }
        for text in &plan.texts {
            self.fill(if text.coordinate { theme.label() } else { theme.ink() });
            self.text(text.text, (text.x, text.y), text.font, text.coordinate)?;
        }
        Ok(())
    }

    fn panel(&mut self, placed: &Placed) {
        let theme = self.theme;
        self.stroke(theme.rule(), 1);
        let mut last = None;
        for (at, cell) in placed.panel.cells.iter().enumerate() {
            let ground = theme.ground(rounded(cell.ground));
            if last != Some(ground) {
                self.fill(ground);
                last = Some(ground);
            }
            self.line(format_args!("{} B", rectangle(placed.cell(at))));
        }
        let levels = placed.panel.outlines.iter().map(|outline| outline.level).max().unwrap_or(0);
        for outline in &placed.panel.outlines {
            let frames: String =
                outline.areas.iter().map(|&area| rectangle(placed.rect(area)) + " ").collect();
            self.outlined(frames.trim_end(), 1 + outline.level, theme.ink());
        }
        self.outlined(&format!("{} h", polygon(&placed.border())), 2 + levels, theme.ink());
        if !placed.panel.path.is_empty() {
            let places: Vec<_> = placed.panel.path.iter().map(|&cell| placed.middle(cell)).collect();
            self.outlined(&polygon(&places), 3, theme.accent());
        }
        self.stroke(theme.accent(), 4);
        for &cell in &placed.panel.highlights {
            self.line(format_args!("{} S", rectangle(placed.cell(cell))));
        }
    }

    /// If a path crosses the cells, texts get a background so that the path does not cover them.
    fn texts(&mut self, placed: &Placed) -> Result<(), Error> {
        for (at, cell) in placed.panel.cells.iter().enumerate() {
            let ground = self.theme.ground(rounded(cell.ground));
            for (x, y, text) in placed.lines(at) {
                if !placed.panel.path.is_empty() {
                    let (width, height) = (text_width(text, CELL_FONT) + 3.0, CELL_FONT * LINE);
                    self.fill(ground);
                    let rect = Rect { x: x - width / 2.0, y: y - height / 2.0, width, height };
                    self.line(format_args!("{} f", rectangle(rect)));
                }
                self.fill(ground.text());
                self.text(text, (x, y), CELL_FONT, true)?;
            }
        }
        Ok(())
    }

    /// A line of text by its middle, or by its left end.
    fn text(&mut self, text: &str, (x, y): (f64, f64), font: f64, centred: bool) -> Result<(), Error> {
        let Some(string) = latin(text) else { return self.outlines(text, (x, y), font, centred) };
        let of_ascii = |&byte: &u8| usize::from(byte).checked_sub(32).and_then(|at| WIDTHS.get(at));
        let width: u32 = string.iter().map(|byte| u32::from(of_ascii(byte).copied().unwrap_or(556))).sum();
        let width = f64::from(width) / 1000.0 * font;
        let (x, y) = (n(x - if centred { width / 2.0 } else { 0.0 }), n(y + BASELINE * font));
        self.content.extend(format!("BT /F {font} Tf 1 0 0 -1 {x} {y} Tm (").bytes());
        for byte in string {
            if b"()\\".contains(&byte) {
                self.content.push(b'\\');
            }
            self.content.push(byte);
        }
        self.content.extend(b") Tj ET\n");
        Ok(())
    }

    /// A text with letters that the PDF font lacks, as outlines.
    fn outlines(&mut self, text: &str, (x, y): (f64, f64), font: f64, centred: bool) -> Result<(), Error> {
        let (path, width) = png::letters(&png::font()?, text, font)?;
        let left = x - if centred { f64::from(width) / 2.0 } else { 0.0 };
        let moved = Transform::translation(left as f32, (y + BASELINE * font) as f32);
        let point = |point: Point| format!("{} {}", n(point.x.into()), n(point.y.into()));
        let mut last = Point::ZERO;
        for command in path.iter().map(|command| command.transform(&moved)) {
            let operators = match command {
                Command::MoveTo(to) => format!("{} m", point(to)),
                Command::LineTo(to) => format!("{} l", point(to)),
                // A quadratic curve as a cubic one.
                Command::QuadTo(by, to) => {
                    let control = |end: Point| point((end + by * 2.0) / 3.0);
                    format!("{} {} {} c", control(last), control(to), point(to))
                }
                Command::CurveTo(by, and, to) => format!("{} {} {} c", point(by), point(and), point(to)),
                Command::Close => String::from("h"),
            };
            self.line(format_args!("{operators}"));
            if let Command::MoveTo(to)
            | Command::LineTo(to)
            | Command::QuadTo(_, to)
            | Command::CurveTo(_, _, to) = command
            {
                last = to;
            }
        }
        self.line(format_args!("f"));
        Ok(())
    }

    /// A line with an edge of the opposite lightness, so that it is visible on light and dark cells.
    fn outlined(&mut self, shape: &str, width: usize, colour: Colour) {
        self.stroke(self.theme.page(), width + 2);
        self.line(format_args!("{shape} S"));
        self.stroke(colour, width);
        self.line(format_args!("{shape} S"));
    }

    fn fill(&mut self, colour: Colour) {
        self.line(format_args!("{} rg", shares(colour)));
    }

    fn stroke(&mut self, colour: Colour, width: usize) {
        self.line(format_args!("{} RG {width} w", shares(colour)));
    }

    fn line(&mut self, operators: std::fmt::Arguments) {
        self.content.extend(format!("{operators}\n").bytes());
    }
}

/// A text in Latin-1, if it has only such letters.
fn latin(text: &str) -> Option<Vec<u8>> {
    text.chars().filter(|letter| !letter.is_control()).map(|letter| u8::try_from(letter).ok()).collect()
}

/// Red, green and blue from 0 to 1.
fn shares(Colour(red, green, blue): Colour) -> String {
    [red, green, blue].map(|channel| format!("{:.3}", f64::from(channel) / 255.0)).join(" ")
}

fn rectangle(Rect { x, y, width, height }: Rect) -> String {
    format!("{} {} {} {} re", n(x), n(y), n(width), n(height))
}

/// A line from corner to corner.
fn polygon(corners: &[(f64, f64)]) -> String {
    let corner = |(at, &(x, y)): (usize, &(f64, f64))| {
        format!("{} {} {}", n(x), n(y), if at == 0 { "m" } else { "l" })
    };
    corners.iter().enumerate().map(corner).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(text: &str) -> Scene {
        crate::grid::tests::scene(text, &crate::Options::default())
    }

    fn find(bytes: &[u8], part: &[u8]) -> usize {
        bytes.windows(part.len()).position(|window| window == part).expect("the part")
    }

    /// The operators of the page.
    fn content(file: &[u8]) -> String {
        let start = find(file, b"stream\n") + 7;
        let end = find(file, b"\nendstream");
        let bytes = miniz_oxide::inflate::decompress_to_vec_zlib(&file[start..end]).expect("a stream");
        bytes.into_iter().map(char::from).collect()
    }

    #[test]
    fn the_table_says_where_the_objects_are() {
        let file = write(&scene("(4,8):(8,1)")).expect("a file");
        let text: String = file.iter().copied().map(char::from).collect();
        let table: usize = text.lines().rev().nth(1).expect("a line").parse().expect("a number");
        assert_eq!(table, find(&file, b"xref\n0 7\n"));
        let starts = String::from_utf8(file[table..].to_vec()).expect("a table");
        let starts = starts.lines().filter(|line| line.ends_with(" 00000 n "));
        for (number, line) in starts.enumerate() {
            let start: usize = line[..10].parse().expect("a number");
            assert!(file[start..].starts_with(format!("{} 0 obj\n", number + 1).as_bytes()), "{line}");
        }
    }

    #[test]
    fn every_cell_and_text_is_drawn() {
        let mut scene = scene("(4,8):(8,1)");
        scene.title = "(a) \\ é".into();
        let page = content(&write(&scene).expect("a file"));
        assert_eq!(page.matches(" re B\n").count(), 32);
        for offset in 0..32 {
            assert!(page.contains(&format!("({offset}) Tj")), "{offset}");
        }
        assert!(page.contains("(\\(a\\) \\\\ \u{e9}) Tj"), "{page}");
        scene.title = "A ∘ B".into();
        assert!(content(&write(&scene).expect("a file")).ends_with("h\nf\n"));
        scene.title = "字".into();
        assert_eq!(write(&scene), Err(Error::Letter('字')));
    }
}
