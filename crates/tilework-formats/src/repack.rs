//! From one format to another: the same elements at other places.
//!
//! Bytes and words are moved by plans of `tilework-kernels`, one for each part in which both formats are layouts; other elements one by one.

use crate::error::Error;
use crate::format::Format;
use crate::packed::{Packed, coordinate_text, coordinates};
use tilework::{AnyLayout, Codomain, Composed, Counting, Layout, Leaf, Swizzle, Tensor};
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
        // Of one array, both would be the same code.
        let is_one = |own: &Move| own.from.format() == own.to.format() && own.from.shape() == own.to.shape();
        if let Some(own) = moves.iter().find(|own| own.to.is_injective() == Some(false) && !is_one(own)) {
            let name = own.to.format().name();
            return Err(Error::Unlike(format!("several elements of {name} have one place")));
        }
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
            let mut are_moved = |count: i64, from: i64, to: i64| {
                let distance = (from - to) * bits;
                moved += bits * count;
                is_range &= *start.get_or_insert(distance) == distance;
            };
            match own.loops() {
                // Otherwise the first element and the next ones have other distances.
                Some(all) => all.iter().for_each(|([from, to], loops)| {
                    are_moved(loops.iter().map(|(extent, _)| extent).product(), *from, *to);
                    loops.iter().for_each(|(_, [one, two])| are_moved(0, from + one, to + two));
                }),
                None => own.each(&mut |from, to| to.into_iter().for_each(|to| are_moved(1, from, to)))?,
            }
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
            let how = match own.by_plans(None) {
                None => "one by one".to_owned(),
                Some((1, plan)) => format!("by a plan of copies\n{plan}"),
                Some((count, plan)) => {
                    format!("by {count} plans of copies, of which this is the first\n{plan}")
                }
            };
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
            let storage = own.to.storage();
            own.to.is_injective() == Some(true)
                && own.from.only().is_some()
                && own.to.shape().iter().product::<i64>() == storage
                && own.to.bytes() * 8 == storage * i64::from(own.to.format().element_bits())
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
        let codes = match bits_only {
            true => None,
            false => codes(from, to)?,
        };
        Ok(Move { start: vec![0; source.shape().len()], from: source, to: target, axes, codes })
    }

    /// Of each part where it begins and the loops in it, the first of which goes on in the target.
    fn loops(&self) -> Option<Vec<([i64; 2], Vec<Loop>)>> {
        let loops = |[from, to]: [Place; 2]| {
            let modes = from.modes.iter().zip(&to.modes).map(|(one, two)| refined([one, two]));
            let mut all = modes.collect::<Option<Vec<_>>>()?.concat();
            all.sort_by_key(|(_, [_, to])| to.abs());
            Some(([from.start()?, to.start()?], all))
        };
        self.parts()?.into_iter().map(loops).collect()
    }

    /// The offsets of all elements, in the source and in the target, where one may not be stored; in the order of the target, if the
    /// places of both are layouts.
    fn each(&self, visit: &mut impl FnMut(i64, Option<i64>)) -> Result<(), Error> {
        if let Some(all) = self.loops() {
            all.iter().for_each(|(start, loops)| nested(*start, loops, visit));
            return Ok(());
        }
        for of_target in coordinates(self.to.shape()) {
            let own = self.axes.iter().zip(&self.start).map(|(axis, start)| start + of_target[*axis]);
            if let Some(from) = self.from.offset(&own.collect::<Vec<_>>())? {
                visit(from, self.to.offset(&of_target)?);
            }
        }
        Ok(())
    }

    fn run(&self, source: &[u8], target: &mut [u8], fill: Fill) -> Result<(), Error> {
        let is_planned = self.by_plans(Some((source, target))).is_some();
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
        if !is_planned {
            self.each(&mut |from, to| match to {
                Some(to) => put(from, to),
                // What is not stored is 0.
                None => lost = lost.or((0..bits / unit).any(|part| stored(from, part) != 0).then_some(from)),
            })?;
        }
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

    /// Moves elements of whole bytes by plans, if there are any: how many, and what the first does.
    fn by_plans(&self, bytes: Option<(&[u8], &mut [u8])>) -> Option<(usize, String)> {
        match self.from.format().element_bits() {
            8 => self.planned::<1>(bytes),
            16 => self.planned::<2>(bytes),
            32 => self.planned::<4>(bytes),
            64 => self.planned::<8>(bytes),
            _ => None,
        }
    }

    fn planned<const W: usize>(&self, bytes: Option<(&[u8], &mut [u8])>) -> Option<(usize, String)> {
        let plan =
            |[from, to]: &[Place; 2]| CopyPlan::<[u8; W]>::for_tensors(&from.tensor()?, &to.tensor()?).ok();
        let parts = self.parts().filter(|_| self.codes.is_none())?;
        let plans = parts.iter().map(plan).collect::<Option<Vec<_>>>()?;
        if let Some((source, target)) = bytes {
            let (from, to) = (source.as_chunks::<W>().0, target.as_chunks_mut::<W>().0);
            plans.iter().try_for_each(|plan| plan.run(from, to, &Execution::default())).ok()?;
        }
        Some((plans.len(), plans.first()?.explain()))
    }

    /// The places of all elements, cut along each axis until those of both formats are layouts; none if they are not few.
    fn parts(&self) -> Option<Vec<[Place; 2]>> {
        let is_sum = |own: &(&Composed, &[Layout])| own.0.layout().codomain() == Codomain::Integer;
        let (from, to) = (self.from.only().filter(is_sum)?, self.to.only().filter(is_sum)?);
        let mut parts =
            vec![[from, to].map(|(first, _)| Place { first: *first, offset: 0, modes: Vec::new() })];
        for ((mode, &start), &axis) in from.1.iter().zip(&self.start).zip(&self.axes) {
            let (modes, extent, mut at, mut longer) =
                ([mode, &to.1[axis]], self.to.shape()[axis], 0, Vec::new());
            while at < extent {
                let length = whole(modes[0], start + at, whole(modes[1], at, extent - at));
                let own = [(modes[0], start + at), (modes[1], at)];
                if whole(modes[1], at, length) != length || longer.len() >= MAX_PARTS {
                    return None;
                }
                for part in &parts {
                    let [one, two] = [0, 1].map(|of| part[of].along(own[of], length));
                    longer.push([one?, two?]);
                }
                at += length;
            }
            parts = longer;
        }
        Some(parts)
    }

    /// The padding of the target, for which the last element along each axis is repeated.
    fn repeated(&self, fill: Fill, put: &mut impl FnMut(i64, i64)) -> Result<(), Error> {
        let padding = self.to.padding()?;
        if fill != Fill::Repeat || padding.is_empty() {
            return Ok(());
        }
        let padded = |name: &str| padding.iter().find(|(axis, ..)| *axis == name).map(|own| own.2);
        let sizes = self.to.sizes().map(|(name, size)| (name, padded(name).unwrap_or(size)));
        let full = self.to.format().at(&sizes.collect::<Vec<_>>())?;
        for of_target in coordinates(full.shape()) {
            let last = |axis: usize| of_target[axis].min(self.to.shape()[axis] - 1);
            if (0..of_target.len()).any(|axis| of_target[axis] != last(axis)) {
                let of_source = self.axes.iter().zip(&self.start).map(|(axis, start)| start + last(*axis));
                if let (Some(from), Some(to)) =
                    (self.from.offset(&of_source.collect::<Vec<_>>())?, full.offset(&of_target)?)
                {
                    put(from, to);
                }
            }
        }
        Ok(())
    }
}

/// The most parts that are planned.
const MAX_PARTS: usize = 64;

/// Where some elements are: those of modes from an offset on.
struct Place {
    first: Composed,
    offset: i64,
    modes: Vec<Layout>,
}

impl Place {
    /// The same with so many indices of another mode, from one on.
    fn along(&self, (mode, start): (&Layout, i64), count: i64) -> Option<Place> {
        let (offset, prefix) =
            (self.offset.checked_add(mode.try_at(start).ok()?)?, Layout::of(count, 1).ok()?);
        let modes = [&self.modes[..], &[mode.composition(&prefix).ok()?]].concat();
        Some(Place { first: self.first, offset, modes })
    }

    /// The offset of the first; none with a swizzle.
    fn start(&self) -> Option<i64> {
        self.first.offset().checked_add(self.offset).filter(|_| self.first.swizzle() == Swizzle::NONE)
    }

    fn tensor(&self) -> Option<Tensor<Counting, AnyLayout>> {
        let layout = Layout::concatenate(&self.modes).ok()?;
        let (start, layout) = match self.start() {
            Some(start) => (start, AnyLayout::Plain(layout)),
            None => {
                let offset = self.first.offset().checked_add(self.offset)?;
                (0, AnyLayout::Swizzled(Composed::new(self.first.swizzle(), offset, layout).ok()?))
            }
        };
        Tensor::with_offset(Counting, start, layout).ok()
    }
}

/// The loops in which both layouts of one size are linear, with the strides; none if they have none in common.
fn refined(layouts: [&Layout; 2]) -> Option<Vec<Loop>> {
    let leaf = |leaf: &Leaf| (leaf.extent, leaf.stride.count().numerator());
    let mut rest = layouts.map(|layout| layout.leaves().iter().map(leaf).filter(|(extent, _)| *extent > 1));
    let (mut loops, mut own) = (Vec::new(), [(1, 0); 2]);
    loop {
        for (own, rest) in own.iter_mut().zip(&mut rest).filter(|(own, _)| own.0 == 1) {
            *own = rest.next().unwrap_or((1, 0));
        }
        let extent = own[0].0.min(own[1].0);
        if own.iter().any(|(all, _)| all % extent != 0) {
            return None;
        }
        if extent == 1 {
            return (own[0].0 == own[1].0).then_some(loops);
        }
        loops.push((extent, own.map(|(_, stride)| stride)));
        own = own.map(|(all, stride)| (all / extent, stride * extent));
    }
}

/// An extent, and the strides in the source and in the target.
type Loop = (i64, [i64; 2]);

/// The most steps of the first loops that are listed: each takes longer to count than to read.
const MAX_LISTED: i64 = 1 << 12;

/// Visits the offsets of all steps, the first loop fastest.
fn nested(mut at: [i64; 2], mut loops: &[Loop], visit: &mut impl FnMut(i64, Option<i64>)) {
    let mut first = vec![[0, 0]];
    while let Some(((extent, strides), others)) = loops.split_first()
        && first.len() as i64 * extent <= MAX_LISTED
    {
        let step = |index: i64| first.iter().map(move |own| [0, 1].map(|of| own[of] + strides[of] * index));
        (first, loops) = ((0..*extent).flat_map(step).collect(), others);
    }
    let mut steps = vec![0; loops.len()];
    for _ in 0..loops.iter().map(|(extent, _)| extent).product() {
        first.iter().for_each(|[from, to]| visit(at[0] + from, Some(at[1] + to)));
        for (step, (extent, [from, to])) in steps.iter_mut().zip(loops) {
            (*step, at) = (*step + 1, [at[0] + from, at[1] + to]);
            if *step < *extent {
                break;
            }
            (*step, at) = (0, [at[0] - from * extent, at[1] - to * extent]);
        }
    }
}

/// The most indices of a mode from one on, up to some, whose offsets are those of the first ones and a constant.
fn whole(mode: &Layout, start: i64, most: i64) -> i64 {
    let (mut step, mut all) = (1, 1);
    for leaf in mode.leaves() {
        if start % step != 0 {
            break;
        }
        all = all.max(step * (leaf.extent - start / step % leaf.extent).min(most / step));
        step *= leaf.extent;
    }
    all
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
