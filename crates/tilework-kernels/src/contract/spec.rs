//! Einstein notation: `stupr,qtru->stqp` says which letters name the modes of the operands and of the output.

use crate::error::{Error, count};
use tilework::Layout;

/// A specification: letters for the modes of each operand and of the output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Spec {
    pub operands: Vec<Vec<char>>,
    pub output: Vec<char>,
}

impl Spec {
    /// Reads a specification, the grammar of `numpy.einsum` without its ellipsis. Without `->`, the output has the letters
    /// that appear once, in alphabetical order.
    pub(crate) fn parse(text: &str) -> Result<Spec, Error> {
        let mut operands = vec![Vec::new()];
        let mut output: Option<Vec<char>> = None;
        let mut characters = text.char_indices().filter(|(_, c)| !c.is_whitespace()).peekable();
        while let Some((at, found)) = characters.next() {
            match found {
                ',' if output.is_some() => {
                    return Err(refuse(text, at, "a comma separates operands, and there is one output"));
                }
                ',' => operands.push(Vec::new()),
                '-' if output.is_none() && characters.next_if(|&(_, c)| c == '>').is_some() => {
                    output = Some(Vec::new());
                }
                '-' if output.is_some() => return Err(refuse(text, at, "there is one '->'")),
                '-' => return Err(refuse(text, at, "'-' is followed by '>'")),
                letter if letter.is_ascii_alphabetic() => match &mut output {
                    None => operands.last_mut().expect("there is one").push(letter),
                    Some(output) if output.contains(&letter) => {
                        let reason = format!("the output has the letter '{letter}' already");
                        return Err(refuse(text, at, &reason));
                    }
                    Some(output) if operands.iter().all(|operand| !operand.contains(&letter)) => {
                        let reason =
                            format!("no operand has the letter '{letter}', which the output asks for");
                        return Err(refuse(text, at, &reason));
                    }
                    Some(output) => output.push(letter),
                },
                other => {
                    let reason =
                        format!("'{other}' is no letter from a to z or A to Z, no comma and no '->'");
                    return Err(refuse(text, at, &reason));
                }
            }
        }
        let output = output.unwrap_or_else(|| {
            let all: Vec<char> = operands.concat();
            let mut once: Vec<char> =
                all.iter().copied().filter(|c| all.iter().filter(|&d| c == d).count() == 1).collect();
            once.sort_unstable();
            once
        });
        Ok(Spec { operands, output })
    }

    /// The extent of each letter, first those of the operands in order; the layouts have a mode for each.
    pub(crate) fn extents(&self, operands: &[Layout], output: Option<&Layout>) -> Result<Extents, Error> {
        if operands.len() != self.operands.len() {
            let (expected, found) = (count(self.operands.len(), "operand"), operands.len());
            let reason = format!("the specification has {expected}, and was given {found}");
            return Err(Error::Specification { reason });
        }
        let mut extents = Extents(Vec::new());
        let named = |i: usize| format!("operand {}", i + 1);
        for (i, (letters, layout)) in self.operands.iter().zip(operands).enumerate() {
            extents.take(&named(i), letters, layout)?;
        }
        if let Some(output) = output {
            extents.take("the output", &self.output, output)?;
        }
        Ok(extents)
    }
}

/// What is wrong at a place of a text.
fn refuse(text: &str, at: usize, reason: &str) -> Error {
    let column = text[..at].chars().count();
    Error::Specification { reason: format!("{reason}:\n  {text}\n  {:column$}^", "") }
}

/// Letters and how far each runs, with where that was found first.
#[derive(Clone, Debug)]
pub(crate) struct Extents(Vec<(char, i64, String)>);

impl Extents {
    fn take(&mut self, operand: &str, letters: &[char], layout: &Layout) -> Result<(), Error> {
        let refuse = |reason| Err(Error::Specification { reason });
        // A scalar may have any layout of one element.
        if letters.is_empty() && layout.size() == 1 {
            return Ok(());
        }
        if layout.rank() != letters.len() {
            let (modes, names) = (count(layout.rank(), "mode"), count(letters.len(), "letter"));
            let letters = String::from_iter(letters);
            return refuse(format!(
                "{operand} has {modes} and {names}, \"{letters}\"; each letter names one mode"
            ));
        }
        for (mode, &letter) in letters.iter().enumerate() {
            let extent = layout.mode(mode)?.size();
            match self.0.iter().find(|(known, ..)| *known == letter) {
                None => self.0.push((letter, extent, operand.to_string())),
                Some((_, first, _)) if *first == extent => {}
                Some((_, first, place)) => {
                    return refuse(format!(
                        "letter '{letter}' has {first} values in {place} and {extent} in {operand}; they have to agree"
                    ));
                }
            }
        }
        Ok(())
    }

    /// The letters, in the order of their first appearance.
    pub(crate) fn letters(&self) -> impl Iterator<Item = char> + '_ {
        self.0.iter().map(|entry| entry.0)
    }

    /// The extent of a letter.
    pub(crate) fn of(&self, letter: char) -> i64 {
        self.0.iter().find(|entry| entry.0 == letter).map_or(1, |entry| entry.1)
    }
}
