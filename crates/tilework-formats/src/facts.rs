//! What there is to say of a format and of its elements, and sizes at which it is seen whole.

use crate::error::Error;
use crate::format::Format;
use crate::packed::{Packed, coordinate_text};
use crate::rule::Kind;
use std::fmt;
use std::ops::RangeInclusive;

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

    /// What a byte has bits of, from the lowest upwards: elements of this format, of other pieces of its block, or padding.
    ///
    /// ```
    /// use tilework_formats::Format;
    /// let weight = Format::named("awq_gemm")?.at(&[("K", 1), ("N", 8)])?;
    /// assert_eq!(weight.contents(1)?.iter().map(ToString::to_string).collect::<Vec<_>>(), ["(0,4)", "(0,6)"]);
    /// let block = Format::named("ggml_q4_0")?.at(&[("N", 1), ("K", 64)])?;
    /// assert_eq!(block.contents(0)?[0].to_string(), "(0,0) of ggml_q4_0.scales: the f16 scale of each block of q4_0");
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Outside`] for a byte outside the storage; [`Error::TooLarge`] for more than
    /// [`MAX_ELEMENTS`](crate::MAX_ELEMENTS) elements of a layout without an inverse.
    pub fn contents(&self, byte: i64) -> Result<Vec<Content>, Error> {
        if !(0..self.bytes()).contains(&byte) {
            let last = self.bytes() - 1;
            return Err(Error::Outside(format!("there are the bytes 0 to {last}; {byte} given")));
        }
        let own: Vec<(&str, i64)> = self.sizes().collect();
        let others = self.format().pieces().filter(|piece| piece.name() != self.format().name());
        let others = others.map(|piece| piece.at(&piece.own_sizes(&own))).collect::<Result<Vec<_>, _>>()?;
        let (first, bits) = (i128::from(byte) * 8, i128::from(self.format().element_bits()));
        let mut contents = Vec::new();
        for offset in self.offsets_of(first..=first + 7) {
            let place =
                first.max(i128::from(offset) * bits)..=(first + 7).min(i128::from(offset + 1) * bits - 1);
            let mut here: Vec<Content> = Content::of(self, None, &place)?.into_iter().collect();
            for piece in &others {
                here.extend(Content::of(piece, Some(piece.format()), &place)?);
            }
            let padding = here.is_empty().then(Content::default);
            contents.extend(here.into_iter().chain(padding));
        }
        // What is wider than a place of this format is in several.
        contents.dedup();
        Ok(contents)
    }

    /// The offsets of what has one of these bits.
    fn offsets_of(&self, bits: RangeInclusive<i128>) -> RangeInclusive<i64> {
        let (width, last) = (i128::from(self.format().element_bits()), i128::from(self.storage()) - 1);
        (bits.start() / width) as i64..=(bits.end() / width).min(last) as i64
    }
}

/// What bits of a storage are.
#[derive(Clone, PartialEq, Default, Debug)]
#[non_exhaustive]
pub struct Content {
    /// The first elements that have them, at most eight; none for padding.
    pub elements: Vec<Vec<i64>>,
    /// How many elements have them: several share what is stored once for all.
    pub count: usize,
    /// The name of the piece of the block, if it is another one.
    pub piece: Option<String>,
    /// What that piece is for.
    purpose: String,
}

/// The most elements that are listed.
const LISTED: usize = 8;

impl Content {
    /// What some bits are in a format; none if they are not of its elements.
    fn of(
        packed: &Packed,
        piece: Option<&Format>,
        bits: &RangeInclusive<i128>,
    ) -> Result<Option<Content>, Error> {
        let mut elements = packed.elements_at(packed.offsets_of(bits.clone()))?;
        let count = elements.len();
        elements.truncate(LISTED);
        let purpose = piece.map_or_else(String::new, |piece| piece.purpose().to_owned());
        let piece = piece.map(|piece| piece.name().to_owned());
        Ok((count > 0).then_some(Content { elements, count, piece, purpose }))
    }
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Content { elements, count, piece, purpose } = self;
        let all: Vec<String> = elements.iter().map(|element| coordinate_text(element)).collect();
        f.write_str(if all.is_empty() { "padding" } else { "" })?;
        f.write_str(&all.join(", "))?;
        if *count > all.len() {
            write!(f, ", .. ({count} elements)")?;
        }
        piece.iter().try_for_each(|piece| write!(f, " of {piece}: {purpose}"))
    }
}

#[cfg(test)]
mod tests {
    use crate::packed::{Packed, coordinate_of};
    use crate::table::formats;
    use std::collections::{BTreeMap, BTreeSet};

    type Owner = (Option<String>, Vec<i64>);

    /// Of every bit, the elements that have it, by enumeration.
    fn owners(packed: &Packed, piece: Option<String>, bits: &mut BTreeMap<i64, Vec<Owner>>) {
        let width = i64::from(packed.format().element_bits());
        for (offset, index) in
            packed.offsets().unwrap().into_iter().zip(0..).filter(|(offset, _)| *offset >= 0)
        {
            for bit in offset * width..(offset + 1) * width {
                bits.entry(bit).or_default().push((piece.clone(), coordinate_of(index, packed.shape())));
            }
        }
    }

    /// Each byte has all elements that have one of its bits, and padding where a place has none.
    #[test]
    fn a_byte_contains_what_has_its_bits() {
        let (mut shared, mut of_pieces, mut padded) = (0, 0, 0);
        for format in formats() {
            let sizes = format.small().unwrap();
            let packed = format.at(&sizes).unwrap();
            let mut bits = BTreeMap::new();
            owners(&packed, None, &mut bits);
            for piece in format.pieces().filter(|piece| piece.name() != format.name()) {
                let own = piece.at(&piece.own_sizes(&sizes)).unwrap();
                owners(&own, Some(piece.name().to_owned()), &mut bits);
            }
            // Enumeration takes time without optimisation.
            let step = packed.bytes() / 16 + 1;
            for byte in (0..packed.bytes()).step_by(step as usize) {
                let contents = packed.contents(byte).unwrap();
                let of_bit = |bit: i64| bits.get(&bit).map_or(&[][..], |owners| &owners[..]);
                let wanted: BTreeSet<&Owner> = (8 * byte..8 * byte + 8).flat_map(of_bit).collect();
                let owned = |content: &super::Content| -> Vec<Owner> {
                    content.elements.iter().map(|element| (content.piece.clone(), element.clone())).collect()
                };
                let found: Vec<Owner> = contents.iter().flat_map(owned).collect();
                assert!(found.iter().all(|owner| wanted.contains(owner)), "{packed:?} {byte}: {contents:?}");
                for content in &contents {
                    assert_eq!(content.elements.len(), content.count.min(super::LISTED), "{packed:?} {byte}");
                    shared += usize::from(content.piece.is_none() && content.count > 1);
                    of_pieces += usize::from(content.piece.is_some());
                }
                if contents.iter().all(|content| content.count <= super::LISTED) {
                    assert_eq!(found.iter().collect::<BTreeSet<_>>(), wanted, "{packed:?} {byte}");
                }
                let width = i64::from(format.element_bits());
                let end = (8 * byte + 8).min(packed.storage() * width);
                let is_empty = |place: i64| {
                    (8 * byte.max(place * width / 8)..end.min((place + 1) * width))
                        .filter(|bit| bit / width == place)
                        .all(|bit| of_bit(bit).is_empty())
                };
                let has_padding = (8 * byte / width..=(end - 1) / width).any(is_empty);
                padded += usize::from(has_padding);
                assert_eq!(
                    contents.iter().any(|content| content.count == 0),
                    has_padding,
                    "{packed:?} {byte}"
                );
            }
        }
        assert!(shared > 1 && of_pieces > 50 && padded > 50, "{shared} {of_pieces} {padded}");
    }

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
