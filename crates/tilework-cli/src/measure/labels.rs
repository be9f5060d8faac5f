//! The labels of a contraction, their extents, and the sums.

use super::memory;
use super::operand::Operand;
use crate::answer::Refusal;
use tilework::Layout;
use tilework_kernels::Einsum;

/// The labels of each operand and of the output.
pub struct Labels {
    einsum: Einsum,
    /// The compact layout of the output.
    output: Layout,
    /// Every label with its extent, those of the output first.
    extents: Vec<(char, i64)>,
}

impl Labels {
    /// The labels of a specification, whose operands have these layouts.
    pub fn new(einsum: Einsum, operands: &[Layout], output: Option<&Layout>) -> Result<Labels, Refusal> {
        let of = einsum.extents(operands, output)?;
        let mut extents: Vec<(char, i64)> = Vec::new();
        for &label in einsum.output().iter().chain(einsum.operands().iter().flatten()) {
            if extents.iter().all(|&(known, _)| known != label) {
                extents.push((label, of.of(label)));
            }
        }
        let compact = einsum.compact_output(&of)?;
        let output = if einsum.output().is_empty() { Layout::of(1, 0)? } else { compact };
        Ok(Labels { einsum, output, extents })
    }

    /// The compact layout of the output, its first label fastest.
    pub fn compact(&self) -> Layout {
        self.output
    }

    /// The number of products in the sum of each element of the output.
    pub fn terms(&self) -> u128 {
        self.extents[self.einsum.output().len()..]
            .iter()
            .fold(1, |product, entry| product.saturating_mul(entry.1 as u128))
    }

    /// The sums, for data in which the operands have their places.
    pub fn sums<'a>(&self, operands: &'a [Operand]) -> Result<Sums<'a>, Refusal> {
        let mut tables = Vec::new();
        for (labels, operand) in self.einsum.operands().iter().zip(operands) {
            // Offsets that are not sums are evaluated by the index of the coordinate.
            let evaluated = operand.is_evaluated();
            let layout =
                if evaluated { Layout::column_major(&operand.layout().shape())? } else { *operand.layout() };
            let mut own = Vec::new();
            for &(label, extent) in &self.extents {
                let mut offsets = memory::filled(extent as usize, |_| 0i64)?;
                for mode in (0..labels.len()).filter(|&mode| labels[mode] == label) {
                    let mode = layout.mode(mode)?;
                    (0..).zip(&mut offsets).for_each(|(step, offset)| *offset += mode.at(step));
                }
                own.push(offsets);
            }
            let place = if evaluated { 0 } else { operand.start() };
            let operand = evaluated.then_some(operand);
            tables.push(Table { place, operand, offsets: own, steps: Vec::new() });
        }
        let outer = self.einsum.output().len();
        let terms = self.terms() as i64;
        if terms <= 1 << 22 {
            for table in &mut tables {
                table.steps = memory::filled(terms as usize, |step| table.offset(outer.., step as i64))?;
            }
        }
        Ok(Sums { outer, terms, tables })
    }
}

/// The places of the factors of each product.
pub struct Sums<'a> {
    outer: usize,
    terms: i64,
    tables: Vec<Table<'a>>,
}

/// The offsets of one operand.
struct Table<'a> {
    place: i64,
    /// The operand to evaluate, if the offsets are indices of coordinates.
    operand: Option<&'a Operand>,
    /// For each label and each of its values.
    offsets: Vec<Vec<i64>>,
    /// For each step of the summed labels, if these are not too many.
    steps: Vec<i64>,
}

impl Table<'_> {
    /// The sum over some labels of the offsets of the digits of an index.
    fn offset(
        &self,
        labels: impl std::slice::SliceIndex<[Vec<i64>], Output = [Vec<i64>]>,
        mut index: i64,
    ) -> i64 {
        let mut sum = 0;
        for offsets in &self.offsets[labels] {
            let extent = offsets.len() as i64;
            sum += offsets[(index % extent) as usize];
            index /= extent;
        }
        sum
    }
}

impl Sums<'_> {
    /// The sum for an element of the output, with factors read by `factor`: whole numbers, which are exact.
    pub fn at(&self, index: i64, factor: impl Fn(usize, usize) -> f64) -> f64 {
        let begins: Vec<i64> =
            self.tables.iter().map(|table| table.place + table.offset(..self.outer, index)).collect();
        let factor_of = |step: i64, (operand, table): (usize, &Table)| {
            let further = table.steps.get(step as usize);
            let at = begins[operand] + further.copied().unwrap_or_else(|| table.offset(self.outer.., step));
            factor(operand, table.operand.map_or(at as usize, |operand| operand.at(at)))
        };
        let product =
            |step| self.tables.iter().enumerate().map(|table| factor_of(step, table)).product::<f64>();
        (0..self.terms).map(product).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(spec: &str, shapes: &[&str]) -> Labels {
        let layouts: Vec<Layout> =
            shapes.iter().map(|shape| Layout::column_major(&shape.parse().unwrap()).unwrap()).collect();
        Labels::new(Einsum::parse(spec).unwrap(), &layouts, None).unwrap()
    }

    #[test]
    fn outputs() {
        assert_eq!(labels("ab,bc", &["(2,3)", "(3,4)"]).compact().to_string(), "(2,4):(1,2)");
        assert_eq!(labels("ab,bc -> ca", &["(2,3)", "(3,4)"]).compact().to_string(), "(4,2):(1,4)");
        assert_eq!(labels("ii->", &["(2,2)"]).compact().to_string(), "1:0");
    }

    #[test]
    fn sums() {
        let labels = labels("ab,bc->ac", &["(2,3)", "(3,4)"]);
        let [a, b] = ["(2,3):(1,-2)", "(3,4):(4,1)"]
            .map(|text| Operand::of_layout("an operand", text.parse().unwrap()).unwrap());
        let (begins, operands) = ([a.start(), b.start()], [a, b]);
        let sums = labels.sums(&operands).unwrap();
        assert_eq!(labels.terms(), 3);
        // C(1,2) is the sum over b of A(1,b) B(b,2).
        let data =
            |operand: usize, place: usize| ((operand as i64 * 100) + place as i64 - begins[operand]) as f64;
        assert_eq!(sums.at(1 + 2 * 2, data), (102 - 106 - 3 * 110) as f64);
    }
}
