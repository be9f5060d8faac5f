//! Time of symbolic operations, one a line: `cargo bench -p speed --bench symbolic`.

use divan::{Bencher, black_box};
use tilework_symbolic::{Language, Scope, Source, SymbolicLayout};

fn main() {
    divan::main();
}

/// A scope with both layouts, and facts about their names.
fn operands(left: &str, right: &str, facts: &str) -> (Scope, SymbolicLayout, SymbolicLayout) {
    let mut scope = Scope::new();
    let left = scope.layout(left).unwrap();
    if !facts.is_empty() {
        scope.assume(facts).unwrap();
    }
    let right = scope.layout(right).unwrap();
    (scope, left, right)
}

#[divan::bench(args = ["guarded", "proved", "absorbed", "heads", "coordinates"])]
fn composition(bencher: Bencher, case: &str) {
    let (mut scope, a, b) = match case {
        "guarded" => operands("(M,K):(1,ld)", "64:3", "ld >= M"),
        "proved" => operands("(M,K):(1,ld)", "64:3", "M >= 190"),
        "absorbed" => operands("(M,K):(1,2*M)", "(128,M*K/128):(1,128)", ""),
        "heads" => operands("(64*H,S,B):(1,192*H,192*H*S)", "(64,S,H,B):(1,64*H,64,64*H*S)", ""),
        _ => operands("(M,K):(1,ld)", "(32,8):(1@1,1@0)", ""),
    };
    bencher.bench_local(|| scope.composition(black_box(&a), black_box(&b)));
}

#[divan::bench]
fn zipped_divide(bencher: Bencher) {
    let (mut scope, a, _) = operands("(M,K):(1,ld)", "1:0", "ld >= M");
    let tiler = scope.tiler("<128,32>").unwrap();
    bencher.bench_local(|| scope.zipped_divide(black_box(&a), black_box(&tiler)));
}

#[divan::bench]
fn coalesce(bencher: Bencher) {
    let (scope, a, _) = operands("(tp,pp,dp):(1,tp,tp*pp)", "1:0", "");
    bencher.bench_local(|| scope.coalesce(black_box(&a)));
}

#[divan::bench]
fn equivalent(bencher: Bencher) {
    let (scope, a, b) = operands("(M,K,L):(1,ld,bs)", "M*K*L:1", "");
    bencher.bench_local(|| scope.equivalent(black_box(&a), black_box(&b)).is_ok());
}

/// The offset of a linear index as a function of C.
#[divan::bench]
fn index_function(bencher: Bencher) {
    let (scope, a, _) = operands("(M,K):(1,ld)", "1:0", "ld >= M");
    let source = Source::new(Language::C, &["x"]);
    bencher.bench_local(|| scope.index_function(black_box(&a), "offset", &source).is_ok());
}
