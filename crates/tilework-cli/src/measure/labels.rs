//! The letters of a contraction: how far each runs, and what the sums are.

use super::Refusal;
use super::memory;
use super::operand::Operand;
use tilework::Layout;

/// The letters of each operand and of the output.
pub struct Labels {
    operands: Vec<Vec<char>>,
    output: Vec<char>,
    /// Every letter with its extent, first those of the output.
    extents: Vec<(char, i64)>,
}

impl Labels {
    /// Reads a specification as `numpy.einsum` does. What makes no sense is passed over; the plan refuses it.
    pub fn read(spec: &str) -> Labels {
        let (operands, output) =
            spec.split_once("->").map_or((spec, None), |(operands, output)| (operands, Some(output)));
        let letters = |text: &str| text.chars().filter(char::is_ascii_alphabetic).collect::<Vec<char>>();
        let operands: Vec<Vec<char>> = operands.split(',').map(letters).collect();
        let output = output.map(letters).unwrap_or_else(|| {
            let all = operands.concat();
            let mut once: Vec<char> =
                all.iter().copied().filter(|c| all.iter().filter(|&d| c == d).count() == 1).collect();
            once.sort_unstable();
            once
        });
        Labels { operands, output, extents: Vec::new() }
    }

    /// How many operands there are.
    pub fn operands(&self) -> usize {
        self.operands.len()
    }

    /// Takes the extents from the layouts of the operands.
    pub fn measure(&mut self, operands: &[Layout]) {
        let extent = |letter: char| {
            let named = self.operands.iter().zip(operands);
            let modes =
                named.filter_map(|(own, layout)| layout.mode(own.iter().position(|&c| c == letter)?).ok());
            modes.map(|mode| mode.size()).next().unwrap_or(1)
        };
        let mut extents: Vec<(char, i64)> = Vec::new();
        for &letter in self.output.iter().chain(self.operands.iter().flatten()) {
            if extents.iter().all(|&(known, _)| known != letter) {
                extents.push((letter, extent(letter)));
            }
        }
        self.extents = extents;
    }

    fn extent(&self, letter: char) -> i64 {
        self.extents.iter().find(|entry| entry.0 == letter).map_or(1, |entry| entry.1)
    }

    /// The compact layout of the output, its first letter fastest.
    pub fn compact(&self) -> Result<Layout, Refusal> {
        let mut stride = 1i64;
        let mut modes = Vec::new();
        for &letter in &self.output {
            let extent = self.extent(letter);
            modes.push(Layout::of(extent, if extent == 1 { 0 } else { stride })?);
            let message = "the output has more elements than can be counted".to_string();
            stride = stride.checked_mul(extent).ok_or(Refusal::Other("overflow", message))?;
        }
        if modes.is_empty() { Ok(Layout::of(1, 0)?) } else { Ok(Layout::concatenate(&modes)?) }
    }

    /// How many products are summed for each element of the output.
    pub fn terms(&self) -> u128 {
        self.extents[self.output.len().min(self.extents.len())..]
            .iter()
            .fold(1, |product, entry| product.saturating_mul(entry.1 as u128))
    }

    /// The sums, for data in which the operands have their places.
    pub fn sums(&self, operands: &[Operand]) -> Result<Sums, Refusal> {
        let mut tables = Vec::new();
        for (letters, operand) in self.operands.iter().zip(operands) {
            let mut own = Vec::new();
            for &(letter, extent) in &self.extents {
                let mut offsets = memory::filled(extent as usize, |_| 0i64)?;
                for mode in (0..letters.len()).filter(|&mode| letters[mode] == letter) {
                    let mode = operand.layout().mode(mode)?;
                    (0..).zip(&mut offsets).for_each(|(step, offset)| *offset += mode.at(step));
                }
                own.push(offsets);
            }
            tables.push(Table { place: operand.start(), offsets: own, steps: Vec::new() });
        }
        let outer = self.output.len();
        let terms = self.terms() as i64;
        if terms <= 1 << 22 {
            for table in &mut tables {
                table.steps = memory::filled(terms as usize, |step| table.offset(outer.., step as i64))?;
            }
        }
        Ok(Sums { outer, terms, tables })
    }
}

/// Where the factors of each product lie.
pub struct Sums {
    outer: usize,
    terms: i64,
    tables: Vec<Table>,
}

/// The offsets of one operand.
struct Table {
    place: i64,
    /// For each letter and each of its values.
    offsets: Vec<Vec<i64>>,
    /// For each step through the letters that are summed over, where these are not too many.
    steps: Vec<i64>,
}

impl Table {
    /// The sum over some letters of the offsets of the digits of an index.
    fn offset(
        &self,
        letters: impl std::slice::SliceIndex<[Vec<i64>], Output = [Vec<i64>]>,
        mut index: i64,
    ) -> i64 {
        let mut sum = 0;
        for offsets in &self.offsets[letters] {
            let extent = offsets.len() as i64;
            sum += offsets[(index % extent) as usize];
            index /= extent;
        }
        sum
    }
}

impl Sums {
    /// The sum for an element of the output, of factors that are read from an operand's data.
    pub fn at(&self, index: i64, factor: impl Fn(usize, usize) -> i64) -> i64 {
        let begins: Vec<i64> =
            self.tables.iter().map(|table| table.place + table.offset(..self.outer, index)).collect();
        let product = |step: i64| -> i64 {
            let factors = self.tables.iter().zip(&begins).enumerate().map(|(operand, (table, begin))| {
                let further = match table.steps.get(step as usize) {
                    Some(further) => *further,
                    None => table.offset(self.outer.., step),
                };
                factor(operand, (begin + further) as usize)
            });
            factors.product()
        };
        (0..self.terms).map(product).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(spec: &str, shapes: &[&str]) -> Labels {
        let mut letters = Labels::read(spec);
        let layouts: Vec<Layout> =
            shapes.iter().map(|shape| Layout::column_major(&shape.parse().unwrap()).unwrap()).collect();
        letters.measure(&layouts);
        letters
    }

    #[test]
    fn outputs() {
        assert_eq!(letters("ab,bc", &["(2,3)", "(3,4)"]).compact().unwrap().to_string(), "(2,4):(1,2)");
        assert_eq!(letters("ab,bc -> ca", &["(2,3)", "(3,4)"]).compact().unwrap().to_string(), "(4,2):(1,4)");
        assert_eq!(letters("ii->", &["(2,2)"]).compact().unwrap().to_string(), "1:0");
        assert_eq!(letters("ab->ax", &["(2,3)"]).compact().unwrap().to_string(), "(2,1):(1,0)");
    }

    #[test]
    fn sums() {
        let letters = letters("ab,bc->ac", &["(2,3)", "(3,4)"]);
        let [a, b] = ["(2,3):(1,-2)", "(3,4):(4,1)"]
            .map(|text| Operand::of_layout("an operand", text.parse().unwrap()).unwrap());
        let sums = letters.sums(&[a, b]).unwrap();
        assert_eq!(letters.terms(), 3);
        // C(1,2) is the sum over b of A(1,b) B(b,2).
        let data = |operand: usize, place: usize| {
            (operand as i64 * 100) + place as i64 - [a.start(), b.start()][operand]
        };
        assert_eq!(sums.at(1 + 2 * 2, data), 102 - 106 - 3 * 110);
    }
}
