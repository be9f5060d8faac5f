//! Instructions: the thread that has each value of `A`, `B` and `C`, or of the two sides of a copy.
//!
//! `B` is above `C`, and `A` to its left, as in CuTe's `print_latex`, so that a row of `A` and a column of `B` cross at
//! the element to which their product is added. If `C` is wide, its columns, with those of `B`, continue below, which
//! gives the page about the shape of a sheet. If `K` exceeds [`WIDEST`], the three are below each other, with a fixed
//! number of columns per line, and `B` is transposed so that `K` runs across in both.

use crate::color_by::ColorBy;
use crate::grid::Options;
use crate::scene::{Cell, Ground, Label, Level, Outline, Panel, Scene};
use crate::threads::Owners;
use std::ops::Range;
use tilework::{Error, HTuple, Layout};

/// The largest `K` with which `B` is drawn above `C`.
const WIDEST: i64 = 64;
/// The largest ratio of a picture's width to its height.
const ASPECT: f64 = 1.5;

/// `A`, `B` and `C` of an instruction of `(M,N,K)`, whose layouts map thread and value to `m + M k`, `n + N k` and `m +
/// M n`; tiles of the extents `tile`, those of one atom, are framed.
///
/// ```
/// use tilework::layout;
/// use tilework_draw::{Options, mma};
/// let (a, c) = (layout!((32,1):(1,0)), layout!((32,2):(2,1)));
/// let scene = mma("DMMA", [8, 8, 4], [8, 8, 4], [&a, &a, &c], &Options::default())?;
/// let sizes: Vec<_> = scene.panels.iter().map(|panel| (panel.rows, panel.columns, panel.slot)).collect();
/// assert_eq!(sizes, [(8, 4, Some((1, 0))), (4, 8, Some((0, 1))), (8, 8, Some((1, 1)))]);
/// assert_eq!(scene.panels[2].cells[1].lines, ["T4", "V0"]);
/// # Ok::<(), tilework::Error>(())
/// ```
///
/// # Errors
/// Those of [`Options::bounded`] and of the layouts.
pub fn mma(
    title: &str,
    shape: [i64; 3],
    tile: [i64; 3],
    layouts: [&Layout; 3],
    options: &Options,
) -> Result<Scene, Error> {
    let [m, n, k] = shape;
    let [a, b, c] = layouts;
    let a = Matrix::new("A", " (m,k): ", a, [m, k], [tile[0], tile[2]], options)?;
    let b = Matrix::new("B", " (n,k): ", b, [n, k], [tile[1], tile[2]], options)?;
    let c = Matrix::new("C", " (m,n): ", c, [m, n], [tile[0], tile[1]], options)?;
    let [m, n, k] = shown(shape, |[m, n, k]| m * k + n * k + m * n, options);
    let mut panels = Vec::new();
    if k > WIDEST {
        for (matrix, rows, columns) in [(&a, m, k), (&b, n, k), (&c, m, n)] {
            for start in (0..columns).step_by(WIDEST as usize) {
                let band = start..columns.min(start + WIDEST);
                panels.push(matrix.panel(false, 0..rows, band, (panels.len(), 0)));
            }
        }
    } else {
        panels.push(a.panel(false, 0..m, 0..k, (1, 0)));
        for (at, band) in bands(n, |bands, width| (k + width, bands * (k + m))).enumerate() {
            panels.push(b.panel(true, band.clone(), 0..k, (2 * at, 1)));
            panels.push(c.panel(false, 0..m, band, (2 * at + 1, 1)));
        }
    }
    Ok(finished(title, panels, &[a, b, c]))
}

/// The source and the destination of a copy, whose layouts map thread and value to places of a tile of `extents` in
/// column-major order; the first extent runs down, or, if the tile is `transposed`, across.
///
/// ```
/// use tilework::layout;
/// use tilework_draw::{Options, copy};
/// let (source, destination) = (layout!((8,4):(4,1)), layout!((32,1):(1,0)));
/// let scene = copy("copy", [4, 8], true, [&source, &destination], &Options::default())?;
/// assert_eq!((scene.panels.len(), scene.panels[1].rows), (2, 8));
/// # Ok::<(), tilework::Error>(())
/// ```
///
/// # Errors
/// As for [`mma`].
pub fn copy(
    title: &str,
    extents: [i64; 2],
    transposed: bool,
    sides: [&Layout; 2],
    options: &Options,
) -> Result<Scene, Error> {
    let [source, destination] = sides;
    let source = Matrix::new("source", ": ", source, extents, extents, options)?;
    let destination = Matrix::new("destination", ": ", destination, extents, extents, options)?;
    let [rows, columns, _] =
        shown([extents[0], extents[1], 1], |[rows, columns, _]| 2 * rows * columns, options);
    let panel = |at: (usize, &Matrix)| at.1.panel(transposed, 0..rows, 0..columns, (0, at.0));
    let panels = [&source, &destination].into_iter().enumerate().map(panel).collect();
    Ok(finished(title, panels, &[source, destination]))
}

/// The extents that are drawn: the largest is halved until there are no more cells than allowed.
fn shown(mut extents: [i64; 3], cells: impl Fn([i64; 3]) -> i64, options: &Options) -> [i64; 3] {
    let limit = i64::try_from(options.max_cells.max(3)).unwrap_or(i64::MAX);
    while cells(extents) > limit {
        // Of equal ones the columns of C, because part of a row shows most of what the row does.
        let at = [1, 0, 2].into_iter().max_by_key(|&at| (extents[at], at == 1)).unwrap_or(1);
        extents[at] = (extents[at] / 2).max(1);
    }
    extents
}

/// The fewest bands of columns for which the picture, `size(bands, width)`, is not too wide.
fn bands(columns: i64, size: impl Fn(i64, i64) -> (i64, i64)) -> impl Iterator<Item = Range<i64>> {
    let width = |bands: i64| (columns + bands - 1) / bands;
    let fits = |bands: &i64| {
        let (across, down) = size(*bands, width(*bands));
        across as f64 <= ASPECT * down as f64
    };
    let halvings = (0..).map(|halvings| 1 << halvings).take_while(|&bands| bands < columns);
    let width = width(halvings.clone().find(fits).or(halvings.last()).unwrap_or(1));
    (0..columns).step_by(width as usize).map(move |start| start..(start + width).min(columns))
}

fn finished(title: &str, panels: Vec<Panel>, matrices: &[Matrix]) -> Scene {
    let mut scene = Scene { title: title.into(), panels, ..Scene::default() };
    let drawn: usize = scene.panels.iter().map(|panel| panel.cells.len()).sum();
    let all: usize = matrices.iter().map(|matrix| matrix.owners.len()).sum();
    if drawn < all {
        scene.cut = true;
        scene.remark(&format!("{drawn} of {all} cells"));
    }
    for matrix in matrices.iter().filter(|matrix| matrix.outside > 0) {
        scene.remark(&format!("{} values of {} lie outside", matrix.outside, matrix.name));
    }
    scene
}

/// A matrix with the threads that have its elements.
struct Matrix<'a> {
    name: &'a str,
    title: String,
    extents: [i64; 2],
    tile: [i64; 2],
    threads: i64,
    /// Whether each thread has all of it, as with a descriptor of shared memory.
    shared: bool,
    /// In column-major order.
    owners: Vec<Owners>,
    outside: usize,
    color_by: ColorBy,
}

impl<'a> Matrix<'a> {
    fn new(
        name: &'a str,
        coordinate: &str,
        layout: &Layout,
        extents: [i64; 2],
        tile: [i64; 2],
        options: &Options,
    ) -> Result<Matrix<'a>, Error> {
        let (threads, values) = (layout.mode(0)?, layout.mode(1)?);
        let shared = threads.size() > 1 && threads.filter_zeros().size() == 1;
        let walked = if shared { Layout::concatenate(&[Layout::UNIT, values])? } else { *layout };
        let size = Layout::column_major(&HTuple::tuple(&extents.map(HTuple::leaf))?)?.size();
        let mut owners = vec![Owners::default(); options.bounded(size)? as usize];
        let mut outside = 0;
        for index in 0..options.bounded(walked.size())? {
            let place = walked.try_at(index)?;
            match usize::try_from(place).ok().and_then(|place| owners.get_mut(place)) {
                Some(owners) => owners.add(index),
                None => outside += 1,
            }
        }
        let all = if shared { format!(", all {} threads", threads.size()) } else { String::new() };
        let title = format!("{name}{coordinate}{layout}{all}");
        let color_by = options.color_by.unwrap_or(ColorBy::Thread);
        let threads = walked.mode(0)?.size();
        Ok(Matrix { name, title, extents, tile, threads, shared, owners, outside, color_by })
    }

    /// Some rows and columns; if `transposed`, rows run across.
    fn panel(&self, transposed: bool, rows: Range<i64>, columns: Range<i64>, slot: (usize, usize)) -> Panel {
        let (down, across, tile) = match transposed {
            false => (rows, columns, self.tile),
            true => (columns, rows, [self.tile[1], self.tile[0]]),
        };
        let mut panel = Panel {
            // Further bands continue the first.
            title: if across.start == 0 {
                self.title.clone()
            } else {
                format!("{} from {}", self.name, across.start)
            },
            rows: (down.end - down.start) as usize,
            columns: (across.end - across.start) as usize,
            row_labels: vec![numbers(&down)],
            column_labels: vec![numbers(&across)],
            slot: Some(slot),
            ..Panel::default()
        };
        if down.end > tile[0] || across.end > tile[1] {
            panel.outlines.push(Outline::tiling(1, tile[0] as usize, tile[1] as usize, panel.area()));
        }
        for row in down {
            for column in across.clone() {
                let coordinate = if transposed { [column, row] } else { [row, column] };
                panel.cells.push(self.cell(coordinate));
            }
        }
        panel
    }

    fn cell(&self, [row, column]: [i64; 2]) -> Cell {
        let index = row + self.extents[0] * column;
        let mut cell = Cell {
            index,
            coordinate: format!("({row},{column})"),
            offset: index.to_string(),
            ..Cell::default()
        };
        let thread = self.owners[index as usize].write(&mut cell, self.threads);
        if self.shared && !cell.lines.is_empty() {
            cell.lines.remove(0);
            cell.note = cell.note.replace("thread 0", "every thread");
        }
        cell.ground = match self.color_by {
            ColorBy::Thread if self.shared => Ground::Blank,
            ColorBy::Thread => thread,
            ColorBy::Offset => Ground::Scale(index as f64 / (self.owners.len() - 1).max(1) as f64),
            by => by.ground([row, column], self.extents, self.tile),
        };
        cell
    }
}

/// The coordinates along a side.
fn numbers(range: &Range<i64>) -> Level {
    let label = |(start, at): (usize, i64)| Label { start, span: 1, text: at.to_string() };
    Level { labels: range.clone().enumerate().map(label).collect() }
}
