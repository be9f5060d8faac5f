//! Formats whose names are rules: tags of oneDNN, tiles of XLA, orders of axes, and leading axes on any format.

use crate::error::Error;
use crate::format::Format;
use crate::place::{COORDINATES, chain, split};
use crate::sizes::renamed;

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
    let levels = tag(text).or_else(|| tiles(text)).or_else(|| order(text, name.len() > text.len()));
    if levels.is_none() && text.starts_with('(') {
        let rule = "tiles are rows and columns that the next tile divides, such as `(8,128)(4,1)`";
        return Some(Err(Error::Record(format!("`{name}` is no format: {rule}"))));
    }
    Some(dense(name, &levels?, bits))
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
    let tile = |tile: &str| {
        let (rows, columns) = tile.split_once(',')?;
        Some([rows.trim().parse::<i64>().ok()?, columns.trim().parse().ok()?])
    };
    let tiles = inner.split(")(").map(tile).collect::<Option<Vec<_>>>()?;
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
fn order(text: &str, has_bits: bool) -> Option<Vec<Level>> {
    let axes: Vec<&str> = text.split(' ').collect();
    let is_axis = |axis: &&str| axis.len() == 1 && axis.as_bytes()[0].is_ascii_uppercase();
    let level =
        |axis: &&str| Level { axis: axis.to_ascii_lowercase().chars().next().unwrap_or('a'), extent: None };
    // Else each letter would be an order.
    ((has_bits || axes.len() > 1) && axes.iter().all(is_axis)).then(|| axes.iter().map(level).collect())
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
    let tuple = |texts: Vec<String>| format!("({})", texts.join(","));
    let side = |pick: fn(&(String, String)) -> &String| {
        let texts = modes.iter().map(|mode: &Vec<_>| mode.iter().map(pick).cloned().collect::<Vec<_>>());
        tuple(texts.map(|texts| if texts.len() == 1 { texts.concat() } else { tuple(texts) }).collect())
    };
    let layout = format!("{}:{}", side(|leaf| &leaf.0), side(|leaf| &leaf.1));
    let upper = |axis: &char| axis.to_ascii_uppercase();
    let names: Vec<String> = axes.iter().map(|axis| format!("{} elements", upper(axis))).collect();
    let blocks = axes.iter().filter_map(|axis| Some((axis, block(*axis).filter(|block| *block > 1)?)));
    let sizes: Vec<String> = blocks.map(|(axis, block)| format!("{} to {block}", upper(axis))).collect();
    // Without blocks it is an array in the order of its axes.
    let is_array = levels.iter().all(|level| level.extent.is_none()) && matches!(bits, 8 | 16 | 32 | 64);
    let in_order: Vec<String> =
        levels.iter().map(|level| level.axis.to_ascii_uppercase().to_string()).collect();
    let container = if is_array { format!("uint{bits} [{}]", in_order.join(", ")) } else { String::new() };
    let (axes, sizes, bits) = (names.join(", "), sizes.join(", "), bits.to_string());
    let purpose = "axes and blocks in the order of the name, the slowest first";
    let record = [
        ("name", name),
        ("for", purpose),
        ("axes", &axes),
        ("bits", &bits),
        ("sizes", &sizes),
        ("layout", &layout),
        ("fill", "zero"),
        ("container", &container),
    ];
    Format::of(&record, |_| None, &[])
}

/// Several arrays of a format, as `E x marlin_4`: an axis before all others, each array with its own padding.
pub(crate) fn leading(axis: &str, format: &Format) -> Result<Format, Error> {
    let (name, shape) = (format!("{axis} x {}", format.name()), format.shape_text());
    let refused = |reason: &str| Err(Error::Record(format!("`{name}`: {reason}")));
    let is_name = axis.starts_with(|first: char| first.is_ascii_alphabetic())
        && axis.chars().all(|letter| letter.is_ascii_alphanumeric());
    if !is_name || format.has_size(axis) || COORDINATES.contains(&axis) {
        return refused("a leading axis needs a name of its own");
    }
    if shape.split(", ").count() >= COORDINATES.len() {
        return refused("there are 8 axes at most");
    }
    let mut scope = format.scope()?;
    let mut size = |text: &str| {
        let layout = scope.placed(text)?;
        let size = scope.size(layout.layout())?;
        Ok::<_, Error>(scope.number_text(&size))
    };
    let texts: Vec<(&str, Option<&str>)> = format.layouts().iter().map(|text| split(text)).collect();
    let storage = match (format.storage(), chain(texts[0].0)?.last()) {
        (Some(storage), _) => storage.to_owned(),
        (None, Some(first)) => size(first)?,
        (None, None) => return refused("a polynomial needs a `storage`"),
    };
    // A coordinate is one place further.
    let shifted = |text: &str| {
        let next =
            |name: &str| Some(COORDINATES[COORDINATES.iter().position(|own| *own == name)? + 1].to_owned());
        renamed(text, next)
    };
    let mut changed = vec![
        ("name", name.clone()),
        ("axes", format!("{axis} arrays, {}", format.axes_text())),
        ("shape", format!("{axis}, {shape}")),
        ("storage", format!("{axis}*({storage})")),
    ];
    for (text, conditions) in texts {
        let (mut layouts, mut step, chain) = (Vec::new(), storage.clone(), chain(text)?);
        for (index, own) in chain.iter().enumerate() {
            let (before, layout) = own.split_at(own.rfind(" o ").map_or(0, |at| at + 3));
            let modes =
                layout.split_once("):(").map(|(shape, stride)| (&shape[1..], &stride[..stride.len() - 1]));
            let (shape, stride) = modes.or_else(|| layout.split_once(':')).unwrap_or_default();
            // The other layouts take the offset of an array in its mode, which is their last.
            let is_first = index + 1 == chain.len();
            layouts.push(match is_first {
                true => format!("{before}({axis},{shape}):({step},{stride})"),
                false => format!("{before}({shape},{axis}):({stride},{step})"),
            });
            if !is_first {
                step = size(own)?;
            }
        }
        let offsets = match chain.is_empty() {
            true => format!("i*({storage}) + {}", shifted(text)),
            false => layouts.join(" o "),
        };
        let conditions = conditions.map(|conditions| format!(" where {}", shifted(conditions)));
        changed.push(("layout", offsets + &conditions.unwrap_or_default()));
    }
    let container =
        format.container().map(|text| ("container", text.replacen('[', &format!("[{axis}, "), 1)));
    let block = format.block().map(|block| ("block", format!("{axis} x {block}")));
    changed.extend(container.into_iter().chain(block));
    format.with(&changed)
}
