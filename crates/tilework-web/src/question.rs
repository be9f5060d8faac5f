//! What can be asked.

use serde::Deserialize;
use tilework_draw::palette::Theme;
use tilework_expr::{Session, Trace};

/// A question of the page.
#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
pub enum Question {
    /// Value, facts, picture and operations of a text, or its error.
    Pane {
        #[serde(flatten)]
        source: Source,
        #[serde(default)]
        view: View,
    },
    /// What one operation of a text did, with pictures of its operands and its value.
    Operation {
        #[serde(flatten)]
        source: Source,
        #[serde(default)]
        view: View,
        /// Which one, from 0.
        number: usize,
    },
    /// Everything about one cell.
    Cell {
        #[serde(flatten)]
        source: Source,
        #[serde(default)]
        view: View,
        /// Its linear index.
        index: i64,
    },
    /// The picture as a file.
    Export {
        #[serde(flatten)]
        source: Source,
        #[serde(default)]
        view: View,
        format: Format,
    },
    /// The table of functions.
    Functions,
}

/// The text of a pane.
#[derive(Deserialize)]
pub struct Source {
    pub text: String,
    /// The texts whose names it may use.
    #[serde(default)]
    before: Vec<String>,
}

impl Source {
    /// The value of the text, with the operations on the way there.
    pub fn trace(&self) -> Trace {
        let mut session = Session::new();
        for text in &self.before {
            // Its own pane says what is wrong with it; what it named before the error may be used.
            let _ = session.evaluate(text);
        }
        session.trace(&self.text)
    }
}

/// A file.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    Svg,
    Tex,
    Html,
}

/// What the reader has chosen.
#[derive(Deserialize)]
#[serde(default)]
pub struct View {
    pub reading: Reading,
    /// Whether a line goes through the offsets in their order.
    pub path: bool,
    pub dark: bool,
    /// The most cells to draw.
    pub cells: usize,
    /// How many banks the memory has.
    pub banks: i64,
    /// The bytes of a bank.
    pub bank: i64,
    /// The bits of an element.
    pub element: i64,
}

impl Default for View {
    fn default() -> View {
        View {
            reading: Reading::Offsets,
            path: false,
            dark: false,
            cells: tilework_draw::Options::default().max_cells,
            banks: 32,
            bank: 4,
            element: 16,
        }
    }
}

impl View {
    pub fn theme(&self) -> Theme {
        if self.dark { Theme::Dark } else { Theme::Light }
    }

    /// The bank that an element at this offset begins in.
    pub fn bank_of(&self, offset: i64) -> i64 {
        let (banks, bytes, bits) = (self.banks.max(1), self.bank.max(1), self.element.max(1));
        let address = i128::from(offset) * i128::from(bits);
        (address.div_euclid(8 * i128::from(bytes))).rem_euclid(i128::from(banks)) as i64
    }
}

/// What the cells are read as, and coloured by.
#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reading {
    /// Offsets alone.
    Offsets,
    /// The memory banks that the offsets lie in.
    Banks,
    /// Mode 0 as threads and mode 1 as their values.
    Threads,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banks_are_counted_in_bits_and_below_zero_too() {
        let view = View::default();
        assert_eq!([0, 1, 2, 63, 64, -1].map(|offset| view.bank_of(offset)), [0, 0, 1, 31, 0, 31]);
        let nibbles = View { element: 4, ..View::default() };
        assert_eq!([7, 8, i64::MAX].map(|offset| nibbles.bank_of(offset)), [0, 1, 31]);
        assert_eq!(View { banks: 0, bank: 0, element: 0, ..View::default() }.bank_of(9), 0);
    }
}
