//! What is refused, and what does not fit: always an error, never a panic.

use tilework::Error;
use tilework_symbolic::{Refusal, Scope};

fn scope_of(layout: &str, facts: &str) -> Scope {
    let mut scope = Scope::new();
    scope.layout(layout).unwrap();
    scope.assume(facts).unwrap();
    scope
}

#[test]
fn facts_that_cannot_be_used() {
    for (facts, fact) in [
        ("ld >= M", "M >= ld"),
        ("ld >= M", "ld < M"),
        ("ld >= M, ld >= K, ld >= 2*M - K", "ld >= 2*K - M"),
        ("M >= 1", "M <= 0"),
        ("M % 128 == 0", "M < 128"),
        ("M == K", "K == M + 1"),
        ("M >= 1", "M*K >= ld"),
        ("M >= 1", "M*K % 8 == 0"),
        ("M <= 100, K >= 2*M", "M == K"),
        ("M <= 100, K <= 100", "M == K"),
        // A multiple of a name.
        ("K % M == 0", "K >= 0"),
        ("K >= 0", "K % M == 0"),
        ("K % M == 0", "M >= 0"),
        ("M >= 1", "K == M*floor(K/M) + 1"),
        ("M >= 1", "K == 4*floor(K/4) + 1"),
        ("K >= 0", "K == M*floor(K/M)"),
    ] {
        let mut scope = scope_of("(M,K):(1,ld)", facts);
        assert!(matches!(scope.assume(fact), Err(Error::Fact { .. })), "{facts}; {fact}");
    }
    let divided_by_0 = scope_of("(M,K):(1,ld)", "M >= 0").assume("K % M == 0");
    assert!(matches!(divided_by_0, Err(Error::Syntax { .. })), "{divided_by_0:?}");
}

#[test]
fn facts_that_are_known_change_nothing() {
    let mut scope = scope_of("(M,K):(1,ld)", "M % 128 == 0, ld >= M, K == 2*M");
    scope
        .assume("M % 64 == 0, M >= 128, ld >= 128, K % 256 == 0, K >= M, ld*K >= M*M, M*(M + 1) % 2 == 0")
        .unwrap();
}

#[test]
fn text_that_is_no_layout() {
    for text in [
        "(M,K):(1)",
        "M:",
        "(M,K",
        "M:1@40",
        "0:1",
        "-4:1",
        "M - M:1",
        "(M,K):(1@0,1)",
        "M:^3",
        "M/K:1",
        "M:1)",
        "2M:1",
        "floor(M/0):1",
        "(2,2):(1@0,1@0@0)",
        "?{div=0}:1",
    ] {
        assert!(Scope::new().layout(text).is_err(), "{text}");
    }
    let deep = "(".repeat(100) + "M" + &")".repeat(100);
    assert!(Scope::new().layout(&deep).is_err());
    assert!(Scope::new().number(&deep).is_err());
    assert!(matches!(Scope::new().number("M + 1"), Err(Error::Syntax { at: 0, .. })));
    assert!(matches!(Scope::new().assume("M >= 1"), Err(Error::Syntax { at: 0, .. })));
}

/// There are as many names, quotients, numbers and conditions as a problem has.
#[test]
fn nothing_fills_up() {
    let mut scope = Scope::new();
    let names: Vec<String> = (0..24).map(|i| format!("a_name_of_some_length_{i}")).collect();
    let shape = scope.layout(&format!("({})", names.join(","))).unwrap();
    assert_eq!(scope.names().len(), 24);
    // The last stride is the product of 23 names.
    assert_eq!(scope.number_text(&shape.leaves()[23].stride), names[..23].join("*"));
    assert_eq!(scope.coalesce(&shape).unwrap().rank(), 1);
    let tile = scope.tiler(&format!("<{}>", ["8"; 8].join(","))).unwrap();
    assert_eq!(scope.tiled_divide(&shape, &tile).unwrap().layout.rank(), 25);
    let many = (2..200).map(|i| format!("floor({}/{i})", names[i % 24])).collect::<Vec<_>>().join(" + ");
    let sum = scope.number(&many).unwrap();
    assert_eq!(scope.number(&scope.number_text(&sum)), Ok(sum));
    for i in 0..1000 {
        scope.number(&format!("{i}*{}", names[0])).unwrap();
    }
}

#[test]
fn numbers_that_do_not_fit() {
    let mut scope = Scope::new();
    let layout = scope.layout("(M,K):(1,ld)").unwrap();
    let values = scope.values(&[("M", i64::MAX), ("K", i64::MAX), ("ld", i64::MAX)]).unwrap();
    assert!(layout.instance(&values).is_err());
    let size = scope.size(&layout).unwrap();
    assert!(matches!(scope.value(&size, &values), Err(Error::TooLarge { .. })));
    assert!(scope.number("9223372036854775807*M*2").is_err());
    assert!(scope.number(&["M"; 200].join("*")).is_err());
    // A witness that does not fit is exchanged for a smaller one.
    let wide = scope.layout("(M,K,ld,M,K,ld):(1,M,M*K,0,0,0)").unwrap();
    let tile = scope.layout("(M,K):(1,M)").unwrap();
    let answer = scope.composition(&wide, &tile).unwrap();
    assert_eq!(answer.layout.to_string(), "(M,K):(1,M)");
}

#[test]
fn a_layout_of_another_scope() {
    let (mut one, mut other) = (Scope::new(), Scope::new());
    let layout = one.layout("(M,K):(1,ld)").unwrap();
    other.layout("(M,N):(1,ld)").unwrap();
    assert!(matches!(other.coalesce(&layout), Err(Error::Fact { .. })));
    assert!(matches!(other.composition(&layout, &layout), Err(Refusal::Error(Error::Fact { .. }))));
    // The same names in the same order are the same layout.
    let mut same = Scope::new();
    same.layout("(M,K):(1,ld)").unwrap();
    assert!(same.coalesce(&layout).is_ok());
    let number = one.number("M*K + 7").unwrap();
    assert!(matches!(Scope::new().floor_div(&number, &number), Err(Error::Fact { .. })));
}

#[test]
fn hints_have_to_be_admissible() {
    let mut scope = scope_of("(M,K):(1,ld)", "ld >= M");
    let (a, b) = (scope.layout("(M,K):(1,ld)").unwrap(), scope.layout("4:1").unwrap());
    scope.hint("M", Some(64)).unwrap();
    scope.hint("ld", Some(63)).unwrap();
    assert!(matches!(scope.composition(&a, &b), Err(Refusal::Error(Error::Fact { .. }))));
    scope.hint("ld", None).unwrap();
    assert!(scope.composition(&a, &b).is_ok());
    assert!(scope.hint("nothing", None).is_err());
}
