//! A scene as PNG: the rectangles, lines and texts of its SVG, drawn here, with a font that the crate contains.

use crate::error::Error;
use crate::geometry::{self, BASELINE, CELL_FONT, LINE, Placed, Plan, Rect, text_width};
use crate::palette::{Colour, Theme};
use crate::scene::Scene;
use crate::svg::rounded;
use miniz_oxide::deflate::compress_to_vec_zlib;
use std::cmp::Reverse;
use ttf_parser::{Face, OutlineBuilder};
use zeno::{Cap, Command, Fill, Join, Mask, PathBuilder, Stroke, Style, Transform};

/// Pixels of the picture per pixel of the SVG, if the picture is not too large.
const DENSITY: f32 = 2.0;
/// With fewer pixels texts would not be readable.
const MIN_DENSITY: f32 = 0.7;
/// The most pixels, three bytes each while they are drawn.
const MAX_PIXELS: f32 = 1e8;

/// The level of compression, of ten.
const COMPRESSION: u8 = 6;
/// The filter type of unfiltered rows.
const AS_IT_IS: u8 = 0;

/// Letters of Latin, Greek and Cyrillic, arrows and operators; see `LICENSE-FONT`.
const FONT: &[u8] = include_bytes!("font.ttf");

/// The bytes of the file, the same on every machine.
///
/// ```
/// use tilework_draw::{Scene, palette::Theme, png};
/// assert!(png::write(&Scene::default(), Theme::Dark)?.starts_with(b"\x89PNG"));
/// # Ok::<(), tilework_draw::Error>(())
/// ```
///
/// # Errors
/// [`Error::Letter`] instead of a picture with a gap; [`Error::TooLarge`] for more cells than pixels can show.
pub fn write(scene: &Scene, theme: Theme) -> Result<Vec<u8>, Error> {
    let plan = Plan::new(scene);
    let (width, height) = (plan.width as f32, plan.height as f32);
    let density = DENSITY.min((MAX_PIXELS / (width * height)).sqrt());
    if density < MIN_DENSITY {
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
    /// The left end; with `centred`, the middle.
    x: f64,
    y: f64,
    centred: bool,
    font: f64,
    colour: Colour,
}

impl Canvas {
    fn new(width: f32, height: f32, density: f32, page: Colour) -> Result<Canvas, Error> {
        let (width, height) = (width as usize, height as usize);
        let font = font()?;
        let Colour(red, green, blue) = page;
        Ok(Canvas { width, height, density, pixels: vec![[red, green, blue]; width * height], font })
    }

    /// Draws everything in the order of the SVG, from back to front.
    fn picture(&mut self, scene: &Scene, plan: &Plan, theme: Theme) -> Result<(), Error> {
        for placed in &plan.panels {
            self.panel(placed, theme);
        }
        for route in geometry::routes(plan, &scene.arrows) {
            self.outlined(&polygon(&route.line, false), 3, theme.accent(), theme);
            self.paint(&polygon(&route.head, true), Fill::NonZero, theme.accent());
        }
        for placed in &plan.panels {
            self.texts(placed, theme)?;
        }
        for brace in &plan.braces {
            self.paint(&polygon(brace, false), Stroke::new(1.0), theme.label());
        }
        for &geometry::Text { x, y, font, coordinate, text } in &plan.texts {
            let colour = if coordinate { theme.label() } else { theme.ink() };
            let y = y + BASELINE * font;
            self.text(&Text { text, x, y, centred: coordinate, font, colour })?;
        }
        Ok(())
    }

    fn panel(&mut self, placed: &Placed, theme: Theme) {
        for (at, cell) in placed.panel.cells.iter().enumerate() {
            let frame = frame(placed.cell(at));
            self.paint(&frame, Fill::NonZero, theme.ground(rounded(cell.ground)));
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

    /// If a path crosses the cells, texts get a background so that the path does not cover them.
    fn texts(&mut self, placed: &Placed, theme: Theme) -> Result<(), Error> {
        let crossed = !placed.panel.path.is_empty();
        for (at, cell) in placed.panel.cells.iter().enumerate() {
            let ground = theme.ground(rounded(cell.ground));
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
                self.text(&Text { text, x, y, centred: true, font: CELL_FONT, colour })?;
            }
        }
        Ok(())
    }

    /// A line with an edge of the opposite lightness, so that it is visible on light and dark cells.
    fn outlined(&mut self, path: &[Command], width: usize, colour: Colour, theme: Theme) {
        self.paint(path, edge(width), theme.page());
        self.paint(path, line(width), colour);
    }

    fn text(&mut self, text: &Text) -> Result<(), Error> {
        let (path, width) = letters(&self.font, text.text, text.font)?;
        let left = text.x as f32 - if text.centred { width / 2.0 } else { 0.0 };
        let moved = Transform::translation(left, text.y as f32);
        let path: Vec<Command> = path.iter().map(|command| command.transform(&moved)).collect();
        self.paint(&path, Fill::NonZero, text.colour);
        Ok(())
    }

    /// Blends a colour over the pixels of a path by their coverage.
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

    /// With a palette: a byte per pixel, so that equal cells are equal in the file.
    fn encode(&self) -> Vec<u8> {
        let (palette, pixels) = indexed(&self.pixels);
        let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
        let mut header = Vec::new();
        header.extend((self.width as u32).to_be_bytes());
        header.extend((self.height as u32).to_be_bytes());
        // Eight bits of a palette; deflate, adaptive filters; not interlaced.
        header.extend([8, 3, 0, 0, 0]);
        chunk(&mut bytes, b"IHDR", &header);
        chunk(&mut bytes, b"PLTE", palette.as_flattened());
        let mut rows = Vec::with_capacity(self.height * (1 + self.width));
        for row in pixels.chunks_exact(self.width.max(1)) {
            rows.push(AS_IT_IS);
            rows.extend(row);
        }
        chunk(&mut bytes, b"IDAT", &compress_to_vec_zlib(&rows, COMPRESSION));
        chunk(&mut bytes, b"IEND", &[]);
        bytes
    }
}

/// A palette of the most frequent colours, and for each pixel the nearest of them: all grounds and lines are exact, and
/// so are most of the shades at the edges of letters.
fn indexed(pixels: &[[u8; 3]]) -> (Vec<[u8; 3]>, Vec<u8>) {
    let key = |[red, green, blue]: [u8; 3]| u32::from_be_bytes([0, red, green, blue]) as usize;
    let mut counts = vec![0u32; 1 << 24];
    let mut colours = Vec::new();
    for &colour in pixels {
        let count = &mut counts[key(colour)];
        if *count == 0 {
            colours.push(colour);
        }
        *count += 1;
    }
    colours.sort_by_key(|&colour| (Reverse(counts[key(colour)]), colour));
    let palette: Vec<[u8; 3]> = colours.iter().copied().take(256).collect();
    let distance = |a: [u8; 3], b: [u8; 3]| -> u32 {
        a.into_iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
    };
    let mut indices = vec![0u8; 1 << 24];
    for &colour in &colours {
        let distances = palette.iter().map(|&entry| distance(entry, colour)).enumerate();
        indices[key(colour)] = distances.min_by_key(|&(_, distance)| distance).map_or(0, |(at, _)| at as u8);
    }
    (palette, pixels.iter().map(|&colour| indices[key(colour)]).collect())
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

/// The CRC-32 of each byte.
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

/// The font, which has more letters than the built-in fonts of PDF.
pub(crate) fn font() -> Result<Face<'static>, Error> {
    Face::parse(FONT, 0).map_err(|error| Error::Font(error.to_string()))
}

/// The outlines of a text that begins at 0 on the baseline 0, and its width.
pub(crate) fn letters(font: &Face, text: &str, size: f64) -> Result<(Vec<Command>, f32), Error> {
    let scale = size as f32 / f32::from(font.units_per_em());
    let mut outline = Outline { path: Vec::new(), x: 0.0, scale };
    for letter in text.chars().filter(|letter| !letter.is_control()) {
        let glyph = font.glyph_index(letter).ok_or(Error::Letter(letter))?;
        // A space has no outline.
        let _ = font.outline_glyph(glyph, &mut outline);
        outline.x += f32::from(font.glyph_hor_advance(glyph).unwrap_or(0)) * scale;
    }
    Ok((outline.path, outline.x))
}

/// The outlines of letters; the next one begins at `x` on the baseline 0.
struct Outline {
    path: Vec<Command>,
    x: f32,
    scale: f32,
}

impl Outline {
    fn at(&self, x: f32, y: f32) -> [f32; 2] {
        [self.x + x * self.scale, -y * self.scale]
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

    fn scene(text: &str) -> Scene {
        crate::grid::tests::scene(text, &crate::Options::default())
    }

    /// Width, height, and the pixels as three bytes each.
    fn decode(bytes: &[u8]) -> (u32, u32, Vec<u8>) {
        let decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        let mut reader = decoder.read_info().expect("a header");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut pixels).expect("pixels");
        let palette = reader.info().palette.as_ref().expect("a palette");
        let colours = pixels.iter().flat_map(|&at| palette[3 * usize::from(at)..][..3].iter().copied());
        (info.width, info.height, colours.collect())
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
            let Colour(red, green, blue) = Theme::Light.ground(rounded(cell.ground));
            assert_eq!(pixels[corner..corner + 3], [red, green, blue], "cell {at}");
        }
        for cell in &mut scene.panels[0].cells {
            cell.lines.clear();
        }
        let without = black(&decode(&write(&scene, Theme::Light).expect("a picture")).2);
        assert!(with > without + 32 * 20, "{with} {without}");
    }

    #[test]
    fn a_picture_of_4096_cells_is_no_large_file() {
        let bytes = write(&scene("4096:1"), Theme::Light).expect("a picture");
        assert!(bytes.len() < 1_000_000, "{}", bytes.len());
    }

    #[test]
    fn a_picture_beyond_reason_is_refused() {
        let cells = vec![crate::Cell::default(); 1_000_000];
        let panel = crate::Panel { rows: 1000, columns: 1000, cells, ..crate::Panel::default() };
        let scene = Scene { panels: vec![panel], ..Scene::default() };
        assert!(matches!(write(&scene, Theme::Light), Err(Error::TooLarge { .. })));
    }
}
