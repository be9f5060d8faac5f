//! A scene as PNG: its SVG, drawn with the fonts of the machine.

use crate::geometry::Plan;
use crate::palette::Theme;
use crate::scene::Scene;
use crate::svg;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, FaceInfo, Style};
use resvg::usvg::{self, Group, Node, Tree};
use std::fmt;
use std::sync::Arc;

/// Pixels of the picture for one of the SVG, where it is not too large.
const DENSITY: f32 = 2.0;
/// A picture with fewer could not be read.
const LEAST_DENSITY: f32 = 0.7;
/// The most pixels, four bytes each while they are drawn.
const MOST_PIXELS: f32 = 1e8;

/// Why there is no picture.
///
/// ```
/// use tilework_draw::png::Error;
/// assert!(Error::NoFont.to_string().contains("font"));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Error {
    /// The machine has no font that the labels could be written with.
    NoFont,
    /// So many pixels would be needed that the picture is of no use.
    TooLarge {
        /// The width of the SVG.
        width: f32,
        /// The height of the SVG.
        height: f32,
    },
    /// The renderer refused; what it says.
    Renderer(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoFont => f.write_str(
                "no font was found to write the labels with; install one, such as DejaVu Sans Mono \
                 (Debian: fonts-dejavu-core), or draw to SVG",
            ),
            Error::TooLarge { width, height } => write!(
                f,
                "a picture of {width} by {height} points is too large for PNG; draw fewer cells, or draw to SVG"
            ),
            Error::Renderer(message) => write!(f, "the picture could not be rendered: {message}"),
        }
    }
}

impl std::error::Error for Error {}

/// The bytes of the file.
///
/// ```no_run
/// // Not run, since the machine may have no font.
/// use tilework_draw::{Scene, palette::Theme, png};
/// std::fs::write("picture.png", png::write(&Scene::default(), Theme::Dark)?)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::NoFont`] rather than a picture without labels; [`Error::TooLarge`] for more cells than pixels can show.
pub fn write(scene: &Scene, theme: Theme) -> Result<Vec<u8>, Error> {
    let mut fonts = Database::new();
    fonts.load_system_fonts();
    render(scene, theme, fonts)
}

fn render(scene: &Scene, theme: Theme, fonts: Database) -> Result<Vec<u8>, Error> {
    let plan = Plan::new(scene);
    let (width, height) = (plan.width as f32, plan.height as f32);
    let density = DENSITY.min((MOST_PIXELS / (width * height)).sqrt());
    let too_large = Error::TooLarge { width, height };
    if density < LEAST_DENSITY {
        return Err(too_large);
    }
    let (family, fonts) = alone(&fonts).ok_or(Error::NoFont)?;
    let options = usvg::Options { font_family: family, fontdb: Arc::new(fonts), ..usvg::Options::default() };
    let text = svg::write_themed(scene, theme);
    let tree = Tree::from_str(&text, &options).map_err(|error| Error::Renderer(error.to_string()))?;
    // Text that no font has is left out without a word.
    if texts(tree.root()) != text.matches("<text").count() {
        return Err(Error::NoFont);
    }
    let mut pixels = Pixmap::new((width * density) as u32, (height * density) as u32).ok_or(too_large)?;
    resvg::render(&tree, Transform::from_scale(density, density), &mut pixels.as_mut());
    encode(&pixels).map_err(|error| Error::Renderer(error.to_string()))
}

/// Without an alpha channel, since the page covers everything, and quickly, since flat cells compress well anyhow.
fn encode(pixels: &Pixmap) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, pixels.width(), pixels.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header()?;
    let colours: Vec<u8> =
        pixels.pixels().iter().flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect();
    writer.write_image_data(&colours)?;
    writer.finish()?;
    Ok(bytes)
}

/// The font for the labels and its family: an upright fixed-width one of usual weight if there is one. It is read once and
/// kept apart, since the renderer would open its file anew for every label.
fn alone(fonts: &Database) -> Option<(String, Database)> {
    let plain = |face: &&FaceInfo| face.style == Style::Normal && face.weight.0 == 400;
    // Fixed-width fonts of symbols are the ones without a word for it in their names.
    let named = |face: &&FaceInfo| {
        let name = face.families.first().map_or("", |(name, _)| name.as_str());
        ["Mono", "Menlo", "Consolas", "Courier"].iter().any(|word| name.contains(word))
    };
    let faces = || fonts.faces();
    let face = faces()
        .filter(|face| face.monospaced && named(face))
        .find(plain)
        .or_else(|| faces().filter(|face| face.monospaced).find(plain))
        .or_else(|| faces().find(plain))
        .or_else(|| faces().next())?;
    let family = face.families.first()?.0.clone();
    let mut alone = Database::new();
    alone.load_font_data(fonts.with_face_data(face.id, |data, _| data.to_vec())?);
    alone.set_monospace_family(&family);
    Some((family, alone))
}

/// How many texts have glyphs.
fn texts(group: &Group) -> usize {
    let count = |node: &Node| match node {
        Node::Group(group) => texts(group),
        Node::Text(text) => usize::from(text.flattened().has_children()),
        _ => 0,
    };
    group.children().iter().map(count).sum()
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

    #[test]
    fn a_machine_without_fonts_is_told_so() {
        assert_eq!(render(&scene("4:1"), Theme::Light, Database::new()), Err(Error::NoFont));
    }

    #[test]
    fn the_picture_has_the_size_of_the_svg_and_shows_text() {
        let drawn = |scene: &Scene| {
            let bytes = match write(scene, Theme::Light) {
                Err(Error::NoFont) => return None,
                bytes => bytes.expect("a picture"),
            };
            let pixels = Pixmap::decode_png(&bytes).expect("a PNG");
            let black = pixels.pixels().iter().filter(|pixel| pixel.red() < 10).count();
            Some(((pixels.width(), pixels.height()), black))
        };
        let mut scene = scene("(4,8):(8,1)");
        let plan = Plan::new(&scene);
        let expected = ((plan.width * 2.0) as u32, (plan.height * 2.0) as u32);
        let Some((size, black)) = drawn(&scene) else { return };
        assert_eq!(size, expected);
        for cell in &mut scene.panels[0].cells {
            cell.lines.clear();
        }
        let without = drawn(&scene).expect("the fonts are still there").1;
        assert!(black > without + 32 * 20, "{black} {without}");
    }

    #[test]
    fn a_picture_beyond_reason_is_refused() {
        let cells = vec![crate::Cell::default(); 1_000_000];
        let panel = crate::Panel { rows: 1000, columns: 1000, cells, ..crate::Panel::default() };
        let scene = Scene { panels: vec![panel], ..Scene::default() };
        assert!(matches!(write(&scene, Theme::Light), Err(Error::TooLarge { .. })));
    }
}
