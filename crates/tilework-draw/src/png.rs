//! A scene as PNG: the rectangles, lines and texts of its SVG, drawn here, with a font that the crate brings along.

use crate::geometry::{self, BASELINE, CELL_FONT, LINE, Placed, Plan, Rect, text_width};
use crate::palette::{Colour, Theme};
use crate::scene::Scene;
use miniz_oxide::deflate::compress_to_vec_zlib;
use std::fmt;
use ttf_parser::{Face, OutlineBuilder};
use zeno::{Cap, Command, Fill, Join, Mask, PathBuilder, Stroke, Style, Transform};

/// Pixels of the picture for one of the SVG, where it is not too large.
const DENSITY: f32 = 2.0;
/// A picture with fewer could not be read.
const LEAST_DENSITY: f32 = 0.7;
/// The most pixels, three bytes each while they are drawn.
const MOST_PIXELS: f32 = 1e8;

/// Of ten levels of compression.
const COMPRESSION: u8 = 1;
/// The filter of rows of which the differences to the row above are written: nothing, in flat cells.
const LESS_THE_ROW_ABOVE: u8 = 2;

/// Letters of Latin, Greek and Cyrillic, arrows and operators; see `LICENSE-FONT`.
const FONT: &[u8] = include_bytes!("font.ttf");

/// Why there is no picture.
///
/// ```
/// use tilework_draw::png::Error;
/// assert!(Error::Letter('字').to_string().contains("SVG"));
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// A text has a letter that the font has not.
    Letter(char),
    /// So many pixels would be needed that the picture is of no use.
    TooLarge {
        /// The width of the SVG.
        width: f32,
        /// The height of the SVG.
        height: f32,
    },
    /// The font cannot be read; why.
    Font(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Letter(letter) => {
                write!(f, "the font for PNG has no letter {letter:?}; draw to SVG, or write without it")
            }
            Error::TooLarge { width, height } => write!(
                f,
                "a picture of {width} by {height} points is too large for PNG; draw fewer cells, or draw to SVG"
            ),
            Error::Font(reason) => write!(f, "the font for PNG cannot be read: {reason}"),
        }
    }
}

impl std::error::Error for Error {}

/// The bytes of the file, the same on every machine.
///
/// ```
/// use tilework_draw::{Scene, palette::Theme, png};
/// assert!(png::write(&Scene::default(), Theme::Dark)?.starts_with(b"\x89PNG"));
/// # Ok::<(), png::Error>(())
/// ```
///
/// # Errors
/// [`Error::Letter`] rather than a picture with a gap; [`Error::TooLarge`] for more cells than pixels can show.
pub fn write(scene: &Scene, theme: Theme) -> Result<Vec<u8>, Error> {
    let plan = Plan::new(scene);
    let (width, height) = (plan.width as f32, plan.height as f32);
    let density = DENSITY.min((MOST_PIXELS / (width * height)).sqrt());
    if density < LEAST_DENSITY {
        return Err(Error::TooLarge { width, height });
    }
    let mut canvas = Canvas::new(width * density, height * density, density, theme.page())?;
    canvas.picture(scene, &plan, theme)?;
    Ok(canvas.encode())
}

/// Rows of pixels, and what is drawn on them.
struct Canvas {
    width: usize,
    height: usize,
    density: f32,
    pixels: Vec<[u8; 3]>,
    font: Face<'static>,
}

/// A text, by its baseline.
struct Text<'a> {
    text: &'a str,
    /// The left end, or with `centred` the middle.
    x: f64,
    y: f64,
    centred: bool,
    font: f64,
    colour: Colour,
}

impl Canvas {
    fn new(width: f32, height: f32, density: f32, page: Colour) -> Result<Canvas, Error> {
        let (width, height) = (width as usize, height as usize);
        let font = Face::parse(FONT, 0).map_err(|error| Error::Font(error.to_string()))?;
        let Colour(red, green, blue) = page;
        Ok(Canvas { width, height, density, pixels: vec![[red, green, blue]; width * height], font })
    }

    /// Everything in the order of the SVG, what is in front last.
    fn picture(&mut self, scene: &Scene, plan: &Plan, theme: Theme) -> Result<(), Error> {
        for placed in &plan.panels {
            self.panel(placed, theme);
        }
        for bow in geometry::bows(plan, &scene.arrows) {
            let [a, b, c, d] = bow.line.map(point);
            let mut curve = Vec::new();
            curve.move_to(a).curve_to(b, c, d);
            self.outlined(&curve, 3, theme.accent(), theme);
            self.paint(&polygon(&bow.head, true), Fill::NonZero, theme.accent());
        }
        let arrows = !scene.arrows.is_empty();
        for placed in &plan.panels {
            self.texts(placed, arrows || !placed.panel.path.is_empty(), theme)?;
        }
        for brace in &plan.braces {
            self.paint(&polygon(brace, false), Stroke::new(1.0), theme.label());
        }
        for &geometry::Text { x, y, font, coordinate, text } in &plan.texts {
            let colour = if coordinate { theme.label() } else { theme.ink() };
            let y = y + BASELINE * font;
            let around = (coordinate && arrows).then_some(theme.page());
            self.text(&Text { text, x, y, centred: coordinate, font, colour }, around)?;
        }
        Ok(())
    }

    fn panel(&mut self, placed: &Placed, theme: Theme) {
        for (at, cell) in placed.panel.cells.iter().enumerate() {
            let frame = frame(placed.cell(at));
            self.paint(&frame, Fill::NonZero, theme.ground(cell.ground));
            self.paint(&frame, Stroke::new(1.0), theme.rule());
        }
        let levels = placed.panel.outlines.iter().map(|outline| outline.level).max().unwrap_or(0);
        for outline in &placed.panel.outlines {
            for &area in &outline.areas {
                self.paint(&frame(placed.rect(area)), edge(1 + outline.level), theme.page());
            }
            for &area in &outline.areas {
                self.paint(&frame(placed.rect(area)), line(1 + outline.level), theme.ink());
            }
        }
        self.outlined(&polygon(&placed.border(), true), 2 + levels, theme.ink(), theme);
        if !placed.panel.path.is_empty() {
            let places: Vec<_> = placed.panel.path.iter().map(|&cell| placed.middle(cell)).collect();
            self.outlined(&polygon(&places, false), 3, theme.accent(), theme);
        }
        for &cell in &placed.panel.highlights {
            self.paint(&frame(placed.cell(cell)), Stroke::new(4.0), theme.accent());
        }
    }

    /// With `crossed` lines may go through the cells, and the texts have a ground of their own to keep them off.
    fn texts(&mut self, placed: &Placed, crossed: bool, theme: Theme) -> Result<(), Error> {
        for (at, cell) in placed.panel.cells.iter().enumerate() {
            let ground = theme.ground(cell.ground);
            for (x, y, text) in placed.lines(at) {
                if crossed {
                    let (width, height) = (text_width(text, CELL_FONT) + 3.0, CELL_FONT * LINE);
                    let (left, top) = point((x - width / 2.0, y - height / 2.0)).into();
                    let mut shape = Vec::new();
                    shape.add_round_rect((left, top), width as f32, height as f32, 4.0, 4.0);
                    self.paint(&shape, Fill::NonZero, ground);
                }
                let y = y + BASELINE * CELL_FONT;
                let colour = ground.text();
                self.text(&Text { text, x, y, centred: true, font: CELL_FONT, colour }, None)?;
            }
        }
        Ok(())
    }

    /// A line that is seen on light and dark cells alike, since it has an edge of the other kind.
    fn outlined(&mut self, path: &[Command], width: usize, colour: Colour, theme: Theme) {
        self.paint(path, edge(width), theme.page());
        self.paint(path, line(width), colour);
    }

    fn text(&mut self, text: &Text, around: Option<Colour>) -> Result<(), Error> {
        let scale = text.font as f32 / f32::from(self.font.units_per_em());
        let mut outline = Outline { path: Vec::new(), x: 0.0, y: text.y as f32, scale };
        for letter in text.text.chars().filter(|letter| !letter.is_control()) {
            let glyph = self.font.glyph_index(letter).ok_or(Error::Letter(letter))?;
            // A space has no outline.
            let _ = self.font.outline_glyph(glyph, &mut outline);
            outline.x += f32::from(self.font.glyph_hor_advance(glyph).unwrap_or(0)) * scale;
        }
        let left = text.x as f32 - if text.centred { outline.x / 2.0 } else { 0.0 };
        let moved = Transform::translation(left, 0.0);
        let path: Vec<Command> = outline.path.iter().map(|command| command.transform(&moved)).collect();
        if let Some(around) = around {
            self.paint(&path, line(3), around);
        }
        self.paint(&path, Fill::NonZero, text.colour);
        Ok(())
    }

    /// Lays a colour over the pixels of a path, by how much of each is covered.
    fn paint<'a>(&mut self, path: &[Command], style: impl Into<Style<'a>>, colour: Colour) {
        let pixels = Transform::scale(self.density, self.density);
        let (mask, at) = Mask::new(path).style(style).transform(Some(pixels)).render();
        let Colour(red, green, blue) = colour;
        for (row, covered) in (at.top..).zip(mask.chunks_exact((at.width as usize).max(1))) {
            let Some(row) = usize::try_from(row).ok().filter(|&row| row < self.height) else { continue };
            let line = &mut self.pixels[row * self.width..][..self.width];
            for (column, &covered) in (at.left..).zip(covered) {
                let Some(pixel) = usize::try_from(column).ok().and_then(|column| line.get_mut(column)) else {
                    continue;
                };
                for (under, over) in pixel.iter_mut().zip([red, green, blue]) {
                    let (share, rest) = (u32::from(covered), 255 - u32::from(covered));
                    *under = ((u32::from(over) * share + u32::from(*under) * rest + 127) / 255) as u8;
                }
            }
        }
    }

    /// Without an alpha channel, since the page covers everything, and quickly, since flat cells compress well anyhow.
    fn encode(&self) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
        let mut header = Vec::new();
        header.extend((self.width as u32).to_be_bytes());
        header.extend((self.height as u32).to_be_bytes());
        // Eight bits each of red, green and blue; the only compression and filters that there are; not interlaced.
        header.extend([8, 2, 0, 0, 0]);
        chunk(&mut bytes, b"IHDR", &header);
        let mut rows = Vec::with_capacity(self.height * (1 + 3 * self.width));
        let mut above: &[[u8; 3]] = &vec![[0; 3]; self.width];
        for row in self.pixels.chunks_exact(self.width.max(1)) {
            rows.push(LESS_THE_ROW_ABOVE);
            let bytes = row.as_flattened().iter().zip(above.as_flattened());
            rows.extend(bytes.map(|(byte, above)| byte.wrapping_sub(*above)));
            above = row;
        }
        chunk(&mut bytes, b"IDAT", &compress_to_vec_zlib(&rows, COMPRESSION));
        chunk(&mut bytes, b"IEND", &[]);
        bytes
    }
}

/// Appends a chunk of a PNG: its length, kind and data, and their checksum, CRC-32.
fn chunk(bytes: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    bytes.extend((data.len() as u32).to_be_bytes());
    let start = bytes.len();
    bytes.extend(kind);
    bytes.extend(data);
    let crc = bytes[start..].iter().fold(!0u32, |crc, &byte| CRC[usize::from(crc as u8 ^ byte)] ^ (crc >> 8));
    bytes.extend((!crc).to_be_bytes());
}

/// What each byte makes of a CRC-32.
const CRC: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut crc, mut bit) = (byte as u32, 0);
        while bit < 8 {
            crc = if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 };
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
};

fn line(width: usize) -> Stroke<'static> {
    let mut line = Stroke::new(width as f32);
    line.join(Join::Round).cap(Cap::Round);
    line
}

fn edge(width: usize) -> Stroke<'static> {
    line(width + 2)
}

fn point((x, y): (f64, f64)) -> [f32; 2] {
    [x as f32, y as f32]
}

fn polygon(corners: &[(f64, f64)], closed: bool) -> Vec<Command> {
    let mut path = Vec::new();
    for (at, &corner) in corners.iter().enumerate() {
        if at == 0 {
            path.move_to(point(corner))
        } else {
            path.line_to(point(corner))
        };
    }
    if closed {
        path.close();
    }
    path
}

fn frame(Rect { x, y, width, height }: Rect) -> Vec<Command> {
    polygon(&[(x, y), (x + width, y), (x + width, y + height), (x, y + height)], true)
}

/// The outlines of letters, the next of which begins at `x` on the baseline `y`.
struct Outline {
    path: Vec<Command>,
    x: f32,
    y: f32,
    scale: f32,
}

impl Outline {
    fn at(&self, x: f32, y: f32) -> [f32; 2] {
        [self.x + x * self.scale, self.y - y * self.scale]
    }
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        let to = self.at(x, y);
        self.path.move_to(to);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let to = self.at(x, y);
        self.path.line_to(to);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (control, to) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(control, to);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (first, second, to) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.curve_to(first, second, to);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilework::{HTuple, Layout};

    fn scene(text: &str) -> Scene {
        let layout: Layout = text.parse().expect("a layout");
        let offset = |index| layout.evaluate(&HTuple::leaf(index));
        crate::draw(text, &layout, offset, &crate::Options::default()).expect("a scene")
    }

    /// Width, height, and the pixels in three bytes each.
    fn decode(bytes: &[u8]) -> (u32, u32, Vec<u8>) {
        let decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        let mut reader = decoder.read_info().expect("a header");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut pixels).expect("pixels");
        (info.width, info.height, pixels)
    }

    #[test]
    fn a_letter_that_the_font_has_not_is_refused() {
        let mut scene = scene("4:1");
        scene.title = "λ(x) ≤ 字".into();
        assert_eq!(write(&scene, Theme::Light), Err(Error::Letter('字')));
    }

    #[test]
    fn the_picture_has_the_size_of_the_svg_and_shows_colours_and_text() {
        let mut scene = scene("(4,8):(8,1)");
        let plan = Plan::new(&scene);
        let (width, height, pixels) = decode(&write(&scene, Theme::Light).expect("a picture"));
        assert_eq!((width, height), ((plan.width * 2.0) as u32, (plan.height * 2.0) as u32));
        let black = |pixels: &[u8]| pixels.chunks(3).filter(|pixel| pixel[0] < 10).count();
        let with = black(&pixels);
        for (at, cell) in scene.panels[0].cells.iter().enumerate() {
            let Rect { x, y, .. } = plan.panels[0].cell(at);
            let corner = ((y as usize + 4) * 2 * width as usize + (x as usize + 4) * 2) * 3;
            let Colour(red, green, blue) = Theme::Light.ground(cell.ground);
            assert_eq!(pixels[corner..corner + 3], [red, green, blue], "cell {at}");
        }
        for cell in &mut scene.panels[0].cells {
            cell.lines.clear();
        }
        let without = black(&decode(&write(&scene, Theme::Light).expect("a picture")).2);
        assert!(with > without + 32 * 20, "{with} {without}");
    }

    #[test]
    fn a_picture_beyond_reason_is_refused() {
        let cells = vec![crate::Cell::default(); 1_000_000];
        let panel = crate::Panel { rows: 1000, columns: 1000, cells, ..crate::Panel::default() };
        let scene = Scene { panels: vec![panel], ..Scene::default() };
        assert!(matches!(write(&scene, Theme::Light), Err(Error::TooLarge { .. })));
    }
}
