//! What there is to say of a format and of its elements, and sizes at which it is seen whole.

use crate::error::Error;
use crate::format::Format;
use crate::packed::Packed;
use crate::rule::Kind;
use std::fmt;

/// Titles, each with its lines.
pub type Facts = Vec<(&'static str, Vec<String>)>;

/// Those that have lines.
fn facts(all: Vec<(&'static str, Vec<String>)>) -> Facts {
    all.into_iter().filter(|(_, lines)| lines.iter().any(|line| !line.is_empty())).collect()
}

/// What has to be said, unless it is `any`.
fn unless_any(text: &str) -> Vec<String> {
    if text == "any" { Vec::new() } else { vec![text.to_owned()] }
}

impl Format {
    /// All that is known of it for all sizes.
    ///
    /// ```
    /// use tilework_formats::Format;
    /// let facts = Format::named("marlin_4")?.facts()?;
    /// let rules = facts.iter().find(|(title, _)| *title == "rules").unwrap();
    /// assert_eq!(rules.1, ["K by 16, N by 64"]);
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Format::proof`].
    pub fn facts(&self) -> Result<Facts, Error> {
        let proof = self.proof()?;
        let joined = |texts: Vec<String>| vec![texts.join(", ")];
        let (layouts, bits) = (self.layouts().join(", otherwise "), self.element_bits());
        Ok(facts(vec![
            ("aliases", joined(self.aliases().map(str::to_owned).collect())),
            ("sizes", vec![self.axes_text()]),
            ("rules", joined(self.rules().iter().map(ToString::to_string).collect())),
            ("layout", vec![format!("{layouts}, in elements of {bits} bits")]),
            ("proof", vec![format!("injective {}; compact {}", proof.injective, proof.compact)]),
            ("pieces", joined(self.pieces().map(|piece| piece.name().to_owned()).collect())),
            ("encoding", unless_any(self.encoding())),
            ("fill", unless_any(self.fill())),
            ("container", self.container().map(str::to_owned).into_iter().collect()),
            ("sources", self.sources().to_vec()),
            ("pitfalls", self.pitfalls().map(str::to_owned).collect()),
        ]))
    }

    /// Small sizes that it admits, with some padding where it pads.
    ///
    /// ```
    /// use tilework_formats::Format;
    /// assert_eq!(Format::named("marlin_4")?.small()?, [("K", 16), ("N", 64)]);
    /// assert_eq!(Format::named("scale_128x4")?.small()?, [("M", 40), ("S", 7)]);
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Record`] for a rule whose bound is no integer.
    pub fn small(&self) -> Result<Vec<(&str, i64)>, Error> {
        let mut sizes = Vec::new();
        for free in [8, 4, 2, 1] {
            sizes = self.small_from(free)?;
            if self.at(&sizes).is_ok_and(|packed| packed.storage() <= FEW) {
                break;
            }
        }
        Ok(sizes)
    }

    /// The same, where a size without a rule is `free`.
    fn small_from(&self, free: i64) -> Result<Vec<(&str, i64)>, Error> {
        let mut sizes: Vec<(&str, i64)> = self.names().map(|name| (name, free)).collect();
        // A bound may have the name of a size whose own rule comes later.
        for rule in self.rules().iter().chain(self.rules()) {
            let bounds = rule.values(&sizes).unwrap_or_default();
            let (Some((_, size)), Some(&bound)) =
                (sizes.iter_mut().find(|(name, _)| *name == rule.axis), bounds.first())
            else {
                continue;
            };
            *size = match rule.kind {
                Kind::To if bound <= free => (2 * bound - 1).max(1),
                Kind::To => (bound / 16 * 5).max(free),
                Kind::By => (*size + bound.max(1) - 1) / bound.max(1) * bound.max(1),
                Kind::In if bounds.contains(size) => *size,
                Kind::In => bound,
                Kind::Divides => (1..=*size).rev().find(|size| bound % size == 0).unwrap_or(1),
                Kind::From => bound.max(*size),
                Kind::AtMost => bound.min(*size),
            };
        }
        Ok(sizes)
    }
}

/// How many elements a picture has room for.
const FEW: i64 = 2048;

/// Where an element is.
///
/// ```
/// use tilework_formats::Format;
/// let weight = Format::named("awq_gemm")?.at(&[("K", 1), ("N", 8)])?;
/// let stored = weight.stored(&[0, 3])?.unwrap();
/// assert_eq!((stored.byte(), stored.nibble(), stored.bit()), (2, 5, 20));
/// assert_eq!(stored.to_string(), "offset 5, byte 2, nibble 5, bit 20: bit 4 of its byte, the lowest is 0");
/// let scales = Format::named("scale_8x4")?.at(&[("M", 1), ("S", 2)])?;
/// assert_eq!(scales.stored(&[0, 1])?.unwrap().to_string(), "offset 1, byte 1, bit 8: bit 0 of its byte, the lowest is 0");
/// # Ok::<(), tilework_formats::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stored {
    /// In elements.
    pub offset: i64,
    element_bits: u32,
}

impl Stored {
    /// Its lowest bit.
    #[must_use]
    pub fn bit(self) -> i128 {
        i128::from(self.offset) * i128::from(self.element_bits)
    }

    /// The byte of that bit.
    #[must_use]
    pub fn byte(self) -> i128 {
        self.bit() / 8
    }

    /// The half of a byte of that bit.
    #[must_use]
    pub fn nibble(self) -> i128 {
        self.bit() / 4
    }
}

impl fmt::Display for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (offset, bit, byte, nibble) = (self.offset, self.bit(), self.byte(), self.nibble());
        let (low, is_nibble) = (bit % 8, self.element_bits == 4);
        let nibble = if is_nibble { format!(", nibble {nibble}") } else { String::new() };
        write!(f, "offset {offset}, byte {byte}{nibble}, bit {bit}: bit {low} of its byte, the lowest is 0")
    }
}

impl Packed {
    /// The layouts at its sizes, the size of the storage, and the padded axes.
    ///
    /// ```
    /// use tilework_formats::Format;
    /// let facts = Format::named("scale_128x4")?.at(&[("M", 300), ("S", 17)])?.facts()?;
    /// assert_eq!(facts[1], ("storage", vec!["7680 elements, 7680 bytes: uint8 [384, 20]".to_owned()]));
    /// assert_eq!(facts[2].1, ["M to 384, a multiple of 128", "S to 20, a multiple of 4"]);
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Packed::container`] and [`Packed::padding`].
    pub fn facts(&self) -> Result<Facts, Error> {
        let (storage, bytes, (dtype, shape)) = (self.storage(), self.bytes(), self.container()?);
        let padded = self.padding()?.into_iter();
        let padded = padded.map(|(axis, to, padded)| format!("{axis} to {padded}, a multiple of {to}"));
        Ok(facts(vec![
            ("layout", vec![format!("{self}")]),
            ("storage", vec![format!("{storage} elements, {bytes} bytes: {dtype} {shape:?}")]),
            ("padding", padded.collect()),
        ]))
    }

    /// The place of an element that is at an offset.
    #[must_use]
    pub fn place(&self, offset: i64) -> Stored {
        Stored { offset, element_bits: self.format().element_bits() }
    }

    /// Where an element is; none for an element that is not stored.
    ///
    /// # Errors
    /// Those of [`Packed::offset`].
    pub fn stored(&self, coordinate: &[i64]) -> Result<Option<Stored>, Error> {
        Ok(self.offset(coordinate)?.map(|offset| self.place(offset)))
    }

    /// The elements that a byte has bits of, from the lowest bits upwards; none for padding.
    ///
    /// ```
    /// use tilework_formats::Format;
    /// let weight = Format::named("awq_gemm")?.at(&[("K", 1), ("N", 8)])?;
    /// assert_eq!(weight.contents(1)?, [Some(vec![0, 4]), Some(vec![0, 6])]);
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Outside`] for a byte outside the storage; those of [`Packed::coordinate`].
    pub fn contents(&self, byte: i64) -> Result<Vec<Option<Vec<i64>>>, Error> {
        if !(0..self.bytes()).contains(&byte) {
            let last = self.bytes() - 1;
            return Err(Error::Outside(format!("there are the bytes 0 to {last}; {byte} given")));
        }
        let (first, bits) = (i128::from(byte) * 8, i128::from(self.format().element_bits()));
        let offsets = first / bits..=((first + 7) / bits).min(i128::from(self.storage()) - 1);
        offsets.map(|offset| self.coordinate(offset as i64)).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::table::formats;

    #[test]
    fn every_format_is_seen_at_small_sizes() {
        for format in formats() {
            let sizes = format.small().unwrap();
            let packed =
                format.at(&sizes).unwrap_or_else(|error| panic!("{} {sizes:?}: {error}", format.name()));
            let storage = packed.storage();
            assert!((1..=super::FEW * 4).contains(&storage), "{} {sizes:?}: {storage}", format.name());
        }
    }
}
