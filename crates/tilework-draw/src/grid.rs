//! A layout, or any other function on a layout's domain, as a scene.
//!
//! There is a panel for each slice. By default, a cell's colour represents its offset, so equal and neighbouring
//! offsets look alike.

use crate::color_by::ColorBy;
use crate::scene::{Cell, Ground, Panel, Scene};
use crate::sheet::Sheet;
use std::cmp::Ordering;
use tilework::{Error, HTuple, Layout, Offset, Rational};

/// The number of offsets, spread over the domain, that define the scale of the colours together with the drawn ones.
const SAMPLES: i64 = 1 << 14;

/// The options of a picture.
///
/// ```
/// use tilework_draw::Options;
/// let options = Options::default().with_path(true);
/// assert_eq!(options.max_cells, 4096);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The most cells to draw. Further cells are cut, and the caption says so.
    pub max_cells: usize,
    /// Whether a line connects the cells of each panel in the order of their offsets.
    pub path: bool,
    /// What the colours represent; `None` for the picture's default.
    pub color_by: Option<ColorBy>,
}

impl Default for Options {
    fn default() -> Options {
        Options { max_cells: 4096, path: false, color_by: None }
    }
}

/// The most elements that a picture enumerates, unless `max_cells` is larger.
const ELEMENTS: usize = 1 << 16;

impl Options {
    /// The options with another number of cells.
    ///
    /// ```
    /// assert_eq!(tilework_draw::Options::default().with_max_cells(64).max_cells, 64);
    /// ```
    #[must_use]
    pub fn with_max_cells(self, max_cells: usize) -> Options {
        Options { max_cells, ..self }
    }

    /// The options with or without a line through the cells.
    ///
    /// ```
    /// assert!(tilework_draw::Options::default().with_path(true).path);
    /// ```
    #[must_use]
    pub fn with_path(self, path: bool) -> Options {
        Options { path, ..self }
    }

    /// The options with another meaning of the colours; `None` for the picture's default.
    ///
    /// ```
    /// use tilework_draw::{ColorBy, Options};
    /// assert_eq!(Options::default().colored_by(ColorBy::Bank).color_by, Some(ColorBy::Bank));
    /// ```
    #[must_use]
    pub fn colored_by(self, color_by: impl Into<Option<ColorBy>>) -> Options {
        Options { color_by: color_by.into(), ..self }
    }

    /// Whether the colours represent this, given that it is the default.
    ///
    /// ```
    /// use tilework_draw::{ColorBy, Options};
    /// let plain = Options::default().colored_by(ColorBy::None);
    /// assert!(Options::default().colors_by(ColorBy::Bank) && !plain.colors_by(ColorBy::Bank));
    /// ```
    #[must_use]
    pub fn colors_by(&self, own: ColorBy) -> bool {
        self.color_by.is_none_or(|by| by == own)
    }

    /// The size itself, unless it is too large to enumerate: a picture takes a fraction of a second, unless `max_cells`
    /// is raised.
    ///
    /// # Errors
    /// [`Error::Capacity`] for more than 65,536 elements and more than `max_cells`.
    pub fn bounded(&self, size: i64) -> Result<i64, Error> {
        let limit = self.max_cells.max(ELEMENTS);
        match usize::try_from(size) {
            Ok(elements) if elements <= limit => Ok(size),
            _ => Err(Error::Capacity {
                what: "elements that a picture marks, unless max_cells is more",
                limit,
            }),
        }
    }
}

/// The scene of a function from the indices of `domain` to offsets.
///
/// For a layout the function is the layout itself; for a swizzled layout or a view the domain is the layout inside.
///
/// ```
/// use tilework::AnyLayout;
/// use tilework_draw::{Options, draw, svg};
/// let swizzled = AnyLayout::Swizzled("Sw<2,0,2> o 0 o (4,4):(4,1)".parse()?);
/// let offset = |index| swizzled.evaluate(index);
/// let scene = draw("swizzled", swizzled.layout(), &offset, &Options::default())?;
/// assert_eq!(scene.panels[0].cells[4].lines, ["5"]);
/// assert!(svg::write(&scene).starts_with("<svg"));
/// # Ok::<(), tilework::Error>(())
/// ```
///
/// The colours of threads and memory banks are not available here: [`crate::threads`] and [`crate::banks`] colour by
/// them.
///
/// # Errors
/// Those of the function.
pub fn draw(
    title: &str,
    domain: &Layout,
    function: &dyn Fn(i64) -> Result<Offset, Error>,
    options: &Options,
) -> Result<Scene, Error> {
    let limit = i64::try_from(options.max_cells.max(1)).unwrap_or(i64::MAX);
    let sheet = Sheet::of(domain, limit)?;
    let (mut panels, mut keys, mut left) = (Vec::new(), Vec::new(), limit);
    for slice in 0..domain.size() / sheet.len() {
        if left <= 0 {
            break;
        }
        let mut panel = panel(domain, &sheet, slice, left)?;
        left -= panel.cells.len() as i64;
        let mut offsets = Vec::with_capacity(panel.cells.len());
        for cell in &mut panel.cells {
            let offset = function(cell.index)?;
            cell.offset = text(&offset);
            cell.lines = vec![cell.offset.clone()];
            keys.push(key(&offset));
            offsets.push((offset, cell.index));
        }
        if options.path {
            panel.path = (0..offsets.len()).collect();
            panel.path.sort_by(|&a, &b| {
                compare(&offsets[a].0, &offsets[b].0).then(offsets[a].1.cmp(&offsets[b].1))
            });
        }
        panels.push(panel);
    }
    let cells = panels.iter_mut().flat_map(|panel| &mut panel.cells);
    if options.colors_by(ColorBy::Offset) {
        let scale = Scale::new(&keys, domain.size(), function)?;
        cells.zip(&keys).for_each(|(cell, key)| cell.ground = Ground::Scale(scale.place(*key)));
    } else if let Some(by) = options.color_by {
        cells.for_each(|cell| cell.ground = by.of(&sheet, cell.index));
    }
    let drawn = keys.len();
    let cut = drawn as i64 != domain.size();
    let caption = match &panels[..] {
        _ if !cut => String::new(),
        [panel] if !panel.wrapped => sheet.part(panel.rows as i64, panel.columns as i64),
        [_] => format!("the first {drawn} of {} cells", domain.size()),
        _ => format!("{drawn} of {} cells", domain.size()),
    };
    Ok(Scene { title: title.to_string(), panels, caption, cut, ..Scene::default() })
}

/// The drawn part of a slice, at most `left` cells, each with its place only.
fn panel(domain: &Layout, sheet: &Sheet, slice: i64, left: i64) -> Result<Panel, Error> {
    let (rows, columns, cells) = sheet.shown(left);
    let mut panel = sheet.frame(slice, rows, columns, cells);
    panel.domain = Some(domain.shape());
    if domain.rank() > 2 {
        panel.title = slice_title(domain, slice)?;
    }
    for number in 0..cells {
        let index = sheet.index(slice, [number / columns, number % columns]);
        let coordinate = domain.shape().idx2crd(&HTuple::leaf(index))?.to_string();
        panel.cells.push(Cell { index, coordinate, ..Cell::default() });
    }
    Ok(panel)
}

/// `(_,_,1,0)`: the coordinates that a panel fixes.
fn slice_title(domain: &Layout, slice: i64) -> Result<String, Error> {
    let mut title = String::from("(_,_");
    let mut rest = slice;
    for index in 2..domain.rank() {
        let size = domain.mode(index)?.size();
        title += &format!(",{}", rest % size);
        rest /= size;
    }
    Ok(title + ")")
}

/// The range of the colours.
struct Scale {
    low: i64,
    high: i64,
}

impl Scale {
    fn new(
        drawn: &[i64],
        size: i64,
        function: &dyn Fn(i64) -> Result<Offset, Error>,
    ) -> Result<Scale, Error> {
        let (mut low, mut high) = (i64::MAX, i64::MIN);
        for &key in drawn {
            (low, high) = (low.min(key), high.max(key));
        }
        let samples = if drawn.len() as i64 == size { 0 } else { size.min(SAMPLES) };
        for index in (0..samples).map(|sample| sample * (size / samples)) {
            let key = key(&function(index)?);
            (low, high) = (low.min(key), high.max(key));
        }
        Ok(Scale { low, high })
    }

    fn place(&self, key: i64) -> f64 {
        let distance = |key: i64| (i128::from(key) - i128::from(self.low)) as f64;
        distance(key) / distance(self.high).max(1.0)
    }
}

/// The sort key of the colours: the number itself; for a coordinate, the sum of its components.
fn key(offset: &Offset) -> i64 {
    offset.leaves().iter().map(|leaf| leaf.numerator() / leaf.denominator()).fold(0, i64::saturating_add)
}

/// The order of a path: numbers by size, coordinates by their last component first.
fn compare(left: &Offset, right: &Offset) -> Ordering {
    let cross = |a: &Rational, b: &Rational| i128::from(a.numerator()) * i128::from(b.denominator());
    let pairs = left.leaves().iter().zip(right.leaves()).rev();
    pairs.map(|(a, b)| cross(a, b).cmp(&cross(b, a))).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

fn text(offset: &Offset) -> String {
    match offset.leaves() {
        [leaf] if offset.is_leaf() && leaf.is_integer() => leaf.numerator().to_string(),
        _ => offset.to_string(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The scene of a layout.
    pub(crate) fn scene(text: &str, options: &Options) -> Scene {
        let layout: Layout = text.parse().expect("a layout");
        draw(text, &layout, &|index| layout.evaluate(&HTuple::leaf(index)), options).expect("a scene")
    }

    #[test]
    fn levels_and_tiles_follow_the_nesting() {
        let scene = scene("((2,3),(4,(5,1),2))", &Options::default());
        let panel = &scene.panels[0];
        assert_eq!((panel.rows, panel.columns), (6, 40));
        assert_eq!(panel.row_labels.len(), 2);
        let spans: Vec<usize> = panel.column_labels.iter().map(|level| level.labels[0].span).collect();
        assert_eq!(spans, [20, 4, 1]);
        let tiles: Vec<(usize, usize)> =
            panel.outlines.iter().map(|outline| (outline.areas[0].rows, outline.areas[0].columns)).collect();
        assert_eq!(tiles, [(2, 4), (6, 20)]);
        assert_eq!(panel.cells[41].coordinate, "((1,0),(1,(0,0),0))");
    }

    #[test]
    fn a_path_follows_the_offsets() {
        let path = |text| scene(text, &Options { path: true, ..Options::default() }).panels[0].path.clone();
        assert_eq!(path("(2,2):(2,1)"), [0, 1, 2, 3]);
        assert_eq!(path("(2,2):(1,2)"), [0, 2, 1, 3]);
        assert_eq!(path("(2,2):(1/2,1/3)"), [0, 1, 2, 3]);
        assert_eq!(path("(2,2):(1@1,1@0)"), [0, 1, 2, 3]);
    }

    #[test]
    fn what_is_cut_is_said() {
        let cut = scene("(3,4,5)", &Options { max_cells: 17, ..Options::default() });
        let sizes: Vec<(usize, usize)> = cut.panels.iter().map(|panel| (panel.rows, panel.columns)).collect();
        assert_eq!((sizes, cut.caption.as_str()), (vec![(3, 4), (2, 2), (1, 1)], "17 of 60 cells"));
        assert_eq!(scene("(3,4,5)", &Options::default()).caption, "");
        let row = scene("10000:1", &Options { max_cells: 70, ..Options::default() });
        assert_eq!(
            (row.panels[0].rows, row.panels[0].cells.len(), row.caption.as_str()),
            (3, 70, "the first 70 of 10000 cells")
        );
        assert_eq!(scene("()", &Options { max_cells: 0, ..Options::default() }).panels.len(), 1);
    }
}
