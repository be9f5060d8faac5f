//! The language: what every form of expression means, and what every mistake is answered with.

use std::ops::Range;
use tilework_expr::{ExprError, FUNCTIONS, Family, Session};

fn value(expression: &str) -> String {
    let mut session = Session::new();
    match session.evaluate(expression) {
        Ok(value) => value.to_string(),
        Err(error) => panic!("{expression}: {error}"),
    }
}

fn error(expression: &str) -> ExprError {
    let mut session = Session::new();
    match session.evaluate(expression) {
        Ok(value) => panic!("{expression} is {value}"),
        Err(error) => error,
    }
}

fn all(cases: &[(&str, &str)]) {
    for (expression, want) in cases {
        assert_eq!(value(expression), *want, "{expression}");
    }
}

/// Expressions with the place, the code and the help of their error; help that is empty is not looked at.
fn refused(cases: &[(&str, Range<usize>, &str, &str)]) {
    for (expression, span, code, help) in cases {
        let error = error(expression);
        assert_eq!((&error.span, error.code), (span, *code), "{expression}: {error}");
        if !help.is_empty() {
            assert_eq!(error.help.as_deref(), Some(*help), "{expression}");
        }
    }
}

/// What is advised to who writes the names of another library has a value.
#[test]
fn names_of_other_libraries_are_answered_by_what_to_write() {
    for (expression, advice) in [
        ("transpose((4,8):(8,1))", "select<1,0>(L)"),
        ("(4,8):(8,1).T", "select<1,0>(L)"),
        ("permute((2,4,8):(32,8,1), (2,0,1))", "select<2,0,1>(L)"),
        ("permute((2,4,8):(32,8,1), (2,0,1))", "einfold(\"abc -> cab\", L)"),
        ("reshape((4,8):(8,1), (8,4))", "L o column_major((8,4))"),
        ("(4,8):(8,1).view(8,4)", "L o column_major((8,4))"),
        ("rearrange((2,4,8):(32,8,1), (2,0,1))", "einfold(\"abc -> cab\", L)"),
        ("numel((4,8):(8,1))", "size(L)"),
        ("concat(4:1, 8:4)", "layout(4:1, 8:4)"),
        ("repeat((4,8):(8,1), 2)", "layout(L, 2:0)"),
        ("offset((4,8):(8,1), 9)", "L(2,3)"),
        ("bank_conflicts((4,8):(8,1))", "is_injective(L)"),
        ("arange(8)", "8:1"),
        ("len((4,8):(8,1))", "size(L)"),
        ("tile((64,64):(64,1), (8,8))", "zipped_divide(L, <8,8>)"),
        ("swizzle((64,64):(64,1))", "Sw<2,3,3> o 0 o L"),
        ("blockIdx.x", "local_tile(L, <8,8>, (0,1))"),
        ("ravel_multi_index((1,2), (4,8))", "crd2idx((1,2), (4,8), (8,1))"),
        ("unravel_index(9, (4,8))", "idx2crd(9, (4,8))"),
        ("np.unravel_index(9, (4,8))", "idx2crd(9, (4,8))"),
        ("np.transpose((4,8):(8,1))", "select<1,0>(L)"),
        ("flip(8:1)", "{7} o 8:-1"),
        ("(4,8):(8,1).ravel()", "coalesce(L)"),
        ("squeeze((2,1,8):(8,0,1))", "select<0,2>(L)"),
        ("expand_dims((4,8):(8,1), 0)", "append(L, 1:0)"),
        ("broadcast(8:1)", "(4,8):(0,1)"),
        ("concatenate(4:1, 8:4)", "append(L, 2:32)"),
        ("tuple_cat((4,8), (2))", "append(L, 2:32)"),
        ("size_in_bytes((4,8):(8,1))", "footprint(L, 16)"),
        ("elem_less((1,2), (4,8))", "in_bounds((1,2), (4,8))"),
        ("domain_offset((1,2), (4,8):(8,1))", "{7} o L"),
        ("compact_col_major((4,8))", "stride(column_major((4,8)))"),
        ("compact_row_major((4,8))", "stride(row_major((4,8)))"),
        ("compact_order((4,8), (1,0))", "stride(ordered((4,8), (1,0)))"),
        ("max_alignment((4,8):(8,1))", "max_vector(L, 8)"),
        ("gl.SwizzledSharedLayout(8, 1, 8, order=[1,0])", "Sw<3,3,3> o 0 o (8,64):(64,1)"),
        ("gl.NVMMASharedLayout(128, 16)", "Sw<3,3,3> o 0 o (8,64):(64,1)"),
        ("affine_map<(d0, d1) -> (d0 * 8 + d1)>", "(4,8):(8,1)"),
        ("threadIdx.x", "L(5,_)"),
        ("threadIdx.x", "L(t,_)"),
        ("threadIdx.x", "assume t >= 0, t < 128;"),
    ] {
        let found = error(expression);
        let help = found.help.unwrap();
        assert!(
            found.code == "name" && help.starts_with("write ") && help.contains(advice),
            "{expression}: {help}"
        );
        let layout = if advice.contains("abc") || advice.contains("0,2>") || advice.contains("2,0,1>") {
            "let L = (2,4,8):(32,8,1);"
        } else if advice.contains("8,4") {
            "let L = (4,8):(8,1);"
        } else {
            "assume t >= 0, t < 128; let L = (128,64):(64,1);"
        };
        Session::new()
            .evaluate(&format!("{layout} {advice}"))
            .unwrap_or_else(|error| panic!("{advice}: {error}"));
        if advice.contains("8,4") {
            all(&[(&format!("{layout} equivalent({advice}, L)"), "true")]);
        }
    }
}

/// What is no variable of the text is not to be named by `let`.
#[test]
fn a_module_or_a_type_is_no_number_to_be_named() {
    for text in ["unknown_type<4>", "affine_map<(d0) -> (d0)>"] {
        let help = error(text).help.unwrap_or_default();
        assert!(!help.contains("`let "), "{text}: {help}");
    }
    let help = error("T.Layout([4,8], lambda i, j: i)").help.unwrap();
    assert!(!help.contains("exchanges the modes"), "{help}");
}

/// The places in tensor memory that a copy reaches are not those of its elements in registers.
#[test]
fn the_offsets_that_a_tensor_memory_copy_needs_are_its_memory() {
    let copy = "atom(SM100_TMEM_LOAD_32dp32b64x, 32)";
    all(&[(&format!("admits((128,64):(65536,1), {copy}.memory)"), "true")]);
    all(&[(&format!("admits((16,64):(65536,1), {copy}.memory)"), "false")]);
}

/// XOR strides are no vectors, but a swizzle is.
#[test]
fn vectors_of_xor_strides_are_those_of_their_swizzle() {
    for layout in ["8:^1", "{24} o 8:^1", "(8,8):(^8,^9)"] {
        for question in ["max_vector", "is_vector"] {
            let help = error(&format!("{question}({layout}, 4)")).help.unwrap();
            assert_eq!(help, "write to_swizzle(L) for L with XOR strides");
        }
    }
    all(&[("max_vector(to_swizzle(8:^1), 8)", "8"), ("max_vector(to_swizzle((8,8):(^1,^9)), 8)", "1")]);
}

/// A layout of threads and values has no tile, whose extents give a coordinate its number.
#[test]
fn an_owner_is_asked_by_the_number_of_an_element() {
    let blocked = "#ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>";
    for layout in [blocked, "SM80_16x8x16_F32F16F16F32_TN{}.c", "((4,8),(2,2)):((32,1),(16,8))"] {
        let help = error(&format!("owner({layout}, (5,3))")).help.unwrap();
        assert!(help.contains("write i + M*j of an (M,N) tile, or owner(X, .c, (i,j))"), "{help}");
        assert!(Session::new().evaluate(&format!("owner({layout}, 5 + 16*3)")).is_ok());
    }
    assert_eq!(value(&format!("owner({blocked}, 5 + 16*3)")), "(40,3)");
}

#[test]
fn a_memref_of_unknown_sizes_says_what_to_write() {
    for (text, at) in [
        ("memref<?x4xf32, strided<[?,1], offset: ?>>", 7),
        ("memref<4x4xf32, strided<[?,1]>>", 25),
        ("memref<4x4xf32, strided<[4,1], offset: ?>>", 39),
    ] {
        let found = error(text);
        assert_eq!((found.code, found.span.start), ("syntax", at), "{text}: {found}");
        let help = found.help.unwrap();
        assert!(help.ends_with("the layout with names, as {off} o (M,4):(ld,1)"), "{text}: {help}");
    }
    assert!(Session::new().evaluate("{off} o (M,4):(ld,1)").is_ok());
}

#[test]
fn literals_are_those_of_the_notation() {
    all(&[
        ("22", "22"),
        ("-3", "-3"),
        ("0x80", "128"),
        ("(4)", "(4)"),
        ("()", "()"),
        ("(2,(_,0))", "(2,(_,0))"),
        ("(4,8):(1,4)", "(4,8):(1,4)"),
        ("( _4 , _8 ) : ( _1 , _4 )", "(4,8):(1,4)"),
        ("(4:1)", "4:1"),
        ("(4:1,)", "(4):(1)"),
        ("(4:1, (2,3):(4,8))", "(4,(2,3)):(1,(4,8))"),
        ("(4,8):(F1,f9)", "(4,8):(^1,^9)"),
        ("(4,8):(e0,2e1)", "(4,8):(1@0,2@1)"),
        ("(1/2@0, 4@1)", "(1/2@0,4@1)"),
        ("8:1/2", "8:1/2"),
        ("Layout((4,8),(1,4))", "(4,8):(1,4)"),
        ("Layout((4,8))", "(4,8):(1,4)"),
        ("!cute.layout<\"(4,8):(1,4)\">", "(4,8):(1,4)"),
        ("<4:1, 8:2>", "<4:1,8:2>"),
        ("⟨4:1, <8:2,_>⟩", "<4:1,<8:2,_>>"),
        ("<4,(2,4)>", "<4:1,(2,4):(1,2)>"),
        ("S<3,4,3>", "Sw<3,4,3>"),
        ("Sw<3,4,3> o _0 o (_8,_64):(_64,_1)", "Sw<3,4,3> o 0 o (8,64):(64,1)"),
        ("Sw<3,4,3> o (8,64):(64,1)", "Sw<3,4,3> o 0 o (8,64):(64,1)"),
        ("{8} o (3,2):(15,100)", "{8} o (3,2):(15,100)"),
    ]);
}

#[test]
fn application_is_evaluation_or_slicing() {
    let layout = "(((2,2),(4,2)):((1,8),(2,16)))";
    for coordinates in ["(22)", "(2,5)", "((0,1),(1,1))", " ( 2 , (1,1) )"] {
        assert_eq!(value(&format!("{layout}{coordinates}")), "26");
    }
    all(&[
        ("Sw<3,4,3>(0x80)", "144"),
        ("(Sw<3,4,3> o 0 o (8,64):(64,1))(2,0)", "144"),
        ("((4,8):(1@0,1@1))(9)", "(1,2)"),
        ("((3,1):(1,4))(((4,1):(1,6))(3))", "4"),
        ("let L = (4,8):(8,1); L(_,5)", "{5} o 4:8"),
        ("let L = (4,8):(8,1); L((_,5))", "{5} o 4:8"),
        ("let L = (4,8):(8,1); L(_,5)(3)", "29"),
        ("slice((2,_), (4,8):(8,1))", "{16} o 8:1"),
        ("(4,8)(9)", "9"),
    ]);
}

#[test]
fn a_chain_applies_layouts_one_after_the_other() {
    all(&[
        ("chain((2,2):(5,1), (3,1):(1,4))(3)", "2"),
        ("let C = chain((2,2,2):(7,1,9), (3,1):(1,4)); C(3)", "9"),
        ("chain((8,4):(1,10), (4,8):(1@1,1@0))(2,3)", "23"),
        ("chain(8:1/2, 4:1)(3)", "3/2"),
        ("chain(4:2)", "4:2"),
        ("size(chain((2,2,2):(7,1,9), (3,1):(1,4)))", "8"),
        ("size(completeness((0,5,3,8,1,9,2,7,4,6,0,1,2,3,4,9)))", "32768"),
        ("completeness((0,5,3,8,1,9,2,7,4,6,0,1,2,3,4,9))(15)", "9"),
        ("completeness((0))", "1:0"),
    ]);
    let values: Vec<i64> = (0..4096).map(|i| i * i * i % 4001 - 2000 * (i % 2)).collect();
    let list = values.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    let mut session = Session::new();
    let chain = session.evaluate(&format!("let C = completeness(({list}))")).unwrap().clone();
    assert_eq!(Session::new().evaluate(&chain.to_string()), Ok(&chain));
    for (index, value) in values.iter().enumerate().step_by(13) {
        assert_eq!(session.evaluate(&format!("C({index})")).unwrap().as_integer(), Some(*value));
    }
    for (text, code) in [
        ("chain(4:1, 8:1/2)(3)", "not-integral"),
        ("chain(4:1, Sw<3,3,3>)", "kind"),
        ("chain((4,4):(1,4), (4,8):(1@1,1@0))(_,3)", "kind"),
        ("completeness((1,2))", "argument"),
        ("coalesce(completeness((0,7,1,9)))", "kind"),
    ] {
        assert_eq!(error(text).code, code, "{text}");
    }
}

/// The length of the text is the only limit of a list, and of what is made of one.
#[test]
fn lists_are_as_long_as_a_text() {
    let listed = |numbers: &[i64]| numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    for (length, chained) in [(4096, true), (4097, true), (9000, true), (20_000, false), (131_000, false)] {
        let values: Vec<i64> = (0..length).map(|i| i * 7 % 10 * i64::from(i < 9000)).collect();
        let text = format!("completeness(({}))", listed(&values));
        if !chained {
            assert_eq!(error(&text).code, "limit");
            continue;
        }
        let mut session = Session::new();
        let chain = session.evaluate(&format!("let C = {text}")).unwrap().clone();
        assert_eq!(Session::new().evaluate(&chain.to_string()), Ok(&chain));
        for (index, value) in values.iter().enumerate().step_by(89) {
            assert_eq!(session.evaluate(&format!("C({index})")).unwrap().as_integer(), Some(*value));
        }
    }
    let ones = listed(&vec![1; 131_000]);
    assert_eq!(value(&format!("from_image(({ones}))")), "{1} o 131000:0");
    let swizzled: Vec<i64> = (0..24_000).map(|index| index ^ index >> 4 & 7).collect();
    assert_eq!(value(&format!("from_image(({}))", listed(&swizzled[..16_384]))), "(16,8,128):(^1,^17,^128)");
    assert_eq!(error(&format!("from_image(({}))", listed(&swizzled[..16_385]))).code, "not-xor-linear");
    for layout in ["131000:0", "(2,32768):(1,0)", "(100,100):(1@0,1@1)"] {
        let image = value(&format!("image({layout})"));
        assert_eq!(Session::new().evaluate(&image).unwrap().to_string(), image);
    }
    for layout in ["131073:0", "65536:1", "9223372036854775807:0"] {
        assert_eq!(error(&format!("image({layout})")).code, "limit", "{layout}");
    }
}

#[test]
fn arrays_of_c_are_tensors_in_row_major_order() {
    all(&[
        ("float s[32][33]", "ptr[32b] o (32,33):(33,1)"),
        ("__shared__ half As[64][40];", "smem_ptr[16b] o (64,40):(40,1)"),
        ("extern __shared__ alignas(128) unsigned char raw[1024]; size(raw)", "1024"),
        ("const float4 v[8][4]", "ptr[128b] o (8,4):(4,1)"),
        ("__nv_bfloat162 v[8]", "ptr[32b] o 8:1"),
        ("let N = 8; double a[N][N+1][2]; a(1,2,1)", "23"),
        ("static cutlass::half_t s[8][8]; s(1,_)", "ptr[16b] o {8} o 8:1"),
        ("assume M >= 1, K >= 1; float a[M][K]", "ptr[32b] o (M,K):(K,1)"),
        ("int A[4][8]", "ptr[32b] o (4,8):(8,1)"),
        ("int4 A[4][8]", "ptr[128b] o (4,8):(8,1)"),
    ]);
    for (text, code) in [("float s[32][N]", "name"), ("float s[32", "syntax"), ("float s[0]", "extent")] {
        assert_eq!(error(text).code, code, "{text}");
    }
}

#[test]
fn elements_beside_coordinates_are_coordinates() {
    all(&[
        ("(1,2)+e0", "(2,2)"),
        ("e1+(1,2)", "(1,3)"),
        ("e0-(1,2)", "(0,-2)"),
        ("(1,(2,3))+2@1@1", "(1,(2,5))"),
        ("let L = (4,4):(e0,e1); L(1,2)+e0", "(2,2)"),
        ("(4:(e0+e1))(2)+e0", "(3,2)"),
        ("((4,8):(8,1))(e1)", "1"),
        ("((4,8):(8,1))(e0)", "8"),
        ("((4,8,2):(8,1,64))(e0+2*e1)", "10"),
        ("in_bounds(e1,(4,4))", "true"),
        ("in_bounds(4*e0,(4,4))", "false"),
    ]);
    assert_eq!(error("(1,2)+e2").code, "incongruent");
    assert_eq!(error("(1,2)+1").code, "incongruent");
}

#[test]
fn an_error_of_a_condition_is_at_its_place() {
    for (text, at) in [
        ("assume M >= 1; 128:1 if M >= ", 28),
        ("assume M >= 1; 128:1 if M >= 1 and M ** 2", 41),
        ("assume M >= 1; 128:1 if M ?? 3", 26),
        ("assume M >= 1; let N = 64; 128:1 if M >= N ??", 36),
    ] {
        let error = error(text);
        assert_eq!((error.span.start, error.code), (at, "syntax"), "{text}: {error}");
    }
}

#[test]
fn another_form_of_a_tensor_has_its_elements() {
    all(&[
        (
            "to_layout(smem_ptr[16b] o Sw<2,3,3> o 0 o (8,32):(32,1))",
            "smem_ptr[16b] o ((2,4),32):((^32,^72),^1)",
        ),
        ("to_view(ptr[16b] o Sw<1,0,1> o 0 o 2:1)", "ptr[16b] o {0} o 2:1"),
        ("to_xor(ptr[16b] o Sw<1,0,1> o 0 o (2,2):(1,2))", "ptr[16b] o (2,2):(^1,^3)"),
        ("to_swizzle(ptr[16b] o (2,2):(^1,^3))", "ptr[16b] o Sw<1,0,1> o 0 o (2,2):(1,2)"),
    ]);
}

#[test]
fn a_name_of_strides_is_what_its_tuple_is() {
    for (strides, shape) in
        [("(8,1)", "(4,8)"), ("(1,4)", "(4,4)"), ("(1,0)", "(4,8)"), ("(4,8)", "(2,2)"), ("(2,3)", "(4,4)")]
    {
        let direct = value(&format!("{strides} o {shape}"));
        for text in ["let D = {D}; D o {S}", "let S = {S}; {D} o S", "let D = {D}; let S = {S}; D o S"] {
            let text = text.replace("{D}", strides).replace("{S}", shape);
            assert_eq!(value(&text), direct, "{text}");
        }
        let first = strides[1..].split(',').next().unwrap();
        let text = format!("let a = {first}; {} o {shape}", strides.replacen(first, "a", 1));
        assert_eq!(value(&text), direct, "{text}");
    }
}

#[test]
fn what_is_wrong_is_answered_by_what_to_write() {
    for (text, part) in [
        ("coalesce<_,_>((4,8):(1,4))", "coalesce(L, <_,_>)"),
        ("4:1 == 4:1", "equivalent(A, B)"),
        ("((4,8):(8,1))(1,:)", "L(1,_)"),
        ("emit ((4,8):(8,1))(i,j)", "`as cuda`"),
        ("emit zipped_divide((4,8):(8,1), <2,2>)((i,j),(k,l)) as c", "one name for each mode"),
        ("e0+1", "two numbers, two coordinates"),
        ("f1+1", "two XOR values"),
        ("(4,8)(8,1)", "(4,8):(8,1)"),
        ("(4, 8)(32, 4)", "outside of the shape"),
    ] {
        let found = error(text).to_string();
        assert!(found.contains(part), "{text}: {found}");
    }
}

#[test]
fn signs_bind_equally_and_from_the_left() {
    all(&[
        ("(8,8):(8,1) o ((4,8),2):((16,1),8)", "((4,8),2):((2,8),1)"),
        ("(8,8):(8,1) ∘ ((4,8),2):((16,1),8)", "((4,8),2):((2,8),1)"),
        ("128:1 / 32:1", "(32,4):(1,32)"),
        ("128:1 ⊘ 32", "(32,4):(1,32)"),
        ("(3,4):(4,1) * (2,5):(1,2)", "((3,4),(2,5)):((4,1),(12,24))"),
        ("(3,4):(4,1) ⊗ (2,5):(1,2)", "((3,4),(2,5)):((4,1),(12,24))"),
        ("64:2 / 8 o 4:1", "4:2"),
        ("64:2 / (8 o 4:1)", "(4,16):(2,8)"),
        ("Sw<3,4,3> o 0 o (8,64):(64,1) o <4,8>", "Sw<3,4,3> o 0 o (4,8):(64,1)"),
        ("Sw<3,4,3> o (8,64):(64,1) / (4,8)", "Sw<3,4,3> o 0 o ((4,2),(8,8)):((64,256),(1,8))"),
        ("{7} o (8,8):(8,1) o 4:2", "{7} o 4:16"),
    ]);
}

#[test]
fn a_tuple_of_extents_tiles_by_mode() {
    all(&[
        ("(8,16):(20,1) / (4,8)", "((4,2),(8,2)):((20,80),(1,8))"),
        ("(8,16):(20,1) / <4:1,8:2>", "((4,2),(8,2)):((20,80),(2,1))"),
        ("(8,16):(20,1) o (4,8)", "(4,8):(20,1)"),
        ("(8,16):(20,1) o (4,_)", "(4,16):(20,1)"),
        ("composition((8,16):(20,1), (4,8):(1,8))", "(4,8):(20,1)"),
        ("let T = (4,8); (8,16):(20,1) / T", "((4,2),(8,2)):((20,80),(1,8))"),
    ]);
}

#[test]
fn indices_name_a_part() {
    all(&[
        ("size<1,0>((3,((2,3),4)):(1,((3,6),20)))", "6"),
        ("size[1,0]((3,((2,3),4)):(1,((3,6),20)))", "6"),
        ("get<1,0>((3,((2,3),4)):(1,((3,6),20)))", "(2,3):(3,6)"),
        ("get((3,((2,3),4)):(1,((3,6),20)), 1, 0)", "(2,3):(3,6)"),
        ("rank<1>((3,((2,3),4)):(1,((3,6),20)))", "2"),
        ("shape<0>((4,8):(1,4))", "4"),
        ("stride<1>((4,8):(1,4))", "4"),
        ("take<1,3>((2,3,5):(1,2,6))", "(3,5):(2,6)"),
        ("select<2,0>((2,3,5):(1,2,6))", "(5,2):(6,1)"),
        ("group<0,2>((2,3,5):(1,2,6))", "((2,3),5):((1,2),6)"),
        ("append<3>((2,3):(1,2))", "(2,3,1):(1,2,0)"),
        ("append(2:1, 3:2)", "(2,3):(1,2)"),
        ("upcast<2>((8,4):(1,8))", "(4,4):(1,4)"),
        ("recast<16,8>(4:1)", "8:1"),
    ]);
}

#[test]
fn names_stay_in_a_session() {
    let mut session = Session::new();
    let outcome = session.run("let A = (4,8):(1,4); let B = A").map(|outcome| outcome.name);
    assert_eq!(outcome, Ok(Some("B")));
    assert_eq!(session.evaluate("size(B);").map(|value| value.to_string()), Ok("32".into()));
    assert_eq!(session.evaluate("let A = 3:1").map(|value| value.to_string()), Ok("3:1".into()));
    assert_eq!(session.evaluate("shape(A):stride(A)").map(|value| value.to_string()), Ok("3:1".into()));
    assert_eq!(session.variables().count(), 2);
}

#[test]
fn answers_and_lists() {
    all(&[
        ("congruent((2,3),(4,5))", "true"),
        ("compatible(30, (2,15))", "true"),
        ("equivalent((4,8):(1,4), 32:1)", "true"),
        ("is_injective((4,8):(1,2))", "false"),
        ("is_composable((4,6,8):(2,3,5), 6:1)", "false"),
        ("image((2,2):(2,1))", "(0,2,1,3)"),
        ("shape_div((3,6,2,8), 9)", "(1,2,2,8)"),
        ("cute::shape_div(2, 12)", "1"),
        ("ceil_div(7, 2)", "4"),
    ]);
}

#[test]
fn a_mistake_is_shown_where_it_is() {
    refused(&[
        ("(4,8", 4..4, "syntax", ""),
        ("(4,8):(1,,4)", 9..10, "syntax", ""),
        ("", 0..0, "syntax", ""),
        ("4:1 4:1", 4..5, "syntax", ""),
        ("4:1 o", 5..5, "syntax", ""),
        ("Sw<3,4", 6..6, "syntax", ""),
        ("4:1/0", 4..5, "syntax", ""),
        ("(4,8):(1,4,5)", 0..13, "incongruent", ""),
        ("((4,8):(8,1))(1,2,3)", 0..20, "coordinate", ""),
        ("slice((4,8):(8,1), (_,1,2))", 0..27, "coordinate", ""),
        ("4:1 o (2,0):(1,1)", 6..17, "extent", ""),
        ("4:1 o compositon(4:1, 2:1)", 6..16, "name", "did you mean `composition`?"),
        ("size(4:1, 3)", 0..12, "index", ""),
        ("size", 4..4, "syntax", "write size(L) or size<0,1>(L) or size(L, 0, 1)"),
        ("let size = 4", 4..8, "name", "choose another name"),
        ("coalesce(true)", 9..13, "kind", ""),
        ("let true = 4", 4..8, "name", "choose another name"),
        ("coalesce(Sw<3,4,3>)", 9..18, "kind", ""),
        ("(4:1)(2:1)", 6..9, "kind", "a layout is applied to a layout with `o`: A o B"),
        ("(6,2):(1,7) o (3,2):(2,3)", 0..25, "carry", ""),
        ("4:∘", 2..5, "syntax", ""),
        ("4:−1", 2..5, "syntax", "write `-`"),
        ("(4，8):(8,1)", 2..5, "syntax", "write `,`"),
        ("4:1 × 2", 4..6, "syntax", "write `*`"),
        ("“4:1”", 0..3, "syntax", "write the text without quotation marks"),
        ("4:1\u{a0}o 2", 3..5, "syntax", "write a plain space"),
    ]);
    // The place is told in characters, whatever their length in bytes.
    for (expression, at, expected) in [
        ("4:∘", 3, "an expression"),
        ("(8,8):(8,1) ∘ ⟨4:1,é⟩", 20, "an expression"),
        ("S<3,4,3> ∘ 8 ∘ (8,64):(64;1)", 26, "`,` or `)`"),
        ("let a = 4:1 ∘ 2:1; 布", 20, "an expression"),
        ("{5} ∘ {∘", 8, "an offset"),
    ] {
        let message = error(expression).message;
        let character = expression.chars().nth(at - 1).unwrap();
        assert_eq!(
            message,
            format!("expected {expected} at character {at}, found `{character}`"),
            "{expression}"
        );
    }
    assert_eq!(error("(4,6,8):(2,3,5) o 6:1").code, "shape-divisibility");
}

/// A mark can be drawn only under whole characters, and names a variable as a whole.
#[test]
fn marks_are_whole_characters_of_a_pattern() {
    for character in ["%", "é", "布", "𝄞"] {
        for pattern in ["@ -> a", "a@ -> a", "(@ -> a", "a -> @", "a -> a @", "a b -> (a@)"] {
            let pattern = pattern.replace('@', character);
            let text = format!("einfold(\"{pattern}\", (4,8):(8,1))");
            let marked = error(&text).span;
            assert_eq!(text.get(marked.clone()), Some(character), "{text}: {marked:?}");
            let text =
                format!("let pattern_of_long_name = \"{pattern}\"; einfold(pattern_of_long_name, (4,8))");
            assert_eq!(text.get(error(&text).span), Some("pattern_of_long_name"), "{text}");
        }
    }
}

#[test]
fn instructions_are_values_with_fields() {
    all(&[
        ("SM80_16x8x16_F32F16F16F32_TN", "atom(SM80_16x8x16_F32F16F16F32_TN)"),
        ("atom(atom(SM80_16x8x16_F32F16F16F32_TN))", "atom(SM80_16x8x16_F32F16F16F32_TN)"),
        ("make_mma_atom(SM61_DP4A).a", "(1,4):(0,1)"),
        ("let mma = atom(SM80_16x8x16_F32F16F16F32_TN); mma.c o (32,2)", "((4,8),2):((32,1),16)"),
        ("size(atom(SM80_16x8x16_F32F16F16F32_TN).threads)", "32"),
        ("atom(SM80_16x8x16_F32F16F16F32_TN).c.shape", "((4,8),(2,2))"),
        ("(4,8):(8,1).stride", "(8,1)"),
        ("(4,8) : (8,1) . shape", "(4,8)"),
        ("(atom(SM80_16x8x16_F32F16F16F32_TN).a)(5)", "33"),
        (
            "atom(SM90::GMMA::MMA_64x96x16_F32BF16BF16_RS<GMMA::Major::K, GMMA::Major::MN>)",
            "atom(SM90_64x96x16_F32BF16BF16_RS)",
        ),
        ("atom(SM75_U32x4_LDSM_N, 1).src", "(32,128):(128,1)"),
        ("atom(SM75_U32x4_LDSM_N, 1)", "atom(SM75_U32x4_LDSM_N, 1)"),
        ("atom(SM75_U32x4_LDSM_N)", "atom(SM75_U32x4_LDSM_N, 16)"),
        ("SM90_U16x8_STSM_T.src", "((4,8),(1,2,4)):((16,1),(0,8,64))"),
        ("SM100_U8x16_LDSM_T.bits", "8"),
        ("make_tiled_copy_A(SM75_U32x4_LDSM_N, tiled_mma(SM80_16x8x16_F32F16F16F32_TN)).bits", "16"),
        ("atom(UniversalCopy<uint128_t>).bits", "1"),
        ("atom(atom(SM75_U32x4_LDSM_N, 16), 8).src", "(32,16):(16,1)"),
        ("atom(SM80_CP_ASYNC_CACHEGLOBAL< uint128_t >, 16).bits", "16"),
        ("tiled_mma(SM80_8x8x4_F64F64F64F64_TN, (2,2,1), (_,32,_)).shape", "(16,32,4)"),
        ("tiled_mma(SM80_8x8x4_F64F64F64F64_TN, (2,2,1), (_,32,_)).atom", "atom(SM80_8x8x4_F64F64F64F64_TN)"),
        (
            // CuTe's make_tiled_copy_A: the copy is laid out by the layout of the tiled MMA.
            "let mma = tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,1,1)); tiled_copy(atom(SM75_U32x4_LDSM_N, 16), mma.a, <32,16>).shape",
            "(32,16)",
        ),
    ]);
    refused(&[
        (
            "atom(SM80_16x8x17_F32F16F16F32_TN)",
            5..33,
            "name",
            "did you mean `SM80_16x8x16_F32F16F16F32_TN`, `SM80_16x8x8_F32F16F16F32_TN`, `SM80_16x8x16_F32BF16BF16F32_TN`?",
        ),
        ("atom(SM75_U32x4_LDSM_N).dstt", 24..28, "name", "did you mean `dst`?"),
        ("atom(SM75_U32x4_LDSM_N).a", 0..23, "kind", ""),
        ("4.shape", 0..1, "kind", ""),
        ("(4,8):(8,1).", 12..12, "syntax", ""),
        ("atom(SM75_U32x4_LDSM_N, 48)", 0..27, "divisibility", ""),
        ("atom(SM75_U16x8_LDSM_T, 64)", 0..27, "argument", ""),
        ("atom(SM80_16x8x16_F32F16F16F32_TN, 16)", 0..38, "arguments", ""),
        ("atom(4:1)", 5..8, "kind", ""),
        ("let SM61_DP4A = 4", 4..13, "name", "choose another name"),
        ("tiled_mma(SM75_U32x4_LDSM_N, (2,2))", 10..27, "kind", ""),
        ("tiled_mma(SM61_DP4A, (1,1,1,2))", 0..31, "rank", ""),
        ("tiled_mma(AMX_16x16x32_F32BF16BF16F32, 4611686018427387904:0)", 0..61, "overflow", ""),
        ("size(atom(SM61_DP4A))", 5..20, "kind", ""),
    ]);
}

#[test]
fn work_and_depth_are_bounded() {
    assert_eq!(error(&"(4:1 o ".repeat(1000)).code, "limit");
    assert_eq!(error(&"<".repeat(60_000)).code, "limit");
    assert_eq!(error(&"(".repeat(60_000)).code, "capacity");
    assert_eq!(error(&"size(".repeat(10_000)).code, "limit");
    for nested in [
        "{1} o ",
        "ptr[8b] o ",
        "Sw<1,0,1>_ptr[8b] o ",
        "-(",
        "\"",
        "make_tile(",
        "Shape<",
        "make_shape(M,",
        "[M,",
        "4:1(",
        "(4:1)(",
        "4:1.composition(",
    ] {
        let code = error(&nested.repeat(60_000 / nested.len())).code;
        assert!(["limit", "capacity", "name"].contains(&code), "{nested}: {code}");
    }
    for operators in ["-", "- ", "2^", "2*", "1+(", "2<<"] {
        let _ = error(&operators.repeat(60_000 / operators.len()));
    }
    assert_eq!(error(&"4:1 o ".repeat(10_000)).code, "limit");
    assert_eq!(error(&" ".repeat(300_000)).code, "limit");
    assert_eq!(error(&format!("({}4:1)", "4:1,".repeat(40))).code, "capacity");
    assert_eq!(error("9223372036854775808").code, "syntax");
    // A chain is long and not deep.
    assert_eq!(value(&format!("4:1{}", " o 4:1".repeat(500))), "4:1");
}

#[test]
fn the_table_is_in_order() {
    for function in FUNCTIONS {
        assert!(tilework_expr::find(function.name()).is_some_and(|found| std::ptr::eq(found, function)));
        assert!(
            function.forms().iter().all(|form| form.starts_with(function.name()) || !form.contains("(L)"))
        );
        assert!(!function.summary().is_empty() && !function.summary().ends_with('.'));
    }
}

#[test]
fn every_row_has_an_example_of_its_own_that_is_right() {
    for function in FUNCTIONS {
        assert!(!function.examples().is_empty(), "{}", function.name());
        for (expression, result) in function.examples() {
            assert!(expression.starts_with(function.name()), "{expression}");
            assert_eq!(value(expression), *result, "{expression}");
        }
    }
}

#[test]
fn a_name_is_of_one_function() {
    let mut names: Vec<&str> = FUNCTIONS.iter().map(|function| function.name()).collect();
    names.extend(FUNCTIONS.iter().flat_map(|function| function.aliases()));
    for function in FUNCTIONS {
        for alias in function.aliases() {
            assert!(tilework_expr::find(alias).is_some_and(|found| std::ptr::eq(found, function)), "{alias}");
        }
    }
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
}

#[test]
fn arithmetic_on_numbers_is_arithmetic() {
    all(&[
        ("1 + 2 * 3", "7"),
        ("(1 + 2) * 3", "9"),
        ("2 * 3 - 10 / 5", "4"),
        ("1 << 4 + 1", "32"),
        ("1<<20", "1048576"),
        ("-16 >> 2", "-4"),
        ("2^33", "8589934592"),
        ("2**33", "8589934592"),
        ("2 ^ 3", "8"),
        ("7 % 4", "3"),
        ("7/2", "7/2"),
        ("7 / 2", "7/2"),
        ("128/4", "32"),
        ("1/3 + 1/6", "1/2"),
        ("floor(7/2)", "3"),
        ("ceil(7/2)", "4"),
        ("floor(-7/2)", "-4"),
        ("-(3)", "-3"),
        ("- -3", "3"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("let M = 128; (M*2,64)", "(256,64)"),
        ("let M = 128; (M*2, 64):(64, 1)", "(256,64):(64,1)"),
        ("let M = 128; (M/4,M-1,M%100,-M)", "(32,127,28,-128)"),
        ("let M = 128; let N = 4; (M, N):(N, 1)", "(128,4):(4,1)"),
        ("let M = 128; M*2:1", "256:1"),
        ("let M = 128; 8:M/2", "8:64"),
        ("8:2^9", "8:512"),
        ("8*2:1", "16:1"),
        ("let M = 3; column_major((2^M, M + 1))", "(8,4):(1,8)"),
        ("let L = (4,8):(8,1); size(L) * 2 + cosize(L)", "96"),
        ("let L = (4,8):(8,1); -L(1)", "-8"),
        ("let M = 64; <M/2, (M>>1)>", "<32:1,32:1>"),
        ("0^0 + 0^5 + (-1)^99", "0"),
        // Fractions and divides stay what they were.
        ("8:1/2", "8:1/2"),
        ("24:1 / 2", "(2,12):(1,2)"),
        ("let T = <2>; (24):(1) / T", "((2,12)):((1,2))"),
        ("(4,8):(^1,^4)", "(4,8):(^1,^4)"),
    ]);
    for (expression, code) in [
        ("2^63", "overflow"),
        ("9223372036854775807 + 1", "overflow"),
        ("1<<64", "overflow"),
        ("3*9223372036854775807", "overflow"),
        ("1 / 0", "arithmetic"),
        ("1 % 0", "arithmetic"),
        ("-7 % 4", "arithmetic"),
        ("2^(1/2)", "arithmetic"),
        ("2^(-1)", "arithmetic"),
        ("1/2 << 1", "arithmetic"),
        ("2^3^2", "syntax"),
        ("4:1 + 4:1", "kind"),
        ("4 * 2:1", "kind"),
        ("24 / 4:2", "kind"),
        ("let M = 7; (M/2,4):(4,1)", "kind"),
        ("let M = 7; M // 2", "syntax"),
        ("7 // 2", "syntax"),
    ] {
        assert_eq!(error(expression).code, code, "{expression}: {}", error(expression));
    }
    assert_eq!(error("2^64").message, "2 ^ 64 does not fit in 64 bits");
    assert_eq!(error("let M = 7; (M/2):1").message, "an extent is an integer; found 7/2");
}

#[test]
fn a_tuple_of_layouts_and_extents_is_a_tiler() {
    all(&[
        ("(_4,_8:_2)", "<4:1,8:2>"),
        ("(_,(_8,_2,_2):(_1,_16,_8),_)", "<_,(8,2,2):(1,16,8),_>"),
        ("((2,4),8:2)", "<<2:1,4:1>,8:2>"),
        ("(16,16):(16,1) o (_4,_8:_2)", "(4,8):(16,2)"),
        ("make_tile(Layout<_4,_2>{}, _8{})", "<4:2,8:1>"),
        ("make_tile(Layout<_4,_2>{}, Layout<_8,_1>{})", "<4:2,8:1>"),
        ("make_tile(_4{}, _8{})", "(4,8)"),
        ("Tile<_32,_32,_16>{}", "(32,32,16)"),
        ("!cute.tile<\"[4:1;64:1]\">", "<4:1,64:1>"),
        // All layouts are the modes of one.
        ("(4:1,8:4)", "(4,8):(1,4)"),
    ]);
    assert_eq!(
        "(_4,_8:_2)".parse::<tilework::Tiler>().map(|tiler| tiler.to_string()),
        Ok("<4:1,8:2>".into())
    );
    assert!("(_4,_8:_2)".parse::<tilework::Layout>().is_err());
    assert_eq!(error("size((4,8:2))").message, "argument 1 of size is a tiler where a layout is wanted");
}

#[test]
fn what_kernels_are_written_with_is_read() {
    all(&[
        ("Layout<Shape<_8,_4>,Stride<_4,_1>>", "(8,4):(4,1)"),
        ("Layout<Shape<_8,Shape<_2,_2>>>{}", "(8,(2,2)):(1,(8,16))"),
        (
            "cute::Layout<cute::tuple<cute::C<8>, cute::C<4>>, cute::tuple<cute::C<4>, cute::C<1>>>",
            "(8,4):(4,1)",
        ),
        ("Layout<Shape<_4,_2>,Stride<E<1>,E<0>>>{}", "(4,2):(1@1,1@0)"),
        ("Layout<Shape<_4>,Stride<ScaledBasis<_2,1,0>>>{}", "(4):(2@0@1)"),
        ("make_layout(make_shape(Int<8>{}, _4{}), LayoutRight{})", "(8,4):(4,1)"),
        (
            "cute::make_layout(cute::make_shape(cute::_8{}, cute::Int<4>{}), cute::GenColMajor{})",
            "(8,4):(1,8)",
        ),
        (
            "make_layout(make_shape(make_shape(_2{}, 3), _5{}), make_stride(make_stride(_1{}, 20), C<4>{}))",
            "((2,3),5):((1,20),4)",
        ),
        ("cute.make_layout((8,4), stride=(4,1))", "(8,4):(4,1)"),
        ("cute.make_layout(shape=(8,4), stride=(4,1))", "(8,4):(4,1)"),
        ("cute.make_ordered_layout((8,4), order=(1,0))", "(8,4):(4,1)"),
        ("cute.size((8,4), mode=[1])", "4"),
        ("let M = 4; make_layout(make_shape(M*2, Int<4>{}), make_stride(_4{}, _1{}))", "(8,4):(4,1)"),
        (
            "tile_to_shape(Layout<Shape<_8,_4>>{}, make_shape(_16{}, _16{}), Step<_2,_1>{})",
            "((8,2),(4,4)):((1,128),(8,32))",
        ),
        ("make_identity_tensor(make_shape(_4{}, _8{}))", "(4,8):(1@0,1@1)"),
        ("Swizzle<3,4,3>{}", "Sw<3,4,3>"),
        ("cute.make_swizzle(3, 4, 3)", "Sw<3,4,3>"),
        (
            "ComposedLayout<Swizzle<3,3,3>, _0, Layout<Shape<_8,_64>,Stride<_64,_1>>>{}",
            "Sw<3,3,3> o 0 o (8,64):(64,1)",
        ),
        (
            "ComposedLayout<Swizzle<3,4,3>, smem_ptr_flag_bits<16>, Layout<Shape<_8,_64>,Stride<_64,_1>>>",
            "smem_ptr[16b] o Sw<3,3,3> o 0 o (8,64):(64,1)",
        ),
        (
            "cute.make_composed_layout(cute.make_swizzle(3,3,3), 0, cute.make_layout((8,64), stride=(64,1)))",
            "Sw<3,3,3> o 0 o (8,64):(64,1)",
        ),
        ("tensor<ptr<f16, gmem, align<16>> o (8,4):(4,1)>", "gmem_ptr[16b] o (8,4):(4,1)"),
        (
            "tensor<ptr<f16, smem, align<128>, S<3,4,3>> o (8,64):(64,1)>",
            "smem_ptr[16b] o Sw<3,3,3> o 0 o (8,64):(64,1)",
        ),
        ("tensor<(0,0) o (8,4):(1@0,1@1)>", "(8,4):(1@0,1@1)"),
        ("tensor<(4,2) o (8,4):(1@0,1@1)>", "{(4,2)} o (8,4):(1@0,1@1)"),
        (
            "raw_ptr(0x00007f3a00000000: f8E4M3FN, gmem, align<16>) o (8,4):(4,1)",
            "gmem_ptr[8b] o (8,4):(4,1)",
        ),
        ("!cute.memref<bf16, rmem, align<32>, \"(8,4):(4,1)\">", "rmem_ptr[16b] o (8,4):(4,1)"),
        (
            "!cute.memref<f16, smem, align<16>, S<3,4,3>, \"(8,64):(64,1)\">",
            "smem_ptr[16b] o Sw<3,3,3> o 0 o (8,64):(64,1)",
        ),
        ("!cute.coord_tensor<\"(0,0)\", \"(8,4):(1@0,1@1)\">", "(8,4):(1@0,1@1)"),
        ("!cute.composed_layout<\"S<3,3,3> o 0 o (8,64):(64,1)\">", "Sw<3,3,3> o 0 o (8,64):(64,1)"),
        ("{\"shape\": [4, [2, 4]], \"stride\": [8, [1, 2]]}", "(4,(2,4)):(8,(1,2))"),
        ("{\"shape\": [4, 8], \"stride\": \"(1@0,1@1)\"}", "(4,8):(1@0,1@1)"),
        ("tmem_[32b](0x0000.0010) o (_128,_64):(_65536,_1)", "tmem_ptr[32b] o (128,64):(65536,1)"),
        ("layout: (4,8):(8,1)", "(4,8):(8,1)"),
        ("(?,8):(?,1)", "(?0,8):(?1,1)"),
        ("TV Layout A:     ((4,8),(2,2)):((16,1),(8,64))", "((4,8),(2,2)):((16,1),(8,64))"),
        ("(4,8):(8,1) # row major", "(4,8):(8,1)"),
        ("(4,8):(8,1) // row major", "(4,8):(8,1)"),
        ("# a matrix\n(4,8):\n  (8,1)", "(4,8):(8,1)"),
    ]);
    for (expression, message) in [
        (
            "tensor<ptr<f32, gmem, align<?>> o (8,4):(4,1)>",
            "the `?` at character 29 is known only when the kernel runs; write a number for it",
        ),
        ("cute.make_layout((8,4), order=(4,1))", "layout has no parameter `order`"),
        (
            "cute.make_layout(stride=(4,1))",
            "`stride` is not argument 1 of layout; arguments are written in their order",
        ),
        ("LayoutRight{}", "`LayoutRight` is an order of strides, not a layout"),
        (
            "Sw<3,0,3> o smem_ptr[16b](unset) o (8,64):(64,1)",
            "Sw<3,0,3> permutes bytes, and takes elements of 16 bits apart",
        ),
        ("smem_ptr[16b](unset) o Sw<3,4,3>", "expected `o` at character 33, found the end"),
    ] {
        assert_eq!(error(expression).message, message, "{expression}");
    }
}

#[test]
fn operations_on_a_tensor_keep_its_elements() {
    all(&[
        (
            "let T = gmem_ptr[16b](0x0) o (8,16):(16,1); zipped_divide(T, (4,8))",
            "gmem_ptr[16b] o ((4,8),(2,2)):((16,1),(64,8))",
        ),
        ("let T = gmem_ptr[16b](0x0) o (8,16):(16,1); T o <4,8>", "gmem_ptr[16b] o (4,8):(16,1)"),
        ("let T = gmem_ptr[16b](0x0) o (8,16):(16,1); T(2,_)", "gmem_ptr[16b] o {32} o 16:1"),
        ("let T = gmem_ptr[16b](0x0) o (8,16):(16,1); T(2,3)", "35"),
        ("let T = gmem_ptr[16b](0x0) o (8,16):(16,1); size<1>(T)", "16"),
        ("let T = gmem_ptr[16b](0x0) o (8,16):(16,1); layout(T)", "(8,16):(16,1)"),
        (
            "let T = smem_ptr[16b](0x0) o Sw<3,3,3> o _0 o (8,64):(64,1); T / (2,2)",
            "smem_ptr[16b] o Sw<3,3,3> o 0 o ((2,4),(2,32)):((64,128),(1,2))",
        ),
        ("let T = smem_ptr[16b](0x0) o (8,64):(64,1); cosize(T)", "512"),
        ("(smem_ptr[16b](0x0) o (8,64):(64,1)).bits", "16"),
        ("recast(smem_ptr[16b](0x0) o (8,64):(64,1), 32)", "smem_ptr[32b] o (8,32):(32,1)"),
    ]);
}

/// Where the first of the arguments between the parentheses of a call begins and ends, and where the last one does.
fn first_and_last(call: &str) -> [Range<usize>; 2] {
    let open = call.find('(').expect("a call");
    let (mut depth, mut commas) = (0, Vec::new());
    for (at, byte) in call.bytes().enumerate().skip(open) {
        match byte {
            b'(' | b'<' => depth += 1,
            b')' | b'>' => depth -= 1,
            b',' if depth == 1 => commas.push(at),
            _ => {}
        }
    }
    let end = call.rfind(')').expect("a call");
    let (first, last) = (commas.first(), commas.last());
    [open + 1..first.copied().unwrap_or(end), last.map_or(open, |comma| *comma) + 1..end]
}

/// The layout that a function rearranges is that of a tensor or of a swizzle as well, whose elements stay what they are.
#[test]
fn what_rearranges_a_layout_keeps_what_stands_before_it() {
    let (mut tensors, mut swizzled) = (0, 0);
    for function in FUNCTIONS {
        let data = match function.family() {
            Family::Parts | Family::Simplification | Family::Divides | Family::Products => 0,
            Family::Instructions
                if ["thrfrg", "tidfrg", "retile", "partition"]
                    .iter()
                    .any(|own| function.name().starts_with(own)) =>
            {
                1
            }
            _ => continue,
        };
        for (call, plain) in function.examples() {
            // A pattern in quotation marks comes before the layout.
            if call.contains('"') {
                continue;
            }
            let at = &first_and_last(call)[data];
            let with = |before: &str| {
                format!("{}({before} o {}){}", &call[..at.start], call[at.clone()].trim(), &call[at.end..])
            };
            let bits = Session::new().evaluate(&with("ptr[16b]")).map(tilework_expr::Value::element_bits);
            assert_eq!(bits, Ok(Some(16)), "{}", with("ptr[16b]"));
            tensors += 1;
            // A part of a tuple is one of its layout.
            if plain.contains(':') && !plain.contains('{') {
                let own = Session::new().evaluate(&with("Sw<1,1,2> o 0")).map(ToString::to_string);
                assert_eq!(own, Ok(format!("Sw<1,1,2> o 0 o {plain}")), "{}", with("Sw<1,1,2> o 0"));
                swizzled += 1;
            }
        }
    }
    assert!(tensors > 40 && swizzled > 25, "{tensors} tensors, {swizzled} swizzled layouts");
}

/// Where the result has no pointer, a tensor is refused.
#[test]
fn a_composition_does_not_forget_a_pointer() {
    for tensor in
        ["ptr[16b] o (4,8):(8,1)", "ptr[16b] o {3} o (4,8):(8,1)", "smem_ptr[8b] o Sw<1,1,2> o (4,8):(8,1)"]
    {
        for before in [
            "{7} o",
            "ptr[8b] o",
            "Sw<2,1,3> o",
            "Sw<2,1,3> o 8 o",
            "Sw<2,4,3> o smem_ptr[16b] o",
            "(8,8):(8,1) o",
        ] {
            assert_eq!(error(&format!("{before} ({tensor})")).code, "kind", "{before} {tensor}");
            assert_eq!(error(&format!("let T = {tensor}; {before} T")).code, "kind", "{before} {tensor}");
        }
    }
}

/// Text with a coordinate behind it is that text in parentheses, whatever stands before the layout: `{7} o L(c)` is no
/// layout of `L(c)` elements.
#[test]
fn a_coordinate_behind_a_value_is_one_of_the_whole() {
    for layout in ["(4,8):(8,1)", "(4,(2,4)):(1,(4,8))", "coalesce((4,8):(8,1), <_,_>)", "((4,8):(8,1))"] {
        for before in [
            "",
            "{7} o ",
            "{7} o {0} o ",
            "Sw<2,1,3> o ",
            "Sw<2,1,3> o 8 o ",
            "Sw<2,1,3> o {8} o ",
            "ptr[16b] o ",
            "ptr[16b] o {7} o ",
            "ptr[16b] o Sw<2,1,3> o 0 o ",
            "Sw<2,4,3> o smem_ptr[16b] o ",
        ] {
            let text = format!("{before}{layout}");
            if Session::new().evaluate(&text).is_err() {
                continue;
            }
            for coordinate in ["(2,3)", "(3)", "(1,_)", "(_,5)", "(_,5)(2)"] {
                let whole = value(&format!("({text}){coordinate}"));
                let first = value(&format!("let L = {text}; L{coordinate}"));
                assert_eq!(
                    (value(&format!("{text}{coordinate}")), first),
                    (whole.clone(), whole),
                    "{text}{coordinate}"
                );
            }
        }
    }
    // A composition of layouts takes the offset of its right operand.
    assert_eq!(value("(4,8):(8,1) o (4,8):(1,4)(3,0)"), value("(4,8):(8,1) o 3"));
}

#[test]
fn elements_of_another_width_are_those_of_the_tensor() {
    all(&[
        ("upcast<2>(gmem_ptr[16b](0x0) o (8,64):(64,1))", "gmem_ptr[32b] o (8,32):(32,1)"),
        ("downcast<2>(gmem_ptr[16b](0x0) o (8,64):(64,1))", "gmem_ptr[8b] o (8,128):(128,1)"),
        ("recast<16,8>(ptr[16b](0x0) o (8,64):(64,1))", "ptr[8b] o (8,128):(128,1)"),
        ("recast(ptr[64b](0x0) o 8:1, 64, 192)", "ptr[192b] o 3:1"),
        (
            "recast(smem_ptr[16b](0x0) o Sw<3,3,3> o _0 o (8,64):(64,1), 32)",
            "smem_ptr[32b] o Sw<3,2,3> o 0 o (8,32):(32,1)",
        ),
        (
            "upcast<2>(smem_ptr[16b](0x0) o Sw<3,3,3> o _0 o (8,64):(64,1))",
            "smem_ptr[32b] o Sw<3,2,3> o 0 o (8,32):(32,1)",
        ),
    ]);
    for contradicting in
        ["recast<8,32>(ptr[16b] o 8:1)", "recast(ptr[16b] o 8:1, 8, 32)", "recast(32, 8, ptr[16b] o 8:1)"]
    {
        let refused = error(contradicting);
        assert_eq!(
            (refused.code, refused.message.as_str()),
            ("width", "ptr[16b] o 8:1 has elements of 16 bits, not 8")
        );
    }
    assert_eq!(error("downcast<3>(ptr[16b](0x0) o 8:1)").code, "arguments");
    assert_eq!(error("upcast<65536>(ptr[2b](0x0) o 8:1)").code, "arguments");
    assert_eq!(error("recast(ptr[16b](0x0) o 8:1, 65537)").code, "arguments");
}

#[test]
fn a_line_ends_a_statement_that_is_complete() {
    all(&[
        ("(4,8):(1,4)\n(8,4):(1,8)", "(8,4):(1,8)"),
        ("let A = (4,8):(8,1) # row major\r\nlet B = <2,4>\n\nA o B\n", "(2,4):(8,1)"),
        ("let A = (4,8):\n  (8,1);\n(A)(2,\n 5)", "21"),
        ("size(\n(4,8):(8,1)\n)", "32"),
        ("(4,8):(8,1)\n  o <2,4>", "(2,4):(8,1)"),
        ("4:1\n// a comment\n8:1", "8:1"),
    ]);
    assert_eq!(error("4:1 (8,4):(1,8)").code, "coordinate");
}

/// Each level is a few frames of the parser, and some stacks are small.
#[test]
fn what_is_nested_too_deep_is_refused() {
    for text in ["let L = 4:1; ", "let L = 4:1; size("] {
        for level in ["L(", "L.coalesce(", "(", "coalesce(", "<"] {
            let error = error(&format!("{text}{}", level.repeat(2000)));
            let expected = if level == "(" { "capacity" } else { "limit" };
            assert_eq!(error.code, expected, "{level}: {error}");
        }
    }
}

/// Whatever is written, there is an answer: mutations of expressions that mean something.
#[test]
fn no_text_makes_it_stumble() {
    let seeds = [
        "composition((8,16):(20,1), <4:1,8:2>)",
        "let A = Sw<3,4,3> o 0 o (8,64):(64,1); A(_,3) / (2,2)",
        "{8} o (3,2):(15,100)",
        "(1/2@0,4@1@2) ∘ ⟨^9,_⟩",
        "size<1,0>((3,((2,3),4)):(1,((3,6),20)))(0x80)",
        "Sw<3,4,3>_smem_ptr[16b](0x490) o (_8,_64):(_64,_1)",
        "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)",
        "tensor<ptr<f16, smem, align<16>, S<3,4,3>> o (8,64):(64,1)>",
        "make_layout(make_shape(Int<8>{}, _4{}), LayoutRight{}) # rows",
        "Layout<Shape<_8,_4>,Stride<E<0>,E<1>>>{}",
        "let M = 7; (M*2,M%4):(M<<1,-M+2^3/3)",
        "!cute.tile<\"[4:1;64:1]\">",
        "cute.size((8,4), mode=[1]) // 2",
        "{\"shape\": [4, [2, 4]], \"stride\": [8, [1, 2]]}",
    ];
    let pieces: Vec<&str> = "(|)|,|:|<|>|_|o |/|*|0|9223372036854775807|-1|^|@|∘|;|-|%|<<|**|=|[|]|{}|\"|?|//|#|.|cute.|ptr[8b] o |M"
        .split('|')
        .collect();
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut random = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % bound as u64) as usize
    };
    for _ in 0..if cfg!(debug_assertions) { 5_000 } else { 50_000 } {
        let mut text: Vec<char> = seeds[random(seeds.len())].chars().collect();
        for _ in 0..1 + random(4) {
            let at = random(text.len() + 1);
            match random(3) {
                0 if at < text.len() => drop(text.remove(at)),
                1 => drop(text.splice(at..at, pieces[random(pieces.len())].chars())),
                _ => drop(text.splice(at..at, seeds[random(seeds.len())].chars().take(random(12)))),
            }
        }
        let text: String = text.into_iter().collect();
        // The names of another text are unknown to what is printed.
        match Session::new().evaluate(&text).cloned() {
            Ok(value) => {
                let again = Session::new().evaluate(&value.to_string()).cloned();
                assert_eq!(again, Ok(value), "{text}");
            }
            Err(error) => {
                assert!(text.get(error.span.clone()).is_some(), "{text}: {error:?}");
                assert!(!error.to_string().contains('\n'));
            }
        }
        let _ = Session::new().explain(&text);
        let _ = tilework_expr::scan(&text);
    }
}

/// What is composed with a view or a swizzled layout is the same function, also where integer strides meet XOR strides.
#[test]
fn an_offset_is_added_as_the_left_layout_adds_it() {
    let mut session = Session::new();
    let mut text = |expression: &str| session.evaluate(expression).map(|value| value.to_string());
    let lefts = ["8:1", "8:2", "(2,4):(4,1)", "8:^1", "8:^3", "(2,2):(^1,^1)", "1:1", "4:0"];
    let rights = ["4:1", "4:2", "3:1", "4:^1", "4:^3", "(2,2):(^1,^2)", "(2,2):(^1,^1)"];
    let (mut answers, mut refusals) = (0, 0);
    for left in lefts {
        for form in ["{0} o L", "{1} o L", "{5} o L", "Sw<1,0,1> o 0 o L", "Sw<1,0,1> o 3 o L"] {
            let left = form.replace('L', left);
            for right in rights {
                let Ok(composed) = text(&format!("composition({left}, {right})")) else {
                    refusals += 1;
                    continue;
                };
                answers += 1;
                for index in 0..if right == "3:1" { 3 } else { 4 } {
                    let through = text(&format!("({right})({index})")).unwrap();
                    let expected = text(&format!("({left})({through})")).unwrap();
                    let found = text(&format!("({composed})({index})")).unwrap();
                    assert_eq!(found, expected, "({left}) o {right} = {composed} at {index}");
                }
            }
        }
    }
    assert!(answers > 150 && refusals > 20, "{answers} answers, {refusals} refusals");
}

/// Threads of other languages and of wasm have small stacks. A frame that overflows one ends the process, and so fails the test.
#[test]
fn every_function_runs_in_a_quarter_of_a_megabyte() {
    let examples = FUNCTIONS.iter().flat_map(|function| function.examples()).map(|(text, _)| *text);
    let searched = ["left_inverse(2:-1)", "left_inverse((4,4):(4,7))", "right_inverse((3,4):(1,2))"];
    for text in examples.chain(searched) {
        let run = move || drop(Session::new().evaluate(text));
        std::thread::Builder::new().stack_size(256 * 1024).spawn(run).unwrap().join().unwrap();
    }
}

/// As in C++ and Python, whatever the function is.
#[test]
fn a_declared_variable_hides_a_function() {
    for function in FUNCTIONS {
        let name = function.name();
        let text = format!("auto {name} = (8,4):(4,1); {name}(3,2)");
        assert_eq!(value(&text), "14", "{text}");
        let text = format!("let {name} = (8,4):(4,1); {name}(3,2)");
        assert_eq!(error(&text).code, "name", "{text}");
    }
    assert_eq!(value("layout = cute.make_layout((8,4), stride=(4,1)); layout(3,2)"), "14");
    assert_eq!(error("auto e0 = 3; e0").code, "name");
}

/// What a printed value says is in the answer, or the text is refused.
#[test]
fn nothing_of_a_printed_value_is_dropped() {
    let blocked = |more: &str| {
        format!(
            "#ttg.blocked<{{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [2, 2], order = [1, 0]{more}}}>"
        )
    };
    all(&[
        (
            "ptr<f16, smem, align<1024>, S<3,4,3>> o (8,64):(64,1)",
            "smem_ptr[16b] o Sw<3,3,3> o 0 o (8,64):(64,1)",
        ),
        ("memref<4x8xf32, 3>", "ptr[32b] o (4,8):(8,1)"),
        ("memref<4x8xf32, #gpu.address_space<workgroup>>", "ptr[32b] o (4,8):(8,1)"),
        ("memref<4x8xf32, \"gpu\">", "ptr[32b] o (4,8):(8,1)"),
        ("memref<4x8xf32, strided<[16, 1], offset: 3>, 3 : i32>", "ptr[32b] o {3} o (4,8):(16,1)"),
        (
            &blocked(", CTAsPerCGA = [1, 1], CTASplitNum = [1, 1], CTAOrder = [1, 0]"),
            "((8,4,2,2),4):((32,1,256,4),8)",
        ),
    ]);
    let texts = [
        "ptr<f16, smem, S<3,4,3>>",
        "memref<4x8xf32, strided[16, 1], offset: 3>",
        "memref<4x8xf32, strided<[16, 1]>, offset: 3>",
        "memref<4x8xf32, [16,1]>",
        "memref<4x8xf32, foo>",
        "memref<4x8xf32, 3, 4>",
        "memref<4x8xf32, #map>",
        "memref<4x8xf32, #gpu<a<b>>>",
    ];
    for text in
        texts.map(String::from).into_iter().chain([", CTAsPerCGA = [2, 1]", ", foo = [7]"].map(blocked))
    {
        assert_eq!(error(&text).code, "syntax", "{text}");
    }
}

/// The nesting that differs is that of a mode, not of the whole.
#[test]
fn a_nesting_that_differs_has_its_place() {
    for (text, message) in [
        ("((4,2),8):(8,1)", "at leaf 0 the shape has 2 entries, the stride is an integer"),
        ("(4,8):((8,1),1)", "at leaf 0 the shape is an integer, the stride has 2 entries"),
        ("(4,8):(8)", "the shape has 2 entries, the stride has 1 entry"),
        (
            "((4,8):(8,1))((1,2),3)",
            "at leaf 0 the coordinate has 2 entries, the shape is an integer: ((1,2),3) is no coordinate of (4,8)",
        ),
    ] {
        assert_eq!(error(text).message, message, "{text}");
    }
}

/// Types and static numbers by their names in C++.
#[test]
fn declared_types_and_static_numbers() {
    all(&[
        ("using A = Layout<Shape<_8,_4>>; A{}", "(8,4):(1,8)"),
        ("using A = Layout<Shape<_8,_4>>; tile_to_shape(A{}, (16,16))", "((8,2),(4,4)):((1,32),(8,64))"),
        ("constexpr int M = 128; make_shape(Int<M>{}, _4{})", "(128,4)"),
        ("constexpr int M = 128; Layout<Shape<Int<M>,_4>,Stride<_1,C<M>>>{}", "(128,4):(1,128)"),
        ("constexpr int M = 128; cute::Int<M>{}", "128"),
    ]);
    refused(&[("Int<M>{}", 4..5, "syntax", ""), ("let A = 4:1; A()", 15..16, "syntax", "")]);
}
