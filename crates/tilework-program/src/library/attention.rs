//! Attention with the softmax of a row kept while keys come.

use super::modes;
use crate::element::ElementType;
use crate::kernel::{Fold, Kernel, Tensor, View};
use crate::prelude::*;
use crate::program::Program;

/// `O(m,d) = sum over n of softmax(Q(m,.) . K(n,.) * scale)(n) * V(n,d)`, for any numbers of queries and keys; with `causal`
/// a query sees the keys up to its own number. A block has 16 queries, and 16 keys a step; `scale` is a scalar argument.
///
/// ```
/// use tilework_program::{Buffers, library};
/// let layouts = ["(M,32):(ldq,1)", "(N,32):(ldk,1)", "(N,32):(ldv,1)", "(M,32):(ldo,1)"];
/// let attention = library::attention::<f32>(layouts, false)?;
/// let sizes = attention.sizes(&[("M", 3), ("N", 20)])?;
/// let mut buffers = Buffers::new(&attention, &sizes)?;
/// buffers.fill("V", |at| at[0] as f64)?;
/// attention.run(&sizes, &mut buffers)?;
/// assert_eq!(buffers.at("O", &[2, 31]), Some(9.5));
/// # Ok::<(), tilework_program::Error>(())
/// ```
///
/// # Errors
/// Of layouts that are none, a number of columns that is no multiple of 16, and a number of keys that is no name.
pub fn attention<T: ElementType>(layouts: [&str; 4], causal: bool) -> Result<Program, Error> {
    let [(queries, _), (keys, _)] = [modes(layouts[0])?, modes(layouts[1])?];
    let width: i64 = match &queries[..] {
        [_, width] => width.parse().unwrap_or(0),
        _ => 0,
    };
    if width < 16 || width % 16 != 0 {
        return Err(error!("{}: a matrix with a multiple of 16 columns, as a number", layouts[0]));
    }
    let parts = width / 16;
    let mut k = Kernel::new("attention", 256);
    let [q, key, value] = [("Q", 0), ("K", 1), ("V", 2)].map(|(name, own)| k.read::<T>(name, layouts[own]));
    let o = k.write::<T>("O", layouts[3]);
    let (scale, length) = (k.scalar::<f32>("scale"), k.size(&keys[0]));
    // One element more in a row: threads along rows meet in no bank.
    let rows = format!("(16,{width}):({},1)", width + 1);
    let [sq, sk, sv] = ["sQ", "sK", "sV"].map(|name| k.shared::<f32>(name, &rows));
    let scores = k.shared::<f32>("scores", "(16,16):(17,1)");
    let [score, high, old, sum] = ["score", "high", "old", "sum"].map(|name| k.registers::<f32>(name, "1:1"));
    let out = k.registers::<f32>("out", format!("{parts}:1"));
    let [block] = k.grid([&format!("ceil(({})/16)", queries[0])]);
    // Thread (x,y) has the query y and the key x, and the columns x, x + 16, .. of the result.
    let lines = format!("((16,16),{parts}):((1@1,1@0),16@1)");
    let load = |k: &mut Kernel, from: View<T>, to: Tensor<f32>| {
        k.map(from.partition(&lines), to.partition(&lines), |x| x.cast::<f32>());
    };
    let own = |x: Tensor<f32>| x.threads("(16,16):(1@1,1@0)");
    load(&mut k, q.tile([16, width], [block, 0.into()]), sq);
    k.fill(high, f32::NEG_INFINITY);
    k.fill(sum, 0.0);
    k.fill(out, 0.0);
    k.repeat(&format!("ceil(({})/16)", keys[0]), |k, step| {
        load(k, key.tile([16, width], [step, 0.into()]), sk);
        load(k, value.tile([16, width], [step, 0.into()]), sv);
        k.barrier();
        k.fill(score, 0.0);
        let dot = |x: Tensor<f32>, threads: &str| x.threads(threads).values(format!("{width}:1@1"));
        let (row, column) = (dot(sq, "(16,16):(0,1@0)"), dot(sk, "(16,16):(1@0,0)"));
        k.map((score, row, column), score, |(sum, q, k)| sum + q * k);
        let place =
            |x: Tensor<T>, at, threads: &str| x.tile([16, 1], [at, 0.into()]).threads(threads).coordinate(0);
        let (n, m) = (place(key, step, "(16,16):(1@0,0)"), place(q, block, "(16,16):(0,1@0)"));
        k.map((score, scale, n, m, &length), score, |(x, scale, n, m, length)| {
            let is_seen = n.less(length);
            let is_seen = if causal { is_seen & n.at_most(m) } else { is_seen };
            is_seen.select(x * scale, f32::NEG_INFINITY)
        });
        k.copy(score, own(scores));
        k.barrier();
        let of_row = scores.threads("(16,16):(0,1@0)");
        k.copy(high, old);
        k.fold(Fold::MAX, of_row.clone().values("16:1@1"), high);
        k.map((old, high), old, |(old, high)| (old - high).exp());
        k.barrier();
        k.map((score, high), own(scores), |(x, high)| (x - high).exp());
        k.barrier();
        k.map((sum, old), sum, |(sum, old)| sum * old);
        k.fold(Fold::SUM, of_row.clone().values("16:1@1"), sum);
        k.map((out, old), out, |(out, old)| out * old);
        let (weight, line) = (of_row.values(format!("({parts},16):(0,1@1)")), sv.threads("(16,16):(1@1,0)"));
        let (line, all) =
            (line.values(format!("({parts},16):(16@1,1@0)")), out.values(format!("({parts},16):(1@0,0)")));
        k.map((&all, weight, line), &all, |(out, weight, value)| out + weight * value);
        k.barrier();
    });
    let to = o.tile([16, width], [block, 0.into()]).partition(&lines);
    k.map((out, sum), to, |(out, sum)| (out / sum).cast::<T>());
    k.finish()
}
