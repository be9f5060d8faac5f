//! Source text as it reads: what a kernel's author would have written.

use tilework::{AnyLayout, Composed, Error, Layout, Swizzle};
use tilework_symbolic::{Host, Language, Scope, Source, Verdict, index_expression, index_function};

/// An offset of a layout with these facts as an expression of C.
fn expression(layout: &str, facts: &str, coordinate: &[&str]) -> String {
    let mut scope = Scope::new();
    let layout = scope.layout(layout).unwrap();
    if !facts.is_empty() {
        scope.assume(facts).unwrap();
    }
    scope.index_expression(&layout, &Source::new(Language::C, coordinate)).unwrap().text.to_string()
}

#[test]
fn expressions() {
    for (layout, facts, coordinate, text) in [
        ("(M,K):(1,ld)", "", "i j", "i + j*ld"),
        ("(M,K):(1,ld)", "", "x", "(x % M) + (x / M)*ld"),
        ("(M,K):(1,M)", "", "x", "x"),
        ("(M,K):(1,ld)", "K == 1", "x", "x"),
        ("((128,M/128),K):((1,128),ld)", "M % 128 == 0", "i k", "i + k*ld"),
        ("(128,(M/128,K)):(1,(128,ld))", "M % 128 == 0", "x t", "x + (t % (M/128))*128 + (t / (M/128))*ld"),
        ("((128,ceil(M/128)),K):((128,1),ld)", "", "i k", "(i & 127)*128 + (i >> 7) + k*ld"),
        (
            "((128,32),ceil(M/128),ceil(K/32)):((1,ld),128,32*ld)",
            "",
            "x t u",
            "(x & 127) + (x >> 7)*ld + t*128 + u*(32*ld)",
        ),
        ("(8,M,4):(M,1,8*M)", "", "x", "(x & 7)*M + ((x >> 3) % M) + (x / (8*M))*(8*M)"),
        ("(M,N,K):(1,0,M)", "", "x", "(x % M) + (x / (M*N))*M"),
        ("(M,K):(-1,M)", "", "i j", "-i + j*M"),
        ("(8,M):(-8,1)", "", "x", "-(x % 8)*8 + (x / 8)"),
        ("4:0", "", "x", "0"),
        ("1:7", "", "x", "0"),
        ("(4,2):(3,12)", "", "x", "x*3"),
        ("(4,2):(3,1)", "", "x", "(x & 3)*3 + (x >> 2)"),
        ("(12,5):(1,16)", "", "x", "(x % 12) + (x / 12)*16"),
        ("(4,8):(^4,^5)", "", "i j", "(i << 2) ^ j ^ (j << 2)"),
        ("(M,K):(1,M - 1)", "M >= 2", "i j", "i + j*(M - 1)"),
        ("(M,K):(1,(M + K)/2)", "M % 2 == 0, K % 2 == 0", "i j", "i + j*((M + K)/2)"),
        ("(?,8):(?,1)", "", "x", "(x % _0)*_1 + (x / _0)"),
        ("(M,K):(1,floor((M - K)/2) + M)", "", "i j", "i + j*(M + ((M - K)/2 - ((M - K) % 2 < 0)))"),
    ] {
        let names: Vec<&str> = coordinate.split(' ').collect();
        assert_eq!(expression(layout, facts, &names), text, "{layout}");
    }
}

#[test]
fn what_is_known_of_a_loop_variable_is_used() {
    let mut scope = Scope::new();
    let tile = scope.layout("((8,M),K):((1,ld),8)").unwrap();
    scope.declare("i").and(scope.declare("k")).unwrap();
    scope.assume("i >= 0, i <= 7, k >= 0").unwrap();
    let text = |scope: &mut Scope| {
        scope.index_expression(&tile, &Source::new(Language::C, &["i", "k"])).unwrap().text.to_string()
    };
    assert_eq!(text(&mut scope), "i + k*8");
    let wide = scope.layout("((8,8,M),K):((1,ld,64),8)").unwrap();
    scope.declare("j").and(scope.assume("j >= 0, j <= 63")).unwrap();
    let source = Source::new(Language::C, &["j", "k"]);
    assert_eq!(scope.index_expression(&wide, &source).unwrap().text.as_str(), "(j & 7) + (j >> 3)*ld + k*8");
}

#[test]
fn functions() {
    let mut scope = Scope::new();
    let tiles = scope.layout("(128,ceil(M/128),K):(1,128,128*ceil(M/128))").unwrap();
    let text = |scope: &mut Scope, language| {
        scope
            .index_function(&tiles, "padded", &Source::new(language, &["i", "t", "k"]))
            .unwrap()
            .text
            .to_string()
    };
    assert_eq!(
        text(&mut scope, Language::C),
        "// (128,ceil(M/128),K):(1,128,128*ceil(M/128))
static inline uint64_t padded(uint64_t i, uint64_t t, uint64_t k, uint64_t M) {
    return i + t*128 + k*(128*((M + 127)/128));
}
"
    );
    let heads = scope.layout("(64,S,H,B):(1,192*H,64,192*H*S)").unwrap();
    let source = Source::new(Language::Cuda, &["x"]);
    assert_eq!(
        scope.index_function(&heads, "qkv", &source).unwrap().text.as_str(),
        "// (64,S,H,B):(1,192*H,64,192*S*H)
__host__ __device__ inline uint64_t qkv(uint64_t x, uint64_t S, uint64_t H) {
    return (x & 63) + ((x >> 6) % S)*(192*H) + ((x / (64*S)) % H)*64 + (x / (64*S*H))*(192*S*H);
}
"
    );
    let mut source = Source::new(Language::Rust, &["x"]);
    source.bits = Some(32);
    let matrix = scope.layout("(M,K):(1,ld)").unwrap();
    scope.assume("ld >= M").unwrap();
    assert_eq!(
        scope.index_function(&matrix, "offset", &source).unwrap().text.as_str(),
        "// (M,K):(1,ld) where ld >= M if K*ld + M <= ld + 2147483648 and ld <= 2147483647
#[allow(non_snake_case)]
pub fn offset(x: u32, M: u32, ld: u32) -> u32 {
    (x % M) + (x / M)*ld
}
"
    );
    assert_eq!(
        scope.index_function(&matrix, "offset", &Source::new(Language::Wgsl, &["x"])).unwrap().text.as_str(),
        "// (M,K):(1,ld) where ld >= M if K*ld + M <= ld + 2147483648 and ld <= 2147483647
fn offset(x: u32, M: u32, ld: u32) -> u32 {
    return (x % M) + (x / M)*ld;
}
"
    );
    assert_eq!(
        scope
            .index_function(&matrix, "offset", &Source::new(Language::Python, &["x"]))
            .unwrap()
            .text
            .as_str(),
        "# (M,K):(1,ld) where ld >= M
def offset(x, M, ld):
    return (x % M) + (x // M)*ld
"
    );
}

#[test]
fn loops() {
    let text = |layout: &str, facts: &str, language, line| {
        let mut scope = Scope::new();
        let layout = scope.layout(layout).unwrap();
        scope.assume(facts).unwrap();
        scope.loop_nest(&layout, line, &Source::new(language, &["i", "j", "k"])).unwrap().text.to_string()
    };
    // Columns that are padded, and batches without gaps.
    assert_eq!(
        text("(M,K,L):(1,ld,K*ld)", "ld >= M", Language::Cuda, "y[offset] = 0;"),
        "// (M,K,L):(1,ld,K*ld) where ld >= M
uint64_t offset = 0;
for (uint64_t k = 0; k < L; ++k) {
    for (uint64_t j = 0; j < K; ++j) {
        for (uint64_t i = 0; i < M; ++i) {
            y[offset] = 0;
            offset += 1;
        }
        offset += ld - M;
    }
}
"
    );
    assert_eq!(
        text("(M,K,4):(K,1,M*K)", "M <= 64, K <= 64", Language::Rust, "sum += x[offset as usize];"),
        "// (M,K,4):(K,1,M*K) where M <= 64 and K <= 64
let mut offset: i32 = 0;
for k in 0..4 {
    for j in 0..K {
        for i in 0..M {
            sum += x[offset as usize];
            offset += K;
        }
        offset += 1 - M*K;
    }
    offset += M*K - K;
}
"
    );
    assert_eq!(
        text("(4,M,2):(-1,4,0)", "M <= 64", Language::Python, "visit(offset)"),
        "# (4,M,2):(-1,4,0) where M <= 64
offset = 0
for k in range(2):
    for j in range(M):
        for i in range(4):
            visit(offset)
            offset -= 1
        offset += 8
    offset -= 4*M
"
    );
}

#[test]
fn divisors_as_products() {
    let mut scope = Scope::new();
    let heads = scope.layout("(64,S,H,B):(1,192*H,64,192*H*S)").unwrap();
    let mut source = Source::new(Language::Cuda, &["x"]);
    source.products = true;
    let emitted = scope.index_function(&heads, "qkv", &source).unwrap();
    let text = emitted.text.as_str().split_once('\n').unwrap().1;
    assert_eq!(
        text,
        "// d0 = divisor_of(S), d1 = divisor_of(64*S), d2 = divisor_of(H), d3 = divisor_of(64*S*H)
__host__ __device__ inline uint32_t qkv(uint32_t x, Divisor d0, Divisor d1, Divisor d2, Divisor d3, uint32_t S, uint32_t H) {
    return (x & 63) + mod_by(x >> 6, d0)*(192*H) + mod_by(div_by(x, d1), d2)*64 + div_by(x, d3)*(192*S*H);
}
"
    );
    assert!(!emitted.guard.is_always());
}

#[test]
fn swizzles() {
    let rows: Layout = "(8,64):(64,1)".parse().unwrap();
    let any = AnyLayout::from(Composed::new(Swizzle::new(3, 3, 3).unwrap(), 0, rows).unwrap());
    assert_eq!(
        index_function(&any, "shared_offset", &Source::new(Language::Cuda, &["row", "column"]))
            .unwrap()
            .text
            .as_str(),
        "// Sw<3,3,3> o 0 o (8,64):(64,1)
__host__ __device__ inline uint32_t shared_offset(uint32_t row, uint32_t column) {
    const uint32_t t0 = row*64 + column;
    return t0 ^ ((t0 >> 3) & 56);
}
"
    );
    let source = Source::new(Language::Wgsl, &["x"]);
    assert_eq!(
        index_expression(&any, &source).unwrap().text.as_str(),
        "((x & 7u)*64u + (x >> 3u)) ^ ((((x & 7u)*64u + (x >> 3u)) >> 3u) & 56u)"
    );
}

#[test]
fn checks_on_the_host() {
    let mut scope = Scope::new();
    let (a, b) = (scope.layout("(M,K,L):(1,ld,bs)").unwrap(), scope.layout("M*K*L:1").unwrap());
    let Verdict::When(guard) = scope.equivalent(&a, &b).unwrap() else { panic!() };
    for (host, text) in [
        (
            Host::C,
            "assert(ld == M || K <= 1/L);\nassert((__int128)bs == (__int128)K*(__int128)ld || L <= 1);\n",
        ),
        (
            Host::Rust,
            "assert!(ld == M || K <= 1/L);\nassert!((bs as i128) == (K as i128)*(ld as i128) || L <= 1);\n",
        ),
        (Host::Python, "assert ld == M or K*L <= 1\nassert bs == K*ld or L <= 1\n"),
        (Host::Torch, "torch._check((ld == M) | (K*L <= 1))\ntorch._check((bs == K*ld) | (L <= 1))\n"),
    ] {
        assert_eq!(scope.checks(&guard, host).unwrap().as_str(), text);
    }
    scope.assume("M % 128 == 0, K >= 2, ld >= 128*ceil(K/128)").unwrap();
    let facts = scope.facts().unwrap();
    for (host, text) in [
        (
            Host::Cute,
            "M = cute.assume(M, divby=128)\ncute.testing.assert_(K >= 2)\ncute.testing.assert_(ld >= 128*((K + 127)//128))\n",
        ),
        (
            Host::Triton,
            "M = tl.multiple_of(M, 128)\ntl.device_assert(K >= 2)\ntl.device_assert(ld >= 128*((K + 127)//128))\n",
        ),
    ] {
        assert_eq!(scope.checks(&facts, host).unwrap().as_str(), text);
    }
}

#[test]
fn what_cannot_be_written() {
    let refused = |layout: &str, coordinate: &[&str], language, bits| {
        let mut scope = Scope::new();
        let layout = scope.layout(layout).unwrap();
        let mut source = Source::new(language, coordinate);
        source.bits = bits;
        scope.index_function(&layout, "offset", &source).err()
    };
    let c = Language::C;
    assert!(matches!(refused("(4,8):(8,1)", &["i", "j", "k"], c, None), Some(Error::Rank { .. })));
    assert!(matches!(refused("(4,8):(8,1)", &[], c, None), Some(Error::Rank { .. })));
    assert!(matches!(refused("(4,8):(1/2@0,1@1)", &["i", "j"], c, None), Some(Error::NotIntegral { .. })));
    assert!(matches!(refused("4:1/2", &["x"], c, None), Some(Error::NotIntegral { .. })));
    assert!(matches!(refused("4:1", &["x"], Language::Wgsl, Some(64)), Some(Error::Argument { .. })));
    assert!(matches!(refused("4:1", &["x"], c, Some(16)), Some(Error::Argument { .. })));
    // Of unknown sign, and too far.
    let mut scope = Scope::new();
    let layout = scope.layout("(8,8):(1,s)").unwrap();
    scope.assume("s >= -100").unwrap();
    let emitted = scope.index_function(&layout, "offset", &Source::new(Language::Wgsl, &["i", "j"]));
    assert!(matches!(emitted, Err(Error::Fact { .. })));
    assert!(matches!(refused("4:4294967296", &["x"], Language::Wgsl, None), Some(Error::Fact { .. })));
    // Names that mean something else, or are none.
    for word in ["lambda", "while", "fn", "let", "2x", "", "a-b", "__x", "x\n", "def"] {
        assert!(matches!(refused("4:1", &[word], c, None), Some(Error::Fact { .. })), "{word}");
    }
    assert!(matches!(refused("(4,4):(1,4)", &["x", "x"], c, None), Some(Error::Fact { .. })));
    assert!(refused("in:2", &["x"], c, None).is_none());
    assert!(matches!(refused("(in,4):(1,in)", &["x", "y"], c, None), Some(Error::Fact { .. })));
    let mut scope = Scope::new();
    let layout = scope.layout("4:1").unwrap();
    assert!(scope.index_function(&layout, "for", &Source::new(c, &["x"])).is_err());
    assert!(scope.index_function(&layout, "f(", &Source::new(c, &["x"])).is_err());
    let negative = Composed::new(Swizzle::new(1, 0, 1).unwrap(), 0, "(4,4):(-1,4)".parse().unwrap()).unwrap();
    let source = Source::new(c, &["x"]);
    assert!(matches!(index_expression(&negative.into(), &source), Err(Error::Fact { .. })));
}

/// The keywords and reserved words of C, C++, Rust, Python and WGSL, as their standards list them.
const RESERVED: &str = "\
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl concept const \
const_cast consteval constexpr constinit continue co_await co_return co_yield decltype default delete do double dynamic_cast else \
enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr \
operator or or_eq private protected public register reinterpret_cast requires restrict return short signed sizeof static \
static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename typeof typeof_unqual \
union unsigned using virtual void volatile wchar_t while xor xor_eq _Alignas _Atomic _Bool _Complex _Generic _Noreturn \
Self abstract as async await become box crate dyn final fn gen impl in let loop macro match mod move mut override priv pub ref \
self super trait type unsafe unsized use where yield False None True def del elif except finally from global import is lambda \
nonlocal pass raise with alias const_assert continuing diagnostic discard enable override var NULL active asm_fragment attribute \
cast coherent column_major common compile compile_fragment debugger demote demote_to_helper extends external fallthrough filter \
fxgroup get groupshared handle highp implements instanceof interface layout lowp macro_rules mediump meta module nil noinline \
nointerpolation non_coherent noncoherent noperspective null of package packoffset partition patch pixelfragment precise precision \
premerge readonly regardless require resource sampler set shared smooth snorm std subroutine target texture unless unorm varying \
wgsl writeonly";

#[test]
fn words_of_the_languages_are_no_names() {
    for word in RESERVED.split(' ') {
        for language in Language::ALL {
            let (mut scope, source) = (Scope::new(), Source::new(language, &["i", "j"]));
            if let Ok(layout) = scope.layout(&format!("(4,4):(1,{word})")) {
                assert!(scope.index_function(&layout, "offset", &source).is_err(), "{word}");
            }
            let plain = AnyLayout::from("(4,4):(1,4)".parse::<Layout>().unwrap());
            assert!(index_function(&plain, word, &source).is_err(), "{word}");
            assert!(index_expression(&plain, &Source::new(language, &["i", word])).is_err(), "{word}");
        }
    }
}

/// A coordinate whose name is in the layout would be read as the other.
#[test]
fn a_coordinate_is_none_of_the_names_of_the_layout() {
    for language in Language::ALL {
        for (layout, coordinate) in [
            ("(M,K):(1,ld)", &["M"][..]),
            ("(M,K):(1,ld)", &["M", "j"]),
            ("(M,K):(1,ld)", &["i", "K"]),
            ("(M,K):(1,ld)", &["i", "ld"]),
            ("(4,ceil(M/4)):(1,ceil(K/4))", &["i", "K"]),
        ] {
            let mut scope = Scope::new();
            let layout = scope.layout(layout).unwrap();
            let source = Source::new(language, coordinate);
            let clash = Err(Error::Fact { reason: "a name of the coordinate is a name in the layout" });
            assert_eq!(scope.index_expression(&layout, &source).map(|_| ()), clash);
            assert_eq!(scope.index_function(&layout, "f", &source).map(|_| ()), clash);
            if coordinate.len() == 2 {
                assert_eq!(scope.loop_nest(&layout, "f(offset);", &source).map(|_| ()), clash);
            }
        }
        let mut scope = Scope::new();
        let tile = scope.layout("(4,8):(1@0,1@1)").unwrap();
        scope.declare("M").unwrap();
        let bounds = [scope.number("M").unwrap(), scope.number("M").unwrap()];
        assert!(scope.predicate(&tile, &bounds, &Source::new(language, &["M", "j"])).is_err());
    }
    let mut scope = Scope::new();
    scope.layout("(x,x1):(1,ld)").unwrap();
    assert_eq!((scope.unused_name("x").as_str(), scope.unused_name("y").as_str()), ("x2", "y"));
}

/// A text of any length is whole.
#[test]
fn long_texts() {
    let shape: Vec<String> = (0..32).map(|_| String::from("1*(M + N + K + L + O + P)")).collect();
    let stride: Vec<String> = (0..32).map(|i| format!("{i}*(M + N + K + L + O + P)")).collect();
    let mut scope = Scope::new();
    let text = format!("({}):({})", shape.join(","), stride.join(","));
    let layout = scope.layout(&text).unwrap();
    let names: Vec<String> = (0..32).map(|i| format!("number_{i}_of_the_coordinate")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let emitted = scope.index_function(&layout, "offset", &Source::new(Language::C, &names));
    let text = emitted.unwrap().text;
    assert!(text.len() > 4096 && text.ends_with(";\n}\n"), "{text}");
}

#[test]
fn each_component_of_coordinates_is_an_expression() {
    let mut scope = Scope::new();
    let mut text = |layout: &str, language| {
        let layout = scope.layout(layout).unwrap();
        let source = Source::new(language, &["i", "j"]);
        let expression = scope.index_expression(&layout, &source).unwrap();
        (expression.text, scope.index_function(&layout, "at", &source).unwrap().text)
    };
    let (expression, function) = text("(M,4):((1@0+ld@1),1@0)", Language::Python);
    assert_eq!(expression, "(i + j, i*ld)");
    assert_eq!(
        function,
        "# (M,4):(1,1)\ndef at_0(i, j):\n    return i + j\n\n# (M,4):(ld,0)\ndef at_1(i, j, ld):\n    return i*ld\n"
    );
    // A component that no stride addresses, and a pair in a pair.
    assert_eq!(text("(4,8):(1@0@1,(2@0@1-1@1@1))", Language::C).0, "(0, (i + j*2, -j))");
    assert_eq!(text("(4,8):(1@1,1@0)", Language::Wgsl).0, "(j, i)");
}
