//! A product of matrices written as CuTe writes it: tiles of C, and along K tiles of A and B that are multiplied and added.
//! Then the same by the kernels, which choose tiles of their own.
//!
//! `cargo run --release -p tilework-kernels --example tiled_gemm`

use std::time::Instant;
use tilework::{Tensor, layout, tiler};
use tilework_kernels::{Execution, GemmPlan};

fn main() -> Result<(), tilework_kernels::Error> {
    // A (M,K) and C (M,N) row by row, B (N,K) column by column.
    let (a_layout, b_layout, c_layout) =
        (layout!((64,96):(96,1)), layout!((48,96):(1,48)), layout!((64,48):(48,1)));
    let a = Tensor::from_fn(a_layout, |i| (i % 7) as f32 - 3.0)?;
    let b = Tensor::from_fn(b_layout, |i| (i % 5) as f32 - 2.0)?;
    let mut c = Tensor::filled(c_layout, 0.0f32)?;

    let start = Instant::now();
    for (m, n) in (0..4).flat_map(|m| (0..3).map(move |n| (m, n))) {
        let mut tile = c.view_mut().local_tile(&tiler!(<16, 16>), (m, n))?;
        for k in 0..4 {
            let a = a.view().local_tile(&tiler!(<16, 24>), (m, k))?;
            let b = b.view().local_tile(&tiler!(<16, 24>), (n, k))?;
            for (i, j) in (0..16).flat_map(|i| (0..16).map(move |j| (i, j))) {
                let sum: f32 = (0..24).map(|k| a.at([i, k]) * b.at([j, k])).sum();
                tile.set([i, j], tile.at([i, j]) + sum);
            }
        }
    }
    println!("tiles of 16x16, by evaluating layouts: {:?}", start.elapsed());

    let plan = GemmPlan::<f32>::new(&a_layout, &b_layout, &c_layout)?;
    let mut product = vec![0.0; 64 * 48];
    let start = Instant::now();
    plan.run(1.0, a.accessor(), b.accessor(), 0.0, &mut product, &Execution::default())?;
    println!("by the kernels: {:?}\n\n{}", start.elapsed(), plan.explain());
    assert_eq!(c.accessor(), &product);
    Ok(())
}
