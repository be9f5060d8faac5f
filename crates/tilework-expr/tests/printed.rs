//! What C++ CuTe prints is read, and is what CuTe says it is: `cute/values.txt` has printed values with some of their
//! offsets, `cute/parts.txt` what a kernel writes before them, and the other files in `cute` are whole texts. `cute/print.cpp` printed them, from CUTLASS's headers.

use tilework_expr::{Export, Form, Session, scan};

/// A printed value, and the offsets of some indices.
fn values() -> impl Iterator<Item = (&'static str, &'static str)> {
    include_str!("cute/values.txt").lines().map(|line| line.split_once('\t').expect("a text and its offsets"))
}

/// Compares the offsets of `L`, which is `text`; how many there are.
fn offsets_of_l(session: &mut Session, text: &str, offsets: &str) -> usize {
    let mut count = 0;
    for pair in offsets.split(' ') {
        let (index, offset) = pair.split_once('=').expect("an index and its offset");
        let found = session.evaluate(&format!("L({index})")).map(|value| value.to_string());
        assert_eq!(found, Ok(offset.replace('_', "")), "{text} at {index}");
        count += 1;
    }
    count
}

#[test]
fn every_value_has_the_offsets_that_cute_prints() {
    let (mut count, mut compared) = (0, 0);
    for (text, offsets) in values() {
        let mut session = Session::new();
        if let Err(error) = session.evaluate(&format!("let L = {text}")) {
            panic!("{text}: {error}");
        }
        count += 1;
        compared += offsets_of_l(&mut session, text, offsets);
    }
    assert!(count >= 60 && compared > 1000, "{count} values, {compared} offsets");
}

/// `local_tile`, `local_partition`, `make_fragment_like` and `make_tensor` as a kernel has them, against what CuTe makes of the
/// same text.
#[test]
fn what_a_kernel_writes_of_tensors_is_what_cute_makes_of_it() {
    let mut session = Session::new();
    let (mut count, mut compared) = (0, 0);
    for line in include_str!("cute/parts.txt").lines() {
        let Some((text, rest)) = line.split_once('\t') else {
            session.evaluate(line).unwrap_or_else(|error| panic!("{line}: {error}"));
            continue;
        };
        let (printed, offsets) = rest.split_once('\t').expect("what is printed, and offsets");
        let value = match session.evaluate(&format!("let L = {text}")) {
            Ok(value) => value.clone(),
            Err(error) => panic!("{text}: {error}"),
        };
        let bits = printed.split_once("ptr[").and_then(|(_, rest)| rest.split_once("b]"));
        let found = value.element_bits().map(|bits| bits.to_string());
        assert_eq!(found.as_deref(), bits.map(|(bits, _)| bits), "{text}");
        count += 1;
        compared += offsets_of_l(&mut session, text, offsets);
    }
    assert!(count >= 48 && compared > 750, "{count} values, {compared} offsets");
}

#[test]
fn every_value_prints_as_text_that_reads_back() {
    for (text, _) in values() {
        let printed = Session::new().evaluate(text).map(|value| value.to_string());
        let printed = printed.unwrap_or_else(|error| panic!("{text}: {error}"));
        let again = Session::new().evaluate(&printed).map(|value| value.to_string());
        assert_eq!(again.as_deref(), Ok(printed.as_str()), "{text}");
    }
}

#[test]
fn a_tensor_keeps_the_width_of_its_elements() {
    for (text, _) in values().filter(|(text, _)| text.contains("ptr[")) {
        let bits = text.split("ptr[").nth(1).and_then(|rest| rest.split("b]").next()).expect("a width");
        let mut session = Session::new();
        let value = session.evaluate(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(value.element_bits().map(|bits| bits.to_string()).as_deref(), Some(bits), "{text}");
    }
}

/// What is written for kernels is read as the same layout.
#[test]
fn what_is_written_for_kernels_reads_back() {
    let mut compared = 0;
    for (text, _) in values() {
        let value = Session::new().evaluate(text).unwrap_or_else(|error| panic!("{text}: {error}")).clone();
        for form in [Form::Cpp, Form::CppType, Form::Dsl, Form::Mlir] {
            let Ok(written) = Export::new(form).write(&value) else { continue };
            let again = Session::new().evaluate(&written).map(|value| value.to_string());
            assert_eq!(again, Ok(value.untyped().to_string()), "{text} is {written}");
            compared += 1;
        }
    }
    assert!(compared > 150, "{compared} compared");
}

/// Line, label and value of every layout in a text.
fn found(text: &str) -> Vec<(usize, String, String)> {
    scan(text).into_iter().map(|found| (found.line, found.label, found.value.to_string())).collect()
}

/// The layouts of a text whose lines are `label: layout`, taken from it by other means.
fn labelled(text: &str) -> Vec<(usize, String, String)> {
    let lines = text.lines().enumerate().filter_map(|(number, line)| {
        let (label, value) = line.trim().split_once(':')?;
        let is_tiler = label.starts_with("Tiler") || label.starts_with("Permutation");
        if !value.contains(':') && !is_tiler {
            return None;
        }
        let value =
            value.trim().replace('_', "").replace("(,", "(_,").replace(",,", ",_,").replace(",)", ",_)");
        let value = if is_tiler && value.contains(':') { value.replacen('(', "<", 1) + ">" } else { value };
        Some((number + 1, label.to_string(), value.replace(")>", ">")))
    });
    lines.collect()
}

#[test]
fn every_layout_of_a_tiled_mma_and_copy_is_found_with_its_label() {
    for (text, count, whole) in [(MMA, 28, 9), (COPY, 18, 6)] {
        let mut found = found(text);
        let all = found.len();
        found.retain(|(_, _, value)| !value.contains("atom("));
        assert_eq!(found, labelled(text));
        assert_eq!((found.len(), all - count), (count, whole));
    }
}

const MMA: &str = include_str!("cute/mma.txt");
const COPY: &str = include_str!("cute/copy.txt");

/// The texts between empty lines, and the calls that make what they print.
fn instructions() -> impl Iterator<Item = (&'static str, &'static str)> {
    let calls = [
        "tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), <32,32,16>)",
        "tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), <_,(8,2,2):(1,16,8),_>)",
        "tiled_mma(UniversalFMA<float>, (16,8,1))",
        "tiled_mma(SM70_8x8x4_F32F16F16F32_TN, (2,2):(2,1))",
        "MMA_Atom<SM90_64x64x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>>{}",
        "tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{}, (16,8):(8,1), (1,8):(0,1))",
        "tiled_copy(Copy_Atom<UniversalCopy<uint32_t>, float>{}, (4,8):(8,1), (2,2):(2,1))",
        "tiled_copy(atom(SM75_U32x4_LDSM_N, 16), ((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0))), <32,16>)",
    ];
    let texts = MMA.split("\n\n").chain(COPY.split("\n\n")).map(str::trim_end);
    texts.filter(|text| !text.is_empty()).zip(calls)
}

/// The same text as the DSL writes it.
fn in_dsl(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.contains("ValLayoutRef")).map(|line| {
        let (label, value) = line.split_once(':').unwrap_or((line, ""));
        let label = match label.trim() {
            "TiledMMA" => return "Tiled MMA".to_string(),
            "TiledCopy" => return "Tiled Copy".to_string(),
            "MMA_Atom" | "Copy_Atom" => return label.replace('_', " "),
            "ThrLayoutVMNK" => "Thr Layout VMNK",
            "PermutationMNK" => "Permutation MNK",
            "LayoutA_TV" => "TV Layout A",
            "LayoutB_TV" => "TV Layout B",
            "LayoutC_TV" => "TV Layout C",
            "TiledLayout_TV" => "TV Layout tiled",
            "ValLayoutSrc" => "TV Layout Src",
            "ValLayoutDst" => "TV Layout Dst",
            "ValueType" => return format!("  Value type:    f{}", value.trim().trim_end_matches('b')),
            other => other,
        };
        let label = label.replace("Tiler_MN", "Tiler MN").replace("Shape_MNK", "Shape MNK");
        let mut value =
            value.replace("(_,", "(*,").replace(",_,", ",*,").replace(",_)", ",*)").replace('_', "");
        if label == "Tiler MN" {
            value = value.replace(',', ":1,").replace(')', ":1)");
        }
        format!("  {label}: {}", value.replace('*', "_"))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// What is printed whole is the instruction that was printed, in every field; what that prints can be read again.
#[test]
fn a_printed_tiled_mma_or_copy_is_the_value_of_the_call() {
    let mut session = Session::new();
    let mut count = 0;
    for (text, call) in instructions() {
        let fields = |value: &tilework_expr::Value| {
            // A call without a permutation has none, and a print has `_` for each.
            let names = value.fields().iter().filter(|name| !matches!(**name, "tiler" | "atom"));
            names.map(|name| value.field(name).unwrap().unwrap().to_string()).collect::<Vec<_>>()
        };
        let of = |session: &mut Session, text: &str| match session.evaluate(text) {
            Ok(value) => value.clone(),
            Err(error) => panic!("{text}: {error}"),
        };
        let expected = fields(&of(&mut session, call));
        // CUTLASS up to 3.4 has no line for the shape.
        let early: Vec<&str> = text.lines().filter(|line| !line.contains("Shape_MNK")).collect();
        for text in
            [text, &in_dsl(text), &early.join("\n"), &text.replace('\n', "\r\n"), &text.replace('\n', " ")]
        {
            let value = of(&mut session, &format!("let X = {text}\nX"));
            assert_eq!(fields(&value), expected, "{text}");
            let printed = value.to_string();
            assert_eq!(of(&mut session, &printed), value, "{printed}");
            assert_eq!(of(&mut session, &format!("tiled: {text}")), value);
            count += 1;
        }
    }
    assert_eq!(count, 40);
}

/// A printed layout or tiler as the type of C++ that an error of nvcc shows.
fn in_cpp(printed: &str) -> String {
    let of_tuple = |text: &str| {
        let (mut out, mut rest) = (String::new(), text);
        while let Some(byte) = rest.bytes().next() {
            let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
            out += &match byte {
                b'(' => "cute::tuple<".to_string(),
                b')' => "> ".to_string(),
                b'_' if digits > 0 => format!("cute::C<{}>", &rest[1..][..digits]),
                b'_' => "cute::Underscore".to_string(),
                _ => ", ".to_string(),
            };
            rest = &rest[1 + if byte == b'_' { digits } else { 0 }..];
        }
        out
    };
    match printed.split_once(':') {
        Some((shape, stride)) => format!("cute::Layout<{}, {}>", of_tuple(shape), of_tuple(stride)),
        None => of_tuple(printed),
    }
}

/// The type of what is printed is the same value, alone and in an error of the compiler.
#[test]
fn the_type_of_a_tiled_mma_or_copy_is_its_value() {
    let mut count = 0;
    for (text, call) in instructions().filter(|(text, _)| text.starts_with("TiledCopy")) {
        let line =
            |label: &str| text.lines().find_map(|line| line.trim().strip_prefix(label)).unwrap().trim();
        let (tiler, layout) = (in_cpp(line("Tiler_MN:")), in_cpp(line("TiledLayout_TV:")));
        let atom = Session::new().evaluate(&format!("({call}).atom")).unwrap().to_string();
        let (operation, bits) =
            atom.trim_start_matches("atom(").trim_end_matches(')').rsplit_once(", ").unwrap();
        let written = format!(
            "cute::TiledCopy<cute::Copy_Atom<cute::Copy_Traits<cute::{operation}>, {bits}>, {layout}, {tiler}>"
        );
        let expected = Session::new().evaluate(text).unwrap().clone();
        assert_eq!(Session::new().evaluate(&written), Ok(&expected), "{written}");
        let error =
            format!("  instantiation of \"void cute::copy(const {written} &, int)\" at line 210 of gemm.cu");
        assert!(scan(&error).iter().any(|found| found.value == expected && found.text == written), "{error}");
        count += 1;
    }
    for (atoms, tiler) in [
        ("(_2,_2,_1):(_1,_2,_0)", "(_32,_32,_16)"),
        ("(_4,_1,_1):(_1,_0,_0)", "(_,_,_)"),
        ("(_1,_2,_2):(_0,_1,_2)", "(_,_16,_)"),
    ] {
        let of = format!(
            "cute::MMA_Atom<cute::SM80_16x8x16_F32F16F16F32_TN>, {}, {}",
            in_cpp(atoms),
            in_cpp(tiler)
        );
        let call =
            format!("tiled_mma(SM80_16x8x16_F32F16F16F32_TN, {atoms}, <{}>)", &tiler[1..tiler.len() - 1]);
        let expected = Session::new().evaluate(&call).unwrap().clone();
        assert_eq!(Session::new().evaluate(&format!("cute::TiledMMA<{of}>")), Ok(&expected));
        let error = format!("argument types are: (cute::TiledMMA<{of}>, float)");
        assert_eq!(scan(&error).into_iter().map(|found| found.value).collect::<Vec<_>>(), [expected]);
        count += 1;
    }
    assert_eq!(count, 6);
}

/// The type of a printed tensor is the tensor, for every layout and pointer that CuTe has printed.
#[test]
fn the_type_of_a_tensor_is_its_value() {
    let types = [
        ("8", "int8_t"),
        ("16", "cutlass::half_t"),
        ("32", "float"),
        ("64", "double"),
        ("4", "cutlass::integer_subbyte<4, true>"),
    ];
    let mut count = 0;
    for (text, _) in values() {
        let value = Session::new().evaluate(text).unwrap().clone();
        let Ok(layout) = Export::new(Form::CppType).write(value.untyped()) else { continue };
        for (memory, engine) in
            [("gmem_", "gmem_ptr<T *>"), ("smem_", "cute::smem_ptr<T const*>"), ("", "T *")]
        {
            for (bits, own) in types {
                let engine = engine.replace('T', own);
                let read = format!("cute::Tensor<cute::ViewEngine<{engine}>, {layout}>");
                let expected = format!("{memory}ptr[{bits}b] o {}", value.untyped());
                assert_eq!(
                    Session::new().evaluate(&read).map(|value| value.to_string()),
                    Ok(expected),
                    "{read}"
                );
                count += 1;
            }
        }
    }
    assert!(count > 500, "{count}");
}

#[test]
fn an_atom_that_is_in_no_table_prints_as_cute_prints_it() {
    let mma = "MMA_Atom ThrID: 32:1 Shape_MNK: (16,8,24) LayoutA_TV: (32,12):(12,1) LayoutB_TV: (32,6):(6,1) LayoutC_TV: (32,4):(4,1)";
    let copy = "Copy_Atom ThrID: 4:1 ValLayoutSrc: (4,3):(3,1) ValLayoutDst: (4,3):(1,4) ValLayoutRef: (4,3):(3,1) ValueType: 16b";
    for text in [mma, copy] {
        let mut session = Session::new();
        let printed = session.evaluate(text).unwrap_or_else(|error| panic!("{text}: {error}")).to_string();
        assert_eq!(printed, text);
    }
    let mut session = Session::new();
    let tiled = session.evaluate(&format!("tiled_mma({mma}, (2,1,1))")).unwrap().to_string();
    assert_eq!(session.evaluate(&tiled).unwrap().to_string(), tiled);
    let found = session.evaluate(&format!("owner({copy}, .dst, 7)")).unwrap().to_string();
    assert_eq!(found, "(3,1)");
}

#[test]
fn a_printed_thread_is_a_slice() {
    let (tiled, copy) = (MMA.split("\n\n").next().unwrap(), COPY.split("\n\n").next().unwrap());
    for (text, call) in [
        (format!("ThrMMA\n  Thr VMNK: (5,1,0,0)\n{tiled}"), format!("({tiled}).get_slice(37)")),
        (format!("ThrCopy\n  ThrIdx: 9\n{copy}"), format!("({copy}).get_slice(9)")),
    ] {
        let [text, call] = [text, call].map(|text| match Session::new().evaluate(&text) {
            Ok(value) => value.to_string(),
            Err(error) => panic!("{text}: {error}"),
        });
        assert_eq!(text, call);
        assert!(text.starts_with("get_slice("));
    }
}

#[test]
fn prints_that_do_not_fit_are_refused() {
    let first = MMA.split("\n\n").next().unwrap();
    for (from, to, code) in [
        ("(_1,_32,_64,_0)", "(_1,_33,_64,_0)", "argument"),
        ("Shape_MNK:  (_16,_8,_16)", "Shape_MNK:  (_16,_8)", "arguments"),
        ("LayoutB_TV:", "LayoutX_TV:", "syntax"),
        ("MMA_Atom", "Copy_Atom", "syntax"),
    ] {
        let text = first.replace(from, to);
        assert_eq!(Session::new().evaluate(&text).map_err(|error| error.code).err(), Some(code), "{text}");
    }
}

/// The names of CUTLASS for the smallest shared layouts are what CuTe prints of them.
#[test]
fn shared_layouts_have_their_names() {
    let rest = "o smem_ptr";
    for (name, printed) in [
        ("GMMA::Layout_K_SW128_Atom<half_t>{}", "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)"),
        ("GMMA::Layout_K_SW64_Atom<cutlass::half_t>", "Sw<2,4,3> o smem_ptr[16b](unset) o (_8,_32):(_32,_1)"),
        ("GMMA::Layout_K_SW32_Atom<float>{}", "Sw<1,4,3> o smem_ptr[32b](unset) o (_8,_8):(_8,_1)"),
        ("GMMA::Layout_MN_SW128_Atom<half_t>{}", "Sw<3,4,3> o smem_ptr[16b](unset) o (_64,_8):(_1,_64)"),
        ("Layout_MN_SW64_Atom<int8_t>{}", "Sw<2,4,3> o smem_ptr[8b](unset) o (_64,_8):(_1,_64)"),
        ("cute::GMMA::Layout_K_INTER_Atom<double>{}", "Sw<0,4,3> o smem_ptr[64b](unset) o (_8,_2):(_2,_1)"),
        ("UMMA::Layout_MN_SW128_32B_Atom<float>{}", "Sw<2,5,2> o smem_ptr[32b](unset) o (_32,_4):(_1,_32)"),
        ("UMMA::Layout_K_SW128_Atom_Bits{}", "Sw<3,4,3> o smem_ptr[1b](unset) o (_8,_1024):(_1024,_1)"),
    ] {
        assert!(printed.contains(rest));
        let [named, printed] = [name, printed].map(|text| match Session::new().evaluate(text) {
            Ok(value) => value.to_string(),
            Err(error) => panic!("{text}: {error}"),
        });
        assert_eq!(named, printed, "{name}");
    }
}

#[test]
fn the_cells_of_a_grid_are_no_layouts() {
    let values: Vec<_> =
        found(include_str!("cute/grid.txt")).into_iter().map(|(line, _, value)| (line, value)).collect();
    let expected = [(1, "(4,8):(8,1)"), (12, "((2,2),4):((1,2),4)"), (23, "Sw<2,0,3> o 0 o (8,8):(8,1)")];
    assert_eq!(values, expected.map(|(line, value)| (line, value.to_string())));
}

#[test]
fn a_log_is_read_for_its_layouts() {
    let expected = [
        (2, "mA", "gmem_ptr[16b] o (512,256):(256,1)"),
        (3, "gA", "gmem_ptr[16b] o (128,64,4):(256,1,64)"),
        (4, "sA", "smem_ptr[16b] o Sw<3,3,3> o 0 o ((8,16),(64,1),(1,3)):((64,512),(1,0),(0,8192))"),
        (5, "tCsA", "gmem_ptr[16b] o ((2,2,2),4,4):((1,512,8),2048,16)"),
        (6, "tiler", "<128:1,64:2>"),
        (8, "values of", "(2,4):(1,2)"),
    ];
    let expected = expected.map(|(line, label, value)| (line, label.to_string(), value.to_string()));
    assert_eq!(found(include_str!("cute/log.txt")), expected);
    for (text, label, value) in [
        ("layout: (4,8):(8,1)", "layout", "(4,8):(8,1)"),
        ("L = 32:1", "L", "32:1"),
        ("%% Layout: (_4,_8):(_8,_1)", "Layout", "(4,8):(8,1)"),
        ("the layout is (4,8):(8,1), row major", "the layout is", "(4,8):(8,1)"),
        ("using L = Layout<Shape<_8,_4>,Stride<_4,_1>>;", "using L", "(8,4):(4,1)"),
        ("auto l = make_layout(make_shape(Int<8>{}, _4{}), LayoutRight{});", "auto l", "(8,4):(4,1)"),
        ("  Tiler MN:        (4:1,64:1)", "Tiler MN", "<4:1,64:1>"),
        ("%0 = \"cute.get\"() : !cute.memref<f16, gmem, \"(8,4):(4,1)\">", "", "gmem_ptr[16b] o (8,4):(4,1)"),
        ("gA:\n  (4,8):(8,1)", "gA", "(4,8):(8,1)"),
        ("layout: (?,8):(8,1)", "layout", "(?0,8):(8,1)"),
        ("gA = tensor<ptr<f32, gmem> o (?,?{div=8}):(?,1)>", "gA", "gmem_ptr[32b] o (?0,?1):(?2,1)"),
        ("%a : !cute.memref<f16, gmem, \"(?,4):(1,?)\">", "a", "gmem_ptr[16b] o (?0,4):(1,?1)"),
        (
            "#linear = #ttg.linear<{register = [[0, 1]], lane = [[1, 0]], warp = [], block = []}>",
            "linear",
            "(2,2):(1,2)",
        ),
        (
            "#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>",
            "blocked",
            "((4,32),4):((128,1),32)",
        ),
        (
            "layout: gl.constexpr = gl.BlockedLayout([1, 4], [8, 4], [4, 1], [1, 0])",
            "gl.constexpr",
            "((4,32),4):((128,1),32)",
        ),
        (
            "%1 = memref.alloc() : memref<4x8xf32, strided<[16, 1], offset: 2>>",
            "",
            "ptr[32b] o {2} o (4,8):(16,1)",
        ),
        (
            "tensor<ptr<f16, smem, align<128>, S<3,4,3>> o (8,64):(64,1)> = ...",
            "",
            "smem_ptr[16b] o Sw<3,3,3> o 0 o (8,64):(64,1)",
        ),
    ] {
        let found: Vec<_> = found(text).into_iter().map(|(_, label, value)| (label, value)).collect();
        assert_eq!(found, [(label.to_string(), value.to_string())], "{text}");
    }
    for text in [
        "at 12:30 it ended",
        "kernel.cu:118:7: note",
        "(see 4.2): (8)",
        "grid (16,8,1) block (128,1,1)",
        "a:b",
        "{0}; <b>",
        "16:9 or 4:3?",
        "where is it (?) or (a,b): (c,d)",
        "#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>",
        "memref and gl (4)",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}

/// Text of any kind is read in time that grows with its length, and nothing is read as deep as it is written.
/// Objects of JSON may take several lines; what is within one that is not a layout is found as well.
#[test]
fn json_is_read_for_its_layouts() {
    let text = "{\n  \"sA\": {\"shape\": [8, 64],\n    \"stride\": [64, 1]},\n  \"gC\": {\n    \"dtype\": \"f16\",\n    \"stride\": [1, [4, 32]],\n    \"shape\": [4, [8, 2]]\n  }\n} (2,3):(3,1)\n";
    let expected = [(2, "sA", "(8,64):(64,1)"), (4, "gC", "(4,(8,2)):(1,(4,32))"), (9, "", "(2,3):(3,1)")];
    assert_eq!(
        found(text),
        expected.map(|(line, label, value)| (line, label.to_string(), value.to_string()))
    );
    assert_eq!(scan(text)[0].text, "{\"shape\": [8, 64],\n    \"stride\": [64, 1]}");
}

#[test]
fn a_scan_is_bounded() {
    let pieces = [
        ("(", 60_000),
        ("((4,8):(8,1", 60_000),
        ("(size(", 60_000),
        ("<<", 60_000),
        ("Sw<3,4,3> o ", 60_000),
        ("make_layout(", 60_000),
        ("ptr[8b] o ", 60_000),
        ("(1,(", 60_000),
        ("_1:", 60_000),
        ("{(", 20_000),
        ("Layout<", 60_000),
        ("(4:1 o ", 60_000),
        ("4:1.size(", 60_000),
        // What would be read from each bracket to the end of the line, and from its beginning.
        ("(4:1)(", 500_000),
        ("(#", 500_000),
        ("(/*", 500_000),
        ("  ", 500_000),
        ("(?", 60_000),
        ("(?,", 60_000),
        ("(a)?", 60_000),
        ("#ttg.linear<{", 60_000),
    ];
    for (piece, length) in pieces {
        let text = piece.repeat(length / piece.len()) + &"(".repeat(length);
        let start = std::time::Instant::now();
        let _ = scan(&text);
        assert!(start.elapsed().as_secs() < 60, "{piece}: {:?}", start.elapsed());
    }
    // Each layout has names of its own.
    assert_eq!(scan(&"(?,?):(?,1)\n".repeat(100)).len(), 100);
    // A layout is found wherever it is in a line that can be read.
    let text = "(#".repeat(100) + "\n" + &"{(".repeat(1000) + " (4,8):(8,1)";
    assert_eq!(found(&text), [(2, String::new(), "(4,8):(8,1)".into())]);
}

/// The elements of a printed tensor stand where its layout has them: as the numbers that it gives.
#[test]
fn tensors_are_read_with_their_elements() {
    let text = include_str!("cute/tensors.txt");
    let (mut count, mut compared) = (0, 0);
    for tensor in text.split("\n\n").map(str::trim_end).filter(|tensor| !tensor.is_empty()) {
        let mut session = Session::new();
        let value = session
            .evaluate(&format!("let L = {tensor}\nL"))
            .unwrap_or_else(|error| panic!("{tensor}: {error}"));
        let head = tensor.lines().next().expect("a line").trim_end_matches(':').replace('_', "");
        let layout = head.rsplit(" o ").next().expect("a layout");
        assert!(value.to_string().ends_with(layout), "{tensor}: {value}");
        count += 1;
        let (mut slice, mut row) = (0, 0);
        for line in tensor.lines().skip(1) {
            if line.starts_with(['-', '=']) {
                (slice, row) = (slice + 1, 0);
                continue;
            }
            for (column, element) in line.split_whitespace().enumerate() {
                let at = match layout.starts_with('(') {
                    true if tensor.contains("===") => {
                        format!("L({row},{column},{},{})", slice % 2, slice / 2)
                    }
                    true if tensor.contains("---") => format!("L({row},{column},{slice})"),
                    true => format!("L({row},{column})"),
                    false => format!("L({row})"),
                };
                let found = session
                    .evaluate(&at)
                    .unwrap_or_else(|error| panic!("{tensor}: {at}: {error}"))
                    .to_string();
                let expected =
                    element.parse::<f64>().map_or(element.to_string(), |number| number.to_string());
                assert_eq!(found, expected, "{tensor}: {at}");
                compared += 1;
            }
            row += 1;
        }
    }
    assert!(count == 19 && compared == 92, "{count} tensors, {compared} elements");
    // Among other text their elements are passed over.
    assert_eq!(scan(text).len(), count);
}

/// An extent or a stride whose type is an integer type of C++ is what a `?` in a print is, in every place; where the width of an element
/// is wanted, such a type is its width.
#[test]
fn an_integer_type_is_a_number_that_is_known_at_launch() {
    let types = [
        ("int", 32),
        ("unsigned int", 32),
        ("unsigned", 32),
        ("long", 64),
        ("unsigned long", 64),
        ("long long", 64),
        ("unsigned long long", 64),
        ("short", 16),
        ("size_t", 64),
        ("std::size_t", 64),
        ("std::ptrdiff_t", 64),
        ("int32_t", 32),
        ("int64_t", 64),
        ("cuda::std::uint32_t", 32),
    ];
    // The members of `((a,b),c):((d,e),f)`, a subset of which are types.
    for (integer, bits) in types {
        for subset in 1..64u32 {
            let member = |place: u32, known: &str, other: &str| match subset >> place & 1 {
                1 => other.to_owned(),
                _ => format!("{known}{}{}", place + 2, if known.is_empty() { "" } else { ">" }),
            };
            let all = |known: &str, other: &str| [0, 1, 2, 3, 4, 5].map(|place| member(place, known, other));
            let [a, b, c, d, e, f] = all("", "?");
            let printed = format!("(({a},{b}),{c}):(({d},{e}),{f})");
            let expected = Session::new().evaluate(&printed).unwrap().to_string();
            assert!(expected.contains("?0"), "{expected}");
            let [a, b, c, d, e, f] = all("cute::C<", integer);
            let named = format!(
                "cute::Layout<cute::tuple<cute::tuple<{a}, {b}>, {c}>, cute::tuple<cute::tuple<{d}, {e}>, {f}>>"
            );
            let tuples = format!("(({a}, {b}), {c}):(({d}, {e}), {f})");
            for text in [&named, &tuples] {
                let found = Session::new().evaluate(text).map(|value| value.to_string());
                assert_eq!(found, Ok(expected.clone()), "{text}");
            }
            let line = format!("k.cu(1): error: no match, argument types are: ({named}, {integer})");
            let found = scan(&line);
            assert_eq!((found.len(), found[0].value.to_string()), (1, expected), "{line}");
        }
        for (text, printed) in
            [("Layout<X, C<1>>", "?0:1"), ("X:1", "?0:1"), ("4:X", "4:?0"), ("Layout<C<4>, X>", "4:?0")]
        {
            let found = Session::new().evaluate(&text.replace('X', integer)).map(|value| value.to_string());
            assert_eq!(found.as_deref(), Ok(printed), "{text} of {integer}");
        }
        for text in ["recast<8, X>((4,256):(256,1))", "make_tensor(make_gmem_ptr<X>(A), 4:1)"] {
            let evaluated =
                |integer: &str| Session::new().evaluate(&text.replace('X', integer)).unwrap().to_string();
            assert_eq!(evaluated(integer), evaluated(&format!("uint{bits}_t")), "{text} of {integer}");
        }
    }
}

/// The compiler names every type with its namespace.
#[test]
fn an_instruction_may_have_its_namespace() {
    for text in [
        "Copy_Atom<SM75_U32x4_LDSM_N, half_t>",
        "MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>",
        "TiledMMA<MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>, Layout<Shape<_2,_2>>>",
        "SM80_16x8x16_F32F16F16F32_TN",
    ] {
        let evaluated = |text: &str| Session::new().evaluate(text).map(|value| value.to_string());
        let named = text.replace("SM7", "cute::SM7").replace("SM8", "cute::SM8");
        let named = named.replace("MMA_Atom", "cute::MMA_Atom").replace("half_t", "cutlass::half_t");
        assert!(evaluated(text).is_ok(), "{text}");
        assert_eq!(evaluated(&named), evaluated(text), "{named}");
    }
}

/// Pieces that are written the same are one.
#[test]
fn cases_are_different() {
    for text in ["cases fits((B,S,H,D):(S*H*D,H*D,D,1), 31)", "cases (M,K):(1,ld) o 128:1"] {
        let cases = Session::new().evaluate(text).unwrap().to_string();
        let pieces: Vec<&str> = cases.split(" else ").collect();
        assert!((1..pieces.len()).all(|place| !pieces[..place].contains(&pieces[place])), "{cases}");
    }
}
