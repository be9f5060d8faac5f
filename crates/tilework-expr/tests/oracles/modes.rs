//! By mode: the layout of the results for each mode, and refused where one of them is.

use crate::cases::Source;
use crate::run::scaled;
use crate::text::layout_text;
use testkit::Random;
use tilework_expr::Session;

#[test]
fn each_mode_on_its_own() {
    let (mut session, mut seeds) = (Session::new(), Random::named("by mode"));
    for function in ["coalesce", "filter", "complement", "right_inverse", "left_inverse"] {
        let (mut answers, mut refusals) = (0, 0);
        for _ in 0..scaled(10_000) {
            let mut source = Source { rng: Random::new(seeds.next()), list: None };
            let layout = layout_text(&source.any());
            let hole = source.rng.choose(&["_", "*"]);
            let rank: usize =
                session.evaluate(&format!("rank({layout})")).unwrap().to_string().parse().unwrap();
            if rank < 2 {
                continue;
            }
            let mut ask = |text: &str| session.evaluate(text).map(ToString::to_string).ok();
            let holes = vec![hole; rank].join(",");
            let modes: Vec<_> = (0..rank).map(|mode| format!("{function}(get<{mode}>({layout}))")).collect();
            let found = ask(&format!("{function}({layout}, <{holes}>)"));
            let expected = ask(&format!("layout({})", modes.join(",")));
            assert_eq!(found, expected, "{function}({layout}, <{holes}>)");
            *(if found.is_some() { &mut answers } else { &mut refusals }) += 1;
        }
        // The inverse of a mode is undecided once in thousands.
        let expected = match function {
            "coalesce" | "filter" => refusals == 0,
            "right_inverse" => refusals * 1000 <= answers,
            _ => refusals > 0,
        };
        assert!(answers > 20 && expected, "{function}: {answers}, {refusals}");
    }
}
