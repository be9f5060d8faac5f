//! All atoms, and the search by name.

use super::family::{Atom, Family};
use super::name::Name;
use super::{amd, arm, intel, nvidia};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

// A static, not a constant: each crate that uses a constant compiles all of its functions again.
static FAMILIES: [&[Family]; 4] = [nvidia::FAMILIES, amd::FAMILIES, intel::FAMILIES, arm::FAMILIES];

/// A row whose name is known, and whose layouts are computed on request.
#[derive(Clone, Copy)]
pub struct Row {
    family: Family,
    index: usize,
    name: Name,
}

impl Row {
    /// The name of the atom.
    #[must_use]
    pub fn name(&self) -> &Name {
        &self.name
    }

    /// The instructions of its family, as `mma.sync` or `tcgen05.ld, tcgen05.st`.
    #[must_use]
    pub fn family(&self) -> &'static str {
        self.family.title
    }

    /// The architecture at the beginning of its name, as `SM80` or `CDNA3`; `any` for instructions of all
    /// architectures.
    #[must_use]
    pub fn architecture(&self) -> &str {
        let end = self.name.find(['_', ':', '<']).unwrap_or(self.name.len());
        if self.name[end..].starts_with('<') { "any" } else { &self.name[..end] }
    }

    /// Other words for its architecture: the generation, products, and targets of compilers.
    #[must_use]
    pub fn other_names(&self) -> &'static [&'static str] {
        match self.architecture() {
            "SM50" => &["maxwell"],
            "SM61" => &["pascal", "p40"],
            "SM70" => &["volta", "v100"],
            "SM75" => &["turing", "t4"],
            "SM80" => &["ampere", "a100"],
            "SM89" => &["ada", "l4", "l40s"],
            "SM90" => &["hopper", "h100", "h200"],
            "SM100" => &["blackwell", "b200"],
            "SM103" => &["blackwell", "b300"],
            "SM120" => &["blackwell"],
            "CDNA" => &["mi100", "mi250", "mi300", "gfx908", "gfx90a", "gfx942"],
            "CDNA3" => &["mi300", "gfx942"],
            "CDNA3P" => &["mi350", "gfx950", "cdna4"],
            "RDNA3" => &["gfx1100", "gfx1101", "gfx1102"],
            "RDNA4" => &["gfx1200", "gfx1201"],
            _ => &[],
        }
    }

    /// Whether the name or the instruction contains a word, or it is the architecture, whatever its case.
    ///
    /// ```
    /// use tilework_hardware::atom::rows;
    /// // CUTLASS calls it LDSM.
    /// let row = rows().find(|row| row.is_about("ldmatrix")).unwrap();
    /// assert_eq!(row.name().as_str(), "SM75_U32x1_LDSM_N");
    /// assert!(row.is_about("ldsm") && !row.is_about("stmatrix"));
    /// assert!(row.is_about("turing") && row.is_about("sm_75") && !row.is_about("hopper"));
    /// // The parts between the points of an instruction need not be next to each other, nor all be given.
    /// let transposed = rows().find(|row| row.is_about("ldmatrix.trans")).unwrap();
    /// assert_eq!(transposed.name().as_str(), "SM75_U16x2_LDSM_T");
    /// // Targets of a compiler: `sm_90a` has all of `sm_90`.
    /// assert!(rows().any(|row| row.is_about("sm_90a")));
    /// assert!(rows().any(|row| row.is_about("gfx942")) && rows().any(|row| row.is_about("H100")));
    /// // The manuals' spellings.
    /// let first = |word| rows().find(|row| row.is_about(word)).unwrap().name().as_str().to_owned();
    /// assert_eq!(first("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"), "SM80_16x8x16_F32F16F16F32_TN");
    /// assert_eq!(first("ldmatrix.sync.aligned.m8n8.x4.shared.b16"), "SM75_U32x4_LDSM_N");
    /// assert_eq!(first("v_mfma_f32_32x32x8_f16"), "CDNA_32x32x8_F32F16F16_MFMA");
    /// ```
    #[must_use]
    pub fn is_about(&self, word: &str) -> bool {
        let word = &*word.to_lowercase().replace("sm_", "sm");
        let word = if word.starts_with("sm") { word.trim_end_matches(['a', 'f']) } else { word };
        let (name, parts) = (self.name.to_lowercase(), named_parts(word));
        let title = self.family.title.to_lowercase();
        // An atom takes much longer to make than its name.
        let in_family = title.split(", ").any(|item| item.contains(word) || word.starts_with(item));
        name.contains(word)
            || matches!(&parts[..], [shape] if name.contains(shape))
            || self.other_names().contains(&word)
            || in_family
                && self.atom().is_some_and(|atom| {
                    // AMD's manuals write `8_f16` where its compilers write `8f16`.
                    let instruction = atom.instruction().to_lowercase().replace('_', "");
                    // CUTLASS writes `.trans` as `_T`.
                    let transposed = |part: &str| part == "trans" && self.name.ends_with("_T");
                    let has = |part: &String| {
                        instruction.contains(&part.replace('_', ""))
                            || name.contains(part)
                            || transposed(part)
                    };
                    parts.iter().all(has)
                })
    }

    /// The atom, with its layouts.
    #[must_use]
    pub fn atom(&self) -> Option<Atom> {
        (self.family.atom)(self.index)
    }
}

/// The parts of an instruction of PTX as CUTLASS names them, `16x8x16` of `m16n8k16` and the types as one word, without those
/// that every instruction of the name has.
fn named_parts(word: &str) -> Vec<String> {
    let shape = |part: &str| {
        let (m, rest) = part.strip_prefix('m')?.split_once('n')?;
        let (n, k) = rest.split_once('k')?;
        let is_shape = [m, n, k].iter().all(|extent| extent.parse::<u32>().is_ok());
        is_shape.then(|| format!("{m}x{n}x{k}"))
    };
    let is_type = |part: &str| {
        let digits = part.trim_start_matches(|letter: char| letter.is_ascii_lowercase());
        digits.starts_with(|digit: char| digit.is_ascii_digit())
            && ["f", "bf", "tf", "s", "u", "b", "e"].contains(&&part[..part.len() - digits.len()])
    };
    const IMPLIED: [&str; 7] = ["sync", "aligned", "row", "col", "shared", "m8n8", "b16"];
    let mut parts: Vec<String> = Vec::new();
    let mut after_type = false;
    for part in word.split('.').filter(|part| word == *part || !IMPLIED.contains(part)) {
        let own = shape(part).unwrap_or_else(|| part.to_owned());
        match parts.last_mut() {
            Some(types) if after_type && is_type(part) => types.push_str(&own),
            _ => parts.push(own),
        }
        after_type = is_type(part);
    }
    parts
}

/// All rows, vendor by vendor, the oldest architecture first.
///
/// ```
/// use tilework_hardware::atom::rows;
/// let ampere = rows().filter(|row| row.name().starts_with("SM80_16x8x16_"));
/// assert!(ampere.count() >= 10);
/// ```
pub fn rows() -> impl Iterator<Item = Row> + Clone {
    rows_of(|_| true)
}

/// The rows of some families.
fn rows_of(chosen: impl Fn(&Family) -> bool + Clone) -> impl Iterator<Item = Row> + Clone {
    let families = FAMILIES.iter().flat_map(|families| families.iter()).filter(move |family| chosen(family));
    families.flat_map(|&family| {
        (0..family.count).filter_map(move |index| Some(Row { family, index, name: (family.name)(index)? }))
    })
}

/// The rows about a word with which an instruction in the title of their family begins, as `ldmatrix`; other families, of
/// thousands of rows, are not looked at.
///
/// ```
/// use tilework_hardware::atom::rows_of_instruction;
/// assert_eq!(rows_of_instruction("wgmma").next().unwrap().architecture(), "SM90");
/// assert!(rows_of_instruction("ldmatrices").next().is_none());
/// ```
pub fn rows_of_instruction(word: &str) -> impl Iterator<Item = Row> + Clone {
    rows_of(move |family| family.title.split(", ").any(|item| item.starts_with(word)))
        .filter(move |row| row.is_about(word))
}

/// All atoms.
///
/// ```
/// use tilework_hardware::atom::{Atom, atoms};
/// let widest = atoms().filter_map(|atom| match atom {
///     Atom::Mma(atom) => Some(atom.shape[2]),
///     Atom::Copy(_) => None,
/// });
/// assert_eq!(widest.max(), Some(256));
/// ```
pub fn atoms() -> impl Iterator<Item = Atom> + Clone {
    rows().filter_map(|row| row.atom())
}

/// The atoms of one family that one architecture has.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Group {
    /// The first of them.
    pub example: Row,
    /// How many there are.
    pub count: usize,
}

/// All atoms by architecture and family, for readers who do not know a name yet.
///
/// ```
/// use tilework_hardware::atom::{groups, rows};
/// let groups = groups();
/// assert!(groups.iter().any(|group| group.example.architecture() == "SM90" && group.example.family() == "wgmma.mma_async"));
/// assert_eq!(groups.iter().map(|group| group.count).sum::<usize>(), rows().count());
/// ```
#[must_use]
pub fn groups() -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for row in rows() {
        let key = (row.architecture(), row.family());
        match groups.iter_mut().find(|group| (group.example.architecture(), group.example.family()) == key) {
            Some(group) => group.count += 1,
            None => groups.push(Group { example: row, count: 1 }),
        }
    }
    groups
}

/// The atom of this name. White space is ignored, as are namespaces before the name and template arguments after it
/// that do not affect the layouts (majorness of operands, signs).
///
/// ```
/// use tilework_hardware::atom::find;
/// assert!(find("SM75_U32x4_LDSM_N").is_some());
/// assert!(find("SM90::GMMA::MMA_64x96x16_F32BF16BF16_RS<GMMA::Major::K, GMMA::Major::MN>").is_some());
/// assert!(find("SM90 :: GMMA :: MMA_64x96x16_F32BF16BF16_RS").is_some());
/// assert!(find("SM80_16x8x17_F32F16F16F32_TN").is_none());
/// ```
#[must_use]
pub fn find(name: &str) -> Option<Atom> {
    let name: String = name.chars().filter(|c| !c.is_whitespace()).collect();
    let bare = name.split('<').next()?.rsplit("::").next()?;
    find_in(rows_of(|family| family.prefixes.iter().any(|prefix| bare.starts_with(prefix))), &name)
}

/// The atom of this name among some rows, as [`find`] finds it among all: those of one [`bare_name`] suffice.
///
/// ```
/// use tilework_hardware::atom::{bare_name, find_in, rows};
/// let name = "SM90::GMMA::MMA_64x96x16_F32BF16BF16_RS<GMMA::Major::K, GMMA::Major::MN>";
/// let candidates = rows().filter(|row| bare_name(row.name()) == bare_name(name));
/// assert!(find_in(candidates, name).is_some());
/// ```
#[must_use]
pub fn find_in(rows: impl Iterator<Item = Row> + Clone, name: &str) -> Option<Atom> {
    let name: String = name.chars().filter(|c| !c.is_whitespace()).collect();
    let exact = rows.clone().find(|row| row.name().as_str() == name);
    exact.or_else(|| rows.clone().find(|row| is_called(row.name(), &name)))?.atom()
}

/// Whether `text` is `name`, with namespaces before it and further arguments after it.
fn is_called(name: &str, text: &str) -> bool {
    bare_name(name) == bare_name(text) && starts_with(arguments(name), arguments(text))
}

fn arguments(name: &str) -> &str {
    name.split_once('<').map_or("", |(_, arguments)| arguments)
}

/// A name without its namespaces and arguments, and without the architecture of `SM90_64x..` and `SM90::GMMA::MMA_64x..`.
///
/// ```
/// use tilework_hardware::atom::bare_name;
/// assert_eq!(bare_name("SM90::GMMA::MMA_64x96x16_F32BF16BF16_RS<GMMA::Major::K>"), "64x96x16_F32BF16BF16_RS");
/// ```
#[must_use]
pub fn bare_name(name: &str) -> &str {
    let head = name.split('<').next().unwrap_or("");
    let last = head.rsplit("::").next().unwrap_or("");
    let bare =
        last.strip_prefix("MMA_").or(last.strip_prefix("SM90_")).filter(|bare| bare.starts_with("64x"));
    bare.unwrap_or(last)
}

/// Whether the arguments `other` begin with those of `own`.
fn starts_with(own: &str, other: &str) -> bool {
    let mut theirs =
        other.trim_end_matches('>').split(',').map(|argument| argument.rsplit("::").next().unwrap_or(""));
    own.trim_end_matches('>')
        .split(',')
        .filter(|argument| !argument.is_empty())
        .all(|argument| theirs.next() == Some(argument))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_begin_as_their_family_says() {
        for row in rows() {
            let bare = row.name().split('<').next().unwrap().rsplit("::").next().unwrap();
            assert!(row.family.prefixes.iter().any(|prefix| bare.starts_with(prefix)), "{}", row.name());
        }
    }
}
