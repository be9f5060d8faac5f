//! A product with weights of 4 bits.

use super::modes;
use crate::element::ElementType;
use crate::kernel::{Kernel, Tensor};
use crate::prelude::*;
use crate::program::Program;

/// `C(m,n) = sum over k of A(m,k) * W(n,k)` with weights as MLX stores them in 4 bits: eight in a `u32`, the first in the
/// lowest bits, and for each 64 a scale and a bias: `w = q * scale + bias`. `weights` is the layout of the integers, of
/// `(N,K/8)`; scales and biases are compact `(N,K/64)`.
///
/// ```
/// use tilework_program::library;
/// let product = library::mlx_product::<f32>("(M,K):(lda,1)", "(N,K/8):(K/8,1)", "(M,N):(ldc,1)")?;
/// assert!(product.check()?.is_proved());
/// # Ok::<(), tilework_program::Error>(())
/// ```
///
/// # Errors
/// Of layouts that are none, and of sizes that are no names.
pub fn mlx_product<T: ElementType>(a: &str, weights: &str, c: &str) -> Result<Program, Error> {
    let (extents, _) = modes(a)?;
    let (outs, _) = modes(c)?;
    let ([_, depth], [m, n]) = (&extents[..], &outs[..]) else {
        return Err(error!("{a} and {c}: matrices have two modes"));
    };
    let mut k = Kernel::new("mlx_product", 256);
    let a = k.read::<T>("A", a);
    k.assume(&format!("{depth} % 64 == 0"));
    // Each integer has eight weights: a mode of stride 0 before the others, whose coordinate is the place in it.
    let (shape, strides) = weights.split_once(':').unwrap_or((weights, ""));
    let open = |text: &str| text.trim_start_matches('(').to_string();
    let w = k.read::<u32>("W", format!("(8,{}:(0,{}", open(shape), open(strides)));
    let groups = format!("({n},{depth}/64):({depth}/64,1)");
    let [scales, biases] = ["scales", "biases"].map(|name| k.read::<T>(name, &groups));
    let c = k.write::<T>("C", c);
    let [sa, sw] = ["sA", "sW"].map(|name| k.shared::<f32>(name, "(32,64):(65,1)"));
    let sums = k.registers::<f32>("sums", "(2,2):(1,2)");
    let [i, j] = k.grid([&format!("ceil({m}/32)"), &format!("ceil({n}/32)")]);
    k.fill(sums, 0.0);
    k.repeat(&format!("{depth}/64"), |k, step| {
        let lines = "((64,4),8):((1@1,1@0),4@0)";
        k.map(a.tile([32, 64], [i, step]).partition(lines), sa.partition(lines), |x| x.cast::<f32>());
        // A thread has one integer of a row: 32 rows of eight.
        let packed = w.tile([1, 32, 8], [0.into(), j, step]).threads("(8,32):(1@2,1@1)").values("8:1@0");
        let group = |x: Tensor<T>| x.tile([32, 1], [j, step]).threads("(8,32):(0,1@0)");
        let unpacked = sw.threads("(8,32):(8@1,1@0)").values("8:1@1");
        let place = packed.coordinate(0);
        k.map((packed, place, group(scales), group(biases)), unpacked, |(packed, place, scale, bias)| {
            let weight = (packed >> (place * 4)) & 15;
            weight.cast::<f32>() * scale.cast::<f32>() + bias.cast::<f32>()
        });
        k.barrier();
        k.repeat("64", |k, q| {
            let row = sa.at(1, q).partition("((16,16),(2,2)):((0,1@0),(16@0,0))");
            let column = sw.at(1, q).partition("((16,16),(2,2)):((1@0,0),(0,16@0))");
            k.map((sums, row, column), sums, |(sum, a, w)| sum + a * w);
        });
        k.barrier();
    });
    let out = c.tile([32, 32], [i, j]).partition("((16,16),(2,2)):((1@1,1@0),(16@0,16@1))");
    k.map(sums, out, |sum| sum.cast::<T>());
    k.finish()
}
