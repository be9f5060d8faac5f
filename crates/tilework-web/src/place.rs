//! What is at a cell of the last picture of a pane.

use serde::Serialize;
use std::cell::RefCell;
use tilework_draw::Scene;

/// A cell, in words.
#[derive(Serialize)]
pub struct Place {
    /// The title of the cell's panel.
    panel: String,
    /// The coordinate; empty where there is none.
    element: String,
    text: String,
    /// For screen readers.
    sentence: String,
    /// The cells of the same place, by their numbers.
    cells: Vec<usize>,
}

impl Place {
    fn of(scene: &Scene, number: usize) -> Option<Place> {
        let (panel, cell) = scene.cell(number)?;
        let (element, text) = (cell.coordinate.clone(), cell.note.clone());
        let sentence = if element.is_empty() { text.clone() } else { format!("element {element}: {text}") };
        let all = scene.panels.iter().flat_map(|panel| &panel.cells).enumerate();
        let same =
            all.filter(|(at, other)| *at == number || !cell.offset.is_empty() && other.offset == cell.offset);
        let cells = same.map(|(at, _)| at).collect();
        Some(Place { panel: panel.title.clone(), element, text, sentence, cells })
    }
}

/// The last question with a picture, and the picture: a pointer asks about many of its cells.
pub struct Last<Q>(RefCell<Option<(Q, Scene)>>);

impl<Q: PartialEq + Clone> Last<Q> {
    pub const fn new() -> Last<Q> {
        Last(RefCell::new(None))
    }

    pub fn keep(&self, question: &Q, scene: Scene) {
        *self.0.borrow_mut() = Some((question.clone(), scene));
    }

    /// A cell of the picture of a question, which is drawn again if another was asked since.
    pub fn place(&self, question: &Q, number: usize, draw: impl FnOnce() -> Option<Scene>) -> Option<Place> {
        if self.0.borrow().as_ref().is_none_or(|(last, _)| last != question) {
            self.keep(question, draw()?);
        }
        Place::of(&self.0.borrow().as_ref()?.1, number)
    }
}
