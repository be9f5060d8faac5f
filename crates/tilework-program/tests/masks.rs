//! Masks: where a condition on coordinates lets nothing from outside through, and what of that is proved, against runs.

use tilework_program::{Buffers, Program, Space};

/// Small numbers, in some rows all negative.
fn input(at: &[i64]) -> f64 {
    let mixed = at.iter().fold(5i64, |sum, index| sum * 13 + index * index + index);
    (mixed % 3 - if at[0] % 2 == 0 { 1 } else { 4 }) as f64
}

/// The elements of `y` at sizes, if the facts admit them.
fn results(program: &Program, given: &[(&str, i64)]) -> Option<Vec<f64>> {
    let sizes = program.sizes(given).ok()?;
    let mut buffers = Buffers::new(program, &sizes).unwrap();
    for tensor in program.tensors().iter().filter(|tensor| tensor.space == Space::Read) {
        buffers.fill(&tensor.name, input).unwrap();
    }
    program.run(&sizes, &mut buffers).unwrap_or_else(|error| panic!("{error}\n{program}"));
    Some(buffers.elements("y").unwrap().to_vec())
}

/// Whether it is proved, and whether the results are those of sums at all sizes up to 40.
fn judged(text: &str, name: &str, expected: &dyn Fn(usize, i64) -> f64) -> (bool, bool) {
    let program: Program = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
    let is_right = (1..=40).all(|size| {
        let found = results(&program, &[(name, size)]);
        found.is_none_or(|all| all.iter().enumerate().all(|(at, own)| *own == expected(at, size)))
    });
    let report = program.check().unwrap();
    assert!(is_right || !report.is_proved(), "{text}{report}");
    (report.is_proved(), is_right)
}

/// A causal mask of a square: the rows behind it are computed with elements from outside, and are not stored.
#[test]
fn causal_masks_of_squares() {
    let square = |mask: &str, other: &str, end: &str| {
        let a = "A[b0 8@0, t 8:1@0, k 8@1, v 8:1@1]";
        let (row, column) = (format!("coordinate({a}, 0)"), format!("coordinate({a}, 1)"));
        let mask = mask.replace("ROW", &row).replace("COLUMN", &column);
        format!(
            "kernel k 8 threads, grid (ceil(M/8))\nread A f32 (M,M):(lda,1)\nwrite y f32 M:1\nshared s f32 8:1\n\
             registers e f32 1:1\ne = 0\nfor k in ceil(M/8) {{\ne[v 8:0] = e[v 8:0] + select({mask}, {a} else {other}, 0)\n}}\n{end}"
        )
    };
    let sum = |row: usize, last: i64| (0..=last).map(|k| input(&[row as i64, k])).sum::<f64>();
    let stored = "y[b0 8@0, t 8:1@0] = e\n";
    let through = "s[t 8:1@0] = e * 2\nbarrier\ne = s[t 8:1@0]\ny[b0 8@0, t 8:1@0] = e * 0.5\n";
    for other in ["0", "1", "-inf"] {
        for end in [stored, through] {
            for mask in [
                "COLUMN <= ROW",
                "COLUMN < ROW + 1",
                "(COLUMN <= ROW) & (ROW < M)",
                "(ROW < M) & (COLUMN <= ROW)",
                "(COLUMN <= ROW) & (COLUMN < M)",
                "COLUMN <= coordinate(y[b0 8@0, t 8:1@0], 0)",
                "(COLUMN <= ROW) & (ROW / 8 <= M / 8)",
            ] {
                let text = square(mask, other, end);
                let found = judged(&text, "M", &|row, _| sum(row, row as i64));
                assert_eq!(found, (true, true), "{text}");
            }
        }
        // A mask that is wider, of other rows, and rows that are not masked where they are stored.
        let is_neutral = other == "0";
        let wider = square("COLUMN <= ROW + 1", other, stored);
        let found = judged(&wider, "M", &|row, size| sum(row, (row as i64 + 1).min(size - 1)));
        assert_eq!(found, (is_neutral, is_neutral), "{wider}");
        let all =
            "s[t 8:1@0] = e\nbarrier\ne = 0\ne[v 8:0] = e[v 8:0] + s[v 8:1@0]\ny[b0 8@0, t 8:1@0] = e\n";
        let rows = |row: usize, size: i64| {
            let first = row as i64 / 8 * 8;
            (first..(first + 8).min(size)).map(|row| sum(row as usize, row)).sum()
        };
        let (is_proved, is_right) = judged(&square("COLUMN <= ROW", other, all), "M", &rows);
        assert_eq!(is_proved, is_right, "{other}");
        let (is_proved, is_right) = judged(&square("(COLUMN <= ROW) & (ROW < M)", other, all), "M", &rows);
        assert!(is_proved && is_right, "{other}");
        let turned = "s[t 8:1@0] = e\nbarrier\ny[b0 8@0, t 8:1@0] = s[7@0, t 8:-1@0]\n";
        // A row that there is not has the sum of what is outside.
        let last = |row: usize, size: i64| {
            let other = row / 8 * 8 + 7 - row % 8;
            if (other as i64) < size { sum(other, other as i64) } else { 0.0 }
        };
        let found = judged(&square("COLUMN <= ROW", other, turned), "M", &last);
        assert_eq!(found, (is_neutral, is_neutral), "{other}");
    }
    // Two tensors, as queries and keys; with rows in a loop, and other numbers of rows.
    let two = |keys: &str, loops: &str| {
        let (row, grid, head, end) = match loops {
            "" => ("b0", "ceil(M/8)", "", ""),
            _ => ("j", "1", "for j in ceil(M/8) {\n", "}\n"),
        };
        format!(
            "kernel k 8 threads, grid ({grid})\nread Q f32 M:1\nread K f32 {keys}:1\nwrite y f32 M:1\nregisters e f32 1:1\n{head}e = 0\n\
             for k in ceil({keys}/4) {{\ne[v 4:0] = e[v 4:0] + select(coordinate(K[k 4@0, v 4:1@0], 0) <= \
             coordinate(Q[{row} 8@0, t 8:1@0], 0), K[k 4@0, v 4:1@0] else 3, 0)\n}}\ny[{row} 8@0, t 8:1@0] = e\n{end}"
        )
    };
    let keys = |row: usize, _: i64| (0..=row as i64).map(|k| input(&[k])).sum();
    for loops in ["", "j"] {
        assert_eq!(judged(&two("M", loops), "M", &keys), (true, true), "{}", two("M", loops));
    }
    let other: Program = two("N", "").parse().unwrap();
    assert!(!other.check().unwrap().is_right());
}

/// Quotients and remainders of a coordinate: `x % n < n`, and `x = n * (x / n) + x % n`.
#[test]
fn masks_with_remainders() {
    type Mask = (&'static str, &'static str, bool);
    // The mask, a fact, and whether it is proved; of none of these is the mask wider than the row.
    let masks: [Mask; 24] = [
        ("C < K", "", true),
        ("4 * (C / 4) + C % 4 < K", "", true),
        ("C % 4 + C / 4 * 4 < K", "", true),
        ("C - C % 4 < K", "", false),
        ("C - C % 4 < K", "K % 4 == 0", true),
        ("C / 4 * 4 < K", "K % 8 == 0", true),
        ("C / 4 < K / 4", "K % 4 == 0", true),
        ("C / 4 < K / 4", "", true),
        ("C / 4 <= K / 4", "", false),
        ("C / 8 * 2 + C / 4 % 2 < K / 4", "", true),
        ("(C % 4 < 4) & (C < K)", "", true),
        ("(C < K) | (C % 4 < 0)", "", true),
        ("(C < K) | (4 < C % 4)", "", true),
        ("(C < K) | (4 <= C % 4)", "", true),
        ("C + C % 4 < K", "", true),
        ("C + (C - C % 2) < 2 * K", "K % 2 == 0", true),
        ("C + (C - C % 2) < 2 * K - 1", "", true),
        ("C < K - K % 4", "", true),
        ("C / 2 / 2 * 4 + C % 4 < K", "", true),
        ("C % 4 < 4", "", false),
        ("C % 4 < 3", "", false),
        ("2 * (C / 4) < K", "", false),
        ("C * 3 / 3 < K", "", false),
        ("(C % K < K) & (C < K)", "", true),
    ];
    for (mask, fact, wanted) in masks {
        let program = |other: &str| -> Program {
            let a = "A[b0 1@0, k 4@1, v 4:1@1]";
            let fact = if fact.is_empty() { String::new() } else { format!("assume {fact}\n") };
            let mask = mask.replace('C', &format!("coordinate({a}, 1)"));
            let text = format!(
                "kernel k 1 threads, grid (2)\nread A f32 (2,K):(lda,1)\nwrite y f32 2:1\nregisters r f32 1:1\n{fact}r = 0\n\
                 for k in ceil(K/4) + 1 {{\nr[v 4:0] = r[v 4:0] + select({mask}, {a} else {other}, 0)\n}}\ny[b0 1@0, t 1:1@0] = r\n"
            );
            text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"))
        };
        let (one, other) = (program("0"), program("7"));
        let is_right = (1..=40).all(|k| results(&one, &[("K", k)]) == results(&other, &[("K", k)]));
        let report = other.check().unwrap();
        assert!(is_right || !report.is_proved(), "{other}{report}");
        assert_eq!(report.is_proved(), wanted, "{is_right} {other}{report}");
    }
    // What always holds, or never, is no mask, and what is chosen by it is all there is.
    for (condition, holds) in [
        ("C % 4 < 4", true),
        ("C % K < K", true),
        ("4 <= C % 4", false),
        ("C == C % 1 + C + 1", false),
        ("(C % 4 < 4) | (C < 3)", true),
        ("(C % 4 < 4) & (C % 3 <= 2)", true),
    ] {
        let a = "A[b0 1@0, k 4@1, v 4:1@1]";
        let (yes, no) = if holds { ("X", "9") } else { ("9", "X") };
        let text = format!(
            "kernel k 1 threads, grid (2)\nread A f32 (2,K):(lda,1)\nwrite y f32 2:1\nregisters r f32 1:1\nr = 0\n\
             for k in ceil(K/4) {{\nr[v 4:0] = r[v 4:0] + select({}, {yes}, {no})\n}}\ny[b0 1@0, t 1:1@0] = r\n",
            condition.replace('C', &format!("coordinate({a}, 1)"))
        )
        .replace('X', &format!("{a} else 0"));
        let found = judged(&text, "K", &|row, k| (0..k).map(|k| input(&[row as i64, k])).sum());
        assert!(found.1, "{text}");
        assert_eq!(found.0, condition != "C == C % 1 + C + 1", "{text}");
    }
}

/// A stencil with padding is near its elements, whatever is outside; a sum of them that is stored elsewhere is a fold.
#[test]
fn stencils_with_padding() {
    let at = |k: i64, size: i64, padding: f64| if (0..size).contains(&k) { input(&[k]) } else { padding };
    let read = |shift: &str, padding: f64| format!("(A[b0 8@0, t 8:1@0{shift}] else {padding})");
    for padding in [0.0, 3.0, -7.0] {
        let [low, own, high] = [", -1@0", "", ", 1@0"].map(|shift| read(shift, padding));
        type Stencil = (String, fn([f64; 3]) -> f64);
        let stencils: [Stencil; 4] = [
            (format!("{low} + {own} + {high}"), |[a, b, c]| a + b + c),
            (format!("max(max({low}, {own}), {high})"), |[a, b, c]| a.max(b).max(c)),
            (format!("{high} - {low}"), |[a, _, c]| c - a),
            (format!("{low} * {high}"), |[a, _, c]| a * c),
        ];
        for (value, of) in stencils {
            let program = |to: &str, extent: &str, value: &str| {
                format!(
                    "kernel s 8 threads, grid (ceil(N/8))\nread A f32 N:1\nwrite y f32 {extent}:1\nshared s f32 10:1\n\
                     registers e f32 1:1\n{to} = {value}\n"
                )
            };
            let exact = |k: usize, size: i64| of([-1, 0, 1].map(|far| at(k as i64 + far, size, padding)));
            let text = program("y[b0 8@0, t 8:1@0]", "N", &value);
            assert_eq!(judged(&text, "N", &exact), (true, true), "{text}");
            // Through registers, and through shared memory with a border.
            let text = program("e", "N", &value) + "y[b0 8@0, t 8:1@0] = e\n";
            assert_eq!(judged(&text, "N", &exact), (true, true), "{text}");
            let tile = "s[1@0, t 8:1@0] = A[b0 8@0, t 8:1@0] else {p}\ns[9@0, t 1:1@0] = A[b0 8@0, 8@0, t 1:1@0] else {p}\n\
                        s[t 1:1@0] = A[b0 8@0, -1@0, t 1:1@0] else {p}\nbarrier\ny[b0 8@0, t 8:1@0]";
            let local = value
                .replace(&low, "s[t 8:1@0]")
                .replace(&own, "s[1@0, t 8:1@0]")
                .replace(&high, "s[2@0, t 8:1@0]");
            let text = program(&tile.replace("{p}", &padding.to_string()), "N", &local);
            assert_eq!(judged(&text, "N", &exact), (true, true), "{text}");
            // All of them in one place are what was folded.
            if !value.contains(" - ") {
                let text = program("y[t 1:1@0]", "1", &value)
                    .replace("t 8:1@0", "t 1:1@0")
                    .replace("ceil(N/8)", "1");
                let program: Program = text.parse().unwrap();
                let is_neutral = value.contains('+') && padding == 0.0;
                assert_eq!(program.check().unwrap().is_right(), is_neutral, "{text}");
            }
        }
    }
}

/// After the first square, what began below 0 is 0 or more, and the squares outside change nothing.
#[test]
fn folds_that_begin_beyond() {
    type Fold<'a> = (&'a str, &'a str, fn(f64, f64) -> f64, &'a [f64]);
    let folds: [Fold<'_>; 3] = [
        ("max(E, X * X)", "-1", |e, x| e.max(x * x), &[0.0]),
        ("max(E, abs(X) + 1)", "-3", |e, x| e.max(x.abs() + 1.0), &[0.0]),
        ("min(E, 0 - abs(X))", "2", |e, x| e.min(-x.abs()), &[0.0]),
    ];
    for (fold, start, with, neutral) in folds {
        for outside in [0.0, 9.0] {
            for (before, after) in [("", ""), ("", "e = e - 100\n"), ("when 0 < k {\n", "}\n")] {
                let x = format!("(A[b0 1@0, k 4@1, v 4:1@1] else {outside})");
                let text = format!(
                    "kernel f 1 threads, grid (2)\nread A f32 (2,K):(lda,1)\nwrite y f32 2:1\nregisters e f32 1:1\ne = {start}\n\
                     for k in ceil(K/4) {{\n{before}e[v 4:0] = {}\n{after}}}\ny[b0 1@0, t 1:1@0] = e\n",
                    fold.replace('E', "e[v 4:0]").replace('X', &x)
                );
                let text = text.replace("when 0 < k", "when k < 0");
                let exact = |row: usize, size: i64| {
                    let start = start.parse::<f64>().unwrap();
                    let (mut all, skip) = (start, !before.is_empty());
                    for k in (0..size).filter(|_| !skip) {
                        all = with(all, input(&[row as i64, k]));
                        all -= if !after.is_empty() && (k % 4 == 3 || k == size - 1) { 100.0 } else { 0.0 };
                    }
                    all
                };
                let (is_proved, _) = judged(&text, "K", &exact);
                let is_plain = before.is_empty() && after.is_empty();
                assert!(!is_plain || is_proved == neutral.contains(&outside), "{text}");
                assert!(is_plain || !before.is_empty() || !is_proved, "{text}");
            }
        }
    }
}

/// A mask of a coordinate that begins below 0, where it is a large number: one that is never more does not wrap, and where nothing is
/// behind the extent, large numbers are all that is outside.
#[test]
fn masks_of_coordinates_below_zero() {
    // The mask, and whether it has to be proved with elements behind the extent, and without.
    type Mask = (&'static str, [bool; 2]);
    let masks: [Mask; 17] = [
        ("C < K", [true, true]),
        ("C <= K - 1", [true, true]),
        ("C / 4 * 4 + C % 4 < K", [true, true]),
        ("C / 2 / 2 * 4 + C % 4 < K", [true, true]),
        ("C - C % 4 < K", [false, false]),
        ("C - C % 4 < 90", [false, true]),
        ("C / 2 < K / 2", [true, true]),
        ("C / 4 < (K + 3) / 4", [false, false]),
        ("C / 8 * 3 < 300", [false, true]),
        ("C < 3", [false, true]),
        ("C <= 4", [false, true]),
        ("C == 2", [false, true]),
        ("(C < K) | (C < 3)", [false, true]),
        ("C + 1 < K", [false, false]),
        ("C + 2 <= K", [false, false]),
        ("C % 4 < 2", [false, false]),
        ("0 < C", [false, false]),
    ];
    let mut kinds = [0; 2];
    for ((mask, wanted), shift) in masks.into_iter().flat_map(|own| [(own, -1), (own, -3)]) {
        for (steps, wanted) in [("ceil(K/4) + 1", wanted[0]), ("floor(K/4)", wanted[1])] {
            let program = |other: &str| -> Program {
                let a = format!("A[b0 1@0, k 4@1, {shift}@1, v 4:1@1]");
                let mask = mask.replace('C', &format!("coordinate({a}, 1)"));
                let text = format!(
                    "kernel k 1 threads, grid (2)\nread A f32 (2,K):(lda,1)\nwrite y f32 2:1\nregisters r f32 1:1\n\
                     r = 0\nfor k in {steps} {{\nr[v 4:0] = r[v 4:0] + select({mask}, {a} else {other}, 0)\n}}\n\
                     y[b0 1@0, t 1:1@0] = r\n"
                );
                text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"))
            };
            let (one, other) = (program("0"), program("7"));
            let is_right = (1..=40).all(|k| results(&one, &[("K", k)]) == results(&other, &[("K", k)]));
            let report = other.check().unwrap();
            assert!(is_right || !report.is_proved(), "{other}{report}");
            assert!(report.is_proved() || !wanted, "{is_right} {other}{report}");
            kinds[usize::from(wanted)] += 1;
        }
    }
    assert!(kinds.iter().all(|kind| *kind > 20), "{kinds:?}");
}
