//! Every case of the test corpus, through the evaluator.
//!
//! A case is an expression with its result; `null` means that it has to be refused. Results are compared as text
//! without white space. In `loose` cases the strides of extents 1 do not count.

#[path = "../../../corpus/cases.rs"]
mod cases;

use tilework_expr::Session;

#[test]
fn every_case_of_the_corpus() {
    let cases: Vec<_> = cases::cases().into_iter().chain(cases::language()).collect();
    let wrong: Vec<_> = cases
        .iter()
        .filter_map(|case| {
            // Each case stands for itself: no variables are carried over.
            let mut session = Session::new();
            let got = session.evaluate(&case.expression).map(|value| value.to_string());
            let text = got.map_err(|error| error.to_string());
            case.check(text.as_deref().map_err(String::as_str)).err()
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} cases differ:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
