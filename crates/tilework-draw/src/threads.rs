//! Thread-value layouts: the thread that holds each value of a tile, and the offsets of each thread.
//!
//! Mode 0 of the layout is the thread, all others are the value: `((4,8),2):((16,1),8)` maps every value of 32 threads
//! to a place in a tile (section 3.3.4 of the paper).

use crate::color_by::ColorBy;
use crate::grid::{Options, draw};
use crate::scene::{Cell, Ground, Scene};
use std::collections::HashMap;
use tilework::{Error, HTuple, Layout, Offset, Shape};

/// The most values at one place that are named.
const MAX_NAMED: usize = 8;

/// Every place of a tile with its thread and value, coloured by thread: Figure 6 of the paper. A place with several
/// values shows the first ones and the number of the others.
///
/// The offsets of the layout are indices in `tile`; with coordinate strides, coordinates.
///
/// ```
/// use tilework::{HTuple, layout};
/// use tilework_draw::{Options, threads};
/// let layout = layout!(((4,8),2):((16,1),8));
/// let offset = |index| layout.evaluate(index);
/// let scene = threads("C", &layout, &offset, &"(8,8)".parse()?, &Options::default())?;
/// assert_eq!(scene.panels[0].cells[9].lines, ["T4", "V1"]);
/// # Ok::<(), tilework::Error>(())
/// ```
///
/// # Errors
/// Those of [`Options::bounded`] and of the function.
pub fn threads(
    title: &str,
    domain: &Layout,
    function: &dyn Fn(i64) -> Result<Offset, Error>,
    tile: &Shape,
    options: &Options,
) -> Result<Scene, Error> {
    let count = thread_count(domain)?;
    let places = options.bounded(domain.size())?;
    let size = tile.size()?;
    let table = Layout::column_major(tile)?;
    let mut scene = draw(title, &table, &|index| table.evaluate(&HTuple::leaf(index)), options)?;
    let drawn = scene.panels.iter().flat_map(|panel| &panel.cells).map(|cell| cell.index);
    let mut owners: HashMap<i64, Owners> = drawn.map(|place| (place, Owners::default())).collect();
    let mut outside = 0;
    for index in 0..places {
        match place(&function(index)?, tile) {
            Some(place) if (0..size).contains(&place) => {
                if let Some(owners) = owners.get_mut(&place) {
                    owners.add(index);
                }
            }
            _ => outside += 1,
        }
    }
    for cell in scene.panels.iter_mut().flat_map(|panel| &mut panel.cells) {
        let ground = owners[&cell.index].write(cell, count);
        if options.colors_by(ColorBy::Thread) {
            cell.ground = ground;
        }
    }
    if outside > 0 {
        scene.remark(&format!("{outside} of {} values lie outside the tile {tile}", domain.size()));
    }
    Ok(scene)
}

/// The values at one place.
#[derive(Clone, Default)]
pub(crate) struct Owners {
    /// The first few.
    named: Vec<i64>,
    count: usize,
}

impl Owners {
    pub fn add(&mut self, index: i64) {
        if self.named.len() < MAX_NAMED {
            self.named.push(index);
        }
        self.count += 1;
    }

    /// Writes the first of them into a cell, and returns the ground of its thread; there are `threads` threads.
    pub fn write(&self, cell: &mut Cell, threads: i64) -> Ground {
        cell.lines.clear();
        cell.note = String::from("no thread");
        let Some(first) = self.named.first() else { return Ground::Blank };
        cell.lines.extend([format!("T{}", first % threads), format!("V{}", first / threads)]);
        if self.count > 1 {
            cell.lines.push(format!("+{}", self.count - 1));
        }
        let names =
            self.named.iter().map(|owner| format!("thread {} value {}", owner % threads, owner / threads));
        cell.note = names.collect::<Vec<_>>().join(", ");
        if self.count > self.named.len() {
            cell.note += &format!(" and {} more", self.count - self.named.len());
        }
        Ground::Class((first % threads) as usize)
    }
}

/// The other view: a row for each thread, with the offset of each of its values.
///
/// ```
/// use tilework::{HTuple, layout};
/// use tilework_draw::{Ground, Options, thread_values};
/// let layout = layout!(((4,8),2):((16,1),8));
/// let offset = |index| layout.evaluate(index);
/// let scene = thread_values("C", &layout, &offset, &Options::default())?;
/// assert_eq!((scene.panels[0].rows, scene.panels[0].cells[3].ground), (32, Ground::Class(1)));
/// # Ok::<(), tilework::Error>(())
/// ```
///
/// # Errors
/// Those of the function.
pub fn thread_values(
    title: &str,
    domain: &Layout,
    function: &dyn Fn(i64) -> Result<Offset, Error>,
    options: &Options,
) -> Result<Scene, Error> {
    let count = thread_count(domain)?;
    // A layout of threads alone has one value per thread.
    let table = if domain.rank() < 2 { domain.pad_to_rank(2)? } else { *domain };
    let mut scene = draw(title, &table, function, options)?;
    for cell in scene.panels.iter_mut().flat_map(|panel| &mut panel.cells) {
        let (thread, value) = (cell.index % count, cell.index / count);
        cell.note = format!("thread {thread} value {value}");
        if options.colors_by(ColorBy::Thread) {
            cell.ground = Ground::Class(thread as usize);
        }
    }
    Ok(scene)
}

fn thread_count(domain: &Layout) -> Result<i64, Error> {
    if domain.rank() == 0 { Ok(1) } else { Ok(domain.mode(0)?.size()) }
}

/// The index in the tile; `None` for an offset outside it, or between places.
fn place(offset: &Offset, tile: &Shape) -> Option<i64> {
    let coordinate = |offset: &Offset| {
        let integers: Option<Vec<i64>> =
            offset.leaves().iter().map(|leaf| leaf.is_integer().then(|| leaf.numerator())).collect();
        HTuple::with_profile(offset.profile(), &integers?, 0).ok()
    };
    let mut coordinate = coordinate(offset)?;
    // Components that no stride addresses are 0.
    while !coordinate.is_leaf() && coordinate.rank() < tile.rank() {
        coordinate = coordinate.append(&HTuple::leaf(0)).ok()?;
    }
    if coordinate.is_leaf() {
        return Some(coordinate.leaves()[0]);
    }
    if !tile.is_in_bounds(&coordinate) {
        return None;
    }
    tile.crd2idx(&coordinate).ok()
}

/// The smallest tile that contains all offsets: one row for integers, the extents for coordinates.
///
/// ```
/// use tilework::{HTuple, layout};
/// use tilework_draw::{Options, smallest_tile};
/// let layout = layout!((4,2):(1@0,3@1));
/// let offset = |index| layout.evaluate(index);
/// assert_eq!(smallest_tile(&layout, &offset, &Options::default())?.to_string(), "(4,4)");
/// # Ok::<(), tilework::Error>(())
/// ```
///
/// # Errors
/// Those of [`Options::bounded`] and of the function.
pub fn smallest_tile(
    domain: &Layout,
    function: &dyn Fn(i64) -> Result<Offset, Error>,
    options: &Options,
) -> Result<Shape, Error> {
    let mut tile = HTuple::leaf(1);
    for index in 0..options.bounded(domain.size())? {
        let offset = function(index)?;
        let extents: Vec<i64> = offset
            .leaves()
            .iter()
            .map(|leaf| (leaf.numerator() / leaf.denominator()).saturating_add(1))
            .collect();
        let extents: Shape = HTuple::with_profile(offset.profile(), &extents, 1)?;
        tile = match tile.congruent(&extents) {
            true => {
                let larger: Vec<i64> =
                    tile.leaves().iter().zip(extents.leaves()).map(|(a, b)| *a.max(b)).collect();
                HTuple::with_profile(tile.profile(), &larger, 1)?
            }
            // Only the first, because all offsets of a layout have the same form.
            false => extents,
        };
    }
    let at_least_one: Vec<i64> = tile.leaves().iter().map(|&extent| extent.max(1)).collect();
    HTuple::with_profile(tile.profile(), &at_least_one, 1)
}
