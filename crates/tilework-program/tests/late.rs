//! Races that show late: random nests of loops and conditions, followed plainly at sizes far beyond those that a check
//! follows.

use testkit::Random;
use tilework_program::{Buffers, Error, Program};

fn one_of<'a>(random: &mut Random, of: &[&'a str]) -> &'a str {
    of[random.below(of.len() as u64) as usize]
}

/// The right side of a condition, or the number of steps of a loop.
fn number(random: &mut Random) -> String {
    match random.below(2) {
        0 => random.range(0, 12).to_string(),
        _ => {
            one_of(random, &["K", "L", "ceil(K/2)", "floor(L/3)", "K + 1", "L + 2", "ceil(K/4)", "K"]).into()
        }
    }
}

/// The left side: multiples and digits of the indices that there are, and of the block's.
fn form(random: &mut Random, loops: &[&str]) -> String {
    let terms = (0..1 + random.below(3)).map(|_| match random.below(5) {
        0 => random.below(4).to_string(),
        1 => one_of(random, &["b0", "(b0)%3", "b0 + b0", "(b0+1)/2"]).into(),
        kind => match loops.is_empty() {
            true => random.below(8).to_string(),
            false => {
                let k = one_of(random, loops);
                match kind {
                    2 => one_of(random, &["({k})%3", "({k}+2)%2", "({k}+1)/2%2", "({k})/2", "2*{k}"]),
                    _ => "{k}",
                }
                .replace("{k}", k)
            }
        },
    });
    terms.collect::<Vec<_>>().join(" + ")
}

/// A statement or several of them; copies in flight where `is_async`.
fn body(random: &mut Random, loops: &mut Vec<&'static str>, is_async: bool, is_when: bool) -> String {
    let mut text = String::new();
    for _ in 0..1 + random.below(3) {
        let stage = match loops.is_empty() || random.chance(50) {
            true => format!("{}@1", random.below(2)),
            false => format!("({})%2 1@1", one_of(random, loops)),
        };
        text += &match random.below(if loops.len() < 3 { 9 } else { 5 }) {
            0 | 1 => "barrier\n".into(),
            2 if is_async && random.chance(60) => {
                format!("s[t 2:1@0, {stage}] = A[t 2:1@0] else 0 by SM80_CP_ASYNC_CACHEALWAYS<uint32_t>\n")
            }
            3 if is_async && !is_when => {
                one_of(random, &["commit\n", "wait 0\nbarrier\n", "wait 1\n", "wait 2\n"]).into()
            }
            2 | 3 => format!("s[t 2:1@0, {stage}] = 1\n"),
            4 => format!("r = r + s[1@0, {stage}]\n"),
            5 | 6 => {
                let index = ["k", "j", "q"][loops.len()];
                let count = number(random);
                loops.push(index);
                let body = body(random, loops, is_async, is_when);
                loops.pop();
                format!("for {index} in {count} {{\n{body}}}\n")
            }
            _ => {
                let (form, below) = (form(random, loops), number(random));
                format!("when {form} < {below} {{\n{}}}\n", body(random, loops, is_async, true))
            }
        };
    }
    text
}

fn whole(facts: &str, body: &str) -> String {
    format!(
        "kernel late 2 threads, grid (ceil(N/2))\nread A f32 N:1\nread X f32 K:1\nread Z f32 L:1\nwrite y f32 N:1\n\
         shared s f32 (2,2):(1,2)\nregisters r f32 1:1\n{facts}r = 0\n{body}y[b0 2@0, t 2:1@0] = r\n"
    )
}

fn text(random: &mut Random) -> String {
    let is_async = random.chance(25);
    let body = body(random, &mut Vec::new(), is_async, false);
    let facts = one_of(random, &["", "", "", "assume K <= 5\n", "assume K % 4 == 0\n", "assume L <= K\n"]);
    whole(facts, &format!("s[t 2:1@0, 0@1] = 0\ns[t 2:1@0, 1@1] = 0\nbarrier\n{body}"))
}

/// The race at sizes; none where the facts exclude them.
fn wrong_at(program: &Program, given: &[(&str, i64)]) -> Option<Option<Error>> {
    let sizes = program.sizes(given).ok()?;
    let mut buffers = Buffers::new(program, &sizes).unwrap();
    Some(program.run(&sizes, &mut buffers).err())
}

/// What is proved has no race at any size, what is refused has one where the sentence says, and few are neither.
#[test]
fn late_races() {
    let mut random = Random::named("late_races");
    let (mut proved, mut wrong, mut tried) = (0, 0, 0);
    for _ in 0..testkit::scaled(1_000, 0.06) {
        let text = text(&mut random);
        let Ok(program) = text.parse::<Program>() else { panic!("{text}") };
        let report = program.check().unwrap();
        match report.faults().next().map(ToString::to_string) {
            Some(fault) => {
                wrong += 1;
                let sizes =
                    fault.rsplit_once("where ").or(fault.rsplit_once("at ")).map_or("", |(_, sizes)| sizes);
                let sizes = sizes.split(": ").next().unwrap_or(sizes);
                let mut given = vec![("K", 0), ("L", 1), ("N", 30)];
                for part in sizes.split(", ") {
                    let Some((name, value)) = part.split_once('=') else { continue };
                    if let Some(own) = given.iter_mut().find(|own| own.0 == name) {
                        own.1 = value.parse().unwrap();
                    }
                }
                // The facts may not admit a size that the sentence leaves open.
                let open = |k| given.iter().map(move |own| if own == &("K", 0) { ("K", k) } else { *own });
                let done = [4, 400].map(|k| wrong_at(&program, &open(k).collect::<Vec<_>>()));
                assert!(done.iter().any(|done| matches!(done, Some(Some(_)))), "{given:?}\n{text}{report}");
            }
            None if report.is_proved() => {
                proved += 1;
                let sizes = (1..=40).flat_map(|k| (1..=40).map(move |l| (k, l)));
                for (k, l) in sizes {
                    if k.max(l) < 10 || random.chance(3) {
                        let given = [("K", k), ("L", l), ("N", if random.chance(10) { 40 } else { 9 })];
                        if let Some(Some(error)) = wrong_at(&program, &given) {
                            panic!("{error}\nat {given:?}\n{text}{report}");
                        }
                    }
                }
            }
            None => tried += 1,
        }
    }
    assert!(proved > 10 && wrong > 10 && tried < proved, "{proved} {wrong} {tried}");
}

/// The texts after the declarations: what cannot occur together, or at all, is no race.
#[test]
fn cases_that_do_not_occur() {
    let write = |when: &str| format!("when {when} {{\ns[t 2:1@0] = 1\n}}\n");
    let read = |when: &str| format!("when {when} {{\nr = r + s[t 2:1@0]\n}}\n");
    let pairs = [
        // Where it is written, where it is read.
        ("b0 < 2", "b0 + b0 < 3"),
        ("b0 < 3", "3*b0 < 6"),
        ("(b0)%2 < 1", "(b0)%4 < 1"),
        ("(b0+1)/2 < 2", "b0 < 2"),
        ("b0 < K", "b0 < ceil(K/2)"),
        ("0 < ceil(K/4)", "1 < K"),
        ("2 < K", "2 < ceil(K/2)"),
        ("b0 + 1 < L + 3", "b0 < L"),
        ("b0 < 40", "b0 + 1 < 1"),
        ("0 < K", "0 < L"),
        ("3 < K", "7 < K"),
    ];
    let checked = |text: String| {
        let text = whole("", &text);
        let report =
            text.parse::<Program>().unwrap_or_else(|error| panic!("{error}\n{text}")).check().unwrap();
        (report.is_right(), report.is_proved(), format!("{text}{report}"))
    };
    for (wide, narrow) in pairs {
        let (is_right, is_proved, text) = checked(write(wide) + &read(narrow));
        assert!(is_right && is_proved, "{text}");
        let (is_right, _, text) = checked(write(narrow) + &read(wide));
        assert_eq!(is_right, ["0 < K", "b0 < 2"].contains(&wide), "{text}");
    }
    let stages = |first: &str, second: &str| {
        format!(
            "for k in {first} {{\ns[t 2:1@0, (k)%2 1@1] = 1\n}}\nfor k in {second} {{\nr = r + s[t 2:1@0, (k)%2 1@1]\n}}\n"
        )
    };
    for (more, fewer) in [("ceil(K/4)", "ceil(K/8)"), ("K + 1", "K"), ("K", "ceil(K/2)"), ("4*K", "3*K")] {
        let (is_right, is_proved, text) = checked(stages(more, fewer));
        assert!(is_right && is_proved, "{text}");
    }
    assert!(!checked(stages("ceil(K/8)", "ceil(K/4)")).0);
    assert!(!checked(stages("1", "K")).0);
    // The first step of a loop is there at all sizes.
    let first = format!("for k in K + 1 {{\n{}}}\n", write("k < 1"));
    let (is_right, is_proved, text) = checked(first + &read("0 < 1"));
    assert!(is_right && is_proved, "{text}");
}

/// What is too long to follow is not called proved, and what touches no shared memory is not followed.
#[test]
fn what_is_too_long_to_follow() {
    let stored = "s[t 2:1@0] = 1\nbarrier\n";
    let nest = |inner: &str| {
        let when = format!("when q + k + j < 50 {{\n{inner}}}\n");
        whole("", &format!("for k in K {{\nfor j in L {{\nfor q in ceil(K/3) {{\n{when}}}\n}}\n}}\n"))
    };
    let report = nest(stored).parse::<Program>().unwrap().check().unwrap();
    assert!(report.is_right() && !report.is_proved(), "{report}");
    assert!(report.to_string().contains("accesses and steps"), "{report}");
    // The longest case is followed where not all are.
    for last in [100, 1000, 3000] {
        let text = format!(
            "kernel late 32 threads, grid (M)\nread A f32 (M,K):(K,1)\nwrite B f32 (M,K):(K,1)\nshared s f32 (32,2):(1,32)\n\
             for k in ceil(K/32) {{\n  s[t 32:1@0, (k)%2 1@1] = A[b0 1@0, k 32@1, t 32:1@1] else 0\n  when k < {last} {{\n    barrier\n  }}\n  \
             B[b0 1@0, k 32@1, t (8,4):(4@1,1@1)] = s[t (8,4):(4@0,1@0), (k)%2 1@1]\n}}\n"
        );
        let report = text.parse::<Program>().unwrap().check().unwrap();
        assert!(!report.is_right(), "{last}: {report}");
    }
    for inner in ["", "barrier\n"] {
        let report = nest(inner).parse::<Program>().unwrap().check().unwrap();
        assert!(report.is_proved() && report.to_string().contains("written, at all sizes\n"), "{report}");
    }
}

/// Sentences name the place.
#[test]
fn sentences_of_errors() {
    let text = whole("", "").replace("ceil(N/2)", "");
    let error = text.parse::<Program>().unwrap_err().to_string();
    assert_eq!(error, "line 1: a number is missing; the names of the tensors are N, K, L");
    let text = whole("", "r = A[9223372036854775807@0] else 0\n");
    let error = text.parse::<Program>().unwrap().check().unwrap_err();
    assert_eq!(error.line(), Some(9), "{error}");
    let text = "kernel c 2 threads, grid (1)\nwrite y f32 (M,N):(N,2)\nassume M <= 2, N <= 2\n\
                y[t 2:1@0, v 2:1@1] = 3\n";
    let program: Program = text.parse().unwrap();
    let error = wrong_at(&program, &[("M", 2), ("N", 2)]).unwrap().unwrap().to_string();
    assert!(
        error.contains("y(1,0) is written to the place that y(0,1) has too, by thread 0 of block 0"),
        "{error}"
    );
}

/// Loops whose number of steps is a sum of the block's digits: what is proved is right in all blocks, and what races late is not.
#[test]
fn loops_that_end_by_the_block() {
    type End = (&'static str, fn(i64) -> i64);
    let ends: [End; 6] = [
        ("b0", |b| b),
        ("b0 + 1", |b| b + 1),
        ("2*b0 + 3", |b| 2 * b + 3),
        ("(b0)%3 + 1", |b| b % 3 + 1),
        ("(b0+1)/2", |b| (b + 1) / 2),
        ("b0 + (b0)/4 + 2", |b| b + b / 4 + 2),
    ];
    let copy = "s[t 32:4@0, v 4:1@0, (k)%2 128@0] = A[k 1@0, t 32:4@1, v 4:1@1] else 0";
    let read = "e = e + s[5@0, (k)%2 128@0]";
    let by = "by SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>";
    // With whether it is right if there are several steps.
    let bodies = [
        (format!("{copy}\nbarrier\n{read}\nbarrier\n"), true),
        (format!("{copy}\nbarrier\n{read}\n"), true),
        (format!("{copy}\n{read}\nbarrier\n"), false),
        (format!("{copy}\nbarrier\n{read}\n").replace("(k)%2", "(k)%1"), false),
        (format!("{copy}\nwhen k < 3 {{\nbarrier\n}}\n{read}\n"), false),
        (format!("{copy} {by}\ncommit\nwait 0\nbarrier\n{read}\nbarrier\n"), true),
        (format!("{copy} {by}\ncommit\nwait 1\nbarrier\n{read}\nbarrier\n"), false),
    ];
    let mut kinds = [0; 2];
    for ((end, steps), (body, _)) in
        ends.into_iter().flat_map(|end| bodies.iter().map(move |body| (end, body)))
    {
        let text = format!(
            "kernel k 32 threads, grid (M)\nread A f32 (M,128):(128,1)\nwrite y f32 M:1\nshared s f32 256:1\nregisters e f32 1:1\n\
             e = 0\nfor k in {end} {{\n{body}}}\ny[b0 1@0, t 1:1@0] = e\n"
        );
        let program: Program = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(program.to_string().parse::<Program>().unwrap(), program);
        assert!(program.to_string().contains(&format!("for k in {end} {{")), "{program}");
        let is_right = (1..=12).all(|m| {
            let sizes = program.sizes(&[("M", m)]).unwrap();
            let mut buffers = Buffers::new(&program, &sizes).unwrap();
            buffers.fill("A", |at| (at[0] + 1) as f64).unwrap();
            let sum = |b: i64| (0..steps(b).min(m)).map(|k| (k + 1) as f64).sum::<f64>();
            program.run(&sizes, &mut buffers).is_ok() && (0..m).all(|b| buffers.at("y", &[b]) == Some(sum(b)))
        });
        let report = program.check().unwrap();
        assert_eq!((report.is_proved(), report.is_right()), (is_right, is_right), "{text}{report}");
        kinds[usize::from(is_right)] += 1;
    }
    assert!(kinds.iter().all(|kind| *kind > 10), "{kinds:?}");
    let refused = |end: &str| {
        let text = format!(
            "kernel k 32 threads, grid (M)\nread A f32 M:1\nfor j in 3 {{\nfor k in {end} {{\n}}\n}}\n"
        );
        text.parse::<Program>().unwrap_err().to_string()
    };
    for (end, index) in [("t", "t"), ("j + 1", "j"), ("b0 + j", "j")] {
        assert!(
            refused(end).starts_with(&format!("line 4: {index} differs between threads or steps")),
            "{}",
            refused(end)
        );
    }
    assert_eq!(refused("b1"), "line 4: there is no b1: the grid has 1 axes");
}
