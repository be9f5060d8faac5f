//! What users ask, with the answers: fifteen questions, each of them one test, then what else the reference shows. Each is answered by
//! the compiler, in a constant, and again at run time.

use tilework::{Error, Text, unwrap};
use tilework_symbolic::{Answer, Language, Refusal, Scope, Source, SymbolicLayout, Verdict};

/// A scope with facts about the names of a layout, and the layout.
const fn with(layout: &str, facts: &str) -> (Scope, SymbolicLayout) {
    let mut scope = Scope::new();
    let layout = unwrap(scope.layout(layout));
    if !facts.is_empty() {
        unwrap(scope.assume(facts));
    }
    (scope, layout)
}

const fn text_of(scope: &Scope, result: &Result<Answer, Refusal>) -> Text {
    match result {
        Ok(answer) => scope.answer_text(answer),
        Err(refusal) => scope.refusal_text(refusal),
    }
}

const fn text_of_verdict(scope: &Scope, verdict: &Result<Verdict, Error>) -> Text {
    let mut text = Text::new();
    match verdict {
        Ok(Verdict::When(guard)) => return scope.guard_text(guard),
        Ok(Verdict::Always) => text.push("always"),
        Ok(Verdict::Never) => text.push("never"),
        Ok(Verdict::Open) => text.push("open"),
        Err(error) => text.push(error.message().as_str()),
    };
    text
}

/// `A o B` at the witness with these hints.
const fn compose(facts: &str, hints: &[(&str, i64)], left: &str, right: &str) -> Text {
    let (mut scope, a) = with(left, facts);
    let b = unwrap(scope.layout(right));
    let mut i = 0;
    while i < hints.len() {
        unwrap(scope.hint(hints[i].0, Some(hints[i].1)));
        i += 1;
    }
    let answer = scope.composition(&a, &b);
    text_of(&scope, &answer)
}

const fn coalesced(layout: &str, facts: &str) -> Text {
    let (mut scope, layout) = with(layout, facts);
    let coalesced = unwrap(scope.coalesce(&layout));
    scope.layout_text(&coalesced)
}

const fn divide(layout: &str, facts: &str, tiler: &str, zipped: bool) -> Text {
    let (mut scope, layout) = with(layout, facts);
    let tiler = unwrap(scope.tiler(tiler));
    let answer =
        if zipped { scope.zipped_divide(&layout, &tiler) } else { scope.logical_divide(&layout, &tiler) };
    text_of(&scope, &answer)
}

const fn complement(layout: &str, facts: &str, total: &str) -> Text {
    let (mut scope, layout) = with(layout, facts);
    let total = unwrap(scope.number(total));
    let answer = scope.complement_within(&layout, total);
    text_of(&scope, &answer)
}

const fn inverse(layout: &str, facts: &str, left: bool) -> Text {
    let (mut scope, layout) = with(layout, facts);
    let answer = if left { scope.left_inverse(&layout) } else { scope.right_inverse(&layout) };
    text_of(&scope, &answer)
}

const fn vector(facts: &str, width: i64) -> Text {
    let (mut scope, layout) = with("(M,K):(1,ld)", facts);
    let verdict = scope.is_vector(&layout, width);
    text_of_verdict(&scope, &verdict)
}

const fn equivalent(left: &str, facts: &str, right: &str) -> Text {
    let (mut scope, left) = with(left, facts);
    let right = unwrap(scope.layout(right));
    let verdict = scope.equivalent(&left, &right);
    text_of_verdict(&scope, &verdict)
}

/// What the elements of tiles of 128 by 32 have to satisfy.
const fn predicate(facts: &str) -> Text {
    let (mut scope, coordinates) = with("(M,K):(1@0,1@1)", facts);
    let tiler = unwrap(scope.tiler("<128,32>"));
    let tiles = match scope.zipped_divide(&coordinates, &tiler) {
        Ok(answer) => answer.layout,
        Err(_) => panic!("tiles"),
    };
    let bounds = [unwrap(scope.number("M")), unwrap(scope.number("K"))];
    let source = Source::new(Language::C, &["i", "j", "t", "u"]);
    unwrap(scope.predicate(&tiles, &bounds, &source)).text
}

/// Texts, each as a constant and at run time.
macro_rules! example {
    ($($text:expr => $expected:literal),* $(,)?) => {$({
        const TEXT: Text = const { $text };
        assert_eq!(TEXT.as_str(), $expected);
        assert_eq!($text.as_str(), $expected);
    })*};
}

/// 1
#[test]
fn tiles_of_a_matrix() {
    example!(
        divide("(M,K):(1,ld)", "ld >= M", "<128,32>", true)
            => "((128,32),(ceil(M/128),ceil(K/32))):((1,ld),(128,32*ld))",
        predicate("M >= 1") => "i + t*128 < M && j + u*32 < K",
    );
}

/// 2
#[test]
fn tiles_of_a_matrix_that_they_divide() {
    example!(
        divide("(M,K):(1,ld)", "M % 128 == 0, ld >= M", "<128,32>", true)
            => "((128,32),(M/128,ceil(K/32))):((1,ld),(128,32*ld))",
        predicate("M % 128 == 0") => "j + u*32 < K",
        predicate("M % 128 == 0, K % 64 == 0") => "1",
    );
}

/// 3
#[test]
fn tiles_of_a_matrix_as_one_mode() {
    example!(
        divide("(M,K):(1,ld)", "ld >= M", "128", false) => "(128,(M/128,K)):(1,(128,ld)) if M % 128 == 0",
        divide("(M,K):(1,ld)", "M % 128 == 0, ld >= M", "128", false) => "(128,(M/128,K)):(1,(128,ld))",
    );
}

/// 4
#[test]
fn a_tile_of_a_matrix_with_a_leading_dimension() {
    example!(
        compose("ld >= M", &[], "(M,K):(1,ld)", "128:1") => "128:1 if ld == M or M >= 128",
        compose("ld >= M", &[("M", 64), ("K", 100), ("ld", 72)], "(M,K):(1,ld)", "128:1")
            => "(M,floor(128/M)):(1,ld) if 128 % M == 0",
        compose("ld >= M", &[("M", 48), ("K", 100), ("ld", 72)], "(M,K):(1,ld)", "128:1")
            => "no layout at the witness: 128 % M == 0 or M >= 128 is needed",
    );
}

/// 5. The last index is 189.
#[test]
fn every_third_element_of_a_column() {
    example!(
        compose("ld >= M", &[], "(M,K):(1,ld)", "64:3") => "64:3 if ld == M or M >= 190",
        compose("ld == M", &[], "(M,K):(1,ld)", "64:3") => "64:3",
        compose("M >= 190", &[], "(M,K):(1,ld)", "64:3") => "64:3",
    );
}

/// 6. Issue 3469 of CUTLASS.
#[test]
fn a_tall_layout_coalesces_before_it_is_composed() {
    example!(
        coalesced("(192,N):(1,192)", "") => "192*N:1",
        compose("", &[], "(192,N):(1,192)", "(256,192):(1,256)") => "(256,192):(1,256)",
    );
}

/// 7. Issue 3470.
#[test]
fn coordinates_go_to_modes_without_bounds() {
    example!(
        compose("N % 8 == 0", &[], "(4096,8192,N):(1,4096,0)", "(32,N/8,8,128):(1@0,8@1,1@1,32@0)")
            => "(32,N/8,8,128):(1,32768,4096,32)",
    );
}

/// 8. Issue 3471.
#[test]
fn inverses() {
    example!(
        inverse("(16,N):(1,16)", "", false) => "16*N:1",
        inverse("(16,N):(1,24)", "", true) => "(24,N):(1,16)",
        inverse("(M,K):(1,ld)", "ld >= M", false) => "M:1",
        inverse("(M,K):(1,ld)", "ld >= M", true) => "(ld,K):(1,M)",
        inverse("(M,K):(2,ld)", "", true) => "(2,ld/2,K):(0,1,M) if ld % 2 == 0 and ld >= 2*M",
    );
}

/// 9
#[test]
fn widths_of_vectors() {
    const fn widest(facts: &str) -> i64 {
        let (mut scope, layout) = with("(M,K):(1,ld)", facts);
        unwrap(scope.max_vector(&layout, 8))
    }
    example!(
        vector("ld >= M", 1) => "always",
        vector("ld >= M", 8) => "M % 8 == 0 and ld % 8 == 0",
        vector("M % 128 == 0, ld % 8 == 0", 8) => "always",
        vector("M % 128 == 0, ld % 8 == 0, ld >= M", 8) => "always",
    );
    const WIDEST: [i64; 3] =
        const { [widest("ld >= M"), widest("M % 4 == 0, ld % 4 == 0"), widest("M % 128 == 0, ld % 8 == 0")] };
    assert_eq!(WIDEST, [1, 4, 8]);
}

/// 10
#[test]
fn batches_that_are_one_mode() {
    example!(
        equivalent("(M,K,L):(1,ld,bs)", "ld >= 1", "M*K*L:1")
            => "(ld == M or K*L <= 1) and (bs == K*ld or L <= 1)",
        equivalent("(M,K,L):(1,ld,bs)", "L >= 2", "M*K*L:1") => "ld == M and bs == K*ld",
    );
}

/// 11
#[test]
fn pages_of_a_cache() {
    example!(
        compose("", &[], "(page,T):(128,128*page*H)", "64:1") => "64:128 if H == 1 or page >= 64",
        compose("", &[("page", 16), ("T", 99), ("H", 8)], "(page,T):(128,128*page*H)", "64:1")
            => "(page,floor(64/page)):(128,128*page*H) if 64 % page == 0",
    );
}

/// 12
#[test]
fn ranks_of_a_mesh() {
    example!(
        coalesced("(tp,pp,dp):(1,tp,tp*pp)", "") => "tp*pp*dp:1",
        complement("dp:tp*pp", "tp >= 1", "tp*pp*dp") => "tp*pp:1",
        divide("N:1", "", "tp", false) => "(tp,ceil(N/tp)):(1,tp)",
    );
}

/// 13
#[test]
fn grids_and_offsets_that_fit_in_32_bits() {
    const fn grid() -> Text {
        let (mut scope, _) = with("(M,K):(1,ld)", "");
        let grid = unwrap(scope.number("ceil(M/128)*ceil(K/32)"));
        scope.number_text(grid)
    }
    const fn fits() -> Text {
        let (mut scope, layout) = with("(M,K):(1,ld)", "ld >= M");
        let verdict = scope.fits(&layout, 31);
        text_of_verdict(&scope, &verdict)
    }
    example!(
        grid() => "ceil(M/128)*ceil(K/32)",
        fits() => "K*ld + M <= ld + 2147483648",
    );
}

/// 14
#[test]
fn repetitions_and_gaps_of_a_matrix() {
    const fn product(layout: &str, tiler: &str) -> Text {
        let (mut scope, layout) = with(layout, "");
        let tiler = unwrap(scope.tiler(tiler));
        let answer = scope.logical_product(&layout, &tiler);
        text_of(&scope, &answer)
    }
    example!(
        product("(M,K):(1,M)", "4") => "((M,K),4):((1,M),M*K)",
        complement("(M,K):(1,ld)", "ld >= M", "4*ld*K")
            => "(floor(ld/M),4):(M,K*ld) if K >= 2 or ld == M*floor(ld/M)",
    );
}

/// 15
#[test]
fn heads_of_packed_projections() {
    example!(
        compose("", &[], "(64*H,S,B):(1,192*H,192*H*S)", "(64,S,H,B):(1,64*H,64,64*H*S)")
            => "(64,S,H,B):(1,192*H,64,192*H*S)",
    );
}

// ---- what else the reference shows

#[test]
fn one_mode_divided() {
    example!(
        divide("M:1", "", "128", false) => "(128,ceil(M/128)):(1,128)",
        divide("K:ld", "", "32", false) => "(32,ceil(K/32)):(ld,32*ld)",
        divide("M:1", "M % 128 == 0", "128", false) => "(128,M/128):(1,128)",
    );
}

#[test]
fn never_is_said_with_a_proof() {
    example!(compose("", &[], "(6,N):(1,7)", "4:2") => "never: 4 % 3 == 0");
}

/// At `M = 65` a column has 22 of every third elements, and the next is the second of the next column.
#[test]
fn steps_that_do_not_divide_a_column() {
    example!(
        compose("ld >= M", &[("M", 65), ("K", 100), ("ld", 72)], "(M,K):(1,ld)", "44:3")
            => "(ceil(M/3),floor(44/ceil(M/3))):(3,-M+ld+3*ceil(M/3)) if 44 % ceil(M/3) == 0 and \
                (ld == M or M*floor(44/ceil(M/3)) + 2 >= 3*ceil(M/3)*floor(44/ceil(M/3)))",
    );
}

#[test]
fn the_offset_of_an_index_as_source_text() {
    const fn offset(layout: &str, facts: &str) -> Text {
        let (mut scope, layout) = with(layout, facts);
        unwrap(scope.index_expression(&layout, &Source::new(Language::C, &["x"]))).text
    }
    example!(
        offset("(128,M/128,K):(1,128,ld)", "M % 128 == 0") => "(x % M) + (x / M)*ld",
        offset("(128,M/128,K):(1,256,ld)", "M % 128 == 0")
            => "(x & 127) + ((x >> 7) % (M/128))*256 + (x / M)*ld",
    );
}

#[test]
fn arrangements_of_tiles() {
    const fn tiled() -> Text {
        let (mut scope, layout) = with("(M,K):(1,ld)", "");
        let tiler = unwrap(scope.tiler("<bM,_>"));
        let answer = scope.tiled_divide(&layout, &tiler);
        text_of(&scope, &answer)
    }
    const fn flat() -> Text {
        let (mut scope, layout) = with("(M,(4,N)):(1,(M,ld))", "");
        let tiler = unwrap(scope.tiler("<128,4>"));
        let answer = scope.flat_divide(&layout, &tiler);
        text_of(&scope, &answer)
    }
    example!(
        tiled() => "((bM,1),ceil(M/bM),K):((1,0),bM,ld)",
        flat() => "(128,4,ceil(M/128),N):(1,M,128,ld)",
        divide("(M,K):(1@0,1@1)", "", "<128,32>", true)
            => "((128,32),(ceil(M/128),ceil(K/32))):((1@0,1@1),(128@0,32@1))",
    );
}
