//! A weight of AutoAWQ as Marlin reads it: weights, zero points and scales together.

use tilework_formats::{Conversion, Error, Repack, bundle};

fn main() -> Result<(), Error> {
    let (rows, columns, group) = (1024, 512, 128);
    let sizes = [("K", rows), ("N", columns), ("G", rows / group)];
    for (tensor, from, to) in bundle("awq", "marlin").into_iter().flatten() {
        let repack = Repack::new(&from, &to, &from.own_sizes(&sizes), Conversion::default())?;
        let source = vec![0x42; repack.bytes().0 as usize];
        let target = repack.run(&source)?;
        println!("{tensor} as {}: {} bytes, {:?}", to.name(), target.len(), repack.container()?);
    }
    Ok(())
}
