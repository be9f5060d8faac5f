//! From one format to another: the same elements at other places.
//!
//! Bytes and words of arrays without padding are moved by a plan of `tilework-kernels`; other elements one by one.

use crate::error::Error;
use crate::format::Format;
use crate::packed::tables::Tables;
use crate::packed::{Packed, coordinate_text};
use tilework_kernels::{CopyPlan, Execution};

/// The most elements whose offsets are compared with a range of bytes.
const MAX_COMPARED: i64 = 1 << 32;

/// What the padding of the result contains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fill {
    /// This byte.
    Byte(u8),
    /// The last element along each axis.
    Repeat,
}

impl Fill {
    /// `zero`, `repeat`, or a byte such as `0x7F`.
    ///
    /// ```
    /// use tilework_formats::Fill;
    /// assert_eq!(Fill::parse("0x7F")?, Fill::Byte(127));
    /// assert!(Fill::parse("300").is_err());
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Record`] for another text.
    pub fn parse(text: &str) -> Result<Fill, Error> {
        let byte = match text.strip_prefix("0x") {
            Some(digits) => u8::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        };
        match (text, byte) {
            ("zero" | "any", _) => Ok(Fill::Byte(0)),
            ("repeat", _) => Ok(Fill::Repeat),
            (_, Some(byte)) => Ok(Fill::Byte(byte)),
            _ => Err(Error::Record(format!("`{text}` is no fill: zero, repeat, or a byte such as 0x7F"))),
        }
    }
}

/// What is asked of a conversion besides the two formats.
#[derive(Clone, Copy, Default, Debug)]
pub struct Conversion<'a> {
    /// The piece of the source's block that is taken alone.
    pub piece: Option<&'a str>,
    /// Whether bits are moved that mean other values in the result.
    pub bits_only: bool,
    /// In place of the fill of the target.
    pub fill: Option<Fill>,
}

/// A conversion of the bytes of one format into those of another, made once for its sizes.
///
/// ```
/// use tilework_formats::{Conversion, Format, Repack};
/// let (awq, marlin) = (Format::named("awq_gemm")?, Format::named("marlin_4")?);
/// let repack = Repack::new(&awq, &marlin, &[("K", 16), ("N", 64)], Conversion::default())?;
/// let packed = repack.run(&[0x21; 512])?;
/// assert_eq!(packed.len(), 512);
/// // An element is where the other format has it.
/// assert_eq!(packed[0] & 15, 1);
/// # Ok::<(), tilework_formats::Error>(())
/// ```
#[derive(Debug)]
pub struct Repack {
    moves: Vec<Move>,
    fill: Fill,
    from_bytes: i64,
    to_bytes: i64,
}

/// The elements of one piece.
#[derive(Debug)]
struct Move {
    from: Packed,
    to: Packed,
    /// For each axis of the source, that of the target.
    axes: Vec<usize>,
    /// The source's coordinate of the first element.
    start: Vec<i64>,
    /// The code in the target of each code of the source, if the encodings differ.
    codes: Option<Vec<Option<u8>>>,
}

impl Repack {
    /// The conversion at sizes: those of the source by name; the target takes those of its own names, and by their order
    /// those that the source names otherwise.
    ///
    /// # Errors
    /// [`Error::Size`] for sizes that either does not admit; [`Error::Unlike`] for arrays of other shapes or elements,
    /// other encodings, and pieces for which the target has no place.
    pub fn new(
        from: &Format,
        to: &Format,
        sizes: &[(&str, i64)],
        conversion: Conversion<'_>,
    ) -> Result<Repack, Error> {
        let moves = pieces(from, to, conversion.piece)?;
        let moves = moves.iter().map(|(from, to)| Move::new(from, to, sizes, conversion.bits_only));
        Repack::of(moves.collect::<Result<_, _>>()?, to, conversion.fill)
    }

    /// Part `index` of `count` equal ones along a size of the source, as an array of its own in the target format.
    ///
    /// ```
    /// use tilework_formats::{Conversion, Format, Repack};
    /// let marlin = Format::named("marlin_4")?;
    /// let sizes = [("K", 32), ("N", 64)];
    /// let second = Repack::split(&marlin, &marlin, &sizes, Conversion::default(), ("K", 2), 1)?;
    /// assert_eq!(second.range()?, Some(512..1024));
    /// let error = Repack::split(&marlin, &marlin, &sizes, Conversion::default(), ("N", 2), 0).unwrap_err();
    /// assert_eq!(error.to_string(), "N must be a multiple of 64: marlin_4 packs 64 columns; 32 given");
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`new`](Self::new); [`Error::Size`] where the parts are not equal or the size is no axis.
    pub fn split(
        from: &Format,
        to: &Format,
        sizes: &[(&str, i64)],
        conversion: Conversion<'_>,
        (axis, count): (&str, i64),
        index: i64,
    ) -> Result<Repack, Error> {
        let Some(&(_, size)) = sizes.iter().find(|(name, _)| *name == axis) else {
            return Err(Error::Size(format!("{} has no size {axis} that is divided", from.name())));
        };
        if count < 1 || size % count != 0 || !(0..count).contains(&index) {
            return Err(Error::Size(format!("{axis} = {size} is not divided into {count} equal parts")));
        }
        let part: Vec<(&str, i64)> = sizes
            .iter()
            .map(|(name, size)| (*name, if *name == axis { size / count } else { *size }))
            .collect();
        let mut moves = Vec::new();
        for (from, to) in pieces(from, to, conversion.piece)? {
            let mut own = Move::new(&from, &to, &part, conversion.bits_only)?;
            let whole = from.at(&from.own_sizes(sizes))?;
            let extents = whole.shape().iter().zip(own.from.shape());
            let mut cut = extents.clone().filter(|(whole, part)| whole != part);
            let is_one =
                cut.next().is_some_and(|(whole, part)| part * count == *whole) && cut.next().is_none();
            if count > 1 && !is_one {
                let name = from.name();
                return Err(Error::Size(format!(
                    "{axis} is not the size of one axis of {name} that can be divided"
                )));
            }
            own.start = extents.map(|(whole, part)| if whole == part { 0 } else { part * index }).collect();
            own.from = whole;
            moves.push(own);
        }
        Repack::of(moves, to, conversion.fill)
    }

    /// The conversion of one format or piece alone, whatever its bits mean.
    pub(crate) fn of_bits(from: &Format, to: &Format, sizes: &[(&str, i64)]) -> Result<Repack, Error> {
        Repack::of(vec![Move::new(from, to, sizes, true)?], to, None)
    }

    fn of(moves: Vec<Move>, to: &Format, fill: Option<Fill>) -> Result<Repack, Error> {
        let fill = fill.map_or_else(|| Fill::parse(to.fill()), Ok)?;
        let bytes = |packed: fn(&Move) -> &Packed| moves.first().map_or(0, |own| packed(own).bytes());
        let (from_bytes, to_bytes) = (bytes(|own| &own.from), bytes(|own| &own.to));
        Ok(Repack { moves, fill, from_bytes, to_bytes })
    }

    /// The number of bytes that [`run`](Self::run) takes, and that it returns.
    #[must_use]
    pub fn bytes(&self) -> (i64, i64) {
        (self.from_bytes, self.to_bytes)
    }

    /// Checks the type and shape of an array of the source.
    ///
    /// ```
    /// use tilework_formats::{Conversion, Format, Repack};
    /// let (awq, marlin) = (Format::named("awq_gemm")?, Format::named("marlin_4")?);
    /// let repack = Repack::new(&awq, &marlin, &[("K", 16), ("N", 64)], Conversion::default())?;
    /// assert!(repack.check_container("<i4", &[16, 8]).is_ok() && repack.check_container("<i4", &[8, 16]).is_err());
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Packed::check_container`].
    pub fn check_container(&self, dtype: &str, shape: &[i64]) -> Result<(), Error> {
        self.moves.iter().try_for_each(|own| own.from.check_container(dtype, shape))
    }

    /// The type and shape of the result.
    ///
    /// # Errors
    /// Those of [`Packed::container`].
    pub fn container(&self) -> Result<(String, Vec<i64>), Error> {
        self.moves.first().map_or(Ok((String::new(), Vec::new())), |own| own.to.container())
    }

    /// The bytes of the source that are the result as they are, if they are contiguous and no padding is among them.
    ///
    /// # Errors
    /// [`Error::TooLarge`] for more than 2^32 elements.
    pub fn range(&self) -> Result<Option<std::ops::Range<i64>>, Error> {
        let (mut start, mut moved) = (None, 0);
        for own in &self.moves {
            let bits = i64::from(own.from.format().element_bits());
            let mut is_range = own.codes.is_none();
            let count = own.to.shape().iter().try_fold(1i64, |count, extent| count.checked_mul(*extent));
            if count.is_none_or(|count| count > MAX_COMPARED) {
                let message = format!("{MAX_COMPARED} elements at most are compared with a range of bytes");
                return Err(Error::TooLarge(message));
            }
            own.each(&mut |from, to| {
                let Some(to) = to else { return };
                let distance = (from - to) * bits;
                moved += bits;
                is_range &= *start.get_or_insert(distance) == distance;
            })?;
            if !is_range {
                return Ok(None);
            }
        }
        let start = start
            .filter(|start| start % 8 == 0 && *start >= 0 && moved / 8 == self.to_bytes)
            .map(|start| start / 8);
        Ok(start.map(|start| start..start + self.to_bytes).filter(|range| range.end <= self.from_bytes))
    }

    /// How the elements are moved, a line for each piece.
    ///
    /// ```
    /// use tilework_formats::{Conversion, Format, Repack};
    /// let (one, two) = (Format::named("amd_16x16_8")?, Format::named("N K:8")?);
    /// let repack = Repack::new(&one, &two, &[("N", 64), ("K", 64)], Conversion::default())?;
    /// assert!(repack.explain().starts_with("amd_16x16_8 to N K:8: elements of 8 bits by a plan of copies"));
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    #[must_use]
    pub fn explain(&self) -> String {
        let lines = self.moves.iter().map(|own| {
            let (from, to) = (own.from.format(), own.to.format());
            let plan = own.by_plan(self.fill, None);
            let how = plan.map_or("one by one".to_owned(), |plan| format!("by a plan of copies\n{plan}"));
            let codes = if own.codes.is_some() { ", with other codes" } else { "" };
            format!("{} to {}: elements of {} bits {how}{codes}", from.name(), to.name(), from.element_bits())
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The result.
    ///
    /// # Errors
    /// Those of [`run_into`](Self::run_into); [`Error::TooLarge`] where there is no memory for it.
    pub fn run(&self, source: &[u8]) -> Result<Vec<u8>, Error> {
        self.moves.iter().try_for_each(|own| own.from.check_length(source))?;
        let (mut target, bytes) = (Vec::new(), usize::try_from(self.to_bytes).unwrap_or(usize::MAX));
        target
            .try_reserve_exact(bytes)
            .map_err(|_| Error::TooLarge(format!("not enough memory for {bytes} bytes")))?;
        target.resize(bytes, 0);
        self.run_into(source, &mut target)?;
        Ok(target)
    }

    /// Writes the result; of a target without padding no byte twice.
    ///
    /// ```
    /// use tilework_formats::{Conversion, Format, Repack};
    /// let (rows, packed) = (Format::named("M S:8")?, Format::named("scale_8x4")?);
    /// let repack = Repack::new(&rows, &packed, &[("M", 2), ("S", 2)], Conversion::default())?;
    /// let mut target = [9; 32];
    /// repack.run_into(&[1, 2, 3, 4], &mut target)?;
    /// assert_eq!(target[..8], [1, 2, 0, 0, 3, 4, 0, 0]);
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Size`] for a source or a target of another length; [`Error::Unlike`] for a code that the target does not have.
    pub fn run_into(&self, source: &[u8], target: &mut [u8]) -> Result<(), Error> {
        for own in &self.moves {
            own.from.check_length(source)?;
            own.to.check_length(target)?;
        }
        let is_full = |own: &Move| {
            own.to.whole().is_some_and(|whole| whole.size() == own.to.storage())
                && own.to.is_injective() == Some(true)
                && own.to.bytes() * 8 == own.to.storage() * i64::from(own.to.format().element_bits())
        };
        if !self.moves.first().is_some_and(is_full) {
            target.fill(if let Fill::Byte(byte) = self.fill { byte } else { 0 });
        }
        self.moves.iter().try_for_each(|own| own.run(source, target, self.fill))
    }
}

/// The part of a block's name that says which piece it is.
fn piece_of(format: &Format) -> Option<String> {
    let within = |name: &str| name.rsplit(" x ").next().map(str::to_owned);
    let (block, name) = (within(format.block()?)?, within(format.name())?);
    let own = Format::named(&name).ok()?;
    let mut names = std::iter::once(own.name()).chain(own.aliases());
    names.find_map(|name| name.strip_prefix(&*block)?.strip_prefix('.')).map(str::to_owned)
}

/// The pieces that are moved, each with its target.
fn pieces(from: &Format, to: &Format, piece: Option<&str>) -> Result<Vec<(Format, Format)>, Error> {
    let named = |format: &Format, piece: &str| {
        format.pieces().find(|other| piece_of(other).as_deref() == Some(piece))
    };
    let all = |format: &Format| format.pieces().filter_map(|piece| piece_of(&piece)).collect::<Vec<_>>();
    if let Some(piece) = piece {
        let found = named(from, piece);
        let message = || match &all(from)[..] {
            [] => format!("{} has no pieces, of which `{piece}` would be one", from.name()),
            all => format!("{} has no piece `{piece}`: {}", from.name(), all.join(", ")),
        };
        return Ok(vec![(found.ok_or_else(|| Error::Unlike(message()))?, to.clone())]);
    }
    let (own, other) = (all(from), all(to));
    if own.is_empty() && other.is_empty() {
        return Ok(vec![(from.clone(), to.clone())]);
    }
    let lacking = |have: &[String], need: &[String]| need.iter().find(|piece| !have.contains(piece)).cloned();
    let (one, two) = (from.name(), to.name());
    let message = match (lacking(&other, &own), lacking(&own, &other)) {
        (Some(_), _) if other.is_empty() => {
            format!("a block of {one} has {}, and {two} has no blocks", own.join(" and "))
        }
        (Some(piece), _) => format!("{two} has no place for the {piece} of the block of {one}"),
        (_, Some(piece)) => format!("{one} has no {piece} for the block of {two}"),
        _ => String::new(),
    };
    if !message.is_empty() {
        let example = own.first().map(|piece| format!(", such as --piece {piece}")).unwrap_or_default();
        return Err(Error::Unlike(format!(
            "{message}; a piece is converted alone where --piece names it{example}"
        )));
    }
    Ok(own.iter().filter_map(|piece| Some((named(from, piece)?, named(to, piece)?))).collect())
}

impl Move {
    fn new(from: &Format, to: &Format, sizes: &[(&str, i64)], bits_only: bool) -> Result<Move, Error> {
        let names = from.names_of(to);
        if let Some((name, _)) = sizes.iter().find(|(name, _)| !from.has_size(name) && !names.contains(name))
        {
            let (one, two) = (from.name(), to.name());
            return Err(Error::Size(match to.names().position(|own| own == *name) {
                Some(place) => format!("the size {name} of {two} is {} of {one}: give {0}", names[place]),
                None => format!("neither {one} nor {two} has a size {name}"),
            }));
        }
        let source = from.at(&from.own_sizes(sizes))?;
        let (target, axes) = (to.at(&from.sizes_of(to, sizes))?, from.axes_of(to));
        let permuted: Option<Vec<i64>> = axes.iter().map(|axis| target.shape().get(*axis).copied()).collect();
        let is_same = axes.len() == target.shape().len() && permuted.as_deref() == Some(source.shape());
        if !is_same || from.element_bits() != to.element_bits() {
            let [one, two] = [&source, &target].map(|packed| {
                let (format, shape) = (packed.format(), packed.shape());
                format!("{} is {shape:?} of {} bits", format.name(), format.element_bits())
            });
            return Err(Error::Unlike(format!("{one}; {two}")));
        }
        if target.is_injective() == Some(false) {
            return Err(Error::Unlike(format!("several elements of {} have one place", to.name())));
        }
        let codes = match bits_only {
            true => None,
            false => codes(from, to)?,
        };
        Ok(Move { start: vec![0; source.shape().len()], from: source, to: target, axes, codes })
    }

    /// The offsets of all elements, in the source and in the target, where one may not be stored.
    fn each(&self, visit: &mut impl FnMut(i64, Option<i64>)) -> Result<(), Error> {
        let shape: Vec<i64> = self.axes.iter().map(|axis| self.to.shape()[*axis]).collect();
        match (self.from.tables(&self.start, &shape), self.to_tables()) {
            (Some(from), Some(to)) => from.pairs(&to, &mut |from, to| visit(from, Some(to))),
            _ => {
                let (mut coordinate, mut of_target) = (vec![0; shape.len()], vec![0; shape.len()]);
                for _ in 0..shape.iter().product() {
                    let of_source: Vec<i64> =
                        coordinate.iter().zip(&self.start).map(|(index, start)| index + start).collect();
                    self.axes.iter().zip(&coordinate).for_each(|(axis, index)| of_target[*axis] = *index);
                    if let Some(from) = self.from.offset(&of_source)? {
                        visit(from, self.to.offset(&of_target)?);
                    }
                    crate::packed::advance(&mut coordinate, &shape);
                }
            }
        }
        Ok(())
    }

    /// The offsets of the target along the axes of the source.
    fn to_tables(&self) -> Option<Tables> {
        let mut tables = self.to.tables(&vec![0; self.to.shape().len()], self.to.shape())?;
        tables.along = self.axes.iter().map(|axis| std::mem::take(&mut tables.along[*axis])).collect();
        Some(tables)
    }

    fn run(&self, source: &[u8], target: &mut [u8], fill: Fill) -> Result<(), Error> {
        if self.by_plan(fill, Some((source, target))).is_some() {
            return Ok(());
        }
        // Elements are moved in units within a byte: their own bits, or as many as divide both.
        let bits = self.from.format().element_bits() as usize;
        let shift = 3 - bits.trailing_zeros().min(3);
        let (unit, mask) = (8 >> shift, u8::MAX >> (8 - (8 >> shift)));
        let (mut wrong, mut lost, codes) = (None, None, self.codes.as_deref());
        let at = |offset: i64, part: usize| {
            let index = offset as usize * (bits / unit) + part;
            (index >> shift, (index & ((1 << shift) - 1)) * unit)
        };
        let stored = |from: i64, part: usize| {
            let (byte, low) = at(from, part);
            source[byte] >> low & mask
        };
        let mut put = |from: i64, to: i64| {
            for part in 0..bits / unit {
                let mut code = stored(from, part);
                if let Some(codes) = codes {
                    match codes[code as usize] {
                        Some(other) => code = other,
                        None => wrong = wrong.or(Some((from, code))),
                    }
                }
                let (byte, low) = at(to, part);
                target[byte] = target[byte] & !(mask << low) | code << low;
            }
        };
        self.each(&mut |from, to| match to {
            Some(to) => put(from, to),
            // What is not stored is 0.
            None => lost = lost.or((0..bits / unit).any(|part| stored(from, part) != 0).then_some(from)),
        })?;
        self.repeated(fill, &mut put)?;
        let (from, to) = (self.from.format(), self.to.format());
        if let Some(offset) = lost {
            let element = coordinate_text(&self.from.coordinate(offset)?.unwrap_or_default());
            return Err(Error::Unlike(format!(
                "element {element} of {} is not 0, and {} does not store it; set it to 0 to leave it out",
                from.name(),
                to.name()
            )));
        }
        let Some((offset, code)) = wrong else { return Ok(()) };
        let element = coordinate_text(&self.from.coordinate(offset)?.unwrap_or_default());
        Err(Error::Unlike(format!(
            "element {element} of {} is the code {code} of {}, and {} of {} has no code for it",
            from.name(),
            from.encoding(),
            to.encoding(),
            to.name()
        )))
    }

    /// Moves elements of whole bytes by a plan, if there is one, and explains it.
    fn by_plan(&self, fill: Fill, bytes: Option<(&[u8], &mut [u8])>) -> Option<String> {
        match self.from.format().element_bits() {
            8 => self.planned::<1>(fill, bytes),
            16 => self.planned::<2>(fill, bytes),
            32 => self.planned::<4>(fill, bytes),
            64 => self.planned::<8>(fill, bytes),
            _ => None,
        }
    }

    /// By a plan for elements of `W` bytes, if both are layouts without padding.
    fn planned<const W: usize>(&self, fill: Fill, bytes: Option<(&[u8], &mut [u8])>) -> Option<String> {
        let is_first = self.start.iter().all(|start| *start == 0);
        if !is_first || self.codes.is_some() || fill == Fill::Repeat {
            return None;
        }
        let target = self.to.whole()?.select(&self.axes).ok()?;
        let plan = CopyPlan::<[u8; W]>::new(self.from.whole()?, &target).ok()?;
        if let Some((source, target)) = bytes {
            let (from, to) = (source.as_chunks::<W>().0, target.as_chunks_mut::<W>().0);
            plan.run(from, to, &Execution::default()).ok()?;
        }
        Some(plan.explain().to_string())
    }

    /// The padding of the target, for which the last element along each axis is repeated.
    fn repeated(&self, fill: Fill, put: &mut impl FnMut(i64, i64)) -> Result<(), Error> {
        let padding = self.to.padding()?;
        if fill != Fill::Repeat || padding.is_empty() {
            return Ok(());
        }
        let sizes: Vec<(&str, i64)> = self
            .to
            .sizes()
            .map(|(name, size)| {
                (name, padding.iter().find(|(axis, ..)| *axis == name).map_or(size, |(_, _, padded)| *padded))
            })
            .collect();
        let full = self.to.format().at(&sizes)?;
        let mut of_target = vec![0; full.shape().len()];
        for _ in 0..full.shape().iter().product() {
            if of_target.iter().zip(self.to.shape()).any(|(index, extent)| index >= extent) {
                let of_source: Vec<i64> = self
                    .axes
                    .iter()
                    .zip(&self.start)
                    .map(|(axis, start)| start + of_target[*axis].min(self.to.shape()[*axis] - 1))
                    .collect();
                if let (Some(from), Some(to)) = (self.from.offset(&of_source)?, full.offset(&of_target)?) {
                    put(from, to);
                }
            }
            crate::packed::advance(&mut of_target, full.shape());
        }
        Ok(())
    }
}

/// The code of each code of the source in the target's encoding; none where bits mean the same.
fn codes(from: &Format, to: &Format) -> Result<Option<Vec<Option<u8>>>, Error> {
    let (one, two) = (from.encoding(), to.encoding());
    if one == two || one == "any" || two == "any" {
        return Ok(None);
    }
    let bits = from.element_bits();
    let highest = if bits <= 8 { (1u16 << bits) as i16 - 1 } else { -1 };
    let half = (highest + 1) / 2;
    let code: fn(i16, i16) -> i16 = match (one, two) {
        // The numbers -8 to 7 as 0 to 15.
        ("offset8", "twos") | ("twos", "offset8") if half == 8 => |code, half| code ^ half,
        ("offset128", "twos") | ("twos", "offset128") if half == 128 => |code, half| code ^ half,
        ("minus1", "unsigned") => |code, _| code + 1,
        ("unsigned", "minus1") => |code, _| code - 1,
        _ => {
            let message = format!(
                "{} is encoded as {one}, {} as {two}: the same bits are other values; --bits-only moves them all the same",
                from.name(),
                to.name()
            );
            return Err(Error::Unlike(message));
        }
    };
    let known = |code: i16| (0..=highest).contains(&code).then_some(code as u8);
    Ok(Some((0..=highest).map(|own| known(code(own, half))).collect()))
}
