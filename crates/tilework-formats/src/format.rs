//! A format: a record of the table.

use crate::error::Error;
use crate::rule::Rule;
use crate::sizes::{given, renamed};
use std::fmt;
use tilework_symbolic::Scope;

/// A size of a format: its name, and what it counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Axis {
    /// The name, as in `K=4096`.
    pub name: String,
    /// What is counted, in the plural.
    pub noun: String,
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.noun)
    }
}

/// A storage format for all sizes; [`at`](Self::at) gives it sizes, [`named`](Self::named) finds one of the table.
///
/// ```
/// use tilework_formats::Format;
/// let format = Format::named("awq_gemm")?;
/// assert_eq!((format.element_bits(), format.layouts()), (4, &["(K,(2,4,N/8)):(N,(4,1,8))".to_string()][..]));
/// # Ok::<(), tilework_formats::Error>(())
/// ```
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Format {
    /// The keys with their values, those of the record it is like included.
    entries: Vec<(String, String)>,
    axes: Vec<Axis>,
    rules: Vec<Rule>,
    layouts: Vec<String>,
    bits: u32,
    sources: Vec<String>,
}

/// The keys, but `axes`, `sizes` and `shape`, whose values have the names of sizes.
const NUMBERS: [&str; 3] = ["layout", "storage", "container"];

/// All keys of a record.
const KEYS: &str = "name block like aliases for axes bits sizes shape layout storage fill encoding container sources pitfall";

impl Format {
    /// A record, with the keys of the record it is like.
    pub(crate) fn of(
        record: &[(&str, &str)],
        like: impl Fn(&str) -> Option<Format>,
        sources: &[(&str, &str)],
    ) -> Result<Format, Error> {
        if let Some((key, _)) = record.iter().find(|(key, _)| KEYS.split(' ').all(|own| own != *key)) {
            return Err(Error::Record(format!("`{key}` is no key of a format: {}", KEYS.replace(' ', ", "))));
        }
        let given = |key: &str| record.iter().any(|(own, _)| *own == key);
        let mut entries: Vec<(String, String)> =
            record.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        let mut inherited = Vec::new();
        if let Some((_, name)) = record.iter().find(|(key, _)| *key == "like") {
            let wrong = || Error::Record(format!("there is no format `{name}` before the one like it"));
            let like = like(name).ok_or_else(wrong)?;
            let is_own = |key: &str| given(key) || ["name", "like", "aliases", "block"].contains(&key);
            entries.extend(like.entries.into_iter().filter(|(key, _)| !is_own(key)));
            inherited = like.sources;
        }
        let format = Format { entries, ..Format::default() };
        let need = |key| {
            let name = format.value("name").unwrap_or("a format");
            format.value(key).ok_or_else(|| Error::Record(format!("{name} has no `{key}`")))
        };
        need("name")?;
        need("layout")?;
        let list =
            |key| format.value(key).unwrap_or_default().split(", ").filter(|one: &&str| !one.is_empty());
        let axes = need("axes")?.split(", ").map(|axis| {
            let (name, noun) = axis.split_once(' ').unwrap_or((axis, "elements"));
            Axis { name: name.to_owned(), noun: noun.to_owned() }
        });
        let axes: Vec<Axis> = axes.collect();
        let rules: Vec<Rule> = list("sizes").map(Rule::parse).collect::<Result<_, _>>()?;
        if let Some(rule) = rules.iter().find(|rule| axes.iter().all(|axis| axis.name != rule.axis)) {
            return Err(Error::Record(format!("`{rule}` is about no size of {}", need("name")?)));
        }
        let bits = need("bits")?.parse().ok().filter(|bits| (1..=1024).contains(bits));
        let bits = bits.ok_or_else(|| Error::Record("`bits` is a number of 1 to 1024".to_owned()))?;
        let source = |key: &str| {
            let found = sources.iter().find(|(own, _)| *own == key);
            found.map_or_else(|| key.to_owned(), |(_, text)| text.trim().to_owned())
        };
        let own = list("sources").flat_map(|keys| keys.split(' ')).map(source);
        let sources = if given("sources") { own.collect() } else { inherited };
        let layouts = format.values("layout").map(str::to_owned).collect();
        Ok(Format { entries: format.entries, axes, rules, layouts, bits, sources })
    }

    /// The value of a key; the first, if it has several.
    fn value(&self, key: &str) -> Option<&str> {
        self.values(key).next()
    }

    fn values(&self, key: &str) -> impl Iterator<Item = &str> {
        let values = self.entries.iter().filter(move |(own, value)| own == key && !value.is_empty());
        values.map(|(_, value)| value.as_str())
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.value("name").unwrap_or_default()
    }

    /// Other names.
    pub fn aliases(&self) -> impl Iterator<Item = &str> {
        self.values("aliases").flat_map(str::split_whitespace)
    }

    /// What it is for, in one sentence.
    #[must_use]
    pub fn purpose(&self) -> &str {
        self.value("for").unwrap_or_default()
    }

    /// The sizes that [`at`](Self::at) takes.
    #[must_use]
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The bits of an element.
    #[must_use]
    pub fn element_bits(&self) -> u32 {
        self.bits
    }

    /// What sizes are padded, and which are admitted.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The texts of the layouts; the first whose conditions hold has the offset of an element.
    #[must_use]
    pub fn layouts(&self) -> &[String] {
        &self.layouts
    }

    /// What the padding contains: `zero`, `repeat` or `any`.
    #[must_use]
    pub fn fill(&self) -> &str {
        self.value("fill").unwrap_or("any")
    }

    /// What the bits of an element mean; `any` if it does not matter.
    #[must_use]
    pub fn encoding(&self) -> &str {
        self.value("encoding").unwrap_or("any")
    }

    /// The type and shape in which software stores it, with the names of sizes; none for one axis of all elements.
    #[must_use]
    pub fn container(&self) -> Option<&str> {
        self.value("container")
    }

    /// Where the facts are from: repository, files and commit.
    #[must_use]
    pub fn sources(&self) -> &[String] {
        &self.sources
    }

    /// Known errors with this format.
    pub fn pitfalls(&self) -> impl Iterator<Item = &str> {
        self.values("pitfall")
    }

    /// The block of bytes of which it is a part, with others.
    #[must_use]
    pub fn block(&self) -> Option<&str> {
        self.value("block")
    }

    /// The extents of the logical array, with the names of sizes.
    #[must_use]
    pub fn shape_text(&self) -> String {
        let all = || self.names().collect::<Vec<_>>().join(", ");
        self.value("shape").map_or_else(all, str::to_owned)
    }

    /// Whether it has a size of this name.
    ///
    /// ```
    /// use tilework_formats::Format;
    /// let format = Format::named("awq_gemm")?;
    /// assert!(format.has_size("K") && !format.has_size("G"));
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    #[must_use]
    pub fn has_size(&self, name: &str) -> bool {
        self.axes.iter().any(|axis| axis.name == name)
    }

    /// Those of the sizes that it has.
    ///
    /// ```
    /// use tilework_formats::Format;
    /// assert_eq!(Format::named("marlin_scales")?.own_sizes(&[("K", 64), ("N", 128), ("G", 2)]), [("N", 128), ("G", 2)]);
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    #[must_use]
    pub fn own_sizes<'a>(&self, sizes: &[(&'a str, i64)]) -> Vec<(&'a str, i64)> {
        sizes.iter().filter(|(name, _)| self.has_size(name)).copied().collect()
    }

    /// For each axis of its array, that of another one: of the same name if that has all of them, otherwise in their order.
    pub(crate) fn axes_of(&self, other: &Format) -> Vec<usize> {
        let (own, other) = (self.shape_text(), other.shape_text());
        let place = |axis| other.split(", ").position(|text| text == axis);
        let named: Option<Vec<usize>> = own.split(", ").map(place).collect();
        // Of a square, one name would be both axes.
        let is_permutation = |all: &Vec<usize>| (1..all.len()).all(|end| !all[..end].contains(&all[end]));
        named.filter(is_permutation).unwrap_or_else(|| (0..own.split(", ").count()).collect())
    }

    /// For each size of another format, the name that it has here: its own if one has all names of the other, otherwise that
    /// in its place.
    pub(crate) fn names_of<'a>(&'a self, other: &'a Format) -> Vec<&'a str> {
        let all = |one: &Format, two: &Format| one.axes.iter().all(|axis| two.has_size(&axis.name));
        let is_named = all(self, other) || all(other, self);
        let name = |(place, axis): (usize, &'a Axis)| {
            self.axes.get(place).filter(|_| !is_named).unwrap_or(axis).name.as_str()
        };
        other.axes.iter().enumerate().map(name).collect()
    }

    /// Its sizes by the names of another format.
    pub(crate) fn sizes_of<'a>(&self, other: &'a Format, sizes: &[(&str, i64)]) -> Vec<(&'a str, i64)> {
        let all = other.names().zip(self.names_of(other));
        let size = |name: &str| sizes.iter().find(|(own, _)| *own == name);
        all.filter_map(|(own, name)| Some((own, size(name)?.1))).collect()
    }

    /// The same with other names of sizes, or with numbers in place of some.
    pub(crate) fn renamed(&self, new: impl Fn(&str) -> Option<String>) -> Result<Format, Error> {
        let renamed = |text: &str| renamed(text, &new);
        let is_size = |text: &String| text.starts_with(|first: char| first.is_ascii_alphabetic());
        let axes =
            self.axes.iter().map(|axis| format!("{} {}", renamed(&axis.name), axis.noun)).filter(is_size);
        let sizes = self.rules.iter().map(|rule| renamed(&rule.to_string())).filter(is_size);
        let (axes, sizes): (Vec<_>, Vec<_>) = (axes.collect(), sizes.collect());
        let shape = renamed(&self.shape_text());
        let mut changed = vec![("axes", axes.join(", ")), ("sizes", sizes.join(", ")), ("shape", shape)];
        let numbers = self.entries.iter().filter(|(key, _)| NUMBERS.contains(&key.as_str()));
        changed.extend(numbers.map(|(key, value)| (key.as_str(), renamed(value))));
        self.with(&changed)
    }

    /// The same with some sizes given.
    pub(crate) fn fixed(&self, sizes: &[(&str, i64)]) -> Result<Format, Error> {
        self.check_sizes(sizes)?;
        self.renamed(|name| given(name, sizes).map(|size| size.to_string()))
    }

    /// The same with other values of some keys, and without other names.
    pub(crate) fn with(&self, changed: &[(&str, String)]) -> Result<Format, Error> {
        let is_kept =
            |key: &str| !["like", "aliases"].contains(&key) && changed.iter().all(|(other, _)| *other != key);
        let kept = self.entries.iter().filter(|(key, _)| is_kept(key));
        let kept = kept.map(|(key, value)| (key.as_str(), value.as_str()));
        let changed = changed.iter().map(|(key, value)| (*key, value.as_str()));
        let format = Format::of(&changed.chain(kept).collect::<Vec<_>>(), |_| None, &[])?;
        Ok(Format { sources: self.sources.clone(), ..format })
    }

    /// The names of the sizes.
    pub(crate) fn names(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.axes.iter().map(|axis| axis.name.as_str())
    }

    /// The first size that is not given.
    pub(crate) fn missing(&self, sizes: &[(&str, i64)]) -> Option<&str> {
        self.names().find(|name| sizes.iter().all(|(given, _)| given != name))
    }

    /// The sizes with what they count: `K rows, N columns`.
    #[must_use]
    pub fn axes_text(&self) -> String {
        self.axes.iter().map(Axis::to_string).collect::<Vec<_>>().join(", ")
    }

    pub(crate) fn storage(&self) -> Option<&str> {
        self.value("storage")
    }

    /// Whether its texts depend on the values of sizes, so that there is no symbolic layout.
    #[must_use]
    pub fn is_expanded(&self) -> bool {
        self.layouts.iter().any(|text| text.contains(".."))
    }

    /// All that a search looks at, in lower case; of a source only the software, since paths have words of their own.
    pub(crate) fn searched(&self) -> String {
        let keys = ["name", "aliases", "for", "axes"];
        let texts = keys.into_iter().filter_map(|key| self.value(key));
        let software = self.sources.iter().filter_map(|source| source.split_whitespace().next());
        texts.chain(software).collect::<Vec<_>>().join(" ").to_lowercase()
    }

    /// A scope with the names of the sizes.
    pub(crate) fn scope(&self) -> Result<Scope, Error> {
        let mut scope = Scope::new();
        for axis in &self.axes {
            scope.declare(&axis.name)?;
        }
        Ok(scope)
    }
}

/// All choices of a value for each name that are kept, at most so many at each name.
pub(crate) fn choices<'a>(
    names: impl Iterator<Item = &'a str>,
    values: impl Fn(&str) -> Vec<i64>,
    is_kept: impl Fn(&[(&str, i64)]) -> bool,
    most: usize,
) -> Vec<Vec<(&'a str, i64)>> {
    names.fold(vec![Vec::new()], |all, name| {
        let values = values(name);
        let longer =
            |own: &Vec<_>| values.iter().map(|value| [&own[..], &[(name, *value)]].concat()).collect();
        all.iter().flat_map::<Vec<_>, _>(longer).filter(|own| is_kept(own)).take(most).collect()
    })
}
