//! Memory banks: conflicts between elements that are accessed together. `tilework_hardware` computes the cost of an
//! access.

use crate::color_by::ColorBy;
use crate::grid::{Options, draw};
use crate::scene::{Cell, Ground, Label, Level, Panel, Scene};
use crate::sheet::sides;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use tilework::{AnyLayout, Codomain, Composed, Error, Layout, Swizzle};
use tilework_hardware::Refused;
use tilework_hardware::access::{Access, BankReport, WordAccess};
use tilework_hardware::memory;

/// The banks of a memory, and the elements in it.
///
/// ```
/// use tilework_draw::Banks;
/// let halves = Banks::new(16);
/// assert_eq!((halves.count, halves.bytes, halves.bank(66)), (32, 4, 1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Banks {
    /// How many there are.
    pub count: u32,
    /// The width of each, in bytes.
    pub bytes: u32,
    /// The width of an element, in bits.
    pub element_bits: u32,
}

impl Banks {
    /// The shared memory of a GPU with elements of `element_bits` bits.
    #[must_use]
    pub const fn new(element_bits: u32) -> Banks {
        Banks { count: memory::Banks::NVIDIA.count, bytes: memory::Banks::NVIDIA.bytes, element_bits }
    }

    /// The bank in which an element begins.
    #[must_use]
    pub fn bank(&self, offset: i64) -> i64 {
        self.memory().bank(offset, self.element_bits).into()
    }

    /// The ground of a bank.
    ///
    /// ```
    /// use tilework_draw::{Banks, Ground};
    /// assert_eq!(Banks::new(32).ground(31), Ground::Scale(1.0));
    /// ```
    #[must_use]
    pub fn ground(&self, bank: i64) -> Ground {
        Ground::Scale(bank as f64 / f64::from(self.count.max(2) - 1))
    }

    fn memory(&self) -> memory::Banks {
        memory::Banks { count: self.count, bytes: self.bytes, ..memory::Banks::NVIDIA }
    }

    /// The most words in one bank if a warp accesses the elements of a row, and those of a column: 1 is free of
    /// conflicts. Mode 0 of the layout runs down.
    ///
    /// ```
    /// use tilework::layout;
    /// use tilework_draw::Banks;
    /// assert_eq!(Banks::new(32).degrees(&layout!((32,32):(32,1)).into())?, [1, 32]);
    /// # Ok::<(), tilework_hardware::Refused>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`memory::Banks::report`]: offsets that are not integers, and elements of more than 128 bits.
    pub fn degrees(&self, data: &AnyLayout) -> Result<[u64; 2], Refused> {
        let domain = data.layout();
        let [rows, columns] = sides(domain)?;
        self.degrees_of(data, [rows, columns], [rows, columns, domain.size() / (rows * columns)])
    }

    /// The same for the first `drawn` rows, columns and slices.
    fn degrees_of(&self, data: &AnyLayout, whole: [i64; 2], drawn: [i64; 3]) -> Result<[u64; 2], Refused> {
        let ([rows, columns], [m, n, slices]) = (whole, drawn);
        let (down, across) = (Layout::of(m, 1)?, Layout::of(n, rows)?);
        let slice = Layout::of(slices, rows.saturating_mul(columns))?;
        let degree = |threads: &Layout, values: &Layout| -> Result<u64, Refused> {
            let access = Access::new(Layout::concatenate(&[*threads, *values, slice])?, self.element_bits)?;
            Ok(self.memory().report(data, &access)?.degree)
        };
        Ok([degree(&across, &down)?, degree(&down, &across)?])
    }
}

impl fmt::Display for Banks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Banks { count, bytes, element_bits } = self;
        write!(f, "{count} banks of {bytes} bytes, elements of {element_bits} bits")
    }
}

/// A layout coloured by bank. The caption gives the most words in one bank if a warp accesses a row, and a column: 1 is
/// free of conflicts.
///
/// ```
/// use tilework::layout;
/// use tilework_draw::{Banks, Options, banks};
/// let scene = banks("row-major", &layout!((32,32):(32,1)).into(), &Banks::new(32), &Options::default())?;
/// assert!(scene.caption.ends_with("words in one bank: at most 1 of a row, 32 of a column"));
/// # Ok::<(), tilework_hardware::Refused>(())
/// ```
///
/// # Errors
/// [`Error::Codomain`] if an offset is not an integer; those of [`Banks::degrees`].
pub fn banks(title: &str, data: &AnyLayout, banks: &Banks, options: &Options) -> Result<Scene, Refused> {
    let domain = data.layout();
    if !matches!(domain.codomain(), Codomain::Integer | Codomain::Xor) {
        let found = domain.codomain();
        return Err(Error::Codomain { operation: "a picture of memory banks", found }.into());
    }
    let mut scene = draw(title, domain, &|index| data.evaluate(index), options)?;
    for cell in scene.panels.iter_mut().flat_map(|panel| &mut panel.cells) {
        let bank = banks.bank(data.evaluate(cell.index)?.leaves()[0].numerator());
        cell.lines.push(format!("b{bank}"));
        cell.note = format!("bank {bank}");
        if options.colors_by(ColorBy::Bank) {
            cell.ground = banks.ground(bank);
        }
    }
    scene.remark(&banks.to_string());
    let first = &scene.panels[0];
    let alike = |panel: &&Panel| (panel.rows, panel.columns) == (first.rows, first.columns);
    let slices = scene.panels.iter().filter(alike).count() as i64;
    let whole = sides(domain)?;
    let drawn = match (first.wrapped, whole) {
        (false, _) => [first.rows as i64, first.columns as i64, slices],
        (true, [1, _]) => [1, first.cells.len() as i64, slices],
        (true, _) => [first.cells.len() as i64, 1, slices],
    };
    let [row, column] = banks.degrees_of(data, whole, drawn)?;
    scene.remark(&format!("words in one bank: at most {row} of a row, {column} of a column"));
    Ok(scene)
}

/// The lines of a memory that one instruction of a warp accesses, a column for each bank: the words with the threads
/// that access them, coloured by phase. Two words of one colour in a column are a conflict. The title gives the cost of
/// the whole access, and a bank with a conflict is framed.
///
/// ```
/// use tilework::layout;
/// use tilework_draw::{Options, bank_access};
/// use tilework_hardware::{access::Access, memory::Banks};
/// let every_other = Access::new(layout!(32:2), 32)?;
/// let scene = bank_access(&layout!(64:1).into(), &every_other, &Banks::NVIDIA, [0, 0], &Options::default())?;
/// assert_eq!(scene.title, "64:1: 2 ways, 2 wavefronts where 1 would do");
/// assert_eq!((scene.panels[0].rows, scene.panels[0].highlights.len()), (2, 2));
/// # Ok::<(), tilework_hardware::Refused>(())
/// ```
///
/// # Errors
/// Those of [`memory::Banks::report`].
pub fn bank_access(
    data: &AnyLayout,
    access: &Access,
    banks: &memory::Banks,
    [warp, instruction]: [u32; 2],
    options: &Options,
) -> Result<Scene, Refused> {
    let report = banks.report(data, access)?;
    let words = banks.words(data, access, warp, instruction)?;
    let count = i64::from(banks.count.max(1));
    let shown = (options.max_cells as i64 / count).max(1) as usize;
    let lines: BTreeSet<i64> = words.iter().map(|word| word.word.div_euclid(count)).collect();
    let mut at: BTreeMap<i64, Vec<&WordAccess>> = BTreeMap::new();
    for word in &words {
        at.entry(word.word).or_default().push(word);
    }
    let mut panel = Panel { columns: count as usize, rows: lines.len().min(shown), ..Panel::default() };
    let label = |(start, text): (usize, i64)| Label { start, span: 1, text: text.to_string() };
    let line_bytes = count * i64::from(banks.bytes.max(1));
    let rows = lines.iter().take(shown).map(|line| line * line_bytes).enumerate();
    panel.row_labels.push(Level { labels: rows.map(label).collect() });
    panel.column_labels.push(Level { labels: (0..count).enumerate().map(label).collect() });
    for line in lines.iter().take(shown) {
        panel.cells.extend((0..count).map(|bank| {
            let word = line * count + bank;
            cell(word, bank, at.get(&word).map_or(&[], Vec::as_slice), banks)
        }));
    }
    if let Some(conflict) =
        report.conflict.filter(|found| [found.warp, found.instruction] == [warp, instruction])
    {
        let meets = |cell: &Cell| {
            let own = at.get(&cell.index).into_iter().flatten();
            own.into_iter().any(|word| (word.bank, word.phase) == (conflict.bank, conflict.phase))
        };
        let cells = panel.cells.iter().enumerate();
        panel.highlights = cells.filter(|(_, cell)| meets(cell)).map(|(number, _)| number).collect();
    }
    let mut scene = Scene {
        title: format!("{}: {}", text(data), takes(&report)),
        panels: vec![panel],
        ..Scene::default()
    };
    scene.remark(&format!(
        "warp {warp}, instruction {instruction}; a column for each bank, a row for each {line_bytes} bytes by the first of them, a colour for each phase; elements of {} bits",
        access.bits()
    ));
    if lines.len() > shown {
        scene.cut = true;
        scene.remark(&format!("{shown} of {} lines", lines.len()));
    }
    Ok(scene)
}

/// [`bank_access`] of the instruction that takes longest; for a swizzled layout of the one that would without the swizzle, before and
/// after it.
///
/// ```
/// use tilework::Composed;
/// use tilework_draw::{Options, slowest_access};
/// use tilework_hardware::{access::Access, memory::Banks};
/// let tile: Composed = "Sw<2,3,3> o 0 o (64,32):(32,1)".parse()?;
/// let rows = Access::ldmatrix(tile.layout(), 16)?;
/// assert_eq!(slowest_access(&tile.into(), &rows, &Banks::NVIDIA, &Options::default())?.panels.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of [`bank_access`].
pub fn slowest_access(
    data: &AnyLayout,
    access: &Access,
    banks: &memory::Banks,
    options: &Options,
) -> Result<Scene, Refused> {
    let before = match data {
        AnyLayout::Plain(layout) => AnyLayout::Plain(*layout),
        AnyLayout::Swizzled(composed) if composed.offset() == 0 => AnyLayout::Plain(*composed.layout()),
        AnyLayout::Swizzled(composed) => {
            AnyLayout::Swizzled(Composed::new(Swizzle::NONE, composed.offset(), *composed.layout())?)
        }
    };
    let conflict = banks.report(&before, access)?.conflict;
    let longest = conflict.map_or([0, 0], |conflict| [conflict.warp, conflict.instruction]);
    let draw = |data: &AnyLayout| bank_access(data, access, banks, longest, options);
    Ok(match data {
        AnyLayout::Swizzled(composed) if composed.swizzle().bits() > 0 => {
            Scene::row("before and after the swizzle", vec![draw(&before)?, draw(data)?])
        }
        _ => draw(data)?,
    })
}

/// The cost of an access, in words.
fn takes(report: &BankReport) -> String {
    let BankReport { degree, wavefronts, ideal, .. } = report;
    let count = |number: u64, of: &str| format!("{number} {of}{}", if number == 1 { "" } else { "s" });
    let taken = format!("{}, {}", count(*degree, "way"), count(*wavefronts, "wavefront"));
    match report.is_ideal() {
        true => format!("{taken}, no conflict"),
        false => format!("{taken} where {ideal} would do"),
    }
}

fn text(data: &AnyLayout) -> String {
    match data {
        AnyLayout::Plain(layout) => layout.to_string(),
        AnyLayout::Swizzled(composed) => composed.to_string(),
    }
}

fn cell(word: i64, bank: i64, accesses: &[&WordAccess], banks: &memory::Banks) -> Cell {
    let byte = word * i64::from(banks.bytes.max(1));
    let mut cell = Cell {
        index: word,
        coordinate: format!("bank {bank}"),
        offset: byte.to_string(),
        note: String::from("no thread"),
        ..Cell::default()
    };
    let Some(first) = accesses.first() else { return cell };
    cell.lines.push(format!("T{}", first.thread));
    if accesses.len() > 1 {
        cell.lines.push(format!("+{}", accesses.len() - 1));
    }
    cell.ground = Ground::Class(usize::try_from(first.phase).unwrap_or(0));
    let names: Vec<String> = accesses.iter().map(|access| access.thread.to_string()).collect();
    cell.note = format!("phase {}, thread {}", first.phase, names.join(", "));
    cell
}
