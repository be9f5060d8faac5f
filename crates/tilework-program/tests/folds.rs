//! Folds of what is outside of a tensor, with masks and without.

use crate::golden::ran;
use tilework_program::Program;

/// Values from outside are followed through registers and shared memory.
#[test]
fn folds_of_what_is_outside() {
    let program = |load: &str, fold: &str| {
        let text = format!(
            "kernel sums 32 threads, grid (M)\nread A f32 (M,K):(lda,1)\nwrite y f32 M:1\nshared s f32 32:1\n\
             registers e f32 1:1\nregisters sum f32 1:1\nsum = 0\nfor k in ceil(K/32) {{\n  {load}\n  barrier\n  \
             {fold}\n  barrier\n}}\ny[b0 1@0, t 1:1@0] = sum\n"
        );
        text.parse::<Program>().unwrap_or_else(|error| panic!("{text}\n{error}")).check().unwrap()
    };
    let a = "A[b0 1@0, k 32@1, t 32:1@1]";
    let load = format!("s[t 32:1@0] = {a} else 0");
    let masked = |mask: &str| format!("s[t 32:1@0] = select({mask}, exp({a} else 0), 0)");
    let [known, reversed] =
        [format!("(coordinate({a}, 1) < K) & (0 < M)"), format!("K <= coordinate({a}, 1)")];
    let reversed = format!("s[t 32:1@0] = select({reversed}, 0, exp({a} else 0))");
    let plain = "sum[v 32:0] = sum[v 32:0] + s[v 32:1@0]";
    let through = "e = exp(s[t 32:1@0])\n  s[t 32:1@0] = e\n  e = sum + e\n  sum = e";
    let in_place = "s[t 32:1@0] = exp(s[t 32:1@0])\n  barrier\n  sum[v 32:0] = sum[v 32:0] + s[v 32:1@0]";
    for (load, fold) in
        [(&load, plain), (&masked(&known), plain), (&reversed, plain), (&load, "e = sum + s[0@0]\n  sum = e")]
    {
        let report = program(load, fold);
        assert!(report.is_proved(), "{fold}\n{report}");
    }
    // A mask is of the coordinate, and by its extent.
    for mask in ["{a} < M", "{a} <= K", "A[b0 1@0, k 32@1, t 32:0], 1) < K", "A[b0 1@0, 7@1], 1) < K"] {
        let coordinate = if mask.starts_with('A') { String::new() } else { format!("{a}, 1)") };
        let mask = format!("coordinate({}", mask.replace("{a}", &coordinate));
        let report = program(&masked(&mask), plain);
        assert!(!report.is_right(), "{mask}\n{report}");
    }
    // Of the whole coordinate, and of each that the value has.
    for (mask, value) in [
        ("coordinate({a}, 1) < K", "exp(A[b0 1@0, k 32@1, t 32:1@1, 16@1] else 0)"),
        ("coordinate({a}, 1) < K", "exp(A[b0 1@0, k 32@1, t 32:2@1] else 0)"),
        ("coordinate({a}, 1) < K", "exp(A[b0 1@0, k 32@1, t 32:7@1] else 0) + ({a} else 0)"),
        ("coordinate(A[b0 1@0, k 32@1, t (2,16):(1@1,0)], 1) < K", "exp({a} else 0)"),
        ("(coordinate(A[b0 1@0, 0@1], 1) < K) | (coordinate({a}, 1) < K)", "exp({a} else 0)"),
        ("(coordinate({a}, 1) < K) | (0 < M)", "exp({a} else 0)"),
    ] {
        let load = format!("s[t 32:1@0] = select({mask}, {value}, 0)").replace("{a}", a);
        let report = program(&load, plain);
        assert!(!report.is_right(), "{load}\n{report}");
    }
    for mask in ["({c} < K) & ({c} < K)", "({c} < K) | ({c} < K)", "(0 < M) & ({c} < K)"] {
        let load = masked(&mask.replace("{c}", &format!("coordinate({a}, 1)")));
        let report = program(&load, plain);
        assert!(report.is_proved(), "{load}\n{report}");
    }
    // In whatever order the indices are written.
    let mask = "coordinate(A[b0 32@1, k 32@1, t 32:1@1], 1) < K";
    let load = format!("s[t 32:1@0] = select({mask}, exp(A[k 32@1, b0 32@1, t 32:1@1] else 0), 0)");
    let report = program(&load, plain);
    assert!(report.is_proved(), "{report}");
    for fold in [
        "sum[v 32:0] = sum[v 32:0] + exp(s[v 32:1@0])",
        "sum[v 32:0] = sum[v 32:0] * 0.5 + s[v 32:1@0]",
        through,
        in_place,
    ] {
        let report = program(&load, fold);
        let wanted = "sum folds what is outside of [0,K), which changes it";
        let mut faults = report.faults();
        assert!(faults.next().is_some_and(|fault| fault.text.contains(wanted)), "{fold}\n{report}");
        assert!(faults.next().is_none(), "{report}");
    }
    // 0 is the least of what begins at 0 and has no terms below.
    let report = program(&load, "sum[v 32:0] = min(sum[v 32:0], s[v 32:1@0])");
    assert!(report.is_proved(), "{report}");
}

/// A fold behind a mask is proved only where it is the sum of what the mask lets through, at all sizes that are tried.
#[test]
fn folds_behind_masks_agree_with_runs() {
    type Mask = (&'static str, fn(i64, i64, i64) -> bool);
    type Fold = (&'static str, &'static str, f64, fn(f64, f64) -> f64);
    let masks: [Mask; 17] = [
        ("c < K", |c, _, k| c < k),
        ("c < K - 1", |c, _, k| c < k - 1),
        ("c + 1 < K", |c, _, k| c + 1 < k),
        ("c + 1 <= K", |c, _, k| c < k),
        ("c + M < K + M", |c, _, k| c < k),
        ("c < M", |c, m, _| c < m),
        ("c < 2 * M", |c, m, _| c < 2 * m),
        ("c < M + K", |c, m, k| c < m + k),
        ("c < K + 1", |c, _, k| c < k + 1),
        ("c <= K", |c, _, k| c <= k),
        ("c < 1", |c, _, _| c < 1),
        ("c < 5", |c, _, _| c < 5),
        ("c == 7", |c, _, _| c == 7),
        ("K < 3", |_, _, k| k < 3),
        ("0 < c", |c, _, _| 0 < c),
        ("(c < 5) & (c < K)", |c, _, k| c < 5 && c < k),
        ("c < K - 2", |c, _, k| c < k - 2),
    ];
    // A difference of sizes below 0 would wrap.
    let never = ["c < K - 2"];
    let folds: [Fold; 3] = [
        ("q + X", "1", 0.0, |sum, x| sum + x),
        ("max(q, X)", "0", f64::NEG_INFINITY, f64::max),
        ("min(q, X)", "0", f64::INFINITY, f64::min),
    ];
    for ((mask, holds), (fold, fill, neutral, apply)) in
        masks.iter().flat_map(|mask| folds.iter().map(move |fold| (mask, fold)))
    {
        let a = "A[b0 1@0, k 4@1, v 4:1@1]";
        let value = format!("select({mask}, {a} else {fill}, {})", format!("{neutral}").to_lowercase())
            .replace("c ", &format!("coordinate({a}, 1) "))
            .replace("< c,", &format!("< coordinate({a}, 1),"));
        let fold = fold.replace('q', "q[v 4:0]").replace('X', &value);
        let text = format!(
            "kernel folds 4 threads, grid (M)\nread A f32 (M,K):(lda,1)\nwrite y f32 M:1\nregisters q f32 1:1\n\
             q = {}\nfor k in ceil(K/4) {{\n  q[v 4:0] = {fold}\n}}\ny[b0 1@0, t 1:1@0] = q\n",
            format!("{neutral}").to_lowercase()
        );
        let program: Program = text.parse().unwrap_or_else(|error| panic!("{text}\n{error}"));
        let report = program.check().unwrap();
        let mut is_right = true;
        for (m, k) in (1..=4).flat_map(|m| (1..=9).map(move |k| (m, k))) {
            let (_, buffers) = ran(&program, &[("M", m), ("K", k), ("lda", k)]).unwrap();
            for row in 0..m {
                let elements = (0..k).filter(|&c| holds(c, m, k));
                let wanted = elements.map(|c| buffers.at("A", &[row, c]).unwrap()).fold(*neutral, apply);
                is_right &= buffers.at("y", &[row]) == Some(wanted);
            }
        }
        assert_eq!(report.is_proved(), is_right && !never.contains(mask), "{text}\n{report}");
    }
}
