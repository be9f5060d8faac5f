//! Programs of the library on a GPU, and cuBLAS on the same products: `cargo run --release --bin bench`. `CUDA_PATH` is the folder with
//! `include/cuda_fp16.h`. Every time is the least of ten, of one launch on random numbers.

use cudarc::cublas::{CudaBlas, Gemm as _, GemmConfig, sys::cublasOperation_t};
use cudarc::driver::sys::CUevent_flags;
use cudarc::driver::{CudaContext, CudaStream, DeviceRepr, DriverError, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::{CompileOptions, compile_ptx_with_opts};
use half::f16;
use std::error::Error;
use std::sync::Arc;
use tilework_program::kernel::Fold;
use tilework_program::library::{self, Gemm};
use tilework_program::{Element, Program, Storage, Target};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const REPEATS: usize = 10;

/// A structure of sizes and scalars; a kernel reads as many bytes as its own has.
#[repr(C, align(8))]
struct Arguments([u8; 256]);

// SAFETY: plain bytes.
unsafe impl DeviceRepr for Arguments {}

fn main() -> Result<()> {
    let context = CudaContext::new(0)?;
    let stream = context.default_stream();
    println!("{}", context.name()?);
    let (rows, row) = ("(M,N):(ldx,1)", "(M,N):(ldy,1)");
    let square: &[(&str, i64)] = &[("M", 8192), ("N", 8192)];
    let moved = [
        ("copy", library::copy::<f32>("(M,N):(lda,1)", "(M,N):(ldb,1)")?),
        ("transpose", library::copy::<f32>("(M,N):(lda,1)", "(M,N):(1,ldb)")?),
        ("sum of rows", library::reduce::<f32>(Fold::SUM, "(M,N):(lda,1)", 1, "M:1")?),
        ("sum of columns", library::reduce::<f32>(Fold::SUM, "(M,N):(lda,1)", 0, "N:1")?),
        ("softmax", library::softmax(rows, row)?),
        ("layer norm", library::layer_norm(rows, row)?),
    ];
    for (name, program) in &moved {
        let (seconds, bytes) = timed(&stream, program, square)?;
        println!("{name}: {:.0} GB/s", bytes as f64 / seconds / 1e9);
    }
    let n = 4096i32;
    let cube: &[(&str, i64)] = &[("M", n.into()), ("N", n.into()), ("K", n.into())];
    let operations = 2.0 * f64::from(n).powi(3);
    let gemm = || Gemm::new("(M,K):(lda,1)", "(N,K):(ldb,1)", "(M,N):(ldc,1)");
    let tiled = gemm().tile([128, 128, 32]).stages(3);
    let half = tiled.build_by::<f16, _>("SM80_16x8x16_F32F16F16F32_TN", [2, 2], |sum| sum.cast::<f16>())?;
    for (name, program, beside) in [
        ("product in f32", gemm().build(|sum| sum)?, cublas::<f32>(&stream, Element::F32, n, 1.0, 0.0)?),
        ("product in f16", half, cublas::<f16>(&stream, Element::F16, n, f16::ONE, f16::ZERO)?),
    ] {
        let (seconds, _) = timed(&stream, &program, cube)?;
        let [own, beside] = [seconds, beside].map(|seconds| operations / seconds / 1e12);
        println!("{name}: {own:.1} TFLOP/s, cuBLAS {beside:.1}");
    }
    Ok(())
}

/// The seconds of a program at sizes, and the bytes of its tensors.
fn timed(stream: &Arc<CudaStream>, program: &Program, given: &[(&str, i64)]) -> Result<(f64, usize)> {
    let sizes = program.sizes(given)?;
    let scalars: Vec<(&str, f64)> = program.scalars().iter().map(|scalar| (&*scalar.name, 1.0)).collect();
    let launch = program.launch(&sizes, &scalars)?;
    let values = program.scope().values(&sizes.named().collect::<Vec<_>>())?;
    let mut memories = Vec::new();
    for tensor in program.tensors() {
        let Storage::Global(layout) = &tensor.storage else { continue };
        let elements = layout.instance(&values)?.cosize()? as usize;
        memories.push(stream.clone_htod(&random(tensor.element, elements))?);
    }
    let includes = std::env::var("CUDA_PATH").map(|path| vec![format!("{path}/include")]).unwrap_or_default();
    let options =
        CompileOptions { arch: Some("compute_80"), include_paths: includes, ..CompileOptions::default() };
    let module =
        stream.context().load_module(compile_ptx_with_opts(program.emit(Target::Cuda)?, options)?)?;
    let kernel = module.load_function(&program.entry())?;
    let mut arguments = Arguments([0; 256]);
    let own = arguments.0.get_mut(..launch.arguments.len()).ok_or("more than 256 bytes of arguments")?;
    own.copy_from_slice(&launch.arguments);
    let [x, y, z] = launch.blocks;
    let config = LaunchConfig { grid_dim: (x, y, z), block_dim: (launch.threads, 1, 1), shared_mem_bytes: 0 };
    let seconds = least(stream, || {
        let mut call = stream.launch_builder(&kernel);
        for memory in &mut memories {
            call.arg(memory);
        }
        call.arg(&arguments);
        // SAFETY: the pointers and the structure are those of the text, and the memory is as large as the sizes say.
        unsafe { call.launch(config) }.map(drop)
    })?;
    Ok((seconds, memories.iter().map(|memory| memory.len()).sum()))
}

/// The seconds of cuBLAS for the same product of square matrices.
fn cublas<T>(stream: &Arc<CudaStream>, of: Element, n: i32, alpha: T, beta: T) -> Result<f64>
where
    T: DeviceRepr + cudarc::driver::ValidAsZeroBits + Copy,
    CudaBlas: cudarc::cublas::Gemm<T>,
{
    let blas = CudaBlas::new(stream.clone())?;
    let elements = (n * n) as usize;
    let [a, b] = [stream.clone_htod(&random(of, elements))?, stream.clone_htod(&random(of, elements))?];
    // SAFETY: numbers of the type `T`, as many as there are.
    let [a, b] = [&a, &b].map(|memory| unsafe { memory.transmute::<T>(elements) });
    let (a, b) = (a.ok_or("memory of another size")?, b.ok_or("memory of another size")?);
    let mut c = stream.alloc_zeros::<T>(elements)?;
    let (transa, transb) = (cublasOperation_t::CUBLAS_OP_T, cublasOperation_t::CUBLAS_OP_N);
    let config = GemmConfig { transa, transb, m: n, n, k: n, alpha, lda: n, ldb: n, beta, ldc: n };
    let mut failed = None;
    let seconds = least(stream, || {
        // SAFETY: three matrices of n times n elements.
        failed = unsafe { blas.gemm(config, &a, &b, &mut c) }.err().or(failed);
        Ok(())
    })?;
    failed.map_or(Ok(seconds), |error| Err(error.into()))
}

/// The least seconds of some runs.
fn least(
    stream: &Arc<CudaStream>,
    mut run: impl FnMut() -> std::result::Result<(), DriverError>,
) -> Result<f64> {
    let mut least = f64::INFINITY;
    for _ in 0..=REPEATS {
        let begun = stream.record_event(Some(CUevent_flags::CU_EVENT_DEFAULT))?;
        run()?;
        let ended = stream.record_event(Some(CUevent_flags::CU_EVENT_DEFAULT))?;
        least = least.min(f64::from(begun.elapsed_ms(&ended)?) / 1e3);
    }
    Ok(least)
}

/// Random numbers from -1 to 1, or for integers zeros.
fn random(of: Element, elements: usize) -> Vec<u8> {
    let mut state = 1u64;
    let mut bytes = Vec::with_capacity(elements * of.bytes() as usize);
    for _ in 0..elements {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let number = (state >> 40) as f32 / (1 << 23) as f32 - 1.0;
        match of {
            Element::F32 => bytes.extend(number.to_le_bytes()),
            Element::F16 => bytes.extend(f16::from_f32(number).to_le_bytes()),
            Element::Bf16 => bytes.extend(half::bf16::from_f32(number).to_le_bytes()),
            _ => bytes.resize(bytes.len() + of.bytes() as usize, 0),
        }
    }
    bytes
}
