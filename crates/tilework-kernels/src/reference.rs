//! The paper's algorithms as written there: slow, and short enough to check by reading (paper, section 2.6).

pub use crate::contract::reference::contract;
pub use crate::conv::reference::conv;

use crate::error::{Error, check_product};
use tilework::{Accessor, AccessorMut, HasLayout, Tensor};

/// GEMM as in section 2.6.2 of the paper, over any accessors: `C(m,n,l) = alpha sum_k A(m,k,l) B(n,k,l) + beta C(m,n,l)`,
/// with all arithmetic in `f64` and one rounding at the end. Integers below 2^53 are exact.
///
/// ```
/// use tilework::{Constant, Counting, Tensor, layout};
/// use tilework_kernels::reference;
/// let a = Tensor::new(Counting, layout!((2,3):(1,2)))?.map(|x| x as f64);
/// let b = Tensor::new(Constant(1.0), layout!((4,3):(0,0)))?;
/// let mut c = Tensor::new([0.0; 8], layout!((2,4):(1,2)))?;
/// reference::gemm(1.0, &a, &b, 0.0, &mut c, |sum| sum)?;
/// assert_eq!((c.at([0, 3]), c.at([1, 0])), (0.0 + 2.0 + 4.0, 1.0 + 3.0 + 5.0));
/// # Ok::<(), tilework_kernels::Error>(())
/// ```
///
/// # Errors
/// [`Error::Rank`] for ranks other than 2, or 3 for all; [`Error::Product`] if two operands disagree.
pub fn gemm<C: AccessorMut<Offset = i64, Element: Into<f64>>>(
    alpha: f64,
    a: &Tensor<impl Accessor<Offset = i64, Element: Into<f64>>, impl HasLayout>,
    b: &Tensor<impl Accessor<Offset = i64, Element: Into<f64>>, impl HasLayout>,
    beta: f64,
    c: &mut Tensor<C, impl HasLayout>,
    round: impl Fn(f64) -> C::Element,
) -> Result<(), Error> {
    let of_a = sizes("A", "(M,K) or (M,K,L)", a.layout())?;
    let of_b = sizes("B", "(N,K) or (N,K,L)", b.layout())?;
    let of_c = sizes("C", "(M,N) or (M,N,L)", c.layout())?;
    check_product([of_a, of_b, of_c])?;
    let ([m, k, l], n) = (of_a, of_b[0]);
    for batch in 0..l {
        for j in 0..n {
            for i in 0..m {
                let product =
                    |step| a.at(i + m * (step + k * batch)).into() * b.at(j + n * (step + k * batch)).into();
                let sum = if alpha == 0.0 { 0.0 } else { alpha * (0..k).map(product).sum::<f64>() };
                let at = i + m * (j + n * batch);
                let before = if beta == 0.0 { 0.0 } else { beta * c.at(at).into() };
                c.set(at, round(sum + before));
            }
        }
    }
    Ok(())
}

/// The sizes of the two modes of a matrix, and of the batch.
fn sizes(operand: &'static str, modes: &'static str, layout: &impl HasLayout) -> Result<[i64; 3], Error> {
    let layout = layout.as_layout();
    match layout.rank() {
        2 => Ok([layout.mode(0)?.size(), layout.mode(1)?.size(), 1]),
        3 => Ok([layout.mode(0)?.size(), layout.mode(1)?.size(), layout.mode(2)?.size()]),
        found => Err(Error::Rank { operand, modes, found }),
    }
}
