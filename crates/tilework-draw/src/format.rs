//! A storage format at sizes: the offset of each element, and what each place of the storage contains.

use crate::grid::{Options, draw};
use crate::scene::{Cell, Ground, Label, Level, Panel, Scene};
use tilework::{Layout, Offset};
use tilework_formats::{Error, Packed};

/// What the colours of a format represent.
///
/// ```
/// use tilework_draw::FormatColors;
/// assert_eq!(FormatColors::named("piece"), Some(FormatColors::Piece));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormatColors {
    /// The byte: elements of one colour beside each other are in one byte.
    Byte,
    /// The piece of a block.
    Piece,
}

impl FormatColors {
    /// By its name, `byte` or `piece`.
    #[must_use]
    pub fn named(name: &str) -> Option<FormatColors> {
        match name {
            "byte" => Some(FormatColors::Byte),
            "piece" => Some(FormatColors::Piece),
            _ => None,
        }
    }

    /// The pieces, if there are several.
    #[must_use]
    pub fn of(packed: &Packed) -> FormatColors {
        match packed.format().pieces().nth(1) {
            Some(_) => FormatColors::Piece,
            None => FormatColors::Byte,
        }
    }
}

/// The bits in a row of the storage, if these are 4 to 32 elements.
const ROW: u32 = 128;

/// The elements of a format in rows, each with its offset, and its storage in rows, each place with the element
/// that is there: another piece of the block is coloured and has no text, a dot is padding.
///
/// ```
/// use tilework_draw::{FormatColors, Options, format};
/// use tilework_formats::Format;
/// let weight = Format::named("awq_gemm")?.at(&[("K", 1), ("N", 8)])?;
/// let scene = format(&weight, FormatColors::Byte, &Options::default())?;
/// assert_eq!((&scene.panels[0].cells[3].lines, &scene.panels[1].cells[5].lines), (&vec!["5".to_string()], &vec!["0,3".to_string()]));
/// # Ok::<(), tilework_formats::Error>(())
/// ```
///
/// # Errors
/// Those of [`Packed::stored`] and of a layout of its shape.
pub fn format(packed: &Packed, colors: FormatColors, options: &Options) -> Result<Scene, Error> {
    let mut scenes = vec![elements(packed, colors, options)?];
    let small = [packed.storage(), packed.count()?].into_iter().all(|size| options.bounded(size).is_ok());
    if small {
        scenes.push(storage(packed, colors, options)?);
    }
    let mut scene = Scene::row(format!("{packed}"), scenes);
    if !small {
        scene.remark("what each place of the storage contains is drawn for smaller sizes");
    }
    Ok(scene)
}

/// The rows of a panel are the coordinates of all axes but the last.
fn elements(packed: &Packed, colors: FormatColors, options: &Options) -> Result<Scene, Error> {
    let shape = packed.shape();
    let (across, down) = shape.split_last().unwrap_or((&1, &[]));
    let extents: Vec<String> = down.iter().rev().map(i64::to_string).collect();
    let domain = match down.len() {
        0 => format!("({across})"),
        _ => format!("(({}),{across})", extents.join(",")),
    };
    let domain = Layout::column_major(&domain.parse()?)?;
    let title = format!("offset of each element ({})", packed.format().shape_text());
    let mut scene = draw(&title, &domain, &|index| Ok(Offset::leaf(index.into())), options)?;
    for cell in scene.panels.iter_mut().flat_map(|panel| &mut panel.cells) {
        let mut rest = cell.index;
        let mut digit = |extent: &i64| (rest % extent, rest /= extent).0;
        let mut coordinate: Vec<i64> = down.iter().rev().map(&mut digit).collect();
        coordinate.reverse();
        coordinate.push(digit(across));
        let stored = packed.stored(&coordinate)?;
        cell.coordinate = format!("({})", joined(&coordinate));
        cell.offset = stored.map(|stored| stored.offset.to_string()).unwrap_or_default();
        cell.lines = vec![if cell.offset.is_empty() { "\u{b7}".to_owned() } else { cell.offset.clone() }];
        cell.note = stored.map_or_else(|| "not stored".to_owned(), |stored| stored.to_string());
        cell.ground = match (stored, colors) {
            (None, _) => Ground::Blank,
            (Some(stored), FormatColors::Byte) => Ground::Class(stored.byte() as usize),
            (Some(_), FormatColors::Piece) => Ground::Class(0),
        };
    }
    Ok(scene)
}

fn storage(packed: &Packed, colors: FormatColors, options: &Options) -> Result<Scene, Error> {
    let (format, bits) = (packed.format(), packed.format().element_bits());
    let columns = (ROW / bits).clamp(4, 32).min(packed.storage().clamp(1, 32) as u32) as usize;
    let most = i64::try_from(options.max_cells.max(1)).unwrap_or(i64::MAX);
    let drawn = packed.storage().min(most);
    let sizes: Vec<(&str, i64)> = packed.sizes().collect();
    let others = format.pieces().filter(|piece| piece.name() != format.name());
    let others: Vec<Packed> = others.filter_map(|piece| piece.at(&sizes).ok()).collect();
    let mut cells = Vec::new();
    for offset in 0..drawn {
        let place = packed.place(offset);
        let mut cell =
            Cell { index: offset, offset: offset.to_string(), note: place.to_string(), ..Cell::default() };
        let class = match packed.coordinate(offset)? {
            Some(coordinate) => {
                let text = joined(&coordinate);
                cell.coordinate = format!("({text})");
                cell.lines = vec![text];
                Some(0)
            }
            None => {
                let owner = owner(&others, place.bit(), bits)?;
                cell.lines = vec![if owner.is_some() { String::new() } else { "\u{b7}".to_owned() }];
                cell.note += &match &owner {
                    Some((piece, coordinate)) => {
                        format!("; there is ({}) of {}", joined(coordinate), others[*piece].format().name())
                    }
                    None => "; padding".to_owned(),
                };
                owner.map(|(piece, _)| piece + 1)
            }
        };
        cell.ground = match (class, colors) {
            (Some(0), FormatColors::Byte) => Ground::Class(place.byte() as usize),
            (Some(class), FormatColors::Piece) => Ground::Class(class),
            _ => Ground::Blank,
        };
        cells.push(cell);
    }
    let rows = cells.len().div_ceil(columns);
    let level = |texts: Vec<String>| Level {
        labels: texts.into_iter().enumerate().map(|(start, text)| Label { start, span: 1, text }).collect(),
    };
    let panel = Panel {
        rows,
        columns,
        wrapped: true,
        cells,
        row_labels: vec![level((0..rows).map(|row| (row * columns).to_string()).collect())],
        column_labels: vec![level((0..columns).map(|column| column.to_string()).collect())],
        ..Panel::default()
    };
    let cut = drawn < packed.storage();
    let mut scene =
        Scene { title: "element at each offset".to_owned(), panels: vec![panel], cut, ..Scene::default() };
    if cut {
        scene.remark(&format!("the first {drawn} of {} places", packed.storage()));
    }
    Ok(scene)
}

/// The piece that has some of these bits, and the first of its elements there.
fn owner(pieces: &[Packed], bit: i128, bits: u32) -> Result<Option<(usize, Vec<i64>)>, Error> {
    for (number, piece) in pieces.iter().enumerate() {
        let own = i128::from(piece.format().element_bits());
        for offset in bit / own..=(bit + i128::from(bits) - 1) / own {
            if offset < i128::from(piece.storage())
                && let Some(coordinate) = piece.coordinate(offset as i64)?
            {
                return Ok(Some((number, coordinate)));
            }
        }
    }
    Ok(None)
}

fn joined(coordinate: &[i64]) -> String {
    coordinate.iter().map(i64::to_string).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::format as draw_format;
    use super::*;
    use std::collections::HashMap;
    use tilework_formats::{Format, formats};

    /// What the pictures say is what the format answers, and where an element is drawn in the storage is where it says it is.
    #[test]
    fn every_format_is_drawn_both_ways() {
        for format in formats() {
            let packed = format.at(&format.small().unwrap()).unwrap();
            let options = Options::default().with_max_cells(1 << 14);
            let scene = draw_format(&packed, FormatColors::of(&packed), &options).unwrap();
            let [elements, storage] = &scene.panels[..] else { panic!("{}", format.name()) };
            assert_eq!(elements.cells.len() as i64, packed.count().unwrap(), "{}", format.name());
            assert_eq!(storage.cells.len() as i64, packed.storage(), "{}", format.name());
            let mut at: HashMap<&str, usize> = HashMap::new();
            elements.cells.iter().for_each(|cell| *at.entry(cell.offset.as_str()).or_default() += 1);
            for cell in elements.cells.iter().filter(|cell| !cell.offset.is_empty()) {
                let place = &storage.cells[cell.offset.parse::<usize>().unwrap()];
                assert_ne!(place.coordinate, "", "{} {}", format.name(), cell.coordinate);
                // Of several elements at one place, the first is shown.
                let is_alone = at[cell.offset.as_str()] == 1;
                assert!(!is_alone || place.coordinate == cell.coordinate, "{} {place:?}", format.name());
            }
        }
    }

    #[test]
    fn pieces_and_padding_are_told_apart() {
        let block = Format::named("ggml_q4_0").unwrap();
        let packed = block.at(&[("N", 1), ("K", 32)]).unwrap();
        let scene = draw_format(&packed, FormatColors::Piece, &Options::default()).unwrap();
        let cell = &scene.panels[1].cells[0];
        assert_eq!(cell.ground, Ground::Class(1));
        assert!(cell.note.ends_with("; there is (0,0) of ggml_q4_0.scales"), "{}", cell.note);
        let padded = Format::named("scale_128x4").unwrap().at(&[("M", 40), ("S", 7)]).unwrap();
        let scene = draw_format(&padded, FormatColors::Byte, &Options::default()).unwrap();
        let dots = scene.panels[1].cells.iter().filter(|cell| cell.note.ends_with("; padding")).count();
        assert_eq!(dots as i64, padded.storage() - 40 * 7);
    }

    #[test]
    fn large_sizes_are_cut_and_not_enumerated() {
        let packed = Format::named("marlin_4").unwrap().at(&[("K", 1 << 20), ("N", 1 << 20)]).unwrap();
        assert!(draw_format(&packed, FormatColors::Byte, &Options::default()).is_err());
        let packed = Format::named("marlin_4").unwrap().at(&[("K", 1024), ("N", 1024)]).unwrap();
        let scene = draw_format(&packed, FormatColors::Byte, &Options::default()).unwrap();
        assert_eq!((scene.panels.len(), scene.cut), (1, true));
        assert!(scene.caption.contains("drawn for smaller sizes"), "{}", scene.caption);
    }
}
