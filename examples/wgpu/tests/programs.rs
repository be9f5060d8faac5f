//! Every program of `crates/tilework-program/tests/programs`, and of the library, on a device: its results are those of the host
//! at ragged sizes, exact but where there are roots and exponentials.

use std::collections::BTreeSet;
use std::path::Path;
use tilework_program::kernel::Fold;
use tilework_program::library::{self, Gemm};
use tilework_program::{Buffers, Program, Space, Target, f16};
use tilework_wgpu::Gpu;

type Given<'a> = &'a [(&'a str, i64)];

/// Small integers, and rows of which some are none of the table's.
fn filled(program: &Program, given: Given<'_>) -> Buffers {
    let mut buffers = Buffers::new(program, &program.sizes(given).unwrap()).unwrap();
    for tensor in
        program.tensors().iter().filter(|tensor| tensor.space != Space::Write && tensor.space.is_global())
    {
        let mixed = |at: &[i64]| at.iter().fold(7i64, |sum, index| sum * 31 + index * index + index);
        let least = if tensor.element == tilework_program::Element::U32 { 0 } else { 8 };
        buffers.fill(&tensor.name, |at| (mixed(at) % 17 - least) as f64).unwrap();
    }
    for scalar in program.scalars() {
        buffers.set_scalar(&scalar.name, 2.0).unwrap();
    }
    buffers
}

/// Runs a program on both, and compares; `near` is the relative error that rounding may have.
fn compare(gpu: &Gpu, program: &Program, given: Given<'_>, near: f64) {
    let sizes = program.sizes(given).unwrap();
    let mut host = filled(program, given);
    let mut device = host.clone();
    program.run(&sizes, &mut host).unwrap_or_else(|error| panic!("{} at {given:?}: {error}", program.name()));
    gpu.run(program, &sizes, &mut device)
        .unwrap_or_else(|error| panic!("{} at {given:?}: {error}", program.name()));
    let results = program.tensors().iter().filter(|own| matches!(own.space, Space::Write | Space::Update));
    for tensor in results {
        let [host, device] = [&host, &device].map(|own| own.elements(&tensor.name).unwrap());
        for (at, (host, device)) in host.iter().zip(device).enumerate() {
            let name = program.name();
            let error = (host - device).abs();
            assert!(
                error <= near * host.abs(),
                "{name} at {given:?}: {}[{at}] is {device}, not {host}",
                tensor.name
            );
        }
    }
}

const ROUNDED: f64 = 1e-5;

/// The programs of the folder, with sizes.
const TEXTS: &[(&str, f64, &[Given<'_>])] = &[
    ("causal", 0.0, &[&[("M", 3), ("N", 70)]]),
    ("convolution", 0.0, &[&[("P", 1), ("R", 1), ("H", 1)], &[("P", 130), ("R", 7), ("H", 136)]]),
    ("copy", 0.0, &[&[("M", 1), ("N", 1)], &[("M", 65), ("N", 3), ("lda", 70)]]),
    ("double", 0.0, &[&[("M", 2), ("K", 70)]]),
    ("gather", 0.0, &[&[("V", 5), ("D", 130), ("R", 7)]]),
    ("halves", 0.0, &[&[("M", 1)], &[("M", 300)]]),
    ("layer_norm", ROUNDED, &[&[("M", 2), ("N", 1)], &[("M", 3), ("N", 777)]]),
    ("permute", 0.0, &[&[("P", 1), ("Q", 1), ("R", 1)], &[("P", 33), ("Q", 2), ("R", 37)]]),
    ("prefetch", 0.0, &[&[("M", 2), ("K", 1)], &[("M", 2), ("K", 100)]]),
    ("reduce", 0.0, &[&[("M", 1), ("K", 1)], &[("M", 17), ("K", 300)]]),
    ("ring", 0.0, &[&[("M", 2), ("K", 1)], &[("M", 2), ("K", 300)]]),
    ("sgemm", 0.0, &[&[("M", 1), ("N", 4), ("K", 4)], &[("M", 65), ("N", 68), ("K", 20)]]),
    ("softmax", ROUNDED, &[&[("M", 2), ("N", 1)], &[("M", 3), ("N", 1000)]]),
    ("split_k", 0.0, &[&[("M", 9), ("N", 17), ("K", 5), ("S", 3)]]),
    ("stages", 0.0, &[&[("M", 1), ("N", 1), ("K", 4)], &[("M", 17), ("N", 33), ("K", 132)]]),
    ("transpose", 0.0, &[&[("M", 1), ("N", 1)], &[("M", 70), ("N", 45), ("lda", 47)]]),
    ("two_stages", 0.0, &[&[("M", 17), ("N", 15), ("K", 1)], &[("M", 1), ("N", 33), ("K", 100)]]),
    ("update", 0.0, &[&[("M", 9), ("N", 17), ("B", 3)]]),
];

#[test]
fn texts() {
    let gpu = Gpu::new().unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/tilework-program/tests/programs");
    let mut untried = BTreeSet::new();
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let program: Program = std::fs::read_to_string(&path).unwrap().parse().unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap();
        match (TEXTS.iter().find(|(own, ..)| *own == name), program.emit(Target::Wgsl)) {
            (Some((_, near, cases)), _) => {
                cases.iter().for_each(|given| compare(&gpu, &program, given, *near))
            }
            // What WGSL cannot say.
            (None, Err(error)) if error.message().contains("emit CUDA") => {}
            (None, _) => drop(untried.insert(name.to_owned())),
        }
    }
    assert!(untried.is_empty(), "no sizes are given for {untried:?}");
}

#[test]
fn library() {
    let gpu = Gpu::new().unwrap();
    let check = |program: Result<Program, _>, near: f64, cases: &[Given<'_>]| {
        let program: Program = program.unwrap_or_else(|error: tilework_program::Error| panic!("{error}"));
        cases.iter().for_each(|given| compare(&gpu, &program, given, near));
    };
    for (from, to) in [("(lda,1)", "(ldb,1)"), ("(lda,1)", "(1,ldb)"), ("(1,lda)", "(1,ldb)")] {
        let (from, to) = (format!("(M,N):{from}"), format!("(M,N):{to}"));
        let cases: &[Given<'_>] = &[&[("M", 1), ("N", 1)], &[("M", 33), ("N", 129)]];
        check(library::copy::<f32>(&from, &to), 0.0, cases);
        check(library::copy::<f16>(&from, &to), 0.0, cases);
    }
    let ranks = library::copy::<f32>("(P,Q,R,S):(p,q,r,1)", "(P,Q,R,S):(t,u,1,v)");
    check(ranks, 0.0, &[&[("P", 2), ("Q", 3), ("R", 33), ("S", 5)]]);
    for (layout, mode, to) in
        [("(M,N):(lda,1)", 1, "M:1"), ("(M,N):(lda,1)", 0, "N:1"), ("(M,N):(1,lda)", 0, "N:1")]
    {
        let cases: &[Given<'_>] = &[&[("M", 1), ("N", 1)], &[("M", 130), ("N", 3)], &[("M", 3), ("N", 257)]];
        check(library::reduce::<f32>(Fold::SUM, layout, mode, to), 0.0, cases);
        check(library::reduce::<f32>(Fold::MAX, layout, mode, to), 0.0, cases);
    }
    for (a, b, c) in [
        ("(lda,1)", "(ldb,1)", "(ldc,1)"),
        ("(1,lda)", "(ldb,1)", "(1,ldc)"),
        ("(lda,1)", "(1,ldb)", "(ldc,1)"),
    ] {
        let [a, b, c] =
            [("(M,K)", a), ("(N,K)", b), ("(M,N)", c)].map(|(shape, strides)| format!("{shape}:{strides}"));
        let gemm = Gemm::new(&a, &b, &c).tile([32, 16, 16]).stages(2).bias("N:1").build(|sum| sum.max(0.0));
        check(gemm, 0.0, &[&[("M", 1), ("N", 1), ("K", 1)], &[("M", 33), ("N", 17), ("K", 35)]]);
    }
    let batched = Gemm::new("(M,K,B):(lda,1,a)", "(N,K,B):(ldb,1,b)", "(M,N,B):(ldc,1,c)").build(|sum| sum);
    check(batched, 0.0, &[&[("M", 65), ("N", 3), ("K", 18), ("B", 2)]]);
    let rows = ["(M,N):(ldx,1)", "(M,N):(ldy,1)"];
    for program in [library::softmax(rows[0], rows[1]), library::layer_norm(rows[0], rows[1])] {
        check(program, ROUNDED, &[&[("M", 2), ("N", 1)], &[("M", 2), ("N", 300)]]);
    }
    check(library::gather::<f32>("(V,D):(ld,1)", "(R,D):(D,1)"), 0.0, &[&[("V", 5), ("D", 130), ("R", 7)]]);
    for causal in [false, true] {
        let layouts = ["(M,32):(ldq,1)", "(N,32):(ldk,1)", "(N,32):(ldv,1)", "(M,32):(ldo,1)"];
        check(
            library::attention::<f32>(layouts, causal),
            1e-4,
            &[&[("M", 1), ("N", 1)], &[("M", 19), ("N", 35)]],
        );
    }
    let product = library::mlx_product::<f32>("(M,K):(lda,1)", "(N,K/8):(K/8,1)", "(M,N):(ldc,1)");
    check(product, 0.0, &[&[("M", 3), ("N", 34), ("K", 128)]]);
}

#[test]
fn what_a_device_lacks_is_refused() {
    let gpu = Gpu::new().unwrap();
    let refused = |text: &str| {
        let program: Program = text.parse().unwrap();
        let sizes = program.sizes(&[("M", 1)]).unwrap();
        let mut buffers = Buffers::new(&program, &sizes).unwrap();
        gpu.run(&program, &sizes, &mut buffers).unwrap_err().to_string()
    };
    let statement = "B[b0 32@0, t 32:1@0] = 0\n";
    let shared = format!(
        "kernel k 32 threads, grid (1)\nwrite B f32 M:1\nshared s f32 (256,256):(1,256)\nassume M <= 32\n\
         s[t 32:1@0] = 0\n{statement}"
    );
    assert!(
        refused(&shared).contains("k needs 262144 bytes of shared memory a block, and"),
        "{}",
        refused(&shared)
    );
}
