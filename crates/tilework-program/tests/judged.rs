//! Programs that nobody named, judged by running them at every size: what is proved is right, and what is right is proved.

use tilework_program::{Buffers, Program, Space};

/// Small numbers, in some rows all negative.
fn input(at: &[i64]) -> f64 {
    let mixed = at.iter().fold(5i64, |sum, index| sum * 13 + index * index + index);
    (mixed % 3 - if at[0] % 2 == 0 { 1 } else { 4 }) as f64
}

/// Whether the program gives `expected` at all sizes from 1 to 40 that its facts admit.
fn is_right(program: &Program, expected: &dyn Fn(&[i64], i64) -> f64) -> bool {
    (1..=40).all(|k| {
        let Ok(sizes) = program.sizes(&[("M", 3), ("K", k)]) else { return true };
        let mut buffers = Buffers::new(program, &sizes).unwrap();
        for tensor in program.tensors().iter().filter(|tensor| tensor.space == Space::Read) {
            buffers.fill(&tensor.name, input).unwrap();
        }
        let extents = buffers.extents("y").unwrap().to_vec();
        program.run(&sizes, &mut buffers).is_ok()
            && testkit::coordinates(&extents).all(|at| {
                let (found, expected) = (buffers.at("y", &at).unwrap(), expected(&at, k));
                found == expected || (found - expected).abs() <= 1e-3 * expected.abs()
            })
    })
}

/// What is proved has to be right, and what is right proved.
fn judge(text: &str, expected: &dyn Fn(&[i64], i64) -> f64) -> bool {
    let program: Program = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
    let (report, is_right) = (program.check().unwrap(), is_right(&program, expected));
    assert_eq!(report.is_proved(), is_right, "{text}{report}");
    assert_eq!(report.is_right(), is_right, "{text}{report}");
    is_right
}

/// Both with a number outside that changes nothing, and with others.
fn judge_all(text: &str, neutral: &str, others: &[&str], expected: &dyn Fn(&[i64], i64) -> f64) {
    assert!(judge(&text.replace("{o}", neutral), expected), "{text}");
    for other in others {
        assert!(!judge(&text.replace("{o}", other), expected), "{other} in\n{text}");
    }
}

const TENSORS: &str = "kernel k 32 threads, grid (M)\nread A f32 (M,K):(lda,1)\nwrite y f32 M:1\nshared s f32 32:1\n\
                       shared u f32 32:1\nregisters e f32 1:1\nregisters r f32 4:1\n";
const A: &str = "A[b0 1@0, t 32:1@1]";
const STORED: &str = "y[b0 1@0, t 1:1@0] = s[t 1:1@0]\n";

fn rows(body: &str) -> String {
    TENSORS.to_string() + &body.replace("{a}", A)
}

/// A fold, written as a tree without loops.
fn tree(step: impl Fn(i64) -> String) -> String {
    [16, 8, 4, 2, 1].map(|half| format!("barrier\n{}", step(half))).concat()
}

/// The function with its operands.
fn of(function: &str, x: &str, y: &str) -> String {
    function.replace("{x}", x).replace("{y}", y)
}

fn in_place(function: &str) -> String {
    tree(|half| {
        let [to, from] = [format!("s[t {half}:1@0]"), format!("s[{half}@0, t {half}:1@0]")];
        format!("{to} = {}\n", of(function, &to, &from))
    })
}

/// Its steps in place, between two tensors, with what a thread reads in a register, with what it writes, and of neighbours.
fn trees(function: &str) -> [String; 5] {
    let two = |between: &dyn Fn(&str, &str) -> String, tensors: [&str; 2]| {
        let mut is_even = false;
        let halves = [16, 8, 4, 2, 1].map(|half| {
            is_even = !is_even;
            let [from, to] = if is_even { tensors } else { [tensors[1], tensors[0]] };
            let [low, high] = [format!("{from}[t {half}:1@0]"), format!("{from}[{half}@0, t {half}:1@0]")];
            format!("barrier\n{}", between(&format!("{to}[t {half}:1@0]"), &of(function, &low, &high)))
        });
        halves.concat()
    };
    let later = |to: &str, value: &str| format!("e = {value}\nbarrier\n{to} = e\n");
    let between = two(&|to, value| format!("{to} = {value}\n"), ["s", "u"]);
    let registers = tree(|half| {
        let value = of(function, &format!("s[t {half}:1@0]"), "e");
        format!("e = s[{half}@0, t {half}:1@0]\nbarrier\ns[t {half}:1@0] = {value}\n")
    });
    let neighbours = tree(|half| {
        let value = of(function, &format!("s[t {half}:2@0]"), &format!("s[1@0, t {half}:2@0]"));
        later(&format!("s[t {half}:1@0]"), &value)
    });
    [
        in_place(function) + "barrier\n" + STORED,
        between + "barrier\n" + &STORED.replace("= s", "= u"),
        registers + "barrier\n" + STORED,
        two(&later, ["s", "s"]) + "barrier\n" + STORED,
        neighbours + "barrier\n" + STORED,
    ]
}

fn fold(start: f64, function: fn(f64, f64) -> f64) -> impl Fn(&[i64], i64) -> f64 {
    move |at, depth| (0..depth).fold(start, |all, k| function(all, input(&[at[0], k])))
}

#[test]
fn trees_without_loops() {
    let (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
    type Case<'a> = (&'a str, &'a str, &'a [&'a str], f64, fn(f64, f64) -> f64);
    let cases: [Case<'_>; 6] = [
        ("{x} + {y}", "0", &["1", "-inf"], 0.0, |a, b| a + b),
        ("max({x}, {y})", "-inf", &["0", "-2"], low, f64::max),
        ("min({x}, {y})", "inf", &["0", "-5"], high, f64::min),
        ("{x} * {y}", "1", &["0", "2"], 1.0, |a, b| a * b),
        ("select({x} < {y}, {y}, {x})", "-inf", &["0"], low, f64::max),
        ("log(exp({x}) + exp({y}))", "-inf", &["0"], low, |a, b| (a.exp() + b.exp()).ln()),
    ];
    for (function, neutral, others, start, exact) in cases {
        for tree in trees(function) {
            let text = rows(&format!("assume K <= 32\ns[t 32:1@0] = {{a}} else {{o}}\n{tree}"));
            judge_all(&text, neutral, others, &fold(start, exact));
        }
    }
}

/// A tree in each step of a loop, with another loop around it or none.
#[test]
fn trees_in_loops() {
    let part = "A[b0 1@0, k 32@1, t 32:1@1]";
    for (head, end) in [("", ""), ("for j in 1 {\n", "}\n")] {
        for (function, neutral, others, start) in
            [("{x} + {y}", "0", ["1", "-inf"], "0"), ("max({x}, {y})", "-inf", ["0", "-2"], "-inf")]
        {
            let (steps, sum) = (in_place(function), of(function, "e", "s[0@0]"));
            let text = rows(&format!(
                "e = {start}\nfor k in ceil(K/32) {{\ns[t 32:1@0] = {part} else {{o}}\n{head}{steps}{end}barrier\n\
                 e = {sum}\nbarrier\n}}\ny[b0 1@0, t 1:1@0] = e\n"
            ));
            match function.contains("max") {
                true => judge_all(&text, neutral, &others, &fold(f64::NEG_INFINITY, f64::max)),
                false => judge_all(&text, neutral, &others, &fold(0.0, |a, b| a + b)),
            }
        }
    }
}

/// Elements that are named one by one, in registers and in one expression.
#[test]
fn folds_of_named_elements() {
    let sums = [
        "r[v 4:1@0] = A[b0 1@0, v 4:1@1] else {o}\ny[b0 1@0, t 1:1@0] = r[0@0] + r[1@0] + r[2@0] + r[3@0]\n",
        "r[v 4:1@0] = A[b0 1@0, v 4:1@1] else {o}\nr[v 2:1@0] = r[v 2:1@0] + r[v 2:1@0, 2@0]\nr[0@0] = r[0@0] + \
         r[1@0]\ny[b0 1@0, t 1:1@0] = r[0@0]\n",
        "r[v 4:1@0] = A[b0 1@0, v 4:1@1] else {o}\nr[0@0] = r[0@0] + r[1@0]\nr[2@0] = r[2@0] + r[3@0]\nr[0@0] = r[0@0] \
         + r[2@0]\ny[b0 1@0, t 1:1@0] = r[0@0]\n",
        "e = A[b0 1@0, 0@1]\ne = e + (A[b0 1@0, 1@1] else {o})\ne = e + (A[b0 1@0, 2@1] else {o})\ne = e + (A[b0 1@0, \
         3@1] else {o})\ny[b0 1@0, t 1:1@0] = e\n",
        "y[b0 1@0, t 1:1@0] = A[b0 1@0, t 1:1@1] + (A[b0 1@0, 1@1, t 1:1@1] else {o}) + (A[b0 1@0, 2@1, t 1:1@1] else \
         {o}) + (A[b0 1@0, 3@1, t 1:1@1] else {o})\n",
    ];
    for sum in sums {
        judge_all(&rows(&format!("assume K <= 4\n{sum}")), "0", &["1", "-2"], &fold(0.0, |a, b| a + b));
    }
    // A step of a loop has two.
    let text = "e = 0\nfor k in ceil(K/2) {\ne = e + (A[b0 1@0, k 2@1] else {o})\ne = e + (A[b0 1@0, k 2@1, 1@1] else {o})\n}\n\
                y[b0 1@0, t 1:1@0] = e\n";
    judge_all(&rows(text), "0", &["1"], &fold(0.0, |a, b| a + b));
    let text = text.replacen("e = e", "when k < 1 {\ne = 0\n}\ne = e", 1);
    judge_all(&rows(&text), "0", &["1"], &fold(0.0, |a, b| a + b));
}

/// What is written in part, perhaps or in no step is not replaced.
#[test]
fn what_is_replaced_in_part() {
    let text = |between: &str| {
        rows(&format!(
            "assume K <= 32\ns[t 32:1@0] = {{a}} else {{o}}\nbarrier\n{between}barrier\ne = 0\n\
             e[v 32:0] = e[v 32:0] + s[v 32:1@0]\ny[b0 1@0, t 1:1@0] = e\n"
        ))
    };
    let sum = |from: i64, at: &[i64], depth: i64| (from..depth).map(|k| input(&[at[0], k])).sum::<f64>();
    judge_all(&text("s[t 1:1@0] = 0\n"), "0", &["1"], &|at, depth| sum(1, at, depth));
    let second = text("when b0 < 1 {\ns[t 32:1@0] = 0\n}\n");
    judge_all(&second, "0", &["1"], &|at, depth| if at[0] < 1 { 0.0 } else { sum(0, at, depth) });
    let none = text("for k in floor(K/7) {\ns[t 32:1@0] = 0\nbarrier\n}\n");
    judge_all(&none, "0", &["1"], &|at, depth| if depth < 7 { sum(0, at, depth) } else { 0.0 });
    // All of it, and wherever it was written.
    assert!(judge(&text("s[t 32:1@0] = 0\n").replace("{o}", "1"), &|_, _| 0.0));
    let both = "when b0 < 1 {\ns[t 32:1@0] = 5\ns[t 32:1@0] = 0\n}\n";
    judge_all(&text(both), "0", &["1"], &|at, depth| if at[0] < 1 { 0.0 } else { sum(0, at, depth) });
}

/// A mask of what comes through memory is of its coordinate.
#[test]
fn masks_through_memory() {
    let text = |mask: &str, value: &str, values: i64| {
        rows(&format!(
            "assume K <= 32\ns[t 32:1@0] = {{a}} else 0\nbarrier\ne = 0\ne[v {values}:0] = e[v {values}:0] + \
             select(coordinate(A[b0 1@0, {mask}], 1) < K, {value}, 0)\ny[b0 1@0, t 1:1@0] = e\n"
        ))
    };
    let exact = |at: &[i64], depth: i64| (0..depth).map(|k| input(&[at[0], k]).exp()).sum::<f64>();
    assert!(judge(&text("v 32:1@1", "exp(s[v 32:1@0])", 32), &exact));
    assert!(judge(&text("v 16:2@1, 1@1", "exp(s[v 16:2@0]) + exp(s[v 16:2@0, 1@0])", 16), &|at, depth| {
        (0..depth / 2 * 2).map(|k| input(&[at[0], k]).exp()).sum()
    }));
    for (mask, value, values) in [
        ("v (2,16):(1@1,0)", "exp(s[v 32:1@0])", 32),
        ("v 32:1@1", "exp(s[v (2,16):(16@0,1@0)])", 32),
        ("v 16:1@1", "exp(s[v 16:1@0, 16@0]) + exp(s[v 16:1@0])", 16),
        ("v 16:2@1", "exp(s[v 16:2@0]) + exp(s[v 16:2@0, 1@0])", 16),
    ] {
        assert!(!judge(&text(mask, value, values), &exact));
    }
}

/// Several folds, of which a later one has what an earlier one gives.
#[test]
fn folds_after_folds() {
    let sums = in_place("{x} + {y}");
    let soft = rows(&format!(
        "assume K <= 32\ns[t 32:1@0] = {{a}} else {{o}}\n{}barrier\ne = s[0@0]\nbarrier\ns[t 32:1@0] = exp(({{a}} else \
         {{p}}) - e)\n{sums}barrier\n{STORED}",
        in_place("max({x}, {y})")
    ));
    let exact = |at: &[i64], depth: i64| -> f64 {
        let high = (0..depth).map(|k| input(&[at[0], k])).fold(f64::NEG_INFINITY, f64::max);
        (0..depth).map(|k| (input(&[at[0], k]) - high).exp()).sum()
    };
    judge_all(&soft.replace("{p}", "-inf"), "-inf", &["0"], &exact);
    assert!(!judge(&soft.replace("{p}", "0").replace("{o}", "-inf"), &exact));
    let variance = rows(&format!(
        "assume K <= 32\ns[t 32:1@0] = {{a}} else 0\n{sums}barrier\ne = s[0@0] / f32(K)\nbarrier\ns[t 32:1@0] = \
         select(coordinate({{m}}, 1) < K, ({{a}} else 0) - e, 0)\ns[t 32:1@0] = s[t 32:1@0] * s[t 32:1@0]\n\
         {sums}barrier\n{STORED}"
    ));
    let exact = |at: &[i64], depth: i64| -> f64 {
        let mean = (0..depth).map(|k| input(&[at[0], k])).sum::<f64>() / depth as f64;
        (0..depth).map(|k| (input(&[at[0], k]) - mean).powi(2)).sum()
    };
    assert!(judge(&variance.replace("{m}", A), &exact));
    assert!(!judge(&variance.replace("{m}", "A[b0 1@0, t (16,2):(1@1,0)]"), &exact));
    // Rows that are outside have sums as well.
    let both = "kernel k 32 threads, grid (1)\nread A f32 (M,K):(lda,1)\nwrite y f32 1:1\nshared s f32 32:1\nregisters e f32 \
                1:1\nassume M <= 32, K <= 32\ne = {o}\ne[v 32:0] = e[v 32:0] + (A[t 32:1@0, v 32:1@1] else 0)\n\
                s[t 32:1@0] = e\nbarrier\ne = 0\ne[v 32:0] = e[v 32:0] + s[v 32:1@0]\ny[t 1:1@0] = e\n";
    let all = |depth: i64| (0..3).flat_map(move |m| (0..depth).map(move |k| input(&[m, k])));
    judge_all(both, "0", &["1"], &|_, depth| all(depth).sum());
}

/// Elements near each other that are no fold, elementwise steps in place, and copies to another place.
#[test]
fn what_is_no_fold() {
    let matrix = |body: &str| rows(body).replace("y f32 M:1", "y f32 (M,K):(K,1)");
    let shifted = |at: &[i64], by: i64, depth: i64, outside: f64| match at[1] + by < depth {
        true => input(&[at[0], at[1] + by]),
        false => outside,
    };
    let out = "barrier\ny[b0 1@0, t 31:1@1] = u[t 31:1@0]\n";
    let near = |value: &str, outside: &str| {
        matrix(&format!(
            "assume K <= 31\ns[t 32:1@0] = {{a}} else {outside}\nbarrier\nu[t 31:1@0] = {value}\n{out}"
        ))
        .replace("{x}", "s[t 31:1@0]")
        .replace("{y}", "s[1@0, t 31:1@0]")
    };
    assert!(judge(&near("{x} + {y}", "0"), &|at, depth| input(at) + shifted(at, 1, depth, 0.0)));
    assert!(judge(&near("{y} - {x}", "3"), &|at, depth| shifted(at, 1, depth, 3.0) - input(at)));
    assert!(judge(&near("{x} * 0.5 + 0.25 * {y}", "0"), &|at, depth| {
        0.5 * input(at) + 0.25 * shifted(at, 1, depth, 0.0)
    }));
    assert!(judge(&near("{x} * {y}", "0"), &|at, depth| input(at) * shifted(at, 1, depth, 0.0)));
    let each = |body: &str| {
        matrix(&format!(
            "assume K <= 32\ns[t 32:1@0] = {{a}} else 7\n{body}y[b0 1@0, t 32:1@1] = s[t 32:1@0]\n"
        ))
    };
    assert!(
        judge(&each("s[t 32:1@0] = s[t 32:1@0] + exp(s[t 32:1@0])\n"), &|at, _| input(at) + input(at).exp())
    );
    assert!(judge(&each("e = s[t 32:1@0]\ns[t 32:1@0] = s[t 32:1@0] * e\n"), &|at, _| input(at).powi(2)));
    let moved = matrix("y[b0 1@0, b1 32@1, t 32:1@1] = A[b0 1@0, b1 32@1, t 32:1@1, 3@1] else 7\n");
    assert!(judge(&moved.replace("grid (M)", "grid (M,ceil(K/32))"), &|at, depth| shifted(
        at, 3, depth, 7.0
    )));
    let outer = "kernel k 64 threads, grid (ceil(K/8),ceil(K/8))\nread A f32 K:1\nwrite y f32 (K,K):(K,1)\nregisters e f32 \
                 1:1\nassume M == 3\ne = (A[b0 8@0, t (8,8):(1@0,0)] else 1) + (A[b1 8@0, t (8,8):(0,1@0)] else 1)\n\
                 y[b0 8@0, b1 8@1, t (8,8):(1@0,1@1)] = e\n";
    assert!(judge(&outer.replace("assume M == 3\n", "read B f32 M:1\n"), &|at, _| {
        input(&at[..1]) + input(&at[1..])
    }));
}

/// Elements that are no operands of one fold, as exchanging them gives another result; and those that are by exchanging
/// all that belongs to them.
#[test]
fn what_can_be_exchanged() {
    let at = |row: i64, k: i64, depth: i64| if k < depth { input(&[row, k]) } else { 5.0 };
    let text = |value: &str| {
        let value = value.replace("{x}", "A[b0 1@0, 0@1]").replace("{y}", "(A[b0 1@0, 1@1] else 5)");
        rows(&format!("y[b0 1@0, t 1:1@0] = {value}\n"))
    };
    assert!(judge(&text("{x} - {y}"), &|row, depth| input(&[row[0], 0]) - at(row[0], 1, depth)));
    assert!(judge(&text("{x} * 2 + {y}"), &|row, depth| input(&[row[0], 0]) * 2.0 + at(row[0], 1, depth)));
    assert!(judge(&text("select({x} < 0, {y}, 7)"), &|row, depth| {
        if input(&[row[0], 0]) < 0.0 { at(row[0], 1, depth) } else { 7.0 }
    }));
    let registers = "e = A[b0 1@0, 1@1] else 5\ny[b0 1@0, t 1:1@0] = A[b0 1@0, 0@1] - e\n";
    assert!(judge(&rows(registers), &|row, depth| input(&[row[0], 0]) - at(row[0], 1, depth)));
    let computed = "e = A[b0 1@0, 0@1] - (A[b0 1@0, 1@1] else 5)\ny[b0 1@0, t 1:1@0] = e * 2\n";
    assert!(judge(&rows(computed), &|row, depth| 2.0 * (input(&[row[0], 0]) - at(row[0], 1, depth))));
    let sum = |row: &[i64], depth: i64| (0..depth.min(2)).map(|k| input(&[row[0], k])).sum::<f64>();
    assert!(judge(&text("{x} + {y}").replace("else 5", "else 0"), &sum));
    for folded in ["{x} + {y}", "{y} + 1 + {x} - 1", "0.5 * {x} + {y} * 0.5 + 0.5 * ({x} + {y})"] {
        assert!(!judge(&text(folded), &sum), "{folded}");
    }
    let signs = |other: &str| {
        format!(
            "r[v 4:1@0] = A[b0 1@0, v 4:1@1] else {other}\ne = 0 - r[0@0]\ne = e - r[1@0]\ny[b0 1@0, t 1:1@0] = 0 - e\n"
        )
    };
    assert!(judge(&rows(&signs("0")), &sum));
    assert!(!judge(&rows(&signs("5")), &sum));
    // Means with their weights, of which those outside have one as well.
    let means = tree(|half| {
        let [low, high] = ["", &format!("{half}@0, ")].map(|at| format!("[{at}t {half}:1@0]"));
        format!(
            "e = (s{low} * u{low} + s{high} * u{high}) / (u{low} + u{high})\nbarrier\ns{low} = e\nu{low} = u{low} + u{high}\n"
        )
    });
    let text = |weight: &str| {
        rows(&format!(
            "assume K <= 32\ns[t 32:1@0] = {{a}} else 9\nu[t 32:1@0] = {weight}\n{means}barrier\n{STORED}"
        ))
    };
    assert!(!judge(&text("1"), &|row, depth| {
        (0..depth).map(|k| input(&[row[0], k])).sum::<f64>() / depth as f64
    }));
}

/// The programs of stages: how many there are, how far ahead they are filled, and what stands between.
fn stages() -> Vec<String> {
    let text = |stages: i64, body: &str| {
        rows(body).replace("shared s f32 32:1", &format!("shared s f32 (32,{stages}):(1,32)"))
            + "}\ny[b0 1@0, t 1:1@0] = e\n"
    };
    let mut texts = Vec::new();
    for (stages, ahead) in [(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)] {
        let copy =
            |step: &str, stage: &str| format!("s[t 32:1@0, {stage}] = A[b0 1@0, {step}, t 32:1@1] else 0");
        let step = format!("(k+{ahead}) 32@1");
        let next = copy(&step, &format!("(k+{ahead})%{stages} 1@1"));
        let first: Vec<String> =
            (0..ahead).map(|k| copy(&format!("{}@1", 32 * k), &format!("{k}@1"))).collect();
        let sum = format!("e[v 32:0] = e[v 32:0] + s[v 32:1@0, (k)%{stages} 1@1]\n");
        for [before, between, after] in
            (0..8).map(|i| [1, 2, 4].map(|bit| if i & bit > 0 { "barrier\n" } else { "" }))
        {
            let first = first.iter().map(|copy| format!("{copy}\n")).collect::<String>();
            texts.push(text(
                stages,
                &format!("e = 0\n{first}for k in ceil(K/32) {{\n{before}{next}\n{between}{sum}{after}"),
            ));
        }
        let by = "by SM80_CP_ASYNC_CACHEALWAYS<uint32_t>\ncommit\n";
        for wait in 0..3 {
            for after in ["", "barrier\n"] {
                let first = first.iter().map(|copy| format!("{copy} {by}")).collect::<String>();
                let next = next.clone() + " " + by;
                let body = match ahead {
                    0 => format!("{next}wait {wait}\nbarrier\n{sum}{after}"),
                    _ => format!("wait {wait}\nbarrier\n{next}{sum}{after}"),
                };
                texts.push(text(stages, &format!("e = 0\n{first}for k in ceil(K/32) {{\n{body}")));
            }
        }
    }
    texts
}

#[test]
fn races_of_stages() {
    let (mut proved, texts) = (0, stages());
    for text in &texts {
        let program: Program = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
        let report = program.check().unwrap();
        let wrong = (1..=8).find_map(|steps| {
            let sizes = program.sizes(&[("M", 2), ("K", 32 * steps - 5)]).unwrap();
            program.run(&sizes, &mut Buffers::new(&program, &sizes).unwrap()).err()
        });
        assert_eq!(report.is_proved(), wrong.is_none(), "{wrong:?}\n{text}{report}");
        assert_eq!(report.is_right(), wrong.is_none(), "{wrong:?}\n{text}{report}");
        proved += usize::from(wrong.is_none());
    }
    assert!(proved > 10 && texts.len() > 2 * proved, "{proved} of {}", texts.len());
}

fn lengths() -> impl Iterator<Item = i64> {
    [1, 2, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 95, 96, 97, 127, 128, 129, 192, 193].into_iter()
}

/// Whether a run at sizes at which it may be launched is refused.
fn is_refused(program: &Program, given: &[(&str, i64)]) -> bool {
    let Ok(sizes) = program.sizes(given) else { return false };
    program.launch(&sizes, &[]).is_ok()
        && program.run(&sizes, &mut Buffers::new(program, &sizes).unwrap()).is_err()
}

/// Whether no run is refused; what is proved has to be right, and what is right proved.
fn judge_runs(program: &Program) -> bool {
    let is_wrong = lengths().any(|k| is_refused(program, &[("K", k)]));
    let report = program.check().unwrap();
    assert_eq!(report.is_right(), !is_wrong, "{program}{report}");
    assert_eq!(report.is_proved(), !is_wrong, "{program}{report}");
    !is_wrong
}

/// Results of which each element is written once, or not, by grids and partitions of one mode; of an `update`, not twice.
#[test]
fn coverage_of_partitions() {
    let parts = [
        "t 32:1@0, v 2:32@0",
        "t 32:2@0, v 2:1@0",
        "t 32:2@0, v 2:2@0",
        "t (16,2):(1@0,32@0), v 2:16@0",
        "t 32:1@0, v 3:32@0",
        "t 32:1@0, v 2:64@0",
        "t 32:1@0, v 4:16@0",
    ];
    let grids = ["ceil(K/64)", "floor(K/64)", "ceil(K/32)", "floor(K/64)+1", "ceil((K+1)/64)", "K", "1", "2"];
    let facts = ["", "K % 64 == 0", "K <= 64", "K <= 32", "K <= 16", "K <= 128"];
    let mut kinds = [0; 2];
    for (space, part) in ["write", "update"].into_iter().flat_map(|space| parts.map(|part| (space, part))) {
        for (grid, facts) in grids.into_iter().flat_map(|grid| facts.map(|facts| (grid, facts))) {
            let facts = if facts.is_empty() { String::new() } else { format!("assume {facts}\n") };
            let view = format!("y[b0 64@0, {part}]");
            let value = if space == "write" { "1" } else { &format!("({view} else 0) + 1") };
            let text =
                format!("kernel k 32 threads, grid ({grid})\n{space} y f32 K:1\n{facts}{view} = {value}\n");
            let program: Program = text.parse().unwrap();
            kinds[usize::from(judge_runs(&program))] += 1;
        }
    }
    assert!(kinds.iter().all(|count| *count > 100), "{kinds:?}");
}

/// Grids of several axes, of which one is the constant 1 or has one block at all sizes, in any order.
#[test]
fn axes_of_one_block() {
    let uses = ["", "b0 8@0, ", "b0 32@0, ", "b1 8@0, ", "b1 32@0, ", "b0 32@0, b1 32@0, "];
    let grids = ["1,ceil(K/32)", "ceil(K/32),1", "2,ceil(K/32)", "ceil(K/64),ceil(K/32)", "1,1", "1"];
    let mut kinds = [0; 2];
    for (grid, used) in grids.into_iter().flat_map(|grid| uses.map(|used| (grid, used))) {
        for facts in ["", "assume K <= 64\n", "assume K <= 32\n"] {
            let text = format!(
                "kernel k 32 threads, grid ({grid})\nwrite y f32 K:1\n{facts}y[{used}t 32:1@0] = 1\n"
            );
            let Ok(program) = text.parse::<Program>() else { continue };
            kinds[usize::from(judge_runs(&program))] += 1;
        }
    }
    assert!(kinds.iter().all(|count| *count > 20), "{kinds:?}");
}

/// Conditions that leave some blocks or steps: what they restrict is one-to-one there, or not.
#[test]
fn conditions_on_blocks_and_steps() {
    let whens = [
        "b0 < 1",
        "b0 < 2",
        "(b0+1)/2 < 1",
        "(b0)/2 < 1",
        "3*b0 < 4",
        "b0 + b1 < 1",
        "2*b1 < 1",
        "(b1)/2 + k < 1",
        "k < 1",
        "k < 2",
        "b0 + b1 < 2",
        "b0 < K",
        "0 < K",
        "b0 + 1 < 2",
        "(b0)%2 < 1",
        "b0 + 1 < ceil(K/32)",
        "b1 + k < 1",
    ];
    let views = [
        "t 32:1@0",
        "b0 32@0, t 32:1@0",
        "b1 32@0, t 32:1@0",
        "b0 32@0, b1 64@0, t 32:1@0",
        "k 32@0, t 32:1@0",
    ];
    let (mut random, mut kinds) = (testkit::Random::named("conditions"), [[0; 2]; 2]);
    for _ in 0..600 {
        let mut pick = |count: usize| random.below(count as u64) as usize;
        let view = format!("y[{}]", views[pick(views.len())]);
        let (space, value) = match pick(2) {
            0 => ("write", "1".to_string()),
            _ => ("update", format!("({view} else 0) + 1")),
        };
        let mut body = format!("{view} = {value}\n");
        for _ in 0..1 + pick(2) {
            body = format!("when {} {{\n{body}}}\n", whens[pick(whens.len())]);
        }
        let extent = ["K", "32", "64"][pick(3)];
        let text = format!(
            "kernel k 32 threads, grid ({},{})\nread x f32 K:1\n{space} y f32 {extent}:1\nfor k in {} {{\n{body}}}\n",
            ["ceil(K/32)", "2", "1"][pick(3)],
            ["1", "2", "3"][pick(3)],
            ["1", "2", "ceil(K/32)"][pick(3)],
        );
        let program: Program = text.parse().unwrap();
        let report = program.check().unwrap();
        let is_wrong = lengths().any(|k| is_refused(&program, &[("K", k)]));
        assert_eq!(report.is_right(), !is_wrong, "{text}{report}");
        assert!(!(report.is_proved() && is_wrong), "{text}{report}");
        kinds[usize::from(is_wrong)][usize::from(report.is_proved())] += 1;
    }
    let [[open, proved], [wrong, _]] = kinds;
    assert!(proved > 4 * open && wrong > 100, "{kinds:?}");
}

/// At sizes at which elements have one place there is no launch, and nothing to be called wrong.
#[test]
fn sizes_that_conditions_exclude() {
    let layouts = ["(K,2):(1,S)", "(2,K):(S,1)", "(K,5):(1,S)", "(3,K):(S,1)", "(K,2,3):(1,S,64)"];
    let parts = ["t 32:1@0, v 2:1@1", "t 32:1@1, v 2:1@0", "t 16:1@0, v 16:1@1", "t (4,8):(1@0,1@1)"];
    let blocks = ["", "b0 32@0, ", "b0 32@1, ", "(b0)%2 4@0, (b0)/2 8@0, ", "b0 8@1, "];
    let mut kinds = [0; 3];
    for layout in layouts
        .into_iter()
        .flat_map(|layout| [1, 4, 16, 40].map(|stride| layout.replace('S', &stride.to_string())))
    {
        for (part, blocks) in parts.into_iter().flat_map(|part| blocks.map(|blocks| (part, blocks))) {
            let last = if layout.contains(",64)") { ", k 1@2" } else { "" };
            let text = format!(
                "kernel k 32 threads, grid (ceil(K/32))\nwrite y f32 {layout}\nfor k in {} {{\ny[{blocks}{part}{last}] = 1\n}}\n",
                if last.is_empty() { "1" } else { "3" }
            );
            let program: Program = text.parse().unwrap();
            let Ok(report) = program.check() else { continue };
            let is_wrong = (3..=9).chain(lengths()).any(|k| is_refused(&program, &[("K", k)]));
            assert_eq!(report.is_right(), !is_wrong, "{text}{report}");
            assert!(!(report.is_proved() && is_wrong), "{text}{report}");
            kinds[usize::from(report.is_right()) + usize::from(report.is_proved())] += 1;
        }
    }
    assert!(kinds.iter().all(|kind| *kind > 10), "{kinds:?}");
}

/// What is never below a number, or never above one, is not changed by it, however the fold is written.
#[test]
fn folds_of_one_sign() {
    type Map<'a> = (&'a str, fn(f64) -> f64);
    type Fold<'a> = (&'a str, fn(f64, f64) -> f64);
    let maps: [Map<'_>; 8] = [
        ("{x}", |x| x),
        ("abs({x})", f64::abs),
        ("{x} * {x}", |x| x * x),
        ("exp({x}) + 1", |x| x.exp() + 1.0),
        ("sqrt(abs({x}))", |x| x.abs().sqrt()),
        ("0 - abs({x})", |x| -x.abs()),
        ("tanh({x})", f64::tanh),
        ("select({x} < 0, 0 - {x}, {x} * 2)", |x| if x < 0.0 { -x } else { x * 2.0 }),
    ];
    let folds: [Fold<'_>; 2] = [("max", f64::max), ("min", f64::min)];
    let mut kinds = [0; 2];
    for ((map, of), (fold, with)) in maps.into_iter().flat_map(|map| folds.map(|fold| (map, fold))) {
        for start in ["0", "1", "-1", "-inf", "inf"] {
            for fill in ["0", "1", "-2"] {
                let number = |text: &str| text.parse::<f64>().unwrap();
                let exact = |at: &[i64], depth: i64| {
                    (0..depth).fold(number(start), |all, k| with(all, of(input(&[at[0], k]))))
                };
                let element = map.replace("{x}", &format!("(A[b0 1@0, k 4@1, v 4:1@1] else {fill})"));
                let text = rows(&format!(
                    "e = {start}\nfor k in ceil(K/4) {{\ne[v 4:0] = {fold}(e[v 4:0], {element})\n}}\n\
                     y[b0 1@0, t 1:1@0] = e\n"
                ));
                let program: Program = text.parse().unwrap();
                let (report, is_right) = (program.check().unwrap(), is_right(&program, &exact));
                assert!(!report.is_proved() || is_right, "{text}{report}");
                let is_neutral = with(number(start), of(number(fill))) == number(start);
                assert!(!is_neutral || report.is_proved() && is_right, "{text}{report}");
                kinds[usize::from(is_right)] += 1;
            }
        }
    }
    assert!(kinds.iter().all(|kind| *kind > 50), "{kinds:?}");
    let tree = in_place("max({x}, {y})");
    let text = rows(&format!("assume K <= 32\ns[t 32:1@0] = abs({{a}} else {{o}})\n{tree}barrier\n{STORED}"));
    judge_all(&text, "0", &["9", "-9"], &|at, depth| {
        (0..depth).fold(0.0, |all, k| input(&[at[0], k]).abs().max(all))
    });
}

/// Elements at coordinates that are read: what such a coordinate leaves outside, and what it is where it is outside itself.
#[test]
fn folds_of_gathered_elements() {
    let row = |k: i64| (k * 7 + 3) % 19;
    let tensors = "kernel k 32 threads, grid (M)\nread r u32 K:1\nread x f32 R:1\nread c f32 (M,K):(K,1)\nwrite y f32 M:1\nregisters e f32 1:1\n\
                   shared s f32 4:1\n";
    let loads = [
        ("{x}", ""),
        ("s[v 4:1@0]", "barrier\ns[t 4:1@0] = {x}\nbarrier\n"),
        ("select(r[k 4@0, v 4:1@0] else {row} < R, {x}, {n})", ""),
        ("select(r[k 4@0, v 4:1@0, 1@0] else {row} < R, {x}, {n})", ""),
        ("select(coordinate(c[b0 1@0, k 4@1, v 4:1@1], 1) < K, {x}, {n})", ""),
        (
            "select((coordinate(c[b0 1@0, k 4@1, v 4:1@1], 1) < K) & (r[k 4@0, v 4:1@0] else {row} < R), {x}, {n})",
            "",
        ),
        ("select(coordinate(x[k 4@0, v 4:1@0], 0) < R, {x}, {n})", ""),
    ];
    type Fold<'a> = (&'a str, &'a str, f64, fn(f64, f64) -> f64);
    let folds: [Fold<'_>; 2] = [
        ("e[v 4:0] + {l}", "0", 0.0, |a, b| a + b),
        ("max(e[v 4:0], {l})", "-inf", f64::NEG_INFINITY, f64::max),
    ];
    let mut kinds = [0; 2];
    for ((load, before), (fold, neutral, start, with)) in
        loads.into_iter().flat_map(|load| folds.map(|fold| (load, fold)))
    {
        for (rows, added) in ["0", "4", "4294967295"]
            .into_iter()
            .flat_map(|row| ["", ", 1@0", ", b0 1@0"].map(|add| (row, add)))
        {
            for (fill, limit) in
                [(neutral, ""), ("2", ""), (neutral, "assume R <= 4\n"), ("2", "assume R <= 4\n")]
            {
                let is_other = load.contains("1@0, 1@0]") || load.contains("coordinate(x");
                if is_other && fill == neutral {
                    // Not all rows are meant.
                    continue;
                }
                let index = if before.is_empty() { "v 4:1@0" } else { "t 4:1@0" };
                let x = format!("(x[r[k 4@0, {index}] else {rows}@0{added}] else {fill})");
                let text = format!(
                    "{tensors}{limit}e = {neutral}\nfor k in ceil(K/4) {{\n{before}e[v 4:0] = {}\n}}\ny[b0 1@0, t 1:1@0] = e\n",
                    fold.replace("{l}", load)
                )
                .replace("{x}", &x).replace("{row}", rows).replace("{n}", neutral);
                let program: Program = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
                let is_right =
                    [1, 3, 4, 6, 11].into_iter().flat_map(|k| [1, 3, 8, 30].map(|r| (k, r))).all(|(k, r)| {
                        let Ok(sizes) = program.sizes(&[("M", 2), ("K", k), ("R", r)]) else { return true };
                        let mut buffers = Buffers::new(&program, &sizes).unwrap();
                        buffers.fill("r", |at| row(at[0]) as f64).unwrap();
                        buffers.fill("x", input).unwrap();
                        program.run(&sizes, &mut buffers).is_ok_and(|_| {
                            (0..2).all(|m| {
                                let add = if added.is_empty() {
                                    0
                                } else if added.contains("b0") {
                                    m
                                } else {
                                    1
                                };
                                // What the sum is meant to be: of the rows that there are.
                                let all = (0..k).map(|k| row(k) + add).filter(|row| *row < r);
                                buffers.at("y", &[m])
                                    == Some(all.fold(start, |all, row| with(all, input(&[row]))))
                            })
                        })
                    });
                let report = program.check().unwrap();
                assert!(is_right || !report.is_proved(), "{text}{report}");
                // Each of these is right, whatever the rows are.
                let is_masked = load.contains('&') && added.is_empty();
                let is_neutral = fill == neutral
                    && (rows == "4294967295" || rows == "4" && !limit.is_empty() || load.contains("< K"));
                let is_known = is_masked || is_neutral && !is_other;
                assert!(!is_known || report.is_proved() && is_right, "{is_right} {text}{report}");
                kinds[usize::from(report.is_proved())] += 1;
            }
        }
    }
    assert!(kinds.iter().all(|kind| *kind > 50), "{kinds:?}");
}

/// Two statements that write one tensor by different blocks, steps and tiles: disjoint parts of it, perhaps with gaps, or not.
#[test]
fn parts_of_a_tensor() {
    let columns = [
        "b0 64@0, t 32:2@0",
        "b0 64@0, 1@0, t 32:2@0",
        "b0 64@0, k 2@0",
        "b0 64@0, 1@0, k 2@0",
        "b0 64@0, k 2@0, t 2:1@0",
        "b0 64@0, t 32:1@0",
        "b0 64@0, 32@0, t 32:1@0",
        "b0 64@0, 32@0, k 1@0",
        "b0 32@0, t 16:2@0",
        "b0 32@0, 1@0, k 2@0",
        "t 32:1@0",
        "32@0, b0 32@0, t 32:1@0",
        "32@0, b0 64@0, k 1@0, t 2:32@0",
        "b0 96@0, t 32:3@0",
        "b0 96@0, 1@0, k 3@0, t 2:1@0",
        "b0 64@0, t (16,2):(4@0,1@0)",
        "b0 64@0, 2@0, k 4@0",
        "b0 64@0, 3@0, k 4@0",
        "b0 64@0, 2@0, k 2@0",
        "b0 64@0, k 1@0",
    ];
    let rows = [["", ""], [", 0@1", ", 1@1"], [", b1 2@1", ", 1@1, b1 2@1"], [", b1 1@1", ", b1 1@1"]];
    let (mut random, mut kinds) = (testkit::Random::named("parts"), [[0; 2]; 2]);
    for _ in 0..700 {
        let mut pick = |count: usize| random.below(count as u64) as usize;
        let (row, space) = (pick(4), ["write", "update"][pick(2)]);
        let layout = ["K:1", "(K,2):(2,1)", "(K,K):(K,1)", "(K,K):(1,K)"][row];
        let rows = rows[row];
        // In a quarter of them the same columns.
        let one = pick(columns.len());
        let all = [one, if row > 0 && pick(2) == 0 { one } else { pick(columns.len()) }];
        let body: String = (0..2)
            .map(|i| {
                let (column, view) = (columns[all[i]], format!("y[{}{}]", columns[all[i]], rows[i]));
                let statement = match pick(2) {
                    0 if space == "update" => format!("{view} = ({view} else 0) + 1\n"),
                    _ => format!("{view} = 1\n"),
                };
                if column.contains('k') { format!("for k in 32 {{\n{statement}}}\n") } else { statement }
            })
            .collect();
        let grid =
            [["ceil(K/64)", "1"], ["ceil(K/64)", "1"], ["ceil(K/64)", "ceil(K/2)"], ["ceil(K/64)", "K"]][row];
        let grid = if pick(6) == 0 { ["2", grid[1]] } else { grid };
        let text =
            format!("kernel k 32 threads, grid ({},{})\n{space} y f32 {layout}\n{body}", grid[0], grid[1]);
        let program: Program = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
        let report = program.check().unwrap();
        let is_wrong = [1, 2, 3, 31, 32, 33, 64, 65, 67, 100, 129]
            .into_iter()
            .any(|k| is_refused(&program, &[("K", k)]));
        assert_eq!(report.is_right(), !is_wrong, "{text}{report}");
        assert!(!(report.is_proved() && is_wrong), "{text}{report}");
        kinds[usize::from(is_wrong)][usize::from(report.is_proved())] += 1;
    }
    let [[open, proved], [wrong, _]] = kinds;
    assert!(proved > 3 * open && wrong > 100, "{kinds:?}");
}

/// Results of many modes, each with an unknown extent, a tile, facts and a grid axis or a loop of its own.
#[test]
fn many_unknown_extents() {
    let mut random = testkit::Random::named("many_unknown_extents");
    for _ in 0..150 {
        let names = &["M", "N", "K", "B", "C", "D"][..4 + random.below(3) as usize];
        let mut pick = |count: u64| random.below(count) as usize;
        let (mut places, mut splits, mut facts) =
            (Vec::new(), [(Vec::new(), Vec::new()), Default::default()], Vec::new());
        let (mut grid, mut loops, mut threads) = (Vec::new(), Vec::new(), 1);
        for (mode, name) in names.iter().enumerate() {
            let mut full = 1;
            for (is_thread, (extents, strides)) in [true, false].into_iter().zip(&mut splits) {
                let tile = [1, 2, 4, 8][pick(4)];
                if tile > 1 && tile <= if is_thread { 32 / threads } else { 4 } {
                    extents.push(tile.to_string());
                    strides.push(format!("{full}@{mode}"));
                    threads *= if is_thread { tile } else { 1 };
                    full *= tile;
                }
            }
            let index = match pick(2) {
                0 if grid.len() < 3 => {
                    grid.push(format!("ceil({name}/{full})"));
                    format!("b{}", grid.len() - 1)
                }
                _ => {
                    let index = ["k", "j", "q", "p", "i", "h"][loops.len()];
                    loops.push(format!("for {index} in ceil({name}/{full}) {{\n"));
                    index.to_string()
                }
            };
            places.push(format!("{index} {full}@{mode}"));
            facts.push(["% 8 == 0", "<= 100", ">= 9", ">= 1"][pick(4)]);
        }
        for (index, (extents, strides)) in ["t", "v"].iter().zip(&splits) {
            if !extents.is_empty() {
                places.push(format!("{index} ({}):({})", extents.join(","), strides.join(",")));
            }
        }
        let idle = if splits[0].0.is_empty() { ", t 1:1@0" } else { "" };
        let strides: String = (1..names.len()).map(|mode| format!(",s{mode}")).collect();
        let facts: Vec<String> =
            names.iter().zip(facts).map(|(name, fact)| format!("{name} {fact}")).collect();
        let (view, extents) = (format!("y[{}{idle}]", places.join(", ")), names.join(","));
        let (space, value) =
            [("write", "1".to_string()), ("update", format!("({view} else 0) + 1"))][pick(2)].clone();
        let grid = if grid.is_empty() { "1".to_string() } else { grid.join(",") };
        let text = format!(
            "kernel k 32 threads, grid ({grid})\n{space} y f32 ({extents}):(1{strides})\nassume {}\n{}{view} = {value}\n{}",
            facts.join(", "),
            loops.concat(),
            "}\n".repeat(loops.len())
        );
        let report =
            text.parse::<Program>().unwrap_or_else(|error| panic!("{error}\n{text}")).check().unwrap();
        assert!(report.is_proved(), "{text}{report}");
    }
}

/// A mask of a coordinate over elements beside it, below 0 or behind the extent: where it is proved, no element outside changes the
/// result, whatever `else` gives; and of what is right all but few are proved.
#[test]
fn masks_of_elements_beside() {
    let masks = [
        "C < K",
        "C + 1 < K",
        "C + 2 <= K",
        "C <= K",
        "C < min(K, 3)",
        "C < max(K, 3)",
        "max(C, 3) < K",
        "min(C, 3) < K",
        "C == K - 1",
        "C == K",
        "f32(C) < f32(K)",
        "f32(C) <= f32(K)",
        "(C < K) & (C < 5)",
        "(C < K) | (C < 5)",
        "(C <= coordinate(A[b0 1@0], 0)) & (1 < K)",
        "(A[b0 1@0, c 4@1, v 4:1@1] else 9) < 9",
    ];
    let (mut proved, mut missed) = (0, Vec::new());
    for mask in masks {
        for (shift, of_mask) in (-2..=2).flat_map(|shift| [(shift, 0), (shift, -1), (shift, 1)]) {
            let own = format!("coordinate(A[b0 1@0, c 4@1, {of_mask}@1, v 4:1@1], 1)");
            let program = |outside: i64| -> Program {
                let text = format!(
                    "kernel k 1 threads, grid (2)\nread A f32 (2,K):(lda,1)\nwrite y f32 2:1\nregisters r f32 1:1\n\
                     r = 0\nfor c in ceil(K/4)+1 {{\nr = r + select({}, (A[b0 1@0, c 4@1, {shift}@1, v 4:1@1] else \
                     {outside}) + 1, 0)\n}}\ny[b0 1@0] = r\n",
                    mask.replace('C', &own)
                );
                text.parse().unwrap()
            };
            let sums = |program: &Program, k: i64| {
                let sizes = program.sizes(&[("K", k)]).unwrap();
                let mut buffers = Buffers::new(program, &sizes).unwrap();
                buffers.fill("A", input).unwrap();
                program.run(&sizes, &mut buffers).unwrap();
                buffers.elements("y").unwrap().to_vec()
            };
            let (own, other) = (program(0), program(70));
            let is_right = (1..=24).all(|k| sums(&own, k) == sums(&other, k));
            let is_proved = own.check().unwrap().is_proved();
            assert!(is_right || !is_proved, "{own}");
            proved += usize::from(is_proved);
            if is_right && !is_proved {
                missed.push((mask, shift, of_mask));
            }
        }
    }
    assert!(proved > 30 && missed.len() < proved / 3, "{proved} {missed:?}");
}
