//! Emitted text. WGSL is validated by naga. CUDA is compiled by g++ with a thread of the host for each thread of a block, and
//! its results are those of the machine; no CUDA compiler takes part.

use crate::changed;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use testkit::Random;
use tilework_program::kernel::Fold;
use tilework_program::library::{self, Gemm};
use tilework_program::{Buffers, Element, Program, Sizes, Space, Target, f16};

fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name).with_extension("tw");
    std::fs::read_to_string(path).unwrap()
}

/// A program of `programs/`, or of the library.
fn program(name: &str) -> Program {
    let gemm = || Gemm::new("(M,K):(1,lda)", "(N,K):(ldb,1)", "(M,N):(ldc,1)").tile([32, 16, 16]);
    let built = match name {
        "library copy" => library::copy::<f32>("(P,Q,R,S):(p,q,r,1)", "(P,Q,R,S):(t,u,1,v)"),
        "library gemm" => gemm().stages(2).bias("N:1").build(|sum| sum.max(0.0)),
        "wide copy" => library::copy::<f32>("(4*M,4*N):(4*lda,1)", "(4*M,4*N):(1,4*ldb)"),
        "wide gemm" => {
            Gemm::new("(M,4*K):(4*lda,1)", "(4*N,4*K):(1,4*ldb)", "(M,4*N):(4*ldc,1)").build(|sum| sum)
        }
        "library softmax" => library::softmax("(M,N):(ldx,1)", "(M,N):(ldy,1)"),
        "library layer_norm" => library::layer_norm("(M,N):(ldx,1)", "(M,N):(ldy,1)"),
        "library gather" => library::gather::<f32>("(V,D):(ld,1)", "(R,D):(D,1)"),
        "library attention" => {
            library::attention::<f32>(["(M,16):(q,1)", "(N,16):(k,1)", "(N,16):(v,1)", "(M,16):(o,1)"], true)
        }
        "library mlx_product" => {
            library::mlx_product::<f32>("(M,K):(lda,1)", "(N,K/8):(K/8,1)", "(M,N):(N,1)")
        }
        "library reduce" => library::reduce::<f32>(Fold::SUM, "(M,K):(1,lda)", 0, "K:1"),
        _ => text(name).parse(),
    };
    built.unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn wgsl_is_valid() {
    let names = "copy,transpose,permute,reduce,sgemm,stages,gather,softmax,causal,double,layer_norm,library copy,\
                 library gemm,library softmax,library layer_norm,library gather,library reduce,\
                 library attention,library mlx_product";
    for name in names.split(',') {
        assert_is_valid(&program(name).emit(Target::Wgsl).unwrap());
    }
}

fn assert_is_valid(wgsl: &str) {
    let module = naga::front::wgsl::parse_str(wgsl)
        .unwrap_or_else(|error| panic!("{}\n{wgsl}", error.emit_to_string(wgsl)));
    let (flags, capabilities) = (naga::valid::ValidationFlags::all(), naga::valid::Capabilities::all());
    let valid = naga::valid::Validator::new(flags, capabilities).validate(&module);
    assert!(valid.is_ok(), "{:?}\n{wgsl}", valid.err());
}

/// What a driver accepts or not, as it likes: sizes are uniform, a loop's bound is none of memory, a tensor has one binding;
/// swizzled addresses begin at multiples of a period, and what is outside is not read by CUDA.
#[test]
fn what_devices_rely_on() {
    let mut shared = 0;
    for text in changed::texts() {
        let program: Program = text.parse().unwrap();
        let cuda = program.emit(Target::Cuda).unwrap();
        for line in cuda.lines().filter(|line| line.contains("__shared__ ")) {
            assert!(line.contains("__shared__ __align__(1024) "), "{line}");
            shared += 1;
        }
        let mut statements = cuda.lines().filter(|line| !line.trim_start().starts_with("//"));
        assert!(!statements.any(|line| line.contains("select(")), "{cuda}");
        let Ok(wgsl) = program.emit(Target::Wgsl) else { continue };
        assert_eq!(wgsl.contains("sizes."), wgsl.contains("var<uniform> sizes: Sizes;"), "{wgsl}");
        let is_global =
            |own: &&tilework_program::Tensor| !matches!(own.space, Space::Shared | Space::Registers);
        let tensors = program.tensors().iter().filter(is_global).count();
        assert_eq!(wgsl.matches("var<storage").count(), tensors, "{wgsl}");
        for line in wgsl.lines().filter(|line| line.trim_start().starts_with("for ")) {
            assert!(!line.contains('['), "{line}");
        }
    }
    assert!(shared > 10, "{shared}");
}

/// A type that no tensor has, but a scalar or a conversion: validators and compilers know it only where it is asked for.
#[test]
fn types_of_scalars_and_conversions() {
    let text = |value: &str| {
        format!(
            "kernel k 32 threads, grid (ceil(M/32))\nread A f32 M:1\nwrite B f32 M:1\nscalar low f16\nfor k in 1 {{\n\
             when k < 1 {{\nB[b0 32@0, t 32:1@0] = {value}\n}}\n}}\n"
        )
    };
    let a = "A[b0 32@0, t 32:1@0] else 0";
    for (text, has) in [
        (text(&format!("({a}) + f32(low)")), true),
        (text(&format!("1 + f32(f16({a}))")).replace("scalar low f16\n", ""), true),
        (text(a).replace("scalar low f16\n", ""), false),
    ] {
        let program: Program = text.parse().unwrap();
        let wgsl = program.emit(Target::Wgsl).unwrap();
        assert_is_valid(&wgsl);
        assert_eq!(wgsl.contains("enable f16;"), has, "{wgsl}");
        assert_eq!(program.emit(Target::Cuda).unwrap().contains("#include <cuda_fp16.h>"), has);
        assert_eq!(program.needs().unwrap().f16, has);
    }
    let upper = text("f32(bf16(1))").replace("scalar low f16", "scalar low bf16").parse::<Program>().unwrap();
    assert!(upper.emit(Target::Cuda).unwrap().contains("#include <cuda_bf16.h>"));
}

#[test]
fn what_a_language_cannot_say_is_refused() {
    let refused = program("unpack").emit(Target::Wgsl).unwrap_err().to_string();
    assert!(refused.contains("WGSL has no type u8: emit CUDA"), "{refused}");
    let refused = program("hgemm").emit(Target::Wgsl).unwrap_err().to_string();
    assert!(
        refused.contains("line 32: WGSL has no matrix instructions, and SM80_16x8x16_F32F16F16F32_TN is one"),
        "{refused}"
    );
    let large = text("transpose").replace("o (32,32)", "o (512,32)").parse::<Program>().unwrap();
    let refused = large.emit(Target::Cuda).unwrap_err().to_string();
    assert!(
        refused.contains("65536 bytes of shared memory, and a CUDA kernel declares at most 49152"),
        "{refused}"
    );
    let needs = "// 256 threads and 65536 bytes of shared memory a block, 2 buffers.";
    assert!(large.emit(Target::Wgsl).unwrap().contains(needs));
    for (from, to, wanted) in [
        ("assume K % 4 == 0, ", "assume ", "is not aligned: assume K % 4 == 0"),
        ("lda % 4 == 0, ", "", "is not aligned: assume lda % 4 == 0"),
        ("t (4,16):(4@1,1@0), v 4:1@1] = A", "t (16,4):(1@1,4@0), v 4:1@0] = A", "is not contiguous"),
        // The second piece of a thread begins where none is aligned.
        (
            "sA[0@2, t (4,16):(4@1,1@0), v 4:1@1] = A[b0 16@0, 0@1, t (4,16):(4@1,1@0), v 4:1@1]",
            "sA[0@2, t (2,16):(4@1,1@0), v (4,2):(1@1,8@1)] = A[b0 16@0, 0@1, t (2,16):(4@1,1@0), v (4,2):(1@1,6@1)]",
            "is not aligned",
        ),
    ] {
        let program: Program = text("stages").replacen(from, to, 1).parse().unwrap();
        let refused = program.emit(Target::Cuda).unwrap_err().to_string();
        assert!(refused.contains(wanted), "{refused}");
    }
}

/// The text that a careful author would write.
#[test]
fn cuda_of_the_transpose_and_of_matrices() {
    let cuda = program("transpose").emit(Target::Cuda).unwrap();
    let lines = [
        "    const unsigned i0 = b0 * 32u + (t / 32u);",
        "    const unsigned i3 = t ^ ((t & 992u) >> 5u);",
        "    s[i3] = (p2 ? A[i2] : 0.0f);",
        "    s[i3 ^ 264u] = (p4 ? A[i2 + 8u * sizes.lda] : 0.0f);",
        "    __syncthreads();",
        "    if (p13) B[i8 + 8u * sizes.ldb] = s[i5 ^ 8u];",
    ];
    for line in lines {
        assert!(cuda.lines().any(|own| own == line), "{line}\n{cuda}");
    }
    // Addresses of matrices: that of the thread in bytes, with bits flipped for half a tile, a stage and a constant.
    let cuda = program("hgemm").emit(Target::Cuda).unwrap();
    let lines = [
        "    unsigned ra_0, ra_1, ra_2, ra_3, ra_4, ra_5, ra_6, ra_7, ra_8, ra_9, ra_10, ra_11, ra_12, ra_13, ra_14, ra_15;",
        "    const unsigned i19 = (t % 16u) * 32u + (t / 16u % 2u) * 8u + (t / 32u % 2u) * 512u;",
        "    const unsigned i21 = i19 ^ ((i19 & 192u) >> 3u);",
        "    const unsigned i28 = i1 + 2u * (i21 ^ 16u);",
        "        const unsigned i29 = i28 + 2u * i20;",
        "        asm volatile(\"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\" : \"=r\"(ra_4), \
         \"=r\"(ra_5), \"=r\"(ra_6), \"=r\"(ra_7) : \"r\"(i29 + 2048u) : \"memory\");",
        "            asm volatile(\"{ .reg .pred outside; setp.eq.u32 outside, %2, 0; cp.async.cg.shared.global [%0], [%1], 16, \
         outside; }\" :: \"r\"(i14 + 2048u), \"l\"(&A[i16] + 32u * sizes.lda), \"r\"((unsigned)p28) : \"memory\");",
        "        asm volatile(\"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, \
         %9}, {%0, %1, %2, %3};\" : \"+f\"(rc_0), \"+f\"(rc_1), \"+f\"(rc_2), \"+f\"(rc_3) : \"r\"(ra_0), \"r\"(ra_1), \
         \"r\"(ra_2), \"r\"(ra_3), \"r\"(rb_0), \"r\"(rb_1));",
    ];
    for line in lines {
        assert!(cuda.lines().any(|own| own == line), "{line}\n{cuda}");
    }
    // A stride that is a sum is one factor.
    let sum = text("transpose").replace("(lda,1)", "(N+3,1)").parse::<Program>().unwrap();
    assert!(sum.emit(Target::Cuda).unwrap().contains("i0 * (sizes.N + 3) + i1;"));
    // No predicate where the facts make it superfluous.
    let whole = text("transpose").replace("shared", "assume M % 32 == 0, N % 32 == 0\nshared");
    let whole = whole.parse::<Program>().unwrap().emit(Target::Cuda).unwrap();
    assert!(!whole.contains("bool"), "{whole}");
}

/// One access has several elements where extents and strides are multiples, and one where they may not be.
#[test]
fn wide_accesses_of_the_library() {
    let counts = |program: &Program| {
        let report = program.check().unwrap();
        assert!(report.is_proved() && !report.to_string().contains("ways in a bank"), "{program}\n{report}");
        let cuda = program.emit(Target::Cuda).unwrap();
        let count = |what: &str| cuda.matches(what).count();
        let sides = [
            "(const float4*)&A",
            "(const float4*)&B",
            "(float4*)&B",
            "(float4*)&C",
            "(const float4*)&s",
            "(float4*)&s",
        ];
        sides.map(count)
    };
    let text = "kernel k 32 threads, grid (ceil(M/128))\nread A f32 M:1\nwrite B f32 M:1\n\
                B[b0 128@0, t 32:4@0, v 4:1@0] = A[b0 128@0, t 32:4@0, v 4:1@0] else 0\n";
    let ragged: Program = text.parse().unwrap();
    let report = ragged.check().unwrap().to_string();
    let wanted = "proved line 4: A read: 1 of a thread in one access, and 4 under `assume M % 4 == 0`";
    assert!(report.contains(wanted) && counts(&ragged) == [0; 6], "{report}");
    let even: Program = text.replace("1\nB[", "1\nassume M % 4 == 0\nB[").parse().unwrap();
    assert!(even.check().unwrap().to_string().contains("proved line 5: A read: 4 values in one access"));
    assert_eq!(counts(&even), [1, 0, 1, 0, 0, 0]);
    let refused = even.sizes(&[("M", 6)]).unwrap_err().to_string();
    assert_eq!(refused, "the program is not made for M=6: assumed: M % 4 == 0");
    let copy = |from: &str, to: &str| library::copy::<f32>(from, to).unwrap();
    let straight = copy("(M,4*N):(4*lda,1)", "(M,4*N):(4*ldb,1)");
    assert_eq!(counts(&straight), [1, 0, 1, 0, 0, 0]);
    assert_eq!(counts(&copy("(M,4*N):(4*lda,1)", "(M,4*N):(ldb,1)")), [0; 6]);
    // Of a transpose each side by itself: in the tile one side is contiguous, and takes 4 accesses of 4 bytes.
    let transpose = copy("(4*M,4*N):(4*lda,1)", "(4*M,4*N):(1,4*ldb)");
    assert_eq!(counts(&transpose), [1, 0, 1, 0, 0, 0]);
    assert_eq!(counts(&copy("(M,4*N):(4*lda,1)", "(M,4*N):(1,ldb)")), [1, 0, 0, 0, 0, 0]);
    assert_eq!(counts(&copy("(M,N):(lda,1)", "(M,N):(1,ldb)")), [0; 6]);
    // Of a product the tiles, 16 steps of two operands of 4 elements, and the 4 rows of 4 sums.
    let gemm = |a: &str, b: &str, c: &str| Gemm::new(a, b, c).build(|sum| sum).unwrap();
    let wide = gemm("(M,4*K):(4*lda,1)", "(4*N,4*K):(1,4*ldb)", "(M,4*N):(4*ldc,1)");
    assert_eq!(counts(&wide), [1, 1, 0, 4, 32, 1]);
    assert_eq!(counts(&gemm("(M,K):(lda,1)", "(N,K):(1,ldb)", "(M,N):(1,ldc)")), [0, 0, 0, 0, 32, 0]);
    let half = library::copy::<f16>("(M,8*N):(8*lda,1)", "(M,8*N):(8*ldb,1)").unwrap();
    let text = half.emit(Target::Cuda).unwrap();
    assert!(
        text.contains("*(uint4*)&B[i2] = (p0 ? *(const uint4*)&A[i1] : make_uint4(0u, 0u, 0u, 0u));"),
        "{text}"
    );
    for (program, given) in [
        (straight, &[("M", 3), ("N", 70)][..]),
        (transpose, &[("M", 9), ("N", 10)]),
        (wide, &[("M", 33), ("N", 5), ("K", 6)]),
        (half, &[("M", 3), ("N", 70)]),
    ] {
        let sizes = program.sizes(given).unwrap();
        let mut buffers = filled(&program, &sizes).unwrap();
        program.run(&sizes, &mut buffers).unwrap();
        assert!(program.needs().unwrap().to_string().ends_with("at multiples of 16 bytes"));
    }
}

/// What the host gives to a kernel in place of a GPU.
const HOST: &str = r#"
#include <algorithm>
#include <barrier>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>
#define __global__
#define __launch_bounds__(threads)
#define __shared__ static
#define __align__(bytes) __attribute__((aligned(bytes)))
struct Index { unsigned x, y, z; };
template <class T, int n> struct alignas(n * sizeof(T)) Vector;
template <class T> struct alignas(2 * sizeof(T)) Vector<T, 2> { T x, y; };
template <class T> struct alignas(4 * sizeof(T)) Vector<T, 4> { T x, y, z, w; };
using float2 = Vector<float, 2>; using float4 = Vector<float, 4>;
using int2 = Vector<int, 2>; using int4 = Vector<int, 4>;
using uint2 = Vector<unsigned, 2>; using uint4 = Vector<unsigned, 4>;
#define make_float2(...) float2{__VA_ARGS__}
#define make_float4(...) float4{__VA_ARGS__}
#define make_int2(...) int2{__VA_ARGS__}
#define make_int4(...) int4{__VA_ARGS__}
#define make_uint2(...) uint2{__VA_ARGS__}
#define make_uint4(...) uint4{__VA_ARGS__}
static thread_local Index threadIdx, blockIdx;
static std::unique_ptr<std::barrier<>> arrived;
static void __syncthreads() { arrived->arrive_and_wait(); }
using std::max, std::min;
static unsigned __float2uint_rz(float x) { return x > 0 ? (unsigned)min((double)x, 4294967295.0) : 0; }
static int __float2int_rz(float x) { return x == x ? (int)max(min((double)x, 2147483647.0), -2147483648.0) : 0; }
static float rsqrtf(float x) { return 1.0f / sqrtf(x); }
static float __int_as_float(unsigned bits) { float x; std::memcpy(&x, &bits, 4); return x; }
template <class Kernel> void launch(unsigned x, unsigned y, unsigned z, unsigned threads, Kernel kernel) {
    for (unsigned c = 0; c < z; c++) for (unsigned b = 0; b < y; b++) for (unsigned a = 0; a < x; a++) {
        arrived = std::make_unique<std::barrier<>>(threads);
        std::vector<std::thread> all;
        for (unsigned t = 0; t < threads; t++)
            all.emplace_back([=] { threadIdx = {t, 0, 0}; blockIdx = {a, b, c}; kernel(); });
        for (auto& one : all) one.join();
    }
}
"#;

#[test]
fn cuda_computes_what_the_machine_does() {
    let cases: [(&str, &[(&str, i64)]); 17] = [
        ("transpose", &[("M", 40), ("N", 33), ("lda", 37)]),
        ("permute", &[("P", 33), ("Q", 2), ("R", 5)]),
        ("reduce", &[("M", 9), ("K", 130)]),
        ("sgemm", &[("M", 65), ("N", 4), ("K", 20)]),
        ("softmax", &[("M", 1), ("N", 133)]),
        ("layer_norm", &[("M", 1), ("N", 133)]),
        ("causal", &[("M", 3), ("N", 70)]),
        ("unpack", &[("K", 131)]),
        ("double", &[("M", 2), ("K", 70)]),
        ("library copy", &[("P", 1), ("Q", 2), ("R", 33), ("S", 5)]),
        ("library gemm", &[("M", 33), ("N", 15), ("K", 35)]),
        ("wide copy", &[("M", 9), ("N", 10)]),
        ("wide gemm", &[("M", 33), ("N", 5), ("K", 6)]),
        ("library softmax", &[("M", 1), ("N", 300)]),
        ("library reduce", &[("M", 131), ("K", 3)]),
        ("library attention", &[("M", 3), ("N", 17)]),
        ("library mlx_product", &[("M", 1), ("N", 3), ("K", 64)]),
    ];
    let cases = cases.map(|(name, given)| {
        let program = program(name);
        let sizes = program.sizes(given).unwrap();
        (name.to_string(), program, sizes)
    });
    assert_computed("emitted", &cases);
}

/// Beyond the range of an integer, of infinities and of NaN: what the hardware does, which is what `as` does in Rust.
#[test]
fn conversions_to_integers() {
    type Known = fn(f32) -> f64;
    type Factor = fn(f32) -> f32;
    let (mut cases, mut values) = (Vec::new(), 0);
    let types: [(&str, Known); 4] = [
        ("u32", |x| (x as u32).into()),
        ("i32", |x| (x as i32).into()),
        ("u8", |x| (x as u8).into()),
        ("i8", |x| (x as i8).into()),
    ];
    let factors: [(&str, Factor); 6] = [
        ("x * 700000000", |x| x * 700000000.0),
        ("x * 1073741824", |x| x * 1073741824.0),
        ("x * 40", |x| x * 40.0),
        ("x / 4", |x| x / 4.0),
        ("x * 85 / 2", |x| x * 85.0 / 2.0),
        ("x / (x - x)", |x| x / (x - x)),
    ];
    for (of, known) in types {
        for (text, factor) in factors {
            let value = text.replace('x', "(A[t 17:1@0] else 0)");
            let text = format!(
                "kernel k 32 threads, grid (1)\nread A f32 M:1\nwrite B {of} M:1\nB[t 17:1@0] = {of}({value})\n"
            );
            let program: Program = text.parse().unwrap();
            let sizes = program.sizes(&[("M", 17)]).unwrap();
            let mut buffers = filled(&program, &sizes).unwrap();
            program.run(&sizes, &mut buffers).unwrap();
            for (a, b) in buffers.elements("A").unwrap().iter().zip(buffers.elements("B").unwrap()) {
                assert_eq!(*b, known(factor(*a as f32)), "{text}{a}");
                values += usize::from(*b != 0.0);
            }
            cases.push((text, program, sizes));
        }
    }
    assert!(values > 200, "{values}");
    assert_computed("conversions", &cases);
}

#[test]
fn changed_programs_compute_what_the_machine_does() {
    let (texts, mut random) = (changed::texts(), Random::named("changed_programs"));
    let mut cases = Vec::new();
    while cases.len() < testkit::scaled(400, 0.03) {
        let Some((program, _)) = changed::proved(&texts, &mut random) else { continue };
        let Some(sizes) = changed::sizes(&program, &mut random) else { continue };
        // The host has no instructions of a GPU, no half precision, and starts a thread for each of a block.
        let is_small = |tensor: &&tilework_program::Tensor| tensor.element.bytes() != 2;
        let text = program.to_string();
        if text.contains(" by ") || !program.tensors().iter().all(|own| is_small(&own)) {
            continue;
        }
        let Ok(mut buffers) = filled(&program, &sizes) else { continue };
        let elements =
            |tensor: &tilework_program::Tensor| buffers.elements(&tensor.name).map_or(0, |own| own.len());
        if program.tensors().iter().map(elements).sum::<usize>() > 1 << 14 {
            continue;
        }
        if matches!(program.run_within(&sizes, &mut buffers, 1 << 15), Ok(Some(_))) {
            program.emit(Target::Wgsl).iter().for_each(|wgsl| assert_is_valid(wgsl));
            cases.push((text, program, sizes));
        }
    }
    assert_computed("changed", &cases);
}

/// Buffers whose inputs are small integers that depend on every coordinate.
fn filled(program: &Program, sizes: &Sizes) -> Result<Buffers, tilework_program::Error> {
    let mut buffers = Buffers::new(program, sizes)?;
    for tensor in program.tensors().iter().filter(|tensor| tensor.space != Space::Write) {
        let mixed = |at: &[i64]| at.iter().fold(7, |sum, index| sum * 31 + index * index + index);
        let least = if tensor.element == Element::U32 { 0 } else { 8 };
        if tensor.space.is_global() {
            buffers.fill(&tensor.name, |at| (mixed(at) % 17 - least) as f64)?;
        }
    }
    Ok(buffers)
}

/// Compiles the texts for the host, and compares what they compute with what the machine does.
fn assert_computed(file: &str, cases: &[(String, Program, Sizes)]) {
    let (mut source, mut main, mut expected) = (HOST.to_string(), String::new(), Vec::new());
    for (place, (name, program, sizes)) in cases.iter().enumerate() {
        let text = program.emit(Target::Cuda).unwrap().replace("extern \"C\" ", "");
        writeln!(source, "namespace n{place} {{\n{text}}}").unwrap();
        let mut buffers = filled(program, sizes).unwrap();
        let mut arguments = Vec::new();
        writeln!(source, "static void case{place}() {{").unwrap();
        writeln!(main, "case{place}();").unwrap();
        for tensor in program.tensors().iter().filter(|tensor| tensor.space.is_global()) {
            let of = match tensor.element {
                Element::F32 => "float",
                Element::I32 => "int",
                Element::U32 => "unsigned",
                Element::I8 => "signed char",
                _ => "unsigned char",
            };
            let elements: Vec<String> =
                buffers.elements(&tensor.name).unwrap().iter().map(f64::to_string).collect();
            writeln!(source, "std::vector<{of}> {} = {{{}}};", tensor.name, elements.join(",")).unwrap();
            arguments.push(format!("{}.data()", tensor.name));
        }
        let mut values: Vec<String> = sizes.named().map(|(_, value)| value.to_string()).collect();
        values.extend(program.scalars().iter().map(|_| "0".to_string()));
        let known = program.scope().values(&sizes.named().collect::<Vec<_>>()).unwrap();
        let mut grid: Vec<i64> =
            program.grid().iter().map(|axis| program.scope().value(axis, &known).unwrap().unwrap()).collect();
        grid.resize(3, 1);
        grid.push(program.threads());
        let launch: Vec<String> = grid.iter().map(i64::to_string).collect();
        let (values, launch, arguments) = (values.join(", "), launch.join(", "), arguments.join(", "));
        let called = if program.name() == "double" { "double_" } else { program.name() };
        writeln!(source, "n{place}::{called}_sizes sizes = {{{values}}};").unwrap();
        writeln!(source, "launch({launch}, [&] {{ n{place}::{called}({arguments}, sizes); }});").unwrap();
        program.run(sizes, &mut buffers).unwrap();
        for tensor in
            program.tensors().iter().filter(|own| [Space::Write, Space::Update].contains(&own.space))
        {
            writeln!(source, "for (auto x : {}) printf(\"%.17g\\n\", (double)x);", tensor.name).unwrap();
            expected.extend(buffers.elements(&tensor.name).unwrap().iter().map(|value| (name, *value)));
        }
        source += "}\n";
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (file, binary) = (folder.join(file).with_extension("cpp"), folder.join(file));
    std::fs::write(&file, format!("{source}\nint main() {{\n{main}}}\n")).unwrap();
    let mut compiler = Command::new("g++");
    let compiled = compiler.args(["-std=c++20", "-pthread", "-o"]).args([&binary, &file]).output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let printed = String::from_utf8(Command::new(binary).output().unwrap().stdout).unwrap();
    let found: Vec<f64> = printed.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(found.len(), expected.len());
    for (found, (name, expected)) in found.into_iter().zip(expected) {
        let is_rounded = ["softmax", "layer_norm", "attention", "exp(", "sqrt(", " / "];
        let near = if is_rounded.iter().any(|own| name.contains(own)) { 1e-5 * expected.abs() } else { 0.0 };
        let is_same = found == expected || found.is_nan() && expected.is_nan();
        assert!(is_same || (found - expected).abs() <= near, "{name}: {found} {expected}");
    }
}

/// The text for an architecture is the same behind its first line, and refused where one of the instructions is newer.
#[test]
fn texts_for_an_architecture() {
    let mut refused = 0;
    for name in ["copy", "transpose", "stages", "sgemm", "softmax", "hgemm"] {
        let (program, lines) = (program(name), text(name));
        let (first, text) = (program.needs().unwrap().architecture, program.emit(Target::Cuda).unwrap());
        for architecture in [53, 75, 80, 90, 120] {
            let found = program.emit_for(Target::Cuda, &format!("sm_{architecture}"));
            if architecture >= first {
                assert_eq!(found.unwrap(), format!("// For sm_{architecture} and later.\n{text}"), "{name}");
                continue;
            }
            let error = found.unwrap_err();
            let (line, by) = (error.line().unwrap(), error.message().split(' ').next().unwrap());
            assert!(lines.lines().nth(line - 1).unwrap().ends_with(&format!(" by {by}")), "{name}: {error}");
            assert!(error.message().ends_with(&format!("which sm_{architecture} does not have")), "{error}");
            refused += 1;
        }
        assert_eq!(text.contains("cp.async") || text.contains("mma.sync"), first > 0, "{name}");
        assert!(program.emit_for(Target::Cuda, "sm_90a").unwrap().starts_with("// For sm_90a and later.\n"));
    }
    assert!(refused > 1, "{refused}");
    let copy = program("transpose");
    for wrong in ["90", "sm_", "sm_x", "compute_90", "sm_-1", ""] {
        let error = copy.emit_for(Target::Cuda, wrong).unwrap_err().to_string();
        assert!(error.contains("is no architecture of CUDA"), "{error}");
    }
    let error = copy.emit_for(Target::Wgsl, "sm_90").unwrap_err().to_string();
    assert_eq!(error, "sm_90 is an architecture of CUDA, and WGSL has none");
}

/// The end of a loop is named before it, also where it differs between blocks.
#[test]
fn loops_that_end_by_the_block_have_a_bound() {
    let text = "kernel k 32 threads, grid (M)\nread A f32 M:1\nwrite y f32 M:1\nregisters e f32 1:1\ne = 0\n\
                for k in b0 + 1 {\ne = e + A[k 1@0]\n}\ny[b0 1@0, t 1:1@0] = e\n";
    let program: Program = text.replace("A[k 1@0]", "(A[k 1@0] else 0)").parse().unwrap();
    assert!(program.check().unwrap().is_proved(), "{}", program.check().unwrap());
    let [wgsl, cuda] = [Target::Wgsl, Target::Cuda].map(|target| program.emit(target).unwrap());
    assert_is_valid(&wgsl);
    assert!(
        wgsl.contains("let i0 = b0 + 1u;\n") && wgsl.contains("for (var k = 0u; k < i0; k++) {"),
        "{wgsl}"
    );
    assert!(cuda.contains("for (unsigned k = 0u; k < i0; k++) {"), "{cuda}");
}

/// The least integer, the neutral element of max, is no literal with a sign.
#[test]
fn the_least_integer_is_written() {
    let text = "kernel most 32 threads, grid (ceil(M/32))\nread A i32 (M,K):(K,1)\nwrite y i32 M:1\nregisters r i32 1:1\n\
                r = -2147483648\nfor k in ceil(K/4) {\n  r[v 4:0] = max(r[v 4:0], A[b0 32@0, t 32:1@0, k 4@1, v 4:1@1] else -2147483648)\n\
                }\ny[b0 32@0, t 32:1@0] = r\n";
    let program: Program = text.parse().unwrap();
    let [wgsl, cuda] = [Target::Wgsl, Target::Cuda].map(|target| program.emit(target).unwrap());
    assert_is_valid(&wgsl);
    assert!(wgsl.contains("(-2147483647i - 1i)") && !wgsl.contains("-2147483648i"), "{wgsl}");
    assert!(cuda.contains("(-2147483647 - 1)") && !cuda.contains(": -2147483648"), "{cuda}");
}
