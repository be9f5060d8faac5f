//! The PTX that NVRTC makes of emitted CUDA, run and compared with the machine. `.ci/cuda` makes it, in a folder that `PTX` names:
//! each file has its program, in lines that begin with `//| `, before its PTX.

mod interpreter;

use interpreter::Kernel;
use tilework_program::{Buffers, Element, Program, Sizes, Space};

/// Sizes around some numbers: the nearest multiples of small powers of two that the facts admit.
fn sizes(program: &Program, around: &[i64]) -> Sizes {
    let mut given: Vec<(String, i64)> = Vec::new();
    let at = |given: &[(String, i64)]| {
        program.sizes(&given.iter().map(|(name, value)| (&**name, *value)).collect::<Vec<_>>())
    };
    while let Err(error) = at(&given) {
        let Some((name, _)) = error.message().split_once(" is not given") else { break };
        given.push((name.to_string(), 64));
    }
    for place in 0..given.len() {
        let (wanted, before) = (around[place % around.len()], given[place].1);
        let near = [1, 2, 4, 8, 16, 32, 64, 128].map(|scale| (wanted as u64).next_multiple_of(scale) as i64);
        let admitted = near.into_iter().chain(1..256).find(|own| {
            given[place].1 = *own;
            at(&given).is_ok()
        });
        given[place].1 = admitted.unwrap_or(before);
    }
    at(&given).unwrap_or_else(|error| panic!("{error}\n{program}"))
}

/// Runs a program by the machine and by its PTX.
fn compare(program: &Program, kernel: &Kernel, sizes: &Sizes) -> Result<(), String> {
    let wrong = |error: tilework_program::Error| error.to_string();
    let mut buffers = Buffers::new(program, sizes).map_err(wrong)?;
    let globals: Vec<_> = program.tensors().iter().filter(|tensor| tensor.space.is_global()).collect();
    for tensor in &globals {
        let mixed = |at: &[i64]| at.iter().fold(7, |sum, index| sum * 31 + index * index + index);
        let least = if matches!(tensor.element, Element::U32 | Element::U8) { 0 } else { 8 };
        let fill =
            |at: &[i64]| if tensor.space == Space::Write { 0.0 } else { (mixed(at) % 17 - least) as f64 };
        buffers.fill(&tensor.name, fill).map_err(wrong)?;
    }
    let scalars: Vec<(String, f64)> =
        program.scalars().iter().map(|scalar| (scalar.name.clone(), 1.0)).collect();
    for (name, value) in &scalars {
        buffers.set_scalar(name, *value).map_err(wrong)?;
    }
    let scalars: Vec<(&str, f64)> = scalars.iter().map(|(name, value)| (&**name, *value)).collect();
    let launch = program.launch(sizes, &scalars).map_err(wrong)?;
    let mut bytes: Vec<Vec<u8>> = globals.iter().map(|tensor| buffers.bytes(&tensor.name).unwrap()).collect();
    program.run(sizes, &mut buffers).map_err(wrong)?;
    kernel.run(launch.blocks, launch.threads as usize, &launch.arguments, &mut bytes)?;
    let text = program.to_string();
    let is_rounded = ["exp(", "sqrt(", " / "].iter().any(|own| text.contains(own));
    for (tensor, found) in globals.iter().zip(&bytes) {
        let expected: Vec<f64> = buffers.elements(&tensor.name).unwrap().to_vec();
        buffers.set_bytes(&tensor.name, found).map_err(wrong)?;
        for (at, (found, expected)) in
            buffers.elements(&tensor.name).unwrap().iter().zip(&expected).enumerate()
        {
            let near = if is_rounded { 1e-5 * expected.abs() } else { 0.0 };
            if (found - expected).abs() > near {
                return Err(format!("{} at {at}: {found}, and {expected} by the machine", tensor.name));
            }
        }
    }
    Ok(())
}

#[test]
#[ignore = "needs PTX, which .ci/cuda makes"]
fn ptx_computes_what_the_machine_does() {
    let folder = std::env::var("PTX").expect("PTX names a folder");
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    let check = |file: &std::path::PathBuf| {
        let text = std::fs::read_to_string(file).unwrap();
        let own: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("//| ")).collect();
        let program: Program = own.join("\n").parse().unwrap();
        if file.file_name().is_some_and(|name| name.to_string_lossy().contains("wide")) {
            let wide = |what: &str| text.lines().any(|line| line.contains(what) && line.contains(".v4."));
            assert!(wide("ld.global") && wide("st.global"), "{file:?}");
        }
        let kernel = Kernel::parse(&text).unwrap_or_else(|error| panic!("{file:?}: {error}"));
        for around in [&[1, 1, 1, 1][..], &[35, 18, 67, 2]] {
            let sizes = sizes(&program, around);
            let done = compare(&program, &kernel, &sizes);
            done.unwrap_or_else(|error| {
                panic!("{file:?} at {:?}: {error}", sizes.named().collect::<Vec<_>>());
            });
        }
    };
    std::thread::scope(|scope| {
        let (even, odd) = (files.iter().step_by(2), files.iter().skip(1).step_by(2));
        scope.spawn(|| even.for_each(check));
        odd.for_each(check);
    });
    let count = files.len();
    assert!(count > 40, "{count} files of PTX");
}

/// B(t) = A(t + 1), through shared memory.
const SHIFT: &str = "
.visible .entry shift(
    .param .u64 .ptr .align 1 shift_param_0,
    .param .u64 shift_param_1,
    .param .align 4 .b8 shift_param_2[4]
)
{
    .shared .align 1024 .b8 s[256];
    ld.param.u64 %rd1, [shift_param_0];
    ld.param.u64 %rd2, [shift_param_1];
    ld.param.b32 %r5, [shift_param_2];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd4, %rd1, %rd3;
    ld.global.b32 %r2, [%rd4];
    shl.b32 %r3, %r1, 2;
    st.shared.b32 [%r3], %r2;
    bar.sync 0;
    add.s32 %r6, %r1, 1;
    setp.ge.u32 %p1, %r6, %r5;
    @%p1 bra $end;
    ld.shared.b32 %r4, [%r3+4];
    add.s64 %rd5, %rd2, %rd3;
    st.global.b32 [%rd5], %r4;
$end:
    ret;
}";

/// What the interpreter does, and what it refuses.
#[test]
fn ptx_by_hand() {
    let run = |text: &str, threads: u32, bytes: usize| -> Result<Vec<u8>, String> {
        let mut buffers = [(0..4 * threads as u8).collect(), vec![0; bytes]];
        Kernel::parse(text)?.run([1, 1, 1], threads as usize, &threads.to_le_bytes(), &mut buffers)?;
        Ok(buffers[1].clone())
    };
    let shifted: Vec<u8> = (4..160).chain([0; 4]).collect();
    assert_eq!(run(SHIFT, 40, 160), Ok(shifted));
    for (from, to, bytes, wanted) in [
        ("    bar.sync 0;\n", "", 160, "shared byte 4 was never written"),
        ("setp.ge.u32 %p1, %r6, %r5", "setp.ge.u32 %p1, %r6, 99", 160, "shared byte 160 was never written"),
        ("ret;", "ret;", 100, "byte 100 of a buffer of 100"),
        (
            "ld.global.b32 %r2,",
            "ld.global.v2.b32 {%r2, %r9},",
            160,
            "an access of 8 bytes that is not aligned",
        ),
        ("shl.b32", "shf.b32", 160, "unknown instruction: shf.b32 %r3, %r1, 2"),
        ("    bar.sync 0;\n", "    @%p2 bar.sync 0;\n", 160, "unknown instruction: @%p2 bar.sync 0"),
        ("    bar.sync 0;\n", "    bar.sync 0;\n    st.shared.b32 [0], %r2;\n", 160, "another thread has it"),
        (".b8 shift_param_2[4]", ".b8 shift_param_2[8]", 160, "24 bytes of parameters, not 20"),
    ] {
        assert!(SHIFT.contains(from), "{from}");
        let wrong = run(&SHIFT.replacen(from, to, 1), 40, bytes).unwrap_err();
        assert!(wrong.contains(wanted), "{to}: {wrong}");
    }
}
