//! A format at sizes.

#[cfg(feature = "bytes")]
pub(crate) mod tables;

use crate::error::Error;
use crate::format::{Format, renamed, size_of};
use crate::place::{COORDINATES, Offsets, Place, Places};
use crate::rule::{Kind, Rule};
use std::fmt;
use std::sync::OnceLock;
use tilework::{Composed, Layout, Swizzle};
use tilework_symbolic::{Guard, Number, Scope};

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
    /// The index of the element at each offset, or none; only where a layout has no inverse.
    elements: OnceLock<Vec<Option<i64>>>,
}

/// A text at sizes.
struct Part {
    domain: Option<Guard>,
    start: Start,
    /// The names in the conditions and the polynomial.
    scope: Scope,
    inverse: OnceLock<Option<Layout>>,
}

enum Start {
    /// The first takes the coordinate, by its modes; each other takes an offset.
    Layouts {
        layouts: Vec<Composed>,
        modes: Vec<Layout>,
    },
    Polynomial(Number),
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
        self.check_names(sizes)?;
        let mut scope = self.scope()?;
        let values = scope.any_values(sizes);
        for axis in self.axes() {
            let size = size_of(&axis.name, sizes);
            let of_axis = || self.rules().iter().filter(|rule| rule.axis == axis.name);
            let mut least = 1;
            for rule in of_axis() {
                let bounds = rule.values(&mut scope, &values)?;
                if rule.kind == Kind::From {
                    least = bounds[0];
                }
                if size >= least
                    && let Some(refusal) = rule.refusal(size, &bounds, self.name(), &axis.noun)
                {
                    return Err(Error::Size(format!("{refusal}; {size} given")));
                }
            }
            if size < least {
                let name = &axis.name;
                return Err(Error::Size(format!("{name} must be at least {least}; {size} given")));
            }
        }
        Packed::new(self, sizes)
    }

    /// Every size once, and no other.
    fn check_names(&self, sizes: &[(&str, i64)]) -> Result<(), Error> {
        let name = self.name();
        let all = || format!("{name} has the sizes {}", self.axes_text());
        for (index, (given, _)) in sizes.iter().enumerate() {
            if !self.has_size(given) {
                return Err(Error::Size(format!("there is no size {given}: {}", all())));
            }
            if sizes[..index].iter().any(|(other, _)| other == given) {
                return Err(Error::Size(format!("the size {given} is given twice")));
            }
        }
        match self.names().find(|name| sizes.iter().all(|(given, _)| name != given)) {
            Some(missing) => Err(Error::Size(format!("the size {missing} is missing: {}", all()))),
            None => Ok(()),
        }
    }
}

/// A size that all parts of an extent of a container divide.
const UNIT: i64 = 1 << 20;

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
        let mut scope = self.scope()?;
        let values = scope.any_values(&self.names().map(|name| (name, UNIT)).collect::<Vec<_>>());
        let has = |text: &str, own: &str| renamed(text, |name| (name == own).then(String::new)) != text;
        // By an extent that has no other name: a size is as many times larger than the unit as it is.
        let mut size = |own| {
            let is_own = |text: &str| self.names().all(|name| has(text, name) == (name == own));
            let (text, extent) = texts.iter().zip(shape).find(|(text, _)| is_own(text))?;
            let number = scope.number(text).ok()?;
            Some((own, extent.checked_mul(UNIT)?.checked_div(scope.value(&number, &values).ok()??)?))
        };
        let sizes = self.names().map(&mut size).collect::<Option<Vec<_>>>().ok_or_else(refused)?;
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
        let values = scope.any_values(sizes);
        let integer = |number: &Number| {
            let name = format.name();
            let fraction = || Error::Record(format!("{} of {name} is no integer", scope.number_text(number)));
            scope.value(number, &values)?.ok_or_else(fraction)
        };
        let shape = shape.iter().map(integer).collect::<Result<Vec<_>, _>>()?;
        let part = |place: Place| {
            let start = match place.offsets {
                Offsets::Layouts(layouts) => {
                    let layouts = layouts.iter().map(|layout| layout.instance(&values));
                    let layouts = layouts.collect::<Result<Vec<_>, _>>()?;
                    let first = layouts[0].layout();
                    let modes = (0..first.rank()).map(|mode| first.mode(mode)).collect::<Result<_, _>>()?;
                    Start::Layouts { layouts, modes }
                }
                Offsets::Polynomial(number) => Start::Polynomial(number),
            };
            let (domain, scope, inverse) = (place.domain, scope.clone(), OnceLock::new());
            Ok::<_, Error>(Part { domain, start, scope, inverse })
        };
        let parts = places.into_iter().map(part).collect::<Result<Vec<_>, _>>()?;
        let storage = match (&storage, &parts[..]) {
            (Some(storage), _) => integer(storage)?,
            (None, [Part { start: Start::Layouts { layouts, .. }, .. }, ..]) => layouts[0].layout().size(),
            _ => return Err(Error::Record(format!("{} has no `storage`", format.name()))),
        };
        let sizes = sizes.iter().map(|(name, size)| (name.to_string(), *size)).collect();
        Ok(Packed { format: format.clone(), sizes, shape, storage, parts, elements: OnceLock::new() })
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
        let mut scope = self.format.scope()?;
        let values = scope.any_values(&self.sizes().collect::<Vec<_>>());
        let extent = |text: &str| {
            let number = scope.number(text)?;
            let wrong = || Error::Record(format!("the extent {text} of a container is no integer"));
            scope.value(&number, &values)?.ok_or_else(wrong)
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
        let parts = |text: &str| {
            let at = text.find(|letter: char| letter.is_ascii_digit()).unwrap_or(text.len());
            (text[..at].to_owned(), text[at..].parse::<i64>().unwrap_or(0))
        };
        let ((own, bits), (kind, width)) = (parts(&stored), parts(dtype.trim_start_matches(['<', '|'])));
        let kind = match kind.as_str() {
            "i" => "int",
            "u" => "uint",
            "f" | "b" => "float",
            other => other,
        };
        let is_any = |kind: &str| ["uint", "V"].contains(&kind);
        let is_type = width == 1 || 8 * width == bits && (kind == own || is_any(kind) || is_any(&own));
        let in_bytes = |shape: &[i64], width: i64| {
            let mut shape = shape.to_vec();
            shape.last_mut().into_iter().for_each(|last| *last = last.saturating_mul(width));
            let bytes = shape.iter().fold(1i64, |bytes, extent| bytes.saturating_mul(*extent));
            (shape, bytes)
        };
        let ((wanted, _), (given, bytes)) = (in_bytes(&extents, bits / 8), in_bytes(shape, width));
        // Another number of bytes is told with the bytes.
        let is_view = given == wanted || given.len() != wanted.len() || bytes != self.bytes();
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
        let mut scope = self.format.scope()?;
        let values = scope.any_values(&sizes);
        let padded = self.format.rules().iter().filter(|rule| rule.kind == Kind::To);
        let multiple = |rule: &'_ Rule| {
            let (multiple, size) = (rule.values(&mut scope, &values)?[0], size_of(&rule.axis, &sizes));
            let padded = size.checked_add(multiple - 1).map(|past| past - past % multiple);
            let padded = padded.ok_or(tilework::Error::TooLarge { what: "a padded size" })?;
            Ok::<_, Error>((multiple, padded))
        };
        let sizes = padded.clone().map(multiple).collect::<Result<Vec<_>, _>>()?;
        Ok(padded.zip(sizes).map(|(rule, (multiple, size))| (rule.axis.as_str(), multiple, size)).collect())
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
        let inside = coordinate.len() == self.shape.len()
            && coordinate.iter().zip(&self.shape).all(|(index, extent)| (0..*extent).contains(index));
        if !inside {
            let (element, shape) = (coordinate_text(coordinate), &self.shape);
            return Err(Error::Outside(format!("there is no element {element} in the shape {shape:?}")));
        }
        for part in &self.parts {
            if part.has(coordinate, &self.sizes)? {
                return part.offset(coordinate, &self.sizes).map(Some);
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
        let count = self.count()?;
        let mut coordinate = vec![0; self.shape.len()];
        let mut offsets = Vec::with_capacity(count as usize);
        for _ in 0..count {
            offsets.push(self.offset(&coordinate)?.unwrap_or(-1));
            advance(&mut coordinate, &self.shape);
        }
        Ok(offsets)
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
        let inverses = self.parts.iter().map(|part| Some((part, part.inverse()?)));
        let Some(inverses) = inverses.collect::<Option<Vec<_>>>() else {
            return self.enumerated(offset);
        };
        for (part, inverse) in inverses {
            let coordinate = part.coordinate(inverse, offset);
            if let Some(coordinate) = coordinate
                && coordinate.iter().zip(&self.shape).all(|(index, extent)| index < extent)
                && self.offset(&coordinate)? == Some(offset)
            {
                return Ok(Some(coordinate));
            }
        }
        Ok(None)
    }

    fn enumerated(&self, offset: i64) -> Result<Option<Vec<i64>>, Error> {
        if self.elements.get().is_none() {
            if self.storage > MAX_ELEMENTS {
                let message = format!("an inverse of {MAX_ELEMENTS} elements at most is listed");
                return Err(Error::TooLarge(message));
            }
            let mut elements = vec![None; self.storage as usize];
            for (index, offset) in self.offsets()?.into_iter().enumerate().rev() {
                if let Some(element) = elements.get_mut(offset as usize) {
                    *element = Some(index as i64);
                }
            }
            let _ = self.elements.set(elements);
        }
        let index = self.elements.get().and_then(|elements| elements[offset as usize]);
        Ok(index.map(|index| self.element(index)))
    }

    /// The coordinate of a number of an element, the last axis fastest.
    pub(crate) fn element(&self, mut index: i64) -> Vec<i64> {
        let mut coordinate: Vec<i64> = Vec::new();
        for extent in self.shape.iter().rev() {
            coordinate.push(index % extent);
            index /= extent;
        }
        coordinate.reverse();
        coordinate
    }

    /// The conditions at its sizes without what all its elements fulfil; [`tilework::Error::Fact`] where none fulfils them.
    fn reduced(&self, part: &Part, domain: &Guard) -> Result<Option<String>, tilework::Error> {
        let (mut scope, sizes) = (Scope::new(), self.sizes().collect::<Vec<_>>());
        for (name, extent) in COORDINATES.iter().zip(&self.shape) {
            scope.declare(name)?;
            scope.assume(&format!("{name} >= 0, {name} < {extent}"))?;
        }
        let domain = scope.adopt(part.scope.declared()).at(&sizes).guard(domain)?;
        let domain = scope.reduced(&domain)?;
        Ok((!domain.is_always()).then(|| scope.guard_text(&domain)))
    }
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

/// The next coordinate, the last axis fastest.
pub(crate) fn advance(coordinate: &mut [i64], shape: &[i64]) {
    for (index, extent) in coordinate.iter_mut().zip(shape).rev() {
        *index += 1;
        if *index < *extent {
            return;
        }
        *index = 0;
    }
}

impl Part {
    /// The value of the names at a coordinate.
    fn named<'a>(&self, coordinate: &[i64], sizes: &'a [(String, i64)]) -> Vec<(&'a str, i64)> {
        let sizes = sizes.iter().map(|(name, size)| (name.as_str(), *size));
        sizes.chain(COORDINATES.into_iter().zip(coordinate.iter().copied())).collect()
    }

    /// Whether the conditions hold.
    fn has(&self, coordinate: &[i64], sizes: &[(String, i64)]) -> Result<bool, Error> {
        let Some(domain) = &self.domain else { return Ok(true) };
        let values = self.scope.any_values(&self.named(coordinate, sizes));
        Ok(self.scope.holds(domain, &values)?)
    }

    fn offset(&self, coordinate: &[i64], sizes: &[(String, i64)]) -> Result<i64, Error> {
        let overflow = || Error::Layout(tilework::Error::TooLarge { what: "an offset" });
        match &self.start {
            Start::Layouts { layouts, modes } => {
                let mut sum = 0i64;
                for (mode, index) in modes.iter().zip(coordinate) {
                    sum = sum.checked_add(mode.try_at(*index)?).ok_or_else(overflow)?;
                }
                let mut offset = placed(&layouts[0], sum)?;
                for layout in &layouts[1..] {
                    offset = layout.try_at(offset)?;
                }
                Ok(offset)
            }
            Start::Polynomial(number) => {
                let values = self.scope.any_values(&self.named(coordinate, sizes));
                let value = self.scope.value(number, &values)?;
                value.ok_or_else(|| Error::Record("an offset is no integer".to_owned()))
            }
        }
    }

    /// The left inverse of its layout, if there is one and no other layout behind it.
    fn inverse(&self) -> Option<&Layout> {
        let find = || match (&self.start, &self.domain) {
            (Start::Layouts { layouts, .. }, None) if layouts.len() == 1 => {
                layouts[0].layout().left_inverse().ok()
            }
            _ => None,
        };
        self.inverse.get_or_init(find).as_ref()
    }

    /// What the inverse has at an offset, which may be no element of the layout.
    fn coordinate(&self, inverse: &Layout, offset: i64) -> Option<Vec<i64>> {
        let Start::Layouts { layouts, modes } = &self.start else { return None };
        // A swizzle is its own inverse.
        let offset = layouts[0].swizzle().apply(offset).ok()?.checked_sub(layouts[0].offset())?;
        let mut index = inverse.try_at(offset).ok().filter(|index| *index >= 0)?;
        let digit = |mode: &Layout| {
            let digit = index % mode.size();
            index /= mode.size();
            digit
        };
        Some(modes.iter().map(digit).collect())
    }
}

/// The offset and the swizzle of a layout, after what the layout has.
fn placed(layout: &Composed, offset: i64) -> Result<i64, Error> {
    let overflow = Error::Layout(tilework::Error::TooLarge { what: "an offset" });
    Ok(layout.swizzle().apply(offset.checked_add(layout.offset()).ok_or(overflow)?)?)
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.start {
            Start::Layouts { layouts, .. } => {
                for (index, layout) in layouts.iter().enumerate().rev() {
                    match (layout.swizzle(), layout.offset()) {
                        (Swizzle::NONE, 0) => write!(f, "{}", layout.layout())?,
                        (Swizzle::NONE, offset) => write!(f, "{{{offset}}} o {}", layout.layout())?,
                        _ => write!(f, "{layout}")?,
                    }
                    f.write_str(if index > 0 { " o " } else { "" })?;
                }
            }
            Start::Polynomial(number) => f.write_str(&self.scope.number_text(number))?,
        }
        Ok(())
    }
}

impl fmt::Debug for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.format.name())?;
        self.sizes.iter().try_for_each(|(name, size)| write!(f, " {name}={size}"))?;
        write!(f, ": {self:#}")
    }
}

impl fmt::Display for Packed {
    /// The layouts at the sizes, with the conditions of the format; as `{:#}` with the conditions at the sizes, and without
    /// layouts that no element has.
    ///
    /// ```
    /// use tilework_formats::Format;
    /// let packed = Format::named("fbgemm_fp16")?.at(&[("K", 2), ("N", 2)])?;
    /// assert_eq!(format!("{packed:#}"), "((512,1),(16,1)):((16,8192),(1,32))");
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for part in &self.parts {
            let general = || part.domain.as_ref().map(|domain| part.scope.guard_text(domain));
            let conditions = match &part.domain {
                Some(domain) if f.alternate() => match self.reduced(part, domain) {
                    Err(tilework::Error::Fact { .. }) => continue,
                    reduced => reduced.unwrap_or_else(|_| general()),
                },
                _ => general(),
            };
            write!(f, "{separator}{part}")?;
            conditions.iter().try_for_each(|conditions| write!(f, " where {conditions}"))?;
            separator = ", otherwise ";
        }
        Ok(())
    }
}
