//! Memory banks: where elements that are accessed together meet.

use crate::grid::{Options, draw};
use crate::scene::{Ground, Panel, Scene};
use std::collections::{HashMap, HashSet};
use tilework::{Error, Layout, Offset};

/// How many words an element may lie in.
const MOST_WORDS: usize = 4096;

/// The banks of a memory, and the elements that lie in it.
///
/// ```
/// use tilework_draw::Banks;
/// let halves = Banks { element_bits: 16, ..Banks::default() };
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

impl Default for Banks {
    /// The shared memory of a GPU with elements of 4 bytes.
    fn default() -> Banks {
        Banks { count: 32, bytes: 4, element_bits: 32 }
    }
}

impl Banks {
    /// The bank that an element begins in.
    pub fn bank(&self, offset: i64) -> i64 {
        self.words(offset).start.rem_euclid(i128::from(self.count.max(1))) as i64
    }

    /// The words of the memory, each as wide as a bank, that an element lies in.
    fn words(&self, offset: i64) -> std::ops::Range<i128> {
        let (element, word) = (i128::from(self.element_bits.max(1)), 8 * i128::from(self.bytes.max(1)));
        let start = i128::from(offset) * element;
        start.div_euclid(word)..(start + element - 1).div_euclid(word) + 1
    }

    /// The most words that lie in one bank: how many times the memory is asked for all of these elements.
    fn conflict(&self, offsets: impl Iterator<Item = i64>) -> usize {
        let words: HashSet<i128> = offsets.flat_map(|offset| self.words(offset)).collect();
        let mut banks = HashMap::new();
        for word in words {
            *banks.entry(word.rem_euclid(i128::from(self.count.max(1)))).or_insert(0) += 1;
        }
        banks.into_values().max().unwrap_or(0)
    }
}

/// A layout coloured by bank. The caption says how many words of a row, and of a column, lie in one bank at the most: 1 is
/// free of conflicts.
///
/// ```
/// use tilework::{HTuple, layout};
/// use tilework_draw::{Banks, Options, banks};
/// let layout = layout!((32,32):(32,1));
/// let scene = banks("row-major", &layout, |index| layout.evaluate(index), &Banks::default(), &Options::default())?;
/// assert!(scene.caption.ends_with("words in one bank: at most 1 of a row, 32 of a column"));
/// # Ok::<(), tilework::Error>(())
/// ```
///
/// # Errors
/// [`Error::Codomain`] where an offset is no integer; [`Error::Capacity`] for an element of more than 4096 words; those of
/// the function.
pub fn banks(
    title: &str,
    domain: &Layout,
    function: impl Fn(i64) -> Result<Offset, Error>,
    banks: &Banks,
    options: &Options,
) -> Result<Scene, Error> {
    if banks.words(0).end > MOST_WORDS as i128 {
        return Err(Error::Capacity { what: "words of an element", limit: MOST_WORDS });
    }
    let integer = |index: i64| match function(index)?.leaves() {
        [leaf] if leaf.is_integer() => Ok(leaf.numerator()),
        _ => Err(Error::Codomain { operation: "a picture of memory banks", found: domain.codomain() }),
    };
    let mut scene = draw(title, domain, &function, options)?;
    let (mut rows, mut columns) = (0, 0);
    for panel in &mut scene.panels {
        let mut offsets = Vec::with_capacity(panel.cells.len());
        for cell in &mut panel.cells {
            let offset = integer(cell.index)?;
            let bank = banks.bank(offset);
            cell.lines.push(format!("b{bank}"));
            cell.note = format!("bank {bank}");
            cell.ground = Ground::Scale(bank as f64 / f64::from(banks.count.max(2) - 1));
            offsets.push(offset);
        }
        let (across, down) = conflicts(banks, panel, &offsets);
        (rows, columns) = (rows.max(across), columns.max(down));
    }
    let Banks { count, bytes, element_bits } = banks;
    scene.remark(&format!("{count} banks of {bytes} bytes, elements of {element_bits} bits"));
    scene.remark(&format!("words in one bank: at most {rows} of a row, {columns} of a column"));
    Ok(scene)
}

fn conflicts(banks: &Banks, panel: &Panel, offsets: &[i64]) -> (usize, usize) {
    let width = panel.columns.max(1);
    let rows = offsets.chunks(width).map(|row| banks.conflict(row.iter().copied()));
    let columns =
        (0..width).map(|column| banks.conflict(offsets.iter().copied().skip(column).step_by(width)));
    (rows.max().unwrap_or(0), columns.max().unwrap_or(0))
}
