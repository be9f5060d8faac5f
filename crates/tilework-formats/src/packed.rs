//! A format at sizes.

use crate::error::Error;
use crate::format::{Axis, Format};
use crate::place::{COORDINATES, Offsets, Place, Places, coordinate};
use crate::rule::Kind;
use crate::sizes::{given, integer_at, size_where};
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::OnceLock;
use tilework::{Composed, Layout, Swizzle};
use tilework_symbolic::{Guard, Number, Placed, Scope, Values};

/// The largest number of elements that are enumerated.
pub const MAX_ELEMENTS: i64 = 1 << 26;

/// A format at sizes: which element is at which offset.
///
/// ```
/// use tilework_formats::Format;
/// let band = Format::named("lapack_band")?.at(&[("M", 6), ("N", 6), ("L", 2), ("U", 1)])?;
/// assert_eq!((band.offset(&[0, 1])?, band.offset(&[0, 2])?), (Some(8), None));
/// assert_eq!((band.coordinate(8)?, band.coordinate(0)?), (Some(vec![0, 1]), None));
/// # Ok::<(), tilework_formats::Error>(())
/// ```
pub struct Packed {
    format: Format,
    sizes: Vec<(String, i64)>,
    shape: Vec<i64>,
    storage: i64,
    parts: Vec<Part>,
    /// All offsets with the indices of their elements, in order; only where a layout has no inverse.
    elements: OnceLock<Vec<(i64, i64)>>,
}

/// A text at sizes.
struct Part {
    place: Place,
    /// None for a polynomial. The first takes the coordinate, by its modes; each other takes an offset.
    layouts: Vec<Composed>,
    modes: Vec<Layout>,
    /// The names in the conditions and the polynomial.
    scope: Scope,
    inverse: OnceLock<Option<Layout>>,
}

impl Format {
    /// The format at sizes.
    ///
    /// ```
    /// use tilework_formats::Format;
    /// let scales = Format::named("scale_128x4")?.at(&[("M", 300), ("S", 17)])?;
    /// assert_eq!((scales.shape(), scales.storage(), scales.bytes()), (&[300, 17][..], 7680, 7680));
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Size`] for sizes that the format does not admit, and for missing and unknown ones; [`Error::Layout`] where a number is beyond 64 bits.
    pub fn at(&self, sizes: &[(&str, i64)]) -> Result<Packed, Error> {
        self.check_sizes(sizes)?;
        if let Some(missing) = self.missing(sizes) {
            let (name, all) = (self.name(), self.axes_text());
            return Err(Error::Size(format!("the size {missing} is missing: {name} has the sizes {all}")));
        }
        Packed::new(self, sizes)
    }

    /// No other size, none twice, and each as its rules say, but for rules about sizes that are not given.
    pub(crate) fn check_sizes(&self, sizes: &[(&str, i64)]) -> Result<(), Error> {
        let refused = |message: String| Err(Error::Size(message));
        for (index, (given, _)) in sizes.iter().enumerate() {
            if !self.has_size(given) {
                let near = self.names().find(|own| own.eq_ignore_ascii_case(given));
                let near = near.map_or_else(String::new, |near| format!("give {near}; "));
                let (name, all) = (self.name(), self.axes_text());
                return refused(format!("there is no size {given}: {near}{name} has the sizes {all}"));
            }
            if sizes[..index].iter().any(|(other, _)| other == given) {
                return refused(format!("the size {given} is given twice"));
            }
        }
        for Axis { name, noun } in self.axes() {
            let Some(size) = given(name, sizes) else { continue };
            let mut least = 1;
            for rule in self.rules().iter().filter(|rule| rule.axis == *name) {
                let bounds = match rule.values(sizes) {
                    Some(bounds) => bounds,
                    None if sizes.len() < self.axes().len() => continue,
                    None => return refused(format!("`{rule}` has no integer of 64 bits at these sizes")),
                };
                if rule.kind == Kind::From {
                    least = bounds[0];
                }
                if size >= least
                    && let Some(refusal) = rule.refusal(size, &bounds, self.name(), noun)
                {
                    return refused(format!("{refusal}; {size} given"));
                }
            }
            if size < least {
                return refused(format!("{name} must be at least {least}; {size} given"));
            }
        }
        Ok(())
    }
}

impl Format {
    /// The array whose container has a shape, if its sizes follow from that: not those of formats that pad.
    ///
    /// ```
    /// use tilework_formats::Format;
    /// let packed = Format::named("awq_gemm")?.of_container(&[4096, 512])?;
    /// assert_eq!(packed.shape(), [4096, 4096]);
    /// assert!(Format::named("scale_128x4")?.of_container(&[128, 4]).is_err());
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Size`] where the sizes have to be given.
    pub fn of_container(&self, shape: &[i64]) -> Result<Packed, Error> {
        let refused = || {
            let (names, name) = (self.names().collect::<Vec<_>>().join(", "), self.name());
            Error::Size(format!("the sizes {names} of {name} do not follow from {shape:?}"))
        };
        let pads = self.rules().iter().any(|rule| rule.kind == Kind::To);
        let (_, texts) = self.container_parts()?.filter(|_| !pads).ok_or_else(refused)?;
        let of_axis =
            |own: &str| texts.iter().zip(shape).find_map(|(text, extent)| size_where(text, own, *extent));
        let size = |own| Some((own, of_axis(own)?));
        let sizes = self.names().map(size).collect::<Option<Vec<_>>>().ok_or_else(refused)?;
        let packed = self.at(&sizes)?;
        if packed.container()?.1 == shape { Ok(packed) } else { Err(refused()) }
    }

    /// The type of the container, and its extents with the names of sizes.
    fn container_parts(&self) -> Result<Option<(&str, Vec<&str>)>, Error> {
        let Some(text) = self.container() else { return Ok(None) };
        let parts = text.strip_suffix(']').and_then(|text| text.split_once(" ["));
        let wrong = || Error::Record(format!("`{text}` is no container, such as `int32 [K/8, N]`"));
        let (dtype, extents) = parts.ok_or_else(wrong)?;
        Ok(Some((dtype, extents.split(", ").collect())))
    }
}

impl Packed {
    fn new(format: &Format, sizes: &[(&str, i64)]) -> Result<Packed, Error> {
        let Places { scope, shape, storage, places } = Places::of(format, sizes)?;
        let values = scope.any_values(&[]);
        let integer = |number: &Number| {
            let (text, name) = (scope.number_text(number), format.name());
            number.as_integer().ok_or_else(|| Error::Record(format!("{text} of {name} is no integer")))
        };
        let shape = shape.iter().map(integer).collect::<Result<Vec<_>, _>>()?;
        let part = |place: Place| {
            let layouts = place.layouts().iter().map(|layout| layout.instance(&values));
            let layouts = layouts.collect::<Result<Vec<Composed>, _>>()?;
            let first = layouts.iter().take(1).map(Composed::layout);
            let modes = first.flat_map(|first| (0..first.rank()).map(|mode| first.mode(mode)));
            let (modes, scope, inverse) = (modes.collect::<Result<_, _>>()?, scope.clone(), OnceLock::new());
            Ok::<_, Error>(Part { place, layouts, modes, scope, inverse })
        };
        let parts = places.into_iter().map(part).collect::<Result<Vec<_>, _>>()?;
        let size = || parts[0].layouts.first().map(|first| first.layout().size());
        let storage = storage.as_ref().map(integer).transpose()?.or_else(size);
        let missing = || Error::Record(format!("{} has no `storage`", format.name()));
        let storage = storage.ok_or_else(missing)?;
        let sizes = sizes.iter().map(|(name, size)| (name.to_string(), *size)).collect();
        let packed =
            Packed { format: format.clone(), sizes, shape, storage, parts, elements: OnceLock::new() };
        packed.check_places()?;
        Ok(packed)
    }

    /// A layout of all elements has a place for each, in the storage.
    fn check_places(&self) -> Result<(), Error> {
        let Some((first, modes)) = self.only() else { return Ok(()) };
        let (name, text) = (self.format.name(), self.format.shape_text());
        let mut last = i128::from(first.offset());
        for ((mode, extent), axis) in modes.iter().zip(&self.shape).zip(text.split(", ")) {
            if mode.size() < *extent {
                let places = mode.size();
                return Err(Error::Record(format!(
                    "the layout of {name} has {places} places along {axis} = {extent}: {self}"
                )));
            }
            last += i128::from(last_of(mode, *extent)?);
        }
        match first.swizzle() == Swizzle::NONE && last >= self.storage.into() {
            true => Err(Error::Record(format!(
                "{name} has an element at offset {last}, and a storage of {} elements, which `storage` says: {self}",
                self.storage
            ))),
            false => Ok(()),
        }
    }

    /// The layout from all coordinates to the offsets, with its modes; none where it is none.
    pub(crate) fn only(&self) -> Option<(&Composed, &[Layout])> {
        match &self.parts[..] {
            [Part { place: Place { domain: None, .. }, layouts, modes, .. }] if layouts.len() == 1 => {
                Some((&layouts[0], modes))
            }
            _ => None,
        }
    }

    /// Whether different elements have different offsets, padding included; none where that is not known.
    #[cfg(feature = "bytes")]
    pub(crate) fn is_injective(&self) -> Option<bool> {
        self.only()?.0.is_injective().ok()
    }

    /// The format.
    #[must_use]
    pub fn format(&self) -> &Format {
        &self.format
    }

    /// The sizes by their names.
    pub fn sizes(&self) -> impl Iterator<Item = (&str, i64)> {
        self.sizes.iter().map(|(name, size)| (name.as_str(), *size))
    }

    /// The extents of the logical array.
    #[must_use]
    pub fn shape(&self) -> &[i64] {
        &self.shape
    }

    /// The number of elements in the storage, with the padding.
    #[must_use]
    pub fn storage(&self) -> i64 {
        self.storage
    }

    /// The number of bytes of the storage.
    #[must_use]
    pub fn bytes(&self) -> i64 {
        ((self.storage as i128 * self.format.element_bits() as i128 + 7) / 8).try_into().unwrap_or(i64::MAX)
    }

    /// Checks the number of bytes of an array.
    #[cfg(feature = "bytes")]
    pub(crate) fn check_length(&self, bytes: &[u8]) -> Result<(), Error> {
        let (name, wanted, given) = (self.format().name(), self.bytes(), bytes.len());
        match i64::try_from(given) == Ok(wanted) {
            true => Ok(()),
            false => Err(Error::Size(format!("{name} at these sizes is {wanted} bytes; {given} given"))),
        }
    }

    /// The type and the shape in which software stores it.
    ///
    /// ```
    /// use tilework_formats::Format;
    /// let packed = Format::named("gptq_4")?.at(&[("K", 64), ("N", 32)])?;
    /// assert_eq!(packed.container()?, ("int32".to_string(), vec![8, 32]));
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Record`] for a container that is not written as `int32 [K/8, N]`.
    pub fn container(&self) -> Result<(String, Vec<i64>), Error> {
        let Some((dtype, extents)) = self.format.container_parts()? else {
            return Ok(match self.format.element_bits() {
                ..8 => ("uint8".to_owned(), vec![self.bytes()]),
                bits => (format!("uint{bits}"), vec![self.storage]),
            });
        };
        let sizes: Vec<_> = self.sizes().collect();
        let extent = |text: &str| {
            let wrong = || Error::Record(format!("the extent {text} of a container is no integer"));
            integer_at(text, &sizes).ok_or_else(wrong)
        };
        Ok((dtype.to_owned(), extents.into_iter().map(extent).collect::<Result<_, _>>()?))
    }

    /// Checks the type of an array, as NumPy writes it, and its shape against those in which software stores it. Bytes are those
    /// of any type, unsigned integers those of any type of their width, and an array of more or fewer axes is a view of it.
    ///
    /// ```
    /// use tilework_formats::Format;
    /// let packed = Format::named("gptq_4")?.at(&[("K", 64), ("N", 32)])?;
    /// for (dtype, shape) in [("<i4", &[8, 32][..]), ("<u4", &[8, 32]), ("|u1", &[8, 128]), ("|u1", &[1024])] {
    ///     packed.check_container(dtype, shape)?;
    /// }
    /// let refused = |dtype, shape: &[i64]| packed.check_container(dtype, shape).unwrap_err().to_string();
    /// assert_eq!(refused("<i4", &[32, 8]), "gptq_4 is stored as int32 [8, 32], not as int32 [32, 8]");
    /// assert_eq!(refused("<f4", &[8, 32]), "gptq_4 is stored as int32 [8, 32], not as float32 [8, 32]");
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unlike`] for another type, and for other extents of as many bytes; [`Error::Record`] as for
    /// [`container`](Self::container).
    pub fn check_container(&self, dtype: &str, shape: &[i64]) -> Result<(), Error> {
        let (name, (stored, extents)) = (self.format.name(), self.container()?);
        let (own, bits) = type_of(&stored);
        let (kind, width) = dtype.trim_start_matches(['<', '|']).split_at_checked(1).unwrap_or_default();
        let width = width.parse::<i64>().unwrap_or(0);
        let kind = match kind {
            "i" => "int",
            "u" => "uint",
            "f" | "b" => "float",
            other => other,
        };
        let is_any = |kind: &str| ["uint", "V"].contains(&kind);
        let is_type = width == 1 || 8 * width == bits && (kind == own || is_any(kind) || is_any(own));
        let in_bytes = |shape: &[i64], width: i64| {
            shape.split_last().map(|(last, others)| [others, &[last.saturating_mul(width)]].concat())
        };
        let (wanted, given) = (in_bytes(&extents, bits / 8), in_bytes(shape, width));
        let bytes = given.iter().flatten().fold(1i64, |bytes, extent| bytes.saturating_mul(*extent));
        // Another number of bytes is told with the bytes.
        let is_view = given == wanted || shape.len() != extents.len() || bytes != self.bytes();
        match self.format.container().is_none() || is_type && is_view {
            true => Ok(()),
            false => Err(Error::Unlike(format!(
                "{name} is stored as {stored} {extents:?}, not as {kind}{} {shape:?}",
                8 * width
            ))),
        }
    }

    /// The axes that are padded: the name, the multiple, and the padded size.
    ///
    /// ```
    /// use tilework_formats::Format;
    /// let packed = Format::named("scale_128x4")?.at(&[("M", 300), ("S", 17)])?;
    /// assert_eq!(packed.padding()?, [("M", 128, 384), ("S", 4, 20)]);
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Layout`] beyond 64 bits.
    pub fn padding(&self) -> Result<Vec<(&str, i64, i64)>, Error> {
        let sizes: Vec<(&str, i64)> = self.sizes().collect();
        let padded = self.format.rules().iter().filter(|rule| rule.kind == Kind::To).map(|rule| {
            let (multiple, size) =
                (rule.values(&sizes).map_or(1, |own| own[0]), given(&rule.axis, &sizes).unwrap_or(1));
            let padded = size.checked_add(multiple - 1).map(|past| past - past % multiple);
            let padded = padded.ok_or(tilework::Error::TooLarge { what: "a padded size" })?;
            Ok((rule.axis.as_str(), multiple, padded))
        });
        padded.collect()
    }

    /// The number of elements of the logical array.
    ///
    /// # Errors
    /// [`Error::TooLarge`] beyond [`MAX_ELEMENTS`].
    pub fn count(&self) -> Result<i64, Error> {
        let count = self.shape.iter().try_fold(1i64, |count, extent| count.checked_mul(*extent));
        let message = || format!("{MAX_ELEMENTS} elements at most are listed; {:?} has more", self.shape);
        count.filter(|count| *count <= MAX_ELEMENTS).ok_or_else(|| Error::TooLarge(message()))
    }

    /// The offset of an element, in elements; none for an element that is not stored.
    ///
    /// # Errors
    /// [`Error::Outside`] for a coordinate outside the logical array; [`Error::Layout`] beyond 64 bits.
    pub fn offset(&self, coordinate: &[i64]) -> Result<Option<i64>, Error> {
        if coordinate.len() != self.shape.len() {
            let (wanted, axes, given) = (self.shape.len(), self.format.shape_text(), coordinate.len());
            let message = format!("an element has {wanted} indices, ({axes}); {given} given");
            return Err(Error::Outside(message));
        }
        let inside = coordinate.iter().zip(&self.shape).all(|(index, extent)| (0..*extent).contains(index));
        if !inside {
            let (element, shape) = (coordinate_text(coordinate), &self.shape);
            return Err(Error::Outside(format!("there is no element {element} in the shape {shape:?}")));
        }
        for part in &self.parts {
            if part.has(coordinate)? {
                return part.offset(coordinate).map(Some);
            }
        }
        Ok(None)
    }

    /// The offsets of all elements, the last axis fastest; -1 for elements that are not stored.
    ///
    /// ```
    /// use tilework_formats::Format;
    /// let packed = Format::named("awq_gemm")?.at(&[("K", 1), ("N", 8)])?;
    /// assert_eq!(packed.offsets()?, [0, 4, 1, 5, 2, 6, 3, 7]);
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::TooLarge`] for more than [`MAX_ELEMENTS`]; [`Error::Layout`] beyond 64 bits.
    pub fn offsets(&self) -> Result<Vec<i64>, Error> {
        self.count()?;
        coordinates(&self.shape).map(|element| Ok(self.offset(&element)?.unwrap_or(-1))).collect()
    }

    /// The element that is stored at an offset, or none for padding and for what other pieces of a block have there; of
    /// several elements, the first.
    ///
    /// # Errors
    /// [`Error::Outside`] for an offset outside the storage; [`Error::TooLarge`] for more than [`MAX_ELEMENTS`] elements
    /// of a layout without an inverse.
    pub fn coordinate(&self, offset: i64) -> Result<Option<Vec<i64>>, Error> {
        if !(0..self.storage).contains(&offset) {
            let (name, last) = (self.format.name(), self.storage - 1);
            return Err(Error::Outside(format!("{name} has the offsets 0 to {last}; {offset} given")));
        }
        let elements = self.inverted(offset)?.map_or_else(|| self.enumerated(offset..=offset), Ok)?;
        Ok(elements.into_iter().next())
    }

    /// The elements that are stored at an offset, by the inverses of its layouts; none if one has no inverse.
    fn inverted(&self, offset: i64) -> Result<Option<Vec<Vec<i64>>>, Error> {
        let mut elements = Vec::new();
        for part in &self.parts {
            let Some(inverse) = part.inverse() else { return Ok(None) };
            if let Some(coordinate) = part.coordinate(inverse, offset)
                && coordinate.iter().zip(&self.shape).all(|(index, extent)| index < extent)
                && self.offset(&coordinate)? == Some(offset)
            {
                elements.push(coordinate);
            }
        }
        elements.sort();
        elements.dedup();
        Ok(Some(elements))
    }

    /// The elements that are stored at offsets, in the order of the offsets.
    ///
    /// # Errors
    /// [`Error::TooLarge`] for more than [`MAX_ELEMENTS`] elements of a layout without an inverse.
    pub(crate) fn elements_at(&self, offsets: RangeInclusive<i64>) -> Result<Vec<Vec<i64>>, Error> {
        if self.parts.iter().all(Part::is_injective) {
            let inverted = offsets.clone().map(|offset| self.inverted(offset));
            if let Some(inverted) = inverted.collect::<Result<Option<Vec<_>>, _>>()? {
                return Ok(inverted.concat());
            }
        }
        self.enumerated(offsets)
    }

    fn enumerated(&self, offsets: RangeInclusive<i64>) -> Result<Vec<Vec<i64>>, Error> {
        if self.elements.get().is_none() {
            let mut all: Vec<(i64, i64)> = self.offsets()?.into_iter().zip(0..).collect();
            all.sort_unstable();
            let _ = self.elements.set(all);
        }
        let all = self.elements.get().map_or(&[][..], Vec::as_slice);
        let own = &all[all.partition_point(|(offset, _)| offset < offsets.start())..];
        let own = own.iter().take_while(|(offset, _)| offset <= offsets.end());
        Ok(own.map(|(_, index)| coordinate_of(*index, &self.shape)).collect())
    }

    /// The conditions without what all its elements fulfil; [`tilework::Error::Fact`] where none fulfils them.
    fn reduced(&self, part: &Part, domain: &Guard) -> Result<Option<String>, Error> {
        let mut scope = part.scope.clone();
        coordinate(&mut scope, &self.shape.iter().map(|extent| (*extent).into()).collect::<Vec<_>>())?;
        let domain = scope.adopt(part.scope.declared()).guard(domain)?;
        let domain = scope.reduced(&domain)?;
        Ok((!domain.is_always()).then(|| scope.guard_text(&domain)))
    }
}

/// The kind and the bits of the elements of a container: `int` and 32 of `int32`.
///
/// ```
/// assert_eq!(tilework_formats::type_of("float16"), ("float", 16));
/// ```
#[must_use]
pub fn type_of(dtype: &str) -> (&str, i64) {
    let (kind, bits) = dtype.split_at(dtype.trim_end_matches(|digit: char| digit.is_ascii_digit()).len());
    (kind, bits.parse().unwrap_or(8))
}

/// The largest offset of so many indices, where no stride is negative: the last index, or the last of whole steps of a leaf.
fn last_of(mode: &Layout, count: i64) -> Result<i64, Error> {
    let (mut step, mut last) = (1, 0);
    for leaf in mode.leaves() {
        last = last.max(mode.try_at((count / step * step - 1).max(0))?);
        step *= leaf.extent;
    }
    Ok(last)
}

/// An element as it is written: `(0,1)`.
///
/// ```
/// assert_eq!(tilework_formats::coordinate_text(&[0, 1]), "(0,1)");
/// ```
#[must_use]
pub fn coordinate_text(coordinate: &[i64]) -> String {
    let indices: Vec<String> = coordinate.iter().map(i64::to_string).collect();
    format!("({})", indices.join(","))
}

/// The coordinate of a number of an element, the last axis fastest.
pub(crate) fn coordinate_of(mut index: i64, shape: &[i64]) -> Vec<i64> {
    let mut coordinate = vec![0; shape.len()];
    for (own, extent) in coordinate.iter_mut().zip(shape).rev() {
        (*own, index) = (index % extent, index / extent);
    }
    coordinate
}

/// All coordinates, the last axis fastest.
pub(crate) fn coordinates(shape: &[i64]) -> impl Iterator<Item = Vec<i64>> {
    (0..shape.iter().product()).map(|index| coordinate_of(index, shape))
}

impl Part {
    /// The value of the names at a coordinate.
    fn values(&self, coordinate: &[i64]) -> Values {
        let named: Vec<_> = COORDINATES.into_iter().zip(coordinate.iter().copied()).collect();
        self.scope.any_values(&named)
    }

    /// Whether the conditions hold.
    fn has(&self, coordinate: &[i64]) -> Result<bool, Error> {
        let Some(domain) = &self.place.domain else { return Ok(true) };
        Ok(self.scope.holds(domain, &self.values(coordinate))?)
    }

    fn offset(&self, coordinate: &[i64]) -> Result<i64, Error> {
        if let Offsets::Polynomial(number) = &self.place.offsets {
            let value = self.scope.value(number, &self.values(coordinate))?;
            return value.ok_or_else(|| Error::Record("an offset is no integer".to_owned()));
        }
        let overflow = || Error::Layout(tilework::Error::TooLarge { what: "an offset" });
        let mut sum = 0i64;
        for (mode, index) in self.modes.iter().zip(coordinate) {
            sum = sum.checked_add(mode.try_at(*index)?).ok_or_else(overflow)?;
        }
        let first = &self.layouts[0];
        let mut offset = first.swizzle().apply(sum.checked_add(first.offset()).ok_or_else(overflow)?)?;
        for layout in &self.layouts[1..] {
            offset = layout.try_at(offset)?;
        }
        Ok(offset)
    }

    /// Whether each of its layouts is one-to-one.
    fn is_injective(&self) -> bool {
        self.layouts.iter().all(|layout| layout.layout().is_injective() == Ok(true))
    }

    /// The left inverse of its layout, if there is one and no other layout behind it. Of several elements at an offset it has
    /// the first, which may not fulfil the conditions.
    fn inverse(&self) -> Option<&Layout> {
        let find = || match &self.layouts[..] {
            [only] if self.place.domain.is_none() || self.is_injective() => only.layout().left_inverse().ok(),
            _ => None,
        };
        self.inverse.get_or_init(find).as_ref()
    }

    /// What the inverse has at an offset, which may be no element of the layout.
    fn coordinate(&self, inverse: &Layout, offset: i64) -> Option<Vec<i64>> {
        let first = self.layouts.first()?;
        // A swizzle is its own inverse.
        let offset = first.swizzle().apply(offset).ok()?.checked_sub(first.offset())?;
        let mut index = inverse.try_at(offset).ok().filter(|index| *index >= 0)?;
        let digit = |mode: &Layout| {
            let digit = index % mode.size();
            index /= mode.size();
            digit
        };
        Some(self.modes.iter().map(digit).collect())
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place.offsets {
            Offsets::Layouts(layouts) => {
                let texts = layouts.iter().rev().map(Placed::to_string);
                f.write_str(&texts.collect::<Vec<_>>().join(" o "))
            }
            Offsets::Polynomial(number) => f.write_str(&self.scope.number_text(number)),
        }
    }
}

impl fmt::Debug for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.format.name())?;
        self.sizes.iter().try_for_each(|(name, size)| write!(f, " {name}={size}"))?;
        write!(f, ": {self}")
    }
}

impl fmt::Display for Packed {
    /// The layouts at the sizes, with the conditions that some elements do not fulfil, and without layouts that no element has.
    ///
    /// ```
    /// use tilework_formats::Format;
    /// let packed = Format::named("fbgemm_fp16")?.at(&[("K", 2), ("N", 2)])?;
    /// assert_eq!(packed.to_string(), "((512,1),(16,1)):((16,8192),(1,32))");
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for part in &self.parts {
            let conditions = match &part.place.domain {
                None => None,
                Some(domain) => match self.reduced(part, domain) {
                    Err(Error::Layout(tilework::Error::Fact { .. })) => continue,
                    reduced => reduced.unwrap_or_else(|_| Some(part.scope.guard_text(domain))),
                },
            };
            write!(f, "{separator}{part}")?;
            conditions.iter().try_for_each(|conditions| write!(f, " where {conditions}"))?;
            separator = ", otherwise ";
        }
        Ok(())
    }
}
