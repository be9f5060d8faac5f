//! Work on the rows of a matrix: one block a row, of any length.

use super::{fold_block, modes};
use crate::element::ElementType;
use crate::kernel::{Fold, Index, Kernel, Tensor, View};
use crate::prelude::*;
use crate::program::Program;

const THREADS: i64 = 128;

/// The elements of a row that the threads have at a step.
fn part(x: Tensor<f32>, row: Index, step: Index) -> View<f32> {
    x.tile([1, THREADS], [row, step]).threads(format!("{THREADS}:1@1"))
}

fn matrix(layout: &str) -> Result<[String; 2], Error> {
    let (extents, _) = modes(layout)?;
    extents.try_into().map_err(|_| error!("{layout} is no matrix: it has two modes"))
}

/// `Y(m,n) = exp(X(m,n)) / sum of exp(X(m,n'))`, each less the largest of its row.
///
/// ```
/// use tilework_program::{Buffers, library};
/// let softmax = library::softmax("(M,N):(ldx,1)", "(M,N):(ldy,1)")?;
/// assert!(softmax.check()?.is_proved());
/// let sizes = softmax.sizes(&[("M", 2), ("N", 200)])?;
/// let mut buffers = Buffers::new(&softmax, &sizes)?;
/// softmax.run(&sizes, &mut buffers)?;
/// assert_eq!(buffers.at("Y", &[1, 199]), Some(f64::from(0.005f32)));
/// # Ok::<(), tilework_program::Error>(())
/// ```
///
/// # Errors
/// Of layouts that are none, or not of two modes.
pub fn softmax(from: &str, to: &str) -> Result<Program, Error> {
    let [m, n] = matrix(from)?;
    let mut k = Kernel::new("softmax", THREADS);
    let (x, y) = (k.read::<f32>("X", from), k.write::<f32>("Y", to));
    let s = k.shared::<f32>("s", format!("{THREADS}:1"));
    let (high, sum) = (k.registers::<f32>("high", "1:1"), k.registers::<f32>("sum", "1:1"));
    let [row] = k.grid([&m]);
    let steps = format!("ceil(({n})/{THREADS})");
    k.fill(high, f32::NEG_INFINITY);
    k.repeat(&steps, |k, step| k.fold(Fold::MAX, part(x, row, step), high));
    fold_block(&mut k, Fold::MAX, high, s, THREADS);
    k.fill(sum, 0.0);
    k.repeat(&steps, |k, step| {
        let own = part(x, row, step).outside(f64::NEG_INFINITY);
        k.map((sum, own, high), sum, |(sum, x, high)| sum + (x - high).exp());
    });
    fold_block(&mut k, Fold::SUM, sum, s, THREADS);
    k.repeat(&steps, |k, step| {
        k.map((part(x, row, step), high, sum), part(y, row, step), |(x, high, sum)| (x - high).exp() / sum);
    });
    k.finish()
}

/// `Y(m,n) = (X(m,n) - mean) / sqrt(variance + epsilon) * gamma(n) + beta(n)`, with the mean and variance of the row.
///
/// ```
/// use tilework_program::library;
/// assert!(library::layer_norm("(M,N):(ldx,1)", "(M,N):(ldy,1)")?.check()?.is_proved());
/// # Ok::<(), tilework_program::Error>(())
/// ```
///
/// # Errors
/// Of layouts that are none, or not of two modes, and a number of columns that is no name.
pub fn layer_norm(from: &str, to: &str) -> Result<Program, Error> {
    let [m, n] = matrix(from)?;
    let mut k = Kernel::new("layer_norm", THREADS);
    let (x, y) = (k.read::<f32>("X", from), k.write::<f32>("Y", to));
    let (gamma, beta) = (k.read::<f32>("gamma", format!("{n}:1")), k.read::<f32>("beta", format!("{n}:1")));
    let (epsilon, length) = (k.scalar::<f32>("epsilon"), k.size(&n));
    let s = k.shared::<f32>("s", format!("{THREADS}:1"));
    let (mean, square) = (k.registers::<f32>("mean", "1:1"), k.registers::<f32>("square", "1:1"));
    let [row] = k.grid([&m]);
    let steps = format!("ceil(({n})/{THREADS})");
    k.fill(mean, 0.0);
    k.repeat(&steps, |k, step| k.fold(Fold::SUM, part(x, row, step), mean));
    fold_block(&mut k, Fold::SUM, mean, s, THREADS);
    k.map((mean, &length), mean, |(sum, length)| sum / length.cast::<f32>());
    k.fill(square, 0.0);
    k.repeat(&steps, |k, step| {
        let own = part(x, row, step);
        // What is outside has no distance from the mean.
        let column = own.coordinate(1);
        k.map((square, own, mean, column, &length), square, |(square, x, mean, column, length)| {
            let distance = x - mean;
            square + column.less(length).select(&distance * &distance, 0.0)
        });
    });
    fold_block(&mut k, Fold::SUM, square, s, THREADS);
    k.map((square, &length, epsilon), square, |(sum, length, epsilon)| {
        (sum / length.cast::<f32>() + epsilon).rsqrt()
    });
    k.repeat(&steps, |k, step| {
        let column = |x: Tensor<f32>| x.tile([THREADS], [step]).threads(format!("{THREADS}:1@0"));
        let from = (part(x, row, step), mean, square, column(gamma), column(beta));
        k.map(from, part(y, row, step), |(x, mean, scale, gamma, beta)| (x - mean) * scale * gamma + beta);
    });
    k.finish()
}

/// `out(r,d) = table(rows(r),d)`: rows of a table by their numbers, and zeros for the number of none.
///
/// ```
/// use tilework_program::{Buffers, library};
/// let gather = library::gather::<f32>("(V,D):(ld,1)", "(R,D):(D,1)")?;
/// let sizes = gather.sizes(&[("V", 4), ("D", 3), ("R", 2)])?;
/// let mut buffers = Buffers::new(&gather, &sizes)?;
/// buffers.fill("table", |at| (10 * at[0] + at[1]) as f64)?;
/// buffers.fill("rows", |at| (3 * at[0]) as f64)?;
/// gather.run(&sizes, &mut buffers)?;
/// assert_eq!(buffers.at("out", &[1, 2]), Some(32.0));
/// # Ok::<(), tilework_program::Error>(())
/// ```
///
/// # Errors
/// Of layouts that are none, or not of two modes.
pub fn gather<T: ElementType>(table: &str, out: &str) -> Result<Program, Error> {
    let [count, length] = matrix(out)?;
    let mut k = Kernel::new("gather", THREADS);
    let (from, to) = (k.read::<T>("table", table), k.write::<T>("out", out));
    let rows = k.read::<u32>("rows", format!("{count}:1"));
    let [row, step] = k.grid([&count, &format!("ceil(({length})/{THREADS})")]);
    let part = |view: View<T>| view.tile([1, THREADS], [0.into(), step]).threads(format!("{THREADS}:1@1"));
    k.copy(part(from.gather(0, rows.at(0, row))), part(to.at(0, row)));
    k.finish()
}
