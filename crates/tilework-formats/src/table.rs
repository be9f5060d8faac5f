//! The table of all formats.

use crate::error::Error;
use crate::format::Format;
use crate::notation;
use crate::place::Places;
use std::sync::LazyLock;
use tilework::__private::begun;

static TABLE: LazyLock<Vec<Format>> = LazyLock::new(|| {
    // A test reads the table, so that this cannot fail.
    parse(include_str!("formats.txt"), |_| None, |_| Ok(())).unwrap_or_default()
});

/// The tensors of a quantised weight, which belong together, by their names in a checkpoint: each with its format in one
/// bundle and in another. None where either is no bundle.
///
/// ```
/// use tilework_formats::bundle;
/// let tensors = bundle("awq", "marlin").unwrap();
/// let names: Vec<_> = tensors.iter().map(|(tensor, from, to)| (*tensor, from.name(), to.name())).collect();
/// assert_eq!(names[0], ("qweight", "awq_gemm", "marlin_4"));
/// assert_eq!(names[1..], [("qzeros", "awq_gemm.zeros", "marlin_zeros_4"), ("scales", "gptq_4.scales", "marlin_scales_any")]);
/// assert!(bundle("awq_gemm", "marlin").is_none());
/// ```
#[must_use]
pub fn bundle(from: &str, to: &str) -> Option<Vec<(&'static str, Format, Format)>> {
    let find = |name: &str| {
        let mut lines = include_str!("bundles.txt").lines().filter_map(|line| line.split_once(": "));
        let (_, tensors) = lines.find(|(own, _)| *own == name)?;
        let tensors = tensors.split(", ").map(|text| text.split_once(' '));
        tensors.map(|own| Some((own?.0, Format::named(own?.1).ok()?))).collect::<Option<Vec<_>>>()
    };
    let (from, to) = (find(from)?, find(to)?);
    Some(from.into_iter().zip(to).map(|((tensor, from), (_, to))| (tensor, from, to)).collect())
}

/// Names of what is stored without a layout, each with the reason why there is none.
///
/// ```
/// use tilework_formats::{Format, absent};
/// assert!(absent().any(|(names, reason)| names == "tq1_0 ggml_tq1_0" && reason.contains("base 3")));
/// assert!(Format::named("tq1_0").unwrap_err().to_string().starts_with("tq1_0 has no layout: five values are one number"));
/// ```
pub fn absent() -> impl Iterator<Item = (&'static str, &'static str)> {
    include_str!("absent.txt").lines().filter_map(|line| line.split_once(": "))
}

/// The longest name.
const MAX_NAME: usize = 64;

/// All formats of the table, in its order.
///
/// ```
/// use tilework_formats::formats;
/// assert!(formats().iter().any(|format| format.name() == "scale_128x4"));
/// ```
#[must_use]
pub fn formats() -> &'static [Format] {
    &TABLE
}

/// The formats that have all words in their names, aliases, axes, purposes, or the names of software: in any case, in the
/// singular or in the plural.
///
/// ```
/// use tilework_formats::search;
/// let names: Vec<_> = search(&["marlin", "zero"]).map(|format| format.name()).collect();
/// assert_eq!(names, ["marlin_zeros_4", "marlin_zeros_8"]);
/// assert!(search(&["Scales"]).eq(search(&["scale"])) && search(&["csrc"]).next().is_none());
/// ```
pub fn search(words: &[impl AsRef<str>]) -> impl Iterator<Item = &'static Format> {
    let words = words.iter().flat_map(|word| word.as_ref().split_whitespace());
    let words: Vec<Vec<String>> = words.map(forms).collect();
    formats().iter().filter(move |format| {
        let text = format.searched();
        words.iter().all(|forms| forms.iter().any(|form| text.contains(form)))
    })
}

/// Endings of the plural, each with that of the singular.
const PLURALS: [(&str, &str); 3] = [("s", ""), ("ses", "s"), ("ices", "ix")];

/// A word in lower case, and its singulars and plurals.
fn forms(word: &str) -> Vec<String> {
    let word = word.to_lowercase();
    let endings = PLURALS.into_iter().flat_map(|(plural, singular)| [(plural, singular), (singular, plural)]);
    let others = endings.filter_map(|(own, other)| Some(word.strip_suffix(own)?.to_owned() + other));
    // Of "s" nothing would be left, which is in each text.
    others.filter(|other| other.len() > 2).chain([word.clone()]).collect()
}

impl Format {
    /// The format with a name, or with an alias in any case. A name may also be a rule: a tag of oneDNN, `nChw16c:8` with
    /// the bits of an element; tiles of XLA, `(8,128)(4,1):8`; the order of the axes of a dense array, `P V B H D:16`; and
    /// an axis before all others, `E x marlin_4`.
    ///
    /// ```
    /// use tilework_formats::Format;
    /// assert_eq!(Format::named("f8_128x4")?.name(), "scale_128x4");
    /// assert_eq!(Format::named("aB16b")?.layouts(), ["(A,(16,ceil(B/16))):(16*ceil(B/16),(1,16))"]);
    /// assert_eq!(Format::named("E x scale_128x4")?.at(&[("E", 2), ("M", 3), ("S", 1)])?.storage(), 1024);
    /// assert!(Format::named("scale_128").is_err());
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Name`]; [`Error::Unlike`] for what has no layout, with the reason; [`Error::Record`] for a rule that means
    /// nothing.
    pub fn named(name: &str) -> Result<Format, Error> {
        let is_alias = |format: &&Format| format.aliases().any(|alias| alias.eq_ignore_ascii_case(name));
        let found = formats().iter().find(|format| format.name() == name);
        // What is longer names nothing, and would take long to be read as a rule.
        if name.len() > MAX_NAME {
            return Err(Error::Name { name: name.chars().take(MAX_NAME).collect(), near: Vec::new() });
        }
        let is_own = |names: &str| names.split(' ').any(|own| own.eq_ignore_ascii_case(name));
        if let Some((_, reason)) = absent().find(|(names, _)| is_own(names)) {
            return Err(Error::Unlike(format!("{name} has no layout: {reason}")));
        }
        match found.or_else(|| formats().iter().find(is_alias)) {
            Some(format) => Ok(format.clone()),
            None => match name.split_once(" x ") {
                Some((axis, format)) => notation::leading(axis, &Format::named(format)?),
                None => notation::of(name).unwrap_or_else(|| {
                    let found: Vec<_> = search(&[name]).map(Format::name).take(8).collect();
                    let begun = || begun(name, formats().iter().map(Format::name), 4);
                    let near = if found.is_empty() { begun() } else { found };
                    Err(Error::Name { name: name.to_owned(), near })
                }),
            },
        }
    }

    /// All pieces of the block of which it is one, itself too; none if it is no piece.
    ///
    /// ```
    /// use tilework_formats::Format;
    /// let names: Vec<_> = Format::named("ggml_q5_0.low")?.pieces().map(|piece| piece.name().to_owned()).collect();
    /// assert_eq!(names, ["ggml_q5_0_low", "ggml_q5_0_high", "ggml_q5_0.scales"]);
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    pub fn pieces(&self) -> impl Iterator<Item = Format> {
        self.block().map(of_block).unwrap_or_default().into_iter()
    }

    /// The formats of a text in the notation of the table. Each may be like an earlier one, or like one that [`named`](Self::named)
    /// finds.
    ///
    /// ```
    /// use tilework_formats::Format;
    /// let own = &Format::parse("name tiles\naxes M rows, N columns\nbits 8\nsizes M to 4\nlayout ((4,ceil(M/4)),N):((1,4*N),4)")?[0];
    /// assert_eq!(own.at(&[("M", 5), ("N", 3)])?.storage(), 24);
    /// let wide = &Format::parse("name scale_8x8\nlike scale_8x4\nsizes M to 8, S to 8")?[0];
    /// assert_eq!((wide.fill(), wide.sources()), ("zero", Format::named("scale_8x4")?.sources()));
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Record`] with the line at which the record begins that is no format.
    pub fn parse(text: &str) -> Result<Vec<Format>, Error> {
        let known = |name: &str| Format::named(name).ok();
        parse(text, known, |own| if own.is_expanded() { Ok(()) } else { Places::of(own, &[]).map(|_| ()) })
    }
}

/// The pieces of a block; of `E x ggml_q4_0`, those of the block with the axis before them.
fn of_block(block: &str) -> Vec<Format> {
    match block.split_once(" x ") {
        Some((axis, block)) => {
            of_block(block).iter().filter_map(|piece| notation::leading(axis, piece).ok()).collect()
        }
        None => formats().iter().filter(|piece| piece.block() == Some(block)).cloned().collect(),
    }
}

/// The records of a text that pass a check; what they are like may also be known.
fn parse(
    text: &str,
    known: fn(&str) -> Option<Format>,
    check: fn(&Format) -> Result<(), Error>,
) -> Result<Vec<Format>, Error> {
    let (mut sources, mut records, mut is_begun) = (Vec::new(), Vec::new(), false);
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.split('#').next().unwrap_or_default().trim();
        let (key, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match (key, value.trim()) {
            ("source", value) => sources.extend(value.split_once(char::is_whitespace)),
            ("", _) => is_begun = false,
            entry => {
                if !std::mem::replace(&mut is_begun, true) {
                    records.push((line, Vec::new()));
                }
                records.last_mut().into_iter().for_each(|(_, record)| record.push(entry));
            }
        }
    }
    let mut formats: Vec<Format> = Vec::new();
    for (line, record) in &records {
        let like =
            |name: &str| formats.iter().find(|own| own.name() == name).cloned().or_else(|| known(name));
        let format = Format::of(record, like, &sources).and_then(|format| {
            check(&format)?;
            match formats.iter().any(|other| other.name() == format.name()) {
                true => Err(Error::Record(format!("two formats have the name `{}`", format.name()))),
                false => Ok(format),
            }
        });
        formats
            .push(format.map_err(|error| Error::Record(format!("the record from line {line} on: {error}")))?);
    }
    Ok(formats)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read() {
        assert_eq!(
            parse(include_str!("formats.txt"), |_| None, |_| Ok(())).map(|formats| formats.len()).unwrap(),
            formats().len()
        );
        assert!(formats().len() >= 130);
    }

    /// The software, and not the paths of its files, whose words say nothing of a format.
    #[test]
    fn paths_of_sources_are_not_searched() {
        for word in ["src", "csrc", "csr", ".py", ".cuh", "include", "__init__", "007d500"] {
            let found: Vec<_> = search(&[word]).map(Format::name).collect();
            assert!(found.is_empty(), "{word}: {found:?}");
        }
        for word in ["vllm-project", "PyTorch", "flashinfer-ai/flashinfer", "oneDNN", "rows"] {
            assert!(search(&[word]).next().is_some(), "{word}");
        }
    }

    #[test]
    fn plurals_find_what_singulars_find() {
        let names = |words: &[&str]| search(words).map(Format::name).collect::<Vec<_>>();
        for (one, several) in
            [("scale", "Scales"), ("matrix", "matrices"), ("bias", "BIASES"), ("page", "pages")]
        {
            assert_eq!(names(&[one]), names(&[several]));
            assert!(!names(&[one]).is_empty() && names(&[one]).len() < formats().len(), "{one}");
        }
        assert_eq!(names(&["marlin scales"]), names(&["scale", "MARLIN"]));
        assert!(names(&["s", "nothing"]).is_empty());
    }

    #[test]
    fn a_name_that_is_none_is_answered_by_those_that_its_words_find() {
        for name in ["q4_0", "scale_128", "nothing"] {
            let Error::Name { near, .. } = Format::named(name).unwrap_err() else { panic!("{name}") };
            assert_eq!(near, search(&[name]).map(Format::name).take(8).collect::<Vec<_>>(), "{name}");
        }
    }
}
