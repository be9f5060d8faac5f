//! What users ask, with the answers; the constants are evaluated by the compiler.

use tilework::symbolic::{Answer, Refusal, Scope, SymbolicLayout, Verdict};
use tilework::{Error, Text, unwrap};

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

/// `A o B` as a constant, and at run time.
macro_rules! composes {
    ($facts:literal, $hints:expr, $left:literal, $right:literal => $result:literal) => {{
        const TEXT: Text = compose($facts, &$hints, $left, $right);
        assert_eq!(TEXT.as_str(), $result);
        assert_eq!(compose($facts, &$hints, $left, $right).as_str(), $result);
    }};
}

#[test]
fn a_tile_of_a_matrix_with_a_leading_dimension() {
    composes!("ld >= M", [], "(M,K):(1,ld)", "128:1" => "128:1 if ld == M or M >= 128");
    composes!("ld >= M", [("M", 64), ("K", 100), ("ld", 72)], "(M,K):(1,ld)", "128:1"
        => "(M,floor(128/M)):(1,ld) if 128 % M == 0");
    composes!("ld >= M", [("M", 48), ("K", 100), ("ld", 72)], "(M,K):(1,ld)", "128:1"
        => "no layout at the witness: 128 % M == 0 or M >= 128 is needed");
    // The last index is 189.
    composes!("ld >= M", [], "(M,K):(1,ld)", "64:3" => "64:3 if ld == M or M >= 190");
    composes!("ld == M", [], "(M,K):(1,ld)", "64:3" => "64:3");
    composes!("M >= 190", [], "(M,K):(1,ld)", "64:3" => "64:3");
}

#[test]
fn never_is_said_with_a_proof() {
    composes!("", [], "(6,N):(1,7)", "4:2" => "never: 4 % 3 == 0");
}

#[test]
fn a_tall_layout_coalesces_before_it_is_composed() {
    composes!("", [], "(192,N):(1,192)", "(256,192):(1,256)" => "(256,192):(1,256)");
}

#[test]
fn coordinates_go_to_modes_without_bounds() {
    composes!("N % 8 == 0", [], "(4096,8192,N):(1,4096,0)", "(32,N/8,8,128):(1@0,8@1,1@1,32@0)"
        => "(32,N/8,8,128):(1,32768,4096,32)");
}

#[test]
fn pages_of_a_cache() {
    composes!("", [], "(page,T):(128,128*page*H)", "64:1" => "64:128 if H == 1 or page >= 64");
    composes!("", [("page", 16), ("T", 99), ("H", 8)], "(page,T):(128,128*page*H)", "64:1"
        => "(page,floor(64/page)):(128,128*page*H) if 64 % page == 0");
}

#[test]
fn heads_of_packed_projections() {
    composes!("", [], "(64*H,S,B):(1,192*H,192*H*S)", "(64,S,H,B):(1,64*H,64,64*H*S)"
        => "(64,S,H,B):(1,192*H,64,192*H*S)");
}

#[test]
fn layouts_that_coalesce() {
    const fn coalesced(layout: &str) -> Text {
        let (mut scope, layout) = with(layout, "");
        let coalesced = unwrap(scope.coalesce(&layout));
        scope.layout_text(&coalesced)
    }
    const TALL: Text = coalesced("(192,N):(1,192)");
    assert_eq!(TALL.as_str(), "192*N:1");
    const MESH: Text = coalesced("(tp,pp,dp):(1,tp,tp*pp)");
    assert_eq!(MESH.as_str(), "tp*pp*dp:1");
    assert_eq!(coalesced("(M,K):(1,ld)").as_str(), "(M,K):(1,ld)");
}

#[test]
fn batches_that_are_one_mode() {
    const fn condition(facts: &str) -> Text {
        let (mut scope, batches) = with("(M,K,L):(1,ld,bs)", facts);
        let line = unwrap(scope.layout("M*K*L:1"));
        match unwrap_verdict(scope.equivalent(&batches, &line)) {
            Verdict::When(guard) => scope.guard_text(&guard),
            _ => panic!("a guard"),
        }
    }
    const fn unwrap_verdict(result: Result<Verdict, Error>) -> Verdict {
        unwrap(result)
    }
    const CONDITION: Text = condition("ld >= 1");
    assert_eq!(CONDITION.as_str(), "(ld == M or K*L <= 1) and (bs == K*ld or L <= 1)");
    assert_eq!(condition("L >= 2").as_str(), "ld == M and bs == K*ld");
}

/// An operation with a tiler, as a constant and at run time.
macro_rules! tiles {
    ($operation:ident, $facts:literal, $left:literal, $right:literal => $result:literal) => {{
        const fn text() -> Text {
            let (mut scope, a) = with($left, $facts);
            let tiler = unwrap(scope.tiler($right));
            let answer = scope.$operation(&a, &tiler);
            text_of(&scope, &answer)
        }
        const TEXT: Text = text();
        assert_eq!(TEXT.as_str(), $result);
        assert_eq!(text().as_str(), $result);
    }};
}

#[test]
fn tiles_of_a_matrix() {
    tiles!(zipped_divide, "ld >= M", "(M,K):(1,ld)", "<128,32>"
        => "((128,32),(ceil(M/128),ceil(K/32))):((1,ld),(128,32*ld))");
    tiles!(zipped_divide, "M % 128 == 0", "(M,K):(1,ld)", "<128,32>"
        => "((128,32),(M/128,ceil(K/32))):((1,ld),(128,32*ld))");
    tiles!(logical_divide, "ld >= M", "(M,K):(1,ld)", "128"
        => "(128,(M/128,K)):(1,(128,ld)) if M % 128 == 0");
    tiles!(logical_divide, "M % 128 == 0", "(M,K):(1,ld)", "128" => "(128,(M/128,K)):(1,(128,ld))");
    tiles!(tiled_divide, "", "(M,K):(1,ld)", "<bM,_>"
        => "((bM,1),ceil(M/bM),K):((1,0),bM,ld)");
    tiles!(flat_divide, "", "(M,(4,N)):(1,(M,ld))", "<128,4>"
        => "(128,4,ceil(M/128),N):(1,M,128,ld)");
}

#[test]
fn shards_over_a_mesh() {
    tiles!(logical_divide, "", "N:1", "tp" => "(tp,ceil(N/tp)):(1,tp)");
}

#[test]
fn repetitions_of_a_matrix() {
    tiles!(logical_product, "", "(M,K):(1,M)", "4" => "((M,K),4):((1,M),M*K)");
}

#[test]
fn gaps_of_a_padded_matrix() {
    const fn complement(facts: &str, layout: &str, total: &str) -> Text {
        let (mut scope, layout) = with(layout, facts);
        let total = unwrap(scope.number(total));
        let answer = scope.complement_within(&layout, total);
        text_of(&scope, &answer)
    }
    const GAPS: Text = complement("ld >= M", "(M,K):(1,ld)", "4*ld*K");
    assert_eq!(GAPS.as_str(), "(floor(ld/M),4):(M,K*ld) if K >= 2 or ld == M*floor(ld/M)");
    const RANKS: Text = complement("", "dp:tp*pp", "tp*pp*dp");
    assert_eq!(RANKS.as_str(), "tp*pp:1");
}

#[test]
fn inverses() {
    const fn inverse(facts: &str, layout: &str, left: bool) -> Text {
        let (mut scope, layout) = with(layout, facts);
        let answer = if left { scope.left_inverse(&layout) } else { scope.right_inverse(&layout) };
        text_of(&scope, &answer)
    }
    const RIGHT: Text = inverse("", "(16,N):(1,16)", false);
    assert_eq!(RIGHT.as_str(), "16*N:1");
    const LEFT: Text = inverse("", "(16,N):(1,24)", true);
    assert_eq!(LEFT.as_str(), "(24,N):(1,16)");
    assert_eq!(inverse("ld >= M", "(M,K):(1,ld)", false).as_str(), "M:1");
    assert_eq!(inverse("ld >= M", "(M,K):(1,ld)", true).as_str(), "(ld,K):(1,M)");
    assert_eq!(inverse("", "(M,K):(2,ld)", true).as_str(), "(2,ld/2,K):(0,1,M) if ld % 2 == 0 and ld >= 2*M");
}

#[test]
fn widths_of_vectors() {
    const fn condition(facts: &str, width: i64) -> Text {
        let (mut scope, layout) = with("(M,K):(1,ld)", facts);
        match unwrap(scope.is_vector(&layout, width)) {
            Verdict::When(guard) => scope.guard_text(&guard),
            Verdict::Always => *Text::new().push("always"),
            Verdict::Never | Verdict::Open => *Text::new().push("no"),
        }
    }
    const EIGHT: Text = condition("ld >= M", 8);
    assert_eq!(EIGHT.as_str(), "M % 8 == 0 and ld % 8 == 0");
    assert_eq!(condition("ld >= M", 1).as_str(), "always");
    assert_eq!(condition("M % 128 == 0, ld % 8 == 0", 8).as_str(), "always");
    assert_eq!(condition("M % 128 == 0, ld % 8 == 0, ld >= M", 8).as_str(), "always");
}

#[test]
fn offsets_that_fit_in_32_bits() {
    const fn condition() -> Text {
        let (mut scope, layout) = with("(M,K):(1,ld)", "ld >= M");
        match unwrap(scope.fits(&layout, 31)) {
            Verdict::When(guard) => scope.guard_text(&guard),
            _ => panic!("a guard"),
        }
    }
    const FITS: Text = condition();
    assert_eq!(FITS.as_str(), "K*ld + M <= ld + 2147483648");
}

#[test]
fn predicates_of_ragged_tiles() {
    // The coordinates of a tile: element (i,j) of tile (t,u) is in bounds where i + 128*t < M and j + 32*u < K.
    tiles!(zipped_divide, "", "(M,K):(1@0,1@1)", "<128,32>"
        => "((128,32),(ceil(M/128),ceil(K/32))):((1@0,1@1),(128@0,32@1))");
    const fn ragged(facts: &str) -> bool {
        let (mut scope, _) = with("(M,K):(1,ld)", facts);
        let (extent, tile) = (unwrap(scope.number("M")), unwrap(scope.integer(128)));
        !matches!(unwrap(scope.is_multiple(extent, tile)), Verdict::Always)
    }
    const RAGGED: [bool; 2] = [ragged("M >= 128"), ragged("M % 128 == 0")];
    assert_eq!(RAGGED, [true, false]);
}

#[test]
fn numbers_of_tiles() {
    const fn grid() -> Text {
        let (mut scope, _) = with("(M,K):(1,ld)", "");
        let grid = unwrap(scope.number("ceil(M/128)*ceil(K/32)"));
        scope.number_text(grid)
    }
    const GRID: Text = grid();
    assert_eq!(GRID.as_str(), "ceil(M/128)*ceil(K/32)");
}
