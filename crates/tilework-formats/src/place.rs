//! From the texts of a format to the offsets of coordinates.
//!
//! A text is a chain, from right to left: a layout or a polynomial takes the coordinate, and each step before it takes
//! the offset of the one behind it.

use crate::error::Error;
use crate::format::{Format, size_of};
use tilework::Swizzle;
use tilework_symbolic::{Guard, Number, Scope, SymbolicLayout};

/// The names of coordinates in conditions and polynomials.
pub(crate) const COORDINATES: [&str; 8] = ["i", "j", "k", "l", "m", "n", "o", "p"];

/// What takes a coordinate.
pub(crate) enum First {
    Layout(SymbolicLayout),
    Polynomial(Number),
}

/// What takes an offset.
pub(crate) enum Step {
    Swizzle(Swizzle),
    Offset(Number),
    Layout(SymbolicLayout),
}

/// A text: where its conditions hold, the offset is that of the steps, in order.
pub(crate) struct Place {
    pub domain: Option<Guard>,
    pub first: First,
    pub steps: Vec<Step>,
}

/// All texts of a format in one scope.
pub(crate) struct Places {
    pub scope: Scope,
    pub shape: Vec<Number>,
    /// `None` for the size of the layout.
    pub storage: Option<Number>,
    pub places: Vec<Place>,
}

impl Places {
    /// Reads the texts; progressions and powers need the sizes.
    pub fn of(format: &Format, sizes: &[(&str, i64)]) -> Result<Places, Error> {
        let mut scope = format.scope()?;
        let shape: Vec<Number> = expanded(&format.shape_text(), sizes)?
            .split(", ")
            .map(|text| scope.number(text))
            .collect::<Result<_, _>>()?;
        let storage = format.storage().map(|text| scope.number(text)).transpose()?;
        let is_general = |text: &String| text.contains(" where ") || !text.contains(':');
        if format.layouts().iter().any(is_general) {
            for name in COORDINATES.iter().take(shape.len()) {
                scope.declare(name)?;
                scope.assume(&format!("{name} >= 0"))?;
            }
        }
        let declared = scope.names().len();
        let texts = format.layouts().iter();
        let places = texts.map(|text| Place::parse(&mut scope, &expanded(text, sizes)?));
        let places = places.collect::<Result<Vec<_>, _>>()?;
        if let Some(name) = scope.names().nth(declared) {
            let format = format.name();
            return Err(Error::Record(format!("a layout of {format} has the name {name}, which is no size")));
        }
        for place in &places {
            if let First::Layout(layout) = &place.first
                && layout.rank() != shape.len()
            {
                let (format, rank) = (format.name(), shape.len());
                return Err(Error::Record(format!(
                    "{layout} of {format} has not the {rank} modes of its shape"
                )));
            }
        }
        Ok(Places { scope, shape, storage, places })
    }
}

/// The shape of a format, read once for many sizes.
pub(crate) struct Extents {
    scope: Scope,
    text: String,
    /// None where the text depends on the sizes.
    shape: Option<Vec<Number>>,
}

impl Extents {
    pub fn of(format: &Format) -> Result<Extents, Error> {
        let (mut scope, text) = (format.scope()?, format.shape_text());
        let shape = match format.is_expanded() {
            true => None,
            false => Some(text.split(", ").map(|text| scope.number(text)).collect::<Result<_, _>>()?),
        };
        Ok(Extents { scope, text, shape })
    }

    /// The extents at sizes; none where one is no integer.
    pub fn at(&self, sizes: &[(&str, i64)]) -> Option<Vec<i64>> {
        let Some(shape) = &self.shape else {
            let text = expanded(&self.text, sizes).ok()?;
            return text.split(", ").map(|extent| extent.parse().ok()).collect();
        };
        let values = self.scope.any_values(sizes);
        shape.iter().map(|extent| self.scope.value(extent, &values).ok()?).collect()
    }
}

impl Place {
    fn parse(scope: &mut Scope, text: &str) -> Result<Place, Error> {
        let (text, domain) = match text.split_once(" where ") {
            Some((text, conditions)) => (text, Some(scope.conditions(conditions)?)),
            None => (text, None),
        };
        let mut chain = text.rsplit(" o ").map(str::trim);
        let first = match chain.next().unwrap_or_default() {
            text if text.contains(':') => First::Layout(scope.layout(text)?),
            text => First::Polynomial(scope.number(text)?),
        };
        let steps = chain.map(|text| {
            if text.starts_with("Sw<") {
                return Ok(Step::Swizzle(text.parse()?));
            }
            let offset = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
            Ok::<_, Error>(match offset {
                Some(offset) => Step::Offset(scope.number(offset)?),
                None if text.contains(':') => Step::Layout(scope.layout(text)?),
                None => Step::Offset(scope.number(text)?),
            })
        });
        let steps = steps.collect::<Result<_, _>>()?;
        Ok(Place { domain, first, steps })
    }
}

/// The largest number of numbers in a progression.
const MAX_PROGRESSION: i64 = 62;

/// A text with its progressions `2,8,..b` and powers `2^b` written out.
fn expanded(text: &str, sizes: &[(&str, i64)]) -> Result<String, Error> {
    let mut text = text.to_owned();
    let name_at = |text: &str, at: usize| -> String {
        text[at..].chars().take_while(|letter| letter.is_ascii_alphanumeric()).collect()
    };
    let count = |name: &str| match size_of(name, sizes) {
        count @ 1..=MAX_PROGRESSION => Ok(count as u32),
        count => Err(Error::Size(format!("{name} must be at most {MAX_PROGRESSION}; {count} given"))),
    };
    let too_large = || Error::Layout(tilework::Error::TooLarge { what: "a progression" });
    while let Some(at) = text.find("2^") {
        let name = name_at(&text, at + 2);
        let power = 1i64.checked_shl(count(&name)?).ok_or_else(too_large)?;
        text.replace_range(at..at + 2 + name.len(), &power.to_string());
    }
    while let Some(at) = text.find(",..") {
        let start = text[..at].rfind('(').map_or(0, |open| open + 1);
        let terms: Vec<i64> = text[start..at].split(',').filter_map(|term| term.parse().ok()).collect();
        let &[first, second] = &terms[..] else {
            return Err(Error::Record(format!("`{text}` has a progression without two numbers before `..`")));
        };
        let name = name_at(&text, at + 3);
        let (mut all, mut term) = (Vec::new(), first);
        for index in 0..count(&name)? {
            if index > 0 {
                term = term.checked_mul(second / first.max(1)).ok_or_else(too_large)?;
            }
            all.push(term.to_string());
        }
        text.replace_range(start..at + 3 + name.len(), &all.join(","));
    }
    Ok(text)
}
