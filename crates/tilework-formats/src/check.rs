//! Whether bytes are an array of a format.

use crate::error::Error;
use crate::format::Format;
use crate::packed::{Packed, coordinate_text, coordinates};
use crate::repack::{Conversion, Fill, Repack};
use crate::table::formats;

/// The most bytes that are tried as those of other formats.
const MAX_TRIED: usize = 1 << 22;

impl Packed {
    /// Checks the bytes of an array: their number, and that all padding has a fill, of a block what none of its pieces has; without a
    /// fill that of the format, where it has one and no other pieces.
    ///
    /// ```
    /// use tilework_formats::{Fill, Format};
    /// let packed = Format::named("scale_8x4")?.at(&[("M", 7), ("S", 4)])?;
    /// packed.check(&[0; 32], None)?;
    /// let refused = |bytes: &[u8], fill| packed.check(bytes, fill).unwrap_err().to_string();
    /// assert_eq!(refused(&[0; 28], None), "scale_8x4 at these sizes is 32 bytes; 28 given");
    /// assert_eq!(refused(&[1; 32], None), "byte 28 is padding of scale_8x4, and not 0");
    /// assert_eq!(refused(&[1; 32], Some(Fill::Byte(127))), "byte 28 is padding of scale_8x4, and not 127");
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Size`] for another number of bytes; [`Error::Unlike`] for padding that is not as it has to be.
    pub fn check(&self, bytes: &[u8], fill: Option<Fill>) -> Result<(), Error> {
        self.check_length(bytes)?;
        let (format, sizes) = (self.format(), self.sizes().collect::<Vec<_>>());
        let is_open = format.fill() == "any" || format.block().is_some();
        let fill = match fill {
            None if is_open => return Ok(()),
            None => Fill::parse(format.fill())?,
            Some(fill) => fill,
        };
        let own = Conversion { bits_only: true, fill: Some(fill), ..Conversion::default() };
        let filled = Repack::new(format, format, &sizes, own)?.run(bytes)?;
        let Some(byte) = filled.iter().zip(bytes).position(|(own, given)| own != given) else {
            return Ok(());
        };
        let wanted = match fill {
            Fill::Byte(fill) => format!("and not {fill}"),
            Fill::Repeat => "and does not repeat the last element".to_owned(),
        };
        Err(Error::Unlike(format!("byte {byte} is padding of {}, {wanted}", format.name())))
    }

    /// Checks that the bytes contain given elements, each where the format has it, and then what [`check`](Self::check) does.
    /// The elements are a plain array of the [`shape`](Self::shape), the last axis fastest: their codes, each in whole bytes.
    ///
    /// ```
    /// use tilework_formats::Format;
    /// let packed = Format::named("scale_128x4")?.at(&[("M", 128), ("S", 8)])?;
    /// let rows: Vec<u8> = (0..1024).map(|at| (at * 7 % 251) as u8).collect();
    /// assert_eq!(
    ///     packed.check_elements(&rows, &rows, None).unwrap_err().to_string(),
    ///     "element (0,4) is 28, but scale_128x4 has it at offset 512, where 70 is stored: \
    ///      the bytes are in the order of `M S:8`, which `repack` converts",
    /// );
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Size`] for another number of bytes; [`Error::Unlike`] with the first element that is not where it has to be, and
    /// the format that has all of them where they are, if the table has one.
    pub fn check_elements(&self, bytes: &[u8], elements: &[u8], fill: Option<Fill>) -> Result<(), Error> {
        self.check_length(bytes)?;
        let (name, bits) = (self.format().name(), self.format().element_bits());
        if bits > 64 {
            let message = format!("elements of 64 bits at most are compared; those of {name} have {bits}");
            return Err(Error::Unlike(message));
        }
        let (width, count) = (bits.div_ceil(8), self.count()?);
        if count.checked_mul(i64::from(width)) != i64::try_from(elements.len()).ok() {
            return Err(Error::Size(format!(
                "the elements {:?} are {count}, of {width} bytes each; {} bytes given",
                self.shape(),
                elements.len()
            )));
        }
        let Some((coordinate, offset, [wanted, stored])) = self.first_wrong(bytes, elements)? else {
            return self.check(bytes, fill);
        };
        let order = self.order_of(bytes, elements).map_or_else(String::new, |order| {
            format!(": the bytes are in the order of `{}`, which `repack` converts", order.name())
        });
        let element = coordinate_text(&coordinate);
        Err(Error::Unlike(format!(
            "element {element} is {wanted}, but {name} has it at offset {offset}, where {stored} is stored{order}"
        )))
    }

    /// The first element that is not where it has to be.
    fn first_wrong(&self, bytes: &[u8], elements: &[u8]) -> Result<Option<Wrong>, Error> {
        let bits = self.format().element_bits();
        for (element, coordinate) in elements.chunks(bits.div_ceil(8) as usize).zip(coordinates(self.shape()))
        {
            if let Some(offset) = self.offset(&coordinate)? {
                let codes = [code(element, 0, bits), code(bytes, offset, bits)];
                if codes[0] != codes[1] {
                    return Ok(Some((coordinate, offset, codes)));
                }
            }
        }
        Ok(None)
    }

    /// The format in whose order the bytes are: one of the table with the same axes, a dense order of them, or another one.
    fn order_of(&self, bytes: &[u8], elements: &[u8]) -> Option<Format> {
        let (text, bits) = (self.format().shape_text(), self.format().element_bits());
        let axes: Vec<&str> = text.split(", ").collect();
        let dense = [axes.clone(), axes.into_iter().rev().collect()]
            .into_iter()
            .filter_map(|axes| Format::named(&format!("{}:{bits}", axes.join(" "))).ok());
        let (same, others): (Vec<_>, Vec<_>) =
            formats().iter().cloned().partition(|other| other.shape_text() == text);
        let sizes: Vec<i64> = self.sizes().map(|(_, size)| size).collect();
        let is_order = |other: &Format| {
            let sizes: Vec<(&str, i64)> = other.names().zip(sizes.iter().copied()).collect();
            let repacked = Repack::of_bits(other, self.format(), &sizes)
                .and_then(|repack| repack.run(bytes))
                .and_then(|bytes| self.first_wrong(&bytes, elements));
            matches!(repacked, Ok(None))
        };
        (bytes.len() <= MAX_TRIED).then(|| same.into_iter().chain(dense).chain(others).find(is_order))?
    }
}

/// An element that is not where it has to be: its coordinate, its offset, its code, and the one that is there.
type Wrong = (Vec<i64>, i64, [u64; 2]);

/// The bits of an element, of which there are at most 64.
fn code(bytes: &[u8], offset: i64, bits: u32) -> u64 {
    let first = offset as usize * bits as usize;
    let (byte, low) = (first / 8, first as u32 % 8);
    let own = bytes[byte..].iter().take((low + bits).div_ceil(8) as usize);
    let all = own.rev().fold(0u128, |all, byte| all << 8 | u128::from(*byte));
    (all >> low) as u64 & (u64::MAX >> (64 - bits))
}
