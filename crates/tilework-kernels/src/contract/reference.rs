//! Contraction as it is defined: for each coordinate of the output, a sum over all other labels.

use super::spec::Einsum;
use crate::error::Error;
use tilework::{Accessor, AccessorMut, HasLayout, Layout, Tensor};

/// Contraction in Einstein notation, over any accessors: for each coordinate of the output, the sum of the products
/// over all labels that it lacks, `C = alpha sum A B ... + beta C`, with all arithmetic in `f64` and one rounding at
/// the end. Integers below 2^53 are exact.
///
/// ```
/// use tilework::{Tensor, layout};
/// use tilework_kernels::reference;
/// let a = Tensor::new(&[1.0, 2.0, 3.0, 4.0][..], layout!((2,2):(1,2)))?;
/// let mut c = Tensor::new([0.0; 4], layout!((2,2):(1,2)))?;
/// reference::contract("ab,bc->ac", 1.0, &[a, a], 0.0, &mut c, |sum| sum)?;
/// assert_eq!(c.accessor(), &[7.0, 10.0, 15.0, 22.0]);
/// # Ok::<(), tilework_kernels::Error>(())
/// ```
///
/// # Errors
/// [`Error::Specification`] as for [`ContractPlan`](crate::ContractPlan).
pub fn contract<C: AccessorMut<Offset = i64, Element: Into<f64>>>(
    spec: &str,
    alpha: f64,
    operands: &[Tensor<impl Accessor<Offset = i64, Element: Into<f64>>, impl HasLayout>],
    beta: f64,
    output: &mut Tensor<C, impl HasLayout>,
    round: impl Fn(f64) -> C::Element,
) -> Result<(), Error> {
    let spec = Einsum::parse(spec)?;
    let layouts: Vec<Layout> = operands.iter().map(|operand| *operand.layout().as_layout()).collect();
    let extents = spec.extents(&layouts, Some(output.layout().as_layout()))?;
    // The labels of the output are the first digits of a counter, the summed labels the others.
    let mut labels = spec.output.clone();
    labels.extend(extents.labels().filter(|label| !spec.output.contains(label)));
    let size = |labels: &[char]| labels.iter().map(|&label| extents.of(label)).product::<i64>();
    let (outer, inner) = (size(&spec.output), size(&labels[spec.output.len()..]));
    let index_in = |own: &[char], counter: i64| {
        let digit = |label: char| {
            let before = labels.iter().take_while(|&&other| other != label);
            counter / before.map(|&other| extents.of(other)).product::<i64>() % extents.of(label)
        };
        own.iter().rev().fold(0, |index, &label| index * extents.of(label) + digit(label))
    };
    for at in 0..outer {
        let term = |step: i64| -> f64 {
            let factors = spec.operands.iter().zip(operands);
            factors.map(|(own, operand)| operand.at(index_in(own, at + outer * step)).into()).product()
        };
        let sum = if alpha == 0.0 { 0.0 } else { alpha * (0..inner).map(term).sum::<f64>() };
        let before = if beta == 0.0 { 0.0 } else { beta * output.at(at).into() };
        output.set(at, round(sum + before));
    }
    Ok(())
}
