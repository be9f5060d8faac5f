//! Products of tensors over labels: their memory, the reference, and the speed.

use super::compared::{self, Check, compare};
use super::elements::{before, integer, range, written};
use super::labels::Labels;
use super::memory;
use super::operand::Operand;
use super::outcome::Outcome;
use super::{Common, Job, Work, measured};
use crate::answer::Refusal;
use std::fmt;
use tilework_kernels::dynamic::{Dtype, Plan, Types};
use tilework_kernels::machine_limits::Precision;
use tilework_kernels::{__with_types as with_types, Destination, Element, Error, Execution};

/// The most steps, of products and of elements, for which all elements are compared.
const MAX_CHECKED: u128 = 1 << 28;
/// The number of elements that are compared in larger products, and the most steps for them.
const SAMPLE: i64 = 4096;
const MAX_STEPS: i64 = 1 << 26;

/// Operands and output, with their labels.
pub struct Terms {
    pub labels: Labels,
    pub operands: Vec<Operand>,
    pub output: Operand,
}

impl Terms {
    /// Whether all elements are compared.
    fn is_small(&self) -> bool {
        (self.labels.terms().saturating_add(4)).saturating_mul(self.output.size() as u128) <= MAX_CHECKED
    }
}

/// What memory has to hold, of operands and an output of two types: the tables of the plan, the data, and its check.
pub fn needs(
    operands: &[Operand],
    output: &Operand,
    (dtype, output_dtype): (Dtype, Dtype),
    tables: fn(&Operand) -> u128,
    common: &Common,
) -> Vec<(String, u128)> {
    let mut needs = vec![("the plan".to_string(), operands.iter().chain([output]).map(tables).sum())];
    if !common.plan {
        needs.extend(operands.iter().map(|operand| operand.need(dtype.bytes())));
        needs.extend([output.need(output_dtype.bytes()), compared::need(output.len)]);
    }
    needs
}

/// Runs a plan, compares the result, and adds the speed to the outcome: also in the bytes that are moved, if these are given.
pub fn run(
    plan: Plan,
    types: Types,
    terms: Terms,
    bytes: Option<u128>,
    common: &Common,
    outcome: Outcome,
) -> Result<Outcome, Refusal> {
    let precision = if types.operands() == Dtype::F64 { Precision::Double } else { Precision::Single };
    let work = Work { flops: Some((plan.flops() as f64, precision)), bytes };
    measured(with_types!(types, job(plan, types, terms)), common, outcome, work)
}

/// A product of elements of some types.
struct Product<T, C> {
    plan: Plan,
    types: Types,
    terms: Terms,
    from: Vec<Vec<T>>,
    to: Vec<C>,
}

fn job<T, C>(plan: Plan, types: Types, terms: Terms) -> Box<dyn Job>
where
    T: Element + Into<f64>,
    C: Destination<T::Sum> + PartialEq + fmt::Debug,
{
    Box::new(Product::<T, C> { plan, types, terms, from: Vec::new(), to: Vec::new() })
}

impl<T, C> Job for Product<T, C>
where
    T: Element + Into<f64>,
    C: Destination<T::Sum> + PartialEq + fmt::Debug,
{
    fn explain(&self) -> String {
        self.plan.explain()
    }

    fn prepare(&mut self) -> Result<(), Refusal> {
        let Terms { labels, operands, output, .. } = &self.terms;
        let range = range(self.types, operands.len(), labels.terms());
        for (number, operand) in operands.iter().enumerate() {
            self.from.push(memory::filled(operand.len as usize, |i| T::from(integer(number, i, range)))?);
        }
        self.to = memory::filled(output.len as usize, before)?;
        Ok(())
    }

    fn run(&mut self, execution: &Execution) -> Result<(), Error> {
        let from: Vec<&[T]> = self.from.iter().map(Vec::as_slice).collect();
        self.plan.run(1.0, &from, 0.0, &mut self.to, execution)
    }

    /// By sums of products whose factors are found by evaluating the layouts.
    fn check(&self) -> Result<Check, Refusal> {
        let Terms { labels, operands, output } = &self.terms;
        let (sums, size) = (labels.sums(operands)?, output.size());
        let count =
            if self.terms.is_small() { size } else { SAMPLE.min(MAX_STEPS / labels.terms() as i64).max(16) };
        let sum = |index| sums.at(index, |operand, place| self.from[operand][place].into());
        compare(output, &self.to, count, |index| written(sum(index)), before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilework::Layout;
    use tilework_kernels::Einsum;

    #[test]
    fn what_is_wrong_is_found() {
        let layouts: Vec<Layout> = ["(3,4):(1,3)", "4:-1", "3:2"].map(|text| text.parse().unwrap()).to_vec();
        let einsum = Einsum::parse("ab,b->a").unwrap();
        let labels = Labels::new(einsum, &layouts[..2], Some(&layouts[2])).unwrap();
        let operand = |name, layout: &Layout| Operand::of_layout(name, *layout).unwrap();
        let operands: Vec<Operand> =
            layouts[..2].iter().map(|layout| operand("an operand", layout)).collect();
        let output = operand("the output", &layouts[2]);
        let types = Types::new(Dtype::F64, Dtype::F64).unwrap();
        let plan =
            Plan::contract(types, "ab,b->a", &[&operands[0].tensor, &operands[1].tensor], &output.tensor)
                .unwrap();
        let place = operands[1].start() as usize;
        let from: Vec<Vec<f64>> =
            [12usize, operands[1].len as usize].map(|len| (0..len).map(|i| i as f64).collect()).to_vec();
        let mut to: Vec<f64> = (0..5).map(before).collect();
        for i in 0..3 {
            to[2 * i] = (0..4).map(|k| ((i + 3 * k) * (place - k)) as f64).sum();
        }
        let mut product = Product { plan, types, terms: Terms { labels, operands, output }, from, to };
        assert_eq!(product.check().unwrap().wrong, None);
        product.to[1] += 1.0;
        let wrong = product.check().unwrap().wrong;
        assert_eq!(
            wrong.unwrap(),
            "element 1 of the output was overwritten, but its layout does not contain it"
        );
        product.to[4] += 1.0;
        assert!(product.check().unwrap().wrong.unwrap().starts_with("the output at 2: "));
    }
}
