//! Everything about one cell.

use crate::picture::{integer, offset, thread_value};
use crate::question::View;
use serde::Serialize;
use tilework::{HTuple, Shape};
use tilework_expr::Value;

/// The most coordinate sets that are listed.
const MOST: usize = 24;

/// A place in the domain of a value.
#[derive(Serialize)]
pub struct Cell {
    index: i64,
    /// The same place in each compatible coordinate set, from the linear index to the natural coordinate.
    coordinates: Vec<Coordinate>,
    /// Whether there are coordinate sets besides those.
    more: bool,
    offset: String,
    bank: Option<i64>,
    thread: Option<Thread>,
    /// One sentence, for those who hear the page.
    sentence: String,
}

#[derive(Serialize)]
struct Coordinate {
    shape: String,
    coordinate: String,
}

#[derive(Serialize)]
struct Thread {
    thread: i64,
    value: i64,
}

impl Cell {
    /// The cell of a linear index, where it has one.
    pub fn of(value: &Value, view: &View, index: i64) -> Option<Cell> {
        let domain = value.domain()?;
        if !(0..domain.size()).contains(&index) {
            return None;
        }
        let at = offset(value, index).ok()?;
        let shape = domain.shape();
        let (shapes, more) = coarser(&shape);
        let coordinate = |shape: &Shape| {
            let coordinate = shape.idx2crd(&HTuple::leaf(index)).ok()?.to_string();
            Some(Coordinate { shape: shape.to_string(), coordinate })
        };
        let coordinates: Vec<Coordinate> = shapes.iter().filter_map(coordinate).collect();
        let number = integer(&at);
        let text = number.map_or_else(|| at.to_string(), |number| number.to_string());
        let natural = coordinates.last().map_or("", |natural| &natural.coordinate);
        Some(Cell {
            index,
            sentence: format!("index {index}, coordinate {natural}, offset {text}"),
            coordinates,
            more,
            offset: text,
            bank: number.map(|offset| view.bank_of(offset)),
            thread: thread_value(domain, index).map(|(thread, value)| Thread { thread, value }),
        })
    }
}

/// The shapes that a shape refines along its own nesting, the coarsest first and the shape itself last; whether some
/// are left out.
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
        if rows.len() > MOST - 1 {
            more = true;
            rows.drain(MOST - 2..rows.len() - 1);
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
        assert!(more && shapes.len() <= MOST, "{}", shapes.len());
        assert_eq!(shapes.last().map(String::as_str), Some(deep));
    }
}
