//! Everything about one cell.

use crate::question::View;
use serde::Serialize;
use tilework::{HTuple, Shape};
use tilework_draw::Scene;
use tilework_expr::{Aspect, Banks};

/// The most shapes listed whose coordinates a cell has.
const MAX_SHAPES: usize = 24;

/// A cell of a picture.
#[derive(Serialize)]
pub struct Cell {
    /// Its coordinate in each compatible coordinate set, from the linear index to the natural coordinate.
    coordinates: Vec<Coordinate>,
    /// Whether there are coordinate sets besides those.
    more: bool,
    offset: String,
    /// The memory bank, if the offset is an address of elements of a known width.
    bank: Option<i64>,
    /// Further remarks, such as thread and value.
    note: String,
    /// One sentence, for screen readers.
    sentence: String,
}

#[derive(Serialize)]
struct Coordinate {
    shape: String,
    coordinate: String,
}

impl Cell {
    /// The cell with this number, in a memory.
    pub fn of(scene: &Scene, banks: Option<&Banks>, view: &View, number: usize) -> Option<Cell> {
        let (panel, cell) = scene.cell(number)?;
        let (shapes, more) = panel.domain.as_ref().map_or((Vec::new(), false), coarser);
        let coordinate = |shape: &Shape| {
            let coordinate = shape.idx2crd(&HTuple::leaf(cell.index)).ok()?.to_string();
            Some(Coordinate { shape: shape.to_string(), coordinate })
        };
        let bank = match view.aspect() {
            // These offsets are places of a tile.
            Aspect::Threads => None,
            _ => banks.and_then(|banks| Some(banks.bank(cell.offset.parse().ok()?))),
        };
        Some(Cell {
            coordinates: shapes.iter().filter_map(coordinate).collect(),
            more,
            offset: cell.offset.clone(),
            bank,
            note: if view.aspect() == Aspect::Banks { String::new() } else { cell.note.clone() },
            sentence: cell.description(),
        })
    }
}

/// The coarser shapes along a shape's own nesting, the coarsest first and the shape itself last; and whether some are
/// left out.
fn coarser(shape: &Shape) -> (Vec<Shape>, bool) {
    let mut found = Vec::new();
    if shape.is_leaf() {
        return (vec![*shape], false);
    }
    found.extend(shape.size().map(HTuple::leaf));
    let (mut rows, mut more) = (vec![Vec::new()], false);
    for index in 0..shape.rank() {
        let Ok(mode) = shape.mode(index) else { break };
        let (modes, cut) = coarser(&mode);
        more |= cut;
        let longer = |row: &Vec<Shape>| -> Vec<Vec<Shape>> {
            modes.iter().map(|mode| row.iter().copied().chain([*mode]).collect()).collect()
        };
        rows = rows.iter().flat_map(longer).collect();
        // The last one is the shape itself, so far.
        if rows.len() > MAX_SHAPES - 1 {
            more = true;
            rows.drain(MAX_SHAPES - 2..rows.len() - 1);
        }
    }
    found.extend(rows.iter().filter_map(|row| HTuple::tuple(row).ok()));
    (found, more)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes(text: &str) -> (Vec<String>, bool) {
        let (shapes, more) = coarser(&text.parse().expect("a shape"));
        (shapes.iter().map(Shape::to_string).collect(), more)
    }

    #[test]
    fn coarser_shapes_of_a_nested_one() {
        assert_eq!(shapes("8"), (vec!["8".to_string()], false));
        assert_eq!(
            shapes("((2,2),(4,2))").0,
            ["32", "(4,8)", "(4,(4,2))", "((2,2),8)", "((2,2),(4,2))"].map(String::from)
        );
        assert_eq!(shapes("(2,(3,(2,2)))").0.len(), 4);
    }

    #[test]
    fn many_are_cut_and_the_shape_itself_stays() {
        let deep = "((1,1),(1,1),(1,1),(1,1),(1,1),(1,(2,3)))";
        let (shapes, more) = shapes(deep);
        assert!(more && shapes.len() <= MAX_SHAPES, "{}", shapes.len());
        assert_eq!(shapes.last().map(String::as_str), Some(deep));
    }
}
