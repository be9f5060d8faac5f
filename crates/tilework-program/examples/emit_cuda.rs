//! The CUDA of every program in `tests/programs` and of the library, each behind a line `//// NAME` and its text:
//! `cargo run -p tilework-program --example emit_cuda`.

use std::path::Path;
use tilework_program::kernel::Fold;
use tilework_program::library::{self, Gemm};
use tilework_program::{Error, Program, Target, bf16, f16};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut programs = library()?;
    for file in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs"))? {
        let file = file?.path();
        let name = file.file_stem().ok_or("a file without a name")?.to_string_lossy().to_string();
        programs.push((name, std::fs::read_to_string(file)?.parse()?));
    }
    programs.sort_by(|a, b| a.0.cmp(&b.0));
    for (name, program) in programs {
        println!("//// {name}");
        program.to_string().lines().for_each(|line| println!("//| {line}"));
        println!("{}", program.emit(Target::Cuda)?);
    }
    Ok(())
}

fn library() -> Result<Vec<(String, Program)>, Error> {
    let gemm = |a: &str, b: &str| Gemm::new(a, b, "(M,N):(ldc,1)").bias("N:1");
    let (half, upper) = ("SM80_16x8x16_F32F16F16F32_TN", "SM80_16x8x16_F32BF16BF16F32_TN");
    let wide = gemm("(M,K):(lda,1)", "(N,K):(ldb,1)").tile([128, 128, 32]).stages(3);
    let turned = gemm("(M,K):(1,lda)", "(N,K):(1,ldb)").tile([64, 64, 32]).stages(2);
    let rows = ["(M,16):(q,1)", "(N,16):(k,1)", "(N,16):(v,1)", "(M,16):(o,1)"];
    let programs = [
        ("copy", library::copy::<f32>("(P,Q,R,S):(p,q,r,1)", "(P,Q,R,S):(t,u,1,v)")?),
        ("wide_copy", library::copy::<f32>("(4*M,4*N):(4*lda,1)", "(4*M,4*N):(1,4*ldb)")?),
        (
            "wide_gemm",
            Gemm::new("(M,4*K):(4*lda,1)", "(4*N,4*K):(1,4*ldb)", "(M,4*N):(4*ldc,1)").build(|sum| sum)?,
        ),
        ("wide_f16", library::copy::<f16>("(M,8*N):(8*lda,1)", "(M,8*N):(8*ldb,1)")?),
        ("reduce", library::reduce::<f32>(Fold::SUM, "(M,K):(1,lda)", 0, "K:1")?),
        ("gemm", gemm("(M,K):(1,lda)", "(N,K):(ldb,1)").stages(2).build(|sum| sum.max(0.0))?),
        ("gemm_f16", wide.build_by::<f16, _>(half, [2, 2], |sum| sum.max(0.0).cast::<f16>())?),
        ("gemm_bf16", turned.build_by::<bf16, _>(upper, [2, 2], |sum| sum)?),
        ("softmax", library::softmax("(M,N):(ldx,1)", "(M,N):(ldy,1)")?),
        ("layer_norm", library::layer_norm("(M,N):(ldx,1)", "(M,N):(ldy,1)")?),
        ("gather", library::gather::<f32>("(V,D):(ld,1)", "(R,D):(D,1)")?),
        ("attention", library::attention::<f32>(rows, true)?),
        ("mlx_product", library::mlx_product::<f32>("(M,K):(lda,1)", "(N,K/8):(K/8,1)", "(M,N):(N,1)")?),
    ];
    Ok(programs.map(|(name, program)| (format!("library {name}"), program)).into())
}
