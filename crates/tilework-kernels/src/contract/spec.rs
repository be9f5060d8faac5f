//! Einstein notation: in `stupr,qtru->stqp`, letters name the modes of the operands and of the output.

use crate::error::{Error, count};
use tilework::Layout;

/// A specification of a contraction, as `numpy.einsum` reads it: letters for the modes of each operand and of the output.
///
/// ```
/// use tilework::layout;
/// use tilework_kernels::Einsum;
/// let einsum = Einsum::parse("mk,nk")?;
/// assert_eq!(einsum.output(), ['m', 'n']);
/// let extents = einsum.extents(&[layout!((2,3):(3,1)), layout!((4,3):(3,1))], None)?;
/// assert_eq!((extents.of('k'), einsum.compact_output(&extents)?), (3, layout!((2,4):(1,2))));
/// let refusal = Einsum::parse("mk,nk-").unwrap_err();
/// assert_eq!(refusal.to_string(), "'-' is followed by '>':\n  mk,nk-\n       ^");
/// # Ok::<(), tilework_kernels::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Einsum {
    pub(super) operands: Vec<Vec<char>>,
    pub(super) output: Vec<char>,
}

impl Einsum {
    /// Reads a specification, without an ellipsis. Without `->`, the output has the letters that appear once, in alphabetical
    /// order.
    ///
    /// # Errors
    /// [`Error::Specification`] for a text that is not a specification (`"ab-c"`), with the reason and the place; for a
    /// letter that the output has twice (`"a->aa"`), or that no operand has (`"a->b"`).
    pub fn parse(text: &str) -> Result<Einsum, Error> {
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
                    Some(_) if operands.iter().all(|operand| !operand.contains(&letter)) => {
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
        let mut counts = [0usize; 128];
        operands.iter().flatten().for_each(|&letter| counts[letter as usize] += 1);
        let letters = ('A'..='Z').chain('a'..='z');
        let output =
            output.unwrap_or_else(|| letters.filter(|&letter| counts[letter as usize] == 1).collect());
        Ok(Einsum { operands, output })
    }

    /// The letters of each operand, one for each mode.
    #[must_use]
    pub fn operands(&self) -> &[Vec<char>] {
        &self.operands
    }

    /// The letters of the output.
    #[must_use]
    pub fn output(&self) -> &[char] {
        &self.output
    }

    /// The extent of each letter, those of the operands first, in order; the layouts have a mode for each.
    ///
    /// # Errors
    /// [`Error::Specification`] for a wrong number of layouts or modes, and for a letter with two extents.
    pub fn extents(&self, operands: &[Layout], output: Option<&Layout>) -> Result<Extents, Error> {
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

    /// The compact layout of the output, its first letter fastest.
    ///
    /// # Errors
    /// [`Error::Memory`] for one of more than 2^63 elements.
    pub fn compact_output(&self, extents: &Extents) -> Result<Layout, Error> {
        compact(&self.output, &self.output, extents)
    }
}

/// The error at a position of a text.
fn refuse(text: &str, at: usize, reason: &str) -> Error {
    let column = text[..at].chars().count();
    Error::Specification { reason: format!("{reason}:\n  {text}\n  {:column$}^", "") }
}

/// The letters of an [`Einsum`] and their extents.
#[derive(Clone, Debug)]
pub struct Extents(
    /// Each with the operand in which its extent was first found.
    Vec<(char, i64, String)>,
);

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
            // A mode that is not nested is a leaf, which is not copied.
            let extent = match layout.depth() {
                0 | 1 => layout.leaves()[mode].extent,
                _ => layout.mode(mode)?.size(),
            };
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
    pub fn letters(&self) -> impl Iterator<Item = char> + '_ {
        self.0.iter().map(|entry| entry.0)
    }

    /// The extent of a letter; 1 for an unknown one.
    #[must_use]
    pub fn of(&self, letter: char) -> i64 {
        self.0.iter().find(|entry| entry.0 == letter).map_or(1, |entry| entry.1)
    }
}

/// The compact layout with one mode per letter, whose memory order is `order`, the first fastest.
pub(super) fn compact(letters: &[char], order: &[char], extents: &Extents) -> Result<Layout, Error> {
    let mut modes = vec![Layout::UNIT; letters.len()];
    let mut stride = 1i64;
    for &letter in order {
        let extent = extents.of(letter);
        let mode = Layout::of(extent, if extent == 1 { 0 } else { stride })?;
        letters.iter().zip(&mut modes).filter(|(own, _)| **own == letter).for_each(|(_, to)| *to = mode);
        stride = stride.checked_mul(extent).ok_or(Error::Memory { bytes: u128::MAX })?;
    }
    Ok(Layout::concatenate(&modes)?)
}
