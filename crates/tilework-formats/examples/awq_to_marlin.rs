//! A weight of AutoAWQ as Marlin reads it: weights, zero points and scales together.

use tilework_formats::{Conversion, Error, Format, Repack};

fn main() -> Result<(), Error> {
    let (rows, columns, group) = (1024, 512, 128);
    let weight = [("K", rows), ("N", columns)];
    let grouped = [("G", rows / group), ("N", columns)];
    for (from, to, sizes) in [
        ("awq_gemm", "marlin_4", weight),
        ("awq_gemm.zeros", "marlin_zeros_4", grouped),
        ("awq_gemm.scales", "marlin_scales", grouped),
    ] {
        let repack = Repack::new(&Format::named(from)?, &Format::named(to)?, &sizes, Conversion::default())?;
        let source = vec![0x42; repack.bytes().0 as usize];
        let target = repack.run(&source)?;
        println!("{from} to {to}: {} bytes, {:?}", target.len(), repack.container()?);
    }
    Ok(())
}
