//! From the texts of a format to the offsets of coordinates.

use crate::error::Error;
use crate::format::Format;
use crate::sizes::{at_sizes, given};
use tilework_symbolic::{Guard, Number, Placed, Scope, SymbolicLeaf};

/// The names of coordinates in conditions and polynomials.
pub(crate) const COORDINATES: [&str; 8] = ["i", "j", "k", "l", "m", "n", "o", "p"];

/// A text: where its conditions hold, the offset of a coordinate.
pub(crate) struct Place {
    pub domain: Option<Guard>,
    pub offsets: Offsets,
}

pub(crate) enum Offsets {
    /// The first takes the coordinate, each other the offset of the one before.
    Layouts(Vec<Placed>),
    Polynomial(Number),
}

/// All texts of a format in one scope, with the facts about the sizes that are not given.
pub(crate) struct Places {
    pub scope: Scope,
    pub shape: Vec<Number>,
    /// `None` for the size of the layout.
    pub storage: Option<Number>,
    pub places: Vec<Place>,
}

impl Places {
    /// Reads the texts, with integers for the sizes that are given; progressions and powers need them.
    pub fn of(format: &Format, sizes: &[(&str, i64)]) -> Result<Places, Error> {
        let mut scope = Scope::new();
        for name in format.names().filter(|name| sizes.iter().all(|(given, _)| given != name)) {
            scope.declare(name)?;
        }
        let mut scope = format.with_facts(scope);
        let shape: Vec<Number> = expanded(&format.shape_text(), sizes)?
            .split(", ")
            .map(|text| scope.number(text))
            .collect::<Result<_, _>>()?;
        let storage = format.storage().map(|text| expanded(text, sizes)).transpose()?;
        let storage = storage.map(|text| scope.number(&text)).transpose()?;
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
        // Nor is a coordinate, in a layout's own numbers.
        let layouts = places.iter().flat_map(Place::layouts);
        let numbers = layouts.flat_map(|own| {
            own.layout().leaves().iter().flat_map(SymbolicLeaf::numbers).chain(own.offset().leaves())
        });
        let names = scope.names().skip(declared).chain(scope.names_in(numbers));
        if let Some(name) = { names }.find(|name| !format.has_size(name)) {
            let format = format.name();
            return Err(Error::Record(format!("a layout of {format} has the name {name}, which is no size")));
        }
        let mut firsts = places.iter().filter_map(|place| place.layouts().first());
        if let Some(wrong) = firsts.find(|first| first.layout().rank() != shape.len()) {
            let (format, rank) = (format.name(), shape.len());
            return Err(Error::Record(format!("{wrong} of {format} has not the {rank} modes of its shape")));
        }
        Ok(Places { scope, shape, storage, places })
    }

    /// The layouts from all coordinates to the offsets, or why there are none.
    pub fn layouts(&self) -> Result<&[Placed], &'static str> {
        match &self.places[..] {
            [Place { offsets: Offsets::Polynomial(_), .. }] => Err("its offsets are no layout"),
            [Place { offsets: Offsets::Layouts(layouts), domain: None }] => Ok(layouts),
            [_] => Err("only some elements are stored"),
            _ => Err("it has several layouts, each for some elements"),
        }
    }

    /// The only one, or why there is none.
    pub fn whole(&self) -> Result<&Placed, &'static str> {
        match self.layouts()? {
            [layout] => Ok(layout),
            _ => Err("it is a composition of two layouts that is no layout"),
        }
    }
}

impl Place {
    fn parse(scope: &mut Scope, text: &str) -> Result<Place, Error> {
        let (text, conditions) = split(text);
        let domain = conditions.map(|conditions| scope.conditions(conditions)).transpose()?;
        let texts = chain(text)?;
        let offsets = match texts.is_empty() {
            true => Offsets::Polynomial(scope.number(text)?),
            false => {
                Offsets::Layouts(texts.iter().rev().map(|text| scope.placed(text)).collect::<Result<_, _>>()?)
            }
        };
        Ok(Place { domain, offsets })
    }

    /// The layouts, of which the first takes the coordinate; none for a polynomial.
    pub fn layouts(&self) -> &[Placed] {
        match &self.offsets {
            Offsets::Layouts(layouts) => layouts,
            Offsets::Polynomial(_) => &[],
        }
    }
}

/// The coordinate of an element of an array, whose names are declared with their bounds.
pub(crate) fn coordinate(scope: &mut Scope, extents: &[Number]) -> Result<Vec<Number>, Error> {
    let mut all = Vec::new();
    for (name, extent) in COORDINATES.iter().zip(extents) {
        let index = scope.declare(name)?;
        scope.assume_at_least(&index, &0.into())?;
        // A bound that is no fact about one name is left out.
        let before = scope.clone();
        scope.assume_at_least(extent, &index.plus(1)?).unwrap_or_else(|_| *scope = before);
        all.push(index);
    }
    Ok(all)
}

/// A text without its conditions, and these.
pub(crate) fn split(text: &str) -> (&str, Option<&str>) {
    text.split_once(" where ").map_or((text, None), |(text, conditions)| (text, Some(conditions)))
}

/// The layouts of a text, each with its offset and swizzle, the last of which takes the coordinate; none of a polynomial.
pub(crate) fn chain(text: &str) -> Result<Vec<String>, Error> {
    let (mut all, mut rest) = (Vec::new(), String::new());
    for part in text.split(" o ") {
        rest += part;
        match part.contains(':') {
            true => all.push(std::mem::take(&mut rest)),
            false => rest += " o ",
        }
    }
    match all.is_empty() || rest.is_empty() {
        true => Ok(all),
        false => Err(Error::Record(format!("`{text}` ends in no layout"))),
    }
}

/// The largest number of numbers in a progression.
const MAX_PROGRESSION: i64 = 62;

/// A text with its progressions `2,8,..b`, powers `2^b` and given sizes as numbers.
fn expanded(text: &str, sizes: &[(&str, i64)]) -> Result<String, Error> {
    let mut text = text.to_owned();
    let name_at = |text: &str, at: usize| -> String {
        text[at..].chars().take_while(|letter| letter.is_ascii_alphanumeric()).collect()
    };
    let count = |name: &str| match given(name, sizes).unwrap_or(1) {
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
        let term = |index| first.checked_mul((second / first.max(1)).checked_pow(index)?);
        let all = (0..count(&name)?).map(|index| Some(term(index)?.to_string()));
        let all: Vec<String> = all.collect::<Option<_>>().ok_or_else(too_large)?;
        text.replace_range(start..at + 3 + name.len(), &all.join(","));
    }
    Ok(at_sizes(&text, sizes))
}
