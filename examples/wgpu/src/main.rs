//! `cargo run -- FILE M=70 N=45`: a program's text, run on a device and on the host, and whether their results are equal.

use tilework_program::{Buffers, Program, Space};
use tilework_wgpu::{Gpu, Result};

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("give a file with a program, and its sizes: FILE M=70 N=45")?;
    let program: Program =
        std::fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?.parse()?;
    let given: Vec<String> = arguments.collect();
    let size = |text: &str| -> Result<(String, i64)> {
        let (name, value) = text.split_once('=').ok_or_else(|| format!("{text} is no size: write M=70"))?;
        Ok((name.into(), value.parse().map_err(|error| format!("{text}: {error}"))?))
    };
    let given: Vec<(String, i64)> = given.iter().map(|text| size(text)).collect::<Result<_>>()?;
    let given: Vec<(&str, i64)> = given.iter().map(|(name, value)| (&**name, *value)).collect();
    let sizes = program.sizes(&given)?;
    let mut host = Buffers::new(&program, &sizes)?;
    for tensor in program.tensors().iter().filter(|tensor| tensor.space == Space::Read) {
        host.fill(&tensor.name, |at| (at.iter().fold(7, |sum, index| sum * 31 + index) % 17 - 8) as f64)?;
    }
    let mut device = host.clone();
    program.run(&sizes, &mut host)?;
    let gpu = Gpu::new()?;
    gpu.run(&program, &sizes, &mut device)?;
    println!("{} on {}", program.name(), gpu.name());
    for tensor in program.tensors().iter().filter(|own| matches!(own.space, Space::Write | Space::Update)) {
        let pairs = || {
            host.elements(&tensor.name)
                .into_iter()
                .flatten()
                .zip(device.elements(&tensor.name).into_iter().flatten())
        };
        let largest = pairs().map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        println!("{}: {} elements, at most {largest} from those of the host", tensor.name, pairs().count());
    }
    Ok(())
}
