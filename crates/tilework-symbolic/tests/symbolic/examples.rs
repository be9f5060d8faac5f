//! What users ask, with the answers: fifteen questions, each of them one test, then what else the reference
//! shows.

use tilework::Error;
use tilework_symbolic::{Answer, Language, Refusal, Scope, Source, SymbolicLayout, Verdict};

/// A scope with facts about the names of a layout, and the layout.
fn with(layout: &str, facts: &str) -> (Scope, SymbolicLayout) {
    let mut scope = Scope::new();
    let layout = scope.layout(layout).unwrap();
    if !facts.is_empty() {
        scope.assume(facts).unwrap();
    }
    (scope, layout)
}

fn text_of(scope: &Scope, result: &Result<Answer, Refusal>) -> String {
    match result {
        Ok(answer) => answer.to_string(),
        Err(refusal) => scope.refusal_text(refusal),
    }
}

fn text_of_verdict(scope: &Scope, verdict: &Result<Verdict, Error>) -> String {
    match verdict {
        Ok(Verdict::When(guard)) => scope.guard_text(guard),
        Ok(Verdict::Always) => "always".into(),
        Ok(Verdict::Never) => "never".into(),
        Ok(Verdict::Open) => "open".into(),
        Err(error) => error.message().as_str().into(),
    }
}

/// `A o B` at the witness with these hints.
fn compose(facts: &str, hints: &[(&str, i64)], left: &str, right: &str) -> String {
    let (mut scope, a) = with(left, facts);
    let b = scope.layout(right).unwrap();
    for (name, value) in hints {
        scope.hint(name, Some(*value)).unwrap();
    }
    let answer = scope.composition(&a, &b);
    text_of(&scope, &answer)
}

fn coalesced(layout: &str, facts: &str) -> String {
    let (scope, layout) = with(layout, facts);
    let coalesced = scope.coalesce(&layout).unwrap();
    coalesced.to_string()
}

fn divide(layout: &str, facts: &str, tiler: &str, zipped: bool) -> String {
    let (mut scope, layout) = with(layout, facts);
    let tiler = scope.tiler(tiler).unwrap();
    let answer =
        if zipped { scope.zipped_divide(&layout, &tiler) } else { scope.logical_divide(&layout, &tiler) };
    text_of(&scope, &answer)
}

fn complement(layout: &str, facts: &str, total: &str) -> String {
    let (mut scope, layout) = with(layout, facts);
    let total = scope.number(total).unwrap();
    let answer = scope.complement_within(&layout, &total.into());
    text_of(&scope, &answer)
}

fn inverse(layout: &str, facts: &str, left: bool) -> String {
    let (mut scope, layout) = with(layout, facts);
    let answer = if left { scope.left_inverse(&layout) } else { scope.right_inverse(&layout) };
    text_of(&scope, &answer)
}

fn vector(facts: &str, width: i64) -> String {
    let (scope, layout) = with("(M,K):(1,ld)", facts);
    let verdict = scope.is_vector(&layout, width);
    text_of_verdict(&scope, &verdict)
}

fn equivalent(left: &str, facts: &str, right: &str) -> String {
    let (mut scope, left) = with(left, facts);
    let right = scope.layout(right).unwrap();
    let verdict = scope.equivalent(&left, &right);
    text_of_verdict(&scope, &verdict)
}

/// What the elements of tiles of 128 by 32 have to satisfy.
fn predicate(facts: &str) -> String {
    let (mut scope, coordinates) = with("(M,K):(1@0,1@1)", facts);
    let tiler = scope.tiler("<128,32>").unwrap();
    let tiles = match scope.zipped_divide(&coordinates, &tiler) {
        Ok(answer) => answer.layout,
        Err(_) => panic!("tiles"),
    };
    let bounds = [scope.number("M").unwrap(), scope.number("K").unwrap()];
    let source = Source::new(Language::C, &["i", "j", "t", "u"]);
    scope.predicate(&tiles, &bounds, &source).unwrap().text
}

macro_rules! example {
    ($($text:expr => $expected:literal),* $(,)?) => {$({
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
    fn widest(facts: &str) -> i64 {
        let (scope, layout) = with("(M,K):(1,ld)", facts);
        scope.max_vector(&layout, 8).unwrap()
    }
    example!(
        vector("ld >= M", 1) => "always",
        vector("ld >= M", 8) => "M % 8 == 0 and ld % 8 == 0",
        vector("M % 128 == 0, ld % 8 == 0", 8) => "always",
        vector("M % 128 == 0, ld % 8 == 0, ld >= M", 8) => "always",
    );
    let widest: [i64; 3] =
        [widest("ld >= M"), widest("M % 4 == 0, ld % 4 == 0"), widest("M % 128 == 0, ld % 8 == 0")];
    assert_eq!(widest, [1, 4, 8]);
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
    fn grid() -> String {
        let (mut scope, _) = with("(M,K):(1,ld)", "");
        let grid = scope.number("ceil(M/128)*ceil(K/32)").unwrap();
        scope.number_text(&grid)
    }
    fn fits() -> String {
        let (scope, layout) = with("(M,K):(1,ld)", "ld >= M");
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
    fn product(layout: &str, tiler: &str) -> String {
        let (mut scope, layout) = with(layout, "");
        let tiler = scope.tiler(tiler).unwrap();
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
    fn offset(layout: &str, facts: &str) -> String {
        let (scope, layout) = with(layout, facts);
        scope.index_expression(&layout, &Source::new(Language::C, &["x"])).unwrap().text
    }
    example!(
        offset("(128,M/128,K):(1,128,ld)", "M % 128 == 0") => "(x % M) + (x / M)*ld",
        offset("(128,M/128,K):(1,256,ld)", "M % 128 == 0")
            => "(x & 127) + ((x >> 7) % (M/128))*256 + (x / M)*ld",
    );
}

#[test]
fn arrangements_of_tiles() {
    fn tiled() -> String {
        let (mut scope, layout) = with("(M,K):(1,ld)", "");
        let tiler = scope.tiler("<bM,_>").unwrap();
        let answer = scope.tiled_divide(&layout, &tiler);
        text_of(&scope, &answer)
    }
    fn flat() -> String {
        let (mut scope, layout) = with("(M,(4,N)):(1,(M,ld))", "");
        let tiler = scope.tiler("<128,4>").unwrap();
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
