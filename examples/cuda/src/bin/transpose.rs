//! A program of the library, started by cudarc: `cargo run --bin transpose`.

use cudarc::driver::{CudaContext, DeviceRepr, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::compile_ptx;
use std::error::Error;
use tilework_program::{Target, library};

/// The structure `copy_sizes` of the emitted text.
#[repr(C)]
#[derive(Clone, Copy)]
struct Sizes {
    m: u32,
    n: u32,
    lda: u32,
    ldb: u32,
}

// SAFETY: four unsigned integers, as in the text.
unsafe impl DeviceRepr for Sizes {}

fn main() -> Result<(), Box<dyn Error>> {
    let program = library::copy::<f32>("(M,N):(lda,1)", "(M,N):(1,ldb)")?;
    let (m, n) = (1000u32, 700u32);
    let sizes = program.sizes(&[("M", m.into()), ("N", n.into())])?;
    // The conditions hold at these sizes, or this is an error.
    let launch = program.launch(&sizes, &[])?;
    let [x, y, z] = launch.blocks;

    let context = CudaContext::new(0)?;
    let stream = context.default_stream();
    let module = context.load_module(compile_ptx(program.emit(Target::Cuda)?)?)?;
    let kernel = module.load_function(&program.entry())?;
    let from: Vec<f32> = (0..m * n).map(|number| number as f32).collect();
    let a = stream.clone_htod(&from)?;
    let mut b = stream.alloc_zeros::<f32>((m * n) as usize)?;
    let sizes = Sizes { m, n, lda: n, ldb: m };
    let config = LaunchConfig { grid_dim: (x, y, z), block_dim: (launch.threads, 1, 1), shared_mem_bytes: 0 };
    let mut call = stream.launch_builder(&kernel);
    call.arg(&a).arg(&mut b).arg(&sizes);
    // SAFETY: the arguments are those of the text, and the memory is as large as the sizes say.
    unsafe { call.launch(config) }?;
    let to = stream.clone_dtoh(&b)?;
    for row in 0..m as usize {
        for column in 0..n as usize {
            assert_eq!(to[row + column * m as usize], from[row * n as usize + column]);
        }
    }
    println!("{m}x{n} transposed");
    Ok(())
}
