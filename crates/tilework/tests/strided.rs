//! `Strided` in Rust, CUDA and WGSL against the layout, at every index. The CUDA form is compiled by g++ as it is; the WGSL
//! form as C++, after its declarations are written in that order: type, name.

use std::fmt::Write as _;
use std::process::Command;
use tilework::{Layout, Strided};

/// Flat and nested, negative and 0, extents of 1, one leaf and all four.
const LAYOUTS: &[&str] = &[
    "8:1",
    "1:7",
    "(4,8):(8,1)",
    "(4,8):(-8,1)",
    "((2,3),5):((1,20),4)",
    "(3,1,4):(0,9,5)",
    "(2,3,4,5):(60,20,5,1)",
    "(2,1,3,2):(1073741823,5,-7,0)",
    "(5,(7,2)):(14,(1,7))",
    "(65536,3):(1,65536)",
];

fn argument(layout: &str) -> (Layout, Strided<4>) {
    let layout: Layout = layout.parse().unwrap();
    (layout, Strided::new(&layout).unwrap())
}

/// The indices that are compared: all, or of a large layout some.
fn indices(layout: &Layout) -> impl Iterator<Item = u32> + use<> {
    (0..layout.size() as u32).step_by(1 + layout.size() as usize / 1000)
}

#[test]
fn rust_gives_the_offsets() {
    for (layout, strided) in LAYOUTS.iter().map(|text| argument(text)) {
        for index in indices(&layout) {
            assert_eq!(i64::from(strided.at(index)), layout.at(index), "{layout} at {index}");
        }
    }
}

/// The offsets that a C++ program prints, whose `declarations` `call` uses: `strided` is the argument, `index` the index.
fn printed_by_gcc(name: &str, declarations: &str, kind: &str, call: &str) -> String {
    let mut source = format!("#include <cstdio>\n{declarations}\nint main() {{\n");
    for (layout, strided) in LAYOUTS.iter().map(|text| argument(text)) {
        let leaves = strided.leaves.map(|leaf| format!("{{{}u, {}}}", leaf.extent, leaf.stride)).join(", ");
        writeln!(source, "  {{ {kind} strided{{{{{leaves}}}}};").unwrap();
        for index in indices(&layout) {
            writeln!(source, "    std::printf(\"%d\\n\", {});", call.replace("index", &format!("{index}u")))
                .unwrap();
        }
        source.push_str("  }\n");
    }
    source.push_str("}\n");
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (file, program) = (folder.join(name).with_extension("cpp"), folder.join(name));
    std::fs::write(&file, source).unwrap();
    let built =
        Command::new("g++").args(["-std=c++17", "-w", "-o"]).arg(&program).arg(&file).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    String::from_utf8(Command::new(program).output().unwrap().stdout).unwrap()
}

fn expected() -> String {
    let layouts = LAYOUTS.iter().map(|text| argument(text).0);
    layouts.flat_map(|l| indices(&l).map(move |index| format!("{}\n", l.at(index)))).collect()
}

#[test]
fn cuda_gives_the_offsets() {
    let declarations = format!("#define __host__\n#define __device__\n{}", Strided::<4>::CUDA);
    assert_eq!(printed_by_gcc("strided_cuda", &declarations, "Strided<4>", "strided.at(index)"), expected());
}

#[test]
fn wgsl_gives_the_offsets() {
    let text = Strided::<4>::wgsl();
    let mut body = text.as_str().to_owned();
    for (wgsl, cpp) in [
        ("{ extent: u32, stride: i32 }", "{ u32 extent; i32 stride; };"),
        ("{ leaves: array<Strided4Leaf, 4> }", "{ Strided4Leaf leaves[4]; };"),
        (
            "fn strided4_at(strided: Strided4, index: u32) -> i32",
            "i32 strided4_at(Strided4 strided, u32 index)",
        ),
        ("var ", "auto "),
        ("0i;", "0;"),
    ] {
        assert!(body.contains(wgsl), "{wgsl} in {body}");
        body = body.replace(wgsl, cpp);
    }
    let types = "using u32 = unsigned; using i32 = int;";
    let declarations = format!("{types}\n{body}");
    assert_eq!(
        printed_by_gcc("strided_wgsl", &declarations, "Strided4", "strided4_at(strided, index)"),
        expected()
    );
}

#[test]
fn what_does_not_fit_is_refused() {
    for (layout, message) in [
        ("(2,2,2,2,2):(1,2,4,8,16)", "the N of Strided needs size 5, found 4"),
        ("(4,8):(1@0,1@1)", "Strided is not defined for coordinate strides"),
        ("(65536,65536):(1,0)", "Strided takes a size of 32 bits, found 4294967296"),
        ("3:1073741824", "Strided takes offsets of 31 bits and a sign, found 2147483648"),
        ("2:-2147483649", "Strided takes offsets of 31 bits and a sign, found -2147483649"),
    ] {
        let layout: Layout = layout.parse().unwrap();
        assert_eq!(Strided::<4>::new(&layout).unwrap_err().to_string(), message);
    }
    // The largest that fit.
    for layout in ["2:2147483647", "2:-2147483648", "(65535,65537):(1,0)"] {
        assert!(Strided::<4>::new(&layout.parse().unwrap()).is_ok(), "{layout}");
    }
}

/// A kernel may be given bytes that no layout has.
#[test]
fn any_numbers_have_an_offset() {
    let mut strided = argument("(4,8):(8,1)").1;
    for extent in [0, 1, u32::MAX] {
        for stride in [i32::MIN, 0, i32::MAX] {
            strided.leaves[0] = tilework::StridedLeaf { extent, stride };
            let _ = strided.at(u32::MAX);
        }
    }
}

#[test]
fn its_bytes_are_extent_and_stride_by_leaf() {
    let strided = argument("(4,8):(-8,1)").1;
    let numbers: &[i32] = bytemuck::cast_slice(std::slice::from_ref(&strided));
    assert_eq!(numbers, [4, -8, 8, 1, 1, 0, 1, 0]);
    assert_eq!(bytemuck::cast_slice::<i32, Strided<4>>(numbers), [strided]);
}
