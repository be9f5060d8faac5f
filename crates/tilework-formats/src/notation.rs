//! Formats whose names are rules: tags of oneDNN, tiles of XLA, orders of axes, and leading axes on any format.

use crate::error::Error;
use crate::format::Format;
use std::fmt::Write;
use tilework_symbolic::Scope;

/// The axes in logical order, where they have these names; those of a tag are otherwise the first of the alphabet, in its order,
/// and those of an order are in it.
const LOGICAL: [&str; 5] = ["ncdhw", "goidhw", "plvbhd", "tnc", "ldigo"];

/// An axis of a tag, or a block of one: what is stored together.
struct Level {
    axis: char,
    /// None for the number of blocks.
    extent: Option<i64>,
}

/// The format of a name that is a rule; none for other names.
///
/// A tag may end with the bits of an element, 32 by default: `BA16a64b4a:8`.
pub(crate) fn of(name: &str) -> Option<Result<Format, Error>> {
    let (text, bits) = name.rsplit_once(':').unwrap_or((name, "32"));
    let bits = bits.parse().ok().filter(|bits| (1..=1024).contains(bits))?;
    let levels = tag(text).or_else(|| tiles(text)).or_else(|| order(text))?;
    Some(dense(name, &levels, bits))
}

/// `nChw16c`: axes outermost first, capitals are blocked; then the blocks, the last innermost.
fn tag(text: &str) -> Option<Vec<Level>> {
    let outer = text.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(text.len());
    let (axes, blocks) = text.split_at(outer);
    let mut levels: Vec<Level> =
        axes.chars().map(|axis| Level { axis: axis.to_ascii_lowercase(), extent: None }).collect();
    let mut blocks = blocks;
    while !blocks.is_empty() {
        let end = blocks.find(|letter: char| !letter.is_ascii_digit())?;
        let axis = blocks[end..].chars().next().filter(char::is_ascii_lowercase)?;
        levels.push(Level { axis, extent: Some(blocks[..end].parse().ok().filter(|extent| *extent > 1)?) });
        blocks = &blocks[end + 1..];
    }
    let is_blocked = |axis: char| levels[outer..].iter().any(|level| level.axis == axis);
    let own = axes.to_ascii_lowercase();
    let is_named = LOGICAL.iter().any(|letters| own.chars().all(|axis| letters.contains(axis)));
    // Else each word would be a tag.
    let is_first = || ('a'..='z').take(own.len()).all(|axis| own.contains(axis));
    let is_tag = axes.len() > 1
        && (is_named || is_first())
        && axes.chars().all(|axis| axis.is_ascii_uppercase() == is_blocked(axis.to_ascii_lowercase()))
        && levels[outer..].iter().all(|level| own.contains(level.axis));
    is_tag.then_some(levels)
}

/// `(8,128)(4,1)`: tiles of a matrix, and tiles of those.
fn tiles(text: &str) -> Option<Vec<Level>> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let mut tiles = Vec::new();
    for tile in inner.split(")(") {
        let (rows, columns) = tile.split_once(',')?;
        let tile: [i64; 2] = [rows.trim().parse().ok()?, columns.trim().parse().ok()?];
        tiles.push(tile);
    }
    let mut levels: Vec<Level> = ['m', 'n'].map(|axis| Level { axis, extent: None }).into();
    for (index, tile) in tiles.iter().enumerate() {
        let within = tiles.get(index + 1).copied().unwrap_or([1, 1]);
        for (axis, (tile, within)) in ['m', 'n'].into_iter().zip(tile.iter().zip(within)) {
            if *tile < 1 || within < 1 || tile % within != 0 {
                return None;
            }
            levels.push(Level { axis, extent: Some(tile / within) });
        }
    }
    Some(levels)
}

/// `P V B H D`: a dense array, the slowest axis first.
fn order(text: &str) -> Option<Vec<Level>> {
    let axes: Vec<&str> = text.split(' ').collect();
    let is_axis = |axis: &&str| axis.len() == 1 && axis.as_bytes()[0].is_ascii_uppercase();
    let level =
        |axis: &&str| Level { axis: axis.to_ascii_lowercase().chars().next().unwrap_or('a'), extent: None };
    (axes.len() > 1 && axes.iter().all(is_axis)).then(|| axes.iter().map(level).collect())
}

/// The format of levels, the slowest first.
fn dense(name: &str, levels: &[Level], bits: u32) -> Result<Format, Error> {
    let mut axes: Vec<char> =
        levels.iter().filter(|level| level.extent.is_none()).map(|level| level.axis).collect();
    let count = axes.len();
    if (1..count).any(|place| axes[..place].contains(&axes[place])) || count > 8 {
        return Err(Error::Record(format!("`{name}` has an axis twice, or more than 8 axes")));
    }
    if name.starts_with(|first: char| first.is_ascii_alphabetic()) && !name.contains(' ') {
        axes.sort_unstable();
    }
    let logical = LOGICAL.iter().find(|letters| axes.iter().all(|axis| letters.contains(*axis)));
    if let Some(letters) = logical {
        tilework::__private::sort_by_key(&mut axes, |axis| letters.find(*axis));
    }
    let block = |axis: char| {
        levels
            .iter()
            .filter(|level| level.axis == axis)
            .filter_map(|level| level.extent)
            .try_fold(1i64, i64::checked_mul)
    };
    let (mut modes, mut stride, mut outer) = (vec![Vec::new(); count], 1i64, String::new());
    let overflow = || Error::Layout(tilework::Error::TooLarge { what: "a block" });
    for level in levels.iter().rev() {
        let name = level.axis.to_ascii_uppercase();
        let extent = match (level.extent, block(level.axis).ok_or_else(overflow)?) {
            (Some(extent), _) => extent.to_string(),
            (None, 1) => name.to_string(),
            (None, block) => format!("ceil({name}/{block})"),
        };
        let mode = axes.iter().position(|axis| *axis == level.axis).unwrap_or(0);
        let step = format!("{stride}{outer}");
        modes[mode].push((extent.clone(), step.strip_prefix("1*").unwrap_or(&step).to_owned()));
        match level.extent {
            Some(extent) => stride = stride.checked_mul(extent).ok_or_else(overflow)?,
            None => outer = format!("*{extent}{outer}"),
        }
    }
    let side = |extents: bool| {
        let modes = modes.iter().map(|mode| {
            let leaves = mode.iter().map(|(extent, stride)| if extents { extent } else { stride }.as_str());
            match mode.len() {
                1 => leaves.collect(),
                _ => format!("({})", leaves.collect::<Vec<_>>().join(",")),
            }
        });
        format!("({})", modes.collect::<Vec<_>>().join(","))
    };
    let names: Vec<String> =
        axes.iter().map(|axis| format!("{} elements", axis.to_ascii_uppercase())).collect();
    let mut sizes = Vec::new();
    for axis in &axes {
        if let Some(block @ 2..) = block(*axis) {
            sizes.push(format!("{} to {block}", axis.to_ascii_uppercase()));
        }
    }
    let (axes, sizes, layout) =
        (names.join(", "), sizes.join(", "), format!("{}:{}", side(true), side(false)));
    let (bits, purpose) = (bits.to_string(), "axes and blocks in the order of the name, the slowest first");
    let record = [
        ("name", name),
        ("for", purpose),
        ("axes", &axes),
        ("bits", &bits),
        ("sizes", &sizes),
        ("layout", &layout),
        ("fill", "zero"),
    ];
    Format::of(&record, &[], &[])
}

/// Several arrays of a format, as `E x marlin_4`: an axis before all others, each array with its own padding.
pub(crate) fn leading(axis: &str, format: &Format) -> Result<Format, Error> {
    let name = format!("{axis} x {}", format.name());
    let refused = |reason: &str| Err(Error::Record(format!("`{name}`: {reason}")));
    let is_name = axis.starts_with(|first: char| first.is_ascii_alphabetic())
        && axis.chars().all(|letter| letter.is_ascii_alphanumeric());
    if !is_name || format.axes().iter().any(|own| own.name == axis) {
        return refused("a leading axis needs a name of its own");
    }
    let [text] = format.layouts() else { return refused("a leading axis needs one layout") };
    let start = text.find('(').unwrap_or(0);
    let (before, layout) = text.split_at(start);
    let is_one = layout.matches("):(").count() == 1 && !layout.contains(" o ") && !layout.contains(" where ");
    if !is_one || format.is_expanded() {
        return refused("a leading axis needs one layout, without conditions");
    }
    let storage = match format.storage() {
        Some(storage) => storage.to_owned(),
        None => {
            let mut scope: Scope = format.scope()?;
            let layout = scope.layout(layout)?;
            let size = scope.size(&layout)?;
            scope.number_text(&size)
        }
    };
    let shape = format.shape_text();
    let (extents, strides) = layout.split_once("):(").unwrap_or_default();
    let mut layout = String::new();
    let _ = write!(layout, "{before}({axis},{}):({storage},{strides}", &extents[1..]);
    let (shape, storage) = (format!("{axis}, {shape}"), format!("{axis}*({storage})"));
    format.with(&[("name", &name), ("shape", &shape), ("layout", &layout), ("storage", &storage)], axis)
}
