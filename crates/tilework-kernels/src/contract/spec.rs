//! Einstein notation: in `stupr,qtru->stqp`, labels name the modes of the operands and of the output.

use crate::error::{Error, checked_product, count};
use tilework::Layout;

/// A specification of a contraction, as `numpy.einsum` reads it: labels for the modes of each operand and of the output.
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
    /// Reads a specification, without an ellipsis. Without `->`, the output has the labels that appear once, in alphabetical
    /// order.
    ///
    /// # Errors
    /// [`Error::Specification`] for a text that is not a specification (`"ab-c"`), with the reason and the place; for a
    /// label that the output has twice (`"a->aa"`), or that no operand has (`"a->b"`).
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
                label if label.is_ascii_alphabetic() => match &mut output {
                    None => operands.last_mut().expect("there is one").push(label),
                    Some(output) if output.contains(&label) => {
                        let reason = format!("the output has the label '{label}' already");
                        return Err(refuse(text, at, &reason));
                    }
                    Some(_) if operands.iter().all(|operand| !operand.contains(&label)) => {
                        let reason = format!("no operand has the label '{label}', which the output asks for");
                        return Err(refuse(text, at, &reason));
                    }
                    Some(output) => output.push(label),
                },
                '.' => {
                    return Err(refuse(text, at, "an ellipsis is not read; give each of its modes a label"));
                }
                other => {
                    let reason = format!("'{other}' is no label from a to z or A to Z, no comma and no '->'");
                    return Err(refuse(text, at, &reason));
                }
            }
        }
        let mut counts = [0usize; 128];
        operands.iter().flatten().for_each(|&label| counts[label as usize] += 1);
        let labels = ('A'..='Z').chain('a'..='z');
        let output = output.unwrap_or_else(|| labels.filter(|&label| counts[label as usize] == 1).collect());
        Ok(Einsum { operands, output })
    }

    /// The labels of each operand, one for each mode.
    #[must_use]
    pub fn operands(&self) -> &[Vec<char>] {
        &self.operands
    }

    /// The labels of the output.
    #[must_use]
    pub fn output(&self) -> &[char] {
        &self.output
    }

    /// The extent of each label, those of the operands first, in order; the layouts have a mode for each.
    ///
    /// # Errors
    /// [`Error::Specification`] for a wrong number of layouts or modes, and for a label with two extents.
    pub fn extents(&self, operands: &[Layout], output: Option<&Layout>) -> Result<Extents, Error> {
        if operands.len() != self.operands.len() {
            let (expected, found) = (count(self.operands.len(), "operand"), operands.len());
            let reason = format!("the specification has {expected}, and was given {found}");
            return Err(Error::Specification { reason });
        }
        let mut extents = Extents(Vec::new());
        let named = |i: usize| format!("operand {}", i + 1);
        for (i, (labels, layout)) in self.operands.iter().zip(operands).enumerate() {
            extents.take(&named(i), labels, layout)?;
        }
        if let Some(output) = output {
            extents.take("the output", &self.output, output)?;
        }
        Ok(extents)
    }

    /// The compact layout of the output, its first label fastest.
    ///
    /// # Errors
    /// [`Error::Layout`] for one of 2^63 or more elements.
    pub fn compact_output(&self, extents: &Extents) -> Result<Layout, Error> {
        compact(&self.output, &self.output, extents)
    }
}

/// The error at a position of a text.
fn refuse(text: &str, at: usize, reason: &str) -> Error {
    let column = text[..at].chars().count();
    Error::Specification { reason: format!("{reason}:\n  {text}\n  {:column$}^", "") }
}

/// The labels of an [`Einsum`] and their extents.
#[derive(Clone, Debug)]
pub struct Extents(
    /// Each with the operand in which its extent was first found.
    Vec<(char, i64, String)>,
);

impl Extents {
    fn take(&mut self, operand: &str, labels: &[char], layout: &Layout) -> Result<(), Error> {
        let refuse = |reason| Err(Error::Specification { reason });
        // A scalar may have any layout of one element.
        if labels.is_empty() && layout.size() == 1 {
            return Ok(());
        }
        if layout.rank() != labels.len() {
            let (modes, names) = (count(layout.rank(), "mode"), count(labels.len(), "label"));
            let labels = String::from_iter(labels);
            return refuse(format!(
                "{operand} has {modes} and {names}, \"{labels}\"; each label names one mode"
            ));
        }
        for (mode, &label) in labels.iter().enumerate() {
            // A mode that is not nested is a leaf, which is not copied.
            let extent = match layout.depth() {
                0 | 1 => layout.leaves()[mode].extent,
                _ => layout.mode(mode)?.size(),
            };
            match self.0.iter().find(|(known, ..)| *known == label) {
                None => self.0.push((label, extent, operand.to_string())),
                Some((_, first, _)) if *first == extent => {}
                Some((_, first, place)) => {
                    return refuse(format!(
                        "label '{label}' has {first} values in {place} and {extent} in {operand}; they have to agree"
                    ));
                }
            }
        }
        Ok(())
    }

    /// The labels, in the order of their first appearance.
    pub fn labels(&self) -> impl Iterator<Item = char> + '_ {
        self.0.iter().map(|entry| entry.0)
    }

    /// The extent of a label; 1 for an unknown one.
    #[must_use]
    pub fn of(&self, label: char) -> i64 {
        self.0.iter().find(|entry| entry.0 == label).map_or(1, |entry| entry.1)
    }
}

/// The compact layout with one mode per label, whose memory order is `order`, the first fastest.
pub(super) fn compact(labels: &[char], order: &[char], extents: &Extents) -> Result<Layout, Error> {
    let mut modes = vec![Layout::UNIT; labels.len()];
    let mut stride = 1i64;
    for &label in order {
        let extent = extents.of(label);
        let mode = Layout::of(extent, if extent == 1 { 0 } else { stride })?;
        labels.iter().zip(&mut modes).filter(|(own, _)| **own == label).for_each(|(_, to)| *to = mode);
        stride = checked_product([stride, extent])?;
    }
    Ok(Layout::concatenate(&modes)?)
}
