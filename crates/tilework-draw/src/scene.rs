//! The parts of a picture. Writers see only scenes, and no layouts.

use tilework::Shape;

/// A picture: panels of cells under one title.
///
/// ```
/// use tilework_draw::{Cell, Ground, Panel, Scene, terminal};
/// let cell = Cell { lines: vec!["T0".into(), "V1".into()], ground: Ground::Class(0), ..Cell::default() };
/// let panel = Panel { rows: 1, columns: 1, cells: vec![cell], ..Panel::default() };
/// let scene = Scene { title: "one value".into(), panels: vec![panel], ..Scene::default() };
/// assert!(terminal::write(&scene, &terminal::Terminal::default()).contains("V1"));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Scene {
    /// The title.
    pub title: String,
    /// The grids, in reading order.
    pub panels: Vec<Panel>,
    /// Arrows between cells.
    pub arrows: Vec<Arrow>,
    /// Further remarks, such as what was cut; may be empty.
    pub caption: String,
    /// Whether there are more cells than are drawn.
    pub cut: bool,
}

impl Scene {
    /// The same picture with other colours.
    ///
    /// ```
    /// use tilework_draw::{Cell, Ground, Panel, Scene};
    /// let panel = Panel { rows: 1, columns: 1, cells: vec![Cell::default()], ..Panel::default() };
    /// let scene = Scene { panels: vec![panel], ..Scene::default() }.paint(|cell| Ground::Class(cell.index as usize));
    /// assert_eq!(scene.panels[0].cells[0].ground, Ground::Class(0));
    /// ```
    pub fn paint(mut self, ground: impl Fn(&Cell) -> Ground) -> Scene {
        for cell in self.panels.iter_mut().flat_map(|panel| &mut panel.cells) {
            cell.ground = ground(cell);
        }
        self
    }

    /// The same picture with frames around some cells.
    ///
    /// ```
    /// use tilework_draw::{Cell, Panel, Scene};
    /// let panel = Panel { rows: 1, columns: 1, cells: vec![Cell::default()], ..Panel::default() };
    /// let scene = Scene { panels: vec![panel], ..Scene::default() }.highlight(|cell| cell.index == 0);
    /// assert_eq!(scene.panels[0].highlights, [0]);
    /// ```
    pub fn highlight(mut self, chosen: impl Fn(&Cell) -> bool) -> Scene {
        for panel in &mut self.panels {
            let cells = panel.cells.iter().enumerate();
            panel.highlights.extend(cells.filter(|(_, cell)| chosen(cell)).map(|(at, _)| at));
        }
        self
    }

    /// A cell by its number, panel after panel, with its panel.
    ///
    /// ```
    /// use tilework_draw::{Cell, Panel, Scene};
    /// let panel = |title: &str| Panel { title: title.into(), cells: vec![Cell::default(); 2], ..Panel::default() };
    /// let scene = Scene { panels: vec![panel("left"), panel("right")], ..Scene::default() };
    /// assert_eq!(scene.cell(2).map(|(panel, _)| panel.title.as_str()), Some("right"));
    /// assert_eq!(scene.cell(4), None);
    /// ```
    #[must_use]
    pub fn cell(&self, number: usize) -> Option<(&Panel, &Cell)> {
        self.panels.iter().flat_map(|panel| panel.cells.iter().map(move |cell| (panel, cell))).nth(number)
    }

    /// Adds a remark to the caption.
    pub fn remark(&mut self, remark: &str) {
        if !self.caption.is_empty() {
            self.caption += "; ";
        }
        self.caption += remark;
    }

    /// Several pictures as one: the title of each is above its panels.
    ///
    /// ```
    /// use tilework_draw::{Panel, Scene};
    /// let one = |title: &str| Scene { title: title.into(), panels: vec![Panel::default()], ..Scene::default() };
    /// let row = Scene::row("two", vec![one("left"), one("right")]);
    /// assert_eq!((row.panels.len(), row.panels[1].title.as_str()), (2, "right"));
    /// ```
    pub fn row(title: impl Into<String>, scenes: Vec<Scene>) -> Scene {
        let mut row = Scene { title: title.into(), ..Scene::default() };
        let mut captions: Vec<String> = Vec::new();
        let slots = scenes.iter().flat_map(|scene| &scene.panels).any(|panel| panel.slot.is_some());
        let mut column = 0;
        for scene in scenes {
            let before = row.panels.len();
            let first = column;
            row.cut |= scene.cut;
            for mut panel in scene.panels {
                panel.title = match panel.title.is_empty() {
                    true => scene.title.clone(),
                    false => format!("{} {}", scene.title, panel.title),
                };
                if slots {
                    // A panel without a slot is placed beside the earlier ones.
                    let (down, across) =
                        panel.slot.map_or((0, column), |(down, across)| (down, first + across));
                    panel.slot = Some((down, across));
                    column = column.max(across + 1);
                }
                row.panels.push(panel);
            }
            let moved = |(panel, cell): (usize, usize)| (panel + before, cell);
            row.arrows.extend(
                scene.arrows.iter().map(|arrow| Arrow { from: moved(arrow.from), to: moved(arrow.to) }),
            );
            if !scene.caption.is_empty() && !captions.contains(&scene.caption) {
                captions.push(scene.caption);
            }
        }
        row.caption = captions.join("; ");
        row
    }
}

/// An arrow between two cells; each is given by its panel and its index in the panel.
///
/// ```
/// use tilework_draw::Arrow;
/// let arrow = Arrow { from: (0, 5), to: (1, 9) };
/// assert_ne!(arrow.from, arrow.to);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// Its start.
    pub from: (usize, usize),
    /// Its end.
    pub to: (usize, usize),
}

/// A grid of cells.
///
/// ```
/// use tilework_draw::Panel;
/// let panel = Panel { rows: 2, columns: 3, ..Panel::default() };
/// assert_eq!((panel.place(4), panel.area().columns), ((1, 1), 3));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Panel {
    /// The part of the whole that this is; empty if it is the whole.
    pub title: String,
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// Whether it is one row or column wrapped to several rows; the last one may have fewer cells.
    pub wrapped: bool,
    /// The cells, row by row.
    pub cells: Vec<Cell>,
    /// The coordinates of the rows, the outermost level first; none for a single row.
    pub row_labels: Vec<Level>,
    /// The coordinates of the columns, the outermost level first.
    pub column_labels: Vec<Level>,
    /// The nested tiles, those of the innermost level first.
    pub outlines: Vec<Outline>,
    /// Cells that a line connects, in its order.
    pub path: Vec<usize>,
    /// Cells with a frame.
    pub highlights: Vec<usize>,
    /// The shape whose coordinates the cells are, if there is one.
    pub domain: Option<Shape>,
    /// Its row and column among the panels, if these are arranged in rows and columns; otherwise panels are set line by
    /// line.
    pub slot: Option<(usize, usize)>,
}

impl Panel {
    /// The row and column of a cell.
    #[must_use]
    pub fn place(&self, cell: usize) -> (usize, usize) {
        (cell / self.columns.max(1), cell % self.columns.max(1))
    }

    /// All cells.
    #[must_use]
    pub fn area(&self) -> Area {
        Area { row: 0, column: 0, rows: self.rows, columns: self.columns }
    }
}

/// A place with a value.
///
/// ```
/// use tilework_draw::Cell;
/// let cell = Cell { lines: vec!["9".into()], index: 5, coordinate: "(1,1)".into(), offset: "9".into(), ..Cell::default() };
/// assert_eq!(cell.description(), "index 5, coordinate (1,1), offset 9");
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Cell {
    /// Its text.
    pub lines: Vec<String>,
    /// What its colour represents.
    pub ground: Ground,
    /// Its linear index in the domain.
    pub index: i64,
    /// Its coordinate, nested like the domain.
    pub coordinate: String,
    /// Its offset.
    pub offset: String,
    /// A further remark, such as `thread 3, value 1`; may be empty.
    pub note: String,
}

impl Cell {
    /// A sentence for a tooltip, and for screen readers.
    #[must_use]
    pub fn description(&self) -> String {
        let note = if self.note.is_empty() { String::new() } else { format!(", {}", self.note) };
        format!("index {}, coordinate {}, offset {}{note}", self.index, self.coordinate, self.offset)
    }
}

/// What the colour of a cell represents.
///
/// ```
/// use tilework_draw::Ground;
/// assert_eq!(Ground::default(), Ground::Blank);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
pub enum Ground {
    /// Nothing.
    #[default]
    Blank,
    /// A place between the smallest value, 0, and the largest, 1.
    Scale(f64),
    /// One of several unordered classes.
    Class(usize),
}

/// One level of coordinates along a side.
///
/// ```
/// use tilework_draw::Level;
/// assert_eq!(Level::repeating(2, 3, 8).labels.iter().map(|l| l.text.as_str()).collect::<String>(), "0120");
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Level {
    /// Its labels, which do not overlap.
    pub labels: Vec<Label>,
}

impl Level {
    /// The coordinates `0..extent`, repeated, each for `span` of `count` rows or columns.
    #[must_use]
    pub fn repeating(span: usize, extent: usize, count: usize) -> Level {
        let (span, extent) = (span.max(1), extent.max(1));
        let label = |start: usize| Label {
            start,
            span: span.min(count - start),
            text: (start / span % extent).to_string(),
        };
        Level { labels: (0..count).step_by(span).map(label).collect() }
    }
}

/// A label beside rows, or above columns.
///
/// ```
/// use tilework_draw::Level;
/// let level = Level::repeating(4, 2, 6);
/// assert_eq!((level.labels[1].start, level.labels[1].span), (4, 2));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Label {
    /// The first row or column.
    pub start: usize,
    /// The number of rows or columns.
    pub span: usize,
    /// The text.
    pub text: String,
}

/// The frames of the tiles of one level.
///
/// ```
/// use tilework_draw::{Area, Outline};
/// let whole = Area { row: 0, column: 0, rows: 2, columns: 5 };
/// assert_eq!(Outline::tiling(1, 2, 4, whole).areas.len(), 2);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outline {
    /// The level from 1, the innermost.
    pub level: usize,
    /// The tiles.
    pub areas: Vec<Area>,
}

impl Outline {
    /// Tiles of one size side by side; those that do not fit are cut.
    #[must_use]
    pub fn tiling(level: usize, rows: usize, columns: usize, whole: Area) -> Outline {
        let (rows, columns) = (rows.max(1), columns.max(1));
        let mut areas = Vec::new();
        for row in (0..whole.rows).step_by(rows) {
            for column in (0..whole.columns).step_by(columns) {
                areas.push(Area {
                    row: whole.row + row,
                    column: whole.column + column,
                    rows: rows.min(whole.rows - row),
                    columns: columns.min(whole.columns - column),
                });
            }
        }
        Outline { level, areas }
    }
}

/// A rectangle of cells.
///
/// ```
/// use tilework_draw::Area;
/// let area = Area { row: 2, column: 0, rows: 2, columns: 4 };
/// assert_eq!(area.row + area.rows, 4);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Area {
    /// The first row.
    pub row: usize,
    /// The first column.
    pub column: usize,
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
}
