//! Which format has given offsets.

use crate::error::Error;
use crate::format::{Format, choices};
use crate::packed::Packed;
use crate::place::Places;
use crate::table::search;
use tilework::View;

/// The most offsets that are looked up.
const MAX_OFFSETS: usize = 1 << 22;

/// The most choices of sizes of a format that are tried.
const MAX_CHOICES: usize = 100_000;

/// Sizes of axes that are no extent of the array.
const SIZES: [i64; 16] = [1, 2, 3, 4, 5, 6, 8, 12, 16, 32, 64, 128, 256, 384, 512, 1024];

/// What has given offsets.
#[derive(Debug)]
pub struct Identified {
    /// The formats with their sizes, in the order of the table.
    pub formats: Vec<Packed>,
    /// A layout with an offset from the number of an element, the last axis fastest, or why there is none.
    pub layout: Result<View, tilework::Error>,
}

/// The formats that have these offsets for elements with the last axis fastest, -1 for those that are not stored; only
/// those that [`search`] finds by the words. The shape is that of the array, where it is known.
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
    let text = format.shape_text();
    let extents: Vec<&str> = text.split(", ").collect();
    if shape.is_some_and(|shape| shape.len() != extents.len()) {
        return None;
    }
    let count = offsets.len() as i64;
    let values = |name: &str| {
        let place = extents.iter().position(|extent| *extent == name);
        match (place.and_then(|place| Some(shape?[place])), place) {
            (Some(extent), _) => vec![extent],
            (None, Some(_)) => (1..=count).filter(|extent| count % extent == 0).collect(),
            (None, None) => SIZES.to_vec(),
        }
    };
    let is_kept = |choice: &[(&str, i64)]| {
        let own = choice.iter().filter(|(name, _)| extents.contains(name));
        count % own.map(|(_, size)| size).product::<i64>() == 0
    };
    let choices = choices(format.names(), values, is_kept, MAX_CHOICES);
    let is_known = |own: &[i64]| match shape {
        Some(shape) => own == shape,
        None => own.iter().try_fold(1i64, |size, extent| size.checked_mul(*extent)) == Some(count),
    };
    // Most choices are of another shape, which is told before a layout is read.
    let places = if format.is_expanded() { None } else { Some(Places::of(format, &[]).ok()?) };
    choices.iter().find_map(|sizes| {
        if places.as_ref().is_some_and(|places| !places.shape_at(sizes).is_some_and(|own| is_known(&own))) {
            return None;
        }
        let packed = format.at(sizes).ok()?;
        (is_known(packed.shape()) && has(&packed, offsets)).then_some(packed)
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
