//! Which format has given offsets.

use crate::error::Error;
use crate::format::{Format, choices};
use crate::packed::Packed;
use crate::place::{COORDINATES, Places};
use crate::sizes::{given, size_where};
use crate::table::search;
use tilework::View;

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
    let mut named = search(words).peekable();
    if named.peek().is_none() {
        let name = words.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(" ");
        return Err(Error::Name { name, near: Vec::new() });
    }
    let formats = named.filter_map(|format| at(format, offsets, shape)).collect();
    Ok(Identified { formats, layout: View::from_image(offsets) })
}

/// The first sizes of a format with these offsets.
fn at(format: &Format, offsets: &[i64], shape: Option<&[i64]>) -> Option<Packed> {
    let (text, count) = (format.shape_text(), offsets.len() as i64);
    let extents: Vec<&str> = text.split(", ").collect();
    if shape.is_some_and(|shape| shape.len() != extents.len()) {
        return None;
    }
    // Of each extent that has one name, the name and the size at which it is 1.
    let one = |text: &&str| format.names().find_map(|name| Some((name, size_where(text, name, 1)?)));
    let ones: Vec<Option<(&str, i64)>> = extents.iter().map(one).collect();
    let told = |name: &str| {
        let own = ones.iter().zip(0..).find(|(one, _)| one.is_some_and(|(own, _)| own == name));
        own.and_then(|(one, axis)| Some((axis, (*one)?.1)))
    };
    let free = format.names().filter(|name| told(name).is_none()).count();
    let values = |name: &str| {
        let all: Vec<i64> = match (told(name), shape) {
            (Some((axis, one)), Some(shape)) => vec![shape[axis].saturating_mul(one)],
            (Some((_, one)), None) => {
                let divisors = (1..=count).filter(|extent| count % extent == 0);
                divisors.map(|extent| extent.saturating_mul(one)).collect()
            }
            (None, _) if free > 2 => FREE.to_vec(),
            (None, _) => (0..=MAX_FREE).chain(FREE.into_iter().filter(|size| *size > MAX_FREE)).collect(),
        };
        all.into_iter().filter(|size| format.check_sizes(&[(name, *size)]).is_ok()).collect()
    };
    // The texts are read once: most choices have another shape, or the half of an axis elsewhere.
    let places = if format.is_expanded() { None } else { Some(Places::of(format, &[]).ok()?) };
    let (mut scope, numbers) =
        places.as_ref().map(|own| (own.scope.clone(), &own.shape[..])).unwrap_or_default();
    let cases = places.as_ref().and_then(|places| places.cases(&mut scope).ok()).unwrap_or_default();
    let names_in = |number| scope.names_in([number]).map(str::to_owned).collect();
    let needed: Vec<Vec<String>> = numbers.iter().map(names_in).collect();
    // The extents whose names all have sizes divide the count, and are those of the shape.
    let is_kept = |choice: &[(&str, i64)]| {
        let extent = |axis: usize| match ones[axis] {
            Some((name, one)) => Some(given(name, choice)? / one),
            None if needed.get(axis)?.iter().all(|name| given(name, choice).is_some()) => {
                Some(scope.value(&numbers[axis], &scope.any_values(choice)).ok()?.unwrap_or(0))
            }
            None => None,
        };
        (0..ones.len())
            .filter_map(|axis| Some((axis, extent(axis)?)))
            .try_fold(count, |rest, (axis, extent)| {
                let is_own =
                    extent > 0 && rest % extent == 0 && shape.is_none_or(|shape| shape[axis] == extent);
                is_own.then(|| rest / extent)
            })
            .is_some()
    };
    let fits = |sizes: &[(&str, i64)]| {
        let values = scope.any_values(sizes);
        let own =
            numbers.iter().map(|extent| scope.value(extent, &values).ok()?).collect::<Option<Vec<i64>>>();
        let Some(own) = own.filter(|own| own.is_empty() || own.iter().product::<i64>() == count) else {
            return false;
        };
        let mut stride = 1;
        cases.is_empty()
            || COORDINATES.iter().zip(own).rev().all(|(axis, extent)| {
                let mut halves = (1..64).map(|times| extent >> times).take_while(|half| *half > 0);
                let is_own = halves.all(|half| {
                    let at = |name: &'static str| (name, if name == *axis { half } else { 0 });
                    let element: Vec<_> = sizes.iter().copied().chain(COORDINATES.map(at)).collect();
                    let values = scope.any_values(&element);
                    let own = cases.iter().find(|(domain, _)| scope.holds(domain, &values) == Ok(true));
                    let own = own.map_or(Ok(Some(-1)), |(_, own)| scope.value(own, &values));
                    own == Ok(Some(offsets[(half * stride) as usize]))
                });
                stride *= extent;
                is_own
            })
    };
    let names: Vec<&str> = format.names().collect();
    let mut choices = choices(names.into_iter().rev(), values, is_kept, MAX_CHOICES);
    choices.iter_mut().find_map(|sizes| {
        sizes.reverse();
        let packed = fits(sizes).then(|| format.at(sizes).ok())??;
        let is_known = shape.is_none_or(|shape| packed.shape() == shape) && packed.count() == Ok(count);
        (is_known && has(&packed, offsets)).then_some(packed)
    })
}

/// Whether all offsets are those of a format.
fn has(packed: &Packed, offsets: &[i64]) -> bool {
    let mut coordinate = vec![0; packed.shape().len()];
    offsets.iter().all(|offset| {
        let own = packed.offset(&coordinate).map(|own| own.unwrap_or(-1));
        crate::packed::advance(&mut coordinate, packed.shape());
        own == Ok(*offset)
    })
}
