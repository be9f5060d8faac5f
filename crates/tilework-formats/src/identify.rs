//! Which format has given offsets.

use crate::error::Error;
use crate::format::{Format, choices};
use crate::packed::{Packed, coordinates};
use crate::place::{COORDINATES, Places};
use crate::sizes::{given, size_where};
use crate::table::search;
use tilework::View;
use tilework_symbolic::{Guard, Number, Scope};

/// The most offsets that are looked up.
const MAX_OFFSETS: usize = 1 << 22;

/// The most choices of sizes of a format that are tried.
const MAX_CHOICES: usize = 100_000;

/// Sizes that no extent tells: these, and where a format has at most two such axes, all up to a limit.
const FREE: [i64; 21] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 24, 32, 64, 96, 128, 256, 384, 512, 1024];
const MAX_FREE: i64 = 64;

/// What has given offsets.
#[derive(Debug)]
pub struct Identified {
    /// The formats with their sizes, in the order of the table.
    pub formats: Vec<Packed>,
    /// The formats of which they are the inverse: at each place of the storage the number of the element there, -1 for padding.
    pub inverses: Vec<Packed>,
    /// A layout with an offset from the number of an element, the last axis fastest, or why there is none.
    pub layout: Result<View, tilework::Error>,
}

/// The formats that have these offsets for elements with the last axis fastest, -1 for those that are not stored; only
/// those that [`search`] finds by the words. The shape is that of the array, where it is known; of one axis, it is any with as many elements.
///
/// ```
/// use tilework_formats::identify;
/// let found = identify(&[0, 4, 1, 5, 2, 6, 3, 7], Some(&[1, 8]), &["awq"])?;
/// assert_eq!(format!("{:?}", found.formats[0]), "awq_gemm K=1 N=8: (1,(2,4,1)):(8,(4,1,8))");
/// let found = identify(&[0, 2, 4, 6, 1, 3, 5, 7], None, &["awq_gemm"])?;
/// assert_eq!((found.formats.len(), found.inverses[0].format().name()), (0, "awq_gemm"));
/// let found = identify(&[8, 9, 0, 1], None, &["marlin"])?;
/// assert_eq!((found.formats.len(), found.layout.unwrap().to_string()), (0, "{8} o (2,2):(1,-8)".to_string()));
/// # Ok::<(), tilework_formats::Error>(())
/// ```
///
/// # Errors
/// [`Error::Size`] for no offsets, and where a shape has not as many elements; [`Error::TooLarge`] for more offsets than are
/// looked up; [`Error::Name`] for words that no format has.
pub fn identify(
    offsets: &[i64],
    shape: Option<&[i64]>,
    words: &[impl AsRef<str>],
) -> Result<Identified, Error> {
    let given = offsets.len();
    if given == 0 {
        return Err(Error::Size("the offset of one element or more is needed; none is given".to_owned()));
    }
    let count = |shape: &[i64]| shape.iter().try_fold(1i64, |count, extent| count.checked_mul(*extent));
    if let Some(shape) = shape.filter(|shape| count(shape) != Some(given as i64)) {
        return Err(Error::Size(format!(
            "{given} offsets are given, and the shape {shape:?} has not as many elements"
        )));
    }
    if given > MAX_OFFSETS {
        return Err(Error::TooLarge(format!("{MAX_OFFSETS} offsets at most are looked up; {given} given")));
    }
    // One axis is no more than the count: tables of offsets are kept so.
    let shape = shape.filter(|shape| shape.len() > 1);
    if search(words).next().is_none() {
        let name = words.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(" ");
        return Err(Error::Name { name, near: Vec::new() });
    }
    let found = |offsets: &[i64], shape: Option<&[i64]>| {
        let count = offsets.len() as i64;
        let divisors: Vec<i64> = (1..=count).filter(|divisor| count % divisor == 0).collect();
        let all = search(words).filter_map(|format| Search::new(format, offsets, shape)?.found(&divisors));
        all.collect::<Vec<_>>()
    };
    let mut inverses = inverse(offsets).map_or_else(Vec::new, |own| found(&own, None));
    inverses.retain(|packed| packed.storage() == given as i64);
    Ok(Identified { formats: found(offsets, shape), inverses, layout: View::from_image(offsets) })
}

/// Where each number is among others, -1 for one that is not; none where that is the same, and for what is no numbers of places.
fn inverse(numbers: &[i64]) -> Option<Vec<i64>> {
    let count =
        numbers.iter().max()?.checked_add(1).filter(|count| (1..=numbers.len() as i64).contains(count))?;
    let mut places = vec![-1; usize::try_from(count).ok()?];
    for (number, place) in numbers.iter().zip(0..).filter(|(number, _)| **number != -1) {
        let own = places.get_mut(usize::try_from(*number).ok()?)?;
        if std::mem::replace(own, place) != -1 {
            return None;
        }
    }
    (places != numbers).then_some(places)
}

/// The sizes at which a format has offsets. Its texts are read once: most choices of sizes have another shape, or the half of an axis
/// elsewhere.
struct Search<'a> {
    format: &'a Format,
    offsets: &'a [i64],
    shape: Option<&'a [i64]>,
    /// Of each extent that has one name, the name and the size at which it is 1.
    ones: Vec<Option<(&'a str, i64)>>,
    scope: Scope,
    /// With their names; none where the texts depend on the sizes.
    extents: Vec<(Number, Vec<String>)>,
    /// Of an element, in order: where it has the offset.
    cases: Vec<(Guard, Number)>,
}

impl<'a> Search<'a> {
    /// None where the shape has another number of axes.
    fn new(format: &'a Format, offsets: &'a [i64], shape: Option<&'a [i64]>) -> Option<Search<'a>> {
        let one = |text: &str| format.names().find_map(|name| Some((name, size_where(text, name, 1)?)));
        let ones: Vec<_> = format.shape_text().split(", ").map(one).collect();
        if shape.is_some_and(|shape| shape.len() != ones.len()) {
            return None;
        }
        let places = if format.is_expanded() { None } else { Some(Places::of(format, &[]).ok()?) };
        let mut scope = places.as_ref().map(|own| own.scope.clone()).unwrap_or_default();
        let cases = places.as_ref().and_then(|own| own.cases(&mut scope).ok()).unwrap_or_default();
        let all = places.iter().flat_map(|own| &own.shape);
        let extents =
            all.map(|own| (own.clone(), scope.names_in([own]).map(str::to_owned).collect())).collect();
        Some(Search { format, offsets, shape, ones, scope, extents, cases })
    }

    /// The axis whose extent tells a size, and the size at which it is 1.
    fn told(&self, name: &str) -> Option<(usize, i64)> {
        let mut axes = self.ones.iter().zip(0..);
        axes.find_map(|(one, axis)| one.filter(|own| own.0 == name).map(|own| (axis, own.1)))
    }

    /// The values of a size that are tried.
    fn values(&self, name: &str, divisors: &[i64]) -> Vec<i64> {
        let free = || self.format.names().filter(|name| self.told(name).is_none()).count();
        let all: Vec<i64> = match (self.told(name), self.shape) {
            (Some((axis, one)), Some(shape)) => vec![shape[axis].saturating_mul(one)],
            (Some((_, one)), None) => divisors.iter().map(|extent| extent.saturating_mul(one)).collect(),
            (None, _) if free() > 2 => FREE.to_vec(),
            (None, _) => (0..=MAX_FREE).chain(FREE.into_iter().filter(|size| *size > MAX_FREE)).collect(),
        };
        all.into_iter().filter(|size| self.format.check_sizes(&[(name, *size)]).is_ok()).collect()
    }

    /// Whether the extents whose names all have sizes divide the count, and are those of the shape.
    fn is_kept(&self, choice: &[(&str, i64)]) -> bool {
        let extent = |axis: usize| match (self.ones[axis], self.extents.get(axis)) {
            (Some((name, one)), _) => Some(given(name, choice)? / one),
            (None, Some((extent, names))) if names.iter().all(|name| given(name, choice).is_some()) => {
                Some(self.scope.value(extent, &self.scope.any_values(choice)).ok()?.unwrap_or(0))
            }
            _ => None,
        };
        let mut known = (0..self.ones.len()).filter_map(|axis| Some((axis, extent(axis)?)));
        let divided = known.try_fold(self.offsets.len() as i64, |rest, (axis, extent)| {
            let is_own = self.shape.is_none_or(|shape| shape[axis] == extent);
            (is_own && extent > 0 && rest % extent == 0).then(|| rest / extent)
        });
        divided.is_some()
    }

    /// Whether there are as many elements, and those at the halves of each axis are where they have to be.
    fn fits(&self, sizes: &[(&str, i64)]) -> bool {
        let (scope, offsets, values) = (&self.scope, self.offsets, self.scope.any_values(sizes));
        let extents = self.extents.iter().map(|(extent, _)| scope.value(extent, &values).ok()?);
        let are_all = |own: &Vec<i64>| own.is_empty() || own.iter().product::<i64>() == offsets.len() as i64;
        let Some(extents) = extents.collect::<Option<_>>().filter(are_all) else { return false };
        let offset = |axis: usize, index: i64| {
            let at = |(own, name): (usize, &'static &str)| (*name, if own == axis { index } else { 0 });
            let element = sizes.iter().copied().chain(COORDINATES.iter().enumerate().map(at));
            let values = scope.any_values(&element.collect::<Vec<_>>());
            let own = self.cases.iter().find(|(domain, _)| scope.holds(domain, &values) == Ok(true));
            own.map_or(Ok(Some(-1)), |(_, own)| scope.value(own, &values))
        };
        self.cases.is_empty()
            || (0..extents.len()).all(|axis| {
                let stride: i64 = extents[axis + 1..].iter().product();
                let mut halves = (1..64).map(|times| extents[axis] >> times).take_while(|half| *half > 0);
                halves.all(|half| offset(axis, half) == Ok(Some(offsets[(half * stride) as usize])))
            })
    }

    /// The format at the first sizes.
    fn found(&self, divisors: &[i64]) -> Option<Packed> {
        let values = |name: &str| self.values(name, divisors);
        let mut all = choices(self.format.names().rev(), values, |own| self.is_kept(own), MAX_CHOICES);
        all.iter_mut().find_map(|sizes| {
            sizes.reverse();
            let packed = self.fits(sizes).then(|| self.format.at(sizes).ok())??;
            let is_stored = |(offset, element): (&i64, Vec<i64>)| {
                packed.offset(&element).map(|own| own.unwrap_or(-1)) == Ok(*offset)
            };
            let has_shape = self.shape.is_none_or(|shape| packed.shape() == shape);
            let is_own = has_shape && packed.count() == Ok(self.offsets.len() as i64);
            (is_own && self.offsets.iter().zip(coordinates(packed.shape())).all(is_stored)).then_some(packed)
        })
    }
}
