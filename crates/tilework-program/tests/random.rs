//! Random programs of loops, stages, masks, shifts and ragged sizes: what is proved is what plain loops compute, at sizes from 1 to 40,
//! and of what is right all but few are proved.

use testkit::Random;
use tilework_program::{Buffers, Program};

fn input(at: &[i64]) -> f64 {
    let mixed = at.iter().fold(5i64, |sum, index| sum * 13 + index * index + index);
    (mixed % 7 - if at[0] % 2 == 0 { 2 } else { 7 }) as f64
}

/// A condition on the coordinates of a column and a row, and on the extents of both; numbers have 32 bits.
type Mask = (&'static str, fn([u32; 4]) -> bool);

const MASKS: [Mask; 20] = [
    ("C < K", |[c, k, ..]| c < k),
    ("C < K", |[c, k, ..]| c < k),
    ("C + 1 < K", |[c, k, ..]| c.wrapping_add(1) < k),
    ("C < K - 1", |[c, k, ..]| c < k - 1),
    ("C <= K", |[c, k, ..]| c <= k),
    ("C <= R", |[c, _, r, _]| c <= r),
    ("C < R + 1", |[c, _, r, _]| c < r.wrapping_add(1)),
    ("(C <= R) & (R < M)", |[c, _, r, m]| c <= r && r < m),
    ("R < M", |[_, _, r, m]| r < m),
    ("C % 4 < 2", |[c, ..]| c % 4 < 2),
    ("C % 4 < 4", |_| true),
    ("C - C % 4 < K", |[c, k, ..]| c - c % 4 < k),
    ("C / 2 < K / 2", |[c, k, ..]| c / 2 < k / 2),
    ("C / 4 * 4 + C % 4 < K", |[c, k, ..]| c < k),
    ("(C < K) & (C % 3 < 2)", |[c, k, ..]| c < k && c % 3 < 2),
    ("(C < K) | (C < 3)", |[c, k, ..]| c < k || c < 3),
    ("C == 2", |[c, ..]| c == 2),
    ("2 < C", |[c, ..]| 2 < c),
    ("C * 2 < K", |[c, k, ..]| c.wrapping_mul(2) < k),
    ("min(C, 5) < K", |[c, k, ..]| c.min(5) < k),
];

type Map = (&'static str, fn(f64) -> f64);

const MAPS: [Map; 6] = [
    ("X", |x| x),
    ("X", |x| x),
    ("X * X", |x| x * x),
    ("X + 1", |x| x + 1.0),
    ("0 - abs(X)", |x| -x.abs()),
    ("max(X, 0)", |x| x.max(0.0)),
];

type Fold = (&'static str, f64, fn(f64, f64) -> f64);

const FOLDS: [Fold; 4] = [
    ("E + X", 0.0, |e, x| e + x),
    ("E + X", 0.0, |e, x| e + x),
    ("max(E, X)", f64::NEG_INFINITY, f64::max),
    ("min(E, X)", f64::INFINITY, f64::min),
];

/// One of some.
fn one_of<T: Copy>(random: &mut Random, of: &[T]) -> T {
    of[random.below(of.len() as u64) as usize]
}

/// How a row is folded.
#[derive(Clone, Copy)]
struct Pass {
    mask: Option<Mask>,
    /// What is added to the column of an element, and of the mask.
    shifts: [i64; 2],
    map: Map,
    fold: Fold,
    start: f64,
    outside: f64,
    masked: f64,
    /// The steps beyond the columns, and the first steps alone that are done, if not all.
    more: i64,
    only: Option<i64>,
}

impl Pass {
    fn any(random: &mut Random) -> Pass {
        let fold = one_of(random, &FOLDS);
        let mut near = |others: &[f64]| if random.chance(65) { fold.1 } else { one_of(random, others) };
        let (start, outside, masked) =
            (near(&[0.0, -1.0, 1.0]), near(&[0.0, 1.0, -5.0, 9.0]), near(&[0.0, 2.0]));
        let shift = one_of(random, &[0, 0, 0, 1, 2, -1]);
        Pass {
            mask: random.chance(70).then(|| one_of(random, &MASKS)),
            shifts: [shift, if random.chance(70) { shift } else { one_of(random, &[0, 1, -1]) }],
            map: one_of(random, &MAPS),
            fold,
            start,
            outside,
            masked,
            more: one_of(random, &[0, 0, 1]),
            only: random.chance(15).then(|| one_of(random, &[1, 2, 3])),
        }
    }

    /// What is folded at an element; `row` and `column` are the places along them.
    fn element(&self, row: &str, column: &str, is_square: bool) -> String {
        let at = |shift: i64| match shift {
            0 => format!("A[{row}, {column}]"),
            _ => format!("A[{row}, {column}, {shift}@1]"),
        };
        let number = |value: f64| value.to_string();
        let own = self.map.0.replace('X', &format!("({} else {})", at(self.shifts[0]), number(self.outside)));
        let Some((mask, _)) = self.mask else { return own };
        let of = at(self.shifts[1]);
        let extent = if is_square { "M" } else { "K" };
        let mask = mask.replace('K', extent).replace('C', &format!("coordinate({of}, 1)"));
        let mask = mask.replace('R', &format!("coordinate({of}, 0)"));
        format!("select({mask}, {own}, {})", number(self.masked))
    }

    /// The fold of a row with `width` columns a step: what is outside of it is not there.
    fn folded(&self, [row, rows, columns]: [i64; 3], width: i64) -> f64 {
        let steps = (columns + width - 1) / width + self.more;
        let steps = self.only.map_or(steps, |only| only.min(steps));
        (0..steps * width).fold(self.start, |all, at| {
            let [own, mask] = self.shifts.map(|shift| at + shift);
            if !(0..columns).contains(&own) {
                return all;
            }
            let holds = self
                .mask
                .is_none_or(|(_, mask_of)| mask_of([mask as u32, columns as u32, row as u32, rows as u32]));
            (self.fold.2)(all, if holds { (self.map.1)(input(&[row, own])) } else { self.masked })
        })
    }
}

/// A program, and what it is meant to compute of a row, with the numbers of rows and columns.
struct Case {
    text: String,
    is_square: bool,
    exact: Box<dyn Fn([i64; 3]) -> f64>,
}

fn case(random: &mut Random) -> Case {
    let (pass, is_square) = (Pass::any(random), random.chance(40));
    let uses_rows = pass.mask.is_some_and(|(text, _)| text.contains('R'));
    let extent = if is_square { "M" } else { "K" };
    let number = |value: f64| value.to_string();
    let barrier = |random: &mut Random| if random.chance(92) { "barrier\n" } else { "" };
    let of = |to: &str, x: &str| pass.fold.0.replace('E', to).replacen('X', x, 1);
    let when = |body: String| match pass.only {
        Some(only) => format!("when k < {only} {{\n{body}}}\n"),
        None => body,
    };
    let steps = |width: i64| format!("for k in ceil({extent}/{width}) + {} {{\n", pass.more);
    let start = format!("e = {}\n", number(pass.start));
    let (width, grid, body) = match random.below(4) {
        // A thread has a row.
        0 => {
            let width = one_of(random, &[1, 4]);
            let element = pass.element("b0 8@0, t 8:1@0", &format!("k {width}@1, v {width}:1@1"), is_square);
            let to = format!("e[v {width}:0]");
            let fold = when(format!("{to} = {}\n", of(&to, &element)));
            (width, "ceil(M/8)", format!("{start}{}{fold}}}\ny[b0 8@0, t 8:1@0] = e\n", steps(width)))
        }
        // A block has a row, in stages.
        1 | 2 => {
            let stages = one_of(random, &[1, 2]);
            let stage = if stages == 1 { String::new() } else { format!(", (k)%{stages} 8@0") };
            let element = pass.element("b0 1@0", "k 8@1, t 8:1@1", is_square);
            let fold = format!("e[v 8:0] = {}\n", of("e[v 8:0]", &format!("s[v 8:1@0{stage}]")));
            let last = if stages == 1 { barrier(random) } else { "" };
            let body = format!("s[t 8:1@0{stage}] = {element}\n{}{}{last}", barrier(random), when(fold));
            (8, "M", format!("{start}{}{body}}}\ny[b0 1@0, t 1:1@0] = e\n", steps(8)))
        }
        // And a tree at its end.
        _ => {
            let element = pass.element("b0 1@0", "k 8@1, t 8:1@1", is_square);
            let fold = when(format!("e = {}\n", of("e", &element)));
            let tree: String = [4, 2, 1]
                .map(|half| {
                    let to = format!("s[t {half}:1@0]");
                    format!("{}{to} = {}\n", barrier(random), of(&to, &format!("s[{half}@0, t {half}:1@0]")))
                })
                .concat();
            let end = barrier(random);
            (
                8,
                "M",
                format!(
                    "{start}{}{fold}}}\ns[t 8:1@0] = e\n{tree}{end}y[b0 1@0, t 1:1@0] = s[t 1:1@0]\n",
                    steps(8)
                ),
            )
        }
    };
    // Each thread of a tree begins with what a row begins with.
    let starts = if body.contains("s[4@0") { 8 } else { 1 };
    let text = format!(
        "kernel r 8 threads, grid ({grid})\nread A f32 (M,{extent}):(lda,1)\nwrite y f32 M:1\nshared s f32 16:1\n\
         registers e f32 1:1\n{body}"
    );
    let _ = uses_rows;
    let exact = move |sizes: [i64; 3]| {
        let all = pass.folded(sizes, width);
        (1..starts).fold(all, |all, _| (pass.fold.2)(all, pass.start))
    };
    Case { text, is_square, exact: Box::new(exact) }
}

#[test]
fn random_programs() {
    let mut random = Random::named("random_programs");
    let (mut proved, mut wrong, mut refused) = (0, 0, Vec::new());
    for _ in 0..testkit::scaled(2_000, 0.1) {
        let Case { text, is_square, exact } = case(&mut random);
        let program: Program = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
        let report = program.check().unwrap();
        let is_right = (1..=40).all(|size| {
            let rows = if is_square { size } else { 3 };
            let given: &[(&str, i64)] = if is_square { &[("M", size)] } else { &[("M", 3), ("K", size)] };
            let sizes = program.sizes(given).unwrap();
            let mut buffers = Buffers::new(&program, &sizes).unwrap();
            buffers.fill("A", input).unwrap();
            program.run(&sizes, &mut buffers).is_ok()
                && (0..rows).all(|row| buffers.at("y", &[row]) == Some(exact([row, rows, size])))
        });
        assert!(is_right || !report.is_proved(), "{text}{report}");
        proved += usize::from(report.is_proved());
        wrong += usize::from(!is_right);
        if is_right && !report.is_proved() {
            refused.push(format!("{text}{report}"));
        }
    }
    if std::env::var_os("SHOW_REFUSED").is_some() {
        refused.iter().for_each(|text| println!("{text}\n"));
    }
    println!("{proved} proved, {wrong} wrong, {} right and refused", refused.len());
    assert!(proved > 4 * refused.len() && wrong > proved / 3, "{proved} {wrong} {}", refused.len());
}
