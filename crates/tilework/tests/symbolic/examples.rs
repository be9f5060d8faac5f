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
